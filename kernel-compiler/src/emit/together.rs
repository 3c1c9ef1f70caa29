//! Checks that are made one after the other: one branch for all of them.
//!
//! Where several follow on one another, the work-item leaves if any of them fails, and which one it was is found out only then. A check that follows from another
//! of them, as that of `x[i]` does from that of `x[i + 2]`, is not made before that either.

use super::check::Guard;
use super::kernel::{Ids, KernelEmitter};
use super::narrow::greatest;
use super::wide_index::Below;
use crate::ir::{Base, Check, Handle, Index, Math, Op as IrOp, Place, Statement, Step, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use rspirv::spirv::{Op, Word};

/// An index into a slice, as a number and a constant that is added to it without wrapping.
#[derive(Clone, Copy)]
struct Sum {
    slice: Handle<Value>,
    number: Handle<Value>,
    addend: u64,
}

impl Sum {
    /// Returns whether this index is in bounds where another one is.
    fn follows_from(self, other: Self) -> bool {
        self.slice == other.slice && self.number == other.number && self.addend < other.addend
    }
}

impl<'ir> KernelEmitter<'ir, '_> {
    /// Emits the checks with which a list of statements begins, if there are several and work-items end where one fails, and gives the statements that follow them.
    pub(super) fn together(&mut self, statements: &'ir [Statement]) -> Option<&'ir [Statement]> {
        let places: Vec<_> = statements.iter().map_while(|statement| self.asked(statement)).collect();
        if places.len() < 2 || !self.code.ends_at_faults() {
            return None;
        }
        let sums: Vec<Option<Sum>> = places.iter().map(|(_, place)| self.sum(place)).collect();
        let follows = |sum: &Option<Sum>| {
            sum.is_some_and(|sum| sums.iter().flatten().any(|other| sum.follows_from(*other)))
        };
        let follows: Vec<bool> = sums.iter().map(follows).collect();
        let asked = places.iter().zip(&follows).filter(|(_, follows)| !**follows);
        let asked: Vec<&Place> = asked.map(|((_, place), _)| *place).collect();
        let all = self.all_are_there(&asked)?;
        let [reject, merge] = [self.code.label(), self.code.label()];
        self.code.branch_if(all, merge, reject);
        self.code.open(reject);
        // What is computed only here, compilers do not compute before.
        let guards: Vec<Guard> = places.iter().flat_map(|(_, place)| self.index_guards(place)).collect();
        self.code.keep_fault(&guards);
        self.code.end_at_fault();
        self.code.open(merge);
        let holds = self.code.module.splat_constant(Scalar::Bool.into(), 1);
        places.iter().for_each(|(value, _)| self.values[value.index()] = Some(Ids::One(holds)));
        Some(&statements[places.len()..])
    }

    /// The place of which a statement asks whether it is there.
    fn asked(&self, statement: &'ir Statement) -> Option<(Handle<Value>, &'ir Place)> {
        let Statement::Evaluate(value) = statement else { return None };
        match &self.ir.values[*value].op {
            IrOp::InBounds(place) => Some((*value, place)),
            _ => None,
        }
    }

    /// Returns whether all places are there. Conjunctions are dear on GPUs, since conditions have registers of their own, of which there are few. So of indices that have to be below the same
    /// the greatest is compared.
    fn all_are_there(&mut self, places: &[&Place]) -> Option<Word> {
        let (u32, bool) = (Scalar::U32.into(), self.code.module.bool());
        let mut numbers: Vec<(Handle<Value>, Below)> = Vec::new();
        let mut guards = Vec::new();
        for place in places {
            let index = self.only_index(place);
            let below = index.and_then(|(slice, index)| Some((slice, self.below(slice, index)?)));
            let Some((slice, below)) = below else {
                guards.extend(self.index_guards(place));
                continue;
            };
            match numbers.iter_mut().find(|(other, known)| *other == slice && known.of == below.of) {
                Some((_, known)) if known.number == below.number => {}
                Some((_, known)) => {
                    known.number = self.code.math(Math::Max, u32, &[known.number, below.number]);
                }
                None => numbers.push((slice, below)),
            }
        }
        let mut all = self.code.all_hold(&guards);
        for (_, Below { number, bound, .. }) in numbers {
            let holds = self.code.binary(BinaryOp::Lt, u32, number, bound);
            all = Some(all.map_or(holds, |all| self.code.compute(Op::LogicalAnd, bool, &[all, holds])));
        }
        all
    }

    /// The slice and the index of a place, if that is the only one that is checked.
    fn only_index(&self, place: &Place) -> Option<(Handle<Value>, Index)> {
        let (Base::Slice(slice), [Step::Index(index), rest @ ..]) = (place.base, &place.path[..]) else {
            return None;
        };
        let is_checked = |step: &Step| matches!(step, Step::Index(index) if index.check != Check::Proved);
        let is_only = index.check != Check::Proved && !rest.iter().any(is_checked);
        is_only.then_some((slice, *index))
    }

    /// The index of a place, if it is the only one that is checked.
    fn sum(&self, place: &Place) -> Option<Sum> {
        let (slice, index) = self.only_index(place)?;
        let (mut number, mut addend) = (index.index, 0_u64);
        while let IrOp::Binary { op: BinaryOp::Add, left, right, overflow: Check::Proved, .. } =
            self.ir.values[number].op
        {
            let constant = |value: Handle<Value>| match self.ir.values[value].op {
                IrOp::Constant(bits) => Some(bits),
                _ => None,
            };
            let Some((other, more)) =
                constant(right).map(|more| (left, more)).or_else(|| Some((right, constant(left)?)))
            else {
                break;
            };
            let most = greatest(self.ir, self.analysis, other).unwrap_or(u64::MAX.into());
            let Some(sum) = addend.checked_add(more) else { break };
            if most + i128::from(sum) > i128::from(u64::MAX) {
                break;
            }
            (number, addend) = (other, sum);
        }
        Some(Sum { slice, number, addend })
    }
}
