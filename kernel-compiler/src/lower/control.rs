//! Control flow.

use super::memory::{Memory, Operand};
use super::overflow::Author;
use super::{Exit, FunctionLowering, Target};
use crate::ir::{self, Block, End, Handle, Statement, Value};
use crate::typed::{self, Arm, Expr, Label, Pattern, Ty};
use std::borrow::Cow;

/// An arm, and a pattern for which it is lowered by itself.
type Case<'a> = (Cow<'a, Pattern>, &'a Arm);

impl FunctionLowering<'_, '_, '_, '_> {
    /// The memory that takes the result of an expression whose parts compute it in several places.
    pub(super) fn result_memory(&mut self, expr: &Expr) -> Option<Memory> {
        let ty = self.table.resolve(&expr.ty);
        if ty == Ty::Never { None } else { self.allocate(&ty, "") }
    }

    /// What an expression with such memory is worth; one that never ends has no result.
    pub(super) fn result(&mut self, expr: &Expr, memory: Option<&Memory>) -> Operand {
        if self.table.resolve(&expr.ty) == Ty::Never {
            self.unreachable();
        }
        memory.map_or(Operand::UNIT, |memory| self.load(memory))
    }

    pub(super) fn store_result(&mut self, memory: Option<&Memory>, operand: &Operand) {
        match memory {
            Some(memory) => self.store(memory, operand),
            None if operand.has_reference() => self.refuse_reference(),
            None => {}
        }
    }

    /// Names a loop or block; the same function may be lowered in several places, so that its own names are not enough.
    pub(super) fn target(&mut self, label: Label, value: Option<Memory>) -> ir::Label {
        let name = self.builder.fresh_label();
        self.targets.insert(label, Target { label: name, next: End::Continue(name), value });
        name
    }

    pub(super) fn if_expr(
        &mut self,
        expr: &Expr,
        condition: &Expr,
        accept: &typed::Block,
        reject: Option<&Expr>,
    ) -> Operand {
        let memory = self.result_memory(expr);
        let condition = self.value(condition);
        match (self.decided(condition), reject) {
            (Some(true), _) => return self.block(accept),
            (Some(false), Some(reject)) => return self.expr(reject),
            (Some(false), None) => return Operand::UNIT,
            (None, _) => {}
        }
        let accept = self.branch(memory.as_ref(), |lowering| lowering.block(accept));
        let reject = self.alternative(memory.as_ref(), reject);
        let stores = self.builder.choose(condition, [accept, reject]);
        match (&stores[..], &memory) {
            ([store], Some(Memory::Place(place))) if store.place == *place => Operand::Value(store.value),
            _ => {
                stores.into_iter().for_each(|store| self.builder.push(store.into()));
                self.result(expr, memory.as_ref())
            }
        }
    }

    /// Whether a condition holds, if that is known. Only what stands in for the standard library is left out then: in the code of others, errors are reported wherever they are.
    pub(super) fn decided(&self, condition: Handle<Value>) -> Option<bool> {
        let constant = self.builder.constant_of(condition)?;
        (self.builder.author == Author::Library).then_some(constant != 0)
    }

    /// A block with a result that goes to memory.
    pub(super) fn branch(
        &mut self,
        memory: Option<&Memory>,
        body: impl FnOnce(&mut Self) -> Operand,
    ) -> Block {
        self.builder.open();
        let operand = body(self);
        self.store_result(memory, &operand);
        self.builder.close()
    }

    pub(super) fn alternative(&mut self, memory: Option<&Memory>, reject: Option<&Expr>) -> Block {
        self.branch(memory, |lowering| reject.map_or(Operand::UNIT, |reject| lowering.expr(reject)))
    }

    /// The arms are tried in order. With guards, an arm that runs leaves a block around all of them, so that one whose guard fails
    /// goes on with the next; without, each is the alternative of the one before.
    pub(super) fn match_expr(&mut self, expr: &Expr, scrutinee: &Expr, arms: &[Arm]) -> Operand {
        let memory = self.result_memory(expr);
        let scrutinee = self.scrutinee(scrutinee);
        let has_guards = arms.iter().any(|arm| arm.guard.is_some());
        let mut cases = Vec::new();
        for arm in arms {
            cases.extend(self.alternatives(&arm.pattern).into_iter().map(|pattern| (pattern, arm)));
        }
        if has_guards {
            self.guarded_arms(memory.as_ref(), &scrutinee, &cases);
        } else {
            self.arms(memory.as_ref(), &scrutinee, &cases);
        }
        self.result(expr, memory.as_ref())
    }

    fn arms(&mut self, memory: Option<&Memory>, scrutinee: &Memory, cases: &[Case<'_>]) {
        let Some((case, rest)) = cases.split_first() else { return self.unreachable() };
        // rustc has seen that the arms are exhaustive, so the last needs no test.
        let condition = if rest.is_empty() { None } else { self.matches(&case.0, scrutinee) };
        let Some(condition) = condition else { return self.arm(memory, scrutinee, case) };
        match self.decided(condition) {
            Some(false) => return self.arms(memory, scrutinee, rest),
            Some(true) => return self.arm(memory, scrutinee, case),
            None => {}
        }
        let accept = self.branch(None, |lowering| {
            lowering.arm(memory, scrutinee, case);
            Operand::UNIT
        });
        let reject = self.branch(None, |lowering| {
            lowering.arms(memory, scrutinee, rest);
            Operand::UNIT
        });
        self.builder.push(Statement::If { condition, accept, reject });
    }

    fn arm(&mut self, memory: Option<&Memory>, scrutinee: &Memory, (pattern, arm): &Case<'_>) {
        self.bind_pattern(pattern, scrutinee);
        let operand = self.expr(&arm.body);
        self.store_result(memory, &operand);
    }

    fn guarded_arms(&mut self, memory: Option<&Memory>, scrutinee: &Memory, cases: &[Case<'_>]) {
        let label = self.builder.fresh_label();
        self.leavable(label, |lowering| {
            for case in cases {
                let condition = lowering.matches(&case.0, scrutinee);
                if condition.and_then(|condition| lowering.decided(condition)) == Some(false) {
                    continue;
                }
                lowering.builder.open();
                lowering.guarded_arm(memory, scrutinee, case, label);
                let accept = lowering.builder.close();
                match condition {
                    Some(condition) => {
                        lowering.builder.push(Statement::If { condition, accept, reject: empty() });
                    }
                    None => lowering.builder.splice(accept),
                }
            }
        });
    }

    fn guarded_arm(
        &mut self,
        memory: Option<&Memory>,
        scrutinee: &Memory,
        case: &Case<'_>,
        label: ir::Label,
    ) {
        let (pattern, arm) = case;
        let Some(guard) = &arm.guard else {
            self.arm(memory, scrutinee, case);
            return self.builder.end(End::Break(label));
        };
        self.bind_pattern(pattern, scrutinee);
        let condition = self.value(guard);
        self.builder.open();
        let operand = self.expr(&arm.body);
        self.store_result(memory, &operand);
        self.builder.end(End::Break(label));
        let accept = self.builder.close();
        self.builder.push(Statement::If { condition, accept, reject: empty() });
    }

    pub(super) fn labelled_block(&mut self, expr: &Expr, label: Label, block: &typed::Block) -> Operand {
        let memory = self.result_memory(expr);
        let label = self.target(label, memory.clone());
        self.builder.open();
        let operand = self.block(block);
        self.store_result(memory.as_ref(), &operand);
        self.builder.end(End::Break(label));
        let body = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing: empty() });
        self.result(expr, memory.as_ref())
    }

    pub(super) fn loop_expr(&mut self, expr: &Expr, label: Label, body: &typed::Block) -> Operand {
        let memory = self.result_memory(expr);
        let label = self.target(label, memory.clone());
        self.open_unbounded(label);
        self.block(body);
        let body = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing: empty() });
        self.result(expr, memory.as_ref())
    }

    pub(super) fn while_expr(&mut self, label: Label, condition: &Expr, body: &typed::Block) {
        let label = self.target(label, None);
        self.open_unbounded(label);
        let condition = self.value(condition);
        self.break_unless(label, condition);
        self.block(body);
        let body = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing: empty() });
    }

    pub(super) fn break_unless(&mut self, label: ir::Label, condition: Handle<Value>) {
        let reject = Block { statements: Vec::new(), end: End::Break(label) };
        self.builder.push(Statement::If { condition, accept: empty(), reject });
    }

    /// A loop over `0..count` that the compiler makes for itself.
    pub(super) fn counted_loop(&mut self, count: Handle<Value>, body: impl FnOnce(&mut Self, Handle<Value>)) {
        let label = self.builder.fresh_label();
        let zero = self.builder.integer_like(count, 0);
        self.count_up(label, zero, Some(count), body);
    }

    pub(super) fn break_expr(&mut self, label: Label, value: Option<&Expr>) {
        let operand = value.map_or(Operand::UNIT, |value| self.expr(value));
        if let Some(target) = self.targets.get(&label).cloned() {
            self.store_result(target.value.as_ref(), &operand);
            self.builder.end(End::Break(target.label));
        }
    }

    pub(super) fn return_expr(&mut self, value: Option<&Expr>) {
        let operand = value.map_or(Operand::UNIT, |value| self.expr(value));
        if let Exit::Inlined { target, .. } = &self.exit {
            let memory = target.value.clone();
            self.store_result(memory.as_ref(), &operand);
        }
        self.leave();
    }
}

pub(super) fn empty() -> ir::Block {
    Block { statements: Vec::new(), end: End::Next }
}
