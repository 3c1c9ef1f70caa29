use kernel_runtime::prelude::*;

#[device]
const TABLE: [f32; 4] = [1.0, 2.0, 3.0, 4.0];

#[device(export = "bounds")]
fn bounds(i: usize) -> f32 {
    TABLE[i]
}

#[device(export = "division")]
fn division(x: i32, y: i32) -> i32 {
    x / y
}

#[device(export = "overflow")]
fn overflow(x: u32, y: u32) -> u32 {
    (x + 1) << y
}

#[device]
fn helper(x: i32) -> i32 {
    assert!(x > 0, "no more than {x}");
    -x
}

#[device(export = "panics")]
fn panics(x: Option32) -> i32 {
    if x == 7 {
        panic!("seven");
    }
    helper(x) + Some(x).filter(|x| *x > 2).unwrap()
}

#[device]
type Option32 = i32;

#[device(export = "still_panics", overflow = "wrap", unsafe(unchecked))]
fn still_panics(x: i32, i: usize) -> i32 {
    if TABLE[i] == 1.0 {
        unreachable!();
    }
    x + 100 / x
}

#[device(export = "proved")]
fn proved(x: u32, i: usize) -> f32 {
    TABLE[i % 4] + (100 / x.max(1) + 1) as f32
}

fn main() {}
