use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [f32]) {
    printf(1);
    async_work_group_copy(y, y, 64, 0);
    let t = read_imagef(y, 0);
    y[0] = t;
}

fn main() {}
