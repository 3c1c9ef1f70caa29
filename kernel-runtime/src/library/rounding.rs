//! What keeps a library from having kernels round otherwise than they say.
//!
//! Whether `a * b + c` may be rounded once, an execution mode of each kernel says, for all that it calls (SPIR-V, "ContractionOff"). Intel's compiler goes by modules
//! instead, though: it looks whether any kernel of a module has that mode, and where a module has no such kernel, all of the program that it is linked into is fused. So a
//! module without one gets a kernel that does nothing but have it. Who wants products fused still gets that: the module of a kernel without the mode has the same
//! effect on the program.

use super::module::instructions;

mod op {
    pub(super) const MEMORY_MODEL: u16 = 14;
    pub(super) const ENTRY_POINT: u16 = 15;
    pub(super) const EXECUTION_MODE: u16 = 16;
    pub(super) const TYPE_VOID: u16 = 19;
    pub(super) const TYPE_FUNCTION: u16 = 33;
    pub(super) const FUNCTION: u16 = 54;
    pub(super) const FUNCTION_END: u16 = 56;
    pub(super) const LABEL: u16 = 248;
    pub(super) const RETURN: u16 = 253;
}

const KERNEL: u32 = 6;
const CONTRACTION_OFF: u32 = 31;
/// The word of a module that says below which number its ids are.
const BOUND: usize = 3;

/// Adds a kernel of a name that has the mode, unless there is one, and says whether it has done so. What is no whole module is left to the driver to refuse.
pub(super) fn keep(words: &mut Vec<u32>, name: &str) -> bool {
    let has_mode = |(_, opcode, operands): (usize, u16, &[u32])| {
        opcode == op::EXECUTION_MODE && matches!(operands, [_, CONTRACTION_OFF])
    };
    if instructions(words).any(has_mode) {
        return false;
    }
    let (mut model, mut entries, mut first_function) = (None, None, None);
    let (mut void, mut function) = (None, None);
    for (start, opcode, operands) in instructions(words) {
        let end = start + operands.len() + 1;
        match (opcode, operands) {
            (op::MEMORY_MODEL, _) => model = Some(end),
            (op::ENTRY_POINT, _) => entries = Some(end),
            (op::TYPE_VOID, [id]) => void = Some(*id),
            (op::TYPE_FUNCTION, [id, result]) if Some(*result) == void => function = Some(*id),
            (op::FUNCTION, _) => {
                first_function.get_or_insert(start);
            }
            _ => {}
        }
    }
    let (Some(model), Some(bound)) = (model, words[BOUND].checked_add(4)) else { return false };
    let fresh = words[BOUND];
    let (kernel, label) = (fresh, fresh + 1);
    let mut types = Vec::new();
    let void = void.unwrap_or_else(|| {
        types.extend(instruction(op::TYPE_VOID, &[fresh + 2]));
        fresh + 2
    });
    let function = function.unwrap_or_else(|| {
        types.extend(instruction(op::TYPE_FUNCTION, &[fresh + 3, void]));
        fresh + 3
    });
    let mut entry = vec![KERNEL, kernel];
    entry.extend(text(name));
    let mut entry = instruction(op::ENTRY_POINT, &entry);
    entry.extend(instruction(op::EXECUTION_MODE, &[kernel, CONTRACTION_OFF]));
    let before_functions = first_function.unwrap_or(words.len());
    for (opcode, operands) in [
        (op::FUNCTION, &[void, kernel, 0, function][..]),
        (op::LABEL, &[label]),
        (op::RETURN, &[]),
        (op::FUNCTION_END, &[]),
    ] {
        words.extend(instruction(opcode, operands));
    }
    // From the end on, so that the places stay what they are.
    words.splice(before_functions..before_functions, types);
    let after_entries = entries.unwrap_or(model);
    words.splice(after_entries..after_entries, entry);
    words[BOUND] = bound;
    true
}

fn instruction(opcode: u16, operands: &[u32]) -> Vec<u32> {
    let mut words = vec![(operands.len() as u32 + 1) << 16 | u32::from(opcode)];
    words.extend(operands);
    words
}

/// A string: bytes from the lowest of each word on, with a zero at the end.
fn text(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(bytes.len() / 4 * 4 + 4, 0);
    let (words, _) = bytes.as_chunks::<4>();
    words.iter().map(|word| u32::from_le_bytes(*word)).collect()
}
