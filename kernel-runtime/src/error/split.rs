//! What can be wrong with work that is split over devices.

use core::fmt;

/// Work cannot be split over devices like this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitError {
    /// What is wrong.
    pub problem: SplitProblem,
}

/// What is wrong with a [`Split`](crate::Split), or with a buffer that it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SplitProblem {
    /// There is no device.
    NoDevices,
    /// The weights of the devices are no proportion.
    Weights,
    /// The elements are not so many rows.
    Rows {
        /// How many elements there are.
        len: usize,
        /// How many elements a row is to have.
        width: usize,
    },
    /// A slice has another length.
    Length {
        /// The elements of the split.
        split: usize,
        /// The elements of the slice.
        slice: usize,
    },
    /// The buffer was made by a split with other parts.
    OtherSplit,
}

impl From<SplitProblem> for SplitError {
    fn from(problem: SplitProblem) -> Self {
        Self { problem }
    }
}

impl fmt::Display for SplitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problem {
            SplitProblem::NoDevices => {
                f.write_str("there is no device to split over; help: `Device::sub_devices` of a device without parts is empty, pass the device itself then")
            }
            SplitProblem::Weights => f.write_str(
                "the weights of the devices must be finite, not negative, and not all zero",
            ),
            SplitProblem::Rows { len, width } => {
                write!(f, "{len} elements cannot be cut into whole rows of {width}")
            }
            SplitProblem::Length { split, slice } => {
                write!(f, "the split is of {split} elements, but the slice has {slice}")
            }
            SplitProblem::OtherSplit => {
                f.write_str("the buffer was made by another split, with other parts; help: make it by this one")
            }
        }
    }
}

impl core::error::Error for SplitError {}
