//! Constants, each declared once.

use super::ModuleEmitter;
use super::types::{SpirvType, computed};
use crate::ir::{Handle, Numeric, Type};
use kernel_core::Scalar;
use rspirv::dr::Operand;
use rspirv::spirv::{Op, Word};

/// What a constant is: the id of its type with its bits, or all zero for types of any shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Constant {
    Bits(Word, u64),
    Null(Word),
}

impl ModuleEmitter<'_> {
    /// The scalar with this bit pattern, zero-extended.
    pub(super) fn scalar_constant(&mut self, scalar: Scalar, bits: u64) -> Word {
        let ty = self.type_id(computed(scalar));
        let (op, operands) = match scalar {
            Scalar::Bool if bits == 0 => (Op::ConstantFalse, Vec::new()),
            Scalar::Bool => (Op::ConstantTrue, Vec::new()),
            _ => (Op::Constant, literal(scalar.bits(), bits)),
        };
        self.constant(Constant::Bits(ty, bits), op, ty, operands)
    }

    /// The scalar with this bit pattern, or the vector with it in every lane.
    pub(super) fn splat_constant(&mut self, ty: Numeric, bits: u64) -> Word {
        let lane = self.scalar_constant(ty.scalar, bits);
        if ty.lanes == 1 {
            return lane;
        }
        let vector = self.numeric(ty);
        let lanes = vec![Operand::IdRef(lane); ty.lanes as usize];
        self.constant(Constant::Bits(vector, bits), Op::ConstantComposite, vector, lanes)
    }

    /// An integer of a width in bits.
    pub(super) fn int_constant(&mut self, width: u32, bits: u64) -> Word {
        let ty = self.type_id(SpirvType::Int(width));
        self.constant(Constant::Bits(ty, bits), Op::Constant, ty, literal(width, bits))
    }

    /// All zero bits, of the type of a value.
    pub(super) fn zero(&mut self, ty: Handle<Type>) -> Word {
        match self.ir.numeric(ty) {
            Some(ty) => self.splat_constant(ty, 0),
            None => {
                let ty = self.value_type(ty);
                self.null(ty)
            }
        }
    }

    /// All zero bits, of an aggregate or a pointer; tools take no OpConstantNull of a scalar.
    pub(super) fn null(&mut self, ty: Word) -> Word {
        self.constant(Constant::Null(ty), Op::ConstantNull, ty, Vec::new())
    }

    fn constant(&mut self, key: Constant, op: Op, ty: Word, operands: Vec<Operand>) -> Word {
        if let Some(&id) = self.constants.get(&key) {
            return id;
        }
        let id = self.sections.global(op, Some(ty), operands);
        self.constants.insert(key, id);
        id
    }
}

/// A literal is one word up to 32 bits and two words beyond; narrow ones are zero-extended, being without sign.
fn literal(width: u32, bits: u64) -> Vec<Operand> {
    match width {
        64 => vec![Operand::LiteralBit64(bits)],
        _ => vec![Operand::LiteralBit32(bits as u32)],
    }
}
