//! One launch: arguments in, the contents of all buffers out.

use super::ffi::{self, Handle};
use super::image::{Image, Sampler};
use super::{Kernel, Session, checked, created, svm};
use crate::kernels::case::{DeviceArgument, Link};
use std::error::Error;
use std::ptr;

/// What follows the contents of each buffer in memory; a kernel that changes it wrote where it must not.
const GUARD: [u8; 64] = [0xc5; 64];

/// A buffer of the device with its guard.
struct Buffer<'s> {
    session: &'s Session,
    handle: Handle,
    size: usize,
}

/// What a launch can write to.
enum Memory<'s> {
    Buffer(Buffer<'s>),
    Image(Image<'s>),
    /// So many zero bytes that no argument leads to.
    Zeros(usize),
}

/// A kernel whose arguments are set, with the memory that they lead to.
pub(crate) struct Bound<'k> {
    kernel: &'k Kernel<'k>,
    memories: Vec<Memory<'k>>,
    _samplers: Vec<Sampler<'k>>,
}

impl Bound<'_> {
    /// Launches work-groups of a size, and waits.
    pub(crate) fn run(&self, groups: [u32; 3], group_size: [u32; 3]) -> Result<(), Box<dyn Error>> {
        self.run_times(1, groups, group_size)
    }

    /// Launches them so many times, and waits.
    pub(crate) fn run_times(
        &self,
        times: u32,
        groups: [u32; 3],
        group_size: [u32; 3],
    ) -> Result<(), Box<dyn Error>> {
        for _ in 0..times {
            self.kernel.enqueue(groups, group_size)?;
        }
        // SAFETY: the queue is the session's.
        checked("clFinish", unsafe { (self.kernel.session.functions.finish)(self.kernel.session.queue) })
    }

    /// What the buffers and images among the arguments hold, in order.
    pub(crate) fn read(&self) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
        let read = |memory: &Memory<'_>| match memory {
            Memory::Buffer(buffer) => buffer.read(),
            Memory::Image(image) => image.read(),
            Memory::Zeros(size) => Ok(vec![0; *size]),
        };
        self.memories.iter().map(read).collect()
    }
}

impl Kernel<'_> {
    /// Launches work-groups of a size, waits, and returns what the buffers among the arguments then hold, in order.
    pub(crate) fn launch(
        &self,
        arguments: &[DeviceArgument<'_>],
        groups: [u32; 3],
        group_size: [u32; 3],
    ) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
        let bound = self.bind(arguments)?;
        bound.run(groups, group_size)?;
        bound.read()
    }

    /// Sets all arguments.
    pub(crate) fn bind(&self, arguments: &[DeviceArgument<'_>]) -> Result<Bound<'_>, Box<dyn Error>> {
        self.expect_arguments(arguments)?;
        let (mut memories, mut samplers) = (Vec::new(), Vec::new());
        for (position, argument) in (0..).zip(arguments) {
            match *argument {
                DeviceArgument::Value(bytes) => self.set(position, bytes)?,
                DeviceArgument::Count(count) => self.set(position, &count.to_ne_bytes())?,
                DeviceArgument::Buffer(contents) => {
                    memories.push(Memory::Buffer(self.set_buffer(position, contents)?));
                }
                DeviceArgument::Elsewhere(_) => return Err("no pointer leads to this memory".into()),
                DeviceArgument::FaultRecord(size) => {
                    memories.push(Memory::Buffer(self.set_buffer(position, &vec![0; size])?));
                }
                DeviceArgument::NoFaultRecord(size) => memories.push(Memory::Zeros(size)),
                DeviceArgument::Local(bytes) => self.set_local(position, bytes)?,
                DeviceArgument::Image(image) => {
                    memories.push(Memory::Image(self.set_image(position, &image)?));
                }
                DeviceArgument::Sampler(state) => samplers.push(self.set_sampler(position, state)?),
            }
        }
        Ok(Bound { kernel: self, memories, _samplers: samplers })
    }

    /// The same for arguments with raw pointers in them, which lead to the memory of others.
    pub(crate) fn launch_linked(
        &self,
        arguments: &[DeviceArgument<'_>],
        links: &[Link],
        groups: [u32; 3],
        group_size: [u32; 3],
    ) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
        if links.is_empty() {
            return self.launch(arguments, groups, group_size);
        }
        self.expect_arguments(arguments)?;
        let (placed, contents) = self.session.place(arguments, links)?;
        let mut position = 0;
        for (index, argument) in arguments.iter().enumerate() {
            match (argument, &placed[index]) {
                (DeviceArgument::Elsewhere(_) | DeviceArgument::NoFaultRecord(_), _) => continue,
                (_, Some(memory)) => self.set_svm(position, memory)?,
                (DeviceArgument::Value(_), None) => self.set(position, &contents[index])?,
                (DeviceArgument::Count(count), None) => self.set(position, &count.to_ne_bytes())?,
                (DeviceArgument::Local(bytes), None) => self.set_local(position, *bytes)?,
                _ => return Err("no case has pointers beside images yet".into()),
            }
            position += 1;
        }
        self.announce(&placed)?;
        self.enqueue(groups, group_size)?;
        let mut memories = Vec::new();
        for (index, memory) in placed.iter().enumerate() {
            let Some(memory) = memory else {
                if let DeviceArgument::NoFaultRecord(size) = arguments[index] {
                    memories.push(vec![0; size]);
                }
                continue;
            };
            let mut contents = memory.read()?;
            for link in links.iter().filter(|link| link.from == index) {
                link.take(&mut contents, svm::address(&placed, link.to)?);
            }
            memories.push(contents);
        }
        Ok(memories)
    }

    /// The entry point must have the arguments that the descriptor promises.
    fn expect_arguments(&self, arguments: &[DeviceArgument<'_>]) -> Result<(), Box<dyn Error>> {
        use DeviceArgument::{Elsewhere, NoFaultRecord};
        let is_passed = |argument: &&DeviceArgument<'_>| !matches!(argument, Elsewhere(_) | NoFaultRecord(_));
        let expected = arguments.iter().filter(is_passed).count();
        let mut actual = 0_u32;
        // SAFETY: the number of arguments is a 32-bit number.
        let status = unsafe {
            let info = self.session.functions.get_kernel_info;
            let value = (&raw mut actual).cast();
            info(self.kernel, ffi::KERNEL_NUM_ARGS, size_of::<u32>(), value, ptr::null_mut())
        };
        checked("clGetKernelInfo", status)?;
        if actual as usize == expected {
            return Ok(());
        }
        Err(format!("the entry point has {actual} arguments, the descriptor {expected}").into())
    }

    pub(super) fn set(&self, position: u32, value: &[u8]) -> Result<(), Box<dyn Error>> {
        // SAFETY: the driver copies as many bytes as the slice has, and rejects a size that is not the argument's.
        let status = unsafe {
            (self.session.functions.set_kernel_arg)(self.kernel, position, value.len(), value.as_ptr().cast())
        };
        checked("clSetKernelArg", status).map_err(|error| format!("argument {position}: {error}").into())
    }

    fn set_local(&self, position: u32, bytes: usize) -> Result<(), Box<dyn Error>> {
        // SAFETY: without an address the driver reads none, and takes the size for that of local memory.
        let status =
            unsafe { (self.session.functions.set_kernel_arg)(self.kernel, position, bytes, ptr::null()) };
        checked("clSetKernelArg", status).map_err(|error| format!("argument {position}: {error}").into())
    }

    fn set_buffer(&self, position: u32, contents: &[u8]) -> Result<Buffer<'_>, Box<dyn Error>> {
        let buffer = self.session.buffer(contents)?;
        self.set(position, &(buffer.handle as usize).to_ne_bytes())?;
        Ok(buffer)
    }

    fn enqueue(&self, groups: [u32; 3], group_size: [u32; 3]) -> Result<(), Box<dyn Error>> {
        let local = group_size.map(|size| size as usize);
        let global: [usize; 3] =
            std::array::from_fn(|dimension| groups[dimension] as usize * local[dimension]);
        // SAFETY: there are three sizes of each kind, all arguments are set, and no events are passed.
        let status = unsafe {
            (self.session.functions.enqueue_kernel)(
                self.session.queue,
                self.kernel,
                3,
                ptr::null(),
                global.as_ptr(),
                local.as_ptr(),
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        };
        checked("clEnqueueNDRangeKernel", status)
    }
}

impl Session {
    fn buffer(&self, contents: &[u8]) -> Result<Buffer<'_>, Box<dyn Error>> {
        let handle = self.memory(&[contents, &GUARD].concat())?;
        Ok(Buffer { session: self, handle, size: contents.len() })
    }

    /// Memory of the device with this contents.
    pub(super) fn memory(&self, contents: &[u8]) -> Result<Handle, Box<dyn Error>> {
        let mut contents = contents.to_vec();
        let flags = ffi::MEM_READ_WRITE | ffi::MEM_COPY_HOST_PTR;
        created("clCreateBuffer", |status| {
            // SAFETY: the driver copies as many bytes as the vector has.
            unsafe {
                let create = self.functions.create_buffer;
                create(self.context, flags, contents.len(), contents.as_mut_ptr().cast(), status)
            }
        })
    }
}

impl Buffer<'_> {
    /// Waits for the launch and returns the contents.
    fn read(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let mut contents = vec![0_u8; self.size + GUARD.len()];
        // SAFETY: the call waits until as many bytes as the vector has are copied.
        let status = unsafe {
            (self.session.functions.enqueue_read)(
                self.session.queue,
                self.handle,
                ffi::TRUE,
                0,
                contents.len(),
                contents.as_mut_ptr().cast(),
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        };
        checked("clEnqueueReadBuffer", status)?;
        let guard = contents.split_off(self.size);
        if guard == GUARD { Ok(contents) } else { Err("the kernel wrote beyond the end of a buffer".into()) }
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        // SAFETY: the buffer is this object's own. If a launch that uses it was enqueued, the driver keeps it until then.
        unsafe { (self.session.functions.release_buffer)(self.handle) };
    }
}
