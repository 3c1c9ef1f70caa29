//! `cargo kernel stats`.

use super::about;
use crate::arguments::{Build, Names, Output};
use crate::cargo::Workspace;
use crate::failure::Result;
use crate::kernels::Kernels;
use crate::ocloc::{self, Entry};
use crate::style::ASIDE;
use crate::table::table;
use crate::{print, print_json};
use serde_json::{Value, json};
use std::path::PathBuf;

const HEADERS: [&str; 13] = [
    "ENTRY POINT",
    "SIMD",
    "REGISTERS",
    "SPILL",
    "SCRATCH",
    "LOCAL",
    "BARRIERS",
    "INSTRUCTIONS",
    "INTEGER",
    "FLOAT",
    "MATH",
    "MEMORY",
    "CYCLES",
];

/// Lists what kernels take of a GPU.
pub(crate) fn stats(names: &Names, device: &str, build: &Build, output: Output) -> Result<()> {
    let kernels = Kernels::of(build)?;
    let (root, folder) = (&kernels.workspace.root, kernels.workspace.target.join("kernel"));
    let (mut all, mut documents) = (Vec::new(), Vec::new());
    for kernel in kernels.named(&names.names)? {
        let entries = ocloc::compile(kernel, device, &folder, root, false)?.entries;
        documents.push(about(kernel, &members(device, &entries)));
        all.extend(entries);
    }
    show(device, &all, documents, output)
}

/// Lists what the kernels in files take of a GPU.
pub(crate) fn stats_of_files(
    files: &[PathBuf],
    options: &str,
    device: &str,
    build: &Build,
    output: Output,
) -> Result<()> {
    let folder = Workspace::of(build)?.target.join("kernel");
    let (mut all, mut documents) = (Vec::new(), Vec::new());
    for file in files {
        let entries = ocloc::compile_file(file, options, device, &folder)?.entries;
        let mut document = json!({ "file": file.display().to_string() });
        for (member, value) in members(device, &entries) {
            document[member] = value;
        }
        documents.push(document);
        all.extend(entries);
    }
    show(device, &all, documents, output)
}

fn members(device: &str, entries: &[Entry]) -> [(&'static str, Value); 2] {
    let entries: Vec<Value> = entries.iter().map(document).collect();
    [("device", device.into()), ("entry_points", entries.into())]
}

fn show(device: &str, entries: &[Entry], documents: Vec<Value>, output: Output) -> Result<()> {
    if output.json {
        return print_json(&json!(documents));
    }
    let numbers: Vec<usize> = (1..HEADERS.len()).collect();
    let table = table(&HEADERS, &numbers, entries.iter().map(row).collect());
    let note = "`.hoisted` is the kernel without the checks that a launch can make. Spills and scratch are bytes for each thread, local memory for each work-group. The last columns estimate \
                for how many cycles a work-item keeps each pipe busy, and all of them, if each loop makes eight passes: they compare versions of a kernel, and are no times.";
    print(&format!("{table}{ASIDE}{device}: {note}{ASIDE:#}\n"))
}

fn row(entry: &Entry) -> Vec<String> {
    let Entry { name, simd, registers, spill, scratch, local, barriers, instructions, estimate } = entry;
    let numbers = [simd, registers, spill, scratch, local, barriers, instructions].map(u64::to_string);
    let cycles = [estimate.integer, estimate.float, estimate.math, estimate.memory, estimate.total()];
    [name.clone()].into_iter().chain(numbers).chain(cycles.map(|cycles| format!("{cycles:.1}"))).collect()
}

fn document(entry: &Entry) -> Value {
    let Entry { name, simd, registers, spill, scratch, local, barriers, instructions, estimate } = entry;
    json!({
        "name": name,
        "simd": simd,
        "registers": registers,
        "spill_bytes": spill,
        "scratch_bytes": scratch,
        "local_bytes": local,
        "barriers": barriers,
        "instructions": instructions,
        "cycles": {
            "integer": estimate.integer,
            "float": estimate.float,
            "math": estimate.math,
            "memory": estimate.memory,
            "total": estimate.total(),
        },
    })
}
