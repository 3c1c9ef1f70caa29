use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let x = subgroup::all(1);
    let z = subgroup::shuffle(y[0], 1.0);
    y[0] = math::mix(1.0, 2, 0.5);
}

fn main() {}
