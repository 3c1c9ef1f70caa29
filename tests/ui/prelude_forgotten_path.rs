#[kernel_runtime::kernel]
fn run(y: &mut [f32]) {
    let i = global_id(0);
    y[i] = 1.0;
}

fn main() {}
