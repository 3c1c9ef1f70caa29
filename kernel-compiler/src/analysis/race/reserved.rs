//! Places that a group reserves together, or a subgroup: its first work-item adds to a counter as many as all of them need.
//!
//! What the counter was goes to the others by local memory that nothing else is stored to, or by a broadcast. The numbers from there on, as many as were added, are no
//! other group's, since nobody else adds to the counter and it does not wrap around. Where they are as many as the group brings, each takes the places after those
//! before it: in the group the sums over those before are different.

use super::pair::{Atom, Owner, Pair, Sum};
use super::phases::{Copies, IsCopy, Step};
use super::{Checker, Ordered};
use crate::analysis::term::{Node, Term};
use crate::ir::{
    self, Base, Block, Collective, Combine, Extent, Group, Handle, Memory, Module, Op, Place, Query,
    Statement, Value,
};
use kernel_core::semantics::BinaryOp;

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
        let Some((of, addition)) = self.checker.addition_of_first(start) else { return false };
        let Some(total) = self.checker.added_for_groups(addition) else { return false };
        let Some((of_all, brought)) = self.checker.sum_over_any(total, Extent::All) else { return false };
        if group != of || group != of_all {
            return false;
        }
        let [brought, own] = [brought, before].map(|value| self.checker.term_of(value));
        let in_loop = |value| self.checker.loops.around_value(value).next().is_some();
        let in_loops = in_loop(place) || in_loop(total);
        brought == own && !in_loops && self.is_sum_of_others(place, before)
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

    /// What the work-items of a work-group bring to a sum.
    pub(super) fn sum_over(&self, value: Handle<Value>, of: Extent) -> Option<Handle<Value>> {
        let (group, operand) = self.sum_over_any(value, of)?;
        (group == Group::WorkGroup).then_some(operand)
    }

    /// What the work-items of a group bring to a sum, and which group that is.
    fn sum_over_any(&self, value: Handle<Value>, of: Extent) -> Option<(Group, Handle<Value>)> {
        match &self.module.values[value].op {
            Op::Collective { group, collective: Collective::Fold(Combine::Add, extent), operands }
                if *extent == of =>
            {
                Some((*group, operands.first().copied()?))
            }
            Op::Cast(_) if of == Extent::All => self.sum_over_any(self.before_widening(value)?, of),
            _ => None,
        }
    }

    /// What a value is cast from, if its type has all of the numbers of that.
    fn before_widening(&self, value: Handle<Value>) -> Option<Handle<Value>> {
        let Op::Cast(operand) = self.module.values[value].op else { return None };
        let scalar = |value: Handle<Value>| self.module.scalar(self.module.values[value].ty);
        let (from, to) = (scalar(operand)?, scalar(value)?);
        let keeps_all = from.is_integer() && !from.is_signed() && to.is_integer() && from.bits() <= to.bits();
        keeps_all.then_some(operand)
    }

    /// What the first work-item of each group has found, if a value is that for all of the group, and which group that is.
    pub(super) fn of_first(&mut self, value: Handle<Value>) -> Option<(Group, Handle<Value>)> {
        if let Some(known) = self.firsts.get(&value) {
            return *known;
        }
        let found = self.find_of_first(value);
        self.firsts.insert(value, found);
        found
    }

    fn find_of_first(&mut self, value: Handle<Value>) -> Option<(Group, Handle<Value>)> {
        let module = self.module;
        let (group, read) = match &module.values[value].op {
            Op::Load(Place { base: Base::Local(_), .. }) => (Group::WorkGroup, value),
            Op::Collective { group, collective: Collective::Broadcast, operands } => {
                let [sent, from] = operands[..] else { return None };
                let from = self.term_of(from);
                (self.knowledge.terms.constant_of(from) == Some(0)).then_some((*group, sent))?
            }
            _ => return None,
        };
        let found = self.stored_by_the_first(group, read)?;
        let is_in_loop = |value: Handle<Value>| self.loops.around_value(value).next().is_some();
        let is_once = ![value, read, found].into_iter().any(is_in_loop);
        is_once.then_some((group, found))
    }

    /// The addition to a counter by the first work-item of each group, if a value is what that has found.
    pub(super) fn addition_of_first(&mut self, value: Handle<Value>) -> Option<(Group, Handle<Value>)> {
        let (group, mut found) = self.of_first(value)?;
        while let Some(operand) = self.before_widening(found) {
            found = operand;
        }
        self.addition(found).is_some().then_some((group, found))
    }

    /// What the first work-item of each group stores where a value is read later, and nobody stores anything else in between.
    fn stored_by_the_first(&mut self, group: Group, read: Handle<Value>) -> Option<Handle<Value>> {
        let module = self.module;
        let Op::Load(from) = &module.values[read].op else { return None };
        let statements = &module.body.statements;
        let (position, store) = statements.iter().enumerate().find_map(|(position, statement)| {
            let first = self.block_of_the_first(group, statement)?;
            let store = first.statements.iter().find(|inner| is_store_to(inner, from.base))?;
            Some((position, store))
        })?;
        let Statement::Store { place: to, value } = store else { return None };
        let first = self.block_of_the_first(group, &statements[position])?;
        let (before, after) = (&statements[..position], &statements[position + 1..]);
        let is_read =
            |statement: &Statement| matches!(statement, Statement::Evaluate(value) if *value == read);
        let is_stored = |statement: &Statement| is_store_to(statement, from.base);
        let stores = |statements| such(statements, is_stored).len();
        let load = *such(after, is_read).first()?;
        let stays = stores(&first.statements) == 1 && stores(after) == 0;
        let is_same = constants(module, to).is_some_and(|path| Some(path) == constants(module, from));
        let arrives = match from.base {
            // What the others of the group have is not sent to anybody.
            Base::Variable(_) => true,
            _ if group == Group::Subgroup => false,
            _ => {
                let phases = self.phases_of(Ordered { memory: Memory::LOCAL, copies: Copies::Not });
                let [store, load] = [store, load].map(Step::of);
                self.phases[phases].1.meetings([store, load].map(|step| (step, IsCopy(false)))).is_empty()
                    && stores(before) == 0
                    && stores(&statements[position..=position]) == 1
                    && !self.is_used_otherwise(from.base)
            }
        };
        (stays && is_same && arrives).then_some(*value)
    }

    /// What the first work-item of each group does by itself.
    fn block_of_the_first<'s>(&self, group: Group, statement: &'s Statement) -> Option<&'s Block> {
        let Statement::If { condition, accept, .. } = statement else { return None };
        let values = &self.module.values;
        let Op::Binary { op: BinaryOp::Eq, left, right, .. } = values[*condition].op else { return None };
        let is_number = |value: Handle<Value>| match (group, &values[value].op) {
            (Group::WorkGroup, Op::Query(Query::LocalLinearId, _)) => true,
            (Group::WorkGroup, Op::Query(Query::LocalId, 0)) => self.module.rank() == 1,
            (Group::Subgroup, Op::Query(Query::SubgroupLocalId, _)) => true,
            _ => false,
        };
        let is_zero = |value: Handle<Value>| matches!(values[value].op, Op::Constant(0));
        (is_number(left) && is_zero(right) || is_number(right) && is_zero(left)).then_some(accept)
    }

    /// Returns whether only the first work-item of each work-group computes a value.
    pub(super) fn is_by_the_first(&self, value: Handle<Value>) -> bool {
        let is_it =
            |statement: &Statement| matches!(statement, Statement::Evaluate(found) if *found == value);
        let mut blocks = self
            .module
            .body
            .statements
            .iter()
            .filter_map(|statement| self.block_of_the_first(Group::WorkGroup, statement));
        blocks.any(|block| !such(&block.statements, is_it).is_empty())
    }

    /// Returns whether something else is done with memory than to load from it and to store to it.
    fn is_used_otherwise(&self, base: Base) -> bool {
        self.module.values.iter().any(|(_, value)| {
            let is_plain = matches!(value.op, Op::Load(_) | Op::InBounds(_));
            !is_plain && value.op.place().is_some_and(|place| place.base == base)
        })
    }

    /// What is added to a counter, if that happens once in each group, nobody else changes it, and it does not wrap around.
    fn added_for_groups(&mut self, addition: Handle<Value>) -> Option<Handle<Value>> {
        let module = self.module;
        let (place, by) = self.addition(addition)?;
        let is_only = matches!(self.atomic_changes()?[..], [(change, _)] if change == addition);
        let (_, brought) = self.sum_over_any(by, Extent::All)?;
        let brought = self.term_of(brought);
        let most = match module.scalar(module.values[addition].ty)?.bits() {
            64 => i128::from(u16::MAX),
            // There are fewer than 2^32 work-items in one dimension.
            32 if module.rank() == 1 => 1,
            _ => return None,
        };
        let range = self.knowledge.range(brought);
        let is_small = range.min >= 0 && range.max <= most;
        (is_only && is_small && self.written_atomics.is_empty() && self.is_counter(place)).then_some(by)
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
