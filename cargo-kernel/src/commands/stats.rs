//! `cargo kernel stats`.

use super::about;
use crate::arguments::{Build, Names, Output};
use crate::failure::Result;
use crate::kernels::Kernels;
use crate::ocloc::{self, Entry};
use crate::style::ASIDE;
use crate::table::table;
use crate::{print, print_json};
use serde_json::{Value, json};

const HEADERS: [&str; 8] =
    ["ENTRY POINT", "SIMD", "REGISTERS", "SPILL", "SCRATCH", "LOCAL", "BARRIERS", "INSTRUCTIONS"];

/// Lists what kernels take of a GPU.
pub(crate) fn stats(names: &Names, device: &str, build: &Build, output: Output) -> Result<()> {
    let kernels = Kernels::of(build)?;
    let (root, folder) = (&kernels.workspace.root, kernels.workspace.target.join("kernel"));
    let (mut rows, mut documents) = (Vec::new(), Vec::new());
    for kernel in kernels.named(&names.names)? {
        let entries = ocloc::compile(kernel, device, &folder, root, false)?.entries;
        rows.extend(entries.iter().map(row));
        let entries: Vec<Value> = entries.iter().map(document).collect();
        documents.push(about(kernel, &[("device", device.into()), ("entry_points", entries.into())]));
    }
    if output.json {
        return print_json(&json!(documents));
    }
    let note = "`.hoisted` is the kernel without the checks that a launch can make. Spills and scratch are bytes for each thread, local memory for each work-group.";
    print(&format!("{}{ASIDE}{device}: {note}{ASIDE:#}\n", table(&HEADERS, &[1, 2, 3, 4, 5, 6, 7], rows)))
}

fn row(entry: &Entry) -> Vec<String> {
    let Entry { name, simd, registers, spill, scratch, local, barriers, instructions } = entry;
    let numbers = [simd, registers, spill, scratch, local, barriers, instructions];
    [name.clone()].into_iter().chain(numbers.map(u64::to_string)).collect()
}

fn document(entry: &Entry) -> Value {
    let Entry { name, simd, registers, spill, scratch, local, barriers, instructions } = entry;
    json!({
        "name": name,
        "simd": simd,
        "registers": registers,
        "spill_bytes": spill,
        "scratch_bytes": scratch,
        "local_bytes": local,
        "barriers": barriers,
        "instructions": instructions,
    })
}
