//! Atomic instructions.

use super::facts::{self, Facts, id, number};
use super::{Rule, Violation};
use rspirv::dr::Instruction;
use rspirv::spirv::{Op, StorageClass};

pub(super) fn value_type(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    require(facts, Rule::AtomicType, violations, |atomic| {
        let pointee = pointer_type(facts, atomic).and_then(|ty| facts.definition(id(ty, 1)?));
        pointee.is_some_and(|ty| match ty.class.opcode {
            Op::TypeInt => matches!(number(ty, 0), Some(32 | 64)),
            Op::TypeFloat => takes_floats(atomic.class.opcode),
            _ => false,
        })
    });
}

pub(super) fn pointer_class(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    require(facts, Rule::AtomicPointer, violations, |atomic| {
        let class = pointer_type(facts, atomic).and_then(facts::pointer_class);
        matches!(
            class,
            Some(
                StorageClass::Function
                    | StorageClass::Workgroup
                    | StorageClass::CrossWorkgroup
                    | StorageClass::Generic
            )
        )
    });
}

/// Integers can be anywhere, but the flags of a device for floats are about two kinds of memory.
pub(super) fn float_pointer_class(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    require(facts, Rule::FloatAtomicPointer, violations, |atomic| {
        let class = pointer_type(facts, atomic).and_then(facts::pointer_class);
        let updates =
            matches!(atomic.class.opcode, Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT);
        !updates || !matches!(class, Some(StorageClass::Function | StorageClass::Generic))
    });
}

/// Reports the atomic instructions that do not satisfy a condition.
fn require(
    facts: &Facts<'_>,
    rule: Rule,
    violations: &mut Vec<Violation>,
    holds: impl Fn(&Instruction) -> bool,
) {
    facts.require_of_all(rule, violations, |instruction| !is_atomic(instruction) || holds(instruction));
}

pub(super) fn is_atomic(instruction: &Instruction) -> bool {
    instruction.class.opname.starts_with("Atomic")
}

/// Returns whether the extensions for float atomics give the instruction a meaning.
fn takes_floats(op: Op) -> bool {
    matches!(
        op,
        Op::AtomicLoad
            | Op::AtomicStore
            | Op::AtomicExchange
            | Op::AtomicFAddEXT
            | Op::AtomicFMinEXT
            | Op::AtomicFMaxEXT
    )
}

/// The type of the pointer, which is the first operand of every atomic instruction.
fn pointer_type<'m>(facts: &Facts<'m>, atomic: &Instruction) -> Option<&'m Instruction> {
    facts.type_of(id(atomic, 0)?)
}
