//! Entry points and their parameters.

use super::Lowering;
use super::operand::{Operand, Place, Storage};
use crate::image::number_of_argument;
use crate::limits;
use crate::load::functions::Function;
use crate::load::grammar;
use crate::load::module::EntryPoint;
use crate::load::types::Type;
use crate::load::words::Instruction;
use crate::load::{Id, LoadError, Problem};
use crate::program::phi::NoProgram;
use crate::program::{
    Inst, Kind, LANES, Parameter, Preset, Program, SUBGROUP_SIZES, Space, dce, loops, phi, uniform,
};
use spirv::StorageClass;

/// The most bytes that the arguments of a kernel may take together.
const MAX_ARGUMENT_BYTES: u64 = limits::MAX_ARGUMENT_BYTES as u64;

/// The most private memory per work-item, in bytes.
pub(super) const MAX_PRIVATE_BYTES: u64 = limits::MAX_PRIVATE_MEMORY as u64;

impl Lowering<'_, '_> {
    /// Lowers one entry point.
    pub(super) fn kernel(mut self, entry: &EntryPoint) -> Result<Program, LoadError> {
        let module = self.module;
        let id = entry.function;
        let function = module.functions.get(&id).ok_or(Problem::Expected { what: "a function", id })?;
        let inst = function.definition;
        if entry.is_too_large() {
            return Err(inst.error(Problem::TooLarge("the work-groups that the kernel asks for")));
        }
        self.subgroup_size = entry.subgroup_size.unwrap_or(LANES as u32);
        self.flush = entry.flushed;
        let (parameters, bytes) = self.parameters(entry, function)?;
        self.constant_ops()?;
        self.function(function)?;
        self.place_private().map_err(|error| inst.error(error.problem))?;
        let (mut draft, mut presets) = self.builder.into_draft();
        loops::simplify(&mut draft, &mut presets);
        let (mut blocks, kinds) = phi::construct(draft).map_err(|error| {
            inst.error(match error {
                NoProgram::TooLarge => Problem::TooLarge("the control flow of the kernel"),
                NoProgram::Undominated => {
                    Problem::Structure("a result is used where control may come without having computed it")
                }
            })
        })?;
        dce::remove_dead(&mut blocks, &mut presets, kinds.len(), Inst::has_effect);
        let uniform = uniform::uniform_values(&mut blocks, &presets, kinds.len());
        Ok(Program {
            name: entry.name.clone(),
            parameters,
            argument_bytes: bytes as u32,
            blocks,
            kinds,
            presets,
            uniform,
            private_bytes: self.private_bytes as u32,
            local_bytes: self.local_bytes as u32,
            device_barriers: self.device_barriers,
            group_size: entry.group_size,
            subgroup_size: self.subgroup_size,
        })
    }

    /// Binds the parameters of an entry point; returns what a launch must pass, and how many bytes of arguments that is.
    pub(super) fn parameters(
        &mut self,
        entry: &EntryPoint,
        function: &Function<'_>,
    ) -> Result<(Vec<Parameter>, u64), LoadError> {
        let inst = function.definition;
        if entry.subgroup_size.is_some_and(|size| !SUBGROUP_SIZES.contains(&size)) {
            return Err(inst.error(Problem::Unsupported("a subgroup size other than 8, 16 and 32")));
        }
        let (mut parameters, mut bytes) = (Vec::new(), 0);
        for &(id, ty) in &function.parameters {
            let located = |error: LoadError| inst.error(error.problem);
            let parameter = self.parameter(id, ty, parameters.len() as u32, &mut bytes).map_err(located)?;
            parameters.push(parameter);
        }
        Ok((parameters, bytes))
    }

    /// Constants that are computed from others become instructions at the start of the kernel.
    pub(super) fn constant_ops(&mut self) -> Result<(), LoadError> {
        for inst in &self.module.constant_ops {
            let number = inst.operand(0)?;
            let row = grammar::instruction(number);
            let op = row.ok_or_else(|| inst.error(Problem::UnsupportedInstruction))?.op;
            self.instruction(&Instruction { op, operands: inst.operands_from(1), ..*inst })?;
        }
        Ok(())
    }

    /// Binds a parameter of the entry point to its argument.
    fn parameter(&mut self, id: Id, ty: Id, index: u32, bytes: &mut u64) -> Result<Parameter, LoadError> {
        let types = &self.module.types;
        match types.get(ty)? {
            Type::Pointer { class: StorageClass::Workgroup, pointee } => {
                let align = types.align(*pointee)?.clamp(1, 128) as u32;
                let value = self.builder.preset(Kind::I64, Preset::LocalArgument(index));
                self.operands.insert(id, (ty, Operand::Values(vec![value])));
                Ok(Parameter::Local { align })
            }
            &Type::Image { shape, .. } => {
                let value = self.builder.constant(Kind::I64, number_of_argument(index));
                self.operands.insert(id, (ty, Operand::Values(vec![value])));
                Ok(Parameter::Image { shape })
            }
            Type::Sampler => {
                let value = self.builder.constant(Kind::I64, number_of_argument(index));
                self.operands.insert(id, (ty, Operand::Values(vec![value])));
                Ok(Parameter::Sampler)
            }
            Type::Pointer { class: StorageClass::Function, pointee } => {
                let pointee = *pointee;
                if !self.module.decorations.by_value.contains(&id) {
                    return Err(Problem::Environment("a private pointer that is no argument by value").into());
                }
                let (parameter, offset) = self.argument(pointee, bytes)?;
                self.by_value(id, ty, pointee, offset)?;
                Ok(parameter)
            }
            Type::Pointer { class: StorageClass::CrossWorkgroup | StorageClass::UniformConstant, .. }
            | Type::Struct { .. }
            | Type::Vector { .. }
            | Type::Scalar(
                Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64 | Kind::F16 | Kind::F32 | Kind::F64,
            ) => {
                let (mut parameter, offset) = self.argument(ty, bytes)?;
                if let (Parameter::Bytes { align, .. }, Some(stated)) =
                    (&mut parameter, self.module.decorations.alignment.get(&id))
                {
                    *align = (*stated).max(1);
                }
                let values = self.argument_leaves(ty, offset)?;
                self.operands.insert(id, (ty, Operand::Values(values)));
                Ok(parameter)
            }
            _ => Err(Problem::Environment("the type of a kernel argument").into()),
        }
    }

    /// Room for an argument of this type in the argument block.
    fn argument(&self, ty: Id, bytes: &mut u64) -> Result<(Parameter, u32), LoadError> {
        let size = self.module.types.size(ty)?;
        let offset = bytes.next_multiple_of(8);
        if size == 0 || offset.saturating_add(size) > MAX_ARGUMENT_BYTES {
            return Err(Problem::TooLarge("the arguments of a kernel (or one of size 0)").into());
        }
        *bytes = offset + size;
        let is_pointer = matches!(self.module.types.get(ty)?, Type::Pointer { .. });
        let parameter = Parameter::Bytes { size: size as u32, offset: offset as u32, is_pointer, align: 1 };
        Ok((parameter, offset as u32))
    }

    fn argument_leaves(&mut self, ty: Id, offset: u32) -> Result<Vec<crate::program::Value>, LoadError> {
        let leaves = self.module.types.leaves(ty)?;
        if leaves.iter().any(|&(kind, _)| kind == Kind::Bool) {
            return Err(Problem::Environment("a kernel argument must not hold booleans").into());
        }
        let preset =
            |(kind, at): (Kind, u64)| self.builder.preset(kind, Preset::Argument(offset + at as u32));
        Ok(leaves.into_iter().map(preset).collect())
    }

    /// Binds a pointer parameter to the work-item's own copy of the argument.
    fn by_value(&mut self, id: Id, ty: Id, pointee: Id, offset: u32) -> Result<(), LoadError> {
        let values = self.argument_leaves(pointee, offset)?;
        let operand = match self.register_variable(id, pointee)? {
            Some(place) => {
                if let Storage::Variables(first) = place.storage {
                    self.write_variables(first, 0, &values)?;
                }
                Operand::Place(Place { pointee, ..place })
            }
            None => {
                let address = self.private_variable(id, pointee)?;
                let site = crate::program::Site(0);
                self.store_leaves(pointee, Space::Private, address, &values, site)?;
                Operand::Values(vec![address])
            }
        };
        self.operands.insert(id, (ty, operand));
        Ok(())
    }
}
