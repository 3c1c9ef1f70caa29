//! Libraries: modules with the functions that kernels import.

mod float_atomics;
mod module;
mod rounding;
mod types;

use crate::error::{LibraryError, LibraryProblem, LinkError, LinkProblem};
pub(crate) use float_atomics::Updates;
use kernel_core::KernelDescriptor;
use module::Function;
pub(crate) use module::Module;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ptr;
use std::sync::{Mutex, PoisonError};

/// SPIR-V modules whose functions kernels call: what `#[device(import = "name")]` names is exported by one of them.
///
/// A launch of a kernel that calls such functions names the library, [`Launch::linked`](crate::Launch::linked). A kernel is built once for each
/// device and library. Libraries live as long as the process, as the modules that are built of them do; the same modules are the same library,
/// however often they are given.
#[derive(Clone, Copy)]
pub struct Library(&'static [Module]);

/// All libraries; there are few in a program.
static KNOWN: Mutex<Vec<Library>> = Mutex::new(Vec::new());

impl Library {
    /// The library of these SPIR-V modules, in either order of bytes and from whatever compiler, such as what `clang` makes of OpenCL C for the
    /// target `spir64`.
    ///
    /// # Safety
    ///
    /// Each function that a kernel calls by its name does what the author of the kernel takes it to do: it accesses only memory that it may, does not
    /// wait for other work-items, and keeps to whatever else its declaration says. The types of its parameters and of its result are
    /// checked, and all else is not.
    ///
    /// # Errors
    ///
    /// [`Error::Library`](crate::Error::Library) if one of them is no SPIR-V module, two export the same name, or one imports what none of them
    /// exports, or with another type.
    pub unsafe fn new(modules: &[&[u8]]) -> Result<Self, LibraryError> {
        let mut read = Vec::with_capacity(modules.len());
        for (module, bytes) in modules.iter().enumerate() {
            let found = Module::read(bytes).map_err(|problem| LibraryError { module, problem })?;
            read.push(found.keeping_rounding(format!("__library_{module}")));
        }
        check(&read)?;
        Ok(Self::kept(read))
    }

    fn kept(modules: Vec<Module>) -> Self {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let same =
            |library: &&Self| library.0.iter().map(Module::bytes).eq(modules.iter().map(Module::bytes));
        if let Some(same) = known.iter().find(same) {
            return *same;
        }
        let library = Self(Box::leak(modules.into_boxed_slice()));
        known.push(library);
        library
    }

    /// Its modules as drivers get them, which a kernel has been added to where one is needed for products and sums to be rounded as kernels say.
    pub fn spirv(&self) -> impl Iterator<Item = &'static [u8]> {
        self.0.iter().map(Module::bytes)
    }

    /// Its modules.
    pub(crate) fn modules(self) -> &'static [Module] {
        self.0
    }
}

/// Checks that there is one function for each name, and for each import an export of its type.
fn check(modules: &[Module]) -> Result<(), LibraryError> {
    for (position, module) in modules.iter().enumerate() {
        for function in module.exports().filter(|function| !function.may_be_many) {
            let others = modules[..position].iter().flat_map(Module::exports);
            if others.filter(|other| !other.may_be_many).any(|other| other.name == function.name) {
                let problem = LibraryProblem::Duplicate { function: function.name.clone() };
                return Err(LibraryError { module: position, problem });
            }
        }
    }
    for (position, module) in modules.iter().enumerate() {
        for function in module.imports() {
            if let Err(problem) = resolve(function, modules) {
                let function = function.name.clone();
                let problem = LibraryProblem::Unresolved { function, problem };
                return Err(LibraryError { module: position, problem });
            }
        }
    }
    Ok(())
}

/// Checks that modules have what one imports.
fn resolve(function: &Function, modules: &[Module]) -> Result<(), LinkProblem> {
    let mut exports = modules.iter().flat_map(Module::exports);
    let Some(found) = exports.find(|export| export.name == function.name) else {
        return Err(LinkProblem::NotExported);
    };
    if found.signature == function.signature {
        return Ok(());
    }
    let (imported, exported) = (function.signature.clone(), found.signature.clone());
    Err(LinkProblem::OtherType { imported, exported })
}

/// Checks that a library has all that a kernel imports.
pub(crate) fn check_imports(
    descriptor: &'static KernelDescriptor,
    library: Option<Library>,
) -> Result<(), LinkError> {
    let Some(first) = descriptor.imports.first() else { return Ok(()) };
    let error = |function: &str, problem| {
        let import = descriptor.imports.iter().find(|import| import.name == function).unwrap_or(first);
        Err(LinkError { kernel: descriptor.name, function: import.name, at: import.at, problem })
    };
    let Some(library) = library else { return error(first.name, LinkProblem::NoLibrary) };
    // A descriptor without a module is refused by the driver.
    let Ok(kernel) = Module::read(descriptor.spirv.bytes()) else { return Ok(()) };
    let mut names = kernel.kernels();
    if let Some(name) = names.find(|name| library.0.iter().any(|module| module.defines(name))) {
        return error(first.name, LinkProblem::KernelName { name: name.to_owned() });
    }
    for function in kernel.imports() {
        if let Err(problem) = resolve(function, library.0) {
            return error(&function.name, problem);
        }
    }
    Ok(())
}

impl PartialEq for Library {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.0, other.0)
    }
}

impl Eq for Library {}

impl Hash for Library {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_ptr().hash(state);
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exports = self.0.iter().flat_map(Module::exports).map(|function| &function.name);
        f.debug_tuple("Library").field(&exports.collect::<Vec<_>>()).finish()
    }
}
