//! `cargo xtask precision`: measures how wrong the functions of floats are, and writes the table `docs/precision.md`.
//!
//! 1. [`list`] has the functions, each with kernels that compute it ([`function`]).
//! 2. [`sample`] makes arguments for each.
//! 3. [`mod@reference`] has the exact results.
//! 4. [`consumer`] has them computed by the host and the CPU driver, and [`worker`] by Intel's OpenCL runtime.
//! 5. [`measure`] compares by [`error`], and [`table`] writes what came out.
//!
//! With `--check` the CPU driver alone is measured, for some of the arguments, and compared with what the table states; with `--exhaustive`, functions of one
//! `f32` for all arguments ([`exhaustive`]). The driver runs native code, unless `KERNEL_CPU_EXECUTOR` says otherwise.

mod bench;
mod consumer;
mod error;
mod exhaustive;
#[macro_use]
mod function;
mod list;
mod measure;
mod reference;
mod sample;
mod table;
mod worker;

pub(crate) use worker::run as run_worker;

use crate::workspace;
use bench::{Bench, Finding};
use function::Bound;
use kernel_core::half::f16;
use sample::Float;
use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use table::Section;

/// The variable that chooses how the CPU driver runs kernels.
const EXECUTOR: &str = "KERNEL_CPU_EXECUTOR";

/// Runs the task: without arguments, with `--check`, or with `--exhaustive` and parts of names.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    if env::var_os(EXECUTOR).is_none() {
        return run_native(arguments);
    }
    match arguments {
        [] => write(),
        [option] if option == "--check" => check(),
        [option, names @ ..] if option == "--exhaustive" => exhaustive::run(names),
        _ => Err("`precision` takes nothing but `--check`, or `--exhaustive` and names".into()),
    }
}

/// Runs the task in a process whose CPU driver runs native code.
fn run_native(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let mut task = Command::new(env::current_exe()?);
    workspace::run(task.arg("precision").args(arguments).env(EXECUTOR, "native"))
}

fn document() -> PathBuf {
    workspace::root().join("docs/precision.md")
}

/// Measures everything and writes the table. Where the CPU driver is worse than it may be, that is an error, but the table is there.
fn write() -> Result<(), Box<dyn Error>> {
    let mut bench = Bench::with_opencl()?;
    let sections = [bench.section::<f16>("f16")?, bench.section::<f32>("f32")?, bench.section::<f64>("f64")?];
    fs::write(document(), table::document(&sections))?;
    println!("wrote {}", document().display());
    let faults: Vec<_> = sections.iter().flat_map(faults_of_driver).collect();
    report(&faults, sections.iter().map(|section| section.rows.len()).sum())
}

/// Where the CPU driver is not as precise as OpenCL demands, or has other special results than Rust where the device does not decide.
fn faults_of_driver(section: &Section) -> Vec<String> {
    let imprecise = section.rows.iter().filter(|row| row.driver.ulps > row.bound.ulps(section.bits));
    let imprecise = imprecise.map(|row| format!("{} of {}: {:?}", row.name, section.ty, row.driver));
    let is_open = |name| section.rows.iter().any(|row| row.name == name && row.bound == Bound::Open);
    let odd = section.oddities.iter().filter(|odd| odd.consumer == bench::DRIVER && !is_open(odd.name));
    imprecise.chain(odd.map(|oddity| format!("{} of {}: {oddity:?}", oddity.name, section.ty))).collect()
}

/// Measures the CPU driver for some of the arguments, and compares with the table.
fn check() -> Result<(), Box<dyn Error>> {
    let stated = fs::read_to_string(document())?;
    let mut bench = Bench::without_opencl()?;
    let mut findings = check_type::<f16>(&mut bench, "f16", &stated)?;
    findings.extend(check_type::<f32>(&mut bench, "f32", &stated)?);
    findings.extend(check_type::<f64>(&mut bench, "f64", &stated)?);
    let faults: Vec<_> = findings.iter().filter_map(Clone::clone).collect();
    report(&faults, findings.len())
}

/// What is wrong with each function of a type.
fn check_type<T: Float>(
    bench: &mut Bench,
    ty: &str,
    document: &str,
) -> Result<Vec<Option<String>>, Box<dyn Error>> {
    let judge = |finding: Finding| {
        let Finding { name, ulps, at, odd } = finding;
        let wrong = |what: String| Some(format!("{name} of {ty}: {what}"));
        match table::stated(document, ty, name) {
            None => wrong("is not in docs/precision.md".to_owned()),
            Some(stated) if ulps > stated => {
                wrong(format!("is wrong by {ulps} ulp at {at}, stated is {stated}"))
            }
            Some(_) => odd.and_then(wrong),
        }
    };
    Ok(bench.findings::<T>()?.into_iter().map(judge).collect())
}

fn report(faults: &[String], count: usize) -> Result<(), Box<dyn Error>> {
    faults.iter().for_each(|fault| println!("{fault}"));
    println!("{} passed, {} failed", count - faults.len().min(count), faults.len());
    if faults.is_empty() { Ok(()) } else { Err("the CPU driver is not as precise as it has to be".into()) }
}
