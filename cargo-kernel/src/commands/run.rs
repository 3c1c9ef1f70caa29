//! `cargo kernel run`.

use crate::arguments::{Build, Detector, Output};
use crate::cargo::{self, Workspace};
use crate::failure::{Failure, Result};
use crate::print_json;
use serde_json::json;
use std::process::ExitCode;

/// Runs the program or the tests of a crate under detectors of errors, and ends as they do.
pub(crate) fn run(
    detectors: &[Detector],
    build: &Build,
    output: Output,
    rest: &[String],
) -> Result<ExitCode> {
    let workspace = Workspace::of(build)?;
    let task = task(build, &workspace)?;
    let check = names(detectors);
    let mut command = cargo::command();
    command.arg(task).args(build.options("dev"));
    if let Some(folder) = &build.target_dir {
        command.arg("--target-dir").arg(folder);
    }
    command.arg("--").args(rest);
    // Only the CPU device looks for errors.
    command.env("KERNEL_CHECK", &check).env("KERNEL_DEVICE", "cpu");
    let status = command.status().map_err(|error| cargo::cannot_run(&command, &error))?;
    // A signal has no code.
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    if output.json {
        print_json(
            &json!({ "task": task, "check": check, "exit_code": status.code(), "success": status.success() }),
        )?;
    }
    Ok(ExitCode::from(if status.success() { 0 } else { code.max(1) }))
}

/// Returns whether a program runs, or tests do.
fn task(build: &Build, workspace: &Workspace) -> Result<&'static str> {
    if build.chooses_tests() || build.lib || build.all_targets {
        return Ok("test");
    }
    if !build.bin.is_empty() || !build.example.is_empty() || workspace.has_target("bin") {
        return Ok("run");
    }
    if workspace.has_target("lib") { Ok("test") } else { Err(nothing_to_run(workspace)) }
}

fn nothing_to_run(workspace: &Workspace) -> Failure {
    Failure::new(format!("there is nothing to run in {}", workspace.names()))
        .help("`--bin`, `--example`, `--test` and `--package` say what is meant")
}

/// What to look for, as `KERNEL_CHECK` names it.
fn names(detectors: &[Detector]) -> String {
    let named = [(Detector::Races, "races"), (Detector::Memory, "memory")];
    let chosen = named.iter().filter(|(detector, _)| detectors.contains(detector));
    chosen.map(|(_, name)| *name).collect::<Vec<_>>().join(",")
}
