//! Atomic instructions, by the processor's own, one lane after the other.

use super::code::Op;
use super::frame::{Frame, GENERIC, GLOBAL, LOCAL, Lane, PRIVATE};
use super::half;
use super::isa::{Handler, Isa, Shape};
use super::map::each;
use crate::fault::{Access, FaultKind};
use crate::program::{AtomicOp, Kind, LANES, Space};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

/// An integer or float with atomic operations, all sequentially consistent.
trait AtomicLane: Lane {
    /// Applies the operation and returns what was there.
    ///
    /// # Safety
    ///
    /// The address must be aligned, and its bytes must be live memory that is accessed concurrently only
    /// atomically, or by kernels that race.
    unsafe fn update(op: AtomicOp, address: u64, value: Self, comparator: Self) -> Self;
}

macro_rules! atomic_lane {
    ($($unsigned:ident $signed:ident $atomic:ident $from_bits:path, $to_bits:path;)*) => {$(
        impl AtomicLane for $unsigned {
            #[inline(always)]
            unsafe fn update(op: AtomicOp, address: u64, value: Self, comparator: Self) -> Self {
                // SAFETY: the caller says so.
                let cell = unsafe { $atomic::from_ptr(address as *mut $unsigned) };
                let order = Ordering::SeqCst;
                let swap = |new: &dyn Fn($unsigned) -> $unsigned| {
                    // The function always gives a new value, so the update cannot fail.
                    cell.fetch_update(order, order, |old| Some(new(old))).unwrap_or_else(|old| old)
                };
                match op {
                    AtomicOp::Load => cell.load(order),
                    AtomicOp::Store | AtomicOp::Exchange => cell.swap(value, order),
                    AtomicOp::CompareExchange => {
                        cell.compare_exchange(comparator, value, order, order).unwrap_or_else(|old| old)
                    }
                    AtomicOp::Add => cell.fetch_add(value, order),
                    AtomicOp::Sub => cell.fetch_sub(value, order),
                    AtomicOp::And => cell.fetch_and(value, order),
                    AtomicOp::Or => cell.fetch_or(value, order),
                    AtomicOp::Xor => cell.fetch_xor(value, order),
                    AtomicOp::UMin => cell.fetch_min(value, order),
                    AtomicOp::UMax => cell.fetch_max(value, order),
                    AtomicOp::SMin => swap(&|old| (old as $signed).min(value as $signed) as $unsigned),
                    AtomicOp::SMax => swap(&|old| (old as $signed).max(value as $signed) as $unsigned),
                    AtomicOp::FAdd => swap(&|old| $to_bits($from_bits(old) + $from_bits(value))),
                    // The one that is a number, if only one is.
                    AtomicOp::FMin => swap(&|old| $to_bits($from_bits(old).min($from_bits(value)))),
                    AtomicOp::FMax => swap(&|old| $to_bits($from_bits(old).max($from_bits(value)))),
                }
            }
        }
    )*};
}

atomic_lane! {
    u16 i16 AtomicU16 half::to_f32, half_from_f32;
    u32 i32 AtomicU32 f32::from_bits, f32::to_bits;
    u64 i64 AtomicU64 f64::from_bits, f64::to_bits;
}

/// The nearest half; the sum of two is exact in single precision.
fn half_from_f32(value: f32) -> u16 {
    half::from_f64(value.into())
}

struct Atomic<T, const SPACE: u8>(PhantomData<T>);

impl<T: AtomicLane, const SPACE: u8> Shape for Atomic<T, SPACE> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let size = size_of::<T>() as u64;
        let addresses = frame.read::<u64>(op.a);
        let (values, comparators) = (frame.read::<T>(op.b), frame.read::<T>(op.c));
        let mask = frame.check::<SPACE>(op, &addresses, size, Access::Atomic);
        let mut old = [T::default(); LANES];
        each(mask, |lane| {
            let address = addresses[lane];
            if !address.is_multiple_of(size) {
                return frame.fail(FaultKind::Misaligned { address, size }, op.site, lane);
            }
            // SAFETY: the access was checked, and the address is aligned.
            old[lane] = unsafe { T::update(op.atomic, address, values[lane], comparators[lane]) };
        });
        frame.write_masked(op.result, mask, old);
    }
}

/// The handler of an atomic instruction.
pub(super) fn atomic(isa: Isa, kind: Kind, space: Space) -> Handler {
    match kind.size() {
        8 => atomic_of::<u64>(isa, space),
        2 => atomic_of::<u16>(isa, space),
        _ => atomic_of::<u32>(isa, space),
    }
}

fn atomic_of<T: AtomicLane>(isa: Isa, space: Space) -> Handler {
    match space {
        Space::Global | Space::Constant => isa.handler::<Atomic<T, GLOBAL>>(),
        Space::Local => isa.handler::<Atomic<T, LOCAL>>(),
        Space::Private => isa.handler::<Atomic<T, PRIVATE>>(),
        Space::Generic => isa.handler::<Atomic<T, GENERIC>>(),
    }
}
