//! Conditions as they are written, for messages.

use proc_macro2::{Delimiter, LineColumn, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Expr;

/// An expression as it is written, on one line.
pub(in crate::expand) fn text(expr: &Expr) -> String {
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
