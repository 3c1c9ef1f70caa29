//! `cargo xtask conformance`: hands every kernel to every consumer that this machine can have.
//!
//! 1. [`install`](crate::install) gets what is missing.
//! 2. [`export`](crate::spirv) writes the modules.
//!    [`small`] adds those for small launches, [`specialize`] copies with the constants that cases set, and [`link`] copies with the functions that are imported.
//! 3. [`validate`], by the programs of [`tools`], and [`ocloc`] show each to the validator, the translator and the GPU compiler.
//! 4. [`execute`] runs every case on an independent implementation, in child processes ([`worker`]).
//! 5. [`report`] counts.

mod caches;
mod execute;
mod link;
mod names;
mod ocloc;
#[allow(dead_code, unused_imports, reason = "`benches/cpu` uses more of it")]
mod opencl;
mod report;
mod sample;
mod small;
mod specialize;
mod tools;
mod validate;
mod worker;

pub(crate) use opencl::Session;
pub(crate) use validate::{check_rules, run_validator};
pub(crate) use worker::run as run_worker;

use crate::install::{opencl_runtime, programs};
use crate::jobs;
use crate::kernels::case::Case;
use crate::{spirv, workspace};
use catalogue::{KERNELS, Kernel};
use report::{Check, Report, Verdict};
use sample::Sample;
use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::ptr;

/// A kernel and the file that holds its module.
#[derive(Clone, Debug)]
struct Module {
    kernel: &'static Kernel,
    file: PathBuf,
}

/// Runs the task for the kernels whose paths contain one of the arguments, or for all; then consumers that take long are shown a [`sample`].
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let sample = Sample::parse(arguments)?;
    // Fault sites name their files from here.
    env::set_current_dir(workspace::root())?;
    programs()?;
    let runtime = opencl_runtime()?;
    let mut modules = export(&sample)?;
    let cases = cases(&sample);
    let mut report = Report::default();
    report.extend(coverage(&modules, &cases));
    let small = small::modules(&modules, &folder())?;
    modules.extend(specialize::copies(&modules, &cases)?);
    modules.extend(small);
    let linked = link::copies(&modules, &cases)?;
    let exports = link::exports(&sample, &folder())?;
    for modules in [&exports, &modules] {
        report.extend(jobs::run(modules, validate::checks).into_iter().flatten());
    }
    for modules in [&modules, &linked] {
        report.extend(jobs::run(modules, |module| ocloc::checks(module, &sample)).into_iter().flatten());
    }
    execute::checks(&runtime, &sample, cases, &mut report)?;
    report.finish()
}

/// The cases of the kernels that are asked for.
fn cases(sample: &Sample) -> Vec<Case> {
    let mut cases = catalogue::cases();
    cases.retain(|case| kernel_of(case).is_none_or(|kernel| sample.contains(kernel)));
    cases
}

/// Writes the modules that are asked for to a fresh folder, which stays there to be looked at.
fn export(sample: &Sample) -> Result<Vec<Module>, Box<dyn Error>> {
    let folder = folder();
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let kernels: Vec<_> = KERNELS.iter().filter(|kernel| sample.contains(kernel)).collect();
    println!("{} kernels, written to {}", kernels.len(), folder.display());
    kernels.into_iter().map(|kernel| Ok(Module { kernel, file: spirv::export(kernel, &folder)? })).collect()
}

/// Where modules are written.
fn folder() -> PathBuf {
    workspace::target().join("conformance")
}

/// Checks that every kernel has a case.
fn coverage(modules: &[Module], cases: &[Case]) -> Vec<Check> {
    let check = |Module { kernel, .. }: &Module| {
        let has_case = cases.iter().any(|case| ptr::eq(case.kernel, kernel.descriptor));
        let verdict = if has_case {
            Verdict::Passed
        } else {
            Verdict::Failed("has no case, so nothing shows that it computes what it should".to_owned())
        };
        Check { consumer: "cases", subject: kernel.path.to_owned(), verdict }
    };
    modules.iter().map(check).collect()
}

/// The path of a case's kernel with the place of the case.
fn subject(case: &Case) -> String {
    let path = kernel_of(case).map_or(case.kernel.name, |kernel| kernel.path);
    format!("{path}, {}", case.origin())
}

fn kernel_of(case: &Case) -> Option<&'static Kernel> {
    KERNELS.iter().find(|kernel| ptr::eq(kernel.descriptor, case.kernel))
}
