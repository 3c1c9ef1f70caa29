//! What the lanes of a subgroup do together.

use super::int::{Pair, pick};
use super::values::{Vector, parts};
use super::{Selector, rows};
use crate::exec::neutral;
use crate::native::encode::{Condition, Row};
use crate::native::lir::{Code, Inst as Machine, Var};
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
        Combine::Xor | Combine::Mul | Combine::FAdd | Combine::FMul | Combine::FMin | Combine::FMax => {
            return None;
        }
    })
}

/// The rows that combine two integers of lanes, which in any order become the same.
fn rows_to_combine(combine: Combine) -> Option<Pair> {
    match combine {
        Combine::Xor => Some((rows::PXORD, rows::PXORQ)),
        Combine::Mul => Some((rows::PMULLD, rows::PMULLQ)),
        _ => rows_of(combine),
    }
}

impl Selector<'_> {
    /// Whether there are instructions for combining two values of a kind.
    pub(super) fn can_combine(&self, combine: Combine, kind: Kind) -> bool {
        rows_to_combine(combine).is_some() || matches!(kind, Kind::F32 | Kind::F64)
    }

    /// The kind of lanes in which values of a kind are combined.
    pub(super) fn lanes_to_combine(&self, kind: Kind) -> Kind {
        match kind {
            Kind::F32 | Kind::F64 => kind,
            _ if kind.size() == 8 => Kind::I64,
            _ => Kind::I32,
        }
    }

    /// Two vectors combined, the first one of what comes first.
    pub(super) fn combine_lanes(
        &mut self,
        combine: Combine,
        lanes: Kind,
        a: Vector,
        b: Vector,
    ) -> Option<Vector> {
        Some(match (combine, lanes) {
            (Combine::FAdd, Kind::F32) => self.two(rows::ADDPS, lanes, a, b),
            (Combine::FAdd, _) => self.two(rows::ADDPD, lanes, a, b),
            (Combine::FMul, Kind::F32) => self.two(rows::MULPS, lanes, a, b),
            (Combine::FMul, _) => self.two(rows::MULPD, lanes, a, b),
            (Combine::FMin | Combine::FMax, _) => self.extreme(lanes, combine == Combine::FMax, a, b),
            _ => self.two(pick(lanes, rows_to_combine(combine)?), lanes, a, b),
        })
    }

    /// Faults unless all lanes are here.
    pub(super) fn converge(&mut self) -> Option<()> {
        if self.here == self.control.root {
            return Some(());
        }
        let (cold, after) = (self.function.block(true), self.function.block(false));
        for strip in 0..self.strips {
            self.enter(strip);
            let (here, all) = (self.mask_bits(), self.general());
            match self.control.root[strip] {
                Some(root) => self.push(Machine::row(rows::KMOV_TO_GENERAL).def(all).last(root)),
                None => self.push(Machine::new(Code::Immediate(0xffff)).def(all)),
            }
            let test = Machine::row(rows::CMP32).register(here).last(all);
            self.continue_unless(test, Condition::NotEqual, cold);
        }
        self.function.blocks[after.0 as usize].cold = self.function.blocks[self.at.0 as usize].cold;
        let inst = self.program.blocks[self.block].insts[self.place];
        self.jump(after);
        self.go(cold);
        self.call_together(&inst);
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
        let Some(pair) = rows_to_combine(combine) else {
            return self.fold_in_order(combine, extent, kind, result, x);
        };
        let lanes = self.lanes_to_combine(kind);
        let signed = matches!(combine, Combine::SMin | Combine::SMax);
        let unused = 64 - 8 * kind.size();
        let bits = neutral(combine, extent, kind);
        // Those that have no sign have zeros before them, which combine to zeros.
        let bits = if signed { ((bits << unused) as i64 >> unused) as u64 } else { bits };
        let rest = self.vector_constant(lanes, bits);
        let row = pick(kind, pair);
        let own = self.given(kind, lanes, x, signed, rest);
        if extent == Extent::All {
            let all = own.into_iter().reduce(|all, more| self.two(row, lanes, all, more))?;
            let all = self.reduce(row, lanes, all);
            let value = self.narrow(kind, all);
            self.define_in_strips(|this| this.define_vector(result, value));
            return Some(());
        }
        // What the strips before have.
        let mut before: Option<Vector> = None;
        for (strip, own) in own.into_iter().enumerate() {
            let mut scan = self.combine_up_to(row, lanes, own, rest.0[0]);
            if extent == Extent::Before {
                scan = self.moved_up(lanes, scan, rest.0[0], 1);
            }
            if let Some(before) = before {
                scan = self.two(row, lanes, before, scan);
            }
            if strip + 1 < self.strips {
                let all = self.reduce(row, lanes, own);
                before = Some(match before {
                    Some(before) => self.two(row, lanes, before, all),
                    None => all,
                });
            }
            let value = self.narrow(kind, scan);
            self.enter(strip);
            self.define_vector(result, value);
        }
        Some(())
    }

    /// What the lanes of each strip give to be combined; those that are not here something that changes nothing.
    pub(super) fn given(
        &mut self,
        kind: Kind,
        lanes: Kind,
        x: Value,
        signed: bool,
        rest: Vector,
    ) -> Vec<Vector> {
        let mut given = Vec::with_capacity(self.strips);
        for strip in 0..self.strips {
            self.enter(strip);
            let all = self.x(x);
            let all = if signed { self.signed(kind, all) } else { all };
            given.push(match self.mask {
                Some(mask) => self.blend(lanes, mask, all, rest),
                None => all,
            });
        }
        given
    }

    /// Defines a result in each strip.
    pub(super) fn define_in_strips(&mut self, mut define: impl FnMut(&mut Self)) {
        for strip in 0..self.strips {
            self.enter(strip);
            define(self);
        }
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
        self.first_everywhere(lanes, all)
    }

    /// What the first lane of a vector has, in all lanes.
    pub(super) fn first_everywhere(&mut self, lanes: Kind, x: Var) -> Vector {
        let result = self.vector();
        let broadcast = pick(lanes, (rows::BROADCASTSS, rows::BROADCASTSD));
        self.push(Machine::row(broadcast).def(result).last(x));
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
    pub(super) fn moved_up(&mut self, lanes: Kind, x: Vector, first: Var, distance: i32) -> Vector {
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
        let condition = match combine {
            Combine::Or => Condition::NotEqual,
            Combine::And => Condition::Equal,
            _ => return None,
        };
        // The lanes that decide: those in which it is true, or those in which it is not.
        let mut lanes: Option<Var> = None;
        for strip in 0..self.strips {
            self.enter(strip);
            let x = self.k(x);
            let own = match (combine, self.mask) {
                (Combine::Or, None) => x,
                (Combine::Or, Some(mask)) => self.masks(rows::KAND, mask, x),
                (_, None) => self.negate_mask(x),
                (_, Some(mask)) => self.masks(rows::KANDN, x, mask),
            };
            lanes = Some(match lanes {
                Some(lanes) => self.masks(rows::KOR, lanes, own),
                None => own,
            });
        }
        let (bits, truth) = (self.general(), self.general());
        self.push(Machine::row(rows::KMOV_TO_GENERAL).def(bits).last(lanes?));
        let compare = Machine::new(Code::Compare { row: rows::TEST32, condition });
        self.push(compare.def(truth).second(bits).last(bits));
        let mask = self.scalar_to_mask(truth);
        self.define_in_strips(|this| this.define_mask(result, mask));
        Some(())
    }

    /// The value of another lane; that of the lane itself where that is not here.
    pub(super) fn shuffle(&mut self, kind: Kind, result: Value, [x, index]: [Value; 2]) -> Option<()> {
        if kind == Kind::Bool {
            return None;
        }
        let bits = self.bits_of_all();
        let all = self.vector();
        self.push(Machine::row(rows::BROADCASTD).def(all).last(bits));
        let mut given = Vec::with_capacity(self.strips);
        for strip in 0..self.strips {
            self.enter(strip);
            given.push((self.x(x), self.x(index)));
        }
        let from: Vec<Vector> = given.iter().map(|&(x, _)| x).collect();
        for (strip, (x, index)) in given.into_iter().enumerate() {
            self.enter(strip);
            let (shifted, is_here) = (self.vector(), self.mask_var());
            self.push(Machine::row(rows::PSRLVD).def(shifted).second(all).last(index.0[0]));
            let one = self.constant32(1).broadcast();
            self.push(Machine::row(rows::PTESTMD).def(is_here).second(shifted).at(one));
            let other = self.taken(kind, &from, index);
            let value = self.blend(kind, is_here, other, x);
            self.define_vector(result, value);
        }
        Some(())
    }

    /// The value of a lane, which is the only one that is here.
    pub(super) fn taken_alone(&mut self, kind: Kind, result: Value, [x, lane]: [Value; 2]) -> Option<()> {
        let mut from = Vec::with_capacity(self.strips);
        for strip in 0..self.strips {
            self.enter(strip);
            from.push(self.x(x));
        }
        self.enter(0);
        let lane = self.x(lane);
        let value = self.taken(kind, &from, lane);
        self.define_vector(result, value);
        Some(())
    }

    /// The lanes of all strips that are here, as bits of a general register.
    fn bits_of_all(&mut self) -> Var {
        self.enter(0);
        let mut bits = self.mask_bits();
        for strip in 1..self.strips {
            self.enter(strip);
            let (own, shifted, both) = (self.mask_bits(), self.general(), self.general());
            let count = (strip * LANES) as i32;
            self.push(Machine::row(rows::SHL32).update_last(shifted, own).imm(count));
            self.push(Machine::row(rows::OR32).update(both, bits).last(shifted));
            bits = both;
        }
        bits
    }

    /// The values of the lanes, of those of one strip or two, that have these numbers; something where there are none.
    fn taken(&mut self, kind: Kind, from: &[Vector], index: Vector) -> Vector {
        let result = self.new_vector(kind);
        if parts(kind) == 1 {
            let inst = match *from {
                [x, y, ..] => {
                    Machine::row(rows::PERMT2D).update(result.0[0], x.0[0]).second(index.0[0]).last(y.0[0])
                }
                _ => Machine::row(rows::PERMD).def(result.0[0]).second(index.0[0]).last(from[0].0[0]),
            };
            self.push(inst);
            return result;
        }
        let index = self.halves_to_parts(rows::PMOVZXDQ, index, Kind::I64);
        for part in 0..2 {
            let mut own = Vec::with_capacity(from.len());
            for x in from {
                let var = self.vector();
                let inst = Machine::row(rows::PERMT2Q).update(var, x.0[0]);
                self.push(inst.second(index.0[part]).last(x.0[1]));
                own.push(var);
            }
            self.copy(result.0[part], own[0]);
            if let [first, second, ..] = own[..] {
                let (is_second, place) = (self.mask_var(), self.constant64(LANES as u64).broadcast());
                self.push(Machine::row(rows::PTESTMQ).def(is_second).second(index.0[part]).at(place));
                let inst = Machine::row(rows::MOVDQA64).update(result.0[part], first).last(second);
                self.push(inst.merge(Some(is_second)));
            }
        }
        result
    }
}
