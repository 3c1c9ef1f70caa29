use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = global_id(0);
    y[i] = rsqrtf(y[i]) + sinf(y[i]) + fminf(y[i], 1.0) + __expf(y[i]) + powf(y[i], 2.0);
}

fn main() {}
