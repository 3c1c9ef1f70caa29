//! Virtual memory: ranges of addresses that a context reserves, and the pages of physical memory that it maps into them.

use super::context::Context;
use super::device::Device;
use super::registry::{get, insert, objects, remove};
use super::{Answer, describe, guard, read, write};
use crate::limits;
use crate::memory::{Allocation, Intervals, Mapped, Reservation, SharedFile, page_size};
use level_zero_sys::{
    ze_context_handle_t, ze_device_handle_t, ze_memory_access_attribute_t, ze_physical_mem_desc_t,
    ze_physical_mem_handle_t, ze_result_t, ze_structure_type_t,
};
use std::ffi::c_void;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;

/// Memory that is nowhere until it is mapped.
pub(super) struct PhysicalMemory {
    context: Arc<Context>,
    memory: Arc<SharedFile>,
}

objects! { PhysicalMemory: ze_physical_mem_handle_t = 14; }

/// What kernels and commands may do with memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attribute {
    ReadWrite,
    ReadOnly,
}

impl Attribute {
    /// None if nothing may be done.
    fn parse(attribute: ze_memory_access_attribute_t) -> Answer<Option<Self>> {
        match attribute {
            ze_memory_access_attribute_t::ZE_MEMORY_ACCESS_ATTRIBUTE_NONE => Ok(None),
            ze_memory_access_attribute_t::ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE => Ok(Some(Self::ReadWrite)),
            ze_memory_access_attribute_t::ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY => Ok(Some(Self::ReadOnly)),
            _ => Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION),
        }
    }

    fn name(attribute: Option<Self>) -> ze_memory_access_attribute_t {
        match attribute {
            None => ze_memory_access_attribute_t::ZE_MEMORY_ACCESS_ATTRIBUTE_NONE,
            Some(Self::ReadWrite) => ze_memory_access_attribute_t::ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE,
            Some(Self::ReadOnly) => ze_memory_access_attribute_t::ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY,
        }
    }
}

/// A range of addresses that the host has reserved, with what is in it.
pub(super) struct VirtualRange {
    reservation: Arc<Reservation>,
    /// The mappings, by offsets.
    mapped: Intervals<Arc<Mapped>>,
    /// What may be done, by offsets; nothing where nothing is said.
    attributes: Intervals<Attribute>,
}

/// Pages next to each other with which the same may be done.
struct Run {
    range: Range<usize>,
    attribute: Attribute,
    pages: Vec<Arc<Mapped>>,
}

impl VirtualRange {
    fn new(reservation: Arc<Reservation>) -> Self {
        Self { reservation, mapped: Intervals::default(), attributes: Intervals::default() }
    }

    /// The offsets of some of its addresses, if all of them are its own.
    fn offsets(&self, address: u64, size: usize) -> Option<Range<usize>> {
        let span = self.reservation.span();
        let start = (address.wrapping_sub(span.start)) as usize;
        span.contains(address, size as u64).then(|| start..start + size)
    }

    /// All pages that may be accessed.
    fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for (mapped, page) in self.mapped.iter() {
            for (range, &attribute) in self.attributes.within(mapped) {
                match runs.last_mut() {
                    Some(run) if run.range.end == range.start && run.attribute == attribute => {
                        run.range.end = range.end;
                        run.pages.push(Arc::clone(page));
                    }
                    _ => runs.push(Run { range, attribute, pages: vec![Arc::clone(page)] }),
                }
            }
        }
        runs
    }

    /// Tells the context which memory there is now.
    fn publish(&self, context: &Context) {
        let allocation = |run: Run| {
            let start = NonNull::new(self.reservation.start().wrapping_add(run.range.start))?;
            let is_read_only = run.attribute == Attribute::ReadOnly;
            Some(Allocation::of_pages(start, run.range.len(), is_read_only, run.pages))
        };
        let allocations = self.runs().into_iter().filter_map(allocation).collect();
        context.memory.replace_mapped(self.reservation.span(), allocations);
    }
}

/// Checks that a range is of whole pages.
fn check_pages(pointer: *const c_void, size: usize) -> Answer {
    if pointer.is_null() {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    if size == 0 || !size.is_multiple_of(page_size()) {
        return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    }
    if !pointer.addr().is_multiple_of(page_size()) {
        return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    }
    Ok(())
}

/// Changes the range that has these pages, and tells the context of it.
fn change(
    context: ze_context_handle_t,
    pointer: *const c_void,
    size: usize,
    change: impl FnOnce(&mut VirtualRange, Range<usize>) -> Answer,
) -> Answer {
    let context = get::<Context>(context)?;
    check_pages(pointer, size)?;
    let mut ranges = context.virtual_ranges();
    let (range, offsets) = find(&mut ranges, pointer, size)?;
    change(range, offsets)?;
    range.publish(&context);
    Ok(())
}

/// The range that has all of these addresses, with their offsets.
fn find(
    ranges: &mut [VirtualRange],
    pointer: *const c_void,
    size: usize,
) -> Answer<(&mut VirtualRange, Range<usize>)> {
    let found = ranges.iter_mut().find_map(|range| {
        let offsets = range.offsets(pointer.addr() as u64, size)?;
        Some((range, offsets))
    });
    found.ok_or_else(|| {
        describe(
            "the addresses are not all in one range that zeVirtualMemReserve has reserved in the context",
        );
        ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT
    })
}

pub(super) unsafe extern "C" fn reserve(
    context: ze_context_handle_t,
    start: *const c_void,
    size: usize,
    pointer: *mut *mut c_void,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(pointer, std::ptr::null_mut())? };
        // Without a start any pages will do.
        check_pages(if start.is_null() { std::ptr::without_provenance(page_size()) } else { start }, size)?;
        let reservation =
            Reservation::new(start, size).ok_or(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)?;
        let address = reservation.start();
        context.memory.reserve(reservation.span());
        context.virtual_ranges().push(VirtualRange::new(Arc::new(reservation)));
        // SAFETY: as above.
        unsafe { write(pointer, address.cast()) }
    })
}

/// Ends a reservation as a whole, with all that is mapped in it.
pub(super) unsafe extern "C" fn free(
    context: ze_context_handle_t,
    pointer: *const c_void,
    size: usize,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        check_pages(pointer, size)?;
        let mut ranges = context.virtual_ranges();
        let place = ranges.iter().position(|range| {
            let span = range.reservation.span();
            (span.start, span.length) == (pointer.addr() as u64, size as u64)
        });
        let place = place.ok_or_else(|| {
            describe(
                "what is freed is not a whole range that zeVirtualMemReserve has reserved in the context",
            );
            ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT
        })?;
        let range = ranges.swap_remove(place);
        context.memory.replace_mapped(range.reservation.span(), Vec::new());
        context.memory.unreserve(range.reservation.span());
        Ok(())
    })
}

/// All sizes are of the pages that the system has.
pub(super) unsafe extern "C" fn query_page_size(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    size: usize,
    page: *mut usize,
) -> ze_result_t {
    guard(|| {
        get::<Context>(context)?;
        get::<Device>(device)?;
        if size == 0 {
            return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
        }
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(page, page_size()) }
    })
}

pub(super) unsafe extern "C" fn physical_create(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    descriptor: *mut ze_physical_mem_desc_t,
    memory: *mut ze_physical_mem_handle_t,
) -> ze_result_t {
    /// The flags of version 1.9: that the memory is one of the device, or of the host. Both are the same here.
    const KNOWN_FLAGS: u32 = 3;
    guard(|| {
        let context = get::<Context>(context)?;
        get::<Device>(device)?;
        // SAFETY: the host passes valid pointers or null.
        let descriptor = unsafe {
            write(memory, ze_physical_mem_handle_t::NULL)?;
            read(descriptor.cast_const())?
        };
        if descriptor.flags.0 & !KNOWN_FLAGS != 0 {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
        }
        let size = descriptor.size;
        let fits = size != 0 && size as u64 <= limits::max_allocation();
        if !fits || !size.is_multiple_of(page_size()) {
            return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
        }
        let file = SharedFile::new(size).ok_or(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)?;
        let created = PhysicalMemory { context, memory: Arc::new(file) };
        // SAFETY: as above.
        unsafe { write(memory, insert(Arc::new(created))?) }
    })
}

/// Ends the handle; what is mapped stays until it is unmapped.
pub(super) unsafe extern "C" fn physical_destroy(
    context: ze_context_handle_t,
    memory: ze_physical_mem_handle_t,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        let object = get::<PhysicalMemory>(memory)?;
        check_context(&context, &object)?;
        remove::<PhysicalMemory>(memory).map(drop)
    })
}

/// `ze_physical_mem_properties_t` of version 1.15.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct PhysicalProperties {
    stype: ze_structure_type_t,
    next: *mut c_void,
    id: u64,
    size: u64,
}

/// `zePhysicalMemGetProperties` of version 1.15. The number is that of the handle, which no other memory has.
pub(super) unsafe extern "C" fn physical_get_properties(
    context: ze_context_handle_t,
    memory: ze_physical_mem_handle_t,
    properties: *mut PhysicalProperties,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        let object = get::<PhysicalMemory>(memory)?;
        check_context(&context, &object)?;
        // SAFETY: the host passes a valid pointer or null.
        let before = unsafe { read(properties.cast_const())? };
        let (id, size) = (memory.0.addr() as u64, object.memory.size() as u64);
        // SAFETY: as above.
        unsafe { write(properties, PhysicalProperties { id, size, ..before }) }
    })
}

fn check_context(context: &Arc<Context>, memory: &PhysicalMemory) -> Answer {
    if Arc::ptr_eq(context, &memory.context) {
        return Ok(());
    }
    describe("the physical memory is that of another context");
    Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)
}

pub(super) unsafe extern "C" fn map(
    context: ze_context_handle_t,
    pointer: *const c_void,
    size: usize,
    memory: ze_physical_mem_handle_t,
    offset: usize,
    attribute: ze_memory_access_attribute_t,
) -> ze_result_t {
    guard(|| {
        let object = get::<Context>(context)?;
        let memory = get::<PhysicalMemory>(memory)?;
        check_context(&object, &memory)?;
        let attribute = Attribute::parse(attribute)?;
        change(context, pointer, size, |range, offsets| {
            if !offset.is_multiple_of(page_size()) {
                return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
            }
            if offset.checked_add(size).is_none_or(|end| end > memory.memory.size()) {
                describe("the range is not in the physical memory");
                return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
            }
            if range.mapped.within(&offsets).next().is_some() {
                describe("something is mapped there, and has to be unmapped first");
                return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
            }
            let mapped = Mapped::new(&range.reservation, offsets.clone(), &memory.memory, offset);
            let mapped = mapped.ok_or(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)?;
            range.mapped.set(offsets.clone(), Arc::new(mapped));
            set_attribute(range, offsets, attribute);
            Ok(())
        })
    })
}

fn set_attribute(range: &mut VirtualRange, offsets: Range<usize>, attribute: Option<Attribute>) {
    match attribute {
        Some(attribute) => range.attributes.set(offsets, attribute),
        None => range.attributes.clear(&offsets),
    }
}

/// Takes pages away; commands that were appended before can still access them.
pub(super) unsafe extern "C" fn unmap(
    context: ze_context_handle_t,
    pointer: *const c_void,
    size: usize,
) -> ze_result_t {
    guard(|| {
        change(context, pointer, size, |range, offsets| {
            range.mapped.clear(&offsets);
            range.attributes.clear(&offsets);
            Ok(())
        })
    })
}

/// Says what kernels and commands that come may do with pages.
pub(super) unsafe extern "C" fn set_access_attribute(
    context: ze_context_handle_t,
    pointer: *const c_void,
    size: usize,
    attribute: ze_memory_access_attribute_t,
) -> ze_result_t {
    guard(|| {
        let attribute = Attribute::parse(attribute)?;
        change(context, pointer, size, |range, offsets| {
            set_attribute(range, offsets, attribute);
            Ok(())
        })
    })
}

/// What may be done with the first pages of a range, and how many bytes of it that is true of.
pub(super) unsafe extern "C" fn get_access_attribute(
    context: ze_context_handle_t,
    pointer: *const c_void,
    size: usize,
    attribute: *mut ze_memory_access_attribute_t,
    of_size: *mut usize,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        check_pages(pointer, size)?;
        let mut ranges = context.virtual_ranges();
        let (range, offsets) = find(&mut ranges, pointer, size)?;
        let (found, same) = first_attribute(&range.attributes, &offsets);
        // SAFETY: the host passes valid pointers or null.
        unsafe {
            write(attribute, Attribute::name(found))?;
            write(of_size, same)
        }
    })
}

/// What is said of the start of a range, and of how much of it.
fn first_attribute(attributes: &Intervals<Attribute>, range: &Range<usize>) -> (Option<Attribute>, usize) {
    let mut parts = attributes.within(range);
    let Some((first, &attribute)) = parts.next() else { return (None, range.len()) };
    if first.start != range.start {
        return (None, first.start - range.start);
    }
    let mut end = first.end;
    for (part, &other) in parts {
        if (part.start, other) == (end, attribute) {
            end = part.end;
        } else {
            break;
        }
    }
    (Some(attribute), end - range.start)
}
