//! What the copies of kernels find on the host in place of the device: ids and sizes that follow the work-item that is
//! running, what the work-items of a group do together, and panics that are remembered rather than printed.

pub(crate) mod group;
mod together;

pub use group::{Local, barrier};
pub use kernel_core::vector::names::*;
pub use kernel_core::{Number, f16};
pub use together::{subgroup, work_group};

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};

/// Where a copy of a kernel panicked, and with what message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// The source file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1.
    pub column: u32,
    /// The message.
    pub message: String,
}

/// The position of a work-item in a launch in one dimension.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub(crate) item: usize,
    pub(crate) items: usize,
    pub(crate) group_size: usize,
}

thread_local! {
    static POSITION: Cell<Position> = const { Cell::new(Position { item: 0, items: 1, group_size: 1 }) };
    static PANIC: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// Has panics of the copies remembered; all others are a mistake here and are printed as ever.
pub(crate) fn watch_panics() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let (Some(location), Some(message)) = (info.location(), info.payload_as_str()) else {
            return print(info);
        };
        let (file, line, column) = (location.file().to_owned(), location.line(), location.column());
        let message = message.to_owned();
        PANIC.with_borrow_mut(|last| *last = Some(Panic { file, line, column, message }));
    }));
}

/// Runs one work-item.
///
/// # Errors
///
/// Its panic, or what else ended it.
fn run<R>(position: Position, body: impl FnOnce() -> R) -> Result<R, Result<Panic, Box<dyn Any + Send>>> {
    POSITION.set(position);
    panic::catch_unwind(AssertUnwindSafe(body)).map_err(|payload| PANIC.take().ok_or(payload))
}

/// The value in dimension 0; launches have one dimension.
fn of_dimension(dimension: u32, first: usize, others: usize) -> usize {
    if dimension == 0 { first } else { others }
}

/// The id of this work-item in the whole launch.
#[must_use]
pub fn global_id(dimension: u32) -> usize {
    of_dimension(dimension, POSITION.get().item, 0)
}

/// The number of work-items of the launch.
#[must_use]
pub fn global_size(dimension: u32) -> usize {
    of_dimension(dimension, POSITION.get().items, 1)
}

/// The id of this work-item in its work-group.
#[must_use]
pub fn local_id(dimension: u32) -> usize {
    let Position { item, group_size, .. } = POSITION.get();
    of_dimension(dimension, item % group_size, 0)
}

/// The number of work-items of a work-group.
#[must_use]
pub fn local_size(dimension: u32) -> usize {
    of_dimension(dimension, POSITION.get().group_size, 1)
}

/// The id of this work-item's work-group in the launch.
#[must_use]
pub fn group_id(dimension: u32) -> usize {
    let Position { item, group_size, .. } = POSITION.get();
    of_dimension(dimension, item / group_size, 0)
}

/// The number of work-groups of the launch.
#[must_use]
pub fn num_groups(dimension: u32) -> usize {
    let Position { items, group_size, .. } = POSITION.get();
    of_dimension(dimension, items / group_size, 1)
}
