//! Chains of device functions that are too long for each to hand out all others, of this crate and of another one.

use super::case::{Case, ExpectedFault};
use super::edge::map;
use device_library::long;
use kernel_core::FaultKind;
use kernel_runtime::prelude::*;

#[kernel]
pub fn of_library(values: &[f32], index: &[usize], result: &mut [f32]) {
    let i = global_id(0);
    result[i] = long::first(values, index[i]);
}

/// A chain of this crate that ends in the library: the first of its functions hand out items of that, and those that follow leave them out.
mod above_library {
    use device_library::long;
    use kernel_runtime::prelude::*;

    /// Functions of which each calls the one before.
    macro_rules! chain {
        ($($name:ident calls $before:ident,)*) => {
            $(
                #[device]
                pub fn $name(values: &[f32], index: usize) -> f32 {
                    let value = $before(values, index);
                    let next = if value > 1.5 { value * 0.5 } else { value + 0.25 };
                    let more = if next > 0.75 { next - 0.5 } else { next * 2.0 };
                    if more > next { more } else { next }
                }
            )*
        };
    }

    #[device]
    fn lowest(values: &[f32], index: usize) -> f32 {
        long::first(values, index)
    }

    chain! {
        a calls lowest,
        b calls a,
        c calls b,
        d calls c,
        e calls d,
        f calls e,
        g calls f,
        h calls g,
        i calls h,
        highest calls i,
    }
}

#[kernel]
pub fn over_library(values: &[f32], result: &mut [f32]) {
    let i = global_id(0);
    result[i] = above_library::highest(values, i);
}

/// Each calls the one before; what they share is at the beginning.
mod bottom_up {
    use kernel_runtime::prelude::*;

    #[device]
    fn step_0<T: Number>(x: T) -> T {
        x * x + x
    }

    #[device]
    fn step_1(x: f32) -> f32 {
        let next = if x > 1.5 { x - 0.25 } else { x * 1.125 };
        step_0(next) + 1.0
    }

    #[device]
    fn step_2(x: f32) -> f32 {
        let next = if x > 2.5 { x - 0.25 } else { x * 1.125 };
        step_1(next) + 1.0
    }

    #[device]
    fn step_3(x: f32) -> f32 {
        let next = if x > 3.5 { x - 0.25 } else { x * 1.125 };
        step_2(next) + 1.0
    }

    #[device]
    fn step_4(x: f32) -> f32 {
        let next = if x > 4.5 { x - 0.25 } else { x * 1.125 };
        step_3(next) + 1.0
    }

    #[device]
    fn step_5(x: f32) -> f32 {
        let next = if x > 5.5 { x - 0.25 } else { x * 1.125 };
        step_4(next) + 1.0
    }

    #[device]
    fn step_6(x: f32) -> f32 {
        let next = if x > 6.5 { x - 0.25 } else { x * 1.125 };
        step_5(next) + 1.0
    }

    #[device]
    fn step_7(x: f32) -> f32 {
        let next = if x > 7.5 { x - 0.25 } else { x * 1.125 };
        step_6(next) + 1.0
    }

    #[device]
    fn step_8(x: f32) -> f32 {
        let next = if x > 8.5 { x - 0.25 } else { x * 1.125 };
        step_7(next) + 1.0
    }

    #[device]
    fn step_9(x: f32) -> f32 {
        let next = if x > 9.5 { x - 0.25 } else { x * 1.125 };
        step_8(next) + 1.0
    }

    #[device]
    fn step_10(x: f32) -> f32 {
        let next = if x > 10.5 { x - 0.25 } else { x * 1.125 };
        step_9(next) + 1.0
    }

    #[device]
    fn step_11(x: f32) -> f32 {
        let next = if x > 11.5 { x - 0.25 } else { x * 1.125 };
        step_10(next) + 1.0
    }

    #[device]
    fn step_12(x: f32) -> f32 {
        let next = if x > 12.5 { x - 0.25 } else { x * 1.125 };
        step_11(next) + 1.0
    }

    #[device]
    fn step_13(x: f32) -> f32 {
        let next = if x > 13.5 { x - 0.25 } else { x * 1.125 };
        step_12(next) + 1.0
    }

    #[device]
    fn step_14(x: f32) -> f32 {
        let next = if x > 14.5 { x - 0.25 } else { x * 1.125 };
        step_13(next) + 1.0
    }

    #[device]
    fn step_15(x: f32) -> f32 {
        let next = if x > 15.5 { x - 0.25 } else { x * 1.125 };
        step_14(next) + 1.0
    }

    #[device]
    fn step_16(x: f32) -> f32 {
        let next = if x > 16.5 { x - 0.25 } else { x * 1.125 };
        step_15(next) + 1.0
    }

    #[device]
    fn step_17(x: f32) -> f32 {
        let next = if x > 17.5 { x - 0.25 } else { x * 1.125 };
        step_16(next) + 1.0
    }

    #[device]
    fn step_18(x: f32) -> f32 {
        let next = if x > 18.5 { x - 0.25 } else { x * 1.125 };
        step_17(next) + 1.0
    }

    #[device]
    fn step_19(x: f32) -> f32 {
        let next = if x > 19.5 { x - 0.25 } else { x * 1.125 };
        step_18(next) + 1.0
    }

    #[device]
    fn step_20(x: f32) -> f32 {
        let next = if x > 20.5 { x - 0.25 } else { x * 1.125 };
        step_19(next) + 1.0
    }

    #[device]
    fn step_21(x: f32) -> f32 {
        let next = if x > 21.5 { x - 0.25 } else { x * 1.125 };
        step_20(next) + 1.0
    }

    #[device]
    fn step_22(x: f32) -> f32 {
        let next = if x > 22.5 { x - 0.25 } else { x * 1.125 };
        step_21(next) + 1.0
    }

    #[device]
    pub fn step_23(x: f32) -> f32 {
        let next = if x > 23.5 { x - 0.25 } else { x * 1.125 };
        step_22(next) + 1.0
    }
}

/// Each calls the one after it, and so do the kernels in the functions around.
mod top_down {
    use kernel_runtime::prelude::*;

    #[device]
    pub fn last_0(x: f32) -> f32 {
        let next = if x > 0.5 { x - 0.25 } else { x * 1.125 };
        last_1(next) - 1.0
    }

    #[device]
    fn last_1(x: f32) -> f32 {
        let next = if x > 1.5 { x - 0.25 } else { x * 1.125 };
        last_2(next) - 1.0
    }

    #[device]
    fn last_2(x: f32) -> f32 {
        let next = if x > 2.5 { x - 0.25 } else { x * 1.125 };
        last_3(next) - 1.0
    }

    #[device]
    fn last_3(x: f32) -> f32 {
        let next = if x > 3.5 { x - 0.25 } else { x * 1.125 };
        last_4(next) - 1.0
    }

    #[device]
    fn last_4(x: f32) -> f32 {
        let next = if x > 4.5 { x - 0.25 } else { x * 1.125 };
        last_5(next) - 1.0
    }

    #[device]
    fn last_5(x: f32) -> f32 {
        let next = if x > 5.5 { x - 0.25 } else { x * 1.125 };
        last_6(next) - 1.0
    }

    #[device]
    fn last_6(x: f32) -> f32 {
        let next = if x > 6.5 { x - 0.25 } else { x * 1.125 };
        last_7(next) - 1.0
    }

    #[device]
    fn last_7(x: f32) -> f32 {
        let next = if x > 7.5 { x - 0.25 } else { x * 1.125 };
        last_8(next) - 1.0
    }

    #[device]
    fn last_8(x: f32) -> f32 {
        let next = if x > 8.5 { x - 0.25 } else { x * 1.125 };
        last_9(next) - 1.0
    }

    #[device]
    fn last_9(x: f32) -> f32 {
        let next = if x > 9.5 { x - 0.25 } else { x * 1.125 };
        last_10(next) - 1.0
    }

    #[device]
    fn last_10(x: f32) -> f32 {
        let next = if x > 10.5 { x - 0.25 } else { x * 1.125 };
        last_11(next) - 1.0
    }

    #[device]
    fn last_11(x: f32) -> f32 {
        let next = if x > 11.5 { x - 0.25 } else { x * 1.125 };
        last_12(next) - 1.0
    }

    #[device]
    fn last_12(x: f32) -> f32 {
        let next = if x > 12.5 { x - 0.25 } else { x * 1.125 };
        last_13(next) - 1.0
    }

    #[device]
    fn last_13(x: f32) -> f32 {
        let next = if x > 13.5 { x - 0.25 } else { x * 1.125 };
        last_14(next) - 1.0
    }

    #[device]
    fn last_14(x: f32) -> f32 {
        let next = if x > 14.5 { x - 0.25 } else { x * 1.125 };
        last_15(next) - 1.0
    }

    #[device]
    fn last_15(x: f32) -> f32 {
        let next = if x > 15.5 { x - 0.25 } else { x * 1.125 };
        last_16(next) - 1.0
    }

    #[device]
    fn last_16(x: f32) -> f32 {
        let next = if x > 16.5 { x - 0.25 } else { x * 1.125 };
        last_17(next) - 1.0
    }

    #[device]
    fn last_17(x: f32) -> f32 {
        let next = if x > 17.5 { x - 0.25 } else { x * 1.125 };
        last_18(next) - 1.0
    }

    #[device]
    fn last_18(x: f32) -> f32 {
        let next = if x > 18.5 { x - 0.25 } else { x * 1.125 };
        last_19(next) - 1.0
    }

    #[device]
    fn last_19(x: f32) -> f32 {
        let next = if x > 19.5 { x - 0.25 } else { x * 1.125 };
        last_20(next) - 1.0
    }

    #[device]
    fn last_20(x: f32) -> f32 {
        let next = if x > 20.5 { x - 0.25 } else { x * 1.125 };
        last_21(next) - 1.0
    }

    #[device]
    fn last_21(x: f32) -> f32 {
        let next = if x > 21.5 { x - 0.25 } else { x * 1.125 };
        last_22(next) - 1.0
    }

    #[device]
    fn last_22(x: f32) -> f32 {
        let next = if x > 22.5 { x - 0.25 } else { x * 1.125 };
        last_23(next) - 1.0
    }

    #[device]
    fn last_23(x: f32) -> f32 {
        super::bottom_up::step_23(x)
    }
}

/// Both chains, which overlap.
#[device]
fn outer(x: f32) -> f32 {
    inner(x) + bottom_up::step_23(x)
}

#[device]
fn inner(x: f32) -> f32 {
    top_down::last_0(x) * 2.0
}

#[kernel]
pub fn overlapping(x: &[f32], result: &mut [f32]) {
    let i = global_id(0);
    result[i] = outer(x[i]);
}

fn overlapping_on_host(x: f32) -> f32 {
    top_down::last_0(x) * 2.0 + bottom_up::step_23(x)
}

/// Types in types, so deep that the first does not come with the last.
mod nested {
    use kernel_runtime::prelude::*;

    macro_rules! nested {
        ($($name:ident holds $held:ident, $function:ident calls $next:ident,)*) => {
            $(
                #[device]
                #[derive(Clone, Copy)]
                pub struct $name {
                    pub number: u32,
                    pub held: $held,
                }

                #[device]
                pub fn $function(number: u32) -> $name {
                    $name { number, held: $next(number.wrapping_mul(3).wrapping_add(1)) }
                }
            )*
        };
    }

    #[device]
    #[derive(Clone, Copy)]
    pub struct Last {
        pub number: u32,
    }

    #[device]
    fn last(number: u32) -> Last {
        Last { number }
    }

    nested! {
        Outer0 holds Outer1, outer_0 calls outer_1,
        Outer1 holds Outer2, outer_1 calls outer_2,
        Outer2 holds Outer3, outer_2 calls outer_3,
        Outer3 holds Outer4, outer_3 calls outer_4,
        Outer4 holds Outer5, outer_4 calls outer_5,
        Outer5 holds Outer6, outer_5 calls outer_6,
        Outer6 holds Outer7, outer_6 calls outer_7,
        Outer7 holds Outer8, outer_7 calls outer_8,
        Outer8 holds Outer9, outer_8 calls outer_9,
        Outer9 holds Outer10, outer_9 calls outer_10,
        Outer10 holds Outer11, outer_10 calls outer_11,
        Outer11 holds Outer12, outer_11 calls outer_12,
        Outer12 holds Outer13, outer_12 calls outer_13,
        Outer13 holds Outer14, outer_13 calls outer_14,
        Outer14 holds Outer15, outer_14 calls outer_15,
        Outer15 holds Outer16, outer_15 calls outer_16,
        Outer16 holds Outer17, outer_16 calls outer_17,
        Outer17 holds Outer18, outer_17 calls outer_18,
        Outer18 holds Outer19, outer_18 calls outer_19,
        Outer19 holds Outer20, outer_19 calls outer_20,
        Outer20 holds Outer21, outer_20 calls outer_21,
        Outer21 holds Outer22, outer_21 calls outer_22,
        Outer22 holds Outer23, outer_22 calls outer_23,
        Outer23 holds Outer24, outer_23 calls outer_24,
        Outer24 holds Outer25, outer_24 calls outer_25,
        Outer25 holds Outer26, outer_25 calls outer_26,
        Outer26 holds Outer27, outer_26 calls outer_27,
        Outer27 holds Last, outer_27 calls last,
    }

    #[device]
    pub fn deepest(outer: Outer0) -> u32 {
        let outer = outer.held.held.held.held.held.held.held;
        let outer = outer.held.held.held.held.held.held.held;
        let outer = outer.held.held.held.held.held.held.held;
        outer.held.held.held.held.held.held.held.number
    }

    #[device]
    pub fn through(number: u32) -> u32 {
        deepest(outer_0(number)) ^ outer_0(number).held.number
    }
}

#[kernel]
pub fn nested_types(x: &[u32], result: &mut [u32]) {
    let i = global_id(0);
    result[i] = nested::through(x[i]);
}

pub fn cases() -> Vec<Case> {
    let values = [5.0_f32, -1.0, 4.0, 0.5];
    let indices = [3_usize, 0, 1, 2];
    let x = [-3.5_f32, 0.0, 0.1, 2.0, 30.0, 1e8];
    let numbers = [0_u32, 1, 2];
    vec![
        Case::of(&OF_LIBRARY)
            .input(&values)
            .input(&indices)
            .output(&map(&indices, |index| long::first(&values, index)))
            .items([indices.len()]),
        Case::of(&OF_LIBRARY)
            .input(&values)
            .input(&[9_usize])
            .output(&[0.0_f32])
            .unwritten([0])
            .items([1])
            .faults(ExpectedFault::new(FaultKind::IndexOutOfBounds).values([9, 4]).at("values[index]"))
            .label("fault"),
        Case::of(&OVER_LIBRARY)
            .input(&values)
            .output(&map(&[0_usize, 1, 2, 3], |index| above_library::highest(&values, index)))
            .items([values.len()]),
        Case::of(&OVERLAPPING).input(&x).output(&map(&x, overlapping_on_host)).items([x.len()]),
        Case::of(&NESTED_TYPES)
            .input(&numbers)
            .output(&map(&numbers, nested::through))
            .items([numbers.len()]),
    ]
}
