//! Which loops are around what.

use crate::hash::HashMap;
use crate::ir::{Block, Handle, Label, Module, Statement, Value};

/// The loops of a kernel that start over, and what is in them.
#[derive(Debug, Default)]
pub(super) struct Loops {
    /// Of each loop of any kind, the innermost that starts over and is around it.
    around: HashMap<Label, Option<Label>>,
    /// Of each value, by its position, the innermost that starts over and is around its computation.
    values: Vec<Option<Label>>,
    /// Whether a loop starts over.
    repeats: HashMap<Label, bool>,
}

impl Loops {
    pub(super) fn of(module: &Module) -> Self {
        let mut found = Self { values: vec![None; module.values.len()], ..Self::default() };
        found.block(&module.body, None);
        found
    }

    fn block(&mut self, block: &Block, around: Option<Label>) {
        for statement in &block.statements {
            match statement {
                Statement::Evaluate(value) => self.values[value.index()] = around,
                Statement::If { accept, reject, .. } => {
                    self.block(accept, around);
                    self.block(reject, around);
                }
                Statement::Loop { label, body, continuing } => {
                    let repeats = body.reaches_end_of(*label);
                    self.around.insert(*label, around);
                    self.repeats.insert(*label, repeats);
                    let inner = if repeats { Some(*label) } else { around };
                    self.block(body, inner);
                    self.block(continuing, inner);
                }
                _ => {}
            }
        }
    }

    /// The loops that start over and are around the computation of a value.
    pub(super) fn around_value(&self, value: Handle<Value>) -> impl Iterator<Item = Label> {
        self.from(self.values[value.index()])
    }

    /// The loops that start over and are around a loop.
    pub(super) fn around(&self, label: Label) -> impl Iterator<Item = Label> {
        self.from(self.around.get(&label).copied().flatten())
    }

    /// Returns whether a loop starts over.
    pub(super) fn repeats(&self, label: Label) -> bool {
        self.repeats.get(&label).copied().unwrap_or(false)
    }

    fn from(&self, innermost: Option<Label>) -> impl Iterator<Item = Label> {
        std::iter::successors(innermost, |label| self.around.get(label).copied().flatten())
    }
}
