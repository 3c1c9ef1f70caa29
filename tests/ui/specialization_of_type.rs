use kernel_runtime::prelude::*;

#[kernel(T = _)]
fn run<T: Float>(y: &mut [T]) {
    y[0] = T::ONE;
}

fn main() {}
