//! How work-items leave a loop that a fault might keep from ever ending.

use super::{Arena, Base, Block, Collective, End, Group, Handle, Label, Op, Statement, Value, Variable};
use proc_macro2::Span;

/// What a pass through a loop begins with: those who have recorded a fault leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultExit {
    /// The group that leaves as a whole if anybody in it has recorded a fault; none if each work-item goes by itself.
    pub group: Option<Group>,
    /// Where to.
    pub end: End,
}

impl Block {
    /// The fault exit with which the block, which is the body of a loop, begins.
    #[must_use]
    pub fn fault_exit(&self, values: &Arena<Value>) -> Option<FaultExit> {
        let has_faulted = |value: Handle<Value>| matches!(values[value].op, Op::HasFaulted);
        match &self.statements[..] {
            [_, Statement::If { condition, accept, .. }, ..] if has_faulted(*condition) => {
                Some(FaultExit { group: None, end: accept.end })
            }
            [_, _, Statement::If { condition, accept, .. }, ..] => {
                let group = values[*condition].op.vote(values)?;
                Some(FaultExit { group: Some(group), end: accept.end })
            }
            _ => None,
        }
    }

    /// Removes what [`Self::fault_exit`] finds, if it finds any.
    pub fn remove_fault_exit(&mut self, values: &Arena<Value>) {
        if let Some(FaultExit { group, .. }) = self.fault_exit(values) {
            self.statements.drain(..if group.is_some() { 3 } else { 2 });
        }
    }

    /// Replaces the fault exits from loops by what `choose` says, by the label of the loop, its body and the fault exit; none if there is to be none.
    pub fn choose_fault_exits(
        &mut self,
        values: &mut Arena<Value>,
        choose: &mut impl FnMut(Label, &Self, FaultExit, &Arena<Value>) -> Option<FaultExit>,
    ) {
        self.choose_between(values, choose, &mut Vec::new());
    }

    /// The same where a work-group has begun copies, each with its event, for which it waits later.
    fn choose_between(
        &mut self,
        values: &mut Arena<Value>,
        choose: &mut impl FnMut(Label, &Self, FaultExit, &Arena<Value>) -> Option<FaultExit>,
        begun: &mut Vec<(Span, Handle<Variable>)>,
    ) {
        let outer = begun.len();
        let waits = self.statements.iter().filter_map(|statement| match statement {
            Statement::Wait(span, event) => Some((*span, *event)),
            _ => None,
        });
        let waits: Vec<_> = waits.collect();
        for statement in &mut self.statements {
            match statement {
                Statement::Store { place, .. } => {
                    begun.extend(waits.iter().filter(|(_, event)| place.base == Base::Variable(*event)));
                }
                Statement::Wait(_, event) => begun.retain(|(_, other)| other != event),
                Statement::If { accept, reject, .. } => {
                    accept.choose_between(values, choose, begun);
                    reject.choose_between(values, choose, begun);
                }
                Statement::Loop { label, body, continuing } => {
                    if let Some(fault_exit) = body.fault_exit(values) {
                        match choose(*label, body, fault_exit, values) {
                            None => body.remove_fault_exit(values),
                            Some(chosen) if chosen == fault_exit => {}
                            Some(FaultExit { group, end }) => body.set_fault_exit(values, group, end, begun),
                        }
                    }
                    body.choose_between(values, choose, begun);
                    continuing.choose_between(values, choose, begun);
                }
                _ => {}
            }
        }
        begun.truncate(outer);
    }

    /// Replaces the fault exit of a loop's body. Whoever ends waits for the copies that have been begun.
    fn set_fault_exit(
        &mut self,
        values: &mut Arena<Value>,
        group: Option<Group>,
        end: End,
        begun: &[(Span, Handle<Variable>)],
    ) {
        let Some(&Statement::Evaluate(has_faulted)) = self.statements.first() else { return };
        self.remove_fault_exit(values);
        let mut condition = has_faulted;
        let mut statements = vec![Statement::Evaluate(has_faulted)];
        if let Some(group) = group {
            let Value { ty, span, .. } = values[has_faulted];
            let op = Op::Collective { group, collective: Collective::Any, operands: vec![has_faulted] };
            condition = values.push(Value { ty, op, span });
            statements.push(Statement::Evaluate(condition));
        }
        let waits = begun.iter().rev().filter(|_| end == End::Return);
        let waits = waits.map(|(span, event)| Statement::Wait(*span, *event)).collect();
        let accept = Self { statements: waits, end };
        let reject = Self { statements: Vec::new(), end: End::Next };
        statements.push(Statement::If { condition, accept, reject });
        self.statements.splice(0..0, statements);
    }
}

impl Op {
    /// The group that finds out by this operation whether any of its work-items has recorded a fault.
    #[must_use]
    pub fn vote(&self, values: &Arena<Value>) -> Option<Group> {
        match self {
            Self::Collective { group, collective: Collective::Any, operands } => {
                let [operand] = operands[..] else { return None };
                matches!(values[operand].op, Self::HasFaulted).then_some(*group)
            }
            _ => None,
        }
    }
}
