//! Checked declarations → SPMD programs.
//!
//! Each entry point becomes one [`Program`]: calls are inlined, composite values split into scalars, pointers
//! to variables that never leave registers resolved. Instructions are checked as they are lowered, one family
//! to a file; the rule is that a result must have the scalars of its result type, and that each operand is
//! what its instruction needs.
//!
//! * [`check`]: all that entry points call, each function by itself, before any of them is lowered,
//! * [`builder`]: blocks and values of the draft as they grow,
//! * [`escape`]: which variables can live in registers,
//! * [`globals`]: variables outside functions and where they are,
//! * [`kernel`]: entry points and their parameters,
//! * [`flow`]: functions, blocks, branches and phis,
//! * [`call`]: calls of functions, by their names and by pointers,
//! * [`dispatch`]: which instruction belongs to which family,
//! * [`half`]: what computing with half precision takes,
//! * [`rounding`]: conversions that do not round to the nearest,
//! * the families: [`arithmetic`], [`bit_field`], [`dot_product`], [`bfloat`], [`convert`], [`composite`], [`pointer`], [`memory`], [`atomic`], [`group`],
//!   [`non_uniform`], [`matrix`], [`opencl`], [`opencl_memory`], [`intrinsic`].

mod arithmetic;
mod atomic;
mod bfloat;
mod bit_field;
mod block_io;
mod builder;
mod call;
mod check;
mod clock;
mod composite;
mod convert;
mod dispatch;
mod dot_product;
mod escape;
mod flow;
mod gather;
pub(crate) mod globals;
mod group;
mod group_copy;
mod half;
mod image;
mod image_block;
mod initial;
mod intrinsic;
mod kernel;
mod mask_shuffle;
mod matrix;
mod matrix_memory;
mod memory;
mod non_uniform;
mod opencl;
mod opencl_memory;
mod operand;
mod pointer;
mod print;
mod private;
mod rounding;
mod saturate;
mod second_result;
mod tf32;

use crate::load::module::{EntryPoint, Flushed};
use crate::load::{Id, LoadError, Module, Problem};
use crate::program::draft::Variable;
use crate::program::{CompareOp, Inst, IntOp, Kind, LANES, Program, Site, Value};
use builder::Builder;
use call::Callee;
pub(crate) use check::check;
pub(crate) use escape::{Escaped, escaping_pointers};
use globals::ModuleData;
pub(crate) use intrinsic::is_intrinsic;
use operand::Operand;
use std::collections::{HashMap, HashSet};

/// Lowers one entry point of a module that [`check`] has passed.
///
/// # Errors
///
/// What is too large for the driver, as far as it is known only when everything is inlined.
pub(crate) fn lower(
    module: &Module<'_>,
    data: &ModuleData,
    escaped: &Escaped,
    entry: &EntryPoint,
) -> Result<Program, LoadError> {
    let lowering = Lowering::new(module, data, escaped, Calls::Inlined);
    lowering.kernel(entry).map_err(|error| module.name(error))
}

/// What becomes of calls.
enum Calls {
    Inlined,
    /// They are only noted, in a body that is checked by itself.
    Noted(Vec<Callee>),
}

/// The lowering of one kernel, or the check of all functions.
struct Lowering<'a, 'w> {
    module: &'a Module<'w>,
    data: &'a ModuleData,
    /// The pointers whose variable must have an address.
    escaped: &'a Escaped,
    builder: Builder,
    calls: Calls,
    /// What constants stand for, and what is computed from them.
    constants: HashMap<Id, (Id, Operand)>,
    /// What each result stands for. Ids are unique in the module, and an inlined function is done with its
    /// own before it is inlined again, so one table serves all functions.
    operands: HashMap<Id, (Id, Operand)>,
    /// Where private memory that no variable of the functions being lowered has begins, and the most that was needed. What a function
    /// has it gives back when it returns.
    private_top: u64,
    private_bytes: u64,
    /// What the private memory of a work-item has to be aligned to.
    private_align: u64,
    /// How much of the piece for variable-length arrays is in use, if there are any.
    private_stack: Option<Variable>,
    /// The offsets of the local variables that the kernel uses.
    local: HashMap<Id, u32>,
    local_bytes: u64,
    /// The barriers at which all work-groups of the launch meet.
    device_barriers: Vec<Site>,
    /// The functions that are being inlined.
    open_functions: HashSet<Id>,
    /// How many scalars were copied from value to value.
    copied: u64,
    /// How many work-items a subgroup has.
    subgroup_size: u32,
    /// Of which floats it makes zeros where they would be subnormal.
    flush: Flushed,
}

/// The most scalars that may be copied from value to value, which emits no instructions but takes time and memory.
const MAX_COPIED: u64 = 1 << 24;

impl<'a, 'w> Lowering<'a, 'w> {
    fn new(module: &'a Module<'w>, data: &'a ModuleData, escaped: &'a Escaped, calls: Calls) -> Self {
        Self {
            module,
            data,
            escaped,
            builder: Builder::new(),
            calls,
            constants: HashMap::new(),
            operands: HashMap::new(),
            private_top: 0,
            private_bytes: 0,
            private_align: 1,
            private_stack: None,
            local: HashMap::new(),
            local_bytes: 0,
            device_barriers: Vec::new(),
            open_functions: HashSet::new(),
            copied: 0,
            subgroup_size: LANES as u32,
            flush: Flushed::default(),
        }
    }

    /// Counts scalars that are copied.
    fn copy_scalars(&mut self, count: usize) -> Result<(), LoadError> {
        self.copied += count as u64;
        if self.copied > MAX_COPIED {
            return Err(Problem::TooLarge("what is copied between values").into());
        }
        Ok(())
    }

    /// A new value of this kind, made by an instruction.
    fn emit(&mut self, kind: Kind, inst: impl FnOnce(Value) -> Inst) -> Result<Value, LoadError> {
        let value = self.builder.new_value(kind);
        self.define_value(kind, value, inst(value))
    }

    /// Appends an instruction that defines a value.
    fn define_value(&mut self, kind: Kind, value: Value, inst: Inst) -> Result<Value, LoadError> {
        let computes = kind.is_float() && inst.computes_float();
        self.builder.effect(inst)?;
        if computes && self.is_flushed(kind) { self.flushed(kind, value) } else { Ok(value) }
    }

    /// Whether numbers of this kind that would be subnormal are zeros.
    fn is_flushed(&self, kind: Kind) -> bool {
        match kind {
            Kind::F16 => self.flush.half,
            Kind::F32 => self.flush.single,
            Kind::F64 => self.flush.double,
            _ => false,
        }
    }

    /// A zero of the same sign in the place of a subnormal number.
    fn flushed(&mut self, kind: Kind, value: Value) -> Result<Value, LoadError> {
        let bits = kind.as_integer();
        let (sign, exponent) = match kind {
            Kind::F16 => (0x8000, 0x7c00),
            Kind::F32 => (0x8000_0000, 0x7f80_0000),
            _ => (1 << 63, 0x7ff0_0000_0000_0000),
        };
        let (sign, exponent, zero) =
            (self.constant(bits, sign), self.constant(bits, exponent), self.constant(bits, 0));
        let sign = self.builder.emit(kind, |v| Inst::Int(IntOp::And, bits, v, [value, sign]))?;
        let exponent = self.builder.emit(bits, |v| Inst::Int(IntOp::And, bits, v, [value, exponent]))?;
        let is_small =
            self.builder.emit(Kind::Bool, |v| Inst::Compare(CompareOp::Eq, bits, v, [exponent, zero]))?;
        Ok(self.builder.emit(kind, |v| Inst::Select(kind, v, is_small, [sign, value]))?)
    }

    fn constant(&mut self, kind: Kind, bits: u64) -> Value {
        self.builder.constant(kind, bits)
    }
}
