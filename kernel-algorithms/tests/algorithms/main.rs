//! Each algorithm beside plain Rust.

mod counts;
mod data;
mod maps;
mod matrices;
mod neighbours;
mod numbers;
mod order;
mod reductions;
mod segments;
mod transforms;
