use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    sync_cube();
    let total = plane_sum(y[0]);
    y[0] = plane_broadcast(total, 0);
}

fn main() {}
