//! Compares the results of a consumer with the exact ones, and with those of Rust where these are special.

use super::error::{Exact, in_ulps};
use super::function::{Argument, Function};
use super::sample::{Float, Inputs};

/// How wrong a consumer is.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    /// The positions of the arguments with the greatest errors, the greatest first.
    pub(super) worst: Vec<(usize, f64)>,
    /// The positions of arguments for which the result is not as in Rust: NaN, infinite, or of another sign.
    pub(super) odd: Vec<usize>,
}

/// Measures the results of a consumer, of which as many errors are kept as asked for.
pub(super) fn measure<T: Float>(
    function: &Function,
    inputs: &Inputs<T>,
    exact: &[Exact],
    host: &[T],
    results: &[T],
    kept: usize,
) -> Measured {
    let mut measured = Measured { worst: Vec::new(), odd: Vec::new() };
    for (index, ((&result, &host), &exact)) in results.iter().zip(host).zip(exact).enumerate() {
        match judge(function, inputs, index, exact, host, result) {
            Some(error) => measured.add(index, error, kept),
            None => measured.odd.push(index),
        }
    }
    measured
}

impl Measured {
    /// The greatest error, and where it is.
    pub(super) fn greatest(&self) -> (f64, Option<usize>) {
        self.worst.first().map_or((0.0, None), |&(index, error)| (error, Some(index)))
    }

    fn add(&mut self, index: usize, error: f64, kept: usize) {
        if error > 0.0
            && (self.worst.len() < kept || self.worst.last().is_some_and(|&(_, least)| error > least))
        {
            let position = self.worst.partition_point(|&(_, other)| other >= error);
            self.worst.insert(position, (index, error));
            self.worst.truncate(kept);
        }
    }
}

/// The error of a result, unless it is another special one than Rust's.
fn judge<T: Float>(
    function: &Function,
    inputs: &Inputs<T>,
    index: usize,
    exact: Exact,
    host: T,
    result: T,
) -> Option<f64> {
    let (wide, wide_host) = (result.to_double(), host.to_double());
    // Of what side a pole is approached from, the exact result tells as little.
    if exact.0.is_infinite() || !has_exact_result(function, inputs, index) {
        return is_like(function, host, result).then_some(0.0);
    }
    let has_other_sign =
        wide == 0.0 && wide_host == 0.0 && wide.is_sign_negative() != wide_host.is_sign_negative();
    if has_other_sign || wide.is_nan() != exact.0.is_nan() {
        return None;
    }
    Some(in_ulps(result, exact))
}

/// Returns whether the exact result tells what is right: it knows neither infinities nor on which side of zero an argument is.
fn has_exact_result<T: Float>(function: &Function, inputs: &Inputs<T>, index: usize) -> bool {
    let is_ordinary = |number: f64| number.is_finite() && (number != 0.0 || !function.takes(Argument::Y));
    inputs.floats(index).all(is_ordinary)
}

/// Returns whether a result is what Rust has, or as near to it as the function is defined.
fn is_like<T: Float>(function: &Function, host: T, result: T) -> bool {
    let (wide, wide_host) = (result.to_double(), host.to_double());
    if wide == 0.0 || wide_host == 0.0 {
        return wide == wide_host && wide.is_sign_negative() == wide_host.is_sign_negative();
    }
    wide == wide_host || in_ulps(result, Exact(wide_host, 0.0)) <= function.bound.ulps(T::BITS)
}

/// What the arguments at a position are.
pub(super) fn describe<T: Float>(function: &Function, inputs: &Inputs<T>, index: usize) -> String {
    let show = |argument: &Argument| match argument {
        Argument::X => show(inputs.x[index]),
        Argument::Y => show(inputs.y[index]),
        Argument::Z => show(inputs.z[index]),
        Argument::N => inputs.n[index].to_string(),
    };
    function.arguments.iter().map(show).collect::<Vec<_>>().join(", ")
}

/// A float in as many digits as tell it from its neighbours.
pub(super) fn show<T: Float>(float: T) -> String {
    let number = float.to_double();
    match (number.abs(), T::BITS) {
        (size, 64) if size != 0.0 && !(1e-3..1e5).contains(&size) => format!("{number:e}"),
        (_, 64) => number.to_string(),
        (size, _) if size != 0.0 && !(1e-3..1e5).contains(&size) => format!("{:e}", number as f32),
        _ => (number as f32).to_string(),
    }
}
