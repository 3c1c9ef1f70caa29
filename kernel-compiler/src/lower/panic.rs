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
use crate::diagnostics::{Code, Diagnostic, marker};
use crate::ir::{Arena, Block, End, Format, Handle, Label, Op, Statement, Type, Value, Variable};
use crate::typed::{Expr, Message, Panic};
use kernel_core::{FaultKind, MAX_FAULT_WORDS, Scalar};

/// The loop that a panic leaves, as long as it is not known which that is. Loops have other labels, which are counted from 1.
const PANIC: Label = Label(0);

impl FunctionLowering<'_, '_, '_, '_> {
    /// `panic!()`.
    pub(super) fn panic(&mut self, panic: &Panic) {
        let failure = self.failure(panic, FaultKind::Panic, &[]);
        self.panic_always(failure);
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
        match self.is_formatted(panic) {
            true => self.panic_where(condition, |this| this.failure(panic, kind, &values)),
            false => {
                let failure = self.failure(panic, kind, &values);
                self.panic_unless(condition, failure);
            }
        }
    }

    /// Panics where a condition does not hold.
    pub(super) fn panic_unless(&mut self, condition: Handle<Value>, failure: Failure) {
        let condition = self.builder.require(condition, [failure]);
        if self.builder.constant_of(condition) == Some(1) {
            return;
        }
        self.builder.open();
        self.end_by_panic();
        self.otherwise(condition);
    }

    /// The same for a message that has values in it, which are computed only then.
    pub(super) fn panic_where(
        &mut self,
        condition: Handle<Value>,
        failure: impl FnOnce(&mut Self) -> Failure,
    ) {
        if self.builder.constant_of(condition) == Some(1) {
            return;
        }
        self.builder.open();
        let failure = failure(self);
        self.panic_always(failure);
        self.otherwise(condition);
    }

    /// Does what is in the open block where a condition does not hold.
    fn otherwise(&mut self, condition: Handle<Value>) {
        let reject = self.builder.close();
        self.builder.push(Statement::If { condition, accept: control::empty(), reject });
    }

    fn panic_always(&mut self, failure: Failure) {
        let never = self.builder.constant(Scalar::Bool, 0);
        self.builder.require(never, [failure]);
        self.end_by_panic();
    }

    /// Returns whether what a panic says has values in it that the kind of its fault does not say.
    fn is_formatted(&self, panic: &Panic) -> bool {
        matches!(panic.message, Message::Formatted(_)) || self.sides_in_text(panic).is_some()
    }

    /// The two sides of a comparison, if the values of a fault cannot have them.
    fn sides_in_text<'p>(&self, panic: &'p Panic) -> Option<&'p [Expr; 2]> {
        let words = |side: &Expr| self.shown(&side.ty).map(|shown| shown.words());
        panic.sides.as_deref().filter(|sides| {
            let is_scalar = self.table.resolve(&sides[0].ty).scalar().is_some();
            let both = words(&sides[0]).zip(words(&sides[1]));
            !is_scalar && both.is_some_and(|(left, right)| left + right <= MAX_FAULT_WORDS)
        })
    }

    /// A panic with what it says.
    fn failure(&mut self, panic: &Panic, kind: FaultKind, values: &[Handle<Value>]) -> Failure {
        let failure = Failure::new(kind, values);
        if !self.is_formatted(panic) {
            let Message::Text(text) = &panic.message else { return failure };
            return failure.saying(text);
        }
        let span = self.builder.span;
        let (mut format, mut words) = match &panic.message {
            Message::Text(text) => (Format { text: escaped(text), arguments: Vec::new() }, Vec::new()),
            Message::Formatted(format) => self.format(format),
        };
        if let Some(sides) = self.sides_in_text(panic) {
            format.text.push_str("\n  left: {__left:?}\n right: {__right:?}");
            for (name, side) in ["__left", "__right"].into_iter().zip(sides) {
                let shown = self.show_value(side, &mut words);
                format.arguments.push((Some(name.to_owned()), shown));
            }
        }
        self.builder.span = span;
        if words.len() > MAX_FAULT_WORDS as usize {
            self.too_long(words.len());
        }
        failure.formatting(format, words)
    }

    fn too_long(&mut self, words: usize) {
        let at = marker(self.builder.span);
        let message = format!(
            "the values in this message take {words} words of 32 bits, and a fault has room for {MAX_FAULT_WORDS}"
        );
        let diagnostic = Diagnostic::new(Code::UnsupportedMacro, &at, message);
        self.builder
            .module
            .diagnostics
            .push(diagnostic.help("say less: a few elements or lanes, or an index"));
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

/// Text as a format string.
pub(super) fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

impl Builder<'_, '_> {
    /// Puts in where the panics of a lowered kernel lead.
    pub(super) fn settle_panics(&mut self, body: &mut Block) {
        if !may_go_on(body) {
            return;
        }
        if !body.has_convergent(&self.values) {
            return settle(body, End::Return);
        }
        leave_loops(&self.values, body);
        settle(body, End::Next);
        let variables = self.all_variables();
        self.start_at_zero(body, &variables);
    }

    /// Has variables start at zero, since code that a panic ends, or a fault, may leave some without a value.
    pub(super) fn start_at_zero(&mut self, body: &mut Block, variables: &[Handle<Variable>]) {
        self.open();
        for &variable in variables {
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

/// Returns whether there is a panic in a block, after which a kernel with barriers may go on.
pub(super) fn may_go_on(block: &Block) -> bool {
    block.any(|block| block.end == End::Break(PANIC))
}

/// Has the panics in the outermost loops without barriers leave these.
fn leave_loops(values: &Arena<Value>, block: &mut Block) {
    for statement in &mut block.statements {
        match statement {
            Statement::Loop { label, body, .. } if !body.has_convergent(values) => {
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
            | Statement::AssertUniform(..)
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
