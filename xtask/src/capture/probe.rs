//! Shows that the validation layer is active, by a call that only it objects to.
//!
//! Intel's driver ignores flags of `zeInit` that it does not know, while the layer's parameter validation answers
//! with `ZE_RESULT_ERROR_INVALID_ENUMERATION` (Level Zero core specification, `zeInit`). The loader initialises itself
//! once, so each try is a process of its own.

use super::{Gpu, VALIDATION, captured};
use crate::temporary::TemporaryFolder;
use crate::workspace;
use libloading::{Library, Symbol};
use std::env;
use std::error::Error;

/// The task's name on the command line.
const TASK: &str = "capture-probe";

/// Flags that the specification does not define.
const UNDEFINED_FLAGS: u32 = 0xff;

const SUCCESS: u32 = 0;
const ERROR_INVALID_ENUMERATION: u32 = 0x7800_000c;

/// Calls `zeInit` with undefined flags and prints the result.
pub(crate) fn run(_arguments: &[String]) -> Result<(), Box<dyn Error>> {
    // SAFETY: the loader's initialisers have no preconditions, and the type is that of the function.
    let result = unsafe {
        let loader = Library::new("libze_loader.so.1")?;
        let init: Symbol<'_, unsafe extern "C" fn(u32) -> u32> = loader.get(b"zeInit\0")?;
        init(UNDEFINED_FLAGS)
    };
    println!("{result}");
    Ok(())
}

/// Checks that the layer objects, and that without it nobody does; returns what a driver that is only started captures.
pub(super) fn expect_validation(gpu: &Gpu) -> Result<u64, Box<dyn Error>> {
    let (without, idle) = result(gpu, false)?;
    let (with, _) = result(gpu, true)?;
    if (without, with) != (SUCCESS, ERROR_INVALID_ENUMERATION) {
        return Err(format!(
            "{}: the validation layer is not active: zeInit with undefined flags returned {without:#x} without it \
             and {with:#x} with it",
            gpu.name
        )
        .into());
    }
    println!("{}: the validation layer objects to undefined flags, as it should", gpu.name);
    Ok(idle)
}

/// What `zeInit` returned in a new process, and how much was captured.
fn result(gpu: &Gpu, validate: bool) -> Result<(u32, u64), Box<dyn Error>> {
    let folder = TemporaryFolder::new()?;
    let mut command = gpu.command(&env::current_exe()?, folder.path());
    command.arg(TASK);
    if validate {
        command.envs(VALIDATION);
    }
    let output = workspace::capture(&mut command)?;
    let result = String::from_utf8(output.stdout)?.trim().parse()?;
    Ok((result, captured(folder.path()).unwrap_or(0)))
}
