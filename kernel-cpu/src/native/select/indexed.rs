//! Accesses at a base that is the same for all lanes and an index of 32 bits of each: one comparison of the indices does for the check, and processors
//! gather by them.

use super::memory::Addresses;
use super::values::Vector;
use super::{Selector, rows};
use crate::native::context::Limit;
use crate::native::encode::Condition;
use crate::native::lir::{Anchor, Block, Inst as Machine, Place, Var};
use crate::native::switches::Switch;
use crate::program::{ConvertOp, Inst, Kind, Space, Value};

/// An address that is counted from a base by an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Indexed {
    base: Value,
    /// Of 32 bits, or smaller without a sign.
    index: Value,
    signed: bool,
    scale: u8,
    offset: i32,
}

/// The largest index that processors gather by.
const MAX_INDEX: i32 = i32::MAX;

impl Selector<'_> {
    /// How an address is counted, if it is so.
    pub(super) fn indexed(&self, address: Value) -> Option<Indexed> {
        if !self.switches.has(Switch::Indices) || self.reads_shadow(address) {
            return None;
        }
        let Some(Inst::Address { base, index, scale, offset, .. }) = self.defined[address.0 as usize] else {
            return None;
        };
        let Some(Inst::Convert(op, from, Kind::I64, _, x)) = self.defined[index.0 as usize] else {
            return None;
        };
        let signed = op == ConvertOp::Sext;
        let fits_index =
            op == ConvertOp::Zext && from.size() <= 4 && from != Kind::Bool || signed && from == Kind::I32;
        let is_known = self.is_at_hand(base) && self.is_at_hand(x);
        let is_base = self.stride(base) == Some(0) && self.stride(x).is_none();
        // What is before the base would not be within the limit.
        let offset = i32::try_from(offset).ok().filter(|&offset| offset >= 0)?;
        let scale = u8::try_from(scale).ok().filter(|scale| matches!(scale, 1 | 2 | 4 | 8))?;
        let fits = fits_index && is_known && is_base;
        fits.then_some(Indexed { base, index: x, signed, scale, offset })
    }

    /// Whether a value that an address is made of is there too where the address is needed: nothing is kept at barriers that the program does not need.
    pub(super) fn is_at_hand(&self, value: Value) -> bool {
        let is_kept = self.preset[value.0 as usize].is_some()
            || self.shapes.home[value.0 as usize] == self.block
            || self.live.has(self.block, value);
        is_kept && !self.reads_shadow(value)
    }

    /// The addresses at indices that are known to be allowed.
    pub(super) fn addresses_of(&mut self, indexed: Indexed) -> Addresses {
        let base = self.s(indexed.base);
        let first = self.plus(base, indexed.offset.into());
        let index = self.x(indexed.index).0[0];
        Addresses::Indexed(first, index, indexed.scale)
    }

    /// Leaves unless a limit allows each of the lanes that are here its index.
    pub(super) fn check_indices(
        &mut self,
        kind: Kind,
        space: Space,
        address: Value,
        indexed: Indexed,
        otherwise: Block,
    ) -> Addresses {
        let limit = Limit::offset(self.limit(space, address, kind.size().into()));
        let base = self.s(indexed.base);
        let first = self.plus(base, indexed.offset.into());
        // The words in which small numbers are must be within reach too.
        let most = if kind.size() < 4 { (MAX_INDEX - 7) / i32::from(indexed.scale) } else { MAX_INDEX };
        let last = self.last_index(first, limit, indexed.scale, most, otherwise);
        let (all, inside) = (self.vector(), self.mask_var());
        self.push(Machine::row(rows::BROADCASTD).def(all).last(last));
        let index = self.x(indexed.index).0[0];
        self.push(Machine::row(rows::PCMPUD).def(inside).second(index).last(all).imm(2));
        self.leave_unless_all(inside, otherwise);
        Addresses::Indexed(first, index, indexed.scale)
    }

    /// The last index that a limit allows, from an address on; leaves if there is none.
    fn last_index(&mut self, first: Var, limit: i32, scale: u8, most: i32, otherwise: Block) -> Var {
        let at = |offset: i32| Place::at(Anchor::Context, limit + offset);
        let (from_start, room) = (self.general(), self.general());
        self.push(Machine::row(rows::SUB64).update(from_start, first).at(at(0)));
        let count = self.field(at(8));
        let test = Machine::row(rows::CMP64).register(from_start).last(count);
        self.continue_unless(test, Condition::AboveOrEqual, otherwise);
        // That of the last address that is allowed.
        let not = self.general();
        self.push(Machine::row(rows::NOT64).update_last(not, from_start));
        self.push(Machine::row(rows::ADD64).update(room, not).last(count));
        let mut last = room;
        if scale > 1 {
            last = self.general();
            self.push(Machine::row(rows::SHR64).update_last(last, room).imm(scale.trailing_zeros() as i32));
        }
        let most = self.number(most as u64);
        self.choose_general(rows::CMP64, rows::CMOVA64, [last, most], last, most)
    }

    /// Makes the addresses themselves again where the indices do not do, so that they are not needed elsewhere.
    pub(super) fn remake_addresses(&mut self, address: Value, indexed: Indexed) {
        let x = self.x(indexed.index);
        // Smaller ones without a sign are numbers of 32 bits.
        let index = self.resize(indexed.signed, Kind::I32, Kind::I64, x);
        let base = self.vector_here(indexed.base);
        let vector = self.vector_address(base, index, indexed.scale.into(), indexed.offset.into());
        let own = self.vector_of(address);
        self.copy_vector(own, vector);
    }

    /// The halves of indices for lanes of 64 bits.
    pub(super) fn index_part(&mut self, index: Var, part: usize) -> Var {
        if part == 0 {
            return index;
        }
        let high = self.vector();
        self.push(Machine::row(rows::EXTRACT_HIGH).register(index).result_last(high).imm(1));
        high
    }

    /// Leaves if one of the lanes that are here is not in a mask.
    pub(super) fn leave_unless_all(&mut self, inside: Var, otherwise: Block) {
        let outside = match self.mask {
            Some(mask) => self.masks(rows::KANDN, inside, mask),
            None => self.negate_mask(inside),
        };
        let test = Machine::row(rows::KORTEST).register(outside).last(outside);
        self.continue_unless(test, Condition::NotEqual, otherwise);
    }

    /// The vector of addresses that are made again in a block that is seldom executed.
    pub(super) fn remade(&mut self, address: Value, indexed: Indexed) -> Vector {
        self.remake_addresses(address, indexed);
        self.vector_of(address)
    }
}
