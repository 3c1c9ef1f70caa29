//! Loops that go through memory in steps which processors cannot foresee, as those do that have each work-item take every so many-th element.
//!
//! What the next subgroup will load there is in the line behind what this one loads, and comes meanwhile.

use super::memory::Addresses;
use super::values::parts;
use super::{Selector, rows};
use crate::native::lir::{Anchor, Inst as Machine, Place};
use crate::native::switches::Switch;
use crate::program::{Inst, IntOp, Kind, LANES, Space, Value};

/// Addresses that are made of each other in more steps are not looked at.
const MAX_STEPS: usize = 16;
const LINE: i32 = 64;

impl Selector<'_> {
    /// Has the lines come that are behind those which all lanes load.
    pub(super) fn prefetch(&mut self, kind: Kind, space: Space, address: Value, addresses: Addresses) {
        let Addresses::Apart(base, stride, offset) = addresses else { return };
        let is_dense = stride == i64::from(kind.size()) && kind.size() >= 4;
        if !is_dense || space == Space::Local || space == Space::Private || !self.goes_far(address) {
            return;
        }
        for part in 0..parts(kind) {
            let behind = LANES as i32 * kind.size() as i32 + LINE * part as i32;
            let place = Place::at(Anchor::Var, offset.wrapping_add(behind));
            self.push(Machine::row(rows::PREFETCH).at(place).base(base).effect());
        }
    }

    /// Whether an address moves on by a number that is not known before the launch with each pass of the loop.
    fn goes_far(&self, address: Value) -> bool {
        let Some(own) = self.flow.innermost[self.block] else { return false };
        let is_cold = self.function.blocks[self.at.0 as usize].cold;
        if is_cold || !self.switches.has(Switch::Prefetch) {
            return false;
        }
        let header = self.flow.loops[own].header;
        let mut work = vec![address];
        for _ in 0..MAX_STEPS {
            let Some(value) = work.pop() else { return false };
            if self.phis[header].contains(&value) {
                return self.has_unknown_step(value, own);
            }
            match self.defined[value.0 as usize] {
                Some(Inst::Address { base, index, .. }) => work.extend([base, index]),
                Some(Inst::Convert(_, _, _, _, x)) => work.push(x),
                Some(Inst::Int(IntOp::Add, _, _, both)) => work.extend(both),
                _ => {}
            }
        }
        false
    }

    /// Whether each pass of a loop adds a number to a phi of its header that is no constant.
    fn has_unknown_step(&self, phi: Value, own: usize) -> bool {
        let own = &self.flow.loops[own];
        let edges = self.program.blocks[own.latch].terminator.edges();
        let mut steps = edges
            .filter(|edge| edge.target.0 as usize == own.header)
            .flat_map(|edge| &edge.moves)
            .filter(|step| step.to == phi);
        steps.any(|step| match self.defined[step.from.0 as usize] {
            Some(Inst::Int(IntOp::Add, _, _, [a, b])) if a == phi || b == phi => {
                self.shapes.constant(if a == phi { b } else { a }).is_none()
            }
            _ => false,
        })
    }
}
