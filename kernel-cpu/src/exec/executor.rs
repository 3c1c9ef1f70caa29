//! Who runs a kernel: the interpreter, or native code where it is asked for and there is some.
//!
//! The environment variable `KERNEL_CPU_EXECUTOR` chooses for the process: `interpreter`, which is the default, or `native`. Native code is made when a
//! kernel is first launched with a size of work-groups. If `KERNEL_CPU_LOG` is set, standard error says why a kernel has none. It is not the default, because
//! it has not run as many random kernels and mutated modules as the interpreter has.

use super::group::Worker;
use super::launch::{Geometry, Kernel, Work};
use crate::fault::Fault;

#[cfg(all(target_arch = "x86_64", unix))]
pub(super) use native::Compiled;
#[cfg(not(all(target_arch = "x86_64", unix)))]
pub(super) use none::Compiled;

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

    /// Executes one group; a fault comes with the number of the work-item.
    pub(super) fn run(
        &self,
        worker: &mut Worker,
        kernel: &Kernel,
        work: &Work,
        group: [u32; 3],
    ) -> Result<(), (Fault, usize)> {
        match self {
            Self::Interpreter => worker.run(kernel, work, group),
            #[cfg(all(target_arch = "x86_64", unix))]
            Self::Native(native) => worker.run_native(native, kernel, work, group),
        }
    }
}

impl Kernel {
    /// Who runs a launch of this shape.
    pub(super) fn executor(&self, geometry: Geometry) -> Executor {
        self.compiled.executor(&self.program, geometry.group_size)
    }
}

#[cfg(all(target_arch = "x86_64", unix))]
mod native {
    use super::Executor;
    use crate::native::{Native, Refused};
    use crate::program::Program;
    use std::sync::{Arc, LazyLock, Mutex, PoisonError};

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
            if !*IS_WANTED {
                return Executor::Interpreter;
            }
            match self.code(program, group_size) {
                Ok(native) => Executor::Native(native),
                Err(_) => Executor::Interpreter,
            }
        }

        /// The code for a size, made if it is not there; meanwhile other threads that want some of this kernel wait.
        pub(in crate::exec) fn code(&self, program: &Program, group_size: [u32; 3]) -> Outcome {
            let mut sizes = self.sizes.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, outcome)) = sizes.iter().find(|(size, _)| *size == group_size) {
                return outcome.clone();
            }
            if sizes.len() == MAX_SIZES {
                drop(sizes.remove(0));
            }
            let outcome = Native::new(program, group_size).map(Arc::new);
            if *IS_LOGGED {
                let kernel = format_args!("kernel-cpu: `{}` with groups of {group_size:?}", program.name);
                match &outcome {
                    Err(Refused(reason)) => eprintln!("{kernel} is interpreted: {reason}"),
                    Ok(native) if native.interpreted != 0 => {
                        eprintln!("{kernel} has {} instructions that are interpreted", native.interpreted);
                    }
                    Ok(_) => {}
                }
            }
            sizes.push((group_size, outcome.clone()));
            outcome
        }
    }

    static IS_WANTED: LazyLock<bool> = LazyLock::new(|| {
        let chosen = std::env::var("KERNEL_CPU_EXECUTOR");
        matches!(chosen.as_deref(), Ok("native")) && crate::native::is_available()
    });

    static IS_LOGGED: LazyLock<bool> = LazyLock::new(|| std::env::var_os("KERNEL_CPU_LOG").is_some());
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
