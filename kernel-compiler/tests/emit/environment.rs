//! Every rule of the environment has a module that breaks it, and it alone.

use crate::builder::Builder;
use kernel_compiler::emit::emit;
use kernel_compiler::environment::{Rule, capabilities, check, extensions};
use kernel_compiler::ir::Op as IrOp;
use kernel_core::{FaultKind, Scalar};
use rspirv::dr::{Block, Function, Instruction, Module, Operand, load_words};
use rspirv::spirv::{
    self, AccessQualifier, Capability, Decoration, Dim, FunctionParameterAttribute, ImageOperands,
    LinkageType, LoadCacheControl, Op, Scope, StorageClass, StoreCacheControl, Word,
};
use std::collections::BTreeSet;

/// A kernel with an atomic, a barrier, a call of an extended instruction and arguments of most kinds.
fn valid() -> Module {
    let mut builder = Builder::kernel("valid");
    let x = builder.slice("x", Scalar::F32, true);
    let a = builder.scalar_parameter("a", Scalar::F32);
    let check = builder.site(FaultKind::IndexOutOfBounds);
    let i = builder.global_id();
    let root = builder.compute(Scalar::F32, IrOp::Math(kernel_compiler::ir::Math::Sqrt, vec![a]));
    let place = builder.element(x, i, check);
    builder.store(place, root);
    builder.barrier();
    load_words(emit(&builder.finish()).words).expect("the words are SPIR-V")
}

fn find(module: &mut Module, op: Op) -> &mut Instruction {
    module.all_inst_iter_mut().find(|instruction| instruction.class.opcode == op).expect("the opcode occurs")
}

fn set(op: Op, operand: usize, value: Operand) -> impl FnOnce(&mut Module) {
    move |module| find(module, op).operands[operand] = value
}

fn fresh(module: &mut Module) -> Word {
    let header = module.header.as_mut().expect("there is a header");
    header.bound += 1;
    header.bound - 1
}

fn declare(module: &mut Module, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
    let id = fresh(module);
    module.types_global_values.push(Instruction::new(op, ty, Some(id), operands));
    id
}

fn id_of(module: &mut Module, op: Op) -> Word {
    find(module, op).result_id.expect("the instruction has a result")
}

fn literal(value: u32) -> Operand {
    Operand::LiteralBit32(value)
}

/// The constant for a scope, as an operand.
fn scope(module: &mut Module, scope: Scope) -> Operand {
    let int = int32(module);
    Operand::IdScope(declare(module, Op::Constant, Some(int), vec![literal(scope as u32)]))
}

fn int32(module: &Module) -> Word {
    let is_int = |ty: &&Instruction| ty.class.opcode == Op::TypeInt && ty.operands[0] == literal(32);
    module.types_global_values.iter().find(is_int).and_then(|ty| ty.result_id).expect("i32 is declared")
}

/// The kernel, which comes after the functions that it calls.
fn kernel(module: &mut Module) -> &mut Function {
    module.functions.last_mut().expect("there is a kernel")
}

/// Appends an instruction to the first block of the kernel.
fn append(module: &mut Module, op: Op, operands: Vec<Operand>) {
    let block = &mut kernel(module).blocks[0];
    let end = block.instructions.len() - 1;
    block.instructions.insert(end, Instruction::new(op, None, None, operands));
}

/// Gives the kernel another parameter.
fn parameter(module: &mut Module, ty: Word) {
    let id = fresh(module);
    let parameter = Instruction::new(Op::FunctionParameter, Some(ty), Some(id), Vec::new());
    kernel(module).parameters.push(parameter);
}

/// Declares an image that the environment takes, but for one operand.
fn image(operand: usize, value: Operand) -> impl FnOnce(&mut Module) {
    move |module| {
        let void = id_of(module, Op::TypeVoid);
        let mut operands = vec![
            Operand::IdRef(void),
            Operand::Dim(Dim::Dim2D),
            literal(0),
            literal(0),
            literal(0),
            literal(0),
            Operand::ImageFormat(spirv::ImageFormat::Unknown),
            Operand::AccessQualifier(AccessQualifier::ReadOnly),
        ];
        operands[operand] = value;
        declare(module, Op::TypeImage, None, operands);
    }
}

#[track_caller]
fn breaks(rule: Rule, change: impl FnOnce(&mut Module)) {
    let mut module = valid();
    assert_eq!(check(&module), [], "the module is valid before the change");
    change(&mut module);
    let broken: Vec<_> = check(&module).into_iter().map(|violation| violation.rule).collect();
    assert!(
        !broken.is_empty() && broken.iter().all(|&other| other == rule),
        "{rule:?} alone, not {broken:?}"
    );
}

#[test]
fn entry_points_are_kernels() {
    let model = Operand::ExecutionModel(spirv::ExecutionModel::GLCompute);
    breaks(Rule::ExecutionModel, set(Op::EntryPoint, 0, model));
}

#[test]
fn addressing_is_physical64() {
    let model = Operand::AddressingModel(spirv::AddressingModel::Physical32);
    breaks(Rule::AddressingModel, set(Op::MemoryModel, 0, model));
}

#[test]
fn memory_model_is_opencl() {
    let model = Operand::MemoryModel(spirv::MemoryModel::GLSL450);
    breaks(Rule::MemoryModel, set(Op::MemoryModel, 1, model));
}

#[test]
fn extended_instructions_are_those_of_opencl() {
    let name = Operand::LiteralString("GLSL.std.450".to_owned());
    breaks(Rule::ExtendedInstructionSet, set(Op::ExtInstImport, 0, name));
}

#[test]
fn capabilities_are_named() {
    breaks(Rule::Capability, set(Op::Capability, 0, Operand::Capability(Capability::Shader)));
}

#[test]
fn extensions_are_named() {
    breaks(Rule::Extension, |module| declare_extension(module, "SPV_KHR_expect_assume"));
    let mut module = valid();
    declare_extension(&mut module, "SPV_INTEL_subgroups");
    assert_eq!(check(&module), []);
}

fn declare_extension(module: &mut Module, name: &str) {
    let name = vec![Operand::LiteralString(name.to_owned())];
    module.extensions.push(Instruction::new(Op::Extension, None, None, name));
}

#[test]
fn extensions_are_declared_with_their_capabilities() {
    for (capability, _) in capabilities() {
        let declare = |module: &mut Module| {
            let operands = vec![Operand::Capability(capability)];
            module.capabilities.push(Instruction::new(Op::Capability, None, None, operands));
        };
        let is_of_extension =
            format!("{capability:?}").ends_with("EXT") || format!("{capability:?}").ends_with("INTEL");
        if is_of_extension {
            breaks(Rule::ExtensionOfCapability, declare);
        }
        let mut module = valid();
        declare(&mut module);
        extensions().for_each(|name| declare_extension(&mut module, name));
        assert_eq!(check(&module), [], "{capability:?}");
    }
}

#[test]
fn integers_have_no_sign() {
    breaks(Rule::IntegerSignedness, set(Op::TypeInt, 1, literal(1)));
}

#[test]
fn integers_have_supported_widths() {
    breaks(Rule::IntegerWidth, |module| {
        declare(module, Op::TypeInt, None, vec![literal(24), literal(0)]);
    });
}

#[test]
fn floats_have_supported_widths() {
    breaks(Rule::FloatWidth, |module| {
        declare(module, Op::TypeFloat, None, vec![literal(128)]);
    });
}

#[test]
fn vectors_are_of_scalars() {
    breaks(Rule::VectorComponent, |module| {
        let pointer = id_of(module, Op::TypePointer);
        declare(module, Op::TypeVector, None, vec![Operand::IdRef(pointer), literal(2)]);
    });
}

#[test]
fn vectors_have_supported_counts() {
    breaks(Rule::VectorCount, set(Op::TypeVector, 1, literal(5)));
}

#[test]
fn types_are_supported() {
    breaks(Rule::SupportedType, |module| {
        let float = id_of(module, Op::TypeFloat);
        declare(module, Op::TypeRuntimeArray, None, vec![Operand::IdRef(float)]);
    });
}

#[test]
fn kernels_return_nothing() {
    breaks(Rule::KernelResult, |module| {
        let float = id_of(module, Op::TypeFloat);
        kernel(module).def.as_mut().expect("the kernel is defined").result_type = Some(float);
    });
}

#[test]
fn kernels_take_no_bool() {
    breaks(Rule::KernelArgumentType, |module| {
        let bool = id_of(module, Op::TypeBool);
        parameter(module, bool);
    });
}

#[test]
fn kernels_take_no_double() {
    breaks(Rule::KernelArgumentFloat, |module| {
        let double = declare(module, Op::TypeFloat, None, vec![literal(64)]);
        parameter(module, double);
    });
}

#[test]
fn kernels_take_no_struct_with_a_bool() {
    breaks(Rule::KernelArgumentStruct, |module| {
        let bool = id_of(module, Op::TypeBool);
        let inner = declare(module, Op::TypeStruct, None, vec![Operand::IdRef(bool)]);
        let outer = declare(module, Op::TypeStruct, None, vec![Operand::IdRef(inner)]);
        parameter(module, outer);
    });
}

#[test]
fn a_struct_in_itself_ends_the_check() {
    breaks(Rule::KernelArgumentStruct, |module| {
        let bool = id_of(module, Op::TypeBool);
        let id = declare(module, Op::TypeStruct, None, Vec::new());
        let operands = vec![Operand::IdRef(id), Operand::IdRef(bool)];
        module.types_global_values.last_mut().expect("the struct is declared").operands = operands;
        parameter(module, id);
    });
}

#[test]
fn kernels_take_no_private_pointer() {
    breaks(Rule::KernelArgumentPointer, |module| {
        let float = id_of(module, Op::TypeFloat);
        let class = Operand::StorageClass(StorageClass::Generic);
        let pointer = declare(module, Op::TypePointer, None, vec![class, Operand::IdRef(float)]);
        parameter(module, pointer);
    });
}

/// A parameter that is a private pointer to a struct of one integer.
fn struct_pointer(module: &mut Module) -> Word {
    let int = int32(module);
    let pointee = declare(module, Op::TypeStruct, None, vec![Operand::IdRef(int)]);
    let class = Operand::StorageClass(StorageClass::Function);
    let pointer = declare(module, Op::TypePointer, None, vec![class, Operand::IdRef(pointee)]);
    parameter(module, pointer);
    let kernel = module.functions.iter_mut().max_by_key(|function| function.parameters.len());
    let parameter = kernel.and_then(|kernel| kernel.parameters.last()).expect("it has been added");
    parameter.result_id.expect("a parameter has an id")
}

#[test]
fn private_pointers_are_structs_by_value() {
    breaks(Rule::KernelArgumentPointer, |module| {
        struct_pointer(module);
    });
    let mut module = valid();
    let id = struct_pointer(&mut module);
    let operands = vec![
        Operand::IdRef(id),
        Operand::Decoration(Decoration::FuncParamAttr),
        Operand::FunctionParameterAttribute(FunctionParameterAttribute::ByVal),
    ];
    module.annotations.push(Instruction::new(Op::Decorate, None, None, operands));
    assert_eq!(check(&module), []);
}

#[test]
fn calls_have_no_cycle() {
    breaks(Rule::Recursion, |module| {
        let void = id_of(module, Op::TypeVoid);
        let ty = declare(module, Op::TypeFunction, None, vec![Operand::IdRef(void)]);
        let [first, second] = [fresh(module), fresh(module)];
        for (caller, callee) in [(first, second), (second, first)] {
            let function = function_that_calls(module, void, ty, caller, callee);
            module.functions.push(function);
        }
    });
}

fn function_that_calls(module: &mut Module, void: Word, ty: Word, caller: Word, callee: Word) -> Function {
    let [label, call] = [fresh(module), fresh(module)];
    let definition = vec![Operand::FunctionControl(spirv::FunctionControl::NONE), Operand::IdRef(ty)];
    let call = Instruction::new(Op::FunctionCall, Some(void), Some(call), vec![Operand::IdRef(callee)]);
    Function {
        def: Some(Instruction::new(Op::Function, Some(void), Some(caller), definition)),
        end: Some(Instruction::new(Op::FunctionEnd, None, None, Vec::new())),
        parameters: Vec::new(),
        blocks: vec![Block {
            label: Some(Instruction::new(Op::Label, None, Some(label), Vec::new())),
            instructions: vec![call, Instruction::new(Op::Return, None, None, Vec::new())],
        }],
    }
}

/// Points the atomic of the fault record to something else.
fn atomic_at(class: StorageClass, pointee: impl FnOnce(&mut Module) -> Word) -> impl FnOnce(&mut Module) {
    move |module| {
        let pointee = pointee(module);
        let operands = vec![Operand::StorageClass(class), Operand::IdRef(pointee)];
        let pointer = declare(module, Op::TypePointer, None, operands);
        let variable = declare(module, Op::Undef, Some(pointer), Vec::new());
        find(module, Op::AtomicIAdd).operands[0] = Operand::IdRef(variable);
    }
}

#[test]
fn atomics_are_on_wide_integers() {
    let short = |module: &mut Module| declare(module, Op::TypeInt, None, vec![literal(16), literal(0)]);
    breaks(Rule::AtomicType, atomic_at(StorageClass::CrossWorkgroup, short));
}

#[test]
fn integer_atomics_are_not_on_floats() {
    let float = |module: &mut Module| id_of(module, Op::TypeFloat);
    breaks(Rule::AtomicType, atomic_at(StorageClass::CrossWorkgroup, float));
}

#[test]
fn atomics_are_not_on_constant_memory() {
    breaks(Rule::AtomicPointer, atomic_at(StorageClass::UniformConstant, |module| int32(module)));
}

/// Declares what block accesses need, and appends a write of a value of a type through a pointer to such.
fn block_write(class: StorageClass, data: impl Fn(&mut Module) -> (Word, Word)) -> impl FnOnce(&mut Module) {
    move |module| {
        let capability = Operand::Capability(Capability::SubgroupBufferBlockIOINTEL);
        module.capabilities.push(Instruction::new(Op::Capability, None, None, vec![capability]));
        let extension = Operand::LiteralString("SPV_INTEL_subgroups".to_owned());
        module.extensions.push(Instruction::new(Op::Extension, None, None, vec![extension]));
        let (element, data) = data(module);
        let operands = vec![Operand::StorageClass(class), Operand::IdRef(element)];
        let pointer = declare(module, Op::TypePointer, None, operands);
        let pointer = declare(module, Op::Undef, Some(pointer), Vec::new());
        let data = declare(module, Op::Undef, Some(data), Vec::new());
        append(module, Op::SubgroupBlockWriteINTEL, vec![Operand::IdRef(pointer), Operand::IdRef(data)]);
    }
}

/// A vector of so many components.
fn vector(module: &mut Module, component: Word, count: u32) -> (Word, Word) {
    let operands = vec![Operand::IdRef(component), literal(count)];
    (component, declare(module, Op::TypeVector, None, operands))
}

#[test]
fn blocks_are_of_integers_of_16_or_32_bits() {
    for count in [2, 4, 8] {
        let mut module = valid();
        let of_ints = |module: &mut Module| vector(module, int32(module), count);
        block_write(StorageClass::CrossWorkgroup, of_ints)(&mut module);
        assert_eq!(check(&module), []);
    }
    let of_three = |module: &mut Module| vector(module, int32(module), 3);
    breaks(Rule::BlockData, block_write(StorageClass::CrossWorkgroup, of_three));
    let of_floats = |module: &mut Module| (id_of(module, Op::TypeFloat), id_of(module, Op::TypeFloat));
    breaks(Rule::BlockData, block_write(StorageClass::CrossWorkgroup, of_floats));
    let of_bytes = |module: &mut Module| {
        let byte = declare(module, Op::TypeInt, None, vec![literal(8), literal(0)]);
        (byte, byte)
    };
    breaks(Rule::BlockData, block_write(StorageClass::CrossWorkgroup, of_bytes));
}

#[test]
fn blocks_are_in_global_memory() {
    let of_ints = |module: &mut Module| (int32(module), int32(module));
    breaks(Rule::BlockPointer, block_write(StorageClass::Workgroup, of_ints));
}

/// Tells the caches something of the pointer of the store.
fn cache_control(decoration: Decoration, control: Operand) -> impl FnOnce(&mut Module) {
    move |module| {
        let capability = vec![Operand::Capability(Capability::CacheControlsINTEL)];
        module.capabilities.push(Instruction::new(Op::Capability, None, None, capability));
        declare_extension(module, "SPV_INTEL_cache_controls");
        let pointer = find(module, Op::InBoundsPtrAccessChain).result_id.expect("it is a pointer");
        let operands = vec![Operand::IdRef(pointer), Operand::Decoration(decoration), literal(1), control];
        module.annotations.push(Instruction::new(Op::Decorate, None, None, operands));
    }
}

fn store_control(module: &mut Module) {
    let control = Operand::StoreCacheControl(StoreCacheControl::WriteBackINTEL);
    cache_control(Decoration::CacheControlStoreINTEL, control)(module);
}

#[test]
fn cache_controls_are_of_pointers_that_go_through_caches() {
    let mut module = valid();
    store_control(&mut module);
    cache_control(
        Decoration::CacheControlLoadINTEL,
        Operand::LoadCacheControl(LoadCacheControl::ConstCachedINTEL),
    )(&mut module);
    assert_eq!(check(&module), []);
    for class in [StorageClass::Workgroup, StorageClass::UniformConstant] {
        breaks(Rule::CacheControlPointer, |module| {
            store_control(module);
            let int = int32(module);
            let ty = declare(
                module,
                Op::TypePointer,
                None,
                vec![Operand::StorageClass(class), Operand::IdRef(int)],
            );
            let pointer = declare(module, Op::ConstantNull, Some(ty), Vec::new());
            module.annotations.last_mut().expect("it was added").operands[0] = Operand::IdRef(pointer);
        });
    }
    breaks(Rule::CacheControlPointer, |module| {
        store_control(module);
        let float = id_of(module, Op::TypeFloat);
        let number = declare(module, Op::ConstantNull, Some(float), Vec::new());
        module.annotations.last_mut().expect("it was added").operands[0] = Operand::IdRef(number);
    });
}

#[test]
fn a_level_of_cache_is_told_once() {
    breaks(Rule::CacheControlLevel, |module| {
        store_control(module);
        let again = module.annotations.last().cloned();
        module.annotations.extend(again);
    });
}

#[test]
fn float_atomics_are_on_shared_memory() {
    let float = |module: &mut Module| id_of(module, Op::TypeFloat);
    let update = |class| {
        move |module: &mut Module| {
            atomic_at(class, float)(module);
            let atomic = find(module, Op::AtomicIAdd);
            *atomic = Instruction::new(
                Op::AtomicFAddEXT,
                atomic.result_type,
                atomic.result_id,
                atomic.operands.clone(),
            );
        }
    };
    breaks(Rule::FloatAtomicPointer, update(StorageClass::Function));
    breaks(Rule::FloatAtomicPointer, update(StorageClass::Generic));
    breaks(Rule::AtomicPointer, update(StorageClass::UniformConstant));
    for class in [StorageClass::Workgroup, StorageClass::CrossWorkgroup] {
        let mut module = valid();
        update(class)(&mut module);
        assert_eq!(check(&module), [], "{class:?}");
    }
}

/// Shuffles a value of a type.
fn shuffle(op: Op, ty: impl FnOnce(&mut Module) -> Word) -> impl FnOnce(&mut Module) {
    move |module| {
        let ty = ty(module);
        let [data, id] = [fresh(module), fresh(module)];
        append(module, op, vec![Operand::IdRef(data), Operand::IdRef(data)]);
        let shuffle = find(module, op);
        (shuffle.result_type, shuffle.result_id) = (Some(ty), Some(id));
    }
}

#[test]
fn shuffles_are_of_named_types() {
    let scalar = |op, width: u32| {
        move |module: &mut Module| match op {
            Op::TypeInt => declare(module, op, None, vec![literal(width), literal(0)]),
            _ => declare(module, op, None, vec![literal(width)]),
        }
    };
    let vector = |op, width, count: u32| {
        move |module: &mut Module| {
            let component = scalar(op, width)(module);
            declare(module, Op::TypeVector, None, vec![Operand::IdRef(component), literal(count)])
        }
    };
    breaks(Rule::ShuffleType, shuffle(Op::SubgroupShuffleINTEL, scalar(Op::TypeInt, 8)));
    breaks(Rule::ShuffleType, shuffle(Op::SubgroupShuffleUpINTEL, |module| id_of(module, Op::TypeBool)));
    breaks(Rule::ShuffleType, shuffle(Op::SubgroupShuffleDownINTEL, vector(Op::TypeInt, 64, 2)));
    breaks(Rule::ShuffleType, shuffle(Op::SubgroupShuffleXorINTEL, vector(Op::TypeFloat, 32, 3)));
    breaks(Rule::ShuffleType, shuffle(Op::SubgroupShuffleINTEL, vector(Op::TypeFloat, 16, 2)));
    for taken in [(Op::TypeInt, 16), (Op::TypeInt, 64), (Op::TypeFloat, 16), (Op::TypeFloat, 64)] {
        let mut module = valid();
        shuffle(Op::SubgroupShuffleINTEL, scalar(taken.0, taken.1))(&mut module);
        assert_eq!(check(&module), [], "{taken:?}");
    }
    for taken in [(Op::TypeInt, 16, 16), (Op::TypeInt, 32, 2), (Op::TypeFloat, 32, 8)] {
        let mut module = valid();
        shuffle(Op::SubgroupShuffleINTEL, vector(taken.0, taken.1, taken.2))(&mut module);
        assert_eq!(check(&module), [], "{taken:?}");
    }
}

#[test]
fn asynchronous_copies_are_of_the_work_group() {
    breaks(Rule::CopyScope, |module| {
        let subgroup = scope(module, Scope::Subgroup);
        append(module, Op::GroupWaitEvents, vec![subgroup]);
    });
}

#[test]
fn barriers_are_of_work_group_or_subgroup() {
    breaks(Rule::ExecutionScope, |module| {
        let device = scope(module, Scope::Device);
        find(module, Op::ControlBarrier).operands[0] = device;
    });
}

#[test]
fn barriers_order_memory_of_a_named_scope() {
    breaks(Rule::MemoryScope, |module| {
        let family = scope(module, Scope::QueueFamily);
        find(module, Op::ControlBarrier).operands[1] = family;
    });
}

#[test]
fn atomics_have_a_named_scope() {
    breaks(Rule::MemoryScope, |module| {
        let family = scope(module, Scope::QueueFamily);
        find(module, Op::AtomicIAdd).operands[1] = family;
    });
}

#[test]
fn images_are_sampled_as_void() {
    breaks(Rule::ImageSampledType, |module| {
        let float = id_of(module, Op::TypeFloat);
        image(0, Operand::IdRef(float))(module);
    });
}

#[test]
fn images_leave_sampling_open() {
    breaks(Rule::ImageSampled, image(5, literal(1)));
}

#[test]
fn images_are_single_sampled() {
    breaks(Rule::ImageMultisampled, image(4, literal(1)));
}

#[test]
fn images_in_3d_are_not_arrayed() {
    breaks(Rule::ImageArrayed, |module| {
        image(1, Operand::Dim(Dim::Dim3D))(module);
        find(module, Op::TypeImage).operands[3] = literal(1);
    });
}

#[test]
fn images_have_supported_dimensions() {
    breaks(Rule::ImageDimensions, image(1, Operand::Dim(Dim::DimCube)));
    breaks(Rule::ImageDimensions, |module| {
        image(1, Operand::Dim(Dim::Dim1D))(module);
        find(module, Op::TypeImage).operands[2] = literal(1);
    });
}

#[test]
fn images_have_no_format() {
    breaks(Rule::ImageFormat, image(6, Operand::ImageFormat(spirv::ImageFormat::Rgba8)));
}

#[test]
fn images_say_how_they_are_accessed() {
    breaks(Rule::ImageAccess, |module| {
        image(2, literal(0))(module);
        find(module, Op::TypeImage).operands.pop();
    });
}

/// An instruction that reads or writes an image, with image operands.
fn access(op: Op, ids: usize, operands: ImageOperands) -> impl FnOnce(&mut Module) {
    move |module| {
        let id = int32(module);
        let mut all = vec![Operand::IdRef(id); ids];
        all.extend([Operand::ImageOperands(operands), Operand::IdRef(id)]);
        append(module, op, all);
    }
}

#[test]
fn image_writes_are_plain() {
    breaks(Rule::ImageWriteOperands, access(Op::ImageWrite, 3, ImageOperands::LOD));
}

#[test]
fn image_reads_have_no_offset() {
    breaks(Rule::ImageReadOffset, access(Op::ImageRead, 2, ImageOperands::CONST_OFFSET));
    breaks(Rule::ImageReadOffset, access(Op::ImageSampleExplicitLod, 2, ImageOperands::CONST_OFFSET));
}

#[test]
fn codes_are_unique() {
    let codes: BTreeSet<_> = Rule::ALL.iter().map(|rule| rule.code()).collect();
    assert_eq!(codes.len(), Rule::ALL.len());
}

#[test]
fn a_violation_says_rule_section_and_instruction() {
    let mut module = valid();
    set(Op::TypeVector, 1, literal(5))(&mut module);
    let text = check(&module)[0].to_string();
    assert!(
        text.starts_with("ENV10 (Basic Scalar and Vector Types): Vectors have 2, 3, 4, 8 or 16 components.")
    );
    assert!(text.contains("OpTypeVector"), "{text}");
}

/// Declares what blocks of images need, and appends a write of a number to an image with these operands of its type, at coordinates of a type.
fn image_block(image: [u32; 4], coordinate: impl Fn(&mut Module) -> Word) -> impl FnOnce(&mut Module) {
    move |module| {
        for capability in
            [Capability::ImageBasic, Capability::Sampled1D, Capability::SubgroupImageBlockIOINTEL]
        {
            let capability = vec![Operand::Capability(capability)];
            module.capabilities.push(Instruction::new(Op::Capability, None, None, capability));
        }
        declare_extension(module, "SPV_INTEL_subgroups");
        let void = id_of(module, Op::TypeVoid);
        let [dimension, depth, arrayed, samples] = image;
        let dimension = spirv::Dim::from_u32(dimension).expect("a dimension");
        let mut operands = vec![Operand::IdRef(void), Operand::Dim(dimension)];
        operands.extend([depth, arrayed, samples, 0].map(literal));
        operands.push(Operand::ImageFormat(spirv::ImageFormat::Unknown));
        operands.push(Operand::AccessQualifier(spirv::AccessQualifier::WriteOnly));
        let ty = declare(module, Op::TypeImage, None, operands);
        let image = declare(module, Op::Undef, Some(ty), Vec::new());
        let coordinate = coordinate(module);
        let coordinate = declare(module, Op::Undef, Some(coordinate), Vec::new());
        let int = int32(module);
        let data = declare(module, Op::Undef, Some(int), Vec::new());
        let operands = [image, coordinate, data].map(Operand::IdRef).to_vec();
        append(module, Op::SubgroupImageBlockWriteINTEL, operands);
    }
}

/// The type of two integers.
fn pair(module: &mut Module) -> Word {
    let int = int32(module);
    vector(module, int, 2).1
}

#[test]
fn image_blocks_are_of_plain_2d_images() {
    let mut module = valid();
    image_block([1, 0, 0, 0], pair)(&mut module);
    assert_eq!(check(&module), []);
    for image in [[0, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]] {
        breaks(Rule::BlockImage, image_block(image, pair));
    }
    let mut module = valid();
    image_block([1, 0, 0, 1], pair)(&mut module);
    let rules: Vec<Rule> = check(&module).into_iter().map(|violation| violation.rule).collect();
    assert!(rules.contains(&Rule::BlockImage) && rules.contains(&Rule::ImageMultisampled), "{rules:?}");
}

#[test]
fn image_blocks_are_at_two_integers() {
    breaks(Rule::BlockCoordinate, image_block([1, 0, 0, 0], |module| int32(module)));
    let three = |module: &mut Module| {
        let int = int32(module);
        vector(module, int, 3).1
    };
    breaks(Rule::BlockCoordinate, image_block([1, 0, 0, 0], three));
    let floats = |module: &mut Module| {
        let float = id_of(module, Op::TypeFloat);
        vector(module, float, 2).1
    };
    breaks(Rule::BlockCoordinate, image_block([1, 0, 0, 0], floats));
}

/// Decorates the function with this position as linked.
fn link(module: &mut Module, function: usize, how: LinkageType) {
    let id = module.functions[function].def_id().expect("a function has an id");
    let operands = vec![
        Operand::IdRef(id),
        Operand::Decoration(Decoration::LinkageAttributes),
        Operand::LiteralString("linked".to_owned()),
        Operand::LinkageType(how),
    ];
    module.annotations.push(Instruction::new(Op::Decorate, None, None, operands));
}

/// Adds a function without a body, which returns and takes nothing.
fn add_declaration(module: &mut Module) {
    let void = id_of(module, Op::TypeVoid);
    let ty = declare(module, Op::TypeFunction, None, vec![Operand::IdRef(void)]);
    let id = fresh(module);
    let control = Operand::FunctionControl(spirv::FunctionControl::NONE);
    let def = Instruction::new(Op::Function, Some(void), Some(id), vec![control, Operand::IdRef(ty)]);
    let end = Instruction::new(Op::FunctionEnd, None, None, Vec::new());
    let function = Function { def: Some(def), end: Some(end), parameters: Vec::new(), blocks: Vec::new() };
    module.functions.insert(0, function);
}

fn add_linkage_capability(module: &mut Module) {
    let operands = vec![Operand::Capability(Capability::Linkage)];
    module.capabilities.push(Instruction::new(Op::Capability, None, None, operands));
}

#[test]
fn linkage_needs_its_capability() {
    let import = |module: &mut Module| {
        add_declaration(module);
        link(module, 0, LinkageType::Import);
    };
    breaks(Rule::LinkageCapability, import);
    let mut module = valid();
    import(&mut module);
    add_linkage_capability(&mut module);
    assert_eq!(check(&module), []);
}

#[test]
fn what_has_no_body_is_imported_and_nothing_else() {
    breaks(Rule::ImportedBody, add_declaration);
    breaks(Rule::ImportedBody, |module| {
        add_linkage_capability(module);
        add_declaration(module);
        link(module, 0, LinkageType::Export);
    });
    breaks(Rule::ImportedBody, |module| {
        add_linkage_capability(module);
        add_declaration(module);
        let void = module.functions[0].def.clone();
        let mut body = module.functions.last().expect("there is the kernel").clone();
        body.def = void;
        body.parameters.clear();
        let label = fresh(module);
        body.blocks = vec![Block {
            label: Some(Instruction::new(Op::Label, None, Some(label), Vec::new())),
            instructions: vec![Instruction::new(Op::Return, None, None, Vec::new())],
        }];
        module.functions[0] = body;
        link(module, 0, LinkageType::Import);
    });
}

#[test]
fn kernels_are_not_linked() {
    breaks(Rule::LinkedKernel, |module| {
        add_linkage_capability(module);
        let kernel = module.functions.len() - 1;
        link(module, kernel, LinkageType::Export);
    });
}
