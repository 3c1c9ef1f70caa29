//! The methods of the scalars that vectors have lane by lane: those that kernel-core gives them.

/// Their names, in order.
#[rustfmt::skip]
pub(super) const METHODS: &[&str] = &[
    "abs", "abs_diff", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cast_signed",
    "cast_unsigned", "cbrt", "ceil", "clamp", "copysign", "cos", "cosh", "count_ones", "count_zeros",
    "div_ceil", "div_euclid", "exp", "exp2", "exp_m1", "floor", "fract", "hypot", "ilog10", "ilog2",
    "is_finite", "is_infinite", "is_multiple_of", "is_nan", "is_negative", "is_normal", "is_positive",
    "is_power_of_two", "is_sign_negative", "is_sign_positive", "is_subnormal", "isqrt", "leading_ones",
    "leading_zeros", "ln", "ln_1p", "log", "log10", "log2", "max", "midpoint", "min", "mul_add",
    "next_down", "next_multiple_of", "next_power_of_two", "next_up", "overflowing_add", "overflowing_mul",
    "overflowing_neg", "overflowing_pow", "overflowing_sub", "pow", "powf", "powi", "recip", "rem_euclid",
    "reverse_bits", "rotate_left", "rotate_right", "round", "round_ties_even", "saturating_abs",
    "saturating_add", "saturating_add_signed", "saturating_add_unsigned", "saturating_div",
    "saturating_mul", "saturating_neg", "saturating_pow", "saturating_sub", "saturating_sub_signed",
    "saturating_sub_unsigned", "signum", "sin", "sin_cos", "sinh", "sqrt", "strict_abs", "strict_add",
    "strict_mul", "strict_neg", "strict_pow", "strict_sub", "swap_bytes", "tan", "tanh", "to_bits",
    "to_degrees", "to_radians", "trailing_ones", "trailing_zeros", "trunc", "unbounded_shl",
    "unbounded_shr", "unsigned_abs", "wrapping_abs", "wrapping_add", "wrapping_add_signed",
    "wrapping_add_unsigned", "wrapping_div", "wrapping_div_euclid", "wrapping_mul", "wrapping_neg",
    "wrapping_pow", "wrapping_rem", "wrapping_rem_euclid", "wrapping_shl", "wrapping_shr", "wrapping_sub",
    "wrapping_sub_signed", "wrapping_sub_unsigned",
];

#[cfg(test)]
mod tests {
    use super::METHODS;
    use crate::methods::{self, Outcome};
    use kernel_core::Scalar;

    #[test]
    fn names_are_in_order() {
        assert!(METHODS.is_sorted());
    }

    #[test]
    fn each_is_a_method_of_scalars_that_gives_as_many_lanes() {
        for name in METHODS {
            let found: Vec<_> =
                Scalar::ALL.into_iter().filter_map(|scalar| methods::find(scalar, name)).collect();
            assert!(!found.is_empty(), "no scalar has `{name}`");
            assert!(found.iter().all(|method| !matches!(method.result, Outcome::Optional(_))), "`{name}`");
        }
    }
}
