//! The kernels of the benchmarks.

use super::case::Case;

pub mod atomics;
pub mod corpus;
#[path = "../../benches/detector/kernels.rs"]
pub mod detector;
pub mod fields;
pub mod functions;
pub mod groups;
pub mod images;
#[path = "../../benches/launch/kernel.rs"]
pub mod launch;

pub fn cases() -> Vec<Case> {
    let counters: Vec<u32> = (0..100).map(|i| i * 7).collect();
    let bumped: Vec<u32> = counters.iter().map(|counter| counter + 3).collect();
    let mut cases = vec![Case::of(&launch::BUMP).scalar(3_u32).update(&counters, &bumped).items([128])];
    cases.extend(corpus::cases());
    cases.extend(fields::cases());
    cases.extend(functions::cases());
    cases.extend(groups::cases());
    cases.extend(images::cases());
    cases.extend(atomics::cases());
    cases.extend(checked());
    cases
}

/// Those whose accesses are checked in a benchmark.
fn checked() -> Vec<Case> {
    let x: Vec<f32> = (0..512).map(|k| (k * k % 13) as f32 - 3.0).collect();
    let y: Vec<f32> = (0..512).map(|k| (k % 5) as f32).collect();
    let scaled: Vec<f32> = x.iter().zip(&y).map(|(x, y)| y + 2.0 * x).collect();
    let mut smooth = y.clone();
    for (middle, window) in smooth[1..].iter_mut().zip(x.windows(3)) {
        *middle = (window[0] + window[1] + window[2]) / 3.0;
    }
    let sums: Vec<f32> = x.chunks(256).map(|group| group.iter().sum()).collect();
    let square = |matrix: &[f32], place: usize| {
        (0..16).map(|k| matrix[place / 16 * 16 + k] * matrix[k * 16 + place % 16]).sum::<f32>()
    };
    let squares: Vec<f32> =
        x.chunks(256).flat_map(|matrix| (0..256).map(move |place| square(matrix, place))).collect();
    let keys: Vec<u32> = (0..64).map(|k| k * k % 10).collect();
    let counts: Vec<u32> = (0..10).map(|key| keys.iter().filter(|of| **of == key).count() as u32).collect();
    let bytes: Vec<u8> = (0..77).map(|k| k * 3).collect();
    let inverted: Vec<u8> = bytes.iter().map(|byte| !byte).collect();
    vec![
        Case::of(&detector::SAXPY).scalar(2.0_f32).input(&x).update(&y, &scaled).items([512]),
        Case::of(&detector::SMOOTH).input(&x).update(&y, &smooth).items([512]),
        Case::of(&detector::SUMS).input(&x).output(&sums).items([512]),
        Case::of(&detector::SQUARES).input(&x).output(&squares).items([512]),
        Case::of(&detector::HISTOGRAM).input(&keys).update(&[0_u32; 10], &counts).items([64]),
        Case::of(&detector::INVERT).input(&bytes).output(&inverted).items([80]),
        Case::of(&detector::COLLATZ).output(&[0_u32, 1, 7, 2, 5, 8, 16, 3]).items([8]),
    ]
}
