// `std::num::Wrapping`.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Hash)]
struct Wrapping<T>(pub T);

impl<T> Add for Wrapping<T> {
    type Output = Wrapping<T>;

    fn add(self, other: Wrapping<T>) -> Wrapping<T> {
        Wrapping(self.0.wrapping_add(other.0))
    }
}

impl<T> AddAssign for Wrapping<T> {
    fn add_assign(&mut self, other: Wrapping<T>) {
        *self = *self + other;
    }
}

impl<T> AddAssign<T> for Wrapping<T> {
    fn add_assign(&mut self, other: T) {
        *self = *self + Wrapping(other);
    }
}

impl<T> Sub for Wrapping<T> {
    type Output = Wrapping<T>;

    fn sub(self, other: Wrapping<T>) -> Wrapping<T> {
        Wrapping(self.0.wrapping_sub(other.0))
    }
}

impl<T> SubAssign for Wrapping<T> {
    fn sub_assign(&mut self, other: Wrapping<T>) {
        *self = *self - other;
    }
}

impl<T> SubAssign<T> for Wrapping<T> {
    fn sub_assign(&mut self, other: T) {
        *self = *self - Wrapping(other);
    }
}

impl<T> Mul for Wrapping<T> {
    type Output = Wrapping<T>;

    fn mul(self, other: Wrapping<T>) -> Wrapping<T> {
        Wrapping(self.0.wrapping_mul(other.0))
    }
}

impl<T> MulAssign for Wrapping<T> {
    fn mul_assign(&mut self, other: Wrapping<T>) {
        *self = *self * other;
    }
}

impl<T> MulAssign<T> for Wrapping<T> {
    fn mul_assign(&mut self, other: T) {
        *self = *self * Wrapping(other);
    }
}

impl<T> Div for Wrapping<T> {
    type Output = Wrapping<T>;

    fn div(self, other: Wrapping<T>) -> Wrapping<T> {
        Wrapping(self.0.wrapping_div(other.0))
    }
}

impl<T> DivAssign for Wrapping<T> {
    fn div_assign(&mut self, other: Wrapping<T>) {
        *self = *self / other;
    }
}

impl<T> DivAssign<T> for Wrapping<T> {
    fn div_assign(&mut self, other: T) {
        *self = *self / Wrapping(other);
    }
}

impl<T> Rem for Wrapping<T> {
    type Output = Wrapping<T>;

    fn rem(self, other: Wrapping<T>) -> Wrapping<T> {
        Wrapping(self.0.wrapping_rem(other.0))
    }
}

impl<T> RemAssign for Wrapping<T> {
    fn rem_assign(&mut self, other: Wrapping<T>) {
        *self = *self % other;
    }
}

impl<T> RemAssign<T> for Wrapping<T> {
    fn rem_assign(&mut self, other: T) {
        *self = *self % Wrapping(other);
    }
}

impl<T> BitAnd for Wrapping<T> {
    type Output = Wrapping<T>;

    fn bitand(self, other: Wrapping<T>) -> Wrapping<T> {
        Wrapping(self.0 & other.0)
    }
}

impl<T> BitAndAssign for Wrapping<T> {
    fn bitand_assign(&mut self, other: Wrapping<T>) {
        *self = *self & other;
    }
}

impl<T> BitAndAssign<T> for Wrapping<T> {
    fn bitand_assign(&mut self, other: T) {
        *self = *self & Wrapping(other);
    }
}

impl<T> BitOr for Wrapping<T> {
    type Output = Wrapping<T>;

    fn bitor(self, other: Wrapping<T>) -> Wrapping<T> {
        Wrapping(self.0 | other.0)
    }
}

impl<T> BitOrAssign for Wrapping<T> {
    fn bitor_assign(&mut self, other: Wrapping<T>) {
        *self = *self | other;
    }
}

impl<T> BitOrAssign<T> for Wrapping<T> {
    fn bitor_assign(&mut self, other: T) {
        *self = *self | Wrapping(other);
    }
}

impl<T> BitXor for Wrapping<T> {
    type Output = Wrapping<T>;

    fn bitxor(self, other: Wrapping<T>) -> Wrapping<T> {
        Wrapping(self.0 ^ other.0)
    }
}

impl<T> BitXorAssign for Wrapping<T> {
    fn bitxor_assign(&mut self, other: Wrapping<T>) {
        *self = *self ^ other;
    }
}

impl<T> BitXorAssign<T> for Wrapping<T> {
    fn bitxor_assign(&mut self, other: T) {
        *self = *self ^ Wrapping(other);
    }
}

impl<T> Neg for Wrapping<T> {
    type Output = Wrapping<T>;

    fn neg(self) -> Wrapping<T> {
        Wrapping(self.0.wrapping_neg())
    }
}

impl<T> Not for Wrapping<T> {
    type Output = Wrapping<T>;

    fn not(self) -> Wrapping<T> {
        Wrapping(!self.0)
    }
}

impl<T> Shl<usize> for Wrapping<T> {
    type Output = Wrapping<T>;

    fn shl(self, count: usize) -> Wrapping<T> {
        Wrapping(self.0.wrapping_shl(count as u32))
    }
}

impl<T> ShlAssign<usize> for Wrapping<T> {
    fn shl_assign(&mut self, count: usize) {
        *self = *self << count;
    }
}

impl<T> Shr<usize> for Wrapping<T> {
    type Output = Wrapping<T>;

    fn shr(self, count: usize) -> Wrapping<T> {
        Wrapping(self.0.wrapping_shr(count as u32))
    }
}

impl<T> ShrAssign<usize> for Wrapping<T> {
    fn shr_assign(&mut self, count: usize) {
        *self = *self >> count;
    }
}

impl<T> Wrapping<T> {
    const MIN: Wrapping<T> = Wrapping(T::MIN);
    const MAX: Wrapping<T> = Wrapping(T::MAX);
    const BITS: u32 = T::BITS;

    fn pow(self, exponent: u32) -> Wrapping<T> {
        Wrapping(self.0.wrapping_pow(exponent))
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

    fn rotate_left(self, count: u32) -> Wrapping<T> {
        Wrapping(self.0.rotate_left(count))
    }

    fn rotate_right(self, count: u32) -> Wrapping<T> {
        Wrapping(self.0.rotate_right(count))
    }

    fn swap_bytes(self) -> Wrapping<T> {
        Wrapping(self.0.swap_bytes())
    }

    fn reverse_bits(self) -> Wrapping<T> {
        Wrapping(self.0.reverse_bits())
    }

    fn abs(self) -> Wrapping<T> {
        Wrapping(self.0.wrapping_abs())
    }
}

impl<T> Sum for Wrapping<T> {
    fn sum<I: Iterator<Item = Wrapping<T>>>(items: I) -> Wrapping<T> {
        items.fold(Wrapping(0), |sum, item| sum + item)
    }
}

impl<T> Product for Wrapping<T> {
    fn product<I: Iterator<Item = Wrapping<T>>>(items: I) -> Wrapping<T> {
        items.fold(Wrapping(1), |product, item| product * item)
    }
}
