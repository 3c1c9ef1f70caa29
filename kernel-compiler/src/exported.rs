//! The whole way from a device function to a module that has it for others.

use crate::analysis::{self, Analysis};
use crate::chain::Id;
use crate::diagnostics::Diagnostics;
use crate::emit::{self, Requirements, SourcePlace};
use crate::infer::{self, Linked, Program};
use crate::ir::Attributes;
use crate::lower;

/// A compiled function for other modules; the owned form of `kernel_core::ExportDescriptor`.
#[derive(Clone, Debug)]
pub struct Exported {
    /// The name by which other modules know it.
    pub name: String,
    /// The SPIR-V module.
    pub words: Vec<u32>,
    /// The functions of other modules that it calls, each with where it does so first.
    pub imports: Vec<(String, SourcePlace)>,
    /// Whether it goes without the checks for which its author has vouched.
    pub unchecked: bool,
    /// What the device must have.
    pub requirements: Requirements,
}

/// Compiles a device function for other modules, under a name.
///
/// # Errors
///
/// Everything that is wrong with it, as far as one phase can see, if that has not been reported where the function is defined.
pub fn export(
    program: &Program<'_>,
    id: &Id,
    name: String,
    attributes: Attributes,
) -> Result<Exported, Diagnostics> {
    if let Some(source) = program.function(id) {
        infer::check_linked(program, &source, Linked::Export)?;
    }
    let mut module = lower::export(program, id, name, attributes)?;
    lower::check_imports(&module).finish(())?;
    let analysis = Analysis::of(&module);
    analysis::discharge(&mut module, &analysis);
    analysis::export_errors(&module, &analysis).finish(())?;
    let emitted = emit::emit_analysed(&module, &analysis);
    let imports = module.imports.iter();
    Ok(Exported {
        name: module.name.clone(),
        words: emitted.words,
        imports: imports.map(|(_, import)| (import.name.clone(), SourcePlace::of(import.span))).collect(),
        unchecked: attributes.unchecked,
        requirements: emitted.requirements,
    })
}
