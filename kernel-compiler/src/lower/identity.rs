//! What the same things are called each time a kernel is lowered.
//!
//! A kernel with variables for references is lowered several times, see [`super::reference`], and what one pass has found is of use to the next only if both
//! call a variable the same. So its name is where it is made: the expressions around it, through all calls that have been replaced by bodies.
//! A number that counted variables would depend on all that is lowered before, and with that on what is known of other references.

use crate::hash::HashMap;
use crate::ir::{Handle, Type};
use crate::typed::{Binding, Expr, Statement};

/// What something is called in all passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Identity(u32);

/// A step on the way to what is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// Code, by its address: it stays where it is while a kernel is lowered.
    Code(usize),
    Binding(Handle<Binding>),
    /// The code for that of several places which has this position.
    Choice(u64),
    /// A variable of a type.
    Variable(Handle<Type>),
    /// A variable for references.
    References,
    /// A variable for iterators.
    Iterator,
}

impl From<&Expr> for Node {
    fn from(expr: &Expr) -> Self {
        Self::Code(std::ptr::from_ref(expr).addr())
    }
}

impl From<&Statement> for Node {
    fn from(statement: &Statement) -> Self {
        Self::Code(std::ptr::from_ref(statement).addr())
    }
}

/// The identities that have been given.
#[derive(Clone, Debug, Default)]
pub(super) struct Identities {
    parts: HashMap<(Identity, Node), Entries>,
    /// How many there are; the first is that of the whole.
    count: u32,
    pass: u32,
    /// What is being lowered.
    inside: Identity,
}

/// What one part has become: several things if it is lowered several times at the same place, as for each element of a list.
#[derive(Clone, Debug, Default)]
struct Entries {
    first: Option<Identity>,
    others: Vec<Identity>,
    /// The pass that was here last, and how often.
    pass: u32,
    used: usize,
}

impl Identities {
    /// The same for the next pass.
    pub(super) fn for_next_pass(self) -> Self {
        Self { pass: self.pass + 1, inside: Identity::default(), ..self }
    }

    /// The identity of a part of what is being lowered.
    pub(super) fn of(&mut self, part: Node) -> Identity {
        let entries = self.parts.entry((self.inside, part)).or_default();
        if entries.pass != self.pass {
            entries.pass = self.pass;
            entries.used = 0;
        }
        entries.used += 1;
        let known = match entries.used {
            1 => entries.first,
            used => entries.others.get(used - 2).copied(),
        };
        known.unwrap_or_else(|| {
            self.count += 1;
            let new = Identity(self.count);
            match entries.first {
                None => entries.first = Some(new),
                Some(_) => entries.others.push(new),
            }
            new
        })
    }

    /// Goes into a part of what is being lowered; answers with what to go back to.
    pub(super) fn enter(&mut self, part: Node) -> Identity {
        let inner = self.of(part);
        std::mem::replace(&mut self.inside, inner)
    }

    /// The identity of what is being lowered.
    pub(super) fn inside(&self) -> Identity {
        self.inside
    }

    /// Goes back to what is around a part.
    pub(super) fn leave(&mut self, outer: Identity) {
        self.inside = outer;
    }
}
