//! Panics: the fault is recorded, and the work-item leaves the kernel, unless others would wait for it at a barrier or in a function that
//! all call together, for which the same goes.
//!
//! Whether there is a barrier is known once the whole kernel has been lowered. Until then a block that a panic ends leads to the loop
//! [`PANIC`], which does not exist; [`settle`] puts in where it goes:
//!
//! - In a kernel without barriers, to the end of the kernel.
//! - Else out of the outermost loop around that has none in it, so that no loop goes on for ever because of it; the bodies of
//!   functions and blocks that are left early are loops too. What such code would have computed is zero then.
//! - Where each loop around has a barrier in it, or there is none around, to what follows.

use super::requirement::Failure;
use super::{Builder, FunctionLowering, control};
use crate::ir::{Arena, Block, End, Handle, Label, Op, Statement, Type, Value};
use crate::typed::{Expr, Panic};
use kernel_core::{FaultKind, Scalar};

/// The loop that a panic leaves, as long as it is not known which that is. Loops have other labels, which are counted from 1.
const PANIC: Label = Label(0);

impl FunctionLowering<'_, '_, '_, '_> {
    /// `panic!()`.
    pub(super) fn panic(&mut self, panic: &Panic) {
        let never = self.builder.constant(Scalar::Bool, 0);
        self.builder.require(never, [Failure::new(FaultKind::Panic, &[]).saying(&panic.message)]);
        self.end_by_panic();
    }

    /// `assert!()`.
    pub(super) fn assertion(&mut self, condition: &Expr, panic: &Panic) {
        let span = self.builder.span;
        let condition = self.value(condition);
        let (kind, values) = match &panic.sides {
            Some(sides) => self.sides(sides),
            None => (FaultKind::Panic, Vec::new()),
        };
        self.builder.span = span;
        self.panic_unless(condition, Failure::new(kind, &values).saying(&panic.message));
    }

    /// Panics where a condition does not hold.
    pub(super) fn panic_unless(&mut self, condition: Handle<Value>, failure: Failure) {
        let condition = self.builder.require(condition, [failure]);
        if self.builder.constant_of(condition) == Some(1) {
            return;
        }
        self.builder.open();
        self.end_by_panic();
        let reject = self.builder.close();
        self.builder.push(Statement::If { condition, accept: control::empty(), reject });
    }

    /// Ends the current block, as a panic does.
    pub(super) fn end_by_panic(&mut self) {
        self.builder.end(End::Break(PANIC));
    }

    /// The two sides of a comparison as the values of a fault, if they are scalars.
    fn sides(&mut self, sides: &[Expr; 2]) -> (FaultKind, Vec<Handle<Value>>) {
        let Some(scalar) = self.table.resolve(&sides[0].ty).scalar() else {
            return (FaultKind::Panic, Vec::new());
        };
        let kind = match scalar {
            Scalar::Bool => FaultKind::ComparedBool,
            Scalar::F64 => FaultKind::ComparedF64,
            _ if scalar.is_float() => FaultKind::ComparedF32,
            _ if scalar.is_signed() => FaultKind::ComparedSigned,
            _ => FaultKind::ComparedUnsigned,
        };
        let values = sides.each_ref().map(|side| {
            let value = self.value(side);
            self.recorded(value, scalar)
        });
        (kind, values.to_vec())
    }

    /// A scalar in the form in which a fault record has it.
    fn recorded(&mut self, value: Handle<Value>, scalar: Scalar) -> Handle<Value> {
        let bits = match scalar {
            Scalar::F64 => self.builder.bitcast(value, Scalar::U64),
            _ if scalar.is_float() => {
                let single = self.builder.cast(value, Scalar::F32);
                self.builder.bitcast(single, Scalar::U32)
            }
            _ => value,
        };
        self.builder.cast(bits, Scalar::Usize)
    }
}

impl Builder<'_, '_> {
    /// Puts in where the panics of a lowered kernel lead.
    pub(super) fn settle_panics(&mut self, body: &mut Block) {
        if !may_go_on(body) {
            return;
        }
        if !has_meeting(&self.values, body) {
            return settle(body, End::Return);
        }
        leave_loops(&self.values, body);
        settle(body, End::Next);
        self.start_at_zero(body);
    }

    /// Has all variables start at zero, since code that a panic ends may leave some without a value.
    fn start_at_zero(&mut self, body: &mut Block) {
        self.open();
        for variable in self.all_variables() {
            let ty = self.variable_type(variable);
            let zero = match self.module.types[ty] {
                // It is waited for only where it has been begun.
                Type::Event => continue,
                Type::Array { .. } => self.evaluate(ty, Op::Zero),
                _ => self.leaf(ty, Op::Constant(0)),
            };
            self.store_variable(variable, zero);
        }
        let zeros = self.close();
        body.statements.splice(0..0, zeros.statements);
    }
}

/// Whether there is a panic in a block, after which a kernel with barriers may go on.
pub(super) fn may_go_on(block: &Block) -> bool {
    has(block, &|block| block.end == End::Break(PANIC))
}

/// Has the panics in the outermost loops without barriers leave these.
fn leave_loops(values: &Arena<Value>, block: &mut Block) {
    for statement in &mut block.statements {
        match statement {
            Statement::Loop { label, body, .. } if !has_meeting(values, body) => {
                settle(body, End::Break(*label))
            }
            Statement::Loop { body, .. } => leave_loops(values, body),
            Statement::If { accept, reject, .. } => {
                leave_loops(values, accept);
                leave_loops(values, reject);
            }
            Statement::Evaluate(_)
            | Statement::Store { .. }
            | Statement::ImageWrite(_)
            | Statement::Barrier(..)
            | Statement::Order(..)
            | Statement::Agree(..)
            | Statement::Wait(..)
            | Statement::Print { .. } => {}
        }
    }
}

/// Has all panics in a block end where they are told.
fn settle(block: &mut Block, end: End) {
    block.for_each_block_mut(&mut |block| {
        if block.end == End::Break(PANIC) {
            block.end = end;
        }
    });
}

/// Whether there is a barrier in a block, or another thing that all work-items of a group have to come to.
fn has_meeting(values: &Arena<Value>, block: &Block) -> bool {
    let is_meeting = |statement: &Statement| match statement {
        Statement::Barrier(..) | Statement::Agree(..) | Statement::Wait(..) => true,
        Statement::Evaluate(value) => matches!(values[*value].op, Op::Collective { .. } | Op::BlockAccess(_)),
        _ => false,
    };
    has(block, &|block| block.statements.iter().any(is_meeting))
}

/// Whether something holds for a block or one in it.
fn has(block: &Block, holds: &dyn Fn(&Block) -> bool) -> bool {
    let mut found = false;
    block.for_each_block(&mut |block| found |= holds(block));
    found
}
