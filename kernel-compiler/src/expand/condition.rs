//! The conditions of `#[kernel(requires(…))]`: what may stand in them, and how the launcher evaluates them.
//!
//! They are evaluated on the host, before anything is enqueued, so they are made of what is known there: scalar arguments, fields of arguments by
//! value, lengths, constants, and operators. Arithmetic that overflows is no number, and the condition does not hold; so the kernel may
//! take each sum, difference and product in a condition that holds for the mathematical one.

use super::runtime;
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::infer::elements_in_space;
use proc_macro2::{Delimiter, Ident, LineColumn, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary, ExprMethodCall, FnArg, ItemFn, Lit, Member, Pat, Type, UnOp};

const HELP: &str = "a condition is made of scalar arguments, lengths, constants, comparisons, arithmetic, `&&`, `||`, `!`, `as`, `min` and `max`";

/// The methods of numbers that a condition may call.
const METHODS: [&str; 5] = ["min", "max", "abs_diff", "is_power_of_two", "is_multiple_of"];

/// What the host has for a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Value,
    Elements,
    /// Nothing that it could look at.
    Nothing,
}

/// What is wrong with the conditions of a kernel, as far as their form goes.
pub(super) fn check(function: &ItemFn, conditions: &[Expr]) -> Diagnostics {
    let mut checker = Checker { function, diagnostics: Diagnostics::default() };
    conditions.iter().for_each(|condition| checker.expr(condition));
    checker.diagnostics
}

struct Checker<'a> {
    function: &'a ItemFn,
    diagnostics: Diagnostics,
}

impl Checker<'_> {
    fn refuse(&mut self, tokens: &impl ToTokens, message: &str) {
        self.diagnostics.push(Diagnostic::new(Code::Attribute, tokens, message).help(HELP));
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Paren(inner) => self.expr(&inner.expr),
            Expr::Group(inner) => self.expr(&inner.expr),
            Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_) | Lit::Float(_) | Lit::Bool(_)) => {}
            Expr::Path(path) => match path.path.get_ident().and_then(|name| given(self.function, name)) {
                None | Some(Given::Value) => {}
                Some(Given::Elements) => {
                    self.refuse(path, "the elements are on the device, where the host cannot look at them")
                }
                Some(Given::Nothing) => {
                    self.refuse(path, "this is on the device, where the host cannot look at it")
                }
            },
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_) | UnOp::Not(_)) => self.expr(&unary.expr),
            Expr::Binary(binary) if operator(&binary.op).is_some() => {
                self.expr(&binary.left);
                self.expr(&binary.right);
            }
            Expr::Cast(cast) if matches!(*cast.ty, Type::Path(_)) => self.expr(&cast.expr),
            Expr::Field(field) => self.expr(&field.base),
            Expr::MethodCall(call) => self.method(call),
            Expr::Index(index) => {
                self.refuse(index, "the elements are on the device, where the host cannot look at them");
            }
            other => self.refuse(other, "this cannot be evaluated where the kernel is launched"),
        }
    }

    fn method(&mut self, call: &ExprMethodCall) {
        let name = call.method.to_string();
        if is_length(call) {
            let receiver = match &*call.receiver {
                Expr::Path(path) => path.path.get_ident().and_then(|name| given(self.function, name)),
                _ => None,
            };
            if receiver != Some(Given::Elements) && receiver != Some(Given::Value) {
                self.refuse(&call.receiver, "this is no argument that has a length");
            }
        } else if METHODS.contains(&&*name) {
            self.expr(&call.receiver);
            call.args.iter().for_each(|argument| self.expr(argument));
        } else {
            self.refuse(&call.method, "this cannot be evaluated where the kernel is launched");
        }
    }
}

fn is_length(call: &ExprMethodCall) -> bool {
    call.args.is_empty() && (call.method == "len" || call.method == "is_empty")
}

/// What the host has for the parameter of a name; none if there is no such parameter.
fn given(function: &ItemFn, name: &Ident) -> Option<Given> {
    function.sig.inputs.iter().find_map(|input| {
        let FnArg::Typed(typed) = input else { return None };
        match &*typed.pat {
            Pat::Ident(pattern) if pattern.ident == *name => Some(given_as(&typed.ty)),
            _ => None,
        }
    })
}

fn given_as(ty: &Type) -> Given {
    match ty {
        _ if elements_in_space(ty).is_some() => Given::Elements,
        Type::Paren(inner) => given_as(&inner.elem),
        Type::Group(inner) => given_as(&inner.elem),
        Type::Reference(reference) if matches!(*reference.elem, Type::Slice(_)) => Given::Elements,
        Type::Reference(_) | Type::Ptr(_) => Given::Nothing,
        _ => Given::Value,
    }
}

/// How an operator is evaluated: by a function that may find that the result does not fit, or as it is.
fn operator(op: &BinOp) -> Option<Option<&'static str>> {
    Some(match op {
        BinOp::Add(_) => Some("add"),
        BinOp::Sub(_) => Some("sub"),
        BinOp::Mul(_) => Some("mul"),
        BinOp::Div(_) => Some("div"),
        BinOp::Rem(_) => Some("rem"),
        BinOp::Shl(_) => Some("shl"),
        BinOp::Shr(_) => Some("shr"),
        BinOp::And(_) | BinOp::Or(_) | BinOp::BitXor(_) | BinOp::BitAnd(_) | BinOp::BitOr(_) => None,
        BinOp::Eq(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Ne(_) | BinOp::Ge(_) | BinOp::Gt(_) => None,
        _ => return None,
    })
}

/// The conditions that hold where all of these do, without `&&`.
pub(super) fn conjuncts(conditions: &[Expr]) -> Rc<[Expr]> {
    fn collect(condition: &Expr, found: &mut Vec<Expr>) {
        match condition {
            Expr::Paren(inner) => collect(&inner.expr, found),
            Expr::Group(inner) => collect(&inner.expr, found),
            Expr::Binary(ExprBinary { left, op: BinOp::And(_), right, .. }) => {
                collect(left, found);
                collect(right, found);
            }
            other => found.push(other.clone()),
        }
    }
    let mut found = Vec::new();
    conditions.iter().for_each(|condition| collect(condition, &mut found));
    found.into()
}

/// The parameters of a kernel that its conditions are about.
pub(super) fn parameters<'a>(function: &ItemFn, conditions: &'a [Expr]) -> Vec<&'a Ident> {
    let mut leaves = Vec::new();
    conditions.iter().for_each(|condition| collect_leaves(condition, &mut leaves));
    leaves.into_iter().filter_map(subject).filter(|name| given(function, name).is_some()).collect()
}

/// The name that a length, a field or a path starts with.
fn subject(mut leaf: &Expr) -> Option<&Ident> {
    loop {
        leaf = match leaf {
            Expr::MethodCall(call) => &call.receiver,
            Expr::Field(field) => &field.base,
            Expr::Path(path) => return path.path.get_ident(),
            _ => return None,
        };
    }
}

/// Whether a launch decides what this is worth.
fn is_of_launch(function: &ItemFn, leaf: &Expr) -> bool {
    subject(leaf).is_some_and(|name| {
        given(function, name).is_some()
            || function.sig.generics.const_params().any(|parameter| parameter.ident == *name)
    })
}

/// An expression that is the conditions of a launch, evaluated for the arguments of the launcher.
pub(super) fn evaluated(function: &ItemFn, conditions: &[Expr]) -> TokenStream {
    let runtime = runtime();
    let checks = (0_usize..).zip(conditions).map(|(index, condition)| {
        let (tokens, mut leaves) = (tokens(condition), Vec::new());
        collect_leaves(condition, &mut leaves);
        let mut values: Vec<TokenStream> = Vec::new();
        let mut texts: Vec<String> = Vec::new();
        for leaf in leaves.into_iter().filter(|leaf| is_of_launch(function, leaf)) {
            let text = text(leaf);
            if !texts.contains(&text) {
                values.push(quote!((#text, ::std::format!("{:?}", #leaf))));
                texts.push(text);
            }
        }
        quote! {
            match (|| ::core::option::Option::Some(#runtime::__private::condition::holds(#tokens)))() {
                ::core::option::Option::Some(true) => {}
                found => break 'conditions #runtime::__private::Conditions::unmet(
                    #index,
                    found.is_none(),
                    ::std::vec![#(#values),*],
                ),
            }
        }
    });
    quote! {{
        #[allow(warnings, clippy::all, clippy::pedantic)]
        'conditions: {
            #(#checks)*
            #runtime::__private::Conditions::MET
        }
    }}
}

/// An expression as it is written, on one line.
pub(super) fn text(expr: &Expr) -> String {
    let mut writer = Writer { text: String::new(), end: None };
    writer.stream(expr.to_token_stream());
    writer.text
}

/// Writes tokens with spaces where the source has some.
struct Writer {
    text: String,
    end: Option<LineColumn>,
}

impl Writer {
    fn stream(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    let (start, end) = (group.span().start(), group.span().end());
                    self.part(open, start, LineColumn { column: start.column + open.len(), ..start });
                    self.stream(group.stream());
                    let last = end.column.saturating_sub(close.len());
                    self.part(close, LineColumn { column: last, ..end }, end);
                }
                token => self.part(&token.to_string(), token.span().start(), token.span().end()),
            }
        }
    }

    fn part(&mut self, part: &str, start: LineColumn, end: LineColumn) {
        if self.end.is_some_and(|end| end != start) && !part.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(part);
        self.end = Some(end);
    }
}

/// The arguments and lengths in a condition, which is what its truth depends on.
fn collect_leaves<'a>(expr: &'a Expr, leaves: &mut Vec<&'a Expr>) {
    match expr {
        Expr::Paren(inner) => collect_leaves(&inner.expr, leaves),
        Expr::Group(inner) => collect_leaves(&inner.expr, leaves),
        Expr::Unary(inner) => collect_leaves(&inner.expr, leaves),
        Expr::Cast(inner) => collect_leaves(&inner.expr, leaves),
        Expr::Binary(binary) => {
            collect_leaves(&binary.left, leaves);
            collect_leaves(&binary.right, leaves);
        }
        Expr::MethodCall(call) if !is_length(call) => {
            collect_leaves(&call.receiver, leaves);
            call.args.iter().for_each(|argument| collect_leaves(argument, leaves));
        }
        Expr::MethodCall(_) | Expr::Field(_) | Expr::Path(_) => leaves.push(expr),
        _ => {}
    }
}

/// An expression in a function that returns an `Option`, which is none where arithmetic overflows.
fn tokens(expr: &Expr) -> TokenStream {
    let runtime = runtime();
    let span = expr.span();
    match expr {
        Expr::Paren(inner) => tokens(&inner.expr),
        Expr::Group(inner) => tokens(&inner.expr),
        Expr::Unary(unary) => {
            let operand = tokens(&unary.expr);
            match (unary.op, &*unary.expr) {
                (UnOp::Neg(_), Expr::Lit(_)) | (UnOp::Not(_), _) => {
                    let op = &unary.op;
                    quote!((#op #operand))
                }
                _ => quote_spanned!(span=> #runtime::__private::condition::neg(#operand)?),
            }
        }
        Expr::Binary(binary) => {
            let (left, op, right) = (tokens(&binary.left), &binary.op, tokens(&binary.right));
            match operator(op).flatten() {
                Some(name) => {
                    let name = Ident::new(name, span);
                    quote_spanned!(span=> #runtime::__private::condition::#name(#left, #right)?)
                }
                None => quote!((#left #op #right)),
            }
        }
        Expr::Cast(cast) => {
            let (inner, ty) = (tokens(&cast.expr), &cast.ty);
            quote!((#inner as #ty))
        }
        Expr::Field(field) => {
            let base = tokens(&field.base);
            match &field.member {
                Member::Named(name) => quote!(#base.#name),
                Member::Unnamed(index) => quote!(#base.#index),
            }
        }
        Expr::MethodCall(call) if !is_length(call) => {
            let (receiver, method) = (tokens(&call.receiver), &call.method);
            let arguments = call.args.iter().map(tokens);
            quote!(#receiver.#method(#(#arguments),*))
        }
        other => other.to_token_stream(),
    }
}
