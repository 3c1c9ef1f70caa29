//! Macros that print, and format strings with their arguments.

use super::format::{self, Count, Form, Piece, Placeholder, Reference};
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
    /// What stands for it in the source.
    pub(crate) literal: Option<LitStr>,
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

/// A call of `write!` or `writeln!`.
pub(crate) struct Writing {
    /// What is written to.
    pub(crate) target: Expr,
    /// What is written.
    pub(crate) formatted: Formatted,
    newline: bool,
}

/// A part of what is written.
pub(crate) enum Written {
    Text(String),
    Value(Value),
}

/// An argument by its position, and how it is formatted.
pub(crate) struct Value {
    pub(crate) argument: usize,
    pub(crate) by: String,
    pub(crate) fill: char,
    pub(crate) align: Option<char>,
    /// Whether there are the flags `+`, `#` and `0`.
    pub(crate) flags: [bool; 3],
    pub(crate) width: Option<Extent>,
    pub(crate) precision: Option<Extent>,
}

/// A width or a precision: a number, or the argument at a position.
pub(crate) enum Extent {
    Number(usize),
    Argument(usize),
}

/// What a call of `write!` or `writeln!` means; none if it is another macro, or no such call at all.
pub(crate) fn writing(call: &Macro) -> Option<Writing> {
    let newline = match &standard_name(call)?[..] {
        "write" => false,
        "writeln" => true,
        _ => return None,
    };
    let parsed = call.parse_body_with(|input: ParseStream<'_>| {
        let target = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok((target, Formatted::parse(input)?))
    });
    let (target, formatted) = parsed.ok()?;
    Some(Writing { target, formatted, newline })
}

/// What a call of `format_args!` means; none if it is another macro, or no such call at all.
pub(crate) fn format_arguments(call: &Macro) -> Option<Formatted> {
    if standard_name(call)? != "format_args" {
        return None;
    }
    call.parse_body_with(Formatted::parse).ok()
}

impl Writing {
    /// What `write_fmt` of a target does with what `format_args!` means.
    pub(crate) const fn of_arguments(target: Expr, formatted: Formatted) -> Self {
        Self { target, formatted, newline: false }
    }

    /// The parts, of which text that is an argument is one with what stands around it.
    pub(crate) fn parts(&self) -> Vec<Written> {
        let mut found: Vec<Written> = Vec::new();
        let add_text = |found: &mut Vec<Written>, text: &str| match found.last_mut() {
            Some(Written::Text(before)) => before.push_str(text),
            _ if text.is_empty() => {}
            _ => found.push(Written::Text(text.to_owned())),
        };
        for piece in format::pieces(&self.formatted.text).unwrap_or_default() {
            match piece {
                Piece::Text(text) => add_text(&mut found, &text),
                Piece::Value(placeholder) => {
                    let Some(value) = self.value(placeholder) else { continue };
                    match self.formatted.text_at(&value) {
                        Some(text) => add_text(&mut found, &text),
                        None => found.push(Written::Value(value)),
                    }
                }
            }
        }
        if self.newline {
            add_text(&mut found, "\n");
        }
        found
    }

    fn value(&self, of: Placeholder) -> Option<Value> {
        let extent = |count| match count {
            Count::Number(number) => Some(Extent::Number(number)),
            Count::Of(reference) => self.formatted.position(&reference).map(Extent::Argument),
        };
        Some(Value {
            argument: self.formatted.position(&of.argument)?,
            by: of.by,
            fill: of.fill,
            align: of.align,
            flags: [of.is_plus, of.is_alternate, of.is_zero],
            width: of.width.and_then(extent),
            precision: of.precision.and_then(extent),
        })
    }
}

impl Formatted {
    fn position(&self, reference: &Reference) -> Option<usize> {
        match reference {
            Reference::Position(position) => Some(*position),
            Reference::Name(name) => {
                self.arguments.iter().position(|argument| argument.name.as_ref() == Some(name))
            }
        }
    }

    /// The text of an argument that is a literal and stands for itself.
    fn text_at(&self, value: &Value) -> Option<String> {
        let is_plain = value.by.is_empty() && value.width.is_none() && value.precision.is_none();
        match &self.arguments.get(value.argument)?.value {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) if is_plain => Some(text.value()),
            _ => None,
        }
    }

    /// What stands in the parentheses of a macro that formats; no text if there is nothing.
    pub(super) fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Input::parse(input).map(Self::from)
    }
}

impl From<Input> for Formatted {
    fn from(Input { text: literal, mut arguments }: Input) -> Self {
        let span = literal.as_ref().map_or_else(Span::call_site, LitStr::span);
        let text = literal.as_ref().map(LitStr::value).unwrap_or_default();
        let uses = format::uses(&text);
        let mut is_wrong = uses.is_none();
        let explicit = arguments.len();
        for (reference, form) in uses.unwrap_or_default() {
            let position = match reference {
                Reference::Position(position) => Some(position).filter(|position| *position < explicit),
                Reference::Name(name) => {
                    let known = arguments.iter().position(|argument| argument.name.as_ref() == Some(&name));
                    known.or_else(|| {
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
        Self { text, literal, arguments, is_wrong }
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
