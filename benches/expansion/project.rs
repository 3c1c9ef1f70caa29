//! A crate that depends on the runtime without the CPU driver, as a user's does.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::program::Program;

const RUNS: usize = 5;

/// How the macro is built. Cargo builds macros without optimisation, in release builds too, unless the user's manifest says
/// otherwise. Optimised they have no debug assertions, which the crate has: how that is built, the macro sees from rustc's arguments, so that nothing is compiled twice.
#[derive(Clone, Copy)]
pub(crate) enum Macro {
    Debug,
    Optimised,
}

impl Macro {
    /// What the manifest says of it.
    fn profile(self) -> &'static str {
        match self {
            Self::Debug => "",
            Self::Optimised => "\n[profile.dev.build-override]\nopt-level = 3\ndebug-assertions = false\n",
        }
    }
}

/// What a program takes.
pub(crate) struct Cost {
    /// The whole check.
    pub(crate) all: Duration,
    /// The expansion of its macros, of that.
    pub(crate) expansion: Duration,
    /// The memory of rustc after the expansion, in megabytes.
    pub(crate) memory: u64,
}

pub(crate) struct Project {
    folder: PathBuf,
}

impl Project {
    pub(crate) fn create(folder: &Path, built: Macro) -> io::Result<Self> {
        fs::create_dir_all(folder.join("src"))?;
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
        let runtime = root.join("kernel-runtime");
        let manifest = format!(
            "[package]\nname = \"expansion\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [dependencies]\nkernel-runtime = {{ path = {runtime:?}, default-features = false }}\n{}",
            built.profile()
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// The time of a build of a crate with one small kernel and of all that it depends on.
    pub(crate) fn build_cold(&self) -> io::Result<Duration> {
        let target = self.folder.join("cold");
        if target.exists() {
            fs::remove_dir_all(&target)?;
        }
        self.write(&Program::lines(50, 1).rust)?;
        let (_, time) = self.cargo(&["build"], &target)?;
        Ok(time)
    }

    /// What the attributes of the program add to the time of its check.
    pub(crate) fn cost(&self, program: &Program) -> io::Result<Cost> {
        let (with, without) = (self.check(&program.rust)?, self.check(&program.host())?);
        Ok(Cost {
            all: with.all.saturating_sub(without.all),
            expansion: with.expansion.saturating_sub(without.expansion),
            memory: with.memory.saturating_sub(without.memory),
        })
    }

    /// The least time that a check of this source takes once its dependencies are built.
    fn check(&self, source: &str) -> io::Result<Cost> {
        let mut least = Cost { all: Duration::MAX, expansion: Duration::MAX, memory: u64::MAX };
        for run in 0..=RUNS {
            self.write(&format!("{source}// Run {run}.\n"))?;
            let command = ["rustc", "--profile=check", "--", "-Ztime-passes"];
            let (passes, all) = self.cargo(&command, &self.folder.join("target"))?;
            // The first run may have to build the dependencies.
            if run > 0 {
                least.all = least.all.min(all);
                let (expansion, memory) = expansion(&passes)?;
                least.expansion = least.expansion.min(expansion);
                least.memory = least.memory.min(memory);
            }
        }
        Ok(least)
    }

    fn write(&self, source: &str) -> io::Result<()> {
        let source = format!("//! Generated.\nuse kernel_runtime::prelude::*;\n{source}fn main() {{}}\n");
        fs::write(self.folder.join("src/main.rs"), source)
    }

    /// What a command of cargo prints to its standard error, and how long it takes.
    fn cargo(&self, command: &[&str], target: &Path) -> io::Result<(String, Duration)> {
        let (name, arguments) = command.split_first().expect("there is a command");
        let start = Instant::now();
        let output = Command::new(env!("CARGO"))
            .args([name, "--quiet", "--target-dir"])
            .arg(target)
            .args(arguments)
            // Lets a stable rustc say how long its passes take, for this crate alone.
            .env("RUSTC_BOOTSTRAP", "expansion")
            .current_dir(&self.folder)
            .output()?;
        let time = start.elapsed();
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok((printed, time)) } else { Err(io::Error::other(printed)) }
    }
}

/// How long the expansion of macros took, and how many megabytes rustc had after it, in what rustc prints about its passes:
/// `time: 0.005; rss: 47MB -> 62MB ( +15MB) macro_expand_crate`.
fn expansion(passes: &str) -> io::Result<(Duration, u64)> {
    let line = passes.lines().find(|line| line.ends_with("macro_expand_crate"));
    let figures = line.and_then(|line| {
        let mut parts = line.strip_prefix("time:")?.split(';');
        let seconds = parts.next()?.trim().parse().ok()?;
        let (_, after) = parts.next()?.split_once("->")?;
        let (megabytes, _) = after.split_once("MB")?;
        Some((Duration::from_secs_f64(seconds), megabytes.trim().parse().ok()?))
    });
    figures.ok_or_else(|| io::Error::other(format!("rustc does not say what macros took:\n{passes}")))
}
