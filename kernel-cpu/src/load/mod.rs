//! SPIR-V words → checked declarations.
//!
//! The words come from outside and are taken as hostile: everything read from them is checked here or where
//! it is used, and whatever is wrong becomes a [`LoadError`]. What is found to be right is owned by
//! [`Module`].
//!
//! * [`grammar`]: which instructions there are, and of what their operands are,
//! * [`words`]: the header, and instructions cut to size and matched with the grammar,
//! * [`capabilities`]: what modules may say that they need,
//! * [`types`]: types, and what they look like in memory and in registers,
//! * [`constants`]: constants as bit patterns,
//! * [`decorations`]: names and decorations,
//! * [`functions`]: bodies cut into blocks,
//! * [`indirect`]: functions that are called by pointers,
//! * [`module`]: the sections in order, the rules of the environment, entry points and global variables,
//! * [`specialization`]: how wide the values of constants are that hosts give,
//! * [`owned`]: a module that outlives the words of the host.

pub(crate) mod capabilities;
pub(crate) mod constants;
pub(crate) mod decorations;
pub(crate) mod error;
pub(crate) mod functions;
pub(crate) mod grammar;
mod image;
pub(crate) mod indirect;
pub(crate) mod module;
mod owned;
pub(crate) mod specialization;
pub(crate) mod types;
pub(crate) mod words;

pub(crate) use error::{LoadError, Problem};
pub(crate) use module::Module;
pub(crate) use owned::OwnedModule;

/// The number that names a result in the module.
pub(crate) type Id = u32;
