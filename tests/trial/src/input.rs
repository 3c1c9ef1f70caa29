//! Inputs: mostly values at which operations change what they do.

/// A generator of pseudo-random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The numbers for something that has a name.
    pub(crate) fn named(seed: u64, name: &str) -> Self {
        // FNV-1a.
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Self(name.bytes().fold(0xcbf2_9ce4_8422_2325, hash) ^ seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// A type of which there are random values.
pub trait Input: kernel_core::Element {
    /// A random value.
    #[doc(hidden)]
    #[allow(private_interfaces, reason = "only this crate draws values")]
    fn draw(random: &mut Random) -> Self;
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Input for $ty {
            #[allow(private_interfaces, reason = "as in the trait")]
            fn draw(random: &mut Random) -> Self {
                let near = random.below(4) as Self;
                match random.below(8) {
                    0 => near,
                    1 => (0 as Self).wrapping_sub(near),
                    2 => Self::MIN.wrapping_add(near),
                    3 => Self::MAX.wrapping_sub(near),
                    4 => (1 as Self).wrapping_shl(random.below(64) as u32).wrapping_sub(near & 1),
                    5 | 6 => random.below(100) as Self,
                    _ => random.bits() as Self,
                }
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

macro_rules! floats {
    ($($ty:ident $bits:ident)*) => {$(
        impl Input for $ty {
            #[allow(private_interfaces, reason = "as in the trait")]
            fn draw(random: &mut Random) -> Self {
                let value = match random.below(8) {
                    0 => random.pick(&[0.0, 1.0, 0.5, 2.5, Self::EPSILON, 1.0 + Self::EPSILON]),
                    1 => random.pick(&[Self::NAN, Self::INFINITY, Self::MAX]),
                    2 => random.pick(&[Self::from_bits(1), Self::MIN_POSITIVE / 3.0, Self::MIN_POSITIVE]),
                    3 => {
                        let limit = (2 as Self).powi(random.pick(&[7, 8, 15, 16, 24, 31, 32, 53, 63, 64]));
                        limit + random.pick(&[-1.0, -0.5, 0.0, 0.5, 1.0])
                    }
                    4..7 => random.below(1000) as Self / 8.0,
                    _ => Self::from_bits(random.bits() as $bits),
                };
                // Operations may or may not make a signalling NaN quiet.
                let value = if value.is_nan() { Self::NAN } else { value };
                if random.below(2) == 0 { value } else { -value }
            }
        }
    )*};
}

floats! { f32 u32 f64 u64 }

impl Input for bool {
    #[allow(private_interfaces, reason = "as in the trait")]
    fn draw(random: &mut Random) -> Self {
        random.below(2) == 0
    }
}
