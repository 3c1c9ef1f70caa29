use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let mut shared = Local::<[f32; 64]>::new();
    let i = global_id(0);
    if i >= x.len() {
        return;
    }
    shared[local_id(0)] = x[i];
    barrier();
    y[i] = shared[0];
}

fn main() {}
