//! What can be checked while kernels run: that work-items do not race, and how they use memory.
//!
//! * [`choice`]: what is checked, by the environment or by code,
//! * [`segment`]: what a subgroup does between two barriers, and what barriers order,
//! * [`record`]: one access in eight bytes,
//! * [`history`]: which accesses of a piece of memory are remembered, and which of them race with another one,
//! * [`shadow`]: the histories of an allocation, for all threads that execute a launch,
//! * [`fence`]: what the barriers of a module order,
//! * [`launch`]: what the threads of a launch share, [`checker`]: what each has for itself,
//! * [`race`]: what is told about a race, [`recent`]: those that were found last, [`source`]: where in a module an instruction stands.
//!
//! # Which accesses race
//!
//! Two accesses of one byte race if they are of different work-items, one of them writes, not both are atomic, and neither happens before the other. Work-items of
//! different work-groups are never ordered. Those of one group are by a barrier of the group, and those of a subgroup by one of the subgroup, each for the memory that
//! its semantics name: local memory, global memory or images. Neither collectives, nor that lanes of a subgroup run together, order anything. An asynchronous copy is made by
//! nobody in the group, at any time between its begin and the wait for it.
//!
//! The order in which the groups happen to be executed makes no difference: what is remembered of the accesses of a byte is enough to find a race
//! with any of them. That is shown in [`history`].

mod checker;
mod choice;
mod fence;
mod history;
mod launch;
mod race;
mod recent;
mod record;
mod segment;
mod shadow;
mod source;

pub(crate) use checker::{Accesses, CheckedShape, Checker, Copied};
pub(crate) use choice::choice;
pub use choice::{CheckError, Checks, checks, set_checks};
pub(crate) use fence::{Sync, Syncs};
pub use history::AccessKind;
pub(crate) use launch::LaunchCheck;
pub(crate) use race::{CheckedModule, FindingReport, Note, NoteAction, ReportedLaunch};
pub use race::{DataRace, RaceAccess, RaceMemory, RaceReason};
pub use recent::race_of;
pub(crate) use recent::remember;
pub(crate) use record::MAX_NOTES;
pub(crate) use segment::Class;
pub use source::Position;
