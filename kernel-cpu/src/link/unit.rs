//! Modules that are linked when the host has them already (`zeModuleDynamicLink`).

use super::Input;
use super::symbols::{Linkage, Symbols};
use crate::load::grammar::Op;
use crate::load::words::{Instruction, instructions};
use crate::load::{Id, LoadError};
use crate::lower::is_intrinsic;
use spirv::StorageClass;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// A module that imports or exports something.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(super) input: Arc<Input>,
    /// The names that it imports, and which no other module of its program exports.
    pub(super) imports: BTreeSet<String>,
    pub(super) exports: Vec<(String, Linkage)>,
    /// Whether it has variables in global memory, of which there must not be two.
    pub(super) has_variables: bool,
}

impl Unit {
    /// The module, if it has anything to do with others.
    pub(crate) fn of(input: &Arc<Input>) -> Result<Option<Self>, LoadError> {
        let (_, instructions) = instructions(&input.words)?;
        let symbols = Symbols::of(&instructions)?;
        // Translators of LLVM say of built-in variables too that they are imported.
        let inputs: HashSet<Id> = instructions
            .iter()
            .filter(|inst| is_variable(inst, StorageClass::Input))
            .map(|inst| inst.result)
            .collect();
        let is_declared = |id: &Id| symbols.declaration(*id).is_some() && !inputs.contains(id);
        let declared = symbols.imports().filter(|(id, name)| is_declared(id) && !is_intrinsic(name));
        let imports: BTreeSet<String> = declared.map(|(_, name)| name.to_owned()).collect();
        let defined = symbols.exports().filter(|(id, ..)| symbols.definition(*id).is_some());
        let exports: Vec<_> = defined.map(|(_, name, linkage)| (name.to_owned(), linkage)).collect();
        let has_variables = instructions.iter().any(|inst| is_variable(inst, StorageClass::CrossWorkgroup));
        if imports.is_empty() && exports.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self { input: Arc::clone(input), imports, exports, has_variables }))
    }

    /// The names that it imports, sorted.
    pub(crate) fn imports(&self) -> impl Iterator<Item = &str> {
        self.imports.iter().map(String::as_str)
    }

    /// Whether it imports anything.
    pub(crate) fn has_imports(&self) -> bool {
        !self.imports.is_empty()
    }

    /// The names that it exports.
    pub(crate) fn exports(&self) -> impl Iterator<Item = &str> {
        self.exports.iter().map(|(name, _)| &**name)
    }
}

/// Whether an instruction is a variable in a kind of memory.
fn is_variable(inst: &Instruction<'_>, class: StorageClass) -> bool {
    inst.op == Op::Variable && inst.operands.first() == Some(&(class as u32))
}
