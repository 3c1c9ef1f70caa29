//! The extended instruction set OpenCL.std: functions that read or write memory.

use super::Lowering;
use super::opencl::FIRST;
use super::rounding::Direction;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::{ConvertOp, Inst, Kind, Site, Space, Value};
use spirv::{FPRoundingMode, OpenclStd100Op as Std};

impl<'w> Lowering<'_, 'w> {
    /// What [`Self::extended`] leaves.
    pub(super) fn memory_function(&mut self, inst: &Instruction<'w>, function: Std) -> Result<(), LoadError> {
        match function {
            Std::vloadn => self.vload(inst),
            Std::vstoren => self.vstore(inst),
            Std::vload_half | Std::vload_halfn => self.vload_half(inst, false),
            Std::vloada_halfn => self.vload_half(inst, true),
            Std::vstore_half | Std::vstore_halfn | Std::vstore_half_r | Std::vstore_halfn_r => {
                self.vstore_half(inst, false)
            }
            Std::vstorea_halfn | Std::vstorea_halfn_r => self.vstore_half(inst, true),
            Std::printf => self.printf(inst),
            // A prefetch is only a hint.
            Std::prefetch => Ok(()),
            _ => self.function_of_two_results(inst, function),
        }
    }

    /// The pointer operand at `index`: where it points and into which memory.
    pub(super) fn pointer(
        &mut self,
        inst: &Instruction<'_>,
        index: usize,
        written: bool,
    ) -> Result<(Value, Space), LoadError> {
        let (ty, values) = self.values(inst, index)?;
        let (class, _) = self.module.types.pointer(ty).map_err(|error| inst.error(error.problem))?;
        let space = if written { self.writable_space(inst, class)? } else { self.space(inst, class)? };
        Ok((values[0], space))
    }

    /// Loads consecutive components at `pointer + offset * count`.
    fn vload(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (kind, count) = self.result_components(inst)?;
        let (base, space) = self.pointer(inst, FIRST + 1, false)?;
        let stride = u64::from(kind.size());
        let start = self.indexed_address(inst, base, FIRST, stride * count as u64)?;
        let mut values = Vec::with_capacity(count);
        for index in 0..count as u64 {
            let address = self.offset_address(start, index * stride)?;
            values.push(self.load_scalar(kind, space, address, Site(inst.offset))?);
        }
        self.define(inst, values)
    }

    /// Stores consecutive components at `pointer + offset * count`.
    fn vstore(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (kind, values) = self.components(inst, FIRST)?;
        let (base, space) = self.pointer(inst, FIRST + 2, true)?;
        let stride = u64::from(kind.size());
        let start = self.indexed_address(inst, base, FIRST + 1, stride * values.len() as u64)?;
        for (index, &value) in values.iter().enumerate() {
            let address = self.offset_address(start, index as u64 * stride)?;
            self.effect(inst, Inst::Store { kind, space, value, address, site: Site(inst.offset) })?;
        }
        Ok(())
    }

    /// As [`Self::vload`], from halves; the aligned form counts a vector of three as four.
    fn vload_half(&mut self, inst: &Instruction<'_>, aligned: bool) -> Result<(), LoadError> {
        let (kind, count) = self.result_components(inst)?;
        if kind != Kind::F32 {
            return Err(inst.error(Problem::TypeMismatch("a half is loaded as a float of 32 bits")));
        }
        let (base, space) = self.pointer(inst, FIRST + 1, false)?;
        let start = self.indexed_address(inst, base, FIRST, half_vector_size(count, aligned))?;
        let mut values = Vec::with_capacity(count);
        let site = Site(inst.offset);
        for index in 0..count as u64 {
            let address = self.offset_address(start, 2 * index)?;
            let half = self.load_scalar(Kind::F16, space, address, site)?;
            values.push(self.emit(kind, |v| Inst::Convert(ConvertOp::FToF, Kind::F16, kind, v, half))?);
        }
        self.define(inst, values)
    }

    /// As [`Self::vstore`], to halves, rounded to nearest even unless there is a mode after the pointer.
    fn vstore_half(&mut self, inst: &Instruction<'_>, aligned: bool) -> Result<(), LoadError> {
        let (kind, values) = self.floats(inst, FIRST)?;
        let (base, space) = self.pointer(inst, FIRST + 2, true)?;
        let start = self.indexed_address(inst, base, FIRST + 1, half_vector_size(values.len(), aligned))?;
        let direction = match inst.operands.get(FIRST + 3) {
            Some(&number) => Direction::of(FPRoundingMode::from_u32(number).ok_or_else(|| {
                inst.error(Problem::UnknownEnumerant { what: "rounding mode", value: number })
            })?),
            None => None,
        };
        for (index, &value) in values.iter().enumerate() {
            let address = self.offset_address(start, 2 * index as u64)?;
            let near = |v| Inst::Convert(ConvertOp::FToF, kind, Kind::F16, v, value);
            let half = match direction {
                Some(direction) => self.narrowed(value, kind, Kind::F16, direction)?,
                None => self.emit(Kind::F16, near)?,
            };
            let (value, site) = (half, Site(inst.offset));
            self.effect(inst, Inst::Store { kind: Kind::F16, space, value, address, site })?;
        }
        Ok(())
    }

    fn effect(&mut self, inst: &Instruction<'_>, effect: Inst) -> Result<(), LoadError> {
        self.builder.effect(effect).map_err(|problem| inst.error(problem))
    }
}

/// The bytes from one vector of halves to the next.
fn half_vector_size(count: usize, aligned: bool) -> u64 {
    2 * if aligned { count.next_power_of_two() } else { count } as u64
}
