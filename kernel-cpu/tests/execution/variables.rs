//! Variables: what those outside functions start as, and how all are aligned.

use crate::assemble::{Assembly, run};
use crate::driver::{Gpu, api, set, set_group_size};
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Instruction, Operand};
use rspirv::spirv::{
    AddressingModel, Capability, Decoration, ExecutionModel, FunctionControl, LinkageType, MemoryModel, Op,
    StorageClass,
};
use std::ptr::null_mut;

const ADDRESSES: &[u8] = include_bytes!("../modules/addresses.spv");

#[test]
fn variables_start_as_addresses_of_others() {
    let gpu = Gpu::new();
    let to = gpu.buffer(&[0_u32; 4 * 6]);
    let kernel = gpu.kernel(ADDRESSES, "read");
    set(kernel, 0, to.pointer).unwrap();
    set_group_size(kernel, [6, 1, 1]).unwrap();
    gpu.launch(kernel, [1, 1, 1]).unwrap();
    for (index, found) in to.read().chunks_exact(4).enumerate() {
        let name = ["zero", "one", "two"][index % 3];
        let named = name.len() as u32 * 1000 + u32::from(name.as_bytes()[0]);
        let part = [6, 8][index % 2];
        assert_eq!(found, [named, 60, 309 + part * 10, 1041], "work-item {index}");
    }
}

/// A module whose kernel does nothing, with what `declare` adds; what it returns is the initializer of a variable of this type.
fn module(declare: impl FnOnce(&mut Builder) -> (u32, u32)) -> Vec<u8> {
    let mut b = Builder::new();
    b.set_version(1, 4);
    for capability in [Capability::Addresses, Capability::Kernel, Capability::Int64, Capability::Linkage] {
        b.capability(capability);
    }
    b.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
    let (ty, initializer) = declare(&mut b);
    let pointer = b.type_pointer(None, StorageClass::CrossWorkgroup, ty);
    let variable = b.variable(pointer, None, StorageClass::CrossWorkgroup, Some(initializer));
    let linkage = [Operand::LiteralString("variable".to_owned()), Operand::LinkageType(LinkageType::Export)];
    b.decorate(variable, Decoration::LinkageAttributes, linkage);
    let void = b.type_void();
    let function = b.type_function(void, []);
    let kernel = b.begin_function(void, None, FunctionControl::NONE, function).unwrap();
    b.begin_block(None).unwrap();
    b.ret().unwrap();
    b.end_function().unwrap();
    b.entry_point(ExecutionModel::Kernel, kernel, "k", []);
    b.module().assemble().iter().flat_map(|word| word.to_ne_bytes()).collect()
}

#[test]
fn what_is_no_address_of_the_module_is_refused() {
    let gpu = Gpu::new();
    let local = module(|b| {
        let word = b.type_int(32, 0);
        let pointer = b.type_pointer(None, StorageClass::Workgroup, word);
        (pointer, b.variable(pointer, None, StorageClass::Workgroup, None))
    });
    let log = gpu.module(&local).unwrap_err();
    assert!(log.contains("not supported: what this variable starts as"), "{log}");
    let mistyped = module(|b| {
        let (word, long) = (b.type_int(32, 0), b.type_int(64, 0));
        let pointer = b.type_pointer(None, StorageClass::CrossWorkgroup, word);
        (long, b.variable(pointer, None, StorageClass::CrossWorkgroup, None))
    });
    let log = gpu.module(&mistyped).unwrap_err();
    assert!(log.contains("a variable and its initializer"), "{log}");
}

#[test]
fn numbers_are_computed_before_they_are_written() {
    let gpu = Gpu::new();
    let spirv = module(|b| {
        let word = b.type_int(32, 0);
        let pair = b.type_vector(word, 2);
        let [two, three] = [2, 3].map(|number| b.constant_bit32(word, number));
        let (six, product) = (b.id(), Operand::LiteralSpecConstantOpInteger(Op::IMul));
        let operands = vec![product, Operand::IdRef(two), Operand::IdRef(three)];
        let inst = Instruction::new(Op::SpecConstantOp, Some(word), Some(six), operands);
        b.module_mut().types_global_values.push(inst);
        (pair, b.spec_constant_composite(pair, [six, three]))
    });
    let module = gpu.module(&spirv).unwrap();
    let (mut size, mut pointer) = (0, null_mut());
    // SAFETY: the name ends with NUL, and the other pointers are to live variables.
    unsafe {
        let found = api().zeModuleGetGlobalPointer(module, c"variable".as_ptr(), &mut size, &mut pointer);
        found.into_result().unwrap();
    }
    assert_eq!(size, 8);
    // SAFETY: the variable is as large as that, and no kernel is running.
    assert_eq!(unsafe { pointer.cast::<[u32; 2]>().read() }, [6, 3]);
}

/// Composites of composites, each of two of the one before: what they are together is too large.
#[test]
fn large_composites_of_addresses_are_refused_in_time() {
    let gpu = Gpu::new();
    let spirv = module(|b| {
        let word = b.type_int(32, 0);
        let mut ty = b.type_pointer(None, StorageClass::CrossWorkgroup, word);
        let mut part = b.variable(ty, None, StorageClass::CrossWorkgroup, None);
        for _ in 0..30 {
            ty = b.type_struct([ty, ty]);
            part = b.constant_composite(ty, [part, part]);
        }
        (ty, part)
    });
    let log = gpu.module(&spirv).unwrap_err();
    assert!(log.contains("too large"), "{log}");
}

/// A forward declaration of what is then no pointer, or one to another memory.
#[test]
fn pointers_are_what_was_announced() {
    let gpu = Gpu::new();
    let announced = |class, is_pointer: bool| {
        module(|b| {
            let id = b.id();
            b.type_forward_pointer(id, StorageClass::CrossWorkgroup);
            let structure = b.type_struct([id]);
            if is_pointer {
                b.type_pointer(Some(id), class, structure);
            } else {
                b.type_int_id(Some(id), 32, 0);
            }
            (structure, b.constant_null(structure))
        })
    };
    gpu.module(&announced(StorageClass::CrossWorkgroup, true)).unwrap();
    for spirv in [announced(StorageClass::Workgroup, true), announced(StorageClass::CrossWorkgroup, false)] {
        let log = gpu.module(&spirv).unwrap_err();
        assert!(log.contains("is beyond the bound or defined twice"), "{log}");
    }
}

/// How far the variable of this class is from where it has to be, for each of `items` work-items; one word of each class comes before it.
fn misalignment(class: StorageClass, vector: bool, stated: Option<u32>, items: u32) -> Vec<u32> {
    let mut assembly = Assembly::new(&[Capability::Vector16], &[]);
    let (u32, u64) = (assembly.u32, assembly.u64);
    let ty = if vector { assembly.builder.type_vector(u64, 16) } else { u32 };
    let word = assembly.builder.type_pointer(None, class, u32);
    let pointer = assembly.builder.type_pointer(None, class, ty);
    let declare = |assembly: &mut Assembly| {
        let before = assembly.builder.variable(word, None, class, None);
        let variable = assembly.builder.variable(pointer, None, class, None);
        if let Some(stated) = stated {
            assembly.builder.decorate(variable, Decoration::Alignment, [Operand::LiteralBit32(stated)]);
        }
        [before, variable]
    };
    let is_private = class == StorageClass::Function;
    let before = if is_private { None } else { Some(declare(&mut assembly)) };
    assembly.begin();
    let variables = before.unwrap_or_else(|| declare(&mut assembly));
    let mask = assembly.constant(127);
    for (place, variable) in (0..).zip(variables) {
        let address = assembly.builder.convert_ptr_to_u(u64, None, variable).unwrap();
        let low = assembly.builder.u_convert(u32, None, address).unwrap();
        let low = assembly.builder.bitwise_and(u32, None, low, mask).unwrap();
        assembly.store(2, place, low);
    }
    let found = run(&assembly.end(), &[0], 2 * items as usize, items, 1);
    found.chunks_exact(2).map(|item| item[1]).collect()
}

#[test]
fn variables_are_aligned_as_types_and_modules_ask() {
    for class in [StorageClass::Function, StorageClass::Workgroup, StorageClass::CrossWorkgroup] {
        for items in [1, 40] {
            assert_eq!(misalignment(class, true, None, items), vec![0; items as usize], "{class:?}");
            for stated in [8, 32, 64, 128] {
                let found = misalignment(class, false, Some(stated), items);
                assert!(found.iter().all(|address| address % stated == 0), "{class:?}, {stated}: {found:?}");
            }
            // What is no alignment, or more than there is, is not followed, and does no harm.
            for stated in [0, 3, 1 << 31, u32::MAX] {
                let found = misalignment(class, false, Some(stated), items);
                assert!(found.iter().all(|address| address % 4 == 0), "{class:?}, {stated}: {found:?}");
            }
        }
    }
}
