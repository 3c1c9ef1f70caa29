//! `cargo kernel spirv`.

use super::{about, header};
use crate::arguments::{Build, Names, Output};
use crate::failure::{Failure, Result};
use crate::kernels::Kernels;
use crate::listing::{Kernel, Place};
use crate::source::Sources;
use crate::{print, print_json};
use rspirv::binary::Disassemble;
use rspirv::dr::{self, Operand};
use rspirv::spirv::Op;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

/// Shows the SPIR-V of kernels as text.
pub(crate) fn spirv(names: &Names, has_lines: bool, build: &Build, output: Output) -> Result<()> {
    let kernels = Kernels::of(build)?;
    let chosen = kernels.named(&names.names)?;
    let mut sources = Sources::new(&kernels.workspace.root);
    if output.json {
        let documents = chosen.into_iter().map(|kernel| {
            let text = shown(kernel, has_lines, &mut sources)?;
            let text = anstream::adapter::strip_str(&text).to_string();
            Ok(about(kernel, &[("text", text.into()), ("spirv", kernel.document["spirv"].clone())]))
        });
        return print_json(&json!(documents.collect::<Result<Vec<Value>>>()?));
    }
    let mut text = String::new();
    for kernel in chosen {
        let bytes = format!(
            "{} bytes of SPIR-V {}  ",
            kernel.text("spirv").len() / 2,
            kernel.document["requirements"]["spirv"].as_str().unwrap_or_default()
        );
        text += &header(kernel, &bytes);
        text += &shown(kernel, has_lines, &mut sources)?;
        text.push('\n');
    }
    print(&text)
}

/// Writes the module of a kernel to a file.
pub(crate) fn spirv_to(file: &Path, names: &Names, build: &Build) -> Result<()> {
    let kernels = Kernels::of(build)?;
    match &kernels.named(&names.names)?[..] {
        [kernel] => Ok(fs::write(file, kernel.module("spirv"))?),
        several => {
            let names: Vec<&str> = several.iter().map(|kernel| &*kernel.name).collect();
            Err(Failure::new("a file has the module of one kernel")
                .help(format!("name one of {}", names.join(", "))))
        }
    }
}

fn shown(kernel: &Kernel, has_lines: bool, sources: &mut Sources) -> Result<String> {
    let member = if has_lines { "spirv_with_lines" } else { "spirv" };
    let module = dr::load_bytes(kernel.module(member));
    let module = module
        .map_err(|error| Failure::new(format!("the module of `{}` cannot be read: {error}", kernel.name)))?;
    sources.start();
    Ok(with_lines(&module.disassemble(), &Ids::of(&module), sources))
}

/// What ids are shown as.
struct Ids {
    names: HashMap<String, String>,
    files: HashMap<String, String>,
}

impl Ids {
    /// The names that a module gives to ids, each to one only.
    fn of(module: &dr::Module) -> Self {
        let (mut names, mut taken) = (HashMap::new(), HashSet::new());
        for instruction in &module.debug_names {
            let [Operand::IdRef(id), Operand::LiteralString(name)] = &instruction.operands[..] else {
                continue;
            };
            let mut name: String =
                name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect();
            if !taken.insert(name.clone()) {
                name = format!("{name}_{id}");
                taken.insert(name.clone());
            }
            names.insert(id.to_string(), name);
        }
        let strings = module.debug_string_source.iter().filter(|one| one.class.opcode == Op::String);
        let files = strings.filter_map(|string| match (&string.operands[..], string.result_id) {
            ([Operand::LiteralString(name)], Some(id)) => Some((format!("%{id}"), name.clone())),
            _ => None,
        });
        Self { names, files: files.collect() }
    }

    /// A line with the names of its ids.
    fn named(&self, line: &str) -> String {
        let mut parts = line.split('%');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(part.len());
            let (id, rest) = part.split_at(end);
            text.push('%');
            text += self.names.get(id).map_or(id, String::as_str);
            text += rest;
        }
        text
    }

    /// The place that a line says.
    fn place(&self, line: &str) -> Option<Place> {
        let mut words = line.trim().strip_prefix("OpLine ")?.split_whitespace();
        let file = self.files.get(words.next()?)?.clone();
        let mut number = || words.next()?.parse().ok();
        Some(Place { file, line: number()?, column: number()? })
    }
}

/// The text of a module, with lines of the source for those that it says.
fn with_lines(text: &str, names: &Ids, sources: &mut Sources) -> String {
    let mut shown = String::new();
    for line in text.lines() {
        let is_file = names.files.keys().any(|id| line.trim_start().starts_with(&format!("{id} = OpString")));
        if is_file {
            continue;
        }
        let line = match names.place(line) {
            Some(place) => sources.shown("", ";", &place),
            None => Some(names.named(line)),
        };
        shown.extend(line.map(|line| line + "\n"));
    }
    shown
}
