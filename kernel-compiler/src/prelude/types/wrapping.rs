// `std::num::Wrapping`.

number!(Wrapping, wrapping_neg, wrapping_pow, wrapping_abs);
operator!(Wrapping, Add add, AddAssign add_assign, +, |a, b| a.wrapping_add(b));
operator!(Wrapping, Sub sub, SubAssign sub_assign, -, |a, b| a.wrapping_sub(b));
operator!(Wrapping, Mul mul, MulAssign mul_assign, *, |a, b| a.wrapping_mul(b));
operator!(Wrapping, Div div, DivAssign div_assign, /, |a, b| a.wrapping_div(b));
operator!(Wrapping, Rem rem, RemAssign rem_assign, %, |a, b| a.wrapping_rem(b));

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
