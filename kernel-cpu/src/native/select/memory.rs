//! Loads and stores.
//!
//! Where the lanes access addresses that are equally far apart, one comparison with the limit of the instruction serves them all; other addresses are
//! compared lane by lane. Where that fails, the interpreter executes the instruction, which finds the allocation for the next time, or the fault.

use super::indexed::Indexed;
use super::values::{Vector, parts};
use super::{Checked, Indices, Selector, rows};
use crate::exec::strip_private_bytes;
use crate::native::context::Limit;
use crate::native::encode::{Condition, Row};
use crate::native::lir::{Anchor, Block, Code, How, Inst as Machine, Place, Role, Var};
use crate::native::switches::Switch;
use crate::program::{ConvertOp, Inst, Kind, LANES, Preset, Space, Value};

/// How the addresses of an access lie.
#[derive(Clone, Copy)]
pub(super) enum Addresses {
    /// From so far behind this one on, so far apart.
    Apart(Var, i64, i32),
    /// From this one on, by so many of these indices of 32 bits.
    Indexed(Var, Var, u8),
    /// From this one on, and so far from it in each lane.
    Any(Var, Vector),
}

/// An access that has been checked.
pub(super) struct Access {
    pub(super) addresses: Addresses,
    pub(super) ways: Option<Ways>,
}

/// The ways of an access that may not be allowed.
pub(super) struct Ways {
    /// Where the interpreter executes it.
    pub(super) cold: Block,
    /// Where the access is allowed to the lanes that are here, but perhaps not to others.
    here: Option<Block>,
    /// The same where these are asked for their own addresses, and these addresses.
    each: Vec<(Block, Addresses)>,
    /// How the addresses are counted that are to be made again where the interpreter executes it.
    remake: Option<(Value, Indexed)>,
    pub(super) after: Block,
}

impl Ways {
    pub(super) fn new(cold: Block, after: Block) -> Self {
        Self { cold, here: None, each: Vec::new(), remake: None, after }
    }
}

impl Selector<'_> {
    pub(super) fn load(&mut self, kind: Kind, space: Space, result: Value, address: Value) -> Option<()> {
        let inst = self.program.blocks[self.block].insts[self.place];
        if self.trust_calls(space, address) {
            return None;
        }
        if !self.is_vectorized(&inst) {
            return self.load_each(&inst, kind, space, result, address);
        }
        if self.load_bundled(kind, result).is_some() {
            self.complete(result);
            return Some(());
        }
        let (own, kind) = (kind, self.kind_in_memory(kind, space, address));
        let access = self.checked(kind, space, address)?;
        let before = self.function.blocks[self.at.0 as usize].insts.len();
        self.load_from(kind, result, access.addresses, false);
        if kind != own {
            let words = self.vector_of(result);
            self.cut_small(own, result, words);
        }
        self.prefetch(kind, space, address, access.addresses);
        if access.ways.is_none() && self.is_steady_load(kind, space, address) {
            self.mark_steady(before);
        }
        if let Some(ways) = access.ways {
            self.jump(ways.after);
            let here = ways.here.map(|here| (here, access.addresses));
            for (here, addresses) in here.into_iter().chain(ways.each) {
                self.go_on(here);
                self.load_from(kind, result, addresses, true);
                self.jump(ways.after);
            }
            self.go(ways.cold);
            if let Some((address, indexed)) = ways.remake {
                self.remake_addresses(address, indexed);
            }
            self.call_without_result(&inst);
            self.fetch(&inst, result);
            self.jump(ways.after);
            self.go(ways.after);
        }
        self.complete(result);
        Some(())
    }

    pub(super) fn store(&mut self, kind: Kind, space: Space, value: Value, address: Value) -> Option<()> {
        let inst = self.program.blocks[self.block].insts[self.place];
        if self.trust_calls(space, address) {
            return None;
        }
        if !self.is_vectorized(&inst) {
            return self.store_each(&inst, kind, space, address);
        }
        if self.store_bundled(kind).is_some() {
            return Some(());
        }
        let kind = self.kind_in_memory(kind, space, address);
        let access = self.checked(kind, space, address)?;
        self.store_to(kind, value, access.addresses);
        if let Some(ways) = access.ways {
            self.jump(ways.after);
            let here = ways.here.map(|here| (here, access.addresses));
            for (here, addresses) in here.into_iter().chain(ways.each) {
                self.go_on(here);
                self.store_to(kind, value, addresses);
                self.jump(ways.after);
            }
            self.go(ways.cold);
            if let Some((address, indexed)) = ways.remake {
                self.remake_addresses(address, indexed);
            }
            self.call_without_result(&inst);
            self.jump(ways.after);
            self.go(ways.after);
        }
        Some(())
    }

    /// Whether a load is of local memory that there is whoever is here.
    fn is_steady_load(&self, kind: Kind, space: Space, address: Value) -> bool {
        self.switches.has(Switch::Steady) && self.is_within_local(kind, space, address)
    }

    /// Marks the loads of the block from one with a number on.
    fn mark_steady(&mut self, from: usize) {
        for inst in &mut self.function.blocks[self.at.0 as usize].insts[from..] {
            inst.steady = !inst.effect && inst.place.is_some_and(|place| place.anchor == Anchor::Var);
        }
    }

    /// Whether the interpreter is to execute this access, though there are instructions for it.
    fn trust_calls(&self, space: Space, address: Value) -> bool {
        self.trust.calls && !self.is_in_lines(space, address)
    }

    /// Whether there are instructions for an access: those for any addresses have no lanes of 8 or 16 bits.
    pub(super) fn is_vectorized(&self, inst: &Inst) -> bool {
        let (kind, space, address, one_scalar) = match *inst {
            Inst::Load { kind, space, address, .. } => (kind, space, address, true),
            Inst::Store { kind, space, address, value, .. } => {
                (kind, space, address, self.stride(value) == Some(0))
            }
            _ => return false,
        };
        let kind = self.kind_in_memory(kind, space, address);
        kind != Kind::Bool
            && match self.stride(address) {
                Some(0) => kind.size() >= 4 || one_scalar,
                Some(stride) => {
                    let is_even = kind.size() >= 4 || stride == i64::from(kind.size());
                    is_even || matches!(inst, Inst::Load { .. }) && self.loads_windows(kind, stride)
                }
                None => kind.size() >= 4,
            }
    }

    /// Checks an access; what follows is where it is allowed.
    fn checked(&mut self, kind: Kind, space: Space, address: Value) -> Option<Access> {
        if let Some((base, offset)) = self.trust.of(self.place) {
            let (stride, base) = (self.stride(address)?, self.s(base));
            return Some(Access { addresses: Addresses::Apart(base, stride, offset as i32), ways: None });
        }
        if space == Space::Private {
            if self.is_in_lines(space, address) {
                return self.checked_in_lines(kind, address);
            }
            return self.checked_private(kind, address);
        }
        if let Some(addresses) = self.proved(kind, space, address) {
            return Some(Access { addresses, ways: None });
        }
        let mut ways = Ways::new(self.function.block(true), self.function.block(false));
        let cold = ways.cold;
        let addresses = match self.stride(address) {
            Some(stride) => {
                let each = self.may_wrap(kind, address).then(|| self.function.block(true));
                self.guard(address, each.unwrap_or(cold));
                if let Some(each) = each {
                    ways.each = self.check_wrapped(kind, space, address, each, cold);
                }
                let reach = stride * (LANES as i64 - 1);
                let base = self.s(address);
                let looks = stride != 0 && self.switches.has(Switch::Ends);
                let retry = self.mask.filter(|_| looks).map(|mask| (mask, self.function.block(true)));
                let (extent, otherwise) =
                    (reach.unsigned_abs() + u64::from(kind.size()), retry.map_or(cold, |(_, retry)| retry));
                self.check_extent(space, address, reach.min(0), extent, otherwise);
                if let Some((mask, retry)) = retry {
                    ways.here = Some(self.check_ends(kind, space, address, stride, mask, retry, cold));
                }
                Addresses::Apart(base, stride, 0)
            }
            None => match self.indexed(address) {
                Some(indexed) => {
                    let each = self.function.block(true);
                    ways.each = vec![self.check_remade(kind, space, address, indexed, each, cold)];
                    ways.remake = Some((address, indexed));
                    self.check_indices(kind, space, address, indexed, each)
                }
                None => {
                    let x = self.x(address);
                    self.check_each(kind, space, address, x, cold)
                }
            },
        };
        self.function.blocks[ways.after.0 as usize].cold = self.function.blocks[self.at.0 as usize].cold;
        Some(Access { addresses, ways: Some(ways) })
    }

    /// Checks an access of memory of the work-item.
    fn checked_private(&mut self, kind: Kind, address: Value) -> Option<Access> {
        let stride = self.stride(address).filter(|_| !self.reads_shadow(address));
        if let Some(stride) = stride.filter(|_| self.is_own(address, kind.size()).is_some()) {
            let base = self.s(address);
            return Some(Access { addresses: Addresses::Apart(base, stride, 0), ways: None });
        }
        if !self.switches.has(Switch::PrivateIndices) {
            return None;
        }
        let cold_here = self.function.blocks[self.at.0 as usize].cold;
        let ways = Ways::new(self.function.block(true), self.function.block(cold_here));
        let own = i64::from(self.program.private_stride());
        let last = i32::try_from(self.program.private_bytes.checked_sub(kind.size())?).ok()?;
        let is_even = stride == Some(own) && !self.shapes.fragile[address.0 as usize];
        let addresses = if is_even {
            // That of the first lane is as far from the start of its memory as those of all.
            let (first, from_start) = (self.s(address), self.general());
            self.push(Machine::row(rows::SUB64).update(from_start, first).at(context!(private)));
            let from_start = self.plus(from_start, -self.private_of_strip());
            let test = Machine::row(rows::CMP64_IMMEDIATE).last(from_start).imm(last);
            self.continue_unless(test, Condition::Above, ways.cold);
            Addresses::Apart(first, own, 0)
        } else {
            let x = self.vector_here(address);
            self.check_own(kind, x, ways.cold)?;
            let start = self.field(context!(private));
            let start = self.plus(start, self.private_of_strip());
            let from_start = self.past_private(x);
            Addresses::Any(start, from_start)
        };
        Some(Access { addresses, ways: Some(ways) })
    }

    /// How far the private memory of the strip is from that of the subgroup's first one.
    pub(super) fn private_of_strip(&self) -> i64 {
        (self.strip as u64 * strip_private_bytes(self.program)) as i64
    }

    /// How far addresses are from the start of the private memory of the strip's first lane.
    pub(super) fn past_private(&mut self, x: Vector) -> Vector {
        let place = context!(private).broadcast();
        let mut result = x;
        for part in 0..2 {
            result.0[part] = self.vector();
            self.push(Machine::row(rows::PSUBQ).def(result.0[part]).second(x.0[part]).at(place));
        }
        match self.private_of_strip() {
            0 => result,
            own => self.with_constant(rows::PSUBQ, Kind::I64, result, own as u64),
        }
    }

    /// Leaves unless each of the lanes that are here accesses its own memory.
    pub(super) fn check_own(&mut self, kind: Kind, x: Vector, cold: Block) -> Option<()> {
        let last = self.program.private_bytes.checked_sub(kind.size())?;
        let from_start = self.past_private(x);
        let inside = [self.mask_var(), self.mask_var()];
        for (part, &inside) in inside.iter().enumerate() {
            let starts = self.lanes_times(self.program.private_stride().into(), true, 8 * part as i64);
            let own = self.vector();
            self.push(Machine::row(rows::PSUBQ).def(own).second(from_start.0[part]).at(starts));
            let place = self.constant64(last.into()).broadcast();
            self.push(Machine::row(rows::PCMPUQ).def(inside).second(own).at(place).imm(2));
        }
        let inside = self.join_masks(inside);
        self.leave_unless_all(inside, cold);
        Some(())
    }

    /// Asks each of the lanes that are here for its address, in `each`, where the indices have not done.
    fn check_remade(
        &mut self,
        kind: Kind,
        space: Space,
        address: Value,
        indexed: Indexed,
        each: Block,
        cold: Block,
    ) -> (Block, Addresses) {
        let next = self.at;
        self.go(each);
        let x = self.remade(address, indexed);
        let addresses = self.check_each(kind, space, address, x, cold);
        let here = self.at;
        // What follows is the way by indices.
        self.go_on(next);
        (here, addresses)
    }

    /// Leaves unless a limit allows each of the lanes that are here its own address.
    pub(super) fn check_each(
        &mut self,
        kind: Kind,
        space: Space,
        address: Value,
        x: Vector,
        cold: Block,
    ) -> Addresses {
        let limit = self.limit(space, address, kind.size().into());
        let first = self.field(start(limit));
        let (mut from_start, mut inside) = ([x.0[0]; 2], [self.mask_var(), self.mask_var()]);
        for part in 0..2 {
            let var = self.vector();
            let place = start(limit).broadcast();
            self.push(Machine::row(rows::PSUBQ).def(var).second(x.0[part]).at(place));
            let place = count(limit).broadcast();
            self.push(Machine::row(rows::PCMPUQ).def(inside[part]).second(var).at(place).imm(1));
            from_start[part] = var;
        }
        inside[0] = self.join_masks(inside);
        self.leave_unless_all(inside[0], cold);
        Addresses::Any(first, Vector(from_start))
    }

    /// Whether some lanes that are not here may be where a number of 32 bits that the address depends on wraps, as in `if lane >= d { x[lane - d] }`.
    fn may_wrap(&self, kind: Kind, address: Value) -> bool {
        let fragile = self.shapes.fragile[address.0 as usize];
        self.switches.has(Switch::Wraps) && self.mask.is_some() && fragile && kind.size() >= 4
    }

    /// Asks the lanes that are here for their addresses, in `each`: the first and the last one if nothing wraps between these, or else each of them. The result is where
    /// their accesses are allowed, and these addresses.
    fn check_wrapped(
        &mut self,
        kind: Kind,
        space: Space,
        address: Value,
        each: Block,
        cold: Block,
    ) -> Vec<(Block, Addresses)> {
        let next = self.at;
        self.go(each);
        let mut ways = Vec::new();
        if let Some(ends) = self.unwrapped(address) {
            let limit = self.limit(space, address, kind.size().into());
            ends.own.into_iter().for_each(|end| self.within(limit, end, cold));
            ways.push((self.at, Addresses::Apart(ends.base, ends.stride, 0)));
            self.go(ends.wrapped);
        }
        let x = self.recompute(address);
        let addresses = self.check_each(kind, space, address, x, cold);
        ways.push((self.at, addresses));
        // What follows is the way where nothing wraps.
        self.go_on(next);
        ways
    }

    /// Leaves unless a limit allows an access at an address.
    pub(super) fn within(&mut self, limit: usize, address: Var, otherwise: Block) {
        let from_start = self.general();
        self.push(Machine::row(rows::SUB64).update(from_start, address).at(start(limit)));
        let test = Machine::row(rows::CMP64).register(from_start).at(count(limit));
        self.continue_unless(test, Condition::AboveOrEqual, otherwise);
    }

    /// The numbers of the first and the last lane of a mask.
    pub(super) fn first_and_last(&mut self, mask: Var) -> [Var; 2] {
        let lanes = self.general();
        self.push(Machine::row(rows::KMOV_TO_GENERAL).def(lanes).last(mask));
        [rows::TZCNT, rows::BSR].map(|row| {
            let lane = self.general();
            self.push(Machine::row(row).def(lane).last(lanes));
            lane
        })
    }

    /// Looks only at the first and the last of the lanes that are here, in `retry`; the result is where their accesses are allowed.
    #[allow(clippy::too_many_arguments, reason = "an access, and three ways")]
    fn check_ends(
        &mut self,
        kind: Kind,
        space: Space,
        address: Value,
        stride: i64,
        mask: Var,
        retry: Block,
        cold: Block,
    ) -> Block {
        let next = self.at;
        self.go(retry);
        let limit = self.limit(space, address, kind.size().into());
        let base = self.s(address);
        for lane in self.first_and_last(mask) {
            let distance = self.times(lane, stride);
            let address = self.sum(base, distance);
            self.within(limit, address, cold);
        }
        let here = self.at;
        // What follows is the way of all lanes.
        self.go_on(next);
        here
    }

    /// The number of the limit for so many bytes from an address on.
    pub(super) fn limit(&mut self, space: Space, address: Value, extent: u64) -> usize {
        self.limit_of(space, address, extent, None)
    }

    /// The number of the limit for so many bytes from an address on, or from those of indices.
    pub(super) fn limit_of(
        &mut self,
        space: Space,
        address: Value,
        extent: u64,
        indices: Option<Indices>,
    ) -> usize {
        let op = self.code.places(self.block, self.place).number;
        if let Some(&number) = self.limit_numbers.get(&(op, extent, indices)) {
            return number;
        }
        let number = self.limits.len();
        self.limits.push(Checked { op, extent, space, argument: self.argument_of(address), indices });
        self.limit_numbers.insert((op, extent, indices), number);
        number
    }

    /// Where in the argument block the pointer is from which an address is counted, if it is one.
    fn argument_of(&self, address: Value) -> Option<u32> {
        let mut at = Some(address).filter(|_| self.switches.has(Switch::Arguments))?;
        while let Some(Inst::Address { base, .. }) = self.defined[at.0 as usize] {
            at = base;
        }
        match self.preset[at.0 as usize] {
            Some(Preset::Argument(offset)) if self.kind(at) == Kind::I64 => Some(offset),
            _ => None,
        }
    }

    pub(super) fn continue_unless(&mut self, test: Machine, condition: Condition, otherwise: Block) {
        let next = self.function.block(self.function.blocks[self.at.0 as usize].cold);
        self.branch(test, condition, otherwise, next);
        self.function.stand(next);
        self.at = next;
    }

    /// Whether an address is in the lane's own memory: at a known distance from its start.
    fn is_own(&self, address: Value, size: u32) -> Option<()> {
        if !self.switches.has(Switch::Private) {
            return None;
        }
        let (mut at, mut distance) = (address, 0_i64);
        loop {
            if let Some(Preset::Private { start: offset, .. }) = self.preset[at.0 as usize] {
                let start = distance.checked_add(offset.into())?;
                let end = start.checked_add(size.into())?;
                return (start >= 0 && end <= i64::from(self.program.private_bytes)).then_some(());
            }
            let Some(Inst::Address { base, index, scale, offset, .. }) = self.defined[at.0 as usize] else {
                return None;
            };
            let index = self.shapes.constant(index)? as i64;
            distance = index.checked_mul(scale)?.checked_add(offset)?.checked_add(distance)?;
            at = base;
        }
    }

    /// Leaves where a number of 32 bits that the address depends on wraps between lanes.
    pub(super) fn guard(&mut self, address: Value, cold: Block) {
        let mut work = vec![address];
        let mut seen = Vec::new();
        while let Some(value) = work.pop() {
            if !self.shapes.fragile[value.0 as usize] || seen.contains(&value) {
                continue;
            }
            seen.push(value);
            let Some(mut inst) = self.defined[value.0 as usize] else { continue };
            if let Inst::Convert(op, Kind::I32, Kind::I64, _, x) = inst {
                if self.stride(x).is_some_and(|stride| stride != 0) {
                    self.leave_where_it_wraps(x, op == ConvertOp::Sext, 0, 0, cold);
                }
                continue;
            }
            inst.visit_operands(&mut |operand| work.push(*operand));
        }
    }

    /// Loads what the lanes that are here may access, or `only` they.
    fn load_from(&mut self, kind: Kind, result: Value, addresses: Addresses, only: bool) {
        match addresses {
            Addresses::Apart(base, 0, offset) => self.load_same(kind, result, base, offset),
            Addresses::Apart(base, stride, offset) if stride == i64::from(kind.size()) => {
                let own = self.vector_of(result);
                let row = match kind.size() {
                    1 => rows::PMOVZXBD,
                    2 => rows::PMOVZXWD,
                    4 => rows::MOVDQU32,
                    _ => rows::MOVDQU64,
                };
                // Processors do not see loads with masks coming, so all lanes are read if they may be, whoever is here.
                for part in 0..parts(kind) {
                    let half =
                        self.half(self.mask.filter(|_| only || !self.switches.has(Switch::LoadAll)), part);
                    let place = Place::at(Anchor::Var, offset + 64 * part as i32);
                    self.push(Machine::row(row).def(own.0[part]).at(place).base(base).zero(half));
                }
            }
            Addresses::Apart(base, stride, offset) if kind.size() < 4 => {
                let own = self.vector_of(result);
                if only {
                    self.load_small_lanes(kind, own.0[0], base, stride, offset);
                } else {
                    self.load_windows(kind, own.0[0], base, stride, offset);
                }
            }
            Addresses::Apart(base, stride, offset) if !only && self.loads_apart(kind) => {
                let own = self.vector_of(result);
                self.load_apart(own.0[0], base, stride, offset);
            }
            Addresses::Apart(base, stride, offset) => {
                let wide = kind.size() == 8;
                let lanes = self.lanes_times(stride, false, 0);
                let index = self.vector();
                self.push(Machine::row(rows::MOVDQU32).def(index).at(lanes));
                let own = self.vector_of(result);
                for part in 0..parts(kind) {
                    let row = if wide { rows::GATHERDQ } else { rows::GATHERDD };
                    let displacement = offset + (8 * stride) as i32 * part as i32;
                    self.gather(row, own.0[part], base, index, displacement, part);
                }
            }
            Addresses::Indexed(base, index, scale) => {
                let own = self.vector_of(result);
                for part in 0..parts(kind) {
                    let row = if kind.size() == 8 { rows::GATHERDQ } else { rows::GATHERDD };
                    let index = self.index_part(index, part);
                    let place = Place { scale, ..Place::at(Anchor::Var, 0) };
                    self.gather_at(row, own.0[part], base, index, place, part);
                }
            }
            Addresses::Any(base, from_start) => {
                let own = self.vector_of(result);
                if kind.size() == 8 {
                    for part in 0..2 {
                        self.gather(rows::GATHERQQ, own.0[part], base, from_start.0[part], 0, part);
                    }
                    return;
                }
                let (low, high) = (self.vector(), self.vector());
                for (part, to) in [low, high].into_iter().enumerate() {
                    self.gather(rows::GATHERQD, to, base, from_start.0[part], 0, part);
                }
                self.push(Machine::row(rows::INSERT_HIGH).def(own.0[0]).second(low).last(high).imm(1));
            }
        }
    }

    /// Makes small numbers of the last bits of words, in the others of which there may be anything.
    pub(super) fn cut_small(&mut self, kind: Kind, result: Value, words: Vector) {
        let bits = u64::from(u32::MAX >> (32 - 8 * kind.size()));
        let cut = self.with_constant(rows::PANDD, Kind::I32, words, bits);
        let own = self.vector_of(result);
        self.copy(own.0[0], cut.0[0]);
    }

    /// One scalar for all lanes.
    fn load_same(&mut self, kind: Kind, result: Value, base: Var, offset: i32) {
        let place = Place::at(Anchor::Var, offset);
        match kind {
            Kind::F32 | Kind::F64 => {
                let own = self.vector_of(result);
                let row = if kind == Kind::F32 { rows::BROADCASTSS } else { rows::BROADCASTSD };
                self.push(Machine::row(row).def(own.0[0]).at(place).base(base));
                if kind == Kind::F64 {
                    self.copy(own.0[1], own.0[0]);
                }
            }
            _ => {
                let row = match kind.size() {
                    1 => rows::MOVZX8,
                    2 => rows::MOVZX16,
                    4 => rows::MOV32,
                    _ => rows::MOV64,
                };
                let var = self.general();
                self.push(Machine::row(row).def(var).at(place).base(base));
                if self.is_scalar(result) {
                    let own = self.scalar_var(result);
                    self.copy(own, var);
                } else {
                    let own = self.vector_of(result);
                    let row = if kind.size() == 8 { rows::BROADCASTQ } else { rows::BROADCASTD };
                    self.push(Machine::row(row).def(own.0[0]).last(var));
                    if parts(kind) == 2 {
                        self.copy(own.0[1], own.0[0]);
                    }
                }
            }
        }
    }

    /// A mask that an instruction may use up.
    fn spent_mask(&mut self, part: usize) -> Var {
        match self.half(self.mask, part) {
            Some(mask) => mask,
            None => {
                let mask = self.mask_var();
                self.push(Machine::new(Code::FullMask).def(mask));
                mask
            }
        }
    }

    pub(super) fn gather(
        &mut self,
        row: Row,
        to: Var,
        base: Var,
        index: Var,
        displacement: i32,
        part: usize,
    ) {
        self.gather_at(row, to, base, index, Place::at(Anchor::Var, displacement), part);
    }

    fn gather_at(&mut self, row: Row, to: Var, base: Var, index: Var, at: Place, part: usize) {
        let mask = self.spent_mask(part);
        let (zero, spent) = (self.vector(), self.mask_var());
        let place = self.constant32(0);
        self.push(Machine::row(rows::BROADCASTSS).def(zero).at(place));
        self.push(
            Machine::row(row)
                .update(to, zero)
                .op(spent, How::Reuse(3), Role::Hidden)
                .op(mask, How::Use, Role::Merge)
                .at(at)
                .base(base)
                .index(index),
        );
    }

    pub(super) fn scatter(
        &mut self,
        row: Row,
        from: Var,
        base: Var,
        index: Var,
        displacement: i32,
        part: usize,
    ) {
        self.scatter_at(row, from, base, index, Place::at(Anchor::Var, displacement), part);
    }

    fn scatter_at(&mut self, row: Row, from: Var, base: Var, index: Var, at: Place, part: usize) {
        let mask = self.spent_mask(part);
        let spent = self.mask_var();
        self.push(
            Machine::row(row)
                .op(spent, How::Reuse(1), Role::Hidden)
                .op(mask, How::Use, Role::Merge)
                .register(from)
                .at(at)
                .base(base)
                .index(index)
                .effect(),
        );
    }

    fn store_to(&mut self, kind: Kind, value: Value, addresses: Addresses) {
        match addresses {
            Addresses::Apart(base, 0, offset) if self.stride(value) == Some(0) => {
                let row = match kind.size() {
                    1 => rows::MOV8_STORE,
                    2 => rows::MOV16_STORE,
                    4 => rows::MOV32_STORE,
                    _ => rows::MOV64_STORE,
                };
                let var = self.s(value);
                let place = Place::at(Anchor::Var, offset);
                self.push(Machine::row(row).register(var).at(place).base(base).effect());
            }
            Addresses::Apart(base, stride, offset) if stride == i64::from(kind.size()) => {
                let x = self.x(value);
                let row = match kind.size() {
                    1 => rows::PMOVDB,
                    2 => rows::PMOVDW,
                    4 => rows::MOVDQU32_STORE,
                    _ => rows::MOVDQU64_STORE,
                };
                for part in 0..parts(kind) {
                    let half = self.half(self.mask, part);
                    let place = Place::at(Anchor::Var, offset + 64 * part as i32);
                    self.push(
                        Machine::row(row).register(x.0[part]).at(place).base(base).merge(half).effect(),
                    );
                }
            }
            Addresses::Apart(base, stride, offset) => {
                let lanes = self.lanes_times(stride, false, 0);
                let index = self.vector();
                self.push(Machine::row(rows::MOVDQU32).def(index).at(lanes));
                let x = self.x(value);
                for part in 0..parts(kind) {
                    let row = if kind.size() == 8 { rows::SCATTERDQ } else { rows::SCATTERDD };
                    let displacement = offset + (8 * stride) as i32 * part as i32;
                    self.scatter(row, x.0[part], base, index, displacement, part);
                }
            }
            Addresses::Indexed(base, index, scale) => {
                let x = self.x(value);
                for part in 0..parts(kind) {
                    let row = if kind.size() == 8 { rows::SCATTERDQ } else { rows::SCATTERDD };
                    let index = self.index_part(index, part);
                    let place = Place { scale, ..Place::at(Anchor::Var, 0) };
                    self.scatter_at(row, x.0[part], base, index, place, part);
                }
            }
            Addresses::Any(base, from_start) => {
                let x = self.x(value);
                if kind.size() == 8 {
                    for part in 0..2 {
                        self.scatter(rows::SCATTERQQ, x.0[part], base, from_start.0[part], 0, part);
                    }
                    return;
                }
                let high = self.vector();
                self.push(Machine::row(rows::EXTRACT_HIGH).register(x.0[0]).result_last(high).imm(1));
                for (part, from) in [x.0[0], high].into_iter().enumerate() {
                    self.scatter(rows::SCATTERQD, from, base, from_start.0[part], 0, part);
                }
            }
        }
    }
}

fn start(limit: usize) -> Place {
    Place::at(Anchor::Context, Limit::offset(limit))
}

pub(super) fn count(limit: usize) -> Place {
    Place::at(Anchor::Context, Limit::offset(limit) + 8)
}
