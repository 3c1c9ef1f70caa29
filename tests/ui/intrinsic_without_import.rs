use kernel_runtime::kernel;

#[kernel]
fn run(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {}
