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

    fn run(self) -> Result<(), Box<dyn Error>> {
        if let Some(component) = self.component() {
            let mut rustup = Command::new("rustup");
            workspace::run(rustup.args(["component", "add", "--toolchain", "nightly", component]))?;
        }
        let mut command = match self {
            Self::Models => workspace::cargo(),
            _ => nightly(),
        };
        command.env("CARGO_TARGET_DIR", workspace::target().join("sanitize").join(self.name()));
        match self {
            Self::Address => {
                command.env("RUSTFLAGS", "-Zsanitizer=address");
                // Drivers and what they gave out live as long as the process, and are reached from statics.
                command.env("ASAN_OPTIONS", "detect_stack_use_after_return=1");
                command.args(["test", "--package", "kernel-runtime", "--lib", "--tests"]);
                command.args(["--target", TARGET]);
            }
            Self::Thread => {
                command.env("RUSTFLAGS", "-Zsanitizer=thread");
                command.args(["test", "--package", "kernel-runtime", "--lib", "--tests"]);
                // What the standard library does between threads is seen only if it is built so too.
                command.args(["-Zbuild-std", "--target", TARGET]);
            }
            Self::Miri => {
                command.env("MIRIFLAGS", "-Zmiri-disable-isolation -Zmiri-permissive-provenance");
                command.args(["miri", "test", "--package", "kernel-runtime", "--no-default-features"]);
                command.args(["--lib", "--"]).args(SKIPPED.iter().flat_map(|name| ["--skip", name]));
            }
            Self::Models => {
                command.env("RUSTFLAGS", "--cfg kernel_model");
                command.args(["test", "--package", "kernel-runtime", "--no-default-features"]);
                command.args(["--lib", "models"]);
            }
        }
        command.env("KERNEL_CPU_EXECUTOR", "interpreter").env("KERNEL_CPU_THREADS", "2");
        workspace::run(&mut command)
    }
}

/// The tests that call functions of other libraries, which Miri does not, or that count to millions.
const SKIPPED: [&str; 1] = ["the_choice_always_divides_and_fits"];

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
