//! `cargo xtask package`: makes the packages of all crates that are published, looks into them, and builds each from its package, with the others taken from theirs.

use crate::workspace;
use serde_json::Value;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What each package has, besides its code.
const FILES: [&str; 4] = ["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Runs the task. `--no-verify` leaves out the builds; other arguments are cargo's.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let names = published()?;
    for name in &names {
        look_into(name)?;
    }
    forget(&names)?;
    let mut package = workspace::cargo();
    package.arg("package").arg("--target-dir").arg(target()).args(of(&names)).args(arguments);
    workspace::run(&mut package)?;
    println!("{} passed, 0 failed", names.len());
    Ok(())
}

/// The names of the packages that are published.
fn published() -> Result<Vec<String>, Box<dyn Error>> {
    let mut metadata = workspace::cargo();
    metadata.args(["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_slice(&workspace::capture(&mut metadata)?.stdout)?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists packages")?;
    let published = packages.iter().filter(|package| package["publish"].is_null());
    Ok(published.filter_map(|package| package["name"].as_str()).map(str::to_owned).collect())
}

/// Where the packages are built.
fn target() -> PathBuf {
    workspace::target().join("packages")
}

/// Removes what cargo has unpacked and built of these packages before: by their number it would take them for the same. It keeps them under registries that have no host.
fn forget(names: &[String]) -> Result<(), Box<dyn Error>> {
    let home = env::home_dir().unwrap_or_default().join(".cargo");
    let home = env::var_os("CARGO_HOME").map_or(home, PathBuf::from);
    let mut folders = vec![target().join("debug/.fingerprint")];
    for registry in entries(&home.join("registry/src")) {
        if registry.file_name().is_some_and(|name| name.to_string_lossy().starts_with('-')) {
            folders.push(registry);
        }
    }
    for package in folders.iter().flat_map(|folder| entries(folder)) {
        let file = package.file_name().and_then(|name| name.to_str());
        let name = file.and_then(|file| file.rsplit_once('-')).map(|(name, _)| name);
        if name.is_some_and(|name| names.iter().any(|known| known == name)) {
            fs::remove_dir_all(package)?;
        }
    }
    Ok(())
}

/// What is in a folder; nothing if there is none.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

fn of(names: &[String]) -> impl Iterator<Item = &str> {
    names.iter().flat_map(|name| ["--package", name])
}

/// Checks what is in a package.
fn look_into(name: &str) -> Result<(), Box<dyn Error>> {
    let mut list: Command = workspace::cargo();
    list.args(["package", "--list", "--allow-dirty", "--package", name]);
    let listed = String::from_utf8(workspace::capture(&mut list)?.stdout)?;
    match FILES.iter().find(|file| !listed.lines().any(|line| line == **file)) {
        None => Ok(()),
        Some(file) => Err(format!("the package of {name} has no {file}").into()),
    }
}
