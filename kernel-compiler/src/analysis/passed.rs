//! Which checks control has passed.
//!
//! Where a check fails, a work-item ends, unless others would wait for it. So what a check asks for holds in all that comes after it, and
//! the same need not be asked for again. These are no facts from which anything else is derived, since a fact for each check makes the proofs of long kernels several times
//! as expensive. Terms never change, so what has been passed holds as long as control stays where that was.

use super::reason::Missing;
use crate::ir::Module;

/// How many of the last checks are looked at.
const MOST: usize = 64;

/// What checks have asked for that control has passed, oldest first.
#[derive(Debug)]
pub(super) struct Passed {
    stack: Vec<Missing>,
    /// Whether a work-item ends where a check fails.
    ends_at_faults: bool,
}

impl Passed {
    /// Before the first check of a kernel.
    pub(super) fn of(module: &Module) -> Self {
        Self { stack: Vec::new(), ends_at_faults: !module.body.has_convergent(&module.values) }
    }

    /// Notes what a check asks for; whether control comes here only where it holds.
    pub(super) fn note(&mut self, missing: Missing) -> bool {
        if !self.ends_at_faults || missing == Missing::Lanes {
            return false;
        }
        let is_known = self.stack.iter().rev().take(MOST).any(|known| *known == missing);
        if !is_known {
            self.stack.push(missing);
        }
        is_known
    }

    /// How many checks control has passed.
    pub(super) fn mark(&self) -> usize {
        self.stack.len()
    }

    /// Forgets the checks since a mark.
    pub(super) fn forget(&mut self, mark: usize) {
        self.stack.truncate(mark);
    }
}
