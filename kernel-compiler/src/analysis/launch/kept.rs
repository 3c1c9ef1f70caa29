//! Which checks of a kernel the host makes, and the conditions for that.

use super::number::Number;
use super::sum::Sum;
use crate::analysis::Analysis;
use crate::ir::{Handle, Module, Site};
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
        let mut strongest = Strongest::default();
        for condition in found.iter().flat_map(|(_, conditions)| *conditions) {
            strongest.add(condition);
        }
        let mut kept = Self::default();
        for (site, own) in found {
            let own = own.iter().map(|condition| kept.position(strongest.reason(condition)));
            let mut positions: Vec<usize> = own.collect();
            positions.sort_unstable();
            positions.dedup();
            kept.sites.push((site, positions));
        }
        kept
    }

    /// The sites of a kernel whose checks an analysis has proved, so that nobody has to make them.
    #[must_use]
    pub fn proved(module: &Module, analysis: &Analysis) -> Self {
        let proved = module.sites.iter().map(|(site, _)| site).filter(|site| analysis.is_proved(*site));
        Self { conditions: Vec::new(), sites: proved.map(|site| (site, Vec::new())).collect() }
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

/// Conditions none of which follows from another one.
#[derive(Clone, Debug, Default)]
pub(super) struct Strongest(Vec<(Number, Option<Sum>)>);

impl Strongest {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds a condition, unless it follows from one that is there, and drops those that follow from it.
    pub(super) fn add(&mut self, condition: &Number) {
        if self.0.iter().any(|(known, _)| known == condition) {
            return;
        }
        let excess = excess(condition);
        if self.0.iter().any(|(_, known)| follows(excess.as_ref(), known.as_ref())) {
            return;
        }
        self.0.retain(|(_, known)| !follows(known.as_ref(), excess.as_ref()));
        self.0.push((condition.clone(), excess));
    }

    /// Returns the condition from which one follows that has been added, which may be that one.
    fn reason<'a>(&'a self, condition: &'a Number) -> &'a Number {
        let own = excess(condition);
        let mut known = self.0.iter();
        let reason =
            known.find(|(known, excess)| known == condition || follows(own.as_ref(), excess.as_ref()));
        reason.map_or(condition, |(reason, _)| reason)
    }
}

/// Returns whether a condition follows from another one, by what has to be at most 0 for each.
fn follows(weak: Option<&Sum>, strong: Option<&Sum>) -> bool {
    weak.zip(strong).is_some_and(|(weak, strong)| weak.clone().minus(strong).range().max <= 0)
}

/// What has to be at most 0 for a condition to hold.
fn excess(condition: &Number) -> Option<Sum> {
    let Number::Exact(ExactOp::AtMost, sides) = condition else { return None };
    Some(Sum::expanded(&sides[0]).minus(&Sum::expanded(&sides[1])))
}
