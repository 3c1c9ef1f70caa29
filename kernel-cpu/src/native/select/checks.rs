//! One check for several accesses.
//!
//! Accesses of a block whose addresses are at fixed distances from each other are checked together, before the first of them. If all of a block's checks
//! pass, none of its accesses asks again; if one fails, each asks for itself, in a copy of the code that is seldom executed.

use super::origin::{Index, Origin, Wrap};
use super::{Selector, rows};
use crate::native::lir::{Anchor, Block, How, Inst as Machine, Place, Role, Var};
use crate::native::switches::Switch;
use crate::program::{Inst, Kind, LANES, Space, Value};
use std::collections::{HashMap, HashSet};

/// So many accesses ask for themselves where the check of them together failed; if there are more, the interpreter executes them.
const FEW: usize = 8;

/// An access of a block.
#[derive(Clone, Copy)]
struct Member {
    place: usize,
    address: Value,
    /// The distance from the base.
    offset: i64,
    /// If indices may wrap between accesses.
    index: Option<Index>,
    kind: Kind,
    is_store: bool,
}

/// Accesses that are checked together.
struct Group {
    base: Value,
    /// How their indices must not wrap, if they are counted from a sum.
    wrap: Option<Wrap>,
    space: Space,
    stride: i64,
    members: Vec<Member>,
    /// Whether all of them are known to be allowed.
    proved: bool,
}

impl Group {
    /// Has the members of a group whose indices may wrap be counted from the one at the least address.
    fn count_from_the_least(&mut self) {
        let Some(&least) = self.members.iter().min_by_key(|member| member.offset) else { return };
        let Some(index) = least.index else { return };
        let numbers = self.members.iter().filter_map(|member| Some(member.index?.number));
        self.wrap = Some(Wrap::new(index, numbers));
        self.base = least.address;
        self.members.iter_mut().for_each(|member| member.offset -= least.offset);
    }
}

/// The groups that have to be checked.
fn checked(groups: &[Group]) -> impl Iterator<Item = &Group> {
    groups.iter().filter(|group| !group.proved)
}

/// The checks of a block: they stand before the instruction at `first`, and serve those up to `last`.
struct Plan {
    first: usize,
    last: usize,
    groups: Vec<Group>,
    bundles: Vec<Bundle>,
    /// The instructions before `first` that only those who ask for themselves need, in order.
    distances: Vec<usize>,
}

/// Accesses that together are to all of a piece of memory: that of each lane is as long as the lanes are apart.
struct Bundle {
    base: Value,
    /// Where the piece starts.
    offset: i64,
    /// How many numbers of 32 bits each lane has.
    width: usize,
    /// The place of the access to each of them, if there is one.
    places: Vec<Option<usize>>,
    is_store: bool,
}

/// How the accesses of a block that are selected now are allowed.
#[derive(Default)]
pub(super) struct Trust {
    /// The base and the distance of those that need no check.
    trusted: HashMap<usize, (Value, i64)>,
    /// The bundle and the number in it of those that are done together.
    bundled: HashMap<usize, (usize, usize)>,
    bundles: Vec<Bundle>,
    /// What has been loaded of each strip for each bundle.
    loaded: Vec<Vec<Option<Vec<Var>>>>,
    /// Whether the interpreter is to execute all others.
    pub(super) calls: bool,
}

impl Trust {
    pub(super) fn of(&self, place: usize) -> Option<(Value, i64)> {
        self.trusted.get(&place).copied()
    }
}

impl Selector<'_> {
    /// Selects the instructions of the block.
    pub(super) fn insts(&mut self) {
        let count = self.program.blocks[self.block].insts.len();
        let Some(plan) = self.plan_checks() else { return self.some_insts(0, count) };
        let cold = self.function.blocks[self.at.0 as usize].cold;
        let (careful, join) = (self.function.block(true), self.function.block(cold));
        for place in (0..plan.first).filter(|place| !plan.distances.contains(place)) {
            self.some_insts(place, place + 1);
        }
        for group in checked(&plan.groups) {
            self.in_strips_of(group.base, |this| this.check_group(group, careful));
        }
        let size = checked(&plan.groups).map(|group| group.members.len()).sum::<usize>();
        self.trust = Trust::new(&plan.groups, plan.bundles, self.strips);
        self.some_insts(plan.first, plan.last + 1);
        if size == 0 {
            self.trust = Trust::default();
            return self.some_insts(plan.last + 1, count);
        }
        self.jump(join);
        self.trust = Trust { calls: size > FEW, ..Trust::default() };
        self.go(careful);
        for place in plan.distances {
            self.some_insts(place, place + 1);
        }
        self.some_insts(plan.first, plan.last + 1);
        self.jump(join);
        self.trust = Trust::default();
        self.go(join);
        self.some_insts(plan.last + 1, count);
    }

    fn some_insts(&mut self, start: usize, end: usize) {
        let program = self.program;
        for place in start..end {
            self.place = place;
            self.in_inst = true;
            self.inst_of_all(&program.blocks[self.block].insts[place]);
        }
        self.in_inst = false;
    }

    fn plan_checks(&self) -> Option<Plan> {
        let insts = &self.program.blocks[self.block].insts;
        let first = insts.iter().position(|inst| !inst.is_pure())?;
        if !self.switches.has(Switch::Together) || !self.switches.has(Switch::Memory) {
            return None;
        }
        let early: HashSet<Value> = insts[..first].iter().filter_map(Inst::result).collect();
        let is_early =
            |value: Value| self.shapes.home[value.0 as usize] != self.block || early.contains(&value);
        let mut numbers: HashMap<(Origin, Space), usize> = HashMap::new();
        let mut groups: Vec<Group> = Vec::new();
        for (place, inst) in insts.iter().enumerate().skip(first) {
            let (kind, space, address, is_store) = match *inst {
                Inst::Load { kind, space, address, .. } => (kind, space, address, false),
                Inst::Store { kind, space, address, .. } => (kind, space, address, true),
                _ => continue,
            };
            if space == Space::Private || !self.is_vectorized(inst) {
                continue;
            }
            let Some(stride) = self.stride(address) else { continue };
            let counted = self.counted_from(address, stride);
            let base = if let Origin::Value(base) = counted.origin { base } else { address };
            if !is_early(base) {
                continue;
            }
            let number = *numbers.entry((counted.origin, space)).or_insert_with(|| {
                groups.push(Group { base, wrap: None, space, stride, members: Vec::new(), proved: true });
                groups.len() - 1
            });
            let group = &mut groups[number];
            let (offset, index) = (counted.offset, counted.index);
            group.members.push(Member { place, address, offset, index, kind, is_store });
            group.proved = group.proved && self.is_within_local(kind, space, address);
        }
        groups.retain(|group| group.members.len() > 1);
        groups.iter_mut().for_each(Group::count_from_the_least);
        let bundles: Vec<Bundle> = groups.iter().flat_map(|group| self.bundles(group)).collect();
        let saved: usize = checked(&groups).map(|group| group.members.len() - 1).sum();
        if saved < 2 && bundles.is_empty() {
            return None;
        }
        let places = || groups.iter().flat_map(|group| &group.members).map(|member| member.place);
        let (first, last) = (places().min()?, places().max()?);
        let distances = self.distances(first, &groups);
        Some(Plan { first, last, groups, bundles, distances })
    }

    /// The instructions before `first` that compute the addresses of members, for nobody else.
    fn distances(&self, first: usize, groups: &[Group]) -> Vec<usize> {
        let insts = &self.program.blocks[self.block].insts;
        let bases: HashSet<Value> = groups.iter().map(|group| group.base).collect();
        let mut uses: HashMap<Value, u32> = HashMap::new();
        for member in groups.iter().flat_map(|group| &group.members) {
            *uses.entry(member.address).or_default() += 1;
        }
        let mut distances = Vec::new();
        for (place, inst) in insts.iter().enumerate().take(first).rev() {
            let Some(result) = inst.result().filter(|result| !bases.contains(result)) else { continue };
            if uses.get(&result) == Some(&self.uses[result.0 as usize]) {
                let mut inst = *inst;
                inst.visit_operands(&mut |operand| *uses.entry(*operand).or_default() += 1);
                distances.push(place);
            }
        }
        distances.reverse();
        distances
    }

    fn check_group(&mut self, group: &Group, careful: Block) {
        let Some(first) = group.members.first() else { return };
        self.place = first.place;
        let reach = group.stride * (LANES as i64 - 1);
        let starts = group.members.iter().map(|member| member.offset);
        let ends = group.members.iter().map(|member| member.offset + i64::from(member.kind.size()));
        let bundled = self.bundles(group);
        let starts = starts.chain(bundled.iter().map(|bundle| bundle.offset));
        let ends = ends.chain(bundled.iter().map(|bundle| bundle.offset + 4 * bundle.width as i64));
        let low = starts.min().unwrap_or(0) + reach.min(0);
        let high = ends.max().unwrap_or(0) + reach.max(0);
        match &group.wrap {
            Some(wrap) => self.check_wrap(wrap, careful),
            None => self.guard(group.base, careful),
        }
        self.check_extent(group.space, group.base, low, (high - low) as u64, careful);
    }

    /// The accesses of a group that can be done together.
    fn bundles(&self, group: &Group) -> Vec<Bundle> {
        let width = match group.stride {
            8 => 2,
            16 => 4,
            _ => return Vec::new(),
        };
        if !self.switches.has(Switch::Bundles) {
            return Vec::new();
        }
        let mut pieces: Vec<Bundle> = Vec::new();
        for member in &group.members {
            if member.kind.size() != 4 || member.offset % 4 != 0 {
                continue;
            }
            let offset = member.offset.div_euclid(group.stride) * group.stride;
            let number = ((member.offset - offset) / 4) as usize;
            let found = pieces.iter_mut().rev().find(|piece| {
                piece.offset == offset && piece.is_store == member.is_store && piece.places[number].is_none()
            });
            match found {
                Some(piece) => piece.places[number] = Some(member.place),
                None => {
                    let mut places = vec![None; width];
                    places[number] = Some(member.place);
                    let (base, is_store) = (group.base, member.is_store);
                    pieces.push(Bundle { base, offset, width, places, is_store });
                }
            }
        }
        pieces.retain(|piece| {
            let places = || piece.places.iter().flatten().copied();
            let (Some(first), Some(last)) = (places().min(), places().max()) else { return false };
            let between = &self.program.blocks[self.block].insts[first..=last];
            let alone = between.iter().enumerate().all(|(place, inst)| {
                let own = piece.places.contains(&Some(first + place));
                own || inst.is_pure() || (!piece.is_store && matches!(inst, Inst::Load { .. }))
            });
            let enough = if piece.is_store { piece.width } else { 2 };
            alone && places().count() >= enough
        });
        pieces
    }

    /// Loads a number that has been loaded together with others.
    pub(super) fn load_bundled(&mut self, kind: Kind, result: Value) -> Option<()> {
        let &(number, part) = self.trust.bundled.get(&self.place)?;
        if self.is_scalar(result) || kind.size() != 4 || self.trust.bundles[number].is_store {
            return None;
        }
        if self.trust.loaded[self.strip][number].is_none() {
            let bundle = &self.trust.bundles[number];
            let (base, offset, width) = (bundle.base, bundle.offset, bundle.width);
            let base = self.s(base);
            let memory: Vec<Var> = (0..width)
                .map(|piece| {
                    let var = self.vector();
                    let place = Place::at(Anchor::Var, (offset + 64 * piece as i64) as i32);
                    self.push(Machine::row(rows::MOVDQU32).def(var).at(place).base(base));
                    var
                })
                .collect();
            let parts = self.apart(&memory);
            self.trust.loaded[self.strip][number] = Some(parts);
        }
        let from = self.trust.loaded[self.strip][number].as_ref()?[part];
        let own = self.vector_of(result);
        self.copy(own.0[0], from);
        Some(())
    }

    /// Stores a number together with others: all of them, when the last one comes.
    pub(super) fn store_bundled(&mut self, kind: Kind) -> Option<()> {
        let &(number, _) = self.trust.bundled.get(&self.place)?;
        if self.mask.is_some() || kind.size() != 4 || !self.trust.bundles[number].is_store {
            return None;
        }
        let bundle = &self.trust.bundles[number];
        let (base, offset, places) = (bundle.base, bundle.offset, bundle.places.clone());
        if places.iter().flatten().max() != Some(&self.place) {
            return Some(());
        }
        let mut parts = Vec::with_capacity(places.len());
        for place in places.into_iter().flatten() {
            let Inst::Store { value, .. } = self.program.blocks[self.block].insts[place] else { return None };
            let x = self.x(value);
            parts.push(x.0[0]);
        }
        let memory = self.together(&parts);
        let base = self.s(base);
        for (piece, var) in memory.into_iter().enumerate() {
            let place = Place::at(Anchor::Var, (offset + 64 * piece as i64) as i32);
            self.push(Machine::row(rows::MOVDQU32_STORE).register(var).at(place).base(base).effect());
        }
        Some(())
    }

    /// The numbers of each place from pieces of memory in which those of a lane follow each other.
    pub(super) fn apart(&mut self, memory: &[Var]) -> Vec<Var> {
        match *memory {
            [a, b] => [0, 1].map(|part| self.pick(a, b, |lane| 2 * lane + part)).to_vec(),
            [a, b, c, d] => {
                // The first two numbers of eight lanes, and their other two.
                let half = |part: u32| move |place: u32| 4 * (place % 8) + 2 * part + place / 8;
                let low = [0, 1].map(|part| self.pick(a, b, half(part)));
                let high = [0, 1].map(|part| self.pick(c, d, half(part)));
                let mut parts = Vec::with_capacity(4);
                for pair in 0..2 {
                    for half in [0x44, 0xee] {
                        parts.push(self.halves_of(low[pair], high[pair], half));
                    }
                }
                parts
            }
            _ => memory.to_vec(),
        }
    }

    /// The inverse of [`Self::apart`].
    pub(super) fn together(&mut self, parts: &[Var]) -> Vec<Var> {
        match *parts {
            [a, b] => {
                [0, 8].map(|start| self.pick(a, b, |place| start + place / 2 + 16 * (place % 2))).to_vec()
            }
            [a, b, c, d] => {
                let mut memory = Vec::with_capacity(4);
                for half in [0x44, 0xee] {
                    // The first two numbers of eight lanes, and their other two.
                    let (first, second) = (self.halves_of(a, b, half), self.halves_of(c, d, half));
                    for start in [0, 4] {
                        memory.push(self.pick(first, second, |place| {
                            let (lane, part) = (start + place / 4, place % 4);
                            lane + 8 * (part % 2) + 16 * (part / 2)
                        }));
                    }
                }
                memory
            }
            _ => parts.to_vec(),
        }
    }

    /// A vector whose lanes are those with some numbers of two others, the lanes of the second from 16 on.
    fn pick(&mut self, a: Var, b: Var, number: impl Fn(u32) -> u32) -> Var {
        let bytes: Vec<u8> = (0..LANES as u32).flat_map(|lane| number(lane).to_le_bytes()).collect();
        let (place, index, result) = (self.line(&bytes), self.vector(), self.vector());
        self.push(Machine::row(rows::MOVDQU32).def(index).at(place));
        self.push(Machine::row(rows::PERMT2D).update(result, a).second(index).last(b));
        result
    }

    /// A half of each of two vectors.
    fn halves_of(&mut self, a: Var, b: Var, halves: i32) -> Var {
        let result = self.vector();
        let inst = Machine::row(rows::SHUFFLE_QUARTERS).op(result, How::Def, Role::Register);
        self.push(inst.second(a).last(b).imm(halves));
        result
    }
}

impl Trust {
    fn new(groups: &[Group], bundles: Vec<Bundle>, strips: usize) -> Self {
        let mut this = Self::default();
        for group in groups {
            for member in &group.members {
                this.trusted.insert(member.place, (group.base, member.offset));
            }
        }
        for (number, bundle) in bundles.iter().enumerate() {
            for (part, place) in bundle.places.iter().enumerate() {
                if let Some(place) = place {
                    this.bundled.insert(*place, (number, part));
                }
            }
        }
        this.loaded = vec![vec![None; bundles.len()]; strips];
        this.bundles = bundles;
        this
    }
}
