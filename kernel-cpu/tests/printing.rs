//! What kernels print by the `printf` of OpenCL.std, on the standard output of the process.

mod assemble;
mod driver;

use assemble::{Assembly, run};
use rspirv::spirv::{OpenclStd100Op, StorageClass, Word};
use std::process::Command;

/// Set for the process that a test starts, to what it runs.
const CHILD: &str = "KERNEL_CPU_TEST_CHILD";

/// A constant text, as a pointer to its bytes.
fn text(assembly: &mut Assembly, text: &str) -> Word {
    text_in(assembly, StorageClass::UniformConstant, text)
}

/// A text in a variable of this memory.
fn text_in(assembly: &mut Assembly, class: StorageClass, text: &str) -> Word {
    let (u8, length) = (assembly.u8, assembly.constant(text.len() as u32 + 1));
    let b = &mut assembly.builder;
    let array = b.type_array(u8, length);
    let bytes: Vec<Word> = text.bytes().chain([0]).map(|byte| b.constant_bit32(u8, byte.into())).collect();
    let bytes = b.constant_composite(array, bytes);
    let pointer = b.type_pointer(None, class, array);
    b.variable(pointer, None, class, Some(bytes))
}

/// Has a kernel print, and keep what `printf` returns.
fn print(assembly: &mut Assembly, format: Word, arguments: &[Word]) -> Word {
    print_from(assembly, StorageClass::UniformConstant, format, arguments)
}

/// The same, by a format in this memory.
fn print_from(assembly: &mut Assembly, class: StorageClass, format: Word, arguments: &[Word]) -> Word {
    let (u8, u32, zero) = (assembly.u8, assembly.u32, assembly.constant(0));
    let b = &mut assembly.builder;
    let set = b.ext_inst_import("OpenCL.std");
    let pointer = b.type_pointer(None, class, u8);
    let format = b.in_bounds_access_chain(pointer, None, format, [zero]).unwrap();
    let operands = std::iter::once(format).chain(arguments.iter().copied()).map(rspirv::dr::Operand::IdRef);
    b.ext_inst(u32, None, set, OpenclStd100Op::printf as u32, operands).unwrap()
}

/// Each work-item prints a line with numbers of all kinds, vectors and a text.
fn lines() {
    let mut assembly = Assembly::new(&[], &[]);
    let format = text(&mut assembly, "line %2u of %s: %.2f %g %v2hlx%c\n");
    let name = text(&mut assembly, "kernel");
    assembly.begin();
    let (u8, u32, f32, f64) = (assembly.u8, assembly.u32, assembly.f32, assembly.f64);
    let (word, zero) = (assembly.word(1, 0), assembly.constant(0));
    let b = &mut assembly.builder;
    let pointer = b.type_pointer(None, StorageClass::UniformConstant, u8);
    let name = b.in_bounds_access_chain(pointer, None, name, [zero]).unwrap();
    let double = b.convert_u_to_f(f64, None, word).unwrap();
    let half = b.constant_bit32(f32, 0.5_f32.to_bits());
    let single = b.convert_u_to_f(f32, None, word).unwrap();
    let single = b.f_mul(f32, None, single, half).unwrap();
    let pair = b.type_vector(u32, 2);
    let pair = b.composite_construct(pair, None, [word, zero]).unwrap();
    let mark = b.constant_bit32(u8, u32::from(b'!'));
    let printed = print(&mut assembly, format, &[word, name, double, single, pair, mark]);
    assembly.store(1, 0, printed);
    assert_eq!(run(&assembly.end(), &[7, 255, 3], 3, 1, 3), [0; 3]);
}

/// The format is in global memory.
fn relaxed() {
    let mut assembly = Assembly::new(&[], &["SPV_EXT_relaxed_printf_string_address_space"]);
    let class = StorageClass::CrossWorkgroup;
    let format = text_in(&mut assembly, class, "from global memory: %u\n");
    assembly.begin();
    let word = assembly.word(1, 0);
    let printed = print_from(&mut assembly, class, format, &[word]);
    assembly.store(1, 0, printed);
    assert_eq!(run(&assembly.end(), &[7], 1, 1, 1), [0]);
}

/// A work-item prints far more than there is room for.
fn too_much() {
    let mut assembly = Assembly::new(&[], &[]);
    let format = text(&mut assembly, "%u\n");
    assembly.begin();
    let word = assembly.word(1, 0);
    let printed = print(&mut assembly, format, &[word]);
    assembly.store(1, 0, printed);
    let spirv = assembly.end();
    let from: Vec<u32> = (0..100_000).collect();
    let found = run(&spirv, &from, from.len(), 100, 1000);
    let printed = found.iter().filter(|result| **result == 0).count();
    assert!(printed > 10_000 && printed < from.len(), "{printed} lines");
    assert!(found.iter().all(|result| matches!(*result, 0 | u32::MAX)));
    println!("printed {printed}");
    // There is room again.
    assert_eq!(run(&spirv, &[5], 1, 1, 1), [0]);
}

#[test]
fn child() {
    match std::env::var(CHILD).as_deref() {
        Ok("lines") => lines(),
        Ok("relaxed") => relaxed(),
        Ok(_) => too_much(),
        Err(_) => {}
    }
}

/// What a process prints that runs one of them.
fn printed(what: &str) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, what)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn each_work_item_prints_a_line() {
    let output = printed("lines");
    let mut lines: Vec<&str> = output.lines().filter(|line| line.contains("of kernel")).collect();
    lines.sort_unstable();
    let expected = [
        "line  3 of kernel: 3.00 1.5 3,0!",
        "line  7 of kernel: 7.00 3.5 7,0!",
        "line 255 of kernel: 255.00 127.5 ff,0!",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn formats_may_be_in_global_memory() {
    let output = printed("relaxed");
    assert!(output.contains("from global memory: 7\n"), "{output}");
}

#[test]
fn what_there_is_no_room_for_is_left_out() {
    let output = printed("too much");
    let numbers: Vec<u32> = output.lines().filter_map(|line| line.parse().ok()).collect();
    let (_, count) = output.split_once("printed ").unwrap();
    let count: usize = count.lines().next().unwrap().parse().unwrap();
    assert_eq!(numbers.len(), count + 1);
    assert_eq!(numbers.last(), Some(&5));
}
