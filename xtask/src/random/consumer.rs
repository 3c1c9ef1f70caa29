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
use std::ops::Range;
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
            Consumer::Cpu => follow(executable, |range, _| {
                let mut command = trying(executable, "runtime", range);
                command.env("KERNEL_DEVICE", "cpu");
                command
            }),
            Consumer::OpenCl => {
                let runtime = self.opencl.as_ref().ok_or("the OpenCL runtime is installed first")?;
                let vendors = runtime.vendors()?;
                follow(executable, |range, attempt| {
                    let mut command = trying(executable, "opencl", range);
                    runtime.choose(&vendors, &mut command);
                    if attempt == Attempt::Second {
                        command.env("CL_CONFIG_CPU_VECTORIZER_MODE", "1");
                    }
                    command
                })
            }
            Consumer::SpirvVal => validate(executable),
        }
    }
}

/// Which attempt at a program this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attempt {
    First,
    /// The device's compiler has brought down the process, and is asked to do less.
    ///
    /// The vectoriser of Intel's runtime dereferences a null pointer on about one program in a thousand; without it, they are compiled.
    Second,
}

/// The command that tries some programs of an executable on a device, and says so line by line.
fn trying(executable: &Executable, device: &str, range: Range<usize>) -> Command {
    let mut command = Command::new(&executable.path);
    command.args([device, &range.start.to_string(), &range.end.to_string()]);
    command
}

/// Runs an executable until it has tried all of its programs, again from the next on where it dies.
fn follow(
    executable: &Executable,
    command: impl Fn(Range<usize>, Attempt) -> Command,
) -> Result<BTreeMap<usize, String>, Box<dyn Error>> {
    let (mut complaints, mut next) = (BTreeMap::new(), 0);
    while next < executable.programs.len() {
        let run = Run::follow(command(next..executable.programs.len(), Attempt::First))?;
        complaints.extend(run.complaints);
        next = run.next.ok_or("the device does not start")?;
        if let Some((position, mut death)) = run.death {
            if death.in_build {
                let again = Run::follow(command(position..position + 1, Attempt::Second))?;
                complaints.extend(again.complaints);
                match again.death {
                    Some((_, second)) => death = second,
                    None => continue,
                }
            }
            complaints.insert(position, death.message);
        }
    }
    Ok(complaints.into_iter().map(|(position, error)| (executable.programs[position], error)).collect())
}

/// What came of one process. Programs are known by their positions in the executable.
#[derive(Default)]
struct Run {
    complaints: BTreeMap<usize, String>,
    /// The program after the last that was started.
    next: Option<usize>,
    /// The program that brought down the process.
    death: Option<(usize, Death)>,
}

/// The end of a process that was not done.
struct Death {
    /// Whether the device was compiling the program.
    in_build: bool,
    message: String,
}

impl Run {
    fn follow(command: Command) -> Result<Self, Box<dyn Error>> {
        let mut process = Reporter::start(command, PATIENCE)?;
        let (mut run, mut current, mut in_build) = (Self::default(), None, true);
        while let Some(line) = process.line() {
            match Message::parse(&line) {
                Some(Message::Started(position)) => {
                    (current, in_build, run.next) = (Some(position), true, Some(position + 1));
                }
                Some(Message::Built) => in_build = false,
                Some(Message::Finished(result)) => {
                    let position = current.take().ok_or("a program is finished that was not started")?;
                    run.complaints.extend(result.err().map(|error| (position, error)));
                }
                Some(Message::Device(_)) | None => {}
            }
        }
        let message = process.end();
        run.death = current.map(|position| (position, Death { in_build, message }));
        Ok(run)
    }
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
