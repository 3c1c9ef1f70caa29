//! Constants, each declared once.

use super::ModuleEmitter;
use super::types::{SpirvType, computed};
use crate::ir::{Handle, Numeric, Type};
use kernel_core::Scalar;
use rspirv::dr::Operand;
use rspirv::spirv::{Op, Word};

/// What a constant is: the id of its type with its bits or with the constants that are its parts, or all zero for types of any shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Constant {
    Bits(Word, u64),
    Composite(Word, Vec<Word>),
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

    /// A constant that is this one unless the host sets another; each is one of its own.
    pub(super) fn specialization_constant(&mut self, scalar: Scalar, bits: u64) -> Word {
        let ty = self.type_id(computed(scalar));
        let (op, operands) = match scalar {
            Scalar::Bool if bits == 0 => (Op::SpecConstantFalse, Vec::new()),
            Scalar::Bool => (Op::SpecConstantTrue, Vec::new()),
            _ => (Op::SpecConstant, literal(scalar.bits(), bits)),
        };
        self.sections.global(op, Some(ty), operands)
    }

    /// The scalar with this bit pattern, or the vector with it in every lane.
    pub(super) fn splat_constant(&mut self, ty: Numeric, bits: u64) -> Word {
        match ty.lanes {
            1 => self.scalar_constant(ty.scalar, bits),
            lanes => self.vector_constant(ty, &vec![bits; lanes as usize]),
        }
    }

    /// The vector with these bit patterns in its lanes.
    pub(super) fn vector_constant(&mut self, ty: Numeric, lanes: &[u64]) -> Word {
        let lanes: Vec<_> = lanes.iter().map(|&bits| self.scalar_constant(ty.scalar, bits)).collect();
        let vector = self.numeric(ty);
        self.composite(vector, lanes)
    }

    /// A vector or an array of these constants.
    pub(super) fn composite(&mut self, ty: Word, parts: Vec<Word>) -> Word {
        let operands = parts.iter().copied().map(Operand::IdRef).collect();
        self.constant(Constant::Composite(ty, parts), Op::ConstantComposite, ty, operands)
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

    /// The bit pattern of a constant, if an id is that of a scalar one.
    pub(super) fn constant_bits(&self, id: Word) -> Option<u64> {
        self.constants.iter().find_map(|(constant, known)| match constant {
            Constant::Bits(_, bits) if *known == id => Some(*bits),
            _ => None,
        })
    }

    /// Returns whether an id is that of a constant.
    pub(super) fn is_constant(&self, id: Word) -> bool {
        self.constants.values().any(|constant| *constant == id)
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
