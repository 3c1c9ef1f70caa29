//! Numbers that the host knows at a launch, as it computes them.

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
        };
        steps.push(step);
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
            Self::Constant(_) | Self::Given(..) | Self::Exact(ExactOp::Min | ExactOp::Max, _) => METHOD,
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
