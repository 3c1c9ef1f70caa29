//! Constants of structs, tuples, arrays and options as patterns.

use super::case::Case;
use super::edge::map;
use kernel_runtime::prelude::*;

#[device]
mod constants {
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub struct P {
        bits: u32,
        more: Option<u8>,
    }
    impl P {
        pub const A: P = P { bits: 1, more: None };
        pub const B: P = P { bits: 2, more: Some(3) };
        pub const C: Self = Self { bits: 2, more: None };
        pub fn of(x: u32) -> P {
            P { bits: x % 3, more: if x % 2 == 0 { None } else { Some(3) } }
        }
    }
    const PAIR: (u32, bool) = (2, true);
    const ROW: [u32; 2] = [1, 2];
    const SOME: Option<u32> = Some(4);
    pub fn f(x: u32) -> u32 {
        let a = match P::of(x) {
            P::A => 1,
            P::B => 2,
            P::C => 3,
            P { bits: 0, .. } => 4,
            _ => 5,
        };
        let b = match (x % 4, x > 5) {
            PAIR => 1,
            (1, _) => 2,
            _ => 3,
        };
        let c = match [x % 3, x % 5] {
            ROW => 1,
            [0, _] => 2,
            _ => 3,
        };
        let d = match if x % 2 == 0 { Some(x) } else { None } {
            SOME => 1,
            Some(_) => 2,
            None => 3,
        };
        let e = matches!(&P::of(x), &P::B) as u32 + if let P::A = P::of(x) { 2 } else { 0 };
        a + b * 10 + c * 100 + d * 1000 + e * 10000
    }
}

#[kernel]
pub fn constant_patterns(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = constants::f(x[i]);
}

pub fn cases() -> Vec<Case> {
    let x: Vec<u32> = (0..40).collect();
    let y = map(&x, constants::f);
    vec![Case::of(&CONSTANT_PATTERNS).input(&x).output(&y).items([y.len()])]
}
