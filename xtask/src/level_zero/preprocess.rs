//! The little of the C preprocessor that the headers need: include guards, the switches for compilers
//! and platforms, and object-like macros.
//!
//! The headers are read as a C compiler of the GNU family on Linux reads them. A directive that is not
//! understood is an error, so that a newer header cannot lose a declaration silently.

use std::collections::BTreeSet;

use super::error::HeaderError;

/// An object-like macro with a body.
pub(super) struct Define<'a> {
    pub(super) name: &'a str,
    pub(super) body: &'a str,
    pub(super) line: usize,
}

#[derive(Default)]
pub(super) struct Preprocessed<'a> {
    /// The lines that are left, with their numbers in the file.
    pub(super) lines: Vec<(usize, &'a str)>,
    pub(super) defines: Vec<Define<'a>>,
}

/// Splits a header into the lines that a compiler would see and the macros it would define.
pub(super) fn preprocess(source: &str) -> Result<Preprocessed<'_>, HeaderError> {
    let mut state = State::default();
    for (index, line) in source.lines().enumerate() {
        let number = index + 1;
        match line.trim_start().strip_prefix('#') {
            Some(directive) => state.directive(directive.trim(), number)?,
            None if state.is_active() => state.out.lines.push((number, line)),
            None => {}
        }
    }
    match state.conditions.is_empty() {
        true => Ok(state.out),
        false => Err(HeaderError::new(source.lines().count(), "an #if has no #endif")),
    }
}

#[derive(Default)]
struct State<'a> {
    out: Preprocessed<'a>,
    defined: BTreeSet<&'a str>,
    /// For each open `#if`, whether its current branch is taken.
    conditions: Vec<bool>,
}

impl<'a> State<'a> {
    fn is_active(&self) -> bool {
        self.conditions.iter().all(|&taken| taken)
    }

    fn directive(&mut self, directive: &'a str, line: usize) -> Result<(), HeaderError> {
        let (keyword, rest) = split_word(directive);
        match keyword {
            "if" => {
                let taken = condition(rest)
                    .ok_or_else(|| HeaderError::new(line, format!("condition `{rest}` is not understood")))?;
                self.conditions.push(taken);
            }
            "ifndef" => self.conditions.push(!self.defined.contains(rest)),
            "else" => match self.conditions.last_mut() {
                Some(taken) => *taken = !*taken,
                None => return Err(HeaderError::new(line, "#else without #if")),
            },
            "endif" => {
                let open = self.conditions.pop();
                open.ok_or_else(|| HeaderError::new(line, "#endif without #if"))?;
            }
            "define" if self.is_active() => self.define(rest, line),
            "define" | "pragma" | "include" => {}
            _ => return Err(HeaderError::new(line, format!("directive `#{keyword}` is not understood"))),
        }
        Ok(())
    }

    /// Function-like macros are remembered as defined only; the parser knows their meaning by name.
    fn define(&mut self, rest: &'a str, line: usize) {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (name, tail) = rest.split_at(end);
        self.defined.insert(name);
        let body = tail.trim();
        if !tail.starts_with('(') && !body.is_empty() {
            self.out.defines.push(Define { name, body, line });
        }
    }
}

/// The conditions that occur, decided for a GNU C compiler on Linux.
fn condition(text: &str) -> Option<bool> {
    match text {
        "defined(__cplusplus)" | "defined(_WIN32)" | "!defined(__GNUC__)" => Some(false),
        "__GNUC__ >= 4" => Some(true),
        _ => None,
    }
}

fn split_word(text: &str) -> (&str, &str) {
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (text, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::preprocess;

    #[test]
    fn keeps_the_active_branch_and_the_macros() {
        let source = "#ifndef A\n#define A 1\nint a;\n#endif\n#ifndef A\nint b;\n#else\nint c;\n#endif\n#define F(x) x\n";
        let out = preprocess(source).unwrap();
        assert_eq!(out.lines, [(3, "int a;"), (8, "int c;")]);
        let defines: Vec<_> = out.defines.iter().map(|d| (d.name, d.body, d.line)).collect();
        assert_eq!(defines, [("A", "1", 2)]);
    }

    #[test]
    fn refuses_what_it_does_not_understand() {
        for (source, line) in [("#if FOO\n#endif", 1), ("\n#elif 1", 2), ("#endif", 1), ("#ifndef A\n", 1)] {
            assert_eq!(preprocess(source).err().map(|e| e.line()), Some(line), "{source:?}");
        }
    }
}
