//! How a table that a loader has room for is filled.
//!
//! A table is a row of pointers to functions. Newer versions of the API append functions to it, so the version that the loader asks for says how much room
//! there is, and nothing is written beyond that. What no version that is known here has stays as the loader left it, which is null, and loaders answer for such functions that
//! they are not supported.

use level_zero_sys::{ze_api_version_t, ze_result_t};
use std::ffi::c_void;
use std::slice;

/// The address of a function.
pub(crate) type Slot = *const c_void;

/// The number of functions of a table by the minor number of the version from which on it has so many, in the order of versions.
pub(crate) type Lengths<'a> = &'a [(u16, usize)];

/// The functions that newer versions append, with the minor number of the version that has them first, in the order of the table.
pub(crate) type Later<'a> = &'a [(u16, &'a str)];

/// The slots of a table of the API.
///
/// # Safety
///
/// The type must be one of the structures of `level_zero_sys` whose names end with `dditable_t`, all fields of which are pointers to functions.
pub(crate) unsafe fn slots<T>(table: &'static T) -> &'static [Slot] {
    let count = size_of::<T>() / size_of::<Slot>();
    // SAFETY: such a structure is a row of pointers, as the caller says.
    unsafe { slice::from_raw_parts(std::ptr::from_ref(table).cast(), count) }
}

/// Fills as much of a table as the version has.
///
/// # Errors
///
/// That the version has another major number, or that there is no table.
///
/// # Safety
///
/// The table must be null or have room for what the version has.
pub(crate) unsafe fn fill(
    version: ze_api_version_t,
    table: *mut c_void,
    slots: &[Slot],
    lengths: Lengths<'_>,
    later: Later<'_>,
) -> ze_result_t {
    if table.is_null() {
        return ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    }
    if version.major() != 1 {
        return ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
    }
    let known = lengths.iter().take_while(|(since, _)| *since <= version.minor()).last();
    let known = slots[..known.map_or(0, |(_, length)| *length)].iter().copied();
    let later = later.iter().take_while(|(since, _)| *since <= version.minor());
    for (index, slot) in known.chain(later.map(|(_, name)| later_function(name))).enumerate() {
        // SAFETY: the version has this slot, so the caller's table does.
        unsafe { table.cast::<Slot>().add(index).write_unaligned(slot) };
    }
    ze_result_t::ZE_RESULT_SUCCESS
}

/// A function that the tables of [`kernel_cpu::api`] have no slot for.
fn later_function(name: &str) -> Slot {
    let found = kernel_cpu::later_function(name).or_else(|| kernel_cpu::sysman_function(name));
    found.unwrap_or(unsupported as Slot)
}

/// Stands for a function that the driver does not have, whatever its parameters are: by the conventions of C it is the caller who clears them away.
pub(crate) extern "C" fn unsupported() -> ze_result_t {
    ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE
}

/// So many functions that are not supported.
pub(crate) fn none<const COUNT: usize>() -> [Slot; COUNT] {
    [unsupported as Slot; COUNT]
}

/// Exports functions for tables of which the driver has nothing: how many functions they have from which minor version on.
macro_rules! unsupported_tables {
    ($($export:ident [$since:literal: $length:literal];)*) => {$(
        /// Fills a table of which the driver has nothing, for a version.
        ///
        /// # Safety
        ///
        /// The table must be null or be that of the version.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $export(
            version: level_zero_sys::ze_api_version_t,
            table: *mut std::ffi::c_void,
        ) -> level_zero_sys::ze_result_t {
            // SAFETY: the loader passes what the caller promises.
            unsafe { crate::table::fill(version, table, &crate::table::none::<$length>(), &[($since, $length)], &[]) }
        }
    )*};
}
pub(crate) use unsupported_tables;

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTHS: Lengths<'static> = &[(1, 1), (3, 2)];
    const LATER: Later<'static> = &[(6, "zeDriverGetLastErrorDescription"), (9, "zeNoSuchFunction")];

    /// What a table holds after it has been filled with `[1, 2]` and what came later, where 7 is what it held before.
    fn filled(major: u16, minor: u16) -> (ze_result_t, [usize; 5]) {
        let slots = [1, 2].map(std::ptr::without_provenance::<c_void>);
        let mut table = [7_usize; 5];
        let version = ze_api_version_t::new(major, minor);
        // SAFETY: the table has room for more than is written.
        let result = unsafe { fill(version, table.as_mut_ptr().cast(), &slots, LENGTHS, LATER) };
        (result, table)
    }

    #[test]
    fn a_version_gets_the_functions_that_it_has() {
        let ok = ze_result_t::ZE_RESULT_SUCCESS;
        assert_eq!(filled(1, 0), (ok, [7, 7, 7, 7, 7]));
        assert_eq!(filled(1, 2), (ok, [1, 7, 7, 7, 7]));
        assert_eq!(filled(1, 5), (ok, [1, 2, 7, 7, 7]));
        let (_, table) = filled(1, 6);
        assert_eq!((&table[..2], &table[3..]), (&[1, 2][..], &[7, 7][..]));
        let description = kernel_cpu::later_function("zeDriverGetLastErrorDescription").expect("it is there");
        assert_eq!(table[2], description.addr());
        let (_, table) = filled(1, u16::MAX);
        assert_eq!(table[3..], [(unsupported as Slot).addr(), 7]);
    }

    #[test]
    fn other_versions_and_no_table_are_errors() {
        let refused = ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
        for major in [0, 2, u16::MAX] {
            assert_eq!(filled(major, 4), (refused, [7; 5]));
        }
        // SAFETY: there is no table.
        let result = unsafe { fill(ze_api_version_t::new(1, 4), std::ptr::null_mut(), &[], &[], &[]) };
        assert_eq!(result, ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
}
