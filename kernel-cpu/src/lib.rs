//! A Level Zero driver that executes SPIR-V kernels on the CPU.
mod api;
mod build;
mod exec;
mod fault;
mod limits;
mod load;
mod lower;
mod memory;
mod program;
mod queue;

use level_zero_sys::Api;

/// The driver's function tables.
#[must_use]
pub fn api() -> &'static Api {
    &api::table::API
}
