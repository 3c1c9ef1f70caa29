//! What `#[kernel]` adds to the time of a build, beside what clang and LLVM's translator take for the same kernels.
//!
//! Each program is checked with its attributes and without them; the difference is the cost of the expansion and of what rustc
//! does with what comes out of it, once with the macro built as in a debug build and once with it optimised. The columns
//! `expansion` have rustc's own figure for the expansion alone, and the column `MB` has what it adds to the memory of rustc. Each figure is the least of several runs. The column of clang is
//! empty where the program has no counterpart in OpenCL C, or clang-15 and llvm-spirv-15 are not installed. With `--compared`, only programs that have one are measured, and no
//! build from nothing.

mod clang;
mod program;
mod project;

use std::env;
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::program::Program;
use crate::project::{Macro, Project};

fn main() -> io::Result<()> {
    let only_compared = env::args().any(|argument| argument == "--compared");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("expansion");
    let debug = Project::create(&folder.join("debug"), Macro::Debug)?;
    let optimised = Project::create(&folder.join("optimised"), Macro::Optimised)?;
    if !only_compared {
        let time = debug.build_cold()?.as_secs_f64();
        println!("A build from nothing, with one kernel and no CPU driver: {time:.1} s\n");
    }
    println!(
        "{:<44} {:>9} {:>9} {:>5} {:>11} {:>9} {:>9}",
        "ms per kernel", "debug", "expansion", "MB", "optimised", "expansion", "clang"
    );
    for program in programs().into_iter().filter(|program| program.c.is_some() || !only_compared) {
        let costs = [debug.cost(&program)?, optimised.cost(&program)?];
        let memory = costs[0].memory;
        let [debug, optimised] =
            costs.map(|cost| [cost.all, cost.expansion].map(|time| program.per_kernel(time)));
        let clang = match &program.c {
            Some(source) => clang::time(&folder, source)?.map(|time| program.per_kernel(time)),
            None => None,
        };
        let [all, expansion] = debug;
        kernel_benches::record("expansion", &program.name, "macro in a debug build", all)?;
        print!("{:<44} {all:>9.2} {expansion:>9.2} {memory:>5}", program.name);
        let [all, expansion] = optimised;
        println!(" {all:>11.2} {expansion:>9.2} {:>9}", shown(clang));
        kernel_benches::record("expansion", &program.name, "macro optimised", all)?;
        if let Some(time) = clang {
            kernel_benches::record("expansion", &program.name, "clang", time)?;
        }
    }
    Ok(())
}

/// The programs, from the smallest kernels to those that show how the cost grows.
fn programs() -> Vec<Program> {
    let mut programs: Vec<Program> = [(10, 50), (50, 20), (200, 5), (1000, 1), (2500, 1), (5000, 1)]
        .map(|(lines, kernels)| Program::lines(lines, kernels))
        .into();
    programs.push(Program::lines(50, 20).vouched());
    programs.extend([10, 50, 100, 400, 800].map(Program::chain));
    programs.extend([1, 10].map(|kernels| Program::module(100, kernels)));
    programs.extend([1, 2, 4, 8].map(Program::instances));
    programs
}

fn shown(milliseconds: Option<f64>) -> String {
    milliseconds.map_or_else(String::new, |time| format!("{time:.2}"))
}

/// The least of several durations.
fn least(runs: impl IntoIterator<Item = io::Result<Duration>>) -> io::Result<Duration> {
    runs.into_iter().try_fold(Duration::MAX, |least, run| Ok(least.min(run?)))
}
