//! What a proof presumes of a launch, in a form in which the launch can check it.
//!
//! A number that is presumed not to wrap is computed on the host as bounds: arguments, lengths and sizes are known there, ids are below the sizes, and other
//! numbers are in the range that the analysis knows, or below or above what a guard compares them with. What cannot be bounded so is not presumed.

use super::counter::of_any_launch;
use super::pair::{MOST_FACTS, Owner};
use super::{Checker, Needs};
use crate::analysis::interval::Interval;
use crate::analysis::polynomial::Polynomial;
use crate::analysis::term::{Node, Term};
use crate::compiled::Presumption;
use crate::emit::SourcePlace;
use crate::ir::{Handle, Op, PartOfArgument, Query, Type, Value};
use kernel_core::semantics::BinaryOp;
use kernel_core::{Part, Presumed, Scalar};

/// What a proof may presume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presuming {
    Nothing,
    /// That the arithmetic of indices is exact.
    Indices,
    /// That of the conditions too under which they are accessed.
    IndicesAndFacts,
    /// That numbers of the launch by which indices are multiplied are not 0, too.
    PositiveWidths,
}

impl Presuming {
    /// All, those that presume less first.
    pub(super) const ALL: [Self; 4] =
        [Self::Nothing, Self::Indices, Self::IndicesAndFacts, Self::PositiveWidths];

    /// Returns whether the arithmetic of conditions is presumed to be exact.
    pub(super) fn has_facts(self) -> bool {
        matches!(self, Self::IndicesAndFacts | Self::PositiveWidths)
    }
}

/// Where a number is presumed not to wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Occasion {
    /// At the access of one of the two work-items, or whenever it is computed.
    Access(Owner),
    /// At the access of one of the two, where this condition holds, or does not, by which a number is chosen.
    Choice(Owner, Term, bool),
    /// At the end of each pass through a loop, where the facts of a node hold.
    Pass(Option<usize>),
    /// Not that it does not wrap, but that it is one.
    One,
    /// That it is at least one.
    Positive,
    /// That nobody else gets it from its counter.
    Counter,
    /// That nobody else finds this number in an atomic.
    Claim(i128),
}

/// The greatest number that the host takes for granted without knowing more.
const MOST: i128 = u32::MAX as i128;

/// How deep a number is taken apart.
pub(super) const DEPTH: u32 = 8;

impl Checker<'_> {
    /// Notes what a launch has to see to for a term, if it can: where it is needed at the access of one of the two, or whenever it is computed.
    pub(super) fn presume(
        &mut self,
        (term, occasion): (Term, Occasion),
        nodes: [Option<usize>; 2],
        at: SourcePlace,
        needs: &mut Needs,
    ) -> bool {
        if matches!(occasion, Occasion::Counter | Occasion::Claim(_)) {
            return self.presume_of_atomic(term, occasion, &at, needs);
        }
        let presumed = match self.knowledge.terms.node(term) {
            _ if occasion == Occasion::One => Presumed::One,
            _ if occasion == Occasion::Positive => Presumed::Positive,
            Node::Binary(..) | Node::Cast(_) => Presumed::Fits,
            _ => Presumed::PowerOfTwo,
        };
        let facts: &[Option<usize>] = match occasion {
            Occasion::Access(Owner::First) | Occasion::Choice(Owner::First, ..) => &nodes[..1],
            Occasion::Access(Owner::Second) | Occasion::Choice(Owner::Second, ..) => &nodes[1..],
            Occasion::Access(Owner::Both) | Occasion::Choice(Owner::Both, ..) => &[],
            Occasion::One | Occasion::Positive | Occasion::Counter | Occasion::Claim(_) => &[],
            Occasion::Pass(node) => &[node],
        };
        let mut parts = Vec::new();
        let is_bounded = match presumed {
            Presumed::Fits => match occasion {
                Occasion::Choice(_, condition, holds) => self
                    .where_chosen(condition, holds, |checker| checker.result(term, facts, &mut parts, DEPTH)),
                _ => self.result(term, facts, &mut parts, DEPTH),
            },
            _ => self.bounds(term, &[], &mut parts, 0),
        };
        let is_range = matches!(parts[..], [Part::Between(..)]);
        if is_bounded.is_none() || is_range || parts.len() > kernel_core::Presumption::MOST_PARTS {
            return false;
        }
        if presumed.holds(&parts, of_any_launch) {
            return true;
        }
        if !can_be_met(presumed, &parts) {
            return false;
        }
        let text = self.text_of(term);
        need(Presumption { text, at, presumed, parts }, needs);
        true
    }

    /// Notes what a launch has to see to so that nobody else gets a number from its counter, or finds one in an atomic.
    fn presume_of_atomic(
        &mut self,
        term: Term,
        occasion: Occasion,
        at: &SourcePlace,
        needs: &mut Needs,
    ) -> bool {
        let Node::Opaque(value) = self.knowledge.terms.node(term) else { return false };
        let conditions = match occasion {
            Occasion::Claim(number) => self.claim(value, number),
            _ => self.uniqueness(value).map(|conditions| conditions.to_vec()),
        };
        let Some(conditions) = conditions else { return false };
        for condition in conditions {
            need(Presumption { at: at.clone(), ..condition }, needs);
        }
        true
    }

    /// A number as the source might have it.
    pub(super) fn text_of(&mut self, term: Term) -> String {
        std::mem::swap(&mut self.walk.knowledge, &mut self.knowledge);
        let text = self.walk.text(term);
        std::mem::swap(&mut self.walk.knowledge, &mut self.knowledge);
        text
    }

    /// Does something with what is known where a condition holds, or does not.
    pub(super) fn where_chosen<T>(
        &mut self,
        condition: Term,
        holds: bool,
        then: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let mark = self.knowledge.facts.mark();
        self.knowledge.assume(condition, holds);
        let done = then(self);
        self.knowledge.facts.forget(mark);
        done
    }

    /// Adds the steps to the result of an operation.
    fn result(
        &mut self,
        term: Term,
        facts: &[Option<usize>],
        parts: &mut Vec<Part>,
        depth: u32,
    ) -> Option<()> {
        let scalar = self.knowledge.terms.scalar(term);
        let part = match self.knowledge.terms.node(term) {
            Node::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), left, right) => {
                let is_before = |side| self.work_items_before(side).is_some();
                let dimension = match op {
                    BinaryOp::Mul => self.work_items_before(term),
                    BinaryOp::Add if is_before(left) || is_before(right) => self.global_id(left, right),
                    _ => None,
                };
                if let Some(dimension) = dimension {
                    parts.extend([Part::GlobalId(dimension), Part::Cast(scalar)]);
                    return Some(());
                }
                self.bounds(left, facts, parts, depth)?;
                self.bounds(right, facts, parts, depth)?;
                match op {
                    BinaryOp::Add => Part::Add,
                    BinaryOp::Sub if !scalar.is_signed() && self.is_at_most(right, left) => {
                        // It is known not to wrap here, whatever the bounds of the two say.
                        parts.extend([Part::Sub, Part::Between(0, 0), Part::AtLeast, Part::Meet]);
                        return Some(());
                    }
                    BinaryOp::Sub => Part::Sub,
                    _ => Part::Mul,
                }
            }
            Node::Binary(BinaryOp::Shl, left, right) => {
                self.bounds(left, facts, parts, depth)?;
                match self.knowledge.terms.constant_of(right) {
                    Some(count @ 0..64) => {
                        parts.push(Part::Between(1 << count, 1 << count));
                        Part::Mul
                    }
                    _ => {
                        self.bounds(right, facts, parts, depth)?;
                        Part::Shl
                    }
                }
            }
            Node::Binary(op @ (BinaryOp::Div | BinaryOp::Rem), left, right) if !scalar.is_signed() => {
                let first = parts.len();
                let is_bounded = self.bounds(left, facts, parts, depth);
                if is_bounded.is_none() && op == BinaryOp::Rem {
                    // Whatever it is of, it is less than the divisor; of 0 there is none.
                    parts.truncate(first);
                    self.bounds(right, facts, parts, depth)?;
                    parts.extend([Part::Between(1, 1), Part::Sub, Part::UpTo]);
                    return Some(());
                }
                is_bounded?;
                self.bounds(right, facts, parts, depth)?;
                if op == BinaryOp::Div { Part::Div } else { Part::Rem }
            }
            Node::Binary(BinaryOp::Or, left, right) if !scalar.is_signed() => {
                // It is at most the sum.
                self.bounds(left, facts, parts, depth)?;
                self.bounds(right, facts, parts, depth)?;
                parts.extend([Part::Add, Part::UpTo, Part::Cast(scalar)]);
                return Some(());
            }
            Node::Select(condition, accept, reject) => {
                self.where_chosen(condition, true, |checker| checker.bounds(accept, facts, parts, depth))?;
                self.where_chosen(condition, false, |checker| checker.bounds(reject, facts, parts, depth))?;
                parts.push(Part::Join);
                return Some(());
            }
            Node::Min(left, right) | Node::Max(left, right) => {
                self.bounds(left, facts, parts, depth)?;
                self.bounds(right, facts, parts, depth)?;
                parts.push(Part::Join);
                return Some(());
            }
            Node::Cast(operand) => {
                self.bounds(operand, facts, parts, depth)?;
                parts.push(Part::Cast(scalar));
                return Some(());
            }
            _ => return None,
        };
        parts.extend([part, Part::Cast(scalar)]);
        Some(())
    }

    /// Returns whether a natural number is known to be at most another one, or the one that that is a multiple of and does not wrap.
    fn is_at_most(&mut self, number: Term, most: Term) -> bool {
        if self.knowledge.proves(number, most, 0) {
            return true;
        }
        let terms = &self.knowledge.terms;
        let is_positive = |times| terms.constant_of(times).is_some_and(|times| times > 0);
        let part = match terms.node(most) {
            Node::Binary(BinaryOp::Mul, part, times) if is_positive(times) => part,
            Node::Binary(BinaryOp::Mul, times, part) if is_positive(times) => part,
            Node::Binary(BinaryOp::Shl, part, _) => part,
            _ => return false,
        };
        self.knowledge.proves(number, part, 0)
    }

    fn query(&self, mut term: Term) -> Option<(Query, u8)> {
        loop {
            match self.knowledge.terms.node(term) {
                Node::Cast(operand) => term = operand,
                Node::Query(query, dimension) => return Some((query, dimension)),
                _ => return None,
            }
        }
    }

    /// The dimension in which a sum is the id of a work-item in the launch: those of the groups before its own, and its id in that.
    fn global_id(&self, left: Term, right: Term) -> Option<u8> {
        [[left, right], [right, left]].into_iter().find_map(|[before, own]| {
            let dimension = self.work_items_before(before)?;
            (self.query(own)? == (Query::LocalId, dimension)).then_some(dimension)
        })
    }

    /// The dimension in which a product is the number of work-items of the groups before one: less than the size of the launch.
    fn work_items_before(&self, product: Term) -> Option<u8> {
        let Node::Binary(BinaryOp::Mul, left, right) = self.knowledge.terms.node(product) else {
            return None;
        };
        match (self.query(left)?, self.query(right)?) {
            ((Query::GroupId, one), (Query::LocalSize, other))
            | ((Query::LocalSize, one), (Query::GroupId, other))
                if one == other =>
            {
                Some(one)
            }
            _ => None,
        }
    }

    /// Adds the steps to the bounds of a number: those that it has whatever else is known, and what guards say that it is at most and at least.
    pub(super) fn bounds(
        &mut self,
        term: Term,
        facts: &[Option<usize>],
        parts: &mut Vec<Part>,
        depth: u32,
    ) -> Option<()> {
        let first = parts.len();
        let is_bounded = self.own_bounds(term, facts, parts, depth);
        if is_bounded.is_none() {
            parts.truncate(first);
        }
        if self.is_of_launch(term) || depth == 0 {
            return is_bounded;
        }
        let known = self.knowledge.range(term);
        let is_news = |limit: &Polynomial, is_news: bool| {
            is_news || limit.products.keys().any(|factors| !factors.is_empty())
        };
        let most = if known.min >= 0 { self.limit(term, -1, facts) } else { None };
        let most = most.filter(|most| is_news(most, most.constant() < known.max));
        let least = self.limit(term, 1, facts);
        let least = least.filter(|least| is_news(least, least.constant() > known.min));
        let start = self.least(term, facts).filter(|start| *start > known.min);
        let start = start.map(|start| Polynomial::product(Vec::new(), start));
        let mut is_bounded = is_bounded.is_some();
        for (limit, part) in [(most, Part::UpTo), (least, Part::AtLeast), (start, Part::AtLeast)] {
            let Some(limit) = limit.filter(|_| is_bounded || part == Part::UpTo) else { continue };
            self.sum_of_launch(limit, facts, parts, depth - 1)?;
            parts.push(part);
            parts.extend(is_bounded.then_some(Part::Meet));
            is_bounded = true;
        }
        is_bounded.then_some(())
    }

    /// Adds the steps to a sum of what the host knows.
    pub(super) fn sum_of_launch(
        &mut self,
        sum: Polynomial,
        facts: &[Option<usize>],
        parts: &mut Vec<Part>,
        depth: u32,
    ) -> Option<()> {
        parts.push(Part::Between(sum.constant(), sum.constant()));
        for (factors, times) in sum.products.into_iter().filter(|(factors, _)| !factors.is_empty()) {
            parts.push(Part::Between(times, times));
            for factor in factors {
                self.own_bounds(factor, facts, parts, depth)?;
                parts.push(Part::Mul);
            }
            parts.push(Part::Add);
        }
        Some(())
    }

    fn own_bounds(
        &mut self,
        term: Term,
        facts: &[Option<usize>],
        parts: &mut Vec<Part>,
        depth: u32,
    ) -> Option<()> {
        if let Some(part) = self.given(term) {
            parts.push(part);
            return Some(());
        }
        if let Node::Query(Query::LocalId, dimension) = self.knowledge.terms.node(term) {
            parts.extend([Part::LocalSize(dimension), Part::Between(1, 1), Part::Sub, Part::UpTo]);
            return Some(());
        }
        let first = parts.len();
        if depth > 0 && self.result(term, facts, parts, depth - 1).is_some() {
            return Some(());
        }
        parts.truncate(first);
        let range = self.knowledge.range(term);
        let is_small = range.is_within(Interval { min: -MOST, max: MOST });
        is_small.then(|| parts.push(Part::Between(range.min, range.max)))
    }

    /// What the host knows of a launch.
    fn given(&self, term: Term) -> Option<Part> {
        Some(match self.knowledge.terms.node(term) {
            Node::Constant(value) => Part::Between(value, value),
            Node::Parameter(argument) => Part::Value { argument, offset: 0, scalar: self.number(argument)? },
            Node::Opaque(value) => self.part(value)?,
            Node::Len(slice) => match self.knowledge.terms.node(slice) {
                Node::Parameter(position) => Part::Length(position),
                _ => return None,
            },
            Node::Query(Query::GlobalId, dimension) => Part::GlobalId(dimension),
            Node::Query(Query::GlobalSize, dimension) => Part::GlobalSize(dimension),
            Node::Query(Query::GroupId, dimension) => Part::GroupId(dimension),
            Node::Query(Query::NumGroups, dimension) => Part::NumGroups(dimension),
            Node::Query(Query::LocalSize, dimension) => Part::LocalSize(dimension),
            _ => return None,
        })
    }

    /// The type of a parameter that is an integer.
    fn number(&self, position: u32) -> Option<Scalar> {
        match self.module.types[self.module.parameters[position as usize].ty] {
            Type::Scalar(scalar) if scalar.is_integer() => Some(scalar),
            _ => None,
        }
    }

    /// An integer in what is passed by value.
    fn part(&self, value: Handle<Value>) -> Option<Part> {
        let Op::Load(place) = &self.module.values[value].op else { return None };
        let scalar = self.module.scalar(self.module.values[value].ty).filter(|scalar| scalar.is_integer())?;
        let PartOfArgument { argument, offset } = self.module.part_of_argument(place)?;
        Some(Part::Value { argument, offset, scalar })
    }

    /// What a number is at least at each of some places, whatever the launch is.
    fn least(&self, term: Term, facts: &[Option<usize>]) -> Option<i128> {
        let least_at = |node: &Option<usize>| {
            let known = self.recorder.facts_at(*node).take(MOST_FACTS).flat_map(|(_, fact)| &fact.ranges);
            known.filter(|(other, _)| *other == term).map(|(_, range)| range.min).max()
        };
        facts.iter().map(least_at).min()?
    }

    /// What a number is at most, or at least if the sign is positive, by the facts in force at each of some places.
    pub(super) fn limit(&self, term: Term, sign: i128, facts: &[Option<usize>]) -> Option<Polynomial> {
        let mut limits = facts.iter().map(|node| self.limit_at(term, sign, *node));
        let first = limits.next()??;
        limits.all(|other| other.as_ref() == Some(&first)).then_some(first)
    }

    fn limit_at(&self, term: Term, sign: i128, node: Option<usize>) -> Option<Polynomial> {
        let mut sums =
            self.recorder.facts_at(node).take(MOST_FACTS).map(|(_, fact)| &fact.difference.certain);
        sums.find_map(|sum| {
            let own = Polynomial::product(vec![term], sign);
            let rest = (sum.products.get(&vec![term]) == Some(&sign)).then(|| sum.clone().plus(own, -1))?;
            let limit = Polynomial::default().plus(rest, -sign);
            limit.products.keys().flatten().all(|other| self.is_of_launch(*other)).then_some(limit)
        })
    }

    /// Returns whether a number is made of what the host knows exactly.
    pub(super) fn is_of_launch(&self, term: Term) -> bool {
        self.is_of_launch_within(term, DEPTH / 2)
    }

    fn is_of_launch_within(&self, term: Term, depth: u32) -> bool {
        let is_so = |side| depth > 0 && self.is_of_launch_within(side, depth - 1);
        match self.knowledge.terms.node(term) {
            Node::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div, left, right) => {
                return [left, right].into_iter().all(is_so);
            }
            // Whether it holds is 0 or 1.
            Node::Binary(..) if self.knowledge.terms.scalar(term) == Scalar::Bool => return true,
            Node::Cast(operand) => return is_so(operand),
            _ => {}
        }
        matches!(
            self.given(term),
            Some(Part::Between(..) | Part::Value { .. } | Part::Length(_) | Part::GlobalSize(_))
        )
    }
}

/// Notes what a launch has to see to, once.
fn need(presumption: Presumption, needs: &mut Needs) {
    let is_known = |known: &Presumption| known.text == presumption.text && known.parts == presumption.parts;
    if !needs.iter().any(is_known) {
        needs.push(presumption);
    }
}

/// Returns whether some small launch meets what is presumed. Where nothing but what the host knows is in it, that is left to the launch.
pub(super) fn can_be_met(presumed: Presumed, parts: &[Part]) -> bool {
    let is_unknown = |part: &Part| matches!(part, Part::Between(least, most) if least < most);
    let (groups, size) = (4, 8);
    let meets = |number: i128, step: i128| {
        presumed.holds(parts, |part| {
            Some(match part {
                Part::Value { argument, .. } => {
                    let number = (number + step * i128::from(argument)).max(1);
                    (number, number)
                }
                Part::Length(_) => (1 << 12, 1 << 12),
                Part::LocalSize(_) => (size, size),
                Part::NumGroups(_) => (groups, groups),
                Part::GlobalSize(_) => (groups * size, groups * size),
                Part::GroupId(_) => (0, groups - 1),
                Part::GlobalId(_) => (0, groups * size - 1),
                _ => return None,
            })
        })
    };
    let numbers = [1, 2, 3, 8, 16, 30, 100];
    !parts.iter().any(is_unknown)
        || numbers.into_iter().any(|number| [0, 7, -7].into_iter().any(|step| meets(number, step)))
}
