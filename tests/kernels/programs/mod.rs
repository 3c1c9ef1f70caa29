//! Programs for `core` as they stand in crates and textbooks, each in a device module as it was written, and compared with the host.

use super::case::Case;
use kernel_core::KernelDescriptor;

pub mod adpcm;
pub mod arrayvec;
pub mod biquad;
pub mod bitset;
pub mod bytecode;
pub mod calculator;
pub mod chacha;
pub mod codec;
pub mod combinators;
pub mod complex;
pub mod crc;
pub mod door;
pub mod fixed;
pub mod flags;
pub mod geometry;
pub mod hashtable;
pub mod heapless;
pub mod life;
pub mod lru;
pub mod matrices;
pub mod money;
pub mod noise;
pub mod physics;
pub mod prng;
pub mod protocol;
pub mod scanner;
pub mod sorts;
pub mod stats;
pub mod vm;

/// The results of a program for so many numbers; some end its loops late, and none of them is a fault.
fn case_of(kernel: &'static KernelDescriptor, check: fn(u32) -> u32) -> Case {
    let expected: Vec<u32> = (0..48).map(check).collect();
    Case::of(kernel).output(&expected).items([expected.len()])
}

pub fn cases() -> Vec<Case> {
    vec![
        adpcm::case(),
        arrayvec::case(),
        biquad::case(),
        bitset::case(),
        bytecode::case(),
        calculator::case(),
        chacha::case(),
        codec::case(),
        combinators::case(),
        complex::case(),
        crc::case(),
        door::case(),
        fixed::case(),
        flags::case(),
        geometry::case(),
        hashtable::case(),
        heapless::case(),
        life::case(),
        lru::case(),
        matrices::case(),
        money::case(),
        noise::case(),
        physics::case(),
        prng::case(),
        protocol::case(),
        scanner::case(),
        sorts::case(),
        stats::case(),
        vm::case(),
    ]
}
