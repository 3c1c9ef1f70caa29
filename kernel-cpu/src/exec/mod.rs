//! The interpreter, and how launches spread over the processor.
//!
//! * [`code`]: a program with its values in places of a register file and its instructions bound to functions,
//! * [`locals`]: which values need a place only for a while,
//! * [`isa`]: those functions, compiled for several generations of processors,
//! * [`map`]: the shape of all pure instructions; [`int`], [`float`], [`math`] and [`convert`] are the tables that
//!   fill it,
//! * [`memory`] and [`atomic`]: the instructions that touch memory, [`image`]: those that touch images,
//! * [`reach`]: which memory a launch may access,
//! * [`noted`]: what is noted of accesses when races are looked for,
//! * [`frame`]: what an instruction works on, [`halt`]: how it is told to stop,
//! * [`subgroup`]: control flow of one subgroup,
//! * [`group`]: one work-group, with its barriers and local memory,
//! * [`executor`]: whether native code or the interpreter runs a kernel, [`trial`]: how long it is interpreted first, [`sizes`]: the code that has been made of it,
//!   [`compiled`]: how native code is run, [`compare`]: how both are, and [`log`]: what there is to know about it,
//! * [`launch`]: all work-groups, shared out over the threads of [`pool`], within the limit of [`watchdog`], and kept
//!   in [`spares`] to be filled in again.

mod atomic;
mod clock;
mod code;
mod collective;
#[cfg(all(target_arch = "x86_64", unix))]
mod compare;
#[cfg(all(target_arch = "x86_64", unix))]
mod compiled;
mod convert;
mod cooperative;
#[cfg(all(test, target_arch = "x86_64", unix))]
mod differential;
#[cfg(all(test, target_arch = "x86_64", unix))]
mod exchanged;
mod executor;
mod float;
mod frame;
mod group;
mod half;
mod halt;
mod image;
mod int;
mod isa;
mod launch;
mod locals;
mod log;
mod map;
mod math;
mod memory;
mod moves;
mod noted;
mod pool;
#[cfg(all(test, target_arch = "x86_64", unix))]
mod random;
#[cfg(all(test, target_arch = "x86_64", unix))]
mod random_flow;
#[cfg(all(test, target_arch = "x86_64", unix))]
mod random_local;
mod reach;
mod seats;
#[cfg(all(target_arch = "x86_64", unix))]
mod sizes;
mod spares;
mod spin;
mod subgroup;
mod threads;
#[cfg(all(target_arch = "x86_64", unix))]
mod trial;
pub(crate) mod variable;
#[cfg(all(test, target_arch = "x86_64", unix))]
mod walk;
mod watchdog;

pub(crate) use code::{Code, FrameTooLarge};
pub(crate) use collective::neutral;
#[cfg(all(target_arch = "x86_64", unix))]
pub(crate) use collective::{EXCHANGE_ROW, EXCHANGE_TURNS};
pub(crate) use cooperative::max_cooperative_groups;
pub(crate) use executor::{check_executor, joins_strips, runs_twice};
#[cfg(all(target_arch = "x86_64", unix))]
pub(crate) use group::{POISON, strip_private_bytes};
pub(crate) use halt::Reason;
pub(crate) use launch::{Arguments, Geometry, Kernel, Launch};
pub(crate) use pool::{run, thread_count};
pub(crate) use reach::Indirect;
pub(crate) use spares::{Spares, give_back};
pub(crate) use spin::spin_until;
pub(crate) use watchdog::TIMEOUT_VARIABLE;
