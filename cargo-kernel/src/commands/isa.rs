//! `cargo kernel isa`.

use super::{about, header};
use crate::arguments::{Build, Names, Output};
use crate::failure::Result;
use crate::kernels::Kernels;
use crate::ocloc;
use crate::style::{ASIDE, SOURCE};
use crate::{print, print_json};
use serde_json::{Value, json};

/// Shows the code of a GPU that kernels become.
pub(crate) fn isa(names: &Names, device: &str, build: &Build, output: Output) -> Result<()> {
    let kernels = Kernels::of(build)?;
    let (root, folder) = (&kernels.workspace.root, kernels.workspace.target.join("kernel"));
    let (mut text, mut documents) = (String::new(), Vec::new());
    for kernel in kernels.named(&names.names)? {
        let compiled = ocloc::compile(kernel, device, &folder, root, true)?;
        for (entry, assembly) in &compiled.assembly {
            text += &header(kernel, &format!("entry point {entry} for {device}  "));
            text += &shown(assembly);
            text.push('\n');
        }
        let assembly: serde_json::Map<String, Value> =
            compiled.assembly.into_iter().map(|(entry, text)| (entry, text.into())).collect();
        documents.push(about(kernel, &[("device", device.into()), ("assembly", assembly.into())]));
    }
    if output.json { print_json(&json!(documents)) } else { print(&text) }
}

/// The instructions, without what the compiler says to itself, and with colours.
fn shown(assembly: &str) -> String {
    let mut shown = String::new();
    let lines = assembly
        .lines()
        .skip_while(|line| line.is_empty() || line.starts_with("//") || line.starts_with('.'));
    for line in lines.take_while(|line| !line.starts_with("//.")) {
        match line.strip_prefix("// ") {
            Some(comment) if comment.starts_with("Line ") => shown += &format!("{SOURCE}{line}{SOURCE:#}\n"),
            Some(_) => shown += &format!("{ASIDE}{line}{ASIDE:#}\n"),
            None => shown += &format!("{line}\n"),
        }
    }
    shown.trim_end().to_owned() + "\n"
}
