//! Functions of LLVM for which its translator knows no instruction, so that modules import them by their names.

use super::Lowering;
use crate::load::words::Instruction;
use crate::load::{Id, LoadError, Problem};
use crate::program::{CompareOp, Inst, IntOp, Kind, Value};

/// Asks for the class of a float: `i1 @llvm.is.fpclass.f32(float, i32)`, and of each float of a vector.
const IS_FLOAT_OF_CLASS: &str = "llvm.is.fpclass.";

/// Whether the driver has the function that a module imports by this name.
pub(crate) fn is_intrinsic(name: &str) -> bool {
    name.starts_with(IS_FLOAT_OF_CLASS)
}

/// How floats of a kind are laid out.
struct Layout {
    bits: Kind,
    sign: u64,
    infinity: u64,
    least_normal: u64,
    quiet: u64,
}

impl Layout {
    fn of(kind: Kind) -> Option<Self> {
        let (width, digits) = match kind {
            Kind::F16 => (16, 10),
            Kind::F32 => (32, 23),
            Kind::F64 => (64, 52),
            _ => return None,
        };
        let sign = 1_u64 << (width - 1);
        Some(Self {
            bits: kind.as_integer(),
            sign,
            infinity: sign - (1 << digits),
            least_normal: 1 << digits,
            quiet: 1 << (digits - 1),
        })
    }
}

impl Lowering<'_, '_> {
    /// A call of such a function, if it is one.
    pub(super) fn intrinsic(&mut self, inst: &Instruction<'_>, callee: Id) -> Result<bool, LoadError> {
        let is_it = self.module.decorations.imported.get(&callee).is_some_and(|name| is_intrinsic(name));
        if is_it {
            self.is_float_of_class(inst)?;
        }
        Ok(is_it)
    }

    fn is_float_of_class(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let &[_, _, _] = inst.operands else {
            return Err(inst.error(Problem::TypeMismatch("the call and the function")));
        };
        let ((kind, floats), classes) = (self.components(inst, 1)?, self.scalar(inst, 2)?);
        self.same_kind(inst, classes.0, Kind::I32)?;
        let layout =
            Layout::of(kind).ok_or_else(|| inst.error(Problem::TypeMismatch("floats are needed")))?;
        let values: Result<Vec<Value>, LoadError> =
            floats.iter().map(|&x| self.is_of_class(&layout, x, classes.1)).collect();
        self.define(inst, values?)
    }

    /// Whether the bit of a float's class is set. The bits are, from the lowest on: signalling NaN, quiet NaN, negative infinity, negative normal, negative subnormal,
    /// negative zero, and the positive ones from zero to infinity.
    fn is_of_class(&mut self, layout: &Layout, x: Value, classes: Value) -> Result<Value, LoadError> {
        let &Layout { bits, sign, least_normal, infinity, quiet } = layout;
        let one = self.constant(Kind::I32, 1);
        let rest = self.constant(bits, sign - 1);
        let size = self.emit(bits, |v| Inst::Int(IntOp::And, bits, v, [x, rest]))?;
        let mut class = self.constant(Kind::I32, 6);
        for least in [1, least_normal, infinity] {
            let is_beyond = self.is_at_least(bits, size, least)?;
            let next = self.integer(IntOp::Add, class, one)?;
            class = self.either(is_beyond, next, class)?;
        }
        // The sign is in the highest bit.
        let is_negative = self.is_at_least(bits, x, sign)?;
        let sum = self.constant(Kind::I32, 11);
        let negative = self.integer(IntOp::Sub, sum, class)?;
        class = self.either(is_negative, negative, class)?;
        let (is_nan, is_quiet) =
            (self.is_at_least(bits, size, infinity + 1)?, self.is_at_least(bits, size, infinity | quiet)?);
        let zero = self.constant(Kind::I32, 0);
        let nan = self.either(is_quiet, one, zero)?;
        class = self.either(is_nan, nan, class)?;
        let bit = self.integer(IntOp::LShr, classes, class)?;
        let bit = self.integer(IntOp::And, bit, one)?;
        self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::Ne, Kind::I32, v, [bit, zero]))
    }

    fn is_at_least(&mut self, bits: Kind, x: Value, least: u64) -> Result<Value, LoadError> {
        let least = self.constant(bits, least);
        self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::ULe, bits, v, [least, x]))
    }

    fn either(&mut self, condition: Value, first: Value, second: Value) -> Result<Value, LoadError> {
        self.emit(Kind::I32, |v| Inst::Select(Kind::I32, v, condition, [first, second]))
    }
}
