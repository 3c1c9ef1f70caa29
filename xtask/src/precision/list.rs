//! The functions that are measured: the methods of floats, and the functions of `math`.
//!
//! Each line has the name, the arguments, the types, where arguments are in practice, the exact result, the bound, and the function.

use super::function::{Argument, Bound, Exact, Function, Variant, Variants};

functions! {
    // The methods of Rust.
    acos "acos" (x) [half single double] -1 .. 1, Exact::Formula("acos(x)"), Bound::Ulps(4, 2), { x.acos() };
    acosh "acosh" (x) [half single double] 1 .. 20, Exact::Formula("acosh(x)"), Bound::Ulps(4, 2), { x.acosh() };
    asin "asin" (x) [half single double] -1 .. 1, Exact::Formula("asin(x)"), Bound::Ulps(4, 2), { x.asin() };
    asinh "asinh" (x) [half single double] -20 .. 20, Exact::Formula("asinh(x)"), Bound::Ulps(4, 2), { x.asinh() };
    atan "atan" (x) [half single double] -20 .. 20, Exact::Formula("atan(x)"), Bound::Ulps(5, 2), { x.atan() };
    atanh "atanh" (x) [half single double] -1 .. 1, Exact::Formula("atanh(x)"), Bound::Ulps(5, 2), { x.atanh() };
    cbrt "cbrt" (x) [half single double] -100 .. 100, Exact::Formula("cbrt(x)"), Bound::Ulps(2, 2), { x.cbrt() };
    cos "cos" (x) [half single double] -10 .. 10, Exact::Formula("cos(x)"), Bound::Ulps(4, 2), { x.cos() };
    cosh "cosh" (x) [half single double] -10 .. 10, Exact::Formula("cosh(x)"), Bound::Ulps(4, 2), { x.cosh() };
    exp "exp" (x) [half single double] -20 .. 20, Exact::Formula("exp(x)"), Bound::Ulps(3, 2), { x.exp() };
    exp2 "exp2" (x) [half single double] -20 .. 20, Exact::Formula("exp2(x)"), Bound::Ulps(3, 2), { x.exp2() };
    exp_m1 "exp_m1" (x) [half single double] -2 .. 2, Exact::Formula("expm1(x)"), Bound::Ulps(3, 2), { x.exp_m1() };
    ln "ln" (x) [half single double] 0 .. 100, Exact::Formula("log(x)"), Bound::Ulps(3, 2), { x.ln() };
    ln_1p "ln_1p" (x) [half single double] -1 .. 10, Exact::Formula("log1p(x)"), Bound::Ulps(2, 2), { x.ln_1p() };
    log10 "log10" (x) [half single double] 0 .. 100, Exact::Formula("log10(x)"), Bound::Ulps(3, 2), { x.log10() };
    log2 "log2" (x) [half single double] 0 .. 100, Exact::Formula("log2(x)"), Bound::Ulps(3, 2), { x.log2() };
    sin "sin" (x) [half single double] -10 .. 10, Exact::Formula("sin(x)"), Bound::Ulps(4, 2), { x.sin() };
    sinh "sinh" (x) [half single double] -10 .. 10, Exact::Formula("sinh(x)"), Bound::Ulps(4, 2), { x.sinh() };
    tan "tan" (x) [half single double] -10 .. 10, Exact::Formula("tan(x)"), Bound::Ulps(5, 2), { x.tan() };
    tanh "tanh" (x) [half single double] -5 .. 5, Exact::Formula("tanh(x)"), Bound::Ulps(5, 2), { x.tanh() };
    sin_cos "sin_cos" (x) [single double] -10 .. 10, Exact::Formula("sin(x)"), Bound::Ulps(4, 2), { x.sin_cos().0 };
    atan2 "atan2" (x y) [half single double] -10 .. 10, Exact::Formula("atan2(x, y)"), Bound::Ulps(6, 2), { x.atan2(y) };
    hypot "hypot" (x y) [half single double] -100 .. 100, Exact::Formula("hypot(x, y)"), Bound::Ulps(4, 2), { x.hypot(y) };
    powf "powf" (x y) [half single double] 0 .. 20, Exact::Formula("pow(x, y)"), Bound::Ulps(16, 4), { x.powf(y) };
    powi "powi" (x; n) [half single double] -4 .. 4, Exact::Formula("pown(x, n)"), Bound::Ulps(16, 4), { x.powi(n) };
    log "log" (x y) [half single double] 0 .. 100, Exact::Formula("log(x) / log(y)"), Bound::Composed(13, 9), { x.log(y) };
    to_degrees "to_degrees" (x) [half single double] -10 .. 10, Exact::Formula("degrees(x)"), Bound::Composed(2, 2), { x.to_degrees() };
    to_radians "to_radians" (x) [half single double] -400 .. 400, Exact::Formula("radians(x)"), Bound::Composed(2, 2), { x.to_radians() };
    // Those whose result is determined.
    abs "abs" (x) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { x.abs() };
    ceil "ceil" (x) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { x.ceil() };
    floor "floor" (x) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { x.floor() };
    fract "fract" (x) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { x.fract() };
    next_down "next_down" (x) [single double] -100 .. 100, Exact::Host, Bound::Exact, { x.next_down() };
    next_up "next_up" (x) [single double] -100 .. 100, Exact::Host, Bound::Exact, { x.next_up() };
    recip "recip" (x) [half single double] -100 .. 100, Exact::Formula("1 / x"), Bound::Exact, { x.recip() };
    round "round" (x) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { x.round() };
    round_ties_even "round_ties_even" (x) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { x.round_ties_even() };
    signum "signum" (x) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { x.signum() };
    sqrt "sqrt" (x) [half single double] -100 .. 100, Exact::Formula("sqrt(x)"), Bound::Exact, { x.sqrt() };
    trunc "trunc" (x) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { x.trunc() };
    copysign "copysign" (x y) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { x.copysign(y) };
    div_euclid "div_euclid" (x y) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { x.div_euclid(y) };
    max "max" (x y) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { x.max(y) };
    midpoint "midpoint" (x y) [single double] -100 .. 100, Exact::Host, Bound::Exact, { x.midpoint(y) };
    min "min" (x y) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { x.min(y) };
    rem_euclid "rem_euclid" (x y) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { x.rem_euclid(y) };
    clamp "clamp" (x y z) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { if y <= z { x.clamp(y, z) } else { x } };
    mul_add "mul_add" (x y z) [half single double] -100 .. 100, Exact::Formula("x * y + z"), Bound::Exact, { x.mul_add(y, z) };
    // Those that tell something about a float, which chooses the sign of the result.
    is_finite "is_finite" (x y) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { if x.is_finite() { y } else { -y } };
    is_infinite "is_infinite" (x y) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { if x.is_infinite() { y } else { -y } };
    is_nan "is_nan" (x y) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { if x.is_nan() { y } else { -y } };
    is_normal "is_normal" (x y) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { if x.is_normal() { y } else { -y } };
    is_sign_negative "is_sign_negative" (x y) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { if x.is_sign_negative() { y } else { -y } };
    is_sign_positive "is_sign_positive" (x y) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { if x.is_sign_positive() { y } else { -y } };
    is_subnormal "is_subnormal" (x y) [single double] -100 .. 100, Exact::Host, Bound::Exact, { if x.is_subnormal() { y } else { -y } };
    // Conversions. The product of two halves is exact in the wider types, so that the conversion is what rounds it.
    from_bits "from_bits" (x) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { T::from_bits(x.to_bits()) };
    to_bits "to_bits" (x) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { T::from_bits(x.to_bits()) };
    from_f64 "from_f64" (x y) [half single double] -100 .. 100, Exact::Formula("x * y"), Bound::Exact, { T::from_f64(x.to_f64() * y.to_f64()) };
    to_f64 "to_f64" (x) [half single double] -100 .. 100, Exact::Host, Bound::Exact, { T::from_f64(x.to_f64()) };
    from_f64_const "from_f64_const" (x y) [half] -100 .. 100, Exact::Formula("x * y"), Bound::Exact, { T::from_f64_const(x.to_f64() * y.to_f64()) };
    to_f64_const "to_f64_const" (x) [half] -100 .. 100, Exact::Host, Bound::Exact, { T::from_f64(x.to_f64_const()) };
    from_f32 "from_f32" (x y) [half] -100 .. 100, Exact::Formula("x * y"), Bound::Exact, { T::from_f32(x.to_f32() * y.to_f32()) };
    to_f32 "to_f32" (x) [half] -100 .. 100, Exact::Host, Bound::Exact, { T::from_f32(x.to_f32()) };
    from_f32_const "from_f32_const" (x y) [half] -100 .. 100, Exact::Formula("x * y"), Bound::Exact, { T::from_f32_const(x.to_f32() * y.to_f32()) };
    to_f32_const "to_f32_const" (x) [half] -100 .. 100, Exact::Host, Bound::Exact, { T::from_f32(x.to_f32_const()) };
    // The functions of `math`.
    acos_pi "math::acos_pi" (x) [single double] -1 .. 1, Exact::Formula("acos(x) / pi"), Bound::Ulps(5, 5), { math::acos_pi(x) };
    asin_pi "math::asin_pi" (x) [single double] -1 .. 1, Exact::Formula("asin(x) / pi"), Bound::Ulps(5, 5), { math::asin_pi(x) };
    atan_pi "math::atan_pi" (x) [single double] -20 .. 20, Exact::Formula("atan(x) / pi"), Bound::Ulps(5, 5), { math::atan_pi(x) };
    cos_pi "math::cos_pi" (x) [single double] -4 .. 4, Exact::Formula("cospi(x)"), Bound::Ulps(4, 4), { math::cos_pi(x) };
    erf "math::erf" (x) [single double] -4 .. 4, Exact::Formula("erf(x)"), Bound::Ulps(16, 16), { math::erf(x) };
    erfc "math::erfc" (x) [single double] -4 .. 10, Exact::Formula("erfc(x)"), Bound::Ulps(16, 16), { math::erfc(x) };
    exp10 "math::exp10" (x) [single double] -20 .. 20, Exact::Formula("exp10(x)"), Bound::Ulps(3, 3), { math::exp10(x) };
    gamma "math::gamma" (x) [single double] -10 .. 30, Exact::Formula("gamma(x)"), Bound::Ulps(16, 16), { math::gamma(x) };
    ln_gamma "math::ln_gamma" (x) [single double] -10 .. 100, Exact::Formula("lgamma(x)"), Bound::Open, { math::ln_gamma(x) };
    rsqrt "math::rsqrt" (x) [single double] 0 .. 100, Exact::Formula("rsqrt(x)"), Bound::Ulps(2, 2), { math::rsqrt(x) };
    sin_pi "math::sin_pi" (x) [single double] -4 .. 4, Exact::Formula("sinpi(x)"), Bound::Ulps(4, 4), { math::sin_pi(x) };
    tan_pi "math::tan_pi" (x) [single double] -4 .. 4, Exact::Formula("tanpi(x)"), Bound::Ulps(6, 6), { math::tan_pi(x) };
    atan2_pi "math::atan2_pi" (x y) [single double] -10 .. 10, Exact::Formula("atan2(x, y) / pi"), Bound::Ulps(6, 6), { math::atan2_pi(x, y) };
    powr "math::powr" (x y) [single double] 0 .. 20, Exact::Formula("powr(x, y)"), Bound::Ulps(16, 16), { math::powr(x, y) };
    rootn "math::rootn" (x; n) [single double] -100 .. 100, Exact::Formula("rootn(x, n)"), Bound::Ulps(16, 16), { math::rootn(x, n) };
    fdim "math::fdim" (x y) [single double] -100 .. 100, Exact::Host, Bound::Exact, { math::fdim(x, y) };
    frexp "math::frexp" (x) [single double] -100 .. 100, Exact::Host, Bound::Exact, { math::frexp(x).0 };
    ldexp "math::ldexp" (x; n) [single double] -100 .. 100, Exact::Host, Bound::Exact, { math::ldexp(x, n) };
    ilogb "math::ilogb" (x) [single double] -100 .. 100, Exact::Host, Bound::Exact, { math::ilogb(x) as T };
    logb "math::logb" (x) [single double] -100 .. 100, Exact::Host, Bound::Exact, { math::logb(x) };
    max_mag "math::max_mag" (x y) [single double] -100 .. 100, Exact::Host, Bound::Exact, { math::max_mag(x, y) };
    min_mag "math::min_mag" (x y) [single double] -100 .. 100, Exact::Host, Bound::Exact, { math::min_mag(x, y) };
    mix "math::mix" (x y z) [single double] -100 .. 100, Exact::Host, Bound::Exact, { math::mix(x, y, z) };
    next_after "math::next_after" (x y) [single double] -100 .. 100, Exact::Host, Bound::Exact, { math::next_after(x, y) };
    remainder "math::remainder" (x y) [single double] -100 .. 100, Exact::Host, Bound::Exact, { math::remainder(x, y) };
    sign "math::sign" (x) [single double] -100 .. 100, Exact::Host, Bound::Exact, { math::sign(x) };
    smoothstep "math::smoothstep" (x y z) [single double] -100 .. 100, Exact::Host, Bound::Exact, { if x < y { math::smoothstep(x, y, z) } else { z } };
    step "math::step" (x y) [single double] -100 .. 100, Exact::Host, Bound::Exact, { math::step(x, y) };
    mad "math::mad" (x y z) [single double] -100 .. 100, Exact::Formula("x * y + z"), Bound::Open, { math::mad(x, y, z) };
    // The fast functions.
    native_cos "math::native_cos" (x) [single] -3 .. 3, Exact::Formula("cos(x)"), Bound::Open, { math::native_cos(x) };
    native_divide "math::native_divide" (x y) [single] -100 .. 100, Exact::Formula("x / y"), Bound::Open, { math::native_divide(x, y) };
    native_exp "math::native_exp" (x) [single] -20 .. 20, Exact::Formula("exp(x)"), Bound::Open, { math::native_exp(x) };
    native_exp2 "math::native_exp2" (x) [single] -20 .. 20, Exact::Formula("exp2(x)"), Bound::Open, { math::native_exp2(x) };
    native_exp10 "math::native_exp10" (x) [single] -20 .. 20, Exact::Formula("exp10(x)"), Bound::Open, { math::native_exp10(x) };
    native_log "math::native_log" (x) [single] 0 .. 100, Exact::Formula("log(x)"), Bound::Open, { math::native_log(x) };
    native_log2 "math::native_log2" (x) [single] 0 .. 100, Exact::Formula("log2(x)"), Bound::Open, { math::native_log2(x) };
    native_log10 "math::native_log10" (x) [single] 0 .. 100, Exact::Formula("log10(x)"), Bound::Open, { math::native_log10(x) };
    native_powr "math::native_powr" (x y) [single] 0 .. 20, Exact::Formula("powr(x, y)"), Bound::Open, { math::native_powr(x, y) };
    native_recip "math::native_recip" (x) [single] -100 .. 100, Exact::Formula("1 / x"), Bound::Open, { math::native_recip(x) };
    native_rsqrt "math::native_rsqrt" (x) [single] 0 .. 100, Exact::Formula("rsqrt(x)"), Bound::Open, { math::native_rsqrt(x) };
    native_sin "math::native_sin" (x) [single] -3 .. 3, Exact::Formula("sin(x)"), Bound::Open, { math::native_sin(x) };
    native_sqrt "math::native_sqrt" (x) [single] 0 .. 100, Exact::Formula("sqrt(x)"), Bound::Open, { math::native_sqrt(x) };
    native_tan "math::native_tan" (x) [single] -3 .. 3, Exact::Formula("tan(x)"), Bound::Open, { math::native_tan(x) };
    half_cos "math::half_cos" (x) [single] -3 .. 3, Exact::Formula("cos(x)"), Bound::Ulps(8192, 8192), { math::half_cos(x) };
    half_divide "math::half_divide" (x y) [single] -100 .. 100, Exact::Formula("x / y"), Bound::Ulps(8192, 8192), { math::half_divide(x, y) };
    half_exp "math::half_exp" (x) [single] -20 .. 20, Exact::Formula("exp(x)"), Bound::Ulps(8192, 8192), { math::half_exp(x) };
    half_exp2 "math::half_exp2" (x) [single] -20 .. 20, Exact::Formula("exp2(x)"), Bound::Ulps(8192, 8192), { math::half_exp2(x) };
    half_exp10 "math::half_exp10" (x) [single] -20 .. 20, Exact::Formula("exp10(x)"), Bound::Ulps(8192, 8192), { math::half_exp10(x) };
    half_log "math::half_log" (x) [single] 0 .. 100, Exact::Formula("log(x)"), Bound::Ulps(8192, 8192), { math::half_log(x) };
    half_log2 "math::half_log2" (x) [single] 0 .. 100, Exact::Formula("log2(x)"), Bound::Ulps(8192, 8192), { math::half_log2(x) };
    half_log10 "math::half_log10" (x) [single] 0 .. 100, Exact::Formula("log10(x)"), Bound::Ulps(8192, 8192), { math::half_log10(x) };
    half_powr "math::half_powr" (x y) [single] 0 .. 20, Exact::Formula("powr(x, y)"), Bound::Ulps(8192, 8192), { math::half_powr(x, y) };
    half_recip "math::half_recip" (x) [single] -100 .. 100, Exact::Formula("1 / x"), Bound::Ulps(8192, 8192), { math::half_recip(x) };
    half_rsqrt "math::half_rsqrt" (x) [single] 0 .. 100, Exact::Formula("rsqrt(x)"), Bound::Ulps(8192, 8192), { math::half_rsqrt(x) };
    half_sin "math::half_sin" (x) [single] -3 .. 3, Exact::Formula("sin(x)"), Bound::Ulps(8192, 8192), { math::half_sin(x) };
    half_sqrt "math::half_sqrt" (x) [single] 0 .. 100, Exact::Formula("sqrt(x)"), Bound::Ulps(8192, 8192), { math::half_sqrt(x) };
    half_tan "math::half_tan" (x) [single] -3 .. 3, Exact::Formula("tan(x)"), Bound::Ulps(8192, 8192), { math::half_tan(x) };
}
