//! Atomic instructions, one lane after the other.
//!
//! One thread executes all of a work-group, so that nobody else sees its local memory: there, they are loads and stores.

use super::{Selector, rows};
use crate::native::context::Limit;
use crate::native::encode::{Condition, Row};
use crate::native::lir::{Anchor, How, Inst as Machine, Place, Role, Var};
use crate::program::{AtomicOp, Kind, Space, Value};

impl Selector<'_> {
    pub(super) fn atomic(
        &mut self,
        op: AtomicOp,
        kind: Kind,
        space: Space,
        result: Value,
        address: Value,
    ) -> Option<()> {
        let is_local = space == Space::Local;
        let has_code = match kind {
            Kind::I32 | Kind::I64 if is_local => !matches!(op, AtomicOp::Load | AtomicOp::CompareExchange),
            Kind::I32 | Kind::I64 => space == Space::Global && matches!(op, AtomicOp::Add | AtomicOp::Sub),
            _ => false,
        };
        if !has_code {
            return None;
        }
        let inst = self.program.blocks[self.block].insts[self.place];
        let places = self.code.places(self.block, self.place);
        let wrong = self.not_allowed(kind, space, address);
        let [cold, after] = self.unless(wrong);
        self.put_operands(&inst);
        let is_unused = self.uses[result.0 as usize] == 0;
        let (left, first) = (self.general(), self.mask_bits());
        self.copy(left, first);
        let (each, done) = (self.function.block(false), self.function.block(false));
        self.jump(each);
        self.go(each);
        let lane = self.general();
        self.push(Machine::row(rows::TZCNT).def(lane).last(left));
        let of_lane = |offset: u32, kind: Kind| Place {
            scale: kind.size() as u8,
            ..Place::at(Anchor::Registers, offset as i32)
        };
        let (to, value) = (self.general(), self.general());
        let load = if kind == Kind::I64 { rows::MOV64 } else { rows::MOV32 };
        let store = if kind == Kind::I64 { rows::MOV64_STORE } else { rows::MOV32_STORE };
        self.push(Machine::row(rows::MOV64).def(to).at(of_lane(places.operands[0], Kind::I64)).index(lane));
        self.push(Machine::row(load).def(value).at(of_lane(places.operands[1], kind)).index(lane));
        let there = Place::at(Anchor::Var, 0);
        let old = if is_local {
            let old = self.general();
            self.push(Machine::row(load).def(old).at(there).base(to));
            let new = self.updated(op, kind, old, value);
            self.push(Machine::row(store).register(new).at(there).base(to).effect());
            old
        } else {
            let (change, old) = (self.general(), self.general());
            if op == AtomicOp::Sub {
                let row = if kind == Kind::I64 { rows::NEG64 } else { rows::NEG32 };
                self.push(Machine::row(row).update_last(change, value));
            } else {
                self.copy(change, value);
            }
            let row = if kind == Kind::I64 { rows::LOCK_XADD64 } else { rows::LOCK_XADD32 };
            self.push(Machine::row(row).update(old, change).at(there).base(to).effect());
            old
        };
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
        if !is_unused {
            self.fetch(&inst, result);
        }
        self.otherwise(&inst, result, [cold, after]);
        Some(())
    }

    /// What there is after an operation on `old`.
    fn updated(&mut self, op: AtomicOp, kind: Kind, old: Var, value: Var) -> Var {
        let wide = kind == Kind::I64;
        let pick = |narrow: Row, row: Row| if wide { row } else { narrow };
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
                let compare = pick(rows::CMP32, rows::CMP64);
                return self.choose_general(compare, choose, [old, value], old, value);
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
