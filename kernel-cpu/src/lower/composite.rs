//! Vectors, structs and arrays as values: taken apart, put together, rearranged.

use super::Lowering;
use super::operand::Operand;
use crate::load::types::Type;
use crate::load::words::Instruction;
use crate::load::{Id, LoadError, Problem};
use crate::program::{CompareOp, Inst, Kind, Value};

impl Lowering<'_, '_> {
    /// OpCompositeConstruct.
    pub(super) fn composite_construct(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let mut values = Vec::new();
        for index in 0..inst.operands.len() {
            values.extend(self.values(inst, index)?.1);
            if values.len() as u64 > crate::load::types::MAX_LEAVES {
                return Err(inst.error(Problem::TooLarge("a value of more than 65536 scalars")));
            }
        }
        if let (Ok(Type::Matrix(matrix)), &[value]) = (self.module.types.get(inst.result_type), &values[..]) {
            values = vec![value; matrix.length() as usize];
        }
        self.define(inst, values)
    }

    /// The scalars of a part, by literal indices, as a range of the scalars of the whole.
    fn part_of(
        &self,
        inst: &Instruction<'_>,
        ty: Id,
        indices: &[u32],
    ) -> Result<(Id, std::ops::Range<usize>), LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (mut part, mut start) = (ty, 0);
        for &index in indices {
            let (child, _, leaf) = self.module.types.child(part, index.into()).map_err(located)?;
            part = child;
            start += leaf;
        }
        let count = self.module.types.leaf_count(part).map_err(located)?;
        Ok((part, start as usize..(start + count) as usize))
    }

    /// OpCompositeExtract.
    pub(super) fn composite_extract(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (ty, values) = self.values(inst, 0)?;
        let (_, range) = self.part_of(inst, ty, inst.operands_from(1))?;
        self.define(inst, values[range].to_vec())
    }

    /// OpCompositeInsert.
    pub(super) fn composite_insert(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let ((part_ty, part), (ty, mut values)) = (self.values(inst, 0)?, self.values(inst, 1)?);
        let (place, range) = self.part_of(inst, ty, inst.operands_from(2))?;
        if place != part_ty || range.len() != part.len() {
            return Err(inst.error(Problem::TypeMismatch("the part and its place")));
        }
        values.splice(range, part);
        self.define(inst, values)
    }

    /// OpVectorShuffle.
    pub(super) fn vector_shuffle(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let ((kind, mut all), (other_kind, other)) = (self.components(inst, 0)?, self.components(inst, 1)?);
        self.same_kind(inst, kind, other_kind)?;
        all.extend(other);
        let unspecified = self.constant(kind, 0);
        let mut values = Vec::with_capacity(inst.operands.len() - 2);
        for &index in inst.operands_from(2) {
            values.push(match all.get(index as usize) {
                Some(&value) => value,
                None if index == u32::MAX => unspecified,
                None => {
                    let value = index.into();
                    return Err(inst.error(Problem::OutOfRange { what: "component", value }));
                }
            });
        }
        self.define(inst, values)
    }

    /// OpVectorExtractDynamic.
    pub(super) fn vector_extract_dynamic(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (_, values) = self.components(inst, 0)?;
        let mut result = values[0];
        for (index, &value) in values.iter().enumerate().skip(1) {
            let here = self.index_is(inst, 1, index)?;
            result = self.select_one(inst, here, value, result)?;
        }
        self.define(inst, vec![result])
    }

    /// OpVectorInsertDynamic.
    pub(super) fn vector_insert_dynamic(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (_, mut values) = self.components(inst, 0)?;
        let (_, component) = self.scalar(inst, 1)?;
        for (index, value) in values.iter_mut().enumerate() {
            let here = self.index_is(inst, 2, index)?;
            *value = self.select_one(inst, here, component, *value)?;
        }
        self.define(inst, values)
    }

    /// Whether an index operand has this value, as a boolean.
    fn index_is(&mut self, inst: &Instruction<'_>, operand: usize, index: usize) -> Result<Value, LoadError> {
        let (kind, value) = self.scalar(inst, operand)?;
        if kind.is_float() || kind == Kind::Bool {
            return Err(inst.error(Problem::TypeMismatch("an index must be an integer")));
        }
        let constant = self.constant(kind, index as u64);
        self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::Eq, kind, v, [value, constant]))
    }

    /// OpCopyObject and others whose result is their first operand.
    pub(super) fn copy_object(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        match self.operand(inst, 0)? {
            (_, Operand::Values(values)) => self.define(inst, values),
            (ty, place) => {
                self.alias(inst, ty, place);
                Ok(())
            }
        }
    }

    /// OpUndef and OpConstantNull in a body: all zero.
    pub(super) fn undefined(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let leaves = self.module.types.leaves(inst.result_type).map_err(|error| inst.error(error.problem))?;
        let values = leaves.iter().map(|&(kind, _)| self.constant(kind, 0)).collect();
        self.define(inst, values)
    }
}
