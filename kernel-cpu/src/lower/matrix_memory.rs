//! Matrices of subgroups in memory: how they lie there, and what of them is within bounds.

use super::Lowering;
use crate::load::grammar::Op;
use crate::load::types::Matrix;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::{CompareOp, ConvertOp, Inst, IntOp, Kind, Site, Space, Value};
use spirv::{CooperativeMatrixLayout, CooperativeMatrixUse};

/// Where the elements of a matrix are in memory.
struct Layout {
    address: Value,
    /// The bytes from line to line.
    stride: Value,
    lines: Lines,
    space: Space,
    site: Site,
    /// What is there of the lines, if elements may be beyond.
    bounds: Option<Bounds>,
}

/// What a line of memory has.
#[derive(Clone, Copy)]
enum Lines {
    Row,
    Column,
    /// This many rows, the elements of a column side by side.
    Rows(u64),
}

/// The part of memory that an instruction may access, which is as long as 64 bits can tell.
struct Bounds {
    /// The line, and the place in it, of the first element.
    start: [Value; 2],
    /// How many lines there are, and how many elements each has.
    size: [Value; 2],
}

/// The number of PackedINTEL among the layouts.
const PACKED: u64 = 2;

impl Lowering<'_, '_> {
    /// OpCooperativeMatrixLoadKHR and OpCooperativeMatrixLoadCheckedINTEL, for which what is beyond the bounds is zero.
    pub(super) fn load_matrix(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let matrix = self.matrix(inst, inst.result_type)?;
        let layout = match inst.op {
            Op::CooperativeMatrixLoadCheckedINTEL => {
                let bounds = self.bounds(inst, 1, 4)?;
                self.layout(inst, &matrix, [3, 6], Some(bounds))?
            }
            _ => self.layout(inst, &matrix, [1, 2], None)?,
        };
        let kind = self.matrix_kind(inst, &matrix)?;
        let mut values = Vec::new();
        for number in 0..matrix.length() {
            let (address, is_within) = self.element_address(&matrix, &layout, number)?;
            let is_in = self.is_in(&matrix, number)?;
            values.push(match (is_in, is_within) {
                (None, None) => self.load_scalar(kind, layout.space, address, layout.site)?,
                // Lanes without such an element take the first one.
                (Some(is_in), None) => {
                    let choice = [address, layout.address];
                    let address = self.emit(Kind::I64, |v| Inst::Select(Kind::I64, v, is_in, choice))?;
                    self.load_scalar(kind, layout.space, address, layout.site)?
                }
                (is_in, Some(is_within)) => {
                    let is_wanted = self.both(is_in, is_within)?;
                    let (loaded, zero) = (self.builder.new_variable(kind), self.constant(kind, 0));
                    self.builder.write(loaded, zero)?;
                    self.only_where(inst, is_wanted, |this| {
                        let value = this.load_scalar(kind, layout.space, address, layout.site)?;
                        Ok(this.builder.write(loaded, value)?)
                    })?;
                    self.builder.read(loaded)?
                }
            });
        }
        self.define(inst, values)
    }

    /// OpCooperativeMatrixStoreKHR and OpCooperativeMatrixStoreCheckedINTEL, which leaves out what is beyond the bounds.
    pub(super) fn store_matrix(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let is_checked = inst.op == Op::CooperativeMatrixStoreCheckedINTEL;
        let (ty, values) = self.values(inst, if is_checked { 3 } else { 1 })?;
        let matrix = self.matrix(inst, ty)?;
        let layout = match is_checked {
            true => {
                let bounds = self.bounds(inst, 1, 5)?;
                self.layout(inst, &matrix, [4, 7], Some(bounds))?
            }
            false => self.layout(inst, &matrix, [2, 3], None)?,
        };
        let kind = self.matrix_kind(inst, &matrix)?;
        for (number, &value) in (0..matrix.length()).zip(&values) {
            let (address, is_within) = self.element_address(&matrix, &layout, number)?;
            let store = Inst::Store { kind, space: layout.space, value, address, site: layout.site };
            let is_wanted = match (self.is_in(&matrix, number)?, is_within) {
                (is_in, Some(is_within)) => Some(self.both(is_in, is_within)?),
                (is_in, None) => is_in,
            };
            match is_wanted {
                None => self.builder.effect(store)?,
                Some(is_wanted) => {
                    self.only_where(inst, is_wanted, |this| Ok(this.builder.effect(store)?))?;
                }
            }
        }
        Ok(())
    }

    /// OpCooperativeMatrixConstructCheckedINTEL: all elements within the bounds have one value, and the others are zero.
    pub(super) fn construct_matrix(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let matrix = self.matrix(inst, inst.result_type)?;
        let bounds = self.bounds(inst, 0, 2)?;
        let kind = self.matrix_kind(inst, &matrix)?;
        let (ty, filled) = self.values(inst, 4)?;
        if ty != matrix.element {
            return Err(
                inst.error(Problem::TypeMismatch("the elements of a matrix and what it is filled with"))
            );
        }
        let zero = self.constant(kind, 0);
        let mut values = Vec::new();
        for number in 0..matrix.length() {
            let (row, column) = self.place_in(&matrix, number)?;
            let mut at = [self.unsigned(row)?, self.unsigned(column)?];
            let is_within = self.place_within(&bounds, &mut at)?;
            values.push(self.emit(kind, |v| Inst::Select(kind, v, is_within, [filled[0], zero]))?);
        }
        self.define(inst, values)
    }

    /// Where a load or a store finds the elements; these operands are the layout and the stride.
    fn layout(
        &mut self,
        inst: &Instruction<'_>,
        matrix: &Matrix,
        [layout_at, stride_at]: [usize; 2],
        bounds: Option<Bounds>,
    ) -> Result<Layout, LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (ty, pointer) = self.values(inst, 0)?;
        let (class, pointee) = self.module.types.pointer(ty).map_err(located)?;
        let space = match inst.result_type {
            0 => self.writable_space(inst, class)?,
            _ => self.space(inst, class)?,
        };
        let number = self.constant_operand(inst, layout_at)?;
        let lines = match number {
            PACKED if matrix.usage == CooperativeMatrixUse::MatrixBKHR => {
                // As many as there are in 32 bits.
                let size = self.module.types.size(matrix.element).map_err(located)?;
                Lines::Rows((4 / size.max(1)).max(1))
            }
            PACKED => {
                return Err(inst.error(Problem::Unsupported("packed matrices that are no second factor")));
            }
            number if number == CooperativeMatrixLayout::RowMajorKHR as u64 => Lines::Row,
            number if number == CooperativeMatrixLayout::ColumnMajorKHR as u64 => Lines::Column,
            _ => return Err(inst.error(Problem::Unsupported("this layout of a cooperative matrix"))),
        };
        let (kind, strides) = self.integers(inst, stride_at)?;
        let &[stride] = &self.resize(&strides, kind, Kind::I64, ConvertOp::Sext)?[..] else {
            return Err(inst.error(Problem::TypeMismatch("a stride is a scalar")));
        };
        let size = self.module.types.size(pointee).map_err(located)?;
        let size = self.constant(Kind::I64, size);
        let stride = self.long(IntOp::Mul, stride, size)?;
        Ok(Layout { address: pointer[0], stride, lines, space, site: Site(inst.offset), bounds })
    }

    /// The bounds that an instruction has; these operands and those behind each are where the matrix starts and how much there is.
    fn bounds(
        &mut self,
        inst: &Instruction<'_>,
        start_at: usize,
        size_at: usize,
    ) -> Result<Bounds, LoadError> {
        let mut scalar = |at, extension| {
            let (kind, values) = self.integers(inst, at)?;
            match self.resize(&values, kind, Kind::I64, extension)?[..] {
                [value] => Ok(value),
                _ => Err(inst.error(Problem::TypeMismatch("bounds are scalars"))),
            }
        };
        Ok(Bounds {
            start: [scalar(start_at, ConvertOp::Sext)?, scalar(start_at + 1, ConvertOp::Sext)?],
            size: [scalar(size_at, ConvertOp::Zext)?, scalar(size_at + 1, ConvertOp::Zext)?],
        })
    }

    /// The address of the lane's element of this number, and whether it is within bounds if there are any.
    fn element_address(
        &mut self,
        matrix: &Matrix,
        layout: &Layout,
        number: u64,
    ) -> Result<(Value, Option<Value>), LoadError> {
        let (row, column) = self.place_in(matrix, number)?;
        let (line, place) = match layout.lines {
            Lines::Row => (row, column),
            Lines::Column => (column, row),
            Lines::Rows(count) => {
                let count = self.constant(Kind::I32, count);
                let (line, near) =
                    (self.integer(IntOp::UDiv, row, count)?, self.integer(IntOp::URem, row, count)?);
                let far = self.integer(IntOp::Mul, column, count)?;
                (line, self.integer(IntOp::Add, far, near)?)
            }
        };
        let mut at = [self.unsigned(line)?, self.unsigned(place)?];
        let is_within = match &layout.bounds {
            Some(bounds) => Some(self.place_within(bounds, &mut at)?),
            None => None,
        };
        let [line, index] = at;
        let offset = self.long(IntOp::Mul, line, layout.stride)?;
        let base = self.long(IntOp::Add, layout.address, offset)?;
        let scale = self.module.types.size(matrix.element)? as i64;
        let address =
            self.emit(Kind::I64, |result| Inst::Address { result, base, index, scale, offset: 0 })?;
        Ok((address, is_within))
    }

    /// Moves a line and a place in it by where the matrix starts; whether there is such a place.
    fn place_within(&mut self, bounds: &Bounds, at: &mut [Value; 2]) -> Result<Value, LoadError> {
        for (at, start) in at.iter_mut().zip(bounds.start) {
            *at = self.long(IntOp::Add, *at, start)?;
        }
        let ([line, place], [lines, places]) = (*at, bounds.size);
        let compare = |ab| move |v| Inst::Compare(CompareOp::ULt, Kind::I64, v, ab);
        let is_line = self.emit(Kind::Bool, compare([line, lines]))?;
        let is_place = self.emit(Kind::Bool, compare([place, places]))?;
        self.both(Some(is_line), is_place)
    }

    fn both(&mut self, first: Option<Value>, second: Value) -> Result<Value, LoadError> {
        match first {
            Some(first) => self.emit(Kind::Bool, |v| Inst::Int(IntOp::And, Kind::Bool, v, [first, second])),
            None => Ok(second),
        }
    }

    /// A number of 32 bits without a sign as one of 64.
    fn unsigned(&mut self, x: Value) -> Result<Value, LoadError> {
        Ok(self.resize(&[x], Kind::I32, Kind::I64, ConvertOp::Zext)?[0])
    }
}
