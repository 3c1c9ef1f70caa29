//! What can go wrong, as one enumeration.
//!
//! Faults of a kernel, errors of the driver, and bugs of this project are three types, since three different
//! people have to act on them.

mod buffer;
mod build;
pub(crate) mod driver;
mod host_function;
mod image;
mod internal;
pub(crate) mod last_error;
mod launch;
mod link;
mod refused;
mod split;

pub use buffer::{BufferError, BufferProblem, RegionProblem};
pub use build::{BuildError, BuildProblem, Feature, MissingFeature};
pub use driver::DriverError;
pub use host_function::HostFunctionError;
pub use image::{ImageError, ImageProblem};
pub use internal::InternalError;
pub use launch::{LaunchError, LaunchProblem};
pub use link::{LibraryError, LibraryProblem, LinkError, LinkProblem};
pub use refused::Refused;
pub use split::{SplitError, SplitProblem};

use crate::device::selection::SelectionError;
use crate::device::status::GpuStatus;
use crate::fault::KernelFault;
use core::fmt;

/// The result of what this crate does.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// What can go wrong.
///
/// What is wrong with the code of a kernel is an error when the crate is built. These are the errors of a running program, whose `Display` form says what to do:
///
#[cfg_attr(feature = "cpu", doc = "```")]
#[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
/// use kernel_runtime::{LaunchProblem, prelude::*};
///
/// #[kernel(group_size = 64)]
/// fn negate(x: &mut [f32]) {
///     let i = global_id(0);
///     if i < x.len() {
///         x[i] = -x[i];
///     }
/// }
///
/// # fn main() -> Result<()> {
/// let queue = Device::best()?.queue()?;
/// let mut x = queue.zeros::<f32>(100)?;
/// match negate(&mut x).launch(&queue, 100) {
///     Err(Error::Launch(error)) => {
///         assert!(matches!(error.problem, LaunchProblem::NotDivisible { size: 100, group_size: 64, .. }));
///         println!("{error}"); // Names the numbers, and what to do.
///     }
///     other => panic!("{other:?}"),
/// }
/// negate(&mut x).launch(&queue, 128)?;
/// queue.synchronize()
/// # }
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub enum Error {
    /// There is no device at all: no GPU, for the reason given, and this crate was built without its CPU device.
    NoDevice(GpuStatus),
    /// The environment variable `KERNEL_DEVICE` names no device that exists.
    Selection(SelectionError),
    /// A buffer cannot be made, or does not fit what it is copied to or from.
    Buffer(BufferError),
    /// An image cannot be made, or does not fit what it is copied to or from.
    Image(ImageError),
    /// A launch was refused before anything was enqueued.
    Launch(LaunchError),
    /// The kernel needs what the device does not have.
    MissingFeature(MissingFeature),
    /// These modules are no library.
    Library(LibraryError),
    /// A kernel imports a function that the launch's library does not have.
    Link(LinkError),
    /// The driver did not build the kernel's module.
    Build(BuildError),
    /// A kernel faulted: an index out of bounds, for instance.
    Fault(Box<KernelFault>),
    /// Work cannot be split over devices like this.
    Split(SplitError),
    /// A function of the host that a queue calls used a queue.
    HostFunction(HostFunctionError),
    /// A function of the driver failed.
    Driver(DriverError),
    /// A bug in this project; please report it.
    Internal(InternalError),
}

/// Evaluates an expression for what an error holds, whichever variant it is.
macro_rules! with_content {
    ($error:expr, $content:ident => $then:expr) => {
        match $error {
            Error::NoDevice($content) => $then,
            Error::Selection($content) => $then,
            Error::Buffer($content) => $then,
            Error::Image($content) => $then,
            Error::Launch($content) => $then,
            Error::MissingFeature($content) => $then,
            Error::Library($content) => $then,
            Error::Link($content) => $then,
            Error::Build($content) => $then,
            Error::Fault(fault) => {
                let $content = &**fault;
                $then
            }
            Error::Split($content) => $then,
            Error::HostFunction($content) => $then,
            Error::Driver($content) => $then,
            Error::Internal($content) => $then,
        }
    };
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::NoDevice(_) = self {
            f.write_str("there is no device: ")?;
        }
        with_content!(self, content => fmt::Display::fmt(content, f))
    }
}

/// The message, because this is what a program prints whose `main` returns the error; the fields with `{:#?}`.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            true => with_content!(self, content => fmt::Debug::fmt(content, f)),
            false => fmt::Display::fmt(self, f),
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
    Image(ImageError),
    Launch(LaunchError),
    MissingFeature(MissingFeature),
    Library(LibraryError),
    Link(LinkError),
    Build(BuildError),
    Fault(Box<KernelFault>),
    Split(SplitError),
    HostFunction(HostFunctionError),
    Driver(DriverError),
    Internal(InternalError),
}

impl From<KernelFault> for Error {
    fn from(fault: KernelFault) -> Self {
        Self::Fault(Box::new(fault))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_is_the_message_and_alternate_debug_the_fields() {
        let error = Error::from(LaunchError { kernel: "blur", problem: LaunchProblem::ConditionsUnknown });
        assert_eq!(format!("{error:?}"), error.to_string());
        assert!(format!("{error:#?}").contains("ConditionsUnknown"));
    }

    #[test]
    fn a_missing_device_comes_with_the_reason() {
        let text = Error::NoDevice(GpuStatus::NoDriver).to_string();
        assert!(text.starts_with("there is no device: no GPU can be used: "), "{text}");
    }
}
