//! The places in the source that instructions come from, as OpLine.
//!
//! Ids are given out anew when modules are merged, so an OpLine has the name of its file until the module is complete: [`declare_files`] makes OpStrings of them, whose ids
//! follow all others. So a module with lines is the same as one without them, but for the lines.

use super::SourcePlace;
use proc_macro2::Span;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Op, Word};
use std::collections::BTreeMap;

/// The lines of a function under construction.
pub(super) struct Lines {
    is_wanted: bool,
    /// Where that is written of which instructions are appended.
    at: Option<SourcePlace>,
    /// The last line in the block, which holds for what follows it.
    last: Option<SourcePlace>,
}

impl Lines {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, at: None, last: None }
    }

    /// What is appended from now on is written here.
    pub(super) fn locate(&mut self, span: Span) {
        if self.is_wanted {
            self.at = Some(SourcePlace::of(span));
        }
    }

    /// A line holds up to the end of its block.
    pub(super) fn start_block(&mut self) {
        self.last = None;
    }

    /// The line of the next instruction, if it is another one than that of the instruction before.
    pub(super) fn next(&mut self) -> Option<Instruction> {
        if self.at == self.last {
            return None;
        }
        self.last.clone_from(&self.at);
        let SourcePlace { file, line, column } = self.at.clone()?;
        let operands =
            vec![Operand::LiteralString(file), Operand::LiteralBit32(line), Operand::LiteralBit32(column)];
        Some(Instruction::new(Op::Line, None, None, operands))
    }
}

/// The file of a line.
fn file_of(instruction: &mut Instruction) -> Option<&mut Operand> {
    (instruction.class.opcode == Op::Line).then(|| instruction.operands.first_mut())?
}

/// Declares the files of all lines.
pub(super) fn declare_files(module: &mut Module) {
    let mut files: BTreeMap<String, Word> = BTreeMap::new();
    let Some(header) = &mut module.header else { return };
    let lines = module.functions.iter_mut().flat_map(|function| function.all_inst_iter_mut());
    for file in lines.filter_map(file_of) {
        if let Operand::LiteralString(name) = file {
            let id = *files.entry(std::mem::take(name)).or_insert_with(|| {
                header.bound += 1;
                header.bound - 1
            });
            *file = Operand::IdRef(id);
        }
    }
    let mut files: Vec<(String, Word)> = files.into_iter().collect();
    files.sort_unstable_by_key(|(_, id)| *id);
    let strings = files
        .into_iter()
        .map(|(name, id)| Instruction::new(Op::String, None, Some(id), vec![Operand::LiteralString(name)]));
    module.debug_string_source.extend(strings);
}

/// The opposite, for a module that is to be merged with others.
pub(super) fn name_files(module: &mut Module) {
    let strings = std::mem::take(&mut module.debug_string_source);
    let named = strings
        .into_iter()
        .filter_map(|string| Some((string.result_id?, string.operands.into_iter().next()?)));
    let names: BTreeMap<Word, Operand> = named.collect();
    let lines = module.functions.iter_mut().flat_map(|function| function.all_inst_iter_mut());
    for file in lines.filter_map(file_of) {
        if let Operand::IdRef(id) = file
            && let Some(name) = names.get(id)
        {
            *file = name.clone();
        }
    }
}
