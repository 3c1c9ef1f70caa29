//! What is imported and exported: where there is linkage, the capability is declared; a function without a body is one of another module, and
//! one that is exported has a body and is no kernel.

use super::facts::{Facts, id};
use super::{Rule, Violation};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Capability, Decoration, LinkageType, Op, Word};

pub(super) fn declared(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    let linkage = [Operand::Capability(Capability::Linkage)];
    let is_declared = facts.all(Op::Capability).any(|declaration| declaration.operands == linkage);
    if !is_declared {
        let broken = decorations(facts).map(|(decoration, ..)| decoration);
        violations.extend(broken.map(|decoration| Violation::new(Rule::LinkageCapability, decoration)));
    }
}

pub(super) fn import(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    for function in &facts.module.functions {
        let (Some(definition), Some(id)) = (&function.def, function.def_id()) else { continue };
        let is_import = linkage(facts, id) == Some(LinkageType::Import);
        if function.blocks.is_empty() != is_import {
            violations.push(Violation::new(Rule::ImportedBody, definition));
        }
    }
}

pub(super) fn entry_point(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    for entry in &facts.module.entry_points {
        let is_linked = id(entry, 1).is_some_and(|kernel| linkage(facts, kernel).is_some());
        if is_linked {
            violations.push(Violation::new(Rule::LinkedKernel, entry));
        }
    }
}

/// How a function is linked, if it is.
fn linkage(facts: &Facts<'_>, function: Word) -> Option<LinkageType> {
    decorations(facts).find_map(|(_, target, linkage)| (target == function).then_some(linkage))
}

/// The decorations that say how something is linked, with what they are of.
fn decorations<'m>(
    facts: &Facts<'m>,
) -> impl Iterator<Item = (&'m Instruction, Word, LinkageType)> + use<'m> {
    let decorations = facts.module.annotations.iter();
    decorations.filter_map(|decoration| match &decoration.operands[..] {
        [
            Operand::IdRef(target),
            Operand::Decoration(Decoration::LinkageAttributes),
            ..,
            Operand::LinkageType(linkage),
        ] => Some((decoration, *target, *linkage)),
        _ => None,
    })
}
