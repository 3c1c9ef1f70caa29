//! What the programs that `cargo xtask random` writes are linked with.
//!
//! Such a program has many kernels, and for each a copy that is ordinary Rust, compiled by rustc without any of our macros.
//! [`run`] is its `main`: it makes inputs for each kernel, runs the copy for every work-item, launches the kernel on one
//! consumer with the same inputs, compares all that is left in memory, and prints what it finds as [`Message`]s.
//!
//! A work-item whose copy panics must be one that faults, with the same message at the same place. What it wrote is not
//! compared, since the kernel goes on where Rust does not; nor is what the others of its group wrote if they wait for each other.

mod consumer;
#[path = "../../conformance/device.rs"]
mod device;
pub mod host;
mod input;
mod kernels;
mod launch;
mod message;
#[allow(dead_code, unused_imports, reason = "others use more of it")]
#[path = "../../../xtask/src/conformance/opencl/mod.rs"]
mod opencl;
mod trial;

pub use launch::Launch;
pub use message::Message;
pub use trial::Trial;

use consumer::Consumer;
use kernel_core::KernelDescriptor;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

/// A kernel and how to try it.
#[derive(Debug)]
pub struct Program {
    /// Decides the inputs.
    pub seed: u64,
    /// The kernel.
    pub kernel: &'static KernelDescriptor,
    /// Runs the copy of the kernel with inputs of the launch, and says what the kernel is to do.
    pub trial: fn(&mut Launch) -> Trial,
}

/// The `main` of a generated program.
///
/// Its arguments are the name of a consumer, the number of the first kernel to try and that of the first not to, or `export`
/// and a folder.
pub fn run(programs: &[Program]) -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["export", folder] => export(programs, Path::new(folder)),
        [consumer, first, end] => execute(programs, consumer, first, end),
        _ => Err("the arguments are a consumer and two numbers, or `export` and a folder".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes every module to a file with the number of its program.
fn export(programs: &[Program], folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for (index, program) in programs.iter().enumerate() {
        fs::write(folder.join(format!("{index}.spv")), program.kernel.spirv.bytes())?;
    }
    Ok(())
}

fn execute(programs: &[Program], consumer: &str, first: &str, end: &str) -> Result<(), Box<dyn Error>> {
    let (first, end) = (first.parse()?, end.parse()?);
    let consumer = Consumer::open(consumer)?;
    Message::Device(consumer.device()?).send();
    host::watch_panics();
    for (index, program) in programs.iter().enumerate().take(end).skip(first) {
        Message::Started(index).send();
        Message::Finished(judge(&consumer, program)).send();
    }
    Ok(())
}

/// Tries one program with inputs of several kinds, up to the first difference.
fn judge(consumer: &Consumer, program: &Program) -> Result<(), String> {
    let mut kernel = consumer.kernel(program.kernel)?;
    for variant in 0..Launch::VARIANTS {
        let mut launch = Launch::new(program, variant);
        let trial = (program.trial)(&mut launch);
        let outcome = kernel.execute(trial.case())?;
        trial.judge(&launch, outcome).map_err(|error| format!("{error}\n{}", launch.describe()))?;
    }
    Ok(())
}
