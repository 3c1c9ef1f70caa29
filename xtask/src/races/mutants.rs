//! `cargo xtask races --mutants N`: whether a change that makes a kernel race is noticed.
//!
//! Of each kernel that cannot race, some mutants are made. What the analysis says of each is compared with what the detector of the CPU driver finds in the
//! launches that tests make of the kernel: one that is accepted must not race. A mutant may take forever, so a child process runs them.

use super::change::Change;
use super::races_of;
use crate::child::Reporter;
use crate::device;
use crate::ir;
use crate::kernels::case::Case;
use crate::random::Random;
use crate::workspace;
use catalogue::{KERNELS, Kernel};
use kernel_compiler::analysis::Races;
use kernel_compiler::ir::{Module, Type};
use kernel_core::descriptor::Spirv;
use kernel_core::{FaultFormat, FaultSite, FaultSites, KernelDescriptor, Presumption, SourceLine};
use kernel_runtime::{Device, Error, Queue};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::env;
use std::process::Command;
use std::ptr;
use std::time::Duration;

/// The name on the command line of the task that the child process runs.
pub(crate) const WORKER: &str = "races-worker";

/// How long the launches of a mutant may take.
const PATIENCE: Duration = Duration::from_secs(30);

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Which mutants there are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// How many of each kernel at most.
    mutants: usize,
    /// What chooses them.
    seed: u64,
}

impl Options {
    /// Reads the arguments of the task: these, if they are asked for, and names.
    pub(super) fn parse(arguments: &[String]) -> Result<(Option<Self>, Vec<String>)> {
        let (mut mutants, mut seed, mut names) = (None, 0, Vec::new());
        let mut left = arguments.iter();
        while let Some(argument) = left.next() {
            match argument.as_str() {
                "--mutants" => mutants = Some(left.next().ok_or("`--mutants` takes a number")?.parse()?),
                "--seed" => seed = left.next().ok_or("`--seed` takes a number")?.parse()?,
                option if option.starts_with('-') => {
                    return Err(format!("`races` does not take `{option}`").into());
                }
                name => names.push(name.to_owned()),
            }
        }
        Ok((mutants.map(|mutants| Self { mutants, seed }), names))
    }
}

/// Which mutant it is: the number of the kernel, and that of the mutant of it.
type Number = (usize, usize);

/// Tries mutants, and shows the accepted ones that race.
pub(super) fn run(options: Options, names: &[String]) -> Result<()> {
    let mut tally = Tally::default();
    let mut next = (0, 0);
    loop {
        let mut command = Command::new(env::current_exe()?);
        command.arg(WORKER).args([next.0, next.1, options.mutants].map(|number| number.to_string()));
        command.arg(options.seed.to_string()).args(names).current_dir(workspace::root());
        command.envs([("KERNEL_CHECK", "races"), ("KERNEL_DEVICE", "cpu")]);
        // What it prints of itself are the outputs of kernels.
        command.stderr(std::process::Stdio::null());
        let mut worker = Reporter::start(command, PATIENCE)?;
        let first = next;
        let is_done = tally.follow(&worker, &mut next);
        worker.end();
        if is_done {
            return tally.report();
        }
        if next == first {
            return Err("the process that runs mutants does not start".into());
        }
        *tally.counts.entry("without end".to_owned()).or_default() += 1;
    }
}

/// What has come out.
#[derive(Debug, Default)]
struct Tally {
    /// How many mutants were judged so.
    counts: BTreeMap<String, usize>,
    /// How many of them are accepted and race.
    unsound: usize,
}

impl Tally {
    /// Counts what a worker says until it ends or hangs, and returns whether it has come to its end; moves `next` behind the mutant at which it was.
    fn follow(&mut self, worker: &Reporter, next: &mut Number) -> bool {
        let mut subject = String::new();
        while let Some(line) = worker.line() {
            let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
            if let Some([kernel, mutant]) = message["at"].as_array().map(Vec::as_slice) {
                let number = |value: &Value| value.as_u64().unwrap_or_default() as usize;
                *next = (number(kernel), number(mutant) + 1);
                subject = message["what"].as_str().unwrap_or_default().to_owned();
            } else if let Some(kernel) = message["kernel"].as_u64() {
                // If its analysis has no end, the next one is that of another kernel.
                *next = (kernel as usize + 1, 0);
            } else if let Some(verdict) = message["verdict"].as_str() {
                let race = message["race"].as_str();
                let outcome = if race.is_some() { ", races" } else { "" };
                *self.counts.entry(format!("{verdict}{outcome}")).or_default() += 1;
                if let (ACCEPTED, Some(race)) = (verdict, race) {
                    println!("{subject}: accepted, and {race}");
                    self.unsound += 1;
                }
            } else if message["done"].as_bool().is_some() {
                return true;
            }
        }
        false
    }

    fn report(&self) -> Result<()> {
        for (verdict, count) in &self.counts {
            println!("{count} {verdict}");
        }
        let all: usize = self.counts.values().sum();
        println!("{} passed, {} failed", all - self.unsound, self.unsound);
        if self.unsound > 0 {
            return Err("mutants race that are accepted".into());
        }
        if !self.counts.contains_key("refused, races") {
            return Err("no mutant races, so that nothing is shown".into());
        }
        Ok(())
    }
}

/// What the compiler says of a mutant.
const ACCEPTED: &str = "accepted";
const REFUSED: &str = "refused";
const REFUSED_OTHERWISE: &str = "refused for another reason";

/// Runs mutants from one on; the arguments are its number, how many there are of each kernel, the seed, and what the paths of the kernels contain.
pub(crate) fn run_worker(arguments: &[String]) -> Result<()> {
    let [kernel, mutant, mutants, seed, names @ ..] = arguments else {
        return Err("the worker takes where to begin, how many there are of each, and a seed".into());
    };
    let (first, mutants, seed): (Number, usize, u64) =
        ((kernel.parse()?, mutant.parse()?), mutants.parse()?, seed.parse()?);
    let queue = Device::best()?.queue()?;
    let mut cases = catalogue::cases();
    cases.retain(|case| !case.is_racy());
    for (number, kernel) in KERNELS.iter().enumerate().skip(first.0) {
        if !kernel.is_named(names) {
            continue;
        }
        let mut own: Vec<&mut Case> =
            cases.iter_mut().filter(|case| ptr::eq(case.kernel, kernel.descriptor)).collect();
        if own.is_empty() || is_vouched_for(kernel) {
            continue;
        }
        println!("{}", json!({ "kernel": number }));
        let module = ir::read(kernel)?;
        if has_raw_pointers(&module) || !races_of(kernel, module.clone()).findings.is_empty() {
            continue;
        }
        let chosen = choose(Change::all(&module), mutants, seed ^ number as u64);
        let begin = if number == first.0 { first.1 } else { 0 };
        for (position, change) in chosen.iter().enumerate().skip(begin) {
            let Some(mutant) = change.applied(&module) else { continue };
            println!("{}", json!({ "at": [number, position], "what": format!("{}: {change}", kernel.path) }));
            let (verdict, race) = judge(&queue, kernel, mutant, &mut own);
            println!("{}", json!({ "verdict": verdict, "race": race }));
        }
    }
    println!("{}", json!({ "done": true }));
    Ok(())
}

/// Returns whether the author of a kernel, or that of another module, vouches for something.
fn is_vouched_for(kernel: &Kernel) -> bool {
    let KernelDescriptor { unchecked, races, assumes_distinct, imports, .. } = kernel.descriptor;
    *unchecked || !races.is_empty() || !assumes_distinct.is_empty() || !imports.is_empty()
}

/// Returns whether a kernel may use memory by raw pointers, for which its author, or who launches it, vouches.
fn has_raw_pointers(module: &Module) -> bool {
    module.types.iter().any(|(_, ty)| matches!(ty, Type::Pointer { raw: true, .. }))
}

/// Some of the changes.
fn choose(mut changes: Vec<Change>, count: usize, seed: u64) -> Vec<Change> {
    let mut random = Random::new(seed);
    let mut chosen = Vec::new();
    while chosen.len() < count && !changes.is_empty() {
        chosen.push(changes.swap_remove(random.below(changes.len())));
    }
    chosen
}

/// What the compiler says of a mutant, and the race that the detector finds in it.
fn judge(
    queue: &Queue,
    kernel: &Kernel,
    mut mutant: Module,
    cases: &mut [&mut Case],
) -> (&'static str, Option<String>) {
    let Ok((races, descriptor)) = compiled(kernel, &mut mutant) else { return (REFUSED_OTHERWISE, None) };
    let verdict = if races.findings.is_empty() { ACCEPTED } else { REFUSED };
    let race = cases.iter_mut().find_map(|case| {
        let original = std::mem::replace(&mut case.kernel, descriptor);
        let launched = device::execute(queue, case, device::Checks::All);
        case.kernel = original;
        match launched {
            Err(Error::Driver(error)) => device::race(&error).map(str::to_owned),
            // Launches may also be refused, or fault.
            _ => None,
        }
    });
    (verdict, race)
}

/// What is found of a mutant, and the kernel that it is.
fn compiled(
    kernel: &Kernel,
    mutant: &mut Module,
) -> std::result::Result<(Races, &'static KernelDescriptor), String> {
    let races = races_of(kernel, mutant.clone());
    let translated = kernel_compiler::translate(mutant).map_err(|errors| format!("{errors:?}"))?;
    let words: &'static [u32] = translated.spirv.words.leak();
    let descriptor = KernelDescriptor {
        // SAFETY: the compiler has made it, and the CPU driver checks it.
        spirv: unsafe { Spirv::from_words(words) },
        presumptions: presumptions(&races),
        fault_sites: fault_sites(mutant),
        access_places: kernel_core::AccessPlaces::NONE,
        rank: mutant.rank(),
        hoisted: None,
        small: None,
        ..*kernel.descriptor
    };
    Ok((races, Box::leak(Box::new(descriptor))))
}

fn presumptions(races: &Races) -> &'static [Presumption] {
    let presumptions = races.presumed.iter().cloned().map(|presumption| Presumption {
        text: presumption.text.leak(),
        at: SourceLine {
            file: presumption.at.file.leak(),
            line: presumption.at.line,
            column: presumption.at.column,
        },
        presumed: presumption.presumed,
        parts: presumption.parts.leak(),
    });
    presumptions.collect::<Vec<_>>().leak()
}

/// The places where a kernel can fault, whose messages nobody reads.
fn fault_sites(module: &Module) -> FaultSites {
    let mut text = String::new();
    let mut formats = Vec::new();
    for (number, (_, site)) in (0..).zip(module.sites.iter()) {
        let site_in_text = FaultSite {
            kind: site.kind,
            file: "",
            line: number,
            column: 0,
            message: "",
            reason: "",
            format: None,
        };
        // Writing to a string does not fail.
        let _ = FaultSites::encode(&site_in_text, &mut text);
        let words = site.format.as_ref().map(|format| format.words());
        formats.extend(words.map(|words| (number, FaultFormat { words, write: |_, _| Ok(()) })));
    }
    FaultSites::new(text.leak(), formats.leak())
}
