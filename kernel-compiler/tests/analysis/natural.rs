//! Kernels as people write them who know Rust: which checks the host cannot make for them, and why.
//!
//! `natural/checks.txt` lists them; `TRYBUILD=overwrite` writes it anew. With `ANALYSIS_SPIRV` set to a directory, the test writes the modules of each kernel there, so that its machine code can be looked at.
//! `natural/opencl` has those of all files but that of the benchmark in OpenCL C, as one writes them there, to compare it with.

use crate::source::kernels;
use kernel_compiler::ir::Module;
use kernel_compiler::{Translated, translate};

const SOURCES: [&str; 11] = [
    include_str!("natural/first.rs"),
    include_str!("natural/second.rs"),
    include_str!("natural/third.rs"),
    include_str!("natural/fourth.rs"),
    include_str!("natural/fifth.rs"),
    include_str!("natural/sixth.rs"),
    include_str!("natural/seventh.rs"),
    include_str!("natural/eighth.rs"),
    include_str!("natural/ninth.rs"),
    include_str!("natural/tenth.rs"),
    include_str!("natural/eleventh.rs"),
];
/// The position of the kernels of the benchmark, which has their counterparts itself.
const OF_THE_BENCHMARK: usize = 2;

#[test]
fn checks_that_stay_in_natural_code() {
    let mut lines = Vec::new();
    for mut module in SOURCES.into_iter().flat_map(kernels) {
        let translated = translate(&mut module).expect("all come to what they do together");
        lines.extend(described(&module, &translated));
        if let Ok(directory) = std::env::var("ANALYSIS_SPIRV") {
            write(&format!("{directory}/{}.spv", module.name), &translated.spirv.words);
            if let Some(small) = &translated.small {
                write(&format!("{directory}/{}.small.spv", module.name), &small.words);
            }
        }
    }
    let text = lines.join("\n") + "\n";
    if std::env::var("TRYBUILD").is_ok_and(|mode| mode == "overwrite") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/analysis/natural/checks.txt");
        std::fs::write(path, text).expect("the list can be written");
    } else {
        assert_eq!(text, include_str!("natural/checks.txt"));
    }
}

#[test]
fn each_kernel_has_a_counterpart_in_opencl_c() {
    let others = SOURCES.iter().enumerate().filter(|(position, _)| *position != OF_THE_BENCHMARK);
    for module in others.flat_map(|(_, source)| kernels(source)) {
        let name = &module.name;
        let path = format!("{}/tests/analysis/natural/opencl/{name}.cl", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(text.contains(&format!("kernel void {name}(")), "{path}");
    }
}

/// The conditions of a kernel, and the reasons of the checks that stay where these hold.
fn described(module: &Module, translated: &Translated) -> Vec<String> {
    let hoisted = translated.hoisted.as_ref();
    let conditions = hoisted.map_or(&[][..], |hoisted| &hoisted.conditions);
    let conditions: Vec<_> = conditions.iter().map(|(text, _)| format!("`{text}`")).collect();
    let mut lines = vec![format!("{}: {}", module.name, conditions.join(", "))];
    if let Some(small) = &translated.small {
        let others = small.conditions.iter().filter(|(text, _)| !conditions.contains(&format!("`{text}`")));
        let others: Vec<_> = others.map(|(text, _)| format!("`{text}`")).collect();
        lines.push(format!("    with all checks in 32 bits: {}", others.join(", ")));
    }
    for (handle, site) in module.sites.iter() {
        let is_hoisted =
            hoisted.is_some_and(|hoisted| hoisted.sites.iter().any(|(site, _)| *site == handle.index()));
        if !is_hoisted {
            lines.push(format!("    line {}: {:?}: {}", site.span.start().line, site.kind, site.reason));
        }
    }
    lines
}

fn write(path: &str, words: &[u32]) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(path, bytes).expect("the directory can be written to");
}
