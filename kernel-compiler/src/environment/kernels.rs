//! The signatures of kernels.

use super::facts::{Facts, id, number, pointer_class};
use super::{Rule, Violation};
use rspirv::dr::Instruction;
use rspirv::spirv::{Op, StorageClass};
use std::collections::HashSet;

pub(super) fn result(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    for definition in facts.kernels().filter_map(|kernel| kernel.def.as_ref()) {
        let ty = definition.result_type.and_then(|ty| facts.definition(ty));
        if ty.is_none_or(|ty| ty.class.opcode != Op::TypeVoid) {
            violations.push(Violation::new(Rule::KernelResult, definition));
        }
    }
}

pub(super) fn argument_type(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    require(facts, Rule::KernelArgumentType, violations, |ty| {
        is_member_type(ty.class.opcode) || matches!(ty.class.opcode, Op::TypeSampler | Op::TypeImage)
    });
}

pub(super) fn argument_float(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    require(facts, Rule::KernelArgumentFloat, violations, |ty| {
        ty.class.opcode != Op::TypeFloat || matches!(number(ty, 0), Some(16 | 32))
    });
}

pub(super) fn argument_struct(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    require(facts, Rule::KernelArgumentStruct, violations, |ty| {
        ty.class.opcode != Op::TypeStruct || has_member_types(facts, ty)
    });
}

pub(super) fn argument_pointer(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    let broken = facts.kernel_arguments().filter(|(parameter, ty)| {
        let allowed = [StorageClass::CrossWorkgroup, StorageClass::Workgroup, StorageClass::UniformConstant];
        let is_allowed = pointer_class(ty).is_none_or(|class| allowed.contains(&class));
        !is_allowed && !is_struct_by_value(facts, parameter, ty)
    });
    violations.extend(broken.map(|(parameter, _)| Violation::new(Rule::KernelArgumentPointer, parameter)));
}

/// Returns whether an argument is a struct by value: a pointer to the work-item's own copy.
fn is_struct_by_value(facts: &Facts<'_>, parameter: &Instruction, ty: &Instruction) -> bool {
    let pointee = id(ty, 1).and_then(|pointee| facts.definition(pointee));
    pointer_class(ty) == Some(StorageClass::Function)
        && pointee.is_some_and(|ty| ty.class.opcode == Op::TypeStruct && has_member_types(facts, ty))
        && parameter.result_id.is_some_and(|id| facts.is_by_value(id))
}

/// Reports the arguments of kernels whose type does not satisfy a condition.
fn require(
    facts: &Facts<'_>,
    rule: Rule,
    violations: &mut Vec<Violation>,
    holds: impl Fn(&Instruction) -> bool,
) {
    let broken = facts.kernel_arguments().filter(|(_, ty)| !holds(ty));
    violations.extend(broken.map(|(parameter, _)| Violation::new(rule, parameter)));
}

/// Returns whether a struct and those nested in it have only members that an argument may have.
fn has_member_types(facts: &Facts<'_>, ty: &Instruction) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        // A struct that contains itself is not valid SPIR-V, but must not keep the check busy for ever.
        if ty.class.opcode != Op::TypeStruct || !seen.insert(ty.result_id) {
            continue;
        }
        let members = (0..ty.operands.len()).map(|member| id(ty, member).and_then(|id| facts.definition(id)));
        for member in members {
            match member {
                Some(member) if is_member_type(member.class.opcode) => open.push(member),
                _ => return false,
            }
        }
    }
    true
}

fn is_member_type(op: Op) -> bool {
    matches!(op, Op::TypeInt | Op::TypeFloat | Op::TypeStruct | Op::TypeVector | Op::TypePointer)
}
