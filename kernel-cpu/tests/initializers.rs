//! Variables outside functions: what they start as.

mod driver;

use driver::{Gpu, api, set, set_group_size};
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Instruction, Operand};
use rspirv::spirv::{
    AddressingModel, Capability, Decoration, ExecutionModel, FunctionControl, LinkageType, MemoryModel, Op,
    StorageClass,
};
use std::ptr::null_mut;

const ADDRESSES: &[u8] = include_bytes!("modules/addresses.spv");

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
