//! What an operation or a statement reads, and walks over nested blocks.

use super::{
    Arena, Atomic, Base, Block, BlockAccess, Check, End, Group, Handle, ImageOp, Label, Op, Place, Statement,
    Value,
};
use proc_macro2::Span;

impl Place {
    /// Returns whether an index is checked, so that an access can fault.
    #[must_use]
    pub fn is_checked(&self) -> bool {
        self.indices().any(|step| step.check != Check::Proved)
    }

    /// Calls `visit` with every value that the path reads.
    pub fn for_each_operand(&self, visit: &mut dyn FnMut(Handle<Value>)) {
        if let Base::Slice(value) | Base::Pointer(value) = self.base {
            visit(value);
        }
        self.indices().for_each(|step| visit(step.index));
    }
}

impl Statement {
    /// The blocks in the statement.
    fn blocks(&self) -> impl Iterator<Item = &Block> {
        let blocks = match self {
            Self::If { accept, reject, .. } => Some([accept, reject]),
            Self::Loop { body, continuing, .. } => Some([body, continuing]),
            _ => None,
        };
        blocks.into_iter().flatten()
    }

    /// Calls `visit` with this statement and every one in its blocks.
    pub fn for_each_statement<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        self.blocks().for_each(|block| block.for_each_statement(visit));
    }

    /// Returns whether something holds for this statement or one in its blocks.
    pub fn any(&self, holds: impl Fn(&Self) -> bool) -> bool {
        let mut found = false;
        self.for_each_statement(&mut |statement| found |= holds(statement));
        found
    }

    /// Returns whether the statement can fault, not counting the blocks in it.
    #[must_use]
    pub fn is_checked(&self, values: &Arena<Value>) -> bool {
        match self {
            Self::Evaluate(value) => values[*value].op.is_checked(),
            Self::Store { place, .. } => place.is_checked(),
            _ => false,
        }
    }

    /// The part of the source that it comes from, as far as the representation has it: of a store, where its value is computed.
    #[must_use]
    pub fn span(&self, values: &Arena<Value>) -> Option<Span> {
        match self {
            Self::Evaluate(value) | Self::Store { value, .. } => Some(values[*value].span),
            Self::If { condition, .. } => Some(values[*condition].span),
            Self::ImageWrite(write) => Some(values[write.texel].span),
            Self::Barrier(span, ..) | Self::AssertUniform(span, _) | Self::Wait(span, _) => Some(*span),
            Self::Loop { .. } | Self::Order(..) | Self::Print { .. } => None,
        }
    }
}

impl Op {
    /// Returns whether the operation can fault.
    #[must_use]
    pub fn is_checked(&self) -> bool {
        match self {
            Self::Binary { nonzero, overflow, .. } => {
                [nonzero, overflow].into_iter().any(|c| *c != Check::Proved)
            }
            Self::Require { faults, .. } => faults.iter().any(|fault| fault.check != Check::Proved),
            _ => self.place().is_some_and(Place::is_checked),
        }
    }

    /// Returns whether the operation does something, or may fault, and so is there though nobody asks for its value.
    #[must_use]
    pub fn has_effect(&self) -> bool {
        match self {
            Self::Parameter(_)
            | Self::Constant(_)
            | Self::Zero
            | Self::Unary(..)
            | Self::Binary { .. }
            | Self::Cast(_)
            | Self::Bitcast(_)
            | Self::Math(..)
            | Self::Classify(..)
            | Self::Construct(_)
            | Self::Extract(..)
            | Self::Shuffle(..)
            | Self::AssumeUniform(..)
            | Self::Any(_)
            | Self::All(_)
            | Self::Len(_)
            | Self::Select { .. }
            | Self::Query(..)
            | Self::Specialization(_)
            | Self::Load(_)
            | Self::SliceOf(_)
            | Self::SubSlice { .. } => self.is_checked(),
            _ => true,
        }
    }

    /// The place that the operation refers to, if there is one.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Load(place)
            | Self::InBounds(place)
            | Self::SliceOf(place)
            | Self::Address(place)
            | Self::Atomic(Atomic { place, .. }) => Some(place),
            _ => None,
        }
    }

    /// Calls `visit` with every value that the operation reads.
    pub fn for_each_operand(&self, visit: &mut dyn FnMut(Handle<Value>)) {
        match self {
            Self::Parameter(_)
            | Self::Constant(_)
            | Self::Zero
            | Self::HasFaulted
            | Self::Query(..)
            | Self::Specialization(_) => {}
            Self::Image(op) => op.for_each_operand(visit),
            Self::Unary(_, operand)
            | Self::Cast(operand)
            | Self::Bitcast(operand)
            | Self::Classify(_, operand)
            | Self::Extract(operand, _)
            | Self::AssumeUniform(_, operand)
            | Self::Distinct(_, operand)
            | Self::Any(operand)
            | Self::All(operand)
            | Self::Len(operand) => visit(*operand),
            Self::Binary { left, right, .. } => [*left, *right].into_iter().for_each(visit),
            Self::Select { condition, accept, reject } => {
                [*condition, *accept, *reject].into_iter().for_each(visit);
            }
            Self::Math(_, operands) | Self::Construct(operands) | Self::Collective { operands, .. } => {
                operands.iter().copied().for_each(visit)
            }
            Self::Call(call) => call.arguments.iter().copied().for_each(visit),
            Self::Shuffle(operands, _) => operands.iter().copied().for_each(visit),
            Self::Load(place) | Self::InBounds(place) | Self::SliceOf(place) | Self::Address(place) => {
                place.for_each_operand(visit)
            }
            Self::Atomic(Atomic { place, access, .. }) => {
                place.for_each_operand(visit);
                access.operands().for_each(visit);
            }
            Self::GroupCopy(copy) => copy.operands().into_iter().for_each(visit),
            Self::BlockAccess(BlockAccess { place, stored }) => {
                place.for_each_operand(visit);
                stored.iter().copied().for_each(visit);
            }
            Self::Offset { pointer, count, .. } | Self::SliceFrom { pointer, len: count } => {
                [*pointer, *count].into_iter().for_each(visit);
            }
            Self::SubSlice { slice, start, len } => [*slice, *start, *len].into_iter().for_each(visit),
            Self::Require { condition, faults } => {
                visit(*condition);
                for fault in faults {
                    let words = fault.words.iter().copied();
                    fault.unless.into_iter().chain(fault.values).chain(words).for_each(&mut *visit);
                }
            }
        }
    }
}

impl Statement {
    /// Calls `visit` with every value that the statement itself reads.
    ///
    /// These are neither the operands of a value that it evaluates, nor what its blocks read.
    pub fn for_each_operand(&self, visit: &mut dyn FnMut(Handle<Value>)) {
        match self {
            Self::Evaluate(_) | Self::Loop { .. } | Self::Barrier(..) | Self::Wait(..) | Self::Order(..) => {}
            Self::Store { place, value } => {
                place.for_each_operand(visit);
                visit(*value);
            }
            Self::ImageWrite(write) => write.for_each_operand(visit),
            Self::If { condition, .. } => visit(*condition),
            Self::Print { words, .. } | Self::AssertUniform(_, words) => {
                words.iter().copied().for_each(visit)
            }
        }
    }
}

impl Block {
    /// Returns whether there is nothing in the block, so that control goes on at once to what follows.
    #[must_use]
    pub fn does_nothing(&self) -> bool {
        self.statements.is_empty() && self.end == End::Next
    }

    /// Calls `visit` with every block, this one and those nested in it, outermost first.
    pub fn for_each_block<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        for block in self.statements.iter().flat_map(Statement::blocks) {
            block.for_each_block(visit);
        }
    }

    /// Returns whether something holds for this block or one in it.
    pub fn any(&self, holds: impl Fn(&Self) -> bool) -> bool {
        let mut found = false;
        self.for_each_block(&mut |block| found |= holds(block));
        found
    }

    /// Returns whether there is a check in the block that may fail.
    #[must_use]
    pub fn is_checked(&self, values: &Arena<Value>) -> bool {
        self.any(|block| block.statements.iter().any(|statement| statement.is_checked(values)))
    }

    /// Returns whether there is a barrier in the block, or another thing that all work-items of a group have to come to.
    #[must_use]
    pub fn has_convergent(&self, values: &Arena<Value>) -> bool {
        self.meets(values).is_some()
    }

    /// The largest group whose work-items have to come to something in the block together.
    #[must_use]
    pub fn meets(&self, values: &Arena<Value>) -> Option<Group> {
        let mut found = None;
        self.for_each_statement(&mut |statement| {
            let group = match statement {
                Statement::Barrier(_, group, _) => *group,
                Statement::AssertUniform(..) | Statement::Wait(..) => Group::WorkGroup,
                Statement::Evaluate(value) => match values[*value].op {
                    Op::Collective { group, .. } => group,
                    Op::BlockAccess(_) | Op::Image(ImageOp::Block(_)) => Group::Subgroup,
                    _ => return,
                },
                _ => return,
            };
            if found != Some(Group::WorkGroup) {
                found = Some(group);
            }
        });
        found
    }

    /// Calls `visit` with every block, this one and those nested in it, to be changed.
    pub fn for_each_block_mut(&mut self, visit: &mut dyn FnMut(&mut Self)) {
        visit(self);
        for statement in &mut self.statements {
            let nested = match statement {
                Statement::If { accept, reject, .. } => [accept, reject],
                Statement::Loop { body, continuing, .. } => [body, continuing],
                _ => continue,
            };
            nested.into_iter().for_each(|block| block.for_each_block_mut(visit));
        }
    }

    /// Returns whether this block, as the body of the loop with that label, can get to its `continuing` block, so that the loop repeats.
    ///
    /// Inlined calls and labelled blocks are loops that do not.
    #[must_use]
    pub fn reaches_end_of(&self, label: Label) -> bool {
        let mut repeats = self.end == End::Next;
        self.for_each_block(&mut |block| repeats |= block.end == End::Continue(label));
        repeats
    }

    /// Calls `visit` with every statement of this block and of those nested in it.
    pub fn for_each_statement<'a>(&'a self, visit: &mut dyn FnMut(&'a Statement)) {
        self.for_each_block(&mut |block| block.statements.iter().for_each(&mut *visit));
    }
}
