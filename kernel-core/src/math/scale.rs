//! Floats as a mantissa and an exponent.

/// Takes floats apart, and puts them together.
pub(super) trait Scale: Sized {
    /// The mantissa from one half to less than one, and the exponent.
    fn split(self) -> (Self, i32);

    /// The exponent of a number that is neither zero, infinite nor NaN.
    fn exponent(self) -> i32;

    /// The number times a power of two, rounded once.
    fn scaled(self, exponent: i32) -> Self;
}

macro_rules! scale {
    ($($float:ident $bits:ident $mantissa:literal $bias:literal;)*) => {$(
        impl Scale for $float {
            fn split(self) -> (Self, i32) {
                if self == 0.0 || !self.is_finite() {
                    return (self, 0);
                }
                let exponent = self.exponent() + 1;
                (self.scaled(-exponent), exponent)
            }

            fn exponent(self) -> i32 {
                /// What makes every subnormal number normal.
                const NORMAL: $float = (1_u64 << $mantissa) as $float;
                let (number, lifted) =
                    if self.is_subnormal() { (self * NORMAL, $mantissa) } else { (self, 0) };
                (number.abs().to_bits() >> $mantissa) as i32 - $bias - lifted
            }

            fn scaled(self, exponent: i32) -> Self {
                let power = |exponent: i32| Self::from_bits(((exponent + $bias) as $bits) << $mantissa);
                // Any more makes zero or infinity of everything.
                let mut rest = exponent.clamp(-3 * $bias, 3 * $bias);
                let mut number = self;
                while rest > $bias {
                    number *= power($bias);
                    rest -= $bias;
                }
                // Each step but the last leaves the number normal, or it is too small for any rounding to matter.
                while rest < 1 - $bias {
                    number *= power(1 - $bias + $mantissa + 1);
                    rest += $bias - $mantissa - 2;
                }
                number * power(rest)
            }
        }
    )*};
}

scale! {
    f32 u32 23 127;
    f64 u64 52 1023;
}
