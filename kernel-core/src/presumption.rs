//! What the proof that work-items do not race presumes of a launch, and how a launch sees to it.
//!
//! The compiler compares indices as mathematical integers. Where arithmetic that makes an index could wrap around, it presumes that it does not, and says so in the
//! descriptor. The runtime knows arguments, lengths and sizes, and computes between which numbers the result is for all work-items.

use crate::descriptor::SourceLine;
use crate::scalar::Scalar;

/// Something that a launch must meet so that work-items do not race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presumption {
    /// What it is about, as the source has it.
    pub text: &'static str,
    /// The access that would race.
    pub at: SourceLine,
    /// What is presumed.
    pub presumed: Presumed,
    /// How the number is computed, operands first; if it has to fit, the last one is to its type.
    pub parts: &'static [Part],
}

/// What is presumed of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presumed {
    /// That the exact result of its last operation fits its type.
    Fits,
    /// That it is a power of two.
    PowerOfTwo,
    /// That it is one.
    One,
    /// That it is at least one.
    Positive,
    /// That there is no such number: what two are known to be between has nothing in common, or where two arguments are in memory.
    Apart,
}

impl Presumed {
    /// Returns whether it is so of what some parts compute.
    #[must_use]
    pub fn holds(self, parts: &[Part], given: impl Fn(Part) -> Option<Bounds>) -> bool {
        match (self, parts.split_last()) {
            (Self::Fits, Some((Part::Cast(scalar), parts))) => {
                bounds(parts, given).is_some_and(|found| is_within(found, whole(*scalar)))
            }
            (Self::PowerOfTwo, Some(_)) => bounds(parts, given)
                .is_some_and(|(least, most)| least == most && least > 0 && least & (least - 1) == 0),
            (Self::One, Some(_)) => bounds(parts, given) == Some((1, 1)),
            (Self::Positive, Some(_)) => bounds(parts, given).is_some_and(|(least, _)| least > 0),
            (Self::Apart, Some(_)) => bounds(parts, given).is_some_and(|(least, most)| least > most),
            _ => false,
        }
    }
}

/// A step on the way to a number; what is computed are the bounds between which it is for all work-items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Any number between these two.
    Between(i128, i128),
    /// A scalar in what is passed by value.
    Value {
        /// The position of the argument.
        argument: u32,
        /// Where the scalar starts in it, in bytes.
        offset: u32,
        /// What it is.
        scalar: Scalar,
    },
    /// The length of the argument with this position.
    Length(u32),
    /// The address of a byte that the argument with this position leads to.
    Memory(u32),
    /// The id of a work-item in this dimension.
    GlobalId(u8),
    /// The size of the launch in this dimension.
    GlobalSize(u8),
    /// The id of a work-group in this dimension.
    GroupId(u8),
    /// The number of work-groups in this dimension.
    NumGroups(u8),
    /// The size of a work-group in this dimension.
    LocalSize(u8),
    /// A number from 0 to that before it.
    UpTo,
    /// A number that is that before it, or greater.
    AtLeast,
    /// A number between the bounds of both before it.
    Meet,
    /// One of the two before it, or a number between them.
    Join,
    /// The exact sum of the two before it.
    Add,
    /// Their exact difference.
    Sub,
    /// Their exact product.
    Mul,
    /// The quotient of the two before it, neither of which is negative; by zero it is zero.
    Div,
    /// The remainder of the two before it, neither of which is negative; by zero it is zero.
    Rem,
    /// The first of the two before it, which is not negative, shifted left by as many bits as the second says, exactly; by no more than 63.
    Shl,
    /// The number before it in this type, to which it may wrap around.
    Cast(Scalar),
}

/// The least and the greatest that a number may be.
pub type Bounds = (i128, i128);

impl Presumption {
    /// Returns whether it is so in a launch, of which a function tells what arguments, lengths, ids and sizes are. What the launch does not have is not met.
    #[must_use]
    pub fn holds(&self, given: impl Fn(Part) -> Option<Bounds>) -> bool {
        self.presumed.holds(self.parts, given)
    }

    /// The most parts that one may have.
    pub const MOST_PARTS: usize = 128;
}

/// The bounds of what some parts compute.
fn bounds(parts: &[Part], given: impl Fn(Part) -> Option<Bounds>) -> Option<Bounds> {
    let mut stack: [Bounds; Presumption::MOST_PARTS] = [(0, 0); Presumption::MOST_PARTS];
    let mut count = 0_usize;
    for &part in parts {
        let taken = match part {
            Part::Add
            | Part::Sub
            | Part::Mul
            | Part::Div
            | Part::Rem
            | Part::Shl
            | Part::Meet
            | Part::Join => 2,
            Part::Cast(_) | Part::UpTo | Part::AtLeast => 1,
            _ => 0,
        };
        count = count.checked_sub(taken)?;
        let (left, right) = (*stack.get(count)?, stack.get(count + 1).copied().unwrap_or_default());
        stack[count] = match part {
            Part::Add => (left.0.saturating_add(right.0), left.1.saturating_add(right.1)),
            Part::Sub => (left.0.saturating_sub(right.1), left.1.saturating_sub(right.0)),
            Part::Mul => product(left, right),
            Part::Div => quotient(left, right)?,
            Part::Rem if left.0 < 0 || right.0 < 0 => return None,
            Part::Rem => (0, left.1.min((right.1 - 1).max(0))),
            Part::Shl => shifted(left, right)?,
            Part::Cast(scalar) if is_within(left, whole(scalar)) => left,
            // What has wrapped may be anything.
            Part::Cast(scalar) => whole(scalar),
            Part::UpTo => (0, left.1.max(0)),
            Part::AtLeast => (left.0, i128::MAX),
            // Where there is no such number, nobody has it.
            Part::Meet => (left.0.max(right.0), left.1.min(right.1)),
            Part::Join => (left.0.min(right.0), left.1.max(right.1)),
            Part::Between(least, most) => (least, most),
            other => given(other)?,
        };
        count += 1;
    }
    (count == 1).then_some(stack[0])
}

fn product(left: Bounds, right: Bounds) -> Bounds {
    let corners = [(left.0, right.0), (left.0, right.1), (left.1, right.0), (left.1, right.1)];
    let corners = corners.map(|(left, right)| left.saturating_mul(right));
    let (mut least, mut most) = (corners[0], corners[0]);
    for corner in corners {
        (least, most) = (least.min(corner), most.max(corner));
    }
    (least, most)
}

/// The bounds of a quotient of natural numbers.
const fn quotient(left: Bounds, right: Bounds) -> Option<Bounds> {
    if left.0 < 0 || right.0 < 0 {
        return None;
    }
    let least = if right.0 == 0 { 0 } else { left.0 / right.1 };
    let most = if right.0 == 0 { left.1 } else { left.1 / right.0 };
    Some((least, most))
}

/// The bounds of a natural number that is shifted left.
fn shifted(number: Bounds, by: Bounds) -> Option<Bounds> {
    if number.0 < 0 || !is_within(by, (0, 63)) {
        return None;
    }
    Some((number.0.saturating_mul(1 << by.0), number.1.saturating_mul(1 << by.1)))
}

/// The bounds of an integer type.
fn whole(scalar: Scalar) -> Bounds {
    match (scalar.is_signed(), scalar.bits()) {
        (true, bits) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        (false, bits) => (0, (1 << bits) - 1),
    }
}

const fn is_within(inner: Bounds, outer: Bounds) -> bool {
    outer.0 <= inner.0 && inner.1 <= outer.1
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUE: Part = Part::Value { argument: 0, offset: 0, scalar: Scalar::U64 };
    const AT: SourceLine = SourceLine { file: "a.rs", line: 1, column: 1 };

    fn holds(presumed: Presumed, parts: &'static [Part], value: i128, size: i128) -> bool {
        let presumption = Presumption { text: "n", at: AT, presumed, parts };
        presumption.holds(|part| match part {
            VALUE => Some((value, value)),
            Part::GlobalId(0) => Some((0, size - 1)),
            Part::GlobalSize(0) => Some((size, size)),
            _ => None,
        })
    }

    const ROW: &[Part] = &[Part::GlobalId(0), VALUE, Part::Mul, Part::Cast(Scalar::Usize)];
    const ROW_OF_U32: &[Part] =
        &[Part::GlobalId(0), Part::Cast(Scalar::U32), VALUE, Part::Mul, Part::Cast(Scalar::U32)];

    #[test]
    fn a_product_fits_up_to_the_greatest_number_of_its_type() {
        let fits = |parts, value, size| holds(Presumed::Fits, parts, value, size);
        assert!(fits(ROW, 1 << 63, 2));
        assert!(!fits(ROW, 1 << 63, 3));
        assert!(fits(ROW_OF_U32, (1 << 32) - 1, 2));
        assert!(!fits(ROW_OF_U32, 1 << 31, 3));
    }

    #[test]
    fn what_wraps_on_the_way_may_be_anything() {
        const PARTS: &[Part] = &[
            VALUE,
            VALUE,
            Part::Mul,
            Part::Cast(Scalar::U8),
            Part::Between(1, 1),
            Part::Add,
            Part::Cast(Scalar::U8),
        ];
        assert!(holds(Presumed::Fits, PARTS, 15, 1));
        assert!(!holds(Presumed::Fits, PARTS, 16, 1));
    }

    #[test]
    fn a_difference_does_not_fall_below_zero() {
        const PARTS: &[Part] = &[VALUE, Part::GlobalId(0), Part::Sub, Part::Cast(Scalar::Usize)];
        assert!(holds(Presumed::Fits, PARTS, 7, 8));
        assert!(!holds(Presumed::Fits, PARTS, 7, 9));
    }

    #[test]
    fn memory_is_apart_where_no_byte_is_in_both() {
        let are_apart = |one: Bounds, other: Bounds| {
            Presumed::Apart.holds(&[Part::Memory(0), Part::Memory(1), Part::Meet], |part| match part {
                Part::Memory(0) => Some(one),
                Part::Memory(1) => Some(other),
                _ => None,
            })
        };
        assert!(are_apart((0, 63), (64, 127)));
        assert!(are_apart((64, 127), (0, 63)));
        assert!(!are_apart((0, 64), (64, 127)));
        assert!(!are_apart((0, 127), (16, 31)));
        // Nothing is in what is empty.
        assert!(are_apart((16, 15), (0, 63)));
    }

    #[test]
    fn quotients_are_those_of_natural_numbers() {
        const PARTS: &[Part] = &[Part::GlobalId(0), VALUE, Part::Div, Part::Cast(Scalar::U8)];
        assert!(holds(Presumed::Fits, PARTS, 4, 1024));
        assert!(!holds(Presumed::Fits, PARTS, 4, 1025));
        assert!(holds(Presumed::Fits, PARTS, 0, 256));
        assert!(!holds(Presumed::Fits, PARTS, 0, 257));
        assert!(!holds(Presumed::Fits, PARTS, -1, 1));
    }

    #[test]
    fn remainders_are_below_what_is_divided_by() {
        const PARTS: &[Part] = &[Part::GlobalId(0), VALUE, Part::Rem, Part::Cast(Scalar::U8)];
        assert!(holds(Presumed::Fits, PARTS, 256, 1024));
        assert!(!holds(Presumed::Fits, PARTS, 257, 1024));
        assert!(holds(Presumed::Fits, PARTS, 1000, 256));
        assert!(holds(Presumed::Fits, PARTS, 0, 1024));
        assert!(!holds(Presumed::Fits, PARTS, -1, 1));
    }

    #[test]
    fn a_bit_is_shifted_as_far_as_there_are_bits() {
        const PARTS: &[Part] = &[Part::Between(1, 1), VALUE, Part::Shl, Part::Cast(Scalar::U32)];
        assert!(holds(Presumed::Fits, PARTS, 0, 1));
        assert!(holds(Presumed::Fits, PARTS, 31, 1));
        assert!(!holds(Presumed::Fits, PARTS, 32, 1));
        assert!(!holds(Presumed::Fits, PARTS, 64, 1));
        assert!(!holds(Presumed::Fits, PARTS, -1, 1));
    }

    #[test]
    fn one_of_two_is_between_the_bounds_of_both() {
        const PARTS: &[Part] = &[VALUE, Part::GlobalId(0), Part::Join, Part::Cast(Scalar::U8)];
        assert!(holds(Presumed::Fits, PARTS, 255, 256));
        assert!(!holds(Presumed::Fits, PARTS, 256, 1));
        assert!(!holds(Presumed::Fits, PARTS, 0, 257));
        assert!(!holds(Presumed::Fits, PARTS, -1, 1));
    }

    #[test]
    fn what_a_number_is_at_least_counts() {
        const PARTS: &[Part] = &[
            Part::GlobalId(0),
            VALUE,
            Part::AtLeast,
            Part::Meet,
            Part::Between(1, 1),
            Part::Sub,
            Part::Cast(Scalar::U8),
        ];
        assert!(holds(Presumed::Fits, PARTS, 1, 100));
        assert!(!holds(Presumed::Fits, PARTS, 0, 100));
        assert!(!holds(Presumed::Fits, PARTS, 1, 300));
    }

    #[test]
    fn a_number_that_may_be_zero_is_not_positive() {
        assert!(holds(Presumed::Positive, &[VALUE], 1, 1));
        assert!(!holds(Presumed::Positive, &[VALUE], 0, 1));
        assert!(!holds(Presumed::Positive, &[VALUE], -1, 1));
        assert!(!holds(Presumed::Positive, &[Part::GlobalId(0)], 1, 8));
    }

    #[test]
    fn a_bound_takes_the_numbers_below_it_too() {
        const PARTS: &[Part] = &[VALUE, Part::UpTo, Part::Between(-1, -1), Part::Add, Part::Cast(Scalar::U8)];
        assert!(!holds(Presumed::Fits, PARTS, 7, 1));
        const FROM_ZERO: &[Part] = &[VALUE, Part::UpTo, Part::Cast(Scalar::U8)];
        assert!(holds(Presumed::Fits, FROM_ZERO, -1, 1));
        assert!(!holds(Presumed::Fits, FROM_ZERO, 256, 1));
    }

    #[test]
    fn a_number_is_between_all_of_its_bounds() {
        const PARTS: &[Part] = &[Part::GlobalId(0), VALUE, Part::UpTo, Part::Meet, Part::Cast(Scalar::U8)];
        assert!(holds(Presumed::Fits, PARTS, 255, 1000));
        assert!(holds(Presumed::Fits, PARTS, 1000, 256));
        assert!(!holds(Presumed::Fits, PARTS, 256, 1000));
    }

    #[test]
    fn powers_of_two_are_single_numbers() {
        for (value, expected) in [(0, false), (1, true), (2, true), (3, false), (64, true), (-4, false)] {
            assert_eq!(holds(Presumed::PowerOfTwo, &[VALUE], value, 1), expected);
        }
        assert!(!holds(Presumed::PowerOfTwo, &[Part::GlobalId(0)], 1, 2));
    }

    #[test]
    fn one_is_a_single_number() {
        for (value, expected) in [(0, false), (1, true), (2, false), (-1, false)] {
            assert_eq!(holds(Presumed::One, &[VALUE], value, 1), expected);
        }
        assert!(!holds(Presumed::One, &[], 1, 1));
    }

    #[test]
    fn what_nobody_knows_and_what_makes_no_sense_does_not_hold() {
        let fits = |parts| holds(Presumed::Fits, parts, 1, 1);
        assert!(!fits(&[Part::Length(1), Part::Cast(Scalar::U8)]));
        assert!(!fits(&[Part::Add, Part::Cast(Scalar::U8)]));
        assert!(!fits(&[]));
        assert!(!fits(&[VALUE]));
        assert!(!fits(&[VALUE, VALUE, Part::Cast(Scalar::U8)]));
        assert!(!fits(&[VALUE; 49]));
    }
}
