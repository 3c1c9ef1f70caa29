//! What the lanes of a subgroup do together.

use super::int::{Pair, pick};
use super::values::{Vector, parts};
use super::{Selector, rows};
use crate::exec::neutral;
use crate::native::encode::{Condition, Row};
use crate::native::lir::{Anchor, Code, Inst as Machine, Place, Var};
use crate::program::{Combine, Extent, Kind, LANES, Value};

/// The rows that combine two integers, of 32 or of 64 bits.
pub(super) const fn rows_of(combine: Combine) -> Option<Pair> {
    Some(match combine {
        Combine::Add => (rows::PADDD, rows::PADDQ),
        Combine::UMin => (rows::PMINUD, rows::PMINUQ),
        Combine::UMax => (rows::PMAXUD, rows::PMAXUQ),
        Combine::SMin => (rows::PMINSD, rows::PMINSQ),
        Combine::SMax => (rows::PMAXSD, rows::PMAXSQ),
        Combine::And => (rows::PANDD, rows::PANDQ),
        Combine::Or => (rows::PORD, rows::PORQ),
        Combine::FAdd | Combine::FMin | Combine::FMax => return None,
    })
}

impl Selector<'_> {
    /// Faults unless all lanes are here.
    pub(super) fn converge(&mut self) -> Option<()> {
        if self.mask == self.control.root {
            return Some(());
        }
        let (here, all) = (self.mask_bits(), self.general());
        match self.control.root {
            Some(root) => self.push(Machine::row(rows::KMOV_TO_GENERAL).def(all).last(root)),
            None => self.push(Machine::new(Code::Immediate(0xffff)).def(all)),
        }
        let (cold, after) = (self.function.block(true), self.function.block(false));
        let test = Machine::row(rows::CMP32).register(here).last(all);
        self.continue_unless(test, Condition::NotEqual, cold);
        self.function.blocks[after.0 as usize].cold = self.function.blocks[self.at.0 as usize].cold;
        let inst = self.program.blocks[self.block].insts[self.place];
        self.jump(after);
        self.go(cold);
        self.call_without_result(&inst);
        self.jump(after);
        self.go(after);
        Some(())
    }

    /// The lanes that are here, as bits of a general register.
    pub(super) fn mask_bits(&mut self) -> Var {
        let Some(mask) = self.mask else { return self.number(0xffff) };
        let bits = self.general();
        self.push(Machine::row(rows::KMOV_TO_GENERAL).def(bits).last(mask));
        bits
    }

    /// The values of lanes, combined in their order.
    pub(super) fn fold(
        &mut self,
        combine: Combine,
        extent: Extent,
        kind: Kind,
        result: Value,
        x: Value,
    ) -> Option<()> {
        if kind == Kind::Bool {
            return self.fold_bools(combine, extent, result, x);
        }
        let Some(pair) = rows_of(combine) else {
            return self.add_floats(combine, extent, kind, result, x);
        };
        let lanes = if kind.size() == 8 { Kind::I64 } else { Kind::I32 };
        let signed = matches!(combine, Combine::SMin | Combine::SMax);
        let all = self.x(x);
        let all = if signed { self.signed(kind, all) } else { all };
        let unused = 64 - 8 * kind.size();
        let bits = neutral(combine, extent, kind);
        // Those that have no sign have zeros before them, which combine to zeros.
        let bits = if signed { ((bits << unused) as i64 >> unused) as u64 } else { bits };
        let rest = self.vector_constant(lanes, bits);
        let own = match self.mask {
            Some(mask) => self.blend(lanes, mask, all, rest),
            None => all,
        };
        let row = pick(kind, pair);
        let value = match extent {
            Extent::All => self.reduce(row, lanes, own),
            Extent::UpTo => self.combine_up_to(row, lanes, own, rest.0[0]),
            Extent::Before => {
                let up_to = self.combine_up_to(row, lanes, own, rest.0[0]);
                self.moved_up(lanes, up_to, rest.0[0], 1)
            }
        };
        let value = self.narrow(kind, value);
        self.define_vector(result, value);
        Some(())
    }

    /// The combination of all lanes, in each of them.
    pub(super) fn reduce(&mut self, row: Row, lanes: Kind, x: Vector) -> Vector {
        let mut all = x.0[0];
        let step = |this: &mut Self, all: Var, other: Var| {
            let both = this.vector();
            this.push(Machine::row(row).def(both).second(all).last(other));
            both
        };
        if parts(lanes) == 2 {
            all = step(self, all, x.0[1]);
        }
        let half = self.vector();
        self.push(Machine::row(rows::EXTRACT_HIGH).register(all).result_last(half).imm(1));
        all = step(self, all, half);
        // Quarters, and what is in them.
        let mut exchanges = vec![(rows::PERMQ, 0x4e), (rows::PSHUFD, 0x4e)];
        if parts(lanes) == 1 {
            exchanges.push((rows::PSHUFD, 0xb1));
        }
        for (exchange, order) in exchanges {
            let other = self.vector();
            self.push(Machine::row(exchange).def(other).last(all).imm(order));
            all = step(self, all, other);
        }
        let (first, result) = (self.first_lane(lanes, Vector([all; 2])), self.vector());
        let broadcast = if parts(lanes) == 2 { rows::BROADCASTQ } else { rows::BROADCASTD };
        self.push(Machine::row(broadcast).def(result).last(first));
        Vector([result; 2])
    }

    /// The combination, in each lane, of those up to it.
    fn combine_up_to(&mut self, row: Row, lanes: Kind, x: Vector, neutral: Var) -> Vector {
        let mut so_far = x;
        for distance in [1, 2, 4, 8] {
            let before = self.moved_up(lanes, so_far, neutral, distance);
            so_far = self.two(row, lanes, before, so_far);
        }
        so_far
    }

    /// A vector whose lanes come so many lanes later; something else is in the first ones.
    fn moved_up(&mut self, lanes: Kind, x: Vector, first: Var, distance: i32) -> Vector {
        let mut align = |row: Row, high: Var, low: Var, count: i32| {
            if count == 0 {
                return low;
            }
            let result = self.vector();
            self.push(Machine::row(row).def(result).second(high).last(low).imm(count));
            result
        };
        if parts(lanes) == 1 {
            return Vector([align(rows::VALIGND, x.0[0], first, 16 - distance); 2]);
        }
        let count = 8 - distance;
        Vector([align(rows::VALIGNQ, x.0[0], first, count), align(rows::VALIGNQ, x.0[1], x.0[0], count)])
    }

    /// Whether a `Bool` is true in any lane, or in all.
    fn fold_bools(&mut self, combine: Combine, extent: Extent, result: Value, x: Value) -> Option<()> {
        if extent != Extent::All {
            return None;
        }
        let x = self.k(x);
        let (lanes, condition) = match (combine, self.mask) {
            (Combine::Or, None) => (x, Condition::NotEqual),
            (Combine::Or, Some(mask)) => (self.masks(rows::KAND, mask, x), Condition::NotEqual),
            (Combine::And, None) => (self.negate_mask(x), Condition::Equal),
            (Combine::And, Some(mask)) => (self.masks(rows::KANDN, x, mask), Condition::Equal),
            _ => return None,
        };
        let (bits, truth) = (self.general(), self.general());
        self.push(Machine::row(rows::KMOV_TO_GENERAL).def(bits).last(lanes));
        let compare = Machine::new(Code::Compare { row: rows::TEST32, condition });
        self.push(compare.def(truth).second(bits).last(bits));
        let mask = self.scalar_to_mask(truth);
        self.define_mask(result, mask);
        Some(())
    }

    /// The sum of floats from the first lane to the last: each is added, from memory, to what all lanes have.
    fn add_floats(
        &mut self,
        combine: Combine,
        extent: Extent,
        kind: Kind,
        result: Value,
        x: Value,
    ) -> Option<()> {
        if combine != Combine::FAdd || extent != Extent::All || kind == Kind::F16 {
            return None;
        }
        let (add, size) = if kind == Kind::F64 { (rows::ADDPD, 8) } else { (rows::ADDPS, 4) };
        let neutral = self.vector_constant(kind, neutral(combine, extent, kind));
        let own = self.x(x);
        let own = match self.mask {
            Some(mask) => self.blend(kind, mask, own, neutral),
            None => own,
        };
        let start = Place::at(Anchor::Registers, self.code.places(self.block, self.place).operands[0] as i32);
        self.put_vector(kind, own, start, None);
        let mut sum = neutral.0[0];
        for lane in 0..LANES as i32 {
            let place = Place { displacement: start.displacement + size * lane, ..start };
            let more = self.vector();
            self.push(Machine::row(add).def(more).second(sum).at(place.broadcast()));
            sum = more;
        }
        self.define_vector(result, Vector([sum; 2]));
        Some(())
    }

    /// The value of another lane; that of the lane itself where that is not here.
    pub(super) fn shuffle(&mut self, kind: Kind, result: Value, [x, index]: [Value; 2]) -> Option<()> {
        if kind == Kind::Bool {
            return None;
        }
        let (x, index) = (self.x(x), self.x(index));
        let (bits, all, shifted, is_here) = (self.mask_bits(), self.vector(), self.vector(), self.mask_var());
        self.push(Machine::row(rows::BROADCASTD).def(all).last(bits));
        self.push(Machine::row(rows::PSRLVD).def(shifted).second(all).last(index.0[0]));
        let one = self.constant32(1).broadcast();
        self.push(Machine::row(rows::PTESTMD).def(is_here).second(shifted).at(one));
        let other = self.new_vector(kind);
        if parts(kind) == 1 {
            self.push(Machine::row(rows::PERMD).def(other.0[0]).second(index.0[0]).last(x.0[0]));
        } else {
            let index = self.halves_to_parts(rows::PMOVZXDQ, index, Kind::I64);
            for part in 0..2 {
                let inst = Machine::row(rows::PERMT2Q).update(other.0[part], x.0[0]);
                self.push(inst.second(index.0[part]).last(x.0[1]));
            }
        }
        let value = self.blend(kind, is_here, other, x);
        self.define_vector(result, value);
        Some(())
    }
}
