use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f64x16], y: &mut [f64]) {
    let i = global_id(0);
    assert!(i < y.len(), "{:?} {:?} {i}", x[i], x[i + 1]);
    assert_eq!(x[0], x[1], "{}", y[0]);
    assert_eq!(x[0], x[1]);
}

fn main() {}
