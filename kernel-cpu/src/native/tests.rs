//! The code of the kernels of all modules of the tests.

use super::lir::{Effort, Refused, is_allowed};
use super::{Context, Ids, Native, Switches, Target, limits_end, select, thunk};
use crate::build::make;
use crate::exec::Code;
use crate::link::Input;
use crate::program::drafts::{edge, program};
use crate::program::{
    Block, BuiltIn, CompareOp, Inst, IntOp, Kind, Preset, Program, Site, Space, Terminator, Value,
};
use iced_x86::{Code as Opcode, Decoder, DecoderOptions};
use std::collections::HashMap;
use std::mem::offset_of;

/// The words of a module.
fn words(path: &std::path::Path) -> Vec<u32> {
    let bytes = std::fs::read(path).unwrap();
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

fn code(program: &Program, group_size: [u32; 3], target: Target) -> Result<Vec<u8>, Refused> {
    let code = Code::new(program).map_err(|_| Refused("too many values"))?;
    let mut selected = select::select(
        program,
        &code,
        &Ids::new(group_size, program.subgroup_size),
        target,
        Switches::default(),
    )?;
    let thunk = offset_of!(Context, thunk) as i32;
    Ok(selected.function.finish(target, &mut selected.constants, thunk, 0, &[Effort::FAST])?.bytes)
}

/// Asserts that code has no instruction that processors with AVX2 lack; the number of its instructions.
fn check(name: &str, code: &[u8]) -> usize {
    let instructions = Decoder::with_ip(64, code, 0, DecoderOptions::NONE).into_iter();
    let mut count = 0;
    for instruction in instructions.take_while(|instruction| instruction.code() != Opcode::Int3) {
        assert!(is_allowed(&instruction), "{name}: {instruction}");
        count += 1;
    }
    count
}

#[test]
fn code_for_avx2_has_nothing_else() {
    check("thunk", &thunk::code(Target::Avx2));
    let mut kernels = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/modules")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "spv") {
            continue;
        }
        let Ok(made) = make(vec![Input { words: words(&path), specialization: HashMap::new() }]) else {
            continue;
        };
        let Some(built) = &made.built else { continue };
        for name in &made.names {
            let Some(Ok(kernel)) = built.kernel(name) else { continue };
            for group_size in [[64, 1, 1], [10, 3, 1]] {
                let own = code(&kernel.program, group_size, Target::Avx2);
                assert_eq!(
                    own.as_ref().err(),
                    code(&kernel.program, group_size, Target::Avx512).as_ref().err(),
                    "{name} of {path:?}"
                );
                if let Ok(code) = own {
                    assert!(check(name, &code) > 10, "{name} of {path:?}");
                    kernels += 1;
                }
            }
        }
    }
    assert!(kernels > 50, "{kernels}");
}

/// Loads `values` numbers at places of its own for each work-item, chooses ways `branches` times by two of them, and stores the sum of all.
fn keeping(values: u32, branches: u32) -> Program {
    const I: Kind = Kind::I32;
    // 0: memory, 1: the first place, then: for each number its place, itself, and the sum of those up to it; for each branch its condition and what it stores.
    let [place, number, sum] = [0, 1, 2].map(|of| move |at: u32| 2 + 3 * at + of);
    let [condition, choice] = [0, 1].map(|of| move |at: u32| 2 + 3 * values + 2 * at + of);
    let presets = [(0, Preset::Argument(0)), (1, Preset::BuiltIn(BuiltIn::GlobalId(0)))];
    let mut kinds = vec![Kind::I64; 2];
    kinds.extend((0..values).flat_map(|_| [Kind::I64, I, I]));
    kinds.extend((0..branches).flat_map(|_| [Kind::Bool, I]));
    let (space, site) = (Space::Global, Site(0));
    let store =
        |value, address| Inst::Store { kind: I, space, value: Value(value), address: Value(address), site };
    let int = |op, result, a, b| Inst::Int(op, I, Value(result), [Value(a), Value(b)]);
    let mut start = Vec::new();
    for at in 0..values {
        let (base, index, offset) = (Value(0), Value(1), i64::from(at) * 4096);
        start.push(Inst::Address { result: Value(place(at)), base, index, scale: 4, offset });
        let (result, address) = (Value(number(at)), Value(place(at)));
        start.push(Inst::Load { kind: I, space, result, address, site });
    }
    let mut blocks = vec![Block { insts: start, terminator: Terminator::Jump(edge(1, &[])) }];
    for at in 0..branches {
        let [a, b] = [at, at + 1].map(|at| Value(number(at % values)));
        let insts = vec![Inst::Compare(CompareOp::ULt, I, Value(condition(at)), [a, b])];
        let [then, otherwise] = [1, 2].map(|way| edge(2 * at + 1 + way, &[]));
        let condition = Value(condition(at));
        blocks.push(Block { insts, terminator: Terminator::Branch { condition, then, otherwise } });
        let insts = vec![int(IntOp::Xor, choice(at), a.0, b.0), store(choice(at), place(at % values))];
        blocks.push(Block { insts, terminator: Terminator::Jump(edge(2 * at + 3, &[])) });
    }
    let mut insts: Vec<Inst> = (0..values)
        .map(|at| int(IntOp::Add, sum(at), if at == 0 { number(0) } else { sum(at - 1) }, number(at)))
        .collect();
    insts.push(store(sum(values - 1), place(0)));
    blocks.push(Block { insts, terminator: Terminator::Return });
    program(&kinds, &presets, blocks)
}

/// That it would be too much work shows before it is done.
#[test]
fn what_is_too_much_for_registers_is_in_memory_and_there_is_no_code_where_that_is_too_much_too() {
    let within = |effort: Effort, program: &Program| {
        Native::within(&[effort], program, [64, 1, 1], Target::Avx512, Switches::default())
    };
    let make = |program: &Program| Native::new(program, [64, 1, 1], Target::Avx512, Switches::default());
    let [small, large] = [(10, 10), (200, 400)].map(|(values, branches)| keeping(values, branches));
    let bytes = |native: Result<Native, Refused>| native.map(|native| native.code_bytes());
    let fast = within(Effort::FAST, &small).unwrap();
    assert_eq!(bytes(make(&small)), Ok(fast.code_bytes()));
    assert_eq!(fast.context_bytes, limits_end(fast.limits.len()) as usize);
    assert_eq!(bytes(within(Effort::FAST, &large)), Err(Refused::TOO_LARGE));
    let made = make(&large).unwrap();
    // Most of the numbers, and where they are, for four strips: one after the other they would be as many bytes.
    assert!(made.context_bytes > limits_end(made.limits.len()) as usize + 200 * 64, "{}", made.context_bytes);
    for effort in [Effort::FAST, Effort::LITTLE] {
        let less = Effort { work: 100, ..effort };
        assert_eq!(bytes(within(less, &small)), Err(Refused::TOO_LARGE));
    }
}
