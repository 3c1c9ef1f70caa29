//! The types of functions, as text that says all that two modules have to agree about.

use super::module::Instruction;
use std::collections::HashMap;

/// How deep a type may be nested; what is deeper, such as a struct that leads to itself, is not looked at.
const MAX_DEPTH: u32 = 6;

/// The instructions that declare types, by their ids.
#[derive(Default)]
pub(super) struct Types<'w>(HashMap<u32, Instruction<'w>>);

mod op {
    pub(super) const VOID: u16 = 19;
    pub(super) const BOOL: u16 = 20;
    pub(super) const INT: u16 = 21;
    pub(super) const FLOAT: u16 = 22;
    pub(super) const VECTOR: u16 = 23;
    pub(super) const ARRAY: u16 = 28;
    pub(super) const STRUCT: u16 = 30;
    pub(super) const POINTER: u16 = 32;
    pub(super) const FUNCTION: u16 = 33;
}

impl<'w> Types<'w> {
    /// Notes an instruction, if it declares a type.
    pub(super) fn add(&mut self, instruction: Instruction<'w>) {
        if matches!(instruction.opcode, op::VOID..=op::FUNCTION)
            && let Some(&id) = instruction.operands.first()
        {
            self.0.insert(id, instruction);
        }
    }

    /// The type of a function, as `(float, global float*) -> float`.
    pub(super) fn signature(&self, id: u32) -> Option<String> {
        let function = self.0.get(&id).filter(|function| function.opcode == op::FUNCTION)?;
        let [_, result, parameters @ ..] = function.operands else { return None };
        let parameters: Vec<_> = parameters.iter().map(|parameter| self.text(*parameter, 0)).collect();
        Some(format!("({}) -> {}", parameters.join(", "), self.text(*result, 0)))
    }

    fn text(&self, id: u32, depth: u32) -> String {
        let Some(ty) = self.0.get(&id).filter(|_| depth < MAX_DEPTH) else { return "_".to_owned() };
        match (ty.opcode, ty.operands) {
            (op::VOID, _) => "void".to_owned(),
            (op::BOOL, _) => "bool".to_owned(),
            (op::INT, [_, bits, ..]) => format!("int{bits}"),
            (op::FLOAT, [_, bits, ..]) => format!("float{bits}"),
            (op::VECTOR, [_, element, lanes]) => format!("{}x{lanes}", self.text(*element, depth + 1)),
            (op::ARRAY, [_, element, ..]) => format!("[{}]", self.text(*element, depth + 1)),
            (op::STRUCT, [_, members @ ..]) => {
                let members: Vec<_> = members.iter().map(|member| self.text(*member, depth + 1)).collect();
                format!("struct {{ {} }}", members.join(", "))
            }
            (op::POINTER, [_, class, to]) => {
                let space = match class {
                    0 => "constant",
                    4 => "local",
                    5 => "global",
                    7 => "private",
                    8 => "generic",
                    _ => "other",
                };
                format!("{space} {}*", self.text(*to, depth + 1))
            }
            (opcode, _) => format!("type {opcode}"),
        }
    }
}
