//! Guards, as few comparisons as will do.
//!
//! What only some work-items pass is computed for each of them, and what all of them agree on once for all. So where an index has to be below several bounds on
//! which the work-items agree, it is compared with the least of these, and where something else has to hold that they agree on, the bound is the least number
//! unless it does: nothing is below that. Both say the same as the conjunction that they stand for. The least of several bounds takes no more than a second comparison where work-items do not agree on
//! them, and less in a loop that does not change them.

use super::kernel::{Ids, KernelEmitter};
use super::sum_below::SumBelow;
use crate::analysis::{Uniformity, number};
use crate::ir::{Handle, Math, Module, Op as IrOp, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use rspirv::spirv::{Op, Word};

/// What differs between work-items, and the bounds below which it has to be.
struct Guard {
    index: Handle<Value>,
    bounds: Vec<Handle<Value>>,
}

/// That a number is below a bound.
struct Comparison {
    index: Handle<Value>,
    bound: Handle<Value>,
    /// Whether the bound has 32 bits.
    is_short: bool,
}

/// What has to hold at once.
#[derive(Default)]
struct Conjunction {
    guards: Vec<Guard>,
    /// What work-items agree on.
    agreed: Vec<Handle<Value>>,
    others: Vec<Handle<Value>>,
}

/// Which conjunctions are parts of others.
pub(super) fn inner_conjunctions(module: &Module) -> Vec<bool> {
    let mut inner = vec![false; module.values.len()];
    for (value, _) in module.values.iter() {
        for operand in conjuncts(module, value).into_iter().flatten() {
            inner[operand.index()] |= conjuncts(module, operand).is_some();
        }
    }
    inner
}

/// The two operands of a conjunction.
fn conjuncts(module: &Module, value: Handle<Value>) -> Option<[Handle<Value>; 2]> {
    match module.values[value].op {
        IrOp::Binary { op: BinaryOp::And, left, right, .. }
            if module.scalar(module.values[value].ty) == Some(Scalar::Bool) =>
        {
            Some([left, right])
        }
        _ => None,
    }
}

impl KernelEmitter<'_, '_> {
    /// A conjunction that is no part of another, if it takes fewer comparisons than it has.
    pub(super) fn guard(&mut self, value: Handle<Value>) -> Option<Ids> {
        if self.inner_conjunctions[value.index()] {
            return None;
        }
        let mut terms = Vec::new();
        self.collect_conjuncts(value, &mut terms);
        let conjunction = self.conjunction(&terms)?;
        let bool = self.code.module.bool();
        let mut agreed: Vec<Word> = conjunction.agreed.iter().map(|term| self.id(*term)).collect();
        let mut words = Vec::new();
        for guard in &conjunction.guards {
            // The first comparison is enough to say what all agree on.
            words.push(self.below_all(guard, &std::mem::take(&mut agreed)));
        }
        words.extend(conjunction.others.iter().map(|term| self.id(*term)));
        words
            .into_iter()
            .reduce(|left, right| self.code.compute(Op::LogicalAnd, bool, &[left, right]))
            .map(Ids::One)
    }

    fn collect_conjuncts(&self, value: Handle<Value>, terms: &mut Vec<Handle<Value>>) {
        match conjuncts(self.ir, value) {
            Some(operands) => operands.iter().for_each(|operand| self.collect_conjuncts(*operand, terms)),
            None => terms.push(value),
        }
    }

    /// The terms by what they are, if comparisons can be spared.
    fn conjunction(&self, terms: &[Handle<Value>]) -> Option<Conjunction> {
        let mut found = Conjunction::default();
        let mut comparisons = Vec::new();
        for &term in terms {
            match self.bound(term) {
                Some(comparison) => comparisons.push((term, comparison)),
                None if self.is_agreed(term) => found.agreed.push(term),
                None => found.others.push(term),
            }
        }
        for (term, comparison) in &comparisons {
            let Comparison { index, bound, .. } = *comparison;
            let of_index = || comparisons.iter().filter(|(_, other)| other.index == index);
            // An index that is below a number of 32 bits is less than the greatest of them.
            let has_short = of_index().any(|(_, other)| other.is_short);
            let is_possible = has_short || self.fits_below(index) || !self.is_of_word(index);
            if !is_possible || of_index().count() == 1 && !self.is_agreed(bound) {
                found.others.push(*term);
                continue;
            }
            match found.guards.iter_mut().find(|guard| guard.index == index) {
                Some(guard) => guard.bounds.push(bound),
                None => found.guards.push(Guard { index, bounds: vec![bound] }),
            }
        }
        // What all agree on is said by a bound on which they agree too.
        let is_agreed = |guard: &Guard| guard.bounds.iter().all(|bound| self.is_agreed(*bound));
        match found.guards.iter().position(is_agreed) {
            Some(position) => found.guards.swap(0, position),
            None => found.others.append(&mut found.agreed),
        }
        let spares = !found.agreed.is_empty() || found.guards.iter().any(|guard| guard.bounds.len() > 1);
        (spares && !found.guards.is_empty()).then_some(found)
    }

    /// A comparison as what differs between work-items and the bound below which it is.
    fn bound(&self, term: Handle<Value>) -> Option<Comparison> {
        if SumBelow::of(self.ir, self.analysis, term).is_some() {
            return None;
        }
        let (index, bound) = match self.ir.values[term].op {
            IrOp::Binary { op: BinaryOp::Lt, left, right, .. } => (left, right),
            IrOp::Binary { op: BinaryOp::Gt, left, right, .. } => (right, left),
            _ => return None,
        };
        let is_integer = self.ir.scalar(self.ir.values[index].ty).is_some_and(Scalar::is_integer);
        let is_short = self.is_short_bound(bound);
        let index = number(self.ir, index);
        (is_integer && !self.is_agreed(index)).then_some(Comparison { index, bound, is_short })
    }

    /// Returns whether the work-items of a work-group have the same value.
    fn is_agreed(&self, value: Handle<Value>) -> bool {
        self.is_len_of_argument(value) || self.analysis.uniformity(value) <= Uniformity::WorkGroup
    }

    /// Returns whether an index is below all of its bounds, and what is agreed on holds.
    fn below_all(&mut self, guard: &Guard, agreed: &[Word]) -> Word {
        let (scalar, index) = self.compared_index(guard);
        let bounds: Vec<Word> =
            guard.bounds.iter().map(|bound| self.compared_bound(scalar, *bound)).collect();
        let least = bounds
            .into_iter()
            .reduce(|left, right| self.code.math(Math::Min, scalar.into(), &[left, right]))
            .unwrap_or_else(|| unreachable!("a guard has a bound"));
        let ty = self.code.module.numeric(scalar.into());
        let lowest = self.code.module.splat_constant(scalar.into(), lowest(scalar));
        let least = agreed
            .iter()
            .fold(least, |bound, holds| self.code.compute(Op::Select, ty, &[*holds, bound, lowest]));
        self.code.binary(BinaryOp::Lt, scalar.into(), index, least)
    }

    /// The type in which an index is compared, and the index in it.
    fn compared_index(&mut self, &Guard { index, ref bounds }: &Guard) -> (Scalar, Word) {
        if self.is_of_word(index) || bounds.iter().all(|bound| self.compares_low(index, *bound)) {
            return (Scalar::U32, self.word(index));
        }
        let (ty, word) = self.numeric_operand(index);
        (ty.scalar, word)
    }

    /// A bound in the type in which an index is compared with it: of 32 bits, the greatest of these if it is more.
    fn compared_bound(&mut self, scalar: Scalar, bound: Handle<Value>) -> Word {
        let is_long = self.ir.scalar(self.ir.values[bound].ty) == Some(Scalar::Usize);
        if scalar != Scalar::U32 || !is_long {
            return self.id(bound);
        }
        if self.fits(bound) {
            return self.low_half(bound);
        }
        match self.limit_of(bound) {
            Some(limit) => limit,
            None => {
                let long = self.id(bound);
                self.saturated(long, long)
            }
        }
    }

    /// Returns whether a bound has 32 bits.
    fn is_short_bound(&self, bound: Handle<Value>) -> bool {
        let is_word = self.ir.scalar(self.ir.values[bound].ty) == Some(Scalar::U32);
        let is_short_len = self.analysis.has_short_slices() && self.is_len_of_argument(bound);
        is_word || is_short_len || self.fits(bound)
    }

    fn is_len_of_argument(&self, value: Handle<Value>) -> bool {
        match self.ir.values[value].op {
            IrOp::Len(slice) => matches!(self.ir.values[slice].op, IrOp::Parameter(_)),
            _ => false,
        }
    }

    /// Returns whether an index is less than the greatest number of 32 bits, so that it can be compared in 32 bits with the lesser of that and a bound.
    fn fits_below(&self, index: Handle<Value>) -> bool {
        self.is_of_word(index)
            && self.analysis.range(index).is_some_and(|range| range.max < i128::from(u32::MAX))
    }

    /// Returns whether a number without a sign has 32 bits.
    fn is_of_word(&self, value: Handle<Value>) -> bool {
        self.fits(value) || self.ir.scalar(self.ir.values[value].ty) == Some(Scalar::U32)
    }

    /// A number of 32 bits.
    fn word(&mut self, value: Handle<Value>) -> Word {
        match self.ir.scalar(self.ir.values[value].ty) {
            Some(Scalar::U32) => self.id(value),
            _ => self.low_half(value),
        }
    }
}

/// The bits of the least number of a type.
fn lowest(scalar: Scalar) -> u64 {
    if scalar.is_signed() { 1 << (scalar.bits() - 1) } else { 0 }
}
