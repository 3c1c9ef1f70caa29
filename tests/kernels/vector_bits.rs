//! The lanes of vectors of floats as bits, and limits for them.

use super::case::{Case, ExpectedFault};
use super::edge::{Edge, map};
use super::for_types::for_types;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

for_types! { |$V| in [on_f32x3: f32x3, on_f64x2: f64x2, on_f16x8: f16x8, on_bf16x4: bf16x4]

    /// There and back, and which lanes are normal.
    #[kernel]
    pub fn bits(x: &[$V], same: &mut [$V], normal: &mut [$V]) {
        let i = global_id(0);
        let bits = x[i].to_bits();
        same[i] = $V::from_bits(bits ^ 1);
        normal[i] = x[i].is_normal().select(x[i], -x[i]);
    }

    #[kernel]
    pub fn limited(x: &[$V], low: $V, high: $V, result: &mut [$V]) {
        let i = global_id(0);
        result[i] = x[i].clamp(low, high);
    }

    pub fn cases() -> Vec<Case> {
        let edges = $V::edges();
        // What bits NaN has is open.
        let x: Vec<$V> = map(&edges, |x| x.is_nan().select($V::splat(Default::default()), x));
        let number = |k: f32| f32x2::splat(k).cast().x;
        let (low, high) = ($V::splat(number(-1.5)), $V::splat(number(20.0)));
        vec![
            Case::of(&BITS)
                .input(&x)
                .output(&map(&x, |x| $V::from_array(x.to_array().map(|lane| super::neighbour(lane)))))
                .output(&map(&x, |x| x.is_normal().select(x, -x)))
                .items([x.len()]),
            Case::of(&LIMITED)
                .input(&edges)
                .value(low)
                .value(high)
                .output(&map(&edges, |x| $V::from_array(x.to_array().map(|lane| lane.clamp(low[0], high[0])))))
                .items([edges.len()]),
            Case::of(&LIMITED)
                .input(&x[..1])
                .value(high)
                .value(low)
                .output(&[low])
                .unwritten([0])
                .faults(ExpectedFault::new(FaultKind::FloatClampOrder).at("clamp"))
                .items([1])
                .label("limits in the wrong order"),
        ]
    }
}

/// The float whose bits differ in the last place.
trait Neighbour {
    fn neighbour(self) -> Self;
}

macro_rules! neighbour {
    ($($float:ident)*) => {$(
        impl Neighbour for $float {
            fn neighbour(self) -> Self {
                Self::from_bits(self.to_bits() ^ 1)
            }
        }
    )*};
}

neighbour! { f16 bf16 f32 f64 }

fn neighbour<T: Neighbour>(float: T) -> T {
    float.neighbour()
}
