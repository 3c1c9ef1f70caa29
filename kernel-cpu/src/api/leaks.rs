//! What a program leaves behind, told on standard error if memory is checked.

use super::context::Context;
use super::event_pool::EventPool;
use super::module::Module;
use super::registry::all;
use crate::check::checks;
use crate::memory::{Origin, Usage};
use std::ffi::c_int;
use std::fmt;
use std::io::Write;
use std::sync::{Arc, Once};

/// The most things of a context that are listed one by one.
const MOST_LINES: usize = 32;

/// Has what is left behind told at the end of the process.
pub(super) fn watch() {
    static ONCE: Once = Once::new();

    unsafe extern "C" {
        fn atexit(function: extern "C" fn()) -> c_int;
    }

    if checks().memory {
        // If it cannot be registered nothing is told.
        ONCE.call_once(|| {
            // SAFETY: the function may be called at any time, and the one that is registered stays where it is.
            let _ = unsafe { atexit(at_end) };
        });
    }
}

extern "C" fn at_end() {
    // Nobody is left who could be told of a panic.
    let _ = std::panic::catch_unwind(|| {
        for context in all::<Context>().iter().filter(|context| !context.lasts()) {
            tell(context, "the process ends, and has neither destroyed a context nor freed");
        }
    });
}

/// Tells what is left of a context that is destroyed.
pub(super) fn at_destruction(context: &Arc<Context>) {
    if checks().memory {
        tell(context, "a context is destroyed, and the host has not freed");
    }
}

fn tell(context: &Arc<Context>, when: &str) {
    let left = Left::of(context);
    if !left.0.is_empty() {
        // Where standard error is closed there is nobody to tell.
        let _ = writeln!(std::io::stderr(), "kernel-cpu: {when} {left}");
    }
}

/// What is left of a context, a line each.
struct Left(Vec<String>);

impl Left {
    fn of(context: &Arc<Context>) -> Self {
        let mut lines = Vec::new();
        let memory = context.memory.snapshot();
        for allocation in memory.iter().filter(|allocation| allocation.origin != Origin::Counters) {
            let kind = match allocation.usage {
                Usage::Host => "host",
                Usage::Device => "device",
                Usage::Shared => "shared",
                Usage::Module => continue,
            };
            let span = allocation.span();
            lines.push(format!("{} bytes of {kind} memory at {:#x}", span.length, span.start));
        }
        let modules = all::<Module>();
        let of_context = modules.iter().filter(|module| module.is_of(context));
        lines.extend(of_context.map(|module| format!("a module with {}", module.kernel_names())));
        let pools = all::<EventPool>();
        let of_context = pools.iter().filter(|pool| pool.is_of(context));
        lines.extend(of_context.map(|pool| format!("a pool of {} events", pool.count())));
        Self(lines)
    }
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of what was made in it:", self.0.len())?;
        for line in self.0.iter().take(MOST_LINES) {
            write!(f, "\n  {line}")?;
        }
        match self.0.len().saturating_sub(MOST_LINES) {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more"),
        }
    }
}

/// The names of kernels, for a sentence; if there are many, of some.
pub(super) fn named(names: &[String]) -> String {
    /// How many are named.
    const SOME: usize = 4;
    let quoted: Vec<String> = names.iter().take(SOME).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(SOME) {
        _ if names.is_empty() => "no kernels".into(),
        0 => quoted.join(", "),
        more => format!("{} and {more} more kernels", quoted.join(", ")),
    }
}
