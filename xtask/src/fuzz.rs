//! `cargo xtask fuzz [--rounds N] [--seed S] [--minutes M] [--sanitizer NAME] [NAME]`: has the fuzz tests of the CPU driver take as many rounds as one likes, from any seed, again
//! and again with other seeds for so long, and under a sanitizer of a nightly compiler.

use crate::workspace;
use std::error::Error;
use std::process::Command;
use std::time::{Duration, Instant};

/// How many rounds each test takes: some minutes.
const ROUNDS: u64 = 2000;

/// The target of which the tests are where there is a sanitizer, so that build scripts have none.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// What is asked for.
struct Options {
    rounds: u64,
    seed: u64,
    minutes: Option<u64>,
    sanitizer: Option<String>,
    name: Option<String>,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self, Box<dyn Error>> {
        let mut this = Self { rounds: ROUNDS, seed: 1, minutes: None, sanitizer: None, name: None };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            let number = |text: &String| text.parse().map_err(|error| format!("{text}: {error}"));
            match argument.as_str() {
                "--rounds" => this.rounds = number(value()?)?,
                "--seed" => this.seed = number(value()?)?,
                "--minutes" => this.minutes = Some(number(value()?)?),
                "--sanitizer" => this.sanitizer = Some(value()?.clone()),
                other if other.starts_with('-') => {
                    return Err(format!("`{other}` is no option of fuzz").into());
                }
                other => this.name = Some(other.to_owned()),
            }
        }
        Ok(this)
    }

    /// Runs the tests from a seed on.
    fn command(&self, seed: u64) -> Command {
        let mut command = match &self.sanitizer {
            None => workspace::cargo(),
            Some(sanitizer) => {
                // The compiler by which this was built is not the one that is wanted.
                let mut command = Command::new("cargo");
                command.current_dir(workspace::root()).env_remove("RUSTUP_TOOLCHAIN").arg("+nightly");
                command.env("RUSTFLAGS", format!("-Zsanitizer={sanitizer}"));
                // Code that is compiled while kernels run belongs to no sanitizer, and what the process still has at its end is no leak of a round.
                command.env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1");
                command.env("CARGO_TARGET_DIR", workspace::target().join("sanitizer"));
                command
            }
        };
        command.args(["test", "--release", "--package", "kernel-cpu", "--test", "fuzz", "--test", "calls"]);
        if self.sanitizer.is_some() {
            command.args(["--target", TARGET]);
        }
        command.arg("--").args(&self.name);
        command.env("KERNEL_CPU_FUZZ_ROUNDS", self.rounds.to_string());
        command.env("KERNEL_CPU_FUZZ_SEED", seed.to_string());
        command
    }
}

/// Runs the task.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let options = Options::parse(arguments)?;
    let time = Duration::from_secs(60 * options.minutes.unwrap_or(0));
    let (start, mut seed) = (Instant::now(), options.seed);
    loop {
        workspace::run(&mut options.command(seed))?;
        seed = seed.wrapping_add(options.rounds);
        if start.elapsed() >= time {
            println!("seeds from {} to {} in {} seconds", options.seed, seed - 1, start.elapsed().as_secs());
            return Ok(());
        }
    }
}
