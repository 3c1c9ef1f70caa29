//! Atomic instructions, one lane after the other, or all at once where that is the same.
//!
//! One thread executes all of a work-group, so that nobody else sees its local memory: there, they are loads and stores.

use super::collective::rows_of;
use super::int::{Pair, pick};
use super::scalar::sized;
use super::{Selector, rows};
use crate::exec::neutral;
use crate::native::analyse::shape::Shape;
use crate::native::context::Limit;
use crate::native::encode::{Condition, Row};
use crate::native::lir::{Anchor, How, Inst as Machine, Place, Role, Var};
use crate::native::switches::Switch;
use crate::program::{AtomicOp, Combine, Extent, Inst, Kind, Space, Value};

/// The number of the register that `cmpxchg` compares with and leaves what was there in.
const ACCUMULATOR: u8 = 0;

/// How what the lanes give an operation is combined, so that the operation with that is all of theirs; and the rows that do it.
const fn combination(op: AtomicOp) -> Option<(Combine, Pair)> {
    let combine = match op {
        AtomicOp::Add | AtomicOp::Sub => Combine::Add,
        AtomicOp::And => Combine::And,
        AtomicOp::Or => Combine::Or,
        AtomicOp::UMin => Combine::UMin,
        AtomicOp::UMax => Combine::UMax,
        AtomicOp::SMin => Combine::SMin,
        AtomicOp::SMax => Combine::SMax,
        _ => return None,
    };
    match rows_of(combine) {
        Some(rows) => Some((combine, rows)),
        None => None,
    }
}

impl Selector<'_> {
    pub(super) fn atomic(
        &mut self,
        op: AtomicOp,
        kind: Kind,
        space: Space,
        result: Value,
        [address, value]: [Value; 2],
    ) -> Option<()> {
        let has_code = matches!(kind, Kind::I32 | Kind::I64)
            && matches!(space, Space::Local | Space::Global)
            && !matches!(op, AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax);
        if !has_code {
            return None;
        }
        let inst = self.program.blocks[self.block].insts[self.place];
        let wrong = self.not_allowed(kind, space, address);
        let ways = self.unless(wrong);
        let is_unused = self.uses[result.0 as usize] == 0;
        let is_one_place = self.is_scalar(address) && self.shape(address) == Shape::UNIFORM;
        match combination(op) {
            Some(how) if is_unused && is_one_place && self.switches.has(Switch::Combine) => {
                let all = self.combined(how, kind, value);
                let to = self.s(address);
                self.update_memory(op, kind, space, to, [all; 2]);
            }
            _ => self.lane_by_lane(&inst, op, kind, space, is_unused),
        }
        if !is_unused {
            self.fetch(&inst, result);
        }
        self.otherwise(&inst, result, ways);
        Some(())
    }

    /// What the lanes that are here give an operation, combined.
    fn combined(&mut self, (combine, rows): (Combine, Pair), kind: Kind, value: Value) -> Var {
        let all = self.x(value);
        let own = match self.mask {
            Some(mask) => {
                let rest = self.vector_constant(kind, neutral(combine, Extent::All, kind));
                self.blend(kind, mask, all, rest)
            }
            None => all,
        };
        let all = self.reduce(pick(kind, rows), kind, own);
        self.first_lane(kind, all)
    }

    /// Does the operation for one lane after the other; operands and results are in the register file.
    fn lane_by_lane(&mut self, inst: &Inst, op: AtomicOp, kind: Kind, space: Space, is_unused: bool) {
        let places = self.code.places(self.block, self.place);
        self.put_operands(inst);
        let (left, first) = (self.general(), self.mask_bits());
        self.copy(left, first);
        let (each, done) = (self.function.block(false), self.function.block(false));
        self.jump(each);
        self.go(each);
        let lane = self.general();
        self.push(Machine::row(rows::TZCNT).def(lane).last(left));
        let file = self.slot(0);
        let of_lane = |offset: u32, kind: Kind| Place {
            scale: kind.size() as u8,
            displacement: file.displacement + offset as i32,
            ..file
        };
        let to = self.general();
        self.push(Machine::row(rows::MOV64).def(to).at(of_lane(places.operands[0], Kind::I64)).index(lane));
        let (load, store) = moves(kind);
        let operands = [1, 2].map(|operand| {
            let var = self.general();
            self.push(Machine::row(load).def(var).at(of_lane(places.operands[operand], kind)).index(lane));
            var
        });
        let old = self.update_memory(op, kind, space, to, operands);
        if !is_unused {
            let place = of_lane(places.result, kind);
            self.push(Machine::row(store).register(old).at(place).index(lane).effect());
        }
        let rest = self.general();
        self.push(Machine::row(rows::BLSR32).op(rest, How::Def, Role::Second).last(left));
        self.copy(left, rest);
        let test = Machine::row(rows::TEST32).register(left).last(left);
        self.branch(test, Condition::NotEqual, each, done);
        self.go(done);
    }

    /// Does an operation once, and returns what was there.
    fn update_memory(
        &mut self,
        op: AtomicOp,
        kind: Kind,
        space: Space,
        to: Var,
        [value, comparator]: [Var; 2],
    ) -> Var {
        let there = Place::at(Anchor::Var, 0);
        let (load, store) = moves(kind);
        let of_size = |narrow: Row, wide: Row| sized(kind, narrow, wide);
        let old = self.general();
        match op {
            AtomicOp::Load => self.push(Machine::row(load).def(old).at(there).base(to).effect()),
            _ if space == Space::Local => {
                self.push(Machine::row(load).def(old).at(there).base(to));
                let new = self.updated(op, kind, old, [value, comparator]);
                self.push(Machine::row(store).register(new).at(there).base(to).effect());
            }
            AtomicOp::Add | AtomicOp::Sub => {
                let change = self.general();
                if op == AtomicOp::Sub {
                    self.push(Machine::row(of_size(rows::NEG32, rows::NEG64)).update_last(change, value));
                } else {
                    self.copy(change, value);
                }
                let row = of_size(rows::LOCK_XADD32, rows::LOCK_XADD64);
                self.push(Machine::row(row).update(old, change).at(there).base(to).effect());
            }
            AtomicOp::Store | AtomicOp::Exchange => {
                let row = of_size(rows::XCHG32, rows::XCHG64);
                self.push(Machine::row(row).update(old, value).at(there).base(to).effect());
            }
            AtomicOp::CompareExchange => self.compare_exchange(kind, to, old, [value, comparator]),
            _ => {
                let (again, done) = (self.function.block(false), self.function.block(false));
                for block in [again, done] {
                    self.function.blocks[block.0 as usize].cold =
                        self.function.blocks[self.at.0 as usize].cold;
                }
                self.push(Machine::row(load).def(old).at(there).base(to).effect());
                self.jump(again);
                self.go(again);
                let expected = self.general();
                self.copy(expected, old);
                let new = self.updated(op, kind, expected, [value, comparator]);
                self.compare_exchange(kind, to, old, [new, expected]);
                let test = Machine::row(of_size(rows::CMP32, rows::CMP64)).register(old).last(expected);
                self.branch(test, Condition::NotEqual, again, done);
                self.go(done);
            }
        }
        old
    }

    /// Replaces what is in memory if it is what it is compared with; `old` becomes what was there.
    fn compare_exchange(&mut self, kind: Kind, to: Var, old: Var, [new, comparator]: [Var; 2]) {
        let row = sized(kind, rows::LOCK_CMPXCHG32, rows::LOCK_CMPXCHG64);
        self.push(
            Machine::row(row)
                .register(new)
                .at(Place::at(Anchor::Var, 0))
                .base(to)
                .op(comparator, How::UseFixed(ACCUMULATOR), Role::Hidden)
                .op(old, How::DefFixed(ACCUMULATOR), Role::Hidden)
                .effect(),
        );
    }

    /// What there is after an operation on `old`.
    fn updated(&mut self, op: AtomicOp, kind: Kind, old: Var, [value, comparator]: [Var; 2]) -> Var {
        let pick = |narrow: Row, wide: Row| sized(kind, narrow, wide);
        let compare = pick(rows::CMP32, rows::CMP64);
        let two = match op {
            AtomicOp::Add => pick(rows::ADD32, rows::ADD64),
            AtomicOp::Sub => pick(rows::SUB32, rows::SUB64),
            AtomicOp::And => pick(rows::AND32, rows::AND64),
            AtomicOp::Or => pick(rows::OR32, rows::OR64),
            AtomicOp::Xor => pick(rows::XOR32, rows::XOR64),
            AtomicOp::UMin | AtomicOp::UMax | AtomicOp::SMin | AtomicOp::SMax => {
                // The value replaces what is there where that is more, or less.
                let choose = match op {
                    AtomicOp::UMin => rows::CMOVA64,
                    AtomicOp::UMax => rows::CMOVB64,
                    AtomicOp::SMin => rows::CMOVG64,
                    _ => rows::CMOVL64,
                };
                return self.choose_general(compare, choose, [old, value], old, value);
            }
            AtomicOp::CompareExchange => {
                return self.choose_general(compare, rows::CMOVE64, [old, comparator], old, value);
            }
            // An exchange.
            _ => return value,
        };
        let new = self.general();
        self.push(Machine::row(two).update(new, old).last(value));
        new
    }

    /// The lanes at whose addresses the instruction cannot be executed here.
    fn not_allowed(&mut self, kind: Kind, space: Space, address: Value) -> Var {
        let limit = Limit::offset(self.limit(space, address, kind.size().into()));
        let (start, count) = (Place::at(Anchor::Context, limit), Place::at(Anchor::Context, limit + 8));
        let x = self.vector_here(address);
        let mut wrong = [self.mask_var(), self.mask_var()];
        let low = self.vector_constant(Kind::I64, u64::from(kind.size() - 1));
        for (part, wrong) in wrong.iter_mut().enumerate() {
            let (from_start, outside, odd) = (self.vector(), self.mask_var(), self.mask_var());
            let inst = Machine::row(rows::PSUBQ).def(from_start).second(x.0[part]);
            self.push(inst.at(start.broadcast()));
            let inst = Machine::row(rows::PCMPUQ).def(outside).second(from_start);
            self.push(inst.at(count.broadcast()).imm(5));
            self.push(Machine::row(rows::PTESTMQ).def(odd).second(x.0[part]).last(low.0[part]));
            *wrong = self.masks(rows::KOR, outside, odd);
        }
        self.join_masks(wrong)
    }
}

/// The rows that load and store a number.
const fn moves(kind: Kind) -> (Row, Row) {
    match kind {
        Kind::I64 => (rows::MOV64, rows::MOV64_STORE),
        _ => (rows::MOV32, rows::MOV32_STORE),
    }
}
