//! The kernels of the examples, compared with other formulations of the same.

use super::case::Case;

#[path = "../../examples/mandelbrot.rs"]
pub mod mandelbrot;
#[path = "../../examples/matmul.rs"]
pub mod matmul;
#[path = "../../examples/nbody.rs"]
pub mod nbody;
#[path = "../../examples/saxpy.rs"]
pub mod saxpy;

/// The number of steps until an orbit is more than 2 away from the origin.
fn escape_time(cx: f32, cy: f32, limit: u32) -> u32 {
    let orbit = std::iter::successors(Some((0.0, 0.0)), |&(x, y): &(f32, f32)| {
        Some((x * x - y * y + cx, 2.0 * x * y + cy))
    });
    orbit.take(limit as usize).take_while(|(x, y)| x * x + y * y <= 4.0).count() as u32
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

fn saxpy_case(items: usize) -> Case {
    let x: Vec<f32> = (0..1000).map(|k| k as f32 * 0.37 - 5.0).collect();
    let y: Vec<f32> = (0..1000).map(|k| 1.0 / (k as f32 + 1.0)).collect();
    let sums: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 3.1 * x + y).collect();
    Case::of(&saxpy::SAXPY).scalar(3.1_f32).input(&x).update(&y, &sums).items([items])
}

pub fn cases() -> Vec<Case> {
    vec![
        mandelbrot_case(),
        matmul_case(48),
        matmul_case(21).label("not a multiple of the tile"),
        nbody_case(100),
        saxpy_case(1000),
        saxpy_case(1024).label("more work-items than elements"),
    ]
}
