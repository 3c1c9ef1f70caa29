//! References to single elements as arguments of kernels.

use super::case::Case;
use kernel_runtime::prelude::*;

#[device]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Settings {
    scale: f32,
    invert: bool,
    limits: [i32; 2],
}

#[device]
fn apply(settings: &Settings, factor: &f64, x: i32) -> i32 {
    let Settings { scale, invert, limits } = *settings;
    let value = (x as f32 * scale) as i32;
    let value = if invert { -value } else { value };
    ((value as f64 * *factor) as i32).max(limits[0]).min(limits[1])
}

#[kernel]
pub fn shared_references(settings: &Settings, factor: &f64, weights: &[i32; 3], x: &[i32], y: &mut [i32]) {
    let i = global_id(0);
    let mut sum = 0;
    for weight in weights {
        sum += *weight;
    }
    y[i] = apply(settings, factor, x[i]) + weights[i % 3] + sum;
}

#[kernel(requires(global_size(0) == 1))]
pub fn mutable_references(x: &[i32], total: &mut i64, settings: &mut Settings) {
    for value in x {
        *total += *value as i64;
    }
    settings.scale *= 2.0;
    settings.limits[1] = settings.limits[0] + x.len() as i32;
    settings.invert = !settings.invert;
    *settings = Settings { scale: settings.scale + 1.0, ..*settings };
}

pub fn cases() -> Vec<Case> {
    let settings = Settings { scale: 1.5, invert: true, limits: [-40, 25] };
    let (factor, weights) = (0.75, [7, 11, 13]);
    let x = [-100, -3, 0, 5, 8, 30];
    let y: Vec<i32> = (0..x.len()).map(|i| apply(&settings, &factor, x[i]) + weights[i % 3] + 31).collect();
    let changed = Settings { scale: 4.0, invert: false, limits: [-40, -34] };
    vec![
        Case::of(&SHARED_REFERENCES)
            .refer(settings)
            .refer(factor)
            .refer(weights)
            .input(&x)
            .output(&y)
            .items([x.len()]),
        Case::of(&MUTABLE_REFERENCES).input(&x).refer_mut(40_i64, -20).refer_mut(settings, changed),
    ]
}
