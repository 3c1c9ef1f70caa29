//! Composites with more parts than one instruction can name: SPV_INTEL_long_composites.

use crate::assemble::{Assembly, prepare, run};
use crate::driver::{Gpu, create_kernel};
use rspirv::dr::{Builder, Instruction, Operand};
use rspirv::spirv::{Capability, Op, StorageClass, Word};

/// The most ids that an instruction with a type and a result has room for, and more than that.
const ROOM: usize = 0xffff - 3;
const COUNT: usize = 2 * ROOM + 1000;

/// How many different numbers there are.
const NUMBERS: u32 = 251;

fn assembly() -> Assembly {
    Assembly::new(&[Capability::LongCompositesINTEL], &["SPV_INTEL_long_composites"])
}

/// Appends a declaration with more operands than one instruction has room for; returns its result.
fn declare(b: &mut Builder, [op, continued]: [Op; 2], ty: Option<Word>, parts: &[Word]) -> Word {
    let result = b.id();
    for (number, parts) in parts.chunks(ROOM).enumerate() {
        let operands = parts.iter().map(|&part| Operand::IdRef(part)).collect();
        let inst = match number {
            0 => Instruction::new(op, ty, Some(result), operands),
            _ => Instruction::new(continued, None, None, operands),
        };
        b.module_mut().types_global_values.push(inst);
    }
    result
}

/// A kernel that leaves, for each number of a word that it takes, that word of an array of constants.
fn table(ops: [Op; 2]) -> Vec<u8> {
    let mut assembly = assembly();
    let (word, count) = (assembly.u32, assembly.constant(COUNT as u32));
    let numbers: Vec<Word> = (0..NUMBERS).map(|number| assembly.constant(number)).collect();
    let b = &mut assembly.builder;
    let array = b.type_array(word, count);
    let parts: Vec<Word> = (0..COUNT).map(|place| numbers[place % NUMBERS as usize]).collect();
    let values = declare(b, ops, Some(array), &parts);
    let pointer = b.type_pointer(None, StorageClass::UniformConstant, array);
    let element = b.type_pointer(None, StorageClass::UniformConstant, word);
    let variable = b.variable(pointer, None, StorageClass::UniformConstant, Some(values));
    assembly.begin();
    let place = assembly.word(1, 0);
    let b = &mut assembly.builder;
    let at = b.in_bounds_access_chain(element, None, variable, [place]).unwrap();
    let found = b.load(word, None, at, None, []).unwrap();
    assembly.store(1, 0, found);
    assembly.end()
}

#[test]
fn composites_may_be_longer_than_an_instruction() {
    let places = [0, 1, NUMBERS as usize, ROOM - 1, ROOM, ROOM + 1, 2 * ROOM - 1, 2 * ROOM, COUNT - 1];
    let from: Vec<u32> = places.iter().map(|&place| place as u32).collect();
    let expected: Vec<u32> = from.iter().map(|place| place % NUMBERS).collect();
    for ops in [
        [Op::ConstantComposite, Op::ConstantCompositeContinuedINTEL],
        [Op::SpecConstantComposite, Op::SpecConstantCompositeContinuedINTEL],
    ] {
        assert_eq!(run(&table(ops), &from, places.len(), 1, places.len() as u32), expected, "{ops:?}");
    }
    // A struct of as many members, of which the last ones are written and read.
    let mut assembly = assembly();
    let (word, byte) = (assembly.u32, assembly.u8);
    let members: Vec<Word> = (0..ROOM + 2).map(|place| if place == ROOM { byte } else { word }).collect();
    let b = &mut assembly.builder;
    let long = declare(b, [Op::TypeStruct, Op::TypeStructContinuedINTEL], None, &members);
    let pointer = b.type_pointer(None, StorageClass::CrossWorkgroup, long);
    let last = assembly.constant(ROOM as u32 + 1);
    assembly.begin();
    let (from, to, global) = (assembly.from, assembly.to, assembly.global);
    let b = &mut assembly.builder;
    let [from, to] = [from, to].map(|base| {
        let base = b.bitcast(pointer, None, base).unwrap();
        b.in_bounds_access_chain(global, None, base, [last]).unwrap()
    });
    let found = b.load(word, None, from, None, []).unwrap();
    b.store(to, found, None, []).unwrap();
    let words: Vec<u32> = (0..ROOM as u32 + 2).collect();
    let result = run(&assembly.end(), &words, words.len(), 1, 1);
    let (left, written) = result.split_at(ROOM + 1);
    assert!(left.iter().all(|&word| word == 0xdead));
    assert_eq!(written, [ROOM as u32 + 1]);
}

#[test]
fn long_composites_are_linked() {
    let (gpu, library) = (Gpu::new(), include_bytes!("../modules/link_library.spv"));
    let table = table([Op::ConstantComposite, Op::ConstantCompositeContinuedINTEL]);
    for modules in [[&library[..], &table], [&table, &library[..]]] {
        let module = gpu.program(&modules.map(|module| (module, None))).unwrap();
        let kernel = create_kernel(module, "k").unwrap();
        let (from, to) = (gpu.buffer(&[7, ROOM as u32, COUNT as u32 - 1]), gpu.buffer(&[0_u32; 3]));
        prepare(kernel, from.pointer, to.pointer, 3);
        gpu.launch(kernel, [1, 1, 1]).unwrap();
        assert_eq!(to.read(), from.read().iter().map(|place| place % NUMBERS).collect::<Vec<_>>());
    }
}

#[test]
fn what_continues_nothing_is_refused() {
    let gpu = Gpu::new();
    for [first, second] in [
        [Op::TypeVoid, Op::TypeStructContinuedINTEL],
        [Op::TypeStruct, Op::ConstantCompositeContinuedINTEL],
        [Op::ConstantComposite, Op::TypeStructContinuedINTEL],
    ] {
        let mut assembly = assembly();
        let word = assembly.u32;
        let one = assembly.constant(1);
        let b = &mut assembly.builder;
        let pair = b.type_vector(word, 2);
        let operands = match first {
            Op::TypeStruct => vec![Operand::IdRef(word)],
            Op::ConstantComposite => vec![Operand::IdRef(one); 2],
            _ => vec![],
        };
        let ty = (first == Op::ConstantComposite).then_some(pair);
        let id = b.id();
        b.module_mut().types_global_values.push(Instruction::new(first, ty, Some(id), operands));
        let more = Instruction::new(second, None, None, vec![Operand::IdRef(one)]);
        b.module_mut().types_global_values.push(more);
        assembly.begin();
        let log = gpu.module(&assembly.end()).unwrap_err();
        assert!(log.contains("nothing that this could continue"), "{first:?} {second:?}: {log}");
    }
}
