//! Macros that stand for code which is in the language.

use syn::parse::{Parse, ParseStream};
use syn::{Expr, ExprMatch, Macro, Pat, Token, parse_quote};

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
    let names: Vec<_> = call.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if !matches!(names[..], ["matches"] | ["std" | "core", "matches"]) {
        return None;
    }
    let Matching { value, pattern, guard } = call.parse_body().ok()?;
    Some(match guard {
        None => parse_quote!(match #value { #pattern => true, _ => false }),
        Some(guard) => parse_quote!(match #value { #pattern if #guard => true, _ => false }),
    })
}
