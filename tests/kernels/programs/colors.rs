//! Colour spaces, converted by a blanket `impl`.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    pub mod convert {
        pub trait FromColor<T>: Sized {
            fn from_color(t: T) -> Self;
        }

        pub trait IntoColor<T>: Sized {
            fn into_color(self) -> T;
        }

        impl<T, U> IntoColor<U> for T
        where
            U: FromColor<T>,
        {
            fn into_color(self) -> U {
                U::from_color(self)
            }
        }
    }

    use self::convert::{FromColor, IntoColor};

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Rgb<T = f32> {
        pub red: T,
        pub green: T,
        pub blue: T,
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Hsl {
        pub hue: Hue,
        pub saturation: f32,
        pub lightness: f32,
    }

    #[derive(Clone, Copy, Debug, Default)]
    pub struct Hue(f32);

    impl Hue {
        pub fn into_positive_degrees(self) -> f32 {
            let deg = self.0 % 360.0;
            if deg < 0.0 { deg + 360.0 } else { deg }
        }
    }

    impl PartialEq for Hue {
        fn eq(&self, other: &Self) -> bool {
            self.into_positive_degrees() == other.into_positive_degrees()
        }
    }

    impl From<f32> for Hue {
        fn from(degrees: f32) -> Self {
            Self(degrees)
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Luma(pub f32);

    impl<T> Rgb<T> {
        pub const fn new(red: T, green: T, blue: T) -> Self {
            Self { red, green, blue }
        }

        pub fn map<U, F: Fn(T) -> U>(self, f: F) -> Rgb<U> {
            Rgb { red: f(self.red), green: f(self.green), blue: f(self.blue) }
        }

        pub fn into_components(self) -> (T, T, T) {
            (self.red, self.green, self.blue)
        }
    }

    impl From<Rgb<u8>> for Rgb<f32> {
        fn from(c: Rgb<u8>) -> Self {
            c.map(|v| f32::from(v) / 255.0)
        }
    }

    impl From<u32> for Rgb<u8> {
        fn from(packed: u32) -> Self {
            let [_, red, green, blue] = packed.to_be_bytes();
            Self { red, green, blue }
        }
    }

    impl From<Rgb<u8>> for u32 {
        fn from(Rgb { red, green, blue }: Rgb<u8>) -> u32 {
            u32::from_be_bytes([255, red, green, blue])
        }
    }

    impl FromColor<Rgb> for Hsl {
        fn from_color(rgb: Rgb) -> Self {
            let (r, g, b) = rgb.into_components();
            let max = r.max(g).max(b);
            let min = [r, g, b].into_iter().fold(f32::INFINITY, f32::min);
            let delta = max - min;
            let lightness = (max + min) * 0.5;
            if delta == 0.0 {
                return Hsl { lightness, ..Default::default() };
            }
            let saturation = delta / (1.0 - (2.0 * lightness - 1.0).abs());
            let sector = match max {
                m if m == r => ((g - b) / delta).rem_euclid(6.0),
                m if m == g => (b - r) / delta + 2.0,
                _ => (r - g) / delta + 4.0,
            };
            Hsl { hue: Hue::from(60.0 * sector), saturation, lightness }
        }
    }

    impl FromColor<Hsl> for Rgb {
        fn from_color(Hsl { hue, saturation, lightness }: Hsl) -> Rgb {
            let c = (1.0 - (2.0 * lightness - 1.0).abs()) * saturation;
            let h = hue.into_positive_degrees() / 60.0;
            let x = c * (1.0 - (h % 2.0 - 1.0).abs());
            let m = lightness - 0.5 * c;
            let (r, g, b) = match h as u32 {
                0 => (c, x, 0.0),
                1 => (x, c, 0.0),
                2 => (0.0, c, x),
                3 => (0.0, x, c),
                4 => (x, 0.0, c),
                5.. => (c, 0.0, x),
            };
            Rgb::new(r + m, g + m, b + m)
        }
    }

    impl FromColor<Rgb> for Luma {
        fn from_color(t: Rgb) -> Self {
            Luma(0.2126 * t.red + 0.7152 * t.green + 0.0722 * t.blue)
        }
    }

    pub trait Mix {
        type Scalar;
        fn mix(self, other: Self, factor: Self::Scalar) -> Self;
    }

    impl Mix for Rgb {
        type Scalar = f32;
        fn mix(self, other: Self, factor: f32) -> Self {
            let lerp = |a: f32, b: f32| a + (b - a) * factor.clamp(0., 1.);
            Rgb {
                red: lerp(self.red, other.red),
                green: lerp(self.green, other.green),
                blue: lerp(self.blue, other.blue),
            }
        }
    }

    impl Rgb {
        fn into_format(self) -> Rgb<u8> {
            self.map(|v| (v * 255.0).round() as u8)
        }
    }

    struct Gradient<C, const N: usize>([(f32, C); N]);

    impl<C: Mix<Scalar = f32> + Copy, const N: usize> Gradient<C, N> {
        fn get(&self, t: f32) -> C {
            let (first, last) = (self.0[0], self.0[N - 1]);
            let t = t.max(first.0).min(last.0);
            self.0
                .windows(2)
                .find(|pair| t <= pair[1].0)
                .map(|pair| pair[0].1.mix(pair[1].1, (t - pair[0].0) / (pair[1].0 - pair[0].0)))
                .unwrap_or(last.1)
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let rgb8 = Rgb::<u8>::from(seed.wrapping_mul(2_654_435_769));
        let rgb: Rgb = rgb8.into();
        let hsl = Hsl::from_color(rgb);
        let Luma(luma) = rgb.into_color();
        let turned = Hsl { hue: Hue(hsl.hue.0 - 400.0), ..hsl };
        let back: Rgb = hsl.into_color();
        let other = <Rgb as FromColor<Hsl>>::from_color(turned);
        let gradient =
            Gradient([(0.0, Rgb::default()), (0.25, rgb), (0.75, other), (1.0, Rgb::new(1.0, 1.0, 1.0))]);
        let at = gradient.get((seed % 50) as f32 / 40.0 - 0.1);
        [
            rgb8.into(),
            hsl.hue.0.to_bits(),
            hsl.saturation.to_bits(),
            luma.to_bits(),
            back.into_format().into(),
            u32::from(other.into_format()),
            at.into_format().into(),
            (turned.hue == Hue(hsl.hue.0 - 40.0)) as u32 + 2 * (turned == hsl) as u32,
        ]
    }
}

#[kernel]
pub fn colors_converted(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&COLORS_CONVERTED, program::run)
}
