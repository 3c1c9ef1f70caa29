/// dimension missing
#[kernel]
fn half_of_the_columns(image: &mut Image2d<f32, WriteOnly>) {
    image.write((global_id(0) / 2, global_id(1)), f32x4::splat(1.0));
}

/// dimension missing
#[kernel]
fn columns_alone(image: &mut Image2d<f32, WriteOnly>) {
    let j = global_id(1);
    image.write((global_id(0), 3), f32x4::splat(j as f32));
}

/// uniform index
#[kernel]
fn one_texel(image: &mut Image2d<f32, WriteOnly>) {
    image.write((0, 0), f32x4::splat(1.0));
}

/// dimension missing
#[kernel]
fn neighbours_in_place(image: &mut Image2d<f32, ReadWrite>) {
    let (i, j) = (global_id(0), global_id(1));
    let value = image.read((i + 1, j));
    image.write((i, j), value);
}

/// not proved
#[kernel(group_size = 64)]
fn a_texel_of_the_group_without_a_fence(image: &mut Image1d<f32, ReadWrite>) {
    let l = local_id(0);
    let start = group_id(0) * 64;
    image.write(start + l, f32x4::splat(1.0));
    work_group::barrier_in(Scope::WorkGroup, Memory::LOCAL);
    let value = image.read(start + 63 - l);
    work_group::barrier_in(Scope::WorkGroup, Memory::IMAGE);
    image.write(start + l, value);
}

/// not proved
#[kernel(group_size = 64)]
fn a_fence_for_global_memory(image: &mut Image1d<f32, ReadWrite>) {
    let l = local_id(0);
    let start = group_id(0) * 64;
    image.write(start + l, f32x4::splat(1.0));
    work_group::barrier_in(Scope::WorkGroup, Memory::GLOBAL);
    let value = image.read(start + 63 - l);
    work_group::barrier_in(Scope::WorkGroup, Memory::IMAGE);
    image.write(start + l, value);
}

/// dimension missing
#[kernel(group_size = 16, subgroup_size = 16)]
fn blocks_of_an_image_too_near(image: &mut Image2d<f32, WriteOnly>) {
    image.block_write((group_id(0) * 8, global_id(1)), 1.0_f32);
}

/// dimension missing
#[kernel(group_size = 16, subgroup_size = 16)]
fn rows_of_blocks_too_near(image: &mut Image2d<f32, WriteOnly>) {
    image.block_write4((group_id(0) * 16, global_id(1) * 3), f32x4::splat(1.0));
}

/// dimension missing
#[kernel(group_size = 16, subgroup_size = 16)]
fn blocks_of_two_sizes(image: &mut Image2d<f32, WriteOnly>) {
    image.block_write((group_id(0) * 16, 2 * global_id(1)), 1.0_f32);
    image.block_write((group_id(0) * 16, 2 * global_id(1)), 1_u16);
}

/// not proved
#[kernel(group_size = 16, subgroup_size = 16)]
fn a_block_of_an_image_and_a_texel(image: &mut Image2d<f32, WriteOnly>) {
    image.block_write((group_id(0) * 16, 2 * global_id(1)), 1.0_f32);
    image.write((global_id(0), 2 * global_id(1) + 1), f32x4::splat(1.0));
}

/// dimension missing
#[kernel(group_size = 16, subgroup_size = 16)]
fn one_row_of_blocks(image: &mut Image2d<f32, WriteOnly>) {
    let j = global_id(1) as f32;
    image.block_write((group_id(0) * 16, 0), j);
}
