//! What a rule becomes for what its variables stand for.

use super::definition::Part;
use super::hygiene;
use super::matcher::{Bindings, Bound, variables};
use proc_macro2::{Group, Span, TokenStream, TokenTree};

/// The tokens of a rule; those of the macro's own bear the number of the expansion, and stand where it is called.
pub(super) fn transcribed(parts: &[Part], bound: &Bindings, own: (u32, Span)) -> Option<TokenStream> {
    let mut result = TokenStream::new();
    let mut after_quote = false;
    for part in parts {
        match part {
            Part::Token(token) => {
                let marked = hygiene::marked(token, after_quote, own);
                after_quote = matches!(token, TokenTree::Punct(sign) if sign.as_char() == '\'');
                result.extend([marked]);
                continue;
            }
            Part::Group(group, inner) => {
                let mut inner = Group::new(group.delimiter(), transcribed(inner, bound, own)?);
                inner.set_span(own.1);
                result.extend([TokenTree::Group(inner)]);
            }
            Part::Variable(name, _) => match bound.get(&name.to_string())? {
                Bound::Tokens(tokens) => result.extend(tokens.clone()),
                Bound::Repeated(_) => return None,
            },
            Part::Repeated { parts, separator, .. } => {
                for index in 0..times(parts, bound)? {
                    if index > 0 {
                        result.extend(separator.as_ref().map(|sign| hygiene::marked(sign, false, own)));
                    }
                    result.extend(transcribed(parts, &at(bound, parts, index), own)?);
                }
            }
        }
        after_quote = false;
    }
    Some(result)
}

/// How often something is repeated: as often as the variables in it, which have to agree.
fn times(parts: &[Part], bound: &Bindings) -> Option<usize> {
    let mut counts = Vec::new();
    variables(parts, &mut |name| {
        if let Some(Bound::Repeated(each)) = bound.get(name) {
            counts.push(each.len());
        }
    });
    let first = *counts.first()?;
    counts.iter().all(|count| *count == first).then_some(first)
}

/// What the variables stand for at one time of a repetition.
fn at(bound: &Bindings, parts: &[Part], index: usize) -> Bindings {
    let mut inner = bound.clone();
    variables(parts, &mut |name| {
        if let Some(Bound::Repeated(each)) = bound.get(name)
            && let Some(one) = each.get(index)
        {
            inner.insert(name.to_owned(), one.clone());
        }
    });
    inner
}
