//! The process that executes cases on the OpenCL device.
//!
//! Drivers read their settings when they are loaded and can bring the process down with them, so this is a process
//! of its own. It executes a range of the cases and reports each to standard output as [`Message`]s, one JSON object a
//! line.

use super::execute;
use super::opencl::{Kernel, Program, Session};
use super::sample::Sample;
use crate::kernels::case::{Case, Outcome};
use kernel_core::KernelDescriptor;
use serde_json::{Value, json};
use std::error::Error;
use std::ptr;

/// The task's name on the command line.
pub(super) const TASK: &str = "opencl-worker";

/// What the worker tells the process that started it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// The device that executes the cases.
    Device(String),
    /// The case with this number starts.
    Started(usize),
    /// It is not executed, since the device is known to get it wrong.
    LeftOut,
    /// It is done: correct, or what is wrong.
    Finished(Result<(), String>),
}

impl Message {
    fn send(&self) {
        let value = match self {
            Self::Device(name) => json!({ "device": name }),
            Self::Started(index) => json!({ "started": index }),
            Self::LeftOut => json!({ "left_out": true }),
            Self::Finished(Ok(())) => json!({ "finished": null }),
            Self::Finished(Err(error)) => json!({ "finished": error }),
        };
        println!("{value}");
    }

    /// Reads a line of the worker; other lines come from the driver.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        let (kind, value) = value.as_object()?.iter().next()?;
        match (kind.as_str(), value) {
            ("device", Value::String(name)) => Some(Self::Device(name.clone())),
            ("started", Value::Number(index)) => Some(Self::Started(index.as_u64()?.try_into().ok()?)),
            ("left_out", Value::Bool(true)) => Some(Self::LeftOut),
            ("finished", Value::Null) => Some(Self::Finished(Ok(()))),
            ("finished", Value::String(error)) => Some(Self::Finished(Err(error.clone()))),
            _ => None,
        }
    }
}

/// Runs the worker; its arguments are the numbers of the first case and of the one after the last, and those of the task.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [first, end, sample @ ..] = arguments else {
        return Err("the worker takes the numbers of the first case and of the one after the last".into());
    };
    let (first, end): (usize, usize) = (first.parse()?, end.parse()?);
    let sample = Sample::parse(sample)?;
    let cases = super::cases(&sample).into_iter().filter(|case| execute::draws(&sample, case));
    let session = Session::open()?;
    Message::Device(session.device()?).send();
    let mut built = Built { session: &session, last: Vec::new() };
    for (index, case) in cases.enumerate().take(end).skip(first) {
        Message::Started(index).send();
        match case.intel_opencl_error() {
            Some(_) => Message::LeftOut.send(),
            None => Message::Finished(built.execute(&case)).send(),
        }
    }
    Ok(())
}

/// The programs of the last kernel, since the cases of a kernel follow each other.
struct Built<'s> {
    session: &'s Session,
    last: Vec<Last<'s>>,
}

/// A program with what it was built from, and those of its kernels that were launched.
struct Last<'s> {
    module: &'static [u8],
    descriptor: &'static KernelDescriptor,
    constants: Vec<Vec<u8>>,
    library: &'static [&'static [u8]],
    program: Program<'s>,
    kernels: Vec<(&'static str, Kernel<'s>)>,
}

impl<'s> Built<'s> {
    fn execute(&mut self, case: &Case) -> Result<(), String> {
        for (module, entry_points) in case.modules() {
            let last = self.program(case, module.bytes()).map_err(|error| error.to_string())?;
            for name in entry_points {
                last.execute(case, name).map_err(|error| format!("entry point {name}: {error}"))?;
            }
        }
        Ok(())
    }

    /// The program of a case that is built from a module.
    fn program(&mut self, case: &Case, module: &'static [u8]) -> Result<&mut Last<'s>, Box<dyn Error>> {
        let (descriptor, library, constants) = (case.kernel, case.library(), case.constant_bytes());
        let is_it = |last: &Last<'_>| {
            ptr::eq(last.descriptor, descriptor)
                && last.constants == constants
                && ptr::eq(last.library, library)
        };
        self.last.retain(is_it);
        let position = match self.last.iter().position(|last| ptr::eq(last.module, module)) {
            Some(position) => position,
            None => {
                let shipped = super::link::shipped(case)?;
                let program = self.session.build((module, &shipped[..]), c"", &constants)?;
                self.last.push(Last { module, descriptor, constants, library, program, kernels: Vec::new() });
                self.last.len() - 1
            }
        };
        Ok(&mut self.last[position])
    }
}

impl Last<'_> {
    fn execute(&mut self, case: &Case, entry_point: &'static str) -> Result<(), String> {
        let arguments = case.device_arguments_of(entry_point);
        let kernel = self.kernel(entry_point).map_err(|error| error.to_string())?;
        let launch = kernel.launch_linked(&arguments, &case.device_links(), case.groups, case.group_size);
        let buffers = launch.map_err(|error| error.to_string())?;
        case.judge(&Outcome::of_buffers(case.kernel, buffers)?)
    }

    fn kernel(&mut self, entry_point: &'static str) -> Result<&Kernel<'_>, Box<dyn Error>> {
        let index = match self.kernels.iter().position(|(name, _)| *name == entry_point) {
            Some(index) => index,
            None => {
                self.kernels.push((entry_point, self.program.kernel(entry_point)?));
                self.kernels.len() - 1
            }
        };
        Ok(&self.kernels[index].1)
    }
}

#[cfg(test)]
mod tests {
    use super::Message;

    #[test]
    fn what_a_driver_prints_is_no_message() {
        assert_eq!(Message::parse("warning: {}"), None);
        assert_eq!(Message::parse("{}"), None);
        assert_eq!(Message::parse(r#"{"started":-1}"#), None);
    }

    #[test]
    fn messages_are_read() {
        assert_eq!(Message::parse(r#"{"started":3}"#), Some(Message::Started(3)));
        assert_eq!(Message::parse(r#"{"finished":null}"#), Some(Message::Finished(Ok(()))));
        let failed = Message::Finished(Err("no".to_owned()));
        assert_eq!(Message::parse(r#"{"finished":"no"}"#), Some(failed));
    }
}
