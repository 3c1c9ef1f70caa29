//! `cargo xtask crates`: checks which crates each crate of the workspace is built on, and that those which are published have what belongs to that.
//!
//! What a crate may depend on is a decision of the architecture, so a new dependency is made here first.

mod published;

use crate::workspace;
use serde_json::Value;
use std::error::Error;

/// Each library and what its normal dependencies may be; a trailing `*` stands for any ending.
const ALLOWED: [(&str, &[&str]); 14] = [
    ("kernel-algorithms", &["kernel-runtime"]),
    (
        "cargo-kernel",
        &[
            "anstream",
            "anstyle",
            "clap",
            "comfy-table",
            "kernel-runtime",
            "object",
            "rspirv",
            "serde_json",
            "strsim",
        ],
    ),
    ("kernel-core", &["bytemuck", "half"]),
    ("kernel-compiler", &["kernel-core", "proc-macro2", "quote", "rspirv", "rustc-hash", "syn"]),
    ("kernel-macros", &["kernel-compiler", "proc-macro2"]),
    ("level-zero-sys", &["libloading"]),
    ("kernel-cpu", &["kernel-core", "level-zero-sys", "regalloc2", "spirv"]),
    ("kernel-cpu-driver", &["kernel-cpu", "level-zero-sys"]),
    (
        "kernel-runtime",
        &[
            "kernel-core",
            "kernel-cpu",
            "kernel-macros",
            "level-zero-sys",
            "ndarray",
            "rustc-hash",
            "shuttle",
            "tracing",
        ],
    ),
    ("example-images", &["png"]),
    ("catalogue", &["bytemuck", "device-library", "example-images", "kernel-core", "kernel-runtime"]),
    ("device-library", &["kernel-runtime"]),
    ("profiled", &["device-library", "kernel-runtime"]),
    ("trial", &["bytemuck", "kernel-core", "kernel-runtime", "libloading", "serde_json"]),
];

/// Packages that nothing is built on.
const LEAVES: [&str; 9] = [
    "accepted",
    "algorithm-benches",
    "kernel-benches",
    "kernel-examples",
    "kernel-guide",
    "kernel-neighbours",
    "kernel-tests",
    "kernel-workspace",
    "xtask",
];

/// Runs the task, which takes no arguments.
pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    if !arguments.is_empty() {
        return Err("`crates` takes no arguments".into());
    }
    let mut metadata = workspace::cargo();
    metadata.args(["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_slice(&workspace::capture(&mut metadata)?.stdout)?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists packages")?;
    let mut complaints: Vec<String> = packages.iter().flat_map(complaints).collect();
    complaints.extend(packages.iter().flat_map(published::complaints));
    if !complaints.is_empty() {
        return Err(complaints.join("\n").into());
    }
    let published = packages.iter().filter(|package| published::is_published(package)).count();
    println!(
        "the dependencies of {} packages are as decided, and {published} can be published",
        packages.len()
    );
    Ok(())
}

/// What is wrong with the dependencies of a package.
fn complaints(package: &Value) -> Vec<String> {
    let name = package["name"].as_str().unwrap_or_default();
    if LEAVES.contains(&name) {
        return Vec::new();
    }
    let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
        return vec![format!("xtask/src/crates.rs does not say what {name} may depend on")];
    };
    normal_dependencies(package)
        .filter(|dependency| !allowed.iter().any(|pattern| matches(pattern, dependency)))
        .map(|dependency| format!("{name} must not depend on {dependency}"))
        .collect()
}

/// The dependencies that are neither for tests nor for build scripts; cargo gives those no kind.
fn normal_dependencies(package: &Value) -> impl Iterator<Item = &str> {
    let all = package["dependencies"].as_array().into_iter().flatten();
    all.filter(|dependency| dependency["kind"].is_null()).filter_map(|dependency| dependency["name"].as_str())
}

fn matches(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(dependency: &str, kind: Option<&str>) -> Value {
        serde_json::json!({ "name": "kernel-core", "dependencies": [{ "name": dependency, "kind": kind }] })
    }

    #[test]
    fn a_dependency_that_was_not_decided_is_named() {
        assert_eq!(complaints(&package("rand", None)), ["kernel-core must not depend on rand"]);
        assert!(complaints(&package("bytemuck", None)).is_empty());
    }

    #[test]
    fn only_normal_dependencies_count() {
        assert!(complaints(&package("rand", Some("dev"))).is_empty());
    }

    #[test]
    fn an_unknown_crate_must_be_decided_on() {
        let complaints = complaints(&serde_json::json!({ "name": "kernel-new", "dependencies": [] }));
        assert_eq!(complaints, ["xtask/src/crates.rs does not say what kernel-new may depend on"]);
    }

    #[test]
    fn a_star_stands_for_any_ending() {
        assert!(matches("cranelift*", "cranelift-jit"));
        assert!(!matches("cranelift", "cranelift-jit"));
    }
}
