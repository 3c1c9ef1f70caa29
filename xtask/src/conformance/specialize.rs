//! Modules as they are with the constants that a case sets: programs that only compile a module take no constants from outside, so
//! each gets a copy of the module in which these are the defaults.

use super::Module;
use crate::kernels::case::Case;
use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::ptr;

const OP_SPEC_CONSTANT_TRUE: u32 = 48;
const OP_SPEC_CONSTANT_FALSE: u32 = 49;
const OP_SPEC_CONSTANT: u32 = 50;
const OP_DECORATE: u32 = 71;
const SPEC_ID: u32 = 1;
/// The words before the first instruction.
const HEADER: usize = 5;

/// Writes a copy of a module for each case that sets constants, beside the module.
pub(super) fn copies(modules: &[Module], cases: &[Case]) -> Result<Vec<Module>, Box<dyn Error>> {
    let mut copies = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let module = modules.iter().find(|module| ptr::eq(module.kernel.descriptor, case.kernel));
        let (Some(module), [_, ..]) = (module, case.constants()) else { continue };
        let file = module.file.with_extension(format!("{number}.spv"));
        let words = specialized(case.kernel.spirv.words(), case.constants());
        fs::write(&file, bytemuck::cast_slice::<u32, u8>(&words))?;
        copies.push(Module { kernel: module.kernel, file });
    }
    Ok(copies)
}

/// A module in which the specialization constants have these defaults.
fn specialized(module: &[u32], values: &[u64]) -> Vec<u32> {
    let mut words = module.to_vec();
    let starts = starts(module);
    let numbers: HashMap<u32, usize> = starts
        .iter()
        .filter(|&&at| module[at] & 0xffff == OP_DECORATE && module[at + 2] == SPEC_ID)
        .map(|&at| (module[at + 1], module[at + 3] as usize))
        .collect();
    for at in starts {
        let opcode = module[at] & 0xffff;
        if !(OP_SPEC_CONSTANT_TRUE..=OP_SPEC_CONSTANT).contains(&opcode) {
            continue;
        }
        let Some(value) = numbers.get(&module[at + 2]).and_then(|number| values.get(*number)) else {
            continue;
        };
        if opcode == OP_SPEC_CONSTANT {
            let literal = (module[at] >> 16) as usize - 3;
            // A narrow literal is the value without its sign, as the type has none.
            let low = if literal == 1 { *value & mask(module, module[at + 1]) } else { *value };
            words[at + 3] = low as u32;
            if literal == 2 {
                words[at + 4] = (*value >> 32) as u32;
            }
        } else {
            let chosen = if *value == 0 { OP_SPEC_CONSTANT_FALSE } else { OP_SPEC_CONSTANT_TRUE };
            words[at] = module[at] & !0xffff | chosen;
        }
    }
    words
}

/// The bits that values of an integer type have.
fn mask(module: &[u32], ty: u32) -> u64 {
    const OP_TYPE_INT: u32 = 21;
    let declares = |at: &usize| module[*at] & 0xffff == OP_TYPE_INT && module[at + 1] == ty;
    let width = starts(module).into_iter().find(declares).map_or(32, |at| module[at + 2]);
    u64::MAX >> (64 - width)
}

/// Where the instructions of a module start.
fn starts(module: &[u32]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at = HEADER;
    while at < module.len() {
        starts.push(at);
        at += (module[at] >> 16).max(1) as usize;
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_all_kinds_get_new_defaults() {
        let header = [0; HEADER];
        let decorate = |id: u32, number: u32| vec![4 << 16 | OP_DECORATE, id, SPEC_ID, number];
        let instructions = [
            decorate(10, 1),
            decorate(11, 0),
            decorate(12, 2),
            vec![4 << 16 | 21, 1, 8, 0],
            vec![3 << 16 | OP_SPEC_CONSTANT_TRUE, 3, 10],
            vec![4 << 16 | OP_SPEC_CONSTANT, 1, 11, 1],
            vec![5 << 16 | OP_SPEC_CONSTANT, 2, 12, 1, 0],
        ];
        let module: Vec<u32> = header.into_iter().chain(instructions.concat()).collect();
        let found = specialized(&module, &[-3_i64 as u64, 0, 1 << 40]);
        let changed: Vec<_> = module.iter().zip(&found).filter(|(a, b)| a != b).map(|(_, b)| *b).collect();
        assert_eq!(changed, [3 << 16 | OP_SPEC_CONSTANT_FALSE, 0xFD, 0, 1 << 8]);
    }
}
