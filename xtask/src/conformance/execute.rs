//! Has every case executed by Intel's OpenCL runtime for CPUs.
//!
//! The cases run in a child process. Where that dies or hangs, the case it was at has failed, and another child goes
//! on with the next.

use super::install::OpenClRuntime;
use super::report::{Check, Report, Verdict};
use super::subject;
use super::worker::{self, Message};
use crate::kernels::case::Case;
use std::env;
use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
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
    let vendors = tempfile::tempdir()?;
    fs::write(vendors.path().join("intel.icd"), format!("{}\n", runtime.driver.display()))?;
    let mut next = 0;
    while next < cases.len() {
        let mut command = Command::new(env::current_exe()?);
        command.args([worker::TASK, &next.to_string()]).args(names);
        // The ICD loader takes the value for a folder only if it ends like one.
        command.env("OCL_ICD_VENDORS", vendors.path().join(""));
        command.env("LD_LIBRARY_PATH", &runtime.libraries);
        let mut worker = Worker::start(command)?;
        let first = next;
        worker.follow(cases, &mut next, report);
        if next == first {
            return Err("the OpenCL device does not start".into());
        }
    }
    Ok(())
}

/// A child process and the lines that it prints.
struct Worker {
    child: Child,
    lines: Receiver<String>,
}

impl Worker {
    fn start(mut command: Command) -> Result<Self, Box<dyn Error>> {
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().ok_or("the output of the worker is piped")?;
        Ok(Self { child, lines: lines(output) })
    }

    /// Reports what the worker says until it ends or is ended, and moves `next` to the first case after its last.
    fn follow(&mut self, cases: &[Case], next: &mut usize, report: &mut Report) {
        let mut current = None;
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
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
                Some(Message::Finished(result)) => {
                    report.extend(current.take().map(|case| check(case, result)))
                }
                None => println!("{line}"),
            }
        }
        let end = self.end();
        report.extend(current.map(|case| check(case, Err(end))));
    }

    /// Waits for the end of a process that closed its output, or ends one that did not, and says which it was.
    fn end(&mut self) -> String {
        let hangs = matches!(self.child.try_wait(), Ok(None)) && self.lines.try_recv().is_err_and(is_empty);
        if hangs {
            // A process that has just ended by itself cannot be killed, which is as well.
            let _ = self.child.kill();
        }
        match self.child.wait() {
            Ok(_) if hangs => format!("no result after {} seconds", PATIENCE.as_secs()),
            Ok(status) => format!("the process died ({status})"),
            Err(error) => format!("the process is lost: {error}"),
        }
    }
}

/// Whether the other end is still there and has nothing to say.
fn is_empty(error: mpsc::TryRecvError) -> bool {
    error == mpsc::TryRecvError::Empty
}

fn check(case: &Case, result: Result<(), String>) -> Check {
    Check { consumer: CONSUMER, subject: subject(case), verdict: result.into() }
}

fn left_out(case: &Case) -> Option<Check> {
    let verdict = Verdict::NotApplicable(case.intel_opencl_error()?);
    Some(Check { consumer: CONSUMER, subject: subject(case), verdict })
}

/// Reads lines on a thread, so that one can wait for them with a limit.
fn lines(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}
