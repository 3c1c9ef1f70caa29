//! The kernel objects of a queue.

use crate::error::Result;
use crate::launch::kernel::Kernel;
use crate::module::KernelId;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The kernel objects of a queue, each with a number.
///
/// Programs mostly launch the same kernels in the same order again and again. So each knows which one came after it the last time, and that one is looked
/// at first.
#[derive(Default)]
pub(crate) struct Kernels {
    all: Vec<Known>,
    numbers: FxHashMap<KernelId, usize>,
    last: usize,
}

struct Known {
    kernel: Kernel,
    /// The number of the one that came after it.
    next: usize,
}

impl Kernels {
    /// The kernel object that is known by this, made now if it was not before.
    pub(crate) fn get(&mut self, id: KernelId, make: impl FnOnce() -> Result<Kernel>) -> Result<&mut Kernel> {
        let number = match self.numbers.entry(id) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let number = self.all.len();
                self.all.push(Known { kernel: make()?, next: number });
                *entry.insert(number)
            }
        };
        Ok(self.came(number))
    }

    /// The number of the kernel object that came last, if there is any.
    pub(crate) fn last(&self) -> usize {
        self.last
    }

    /// The kernel object with this number.
    #[inline]
    pub(crate) fn at(&mut self, number: usize) -> &mut Kernel {
        &mut self.all[number].kernel
    }

    /// What something finds out about one of the kernel objects that may be expected now, with its number. It is the last one then.
    #[inline]
    pub(crate) fn find_expected<R>(
        &mut self,
        mut find: impl FnMut(&Kernel) -> Option<R>,
    ) -> Option<(usize, R)> {
        let (last, next) = (self.last, self.all.get(self.last)?.next);
        let (number, found) = match find(&self.all[next].kernel) {
            Some(found) => (next, found),
            None if next == last => return None,
            None => (last, find(&self.all[last].kernel)?),
        };
        self.came(number);
        Some((number, found))
    }

    #[inline]
    fn came(&mut self, number: usize) -> &mut Kernel {
        self.all[self.last].next = number;
        self.last = number;
        &mut self.all[number].kernel
    }
}
