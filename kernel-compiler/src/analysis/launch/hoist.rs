//! The kernel without the checks that the host makes.

use super::Kept;
use crate::analysis::discharge::{drop_idle, each_check};
use crate::analysis::fault_exit::drop_needless;
use crate::hash::HashSet;
use crate::ir::{Arena, Block, Check, End, Handle, Module, Op, Site, Statement, Value};

/// Takes the checks out that the host makes at the launch, from a kernel without checks that are proved. The sites keep their numbers, so that
/// other faults are reported as without this; if there are no others, there are no sites.
pub fn hoist(module: &mut Module, kept: &Kept) {
    let sites: HashSet<_> = kept.sites.iter().map(|(site, _)| *site).collect();
    drop_panics(&mut module.body, &module.values, &sites);
    let leave_out = &mut |check: &mut Check| {
        if let Check::At(site) = check
            && sites.contains(site)
        {
            *check = Check::Proved;
        }
    };
    each_check(module, leave_out);
    drop_idle(module);
    drop_needless(module);
    if !module.body.is_checked(&module.values) {
        module.sites = Arena::default();
    }
}

/// Takes the branches out to which control does not come because they panic.
fn drop_panics(block: &mut Block, values: &Arena<Value>, sites: &HashSet<Handle<Site>>) {
    for mut statement in std::mem::take(&mut block.statements) {
        match &mut statement {
            Statement::If { accept, reject, .. } => {
                let [accepted, rejected] = [&*accept, &*reject].map(|side| panics(side, values, sites));
                if accepted || rejected {
                    let nothing = Block { statements: Vec::new(), end: End::Next };
                    let mut other = std::mem::replace(if accepted { reject } else { accept }, nothing);
                    drop_panics(&mut other, values, sites);
                    block.statements.append(&mut other.statements);
                    if other.end != End::Next {
                        // What follows was for the other branch only, to which control does not come.
                        block.end = other.end;
                        return;
                    }
                    continue;
                }
                drop_panics(accept, values, sites);
                drop_panics(reject, values, sites);
            }
            Statement::Loop { body, continuing, .. } => {
                drop_panics(body, values, sites);
                drop_panics(continuing, values, sites);
            }
            _ => {}
        }
        block.statements.push(statement);
    }
}

/// Returns whether a block panics in any case, which the host has found not to happen.
fn panics(block: &Block, values: &Arena<Value>, sites: &HashSet<Handle<Site>>) -> bool {
    block.statements.iter().any(|statement| {
        let Statement::Evaluate(value) = statement else { return false };
        let Op::Require { condition, faults } = &values[*value].op else { return false };
        let is_hoisted = |check: Check| matches!(check, Check::At(site) if sites.contains(&site));
        let all = !faults.is_empty() && faults.iter().all(|fault| is_hoisted(fault.check));
        all && matches!(values[*condition].op, Op::Constant(0))
    })
}
