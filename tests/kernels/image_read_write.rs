//! Images that a kernel both reads and writes.

use super::case::Case;
use kernel_runtime::prelude::*;

/// Each texel is read, changed and read back.
#[kernel(requires(global_size(0) <= image.width()))]
pub fn image_increment(image: &mut Image2d<u32, ReadWrite>, sums: &mut [u32]) {
    let (x, y) = (global_id(0), global_id(1));
    let before = image.read((x, y));
    image.write((x, y), before + 1);
    let after = image.read((x, y));
    image.write((x, y), after * 2);
    sums[y * image.width() + x] = image.read((x, y)).x + before.x;
}

/// A device function changes a texel.
#[device]
pub fn brighten(image: &mut Image1d<f32, ReadWrite>, x: usize) {
    image.write(x, image.read(x) * 2.0);
}

#[kernel]
pub fn image_brighten(image: &mut Image1d<f32, ReadWrite>) {
    for _ in 0..3 {
        brighten(image, global_id(0));
    }
}

/// Work-items of a group see what others of it wrote before a barrier.
#[kernel]
pub fn image_mirror(image: &mut Image1d<u32, ReadWrite>) {
    let x = global_id(0);
    let other = group_id(0) * local_size(0) + local_size(0) - 1 - local_id(0);
    let texel = image.read(other);
    barrier();
    image.write(x, texel);
}

fn words(count: usize) -> Vec<u8> {
    (0..count as u32).flat_map(|k| (k * k + 3).to_le_bytes()).collect()
}

pub fn cases() -> Vec<Case> {
    let format = ImageFormat::new(ChannelOrder::R, ChannelType::Uint32);
    let (width, height) = (9, 5);
    let before: Image2d<u32, ReadWrite> =
        Image2d::from_bytes(format, (width, height), &words(width * height));
    let (mut after, mut sums) = (before.clone(), Vec::new());
    for y in 0..height {
        for x in 0..width {
            let texel = before.read((x, y));
            after.write((x, y), (texel + 1) * 2);
            sums.push((texel.x + 1) * 2 + texel.x);
        }
    }
    let rgba = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Float32);
    let floats: Vec<u8> = (0..4 * 6).flat_map(|k| (k as f32 - 8.0).to_le_bytes()).collect();
    let dark: Image1d<f32, ReadWrite> = Image1d::from_bytes(rgba, 6, &floats);
    let mut bright = dark.clone();
    (0..6).for_each(|x| (0..3).for_each(|_| brighten(&mut bright, x)));
    let row: Image1d<u32, ReadWrite> = Image1d::from_bytes(format, 32, &words(32));
    let mirrored = |group: usize| {
        let mut after = row.clone();
        (0..32).for_each(|x| after.write(x, row.read(x / group * group + group - 1 - x % group)));
        after
    };
    vec![
        Case::of(&IMAGE_INCREMENT).image_update(&before, &after).output(&sums).items([width, height]),
        Case::of(&IMAGE_BRIGHTEN).image_update(&dark, &bright).items([6]),
        Case::of(&IMAGE_MIRROR).image_update(&row, &mirrored(32)).groups([1], [32]),
        Case::of(&IMAGE_MIRROR).image_update(&row, &mirrored(8)).groups([4], [8]).label("groups of eight"),
    ]
}
