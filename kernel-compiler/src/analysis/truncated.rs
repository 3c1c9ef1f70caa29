//! Floats that become indices.
//!
//! `if x >= 0.0 && x < (width - 1) as f32 { … source[y as usize * width + x as usize + 1] … }` asks of floats what has to be known of integers. Conversions to integers without a sign round toward zero, end at
//! the ends of the type, and make 0 of NaN. So they keep the order of floats, and where `x` is no more than a float `f` then `x as usize` is no more than `f as usize`. Where it is less than `f`, and
//! `f` is an integer that the type has, or the next one after those with no float between, then it is less than `f as usize`, or that is 0 and so is `x as usize`: it is less than `f as usize` or 1.
//!
//! A comparison that does not hold says the same, since only `x` can be NaN, and that becomes 0.
//!
//! - What is converted is the float without `floor`, `trunc` and `max(0.0)`, which make no difference to the result.
//! - An integer that becomes a float is rounded to what has so many bits, and so comes back as no more than the next power of two. In a launch it is itself where the host finds that it has no more
//!   bits; and a difference of such a float and a constant is the difference, or 0 if that is less.

use super::facts::Fact;
use super::interval::Interval;
use super::term::{Node, Term};
use super::walk::Walk;
use crate::ir::{FloatMode, Handle, Math, Module, Op, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

/// What a float comes back as that was an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Returned {
    /// The integer.
    pub(super) of: Term,
    /// What has been subtracted from the float.
    pub(super) less: i128,
    /// The greatest integer up to which it is exact.
    pub(super) exact: i128,
}

/// A float that is an integer, and of which it is known what that is at most.
struct Whole {
    /// What it is as an integer without a sign.
    term: Term,
    most: i128,
    /// Up to which integer all are floats of its type.
    exact: i128,
}

/// Up to which integer all integers are floats of a type that has none so great that it becomes an infinity.
fn exact_integers(scalar: Scalar) -> Option<i128> {
    match scalar {
        Scalar::F32 => Some(1 << 24),
        Scalar::F64 => Some(1 << 53),
        _ => None,
    }
}

/// The float that becomes the same integer without a sign, and is less changed.
fn unchanged(module: &Module, mut float: Handle<Value>) -> Handle<Value> {
    loop {
        float = match &module.values[float].op {
            Op::Math(Math::Floor | Math::Trunc, operands) => operands[0],
            Op::Math(Math::Fmax, operands) if is_zero(module, operands[1]) => operands[0],
            _ => return float,
        };
    }
}

fn is_zero(module: &Module, value: Handle<Value>) -> bool {
    matches!(module.values[value].op, Op::Constant(0))
}

/// An integer constant, if a float is one that is not negative.
fn constant(module: &Module, value: Handle<Value>) -> Option<i128> {
    let Op::Constant(bits) = module.values[value].op else { return None };
    let number = match module.scalar(module.values[value].ty)? {
        Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
        Scalar::F64 => f64::from_bits(bits),
        _ => return None,
    };
    let is_whole = number.trunc() == number && (0.0..9.0e15).contains(&number);
    is_whole.then_some(number as i128)
}

impl Walk<'_> {
    /// Returns whether anything is to be known of floats. Who looks for races takes what is not known of integers for something else, and in the fast mode a comparison may be of other numbers.
    pub(super) fn follows_floats(&self) -> bool {
        self.recorder.is_none() && self.module.attributes.float_mode != FloatMode::Fast
    }

    pub(super) fn is_float(&self, value: Handle<Value>) -> bool {
        self.module.scalar(self.module.values[value].ty).is_some_and(Scalar::is_float)
    }

    /// The term of a float as an integer without a sign.
    pub(super) fn truncated(&mut self, float: Handle<Value>, scalar: Scalar) -> Term {
        let float = unchanged(self.module, float);
        let term = self.knowledge.terms.intern(Node::Opaque(float), scalar);
        if let Op::Math(Math::Fmin, operands) = &self.module.values[float].op {
            // The lesser of a number and NaN is the number.
            for operand in operands {
                if let Some(whole) = self.whole(*operand, scalar) {
                    self.knowledge.learn(term, whole.term, 0);
                }
            }
        }
        term
    }

    /// Notes what follows from a comparison of floats where it holds, and where it does not.
    pub(super) fn note_float_comparison(&mut self, condition: Term, op: BinaryOp, sides: [Handle<Value>; 2]) {
        let [left, right] = sides;
        if !self.follows_floats() || !self.is_float(left) {
            return;
        }
        let ([less, greater], is_strict) = match op {
            BinaryOp::Lt => ([left, right], true),
            BinaryOp::Le => ([left, right], false),
            BinaryOp::Gt => ([right, left], true),
            BinaryOp::Ge => ([right, left], false),
            _ => return,
        };
        self.knowledge.implied.remove(&(condition, true));
        self.knowledge.implied.remove(&(condition, false));
        self.note_below((condition, true), [less, greater], is_strict);
        self.note_below((condition, false), [greater, less], !is_strict);
    }

    /// Notes that a float is below another one, or no more than it, where a condition holds or does not.
    fn note_below(&mut self, holds: (Term, bool), [float, bound]: [Handle<Value>; 2], is_strict: bool) {
        let float = unchanged(self.module, float);
        for scalar in [Scalar::Usize, Scalar::U32] {
            let Some(Whole { term: bound, most, exact }) = self.whole(bound, scalar) else { return };
            let left = self.knowledge.terms.intern(Node::Opaque(float), scalar);
            // What is beyond the greatest of the type becomes that; and so does what is less, if there are such floats.
            let greatest = Interval::of(scalar).max;
            let is_of_type = most <= greatest || most == greatest + 1 && exact <= greatest;
            let fact = if is_strict && is_of_type {
                let one = self.knowledge.terms.constant(scalar, 1);
                let right = self.knowledge.terms.intern(Node::Max(bound, one), scalar);
                Fact { left, right, offset: -1 }
            } else {
                Fact { left, right: bound, offset: 0 }
            };
            self.knowledge.implied.entry(holds).or_default().push(fact);
        }
    }

    /// A float that is an integer, as one without a sign, if it is one for sure, and not NaN.
    fn whole(&mut self, float: Handle<Value>, scalar: Scalar) -> Option<Whole> {
        let exact = exact_integers(self.module.scalar(self.module.values[float].ty)?)?;
        if let Some(number) = constant(self.module, float) {
            let term = self.knowledge.terms.constant(scalar, number.min(Interval::of(scalar).max));
            return Some(Whole { term, most: number, exact });
        }
        let (converted, less) = match self.module.values[float].op {
            Op::Binary { op: BinaryOp::Sub, left, right, .. } => (left, constant(self.module, right)?),
            _ => (float, 0),
        };
        let Op::Cast(integer) = self.module.values[converted].op else { return None };
        if !self.module.scalar(self.module.values[integer].ty).is_some_and(Scalar::is_integer) || less > exact
        {
            return None;
        }
        let of = self.term(integer);
        let most = rounded_up(self.knowledge.range(of).max.max(0), exact);
        let term = self.knowledge.terms.intern(Node::Opaque(float), scalar);
        self.knowledge.learn_range(term, Interval::up_to(most.min(Interval::of(scalar).max)));
        self.knowledge.returned.insert(term, Returned { of, less, exact });
        Some(Whole { term, most, exact })
    }
}

/// What an integer is no more than once it has been a float.
fn rounded_up(number: i128, exact: i128) -> i128 {
    if number <= exact { number } else { (number as u128).next_power_of_two() as i128 }
}
