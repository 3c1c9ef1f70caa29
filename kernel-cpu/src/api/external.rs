//! Memory that others have too: other interfaces of the machine, for which it is that of anonymous files, whose descriptors go from one to the other as opaque numbers, and the program
//! itself, which has allocated it elsewhere.

use super::{Answer, describe};
use crate::exec::runs_twice;
use crate::memory::{Allocation, Origin, SharedFile, Usage, page_size};
use level_zero_sys::{
    find_in_chain, ze_external_memmap_sysmem_ext_desc_t, ze_external_memory_export_desc_t,
    ze_external_memory_export_fd_t, ze_external_memory_import_fd_t, ze_external_memory_import_win32_handle_t,
    ze_external_memory_type_flags_t, ze_host_mem_alloc_desc_t, ze_memory_allocation_properties_t,
    ze_result_t,
};
use std::ffi::c_void;
use std::sync::Arc;

const OPAQUE_FD: ze_external_memory_type_flags_t =
    ze_external_memory_type_flags_t::ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD;

/// What a descriptor says of memory that is not only this driver's.
pub(super) enum Request {
    /// It is to be there for others.
    Export,
    /// It is that of a descriptor.
    Import(i32),
}

/// What the extensions of a descriptor ask for, if they do.
///
/// # Safety
///
/// The chain must be valid.
pub(super) unsafe fn request(next: *const c_void) -> Answer<Option<Request>> {
    // SAFETY: the caller vouches for the chain, and what is in it is valid for reads.
    unsafe {
        if find_in_chain::<ze_external_memory_import_win32_handle_t>(next).is_some() {
            return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
        }
        if let Some(import) = find_in_chain::<ze_external_memory_import_fd_t>(next) {
            let ze_external_memory_import_fd_t { flags, fd, .. } = import.read();
            check(flags)?;
            return Ok(Some(Request::Import(fd)));
        }
        let Some(export) = find_in_chain::<ze_external_memory_export_desc_t>(next) else { return Ok(None) };
        let flags = export.read().flags;
        if flags.is_empty() {
            return Ok(None);
        }
        check(flags)?;
        Ok(Some(Request::Export))
    }
}

/// The memory of the program that a descriptor is to make so many bytes of the driver's of, if there is some.
///
/// # Safety
///
/// The chain of the descriptor must be valid, and what memory it names must stay as long as what is made of it.
pub(super) unsafe fn of_program(
    descriptor: &ze_host_mem_alloc_desc_t,
    size: usize,
    alignment: usize,
) -> Answer<Option<Allocation>> {
    /// `ZE_HOST_MEM_ALLOC_FLAG_MEM_READ_ONLY`, of version 1.10.
    const READ_ONLY: u32 = 1 << 4;
    // SAFETY: the caller vouches for the chain, and what is in it is valid for reads.
    let found = unsafe {
        let found = find_in_chain::<ze_external_memmap_sysmem_ext_desc_t>(descriptor.pNext);
        found.map(|found| found.read())
    };
    let Some(ze_external_memmap_sysmem_ext_desc_t { pSystemMemory: start, size: whole, .. }) = found else {
        return Ok(None);
    };
    if runs_twice() {
        describe(
            "kernels run twice, from the same memory, for which that of the program must not be changed back",
        );
        return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    }
    if start.is_null() {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    if size as u64 != whole {
        describe("the size of the memory of the program is another one than that of the allocation");
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
    }
    if !start.addr().is_multiple_of(alignment.max(1)) {
        return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    }
    let memory = Allocation::of_program(start.cast(), size, descriptor.flags.0 & READ_ONLY != 0);
    memory.map(Some).ok_or_else(|| {
        describe("memory of the program has to be whole pages that it may access, and write to unless kernels may only read them");
        ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT
    })
}

/// Whether memory can be handed on in this way.
fn check(flags: ze_external_memory_type_flags_t) -> Answer {
    /// The flags of version 1.4 end here.
    const KNOWN_FLAGS: u32 = 0xff;
    if flags.0 & !KNOWN_FLAGS != 0 || flags.is_empty() {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
    }
    if flags == OPAQUE_FD && cfg!(target_os = "linux") {
        return Ok(());
    }
    describe(
        "zeDeviceGetExternalMemoryProperties says that memory is imported and exported as opaque file descriptors alone",
    );
    Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION)
}

impl Request {
    /// The memory that is asked for.
    pub(super) fn allocation(&self, size: usize, alignment: usize) -> Answer<Allocation> {
        if alignment > page_size() {
            return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
        }
        let file = match self {
            Self::Export => {
                let length = size.checked_next_multiple_of(page_size()).and_then(SharedFile::new);
                length.ok_or(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)?
            }
            Self::Import(descriptor) => SharedFile::of_descriptor(*descriptor).ok_or_else(|| {
                describe("the descriptor is that of no file that memory can be in, or of one that somebody could make shorter");
                ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT
            })?,
        };
        if size > file.size() {
            describe("the file of the descriptor is smaller than the memory");
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
        }
        let memory = Allocation::of_file(Arc::new(file), 0, size, Usage::Device, Origin::Allocated);
        let memory = memory.ok_or(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)?;
        Ok(if matches!(self, Self::Export) { memory.exported() } else { memory })
    }
}

/// Gives the host a descriptor of memory, if it asks for one. It is the host's to close.
///
/// # Safety
///
/// The chain of the properties must be valid.
pub(super) unsafe fn export(
    properties: &ze_memory_allocation_properties_t,
    memory: Option<&Allocation>,
) -> Answer {
    // SAFETY: the caller vouches for the chain.
    let Some(mut export) = (unsafe { find_in_chain::<ze_external_memory_export_fd_t>(properties.pNext) })
    else {
        return Ok(());
    };
    // SAFETY: what is in the chain is valid, and nothing else refers to it meanwhile.
    let export = unsafe { export.as_mut() };
    check(export.flags)?;
    let memory = memory.filter(|memory| memory.is_exported).ok_or_else(|| {
        describe("the memory was not allocated for others (ze_external_memory_export_desc_t)");
        ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT
    })?;
    let shared = memory.share().and_then(|(file, _)| file.give_descriptor());
    export.fd = shared.ok_or(ze_result_t::ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY)?;
    Ok(())
}
