//! A Level Zero driver that executes SPIR-V kernels on the CPU.
//!
//! [`api`] returns the same function tables that the system's loader fills, so a program that is written
//! against them runs unchanged on a machine without a GPU. Modules are SPIR-V for the Kernel execution model
//! with the addressing model Physical64 and the memory model OpenCL, up to version 1.6, with 64-bit integers,
//! double and half precision, 64-bit atomics and function pointers, with the group operations of the capabilities Groups, SubgroupShuffleINTEL and
//! SubgroupBufferBlockIOINTEL, and with images. A subgroup has 16 work-items.
//!
//! # From words to results
//!
//! | module | what it does |
//! |---|---|
//! | `link` | the modules of a program (`ze_module_program_exp_desc_t`), or one and what it imports from others (`zeModuleDynamicLink`) → one module |
//! | `load` | words → checked declarations. The input is hostile until it has passed |
//! | `lower` | checks each function once, when the module is created; then, when a kernel is asked for, its entry point → an SPMD program: calls inlined, composite values split into scalars |
//! | `program` | the SPMD program, its meaning, and the passes over it |
//! | `elementary` | sines, logarithms and their kin, without branches |
//! | `exec` | the interpreter: sixteen work-items at a time, work-groups on all cores |
//! | `native` | the program → code of the processor, where it has AVX-512 |
//! | `check` | what is noted while kernels run: races, and reads of what nobody has written |
//! | `native_binary` | modules in a form that this driver takes again |
//! | `dump` | what was built, in files for people (`KERNEL_CPU_DUMP`) |
//! | `memory` | allocations, and which of them are live |
//! | `machine` | what the machine has: memory, caches |
//! | `queue` | commands in order, events, and the way of failures to the host |
//! | `api` | the entry points: handles, arguments, error codes |
//!
//! # Errors
//!
//! There are three kinds, and they never mix.
//!
//! * **The host program's**: a wrong handle, pointer, size or order of calls. The call itself returns the code that the
//!   specification gives.
//! * **The module's**: `zeModuleCreate` returns `ZE_RESULT_ERROR_MODULE_BUILD_FAILURE`, and the build log says what is wrong with which
//!   instruction, with its offset in words and the name of its result, or which imported name no module exports. So it is also where the
//!   kernels of the module would become too large together with everything inlined. What shows only when a kernel is compiled, that it needs
//!   more local memory, registers or time for its control flow than the driver has, is `ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY` of
//!   `zeKernelCreate`, and `zeDriverGetLastErrorDescription` says which.
//! * **The kernel's**: an access to memory that is not its own, a barrier or a group operation that not all work-items of a group reach, a misaligned
//!   atomic, an `OpUnreachable` that is reached, a call by a pointer that leads to no function, more time than the limit. The launch ends early, and the next synchronisation (of the list, its queue, a
//!   fence, or an event that was signalled after it) returns `ZE_RESULT_ERROR_DEVICE_LOST`, as GPUs do after a page fault. The device
//!   is not lost, though: later commands are executed, and the failure is reported by the list or queue once. What happened
//!   is told by `zeDriverGetLastErrorDescription`, a function of version 1.6 of the API that `zeDriverGetExtensionFunctionAddress` hands
//!   out here; so is `zeCommandListHostSynchronize`. It tells of the last error that a function returned to the calling thread.
//!
//! # The kind of device
//!
//! There are programs that look for GPUs alone. With `KERNEL_CPU_DEVICE_TYPE=gpu` in the environment the device says that it is one; `cpu` is what it says without the
//! variable. With any other text `zeInit` fails.
//!
//! # Several devices
//!
//! With `KERNEL_CPU_DEVICES=2` the processor presents itself as two devices, and with `2x4` each of them has four sub-devices, for programs that use several. They share its
//! threads and its memory, so that each accesses what the others have. With any other text `zeInit` fails. Which of them a program sees, `ZE_AFFINITY_MASK` says, as it does of GPUs.
//!
//! # Threads
//!
//! `KERNEL_CPU_THREADS` is the number of threads that execute kernels, the one that waits for a launch among them; without it there are as many as the process may
//! use processors at a time. Several queues share them. What takes less time than waking a thread, a launch of few work-items of a kernel without loops or a small copy, is
//! executed by the thread that appends it to an immediate list, if nothing is before it.
//!
//! # Kernels that do not end
//!
//! The environment variable `KERNEL_CPU_TIMEOUT` is the number of milliseconds that a launch may run, counted from when it begins; without it, or with `0`,
//! there is no limit. A launch that runs longer is stopped as one that faults. Destroying a command list, a queue or a context stops what it
//! executes, leaves out what has not begun, and signals the events of both as failed; the call returns when nothing of it runs any more. Whatever executes a kernel sees that it has to stop at the next
//! way back to the head of a loop.
//!
//! # Invariants
//!
//! * A handle is never dereferenced. It is looked up, so that one that is stale or of another kind is an error.
//! * No panic leaves the driver: what panics answers `ZE_RESULT_ERROR_UNKNOWN`.
//! * Loading terminates in time and memory proportional to the module and to fixed limits, whatever the module holds; so does compiling all of its
//!   kernels, but that functions which call each other by pointers bound each kernel by itself.
//! * A kernel touches live allocations of its context that its arguments lead to, that are resident or to whose kind it has indirect access,
//!   its group's local memory, its own private memory and its module's
//!   variables, and nothing else. Private memory is checked as a whole: an index beyond one variable of a work-item may lead into another one of the same
//!   work-item, but never to another work-item's, however the pointer came about. An allocation that is freed while commands use it stays until they are done.
//! * Local memory holds the bytes `0xCB` when a work-group starts, so that nothing leaks from group to group unseen.
//! * A launch through an immediate command list allocates nothing once the list has executed some.
//! * Data races of a kernel have unspecified results, as on a GPU.
//!
//! # Example
//!
//! ```
//! use level_zero_sys::{ze_driver_handle_t, ze_init_flags_t};
//!
//! let api = kernel_cpu::api();
//! let mut driver = ze_driver_handle_t::NULL;
//! // SAFETY: `zeInit` comes first, and there is room for the one handle.
//! unsafe {
//!     api.zeInit(ze_init_flags_t::empty()).into_result()?;
//!     api.zeDriverGet(&mut 1, &mut driver).into_result()?;
//! }
//! assert!(!driver.is_null());
//! # Ok::<(), level_zero_sys::ze_result_t>(())
//! ```

mod api;
mod build;
mod check;
mod dump;
mod elementary;
mod exec;
mod fault;
mod image;
mod limits;
mod link;
mod load;
mod lower;
mod machine;
mod memory;
#[cfg(all(target_arch = "x86_64", unix))]
mod native;
mod native_binary;
mod print;
mod program;
mod queue;

pub use check::{
    AccessKind, CheckError, Checks, DataRace, Position, RaceAccess, RaceMemory, RaceReason, checks, race_of,
    set_checks,
};
use level_zero_sys::{Api, Later, ze_context_handle_t};
use std::ffi::c_void;

/// The driver's function tables.
///
/// Every slot is filled: functions that the driver does not implement return
/// `ZE_RESULT_ERROR_UNSUPPORTED_FEATURE`. The driver has one device, the processor, or as many as `KERNEL_CPU_DEVICES` says.
#[must_use]
pub fn api() -> &'static Api {
    &api::table::API
}

/// What is wrong with a variable of the environment that says which devices there are, so that `zeInit` fails; nothing if they are right.
#[must_use]
pub fn problem() -> Option<&'static str> {
    api::problem()
}

/// The functions of newer versions of the API that programs call without asking for their addresses.
#[must_use]
pub fn later() -> &'static Later {
    &api::later::LATER
}

/// The address of a function of a newer version of the API than the tables of [`api`] are of, which `zeDriverGetExtensionFunctionAddress` hands out too;
/// none if the driver has no function with this name.
#[must_use]
pub fn later_function(name: &str) -> Option<*const c_void> {
    api::later::address(name.as_bytes())
}

/// The address of a function of Sysman (`zes…`), the management of devices; none if the driver has no function with this name.
#[must_use]
pub fn sysman_function(name: &str) -> Option<*const c_void> {
    api::sysman::address(name)
}

/// The names of all functions that [`sysman_function`] has.
#[must_use]
pub fn sysman_functions() -> &'static [&'static str] {
    api::sysman::NAMES
}

/// Says that a context is meant to be there until the process ends: what is in it then has not been forgotten, and `KERNEL_CHECK=memory` does
/// not list it. What is no context of this driver is left alone.
pub fn context_lasts(context: ze_context_handle_t) {
    api::context_lasts(context);
}

/// The names of all functions that [`later_function`] has.
#[must_use]
pub fn later_functions() -> &'static [&'static str] {
    api::later::NAMES
}

/// The names of the functions of newer versions of the API, up to 1.17, that the driver does not have.
#[must_use]
pub fn absent_functions() -> &'static [&'static str] {
    api::later::ABSENT
}

/// The names that the environment variable `KERNEL_CPU_NATIVE_OFF` may have, each of something that makes native code faster; none where there is no
/// native code for the processor.
#[must_use]
pub fn native_switches() -> Vec<&'static str> {
    #[cfg(all(target_arch = "x86_64", unix))]
    {
        native::Switches::names()
    }
    #[cfg(not(all(target_arch = "x86_64", unix)))]
    {
        Vec::new()
    }
}
