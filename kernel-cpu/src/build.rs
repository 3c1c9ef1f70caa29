//! From the words of modules to their kernels.

use crate::exec::{FrameTooLarge, Kernel};
use crate::link::{self, Candidates, Input, Links, Purpose, Unit};
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

/// What the host gave, as far as it can be built before it is linked with what it imports from.
pub(crate) struct Made {
    /// None if kernels of it use what it imports.
    pub(crate) built: Option<Built>,
    /// The names of the kernels.
    pub(crate) names: Vec<String>,
    /// None if the module has nothing to do with others.
    pub(crate) unit: Option<Arc<Unit>>,
    /// What belongs into the build log.
    pub(crate) log: String,
}

/// Builds the modules of a program; the error text is what belongs into the build log.
pub(crate) fn make(inputs: Vec<Input>) -> Result<Made, String> {
    try_make(inputs).map_err(|error| line(&error))
}

fn try_make(mut inputs: Vec<Input>) -> Result<Made, LoadError> {
    let input = match inputs.len() {
        1 => inputs.remove(0),
        _ => link::link(&inputs, Purpose::Program)?,
    };
    let (built, names) = match build(&input) {
        Ok(built) => {
            let names = built.kernels.iter().map(|kernel| kernel.program.name.clone()).collect();
            (Ok(built), names)
        }
        Err(error) if matches!(error.problem, Problem::Unresolved(_)) => {
            let module = Module::parse(&input.words, &input.specialization)?;
            (Err(error), module.entry_points.into_iter().map(|entry| entry.name).collect())
        }
        Err(error) => return Err(error),
    };
    let unit = Unit::of(input)?.map(Arc::new);
    let log = match (&built, &unit) {
        (Err(error), Some(unit)) => {
            let others = unit.imports().map(|name| format!("\nwarning: `{name}` is imported"));
            format!(
                "warning: {error}; it has to be linked before there are kernels{}",
                others.collect::<String>()
            )
        }
        (Err(error), None) => return Err(error.clone()),
        (Ok(_), _) => String::new(),
    };
    Ok(Made { built: built.ok(), names, unit, log })
}

/// Builds a module with what it imports from others; the error text is what belongs into the build log.
pub(crate) fn build_linked<'u>(
    unit: &'u Arc<Unit>,
    candidates: &Candidates<'u>,
) -> Result<(Built, Links), String> {
    let links = candidates.links_of(unit).map_err(|problems| {
        let lines = problems.into_iter().map(|problem| line(&problem.into()));
        lines.collect::<Vec<_>>().join("\n")
    })?;
    let built = links.linked().and_then(|input| build(&input)).map_err(|error| line(&error))?;
    Ok((built, links))
}

fn line(error: &LoadError) -> String {
    format!("error: {error}")
}

fn build(Input { words, specialization }: &Input) -> Result<Built, LoadError> {
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
