//! Assignment to several places at once.
//!
//! As in Rust, `[a, b.c] = value` is `let [first, second] = value;` and an assignment of each name to its place.

use super::{Infer, Named};
use crate::typed::{ExprKind, Ty};
use proc_macro2::Span;
use syn::{Expr, ExprAssign, Ident, Pat, token};

/// The places in what is assigned to, each with the name that stands for it in the pattern.
type Places<'e> = Vec<(Ident, &'e Expr)>;

impl Infer<'_> {
    pub(super) fn assign(&mut self, assign: &ExprAssign) -> (ExprKind, Ty) {
        let mut places = Places::new();
        match assignee(&assign.left, &mut places) {
            Pat::Ident(_) => self.plain_assignment(assign),
            pattern => self.destructuring_assignment(assign, &pattern, &places),
        }
    }

    fn plain_assignment(&mut self, assign: &ExprAssign) -> (ExprKind, Ty) {
        self.note_changed(&assign.left);
        let place = self.expr(&assign.left);
        self.assignable(&assign.left, &place);
        let value = self.argument(&assign.right, &place.ty);
        self.coerce(&assign.right, &value.ty, &place.ty);
        (ExprKind::Assign(Box::new(place), Box::new(value)), Ty::Unit)
    }

    fn destructuring_assignment(
        &mut self,
        assign: &ExprAssign,
        pattern: &Pat,
        places: &Places<'_>,
    ) -> (ExprKind, Ty) {
        let value = self.expr(&assign.right);
        let mark = self.scope.mark();
        let pattern = self.pattern(pattern, &value.ty);
        let bindings: Vec<_> = places.iter().map(|(name, _)| self.lookup(name)).collect();
        self.scope.leave(mark);
        let mut assignments = Vec::new();
        for ((_, tokens), binding) in places.iter().zip(bindings) {
            let Some(Named::Binding(binding)) = binding else { continue };
            self.note_changed(tokens);
            let place = self.expr(tokens);
            self.assignable(tokens, &place);
            let ty = self.bindings[binding].ty.clone();
            self.coerce(tokens, &ty, &place.ty);
            assignments.push((place, binding));
        }
        (ExprKind::Destructure { pattern, value: Box::new(value), assignments }, Ty::Unit)
    }
}

/// The pattern that the left side of `=` is, with a name for each place in it.
fn assignee<'e>(expr: &'e Expr, places: &mut Places<'e>) -> Pat {
    let attrs = Vec::new();
    match expr {
        Expr::Paren(paren) => assignee(&paren.expr, places),
        Expr::Infer(infer) => Pat::Wild(syn::PatWild { attrs, underscore_token: infer.underscore_token }),
        Expr::Range(range) if range.start.is_none() && range.end.is_none() => {
            Pat::Rest(syn::PatRest { attrs, dot2_token: token::DotDot(super::span::start(expr)) })
        }
        Expr::Tuple(tuple) => Pat::Tuple(syn::PatTuple {
            attrs,
            paren_token: tuple.paren_token,
            elems: tuple.elems.iter().map(|element| assignee(element, places)).collect(),
        }),
        Expr::Array(array) => Pat::Slice(syn::PatSlice {
            attrs,
            bracket_token: array.bracket_token,
            elems: array.elems.iter().map(|element| assignee(element, places)).collect(),
        }),
        Expr::Call(call) => match &*call.func {
            Expr::Path(callee) => Pat::TupleStruct(syn::PatTupleStruct {
                attrs,
                qself: callee.qself.clone(),
                path: callee.path.clone(),
                paren_token: call.paren_token,
                elems: call.args.iter().map(|element| assignee(element, places)).collect(),
            }),
            _ => place(expr, places),
        },
        Expr::Struct(literal) => Pat::Struct(syn::PatStruct {
            attrs,
            qself: literal.qself.clone(),
            path: literal.path.clone(),
            brace_token: literal.brace_token,
            fields: literal.fields.iter().map(|field| field_assignee(field, places)).collect(),
            rest: None,
        }),
        _ => place(expr, places),
    }
}

fn field_assignee<'e>(field: &'e syn::FieldValue, places: &mut Places<'e>) -> syn::FieldPat {
    syn::FieldPat {
        attrs: Vec::new(),
        member: field.member.clone(),
        colon_token: Some(token::Colon(Span::call_site())),
        pat: Box::new(assignee(&field.expr, places)),
    }
}

/// A name for a place.
fn place<'e>(expr: &'e Expr, places: &mut Places<'e>) -> Pat {
    let ident = Ident::new(&format!("place_{}", places.len()), super::span::start(expr));
    places.push((ident.clone(), expr));
    Pat::Ident(syn::PatIdent { attrs: Vec::new(), by_ref: None, mutability: None, ident, subpat: None })
}
