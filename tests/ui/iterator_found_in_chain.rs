use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let (low, high) = y.split_at_mut(2);
    if let Some(v) = low.iter_mut().chain(high).find(|v| **v > 1.0) {
        *v = 0.0;
    }
}

fn main() {}
