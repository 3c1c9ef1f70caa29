//! The Mandelbrot set as a PNG.
//!
//! `cargo run --release --example mandelbrot -- [FILE] [--no-check]`; the file is `target/mandelbrot.png` unless named.

use kernel_examples::write_png;
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

const WIDTH: usize = 1280;
const HEIGHT: usize = 960;
const LEFT: f32 = -2.2;
const TOP: f32 = 1.2;
const STEP: f32 = 2.4 / HEIGHT as f32;
const LIMIT: u32 = 500;

fn main() -> std::result::Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let file = arguments.iter().find(|argument| !argument.starts_with("--"));
    let file = file.map_or("target/mandelbrot.png", String::as_str);
    let device = Device::best()?;
    println!("device: {}", device.name());

    let queue = device.queue()?;
    let mut buffer = queue.zeros::<u32>(WIDTH * HEIGHT)?;
    let start = Instant::now();
    mandelbrot(LEFT, TOP, STEP, LIMIT, &mut buffer).launch(&queue, (WIDTH, HEIGHT))?;
    queue.synchronize()?;
    let first = start.elapsed().as_secs_f64() * 1e3;
    let start = Instant::now();
    mandelbrot(LEFT, TOP, STEP, LIMIT, &mut buffer).launch(&queue, (WIDTH, HEIGHT))?;
    queue.synchronize()?;
    let again = start.elapsed().as_secs_f64() * 1e3;
    println!(
        "computed {WIDTH} x {HEIGHT} pixels in {first:.1} ms, the build of the kernel included, and again in {again:.1} ms"
    );
    let steps = queue.download(&buffer)?;

    if arguments.iter().any(|argument| argument == "--no-check") {
        println!("check: left out");
    } else {
        let start = Instant::now();
        let expected: Vec<u32> = (0..steps.len()).map(expected).collect();
        println!("a plain loop on the host: {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
        let wrong = expected.iter().zip(&steps).filter(|(expected, steps)| expected != steps).count();
        println!("check: {wrong} of {} pixels differ from the host's", steps.len());
        assert_eq!(wrong, 0, "the device computed something else than the host");
    }

    let pixels: Vec<u8> = steps.iter().flat_map(|&steps| color(steps)).collect();
    write_png(Path::new(file), (WIDTH, HEIGHT), &pixels)?;
    println!("wrote {file}");
    Ok(())
}

/// What the host computes for a pixel, with the same function.
fn expected(index: usize) -> u32 {
    let (column, row) = (index % WIDTH, index / WIDTH);
    escape_time(LEFT + STEP * column as f32, TOP - STEP * row as f32, LIMIT)
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
