//! Has every case executed by Intel's OpenCL runtime for CPUs.
//!
//! The cases run in child processes. Where one dies or hangs, the case it was at has failed, and another child goes
//! on with the next.

use super::report::{Check, Report, Verdict};
use super::sample::{NOT_DRAWN, Sample};
use super::worker::{self, Message};
use super::{kernel_of, subject};
use crate::child::Reporter;
use crate::install::OpenClRuntime;
use crate::jobs;
use crate::kernels::case::Case;
use std::env;
use std::error::Error;
use std::ops::Range;
use std::process::Command;
use std::time::Duration;

const CONSUMER: &str = "Intel OpenCL CPU";

/// How long one case may take, the build of its kernel included.
const PATIENCE: Duration = Duration::from_secs(300);

/// How many cases a part has: a process for each takes a moment to start, but none should be left when all others are done.
const PART: usize = 256;

/// Executes the cases that are drawn, in parts at the same time, since the runtime compiles on one processor.
///
/// # Errors
///
/// That the device does not start; what fails on it goes into the report.
pub(super) fn checks(
    runtime: &OpenClRuntime,
    sample: &Sample,
    cases: Vec<Case>,
    report: &mut Report,
) -> Result<(), Box<dyn Error>> {
    let (cases, others): (Vec<_>, Vec<_>) = cases.into_iter().partition(|case| draws(sample, case));
    report.extend(others.iter().map(|case| check(case, Verdict::NotApplicable(NOT_DRAWN))));
    let cases = &cases[..];
    let vendors = runtime.vendors()?;
    let start = |range: &Range<usize>| {
        let mut command = Command::new(env::current_exe().map_err(|error| error.to_string())?);
        command.args([worker::TASK, &range.start.to_string(), &range.end.to_string()]);
        command.args(sample.arguments());
        runtime.choose(&vendors, &mut command);
        Reporter::start(command, PATIENCE).map_err(|error| error.to_string())
    };
    let parts: Vec<_> =
        (0..cases.len()).step_by(PART).map(|first| first..cases.len().min(first + PART)).collect();
    for checks in jobs::run(&parts, |part| execute(part.clone(), cases, start)) {
        report.extend(checks?);
    }
    Ok(())
}

/// Returns whether a case is executed; a kernel's are all or none.
pub(super) fn draws(sample: &Sample, case: &Case) -> bool {
    kernel_of(case).is_none_or(|kernel| sample.draws(CONSUMER, 1, kernel))
}

/// Executes a part of the cases.
fn execute(
    mut range: Range<usize>,
    cases: &[Case],
    start: impl Fn(&Range<usize>) -> Result<Reporter, String>,
) -> Result<Vec<Check>, String> {
    let mut checks = Vec::new();
    while !range.is_empty() {
        let first = range.start;
        follow(&mut start(&range)?, cases, &mut range.start, &mut checks);
        if range.start == first {
            return Err("the OpenCL device does not start".into());
        }
    }
    Ok(checks)
}

/// Takes down what a worker says until it ends or is ended, and moves `next` to the first case after its last.
fn follow(worker: &mut Reporter, cases: &[Case], next: &mut usize, checks: &mut Vec<Check>) {
    let mut current = None;
    while let Some(line) = worker.line() {
        match Message::parse(&line) {
            // One of the processes says so for all.
            Some(Message::Device(name)) if *next == 0 => {
                println!("executing {} cases on {name}", cases.len())
            }
            Some(Message::Device(_)) => {}
            Some(Message::Started(index)) => {
                current = cases.get(index);
                *next = index + 1;
            }
            Some(Message::LeftOut) => checks.extend(current.take().and_then(left_out)),
            Some(Message::Finished(result)) => {
                checks.extend(current.take().map(|case| check(case, result.into())))
            }
            None => println!("{line}"),
        }
    }
    let end = worker.end();
    checks.extend(current.map(|case| check(case, Err(end).into())));
}

fn check(case: &Case, verdict: Verdict) -> Check {
    Check { consumer: CONSUMER, subject: subject(case), verdict }
}

fn left_out(case: &Case) -> Option<Check> {
    Some(check(case, Verdict::NotApplicable(case.intel_opencl_error()?)))
}
