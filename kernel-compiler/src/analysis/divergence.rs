//! Barriers and collectives to which not all work-items of the group may come.
//!
//! On a device some would wait for others that never come, or combine values that are not there. What makes them part is a condition on
//! which they do not agree, as far as [`super::uniformity`] can tell. It is an error even where the author knows better: a condition that is
//! the result of a collective, such as `work_group::any`, is the same for all.

use super::Analysis;
use super::uniformity::{Deed, Meeting, Uniformity, of_group};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, marker};
use crate::ir::{Collective, Group, Module};

const UNIFORM_BLOCKS: [&str; 2] = [
    "Notes and Restrictions",
    "block reads and writes are to be in control flow that is uniform within the subgroup, and from one address for all of it",
];

/// Finds the barriers and collectives to which not all may come, and broadcasts from work-items on which not all agree.
#[must_use]
pub fn divergence(module: &Module, analysis: &Analysis) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    for meeting in &analysis.uniformities.meetings {
        let wanted = of_group(meeting.group);
        // Where a block starts is looked at before the instruction, whose control is no more uniform than that.
        let is_block = meeting.deed == Deed::BlockAccess && meeting.id > wanted;
        if meeting.control.uniformity > wanted && !is_block {
            diagnostics.push(apart(module, meeting));
        } else if meeting.id > wanted {
            diagnostics.push(several(meeting));
        }
    }
    diagnostics
}

/// Control is not uniform.
fn apart(module: &Module, meeting: &Meeting) -> Diagnostic {
    let (group, what) =
        (name(meeting.group), if meeting.deed == Deed::Barrier { "barrier" } else { "function" });
    let message = format!("not all work-items of a {group} come to this {what} together");
    let mut diagnostic = Diagnostic::new(Code::Divergence, &marker(meeting.span), message);
    if let Some(cause) = meeting.control.cause {
        let start = module.values[cause].span.start();
        let who = match meeting.control.uniformity {
            Uniformity::Subgroup => "each subgroup decides for itself",
            _ => "each work-item decides for itself",
        };
        diagnostic = diagnostic.note(format!(
            "{who} by the condition at line {}, column {}",
            start.line,
            start.column + 1
        ));
    }
    let help = match meeting.group {
        Group::WorkGroup => {
            "call it outside of the condition, or make the condition one for the whole work-group, as by `work_group::any(condition)`"
        }
        Group::Subgroup => {
            "call it outside of the condition, or make the condition one for the whole subgroup, as by `subgroup::any(condition)`"
        }
    };
    if meeting.deed == Deed::BlockAccess {
        return diagnostic.environment(UNIFORM_BLOCKS[0], UNIFORM_BLOCKS[1]).help(help);
    }
    diagnostic
        .note("SPIR-V: the behaviour is undefined unless all invocations of the scope of execution reach it")
        .help(help)
}

/// The id of a broadcast is not uniform.
fn several(meeting: &Meeting) -> Diagnostic {
    let group = name(meeting.group);
    if meeting.deed == Deed::BlockAccess {
        let message = format!("not all work-items of a {group} agree on where this block starts");
        return Diagnostic::new(Code::Divergence, &marker(meeting.span), message).environment(UNIFORM_BLOCKS[0], UNIFORM_BLOCKS[1]).help(
            "leave out the work-item's own number, which the function adds, or index the slice with it: `x[i]`",
        );
    }
    if meeting.deed == Deed::Copy {
        let message = format!("not all work-items of a {group} agree on what is copied here");
        return Diagnostic::new(Code::Divergence, &marker(meeting.span), message)
            .note("SPIR-V: the operands of OpGroupAsyncCopy are the same for all invocations in the group")
            .help("leave out the work-item's own number, and name all that the work-group copies; what each has of its own it copies by `copy_from_slice`");
    }
    let message = format!("not all work-items of a {group} agree on which of them this broadcast is from");
    debug_assert_eq!(meeting.deed, Deed::Collective(Collective::Broadcast));
    let help = match meeting.group {
        Group::WorkGroup => "have each write its value to local memory, and read it there after a barrier",
        Group::Subgroup => "`subgroup::shuffle` lets each choose for itself",
    };
    Diagnostic::new(Code::Divergence, &marker(meeting.span), message)
        .note("SPIR-V: the LocalId of OpGroupBroadcast is the same for all invocations in the group")
        .help(help)
}

fn name(group: Group) -> &'static str {
    match group {
        Group::WorkGroup => "work-group",
        Group::Subgroup => "subgroup",
    }
}
