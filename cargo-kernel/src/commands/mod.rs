//! The commands, a file for each.

mod checks;
mod doctor;
mod ir;
mod isa;
mod list;
mod new;
mod races;
mod run;
mod spirv;
mod stats;

pub(crate) use checks::checks;
pub(crate) use doctor::doctor;
pub(crate) use ir::ir;
pub(crate) use isa::isa;
pub(crate) use list::list;
pub(crate) use new::new;
pub(crate) use races::races;
pub(crate) use run::run;
pub(crate) use spirv::{spirv, spirv_to};
pub(crate) use stats::{stats, stats_of_files};

use crate::listing::{Kernel, Place};
use crate::style::{ASIDE, NAME};
use serde_json::{Value, json};

/// The header of what is shown of a kernel.
fn header(kernel: &Kernel, about: &str) -> String {
    let Kernel { place, .. } = kernel;
    format!("{NAME}{}{NAME:#}  {about}{ASIDE}{place}{ASIDE:#}\n", kernel.name)
}

/// What tells which kernel a document in JSON is about, followed by members of its own.
fn about(kernel: &Kernel, members: &[(&str, Value)]) -> Value {
    let Kernel { unit, name, .. } = kernel;
    let mut document = json!({
        "name": name,
        "function": kernel.document["function"],
        "generics": kernel.document["generics"],
        "at": kernel.document["at"],
        "package": unit.package,
        "kind": unit.kind,
        "target": unit.target,
    });
    for (member, value) in members {
        document[*member] = value.clone();
    }
    document
}

/// A name in its plural, if it is needed.
fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// The place that a member of a document is at.
fn at(value: &Value) -> Place {
    Place::of(&value["at"])
}
