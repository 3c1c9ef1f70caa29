//! A crate that depends on the runtime without the CPU driver, as a user's does.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::least;
use crate::program::Program;

const RUNS: usize = 5;

/// How the macro is built. Cargo builds macros without optimisation, in release builds too, unless the user's manifest says
/// otherwise.
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

pub(crate) struct Project {
    folder: PathBuf,
}

impl Project {
    pub(crate) fn create(folder: &Path, built: Macro) -> io::Result<Self> {
        fs::create_dir_all(folder.join("src"))?;
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernel-runtime");
        let manifest = format!(
            "[package]\nname = \"expansion\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [dependencies]\nkernel-runtime = {{ path = {runtime:?}, default-features = false }}\n{}",
            built.profile()
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// The time of a build of a crate with one small kernel and of all that it depends on.
    pub(crate) fn build_cold(&self) -> io::Result<Duration> {
        let target = self.folder.join("cold");
        if target.exists() {
            fs::remove_dir_all(&target)?;
        }
        self.write(&Program::lines(50, 1).rust)?;
        self.cargo("build", &target)
    }

    /// What the attributes of the program add to the time of its check.
    pub(crate) fn cost(&self, program: &Program) -> io::Result<Duration> {
        Ok(self.check(&program.rust)?.saturating_sub(self.check(&program.host())?))
    }

    /// The least time that a check of this source takes once its dependencies are built.
    fn check(&self, source: &str) -> io::Result<Duration> {
        let mut times = (0..=RUNS).map(|run| {
            self.write(&format!("{source}// Run {run}.\n"))?;
            self.cargo("check", &self.folder.join("target"))
        });
        // The first run may have to build the dependencies.
        times.next().transpose()?;
        least(times)
    }

    fn write(&self, source: &str) -> io::Result<()> {
        let source = format!("//! Generated.\nuse kernel_runtime::prelude::*;\n{source}fn main() {{}}\n");
        fs::write(self.folder.join("src/main.rs"), source)
    }

    /// How long a command of cargo takes.
    fn cargo(&self, command: &str, target: &Path) -> io::Result<Duration> {
        let start = Instant::now();
        let output = Command::new(env!("CARGO"))
            .args([command, "--quiet", "--target-dir"])
            .arg(target)
            .current_dir(&self.folder)
            .output()?;
        let time = start.elapsed();
        if output.status.success() {
            Ok(time)
        } else {
            Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()))
        }
    }
}
