//! The device code of the algorithms, which the macros of this crate call from kernels in other crates. It is no part of the API.

pub mod boundary;
pub mod complex;
pub mod group;
pub mod histogram;
pub mod key;
pub mod linear;
pub mod number;
pub mod philox;
pub mod reduce;
pub mod scan;
pub mod segmented;
pub mod split;
pub mod transpose;
