use kernel_runtime::prelude::*;

#[kernel]
fn with_its_own_number(image: &Image2d<u32>, y: &mut [u32]) {
    y[global_id(0)] = image.block_read((global_id(0), 0));
    if y[global_id(0)] > 3 {
        y[global_id(0)] = image.block_read((0, 0));
    }
}

#[kernel]
fn of_other_images(
    arrayed: &Image2dArray<u32>,
    depth: &Image2dDepth,
    read: &Image2d<u32>,
    written: &mut Image2d<u32, WriteOnly>,
    y: &mut [u32],
) {
    y[0] = arrayed.block_read((0, 0, 0));
    y[1] = depth.block_read((0, 0));
    y[2] = written.block_read((0, 0));
    read.block_write((0, 0), 1_u32);
    written.block_write((0, 0), 1_u64);
    written.block_write((0, 0), f32x2::splat(1.0));
    y[3] = read.block_read((0.5, 1.0));
}

fn main() {}
