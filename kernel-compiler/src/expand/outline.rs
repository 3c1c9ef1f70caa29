//! Where a source file has bodies: an item that stands in none of them stands in a module.
//!
//! A procedural macro is not told which of the two its item stands in, but rustc resolves `self::name` at once where it
//! has to look for `name` among all macros before it, and looks again whenever any other is found. So a chain of hundreds of items takes the time of
//! their cube where it cannot say `self::`, which it can in modules only.
//!
//! Only where there are many of them: rustc explains better what is wrong with a name that is looked for everywhere.
//!
//! This knows no more of Rust than comments, literals and brackets. Everything in brackets is a body, unless they are the braces of a `mod`; what
//! is handed to a macro is one too. So an item is taken to be in a body if there is a doubt.

use std::iter::Peekable;
use std::str::Chars;

/// The bodies of a file.
#[derive(Debug, Default)]
pub struct Outline {
    /// Where each begins and ends, in the order of the file.
    bodies: Vec<(Position, Position)>,
    /// How often the word `device` stands there.
    devices: usize,
}

/// From how many device items on it matters how rustc looks for their names.
const MANY: usize = 64;

/// A line, from 1, and a column in characters, from 0.
type Position = (usize, usize);

impl Outline {
    /// That of a file with this text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader { rest: text.chars().peekable(), position: (1, 0) };
        if text.starts_with("#!") && !text.starts_with("#![") {
            reader.line();
        }
        reader.outline()
    }

    /// Whether there are many device items.
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.devices >= MANY
    }

    /// Whether what stands there stands in a module.
    #[must_use]
    pub fn is_in_module(&self, position: (usize, usize)) -> bool {
        let before = self.bodies.partition_point(|(start, _)| *start <= position);
        before.checked_sub(1).is_none_or(|last| self.bodies[last].1 < position)
    }
}

/// The text from a position on.
struct Reader<'t> {
    rest: Peekable<Chars<'t>>,
    position: Position,
}

/// How far `mod name {` has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Module {
    No,
    Word,
    Named,
}

impl Reader<'_> {
    fn outline(mut self) -> Outline {
        let (mut bodies, mut devices) = (Vec::new(), 0);
        // How many modules are open, how many other brackets in these, and where the first of those began.
        let (mut inner, mut start, mut module) = (0_usize, self.position, Module::No);
        loop {
            let position = self.position;
            let Some(letter) = self.next() else { break };
            let word = match letter {
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
                    None
                }
                '\'' => {
                    self.character();
                    None
                }
                '{' | '(' | '[' => {
                    let is_module = inner == 0 && letter == '{' && module == Module::Named;
                    if !is_module {
                        if inner == 0 {
                            start = position;
                        }
                        inner += 1;
                    }
                    None
                }
                '}' | ')' | ']' => {
                    // Where nothing else is open, it is the end of a module.
                    if inner == 1 {
                        bodies.push((start, position));
                    }
                    inner = inner.saturating_sub(1);
                    None
                }
                letter if is_of_word(letter) => Some(self.word(letter)),
                _ => None,
            };
            devices += usize::from(word.as_deref() == Some("device"));
            module = match word {
                Some(word) if word == "mod" => Module::Word,
                Some(_) if module == Module::Word => Module::Named,
                _ => Module::No,
            };
        }
        if inner > 0 {
            bodies.push((start, (usize::MAX, usize::MAX)));
        }
        Outline { bodies, devices }
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest.next()?;
        self.position = match next {
            '\n' => (self.position.0 + 1, 0),
            _ => (self.position.0, self.position.1 + 1),
        };
        Some(next)
    }

    fn next_if(&mut self, wanted: char) -> bool {
        let is_next = self.rest.peek() == Some(&wanted);
        if is_next {
            self.next();
        }
        is_next
    }

    /// The rest of a line.
    fn line(&mut self) {
        while self.next().is_some_and(|letter| letter != '\n') {}
    }

    /// The rest of a comment, in which there may be others.
    fn comment(&mut self) {
        let mut depth = 1;
        while depth > 0 {
            match self.next() {
                Some('*') if self.next_if('/') => depth -= 1,
                Some('/') if self.next_if('*') => depth += 1,
                Some(_) => {}
                None => return,
            }
        }
    }

    /// The rest of a literal that ends so.
    fn quoted(&mut self, end: char) {
        loop {
            match self.next() {
                Some('\\') => {
                    self.next();
                }
                Some(letter) if letter != end => {}
                _ => return,
            }
        }
    }

    /// The rest of a raw string, after its first quote.
    fn raw(&mut self, hashes: usize) {
        while let Some(letter) = self.next() {
            if letter == '"' && (0..hashes).all(|_| self.next_if('#')) {
                return;
            }
        }
    }

    /// What follows `'`: the rest of a character, or a lifetime.
    fn character(&mut self) {
        let Some(first) = self.next() else { return };
        match first {
            '\\' => {
                self.next();
                self.quoted('\'');
            }
            _ => {
                // Of a lifetime, or a label, the rest is a word.
                self.next_if('\'');
            }
        }
    }

    /// A word, or the literal that it begins.
    fn word(&mut self, first: char) -> String {
        let mut word = String::from(first);
        while let Some(letter) = self.rest.peek().copied().filter(|letter| is_of_word(*letter)) {
            word.push(letter);
            self.next();
        }
        let is_raw = matches!(word.as_str(), "r" | "br" | "cr");
        let mut hashes = 0;
        while is_raw && self.next_if('#') {
            hashes += 1;
        }
        match self.rest.peek() {
            Some('"') if is_raw => {
                self.next();
                self.raw(hashes);
            }
            Some('"') if matches!(word.as_str(), "b" | "c") => {
                self.next();
                self.quoted('"');
            }
            // What follows `r#` is a name.
            Some(letter) if hashes == 1 && is_of_word(*letter) => {
                self.next();
                self.word('_');
            }
            _ => {}
        }
        word
    }
}

fn is_of_word(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::Outline;

    /// Asserts of each `@` in a text whether it stands in a module: those of `m`, not those of `b`.
    fn check(text: &str) {
        let outline = Outline::of(text);
        for (line, content) in text.lines().enumerate() {
            let letters: Vec<char> = content.chars().collect();
            for (column, pair) in letters.windows(2).enumerate().filter(|(_, pair)| pair[0] == '@') {
                let found = outline.is_in_module((line + 1, column));
                assert_eq!(found, pair[1] == 'm', "line {line}, column {column} of {text}");
            }
        }
    }

    #[test]
    fn items_of_modules() {
        check("@m fn f() { @b } @m\nmod a { @m mod r#b { @m fn g(@b) { mod c { @b } @b } @m } @m }\n@m");
        check("struct S { @b } @m use a::{@b}; @m #[device(@b)] @m fn f<const N: [u8; {@b 1}]>(@b) {@b} @m");
        check("mod a; { @b } @m");
        check("macro_rules! m { () => { @b mod a { @b } } } @m m! { @b } @m m![@b] mod x { @m }");
    }

    #[test]
    fn brackets_in_literals_and_comments() {
        check("const A: &str = \"{ \\\" {\"; @m /* { /* { */ @m } */ @m // {\n@m");
        check("const A: &str = r##\"{ \"# { \"##; @m const B: &[u8] = br\"{\\\"; @m const C: u8 = b'{'; @m");
        check(
            "const A: char = '{'; @m const B: char = '\\''; @m const C: char = '\\u{7b}'; @m const D: char = '\"'; @m",
        );
        check("fn f<'a>(x: &'a str) -> &'a str { 'l: loop { @b break 'l; } } @m const C: &CStr = c\"{\"; @m");
        check("const L: char = '\u{fc}'; @m const S: &str = \"\u{fc}\u{1f600}{\"; @m fn r#mod() { @b } @m");
        check("#!/usr/bin/env {\n@m");
        check("#![allow(unused)] @m");
    }

    #[test]
    fn the_number_of_items() {
        let items = |count| "#[device] fn f() {}\n".repeat(count);
        assert!(Outline::of(&items(64)).is_long());
        assert!(!Outline::of(&format!("{}// #[device]\n\"#[device]\"", items(63))).is_long());
    }

    #[test]
    fn what_does_not_end() {
        check("fn f() { @b\n @b");
        check("mod a { @m");
        check("@m } @m");
    }
}
