//! What the algorithms are given.

use kernel_runtime::prelude::*;

/// Lengths around those of subgroups, groups and blocks. Kernels that are watched are interpreted, so there is no large one then.
pub(crate) fn sizes() -> impl Iterator<Item = usize> {
    const SIZES: [usize; 11] = [0, 1, 2, 15, 255, 256, 257, 1000, 2047, 4097, 65_537];
    SIZES.into_iter().filter(|&len| len < 10_000 || !is_watched())
}

/// Whether `KERNEL_CHECK` has the device look for races.
pub(crate) fn is_watched() -> bool {
    std::env::var_os("KERNEL_CHECK").is_some()
}

/// A queue of the CPU device.
pub(crate) fn queue() -> Queue {
    Device::best().and_then(|device| device.queue()).expect("the CPU device is there")
}

/// A sequence of numbers that look random, the same for the same seed (SplitMix64).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// So many values that are made of random bits.
    pub(crate) fn many<T>(&mut self, len: usize, of: impl Fn(u64) -> T) -> Vec<T> {
        (0..len).map(|_| of(self.next())).collect()
    }

    /// Numbers from -1 to 1.
    pub(crate) fn floats(&mut self, len: usize) -> Vec<f32> {
        self.many(len, |bits| (bits >> 40) as f32 / (1 << 23) as f32 - 1.0)
    }

    /// The same of 64 bits.
    pub(crate) fn doubles(&mut self, len: usize) -> Vec<f64> {
        self.many(len, |bits| (bits >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
    }
}

/// Floats that are unlike others, among other ones.
pub(crate) fn special_floats(len: usize) -> Vec<f32> {
    const SPECIAL: [f32; 12] = [
        0.0,
        -0.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        -f32::NAN,
        f32::MIN_POSITIVE,
        1e-45,
        -1e-45,
        f32::MAX,
        f32::MIN,
        1.0,
    ];
    let mut numbers = Numbers(7);
    numbers.many(len, |bits| match bits % 3 {
        0 => SPECIAL[(bits >> 8) as usize % SPECIAL.len()],
        _ => f32::from_bits((bits >> 8) as u32),
    })
}

/// Whether numbers are as near to each other as so many of their last bits, relative to a scale.
#[track_caller]
pub(crate) fn assert_near(found: &[f32], expected: &[f32], scale: f32) {
    assert_eq!(found.len(), expected.len());
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let near = (found - expected).abs() <= scale || found.to_bits() == expected.to_bits();
        assert!(near, "element {i} is {found}, not {expected}");
    }
}
