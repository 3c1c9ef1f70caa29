use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    let i = nd_item.get_global_id(0);
    y[i] = 1.0;
}

fn main() {}
