//! The table, as Markdown.

use super::function::Bound;
use std::fmt::Write;

/// What was measured of a function of one type.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) bound: Bound,
    pub(super) host: Cell,
    pub(super) driver: Cell,
    /// Nothing if the runtime does not take the kernel.
    pub(super) intel: Option<Cell>,
    pub(super) intel_fast: Option<Cell>,
}

/// The greatest error of a consumer, in units in the last place, and the arguments that have it.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) ulps: f64,
    pub(super) at: Option<String>,
}

/// A special result that is not Rust's.
#[derive(Debug)]
pub(super) struct Oddity {
    pub(super) name: &'static str,
    pub(super) consumer: &'static str,
    /// For how many arguments there is one.
    pub(super) count: usize,
    /// The first of these arguments.
    pub(super) at: String,
    pub(super) result: String,
    pub(super) of_rust: String,
}

/// All that was measured of one type.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) ty: &'static str,
    pub(super) bits: u32,
    pub(super) rows: Vec<Row>,
    pub(super) oddities: Vec<Oddity>,
}

const INTRODUCTION: &str = "\
# Precision

How far the methods of floats and the functions of `kernel_core::math` are from the exact result, in units in the last place (ulp), and for
which arguments they are farthest from it: on the host (Rust's standard library on x86-64 Linux), on the CPU driver (native code, whose
results are the interpreter's), and on Intel's OpenCL runtime for CPUs, built as a kernel is (strict) and with `-cl-fast-relaxed-math` (fast).

The column OpenCL is what **any device may be wrong by**: the Level Zero SPIR-V environment refers to OpenCL, and this is its SPIR-V
Environment Specification, \"Relative Error as ULPs\", full profile. No GPU is measured here; of those nothing more is known than this bound.

- **exact** is the one result that is right, correctly rounded where it has to be rounded. Division, square roots and reciprocals of `f32` are
  among these because kernels are built so (`-ze-fp32-correctly-rounded-divide-sqrt`), and those of `f16` because they are computed in `f32`.
- **≤** is the sum of what the operations that a method is made of may be wrong by.
- **open** leaves it to the device; `math::mad` is rounded once or twice, which is far apart where the product and the sum nearly cancel.
- **refused** is what Intel's runtime does not build.
- `powi` with an exponent that is a constant from -32 to 32 is not what the table tells, but the products that LLVM makes of it on the host, and so is `powf(2.0)`: within half a unit
  for each multiplication and division, and bit for bit as on the host. Of `f16` that holds for squares.
- A device may take subnormal numbers of `f32` and `f16` for zero, as arguments and as results.

`#[kernel(fp = \"opencl\")]` asks for what OpenCL C has by default: `a * b + c` may be rounded once, as with `fp = \"contract\"`, and of `f32` a quotient and `recip` may be
wrong by 2.5 ulp, `sqrt` by 3. So `log` is within 15, and `div_euclid` and `math::smoothstep` are made of an inexact quotient: the former may be the integer beside the right one.
All else is as in the tables, signed zeros, infinities and NaN among it, and nothing is reassociated. `f16` and `f64` are divided exactly in this mode too. The CPU driver rounds correctly in each mode.

`#[kernel(fp = \"fast\")]` gives all of this up. `bf16` is computed in `f32` and rounded, which is half a unit and what `f32` is wrong by, 65536 of whose
units are one of `bf16`.

Exact results are those of mpmath with 160 bits; the arguments of `f16` and `f32` that it is asked about are those with the greatest differences from
`f64`. Arguments are all combinations of special ones, then one half from all bit patterns and one half from where arguments are in practice;
those of functions of one `f16` are all that there are. Infinite and NaN arguments, and zeros of functions of two, are compared with what Rust has.

This file is written by `cargo run --release -p xtask -- precision`, which installs what it needs (Debian 12 as root).
`cargo xtask precision --check` measures the CPU driver again, for some of the arguments.
";

/// The whole document.
pub(super) fn document(sections: &[Section]) -> String {
    let mut text = INTRODUCTION.to_owned();
    for section in sections {
        // Writing to a string does not fail.
        let _ = write!(text, "\n## `{}`\n\n{}", section.ty, table(section));
        if !section.oddities.is_empty() {
            let _ = write!(text, "\nSpecial results that are not as in Rust:\n\n{}", list(&section.oddities));
        }
    }
    text
}

fn table(section: &Section) -> String {
    let mut text = "| method | OpenCL | host | CPU driver | Intel OpenCL CPU, strict | fast |\n|---|---|---|---|---|---|\n".to_owned();
    for row in &section.rows {
        let [host, driver] = [&row.host, &row.driver].map(Cell::shown);
        let [intel, fast] =
            [&row.intel, &row.intel_fast].map(|cell| cell.as_ref().map_or("refused".to_owned(), Cell::shown));
        let bound = row.bound.shown(section.bits);
        let _ = writeln!(text, "| `{}` | {bound} | {host} | {driver} | {intel} | {fast} |", row.name);
    }
    text
}

fn list(oddities: &[Oddity]) -> String {
    let mut text = String::new();
    for Oddity { name, consumer, count, at, result, of_rust } in oddities {
        let others = if *count > 1 { format!(", and {} more", count - 1) } else { String::new() };
        let _ = writeln!(
            text,
            "- `{name}` on {consumer}: {result} for ({at}), where Rust has {of_rust}{others}."
        );
    }
    text
}

/// The error of the CPU driver that a document states for a function of a type.
pub(super) fn stated(document: &str, ty: &str, name: &str) -> Option<f64> {
    let section = document.split("\n## ").find(|section| section.starts_with(&format!("`{ty}`")))?;
    let row = section.lines().find(|line| line.starts_with(&format!("| `{name}` |")))?;
    let cell = row.split('|').nth(4)?.trim();
    match cell.split(' ').next()? {
        "exact" => Some(0.5),
        ">" => Some(f64::INFINITY),
        number => number.parse().ok(),
    }
}

impl Cell {
    fn shown(&self) -> String {
        let number = shown(self.ulps);
        match &self.at {
            Some(at) if self.ulps > 0.5 => format!("{number} at {at}"),
            _ => number,
        }
    }
}

/// An error with two digits, rounded up.
fn shown(error: f64) -> String {
    match error {
        _ if error <= 0.5 => "exact".to_owned(),
        _ if error > 1e6 => "> 10⁶".to_owned(),
        _ if error >= 10.0 => format!("{:.0}", error.ceil()),
        _ => format!("{:.2}", (error * 100.0).ceil() / 100.0),
    }
}

impl Bound {
    fn shown(self, bits: u32) -> String {
        match self {
            Self::Exact => "exact".to_owned(),
            Self::Ulps(..) => self.ulps(bits).to_string(),
            Self::Composed(..) => format!("≤ {}", self.ulps(bits)),
            Self::Open => "open".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{shown, stated};

    #[test]
    fn errors_are_rounded_up() {
        assert_eq!(shown(0.0), "exact");
        assert_eq!(shown(0.501), "0.51");
        assert_eq!(shown(12.1), "13");
        assert_eq!(shown(f64::INFINITY), "> 10⁶");
    }

    #[test]
    fn what_is_stated_is_read() {
        let document = "\n## `f32`\n\n| `sin` | 4 | 1 | 0.51 at 3 | 2 | 3 |\n| `abs` | exact | exact | exact | exact | exact |\n";
        assert_eq!(stated(document, "f32", "sin"), Some(0.51));
        assert_eq!(stated(document, "f32", "abs"), Some(0.5));
        assert_eq!(stated(document, "f64", "sin"), None);
    }
}
