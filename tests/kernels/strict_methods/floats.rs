//! Those of the floats.

use super::super::case::{Case, ExpectedFault};
use super::super::edge::{Edge, map, pairs, zip};
use super::super::for_types::for_types;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

for_types! { |$T| in [on_f32: f32, on_f64: f64]

    #[kernel]
    pub fn clamp(a: &[$T], low: &[$T], high: $T, result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].clamp(low[i], high);
    }

    #[kernel]
    pub fn clamp_to_unit(a: &[$T], result: &mut [$T]) {
        let i = global_id(0);
        result[i] = a[i].clamp(0.0, 1.0);
    }

    pub fn cases() -> Vec<Case> {
        let edges = $T::edges();
        let to = |high: $T| {
            let (a, low) = pairs::<$T>();
            let (a, low): (Vec<$T>, Vec<$T>) =
                a.into_iter().zip(low).filter(|&(_, low)| low <= high).unzip();
            Case::of(&CLAMP)
                .input(&a)
                .input(&low)
                .scalar(high)
                .output(&zip(&a, &low, |a, low| a.clamp(low, high)))
                .items([a.len()])
                .label(format!("to {high}"))
        };
        let fault = |low: $T, high: $T| {
            Case::of(&CLAMP)
                .input(&[0.5 as $T])
                .input(&[low])
                .scalar(high)
                .output(&[0 as $T])
                .unwritten([0])
                .faults(ExpectedFault::new(FaultKind::FloatClampOrder))
                .label(format!("from {low} to {high}"))
        };
        vec![
            to(2.5),
            to(-0.0),
            to($T::INFINITY),
            fault(1.0, 0.0),
            fault($T::NAN, 1.0),
            fault(0.0, $T::NAN),
            Case::of(&CLAMP_TO_UNIT)
                .input(&edges)
                .output(&map(&edges, |a| a.clamp(0.0, 1.0)))
                .items([edges.len()]),
        ]
    }
}
