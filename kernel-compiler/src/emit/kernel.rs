//! The kernel's function: its parameters and variables.

use super::ModuleEmitter;
use super::block::LoopTargets;
use super::code::Code;
use super::contract::Contractions;
use super::demand::Demands;
use super::guard::inner_conjunctions;
use super::halves::split_numbers;
use super::limit::Limit;
use super::narrow::narrow_variables;
use super::print::PrintArguments;
use super::types::{SpirvType, stored};
use crate::analysis::{Analysis, Object, unwritten};
use crate::hash::HashMap;
use crate::ir::{self, Handle, Numeric, Op as IrOp, Query, Type, Value};
use kernel_core::Scalar;
use proc_macro2::Span;
use rspirv::dr::{Block, Function, Instruction, Operand};
use rspirv::spirv::{Decoration, FunctionControl, FunctionParameterAttribute, Op, StorageClass, Word};
use std::collections::BTreeMap;

/// An IR value as ids.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ids {
    One(Word),
    Slice { pointer: Word, len: Word },
}

/// The kernel under construction.
pub(super) struct KernelEmitter<'ir, 'm> {
    pub(super) code: Code<'ir, 'm>,
    pub(super) ir: &'ir ir::Module,
    pub(super) analysis: &'ir Analysis,
    /// Which bits of numbers are asked for.
    pub(super) demands: Demands,
    /// Which variables have 32 bits although they are of type `usize`, by their positions.
    pub(super) narrow_variables: Vec<bool>,
    /// Whether there is an image that the kernel reads and writes, whose accesses barriers order.
    pub(super) orders_images: bool,
    /// Whether a work-item may see what others have written.
    pub(super) synchronises: bool,
    /// What indices of 32 bits are compared with, by the positions of the parameters.
    pub(super) limits: Vec<Limit>,
    /// The values of type `usize` that were computed in 32 bits.
    pub(super) low_halves: HashMap<Handle<Value>, Word>,
    /// The values so far, in the order of their handles.
    pub(super) values: Vec<Option<Ids>>,
    /// The arguments, in the order of the parameters; an array or a struct as the pointer to it.
    pub(super) arguments: Vec<Ids>,
    /// The variables, in the order of their handles.
    pub(super) variables: Vec<Word>,
    /// The built-in vectors that were loaded.
    pub(super) queries: BTreeMap<Query, Word>,
    pub(super) contractions: Contractions,
    /// Which conjunctions are parts of others, by their positions.
    pub(super) inner_conjunctions: Vec<bool>,
    /// Which numbers of 64 bits are asked for their upper halves, by their positions.
    pub(super) split_numbers: Vec<bool>,
    /// How often each value is used, by its position.
    pub(super) uses: Vec<u32>,
    /// The loops around the current block, outermost first.
    pub(super) loops: Vec<LoopTargets>,
    /// The local memory that is filled with zeros.
    pub(super) unwritten: Vec<Object>,
    /// What counts while that is done.
    pub(super) fill_counter: Option<Word>,
    /// The pointer to the fault record, in a kernel that can fault.
    pub(super) record: Option<Word>,
    /// The arguments of a kernel that prints.
    pub(super) print: Option<PrintArguments>,
}

impl<'ir> ModuleEmitter<'ir> {
    /// Emits the kernel, or the function for other modules, and returns the id of its function.
    pub(super) fn kernel(&mut self, analysis: &'ir Analysis) -> (Word, Vec<Option<Span>>) {
        let id = self.sections.fresh();
        self.sections.name(id, &self.ir.name);
        let mut emitter = KernelEmitter::new(self, analysis);
        emitter.declare_fill();
        emitter.variables();
        emitter.parameters();
        emitter.limits();
        emitter.load_queries();
        emitter.fill();
        emitter.body();
        emitter.end();
        let Code { parameters, blocks, places, .. } = emitter.code;
        let result = self.result_type();
        self.finish_function((id, result), FunctionControl::NONE, parameters, blocks);
        (id, places)
    }

    /// Assembles the parts of a function with a result of a type, and derives its own type from the parameters.
    pub(super) fn finish_function(
        &mut self,
        (id, result): (Word, Word),
        control: FunctionControl,
        parameters: Vec<Instruction>,
        blocks: Vec<Block>,
    ) {
        let types = parameters.iter().filter_map(|parameter| parameter.result_type).collect();
        let ty = self.type_id(SpirvType::Function(result, types));
        let operands = vec![Operand::FunctionControl(control), Operand::IdRef(ty)];
        self.sections.module.functions.push(Function {
            def: Some(Instruction::new(Op::Function, Some(result), Some(id), operands)),
            end: Some(Instruction::new(Op::FunctionEnd, None, None, Vec::new())),
            parameters,
            blocks,
        });
    }
}

impl<'ir, 'm> KernelEmitter<'ir, 'm> {
    fn new(module: &'m mut ModuleEmitter<'ir>, analysis: &'ir Analysis) -> Self {
        let ir = module.ir;
        let uses = ir.count_uses();
        let demands = Demands::of(ir, analysis);
        Self {
            contractions: Contractions::find(ir, &uses),
            inner_conjunctions: inner_conjunctions(ir),
            split_numbers: split_numbers(ir),
            uses,
            code: Code::new(module),
            ir,
            analysis,
            orders_images: super::image::has_read_write_image(ir),
            synchronises: super::parameter_attributes::synchronises(ir),
            narrow_variables: narrow_variables(ir, analysis, &demands),
            demands,
            limits: Vec::new(),
            low_halves: HashMap::default(),
            values: vec![None; ir.values.len()],
            arguments: Vec::new(),
            variables: Vec::new(),
            queries: BTreeMap::new(),
            loops: Vec::new(),
            unwritten: unwritten(ir, analysis),
            fill_counter: None,
            record: None,
            print: None,
        }
    }

    fn parameters(&mut self) {
        let ir = self.ir;
        self.arguments = ir.parameters.iter().map(|parameter| self.parameter(parameter)).collect();
        for (handle, value) in ir.values.iter() {
            if let IrOp::Parameter(position) = value.op {
                let argument = self.arguments.get(position as usize).copied();
                self.values[handle.index()] = argument.map(|argument| self.short_argument(handle, argument));
            }
        }
        if !ir.prints.is_empty() {
            let (pointer, number) = (self.code.module.print_pointer(), self.code.module.int(32));
            let buffer = self.code.parameter(pointer, "print.buffer");
            let kernel = self.code.parameter(number, "print.kernel");
            self.print = Some(PrintArguments { buffer, kernel });
        }
        if !ir.sites.is_empty() {
            let record = self.code.module.record_pointer();
            self.record = Some(self.code.parameter(record, "fault.record"));
        }
    }

    /// An argument, or what it is the low half of if there is no more to it: compilers multiply by that as by a number of 32 bits.
    fn short_argument(&mut self, value: Handle<Value>, argument: Ids) -> Ids {
        match argument {
            Ids::One(word) if self.fits(value) => {
                let int = self.code.module.int(32);
                let half = self.code.compute(Op::UConvert, int, &[word]);
                Ids::One(self.extend(value, half))
            }
            argument => argument,
        }
    }

    fn parameter(&mut self, parameter: &ir::Parameter) -> Ids {
        let name = &parameter.name;
        match self.ir.types[parameter.ty] {
            Type::Slice { element, space, .. } => {
                let [pointer, len] = self.code.module.slice_types(element, space);
                let pointer = self.code.parameter(pointer, name);
                self.promise(parameter, pointer);
                let len = self.code.parameter(len, &format!("{name}.len"));
                Ids::Slice { pointer, len }
            }
            Type::Array { .. } | Type::Struct { .. } => self.by_value(name, parameter.ty),
            Type::Pointer { .. } | Type::Image(_) | Type::Sampler(_) | Type::Event => {
                let ty = self.code.module.value_type(parameter.ty);
                let pointer = self.code.parameter(ty, name);
                self.promise(parameter, pointer);
                Ids::One(pointer)
            }
            Type::Scalar(_) | Type::Vector { .. } if self.ir.export.is_some() => {
                Ids::One(self.passed_value(name, parameter.ty))
            }
            Type::Scalar(_) | Type::Vector { .. } => self.host_value(name, self.numeric_of(parameter.ty)),
        }
    }

    /// An array or a struct by value: a pointer to the work-item's own copy.
    fn by_value(&mut self, name: &str, ty: Handle<Type>) -> Ids {
        let pointee = self.code.module.argument_type(ty);
        let pointer = self.code.module.pointer(StorageClass::Function, pointee);
        let id = self.code.parameter(pointer, name);
        // Not what Rust asks for: drivers place arguments as their types say.
        let alignment = Operand::LiteralBit32(self.code.module.natural_alignment(ty));
        let by_value = Operand::FunctionParameterAttribute(FunctionParameterAttribute::ByVal);
        self.code.module.sections.decorate(id, Decoration::FuncParamAttr, &[by_value]);
        self.code.module.sections.decorate(id, Decoration::Alignment, &[alignment]);
        Ids::One(id)
    }

    /// A scalar or vector from the host. The environment has neither `bool` nor 64-bit floats there, so these come as integers.
    fn host_value(&mut self, name: &str, ty: Numeric) -> Ids {
        let passed = match ty.scalar {
            Scalar::F64 => SpirvType::Int(64),
            other => stored(other),
        };
        let passed = self.code.module.lanes(passed, ty.lanes);
        let id = self.code.parameter(passed, name);
        Ids::One(match ty.scalar {
            Scalar::Bool => self.code.bools_from_bytes(id, ty.lanes),
            Scalar::F64 => self.code.bitcast(id, ty.of(Scalar::U64), Scalar::F64),
            _ => id,
        })
    }

    fn variables(&mut self) {
        for (handle, variable) in self.ir.variables.iter() {
            let ty = match self.narrow_variables[handle.index()] {
                true => self.code.module.int(32),
                false => self.code.module.memory_type(variable.ty),
            };
            let pointer = self.code.module.pointer(StorageClass::Function, ty);
            let class = Operand::StorageClass(StorageClass::Function);
            let id = self.code.compute_with(Op::Variable, pointer, vec![class]);
            self.code.module.sections.name(id, &variable.name);
            self.variables.push(id);
        }
        // The sites of another entry point of the kernel may be more than are needed here.
        if self.ir.body.is_checked(&self.ir.values) {
            // Where there are meetings, others may wait for it.
            self.code.declare_faults(!self.ir.body.has_convergent(&self.ir.values));
        }
    }
}
