//! Where the project is and how to run its programs.

use std::env;
use std::path::Path;
use std::process::{Command, Output};

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace")
}

/// The folder of build products.
pub(crate) fn target() -> std::path::PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |target| root().join(target))
}

/// The cargo that runs this task, working at the root of the workspace.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs a program to its end.
///
/// # Errors
///
/// That it cannot be started, or all it printed if it fails.
pub(crate) fn capture(command: &mut Command) -> Result<Output, String> {
    let program = command.get_program().display().to_string();
    let output = command.output().map_err(|error| format!("{program} cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    Err(format!("{program} failed ({})\n{}", output.status, printed(&output)))
}

/// Runs a program that prints to the terminal.
///
/// # Errors
///
/// That it cannot be started, or that it fails.
pub(crate) fn run(command: &mut Command) -> Result<(), Box<dyn std::error::Error>> {
    let program = command.get_program().display().to_string();
    let status = command.status().map_err(|error| format!("{program} cannot be run: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} failed ({status})").into()) }
}

/// All that a program printed.
pub(crate) fn printed(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).trim().to_owned()
}
