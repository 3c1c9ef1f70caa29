//! The tokens of a source file, as far as its outline needs them: words, signs, brackets.

use std::iter::Peekable;
use std::str::CharIndices;

/// A line, from 1, and a column in characters, from 0.
pub(super) type Position = (usize, usize);

/// A token, and where it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) at: Position,
    /// The same, in bytes.
    pub(super) byte: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    /// A name or a keyword; of a raw name, what follows `r#`.
    Word(&'t str),
    Sign(char),
    /// A bracket that opens, and the number of the token that closes it.
    Open(char, usize),
    Close,
    /// A literal or a lifetime.
    Other,
}

/// The tokens of a text; nothing if its brackets do not match.
pub(super) fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut reader = Reader { text, rest: text.char_indices().peekable(), position: (1, 0) };
    if start > 0 {
        reader.rest.next();
    }
    if text[start..].starts_with("#!") && !text[start..].starts_with("#![") {
        reader.line();
    }
    reader.tokens()
}

/// The text from a position on.
struct Reader<'t> {
    text: &'t str,
    rest: Peekable<CharIndices<'t>>,
    position: Position,
}

impl<'t> Reader<'t> {
    fn tokens(mut self) -> Option<Vec<Token<'t>>> {
        let (mut tokens, mut open): (Vec<Token<'t>>, Vec<usize>) = (Vec::new(), Vec::new());
        loop {
            let at = self.position;
            let Some((start, letter)) = self.next() else { break };
            let kind = match letter {
                '/' if self.next_if('/') => {
                    self.line();
                    continue;
                }
                '/' if self.next_if('*') => {
                    self.comment();
                    continue;
                }
                letter if letter.is_whitespace() => continue,
                '"' => {
                    self.quoted('"');
                    Kind::Other
                }
                '\'' => {
                    self.character();
                    Kind::Other
                }
                '{' | '(' | '[' => {
                    open.push(tokens.len());
                    Kind::Open(letter, 0)
                }
                '}' | ')' | ']' => {
                    let begin = open.pop()?;
                    let Kind::Open(begun, _) = tokens[begin].kind else { return None };
                    if !matches!((begun, letter), ('{', '}') | ('(', ')') | ('[', ']')) {
                        return None;
                    }
                    tokens[begin].kind = Kind::Open(begun, tokens.len());
                    Kind::Close
                }
                letter if is_of_word(letter) => self.word(start),
                letter => Kind::Sign(letter),
            };
            tokens.push(Token { kind, at, byte: start });
        }
        open.is_empty().then_some(tokens)
    }

    fn next(&mut self) -> Option<(usize, char)> {
        let next = self.rest.next()?;
        self.position = match next.1 {
            '\n' => (self.position.0 + 1, 0),
            _ => (self.position.0, self.position.1 + 1),
        };
        Some(next)
    }

    fn peek(&mut self) -> Option<char> {
        self.rest.peek().map(|(_, letter)| *letter)
    }

    fn next_if(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.next();
        }
        is_next
    }

    /// The rest of a line.
    fn line(&mut self) {
        while self.next().is_some_and(|(_, letter)| letter != '\n') {}
    }

    /// The rest of a comment, in which there may be others.
    fn comment(&mut self) {
        let mut depth = 1;
        while depth > 0 {
            match self.next() {
                Some((_, '*')) if self.next_if('/') => depth -= 1,
                Some((_, '/')) if self.next_if('*') => depth += 1,
                Some(_) => {}
                None => return,
            }
        }
    }

    /// The rest of a literal that ends so.
    fn quoted(&mut self, end: char) {
        loop {
            match self.next() {
                Some((_, '\\')) => {
                    self.next();
                }
                Some((_, letter)) if letter != end => {}
                _ => return,
            }
        }
    }

    /// The rest of a raw string, after its first quote.
    fn raw(&mut self, hashes: usize) {
        while let Some((_, letter)) = self.next() {
            if letter == '"' && (0..hashes).all(|_| self.next_if('#')) {
                return;
            }
        }
    }

    /// What follows `'`: the rest of a character, or a lifetime.
    fn character(&mut self) {
        match self.next() {
            Some((_, '\\')) => {
                self.next();
                self.quoted('\'');
            }
            Some((start, _)) if !self.next_if('\'') => {
                self.rest_of_word(start);
            }
            _ => {}
        }
    }

    fn rest_of_word(&mut self, start: usize) -> &'t str {
        while self.peek().is_some_and(is_of_word) {
            self.next();
        }
        let end = self.rest.peek().map_or(self.text.len(), |(end, _)| *end);
        &self.text[start..end]
    }

    /// A word, or the literal that it begins.
    fn word(&mut self, start: usize) -> Kind<'t> {
        let word = self.rest_of_word(start);
        let is_raw = matches!(word, "r" | "br" | "cr");
        let mut hashes = 0;
        while is_raw && self.next_if('#') {
            hashes += 1;
        }
        match self.rest.peek().copied() {
            Some((_, '"')) if is_raw => {
                self.next();
                self.raw(hashes);
                Kind::Other
            }
            Some((_, '"')) if matches!(word, "b" | "c") => {
                self.next();
                self.quoted('"');
                Kind::Other
            }
            Some((_, '\'')) if word == "b" => {
                self.next();
                self.character();
                Kind::Other
            }
            // What follows `r#` is a name.
            Some((start, letter)) if hashes == 1 && is_of_word(letter) => {
                Kind::Word(self.rest_of_word(start))
            }
            _ if word.starts_with(|first: char| first.is_ascii_digit()) => Kind::Other,
            _ => Kind::Word(word),
        }
    }
}

fn is_of_word(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::{Kind, tokens};

    /// The words outside of literals and comments.
    fn words(text: &str) -> Option<String> {
        let words = tokens(text)?.into_iter().filter_map(|token| match token.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        });
        Some(words.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn words_are_found_between_literals_and_comments() {
        let cases = [
            ("a \"{ \\\" {\" b /* { /* { */ x */ c // {\nd", "a b c d"),
            ("a r##\"{ \"# { \"## b br\"{\\\" c b'{' d", "a b c d"),
            ("a '{' b '\\'' c '\\u{7b}' d '\"' e 'f' g", "a b c d e g"),
            ("fn f<'a>(x: &'a str) { 'l: loop { break 'l; } } c\"{\" b", "fn f x str loop break b"),
            ("'\u{fc}' a \"\u{fc}\u{1f600}{\" fn r#mod", "a fn mod"),
            ("#!/usr/bin/env {\na", "a"),
            ("\u{feff}#![allow(a)] b", "allow a b"),
            ("1.5e3_f32 0x1f a1 1", "a1"),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn brackets_have_to_match() {
        for text in ["{", "}", "(]", "{(})"] {
            assert_eq!(words(text), None, "{text}");
        }
        let ends = tokens("{ ( ) [ a ] }").into_iter().flatten().filter_map(|token| match token.kind {
            Kind::Open(_, end) => Some(end),
            _ => None,
        });
        assert_eq!(ends.collect::<Vec<_>>(), [6, 2, 5]);
    }

    #[test]
    fn positions_are_in_characters() {
        let found = tokens("a \u{1f600} b\n  c").unwrap_or_default();
        assert_eq!(found.iter().map(|token| token.at).collect::<Vec<_>>(), [(1, 0), (1, 2), (1, 4), (2, 2)]);
    }
}
