//! Pixels of bytes, some of which are read by fewer work-items than a subgroup has.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

/// How bright a pixel is, by the weights of BT.601.
#[device]
fn brightness(pixel: [u8; 3]) -> u8 {
    let [r, g, b] = pixel.map(|c| c as i32);
    (((66 * r + 129 * g + 25 * b + 128) >> 8) + 16) as u8
}

/// The brightness of each pixel.
#[kernel]
pub fn bright(pixels: &[[u8; 3]], y: &mut [u8]) {
    let i = global_id(0);
    if i < pixels.len() && i < y.len() {
        y[i] = brightness(pixels[i]);
    }
}

/// The green and the alpha of pixels of four bytes, where the red is not above a limit.
#[kernel]
pub fn opaque_green(pixels: &[[u8; 4]], limit: u8, y: &mut [u8]) {
    let i = global_id(0);
    if i < pixels.len() && i < y.len() && pixels[i][0] <= limit {
        y[i] = pixels[i][1] & pixels[i][3];
    }
}

/// Every third sample of a signal.
#[kernel]
pub fn every_third(x: &[i16], y: &mut [i16]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = x[3 * i];
    }
}

pub fn cases() -> Vec<Case> {
    let byte = |k: usize| (k * 7 + k / 5) as u8;
    let mut cases = Vec::new();
    for length in [1, 7, 16, 61, 1003] {
        let pixels: Vec<[u8; 3]> = (0..length).map(|k| [byte(k), byte(3 * k + 1), byte(5 * k)]).collect();
        cases.push(Case::of(&BRIGHT).input(&pixels).output(&map(&pixels, brightness)).items([length]));
        let pixels: Vec<[u8; 4]> = (0..length).map(|k| [byte(k), byte(3 * k), 0xf0, byte(k + 9)]).collect();
        let green = map(&pixels, |[r, g, _, a]| if r <= 99 { g & a } else { 1 });
        let green_case = Case::of(&OPAQUE_GREEN).input(&pixels).scalar(99_u8);
        cases.push(green_case.update(&vec![1_u8; length], &green).items([length]));
        let x: Vec<i16> = (0..3 * length - 2).map(|k| (k * 977) as i16).collect();
        let thirds: Vec<i16> = x.iter().step_by(3).copied().collect();
        cases.push(Case::of(&EVERY_THIRD).input(&x).output(&thirds).items([length]));
    }
    cases
}
