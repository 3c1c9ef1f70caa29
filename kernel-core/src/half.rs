//! Floating-point numbers of 16 bits: [`struct@f16`] and [`struct@bf16`] of the crate `half`.
//!
//! Both are scalars of the kernel language with the operators, methods and constants that the crate gives them, and those of
//! [`Float`](crate::Float). Neither has literals nor `as` casts in Rust, so conversions are calls: `f16::from_f32(0.5)`,
//! `x.to_f32()`.
//!
//! A device computes with `f16` if it has half precision, and refuses a kernel with it otherwise. `bf16` needs nothing of the
//! device: it is 16 bits in memory, and is computed with in `f32`, where each operation is rounded back.
//!
//! `f16::from_f64` and `bf16::from_f64` round once on a device, as their documentation says; on hosts the crate may round twice.

#[doc(no_inline)]
pub use ::half::{bf16, f16};

builtin_names! { f16 __f16 bf16 __bf16 }
