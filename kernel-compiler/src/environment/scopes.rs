//! Scopes of execution and of memory.
//!
//! A scope that is not a constant cannot be shown to be allowed, so it is reported too.

use super::atomics::is_atomic;
use super::facts::{Facts, id};
use super::{Rule, Violation};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, Scope, Word};

pub(super) fn copy_execution(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    for op in [Op::GroupAsyncCopy, Op::GroupWaitEvents] {
        facts.require(op, Rule::CopyScope, violations, |copy| {
            id(copy, 0).is_some_and(|scope| is_one_of(facts, scope, &[Scope::Workgroup]))
        });
    }
}

pub(super) fn execution(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    require(facts, Rule::ExecutionScope, violations, execution_scope, &[Scope::Workgroup, Scope::Subgroup]);
}

pub(super) fn memory(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    let allowed = [Scope::CrossDevice, Scope::Device, Scope::Workgroup, Scope::Subgroup, Scope::Invocation];
    require(facts, Rule::MemoryScope, violations, memory_scope, &allowed);
}

fn require(
    facts: &Facts<'_>,
    rule: Rule,
    violations: &mut Vec<Violation>,
    select: fn(&Instruction) -> Option<Word>,
    allowed: &[Scope],
) {
    let holds = |instruction: &_| select(instruction).is_none_or(|scope| is_one_of(facts, scope, allowed));
    facts.require_of_all(rule, violations, holds);
}

fn is_one_of(facts: &Facts<'_>, scope: Word, allowed: &[Scope]) -> bool {
    let scope = facts.constant(scope).and_then(Scope::from_u32);
    scope.is_some_and(|scope| allowed.contains(&scope))
}

/// The first scope of all instructions but those that only order memory, and those with a rule of their own.
fn execution_scope(instruction: &Instruction) -> Option<Word> {
    let other = matches!(instruction.class.opcode, Op::GroupAsyncCopy | Op::GroupWaitEvents);
    (!other && !orders_memory_only(instruction)).then(|| scopes(instruction).next())?
}

/// The only scope of those that only order memory, the second one of the others.
fn memory_scope(instruction: &Instruction) -> Option<Word> {
    scopes(instruction).nth(usize::from(!orders_memory_only(instruction)))
}

fn orders_memory_only(instruction: &Instruction) -> bool {
    is_atomic(instruction) || matches!(instruction.class.opcode, Op::MemoryBarrier | Op::MemoryNamedBarrier)
}

fn scopes(instruction: &Instruction) -> impl Iterator<Item = Word> {
    instruction.operands.iter().filter_map(|operand| match operand {
        Operand::IdScope(scope) => Some(*scope),
        _ => None,
    })
}
