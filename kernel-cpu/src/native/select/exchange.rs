//! What the subgroups of a work-group hand each other, by way of the exchange that they share with the interpreter.

use super::control::Form;
use super::int::pick;
use super::values::Vector;
use super::{Selector, rows};
use crate::exec::{EXCHANGE_ROW, EXCHANGE_TURNS, neutral};
use crate::native::encode::Row;
use crate::native::lir::{Anchor, Inst as Machine, Place, Var};
use crate::native::switches::Switch;
use crate::program::{Combine, Extent, Inst, Kind, LANES, Value};

/// What more subgroups than these have handed over is combined by the interpreter.
const MAX_COLLECTED: usize = 64;

/// Where the subgroup that runs finds what is handed over.
struct Turn {
    exchange: Var,
    /// The start of the row whose turn it is.
    row: Var,
    /// The number of the subgroup.
    subgroup: Var,
}

/// What all subgroups have handed over, combined before the first of them goes on.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    /// The place in the block with which they go on of the instruction that asks for it.
    place: usize,
    form: Form,
}

impl Selector<'_> {
    /// Hands the other subgroups what the first lane has.
    pub(super) fn contribute(&mut self, kind: Kind, x: Value) -> Option<()> {
        self.enter(0);
        let value = if kind == Kind::Bool {
            let mask = self.k(x);
            self.mask_to_scalar(mask)
        } else {
            let x = self.x(x);
            self.first_lane(kind, x)
        };
        let Turn { row, subgroup, .. } = self.turn();
        let place = Place { scale: 8, ..Place::at(Anchor::Var, 0) };
        let store = Machine::row(rows::MOV64_STORE).register(value).at(place);
        self.push(store.base(row).index(subgroup).effect());
        Some(())
    }

    /// Combines what the subgroups have handed over, in their order.
    pub(super) fn collect(
        &mut self,
        combine: Combine,
        extent: Extent,
        kind: Kind,
        result: Value,
    ) -> Option<()> {
        if !self.can_collect(combine, extent, kind) {
            return None;
        }
        self.enter(0);
        let turn = self.turn();
        let other = self.number(EXCHANGE_ROW as u64);
        let place = Place { scale: 8, ..Place::at(Anchor::Var, EXCHANGE_TURNS as i32) };
        let flip = Machine::row(rows::XOR64_STORE).register(other).at(place);
        self.push(flip.base(turn.exchange).index(turn.subgroup).effect());
        let ahead = self.walk.ahead.filter(|ahead| ahead.place == self.place);
        let form = match ahead.filter(|_| self.starts_region(self.block)) {
            Some(Ahead { form, .. }) => form,
            None => self.collected_form(combine, extent, kind, &turn)?,
        };
        self.define_in_strips(|this| match form {
            Form::Mask(mask) => this.define_mask(result, mask),
            Form::Vector(value) => this.define_vector(result, value),
            Form::Scalar(_) => {}
        });
        Some(())
    }

    /// Combines, before the first subgroup goes on, what all have handed over, if all of them start with that.
    pub(super) fn collect_ahead(&mut self, start: usize) -> Option<Ahead> {
        let insts = &self.program.blocks[start].insts;
        let place = insts.iter().position(|inst| !inst.is_pure())?;
        let Inst::Gather { combine, extent: Extent::All, kind, .. } = insts[place] else { return None };
        // Otherwise control may come there again, when others have handed over more.
        let is_once = self.flow.preds[start].len() == 1;
        let is_wanted = self.switches.has(Switch::Ahead) && self.switches.has(Switch::Arithmetic);
        let is_lacking = self.lacking.known.contains(&(start, place));
        let can_collect = self.can_collect(combine, Extent::All, kind);
        if !is_wanted || !is_once || is_lacking || !can_collect || !self.has_several() {
            return None;
        }
        (self.block, self.place) = (start, place);
        self.in_inst = true;
        self.enter(0);
        let turn = self.turn();
        let form = self.collected_form(combine, Extent::All, kind, &turn);
        self.in_inst = false;
        Some(Ahead { place, form: form? })
    }

    fn can_collect(&self, combine: Combine, extent: Extent, kind: Kind) -> bool {
        let is_known = match kind {
            Kind::Bool => extent == Extent::All && row_of_bools(combine).is_some(),
            _ => self.can_combine(combine, kind),
        };
        is_known && self.ids.records.len() / self.strips <= MAX_COLLECTED
    }

    /// What the subgroups, or those before the one whose turn it is, have handed over.
    fn collected_form(&mut self, combine: Combine, extent: Extent, kind: Kind, turn: &Turn) -> Option<Form> {
        let count = self.ids.records.len() / self.strips;
        if kind == Kind::Bool {
            return Some(Form::Mask(self.collected_bools(row_of_bools(combine)?, turn.row, count)));
        }
        let before = (extent == Extent::Before).then_some(turn.subgroup);
        Some(Form::Vector(self.collected(combine, extent, kind, turn.row, before, count)?))
    }

    fn turn(&mut self) -> Turn {
        let (exchange, subgroup) = (self.field(context!(exchange)), self.subgroup_id());
        let distance = self.general();
        let place = Place { scale: 8, ..Place::at(Anchor::Var, EXCHANGE_TURNS as i32) };
        self.push(Machine::row(rows::MOV64).def(distance).at(place).base(exchange).index(subgroup));
        Turn { exchange, row: self.sum(exchange, distance), subgroup }
    }

    /// What so many subgroups, or those before one of them, have handed over.
    fn collected(
        &mut self,
        combine: Combine,
        extent: Extent,
        kind: Kind,
        row: Var,
        before: Option<Var>,
        count: usize,
    ) -> Option<Vector> {
        let signed = matches!(combine, Combine::SMin | Combine::SMax);
        let lanes = self.lanes_to_combine(kind);
        let constant = |this: &mut Self, extent| {
            let bits = this.vector_constant(lanes, neutral(combine, extent, kind));
            if signed { this.signed(kind, bits) } else { bits }
        };
        let (nothing, mut so_far) = (constant(self, Extent::All), constant(self, extent));
        let before = before.map(|subgroup| {
            let all = self.vector();
            self.push(Machine::row(rows::BROADCASTD).def(all).last(subgroup));
            all
        });
        if before.is_none() || !matches!(combine, Combine::FAdd | Combine::FMul) {
            for first in (0..count).step_by(LANES) {
                let given = self.handed_over(kind, signed, row, first);
                let is_there = self.are_there(before, first, count);
                let given = self.blend(lanes, is_there, given, nothing);
                let all = self.reduce_in_order(combine, lanes, given)?;
                so_far = self.combine_lanes(combine, lanes, so_far, all)?;
            }
            return Some(self.narrow(kind, so_far));
        }
        // The last one is before no other.
        for number in 0..count - usize::from(before.is_some()) {
            let given = self.vector();
            let broadcast = pick(lanes, (rows::BROADCASTSS, rows::BROADCASTSD));
            let place = Place::at(Anchor::Var, 8 * number as i32);
            self.push(Machine::row(broadcast).def(given).at(place).base(row));
            let mut given = Vector([given; 2]);
            if let Some(before) = before {
                let (is_before, place) = (self.mask_var(), self.constant32(number as u32).broadcast());
                self.push(Machine::row(rows::PCMPUD).def(is_before).second(before).at(place).imm(6));
                given = self.blend(lanes, is_before, given, nothing);
            }
            so_far = self.combine_lanes(combine, lanes, so_far, given)?;
        }
        Some(self.narrow(kind, so_far))
    }

    /// What sixteen subgroups from one on have handed over.
    fn handed_over(&mut self, kind: Kind, signed: bool, row: Var, first: usize) -> Vector {
        let own = self.new_vector(Kind::I64);
        for part in 0..2 {
            let place = Place::at(Anchor::Var, 8 * first as i32 + 64 * part as i32);
            self.push(Machine::row(rows::MOVDQU64).def(own.0[part]).at(place).base(row));
        }
        let own = if kind.size() == 8 { own } else { self.parts_to_halves(rows::PMOVQD, own) };
        if signed { self.signed(kind, own) } else { own }
    }

    /// Which of sixteen subgroups from one on there are, or are before one of them.
    fn are_there(&mut self, before: Option<Var>, first: usize, count: usize) -> Var {
        let mask = self.mask_var();
        let Some(before) = before else {
            let bits = self.number((1 << (count - first).min(LANES)) - 1);
            self.push(Machine::row(rows::KMOV_FROM_GENERAL).def(mask).last(bits));
            return mask;
        };
        let numbers: Vec<u8> = (first as u32..).take(LANES).flat_map(u32::to_le_bytes).collect();
        let place = self.line(&numbers);
        self.push(Machine::row(rows::PCMPUD).def(mask).second(before).at(place).imm(6));
        mask
    }

    /// Whether a `Bool` is true of all subgroups, or of any.
    fn collected_bools(&mut self, combine: Row, row: Var, count: usize) -> Var {
        let mut so_far = None;
        for number in 0..count {
            let given = self.general();
            let place = Place::at(Anchor::Var, 8 * number as i32);
            self.push(Machine::row(rows::MOV32).def(given).at(place).base(row));
            so_far = Some(match so_far {
                None => given,
                Some(others) => {
                    let both = self.general();
                    self.push(Machine::row(combine).update(both, others).last(given));
                    both
                }
            });
        }
        let so_far = so_far.unwrap_or_else(|| self.number(0));
        self.scalar_to_mask(so_far)
    }
}

fn row_of_bools(combine: Combine) -> Option<Row> {
    match combine {
        Combine::And => Some(rows::AND32),
        Combine::Or => Some(rows::OR32),
        Combine::Xor => Some(rows::XOR32),
        _ => None,
    }
}
