//! Who computes the functions: the host, the CPU driver, and Intel's OpenCL runtime for CPUs in a process of its own.

use super::function::{Argument, Function, Variant};
use super::sample::{Float, Inputs, values};
use crate::conformance::Session;
use crate::kernels::case::DeviceArgument;
use kernel_core::KernelDescriptor;
use kernel_runtime::{Launch, LaunchArgument, Queue};
use std::error::Error;
use std::ffi::CStr;

/// The size of work-groups; counts of arguments are multiples of it on an OpenCL device.
pub(super) const GROUP: usize = 64;

/// How a module is built for an OpenCL device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// As the runtime has it built by a GPU's driver.
    Strict,
    /// As fast as the device can.
    Fast,
}

impl Mode {
    fn options(self) -> &'static CStr {
        match self {
            Self::Strict => c"-cl-fp32-correctly-rounded-divide-sqrt",
            Self::Fast => c"-cl-fast-relaxed-math",
        }
    }
}

/// The results of a function on the host.
pub(super) fn on_host<T: Float>(variant: &Variant<T>, inputs: &Inputs<T>) -> Vec<T> {
    (0..inputs.len()).map(|index| (variant.host)(inputs, index)).collect()
}

/// The results of a function on the CPU driver.
pub(super) fn on_cpu_driver<T: Float>(
    queue: &Queue,
    function: &Function,
    variant: &Variant<T>,
    inputs: &Inputs<T>,
) -> Result<Vec<T>, Box<dyn Error>> {
    let floats = |row: &[T]| queue.upload(row);
    let (x, y, z) = (floats(&inputs.x)?, floats(&inputs.y)?, floats(&inputs.z)?);
    let n = queue.upload(&inputs.n)?;
    let mut results = queue.zeros::<T>(inputs.len())?;
    let argument = |argument: &Argument| match argument {
        Argument::X => LaunchArgument::slice(&x),
        Argument::Y => LaunchArgument::slice(&y),
        Argument::Z => LaunchArgument::slice(&z),
        Argument::N => LaunchArgument::slice(&n),
    };
    let mut arguments: Vec<_> = function.arguments.iter().map(argument).collect();
    arguments.push(LaunchArgument::slice_mut(&mut results));
    let (kernel, count) = (variant.kernel, inputs.len());
    match arguments.len() {
        2 => launch::<2>(queue, kernel, arguments, count)?,
        3 => launch::<3>(queue, kernel, arguments, count)?,
        _ => launch::<4>(queue, kernel, arguments, count)?,
    }
    Ok(queue.download(&results)?)
}

/// A launch has its number of arguments in its type.
fn launch<const N: usize>(
    queue: &Queue,
    kernel: &'static KernelDescriptor,
    arguments: Vec<LaunchArgument>,
    count: usize,
) -> Result<(), Box<dyn Error>> {
    let arguments =
        <[LaunchArgument; N]>::try_from(arguments).map_err(|_| "a kernel has another number of arguments")?;
    // SAFETY: the kernels are made by `#[kernel]`.
    let launch = unsafe { Launch::new(kernel, arguments) };
    Ok(launch.launch(queue, count)?)
}

/// The results of a function on an OpenCL device.
pub(super) fn on_opencl<T: Float>(
    session: &Session,
    function: &Function,
    variant: &Variant<T>,
    mode: Mode,
    inputs: &Inputs<T>,
) -> Result<Vec<T>, Box<dyn Error>> {
    let results = vec![T::zeroed(); inputs.len()];
    let mut slices: Vec<&[u8]> = function.arguments.iter().map(|&argument| bytes(inputs, argument)).collect();
    slices.push(bytemuck::cast_slice(&results));
    let count = DeviceArgument::Count(inputs.len() as u64);
    let mut arguments: Vec<_> =
        slices.iter().flat_map(|slice| [DeviceArgument::Buffer(slice), count]).collect();
    let kernel = variant.kernel;
    if kernel.has_fault_record() {
        arguments.push(DeviceArgument::FaultRecord(kernel.fault_record_bytes()));
    }
    let built = session.build((kernel.spirv.bytes(), &[]), mode.options(), &[])?.kernel(kernel.name)?;
    let groups = u32::try_from(inputs.len() / GROUP)?;
    let mut buffers = built.launch(&arguments, [groups, 1, 1], [GROUP as u32, 1, 1])?;
    Ok(values(&buffers.swap_remove(slices.len() - 1)))
}

fn bytes<T: Float>(inputs: &Inputs<T>, argument: Argument) -> &[u8] {
    match argument {
        Argument::X => bytemuck::cast_slice(&inputs.x),
        Argument::Y => bytemuck::cast_slice(&inputs.y),
        Argument::Z => bytemuck::cast_slice(&inputs.z),
        Argument::N => bytemuck::cast_slice(&inputs.n),
    }
}
