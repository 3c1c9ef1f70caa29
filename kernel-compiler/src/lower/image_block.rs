//! Blocks of images: the work-items of a subgroup access neighbouring bytes of rows, by one message.
//!
//! What the environment leaves undefined ("Notes and Restrictions" of `SPV_INTEL_subgroups`) is a fault, and nothing is accessed: texels of more than four bytes,
//! what is beyond the image, a write that does not start at a multiple of four bytes, and one by a subgroup that is not whole, of which the message would write all.

use super::FunctionLowering;
use super::builder::variable_place;
use super::control::empty;
use super::memory::Operand;
use super::requirement::Failure;
use crate::ir::{
    Collective, FormatQuery, Group, Handle, ImageBlock, ImageOp, Numeric, Op, Query, Statement, Value,
};
use crate::typed::Expr;
use kernel_core::image::{ChannelOrder, ChannelType};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};

/// The most bytes that a texel may have.
const MAX_TEXEL: u64 = 4;

const TOO_LARGE: &str = "the texels of an image block have 4 bytes at most";
const ODD_START: &str = "an image block is written from a multiple of 4 bytes on";
const NOT_WHOLE: &str = "an image block is written by a whole subgroup";

impl FunctionLowering<'_, '_, '_, '_> {
    /// `block_read(at)` and `block_write(at, value)` of an image, and their kin.
    pub(super) fn image_block(&mut self, expr: &Expr, image: Handle<Value>, operands: &[Expr]) -> Operand {
        let [at, value @ ..] = operands else { return Operand::Undefined };
        let [x, y] = self.coordinates(at)[..] else { return Operand::Undefined };
        let stored = value.first().map(|value| self.value(value));
        self.builder.span = expr.span;
        let accessed = match stored {
            Some(stored) => Some(self.builder.numeric_of(stored)),
            None => self.table.resolve(&expr.ty).numeric(),
        };
        let Some(Numeric { scalar, lanes }) = accessed else { return Operand::Undefined };
        let allowed = self.image_block_check(image, [x, y], (scalar, lanes), stored.is_some());
        let bits = if scalar.size() == 2 { Scalar::U16 } else { Scalar::U32 };
        let bytes = self.builder.constant(Scalar::Usize, scalar.size() as u64);
        let first = self.builder.binary(BinaryOp::Mul, x, bytes);
        let ty = self.builder.numeric_type(Numeric { scalar: bits, lanes });
        let result = self.builder.numeric_type(Numeric { scalar, lanes });
        let zero = self.builder.leaf(result, Op::Constant(0));
        let result = stored.is_none().then(|| self.builder.variable_of(zero));
        self.builder.open();
        let stored = stored.map(|stored| self.builder.bitcast(stored, bits));
        let block = ImageBlock { image, at: [first, y], stored };
        let read = self.builder.evaluate(ty, Op::Image(ImageOp::Block(block)));
        if let Some(result) = result {
            let read = self.builder.bitcast(read, scalar);
            self.builder.store(variable_place(result), read);
        }
        let accept = self.builder.close();
        self.builder.push(Statement::If { condition: allowed, accept, reject: empty() });
        match result {
            Some(result) => Operand::Value(self.builder.load_variable(result)),
            None => Operand::UNIT,
        }
    }

    /// Returns whether a block of so many rows may be accessed as numbers of a type.
    fn image_block_check(
        &mut self,
        image: Handle<Value>,
        [x, y]: [Handle<Value>; 2],
        (scalar, rows): (Scalar, u32),
        is_write: bool,
    ) -> Handle<Value> {
        let texel = self.texel_bytes(image);
        let builder = &mut *self.builder;
        let number = |builder: &mut super::Builder<'_, '_>, number| builder.constant(Scalar::Usize, number);
        let largest = number(builder, MAX_TEXEL);
        let fits = builder.binary(BinaryOp::Le, texel, largest);
        let [width, height] = [0, 1].map(|axis| builder.image_size(image, axis));
        let row = builder.binary(BinaryOp::Mul, width, texel);
        let shift = number(builder, scalar.size().trailing_zeros().into());
        let columns = builder.binary(BinaryOp::Shr, row, shift);
        let lanes = builder.group_query(Query::MaxSubgroupSize);
        let rows = number(builder, rows.into());
        let mut failures = vec![Failure::new(FaultKind::Panic, &[]).saying(TOO_LARGE).unless(fits)];
        let mut all = fits;
        if is_write {
            let size = builder.group_query(Query::SubgroupSize);
            let is_whole = builder.binary(BinaryOp::Eq, size, lanes);
            failures.push(Failure::new(FaultKind::Panic, &[]).saying(NOT_WHOLE).unless(is_whole));
            all = builder.binary(BinaryOp::And, all, is_whole);
        }
        if is_write && scalar.size() < 4 {
            let [one, zero] = [1, 0].map(|value| number(builder, value));
            let odd = builder.binary(BinaryOp::And, x, one);
            let is_aligned = builder.binary(BinaryOp::Eq, odd, zero);
            failures.push(Failure::new(FaultKind::Panic, &[]).saying(ODD_START).unless(is_aligned));
            all = builder.binary(BinaryOp::And, all, is_aligned);
        }
        let one = number(builder, 1);
        for (axis, (start, count, len)) in [(x, lanes, columns), (y, rows, height)].into_iter().enumerate() {
            let starts_inside = builder.binary(BinaryOp::Le, start, len);
            let rest = builder.binary(BinaryOp::Sub, len, start);
            let ends_inside = builder.binary(BinaryOp::Le, count, rest);
            let is_inside = builder.binary(BinaryOp::And, starts_inside, ends_inside);
            let end = builder.saturating_sum(start, count);
            let last = builder.binary(BinaryOp::Sub, end, one);
            let failure = Failure::new(FaultKind::IndexOutOfBounds, &[last, len]);
            failures.push(if axis == 0 { failure.unless(is_inside) } else { failure });
            all = builder.binary(BinaryOp::And, all, is_inside);
        }
        let all = builder.require(all, failures);
        // It is the same for all, but what images are asked for is not to each compiler.
        builder.collective(Group::Subgroup, Collective::All, &[all])
    }

    /// How many bytes a texel of an image has: a power of two, whose exponents are in tables by the numbers of the format.
    fn texel_bytes(&mut self, image: Handle<Value>) -> Handle<Value> {
        let types = ChannelType::ALL.map(|ty| (ty as u32, ty.size()));
        let orders = ChannelOrder::ALL.map(|order| (order as u32, order.channels().len()));
        let mut exponent = self.builder.constant(Scalar::Usize, 0);
        for (query, table) in [(FormatQuery::Type, table(&types)), (FormatQuery::Order, table(&orders))] {
            let ty = self.builder.scalar_type(Scalar::I32);
            let found = self.builder.evaluate(ty, Op::Image(ImageOp::Format(query, image)));
            let found = self.builder.cast(found, Scalar::Usize);
            let [table, one, mask] = [table, 1, 3].map(|value| self.builder.constant(Scalar::Usize, value));
            let shift = self.builder.binary(BinaryOp::Shl, found, one);
            let rest = self.builder.binary(BinaryOp::Shr, table, shift);
            let own = self.builder.binary(BinaryOp::And, rest, mask);
            exponent = self.builder.binary(BinaryOp::Add, exponent, own);
        }
        let one = self.builder.constant(Scalar::Usize, 1);
        self.builder.binary(BinaryOp::Shl, one, exponent)
    }
}

/// Two bits for each number: the exponent of the power of two that goes with it; what has none is too large.
fn table(entries: &[(u32, usize)]) -> u64 {
    entries.iter().fold(u64::MAX, |table, (position, size)| {
        table & !(3 << (2 * position)) | u64::from(size.trailing_zeros()) << (2 * position)
    })
}
