//! One launch on the host: its size, its inputs, and the panics of its work-items.

use crate::Program;
use crate::host::group::{self, Ending};
use crate::host::{Panic, Position};
use crate::input::{Input, Random};
use std::fmt::Write as _;

/// One launch on the host.
#[derive(Debug)]
pub struct Launch {
    seed: u64,
    group_size: usize,
    groups: usize,
    panics: Vec<(usize, Panic)>,
    /// The work-items of groups that did not come to their end, because one of them panicked.
    broken: Vec<usize>,
    inputs: String,
}

impl Launch {
    /// How many different launches there are of each program.
    pub(crate) const VARIANTS: u64 = 3;

    /// The launch of a program with a number; its size has nothing round about it.
    pub(crate) fn new(program: &Program, variant: u64) -> Self {
        let seed = program.seed.wrapping_mul(Self::VARIANTS).wrapping_add(variant);
        let mut random = Random::named(seed, "launch");
        let group_size = match program.kernel.group_size {
            Some([x, ..]) => x as usize,
            None => random.pick(&[1, 5, 8, 16, 16, 19]),
        };
        let groups = random.pick(&[1, 2, 3]);
        Self { seed, group_size, groups, panics: Vec::new(), broken: Vec::new(), inputs: String::new() }
    }

    /// The number of work-items.
    pub(crate) fn items(&self) -> usize {
        self.group_size * self.groups
    }

    /// The number of work-groups, and of work-items in each.
    pub(crate) fn grid(&self) -> [u32; 2] {
        [self.groups as u32, self.group_size as u32]
    }

    /// The value of an argument.
    pub fn value<T: Input + std::fmt::Debug>(&mut self, name: &str) -> T {
        let value = T::draw(&mut Random::named(self.seed, name));
        // Writing to a string does not fail.
        let _ = writeln!(self.inputs, "{name} = {value:?}");
        value
    }

    /// The elements of a slice, so many for each work-item.
    pub fn slice<T: Input + std::fmt::Debug>(&mut self, name: &str, per_item: usize) -> Vec<T> {
        let mut random = Random::named(self.seed, name);
        let elements: Vec<T> = (0..self.items() * per_item).map(|_| T::draw(&mut random)).collect();
        let _ = writeln!(self.inputs, "{name} = {elements:?}");
        elements
    }

    /// Runs the copy of the kernel for every work-item, and hands on what each leaves of its own. If the work-items of a group wait for each
    /// other, what a panic changes is not known of any of them.
    pub fn run<R: Send>(
        &mut self,
        they_wait: bool,
        kernel: impl Fn() -> R + Sync,
        mut keep: impl FnMut(usize, R),
    ) {
        let (items, group_size) = (self.items(), self.group_size);
        for group in 0..self.groups {
            let own = group * group_size..(group + 1) * group_size;
            let positions: Vec<Position> =
                own.clone().map(|item| Position { item, items, group_size }).collect();
            let panicked = self.panics.len();
            for (item, outcome) in own.clone().zip(group::run(&positions, &kernel)) {
                match outcome {
                    Ok(result) => keep(item, result),
                    Err(Ending::Panic(panic)) => self.panics.push((item, panic)),
                    Err(Ending::Others) => {}
                }
            }
            if they_wait && self.panics.len() > panicked {
                self.broken.extend(own);
            }
        }
    }

    /// The work-items that panicked, in order.
    pub(crate) fn panics(&self) -> &[(usize, Panic)] {
        &self.panics
    }

    /// The work-items of which nothing is known but that one of their group panicked.
    pub(crate) fn broken(&self) -> &[usize] {
        &self.broken
    }

    /// All that the launch was given, in words.
    pub(crate) fn describe(&self) -> String {
        format!("launched as {} groups of {} with\n{}", self.groups, self.group_size, self.inputs)
    }
}
