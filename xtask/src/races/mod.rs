//! `cargo xtask races`: whether the kernels of the examples, tests and benchmarks can race, as far as the analysis can tell.
//!
//! The analysis is applied to what lowering leaves of each kernel, as `cargo xtask ir --lowered` shows it. It is tried on kernels that a [`change`] has come to
//! ([`mutants`]).

mod change;
mod mutants;

pub(crate) use mutants::{WORKER, run_worker};

use crate::checks;
use crate::ir;
use catalogue::{KERNELS, Kernel};
use kernel_compiler::analysis::{self, Class, Finding, Races};
use kernel_compiler::ir::Module;
use std::collections::BTreeMap;
use std::error::Error;

/// The sets that are counted by themselves, each by the start of its paths; the last one is all.
const SETS: [(&str, &str); 3] = [("benches", "benches::"), ("examples", "examples::"), ("all", "")];

/// Runs the task with the arguments that follow its name.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    match mutants::Options::parse(arguments)? {
        (Some(options), names) => mutants::run(options, &names),
        (None, names) => list(&names),
    }
}

/// Lists what is found of kernels.
fn list(names: &[String]) -> Result<(), Box<dyn Error>> {
    let mut counts: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for kernel in KERNELS.iter().filter(|kernel| kernel.is_named(names)) {
        let races = races_of(kernel, ir::read(kernel)?);
        let verdict = verdict(&races);
        if !names.is_empty() || verdict != "proved" {
            print!("{}", listing(kernel, &verdict, &races));
        }
        for (set, _) in SETS.iter().filter(|(_, start)| kernel.path.starts_with(start)) {
            *counts.entry((set, verdict.clone())).or_default() += 1;
        }
    }
    for (set, _) in SETS {
        let of_set = counts.iter().filter(|((other, _), _)| *other == set);
        let counts: Vec<String> = of_set.map(|((_, verdict), count)| format!("{count} {verdict}")).collect();
        if !counts.is_empty() {
            println!("{set}: {}", counts.join(", "));
        }
    }
    Ok(())
}

/// What is found of a module that lowering leaves of a kernel.
fn races_of(kernel: &Kernel, mut module: Module) -> Races {
    analysis::keep_fault_exits(&mut module);
    let exempt = kernel.descriptor.races;
    analysis::races_but_for(&module, |name| exempt.contains(&name))
}

/// The answer about a kernel as a whole: the worst about its objects.
fn verdict(races: &Races) -> String {
    let worst: Option<Class> = races.findings.iter().map(|finding| finding.class).max();
    match worst {
        Some(class) => class.to_string(),
        None if races.presumed.is_empty() => "proved".to_owned(),
        None => "launch condition".to_owned(),
    }
}

fn listing(kernel: &Kernel, verdict: &str, races: &Races) -> String {
    let mut text = format!("{}: {verdict}\n", kernel.path);
    for Finding { elements: [one, other], deeds: [first, second], class, pair, .. } in &races.findings {
        let pair = if pair.is_empty() { String::new() } else { format!("; {pair}") };
        text += &format!("  {class}: `{one}` is {first}, `{other}` is {second}{pair}\n");
    }
    for presumed in &races.presumed {
        text += &format!(
            "  a launch sees to it: {}\n",
            checks::presumption_text(&presumed.text, presumed.presumed)
        );
    }
    text
}
