use kernel_runtime::{device, kernel};

#[device]
fn index() -> usize {
    barrier();
    global_id(0) * 2 + local_id(0)
}

#[device]
fn sum(x: f32) -> f32 {
    f32x4::splat(subgroup::reduce_add(x)).x()
}

#[device]
fn lanes(x: f32x4) -> f32 {
    x.x()
}

#[device]
const ZERO: f32x2 = f32x2::splat(0.0);

#[kernel]
fn run(y: &mut [f32]) {
    y[index()] = sum(0.0);
}

fn main() {}
