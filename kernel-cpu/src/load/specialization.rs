//! How many bytes the values of specialization constants have, which hosts give as pointers alone.

use super::Id;
use super::decorations::Decorations;
use super::words::instructions;
use crate::load::grammar::Op;
use std::collections::HashMap;

/// The bytes of the value of each specialization constant of a module by its number. What is wrong with the module is found when it is parsed.
pub(crate) fn sizes(words: &[u32]) -> HashMap<u32, usize> {
    let mut sizes = HashMap::new();
    let Ok((_, instructions)) = instructions(words) else { return sizes };
    let mut decorations = Decorations::default();
    if !instructions.iter().all(|inst| decorations.take(inst).is_ok()) {
        return sizes;
    }
    let mut types: HashMap<Id, usize> = HashMap::new();
    for inst in &instructions {
        match (inst.op, inst.operands) {
            (Op::TypeBool, _) => drop(types.insert(inst.result, 1)),
            (Op::TypeInt | Op::TypeFloat, &[width @ (8 | 16 | 32 | 64), ..]) => {
                types.insert(inst.result, width as usize / 8);
            }
            (Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse, _) => {
                let number = decorations.spec_ids.get(&inst.result);
                if let (Some(&number), Some(&size)) = (number, types.get(&inst.result_type)) {
                    // Where two constants have one number, there may be no more than the smaller one needs.
                    sizes
                        .entry(number)
                        .and_modify(|known: &mut usize| *known = size.min(*known))
                        .or_insert(size);
                }
            }
            _ => {}
        }
    }
    sizes
}
