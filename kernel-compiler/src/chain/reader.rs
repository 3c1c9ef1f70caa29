//! Reading what the macros of this crate pass to each other.

use proc_macro2::{Ident, TokenStream, TokenTree, token_stream};

/// Takes tokens one by one, and opens a group only when it is asked for.
///
/// A parser of syn's copies all tokens out of rustc before it looks at the first. A chain carries the tokens of whole programs,
/// of which each link looks at little.
pub(crate) struct Reader(token_stream::IntoIter);

impl Reader {
    pub(crate) fn new(tokens: TokenStream) -> Self {
        Self(tokens.into_iter())
    }

    /// The next token.
    pub(crate) fn token(&mut self) -> Option<TokenTree> {
        self.0.next()
    }

    /// The next token, if it is a name.
    pub(crate) fn name(&mut self) -> Option<Ident> {
        match self.token()? {
            TokenTree::Ident(name) => Some(name),
            _ => None,
        }
    }

    /// What is in the next token, if it is a group.
    pub(crate) fn group(&mut self) -> Option<TokenStream> {
        match self.token()? {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        }
    }

    /// The names that follow.
    pub(crate) fn names(mut self) -> impl Iterator<Item = Ident> {
        std::iter::from_fn(move || self.name())
    }

    /// What the literals in the next token say, if it is a group.
    pub(crate) fn literals(&mut self) -> Option<Vec<String>> {
        let mut literals = Self::new(self.group()?);
        Some(std::iter::from_fn(|| literals.literal()).collect())
    }

    /// The groups that follow.
    pub(crate) fn groups(mut self) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || self.group().map(Self::new))
    }

    /// What the next token says, if it is a literal: of a string, the text between the quotes, in which nothing is escaped.
    pub(crate) fn literal(&mut self) -> Option<String> {
        match self.token()? {
            TokenTree::Literal(literal) => Some(literal.to_string().trim_matches('"').to_owned()),
            _ => None,
        }
    }
}
