//! What all lanes of a vector come to, from the first to the last, and the geometry of vectors.

use super::case::Case;
use super::edge::{in_lanes, map, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$V| in [
        on_f32x2: f32x2, on_f32x3: f32x3, on_f32x16: f32x16, on_f64x3: f64x3, on_f16x8: f16x8, on_bf16x4: bf16x4,
    ]

    #[kernel]
    pub fn geometry(
        a: &[$V], b: &[$V], dot: &mut [$V], length: &mut [$V], distance: &mut [$V], direction: &mut [$V],
    ) {
        let i = global_id(0);
        dot[i] = $V::splat(a[i].dot(b[i]));
        length[i] = $V::splat(a[i].length());
        distance[i] = $V::splat(a[i].distance(b[i]));
        direction[i] = b[i].normalize();
    }

    #[kernel]
    pub fn reductions(a: &[$V], sum: &mut [$V], product: &mut [$V], least: &mut [$V], greatest: &mut [$V]) {
        let i = global_id(0);
        sum[i] = $V::splat(a[i].reduce_sum());
        product[i] = $V::splat(a[i].reduce_product());
        least[i] = $V::splat(a[i].reduce_min());
        greatest[i] = $V::splat(a[i].reduce_max());
    }

    pub fn cases() -> Vec<Case> {
        let numbers = |start: i32| -> Vec<$V> {
            let all: Vec<f32> = (start..start + 120).map(|k| (k as f32 * 0.731).sin() * 2.5).collect();
            in_lanes::<f32, { $V::LANES }>(&all).iter().map(|v| v.cast()).collect()
        };
        let (a, b) = (numbers(1), numbers(17));
        vec![
            Case::of(&GEOMETRY)
                .input(&a)
                .input(&b)
                .output(&zip(&a, &b, |a, b| $V::splat(a.dot(b))))
                .output(&map(&a, |a| $V::splat(a.length())))
                .output(&zip(&a, &b, |a, b| $V::splat(a.distance(b))))
                .output(&map(&b, $V::normalize))
                .items([a.len()]),
            Case::of(&REDUCTIONS)
                .input(&a)
                .output(&map(&a, |a| $V::splat(a.reduce_sum())))
                .output(&map(&a, |a| $V::splat(a.reduce_product())))
                .output(&map(&a, |a| $V::splat(a.reduce_min())))
                .output(&map(&a, |a| $V::splat(a.reduce_max())))
                .items([a.len()]),
        ]
    }
}
