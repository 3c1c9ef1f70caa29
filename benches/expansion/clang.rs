//! The peer: OpenCL C to SPIR-V by clang and LLVM's translator.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::least;

const COMPILER: &str = "clang-15";
const TRANSLATOR: &str = "llvm-spirv-15";
const RUNS: usize = 3;

/// The least time that both take for a source; none where they are not installed.
pub(crate) fn time(folder: &Path, source: &str) -> io::Result<Option<Duration>> {
    if !installed(COMPILER) || !installed(TRANSLATOR) {
        return Ok(None);
    }
    let file = folder.join("program.cl");
    fs::write(&file, source)?;
    least((0..RUNS).map(|_| compile(&file))).map(Some)
}

fn installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// How long both take for a file.
fn compile(file: &Path) -> io::Result<Duration> {
    let module = file.with_extension("bc");
    let start = Instant::now();
    let options = [
        "-target",
        "spir64",
        "-cl-std=CL2.0",
        "-O2",
        "-c",
        "-emit-llvm",
        "-Xclang",
        "-finclude-default-header",
    ];
    run(Command::new(COMPILER).args(options).arg(file).arg("-o").arg(&module))?;
    run(Command::new(TRANSLATOR).arg(&module).arg("-o").arg(file.with_extension("spv")))?;
    Ok(start.elapsed())
}

fn run(command: &mut Command) -> io::Result<()> {
    let output = command.output()?;
    if output.status.success() {
        Ok(())
    } else {
        Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}
