//! How long our driver takes to make native code, by what it writes to its log.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

/// The log of all processes of our driver, a file that is gone when this is dropped.
pub(super) struct Log(PathBuf);

/// What became of kernels.
#[derive(Debug, Default, PartialEq)]
struct Sum {
    kernels: u32,
    instructions: f64,
    /// Those of the processor.
    own: f64,
    bytes: f64,
    micros: f64,
}

impl Log {
    pub(super) fn new() -> Self {
        Self(env::temp_dir().join(format!("bench-cpu-{}.log", process::id())))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Prints what native code has taken, and what the driver says besides.
    pub(super) fn print(&self) {
        let text = fs::read_to_string(&self.0).unwrap_or_default();
        let mut sum = Sum::default();
        for line in text.lines().filter(|line| sum.add(line).is_none()) {
            println!("{line}");
        }
        if sum.kernels > 0 {
            println!(
                "code for {} launches was made in {:.2} ms for 1000 instructions of the processor, {:.2} ms for 1000 of programs, {:.0} ns for a byte of code",
                sum.kernels,
                sum.micros / sum.own,
                sum.micros / sum.instructions,
                1e3 * sum.micros / sum.bytes
            );
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        // If there is none, nobody has written to it.
        let _ = fs::remove_file(&self.0);
    }
}

impl Sum {
    /// Adds what a line says of a kernel, as `k: 12 instructions became 345 of the processor, 1678 bytes of code, in 67 µs`; nothing if it says something else.
    fn add(&mut self, line: &str) -> Option<()> {
        let (_, line) = line.split_once("]: ")?;
        let (instructions, line) = line.split_once(" instructions became ")?;
        let (own, line) = line.split_once(" of the processor, ")?;
        let (bytes, line) = line.split_once(" bytes of code, in ")?;
        let micros = line.strip_suffix(" µs")?;
        let (instructions, own): (f64, f64) = (instructions.parse().ok()?, own.parse().ok()?);
        let (bytes, micros): (f64, f64) = (bytes.parse().ok()?, micros.parse().ok()?);
        self.kernels += 1;
        self.instructions += instructions;
        self.own += own;
        self.bytes += bytes;
        self.micros += micros;
        Some(())
    }
}
