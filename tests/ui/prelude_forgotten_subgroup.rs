use kernel_runtime::kernel;

#[kernel]
fn run(y: &mut [f32]) {
    y[0] = subgroup::reduce_add(y[0]) + math::rsqrt(y[0]);
}

fn main() {}
