//! The kernels of the examples, compared with other formulations of the same.

use super::case::Case;
use kernel_runtime::prelude::*;

#[path = "../../examples/blur.rs"]
pub mod blur;
#[path = "../../examples/mandelbrot.rs"]
pub mod mandelbrot;
#[path = "../../examples/matmul.rs"]
pub mod matmul;
#[path = "../../examples/nbody.rs"]
pub mod nbody;
#[path = "../../examples/reduction.rs"]
pub mod reduction;
#[path = "../../examples/saxpy.rs"]
pub mod saxpy;

/// The number of steps until an orbit is more than 2 away from the origin.
fn escape_time(cx: f32, cy: f32, limit: u32) -> u32 {
    let orbit = std::iter::successors(Some((0.0, 0.0)), |&(x, y): &(f32, f32)| {
        Some((x * x - y * y + cx, 2.0 * x * y + cy))
    });
    orbit.take(limit as usize).take_while(|(x, y)| x * x + y * y <= 4.0).count() as u32
}

/// The weights and the pixels are small integers, so that their sums are exact; with floats so is what is written.
fn blur_case() -> Case {
    const FORMAT: ImageFormat = ImageFormat::new(ChannelOrder::R, ChannelType::Float32);
    let (width, height) = (19_usize, 5_usize);
    let pixels: Vec<f32> = (0..width * height).map(|i| (i * 11 % 16) as f32 * 81.0).collect();
    let at = |x: i64, y: i64| {
        pixels[y.clamp(0, height as i64 - 1) as usize * width + x.clamp(0, width as i64 - 1) as usize]
    };
    let smooth = |i: usize| {
        let (x, y) = ((i % width) as i64, (i / width) as i64);
        let around = (-2..=2).flat_map(|dy: i64| (-2..=2).map(move |dx: i64| (dx, dy)));
        let sum: f32 =
            around.map(|(dx, dy)| ((3 - dx.abs()) * (3 - dy.abs())) as f32 * at(x + dx, y + dy)).sum();
        sum / 81.0
    };
    let bytes = |values: Vec<f32>| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let result = bytes((0..pixels.len()).map(smooth).collect());
    let picture: Image2d<f32> = Image2d::from_bytes(FORMAT, (width, height), &bytes(pixels.clone()));
    let result: Image2d<f32, WriteOnly> = Image2d::from_bytes(FORMAT, (width, height), &result);
    Case::of(&blur::BLUR).image(&picture).scalar(2_i32).image_output(&result).items([width + 1, height + 2])
}

fn mandelbrot_case() -> Case {
    let (width, height, limit) = (60, 40, 100);
    let (left, top, step) = (-2.0_f32, 1.0_f32, 0.05_f32);
    let pixels = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
    let steps: Vec<u32> = pixels
        .map(|(row, column)| escape_time(left + step * column as f32, top - step * row as f32, limit))
        .collect();
    Case::of(&mandelbrot::MANDELBROT)
        .scalar(left)
        .scalar(top)
        .scalar(step)
        .scalar(limit)
        .output(&steps)
        .items([width, height])
}

/// The elements are small integers, so that every order of summation gives the same.
fn matmul_case(n: usize) -> Case {
    let a: Vec<f32> = (0..n * n).map(|i| (i * 5 % 17) as f32 - 8.0).collect();
    let b: Vec<f32> = (0..n * n).map(|i| (i * 3 % 11) as f32 - 5.0).collect();
    let dot = |row: usize, column: usize| (0..n).map(|k| a[row * n + k] * b[k * n + column]).sum();
    let product: Vec<f32> = (0..n * n).map(|i| dot(i / n, i % n)).collect();
    let size = n.next_multiple_of(16);
    Case::of(&matmul::MATMUL).scalar(n).input(&a).input(&b).output(&product).items([size, size])
}

fn nbody_case(count: usize) -> Case {
    let (settings, bodies) = (nbody::settings(count), nbody::bodies(count));
    let next: Vec<_> = bodies.iter().map(|body| nbody::advanced(settings, &bodies, body)).collect();
    Case::of(&nbody::STEP).value(settings).input(&bodies).output(&next).items([count.next_multiple_of(64)])
}

/// The elements are small integers, so that every order of summation gives the same. Each group has a sum, and so has the whole launch.
fn reduction_cases(n: usize, groups: usize) -> [Case; 7] {
    let x: Vec<f32> = (0..n).map(|i| (i * 7 % 23) as f32 - 11.0).collect();
    let total = [x.iter().sum::<f32>()];
    let of_parts: Vec<f32> = x.chunks(256).map(|part| part.iter().sum()).collect();
    // An element, or four that are next to each other, is the business of the work-item whose turn it is.
    let in_turns = |width: usize| {
        let mut sums = vec![0.0; groups];
        let (whole, rest) = x.split_at(n / width * width);
        for (turn, part) in whole.chunks(width).enumerate() {
            sums[turn % (groups * 256) / 256] += part.iter().sum::<f32>();
        }
        sums[0] += rest.iter().sum::<f32>();
        sums
    };
    let case = |kernel, sums: &[f32]| Case::of(kernel).input(&x).output(sums);
    [
        case(&reduction::ALONE, &total).items([1]),
        Case::of(&reduction::ATOMIC).input(&x).update(&[0.0_f32], &total).items([n]),
        case(&reduction::NEIGHBOURS, &of_parts).items([n.next_multiple_of(256)]),
        case(&reduction::HALVES, &of_parts).items([n.next_multiple_of(256)]),
        case(&reduction::MANY_EACH, &in_turns(1)).items([groups * 256]),
        case(&reduction::BY_GROUP, &in_turns(1)).items([groups * 256]),
        case(&reduction::VECTORS, &in_turns(4)).items([groups * 256]),
    ]
}

fn saxpy_case(items: usize) -> Case {
    let x: Vec<f32> = (0..1000).map(|k| k as f32 * 0.37 - 5.0).collect();
    let y: Vec<f32> = (0..1000).map(|k| 1.0 / (k as f32 + 1.0)).collect();
    let sums: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 3.1 * x + y).collect();
    Case::of(&saxpy::SAXPY).scalar(3.1_f32).input(&x).update(&y, &sums).items([items])
}

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        blur_case(),
        mandelbrot_case(),
        matmul_case(48),
        matmul_case(21).label("not a multiple of the tile"),
        nbody_case(100),
        saxpy_case(1000),
        saxpy_case(1024).label("more work-items than elements"),
    ];
    cases.extend(reduction_cases(4099, 3));
    cases
}
