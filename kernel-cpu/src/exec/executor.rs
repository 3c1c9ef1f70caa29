//! Who runs a kernel: native code, or the interpreter.
//!
//! The environment variable `KERNEL_CPU_EXECUTOR` chooses for the process: `auto`, which is the default, interprets a kernel until it is worth while to make native code of it (see
//! [`trial`](super::trial)); `native` makes the best code that there is for the processor when a kernel is first launched with a size of work-groups; `avx2` makes code that uses no
//! more than AVX2; `interpreter` makes none; and `both` runs native code and the interpreter one after the other, to be compared (see [`compare`](super::compare)), as does
//! `both-avx2`. Results are the same, bit by bit. Native code is made without what `KERNEL_CPU_NATIVE_OFF` names. The [`log`](super::log) says why a kernel has none, and which of its instructions are
//! left to the interpreter.

use super::group::Worker;
use super::launch::{Failure, Kernel, Work};
use super::variable::variable;
use crate::check::{self, checks};
use crate::fault::{Fault, FaultKind};
use crate::program::Site;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

#[cfg(all(target_arch = "x86_64", unix))]
pub(super) use super::sizes::Compiled;
#[cfg(all(target_arch = "x86_64", unix))]
pub(super) use native::{SWITCHES, TARGET, is_tried};
#[cfg(all(target_arch = "x86_64", unix))]
pub(crate) use native::{joins_strips, runs_twice};
#[cfg(not(all(target_arch = "x86_64", unix)))]
pub(super) use none::Compiled;
#[cfg(not(all(target_arch = "x86_64", unix)))]
pub(crate) use none::{joins_strips, runs_twice};

/// The environment variable that chooses.
const VARIABLE: &str = "KERNEL_CPU_EXECUTOR";

/// Who is to run kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Auto,
    Native,
    Avx2,
    Interpreter,
    Both,
    BothAvx2,
}

/// The choice of the process, or what is wrong with it.
static CHOICE: LazyLock<Result<Choice, String>> =
    LazyLock::new(|| parse(&variable(VARIABLE).unwrap_or_default()));

/// Says what is wrong if nobody can run kernels as the environment wants it.
pub(crate) fn check_executor() -> Result<(), &'static str> {
    static PROBLEM: LazyLock<Option<String>> = LazyLock::new(problem);
    PROBLEM.as_deref().map_or(Ok(()), Err)
}

fn problem() -> Option<String> {
    let (choice, checks) = match (&*CHOICE, check::choice()) {
        (Err(problem), _) => return Some(problem.clone()),
        (_, Err(problem)) => return Some(problem.to_string()),
        (Ok(choice), Ok(checks)) => (choice, checks),
    };
    let is_native = !matches!(choice, Choice::Auto | Choice::Interpreter);
    (is_native && checks.any()).then(|| {
        format!(
            "what native code does cannot be checked, so that {VARIABLE} may be `interpreter` or `auto` only"
        )
    })
}

fn parse(text: &str) -> Result<Choice, String> {
    let choice = match text {
        "" | "auto" => Choice::Auto,
        "native" => Choice::Native,
        "interpreter" => Choice::Interpreter,
        "avx2" => Choice::Avx2,
        "both" => Choice::Both,
        "both-avx2" => Choice::BothAvx2,
        _ => {
            return Err(format!(
                "{VARIABLE} is `{text}`, and may be `auto`, `native`, `avx2`, `interpreter`, `both` or `both-avx2`"
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
    /// The interpreter, until native code is worth while.
    #[cfg(all(target_arch = "x86_64", unix))]
    Trial(std::sync::Arc<super::sizes::Size>),
}

impl Executor {
    /// Makes room for the groups of a launch, and fills in what is the same for all of them.
    pub(super) fn prepare(&self, worker: &mut Worker, kernel: &Kernel, work: &Work) {
        match self {
            #[cfg(all(target_arch = "x86_64", unix))]
            Self::Native(native) => worker.prepare_native(native, kernel, work),
            _ => worker.prepare(kernel, &kernel.code, work),
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
            // A panic below native code ends there, as a fault.
            #[cfg(all(target_arch = "x86_64", unix))]
            Self::Native(native) => {
                let first = work.geometry.group(groups.start);
                caught(first, || worker.run_native(native, kernel, work, groups))
            }
            _ => interpret(worker, kernel, work, groups),
        }
    }

    /// Does what [`run`](Self::run) does, and goes over to native code when the trial is over.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub(super) fn run_on_trial(
        &mut self,
        worker: &mut Worker,
        kernel: &Kernel,
        work: &Work,
        mut groups: Range<u64>,
    ) -> Result<(), Failure> {
        while let Self::Trial(size) = self {
            if groups.is_empty() {
                return Ok(());
            }
            if let Some(verdict) = size.verdict(&kernel.program) {
                verdict.prepare(worker, kernel, work);
                *self = verdict;
                break;
            }
            let first = groups.start;
            groups.start += 1;
            size.trial.time(|| interpret(worker, kernel, work, first..first + 1))?;
        }
        self.run(worker, kernel, work, groups)
    }

    #[cfg(not(all(target_arch = "x86_64", unix)))]
    pub(super) fn run_on_trial(
        &mut self,
        worker: &mut Worker,
        kernel: &Kernel,
        work: &Work,
        groups: Range<u64>,
    ) -> Result<(), Failure> {
        self.run(worker, kernel, work, groups)
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
    /// The code of the processor for work-groups of a size, with its constants, made if it is not there; none if the kernel is always interpreted.
    pub(crate) fn machine_code(&self, group_size: [u32; 3]) -> Option<Vec<u8>> {
        self.compiled.machine_code(&self.program, group_size)
    }

    /// Who runs a launch of this shape.
    pub(super) fn executor(&self, work: &Work) -> Executor {
        // Native code checks a read and a write of one place together.
        if work.snapshot.has_read_only() {
            return Executor::Interpreter;
        }
        self.compiled.executor(&self.program, work.geometry.group_size)
    }
}

#[cfg(all(target_arch = "x86_64", unix))]
mod native {
    use super::{CHOICE, Choice, checks};
    use crate::native::{Switches, Target};
    use std::sync::LazyLock;

    /// The processors for which code is made; none if kernels are interpreted.
    pub(in crate::exec) static TARGET: LazyLock<Option<Target>> = LazyLock::new(|| match *CHOICE {
        // What native code does cannot be checked.
        _ if checks().any() => None,
        Ok(Choice::Auto | Choice::Native | Choice::Both) => Target::detect(),
        Ok(Choice::Avx2 | Choice::BothAvx2) => Some(Target::Avx2),
        Ok(Choice::Interpreter) | Err(_) => None,
    });

    pub(in crate::exec) static SWITCHES: LazyLock<Switches> = LazyLock::new(|| {
        let names = std::env::var("KERNEL_CPU_NATIVE_OFF").unwrap_or_default();
        Switches::without(&names).unwrap_or_else(|wrong| {
            eprintln!("kernel-cpu: KERNEL_CPU_NATIVE_OFF names {wrong:?}, which is nothing");
            Switches::default()
        })
    });

    /// Whether subgroups of several strips may be faster than those of one: there are registers for them with AVX-512 only. The interpreter has the subgroups that
    /// native code would have.
    pub(crate) fn joins_strips() -> bool {
        let target = match *CHOICE {
            Ok(Choice::Interpreter) => Target::detect(),
            _ => *TARGET,
        };
        target == Some(Target::Avx512)
    }

    /// Whether kernels are interpreted until native code of them is worth while.
    pub(in crate::exec) fn is_tried() -> bool {
        matches!(*CHOICE, Ok(Choice::Auto))
    }

    /// Whether kernels are run by the interpreter too, from the same memory, to compare.
    pub(crate) fn runs_twice() -> bool {
        matches!(*CHOICE, Ok(Choice::Both | Choice::BothAvx2))
    }
}

#[cfg(not(all(target_arch = "x86_64", unix)))]
mod none {
    use super::Executor;
    use crate::program::Program;

    /// Subgroups of several strips are for the registers of AVX-512.
    pub(crate) fn joins_strips() -> bool {
        false
    }

    /// There is nothing to compare.
    pub(crate) fn runs_twice() -> bool {
        false
    }

    /// There is no native code for this processor.
    #[derive(Debug, Default)]
    pub(in crate::exec) struct Compiled;

    impl Compiled {
        pub(super) fn executor(&self, _: &Program, _: [u32; 3]) -> Executor {
            Executor::Interpreter
        }

        pub(super) fn machine_code(&self, _: &Program, _: [u32; 3]) -> Option<Vec<u8>> {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_names_an_executor() {
        assert_eq!(parse(""), Ok(Choice::Auto));
        assert_eq!(parse("auto"), Ok(Choice::Auto));
        assert_eq!(parse("interpreter"), Ok(Choice::Interpreter));
        assert_eq!(parse("native"), Ok(Choice::Native));
        assert_eq!(parse("both"), Ok(Choice::Both));
        assert_eq!(parse("avx2").is_ok(), has_avx2());
        let error = parse("avx3").unwrap_err();
        assert_eq!(
            error,
            "KERNEL_CPU_EXECUTOR is `avx3`, and may be `auto`, `native`, `avx2`, `interpreter`, `both` or `both-avx2`"
        );
    }
}
