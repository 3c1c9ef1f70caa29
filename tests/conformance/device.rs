//! Executes a case on a device of the runtime.
//!
//! Programs launch kernels through the functions that `#[kernel]` defines, whose types follow the signature. A case only
//! knows bytes, so this chooses the types by the descriptor.

use crate::kernels::case::{Case, DeviceArgument, Outcome};
use bytemuck::NoUninit;
use kernel_core::{Access, ArgumentKind, FaultRecord, KernelDescriptor, Scalar};
use kernel_runtime::{Buffer, Element, Error, KernelFault, Launch, LaunchArgument, Queue, Result};

/// Launches the kernel of a case and waits for it.
pub(crate) fn execute(queue: &Queue, case: &Case) -> Result<Outcome> {
    let mut slices = Vec::new();
    let arguments = arguments(queue, case, &mut slices)?;
    launch(queue, case, arguments)?;
    let fault = match queue.synchronize() {
        Ok(()) => FaultRecord::default(),
        Err(Error::Fault(fault)) => record(case.kernel, &fault),
        Err(error) => return Err(error),
    };
    let slices = slices.iter().map(|slice| slice.download(queue)).collect::<Result<_>>()?;
    Ok(Outcome { slices, fault: case.kernel.has_fault_record().then_some(fault) })
}

/// Uploads the slices, which go to `slices`, and gathers the arguments in the order of the signature.
fn arguments(queue: &Queue, case: &Case, slices: &mut Vec<Box<dyn Slice>>) -> Result<Vec<LaunchArgument>> {
    // The runtime adds the counts and the fault record itself.
    let given = case.device_arguments().into_iter().filter_map(|argument| match argument {
        DeviceArgument::Value(bytes) | DeviceArgument::Buffer(bytes) => Some(bytes),
        DeviceArgument::Count(_) | DeviceArgument::FaultRecord(_) => None,
    });
    let mut arguments = Vec::new();
    for (declared, bytes) in case.kernel.arguments.iter().zip(given) {
        arguments.push(match declared.kind {
            ArgumentKind::Scalar(scalar) => by_value(scalar, bytes),
            ArgumentKind::Slice { element, access } => {
                let mut slice = upload(queue, element, bytes)?;
                let argument = slice.argument(access);
                slices.push(slice);
                argument
            }
        });
    }
    Ok(arguments)
}

/// A launch has its number of arguments in its type.
fn launch(queue: &Queue, case: &Case, arguments: Vec<LaunchArgument>) -> Result<()> {
    let [groups, group_size] = [case.groups, case.group_size].map(|size| size.map(|extent| extent as usize));
    macro_rules! launch_with {
        ($($count:literal)*) => {
            match arguments.len() {
                $($count => {
                    let arguments: [LaunchArgument; $count] = arguments.try_into().expect("this is their number");
                    Launch::new(case.kernel, arguments).launch_groups(queue, groups, group_size)
                })*
                count => panic!("no case has {count} arguments yet, so please add the number here"),
            }
        };
    }
    launch_with!(1 2 3 4 5 6 7 8 9 10)
}

/// The record from which the runtime made the error.
fn record(kernel: &KernelDescriptor, fault: &KernelFault) -> FaultRecord {
    let is_site = |site: &kernel_core::FaultSite| {
        (site.kind, site.file, site.line, site.column) == (fault.kind, fault.file, fault.line, fault.column)
    };
    let site = kernel.fault_sites.iter().position(is_site).expect("a fault has a site of its kernel");
    let KernelFault { count, values, global_id, .. } = *fault;
    FaultRecord { count, site: site as u32, values, global_id }
}

/// A buffer of any type.
trait Slice {
    fn argument(&mut self, access: Access) -> LaunchArgument;
    fn download(&self, queue: &Queue) -> Result<Vec<u8>>;
}

impl<T: Element + NoUninit> Slice for Buffer<T> {
    fn argument(&mut self, access: Access) -> LaunchArgument {
        match access {
            Access::Read => LaunchArgument::slice(self),
            Access::ReadWrite => LaunchArgument::slice_mut(self),
        }
    }

    fn download(&self, queue: &Queue) -> Result<Vec<u8>> {
        queue.download(self).map(|elements| bytemuck::cast_slice(&elements).to_vec())
    }
}

/// Calls a function with the elements that bytes are, for each scalar type.
macro_rules! with_elements {
    ($scalar:expr, $bytes:expr, |$elements:ident| $then:expr) => {
        with_elements!(@match $scalar, $bytes, |$elements| $then,
            I8 i8, I16 i16, I32 i32, I64 i64, Isize isize,
            U8 u8, U16 u16, U32 u32, U64 u64, Usize usize, F32 f32, F64 f64)
    };
    (@match $scalar:expr, $bytes:expr, |$elements:ident| $then:expr, $($name:ident $ty:ident),*) => {
        match $scalar {
            Scalar::Bool => {
                let $elements: Vec<bool> = $bytes.iter().map(|&byte| byte != 0).collect();
                $then
            }
            $(Scalar::$name => {
                let $elements: Vec<$ty> = bytemuck::pod_collect_to_vec($bytes);
                $then
            })*
        }
    };
}

fn upload(queue: &Queue, element: Scalar, bytes: &[u8]) -> Result<Box<dyn Slice>> {
    with_elements!(element, bytes, |elements| Ok(Box::new(queue.upload(&elements)?)))
}

fn by_value(scalar: Scalar, bytes: &[u8]) -> LaunchArgument {
    with_elements!(scalar, bytes, |elements| LaunchArgument::scalar(elements[0]))
}
