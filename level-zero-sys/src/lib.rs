//! The Level Zero C ABI: types, function tables and a loader that opens the system library at run time.

mod abi;
mod chain;
mod generated;
mod text;

pub use self::chain::{Structure, find_in_chain};
pub use self::generated::*;
pub use self::text::FixedCStr;
