//! What the tests of the driver share: its functions without the C.

#![allow(dead_code, reason = "each test uses a part")]

use level_zero_sys::*;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};

pub(crate) type Outcome<T = ()> = Result<T, ze_result_t>;

pub(crate) const FOREVER: u64 = u64::MAX;

/// The function tables under test.
pub(crate) fn api() -> &'static Api {
    kernel_cpu::api()
}

/// The function of this name; `F` must be its type.
pub(crate) fn later<F: Copy>(name: &str) -> F {
    let address = kernel_cpu::later_function(name).expect(name);
    assert_eq!(size_of::<F>(), size_of_val(&address));
    // SAFETY: the caller says which type of function pointer it is.
    unsafe { std::mem::transmute_copy(&address) }
}

/// The handles of devices of which a function tells the count, and then all.
pub(crate) fn list(
    ask: impl Fn(*mut u32, *mut ze_device_handle_t) -> ze_result_t,
) -> Vec<ze_device_handle_t> {
    let mut count = 0;
    ask(&mut count, null_mut()).into_result().unwrap();
    let mut handles = vec![ze_device_handle_t::NULL; count as usize];
    ask(&mut count, handles.as_mut_ptr()).into_result().unwrap();
    handles
}

pub(crate) fn parts_of(device: ze_device_handle_t) -> Vec<ze_device_handle_t> {
    // SAFETY: there is room for as many handles as the count says.
    list(|count, to| unsafe { api().zeDeviceGetSubDevices(device, count, to) })
}

pub(crate) fn properties(device: ze_device_handle_t) -> ze_device_properties_t {
    let mut properties = ze_device_properties_t::default();
    // SAFETY: the pointer is to a live variable.
    unsafe { api().zeDeviceGetProperties(device, &mut properties) }.into_result().unwrap();
    properties
}

/// `ze_group_size_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct GroupSize(pub(crate) [u32; 3]);

/// `zeCommandListAppendHostFunction`.
pub(crate) type AppendHostFunction = unsafe extern "C" fn(
    ze_command_list_handle_t,
    Option<unsafe extern "C" fn(*mut c_void)>,
    *mut c_void,
    *const c_void,
    ze_event_handle_t,
    u32,
    *mut ze_event_handle_t,
) -> ze_result_t;

/// `zeCommandListAppendLaunchKernelWithArguments`.
pub(crate) type AppendWithArguments = unsafe extern "C" fn(
    ze_command_list_handle_t,
    ze_kernel_handle_t,
    ze_group_count_t,
    GroupSize,
    *mut *mut c_void,
    *const c_void,
    ze_event_handle_t,
    u32,
    *mut ze_event_handle_t,
) -> ze_result_t;

/// `zeCommandListImmediateAppendCommandListsExp`.
pub(crate) type AppendLists = unsafe extern "C" fn(
    ze_command_list_handle_t,
    u32,
    *mut ze_command_list_handle_t,
    ze_event_handle_t,
    u32,
    *mut ze_event_handle_t,
) -> ze_result_t;

/// A context of the device, with a command list.
pub(crate) struct Gpu {
    pub(crate) driver: ze_driver_handle_t,
    pub(crate) device: ze_device_handle_t,
    pub(crate) context: ze_context_handle_t,
    pub(crate) list: ze_command_list_handle_t,
}

impl Gpu {
    /// With an immediate list that waits for each command.
    pub(crate) fn new() -> Self {
        Self::with_mode(ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS)
    }

    /// With an immediate list that does not.
    pub(crate) fn asynchronous() -> Self {
        Self::with_mode(ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS)
    }

    fn with_mode(mode: ze_command_queue_mode_t) -> Self {
        let (mut driver, mut device) = (ze_driver_handle_t::NULL, ze_device_handle_t::NULL);
        let (mut context, mut list) = (ze_context_handle_t::NULL, ze_command_list_handle_t::NULL);
        let queue = ze_command_queue_desc_t { mode, ..Default::default() };
        let api = api();
        // SAFETY: all pointers are to live variables, and all handles come from the driver.
        unsafe {
            api.zeInit(ze_init_flags_t::empty()).into_result().unwrap();
            api.zeDriverGet(&mut 1, &mut driver).into_result().unwrap();
            api.zeDeviceGet(driver, &mut 1, &mut device).into_result().unwrap();
            api.zeContextCreate(driver, &Default::default(), &mut context).into_result().unwrap();
            api.zeCommandListCreateImmediate(context, device, &queue, &mut list).into_result().unwrap();
        }
        Self { driver, device, context, list }
    }

    /// An image of so many texels, whose first channel is in memory, and the second one where the layout has two.
    pub(crate) fn image(
        &self,
        type_: ze_image_type_t,
        (layout, channel): (ze_image_format_layout_t, ze_image_format_type_t),
        [width, height]: [u32; 2],
    ) -> ze_image_handle_t {
        use ze_image_format_swizzle_t as Swizzle;
        let second = match layout {
            ze_image_format_layout_t::ZE_IMAGE_FORMAT_LAYOUT_32_32 => Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_G,
            _ => Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_0,
        };
        let descriptor = ze_image_desc_t {
            type_,
            format: ze_image_format_t {
                layout,
                type_: channel,
                x: Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_R,
                y: second,
                z: Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_0,
                w: Swizzle::ZE_IMAGE_FORMAT_SWIZZLE_1,
            },
            flags: ze_image_flags_t::ZE_IMAGE_FLAG_KERNEL_WRITE,
            width: width.into(),
            height,
            depth: 1,
            ..Default::default()
        };
        let mut handle = ze_image_handle_t::NULL;
        // SAFETY: the handles are live, and the pointers are to live variables.
        unsafe {
            api().zeImageCreate(self.context, self.device, &descriptor, &mut handle).into_result().unwrap();
        }
        handle
    }

    /// Builds a module; the error is the build log.
    pub(crate) fn module(&self, spirv: &[u8]) -> Result<ze_module_handle_t, String> {
        let descriptor = ze_module_desc_t {
            format: ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV,
            inputSize: spirv.len(),
            pInputModule: spirv.as_ptr(),
            ..Default::default()
        };
        self.build(&descriptor)
    }

    /// Builds a module that there is nothing wrong with, and returns the build log too.
    pub(crate) fn module_with_log(&self, spirv: &[u8]) -> (ze_module_handle_t, String) {
        let descriptor = ze_module_desc_t {
            format: ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV,
            inputSize: spirv.len(),
            pInputModule: spirv.as_ptr(),
            ..Default::default()
        };
        let (module, log) = self.try_build(&descriptor);
        (module.unwrap(), log)
    }

    /// Builds what a descriptor of live bytes describes; the error is the build log.
    pub(crate) fn build(&self, descriptor: &ze_module_desc_t) -> Result<ze_module_handle_t, String> {
        let (module, log) = self.try_build(descriptor);
        module.map_err(|code| format!("{code:?}: {log}"))
    }

    fn try_build(&self, descriptor: &ze_module_desc_t) -> (Outcome<ze_module_handle_t>, String) {
        let (mut module, mut log) = (ze_module_handle_t::NULL, ze_module_build_log_handle_t::NULL);
        // SAFETY: the descriptor is of live bytes, and the rest as in `with_mode`.
        let built =
            unsafe { api().zeModuleCreate(self.context, self.device, descriptor, &mut module, &mut log) };
        let text = if log.is_null() { String::new() } else { build_log(log) };
        (built.into_result().map(|()| module), text)
    }

    /// Builds a program of several modules, some with values of constants; the error is the build log.
    pub(crate) fn program(
        &self,
        modules: &[(&[u8], Option<&ze_module_constants_t>)],
    ) -> Result<ze_module_handle_t, String> {
        let sizes: Vec<usize> = modules.iter().map(|(module, _)| module.len()).collect();
        let mut inputs: Vec<*const u8> = modules.iter().map(|(module, _)| module.as_ptr()).collect();
        let constants = |given: &Option<&ze_module_constants_t>| given.map_or(null(), std::ptr::from_ref);
        let mut constants: Vec<_> = modules.iter().map(|(_, given)| constants(given)).collect();
        let program = ze_module_program_exp_desc_t {
            count: modules.len() as u32,
            inputSizes: sizes.as_ptr(),
            pInputModules: inputs.as_mut_ptr(),
            pConstants: constants.as_mut_ptr(),
            ..Default::default()
        };
        self.build(&ze_module_desc_t {
            format: ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV,
            pNext: (&raw const program).cast(),
            ..Default::default()
        })
    }

    pub(crate) fn kernel(&self, spirv: &[u8], name: &str) -> ze_kernel_handle_t {
        let module = self.module(spirv).unwrap();
        create_kernel(module, name).unwrap()
    }

    /// Zeroed shared memory with these contents.
    pub(crate) fn buffer<T: Copy>(&self, content: &[T]) -> Buffer<T> {
        let mut pointer = null_mut();
        // SAFETY: as in `with_mode`; the memory is as large as what is copied to it.
        unsafe {
            let size = size_of_val(content);
            let (device, host) = (Default::default(), Default::default());
            api()
                .zeMemAllocShared(self.context, &device, &host, size, 64, self.device, &mut pointer)
                .into_result()
                .unwrap();
            pointer.cast::<T>().copy_from_nonoverlapping(content.as_ptr(), content.len());
        }
        Buffer { context: self.context, pointer: pointer.cast(), length: content.len() }
    }

    /// Appends a launch.
    pub(crate) fn launch(&self, kernel: ze_kernel_handle_t, groups: [u32; 3]) -> Outcome {
        self.launch_signalling(kernel, groups, ze_event_handle_t::NULL)
    }

    pub(crate) fn launch_signalling(
        &self,
        kernel: ze_kernel_handle_t,
        groups: [u32; 3],
        event: ze_event_handle_t,
    ) -> Outcome {
        append_launch(self.list, kernel, groups, event)
    }

    /// Waits for the list.
    pub(crate) fn synchronize(&self) -> Outcome {
        let address = self.extension(c"zeCommandListHostSynchronize");
        // SAFETY: the driver gives the function of this name, which has this signature.
        unsafe {
            let function: unsafe extern "C" fn(ze_command_list_handle_t, u64) -> ze_result_t =
                std::mem::transmute(address);
            function(self.list, FOREVER).into_result()
        }
    }

    /// What the last fault was.
    pub(crate) fn last_error(&self) -> String {
        let address = self.extension(c"zeDriverGetLastErrorDescription");
        let mut text = std::ptr::null();
        // SAFETY: as in `synchronize`; the text ends with NUL and lives until this thread asks again.
        unsafe {
            let function: unsafe extern "C" fn(ze_driver_handle_t, *mut *const c_char) -> ze_result_t =
                std::mem::transmute(address);
            function(self.driver, &mut text).into_result().unwrap();
            CStr::from_ptr(text).to_str().unwrap().to_owned()
        }
    }

    fn extension(&self, name: &CStr) -> *mut c_void {
        let mut address = null_mut();
        // SAFETY: as in `with_mode`; the name ends with NUL.
        unsafe {
            let found = api().zeDriverGetExtensionFunctionAddress(self.driver, name.as_ptr(), &mut address);
            found.into_result().unwrap();
        }
        address
    }

    /// A pool of events and its first `count`.
    pub(crate) fn events(&self, count: u32) -> Vec<ze_event_handle_t> {
        let descriptor = ze_event_pool_desc_t { count, ..Default::default() };
        let mut pool = ze_event_pool_handle_t::NULL;
        // SAFETY: as in `with_mode`.
        unsafe {
            let created = api().zeEventPoolCreate(self.context, &descriptor, 0, null_mut(), &mut pool);
            created.into_result().unwrap();
        }
        let create = |index| {
            let descriptor = ze_event_desc_t { index, ..Default::default() };
            let mut event = ze_event_handle_t::NULL;
            // SAFETY: as in `with_mode`.
            unsafe { api().zeEventCreate(pool, &descriptor, &mut event).into_result().unwrap() };
            event
        };
        (0..count).map(create).collect()
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // SAFETY: the handles are live; what uses them goes with them.
        unsafe {
            api().zeCommandListDestroy(self.list).into_result().unwrap();
            api().zeContextDestroy(self.context).into_result().unwrap();
        }
    }
}

pub(crate) fn append_launch(
    list: ze_command_list_handle_t,
    kernel: ze_kernel_handle_t,
    [x, y, z]: [u32; 3],
    event: ze_event_handle_t,
) -> Outcome {
    let groups = ze_group_count_t { groupCountX: x, groupCountY: y, groupCountZ: z };
    // SAFETY: the group count is live, and there are no events to wait for.
    unsafe {
        api().zeCommandListAppendLaunchKernel(list, kernel, &groups, event, 0, null_mut()).into_result()
    }
}

pub(crate) fn build_log(log: ze_module_build_log_handle_t) -> String {
    let mut size = 0;
    // SAFETY: the first call asks for the size, the second has as much room.
    unsafe {
        api().zeModuleBuildLogGetString(log, &mut size, null_mut()).into_result().unwrap();
        let mut bytes = vec![0_u8; size];
        api().zeModuleBuildLogGetString(log, &mut size, bytes.as_mut_ptr().cast()).into_result().unwrap();
        api().zeModuleBuildLogDestroy(log).into_result().unwrap();
        CStr::from_bytes_with_nul(&bytes).unwrap().to_str().unwrap().to_owned()
    }
}

/// A module with a text in one of the names replaced by one that is as long.
pub(crate) fn renamed(module: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = module.to_vec();
    let mut at = 0;
    while let Some(found) = bytes[at..].windows(from.len()).position(|window| window == from.as_bytes()) {
        bytes[at + found..at + found + from.len()].copy_from_slice(to.as_bytes());
        at += found + from.len();
    }
    assert_ne!(at, 0, "{from} is in the module");
    bytes
}

pub(crate) fn create_kernel(module: ze_module_handle_t, name: &str) -> Outcome<ze_kernel_handle_t> {
    let name = CString::new(name).unwrap();
    let descriptor = ze_kernel_desc_t { pKernelName: name.as_ptr(), ..Default::default() };
    let mut kernel = ze_kernel_handle_t::NULL;
    // SAFETY: the descriptor and the name are live.
    unsafe { api().zeKernelCreate(module, &descriptor, &mut kernel).into_result().map(|()| kernel) }
}

pub(crate) fn set_group_size(kernel: ze_kernel_handle_t, [x, y, z]: [u32; 3]) -> Outcome {
    // SAFETY: any values may be passed.
    unsafe { api().zeKernelSetGroupSize(kernel, x, y, z).into_result() }
}

/// Sets an argument to the bytes of a value.
pub(crate) fn set<T: Copy>(kernel: ze_kernel_handle_t, index: u32, value: T) -> Outcome {
    // SAFETY: the value is live and as large as is said.
    unsafe {
        api().zeKernelSetArgumentValue(kernel, index, size_of::<T>(), (&raw const value).cast()).into_result()
    }
}

/// Sets the size of a Workgroup pointer argument.
pub(crate) fn set_local(kernel: ze_kernel_handle_t, index: u32, bytes: usize) -> Outcome {
    // SAFETY: such an argument has no value.
    unsafe { api().zeKernelSetArgumentValue(kernel, index, bytes, std::ptr::null()).into_result() }
}

/// Memory that host and kernels share.
pub(crate) struct Buffer<T> {
    context: ze_context_handle_t,
    pub(crate) pointer: *mut T,
    length: usize,
}

impl<T: Copy> Buffer<T> {
    /// What it holds; no kernel may be writing to it.
    pub(crate) fn read(&self) -> Vec<T> {
        // SAFETY: the memory is live and has so many elements.
        unsafe { std::slice::from_raw_parts(self.pointer, self.length).to_vec() }
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        // SAFETY: the allocation is live; the context may be gone, which is an error that does not matter
        // here.
        unsafe {
            let _ = api().zeMemFree(self.context, self.pointer.cast());
        }
    }
}

/// Both compilations of the OpenCL kernels.
pub(crate) const KERNELS: [&[u8]; 2] =
    [include_bytes!("../modules/kernels.spv"), include_bytes!("../modules/kernels_o0.spv")];

/// The words of a module.
pub(crate) fn words(spirv: &[u8]) -> Vec<u32> {
    spirv.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// A module with the first instruction that starts with these words changed.
pub(crate) fn changed(spirv: &[u8], first: &[u32], change: impl FnOnce(&mut [u32])) -> Vec<u8> {
    let mut words = words(spirv);
    let place = words.windows(first.len()).position(|words| words == first);
    change(&mut words[place.expect("the instruction is there")..]);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
