//! `cargo xtask capture`: runs the examples on Intel's own Level Zero driver, without a GPU.
//!
//! In capture mode the driver starts as if the hardware were there, builds modules with the real compiler and takes
//! command lists as ever, but writes the commands to an `.aub` file instead of executing them. The validation layer of
//! the loader stands in between. What it objects to it answers with an error code, so an example that
//! ends well was not objected to; [`probe`] shows that the layer is there.

mod probe;

pub(crate) use probe::run as run_probe;

use crate::install::level_zero_libraries;
use crate::temporary::TemporaryFolder;
use crate::workspace;
use catalogue::KERNELS;
use kernel_core::ArgumentKind;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A GPU that the driver can pretend to find.
struct Gpu {
    /// Its name, `ProductFamilyOverride`.
    name: &'static str,
    /// Slices, subslices and execution units, `HardwareInfoOverride`; the driver has no default for these GPUs.
    hardware: &'static str,
    /// Whether it has images.
    images: bool,
}

const GPUS: [Gpu; 2] = [
    Gpu { name: "dg2", hardware: "2x4x16", images: true },
    Gpu { name: "pvc", hardware: "1x8x64", images: false },
];

/// What makes the loader put its validation layer between the program and the driver, with these of its checks.
const VALIDATION: [(&str, &str); 3] = [
    ("ZE_ENABLE_VALIDATION_LAYER", "1"),
    ("ZE_ENABLE_PARAMETER_VALIDATION", "1"),
    ("ZE_ENABLE_HANDLE_LIFETIME", "1"),
];

/// Runs the task, which takes no arguments.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    if !arguments.is_empty() {
        return Err("`capture` takes no arguments".into());
    }
    level_zero_libraries()?;
    workspace::run(workspace::cargo().args(["build", "--release", "--quiet", "--examples"]))?;
    let mut passed = 0;
    for gpu in &GPUS {
        let idle = probe::expect_validation(gpu)?;
        for (example, needs) in examples() {
            if needs.fp64 {
                println!("{}: {example} is left out, since it needs fp64", gpu.name);
                continue;
            }
            let result = match needs.images && !gpu.images {
                true => gpu.refuse_example(example, "the device has no images"),
                false => gpu.run_example(example, idle),
            };
            result.map_err(|error| format!("{}: {example}: {error}", gpu.name))?;
            passed += 1;
        }
    }
    println!("{passed} passed, 0 failed");
    Ok(())
}

/// What the kernels of an example need of a device.
#[derive(Default)]
struct Needs {
    fp64: bool,
    images: bool,
}

/// The examples that have kernels.
fn examples() -> BTreeMap<&'static str, Needs> {
    let mut examples = BTreeMap::new();
    for kernel in KERNELS {
        let Some((example, _)) =
            kernel.path.strip_prefix("examples::").and_then(|path| path.split_once("::"))
        else {
            continue;
        };
        let needs: &mut Needs = examples.entry(example).or_default();
        needs.fp64 |= kernel.descriptor.requirements.fp64;
        needs.images |= kernel
            .descriptor
            .arguments
            .iter()
            .any(|argument| matches!(argument.kind, ArgumentKind::Image(_)));
    }
    examples
}

impl Gpu {
    /// A command that finds this GPU and captures to a folder.
    fn command(&self, program: &Path, folder: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(folder);
        command.env("NEOReadDebugKeys", "1").env("SetCommandStreamReceiver", "1");
        command.env("ProductFamilyOverride", self.name).env("HardwareInfoOverride", self.hardware);
        command
    }

    /// A command that runs an example there.
    fn example(&self, example: &str, folder: &Path) -> Result<Command, Box<dyn Error>> {
        // Where the examples put the files that they write.
        fs::create_dir(folder.join("target"))?;
        let program = workspace::target().join("release/examples").join(example);
        let mut command = self.command(&program, folder);
        command.envs(VALIDATION).env("KERNEL_DEVICE", "gpu").arg("--no-check");
        Ok(command)
    }

    /// Runs an example that needs what the GPU has not, which must fail and say so.
    fn refuse_example(&self, example: &str, reason: &str) -> Result<(), Box<dyn Error>> {
        let folder = TemporaryFolder::new()?;
        match workspace::capture(&mut self.example(example, folder.path())?) {
            Ok(_) => return Err("it ran, although it cannot on this GPU".into()),
            Err(error) if !error.contains(reason) => return Err(error.into()),
            Err(_) => println!("{}: {example} is refused, as it should be: {reason}", self.name),
        }
        Ok(())
    }

    /// Runs an example, which must succeed and capture more than a driver does that is only started.
    fn run_example(&self, example: &str, idle: u64) -> Result<(), Box<dyn Error>> {
        let folder = TemporaryFolder::new()?;
        let output = workspace::capture(&mut self.example(example, folder.path())?)?;
        let captured = captured(folder.path())?;
        if captured <= idle {
            return Err(format!("captured {captured} bytes, no more than without a launch ({idle})").into());
        }
        println!("{}: {example} captured {captured} bytes", self.name);
        for line in workspace::printed(&output).lines() {
            println!("    {line}");
        }
        Ok(())
    }
}

/// The size of the captured commands in bytes.
fn captured(folder: &Path) -> Result<u64, Box<dyn Error>> {
    let mut size = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.path().extension().is_some_and(|extension| extension == "aub") {
            size += entry.metadata()?.len();
        }
    }
    if size == 0 { Err("the driver captured nothing".into()) } else { Ok(size) }
}
