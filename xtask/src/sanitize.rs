//! `cargo xtask sanitize`: the tests of the runtime under tools that see what tests by themselves do not.
//!
//! * `address`: AddressSanitizer, with the leaks that it finds,
//! * `thread`: ThreadSanitizer,
//! * `miri`: Miri, for what calls no functions of other libraries,
//! * `models`: `shuttle`, which tries out orders of threads.
//!
//! The CPU driver interprets kernels in the first two, so that the tools see what kernels do too: they do not see through code that the driver makes. All but
//! the last take the nightly toolchain, of which the components that are missing are installed.

use crate::workspace;
use std::error::Error;
use std::process::Command;

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    Address,
    Thread,
    Miri,
    Models,
}

impl Tool {
    const ALL: [Self; 4] = [Self::Models, Self::Miri, Self::Address, Self::Thread];

    const fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Thread => "thread",
            Self::Miri => "miri",
            Self::Models => "models",
        }
    }

    /// The component of the toolchain that it needs.
    const fn component(self) -> Option<&'static str> {
        match self {
            Self::Address | Self::Models => None,
            Self::Thread => Some("rust-src"),
            Self::Miri => Some("miri"),
        }
    }

    /// What is in the environment of its compiler.
    const fn flags(self) -> (&'static str, &'static str) {
        match self {
            Self::Address => ("RUSTFLAGS", "-Zsanitizer=address"),
            Self::Thread => ("RUSTFLAGS", "-Zsanitizer=thread"),
            Self::Miri => {
                ("MIRIFLAGS", "-Zmiri-disable-isolation -Zmiri-permissive-provenance -Zmiri-ignore-leaks")
            }
            Self::Models => ("RUSTFLAGS", "--cfg kernel_model"),
        }
    }

    /// What cargo is told, each a run of its own.
    const fn runs(self) -> &'static [&'static [&'static str]] {
        match self {
            Self::Address => &[
                &["test", "--target", TARGET, "--lib"],
                &["test", "--target", TARGET, "--no-fail-fast", "--test", "*"],
            ],
            // What the standard library does between threads is seen only if it is built so too.
            Self::Thread => {
                &[&["test", "-Zbuild-std", "--target", TARGET, "--no-fail-fast", "--lib", "--tests"]]
            }
            Self::Miri => &[&["miri", "test", "--no-default-features", "--lib"]],
            Self::Models => &[&["test", "--no-default-features", "--lib", "models"]],
        }
    }

    /// The tests that are left out, by parts of their names.
    const fn left_out(self) -> &'static [&'static str] {
        match self {
            // Intel's driver opens libraries in a way that the sanitizers do not take, and what is no loader stays open on purpose.
            Self::Address => &["takes_everything", "take_everything", "with_a_library_that_is_no_loader"],
            // Thousands of programs, one after the other and without threads.
            Self::Thread => &["takes_everything", "take_everything", "whichever_call_fails"],
            // Those that count to millions, and those that start programs.
            Self::Miri => {
                &["the_choice_always_divides_and_fits", "whichever_call_fails", "processes_share_a_directory"]
            }
            Self::Models => &[],
        }
    }

    fn run(self) -> Result<(), Box<dyn Error>> {
        if let Some(component) = self.component() {
            let mut rustup = Command::new("rustup");
            workspace::run(rustup.args(["component", "add", "--toolchain", "nightly", component]))?;
        }
        let (variable, flags) = self.flags();
        for arguments in self.runs() {
            let mut command = match self {
                Self::Models => workspace::cargo(),
                _ => nightly(),
            };
            command.args(*arguments).args(["--package", "kernel-runtime"]).env(variable, flags);
            command.arg("--").args(self.left_out().iter().flat_map(|name| ["--skip", name]));
            command.env("CARGO_TARGET_DIR", workspace::target().join("sanitize").join(self.name()));
            // No other driver than that for the CPU, and no native code.
            command.env("LEVEL_ZERO_LOADER", "/none").env("KERNEL_CPU_EXECUTOR", "interpreter");
            command.env("KERNEL_CPU_THREADS", "2");
            if arguments.contains(&"--lib") {
                // The unit tests have drivers that they leave behind.
                command.env("ASAN_OPTIONS", "detect_leaks=0");
            }
            workspace::run(&mut command)?;
        }
        Ok(())
    }
}

/// The nightly cargo, whatever toolchain runs this task.
fn nightly() -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).current_dir(workspace::root());
    command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    command
}

/// Runs the task.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let tool = |name: &String| {
        let known = Tool::ALL.into_iter().find(|tool| tool.name() == name);
        known
            .ok_or_else(|| format!("`{name}` is no tool; there are {}", Tool::ALL.map(Tool::name).join(", ")))
    };
    let tools = match arguments {
        [] => Tool::ALL.to_vec(),
        names => names.iter().map(tool).collect::<Result<Vec<_>, _>>()?,
    };
    tools.into_iter().try_for_each(|tool| {
        println!("== {}", tool.name());
        tool.run()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_tool_is_refused() {
        let error = run(&["memory".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("`memory`") && error.contains("models, miri, address, thread"), "{error}");
    }
}
