//! What must hold where a check of its own is made: in Rust it would be an assertion.

use super::Builder;
use crate::ir::{Fault, Format, Handle, Op, Value};
use kernel_core::{FaultKind, Scalar};

/// What may have gone wrong where a requirement is not met.
pub(super) struct Failure {
    pub(super) kind: FaultKind,
    /// A condition that holds if it was something else; none for the last of several.
    pub(super) unless: Option<Handle<Value>>,
    /// What goes with a fault of this kind, of type `usize`.
    pub(super) values: Vec<Handle<Value>>,
    /// What is said about it, if the kind does not.
    pub(super) message: String,
    /// What is said, with the words of the values in it, if there are any.
    pub(super) format: Option<(Format, Vec<Handle<Value>>)>,
}

impl Failure {
    pub(super) fn new(kind: FaultKind, values: &[Handle<Value>]) -> Self {
        Self { kind, unless: None, values: values.to_vec(), message: String::new(), format: None }
    }

    pub(super) fn saying(self, message: &str) -> Self {
        Self { message: message.to_owned(), ..self }
    }

    pub(super) fn formatting(self, format: Format, words: Vec<Handle<Value>>) -> Self {
        Self { format: Some((format, words)), ..self }
    }

    pub(super) fn unless(self, condition: Handle<Value>) -> Self {
        Self { unless: Some(condition), ..self }
    }
}

impl Builder<'_, '_> {
    /// Records a fault for the current place in the source where a condition, or a lane of a mask, does not hold.
    pub(crate) fn assert(&mut self, condition: Handle<Value>, fault: FaultKind) {
        let condition = self.all_lanes(condition);
        self.require(condition, [Failure::new(fault, &[])]);
    }

    /// Returns whether a condition holds; where it does not, the first of the failures that applies is recorded for the current place in the
    /// source.
    pub(super) fn require(
        &mut self,
        condition: Handle<Value>,
        failures: impl IntoIterator<Item = Failure>,
    ) -> Handle<Value> {
        if self.constant_of(condition) == Some(1) {
            return condition;
        }
        let zero = self.constant(Scalar::Usize, 0);
        let mut faults = Vec::new();
        for Failure { kind, unless, values, message, format } in failures {
            let value = |position: usize| values.get(position).copied().unwrap_or(zero);
            let (format, words) = format.unzip();
            faults.push(Fault {
                unless,
                check: self.check_saying(kind, message, format),
                values: [value(0), value(1)],
                words: words.unwrap_or_default(),
            });
        }
        let ty = self.scalar_type(Scalar::Bool);
        self.evaluate(ty, Op::Require { condition, faults })
    }
}
