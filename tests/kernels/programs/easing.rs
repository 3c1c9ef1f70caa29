//! Key frames, easing and tweens, in the manner of `keyframe`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::borrow::Borrow;
    use core::fmt::Debug;
    use core::ops::RangeInclusive;

    pub trait EasingFunction {
        fn y(&self, x: f64) -> f64;
    }

    impl<F: Fn(f64) -> f64> EasingFunction for F {
        fn y(&self, x: f64) -> f64 {
            self(x)
        }
    }

    pub trait CanTween {
        fn ease(from: Self, to: Self, time: f64) -> Self;
    }

    impl CanTween for f32 {
        fn ease(from: Self, to: Self, time: f64) -> Self {
            f64::ease(from as f64, to as f64, time) as f32
        }
    }

    impl CanTween for f64 {
        fn ease(from: Self, to: Self, time: f64) -> Self {
            from + (to - from) * time
        }
    }

    impl<T: CanTween + Copy, const N: usize> CanTween for [T; N] {
        fn ease(from: Self, to: Self, time: f64) -> Self {
            let mut result = from;
            for (slot, (a, b)) in result.iter_mut().zip(from.into_iter().zip(to)) {
                *slot = T::ease(a, b, time);
            }
            result
        }
    }

    impl<A: CanTween, B: CanTween> CanTween for (A, B) {
        fn ease(from: Self, to: Self, time: f64) -> Self {
            (A::ease(from.0, to.0, time), B::ease(from.1, to.1, time))
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Easing {
        Linear,
        InQuad,
        OutQuad,
        InOutCubic,
        Step(f64),
        OutBounce,
    }

    impl Easing {
        fn apply(self, x: f64) -> f64 {
            use self::Easing::*;
            match self {
                Linear => x,
                InQuad => x.powi(2),
                OutQuad => 1.0 - (1.0 - x).powi(2),
                InOutCubic if x < 0.5 => 4.0 * x * x * x,
                InOutCubic => 1.0 - (-2.0 * x + 2.0).powi(3) / 2.0,
                Step(at) => (x >= at) as u8 as f64,
                OutBounce => {
                    const N1: f64 = 7.5625;
                    const D1: f64 = 2.75;
                    let (shift, lift) = match x * D1 {
                        t if t < 1.0 => (0.0, 0.0),
                        t if t < 2.0 => (1.5, 0.75),
                        t if t < 2.5 => (2.25, 0.9375),
                        _ => (2.625, 0.984375),
                    };
                    let x = x - shift / D1;
                    N1 * x * x + lift
                }
            }
        }
    }

    impl Default for Easing {
        fn default() -> Self {
            Easing::Linear
        }
    }

    pub fn ease<V: CanTween, T: Into<f64>>(function: impl Borrow<Easing>, from: V, to: V, time: T) -> V {
        V::ease(from, to, function.borrow().apply(time.into().clamp(0.0, 1.0)))
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Keyframe<T> {
        value: T,
        time: f64,
        function: Easing,
    }

    impl<T> From<(T, f64)> for Keyframe<T> {
        fn from((value, time): (T, f64)) -> Self {
            Keyframe { value, time, function: Easing::default() }
        }
    }

    impl<T> From<(T, f64, Easing)> for Keyframe<T> {
        fn from(tuple: (T, f64, Easing)) -> Self {
            let (value, time, function) = tuple;
            Keyframe { value, time, function }
        }
    }

    macro_rules! keyframes {
        ($($tuple:expr),* $(,)?) => { [ $( Keyframe::from($tuple) ),* ] };
    }

    #[derive(Clone, Debug)]
    pub struct AnimationSequence<T, const N: usize> {
        sequence: [Keyframe<T>; N],
        time: f64,
    }

    impl<T: CanTween + Clone, const N: usize> AnimationSequence<T, N> {
        pub fn new(mut sequence: [Keyframe<T>; N]) -> Self {
            sequence.sort_unstable_by(|a, b| a.time.partial_cmp(&b.time).unwrap());
            Self { sequence, time: 0.0 }
        }

        pub fn pair(&self) -> (Option<&Keyframe<T>>, Option<&Keyframe<T>>) {
            match self.sequence.iter().position(|frame| frame.time > self.time) {
                Some(0) => (None, self.sequence.first()),
                Some(after) => (self.sequence.get(after - 1), self.sequence.get(after)),
                None => (self.sequence.last(), None),
            }
        }

        pub fn now(&self) -> Option<T> {
            match self.pair() {
                (Some(a), Some(b)) => {
                    let local = (self.time - a.time) / (b.time - a.time);
                    Some(ease(&a.function, a.value.clone(), b.value.clone(), local))
                }
                (None, Some(only)) | (Some(only), None) => Some(only.value.clone()),
                (None, None) => None,
            }
        }

        pub fn advance_by(&mut self, by: f64) -> f64 {
            let end = self.duration();
            self.time += by;
            let over = self.time - end;
            self.time = self.time.min(end);
            over.max(0.0)
        }

        pub fn duration(&self) -> f64 {
            self.sequence.iter().map(|k| k.time).fold(f64::NEG_INFINITY, f64::max)
        }
    }

    fn sample<E: EasingFunction + ?Sized>(function: &E, over: RangeInclusive<u32>) -> f64 {
        let steps = *over.end();
        over.map(|k| function.y(k as f64 / steps as f64)).sum()
    }

    pub fn run(i: u32) -> u64 {
        let frames = keyframes![
            ((0.0f32, [1.0f64, 2.0]), 0.0, Easing::InQuad),
            ((i as f32, [3.0, 4.5]), 2.5, Easing::OutBounce),
            ((2.0, [-1.0, 0.25]), 1.0, Easing::InOutCubic),
            ((8.0, [0.0, 9.0]), 4.0),
        ];
        let mut animation = AnimationSequence::new(frames);
        let mut h = 0u64;
        let mut over = 0.0;
        for _ in 0..6 {
            over += animation.advance_by(0.125 + f64::from(i % 10) * 0.1);
            if let Some((a, [b, c])) = animation.now() {
                h = h.rotate_left(5) ^ u64::from(a.to_bits()) ^ b.to_bits() ^ c.to_bits().swap_bytes();
            }
        }
        let curve = sample(&|x: f64| x * x * (3.0 - 2.0 * x), 0..=i % 9 + 1);
        let stepped = sample(&|x| Easing::Step(0.5).apply(x) + Easing::OutQuad.apply(x), 0..=4);
        h ^ curve.to_bits() ^ stepped.to_bits() ^ over.to_bits()
    }
}

#[kernel]
pub fn easing(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&EASING, program::run)
}
