//! `cargo xtask native`: has the tests of the CPU driver, the kernels of `tests/kernels` and the examples run by native code and by the interpreter.
//!
//! The driver compares the two itself, `KERNEL_CPU_EXECUTOR=both`. What is left to be done is to start all this, and to read the driver's log: no launch may differ,
//! and no kernel may have no native code.

use crate::temporary::TemporaryFolder;
use crate::workspace;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::Path;

/// The tests of the driver that are about something which two executors cannot do, to run without allocating and at the same time, and those that generate kernels
/// larger than native code is made for.
const LEFT_OUT: [&str; 4] = ["allocations", "large", "on_demand", "stopping"];

const EXAMPLES: [&str; 5] = ["blur", "mandelbrot", "matmul", "nbody", "saxpy"];

const DIFFERENT: &str = "which is an error of the driver";
const WHOLE: &str = " is interpreted: ";
const PARTS: &str = " interpreted";

/// Runs the task.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let options = Options::parse(arguments)?;
    let mut wrong = Vec::new();
    for off in &options.off {
        if !off.is_empty() {
            println!("\nwithout {off}");
        }
        wrong.extend(compare(&options, off)?.map(|wrong| format!("{wrong}, without {off:?}")));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Options {
    executor: &'static str,
    /// What is switched off, in one run after the other.
    off: Vec<String>,
    /// Whether only the tests of kernels are run.
    is_part: bool,
    /// Parts of the names of those that are, if not all of them are.
    names: Vec<String>,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options =
            Self { executor: "both", off: vec![String::new()], is_part: false, names: Vec::new() };
        let mut arguments = arguments.iter();
        while let Some(name) = arguments.next() {
            match name.as_str() {
                "--avx2" => options.executor = "both-avx2",
                "--part" => options.is_part = true,
                "--each" => {
                    options.off = kernel_cpu::native_switches().into_iter().map(String::from).collect()
                }
                "--off" => options.off = vec![arguments.next().ok_or("`--off` needs names")?.clone()],
                other if other.starts_with('-') => return Err(format!("`native` has no option `{other}`")),
                name => options.names.push(name.to_owned()),
            }
        }
        options.is_part |= !options.names.is_empty();
        Ok(options)
    }
}

/// Runs all with some switches off; returns what is wrong.
fn compare(options: &Options, off: &str) -> Result<Option<String>, Box<dyn Error>> {
    let folder = TemporaryFolder::new()?;
    let path = folder.path().join("log");
    let mut failed = Vec::new();
    for part in parts()?.into_iter().take(if options.is_part { 1 } else { usize::MAX }) {
        println!("cargo {}", part.join(" "));
        let mut command = workspace::cargo();
        command.args(&part);
        if options.is_part && !options.names.is_empty() {
            command.arg("--").args(&options.names);
        }
        command.env("KERNEL_CPU_LOG", &path).env("KERNEL_CPU_NATIVE_OFF", off);
        // Launches of other threads would be compared too.
        command.env("KERNEL_CPU_EXECUTOR", options.executor);
        command.env("KERNEL_DEVICE", "cpu").env("RUST_TEST_THREADS", "1");
        if !command.status()?.success() {
            failed.push(part.join(" "));
        }
    }
    let log = Log::read(&path)?;
    log.print();
    if !failed.is_empty() {
        return Ok(Some(format!("failed: {}", failed.join("; "))));
    }
    // Whatever else is switched off, native code there must be.
    Ok((!log.is_clean()).then(|| "kernels differ or have no native code".into()))
}

/// What is run, as arguments of cargo.
fn parts() -> Result<Vec<Vec<String>>, Box<dyn Error>> {
    let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
    let mut driver = words("test --quiet --package kernel-cpu --no-fail-fast");
    let mut tests = BTreeSet::new();
    for entry in fs::read_dir(workspace::root().join("kernel-cpu/tests"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_folder = entry.path().join("main.rs").is_file();
        tests.extend(name.strip_suffix(".rs").or(is_folder.then_some(&name)).map(String::from));
    }
    for test in tests.iter().filter(|test| !LEFT_OUT.contains(&test.as_str())) {
        driver.extend(["--test".into(), test.clone()]);
    }
    let mut parts =
        vec![words("test --quiet --package kernel-tests --test conformance --test programs"), driver];
    parts.extend(EXAMPLES.map(|name| words(&format!("run --quiet --example {name}"))));
    Ok(parts)
}

/// What the driver has noted.
#[derive(Debug, Default, PartialEq, Eq)]
struct Log {
    different: Vec<String>,
    /// Kernels without native code, and why.
    whole: BTreeSet<String>,
    /// For each form of instructions that the interpreter executes, how many there are and in how many kernels.
    parts: BTreeMap<String, (usize, usize)>,
}

impl Log {
    fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            text => text?,
        };
        Ok(Self::parse(&text))
    }

    fn parse(text: &str) -> Self {
        let mut log = Self::default();
        let lines: BTreeSet<&str> = text.lines().collect();
        for line in lines {
            if line.contains(DIFFERENT) {
                log.different.push(line.into());
            } else if line.contains(WHOLE) {
                log.whole.insert(line.into());
            } else if let Some((_, rest)) =
                line.strip_suffix(PARTS).and_then(|line| line.rsplit_once(" has "))
                && let Some((count, form)) = rest.split_once(" of ")
            {
                let (instructions, kernels) = log.parts.entry(form.into()).or_default();
                *instructions += count.parse().unwrap_or(0);
                *kernels += 1;
            }
        }
        log
    }

    fn print(&self) {
        let mut parts: Vec<_> = self.parts.iter().collect();
        parts.sort_by_key(|(_, (instructions, _))| std::cmp::Reverse(*instructions));
        println!("\ninstructions that the interpreter executes, and in how many kernels:");
        for (form, (instructions, kernels)) in parts {
            println!("{instructions:>7} {kernels:>6}  {form}");
        }
        println!("\n{} kernels have no native code", self.whole.len());
        self.whole.iter().for_each(|line| println!("{line}"));
        println!("\n{} launches are different", self.different.len());
        self.different.iter().for_each(|line| println!("{line}"));
    }

    fn is_clean(&self) -> bool {
        self.different.is_empty() && self.whole.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_left_out_together_or_in_turn() {
        let parse =
            |text: &str| Options::parse(&text.split_terminator(' ').map(String::from).collect::<Vec<_>>());
        let all = Options { executor: "both", off: vec![String::new()], is_part: false, names: Vec::new() };
        assert_eq!(parse(""), Ok(all));
        let (off, names) = (vec!["fold,unroll".into()], Vec::new());
        let some = Options { executor: "both-avx2", off, is_part: true, names };
        assert_eq!(parse("--avx2 --part --off fold,unroll"), Ok(some.clone()));
        let named = Options { names: vec!["benches".into()], ..some };
        assert_eq!(parse("--avx2 --off fold,unroll benches"), Ok(named));
        assert_eq!(parse("--each").map(|options| options.off.len()), Ok(kernel_cpu::native_switches().len()));
        assert_eq!(parse("--all"), Err("`native` has no option `--all`".into()));
    }

    #[test]
    fn the_log_is_read() {
        let log = Log::parse(
            "`a` with groups of [64, 1, 1] has 3 of Exp F32 interpreted\n\
             `a` with groups of [64, 1, 1] has 3 of Exp F32 interpreted\n\
             `b` with groups of [64, 1, 1] has 1 of Exp F32 interpreted\n\
             `c` with groups of [1, 1, 1] is interpreted: too many blocks\n",
        );
        assert_eq!(log.parts, BTreeMap::from([("Exp F32".into(), (4, 2))]));
        assert_eq!(log.whole.len(), 1);
        assert!(!log.is_clean() && Log::parse("").is_clean());
        assert!(
            !Log::parse("kernel `a`: the byte at 0x1 is …, which is an error of the driver; …").is_clean()
        );
    }
}
