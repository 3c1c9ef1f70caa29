//! Two-dimensional images: texels by coordinates, with channels of each class and in each format.

use super::case::{Case, ExpectedFault};
use kernel_runtime::FaultKind;
use kernel_runtime::prelude::*;

/// Turns an image upside down.
#[kernel]
pub fn image_flip(src: &Image2d<f32>, dst: &mut Image2d<f32, WriteOnly>) {
    let (x, y) = (global_id(0), global_id(1));
    if x < src.width() && y < src.height() {
        dst.write((x, y), src.read((x, src.height() - 1 - y)));
    }
}

/// Copies what is inside of both images, however many work-items there are, without checks.
#[kernel]
pub fn image_copy(src: &Image2d<f32>, dst: &mut Image2d<f32, WriteOnly>) {
    let (x, y) = (global_id(0), global_id(1));
    if x < src.width().min(dst.width()) && y < src.height().min(dst.height()) {
        // SAFETY: the coordinates are inside of both images.
        unsafe { dst.write_unchecked((x, y), src.read_unchecked((x, y))) };
    }
}

/// The neighbours to the right and below, by a function that the host calls too.
#[device]
pub fn gradient(image: &Image2d<f32>, x: usize, y: usize) -> f32x4 {
    let here = image.read((x, y));
    let right = image.read(((x + 1).min(image.width() - 1), y));
    let below = image.read((x, (y + 1).min(image.height() - 1)));
    (right - here).abs() + (below - here).abs()
}

#[kernel]
pub fn image_gradient(src: &Image2d<f32>, dst: &mut Image2d<f32, WriteOnly>) {
    let (x, y) = (global_id(0), global_id(1));
    dst.write((x, y), gradient(src, x, y));
}

/// Signed and unsigned channels to and from memory.
#[kernel(requires(global_size(0) <= signed.width()))]
pub fn image_integers(
    signed: &Image2d<i32>,
    unsigned: &Image2d<u32>,
    sums: &mut [i64],
    swapped: &mut Image2d<i32, WriteOnly>,
    halved: &mut Image2d<u32, WriteOnly>,
) {
    let (x, y) = (global_id(0), global_id(1));
    let (s, u) = (signed.read((x, y)), unsigned.read((x, y)));
    sums[y * signed.width() + x] = s.x as i64 + s.y as i64 + u.x as i64 + u.w as i64;
    swapped.write((x, y), i32x4::new(s.w, s.z, s.y, s.x));
    halved.write((x, y), u / 2);
}

/// Sizes, and a read and a write at coordinates that are given.
#[kernel(requires(global_size(0) == 1))]
pub fn image_at(src: &Image2d<f32>, at: &[usize], sizes: &mut [usize], read: &mut [f32]) {
    sizes[0] = src.width();
    sizes[1] = src.height();
    let texel = src.read((at[0], at[1]));
    read[0] = texel.x;
    read[1] = texel.w;
}

#[kernel(requires(global_size(0) == 1))]
pub fn image_put(at: &[usize], dst: &mut Image2d<f32, WriteOnly>) {
    dst.write((at[0], at[1]), f32x4::splat(1.0));
}

/// An image by a name of its own, chosen between two by a constant condition, and in a loop.
#[kernel]
pub fn image_row_sums(src: &Image2d<f32>, sums: &mut [f32]) {
    let image = src;
    let y = global_id(0);
    let mut sum = f32x4::splat(0.0);
    for x in 0..image.width() {
        sum += image.read((x, y));
    }
    sums[y] = sum.reduce_sum();
}

type ReadImage = Image2d<f32>;

fn numbers<const N: usize>() -> [f32; N] {
    std::array::from_fn(|k| (k * 37 % 101) as f32 * 0.25 - 3.0)
}

fn image_of(format: ImageFormat, size: (usize, usize), bytes: &[u8]) -> ReadImage {
    Image2d::from_bytes(format, size, bytes)
}

fn bytes_of(count: usize) -> Vec<u8> {
    (0..count).map(|k| (k * 89 % 251) as u8).collect()
}

fn of_floats(size: (usize, usize)) -> ReadImage {
    let bytes: Vec<u8> =
        numbers::<4096>()[..4 * size.0 * size.1].iter().flat_map(|x| x.to_le_bytes()).collect();
    image_of(ImageFormat::new(ChannelOrder::Rgba, ChannelType::Float32), size, &bytes)
}

/// The image that a function gives for each of its texels.
fn made(of: &ReadImage, texel: impl Fn(usize, usize) -> f32x4) -> Image2d<f32, WriteOnly> {
    let [width, height, _] = of.size();
    let mut image = Image2d::from_bytes(of.format(), (width, height), of.bytes());
    for y in 0..height {
        for x in 0..width {
            image.write((x, y), texel(x, y));
        }
    }
    image
}

fn flipped(src: &ReadImage) -> Image2d<f32, WriteOnly> {
    made(src, |x, y| src.read((x, src.height() - 1 - y)))
}

fn format_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for order in [ChannelOrder::R, ChannelOrder::Rg, ChannelOrder::Rgba, ChannelOrder::Bgra] {
        for channel in [
            ChannelType::Unorm8,
            ChannelType::Unorm16,
            ChannelType::Snorm8,
            ChannelType::Snorm16,
            ChannelType::Float16,
            ChannelType::Float32,
        ] {
            // OpenCL has blue first only for bytes that stand for numbers from 0 to 1.
            if order == ChannelOrder::Bgra && channel != ChannelType::Unorm8 {
                continue;
            }
            let format = ImageFormat::new(order, channel);
            let (width, height) = (5, 3);
            let bytes = match channel {
                ChannelType::Float32 => numbers::<64>().iter().flat_map(|x| x.to_le_bytes()).collect(),
                ChannelType::Float16 => {
                    numbers::<64>().iter().flat_map(|x| f16::from_f32(*x).to_le_bytes()).collect()
                }
                _ => bytes_of(256),
            };
            let src = image_of(format, (width, height), &bytes[..width * height * format.texel_size()]);
            let case = Case::of(&IMAGE_FLIP).image(&src).image_output(&flipped(&src)).items([width, height]);
            cases.push(case.label(format.to_string()));
        }
    }
    cases
}

fn integer_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let types = [
        (ChannelType::Sint8, ChannelType::Uint8),
        (ChannelType::Sint16, ChannelType::Uint16),
        (ChannelType::Sint32, ChannelType::Uint32),
    ];
    for order in [ChannelOrder::R, ChannelOrder::Rg, ChannelOrder::Rgba] {
        for (signed, unsigned) in types {
            let (width, height) = (3, 4);
            let bytes = bytes_of(256);
            let formats = [signed, unsigned].map(|channel| ImageFormat::new(order, channel));
            let count = width * height * formats[0].texel_size();
            let s: Image2d<i32> = Image2d::from_bytes(formats[0], (width, height), &bytes[..count]);
            let u: Image2d<u32> = Image2d::from_bytes(formats[1], (width, height), &bytes[..count]);
            let mut swapped: Image2d<i32, WriteOnly> =
                Image2d::from_bytes(formats[0], (width, height), s.bytes());
            let mut halved: Image2d<u32, WriteOnly> =
                Image2d::from_bytes(formats[1], (width, height), u.bytes());
            let mut sums = vec![0_i64; width * height];
            for y in 0..height {
                for x in 0..width {
                    let (s, u) = (s.read((x, y)), u.read((x, y)));
                    sums[y * width + x] = i64::from(s.x) + i64::from(s.y) + i64::from(u.x) + i64::from(u.w);
                    swapped.write((x, y), i32x4::new(s.w, s.z, s.y, s.x));
                    halved.write((x, y), u / 2);
                }
            }
            let case = Case::of(&IMAGE_INTEGERS).image(&s).image(&u).output(&sums);
            let case = case.image_output(&swapped).image_output(&halved).items([width, height]);
            cases.push(case.label(format!("{}, {}", formats[0], formats[1])));
        }
    }
    cases
}

fn fault_cases() -> Vec<Case> {
    let src = of_floats((4, 3));
    let at = |x: usize, y: usize| {
        let (zero, inside) = (f32x4::splat(0.0), x < 4 && y < 3);
        let texel = if inside { src.read((x, y)) } else { zero };
        let case = Case::of(&IMAGE_AT).image(&src).input(&[x, y]).output(&[4_usize, 3]);
        case.output(&[texel.x, texel.w]).unwritten((0..2).filter(|_| !inside))
    };
    let fault = |values| ExpectedFault::new(FaultKind::IndexOutOfBounds).values(values);
    let put = |x: usize, y: usize| {
        let mut after: Image2d<f32, WriteOnly> = Image2d::from_bytes(src.format(), (4, 3), src.bytes());
        if x < 4 && y < 3 {
            after.write((x, y), f32x4::splat(1.0));
        }
        Case::of(&IMAGE_PUT).input(&[x, y]).image_update(&src, &after)
    };
    vec![
        at(0, 0),
        at(3, 2),
        at(4, 2).faults(fault([4, 4]).at("read((at[0], at[1]))")),
        at(3, 3).faults(fault([3, 3])),
        at(1 << 32, 0).faults(fault([1 << 32, 4])).label("beyond 32 bits"),
        at(usize::MAX, usize::MAX).faults(fault([u64::MAX, 4])).label("both"),
        put(3, 2),
        put(4, 0).faults(fault([4, 4]).at("write((at[0], at[1])")),
        put(0, usize::MAX).faults(fault([u64::MAX, 3])),
    ]
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (size, groups, group) in
        [((1, 1), [1, 1], [1, 1]), ((17, 5), [3, 2], [8, 4]), ((33, 9), [1, 3], [64, 3])]
    {
        let src = of_floats(size);
        let label = format!("{size:?} in groups of {group:?}");
        let case = Case::of(&IMAGE_COPY).image(&src).image_output(&made(&src, |x, y| src.read((x, y))));
        cases.push(case.groups(groups, group).label(&label));
        let flip = Case::of(&IMAGE_FLIP).image(&src).image_output(&flipped(&src));
        cases.push(flip.groups(groups, group).label(&label));
        let case = Case::of(&IMAGE_GRADIENT).image(&src);
        let case = case.image_output(&made(&src, |x, y| gradient(&src, x, y)));
        cases.push(case.items([size.0, size.1]).label(&label));
        let sum = |y| (0..size.0).fold(f32x4::splat(0.0), |sum, x| sum + src.read((x, y))).reduce_sum();
        let sums: Vec<f32> = (0..size.1).map(sum).collect();
        cases.push(Case::of(&IMAGE_ROW_SUMS).image(&src).output(&sums).items([size.1]).label(&label));
    }
    cases.extend(format_cases());
    cases.extend(integer_cases());
    cases.extend(fault_cases());
    cases
}
