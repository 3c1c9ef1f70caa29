//! Who runs a kernel: the interpreter, or native code where it is asked for and there is some.
//!
//! The environment variable `KERNEL_CPU_EXECUTOR` chooses for the process: `interpreter`, which is the default; `native`, the best code that there is for the
//! processor; `avx2`, code that uses no more than AVX2; or `both`, native code and the interpreter one after the other, to be compared (see
//! [`compare`](super::compare)), as does `both-avx2`. Native code is made when a kernel is first launched with a size of work-groups, without what
//! `KERNEL_CPU_NATIVE_OFF` names. The [`log`] says why a kernel has none, and which of its instructions are left to the interpreter. It is not
//! the default, because one random kernel in some thousands, of loops that are left from within others, still has another result.

use super::group::Worker;
use super::launch::{Failure, Geometry, Kernel, Work};
use super::variable::variable;
use crate::fault::{Fault, FaultKind};
use crate::program::Site;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

#[cfg(all(target_arch = "x86_64", unix))]
pub(super) use native::{Compiled, is_compared};
#[cfg(not(all(target_arch = "x86_64", unix)))]
pub(super) use none::Compiled;

/// The environment variable that chooses.
const VARIABLE: &str = "KERNEL_CPU_EXECUTOR";

/// Who is to run kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Interpreter,
    Native,
    Avx2,
    Both,
    BothAvx2,
}

/// The choice of the process, or what is wrong with it.
static CHOICE: LazyLock<Result<Choice, String>> =
    LazyLock::new(|| parse(&variable(VARIABLE).unwrap_or_default()));

/// Says what is wrong if nobody can run kernels as the environment wants it.
pub(crate) fn check_executor() -> Result<(), &'static str> {
    CHOICE.as_ref().map(|_| ()).map_err(String::as_str)
}

fn parse(text: &str) -> Result<Choice, String> {
    let choice = match text {
        "" | "interpreter" => Choice::Interpreter,
        "native" => Choice::Native,
        "avx2" => Choice::Avx2,
        "both" => Choice::Both,
        "both-avx2" => Choice::BothAvx2,
        _ => {
            return Err(format!(
                "{VARIABLE} is `{text}`, and may be `interpreter`, `native`, `avx2`, `both` or `both-avx2`"
            ));
        }
    };
    match choice {
        Choice::Avx2 | Choice::BothAvx2 if !has_avx2() => {
            Err(format!("{VARIABLE} is `{text}`, and this processor does not have it"))
        }
        choice => Ok(choice),
    }
}

#[cfg(all(target_arch = "x86_64", unix))]
fn has_avx2() -> bool {
    crate::native::Target::Avx2.is_available()
}

#[cfg(not(all(target_arch = "x86_64", unix)))]
fn has_avx2() -> bool {
    false
}

/// Who runs a launch.
pub(super) enum Executor {
    Interpreter,
    #[cfg(all(target_arch = "x86_64", unix))]
    Native(std::sync::Arc<crate::native::Native>),
}

impl Executor {
    /// Makes room for the groups of a launch, and fills in what is the same for all of them.
    pub(super) fn prepare(&self, worker: &mut Worker, kernel: &Kernel, work: &Work) {
        match self {
            Self::Interpreter => worker.prepare(kernel, &kernel.code, work),
            #[cfg(all(target_arch = "x86_64", unix))]
            Self::Native(native) => worker.prepare_native(native, kernel, work),
        }
    }

    /// Executes groups in their order, until one fails, or one of another thread has.
    pub(super) fn run(
        &self,
        worker: &mut Worker,
        kernel: &Kernel,
        work: &Work,
        groups: Range<u64>,
    ) -> Result<(), Failure> {
        match self {
            Self::Interpreter => interpret(worker, kernel, work, groups),
            // A panic below native code ends there, as a fault.
            #[cfg(all(target_arch = "x86_64", unix))]
            Self::Native(native) => {
                let first = work.geometry.group(groups.start);
                caught(first, || worker.run_native(native, kernel, work, groups))
            }
        }
    }
}

fn interpret(worker: &mut Worker, kernel: &Kernel, work: &Work, groups: Range<u64>) -> Result<(), Failure> {
    for number in groups.take_while(|_| !work.has_failed()) {
        let group = work.geometry.group(number);
        let failure = |(fault, item)| Failure { fault, group, item };
        caught(group, || worker.run(kernel, work, group).map_err(failure))?;
    }
    Ok(())
}

/// What executes groups, a panic of which is a fault.
fn caught(group: [u32; 3], run: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    let fault = Fault { kind: FaultKind::Panic, site: Site(0), lane: 0 };
    // A worker keeps nothing that a panic could leave half done: the next group starts from what the launch fixes.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(Err(Failure { fault, group, item: 0 }))
}

impl Kernel {
    /// Who runs a launch of this shape.
    pub(super) fn executor(&self, geometry: Geometry) -> Executor {
        self.compiled.executor(&self.program, geometry.group_size)
    }
}

#[cfg(all(target_arch = "x86_64", unix))]
mod native {
    use super::{CHOICE, Choice, Executor};
    use crate::exec::log;
    use crate::native::{Native, Refused, Switches, Target};
    use crate::program::Program;
    use std::sync::{Arc, LazyLock, Mutex, PoisonError};
    use std::time::{Duration, Instant};

    /// For how many sizes of work-groups the code of a kernel is kept.
    const MAX_SIZES: usize = 64;

    type Outcome = Result<Arc<Native>, Refused>;

    /// The native code of a kernel, by the size of work-groups; the one used last at the end.
    #[derive(Debug, Default)]
    pub(in crate::exec) struct Compiled {
        sizes: Mutex<Vec<([u32; 3], Outcome)>>,
    }

    impl Compiled {
        pub(super) fn executor(&self, program: &Program, group_size: [u32; 3]) -> Executor {
            match self.code(program, group_size) {
                Ok(native) => Executor::Native(native),
                Err(_) => Executor::Interpreter,
            }
        }

        /// The code for a size, made if it is not there; meanwhile other threads that want some of this kernel wait.
        pub(in crate::exec) fn code(&self, program: &Program, group_size: [u32; 3]) -> Outcome {
            let Some(target) = *TARGET else { return Err(Refused("no native code is wanted, or possible")) };
            let mut sizes = self.sizes.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, outcome)) = sizes.iter().find(|(size, _)| *size == group_size) {
                return outcome.clone();
            }
            if sizes.len() == MAX_SIZES {
                drop(sizes.remove(0));
            }
            let start = Instant::now();
            let outcome = Native::new(program, group_size, target, *SWITCHES).map(Arc::new);
            if log::is_wanted() {
                describe(program, group_size, &outcome, start.elapsed());
            }
            sizes.push((group_size, outcome.clone()));
            outcome
        }
    }

    /// Says what of a kernel the interpreter executes, and how long it took to make code of it.
    fn describe(program: &Program, group_size: [u32; 3], outcome: &Outcome, time: Duration) {
        let name = format_args!("`{}` with groups of {group_size:?}", program.name);
        match outcome {
            Err(Refused(reason)) => log::line(format_args!("{name} is interpreted: {reason}")),
            Ok(native) => {
                let instructions: usize = program.blocks.iter().map(|block| block.insts.len() + 1).sum();
                let (bytes, micros) = (native.code_bytes(), time.as_micros());
                log::line(format_args!(
                    "{name}: {instructions} instructions became {bytes} bytes of code in {micros} µs"
                ));
                for (inst, count) in native.interpreted() {
                    log::line(format_args!("{name} has {count} of {inst} interpreted"));
                }
            }
        }
    }

    /// The processors for which code is made; none if kernels are interpreted.
    static TARGET: LazyLock<Option<Target>> = LazyLock::new(|| match *CHOICE {
        Ok(Choice::Native | Choice::Both) => Target::detect(),
        Ok(Choice::Avx2 | Choice::BothAvx2) => Some(Target::Avx2),
        Ok(Choice::Interpreter) | Err(_) => None,
    });

    static SWITCHES: LazyLock<Switches> = LazyLock::new(|| {
        let names = std::env::var("KERNEL_CPU_NATIVE_OFF").unwrap_or_default();
        Switches::without(&names).unwrap_or_else(|wrong| {
            eprintln!("kernel-cpu: KERNEL_CPU_NATIVE_OFF names {wrong:?}, which is nothing");
            Switches::default()
        })
    });

    /// Whether kernels are run by the interpreter too, to compare.
    pub(in crate::exec) fn is_compared() -> bool {
        matches!(*CHOICE, Ok(Choice::Both | Choice::BothAvx2))
    }
}

#[cfg(not(all(target_arch = "x86_64", unix)))]
mod none {
    use super::Executor;
    use crate::program::Program;

    /// There is no native code for this processor.
    #[derive(Debug, Default)]
    pub(in crate::exec) struct Compiled;

    impl Compiled {
        pub(super) fn executor(&self, _: &Program, _: [u32; 3]) -> Executor {
            Executor::Interpreter
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_names_an_executor() {
        assert_eq!(parse(""), Ok(Choice::Interpreter));
        assert_eq!(parse("interpreter"), Ok(Choice::Interpreter));
        assert_eq!(parse("native"), Ok(Choice::Native));
        assert_eq!(parse("both"), Ok(Choice::Both));
        assert_eq!(parse("avx2").is_ok(), has_avx2());
        let error = parse("avx3").unwrap_err();
        assert_eq!(
            error,
            "KERNEL_CPU_EXECUTOR is `avx3`, and may be `interpreter`, `native`, `avx2`, `both` or `both-avx2`"
        );
    }
}
