//! Finds `#[kernel]` in tokens.

use proc_macro2::{Delimiter, Group, LineColumn, TokenStream, TokenTree};
use std::error::Error;
use std::fs;
use std::path::Path;

/// The places of every `#[kernel]` in a file, wherever it stands.
pub(crate) fn kernel_attributes(file: &Path) -> Result<Vec<LineColumn>, Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let tokens: TokenStream =
        text.parse().map_err(|error| format!("{} is not Rust: {error}", file.display()))?;
    let mut places = Vec::new();
    collect(tokens, &mut places);
    Ok(places)
}

fn collect(tokens: TokenStream, places: &mut Vec<LineColumn>) {
    let mut after_pound = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                match kernel_in_brackets(&group) {
                    Some(place) if after_pound => places.push(place),
                    _ => collect(group.stream(), places),
                }
                after_pound = false;
            }
            TokenTree::Punct(punct) => after_pound = punct.as_char() == '#',
            _ => after_pound = false,
        }
    }
}

/// The place of `kernel` in `[kernel]`, `[some::path::kernel]` or either with arguments.
fn kernel_in_brackets(group: &Group) -> Option<LineColumn> {
    if group.delimiter() != Delimiter::Bracket {
        return None;
    }
    let in_path = |token: &TokenTree| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == ':',
        _ => false,
    };
    match group.stream().into_iter().take_while(in_path).last()? {
        TokenTree::Ident(ident) if ident == "kernel" => Some(ident.span().start()),
        _ => None,
    }
}

/// Replaces `$name` by an identifier, as `macro_rules!` would.
pub(crate) fn substitute(tokens: TokenStream, name: &str, by: &proc_macro2::Ident) -> TokenStream {
    let mut result: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let mut replaced = Group::new(group.delimiter(), substitute(group.stream(), name, by));
                replaced.set_span(group.span());
                result.push(TokenTree::Group(replaced));
            }
            TokenTree::Ident(ident) if ident == name && ends_with_dollar(&result) => {
                result.pop();
                result.push(TokenTree::Ident(by.clone()));
            }
            other => result.push(other),
        }
    }
    result.into_iter().collect()
}

fn ends_with_dollar(tokens: &[TokenTree]) -> bool {
    matches!(tokens.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '$')
}
