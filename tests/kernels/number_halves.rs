//! The halves of numbers of 64 bits: high and low words of products, of signed numbers, and of what else is shifted by half of its bits.

use super::case::Case;
use super::edge::zip;
use kernel_runtime::prelude::*;

#[device]
fn halves(a: u64, b: u64) -> [u32; 10] {
    let product = u64::from(a as u32) * u64::from(b as u32);
    let signed = i64::from(a as i32) * i64::from(b as i32);
    let whole = a.wrapping_mul(b);
    let difference = (a as i64).wrapping_sub(b as i64);
    [
        (product >> 32) as u32 ^ product as u32,
        (product >> 32) as u32,
        product as u32,
        (signed >> 32) as i32 as u32,
        signed as u32,
        u32::from((whole >> 32) as u8) << 16 | u32::from((whole >> 32) as u16 ^ whole as u16),
        i32::from((whole >> 32) as i8) as u32,
        (difference >> 32) as u32 & difference as u32,
        ((a >> 32) as f32).to_bits(),
        (a >> 31) as u32 ^ (a >> 33) as u32,
    ]
}

#[kernel]
pub fn take_halves(a: &[u64], b: &[u64], out: &mut [[u32; 10]]) {
    let i = global_id(0);
    if i < out.len() {
        out[i] = halves(a[i], b[i]);
    }
}

/// Ten rounds of a generator of random numbers that is made of such products.
#[device]
fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        let p = u64::from(counter[0]) * 0xd251_1f53;
        let q = u64::from(counter[2]) * 0xcd9e_8d57;
        counter = [
            (q >> 32) as u32 ^ counter[1] ^ key[0],
            q as u32,
            (p >> 32) as u32 ^ counter[3] ^ key[1],
            p as u32,
        ];
        key = [key[0].wrapping_add(0x9e37_79b9), key[1].wrapping_add(0xbb67_ae85)];
    }
    counter
}

#[kernel]
pub fn random_words(out: &mut [[u32; 4]], counter: u32, key: u32) {
    let i = global_id(0);
    if i < out.len() {
        out[i] = philox([counter.wrapping_mul(i as u32); 4], [key; 2]);
    }
}

pub fn cases() -> Vec<Case> {
    let edges = [
        0,
        1,
        3,
        u64::MAX,
        1 << 63,
        (1 << 63) - 1,
        1 << 32,
        (1 << 32) - 1,
        1 << 31,
        (1 << 31) - 1,
        0x8000_0000_8000_0000,
        0x0123_4567_89ab_cdef,
        0xfedc_ba98_7654_3210,
    ];
    let pairs = edges.iter().flat_map(|a| edges.iter().map(|b| (*a, *b)));
    let (a, b): (Vec<u64>, Vec<u64>) = pairs.unzip();
    let expected = zip(&a, &b, halves);
    // Known answers of Philox 4x32 with ten rounds for counters and keys of all zeros and of all ones.
    let zeros = [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8];
    let ones = [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd];
    assert_eq!([philox([0; 4], [0; 2]), philox([u32::MAX; 4], [u32::MAX; 2])], [zeros, ones]);
    let words = |counter: u32, key: u32| -> Vec<[u32; 4]> {
        (0..5).map(|i| philox([counter.wrapping_mul(i); 4], [key; 2])).collect()
    };
    let random = |counter: u32, key: u32| {
        Case::of(&RANDOM_WORDS).output(&words(counter, key)).scalar(counter).scalar(key).items([5])
    };
    vec![
        Case::of(&TAKE_HALVES).input(&a).input(&b).output(&expected).items([a.len()]),
        random(0, 0),
        random(u32::MAX, u32::MAX),
    ]
}
