//! Cache controls.

use super::facts::{self, Facts, id, number};
use super::{Rule, Violation};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, Op, StorageClass};
use std::collections::HashSet;

const DECORATIONS: [Decoration; 2] = [Decoration::CacheControlLoadINTEL, Decoration::CacheControlStoreINTEL];

pub(super) fn pointer(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::Decorate, Rule::CacheControlPointer, violations, |decoration| {
        control(decoration).is_none_or(|kind| {
            let ty = id(decoration, 0).and_then(|pointer| facts.type_of(pointer));
            match ty.and_then(facts::pointer_class) {
                Some(StorageClass::Function | StorageClass::CrossWorkgroup | StorageClass::Generic) => true,
                Some(StorageClass::UniformConstant) => kind == Decoration::CacheControlLoadINTEL,
                _ => false,
            }
        })
    });
}

pub(super) fn level(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    let mut told = HashSet::new();
    let repeated = facts.all(Op::Decorate).filter(|decoration| {
        control(decoration).is_some_and(|kind| !told.insert((id(decoration, 0), kind, number(decoration, 2))))
    });
    violations.extend(repeated.map(|decoration| Violation::new(Rule::CacheControlLevel, decoration)));
}

/// The decoration, if it is one that tells caches something.
fn control(decoration: &Instruction) -> Option<Decoration> {
    match decoration.operands.get(1) {
        Some(Operand::Decoration(kind)) if DECORATIONS.contains(kind) => Some(*kind),
        _ => None,
    }
}
