use kernel_runtime::prelude::*;

#[device]
fn twice<T: Number>(x: T) -> T {
    let text = c"twice";
    x + x
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = twice(y[0]);
}

fn main() {}
