//! Methods of slices and arrays.

use super::Infer;
use crate::diagnostics::{Code, Diagnostic};
use crate::methods;
use crate::typed::{Expr, ExprKind, Iter, Parts, Ty};
use kernel_core::semantics::BinaryOp;
use syn::ExprMethodCall;

impl Infer<'_> {
    pub(super) fn slice_method(
        &mut self,
        call: &ExprMethodCall,
        receiver: Expr,
        name: &str,
    ) -> (ExprKind, Ty) {
        let mut arguments = self.arguments(&call.args).into_iter();
        let iterator = |Expr { kind, ty, .. }: Expr| (kind, ty);
        match (name, arguments.next(), arguments.next()) {
            ("len", None, None) => (ExprKind::Len(Box::new(receiver)), Ty::USIZE),
            ("is_empty", None, None) => self.is_empty(call, receiver),
            ("iter", None, None) => iterator(self.elements(receiver, false)),
            ("iter_mut", None, None) => iterator(self.elements(receiver, true)),
            ("chunks" | "chunks_exact" | "windows" | "chunks_mut" | "chunks_exact_mut", Some(len), None) => {
                self.coerce(&call.args, &len.ty, &Ty::USIZE);
                self.parts(receiver, name, len)
            }
            _ => self.unknown_slice_method(call, &receiver, name),
        }
    }

    fn is_empty(&mut self, call: &ExprMethodCall, receiver: Expr) -> (ExprKind, Ty) {
        let span = call.method.span();
        let len = Expr { kind: ExprKind::Len(Box::new(receiver)), ty: Ty::USIZE, span };
        let zero = Expr { kind: ExprKind::Integer(0), ty: Ty::USIZE, span };
        (ExprKind::Binary(BinaryOp::Eq, Box::new(len), Box::new(zero)), Ty::BOOL)
    }

    /// Parts with so many elements each.
    fn parts(&mut self, of: Expr, name: &str, len: Expr) -> (ExprKind, Ty) {
        let kind = match name {
            "windows" => Parts::Windows,
            "chunks" | "chunks_mut" => Parts::Chunks,
            _ => Parts::ChunksExact,
        };
        let ty = self.table.shallow(&of.ty);
        let Some(element) = ty.element().cloned() else { return (ExprKind::Error, Ty::Error) };
        let item = Ty::Slice { element: element.into(), mutable: name.ends_with("_mut") };
        let span = of.span;
        let Expr { kind, ty, .. } = Expr::sequence(Iter::Parts { kind, of, len }, item, span);
        (kind, ty)
    }

    fn unknown_slice_method(&mut self, call: &ExprMethodCall, receiver: &Expr, name: &str) -> (ExprKind, Ty) {
        let ty = self.table.partial(&receiver.ty);
        let message = format!("device code does not have the method `{name}` of `{ty}`");
        let diagnostic = match methods::absent::of_slice(name) {
            Some(help) => Diagnostic::new(Code::UnknownMethod, &call.method, message).help(help),
            None => Diagnostic::left_to_rustc(&call.method, message)
                .code(Code::UnknownMethod)
                .help("slices and arrays have `len`, `is_empty`, `iter`, `chunks_exact` and indexing"),
        };
        self.diagnostics.push(diagnostic);
        (ExprKind::Error, Ty::Error)
    }
}
