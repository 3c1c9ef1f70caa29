//! Which pointers need an address.
//!
//! A Function variable whose pointer is only loaded from, stored to, and narrowed by constant indices can
//! live in registers, wherever its pointer is passed. One pass over all bodies finds the pointers that are
//! used otherwise; from there the need for an address spreads to whatever a pointer was derived from.

use crate::load::grammar::Op;
use crate::load::words::Instruction;
use crate::load::{Id, Module};
use std::collections::{HashMap, HashSet};

/// The ids of pointers that need an address; other values may be among them.
#[derive(Debug, Default)]
pub(crate) struct Escaped(HashSet<Id>);

impl Escaped {
    pub(crate) fn contains(&self, pointer: Id) -> bool {
        self.0.contains(&pointer)
    }
}

/// Finds them for all functions of a module.
pub(crate) fn escaping_pointers(module: &Module<'_>) -> Escaped {
    let mut uses = Uses { module, escaped: HashSet::new(), derived: HashMap::new(), casts: HashMap::new() };
    for function in module.functions.values() {
        for block in &function.blocks {
            block.body.iter().chain([&block.terminator]).for_each(|inst| uses.take(inst));
        }
    }
    uses.spread()
}

struct Uses<'a, 'w> {
    module: &'a Module<'w>,
    escaped: HashSet<Id>,
    /// What each pointer was derived from.
    derived: HashMap<Id, Vec<Id>>,
    /// The pointers that are casts of others, which may mark lifetimes and nothing else.
    casts: HashMap<Id, Id>,
}

impl Uses<'_, '_> {
    fn take(&mut self, inst: &Instruction<'_>) {
        let operands = inst.operands;
        match (inst.op, operands) {
            (Op::Load, &[pointer, ..]) => self.access(pointer),
            (Op::Store, &[pointer, value, ..]) => {
                self.access(pointer);
                self.escaped.insert(value);
            }
            (Op::AccessChain | Op::InBoundsAccessChain, &[base, ref indices @ ..])
                if self.all_constant(indices) =>
            {
                self.derive(inst.result, base);
            }
            (Op::PtrAccessChain | Op::InBoundsPtrAccessChain, &[base, first, ref indices @ ..])
                if self.is_zero(first) && self.all_constant(indices) =>
            {
                self.derive(inst.result, base);
            }
            (Op::LifetimeStart | Op::LifetimeStop, _) => {}
            (Op::Bitcast, &[pointer]) => {
                self.casts.insert(inst.result, pointer);
            }
            (Op::FunctionCall, &[callee, ref arguments @ ..]) => self.call(callee, arguments),
            (Op::CompositeExtract | Op::Switch, &[value, ..]) => {
                self.escaped.insert(value);
            }
            (Op::CompositeInsert | Op::VectorShuffle, &[first, second, ..]) => {
                self.escaped.extend([first, second]);
            }
            _ => self.escaped.extend(operands),
        }
    }

    /// A cast that is accessed through gives its pointer a second type.
    fn access(&mut self, pointer: Id) {
        if self.casts.contains_key(&pointer) {
            self.escaped.insert(pointer);
        }
    }

    fn derive(&mut self, result: Id, base: Id) {
        self.access(base);
        self.derived.entry(result).or_default().push(base);
    }

    fn call(&mut self, callee: Id, arguments: &[Id]) {
        let Some(function) = self.module.functions.get(&callee) else { return };
        for (&(parameter, _), &argument) in function.parameters.iter().zip(arguments) {
            self.derive(parameter, argument);
        }
        if function.blocks.is_empty() {
            self.escaped.extend(arguments);
        }
    }

    fn all_constant(&self, indices: &[Id]) -> bool {
        indices.iter().all(|&id| self.module.constants.integer(id, &self.module.types).is_some())
    }

    fn is_zero(&self, id: Id) -> bool {
        self.module.constants.integer(id, &self.module.types) == Some(0)
    }

    fn spread(mut self) -> Escaped {
        // A cast may have been accessed in a function that came before the cast itself was seen.
        let cast_and_used: Vec<Id> = self.derived.values().flatten().copied().collect();
        cast_and_used.into_iter().for_each(|base| self.access(base));
        let mut work: Vec<Id> = self.escaped.iter().copied().collect();
        while let Some(id) = work.pop() {
            let bases = self.derived.get(&id).into_iter().flatten().chain(self.casts.get(&id));
            for &base in bases {
                if self.escaped.insert(base) {
                    work.push(base);
                }
            }
        }
        Escaped(self.escaped)
    }
}
