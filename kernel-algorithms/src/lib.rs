#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod convolution;
mod data;
#[doc(hidden)]
pub mod device;
mod error;
mod fft;
mod histogram;
mod map;
mod matrix;
mod monoid;
mod random;
mod reduce;
mod scan;
mod search;
mod segmented;
mod sort;
mod sparse;
mod split;
mod stencil;

#[doc(hidden)]
pub use kernel_runtime;

pub use convolution::{ConvolutionElement, convolve, convolve_2d};
#[doc(hidden)]
pub use data::Bins;
pub use data::Data;
pub use device::complex::Complex;
pub use device::philox::philox4x32;
pub use error::{Error, Result, ShapeError, ShapeProblem};
pub use fft::{Fft, FftElement};
pub use histogram::{Binned, Ranged, histogram, histogram_of_range};
#[doc(hidden)]
pub use histogram::{LOCAL_BINS, parts};
pub use map::{copy, fill, sequence};
pub use matrix::{GemmSize, MatrixElement, gemm, gemm_batched, gemv, transpose};
pub use monoid::{BitAnd, BitOr, BitXor, Max, Min, Monoid, Product, Sum};
pub use random::{Random, RandomFloat};
pub use reduce::{reduce, reduce_into};
pub use scan::{exclusive_scan, inclusive_scan};
pub use search::{lower_bound, merge, upper_bound};
#[doc(hidden)]
pub use segmented::Kind as SegmentKind;
pub use segmented::{segmented_exclusive_scan, segmented_inclusive_scan, segmented_reduce};
pub use sort::{SortKey, sort, sort_by_key, sorted_indices};
pub use sparse::{Csr, SparseElement, spmv};
#[doc(hidden)]
pub use split::Ordered;
pub use split::{Comparable, Predicate, compact, count_if, gather, partition, unique};
pub use stencil::Boundary;
