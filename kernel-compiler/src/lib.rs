//! Compiles a restricted Rust to SPIR-V for the Level Zero environment.
//!
//! The folders are the pipeline:
//!
//! | folder | from | to |
//! |---|---|---|
//! | [`names`] | an item's tokens | the paths in it that may name other items |
//! | [`chain`] | those paths | the tokens of the items, by macros that rustc resolves |
//! | [`infer`] | syntax | the [`typed`] tree |
//! | [`lower`] | the typed tree | the intermediate representation, [`ir`] |
//! | [`analysis`] | the intermediate representation | what is known about its values; checks that are not needed go |
//! | [`emit`] | the intermediate representation | SPIR-V  |
//! | [`expand`] | attribute macros | generated Rust |
//!
//! [`argument`] is what a compiled kernel's host must pass, [`methods`] is the table of the scalars' methods, [`diagnostics`] what users are told, [`listing`] what tools are.
//!
//! There is no I/O here and nothing needs a proc macro's context, so tests and tools use the compiler as the macros do.

pub mod analysis;
pub mod argument;
pub mod chain;
pub mod diagnostics;
pub mod emit;
pub mod environment;
pub mod expand;
pub mod infer;
pub mod ir;
pub mod listing;
pub mod lower;
pub mod methods;
pub mod names;
pub mod typed;

mod compiled;
mod evaluate;
mod exported;
mod hash;
mod prelude;
mod racing;
mod reach;
mod rules;
mod scope;
mod source;

pub use compiled::{
    Asked, Compiled, Hoisted, Presumption, Shown, Site, Translated, compile, join, translate,
};
pub use exported::{Exported, export};
