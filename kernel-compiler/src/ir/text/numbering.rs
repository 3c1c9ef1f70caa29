//! Which values stand where they are used, and which of these need no number there.
//!
//! Numbers are positions in the arena of values. A constant, a zero or the value of a parameter that no statement computes is a *leaf*.
//! A leaf without a number in the text has the lowest number that is neither mentioned anywhere nor that of a leaf before it. That
//! makes the right number of as many leaves as come in the order of their numbers; the others have theirs written.

use crate::hash::{HashMap, HashSet};
use crate::ir::{Handle, Module, Op, Statement, Type, Value};
use std::cell::RefCell;

/// What there is to know of the values of a module for its text.
pub(super) struct Numbering {
    leaves: Vec<bool>,
    evaluated: Vec<bool>,
    /// The values of the parameters that have one each.
    parameters: Vec<Option<Handle<Value>>>,
    /// The names that several structs have.
    shared: HashSet<String>,
    /// The leaves that need no number.
    implied: HashSet<Handle<Value>>,
    /// Where leaves stand in the text, in order.
    met: RefCell<Vec<Handle<Value>>>,
    /// The same, for look-up.
    is_met: RefCell<HashSet<Handle<Value>>>,
}

impl Numbering {
    pub(super) fn of(module: &Module) -> Self {
        let mut evaluated = vec![false; module.values.len()];
        let blocks = module.assumptions.iter().map(|assumption| &assumption.block).chain([&module.body]);
        for block in blocks {
            block.for_each_statement(&mut |statement| {
                if let Statement::Evaluate(value) = statement {
                    evaluated[value.index()] = true;
                }
            });
        }
        let parameters = parameters(module, &evaluated);
        let is_leaf = |(handle, value): (Handle<Value>, &Value)| match value.op {
            Op::Constant(_) => !evaluated[handle.index()] && module.numeric(value.ty).is_some(),
            Op::Zero => !evaluated[handle.index()],
            Op::Parameter(position) => parameters.get(position as usize) == Some(&Some(handle)),
            _ => false,
        };
        let leaves = module.values.iter().map(is_leaf).collect();
        Self {
            leaves,
            evaluated,
            parameters,
            shared: shared_names(module),
            implied: HashSet::default(),
            met: RefCell::default(),
            is_met: RefCell::default(),
        }
    }

    /// The same after all of the text has been written once.
    pub(super) fn renumbered(self) -> Self {
        let met = self.met.take();
        let mut uses = HashMap::default();
        for leaf in &met {
            *uses.entry(*leaf).or_insert(0) += 1;
        }
        let once: Vec<_> = met.into_iter().filter(|leaf| uses[leaf] == 1).collect();
        let implied = rising(&once).into_iter().collect();
        Self { implied, is_met: RefCell::default(), ..self }
    }

    /// Notes that a leaf stands here in the text.
    pub(super) fn meet(&self, leaf: Handle<Value>) {
        self.met.borrow_mut().push(leaf);
        self.is_met.borrow_mut().insert(leaf);
    }

    pub(super) fn is_met(&self, leaf: Handle<Value>) -> bool {
        self.is_met.borrow().contains(&leaf)
    }

    pub(super) fn is_leaf(&self, value: Handle<Value>) -> bool {
        self.leaves[value.index()]
    }

    /// Returns whether a value is neither computed by a statement nor a leaf.
    pub(super) fn is_loose(&self, value: Handle<Value>) -> bool {
        !self.evaluated[value.index()] && !self.is_leaf(value)
    }

    /// Returns whether a leaf goes without its number.
    pub(super) fn is_implied(&self, leaf: Handle<Value>) -> bool {
        self.implied.contains(&leaf)
    }

    /// The value that stands beside a parameter.
    pub(super) fn value_of(&self, parameter: usize) -> Option<Handle<Value>> {
        self.parameters[parameter]
    }

    /// Returns whether several structs have a name.
    pub(super) fn is_shared(&self, name: &str) -> bool {
        self.shared.contains(name)
    }
}

/// The value of each parameter that has one of its own type, and a name of its own.
fn parameters(module: &Module, evaluated: &[bool]) -> Vec<Option<Handle<Value>>> {
    let mut names = HashMap::default();
    for parameter in &module.parameters {
        *names.entry(&parameter.name).or_insert(0) += 1;
    }
    let mut found = vec![None; module.parameters.len()];
    for (handle, value) in module.values.iter() {
        let Op::Parameter(position) = value.op else { continue };
        let Some(parameter) = module.parameters.get(position as usize) else { continue };
        let is_its_own = value.ty == parameter.ty && names[&parameter.name] == 1;
        if is_its_own && !evaluated[handle.index()] {
            found[position as usize].get_or_insert(handle);
        }
    }
    found
}

fn shared_names(module: &Module) -> HashSet<String> {
    let (mut known, mut shared) = (HashSet::default(), HashSet::default());
    for (_, ty) in module.types.iter() {
        if let Type::Struct { name, .. } = ty
            && !known.insert(name)
        {
            shared.insert(name.clone());
        }
    }
    shared
}

/// As many of the leaves as possible whose numbers rise.
fn rising(leaves: &[Handle<Value>]) -> Vec<Handle<Value>> {
    // The position of the last leaf of the best sequence of each length, the one with the lowest number.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; leaves.len()];
    for (position, leaf) in leaves.iter().enumerate() {
        let length = ends.partition_point(|end| leaves[*end].index() < leaf.index());
        before[position] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = position,
            None => ends.push(position),
        }
    }
    std::iter::successors(ends.last().copied(), |position| before[*position]).map(|at| leaves[at]).collect()
}
