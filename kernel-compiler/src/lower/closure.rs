//! Closures: what a call of one becomes is its body, with the variables of the place where it was made.

use super::memory::{Memory, Operand};
use super::overflow::Author;
use super::{Exit, FunctionLowering};
use crate::hash::HashMap;
use crate::infer::Inferred;
use crate::ir::Handle;
use crate::typed::{Binding, Closure, Expr, Ty};
use proc_macro2::Span;
use std::rc::Rc;

/// A closure that has been made.
#[derive(Clone, Debug)]
pub(super) struct ClosureValue {
    closure: Rc<Closure>,
    /// The function that made it.
    whole: Inferred,
    /// What the variables around it had become by then.
    slots: HashMap<Handle<Binding>, Memory>,
    author: Author,
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// Makes a closure. What is moved into it is copied now, once for all calls.
    pub(super) fn closure(&mut self, closure: &Rc<Closure>) -> Operand {
        let mut slots = self.slots.clone();
        for binding in &closure.moved {
            let Some(memory) = slots.get(binding).cloned() else { continue };
            let declared = &self.function.bindings[*binding];
            if declared.assignable {
                let operand = self.load(&memory);
                let copy = self.own(operand);
                slots.insert(*binding, copy);
            }
        }
        let author = self.builder.author;
        let value = ClosureValue { closure: closure.clone(), whole: self.whole.clone(), slots, author };
        Operand::Closure(Rc::new(value))
    }

    pub(super) fn call_value(&mut self, expr: &Expr, callee: &Expr, arguments: &[Expr]) -> Operand {
        let callee = self.expr(callee);
        let arguments = arguments.iter().map(|argument| self.expr(argument)).collect();
        self.call_closure(&callee, arguments, expr.span)
    }

    /// The result of a closure for these arguments.
    pub(super) fn call_closure(&mut self, callee: &Operand, arguments: Vec<Operand>, span: Span) -> Operand {
        let value = match callee {
            Operand::Closure(value) => value.clone(),
            Operand::Reference(memory) => {
                let pointee = self.load(memory);
                return self.call_closure(&pointee, arguments, span);
            }
            // Code that is never reached, or that rustc refuses.
            _ => return Operand::UNIT,
        };
        if self.is_too_large(span) {
            return Operand::UNIT;
        }
        let result: Ty = value.whole.1.resolve(&value.closure.result);
        self.written_by(value.author, &result, |builder, exit: Exit| {
            let mut lowering = FunctionLowering::new(&value.whole, builder, exit);
            lowering.slots = value.slots.clone();
            lowering.result = value.closure.result.clone();
            for (pattern, argument) in value.closure.parameters.iter().zip(arguments) {
                lowering.bind_pattern(pattern, &Memory::Value(argument));
            }
            let operand = lowering.expr(&value.closure.body);
            lowering.leaves_with(operand)
        })
    }
}
