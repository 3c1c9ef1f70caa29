//! From the words of a module to its kernels.

use crate::exec::{FrameTooLarge, Kernel};
use crate::link::{Input, link};
use crate::load::{LoadError, Module, Problem};
use crate::lower::globals::ModuleData;
use crate::memory::{Allocation, Usage};
use std::sync::Arc;

/// The kernels of a module, and the memory of its variables if it has any.
#[derive(Debug, Default)]
pub(crate) struct Built {
    pub(crate) kernels: Vec<Arc<Kernel>>,
    pub(crate) data: Option<Arc<Allocation>>,
}

/// Builds the modules of a program; the error text is what belongs into the build log.
pub(crate) fn build(inputs: &[Input]) -> Result<Built, String> {
    let built = match inputs {
        [only] => build_checked(only),
        several => link(several).and_then(|linked| build_checked(&linked)),
    };
    built.map_err(|error| format!("error: {error}"))
}

fn build_checked(Input { words, specialization }: &Input) -> Result<Built, LoadError> {
    let module = Module::parse(words, specialization)?;
    let layout = ModuleData::layout(&module).map_err(|error| module.name(error))?;
    let programs = crate::lower::lower(&module, &layout)?;
    let data = allocate(&layout.bytes)?;
    let kernel = |program| match Kernel::new(program, data.clone()) {
        Ok(kernel) => Ok(Arc::new(kernel)),
        Err(FrameTooLarge) => Err(Problem::TooLarge("the registers of the kernel").into()),
    };
    let kernels = programs.into_iter().map(kernel).collect::<Result<_, LoadError>>()?;
    Ok(Built { kernels, data })
}

/// Memory that starts as these bytes.
fn allocate(bytes: &[u8]) -> Result<Option<Arc<Allocation>>, LoadError> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let allocation = Allocation::new(bytes.len(), 128, Usage::Module);
    let allocation = allocation.ok_or(Problem::TooLarge("the data of the module"))?;
    // SAFETY: the allocation is new, and as long as the bytes.
    unsafe { allocation.start().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    Ok(Some(Arc::new(allocation)))
}
