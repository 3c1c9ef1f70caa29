//! Mathematical functions that devices have and Rust's standard library has no name for.
//!
//! On a device each is the function of the [OpenCL.std instruction set] that its documentation names, or is made of Rust's operators
//! where it says so. On the host they compute the same: within two units in the last place of the exact result, unless their
//! documentation says otherwise. `docs/precision.md` has the measured errors of both.
//!
//! What is not here has a name in Rust: `fmax` is `max`, `rotate` is `rotate_left`, `add_sat` is `saturating_add`,
//! `clz` is `leading_zeros`, `upsample(a, b)` is `u32::from(a) << 16 | u32::from(b)`.
//!
//! ```
//! use kernel_core::math;
//!
//! assert_eq!(math::cos_pi(0.5_f32), 0.0);
//! assert_eq!(math::frexp(12.0_f64), (0.75, 4));
//! assert_eq!(math::mul_hi(u32::MAX, u32::MAX), u32::MAX - 1);
//! ```
//!
//! # Fast functions
//!
//! The functions named `native_` are the device's own instructions, whose range and error the device chooses; those named `half_`
//! are wrong by 8192 units in the last place at most, and `half_sin`, `half_cos` and `half_tan` take angles up to 2^16 only.
//! The CPU and the host compute both exactly.
//!
//! [OpenCL.std instruction set]: https://registry.khronos.org/SPIR-V/specs/unified1/OpenCL.ExtendedInstructionSet.100.html

mod c;
mod pi;
mod real;
mod root;
mod scale;
mod word;

pub use real::Real;
pub use word::{Word, Word32};

use crate::intrinsics::intrinsics;

intrinsics! {
    /// 1 / √`x` (`rsqrt`).
    fn rsqrt<T: Real>(x: T) -> T = x.rsqrt(), __rsqrt;

    /// 10 to the power of `x` (`exp10`).
    fn exp10<T: Real>(x: T) -> T = x.exp10(), __exp10;

    /// The sine of π`x` (`sinpi`); for an integer 0 with the sign of `x`.
    fn sin_pi<T: Real>(x: T) -> T = x.sin_pi(), __sin_pi;

    /// The cosine of π`x` (`cospi`); 0 halfway between integers.
    fn cos_pi<T: Real>(x: T) -> T = x.cos_pi(), __cos_pi;

    /// The tangent of π`x` (`tanpi`); halfway between integers an infinity, which is positive after an even one.
    fn tan_pi<T: Real>(x: T) -> T = x.tan_pi(), __tan_pi;

    /// The arc sine of `x`, divided by π (`asinpi`).
    fn asin_pi<T: Real>(x: T) -> T = x.asin_pi(), __asin_pi;

    /// The arc cosine of `x`, divided by π (`acospi`).
    fn acos_pi<T: Real>(x: T) -> T = x.acos_pi(), __acos_pi;

    /// The arc tangent of `x`, divided by π (`atanpi`).
    fn atan_pi<T: Real>(x: T) -> T = x.atan_pi(), __atan_pi;

    /// The angle of the point (`x`, `y`), divided by π (`atan2pi`); it is from -1 to 1.
    fn atan2_pi<T: Real>(y: T, x: T) -> T = y.atan2_pi(x), __atan2_pi;

    /// The error function (`erf`).
    fn erf<T: Real>(x: T) -> T = x.erf(), __erf;

    /// 1 less the error function (`erfc`), which is exact where that is nearly 1.
    fn erfc<T: Real>(x: T) -> T = x.erfc(), __erfc;

    /// The gamma function (`tgamma`); NaN for negative integers. Within 10 units of the exact result.
    fn gamma<T: Real>(x: T) -> T = x.gamma(), __gamma;

    /// The logarithm of the absolute value of the gamma function (`lgamma`).
    ///
    /// OpenCL sets no bound for its error, which is great in relation to the result near 1 and 2 and near roots below zero.
    fn ln_gamma<T: Real>(x: T) -> T = x.ln_gamma(), __ln_gamma;

    /// `x` times 2 to the power of `exponent` (`ldexp`), rounded once.
    fn ldexp<T: Real>(x: T, exponent: i32) -> T = x.ldexp(exponent), __ldexp;

    /// The numbers `m` and `e` with `x = m * 2^e` and an absolute value of `m` from one half to less than one (`frexp`).
    ///
    /// Zeros, infinities and NaN are their own `m`, with 0 as `e`.
    fn frexp<T: Real>(x: T) -> (T, i32) = x.frexp(), __frexp;

    /// The exponent of `x` as an integer (`ilogb`): its binary logarithm, rounded down.
    ///
    /// It is `i32::MIN` for a zero, and `i32::MAX` for an infinity and NaN.
    fn ilogb<T: Real>(x: T) -> i32 = x.ilogb(), __ilogb;

    /// The exponent of `x` (`logb`): its binary logarithm, rounded down. That of an infinity is infinity, that of zero its opposite.
    fn logb<T: Real>(x: T) -> T = x.logb(), __logb;

    /// The next number after `x` towards `y` (`nextafter`); `y` if they are equal.
    fn next_after<T: Real>(x: T, y: T) -> T = x.next_after(y), __next_after;

    /// `x` less the multiple of `y` that is nearest to it, of two the even one (`remainder`); exact.
    fn remainder<T: Real>(x: T, y: T) -> T = x.remainder(y), __remainder;

    /// The root of degree `n` of `x` (`rootn`); of a negative number if `n` is odd.
    fn rootn<T: Real>(x: T, n: i32) -> T = x.rootn(n), __rootn;

    /// `x` to the power of `y`, where `x` is not negative (`powr`); NaN for the forms that have no limit, such as 0^0.
    fn powr<T: Real>(x: T, y: T) -> T = x.powr(y), __powr;

    /// `x - y` if that is positive, else 0 (`fdim`).
    fn fdim<T: Real>(x: T, y: T) -> T = x.fdim(y), __fdim;

    /// `a * b + c`, rounded once or twice as the device likes best (`mad`). On the host it is rounded twice.
    fn mad<T: Real>(a: T, b: T, c: T) -> T = a.mad(b, c), __mad;

    /// The one with the greater absolute value (`maxmag`), or of two the greater.
    fn max_mag<T: Real>(x: T, y: T) -> T = x.max_mag(y), __max_mag;

    /// The one with the smaller absolute value (`minmag`), or of two the smaller.
    fn min_mag<T: Real>(x: T, y: T) -> T = x.min_mag(y), __min_mag;

    /// The number that is `a` of the way from `x` to `y` (`mix`): `x + (y - x) * a`, by the operators.
    fn mix<T: Real>(x: T, y: T, a: T) -> T = x.mix(y, a), __mix;

    /// 0 if `x` is less than `edge`, else 1 (`step`).
    fn step<T: Real>(edge: T, x: T) -> T = edge.step(x), __step;

    /// 0 up to `low`, 1 from `high`, and `t * t * (3 - 2 * t)` between them (`smoothstep`), by the operators.
    fn smoothstep<T: Real>(low: T, high: T, x: T) -> T = low.smoothstep(high, x), __smoothstep;

    /// 1 with the sign of `x`, `x` if it is a zero, and 0 for NaN (`sign`).
    fn sign<T: Real>(x: T) -> T = x.sign(), __sign;
}

intrinsics! {
    /// The upper half of the product of two integers (`s_mul_hi` and `u_mul_hi`).
    fn mul_hi<T: Word>(a: T, b: T) -> T = a.mul_hi(b), __mul_hi;

    /// Half the sum of two integers, rounded down (`s_hadd` and `u_hadd`). `midpoint` rounds towards zero.
    fn hadd<T: Word>(a: T, b: T) -> T = a.hadd(b), __hadd;

    /// Half the sum of two integers, rounded up (`s_rhadd` and `u_rhadd`).
    fn rhadd<T: Word>(a: T, b: T) -> T = a.rhadd(b), __rhadd;

    /// The bits of `b` where `mask` has ones, and those of `a` where it has zeros (`bitselect`).
    fn bitselect<T: Word>(a: T, b: T, mask: T) -> T = a.bitselect(b, mask), __bitselect;

    /// The product of two integers (`s_mul24` and `u_mul24`), which may be any number if one of them has more than 24 bits.
    fn mul24<T: Word32>(a: T, b: T) -> T = a.mul24(b), __mul24;

    /// `a * b + c` (`s_mad24` and `u_mad24`), which may be any number if `a` or `b` has more than 24 bits.
    fn mad24<T: Word32>(a: T, b: T, c: T) -> T = a.mad24(b, c), __mad24;
}

/// Defines the fast functions, each twice.
macro_rules! fast {
    ($($doc:literal $native:ident $native_macro:ident $half:ident $half_macro:ident ($($arg:ident),*) = $host:expr;)*) => {
        intrinsics! {$(
            #[doc = concat!($doc, ", by an instruction of the device (`", stringify!($native), "`).")]
            fn $native($($arg: f32),*) -> f32 = $host, $native_macro;

            #[doc = concat!($doc, ", within 8192 units (`", stringify!($half), "`).")]
            fn $half($($arg: f32),*) -> f32 = $host, $half_macro;
        )*}
    };
}

fast! {
    "The cosine of `x`" native_cos __native_cos half_cos __half_cos(x) = x.cos();
    "The quotient of `x` and `y`" native_divide __native_divide half_divide __half_divide(x, y) = x / y;
    "e to the power of `x`" native_exp __native_exp half_exp __half_exp(x) = x.exp();
    "2 to the power of `x`" native_exp2 __native_exp2 half_exp2 __half_exp2(x) = x.exp2();
    "10 to the power of `x`" native_exp10 __native_exp10 half_exp10 __half_exp10(x) = exp10(x);
    "The natural logarithm of `x`" native_log __native_log half_log __half_log(x) = x.ln();
    "The binary logarithm of `x`" native_log2 __native_log2 half_log2 __half_log2(x) = x.log2();
    "The decimal logarithm of `x`" native_log10 __native_log10 half_log10 __half_log10(x) = x.log10();
    "`x` to the power of `y`, where `x` is not negative" native_powr __native_powr half_powr __half_powr(x, y) = powr(x, y);
    "1 / `x`" native_recip __native_recip half_recip __half_recip(x) = x.recip();
    "1 / √`x`" native_rsqrt __native_rsqrt half_rsqrt __half_rsqrt(x) = rsqrt(x);
    "The sine of `x`" native_sin __native_sin half_sin __half_sin(x) = x.sin();
    "The square root of `x`" native_sqrt __native_sqrt half_sqrt __half_sqrt(x) = x.sqrt();
    "The tangent of `x`" native_tan __native_tan half_tan __half_tan(x) = x.tan();
}
