//! Matrices that the work-items of a subgroup have together: SPV_KHR_cooperative_matrix.
//!
//! The elements are counted row by row, and lane `l` of a subgroup of `n` has those of the numbers `l`, `l + n`, `l + 2 n` and so on. Products are written out: where the columns of the
//! result are as many as the lanes or a multiple of it, each lane has whole columns of it, and takes of the second factor what it has itself, and of the first what one lane has for all.
//! Elsewhere each lane takes what it needs of both from other lanes.

use super::{Calls, Lowering};
use crate::load::types::{Matrix, Type};
use crate::load::words::Instruction;
use crate::load::{Id, LoadError, Problem};
use crate::program::{CompareOp, ConvertOp, Inst, IntOp, Kind, MathOp, Site, Space, Value};
use spirv::{CooperativeMatrixLayout, CooperativeMatrixOperands, CooperativeMatrixUse};

/// What a product does to its operands and its result.
struct Product {
    /// The kind of the result, and the one that is computed in.
    result: Kind,
    within: Kind,
    operands: CooperativeMatrixOperands,
}

/// Where the elements of a matrix are in memory.
struct Layout {
    address: Value,
    /// The bytes from row to row and from column to column: one of them as a value.
    stride: Value,
    is_by_rows: bool,
    space: Space,
    site: Site,
}

impl Lowering<'_, '_> {
    /// OpCooperativeMatrixLoadKHR.
    pub(super) fn load_matrix(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let matrix = self.matrix(inst, inst.result_type)?;
        let layout = self.layout(inst, 1, false)?;
        let kind = self.matrix_kind(inst, &matrix)?;
        let mut values = Vec::new();
        for number in 0..matrix.length() {
            let (row, column) = self.place_in(&matrix, number)?;
            let address = self.element_address(&matrix, &layout, row, column)?;
            values.push(match self.is_in(&matrix, number)? {
                None => self.load_scalar(kind, layout.space, address, layout.site)?,
                // Lanes without such an element take the first one.
                Some(is_in) => {
                    let choice = [address, layout.address];
                    let address = self.emit(Kind::I64, |v| Inst::Select(Kind::I64, v, is_in, choice))?;
                    self.load_scalar(kind, layout.space, address, layout.site)?
                }
            });
        }
        self.define(inst, values)
    }

    /// OpCooperativeMatrixStoreKHR.
    pub(super) fn store_matrix(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (ty, values) = self.values(inst, 1)?;
        let matrix = self.matrix(inst, ty)?;
        let layout = self.layout(inst, 2, true)?;
        let kind = self.matrix_kind(inst, &matrix)?;
        let located = |problem| inst.error(problem);
        for (number, &value) in (0..matrix.length()).zip(&values) {
            let (row, column) = self.place_in(&matrix, number)?;
            let address = self.element_address(&matrix, &layout, row, column)?;
            let Layout { space, site, .. } = layout;
            let store = Inst::Store { kind, space, value, address, site };
            match self.is_in(&matrix, number)? {
                None => self.builder.effect(store).map_err(located)?,
                Some(is_in) => {
                    self.only_where(inst, is_in, |this| this.builder.effect(store).map_err(located))?;
                }
            }
        }
        Ok(())
    }

    /// OpCooperativeMatrixLengthKHR: how many elements each lane has.
    pub(super) fn matrix_length(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let matrix = self.matrix(inst, inst.operand(0)?)?;
        let length = self.constant(Kind::I32, matrix.length());
        self.define(inst, vec![length])
    }

    /// OpMatrixTimesScalar, of matrices that a subgroup has together.
    pub(super) fn matrix_times_scalar(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (kind, _) = self.components(inst, 0)?;
        if kind.is_float() {
            return self.vector_times_scalar(inst);
        }
        let ((kind, values), (scalar_kind, scalar)) = (self.integers(inst, 0)?, self.integers(inst, 1)?);
        self.same_kind(inst, kind, scalar_kind)?;
        let scalars = vec![scalar[0]; values.len()];
        let values =
            self.binary(inst, kind, &values, &scalars, |v, ab| Inst::Int(IntOp::Mul, kind, v, ab))?;
        self.define(inst, values)
    }

    /// OpCooperativeMatrixMulAddKHR.
    pub(super) fn multiply_matrices(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let ((a_ty, a), (b_ty, b), (c_ty, c)) =
            (self.values(inst, 0)?, self.values(inst, 1)?, self.values(inst, 2)?);
        let (first, second) = (self.matrix(inst, a_ty)?, self.matrix(inst, b_ty)?);
        let (third, sum) = (self.matrix(inst, c_ty)?, self.matrix(inst, inst.result_type)?);
        let fits = first.usage == CooperativeMatrixUse::MatrixAKHR
            && second.usage == CooperativeMatrixUse::MatrixBKHR
            && [&third, &sum].iter().all(|matrix| matrix.usage == CooperativeMatrixUse::MatrixAccumulatorKHR)
            && first.columns == second.rows
            && [&third, &sum].iter().all(|sum| (sum.rows, sum.columns) == (first.rows, second.columns));
        if !fits {
            return Err(inst.error(Problem::TypeMismatch("the rows, columns and uses of the matrices")));
        }
        let bits = inst.operands.get(3).copied().unwrap_or(0);
        let operands = CooperativeMatrixOperands::from_bits(bits).ok_or_else(|| {
            inst.error(Problem::UnknownEnumerant {
                what: "set of operands of a cooperative matrix",
                value: bits,
            })
        })?;
        let product = self.product(inst, [a_ty, b_ty, c_ty], operands)?;
        let a =
            self.factor(inst, &product, a_ty, a, CooperativeMatrixOperands::MATRIX_A_SIGNED_COMPONENTS_KHR)?;
        let b =
            self.factor(inst, &product, b_ty, b, CooperativeMatrixOperands::MATRIX_B_SIGNED_COMPONENTS_KHR)?;
        let c =
            self.factor(inst, &product, c_ty, c, CooperativeMatrixOperands::MATRIX_C_SIGNED_COMPONENTS_KHR)?;
        let lanes = u64::from(sum.lanes);
        let values = if sum.columns.is_multiple_of(lanes) {
            self.columns_of_lanes(&product, &first, &sum, [&a, &b, &c])?
        } else {
            self.elements_of_lanes(&product, &first, &sum, [&a, &b, &c])?
        };
        let values =
            values.into_iter().map(|x| self.rounded_product(&product, x)).collect::<Result<_, _>>()?;
        self.define(inst, values)
    }

    /// The product where each lane has whole columns of it.
    fn columns_of_lanes(
        &mut self,
        product: &Product,
        first: &Matrix,
        sum: &Matrix,
        [a, b, c]: [&[Value]; 3],
    ) -> Result<Vec<Value>, LoadError> {
        let lanes = u64::from(sum.lanes);
        let per_row = sum.columns / lanes;
        let mut values = Vec::new();
        for row in 0..sum.rows {
            let mut sums: Vec<Value> = c[(row * per_row) as usize..][..per_row as usize].to_vec();
            for k in 0..first.columns {
                let number = row * first.columns + k;
                let lane = self.constant(Kind::I32, number % lanes);
                let x = self.taken_from_lane(a[(number / lanes) as usize], lane)?;
                for (part, sum) in sums.iter_mut().enumerate() {
                    let y = b[(k * per_row) as usize + part];
                    *sum = self.product_and_sum(product, x, y, *sum)?;
                }
            }
            values.extend(sums);
        }
        Ok(values)
    }

    /// The product where the elements that a lane has are in several columns.
    fn elements_of_lanes(
        &mut self,
        product: &Product,
        first: &Matrix,
        sum: &Matrix,
        [a, b, c]: [&[Value]; 3],
    ) -> Result<Vec<Value>, LoadError> {
        let (lanes, count) = (u64::from(sum.lanes), sum.rows * sum.columns);
        let shared = self.constant(Kind::I32, first.columns);
        let mut values = Vec::new();
        for (part, &value) in (0..).zip(c) {
            let (row, column) = self.place_in(sum, part)?;
            let start = self.integer(IntOp::Mul, row, shared)?;
            // The last lanes may have no elements of this number.
            let ends = [part * lanes, ((part + 1) * lanes).min(count) - 1].map(|number| number / sum.columns);
            let mut total = value;
            for k in 0..first.columns {
                let near = self.constant(Kind::I32, k);
                let number = self.integer(IntOp::Add, start, near)?;
                let x = self.element(product, a, lanes, number, ends.map(|row| row * first.columns + k))?;
                let near = self.constant(Kind::I32, k * sum.columns);
                let number = self.integer(IntOp::Add, column, near)?;
                let y =
                    self.element(product, b, lanes, number, [k * sum.columns, (k + 1) * sum.columns - 1])?;
                total = self.product_and_sum(product, x, y, total)?;
            }
            values.push(total);
        }
        Ok(values)
    }

    /// The elements of a factor whose numbers differ between lanes, of which the first and the last are known; any element where a number is beyond the last one.
    fn element(
        &mut self,
        product: &Product,
        values: &[Value],
        lanes: u64,
        number: Value,
        [least, most]: [u64; 2],
    ) -> Result<Value, LoadError> {
        let divisor = self.constant(Kind::I32, lanes);
        let (place, lane) =
            (self.integer(IntOp::UDiv, number, divisor)?, self.integer(IntOp::URem, number, divisor)?);
        let kind = product.within;
        let mut places = least / lanes..most / lanes + 1;
        let at = |place: u64| values[place as usize];
        let mut chosen = self.taken_from_lane(at(places.next().unwrap_or(0)), lane)?;
        for own in places {
            let taken = self.taken_from_lane(at(own), lane)?;
            let own = self.constant(Kind::I32, own);
            let is_it =
                self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::Eq, Kind::I32, v, [place, own]))?;
            chosen = self.emit(kind, |v| Inst::Select(kind, v, is_it, [taken, chosen]))?;
        }
        Ok(chosen)
    }

    fn product_and_sum(
        &mut self,
        product: &Product,
        x: Value,
        y: Value,
        sum: Value,
    ) -> Result<Value, LoadError> {
        let kind = product.within;
        if kind.is_float() {
            return self.emit(kind, |v| Inst::Math(MathOp::Fma, kind, v, [x, y, sum]));
        }
        let xy = self.emit(kind, |v| Inst::Int(IntOp::Mul, kind, v, [x, y]))?;
        self.emit(kind, |v| Inst::Int(IntOp::Add, kind, v, [xy, sum]))
    }

    /// In what a product is computed: floats in those of 32 or 64 bits, integers as those of the result, or as wider ones if the sum ends at the largest one.
    fn product(
        &mut self,
        inst: &Instruction<'_>,
        types: [Id; 3],
        operands: CooperativeMatrixOperands,
    ) -> Result<Product, LoadError> {
        let (result, _) = self.result_components(inst)?;
        let mut are_floats = [false; 4];
        for (is_float, ty) in are_floats.iter_mut().zip([types[0], types[1], types[2], inst.result_type]) {
            let located = |error: LoadError| inst.error(error.problem);
            let (kind, _) = self.module.types.components(ty).map_err(located)?;
            *is_float = kind.is_float() || self.is_bfloat(ty).map_err(located)?;
        }
        if are_floats != [are_floats[3]; 4] {
            return Err(inst.error(Problem::TypeMismatch("floats and integers in one product")));
        }
        let saturates = operands.contains(CooperativeMatrixOperands::SATURATING_ACCUMULATION_KHR);
        let within = match (are_floats[3], result) {
            (true, Kind::F64) => Kind::F64,
            (true, _) => Kind::F32,
            (false, Kind::I64) if saturates => {
                return Err(inst.error(Problem::Unsupported("saturation of integers of 64 bits")));
            }
            (false, _) if saturates => Kind::I64,
            (false, kind) => kind,
        };
        Ok(Product { result, within, operands })
    }

    /// The elements of a factor, or of what is added, as what is computed with.
    fn factor(
        &mut self,
        inst: &Instruction<'_>,
        product: &Product,
        ty: Id,
        values: Vec<Value>,
        signed: CooperativeMatrixOperands,
    ) -> Result<Vec<Value>, LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        if self.is_bfloat(ty).map_err(located)? {
            return values.into_iter().map(|x| self.bfloat_widened(x)).collect();
        }
        let (kind, _) = self.module.types.components(ty).map_err(located)?;
        if kind == product.within {
            return Ok(values);
        }
        if kind.size() > product.within.size() {
            return Err(inst.error(Problem::TypeMismatch("the elements of a factor and of the product")));
        }
        let op = match (kind.is_float(), product.operands.contains(signed)) {
            (true, _) => ConvertOp::FToF,
            (false, true) => ConvertOp::Sext,
            (false, false) => ConvertOp::Zext,
        };
        let to = product.within;
        self.unary(to, &values, |v, x| Inst::Convert(op, kind, to, v, x))
    }

    /// An element of a product as one of the result; halves are rounded where the result is defined.
    fn rounded_product(&mut self, product: &Product, x: Value) -> Result<Value, LoadError> {
        match product.result {
            // Of floats, the integer of 16 bits that a bfloat16 is kept as.
            Kind::I16 if product.within.is_float() => self.rounded_to_bfloat(x),
            kind if kind.is_float() || kind == product.within => Ok(x),
            kind => {
                let is_signed =
                    product.operands.contains(CooperativeMatrixOperands::MATRIX_RESULT_SIGNED_COMPONENTS_KHR);
                let bits = 8 * kind.size();
                let (least, most) = match is_signed {
                    true => (-1_i64 << (bits - 1), i64::MAX >> (64 - bits)),
                    false => (0, (u64::MAX >> (64 - bits)) as i64),
                };
                let [least, most] = [least, most].map(|end| self.constant(Kind::I64, end as u64));
                let x = self.emit(Kind::I64, |v| Inst::Int(IntOp::SMax, Kind::I64, v, [x, least]))?;
                let x = self.emit(Kind::I64, |v| Inst::Int(IntOp::SMin, Kind::I64, v, [x, most]))?;
                Ok(self.resize(&[x], Kind::I64, kind, ConvertOp::Zext)?[0])
            }
        }
    }

    /// A type that has to be that of a matrix, whose lanes have to be those of the kernel.
    fn matrix(&self, inst: &Instruction<'_>, ty: Id) -> Result<Matrix, LoadError> {
        let Type::Matrix(matrix) = self.module.types.get(ty).map_err(|error| inst.error(error.problem))?
        else {
            return Err(inst.error(Problem::Expected { what: "the type of a cooperative matrix", id: ty }));
        };
        if matches!(self.calls, Calls::Inlined) && matrix.lanes != self.subgroup_size {
            let what = "matrices in kernels whose subgroups have several sizes";
            return Err(inst.error(Problem::Unsupported(what)));
        }
        Ok(*matrix)
    }

    fn matrix_kind(&self, inst: &Instruction<'_>, matrix: &Matrix) -> Result<Kind, LoadError> {
        self.module.types.scalar(matrix.element).map_err(|error| inst.error(error.problem))
    }

    /// Where a load or a store finds the elements; the layout is the operand of this position, and the stride follows it.
    fn layout(&mut self, inst: &Instruction<'_>, at: usize, is_written: bool) -> Result<Layout, LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (ty, pointer) = self.values(inst, 0)?;
        let (class, pointee) = self.module.types.pointer(ty).map_err(located)?;
        let space = match is_written {
            true => self.writable_space(inst, class)?,
            false => self.space(inst, class)?,
        };
        let number = self.constant_operand(inst, at)?;
        let layout = u32::try_from(number).ok().and_then(CooperativeMatrixLayout::from_u32);
        let is_by_rows = match layout {
            Some(CooperativeMatrixLayout::RowMajorKHR) => true,
            Some(CooperativeMatrixLayout::ColumnMajorKHR) => false,
            _ => return Err(inst.error(Problem::Unsupported("this layout of a cooperative matrix"))),
        };
        let (kind, strides) = self.integers(inst, at + 1)?;
        let &[stride] = &self.resize(&strides, kind, Kind::I64, ConvertOp::Sext)?[..] else {
            return Err(inst.error(Problem::TypeMismatch("a stride is a scalar")));
        };
        let size = self.module.types.size(pointee).map_err(located)?;
        let size = self.constant(Kind::I64, size);
        let stride = self.long(IntOp::Mul, stride, size)?;
        Ok(Layout { address: pointer[0], stride, is_by_rows, space, site: Site(inst.offset) })
    }

    /// Row and column of the lane's element of this number.
    fn place_in(&mut self, matrix: &Matrix, number: u64) -> Result<(Value, Value), LoadError> {
        let (lanes, lane) = (u64::from(matrix.lanes), self.own_lane());
        let start = number * lanes;
        if matrix.columns.is_multiple_of(lanes) {
            let row = self.constant(Kind::I32, start / matrix.columns);
            let first = self.constant(Kind::I32, start % matrix.columns);
            return Ok((row, self.integer(IntOp::Add, first, lane)?));
        }
        let [start, columns] = [start, matrix.columns].map(|bits| self.constant(Kind::I32, bits));
        let place = self.integer(IntOp::Add, start, lane)?;
        let row = self.integer(IntOp::UDiv, place, columns)?;
        Ok((row, self.integer(IntOp::URem, place, columns)?))
    }

    /// Whether the lane has an element of this number, where not all lanes do.
    fn is_in(&mut self, matrix: &Matrix, number: u64) -> Result<Option<Value>, LoadError> {
        let (lanes, count) = (u64::from(matrix.lanes), matrix.rows * matrix.columns);
        if (number + 1) * lanes <= count {
            return Ok(None);
        }
        let (lane, rest) = (self.own_lane(), self.constant(Kind::I32, count - number * lanes));
        let compare = |v| Inst::Compare(CompareOp::ULt, Kind::I32, v, [lane, rest]);
        Ok(Some(self.emit(Kind::Bool, compare)?))
    }

    fn element_address(
        &mut self,
        matrix: &Matrix,
        layout: &Layout,
        row: Value,
        column: Value,
    ) -> Result<Value, LoadError> {
        let (major, minor) = if layout.is_by_rows { (row, column) } else { (column, row) };
        let major = self.resize(&[major], Kind::I32, Kind::I64, ConvertOp::Zext)?[0];
        let offset = self.long(IntOp::Mul, major, layout.stride)?;
        let base = self.long(IntOp::Add, layout.address, offset)?;
        let index = self.resize(&[minor], Kind::I32, Kind::I64, ConvertOp::Zext)?[0];
        let scale = self.module.types.size(matrix.element)? as i64;
        self.emit(Kind::I64, |result| Inst::Address { result, base, index, scale, offset: 0 })
    }
}
