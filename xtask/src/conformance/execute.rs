//! Has every case executed by Intel's OpenCL runtime for CPUs.
//!
//! The cases run in a child process. Where that dies or hangs, the case it was at has failed, and another child goes
//! on with the next.

use super::report::{Check, Report, Verdict};
use super::subject;
use super::worker::{self, Message};
use crate::child::Reporter;
use crate::install::OpenClRuntime;
use crate::kernels::case::Case;
use std::env;
use std::error::Error;
use std::process::Command;
use std::time::Duration;

const CONSUMER: &str = "Intel OpenCL CPU";

/// How long one case may take, the build of its kernel included.
const PATIENCE: Duration = Duration::from_secs(120);

/// Executes the cases, which are those of the kernels with these names.
///
/// # Errors
///
/// That the device does not start; what fails on it goes into the report.
pub(super) fn checks(
    runtime: &OpenClRuntime,
    names: &[String],
    cases: &[Case],
    report: &mut Report,
) -> Result<(), Box<dyn Error>> {
    let vendors = runtime.vendors()?;
    let mut next = 0;
    while next < cases.len() {
        let mut command = Command::new(env::current_exe()?);
        command.args([worker::TASK, &next.to_string()]).args(names);
        runtime.choose(&vendors, &mut command);
        let mut worker = Reporter::start(command, PATIENCE)?;
        let first = next;
        follow(&mut worker, cases, &mut next, report);
        if next == first {
            return Err("the OpenCL device does not start".into());
        }
    }
    Ok(())
}

/// Reports what a worker says until it ends or is ended, and moves `next` to the first case after its last.
fn follow(worker: &mut Reporter, cases: &[Case], next: &mut usize, report: &mut Report) {
    let mut current = None;
    while let Some(line) = worker.line() {
        match Message::parse(&line) {
            Some(Message::Device(name)) if *next == 0 => {
                println!("executing {} cases on {name}", cases.len())
            }
            Some(Message::Device(_)) => {}
            Some(Message::Started(index)) => {
                current = cases.get(index);
                *next = index + 1;
            }
            Some(Message::LeftOut) => report.extend(current.take().and_then(left_out)),
            Some(Message::Finished(result)) => report.extend(current.take().map(|case| check(case, result))),
            None => println!("{line}"),
        }
    }
    let end = worker.end();
    report.extend(current.map(|case| check(case, Err(end))));
}

fn check(case: &Case, result: Result<(), String>) -> Check {
    Check { consumer: CONSUMER, subject: subject(case), verdict: result.into() }
}

fn left_out(case: &Case) -> Option<Check> {
    let verdict = Verdict::NotApplicable(case.intel_opencl_error()?);
    Some(Check { consumer: CONSUMER, subject: subject(case), verdict })
}
