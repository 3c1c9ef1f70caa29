//! How the subgroups of a group, and the groups, follow each other.
//!
//! Mostly the code goes through them itself: for each region between barriers there is a loop over the subgroups, and around all regions one over the groups. Where lanes of a
//! subgroup may wait for each other at a barrier, the code runs one subgroup from the start or a barrier to the next one or the end, and the driver goes through them.

use super::exchange::Ahead;
use super::values::Scope;
use super::{Event, Selector, rows};
use crate::exec::POISON;
use crate::native::analyse::regions::Region;
use crate::native::encode::Condition;
use crate::native::ids::Record;
use crate::native::lir::{Anchor, Block, Code, End, Inst as Machine, Place, Var};
use crate::native::switches::Switch;
use crate::program::{self, MAX_STRIPS, Parameter, Preset, Terminator};

/// Where the code is on its way through groups and subgroups.
#[derive(Default)]
pub(super) struct Walk {
    /// The record of the subgroup, unless the context alone knows it.
    pub(super) record: Option<Var>,
    /// The global ids of the group's work-item whose local ids are 0.
    pub(super) first_ids: [Option<Var>; 3],
    /// The local ids of the first lane of each strip of the subgroup, as far as they have been loaded.
    pub(super) local_ids: [[Option<Var>; 3]; MAX_STRIPS],
    /// The region that is selected.
    pub(super) region: usize,
    /// What the subgroups that go on in the region have handed over, if it is combined already.
    pub(super) ahead: Option<Ahead>,
    /// Where each region starts for all subgroups.
    starts: Vec<Block>,
    /// Where subgroups come to that stop in this region: at the end, or at the barrier with the number before.
    stops: Vec<Option<Block>>,
}

impl Selector<'_> {
    /// Whether a block belongs to the region that is selected.
    pub(super) fn is_in_region(&self, block: usize) -> bool {
        self.facts.regions.as_ref().is_none_or(|regions| regions[self.walk.region].has[block])
    }

    /// Whether subgroups go on at a block in the region that is selected.
    pub(super) fn starts_region(&self, block: usize) -> bool {
        self.facts.regions.as_ref().is_some_and(|regions| regions[self.walk.region].start == block)
    }

    /// Selects code for all subgroups of many groups.
    pub(super) fn groups(&mut self) {
        let Some(regions) = &self.facts.regions else { return };
        self.walk.starts = regions.iter().map(|_| self.function.block(false)).collect();
        self.walk.record = Some(self.general());
        let [group, next] = std::array::from_fn(|_| self.function.block(false));
        self.presets(Scope::Launch);
        self.jump(group);
        self.go(group);
        self.fill_local();
        self.presets(Scope::Group);
        self.jump(self.walk.starts[0]);
        for number in 0..regions.len() {
            self.region(number, next);
        }
        self.go(next);
        self.next_group(group);
    }

    /// Fills local memory with what it holds before the first write.
    fn fill_local(&mut self) {
        let has_local = self.program.local_bytes > 0
            || self.program.parameters.iter().any(|parameter| matches!(parameter, Parameter::Local { .. }));
        if !has_local {
            return;
        }
        let poison = self.line(&[POISON; 64]);
        let [ask, fill, done] = std::array::from_fn(|_| self.function.block(false));
        let (at, end, line) = (self.general(), self.field(context!(local_end)), self.vector());
        let start = self.field(context!(local));
        self.copy(at, start);
        self.push(Machine::row(rows::MOVDQU32).def(line).at(poison));
        self.jump(ask);
        self.go(ask);
        let test = Machine::row(rows::CMP64).register(at).last(end);
        self.branch(test, Condition::Below, fill, done);
        self.go(fill);
        let place = Place::at(Anchor::Var, 0);
        self.push(Machine::row(rows::MOVDQU32_STORE).register(line).at(place).base(at).effect());
        let next = self.plus(at, 64);
        self.copy(at, next);
        self.jump(ask);
        self.go(done);
    }

    /// Selects a region for all subgroups; `next` is where the next group starts.
    fn region(&mut self, number: usize, next: Block) {
        let Some(regions) = &self.facts.regions else { return };
        let region = &regions[number];
        self.walk.region = number;
        self.control.start_copy(&mut self.function, self.shapes, |block| region.has[block]);
        let is_here = |stop: &Region| stop.barrier.is_none_or(|block| region.has[block]);
        let mut block = |stop: &Region| is_here(stop).then(|| self.function.block(false));
        self.walk.stops = regions.iter().map(&mut block).collect();
        self.finish = self.walk.stops[0].unwrap_or(self.leave);
        let (top, stopped) = (self.function.block(false), self.general());
        self.go(self.walk.starts[number]);
        self.first_subgroup();
        if region.barrier.is_some() && self.switches.has(Switch::Polls) {
            self.poll();
        }
        self.walk.ahead = region.barrier.and_then(|_| self.collect_ahead(region.start));
        self.push(Machine::new(Code::Immediate(0)).def(stopped));
        self.jump(top);
        self.go(top);
        self.start_subgroup();
        match region.barrier {
            Some(barrier) => {
                self.restore(barrier, region.start);
                self.resume(region.start);
            }
            None => self.nobody_waits(),
        }
        self.jump(self.control.whole(region.start));
        self.blocks();
        self.stops(top, stopped, next);
    }

    /// Goes to the first subgroup.
    fn first_subgroup(&mut self) {
        let first = self.field(context!(first_record));
        self.copy_record(first);
        if self.has_several_files() {
            let start = self.field(context!(first_registers));
            self.set_field(context!(registers), start);
            self.push(Machine::new(Code::Registers).effect());
        }
        if self.has_private() {
            let start = self.field(context!(first_private));
            self.set_field(context!(private), start);
        }
    }

    /// What is to be known of a subgroup that runs.
    fn start_subgroup(&mut self) {
        if let Some(record) = self.walk.record {
            self.set_field(context!(record), record);
        }
        self.find_lanes();
        self.presets(Scope::Subgroup);
    }

    /// All lanes that exist are here.
    fn find_lanes(&mut self) {
        let mut all = [None; MAX_STRIPS];
        if !self.ids.is_full() {
            for (strip, mask) in all.iter_mut().enumerate().take(self.strips) {
                self.enter(strip);
                *mask = Some(self.present());
            }
        }
        self.control.root = all;
        self.set_here(all);
    }

    /// Whether a group has several subgroups.
    pub(super) fn has_several(&self) -> bool {
        self.ids.records.len() > self.strips
    }

    fn copy_record(&mut self, from: Var) {
        if let Some(record) = self.walk.record {
            self.copy(record, from);
        }
    }

    /// Whether subgroups have register files of their own: those that may wait.
    fn has_several_files(&self) -> bool {
        !self.barriers.is_empty() && self.has_several()
    }

    fn has_private(&self) -> bool {
        self.preset.iter().any(|preset| matches!(preset, Some(Preset::Private { .. })))
    }

    /// What comes after the subgroups that stop in a region.
    fn stops(&mut self, top: Block, stopped: Var, next: Block) {
        let Some(regions) = &self.facts.regions else { return };
        let is_end = |(_, block): &(usize, &program::Block)| matches!(block.terminator, Terminator::Return);
        let mut ends = self.program.blocks.iter().enumerate().filter(is_end);
        let has_end = ends.any(|(place, _)| self.is_in_region(place));
        let here = |stop: &usize| regions[*stop].barrier.map_or(has_end, |block| self.is_in_region(block));
        let stops: Vec<usize> = (0..regions.len()).filter(here).collect();
        if !has_end {
            // No lanes come here.
            self.go(self.finish);
            self.jump(self.leave);
        }
        for &stop in &stops {
            let Some(block) = self.walk.stops[stop] else { continue };
            self.go(block);
            let after = self.function.block(false);
            if self.has_several() {
                if stops.len() > 1 && !self.facts.alike[self.walk.region] {
                    self.stop_alike(stop, stopped);
                }
                self.next_subgroup(top, after);
                self.go(after);
            } else {
                self.function.end(self.at, End::Jump(after));
                self.go(after);
            }
            let to = match regions[stop].barrier {
                Some(barrier) => {
                    self.block = barrier;
                    self.hand_over(regions[stop].start);
                    self.walk.starts[stop]
                }
                None => next,
            };
            self.jump(to);
        }
    }

    /// Leaves the code if the subgroup has stopped elsewhere than the first one, of which `stopped` says where, if it is not zero.
    fn stop_alike(&mut self, stop: usize, stopped: Var) {
        let [other, odd, first] = std::array::from_fn(|_| self.function.block(true));
        let same = self.function.block(false);
        let is = |number: i32| Machine::row(rows::CMP32_IMMEDIATE).last(stopped).imm(number);
        self.branch(is(stop as i32 + 1), Condition::Equal, same, other);
        self.go(other);
        self.branch(is(0), Condition::Equal, first, odd);
        self.go(first);
        self.push(Machine::new(Code::Immediate(stop as u64 + 1)).def(stopped));
        self.jump(same);
        self.go(odd);
        let expected = self.plus(stopped, -1);
        self.push(Machine::row(rows::MOV32_STORE).register(expected).at(context!(expected)).effect());
        self.push(Machine::row(rows::MOV32_IMMEDIATE).at(context!(stopped)).imm(stop as i32).effect());
        self.jump(self.leave);
        self.go(same);
    }

    /// Starts the next subgroup, or goes on elsewhere after the last one.
    fn next_subgroup(&mut self, top: Block, after: Block) {
        if self.has_several_files() {
            self.push(Machine::new(Code::NextRegisters).effect());
            if self.has_private() {
                let (old, new) = (self.field(context!(private)), self.general());
                self.push(Machine::row(rows::ADD64).update(new, old).at(context!(private_stride)));
                self.set_field(context!(private), new);
            }
        }
        let Some(record) = self.walk.record else { return };
        let next = self.plus(record, (self.strips * size_of::<Record>()) as i64);
        self.copy(record, next);
        let test = Machine::row(rows::CMP64).register(next).at(context!(end_record));
        self.branch(test, Condition::Below, top, after);
    }

    /// Stops the subgroup at the end, or at the barrier with the number before.
    pub(super) fn stop(&mut self, number: usize) {
        if self.facts.regions.is_some() {
            let to = self.walk.stops[number].unwrap_or(self.leave);
            return self.jump(to);
        }
        let stopped = Machine::row(rows::MOV32_IMMEDIATE).at(context!(stopped)).imm(number as i32);
        self.push(stopped.effect());
        self.jump(self.finish);
    }

    /// Starts the next group, unless all are done, or none is to follow.
    fn next_group(&mut self, group: Block) {
        let leave = self.leave;
        if !self.switches.has(Switch::Groups) {
            return self.jump(leave);
        }
        let [others, more] = std::array::from_fn(|_| self.function.block(false));
        let left = self.field(context!(groups_left));
        let left = self.plus(left, -1);
        self.set_field(context!(groups_left), left);
        let test = Machine::row(rows::TEST64).register(left).last(left);
        self.branch(test, Condition::Equal, leave, others);
        self.go(others);
        self.poll();
        let failed = self.field(context!(failed));
        let test = Machine::row(rows::CMP32_IMMEDIATE).at(Place::at(Anchor::Var, 0)).base(failed).imm(0);
        self.branch(test, Condition::NotEqual, leave, more);
        self.go(more);
        for dimension in 0..3 {
            self.next_in_row(dimension, group);
        }
        self.jump(group);
    }

    /// Goes to the next group of a row, or else to the start of the row, and on from there.
    fn next_in_row(&mut self, dimension: u8, group: Block) {
        let at = 8 * i32::from(dimension);
        let [on, wrap] = std::array::from_fn(|_| self.function.block(false));
        let id = self.field(context!(group + at));
        let next = self.plus(id, 1);
        let test = Machine::row(rows::CMP64).register(next).at(context!(group_count + at));
        self.branch(test, Condition::Below, on, wrap);
        self.go(on);
        self.set_field(context!(group + at), next);
        let first = self.field(context!(first + at));
        let first = self.plus(first, self.ids.group_size[usize::from(dimension)].into());
        self.set_field(context!(first + at), first);
        self.jump(group);
        self.go(wrap);
        let (zero, offset) = (self.number(0), self.field(context!(global_offset + at)));
        self.set_field(context!(group + at), zero);
        self.set_field(context!(first + at), offset);
    }

    /// Selects code for one subgroup from the start or a barrier to the next one or the end.
    pub(super) fn one_subgroup(&mut self) {
        self.control.start_copy(&mut self.function, self.shapes, |_| true);
        self.presets(Scope::Launch);
        self.presets(Scope::Group);
        self.find_lanes();
        self.presets(Scope::Subgroup);
        let program = self.program;
        let mut number = 0;
        for (block, data) in program.blocks.iter().enumerate() {
            let Terminator::Barrier { next, .. } = &data.terminator else { continue };
            number += 1;
            let (resume, other) = (self.function.block(false), self.function.block(false));
            let test = Machine::row(rows::CMP32_IMMEDIATE).at(context!(entry)).imm(number).effect();
            self.branch(test, Condition::Equal, resume, other);
            self.go(resume);
            let target = next.target.0 as usize;
            self.restore(block, target);
            self.resume(target);
            self.jump(self.control.whole(target));
            self.go(other);
        }
        self.nobody_waits();
        self.jump(self.control.whole(0));
        self.blocks();
        let finish = self.finish;
        self.go(finish);
        self.jump(self.leave);
    }

    /// Where the code ends.
    pub(super) fn ends(&mut self) {
        let (halted, leave) = (self.halted, self.leave);
        self.go(halted);
        self.set_here([None; MAX_STRIPS]);
        self.event(Event::Halt);
        self.jump(leave);
        self.function.stand(leave);
        self.function.end(leave, End::Return);
    }

    /// Asks whether the launch has to stop, as every way back to the head of a loop does.
    pub(super) fn poll(&mut self) {
        let word = self.field(context!(halt));
        let test = Machine::row(rows::CMP32_IMMEDIATE).at(Place::at(Anchor::Var, 0)).base(word).imm(0);
        let (halted, next) = (self.halted, self.function.block(false));
        self.branch(test, Condition::NotEqual, halted, next);
        self.function.stand(next);
        self.at = next;
    }

    fn set_field(&mut self, place: Place, value: Var) {
        self.push(Machine::row(rows::MOV64_STORE).register(value).at(place).effect());
    }
}
