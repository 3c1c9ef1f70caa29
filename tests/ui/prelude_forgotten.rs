use kernel_runtime::kernel;

#[kernel]
fn run(y: &mut [f32]) {
    let i = global_id(0);
    barrier();
    y[i + local_id(0)] = 1.0;
}

fn main() {}
