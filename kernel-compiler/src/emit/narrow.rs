//! `usize` in 32 bits, where the analysis shows that nothing is lost.
//!
//! GPUs compute with 32 bits, and a sum or product of 64 bits takes several instructions. The low half of a sum, difference, product
//! or bitwise combination depends on the low halves of the operands only, so where the result fits in 32 bits, it is computed from those;
//! divisions, remainders and comparisons need operands that fit. So is it where nobody asks for more than the low half (`demand`). Each result is also extended to 64 bits where it is computed, for the uses
//! that need that; compilers drop what is not used. Variables that only ever hold such values have 32 bits.

use super::cast::Greatest;
use super::demand::{Demands, keeps_low_halves, short_count};
use super::kernel::{Ids, KernelEmitter};
use crate::analysis::{Analysis, Interval};
use crate::ir::{Base, Check, Handle, Math, Module, Op as IrOp, Place, Statement, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use rspirv::spirv::{Op, Word};

const NARROW: Interval = Interval::of(Scalar::U32);

/// Returns whether a value is a `usize` that fits in 32 bits whenever it is computed.
pub(super) fn fits(module: &Module, analysis: &Analysis, value: Handle<Value>) -> bool {
    let Value { ty, op, .. } = &module.values[value];
    module.scalar(*ty) == Some(Scalar::Usize)
        && match op {
            IrOp::Constant(bits) => u32::try_from(*bits).is_ok(),
            _ => analysis.range(value).is_some_and(|range| range.is_within(NARROW)),
        }
}

/// The greatest number that a value may be, if anything is known of it.
pub(super) fn greatest(module: &Module, analysis: &Analysis, value: Handle<Value>) -> Option<i128> {
    match module.values[value].op {
        IrOp::Constant(bits) => Some(bits.into()),
        _ => analysis.range(value).map(|range| range.max),
    }
}

/// Returns whether the low half of a `usize` compares as the whole of it does with whatever is no more than a number: also that of what has wrapped below zero, which is
/// beyond that number either way.
pub(super) fn compares_low(module: &Module, analysis: &Analysis, value: Handle<Value>, most: i128) -> bool {
    let wraps_beyond = |least: i128| -least + most <= NARROW.max;
    match module.values[value].op {
        _ if fits(module, analysis, value) => true,
        IrOp::Binary { op: BinaryOp::Sub, left, right, overflow: Check::Proved, .. } => {
            let both_fit = fits(module, analysis, left) && fits(module, analysis, right);
            both_fit && greatest(module, analysis, right).is_some_and(|greatest| wraps_beyond(-greatest))
        }
        IrOp::Cast(operand) if module.scalar(module.values[value].ty) == Some(Scalar::Usize) => {
            let from = module.scalar(module.values[operand].ty).filter(|from| from.is_integer());
            from.is_some_and(|from| from.bits() <= 32 && wraps_beyond(Interval::of(from).min))
        }
        _ => false,
    }
}

/// Which variables need 32 bits only, by their positions.
pub(super) fn narrow_variables(module: &Module, analysis: &Analysis, demands: &Demands) -> Vec<bool> {
    let is_usize = |variable: &crate::ir::Variable| module.scalar(variable.ty) == Some(Scalar::Usize);
    let mut narrow: Vec<bool> = module.variables.iter().map(|(_, variable)| is_usize(variable)).collect();
    module.body.for_each_statement(&mut |statement| {
        if let Statement::Store { place: Place { base: Base::Variable(variable), .. }, value } = statement {
            narrow[variable.index()] &= demands.is_low_variable(*variable) || fits(module, analysis, *value);
        }
    });
    // What is returned has the type that others know.
    if let Some(result) = module.export.and_then(|export| export.result) {
        narrow[result.index()] = false;
    }
    narrow
}

impl KernelEmitter<'_, '_> {
    pub(super) fn fits(&self, value: Handle<Value>) -> bool {
        fits(self.ir, self.analysis, value)
    }

    /// Returns whether a number compares with a bound that fits as their low halves do.
    pub(super) fn compares_low(&self, value: Handle<Value>, bound: Handle<Value>) -> bool {
        let most = greatest(self.ir, self.analysis, bound);
        self.fits(bound) && most.is_some_and(|most| compares_low(self.ir, self.analysis, value, most))
    }

    /// The low 32 bits of a `usize`.
    pub(super) fn low_half(&mut self, value: Handle<Value>) -> Word {
        if let Some(&half) = self.low_halves.get(&value) {
            return half;
        }
        match self.ir.values[value].op {
            IrOp::Constant(bits) => return self.code.module.int_constant(32, bits & u64::from(u32::MAX)),
            IrOp::Select { condition, accept, reject } => {
                // A choice that is known is the value itself.
                if let IrOp::Constant(holds) = self.ir.values[condition].op {
                    return self.low_half(if holds == 0 { reject } else { accept });
                }
            }
            _ => {}
        }
        let (wide, int) = (self.id(value), self.code.module.int(32));
        self.code.compute(Op::UConvert, int, &[wide])
    }

    /// The value whose low half is all there is to it.
    pub(super) fn extend(&mut self, value: Handle<Value>, half: Word) -> Word {
        self.low_halves.insert(value, half);
        let long = self.code.module.int(64);
        self.code.compute(Op::UConvert, long, &[half])
    }

    /// Returns whether the low half of a result is all that there is to it, or that is asked for.
    fn is_half(&self, value: Handle<Value>) -> bool {
        self.fits(value) || self.demands.is_low(value) && self.is_usize(value)
    }

    fn is_usize(&self, value: Handle<Value>) -> bool {
        self.ir.scalar(self.ir.values[value].ty) == Some(Scalar::Usize)
    }

    /// A value of type `usize`, or one that is made of such values, if it can be computed in 32 bits.
    pub(super) fn narrow(&mut self, value: Handle<Value>) -> Option<Ids> {
        match &self.ir.values[value].op {
            IrOp::Binary { .. } => {
                self.goes_on(value).or_else(|| self.sum_below(value)).or_else(|| self.narrow_binary(value))
            }
            IrOp::Cast(operand) => self.narrow_cast(value, *operand),
            IrOp::Select { condition, accept, reject } => {
                self.narrow_select(value, *condition, [*accept, *reject])
            }
            IrOp::Math(math @ (Math::Min | Math::Max), operands) => self.narrow_math(value, *math, operands),
            _ => None,
        }
    }

    /// An operator on `usize`, if it can be computed in 32 bits.
    fn narrow_binary(&mut self, value: Handle<Value>) -> Option<Ids> {
        use BinaryOp::{Div, Ge, Gt, Le, Lt, Rem, Shl, Shr};
        let IrOp::Binary { op, left, right, nonzero, overflow } = self.ir.values[value].op else {
            return None;
        };
        if !self.is_usize(left) || overflow != Check::Proved {
            return None;
        }
        let both_fit = self.fits(left) && self.fits(right);
        let is_possible = match op {
            Div | Rem => both_fit,
            Shr => both_fit && short_count(self.ir, right).is_some(),
            Shl => {
                let is_constant = self.is_half(value) && short_count(self.ir, right).is_some();
                is_constant || self.fits(value) && self.is_odd_constant(left)
            }
            other if keeps_low_halves(other) => self.is_half(value),
            Lt | Le | Gt | Ge => self.compares_low(left, right) || self.compares_low(right, left),
            other => both_fit && other.is_comparison(),
        };
        if !is_possible {
            return None;
        }
        let left = self.low_half(left);
        let u32 = Scalar::U32.into();
        let right = match short_count(self.ir, right).filter(|_| op.is_shift()) {
            Some(count) => self.code.module.int_constant(32, count),
            None if op.is_shift() => {
                let (ty, count) = self.numeric_operand(right);
                self.code.shift_count(u32, count, ty)
            }
            None => self.low_half(right),
        };
        let result = match op {
            Div | Rem => self.code.divide(op, u32, true, [left, right], [nonzero, overflow]),
            _ => self.code.binary(op, u32, left, right),
        };
        Some(Ids::One(if op.is_comparison() { result } else { self.extend(value, result) }))
    }

    /// Returns whether a number is an odd constant, of which a bit stays in 64 that are shifted by any count. So if what is left of it fits in 32, the count is less.
    fn is_odd_constant(&self, value: Handle<Value>) -> bool {
        matches!(self.ir.values[value].op, IrOp::Constant(bits) if bits % 2 == 1 && u32::try_from(bits).is_ok())
    }

    /// A conversion to or from `usize`. What is not less than nothing is extended by zeros.
    fn narrow_cast(&mut self, value: Handle<Value>, operand: Handle<Value>) -> Option<Ids> {
        let [from, to] = [operand, value].map(|value| self.ir.scalar(self.ir.values[value].ty));
        let (from, to) = (from?, to?);
        let is_short = if from.is_float() {
            self.fits(value)
        } else {
            from.is_integer() && from.bits() <= 32 && self.is_half(value)
        };
        if to == Scalar::Usize && is_short {
            let operand = self.id(operand);
            let half = self.code.cast(operand, from.into(), Scalar::U32);
            return Some(Ids::One(self.extend(value, half)));
        }
        let is_enough =
            if to.is_integer() { to.bits() <= 32 && self.is_half(operand) } else { self.fits(operand) };
        if from != Scalar::Usize || to == Scalar::Bool || !is_enough {
            return None;
        }
        let half = self.low_half(operand);
        Some(Ids::One(self.code.cast(half, Scalar::U32.into(), to)))
    }

    /// The float that a number is made of.
    fn float_of(&self, value: Handle<Value>) -> Option<Handle<Value>> {
        let IrOp::Cast(operand) = self.ir.values[value].op else { return None };
        let scalar = self.ir.scalar(self.ir.values[operand].ty)?;
        scalar.is_float().then_some(operand)
    }

    fn narrow_select(
        &mut self,
        value: Handle<Value>,
        condition: Handle<Value>,
        sides: [Handle<Value>; 2],
    ) -> Option<Ids> {
        if !self.is_usize(value)
            || !self.is_half(value)
            || self.code.module.ir.scalar(self.ir.values[condition].ty).is_none()
        {
            return None;
        }
        if matches!(self.ir.values[condition].op, IrOp::Constant(_)) {
            return None;
        }
        let condition = self.id(condition);
        let [accept, reject] = sides.map(|side| self.low_half(side));
        let int = self.code.module.int(32);
        let half = self.code.compute(Op::Select, int, &[condition, accept, reject]);
        Some(Ids::One(self.extend(value, half)))
    }

    /// The lesser or the greater of two numbers that fit.
    fn narrow_math(&mut self, value: Handle<Value>, math: Math, operands: &[Handle<Value>]) -> Option<Ids> {
        let &[left, right] = operands else { return None };
        let is_float = |operand| self.float_of(operand).is_some() && math == Math::Min;
        let is_possible =
            self.fits(left) && (self.fits(right) || is_float(right)) || self.fits(right) && is_float(left);
        if !self.is_usize(value) || !is_possible {
            return None;
        }
        let operands = [(left, right), (right, left)].map(|(operand, other)| {
            match self.float_of(operand).filter(|_| !self.fits(operand)) {
                Some(float) => self.low_half_of_float(float, other),
                None => self.low_half(operand),
            }
        });
        let half = self.code.math(math, Scalar::U32.into(), &operands);
        Some(Ids::One(self.extend(value, half)))
    }

    /// A number of 32 bits whose minimum with another one that fits is that of a float as an integer. What is beyond 32 bits is the greatest number of these.
    fn low_half_of_float(&mut self, float: Handle<Value>, other: Handle<Value>) -> Word {
        let most = greatest(self.ir, self.analysis, other);
        let (from, float) = self.numeric_operand(float);
        if from.lanes == 1
            && let (Some(greatest), Some(most)) = (Greatest::of(from.scalar), most)
            && most <= greatest.number
        {
            return self.code.clamped_float_to_word(float, from.scalar, greatest);
        }
        self.code.cast(float, from, Scalar::U32)
    }
}
