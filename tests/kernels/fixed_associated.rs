//! Bounds that fix associated types, from which generic arguments and literals follow; fields whose types are associated ones; and names that a program gives to traits and items itself.

use super::case::Case;
use super::seeded::case_by_seed;
use kernel_runtime::prelude::*;

#[device]
pub mod associated {
    use core::ops::Add;

    pub trait Curve: Copy {
        type Base: Copy + Add<Output = Self::Base>;
        const A: u64;
    }

    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
    pub struct Residue<const P: u64>(u64);

    impl<const P: u64> Add for Residue<P> {
        type Output = Self;

        fn add(self, other: Self) -> Self {
            Residue((self.0 + other.0) % P)
        }
    }

    impl<const P: u64> From<u64> for Residue<P> {
        fn from(value: u64) -> Self {
            Residue(value % P)
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
    pub struct Small;

    impl Curve for Small {
        type Base = Residue<97>;
        const A: u64 = 12;
    }

    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
    pub enum Point<C: Curve> {
        Infinity,
        Affine { x: C::Base, y: C::Base },
    }

    // `P` follows from what the bound of `C` says.
    fn point<const P: u64, C>(start: u64) -> Point<C>
    where
        C: Curve<Base = Residue<P>>,
    {
        let mut x: Residue<P> = start.into();
        loop {
            if x.0 == 0 {
                return Point::Infinity;
            }
            if x.0 % 3 == 0 {
                return Point::Affine { x, y: x + Residue::from(C::A) };
            }
            x = x + Residue(1);
        }
    }

    fn total(items: impl IntoIterator<Item = u64>) -> u64 {
        items.into_iter().fold(0, |sum, item| sum.wrapping_mul(3) + item)
    }

    pub trait Layer {
        type In;
        type Out;
        fn forward(&self, x: &Self::In) -> Self::Out;
    }

    pub struct Sums;

    impl Layer for Sums {
        type In = [u32; 3];
        type Out = [u32; 2];

        fn forward(&self, x: &[u32; 3]) -> [u32; 2] {
            [x[0].wrapping_add(x[1]), x[1] ^ x[2]]
        }
    }

    pub struct Net<L>(L);

    impl<L, const I: usize, const O: usize> Net<L>
    where
        L: Layer<In = [u32; I], Out = [u32; O]>,
    {
        fn apply(&self, x: &[u32; I]) -> u32 {
            self.0.forward(x).iter().fold(I as u32, |sum, y| sum.rotate_left(5) ^ y) + O as u32
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let first: Point<Small> = point(u64::from(seed % 100));
        let second = point::<97, Small>(u64::from(seed % 98));
        let x = match first {
            Point::Infinity => 1000,
            Point::Affine { x, y } => x.0 as u32 * 100 + y.0 as u32,
        };
        [
            x,
            u32::from(first == second),
            first.partial_cmp(&second).map_or(5, |order| (order as i32 + 1) as u32),
            total([3, 4, u64::from(seed)]) as u32,
            total((1..4).map(|item| item + 1)) as u32,
            Net(Sums).apply(&[seed, 2, 3]),
            [seed, seed / 2].map(|seed| Net(Sums).apply(&[1, seed, 3])).iter().fold(0, |a, b| a ^ b),
            0,
        ]
    }
}

#[kernel]
pub fn associated_fixed(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = associated::run(seeds[i]);
}

#[device]
pub mod own {
    use Fault as E;

    #[derive(Clone, Copy, PartialEq)]
    pub enum Fault {
        Small,
        Large(u32),
    }

    pub trait Write {
        fn write(&mut self, byte: u8);

        fn write_all(&mut self, bytes: &[u8]) {
            for &byte in bytes {
                self.write(byte);
            }
        }
    }

    pub trait Display {
        fn fmt(&self) -> u32;
    }

    impl Display for u32 {
        fn fmt(&self) -> u32 {
            *self + 1
        }
    }

    pub struct Hash(u32);

    impl Write for Hash {
        fn write(&mut self, byte: u8) {
            self.0 = self.0.rotate_left(5) ^ u32::from(byte);
        }
    }

    impl core::fmt::Write for Hash {
        fn write_str(&mut self, text: &str) -> core::fmt::Result {
            self.write_all(text.as_bytes());
            Ok(())
        }
    }

    fn put<W: Write>(out: &mut W, value: u32) {
        out.write_all(&value.to_le_bytes());
        out.write(1);
    }

    fn size(value: u32) -> Result<u32, E> {
        match value % 10 {
            0..3 => Err(E::Small),
            value @ 8.. => Err(E::Large(value)),
            value => Ok(value),
        }
    }

    pub fn run(seed: u32) -> [u32; 4] {
        use core::fmt::Write as _;
        let mut hash = Hash(1);
        put(&mut hash, seed);
        let before = hash.0;
        let _ = write!(hash, "{}-{seed:04}", seed % 7);
        let size = match size(seed) {
            Ok(size) => size,
            Err(E::Small) => 100,
            Err(Fault::Large(size)) => 200 + size,
        };
        [before, hash.0, (seed % 10).fmt(), size]
    }
}

#[kernel]
pub fn own_names(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = own::run(seeds[i]);
}

#[device]
pub mod references {
    #[derive(Clone, Copy, Default, PartialEq)]
    pub struct Calibration {
        t: u16,
        p: [i16; 3],
    }

    impl From<&[u8; 8]> for Calibration {
        fn from(raw: &[u8; 8]) -> Self {
            let word = |i: usize| i16::from_le_bytes([raw[2 * i], raw[2 * i + 1]]);
            Calibration { t: word(0) as u16, p: [word(1), word(2), word(3)] }
        }
    }

    impl From<[u8; 4]> for Calibration {
        fn from(raw: [u8; 4]) -> Self {
            Calibration { t: u16::from(raw[0]), p: [i16::from(raw[1]); 3] }
        }
    }

    impl From<&Calibration> for u32 {
        fn from(of: &Calibration) -> u32 {
            u32::from(of.t) << 16 | u32::from(of.p[2] as u16)
        }
    }

    impl Calibration {
        fn number(&self) -> u32 {
            self.into()
        }
    }

    pub fn run(seed: u32) -> [u32; 4] {
        let raw = [seed as u8, 2, 3, 4, 5, (seed >> 8) as u8, 7, (seed >> 16) as u8];
        let by_reference: Calibration = (&raw).into();
        let by_value: Calibration = seed.to_le_bytes().into();
        let number: u32 = (&by_value).into();
        [by_reference.number(), u32::from(by_reference == Calibration::from(&raw)), number, by_value.number()]
    }
}

#[kernel]
pub fn references_converted(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = references::run(seeds[i]);
}

#[device]
pub mod chained {
    pub trait Filter<T> {
        type Output;

        fn process(&mut self, input: T) -> Self::Output;

        fn then<G>(self, next: G) -> Then<Self, G>
        where
            Self: Sized,
            G: Filter<Self::Output>,
        {
            Then { first: self, next }
        }
    }

    pub struct Then<F, G> {
        first: F,
        next: G,
    }

    impl<T, F: Filter<T>, G: Filter<F::Output>> Filter<T> for Then<F, G> {
        type Output = G::Output;

        fn process(&mut self, input: T) -> G::Output {
            let middle = self.first.process(input);
            self.next.process(middle)
        }
    }

    pub struct Widen;

    impl Filter<u32> for Widen {
        type Output = u64;

        fn process(&mut self, input: u32) -> u64 {
            u64::from(input) + 1
        }
    }

    pub struct Delay<T, const N: usize> {
        line: [T; N],
        at: usize,
    }

    impl<T: Copy + Default, const N: usize> Default for Delay<T, N> {
        fn default() -> Self {
            Delay { line: [T::default(); N], at: 0 }
        }
    }

    impl<T: Copy, const N: usize> Filter<T> for Delay<T, N> {
        type Output = T;

        fn process(&mut self, input: T) -> T {
            let out = core::mem::replace(&mut self.line[self.at], input);
            self.at = (self.at + 1) % N;
            out
        }
    }

    pub struct Map<F>(F);

    // What the closure takes and gives follows from the closure.
    impl<T, U, F: FnMut(T) -> U> Filter<T> for Map<F> {
        type Output = U;

        fn process(&mut self, input: T) -> U {
            (self.0)(input)
        }
    }

    fn last<T, F: Filter<T>>(filter: &mut F, inputs: impl Iterator<Item = T>) -> Option<F::Output> {
        let mut last = None;
        for input in inputs {
            last = Some(filter.process(input));
        }
        last
    }

    pub fn run(seed: u32) -> [u32; 4] {
        // What a delay keeps follows from what is before it.
        let mut one = Widen.then(Delay::<_, 3>::default());
        let mut two = Widen.then(Delay::<_, 2>::default()).then(Map(|x: u64| x as f32 * 0.5)).then(Delay::<
            _,
            1,
        >::default(
        ));
        let mut calls = 0;
        let mut three = Map(|x: u32| {
            calls += 1;
            (x as u8, x >> 8)
        })
        .then(Map(|(low, high): (u8, u32)| high + u32::from(low)));
        let inputs = || (0..5).map(|i| seed.rotate_left(3 * i));
        [
            last(&mut one, inputs()).map_or(0, |x| x as u32),
            last(&mut two, inputs()).map_or(0, f32::to_bits),
            last(&mut three, inputs()).unwrap_or(0),
            calls,
        ]
    }
}

#[kernel]
pub fn filters_chained(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = chained::run(seeds[i]);
}

#[device]
pub mod borrowed {
    use core::borrow::Borrow;

    fn position<K: Borrow<Q>, Q: ?Sized + PartialEq>(keys: &[K], key: &Q) -> Option<usize> {
        keys.iter().position(|own| own.borrow() == key)
    }

    fn twice<B: Borrow<u64>>(x: B) -> u64 {
        *x.borrow() * 2
    }

    pub struct Slots<const N: usize> {
        used: [bool; N],
    }

    impl<const N: usize> Slots<N> {
        fn new() -> Self {
            Slots { used: [false; N] }
        }

        fn free(&self) -> impl DoubleEndedIterator<Item = usize> + Clone + use<'_, N> {
            (0..N).filter(|slot| !self.used[*slot])
        }
    }

    /// How many there are follows from what is returned.
    fn taken(seed: u32) -> Slots<11> {
        let mut slots = Slots::new();
        for slot in (seed % 3) as usize..9 {
            let last = slots.free().rev().nth(slot / 2);
            if let Some(free) = last {
                slots.used[free] = true;
            }
        }
        slots
    }

    pub fn run(seed: u32) -> [u32; 4] {
        let keys = [seed % 5, 3, 4];
        let slots = taken(seed);
        [
            position(&keys, &3).map_or(9, |at| at as u32)
                + 10 * position(&["a", "b"], "b").map_or(9, |at| at as u32),
            twice(3) as u32 + twice(&5) as u32,
            twice(u64::from(seed)) as u32,
            slots.free().clone().fold(0, |all, slot| all << 4 | slot as u32),
        ]
    }
}

#[kernel]
pub fn literals_borrowed(seeds: &[u32], y: &mut [[u32; 4]]) {
    let i = global_id(0);
    y[i] = borrowed::run(seeds[i]);
}

pub fn cases() -> Vec<Case> {
    vec![
        case_by_seed(&ASSOCIATED_FIXED, associated::run),
        case_by_seed(&OWN_NAMES, own::run),
        case_by_seed(&LITERALS_BORROWED, borrowed::run),
        case_by_seed(&FILTERS_CHAINED, chained::run),
        case_by_seed(&REFERENCES_CONVERTED, references::run),
    ]
}
