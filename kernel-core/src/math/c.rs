//! Functions of the C library that Rust's standard library links but does not offer.

unsafe extern "C" {
    pub(super) safe fn erf(x: f64) -> f64;
    pub(super) safe fn erfc(x: f64) -> f64;
    pub(super) safe fn tgamma(x: f64) -> f64;
    #[cfg_attr(windows, link_name = "lgamma")]
    safe fn lgamma_r(x: f64, sign: &mut i32) -> f64;
}

/// The variant that keeps the sign for itself: the other one stores it where all threads do.
pub(super) fn lgamma(x: f64) -> f64 {
    lgamma_r(x, &mut 0)
}
