//! Checked declarations → SPMD programs.
//!
//! Each entry point becomes one [`Program`]: calls are inlined, composite values split into scalars, pointers
//! to variables that never leave registers resolved. Instructions are checked as they are lowered, one family
//! to a file; the rule is that a result must have the scalars of its result type, and that each operand is
//! what its instruction needs.
//!
//! * [`builder`]: blocks and values of the draft as they grow,
//! * [`escape`]: which variables can live in registers,
//! * [`globals`]: variables outside functions and where they are,
//! * [`kernel`]: entry points and their parameters,
//! * [`flow`]: blocks, branches, phis and calls,
//! * [`dispatch`]: which instruction belongs to which family,
//! * [`half`]: what computing with half precision takes,
//! * the families: [`arithmetic`], [`convert`], [`composite`], [`pointer`], [`memory`], [`atomic`], [`group`], [`opencl`],
//!   [`opencl_memory`].

mod arithmetic;
mod atomic;
mod block_io;
mod builder;
mod composite;
mod convert;
mod dispatch;
mod escape;
mod flow;
pub(crate) mod globals;
mod group;
mod group_copy;
mod half;
mod image;
mod image_block;
mod kernel;
mod memory;
mod opencl;
mod opencl_memory;
mod operand;
mod pointer;

use crate::load::{Id, LoadError, Module};
use crate::program::{Inst, Kind, Program, Value};
use builder::Builder;
use globals::ModuleData;
use operand::Operand;
use std::collections::HashMap;

/// Lowers every entry point of a module.
///
/// # Errors
///
/// What is wrong with the first instruction that something is wrong with.
pub(crate) fn lower(module: &Module<'_>, data: &ModuleData) -> Result<Vec<Program>, LoadError> {
    let escaped = escape::escaping_pointers(module);
    let lower_one = |entry| {
        let lowering = Lowering {
            module,
            data,
            escaped: &escaped,
            builder: Builder::new(),
            operands: HashMap::new(),
            private_bytes: 0,
            image_scratch: None,
            local: HashMap::new(),
            local_bytes: 0,
            call_stack: Vec::new(),
        };
        lowering.kernel(entry).map_err(|error| module.name(error))
    };
    module.entry_points.iter().map(lower_one).collect()
}

/// The lowering of one kernel.
struct Lowering<'a, 'w> {
    module: &'a Module<'w>,
    data: &'a ModuleData,
    /// The pointers whose variable must have an address.
    escaped: &'a escape::Escaped,
    builder: Builder,
    /// What each result stands for. Ids are unique in the module, and an inlined function is done with its
    /// own before it is inlined again, so one table serves all functions.
    operands: HashMap<Id, (Id, Operand)>,
    private_bytes: u64,
    /// Where in private memory the operands of image instructions are.
    image_scratch: Option<u64>,
    /// The offsets of the local variables that the kernel uses.
    local: HashMap<Id, u32>,
    local_bytes: u64,
    /// The functions that are being inlined, the kernel first.
    call_stack: Vec<Id>,
}

impl Lowering<'_, '_> {
    /// A new value of this kind, made by an instruction.
    fn emit(&mut self, kind: Kind, inst: impl FnOnce(Value) -> Inst) -> Result<Value, LoadError> {
        self.builder.emit(kind, inst).map_err(LoadError::from)
    }

    fn constant(&mut self, kind: Kind, bits: u64) -> Value {
        self.builder.constant(kind, bits)
    }
}
