//! A call that fails because the environment wants it to, so that programs can be tested with errors that do not come by themselves.
//!
//! `KERNEL_CPU_FAIL=7` has the call after seven others fail before it does anything, for want of memory, and `KERNEL_CPU_FAIL=7:lost` because the device is lost. A lost device uses no memory of
//! the host's any more, so that what runs comes to its end first.

use super::context::Context;
use super::last_error::describe;
use super::registry::all;
use crate::exec::variable::variable;
use level_zero_sys::ze_result_t;
use std::io::Write;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How long to wait at most for what runs, since it may itself wait for the host.
const MOST_PATIENCE: Duration = Duration::from_secs(1);

/// The environment variable that names the call.
const FAIL_VARIABLE: &str = "KERNEL_CPU_FAIL";

struct Injected {
    /// How many calls come before it.
    before: u64,
    result: ze_result_t,
    /// How many calls there were.
    calls: AtomicU64,
}

static INJECTED: LazyLock<Option<Injected>> = LazyLock::new(|| {
    let text = variable(FAIL_VARIABLE).filter(|text| !text.is_empty())?;
    let injected = parse(&text);
    if injected.is_none() {
        // Where standard error is closed there is nobody to tell.
        let _ = writeln!(
            std::io::stderr(),
            "kernel-cpu: {FAIL_VARIABLE}={text} is ignored: it is a number of calls, perhaps with `:lost` after it"
        );
    }
    injected
});

/// Fails in the call that is to fail.
pub(super) fn check() -> Result<(), ze_result_t> {
    let Some(Injected { before, result, calls }) = &*INJECTED else { return Ok(()) };
    if calls.fetch_add(1, Ordering::Relaxed) != *before {
        return Ok(());
    }
    // Not by `eprintln!`, which tests capture.
    let _ = writeln!(std::io::stderr(), "kernel-cpu: call {before} fails, as {FAIL_VARIABLE} says");
    if *result == ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST {
        all::<Context>().iter().for_each(|context| context.settle(MOST_PATIENCE));
    }
    describe(format!("{FAIL_VARIABLE} has this call fail"));
    Err(*result)
}

fn parse(text: &str) -> Option<Injected> {
    let (before, result) = match text.split_once(':') {
        None => (text, ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY),
        Some((before, "lost")) => (before, ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST),
        Some(_) => return None,
    };
    Some(Injected { before: before.parse().ok()?, result, calls: AtomicU64::new(0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_named_by_a_number_and_how_it_fails() {
        let parsed = |text| parse(text).map(|injected| (injected.before, injected.result));
        assert_eq!(parsed("7"), Some((7, ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)));
        assert_eq!(parsed("0:lost"), Some((0, ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST)));
        for wrong in ["", "-1", "7:found", "7:", "seven"] {
            assert_eq!(parsed(wrong), None, "{wrong}");
        }
    }
}
