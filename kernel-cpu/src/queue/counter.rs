//! Counters in memory for events that have none unless somebody asks for one.

use super::event::Event;
use crate::memory::Allocation;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A counter that reaches a value when an event is signalled.
#[derive(Clone, Debug)]
pub(crate) struct Counter {
    memory: Arc<Allocation>,
    index: usize,
    value: u64,
}

impl Counter {
    /// Where it is, and what it reaches.
    pub(crate) fn place(&self) -> (u64, u64) {
        (self.number().as_ptr().addr() as u64, self.value)
    }

    pub(super) fn reach(&self) {
        self.number().fetch_max(self.value, Ordering::AcqRel);
    }

    fn number(&self) -> &AtomicU64 {
        let numbers = self.memory.start().cast::<AtomicU64>();
        // SAFETY: there is room for the number at this index, and the memory is aligned, as `Counters` sees to; all bits are those of a number.
        unsafe { &*numbers.add(self.index) }
    }
}

/// How many counters are in one piece of memory.
const MANY: usize = 512;

/// The counters of a context. One whose event has been signalled becomes that of another event, and counts on from there.
#[derive(Debug, Default)]
pub(crate) struct Counters(Mutex<Vec<Used>>);

#[derive(Debug)]
struct Used {
    counter: Counter,
    /// The event that it is of; none if it is of no event yet.
    event: Option<Arc<Event>>,
}

impl Counters {
    /// Gives an event a counter, unless it has one. `allocate` makes memory of so many bytes, aligned to that of a number.
    pub(crate) fn give(
        &self,
        event: &Arc<Event>,
        allocate: impl FnOnce(usize) -> Option<Arc<Allocation>>,
    ) -> Option<Counter> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(counter) = event.counter() {
            return Some(counter);
        }
        let is_free = |used: &Used| used.event.as_ref().is_none_or(|event| event.is_signalled());
        let found = match all.iter().position(is_free) {
            Some(found) => found,
            None => {
                let memory = allocate(MANY * size_of::<u64>())?;
                let counter = |index| Counter { memory: Arc::clone(&memory), index, value: 0 };
                all.extend((0..MANY).map(|index| Used { counter: counter(index), event: None }));
                all.len() - MANY
            }
        };
        let used = &mut all[found];
        used.counter.value += 1;
        used.event = Some(Arc::clone(event));
        event.set_counter(used.counter.clone());
        Some(used.counter.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Usage;

    fn value(counter: &Counter) -> u64 {
        counter.number().load(Ordering::Acquire)
    }

    #[test]
    fn a_counter_counts_on_for_the_next_event() {
        let counters = Counters::default();
        let give = |event: &Arc<Event>| {
            counters.give(event, |bytes| Allocation::new(bytes, 8, Usage::Device).map(Arc::new)).unwrap()
        };
        let [first, second, third] = [Arc::<Event>::default(), Arc::default(), Arc::default()];
        let of_first = give(&first);
        assert_eq!(give(&first).place(), of_first.place(), "it has one already");
        let of_second = give(&second);
        assert_ne!(of_second.place().0, of_first.place().0, "the first is still needed");
        assert_eq!((value(&of_first), of_first.place().1), (0, 1));
        first.signal();
        assert_eq!(value(&of_first), 1);
        let of_third = give(&third);
        assert_eq!(of_third.place(), (of_first.place().0, 2));
        assert_eq!(value(&of_first), 1, "what waits for the first one need not wait again");
        third.signal();
        assert_eq!(value(&give(&third)), 2);
    }

    #[test]
    fn an_event_that_is_signalled_has_a_counter_that_says_so() {
        let event = Arc::<Event>::default();
        event.signal();
        let counter = Counters::default()
            .give(&event, |bytes| Allocation::new(bytes, 8, Usage::Device).map(Arc::new))
            .unwrap();
        assert_eq!((value(&counter), counter.place().1), (1, 1));
    }
}
