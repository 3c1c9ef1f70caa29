//! What the text of a file does not show: items of the file that it is included in, and what macros define.

use kernel_runtime::prelude::*;

include!("included/items.rs");

#[device]
fn square(x: f32) -> f32 {
    x * x
}

macro_rules! constants {
    ($($name:ident = $value:expr;)*) => {
        $(
            #[device]
            const $name: f32 = $value;
        )*
    };
}

constants! {
    OFFSET = 1.0;
}

#[cfg(not(any()))]
#[device]
fn chosen(x: f32) -> f32 {
    x + OFFSET
}

#[cfg(any())]
fn chosen(x: f32) -> f32 {
    x
}

#[device]
fn caller(x: f32) -> f32 {
    chosen(deeper::eighth(x))
}

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = caller(x[i]) + fourth(x[i]);
}

fn main() {
    assert_eq!(caller(2.0), 290.0);
}
