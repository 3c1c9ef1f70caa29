//! Functions that a running kernel chooses: a `fn(A) -> R` in a variable, an array or a field is a number.
//!
//! A call of one is a branch to the body of each function with these types that any variable keeps. Which these are is known once all has been lowered; so a kernel is lowered again
//! if a call did not know all of them, as with [references](super::reference). Where the number is known, the call is that function's body alone.

use super::FunctionLowering;
use super::closure::ClosureValue;
use super::memory::Operand;
use crate::diagnostics::{Code, Diagnostic, marker};
use crate::ir::{Handle, Statement, Value};
use crate::typed::Ty;
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use proc_macro2::Span;
use std::rc::Rc;

/// The functions that variables keep, by their numbers.
#[derive(Default)]
pub(super) struct Functions {
    all: Vec<Rc<ClosureValue>>,
    /// The types of the functions that have been called by their numbers in this pass, and how many of all there were then.
    called: Vec<(Rc<[Ty]>, usize)>,
    /// Those that are being called.
    active: Vec<usize>,
}

impl Functions {
    /// Returns whether a call did not know all functions that it may be of.
    pub(super) fn has_grown(&self) -> bool {
        self.called.iter().any(|(signature, known)| self.of(signature).any(|number| number >= *known))
    }

    pub(super) fn for_next_pass(self) -> Self {
        Self { all: self.all, ..Self::default() }
    }

    fn of(&self, signature: &[Ty]) -> impl Iterator<Item = usize> {
        let fits = move |function: &Rc<ClosureValue>| function.signature() == signature;
        self.all.iter().enumerate().filter(move |(_, function)| fits(function)).map(|(number, _)| number)
    }
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// The number of a function.
    pub(super) fn number_of_function(&mut self, function: &Rc<ClosureValue>) -> Handle<Value> {
        if function.signature().is_empty() {
            self.lost(self.builder.span);
        }
        let functions = &mut self.builder.module.functions.all;
        let known = functions.iter().position(|known| known.is(function));
        let number = match (known, function.without_variables()) {
            (Some(number), _) => number,
            (None, Some(alone)) => {
                functions.push(Rc::new(alone));
                functions.len() - 1
            }
            (None, None) => {
                let message = "a closure that uses variables around it is no function whose number a variable could keep";
                let at = marker(function.span());
                let help = "pass what it uses as arguments";
                let diagnostic = Diagnostic::new(Code::ItemAsValue, &at, message).help(help);
                self.builder.module.diagnostics.push(diagnostic);
                0
            }
        };
        self.builder.constant(Scalar::U32, number as u64)
    }

    /// The result of the function with a number.
    pub(super) fn call_numbered(
        &mut self,
        number: Handle<Value>,
        signature: &Rc<[Ty]>,
        arguments: Vec<Operand>,
        span: Span,
    ) -> Operand {
        let functions = &mut self.builder.module.functions;
        functions.called.push((signature.clone(), functions.all.len()));
        let candidates: Vec<_> = functions.of(signature).collect();
        let constant = self.builder.constant_of(number).map(|number| number as usize);
        let candidates = match constant {
            Some(only) if candidates.contains(&only) => vec![only],
            _ => candidates,
        };
        let result = signature.last().and_then(|result| self.allocate(result, ""));
        match &candidates[..] {
            // No variable keeps any yet: code that is never reached, or that is lowered again.
            [] => return Operand::Undefined,
            [only] => return self.call_known(*only, arguments, span),
            _ => {}
        }
        self.call_each(number, &candidates, &mut |lowering, candidate| {
            let answer = lowering.call_known(candidate, arguments.clone(), span);
            lowering.store_result(result.as_ref(), &answer);
        });
        result.map_or(Operand::UNIT, |result| self.load(&result))
    }

    fn call_each(
        &mut self,
        number: Handle<Value>,
        candidates: &[usize],
        call: &mut dyn FnMut(&mut Self, usize),
    ) {
        let Some((first, others)) = candidates.split_first() else { return };
        if others.is_empty() {
            return call(self, *first);
        }
        let own = self.builder.constant(Scalar::U32, *first as u64);
        let condition = self.builder.binary(BinaryOp::Eq, number, own);
        self.builder.open();
        call(self, *first);
        let accept = self.builder.close();
        self.builder.open();
        self.call_each(number, others, call);
        let reject = self.builder.close();
        self.builder.push(Statement::If { condition, accept, reject });
    }

    fn call_known(&mut self, number: usize, arguments: Vec<Operand>, span: Span) -> Operand {
        let functions = &mut self.builder.module.functions;
        if functions.active.contains(&number) {
            let message = "this may call the function that it is in, and a device has no stack for recursion";
            let diagnostic = Diagnostic::recursion(&marker(span), message, "a function -> itself");
            self.builder.module.diagnostics.push(diagnostic);
            return Operand::Undefined;
        }
        functions.active.push(number);
        let function = Operand::Closure(functions.all[number].clone());
        let answer = self.call_closure(&function, arguments, span);
        self.builder.module.functions.active.pop();
        answer
    }
}
