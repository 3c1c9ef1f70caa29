//! Addresses that are reserved, and physical memory that is mapped there.

use crate::driver::{Gpu, KERNELS, Outcome, api, set, set_group_size};
use level_zero_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

const READ_WRITE: ze_memory_access_attribute_t =
    ze_memory_access_attribute_t::ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE;
const READ_ONLY: ze_memory_access_attribute_t =
    ze_memory_access_attribute_t::ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY;
const NOTHING: ze_memory_access_attribute_t = ze_memory_access_attribute_t::ZE_MEMORY_ACCESS_ATTRIBUTE_NONE;

const INVALID: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
const UNSUPPORTED_SIZE: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
const UNALIGNED: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
const NULL_POINTER: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
const LOST: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST);

/// The functions without the C.
impl Gpu {
    fn page(&self) -> usize {
        let mut page = 0;
        // SAFETY: the pointer is to a live variable.
        unsafe {
            api().zeVirtualMemQueryPageSize(self.context, self.device, 1, &mut page).into_result().unwrap();
        }
        page
    }

    fn reserve(&self, size: usize) -> Outcome<usize> {
        let mut pointer = null_mut();
        // SAFETY: as above.
        let reserved = unsafe { api().zeVirtualMemReserve(self.context, null(), size, &mut pointer) };
        reserved.into_result().map(|()| pointer.addr())
    }

    fn physical(&self, size: usize) -> Outcome<ze_physical_mem_handle_t> {
        let mut descriptor = ze_physical_mem_desc_t { size, ..Default::default() };
        let mut memory = ze_physical_mem_handle_t::NULL;
        // SAFETY: as above.
        let made =
            unsafe { api().zePhysicalMemCreate(self.context, self.device, &mut descriptor, &mut memory) };
        made.into_result().map(|()| memory)
    }

    fn map(
        &self,
        at: usize,
        size: usize,
        memory: ze_physical_mem_handle_t,
        offset: usize,
        attribute: ze_memory_access_attribute_t,
    ) -> Outcome {
        // SAFETY: any values may be passed.
        unsafe {
            api().zeVirtualMemMap(self.context, pointer(at), size, memory, offset, attribute).into_result()
        }
    }

    fn unmap(&self, at: usize, size: usize) -> Outcome {
        // SAFETY: any values may be passed.
        unsafe { api().zeVirtualMemUnmap(self.context, pointer(at), size).into_result() }
    }

    fn release(&self, at: usize, size: usize) -> Outcome {
        // SAFETY: any values may be passed.
        unsafe { api().zeVirtualMemFree(self.context, pointer(at), size).into_result() }
    }

    fn protect(&self, at: usize, size: usize, attribute: ze_memory_access_attribute_t) -> Outcome {
        // SAFETY: any values may be passed.
        unsafe {
            api().zeVirtualMemSetAccessAttribute(self.context, pointer(at), size, attribute).into_result()
        }
    }

    fn attribute(&self, at: usize, size: usize) -> Outcome<(ze_memory_access_attribute_t, usize)> {
        let (mut attribute, mut same) = (READ_WRITE, 0);
        // SAFETY: pointers are to live variables.
        let asked = unsafe {
            api().zeVirtualMemGetAccessAttribute(self.context, pointer(at), size, &mut attribute, &mut same)
        };
        asked.into_result().map(|()| (attribute, same))
    }

    /// Fills memory with a byte.
    fn fill(&self, at: usize, size: usize, byte: u8) -> Outcome {
        let (event, waits) = (ze_event_handle_t::NULL, null_mut());
        // SAFETY: the pattern is live; whether the memory is, is for the driver to notice.
        unsafe {
            api()
                .zeCommandListAppendMemoryFill(
                    self.list,
                    pointer(at).cast_mut(),
                    (&raw const byte).cast(),
                    1,
                    size,
                    event,
                    0,
                    waits,
                )
                .into_result()
        }
    }

    /// What is in memory.
    fn read_back(&self, at: usize, size: usize) -> Outcome<Vec<u8>> {
        let mut bytes = vec![0_u8; size];
        let (to, event) = (bytes.as_mut_ptr().cast(), ze_event_handle_t::NULL);
        // SAFETY: there is room for the bytes; whether the memory is live is for the driver to notice.
        let copied = unsafe {
            api().zeCommandListAppendMemoryCopy(self.list, to, pointer(at), size, event, 0, null_mut())
        };
        copied.into_result().map(|()| bytes)
    }
}

fn pointer(address: usize) -> *const c_void {
    std::ptr::with_exposed_provenance(address)
}

#[test]
fn physical_memory_is_wherever_it_is_mapped() {
    let gpu = Gpu::new();
    let page = gpu.page();
    let range = gpu.reserve(8 * page).unwrap();
    let memory = gpu.physical(4 * page).unwrap();
    gpu.map(range, 2 * page, memory, 0, READ_WRITE).unwrap();
    gpu.map(range + 4 * page, 2 * page, memory, page, READ_WRITE).unwrap();
    gpu.fill(range, 2 * page, 3).unwrap();
    gpu.fill(range + 5 * page, page, 4).unwrap();
    // The second page of the memory is in both places.
    assert_eq!(gpu.read_back(range + 4 * page, page).unwrap(), vec![3; page]);
    gpu.unmap(range, 2 * page).unwrap();
    assert_eq!(gpu.read_back(range, page), INVALID.map(|()| Vec::new()), "it is not there any more");
    gpu.map(range, 4 * page, memory, 0, READ_WRITE).unwrap();
    let all = gpu.read_back(range, 4 * page).unwrap();
    assert_eq!(all[..2 * page], vec![3; 2 * page]);
    assert_eq!((all[2 * page], all[3 * page]), (4, 0));
    // SAFETY: the handle is live.
    unsafe { api().zePhysicalMemDestroy(gpu.context, memory).into_result().unwrap() };
    assert_eq!(gpu.read_back(range, 1).unwrap(), [3], "what is mapped stays");
    gpu.release(range, 8 * page).unwrap();
    assert_eq!(gpu.unmap(range, page), INVALID);
}

#[test]
fn kernels_go_from_page_to_page() {
    let gpu = Gpu::new();
    let page = gpu.page();
    let range = gpu.reserve(2 * page).unwrap();
    // Two pieces of memory, the second one before the first.
    let [first, second] = [(); 2].map(|()| gpu.physical(page).unwrap());
    gpu.map(range + page, page, first, 0, READ_WRITE).unwrap();
    gpu.map(range, page, second, 0, READ_WRITE).unwrap();
    let count = 2 * page / 4;
    for spirv in KERNELS {
        gpu.fill(range, 2 * page, 0).unwrap();
        let kernel = gpu.kernel(spirv, "collatz");
        set(kernel, 0, range).unwrap();
        set_group_size(kernel, [64, 1, 1]).unwrap();
        gpu.launch(kernel, [(count / 64) as u32, 1, 1]).unwrap();
        let by_pages = gpu.read_back(range, 2 * page).unwrap();
        let plain = gpu.buffer(&vec![0_u32; count]);
        set(kernel, 0, plain.pointer).unwrap();
        gpu.launch(kernel, [(count / 64) as u32, 1, 1]).unwrap();
        let expected: Vec<u8> = plain.read().iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(by_pages, expected);
        assert!(expected.iter().any(|byte| *byte != 0));
    }
    gpu.release(range, 2 * page).unwrap();
}

#[test]
fn what_may_only_be_read_is_not_written() {
    let gpu = Gpu::new();
    let page = gpu.page();
    let range = gpu.reserve(3 * page).unwrap();
    let memory = gpu.physical(3 * page).unwrap();
    gpu.map(range, 3 * page, memory, 0, READ_WRITE).unwrap();
    gpu.fill(range, 3 * page, 1).unwrap();
    gpu.protect(range + page, page, READ_ONLY).unwrap();
    gpu.protect(range + 2 * page, page, NOTHING).unwrap();
    assert_eq!(gpu.attribute(range, 3 * page), Ok((READ_WRITE, page)));
    assert_eq!(gpu.attribute(range + page, 2 * page), Ok((READ_ONLY, page)));
    assert_eq!(gpu.attribute(range + 2 * page, page), Ok((NOTHING, page)));
    assert_eq!(gpu.fill(range, page, 2), Ok(()));
    assert_eq!(gpu.fill(range + page, page, 2), INVALID);
    assert_eq!(gpu.fill(range + 2 * page, page, 2), INVALID);
    assert_eq!(gpu.read_back(range + page, page).unwrap(), vec![1; page]);
    assert!(gpu.read_back(range + 2 * page, 1).is_err());
    for spirv in KERNELS {
        let kernel = gpu.kernel(spirv, "collatz");
        set_group_size(kernel, [16, 1, 1]).unwrap();
        set(kernel, 0, range).unwrap();
        assert_eq!(gpu.launch(kernel, [1, 1, 1]), Ok(()));
        set(kernel, 0, range + page).unwrap();
        assert_eq!(gpu.launch(kernel, [1, 1, 1]), LOST);
        let said = gpu.last_error();
        assert!(said.contains("may only be read") && said.contains("writes"), "{said}");
        set(kernel, 0, range + 2 * page).unwrap();
        assert_eq!(gpu.launch(kernel, [1, 1, 1]), LOST);
        let said = gpu.last_error();
        assert!(said.contains("in no live allocation"), "{said}");
    }
    assert_eq!(gpu.read_back(range + page, page).unwrap(), vec![1; page]);
    gpu.protect(range, 3 * page, READ_WRITE).unwrap();
    assert_eq!(gpu.attribute(range, 3 * page), Ok((READ_WRITE, 3 * page)));
    assert_eq!(gpu.read_back(range + 2 * page, page).unwrap(), vec![1; page], "it was there all the time");
}

#[test]
fn pages_that_are_taken_away_are_there_for_what_was_appended_before() {
    let gpu = Gpu::new();
    let page = gpu.page();
    let range = gpu.reserve(page).unwrap();
    let [old, new] = [(); 2].map(|()| gpu.physical(page).unwrap());
    gpu.map(range, page, old, 0, READ_WRITE).unwrap();
    let mut list = ze_command_list_handle_t::NULL;
    let mut queue = ze_command_queue_handle_t::NULL;
    let kernel = gpu.kernel(KERNELS[0], "collatz");
    set_group_size(kernel, [16, 1, 1]).unwrap();
    set(kernel, 0, range).unwrap();
    // SAFETY: pointers are to live variables, and the handles are live.
    unsafe {
        let (context, device) = (gpu.context, gpu.device);
        api().zeCommandListCreate(context, device, &Default::default(), &mut list).into_result().unwrap();
        api().zeCommandQueueCreate(context, device, &Default::default(), &mut queue).into_result().unwrap();
    }
    crate::driver::append_launch(list, kernel, [4, 1, 1], ze_event_handle_t::NULL).unwrap();
    gpu.unmap(range, page).unwrap();
    let run = || {
        // SAFETY: as above.
        unsafe {
            api().zeCommandListClose(list).into_result().unwrap();
            let fence = ze_fence_handle_t::NULL;
            api().zeCommandQueueExecuteCommandLists(queue, 1, &mut { list }, fence).into_result().unwrap();
            api().zeCommandQueueSynchronize(queue, crate::driver::FOREVER).into_result()
        }
    };
    assert_eq!(run(), Ok(()), "the list still has the pages");
    gpu.map(range, page, new, 0, READ_ONLY).unwrap();
    // Nothing harmful happens: the list writes to what is there now.
    assert_eq!(run(), Ok(()));
    // SAFETY: as above.
    unsafe {
        api().zeCommandListDestroy(list).into_result().unwrap();
        api().zeCommandQueueDestroy(queue).into_result().unwrap();
    }
    assert_eq!(gpu.attribute(range, page), Ok((READ_ONLY, page)));
    assert_eq!(gpu.read_back(range, 4).unwrap().len(), 4, "newer pages outlive the older ones");
    gpu.release(range, page).unwrap();
}

#[test]
fn wrong_ranges_have_codes() {
    let gpu = Gpu::new();
    let page = gpu.page();
    assert_eq!(gpu.reserve(0).map(drop), UNSUPPORTED_SIZE);
    assert_eq!(gpu.reserve(page + 1).map(drop), UNSUPPORTED_SIZE);
    let most = usize::MAX / page * page;
    assert_eq!(gpu.reserve(most).map(drop), Err(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY));
    assert_eq!(gpu.physical(0).map(drop), UNSUPPORTED_SIZE);
    assert_eq!(gpu.physical(page - 1).map(drop), UNSUPPORTED_SIZE);
    assert_eq!(gpu.physical(most).map(drop), UNSUPPORTED_SIZE);
    let (range, memory) = (gpu.reserve(4 * page).unwrap(), gpu.physical(2 * page).unwrap());
    let map = |at, size, offset| gpu.map(at, size, memory, offset, READ_WRITE);
    assert_eq!(map(0, page, 0), NULL_POINTER);
    assert_eq!(map(range, 0, 0), UNSUPPORTED_SIZE);
    assert_eq!(map(range, page / 2, 0), UNSUPPORTED_SIZE);
    assert_eq!(map(range + 8, page, 0), UNALIGNED);
    assert_eq!(map(range, page, 8), UNALIGNED);
    let size = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
    assert_eq!(map(range, 3 * page, 0), size);
    assert_eq!(map(range, page, 2 * page), size);
    assert_eq!(map(range, page, most), size);
    assert_eq!(map(range + 3 * page, 2 * page, 0), INVALID);
    assert_eq!(map(range - page, page, 0), INVALID);
    assert_eq!(map(most, page, 0), INVALID);
    let enumeration = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
    let unknown = ze_memory_access_attribute_t(3);
    assert_eq!(gpu.map(range, page, memory, 0, unknown), enumeration);
    assert_eq!(gpu.protect(range, page, unknown), enumeration);
    map(range, page, 0).unwrap();
    assert_eq!(map(range, page, page), INVALID, "something is there");
    assert!(gpu.last_error().contains("unmapped first"));
    assert_eq!(gpu.attribute(range, 5 * page).map(drop), INVALID);
    assert_eq!(gpu.protect(range, page / 2, READ_ONLY), UNSUPPORTED_SIZE);
    assert_eq!(gpu.unmap(range + 1, page), UNALIGNED);
    assert_eq!(gpu.unmap(range + page, page), Ok(()), "nothing is there");
    assert_eq!(gpu.release(range, page), INVALID, "it is a part");
    assert_eq!(gpu.release(range + page, 3 * page), INVALID);
    // What is mapped is no allocation that could be freed.
    // SAFETY: any pointer may be passed.
    unsafe {
        assert_eq!(api().zeMemFree(gpu.context, pointer(range).cast_mut()).into_result(), INVALID);
    }
    gpu.release(range, 4 * page).unwrap();
    assert_eq!(gpu.release(range, 4 * page), INVALID);
}

#[test]
fn wrong_handles_have_codes() {
    let (gpu, other) = (Gpu::new(), Gpu::new());
    let page = gpu.page();
    let (range, memory) = (gpu.reserve(page).unwrap(), gpu.physical(page).unwrap());
    let null_handle = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_eq!(gpu.map(range, page, ze_physical_mem_handle_t::NULL, 0, READ_WRITE), null_handle);
    assert_eq!(gpu.map(range, page, ze_physical_mem_handle_t(gpu.list.0), 0, READ_WRITE), INVALID);
    assert_eq!(other.map(range, page, memory, 0, READ_WRITE), INVALID, "both are of another context");
    let of_other = other.physical(page).unwrap();
    assert_eq!(gpu.map(range, page, of_other, 0, READ_WRITE), INVALID);
    assert_eq!(other.unmap(range, page), INVALID);
    assert_eq!(other.release(range, page), INVALID);
    let mut size = 0;
    let mut descriptor = ze_physical_mem_desc_t { size: page, ..Default::default() };
    let mut unknown = ze_physical_mem_desc_t { flags: ze_physical_mem_flags_t(4), ..descriptor };
    let mut made = ze_physical_mem_handle_t::NULL;
    // SAFETY: pointers are to live variables or null, and the handles are wrong on purpose.
    unsafe {
        let (context, device) = (gpu.context, gpu.device);
        let no_context = ze_context_handle_t::NULL;
        let destroy = |context, memory| api().zePhysicalMemDestroy(context, memory).into_result();
        assert_eq!(destroy(other.context, memory), INVALID);
        assert_eq!(destroy(context, ze_physical_mem_handle_t::NULL), null_handle);
        assert_eq!(destroy(context, memory), Ok(()));
        assert_eq!(destroy(context, memory), INVALID);
        let query = |context, device, size, to| {
            api().zeVirtualMemQueryPageSize(context, device, size, to).into_result()
        };
        assert_eq!(query(no_context, device, 1, &raw mut size), null_handle);
        assert_eq!(query(context, ze_device_handle_t::NULL, 1, &raw mut size), null_handle);
        assert_eq!(query(context, device, 0, &raw mut size), UNSUPPORTED_SIZE);
        assert_eq!(query(context, device, 1, null_mut()), NULL_POINTER);
        let create =
            |device, descriptor, to| api().zePhysicalMemCreate(context, device, descriptor, to).into_result();
        assert_eq!(create(ze_device_handle_t::NULL, &raw mut descriptor, &raw mut made), null_handle);
        assert_eq!(create(device, null_mut(), &raw mut made), NULL_POINTER);
        assert_eq!(create(device, &raw mut descriptor, null_mut()), NULL_POINTER);
        let enumeration = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
        assert_eq!(create(device, &raw mut unknown, &raw mut made), enumeration);
        let reserve = |start, to| api().zeVirtualMemReserve(context, start, page, to).into_result();
        assert_eq!(reserve(null(), null_mut()), NULL_POINTER);
        assert_eq!(reserve(pointer(8), &mut null_mut()), UNALIGNED);
    }
}

#[test]
fn a_range_is_reserved_where_it_is_asked_for() {
    let gpu = Gpu::new();
    let page = gpu.page();
    let free = gpu.reserve(16 * page).unwrap();
    gpu.release(free, 16 * page).unwrap();
    let mut at = null_mut();
    // SAFETY: the pointer is to a live variable.
    let again = unsafe { api().zeVirtualMemReserve(gpu.context, pointer(free), 16 * page, &mut at) };
    again.into_result().unwrap();
    let taken = at.addr();
    // SAFETY: as above.
    let other = unsafe { api().zeVirtualMemReserve(gpu.context, pointer(taken), page, &mut at) };
    other.into_result().unwrap();
    assert!(!(taken..taken + 16 * page).contains(&at.addr()), "the place is taken");
}

#[test]
fn attributes_can_be_set_before_anything_is_mapped() {
    let gpu = Gpu::new();
    let page = gpu.page();
    let range = gpu.reserve(4 * page).unwrap();
    assert_eq!(gpu.attribute(range, 4 * page), Ok((NOTHING, 4 * page)));
    gpu.protect(range + page, 2 * page, READ_ONLY).unwrap();
    assert_eq!(gpu.attribute(range, 4 * page), Ok((NOTHING, page)));
    assert_eq!(gpu.attribute(range + page, 3 * page), Ok((READ_ONLY, 2 * page)));
    assert!(gpu.read_back(range + page, 1).is_err(), "there is no memory");
    let memory = gpu.physical(page).unwrap();
    gpu.map(range + page, page, memory, 0, READ_WRITE).unwrap();
    assert_eq!(gpu.attribute(range + page, page), Ok((READ_WRITE, page)));
    gpu.unmap(range + page, page).unwrap();
    assert_eq!(gpu.attribute(range + page, page), Ok((NOTHING, page)));
}
