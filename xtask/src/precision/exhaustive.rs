//! `cargo xtask precision --exhaustive [NAME]…`: measures functions of one `f32` for all arguments that there are, on the CPU driver.
//!
//! What is right is what the driver has for the same function of `f64`, which is wrong by some of its own units, and an `f32` has 2⁻²⁹ of these.

use super::bench::cpu;
use super::consumer::on_cpu_driver;
use super::error::{Exact, in_ulps};
use super::function::{Argument, Exact as Source, Function};
use super::list;
use super::sample::Inputs;
use kernel_runtime::Queue;
use std::error::Error;

/// How many arguments are measured at once.
const CHUNK: u64 = 1 << 22;

/// What was found of a function.
#[derive(Default)]
struct Finding {
    ulps: f64,
    /// Where it is wrong by that.
    at: f32,
    /// How many results are wrong by more than one unit.
    beyond_one: u64,
    /// Where the result is no number or has another sign, and should not.
    odd: Option<f32>,
}

/// Measures the functions whose names have one of these parts; without any, all of them.
pub(super) fn run(names: &[String]) -> Result<(), Box<dyn Error>> {
    let queue = cpu()?.queue()?;
    let is_asked = |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part.as_str()));
    let mut faults = Vec::new();
    for function in list::all().iter().filter(|function| is_asked(function.name)) {
        let Some(finding) = measure(&queue, function)? else { continue };
        let Finding { ulps, at, beyond_one, odd } = finding;
        println!("{}: {ulps:.3} at {at:e}, {beyond_one} are wrong by more than 1", function.name);
        if let Some(x) = odd {
            faults.push(format!("{} of {x:e} is another kind of number", function.name));
        }
        if ulps > function.bound.ulps(32) {
            faults.push(format!("{} is wrong by {ulps} at {at:e}", function.name));
        }
    }
    faults.iter().for_each(|fault| println!("{fault}"));
    if faults.is_empty() { Ok(()) } else { Err("the CPU driver is not as precise as it has to be".into()) }
}

/// Measures a function, if it is one of one number that is there for both types.
fn measure(queue: &Queue, function: &Function) -> Result<Option<Finding>, Box<dyn Error>> {
    let (Some(single), Some(double)) = (function.variants.single, function.variants.double) else {
        return Ok(None);
    };
    if function.arguments != [Argument::X] || !matches!(function.exact, Source::Formula(_)) {
        return Ok(None);
    }
    let mut finding = Finding::default();
    for chunk in 0..(1 << 32) / CHUNK {
        let x: Vec<f32> = (0..CHUNK).map(|k| f32::from_bits((chunk * CHUNK + k) as u32)).collect();
        let wide: Vec<f64> = x.iter().map(|&x| x.into()).collect();
        let wide = Inputs { x: wide, y: Vec::new(), z: Vec::new(), n: Vec::new() };
        let inputs = Inputs { x, y: Vec::new(), z: Vec::new(), n: Vec::new() };
        let own = on_cpu_driver(queue, function, &single, &inputs)?;
        let exact = on_cpu_driver(queue, function, &double, &wide)?;
        for ((&x, &own), &exact) in inputs.x.iter().zip(&own).zip(&exact) {
            finding.add(x, own, exact);
        }
    }
    Ok(Some(finding))
}

impl Finding {
    fn add(&mut self, x: f32, own: f32, exact: f64) {
        // Most results are the exact one rounded.
        if own.to_bits() == (exact as f32).to_bits() || (own.is_nan() && exact.is_nan()) {
            return;
        }
        let ulps = in_ulps(own, Exact(exact, 0.0));
        let has_other_sign = own == 0.0 && exact == 0.0;
        if has_other_sign || ulps.is_infinite() {
            self.odd.get_or_insert(x);
            return;
        }
        self.beyond_one += u64::from(ulps > 1.0);
        if ulps > self.ulps {
            (self.ulps, self.at) = (ulps, x);
        }
    }
}
