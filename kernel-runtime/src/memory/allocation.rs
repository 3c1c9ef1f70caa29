//! Memory of the driver, with an owner that gives it back.

use crate::device::Device;
use crate::error::DriverError;
use crate::error::driver::call;
use crate::error::last_error::explain;
use crate::memory::image::ImageHandle;
use crate::memory::import::Imported;
use crate::memory::pool::Block;
use crate::memory::usage::Usage;
use crate::memory::usm::UsmKind;
use crate::memory::views::Views;
use crate::queue::event::EventHandle;
use crate::queue::graph::ListHandle;
use crate::trace;
use core::any::Any;
use core::ffi::c_void;
use level_zero_sys::{ze_device_mem_alloc_desc_t, ze_host_mem_alloc_desc_t};
use std::{mem, ptr};

/// The alignment of all memory at least, in bytes: a cache line.
const ALIGNMENT: usize = 64;

/// The part of a device's memory that is kept for later buffers, at most.
const KEPT_SHARE: u64 = 16;

/// An address in memory of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Address(*mut c_void);

/// Whether memory may be kept for later buffers.
fn keeps_memory() -> bool {
    #[cfg(feature = "cpu")]
    {
        !kernel_cpu::checks().memory
    }
    #[cfg(not(feature = "cpu"))]
    {
        true
    }
}

impl Address {
    pub(crate) fn new(address: *mut c_void) -> Self {
        Self(address)
    }

    pub(crate) fn addr(self) -> usize {
        self.0.addr()
    }

    /// One that is no address, for tests of what keeps them.
    #[cfg(test)]
    pub(crate) fn at(number: usize) -> Self {
        Self(ptr::without_provenance_mut(number))
    }
}

// SAFETY: the address is never dereferenced on this side except by its one owner; it is passed to the driver, whose
// memory functions may be called from any thread.
unsafe impl Send for Address {}
// SAFETY: as for `Send`.
unsafe impl Sync for Address {}

/// Memory that kernels of a device can use. Dropping it retires it.
pub(crate) struct Allocation {
    device: Device,
    /// By which it differs from all others, even those that had its address before.
    number: u64,
    block: Block,
    address: Address,
    usage: Usage,
    views: Views,
    owner: Owner,
}

/// Whose memory it is.
enum Owner {
    Driver,
    Program(Imported),
    /// It has been given back.
    Nobody,
}

impl Allocation {
    /// Allocates at least this many bytes, and at least one; their contents are unspecified.
    pub(crate) fn new(device: &Device, kind: UsmKind, bytes: usize) -> Result<Self, DriverError> {
        Self::aligned(device, kind, bytes, ALIGNMENT)
    }

    /// The same at an address for elements of an alignment, a power of two.
    pub(crate) fn aligned(
        device: &Device,
        kind: UsmKind,
        bytes: usize,
        alignment: usize,
    ) -> Result<Self, DriverError> {
        let alignment = alignment.max(ALIGNMENT);
        let block = Block { kind, bytes: whole_words(bytes), alignment };
        let address = match device.pool().take(block) {
            Some(address) => address,
            None => allocate(device, block)?,
        };
        Ok(Self::of(device, block, address, Owner::Driver))
    }

    /// So many bytes of memory that the driver has from the program.
    pub(crate) fn imported(device: &Device, address: Address, bytes: usize, imported: Imported) -> Self {
        let block = Block { kind: UsmKind::Host, bytes, alignment: 1 };
        Self::of(device, block, address, Owner::Program(imported))
    }

    fn of(device: &Device, block: Block, address: Address, owner: Owner) -> Self {
        let (usage, views) = (Usage::default(), Views::default());
        let (device, number) = (device.clone(), trace::next_number());
        Self { device, number, block, address, usage, views, owner }
    }

    /// Whether it is memory that the driver has from the program.
    pub(crate) fn is_imported(&self) -> bool {
        matches!(self.owner, Owner::Program(_))
    }

    /// Takes the memory from the driver, and returns what lent it, if that is of this type. No queue may use it, and nobody afterwards.
    pub(crate) fn give_back<M: Any>(&mut self) -> Result<Option<M>, DriverError> {
        match &self.owner {
            Owner::Program(imported) if imported.lender.is::<M>() => {
                self.device.imports().give_back(&self.device, imported.pages)?
            }
            _ => return Ok(None),
        }
        let Owner::Program(imported) = mem::replace(&mut self.owner, Owner::Nobody) else { return Ok(None) };
        Ok(imported.lender.downcast().ok().map(|lender| *lender))
    }

    /// Where it is.
    pub(crate) fn kind(&self) -> UsmKind {
        self.block.kind
    }

    /// Its size.
    pub(crate) fn bytes(&self) -> usize {
        self.block.bytes
    }

    /// The host's views of it.
    pub(crate) fn views(&self) -> &Views {
        &self.views
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// A number that no other memory has or had.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The queues that use it.
    pub(crate) fn usage(&self) -> &Usage {
        &self.usage
    }

    /// The address on the device.
    pub(crate) fn address(&self) -> *mut c_void {
        self.address.0
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        let resource = match mem::replace(&mut self.owner, Owner::Nobody) {
            Owner::Driver => Resource::Memory(self.block, self.address),
            Owner::Program(imported) => Resource::Imported(imported),
            Owner::Nobody => return,
        };
        self.device.reclaimer().retire(&self.device, resource, self.block.bytes);
    }
}

/// Asks the driver for memory.
fn allocate(device: &Device, block: Block) -> Result<Address, DriverError> {
    let descriptor = ze_device_mem_alloc_desc_t::default();
    let host_descriptor = ze_host_mem_alloc_desc_t::default();
    let mut address = ptr::null_mut();
    let (context, Block { kind, bytes, alignment }) = (device.context()?, block);
    let (api, handle) = (device.api(), device.handle());
    // SAFETY: context and device are live handles of one driver, and all pointers are to live variables.
    unsafe {
        match kind {
            UsmKind::Device => {
                call!(api, zeMemAllocDevice(context, &descriptor, bytes, alignment, handle, &mut address))
            }
            UsmKind::Host => {
                call!(api, zeMemAllocHost(context, &host_descriptor, bytes, alignment, &mut address))
            }
            UsmKind::Shared => call!(
                api,
                zeMemAllocShared(
                    context,
                    &descriptor,
                    &host_descriptor,
                    bytes,
                    alignment,
                    handle,
                    &mut address
                )
            ),
        }
    }
    .map_err(|error| explain(device, error))?;
    Ok(Address(address))
}

/// As many bytes in whole words of 4, at least one: atomics of fewer bytes are parts of one.
fn whole_words(bytes: usize) -> usize {
    let bytes = bytes.max(1);
    bytes.checked_next_multiple_of(4).unwrap_or(bytes)
}

/// Memory of the host that the device can copy to directly. Dropping it retires it.
pub(crate) struct HostAllocation(Allocation);

impl HostAllocation {
    /// Allocates this many bytes, which must not be 0; their contents are unspecified.
    pub(crate) fn new(device: &Device, bytes: usize) -> Result<Self, DriverError> {
        Allocation::new(device, UsmKind::Host, bytes).map(Self)
    }

    pub(crate) fn address(&self) -> *mut c_void {
        self.0.address()
    }
}

/// What is kept as long as a queue may use it.
#[derive(Debug)]
pub(crate) enum Resource {
    /// Memory.
    Memory(Block, Address),
    /// Memory that the driver has from the program.
    Imported(Imported),
    /// An image.
    Image(ImageHandle),
    /// An event.
    Event(EventHandle),
    /// A command list that may be executed.
    List(ListHandle),
    /// Memory of the host program's own that the device may be reading or writing.
    Host(Box<dyn Any + Send>),
}

/// Keeps memory for later, or returns what the driver gave to it.
pub(crate) fn release(device: &Device, resource: Resource) {
    match resource {
        Resource::Memory(block, address) => {
            // Memory that is given out again would look as if somebody had written it.
            let limit = if keeps_memory() { device.limits().memory / KEPT_SHARE } else { 0 };
            free_all(device, device.pool().keep(block, address, limit));
        }
        Resource::Imported(Imported { pages, lender }) => match device.imports().give_back(device, pages) {
            Ok(()) => drop(lender),
            // The device may have the pages still.
            Err(_) => mem::forget(lender),
        },
        Resource::Image(image) => {
            // SAFETY: the image is the driver's, and its owner is gone, with everything that used it. A failure leaves it behind.
            let _ = unsafe { device.api().zeImageDestroy(image.0) };
        }
        Resource::Event(event) => device.events(event.visible()).give_back(device, event),
        Resource::List(list) => {
            // SAFETY: the list is the driver's, and its owner is gone, and no queue executes it. A failure leaves it behind.
            let _ = unsafe { device.api().zeCommandListDestroy(list.0) };
        }
        Resource::Host(memory) => drop(memory),
    }
}

/// Returns memory to the driver that was kept for later.
pub(crate) fn trim(device: &Device) {
    free_all(device, device.pool().take_all());
}

/// Returns memory to the driver, whose owners are gone. A failure leaves it behind.
fn free_all(device: &Device, all: impl IntoIterator<Item = Address>) {
    all.into_iter().for_each(|address| drop(free(device, address)));
}

/// Returns memory to the driver that nobody uses any more.
pub(super) fn free(device: &Device, address: Address) -> Result<(), DriverError> {
    let context = device.context()?;
    // SAFETY: the memory is the driver's, and nothing uses it.
    unsafe { call!(device.api(), zeMemFree(context, address.0)) }
}
