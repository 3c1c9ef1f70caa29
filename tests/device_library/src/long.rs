//! A chain of functions that is too long for each of them to hand out all others.

use kernel_runtime::device;

/// A type in the middle of it.
#[device]
#[derive(Clone, Copy)]
struct State {
    value: f32,
    count: u32,
}

/// A number that the last of them needs.
#[device]
const STEPS: u32 = 40;

/// Where the chain starts; element `index` of the slice is read at its end.
#[device]
pub fn first(values: &[f32], index: usize) -> f32 {
    let state = advance(State { value: 1.0, count: 0 }, values, index);
    state.value + state.count as f32
}

/// Functions of which each calls the next.
macro_rules! chain {
    ($($name:ident calls $next:ident by $factor:literal,)*) => {
        $(
            #[device]
            fn $name(state: State, values: &[f32], index: usize) -> State {
                let next = State { value: state.value * $factor + 1.0, count: state.count + 1 };
                $next(next, values, index)
            }
        )*
    };
}

#[device]
fn advance(state: State, values: &[f32], index: usize) -> State {
    step_0(state, values, index)
}

chain! {
    step_0 calls step_1 by 1.00,
    step_1 calls step_2 by 1.01,
    step_2 calls step_3 by 1.02,
    step_3 calls step_4 by 1.03,
    step_4 calls step_5 by 1.04,
    step_5 calls step_6 by 1.05,
    step_6 calls step_7 by 1.06,
    step_7 calls step_8 by 1.07,
    step_8 calls step_9 by 1.08,
    step_9 calls step_10 by 1.09,
    step_10 calls step_11 by 1.10,
    step_11 calls step_12 by 1.11,
    step_12 calls step_13 by 1.12,
    step_13 calls step_14 by 1.13,
    step_14 calls step_15 by 1.14,
    step_15 calls step_16 by 1.15,
    step_16 calls step_17 by 1.16,
    step_17 calls step_18 by 1.17,
    step_18 calls step_19 by 1.18,
    step_19 calls step_20 by 1.19,
    step_20 calls step_21 by 1.20,
    step_21 calls step_22 by 1.21,
    step_22 calls step_23 by 1.22,
    step_23 calls step_24 by 1.23,
    step_24 calls step_25 by 1.24,
    step_25 calls step_26 by 1.25,
    step_26 calls step_27 by 1.26,
    step_27 calls step_28 by 1.27,
    step_28 calls step_29 by 1.28,
    step_29 calls step_30 by 1.29,
    step_30 calls step_31 by 1.30,
    step_31 calls step_32 by 1.31,
    step_32 calls step_33 by 1.32,
    step_33 calls step_34 by 1.33,
    step_34 calls step_35 by 1.34,
    step_35 calls step_36 by 1.35,
    step_36 calls step_37 by 1.36,
    step_37 calls step_38 by 1.37,
    step_38 calls step_39 by 1.38,
}

#[device]
fn step_39(state: State, values: &[f32], index: usize) -> State {
    State { value: state.value + values[index], count: state.count + STEPS }
}
