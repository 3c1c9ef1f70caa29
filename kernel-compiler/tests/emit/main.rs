//! Emission of hand-made modules, and the environment that they must fit into.

mod builder;
mod checks;
mod control;
mod environment;
mod exports;
mod linkage;
mod memory;
mod merge;
mod module;
mod parse;
mod pointers;
mod round_trip;
mod scalars;
mod shape;
mod structs;
mod text;
mod vectors;
mod verify;
