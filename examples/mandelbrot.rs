//! The Mandelbrot set as a PNG.
//!
//! `cargo run --release --example mandelbrot -- [WIDTH] [FILE] [--no-check]`; the picture is 1280 pixels wide and in `target/mandelbrot.png` unless said.

use example_images::write_png;
use kernel_runtime::prelude::*;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

/// How many steps it takes until the orbit of `c = cx + i cy` is known to leave, `limit` at most.
#[device]
fn escape_time(cx: f32, cy: f32, limit: u32) -> u32 {
    let mut x = 0.0;
    let mut y = 0.0;
    let mut steps = 0;
    while steps < limit && x * x + y * y <= 4.0 {
        let next = x * x - y * y + cx;
        y = 2.0 * x * y + cy;
        x = next;
        steps += 1;
    }
    steps
}

/// One pixel per work-item: the escape time at its place, from the upper left corner `(left, top)` in steps of `step`.
#[kernel]
pub fn mandelbrot(left: f32, top: f32, step: f32, limit: u32, steps: &mut [u32]) {
    let column = global_id(0);
    let row = global_id(1);
    let index = row * global_size(0) + column;
    steps[index] = escape_time(left + step * column as f32, top - step * row as f32, limit);
}

const LEFT: f32 = -2.2;
const TOP: f32 = 1.2;
const LIMIT: u32 = 500;

fn main() -> std::result::Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let width: usize = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(1280);
    let height = width * 3 / 4;
    let step = 2.0 * TOP / height as f32;
    let is_file = |argument: &&String| !argument.starts_with("--") && argument.parse::<usize>().is_err();
    let file = arguments.iter().find(is_file).map_or("target/mandelbrot.png", String::as_str);
    let device = Device::best()?;
    println!("device: {}", device.name());

    let queue = device.queue()?;
    let mut buffer = queue.zeros::<u32>(width * height)?;
    let start = Instant::now();
    mandelbrot(LEFT, TOP, step, LIMIT, &mut buffer).launch(&queue, (width, height))?;
    queue.synchronize()?;
    let first = start.elapsed().as_secs_f64() * 1e3;
    let start = Instant::now();
    mandelbrot(LEFT, TOP, step, LIMIT, &mut buffer).launch(&queue, (width, height))?;
    queue.synchronize()?;
    let again = start.elapsed().as_secs_f64() * 1e3;
    println!(
        "computed {width} x {height} pixels in {first:.1} ms, the build of the kernel included, and again in {again:.1} ms"
    );
    let steps = queue.download(&buffer)?;

    if arguments.iter().any(|argument| argument == "--no-check") {
        println!("check: left out");
    } else {
        let start = Instant::now();
        let expected: Vec<u32> = (0..steps.len()).map(|index| expected(index, width, step)).collect();
        println!("a plain loop on the host: {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
        let wrong = expected.iter().zip(&steps).filter(|(expected, steps)| expected != steps).count();
        println!("check: {wrong} of {} pixels differ from the host's", steps.len());
        assert_eq!(wrong, 0, "the device computed something else than the host");
    }

    let pixels: Vec<u8> = steps.iter().flat_map(|&steps| color(steps)).collect();
    write_png(Path::new(file), (width, height), &pixels)?;
    println!("wrote {file}");
    Ok(())
}

/// What the host computes for a pixel, with the same function.
fn expected(index: usize, width: usize, step: f32) -> u32 {
    let (column, row) = (index % width, index / width);
    escape_time(LEFT + step * column as f32, TOP - step * row as f32, LIMIT)
}

/// Black inside of the set, and bands of color around it.
fn color(steps: u32) -> [u8; 4] {
    if steps == LIMIT {
        return [0, 0, 0, 255];
    }
    let phase = (steps as f32).sqrt() * 0.6;
    let band = |offset: f32| (127.5 + 127.5 * (phase + offset).sin()) as u8;
    [band(0.0), band(1.0), band(2.2), 255]
}
