//! The modules of kernels for small launches, as modules of kernels by themselves.

use super::Module;
use crate::spirv;
use catalogue::Kernel;
use kernel_core::KernelDescriptor;
use std::error::Error;
use std::path::Path;

/// Writes those of some kernels to a folder.
pub(super) fn modules(kernels: &[Module], folder: &Path) -> Result<Vec<Module>, Box<dyn Error>> {
    let small = kernels.iter().filter_map(|module| kernel(module.kernel));
    let small = small.map(|kernel| &*Box::leak(Box::new(kernel)));
    small.map(|kernel| Ok(Module { kernel, file: spirv::export(kernel, folder)? })).collect()
}

/// A kernel as it is in such a module.
fn kernel(kernel: &Kernel) -> Option<Kernel> {
    let small = kernel.descriptor.small?;
    let descriptor = KernelDescriptor {
        spirv: small.spirv,
        access_places: small.access_places,
        hoisted: None,
        small: None,
        ..*kernel.descriptor
    };
    Some(Kernel {
        path: Box::leak(format!("{}::small", kernel.path).into_boxed_str()),
        descriptor: Box::leak(Box::new(descriptor)),
    })
}
