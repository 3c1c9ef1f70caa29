//! What `#[kernel]` adds to the time of `cargo check`, in a debug build of the macro.
//!
//! For kernels of 10 to 5,000 lines, a crate with the kernel is checked, and one with the same function without the attribute; the
//! difference is the cost of the expansion and of what comes out of it. Each figure is the least of several runs. The time per line
//! shows that the growth is linear.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Lines per kernel, and how many of such kernels are in the crate, so that small ones can be measured.
const SIZES: [(usize, usize); 6] = [(10, 50), (50, 20), (200, 5), (1000, 1), (2500, 1), (5000, 1)];
const RUNS: usize = 5;

fn main() -> io::Result<()> {
    let project = Project::create()?;
    println!("{:>6} {:>14} {:>14}", "lines", "ms per kernel", "µs per line");
    for (lines, kernels) in SIZES {
        let with = project.check(&source(lines, kernels, "#[kernel]"))?;
        let without = project.check(&source(lines, kernels, "#[allow(dead_code)]"))?;
        let cost = with.saturating_sub(without).as_secs_f64() / kernels as f64;
        println!("{lines:>6} {:>14.2} {:>14.1}", cost * 1e3, cost * 1e6 / lines as f64);
    }
    Ok(())
}

/// A crate with `kernels` functions of `lines` lines each.
fn source(lines: usize, kernels: usize, attribute: &str) -> String {
    let mut text = String::from("//! Generated.\nuse kernel_runtime::prelude::*;\n");
    for kernel in 0..kernels {
        function(&mut text, &format!("kernel_{kernel}"), lines, attribute)
            .expect("a String takes what is written to it");
    }
    text.push_str("fn main() {}\n");
    text
}

fn function(text: &mut String, name: &str, lines: usize, attribute: &str) -> std::fmt::Result {
    writeln!(text, "{attribute}\npub fn {name}(a: f32, x: &[f32], y: &mut [f32]) {{")?;
    writeln!(text, "    let i = global_id(0);\n    let mut sum = 0.0;")?;
    for block in 0..(lines - 5) / 4 {
        writeln!(text, "    let v{block} = a * x[i + {block}] - sum;")?;
        writeln!(text, "    if v{block} > 1.0 && i < y.len() {{")?;
        writeln!(text, "        sum += v{block}.sqrt() * {block}.5;\n    }}")?;
    }
    writeln!(text, "    y[i] = sum;\n}}")
}

/// A crate of its own that depends on the runtime without the CPU driver.
struct Project {
    folder: PathBuf,
}

impl Project {
    fn create() -> io::Result<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("expansion");
        fs::create_dir_all(folder.join("src"))?;
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernel-runtime");
        let manifest = format!(
            "[package]\nname = \"expansion\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [dependencies]\nkernel-runtime = {{ path = {runtime:?}, default-features = false }}\n"
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(Self { folder })
    }

    /// The least time that a check of this source takes once its dependencies are built.
    fn check(&self, source: &str) -> io::Result<Duration> {
        let file = self.folder.join("src/main.rs");
        let mut least = Duration::MAX;
        for run in 0..=RUNS {
            fs::write(&file, format!("{source}// Run {run}.\n"))?;
            let start = Instant::now();
            let output = Command::new(env!("CARGO"))
                .args(["check", "--quiet", "--target-dir", "target"])
                .current_dir(&self.folder)
                .output()?;
            if !output.status.success() {
                return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
            }
            // The first run may have to build the dependencies.
            if run > 0 {
                least = least.min(start.elapsed());
            }
        }
        Ok(least)
    }
}
