//! One launch on the host: its size, its inputs, and the panics of its work-items.

use crate::Program;
use crate::host::{self, Panic, Position};
use crate::input::{Input, Random};
use std::fmt::Write as _;

/// One launch on the host.
#[derive(Debug)]
pub struct Launch {
    seed: u64,
    group_size: usize,
    groups: usize,
    panics: Vec<(usize, Panic)>,
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
        Self { seed, group_size, groups: random.pick(&[1, 2, 3]), panics: Vec::new(), inputs: String::new() }
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

    /// Runs the copy of the kernel for every work-item.
    pub fn run(&mut self, mut kernel: impl FnMut()) {
        for item in 0..self.items() {
            let position = Position { item, items: self.items(), group_size: self.group_size };
            if let Err(panic) = host::run(position, &mut kernel) {
                self.panics.push((item, panic));
            }
        }
    }

    /// The work-items that panicked, in order.
    pub(crate) fn panics(&self) -> &[(usize, Panic)] {
        &self.panics
    }

    /// All that the launch was given, in words.
    pub(crate) fn describe(&self) -> String {
        format!("launched as {} groups of {} with\n{}", self.groups, self.group_size, self.inputs)
    }
}
