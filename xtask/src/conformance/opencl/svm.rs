//! Shared virtual memory, whose addresses kernels find in other memory and in what they get by value.

use super::{Kernel, Session, checked, ffi};
use crate::kernels::case::{DeviceArgument, Link};
use std::error::Error;
use std::ffi::c_void;
use std::ptr;

/// Shared virtual memory with its contents before a launch.
pub(super) struct Svm<'s> {
    session: &'s Session,
    pub(super) address: *mut c_void,
    size: usize,
}

/// What arguments hold that has an address; none for those that are passed otherwise.
pub(super) type Placed<'s> = Vec<Option<Svm<'s>>>;

/// Arguments, and the bytes of each.
pub(super) type Arguments<'s> = (Placed<'s>, Vec<Vec<u8>>);

impl Session {
    /// Memory for all arguments that are in memory, with the pointers in them set, and the bytes of all that are passed by value.
    pub(super) fn place(
        &self,
        arguments: &[DeviceArgument<'_>],
        links: &[Link],
    ) -> Result<Arguments<'_>, Box<dyn Error>> {
        let mut placed = Vec::new();
        let mut contents = Vec::new();
        for argument in arguments {
            let (memory, bytes) = match argument {
                DeviceArgument::Buffer(bytes) | DeviceArgument::Elsewhere(bytes) => {
                    (Some(self.svm(bytes.len())?), bytes.to_vec())
                }
                DeviceArgument::FaultRecord(size) => (Some(self.svm(*size)?), vec![0; *size]),
                DeviceArgument::Value(bytes) => (None, bytes.to_vec()),
                _ => (None, Vec::new()),
            };
            placed.push(memory);
            contents.push(bytes);
        }
        for link in links {
            link.set(&mut contents[link.from], address(&placed, link.to)?);
        }
        for (memory, bytes) in placed.iter().zip(&contents) {
            memory.as_ref().map_or(Ok(()), |memory| memory.write(bytes))?;
        }
        Ok((placed, contents))
    }

    fn svm(&self, size: usize) -> Result<Svm<'_>, Box<dyn Error>> {
        // SAFETY: any size may be asked for; the alignment is the default one.
        let address =
            unsafe { (self.functions.svm_alloc)(self.context, ffi::MEM_READ_WRITE, size.max(1), 0) };
        if address.is_null() {
            return Err("clSVMAlloc gives no memory".into());
        }
        Ok(Svm { session: self, address, size })
    }

    /// Copies, and waits.
    ///
    /// # Safety
    ///
    /// Both must be valid for so many bytes.
    unsafe fn copy(&self, to: *mut c_void, from: *const c_void, size: usize) -> Result<(), Box<dyn Error>> {
        if size == 0 {
            return Ok(());
        }
        // SAFETY: by the caller's promise; no events are passed.
        let status = unsafe {
            let copy = self.functions.enqueue_svm_copy;
            copy(self.queue, ffi::TRUE, to, from, size, 0, ptr::null(), ptr::null_mut())
        };
        checked("clEnqueueSVMMemcpy", status)
    }
}

/// The address of the memory of an argument.
pub(super) fn address(placed: &Placed<'_>, position: usize) -> Result<u64, Box<dyn Error>> {
    let memory = placed.get(position).and_then(Option::as_ref).ok_or("a pointer leads to no memory")?;
    Ok(memory.address.addr() as u64)
}

impl Svm<'_> {
    fn write(&self, contents: &[u8]) -> Result<(), Box<dyn Error>> {
        // SAFETY: the memory has the size of its contents.
        unsafe { self.session.copy(self.address, contents.as_ptr().cast(), contents.len()) }
    }

    /// Waits for the launch and returns the contents.
    pub(super) fn read(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let mut contents = vec![0; self.size];
        // SAFETY: both have this size.
        unsafe { self.session.copy(contents.as_mut_ptr().cast(), self.address, self.size) }?;
        Ok(contents)
    }
}

impl Drop for Svm<'_> {
    fn drop(&mut self) {
        // SAFETY: the memory is this object's own, and what used it has been waited for.
        unsafe { (self.session.functions.svm_free)(self.session.context, self.address) };
    }
}

impl Kernel<'_> {
    /// Sets an argument to shared virtual memory.
    pub(super) fn set_svm(&self, position: u32, memory: &Svm<'_>) -> Result<(), Box<dyn Error>> {
        // SAFETY: the memory is of the kernel's context.
        let status =
            unsafe { (self.session.functions.set_kernel_arg_svm)(self.kernel, position, memory.address) };
        checked("clSetKernelArgSVMPointer", status)
            .map_err(|error| format!("argument {position}: {error}").into())
    }

    /// Says which memory the kernel may use that is no argument.
    pub(super) fn announce(&self, placed: &Placed<'_>) -> Result<(), Box<dyn Error>> {
        let addresses: Vec<*mut c_void> = placed.iter().flatten().map(|memory| memory.address).collect();
        // SAFETY: the array is as long as the size says, and holds addresses of such memory.
        let status = unsafe {
            let set = self.session.functions.set_kernel_exec_info;
            let size = size_of_val(&addresses[..]);
            set(self.kernel, ffi::KERNEL_EXEC_INFO_SVM_PTRS, size, addresses.as_ptr().cast())
        };
        checked("clSetKernelExecInfo", status)
    }
}
