//! Every kind of argument: scalars by value, slices, and slices without elements.

use super::case::Case;
use super::edge::Edge;
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$T| in [
        on_bool: bool,
        on_i8: i8, on_i16: i16, on_i32: i32, on_i64: i64, on_isize: isize,
        on_u8: u8, on_u16: u16, on_u32: u32, on_u64: u64, on_usize: usize,
        on_f32: f32, on_f64: f64, on_f16: f16, on_bf16: bf16,
    ]

    /// Two scalars around a slice, so that a wrong size or place of any shows in the others.
    #[kernel]
    pub fn arguments(first: $T, between: &[$T], last: $T, result: &mut [$T], lengths: &mut [usize]) {
        let i = global_id(0);
        let n = between.len();
        if i < n {
            result[i] = between[i];
            lengths[i] = n;
        } else if i == n {
            result[i] = first;
            lengths[i] = result.len();
        } else {
            result[i] = last;
            lengths[i] = 0;
        }
    }

    pub fn cases() -> Vec<Case> {
        let edges = $T::edges();
        let (first, last) = (edges[0], edges[1]);
        let n = edges.len();
        let result = [&edges[..], &[first, last]].concat();
        let mut lengths = vec![n; n];
        lengths.extend([n + 2, 0]);
        let empty: [$T; 0] = [];
        vec![
            Case::of(&ARGUMENTS)
                .scalar(first)
                .input(&edges)
                .scalar(last)
                .output(&result)
                .output(&lengths)
                .items([n + 2]),
            Case::of(&ARGUMENTS)
                .scalar(first)
                .input(&empty)
                .scalar(last)
                .output(&[first, last])
                .output(&[2_usize, 0])
                .items([2])
                .label("empty slice"),
        ]
    }
}
