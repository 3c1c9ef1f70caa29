//! Attributes that kernels may have, outside and inside.

use kernel_runtime::prelude::*;

#[device]
const SIDE: u32 = 8;

/// Has documentation.
#[kernel(group_size = [SIDE, SIDE / 2])]
#[allow(unused_variables)]
#[inline]
pub fn documented(
    y: &mut [f32],
    #[allow(unused)] n: u32,
) {
    #![allow(unused_mut)]
    // A comment on a statement, and documentation, which rustc only warns of.
    #[allow(unused_doc_comments)]
    /// Documentation.
    let unused = 1;
    #[allow(clippy::approx_constant)]
    let mut pi = 3.14;
    #[rustfmt::skip]
    let twice = pi+pi;
    y[global_id(1) * global_size(0) + global_id(0)] = twice;
}

#[cfg(any())]
#[kernel]
fn left_out(x: Vec<String>) {}

#[kernel]
#[cfg(any())]
fn left_out_too(x: Vec<String>) {}

#[cfg_attr(all(), kernel(subgroup_size = 16))]
fn conditional(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {
    assert_eq!(DOCUMENTED.group_size, Some([8, 4, 1]));
    assert_eq!(CONDITIONAL.subgroup_size, Some(16));
    let _ = (documented, conditional);
}
