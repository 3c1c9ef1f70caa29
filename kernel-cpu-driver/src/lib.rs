//! The CPU driver as a shared library, which Level Zero's own loader takes as it takes the driver of a GPU.
//!
//! ```sh
//! cargo build --release --package kernel-cpu-driver
//! export ZE_ENABLE_ALT_DRIVERS=$PWD/target/release/libkernel_cpu_driver.so
//! ```
//!
//! Every Level Zero program that is started with this variable finds the processor as its only device; with `KERNEL_CPU_DEVICE_TYPE=gpu` the device says that
//! it is a GPU, which many programs want. `docs/level-zero.md` in the repository lists what the driver has, and the other variables.
//!
//! A driver exports one function for each table of the API, by which the loader asks for its entry points. Those of the core API fill the tables of [`kernel_cpu::api`], so that
//! a program has the same driver here as one that is linked with it ([`core`]). Sysman has the properties and the state of the device and its memory
//! ([`sysman`]); the other functions of its tables, and all of the tools' ([`tools`]), answer that they are not supported.

#![allow(non_snake_case, reason = "the exported functions have the names that loaders look for")]

pub mod core;
pub mod sysman;
mod table;
pub mod tools;
