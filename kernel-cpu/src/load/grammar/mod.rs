//! What the grammar of SPIR-V says of instructions, as far as reading them needs it.
//!
//! The table is generated from the grammar that the compiler writes modules by. A module is only read here, for which that library would be
//! much to build.

mod generated;

pub(crate) use generated::Op;

use spirv::OpenclStd100Op;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The row of an opcode, or none if the grammar has no such instruction.
pub(crate) fn instruction(opcode: u32) -> Option<&'static Row> {
    static BY_OPCODE: LazyLock<HashMap<u32, &Row>> =
        LazyLock::new(|| generated::INSTRUCTIONS.iter().map(|row| (row.op as u32, row)).collect());
    BY_OPCODE.get(&opcode).copied()
}

/// Whether an argument of a function of OpenCL.std is a literal and no id.
pub(crate) fn is_literal(function: u32, argument: usize) -> bool {
    let literals = generated::LITERALS.iter();
    literals.into_iter().any(|&(op, position)| op as u32 == function && position == argument)
}

/// An instruction.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) op: Op,
    /// The name of the opcode without its prefix.
    pub(crate) name: &'static str,
    pub(crate) has_type: bool,
    pub(crate) has_result: bool,
    /// The operands after type and result.
    pub(crate) operands: &'static [Operand],
}

impl Row {
    /// How many words the operands after type and result take at least.
    pub(crate) fn required(&self) -> usize {
        self.operands.iter().filter(|operand| matches!(operand, Operand::One(_))).count()
    }
}

/// An operand, and how often it stands there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand {
    /// Once.
    One(Kind),
    /// Once or not at all.
    Optional(Kind),
    /// Any number of times.
    Repeated(Kind),
}

impl Operand {
    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::One(kind) | Self::Optional(kind) | Self::Repeated(kind) => kind,
        }
    }
}

/// What words an operand has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// An id.
    Id,
    /// Two ids.
    IdAndId,
    /// An id and a literal.
    IdAndLiteral,
    /// A literal as wide as the first operand of the instruction, and an id.
    LiteralAndId,
    /// One word that is no id.
    Literal,
    /// A literal string.
    Text,
    /// A mask, and the ids that it announces.
    ImageOperands,
    /// An opcode, and the operands of the constant that it computes.
    Constant,
    /// A function of an extended instruction set, and its arguments.
    Function,
    /// Words until the end of the instruction, none of which is an id.
    Literals,
}

/// What stands before the operands of an instruction.
#[derive(Clone, Copy, Debug)]
enum Lead {
    Nothing,
    /// The result.
    Result,
    /// The type of the result, and the result.
    Typed,
}

/// Makes the opcodes and the table of instructions from a line for each: the opcode and its number, what stands before the operands, and the operands.
macro_rules! instructions {
    ($($op:ident = $number:literal ($lead:ident)[$($quantifier:ident $kind:ident),*];)*) => {
        /// An opcode, by its name without the prefix.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(clippy::enum_variant_names, reason = "the instructions have their names of the specification")]
        pub(crate) enum Op {
            $($op = $number),*
        }

        pub(super) static INSTRUCTIONS: &[Row] = &[$(Row {
            op: Op::$op,
            name: stringify!($op),
            has_type: matches!(Lead::$lead, Lead::Typed),
            has_result: !matches!(Lead::$lead, Lead::Nothing),
            operands: &[$(Operand::$quantifier(Kind::$kind)),*],
        }),*];
    };
}

use instructions;

/// The position of an argument of OpenCL.std that is a literal.
type LiteralArgument = (OpenclStd100Op, usize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_the_operands_is_known() {
        let lead = |op: Op| instruction(op as u32).map(|row| (row.has_type, row.has_result, row.required()));
        assert_eq!(lead(Op::Load), Some((true, true, 1)));
        assert_eq!(lead(Op::TypeInt), Some((false, true, 2)));
        assert_eq!(lead(Op::Store), Some((false, false, 2)));
        assert_eq!(lead(Op::FunctionCall), Some((true, true, 1)));
        assert_eq!(instruction(0xffff).map(|row| row.name), None);
    }

    #[test]
    fn literals_among_the_arguments_of_functions_are_known() {
        let vloadn = OpenclStd100Op::vloadn as u32;
        assert_eq!([0, 1, 2, 3].map(|argument| is_literal(vloadn, argument)), [false, false, true, false]);
        assert!(!is_literal(OpenclStd100Op::fma as u32, 2));
    }
}
