//! Conditions about the size of the launch and of images: a kernel with a work-item for each element needs no check.

use super::case::Case;
use kernel_runtime::prelude::*;

#[kernel(requires(global_size(0) <= y.len(), x.len() >= y.len()))]
pub fn for_each_element(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] += a * x[i];
}

/// A product of the size and an argument.
#[kernel(requires(global_size(0) <= width as usize, global_size(1) * width as usize <= y.len()))]
pub fn for_each_of_a_matrix(y: &mut [u32], width: u32) {
    let (column, row) = (global_id(0), global_id(1));
    y[row * width as usize + column] = (10 * row + column) as u32;
}

#[kernel(requires(2 * global_size(0) <= x.len(), y.len() == x.len()))]
pub fn for_each_pair(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[2 * i] = x[2 * i + 1];
    y[2 * i + 1] = x[2 * i];
}

#[kernel(requires(global_size(0) == to.width(), global_size(1) <= to.height() && to.height() == from.height()))]
pub fn for_each_texel(from: &Image2d<u32>, to: &mut Image2d<u32, WriteOnly>) {
    let (x, y) = (global_id(0), global_id(1));
    to.write((x, y), from.read((0, y)) + u32x4::splat(x as u32));
}

#[kernel(requires(global_size(2) <= to.depth(), global_size(1) <= to.height(), global_size(0) <= to.width()))]
pub fn for_each_voxel(to: &mut Image3d<u32, WriteOnly>) {
    let (x, y, z) = (global_id(0), global_id(1), global_id(2));
    to.write((x, y, z), u32x4::splat((100 * z + 10 * y + x) as u32));
}

#[kernel(requires(global_size(1) <= to.layers(), to.width() > 4))]
pub fn for_each_layer(to: &mut Image1dArray<u32, WriteOnly>) {
    if global_id(0) < 5 {
        to.write((global_id(0), global_id(1)), u32x4::splat((10 * global_id(1) + global_id(0)) as u32));
    }
}

/// An element for each group, and one for each work-item of a group.
#[kernel(requires(num_groups(0) <= sums.len(), local_size(0) == x.len()))]
pub fn for_each_group(x: &[u32], sums: &mut [u32]) {
    let sum = work_group::reduce_add(x[local_id(0)] + group_id(0) as u32);
    if local_id(0) == 0 {
        sums[group_id(0)] = sum;
    }
}

/// The kernels in which no check of an index is left.
pub static WITHOUT_CHECKS: [&kernel_core::KernelDescriptor; 7] = [
    &FOR_EACH_ELEMENT,
    &FOR_EACH_OF_A_MATRIX,
    &FOR_EACH_PAIR,
    &FOR_EACH_TEXEL,
    &FOR_EACH_VOXEL,
    &FOR_EACH_LAYER,
    &FOR_EACH_GROUP,
];

const FORMAT: ImageFormat = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Uint32);

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let sums = [6_u32, 10, 14];
    cases.push(Case::of(&FOR_EACH_GROUP).input(&[0_u32, 1, 2, 3]).output(&sums).groups([3], [4]));
    for n in [1_usize, 7, 64] {
        let x: Vec<f32> = (0..n).map(|k| k as f32).collect();
        let y: Vec<f32> = x.iter().map(|x| 2.0 * x + 1.0).collect();
        let case = Case::of(&FOR_EACH_ELEMENT).scalar(2.0_f32).input(&x).update(&vec![1.0_f32; n], &y);
        cases.push(case.items([n]).label(format!("{n} elements")));
        let pairs: Vec<u32> = (0..2 * n as u32).collect();
        let swapped: Vec<u32> = pairs.iter().map(|k| k ^ 1).collect();
        cases.push(
            Case::of(&FOR_EACH_PAIR).input(&pairs).output(&swapped).items([n]).label(format!("{n} pairs")),
        );
        let matrix: Vec<u32> = (0..3 * n as u32).map(|k| 10 * (k / n as u32) + k % n as u32).collect();
        let case = Case::of(&FOR_EACH_OF_A_MATRIX).output(&matrix).scalar(n as u32);
        cases.push(case.items([n, 3]).label(format!("{n} columns")));
    }
    cases.extend([(1, 1), (5, 3), (16, 2)].map(texels));
    cases.push(voxels());
    cases.push(layers());
    cases
}

fn bytes(texels: impl Iterator<Item = usize>) -> Vec<u8> {
    texels.flat_map(|texel| (texel as u32).to_le_bytes().repeat(4)).collect()
}

fn texels((width, height): (usize, usize)) -> Case {
    let of = |texel: &dyn Fn(usize) -> usize| bytes((0..width * height).map(texel));
    let from: Image2d<u32> = Image2d::from_bytes(FORMAT, (width, height), &of(&|k| 7 * k));
    let written = of(&|k| 7 * (k / width * width) + k % width);
    let to: Image2d<u32, WriteOnly> = Image2d::from_bytes(FORMAT, (width, height), &written);
    let case = Case::of(&FOR_EACH_TEXEL).image(&from).image_output(&to).items([width, height]);
    case.label(format!("{width} by {height}"))
}

fn voxels() -> Case {
    let written = bytes((0..12).map(|k| 100 * (k / 6) + 10 * (k / 2 % 3) + k % 2));
    let to: Image3d<u32, WriteOnly> = Image3d::from_bytes(FORMAT, (2, 3, 2), &written);
    Case::of(&FOR_EACH_VOXEL).image_output(&to).items([2, 3, 2])
}

fn layers() -> Case {
    let written = bytes((0..15).map(|k| 10 * (k / 5) + k % 5));
    let to: Image1dArray<u32, WriteOnly> = Image1dArray::from_bytes(FORMAT, (5, 3), &written);
    Case::of(&FOR_EACH_LAYER).image_output(&to).items([8, 3])
}
