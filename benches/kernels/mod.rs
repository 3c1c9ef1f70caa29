//! The kernels, where they have the same neighbours as in the tests.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::style,
    clippy::complexity,
    clippy::perf,
    reason = "the files are those of the tests, which allow this too"
)]

pub mod benches;
#[path = "../../tests/kernels/case/mod.rs"]
pub mod case;
