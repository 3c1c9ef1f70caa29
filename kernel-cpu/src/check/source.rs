//! Where in a module an instruction stands, for people.

use crate::load::grammar::Op;
use crate::load::words::{instructions, string};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The words of a module, in which instructions are looked up when there is something to tell.
#[derive(Clone, Debug)]
pub(crate) struct Sources(pub(crate) Arc<[u32]>);

/// Where an instruction stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Position {
    /// The name of the function, if it has one.
    pub function: Option<String>,
    /// File, line and column, if the module has them (OpLine).
    pub line: Option<(String, u32, u32)>,
    /// The offset of the instruction in words.
    pub word: u32,
}

impl Sources {
    /// Where the instruction at an offset stands; takes time in proportion to the module.
    pub(crate) fn position(&self, word: u32) -> Position {
        Position::in_module(&self.0, word)
    }
}

impl Position {
    /// Where the instruction at an offset of a module stands; takes time in proportion to the module.
    pub(crate) fn in_module(words: &[u32], word: u32) -> Self {
        let mut position = Self { word, ..Self::default() };
        let Ok((_, all)) = instructions(words) else { return position };
        let mut strings = HashMap::new();
        let mut names = HashMap::new();
        let (mut function, mut line) = (0, None);
        for inst in all.iter().take_while(|inst| inst.offset <= word) {
            match inst.op {
                Op::String => {
                    strings.insert(inst.result, inst.operands);
                }
                Op::Name => {
                    if let Some((&id, name)) = inst.operands.split_first() {
                        names.insert(id, name);
                    }
                }
                // The name by which the host knows a kernel is better than any other.
                Op::EntryPoint => {
                    if let [_, id, name @ ..] = inst.operands {
                        names.insert(*id, name);
                    }
                }
                Op::Function => (function, line) = (inst.result, None),
                Op::Line => line = <[u32; 3]>::try_from(inst.operands).ok(),
                // A line holds to the end of a block at most.
                Op::NoLine
                | Op::Branch
                | Op::BranchConditional
                | Op::Switch
                | Op::Return
                | Op::ReturnValue => line = None,
                _ => {}
            }
        }
        let text = |words: Option<&&[u32]>| string(words?).map(|(text, _)| text);
        position.function = text(names.get(&function)).filter(|name| !name.is_empty());
        position.line = line.map(|[file, line, column]| {
            (text(strings.get(&file)).unwrap_or_else(|| "?".into()), line, column)
        });
        position
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, line, column)) = &self.line {
            write!(f, "{file}:{line}:{column}")?;
            return Ok(());
        }
        write!(f, "word {}", self.word)?;
        match &self.function {
            Some(function) => write!(f, " in `{function}`"),
            None => Ok(()),
        }
    }
}
