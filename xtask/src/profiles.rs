//! `cargo xtask profiles`: builds a crate with kernels in several ways, and asks it whether its kernels check for overflow as the rest of it does.
//!
//! What the crate does is in `xtask/profiled`. The settings are those of that crate alone, so that nothing else is built anew.

use crate::workspace;
use std::error::Error;

/// A way to build it: arguments of cargo, arguments of rustc, and what rustc makes of its arithmetic.
struct Way {
    cargo: &'static [&'static str],
    rustc: &'static [&'static str],
    is_checked: bool,
}

const fn way(cargo: &'static [&'static str], rustc: &'static [&'static str], is_checked: bool) -> Way {
    Way { cargo, rustc, is_checked }
}

const OVERFLOW_ON: &str = "--config=profile.dev.package.profiled.overflow-checks=true";
const OVERFLOW_OFF: &str = "--config=profile.dev.package.profiled.overflow-checks=false";
const DEBUG_OFF: &str = "--config=profile.dev.package.profiled.debug-assertions=false";
const OPTIMISED: &str = "--config=profile.dev.package.profiled.opt-level=2";
const RELEASE_OVERFLOW_ON: &str = "--config=profile.release.package.profiled.overflow-checks=true";
const RELEASE_DEBUG_ON: &str = "--config=profile.release.package.profiled.debug-assertions=true";

const WAYS: [Way; 16] = [
    way(&[], &[], true),
    way(&[OVERFLOW_OFF], &[], false),
    way(&[OVERFLOW_OFF, DEBUG_OFF], &[], false),
    way(&[OVERFLOW_ON, DEBUG_OFF], &[], true),
    // A profile for development checks, whatever else it says.
    way(&[DEBUG_OFF], &[], true),
    way(&[OPTIMISED], &[], true),
    way(&[OPTIMISED, OVERFLOW_OFF], &[], false),
    way(&["--release"], &[], false),
    way(&["--release", RELEASE_OVERFLOW_ON], &[], true),
    way(&["--release", RELEASE_DEBUG_ON], &[], false),
    // As in `RUSTFLAGS`, which come last.
    way(&[], &["-Coverflow-checks=off"], false),
    way(&[], &["-C", "debug-assertions=off"], false),
    way(&[], &["-O"], false),
    way(&[OVERFLOW_OFF], &["--codegen", "overflow_checks"], true),
    way(&["--release"], &["-C", "debug-assertions=on", "-C", "overflow-checks=no"], false),
    way(&["--release"], &["--codegen=debug-assertions"], true),
];

/// Runs the task, which takes no arguments.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    if !arguments.is_empty() {
        return Err("`profiles` takes no arguments".into());
    }
    let mut complaints = Vec::new();
    for way in &WAYS {
        complaints.extend(complaint(way)?);
    }
    println!("{} passed, {} failed", WAYS.len() - complaints.len(), complaints.len());
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n").into()) }
}

/// What is wrong with a crate that is built in a way, if anything is.
fn complaint(way: &Way) -> Result<Option<String>, Box<dyn Error>> {
    let mut build = workspace::cargo();
    build.env_remove("RUSTFLAGS").args(["rustc", "--package", "profiled", "--quiet"]);
    build.args(way.cargo).arg("--").args(way.rustc);
    workspace::capture(&mut build)?;
    let folder = if way.cargo.contains(&"--release") { "release" } else { "debug" };
    let program = workspace::target().join(folder).join(format!("profiled{}", std::env::consts::EXE_SUFFIX));
    let output = std::process::Command::new(program).output()?;
    let printed = workspace::printed(&output);
    let expected = if way.is_checked { "checked" } else { "wrapping" };
    println!("{} -- {}: {printed}", way.cargo.join(" "), way.rustc.join(" "));
    let is_right = output.status.success() && printed == expected;
    Ok((!is_right).then(|| format!("{:?} {:?}: {printed}, expected {expected}", way.cargo, way.rustc)))
}
