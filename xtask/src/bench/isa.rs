//! The code that Intel's compiler makes of our kernels for GPUs, beside that of both front ends for the same kernels in OpenCL C: that of `ocloc`, and clang with LLVM's translator.
//!
//! `cargo kernel stats` estimates the cycles of a work-item. No GPU is needed.

use super::rows::Rows;
use super::{bench, conditions, peers};
use crate::jobs;
use crate::temporary::TemporaryFolder;
use crate::workspace;
use serde_json::Value;
use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

const DEVICES: [&str; 2] = ["dg2", "pvc"];

/// Who else's code is compared, the ending of its files, and the options for them.
const PEERS: [(&str, &str, &str); 2] = [("ocloc", "ocloc.cl", "-cl-std=CL2.0"), ("clang", "clang.spv", "")];

/// The cycles of each kernel.
pub(super) fn measure() -> Result<Rows, Box<dyn Error>> {
    peers::compilers()?;
    let folder = TemporaryFolder::new()?;
    workspace::run(bench("cpu").args(["--", "--modules"]).arg(folder.path()))?;
    workspace::run(workspace::cargo().args(["build", "--quiet", "--package", "cargo-kernel"]))?;
    let mut rows = rows_of(folder.path(), &workspace::target().join("debug/cargo-kernel"))?;
    rows.set_conditions("isa", conditions::compiler());
    print!("{rows}");
    Ok(rows)
}

/// The cycles of the kernels whose modules are in a folder.
fn rows_of(folder: &Path, program: &Path) -> Result<Rows, Box<dyn Error>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".ours.spv").map(str::to_owned));
    }
    let tasks: Vec<_> =
        DEVICES.iter().flat_map(|device| names.iter().map(move |name| (*device, name.as_str()))).collect();
    let found = jobs::run(&tasks, |(device, name)| Cycles::of(folder, program, device, name));
    let mut rows = Rows::default();
    for ((device, name), cycles) in tasks.into_iter().zip(found) {
        let Some(cycles) = cycles? else { continue };
        let measurement = format!("isa, {device}");
        rows.add(&measurement, name, "with checks", cycles.complete);
        rows.add(&measurement, name, "ours", cycles.fast);
        for ((peer, ..), cycles) in PEERS.iter().zip(cycles.peers) {
            cycles.into_iter().for_each(|cycles| rows.add(&measurement, name, peer, cycles));
        }
    }
    Ok(rows)
}

/// The cycles of a work-item of a kernel.
struct Cycles {
    /// With all checks.
    complete: f64,
    /// Of the entry point of launches that have made them.
    fast: f64,
    /// Of each peer that could compile it.
    peers: [Option<f64>; PEERS.len()],
}

impl Cycles {
    /// Compiles the modules of a kernel; nothing if the device has not what it needs.
    fn of(folder: &Path, program: &Path, device: &str, name: &str) -> Result<Option<Self>, String> {
        let compile = |ending: &str, options: &str| {
            cycles(program, &folder.join(format!("{name}.{ending}")), options, device)
        };
        let options =
            fs::read_to_string(folder.join(format!("{name}.options"))).map_err(|error| error.to_string())?;
        let Some(ours) = compile("ours.spv", &options)? else { return Ok(None) };
        let (complete, fast) =
            entry_points(&ours).ok_or_else(|| format!("nothing is known of {name} for {device}"))?;
        // A launch that is not huge makes its checks by a module of its own.
        let small = folder.join(format!("{name}.small.spv")).exists();
        let small = small.then(|| compile("small.spv", &options)).transpose()?.flatten();
        let complete = small.and_then(|entries| Some(entries.first()?.1)).unwrap_or(complete);
        let peer = |(peer, ending, options): (&str, &str, &str)| {
            // The bench has said why.
            if !folder.join(format!("{name}.{ending}")).exists() {
                return None;
            }
            let entries = compile(ending, options).unwrap_or_else(|said| {
                eprintln!("xtask: {peer} cannot compile {name} for {device}: {said}");
                None
            });
            entries?.first().map(|(_, cycles)| *cycles)
        };
        let peers = PEERS.map(peer);
        Ok(Some(Self { complete, fast, peers }))
    }
}

/// The entry points in a file, and the cycles of each; none if the device has not what they need.
fn cycles(
    program: &Path,
    file: &Path,
    options: &str,
    device: &str,
) -> Result<Option<Vec<(String, f64)>>, String> {
    let mut command = Command::new(program);
    command
        .current_dir(workspace::root())
        .args(["kernel", "stats", "--json", "--device", device, "--module"]);
    command.arg(file);
    if !options.is_empty() {
        command.arg("--options").arg(options);
    }
    let output = match workspace::capture(&mut command) {
        Ok(output) => output,
        Err(said) if said.to_lowercase().contains("double") || said.contains("fp64") => return Ok(None),
        Err(said) => return Err(said),
    };
    let document = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    Ok(Some(read(&document)))
}

/// The entry points that `cargo kernel stats` lists of one file.
fn read(document: &Value) -> Vec<(String, f64)> {
    let entries = document[0]["entry_points"].as_array();
    let entry =
        |entry: &Value| Some((entry["name"].as_str()?.to_owned(), entry["cycles"]["total"].as_f64()?));
    entries.into_iter().flatten().filter_map(entry).collect()
}

/// The cycles of a kernel with all its checks, and of the entry point of launches that have made them.
fn entry_points(entries: &[(String, f64)]) -> Option<(f64, f64)> {
    let is_fast = |(name, _): &&(String, f64)| name.ends_with(".hoisted");
    let complete = entries.iter().find(|entry| !is_fast(entry))?.1;
    Some((complete, entries.iter().find(is_fast).map_or(complete, |(_, cycles)| *cycles)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_points_are_read() {
        let document = serde_json::json!([{ "entry_points": [
            { "name": "saxpy", "cycles": { "total": 5.5 } },
            { "name": "saxpy.hoisted", "cycles": { "total": 4.0 } },
        ]}]);
        assert_eq!(entry_points(&read(&document)), Some((5.5, 4.0)));
        assert_eq!(entry_points(&read(&document)[..1]), Some((5.5, 5.5)));
        assert_eq!(entry_points(&read(&Value::Null)), None);
    }
}
