//! From the intermediate representation to SPIR-V, by rspirv.
//!
//! The module is for the environment of the Level Zero SPIR-V programming guide: Physical64 addressing, the OpenCL memory
//! model, the Kernel execution model. Emission does not fail and does not panic for a module that keeps the rules
//! of [`crate::ir`]; the same module always gives the same words.
//!
//! How things are represented:
//!
//! - A value is an SSA id, a slice value two (pointer and length); each variable is an OpVariable in the
//!   Function storage class at the top of the kernel. GPU compilers turn these into registers at no cost.
//! - `bool` is OpTypeBool in computations and a byte, 0 or 1, in memory and at the boundary to the host.
//! - `usize` and `isize` are 64-bit integers, but see `narrow`.
//! - A table is an OpVariable in the UniformConstant storage class with an initializer.
//! - Nested blocks become basic blocks in the order of the source, which puts dominators first.
//! - A struct is an OpTypeStruct, laid out by its consumer as C does. An argument that is a struct or an array is a pointer to the
//!   work-item's own copy, decorated ByVal.
//! - An operation with a check becomes a branch around the operation; see `fault`.

mod address;
mod arithmetic;
mod atomic;
mod block;
mod block_io;
mod caching;
mod call;
mod capabilities;
mod cast;
mod check;
mod code;
mod constants;
mod contract;
mod debug_info;
mod demand;
mod entry_point;
mod export;
mod fault;
mod fill;
mod group;
mod group_copy;
mod guard;
mod halves;
mod image;
mod kernel;
mod limit;
mod lines;
mod math;
mod memory;
mod merge;
mod narrow;
mod overflow;
mod parameter_attributes;
mod print;
mod query;
mod required_features;
mod sections;
mod step;
mod structure;
mod sum_below;
mod table;
mod together;
mod types;
mod update;
mod value;
mod vector;
mod wide_index;

pub use debug_info::with_debug_info;

use crate::analysis::Analysis;
use crate::hash::HashMap;
use crate::{environment, ir};
use kernel_core::{RequiredFeature, Scalar, Specialization};
use proc_macro2::Span;
use rspirv::binary::Assemble;
use rspirv::dr;
use rspirv::spirv::{BuiltIn, Decoration, StorageClass, Word};
use std::collections::BTreeMap;

/// An emitted module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spirv {
    /// The module as words in the byte order of the host.
    pub words: Vec<u32>,
    /// What it needs of a device.
    pub requirements: Requirements,
    /// Where the accesses to memory of each entry point are written.
    pub places: Vec<Places>,
}

/// Where the instructions of an entry point that access memory are written, each with how many of one place follow each other. That is no part of a module.
#[derive(Clone, Debug, Default)]
pub struct Places(pub Vec<(u32, SourcePlace)>);

impl PartialEq for Places {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Places {}

impl Places {
    fn of(spans: &[Option<Span>]) -> Self {
        let mut runs: Vec<(u32, SourcePlace)> = Vec::new();
        for span in spans {
            let place = span.map(SourcePlace::of);
            match (runs.last_mut(), place) {
                (Some((count, last)), place) if place.as_ref().is_none_or(|place| place == last) => {
                    *count += 1
                }
                (_, place) => runs.push((1, place.unwrap_or(SourcePlace::UNKNOWN))),
            }
        }
        Self(runs)
    }
}

/// What a module needs of a device, the least that its code allows; it becomes [`kernel_core::Requirements`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirements {
    /// The SPIR-V version as (major, minor).
    pub spirv_version: (u8, u8),
    /// The names of the declared capabilities, sorted.
    pub capabilities: Vec<String>,
    /// The names of the declared extensions, sorted.
    pub extensions: Vec<String>,
    /// Whether the module computes in double precision.
    pub fp64: bool,
    /// Whether the module computes in half precision.
    pub fp16: bool,
    /// Whether the module has atomics of 64 bits.
    pub int64_atomics: bool,
    /// The optional features of a device that the kernel needs, and where it does so first.
    pub features: Vec<(RequiredFeature, SourcePlace)>,
}

/// A place in the source; the owned form of `kernel_core::SourceLine`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl SourcePlace {
    /// What is written nowhere.
    const UNKNOWN: Self = Self { file: String::new(), line: 0, column: 0 };

    /// Where a part of the source starts.
    #[must_use]
    pub fn of(span: Span) -> Self {
        let start = span.start();
        Self {
            file: span.file(),
            line: u32::try_from(start.line).unwrap_or(0),
            column: u32::try_from(start.column + 1).unwrap_or(0),
        }
    }
}

/// Emits a kernel of which nothing is known but what it says.
#[must_use]
pub fn emit(module: &ir::Module) -> Spirv {
    emit_analysed(module, &Analysis::default())
}

/// Emits a kernel with the help of an analysis of it.
#[must_use]
pub fn emit_analysed(ir: &ir::Module, analysis: &Analysis) -> Spirv {
    emit_versions(&[(ir, analysis)], false)
}

/// Emits versions of a kernel, each with the help of its analysis, as entry points of one module, under names of their own: the first has all of its checks, others fewer. With lines, each instruction of theirs has
/// the place in the source that it comes from; nothing else is different, but for the bound of ids.
///
/// # Panics
///
/// For no version at all.
#[must_use]
pub fn emit_versions(versions: &[(&ir::Module, &Analysis)], has_lines: bool) -> Spirv {
    debug_assert!(versions.iter().all(|(version, _)| version.verify().is_ok()));
    let (mut modules, places): (Vec<_>, Vec<_>) =
        versions.iter().map(|(ir, analysis)| build(ir, analysis, has_lines)).unzip();
    let mut module = match modules.len() {
        1 => modules.remove(0),
        _ => merge::merge(&modules),
    };
    lines::declare_files(&mut module);
    debug_assert_eq!(environment::check(&module), [], "the environment does not take what was emitted");
    // What has fewer checks needs no more than the first.
    let features = required_features::features(versions[0].0).into_iter();
    let features = features.map(|(feature, span)| (feature, SourcePlace::of(span))).collect();
    let requirements = capabilities::requirements(&module, features);
    Spirv { words: module.assemble(), requirements, places }
}

/// Makes one module of several that were emitted here, in which the names of kernels differ. It needs what any of them does.
///
/// # Errors
///
/// The name of a function of other modules that two of them declare with different types.
///
/// # Panics
///
/// For words that were not emitted here.
pub fn merge<'s>(modules: impl Iterator<Item = (&'s [u32], &'s Requirements)>) -> Result<Spirv, String> {
    let mut features: Vec<(RequiredFeature, SourcePlace)> = Vec::new();
    let mut loaded = Vec::new();
    for (words, requirements) in modules {
        let mut module = dr::load_words(words).expect("emitted words are a module");
        lines::name_files(&mut module);
        loaded.push(module);
        for (feature, place) in &requirements.features {
            if features.iter().all(|(known, _)| known != feature) {
                features.push((*feature, place.clone()));
            }
        }
    }
    let mut module = merge::merge(&loaded);
    lines::declare_files(&mut module);
    if let Some(name) = merge::declared_twice(&module) {
        return Err(name);
    }
    debug_assert_eq!(environment::check(&module), [], "the environment does not take what was merged");
    let requirements = capabilities::requirements(&module, features);
    Ok(Spirv { words: module.assemble(), requirements, places: Vec::new() })
}

/// Emits a kernel and leaves it in rspirv's form.
fn build(ir: &ir::Module, analysis: &Analysis, has_lines: bool) -> (dr::Module, Places) {
    let mut emitter = ModuleEmitter::new(ir);
    emitter.has_lines = has_lines;
    emitter.declare_specializations();
    emitter.declare_locals();
    let (function, places) = emitter.kernel(analysis);
    emitter.memory_model();
    match ir.export {
        Some(export) => emitter.export(function, export),
        None => emitter.entry_point(function),
    }
    let version = capabilities::declare(&mut emitter.sections.module);
    (emitter.sections.finish(version), Places::of(&places))
}

/// What is known about the module while its kernel is emitted.
struct ModuleEmitter<'ir> {
    ir: &'ir ir::Module,
    sections: sections::Sections,
    types: HashMap<types::SpirvType, Word>,
    constants: HashMap<constants::Constant, Word>,
    /// The variables that hold the built-in vectors.
    inputs: BTreeMap<BuiltIn, Word>,
    /// The constants that the host sets, in order.
    specializations: Vec<Word>,
    /// The variables in local memory, in the order of their handles.
    locals: Vec<Word>,
    /// The variables that hold tables.
    tables: HashMap<ir::Handle<ir::Table>, Word>,
    /// The functions of other modules that have been declared.
    imports: HashMap<ir::Handle<ir::Import>, Word>,
    /// The samplers that are constants.
    samplers: HashMap<kernel_core::image::SamplerState, Word>,
    /// The OpenCL.std instruction set, once something uses it.
    opencl: Option<Word>,
    /// The function that keeps a work-item's first fault, once something can fault.
    recorder: Option<Word>,
    /// Whether a struct may have members in SPIR-V that it has not in the source.
    has_padding: bool,
    /// Whether instructions have the lines that they come from.
    has_lines: bool,
}

impl<'ir> ModuleEmitter<'ir> {
    fn new(ir: &'ir ir::Module) -> Self {
        Self {
            ir,
            sections: sections::Sections::new(),
            types: HashMap::default(),
            constants: HashMap::default(),
            inputs: BTreeMap::new(),
            specializations: Vec::new(),
            locals: Vec::new(),
            tables: HashMap::default(),
            imports: HashMap::default(),
            samplers: HashMap::default(),
            opencl: None,
            recorder: None,
            has_padding: structure::may_have_padding(&ir.types),
            has_lines: false,
        }
    }

    /// All of them are declared, used or not, since the host sets all of them.
    fn declare_specializations(&mut self) {
        let ir = self.ir;
        for (position, specialization) in (0..).zip(&ir.specializations) {
            let scalar = ir.scalar(specialization.ty).unwrap_or(Scalar::Usize);
            let id = self.specialization_constant(scalar, Specialization::DEFAULT);
            self.sections.name(id, &specialization.name);
            self.sections.decorate(id, Decoration::SpecId, &[dr::Operand::LiteralBit32(position)]);
            self.specializations.push(id);
        }
    }

    fn declare_locals(&mut self) {
        let ir = self.ir;
        for (_, local) in ir.locals.iter() {
            let ty = self.memory_type(local.ty);
            let pointer = self.pointer(StorageClass::Workgroup, ty);
            let class = dr::Operand::StorageClass(StorageClass::Workgroup);
            let variable = self.sections.global(rspirv::spirv::Op::Variable, Some(pointer), vec![class]);
            self.sections.name(variable, &local.name);
            let alignment = self.alignment(local.ty);
            if alignment > self.natural_alignment(local.ty) {
                self.sections.decorate(
                    variable,
                    Decoration::Alignment,
                    &[dr::Operand::LiteralBit32(alignment)],
                );
            }
            self.locals.push(variable);
        }
    }
}
