//! A bound on how deeply code may be nested.
//!
//! The parser, and all that walks the syntax tree, recurse; without a bound, absurd input would overflow the stack of
//! rustc. So this is checked first, without recursion, on the tokens: groups in each other, prefix operators in a row, the operators of one
//! expression, each of which has what is before it as an operand, and `else` after `else`.

use crate::diagnostics::{Code, Diagnostic};
use proc_macro2::token_stream::IntoIter;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// How many groups may stand in each other, and how many prefix operators in a row.
const MAX_DEPTH: usize = 128;
/// How many operators an expression may have, and how many branches an `if`.
const MAX_ROW: usize = 1000;

/// The tokens of a group, and what has been seen of the expression that they are in.
struct Level {
    tokens: IntoIter,
    prefixes: usize,
    operators: usize,
    branches: usize,
    is_after_else: bool,
}

/// The error for an item that is nested too deeply.
pub(super) fn too_deep(item: &TokenStream) -> Option<Diagnostic> {
    let mut levels = vec![Level::of(item.clone())];
    while let Some(innermost) = levels.last_mut() {
        let Some(token) = innermost.tokens.next() else {
            levels.pop();
            continue;
        };
        innermost.count(&token);
        let is_row = innermost.operators.max(innermost.branches) > MAX_ROW;
        if is_row || innermost.prefixes > MAX_DEPTH || levels.len() > MAX_DEPTH {
            let message = match is_row {
                true => format!("an expression can have {MAX_ROW} operators or branches at most"),
                false => format!("code can be nested {MAX_DEPTH} deep at most"),
            };
            let help = "give parts of it a name with `let`, or move them to a `#[device] fn`";
            return Some(Diagnostic::new(Code::UnsupportedExpression, &token, message).help(help));
        }
        if let TokenTree::Group(group) = token {
            levels.push(Level::of(group.stream()));
        }
    }
    None
}

impl Level {
    fn of(tokens: TokenStream) -> Self {
        Self { tokens: tokens.into_iter(), prefixes: 0, operators: 0, branches: 0, is_after_else: false }
    }

    fn count(&mut self, token: &TokenTree) {
        self.prefixes = if is_prefix(token) { self.prefixes + 1 } else { 0 };
        let is_after_else = std::mem::take(&mut self.is_after_else);
        match token {
            TokenTree::Punct(punct) if matches!(punct.as_char(), ';' | ',') => {
                (self.operators, self.branches) = (0, 0);
            }
            TokenTree::Punct(_) => self.operators += 1,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => self.operators = 0,
            TokenTree::Ident(name) if name == "as" => self.operators += 1,
            TokenTree::Ident(name) if name == "else" => {
                self.branches += 1;
                self.is_after_else = true;
            }
            TokenTree::Ident(name) if name == "if" && !is_after_else => self.branches = 0,
            _ => {}
        }
    }
}

/// Returns whether a token can be one of a row that the parser takes for nested expressions or types.
fn is_prefix(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(punct) => matches!(punct.as_char(), '-' | '!' | '*' | '&' | '|'),
        TokenTree::Ident(name) => matches!(name.to_string().as_str(), "return" | "break" | "move"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(code: &str) -> Option<String> {
        let tokens = code.parse().unwrap_or_else(|error| panic!("{code}: {error}"));
        too_deep(&tokens).map(|error| error.message)
    }

    #[test]
    fn what_the_stack_bears_is_let_through() {
        let statements = "if a < b { c += d } else { e = -f; } g(h + i, j);".repeat(2000);
        assert_eq!(message(&format!("fn k() {{ {statements} }}")), None);
        assert_eq!(message(&format!("let x = {};", vec!["a"; 900].join(" + "))), None);
    }

    #[test]
    fn rows_of_operators_and_branches_end() {
        let row = "an expression can have 1000 operators or branches at most";
        assert_eq!(message(&format!("let x = {};", vec!["a"; 3000].join(" + "))).as_deref(), Some(row));
        assert_eq!(message(&format!("let x = a{};", ".b()".repeat(1001))).as_deref(), Some(row));
        assert_eq!(message(&format!("let x = a{};", " as u8".repeat(1001))).as_deref(), Some(row));
        let branches = vec!["if a { b }"; 1002].join(" else ");
        assert_eq!(message(&branches).as_deref(), Some(row));
        let nested = "code can be nested 128 deep at most";
        assert_eq!(message(&format!("{}{}", "(".repeat(200), ")".repeat(200))).as_deref(), Some(nested));
        assert_eq!(message(&format!("{}a", "-".repeat(200))).as_deref(), Some(nested));
    }
}
