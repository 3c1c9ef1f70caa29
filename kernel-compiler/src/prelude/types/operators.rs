// What `Wrapping` and `Saturating` have in common; they differ in the methods of integers that they call.

macro_rules! operator {
    ($name:ident, $of:ident $call:ident, $assigning:ident $assign:ident, $sign:tt, |$a:ident, $b:ident| $value:expr) => {
        impl<T> $of for $name<T> {
            type Output = $name<T>;

            fn $call(self, other: $name<T>) -> $name<T> {
                let ($a, $b) = (self.0, other.0);
                $name($value)
            }
        }

        impl<T> $assigning for $name<T> {
            fn $assign(&mut self, other: $name<T>) {
                *self = *self $sign other;
            }
        }

        impl<T> $assigning<T> for $name<T> {
            fn $assign(&mut self, other: T) {
                *self = *self $sign $name(other);
            }
        }
    };
}

macro_rules! number {
    ($name:ident, $neg:ident, $pow:ident, $abs:ident) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Hash)]
        struct $name<T>(pub T);

        operator!($name, BitAnd bitand, BitAndAssign bitand_assign, &, |a, b| a & b);
        operator!($name, BitOr bitor, BitOrAssign bitor_assign, |, |a, b| a | b);
        operator!($name, BitXor bitxor, BitXorAssign bitxor_assign, ^, |a, b| a ^ b);

        impl<T> Neg for $name<T> {
            type Output = $name<T>;

            fn neg(self) -> $name<T> {
                $name(self.0.$neg())
            }
        }

        impl<T> Not for $name<T> {
            type Output = $name<T>;

            fn not(self) -> $name<T> {
                $name(!self.0)
            }
        }

        formatted!($name: Debug Display LowerHex UpperHex Binary Octal);

        impl<T> $name<T> {
            const MIN: $name<T> = $name(T::MIN);
            const MAX: $name<T> = $name(T::MAX);
            const BITS: u32 = T::BITS;

            fn pow(self, exponent: u32) -> $name<T> {
                $name(self.0.$pow(exponent))
            }

            fn count_ones(self) -> u32 {
                self.0.count_ones()
            }

            fn count_zeros(self) -> u32 {
                self.0.count_zeros()
            }

            fn leading_zeros(self) -> u32 {
                self.0.leading_zeros()
            }

            fn trailing_zeros(self) -> u32 {
                self.0.trailing_zeros()
            }

            fn rotate_left(self, count: u32) -> $name<T> {
                $name(self.0.rotate_left(count))
            }

            fn rotate_right(self, count: u32) -> $name<T> {
                $name(self.0.rotate_right(count))
            }

            fn swap_bytes(self) -> $name<T> {
                $name(self.0.swap_bytes())
            }

            fn reverse_bits(self) -> $name<T> {
                $name(self.0.reverse_bits())
            }

            fn abs(self) -> $name<T> {
                $name(self.0.$abs())
            }
        }
    };
}
