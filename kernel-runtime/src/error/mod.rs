//! What can go wrong, as one enumeration.
//!
//! Faults of a kernel, errors of the driver, and bugs of this project are three types, since three different
//! people have to act on them.

mod buffer;
mod build;
pub(crate) mod driver;
mod internal;
mod launch;

pub use buffer::{BufferError, BufferProblem};
pub use build::{BuildError, BuildProblem, Feature, MissingFeature};
pub use driver::DriverError;
pub use internal::InternalError;
pub use launch::{LaunchError, LaunchProblem};

use crate::fault::KernelFault;
use crate::selection::SelectionError;
use crate::status::GpuStatus;
use core::fmt;

/// The result of what this crate does.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// What can go wrong.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// There is no device at all: no GPU, for the reason given, and this crate was built without its CPU device.
    NoDevice(GpuStatus),
    /// The environment variable `KERNEL_DEVICE` names no device that exists.
    Selection(SelectionError),
    /// A buffer cannot be made, or does not fit what it is copied to or from.
    Buffer(BufferError),
    /// A launch was refused before anything was enqueued.
    Launch(LaunchError),
    /// The kernel needs what the device does not have.
    MissingFeature(MissingFeature),
    /// The driver did not build the kernel's module.
    Build(BuildError),
    /// A kernel faulted: an index out of bounds, for instance.
    Fault(KernelFault),
    /// A function of the driver failed.
    Driver(DriverError),
    /// A bug in this project; please report it.
    Internal(InternalError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDevice(status) => write!(f, "there is no device: {status}"),
            Self::Selection(error) => error.fmt(f),
            Self::Buffer(error) => error.fmt(f),
            Self::Launch(error) => error.fmt(f),
            Self::MissingFeature(error) => error.fmt(f),
            Self::Build(error) => error.fmt(f),
            Self::Fault(fault) => fault.fmt(f),
            Self::Driver(error) => error.fmt(f),
            Self::Internal(error) => error.fmt(f),
        }
    }
}

/// The variants speak for what they hold, so that the source is that of what they hold.
impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Build(error) => error.source(),
            _ => None,
        }
    }
}

macro_rules! from {
    ($($variant:ident($error:ty)),* $(,)?) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        }
    )*};
}

from! {
    Selection(SelectionError),
    Buffer(BufferError),
    Launch(LaunchError),
    MissingFeature(MissingFeature),
    Build(BuildError),
    Fault(KernelFault),
    Driver(DriverError),
    Internal(InternalError),
}
