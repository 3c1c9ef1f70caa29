//! What addresses are counted from, by which accesses to neighbours are known.
//!
//! Neighbours have a base in common, or indices of 32 bits that are the same sum but for a number, as in `x[j * w + i - 1] + x[j * w + i + 1]`. Such an index may wrap
//! between two of them. If the one at the least address does not where it comes to the others, each other one is as far from it as the numbers say.

use super::{Selector, rows};
use crate::native::encode::Condition;
use crate::native::lir::{Anchor, Block, Inst as Machine, Place};
use crate::native::switches::Switch;
use crate::program::{ConvertOp, Inst, IntOp, Kind, LANES, Value};

/// Distances beyond these are no neighbours' ones.
const FAR: i64 = 1 << 20;
/// Sums of more steps are taken apart no further.
const MAX_STEPS: usize = 32;

/// What addresses of neighbours have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    /// They are at fixed distances from it.
    Value(Value),
    /// They are at fixed distances from a base and a sum of 32 bits, as often as `scale` says.
    Sum { base: Value, scale: i64, is_signed: bool, terms: Terms },
}

/// Numbers of 32 bits and how often each is added, in order.
type Terms = Vec<(Value, u32)>;

/// An address as a distance.
pub(super) struct Counted {
    pub(super) origin: Origin,
    /// In bytes, if the sum does not wrap.
    pub(super) offset: i64,
    /// If it is counted from a sum.
    pub(super) index: Option<Index>,
}

/// The index of an address.
#[derive(Clone, Copy)]
pub(super) struct Index {
    /// What it is counted from.
    base: Value,
    value: Value,
    is_signed: bool,
    /// What is added to the sum.
    pub(super) number: i32,
}

/// How the indices of neighbours must not wrap.
pub(super) struct Wrap {
    /// The index of one of them.
    index: Index,
    least: i32,
    greatest: i32,
}

impl Wrap {
    /// For neighbours in whose indices there are these numbers, among them that of `index`.
    pub(super) fn new(index: Index, numbers: impl Iterator<Item = i32>) -> Self {
        numbers.fold(Self { index, least: index.number, greatest: index.number }, |this, number| Self {
            least: this.least.min(number),
            greatest: this.greatest.max(number),
            ..this
        })
    }
}

impl Selector<'_> {
    /// What an address is counted from.
    pub(super) fn counted_from(&self, address: Value, stride: i64) -> Counted {
        let (base, offset) = self.base_of(address, stride);
        self.counted_from_sum(base, offset).unwrap_or(Counted {
            origin: Origin::Value(base),
            offset,
            index: None,
        })
    }

    /// The value that an address is at a fixed distance from, and the distance.
    pub(super) fn base_of(&self, address: Value, stride: i64) -> (Value, i64) {
        let Some(Inst::Address { base, index, scale, offset, .. }) = self.defined[address.0 as usize] else {
            return (address, 0);
        };
        let distance = match self.shapes.constant(index) {
            Some(index) => offset.wrapping_add((index as i64).wrapping_mul(scale)),
            None => return (address, 0),
        };
        let fits = distance.abs() < FAR && self.stride(base) == Some(stride) && !self.reads_shadow(base);
        if fits && self.shapes.constant(base).is_none() { (base, distance) } else { (address, 0) }
    }

    fn counted_from_sum(&self, address: Value, more: i64) -> Option<Counted> {
        let Inst::Address { base, index, scale, offset, .. } = self.defined[address.0 as usize]? else {
            return None;
        };
        let Inst::Convert(op @ (ConvertOp::Zext | ConvertOp::Sext), Kind::I32, Kind::I64, _, index) =
            self.defined[index.0 as usize]?
        else {
            return None;
        };
        let is_near = |distance: i64| distance.abs() < FAR;
        if !self.switches.has(Switch::Neighbours)
            || scale < 1
            || !is_near(offset)
            || self.stride(base).is_none()
        {
            return None;
        }
        self.stride(index).filter(|&stride| is_near(stride))?;
        if [address, base, index].into_iter().any(|value| self.reads_shadow(value)) {
            return None;
        }
        let (terms, number) = self.sum_of(index);
        let distance = i64::from(number).checked_mul(scale).filter(|&distance| is_near(distance))?;
        let is_signed = op == ConvertOp::Sext;
        let origin = Origin::Sum { base, scale, is_signed, terms };
        let index = Index { base, value: index, is_signed, number };
        Some(Counted { origin, offset: distance + offset + more, index: Some(index) })
    }

    /// A number of 32 bits as a sum, and the number that is known of it.
    fn sum_of(&self, index: Value) -> (Terms, i32) {
        let (mut terms, mut number) = (Terms::new(), 0_u32);
        let mut work = vec![(index, 1_u32)];
        let mut steps = MAX_STEPS;
        while let Some((value, times)) = work.pop() {
            if let Some(bits) = self.shapes.constant(value) {
                number = number.wrapping_add(times.wrapping_mul(bits as u32));
                continue;
            }
            let constant = |value| self.shapes.constant(value).map(|bits| bits as u32);
            let inst = self.defined[value.0 as usize].filter(|_| steps > 0);
            steps = steps.saturating_sub(1);
            match inst {
                Some(Inst::Int(IntOp::Add, Kind::I32, _, [a, b])) => work.extend([(a, times), (b, times)]),
                Some(Inst::Int(IntOp::Sub, Kind::I32, _, [a, b])) => {
                    work.extend([(a, times), (b, times.wrapping_neg())]);
                }
                Some(Inst::Int(IntOp::Mul, Kind::I32, _, [a, b])) => match (constant(a), constant(b)) {
                    (_, Some(factor)) => work.push((a, times.wrapping_mul(factor))),
                    (Some(factor), _) => work.push((b, times.wrapping_mul(factor))),
                    _ => terms.push((value, times)),
                },
                Some(Inst::Int(IntOp::Shl, Kind::I32, _, [a, b])) => match constant(b) {
                    Some(count) => work.push((a, times.wrapping_shl(count & 31))),
                    None => terms.push((value, times)),
                },
                _ => terms.push((value, times)),
            }
        }
        terms.sort_unstable();
        terms.dedup_by(|next, own| {
            let same = next.0 == own.0;
            if same {
                own.1 = own.1.wrapping_add(next.1);
            }
            same
        });
        terms.retain(|&(_, times)| times != 0);
        (terms, number as i32)
    }

    /// Leaves where addresses of neighbours are not as far from each other as the numbers in their indices say, or those of lanes as far apart as they should be.
    pub(super) fn check_wrap(&mut self, wrap: &Wrap, otherwise: Block) {
        let Index { base, value, is_signed, number } = wrap.index;
        self.guard(base, otherwise);
        let least = i64::from(wrap.least) - i64::from(number);
        self.leave_where_it_wraps(
            value,
            is_signed,
            least,
            i64::from(wrap.greatest) - i64::from(wrap.least),
            otherwise,
        );
    }

    /// Leaves where a number of 32 bits wraps as the lanes have it, with `least` and up to `span` more added to it.
    pub(super) fn leave_where_it_wraps(
        &mut self,
        value: Value,
        is_signed: bool,
        least: i64,
        span: i64,
        otherwise: Block,
    ) {
        let reach = self.stride(value).unwrap_or(0) * (LANES as i64 - 1);
        let (distance, span) = (least + reach.min(0), span + reach.abs());
        let mut first = self.s(value);
        if distance != 0 {
            let place = Place::at(Anchor::Var, distance as i32);
            let value = std::mem::replace(&mut first, self.general());
            self.push(Machine::row(rows::LEA32).def(first).at(place).base(value));
        }
        let (greatest, condition) = match is_signed {
            true => (i64::from(i32::MAX), Condition::Greater),
            false => (i64::from(u32::MAX), Condition::Above),
        };
        let test = Machine::row(rows::CMP32_IMMEDIATE).last(first).imm((greatest - span) as i32);
        self.continue_unless(test, condition, otherwise);
    }
}
