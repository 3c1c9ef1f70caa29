//! Format strings, as the documentation of `std::fmt` has their syntax.

/// An argument that a format string uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    /// By its position.
    Position(usize),
    /// By its name.
    Name(String),
}

/// A part of a format string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Value(Placeholder),
}

/// How an argument is formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placeholder {
    pub(super) argument: Reference,
    pub(super) fill: char,
    /// `<`, `^` or `>`.
    pub(super) align: Option<char>,
    pub(super) is_plus: bool,
    pub(super) is_alternate: bool,
    pub(super) is_zero: bool,
    pub(super) width: Option<Count>,
    pub(super) precision: Option<Count>,
    /// What stands for the trait: nothing, `x`, `?`.
    pub(super) by: String,
}

impl Default for Placeholder {
    fn default() -> Self {
        Self {
            argument: Reference::Position(0),
            fill: ' ',
            align: None,
            is_plus: false,
            is_alternate: false,
            is_zero: false,
            width: None,
            precision: None,
            by: String::new(),
        }
    }
}

/// A width or a precision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Count {
    Number(usize),
    Of(Reference),
}

/// How an argument is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As a width or a precision, of type `usize`.
    Count,
    /// As what it says of itself: `{}`.
    Display,
    /// As what it consists of: `{:?}`.
    Debug,
    /// As a number: `{:e}`.
    Number,
    /// As an integer: `{:x}`, `{:b}`.
    Integer,
}

/// The arguments that a format string uses, in order; none if it is not one that rustc takes for scalars.
pub(super) fn uses(text: &str) -> Option<Vec<(Reference, Form)>> {
    Some(Scanner::of(text)?.uses)
}

/// The parts of a format string, in order; none if it is not one that rustc takes for scalars.
pub(super) fn pieces(text: &str) -> Option<Vec<Piece>> {
    Some(Scanner::of(text)?.pieces)
}

struct Scanner<'a> {
    rest: &'a str,
    /// The position of the next argument that is not named.
    next: usize,
    uses: Vec<(Reference, Form)>,
    pieces: Vec<Piece>,
}

impl<'a> Scanner<'a> {
    /// One that has gone through a format string.
    fn of(text: &'a str) -> Option<Self> {
        let mut scanner = Scanner { rest: text, next: 0, uses: Vec::new(), pieces: Vec::new() };
        while !scanner.rest.is_empty() {
            if scanner.takes("{{") {
                scanner.text('{');
            } else if scanner.takes("}}") {
                scanner.text('}');
            } else if scanner.takes("{") {
                scanner.placeholder()?;
            } else {
                match scanner.take_char()? {
                    '}' => return None,
                    char => scanner.text(char),
                }
            }
        }
        Some(scanner)
    }

    fn text(&mut self, char: char) {
        match self.pieces.last_mut() {
            Some(Piece::Text(text)) => text.push(char),
            _ => self.pieces.push(Piece::Text(char.to_string())),
        }
    }

    fn takes(&mut self, token: &str) -> bool {
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn take_char(&mut self) -> Option<char> {
        let char = self.rest.chars().next()?;
        self.rest = &self.rest[char.len_utf8()..];
        Some(char)
    }

    fn take_while(&mut self, holds: impl Fn(char) -> bool) -> &'a str {
        let (taken, rest) =
            self.rest.split_at(self.rest.find(|char| !holds(char)).unwrap_or(self.rest.len()));
        self.rest = rest;
        taken
    }

    /// What is between the braces, with the closing one.
    fn placeholder(&mut self) -> Option<()> {
        let argument = self.argument();
        let mut placeholder = Placeholder::default();
        let form = if self.takes(":") { self.spec(&mut placeholder)? } else { Form::Display };
        let argument = argument.unwrap_or_else(|| self.following());
        self.uses.push((argument.clone(), form));
        self.pieces.push(Piece::Value(Placeholder { argument, ..placeholder }));
        self.take_while(char::is_whitespace);
        self.takes("}").then_some(())
    }

    /// What comes after the colon. A precision of `*` takes an argument before that which is formatted.
    fn spec(&mut self, of: &mut Placeholder) -> Option<Form> {
        let mut ahead = self.rest.chars();
        let aligns = |char: Option<char>| matches!(char, Some('<' | '^' | '>'));
        let (first, second) = (ahead.next(), ahead.next());
        if aligns(second) {
            of.fill = self.take_char()?;
            of.align = self.take_char();
        } else if aligns(first) {
            of.align = self.take_char();
        }
        of.is_plus = self.takes("+");
        let _minus = !of.is_plus && self.takes("-");
        of.is_alternate = self.takes("#");
        // `0$` is a width, not the flag.
        of.is_zero = !self.rest.starts_with("0$") && self.takes("0");
        of.width = self.count();
        if self.takes(".") {
            if self.takes("*") {
                let count = self.following();
                self.uses.push((count.clone(), Form::Count));
                of.precision = Some(Count::Of(count));
            } else {
                of.precision = Some(self.count()?);
            }
        }
        let by = self.take_while(|char| !char.is_whitespace() && char != '}');
        by.clone_into(&mut of.by);
        match by {
            "" => Some(Form::Display),
            "?" | "x?" | "X?" => Some(Form::Debug),
            "e" | "E" => Some(Form::Number),
            "x" | "X" | "b" | "o" => Some(Form::Integer),
            _ => None,
        }
    }

    /// A width or a precision, if there is one.
    fn count(&mut self) -> Option<Count> {
        let before = self.rest;
        match self.argument() {
            Some(argument) if self.takes("$") => {
                self.uses.push((argument.clone(), Form::Count));
                Some(Count::Of(argument))
            }
            Some(Reference::Position(number)) => Some(Count::Number(number)),
            // The name is that of a trait.
            _ => {
                self.rest = before;
                None
            }
        }
    }

    /// A name or a position.
    fn argument(&mut self) -> Option<Reference> {
        let digits = self.take_while(|char| char.is_ascii_digit());
        if !digits.is_empty() {
            return digits.parse().ok().map(Reference::Position);
        }
        let before = self.rest;
        let name = self.take_while(|char| char == '_' || char.is_alphanumeric());
        if name == "self" || syn::parse_str::<syn::Ident>(name).is_ok() {
            return Some(Reference::Name(name.to_owned()));
        }
        self.rest = before;
        None
    }

    /// The next argument that is not named.
    fn following(&mut self) -> Reference {
        self.next += 1;
        Reference::Position(self.next - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Form::*;

    fn named(name: &str) -> Reference {
        Reference::Name(name.to_owned())
    }

    #[test]
    fn arguments_are_found_with_how_they_are_used() {
        let at = Reference::Position;
        let found = |text| uses(text).unwrap();
        assert_eq!(
            found("{x} {{y}} {} {0} {z:?}"),
            [(named("x"), Display), (at(0), Display), (at(0), Display), (named("z"), Debug)]
        );
        assert_eq!(found("{self:?}"), [(named("self"), Debug)]);
        assert_eq!(found("{:>w$.p$}"), [(named("w"), Count), (named("p"), Count), (at(0), Display)]);
        assert_eq!(
            found("{:.*} {:1$}"),
            [(at(0), Count), (at(1), Display), (at(1), Count), (at(2), Display)]
        );
        assert_eq!(found("{:#06x}{a:08b}{:e}"), [(at(0), Integer), (named("a"), Integer), (at(1), Number)]);
        assert_eq!(
            found("{:x>5}{:+.2e}{:#?}{: >0$}"),
            [(at(0), Display), (at(1), Number), (at(2), Debug), (at(0), Count), (at(3), Display)]
        );
    }

    #[test]
    fn the_parts_of_a_format_string() {
        let value = |placeholder| Piece::Value(placeholder);
        let found = pieces("a{{{0:*^+#07.w$x}}}{}").unwrap();
        let full = Placeholder {
            fill: '*',
            align: Some('^'),
            is_plus: true,
            is_alternate: true,
            is_zero: true,
            width: Some(super::Count::Number(7)),
            precision: Some(super::Count::Of(named("w"))),
            by: "x".to_owned(),
            ..Placeholder::default()
        };
        let texts = ["a{", "}"].map(|text| Piece::Text(text.to_owned()));
        let [before, between] = texts;
        assert_eq!(found, [before, value(full), between, value(Placeholder::default())]);
    }

    #[test]
    fn what_rustc_refuses_is_none() {
        for text in ["{", "}", "{x", "{x:", "{:k}", "{:p}", "{x y}", "{:.}"] {
            assert_eq!(uses(text), None, "{text}");
        }
    }
}
