//! What the checks look up in a module.

use super::{Rule, Violation};
use rspirv::dr::{Function, Instruction, Module, Operand};
use rspirv::spirv::{FunctionParameterAttribute, Op, StorageClass, Word};
use std::collections::HashMap;
use std::iter::Copied;
use std::slice;

/// A module with an index of what its ids stand for, and of its instructions.
pub(super) struct Facts<'m> {
    pub(super) module: &'m Module,
    definitions: HashMap<Word, &'m Instruction>,
    instructions: Vec<&'m Instruction>,
    by_opcode: HashMap<Op, Vec<&'m Instruction>>,
}

/// Reports those instructions that do not satisfy a condition.
fn report<'m>(
    instructions: &[&'m Instruction],
    rule: Rule,
    violations: &mut Vec<Violation>,
    holds: &dyn Fn(&'m Instruction) -> bool,
) {
    for &instruction in instructions {
        if !holds(instruction) {
            violations.push(Violation::new(rule, instruction));
        }
    }
}

impl<'m> Facts<'m> {
    pub(super) fn new(module: &'m Module) -> Self {
        let instructions: Vec<_> = module.all_inst_iter().collect();
        let (mut definitions, mut by_opcode) = (HashMap::new(), HashMap::<_, Vec<_>>::new());
        for &instruction in &instructions {
            by_opcode.entry(instruction.class.opcode).or_default().push(instruction);
            if let Some(id) = instruction.result_id {
                definitions.insert(id, instruction);
            }
        }
        Self { module, definitions, instructions, by_opcode }
    }

    /// The instruction that defines an id.
    pub(super) fn definition(&self, id: Word) -> Option<&'m Instruction> {
        self.definitions.get(&id).copied()
    }

    /// The instructions with an opcode.
    pub(super) fn all(&self, op: Op) -> Copied<slice::Iter<'_, &'m Instruction>> {
        self.of_opcode(op).iter().copied()
    }

    fn of_opcode(&self, op: Op) -> &[&'m Instruction] {
        self.by_opcode.get(&op).map_or(&[], Vec::as_slice)
    }

    /// Reports those instructions with an opcode that do not satisfy a condition.
    pub(super) fn require(
        &self,
        op: Op,
        rule: Rule,
        violations: &mut Vec<Violation>,
        holds: impl Fn(&'m Instruction) -> bool,
    ) {
        report(self.of_opcode(op), rule, violations, &holds);
    }

    /// Reports those of all instructions that do not satisfy a condition.
    pub(super) fn require_of_all(
        &self,
        rule: Rule,
        violations: &mut Vec<Violation>,
        holds: impl Fn(&'m Instruction) -> bool,
    ) {
        report(&self.instructions, rule, violations, &holds);
    }

    /// The functions that are entry points.
    pub(super) fn kernels(&self) -> impl Iterator<Item = &'m Function> {
        let ids: Vec<_> = self.module.entry_points.iter().filter_map(|entry| id(entry, 1)).collect();
        self.module
            .functions
            .iter()
            .filter(move |function| function.def_id().is_some_and(|id| ids.contains(&id)))
    }

    /// The types of the parameters of kernels, with the parameters.
    pub(super) fn kernel_arguments(&self) -> impl Iterator<Item = (&'m Instruction, &'m Instruction)> {
        self.kernels()
            .flat_map(|kernel| &kernel.parameters)
            .filter_map(|parameter| Some((parameter, self.definition(parameter.result_type?)?)))
    }

    /// Returns whether a parameter is decorated as being passed by value.
    pub(super) fn is_by_value(&self, parameter: Word) -> bool {
        let by_value = Operand::FunctionParameterAttribute(FunctionParameterAttribute::ByVal);
        self.all(Op::Decorate).any(|decoration| {
            id(decoration, 0) == Some(parameter) && decoration.operands.get(2) == Some(&by_value)
        })
    }

    /// The type of the value that an id stands for.
    pub(super) fn type_of(&self, id: Word) -> Option<&'m Instruction> {
        self.definition(self.definition(id)?.result_type?)
    }

    /// The value of an integer constant.
    pub(super) fn constant(&self, id: Word) -> Option<u32> {
        let definition = self.definition(id)?;
        match (definition.class.opcode, definition.operands.first()) {
            (Op::Constant, Some(Operand::LiteralBit32(value))) => Some(*value),
            (Op::ConstantNull, _) => Some(0),
            _ => None,
        }
    }
}

/// The id in an operand.
pub(super) fn id(instruction: &Instruction, operand: usize) -> Option<Word> {
    match instruction.operands.get(operand) {
        Some(Operand::IdRef(id) | Operand::IdScope(id)) => Some(*id),
        _ => None,
    }
}

/// The number in an operand.
pub(super) fn number(instruction: &Instruction, operand: usize) -> Option<u32> {
    match instruction.operands.get(operand) {
        Some(Operand::LiteralBit32(number)) => Some(*number),
        _ => None,
    }
}

/// The storage class of a pointer type.
pub(super) fn pointer_class(ty: &Instruction) -> Option<StorageClass> {
    match ty.operands.first() {
        Some(Operand::StorageClass(class)) if ty.class.opcode == Op::TypePointer => Some(*class),
        _ => None,
    }
}
