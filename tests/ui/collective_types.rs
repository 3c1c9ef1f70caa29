use kernel_runtime::prelude::*;

#[kernel]
fn run(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = subgroup::reduce_xor(x[i]);
    y[i] = subgroup::broadcast((x[i], 1), 0).0;
    y[i] = work_group::reduce_add(x[i] > 1.0) as u8 as f32;
    y[i] = subgroup::reduce_or(f32x2::splat(x[i])).x;
    y[i] = subgroup::reduce_add(boolx4::splat(true)).x as u8 as f32;
    y[i] = subgroup::shuffle(x[i]);
}

fn main() {}
