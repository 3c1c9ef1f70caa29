//! Colours for chains of lights, in the manner of `smart-leds` and `embedded-graphics`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::ops::{Deref, DerefMut};

    #[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
    pub struct RGB<T> {
        pub r: T,
        pub g: T,
        pub b: T,
    }

    pub type RGB8 = RGB<u8>;

    impl<T> RGB<T> {
        pub const fn new(r: T, g: T, b: T) -> Self {
            Self { r, g, b }
        }

        pub fn map<U, F: FnMut(T) -> U>(self, mut f: F) -> RGB<U> {
            RGB { r: f(self.r), g: f(self.g), b: f(self.b) }
        }
    }

    impl<T> From<(T, T, T)> for RGB<T> {
        fn from((r, g, b): (T, T, T)) -> Self {
            Self::new(r, g, b)
        }
    }

    impl<T: Copy> From<[T; 3]> for RGB<T> {
        fn from(a: [T; 3]) -> Self {
            let [r, g, b] = a;
            Self { r, g, b }
        }
    }

    pub mod colors {
        use super::RGB8;

        pub const BLACK: RGB8 = RGB8 { r: 0, g: 0, b: 0 };
        pub const ORANGE: RGB8 = RGB8::new(255, 165, 0);
        pub const PURPLE: RGB8 = RGB8::new(128, 0, 128);
    }

    pub mod hsv {
        use super::RGB8;

        #[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
        pub struct Hsv {
            pub hue: u8,
            pub sat: u8,
            pub val: u8,
        }

        pub fn hsv2rgb(hsv: Hsv) -> RGB8 {
            let v: u16 = hsv.val as u16;
            let s: u16 = hsv.sat as u16;
            let f: u16 = (hsv.hue as u16 * 2 % 85) * 3;
            let p: u16 = v * (255 - s) / 255;
            let q: u16 = v * (255 - (s * f) / 255) / 255;
            let t: u16 = v * (255 - (s * (255 - f)) / 255) / 255;
            match hsv.hue {
                0..=42 => RGB8 { r: v as u8, g: t as u8, b: p as u8 },
                43..=84 => RGB8 { r: q as u8, g: v as u8, b: p as u8 },
                85..=127 => RGB8 { r: p as u8, g: v as u8, b: t as u8 },
                128..=169 => RGB8 { r: p as u8, g: q as u8, b: v as u8 },
                170..=212 => RGB8 { r: t as u8, g: p as u8, b: v as u8 },
                213..=254 => RGB8 { r: v as u8, g: p as u8, b: q as u8 },
                255 => RGB8 { r: v as u8, g: t as u8, b: p as u8 },
            }
        }
    }

    use hsv::{Hsv, hsv2rgb};

    pub trait SmartLedsWrite {
        type Error;
        type Color;

        fn write<T, I>(&mut self, iterator: T) -> Result<(), Self::Error>
        where
            T: IntoIterator<Item = I>,
            I: Into<Self::Color>;
    }

    /// Makes every colour darker.
    pub struct Brightness<I> {
        iter: I,
        brightness: u8,
    }

    impl<'a, I> Iterator for Brightness<I>
    where
        I: Iterator<Item = RGB8>,
    {
        type Item = RGB8;

        fn next(&mut self) -> Option<RGB8> {
            self.iter.next().map(|a| a.map(|c| (c as u16 * (self.brightness as u16 + 1) / 256) as u8))
        }
    }

    pub fn brightness<I>(iter: I, brightness: u8) -> Brightness<I>
    where
        I: Iterator<Item = RGB8>,
    {
        Brightness { iter, brightness }
    }

    const fn gamma_table() -> [u8; 256] {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            table[i] = (i * i / 255) as u8;
            i += 1;
        }
        table
    }

    static GAMMA: [u8; 256] = gamma_table();

    pub fn gamma<I: Iterator<Item = RGB8>>(iter: I) -> impl Iterator<Item = RGB8> {
        iter.map(|c| RGB8 { r: GAMMA[c.r as usize], g: GAMMA[c.g as usize], b: GAMMA[c.b as usize] })
    }

    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    pub enum BusError {
        TooMany { limit: usize },
    }

    /// A bus that keeps what was sent as bits in pairs, as the wires have them.
    pub struct Ws2812<const N: usize> {
        sent: Frame<N>,
        writes: u8,
    }

    pub struct Frame<const N: usize> {
        pixels: [[u8; 12]; N],
        len: usize,
    }

    impl<const N: usize> Deref for Frame<N> {
        type Target = [[u8; 12]];

        fn deref(&self) -> &Self::Target {
            &self.pixels[..self.len]
        }
    }

    impl<const N: usize> DerefMut for Frame<N> {
        fn deref_mut(&mut self) -> &mut Self::Target {
            &mut self.pixels[..self.len]
        }
    }

    fn encode(mut byte: u8) -> [u8; 4] {
        const PATTERNS: [u8; 4] = [0b1000_1000, 0b1000_1110, 0b1110_1000, 0b1110_1110];
        core::array::from_fn(|_| {
            let bits = byte >> 6;
            byte <<= 2;
            PATTERNS[usize::from(bits)]
        })
    }

    impl<const N: usize> SmartLedsWrite for Ws2812<N> {
        type Error = BusError;
        type Color = RGB8;

        fn write<T, I>(&mut self, iterator: T) -> Result<(), BusError>
        where
            T: IntoIterator<Item = I>,
            I: Into<RGB8>,
        {
            self.sent.len = 0;
            self.writes += 1;
            for item in iterator {
                let RGB { r, g, b } = item.into();
                let slot = self.sent.pixels.get_mut(self.sent.len).ok_or(BusError::TooMany { limit: N })?;
                for (out, byte) in slot.chunks_exact_mut(4).zip([g, r, b]) {
                    out.copy_from_slice(&encode(byte));
                }
                self.sent.len += 1;
            }
            Ok(())
        }
    }

    fn rainbow(start: u8, n: usize) -> impl Iterator<Item = Hsv> {
        (0..n).map(move |k| Hsv { hue: start.wrapping_add((k * 256 / n) as u8), sat: 240, val: 200 })
    }

    pub fn run(i: u32) -> u64 {
        let mut leds = Ws2812::<6> { sent: Frame { pixels: [[0; 12]; 6], len: 0 }, writes: 0 };
        let count = i as usize % 8 + 1;
        let done = leds.write(brightness(gamma(rainbow(i as u8 * 5, count).map(hsv2rgb)), 100 + i as u8));
        let error = match done {
            Ok(()) => 0,
            Err(BusError::TooMany { limit }) => limit as u64,
        };
        for pixel in leds.sent.iter_mut() {
            pixel[0] ^= 1;
        }
        let first = leds.sent.iter().flatten().fold(0u64, |h, &b| h.wrapping_mul(257) + b as u64);
        leds.write([(1u8, 2, i as u8), (4, 5, 6)]).unwrap();
        let again = leds.write(
            [colors::ORANGE, colors::PURPLE, colors::BLACK]
                .iter()
                .cloned()
                .chain(core::iter::once([i as u8; 3].into())),
        );
        let last = leds.sent.last().map_or(0, |p| p[11] as u64);
        first
            ^ error << 60
            ^ leds.sent.len() as u64
            ^ last << 20
            ^ (leds.writes as u64) << 33
            ^ again.is_ok() as u64
    }
}

#[kernel]
pub fn light_chains(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&LIGHT_CHAINS, program::run)
}
