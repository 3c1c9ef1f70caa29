//! The shape of all pure instructions: a function of one lane, applied to every lane.
//!
//! Functions are passed as values, but only as proof that they exist: they have no state, so the shape names
//! their type alone, and the compiler inlines them.

use super::code::Op;
use super::frame::{FULL, Frame, Lane, Mask};
use super::isa::{Handler, Isa, Shape};
use crate::program::LANES;
use std::marker::PhantomData;

/// Chooses handlers for one generation of processors.
#[derive(Clone, Copy)]
pub(super) struct Select(pub(super) Isa);

impl Select {
    /// One operand.
    pub(super) fn map1<A: Lane, R: Lane, F: Fn(A) -> R + Copy>(self, function: F) -> Handler {
        witness(function);
        self.0.handler::<Map1<A, R, F, false>>()
    }

    /// One operand, with another function for those lanes for which the first one is not meant; the flag says that this has many instructions.
    pub(super) fn usual1<A, R, F, I, S, const LONG: bool>(
        self,
        function: F,
        is_unusual: I,
        unusual: S,
    ) -> Handler
    where
        A: Lane,
        R: Lane,
        F: Fn(A) -> R + Copy,
        I: Fn(A) -> bool + Copy,
        S: Fn(A) -> R + Copy,
    {
        witness(function);
        witness(is_unusual);
        witness(unusual);
        self.0.handler::<Usual1<A, R, F, I, S, LONG>>()
    }

    /// One operand, with a function of many instructions.
    pub(super) fn long1<A: Lane, R: Lane, F: Fn(A) -> R + Copy>(self, function: F) -> Handler {
        witness(function);
        self.0.handler::<Long1<A, R, F>>()
    }

    /// Two operands, with a function of many instructions.
    pub(super) fn long2<A: Lane, B: Lane, R: Lane, F: Fn(A, B) -> R + Copy>(self, function: F) -> Handler {
        witness(function);
        self.0.handler::<Long2<A, B, R, F>>()
    }

    /// Two operands.
    pub(super) fn map2<A: Lane, B: Lane, R: Lane, F: Fn(A, B) -> R + Copy>(self, function: F) -> Handler {
        witness(function);
        self.0.handler::<Map2<A, B, R, F, false>>()
    }

    /// Three operands.
    pub(super) fn map3<A: Lane, B: Lane, C: Lane, R: Lane, F: Fn(A, B, C) -> R + Copy>(
        self,
        function: F,
    ) -> Handler {
        witness(function);
        self.0.handler::<Map3<A, B, C, R, F>>()
    }

    /// One operand, with a function that costs more than looking at the mask, and than asking whether once is
    /// enough.
    pub(super) fn slow1<A: Lane, R: Lane, F: Fn(A) -> R + Copy>(self, function: F) -> Handler {
        witness(function);
        self.0.handler::<Map1<A, R, F, true>>()
    }

    /// Two operands, with a function that costs more than looking at the mask.
    pub(super) fn slow2<A: Lane, B: Lane, R: Lane, F: Fn(A, B) -> R + Copy>(self, function: F) -> Handler {
        witness(function);
        self.0.handler::<Map2<A, B, R, F, true>>()
    }
}

/// Takes a function without state.
fn witness<F: Copy>(_: F) {
    const { assert!(size_of::<F>() == 0, "only functions without state can be called by their type alone") };
}

/// The only value of a function type.
#[inline(always)]
fn conjure<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0) };
    // SAFETY: the type has no bytes to initialise, it is `Copy`, and `witness` saw a value of it, so it has
    // one.
    unsafe { std::ptr::NonNull::<F>::dangling().read() }
}

struct Map1<A, R, F, const SLOW: bool>(PhantomData<(A, R, F)>);

impl<A: Lane, R: Lane, F: Fn(A) -> R + Copy, const SLOW: bool> Shape for Map1<A, R, F, SLOW> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let function = conjure::<F>();
        let a = frame.read::<A>(op.a);
        if SLOW && op.uniform {
            return frame.write(op.result, [function(a[0]); LANES]);
        }
        if SLOW && frame.mask != FULL {
            let mut result = frame.read::<R>(op.result);
            each(frame.mask, |lane| result[lane] = function(a[lane]));
            return frame.write(op.result, result);
        }
        frame.write(op.result, mapped(&a, function));
    }
}

/// The function of each lane. (`map` of arrays is not compiled for the generation of processors.)
#[inline(always)]
fn mapped<A: Lane, R: Lane>(a: &[A; LANES], function: impl Fn(A) -> R) -> [R; LANES] {
    let mut result = [R::default(); LANES];
    for lane in 0..LANES {
        result[lane] = function(a[lane]);
    }
    result
}

/// How many lanes a function of many instructions is computed for at a time: for more, compilers do not make one of vectors.
const PART: usize = LANES / 2;

/// The same with a function of many instructions.
#[inline(always)]
fn long_mapped<A: Lane, R: Lane>(a: &[A; LANES], function: impl Fn(A) -> R) -> [R; LANES] {
    let mut result = [R::default(); LANES];
    for start in [0, PART] {
        for lane in start..start + PART {
            result[lane] = function(a[lane]);
        }
    }
    result
}

struct Long1<A, R, F>(PhantomData<(A, R, F)>);

impl<A: Lane, R: Lane, F: Fn(A) -> R + Copy> Shape for Long1<A, R, F> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let a = frame.read::<A>(op.a);
        frame.write(op.result, long_mapped(&a, conjure::<F>()));
    }
}

struct Long2<A, B, R, F>(PhantomData<(A, B, R, F)>);

impl<A: Lane, B: Lane, R: Lane, F: Fn(A, B) -> R + Copy> Shape for Long2<A, B, R, F> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let function = conjure::<F>();
        let (a, b) = (frame.read::<A>(op.a), frame.read::<B>(op.b));
        let mut result = [R::default(); LANES];
        for start in [0, PART] {
            for lane in start..start + PART {
                result[lane] = function(a[lane], b[lane]);
            }
        }
        frame.write(op.result, result);
    }
}

struct Usual1<A, R, F, I, S, const LONG: bool>(PhantomData<(A, R, F, I, S)>);

impl<A, R, F, I, S, const LONG: bool> Shape for Usual1<A, R, F, I, S, LONG>
where
    A: Lane,
    R: Lane,
    F: Fn(A) -> R + Copy,
    I: Fn(A) -> bool + Copy,
    S: Fn(A) -> R + Copy,
{
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let (function, is_unusual, unusual) = (conjure::<F>(), conjure::<I>(), conjure::<S>());
        let a = frame.read::<A>(op.a);
        let mut result = if LONG { long_mapped(&a, function) } else { mapped(&a, function) };
        let mut rest = 0;
        for (lane, &a) in a.iter().enumerate() {
            rest |= Mask::from(is_unusual(a)) << lane;
        }
        each(rest & frame.mask, |lane| result[lane] = unusual(a[lane]));
        frame.write(op.result, result);
    }
}

struct Map2<A, B, R, F, const SLOW: bool>(PhantomData<(A, B, R, F)>);

impl<A: Lane, B: Lane, R: Lane, F: Fn(A, B) -> R + Copy, const SLOW: bool> Shape for Map2<A, B, R, F, SLOW> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let function = conjure::<F>();
        let (a, b) = (frame.read::<A>(op.a), frame.read::<B>(op.b));
        if SLOW && op.uniform {
            return frame.write(op.result, [function(a[0], b[0]); LANES]);
        }
        if SLOW && frame.mask != FULL {
            let mut result = frame.read::<R>(op.result);
            each(frame.mask, |lane| result[lane] = function(a[lane], b[lane]));
            return frame.write(op.result, result);
        }
        let mut result = [R::default(); LANES];
        for lane in 0..LANES {
            result[lane] = function(a[lane], b[lane]);
        }
        frame.write(op.result, result);
    }
}

struct Map3<A, B, C, R, F>(PhantomData<(A, B, C, R, F)>);

impl<A: Lane, B: Lane, C: Lane, R: Lane, F: Fn(A, B, C) -> R + Copy> Shape for Map3<A, B, C, R, F> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let function = conjure::<F>();
        let (a, b, c) = (frame.read::<A>(op.a), frame.read::<B>(op.b), frame.read::<C>(op.c));
        let mut result = [R::default(); LANES];
        for lane in 0..LANES {
            result[lane] = function(a[lane], b[lane], c[lane]);
        }
        frame.write(op.result, result);
    }
}

/// Calls `visit` with the number of each lane in the mask.
#[inline(always)]
pub(super) fn each(mut mask: u16, mut visit: impl FnMut(usize)) {
    while mask != 0 {
        visit(mask.trailing_zeros() as usize);
        mask &= mask - 1;
    }
}
