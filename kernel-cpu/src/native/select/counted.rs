//! Accesses at an index from where an argument points: the index is compared with how many there are, which is one instruction and a branch.
//!
//! How many there are follows from the pointer and the allocation, and is in the context from the start of the launch.

use super::memory::count;
use super::{Indices, Selector, rows};
use crate::native::encode::Condition;
use crate::native::lir::{Block, Inst as Machine};
use crate::native::switches::Switch;
use crate::program::{ConvertOp, Inst, Kind, Preset, Space, Value};

/// Numbers that are less are none that stand for negative ones.
const NEGATIVE: u64 = 1 << 63;

impl Selector<'_> {
    /// Leaves unless so many bytes are allowed that start so far from an address that all lanes have in a general register.
    pub(super) fn check_extent(
        &mut self,
        space: Space,
        address: Value,
        low: i64,
        extent: u64,
        otherwise: Block,
    ) {
        let Some((index, indices)) = self.index_from_argument(space, address, low) else {
            let limit = self.limit(space, address, extent);
            let base = self.s(address);
            let lowest = self.plus(base, low);
            return self.within(limit, lowest, otherwise);
        };
        let limit = self.limit_of(space, address, extent, Some(indices));
        let index = self.s(index);
        let test = Machine::row(rows::CMP64).register(index).at(count(limit));
        self.continue_unless(test, Condition::AboveOrEqual, otherwise);
    }

    /// The index that an address is counted by in a loop, and how, if it is the same for all lanes, from an argument, and not negative: then each index that is allowed is
    /// less than some number.
    fn index_from_argument(&self, space: Space, address: Value, low: i64) -> Option<(Value, Indices)> {
        let is_global = matches!(space, Space::Global | Space::Constant | Space::Generic);
        if !is_global || !self.switches.has(Switch::Counts) || !self.switches.has(Switch::Arguments) {
            return None;
        }
        let Some(Inst::Address { base, index, scale, offset, .. }) = self.defined[address.0 as usize] else {
            return None;
        };
        let Some(Preset::Argument(argument)) = self.preset[base.0 as usize] else { return None };
        let is_pointer = self.kind(base) == Kind::I64 && self.kind(index) == Kind::I64;
        let is_same = self.stride(address) == Some(0) && self.stride(index) == Some(0);
        let is_right = is_pointer && is_same && self.is_at_hand(index) && self.is_without_sign(index);
        if !is_right || !self.is_of_loop(index) {
            return None;
        }
        let scale = u64::try_from(scale).ok().filter(|&scale| scale > 0)?;
        Some((index, Indices { argument, scale, offset: offset.checked_add(low)? }))
    }

    /// Whether a value is computed in each pass of the innermost loop that the block is in. Elsewhere it would only take a register more than the address.
    fn is_of_loop(&self, value: Value) -> bool {
        let own = self.flow.innermost[self.block];
        let is_computed = self.defined[value.0 as usize].is_some();
        own.is_some_and(|own| {
            is_computed && self.flow.loops[own].contains(self.shapes.home[value.0 as usize])
        })
    }

    /// Whether a number of 64 bits is known not to stand for a negative one.
    fn is_without_sign(&self, value: Value) -> bool {
        let is_wider = matches!(self.defined[value.0 as usize], Some(Inst::Convert(ConvertOp::Zext, ..)));
        let is_id = matches!(self.preset[value.0 as usize], Some(Preset::BuiltIn(_)));
        is_wider
            || is_id
            || self.facts.ranges.at(value, self.block).is_some_and(|range| range.high < NEGATIVE)
    }
}
