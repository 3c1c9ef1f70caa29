//! Structures in Rust.

/// A structure. One that names a structure type begins with it and with the pointer to the next structure
/// of its chain; its default has the structure type set and all else zero.
macro_rules! c_struct {
    ($name:ident [$tag:ident] { $($fields:tt)* }) => {
        c_struct!(@define $name "; the default is tagged and zero otherwise." { $($fields)* });

        impl Default for $name {
            fn default() -> Self {
                Self { stype: ze_structure_type_t::$tag, ..crate::abi::Zero::ZERO }
            }
        }

        // SAFETY: the generator checks that the first fields are `stype` and `pNext`, and the tag is the
        // one that the header links to this structure.
        unsafe impl crate::chain::Structure for $name {
            const TYPE: ze_structure_type_t = ze_structure_type_t::$tag;
        }
    };
    ($name:ident { $($fields:tt)* }) => {
        c_struct!(@define $name "; the default is zero." { $($fields)* });

        impl Default for $name {
            fn default() -> Self {
                crate::abi::Zero::ZERO
            }
        }
    };
    (@define $name:ident $default:literal { $($field:ident: $ty:ty,)* }) => {
        #[doc = concat!("Structure ", crate::abi::specification!($name), $default)]
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $(pub $field: $ty,)*
        }

        impl crate::abi::Zero for $name {
            const ZERO: Self = Self { $($field: crate::abi::Zero::ZERO,)* };
        }
    };
}

/// Asserts at compile time that a structure has the layout that C gives it; for each field, the range of
/// bytes that it covers.
macro_rules! assert_layout {
    ($name:ident, size $size:literal, align $align:literal, { $($field:ident: $start:literal..$end:literal),* }) => {
        const _: () = {
            assert!(size_of::<$name>() == $size, concat!("size of ", stringify!($name)));
            assert!(align_of::<$name>() == $align, concat!("alignment of ", stringify!($name)));
            $(
                let start = std::mem::offset_of!($name, $field);
                let end = start + crate::abi::size_of_field(|structure: &$name| &structure.$field);
                assert!(
                    start == $start && end == $end,
                    concat!("place of ", stringify!($name), ".", stringify!($field))
                );
            )*
        };
    };
}

/// The size of the field that a function selects.
pub(crate) const fn size_of_field<S, F>(_: fn(&S) -> &F) -> usize {
    size_of::<F>()
}

pub(crate) use {assert_layout, c_struct};
