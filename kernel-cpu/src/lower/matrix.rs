//! Matrices that the work-items of a subgroup have together: SPV_KHR_cooperative_matrix, and SPV_INTEL_joint_matrix, which adds to it.
//!
//! The elements are counted row by row, and lane `l` of a subgroup of `n` has those of the numbers `l`, `l + n`, `l + 2 n` and so on. Products are written out: where the columns of the
//! result are as many as the lanes or a multiple of it, each lane has whole columns of it, and takes of the second factor what it has itself, and of the first what one lane has for all.
//! Elsewhere each lane takes what it needs of both from other lanes.

use super::{Calls, Lowering};
use crate::load::types::{Matrix, Type};
use crate::load::words::Instruction;
use crate::load::{Id, LoadError, Problem};
use crate::program::{CompareOp, ConvertOp, Inst, IntOp, Kind, MathOp, Value};
use spirv::{CooperativeMatrixOperands, CooperativeMatrixUse};

/// What a product does to its operands and its result.
struct Product {
    /// The kind of the result, and the one that is computed in.
    result: Kind,
    within: Kind,
    operands: CooperativeMatrixOperands,
}

/// What the operands of a product may say of the elements of one of its four matrices.
#[derive(Clone, Copy)]
struct Interpretation {
    /// Integers have a sign.
    signed: CooperativeMatrixOperands,
    /// Integers of 16 bits stand for bfloat16.
    bfloat: CooperativeMatrixOperands,
    /// Floats of 32 bits are rounded to the ten bits of fraction of TF32; none where nothing can say so.
    tf32: CooperativeMatrixOperands,
}

/// Both factors, what is added to their product, and the result. The bits for bfloat16 and TF32 are those of SPV_INTEL_joint_matrix.
const INTERPRETATIONS: [Interpretation; 4] = {
    type Operands = CooperativeMatrixOperands;
    let (bfloat, tf32) = (Operands::from_bits_retain(0x40), Operands::from_bits_retain(0x20));
    [
        Interpretation { signed: Operands::MATRIX_A_SIGNED_COMPONENTS_KHR, bfloat, tf32 },
        Interpretation { signed: Operands::MATRIX_B_SIGNED_COMPONENTS_KHR, bfloat, tf32 },
        Interpretation {
            signed: Operands::MATRIX_C_SIGNED_COMPONENTS_KHR,
            bfloat: Operands::from_bits_retain(0x80),
            tf32: Operands::NONE_KHR,
        },
        Interpretation {
            signed: Operands::MATRIX_RESULT_SIGNED_COMPONENTS_KHR,
            bfloat: Operands::from_bits_retain(0x100),
            tf32: Operands::NONE_KHR,
        },
    ]
};

/// All bits that the operands of a product can have.
const KNOWN_OPERANDS: u32 = 0x1ff;

impl Lowering<'_, '_> {
    /// OpCooperativeMatrixLengthKHR: how many elements each lane has.
    pub(super) fn matrix_length(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let matrix = self.matrix(inst, inst.operand(0)?)?;
        let length = self.constant(Kind::I32, matrix.length());
        self.define(inst, vec![length])
    }

    /// OpCooperativeMatrixGetElementCoordINTEL: row and column of the element that the lane has by this index.
    pub(super) fn matrix_coordinate(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (ty, _) = self.values(inst, 0)?;
        let matrix = self.matrix(inst, ty)?;
        let (kind, indices) = self.integers(inst, 1)?;
        let &[index] = &self.resize(&indices, kind, Kind::I32, ConvertOp::Zext)?[..] else {
            return Err(inst.error(Problem::TypeMismatch("the index of an element is a scalar")));
        };
        let [lanes, columns] =
            [matrix.lanes.into(), matrix.columns].map(|bits| self.constant(Kind::I32, bits));
        let start = self.integer(IntOp::Mul, index, lanes)?;
        let lane = self.own_lane();
        let place = self.integer(IntOp::Add, start, lane)?;
        let row = self.integer(IntOp::UDiv, place, columns)?;
        let column = self.integer(IntOp::URem, place, columns)?;
        self.define(inst, vec![row, column])
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
        if bits & !KNOWN_OPERANDS != 0 {
            return Err(inst.error(Problem::UnknownEnumerant {
                what: "set of operands of a cooperative matrix",
                value: bits,
            }));
        }
        let operands = CooperativeMatrixOperands::from_bits_retain(bits);
        let product = self.product(inst, [a_ty, b_ty, c_ty, inst.result_type], operands)?;
        let [of_a, of_b, of_c, _] = INTERPRETATIONS;
        let a = self.factor(inst, &product, a_ty, a, of_a)?;
        let b = self.factor(inst, &product, b_ty, b, of_b)?;
        let c = self.factor(inst, &product, c_ty, c, of_c)?;
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
        types: [Id; 4],
        operands: CooperativeMatrixOperands,
    ) -> Result<Product, LoadError> {
        let (result, _) = self.result_components(inst)?;
        let mut are_floats = [false; 4];
        for ((is_float, ty), interpretation) in are_floats.iter_mut().zip(types).zip(INTERPRETATIONS) {
            let located = |error: LoadError| inst.error(error.problem);
            let (kind, _) = self.module.types.components(ty).map_err(located)?;
            let is_bfloat = operands.contains(interpretation.bfloat);
            if is_bfloat && (kind != Kind::I16 || operands.contains(interpretation.signed)) {
                return Err(inst.error(Problem::TypeMismatch("integers of 16 bits stand for bfloat16")));
            }
            *is_float = kind.is_float() || is_bfloat || self.is_bfloat(ty).map_err(located)?;
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
        interpretation: Interpretation,
    ) -> Result<Vec<Value>, LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (kind, _) = self.module.types.components(ty).map_err(located)?;
        if product.operands.intersects(interpretation.tf32) {
            return match (kind, product.within) {
                (Kind::F32, Kind::F32) => values.into_iter().map(|x| self.rounded_to_tf32(x)).collect(),
                _ => Err(inst.error(Problem::TypeMismatch("floats of 32 bits stand for TF32"))),
            };
        }
        if product.operands.contains(interpretation.bfloat) || self.is_bfloat(ty).map_err(located)? {
            return values.into_iter().map(|x| self.bfloat_widened(x)).collect();
        }
        if kind == product.within {
            return Ok(values);
        }
        if kind.size() > product.within.size() {
            return Err(inst.error(Problem::TypeMismatch("the elements of a factor and of the product")));
        }
        let op = match (kind.is_float(), product.operands.contains(interpretation.signed)) {
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
    pub(super) fn matrix(&self, inst: &Instruction<'_>, ty: Id) -> Result<Matrix, LoadError> {
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

    pub(super) fn matrix_kind(&self, inst: &Instruction<'_>, matrix: &Matrix) -> Result<Kind, LoadError> {
        self.module.types.scalar(matrix.element).map_err(|error| inst.error(error.problem))
    }

    /// Row and column of the lane's element of this number.
    pub(super) fn place_in(&mut self, matrix: &Matrix, number: u64) -> Result<(Value, Value), LoadError> {
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
    pub(super) fn is_in(&mut self, matrix: &Matrix, number: u64) -> Result<Option<Value>, LoadError> {
        let (lanes, count) = (u64::from(matrix.lanes), matrix.rows * matrix.columns);
        if (number + 1) * lanes <= count {
            return Ok(None);
        }
        let (lane, rest) = (self.own_lane(), self.constant(Kind::I32, count - number * lanes));
        let compare = |v| Inst::Compare(CompareOp::ULt, Kind::I32, v, [lane, rest]);
        Ok(Some(self.emit(Kind::Bool, compare)?))
    }
}
