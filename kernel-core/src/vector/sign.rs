//! The methods that the signed integers have and the unsigned ones have not, and the reverse, lane by lane.

use super::{Lane, Vector};

/// Methods by their documentation, their argument and their result, for integers with their signed and unsigned counterparts.
macro_rules! methods {
    ([$($own:ident $signed:ident $unsigned:ident;)*] $methods:tt) => {
        $(methods! { @impl $own $signed $unsigned $methods })*
    };
    (@impl $own:ident $signed:ident $unsigned:ident { $($(#[$doc:meta])* $name:ident($($kind:ident)?) -> $result:ident;)* }) => {
        impl<const N: usize> Vector<$own, N>
        where
            $signed: Lane<N>,
            $unsigned: Lane<N>,
            bool: Lane<N>,
        {$(
            $(#[$doc])*
            #[inline]
            #[must_use]
            pub fn $name(self $(, other: methods!(@type $kind $signed $unsigned))?) -> methods!(@type $result $signed $unsigned) {
                methods!(@body self $own $name $(other $kind)?)
            }
        )*}
    };
    (@type Signed $signed:ident $unsigned:ident) => { Vector<$signed, N> };
    (@type Unsigned $signed:ident $unsigned:ident) => { Vector<$unsigned, N> };
    (@type Mask $signed:ident $unsigned:ident) => { Vector<bool, N> };
    (@body $self:ident $own:ident $name:ident) => { $self.map($own::$name) };
    (@body $self:ident $own:ident $name:ident $other:ident $kind:ident) => { $self.zip($other, $own::$name) };
}

methods! { [i8 i8 u8; i16 i16 u16; i32 i32 u32; i64 i64 u64; isize isize usize;] {
    /// The absolute value of each lane, as an unsigned integer.
    unsigned_abs() -> Unsigned;
    /// The bits of each lane as an unsigned integer.
    cast_unsigned() -> Unsigned;
    /// The absolute value of each lane without what exceeds the type.
    wrapping_abs() -> Signed;
    /// The absolute value of each lane, or the limit that it exceeds.
    saturating_abs() -> Signed;
    /// The negation of each lane, or the limit that it exceeds.
    saturating_neg() -> Signed;
    /// The absolute value of each lane; a panic, and on a device a fault, if one exceeds the type.
    strict_abs() -> Signed;
    /// Which lanes are greater than zero.
    is_positive() -> Mask;
    /// Which lanes are less than zero.
    is_negative() -> Mask;
    /// How far each two lanes are apart.
    abs_diff(Signed) -> Unsigned;
    /// The sums without what exceeds the type.
    wrapping_add_unsigned(Unsigned) -> Signed;
    /// The differences without what exceeds the type.
    wrapping_sub_unsigned(Unsigned) -> Signed;
    /// The sums, or the limits that they exceed.
    saturating_add_unsigned(Unsigned) -> Signed;
    /// The differences, or the limits that they exceed.
    saturating_sub_unsigned(Unsigned) -> Signed;
} }

methods! { [u8 i8 u8; u16 i16 u16; u32 i32 u32; u64 i64 u64; usize isize usize;] {
    /// The bits of each lane as a signed integer.
    cast_signed() -> Signed;
    /// Which lanes are a power of two.
    is_power_of_two() -> Mask;
    /// The least power of two that is not less than each lane.
    next_power_of_two() -> Unsigned;
    /// How far each two lanes are apart.
    abs_diff(Unsigned) -> Unsigned;
    /// The quotients, rounded up.
    div_ceil(Unsigned) -> Unsigned;
    /// The least multiples of the other lanes that are not less.
    next_multiple_of(Unsigned) -> Unsigned;
    /// Which lanes are multiples of the other's.
    is_multiple_of(Unsigned) -> Mask;
    /// The sums without what exceeds the type.
    wrapping_add_signed(Signed) -> Unsigned;
    /// The differences without what exceeds the type.
    wrapping_sub_signed(Signed) -> Unsigned;
    /// The sums, or the limits that they exceed.
    saturating_add_signed(Signed) -> Unsigned;
    /// The differences, or the limits that they exceed.
    saturating_sub_signed(Signed) -> Unsigned;
} }
