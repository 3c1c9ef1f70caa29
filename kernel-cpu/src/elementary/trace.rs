//! The operations that a function consists of, noted down while it is computed with what stands for numbers.

use super::real::{Number, Real, Truth, scaled_by_halves};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// An operation on numbers, their bits, or what comparisons give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    /// The argument with a number.
    Argument(u8),
    Add,
    Sub,
    Mul,
    Div,
    /// The first times the second, plus the third, rounded once.
    MulAdd,
    /// The third less the first times the second.
    NegMulAdd,
    /// The first times the second, less the third.
    MulSub,
    /// The lesser of two; the second one unless the first is less.
    Min,
    /// The greater of two; the second one unless the first is greater.
    Max,
    /// The first times 2 to the power of the second.
    Scale,
    Sqrt,
    RoundTiesEven,
    Trunc,
    PlusBits,
    And,
    Or,
    Xor,
    ShiftUp(u8),
    ShiftDown(u8),
    /// These give truths.
    Less,
    AtMost,
    Equal,
    Nan,
    HasBits,
    /// These take them.
    Both,
    Either,
    Not,
    /// The second if the first is true, else the third.
    Choose,
}

/// What an operation works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operand {
    None,
    /// A number, by its bits.
    Constant(u64),
    /// The result of the step with this place.
    Step(u32),
}

/// An operation and what it works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    pub(crate) operation: Operation,
    pub(crate) operands: [Operand; 3],
}

/// The steps of a function, each once.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    /// Whether the processor has [`Operation::Scale`].
    scales: bool,
    steps: RefCell<Vec<Step>>,
    places: RefCell<HashMap<Step, u32>>,
}

impl Trace {
    /// For a processor that has [`Operation::Scale`] or not.
    pub(crate) fn new(scales: bool) -> Self {
        Self { scales, ..Self::default() }
    }

    /// What stands for an argument.
    pub(crate) fn argument<N>(&self, number: u8) -> Traced<'_, N> {
        Traced::Step(self, self.place(Operation::Argument(number), [Operand::None; 3]))
    }

    /// The steps, each behind those that it needs.
    pub(crate) fn steps(&self) -> Vec<Step> {
        self.steps.borrow().clone()
    }

    fn place(&self, operation: Operation, operands: [Operand; 3]) -> u32 {
        let step = Step { operation, operands };
        let mut steps = self.steps.borrow_mut();
        *self.places.borrow_mut().entry(step).or_insert_with(|| {
            steps.push(step);
            steps.len() as u32 - 1
        })
    }

    fn of_one(&self, operation: Operation, operand: Operand) -> u32 {
        self.place(operation, [operand, Operand::None, Operand::None])
    }

    fn of_two(&self, operation: Operation, first: Operand, second: Operand) -> u32 {
        self.place(operation, [first, second, Operand::None])
    }

    fn step(&self, operand: Operand) -> Option<Step> {
        match operand {
            Operand::Step(place) => Some(self.steps.borrow()[place as usize]),
            _ => None,
        }
    }
}

/// What stands for a number: a constant, or the result of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Traced<'a, N> {
    Constant(N),
    Step(&'a Trace, u32),
}

/// What stands for a truth.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TracedTruth<'a> {
    Constant(bool),
    Step(&'a Trace, u32),
}

impl<'a, N: Number> Traced<'a, N> {
    pub(crate) fn operand(self) -> Operand {
        match self {
            Self::Constant(value) => Operand::Constant(value.bits()),
            Self::Step(_, place) => Operand::Step(place),
        }
    }

    fn trace(self) -> Option<&'a Trace> {
        match self {
            Self::Constant(_) => None,
            Self::Step(trace, _) => Some(trace),
        }
    }

    fn constant(self) -> Option<N> {
        match self {
            Self::Constant(value) => Some(value),
            Self::Step(..) => None,
        }
    }

    /// The result of an operation, of constants at once.
    #[inline(never)]
    fn one(self, operation: Operation, constant: fn(N) -> N) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(constant(value)),
            Self::Step(trace, _) => Self::Step(trace, trace.of_one(operation, self.operand())),
        }
    }

    #[inline(never)]
    fn two(self, operation: Operation, other: Self, constant: fn(N, N) -> N) -> Self {
        match (self, other) {
            (Self::Constant(first), Self::Constant(second)) => Self::Constant(constant(first, second)),
            (Self::Step(trace, _), _) | (_, Self::Step(trace, _)) => {
                Self::Step(trace, trace.of_two(operation, self.operand(), other.operand()))
            }
        }
    }

    #[inline(never)]
    fn compare(self, operation: Operation, other: Self, constant: fn(N, N) -> bool) -> TracedTruth<'a> {
        match (self, other) {
            (Self::Constant(first), Self::Constant(second)) => TracedTruth::Constant(constant(first, second)),
            (Self::Step(trace, _), _) | (_, Self::Step(trace, _)) => {
                TracedTruth::Step(trace, trace.of_two(operation, self.operand(), other.operand()))
            }
        }
    }

    /// An operation on the bits and a number.
    fn bits(self, operation: Operation, number: u64, constant: fn(N, N) -> N) -> Self {
        self.two(operation, Self::Constant(N::of_bits(number)), constant)
    }

    /// The bits, shifted by a count.
    #[inline(never)]
    fn shifted(self, operation: Operation, constant: fn(N, u32) -> N, count: u32) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(constant(value, count)),
            Self::Step(trace, _) => Self::Step(trace, trace.of_one(operation, self.operand())),
        }
    }

    /// `self · factor + addend`, rounded once.
    #[inline(never)]
    fn fused(self, factor: Self, addend: Self) -> Self {
        if let (Some(first), Some(second), Some(third)) =
            (self.constant(), factor.constant(), addend.constant())
        {
            return Self::Constant(first.mul_add(second, third));
        }
        // The sign of a product is exact.
        let (operation, [first, second, third]) = match (self.negated(), factor.negated(), addend.negated()) {
            (Some(first), _, None) => (Operation::NegMulAdd, [first, factor, addend]),
            (_, Some(second), None) => (Operation::NegMulAdd, [self, second, addend]),
            (None, None, Some(third)) => (Operation::MulSub, [self, factor, third]),
            _ => (Operation::MulAdd, [self, factor, addend]),
        };
        let operands = [first.operand(), second.operand(), third.operand()];
        match self.trace().or(factor.trace()).or(addend.trace()) {
            Some(trace) => Self::Step(trace, trace.place(operation, operands)),
            None => self,
        }
    }

    /// The number of which this is the negative, if it is one.
    fn negated(self) -> Option<Self> {
        let trace = self.trace()?;
        match trace.step(self.operand())? {
            Step {
                operation: Operation::Xor,
                operands: [Operand::Step(place), Operand::Constant(mask), Operand::None],
            } if mask == N::SIGN => Some(Self::Step(trace, place)),
            _ => None,
        }
    }
}

impl<N: Number> From<N> for Traced<'_, N> {
    fn from(value: N) -> Self {
        Self::Constant(value)
    }
}

impl<N: Number> Add for Traced<'_, N> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.two(Operation::Add, other, |a, b| a + b)
    }
}

impl<N: Number> Sub for Traced<'_, N> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.two(Operation::Sub, other, |a, b| a - b)
    }
}

impl<N: Number> Mul for Traced<'_, N> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        self.two(Operation::Mul, other, |a, b| a * b)
    }
}

impl<N: Number> Div for Traced<'_, N> {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        self.two(Operation::Div, other, |a, b| a / b)
    }
}

impl<N: Number> Add<N> for Traced<'_, N> {
    type Output = Self;

    fn add(self, other: N) -> Self {
        self + Self::Constant(other)
    }
}

impl<N: Number> Sub<N> for Traced<'_, N> {
    type Output = Self;

    fn sub(self, other: N) -> Self {
        self - Self::Constant(other)
    }
}

impl<N: Number> Mul<N> for Traced<'_, N> {
    type Output = Self;

    fn mul(self, other: N) -> Self {
        self * Self::Constant(other)
    }
}

impl<N: Number> Neg for Traced<'_, N> {
    type Output = Self;

    fn neg(self) -> Self {
        self.xor_bits(N::SIGN)
    }
}

impl<'a, N: Number> Real for Traced<'a, N> {
    type Number = N;
    type Truth = TracedTruth<'a>;

    fn mul_add(self, factor: impl Into<Self>, addend: impl Into<Self>) -> Self {
        self.fused(factor.into(), addend.into())
    }

    fn scale(self, exponent: Self) -> Self {
        match self.trace() {
            Some(trace) if trace.scales => self.two(Operation::Scale, exponent, N::scale),
            _ => scaled_by_halves(self, exponent),
        }
    }

    fn abs(self) -> Self {
        self.and_bits(!N::SIGN)
    }

    fn sqrt(self) -> Self {
        self.one(Operation::Sqrt, N::sqrt)
    }

    fn round_ties_even(self) -> Self {
        self.one(Operation::RoundTiesEven, N::round_ties_even)
    }

    fn trunc(self) -> Self {
        self.one(Operation::Trunc, N::trunc)
    }

    fn copysign(self, sign: Self) -> Self {
        self.and_bits(!N::SIGN).two(Operation::Or, sign.and_bits(N::SIGN), |a, b| a.or_bits(b.bits()))
    }

    fn is_less(self, other: impl Into<Self>) -> TracedTruth<'a> {
        self.compare(Operation::Less, other.into(), |a, b| a.is_less(b))
    }

    fn is_at_most(self, other: impl Into<Self>) -> TracedTruth<'a> {
        self.compare(Operation::AtMost, other.into(), |a, b| a.is_at_most(b))
    }

    fn is_equal(self, other: impl Into<Self>) -> TracedTruth<'a> {
        self.compare(Operation::Equal, other.into(), |a, b| a == b)
    }

    fn is_nan(self) -> TracedTruth<'a> {
        self.compare(Operation::Nan, self, |a, _| a.is_nan())
    }

    fn plus_bits(self, number: u64) -> Self {
        self.bits(Operation::PlusBits, number, |a, b| a.plus_bits(b.bits()))
    }

    fn and_bits(self, mask: u64) -> Self {
        self.bits(Operation::And, mask, |a, b| a.and_bits(b.bits()))
    }

    fn or_bits(self, mask: u64) -> Self {
        self.bits(Operation::Or, mask, |a, b| a.or_bits(b.bits()))
    }

    fn xor_bits(self, mask: u64) -> Self {
        self.bits(Operation::Xor, mask, |a, b| a.xor_bits(b.bits()))
    }

    fn xor_bits_of(self, other: Self) -> Self {
        self.two(Operation::Xor, other, N::xor_bits_of)
    }

    fn shift_bits_up(self, count: u32) -> Self {
        self.shifted(Operation::ShiftUp(count as u8), N::shift_bits_up, count)
    }

    fn shift_bits_down(self, count: u32) -> Self {
        self.shifted(Operation::ShiftDown(count as u8), N::shift_bits_down, count)
    }

    fn has_bits(self, mask: u64) -> TracedTruth<'a> {
        let mask = Self::Constant(N::of_bits(mask));
        self.compare(Operation::HasBits, mask, |a, b| a.bits() & b.bits() != 0)
    }
}

impl<'a> TracedTruth<'a> {
    pub(crate) fn operand(self) -> Operand {
        match self {
            Self::Constant(truth) => Operand::Constant(truth.into()),
            Self::Step(_, place) => Operand::Step(place),
        }
    }

    fn two(trace: &'a Trace, operation: Operation, first: Self, second: Self) -> Self {
        Self::Step(trace, trace.of_two(operation, first.operand(), second.operand()))
    }
}

impl From<bool> for TracedTruth<'_> {
    fn from(truth: bool) -> Self {
        Self::Constant(truth)
    }
}

impl BitAnd for TracedTruth<'_> {
    type Output = Self;

    #[inline(never)]
    fn bitand(self, other: Self) -> Self {
        match (self, other) {
            (Self::Constant(false), _) | (_, Self::Constant(false)) => Self::Constant(false),
            (Self::Constant(true), truth) | (truth, Self::Constant(true)) => truth,
            (Self::Step(trace, _), _) => Self::two(trace, Operation::Both, self, other),
        }
    }
}

impl BitOr for TracedTruth<'_> {
    type Output = Self;

    #[inline(never)]
    fn bitor(self, other: Self) -> Self {
        match (self, other) {
            (Self::Constant(true), _) | (_, Self::Constant(true)) => Self::Constant(true),
            (Self::Constant(false), truth) | (truth, Self::Constant(false)) => truth,
            (Self::Step(trace, _), _) => Self::two(trace, Operation::Either, self, other),
        }
    }
}

impl Not for TracedTruth<'_> {
    type Output = Self;

    #[inline(never)]
    fn not(self) -> Self {
        match self {
            Self::Constant(truth) => Self::Constant(!truth),
            Self::Step(trace, _) => Self::Step(trace, trace.of_one(Operation::Not, self.operand())),
        }
    }
}

impl<'a, N: Number> Truth<Traced<'a, N>> for TracedTruth<'a> {
    fn choose(self, yes: impl Into<Traced<'a, N>>, no: impl Into<Traced<'a, N>>) -> Traced<'a, N> {
        self.chosen(yes.into(), no.into())
    }
}

impl<'a> TracedTruth<'a> {
    #[inline(never)]
    fn chosen<N: Number>(self, yes: Traced<'a, N>, no: Traced<'a, N>) -> Traced<'a, N> {
        let Self::Step(trace, _) = self else {
            return if matches!(self, Self::Constant(true)) { yes } else { no };
        };
        let chosen = [yes.operand(), no.operand()];
        let (operation, operands) = match trace.step(self.operand()) {
            // The processor has these.
            Some(Step { operation: Operation::Less, operands: [first, second, _] })
                if chosen == [first, second] =>
            {
                (Operation::Min, [first, second, Operand::None])
            }
            Some(Step { operation: Operation::Less, operands: [first, second, _] })
                if chosen == [second, first] =>
            {
                (Operation::Max, [second, first, Operand::None])
            }
            _ => (Operation::Choose, [self.operand(), chosen[0], chosen[1]]),
        };
        Traced::Step(trace, trace.place(operation, operands))
    }
}
