//! Every method that the standard library has for a scalar is in the language, or is refused with what to write instead.
//!
//! The names are paths to the methods themselves, so rustc checks that the lists name what there is.

use kernel_compiler::methods;
use kernel_core::Scalar;

/// Checks the methods of one type.
macro_rules! answered {
    ($ty:ident $scalar:ident: $($name:ident)*) => {
        $(let _ = $ty::$name;)*
        for name in [$(stringify!($name)),*] {
            let known = methods::find(Scalar::$scalar, name).is_some();
            let advice = methods::absent::of_scalar(Scalar::$scalar, name);
            assert!(known || advice.is_some(), "nothing is known of `{}::{name}`", stringify!($ty));
            assert!(!known || advice.is_none(), "`{}::{name}` is there, and advice too", stringify!($ty));
        }
    };
}

macro_rules! integers {
    ($($ty:ident $scalar:ident)*) => {$(
        answered! { $ty $scalar:
            abs_diff checked_add checked_div checked_div_euclid checked_ilog checked_ilog10 checked_ilog2 checked_mul
            checked_neg checked_pow checked_rem checked_rem_euclid checked_shl checked_shr checked_sub clamp count_ones
            count_zeros div_euclid from_be from_be_bytes from_le from_le_bytes from_ne_bytes ilog ilog10 ilog2 isqrt
            leading_ones leading_zeros max max_value midpoint min min_value overflowing_add overflowing_div
            overflowing_div_euclid overflowing_mul overflowing_neg overflowing_pow overflowing_rem overflowing_rem_euclid
            overflowing_shl overflowing_shr overflowing_sub pow rem_euclid reverse_bits rotate_left rotate_right
            saturating_add saturating_div saturating_mul saturating_pow saturating_sub strict_add strict_div
            strict_div_euclid strict_mul strict_neg strict_pow strict_rem strict_rem_euclid strict_shl strict_shr strict_sub
            swap_bytes to_be to_be_bytes to_le to_le_bytes to_ne_bytes trailing_ones trailing_zeros unbounded_shl
            unbounded_shr unchecked_add unchecked_mul unchecked_shl unchecked_shr unchecked_sub wrapping_add wrapping_div wrapping_div_euclid
            wrapping_mul wrapping_neg wrapping_pow wrapping_rem wrapping_rem_euclid wrapping_shl wrapping_shr wrapping_sub
        }
    )*};
}

macro_rules! signed_integers {
    ($($ty:ident $scalar:ident)*) => {$(
        answered! { $ty $scalar:
            abs cast_unsigned checked_abs checked_add_unsigned checked_isqrt checked_sub_unsigned is_negative is_positive
            overflowing_abs overflowing_add_unsigned overflowing_sub_unsigned saturating_abs saturating_add_unsigned
            saturating_neg saturating_sub_unsigned signum strict_abs strict_add_unsigned strict_sub_unsigned unchecked_neg
            unsigned_abs
            wrapping_abs wrapping_add_unsigned wrapping_sub_unsigned
        }
    )*};
}

macro_rules! unsigned_integers {
    ($($ty:ident $scalar:ident)*) => {$(
        answered! { $ty $scalar:
            borrowing_sub carrying_add carrying_mul carrying_mul_add cast_signed checked_add_signed checked_next_multiple_of
            checked_next_power_of_two checked_signed_diff checked_sub_signed div_ceil is_multiple_of is_power_of_two
            next_multiple_of next_power_of_two overflowing_add_signed overflowing_sub_signed saturating_add_signed
            saturating_sub_signed strict_add_signed strict_sub_signed wrapping_add_signed wrapping_sub_signed
        }
    )*};
}

macro_rules! floats {
    ($($ty:ident $scalar:ident)*) => {$(
        answered! { $ty $scalar:
            abs abs_sub acos acosh asin asinh atan atan2 atanh cbrt ceil clamp classify copysign cos cosh div_euclid exp exp2
            exp_m1 floor fract from_be_bytes from_bits from_le_bytes from_ne_bytes hypot is_finite is_infinite is_nan
            is_normal is_sign_negative is_sign_positive is_subnormal ln ln_1p log log10 log2 max midpoint min mul_add
            next_down next_up powf powi recip rem_euclid round round_ties_even signum sin sin_cos sinh sqrt tan tanh
            to_be_bytes to_bits to_degrees to_le_bytes to_ne_bytes to_radians trunc
        }
    )*};
}

#[test]
fn methods_of_integers_are_answered() {
    integers! {
        i8 I8 i16 I16 i32 I32 i64 I64 isize Isize
        u8 U8 u16 U16 u32 U32 u64 U64 usize Usize
    }
    signed_integers! { i8 I8 i16 I16 i32 I32 i64 I64 isize Isize }
    unsigned_integers! { u8 U8 u16 U16 u32 U32 u64 U64 usize Usize }
    answered! { u8 U8:
        eq_ignore_ascii_case escape_ascii is_ascii is_ascii_alphabetic is_ascii_alphanumeric is_ascii_control is_ascii_digit
        is_ascii_graphic is_ascii_hexdigit is_ascii_lowercase is_ascii_punctuation is_ascii_uppercase is_ascii_whitespace
        make_ascii_lowercase make_ascii_uppercase to_ascii_lowercase to_ascii_uppercase
    }
}

#[test]
#[allow(deprecated, reason = "what is deprecated is answered too")]
fn methods_of_floats_are_answered() {
    floats! { f32 F32 f64 F64 }
}

#[test]
fn no_method_is_there_twice() {
    for scalar in Scalar::ALL {
        let mut names: Vec<_> = methods::of(scalar).map(|method| method.name).collect();
        names.sort_unstable();
        let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(twice, None, "of {scalar}");
    }
}

/// The functions are found by their names where they are defined, since rustc knows no list of them.
#[test]
fn functions_of_math_are_known() {
    let source = include_str!("../../kernel-core/src/math/mod.rs");
    let defined = source.lines().filter_map(|line| {
        let line = line.trim();
        let name = line.strip_prefix("fn ").or_else(|| line.strip_prefix('"')?.split("\" ").nth(1))?;
        name.split(|c: char| !c.is_alphanumeric() && c != '_').next()
    });
    let defined: Vec<&str> = defined.filter(|name| !name.is_empty()).collect();
    assert!(defined.contains(&"rsqrt") && defined.contains(&"native_sin"), "{defined:?}");
    for name in defined {
        assert!(methods::function(name).is_some(), "`{name}` is not known to the compiler");
    }
}
