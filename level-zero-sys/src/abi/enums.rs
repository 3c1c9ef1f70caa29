//! Enumerations and sets of flags in Rust.

use std::fmt;

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
    f: &mut fmt::Formatter<'_>,
    ty: &str,
    bits: u32,
    names: &[(u32, &str)],
) -> fmt::Result {
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

pub(crate) use {c_enum, c_flags};
