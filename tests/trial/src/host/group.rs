//! A work-group on the host: each work-item has a thread, and one of them runs at a time, until it comes to a barrier or ends.
//!
//! Where a work-item has panicked, the others still come to their next barrier. There the group ends, since what would follow
//! depends on what the panic kept from happening.

use super::{Panic, Position};
use kernel_core::local::InLocal;
use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::panic::{self, Location};
use std::ptr::NonNull;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// What became of a work-item.
pub(crate) type Outcome<R> = Result<R, Ending>;

/// Why a work-item did not get to its end.
#[derive(Clone, Debug)]
pub(crate) enum Ending {
    Panic(Panic),
    /// Another one of its group panicked, and this one came to a barrier after that.
    Others,
}

/// What the work-items of a group share.
#[derive(Debug)]
struct Group {
    turns: Mutex<Turns>,
    turned: Condvar,
    /// The memory of each [`Local`], by the place of its declaration.
    memory: Mutex<BTreeMap<(u32, u32), Box<dyn Any + Send>>>,
    /// What the work-items hand each other.
    values: Mutex<Vec<Option<Box<dyn Any + Send>>>>,
}

/// Whose turn it is.
#[derive(Debug)]
struct Turns {
    item: usize,
    has_ended: Vec<bool>,
    has_panicked: bool,
    is_over: bool,
}

/// What ends the thread of a work-item that is not to go on.
struct Over;

thread_local! {
    /// The group of this thread, and the number of its work-item in it.
    static CURRENT: RefCell<Option<(Arc<Group>, usize)>> = const { RefCell::new(None) };
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn current() -> (Arc<Group>, usize) {
    CURRENT.with_borrow(|current| current.clone()).expect("the copies of kernels run in groups")
}

impl Turns {
    /// Lets the next one run that has not ended.
    fn pass_on(&mut self) {
        let next = (self.item + 1..self.has_ended.len()).find(|&item| !self.has_ended[item]);
        if let Some(next) = next {
            self.item = next;
            return;
        }
        // All have come to the barrier.
        self.is_over |= self.has_panicked;
        self.item = self.has_ended.iter().position(|ended| !ended).unwrap_or(0);
    }
}

impl Group {
    fn of(size: usize) -> Self {
        let has_ended = vec![false; size];
        Self {
            turns: Mutex::new(Turns { item: 0, has_ended, has_panicked: false, is_over: false }),
            turned: Condvar::new(),
            memory: Mutex::default(),
            values: Mutex::new((0..size).map(|_| None).collect()),
        }
    }

    fn wait_for_turn(&self, item: usize, turns: MutexGuard<'_, Turns>) -> bool {
        let waiting = self.turned.wait_while(turns, |turns| turns.item != item && !turns.is_over);
        !waiting.unwrap_or_else(PoisonError::into_inner).is_over
    }

    fn meet(&self, item: usize) {
        let mut turns = lock(&self.turns);
        turns.pass_on();
        self.turned.notify_all();
        if !self.wait_for_turn(item, turns) {
            panic::resume_unwind(Box::new(Over));
        }
    }

    fn end(&self, item: usize, has_panicked: bool) {
        let mut turns = lock(&self.turns);
        turns.has_ended[item] = true;
        turns.has_panicked |= has_panicked;
        turns.pass_on();
        self.turned.notify_all();
    }

    /// Runs a work-item from its first turn on.
    fn run<R>(self: Arc<Self>, number: usize, position: Position, body: impl FnOnce() -> R) -> Outcome<R> {
        CURRENT.set(Some((Arc::clone(&self), number)));
        self.wait_for_turn(number, lock(&self.turns));
        let outcome = super::run(position, body).map_err(|error| match error {
            Ok(panic) => Ending::Panic(panic),
            Err(payload) if payload.is::<Over>() => Ending::Others,
            Err(payload) => panic::resume_unwind(payload),
        });
        self.end(number, matches!(outcome, Err(Ending::Panic(_))));
        outcome
    }
}

/// Runs the work-items of a group, which are at these positions.
pub(crate) fn run<R: Send>(positions: &[Position], body: impl Fn() -> R + Sync) -> Vec<Outcome<R>> {
    let group = Arc::new(Group::of(positions.len()));
    thread::scope(|scope| {
        let start = |(number, &position): (usize, &Position)| {
            let (group, body) = (Arc::clone(&group), &body);
            scope.spawn(move || group.run(number, position, body))
        };
        let items: Vec<_> = positions.iter().enumerate().map(start).collect();
        let outcome = |item: thread::ScopedJoinHandle<'_, Outcome<R>>| {
            item.join().unwrap_or_else(|payload| panic::resume_unwind(payload))
        };
        items.into_iter().map(outcome).collect()
    })
}

/// Waits for the others of the group.
pub fn barrier() {
    let (group, item) = current();
    group.meet(item);
}

/// What each work-item of the group has for this.
pub(super) fn exchange<T: Copy + Send + 'static>(value: T) -> Vec<T> {
    let (group, item) = current();
    lock(&group.values)[item] = Some(Box::new(value));
    group.meet(item);
    let values = lock(&group.values);
    let value = |boxed: &Option<Box<dyn Any + Send>>| boxed.as_ref()?.downcast_ref::<T>().copied();
    let all: Option<Vec<T>> = values.iter().map(value).collect();
    drop(values);
    group.meet(item);
    all.expect("all of the group come to the same call")
}

/// The number of this work-item in its group.
pub(super) fn number() -> usize {
    current().1
}

/// A variable that the work-items of a group share.
#[derive(Debug)]
pub struct Local<T> {
    /// The memory, which the group owns.
    memory: NonNull<kernel_core::Local<T>>,
    _group: Arc<Group>,
}

/// The memory of a variable that a group shares.
struct Shared<T>(NonNull<kernel_core::Local<T>>);

// SAFETY: what it leads to can be sent.
unsafe impl<T: Send> Send for Shared<T> {}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        // SAFETY: it was made from a box, and the group drops it once, when no variable is left.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

impl<T: InLocal + Send + 'static> Local<T> {
    /// The variable that is declared here, which is zeros until somebody writes to it.
    #[must_use]
    #[track_caller]
    #[expect(clippy::new_without_default, reason = "it declares a variable")]
    pub fn new() -> Self {
        let place = Location::caller();
        let (group, _) = current();
        let mut all = lock(&group.memory);
        let fresh = || -> Box<dyn Any + Send> {
            let memory = Box::new(kernel_core::Local::<T>::new());
            Box::new(Shared(NonNull::from(Box::leak(memory))))
        };
        let shared = all.entry((place.line(), place.column())).or_insert_with(fresh);
        let shared = shared.downcast_ref::<Shared<T>>().expect("one variable is declared at a place");
        let memory = shared.0;
        drop(all);
        Self { memory, _group: group }
    }
}

impl<T> Deref for Local<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the group has the memory as long as this variable, and only one work-item of it runs at a time.
        unsafe { self.memory.as_ref() }
    }
}

impl<T> DerefMut for Local<T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and no program keeps a reference to such a variable beyond a barrier after which it is written.
        unsafe { self.memory.as_mut() }
    }
}
