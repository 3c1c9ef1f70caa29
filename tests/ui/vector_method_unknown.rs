use kernel_runtime::prelude::*;

#[kernel]
fn k(x: &[i32x4], y: &mut [i32x4]) {
    if let Some(sum) = x[0].checked_add(x[1]) {
        y[0] = sum;
    }
}

fn main() {}
