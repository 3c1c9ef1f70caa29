//! Macros in bodies: `matches!`, and those that panic or print. For each of the others of the standard library there is another way.

use super::Infer;
use super::deferred::Requirement;
use crate::diagnostics::{Code, Diagnostic};
use crate::names::{self, Argument, Extent, Form, Formatted, Panicking, Printing, Unless, Writing, Written};
use crate::typed::{self, Block, Expr, ExprKind, Format, Message, Panic, Pattern, Print, Statement, Ty};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{ExprMatch, Ident};

impl Infer<'_> {
    pub(super) fn macro_statement(&mut self, call: &syn::StmtMacro) -> Expr {
        let (kind, ty) = self.macro_call(&call.mac);
        Expr { kind, ty, span: call.mac.path.span() }
    }

    /// A macro call: one that is known, or else it is refused.
    pub(super) fn macro_call(&mut self, call: &syn::Macro) -> (ExprKind, Ty) {
        if let Some(matching) = names::matching(call) {
            return self.matches(&matching);
        }
        if let Some(panicking) = names::panicking(call) {
            return self.panicking(call, panicking);
        }
        if let Some(printing) = names::printing(call) {
            return (self.printing(call, printing), Ty::Unit);
        }
        if let Some(writing) = names::writing(call) {
            return self.writing(call, &writing);
        }
        if let Some(text) = names::literal_text(call) {
            let Expr { kind, ty, .. } = self.generated(text.into_token_stream());
            return (kind, ty);
        }
        let name = call.path.to_token_stream().to_string().replace(' ', "");
        let message = format!("device code cannot use the macro `{name}!`");
        let last = call.path.segments.last().map(|segment| segment.ident.to_string());
        self.error(Code::UnsupportedMacro, call, message, advice(last.as_deref().unwrap_or_default()));
        (ExprKind::Error, Ty::Error)
    }

    /// `matches!`, as the `match` that it stands for.
    fn matches(&mut self, matching: &ExprMatch) -> (ExprKind, Ty) {
        let (kind, ty) = self.match_expr(matching);
        match kind {
            ExprKind::Match(scrutinee, mut arms) if arms.first().is_some_and(|arm| arm.guard.is_none()) => {
                (ExprKind::Matches(arms.swap_remove(0).pattern, scrutinee), ty)
            }
            other => (other, ty),
        }
    }
}

impl Infer<'_> {
    /// `println!` and its kin.
    fn printing(&mut self, call: &syn::Macro, printing: Printing) -> ExprKind {
        let Printing { stream, newline, formatted } = printing;
        ExprKind::Print(Print { format: self.formatted(call, formatted), stream, newline })
    }

    /// `target.write_fmt(format_args!(…))` and `fmt::write(target, format_args!(…))`: what `write!` stands for; none if the arguments are written elsewhere.
    pub(super) fn write_arguments(
        &mut self,
        target: &syn::Expr,
        arguments: &syn::Expr,
    ) -> Option<(ExprKind, Ty)> {
        let syn::Expr::Macro(arguments) = arguments else { return None };
        let formatted = names::format_arguments(&arguments.mac)?;
        let writing = Writing::of_arguments(target.clone(), formatted);
        Some(self.writing(&arguments.mac, &writing))
    }

    /// `write!` and `writeln!`: one call after the other of what the target writes text by, until one fails.
    fn writing(&mut self, call: &syn::Macro, writing: &Writing) -> (ExprKind, Ty) {
        let span = call.path.span();
        if writing.formatted.is_wrong {
            let wrong = "the format string does not fit its arguments";
            self.diagnostics.push(Diagnostic::left_to_rustc(call, wrong));
            return (ExprKind::Error, Ty::Error);
        }
        let argument = |index: usize| {
            let span = writing.formatted.arguments[index].value.span();
            quote::format_ident!("__argument_{index}", span = span)
        };
        let arguments = writing.formatted.arguments.iter().enumerate().map(|(index, given)| {
            let (name, value) = (argument(index), &given.value);
            quote_spanned!(span=> let #name = &(#value);)
        });
        let arguments: Vec<_> = arguments.collect();
        let (target, bound) = target_of(&writing.target);
        let mut calls = Vec::new();
        for part in writing.parts() {
            calls.push(match part {
                Written::Text(text) => {
                    let text = syn::LitStr::new(&text, writing.formatted.literal.span());
                    quote_spanned!(span=> #target.__write_text(#text))
                }
                Written::Value(value) => {
                    let is_spread = value.by == "?" && value.flags[1];
                    let Some(by) = trait_of(&value.by).filter(|_| !is_spread) else {
                        let alternate = if is_spread { "#" } else { "" };
                        let message = format!("device code does not write by `{{:{alternate}{}}}`", value.by);
                        self.error(Code::UnsupportedMacro, &writing.formatted.literal, message, WRITTEN);
                        return (ExprKind::Error, Ty::Error);
                    };
                    let by = Ident::new(by, span);
                    let name = argument(value.argument);
                    let formatter = formatter_of(&value, &target, span, argument);
                    // Which `fmt` it is may be known later, as where a literal is formatted.
                    let call = quote_spanned!(span=> std::fmt::#by::fmt(#name, &mut #formatter));
                    quote_spanned!(span=> { let __written: std::result::Result<(), std::fmt::Error> = #call; __written })
                }
            });
        }
        let written = match calls.is_empty() {
            true => quote_spanned!(span=> true),
            false => quote_spanned!(span=> #(#calls.is_ok())&&*),
        };
        let made = self.generated(quote_spanned!(span=> {
            #bound
            #(#arguments)*
            if #written { std::result::Result::Ok(()) } else { std::result::Result::Err(std::fmt::Error) }
        }));
        (made.kind, made.ty)
    }

    /// A format string with its arguments.
    fn formatted(&mut self, call: &syn::Macro, formatted: Formatted) -> Format {
        let Formatted { text, arguments, is_wrong, .. } = formatted;
        let mut given = Vec::new();
        for Argument { name, value, forms } in arguments {
            if let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &value {
                given.push((name, typed::Argument::Text(text.value())));
                continue;
            }
            let typed = self.expr(&value);
            if forms.contains(&Form::Count) {
                self.coerce(&value, &typed.ty, &Ty::USIZE);
            }
            self.defer(Requirement::Printed, &typed.ty, &value);
            forms.iter().for_each(|form| self.defer(Requirement::Formatted(*form), &typed.ty, &value));
            given.push((name, typed::Argument::Value(typed)));
        }
        if is_wrong {
            let wrong = "the format string does not fit its arguments";
            self.diagnostics.push(Diagnostic::left_to_rustc(call, wrong));
        }
        Format { text, arguments: given }
    }

    /// `panic!`, `assert!` and their kin. What is checked in debug builds alone is not checked on a device, whose arithmetic is
    /// that of a release build too; its types are.
    fn panicking(&mut self, call: &syn::Macro, panicking: Panicking) -> (ExprKind, Ty) {
        let Panicking { unless, message, is_debug } = panicking;
        let (kind, ty) = match unless {
            Unless::Never => {
                let message = self.message(call, message);
                return (ExprKind::Panic(Panic { message, sides: None }), Ty::Never);
            }
            Unless::Holds(condition) => {
                let value = self.condition(&condition);
                let message = self.message(call, message);
                (ExprKind::Assert(Box::new(value), Panic { message, sides: None }), Ty::Unit)
            }
            Unless::Equal(sides, negated) => self.compared(call, *sides, negated, message),
        };
        if is_debug { (ExprKind::Tuple(Vec::new()), Ty::Unit) } else { (kind, ty) }
    }

    /// What a panic says.
    fn message(&mut self, call: &syn::Macro, message: Result<names::Message, Box<syn::Expr>>) -> Message {
        match message {
            Ok(names::Message::Text(text)) => Message::Text(text),
            Ok(names::Message::Formatted(formatted)) => Message::Formatted(self.formatted(call, formatted)),
            Err(other) => {
                let help = "write the message as a format string, `\"{value}\"`";
                self.error(Code::UnsupportedMacro, &other, "this message is not literal text", help);
                Message::Text(String::new())
            }
        }
    }

    /// `assert_eq!` and `assert_ne!`: both sides are computed once, and compared behind references, as Rust does it.
    fn compared(
        &mut self,
        call: &syn::Macro,
        sides: [syn::Expr; 2],
        negated: bool,
        message: Result<names::Message, Box<syn::Expr>>,
    ) -> (ExprKind, Ty) {
        let span = call.path.span();
        let mark = self.scope.mark();
        let names = ["__left", "__right"].map(|name| Ident::new(name, span));
        let references = sides.map(|side| {
            let reference = quote_spanned!(side.span()=> &(#side));
            self.generated(reference)
        });
        let mut statements = Vec::new();
        for (name, reference) in names.iter().zip(references) {
            let binding = self.bind(name, reference.ty.clone(), false);
            let pattern = Pattern::Binding { binding, by_reference: false, inner: None };
            statements.push(Statement::Let(pattern, reference));
        }
        let [left, right] = &names;
        let op = if negated { quote_spanned!(span=> !=) } else { quote_spanned!(span=> ==) };
        let condition = self.generated(quote_spanned!(span=> *#left #op *#right));
        let sides = names.each_ref().map(|name| self.generated(quote_spanned!(span=> *#name)));
        self.scope.leave(mark);
        let message = self.message(call, message);
        let panic = Panic { message, sides: Some(Box::new(sides)) };
        let tail = Expr { kind: ExprKind::Assert(Box::new(condition), panic), ty: Ty::Unit, span };
        (ExprKind::Block(Block { statements, tail: Some(Box::new(tail)) }), Ty::Unit)
    }

    /// An expression that a macro of the standard library consists of.
    fn generated(&mut self, tokens: TokenStream) -> Expr {
        let span = tokens.span();
        match syn::parse2(tokens) {
            Ok(expr) => self.expr(&expr),
            Err(_) => Expr::error(span),
        }
    }
}

/// What device code writes as text.
pub(super) const WRITTEN: &str = "write numbers, `bool`, `char`, `str` and what has an `impl` of the trait by `{}`, also by `{:?}`, integers by `{:x}`, `{:X}`, `{:b}` and `{:o}`, and format other values on the host";

/// How the names of those methods of `fmt::Write` begin that its macros call.
pub(super) const OF_WRITING: &str = "__write_";

/// What is written to, and what comes before: a name and what it has is named at each call, another place is borrowed once, and a value computed once.
fn target_of(target: &syn::Expr) -> (TokenStream, TokenStream) {
    fn is_named(expr: &syn::Expr) -> bool {
        match expr {
            syn::Expr::Path(_) => true,
            syn::Expr::Field(field) => is_named(&field.base),
            syn::Expr::Paren(paren) => is_named(&paren.expr),
            syn::Expr::Reference(reference) => is_named(&reference.expr),
            syn::Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)) && is_named(&unary.expr),
            _ => false,
        }
    }
    fn is_place(expr: &syn::Expr) -> bool {
        match expr {
            syn::Expr::Field(_) | syn::Expr::Index(_) => true,
            syn::Expr::Paren(paren) => is_place(&paren.expr),
            syn::Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)),
            _ => false,
        }
    }
    let span = target.span();
    if is_named(target) {
        return (quote_spanned!(span=> (#target)), TokenStream::new());
    }
    let bound = match is_place(target) {
        true => quote_spanned!(span=> let __target = &mut #target;),
        false => quote_spanned!(span=> let mut __target = #target;),
    };
    (quote_spanned!(span=> __target), bound)
}

/// The trait by which an argument is formatted.
fn trait_of(by: &str) -> Option<&'static str> {
    Some(match by {
        "" => "Display",
        "?" => "Debug",
        "x" => "LowerHex",
        "X" => "UpperHex",
        "b" => "Binary",
        "o" => "Octal",
        _ => return None,
    })
}

/// The call that makes a formatter with what a format string says of an argument.
fn formatter_of(
    value: &names::Value,
    target: &TokenStream,
    span: Span,
    argument: impl Fn(usize) -> Ident,
) -> TokenStream {
    let extent = |extent: &Option<Extent>| match extent {
        None => quote_spanned!(span=> std::option::Option::None),
        Some(Extent::Number(number)) => quote_spanned!(span=> std::option::Option::Some(#number)),
        Some(Extent::Argument(index)) => {
            let name = argument(*index);
            quote_spanned!(span=> std::option::Option::Some(*#name))
        }
    };
    let (width, precision) = (extent(&value.width), extent(&value.precision));
    let align: u8 = match value.align {
        None => 0,
        Some('<') => 1,
        Some('^') => 2,
        Some(_) => 3,
    };
    let (fill, flags) = (value.fill, &value.flags);
    let is_plain = align == 0 && value.width.is_none() && value.precision.is_none() && *flags == [false; 3];
    if is_plain {
        return quote_spanned!(span=> #target.__write_plain());
    }
    quote_spanned!(span=> #target.__write_formatter(#fill, #align, #width, #precision, [#(#flags),*]))
}

/// What to do instead of a macro.
fn advice(name: &str) -> &'static str {
    match name {
        "vec" => "a device has no heap: use an array `[value; N]`, or a slice that the host allocates",
        "dbg" => "print the value with `println!`",
        "format" | "format_args" | "concat" | "stringify" => {
            "a device has no heap for text: `write!` to a type with an `impl fmt::Write`, or write numbers to a `&mut [T]` parameter, and format them on the host"
        }
        "cfg" => {
            "declare a constant with `#[device] const`, once for each configuration, and test it with `if`"
        }
        "line" | "file" | "column" | "module_path" | "env" | "option_env" | "include" | "include_str"
        | "include_bytes" => "pass the value as a parameter",
        _ => "its expansion cannot be seen here: write a `#[device] fn`, or write out what it expands to",
    }
}
