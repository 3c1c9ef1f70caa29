//! From the words of modules to their kernels.

use crate::check::{CheckedModule, checks};
use crate::dump;
use crate::exec::{FrameTooLarge, Kernel, check_executor, joins_strips};
use crate::limits::MAX_GROUP_SIZE;
use crate::link::{self, Candidates, Input, Links, Purpose, Unit};
use crate::load::indirect::address;
use crate::load::{LoadError, Module, OwnedModule, Problem};
use crate::lower::globals::ModuleData;
use crate::lower::{self, Escaped};
use crate::memory::{Allocation, Usage};
use crate::print::Printer;
use crate::program::width;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// A module that has been checked, and the memory of its variables if it has any.
///
/// Its kernels are lowered when they are first asked for, so that what is never launched costs nothing.
#[derive(Debug)]
pub(crate) struct Built {
    /// What it was made of.
    source: Arc<Input>,
    module: OwnedModule,
    layout: ModuleData,
    escaped: Escaped,
    /// The position of each entry point by its name.
    positions: HashMap<String, usize>,
    /// What has become of each entry point.
    kernels: Vec<OnceLock<Result<Arc<Kernel>, LoadError>>>,
    pub(crate) data: Option<Arc<Allocation>>,
    /// What its kernels print to, if any of them does.
    printer: Option<Arc<Printer>>,
    /// What is known of it, if something is checked.
    checked: Option<Arc<CheckedModule>>,
}

impl Built {
    /// The kernel with this name, if there is one; the error text says why it cannot be executed.
    pub(crate) fn kernel(&self, name: &str) -> Option<Result<Arc<Kernel>, String>> {
        let position = *self.positions.get(name)?;
        let kernel = self.kernels[position].get_or_init(|| self.lower(position));
        Some(kernel.clone().map_err(|error| format!("kernel `{name}`: {error}")))
    }

    /// Where a variable in global memory is that the module exports by this name, and its size.
    pub(crate) fn variable(&self, name: &str) -> Option<(*mut u8, usize)> {
        let (offset, size) = self.layout.exported(name)?;
        Some((self.data.as_ref()?.start().wrapping_add(offset), size))
    }

    /// The address of a function that the module exports by this name.
    pub(crate) fn function(&self, name: &str) -> Option<u64> {
        let module = self.module.get();
        let kernels: Vec<_> = module.entry_points.iter().map(|entry| entry.function).collect();
        let mut exported = module.decorations.exported.iter();
        let is_it = |id| module.functions.contains_key(id) && !kernels.contains(id);
        exported.find(|&(id, exported)| exported == name && is_it(id)).map(|(id, _)| address(*id))
    }

    fn lower(&self, position: usize) -> Result<Arc<Kernel>, LoadError> {
        let module = self.module.get();
        let entry = &module.entry_points[position];
        let mut program = lower::lower(module, &self.layout, &self.escaped, entry)?;
        if entry.subgroup_size.is_none() && joins_strips() {
            program.subgroup_size = width::best(&program);
        }
        let kernel = match &self.checked {
            Some(checked) => Kernel::checked(program, self.data.clone(), Arc::clone(checked)),
            None => Kernel::new(program, self.data.clone()),
        };
        match kernel {
            Ok(kernel) => {
                dump::program(&kernel.program, &self.source.words);
                Ok(Arc::new(kernel.of_module(Arc::clone(&self.source), self.printer.clone())))
            }
            Err(FrameTooLarge) => Err(Problem::TooLarge("the registers of the kernel").into()),
        }
    }

    /// What the build log says of a module that is built: which kernels are of no use on this device, though the others are.
    fn warnings(&self) -> String {
        let entries = self.module.get().entry_points.iter().filter(|entry| entry.is_too_large());
        let lines: Vec<String> = entries
            .map(|entry| {
                let [x, y, z] = entry.group_size.unwrap_or_default();
                format!(
                    "warning: kernel `{}` cannot be launched: it asks for work-groups of {x} x {y} x {z}, and there are at most {MAX_GROUP_SIZE} work-items in one",
                    entry.name
                )
            })
            .collect();
        lines.join("\n")
    }

    fn names(&self) -> Vec<String> {
        self.module.get().entry_points.iter().map(|entry| entry.name.clone()).collect()
    }
}

/// What the host gave, as far as it can be built before it is linked with what it imports from.
pub(crate) struct Made {
    /// None if kernels of it use what it imports.
    pub(crate) built: Option<Built>,
    /// The names of the kernels.
    pub(crate) names: Vec<String>,
    /// None if the module has nothing to do with others.
    pub(crate) unit: Option<Arc<Unit>>,
    /// What it was made of, as one module.
    pub(crate) source: Arc<Input>,
    /// What belongs into the build log.
    pub(crate) log: String,
}

/// Builds the modules of a program; the error text is what belongs into the build log.
pub(crate) fn make(inputs: Vec<Input>) -> Result<Made, String> {
    check_executor().map_err(|problem| format!("error: {problem}"))?;
    inputs.iter().for_each(|input| dump::module(&input.words));
    try_make(inputs).map_err(|error| line(&error))
}

fn try_make(mut inputs: Vec<Input>) -> Result<Made, LoadError> {
    let input = Arc::new(match inputs.len() {
        1 => inputs.remove(0),
        _ => link::link(&inputs, Purpose::Program)?,
    });
    let (built, names) = match build(&input) {
        Ok(built) => {
            let names = built.names();
            (Ok(built), names)
        }
        Err(error) if matches!(error.problem, Problem::Unresolved(_)) => {
            let module = Module::parse(&input.words, &input.specialization)?;
            (Err(error), module.entry_points.into_iter().map(|entry| entry.name).collect())
        }
        Err(error) => return Err(error),
    };
    let unit = Unit::of(&input)?.map(Arc::new);
    let log = match (&built, &unit) {
        (Err(error), Some(unit)) => {
            let others = unit.imports().map(|name| format!("\nwarning: `{name}` is imported"));
            format!(
                "warning: {error}; it has to be linked before there are kernels{}",
                others.collect::<String>()
            )
        }
        (Err(error), None) => return Err(error.clone()),
        (Ok(built), _) => built.warnings(),
    };
    Ok(Made { built: built.ok(), names, unit, source: input, log })
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
    let built = links.linked().and_then(|input| build(&Arc::new(input))).map_err(|error| line(&error))?;
    Ok((built, links))
}

fn line(error: &LoadError) -> String {
    format!("error: {error}")
}

fn build(input: &Arc<Input>) -> Result<Built, LoadError> {
    dump::module(&input.words);
    let owned = OwnedModule::parse(Arc::clone(input))?;
    let module = owned.get();
    let mut layout = ModuleData::layout(module).map_err(|error| module.name(error))?;
    let escaped = lower::escaping_pointers(module);
    lower::check(module, &layout, &escaped)?;
    let data = allocate(layout.size, &std::mem::take(&mut layout.bytes), &layout.addresses)?;
    let names = module.entry_points.iter().map(|entry| entry.name.clone());
    let positions = names.zip(0..).collect();
    let kernels = module.entry_points.iter().map(|_| OnceLock::new()).collect();
    let checked = checks().any().then(|| Arc::new(CheckedModule::new(module, &input.words)));
    let printer = match (layout.print_buffer(), &data) {
        (Some(offset), Some(data)) => Some(Arc::new(Printer::new(Arc::clone(data), offset))),
        _ => None,
    };
    let source = Arc::clone(input);
    Ok(Built { source, checked, module: owned, layout, escaped, positions, kernels, data, printer })
}

/// Memory of this size that starts as these bytes, and is zero after them, with its own addresses at the offsets where they belong.
fn allocate(
    size: usize,
    bytes: &[u8],
    addresses: &[(usize, u64)],
) -> Result<Option<Arc<Allocation>>, LoadError> {
    if size == 0 {
        return Ok(None);
    }
    let allocation = Allocation::new(size, 128, Usage::Module);
    let allocation = allocation.ok_or(Problem::TooLarge("the data of the module"))?;
    // SAFETY: the allocation is new, and at least as long as the bytes.
    unsafe { allocation.start().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    for &(offset, target) in addresses {
        let address = (allocation.start() as u64).wrapping_add(target);
        // SAFETY: the layout has found room for eight bytes at each of the offsets.
        unsafe { allocation.start().add(offset).cast::<u64>().write_unaligned(address) };
    }
    Ok(Some(Arc::new(allocation)))
}
