//! Memory that processes of one machine share: a handle says in which file of which process it is.
//!
//! A handle of this driver is 64 bytes, all numbers with the least byte first:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | the descriptor of the file in the process that made the handle; a program that sends it by a socket puts the number there that it has elsewhere |
//! | 4 | [`MAGIC`] |
//! | 4 | the process |
//! | 4 | the kind: 1 memory, 2 events of a pool, 3 a counter-based event |
//! | 16 | the file's identity |
//! | 8, 8 | where in the file it begins, and its size |
//! | 4 | flags of a pool of events, or of a counter-based one with its scopes |
//! | 12 | zeros |
//!
//! Handles are hostile: they lead to a file only if its identity is the one that they say, nobody can make it shorter, and all bytes are in it.

use super::context::Context;
use super::device::Device;
use super::mem::on;
use super::registry::get;
use super::structures::structures;
use super::{Answer, describe, guard, write};
use crate::memory::{Allocation, Identity, Origin, SharedFile, Usage};
use level_zero_sys::{
    find_in_chain, ze_context_handle_t, ze_device_handle_t, ze_ipc_mem_handle_t, ze_ipc_memory_flags_t,
    ze_result_t,
};
use std::ffi::c_void;
use std::sync::Arc;

const MAGIC: u32 = 0x4350_554b;

/// What is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Memory = 1,
    Events = 2,
    Counter = 3,
}

/// The bytes of a handle.
pub(super) type Bytes = [std::ffi::c_char; 64];

/// A handle, read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IpcHandle {
    descriptor: i32,
    process: u32,
    kind: Kind,
    identity: Identity,
    pub(super) offset: u64,
    pub(super) size: u64,
    pub(super) flags: u32,
}

impl IpcHandle {
    /// That of a part of a file, which has to stay open as long as somebody may open the handle.
    pub(super) fn new(kind: Kind, file: &SharedFile, offset: usize, size: usize, flags: u32) -> Answer<Self> {
        let identity = file.identity().ok_or(ze_result_t::ZE_RESULT_ERROR_UNKNOWN)?;
        let (descriptor, process) = (file.descriptor(), std::process::id());
        Ok(Self { descriptor, process, kind, identity, offset: offset as u64, size: size as u64, flags })
    }

    pub(super) fn bytes(self) -> Bytes {
        let words = [self.process, self.kind as u32].map(u32::to_le_bytes);
        let numbers =
            [self.identity.device, self.identity.number, self.offset, self.size].map(u64::to_le_bytes);
        let first = [self.descriptor.to_le_bytes(), MAGIC.to_le_bytes()];
        let all = first.iter().chain(&words).flatten().chain(numbers.iter().flatten());
        let mut all = all.copied().chain(self.flags.to_le_bytes());
        std::array::from_fn(|_| all.next().unwrap_or(0) as std::ffi::c_char)
    }

    /// The handle of some bytes, if they are one of this kind.
    pub(super) fn parse(bytes: &Bytes, kind: Kind) -> Answer<Self> {
        let number = |start: usize, length: usize| {
            let bytes = bytes[start..start + length].iter().rev();
            bytes.fold(0_u64, |number, &byte| number << 8 | u64::from(byte as u8))
        };
        if number(4, 4) != u64::from(MAGIC)
            || number(12, 4) != kind as u64
            || number(52, 8) | number(60, 4) != 0
        {
            describe("it is no handle that this driver has made for another process");
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        Ok(Self {
            descriptor: number(0, 4) as u32 as i32,
            process: number(8, 4) as u32,
            kind,
            identity: Identity { device: number(16, 8), number: number(24, 8) },
            offset: number(32, 8),
            size: number(40, 8),
            flags: number(48, 4) as u32,
        })
    }

    /// The file that it leads to.
    pub(super) fn file(self) -> Answer<Arc<SharedFile>> {
        let file = SharedFile::find(self.process, self.descriptor, self.identity);
        let file = file.filter(|file| {
            let end = self.offset.checked_add(self.size);
            end.is_some_and(|end| end <= file.size() as u64)
        });
        file.map(Arc::new).ok_or_else(|| {
            describe("what the handle leads to is not there any more, or this process may not have it");
            ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT
        })
    }

    /// What it leads to, as memory.
    pub(super) fn open(self) -> Answer<Allocation> {
        self.open_as(Origin::Opened)
    }

    /// The same as memory that came about in some way.
    pub(super) fn open_as(self, origin: Origin) -> Answer<Allocation> {
        let (Ok(offset), Ok(size)) = (usize::try_from(self.offset), usize::try_from(self.size)) else {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
        };
        let memory = Allocation::of_file(self.file()?, offset, size, Usage::Device, origin);
        memory.ok_or(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)
    }
}

/// Makes a handle of memory of the device, by which other processes can have it as long as it is not freed.
pub(super) unsafe extern "C" fn get_mem_handle(
    context: ze_context_handle_t,
    pointer: *const c_void,
    handle: *mut ze_ipc_mem_handle_t,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        if pointer.is_null() || handle.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let memory = context.memory.snapshot();
        let found = memory.find(pointer.addr() as u64).filter(|found| found.start().addr() == pointer.addr());
        let found = found.filter(|found| found.origin == Origin::Allocated).ok_or_else(|| {
            describe("it is not the start of memory that zeMemAllocDevice has allocated in the context");
            ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT
        })?;
        let (file, offset) = found.share().ok_or_else(|| {
            describe("only memory that zeMemAllocDevice has allocated can be shared with other processes");
            ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE
        })?;
        let made = IpcHandle::new(Kind::Memory, &file, offset, found.span().length as usize, 0)?;
        // SAFETY: the host passes a valid pointer.
        unsafe { write(handle, ze_ipc_mem_handle_t { data: made.bytes() }) }
    })
}

structures! {
    /// `ze_ipc_mem_handle_type_ext_desc_t` of version 1.15.
    HandleType = 0x0002_003d { flags: u32 = 0, }
}

/// `zeMemGetIpcHandleWithProperties` of version 1.15: what kind of handle is wanted, of which there is one.
pub(super) unsafe extern "C" fn get_mem_handle_with_properties(
    context: ze_context_handle_t,
    pointer: *const c_void,
    extensions: *mut c_void,
    handle: *mut ze_ipc_mem_handle_t,
) -> ze_result_t {
    /// The flag for handles that are good for other machines.
    const FABRIC: u32 = 1 << 1;
    const KNOWN_FLAGS: u32 = FABRIC | 1;
    let checked = guard(|| {
        // SAFETY: the host passes a valid chain, and what is in it is valid for reads.
        let wanted = unsafe { find_in_chain::<HandleType>(extensions).map(|wanted| wanted.read()) };
        match wanted.map_or(0, |wanted| wanted.flags) {
            flags if flags & !KNOWN_FLAGS != 0 => Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION),
            flags if flags & FABRIC != 0 => {
                describe("memory is not shared with other machines");
                Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION)
            }
            _ => Ok(()),
        }
    });
    match checked {
        // SAFETY: the host passes what `zeMemGetIpcHandle` needs.
        ze_result_t::ZE_RESULT_SUCCESS => unsafe { get_mem_handle(context, pointer, handle) },
        code => code,
    }
}

pub(super) unsafe extern "C" fn open_mem_handle(
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    handle: ze_ipc_mem_handle_t,
    flags: ze_ipc_memory_flags_t,
    pointer: *mut *mut c_void,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        let device = get::<Device>(device)?;
        if flags.0 > 3 {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
        }
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(pointer, std::ptr::null_mut())? };
        let memory = on(&device, IpcHandle::parse(&handle.data, Kind::Memory)?.open())?;
        let start = memory.start();
        context.memory.insert(Arc::new(memory));
        // SAFETY: as above.
        unsafe { write(pointer, start.cast()) }
    })
}

/// Takes memory of another process away; commands that were appended before can still access it.
pub(super) unsafe extern "C" fn close_mem_handle(
    context: ze_context_handle_t,
    pointer: *const c_void,
) -> ze_result_t {
    guard(|| {
        let context = get::<Context>(context)?;
        if pointer.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let is_it =
            |found: &Allocation| found.origin == Origin::Opened && found.start().addr() == pointer.addr();
        context.memory.remove(is_it).map(drop).ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)
    })
}

/// `zeMemPutIpcHandle` of version 1.6: says that nobody will open a handle any more. It holds nothing that could be given back.
pub(super) unsafe extern "C" fn put_mem_handle(
    context: ze_context_handle_t,
    handle: ze_ipc_mem_handle_t,
) -> ze_result_t {
    guard(|| {
        get::<Context>(context)?;
        IpcHandle::parse(&handle.data, Kind::Memory).map(drop)
    })
}

/// `zeMemGetFileDescriptorFromIpcHandleExp` of version 1.7: the descriptor of the file that memory is in, for a program that hands it to another process by itself.
pub(super) unsafe extern "C" fn get_descriptor_of_handle(
    context: ze_context_handle_t,
    handle: ze_ipc_mem_handle_t,
    descriptor: *mut u64,
) -> ze_result_t {
    guard(|| {
        get::<Context>(context)?;
        let handle = IpcHandle::parse(&handle.data, Kind::Memory)?;
        if handle.offset != 0 {
            describe(
                "the memory does not begin where its file does, so that the descriptor alone does not lead to it",
            );
            return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
        }
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(descriptor, handle.descriptor as u64) }
    })
}

/// `zeMemGetIpcHandleFromFileDescriptorExp` of version 1.7: the handle of all that is in the file of such a descriptor.
pub(super) unsafe extern "C" fn get_handle_of_descriptor(
    context: ze_context_handle_t,
    descriptor: u64,
    handle: *mut ze_ipc_mem_handle_t,
) -> ze_result_t {
    guard(|| {
        get::<Context>(context)?;
        if handle.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let descriptor = i32::try_from(descriptor).ok();
        let file = descriptor.and_then(SharedFile::of_descriptor).ok_or_else(|| {
            describe("it is no descriptor of a file that memory can be in");
            ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT
        })?;
        let made = IpcHandle::new(Kind::Memory, &file, 0, file.size(), 0)?;
        let made = IpcHandle { descriptor: descriptor.unwrap_or(-1), ..made };
        // SAFETY: the host passes a valid pointer.
        unsafe { write(handle, ze_ipc_mem_handle_t { data: made.bytes() }) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_read_as_it_was_written() {
        let handle = IpcHandle {
            descriptor: -2,
            process: 0xffff_fff0,
            kind: Kind::Events,
            identity: Identity { device: 1 << 40, number: u64::MAX },
            offset: 3,
            size: 1 << 33,
            flags: 5,
        };
        let bytes = handle.bytes();
        assert_eq!(IpcHandle::parse(&bytes, Kind::Events), Ok(handle));
        assert!(IpcHandle::parse(&bytes, Kind::Memory).is_err());
        assert!(IpcHandle::parse(&[0; 64], Kind::Events).is_err());
        for position in (4..8).chain(12..16).chain(52..64) {
            let mut changed = bytes;
            changed[position] ^= 1;
            assert!(IpcHandle::parse(&changed, Kind::Events).is_err(), "byte {position}");
        }
    }
}
