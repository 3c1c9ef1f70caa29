//! Macros that print, and format strings with their arguments.

use super::format::{self, Form, Reference};
use super::macros::standard_name;
use kernel_core::PrintStream;
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Ident, LitStr, Macro, Token, parse_quote_spanned};

/// A call of `println!` or one of its kin.
pub(crate) struct Printing {
    pub(crate) stream: PrintStream,
    pub(crate) newline: bool,
    /// What is printed.
    pub(crate) formatted: Formatted,
}

/// A format string with its arguments.
pub(crate) struct Formatted {
    /// The format string.
    pub(crate) text: String,
    /// What is formatted.
    pub(crate) arguments: Vec<Argument>,
    /// Whether rustc refuses the format string, or the arguments for it.
    pub(crate) is_wrong: bool,
}

/// What is formatted.
pub(crate) struct Argument {
    /// The name by which the format string calls it, if it has one.
    pub(crate) name: Option<String>,
    pub(crate) value: Expr,
    /// How it is used.
    pub(crate) forms: Vec<Form>,
}

/// What a call of `print!` or one of its kin means; none if it is another macro, or no such call at all.
pub(crate) fn printing(call: &Macro) -> Option<Printing> {
    let (stream, newline) = match &standard_name(call)?[..] {
        "print" => (PrintStream::Output, false),
        "println" => (PrintStream::Output, true),
        "eprint" => (PrintStream::Error, false),
        "eprintln" => (PrintStream::Error, true),
        _ => return None,
    };
    let formatted = call.parse_body_with(Formatted::parse).ok()?;
    Some(Printing { stream, newline, formatted })
}

impl Formatted {
    /// What stands in the parentheses of a macro that formats; no text if there is nothing.
    pub(super) fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Input::parse(input).map(Self::from)
    }
}

impl From<Input> for Formatted {
    fn from(Input { text, mut arguments }: Input) -> Self {
        let (span, text) =
            text.map_or_else(|| (None, String::new()), |text| (Some(text.span()), text.value()));
        let uses = format::uses(&text);
        let mut is_wrong = uses.is_none();
        let explicit = arguments.len();
        for (reference, form) in uses.unwrap_or_default() {
            let position = match reference {
                Reference::Position(position) => Some(position).filter(|position| *position < explicit),
                Reference::Name(name) => {
                    let known = arguments.iter().position(|argument| argument.name.as_ref() == Some(&name));
                    known.or_else(|| {
                        let span = span.unwrap_or_else(Span::call_site);
                        let variable = Ident::new(&name, span);
                        let value = parse_quote_spanned!(span=> #variable);
                        arguments.push(Argument { name: Some(name), value, forms: Vec::new() });
                        Some(arguments.len() - 1)
                    })
                }
            };
            match position {
                Some(position) => arguments[position].forms.push(form),
                None => is_wrong = true,
            }
        }
        is_wrong |= arguments.iter().any(|argument| argument.forms.is_empty());
        Self { text, arguments, is_wrong }
    }
}

/// What stands in the parentheses of the macro.
struct Input {
    text: Option<LitStr>,
    arguments: Vec<Argument>,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let text = if input.is_empty() { None } else { Some(input.parse()?) };
        let mut arguments = Vec::new();
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let is_named = input.peek(Ident::peek_any) && input.peek2(Token![=]) && !input.peek2(Token![==]);
            let name = if is_named {
                let name = Ident::parse_any(input)?;
                input.parse::<Token![=]>()?;
                Some(name.to_string())
            } else {
                None
            };
            arguments.push(Argument { name, value: input.parse()?, forms: Vec::new() });
        }
        Ok(Self { text, arguments })
    }
}
