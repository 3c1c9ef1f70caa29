//! What the lanes of a subgroup, and the subgroups of a work-group, do together. These instructions work on all strips of the subgroup.

use super::code::Op;
use super::frame::{Frame, Lane};
use super::isa::{Handler, Isa, Shape};
use super::map::each;
use crate::fault::FaultKind;
use crate::limits::MAX_GROUP_SIZE;
use crate::program::{Combine, Extent, Kind, LANES, MAX_STRIPS, MIN_SUBGROUP_SIZE};
use std::marker::PhantomData;
#[cfg(all(target_arch = "x86_64", unix))]
use std::mem::offset_of;

/// The most subgroups that a work-group can have.
const MAX_SUBGROUPS: usize = (MAX_GROUP_SIZE / MIN_SUBGROUP_SIZE) as usize;

/// What the subgroups of a work-group hand each other.
///
/// Each has a place in one of two rows, which take turns: a subgroup that is past the barrier may hand over the next value while others
/// have not read the one before, but it gets no further than to the next barrier. Native code reads and writes it too.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Exchange {
    rows: [[u64; MAX_SUBGROUPS]; 2],
    /// How far each subgroup's next row is from the first one, in bytes.
    turns: [u64; MAX_SUBGROUPS],
    /// How many subgroups there are.
    count: usize,
}

/// How far the second row of an [`Exchange`] is from the first, in bytes.
pub(crate) const EXCHANGE_ROW: usize = size_of::<[u64; MAX_SUBGROUPS]>();

/// How far the turns of the subgroups are from the start of an [`Exchange`], in bytes.
#[cfg(all(target_arch = "x86_64", unix))]
pub(crate) const EXCHANGE_TURNS: usize = offset_of!(Exchange, turns);

impl Default for Exchange {
    fn default() -> Self {
        Self { rows: [[0; MAX_SUBGROUPS]; 2], turns: [0; MAX_SUBGROUPS], count: 0 }
    }
}

impl Exchange {
    /// Makes it ready for a work-group with so many subgroups.
    pub(super) fn start(&mut self, subgroups: usize) {
        self.turns = [0; MAX_SUBGROUPS];
        self.count = subgroups.min(MAX_SUBGROUPS);
    }

    /// The row whose turn it is for a subgroup.
    fn row(&self, subgroup: usize) -> usize {
        usize::from(self.turns[subgroup] != 0)
    }
}

/// An integer whose bits a lane's value has.
trait Bits: Lane {
    fn widen(self) -> u64;
    fn narrow(bits: u64) -> Self;
}

macro_rules! bits {
    ($($ty:ident)*) => {$(
        impl Bits for $ty {
            #[inline(always)]
            fn widen(self) -> u64 {
                self.into()
            }

            #[inline(always)]
            fn narrow(bits: u64) -> Self {
                bits as Self
            }
        }
    )*};
}

bits! { u8 u16 u32 u64 }

/// The first lane that is here, in its strip, which it enters.
#[inline(always)]
fn first_lane(frame: &mut Frame<'_>) -> usize {
    let lane = (frame.lanes.trailing_zeros() as usize).min(frame.strips() * LANES - 1);
    frame.enter(lane / LANES);
    lane % LANES
}

/// Sets a register in the lanes that are here.
#[inline(always)]
fn write_all<T: Lane>(frame: &mut Frame<'_>, op: &Op, value: T) {
    for strip in 0..frame.strips() {
        frame.enter(strip);
        frame.write_masked(op.result, frame.mask, [value; LANES]);
    }
}

struct Converge;

impl Shape for Converge {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        if frame.lanes != frame.all {
            let lane = first_lane(frame);
            frame.fail(FaultKind::DivergentCollective, op.site, lane);
        }
    }
}

/// Numbers combined: neighbours first, then these with their neighbours, and so on.
#[inline(always)]
fn in_pairs(op: &Op, mut given: [u64; LANES]) -> u64 {
    let mut count = LANES;
    while count > 1 {
        count /= 2;
        for place in 0..count {
            given[place] = (op.combine)(given[2 * place], given[2 * place + 1]);
        }
    }
    given[0]
}

struct Fold<T, const ALL: bool, const WITH_SELF: bool>(PhantomData<T>);

impl<T: Bits, const ALL: bool, const WITH_SELF: bool> Shape for Fold<T, ALL, WITH_SELF> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let mut so_far = op.offset as u64;
        for strip in 0..frame.strips() {
            frame.enter(strip);
            let x = frame.read::<T>(op.a);
            if ALL {
                let mut given = [op.offset as u64; LANES];
                each(frame.mask, |lane| given[lane] = x[lane].widen());
                so_far = (op.combine)(so_far, in_pairs(op, given));
                continue;
            }
            let mut result = x;
            each(frame.mask, |lane| {
                let after = (op.combine)(so_far, x[lane].widen());
                result[lane] = T::narrow(if WITH_SELF { after } else { so_far });
                so_far = after;
            });
            frame.write_masked(op.result, frame.mask, result);
        }
        if ALL {
            write_all(frame, op, T::narrow(so_far));
        }
    }
}

struct Shuffle<T>(PhantomData<T>);

impl<T: Lane> Shape for Shuffle<T> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let strips = frame.strips();
        let mut x = [[T::default(); LANES]; MAX_STRIPS];
        for (strip, x) in x.iter_mut().enumerate().take(strips) {
            frame.enter(strip);
            *x = frame.read::<T>(op.a);
        }
        for strip in 0..strips {
            frame.enter(strip);
            let index = frame.read::<u32>(op.b);
            let mut result = x[strip];
            for lane in 0..LANES {
                let from = index[lane] as usize;
                if from < strips * LANES && frame.lanes >> from & 1 != 0 {
                    result[lane] = x[from / LANES][from % LANES];
                }
            }
            frame.write_masked(op.result, frame.mask, result);
        }
    }
}

struct Contribute<T>(PhantomData<T>);

impl<T: Bits> Shape for Contribute<T> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let lane = first_lane(frame);
        let value = frame.read::<T>(op.a)[lane].widen();
        let (exchange, subgroup) = (&mut *frame.exchange, frame.subgroup % MAX_SUBGROUPS);
        exchange.rows[exchange.row(subgroup)][subgroup] = value;
    }
}

struct Gather<T, const ALL: bool>(PhantomData<T>);

impl<T: Bits, const ALL: bool> Shape for Gather<T, ALL> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let (exchange, subgroup) = (&mut *frame.exchange, frame.subgroup % MAX_SUBGROUPS);
        let turn = exchange.row(subgroup);
        exchange.turns[subgroup] ^= EXCHANGE_ROW as u64;
        let count = if ALL { exchange.count } else { subgroup };
        let given = &exchange.rows[turn][..count];
        let start = op.offset as u64;
        let so_far = if ALL {
            given.chunks(LANES).fold(start, |so_far, own| {
                let mut all = [start; LANES];
                all[..own.len()].copy_from_slice(own);
                (op.combine)(so_far, in_pairs(op, all))
            })
        } else {
            given.iter().fold(start, |so_far, &value| (op.combine)(so_far, value))
        };
        write_all(frame, op, T::narrow(so_far));
    }
}

pub(super) fn converge(isa: Isa) -> Handler {
    isa.handler::<Converge>()
}

/// The handler of a reduction or scan over the lanes.
pub(super) fn fold(isa: Isa, extent: Extent, kind: Kind) -> Handler {
    match kind.size() {
        1 => fold_of::<u8>(isa, extent),
        2 => fold_of::<u16>(isa, extent),
        4 => fold_of::<u32>(isa, extent),
        _ => fold_of::<u64>(isa, extent),
    }
}

fn fold_of<T: Bits>(isa: Isa, extent: Extent) -> Handler {
    match extent {
        Extent::All => isa.handler::<Fold<T, true, true>>(),
        Extent::UpTo => isa.handler::<Fold<T, false, true>>(),
        Extent::Before => isa.handler::<Fold<T, false, false>>(),
    }
}

pub(super) fn shuffle(isa: Isa, kind: Kind) -> Handler {
    match kind.size() {
        1 => isa.handler::<Shuffle<u8>>(),
        2 => isa.handler::<Shuffle<u16>>(),
        4 => isa.handler::<Shuffle<u32>>(),
        _ => isa.handler::<Shuffle<u64>>(),
    }
}

pub(super) fn contribute(isa: Isa, kind: Kind) -> Handler {
    match kind.size() {
        1 => isa.handler::<Contribute<u8>>(),
        2 => isa.handler::<Contribute<u16>>(),
        4 => isa.handler::<Contribute<u32>>(),
        _ => isa.handler::<Contribute<u64>>(),
    }
}

pub(super) fn gather(isa: Isa, extent: Extent, kind: Kind) -> Handler {
    match kind.size() {
        1 => gather_of::<u8>(isa, extent),
        2 => gather_of::<u16>(isa, extent),
        4 => gather_of::<u32>(isa, extent),
        _ => gather_of::<u64>(isa, extent),
    }
}

fn gather_of<T: Bits>(isa: Isa, extent: Extent) -> Handler {
    match extent {
        Extent::All => isa.handler::<Gather<T, true>>(),
        Extent::UpTo | Extent::Before => isa.handler::<Gather<T, false>>(),
    }
}

/// A function of two floats of a kind, by their bits. Lowering has halves combined in single precision.
macro_rules! float {
    ($kind:expr, |$a:ident, $b:ident| $body:expr) => {
        match $kind {
            Kind::F64 => |a, b| {
                let ($a, $b) = (f64::from_bits(a), f64::from_bits(b));
                f64::to_bits($body)
            },
            _ => |a, b| {
                let ($a, $b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
                f32::to_bits($body).into()
            },
        }
    };
}

/// How two values of a kind are combined, by their bits.
pub(super) fn function(combine: Combine, kind: Kind) -> fn(u64, u64) -> u64 {
    match combine {
        Combine::Add => u64::wrapping_add,
        Combine::And => |a, b| a & b,
        Combine::Or => |a, b| a | b,
        Combine::Xor => |a, b| a ^ b,
        Combine::Mul => u64::wrapping_mul,
        Combine::UMin => u64::min,
        Combine::UMax => u64::max,
        Combine::SMin => match kind.size() {
            1 => |a, b| (a as i8).min(b as i8) as u64,
            2 => |a, b| (a as i16).min(b as i16) as u64,
            4 => |a, b| (a as i32).min(b as i32) as u64,
            _ => |a, b| (a as i64).min(b as i64) as u64,
        },
        Combine::SMax => match kind.size() {
            1 => |a, b| (a as i8).max(b as i8) as u64,
            2 => |a, b| (a as i16).max(b as i16) as u64,
            4 => |a, b| (a as i32).max(b as i32) as u64,
            _ => |a, b| (a as i64).max(b as i64) as u64,
        },
        Combine::FAdd => float!(kind, |a, b| a + b),
        Combine::FMul => float!(kind, |a, b| a * b),
        Combine::FMin => float!(kind, |a, b| a.min(b)),
        Combine::FMax => float!(kind, |a, b| a.max(b)),
    }
}

/// The bits of what combines with any value to that value.
pub(crate) fn neutral(combine: Combine, extent: Extent, kind: Kind) -> u64 {
    let bits = 8 * kind.size();
    let ones = u64::MAX >> (64 - bits);
    let float = |value: f64| match kind {
        Kind::F64 => value.to_bits(),
        _ => (value as f32).to_bits().into(),
    };
    match combine {
        Combine::Add | Combine::Or | Combine::Xor | Combine::UMax => 0,
        Combine::Mul => 1,
        Combine::And if kind == Kind::Bool => 1,
        Combine::And | Combine::UMin => ones,
        Combine::SMin => ones >> 1,
        Combine::SMax => 1 << (bits - 1),
        // What comes before the first is a zero with the usual sign.
        Combine::FAdd if extent == Extent::Before => float(0.0),
        Combine::FAdd => float(-0.0),
        Combine::FMul => float(1.0),
        Combine::FMin => float(f64::INFINITY),
        Combine::FMax => float(f64::NEG_INFINITY),
    }
}
