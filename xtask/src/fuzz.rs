//! `cargo xtask fuzz [--rounds N] [--seed S] [NAME]`: has the fuzz tests of the CPU driver take as many rounds as one likes, from any seed.

use crate::workspace;
use std::error::Error;

/// How many rounds each test takes: some minutes.
const ROUNDS: &str = "2000";

/// Runs the task.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let (mut rounds, mut seed, mut name) = (ROUNDS.to_owned(), "1".to_owned(), None);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => rounds.clone_from(arguments.next().ok_or("--rounds needs a number")?),
            "--seed" => seed.clone_from(arguments.next().ok_or("--seed needs a number")?),
            other if other.starts_with('-') => {
                return Err(format!("`{other}` is no option of fuzz").into());
            }
            other => name = Some(other.to_owned()),
        }
    }
    for number in [&rounds, &seed] {
        number.parse::<u64>().map_err(|error| format!("{number}: {error}"))?;
    }
    let mut command = workspace::cargo();
    command.args(["test", "--release", "--package", "kernel-cpu", "--test", "fuzz", "--"]).args(name);
    command.env("KERNEL_CPU_FUZZ_ROUNDS", rounds).env("KERNEL_CPU_FUZZ_SEED", seed);
    workspace::run(&mut command)
}
