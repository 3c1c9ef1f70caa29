//! A bound on how deeply tokens may be nested.
//!
//! The parser, and all that walks the syntax tree, recurse; without a bound, absurd input would overflow the stack of
//! rustc. So this is checked first, without recursion.

use crate::diagnostics::{Code, Diagnostic};
use proc_macro2::{TokenStream, TokenTree};

/// How many groups may stand in each other, and how many prefix operators in a row.
const MAX_DEPTH: usize = 128;

/// The error for an item that is nested too deeply.
pub(super) fn too_deep(item: &TokenStream) -> Option<Diagnostic> {
    let mut groups = vec![item.clone().into_iter()];
    let mut prefixes = 0;
    while let Some(innermost) = groups.last_mut() {
        let Some(token) = innermost.next() else {
            groups.pop();
            continue;
        };
        prefixes = if is_prefix(&token) { prefixes + 1 } else { 0 };
        if groups.len() > MAX_DEPTH || prefixes > MAX_DEPTH {
            let message = format!("code can be nested {MAX_DEPTH} deep at most");
            let help = "give parts of it a name with `let`, or move them to a `#[device] fn`";
            return Some(Diagnostic::new(Code::UnsupportedExpression, &token, message).help(help));
        }
        if let TokenTree::Group(group) = token {
            groups.push(group.stream().into_iter());
        }
    }
    None
}

/// Returns whether a token can be one of a row that the parser takes for nested expressions or types.
fn is_prefix(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(punct) => matches!(punct.as_char(), '-' | '!' | '*' | '&' | '|'),
        TokenTree::Ident(name) => matches!(name.to_string().as_str(), "return" | "break" | "move"),
        _ => false,
    }
}
