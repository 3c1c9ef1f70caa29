//! `cargo xtask checks`: which checks remain in the kernels of the examples, tests and benchmarks, and why.
//!
//! What remains in the benchmarks and examples, and of overflow in some kernels that ask for it, is kept in `benches/checks.txt`, so that no check comes
//! back unnoticed.

use crate::workspace;
use catalogue::{KERNELS, Kernel};
use kernel_core::{FaultKind, FaultSite, Presumed};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// The kernels that have no check in launches whose arguments fit.
const WITHOUT_CHECKS: [&str; 11] = [
    "benches::atomics::histogram",
    "benches::corpus::mandelbrot",
    "benches::corpus::matmul_tiled",
    "benches::corpus::nbody",
    "benches::corpus::saxpy",
    "benches::corpus::stencil2d",
    "benches::corpus::struct_params",
    "benches::corpus::transpose",
    "benches::groups::dot_local",
    "benches::groups::dot_subgroup",
    "benches::groups::scan_block",
];

/// The modules whose kernels are kept. Those of the last one ask for overflow to be checked, which is not done in the others, as in a release build.
const KEPT: [&str; 3] = ["benches::", "examples::", "overflow_checks::forms::"];

/// Runs the task with the arguments that follow its name.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    match arguments {
        [option] if option == "--check" => check(),
        [option] if option == "--write" => {
            fs::write(document(), kept())?;
            println!("wrote {}", document().display());
            Ok(())
        }
        names if names.iter().any(|name| name.starts_with('-')) => {
            Err("`checks` takes names, or one of `--check` and `--write`".into())
        }
        names => {
            let is_meant = |kernel: &&Kernel| names.is_empty() || names.iter().any(|name| has(kernel, name));
            let found: Vec<&Kernel> = KERNELS.iter().filter(is_meant).collect();
            if found.is_empty() {
                return Err("no kernel has such a name".into());
            }
            found.into_iter().for_each(|kernel| print!("{}", listing(kernel)));
            Ok(())
        }
    }
}

/// Returns whether a part of the path of a kernel is a name, whatever its case.
fn has(kernel: &Kernel, name: &str) -> bool {
    kernel.path.to_lowercase().contains(&name.to_lowercase())
}

fn document() -> PathBuf {
    workspace::root().join("benches/checks.txt")
}

/// Compares what remains with what is kept.
fn check() -> Result<(), Box<dyn Error>> {
    for path in WITHOUT_CHECKS {
        let kernel = KERNELS.iter().find(|kernel| kernel.path == path);
        let kernel = kernel.ok_or_else(|| format!("there is no kernel {path}"))?;
        let can_fault = match kernel.descriptor.hoisted {
            Some(hoisted) => hoisted.can_fault,
            None => kernel.descriptor.has_fault_record(),
        };
        if can_fault {
            return Err(format!("no check may remain here, but\n{}", listing(kernel)).into());
        }
    }
    let (stated, found) = (fs::read_to_string(document())?, kept());
    let unexpected = found.lines().find(|line| !stated.lines().any(|stated| stated == *line));
    let missing = stated.lines().find(|line| !found.lines().any(|found| found == *line));
    match (unexpected, missing) {
        _ if stated == found => {
            println!("{} passed, 0 failed", found.lines().filter(|line| !line.starts_with(' ')).count());
            Ok(())
        }
        (Some(line), _) => Err(format!("not in benches/checks.txt, which --write renews:\n{line}").into()),
        (None, Some(line)) => {
            Err(format!("only in benches/checks.txt, which --write renews:\n{line}").into())
        }
        (None, None) => Err("benches/checks.txt has another order; --write renews it".into()),
    }
}

fn kept() -> String {
    let is_kept = |kernel: &&Kernel| KEPT.iter().any(|module| kernel.path.starts_with(module));
    KERNELS.iter().filter(is_kept).map(listing).collect()
}

/// A kernel and the checks that remain in it, each with its place and its reason; what is inlined several times says how often.
fn listing(kernel: &Kernel) -> String {
    let sites = kernel.descriptor.fault_sites;
    let hoisted = kernel.descriptor.hoisted.map_or(0, |hoisted| hoisted.sites.len());
    let count = match (sites.len(), hoisted) {
        (0, _) => "no checks".to_owned(),
        (1, 0) => "1 check".to_owned(),
        (count, 0) => format!("{count} checks"),
        (1, _) => "1 check, hoisted".to_owned(),
        (count, hoisted) => format!("{count} checks, {hoisted} of them hoisted"),
    };
    let vouched = if kernel.descriptor.unchecked { ", unsafe(unchecked)" } else { "" };
    let mut text = format!("{}: {count}{vouched}\n", kernel.path);
    for presumption in kernel.descriptor.presumptions {
        let kernel_core::SourceLine { file, line, column } = presumption.at;
        let presumed = presumption_text(presumption.text, presumption.presumed);
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {}:{line}:{column}: at each launch: {presumed}", straight(file));
    }
    let mut lines: BTreeMap<_, (FaultSite<'_>, u32)> = BTreeMap::new();
    for (number, site) in (0..).zip(sites.iter()) {
        let reason = hoisted_where(kernel, number).unwrap_or_else(|| site.reason.to_owned());
        let key = (straight(site.file), site.line, site.column, name(site.kind), reason);
        lines.entry(key).or_insert((site, 0)).1 += 1;
    }
    for ((file, .., reason), (FaultSite { kind, line, column, .. }, count)) in lines {
        let times = if count == 1 { String::new() } else { format!(", {count} times") };
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {file}:{line}:{column}: {}{times}: {reason}", name(kind));
    }
    text
}

/// Where the host finds for the whole launch that the check of a site cannot fail, if it can.
fn hoisted_where(kernel: &Kernel, site: u32) -> Option<String> {
    let hoisted = kernel.descriptor.hoisted?;
    let conditions = hoisted.conditions_of(site)?;
    let texts: Vec<_> = conditions.map(|condition| format!("`{}`", condition.text)).collect();
    Some(format!("hoisted where {}", texts.join(" and ")))
}

/// What a launch has to see to.
pub(crate) fn presumption_text(text: &str, presumed: Presumed) -> String {
    match presumed {
        Presumed::Fits => format!("`{text}` does not wrap around"),
        Presumed::PowerOfTwo => format!("`{text}` is a power of two"),
        Presumed::One => format!("`{text}` is one"),
        Presumed::Positive => format!("`{text}` is not zero"),
        Presumed::Apart => format!("`{text}` are apart"),
    }
}

/// A path without the steps up that modules elsewhere bring into it.
fn straight(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match (part, parts.last()) {
            ("..", Some(&last)) if last != ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// A kind in words, without the values of a fault.
fn name(kind: FaultKind) -> String {
    let mut words = String::new();
    for letter in format!("{kind:?}").chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}
