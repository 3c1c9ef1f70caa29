//! The sections of a module in order, and the rules that the environment has for them.

use super::Id;
use super::capabilities::{check_capability, check_extension};
use super::constants::Constants;
use super::decorations::Decorations;
use super::error::{LoadError, Problem};
use super::functions::Function;
use super::indirect::Indirect;
use super::types::{Type, Types};
use super::words::{Instruction, instructions};
use crate::limits::{MAX_GROUP_SIZE, MAX_VARIABLE_ALIGNMENT};
use crate::load::grammar::Op;
use crate::program::{LANES, SUBGROUP_SIZES};
use spirv::{AddressingModel, ExecutionMode, ExecutionModel, MemoryModel, OpenclStd100Op, StorageClass};
use std::collections::{HashMap, HashSet};

/// A module whose declarations have been checked; bodies are checked when they are lowered.
#[derive(Debug, Default)]
pub(crate) struct Module<'w> {
    pub(crate) types: Types,
    pub(crate) constants: Constants,
    pub(crate) decorations: Decorations,
    /// Variables outside functions, by id.
    pub(crate) globals: HashMap<Id, Global>,
    /// The ids of the globals in the order of the module.
    pub(crate) global_order: Vec<Id>,
    pub(crate) functions: HashMap<Id, Function<'w>>,
    /// Those that may be called by a pointer.
    pub(crate) indirect: Indirect<'w>,
    pub(crate) entry_points: Vec<EntryPoint>,
    /// The constants that are computed from others, in order; they are lowered as instructions.
    pub(crate) constant_ops: Vec<Instruction<'w>>,
    /// Their types.
    computed: HashMap<Id, Id>,
    /// The id of the import of OpenCL.std.
    pub(crate) opencl: HashSet<Id>,
    /// How many lanes have a matrix together, once there is one.
    lanes: Option<u32>,
    /// How many words it has.
    pub(crate) word_count: usize,
    /// The names of the entry points.
    names: HashSet<String>,
    /// What execution modes say of functions.
    modes: HashMap<Id, Modes>,
    /// Execution modes whose operands are constants, which come later.
    modes_by_ids: Vec<Instruction<'w>>,
}

/// What an entry point requires.
#[derive(Clone, Copy, Debug, Default)]
struct Modes {
    group_size: Option<[u32; 3]>,
    subgroup_size: Option<u32>,
    flushed: Flushed,
}

/// The floats of which a kernel makes zeros where they would be subnormal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flushed {
    pub(crate) half: bool,
    pub(crate) single: bool,
    pub(crate) double: bool,
}

/// A kernel as the module declares it.
#[derive(Clone, Debug)]
pub(crate) struct EntryPoint {
    pub(crate) function: Id,
    pub(crate) name: String,
    /// The work-group size that it requires.
    pub(crate) group_size: Option<[u32; 3]>,
    /// The subgroup size that it requires.
    pub(crate) subgroup_size: Option<u32>,
    pub(crate) flushed: Flushed,
}

impl EntryPoint {
    /// Whether it asks for more work-items in a work-group than there can be.
    pub(crate) fn is_too_large(&self) -> bool {
        let items = self
            .group_size
            .map_or(1, |size| size.iter().fold(1, |all, &size| u64::from(size).saturating_mul(all)));
        items > MAX_GROUP_SIZE.into()
    }
}

/// A variable outside functions.
#[derive(Clone, Debug)]
pub(crate) struct Global {
    pub(crate) class: StorageClass,
    /// The type of its pointer.
    pub(crate) pointer_type: Id,
    /// The type of what it holds.
    pub(crate) pointee: Id,
    /// The constant or variable that it starts as.
    pub(crate) initializer: Option<Id>,
}

/// The most instructions that a module may have.
const MAX_INSTRUCTIONS: usize = 1 << 22;

impl<'w> Module<'w> {
    /// Reads the declarations of a module; `specialization` maps the numbers of specialization constants to
    /// bit patterns.
    pub(crate) fn parse(words: &'w [u32], specialization: &HashMap<u32, u64>) -> Result<Self, LoadError> {
        let (_, instructions) = instructions(words)?;
        if instructions.len() > MAX_INSTRUCTIONS {
            return Err(Problem::TooLarge("the module").into());
        }
        let mut module = Self { word_count: words.len(), ..Self::default() };
        module.read(&instructions, specialization).map_err(|error| module.name(error))?;
        Ok(module)
    }

    /// Whether any function of it prints by OpenCL.std.
    pub(crate) fn prints(&self) -> bool {
        let mut all =
            self.functions.values().flat_map(|function| &function.blocks).flat_map(|block| &block.body);
        all.any(|inst| {
            inst.op == Op::ExtInst
                && matches!(inst.operands, &[set, function, ..]
                    if function == OpenclStd100Op::printf as u32 && self.opencl.contains(&set))
        })
    }

    /// The alignment of a variable, or of what an argument by value becomes, of this type: that of the type, or what the module asks for.
    pub(crate) fn variable_alignment(&self, id: Id, pointee: Id) -> Result<u64, LoadError> {
        let stated = self.decorations.alignment.get(&id).filter(|stated| stated.is_power_of_two());
        let stated = stated.map_or(1, |stated| u64::from(*stated));
        Ok(self.types.align(pointee)?.max(stated).clamp(1, MAX_VARIABLE_ALIGNMENT))
    }

    /// Adds the name of the result to an error.
    pub(crate) fn name(&self, mut error: LoadError) -> LoadError {
        if let Some((id, name)) = error.at.as_mut().and_then(|at| at.result.as_mut()) {
            *name = self.decorations.names.get(id).cloned();
        }
        error
    }

    fn read(
        &mut self,
        instructions: &[Instruction<'w>],
        specialization: &HashMap<u32, u64>,
    ) -> Result<(), LoadError> {
        let mut results = HashSet::new();
        for inst in instructions {
            // A forward pointer is declared again by its pointer type, which is one result only.
            if inst.result != 0 && !results.insert(inst.result) {
                return Err(inst.error(Problem::BadId(inst.result)));
            }
        }
        // Decorations may be needed before they come, as by a struct that is packed.
        instructions.iter().try_for_each(|inst| self.decorations.take(inst))?;
        let mut model = None;
        let mut rest = instructions;
        while let Some((inst, after)) = rest.split_first() {
            rest = after;
            match inst.op {
                Op::MemoryModel => model = Some(check_memory_model(inst)?),
                Op::Function => {
                    let length = rest
                        .iter()
                        .position(|inst| inst.op == Op::FunctionEnd)
                        .ok_or_else(|| inst.error(Problem::Structure("a function without its end")))?;
                    let start = instructions.len() - rest.len() - 1;
                    self.take_function(&instructions[start..=start + length])?;
                    rest = &rest[length + 1..];
                }
                _ => self.declare(inst, specialization)?,
            }
        }
        model.ok_or(Problem::Structure("there is no memory model"))?;
        std::mem::take(&mut self.modes_by_ids)
            .iter()
            .try_for_each(|inst| self.execution_mode_by_ids(inst))?;
        let kernels: HashSet<Id> = self.entry_points.iter().map(|entry| entry.function).collect();
        self.indirect.find(&self.functions, &kernels, &self.decorations, &self.types)?;
        self.check_entry_points()
    }

    fn declare(
        &mut self,
        inst: &Instruction<'w>,
        specialization: &HashMap<u32, u64>,
    ) -> Result<(), LoadError> {
        match inst.op {
            Op::Capability => check_capability(inst),
            Op::Extension => check_extension(inst),
            Op::ExtInstImport => self.import(inst),
            Op::EntryPoint => self.entry_point(inst),
            Op::ExecutionMode => self.execution_mode(inst),
            Op::ExecutionModeId => {
                self.modes_by_ids.push(*inst);
                Ok(())
            }
            Op::TypeForwardPointer => self.types.announce(inst),
            Op::Variable => self.global(inst),
            Op::ConstantTrue
            | Op::ConstantFalse
            | Op::Constant
            | Op::ConstantComposite
            | Op::ConstantNull
            | Op::SpecConstantTrue
            | Op::SpecConstantFalse
            | Op::SpecConstant
            | Op::SpecConstantComposite
            | Op::Undef => {
                let number = self.decorations.spec_ids.get(&inst.result);
                let given = number.and_then(|number| specialization.get(number)).copied();
                let Self { globals, computed, constants, types, .. } = self;
                let ty =
                    |id| globals.get(&id).map(|global| global.pointer_type).or(computed.get(&id).copied());
                constants.declare(inst, types, given, ty)
            }
            // They belong to the instruction before them.
            Op::TypeStructContinuedINTEL
            | Op::ConstantCompositeContinuedINTEL
            | Op::SpecConstantCompositeContinuedINTEL => Ok(()),
            Op::ConstantFunctionPointerINTEL => self.indirect.declare(inst, &mut self.constants, &self.types),
            Op::ConstantSampler => self.constants.declare_sampler(inst, &self.types),
            Op::SpecConstantOp => {
                self.constant_ops.push(*inst);
                self.computed.insert(inst.result, inst.result_type);
                Ok(())
            }
            op if is_type(op) => {
                let lanes = self.lanes();
                let Self { types, constants, decorations, .. } = self;
                let known = &*types;
                let lengths: HashMap<Id, u64> = match inst.operands {
                    [_, ids @ ..] if matches!(op, Op::TypeArray | Op::TypeCooperativeMatrixKHR) => {
                        let lengths = ids.iter().map(|id| (*id, constants.integer(*id, known)));
                        lengths.filter_map(|(id, length)| Some((id, length?))).collect()
                    }
                    _ => HashMap::new(),
                };
                types.declare(inst, |id| lengths.get(&id).copied(), &decorations.packed, lanes)
            }
            op if is_annotation(op) => Ok(()),
            _ => Err(inst.error(Problem::UnsupportedInstruction)),
        }
    }

    /// How many lanes have a matrix together: the size of subgroups, if all kernels that say it say the same. The modes come before the types.
    fn lanes(&mut self) -> u32 {
        *self.lanes.get_or_insert_with(|| {
            let mut sizes = self.modes.values().filter_map(|modes| modes.subgroup_size);
            let first = sizes.next().filter(|size| SUBGROUP_SIZES.contains(size));
            first.filter(|first| sizes.all(|size| size == *first)).unwrap_or(LANES as u32)
        })
    }

    fn import(&mut self, inst: &Instruction<'w>) -> Result<(), LoadError> {
        let (name, _) = inst.string(0)?;
        match name.as_str() {
            "OpenCL.std" => {
                self.opencl.insert(inst.result);
                Ok(())
            }
            // Debugging information and the like have no effect on what is computed.
            name if name.starts_with("NonSemantic.") || name == "OpenCL.DebugInfo.100" => Ok(()),
            _ => Err(inst.error(Problem::UnsupportedExtension(name))),
        }
    }

    fn entry_point(&mut self, inst: &Instruction<'w>) -> Result<(), LoadError> {
        if inst.operand(0)? != ExecutionModel::Kernel as u32 {
            return Err(inst.error(Problem::Environment("the execution model must be Kernel")));
        }
        let (name, _) = inst.string(2)?;
        if !self.names.insert(name.clone()) {
            return Err(inst.error(Problem::Structure("two entry points of one name")));
        }
        let function = inst.operand(1)?;
        self.entry_points.push(EntryPoint {
            function,
            name,
            group_size: None,
            subgroup_size: None,
            flushed: Flushed::default(),
        });
        Ok(())
    }

    fn execution_mode(&mut self, inst: &Instruction<'w>) -> Result<(), LoadError> {
        let function = inst.operand(0)?;
        let number = inst.operand(1)?;
        let mode = ExecutionMode::from_u32(number)
            .ok_or_else(|| inst.error(Problem::UnknownEnumerant { what: "execution mode", value: number }))?;
        let sizes = inst.operands_from(2);
        let modes = self.modes.entry(function).or_default();
        match (mode, sizes) {
            (ExecutionMode::LocalSize, &[x, y, z]) => modes.group_size = Some(group_size(inst, [x, y, z])?),
            (ExecutionMode::SubgroupSize, &[size]) => modes.subgroup_size = Some(size),
            (ExecutionMode::DenormFlushToZero, &[16]) => modes.flushed.half = true,
            (ExecutionMode::DenormFlushToZero, &[32]) => modes.flushed.single = true,
            (ExecutionMode::DenormFlushToZero, &[64]) => modes.flushed.double = true,
            (ExecutionMode::LocalSize | ExecutionMode::SubgroupSize | ExecutionMode::DenormFlushToZero, _) => {
                return Err(inst.error(Problem::Truncated));
            }
            (
                ExecutionMode::LocalSizeHint
                | ExecutionMode::VecTypeHint
                | ExecutionMode::ContractionOff
                | ExecutionMode::DenormPreserve
                | ExecutionMode::SignedZeroInfNanPreserve
                | ExecutionMode::RoundingModeRTE
                // What they ask of floats is how they are computed with anyway.
                | ExecutionMode::FloatingPointModeIEEEINTEL
                // What the author promises of launches, and asks of compilers for other devices.
                | ExecutionMode::MaxWorkgroupSizeINTEL
                | ExecutionMode::MaxWorkDimINTEL
                | ExecutionMode::NoGlobalOffsetINTEL
                | ExecutionMode::NumSIMDWorkitemsINTEL
                | ExecutionMode::SchedulerTargetFmaxMhzINTEL
                | ExecutionMode::StreamingInterfaceINTEL
                | ExecutionMode::RegisterMapInterfaceINTEL
                | ExecutionMode::MaximumRegistersINTEL
                | ExecutionMode::NamedMaximumRegistersINTEL
                // What may be contracted and reassociated, which is allowed, and not done.
                | ExecutionMode::FPFastMathDefault
                | ExecutionMode::MaximallyReconvergesKHR
                | ExecutionMode::SubgroupUniformControlFlowKHR
                | ExecutionMode::Initializer
                | ExecutionMode::Finalizer,
                _,
            ) => {}
            _ => return Err(inst.error(Problem::UnsupportedMode(format!("{mode:?}")))),
        }
        Ok(())
    }

    /// OpExecutionModeId.
    fn execution_mode_by_ids(&mut self, inst: &Instruction<'w>) -> Result<(), LoadError> {
        let number = inst.operand(1)?;
        let mode = ExecutionMode::from_u32(number)
            .ok_or_else(|| inst.error(Problem::UnknownEnumerant { what: "execution mode", value: number }))?;
        match mode {
            ExecutionMode::LocalSizeId => {
                let mut sizes = [0; 3];
                for (size, &id) in sizes.iter_mut().zip(inst.operands_from(2)) {
                    let value = self.constants.integer(id, &self.types);
                    let value = value.and_then(|value| u32::try_from(value).ok());
                    *size = value
                        .ok_or_else(|| inst.error(Problem::Expected { what: "an integer constant", id }))?;
                }
                if inst.operands.len() != 5 {
                    return Err(inst.error(Problem::Truncated));
                }
                self.modes.entry(inst.operand(0)?).or_default().group_size = Some(group_size(inst, sizes)?);
                Ok(())
            }
            ExecutionMode::LocalSizeHintId
            | ExecutionMode::MaximumRegistersIdINTEL
            | ExecutionMode::FPFastMathDefault => Ok(()),
            _ => Err(inst.error(Problem::UnsupportedMode(format!("{mode:?}")))),
        }
    }

    fn global(&mut self, inst: &Instruction<'w>) -> Result<(), LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (class, pointee) = self.types.pointer(inst.result_type).map_err(located)?;
        if inst.operand(0)? != class as u32 {
            return Err(inst.error(Problem::TypeMismatch("the storage class of a variable and of its type")));
        }
        if !self.types.contains(pointee) {
            return Err(inst.error(Problem::Expected { what: "a type", id: pointee }));
        }
        let initializer = inst.operands.get(1).copied();
        self.globals
            .insert(inst.result, Global { class, pointer_type: inst.result_type, pointee, initializer });
        self.global_order.push(inst.result);
        Ok(())
    }

    fn take_function(&mut self, instructions: &[Instruction<'w>]) -> Result<(), LoadError> {
        let function = Function::parse(instructions)?;
        let inst = &function.definition;
        let Type::Function { result, parameters } =
            self.types.get(function.ty).map_err(|error| inst.error(error.problem))?
        else {
            return Err(inst.error(Problem::Expected { what: "a function type", id: function.ty }));
        };
        if !parameters.iter().eq(function.parameters.iter().map(|(_, ty)| ty)) || *result != inst.result_type
        {
            return Err(inst.error(Problem::TypeMismatch("a function and its type")));
        }
        self.functions.insert(inst.result, function);
        Ok(())
    }

    fn check_entry_points(&mut self) -> Result<(), LoadError> {
        for entry in &mut self.entry_points {
            let id = entry.function;
            let modes = self.modes.get(&id).copied().unwrap_or_default();
            (entry.group_size, entry.subgroup_size) = (modes.group_size, modes.subgroup_size);
            entry.flushed = modes.flushed;
            let function = self.functions.get(&id).ok_or(Problem::Expected { what: "a function", id })?;
            let inst = &function.definition;
            if *self.types.get(inst.result_type)? != Type::Void {
                return Err(inst.error(Problem::Environment("a kernel must return void")));
            }
            if function.blocks.is_empty() {
                return Err(inst.error(Problem::Structure("a kernel without a body")));
            }
        }
        Ok(())
    }
}

/// The size that work-groups have to have. It may be one that they cannot have here: then there is nothing wrong with the other kernels of the module.
fn group_size(inst: &Instruction<'_>, size: [u32; 3]) -> Result<[u32; 3], LoadError> {
    let items = size.iter().map(|&size| u64::from(size)).fold(1, u64::saturating_mul);
    match items {
        0 => Err(inst.error(Problem::Environment("a work-group has at least one work-item"))),
        _ => Ok(size),
    }
}

fn check_memory_model(inst: &Instruction<'_>) -> Result<(), LoadError> {
    if inst.operand(0)? != AddressingModel::Physical64 as u32 {
        return Err(inst.error(Problem::Environment("the addressing model must be Physical64")));
    }
    if inst.operand(1)? != MemoryModel::OpenCL as u32 {
        return Err(inst.error(Problem::Environment("the memory model must be OpenCL")));
    }
    Ok(())
}

pub(crate) fn is_type(op: Op) -> bool {
    matches!(
        op,
        Op::TypeVoid
            | Op::TypeBool
            | Op::TypeInt
            | Op::TypeFloat
            | Op::TypeVector
            | Op::TypeArray
            | Op::TypeStruct
            | Op::TypePointer
            | Op::TypeFunction
            | Op::TypeOpaque
            | Op::TypeEvent
            | Op::TypeSampler
            | Op::TypeImage
            | Op::TypeSampledImage
            | Op::TypeCooperativeMatrixKHR
    )
}

fn is_annotation(op: Op) -> bool {
    matches!(
        op,
        Op::Name
            | Op::MemberName
            | Op::Decorate
            | Op::MemberDecorate
            | Op::DecorationGroup
            | Op::GroupDecorate
            | Op::GroupMemberDecorate
            | Op::DecorateId
            | Op::DecorateString
            | Op::MemberDecorateString
            | Op::Source
            | Op::SourceContinued
            | Op::SourceExtension
            | Op::String
            | Op::Line
            | Op::NoLine
            | Op::Nop
            | Op::ModuleProcessed
            | Op::ExtInst
            | Op::AliasDomainDeclINTEL
            | Op::AliasScopeDeclINTEL
            | Op::AliasScopeListDeclINTEL
    )
}
