//! Faults: what a kernel records instead of touching memory that is not its own.
//!
//! A kernel that can fault has, as its last device argument, a pointer to a zeroed [`FaultRecord`] in
//! CrossWorkgroup memory. Each work-item that faulted adds one to `count` when it ends; the one that finds it zero writes the rest, about its own first
//! fault. What the message of a panic formats follows the record as 32-bit words, as many as the longest message of the kernel takes
//! ([`KernelDescriptor::fault_words`](crate::KernelDescriptor::fault_words)); they are unspecified beyond those of the site.

use crate::fault_sites::FaultFormat;
use bytemuck::{Pod, Zeroable};
use core::fmt;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// An index that is not below the length; the values are the index and the length.
    IndexOutOfBounds,
    /// An integer division by zero.
    DivisionByZero,
    /// An integer remainder with a divisor of zero.
    RemainderByZero,
    /// `MIN / -1`.
    DivisionOverflow,
    /// `MIN % -1`.
    RemainderOverflow,
    /// A range stepped by zero.
    ZeroStep,
    /// A part of a slice that starts beyond its end; the values are the start and the length.
    RangeStart,
    /// A part of a slice that ends beyond its end; the values are the end of the part and the length.
    RangeEnd,
    /// A part of a slice that ends before it starts; the values are its start and its end.
    RangeOrder,
    /// A slice split beyond its end.
    Split,
    /// Chunks of no elements.
    ZeroChunk,
    /// Windows of no elements.
    ZeroWindow,
    /// A slice copied to one of another length; the values are the lengths of the source and the destination.
    CopyLengths,
    /// A slice rotated to the left by more than its length.
    RotateLeft,
    /// A slice rotated to the right by more than its length.
    RotateRight,
    /// A sum that does not fit, where overflow is checked or by `strict_add` and its kin; the values are the operands, extended to 64 bits, those of
    /// scalars.
    AdditionOverflow,
    /// A difference that does not fit; the values are as for a sum.
    SubtractionOverflow,
    /// A product or a power that does not fit; the values are as for a sum.
    MultiplicationOverflow,
    /// An opposite or an absolute value that does not fit; the first value is the operand.
    NegationOverflow,
    /// A shift to the left by the width or more; the values are what is shifted and the count.
    LeftShiftOverflow,
    /// A shift to the right by the width or more; the values are as for one to the left.
    RightShiftOverflow,
    /// An integer clamped to a range that ends before it starts.
    ClampOrder,
    /// A float clamped to a range that ends before it starts, or of which an end is NaN.
    FloatClampOrder,
    /// The integer square root of a negative number.
    NegativeSquareRoot,
    /// The integer logarithm of zero or a negative number.
    LogarithmOfNonPositive,
    /// An integer logarithm with a base below two.
    LogarithmBase,
    /// `unwrap` or `expect` of `None`.
    UnwrapNone,
    /// `unwrap` or `expect` of an `Err`.
    UnwrapErr,
    /// `unwrap_err` or `expect_err` of an `Ok`.
    UnwrapOk,
    /// A panic of the author's own; the site has the message.
    Panic,
    /// A comparison of `bool`s that was asserted; the site has the message, and the values are the two sides.
    ComparedBool,
    /// The same of unsigned integers.
    ComparedUnsigned,
    /// The same of signed integers, which are extended to 64 bits.
    ComparedSigned,
    /// The same of floats of up to 32 bits, by the bits of an `f32`.
    ComparedF32,
    /// The same of floats of 64 bits, by their bits.
    ComparedF64,
}

impl FaultKind {
    /// Every kind, in declaration order.
    pub const ALL: [Self; 35] = [
        Self::IndexOutOfBounds,
        Self::DivisionByZero,
        Self::RemainderByZero,
        Self::DivisionOverflow,
        Self::RemainderOverflow,
        Self::ZeroStep,
        Self::RangeStart,
        Self::RangeEnd,
        Self::RangeOrder,
        Self::Split,
        Self::ZeroChunk,
        Self::ZeroWindow,
        Self::CopyLengths,
        Self::RotateLeft,
        Self::RotateRight,
        Self::AdditionOverflow,
        Self::SubtractionOverflow,
        Self::MultiplicationOverflow,
        Self::NegationOverflow,
        Self::LeftShiftOverflow,
        Self::RightShiftOverflow,
        Self::ClampOrder,
        Self::FloatClampOrder,
        Self::NegativeSquareRoot,
        Self::LogarithmOfNonPositive,
        Self::LogarithmBase,
        Self::UnwrapNone,
        Self::UnwrapErr,
        Self::UnwrapOk,
        Self::Panic,
        Self::ComparedBool,
        Self::ComparedUnsigned,
        Self::ComparedSigned,
        Self::ComparedF32,
        Self::ComparedF64,
    ];

    /// Returns whether this is an index, a range, a length or a divisor for which memory accesses and divisions are not defined: what
    /// `#[kernel(unsafe(unchecked))]` leaves unchecked. All else only somebody has asked for.
    #[must_use]
    pub const fn is_guard(self) -> bool {
        matches!(
            self,
            Self::IndexOutOfBounds
                | Self::DivisionByZero
                | Self::RemainderByZero
                | Self::DivisionOverflow
                | Self::RemainderOverflow
                | Self::RangeStart
                | Self::RangeEnd
                | Self::RangeOrder
                | Self::Split
                | Self::CopyLengths
                | Self::RotateLeft
                | Self::RotateRight
        )
    }

    /// Writes the fault as Rust's own panic message words it, but without values that a record does not have. `message` is that of the
    /// site ([`FaultSite::message`]), which only the panics of the author's own have, and what has been unwrapped.
    ///
    /// # Errors
    ///
    /// Those of the formatter.
    pub fn describe(self, message: &str, values: [u64; 2], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = values;
        let sides = |f: &mut fmt::Formatter<'_>, [left, right]: [&dyn fmt::Debug; 2]| {
            write!(f, "{message}\n  left: {left:?}\n right: {right:?}")
        };
        match self {
            Self::IndexOutOfBounds => {
                write!(f, "index out of bounds: the len is {second} but the index is {first}")
            }
            Self::DivisionByZero => f.write_str("attempt to divide by zero"),
            Self::RemainderByZero => f.write_str("attempt to calculate the remainder with a divisor of zero"),
            Self::DivisionOverflow => f.write_str("attempt to divide with overflow"),
            Self::RemainderOverflow => f.write_str("attempt to calculate the remainder with overflow"),
            Self::ZeroStep => f.write_str("assertion failed: step != 0"),
            Self::RangeStart => {
                write!(f, "range start index {first} out of range for slice of length {second}")
            }
            Self::RangeEnd => write!(f, "range end index {first} out of range for slice of length {second}"),
            Self::RangeOrder => write!(f, "slice index starts at {first} but ends at {second}"),
            Self::Split => f.write_str("mid > len"),
            Self::ZeroChunk => f.write_str("chunk size must be non-zero"),
            Self::ZeroWindow => f.write_str("window size must be non-zero"),
            Self::CopyLengths => write!(
                f,
                "copy_from_slice: source slice length ({first}) does not match destination slice length ({second})"
            ),
            Self::RotateLeft => f.write_str("assertion failed: mid <= self.len()"),
            Self::RotateRight => f.write_str("assertion failed: k <= self.len()"),
            Self::AdditionOverflow => f.write_str("attempt to add with overflow"),
            Self::SubtractionOverflow => f.write_str("attempt to subtract with overflow"),
            Self::MultiplicationOverflow => f.write_str("attempt to multiply with overflow"),
            Self::NegationOverflow => f.write_str("attempt to negate with overflow"),
            Self::LeftShiftOverflow => f.write_str("attempt to shift left with overflow"),
            Self::RightShiftOverflow => f.write_str("attempt to shift right with overflow"),
            Self::ClampOrder => f.write_str("min > max"),
            Self::FloatClampOrder => f.write_str("min > max, or either was NaN"),
            Self::NegativeSquareRoot => f.write_str("argument of integer square root cannot be negative"),
            Self::LogarithmOfNonPositive => f.write_str("argument of integer logarithm must be positive"),
            Self::LogarithmBase => f.write_str("base of integer logarithm must be at least 2"),
            Self::UnwrapNone => f.write_str("called `Option::unwrap()` on a `None` value"),
            Self::UnwrapErr => unwrapped(f, "called `Result::unwrap()` on an `Err` value", message),
            Self::UnwrapOk => unwrapped(f, "called `Result::unwrap_err()` on an `Ok` value", message),
            Self::Panic => f.write_str(message),
            Self::ComparedBool => sides(f, [&(first != 0), &(second != 0)]),
            Self::ComparedUnsigned => sides(f, [&first, &second]),
            Self::ComparedSigned => sides(f, [&first.cast_signed(), &second.cast_signed()]),
            Self::ComparedF32 => sides(f, [&f32::from_bits(first as u32), &f32::from_bits(second as u32)]),
            Self::ComparedF64 => sides(f, [&f64::from_bits(first), &f64::from_bits(second)]),
        }
    }
}

/// What has been unwrapped, with its payload if that is known.
fn unwrapped(f: &mut fmt::Formatter<'_>, what: &str, payload: &str) -> fmt::Result {
    f.write_str(what)?;
    if payload.is_empty() { Ok(()) } else { write!(f, ": {payload}") }
}

/// A place in the source of a kernel that can fault.
#[derive(Clone, Copy, Debug)]
pub struct FaultSite<'a> {
    /// What can go wrong there.
    pub kind: FaultKind,
    /// The source file, as the compiler named it.
    pub file: &'a str,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1.
    pub column: u32,
    /// What is to be said, for the kinds that do not say it themselves; else empty.
    pub message: &'a str,
    /// Why the kernel checks this at all: what the compiler could not find out, in words. For people to read; the words may change.
    pub reason: &'a str,
    /// What is to be said instead, if it is formatted.
    pub format: Option<FaultFormat>,
}

impl FaultSite<'_> {
    /// What is said about a fault there, where `words` are those that follow the record; empty if the kind says it all.
    #[must_use]
    pub fn message(&self, words: &[u32]) -> impl fmt::Display {
        fmt::from_fn(move |f| match self.format {
            Some(format) => (format.write)(words, f),
            None => f.write_str(self.message),
        })
    }
}

/// The most words that the message of a panic can take. A work-item keeps them in its private memory.
pub const MAX_FAULT_WORDS: u32 = 64;

/// The memory through which a kernel reports its first fault.
///
/// All zero means that nothing went wrong. What a kernel need not store stays zero: a kernel with one dimension whose values are indices of 32 bits and lengths stores
/// the first four words, and counts.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct FaultRecord {
    /// The low halves of the values that go with the kind.
    pub low: [u32; 2],
    /// The number of the [`FaultSite`] in the descriptor. In a kernel [with few of them](Self::has_short_sites) that takes the lower half; the upper one may be a part of the high
    /// half of the second value, which is zero then.
    pub site: u32,
    /// The first coordinate of the global id of the work-item that faulted first; launches are small enough that it has 32 bits.
    pub x: u32,
    /// The high halves of the values.
    pub high: [u32; 2],
    /// The other coordinates.
    pub yz: [u32; 2],
    /// How many work-items faulted; it wraps.
    pub count: u32,
    /// Zero.
    pub reserved: u32,
}

impl FaultRecord {
    /// Returns whether the sites of a kernel with so many are counted by 16 bits.
    #[must_use]
    pub const fn has_short_sites(sites: usize) -> bool {
        sites <= 1 << 16
    }

    /// Returns the fault in a record of a kernel with so many sites.
    #[must_use]
    pub const fn fault(&self, sites: usize) -> RecordedFault {
        let (site, above) = match Self::has_short_sites(sites) {
            true => (self.site & 0xffff, self.site >> 16),
            false => (self.site, 0),
        };
        let high = [self.high[0], self.high[1] | above];
        RecordedFault {
            values: [
                self.low[0] as u64 | (high[0] as u64) << 32,
                self.low[1] as u64 | (high[1] as u64) << 32,
            ],
            site,
            global_id: [self.x, self.yz[0], self.yz[1]],
            count: self.count,
        }
    }
}

impl From<RecordedFault> for FaultRecord {
    fn from(fault: RecordedFault) -> Self {
        let [x, y, z] = fault.global_id;
        Self {
            low: fault.values.map(|value| value as u32),
            site: fault.site,
            x,
            high: fault.values.map(|value| (value >> 32) as u32),
            yz: [y, z],
            count: fault.count,
            reserved: 0,
        }
    }
}

/// What a [`FaultRecord`] says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordedFault {
    /// The values that go with the kind.
    pub values: [u64; 2],
    /// The number of the [`FaultSite`] in the descriptor.
    pub site: u32,
    /// The global id of the work-item that faulted first.
    pub global_id: [u32; 3],
    /// How many work-items faulted; it wraps.
    pub count: u32,
}

const _: () = assert!(size_of::<FaultRecord>() == 40 && align_of::<FaultRecord>() == 8);
