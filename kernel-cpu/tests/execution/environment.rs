//! Each rule of the Level Zero SPIR-V environment that a foreign module can break: the module is refused, with a build log that says why.
//!
//! What has a meaning all the same is taken: integers with a sign, which some front ends have; doubles as arguments, which the guide leaves to devices
//! with optional features; types that nothing uses.

use crate::driver::Gpu;
use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Module, Operand, load_bytes};
use spirv::{
    AccessQualifier, AddressingModel, Capability, Decoration, Dim, ExecutionModel, ImageFormat,
    ImageOperands, MemoryModel, Op, StorageClass, Word,
};

const EVERYTHING: &[u8] = include_bytes!("../modules/environment.spv");

fn everything() -> Module {
    load_bytes(EVERYTHING).expect("it is SPIR-V")
}

/// The first instruction with an opcode.
fn find(module: &mut Module, op: Op) -> &mut Instruction {
    module.all_inst_iter_mut().find(|instruction| instruction.class.opcode == op).expect("the opcode occurs")
}

/// The result of the first instruction with an opcode that satisfies a condition.
fn result(module: &Module, op: Op, holds: impl Fn(&Instruction) -> bool) -> Word {
    let mut all = module.all_inst_iter().filter(|instruction| instruction.class.opcode == op);
    all.find(|instruction| holds(instruction))
        .and_then(|instruction| instruction.result_id)
        .expect("it is there")
}

fn set(op: Op, operand: usize, value: Operand) -> impl FnOnce(&mut Module) {
    move |module| find(module, op).operands[operand] = value
}

fn image(operand: usize, value: u32) -> impl FnOnce(&mut Module) {
    set(Op::TypeImage, operand, Operand::LiteralBit32(value))
}

/// Declares a type after the others, and the id that it gets.
fn declare(module: &mut Module, op: Op, operands: Vec<Operand>) -> Word {
    let header = module.header.as_mut().expect("there is a header");
    header.bound += 1;
    let id = header.bound - 1;
    let place = module.types_global_values.iter().position(|ty| ty.class.opcode == Op::TypeFunction);
    module
        .types_global_values
        .insert(place.expect("there is a function type"), Instruction::new(op, None, Some(id), operands));
    id
}

/// Gives the kernel's first parameter another type.
fn first_parameter(module: &mut Module, ty: Word) {
    find(module, Op::TypeFunction).operands[1] = Operand::IdRef(ty);
    let kernel = module.functions.last_mut().expect("there is a kernel");
    kernel.parameters[0].result_type = Some(ty);
    kernel.blocks[0].instructions.retain(|instruction| instruction.class.opcode != Op::AtomicIAdd);
}

/// Points the atomic to memory of another class.
fn atomic_pointer(class: StorageClass) -> impl FnOnce(&mut Module) {
    move |module| {
        let int = result(module, Op::TypeInt, |ty| ty.operands[0] == Operand::LiteralBit32(32));
        let pointer =
            declare(module, Op::TypePointer, vec![Operand::StorageClass(class), Operand::IdRef(int)]);
        find(module, Op::TypeFunction).operands[1] = Operand::IdRef(pointer);
        module.functions.last_mut().expect("there is a kernel").parameters[0].result_type = Some(pointer);
    }
}

/// Points the atomic to numbers of another type.
fn atomic_type(op: Op, operands: Vec<Operand>) -> impl FnOnce(&mut Module) {
    move |module| {
        let ty = declare(module, op, operands);
        let class = Operand::StorageClass(StorageClass::CrossWorkgroup);
        let pointer = declare(module, Op::TypePointer, vec![class, Operand::IdRef(ty)]);
        find(module, Op::TypeFunction).operands[1] = Operand::IdRef(pointer);
        module.functions.last_mut().expect("there is a kernel").parameters[0].result_type = Some(pointer);
        find(module, Op::AtomicIAdd).result_type = Some(ty);
    }
}

/// Adds an image operand to an instruction.
fn image_operand(op: Op, operand: ImageOperands) -> impl FnOnce(&mut Module) {
    move |module| {
        let origin = result(module, Op::ConstantNull, |_| true);
        let instruction = find(module, op);
        instruction.operands.truncate(if op == Op::ImageWrite { 3 } else { 2 });
        instruction.operands.extend([Operand::ImageOperands(operand), Operand::IdRef(origin)]);
    }
}

fn bytes(module: &Module) -> Vec<u8> {
    module.assemble().into_iter().flat_map(u32::to_ne_bytes).collect()
}

/// The module with one change is refused for this reason.
#[track_caller]
fn refused(reason: &str, change: impl FnOnce(&mut Module)) {
    let mut module = everything();
    change(&mut module);
    let log = Gpu::new().module(&bytes(&module)).expect_err("the module is refused");
    assert!(log.contains("MODULE_BUILD_FAILURE") && log.contains(reason), "{log}");
}

#[test]
fn the_module_is_taken_as_it_is() {
    Gpu::new().module(EVERYTHING).unwrap();
}

#[test]
fn models_are_those_of_kernels() {
    let model = Operand::ExecutionModel(ExecutionModel::GLCompute);
    refused("the execution model must be Kernel", set(Op::EntryPoint, 0, model));
    let model = Operand::AddressingModel(AddressingModel::Physical32);
    refused("the addressing model must be Physical64", set(Op::MemoryModel, 0, model));
    refused(
        "the memory model must be OpenCL",
        set(Op::MemoryModel, 1, Operand::MemoryModel(MemoryModel::GLSL450)),
    );
}

#[test]
fn capabilities_and_extensions_are_known() {
    refused("Geometry is not supported", set(Op::Capability, 0, Operand::Capability(Capability::Geometry)));
    refused("SPV_KHR_ray_query is not supported", |module| {
        let name = vec![Operand::LiteralString("SPV_KHR_ray_query".to_owned())];
        module.extensions.push(Instruction::new(Op::Extension, None, None, name));
    });
    refused("GLSL.std.450 is not supported", |module| {
        let name = vec![Operand::LiteralString("GLSL.std.450".to_owned())];
        module.ext_inst_imports.push(Instruction::new(Op::ExtInstImport, None, Some(1), name));
        let header = module.header.as_mut().expect("there is a header");
        header.bound += 1;
        let id = header.bound - 1;
        module.ext_inst_imports[0].result_id = Some(id);
    });
}

/// Decorates the pointer of the atomic.
fn control(decoration: Decoration, level: u32, control: u32) -> impl Fn(&mut Module) {
    move |module| {
        let capability = vec![Operand::Capability(Capability::CacheControlsINTEL)];
        module.capabilities.push(Instruction::new(Op::Capability, None, None, capability));
        let name = vec![Operand::LiteralString("SPV_INTEL_cache_controls".to_owned())];
        module.extensions.push(Instruction::new(Op::Extension, None, None, name));
        let details = [level, control].map(Operand::LiteralBit32);
        let pointer = find(module, Op::AtomicIAdd).operands[0].clone();
        let operands = [pointer, Operand::Decoration(decoration)].into_iter().chain(details).collect();
        module.annotations.push(Instruction::new(Op::Decorate, None, None, operands));
    }
}

#[test]
fn caches_are_told_what_they_can_do_once() {
    let [load, store] = [Decoration::CacheControlLoadINTEL, Decoration::CacheControlStoreINTEL];
    let mut module = everything();
    for (kind, level, number) in [(load, 0, 4), (load, 1, 0), (store, 0, 3), (store, 7, 1)] {
        control(kind, level, number)(&mut module);
    }
    Gpu::new().module(&bytes(&module)).unwrap();
    refused("there is no cache control 5", control(load, 0, 5));
    refused("there is no cache control 4", control(store, 0, 4));
    refused("a pointer has one control of loads and one of stores for each level", |module| {
        control(store, 1, 2)(module);
        control(store, 1, 2)(module);
    });
    refused("the instruction has too few words", |module| {
        control(load, 0, 0)(module);
        module.annotations.last_mut().expect("it has been added").operands.pop();
    });
}

#[test]
fn versions_are_those_of_the_device() {
    for (major, minor) in [(1, 7), (2, 0), (0, 9)] {
        refused(&format!("SPIR-V {major}.{minor} is not supported"), |module| {
            module.header.as_mut().expect("there is a header").set_version(major, minor);
        });
    }
}

#[test]
fn types_are_supported() {
    let width = Operand::LiteralBit32(24);
    refused("the width of an integer must be 8, 16, 32 or 64", |module| {
        declare(module, Op::TypeInt, vec![width.clone(), Operand::LiteralBit32(0)]);
    });
    refused("the width of a float must be 16, 32 or 64", |module| {
        declare(module, Op::TypeFloat, vec![width]);
    });
    refused("component count is out of range: 5", |module| {
        let float = result(module, Op::TypeFloat, |_| true);
        declare(module, Op::TypeVector, vec![Operand::IdRef(float), Operand::LiteralBit32(5)]);
    });
    refused("is not a scalar type", |module| {
        let vector = result(module, Op::TypeVector, |_| true);
        declare(module, Op::TypeVector, vec![Operand::IdRef(vector), Operand::LiteralBit32(2)]);
    });
}

#[test]
fn kernels_have_the_signatures_of_the_environment() {
    refused("a kernel must return void", |module| {
        let int = result(module, Op::TypeInt, |_| true);
        find(module, Op::TypeFunction).operands[0] = Operand::IdRef(int);
        module.functions[1].def.as_mut().expect("the kernel is defined").result_type = Some(int);
    });
    refused("the type of a kernel argument", |module| {
        let bool = declare(module, Op::TypeBool, Vec::new());
        first_parameter(module, bool);
    });
    refused("a kernel argument must not hold booleans", |module| {
        let bool = declare(module, Op::TypeBool, Vec::new());
        let holder = declare(module, Op::TypeStruct, vec![Operand::IdRef(bool)]);
        first_parameter(module, holder);
    });
    refused("a private pointer that is no argument by value", |module| {
        let int = result(module, Op::TypeInt, |_| true);
        let class = Operand::StorageClass(StorageClass::Function);
        let pointer = declare(module, Op::TypePointer, vec![class, Operand::IdRef(int)]);
        first_parameter(module, pointer);
    });
    refused("the type of a kernel argument", |module| {
        let int = result(module, Op::TypeInt, |_| true);
        let class = Operand::StorageClass(StorageClass::Generic);
        let pointer = declare(module, Op::TypePointer, vec![class, Operand::IdRef(int)]);
        first_parameter(module, pointer);
    });
}

#[test]
fn calls_have_no_cycle() {
    refused("calls itself", |module| {
        let call = find(module, Op::FunctionCall).clone();
        let helper = &mut module.functions[0];
        helper.blocks[0].instructions.insert(0, Instruction { result_id: Some(0), ..call });
        let header = module.header.as_mut().expect("there is a header");
        header.bound += 1;
        module.functions[0].blocks[0].instructions[0].result_id = Some(header.bound - 1);
    });
}

#[test]
fn atomics_are_on_numbers_and_in_memory_that_they_may_be_on() {
    let short = vec![Operand::LiteralBit32(16), Operand::LiteralBit32(0)];
    refused("atomics are for integers of 32 and 64 bits", atomic_type(Op::TypeInt, short));
    let float = vec![Operand::LiteralBit32(64)];
    refused("the atomic operation and what it works on", atomic_type(Op::TypeFloat, float));
    refused("constant memory is read only", atomic_pointer(StorageClass::UniformConstant));
}

#[test]
fn scopes_are_those_of_the_environment() {
    // 5 is QueueFamily.
    let family = |module: &mut Module| {
        let semantics = Operand::LiteralBit32(528);
        for constant in module.types_global_values.iter_mut() {
            if constant.operands.first() == Some(&semantics) {
                constant.operands[0] = Operand::LiteralBit32(5);
            }
        }
        let family =
            result(module, Op::Constant, |constant| constant.operands[0] == Operand::LiteralBit32(5));
        Operand::IdScope(family)
    };
    refused("the execution scope of a barrier must be Device, Workgroup or Subgroup", |module| {
        let family = family(module);
        find(module, Op::ControlBarrier).operands[0] = family;
    });
    for (op, operand) in [(Op::ControlBarrier, 1), (Op::AtomicIAdd, 1)] {
        refused("the scope of memory must be", |module| {
            let family = family(module);
            find(module, op).operands[operand] = family;
        });
    }
}

#[test]
fn images_are_those_of_the_environment() {
    refused("the sampled type of an image must be void", |module| {
        let float = result(module, Op::TypeFloat, |_| true);
        let types = &mut module.types_global_values;
        let place = types.iter().position(|ty| ty.result_id == Some(float)).expect("it is declared");
        let float_type = types.remove(place);
        types.insert(0, float_type);
        find(module, Op::TypeImage).operands[0] = Operand::IdRef(float);
    });
    refused("an image is not multisampled", image(4, 1));
    refused("an image is not multisampled", image(5, 1));
    let format = Operand::ImageFormat(ImageFormat::Rgba8);
    refused("an image is not multisampled", set(Op::TypeImage, 6, format));
    refused("the dimensions of an image", set(Op::TypeImage, 1, Operand::Dim(Dim::DimCube)));
    refused("the dimensions of an image", |module| {
        set(Op::TypeImage, 1, Operand::Dim(Dim::Dim3D))(module);
        image(3, 1)(module);
    });
    refused("the dimensions of an image", |module| {
        set(Op::TypeImage, 1, Operand::Dim(Dim::Dim1D))(module);
        image(2, 1)(module);
    });
    refused("an image has an access qualifier", |module| {
        find(module, Op::TypeImage).operands.pop();
    });
}

#[test]
fn images_are_accessed_as_the_environment_says() {
    refused("a write takes no image operands", image_operand(Op::ImageWrite, ImageOperands::LOD));
    refused("a read takes no image operands", image_operand(Op::ImageRead, ImageOperands::CONST_OFFSET));
    refused(
        "a sample takes the image operand Lod and no other",
        image_operand(Op::ImageSampleExplicitLod, ImageOperands::CONST_OFFSET),
    );
    let write_only = Operand::AccessQualifier(AccessQualifier::WriteOnly);
    refused("an image that can be read", set(Op::TypeImage, 7, write_only));
}
