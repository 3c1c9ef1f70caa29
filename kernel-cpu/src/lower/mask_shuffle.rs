//! The extended instruction set OpenCL.std: components in an order that is known at run time (`shuffle`, `shuffle2`).

use super::Lowering;
use super::opencl::FIRST;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::{CompareOp, Inst, IntOp, Kind, Value};

impl Lowering<'_, '_> {
    /// For each component of the mask, which comes last, the one of so many vectors that its lowest bits say.
    pub(super) fn shuffle_by_mask(
        &mut self,
        inst: &Instruction<'_>,
        vectors: usize,
    ) -> Result<(), LoadError> {
        let (kind, mut from) = self.components(inst, FIRST)?;
        for index in 1..vectors {
            let (other, more) = self.components(inst, FIRST + index)?;
            self.same_kind(inst, kind, other)?;
            // A vector of three counts as one of four, whose last component is anything.
            from.resize(from.len().next_power_of_two(), from[0]);
            from.extend(more);
        }
        from.resize(from.len().next_power_of_two(), from[0]);
        let (mask_kind, mask) = self.integers(inst, FIRST + vectors)?;
        let (result_kind, count) = self.result_components(inst)?;
        if result_kind.size() != kind.size() || count != mask.len() {
            return Err(inst.error(Problem::TypeMismatch("the result has a component for each of the mask")));
        }
        let values = mask.into_iter().map(|number| self.chosen(&from, mask_kind, number));
        let values = values.collect::<Result<_, _>>()?;
        self.define(inst, values)
    }

    /// One of so many values as there are numbers of some bits: each bit halves what is left.
    fn chosen(&mut self, from: &[Value], mask_kind: Kind, number: Value) -> Result<Value, LoadError> {
        let (mut left, mut bit) = (from.to_vec(), 1);
        let (kind, zero) = (self.builder.kind(from[0]), self.constant(mask_kind, 0));
        while left.len() > 1 {
            let test = self.constant(mask_kind, bit);
            let masked = self.emit(mask_kind, |v| Inst::Int(IntOp::And, mask_kind, v, [number, test]))?;
            let odd = |v| Inst::Compare(CompareOp::Ne, mask_kind, v, [masked, zero]);
            let odd = self.emit(Kind::Bool, odd)?;
            let pairs = left.chunks_exact(2);
            left = pairs
                .map(|pair| self.emit(kind, |v| Inst::Select(kind, v, odd, [pair[1], pair[0]])))
                .collect::<Result<_, _>>()?;
            bit *= 2;
        }
        Ok(left[0])
    }
}
