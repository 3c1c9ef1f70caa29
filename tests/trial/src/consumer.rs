//! The devices that execute kernels.

use crate::device;
use crate::kernels::case::{Case, Outcome};
use crate::opencl;
use kernel_core::KernelDescriptor;
use kernel_runtime::{Device, Queue};
use std::error::Error;

/// A device that executes kernels.
pub(crate) enum Consumer {
    /// A device of the runtime; `KERNEL_DEVICE` chooses which.
    Runtime(Queue),
    /// The first OpenCL device.
    OpenCl(Box<opencl::Session>),
}

/// A kernel that is ready to be launched.
pub(crate) enum Kernel<'c> {
    Runtime(&'c Queue),
    /// With all checks, and without those that the host makes.
    OpenCl(opencl::Kernel<'c>, Option<opencl::Kernel<'c>>),
}

impl Consumer {
    pub(crate) fn open(name: &str) -> Result<Self, Box<dyn Error>> {
        match name {
            "runtime" => Ok(Self::Runtime(Device::best()?.queue()?)),
            "opencl" => Ok(Self::OpenCl(Box::new(opencl::Session::open()?))),
            other => Err(format!("there is no consumer `{other}`").into()),
        }
    }

    /// The name of the device.
    pub(crate) fn device(&self) -> Result<String, Box<dyn Error>> {
        match self {
            Self::Runtime(queue) => Ok(queue.device().name().to_owned()),
            Self::OpenCl(session) => session.device(),
        }
    }

    pub(crate) fn kernel(&self, kernel: &KernelDescriptor) -> Result<Kernel<'_>, String> {
        match self {
            Self::Runtime(queue) => Ok(Kernel::Runtime(queue)),
            Self::OpenCl(session) => {
                let program = session.build((kernel.spirv.bytes(), &[]), c"", &[]);
                let program = program.map_err(|error| error.to_string())?;
                let take = |name| program.kernel(name).map_err(|error| error.to_string());
                let hoisted = kernel.hoisted.map(|hoisted| take(hoisted.entry_point)).transpose()?;
                Ok(Kernel::OpenCl(take(kernel.name)?, hoisted))
            }
        }
    }
}

impl Kernel<'_> {
    pub(crate) fn execute(&mut self, case: &Case) -> Result<Outcome, String> {
        match self {
            Self::Runtime(queue) => {
                device::execute(queue, case, device::Checks::Chosen).map_err(|error| error.to_string())
            }
            Self::OpenCl(kernel, hoisted) => {
                let is_met = case.kernel.hoisted.is_some_and(|hoisted| hoisted.cannot_fail(case));
                let entry_point = case
                    .kernel
                    .hoisted
                    .filter(|_| is_met)
                    .map_or(case.kernel.name, |hoisted| hoisted.entry_point);
                let kernel = hoisted.as_mut().filter(|_| is_met).unwrap_or(kernel);
                let launch = kernel.launch_linked(
                    &case.device_arguments_of(entry_point),
                    &case.device_links(),
                    case.groups,
                    case.group_size,
                );
                let buffers = launch.map_err(|error| error.to_string())?;
                Outcome::of_buffers(case.kernel, buffers)
            }
        }
    }
}
