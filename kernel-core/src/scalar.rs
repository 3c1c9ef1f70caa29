//! The scalar types of the kernel language and their layout in device memory.

use core::fmt;

/// A scalar type of the kernel language.
///
/// The layout in buffers and arguments is the host's: little-endian, naturally aligned, `bool` as one byte
/// that is 0 or 1, `usize` and `isize` as 64 bits (the addressing model is Physical64).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// `bool`
    Bool,
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `isize`
    Isize,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `usize`
    Usize,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// [`f16`](struct@crate::f16)
    F16,
    /// [`bf16`](struct@crate::bf16)
    Bf16,
}

impl Scalar {
    /// Every scalar type, in declaration order.
    pub const ALL: [Self; 15] = [
        Self::Bool,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::Isize,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::Usize,
        Self::F32,
        Self::F64,
        Self::F16,
        Self::Bf16,
    ];

    /// The name of the type in Rust.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::Isize => "isize",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::Usize => "usize",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
        }
    }

    /// The scalar type with this name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    /// The size in device memory, in bytes; it is the alignment too.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 | Self::Bf16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::Isize | Self::Usize | Self::F64 => 8,
        }
    }

    /// The width in bits as a number; `bool` counts as 1.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bool => 1,
            other => other.size() as u32 * 8,
        }
    }

    /// Returns whether this is an integer type (`bool` is not).
    #[must_use]
    pub const fn is_integer(self) -> bool {
        !matches!(self, Self::Bool) && !self.is_float()
    }

    /// Returns whether this is a signed integer type.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64 | Self::Isize)
    }

    /// Returns whether this is a floating-point type.
    #[must_use]
    pub const fn is_float(self) -> bool {
        self.is_primitive_float() || self.is_half()
    }
}

impl Scalar {
    /// Returns whether this is one of Rust's own floating-point types, which have literals and `as` casts.
    #[must_use]
    pub const fn is_primitive_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// Rust's own scalar type with this name, if there is one.
    #[must_use]
    pub fn primitive(name: &str) -> Option<Self> {
        Self::from_name(name).filter(|scalar| !scalar.is_half())
    }

    /// Returns whether this is a floating-point type of 16 bits, which comes from the crate `half`.
    #[must_use]
    pub const fn is_half(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16)
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
