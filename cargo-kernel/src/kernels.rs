//! The kernels of a crate.
//!
//! The crate is checked by cargo, in a folder of its own for what is built (`target/kernel`) and with `KERNEL_LISTING` in the environment, so that the macros write a file for each
//! kernel that they compile (`kernel-macros/src/listing.rs`). What cargo does not build again has its files still: each crate has a folder, named as cargo names what it has built. A
//! crate that was built in this run and did not write to its folder has no kernels any more, so its folder goes.

use crate::arguments::Build;
use crate::cargo::{self, Workspace};
use crate::failure::{Failure, Result};
use crate::listing::{Kernel, Unit};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// The kernels that were asked for, with the workspace in which they are.
pub(crate) struct Kernels {
    pub(crate) workspace: Workspace,
    /// In the order of their places.
    pub(crate) all: Vec<Kernel>,
}

impl Kernels {
    /// Builds what is asked for and reads what the compiler says of its kernels; there is one at least.
    pub(crate) fn of(build: &Build) -> Result<Self> {
        let workspace = Workspace::of(build)?;
        let run = Run::new(&workspace);
        let units = run.check(build, &workspace)?;
        let mut all = Vec::new();
        for (unit, folder) in units {
            all.extend(read(&unit, &folder)?);
        }
        all.sort_by(|one: &Kernel, other| {
            (&one.unit, &one.place, &one.name).cmp(&(&other.unit, &other.place, &other.name))
        });
        let mut kept: Vec<Kernel> = Vec::new();
        // A library is built once more for its tests.
        for kernel in all {
            let is_same = |known: &Kernel| {
                (&known.place, &known.name, &known.unit) == (&kernel.place, &kernel.name, &kernel.unit)
            };
            if !kept.iter().any(is_same) {
                kept.push(kernel);
            }
        }
        if kept.is_empty() { Err(none_found(build, &workspace)) } else { Ok(Self { workspace, all: kept }) }
    }

    /// The kernels of these names, or with these parts in their names; all of them without any.
    pub(crate) fn named(&self, names: &[String]) -> Result<Vec<&Kernel>> {
        if names.is_empty() {
            return Ok(self.all.iter().collect());
        }
        let mut found: Vec<&Kernel> = Vec::new();
        for name in names {
            let matching = self.matching(name);
            if matching.is_empty() {
                return Err(self.unknown(name));
            }
            found.extend(matching);
        }
        Ok(self.all.iter().filter(|kernel| found.iter().any(|one| std::ptr::eq(*one, *kernel))).collect())
    }

    fn matching(&self, name: &str) -> Vec<&Kernel> {
        let is_exactly = |kernel: &&Kernel| kernel.name == name || kernel.text("function") == name;
        let exact: Vec<_> = self.all.iter().filter(is_exactly).collect();
        if !exact.is_empty() {
            return exact;
        }
        let lower = name.to_lowercase();
        self.all.iter().filter(|kernel| kernel.name.to_lowercase().contains(&lower)).collect()
    }

    /// That no kernel has a name, with those that are most like it.
    fn unknown(&self, name: &str) -> Failure {
        let mut like: Vec<(f64, &str)> =
            self.all.iter().map(|kernel| (strsim::jaro_winkler(name, &kernel.name), &*kernel.name)).collect();
        like.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        like.dedup_by_key(|(_, name)| *name);
        let near: Vec<String> = like
            .iter()
            .filter(|(likeness, _)| *likeness > 0.7)
            .take(3)
            .map(|(_, name)| format!("`{name}`"))
            .collect();
        let help = match (&near[..], &like[..]) {
            ([], all) => {
                let names: Vec<String> = all.iter().take(8).map(|(_, name)| format!("`{name}`")).collect();
                let more = if all.len() > names.len() { ", …" } else { "" };
                format!("there are {}{more}", names.join(", "))
            }
            (near, _) => format!("did you mean {}?", near.join(" or ")),
        };
        Failure::new(format!("no kernel is called `{name}`")).help(help)
    }
}

fn none_found(build: &Build, workspace: &Workspace) -> Failure {
    let names = workspace.names();
    let failure = Failure::new(format!("there are no kernels in {names}, as far as it was built"));
    failure.help(if !workspace.depends_on("kernel-runtime") {
        "kernels are written with the crate kernel-runtime, which is no dependency here: `cargo add --path CLONE/kernel-runtime` makes it one; `cargo kernel new` makes a crate that has a kernel"
    } else if build.all_targets {
        "a kernel is a function with the attribute `#[kernel]` of the crate kernel-runtime; `cargo kernel new` makes a crate that has one"
    } else if build.chooses_targets() {
        "`--all-targets` looks everywhere, and `--package` and `--workspace` in other packages"
    } else {
        "only the library and the programs were looked at: `--all-targets` takes in examples, tests and benchmarks, and `--workspace` other packages"
    })
}

/// A run of cargo, and where the compiler writes meanwhile.
struct Run {
    folder: PathBuf,
    listings: PathBuf,
    id: String,
}

impl Run {
    fn new(workspace: &Workspace) -> Self {
        let folder = workspace.target.join("kernel");
        let now = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos());
        let id = format!("{now}-{}", std::process::id());
        Self { listings: folder.join("listings"), folder, id }
    }

    /// Checks what is asked for, and returns the targets with the folders of their kernels, whether they are there or not.
    fn check(&self, build: &Build, workspace: &Workspace) -> Result<Vec<(Unit, PathBuf)>> {
        let mut command = cargo::command();
        command.arg("check").args(build.options("release"));
        command.args(["--message-format", "json-render-diagnostics", "--target-dir"]).arg(&self.folder);
        self.prepare(&mut command);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| cargo::cannot_run(&command, &error))?;
        let mut units = Vec::new();
        for line in child.stdout.take().into_iter().flat_map(|stdout| BufReader::new(stdout).lines()) {
            // Programs that are run by the build may print what is no JSON.
            let Ok(message) = serde_json::from_str::<Value>(&line?) else { continue };
            if message["reason"] == "compiler-artifact" {
                units.extend(self.finished(&message, build, workspace)?);
            }
        }
        if child.wait()?.success() {
            return Ok(units);
        }
        Err(Failure::new("the crate does not compile, so there is nothing to show")
            .help("what cargo says is above; `cargo check` says it too"))
    }

    fn prepare(&self, command: &mut Command) {
        command.env("KERNEL_LISTING", &self.listings).env("KERNEL_LISTING_RUN", &self.id);
        // What is built elsewhere was built without these files, and so was what a wrapper has kept.
        command.env("CARGO_BUILD_BUILD_DIR", &self.folder);
        command.env("RUSTC_WRAPPER", "");
    }

    /// What cargo has built, or had built before, if it is among what is asked for.
    fn finished(
        &self,
        artifact: &Value,
        build: &Build,
        workspace: &Workspace,
    ) -> Result<Option<(Unit, PathBuf)>> {
        let Some(folder) = folder_name(artifact).map(|name| self.listings.join(name)) else {
            return Ok(None);
        };
        if artifact["fresh"] != true && fs::read_to_string(folder.join("run")).is_ok_and(|run| run != self.id)
        {
            fs::remove_dir_all(&folder)?;
        }
        let is_meant = workspace.has(&artifact["package_id"]) && build.has_target(artifact);
        Ok(is_meant.then(|| (unit(artifact, workspace), folder)))
    }
}

/// How cargo names what it has built, which is what the macros name their folders by.
fn folder_name(artifact: &Value) -> Option<String> {
    let file = Path::new(artifact["filenames"].as_array()?.first()?.as_str()?);
    let stem = file.file_stem()?.to_str()?;
    Some(stem.strip_prefix("lib").unwrap_or(stem).to_owned())
}

fn unit(artifact: &Value, workspace: &Workspace) -> Unit {
    let package = workspace.packages.iter().find(|package| package["id"] == artifact["package_id"]);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let target = &artifact["target"];
    let kind = match text(&target["kind"][0]).as_str() {
        kind @ ("bin" | "example" | "test" | "bench") => kind.to_owned(),
        _ => "lib".to_owned(),
    };
    Unit {
        package: package.map(|package| text(&package["name"])).unwrap_or_default(),
        kind,
        target: text(&target["name"]),
    }
}

/// The kernels that a folder describes; none if there is no folder.
fn read(unit: &Unit, folder: &Path) -> Result<Vec<Kernel>> {
    let Ok(files) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut kernels = Vec::new();
    for file in files {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            kernels.push(Kernel::read(unit.clone(), &fs::read_to_string(path)?)?);
        }
    }
    Ok(kernels)
}
