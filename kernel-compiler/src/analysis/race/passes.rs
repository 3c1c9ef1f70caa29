//! Races between one pass of a loop and the next, which a barrier at the end of the loop would order.
//!
//! Whether it would is not guessed: the kernel is looked at with that barrier.

use super::{Cause, Class, Finding, Races};
use crate::analysis::{Analysis, divergence};
use crate::ir::{Fence, Group, Label, Module, Statement};
use proc_macro2::Span;

/// In how many loops a barrier is tried.
const MOST_LOOPS: usize = 4;
/// How many values a kernel has at most that is looked at again: what is said of a large one should not take seconds.
const MOST_VALUES: usize = 4000;

/// Notes of which races a barrier at the end of a loop would be the end.
pub(super) fn note_missing_barriers(
    module: &Module,
    races: &mut Races,
    races_of: impl Fn(&Module) -> Option<Races>,
) {
    if module.values.len() > MOST_VALUES {
        return;
    }
    let meets = module.body.has_convergent(&module.values);
    let may_be = |finding: &Finding| {
        (finding.is_local || meets)
            && finding.cause.as_ref().is_none_or(|cause| *cause == Cause::OneWrites)
            && finding.scope.is_none()
            && !matches!(finding.class, Class::TooComplex | Class::FromMemory)
    };
    for label in loops(module) {
        if !races.findings.iter().any(may_be) {
            return;
        }
        let Some(left) = with_barrier(module, label).and_then(|module| races_of(&module)) else { continue };
        for finding in races.findings.iter_mut().filter(|finding| may_be(finding)) {
            if left.findings.iter().all(|other| other.object != finding.object) {
                finding.cause = Some(Cause::NoBarrierBetweenPasses);
            }
        }
    }
}

/// The loops that start over, the innermost first.
fn loops(module: &Module) -> Vec<Label> {
    let mut found = Vec::new();
    module.body.for_each_statement(&mut |statement| match statement {
        Statement::Loop { label, body, .. } if body.reaches_end_of(*label) => found.push(*label),
        _ => {}
    });
    found.reverse();
    found.truncate(MOST_LOOPS);
    found
}

/// The kernel with a barrier at the end of a loop, if all work-items of a group come to it together.
fn with_barrier(module: &Module, wanted: Label) -> Option<Module> {
    let mut module = module.clone();
    module.body.for_each_block_mut(&mut |block| {
        for statement in &mut block.statements {
            if let Statement::Loop { label, continuing, .. } = statement
                && *label == wanted
            {
                let barrier = Statement::Barrier(Span::call_site(), Group::WorkGroup, Fence::LocalAndGlobal);
                continuing.statements.insert(0, barrier);
            }
        }
    });
    let analysis = Analysis::of(&module);
    divergence(&module, &analysis).is_empty().then_some(module)
}
