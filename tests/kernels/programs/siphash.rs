//! SipHash and derived hashes, in the style of `siphasher`.

use super::seed;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod sip {
    use core::hash::{BuildHasher, Hash, Hasher};
    use core::marker::PhantomData;

    #[derive(Debug, Clone, Copy)]
    pub struct State {
        v0: u64,
        v2: u64,
        v1: u64,
        v3: u64,
    }

    macro_rules! compress {
        ($state:expr) => {{ compress!($state.v0, $state.v1, $state.v2, $state.v3) }};
        ($v0:expr, $v1:expr, $v2:expr, $v3:expr) => {{
            $v0 = $v0.wrapping_add($v1);
            $v1 = $v1.rotate_left(13);
            $v1 ^= $v0;
            $v0 = $v0.rotate_left(32);
            $v2 = $v2.wrapping_add($v3);
            $v3 = $v3.rotate_left(16);
            $v3 ^= $v2;
            $v0 = $v0.wrapping_add($v3);
            $v3 = $v3.rotate_left(21);
            $v3 ^= $v0;
            $v2 = $v2.wrapping_add($v1);
            $v1 = $v1.rotate_left(17);
            $v1 ^= $v2;
            $v2 = $v2.rotate_left(32);
        }};
    }

    pub trait Sip {
        const C: u32;
        fn c_rounds(s: &mut State);
        fn d_rounds(s: &mut State);
    }

    #[derive(Debug, Clone, Copy, Default)]
    pub struct Sip13Rounds;

    impl Sip for Sip13Rounds {
        const C: u32 = 1;
        #[inline]
        fn c_rounds(state: &mut State) {
            compress!(state);
        }
        #[inline]
        fn d_rounds(state: &mut State) {
            compress!(state);
            compress!(state);
            compress!(state);
        }
    }

    #[derive(Debug)]
    pub struct SipHasher<S: Sip> {
        k0: u64,
        k1: u64,
        length: usize,
        state: State,
        tail: u64,
        ntail: usize,
        _marker: PhantomData<S>,
    }

    impl<S: Sip> SipHasher<S> {
        pub fn new_with_keys(key0: u64, key1: u64) -> SipHasher<S> {
            let mut h = SipHasher {
                k0: key0,
                k1: key1,
                length: 0,
                state: State { v0: 0, v1: 0, v2: 0, v3: 0 },
                tail: 0,
                ntail: 0,
                _marker: PhantomData,
            };
            h.reset();
            h
        }

        fn reset(&mut self) {
            self.length = 0;
            self.state.v0 = self.k0 ^ 0x736f6d6570736575;
            self.state.v1 = self.k1 ^ 0x646f72616e646f6d;
            self.state.v2 = self.k0 ^ 0x6c7967656e657261;
            self.state.v3 = self.k1 ^ 0x7465646279746573;
            self.ntail = 0;
        }
    }

    impl<S: Sip> Hasher for SipHasher<S> {
        fn write(&mut self, msg: &[u8]) {
            self.length += msg.len();
            for &b in msg {
                self.tail |= u64::from(b) << (8 * self.ntail);
                self.ntail += 1;
                if self.ntail == 8 {
                    self.state.v3 ^= self.tail;
                    S::c_rounds(&mut self.state);
                    self.state.v0 ^= self.tail;
                    self.tail = 0;
                    self.ntail = 0;
                }
            }
        }

        fn finish(&self) -> u64 {
            let mut state = self.state;
            let b: u64 = ((self.length as u64 & 0xff) << 56) | self.tail;
            state.v3 ^= b;
            S::c_rounds(&mut state);
            state.v0 ^= b;
            state.v2 ^= 0xff;
            S::d_rounds(&mut state);
            state.v0 ^ state.v1 ^ state.v2 ^ state.v3
        }
    }

    #[derive(Clone, Copy, Default)]
    pub struct Builder {
        pub seed: u64,
    }

    impl BuildHasher for Builder {
        type Hasher = SipHasher<Sip13Rounds>;
        fn build_hasher(&self) -> Self::Hasher {
            SipHasher::new_with_keys(self.seed, !self.seed)
        }
    }

    #[derive(Hash, Clone, Copy, PartialEq, Eq)]
    pub enum Shape {
        Circle { radius: u32 },
        Rect(u16, u16),
        Empty,
    }

    #[derive(Hash, Clone, Copy)]
    pub struct Item<'a> {
        pub id: u64,
        pub shape: Shape,
        pub tags: [u8; 3],
        pub data: &'a [u8],
        pub parent: Option<i32>,
    }
}

#[device]
pub fn program(seed: u32) -> u32 {
    use core::hash::{BuildHasher, Hash, Hasher};
    let builder = sip::Builder { seed: seed as u64 * 0x1234567 };
    let data = [1u8, 2, seed as u8];
    let item = sip::Item {
        id: seed as u64,
        shape: match seed % 3 {
            0 => sip::Shape::Circle { radius: seed },
            1 => sip::Shape::Rect(seed as u16, 7),
            _ => sip::Shape::Empty,
        },
        tags: [seed as u8; 3],
        data: &data,
        parent: if seed & 4 == 0 { None } else { Some(-(seed as i32 & 0xff)) },
    };
    let mut hasher = builder.build_hasher();
    item.hash(&mut hasher);
    hasher.write_u32(seed);
    (seed, true, 'x').hash(&mut hasher);
    let h = hasher.finish();
    let one = builder.hash_one(item.shape);
    (h ^ h >> 32 ^ one) as u32
}

#[kernel]
pub fn siphash(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program(seed(i as u32));
    }
}

pub fn case() -> Case {
    super::case_of(&SIPHASH, |i| program(seed(i)))
}
