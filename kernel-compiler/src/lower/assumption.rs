//! The conditions of a kernel, which the host checks before a launch: they are computed by themselves, for the analysis alone.

use super::FunctionLowering;
use super::memory::Memory;
use super::overflow::Author;
use crate::ir::Assumption;

impl FunctionLowering<'_, '_, '_, '_> {
    /// Lowers the conditions for the arguments as they are before anything is assigned to them.
    pub(super) fn conditions(&mut self, arguments: &[Memory]) {
        for (binding, argument) in self.function.parameters.iter().zip(arguments) {
            self.slots.insert(*binding, argument.clone());
        }
        let author = std::mem::replace(&mut self.builder.author, Author::Host);
        for condition in &self.function.conditions {
            self.builder.open();
            let condition = self.value(condition);
            let block = self.builder.close();
            self.builder.module.assumptions.push(Assumption { block, condition });
        }
        self.builder.author = author;
        self.slots.clear();
    }
}
