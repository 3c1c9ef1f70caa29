//! Which checks of a kernel the host makes, and the conditions for that.

use super::number::Number;
use super::sum::Sum;
use crate::ir::{Handle, Site};
use kernel_core::ExactOp;

/// The sites of a kernel without checks that are proved whose checks the host can make.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// What has to hold for all of them, each condition once, and none that follows from another one.
    pub conditions: Vec<Number>,
    /// Each of them, with the positions of its conditions, or of those that say more.
    pub sites: Vec<(Handle<Site>, Vec<usize>)>,
}

impl Kept {
    pub(in crate::analysis) fn new(mut found: Vec<(Handle<Site>, &Vec<Number>)>) -> Self {
        found.sort_unstable_by_key(|(site, _)| site.index());
        let mut conditions: Vec<&Number> = Vec::new();
        for condition in found.iter().flat_map(|(_, conditions)| *conditions) {
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        let reasons = reasons(&conditions);
        let mut kept = Self::default();
        for (site, own) in found {
            let positions = own.iter().filter_map(|condition| {
                let position = conditions.iter().position(|known| *known == condition)?;
                Some(kept.position(conditions[reasons[position]]))
            });
            let mut positions: Vec<usize> = positions.collect();
            positions.sort_unstable();
            positions.dedup();
            kept.sites.push((site, positions));
        }
        kept
    }

    fn position(&mut self, condition: &Number) -> usize {
        let known = self.conditions.iter().position(|known| known == condition);
        known.unwrap_or_else(|| {
            self.conditions.push(condition.clone());
            self.conditions.len() - 1
        })
    }

    /// Returns whether there is nothing that the host could do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }
}

/// The conditions that do not follow from others of them, each once.
pub(super) fn strongest(conditions: &[Number]) -> Vec<Number> {
    let mut each: Vec<&Number> = Vec::new();
    for condition in conditions {
        if !each.contains(&condition) {
            each.push(condition);
        }
    }
    let reasons = reasons(&each);
    let strong = (0..each.len()).filter(|position| reasons[*position] == *position);
    strong.map(|position| each[position].clone()).collect()
}

/// For each of different conditions the position of one from which it follows, and that does not follow from another one itself.
fn reasons(conditions: &[&Number]) -> Vec<usize> {
    let excesses: Vec<_> = conditions.iter().map(|condition| excess(condition)).collect();
    let follows = |one: usize, other: usize| match (&excesses[one], &excesses[other]) {
        // Of two that are worth the same the first stays.
        (Some(weak), Some(strong)) => {
            let difference = weak.clone().minus(strong).range();
            difference.max <= 0 && (difference.min < 0 || other < one)
        }
        _ => false,
    };
    let mut reasons: Vec<usize> = (0..conditions.len()).collect();
    for reason in &mut reasons {
        // What a condition follows from may follow from another one in turn.
        while let Some(other) =
            (0..conditions.len()).find(|&other| other != *reason && follows(*reason, other))
        {
            *reason = other;
        }
    }
    reasons
}

/// What has to be at most 0 for a condition to hold.
fn excess(condition: &Number) -> Option<Sum> {
    let Number::Exact(ExactOp::AtMost, sides) = condition else { return None };
    Some(Sum::expanded(&sides[0]).minus(&Sum::expanded(&sides[1])))
}
