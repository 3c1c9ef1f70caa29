//! Macros that stand for code which is in the language.

use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, ExprMatch, Lit, Macro, Pat, Token, parse_quote};

/// The arguments of `matches!`.
struct Matching {
    value: Expr,
    pattern: Pat,
    guard: Option<Expr>,
}

impl Parse for Matching {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let guard = if input.parse::<Option<Token![if]>>()?.is_some() { Some(input.parse()?) } else { None };
        input.parse::<Option<Token![,]>>()?;
        Ok(Self { value, pattern, guard })
    }
}

/// The `match` that a call of `matches!` stands for; none if it is another macro, or is written in a way that rustc refuses.
pub(crate) fn matching(call: &Macro) -> Option<ExprMatch> {
    if standard_name(call)? != "matches" {
        return None;
    }
    let Matching { value, pattern, guard } = call.parse_body().ok()?;
    Some(match guard {
        None => parse_quote!(match #value { #pattern => true, _ => false }),
        Some(guard) => parse_quote!(match #value { #pattern if #guard => true, _ => false }),
    })
}

/// The name of a macro, if it is written as one of the standard library's is.
pub(super) fn standard_name(call: &Macro) -> Option<String> {
    let names: Vec<_> = call.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match names[..] {
        [name] | ["std" | "core", name] => Some(name.to_owned()),
        _ => None,
    }
}

/// A macro that panics, perhaps only if a condition does not hold.
pub(crate) struct Panicking {
    /// Under which condition it does not.
    pub(crate) unless: Unless,
    /// What is said, or the message that is not literal text.
    pub(crate) message: Result<String, Box<Expr>>,
    /// Whether it is checked in debug builds alone.
    pub(crate) is_debug: bool,
}

/// The condition of an assertion.
pub(crate) enum Unless {
    /// There is none.
    Never,
    /// It is an expression.
    Holds(Box<Expr>),
    /// The two sides are equal, or, if the last is true, not equal.
    Equal(Box<[Expr; 2]>, bool),
}

impl Unless {
    /// The expressions that it consists of.
    pub(crate) fn parts(&self) -> Vec<&Expr> {
        match self {
            Self::Never => Vec::new(),
            Self::Holds(condition) => vec![condition],
            Self::Equal(sides, _) => sides.iter().collect(),
        }
    }
}

/// What a call of `panic!`, `assert!` or one of their kin means; none if it is another macro, or is written in a way that rustc refuses.
pub(crate) fn panicking(call: &Macro) -> Option<Panicking> {
    let name = standard_name(call)?;
    let (kind, is_debug) = match name.strip_prefix("debug_") {
        Some(kind @ ("assert" | "assert_eq" | "assert_ne")) => (kind, true),
        Some(_) => return None,
        None => (&name[..], false),
    };
    let arguments = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated).ok()?;
    let mut arguments = arguments.into_iter();
    let (unless, message) = match kind {
        "panic" => (Unless::Never, arguments.next().map_or(Ok("explicit panic".to_owned()), text)),
        "unreachable" => (Unless::Never, said("internal error: entered unreachable code", arguments.next())),
        "todo" => (Unless::Never, said("not yet implemented", arguments.next())),
        "unimplemented" => (Unless::Never, said("not implemented", arguments.next())),
        "assert" => {
            let condition = arguments.next()?;
            let failed = || Ok(format!("assertion failed: {}", source_of(&condition)));
            let message = arguments.next().map_or_else(failed, text);
            (Unless::Holds(Box::new(condition)), message)
        }
        "assert_eq" | "assert_ne" => {
            let sides = Box::new([arguments.next()?, arguments.next()?]);
            let (op, negated) = if kind == "assert_eq" { ("==", false) } else { ("!=", true) };
            let message = said(&format!("assertion `left {op} right` failed"), arguments.next());
            (Unless::Equal(sides, negated), message)
        }
        _ => return None,
    };
    Some(Panicking { unless, message, is_debug })
}

/// What a macro says by itself, with a message after it if there is one.
fn said(by_itself: &str, message: Option<Expr>) -> Result<String, Box<Expr>> {
    match message {
        None => Ok(by_itself.to_owned()),
        Some(message) => text(message).map(|message| format!("{by_itself}: {message}")),
    }
}

/// The text of a message. What would be put into it stays as it is written, since a device cannot format.
fn text(message: Expr) -> Result<String, Box<Expr>> {
    match message {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            Ok(text.value().replace("{{", "{").replace("}}", "}"))
        }
        other => Err(Box::new(other)),
    }
}

/// An expression as it is written, but for the spaces.
fn source_of(expr: &Expr) -> String {
    let text = expr.to_token_stream().to_string();
    let spaces = [(" . ", "."), (" (", "("), ("( ", "("), (" )", ")"), (" [", "["), ("[ ", "["), (" ]", "]")];
    let text = spaces.iter().fold(text, |text, (spaced, plain)| text.replace(spaced, plain));
    text.replace(" ,", ",").replace(" :: ", "::")
}
