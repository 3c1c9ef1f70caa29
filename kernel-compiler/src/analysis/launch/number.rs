//! Numbers that the host knows at a launch, as it computes them.

use crate::analysis::interval::Interval;
use crate::analysis::{MAX_LEN, MAX_SIZE};
use kernel_core::semantics::{BinaryOp, UnaryOp, integer_binary, integer_unary, wrap};
use kernel_core::{ExactOp, LaunchStep, MAX_LAUNCH_STACK, Scalar, semantics};
use std::rc::Rc;

/// How many steps a condition may take.
const MOST_STEPS: usize = 40;

/// An integer or `bool` that is the same for all work-items of a launch, and that the host can compute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// A number.
    Constant(i128),
    /// What the launch says, and what the source calls it.
    Given(LaunchStep, Rc<str>),
    /// An operator on mathematical integers.
    Exact(ExactOp, Rc<[Number; 2]>),
    /// An operator on integers of a type, which wraps as on the device.
    Binary(BinaryOp, Scalar, Rc<[Number; 2]>),
    /// An operator on an integer of a type.
    Unary(UnaryOp, Scalar, Rc<Number>),
    /// A conversion to a type.
    Cast(Scalar, Rc<Number>),
    /// The second if the first holds, else the third.
    Select(Rc<[Number; 3]>),
    /// The least power of two that is no less.
    NextPowerOfTwo(Rc<Number>),
}

impl Number {
    /// The result of an operator on mathematical integers.
    pub(super) fn exact(op: ExactOp, left: Self, right: Self) -> Self {
        if let (Self::Constant(left), Self::Constant(right)) = (&left, &right)
            && let Some(result) = op.of(*left, *right)
        {
            return Self::Constant(result);
        }
        match op {
            ExactOp::Min | ExactOp::Max if left == right => left,
            ExactOp::AtMost if left == right => Self::Constant(1),
            _ => Self::Exact(op, Rc::new([left, right])),
        }
    }

    /// The result of an operator on integers of a type, which is also that of the result unless it is a comparison.
    pub(super) fn binary(op: BinaryOp, scalar: Scalar, left: Self, right: Self) -> Self {
        if let (Self::Constant(left), Self::Constant(right)) = (&left, &right) {
            let bits = integer_binary(op, scalar, wrap(scalar, *left), wrap(scalar, *right)).unwrap_or(0);
            let result = if op.is_comparison() { Scalar::Bool } else { scalar };
            return Self::Constant(semantics::extend(result, bits));
        }
        Self::Binary(op, scalar, Rc::new([left, right]))
    }

    pub(super) fn unary(op: UnaryOp, scalar: Scalar, operand: Self) -> Self {
        match operand {
            Self::Constant(value) => {
                Self::Constant(semantics::extend(scalar, integer_unary(op, scalar, wrap(scalar, value))))
            }
            operand => Self::Unary(op, scalar, Rc::new(operand)),
        }
    }

    pub(super) fn cast(scalar: Scalar, operand: Self) -> Self {
        match operand {
            Self::Constant(value) => Self::Constant(semantics::extend(scalar, wrap(scalar, value))),
            operand => Self::Cast(scalar, Rc::new(operand)),
        }
    }

    pub(super) fn next_power_of_two(operand: Self) -> Self {
        match operand {
            Self::Constant(value @ ..1) => Self::Constant(value.max(1)),
            operand => Self::NextPowerOfTwo(Rc::new(operand)),
        }
    }

    /// The integers that it can be in any launch.
    pub(super) fn range(&self) -> Interval {
        match self {
            Self::Constant(value) => Interval::exactly(*value),
            Self::Given(
                LaunchStep::GlobalSize(_) | LaunchStep::LocalSize(_) | LaunchStep::NumGroups(_),
                _,
            ) => Interval { min: 1, max: MAX_SIZE },
            Self::Given(LaunchStep::Value { scalar, .. } | LaunchStep::Specialization(_, scalar), _) => {
                Interval::of(*scalar)
            }
            Self::Given(LaunchStep::ImageSize { .. }, _) => Interval { min: 1, max: i32::MAX.into() },
            Self::Given(LaunchStep::Len(_), _) => Interval::up_to(MAX_LEN),
            Self::Given(..) => Interval::of(Scalar::Usize),
            Self::Exact(op, operands) => exact_range(*op, [operands[0].range(), operands[1].range()]),
            Self::Binary(op, ..) if op.is_comparison() => Interval::of(Scalar::Bool),
            Self::Binary(_, scalar, _) | Self::Unary(_, scalar, _) | Self::Cast(scalar, _) => {
                Interval::of(*scalar)
            }
            Self::Select(operands) => operands[1].range().join(operands[2].range()),
            Self::NextPowerOfTwo(_) => Interval { min: 1, max: i128::MAX },
        }
    }

    /// The steps that compute it, if they are not too many.
    #[must_use]
    pub fn steps(&self) -> Option<Vec<LaunchStep>> {
        let mut steps = Vec::new();
        self.add_steps(&mut steps);
        if steps.len() > MOST_STEPS {
            return None;
        }
        let (mut depth, mut deepest) = (0, 0);
        for step in &steps {
            depth = depth + 1 - step.operands();
            deepest = deepest.max(depth);
        }
        (deepest <= MAX_LAUNCH_STACK).then_some(steps)
    }

    fn add_steps(&self, steps: &mut Vec<LaunchStep>) {
        // What is too long is given up as a whole.
        if steps.len() > MOST_STEPS {
            return;
        }
        let step = match self {
            Self::Constant(value) => LaunchStep::Constant(*value),
            Self::Given(step, _) => *step,
            Self::Exact(op, operands) => {
                operands.iter().for_each(|operand| operand.add_steps(steps));
                LaunchStep::Exact(*op)
            }
            Self::Binary(op, scalar, operands) => {
                operands.iter().for_each(|operand| operand.add_steps(steps));
                LaunchStep::Binary(*op, *scalar)
            }
            Self::Unary(op, scalar, operand) => {
                operand.add_steps(steps);
                LaunchStep::Unary(*op, *scalar)
            }
            Self::Cast(scalar, operand) => {
                operand.add_steps(steps);
                LaunchStep::Cast(*scalar)
            }
            Self::Select(operands) => {
                operands.iter().for_each(|operand| operand.add_steps(steps));
                LaunchStep::Select
            }
            Self::NextPowerOfTwo(operand) => {
                operand.add_steps(steps);
                LaunchStep::NextPowerOfTwo
            }
        };
        steps.push(step);
    }

    /// Calls `visit` with everything that the launch says.
    pub(super) fn for_each_given(&self, visit: &mut dyn FnMut(LaunchStep)) {
        match self {
            Self::Constant(_) => {}
            Self::Given(step, _) => visit(*step),
            Self::Exact(_, operands) | Self::Binary(_, _, operands) => {
                operands.iter().for_each(|operand| operand.for_each_given(visit));
            }
            Self::Unary(_, _, operand) | Self::Cast(_, operand) | Self::NextPowerOfTwo(operand) => {
                operand.for_each_given(visit);
            }
            Self::Select(operands) => operands.iter().for_each(|operand| operand.for_each_given(visit)),
        }
    }

    /// It as the source might say it.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Constant(value) => value.to_string(),
            Self::Given(_, name) => name.to_string(),
            Self::Exact(ExactOp::Min, operands) => {
                format!("{}.min({})", operands[0].part(METHOD), operands[1].text())
            }
            Self::Exact(ExactOp::Max, operands) => {
                format!("{}.max({})", operands[0].part(METHOD), operands[1].text())
            }
            Self::Exact(ExactOp::Add, operands) if operands[1].is_negative() => {
                let Self::Constant(value) = operands[1] else { return String::new() };
                format!("{} - {}", operands[0].part(self.strength()), value.unsigned_abs())
            }
            Self::Exact(_, operands) | Self::Binary(_, _, operands) => {
                let (symbol, strength) = (self.symbol(), self.strength());
                let [left, right] = [operands[0].part(strength), operands[1].part(strength + 1)];
                format!("{left} {symbol} {right}")
            }
            Self::Unary(UnaryOp::Neg, _, operand) => format!("-{}", operand.part(METHOD)),
            Self::Unary(UnaryOp::Not, _, operand) => format!("!{}", operand.part(METHOD)),
            Self::Cast(scalar, operand) => format!("{} as {}", operand.part(CAST), scalar.name()),
            Self::Select(operands) => {
                let [condition, accept, reject] = [0, 1, 2].map(|position| operands[position].text());
                format!("if {condition} {{ {accept} }} else {{ {reject} }}")
            }
            Self::NextPowerOfTwo(operand) => format!("{}.next_power_of_two()", operand.part(METHOD)),
        }
    }

    fn is_negative(&self) -> bool {
        matches!(self, Self::Constant(..0))
    }

    /// It as an operand of what binds so strongly.
    fn part(&self, strength: u32) -> String {
        let text = self.text();
        if self.strength() < strength { format!("({text})") } else { text }
    }

    fn symbol(&self) -> &'static str {
        match self {
            Self::Exact(ExactOp::Add, _) => "+",
            Self::Exact(ExactOp::Mul, _) => "*",
            Self::Exact(ExactOp::Div, _) => "/",
            Self::Exact(ExactOp::Differ, _) => "!=",
            Self::Binary(op, ..) => op.symbol(),
            _ => "<=",
        }
    }

    /// How strongly its operator binds.
    fn strength(&self) -> u32 {
        match self {
            Self::Constant(_) if self.is_negative() => CAST + 1,
            Self::Constant(_)
            | Self::Given(..)
            | Self::Exact(ExactOp::Min | ExactOp::Max, _)
            | Self::NextPowerOfTwo(_) => METHOD,
            Self::Unary(..) => CAST + 1,
            Self::Cast(..) => CAST,
            Self::Select(_) => 0,
            _ => match self.symbol() {
                "*" | "/" | "%" => CAST - 1,
                "+" | "-" => CAST - 2,
                "<<" | ">>" => CAST - 3,
                "&" => CAST - 4,
                "^" => CAST - 5,
                "|" => CAST - 6,
                _ => 1,
            },
        }
    }
}

/// The range of an operator on mathematical integers; of the others nothing is said.
fn exact_range(op: ExactOp, [left, right]: [Interval; 2]) -> Interval {
    match op {
        ExactOp::Add => {
            Interval { min: left.min.saturating_add(right.min), max: left.max.saturating_add(right.max) }
        }
        ExactOp::Mul if left.min >= 0 && right.min >= 0 => {
            Interval { min: left.min.saturating_mul(right.min), max: left.max.saturating_mul(right.max) }
        }
        ExactOp::Min => Interval { min: left.min.min(right.min), max: left.max.min(right.max) },
        ExactOp::Max => Interval { min: left.min.max(right.min), max: left.max.max(right.max) },
        ExactOp::Div if left.min >= 0 && right.min >= 1 => Interval::up_to(left.max),
        ExactOp::AtMost | ExactOp::Differ => Interval::of(Scalar::Bool),
        _ => Interval { min: i128::MIN, max: i128::MAX },
    }
}

/// How strongly `as` binds, and a method's call.
const CAST: u32 = 8;
const METHOD: u32 = CAST + 2;

#[cfg(test)]
mod tests {
    use super::*;

    fn given(position: u32, name: &str) -> Number {
        Number::Given(LaunchStep::Len(position), name.into())
    }

    #[test]
    fn it_is_written_as_in_the_source() {
        let [a, b, c] = [given(0, "a.len()"), given(1, "b.len()"), given(2, "n")];
        let sum = Number::exact(ExactOp::Add, a.clone(), b.clone());
        let product = Number::exact(ExactOp::Mul, sum.clone(), c.clone());
        assert_eq!(product.text(), "(a.len() + b.len()) * n");
        let least = Number::exact(ExactOp::Min, sum, Number::Constant(3));
        let condition = Number::exact(ExactOp::AtMost, least, product);
        assert_eq!(condition.text(), "(a.len() + b.len()).min(3) <= (a.len() + b.len()) * n");
        let difference = |left, right| Number::binary(BinaryOp::Sub, Scalar::Usize, left, right);
        assert_eq!(difference(a.clone(), difference(b, c)).text(), "a.len() - (b.len() - n)");
        assert_eq!(Number::Cast(Scalar::U32, Rc::new(a)).text(), "a.len() as u32");
    }

    #[test]
    fn constants_are_computed_and_long_conditions_refused() {
        let five = Number::exact(ExactOp::Add, Number::Constant(2), Number::Constant(3));
        assert_eq!(five, Number::Constant(5));
        assert_eq!(given(0, "n").steps(), Some(vec![LaunchStep::Len(0)]));
        let longer = |number, _| Number::exact(ExactOp::Add, given(0, "n"), number);
        // The operands wait on the stack.
        assert!((0..MAX_LAUNCH_STACK - 1).fold(given(0, "n"), longer).steps().is_some());
        assert!((0..MAX_LAUNCH_STACK).fold(given(0, "n"), longer).steps().is_none());
        let wider = |number, _| Number::exact(ExactOp::Add, number, given(0, "n"));
        assert!((0..MOST_STEPS).fold(given(0, "n"), wider).steps().is_none());
    }
}
