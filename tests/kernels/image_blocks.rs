//! Blocks of images, which the work-items of a subgroup read and write together.

use super::case::{Case, ExpectedFault};
use kernel_core::KernelDescriptor;
use kernel_core::image::{Access, Channel};
use kernel_runtime::prelude::*;
use kernel_runtime::{BlockValue, Element, FaultKind};

/// Each subgroup copies a column of blocks, of so many rows as are left. The sizes are arguments: Intel's OpenCL runtime takes those of images for different in each
/// work-item, and then accesses blocks whether a condition holds or not.
#[kernel(T = [u32, i32, f32, u16, i16, f16], subgroup_size = 16, unsafe(races(dst)))]
pub fn image_copied_by_blocks<T: BlockValue>(
    src: &Image2d<f32>,
    dst: &mut Image2d<f32, WriteOnly>,
    columns: usize,
    height: usize,
    seen: &mut [T],
) {
    let x = (group_id(0) * subgroup::count() + subgroup::id()) * subgroup::max_size();
    let mut y = 0;
    while y + 8 <= height {
        let eight = src.block_read8::<T>((x, y));
        dst.block_write8((x, y), eight);
        y += 8;
    }
    if y + 4 <= height {
        let four = src.block_read4::<T>((x, y));
        dst.block_write4((x, y), four);
        y += 4;
    }
    if y + 2 <= height {
        let two = src.block_read2::<T>((x, y));
        dst.block_write2((x, y), two);
        y += 2;
    }
    if y < height {
        let one: T = src.block_read((x, y));
        dst.block_write((x, y), one);
    }
    if x < columns {
        seen[global_id(0)] = src.block_read((x, 0));
    }
}

/// Reads start at any position, and of an image that is written too.
#[kernel(subgroup_size = 16, unsafe(races(image)))]
pub fn image_block_moved(image: &mut Image2d<u32, ReadWrite>, start: usize) {
    let two = image.block_read2::<u16>((start, 0));
    image.block_write2((0, 2), two + u16x2::splat(1));
}

/// What is not all there is not accessed.
#[kernel(subgroup_size = 16, unsafe(races(image)))]
pub fn image_block_beyond(image: &mut Image2d<u32, ReadWrite>, x: usize, y: usize, read: &mut [u32]) {
    read[global_id(0)] = 1 + image.block_read::<u32>((x, y));
    image.block_write((x, y), 7_u32);
}

#[kernel(subgroup_size = 16, unsafe(races(image)))]
pub fn image_block_at_an_odd_place(image: &mut Image2d<u32, ReadWrite>, x: usize, read: &mut [u32]) {
    read[global_id(0)] = image.block_read::<u16>((x, 0)) as u32;
    image.block_write((x, 0), 7_u16);
}

/// Only those come whose subgroup does.
#[kernel(subgroup_size = 16, overflow = "wrap")]
pub fn image_block_in_uniform_flow(image: &Image2d<i32>, height: usize, sums: &mut [u32]) {
    let mut sum = 0;
    for y in 0..height {
        if subgroup::any(y % 2 == 0) {
            sum += image.block_read::<u32>((0, y));
        }
    }
    sums[global_id(0)] = sum;
}

fn bytes(count: usize) -> Vec<u8> {
    // No NaN of 16 or 32 bits is among them.
    (0..count).map(|k| (k * 37 % 101) as u8).collect()
}

fn image<T: Channel, A: Access>(format: ImageFormat, size: (usize, usize)) -> Image2d<T, A> {
    Image2d::from_bytes(format, size, &bytes(size.0 * size.1 * format.texel_size()))
}

fn copies<T: BlockValue + Element>(kernel: &'static KernelDescriptor) -> Vec<Case> {
    use ChannelOrder::{Bgra, R, Rg, Rgba};
    use ChannelType::{Float16, Float32, Snorm8, Unorm8, Unorm16};
    let width = size_of::<T>();
    let cases = [
        (ImageFormat::new(Rgba, Unorm8), 1, 1, 1),
        (ImageFormat::new(Bgra, Unorm8), 2, 2, 15),
        (ImageFormat::new(R, Float32), 1, 3, 8),
        (ImageFormat::new(Rg, Float16), 3, 1, 5),
        (ImageFormat::new(R, Unorm16), 1, 2, 6),
        (ImageFormat::new(R, Snorm8), 2, 1, 3),
    ];
    let case = |(format, groups, subgroups, height): (ImageFormat, usize, usize, usize)| {
        let items = groups * subgroups * 16;
        let src: Image2d<f32> = image(format, (items * width / format.texel_size(), height));
        let dst: Image2d<f32, WriteOnly> = image(format, (src.width(), height));
        let seen: Vec<T> = (0..items).map(|x| src.block_read((x, 0))).collect();
        let case = Case::of(kernel).image(&src).image_output(&dst).scalar(items).scalar(height).output(&seen);
        case.groups([groups as u32], [subgroups as u32 * 16]).label(format!("{format}, {items} by {height}"))
    };
    cases.into_iter().map(case).collect()
}

fn faults() -> Vec<Case> {
    let format = ImageFormat::new(ChannelOrder::R, ChannelType::Uint32);
    let beyond = |x: usize, y: usize, fault: Option<[u64; 2]>| {
        let before: Image2d<u32, ReadWrite> = image(format, (20, 3));
        let mut after: Image2d<u32, ReadWrite> = image(format, (20, 3));
        let mut read = vec![1_u32; 16];
        if fault.is_none() {
            for (lane, read) in read.iter_mut().enumerate() {
                *read += before.block_read::<u32>((x + lane, y));
                after.block_write((x + lane, y), 7_u32);
            }
        }
        let case =
            Case::of(&IMAGE_BLOCK_BEYOND).image_update(&before, &after).scalar(x).scalar(y).output(&read);
        let case = case.groups([1], [16]).label(format!("at {x}, {y}"));
        match fault {
            // The first fault of a work-item is that of the read.
            Some(values) => case.faults(
                ExpectedFault::new(FaultKind::IndexOutOfBounds).count(16).values(values).at("block_read"),
            ),
            None => case,
        }
    };
    let large: Image2d<u32, ReadWrite> =
        image(ImageFormat::new(ChannelOrder::Rg, ChannelType::Uint32), (32, 2));
    let short: Image2d<u32, ReadWrite> = image(format, (32, 2));
    let mut few_written: Image2d<u32, ReadWrite> = image(format, (32, 2));
    let odd = |x: usize| {
        let before: Image2d<u32, ReadWrite> = image(format, (10, 1));
        let mut after: Image2d<u32, ReadWrite> = image(format, (10, 1));
        let read: Vec<u32> = (x..x + 16).map(|x| before.block_read::<u16>((x, 0)).into()).collect();
        if x % 2 == 0 {
            (x..x + 16).step_by(2).for_each(|x| after.block_write((x / 2, 0), 0x0007_0007_u32));
        }
        let case =
            Case::of(&IMAGE_BLOCK_AT_AN_ODD_PLACE).image_update(&before, &after).scalar(x).output(&read);
        case.groups([1], [16]).label(format!("from {x}"))
    };
    let panics = |message: &'static str| ExpectedFault::new(FaultKind::Panic).message(message);
    let few_read: Vec<u32> = (0..5).map(|lane| 1 + short.block_read::<u32>((lane, 0))).collect();
    few_written.block_write((0, 1), few_written.block_read::<u32>((0, 1)));
    vec![
        beyond(0, 0, None),
        beyond(4, 2, None),
        beyond(5, 0, Some([20, 20])),
        beyond(0, 3, Some([3, 3])),
        beyond(usize::MAX, 0, Some([u64::MAX - 1, 20])),
        beyond(0, 1 << 40, Some([1 << 40, 3])),
        odd(0),
        odd(4),
        odd(3).faults(panics("an image block is written from a multiple of 4 bytes on").count(16)),
        Case::of(&IMAGE_BLOCK_BEYOND)
            .image(&large)
            .scalar(0_usize)
            .scalar(0_usize)
            .output(&[1_u32; 16])
            .groups([1], [16])
            .label("large texels")
            .faults(panics("the texels of an image block have 4 bytes at most").count(16).at("block_read")),
        Case::of(&IMAGE_BLOCK_BEYOND)
            .image_update(&short, &few_written)
            .scalar(0_usize)
            .scalar(0_usize)
            .output(&few_read)
            .groups([1], [5])
            .label("a subgroup that is not whole")
            .wrong_on_intel_opencl("write a block though a condition of a subgroup that is not whole forbids it, from OpenCL C too")
            .faults(panics("an image block is written by a whole subgroup").count(5).at("block_write")),
    ]
}

pub fn cases() -> Vec<Case> {
    let mut cases = faults();
    cases.extend(copies::<u32>(&IMAGE_COPIED_BY_BLOCKS_U32));
    cases.extend(copies::<i32>(&IMAGE_COPIED_BY_BLOCKS_I32));
    cases.extend(copies::<f32>(&IMAGE_COPIED_BY_BLOCKS_F32));
    cases.extend(copies::<u16>(&IMAGE_COPIED_BY_BLOCKS_U16));
    cases.extend(copies::<i16>(&IMAGE_COPIED_BY_BLOCKS_I16));
    cases.extend(copies::<f16>(&IMAGE_COPIED_BY_BLOCKS_F16));
    for start in [0, 1, 7, 16] {
        let format = ImageFormat::new(ChannelOrder::Rg, ChannelType::Uint16);
        let before: Image2d<u32, ReadWrite> = image(format, (16, 4));
        let mut after: Image2d<u32, ReadWrite> = image(format, (16, 4));
        for (lane, row) in (0..16).flat_map(|lane| [(lane, 0), (lane, 1)]) {
            let pair = [0, 1].map(|k| before.block_read::<u16>((start + lane / 2 * 2 + k, row)) + 1);
            let both = u32::from(pair[0]) | u32::from(pair[1]) << 16;
            after.block_write((lane / 2, row + 2), both);
        }
        let case = Case::of(&IMAGE_BLOCK_MOVED).image_update(&before, &after).scalar(start);
        cases.push(case.groups([1], [16]).label(format!("from {start}")));
    }
    let signed: Image2d<i32> = image(ImageFormat::new(ChannelOrder::R, ChannelType::Sint32), (16, 5));
    let sums: Vec<u32> = (0..16)
        .map(|x| [0, 2, 4].iter().fold(0, |sum: u32, y| sum.wrapping_add(signed.block_read((x, *y)))))
        .collect();
    cases.push(
        Case::of(&IMAGE_BLOCK_IN_UNIFORM_FLOW).image(&signed).scalar(5_usize).output(&sums).groups([1], [16]),
    );
    cases
}
