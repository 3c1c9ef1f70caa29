//! Barriers and collectives to which not all work-items of the group may come.
//!
//! On a device some would wait for others that never come, or combine values that are not there. What makes them part is a condition on
//! which they do not agree, as far as [`super::uniformity`] can tell. An author who knows better says so, by `assume_uniform`; a condition that is
//! the result of a collective, such as `work_group::any`, is the same for all without that.

use super::Analysis;
use super::uniformity::{ConvergentKind, ConvergentOperation, Uniformity, of_group};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, marker};
use crate::hash::HashSet;
use crate::ir::{Base, Collective, Group, Handle, Module, Op, Place, Statement, Value};
use proc_macro2::Span;

const UNIFORM_BLOCKS: [&str; 2] = [
    "Notes and Restrictions",
    "block reads and writes are to be in control flow that is uniform within the subgroup, and from one address for all of it",
];

/// Finds the barriers and collectives to which not all may come, and broadcasts from work-items on which not all agree.
#[must_use]
pub fn divergence(module: &Module, analysis: &Analysis) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    let convergents = &analysis.uniformities.convergents;
    for convergent in convergents {
        // A block of an image comes with a vote on whether it is there, of which nobody knows.
        let is_part = |other: &ConvergentOperation| {
            is_same(other.span, convergent.span) && other.kind == ConvergentKind::BlockAccess
        };
        if matches!(convergent.kind, ConvergentKind::Collective(_)) && convergents.iter().any(is_part) {
            continue;
        }
        // What they go through the loop together for is reported.
        if convergent.kind == ConvergentKind::Vote {
            continue;
        }
        let wanted = of_group(convergent.group);
        // Where a block starts is looked at before the instruction, whose control is no more uniform than that.
        let is_block = convergent.kind == ConvergentKind::BlockAccess && convergent.id > wanted;
        if convergent.control.uniformity > wanted && !is_block {
            diagnostics.push(apart(module, analysis, convergent));
        } else if convergent.id > wanted {
            diagnostics.push(several(convergent));
        }
    }
    diagnostics
}

/// Returns whether two places in the source are the same.
fn is_same(one: Span, other: Span) -> bool {
    (one.start(), one.end()) == (other.start(), other.end())
}

/// Control is not uniform.
fn apart(module: &Module, analysis: &Analysis, convergent: &ConvergentOperation) -> Diagnostic {
    let (group, what) = (
        name(convergent.group),
        if convergent.kind == ConvergentKind::Barrier { "barrier" } else { "function" },
    );
    let message = format!("not all work-items of a {group} come to this {what} together");
    let mut diagnostic = Diagnostic::new(Code::Divergence, &marker(convergent.span), message);
    if let Some(cause) = convergent.control.cause {
        let start = module.values[cause].span.start();
        let who = match convergent.control.uniformity {
            Uniformity::Subgroup => "each subgroup decides for itself",
            _ => "each work-item decides for itself",
        };
        diagnostic = diagnostic.note(format!(
            "{who} by the condition at line {}, column {}",
            start.line,
            start.column + 1
        ));
        if let Some(source) = source(module, analysis, cause, of_group(convergent.group)) {
            let start = module.values[source].span.start();
            let what = match &module.values[source].op {
                Op::Query(..) => "the number of the work-item",
                Op::Collective { .. } => "what another work-item hands over",
                Op::Atomic(_) => "what the atomic held",
                Op::Call(_) => "what a function of another module returns",
                _ => "what is read from memory",
            };
            diagnostic = diagnostic.note(format!(
                "what differs is {what} at line {}, column {}",
                start.line,
                start.column + 1
            ));
        }
    }
    let name = match convergent.group {
        Group::WorkGroup => "work_group",
        Group::Subgroup => "subgroup",
    };
    let help = format!(
        "call it outside of the condition, or make the condition one for the whole {group}, as by `{name}::any(condition)`; if it is that already, \
         write `unsafe {{ {name}::assume_uniform(condition) }}`"
    );
    if convergent.kind == ConvergentKind::BlockAccess {
        return diagnostic.environment(UNIFORM_BLOCKS[0], UNIFORM_BLOCKS[1]).help(help);
    }
    diagnostic
        .note("SPIR-V: the behaviour is undefined unless all invocations of the scope of execution reach it")
        .help(help)
}

/// What makes a value differ between work-items that should agree on it: the first on the way to it that is no operation on others, if
/// that can be told.
fn source(
    module: &Module,
    analysis: &Analysis,
    value: Handle<Value>,
    wanted: Uniformity,
) -> Option<Handle<Value>> {
    let differs = |value: Handle<Value>| analysis.uniformities.values[value.index()] > wanted;
    let mut seen = HashSet::default();
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        if !differs(value) || !seen.insert(value) {
            continue;
        }
        let op = &module.values[value].op;
        let before = left.len();
        if let Op::Load(Place { base: Base::Variable(variable), .. }) = op {
            module.body.for_each_block(&mut |block| {
                left.extend(block.statements.iter().filter_map(|statement| match statement {
                    Statement::Store { place, value } if place.base == Base::Variable(*variable) => {
                        Some(*value)
                    }
                    _ => None,
                }));
            });
            continue;
        }
        op.for_each_operand(&mut |operand| left.extend(differs(operand).then_some(operand)));
        let tells =
            matches!(op, Op::Query(..) | Op::Collective { .. } | Op::Atomic(_) | Op::Call(_) | Op::Load(_));
        if left.len() == before && tells {
            return Some(value);
        }
    }
    None
}

/// The id of a broadcast is not uniform.
fn several(convergent: &ConvergentOperation) -> Diagnostic {
    let group = name(convergent.group);
    if convergent.kind == ConvergentKind::BlockAccess {
        let message = format!("not all work-items of a {group} agree on where this block starts");
        return Diagnostic::new(Code::Divergence, &marker(convergent.span), message).environment(UNIFORM_BLOCKS[0], UNIFORM_BLOCKS[1]).help(
            "leave out the work-item's own number, which the function adds, or let each access its own: `x[i]`, `image.read((x, y))`",
        );
    }
    if convergent.kind == ConvergentKind::Copy {
        let message = format!("not all work-items of a {group} agree on what is copied here");
        return Diagnostic::new(Code::Divergence, &marker(convergent.span), message)
            .note("SPIR-V: the operands of OpGroupAsyncCopy are the same for all invocations in the group")
            .help("leave out the work-item's own number, and name all that the work-group copies; what each has of its own it copies by `copy_from_slice`");
    }
    let message = format!("not all work-items of a {group} agree on which of them this broadcast is from");
    debug_assert_eq!(convergent.kind, ConvergentKind::Collective(Collective::Broadcast));
    let help = match convergent.group {
        Group::WorkGroup => "have each write its value to local memory, and read it there after a barrier",
        Group::Subgroup => "`subgroup::shuffle` lets each choose for itself",
    };
    Diagnostic::new(Code::Divergence, &marker(convergent.span), message)
        .note("SPIR-V: the LocalId of OpGroupBroadcast is the same for all invocations in the group")
        .help(help)
}

fn name(group: Group) -> &'static str {
    match group {
        Group::WorkGroup => "work-group",
        Group::Subgroup => "subgroup",
    }
}
