//! Value and gradient noise.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! Value and gradient noise.
    const PERM: [u8; 32] = [
        151, 160, 137, 91, 90, 15, 131, 13, 201, 95, 96, 53, 194, 233, 7, 225, 140, 36, 103, 30, 69, 142, 8,
        99, 37, 240, 21, 10, 23, 190, 6, 148,
    ];

    #[inline(always)]
    fn fade(t: f32) -> f32 {
        t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
    }

    #[inline]
    fn lerp(t: f32, a: f32, b: f32) -> f32 {
        a + t * (b - a)
    }

    fn perm(i: i32) -> i32 {
        PERM[(i & 31) as usize] as i32
    }

    fn grad(hash: i32, x: f32, y: f32) -> f32 {
        let h = hash & 7;
        let (u, v) = if h < 4 { (x, y) } else { (y, x) };
        (if h & 1 == 0 { u } else { -u }) + (if h & 2 == 0 { 2.0 * v } else { -2.0 * v })
    }

    pub fn noise(x: f32, y: f32) -> f32 {
        let [xi, yi] = [x, y].map(|c| c.floor() as i32);
        let [xf, yf] = [x - x.floor(), y - y.floor()];
        let [u, v] = [xf, yf].map(fade);
        let corner = |dx: i32, dy: i32| grad(perm(perm(xi + dx) + yi + dy), xf - dx as f32, yf - dy as f32);
        lerp(v, lerp(u, corner(0, 0), corner(1, 0)), lerp(u, corner(0, 1), corner(1, 1)))
    }

    pub struct Fbm<F> {
        pub source: F,
        pub octaves: u32,
        pub lacunarity: f32,
        pub gain: f32,
    }

    impl<F: Fn(f32, f32) -> f32> Fbm<F> {
        pub fn get(&self, x: f32, y: f32) -> f32 {
            let mut amplitude = 0.5;
            let mut frequency = 1.0;
            let mut total = 0.0;
            for _ in 0..self.octaves {
                total += amplitude * (self.source)(x * frequency, y * frequency);
                frequency *= self.lacunarity;
                amplitude *= self.gain;
            }
            total
        }
    }

    fn ridged(x: f32) -> f32 {
        1.0 - x.abs()
    }

    fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
        move |x| g(f(x))
    }

    pub fn check(seed: u32) -> u32 {
        let fbm = Fbm { source: noise, octaves: 4, lacunarity: 2.0, gain: 0.5 };
        let x = seed as f32 * 0.37;
        let total: f32 = [0.1, 0.2, 0.3].iter().map(|y| fbm.get(x, *y)).map(ridged).sum();
        let both = compose(ridged, fade);
        let weights = std::iter::successors(Some(1.0f32), |w| (*w > 0.1).then_some(w * 0.5));
        let w: f32 = weights.sum();
        (total + both(x) + w).to_bits()
    }
}

#[kernel]
pub fn noise(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&NOISE, program::check)
}
