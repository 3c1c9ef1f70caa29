//! A picture blurred, as a PNG: images that are sampled and written.
//!
//! `cargo run --release --example blur -- [FILE] [--no-check]`; the file is `target/blur.png` unless named. Left is the picture, right the result.

use example_images::write_png;
use kernel_runtime::prelude::*;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

/// Beyond the edge of the picture are the pixels at its edge.
#[device]
const PIXELS: Sampler<Nearest, Unnormalized> = Sampler::clamp_to_edge();

/// The mean of the pixels around one, up to `radius` away in both directions, the nearer the heavier.
#[device]
fn blurred(picture: &Image2d<f32>, x: usize, y: usize, radius: i32) -> f32x4 {
    let mut sum = f32x4::splat(0.0);
    for dy in -radius..=radius {
        for dx in -radius..=radius {
            let weight = ((radius + 1 - dx.abs()) * (radius + 1 - dy.abs())) as f32;
            sum += picture.sample(PIXELS, (x as i32 + dx, y as i32 + dy)) * weight;
        }
    }
    sum / ((radius + 1) * (radius + 1) * (radius + 1) * (radius + 1)) as f32
}

/// One pixel per work-item.
#[kernel]
pub fn blur(picture: &Image2d<f32>, radius: i32, result: &mut Image2d<f32, WriteOnly>) {
    let (x, y) = (global_id(0), global_id(1));
    if x < result.width() && y < result.height() {
        result.write((x, y), blurred(picture, x, y, radius));
    }
}

const FORMAT: ImageFormat = ImageFormat::new(ChannelOrder::Rgba, ChannelType::Unorm8);
const WIDTH: usize = 320;
const HEIGHT: usize = 240;
const RADIUS: i32 = 3;

/// How far a channel may be from the host's: sums of floats that are rounded differently end up in neighbouring steps of 1/255.
const STEPS: u8 = 1;

fn main() -> std::result::Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let file = arguments.iter().find(|argument| !argument.starts_with("--"));
    let file = file.map_or("target/blur.png", String::as_str);
    let device = Device::best()?;
    println!("device: {}", device.name());

    let queue = device.queue()?;
    let pixels = picture();
    let picture = queue.upload_image(FORMAT, (WIDTH, HEIGHT), &pixels)?;
    let mut result = queue.zeroed_image(FORMAT, (WIDTH, HEIGHT))?;
    let start = Instant::now();
    blur(&picture, RADIUS, &mut result).launch(&queue, (WIDTH, HEIGHT))?;
    queue.synchronize()?;
    println!(
        "blurred {WIDTH} x {HEIGHT} pixels in {:.1} ms, the build of the kernel included",
        start.elapsed().as_secs_f64() * 1e3
    );
    let smooth: Vec<u8> = queue.download_image(&result)?;

    if arguments.iter().any(|argument| argument == "--no-check") {
        println!("check: left out");
    } else {
        let wrong = smooth.iter().zip(expected(&pixels)).filter(|&(&a, b)| a.abs_diff(b) > STEPS).count();
        println!("check: {wrong} of {} channels differ from the host's", smooth.len());
        assert_eq!(wrong, 0, "the device computed something else than the host");
    }
    write_png(Path::new(file), (2 * WIDTH, HEIGHT), &beside(&pixels, &smooth))?;
    println!("wrote {file}");
    Ok(())
}

/// Discs of several colours on a checkered ground.
fn picture() -> Vec<u8> {
    let color = |x: usize, y: usize| {
        for (k, (cx, cy)) in [(80, 65), (200, 90), (130, 175), (260, 185)].into_iter().enumerate() {
            if x.abs_diff(cx).pow(2) + y.abs_diff(cy).pow(2) < (30 + 8 * k).pow(2) {
                return [[230, 60, 50], [50, 170, 90], [60, 90, 220], [240, 200, 60]][k];
            }
        }
        if (x / 15 + y / 15).is_multiple_of(2) { [235; 3] } else { [60; 3] }
    };
    let at = |i: usize| {
        let [red, green, blue] = color(i % WIDTH, i / WIDTH);
        [red, green, blue, 255]
    };
    (0..WIDTH * HEIGHT).flat_map(at).collect()
}

/// What the host computes, with the same function.
fn expected(pixels: &[u8]) -> Vec<u8> {
    let picture: Image2d<f32> = Image2d::from_bytes(FORMAT, (WIDTH, HEIGHT), pixels);
    let mut result: Image2d<f32, WriteOnly> = Image2d::from_bytes(FORMAT, (WIDTH, HEIGHT), pixels);
    for (x, y) in (0..WIDTH * HEIGHT).map(|i| (i % WIDTH, i / WIDTH)) {
        result.write((x, y), blurred(&picture, x, y, RADIUS));
    }
    result.bytes().to_vec()
}

/// Two pictures of one size, side by side.
fn beside(left: &[u8], right: &[u8]) -> Vec<u8> {
    let rows = left.chunks(4 * WIDTH).zip(right.chunks(4 * WIDTH));
    rows.flat_map(|(left, right)| [left, right].concat()).collect()
}
