//! The macros that the generated files consist of: what each kind of C declaration is in Rust.
//!
//! What each kind means is written here once; the generated files only list names, types and values.

/// A link to a name in the specification.
macro_rules! specification {
    ($name:ident) => {
        concat!(
            "[`",
            stringify!($name),
            "`](https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=",
            stringify!($name),
            ")"
        )
    };
}

/// The all-zero value of a C type.
///
/// C programs clear structures with `memset`; this trait does the same without `unsafe`, because it exists
/// only for types that have such a value.
pub(crate) trait Zero: Sized {
    const ZERO: Self;
}

macro_rules! zero_integers {
    ($($integer:ty),*) => { $(impl Zero for $integer { const ZERO: Self = 0; })* };
}

zero_integers!(i8, u8, i16, u16, i32, u32, i64, u64, usize);

impl Zero for f32 {
    const ZERO: Self = 0.0;
}

impl<T> Zero for *const T {
    const ZERO: Self = std::ptr::null();
}

impl<T> Zero for *mut T {
    const ZERO: Self = std::ptr::null_mut();
}

impl<T: Zero, const N: usize> Zero for [T; N] {
    const ZERO: Self = [T::ZERO; N];
}

/// Opaque handles: each a type of its own, so that a queue is not taken for a device.
macro_rules! c_handles {
    ($($name:ident)*) => { $(
        #[doc = concat!("Handle ", crate::abi::specification!($name), ": the address of an object that the driver owns.")]
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name(pub *mut std::ffi::c_void);

        impl $name {
            /// The handle of nothing.
            pub const NULL: Self = Self(std::ptr::null_mut());

            /// Whether this is the handle of nothing.
            #[inline]
            pub const fn is_null(self) -> bool {
                self.0.is_null()
            }
        }

        // SAFETY: a handle is an address and is never dereferenced on this side. It reaches the object
        // only through a function of the API, and the caller of that unsafe function keeps the
        // function's own rule on threads.
        unsafe impl Send for $name {}

        // SAFETY: as for `Send`; a shared reference to a handle gives no more than a copy of it.
        unsafe impl Sync for $name {}

        impl Default for $name {
            fn default() -> Self {
                Self::NULL
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({:p})", stringify!($name), self.0)
            }
        }

        impl crate::abi::Zero for $name {
            const ZERO: Self = Self::NULL;
        }
    )* };
}

/// An enumeration: an integer with named values.
///
/// It is no Rust `enum`, because a driver may return any integer, which would be undefined behaviour there.
macro_rules! c_enum {
    ($name:ident { $($member:ident = $value:expr,)* }) => {
        #[doc = concat!("Enumeration ", crate::abi::specification!($name), "; a driver may also return values without a name.")]
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub u32);

        impl $name {
            $(pub const $member: Self = Self($value);)*

            /// The C name of the value, or `None` if it has none. Of synonyms it is the first declared.
            pub fn name(self) -> Option<&'static str> {
                const NAMES: &[($name, &str)] = &[$(($name::$member, stringify!($member))),*];
                NAMES.iter().find(|(value, _)| *value == self).map(|(_, name)| *name)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self.name() {
                    Some(name) => f.write_str(name),
                    None => write!(f, "{}({:#x})", stringify!($name), self.0),
                }
            }
        }

        impl crate::abi::Zero for $name {
            const ZERO: Self = Self(0);
        }
    };
}

/// A set of flags: the integer type that C passes around, with the enumeration of its bits as constants.
macro_rules! c_flags {
    ($name:ident, $bit_name:ident { $($member:ident = $value:expr,)* }) => {
        #[doc = concat!("Set of flags ", crate::abi::specification!($name), "; bits without a name are kept.")]
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $name(pub u32);

        #[doc = concat!("One of the flags of [`", stringify!($name), "`].")]
        pub type $bit_name = $name;

        impl $name {
            $(pub const $member: Self = Self($value);)*

            /// The set without any flag.
            #[inline]
            pub const fn empty() -> Self {
                Self(0)
            }

            /// Whether no flag is set.
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Whether all flags of `other` are set.
            #[inline]
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl std::ops::BitOrAssign for $name {
            fn bitor_assign(&mut self, other: Self) {
                self.0 |= other.0;
            }
        }

        impl std::ops::BitAnd for $name {
            type Output = Self;

            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                const NAMES: &[(u32, &str)] = &[$(($name::$member.0, stringify!($member))),*];
                crate::abi::fmt_flags(f, stringify!($name), self.0, NAMES)
            }
        }

        impl crate::abi::Zero for $name {
            const ZERO: Self = Self(0);
        }
    };
}

/// Writes the names of the bits that are set, and what is left as a number.
pub(crate) fn fmt_flags(
    f: &mut std::fmt::Formatter<'_>,
    ty: &str,
    bits: u32,
    names: &[(u32, &str)],
) -> std::fmt::Result {
    let mut rest = bits;
    let mut separator = "";
    for &(value, name) in names {
        if value != 0 && rest & value == value {
            write!(f, "{separator}{name}")?;
            rest &= !value;
            separator = " | ";
        }
    }
    match rest {
        0 if bits != 0 => Ok(()),
        _ => write!(f, "{separator}{ty}({rest:#x})"),
    }
}

/// A structure. One that names a structure type begins with it and with the pointer to the next structure
/// of its chain; its default has the structure type set and all else zero.
macro_rules! c_struct {
    ($name:ident [$tag:ident] { $($field:ident: $ty:ty,)* }) => {
        #[doc = concat!("Structure ", crate::abi::specification!($name), "; the default is tagged and zero otherwise.")]
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $(pub $field: $ty,)*
        }

        impl Default for $name {
            fn default() -> Self {
                let zero = Self { $($field: crate::abi::Zero::ZERO,)* };
                Self { stype: ze_structure_type_t::$tag, ..zero }
            }
        }

        impl crate::abi::Zero for $name {
            const ZERO: Self = Self { $($field: crate::abi::Zero::ZERO,)* };
        }

        // SAFETY: the generator checks that the first fields are `stype` and `pNext`, and the tag is the
        // one that the header links to this structure.
        unsafe impl crate::chain::Structure for $name {
            const TYPE: ze_structure_type_t = ze_structure_type_t::$tag;
        }
    };
    ($name:ident { $($field:ident: $ty:ty,)* }) => {
        #[doc = concat!("Structure ", crate::abi::specification!($name), "; the default is zero.")]
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $(pub $field: $ty,)*
        }

        impl Default for $name {
            fn default() -> Self {
                crate::abi::Zero::ZERO
            }
        }

        impl crate::abi::Zero for $name {
            const ZERO: Self = Self { $($field: crate::abi::Zero::ZERO,)* };
        }
    };
}

/// Pointers to functions; `None` is the null pointer.
macro_rules! c_function_pointers {
    ($($pointer:ident = $function:ident($($parameter:ident: $ty:ty),*) -> $result:ty;)*) => { $(
        #[doc = concat!("Pointer to the function ", crate::abi::specification!($function), ".")]
        pub type $pointer = Option<unsafe extern "C" fn($($parameter: $ty),*) -> $result>;
    )* };
}

/// A table of function pointers.
macro_rules! c_table {
    ($name:ident { $($slot:ident: $pointer:ty,)* }) => {
        #[doc = concat!("Table of functions `", stringify!($name), "`; the default is empty.")]
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $(pub $slot: $pointer,)*
        }

        impl $name {
            /// The table without any function, to be completed with `..EMPTY`.
            pub const EMPTY: Self = Self { $($slot: None,)* };
        }

        impl Default for $name {
            fn default() -> Self {
                Self::EMPTY
            }
        }
    };
}

/// All tables together, with a method for each function.
macro_rules! c_api {
    (
        tables { $($table:ident: $table_type:ident,)* }
        functions { $($owner:ident.$slot:ident = $function:ident($($parameter:ident: $ty:ty),*);)* }
    ) => {
        /// All tables of the core API, in the order of the header's `ze_dditable_t`.
        ///
        /// A loader fills it by name with [`Api::from_lookup`], a driver in the same process as a constant,
        /// starting from [`Api::EMPTY`]. Each function is also a method, which returns
        /// [`ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE`] where the slot is empty, as the system's
        /// loader does.
        ///
        /// A successful `zeInit` has to precede all other calls. After a `zeInit` that failed, none of the
        /// other functions may be called: with a loader behind the table such a call can jump into a
        /// library that the loader has unloaded.
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct Api {
            $(
                #[doc = concat!("The functions of [`", stringify!($table_type), "`].")]
                pub $table: $table_type,
            )*
        }

        impl Api {
            /// The API without any function, to be completed with `..EMPTY`.
            pub const EMPTY: Self = Self { $($table: $table_type::EMPTY,)* };

            /// Fills the tables with what `lookup` returns for the name of each function, which is null
            /// where there is no such function.
            ///
            /// # Safety
            ///
            /// Every address that is not null must be that of a function which has the C prototype of the
            /// name and stays loaded as long as the table, or a copy of it, is used.
            pub unsafe fn from_lookup(
                mut lookup: impl FnMut(&'static std::ffi::CStr) -> *mut c_void,
            ) -> Self {
                let mut api = Self::EMPTY;
                $(
                    // SAFETY: the slot holds a pointer to a function with the prototype of the name, and the
                    // caller vouches for the address.
                    unsafe {
                        crate::abi::set_slot(&mut api.$owner.$slot, lookup(crate::abi::c_name(concat!(
                            stringify!($function), "\0"
                        ))));
                    }
                )*
                api
            }

            $(
                #[doc = concat!("Calls ", crate::abi::specification!($function), ".")]
                ///
                /// # Safety
                ///
                /// The arguments, the calling thread and the state of their objects must be as the
                /// specification of the function demands.
                #[inline]
                #[allow(clippy::too_many_arguments, reason = "the C prototype has as many")]
                pub unsafe fn $function(&self, $($parameter: $ty),*) -> ze_result_t {
                    match self.$owner.$slot {
                        // SAFETY: the caller keeps the function's contract.
                        Some(function) => unsafe { function($($parameter),*) },
                        None => ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                    }
                }
            )*
        }

        impl Default for Api {
            fn default() -> Self {
                Self::EMPTY
            }
        }
    };
}

/// A name that the macro ends with NUL, as C wants it.
pub(crate) const fn c_name(name: &'static str) -> &'static std::ffi::CStr {
    match std::ffi::CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => panic!("the macro ends the names with their only NUL"),
    }
}

/// Stores the address of a function, or nothing if it is null.
///
/// # Safety
///
/// `F` must be a type of pointers to functions, and `address` null or that of a function of this type.
pub(crate) unsafe fn set_slot<F: Copy>(slot: &mut Option<F>, address: *mut std::ffi::c_void) {
    const { assert!(size_of::<Option<F>>() == size_of::<*mut std::ffi::c_void>()) };
    // SAFETY: an optional pointer to a function is the address, with null as `None`; the sizes are equal by
    // the assertion above.
    *slot = unsafe { std::mem::transmute_copy::<*mut std::ffi::c_void, Option<F>>(&address) };
}

/// Asserts at compile time that a structure has the layout that C gives it.
macro_rules! assert_layout {
    ($name:ident, size $size:literal, align $align:literal, { $($field:ident: $offset:literal),* }) => {
        const _: () = {
            assert!(size_of::<$name>() == $size, concat!("size of ", stringify!($name)));
            assert!(align_of::<$name>() == $align, concat!("alignment of ", stringify!($name)));
            $(assert!(
                std::mem::offset_of!($name, $field) == $offset,
                concat!("offset of ", stringify!($name), ".", stringify!($field))
            );)*
        };
    };
}

pub(crate) use {
    assert_layout, c_api, c_enum, c_flags, c_function_pointers, c_handles, c_struct, c_table, specification,
};
