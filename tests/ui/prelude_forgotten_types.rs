use kernel_runtime::kernel;

#[kernel]
fn run(y: &mut [f32]) {
    let mut tile = Local::<[f32; 64]>::new();
    let v = f32x4::splat(y[0]);
    tile[0] = v.x();
}

fn main() {}
