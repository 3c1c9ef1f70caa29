//! Has a consumer take the kernels of an executable.

use super::batch::Executable;
use crate::child::Reporter;
use crate::conformance;
use crate::install::{self, OpenClRuntime};
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Consumer {
    /// Our driver for the CPU, by way of the runtime, with these settings.
    Cpu(CpuSettings),
    /// Intel's OpenCL runtime for CPUs.
    OpenCl,
    /// The Khronos validator.
    SpirvVal,
}

/// How our driver executes kernels; what is not said is as the environment has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CpuSettings {
    /// `KERNEL_CPU_EXECUTOR`.
    executor: Option<String>,
    /// `KERNEL_CPU_NATIVE_OFF`.
    off: Option<String>,
}

/// Stands for each switch of native code by itself.
const EACH: &str = "each";

impl Consumer {
    pub(super) fn all() -> Vec<Self> {
        vec![Self::Cpu(CpuSettings::default()), Self::OpenCl, Self::SpirvVal]
    }

    /// The consumers that a name stands for; none if it is unknown. That of the CPU driver may have an executor and names of switches behind it:
    /// `cpu:both`, `cpu:both-avx2:fold,unroll`, or `cpu:both:each`, which is as many consumers as there are switches.
    pub(super) fn from_name(name: &str) -> Vec<Self> {
        match name.split(':').collect::<Vec<_>>()[..] {
            ["opencl"] => vec![Self::OpenCl],
            ["spirv-val"] => vec![Self::SpirvVal],
            ["cpu"] => vec![Self::Cpu(CpuSettings::default())],
            ["cpu", executor] => vec![Self::cpu(executor, None)],
            ["cpu", executor, EACH] => {
                kernel_cpu::native_switches().into_iter().map(|off| Self::cpu(executor, Some(off))).collect()
            }
            ["cpu", executor, off] => vec![Self::cpu(executor, Some(off))],
            _ => Vec::new(),
        }
    }

    fn cpu(executor: &str, off: Option<&str>) -> Self {
        Self::Cpu(CpuSettings { executor: Some(executor.to_owned()), off: off.map(str::to_owned) })
    }
}

impl CpuSettings {
    fn apply(&self, command: &mut Command) {
        command.env("KERNEL_DEVICE", "cpu");
        command.envs(self.executor.as_ref().map(|executor| ("KERNEL_CPU_EXECUTOR", executor)));
        command.envs(self.off.as_ref().map(|off| ("KERNEL_CPU_NATIVE_OFF", off)));
    }
}

impl fmt::Display for Consumer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu(CpuSettings { executor, off }) => {
                f.write_str("cpu")?;
                [executor, off].into_iter().flatten().try_for_each(|part| write!(f, ":{part}"))
            }
            Self::OpenCl => f.write_str("opencl"),
            Self::SpirvVal => f.write_str("spirv-val"),
        }
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
            install::programs()?;
        }
        let opencl = consumers.contains(&Consumer::OpenCl).then(install::opencl_runtime);
        Ok(Self { opencl: opencl.transpose()? })
    }

    /// The complaints of the OpenCL runtime that it also has without its vectoriser, which crashes on some kernels and compiles others wrong.
    /// What only the vectoriser does is printed.
    fn opencl_complaints(&self, executable: &Executable) -> Result<BTreeMap<usize, String>, Box<dyn Error>> {
        let runtime = self.opencl.as_ref().ok_or("the OpenCL runtime is installed first")?;
        let vendors = runtime.vendors()?;
        let command = |range| {
            let mut command = trying(executable, "opencl", range);
            runtime.choose(&vendors, &mut command);
            command
        };
        let unvectorised = |range| {
            let mut command = command(range);
            command.env("CL_CONFIG_CPU_VECTORIZER_MODE", "1");
            command
        };
        let mut complaints = BTreeMap::new();
        for (index, complaint) in follow(executable, 0..executable.programs.len(), command)? {
            let position = executable.programs.iter().position(|&program| program == index);
            let position = position.ok_or("a complaint is about a program of the executable")?;
            let again = follow(executable, position..position + 1, unvectorised)?;
            if again.is_empty() {
                let complaint = complaint.lines().next().unwrap_or_default();
                println!(
                    "only with the vectoriser of Intel's runtime: program {index} of a batch: {complaint}"
                );
            }
            complaints.extend(again);
        }
        Ok(complaints)
    }

    /// The complaints of a consumer, by the position of the program in its batch.
    pub(super) fn complaints(
        &self,
        consumer: &Consumer,
        executable: &Executable,
    ) -> Result<BTreeMap<usize, String>, Box<dyn Error>> {
        let all = 0..executable.programs.len();
        match consumer {
            Consumer::Cpu(settings) => follow(executable, all, |range| {
                let mut command = trying(executable, "runtime", range);
                settings.apply(&mut command);
                command
            }),
            Consumer::OpenCl => self.opencl_complaints(executable),
            Consumer::SpirvVal => validate(executable),
        }
    }
}

/// The command that tries some programs of an executable on a device, and says so line by line.
fn trying(executable: &Executable, device: &str, range: Range<usize>) -> Command {
    let mut command = Command::new(&executable.path);
    command.args([device, &range.start.to_string(), &range.end.to_string()]);
    command
}

/// Runs an executable until it has tried some of its programs, again from the next on where it dies.
fn follow(
    executable: &Executable,
    mut range: Range<usize>,
    command: impl Fn(Range<usize>) -> Command,
) -> Result<BTreeMap<usize, String>, Box<dyn Error>> {
    let mut complaints = BTreeMap::new();
    while !range.is_empty() {
        let mut process = Reporter::start(command(range.clone()), PATIENCE)?;
        let (mut current, mut next) = (None, None);
        while let Some(line) = process.line() {
            match Message::parse(&line) {
                Some(Message::Started(position)) => (current, next) = (Some(position), Some(position + 1)),
                Some(Message::Finished(result)) => {
                    let position = current.take().ok_or("a program is finished that was not started")?;
                    complaints.extend(result.err().map(|error| (executable.programs[position], error)));
                }
                Some(Message::Device(_)) | None => {}
            }
        }
        let end = process.end();
        complaints.extend(current.map(|position| (executable.programs[position], end)));
        range.start = next.ok_or("the device does not start")?;
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
