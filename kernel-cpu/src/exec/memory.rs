//! Loads, stores and copies.
//!
//! Every access is checked before it happens. Where the lanes access consecutive scalars, as they mostly do,
//! one copy serves them all.

use super::code::Op;
use super::frame::{FULL, Frame, GENERIC, GLOBAL, LOCAL, Lane, Mask, PRIVATE};
use super::isa::{Handler, Isa, Shape};
use super::map::each;
use crate::fault::Access;
use crate::program::{Kind, LANES, Space};
use std::marker::PhantomData;

struct Load<T, const SPACE: u8>(PhantomData<T>);

impl<T: Lane, const SPACE: u8> Shape for Load<T, SPACE> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let addresses = frame.read::<u64>(op.a);
        let mask = frame.check::<SPACE>(op, &addresses, size_of::<T>() as u64, Access::Read);
        if mask == FULL && consecutive::<T>(&addresses) {
            let from = addresses[0] as *const [T; LANES];
            // SAFETY: every lane's access was checked, and together they are these bytes. Kernels that race
            // get what they get.
            let lanes = unsafe { from.read_unaligned() };
            return frame.write(op.result, lanes);
        }
        let mut lanes = [T::default(); LANES];
        each(mask, |lane| {
            // SAFETY: the access was checked.
            lanes[lane] = unsafe { (addresses[lane] as *const T).read_unaligned() };
        });
        frame.write_masked(op.result, mask, lanes);
    }
}

struct Store<T, const SPACE: u8>(PhantomData<T>);

impl<T: Lane, const SPACE: u8> Shape for Store<T, SPACE> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let addresses = frame.read::<u64>(op.a);
        let mask = frame.check::<SPACE>(op, &addresses, size_of::<T>() as u64, Access::Write);
        let lanes = frame.read::<T>(op.b);
        if mask == FULL && consecutive::<T>(&addresses) {
            let to = addresses[0] as *mut [T; LANES];
            // SAFETY: every lane's access was checked, and together they are these bytes.
            return unsafe { to.write_unaligned(lanes) };
        }
        each(mask, |lane| {
            // SAFETY: the access was checked.
            unsafe { (addresses[lane] as *mut T).write_unaligned(lanes[lane]) }
        });
    }
}

/// Whether each address is one `T` after the one before.
#[inline(always)]
fn consecutive<T>(addresses: &[u64; LANES]) -> bool {
    let mut differ = 0;
    for (lane, &address) in addresses.iter().enumerate() {
        differ |= address.wrapping_sub(addresses[0]) ^ (lane * size_of::<T>()) as u64;
    }
    differ == 0
}

/// Copies bytes, lane by lane; the spaces are those of the destination and the source.
struct Copy<const TO: u8, const FROM: u8>;

impl<const TO: u8, const FROM: u8> Shape for Copy<TO, FROM> {
    #[inline(always)]
    fn run(frame: &mut Frame<'_>, op: &Op) {
        let (to, from, sizes) = (frame.read::<u64>(op.a), frame.read::<u64>(op.b), frame.read::<u64>(op.c));
        let all: Mask = frame.mask;
        each(all, |lane| {
            let size = sizes[lane];
            // Each lane has its own size, so each is checked alone.
            frame.mask = 1 << lane;
            let readable = frame.check::<FROM>(op, &from, size, Access::Read) != 0;
            if size != 0 && readable && frame.check::<TO>(op, &to, size, Access::Write) != 0 {
                // SAFETY: both ranges were checked; they may overlap.
                unsafe { std::ptr::copy(from[lane] as *const u8, to[lane] as *mut u8, size as usize) }
            }
        });
        frame.mask = all;
    }
}

/// The handler of a load.
pub(super) fn load(isa: Isa, kind: Kind, space: Space) -> Handler {
    match kind.size() {
        1 => load_of::<u8>(isa, space),
        2 => load_of::<u16>(isa, space),
        4 => load_of::<u32>(isa, space),
        _ => load_of::<u64>(isa, space),
    }
}

fn load_of<T: Lane>(isa: Isa, space: Space) -> Handler {
    match space {
        Space::Global | Space::Constant => isa.handler::<Load<T, GLOBAL>>(),
        Space::Local => isa.handler::<Load<T, LOCAL>>(),
        Space::Private => isa.handler::<Load<T, PRIVATE>>(),
        Space::Generic => isa.handler::<Load<T, GENERIC>>(),
    }
}

/// The handler of a store.
pub(super) fn store(isa: Isa, kind: Kind, space: Space) -> Handler {
    match kind.size() {
        1 => store_of::<u8>(isa, space),
        2 => store_of::<u16>(isa, space),
        4 => store_of::<u32>(isa, space),
        _ => store_of::<u64>(isa, space),
    }
}

fn store_of<T: Lane>(isa: Isa, space: Space) -> Handler {
    match space {
        Space::Global | Space::Constant => isa.handler::<Store<T, GLOBAL>>(),
        Space::Local => isa.handler::<Store<T, LOCAL>>(),
        Space::Private => isa.handler::<Store<T, PRIVATE>>(),
        Space::Generic => isa.handler::<Store<T, GENERIC>>(),
    }
}

/// The handler of a copy.
pub(super) fn copy(isa: Isa, to: Space, from: Space) -> Handler {
    match to {
        Space::Global | Space::Constant => copy_to::<GLOBAL>(isa, from),
        Space::Local => copy_to::<LOCAL>(isa, from),
        Space::Private => copy_to::<PRIVATE>(isa, from),
        Space::Generic => copy_to::<GENERIC>(isa, from),
    }
}

fn copy_to<const TO: u8>(isa: Isa, from: Space) -> Handler {
    match from {
        Space::Global | Space::Constant => isa.handler::<Copy<TO, GLOBAL>>(),
        Space::Local => isa.handler::<Copy<TO, LOCAL>>(),
        Space::Private => isa.handler::<Copy<TO, PRIVATE>>(),
        Space::Generic => isa.handler::<Copy<TO, GENERIC>>(),
    }
}
