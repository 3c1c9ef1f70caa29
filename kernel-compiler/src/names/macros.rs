//! Macros that stand for code which is in the language.

use super::print::Formatted;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprMatch, Lit, LitStr, Macro, Pat, Token, parse_quote};

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

/// The text that a call of `stringify!` or `concat!` stands for; none if it is another macro, or its text is not known here.
pub(crate) fn literal_text(call: &Macro) -> Option<LitStr> {
    let text = match &*standard_name(call)? {
        "stringify" => word(call.tokens.clone())?,
        "concat" => {
            let parts = call.parse_body_with(Punctuated::<Lit, Token![,]>::parse_terminated).ok()?;
            parts.iter().map(text_of).collect::<Option<String>>()?
        }
        _ => return None,
    };
    Some(LitStr::new(&text, call.path.span()))
}

/// A name or a number as it is written; more tokens have spaces between them that only rustc knows.
fn word(tokens: TokenStream) -> Option<String> {
    let mut tokens = tokens.into_iter();
    match (tokens.next()?, tokens.next()) {
        (TokenTree::Group(group), None) if group.delimiter() == Delimiter::None => word(group.stream()),
        (token @ (TokenTree::Ident(_) | TokenTree::Literal(_)), None) => Some(token.to_string()),
        _ => None,
    }
}

fn text_of(literal: &Lit) -> Option<String> {
    match literal {
        Lit::Str(text) => Some(text.value()),
        Lit::Char(character) => Some(character.value().to_string()),
        Lit::Bool(value) => Some(value.value.to_string()),
        Lit::Int(number) => Some(number.base10_digits().to_owned()),
        _ => None,
    }
}

/// A macro that panics, perhaps only if a condition does not hold.
pub(crate) struct Panicking {
    /// Under which condition it does not.
    pub(crate) unless: Unless,
    /// What is said, or the message that is not literal text.
    pub(crate) message: Result<Message, Box<Expr>>,
    /// Whether it is checked in debug builds alone.
    pub(crate) is_debug: bool,
}

/// What a panic says.
pub(crate) enum Message {
    /// Text.
    Text(String),
    /// Text with values in it.
    Formatted(Formatted),
}

impl Panicking {
    /// The expressions that are evaluated, or would be.
    pub(crate) fn parts(&self) -> Vec<&Expr> {
        let mut parts = self.unless.parts();
        if let Ok(Message::Formatted(formatted)) = &self.message {
            parts.extend(formatted.arguments.iter().map(|argument| &argument.value));
        }
        parts
    }
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
    fn parts(&self) -> Vec<&Expr> {
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
    call.parse_body_with(|input: ParseStream<'_>| {
        let (unless, message) = match kind {
            "panic" => (Unless::Never, message(input, "", || "explicit panic".to_owned())?),
            "unreachable" => {
                (Unless::Never, assertion_message(input, "internal error: entered unreachable code")?)
            }
            "todo" => (Unless::Never, assertion_message(input, "not yet implemented")?),
            "unimplemented" => (Unless::Never, assertion_message(input, "not implemented")?),
            "assert" => {
                let condition = input.parse()?;
                let failed = || format!("assertion failed: {}", source_of(&condition));
                let message = message(after_comma(input)?, "", failed)?;
                (Unless::Holds(Box::new(condition)), message)
            }
            "assert_eq" | "assert_ne" => {
                let left = input.parse()?;
                input.parse::<Token![,]>()?;
                let sides = Box::new([left, input.parse()?]);
                let (op, negated) = if kind == "assert_eq" { ("==", false) } else { ("!=", true) };
                let message =
                    assertion_message(after_comma(input)?, &format!("assertion `left {op} right` failed"))?;
                (Unless::Equal(sides, negated), message)
            }
            _ => return Err(input.error("another macro")),
        };
        Ok(Panicking { unless, message, is_debug })
    })
    .ok()
}

fn after_comma<'a>(input: ParseStream<'a>) -> syn::Result<ParseStream<'a>> {
    if !input.is_empty() {
        input.parse::<Token![,]>()?;
    }
    Ok(input)
}

/// What a macro says by itself, with a message after it if there is one.
fn assertion_message(input: ParseStream<'_>, by_itself: &str) -> syn::Result<Result<Message, Box<Expr>>> {
    message(input, &format!("{by_itself}: "), || by_itself.to_owned())
}

/// A message after other text, which has no braces; or else what is said without one. What is not literal text is an error of the inner
/// kind.
fn message(
    input: ParseStream<'_>,
    before: &str,
    otherwise: impl FnOnce() -> String,
) -> syn::Result<Result<Message, Box<Expr>>> {
    if input.is_empty() {
        return Ok(Ok(Message::Text(otherwise())));
    }
    if !input.peek(LitStr) {
        let other = input.parse()?;
        // Nobody looks at what it would format.
        let _: TokenStream = after_comma(input)?.parse()?;
        return Ok(Err(Box::new(other)));
    }
    let formatted = Formatted::parse(input)?;
    Ok(Ok(match formatted.arguments.is_empty() && !formatted.is_wrong {
        true => Message::Text(format!("{before}{}", formatted.text.replace("{{", "{").replace("}}", "}"))),
        false => Message::Formatted(Formatted { text: format!("{before}{}", formatted.text), ..formatted }),
    }))
}

/// An expression as it is written, but for the spaces.
fn source_of(expr: &Expr) -> String {
    let text = expr.to_token_stream().to_string();
    let spaces = [(" . ", "."), (" (", "("), ("( ", "("), (" )", ")"), (" [", "["), ("[ ", "["), (" ]", "]")];
    let text = spaces.iter().fold(text, |text, (spaced, plain)| text.replace(spaced, plain));
    text.replace(" ,", ",").replace(" :: ", "::")
}
