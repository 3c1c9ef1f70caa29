//! The driver, by the functions of Level Zero.

use kernel_runtime::KernelDescriptor;
use level_zero_sys::{
    Api, ze_command_list_handle_t, ze_command_queue_desc_t, ze_command_queue_mode_t, ze_context_desc_t,
    ze_context_handle_t, ze_device_handle_t, ze_driver_handle_t, ze_event_handle_t, ze_group_count_t,
    ze_init_flags_t, ze_kernel_desc_t, ze_kernel_handle_t, ze_module_build_log_handle_t, ze_module_desc_t,
    ze_module_format_t, ze_module_handle_t, ze_result_t,
};
use std::ffi::CString;
use std::ptr;

/// Checks that a function has succeeded; nothing here can go on otherwise.
macro_rules! call {
    ($api:ident.$function:ident($($argument:expr),* $(,)?)) => {
        let result = $api.$function($($argument),*);
        assert_eq!(result, ze_result_t::ZE_RESULT_SUCCESS, stringify!($function));
    };
}

/// The CPU driver with a context.
pub(crate) struct Driver {
    api: &'static Api,
    context: ze_context_handle_t,
    device: ze_device_handle_t,
}

// SAFETY: the handles are names for what the driver keeps, which any thread may use.
unsafe impl Sync for Driver {}

/// An immediate list of a thread, which waits for each launch.
pub(crate) struct List<'d> {
    driver: &'d Driver,
    list: ze_command_list_handle_t,
}

/// A kernel with the module that is its own.
pub(crate) struct Built {
    module: ze_module_handle_t,
    kernel: ze_kernel_handle_t,
}

impl Driver {
    pub(crate) fn new() -> Self {
        let api = kernel_cpu::api();
        let (mut driver, mut device) = (ze_driver_handle_t::NULL, ze_device_handle_t::NULL);
        let mut context = ze_context_handle_t::NULL;
        // SAFETY: zeInit comes first, the handles are those of the driver, and all pointers are to live variables.
        unsafe {
            call!(api.zeInit(ze_init_flags_t::empty()));
            call!(api.zeDriverGet(&mut 1, &mut driver));
            call!(api.zeDeviceGet(driver, &mut 1, &mut device));
            call!(api.zeContextCreate(driver, &ze_context_desc_t::default(), &mut context));
        }
        Self { api, context, device }
    }

    pub(crate) fn list(&self) -> List<'_> {
        let Self { api, context, device } = *self;
        let queue = ze_command_queue_desc_t {
            mode: ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS,
            ..Default::default()
        };
        let mut list = ze_command_list_handle_t::NULL;
        // SAFETY: the handles are those of the driver, and all pointers are to live variables.
        unsafe {
            call!(api.zeCommandListCreateImmediate(context, device, &queue, &mut list));
        }
        List { driver: self, list }
    }
}

impl List<'_> {
    /// Builds a module and the kernel in it that the runtime takes.
    pub(crate) fn build(&self, descriptor: &KernelDescriptor) -> Built {
        let Driver { api, context, device } = *self.driver;
        let spirv = descriptor.spirv.bytes();
        let name = descriptor.hoisted.map_or(descriptor.name, |hoisted| hoisted.entry_point);
        let name = CString::new(name).expect("a name has no NUL");
        let module = ze_module_desc_t {
            format: ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV,
            inputSize: spirv.len(),
            pInputModule: spirv.as_ptr(),
            pBuildFlags: c"-ze-fp32-correctly-rounded-divide-sqrt".as_ptr(),
            ..Default::default()
        };
        let kernel = ze_kernel_desc_t { pKernelName: name.as_ptr(), ..Default::default() };
        let mut built = Built { module: ze_module_handle_t::NULL, kernel: ze_kernel_handle_t::NULL };
        let no_log: *mut ze_module_build_log_handle_t = ptr::null_mut();
        // SAFETY: the handles are those of the driver, and all pointers are to live variables and words.
        unsafe {
            call!(api.zeModuleCreate(context, device, &module, &mut built.module, no_log));
            call!(api.zeKernelCreate(built.module, &kernel, &mut built.kernel));
        }
        built
    }

    /// Launches a kernel with arguments that are all zero: what it has no elements of it leaves alone.
    pub(crate) fn launch(&self, built: &Built) {
        let api = self.driver.api;
        let groups = ze_group_count_t { groupCountX: 1, groupCountY: 1, groupCountZ: 1 };
        let zero = [0_u8; 8];
        // SAFETY: the handles are those of the driver and this thread's own; a size that is not that of the argument is refused.
        unsafe {
            for index in 0..16 {
                for size in [8, 4] {
                    let set = api.zeKernelSetArgumentValue(built.kernel, index, size, zero.as_ptr().cast());
                    if set == ze_result_t::ZE_RESULT_SUCCESS {
                        break;
                    }
                }
            }
            call!(api.zeKernelSetGroupSize(built.kernel, 16, 1, 1));
            let none = ze_event_handle_t::NULL;
            call!(api.zeCommandListAppendLaunchKernel(
                self.list,
                built.kernel,
                &groups,
                none,
                0,
                ptr::null_mut()
            ));
        }
    }

    pub(crate) fn destroy(&self, built: Built) {
        let api = self.driver.api;
        // SAFETY: the handles are live, and not used again.
        unsafe {
            call!(api.zeKernelDestroy(built.kernel));
            call!(api.zeModuleDestroy(built.module));
        }
    }
}

impl Drop for List<'_> {
    fn drop(&mut self) {
        let api = self.driver.api;
        // SAFETY: the handle is live, and not used again.
        unsafe {
            call!(api.zeCommandListDestroy(self.list));
        }
    }
}
