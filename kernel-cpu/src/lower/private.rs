//! Private memory whose size is known only when a kernel runs: SPV_INTEL_variable_length_array.
//!
//! It is taken from a piece at the end of each work-item's private memory, as a stack whose height is a variable of the draft. What does not fit in the piece is outside of private memory, which is found where it
//! is accessed.

use super::Lowering;
use crate::load::functions::Function;
use crate::load::grammar::Op;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::draft::Variable;
use crate::program::{ConvertOp, IntOp, Kind, Preset, Value};
use spirv::StorageClass;

/// How many bytes there are for variable-length arrays, in kernels that have any.
const PIECE: u64 = 16 << 10;

/// The end of the work-item's private memory, which is known when everything has been lowered.
pub(super) const PRIVATE_END: Preset = Preset::Private { start: u32::MAX, size: 0 };

/// The start of the piece.
const PIECE_START: Preset = Preset::Private { start: u32::MAX - 1, size: 0 };

/// What everything is aligned to.
const ALIGN: u64 = 16;

impl Lowering<'_, '_> {
    /// OpVariableLengthArrayINTEL.
    pub(super) fn variable_length_array(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let types = &self.module.types;
        let (class, element) = types.pointer(inst.result_type).map_err(located)?;
        if class != StorageClass::Function {
            return Err(inst.error(Problem::TypeMismatch("a variable-length array is in class Function")));
        }
        let size = types.size(element).map_err(located)?;
        let (kind, lengths) = self.integers(inst, 0)?;
        let &[length] = &self.resize(&lengths, kind, Kind::I64, ConvertOp::Zext)?[..] else {
            return Err(inst.error(Problem::TypeMismatch("a length is a scalar")));
        };
        // More than there is room for is as good as any number of that sort.
        let most = self.constant(Kind::I64, PIECE / size.max(1) + 1);
        let [size, round, mask] = [size, ALIGN - 1, !(ALIGN - 1)].map(|bits| self.constant(Kind::I64, bits));
        let length = self.long(IntOp::UMin, length, most)?;
        let bytes = self.long(IntOp::Mul, length, size)?;
        let bytes = self.long(IntOp::Add, bytes, round)?;
        let bytes = self.long(IntOp::And, bytes, mask)?;
        let height = self.stack_height();
        let before = self.builder.read(height).map_err(|problem| inst.error(problem))?;
        let after = self.long(IntOp::Add, before, bytes)?;
        let full = self.constant(Kind::I64, PIECE + ALIGN);
        let after = self.long(IntOp::UMin, after, full)?;
        self.builder.write(height, after).map_err(|problem| inst.error(problem))?;
        let start = self.builder.preset(Kind::I64, PIECE_START);
        let address = self.long(IntOp::Add, start, before)?;
        self.define(inst, vec![address])
    }

    /// OpSaveMemoryINTEL: where the next array will be.
    pub(super) fn save_memory(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let height = self.stack_height();
        let height = self.builder.read(height).map_err(|problem| inst.error(problem))?;
        let start = self.builder.preset(Kind::I64, PIECE_START);
        let top = self.long(IntOp::Add, start, height)?;
        self.define(inst, vec![top])
    }

    /// OpRestoreMemoryINTEL.
    pub(super) fn restore_memory(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (kind, top) = self.scalar(inst, 0)?;
        self.same_kind(inst, kind, Kind::I64)?;
        let start = self.builder.preset(Kind::I64, PIECE_START);
        let height = self.long(IntOp::Sub, top, start)?;
        // What was not saved here may be anything.
        let full = self.constant(Kind::I64, PIECE + ALIGN);
        let height = self.long(IntOp::UMin, height, full)?;
        let variable = self.stack_height();
        self.builder.write(variable, height).map_err(|problem| inst.error(problem))
    }

    /// How much of the piece is in use: nothing where a kernel starts.
    fn stack_height(&mut self) -> Variable {
        match self.private_stack {
            Some(height) => height,
            None => *self.private_stack.insert(self.builder.new_variable(Kind::I64)),
        }
    }

    /// How much is in use where a function begins that takes some.
    pub(super) fn height_before(&mut self, function: &Function<'_>) -> Result<Option<Value>, LoadError> {
        let mut all = function.blocks.iter().flat_map(|block| &block.body);
        if !all.any(|inst| inst.op == Op::VariableLengthArrayINTEL) {
            return Ok(None);
        }
        let height = self.stack_height();
        Ok(Some(self.builder.read(height)?))
    }

    /// Gives back what a function has taken.
    pub(super) fn give_back(&mut self, before: Option<Value>) -> Result<(), LoadError> {
        if let (Some(before), Some(height)) = (before, self.private_stack) {
            self.builder.write(height, before)?;
        }
        Ok(())
    }

    /// Adds the piece to private memory, and puts the offsets in the place of what stands for them.
    pub(super) fn place_private(&mut self) -> Result<(), LoadError> {
        let start = self.private_bytes.next_multiple_of(ALIGN);
        if self.private_stack.is_some() {
            self.take_private(start + PIECE)?;
        }
        // As it is for one work-item it is for the next one, whose memory follows.
        self.take_private(self.private_bytes.next_multiple_of(self.private_align))?;
        let end = self.private_bytes as u32;
        let piece = Preset::Private { start: start as u32, size: PIECE as u32 };
        self.builder.replace_preset(PIECE_START, piece);
        self.builder.replace_preset(PRIVATE_END, Preset::Private { start: end, size: 0 });
        Ok(())
    }
}
