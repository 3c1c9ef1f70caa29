//! Commands, what they synchronise with, and the threads that execute them.

mod clock;
mod closing;
mod command;
mod copy;
mod counter;
mod event;
mod failure;
mod image_copy;
mod numbered;
mod outside;
mod shared_event;
mod stream;
mod watched;

pub(crate) use clock::now;
pub(crate) use command::{
    Action, Command, Condition, FillPattern, HostFunction, IndirectLaunch, MAX_PATTERN, Region,
};
pub(crate) use counter::Counters;
pub(crate) use event::{Event, Origin, Waited};
pub(crate) use image_copy::{ImageCopy, Rows};
pub(crate) use numbered::SharedCounter;
pub(crate) use shared_event::{SharedEvent, SharedEvents};
pub(crate) use stream::{Closer, Pending, Stream};
pub(crate) use watched::{CounterAddress, Watched};
