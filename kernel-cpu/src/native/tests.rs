//! The code of the kernels of all modules of the tests.

use super::lir::{Refused, is_allowed};
use super::{Context, Ids, Switches, Target, select, thunk};
use crate::build::make;
use crate::exec::Code;
use crate::link::Input;
use crate::program::Program;
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
    Ok(selected.function.finish(target, &mut selected.constants, thunk)?.bytes)
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
