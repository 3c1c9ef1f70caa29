//! What the compiler says about code that it does not take.
//!
//! A check makes a [`Diagnostic`] and hands it to a [`Diagnostics`]; a phase collects all of its own and the pipeline
//! stops between phases. Some errors, such as a mismatch of types, rustc finds as well, in the copy of the
//! function that it compiles for the host, and words them better; those are made with [`Diagnostic::left_to_rustc`] or
//! [`Diagnostic::known_to_rustc`].

mod catalogue;

pub use catalogue::Code;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

/// Something to point at where only a span is left of the user's code.
#[must_use]
pub fn marker(span: Span) -> TokenTree {
    Ident::new("code", span).into()
}

/// An error in the user's code.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The rule that is broken.
    pub code: Code,
    /// The first and the last token that it is about.
    pub span: (Span, Span),
    /// What is wrong, in one sentence.
    pub message: String,
    /// More about the why.
    pub notes: Vec<String>,
    /// How to put it right.
    pub help: Option<String>,
    /// Who tells the user.
    pub reporter: Reporter,
}

/// Who tells the user about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reporter {
    /// We do.
    Compiler,
    /// rustc, if it agrees that this is an error; else we do.
    RustcIfItAgrees,
    /// rustc, which is certain to find the same: the rule is one of syntax or of names, not of types.
    Rustc,
}

impl Diagnostic {
    /// An error about these tokens.
    #[must_use]
    pub fn new(code: Code, tokens: &dyn ToTokens, message: impl Into<String>) -> Self {
        Self {
            code,
            span: ends(tokens.to_token_stream()),
            message: message.into(),
            notes: Vec::new(),
            help: None,
            reporter: Reporter::Compiler,
        }
    }

    /// An error that rustc reports too, so that ours is only shown if rustc turns out not to.
    #[must_use]
    pub fn left_to_rustc(tokens: &dyn ToTokens, message: impl Into<String>) -> Self {
        Self { reporter: Reporter::RustcIfItAgrees, ..Self::new(Code::Disagreement, tokens, message) }
    }

    /// An error that rustc is certain to report, so that ours is never shown.
    #[must_use]
    pub fn known_to_rustc(tokens: &dyn ToTokens, message: impl Into<String>) -> Self {
        Self { reporter: Reporter::Rustc, ..Self::new(Code::Disagreement, tokens, message) }
    }

    /// An error about a call that closes a cycle of calls.
    #[must_use]
    pub fn recursion(call: &dyn ToTokens, message: impl Into<String>, cycle: &str) -> Self {
        Self::new(Code::Recursion, call, message)
            .note(format!("the cycle is {cycle}"))
            .environment("Validation Rules", "the static call graph must not contain cycles")
            .help("write it as a loop")
    }

    /// Names the rule that is broken.
    #[must_use]
    pub fn code(mut self, code: Code) -> Self {
        self.code = code;
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Cites the rule of the Level Zero SPIR-V environment that is broken: a section of the guide, and what it demands.
    #[must_use]
    pub fn environment(self, section: &str, demand: &str) -> Self {
        self.note(format!("Level Zero SPIR-V environment, {section}: {demand}"))
    }

    /// Says how to put it right.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The whole text, as the user sees it after `error: `.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("[{}] {}", self.code.name(), self.message);
        for note in &self.notes {
            text.push_str("\n  note: ");
            text.push_str(note);
        }
        if let Some(help) = &self.help {
            text.push_str("\n  help: ");
            text.push_str(help);
        }
        text
    }

    /// Returns whether it is about code that the compiler itself has made, which stands where the macro is called.
    fn is_without_place(&self) -> bool {
        place(self.span.0) == place(Span::call_site())
    }

    /// Returns whether another one says the same of the same code.
    fn is_same(&self, other: &Self) -> bool {
        self.message == other.message && place(self.span.0) == place(other.span.0)
    }

    /// The tokens that make rustc report this error, as a statement or an item.
    #[must_use]
    pub fn to_compile_error(&self) -> TokenStream {
        let (first, last) = self.span;
        let text = self.text();
        let message = quote_spanned!(last=> { #text });
        quote_spanned!(first=> ::core::compile_error! #message)
    }
}

/// Where a span is: its file, its start and its end.
fn place(span: Span) -> (String, [usize; 4]) {
    let (start, end) = (span.start(), span.end());
    (span.file(), [start.line, start.column, end.line, end.column])
}

/// The first and the last span of some tokens.
fn ends(tokens: TokenStream) -> (Span, Span) {
    let mut tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => (group.span_open(), group.span_close()),
        other => (other.span(), other.span()),
    });
    let Some((first, mut last)) = tokens.next() else {
        return (Span::call_site(), Span::call_site());
    };
    if let Some((_, end)) = tokens.last() {
        last = end;
    }
    (first, last)
}

/// The errors of a phase.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Adds an error.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }

    /// Adds an error that may be found in several places for one mistake.
    pub fn push_once(&mut self, diagnostic: Diagnostic) {
        if !self.0.iter().any(|known| known.is_same(&diagnostic)) {
            self.push(diagnostic);
        }
    }

    /// Adds all errors of another collection.
    pub fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// Adds those errors of another collection that are not known yet.
    pub fn append_once(&mut self, other: Self) {
        other.0.into_iter().for_each(|diagnostic| self.push_once(diagnostic));
    }

    /// Returns whether there is no error.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The errors, in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Forgets all but the first `known` of them.
    pub fn truncate(&mut self, known: usize) {
        self.0.truncate(known);
    }

    /// Leaves all but the first `known` of them to rustc, if it agrees.
    pub fn leave_to_rustc(&mut self, known: usize) {
        for diagnostic in self.0.iter_mut().skip(known) {
            diagnostic.reporter = Reporter::RustcIfItAgrees;
        }
    }

    /// Places all but the first `known` of them, as far as they are about code that no user has written.
    pub fn place(&mut self, span: Span, known: usize) {
        for diagnostic in self.0.iter_mut().skip(known).filter(|diagnostic| diagnostic.is_without_place()) {
            diagnostic.span = (span, span);
        }
    }

    /// Ends a phase: its result, or what was wrong.
    ///
    /// # Errors
    ///
    /// The collected diagnostics, if there are any.
    pub fn finish<T>(self, result: T) -> Result<T, Self> {
        if self.is_empty() { Ok(result) } else { Err(self) }
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(vec![diagnostic])
    }
}
