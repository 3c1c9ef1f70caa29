use kernel_runtime::prelude::*;

fn identity<T: Copy>(x: T) -> T {
    x
}

mod maths {
    pub fn identity<T: Copy>(x: T) -> T {
        x
    }
}

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = identity(y[0]) + maths::identity(y[0]);
}

fn main() {}
