//! A macro: its rules, each with what it fits and what that becomes.

use super::{matcher, transcriber};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// A macro.
#[derive(Debug)]
pub(super) struct Definition {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    fits: Vec<Part>,
    becomes: Vec<Part>,
}

/// A part of a rule.
#[derive(Debug)]
pub(super) enum Part {
    /// A token as it is.
    Token(TokenTree),
    /// Parts in parentheses, brackets or braces.
    Group(Group, Vec<Part>),
    /// `$name:fragment`, or `$name` where it is used, which has no fragment.
    Variable(Ident, Option<Fragment>),
    /// `$( … ) separator *`.
    Repeated { parts: Vec<Part>, separator: Option<TokenTree>, times: Times },
}

/// How often something may be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Times {
    Any,
    AtLeastOnce,
    AtMostOnce,
}

/// What a variable of a macro stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fragment {
    Block,
    Expr,
    Ident,
    Item,
    Lifetime,
    Literal,
    Meta,
    Pat,
    PatParam,
    Path,
    Stmt,
    Tt,
    Ty,
    Vis,
}

impl Definition {
    /// Reads the rules of a macro; none if there is something in them that is not known here.
    pub(super) fn read(tokens: TokenStream) -> Option<Self> {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut rules = Vec::new();
        let mut rest = &tokens[..];
        while let [
            TokenTree::Group(fits),
            TokenTree::Punct(one),
            TokenTree::Punct(two),
            TokenTree::Group(becomes),
            ..,
        ] = rest
        {
            if one.as_char() != '=' || two.as_char() != '>' {
                return None;
            }
            let rule = Rule { fits: parts(fits.stream(), true)?, becomes: parts(becomes.stream(), false)? };
            rules.push(rule);
            rest = &rest[4..];
            if let Some((TokenTree::Punct(end), after)) = rest.split_first()
                && end.as_char() == ';'
            {
                rest = after;
            }
        }
        rest.is_empty().then_some(Self { rules })
    }

    /// What a call with this input becomes; none if no rule fits it, which rustc reports. The number is that of the expansion.
    pub(super) fn expand(&self, input: TokenStream, (number, span): (u32, Span)) -> Option<TokenStream> {
        let input: Vec<_> = input.into_iter().collect();
        self.rules.iter().find_map(|rule| {
            let bound = matcher::bound(&rule.fits, &input)?;
            transcriber::transcribed(&rule.becomes, &bound, (number, span))
        })
    }
}

/// The parts of some tokens.
fn parts(tokens: TokenStream, is_pattern: bool) -> Option<Vec<Part>> {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut found = Vec::new();
    let mut rest = &tokens[..];
    while let Some((token, after)) = rest.split_first() {
        rest = after;
        found.push(match token {
            TokenTree::Punct(sign) if sign.as_char() == '$' => {
                let (part, after) = part(after, is_pattern)?;
                rest = after;
                part
            }
            TokenTree::Group(group) => Part::Group(group.clone(), parts(group.stream(), is_pattern)?),
            // A macro that defines others would have to be known while it is expanded.
            TokenTree::Ident(word) if word == "macro_rules" => return None,
            other => Part::Token(other.clone()),
        });
    }
    Some(found)
}

/// The part that follows a `$`.
fn part(tokens: &[TokenTree], is_pattern: bool) -> Option<(Part, &[TokenTree])> {
    match tokens {
        [TokenTree::Group(group), rest @ ..] if group.delimiter() == Delimiter::Parenthesis => {
            let parts = parts(group.stream(), is_pattern)?;
            let (separator, times, rest) = repetition(rest)?;
            Some((Part::Repeated { parts, separator, times }, rest))
        }
        // `$crate`, which no name here leads to.
        [TokenTree::Ident(name), ..] if name == "crate" => None,
        [TokenTree::Ident(name), TokenTree::Punct(colon), TokenTree::Ident(fragment), rest @ ..]
            if is_pattern && colon.as_char() == ':' =>
        {
            Some((Part::Variable(name.clone(), Some(fragment_of(&fragment.to_string())?)), rest))
        }
        [TokenTree::Ident(name), rest @ ..] if !is_pattern => {
            Some((Part::Variable(name.clone(), None), rest))
        }
        _ => None,
    }
}

/// The separator and the operator of a repetition.
fn repetition(tokens: &[TokenTree]) -> Option<(Option<TokenTree>, Times, &[TokenTree])> {
    let (first, rest) = tokens.split_first()?;
    if let Some(times) = times(first) {
        return Some((None, times, rest));
    }
    let (second, rest) = rest.split_first()?;
    Some((Some(first.clone()), times(second)?, rest))
}

fn times(token: &TokenTree) -> Option<Times> {
    let TokenTree::Punct(sign) = token else { return None };
    match sign.as_char() {
        '*' => Some(Times::Any),
        '+' => Some(Times::AtLeastOnce),
        '?' => Some(Times::AtMostOnce),
        _ => None,
    }
}

fn fragment_of(name: &str) -> Option<Fragment> {
    Some(match name {
        "block" => Fragment::Block,
        "expr" | "expr_2021" => Fragment::Expr,
        "ident" => Fragment::Ident,
        "item" => Fragment::Item,
        "lifetime" => Fragment::Lifetime,
        "literal" => Fragment::Literal,
        "meta" => Fragment::Meta,
        "pat" => Fragment::Pat,
        "pat_param" => Fragment::PatParam,
        "path" => Fragment::Path,
        "stmt" => Fragment::Stmt,
        "tt" => Fragment::Tt,
        "ty" => Fragment::Ty,
        "vis" => Fragment::Vis,
        _ => return None,
    })
}
