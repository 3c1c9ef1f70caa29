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

use crate::workspace;
use batch::{Executable, Libraries};
use consumer::{Consumer, Machine};
use options::Options;
use rejection::Rejection;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, SyncSender};
use std::thread;
use tree::{Program, Style};

/// How many programs are compiled at once.
const BATCH: u64 = 200;

/// How many differences are shown, shrunk, before the task gives up.
const MAX_DIFFERENCES: usize = 3;

/// Who complains about a program, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Difference {
    source: Source,
    message: String,
}

/// Who complains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// Our compiler refuses what rustc accepts.
    Compiler,
    Consumer(Consumer),
}

/// Programs with their executable.
struct Batch {
    programs: Vec<Program>,
    executable: Executable,
}

/// What came of all programs.
#[derive(Default)]
struct Tally {
    equal: usize,
    /// Programs that rustc did not take either.
    not_rust: Vec<(u64, String)>,
    different: Vec<(Program, Difference)>,
}

/// Runs the task with the arguments that follow its name.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let options = Options::parse(arguments)?;
    let seeds = options.seed..options.seed.wrapping_add(options.count);
    if options.print {
        seeds.for_each(|seed| println!("{}", generate::program(seed).print(Style::Device)));
        return Ok(());
    }
    let machine = Machine::prepare(&options.consumers)?;
    let libraries = Libraries::build()?;
    let tally = try_all(&options, &machine, &libraries)?;
    report(&options, &machine, &libraries, tally)
}

/// Compiles one batch while the one before it runs.
fn try_all(options: &Options, machine: &Machine, libraries: &Libraries) -> Result<Tally, Box<dyn Error>> {
    let (sender, receiver) = mpsc::sync_channel(0);
    let mut tally = Tally::default();
    thread::scope(|scope| {
        scope.spawn(|| compile_all(options, libraries, sender));
        // Leaving this loop early ends the thread too, since nobody receives what it sends.
        for batch in receiver {
            let batch: Batch = batch?;
            let differences = judge(&batch, machine, &options.consumers, &mut tally)?;
            let found = batch.programs.into_iter().zip(differences);
            tally.different.extend(found.filter_map(|(program, found)| Some((program, found?))));
            println!("{} equal, {} different", tally.equal, tally.different.len());
            if tally.different.len() >= MAX_DIFFERENCES {
                break;
            }
        }
        Ok(tally)
    })
}

fn compile_all(options: &Options, libraries: &Libraries, sender: SyncSender<Result<Batch, String>>) {
    for (number, start) in (0..options.count).step_by(BATCH as usize).enumerate() {
        let end = (start + BATCH).min(options.count);
        let programs: Vec<Program> =
            (start..end).map(|index| generate::program(options.seed.wrapping_add(index))).collect();
        // The folder before this one is in use.
        let batch = compiled(programs, libraries, &folder(&format!("batch{}", number % 3)));
        if sender.send(batch.map_err(|error| error.to_string())).is_err() {
            return;
        }
    }
}

fn folder(name: &str) -> PathBuf {
    workspace::target().join("random").join(name)
}

fn compiled(programs: Vec<Program>, libraries: &Libraries, folder: &Path) -> Result<Batch, Box<dyn Error>> {
    let all: Vec<&Program> = programs.iter().collect();
    let executable = batch::compile(libraries, &all, folder)?;
    Ok(Batch { programs, executable })
}

/// Asks every consumer about the programs of a batch; the first that complains about a program is heard.
fn judge(
    batch: &Batch,
    machine: &Machine,
    consumers: &[Consumer],
    tally: &mut Tally,
) -> Result<Vec<Option<Difference>>, Box<dyn Error>> {
    let Batch { programs, executable } = batch;
    let mut differences: Vec<Option<Difference>> = vec![None; programs.len()];
    for (&index, rejection) in &executable.rejected {
        match rejection {
            Rejection::Refused(message) => {
                differences[index] = Some(Difference { source: Source::Compiler, message: message.clone() });
            }
            Rejection::NotRust(message) => tally.not_rust.push((programs[index].seed, message.clone())),
        }
    }
    for &consumer in consumers {
        for (index, message) in machine.complaints(consumer, executable)? {
            let source = Source::Consumer(consumer);
            differences[index].get_or_insert(Difference { source, message });
        }
    }
    let refused = differences.iter().flatten().filter(|found| found.source == Source::Compiler).count();
    tally.equal += executable.programs.len() + refused - differences.iter().flatten().count();
    Ok(differences)
}

/// Shows every difference on a program as small as possible.
fn report(
    options: &Options,
    machine: &Machine,
    libraries: &Libraries,
    tally: Tally,
) -> Result<(), Box<dyn Error>> {
    for (seed, message) in tally.not_rust.iter().take(MAX_DIFFERENCES) {
        println!("seed {seed} makes a program that is not Rust\n{message}");
    }
    for (program, difference) in tally.different.iter().take(MAX_DIFFERENCES) {
        println!("seed {} is different: {}", program.seed, difference.source);
        println!("{}", difference.message);
        println!("shrinking…");
        let (small, difference) = shrink::shrink(program, difference, machine, libraries)?;
        println!("{}\n{}", small.print(Style::Device), difference.message);
    }
    let (different, not_rust) = (tally.different.len(), tally.not_rust.len());
    println!("{} passed, {} failed", tally.equal, different + not_rust);
    if different + not_rust == 0 && tally.equal as u64 == options.count {
        return Ok(());
    }
    Err("programs are different".into())
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Compiler => f.write_str("refused by the compiler"),
            Self::Consumer(consumer) => consumer.fmt(f),
        }
    }
}
