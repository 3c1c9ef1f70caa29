// `std::num::Saturating`.

number!(Saturating, saturating_neg, saturating_pow, saturating_abs);
operator!(Saturating, Add add, AddAssign add_assign, +, |a, b| a.saturating_add(b));
operator!(Saturating, Sub sub, SubAssign sub_assign, -, |a, b| a.saturating_sub(b));
operator!(Saturating, Mul mul, MulAssign mul_assign, *, |a, b| a.saturating_mul(b));
operator!(Saturating, Div div, DivAssign div_assign, /, |a, b| a.saturating_div(b));
operator!(Saturating, Rem rem, RemAssign rem_assign, %, |a, b| a % b);
