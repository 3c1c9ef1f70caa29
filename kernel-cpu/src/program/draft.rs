//! The form between lowering and the finished program: blocks whose variables are not yet values.
//!
//! Lowering turns Function variables that never leave registers, the phis of the module, and the results of
//! inlined calls all into [`Variable`]s. [`super::phi`] then replaces their reads and writes by values and
//! moves.

use super::{Inst, Kind, Site, Value};

/// A scalar variable of the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Variable(pub(crate) u32);

/// A block of the draft, in the order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DraftId(pub(crate) u32);

/// An instruction of the draft.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Inst(Inst),
    Read(Value, Variable),
    Write(Variable, Value),
}

impl Step {
    /// The value that it defines.
    pub(crate) fn defined(&self) -> Option<Value> {
        match self {
            Self::Inst(inst) => inst.result(),
            Self::Read(value, _) => Some(*value),
            Self::Write(..) => None,
        }
    }

    /// Calls `visit` with every value that it uses, to read or to replace it.
    pub(crate) fn visit_uses(&mut self, visit: &mut dyn FnMut(&mut Value)) {
        match self {
            Self::Inst(inst) => inst.visit_operands(visit),
            Self::Write(_, value) => visit(value),
            Self::Read(..) => {}
        }
    }
}

/// The end of a draft block.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Exit {
    Jump(DraftId),
    Branch(Value, DraftId, DraftId),
    Barrier(Site, DraftId),
    Return,
    Unreachable(Site),
}

impl Exit {
    /// Where control can go, the first of two equal targets once.
    pub(crate) fn targets(self) -> impl DoubleEndedIterator<Item = DraftId> {
        let (first, second) = match self {
            Self::Jump(to) | Self::Barrier(_, to) => (Some(to), None),
            Self::Branch(_, then, otherwise) if then == otherwise => (Some(then), None),
            Self::Branch(_, then, otherwise) => (Some(then), Some(otherwise)),
            Self::Return | Self::Unreachable(_) => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// A finished draft block.
#[derive(Clone, Debug)]
pub(crate) struct DraftBlock {
    pub(crate) steps: Vec<Step>,
    pub(crate) exit: Exit,
}

/// A whole kernel as drafted; the first block is the entry.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) blocks: Vec<DraftBlock>,
    /// The kind of every value, by its number.
    pub(crate) kinds: Vec<Kind>,
    /// The kind of every variable, by its number, and the value that stands for one that was never written.
    pub(crate) variables: Vec<(Kind, Value)>,
}
