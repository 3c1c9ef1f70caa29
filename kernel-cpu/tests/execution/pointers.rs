//! Generic pointers that are asked what they point to, arrays whose length is known when a kernel runs, barriers in two halves, and modes of kernels.

use crate::assemble::{Assembly, prepare, run};
use crate::driver::{Gpu, create_kernel};
use rspirv::dr::{InsertPoint, Instruction, Operand};
use rspirv::spirv::{Capability, ExecutionMode, Op, StorageClass, Word};

fn emit(assembly: &mut Assembly, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Option<Word> {
    let result = ty.map(|_| assembly.builder.id());
    let inst = Instruction::new(op, ty, result, operands);
    assembly.builder.insert_into_block(InsertPoint::End, inst).unwrap();
    result
}

#[test]
fn generic_pointers_know_where_they_point() {
    let mut assembly = Assembly::new(&[], &[]);
    let (u32, u64, bool) = (assembly.u32, assembly.u64, assembly.bool);
    let classes = [StorageClass::CrossWorkgroup, StorageClass::Workgroup, StorageClass::Function];
    let pointers = classes.map(|class| assembly.builder.type_pointer(None, class, u32));
    let generic = assembly.builder.type_pointer(None, StorageClass::Generic, u32);
    let local = assembly.builder.variable(pointers[1], None, StorageClass::Workgroup, None);
    assembly.begin();
    let private = assembly.builder.variable(pointers[2], None, StorageClass::Function, None);
    let zero = assembly.constant64(0);
    let bases = [assembly.to, local, private];
    for (row, base) in (0..).zip(bases) {
        let pointer = assembly.builder.ptr_cast_to_generic(generic, None, base).unwrap();
        for (column, (class, ty)) in (0..).zip(classes.into_iter().zip(pointers)) {
            let operands = vec![Operand::IdRef(pointer), Operand::StorageClass(class)];
            let cast = emit(&mut assembly, Op::GenericCastToPtrExplicit, Some(ty), operands).unwrap();
            let number = assembly.builder.convert_ptr_to_u(u64, None, cast).unwrap();
            let is_there = assembly.builder.i_not_equal(bool, None, number, zero).unwrap();
            assembly.store_bool(12, 4 * row + column, is_there);
        }
        let semantics = assembly.builder.generic_ptr_mem_semantics(u32, None, pointer).unwrap();
        assembly.store(12, 4 * row + 3, semantics);
    }
    let found = run(&assembly.end(), &[0], 12 * 20, 20, 1);
    for item in found.chunks_exact(12) {
        assert_eq!(item, [1, 0, 0, 0x200, 0, 1, 0, 0x100, 0, 0, 1, 0]);
    }
}

/// A kernel that fills an array of as many words as each work-item takes, and adds it up; with a loop of `rounds` that takes an array in each pass and gives it back.
fn lengths(is_restored: bool) -> Vec<u8> {
    let mut assembly =
        Assembly::new(&[Capability::VariableLengthArrayINTEL], &["SPV_INTEL_variable_length_array"]);
    let (u32, u8, bool) = (assembly.u32, assembly.u8, assembly.bool);
    let words = assembly.builder.type_pointer(None, StorageClass::Function, u32);
    let bytes = assembly.builder.type_pointer(None, StorageClass::Function, u8);
    assembly.begin();
    let [sum, i, pass] =
        [(); 3].map(|()| assembly.builder.variable(words, None, StorageClass::Function, None));
    let (length, rounds) = (assembly.word(2, 0), assembly.word(2, 1));
    let (zero, one) = (assembly.constant(0), assembly.constant(1));
    let b = &mut assembly.builder;
    b.store(sum, zero, None, []).unwrap();
    b.store(pass, zero, None, []).unwrap();
    let [outer, body, fill, filled, add, added, done] = [(); 7].map(|()| b.id());
    let [fill_body, add_body] = [(); 2].map(|()| b.id());
    b.branch(outer).unwrap();
    b.begin_block(Some(outer)).unwrap();
    let number = b.load(u32, None, pass, None, []).unwrap();
    let goes_on = b.u_less_than(bool, None, number, rounds).unwrap();
    b.branch_conditional(goes_on, body, done, []).unwrap();
    b.begin_block(Some(body)).unwrap();
    let saved = b.save_memory_intel(bytes, None).unwrap();
    let array = b.variable_length_array_intel(words, None, length).unwrap();
    b.store(i, zero, None, []).unwrap();
    b.branch(fill).unwrap();
    b.begin_block(Some(fill)).unwrap();
    let n = b.load(u32, None, i, None, []).unwrap();
    let goes_on = b.u_less_than(bool, None, n, length).unwrap();
    b.branch_conditional(goes_on, fill_body, filled, []).unwrap();
    b.begin_block(Some(fill_body)).unwrap();
    let at = b.ptr_access_chain(words, None, array, n, []).unwrap();
    b.store(at, n, None, []).unwrap();
    let next = b.i_add(u32, None, n, one).unwrap();
    b.store(i, next, None, []).unwrap();
    b.branch(fill).unwrap();
    b.begin_block(Some(filled)).unwrap();
    b.store(i, zero, None, []).unwrap();
    b.branch(add).unwrap();
    b.begin_block(Some(add)).unwrap();
    let n = b.load(u32, None, i, None, []).unwrap();
    let goes_on = b.u_less_than(bool, None, n, length).unwrap();
    b.branch_conditional(goes_on, add_body, added, []).unwrap();
    b.begin_block(Some(add_body)).unwrap();
    let at = b.ptr_access_chain(words, None, array, n, []).unwrap();
    let value = b.load(u32, None, at, None, []).unwrap();
    let before = b.load(u32, None, sum, None, []).unwrap();
    let after = b.i_add(u32, None, before, value).unwrap();
    b.store(sum, after, None, []).unwrap();
    let next = b.i_add(u32, None, n, one).unwrap();
    b.store(i, next, None, []).unwrap();
    b.branch(add).unwrap();
    b.begin_block(Some(added)).unwrap();
    if is_restored {
        b.restore_memory_intel(saved).unwrap();
    }
    let next = b.i_add(u32, None, number, one).unwrap();
    b.store(pass, next, None, []).unwrap();
    b.branch(outer).unwrap();
    b.begin_block(Some(done)).unwrap();
    let result = b.load(u32, None, sum, None, []).unwrap();
    assembly.store(1, 0, result);
    assembly.end()
}

#[test]
fn arrays_are_as_long_as_the_kernel_says() {
    let from: Vec<u32> = (0..40).flat_map(|item| [item * 3, item % 4]).collect();
    let expected: Vec<u32> = from.chunks_exact(2).map(|pair| (0..pair[0]).sum::<u32>() * pair[1]).collect();
    assert_eq!(run(&lengths(true), &from, 40, 20, 2), expected);
    // What is given back is taken again: 1,000 arrays of 1,000 words are 64 times what there is room for.
    assert_eq!(run(&lengths(true), &[1000, 300], 1, 1, 1), [499_500 * 300]);
    let gpu = Gpu::new();
    for (is_restored, from) in [(false, [1000, 300]), (true, [1 << 20, 1]), (true, [u32::MAX, 1])] {
        let kernel = create_kernel(gpu.module(&lengths(is_restored)).unwrap(), "k").unwrap();
        let (from, to) = (gpu.buffer(&from), gpu.buffer(&[0]));
        prepare(kernel, from.pointer, to.pointer, 1);
        assert!(gpu.launch(kernel, [1, 1, 1]).is_err(), "there is no room for that");
        let error = gpu.last_error();
        assert!(error.contains("which are not in the memory of the work-item"), "{error}");
    }
}

#[test]
fn barriers_in_two_halves_are_barriers() {
    let mut assembly = Assembly::new(&[Capability::SplitBarrierINTEL], &["SPV_INTEL_split_barrier"]);
    let (u32, u64) = (assembly.u32, assembly.u64);
    let element = assembly.builder.type_pointer(None, StorageClass::Workgroup, u32);
    let length = assembly.constant(64);
    let array = assembly.builder.type_array(u32, length);
    let array = assembly.builder.type_pointer(None, StorageClass::Workgroup, array);
    let local = assembly.builder.variable(array, None, StorageClass::Workgroup, None);
    let last = assembly.constant64(63);
    let (group, semantics) = (assembly.constant(2), assembly.constant(0x108));
    assembly.begin();
    let word = assembly.word(1, 0);
    let index = assembly.index;
    let b = &mut assembly.builder;
    let at = b.access_chain(element, None, local, [index]).unwrap();
    b.store(at, word, None, []).unwrap();
    let operands =
        vec![Operand::IdScope(group), Operand::IdScope(group), Operand::IdMemorySemantics(semantics)];
    emit(&mut assembly, Op::ControlBarrierArriveINTEL, None, operands.clone());
    emit(&mut assembly, Op::ControlBarrierWaitINTEL, None, operands);
    let b = &mut assembly.builder;
    let other = b.i_sub(u64, None, last, index).unwrap();
    let at = b.access_chain(element, None, local, [other]).unwrap();
    let word = b.load(u32, None, at, None, []).unwrap();
    assembly.store(1, 0, word);
    let from: Vec<u32> = (0..64).map(|item| item * item).collect();
    let expected: Vec<u32> = from.iter().rev().copied().collect();
    assert_eq!(run(&assembly.end(), &from, 64, 64, 1), expected);
}

#[test]
fn a_specialization_constant_is_the_size_of_groups() {
    let gpu = Gpu::new();
    for size in [None, Some(20_u32)] {
        let mut assembly =
            Assembly::new(&[Capability::KernelAttributesINTEL], &["SPV_INTEL_kernel_attributes"]);
        let u32 = assembly.u32;
        let width = assembly.builder.spec_constant_bit32(u32, 4);
        let number = Operand::LiteralBit32(17);
        assembly.builder.decorate(width, rspirv::spirv::Decoration::SpecId, [number]);
        let one = assembly.constant(1);
        assembly.begin();
        assembly.mode(ExecutionMode::MaxWorkDimINTEL, &[1]);
        assembly.mode(ExecutionMode::MaxWorkgroupSizeINTEL, &[32, 1, 1]);
        let kernel = assembly.kernel();
        assembly.builder.execution_mode_id(kernel, ExecutionMode::LocalSizeId, [width, one, one]);
        let word = assembly.word(1, 0);
        assembly.store(1, 0, word);
        let spirv = assembly.end();
        let (number, value) = (17_u32, size.unwrap_or(0));
        let mut value = (&raw const value).cast();
        let constants = level_zero_sys::ze_module_constants_t {
            numConstants: u32::from(size.is_some()),
            pConstantIds: &raw const number,
            pConstantValues: &raw mut value,
        };
        let module = gpu.program(&[(&spirv, Some(&constants))]).unwrap();
        let kernel = create_kernel(module, "k").unwrap();
        let expected = size.unwrap_or(4);
        assert!(crate::driver::set_group_size(kernel, [expected + 1, 1, 1]).is_err());
        assert_eq!(crate::driver::set_group_size(kernel, [expected, 1, 1]), Ok(()));
    }
}
