//! Launches SPIR-V kernels on an OpenCL device through the system's ICD loader.

mod ffi;
mod image;
mod launch;
mod svm;

pub(crate) use launch::Bound;

use ffi::{Functions, Handle, SUCCESS, Status};
use libloading::Library;
use std::error::Error;
use std::ffi::{CStr, CString, c_void};
use std::ptr;

/// The ICD loader, by the name that every distribution gives it.
const LOADER: &str = "libOpenCL.so.1";

/// The first device of the first platform, with a queue. It is left to the end of the process to close.
#[derive(Debug)]
pub(crate) struct Session {
    functions: Functions,
    device: Handle,
    context: Handle,
    queue: Handle,
}

/// A built kernel. The driver keeps its program as long as it is there.
#[derive(Debug)]
pub(crate) struct Kernel<'s> {
    session: &'s Session,
    kernel: Handle,
}

/// A program, built if others are given it.
#[derive(Debug)]
pub(crate) struct Program<'s> {
    session: &'s Session,
    handle: Handle,
}

impl<'s> Program<'s> {
    /// Takes a kernel from a program that is built.
    ///
    /// # Errors
    ///
    /// What the driver says.
    pub(crate) fn kernel(&self, name: &str) -> Result<Kernel<'s>, Box<dyn Error>> {
        let name = CString::new(name)?;
        let kernel = created("clCreateKernel", |status| {
            // SAFETY: the program is built and the name ends with a zero.
            unsafe { (self.session.functions.create_kernel)(self.handle, name.as_ptr(), status) }
        })?;
        Ok(Kernel { session: self.session, kernel })
    }

    /// An error with the build log.
    fn explained(&self, error: Box<dyn Error>) -> String {
        format!("{error}\n{}", self.session.build_log(self.handle))
    }
}

impl Session {
    /// Opens the first device that the ICD loader finds.
    pub(crate) fn open() -> Result<Self, Box<dyn Error>> {
        // SAFETY: the loader and the drivers that it loads have no initialisers with preconditions, and a library of
        // this name is an ICD loader. It is never closed before the process ends.
        let functions = unsafe { Functions::from_library(Library::new(LOADER)?)? };
        let platform = first("clGetPlatformIDs", |capacity, handles, count| {
            // SAFETY: `first` passes pointers to as many handles as it says, and to a number.
            unsafe { (functions.get_platform_ids)(capacity, handles, count) }
        })?;
        let device = first("clGetDeviceIDs", |capacity, handles, count| {
            // SAFETY: as above; the platform is the loader's.
            unsafe { (functions.get_device_ids)(platform, ffi::DEVICE_TYPE_ALL, capacity, handles, count) }
        })?;
        let context = created("clCreateContext", |status| {
            // SAFETY: one device is passed, and neither properties nor a callback.
            unsafe {
                (functions.create_context)(ptr::null(), 1, &device, ptr::null(), ptr::null_mut(), status)
            }
        })?;
        let queue = created("clCreateCommandQueueWithProperties", |status| {
            // SAFETY: the device is one of the context; there are no properties.
            unsafe { (functions.create_queue)(context, device, ptr::null(), status) }
        })?;
        Ok(Self { functions, device, context, queue })
    }

    /// The name of the device and the version of its driver.
    pub(crate) fn device(&self) -> Result<String, Box<dyn Error>> {
        let mut words = Vec::new();
        for parameter in [ffi::DEVICE_NAME, ffi::DRIVER_VERSION] {
            let text = text("clGetDeviceInfo", |capacity, value, size| {
                // SAFETY: `text` passes a pointer to as many bytes as it says, and to a number.
                unsafe { (self.functions.get_device_info)(self.device, parameter, capacity, value, size) }
            })?;
            words.push(text);
        }
        Ok(words.join(", driver "))
    }

    /// Builds a module with options, together with those that have the functions which it imports; `constants` are the bytes of its
    /// specialization constants in order.
    ///
    /// # Errors
    ///
    /// What the driver says, with its build log.
    pub(crate) fn build(
        &self,
        (spirv, library): (&[u8], &[&[u8]]),
        options: &CStr,
        constants: &[Vec<u8>],
    ) -> Result<Program<'_>, Box<dyn Error>> {
        let program = self.program(spirv)?;
        for (id, bytes) in (0..).zip(constants) {
            // SAFETY: the value is as long as the size says, and the driver copies it.
            let set = unsafe {
                (self.functions.set_constant)(program.handle, id, bytes.len(), bytes.as_ptr().cast())
            };
            checked("clSetProgramSpecializationConstant", set)?;
        }
        match library {
            [] => self.built(program, options),
            library => self.linked(program, library, options),
        }
    }

    /// Builds a source in OpenCL C with options.
    ///
    /// # Errors
    ///
    /// What the driver says, with its build log.
    pub(crate) fn build_source(&self, source: &str, options: &CStr) -> Result<Program<'_>, Box<dyn Error>> {
        let handle = created("clCreateProgramWithSource", |status| {
            // SAFETY: the one text is as long as its length says, and the driver copies it.
            unsafe {
                let (text, length) = (source.as_ptr().cast(), source.len());
                (self.functions.create_program_with_source)(self.context, 1, &text, &length, status)
            }
        })?;
        self.built(Program { session: self, handle }, options)
    }

    fn built<'s>(&'s self, program: Program<'s>, options: &CStr) -> Result<Program<'s>, Box<dyn Error>> {
        // SAFETY: one device of the program's context is passed, options that end with a zero and no callback.
        let built = unsafe {
            let build = self.functions.build_program;
            build(program.handle, 1, &self.device, options.as_ptr(), ptr::null(), ptr::null_mut())
        };
        checked("clBuildProgram", built).map_err(|error| program.explained(error))?;
        Ok(program)
    }

    fn program(&self, spirv: &[u8]) -> Result<Program<'_>, Box<dyn Error>> {
        let handle = created("clCreateProgramWithIL", |status| {
            // SAFETY: the module is as long as its slice, and the driver copies it.
            unsafe {
                (self.functions.create_program)(self.context, spirv.as_ptr().cast(), spirv.len(), status)
            }
        })?;
        Ok(Program { session: self, handle })
    }

    /// Compiles a program and the modules of a library, and links them.
    fn linked(
        &self,
        program: Program<'_>,
        library: &[&[u8]],
        options: &CStr,
    ) -> Result<Program<'_>, Box<dyn Error>> {
        let mut programs = vec![program];
        for module in library {
            programs.push(self.program(module)?);
        }
        for program in &programs {
            // SAFETY: one device of the program's context is passed, options that end with a zero, no headers and no callback.
            let compiled = unsafe {
                let compile = self.functions.compile_program;
                let (device, options) = (&raw const self.device, options.as_ptr());
                compile(
                    program.handle,
                    1,
                    device,
                    options,
                    0,
                    ptr::null(),
                    ptr::null(),
                    ptr::null(),
                    ptr::null_mut(),
                )
            };
            checked("clCompileProgram", compiled).map_err(|error| program.explained(error))?;
        }
        let handles: Vec<Handle> = programs.iter().map(|program| program.handle).collect();
        let handle = created("clLinkProgram", |status| {
            // SAFETY: one device of the context is passed, no options, as many compiled programs as it says, and no callback.
            unsafe {
                let link = self.functions.link_program;
                let (count, programs) = (handles.len() as u32, handles.as_ptr());
                link(
                    self.context,
                    1,
                    &self.device,
                    c"".as_ptr(),
                    count,
                    programs,
                    ptr::null(),
                    ptr::null_mut(),
                    status,
                )
            }
        })?;
        Ok(Program { session: self, handle })
    }

    fn build_log(&self, program: Handle) -> String {
        let log = text("clGetProgramBuildInfo", |capacity, value, size| {
            let parameter = ffi::PROGRAM_BUILD_LOG;
            // SAFETY: `text` passes a pointer to as many bytes as it says, and to a number.
            unsafe {
                let info = self.functions.get_program_build_info;
                info(program, self.device, parameter, capacity, value, size)
            }
        });
        log.unwrap_or_else(|error| format!("there is no build log: {error}"))
    }
}

impl Drop for Kernel<'_> {
    fn drop(&mut self) {
        // SAFETY: the kernel is this object's own; nothing that was enqueued is still running, since launches wait.
        unsafe { (self.session.functions.release_kernel)(self.kernel) };
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        // SAFETY: the program is this object's own.
        unsafe { (self.session.functions.release_program)(self.handle) };
    }
}

/// Asks for the first of several handles.
fn first(
    function: &str,
    get: impl FnOnce(u32, *mut Handle, *mut u32) -> Status,
) -> Result<Handle, Box<dyn Error>> {
    let (mut handle, mut count) = (ptr::null_mut(), 0);
    checked(function, get(1, &mut handle, &mut count))?;
    if count == 0 { Err(format!("{function} finds nothing").into()) } else { Ok(handle) }
}

/// Asks for a new object.
fn created(function: &str, create: impl FnOnce(*mut Status) -> Handle) -> Result<Handle, Box<dyn Error>> {
    let mut status = SUCCESS;
    let handle = create(&mut status);
    checked(function, status)?;
    Ok(handle)
}

/// Asks for a text, first for its size.
fn text(
    function: &str,
    get: impl Fn(usize, *mut c_void, *mut usize) -> Status,
) -> Result<String, Box<dyn Error>> {
    let mut size = 0;
    checked(function, get(0, ptr::null_mut(), &mut size))?;
    let mut bytes = vec![0_u8; size];
    checked(function, get(size, bytes.as_mut_ptr().cast(), ptr::null_mut()))?;
    let text = CStr::from_bytes_until_nul(&bytes)
        .map_or_else(|_| String::from_utf8_lossy(&bytes), CStr::to_string_lossy);
    Ok(text.into_owned())
}

fn checked(function: &str, status: Status) -> Result<(), Box<dyn Error>> {
    if status == SUCCESS { Ok(()) } else { Err(format!("{function} returned {status}").into()) }
}
