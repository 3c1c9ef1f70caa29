//! Handles: numbers that stand for objects.
//!
//! A handle is never an address. It says which kind of object it is for, where the object is registered and
//! for the how-manieth time the place is used, so a handle that is stale, of another kind, or made up is an
//! error and nothing worse.

use level_zero_sys::ze_result_t;
use std::sync::{Arc, RwLock};

/// An object that the host has a handle of.
pub(super) trait Object: Send + Sync + Sized + 'static {
    /// The type of its handles.
    type Handle: Copy;
    /// The number of its kind, from 1 to 255.
    const KIND: u8;

    fn registry() -> &'static Registry<Self>;
    fn to_handle(address: usize) -> Self::Handle;
    fn to_address(handle: Self::Handle) -> usize;
}

/// Makes types objects, each with its handle and the number of its kind.
macro_rules! objects {
    ($($object:ty: $handle:ident = $kind:literal;)*) => {$(
        impl crate::api::registry::Object for $object {
            type Handle = level_zero_sys::$handle;
            const KIND: u8 = $kind;

            fn registry() -> &'static crate::api::registry::Registry<Self> {
                static REGISTRY: crate::api::registry::Registry<$object> =
                    crate::api::registry::Registry::new();
                &REGISTRY
            }

            fn to_handle(address: usize) -> Self::Handle {
                level_zero_sys::$handle(std::ptr::without_provenance_mut(address))
            }

            fn to_address(handle: Self::Handle) -> usize {
                handle.0.addr()
            }
        }
    )*};
}
pub(super) use objects;

/// The objects of one kind.
pub(super) struct Registry<T> {
    slots: RwLock<Slots<T>>,
}

struct Slots<T> {
    slots: Vec<Slot<T>>,
    /// The indices of the slots without an object.
    free: Vec<usize>,
}

struct Slot<T> {
    /// How many objects have been here before.
    generation: usize,
    object: Option<Arc<T>>,
}

/// The layout of a handle: the kind in the lowest bits, then the index, then the generation.
const KIND_BITS: u32 = 8;
const INDEX_BITS: u32 = 24;
const GENERATIONS: usize = 1 << (usize::BITS - KIND_BITS - INDEX_BITS);

impl<T> Registry<T> {
    pub(super) const fn new() -> Self {
        Self { slots: RwLock::new(Slots { slots: Vec::new(), free: Vec::new() }) }
    }
}

/// Registers an object.
///
/// # Errors
///
/// Out of host memory if there are more than the handles can number.
pub(super) fn insert<T: Object>(object: Arc<T>) -> Result<T::Handle, ze_result_t> {
    let mut slots = T::registry().slots.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    let index = match slots.free.pop() {
        Some(index) => index,
        None if slots.slots.len() >> INDEX_BITS != 0 => {
            return Err(ze_result_t::ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
        }
        None => {
            slots.slots.push(Slot { generation: 0, object: None });
            slots.slots.len() - 1
        }
    };
    let slot = &mut slots.slots[index];
    slot.object = Some(object);
    let address = (slot.generation << INDEX_BITS | index) << KIND_BITS | usize::from(T::KIND);
    Ok(T::to_handle(address))
}

/// The object of a handle.
///
/// # Errors
///
/// Invalid null handle for null, invalid argument for a handle that is stale, made up or of another kind.
pub(super) fn get<T: Object>(handle: T::Handle) -> Result<Arc<T>, ze_result_t> {
    let (index, generation) = parse::<T>(handle)?;
    let slots = T::registry().slots.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    let slot = slots.slots.get(index).filter(|slot| slot.generation == generation);
    slot.and_then(|slot| slot.object.clone()).ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)
}

/// The objects of an array of handles, each as by [`get`].
///
/// # Safety
///
/// `handles` must be valid for reads of `count` handles until the iterator is dropped, unless `count` is 0.
pub(super) unsafe fn each<T: Object>(
    count: u32,
    handles: *const T::Handle,
) -> impl Iterator<Item = Result<Arc<T>, ze_result_t>> {
    // SAFETY: the caller vouches for the array.
    (0..count as usize).map(move |index| get::<T>(unsafe { handles.add(index).read() }))
}

/// All objects of a kind that have handles.
pub(super) fn all<T: Object>() -> Vec<Arc<T>> {
    let slots = T::registry().slots.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    slots.slots.iter().filter_map(|slot| slot.object.clone()).collect()
}

/// Ends a handle; the object lives on as long as it is used.
///
/// # Errors
///
/// Those of [`get`].
pub(super) fn remove<T: Object>(handle: T::Handle) -> Result<Arc<T>, ze_result_t> {
    let (index, generation) = parse::<T>(handle)?;
    let mut slots = T::registry().slots.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    let slot = slots.slots.get_mut(index).filter(|slot| slot.generation == generation);
    let slot = slot.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
    let object = slot.object.take().ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
    slot.generation = (slot.generation + 1) % GENERATIONS;
    slots.free.push(index);
    Ok(object)
}

/// The index and the generation of a handle.
fn parse<T: Object>(handle: T::Handle) -> Result<(usize, usize), ze_result_t> {
    let address = T::to_address(handle);
    if address == 0 {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    }
    if address & ((1 << KIND_BITS) - 1) != usize::from(T::KIND) {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    let rest = address >> KIND_BITS;
    Ok((rest & ((1 << INDEX_BITS) - 1), rest >> INDEX_BITS))
}
