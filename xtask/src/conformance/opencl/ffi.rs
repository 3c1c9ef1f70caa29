//! The few functions and constants of the OpenCL 2.2 C API that launching a kernel takes, with their names in C.

use libloading::Library;
use std::ffi::{c_char, c_void};

/// Every object of OpenCL is reached through an opaque pointer.
pub(super) type Handle = *mut c_void;
/// `CL_SUCCESS` or an error, all of which are negative.
pub(super) type Status = i32;

pub(super) const SUCCESS: Status = 0;
pub(super) const DEVICE_TYPE_ALL: u64 = 0xffff_ffff;
pub(super) const DEVICE_NAME: u32 = 0x102b;
pub(super) const DRIVER_VERSION: u32 = 0x102d;
pub(super) const MEM_READ_WRITE: u64 = 1 << 0;
pub(super) const MEM_COPY_HOST_PTR: u64 = 1 << 5;
pub(super) const PROGRAM_BUILD_LOG: u32 = 0x1183;
pub(super) const KERNEL_NUM_ARGS: u32 = 0x1191;
pub(super) const KERNEL_EXEC_INFO_SVM_PTRS: u32 = 0x11b6;
pub(super) const TRUE: u32 = 1;

/// `cl_image_format`.
#[repr(C)]
pub(super) struct ImageFormat {
    pub(super) order: u32,
    pub(super) channel: u32,
}

/// `cl_image_desc`.
#[repr(C)]
pub(super) struct ImageDescription {
    pub(super) ty: u32,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) depth: usize,
    pub(super) layers: usize,
    pub(super) row_pitch: usize,
    pub(super) slice_pitch: usize,
    pub(super) levels: u32,
    pub(super) samples: u32,
    pub(super) buffer: Handle,
}

macro_rules! functions {
    ($($(#[$doc:meta])* $field:ident = $name:literal($($argument:ty),* $(,)?) -> $result:ty;)*) => {
        /// The functions, as long as the library is open.
        #[derive(Debug)]
        pub(super) struct Functions {
            $($(#[$doc])* pub(super) $field: unsafe extern "system" fn($($argument),*) -> $result,)*
            _library: Library,
        }

        impl Functions {
            /// Takes the functions from an open library.
            ///
            /// # Safety
            ///
            /// The library must be an OpenCL 2.2 ICD loader.
            pub(super) unsafe fn from_library(library: Library) -> Result<Self, libloading::Error> {
                // SAFETY: the caller vouches for the library, whose functions have these types.
                unsafe { Ok(Self { $($field: *library.get(concat!($name, "\0"))?,)* _library: library }) }
            }
        }
    };
}

functions! {
    /// (capacity, platforms, their number)
    get_platform_ids = "clGetPlatformIDs"(u32, *mut Handle, *mut u32) -> Status;
    /// (platform, type, capacity, devices, their number)
    get_device_ids = "clGetDeviceIDs"(Handle, u64, u32, *mut Handle, *mut u32) -> Status;
    /// (device, parameter, capacity, value, its size)
    get_device_info = "clGetDeviceInfo"(Handle, u32, usize, *mut c_void, *mut usize) -> Status;
    /// (properties, number of devices, devices, callback, its data, status)
    create_context =
        "clCreateContext"(*const isize, u32, *const Handle, *const c_void, *mut c_void, *mut Status) -> Handle;
    /// (context, device, properties, status)
    create_queue =
        "clCreateCommandQueueWithProperties"(Handle, Handle, *const u64, *mut Status) -> Handle;
    /// (context, SPIR-V, its size, status)
    create_program = "clCreateProgramWithIL"(Handle, *const c_void, usize, *mut Status) -> Handle;
    /// (context, number of texts, texts, their lengths, status)
    create_program_with_source =
        "clCreateProgramWithSource"(Handle, u32, *const *const c_char, *const usize, *mut Status) -> Handle;
    /// (program, number of the constant, size, value)
    set_constant = "clSetProgramSpecializationConstant"(Handle, u32, usize, *const c_void) -> Status;
    /// (program, number of devices, devices, options, callback, its data)
    build_program =
        "clBuildProgram"(Handle, u32, *const Handle, *const c_char, *const c_void, *mut c_void) -> Status;
    /// (program, number of devices, devices, options, number of headers, headers, their names, callback, its data)
    compile_program = "clCompileProgram"(
        Handle, u32, *const Handle, *const c_char, u32, *const Handle, *const *const c_char, *const c_void, *mut c_void,
    ) -> Status;
    /// (context, number of devices, devices, options, number of programs, programs, callback, its data, status)
    link_program = "clLinkProgram"(
        Handle, u32, *const Handle, *const c_char, u32, *const Handle, *const c_void, *mut c_void, *mut Status,
    ) -> Handle;
    /// (program, device, parameter, capacity, value, its size)
    get_program_build_info =
        "clGetProgramBuildInfo"(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> Status;
    /// (program, name, status)
    create_kernel = "clCreateKernel"(Handle, *const c_char, *mut Status) -> Handle;
    /// (kernel, parameter, capacity, value, its size)
    get_kernel_info = "clGetKernelInfo"(Handle, u32, usize, *mut c_void, *mut usize) -> Status;
    /// (kernel, position, size, value)
    set_kernel_arg = "clSetKernelArg"(Handle, u32, usize, *const c_void) -> Status;
    /// (context, flags, size, contents, status)
    create_buffer = "clCreateBuffer"(Handle, u64, usize, *mut c_void, *mut Status) -> Handle;
    /// (context, flags, size, alignment)
    svm_alloc = "clSVMAlloc"(Handle, u64, usize, u32) -> *mut c_void;
    /// (context, memory)
    svm_free = "clSVMFree"(Handle, *mut c_void) -> ();
    /// (queue, blocking, target, source, size, number of events, events, event)
    enqueue_svm_copy = "clEnqueueSVMMemcpy"(
        Handle, u32, *mut c_void, *const c_void, usize, u32, *const Handle, *mut Handle,
    ) -> Status;
    /// (kernel, position, memory)
    set_kernel_arg_svm = "clSetKernelArgSVMPointer"(Handle, u32, *const c_void) -> Status;
    /// (kernel, parameter, size, value)
    set_kernel_exec_info = "clSetKernelExecInfo"(Handle, u32, usize, *const c_void) -> Status;
    /// (context, flags, format, description, texels, status)
    create_image = "clCreateImage"(
        Handle, u64, *const ImageFormat, *const ImageDescription, *mut c_void, *mut Status,
    ) -> Handle;
    /// (context, whether coordinates are normalized, addressing mode, filter mode, status)
    create_sampler = "clCreateSampler"(Handle, u32, u32, u32, *mut Status) -> Handle;
    /// (queue, image, blocking, origin, region, row pitch, slice pitch, target, number of events, events, event)
    enqueue_read_image = "clEnqueueReadImage"(
        Handle, Handle, u32, *const usize, *const usize, usize, usize, *mut c_void, u32, *const Handle, *mut Handle,
    ) -> Status;
    /// (object)
    release_sampler = "clReleaseSampler"(Handle) -> Status;
    /// (queue, kernel, dimensions, offset, global size, work-group size, number of events, events, event)
    enqueue_kernel = "clEnqueueNDRangeKernel"(
        Handle, Handle, u32, *const usize, *const usize, *const usize, u32, *const Handle, *mut Handle,
    ) -> Status;
    /// (queue)
    finish = "clFinish"(Handle) -> Status;
    /// (queue, buffer, blocking, offset, size, target, number of events, events, event)
    enqueue_read = "clEnqueueReadBuffer"(
        Handle, Handle, u32, usize, usize, *mut c_void, u32, *const Handle, *mut Handle,
    ) -> Status;
    /// (object)
    release_buffer = "clReleaseMemObject"(Handle) -> Status;
    /// (object)
    release_kernel = "clReleaseKernel"(Handle) -> Status;
    /// (object)
    release_program = "clReleaseProgram"(Handle) -> Status;
}
