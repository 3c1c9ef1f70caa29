//! Places that a group reserves together, or a subgroup: one work-item of it, the leader, adds to a counter as many as all of them need.
//!
//! What the counter was goes to the others by local memory that nothing else is stored to, or by a broadcast. The numbers from there on, as many as were added, nobody
//! else gets, neither another group nor the same in another pass of a loop. Where they are as many as the group brings, each takes the places after those
//! before it: in the group the sums over those before are different. In a subgroup such sums may be counted in a ballot.

use super::pair::{Atom, Owner, Pair, Sum};
use super::phases::{Copies, IsCopy, Step};
use super::{Checker, Ordered};
use crate::analysis::term::{Node, Term};
use crate::analysis::uniformity;
use crate::ir::{
    self, Base, Block, Collective, Combine, Extent, Group, Handle, Math, Memory, Module, Op, Place, Query,
    Statement, Value,
};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use std::slice;

/// A number that all of a group have from one work-item of it, the leader.
#[derive(Clone, Copy, Debug)]
pub(super) struct FromLeader {
    pub(super) group: Group,
    /// The value as the leader has it.
    pub(super) found: Handle<Value>,
    /// Whether the leader has it in any case, and not only where a work-item of the group brings something to what it adds.
    pub(super) always: bool,
}

/// What one work-item of each group does by itself.
struct LeaderBlock<'s> {
    block: &'s Block,
    /// Its number in the group.
    lane: Handle<Value>,
    /// What has to hold besides.
    condition: Option<Handle<Value>>,
}

impl Pair<'_, '_> {
    /// Returns whether an equation says that two work-items got the same of what groups reserve.
    pub(super) fn is_between_reserved(&mut self, equation: &Sum) -> bool {
        let mut of_first = Vec::new();
        for (factors, times) in &equation.products {
            let [atom] = factors[..] else { return false };
            let opposite = Atom { owner: Owner::Second, ..atom };
            match atom.owner {
                Owner::First if equation.products.get(&vec![opposite]) == Some(&-times) => {
                    of_first.push((atom.term, *times));
                }
                Owner::Second => {}
                _ => return false,
            }
        }
        let [(one, times), (other, same)] = of_first[..] else { return false };
        equation.products.len() == 4 && times == same && self.is_reserved([one, other])
    }

    /// Returns whether no two work-items have the same sum of two terms, since that is a place which its group has reserved for it.
    pub(super) fn is_reserved(&mut self, [one, other]: [Term; 2]) -> bool {
        [[one, other], [other, one]].into_iter().any(|[start, place]| {
            let [start, place] = [start, place].map(|term| self.checker.value_of(term));
            let (Some(start), Some(place)) = (start, place) else { return false };
            self.is_place(start, place)
        })
    }

    fn is_place(&mut self, start: Handle<Value>, place: Handle<Value>) -> bool {
        let Some((group, before)) = self.checker.sum_over_any(place, Extent::Exclusive) else { return false };
        // Both bring something, so that their leader has added.
        let Some(FromLeader { group: of, found: addition, .. }) = self.checker.addition_of_leader(start)
        else {
            return false;
        };
        let Some((by, brought)) = self.checker.brought_to(addition) else { return false };
        let loops = &self.checker.loops;
        // Who gets to one addition is in one pass of the loops around it.
        let is_in_one_pass =
            loops.around_value(place).all(|label| loops.around_value(addition).any(|around| around == label));
        let [brought, own] = [brought, before].map(|value| self.checker.counted(value));
        group == of
            && group == by
            && brought == own
            && is_in_one_pass
            && self.grows_with_both(place, before)
            && self.are_tickets([addition; 2])
    }
}

impl Checker<'_> {
    /// The value that a term is, before it is cast to types that have all of its numbers.
    fn value_of(&self, term: Term) -> Option<Handle<Value>> {
        match self.knowledge.terms.node(self.knowledge.uncast(term)) {
            Node::Opaque(value) => Some(value),
            _ => None,
        }
    }

    /// What is brought to a sum: the condition, if it is whether that holds.
    fn counted(&mut self, value: Handle<Value>) -> Term {
        let term = self.term_of(value);
        match self.knowledge.terms.node(term) {
            Node::Cast(flag) if self.knowledge.terms.scalar(flag) == Scalar::Bool => flag,
            _ => term,
        }
    }

    /// What the work-items of a work-group bring to a sum.
    pub(super) fn sum_over(&mut self, value: Handle<Value>, of: Extent) -> Option<Handle<Value>> {
        let (group, operand) = self.sum_over_any(value, of)?;
        (group == Group::WorkGroup).then_some(operand)
    }

    /// What the work-items of a group bring to a sum, and which group that is.
    fn sum_over_any(&mut self, value: Handle<Value>, of: Extent) -> Option<(Group, Handle<Value>)> {
        match &self.module.values[value].op {
            Op::Collective { group, collective: Collective::Fold(Combine::Add, extent), operands }
                if *extent == of =>
            {
                Some((*group, operands.first().copied()?))
            }
            Op::Cast(operand) => match self.before_widening(value) {
                Some(operand) if of == Extent::All => self.sum_over_any(operand, of),
                _ => Some((Group::Subgroup, self.sum_of_votes(*operand, of)?)),
            },
            Op::Math(Math::Popcount, _) => Some((Group::Subgroup, self.sum_of_votes(value, of)?)),
            _ => None,
        }
    }

    /// What the work-items of a subgroup vote on, if a number is how many of all, or of those before, voted for it.
    fn sum_of_votes(&mut self, value: Handle<Value>, of: Extent) -> Option<Handle<Value>> {
        let Op::Math(Math::Popcount, operands) = &self.module.values[value].op else { return None };
        let bits = self.term_of(*operands.first()?);
        match of {
            Extent::All => self.vote(bits),
            Extent::Exclusive => {
                let Node::Binary(BinaryOp::And, left, right) = self.knowledge.terms.node(bits) else {
                    return None;
                };
                let sides = [[left, right], [right, left]];
                sides
                    .into_iter()
                    .find_map(|[votes, below]| self.vote(votes).filter(|_| self.is_below_own(below)))
            }
            Extent::Inclusive => None,
        }
    }

    /// What the work-items of a subgroup vote on, if a number has a bit for each that voted for it: the sum of their bits.
    fn vote(&mut self, votes: Term) -> Option<Handle<Value>> {
        let Node::Opaque(votes) = self.knowledge.terms.node(votes) else { return None };
        let (Group::Subgroup, bit) = self.sum_over_any(votes, Extent::All)? else { return None };
        let Op::Binary { op: BinaryOp::Shl, left, right, .. } = self.module.values[bit].op else {
            return None;
        };
        let (Op::Query(Query::SubgroupLocalId, _), Op::Cast(vote)) =
            (&self.module.values[right].op, &self.module.values[left].op)
        else {
            return None;
        };
        let is_vote = self.module.scalar(self.module.values[*vote].ty) == Some(Scalar::Bool);
        (is_vote && self.module.scalar(self.module.values[left].ty)?.bits() == 64).then_some(*vote)
    }

    /// Returns whether a number has the bits of the work-items of the subgroup before one: `(1 << subgroup::local_id()) - 1`.
    fn is_below_own(&self, bits: Term) -> bool {
        let terms = &self.knowledge.terms;
        let Node::Binary(BinaryOp::Sub, bit, one) = terms.node(bits) else { return false };
        let Node::Binary(BinaryOp::Shl, first, own) = terms.node(bit) else { return false };
        let is_one = |term| terms.constant_of(term) == Some(1);
        is_one(one) && is_one(first) && matches!(terms.node(own), Node::Query(Query::SubgroupLocalId, _))
    }

    /// What a value is cast from, if its type has all of the numbers of that.
    fn before_widening(&self, value: Handle<Value>) -> Option<Handle<Value>> {
        let Op::Cast(operand) = self.module.values[value].op else { return None };
        let scalar = |value: Handle<Value>| self.module.scalar(self.module.values[value].ty);
        let (from, to) = (scalar(operand)?, scalar(value)?);
        let keeps_all = from.is_integer() && !from.is_signed() && to.is_integer() && from.bits() <= to.bits();
        keeps_all.then_some(operand)
    }

    /// What the leader of each group has found, if a value is that for all of the group.
    pub(super) fn of_leader(&mut self, value: Handle<Value>) -> Option<FromLeader> {
        if let Some(known) = self.leaders.get(&value) {
            return *known;
        }
        let found = self.find_of_leader(value);
        self.leaders.insert(value, found);
        found
    }

    fn find_of_leader(&mut self, value: Handle<Value>) -> Option<FromLeader> {
        let module = self.module;
        let (group, lane, read) = match &module.values[value].op {
            Op::Load(Place { base: Base::Local(_), .. }) => (Group::WorkGroup, None, value),
            Op::Collective { group, collective: Collective::Broadcast | Collective::Shuffle, operands } => {
                let [sent, from] = operands[..] else { return None };
                let from = self.term_of(from);
                (*group, self.lane_that_is_not_first(from), sent)
            }
            _ => return None,
        };
        let mut stored = None;
        module.body.for_each_block(&mut |block| {
            stored = stored.or_else(|| self.stored_in(block, (group, lane), read));
        });
        let FromLeader { found, .. } = stored?;
        let innermost = |value: Handle<Value>| self.loops.around_value(value).next();
        let is_in_one_pass = [value, read].into_iter().all(|other| innermost(other) == innermost(found));
        stored.filter(|_| is_in_one_pass)
    }

    /// Whose number is sent to the others, if it is not that of the first: the number of a work-item that is in the group.
    fn lane_that_is_not_first(&mut self, from: Term) -> Option<Term> {
        if self.knowledge.form(from).certain.products.is_empty() {
            return None;
        }
        let terms = &self.knowledge.terms;
        match terms.node(from) {
            Node::Select(is_there, lane, _) if matches!(terms.node(is_there), Node::Binary(BinaryOp::Lt, one, _) if one == lane) => {
                Some(lane)
            }
            _ => Some(from),
        }
    }

    /// Returns whether a number is that of the last work-item of the group.
    fn is_last(&self, lane: Term) -> bool {
        let terms = &self.knowledge.terms;
        let Node::Binary(BinaryOp::Sub, size, one) = terms.node(lane) else { return false };
        terms.constant_of(one) == Some(1)
            && matches!(terms.node(size), Node::Query(Query::SubgroupSize | Query::WorkGroupSize, _))
    }

    /// The addition to a counter by the leader of each group, if a value is what that has found.
    pub(super) fn addition_of_leader(&mut self, value: Handle<Value>) -> Option<FromLeader> {
        let leader = self.of_leader(value)?;
        let found = self.without_widening(leader.found);
        self.addition(found).is_some().then_some(FromLeader { found, ..leader })
    }

    fn without_widening(&self, mut value: Handle<Value>) -> Handle<Value> {
        while let Some(operand) = self.before_widening(value) {
            value = operand;
        }
        value
    }

    /// What the leader of each group stores in a block where a value is read later, and nobody stores anything else in between.
    fn stored_in(
        &mut self,
        block: &Block,
        (group, lane): (Group, Option<Term>),
        read: Handle<Value>,
    ) -> Option<FromLeader> {
        let module = self.module;
        let Op::Load(from) = &module.values[read].op else { return None };
        let statements = &block.statements;
        let (position, leader, store) = statements.iter().enumerate().find_map(|(position, statement)| {
            let leader = self.block_of_leader(group, statement)?;
            let is_it = match lane {
                None => matches!(module.values[leader.lane].op, Op::Constant(0)),
                Some(lane) => self.term_of(leader.lane) == lane,
            };
            let store = leader.block.statements.iter().find(|inner| is_store_to(inner, from.base));
            Some((position, leader, store.filter(|_| is_it)?))
        })?;
        let Statement::Store { place: to, value } = store else { return None };
        let after = &statements[position + 1..];
        let is_read =
            |statement: &Statement| matches!(statement, Statement::Evaluate(value) if *value == read);
        let is_stored = |statement: &Statement| is_store_to(statement, from.base);
        let stores = |statements| such(statements, is_stored).len();
        let read_in =
            after.iter().position(|statement| !such(slice::from_ref(statement), is_read).is_empty())?;
        let load = *such(&after[read_in..=read_in], is_read).first()?;
        let stays = stores(&leader.block.statements) == 1 && stores(&after[..=read_in]) == 0;
        let is_same = constants(module, to).is_some_and(|path| Some(path) == constants(module, from));
        let arrives = match from.base {
            // What the others of the group have is not sent to anybody.
            Base::Variable(_) => true,
            _ if group == Group::Subgroup => false,
            _ => {
                let phases = self.phases_of(Ordered { memory: Memory::LOCAL, copies: Copies::Not });
                let [store, load] = [store, load].map(Step::of);
                self.phases[phases].1.meetings([store, load].map(|step| (step, IsCopy(false)))).is_empty()
                    && stores(&module.body.statements) == 1
                    && !self.is_used_otherwise(from.base)
            }
        };
        let always = lane.is_none_or(|lane| self.is_last(lane)) && leader.condition.is_none();
        let is_done = always || self.is_done_where_some((group, lane), leader.condition, *value);
        (stays && is_same && arrives && is_done).then_some(FromLeader { group, found: *value, always })
    }

    /// Returns whether a leader adds to a counter wherever a work-item of its group brings something: on the condition that the sum is more than 0, and it is the first of
    /// those that vote.
    fn is_done_where_some(
        &mut self,
        (group, lane): (Group, Option<Term>),
        condition: Option<Handle<Value>>,
        found: Handle<Value>,
    ) -> bool {
        let addition = self.without_widening(found);
        let Some((_, by)) = self.addition(addition) else { return false };
        let Some((of, brought)) = self.sum_over_any(by, Extent::All) else { return false };
        let is_met = condition.is_none_or(|condition| {
            let (condition, by) = (self.term_of(condition), self.term_of(by));
            let terms = &self.knowledge.terms;
            let is_zero = |term| terms.constant_of(term) == Some(0);
            let number = match terms.node(condition) {
                Node::Binary(BinaryOp::Lt | BinaryOp::Ne, zero, number) if is_zero(zero) => number,
                Node::Binary(BinaryOp::Ne, number, zero) if is_zero(zero) => number,
                _ => return false,
            };
            self.knowledge.uncast(number) == self.knowledge.uncast(by) || self.vote(number) == Some(brought)
        });
        let is_voter = lane.filter(|&lane| !self.is_last(lane)).is_none_or(|lane| {
            let Node::Opaque(first) = self.knowledge.terms.node(self.knowledge.uncast(lane)) else {
                return false;
            };
            let Op::Math(Math::Ctz, operands) = &self.module.values[first].op else { return false };
            let votes = self.term_of(operands[0]);
            self.vote(votes) == Some(brought)
        });
        of == group && is_met && is_voter
    }

    /// What one work-item of each group does by itself.
    fn block_of_leader<'s>(&self, group: Group, statement: &'s Statement) -> Option<LeaderBlock<'s>> {
        let Statement::If { condition, accept, .. } = statement else { return None };
        let values = &self.module.values;
        let (is_leader, more) = match values[*condition].op {
            Op::Binary { op: BinaryOp::And, left, right, .. } => {
                [(left, Some(right)), (right, Some(left))].into_iter().find_map(|(is_leader, more)| {
                    self.lane_of_leader(group, is_leader).map(|lane| (lane, more))
                })?
            }
            _ => (self.lane_of_leader(group, *condition)?, None),
        };
        Some(LeaderBlock { block: accept, lane: is_leader, condition: more })
    }

    /// The number of the one work-item of each group for which a condition holds.
    fn lane_of_leader(&self, group: Group, condition: Handle<Value>) -> Option<Handle<Value>> {
        let values = &self.module.values;
        let Op::Binary { op: BinaryOp::Eq, left, right, .. } = values[condition].op else { return None };
        let is_number = |value: Handle<Value>| match (group, &values[value].op) {
            (Group::WorkGroup, Op::Query(Query::LocalLinearId, _)) => true,
            (Group::WorkGroup, Op::Query(Query::LocalId, 0)) => self.module.rank() == 1,
            (Group::Subgroup, Op::Query(Query::SubgroupLocalId, _)) => true,
            _ => false,
        };
        let is_one = |value: Handle<Value>| {
            matches!(values[value].op, Op::Constant(_))
                || self.uniformities.values[value.index()] <= uniformity::of_group(group)
        };
        let sides = [[left, right], [right, left]];
        sides.into_iter().find_map(|[id, lane]| (is_number(id) && is_one(lane)).then_some(lane))
    }

    /// Returns whether only one work-item of each group computes a value.
    pub(super) fn is_by_leader(&self, group: Group, value: Handle<Value>) -> bool {
        let is_it =
            |statement: &Statement| matches!(statement, Statement::Evaluate(found) if *found == value);
        let mut found = false;
        self.module.body.for_each_statement(&mut |statement| {
            let leader = if found { None } else { self.block_of_leader(group, statement) };
            found |= leader.is_some_and(|leader| !such(&leader.block.statements, is_it).is_empty());
        });
        found
    }

    /// Returns whether something else is done with memory than to load from it and to store to it.
    fn is_used_otherwise(&self, base: Base) -> bool {
        self.module.values.iter().any(|(_, value)| {
            let is_plain = matches!(value.op, Op::Load(_) | Op::InBounds(_));
            !is_plain && value.op.place().is_some_and(|place| place.base == base)
        })
    }

    /// What each work-item of a group brings to a counter, and which group that is, if one of them adds what all of them bring.
    pub(super) fn brought_to(&mut self, addition: Handle<Value>) -> Option<(Group, Handle<Value>)> {
        let (_, by) = self.addition(addition)?;
        let (group, brought) = self.sum_over_any(by, Extent::All)?;
        self.is_by_leader(group, addition).then_some((group, brought))
    }
}

fn is_store_to(statement: &Statement, base: Base) -> bool {
    matches!(statement, Statement::Store { place, .. } if place.base == base)
}

/// The statements that are so, in blocks too.
fn such(statements: &[Statement], is_so: impl Fn(&Statement) -> bool) -> Vec<&Statement> {
    let mut found = Vec::new();
    for statement in statements {
        statement.for_each_statement(&mut |inner| found.extend(is_so(inner).then_some(inner)));
    }
    found
}

/// The way to a place, if it is known.
fn constants(module: &Module, place: &Place) -> Option<Vec<u64>> {
    let number = |step: &ir::Step| match step {
        ir::Step::Index(index) => match module.values[index.index].op {
            Op::Constant(number) => Some(number),
            _ => None,
        },
        _ => None,
    };
    place.path.iter().map(number).collect()
}
