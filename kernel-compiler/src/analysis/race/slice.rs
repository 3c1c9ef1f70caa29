//! What a kernel has to do with the memory that work-items share: the accesses to it, what their indices and the conditions around them are made of, and where control leaves
//! a block for another one. The rest is what work-items compute for themselves, often most of the kernel, and a walk may pass it over: it knows less then, of what nobody asks for
//! (a program slice, after Weiser 1981).

use super::super::walk::Walk;
use super::comes::is_panic;
use super::phases::Step;
use crate::hash::HashSet;
use crate::ir::{Base, Block, End, Handle, ImageOp, Label, Op, Statement, Value, Variable};

/// How often a kernel is gone through in search of what belongs to the slice.
const MOST_ROUNDS: usize = 64;

/// The statements to go through.
#[derive(Debug, Default)]
pub(in crate::analysis) struct Slice {
    statements: HashSet<Step>,
    values: HashSet<Handle<Value>>,
    variables: HashSet<Handle<Variable>>,
    /// The loops to whose ends jumps belong.
    labels: HashSet<Label>,
    /// What has been added since the last round.
    is_changed: bool,
}

impl Slice {
    /// The slice of the kernel of a walk, unless it takes too long to find.
    pub(in crate::analysis) fn of(walk: &Walk<'_>) -> Option<Self> {
        let mut slice = Self::default();
        for _ in 0..MOST_ROUNDS {
            slice.is_changed = false;
            slice.block(walk, &walk.module.body);
            if !slice.is_changed {
                return Some(slice);
            }
        }
        None
    }

    /// Returns whether a statement belongs to the slice.
    pub(in crate::analysis) fn has(&self, statement: &Statement) -> bool {
        self.statements.contains(&Step::of(statement))
    }

    /// Returns whether a variable does.
    pub(in crate::analysis) fn has_variable(&self, variable: Handle<Variable>) -> bool {
        self.variables.contains(&variable)
    }

    /// Looks for statements of the slice in a block, and returns whether it has any or ends with a jump that belongs to it: the end of a kernel, and jumps to loops of the slice.
    fn block(&mut self, walk: &Walk<'_>, block: &Block) -> bool {
        let mut has_any = match block.end {
            End::Next => false,
            // What is known after a panic did not happen is seldom about an index; where the author returns it is.
            End::Return => !is_panic(&walk.module.values, block),
            End::Break(label) | End::Continue(label) => self.labels.contains(&label),
        };
        for statement in &block.statements {
            let belongs = match statement {
                Statement::If { condition, accept, reject } => {
                    let belongs = self.block(walk, accept) | self.block(walk, reject);
                    if belongs {
                        self.add_value(walk, *condition);
                    }
                    belongs
                }
                Statement::Loop { label, body, continuing } => {
                    let belongs = self.block(walk, body) | self.block(walk, continuing);
                    self.is_changed |= belongs && self.labels.insert(*label);
                    belongs
                }
                Statement::Evaluate(value) => self.values.contains(value) || self.shares(walk, *value),
                Statement::Store { place, .. } => match place.base {
                    Base::Variable(variable) => self.variables.contains(&variable),
                    _ => walk.is_shared(place),
                },
                Statement::Print { .. } => false,
                _ => true,
            };
            if belongs {
                self.add(walk, statement);
                has_any = true;
            }
        }
        has_any
    }

    /// Returns whether work-items may do something together by a value.
    fn shares(&self, walk: &Walk<'_>, value: Handle<Value>) -> bool {
        match &walk.module.values[value].op {
            Op::Load(place) => walk.is_shared(place),
            Op::Image(op) => matches!(op, ImageOp::Read { .. } | ImageOp::Block(_)),
            // What is not known to be a work-item's own is shared.
            Op::Parameter(_)
            | Op::Constant(_)
            | Op::Zero
            | Op::Unary(..)
            | Op::Binary { .. }
            | Op::Cast(_)
            | Op::Bitcast(_)
            | Op::Select { .. }
            | Op::Math(..)
            | Op::Classify(..)
            | Op::Construct(_)
            | Op::Extract(..)
            | Op::Shuffle(..)
            | Op::AssumeUniform(..)
            | Op::Any(_)
            | Op::All(_)
            | Op::Len(_)
            | Op::InBounds(_)
            | Op::SliceOf(_)
            | Op::SubSlice { .. }
            | Op::Require { .. }
            | Op::HasFaulted
            | Op::Address(_)
            | Op::Offset { .. }
            | Op::SliceFrom { .. }
            | Op::Query(..)
            | Op::Specialization(_) => false,
            _ => true,
        }
    }

    fn add(&mut self, walk: &Walk<'_>, statement: &Statement) {
        if !self.statements.insert(Step::of(statement)) {
            return;
        }
        self.is_changed = true;
        match statement {
            Statement::Evaluate(value) => self.add_value(walk, *value),
            // Where it is written, and not what.
            Statement::Store { place, .. } if !matches!(place.base, Base::Variable(_)) => {
                place.for_each_operand(&mut |value| self.add_value(walk, value))
            }
            other => other.for_each_operand(&mut |value| self.add_value(walk, value)),
        }
    }

    /// Adds a value with all that it is made of.
    fn add_value(&mut self, walk: &Walk<'_>, value: Handle<Value>) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            if !self.values.insert(value) {
                continue;
            }
            self.is_changed = true;
            let op = &walk.module.values[value].op;
            if let Some(Base::Variable(variable)) = op.place().map(|place| place.base) {
                self.variables.insert(variable);
            }
            op.for_each_operand(&mut |operand| open.push(operand));
        }
    }
}
