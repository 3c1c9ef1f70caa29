//! Variables to which nothing is stored but one constant.
//!
//! Code that is written once for many uses asks what is known in each: which separator text is split at, whether a format has a width. Where that is in a
//! variable, one pass finds out that no other number is stored there, and the next has the number wherever the variable is read, and only the code that is left of
//! the branches that it decides. What a pass has taken for granted it must find again: then no read of the variable could have come to anything else, since the
//! first that did would come after a store of something else.

use super::builder::Builder;
use super::identity::Identity;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Base, Block, Handle, Op, Place, Statement, Variable};

/// What is known of the variables that hold one constant.
#[derive(Clone, Debug, Default)]
pub(super) struct ConstantVariables {
    /// The bit patterns that the last pass has found.
    known: HashMap<Identity, u64>,
    /// What of that this pass has relied on.
    used: HashSet<Identity>,
    /// Those of this pass.
    found: HashMap<Identity, u64>,
}

impl ConstantVariables {
    /// Returns whether this pass has found all that it relies on.
    pub(super) fn is_settled(&self) -> bool {
        self.used.iter().all(|variable| self.found.get(variable) == self.known.get(variable))
    }

    /// What the next pass starts from; if what is known must not grow any more, no more than what this one has started from.
    pub(super) fn next_pass(self, may_grow: bool) -> Self {
        let Self { known, mut found, .. } = self;
        if !may_grow {
            found.retain(|variable, constant| known.get(variable) == Some(constant));
        }
        Self { known: found, ..Self::default() }
    }
}

impl Builder<'_, '_> {
    /// The constant that is read from a place for certain, by its bit pattern.
    pub(super) fn constant_at(&mut self, place: &Place) -> Option<u64> {
        let Base::Variable(variable) = place.base else { return None };
        let identity = *self.identities.get(&variable)?;
        let constants = &mut self.module.constant_variables;
        let constant = *constants.known.get(&identity).filter(|_| place.path.is_empty())?;
        constants.used.insert(identity);
        Some(constant)
    }

    /// Takes note of the variables that hold one constant in the whole of a body.
    pub(super) fn find_constant_variables(&mut self, body: &Block) {
        // No constant where there have been several, or something else.
        let mut stored: HashMap<Handle<Variable>, Option<u64>> = HashMap::default();
        body.for_each_statement(&mut |statement| {
            let Statement::Store { place: Place { base: Base::Variable(variable), path }, value } = statement
            else {
                return;
            };
            let constant = self.constant_of(*value).filter(|_| path.is_empty());
            stored
                .entry(*variable)
                .and_modify(|known| *known = known.filter(|_| *known == constant))
                .or_insert(constant);
        });
        for (_, value) in self.values.iter() {
            let place = match &value.op {
                Op::Load(_) => continue,
                Op::BlockAccess(access) => Some(&access.place),
                other => other.place(),
            };
            if let Some(Place { base: Base::Variable(variable), .. }) = place {
                stored.insert(*variable, None);
            }
        }
        let found = stored
            .into_iter()
            .filter_map(|(variable, constant)| Some((*self.identities.get(&variable)?, constant?)));
        self.module.constant_variables.found = found.collect();
    }
}
