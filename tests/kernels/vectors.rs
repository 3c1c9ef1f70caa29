//! Vectors as values: arguments, elements, lanes, and lanes in another order.

use super::case::Case;
use super::edge::Edge;
use super::for_types::for_types;
use kernel_runtime::prelude::*;

for_types! { |$V| in [
        on_boolx3: boolx3, on_boolx8: boolx8, on_u8x2: u8x2, on_i8x16: i8x16, on_u16x3: u16x3, on_f16x8: f16x8, on_bf16x3: bf16x3,
        on_i32x3: i32x3, on_f32x4: f32x4, on_f32x16: f32x16, on_usizex3: usizex3, on_f64x3: f64x3,
    ]

    /// By value, in slices, arrays, tuples, local memory, and as what `if` chooses.
    #[kernel(group_size = [2])]
    pub fn places(argument: $V, x: &[$V], result: &mut [$V], flipped: &mut [$V]) {
        let mut shared = Local::<[$V; 2]>::new();
        let (i, l) = (global_id(0), local_id(0));
        shared[1 - l] = x[i];
        let mut table = [argument; 3];
        table[l] = x[i];
        barrier();
        let (a, b) = (table[0], shared[l]);
        result[i] = if l == 0 { a } else { b };
        flipped[i] = table[1];
    }

    #[kernel]
    pub fn lanes(x: &[$V], turned: &mut [$V], copied: &mut [$V], picked: &mut [$V]) {
        let i = global_id(0);
        let v = x[i];
        for lane in 0..$V::LANES {
            turned[i][lane] = v[$V::LANES - 1 - lane];
        }
        copied[i] = $V::from_array(v.to_array());
        picked[i] = $V::splat(x[i][i % $V::LANES]);
    }

    #[kernel]
    pub fn equality(a: &[$V], b: &[$V], eq: &mut [bool], ne: &mut [bool]) {
        let i = global_id(0);
        eq[i] = a[i] == b[i];
        ne[i] = a[i] != b[i];
    }

    pub fn cases() -> Vec<Case> {
        let mut x = $V::edges();
        if x.len() % 2 == 1 {
            x.push(x[0]);
        }
        let n = $V::LANES;
        let reversed = |v: &$V| {
            let mut lanes = v.to_array();
            lanes.reverse();
            $V::from(lanes)
        };
        let places = |i: usize| if i % 2 == 0 { x[i] } else { x[i - 1] };
        let flipped = |i: usize| if i % 2 == 0 { x[0] } else { x[i] };
        let all = 0..x.len();
        let mut changed = x.clone();
        for (i, v) in changed.iter_mut().enumerate() {
            if i % 3 == 0 {
                v[i % n] = v[(i + 1) % n];
            }
        }
        vec![
            Case::of(&PLACES)
                .value(x[0])
                .input(&x)
                .output(&all.clone().map(places).collect::<Vec<_>>())
                .output(&all.clone().map(flipped).collect::<Vec<_>>())
                .items([x.len()]),
            Case::of(&LANES)
                .input(&x)
                .output(&x.iter().map(reversed).collect::<Vec<_>>())
                .output(&x)
                .output(&all.clone().map(|i| $V::splat(x[i][i % n])).collect::<Vec<_>>())
                .items([x.len()]),
            Case::of(&EQUALITY)
                .input(&x)
                .input(&changed)
                .output(&all.clone().map(|i| x[i] == changed[i]).collect::<Vec<_>>())
                .output(&all.map(|i| x[i] != changed[i]).collect::<Vec<_>>())
                .items([x.len()]),
        ]
    }
}
