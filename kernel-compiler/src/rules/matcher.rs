//! Whether the input of a macro fits a rule, and what the variables of the rule stand for then.

use super::definition::{Fragment, Part, Times};
use super::hygiene;
use crate::hash::HashMap;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};

/// What a variable stands for.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    Tokens(TokenStream),
    /// In a repetition, once for each time.
    Repeated(Vec<Bound>),
}

/// What the variables of a rule stand for.
pub(super) type Bindings = HashMap<String, Bound>;

/// The variables of a rule that fits all of the input.
pub(super) fn bound(parts: &[Part], input: &[TokenTree]) -> Option<Bindings> {
    let mut bindings = Bindings::default();
    let rest = fits(parts, input, &mut bindings)?;
    rest.is_empty().then_some(bindings)
}

/// What is left of the input behind what fits.
fn fits<'t>(parts: &[Part], input: &'t [TokenTree], bindings: &mut Bindings) -> Option<&'t [TokenTree]> {
    let mut rest = input;
    for part in parts {
        rest = match part {
            Part::Token(token) => token_fits(token, rest)?,
            Part::Group(group, inner) => group_fits(group, inner, rest, bindings)?,
            Part::Variable(name, Some(fragment)) => {
                let (found, after) = fragment_at(*fragment, rest)?;
                bindings.insert(name.to_string(), Bound::Tokens(found));
                after
            }
            Part::Variable(_, None) => return None,
            Part::Repeated { parts, separator, times } => {
                repeated(parts, separator.as_ref(), *times, rest, bindings)?
            }
        };
    }
    Some(rest)
}

fn token_fits<'t>(wanted: &TokenTree, input: &'t [TokenTree]) -> Option<&'t [TokenTree]> {
    let (found, rest) = input.split_first()?;
    let fits = match (wanted, found) {
        (TokenTree::Ident(wanted), TokenTree::Ident(found)) => {
            hygiene::plain(wanted) == hygiene::plain(found)
        }
        (TokenTree::Punct(wanted), TokenTree::Punct(found)) => wanted.as_char() == found.as_char(),
        (TokenTree::Literal(wanted), TokenTree::Literal(found)) => wanted.to_string() == found.to_string(),
        _ => false,
    };
    fits.then_some(rest)
}

fn group_fits<'t>(
    wanted: &Group,
    parts: &[Part],
    input: &'t [TokenTree],
    bindings: &mut Bindings,
) -> Option<&'t [TokenTree]> {
    let (TokenTree::Group(found), rest) = input.split_first()? else { return None };
    if found.delimiter() != wanted.delimiter() {
        return None;
    }
    let inner: Vec<_> = found.stream().into_iter().collect();
    fits(parts, &inner, bindings)?.is_empty().then_some(rest)
}

fn repeated<'t>(
    parts: &[Part],
    separator: Option<&TokenTree>,
    times: Times,
    input: &'t [TokenTree],
    bindings: &mut Bindings,
) -> Option<&'t [TokenTree]> {
    let mut found: HashMap<String, Vec<Bound>> = HashMap::default();
    variables(parts, &mut |name| {
        found.insert(name.to_owned(), Vec::new());
    });
    let (mut rest, mut count) = (input, 0);
    while !(times == Times::AtMostOnce && count == 1) {
        let after = match separator {
            Some(separator) if count > 0 => token_fits(separator, rest),
            _ => Some(rest),
        };
        let mut inner = Bindings::default();
        let Some(after) = after.and_then(|after| fits(parts, after, &mut inner)) else { break };
        // What takes nothing could be repeated for ever.
        if after.len() == rest.len() {
            break;
        }
        for (name, bound) in inner {
            found.entry(name).or_default().push(bound);
        }
        (rest, count) = (after, count + 1);
    }
    if times == Times::AtLeastOnce && count == 0 {
        return None;
    }
    bindings.extend(found.into_iter().map(|(name, each)| (name, Bound::Repeated(each))));
    Some(rest)
}

/// The variables in some parts.
pub(super) fn variables(parts: &[Part], seen: &mut dyn FnMut(&str)) {
    for part in parts {
        match part {
            Part::Token(_) => {}
            Part::Variable(name, _) => seen(&name.to_string()),
            Part::Group(_, parts) | Part::Repeated { parts, .. } => variables(parts, seen),
        }
    }
}

/// The fragment that the input starts with, and what follows.
fn fragment_at(fragment: Fragment, input: &[TokenTree]) -> Option<(TokenStream, &[TokenTree])> {
    let count = match fragment {
        Fragment::Tt if is_lifetime(input) => 2,
        Fragment::Tt => usize::from(!input.is_empty()),
        Fragment::Lifetime if is_lifetime(input) => 2,
        Fragment::Lifetime => 0,
        Fragment::Ident => usize::from(matches!(input.first(), Some(TokenTree::Ident(name)) if name != "_")),
        other => parsed_count(other, input)?,
    };
    if count == 0 && fragment != Fragment::Vis {
        return None;
    }
    let (found, rest) = input.split_at(count);
    let tokens: TokenStream = found.iter().cloned().collect();
    let is_whole = found.len() > 1 && fragment == Fragment::Expr;
    let tokens = if is_whole { whole(tokens, found[0].span()) } else { tokens };
    Some((tokens, rest))
}

/// An expression that stays one whatever stands beside it.
fn whole(tokens: TokenStream, span: Span) -> TokenStream {
    let mut group = Group::new(Delimiter::None, tokens);
    group.set_span(span);
    TokenTree::Group(group).into()
}

fn is_lifetime(input: &[TokenTree]) -> bool {
    matches!(input, [TokenTree::Punct(sign), TokenTree::Ident(_), ..] if sign.as_char() == '\'')
}

/// How many tokens a fragment takes up, by how many the parser leaves.
fn parsed_count(fragment: Fragment, input: &[TokenTree]) -> Option<usize> {
    if fragment == Fragment::Expr
        && matches!(input.first(), Some(TokenTree::Ident(word)) if word == "let" || word == "_")
    {
        return None;
    }
    let stream: TokenStream = input.iter().cloned().collect();
    let rest = (|input: ParseStream<'_>| {
        parse(fragment, input)?;
        input.parse::<TokenStream>()
    })
    .parse2(stream)
    .ok()?;
    input.len().checked_sub(rest.into_iter().count())
}

fn parse(fragment: Fragment, input: ParseStream<'_>) -> syn::Result<()> {
    match fragment {
        Fragment::Block => drop(input.parse::<syn::Block>()?),
        Fragment::Expr => drop(input.parse::<syn::Expr>()?),
        Fragment::Item => drop(input.parse::<syn::Item>()?),
        Fragment::Literal => {
            input.parse::<Option<syn::Token![-]>>()?;
            drop(input.parse::<syn::Lit>()?);
        }
        Fragment::Meta => drop(input.parse::<syn::Meta>()?),
        Fragment::Pat => drop(syn::Pat::parse_multi_with_leading_vert(input)?),
        Fragment::PatParam => drop(syn::Pat::parse_single(input)?),
        Fragment::Path => drop(input.parse::<syn::Path>()?),
        Fragment::Stmt => drop(statement(input)?),
        Fragment::Ty => drop(input.parse::<syn::Type>()?),
        Fragment::Vis => drop(input.parse::<syn::Visibility>()?),
        Fragment::Ident | Fragment::Lifetime | Fragment::Tt => drop(input.call(syn::Ident::parse_any)?),
    }
    Ok(())
}

/// A statement without the `;` behind it.
fn statement(input: ParseStream<'_>) -> syn::Result<()> {
    if input.peek(syn::Token![let]) {
        input.parse::<syn::Token![let]>()?;
        syn::Pat::parse_single(input)?;
        if input.peek(syn::Token![:]) {
            input.parse::<syn::Token![:]>()?;
            input.parse::<syn::Type>()?;
        }
        if input.peek(syn::Token![=]) {
            input.parse::<syn::Token![=]>()?;
            input.parse::<syn::Expr>()?;
        }
        return Ok(());
    }
    input.parse::<syn::Expr>().map(drop)
}
