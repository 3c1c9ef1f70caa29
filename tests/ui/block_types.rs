use kernel_runtime::prelude::*;

#[kernel]
fn run(bytes: &[u8], doubles: &[f64], x: &mut [u32]) {
    x[0] = subgroup::block_read(bytes, 0) as u32;
    x[1] = subgroup::block_read2(doubles, 0).x as u32;
    subgroup::block_write(x, 0, 1_u16);
    subgroup::block_write4(x, 0, u32x2::splat(1));
}

fn main() {}
