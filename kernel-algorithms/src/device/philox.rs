//! Random numbers that are a function of a counter and a key: Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, *Parallel Random Numbers: As Easy as 1, 2, 3*, 2011).

use kernel_runtime::prelude::*;

/// The four random numbers of 32 bits that belong to a counter, for a key.
#[device]
#[must_use]
pub fn philox4x32(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let [mut a, mut b, mut c, mut d] = counter;
    let [mut k, mut l] = key;
    for _ in 0..10 {
        let first = 0xd251_1f53_u64 * a as u64;
        let second = 0xcd9e_8d57_u64 * c as u64;
        a = (second >> 32) as u32 ^ b ^ k;
        b = second as u32;
        c = (first >> 32) as u32 ^ d ^ l;
        d = first as u32;
        k = k.wrapping_add(0x9e37_79b9);
        l = l.wrapping_add(0xbb67_ae85);
    }
    [a, b, c, d]
}

/// The numbers of block `i` of a stream.
#[device]
pub fn block_of(seed: u64, stream: u64, i: usize) -> [u32; 4] {
    let counter = [i as u32, (i as u64 >> 32) as u32, stream as u32, (stream >> 32) as u32];
    philox4x32(counter, [seed as u32, (seed >> 32) as u32])
}

/// A float from 0 up to but not 1, one of 2^24 that are equally far apart.
#[device]
pub fn unit_f32(bits: u32) -> f32 {
    (bits >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// The same of 2^53.
#[device]
pub fn unit_f64(low: u32, high: u32) -> f64 {
    let bits = (high as u64) << 32 | low as u64;
    (bits >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
}
