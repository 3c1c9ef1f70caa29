//! Where expressions are, without turning them into tokens.

use proc_macro2::Span;
use syn::Expr;
use syn::spanned::Spanned;

/// The span of an expression's first token.
pub(super) fn start(expr: &Expr) -> Span {
    match expr {
        Expr::Array(e) => e.bracket_token.span.open(),
        Expr::Assign(e) => start(&e.left),
        Expr::Binary(e) => start(&e.left),
        Expr::Break(e) => e.break_token.span,
        Expr::Call(e) => start(&e.func),
        Expr::Cast(e) => start(&e.expr),
        Expr::Continue(e) => e.continue_token.span,
        Expr::Field(e) => start(&e.base),
        Expr::Group(e) => start(&e.expr),
        Expr::If(e) => e.if_token.span,
        Expr::Index(e) => start(&e.expr),
        Expr::Lit(e) => e.lit.span(),
        Expr::MethodCall(e) => start(&e.receiver),
        Expr::Paren(e) => e.paren_token.span.open(),
        Expr::Path(e) => e.path.segments[0].ident.span(),
        Expr::Reference(e) => e.and_token.spans[0],
        Expr::Repeat(e) => e.bracket_token.span.open(),
        Expr::Return(e) => e.return_token.span,
        other => other.span(),
    }
}

/// Where Rust says that an expression panicked: at the name of a method, and else at the first token.
pub(super) fn panicking(expr: &Expr) -> Span {
    match unwrapped(expr) {
        Expr::MethodCall(call) => call.method.span(),
        _ => start(expr),
    }
}

/// An expression without the parentheses around it.
pub(super) fn unwrapped(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => unwrapped(&paren.expr),
        Expr::Group(group) => unwrapped(&group.expr),
        other => other,
    }
}
