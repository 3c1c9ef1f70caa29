//! Checks that have moved from a kernel to its launch.
//!
//! A module may hold a kernel twice, as two entry points: with all checks that it needs, and without those of which the host can tell by
//! lengths, scalars and the size of a launch that none fails. What tells it is a [`LaunchCondition`]: steps for a machine with a stack of
//! integers, on which the compiler and the host agree. Arithmetic on mathematical integers that goes beyond 128 bits makes a
//! condition false, and so does whatever the host does not know.
//!
//! Launches that do not meet the conditions make all checks. Where these need numbers of 64 bits only because a launch may be huge, the kernel has another module for
//! those that are not, with conditions of its own ([`SmallLaunches`]). Nobody has to build it who meets the others.

use crate::descriptor::Spirv;
use crate::places::AccessPlaces;
use crate::scalar::Scalar;
use crate::semantics::{BinaryOp, UnaryOp, extend, integer_binary, integer_unary, wrap};

/// How many integers a condition may have on its stack.
pub const MAX_LAUNCH_STACK: usize = 16;

/// The other entry point of a kernel: the same but for checks that cannot fail in a launch that meets the conditions.
#[derive(Clone, Copy, Debug)]
pub struct HoistedChecks {
    /// The name of the entry point.
    pub entry_point: &'static str,
    /// What has to hold, all of it.
    pub conditions: &'static [LaunchCondition],
    /// The fault sites whose checks it does not make, each with the positions of the conditions under which that one cannot fail.
    pub sites: &'static [(u32, &'static [u32])],
    /// Whether it can fault all the same, and has a fault record among its arguments.
    pub can_fault: bool,
    /// Where its accesses to memory are written.
    pub access_places: AccessPlaces,
}

/// A kernel with all of its checks, but in numbers of 32 bits where those of a small launch have no more. Its entry point has the name of the kernel and takes the same arguments, and its
/// faults are the same.
#[derive(Clone, Copy, Debug)]
pub struct SmallLaunches {
    /// The module, which has this entry point alone.
    pub spirv: Spirv,
    /// What has to hold, all of it.
    pub conditions: &'static [LaunchCondition],
    /// Where its accesses to memory are written.
    pub access_places: AccessPlaces,
}

/// Something that the host finds out about a launch before it.
#[derive(Clone, Copy, Debug)]
pub struct LaunchCondition {
    /// It as the source would say it.
    pub text: &'static str,
    /// How it is evaluated: it holds if 1 is left alone on the stack.
    pub steps: &'static [LaunchStep],
}

/// A step of a [`LaunchCondition`], which takes its operands from the stack, the last one first, and leaves its result there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchStep {
    /// A number.
    Constant(i128),
    /// How many elements the argument with this position has.
    Len(u32),
    /// How many texels an image has along an axis.
    ImageSize {
        /// The position of the argument.
        argument: u32,
        /// The axis, in the order of the coordinates.
        axis: u32,
    },
    /// A scalar in what is passed by value.
    Value {
        /// The position of the argument.
        argument: u32,
        /// Where the scalar starts in it, in bytes.
        offset: u32,
        /// What it is.
        scalar: Scalar,
    },
    /// The number of work-items in a dimension.
    GlobalSize(u8),
    /// The number of work-items of a work-group in a dimension.
    LocalSize(u8),
    /// The number of work-groups in a dimension.
    NumGroups(u8),
    /// The constant of the module with this position, of this type.
    Specialization(u32, Scalar),
    /// An operator on mathematical integers.
    Exact(ExactOp),
    /// An operator on two integers of a type, as the device has it; a quotient by zero is 0.
    Binary(BinaryOp, Scalar),
    /// An operator on an integer of a type, as the device has it.
    Unary(UnaryOp, Scalar),
    /// A conversion to a type, as the device has it.
    Cast(Scalar),
    /// The second operand if the first is not 0, else the third.
    Select,
    /// The least power of two that is no less.
    NextPowerOfTwo,
}

/// An operator on mathematical integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExactOp {
    /// The sum.
    Add,
    /// The product.
    Mul,
    /// The quotient, rounded down, of a positive divisor.
    Div,
    /// The lesser.
    Min,
    /// The greater.
    Max,
    /// Whether the first is at most the second.
    AtMost,
    /// Whether they differ.
    Differ,
}

/// What the host knows of a launch; none where it does not.
pub trait LaunchFacts {
    /// How many elements the argument with this position has.
    fn len(&self, argument: u32) -> Option<u64>;
    /// How many texels an image has along an axis.
    fn image_size(&self, argument: u32, axis: u32) -> Option<u64>;
    /// The bits of a scalar at an offset in what is passed by value.
    fn value(&self, argument: u32, offset: u32, scalar: Scalar) -> Option<u64>;
    /// The number of work-items in a dimension.
    fn global_size(&self, dimension: u8) -> Option<u64>;
    /// The number of work-items of each work-group in a dimension.
    fn local_size(&self, dimension: u8) -> Option<u64>;
    /// The bits of a constant that the launch sets.
    fn specialization(&self, position: u32) -> Option<u64>;
}

impl HoistedChecks {
    /// Returns whether none of the checks can fail in a launch.
    #[must_use]
    pub fn cannot_fail(&self, launch: &impl LaunchFacts) -> bool {
        self.conditions.iter().all(|condition| condition.holds(launch))
    }

    /// The conditions under which the checks of a fault site cannot fail; none if the site has its checks in both entry points.
    pub fn conditions_of(&self, site: u32) -> Option<impl Iterator<Item = &'static LaunchCondition>> {
        let (_, positions) = self.sites.iter().find(|(hoisted, _)| *hoisted == site)?;
        Some(positions.iter().filter_map(|position| self.conditions.get(*position as usize)))
    }
}

impl SmallLaunches {
    /// Returns whether a launch is one of them.
    #[must_use]
    pub fn contain(&self, launch: &impl LaunchFacts) -> bool {
        self.conditions.iter().all(|condition| condition.holds(launch))
    }
}

impl LaunchCondition {
    /// Returns whether it holds for a launch.
    #[must_use]
    pub fn holds(&self, launch: &impl LaunchFacts) -> bool {
        hold(self.steps, launch)
    }
}

/// Returns whether the condition that has these steps holds for a launch.
#[must_use]
pub fn hold(steps: &[LaunchStep], launch: &impl LaunchFacts) -> bool {
    evaluate(steps, launch) == Some(1)
}

/// What is left on the stack, if it is one integer and everything is known and fits.
fn evaluate(steps: &[LaunchStep], launch: &impl LaunchFacts) -> Option<i128> {
    let mut stack = Stack { integers: [0; MAX_LAUNCH_STACK], len: 0 };
    for step in steps {
        let result = stack.step(*step, launch)?;
        stack.push(result)?;
    }
    let result = stack.pop()?;
    (stack.len == 0).then_some(result)
}

struct Stack {
    integers: [i128; MAX_LAUNCH_STACK],
    len: usize,
}

impl Stack {
    fn push(&mut self, integer: i128) -> Option<()> {
        *self.integers.get_mut(self.len)? = integer;
        self.len += 1;
        Some(())
    }

    fn pop(&mut self) -> Option<i128> {
        self.len = self.len.checked_sub(1)?;
        Some(self.integers[self.len])
    }

    /// Takes the operands of a step, and gives its result.
    fn step(&mut self, step: LaunchStep, launch: &impl LaunchFacts) -> Option<i128> {
        match step {
            LaunchStep::Constant(value) => Some(value),
            LaunchStep::Len(argument) => launch.len(argument).map(i128::from),
            LaunchStep::ImageSize { argument, axis } => launch.image_size(argument, axis).map(i128::from),
            LaunchStep::Value { argument, offset, scalar } => {
                launch.value(argument, offset, scalar).map(|bits| extend(scalar, bits))
            }
            LaunchStep::GlobalSize(dimension) => launch.global_size(dimension).map(i128::from),
            LaunchStep::LocalSize(dimension) => launch.local_size(dimension).map(i128::from),
            LaunchStep::NumGroups(dimension) => {
                let [items, group] = [launch.global_size(dimension)?, launch.local_size(dimension)?];
                items.checked_div(group).map(i128::from)
            }
            LaunchStep::Specialization(position, scalar) => {
                let bits = launch.specialization(position)?;
                Some(extend(scalar, wrap(scalar, i128::from(bits))))
            }
            LaunchStep::Exact(op) => {
                let (right, left) = (self.pop()?, self.pop()?);
                op.of(left, right)
            }
            LaunchStep::Binary(op, scalar) => {
                let (right, left) = (self.pop()?, self.pop()?);
                let bits = integer_binary(op, scalar, wrap(scalar, left), wrap(scalar, right)).unwrap_or(0);
                let result = if op.is_comparison() { Scalar::Bool } else { scalar };
                Some(extend(result, bits))
            }
            LaunchStep::Unary(op, scalar) => {
                let operand = wrap(scalar, self.pop()?);
                Some(extend(scalar, integer_unary(op, scalar, operand)))
            }
            LaunchStep::Cast(scalar) => {
                let operand = self.pop()?;
                Some(extend(scalar, wrap(scalar, operand)))
            }
            LaunchStep::Select => {
                let (reject, accept, condition) = (self.pop()?, self.pop()?, self.pop()?);
                Some(if condition != 0 { accept } else { reject })
            }
            LaunchStep::NextPowerOfTwo => {
                let power = u128::try_from(self.pop()?.max(1)).ok()?.checked_next_power_of_two()?;
                i128::try_from(power).ok()
            }
        }
    }
}

impl ExactOp {
    /// The result, if it fits in 128 bits.
    #[must_use]
    pub fn of(self, left: i128, right: i128) -> Option<i128> {
        match self {
            Self::Add => left.checked_add(right),
            Self::Mul => left.checked_mul(right),
            Self::Div if right > 0 => Some(left.div_euclid(right)),
            Self::Div => None,
            Self::Min => Some(left.min(right)),
            Self::Max => Some(left.max(right)),
            Self::AtMost => Some(i128::from(left <= right)),
            Self::Differ => Some(i128::from(left != right)),
        }
    }
}

impl LaunchStep {
    /// How many operands it takes.
    #[must_use]
    pub const fn operands(self) -> usize {
        match self {
            Self::Constant(_)
            | Self::Len(_)
            | Self::ImageSize { .. }
            | Self::Value { .. }
            | Self::GlobalSize(_)
            | Self::LocalSize(_)
            | Self::NumGroups(_)
            | Self::Specialization(..) => 0,
            Self::Unary(..) | Self::Cast(_) | Self::NextPowerOfTwo => 1,
            Self::Exact(_) | Self::Binary(..) => 2,
            Self::Select => 3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three arguments: seven elements, a `u32` of 3 behind a `u32` of 9, and an image of 30 by 31 by 32 texels; 6 by 1 by 1 work-items in groups of 2; one constant, 200.
    struct Example;

    impl LaunchFacts for Example {
        fn len(&self, argument: u32) -> Option<u64> {
            (argument == 0).then_some(7)
        }
        fn image_size(&self, argument: u32, axis: u32) -> Option<u64> {
            (argument == 2).then_some(u64::from(axis) + 30)
        }
        fn value(&self, argument: u32, offset: u32, _: Scalar) -> Option<u64> {
            (argument == 1).then_some(if offset == 0 { 9 } else { 3 })
        }
        fn global_size(&self, dimension: u8) -> Option<u64> {
            [6, 1, 1].get(usize::from(dimension)).copied()
        }
        fn local_size(&self, dimension: u8) -> Option<u64> {
            (dimension != 1).then_some([2, 0, 0][usize::from(dimension)])
        }
        fn specialization(&self, position: u32) -> Option<u64> {
            (position == 0).then_some(200)
        }
    }

    #[track_caller]
    fn check(steps: &[LaunchStep], expected: Option<i128>) {
        assert_eq!(evaluate(steps, &Example), expected);
    }

    #[test]
    fn leaves_are_what_the_host_knows() {
        use LaunchStep::{Constant, GlobalSize, ImageSize, Len, LocalSize, NumGroups, Specialization, Value};
        check(&[Constant(-3)], Some(-3));
        check(&[Len(0)], Some(7));
        check(&[Len(1)], None);
        check(&[ImageSize { argument: 2, axis: 1 }], Some(31));
        check(&[Value { argument: 1, offset: 4, scalar: Scalar::U32 }], Some(3));
        check(&[GlobalSize(0)], Some(6));
        check(&[LocalSize(0)], Some(2));
        check(&[NumGroups(0)], Some(3));
        check(&[NumGroups(1)], None);
        check(&[NumGroups(2)], None);
        check(&[Specialization(0, Scalar::I8)], Some(-56));
        check(&[Specialization(1, Scalar::U8)], None);
    }

    #[test]
    fn exact_operators_do_not_wrap() {
        use LaunchStep::{Constant, Exact};
        let of = |left, op, right| [Constant(left), Constant(right), Exact(op)];
        check(&of(1 << 64, ExactOp::Mul, 3), Some(3 << 64));
        check(&of(i128::MAX, ExactOp::Add, 1), None);
        check(&of(i128::MAX, ExactOp::Mul, 2), None);
        check(&of(-7, ExactOp::Div, 2), Some(-4));
        check(&of(7, ExactOp::Div, 0), None);
        check(&of(2, ExactOp::AtMost, 2), Some(1));
        check(&of(3, ExactOp::AtMost, 2), Some(0));
        check(&of(3, ExactOp::Differ, 2), Some(1));
        check(&of(3, ExactOp::Min, 2), Some(2));
        check(&of(3, ExactOp::Max, 2), Some(3));
    }

    #[test]
    fn operators_of_a_type_are_those_of_the_device() {
        use LaunchStep::{Binary, Cast, Constant, Select, Unary};
        check(&[Constant(250), Constant(10), Binary(BinaryOp::Add, Scalar::U8)], Some(4));
        check(&[Constant(5), Constant(0), Binary(BinaryOp::Div, Scalar::U8)], Some(0));
        check(&[Constant(-1), Constant(1), Binary(BinaryOp::Lt, Scalar::I32)], Some(1));
        check(&[Constant(-1), Cast(Scalar::U32)], Some(0xffff_ffff));
        check(&[Constant(1), Unary(UnaryOp::Neg, Scalar::I32)], Some(-1));
        check(&[Constant(0), Constant(4), Constant(6), Select], Some(6));
    }

    #[test]
    fn powers_of_two_are_no_less() {
        use LaunchStep::{Constant, NextPowerOfTwo};
        let of = |number| [Constant(number), NextPowerOfTwo];
        for (number, power) in [(-5, 1), (0, 1), (1, 1), (2, 2), (5, 8), (8, 8), (1 << 64, 1 << 64)] {
            check(&of(number), Some(power));
        }
        check(&of(i128::MAX), None);
    }

    #[test]
    fn a_condition_leaves_one_alone() {
        use LaunchStep::{Constant, Exact};
        let holds = |steps| LaunchCondition { text: "", steps }.holds(&Example);
        assert!(holds(&[Constant(1)]));
        assert!(!holds(&[Constant(0)]));
        assert!(!holds(&[Constant(1), Constant(1)]), "two are left");
        assert!(!holds(&[Exact(ExactOp::Add)]), "there are no operands");
        assert!(!holds(&[Constant(1); MAX_LAUNCH_STACK + 1]), "the stack is full");
    }
}
