//! Conditions with `let` in them.

use super::FunctionLowering;
use super::control::empty;
use super::memory::{Memory, Operand};
use super::panic::may_go_on;
use crate::ir::{Block, End, Label, Statement};
use crate::typed::{self, Expr, Pattern, Test};
use std::borrow::Cow;

impl FunctionLowering<'_, '_, '_, '_> {
    pub(super) fn if_let(
        &mut self,
        expr: &Expr,
        tests: &[Test],
        accept: &typed::Block,
        reject: Option<&Expr>,
    ) -> Operand {
        let memory = self.result_memory(expr);
        match tests {
            [Test::Matches(pattern, scrutinee)] => {
                let scrutinee = self.scrutinee(scrutinee);
                let patterns = self.alternatives(pattern);
                self.if_matches(memory.as_ref(), &scrutinee, &patterns, (accept, reject));
            }
            _ => self.if_all(memory.as_ref(), tests, (accept, reject)),
        }
        self.result(expr, memory.as_ref())
    }

    /// The first block if memory matches one of some patterns, else the second.
    fn if_matches(
        &mut self,
        memory: Option<&Memory>,
        scrutinee: &Memory,
        patterns: &[Cow<'_, Pattern>],
        (accept, reject): (&typed::Block, Option<&Expr>),
    ) {
        let Some((pattern, others)) = patterns.split_first() else {
            let block = self.alternative(memory, reject);
            return self.builder.splice(block);
        };
        let condition = self.matches(pattern, scrutinee);
        let decided = condition.and_then(|condition| self.decided(condition));
        if decided == Some(false) {
            return self.if_matches(memory, scrutinee, others, (accept, reject));
        }
        let accepted = self.branch(memory, |lowering| {
            lowering.bind_pattern(pattern, scrutinee);
            lowering.block(accept)
        });
        let Some(condition) = condition.filter(|_| decided.is_none()) else {
            return self.builder.splice(accepted);
        };
        let rejected = self.branch(None, |lowering| {
            lowering.if_matches(memory, scrutinee, others, (accept, reject));
            Operand::UNIT
        });
        self.builder.push(Statement::If { condition, accept: accepted, reject: rejected });
    }

    /// A block that is left as soon as a test fails, and then, in a block around both, what is done in that case.
    fn if_all(
        &mut self,
        memory: Option<&Memory>,
        tests: &[Test],
        (accept, reject): (&typed::Block, Option<&Expr>),
    ) {
        let [outer, inner] = [(); 2].map(|()| self.builder.fresh_label());
        self.leavable(outer, |lowering| {
            lowering.leavable(inner, |lowering| {
                lowering.leave_unless(inner, tests);
                let operand = lowering.block(accept);
                lowering.store_result(memory, &operand);
                lowering.builder.end(End::Break(outer));
            });
            let operand = reject.map_or(Operand::UNIT, |reject| lowering.expr(reject));
            lowering.store_result(memory, &operand);
        });
    }

    /// Leaves a loop or block unless all tests succeed, and binds the names of their patterns.
    fn leave_unless(&mut self, label: Label, tests: &[Test]) {
        for test in tests {
            match test {
                Test::Holds(condition) => {
                    let condition = self.value(condition);
                    self.break_unless(label, condition);
                }
                Test::Matches(pattern, scrutinee) => {
                    let scrutinee = self.scrutinee(scrutinee);
                    if let Some(condition) = self.matches(pattern, &scrutinee) {
                        self.break_unless(label, condition);
                    }
                    self.bind_pattern(pattern, &scrutinee);
                }
            }
        }
    }

    pub(super) fn while_let(&mut self, label: typed::Label, tests: &[Test], body: &typed::Block) {
        let label = self.target(label, None);
        self.open_unbounded(label);
        match tests {
            [Test::Matches(pattern, scrutinee)] => {
                let scrutinee = self.scrutinee(scrutinee);
                let patterns = self.alternatives(pattern);
                self.while_matches(label, &scrutinee, &patterns, body);
            }
            _ => {
                self.leave_unless(label, tests);
                self.block(body);
            }
        }
        let body = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing: empty() });
    }

    /// One pass of a `while let`.
    fn while_matches(
        &mut self,
        label: Label,
        scrutinee: &Memory,
        patterns: &[Cow<'_, Pattern>],
        body: &typed::Block,
    ) {
        let Some((pattern, others)) = patterns.split_first() else {
            return self.builder.end(End::Break(label));
        };
        let condition = self.matches(pattern, scrutinee);
        if let (Some(condition), true) = (condition, others.is_empty()) {
            self.break_unless(label, condition);
        }
        let accept = self.branch(None, |lowering| {
            lowering.bind_pattern(pattern, scrutinee);
            lowering.block(body);
            Operand::UNIT
        });
        match condition {
            Some(condition) if !others.is_empty() => {
                let reject = self.branch(None, |lowering| {
                    lowering.while_matches(label, scrutinee, others, body);
                    Operand::UNIT
                });
                self.builder.push(Statement::If { condition, accept, reject });
            }
            _ => self.builder.splice(accept),
        }
    }

    /// `let … else`: the block does not come to its end.
    pub(super) fn let_else(&mut self, pattern: &Pattern, value: &Expr, otherwise: &Expr) {
        let memory = self.scrutinee(value);
        let mut goes_on = false;
        if let Some(condition) = self.matches(pattern, &memory) {
            let reject = self.branch(None, |lowering| {
                lowering.expr(otherwise);
                lowering.unreachable();
                Operand::UNIT
            });
            goes_on = may_go_on(&reject);
            self.builder.push(Statement::If { condition, accept: empty(), reject });
        }
        let outer = std::mem::replace(&mut self.is_doubtful, goes_on);
        self.bind_pattern(pattern, &memory);
        self.is_doubtful = outer;
    }

    /// A loop that goes on until it is left.
    pub(super) fn repeated(&mut self, label: Label, body: impl FnOnce(&mut Self)) {
        self.builder.open();
        body(self);
        let body = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing: empty() });
    }

    /// A block with a name, so that it can be left.
    pub(super) fn leavable(&mut self, label: Label, block: impl FnOnce(&mut Self)) {
        self.builder.open();
        block(self);
        self.builder.end(End::Break(label));
        let body = self.builder.close();
        let continuing = Block { statements: Vec::new(), end: End::Next };
        self.builder.push(Statement::Loop { label, body, continuing });
    }
}
