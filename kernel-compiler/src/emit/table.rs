//! Tables: variables in constant memory, each declared once, with what they hold.

use super::ModuleEmitter;
use super::types::stored;
use crate::ir::{Handle, Numeric, Table, Type};
use kernel_core::Scalar;
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, Op, StorageClass, Word};

impl ModuleEmitter<'_> {
    /// The variable that holds a table, which is declared on first use.
    pub(super) fn table(&mut self, table: Handle<Table>) -> Word {
        if let Some(&id) = self.tables.get(&table) {
            return id;
        }
        let Table { ty, bits } = &self.ir.tables[table];
        let initializer = self.stored_constant(*ty, bits);
        let pointee = self.memory_type(*ty);
        let pointer = self.pointer(StorageClass::UniformConstant, pointee);
        let operands =
            vec![Operand::StorageClass(StorageClass::UniformConstant), Operand::IdRef(initializer)];
        let id = self.sections.global(Op::Variable, Some(pointer), operands);
        let alignment = Operand::LiteralBit32(self.alignment(*ty));
        self.sections.decorate(id, Decoration::Constant, &[]);
        self.sections.decorate(id, Decoration::Alignment, &[alignment]);
        self.tables.insert(table, id);
        id
    }

    /// A constant as it is in memory, by the bit patterns of its scalars.
    fn stored_constant(&mut self, ty: Handle<Type>, bits: &[u64]) -> Word {
        let ir = self.ir;
        if let Type::Array { element, .. } = ir.types[ty] {
            let array = self.memory_type(ty);
            if bits.iter().all(|&bits| bits == 0) {
                return self.null(array);
            }
            let each = bits.chunks(ir.types.scalars(element) as usize);
            let elements = each.map(|part| self.stored_constant(element, part)).collect();
            return self.composite(array, elements);
        }
        let Numeric { scalar, lanes } = ir.numeric(ty).unwrap_or(Scalar::Usize.into());
        let values: Vec<_> = bits.iter().map(|&bits| self.stored_scalar(scalar, bits)).collect();
        match values[..] {
            [only] => only,
            _ => {
                let vector = self.lanes(stored(scalar), lanes);
                self.composite(vector, values)
            }
        }
    }

    fn stored_scalar(&mut self, scalar: Scalar, bits: u64) -> Word {
        match scalar {
            Scalar::Bool => self.int_constant(8, bits),
            other => self.scalar_constant(other, bits),
        }
    }
}
