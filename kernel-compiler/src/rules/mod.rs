//! `macro_rules!` in device code: calls of a macro are replaced by what it stands for before anything else looks at the code. rustc gets the code as
//! it was written, and reports what is wrong with the macros themselves.
//!
//! The rules are Rust's: a macro is known from its definition to the end of the block or module around it; the first rule that fits is taken; names of
//! variables and labels that a macro brings along are its own, see [`hygiene`]. What is not expanded stays a call, which is refused where it stands:
//! macros with `$crate`, with definitions of other macros, or without an end.

mod definition;
mod hygiene;
mod matcher;
mod transcriber;

use crate::hash::HashMap;
use definition::Definition;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use std::rc::Rc;

/// The greatest depth of macros that call macros, which is Rust's own.
const MAX_DEPTH: u32 = 128;

/// The greatest number of tokens that the macros of one item may become.
const MAX_TOKENS: usize = 1 << 18;

/// Device code in which no macro of its own is called any more; none if it defines no macro, or if what a name in one means cannot be told.
pub(crate) fn expanded(tokens: &TokenStream) -> Option<TokenStream> {
    if !defines_macros(tokens) {
        return None;
    }
    let mut expander = Expander::default();
    let expanded = expander.stream(tokens.clone(), Start::Items);
    hygiene::resolved(expanded, expander.count)
}

fn defines_macros(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == "macro_rules",
        TokenTree::Group(group) => defines_macros(&group.stream()),
        _ => false,
    })
}

/// What stands at the start of a group of tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Items or statements.
    Items,
    /// An expression, or something else that is no statement.
    Expression,
}

#[derive(Default)]
struct Expander {
    /// The macros that are known here.
    known: HashMap<String, Rc<Definition>>,
    depth: u32,
    /// How many tokens macros have become.
    size: usize,
    /// How many macros have been expanded; the number of each tells its names apart.
    count: u32,
}

/// A call of a macro in some tokens: how many it takes up, and what it stands for.
struct Call {
    taken: usize,
    becomes: TokenStream,
}

impl Expander {
    /// The tokens without calls.
    fn stream(&mut self, tokens: TokenStream, start: Start) -> TokenStream {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let outer = self.known.clone();
        let mut result = Vec::new();
        let mut position = 0;
        while position < tokens.len() {
            if let Some(taken) = self.define(&tokens[position..]) {
                position += taken;
            } else if let Some(call) = self.call(&tokens, position, start) {
                result.extend(call.becomes);
                position += call.taken;
            } else {
                let inside = Self::start_in(&tokens, position);
                result.push(self.token(tokens[position].clone(), inside));
                position += 1;
            }
        }
        self.known = outer;
        result.into_iter().collect()
    }

    fn token(&mut self, token: TokenTree, start: Start) -> TokenTree {
        let TokenTree::Group(group) = token else { return token };
        let mut inner = Group::new(group.delimiter(), self.stream(group.stream(), start));
        inner.set_span(group.span());
        TokenTree::Group(inner)
    }

    /// What stands at the start of the group at a position: only in braces are there statements.
    fn start_in(tokens: &[TokenTree], position: usize) -> Start {
        match &tokens[position] {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Start::Items,
            _ => Start::Expression,
        }
    }

    /// Takes in the definition that some tokens start with; how many tokens that are.
    fn define(&mut self, tokens: &[TokenTree]) -> Option<usize> {
        let [
            TokenTree::Ident(word),
            TokenTree::Punct(sign),
            TokenTree::Ident(name),
            TokenTree::Group(rules),
            ..,
        ] = tokens
        else {
            return None;
        };
        if word != "macro_rules" || sign.as_char() != '!' {
            return None;
        }
        match Definition::read(rules.stream()) {
            Some(definition) => {
                self.known.insert(hygiene::plain(name), Rc::new(definition));
            }
            // A call of it is refused where it stands.
            None => {
                self.known.remove(&hygiene::plain(name));
            }
        }
        let ends = matches!(tokens.get(4), Some(TokenTree::Punct(end)) if end.as_char() == ';');
        Some(4 + usize::from(ends && rules.delimiter() != Delimiter::Brace))
    }

    /// The call of a known macro that stands at a position.
    fn call(&mut self, tokens: &[TokenTree], position: usize, start: Start) -> Option<Call> {
        let [TokenTree::Ident(name), TokenTree::Punct(sign), TokenTree::Group(input), ..] =
            &tokens[position..]
        else {
            return None;
        };
        // `a != (b)` has the sign joined with the next one, and a path leads to a macro of elsewhere.
        if sign.as_char() != '!'
            || position.checked_sub(1).is_some_and(|before| is_sign(&tokens[before], ':'))
        {
            return None;
        }
        let definition = self.known.get(&hygiene::plain(name))?.clone();
        let next = tokens.get(position + 3);
        let is_statement = Self::starts_statement(tokens, position, start) && !goes_on(next);
        let becomes = self.expansion(name, &definition, input, is_statement)?;
        let ends = is_sign_at(next, ';');
        let taken = 3 + usize::from(is_statement && ends && needs_no_end(&becomes));
        let becomes = match is_statement {
            true => becomes,
            false => TokenTree::Group(located(Group::new(Delimiter::None, becomes), name)).into(),
        };
        Some(Call { taken, becomes })
    }

    fn expansion(
        &mut self,
        name: &Ident,
        definition: &Definition,
        input: &Group,
        is_statement: bool,
    ) -> Option<TokenStream> {
        if self.depth >= MAX_DEPTH || self.size > MAX_TOKENS {
            return None;
        }
        self.count += 1;
        let tokens = definition.expand(input.stream(), (self.count, name.span()))?;
        self.size += size(&tokens);
        self.depth += 1;
        let start = if is_statement { Start::Items } else { Start::Expression };
        let tokens = self.stream(tokens, start);
        self.depth -= 1;
        Some(tokens)
    }

    /// Returns whether an item or a statement starts at a position.
    fn starts_statement(tokens: &[TokenTree], position: usize, start: Start) -> bool {
        match position.checked_sub(1).map(|before| &tokens[before]) {
            None => start == Start::Items,
            Some(TokenTree::Punct(sign)) => sign.as_char() == ';',
            Some(TokenTree::Group(group)) => match group.delimiter() {
                Delimiter::Brace => start == Start::Items,
                // An attribute.
                Delimiter::Bracket => {
                    position.checked_sub(2).is_some_and(|before| is_sign(&tokens[before], '#'))
                }
                Delimiter::Parenthesis | Delimiter::None => false,
            },
            Some(_) => false,
        }
    }
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn is_sign_at(token: Option<&TokenTree>, sign: char) -> bool {
    token.is_some_and(|token| is_sign(token, sign))
}

/// Returns whether what follows a call makes it a part of an expression or a pattern.
fn goes_on(next: Option<&TokenTree>) -> bool {
    match next {
        Some(TokenTree::Punct(sign)) => !matches!(sign.as_char(), ';' | '#' | '\''),
        Some(TokenTree::Ident(word)) => word == "as",
        _ => false,
    }
}

/// Returns whether an expansion in the place of a statement ends by itself: with a `;`, or because it has items.
fn needs_no_end(tokens: &TokenStream) -> bool {
    let tokens: Vec<_> = tokens.clone().into_iter().collect();
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return true };
    let starts_item = match first {
        TokenTree::Ident(word) => ITEMS.iter().any(|item| word == item),
        TokenTree::Punct(sign) => sign.as_char() == '#',
        _ => false,
    };
    is_sign(last, ';')
        || starts_item && matches!(last, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

const ITEMS: &[&str] =
    &["fn", "pub", "impl", "struct", "enum", "const", "static", "type", "trait", "mod", "use"];

fn located(mut group: Group, at: &Ident) -> Group {
    group.set_span(at.span());
    group
}

fn size(tokens: &TokenStream) -> usize {
    tokens
        .clone()
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => 2 + size(&group.stream()),
            _ => 1,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::expanded;

    fn check(written: &str, expected: &str) {
        let tokens = expanded(&written.parse().expect("it is Rust")).expect("it defines a macro");
        let plain = |text: &str| text.replace(char::is_whitespace, "");
        let expected: proc_macro2::TokenStream = expected.parse().expect("it is Rust");
        assert_eq!(plain(&tokens.to_string()), plain(&expected.to_string()), "{written}");
    }

    #[test]
    fn the_first_rule_that_fits_is_taken() {
        check(
            "macro_rules! m { (a) => { 1 }; ($x:ident) => { $x }; ($($x:expr),+) => { [$($x);*] }; }
            fn f() { let x = (m!(a), m!(b), m!(1 + 2, c)); }",
            "fn f() { let x = (1, b, [1 + 2; c]); }",
        );
    }

    #[test]
    fn repetitions_go_as_deep_as_they_are_nested() {
        check(
            "macro_rules! m { ($($name:ident: [$($v:expr),*]);* $(;)?) => { $(fn $name() { $(g($v);)* })* } }
            m! { a: [1, 2]; b: []; }
            m!(c: [3]);",
            "fn a() { g(1); g(2); } fn b() { } fn c() { g(3); }",
        );
    }

    #[test]
    fn fragments_are_what_rust_takes_them_for() {
        check(
            "macro_rules! m { ($a:ty, $b:pat, $c:literal, $d:tt, $e:block, $l:lifetime, $v:vis, $p:path) =>
                { $v fn f<$l>(x: &$l $a) { let $b = $p::g($c) $d $e; } } }
            m!([u8; 4], (a, _), -1, +, { 2 }, 'a, pub(crate), x::y);",
            "pub(crate) fn f<'a>(__of_1_x: &'a [u8; 4]) { let (a, _) = x::y::g(-1) + { 2 }; }",
        );
    }

    #[test]
    fn variables_and_labels_of_a_macro_are_its_own() {
        check(
            "macro_rules! m { ($x:expr) => { { let y = 1; 'a: loop { break 'a; } y + $x + z.y } } }
            fn f(y: u8) { m!(y); m!(y) }",
            "fn f(y: u8) {
                { let __of_1_y = 1; '__of_1_a: loop { break '__of_1_a; } __of_1_y + y + z.y };
                { let __of_2_y = 1; '__of_2_a: loop { break '__of_2_a; } __of_2_y + y + z.y }
            }",
        );
    }

    #[test]
    fn what_a_macro_binds_by_a_name_it_was_given_is_the_callers() {
        check(
            "macro_rules! m { ($x:ident, $v:expr) => { let $x = $v; let y = $x; } }
            fn f() { m!(a, 1); a }",
            "fn f() { let a = 1; let __of_1_y = a; a }",
        );
    }

    #[test]
    fn macros_call_macros_and_are_forgotten_at_the_end_of_their_block() {
        check(
            "macro_rules! m { () => { 1 } }
            macro_rules! n { ($x:tt) => { m!() + $x } }
            fn f() { macro_rules! m { () => { 2 } } m!() + n!(3) }
            fn g() { m!() + o!() }",
            "fn f() { 2 + 2 + 3 } fn g() { 1 + o!() }",
        );
    }

    #[test]
    fn a_macro_that_does_not_end_stays_a_call() {
        let tokens = "macro_rules! m { ($($x:tt)*) => { m!($($x)* 1) } } fn f() { m!() }";
        let tokens = expanded(&tokens.parse().expect("it is Rust")).expect("it defines a macro");
        assert!(tokens.to_string().contains("m !"));
    }

    #[test]
    fn a_name_that_may_be_one_of_several_variables_stays_in_the_macro() {
        let of = |text: &str| expanded(&text.parse().expect("it is Rust"));
        let macro_of =
            |rest: &str| format!("fn f() {{ let y = 1; macro_rules! m {{ () => {{ y }} }} {rest} }}");
        assert!(of(&macro_of("m!() + 1")).is_some());
        assert!(of(&macro_of("{ let y = 2; m!() }")).is_none());
        assert!(of("macro_rules! m { () => { g() } } fn f() { m!() }").is_some());
        assert!(of("macro_rules! m { () => { g() } } fn f() { let g = || 1; m!() }").is_none());
        assert!(of("macro_rules! m { () => { h(g) } } fn g() {} fn f() { let g = 1; m!() }").is_none());
    }

    #[test]
    fn shorthands_and_formats_follow_the_names() {
        check(
            "macro_rules! m { () => { { let x = 1; println!(\"{x} {y}\"); S { x, y: x } } } } fn f() { m!() }",
            "fn f() { { let __of_1_x = 1; println!(\"{__of_1_x} {y}\"); S { x: __of_1_x, y: __of_1_x } } }",
        );
    }
}
