//! What vectors of `f32` and `f64` have beside: neighbours, what is halfway, and both functions of an angle.

use super::case::Case;
use super::edge::{Edge, lane_pairs, map, zip};
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$V| in [on_f32x4: f32x4, on_f64x3: f64x3]

    #[kernel]
    pub fn neighbours(x: &[$V], up: &mut [$V], down: &mut [$V], subnormal: &mut [$V]) {
        let i = global_id(0);
        up[i] = x[i].next_up();
        down[i] = x[i].next_down();
        subnormal[i] = x[i].is_subnormal().select(x[i], -x[i]);
    }

    #[kernel]
    pub fn between(a: &[$V], b: &[$V], middle: &mut [$V]) {
        let i = global_id(0);
        middle[i] = a[i].midpoint(b[i]);
    }

    #[kernel]
    pub fn angles(x: &[$V], sine: &mut [$V], cosine: &mut [$V]) {
        let i = global_id(0);
        (sine[i], cosine[i]) = x[i].sin_cos();
    }

    pub fn cases() -> Vec<Case> {
        let x = $V::edges();
        let (a, b): (Vec<$V>, Vec<$V>) = lane_pairs();
        let angles: Vec<$V> = (-9..9).map(|k| $V::splat(k as _) * 0.37).collect();
        vec![
            Case::of(&NEIGHBOURS)
                .input(&x)
                .output(&map(&x, $V::next_up))
                .output(&map(&x, $V::next_down))
                .output(&map(&x, |x| x.is_subnormal().select(x, -x)))
                .items([x.len()]),
            Case::of(&BETWEEN).input(&a).input(&b).output(&zip(&a, &b, $V::midpoint)).items([a.len()]),
            Case::of(&ANGLES)
                .input(&angles)
                .output(&map(&angles, |x| x.sin()))
                .output(&map(&angles, |x| x.cos()))
                .ulps(8)
                .items([angles.len()]),
        ]
    }
}
