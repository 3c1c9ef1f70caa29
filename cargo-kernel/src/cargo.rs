//! What cargo says of a workspace, and calls of it.

use crate::arguments::Build;
use crate::failure::{Failure, Result};
use serde_json::Value;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The cargo that runs this command.
pub(crate) fn command() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A workspace, and which packages of it are meant.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// Its root, below which the places of kernels are.
    pub(crate) root: PathBuf,
    /// The folder of what is built.
    pub(crate) target: PathBuf,
    /// What is said of each package that is meant.
    pub(crate) packages: Vec<Value>,
}

impl Workspace {
    /// The workspace that some arguments are about.
    pub(crate) fn of(build: &Build) -> Result<Self> {
        let mut metadata = command();
        metadata.args(["metadata", "--no-deps", "--format-version", "1"]);
        metadata.args(build.of_manifest());
        let metadata: Value = serde_json::from_slice(&printed(&mut metadata)?)?;
        let path = |name: &str| PathBuf::from(metadata[name].as_str().unwrap_or_default());
        let target = match &build.target_dir {
            Some(folder) => env::current_dir()?.join(folder),
            None => path("target_directory"),
        };
        let all = metadata["packages"].as_array().cloned().unwrap_or_default();
        let packages = chosen(build, &metadata, all)?;
        Ok(Self { root: path("workspace_root"), target, packages })
    }

    /// Returns whether a package is meant, by the id that cargo gives it.
    pub(crate) fn has(&self, id: &Value) -> bool {
        self.packages.iter().any(|package| package["id"] == *id)
    }

    /// Returns whether a package that is meant has a target of a kind.
    pub(crate) fn has_target(&self, kind: &str) -> bool {
        let targets = self.packages.iter().flat_map(|package| package["targets"].as_array());
        let mut kinds = targets.flatten().flat_map(|target| target["kind"].as_array()).flatten();
        kinds.any(|known| known == kind)
    }

    /// Returns whether the manifest of a package that is meant names a dependency.
    pub(crate) fn depends_on(&self, name: &str) -> bool {
        let dependencies = self.packages.iter().flat_map(|package| package["dependencies"].as_array());
        dependencies.flatten().any(|dependency| dependency["name"] == name)
    }

    /// The names of the packages that are meant.
    pub(crate) fn names(&self) -> String {
        let names: Vec<_> = self
            .packages
            .iter()
            .map(|package| format!("`{}`", package["name"].as_str().unwrap_or_default()))
            .collect();
        names.join(", ")
    }
}

/// The packages that cargo builds for these arguments.
fn chosen(build: &Build, metadata: &Value, all: Vec<Value>) -> Result<Vec<Value>> {
    if build.workspace {
        return Ok(all);
    }
    if !build.package.is_empty() {
        let known: Vec<&str> = all.iter().filter_map(|package| package["name"].as_str()).collect();
        if let Some(unknown) = build.package.iter().find(|name| !known.contains(&name.as_str())) {
            let message = format!("the workspace has no package `{unknown}`");
            return Err(Failure::new(message).help(format!("it has {}", known.join(", "))));
        }
        let is_chosen = |package: &Value| build.package.iter().any(|name| package["name"] == **name);
        return Ok(all.into_iter().filter(is_chosen).collect());
    }
    let mut locate = command();
    locate.args(["locate-project", "--message-format", "plain"]).args(build.of_manifest());
    let manifest = String::from_utf8_lossy(&printed(&mut locate)?).trim().to_owned();
    let root = Path::new(metadata["workspace_root"].as_str().unwrap_or_default()).join("Cargo.toml");
    let defaults = metadata["workspace_default_members"].as_array();
    let is_chosen = |package: &Value| match defaults {
        Some(defaults) if Path::new(&manifest) == root => defaults.contains(&package["id"]),
        _ => package["manifest_path"] == *manifest,
    };
    Ok(all.into_iter().filter(is_chosen).collect())
}

/// What a program prints, or all that it says if it fails.
fn printed(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| cannot_run(command, &error))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Failure::new(said.trim().trim_start_matches("error: ")))
}

/// That a program cannot be started.
pub(crate) fn cannot_run(command: &Command, error: &std::io::Error) -> Failure {
    Failure::new(format!("`{}` cannot be run: {error}", command.get_program().display()))
}

impl Build {
    /// The options that say which workspace is meant.
    fn of_manifest(&self) -> Vec<String> {
        let mut options = Vec::new();
        if let Some(manifest) = &self.manifest_path {
            options.extend(["--manifest-path".to_owned(), manifest.display().to_string()]);
        }
        options.extend(self.offline.then(|| "--offline".to_owned()));
        options.extend(self.locked.then(|| "--locked".to_owned()));
        options
    }

    /// The options that say what is built and how, but for the folder of what is built.
    pub(crate) fn options(&self, default_profile: &str) -> Vec<String> {
        let mut options = self.of_manifest();
        let lists = [
            ("--package", &self.package),
            ("--bin", &self.bin),
            ("--example", &self.example),
            ("--test", &self.test),
            ("--features", &self.features),
        ];
        for (option, values) in lists {
            options.extend(values.iter().flat_map(|value| [option.to_owned(), value.clone()]));
        }
        let switches = [
            ("--workspace", self.workspace),
            ("--lib", self.lib),
            ("--examples", self.examples),
            ("--tests", self.tests),
            ("--all-targets", self.all_targets),
            ("--all-features", self.all_features),
            ("--no-default-features", self.no_default_features),
        ];
        options.extend(switches.iter().filter(|(_, is_on)| *is_on).map(|(option, _)| (*option).to_owned()));
        options.extend(["--profile".to_owned(), self.profile(default_profile).to_owned()]);
        options
    }

    /// The profile.
    pub(crate) fn profile<'a>(&'a self, default: &'a str) -> &'a str {
        match &self.profile {
            Some(profile) => profile,
            None if self.dev => "dev",
            None if self.release => "release",
            None => default,
        }
    }

    /// Returns whether the arguments say which targets are meant.
    pub(crate) fn chooses_targets(&self) -> bool {
        self.lib
            || self.examples
            || self.chooses_tests()
            || self.all_targets
            || !self.bin.is_empty()
            || !self.example.is_empty()
    }

    /// Returns whether tests are meant.
    pub(crate) fn chooses_tests(&self) -> bool {
        self.tests || !self.test.is_empty()
    }

    /// Returns whether a target is meant, as cargo describes what it has built of it.
    pub(crate) fn has_target(&self, artifact: &Value) -> bool {
        let target = &artifact["target"];
        let is_of_kind = |kind: &str| {
            target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|known| known == kind))
        };
        let is_named = |names: &[String]| names.iter().any(|name| target["name"] == **name);
        let (is_bin, is_example, is_test) = (is_of_kind("bin"), is_of_kind("example"), is_of_kind("test"));
        let is_lib = !(is_bin || is_example || is_test || is_of_kind("bench"));
        if is_of_kind("custom-build") || is_of_kind("proc-macro") {
            return false;
        }
        if !self.chooses_targets() {
            return is_lib || is_bin;
        }
        self.all_targets
            || is_lib && (self.lib || self.tests)
            || is_bin && (is_named(&self.bin) || self.tests)
            || is_example && (self.examples || is_named(&self.example))
            || is_test && (self.tests || is_named(&self.test))
    }
}
