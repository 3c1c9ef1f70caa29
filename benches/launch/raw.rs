//! The same launches by the functions of Level Zero alone, as a C program would make them: what a launch costs at least.

use kernel_runtime::KernelDescriptor;
use level_zero_sys::{
    Api, Later, Loader, ze_api_version_t, ze_command_list_handle_t, ze_command_queue_desc_t,
    ze_command_queue_flags_t, ze_command_queue_mode_t, ze_context_desc_t, ze_context_handle_t,
    ze_device_handle_t, ze_device_mem_alloc_desc_t, ze_device_properties_t, ze_device_type_t,
    ze_driver_handle_t, ze_event_desc_t, ze_event_handle_t, ze_event_pool_desc_t, ze_event_pool_flags_t,
    ze_event_pool_handle_t, ze_event_scope_flags_t, ze_group_count_t, ze_init_flags_t, ze_kernel_desc_t,
    ze_kernel_handle_t, ze_module_build_log_handle_t, ze_module_desc_t, ze_module_format_t,
    ze_module_handle_t, ze_result_t,
};
use std::ffi::{CString, c_void};
use std::ptr;

/// Checks that a function has succeeded; nothing here can go on otherwise.
macro_rules! call {
    ($api:ident.$function:ident($($argument:expr),* $(,)?)) => {
        let result = $api.$function($($argument),*);
        assert_eq!(result, ze_result_t::ZE_RESULT_SUCCESS, stringify!($function));
    };
}

/// A device as a C program has it.
#[derive(Clone, Copy)]
pub(crate) struct Raw {
    api: &'static Api,
    later: &'static Later,
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    module: ze_module_handle_t,
    /// Whether lists are in order, so that there are no barriers between launches.
    is_in_order: bool,
}

/// `ZE_COMMAND_QUEUE_FLAG_IN_ORDER` of version 1.9.
const IN_ORDER: ze_command_queue_flags_t = ze_command_queue_flags_t(1 << 1);

// SAFETY: the handles are names for what the driver keeps, and threads use what each makes for itself.
unsafe impl Send for Raw {}
// SAFETY: the same.
unsafe impl Sync for Raw {}

/// An immediate command list with a kernel and what that needs, for one thread.
pub(crate) struct RawQueue {
    raw: Raw,
    list: ze_command_list_handle_t,
    event: ze_event_handle_t,
    kernel: ze_kernel_handle_t,
    counters: *mut c_void,
    items: usize,
}

/// What is set before a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sets {
    /// All arguments.
    All,
    /// The first one.
    Step,
    /// None of them, since those of the launch before are as well.
    Nothing,
}

impl Raw {
    /// The first device of the type, on the driver that the runtime uses for it, with the module of a kernel.
    pub(crate) fn new(is_gpu: bool, kernel: &'static KernelDescriptor) -> Self {
        let (api, later, wanted) = match is_gpu {
            true => {
                let loader = Loader::open().expect("there is a GPU");
                (loader.api(), loader.later(), ze_device_type_t::ZE_DEVICE_TYPE_GPU)
            }
            false => (kernel_cpu::api(), kernel_cpu::later(), ze_device_type_t::ZE_DEVICE_TYPE_CPU),
        };
        let mut count = 8;
        let mut drivers = [ze_driver_handle_t::NULL; 8];
        // SAFETY: zeInit comes first, and the array is as long as the count says.
        unsafe {
            call!(api.zeInit(ze_init_flags_t::empty()));
            call!(api.zeDriverGet(&mut count, drivers.as_mut_ptr()));
        }
        let (driver, device) = drivers[..count as usize]
            .iter()
            .find_map(|&driver| Some((driver, device_of(api, driver, wanted)?)))
            .expect("the runtime has found the device");
        let mut context = ze_context_handle_t::NULL;
        let mut version = ze_api_version_t::default();
        let mut module = ze_module_handle_t::NULL;
        let spirv = kernel.spirv.bytes();
        let descriptor = ze_module_desc_t {
            format: ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV,
            inputSize: spirv.len(),
            pInputModule: spirv.as_ptr(),
            pBuildFlags: c"-ze-fp32-correctly-rounded-divide-sqrt".as_ptr(),
            ..Default::default()
        };
        let mut log = ze_module_build_log_handle_t::NULL;
        // SAFETY: the handles are those of the driver, and all pointers are to live variables and words.
        unsafe {
            call!(api.zeDriverGetApiVersion(driver, &mut version));
            call!(api.zeContextCreate(driver, &ze_context_desc_t::default(), &mut context));
            call!(api.zeModuleCreate(context, device, &descriptor, &mut module, &mut log));
        }
        // The CPU driver has extensions that need it, although it is of an older version.
        let is_in_order = !is_gpu || version >= ze_api_version_t::new(1, 9);
        Self { api, later, context, device, module, is_in_order }
    }

    /// A list of its own for a thread, with the entry point that the runtime takes, and counters that are zero.
    pub(crate) fn queue(self, kernel: &'static KernelDescriptor, items: usize) -> RawQueue {
        let Self { api, context, device, module, .. } = self;
        let name = kernel.hoisted.map_or(kernel.name, |hoisted| hoisted.entry_point);
        let name = CString::new(name).expect("a name has no NUL");
        let queue = ze_command_queue_desc_t {
            mode: ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
            flags: if self.is_in_order { IN_ORDER } else { ze_command_queue_flags_t::empty() },
            ..Default::default()
        };
        let pool = ze_event_pool_desc_t {
            flags: ze_event_pool_flags_t::ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
            count: 1,
            ..Default::default()
        };
        let scope = ze_event_scope_flags_t::ZE_EVENT_SCOPE_FLAG_HOST;
        let event = ze_event_desc_t { signal: scope, wait: scope, ..Default::default() };
        let memory = ze_device_mem_alloc_desc_t::default();
        let mut events = ze_event_pool_handle_t::NULL;
        let mut raw = RawQueue {
            raw: self,
            list: ze_command_list_handle_t::NULL,
            event: ze_event_handle_t::NULL,
            kernel: ze_kernel_handle_t::NULL,
            counters: ptr::null_mut(),
            items,
        };
        let (bytes, zero) = (items * size_of::<u32>(), [0_u8]);
        let none = ze_event_handle_t::NULL;
        let kernel = ze_kernel_desc_t { pKernelName: name.as_ptr(), ..Default::default() };
        // SAFETY: the handles are live and of one driver, and all pointers are to live variables.
        unsafe {
            call!(api.zeCommandListCreateImmediate(context, device, &queue, &mut raw.list));
            call!(api.zeEventPoolCreate(context, &pool, 1, &mut { device }, &mut events));
            call!(api.zeEventCreate(events, &event, &mut raw.event));
            call!(api.zeKernelCreate(module, &kernel, &mut raw.kernel));
            call!(api.zeKernelSetGroupSize(raw.kernel, items as u32, 1, 1));
            call!(api.zeMemAllocDevice(context, &memory, bytes, 64, device, &mut raw.counters));
            let zero = zero.as_ptr().cast();
            call!(api.zeCommandListAppendMemoryFill(
                raw.list,
                raw.counters,
                zero,
                1,
                bytes,
                none,
                0,
                ptr::null_mut()
            ));
        }
        raw.wait();
        raw
    }
}

fn device_of(
    api: &'static Api,
    driver: ze_driver_handle_t,
    wanted: ze_device_type_t,
) -> Option<ze_device_handle_t> {
    let (mut count, mut devices) = (8, [ze_device_handle_t::NULL; 8]);
    // SAFETY: the handle is the driver's, and the array is as long as the count says.
    unsafe {
        call!(api.zeDeviceGet(driver, &mut count, devices.as_mut_ptr()));
    }
    devices[..count as usize].iter().copied().find(|&device| {
        let mut properties = ze_device_properties_t::default();
        // SAFETY: the handle is the driver's, and the structure is live.
        unsafe {
            call!(api.zeDeviceGetProperties(device, &mut properties));
        }
        properties.type_ == wanted
    })
}

impl RawQueue {
    /// Sets arguments, and appends the launch after those before. The first one has to set all.
    pub(crate) fn launch(&self, step: u32, sets: Sets) {
        let (api, len) = (self.raw.api, self.items as u64);
        let (pointer, groups) =
            (size_of::<*mut c_void>(), ze_group_count_t { groupCountX: 1, groupCountY: 1, groupCountZ: 1 });
        let none = ze_event_handle_t::NULL;
        // SAFETY: the handles are live and this thread's own; the arguments are those of the kernel.
        unsafe {
            if sets != Sets::Nothing {
                call!(api.zeKernelSetArgumentValue(
                    self.kernel,
                    0,
                    size_of::<u32>(),
                    (&raw const step).cast()
                ));
            }
            if sets == Sets::All {
                call!(api.zeKernelSetArgumentValue(
                    self.kernel,
                    1,
                    pointer,
                    (&raw const self.counters).cast()
                ));
                call!(api.zeKernelSetArgumentValue(
                    self.kernel,
                    2,
                    size_of::<u64>(),
                    (&raw const len).cast()
                ));
            }
            if !self.raw.is_in_order {
                call!(api.zeCommandListAppendBarrier(self.list, none, 0, ptr::null_mut()));
            }
            call!(api.zeCommandListAppendLaunchKernel(
                self.list,
                self.kernel,
                &groups,
                none,
                0,
                ptr::null_mut()
            ));
        }
    }

    /// Waits for all launches.
    pub(crate) fn wait(&self) {
        let api = self.raw.api;
        // SAFETY: the handles are live and this thread's own.
        unsafe {
            let later = self.raw.later;
            if later.zeCommandListHostSynchronize.is_some() {
                call!(later.zeCommandListHostSynchronize(self.list, u64::MAX));
                return;
            }
            call!(api.zeCommandListAppendBarrier(self.list, self.event, 0, ptr::null_mut()));
            call!(api.zeEventHostSynchronize(self.event, u64::MAX));
            call!(api.zeEventHostReset(self.event));
        }
    }

    /// The counters, on the host.
    pub(crate) fn counters(&self) -> Vec<u32> {
        let (api, mut counters) = (self.raw.api, vec![0_u32; self.items]);
        let (to, bytes) = (counters.as_mut_ptr().cast(), self.items * size_of::<u32>());
        let none = ze_event_handle_t::NULL;
        // SAFETY: the vector has room for the bytes, and is there until they have been waited for.
        unsafe {
            call!(api.zeCommandListAppendMemoryCopy(
                self.list,
                to,
                self.counters,
                bytes,
                none,
                0,
                ptr::null_mut()
            ));
        }
        self.wait();
        counters
    }
}
