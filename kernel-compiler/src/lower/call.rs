//! Calls of device functions, each replaced by the body of the function.

use super::memory::{Memory, Operand};
use super::overflow::Author;
use super::{Builder, Exit, FunctionLowering, Target};
use crate::diagnostics::{Code, Diagnostic};
use crate::infer;
use crate::ir::{Block, End, Statement};
use crate::typed::{Callee, Expr, Ty};
use proc_macro2::Span;

/// How many values a kernel may have once all calls are replaced; more is most likely an accident of calls in calls.
const MAX_VALUES: usize = 1 << 18;

impl FunctionLowering<'_, '_, '_, '_> {
    pub(super) fn call(&mut self, expr: &Expr, callee: &Callee, arguments: &[Expr]) -> Operand {
        if let Some(result) = self.imported_call(expr, &callee.id, arguments) {
            return result;
        }
        let arguments = arguments.iter().map(|argument| Memory::Value(self.expr(argument))).collect();
        let resolve = |ty| self.table.resolve(ty);
        let callee =
            Callee { id: callee.id.clone(), arguments: callee.arguments.iter().map(resolve).collect() };
        if !callee.arguments.iter().all(is_complete) {
            self.lost(expr.span);
            return Operand::UNIT;
        }
        self.call_of(&callee, arguments, &self.table.resolve(&expr.ty), expr.span)
    }

    /// What a function answers, whose result is of a type.
    pub(super) fn call_of(
        &mut self,
        callee: &Callee,
        arguments: Vec<Memory>,
        ty: &Ty,
        span: Span,
    ) -> Operand {
        if self.is_too_large(span) {
            return Operand::UNIT;
        }
        if !self.builder.module.active.enter(callee) {
            self.builder.module.recursion(callee, span);
            return Operand::UNIT;
        }
        let known = self.builder.module.diagnostics.len();
        let result = self.body(ty, callee, arguments);
        self.builder.module.active.leave();
        if infer::is_standard(&callee.id) {
            // Users see the call, not the body.
            self.builder.module.diagnostics.place(span, known);
        }
        result
    }

    fn body(&mut self, ty: &Ty, callee: &Callee, arguments: Vec<Memory>) -> Operand {
        let Some(whole) = self.builder.module.callee(callee) else { return Operand::UNIT };
        let author = if infer::is_ours(&callee.id) { Author::Library } else { Author::User };
        self.written_by(author, ty, |builder, exit| {
            FunctionLowering::new(&whole, builder, exit).run(arguments)
        })
    }

    /// The result of an author's code that stands where it is called.
    pub(super) fn written_by(
        &mut self,
        author: Author,
        ty: &Ty,
        body: impl FnOnce(&mut Builder<'_, '_>, Exit) -> (Operand, bool),
    ) -> Operand {
        let outer = self.builder.author;
        self.builder.author = outer.calling(author);
        let result = self.inlined(ty, body);
        self.builder.author = outer;
        result
    }

    /// The result of code that stands where it is called; it may leave before its end, and says whether it does.
    pub(super) fn inlined(
        &mut self,
        ty: &Ty,
        body: impl FnOnce(&mut Builder<'_, '_>, Exit) -> (Operand, bool),
    ) -> Operand {
        let value = if *ty == Ty::Never { None } else { self.allocate(ty, "") };
        let label = self.builder.fresh_label();
        let target = Target { label, next: End::Continue(label), value: value.clone() };
        self.builder.open();
        let (result, leaves) = body(self.builder, Exit::Inlined { target, used: false });
        if !leaves {
            // The value of the last expression is the only one, and it is computed before what follows.
            let body = self.builder.close();
            self.builder.splice(body);
            return result;
        }
        self.store_result(value.as_ref(), &result);
        self.builder.end(End::Break(label));
        let body = self.builder.close();
        let continuing = Block { statements: Vec::new(), end: End::Next };
        self.builder.push(Statement::Loop { label, body, continuing });
        if *ty == Ty::Never {
            self.unreachable();
        }
        value.map_or(Operand::UNIT, |memory| self.load(&memory))
    }

    /// Returns whether the kernel has become too large for code to be repeated; if so, that is reported.
    pub(super) fn is_too_large(&mut self, span: Span) -> bool {
        if self.builder.size() <= MAX_VALUES {
            return false;
        }
        let at = crate::diagnostics::marker(span);
        let diagnostics = &mut self.builder.module.diagnostics;
        if diagnostics.iter().all(|known| known.code != Code::TooLarge) {
            diagnostics.push(
                Diagnostic::new(
                    Code::TooLarge,
                    &at,
                    "the kernel is too large once its calls are replaced by their bodies",
                )
                .note(format!("it has more than {MAX_VALUES} operations"))
                .help("call the function in a loop rather than many times"),
            );
        }
        true
    }
}

/// Returns whether nothing in a type is left to be inferred.
fn is_complete(ty: &Ty) -> bool {
    !matches!(ty, Ty::Variable(..)) && ty.parts().all(is_complete)
}
