//! The modes of the CPU driver, by the functions of Level Zero.

use kernel_runtime::KernelDescriptor;
use level_zero_sys::{
    ze_command_list_desc_t, ze_command_list_flags_t, ze_command_list_handle_t, ze_command_queue_desc_t,
    ze_command_queue_flags_t, ze_command_queue_handle_t, ze_command_queue_mode_t, ze_context_handle_t,
    ze_device_handle_t, ze_driver_handle_t, ze_event_handle_t, ze_event_pool_desc_t, ze_event_pool_flags_t,
    ze_event_pool_handle_t, ze_fence_handle_t, ze_group_count_t, ze_init_flags_t, ze_kernel_desc_t,
    ze_kernel_handle_t, ze_module_desc_t, ze_module_format_t, ze_module_handle_t, ze_result_t,
};
use std::ffi::{CString, c_void};
use std::ptr;

/// Checks that a function has succeeded; nothing here can go on otherwise.
macro_rules! call {
    ($function:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: the handles are those of the driver, and all pointers are to live variables or memory of the driver.
        let result = unsafe { kernel_cpu::api().$function($($argument),*) };
        assert_eq!(result, ze_result_t::ZE_RESULT_SUCCESS, stringify!($function));
    };
}

/// The same for a function that is newer than the tables.
macro_rules! call_later {
    ($function:ident: ($($ty:ty),*) = ($($argument:expr),* $(,)?)) => {
        let function: unsafe extern "C" fn($($ty),*) -> ze_result_t = later(stringify!($function));
        // SAFETY: as above.
        let result = unsafe { function($($argument),*) };
        assert_eq!(result, ze_result_t::ZE_RESULT_SUCCESS, stringify!($function));
    };
}

/// The function of this name; `F` must be its type.
fn later<F: Copy>(name: &str) -> F {
    let address = kernel_cpu::later_function(name).expect(name);
    assert_eq!(size_of::<F>(), size_of_val(&address));
    // SAFETY: the caller says which type of function pointer it is.
    unsafe { std::mem::transmute_copy(&address) }
}

/// A mode with so many launches.
pub(crate) struct Mode<'d> {
    pub(crate) name: &'static str,
    pub(crate) launches: u32,
    pub(crate) call: Box<dyn FnMut() + 'd>,
}

/// `ZE_COMMAND_QUEUE_FLAG_IN_ORDER` and `ZE_COMMAND_LIST_FLAG_IN_ORDER` of version 1.9.
const QUEUE_IN_ORDER: u32 = 1 << 1;
const LIST_IN_ORDER: u32 = 1 << 3;

const DEFAULT: ze_command_queue_mode_t = ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_DEFAULT;
const SYNCHRONOUS: ze_command_queue_mode_t = ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
const ASYNCHRONOUS: ze_command_queue_mode_t = ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;

const NO_EVENT: ze_event_handle_t = ze_event_handle_t::NULL;
const NO_FENCE: ze_fence_handle_t = ze_fence_handle_t::NULL;

type List = ze_command_list_handle_t;
type Event = ze_event_handle_t;

/// A context with a kernel that is ready, and how many work-groups its launches have.
pub(crate) struct Driver {
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    kernel: ze_kernel_handle_t,
    counters: u64,
    groups: ze_group_count_t,
}

impl Driver {
    pub(crate) fn new(descriptor: &KernelDescriptor, groups: u32) -> Self {
        let (mut driver, mut device) = (ze_driver_handle_t::NULL, ze_device_handle_t::NULL);
        let (mut context, mut module) = (ze_context_handle_t::NULL, ze_module_handle_t::NULL);
        let (mut kernel, mut counters) = (ze_kernel_handle_t::NULL, ptr::null_mut());
        let spirv = descriptor.spirv.bytes();
        let name = descriptor.hoisted.map_or(descriptor.name, |hoisted| hoisted.entry_point);
        let name = CString::new(name).expect("a name has no NUL");
        let program = ze_module_desc_t {
            format: ze_module_format_t::ZE_MODULE_FORMAT_IL_SPIRV,
            inputSize: spirv.len(),
            pInputModule: spirv.as_ptr(),
            ..Default::default()
        };
        let entry = ze_kernel_desc_t { pKernelName: name.as_ptr(), ..Default::default() };
        call!(zeInit(ze_init_flags_t::empty()));
        call!(zeDriverGet(&mut 1, &mut driver));
        call!(zeDeviceGet(driver, &mut 1, &mut device));
        call!(zeContextCreate(driver, &Default::default(), &mut context));
        call!(zeModuleCreate(context, device, &program, &mut module, ptr::null_mut()));
        call!(zeKernelCreate(module, &entry, &mut kernel));
        call!(zeMemAllocDevice(context, &Default::default(), 256, 64, device, &mut counters));
        call!(zeKernelSetGroupSize(kernel, 64, 1, 1));
        let (step, length, counters) = (0_u32, 64_u64, counters as u64);
        call!(zeKernelSetArgumentValue(kernel, 0, 4, (&raw const step).cast()));
        call!(zeKernelSetArgumentValue(kernel, 1, 8, (&raw const counters).cast()));
        call!(zeKernelSetArgumentValue(kernel, 2, 8, (&raw const length).cast()));
        let groups = ze_group_count_t { groupCountX: groups, groupCountY: 1, groupCountZ: 1 };
        Self { context, device, kernel, counters, groups }
    }

    fn immediate(&self, mode: ze_command_queue_mode_t, flags: u32) -> List {
        let flags = ze_command_queue_flags_t(flags);
        let descriptor = ze_command_queue_desc_t { mode, flags, ..Default::default() };
        let mut list = List::NULL;
        call!(zeCommandListCreateImmediate(self.context, self.device, &descriptor, &mut list));
        list
    }

    fn regular(&self, flags: u32) -> List {
        let descriptor =
            ze_command_list_desc_t { flags: ze_command_list_flags_t(flags), ..Default::default() };
        let mut list = List::NULL;
        call!(zeCommandListCreate(self.context, self.device, &descriptor, &mut list));
        list
    }

    /// A closed list of so many launches.
    fn closed(&self, flags: u32, launches: u32) -> List {
        let list = self.regular(flags);
        for _ in 0..launches {
            self.append(list, NO_EVENT);
        }
        call!(zeCommandListClose(list));
        list
    }

    fn queue(&self, mode: ze_command_queue_mode_t) -> ze_command_queue_handle_t {
        let descriptor = ze_command_queue_desc_t { mode, ..Default::default() };
        let mut queue = ze_command_queue_handle_t::NULL;
        call!(zeCommandQueueCreate(self.context, self.device, &descriptor, &mut queue));
        queue
    }

    fn event(&self) -> Event {
        let flags = ze_event_pool_flags_t::ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
        let descriptor = ze_event_pool_desc_t { flags, count: 1, ..Default::default() };
        let (mut pool, mut event) = (ze_event_pool_handle_t::NULL, NO_EVENT);
        call!(zeEventPoolCreate(self.context, &descriptor, 0, ptr::null_mut(), &mut pool));
        call!(zeEventCreate(pool, &Default::default(), &mut event));
        event
    }

    /// An event that counts, which need not be reset.
    fn counting_event(&self) -> Event {
        // `ze_event_counter_based_desc_t`, for immediate and other lists, visible to the host.
        let (descriptor, mut event) = ([0x2_0031_u64, 0, 7 | 1 << 32, 1], NO_EVENT);
        call_later!(zeEventCounterBasedCreate: (ze_context_handle_t, ze_device_handle_t, *const c_void, *mut Event)
            = (self.context, self.device, descriptor.as_ptr().cast(), &mut event));
        event
    }

    fn append(&self, list: List, event: Event) {
        call!(zeCommandListAppendLaunchKernel(list, self.kernel, &self.groups, event, 0, ptr::null_mut()));
    }

    /// All modes; some have `several` launches.
    pub(crate) fn modes(&self, several: u32) -> Vec<Mode<'_>> {
        let mut modes = Vec::new();
        self.add_immediate(&mut modes, several);
        self.add_regular(&mut modes, several);
        self.add_costs(&mut modes);
        modes
    }

    fn add_immediate<'d>(&'d self, modes: &mut Vec<Mode<'d>>, several: u32) {
        let mut add = |name, launches, call: Box<dyn FnMut() + 'd>| modes.push(Mode { name, launches, call });
        let kinds = [
            ("immediate list, synchronous", SYNCHRONOUS, 0),
            ("immediate list, synchronous, in order", SYNCHRONOUS, QUEUE_IN_ORDER),
        ];
        for (name, mode, flags) in kinds {
            let list = self.immediate(mode, flags);
            add(name, 1, Box::new(move || self.append(list, NO_EVENT)));
        }
        let kinds = [
            ("immediate list, default mode", DEFAULT, 0),
            ("immediate list, asynchronous", ASYNCHRONOUS, 0),
            ("immediate list, asynchronous, in order", ASYNCHRONOUS, QUEUE_IN_ORDER),
        ];
        for (name, mode, flags) in kinds {
            let list = self.immediate(mode, flags);
            add(name, 1, Box::new(move || (self.append(list, NO_EVENT), wait_for_list(list)).1));
        }
        let list = self.immediate(ASYNCHRONOUS, 0);
        let event = self.event();
        add(
            "immediate list, asynchronous, by an event that is reset",
            1,
            Box::new(move || {
                self.append(list, event);
                wait_for_event(event);
                reset(event);
            }),
        );
        let list = self.immediate(ASYNCHRONOUS, QUEUE_IN_ORDER);
        let event = self.counting_event();
        add(
            "immediate list, in order, by a counter-based event",
            1,
            Box::new(move || {
                self.append(list, event);
                wait_for_event(event);
            }),
        );
        let list = self.immediate(ASYNCHRONOUS, 0);
        add(
            "immediate list, asynchronous, with arguments",
            1,
            Box::new(move || {
                self.append_with_arguments(list);
                wait_for_list(list);
            }),
        );
        for (name, flags) in
            [("immediate list, ten launches", 0), ("immediate list, in order, ten launches", QUEUE_IN_ORDER)]
        {
            let list = self.immediate(ASYNCHRONOUS, flags);
            add(
                name,
                several,
                Box::new(move || {
                    (0..several).for_each(|_| self.append(list, NO_EVENT));
                    wait_for_list(list);
                }),
            );
        }
        let list = self.immediate(ASYNCHRONOUS, 0);
        let closed = self.closed(0, 1);
        add(
            "immediate list, a closed list appended",
            1,
            Box::new(move || {
                let mut closed = closed;
                call_later!(zeCommandListImmediateAppendCommandListsExp: (List, u32, *mut List, Event, u32, *mut Event)
                = (list, 1, &mut closed, NO_EVENT, 0, ptr::null_mut()));
                wait_for_list(list);
            }),
        );
    }

    fn append_with_arguments(&self, list: List) {
        let (mut step, mut counters, mut length) = (0_u32, self.counters, 64_u64);
        let mut values: [*mut c_void; 3] =
            [(&raw mut step).cast(), (&raw mut counters).cast(), (&raw mut length).cast()];
        call_later!(zeCommandListAppendLaunchKernelWithArguments:
            (List, ze_kernel_handle_t, ze_group_count_t, GroupSize, *mut *mut c_void, *const c_void, Event, u32, *mut Event)
            = (list, self.kernel, self.groups, GroupSize([64, 1, 1]), values.as_mut_ptr(), ptr::null(), NO_EVENT, 0, ptr::null_mut()));
    }

    fn add_regular<'d>(&'d self, modes: &mut Vec<Mode<'d>>, several: u32) {
        let mut add = |name, launches, call: Box<dyn FnMut() + 'd>| modes.push(Mode { name, launches, call });
        for (name, mode) in [
            ("closed list again, queue of default mode", DEFAULT),
            ("closed list again, synchronous queue", SYNCHRONOUS),
            ("closed list again, asynchronous queue", ASYNCHRONOUS),
        ] {
            let (queue, list) = (self.queue(mode), self.closed(0, 1));
            add(name, 1, Box::new(move || (execute(queue, list, NO_FENCE), wait_for_queue(queue)).1));
        }
        let (queue, list) = (self.queue(ASYNCHRONOUS), self.closed(LIST_IN_ORDER, 1));
        add(
            "closed list in order again",
            1,
            Box::new(move || (execute(queue, list, NO_FENCE), wait_for_queue(queue)).1),
        );
        let (queue, list) = (self.queue(ASYNCHRONOUS), self.closed(0, several));
        add(
            "closed list of ten launches again",
            several,
            Box::new(move || (execute(queue, list, NO_FENCE), wait_for_queue(queue)).1),
        );
        let (queue, list) = (self.queue(ASYNCHRONOUS), self.closed(LIST_IN_ORDER, several));
        add(
            "closed list of ten launches in order again",
            several,
            Box::new(move || (execute(queue, list, NO_FENCE), wait_for_queue(queue)).1),
        );
        let (queue, list) = (self.queue(ASYNCHRONOUS), self.closed(0, 1));
        let fence = fence(queue);
        add(
            "closed list again, by a fence that is reset",
            1,
            Box::new(move || {
                execute(queue, list, fence);
                wait_for_fence(fence);
            }),
        );
        let (queue, list) = (self.queue(ASYNCHRONOUS), self.regular(0));
        let event = self.event();
        self.append(list, event);
        call!(zeCommandListClose(list));
        add(
            "closed list again, by an event that is reset",
            1,
            Box::new(move || {
                execute(queue, list, NO_FENCE);
                wait_for_event(event);
                reset(event);
            }),
        );
        let (queue, list) = (self.queue(ASYNCHRONOUS), self.regular(0));
        add(
            "list recorded anew",
            1,
            Box::new(move || {
                call!(zeCommandListReset(list));
                self.append(list, NO_EVENT);
                call!(zeCommandListClose(list));
                execute(queue, list, NO_FENCE);
                wait_for_queue(queue);
            }),
        );
        self.add_mutable(&mut add);
    }

    fn add_mutable<'d>(&'d self, add: AddMode<'_, 'd>) {
        let (queue, list) = (self.queue(ASYNCHRONOUS), self.regular(0));
        let (descriptor, mut id) = ([0x2_0017_u64, 0, 1], 0);
        call_later!(zeCommandListGetNextCommandIdExp: (List, *const c_void, *mut u64)
            = (list, descriptor.as_ptr().cast(), &mut id));
        self.append(list, NO_EVENT);
        call!(zeCommandListClose(list));
        add(
            "closed list with an argument changed",
            1,
            Box::new(move || {
                let length = 64_u64;
                let change = [0x2_0019_u64, 0, id, 2, 8, (&raw const length) as u64];
                let descriptor = [0x2_0018_u64, change.as_ptr() as u64, 0];
                call_later!(zeCommandListUpdateMutableCommandsExp: (List, *const c_void)
                = (list, descriptor.as_ptr().cast()));
                call!(zeCommandListClose(list));
                execute(queue, list, NO_FENCE);
                wait_for_queue(queue);
            }),
        );
    }

    /// What events and fences cost without a launch.
    fn add_costs<'d>(&'d self, modes: &mut Vec<Mode<'d>>) {
        let mut add = |name, call: Box<dyn FnMut() + 'd>| modes.push(Mode { name, launches: 0, call });
        let event = self.event();
        add(
            "event signalled by the host, waited for and reset",
            Box::new(move || {
                call!(zeEventHostSignal(event));
                wait_for_event(event);
                reset(event);
            }),
        );
        let (list, event) = (self.immediate(ASYNCHRONOUS, 0), self.event());
        add(
            "event signalled by a list, waited for and reset",
            Box::new(move || {
                call!(zeCommandListAppendSignalEvent(list, event));
                wait_for_event(event);
                reset(event);
            }),
        );
        let (queue, list) = (self.queue(ASYNCHRONOUS), self.closed(0, 0));
        let fence = fence(queue);
        add(
            "fence of an empty list, waited for and reset",
            Box::new(move || {
                execute(queue, list, fence);
                wait_for_fence(fence);
            }),
        );
        let list = self.immediate(ASYNCHRONOUS, 0);
        add(
            "barrier, waited for",
            Box::new(move || {
                call!(zeCommandListAppendBarrier(list, NO_EVENT, 0, ptr::null_mut()));
                wait_for_list(list);
            }),
        );
    }
}

/// Takes a mode's name, how many launches it has, and the call.
type AddMode<'a, 'd> = &'a mut dyn FnMut(&'static str, u32, Box<dyn FnMut() + 'd>);

/// `ze_group_size_t`.
#[repr(C)]
struct GroupSize([u32; 3]);

fn fence(queue: ze_command_queue_handle_t) -> ze_fence_handle_t {
    let mut fence = NO_FENCE;
    call!(zeFenceCreate(queue, &Default::default(), &mut fence));
    fence
}

fn execute(queue: ze_command_queue_handle_t, list: List, fence: ze_fence_handle_t) {
    let mut list = list;
    call!(zeCommandQueueExecuteCommandLists(queue, 1, &mut list, fence));
}

fn wait_for_queue(queue: ze_command_queue_handle_t) {
    call!(zeCommandQueueSynchronize(queue, u64::MAX));
}

fn wait_for_list(list: List) {
    call_later!(zeCommandListHostSynchronize: (List, u64) = (list, u64::MAX));
}

fn wait_for_event(event: Event) {
    call!(zeEventHostSynchronize(event, u64::MAX));
}

fn reset(event: Event) {
    call!(zeEventHostReset(event));
}

/// Waits for a fence, and resets it.
fn wait_for_fence(fence: ze_fence_handle_t) {
    call!(zeFenceHostSynchronize(fence, u64::MAX));
    call!(zeFenceReset(fence));
}
