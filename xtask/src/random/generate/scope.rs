//! The variables and slices that can be used, and places in them.

use super::Generator;
use crate::random::tree::{Expr, Node, Type, fill};
use kernel_core::Scalar;

/// What can be named here.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    variables: Vec<Variable>,
    slices: Vec<Slice>,
}

/// A variable, or a reference to something.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    /// Its type; of a reference, that of what it refers to.
    pub(super) ty: Type,
    pub(super) mutable: bool,
    pub(super) is_reference: bool,
    pub(super) lent: Lent,
}

/// Whether a variable is borrowed, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lent {
    No,
    /// It can be read.
    Shared,
    /// It cannot be used at all.
    Exclusively,
}

/// A slice.
#[derive(Clone, Debug)]
pub(super) struct Slice {
    pub(super) name: String,
    pub(super) element: Scalar,
    pub(super) kind: SliceKind,
    /// Whether it cannot be used for now.
    is_hidden: bool,
}

impl Slice {
    pub(super) fn new(name: impl Into<String>, element: Scalar, kind: SliceKind) -> Self {
        Self { name: name.into(), element, kind, is_hidden: false }
    }
}

/// What can be done with a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SliceKind {
    /// Reading anything.
    Input,
    /// The same, in local memory.
    Tile,
    /// Reading and writing so many elements for each work-item.
    Output(usize),
    /// Reading and writing anything: it is part of a variable.
    Own,
}

impl SliceKind {
    /// Returns whether every element can be read.
    pub(super) fn is_readable(self) -> bool {
        matches!(self, Self::Input | Self::Tile)
    }
}

/// What a place is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Read,
    /// Writing to it, or borrowing it for that.
    Write,
}

/// The state of a scope at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    variables: usize,
    slices: usize,
}

impl Scope {
    pub(super) fn mark(&self) -> Mark {
        Mark { variables: self.variables.len(), slices: self.slices.len() }
    }

    /// Takes away the variables and slices since a mark.
    pub(super) fn leave(&mut self, mark: Mark) {
        self.variables.truncate(mark.variables);
        self.slices.truncate(mark.slices);
    }

    pub(super) fn add_slice(&mut self, slice: Slice) {
        self.slices.push(slice);
    }

    /// The slices that can be used.
    pub(super) fn slices(&self) -> impl Iterator<Item = &Slice> {
        self.slices.iter().filter(|slice| !slice.is_hidden)
    }

    pub(super) fn define(&mut self, variable: Variable) {
        self.variables.push(variable);
    }

    /// The number that the next variable will have.
    pub(super) fn next_variable(&self) -> usize {
        self.variables.len()
    }

    /// The variables that can be named: those that no later one of the same name hides.
    pub(super) fn visible(&self) -> impl Iterator<Item = (usize, &Variable)> {
        let hidden =
            |index: usize, name: &str| self.variables[index + 1..].iter().any(|later| later.name == name);
        self.variables.iter().enumerate().filter(move |(index, variable)| !hidden(*index, &variable.name))
    }

    /// The types of a kind that a variable or a part of one has.
    pub(super) fn visible_types(&self, wanted: impl Fn(&Type) -> bool) -> Vec<Type> {
        let mut found = Vec::new();
        for (_, variable) in self.visible() {
            variable.ty.parts(&mut |part| found.extend(wanted(part).then(|| part.clone())));
        }
        found
    }

    /// Marks all variables as borrowed, and returns how they were before. If they are to be copied, mutable references are as good as not there.
    pub(super) fn lend_all(&mut self, shared: bool) -> Vec<Lent> {
        let before = self.variables.iter().map(|variable| variable.lent).collect();
        for variable in &mut self.variables {
            if variable.is_reference && variable.mutable {
                variable.lent = Lent::Exclusively;
            } else if shared && variable.lent == Lent::No {
                variable.lent = Lent::Shared;
            }
        }
        before
    }

    /// Takes back what `lend_all` did.
    pub(super) fn restore(&mut self, before: Vec<Lent>) {
        self.variables.iter_mut().zip(before).for_each(|(variable, lent)| variable.lent = lent);
    }

    /// Hides slices, and returns which were hidden before.
    pub(super) fn hide_slices(&mut self, hidden: impl Fn(&Slice) -> bool) -> Vec<bool> {
        let before = self.slices.iter().map(|slice| slice.is_hidden).collect();
        self.slices.iter_mut().for_each(|slice| slice.is_hidden |= hidden(slice));
        before
    }

    /// Takes back what `hide_slices` did.
    pub(super) fn show_slices(&mut self, before: Vec<bool>) {
        self.slices.iter_mut().zip(before).for_each(|(slice, is_hidden)| slice.is_hidden = is_hidden);
    }

    /// Marks a variable as borrowed, and returns how it was before.
    pub(super) fn lend(&mut self, index: usize, lent: Lent) -> Lent {
        std::mem::replace(&mut self.variables[index].lent, lent)
    }
}

impl Variable {
    /// A variable that holds a value.
    pub(super) fn new(name: impl Into<String>, ty: Type, mutable: bool) -> Self {
        Self { name: name.into(), ty, mutable, is_reference: false, lent: Lent::No }
    }

    /// A reference.
    pub(super) fn reference(name: impl Into<String>, ty: Type, mutable: bool) -> Self {
        Self { is_reference: true, ..Self::new(name, ty, mutable) }
    }

    fn allows(&self, wanted: Use) -> bool {
        match wanted {
            Use::Read => self.lent != Lent::Exclusively,
            Use::Write => self.lent == Lent::No && self.mutable,
        }
    }
}

impl Generator {
    pub(super) fn define(&mut self, name: &str, ty: &Type, mutable: bool) {
        self.scope.define(Variable::new(name, ty.clone(), mutable));
    }

    /// A name for a new variable: a fresh one, or now and then one that hides another.
    pub(super) fn variable_name(&mut self) -> String {
        let known: Vec<String> = self
            .scope
            .visible()
            .filter(|(_, variable)| variable.name.starts_with('v') && variable.lent == Lent::No)
            .map(|(_, variable)| variable.name.clone())
            .collect();
        if self.random.chance(12) && !known.is_empty() {
            return self.random.pick(&known);
        }
        self.name("v")
    }

    /// Part of a variable or an element of a slice.
    pub(super) fn place(&mut self, ty: &Type, wanted: Use) -> Option<Expr> {
        if self.random.chance(20)
            && let Some(element) = self.element(ty, wanted)
        {
            return Some(element);
        }
        self.place_in_variable(ty, wanted).map(|(_, place)| place)
    }

    /// Part of a variable, with the number of the variable.
    pub(super) fn place_in_variable(&mut self, ty: &Type, wanted: Use) -> Option<(usize, Expr)> {
        let candidates: Vec<(usize, Variable)> = self
            .scope
            .visible()
            .filter(|(_, variable)| variable.allows(wanted) && variable.ty.contains(ty))
            .map(|(index, variable)| (index, variable.clone()))
            .collect();
        if candidates.is_empty() {
            return None;
        }
        let (index, variable) = self.random.pick(&candidates);
        let whole = match variable.is_reference {
            // A field or an element is found through a reference too.
            true if variable.ty != *ty && self.random.chance(70) => variable.name,
            true => format!("(*{})", variable.name),
            false => variable.name,
        };
        Some((index, self.project(vec![Node::Text(whole)], &variable.ty, ty)))
    }

    /// Goes from a place to a part of it with a type.
    fn project(&mut self, mut nodes: Vec<Node>, from: &Type, to: &Type) -> Expr {
        match from {
            _ if from == to => {}
            Type::Tuple(elements) => {
                let fitting: Vec<usize> = (0..elements.len()).filter(|&i| elements[i].contains(to)).collect();
                let chosen = self.random.pick(&fitting);
                nodes.push(format!(".{chosen}").into());
                return self.project(nodes, &elements[chosen], to);
            }
            Type::Array(element, len) => {
                let index = self.index_below(*len);
                nodes.extend(fill("[$]", vec![index.into()]));
                return self.project(nodes, element, to);
            }
            Type::Vector(scalar, lanes) => {
                // The vector is borrowed before the number of the lane is computed, so that is to use no variable.
                let by_position = self.in_kernel() && self.random.chance(30);
                let lane =
                    if by_position { format!("i % {lanes}") } else { self.random.below(*lanes).to_string() };
                nodes.push(format!("[{lane}]").into());
                return self.project(nodes, &Type::Scalar(*scalar), to);
            }
            Type::Struct(of) => {
                let fitting: Vec<&(String, Type)> =
                    of.body.fields.iter().filter(|(_, field)| field.contains(to)).collect();
                let (name, field) = self.random.pick(&fitting);
                nodes.push(format!(".{name}").into());
                return self.project(nodes, field, to);
            }
            Type::Scalar(_) | Type::Half | Type::Unit | Type::Enum(_) => {
                unreachable!("there is a part of the type")
            }
        }
        Expr { ty: to.clone(), is_place: true, nodes }
    }
}
