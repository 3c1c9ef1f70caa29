//! `cargo xtask random`: runs random kernels on the host and on consumers of SPIR-V, and compares.
//!
//! 1. [`generate`] makes a program from a seed: a [`tree`] that prints as Rust, once with our attributes and once without.
//! 2. [`batch`] compiles many of them to one executable, linked with the crate `trial`, which knows how to compare.
//! 3. [`consumer`] has it run, on our driver for the CPU and on Intel's OpenCL runtime, and has its modules validated.
//! 4. [`shrink`] makes a program that shows a difference as small as it can, so that it can become a test.

mod batch;
mod consumer;
mod generate;
mod options;
mod prng;
mod rejection;
mod shrink;
mod tree;
mod workers;
mod workshop;

pub(crate) use prng::Random;

use consumer::Consumer;
use options::Options;
use std::error::Error;
use tree::{Program, Style};
use workshop::Workshop;

/// How many differences are shown, shrunk, before the task gives up.
const MAX_DIFFERENCES: usize = 3;

/// Who complains about a program, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Difference {
    source: Source,
    message: String,
}

/// Who complains.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    /// Our compiler refuses what rustc accepts.
    Compiler,
    Consumer(Consumer),
}

/// What came of all programs.
#[derive(Default)]
struct Tally {
    equal: usize,
    /// Programs that rustc did not take either.
    not_rust: Vec<(u64, String)>,
    different: Vec<(Program, Difference)>,
}

impl Tally {
    fn failed(&self) -> usize {
        self.not_rust.len() + self.different.len()
    }

    fn failed_seeds(&self) -> impl Iterator<Item = u64> {
        let not_rust = self.not_rust.iter().map(|(seed, _)| *seed);
        not_rust.chain(self.different.iter().map(|(program, _)| program.seed))
    }

    fn add(&mut self, other: Self) {
        self.equal += other.equal;
        self.not_rust.extend(other.not_rust);
        self.different.extend(other.different);
    }
}

/// Runs the task with the arguments that follow its name.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let options = Options::parse(arguments)?;
    let seeds = options.seed..options.seed.wrapping_add(options.count);
    if options.print {
        seeds.for_each(|seed| println!("{}", generate::program(seed).print(Style::Device)));
        return Ok(());
    }
    let workshop = Workshop::open(&options.consumers, options.overflow)?;
    let tally = workers::try_all(&options, &workshop)?;
    report(&options, &workshop, tally)
}

/// Shows every difference on a program as small as possible.
fn report(options: &Options, workshop: &Workshop, tally: Tally) -> Result<(), Box<dyn Error>> {
    for (seed, message) in &tally.not_rust {
        println!("seed {seed} makes a program that is not Rust\n{message}");
    }
    for (program, difference) in tally.different.iter().take(MAX_DIFFERENCES) {
        println!("seed {} is different: {}", program.seed, difference.source);
        println!("{}", difference.message);
        println!("shrinking…");
        let (small, difference) = shrink::shrink(program, difference, workshop)?;
        println!("{}\n{}", small.print(Style::Device), difference.message);
    }
    println!("{} passed, {} failed", tally.equal, tally.failed());
    if tally.equal as u64 == options.count { Ok(()) } else { Err("programs are different".into()) }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Compiler => f.write_str("refused by the compiler"),
            Self::Consumer(consumer) => consumer.fmt(f),
        }
    }
}
