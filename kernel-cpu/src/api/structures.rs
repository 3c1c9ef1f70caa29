//! Structures of newer versions of the API than the generated types are of.

/// Declares structures of a chain, each with its type.
macro_rules! structures {
    ($($(#[$attribute:meta])* $name:ident = $type:literal { $($field:ident: $ty:ty = $default:expr,)* })*) => {$(
        $(#[$attribute])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub(in crate::api) struct $name {
            pub(in crate::api) stype: level_zero_sys::ze_structure_type_t,
            pub(in crate::api) next: *const std::ffi::c_void,
            $(pub(in crate::api) $field: $ty,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { stype: <Self as level_zero_sys::Structure>::TYPE, next: std::ptr::null(), $($field: $default,)* }
            }
        }

        // SAFETY: it begins with its type and the next one, and is what the header has for the type.
        unsafe impl level_zero_sys::Structure for $name {
            const TYPE: level_zero_sys::ze_structure_type_t = level_zero_sys::ze_structure_type_t($type);
        }
    )*};
}
pub(super) use structures;
