//! Numbers at known distances from each other, which all lanes may read: processors load them faster one by one than they gather them.

use super::{Selector, rows};
use crate::native::lir::{Anchor, Inst as Machine, Place, Var};
use crate::native::switches::Switch;
use crate::native::target::Target;
use crate::program::Kind;

/// How many lanes a part of a vector has that numbers can be put into.
const QUARTER: i32 = 4;

impl Selector<'_> {
    /// Whether numbers of a kind are loaded so.
    pub(super) fn loads_apart(&self, kind: Kind) -> bool {
        kind.size() == 4 && self.switches.has(Switch::Apart) && self.lacking.target == Target::Avx512
    }

    /// Loads the number of each lane.
    pub(super) fn load_apart(&mut self, to: Var, base: Var, stride: i64, offset: i32) {
        let at = |lane: i32| Place::at(Anchor::Var, offset.wrapping_add(stride as i32 * lane));
        let mut all: Option<Var> = None;
        for start in (0..4 * QUARTER).step_by(QUARTER as usize) {
            let quarter = self.vector();
            self.push(Machine::row(rows::MOVD_LOAD).def(quarter).at(at(start)).base(base));
            let mut own = quarter;
            for lane in 1..QUARTER {
                let more = self.vector();
                let inst = Machine::row(rows::PINSRD).def(more).second(own).at(at(start + lane));
                self.push(inst.base(base).imm(lane));
                own = more;
            }
            all = Some(match all {
                None => own,
                Some(others) => {
                    let joined = self.vector();
                    let inst = Machine::row(rows::INSERT_QUARTER).def(joined).second(others).last(own);
                    self.push(inst.imm(start / QUARTER));
                    joined
                }
            });
        }
        if let Some(all) = all {
            self.copy(to, all);
        }
    }
}
