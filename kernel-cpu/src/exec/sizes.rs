//! The native code of a kernel, by the size of work-groups.

use super::executor::{Executor, SWITCHES, TARGET, is_tried};
use super::log;
use super::trial::{Trial, note_pace};
use crate::native::{Native, Refused};
use crate::program::Program;
use std::panic::catch_unwind;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// For how many sizes of work-groups the code of a kernel is kept.
const MAX_SIZES: usize = 64;

type Outcome = Result<Arc<Native>, Refused>;

/// What is kept of a kernel for each size; the one that came last at the end.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    sizes: Mutex<Vec<Arc<Size>>>,
}

/// What is kept of a kernel for one size of work-groups.
#[derive(Debug)]
pub(super) struct Size {
    group_size: [u32; 3],
    /// How many instructions the kernel has.
    instructions: usize,
    pub(super) trial: Trial,
    outcome: OnceLock<Outcome>,
}

impl Compiled {
    /// Who runs a launch with groups of this size.
    pub(super) fn executor(&self, program: &Program, group_size: [u32; 3]) -> Executor {
        if TARGET.is_none() {
            return Executor::Interpreter;
        }
        let size = self.size(program, group_size);
        match size.outcome.get() {
            Some(outcome) => executor(outcome),
            None if is_tried() => Executor::Trial(size),
            None => executor(size.code(program)),
        }
    }

    /// The code for a size, made if it is not there.
    pub(super) fn code(&self, program: &Program, group_size: [u32; 3]) -> Outcome {
        self.size(program, group_size).code(program).clone()
    }

    /// The bytes of that code; none if there is none.
    pub(super) fn machine_code(&self, program: &Program, group_size: [u32; 3]) -> Option<Vec<u8>> {
        Some(self.code(program, group_size).ok()?.machine_code().to_vec())
    }

    fn size(&self, program: &Program, group_size: [u32; 3]) -> Arc<Size> {
        let mut sizes = self.sizes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(size) = sizes.iter().find(|size| size.group_size == group_size) {
            return Arc::clone(size);
        }
        if sizes.len() == MAX_SIZES {
            drop(sizes.remove(0));
        }
        let size = Arc::new(Size::new(program, group_size));
        sizes.push(Arc::clone(&size));
        size
    }
}

fn executor(outcome: &Outcome) -> Executor {
    match outcome {
        Ok(native) => Executor::Native(Arc::clone(native)),
        Err(_) => Executor::Interpreter,
    }
}

impl Size {
    pub(super) fn new(program: &Program, group_size: [u32; 3]) -> Self {
        let instructions = program.blocks.iter().map(|block| block.insts.len() + 1).sum();
        Self { group_size, instructions, trial: Trial::default(), outcome: OnceLock::new() }
    }

    /// Who runs what is left of a launch, if the interpreter was to be tried no longer.
    pub(super) fn verdict(&self, program: &Program) -> Option<Executor> {
        if let Some(outcome) = self.outcome.get() {
            return Some(executor(outcome));
        }
        self.trial.claim(self.instructions).then(|| executor(self.code(program)))
    }

    /// The code, made if it is not there; meanwhile other threads that want it wait.
    fn code(&self, program: &Program) -> &Outcome {
        self.outcome.get_or_init(|| {
            let Some(target) = *TARGET else { return Err(Refused("no native code is wanted, or possible")) };
            let start = Instant::now();
            // Code that cannot be made for a reason that nobody foresaw is no reason not to run the kernel.
            let outcome = catch_unwind(|| Native::new(program, self.group_size, target, *SWITCHES))
                .unwrap_or(Err(Refused("native code could not be made, which is an error of the driver")))
                .map(Arc::new);
            let time = start.elapsed();
            note_pace(self.instructions, time);
            if log::is_wanted() {
                self.describe(program, &outcome, time);
            }
            outcome
        })
    }

    /// Says what of a kernel the interpreter executes, and how long it took to make code of it.
    fn describe(&self, program: &Program, outcome: &Outcome, time: Duration) {
        let name = format_args!("`{}` with groups of {:?}", program.name, self.group_size);
        match outcome {
            Err(Refused(reason)) => log::line(format_args!("{name} is interpreted: {reason}")),
            Ok(native) => {
                let instructions = self.instructions;
                let (own, bytes, micros) = (native.instructions, native.code_bytes(), time.as_micros());
                log::line(format_args!(
                    "{name}: {instructions} instructions became {own} of the processor, {bytes} bytes of code, in {micros} µs"
                ));
                for (inst, count) in native.interpreted() {
                    log::line(format_args!("{name} has {count} of {inst} interpreted"));
                }
            }
        }
    }
}
