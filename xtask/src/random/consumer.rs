//! Has a consumer take the kernels of an executable.

use super::batch::Executable;
use crate::child::Reporter;
use crate::conformance::{self, OpenClRuntime};
use crate::workspace;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::Capability;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use trial::Message;

/// How long one kernel may take on a device, its build included.
const PATIENCE: Duration = Duration::from_secs(120);

/// Who takes kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consumer {
    /// Our driver for the CPU, by way of the runtime.
    Cpu,
    /// Intel's OpenCL runtime for CPUs.
    OpenCl,
    /// The Khronos validator.
    SpirvVal,
}

impl Consumer {
    pub(super) const ALL: [Self; 3] = [Self::Cpu, Self::OpenCl, Self::SpirvVal];

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|consumer| consumer.to_string() == name)
    }
}

impl fmt::Display for Consumer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cpu => "cpu",
            Self::OpenCl => "opencl",
            Self::SpirvVal => "spirv-val",
        })
    }
}

/// What consumers need of this machine.
#[derive(Debug)]
pub(super) struct Machine {
    opencl: Option<OpenClRuntime>,
}

impl Machine {
    /// Installs what the consumers need.
    pub(super) fn prepare(consumers: &[Consumer]) -> Result<Self, Box<dyn Error>> {
        if consumers.contains(&Consumer::SpirvVal) {
            conformance::programs()?;
        }
        let opencl = consumers.contains(&Consumer::OpenCl).then(conformance::opencl_runtime);
        Ok(Self { opencl: opencl.transpose()? })
    }

    /// The complaints of a consumer, by the position of the program in its batch.
    pub(super) fn complaints(
        &self,
        consumer: Consumer,
        executable: &Executable,
    ) -> Result<BTreeMap<usize, String>, Box<dyn Error>> {
        match consumer {
            Consumer::Cpu => follow(executable, |first| {
                let mut command = Command::new(&executable.path);
                command.env("KERNEL_DEVICE", "cpu").args(["runtime", &first.to_string()]);
                command
            }),
            Consumer::OpenCl => {
                let runtime = self.opencl.as_ref().ok_or("the OpenCL runtime is installed first")?;
                let vendors = runtime.vendors()?;
                follow(executable, |first| {
                    let mut command = Command::new(&executable.path);
                    runtime.choose(&vendors, &mut command);
                    command.args(["opencl", &first.to_string()]);
                    command
                })
            }
            Consumer::SpirvVal => validate(executable),
        }
    }
}

/// Runs an executable until it has tried all of its programs, again from the next on where it dies.
fn follow(
    executable: &Executable,
    command: impl Fn(usize) -> Command,
) -> Result<BTreeMap<usize, String>, Box<dyn Error>> {
    let mut complaints = BTreeMap::new();
    let mut next = 0;
    while next < executable.programs.len() {
        let first = next;
        let mut process = Reporter::start(command(first), PATIENCE)?;
        let mut current = None;
        while let Some(line) = process.line() {
            match Message::parse(&line) {
                Some(Message::Started(index)) => (current, next) = (Some(index), index + 1),
                Some(Message::Finished(result)) => {
                    let index = current.take().ok_or("a program is finished that was not started")?;
                    complaints.extend(result.err().map(|error| (executable.programs[index], error)));
                }
                Some(Message::Device(_)) | None => {}
            }
        }
        let end = process.end();
        complaints.extend(current.map(|index| (executable.programs[index], end)));
        if next == first {
            return Err("the device does not start".into());
        }
    }
    Ok(complaints)
}

fn validate(executable: &Executable) -> Result<BTreeMap<usize, String>, Box<dyn Error>> {
    let folder = executable.path.with_extension("modules");
    workspace::capture(Command::new(&executable.path).arg("export").arg(&folder))?;
    let mut complaints = BTreeMap::new();
    for (position, &index) in executable.programs.iter().enumerate() {
        let result = validate_module(&folder.join(format!("{position}.spv")));
        complaints.extend(result.err().map(|error| (index, error)));
    }
    Ok(complaints)
}

/// Has one module judged by the validator, and by the rules of the Level Zero environment.
fn validate_module(file: &Path) -> Result<(), String> {
    let bytes = fs::read(file).map_err(|error| error.to_string())?;
    let module = rspirv::dr::load_bytes(bytes).map_err(|state| format!("{state:?}"))?;
    let version = module.header.as_ref().map_or((1, 0), rspirv::dr::ModuleHeader::version);
    let is_half =
        |instruction: &Instruction| instruction.operands.contains(&Operand::Capability(Capability::Float16));
    let fp16 = module.capabilities.iter().any(is_half);
    conformance::run_validator(file, version, fp16)?;
    conformance::check_rules(&module)
}
