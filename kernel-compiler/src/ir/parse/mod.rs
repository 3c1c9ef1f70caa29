//! Reads the textual form that [`Module`] is displayed in; `docs/ir.md` describes it.
//!
//! What comes out keeps the form, and names nothing that is not there. Whether it keeps the rules of the representation is for
//! [`Module::verify`] to say.

mod body;
mod declaration;
mod error;
mod lexer;
mod literal;
mod operation;
mod place;
mod shown;
mod size;
mod types;

pub use error::ParseError;

use super::text::{Word, is_bare};
use super::{Arena, Export, Handle, Module, Op, Type, Value, Variable};
use crate::hash::HashMap;
use lexer::{Kind, Token};
use proc_macro2::Span;
use std::collections::BTreeMap;
use std::str::FromStr;

/// How deep blocks, types and what is formatted may be nested; more than the compiler makes.
const MAX_DEPTH: u32 = 200;

impl Module {
    /// Reads the text of a module, which comes from nowhere in a source.
    ///
    /// # Errors
    ///
    /// The first place where the text is not that of a module.
    pub fn parse(text: &str) -> Result<Self> {
        let (tokens, mentioned) = lexer::tokens(text)?;
        Parser::new(text, tokens, mentioned).module()
    }
}

impl FromStr for Module {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

type Result<T> = std::result::Result<T, ParseError>;

/// The state of a walk through the tokens of a module.
struct Parser<'t> {
    text: &'t str,
    /// At least one: the last one is [`Kind::End`].
    tokens: Vec<Token<'t>>,
    /// The position of the next token.
    at: usize,
    depth: u32,
    module: Module,
    /// The types that are not structs.
    known_types: HashMap<Type, Handle<Type>>,
    /// The structs, by their names and, where these do not suffice, their positions.
    structs: HashMap<(String, Option<u32>), Handle<Type>>,
    /// The values by their numbers, which become those of the module at the end.
    values: BTreeMap<u32, Value>,
    /// The numbers of values in the text, each with where it is first.
    mentioned: HashMap<u32, usize>,
    /// From which number on there may be one for a leaf that has none in the text.
    implied: u32,
    /// The values of parameters.
    named: HashMap<String, Handle<Value>>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, tokens: Vec<Token<'t>>, mentioned: HashMap<u32, usize>) -> Self {
        Self {
            text,
            tokens,
            at: 0,
            depth: 0,
            module: Module::empty(String::new()),
            known_types: HashMap::default(),
            structs: HashMap::default(),
            values: BTreeMap::new(),
            mentioned,
            implied: 0,
            named: HashMap::default(),
        }
    }

    fn module(mut self) -> Result<Module> {
        self.types()?;
        let is_export = self.takes_word("export");
        if !is_export {
            self.expect_word("kernel")?;
        }
        self.module.name = self.name()?;
        self.parameters()?;
        let result = self.at;
        let has_result = is_export && self.takes("->");
        if has_result {
            self.skip();
        }
        self.attributes()?;
        self.expect("{")?;
        self.declarations()?;
        if is_export {
            let result = if has_result { Some(self.returned(result + 1)?) } else { None };
            self.module.export = Some(Export { result });
        }
        self.module.body = self.block()?;
        self.expect("}")?;
        if self.takes_word("loose") {
            self.expect("{")?;
            while !self.takes("}") {
                self.definition()?;
            }
        }
        if self.next().kind != Kind::End {
            return Err(self.error("the end of the text"));
        }
        self.numbered()
    }

    /// The variable that a function for other modules returns, which the text names before it declares it.
    fn returned(&mut self, at: usize) -> Result<Handle<Variable>> {
        let after = std::mem::replace(&mut self.at, at);
        let variable = self.declared('$', |module| &module.variables)?;
        self.at = after;
        Ok(variable)
    }

    /// The module with its values, whose numbers have no gaps.
    fn numbered(mut self) -> Result<Module> {
        let mut undefined: Vec<_> = self.mentioned.iter().collect();
        undefined.retain(|(number, _)| !self.values.contains_key(number));
        if let Some((number, at)) = undefined.into_iter().min_by_key(|(_, at)| **at) {
            return Err(ParseError::at(self.text, *at, format!("a value `%{number}` in the text"), "none"));
        }
        for (expected, (number, value)) in (0..).zip(std::mem::take(&mut self.values)) {
            if number != expected {
                let at = self.mentioned.get(&number).copied().unwrap_or_default();
                return Err(ParseError::at(self.text, at, format!("`%{expected}`"), &format!("`%{number}`")));
            }
            self.module.values.push(value);
        }
        Ok(self.module)
    }

    // Values.

    /// The value that a number stands for.
    fn value_of(number: u32) -> Handle<Value> {
        Handle::new(number as usize)
    }

    /// The type of a value, if it is known by now.
    fn type_of(&self, value: Handle<Value>) -> Option<Handle<Type>> {
        let number = u32::try_from(value.index()).ok()?;
        self.values.get(&number).map(|value| value.ty)
    }

    /// A value that stands where it is used, with its number in the text if it has one.
    fn leaf(&mut self, ty: Handle<Type>, op: Op, number: Option<u32>) -> Result<Handle<Value>> {
        let number = number.unwrap_or_else(|| self.imply());
        let value = Value { ty, op, span: Span::call_site() };
        match self.values.get(&number) {
            Some(known) if *known != value => Err(self.error_before("what has this number elsewhere too")),
            Some(_) => Ok(Self::value_of(number)),
            None => {
                self.values.insert(number, value);
                Ok(Self::value_of(number))
            }
        }
    }

    /// The lowest number that is not in the text and that no leaf before has.
    fn imply(&mut self) -> u32 {
        while self.mentioned.contains_key(&self.implied) {
            self.implied += 1;
        }
        self.implied += 1;
        self.implied - 1
    }

    // Tokens.

    fn next(&self) -> &Token<'t> {
        &self.tokens[self.at]
    }

    /// The token after the next one.
    fn second(&self) -> &Token<'t> {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)]
    }

    fn skip(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// The error that something else than the next token is expected.
    fn error(&self, expected: impl Into<String>) -> ParseError {
        self.error_at(self.at, expected)
    }

    /// The same of the token before.
    fn error_before(&self, expected: impl Into<String>) -> ParseError {
        self.error_at(self.at.saturating_sub(1), expected)
    }

    fn error_at(&self, position: usize, expected: impl Into<String>) -> ParseError {
        let token = &self.tokens[position];
        let end = self.tokens.get(position + 1).map_or(self.text.len(), |next| next.start);
        let found = match token.kind {
            Kind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", lexer::first_line(&self.text[token.start..end])),
        };
        ParseError::at(self.text, token.start, expected.into(), &found)
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.next().kind, Kind::Symbol(found) if found == symbol)
    }

    fn takes(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.skip();
        }
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<()> {
        if self.takes(symbol) { Ok(()) } else { Err(self.error(format!("`{symbol}`"))) }
    }

    /// The next token, if it is a word without a number.
    fn word(&self) -> Option<&'t str> {
        match self.next() {
            Token { kind: Kind::Word(word), number: None, .. } => Some(word),
            _ => None,
        }
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let found = self.word() == Some(word);
        if found {
            self.skip();
        }
        found
    }

    fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.takes_word(word) { Ok(()) } else { Err(self.error(format!("`{word}`"))) }
    }

    /// One of a few things by its word.
    fn choice<T: Word>(&mut self) -> Result<T> {
        let found = match self.next().kind {
            Kind::Word(word) | Kind::Symbol(word) => T::from_word(word),
            _ => None,
        };
        let Some(found) = found.filter(|_| self.next().number.is_none()) else {
            let words: Vec<_> = T::ALL.iter().map(|one| format!("`{}`", one.word())).collect();
            return Err(self.error(format!("one of {}", words.join(", "))));
        };
        self.skip();
        Ok(found)
    }

    /// A name of the source, if there is one.
    fn takes_name(&mut self) -> Option<String> {
        let name = match &self.next().kind {
            Kind::Text(name) => name.clone(),
            Kind::Word(_) => self.word().filter(|word| is_bare(word))?.to_owned(),
            _ => return None,
        };
        self.skip();
        Some(name)
    }

    fn name(&mut self) -> Result<String> {
        self.takes_name().ok_or_else(|| self.error("a name"))
    }

    fn string(&mut self) -> Result<String> {
        let Kind::Text(text) = &self.next().kind else { return Err(self.error("a string")) };
        let text = text.clone();
        self.skip();
        Ok(text)
    }

    fn number<N: FromStr>(&mut self) -> Result<N> {
        let number = match self.next() {
            Token { kind: Kind::Number(text), number: None, .. } => text.parse().ok(),
            _ => None,
        };
        let number = number.ok_or_else(|| self.error("a number"))?;
        self.skip();
        Ok(number)
    }

    /// A sigil with the position of something that has been declared, in an arena.
    fn declared<T>(&mut self, sigil: char, arena: impl Fn(&Module) -> &Arena<T>) -> Result<Handle<T>> {
        let len = arena(&self.module).len();
        match self.next().kind {
            Kind::Sigil(found, position) if found == sigil && (position as usize) < len => {
                self.skip();
                Ok(Handle::new(position as usize))
            }
            _ => Err(self.error(format!("`{sigil}` and the number of one that is declared"))),
        }
    }

    /// A sigil with the position of what is declared now.
    fn declares(&mut self, sigil: char, position: usize) -> Result<()> {
        match self.next().kind {
            Kind::Sigil(found, number) if found == sigil && number as usize == position => {
                self.skip();
                Ok(())
            }
            _ => Err(self.error(format!("`{sigil}{position}`"))),
        }
    }

    /// Items in parentheses, separated by commas.
    fn parenthesised<T>(&mut self, item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.expect("(")?;
        self.until(")", item)
    }

    /// Items separated by commas, and what closes them.
    fn until<T>(&mut self, end: &str, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        if self.takes(end) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.takes(end) {
                return Ok(items);
            }
            if !self.takes(",") {
                return Err(self.error(format!("`,` or `{end}`")));
            }
        }
    }

    /// What is nested one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(format!("no more than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }
}
