//! `cargo xtask loader [--suite NAME]`: has Debian's Level Zero loader take the CPU driver, as any program would, and runs a C program and an example through it.
//! With a suite it is the loader of that Debian, a newer one, and there is a second program, for what newer headers have.
//!
//! It builds the shared library as a user does, assembles a module, and compiles the program with the public headers. The program is run by the loader
//! alone, by a loader that wraps all handles, and under the validation layer, which must have nothing to say; with the device as a CPU and as a GPU. The example
//! then finds a GPU that is not there without the driver.

use crate::install::install_packages;
use crate::suite::Suite;
use crate::temporary::TemporaryFolder;
use crate::workspace;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files and the Debian packages that have them.
const PACKAGES: [(&str, &str); 5] = [
    ("/usr/bin/gcc", "gcc"),
    ("/usr/include/stdlib.h", "libc6-dev"),
    ("/usr/include/level_zero/ze_api.h", "libze-dev"),
    ("/usr/bin/spirv-as", "spirv-tools"),
    ("/usr/share/doc/libze1", "libze1"),
];

/// Variables of the environment with their values.
type Variables = &'static [(&'static str, &'static str)];

/// The ways in which the program is run: a name, the variables, and what the device must be.
const WAYS: [(&str, Variables, &str); 6] = [
    ("the loader", &[], "cpu"),
    ("the loader, as a GPU", &[("KERNEL_CPU_DEVICE_TYPE", "gpu")], "gpu"),
    ("the loader, which wraps handles", &[("ZE_ENABLE_LOADER_INTERCEPT", "1")], "cpu"),
    ("the validation layer", &VALIDATION, "cpu"),
    ("native code", &[("KERNEL_CPU_EXECUTOR", "native")], "cpu"),
    ("one of four parts", &[("KERNEL_CPU_DEVICES", "2x2"), ("ZE_AFFINITY_MASK", "1.0")], "cpu"),
];

/// What makes the loader put its validation layer between the program and the driver, with these of its checks.
const VALIDATION: [(&str, &str); 3] = [
    ("ZE_ENABLE_VALIDATION_LAYER", "1"),
    ("ZE_ENABLE_PARAMETER_VALIDATION", "1"),
    ("ZE_ENABLE_HANDLE_LIFETIME", "1"),
];

/// The same for newer loaders. What tracks handles there takes no commands for immediate lists, and knows no memory of Sysman.
const NEWER_VALIDATION: [(&str, &str); 4] = [
    ("ZE_ENABLE_VALIDATION_LAYER", "1"),
    ("ZE_ENABLE_PARAMETER_VALIDATION", "1"),
    ("ZE_ENABLE_THREADING_VALIDATION", "1"),
    ("ZEL_ENABLE_EVENTS_CHECKER", "1"),
];

/// An example that checks its result, and says where it found its device.
const EXAMPLE: &str = "saxpy";

/// Runs the task.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let suite = match arguments {
        [] => None,
        [option, name] if option == "--suite" => Some(name),
        _ => return Err("`loader` takes `--suite` and its name, or nothing".into()),
    };
    let missing = PACKAGES.iter().filter(|(file, _)| !Path::new(file).exists());
    install_packages(&missing.map(|&(_, package)| package).collect::<Vec<_>>())?;
    let build = ["build", "--release", "--quiet", "--package", "kernel-cpu-driver"];
    workspace::run(workspace::cargo().args(build))?;
    let folder = TemporaryFolder::new()?;
    let suite = suite.map(|name| Suite::unpack(name, &["libze1", "libze-dev"])).transpose()?;
    let mut passed = 0;
    let sources: &[&str] = if suite.is_some() { &["program", "later"] } else { &["program"] };
    for source in sources {
        let client = Client::prepare(folder.path(), source, suite.as_ref())?;
        for (name, variables, kind) in WAYS {
            let is_newer = suite.is_some() && variables == VALIDATION;
            let variables = if is_newer { &NEWER_VALIDATION } else { variables };
            let count =
                client.run(variables, kind).map_err(|error| format!("{source}.c, {name}: {error}"))?;
            println!("{source}.c, {name}: {count} answers are right");
            passed += 1;
        }
        client.expect_no_driver()?;
        passed += 1;
    }
    if suite.is_none() {
        run_example()?;
        passed += 1;
    }
    println!("{passed} passed, 0 failed");
    Ok(())
}

/// The shared library, where cargo leaves it.
fn library() -> PathBuf {
    workspace::target().join("release/libkernel_cpu_driver.so")
}

/// The C program with the module that it builds.
struct Client<'s> {
    program: PathBuf,
    module: PathBuf,
    /// The Debian whose loader it has; that of the machine without one.
    suite: Option<&'s Suite>,
}

impl<'s> Client<'s> {
    fn prepare(folder: &Path, source: &str, suite: Option<&'s Suite>) -> Result<Self, Box<dyn Error>> {
        let sources = workspace::root().join("kernel-cpu-driver/tests/loader");
        let (program, module) = (folder.join(source), folder.join("add.spv"));
        let mut assemble = Command::new("spirv-as");
        assemble.args(["--target-env", "opencl2.2", "-o"]).arg(&module).arg(sources.join("add.spvasm"));
        workspace::capture(&mut assemble)?;
        let mut compile = Command::new("gcc");
        compile
            .args(["-std=c11", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra", "-Werror", "-O1", "-o"])
            .arg(&program);
        compile.arg(sources.join(source).with_extension("c"));
        if let Some(suite) = suite {
            // What the loader itself is linked with is found when the program is started.
            compile.arg("-I").arg(suite.headers().join("level_zero/..")).arg("-Wl,--allow-shlib-undefined");
            compile.arg(suite.libraries().join("libze_loader.so.1"));
        } else {
            compile.arg("-lze_loader");
        }
        workspace::capture(&mut compile)?;
        Ok(Self { program, module, suite })
    }

    fn command(&self, driver: &Path, variables: Variables, kind: &str) -> Command {
        let mut command = match self.suite {
            Some(suite) => suite.command(&self.program),
            None => Command::new(&self.program),
        };
        command.arg(&self.module).arg(kind).env("ZE_ENABLE_ALT_DRIVERS", driver);
        command.envs(variables.iter().copied());
        command
    }

    /// Runs the program, and returns how many answers it found right.
    fn run(&self, variables: Variables, kind: &str) -> Result<u32, Box<dyn Error>> {
        let output = workspace::capture(&mut self.command(&library(), variables, kind))?;
        let said = workspace::printed(&output);
        let count = said.strip_suffix(" passed, 0 failed").and_then(|count| count.parse().ok());
        count.ok_or_else(|| format!("the program and its layers say:\n{said}").into())
    }

    /// Without the driver, with a device that is no kind, or if it is hidden, the program must find nothing: else it would show nothing with it.
    fn expect_no_driver(&self) -> Result<(), Box<dyn Error>> {
        const WRONG: [Variables; 2] = [&[("KERNEL_CPU_DEVICE_TYPE", "tpu")], &[("ZE_AFFINITY_MASK", "1")]];
        let none = self.command(Path::new("/nonexistent/libkernel_cpu_driver.so"), &[], "cpu");
        let wrong = WRONG.map(|variables| self.command(&library(), variables, "cpu"));
        for mut command in wrong.into_iter().chain([none]) {
            let output = command.output()?;
            if output.status.success() || !workspace::printed(&output).contains("zeInit") {
                return Err(format!("zeInit should have failed:\n{}", workspace::printed(&output)).into());
            }
        }
        println!("without the driver: zeInit fails");
        Ok(())
    }
}

/// Runs an example with the driver as the loader's GPU.
fn run_example() -> Result<(), Box<dyn Error>> {
    let mut command = workspace::cargo();
    command.args(["run", "--release", "--quiet", "--example", EXAMPLE]);
    command.env("ZE_ENABLE_ALT_DRIVERS", library()).env("KERNEL_CPU_DEVICE_TYPE", "gpu");
    command.env("KERNEL_DEVICE", "gpu");
    command.envs(VALIDATION);
    let said = workspace::printed(&workspace::capture(&mut command)?);
    // The driver that is linked with the example would run it too, without the loader.
    if !said.contains("GPU: there is one GPU") {
        return Err(format!("{EXAMPLE} has not found the device of the loader:\n{said}").into());
    }
    println!("{EXAMPLE}: {}", said.lines().last().unwrap_or_default());
    Ok(())
}
