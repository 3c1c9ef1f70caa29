//! What caches are told of accesses: decorations of the pointers by which these are made (`SPV_INTEL_cache_controls`).

use super::address::Address;
use super::code::Code;
use super::kernel::KernelEmitter;
use crate::ir::{Caching, LoadControl, Place, StoreControl};
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, LoadCacheControl, StoreCacheControl, Word};

/// What is done at an address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Load,
    Store,
    /// Both, or something atomic.
    Update,
}

/// A decoration with its details: the level of cache, and what it does.
pub(super) type Control = (Decoration, [Operand; 2]);

impl KernelEmitter<'_, '_> {
    /// The address of a place that is accessed, with what caches are told of it.
    pub(super) fn accessed(&mut self, place: &Place, access: Access) -> Address {
        let mut address = self.address(place);
        if let Some(caching) = self.ir.caching(place) {
            address.controls = controls(caching, access);
            address.is_nontemporal = caching.nontemporal;
        }
        address
    }
}

impl Code<'_, '_> {
    /// Tells caches of the accesses by a pointer that is used for nothing else.
    pub(super) fn control(&mut self, pointer: Word, controls: &[Control]) {
        for (decoration, details) in controls {
            self.module.sections.decorate(pointer, *decoration, details);
        }
    }
}

fn controls(caching: &Caching, access: Access) -> Vec<Control> {
    let loads = levels(Decoration::CacheControlLoadINTEL, &caching.loads, |control| {
        Operand::LoadCacheControl(load_control(control))
    });
    let stores = levels(Decoration::CacheControlStoreINTEL, &caching.stores, |control| {
        Operand::StoreCacheControl(store_control(control))
    });
    let loads = loads.filter(|_| access != Access::Store);
    loads.chain(stores.filter(|_| access != Access::Load)).collect()
}

/// Decorations for the levels of cache, which are counted from the one nearest to the processor.
fn levels<T: Copy>(
    decoration: Decoration,
    controls: &[T],
    operand: impl Fn(T) -> Operand,
) -> impl Iterator<Item = Control> {
    let numbered = (0..).zip(controls);
    numbered.map(move |(level, control)| (decoration, [Operand::LiteralBit32(level), operand(*control)]))
}

fn load_control(control: LoadControl) -> LoadCacheControl {
    match control {
        LoadControl::Uncached => LoadCacheControl::UncachedINTEL,
        LoadControl::Cached => LoadCacheControl::CachedINTEL,
        LoadControl::Streaming => LoadCacheControl::StreamingINTEL,
        LoadControl::InvalidateAfterRead => LoadCacheControl::InvalidateAfterReadINTEL,
        LoadControl::ConstCached => LoadCacheControl::ConstCachedINTEL,
    }
}

fn store_control(control: StoreControl) -> StoreCacheControl {
    match control {
        StoreControl::Uncached => StoreCacheControl::UncachedINTEL,
        StoreControl::WriteThrough => StoreCacheControl::WriteThroughINTEL,
        StoreControl::WriteBack => StoreCacheControl::WriteBackINTEL,
        StoreControl::Streaming => StoreCacheControl::StreamingINTEL,
    }
}
