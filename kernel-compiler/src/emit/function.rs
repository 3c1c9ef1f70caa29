//! Functions: signature, parameters, variables, and calls.

use super::ModuleEmitter;
use super::block::LoopTargets;
use super::code::Code;
use super::contract::Contractions;
use super::types::{SpirvType, stored};
use crate::ir::{self, Handle, Op as IrOp, Query, Type, Value};
use kernel_core::Scalar;
use rspirv::dr::{Block, Function, Instruction, Operand};
use rspirv::spirv::{FunctionControl, Op, StorageClass, Word};
use std::collections::BTreeMap;

/// What a caller must know about a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Callee {
    pub(super) id: Word,
    /// The type of the result.
    result: Word,
    /// Whether it, or what it calls, can fault; it then takes a pointer to the work-item's first fault last.
    pub(super) faults: bool,
}

/// An IR value as ids.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ids {
    One(Word),
    Slice { pointer: Word, len: Word },
}

/// The end of a kernel that can fault.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    pub(super) label: Word,
    /// The pointer to the fault record.
    pub(super) record: Word,
}

/// A function of the IR under construction.
pub(super) struct FunctionEmitter<'ir, 'm> {
    pub(super) code: Code<'ir, 'm>,
    pub(super) function: &'ir ir::Function,
    /// The values so far, in the order of their handles.
    pub(super) values: Vec<Option<Ids>>,
    /// The variables, in the order of their handles.
    pub(super) variables: Vec<Word>,
    /// The built-in vectors that were loaded.
    pub(super) queries: BTreeMap<Query, Word>,
    pub(super) contractions: Contractions,
    /// The loops around the current block, outermost first.
    pub(super) loops: Vec<LoopTargets>,
    /// Where a kernel that can fault goes instead of returning.
    pub(super) exit: Option<Exit>,
}

impl<'ir> ModuleEmitter<'ir> {
    /// Emits a function; its callees have been emitted.
    pub(super) fn function(&mut self, handle: Handle<ir::Function>, function: &'ir ir::Function) {
        let is_entry = handle == self.ir.entry;
        let faults = self.can_fault(function) || is_entry && !self.ir.sites.is_empty();
        let result = match function.result {
            Some(ty) => self.value_type(ty),
            None => self.type_id(SpirvType::Void),
        };
        let id = self.sections.fresh();
        self.functions.push(Callee { id, result, faults });
        // Intel's compiler takes the name for that of the LLVM function, and knows some (printf, memset) by it.
        let name = if is_entry { function.name.clone() } else { format!("device.{}", function.name) };
        self.sections.name(id, &name);

        let mut emitter = FunctionEmitter::new(self, function);
        emitter.variables();
        if is_entry && faults {
            emitter.code.declare_pending();
        }
        emitter.parameters(is_entry, faults);
        emitter.load_queries();
        emitter.body();
        emitter.exit();
        let Code { parameters, blocks, .. } = emitter.code;
        let control = if is_entry { FunctionControl::NONE } else { FunctionControl::INLINE };
        self.finish_function(id, result, control, parameters, blocks);
    }

    /// Assembles the parts of a function and derives its type from the parameters.
    pub(super) fn finish_function(
        &mut self,
        id: Word,
        result: Word,
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

    fn can_fault(&self, function: &ir::Function) -> bool {
        let callee_faults = |callee: &Handle<ir::Function>| self.functions[callee.index()].faults;
        let mut faults = function.values.iter().any(|(_, value)| match &value.op {
            IrOp::Call(callee, _) => callee_faults(callee),
            op => op.is_checked(),
        });
        function.body.for_each_statement(&mut |statement| {
            faults |= match statement {
                ir::Statement::Call(callee, _) => callee_faults(callee),
                ir::Statement::Store { place, .. } => place.is_checked(),
                _ => false,
            };
        });
        faults
    }
}

impl<'ir, 'm> FunctionEmitter<'ir, 'm> {
    fn new(module: &'m mut ModuleEmitter<'ir>, function: &'ir ir::Function) -> Self {
        Self {
            contractions: Contractions::find(module.ir, function),
            code: Code::new(module),
            function,
            values: vec![None; function.values.len()],
            variables: Vec::new(),
            queries: BTreeMap::new(),
            loops: Vec::new(),
            exit: None,
        }
    }

    fn parameters(&mut self, is_entry: bool, faults: bool) {
        let function = self.function;
        let values: Vec<Ids> = function
            .parameters
            .iter()
            .map(|parameter| match self.code.module.ir.types[parameter.ty] {
                Type::Scalar(scalar) if is_entry => self.host_scalar(&parameter.name, scalar),
                _ => self.parameter(parameter),
            })
            .collect();
        for (handle, value) in function.values.iter() {
            if let IrOp::Parameter(position) = value.op {
                self.values[handle.index()] = values.get(position as usize).copied();
            }
        }
        if faults && is_entry {
            let record = self.code.module.record_pointer();
            let record = self.code.parameter(record, "fault.record");
            self.exit = Some(Exit { label: self.code.label(), record });
        } else if faults {
            let pending = self.code.module.pending_pointer();
            self.code.pending = Some(self.code.parameter(pending, "fault.pending"));
        }
    }

    fn parameter(&mut self, parameter: &ir::Parameter) -> Ids {
        match self.code.module.parameter_types(parameter.ty)[..] {
            [pointer, len] => {
                let pointer = self.code.parameter(pointer, &parameter.name);
                let len = self.code.parameter(len, &format!("{}.len", parameter.name));
                Ids::Slice { pointer, len }
            }
            ref types => Ids::One(self.code.parameter(types[0], &parameter.name)),
        }
    }

    /// A scalar from the host. The environment has neither `bool` nor 64-bit floats there, so these come as integers.
    fn host_scalar(&mut self, name: &str, scalar: Scalar) -> Ids {
        let ty = match scalar {
            Scalar::F64 => SpirvType::Int(64),
            other => stored(other),
        };
        let ty = self.code.module.type_id(ty);
        let id = self.code.parameter(ty, name);
        Ids::One(match scalar {
            Scalar::Bool => self.code.bool_from_byte(id),
            Scalar::F64 => {
                let double = self.code.module.type_id(SpirvType::Float(64));
                self.code.compute(Op::Bitcast, double, &[id])
            }
            _ => id,
        })
    }

    fn variables(&mut self) {
        for (_, variable) in self.function.variables.iter() {
            let ty = self.code.module.memory_type(variable.ty);
            let pointer = self.code.module.pointer(StorageClass::Function, ty);
            let class = Operand::StorageClass(StorageClass::Function);
            let id = self.code.compute_with(Op::Variable, pointer, vec![class]);
            self.code.module.sections.name(id, &variable.name);
            self.variables.push(id);
        }
    }

    /// Calls a function; the result is that of the OpFunctionCall, which exists for `void` too.
    pub(super) fn call(&mut self, callee: Handle<ir::Function>, arguments: &[Handle<Value>]) -> Word {
        let Callee { id, result, faults } = self.code.module.functions[callee.index()];
        let mut operands = vec![id];
        for &argument in arguments {
            match self.ids(argument) {
                Ids::One(id) => operands.push(id),
                Ids::Slice { pointer, len } => operands.extend([pointer, len]),
            }
        }
        operands.extend(self.code.pending.filter(|_| faults));
        self.code.compute(Op::FunctionCall, result, &operands)
    }
}
