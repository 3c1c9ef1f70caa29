// `std::num::Saturating`.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Hash)]
struct Saturating<T>(pub T);

impl<T> Add for Saturating<T> {
    type Output = Saturating<T>;

    fn add(self, other: Saturating<T>) -> Saturating<T> {
        Saturating(self.0.saturating_add(other.0))
    }
}

impl<T> AddAssign for Saturating<T> {
    fn add_assign(&mut self, other: Saturating<T>) {
        *self = *self + other;
    }
}

impl<T> AddAssign<T> for Saturating<T> {
    fn add_assign(&mut self, other: T) {
        *self = *self + Saturating(other);
    }
}

impl<T> Sub for Saturating<T> {
    type Output = Saturating<T>;

    fn sub(self, other: Saturating<T>) -> Saturating<T> {
        Saturating(self.0.saturating_sub(other.0))
    }
}

impl<T> SubAssign for Saturating<T> {
    fn sub_assign(&mut self, other: Saturating<T>) {
        *self = *self - other;
    }
}

impl<T> SubAssign<T> for Saturating<T> {
    fn sub_assign(&mut self, other: T) {
        *self = *self - Saturating(other);
    }
}

impl<T> Mul for Saturating<T> {
    type Output = Saturating<T>;

    fn mul(self, other: Saturating<T>) -> Saturating<T> {
        Saturating(self.0.saturating_mul(other.0))
    }
}

impl<T> MulAssign for Saturating<T> {
    fn mul_assign(&mut self, other: Saturating<T>) {
        *self = *self * other;
    }
}

impl<T> MulAssign<T> for Saturating<T> {
    fn mul_assign(&mut self, other: T) {
        *self = *self * Saturating(other);
    }
}

impl<T> Div for Saturating<T> {
    type Output = Saturating<T>;

    fn div(self, other: Saturating<T>) -> Saturating<T> {
        Saturating(self.0.saturating_div(other.0))
    }
}

impl<T> DivAssign for Saturating<T> {
    fn div_assign(&mut self, other: Saturating<T>) {
        *self = *self / other;
    }
}

impl<T> DivAssign<T> for Saturating<T> {
    fn div_assign(&mut self, other: T) {
        *self = *self / Saturating(other);
    }
}

impl<T> Rem for Saturating<T> {
    type Output = Saturating<T>;

    fn rem(self, other: Saturating<T>) -> Saturating<T> {
        Saturating(self.0 % other.0)
    }
}

impl<T> RemAssign for Saturating<T> {
    fn rem_assign(&mut self, other: Saturating<T>) {
        *self = *self % other;
    }
}

impl<T> RemAssign<T> for Saturating<T> {
    fn rem_assign(&mut self, other: T) {
        *self = *self % Saturating(other);
    }
}

impl<T> BitAnd for Saturating<T> {
    type Output = Saturating<T>;

    fn bitand(self, other: Saturating<T>) -> Saturating<T> {
        Saturating(self.0 & other.0)
    }
}

impl<T> BitAndAssign for Saturating<T> {
    fn bitand_assign(&mut self, other: Saturating<T>) {
        *self = *self & other;
    }
}

impl<T> BitAndAssign<T> for Saturating<T> {
    fn bitand_assign(&mut self, other: T) {
        *self = *self & Saturating(other);
    }
}

impl<T> BitOr for Saturating<T> {
    type Output = Saturating<T>;

    fn bitor(self, other: Saturating<T>) -> Saturating<T> {
        Saturating(self.0 | other.0)
    }
}

impl<T> BitOrAssign for Saturating<T> {
    fn bitor_assign(&mut self, other: Saturating<T>) {
        *self = *self | other;
    }
}

impl<T> BitOrAssign<T> for Saturating<T> {
    fn bitor_assign(&mut self, other: T) {
        *self = *self | Saturating(other);
    }
}

impl<T> BitXor for Saturating<T> {
    type Output = Saturating<T>;

    fn bitxor(self, other: Saturating<T>) -> Saturating<T> {
        Saturating(self.0 ^ other.0)
    }
}

impl<T> BitXorAssign for Saturating<T> {
    fn bitxor_assign(&mut self, other: Saturating<T>) {
        *self = *self ^ other;
    }
}

impl<T> BitXorAssign<T> for Saturating<T> {
    fn bitxor_assign(&mut self, other: T) {
        *self = *self ^ Saturating(other);
    }
}

impl<T> Neg for Saturating<T> {
    type Output = Saturating<T>;

    fn neg(self) -> Saturating<T> {
        Saturating(self.0.saturating_neg())
    }
}

impl<T> Not for Saturating<T> {
    type Output = Saturating<T>;

    fn not(self) -> Saturating<T> {
        Saturating(!self.0)
    }
}

impl<T> Saturating<T> {
    const MIN: Saturating<T> = Saturating(T::MIN);
    const MAX: Saturating<T> = Saturating(T::MAX);
    const BITS: u32 = T::BITS;

    fn pow(self, exponent: u32) -> Saturating<T> {
        Saturating(self.0.saturating_pow(exponent))
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

    fn rotate_left(self, count: u32) -> Saturating<T> {
        Saturating(self.0.rotate_left(count))
    }

    fn rotate_right(self, count: u32) -> Saturating<T> {
        Saturating(self.0.rotate_right(count))
    }

    fn swap_bytes(self) -> Saturating<T> {
        Saturating(self.0.swap_bytes())
    }

    fn reverse_bits(self) -> Saturating<T> {
        Saturating(self.0.reverse_bits())
    }

    fn abs(self) -> Saturating<T> {
        Saturating(self.0.saturating_abs())
    }
}
