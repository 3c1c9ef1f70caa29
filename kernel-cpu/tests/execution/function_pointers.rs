//! Calls by pointers: SPV_INTEL_function_pointers.

use crate::assemble::{Assembly, prepare, run};
use crate::driver::{Gpu, Outcome, api, create_kernel};
use level_zero_sys::{ze_module_handle_t, ze_result_t};
use rspirv::dr::{InsertPoint, Instruction, Operand};
use rspirv::spirv::{Capability, Decoration, FunctionControl, LinkageType, Op, StorageClass, Word};
use std::ptr::null_mut;

const CAPABILITIES: [Capability; 2] =
    [Capability::FunctionPointersINTEL, Capability::IndirectReferencesINTEL];

fn assembly() -> Assembly {
    Assembly::new(&CAPABILITIES, &["SPV_INTEL_function_pointers"])
}

/// The type of functions from a word to a word, and of pointers to them.
fn types(assembly: &mut Assembly) -> (Word, Word) {
    let u32 = assembly.u32;
    let signature = assembly.builder.type_function(u32, [u32]);
    (signature, assembly.builder.type_pointer(None, StorageClass::CodeSectionINTEL, signature))
}

/// A function that does one thing to a word and a constant.
fn function(assembly: &mut Assembly, op: Op, constant: u32) -> Word {
    let (signature, _) = types(assembly);
    let (u32, constant) = (assembly.u32, assembly.constant(constant));
    let b = &mut assembly.builder;
    let function = b.begin_function(u32, None, FunctionControl::NONE, signature).unwrap();
    let x = b.function_parameter(u32).unwrap();
    b.begin_block(None).unwrap();
    let result = match op {
        Op::IAdd => b.i_add(u32, None, x, constant),
        Op::IMul => b.i_mul(u32, None, x, constant),
        _ => b.i_sub(u32, None, constant, x),
    };
    b.ret_value(result.unwrap()).unwrap();
    b.end_function().unwrap();
    function
}

/// The address of a function, which may be defined later.
fn address(assembly: &mut Assembly, ty: Word, function: Word) -> Word {
    let id = assembly.builder.id();
    let operands = vec![Operand::IdRef(function)];
    let inst = Instruction::new(Op::ConstantFunctionPointerINTEL, Some(ty), Some(id), operands);
    assembly.builder.module_mut().types_global_values.push(inst);
    id
}

fn call(assembly: &mut Assembly, result: Word, pointer: Word, arguments: &[Word]) -> Word {
    let id = assembly.builder.id();
    let operands = [&[pointer], arguments].concat().into_iter().map(Operand::IdRef).collect();
    let inst = Instruction::new(Op::FunctionPointerCallINTEL, Some(result), Some(id), operands);
    assembly.builder.insert_into_block(InsertPoint::End, inst).unwrap();
    id
}

/// A kernel that takes a function from a table in constant memory by a word of the work-item, and has it take the index.
fn table() -> Vec<u8> {
    let mut assembly = assembly();
    let (_, pointer) = types(&mut assembly);
    let functions = [(Op::IAdd, 7), (Op::IMul, 3), (Op::ISub, 100)];
    let mut entries = functions.map(|(op, constant)| {
        let function = function(&mut assembly, op, constant);
        address(&mut assembly, pointer, function)
    });
    entries.rotate_left(1);
    let null = assembly.builder.constant_null(pointer);
    let count = assembly.constant(4);
    let b = &mut assembly.builder;
    let array = b.type_array(pointer, count);
    let [first, second, third] = entries;
    let initial = b.constant_composite(array, [first, second, third, null]);
    let to_array = b.type_pointer(None, StorageClass::UniformConstant, array);
    let to_pointer = b.type_pointer(None, StorageClass::UniformConstant, pointer);
    let table = b.variable(to_array, None, StorageClass::UniformConstant, Some(initial));
    assembly.begin();
    let (word, u32) = (assembly.word(1, 0), assembly.u32);
    let b = &mut assembly.builder;
    let place = b.in_bounds_access_chain(to_pointer, None, table, [word]).unwrap();
    let callee = b.load(pointer, None, place, None, []).unwrap();
    let (index, u64) = (assembly.index, assembly.u64);
    assert_ne!(u64, u32);
    let index = assembly.builder.u_convert(u32, None, index).unwrap();
    let result = call(&mut assembly, u32, callee, &[index]);
    assembly.store(1, 0, result);
    assembly.end()
}

#[test]
fn each_work_item_calls_what_its_pointer_leads_to() {
    let words: Vec<u32> = (0..64).map(|index| index * 7 % 3).collect();
    let expected: Vec<u32> = (0..64_u32)
        .map(|index| match words[index as usize] {
            0 => index * 3,
            1 => 100_u32.wrapping_sub(index),
            _ => index + 7,
        })
        .collect();
    assert_eq!(run(&table(), &words, 64, 32, 2), expected);
}

/// Launches a kernel of a module once, with one work-item.
fn launch(gpu: &Gpu, module: ze_module_handle_t, from: &[u32]) -> Outcome<u32> {
    let kernel = create_kernel(module, "k").unwrap();
    let (from, to) = (gpu.buffer(from), gpu.buffer(&[0_u32]));
    prepare(kernel, from.pointer, to.pointer, 1);
    gpu.launch(kernel, [1, 1, 1])?;
    Ok(to.read()[0])
}

#[test]
fn a_pointer_that_leads_nowhere_is_a_fault() {
    let gpu = Gpu::new();
    let module = gpu.module(&table()).unwrap();
    assert_eq!(launch(&gpu, module, &[0]), Ok(0));
    assert_eq!(launch(&gpu, module, &[3]), Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST));
    assert!(gpu.last_error().contains("a pointer that leads to no function"), "{}", gpu.last_error());
    assert_eq!(launch(&gpu, module, &[2]), Ok(7));
}

/// A kernel that calls what the host passes as the first two words, with the third one.
fn passed() -> Vec<u8> {
    let mut assembly = assembly();
    let (_, pointer) = types(&mut assembly);
    for (name, op, constant) in [("add", Op::IAdd, 5), ("multiply", Op::IMul, 9)] {
        let function = function(&mut assembly, op, constant);
        let linkage = [Operand::LiteralString(name.into()), Operand::LinkageType(LinkageType::Export)];
        assembly.builder.decorate(function, Decoration::LinkageAttributes, linkage);
        assembly.builder.decorate(function, Decoration::ReferencedIndirectlyINTEL, []);
    }
    assembly.begin();
    let (u64, u32) = (assembly.u64, assembly.u32);
    let number = assembly.value(u64, 2, 3, 0);
    let argument = assembly.word(3, 2);
    let callee = assembly.builder.convert_u_to_ptr(pointer, None, number).unwrap();
    let result = call(&mut assembly, u32, callee, &[argument]);
    assembly.store(1, 0, result);
    assembly.end()
}

fn function_pointer(module: ze_module_handle_t, name: &std::ffi::CStr) -> Outcome<u64> {
    let mut pointer = null_mut();
    // SAFETY: the name ends with NUL, and the pointer is a live variable.
    unsafe { api().zeModuleGetFunctionPointer(module, name.as_ptr(), &mut pointer) }.into_result()?;
    Ok(pointer as u64)
}

#[test]
fn the_host_passes_functions_that_a_module_exports() {
    let gpu = Gpu::new();
    let module = gpu.module(&passed()).unwrap();
    let [add, multiply] = [c"add", c"multiply"].map(|name| function_pointer(module, name).unwrap());
    let call = |address: u64, number| launch(&gpu, module, &[address as u32, (address >> 32) as u32, number]);
    assert_eq!(call(add, 37), Ok(42));
    assert_eq!(call(multiply, 37), Ok(333));
    for wrong in [0, 1, add + 1, add ^ multiply, u64::MAX] {
        assert_eq!(call(wrong, 37), Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST), "{wrong:#x}");
    }
    for name in [c"k", c"subtract", c""] {
        let unknown = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_FUNCTION_NAME);
        assert_eq!(function_pointer(module, name), unknown);
    }
    // SAFETY: what is null is refused before it is used.
    let refused = unsafe { api().zeModuleGetFunctionPointer(module, c"add".as_ptr(), null_mut()) };
    assert_eq!(refused, ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

/// A kernel that calls one of two functions, of which the first calls again what its second argument leads to: `even` or `odd`, by the first word. Where the
/// second one is called it says 1.
fn calling_back() -> Vec<u8> {
    let mut assembly = assembly();
    let (u32, u64, bool) = (assembly.u32, assembly.u64, assembly.bool);
    let signature = assembly.builder.type_function(u32, [u32, u64]);
    let pointer = assembly.builder.type_pointer(None, StorageClass::CodeSectionINTEL, signature);
    let (zero, one) = (assembly.constant(0), assembly.constant(1));
    let functions = [true, false].map(|calls| {
        let b = &mut assembly.builder;
        let function = b.begin_function(u32, None, FunctionControl::NONE, signature).unwrap();
        let x = b.function_parameter(u32).unwrap();
        let next = b.function_parameter(u64).unwrap();
        b.begin_block(None).unwrap();
        let result = if calls {
            let callee = b.convert_u_to_ptr(pointer, None, next).unwrap();
            let result = call(&mut assembly, u32, callee, &[x, next]);
            assembly.builder.i_add(u32, None, result, x).unwrap()
        } else {
            one
        };
        assembly.builder.ret_value(result).unwrap();
        assembly.builder.end_function().unwrap();
        function
    });
    let [first, second] = functions.map(|function| address(&mut assembly, pointer, function));
    assembly.begin();
    let word = assembly.word(1, 0);
    let b = &mut assembly.builder;
    let is_zero = b.i_equal(bool, None, word, zero).unwrap();
    let next = b.select(pointer, None, is_zero, second, first).unwrap();
    let next = b.convert_ptr_to_u(u64, None, next).unwrap();
    let four = assembly.constant(4);
    let result = call(&mut assembly, u32, first, &[four, next]);
    assembly.store(1, 0, result);
    assembly.end()
}

#[test]
fn functions_that_are_called_by_pointers_call_by_pointers_but_not_themselves() {
    let gpu = Gpu::new();
    let module = gpu.module(&calling_back()).unwrap();
    assert_eq!(launch(&gpu, module, &[0]), Ok(5));
    assert_eq!(launch(&gpu, module, &[1]), Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST));
}

/// A module whose only pointer is to what `target` says.
fn pointing_to(target: impl FnOnce(&mut Assembly) -> (Word, Word)) -> Vec<u8> {
    let mut assembly = assembly();
    let (ty, target) = target(&mut assembly);
    address(&mut assembly, ty, target);
    assembly.begin();
    assembly.end()
}

#[test]
fn pointers_to_what_is_no_function_are_refused() {
    let gpu = Gpu::new();
    let refused = |spirv: &[u8], reason: &str| {
        let log = gpu.module(spirv).unwrap_err();
        assert!(log.contains(reason), "{log}");
    };
    let no_function = pointing_to(|assembly| {
        let (_, pointer) = types(assembly);
        (pointer, assembly.u32)
    });
    refused(&no_function, "a function that is no kernel");
    let no_code = pointing_to(|assembly| {
        let function = function(assembly, Op::IAdd, 1);
        (assembly.global, function)
    });
    refused(&no_code, "the address of a function and its type");
    let mut kernel = assembly();
    let (_, pointer) = types(&mut kernel);
    kernel.begin();
    let own = kernel.kernel();
    address(&mut kernel, pointer, own);
    refused(&kernel.end(), "a function that is no kernel");
}

#[test]
fn code_cannot_be_read() {
    let mut assembly = assembly();
    let u32 = assembly.u32;
    let (_, code) = types(&mut assembly);
    let function = function(&mut assembly, Op::IAdd, 1);
    let data = assembly.builder.type_pointer(None, StorageClass::CodeSectionINTEL, u32);
    let pointer = address(&mut assembly, code, function);
    assembly.begin();
    let pointer = assembly.builder.bitcast(data, None, pointer).unwrap();
    let word = assembly.builder.load(u32, None, pointer, None, []).unwrap();
    assembly.store(1, 0, word);
    let log = Gpu::new().module(&assembly.end()).unwrap_err();
    assert!(log.contains("an access to this storage class"), "{log}");
}
