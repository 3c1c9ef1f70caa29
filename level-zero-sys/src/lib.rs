//! The Level Zero C ABI: types, function tables and a loader that opens the system library at run time.
//!
//! Everything with a C name is generated from the C headers and keeps that name, so that the
//! [specification](https://oneapi-src.github.io/level-zero-spec/level-zero/latest/index.html) can be
//! searched for it. C declarations map to Rust as follows.
//!
//! | C | Rust |
//! |---|---|
//! | handle | a newtype of a pointer; [`ze_device_handle_t::NULL`] and [`ze_device_handle_t::is_null`] |
//! | enumeration | a newtype of `u32`, since drivers may return any value; its members are associated constants, and `Debug` prints their names |
//! | set of flags | a newtype of `u32` with `\|`, `contains` and the bits as associated constants |
//! | structure | a `repr(C)` struct whose `Default` is zero, with its `stype` set if it has one |
//! | table of functions | a `repr(C)` struct of optional function pointers |
//!
//! [`Api`] is all tables together. [`Loader`] fills it from the system's loader; a driver in the same
//! process can fill it as well, so that what is written against [`Api`] does not depend on who answers.
//!
//! ```no_run
//! use level_zero_sys::{Loader, ze_driver_handle_t, ze_init_flags_t};
//!
//! fn first_driver() -> Result<ze_driver_handle_t, Box<dyn std::error::Error>> {
//!     let api = Loader::open()?.api();
//!     let mut count = 1;
//!     let mut driver = ze_driver_handle_t::NULL;
//!     // SAFETY: zeInit comes first and ends the function if it fails; `driver` has room for one handle.
//!     unsafe {
//!         api.zeInit(ze_init_flags_t::empty()).into_result()?;
//!         api.zeDriverGet(&mut count, &mut driver).into_result()?;
//!     }
//!     Ok(driver)
//! }
//! ```

mod abi;
mod chain;
mod error;
mod generated;
mod later;
mod later_handles;
mod later_result;
mod loader;
mod result;
mod text;
mod version;

pub use self::chain::{Structure, find_in_chain};
pub use self::error::LoadError;
pub use self::generated::*;
pub use self::later::{Later, ze_external_memmap_sysmem_ext_desc_t};
pub use self::later_handles::{ze_executable_graph_handle_t, ze_graph_handle_t};
pub use self::loader::{LOADER_VARIABLE, Loader};
pub use self::text::FixedCStr;
