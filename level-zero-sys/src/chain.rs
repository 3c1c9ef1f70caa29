//! Structures that extend each other through `pNext`.

use std::ffi::c_void;
use std::ptr::NonNull;

use crate::{ze_base_properties_t, ze_structure_type_t};

/// A structure that begins with its type and the address of the next structure of its chain.
///
/// # Safety
///
/// The type must be `repr(C)`, begin as [`ze_base_properties_t`] does, and be what a `stype` of `TYPE`
/// announces.
pub unsafe trait Structure: Copy + Default {
    /// The value of `stype` that announces this structure.
    const TYPE: ze_structure_type_t;
}

/// The first structure of type `T` in the chain that begins at `next`, if there is one.
///
/// # Safety
///
/// `next` must be null or the address of a structure that begins as [`ze_base_properties_t`] does, and so
/// must the `pNext` of each structure of the chain; the chain must end, and each structure must be what its
/// `stype` announces.
pub unsafe fn find_in_chain<T: Structure>(next: *const c_void) -> Option<NonNull<T>> {
    let mut next = NonNull::new(next.cast_mut());
    while let Some(link) = next {
        // SAFETY: by the caller's promise each link begins with these two fields.
        let head = unsafe { link.cast::<ze_base_properties_t>().read() };
        if head.stype == T::TYPE {
            return Some(link.cast());
        }
        next = NonNull::new(head.pNext);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::find_in_chain;
    use crate::{
        ze_device_properties_t, ze_eu_count_ext_t, ze_float_atomic_ext_properties_t, ze_structure_type_t,
    };
    use std::ptr;

    #[test]
    fn finds_the_structure_behind_others() {
        let mut last = ze_eu_count_ext_t { numTotalEUs: 7, ..Default::default() };
        let mut first =
            ze_float_atomic_ext_properties_t { pNext: (&raw mut last).cast(), ..Default::default() };
        let head = (&raw mut first).cast();
        // SAFETY: both structures are tagged by their defaults, outlive the calls, and the last has no next.
        unsafe {
            let found = find_in_chain::<ze_eu_count_ext_t>(head).map(|found| found.read().numTotalEUs);
            assert_eq!(found, Some(7));
            assert!(find_in_chain::<ze_device_properties_t>(head).is_none());
            assert!(find_in_chain::<ze_eu_count_ext_t>(ptr::null()).is_none());
        }
    }

    #[test]
    fn a_default_is_tagged() {
        let properties = ze_device_properties_t::default();
        assert_eq!(properties.stype, ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES);
        assert!(properties.pNext.is_null());
    }
}
