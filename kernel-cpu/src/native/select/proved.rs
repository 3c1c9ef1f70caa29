//! Accesses of local memory that cannot fail: those of all lanes at addresses whose ranges are within it.
//!
//! Where lanes may be missing, what is in theirs is not known, and accesses are checked.

use super::Selector;
use super::memory::Addresses;
use crate::program::{ConvertOp, Inst, Kind, Preset, Space, Value};

/// Addresses that are made of each other in more steps are not looked at.
const MAX_STEPS: usize = 16;
/// Numbers of 32 bits that are less are the same with a sign and without, and do not wrap between lanes.
const HALF: u64 = 1 << 31;

impl Selector<'_> {
    /// Where an access is that needs no check.
    pub(super) fn proved(&mut self, kind: Kind, space: Space, address: Value) -> Option<Addresses> {
        if !self.is_within_local(kind, space, address) {
            return None;
        }
        match self.stride(address) {
            Some(stride) => {
                let (base, offset) = self.base_of(address, stride);
                let offset = i32::try_from(offset).ok()?;
                Some(Addresses::Apart(self.s(base), stride, offset))
            }
            None => self.indexed(address).map(|indexed| self.addresses_of(indexed)),
        }
    }

    /// Whether all lanes are here, and access local memory that there is.
    pub(super) fn is_within_local(&self, kind: Kind, space: Space, address: Value) -> bool {
        let all_lanes = self.here[..self.strips].iter().all(Option::is_none);
        let reads = space == Space::Local && all_lanes && !self.reads_shadow(address);
        reads && self.is_steady(address) && self.ends_within(address, kind.size()).is_some()
    }

    /// Whether bytes from an address on are in the arena of local memory: at a distance from its start that is within it.
    fn ends_within(&self, address: Value, size: u32) -> Option<()> {
        let (mut at, mut low, mut high) = (address, 0_i64, i64::from(size));
        for _ in 0..MAX_STEPS {
            if let Some(Preset::Local(start)) = self.preset[at.0 as usize] {
                let (low, high) = (low.checked_add(start.into())?, high.checked_add(start.into())?);
                return (low >= 0 && high <= i64::from(self.program.local_bytes)).then_some(());
            }
            let Some(Inst::Address { base, index, scale, offset, .. }) = self.defined[at.0 as usize] else {
                return None;
            };
            let index = self.facts.ranges.at(index, self.block)?;
            let ends = [index.low, index.high].map(|end| i64::try_from(end).ok()?.checked_mul(scale));
            let ends = [ends[0]?, ends[1]?];
            low = low.checked_add(offset)?.checked_add(ends[0].min(ends[1]))?;
            high = high.checked_add(offset)?.checked_add(ends[0].max(ends[1]))?;
            at = base;
        }
        None
    }

    /// Whether no number of 32 bits that the address depends on wraps between lanes.
    fn is_steady(&self, address: Value) -> bool {
        let mut work = vec![address];
        for _ in 0..MAX_STEPS {
            let Some(value) = work.pop() else { return true };
            if !self.shapes.fragile[value.0 as usize] {
                continue;
            }
            let Some(mut inst) = self.defined[value.0 as usize] else { return false };
            if let Inst::Convert(ConvertOp::Zext | ConvertOp::Sext, Kind::I32, Kind::I64, _, x) = inst {
                let is_small = self.facts.ranges.at(x, self.block).is_some_and(|range| range.high < HALF);
                if !is_small || self.stride(x).is_some_and(|stride| stride.unsigned_abs() >= HALF) {
                    return false;
                }
            }
            inst.visit_operands(&mut |operand| work.push(*operand));
        }
        false
    }
}
