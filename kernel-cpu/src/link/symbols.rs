//! What a module imports and exports.

use crate::load::grammar::Op;
use crate::load::words::Instruction;
use crate::load::{Id, LoadError};
use spirv::{Decoration, LinkageType};
use std::collections::{HashMap, HashSet};

/// How others see a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Linkage {
    /// The only one of its name.
    Export,
    /// One of several that are the same.
    LinkOnce,
}

/// The functions and variables of a module that have linkage.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    imports: Vec<(Id, String)>,
    exports: Vec<(Id, String, Linkage)>,
    /// The functions and variables with their types: of a variable that of a pointer to it.
    types: HashMap<Id, (Op, Id)>,
    /// The functions that have a body.
    bodies: HashSet<Id>,
}

impl Symbols {
    pub(super) fn of(instructions: &[Instruction<'_>]) -> Result<Self, LoadError> {
        let mut symbols = Self::default();
        let mut function = 0;
        for inst in instructions {
            match (inst.op, inst.operands) {
                (Op::Decorate, &[id, decoration, ..])
                    if decoration == Decoration::LinkageAttributes as u32 =>
                {
                    let (name, end) = inst.string(2)?;
                    symbols.add(id, name, inst.operand(end)?);
                }
                (Op::Function, &[_, ty]) => {
                    function = inst.result;
                    symbols.types.insert(function, (Op::Function, ty));
                }
                (Op::Label, _) => {
                    symbols.bodies.insert(function);
                }
                (Op::FunctionEnd, _) => function = 0,
                // Those in functions have no linkage.
                (Op::Variable, _) if function == 0 => {
                    symbols.types.insert(inst.result, (Op::Variable, inst.result_type));
                }
                _ => {}
            }
        }
        Ok(symbols)
    }

    fn add(&mut self, id: Id, name: String, linkage: u32) {
        match LinkageType::from_u32(linkage) {
            Some(LinkageType::Import) => self.imports.push((id, name)),
            Some(LinkageType::Export) => self.exports.push((id, name, Linkage::Export)),
            Some(LinkageType::LinkOnceODR) => self.exports.push((id, name, Linkage::LinkOnce)),
            _ => {}
        }
    }

    pub(super) fn imports(&self) -> impl Iterator<Item = (Id, &str)> {
        self.imports.iter().map(|(id, name)| (*id, &**name))
    }

    pub(super) fn exports(&self) -> impl Iterator<Item = (Id, &str, Linkage)> {
        self.exports.iter().map(|(id, name, linkage)| (*id, &**name, *linkage))
    }

    /// What an import is, and its type; none if it has a definition.
    pub(super) fn declaration(&self, id: Id) -> Option<(Op, Id)> {
        self.types.get(&id).copied().filter(|_| !self.bodies.contains(&id))
    }

    /// What an export is, and its type; none if it has no definition.
    pub(super) fn definition(&self, id: Id) -> Option<(Op, Id)> {
        let (op, ty) = self.types.get(&id).copied()?;
        (op == Op::Variable || self.bodies.contains(&id)).then_some((op, ty))
    }
}
