//! `try_fold` and `try_for_each`: the loops that `?` leaves.

use super::Receiver;
use crate::diagnostics::Diagnostic;
use crate::infer::Infer;
use crate::infer::nominal::{CONTROL_FLOW, OPTION, RESULT};
use crate::typed::{Expr, ExprKind, Ty, VariableKind};
use proc_macro2::Span;
use syn::{ExprMethodCall, parse_quote_spanned};

impl Infer<'_> {
    pub(super) fn try_fold(&mut self, call: &ExprMethodCall, receiver: Receiver) -> (ExprKind, Ty) {
        let item = receiver.item.clone();
        let first = self.expr(&call.args[0]);
        let made = self.table.fresh(VariableKind::Any);
        let by = self.callable_argument(&call.args[1], &(vec![first.ty.clone(), item], made.clone()));
        let at = Span::call_site().located_at(call.method.span());
        let Some(success) = self.success(call, &made) else { return (ExprKind::Error, Ty::Error) };
        let body: syn::Expr = parse_quote_spanned!(at=> (|| {
            let mut __value = __first;
            for __item in __iterator {
                __value = __by(__value, __item)?;
            }
            #success(__value)
        })());
        self.left_by_question(
            vec![("__iterator", receiver.expr), ("__first", first), ("__by", by)],
            (&body, &made),
        )
    }

    pub(super) fn try_for_each(&mut self, call: &ExprMethodCall, receiver: Receiver) -> (ExprKind, Ty) {
        let made = self.table.fresh(VariableKind::Any);
        let by = self.callable_argument(&call.args[0], &(vec![receiver.item.clone()], made.clone()));
        let at = Span::call_site().located_at(call.method.span());
        let Some(success) = self.success(call, &made) else { return (ExprKind::Error, Ty::Error) };
        let body: syn::Expr = parse_quote_spanned!(at=> (|| {
            for __item in __iterator {
                __by(__item)?;
            }
            #success(())
        })());
        self.left_by_question(vec![("__iterator", receiver.expr), ("__by", by)], (&body, &made))
    }

    /// The variant by which the loop goes on.
    fn success(&mut self, call: &ExprMethodCall, made: &Ty) -> Option<syn::Expr> {
        let at = Span::call_site().located_at(call.method.span());
        Some(match self.table.shallow(made) {
            Ty::Nominal(nominal) if nominal.id == OPTION => parse_quote_spanned!(at=> Some),
            Ty::Nominal(nominal) if nominal.id == RESULT => parse_quote_spanned!(at=> Ok),
            Ty::Nominal(nominal) if nominal.id == CONTROL_FLOW => {
                parse_quote_spanned!(at=> std::ops::ControlFlow::Continue)
            }
            Ty::Error => return None,
            other => {
                let other = self.table.partial(&other);
                let message = format!("device code does not know what goes on after `{other}`");
                self.diagnostics.push(
                    Diagnostic::left_to_rustc(&call.method, message)
                        .code(crate::diagnostics::Code::UnknownMethod)
                        .help("the closure answers with an `Option`, a `Result` or a `ControlFlow`, whose type is known: write it, as in `|sum, x| -> Option<u32> { … }`"),
                );
                return None;
            }
        })
    }

    fn left_by_question(
        &mut self,
        mut hidden: Vec<(&'static str, Expr)>,
        (body, made): (&syn::Expr, &Ty),
    ) -> (ExprKind, Ty) {
        if hidden.iter().any(|(_, value)| self.table.shallow(&value.ty) == Ty::Error) {
            return (ExprKind::Error, Ty::Error);
        }
        let Expr { kind, ty, .. } = match hidden.is_empty() {
            true => {
                let value = self.expr(body);
                self.coerce(body, &value.ty, made);
                value
            }
            false => {
                let (name, value) = hidden.remove(0);
                self.with_hidden(name, value, |infer| {
                    let span = infer_span(body);
                    let (kind, ty) = infer.left_by_question(hidden, (body, made));
                    Expr { kind, ty, span }
                })
            }
        };
        (kind, ty)
    }
}

fn infer_span(body: &syn::Expr) -> Span {
    syn::spanned::Spanned::span(body)
}
