//! Two work-items at two accesses.
//!
//! What both agree on is one number for both ([`Owner::Both`]); everything else each has for itself, and goes by a name of its own. What is known at the two accesses is
//! then known together, and that both access one element is one more equation, from which `equations` tries to show that they are one work-item, or that it cannot be.

use super::Checker;
use super::exact::Form;
use super::phases::Crossed;
use super::presume::{Occasion, Presuming};
use super::record::{Access, Part};
use crate::analysis::interval::{self, Interval};
use crate::analysis::polynomial::Polynomial;
use crate::analysis::term::{Node, Point, Term};
use crate::analysis::uniformity::Uniformity;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Group, Handle, ImageOp, Label, Op, Query, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many facts are looked at, those nearest to an access.
pub(super) const MOST_FACTS: usize = 40;

/// Which two work-items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// Any two of the launch.
    Any,
    /// Two of different groups.
    OtherGroup,
    /// Two of one group.
    SameGroup,
    /// Two of one group, but of different subgroups.
    OtherSubgroup,
}

impl Who {
    /// Returns whether both are of one group.
    pub(super) fn is_of_one_group(self) -> bool {
        matches!(self, Self::SameGroup | Self::OtherSubgroup)
    }
}

/// Which two work-items, and at which moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Context {
    pub(super) who: Who,
    /// The loops that only one of them has started over since the last barrier.
    pub(super) crossed: Crossed,
    /// Which of the checker's phases say where they are synced.
    pub(super) phases: usize,
}

/// Whose number it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Owner {
    Both,
    First,
    Second,
}

/// A term as one of two work-items has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Atom {
    pub(super) owner: Owner,
    pub(super) term: Term,
}

/// A polynomial over what two work-items have.
pub(super) type Sum = Polynomial<Atom>;

/// Sums that are not negative because of what a term is, and what that presumes.
type Structure = (Rc<[Sum]>, BTreeSet<(Term, Occasion)>);

/// Two accesses and what is known where they are.
pub(super) struct Pair<'c, 'a> {
    pub(super) checker: &'c mut Checker<'a>,
    pub(super) context: Context,
    /// Sums that are not negative.
    pub(super) facts: Vec<Sum>,
    known: HashSet<Vec<(Vec<Atom>, i128)>>,
    pub(super) ranges: HashMap<Atom, Interval>,
    shared: HashMap<Term, bool>,
    /// What is known by what terms are, while one sum is looked at, and what it presumes.
    structures: HashMap<Atom, Structure>,
    /// The sums that are not taken apart, of which is known what they are made of.
    kept_sums: HashSet<Term>,
    /// The terms that both have the same number for, if they access one element.
    pub(super) equal: BTreeSet<Term>,
    /// What variables are after so many passes, where that has taken their place in an equation.
    pub(super) replaced: Vec<(Atom, Sum)>,
    /// What numbers of the first are then, by those of the second and of both.
    pub(super) solved: Vec<(Atom, Sum)>,
    /// The equations that could not be taken apart.
    pub(super) concluded: Vec<Sum>,
    /// Sums that are zero then, and have not been looked at.
    pub(super) todo: Vec<Sum>,
    /// Whether they cannot access one element.
    pub(super) contradiction: bool,
    /// What is presumed to be exact: at the access of one of the two, or whenever it is computed.
    pub(super) presumed: BTreeSet<(Term, Occasion)>,
}

impl<'c, 'a> Pair<'c, 'a> {
    pub(super) fn new(checker: &'c mut Checker<'a>, context: Context, [first, second]: [&Access; 2]) -> Self {
        let mut pair = Self {
            checker,
            context,
            facts: Vec::new(),
            known: HashSet::default(),
            ranges: HashMap::default(),
            shared: HashMap::default(),
            structures: HashMap::default(),
            kept_sums: HashSet::default(),
            equal: BTreeSet::new(),
            replaced: Vec::new(),
            solved: Vec::new(),
            concluded: Vec::new(),
            todo: Vec::new(),
            contradiction: false,
            presumed: BTreeSet::new(),
        };
        pair.learn_access(first, Owner::First);
        pair.learn_access(second, Owner::Second);
        pair.equate(first, second);
        pair.learn_turns();
        pair
    }

    /// Learns in which passes exchanged numbers are what they are known to be.
    fn learn_turns(&mut self) {
        if self.checker.recorder.inductions.is_empty() {
            return;
        }
        let is_exchanged = |term: &Term| {
            self.checker.recorder.inductions.get(term).is_some_and(|induction| induction.exchanged.is_some())
        };
        let known =
            self.ranges.iter().filter(|(atom, range)| range.min == range.max && is_exchanged(&atom.term));
        let mut known: Vec<(Atom, i128)> = known.map(|(atom, range)| (*atom, range.min)).collect();
        known.sort_unstable();
        for (atom, number) in known {
            if let Some(turn) = self.passes(atom) {
                self.learn_equation(turn.plus(Sum::product(Vec::new(), number), -1));
            }
        }
    }

    /// Learns what is known at an access.
    fn learn_access(&mut self, access: &Access, owner: Owner) {
        self.learn_ranges(&access.ranges, owner);
        for bound in &access.bounds {
            let bound = self.sum(bound, owner);
            self.learn(bound);
        }
        let known = self.checker.recorder.facts_at(access.node).take(MOST_FACTS);
        let known: Vec<usize> = known.map(|(index, _)| index).collect();
        for index in known {
            let fact = &self.checker.recorder.facts[index];
            let (form, ranges) = (fact.difference.clone(), fact.ranges.clone());
            self.learn_ranges(&ranges, owner);
            let difference = self.certain(&form.certain, owner);
            self.learn(difference);
            if self.checker.presumes.has_facts()
                && let Some((presumed, _)) = &form.presumed
            {
                // That a guard does not wrap is presumed where it is used only; it is a fact of the launch then.
                let difference = self.certain(presumed, owner);
                self.presume(form.presumed.iter().flat_map(|(_, terms)| terms), owner);
                self.learn(difference);
            }
        }
    }

    fn learn_ranges(&mut self, ranges: &[(Term, Interval)], owner: Owner) {
        for &(term, range) in ranges {
            let atom = self.atom(term, owner);
            let range = self.checker.range_if_handed(term, range);
            self.learn_range(atom, range);
        }
    }

    pub(super) fn learn_range(&mut self, atom: Atom, range: Interval) {
        let known = self.ranges.entry(atom).or_insert(range);
        *known = known.meet(range);
        // No number is both what the one and what the other knows it to be, so they are not at these accesses at the same time.
        self.contradiction |= known.min > known.max;
    }

    /// Learns that a sum is zero.
    pub(super) fn learn_equation(&mut self, sum: Sum) {
        self.learn(sum.clone());
        self.learn(Sum::default().plus(sum, -1));
    }

    /// Learns that a sum is not negative.
    pub(super) fn learn(&mut self, sum: Sum) {
        self.checker.knowledge.spend(1);
        let mut products = sum.products.iter().filter(|(factors, _)| !factors.is_empty());
        let is_constant = match (products.next(), products.next()) {
            (None, _) => true,
            (Some((factors, &sign)), None) if factors.len() == 1 && sign.abs() == 1 => {
                // What is known of one number by itself is a range.
                let bound = -sign * sum.constant();
                let whole = self.range_of(factors[0]);
                let range = if sign > 0 {
                    Interval { min: bound, ..whole }
                } else {
                    Interval { max: bound, ..whole }
                };
                return self.learn_range(factors[0], range);
            }
            _ => false,
        };
        self.learn_each(&sum);
        self.learn_factors(&sum);
        if !is_constant && sum.is_small() && self.known.insert(key(&sum)) {
            self.facts.push(sum);
        }
    }

    /// Returns whether it is a fact that a sum is not negative.
    pub(super) fn is_known(&self, sum: &Sum) -> bool {
        self.known.contains(&key(sum))
    }

    /// Where numbers that are not negative are together at most a constant, each of them is.
    fn learn_each(&mut self, sum: &Sum) {
        let mut numbers = Vec::new();
        for (factors, &coefficient) in sum.products.iter().filter(|(factors, _)| !factors.is_empty()) {
            match factors[..] {
                [atom] if coefficient < 0 && self.range_of(atom).min >= 0 => {
                    numbers.push((atom, coefficient))
                }
                _ => return,
            }
        }
        for (atom, coefficient) in numbers {
            let whole = self.range_of(atom);
            self.learn_range(atom, Interval { max: sum.constant().div_euclid(-coefficient), ..whole });
        }
    }

    /// Where products are together more than nothing, what all of them have as a factor is not zero.
    fn learn_factors(&mut self, sum: &Sum) {
        if sum.constant() >= 0 {
            return;
        }
        let mut products = sum.products.keys().filter(|factors| !factors.is_empty());
        let Some(first) = products.next() else { return };
        let common: Vec<Atom> = first
            .iter()
            .copied()
            .filter(|atom| products.clone().all(|factors| factors.contains(atom)))
            .collect();
        for atom in common {
            let whole = self.range_of(atom);
            if whole.min == 0 {
                self.learn_range(atom, Interval { min: 1, ..whole });
            }
        }
    }

    /// The equations that hold if both access one element.
    fn equate(&mut self, first: &Access, second: &Access) {
        // How many bytes a texel has is not known.
        if first.in_bytes != second.in_bytes {
            return;
        }
        for (one, other) in first.path.iter().zip(second.path.iter()) {
            match (one, other) {
                (Part::Member(one), Part::Member(other)) if one != other => self.contradiction = true,
                (Part::Element(one), Part::Element(other)) => {
                    let one = self.sum(one, Owner::First);
                    let other = self.sum(other, Owner::Second);
                    self.learn_scans([&one, &other]);
                    self.todo.push(one.plus(other, -1));
                }
                _ => {}
            }
        }
    }

    /// A form as one of the two has it; what it presumes is noted.
    pub(super) fn sum(&mut self, form: &Form, owner: Owner) -> Sum {
        if self.checker.presumes != Presuming::Nothing
            && let Some((presumed, terms)) = &form.presumed
        {
            self.presume(terms, owner);
            return self.certain(presumed, owner);
        }
        self.certain(&form.certain, owner)
    }

    /// Notes what is presumed at the access of one of the two; of neither, whenever it is computed.
    pub(super) fn presume<'t>(&mut self, terms: impl IntoIterator<Item = &'t Term>, owner: Owner) {
        for &term in terms {
            self.presumed.insert((term, Occasion::Access(owner)));
            if self.is_presumed_power(term) {
                let power = self.atom(term, owner);
                let whole = self.range_of(power);
                self.learn_range(power, Interval { min: whole.min.max(1), ..whole });
            }
        }
    }

    /// Returns whether what is presumed of a term is that it is a power of two.
    fn is_presumed_power(&self, term: Term) -> bool {
        !matches!(self.checker.knowledge.terms.node(term), Node::Binary(..) | Node::Cast(_))
    }

    pub(super) fn certain(&mut self, polynomial: &Polynomial, owner: Owner) -> Sum {
        let mut sum = Sum::default();
        for (factors, &coefficient) in &polynomial.products {
            let mut atoms: Vec<Atom> = factors.iter().map(|&term| self.atom(term, owner)).collect();
            atoms.sort_unstable();
            sum.add(atoms, coefficient);
        }
        sum
    }

    /// The polynomial of a term, where nothing else is known than what holds everywhere.
    pub(super) fn sum_of_term(&mut self, term: Term, owner: Owner) -> Sum {
        let form = self.checker.knowledge.form(term);
        self.sum(&form, owner)
    }

    pub(super) fn atom(&mut self, term: Term, owner: Owner) -> Atom {
        let owner = if owner == Owner::Both || self.is_shared(term) { Owner::Both } else { owner };
        if self.checker.knowledge.terms.is_kept_sum(term) && self.kept_sums.insert(term) {
            self.learn_sum(term);
        }
        Atom { owner, term }
    }

    /// Learns what a sum that is not taken apart is made of.
    fn learn_sum(&mut self, term: Term) {
        let form = self.checker.knowledge.form_of_kept_sum(term);
        let parts = match form.presumed {
            Some((presumed, terms)) if self.checker.presumes.has_facts() => {
                self.presume(&terms, Owner::Both);
                presumed
            }
            _ => form.certain,
        };
        let own = Sum::product(vec![Atom { owner: Owner::Both, term }], 1);
        let parts = self.certain(&parts, Owner::Both);
        self.learn_equation(own.plus(parts, -1));
    }

    /// Returns whether both have the same number for a term.
    pub(super) fn is_shared(&mut self, term: Term) -> bool {
        // What a term is made of comes first, and not by recursion: thousands of statements may have made one value.
        let mut open = vec![term];
        while let Some(&last) = open.last() {
            let known = &self.shared;
            let before = open.len();
            if !known.contains_key(&last) {
                let operands = self.checker.knowledge.terms.node(last).operands();
                open.extend(operands.filter(|operand| !known.contains_key(operand)));
            }
            if open.len() == before {
                open.pop();
                let shared =
                    known.get(&last).copied().unwrap_or_else(|| self.agree(last) || self.is_of_leader(last));
                self.shared.insert(last, shared);
            }
        }
        self.shared[&term]
    }

    /// Returns whether a number is what one work-item of a group has for all of it.
    fn is_of_leader(&mut self, term: Term) -> bool {
        let Node::Opaque(value) = self.checker.knowledge.terms.node(term) else { return false };
        let found = if self.context.who.is_of_one_group() { self.checker.of_leader(value) } else { None };
        found.is_some_and(|leader| leader.group == Group::WorkGroup)
            && self.checker.loops.around_value(value).all(|label| self.same_pass(label))
    }

    /// The same where it is known of what the term is made of.
    fn agree(&self, term: Term) -> bool {
        let shares = |operand| self.shared.get(&operand).is_some_and(|&shared| shared);
        let level = match self.context.who {
            Who::SameGroup | Who::OtherSubgroup => Uniformity::WorkGroup,
            Who::Any | Who::OtherGroup => Uniformity::Launch,
        };
        match self.checker.knowledge.terms.node(term) {
            Node::Constant(_) | Node::Parameter(_) => true,
            Node::Any(_) => false,
            Node::Passes(label) => self.same_pass(label) && self.same_passes_around(label),
            Node::Query(query, dimension) => self.agree_on_query(query, dimension),
            Node::Len(slice) => shares(slice),
            Node::Opaque(value) if self.is_argument(value) => true,
            // Who promises that two work-items differ in what they agree on has only one.
            Node::Opaque(value) if matches!(self.checker.module.values[value].op, Op::Distinct(..)) => false,
            Node::Opaque(value) => {
                let is_uniform = self.checker.uniformities.values[value.index()] <= level;
                let loops: Vec<Label> = self.checker.loops.around_value(value).collect();
                is_uniform && loops.into_iter().all(|label| self.same_pass(label))
            }
            Node::Joined(point, variable) => {
                let (label, in_loop) = match point {
                    Point::Head(label) | Point::Continuing(label) => {
                        (label, self.checker.loops.repeats(label))
                    }
                    Point::Exit(label) => (label, false),
                };
                self.checker.uniformities.variables[variable.index()] <= level
                    && self.same_passes_around(label)
                    && (!in_loop || self.same_pass(label))
            }
            Node::Unary(_, operand) | Node::Cast(operand) => shares(operand),
            Node::Binary(_, left, right) | Node::Min(left, right) | Node::Max(left, right) => {
                shares(left) && shares(right)
            }
            Node::Select(condition, accept, reject) => [condition, accept, reject].into_iter().all(shares),
        }
    }

    fn agree_on_query(&self, query: Query, dimension: u8) -> bool {
        let in_group = self.context.who.is_of_one_group();
        let is_one =
            self.checker.module.attributes.group_size.is_some_and(|size| size[usize::from(dimension)] == 1);
        match query {
            Query::GlobalSize | Query::LocalSize | Query::NumGroups => true,
            Query::WorkGroupSize | Query::NumSubgroups | Query::MaxSubgroupSize => true,
            Query::GroupId => in_group,
            Query::LocalId => is_one,
            Query::GlobalId => is_one && in_group,
            Query::LocalLinearId | Query::SubgroupId | Query::SubgroupLocalId | Query::SubgroupSize => false,
        }
    }

    /// Returns whether two accesses of one group are the same copy, which it makes once.
    pub(super) fn is_one_copy(&self, [first, second]: [&Access; 2]) -> bool {
        let Some(copy) = first.copy.filter(|copy| second.copy == Some(*copy)) else { return false };
        self.checker.loops.around_value(copy).all(|label| self.same_pass(label))
    }

    /// Returns whether a value is the same wherever a kernel asks for it.
    fn is_argument(&self, value: Handle<Value>) -> bool {
        match &self.checker.module.values[value].op {
            Op::Image(ImageOp::Size(..) | ImageOp::Format(..)) | Op::Specialization(_) => true,
            Op::Load(place) => self.checker.module.part_of_argument(place).is_some(),
            _ => false,
        }
    }

    /// Returns whether both are in the same pass of a loop.
    pub(super) fn same_pass(&self, label: Label) -> bool {
        let Context { who, crossed, phases } = self.context;
        who.is_of_one_group() && self.checker.phases[phases].1.same_pass(label, crossed)
    }

    /// By how many passes of a loop the first is ahead of the second, if that is known.
    pub(super) fn passes_ahead(&self, label: Label) -> Option<i128> {
        let Context { who, crossed, phases } = self.context;
        let is_known = who.is_of_one_group() && self.same_passes_around(label);
        is_known.then(|| self.checker.phases[phases].1.passes_ahead(label, crossed)).flatten()
    }

    fn same_passes_around(&self, label: Label) -> bool {
        self.checker.loops.around(label).all(|label| self.same_pass(label))
    }

    /// The range of what one of them has.
    pub(super) fn range_of(&mut self, atom: Atom) -> Interval {
        if let Some(&known) = self.ranges.get(&atom) {
            return known;
        }
        let range = self.checker.knowledge.range(atom.term);
        let range = self.checker.range_if_handed(atom.term, range);
        self.ranges.insert(atom, range);
        range
    }

    fn range_of_product(&mut self, factors: &[Atom], coefficient: i128) -> Interval {
        let mut product = Interval::exactly(coefficient);
        for &factor in factors {
            let factor = self.range_of(factor);
            product = interval::binary(BinaryOp::Mul, Scalar::Usize, product, factor);
        }
        product
    }

    /// Returns whether a sum is known not to be negative.
    pub(super) fn holds(&mut self, sum: &Sum) -> bool {
        self.presumes_if_so(|pair| pair.holds_in(sum, 4, 80))
    }

    /// The same, with so many facts one after the other, and in so many steps.
    pub(super) fn holds_in(&mut self, sum: &Sum, depth: u32, mut steps: u32) -> bool {
        self.structures.clear();
        self.holds_within(sum, depth, &mut steps)
    }

    /// Returns whether something can be shown. What that presumed is not needed if it cannot.
    pub(super) fn presumes_if_so(&mut self, is_so: impl FnOnce(&mut Self) -> bool) -> bool {
        self.presumes_if_found(|pair| is_so(pair).then_some(())).is_some()
    }

    /// What can be found, if anything. What that presumed is not needed if nothing is.
    pub(super) fn presumes_if_found<T>(&mut self, find: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.presumed.clone();
        let found = find(self);
        if found.is_none() {
            // What is presumed to be positive, or a power of two, has its range by that.
            let presumed = std::mem::take(&mut self.presumed);
            let stays = |one: &(Term, Occasion)| {
                one.1 == Occasion::Positive || before.contains(one) || self.is_presumed_power(one.0)
            };
            self.presumed = presumed.into_iter().filter(stays).collect();
        }
        found
    }

    /// Adds what is known to be at most zero until no product is left that may be negative.
    fn holds_within(&mut self, sum: &Sum, depth: u32, steps: &mut u32) -> bool {
        if *steps == 0 || !self.checker.knowledge.has_fuel() || !sum.is_small() {
            return false;
        }
        *steps -= 1;
        self.checker.knowledge.spend(2);
        let mut least = 0_i128;
        let mut obstacles = Vec::new();
        for (factors, &coefficient) in &sum.products {
            let range = self.range_of_product(factors, coefficient);
            least = least.saturating_add(range.min);
            if range.min < 0 && !factors.is_empty() {
                obstacles.push((factors.clone(), coefficient));
            }
        }
        if least >= 0 {
            return true;
        }
        if depth == 0 {
            return false;
        }
        if obstacles.is_empty() && sum.products.len() <= 3 {
            // Only the constant is in the way, so that something has to be greater than its range says.
            let others = sum.products.iter().filter(|(factors, _)| !factors.is_empty());
            obstacles.extend(others.map(|(factors, &coefficient)| (factors.clone(), coefficient)));
        }
        for (factors, coefficient) in obstacles {
            // Nothing is learned meanwhile.
            let facts = std::mem::take(&mut self.facts);
            let mut rests: Vec<Sum> =
                facts.iter().filter_map(|fact| self.without(sum, &factors, coefficient, fact)).collect();
            self.facts = facts;
            for &atom in &factors {
                for fact in self.structure(atom).iter() {
                    rests.extend(self.without(sum, &factors, coefficient, fact));
                }
            }
            // Those first of which the least is left to show.
            rests.sort_by_cached_key(|rest| self.obstacles_in(rest));
            if rests.into_iter().any(|rest| self.holds_within(&rest, depth - 1, steps)) {
                return true;
            }
        }
        false
    }

    /// How many products of a sum may be negative, and how many factors the longest of them has.
    fn obstacles_in(&mut self, sum: &Sum) -> (usize, usize) {
        let is_obstacle = |(factors, coefficient): &(&Vec<Atom>, &i128)| {
            !factors.is_empty() && self.range_of_product(factors, **coefficient).min < 0
        };
        let obstacles = sum.products.iter().filter(is_obstacle);
        obstacles.fold((0, 0), |(count, longest), (factors, _)| (count + 1, longest.max(factors.len())))
    }

    /// A sum less what is not negative, where that takes a product away.
    fn without(&mut self, sum: &Sum, factors: &[Atom], coefficient: i128, fact: &Sum) -> Option<Sum> {
        for (common, &times) in &fact.products {
            if common.is_empty() || coefficient % times != 0 || (coefficient < 0) != (times < 0) {
                continue;
            }
            let Some(cofactor) = quotient(factors, common) else { continue };
            if cofactor.iter().any(|&atom| self.range_of(atom).min < 0) {
                continue;
            }
            let multiple = fact.times(&Sum::product(cofactor, coefficient / times));
            return Some(sum.clone().plus(multiple, -1));
        }
        None
    }

    /// What is not negative because of what a term is.
    pub(super) fn structure(&mut self, atom: Atom) -> Rc<[Sum]> {
        if let Some((known, presumed)) = self.structures.get(&atom) {
            self.presumed.extend(presumed);
            return Rc::clone(known);
        }
        let before = std::mem::take(&mut self.presumed);
        let found: Rc<[Sum]> = self.structure_of(atom).into();
        let presumed = std::mem::replace(&mut self.presumed, before);
        self.presumed.extend(&presumed);
        self.structures.insert(atom, (Rc::clone(&found), presumed));
        found
    }

    fn structure_of(&mut self, atom: Atom) -> Vec<Sum> {
        let Atom { owner, term } = atom;
        let own = Sum::product(vec![atom], 1);
        let one = Sum::product(Vec::new(), 1);
        match self.checker.knowledge.terms.node(term) {
            Node::Query(Query::GlobalSize | Query::NumGroups, dimension) => {
                let [launch, groups, size] = [Query::GlobalSize, Query::NumGroups, Query::LocalSize]
                    .map(|query| self.query(query, dimension, owner));
                let difference = launch.plus(groups.times(&size), -1);
                vec![Sum::default().plus(difference.clone(), -1), difference]
            }
            Node::Query(query, dimension) => {
                let (limit, strict) = match (query, query.limit()) {
                    (Query::SubgroupSize, _) => (Query::MaxSubgroupSize, false),
                    (_, Some(limit)) => (limit, true),
                    _ => return Vec::new(),
                };
                let limit = self.query(limit, dimension, owner);
                let mut found = vec![limit.plus(own, -1).plus(one, -i128::from(strict))];
                if matches!(query, Query::SubgroupId | Query::SubgroupLocalId) {
                    found.extend(self.subgroups_in_row(owner));
                }
                found
            }
            Node::Binary(BinaryOp::Rem, left, right) => {
                // That a remainder is less than its divisor does not depend on whether its dividend is exact.
                let left = self.checker.knowledge.form(left);
                let left = self.certain(&left.certain, owner);
                let right = self.sum_of_term(right, owner);
                if !self.is_at_least(&left, 0) {
                    return Vec::new();
                }
                let mut found = vec![left.plus(own.clone(), -1)];
                if self.is_at_least(&right, 1) {
                    found.push(right.plus(own, -1).plus(one, -1));
                }
                found
            }
            Node::Binary(BinaryOp::Div, left, right) => {
                let [left, right] = [left, right].map(|operand| self.sum_of_term(operand, owner));
                if !self.is_at_least(&left, 0) || !self.is_at_least(&right, 1) {
                    return Vec::new();
                }
                let rest = left.clone().plus(own.times(&right), -1);
                let mut found = self.limits_of_quotient(&own, &left, &right);
                found.extend([right.plus(rest.clone(), -1).plus(one, -1), rest, left.plus(own, -1)]);
                found
            }
            Node::Min(left, right) => {
                [left, right].map(|operand| self.sum_of_term(operand, owner).plus(own.clone(), -1)).to_vec()
            }
            Node::Max(left, right) => {
                [left, right].map(|operand| own.clone().plus(self.sum_of_term(operand, owner), -1)).to_vec()
            }
            Node::Binary(BinaryOp::And | BinaryOp::Shr, left, _) => {
                let left = self.sum_of_term(left, owner);
                if self.is_at_least(&left, 0) { vec![left.plus(own, -1)] } else { Vec::new() }
            }
            _ => Vec::new(),
        }
    }

    /// What follows for a quotient from what its dividend is less than: `x < d * r` says `x / d < r`.
    fn limits_of_quotient(&mut self, own: &Sum, dividend: &Sum, divisor: &Sum) -> Vec<Sum> {
        let mut divisors = divisor.products.iter();
        let (Some((factors, &times)), None) = (divisors.next(), divisors.next()) else { return Vec::new() };
        let mut more = Rc::default();
        let mut dividends = dividend.products.keys();
        if let (Some([atom]), None) = (dividends.next().map(Vec::as_slice), dividends.next()) {
            more = self.structure(*atom);
        }
        let limit = |fact: &Sum| {
            let limit = fact.clone().plus(dividend.clone(), 1);
            let is_below = limit.constant() < 0;
            let products = limit.products.into_iter().filter(|(product, _)| !product.is_empty());
            let mut rows = Sum::default().plus(own.clone(), -1).plus(Sum::product(Vec::new(), 1), -1);
            for (product, coefficient) in products {
                let rest = quotient(&product, factors).filter(|_| coefficient % times == 0)?;
                rows.add(rest, coefficient / times);
            }
            is_below.then_some(rows)
        };
        self.facts.iter().chain(more.iter()).filter_map(limit).collect()
    }

    /// In one dimension all subgroups but the last are full, so that their work-items are no more than those of the group.
    fn subgroups_in_row(&mut self, owner: Owner) -> Option<Sum> {
        if self.checker.module.rank() != 1 {
            return None;
        }
        let size = self.query(Query::MaxSubgroupSize, 0, owner);
        let before = self.query(Query::SubgroupId, 0, owner).times(&size);
        let number =
            before.plus(self.query(Query::SubgroupLocalId, 0, owner), 1).plus(Sum::product(Vec::new(), 1), 1);
        Some(self.query(Query::LocalSize, 0, owner).plus(number, -1))
    }

    /// Returns whether a sum is at least a number, by the ranges of what it is made of.
    pub(super) fn is_at_least(&mut self, sum: &Sum, number: i128) -> bool {
        let mut least = 0_i128;
        for (factors, &coefficient) in &sum.products {
            least = least.saturating_add(self.range_of_product(factors, coefficient).min);
        }
        least >= number
    }

    /// An id or a size.
    pub(super) fn query(&mut self, query: Query, dimension: u8, owner: Owner) -> Sum {
        let dimension = match query {
            Query::GlobalId
            | Query::GlobalSize
            | Query::LocalId
            | Query::LocalSize
            | Query::GroupId
            | Query::NumGroups => dimension,
            _ => 0,
        };
        let size = self.checker.module.attributes.group_size;
        let known = match (query, size) {
            (Query::MaxSubgroupSize, _) => self.checker.module.attributes.subgroup_size.map(i128::from),
            (Query::WorkGroupSize, Some(size)) => Some(size.into_iter().map(i128::from).product()),
            (Query::LocalSize, Some(size)) => Some(i128::from(size[usize::from(dimension)])),
            _ => None,
        };
        if let Some(known) = known {
            return Sum::product(Vec::new(), known);
        }
        let term = self.checker.knowledge.terms.intern(Node::Query(query, dimension), Scalar::Usize);
        Sum::product(vec![self.atom(term, owner)], 1)
    }
}

/// The products of a sum.
fn key(sum: &Sum) -> Vec<(Vec<Atom>, i128)> {
    sum.products.iter().map(|(factors, &coefficient)| (factors.clone(), coefficient)).collect()
}

/// The factors that are left of some without others, if all of those are among them.
pub(super) fn quotient(factors: &[Atom], common: &[Atom]) -> Option<Vec<Atom>> {
    if !common.iter().all(|atom| factors.contains(atom)) {
        return None;
    }
    let mut rest = factors.to_vec();
    for atom in common {
        let position = rest.iter().position(|factor| factor == atom)?;
        rest.remove(position);
    }
    Some(rest)
}
