//! Accesses at places that differ by constants, as `y[4 * i]` to `y[4 * i + 3]`.
//!
//! Each is compared with each other one, which costs the square of their number. So those of which the same is known are first taken for one access at any place
//! from the first to the last: where that races with no other work-item, none of them does.

use super::exact::Form;
use super::record::{Access, Kind, Object, Part};
use super::{Checker, Needs, Presuming};
use crate::analysis::polynomial::Polynomial;
use crate::analysis::term::{Node, Term};
use crate::hash::HashMap;
use kernel_core::Scalar;

/// How many accesses are worth it.
const FEWEST: usize = 4;

/// What accesses have in common: the ways to their elements but for the constant of the last one, and what is known of them.
type Family = (Vec<Vec<(Vec<Term>, i128)>>, Option<usize>, Vec<usize>);

impl Checker<'_> {
    /// For each access, the number of a family within which none races with another one; none if that is not known.
    pub(super) fn settle_families(
        &mut self,
        object: Object,
        accesses: &[Access],
        presumed: &mut Needs,
    ) -> Vec<Option<usize>> {
        let mut families: HashMap<Family, Vec<usize>> = HashMap::default();
        let mut settled = vec![None; accesses.len()];
        let phases = self.phases_that_count(object, accesses);
        for (index, access) in accesses.iter().enumerate() {
            self.knowledge.spend(2);
            if let Some(family) = self.family(access, &phases) {
                families.entry(family).or_default().push(index);
            }
        }
        let mut families: Vec<Vec<usize>> = families.into_values().collect();
        families.sort_unstable();
        for (number, members) in families.into_iter().enumerate() {
            let writes = members.iter().any(|&member| accesses[member].kind == Kind::Write);
            if members.len() < FEWEST || !writes || !self.is_settled(object, accesses, &members, presumed) {
                continue;
            }
            members.into_iter().for_each(|member| settled[member] = Some(number));
        }
        settled
    }

    fn family(&mut self, access: &Access, phases: &[usize]) -> Option<Family> {
        let has_peers = access.kind != Kind::Atomic
            && access.copy.is_none()
            && !access.in_bytes
            && access.scope.is_none();
        let [before @ .., Part::Element(last)] = &access.path[..] else { return None };
        if !has_peers || last.presumed.is_some() {
            return None;
        }
        let mut ways = Vec::new();
        for part in before {
            ways.push(match part {
                Part::Member(member) => vec![(Vec::new(), i128::from(*member)), (Vec::new(), 0)],
                Part::Element(form) if form.presumed.is_none() => products(&form.certain),
                Part::Element(_) => return None,
            });
        }
        let varying = products(&last.certain).into_iter().filter(|(factors, _)| !factors.is_empty());
        ways.push(varying.collect());
        Some((ways, access.node, self.moments(access.step, phases)))
    }

    /// Returns whether none of a family races with another one of them, or with itself.
    fn is_settled(
        &mut self,
        object: Object,
        accesses: &[Access],
        members: &[usize],
        presumed: &mut Needs,
    ) -> bool {
        let first = &accesses[members[0]];
        let constants = members.iter().map(|&member| constant(&accesses[member]));
        let (least, most) =
            constants.fold((i128::MAX, i128::MIN), |(least, most), one| (least.min(one), most.max(one)));
        let Ok(count) = u32::try_from(most - least + 1) else { return false };
        let any = self.knowledge.terms.intern(Node::Any(count), Scalar::Usize);
        let mut path = first.path.to_vec();
        if let Some(Part::Element(last)) = path.last_mut() {
            let base = last.certain.clone().plus(Polynomial::product(Vec::new(), least - constant(first)), 1);
            *last = Form::certain(base).plus(Form::of(any, 1), 1);
        }
        // What is known because one of them is in bounds is not known of the others.
        let (path, bounds, ranges) = (path.into(), Vec::new(), Vec::new());
        let all = Access { kind: Kind::Write, path, bounds, ranges, ..first.clone() };
        let mut needs = presumed.clone();
        let is_safe = Presuming::ALL.into_iter().any(|presumes| {
            self.presumes = presumes;
            self.is_safe(object, [&all, &all], &mut needs)
        });
        if is_safe {
            *presumed = needs;
        }
        is_safe
    }
}

fn products(sum: &Polynomial) -> Vec<(Vec<Term>, i128)> {
    sum.products.iter().map(|(factors, &times)| (factors.clone(), times)).collect()
}

/// The constant in the last index of an access.
fn constant(access: &Access) -> i128 {
    match access.path.last() {
        Some(Part::Element(last)) => last.certain.constant(),
        _ => 0,
    }
}
