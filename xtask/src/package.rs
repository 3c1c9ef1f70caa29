//! `cargo xtask package`: makes the packages of all crates that are published, looks into them, and builds each from its package, with the others taken from theirs.

use crate::workspace;
use serde_json::Value;
use std::error::Error;
use std::path::PathBuf;
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
    forget_unpacked(&names)?;
    let mut package = workspace::cargo();
    package.arg("package").args(of(&names)).args(arguments);
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

/// Removes what cargo has unpacked of these packages before: by their number it would take them for the same. It keeps them under registries that have no host.
fn forget_unpacked(names: &[String]) -> Result<(), Box<dyn Error>> {
    let Some(home) = env::home_dir() else { return Ok(()) };
    let home = env::var_os("CARGO_HOME").map_or(home.join(".cargo"), PathBuf::from);
    let Ok(registries) = fs::read_dir(home.join("registry/src")) else { return Ok(()) };
    for registry in registries {
        let registry = registry?;
        if !registry.file_name().to_string_lossy().starts_with('-') {
            continue;
        }
        for package in fs::read_dir(registry.path())? {
            let package = package?;
            let file = package.file_name();
            let name = file.to_str().and_then(|file| file.rsplit_once('-')).map(|(name, _)| name);
            if name.is_some_and(|name| names.iter().any(|known| known == name)) {
                fs::remove_dir_all(package.path())?;
            }
        }
    }
    Ok(())
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
