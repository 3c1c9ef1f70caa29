//! A driver for the tests of this crate that does nothing until it is waited for, and writes down what it was asked.
//!
//! A real driver may start a command at once or late; this one is always late, so that a buffer that is freed too early
//! or a value that is read too early is sure to be noticed.

use crate::device::Device;
use crate::device::driver::Driver;
use crate::launch::{Launch, LaunchArgument};
use core::ffi::{c_char, c_void};
use kernel_core::KernelDescriptor;
use level_zero_sys::*;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::HashMap;
use std::ptr;
use std::sync::{Mutex, MutexGuard};

/// A driver with one device.
pub(crate) struct FakeDriver(Mutex<State>);

/// What the handles of all objects point to; only kernels have arguments, only command lists that are no immediate ones have commands, and only images have
/// texels, which are never freed.
struct Object {
    driver: &'static FakeDriver,
    arguments: Mutex<Vec<Vec<u8>>>,
    commands: Mutex<Option<Vec<Command>>>,
    texels: Mutex<Vec<u8>>,
}

struct State {
    log: Vec<String>,
    pending: Vec<Command>,
    /// The lists whose commands are pending.
    executing: Vec<usize>,
    refuses_lists: bool,
    memory: HashMap<usize, Layout>,
    /// Pages of the program, by their addresses, with their sizes.
    imported: HashMap<usize, usize>,
    refuses_native: bool,
    fail: Option<(&'static str, ze_result_t)>,
    /// After how many more calls one fails, once and before it does its work; and how.
    inject: Option<(usize, ze_result_t)>,
    /// The function that was made to fail so.
    injected: Option<&'static str>,
    /// How many objects of a kind were made and not destroyed.
    live: HashMap<&'static str, isize>,
    /// Memory that was freed while a command was to use it.
    freed_too_early: usize,
    on_launch: OnLaunch,
    version: (u16, u16),
    host_access: ze_memory_access_cap_flags_t,
    argument_count: u32,
    /// Whether its devices can access the memory of each other, and with atomics.
    peers: (bool, bool),
}

/// The native binary of every module.
const NATIVE: &[u8] = b"native";

/// What a kernel does, given its arguments as bytes.
type OnLaunch = fn(&[Vec<u8>]);

#[derive(Clone)]
enum Command {
    Copy { to: usize, from: usize, bytes: usize },
    Rows { rows: Vec<(usize, usize)>, bytes: usize },
    Zeros { to: usize, bytes: usize },
    Launch { arguments: Vec<Vec<u8>> },
}

impl FakeDriver {
    /// A driver that lives as long as the process, as all do.
    pub(crate) fn new() -> &'static Self {
        let state = State {
            log: Vec::new(),
            pending: Vec::new(),
            executing: Vec::new(),
            refuses_lists: false,
            memory: HashMap::new(),
            imported: HashMap::new(),
            refuses_native: false,
            fail: None,
            inject: None,
            injected: None,
            live: HashMap::new(),
            freed_too_early: 0,
            on_launch: |_| (),
            version: (1, 4),
            host_access: ze_memory_access_cap_flags_t(0b1111),
            argument_count: 5,
            peers: (false, false),
        };
        Box::leak(Box::new(Self(Mutex::new(state))))
    }

    /// Its device.
    pub(crate) fn device(&'static self) -> Device {
        self.device_with(|_| ())
    }

    /// Its device, behind a changed function table.
    pub(crate) fn device_with(&'static self, change: impl FnOnce(&mut Api)) -> Device {
        let mut api = api();
        change(&mut api);
        let later = if self.state().version >= (1, 9) { &NEWER } else { &LATER };
        let (driver, device) = (ze_driver_handle_t(self.object()), ze_device_handle_t(self.object()));
        let device = Device::describe(&Driver::new((Box::leak(Box::new(api)), later), driver), device);
        device.expect("the fake driver answers").expect("the fake device is a GPU")
    }

    /// Makes every later call of a function fail, after it has done its work.
    pub(crate) fn fail(&self, function: &'static str, result: ze_result_t) {
        self.state().fail = Some((function, result));
    }

    /// Makes the call after so many others fail, before it does its work.
    pub(crate) fn inject(&self, calls: usize, result: ze_result_t) {
        let mut state = self.state();
        (state.inject, state.injected) = (Some((calls, result)), None);
    }

    /// Ends what [`inject`](Self::inject) began; returns the function that has failed, if it came to that.
    pub(crate) fn injected(&self) -> Option<&'static str> {
        let mut state = self.state();
        state.inject = None;
        state.injected
    }

    /// How much memory there is that was not freed, how many objects that were not destroyed, and how often memory was freed too early.
    pub(crate) fn left(&self) -> (usize, isize, usize) {
        let state = self.state();
        (state.memory.len() + state.imported.len(), state.live.values().sum(), state.freed_too_early)
    }

    /// How many commands have not run.
    pub(crate) fn pending(&self) -> usize {
        self.state().pending.len()
    }

    /// Lets its devices access the memory of each other, or not, and with atomics or without.
    pub(crate) fn set_peers(&self, access: bool, atomics: bool) {
        self.state().peers = (access, atomics);
    }

    /// Makes it take no native binaries.
    pub(crate) fn refuse_native(&self) {
        self.state().refuses_native = true;
    }

    /// Makes it execute no closed lists on immediate ones.
    pub(crate) fn refuse_lists(&self) {
        self.state().refuses_lists = true;
    }

    pub(crate) fn set_version(&self, version: (u16, u16)) {
        self.state().version = version;
    }

    /// Decides what kernels can do with memory of the host and shared memory.
    pub(crate) fn set_host_access(&self, access: ze_memory_access_cap_flags_t) {
        self.state().host_access = access;
    }

    /// Decides what kernels do, and how many arguments they have.
    pub(crate) fn on_launch(&self, argument_count: u32, action: OnLaunch) {
        let mut state = self.state();
        (state.argument_count, state.on_launch) = (argument_count, action);
    }

    /// What was called since the last look, one function a line.
    pub(crate) fn take_log(&self) -> String {
        std::mem::take(&mut self.state().log).join("\n")
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no test panics inside the driver")
    }

    /// The address of a new object of this driver.
    fn object(&'static self) -> *mut c_void {
        ptr::from_mut(Box::leak(Box::new(Object {
            driver: self,
            arguments: Mutex::default(),
            commands: Mutex::default(),
            texels: Mutex::default(),
        })))
        .cast()
    }
}

/// A launch of a kernel that a test makes up.
pub(crate) fn launch<const N: usize>(
    kernel: &'static KernelDescriptor,
    arguments: [LaunchArgument; N],
) -> Launch<N> {
    // SAFETY: the fake driver has no kernels: it does what the test says, with the arguments that it gets.
    unsafe { Launch::new(kernel, arguments) }
}

impl State {
    /// The result of a call that a test makes fail.
    fn fails(&mut self, function: &'static str) -> Option<ze_result_t> {
        let (calls, result) = self.inject.as_mut()?;
        if *calls > 0 {
            *calls -= 1;
            return None;
        }
        let result = *result;
        (self.inject, self.injected) = (None, Some(function));
        let waits = ["zeEventHostSynchronize", "zeCommandQueueSynchronize", "zeCommandListHostSynchronize"];
        let is_wait = waits.contains(&function);
        if is_wait && result == ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST {
            // A lost device does nothing more, and whoever waits for it is told so.
            self.pending.clear();
            self.executing.clear();
        }
        Some(result)
    }

    fn count(&mut self, kind: &'static str, change: isize) {
        *self.live.entry(kind).or_default() += change;
    }

    /// Whether a command that has not run uses memory.
    fn is_used(&self, start: usize, bytes: usize) -> bool {
        let touches = |address: usize, size: usize| address < start + bytes && start < address + size;
        self.pending.iter().any(|command| match command {
            Command::Copy { to, from, bytes } => touches(*to, *bytes) || touches(*from, *bytes),
            Command::Rows { rows, bytes } => {
                rows.iter().any(|(to, from)| touches(*to, *bytes) || touches(*from, *bytes))
            }
            Command::Zeros { to, bytes } => touches(*to, *bytes),
            Command::Launch { arguments } => arguments.iter().any(|argument| {
                let address = argument.as_slice().try_into().map(usize::from_ne_bytes);
                address.is_ok_and(|address| touches(address, 1))
            }),
        })
    }

    /// Appends a command to a list, of which an immediate one starts it.
    ///
    /// # Safety
    ///
    /// The handle must be that of a command list of this driver.
    unsafe fn append(&mut self, list: *mut c_void, command: Command) {
        // SAFETY: by the caller's promise; objects live as long as the process.
        let mut commands = unsafe { commands(list) };
        commands.as_mut().unwrap_or(&mut self.pending).push(command);
    }

    /// Starts the commands of closed lists.
    ///
    /// # Safety
    ///
    /// The array must be of so many handles of command lists of this driver.
    unsafe fn execute(&mut self, count: u32, lists: *const *mut c_void) {
        for index in 0..count as usize {
            // SAFETY: by the caller's promise; objects live as long as the process.
            let (list, commands) = unsafe {
                let list = lists.add(index).read();
                (list, commands(list).clone().expect("an immediate list is not executed"))
            };
            self.pending.extend(commands);
            self.executing.push(list.addr());
        }
    }

    fn run(&mut self) {
        self.executing.clear();
        for command in std::mem::take(&mut self.pending) {
            // SAFETY: the runtime keeps the memory of its commands until it has waited for them; where it does not, a test
            // that looks for "free" in the log fails.
            unsafe {
                match command {
                    Command::Copy { to, from, bytes } => ptr::copy(from as *const u8, to as *mut u8, bytes),
                    Command::Rows { rows, bytes } => rows
                        .into_iter()
                        .for_each(|(to, from)| ptr::copy(from as *const u8, to as *mut u8, bytes)),
                    Command::Zeros { to, bytes } => ptr::write_bytes(to as *mut u8, 0, bytes),
                    Command::Launch { arguments } => (self.on_launch)(&arguments),
                }
            }
        }
    }

    fn allocate(&mut self, size: usize, alignment: usize) -> *mut c_void {
        let layout = Layout::from_size_align(size, alignment).expect("the runtime asks for sane memory");
        // SAFETY: the runtime never asks for no memory.
        let address: *mut c_void = unsafe { alloc_zeroed(layout) }.cast();
        self.memory.insert(address.expose_provenance(), layout);
        address
    }
}

/// Defines the functions of the driver: each logs a line, does what it must, and fails if a test says so.
macro_rules! functions {
    ($(
        $table:ident.$slot:ident = $name:ident($handle:ident $(, $argument:ident: $ty:ty)* $(,)?)
            $log:expr, |$state:ident| $action:expr;
    )*) => {
        $(
            #[allow(non_snake_case, reason = "the functions have their names of the specification")]
            unsafe extern "C" fn $name($handle: *mut c_void $(, $argument: $ty)*) -> ze_result_t {
                // SAFETY: every handle is the address of an object, which lives as long as the process.
                let mut guard = unsafe { &*$handle.cast::<Object>() }.driver.state();
                let $state = &mut *guard;
                if let Some(result) = $state.fails(stringify!($name)) {
                    return result;
                }
                // SAFETY: the runtime passes pointers to live variables, or null where the functions allow it.
                #[allow(unused_unsafe, reason = "some functions use no pointer")]
                let line: String = unsafe { $log.into() };
                $state.log.extend((!line.is_empty()).then_some(line));
                // SAFETY: as above.
                #[allow(unused_unsafe, reason = "some functions use no pointer")]
                unsafe { $action };
                match $state.fail {
                    Some((function, result)) if function == stringify!($name) => result,
                    _ => ze_result_t::ZE_RESULT_SUCCESS,
                }
            }
        )*

        fn api() -> Api {
            let mut api = Api::EMPTY;
            // SAFETY: handles are transparent pointers, so that these functions have the prototypes of their slots.
            #[expect(clippy::missing_transmute_annotations, reason = "the slot has the type")]
            unsafe { $(api.$table.$slot = Some(std::mem::transmute($name as *const ()));)* }
            api
        }
    };
}

/// The arguments of a kernel.
///
/// # Safety
///
/// The handle must be that of a kernel of this driver.
unsafe fn arguments(kernel: *mut c_void) -> MutexGuard<'static, Vec<Vec<u8>>> {
    // SAFETY: by the caller's promise; objects live as long as the process.
    unsafe { &*kernel.cast::<Object>() }.arguments.lock().expect("no test panics inside the driver")
}

/// The commands of a list, if it is no immediate one.
///
/// # Safety
///
/// The handle must be that of a command list of this driver.
unsafe fn commands(list: *mut c_void) -> MutexGuard<'static, Option<Vec<Command>>> {
    // SAFETY: by the caller's promise; objects live as long as the process.
    unsafe { &*list.cast::<Object>() }.commands.lock().expect("no test panics inside the driver")
}

/// Where the texels of an image are, and how many bytes.
///
/// # Safety
///
/// The handle must be that of an image of this driver.
unsafe fn texels(image: *mut c_void) -> (usize, usize) {
    // SAFETY: by the caller's promise; objects live as long as the process.
    let texels = unsafe { &*image.cast::<Object>() }.texels.lock().expect("no test panics inside the driver");
    (texels.as_ptr().expose_provenance(), texels.len())
}

static LATER: Later =
    Later { zeCommandListImmediateAppendCommandListsExp: Some(append_lists), ..Later::EMPTY };

/// The functions of a driver of version 1.9.
static NEWER: Later = Later { zeCommandListHostSynchronize: Some(synchronize_list), ..LATER };

unsafe extern "C" fn synchronize_list(list: ze_command_list_handle_t, _timeout: u64) -> ze_result_t {
    // SAFETY: every handle is the address of an object, which lives as long as the process.
    let mut state = unsafe { &*list.0.cast::<Object>() }.driver.state();
    if let Some(result) = state.fails("zeCommandListHostSynchronize") {
        return result;
    }
    state.log.push("wait for the list".into());
    state.run();
    ze_result_t::ZE_RESULT_SUCCESS
}

unsafe extern "C" fn append_lists(
    list: ze_command_list_handle_t,
    count: u32,
    lists: *mut ze_command_list_handle_t,
    _event: ze_event_handle_t,
    _waits: u32,
    _events: *mut ze_event_handle_t,
) -> ze_result_t {
    // SAFETY: every handle is the address of an object, which lives as long as the process.
    let mut state = unsafe { &*list.0.cast::<Object>() }.driver.state();
    if let Some(result) = state.fails("zeCommandListImmediateAppendCommandListsExp") {
        return result;
    }
    if state.refuses_lists {
        return ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    }
    state.log.push("execute".into());
    // SAFETY: the runtime passes an array of live handles, which are transparent pointers.
    unsafe { state.execute(count, lists.cast()) };
    ze_result_t::ZE_RESULT_SUCCESS
}

/// The constants for which a module is built.
///
/// # Safety
///
/// The pointer must be null, or to live arrays of the lengths that are stated, and to values of eight bytes.
unsafe fn constants(constants: *const ze_module_constants_t) -> String {
    // SAFETY: by the caller's promise.
    let Some(constants) = (unsafe { constants.as_ref() }) else { return String::new() };
    let constant = |index: usize| {
        // SAFETY: by the caller's promise, for an index below the length.
        let (id, value) = unsafe {
            (*constants.pConstantIds.add(index), *(*constants.pConstantValues.add(index)).cast::<u64>())
        };
        format!(" {id}={value}")
    };
    (0..constants.numConstants as usize).map(constant).collect()
}

functions! {
    driver.pfnGetProperties = zeDriverGetProperties(driver, out: *mut ze_driver_properties_t)
        "", |_state| (*out).driverVersion = 7;
    driver.pfnGetApiVersion = zeDriverGetApiVersion(driver, out: *mut ze_api_version_t)
        "", |state| *out = ze_api_version_t::new(state.version.0, state.version.1);

    driver.pfnGetExtensionProperties = zeDriverGetExtensionProperties(
        driver, count: *mut u32, all: *mut ze_driver_extension_properties_t,
    )
        "", |_state| {
            *count = 1;
            if !all.is_null() { (*all).name = FixedCStr::new("ZE_extension_external_memmap_sysmem") }
        };

    device.pfnGetProperties = zeDeviceGetProperties(device, out: *mut ze_device_properties_t)
        "", |_state| {
            (*out).type_ = ze_device_type_t::ZE_DEVICE_TYPE_GPU;
            (*out).name = FixedCStr::new("fake");
            // 10 MHz.
            ((*out).numSlices, (*out).numSubslicesPerSlice) = (2, 4);
            ((*out).numEUsPerSubslice, (*out).numThreadsPerEU) = (8, 8);
            ((*out).timerResolution, (*out).kernelTimestampValidBits) = (10_000_000, 32);
            (*out).maxMemAllocSize = 1 << 20;
        };
    device.pfnGetComputeProperties = zeDeviceGetComputeProperties(
        device, out: *mut ze_device_compute_properties_t,
    )
        "", |_state| {
            (*out).maxTotalGroupSize = 1024;
            ((*out).maxGroupSizeX, (*out).maxGroupSizeY, (*out).maxGroupSizeZ) = (1024, 1024, 1024);
            ((*out).maxGroupCountX, (*out).maxGroupCountY, (*out).maxGroupCountZ) = (u32::MAX, u32::MAX, u32::MAX);
        };
    device.pfnGetModuleProperties = zeDeviceGetModuleProperties(device, out: *mut ze_device_module_properties_t)
        "", |_state| (*out).spirvVersionSupported = ze_api_version_t::new(1, 2).0;
    device.pfnGetMemoryProperties = zeDeviceGetMemoryProperties(
        device, count: *mut u32, out: *mut ze_device_memory_properties_t,
    )
        "", |_state| {
            *count = 1;
            if !out.is_null() { (*out).totalSize = 1 << 30 }
        };
    device.pfnGetMemoryAccessProperties = zeDeviceGetMemoryAccessProperties(
        device, out: *mut ze_device_memory_access_properties_t,
    )
        "", |state| {
            (*out).deviceAllocCapabilities = ze_memory_access_cap_flags_t(0b1111);
            (*out).hostAllocCapabilities = state.host_access;
            (*out).sharedSingleDeviceAllocCapabilities = state.host_access;
        };
    device.pfnGetCommandQueueGroupProperties = zeDeviceGetCommandQueueGroupProperties(
        device, count: *mut u32, out: *mut ze_command_queue_group_properties_t,
    )
        "", |_state| {
            // The first group only copies, as some of Intel's devices have it.
            *count = 2;
            type Flags = ze_command_queue_group_property_flags_t;
            let copy = Flags::ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
            let compute = Flags::ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE
                | Flags::ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
            if !out.is_null() {
                (*out).flags = copy;
                (*out.add(1)).flags = copy | compute;
            }
        };
    device.pfnGetSubDevices = zeDeviceGetSubDevices(device, count: *mut u32, out: *mut *mut c_void)
        "", |_state| {
            *count = 2;
            if !out.is_null() {
                let driver = (*device.cast::<Object>()).driver;
                (0..2).for_each(|index| *out.add(index) = driver.object());
            }
        };

    device.pfnCanAccessPeer = zeDeviceCanAccessPeer(device, _peer: *mut c_void, out: *mut ze_bool_t)
        "", |state| *out = state.peers.0.into();
    device.pfnGetP2PProperties = zeDeviceGetP2PProperties(
        device, _peer: *mut c_void, out: *mut ze_device_p2p_properties_t,
    )
        "", |state| if state.peers.1 {
            (*out).flags = ze_device_p2p_property_flags_t::ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;
        };

    device.pfnGetImageProperties = zeDeviceGetImageProperties(device, out: *mut ze_device_image_properties_t)
        "", |_state| {
            ((*out).maxImageDims1D, (*out).maxImageDims2D, (*out).maxImageDims3D) = (1024, 1024, 1024);
        };

    context.pfnCreate = zeContextCreate(driver, _descriptor: *const ze_context_desc_t, out: *mut *mut c_void)
        "", |_state| *out = driver;

    event_pool.pfnCreate = zeEventPoolCreate(
        context, _descriptor: *const ze_event_pool_desc_t, _count: u32, _devices: *mut *mut c_void,
        out: *mut *mut c_void,
    )
        "", |_state| *out = context;
    event_pool.pfnDestroy = zeEventPoolDestroy(pool)
        "", |_state| ();
    event.pfnCreate = zeEventCreate(pool, _descriptor: *const ze_event_desc_t, out: *mut *mut c_void)
        "", |_state| *out = pool;
    event.pfnDestroy = zeEventDestroy(event)
        "", |_state| ();
    event.pfnHostSynchronize = zeEventHostSynchronize(event, _timeout: u64)
        "wait", |state| state.run();
    event.pfnQueryStatus = zeEventQueryStatus(event)
        "", |state| if !state.pending.is_empty() { return ze_result_t::ZE_RESULT_NOT_READY };
    event.pfnQueryKernelTimestamp = zeEventQueryKernelTimestamp(event, out: *mut ze_kernel_timestamp_result_t)
        "", |_state| ((*out).global.kernelStart, (*out).global.kernelEnd) = (1000, 3500);
    event.pfnHostSignal = zeEventHostSignal(event)
        "", |_state| ();
    event.pfnHostReset = zeEventHostReset(event)
        "", |_state| ();

    command_queue.pfnCreate = zeCommandQueueCreate(
        context, _device: *mut c_void, _descriptor: *const ze_command_queue_desc_t, out: *mut *mut c_void,
    )
        "queue", |state| { *out = context; state.count("queue", 1) };
    command_queue.pfnDestroy = zeCommandQueueDestroy(queue)
        "destroy queue", |state| state.count("queue", -1);
    command_queue.pfnExecuteCommandLists = zeCommandQueueExecuteCommandLists(
        queue, count: u32, lists: *mut *mut c_void, _fence: *mut c_void,
    )
        "execute", |state| state.execute(count, lists);
    command_queue.pfnSynchronize = zeCommandQueueSynchronize(queue, _timeout: u64)
        "wait", |state| state.run();

    command_list.pfnCreateImmediate = zeCommandListCreateImmediate(
        context, _device: *mut c_void, descriptor: *const ze_command_queue_desc_t, out: *mut *mut c_void,
    )
        match (*descriptor).priority {
            ze_command_queue_priority_t::ZE_COMMAND_QUEUE_PRIORITY_NORMAL => {
                format!("immediate list, group {}, flags {}", (*descriptor).ordinal, (*descriptor).flags.0)
            }
            priority => format!("immediate list, group {}, priority {}", (*descriptor).ordinal, priority.0),
        },
        |state| { *out = context; state.count("list", 1) };
    command_list.pfnCreate = zeCommandListCreate(
        context, _device: *mut c_void, _descriptor: *const ze_command_list_desc_t, out: *mut *mut c_void,
    )
        "list", |state| {
            *out = (*context.cast::<Object>()).driver.object();
            *commands(*out) = Some(Vec::new());
            state.count("list", 1);
        };
    command_list.pfnDestroy = zeCommandListDestroy(list)
        "destroy list", |state| {
            state.freed_too_early += usize::from(state.executing.contains(&list.addr()));
            state.count("list", -1);
        };
    command_list.pfnClose = zeCommandListClose(list)
        "close", |_state| ();
    command_list.pfnReset = zeCommandListReset(list)
        "reset", |_state| *commands(list) = Some(Vec::new());
    command_list.pfnAppendBarrier = zeCommandListAppendBarrier(
        list, event: *mut c_void, count: u32, _events: *mut *mut c_void,
    )
        if count != 0 { "follow" } else if event.is_null() { "barrier" } else { "signal" }, |_state| ();
    command_list.pfnAppendMemoryCopy = zeCommandListAppendMemoryCopy(
        list, to: *mut c_void, from: *const c_void, bytes: usize,
        _event: *mut c_void, _count: u32, _events: *mut *mut c_void,
    )
        format!("copy {bytes}"),
        |state| state.append(list, Command::Copy { to: to.expose_provenance(), from: from.expose_provenance(), bytes });
    command_list.pfnAppendMemoryCopyRegion = zeCommandListAppendMemoryCopyRegion(
        list, to: *mut c_void, _to_region: *const ze_copy_region_t, to_pitch: u32, _to_slice: u32,
        from: *const c_void, region: *const ze_copy_region_t, from_pitch: u32, _from_slice: u32,
        _event: *mut c_void, _count: u32, _events: *mut *mut c_void,
    )
        "copy region", |state| {
            let row = |row: usize| (to.expose_provenance() + row * to_pitch as usize, from.expose_provenance() + row * from_pitch as usize);
            let (rows, bytes) = ((0..(*region).height as usize).map(row).collect(), (*region).width as usize);
            state.append(list, Command::Rows { rows, bytes });
        };
    command_list.pfnAppendMemoryFill = zeCommandListAppendMemoryFill(
        list, to: *mut c_void, _pattern: *const c_void, _pattern_size: usize, bytes: usize,
        _event: *mut c_void, _count: u32, _events: *mut *mut c_void,
    )
        format!("zeros {bytes}"), |state| state.append(list, Command::Zeros { to: to.expose_provenance(), bytes });
    command_list.pfnAppendLaunchKernel = zeCommandListAppendLaunchKernel(
        list, kernel: *mut c_void, groups: *const ze_group_count_t,
        _event: *mut c_void, _count: u32, _events: *mut *mut c_void,
    )
        format!("launch {} {} {}", (*groups).groupCountX, (*groups).groupCountY, (*groups).groupCountZ),
        |state| state.append(list, Command::Launch { arguments: arguments(kernel).clone() });

    command_list.pfnAppendLaunchCooperativeKernel = zeCommandListAppendLaunchCooperativeKernel(
        list, kernel: *mut c_void, groups: *const ze_group_count_t,
        _event: *mut c_void, _count: u32, _events: *mut *mut c_void,
    )
        format!("launch together {}", (*groups).groupCountX),
        |state| state.append(list, Command::Launch { arguments: arguments(kernel).clone() });

    image.pfnCreate = zeImageCreate(
        context, _device: *mut c_void, descriptor: *const ze_image_desc_t, out: *mut *mut c_void,
    )
        "image", |state| {
            *out = (*context.cast::<Object>()).driver.object();
            let size = (*descriptor).width as usize * (*descriptor).height as usize * 4;
            *(*(*out).cast::<Object>()).texels.lock().expect("nobody panics") = vec![0; size];
            state.count("image", 1);
        };
    image.pfnDestroy = zeImageDestroy(image)
        "destroy image", |state| {
            let (start, size) = texels(image);
            state.freed_too_early += usize::from(state.is_used(start, size));
            state.count("image", -1);
        };
    command_list.pfnAppendImageCopyFromMemory = zeCommandListAppendImageCopyFromMemory(
        list, image: *mut c_void, from: *const c_void, _region: *const ze_image_region_t,
        _event: *mut c_void, _count: u32, _events: *mut *mut c_void,
    )
        "copy to image", |state| {
            let (to, bytes) = texels(image);
            state.append(list, Command::Copy { to, from: from.expose_provenance(), bytes });
        };
    command_list.pfnAppendImageCopyToMemory = zeCommandListAppendImageCopyToMemory(
        list, to: *mut c_void, image: *mut c_void, _region: *const ze_image_region_t,
        _event: *mut c_void, _count: u32, _events: *mut *mut c_void,
    )
        "copy from image", |state| {
            let (from, bytes) = texels(image);
            state.append(list, Command::Copy { to: to.expose_provenance(), from, bytes });
        };

    mem.pfnAllocDevice = zeMemAllocDevice(
        context, _descriptor: *const ze_device_mem_alloc_desc_t, size: usize, alignment: usize,
        _device: *mut c_void, out: *mut *mut c_void,
    )
        format!("allocate {size}"), |state| *out = state.allocate(size, alignment);
    mem.pfnAllocHost = zeMemAllocHost(
        context, _descriptor: *const ze_host_mem_alloc_desc_t, size: usize, alignment: usize, out: *mut *mut c_void,
    )
        "", |state| {
            // SAFETY: the runtime passes a valid chain.
            let found = find_in_chain::<ze_external_memmap_sysmem_ext_desc_t>((*_descriptor).pNext);
            *out = match found.map(|found| found.read()) {
                None => state.allocate(size, alignment),
                Some(memory) => {
                    assert_eq!(memory.size, size as u64);
                    let before = state.imported.insert(memory.pSystemMemory.addr(), size);
                    assert_eq!(before, None, "pages are imported once");
                    memory.pSystemMemory
                }
            };
        };
    mem.pfnAllocShared = zeMemAllocShared(
        context, _descriptor: *const ze_device_mem_alloc_desc_t, _host: *const ze_host_mem_alloc_desc_t,
        size: usize, alignment: usize, _device: *mut c_void, out: *mut *mut c_void,
    )
        format!("allocate shared {size}"), |state| *out = state.allocate(size, alignment);
    mem.pfnFree = zeMemFree(context, address: *mut c_void)
        "free", |state| {
            if let Some(size) = state.imported.remove(&address.addr()) {
                state.freed_too_early += usize::from(state.is_used(address.addr(), size));
                return ze_result_t::ZE_RESULT_SUCCESS;
            }
            let layout = state.memory.remove(&address.addr()).expect("memory is freed once");
            state.freed_too_early += usize::from(state.is_used(address.addr(), layout.size()));
            dealloc(address.cast(), layout);
        };

    module.pfnCreate = zeModuleCreate(
        context, _device: *mut c_void, descriptor: *const ze_module_desc_t,
        module: *mut *mut c_void, log: *mut *mut c_void,
    )
        match (*descriptor).format {
            ze_module_format_t::ZE_MODULE_FORMAT_NATIVE => "load".to_owned(),
            _ => format!("build{}", constants((*descriptor).pConstants)),
        },
        |state| {
            *log = context;
            state.count("log", 1);
            if (*descriptor).format == ze_module_format_t::ZE_MODULE_FORMAT_NATIVE {
                let binary = std::slice::from_raw_parts((*descriptor).pInputModule, (*descriptor).inputSize);
                assert_eq!(binary, NATIVE, "a damaged binary is not given to the driver");
                if state.refuses_native {
                    return ze_result_t::ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
                }
            }
            *module = context;
            state.count("module", 1);
        };
    module.pfnGetNativeBinary = zeModuleGetNativeBinary(module, size: *mut usize, binary: *mut u8)
        "", |_state| {
            *size = NATIVE.len();
            if !binary.is_null() { ptr::copy_nonoverlapping(NATIVE.as_ptr(), binary, NATIVE.len()) }
        };
    module.pfnDestroy = zeModuleDestroy(module)
        "destroy module", |state| state.count("module", -1);
    module.pfnGetKernelNames = zeModuleGetKernelNames(module, count: *mut u32, names: *mut *const c_char)
        "", |_state| {
            *count = 1;
            if !names.is_null() { *names = c"kernel".as_ptr() }
        };
    module_build_log.pfnGetString = zeModuleBuildLogGetString(log, size: *mut usize, text: *mut c_char)
        "", |_state| {
            *size = c"the log".to_bytes_with_nul().len();
            if !text.is_null() { ptr::copy_nonoverlapping(c"the log".as_ptr(), text, *size) }
        };
    module_build_log.pfnDestroy = zeModuleBuildLogDestroy(log)
        "", |state| state.count("log", -1);

    kernel.pfnCreate = zeKernelCreate(module, _descriptor: *const ze_kernel_desc_t, out: *mut *mut c_void)
        "kernel", |state| { *out = (*module.cast::<Object>()).driver.object(); state.count("kernel", 1) };
    kernel.pfnDestroy = zeKernelDestroy(kernel)
        "destroy kernel", |state| state.count("kernel", -1);
    kernel.pfnGetProperties = zeKernelGetProperties(kernel, out: *mut ze_kernel_properties_t)
        "", |state| {
            (*out).numKernelArgs = state.argument_count;
            ((*out).maxSubgroupSize, (*out).localMemSize, (*out).spillMemSize) = (16, 128, 0);
        };
    kernel.pfnSetGroupSize = zeKernelSetGroupSize(kernel, x: u32, y: u32, z: u32)
        format!("group size {x} {y} {z}"), |_state| ();
    kernel.pfnSuggestMaxCooperativeGroupCount = zeKernelSuggestMaxCooperativeGroupCount(kernel, count: *mut u32)
        "", |_state| *count = 4;
    kernel.pfnSuggestGroupSize = zeKernelSuggestGroupSize(
        kernel, _x: u32, _y: u32, _z: u32, x: *mut u32, y: *mut u32, z: *mut u32,
    )
        "", |_state| (*x, *y, *z) = (48, 2, 1);
    kernel.pfnSetIndirectAccess = zeKernelSetIndirectAccess(kernel, flags: ze_kernel_indirect_access_flags_t)
        format!("indirect access {}", flags.0), |_state| ();
    command_list.pfnAppendMemoryPrefetch = zeCommandListAppendMemoryPrefetch(
        list, _address: *const c_void, bytes: usize,
    )
        { let _ = list; format!("prefetch {bytes}") }, |_state| ();
    command_list.pfnAppendMemAdvise = zeCommandListAppendMemAdvise(
        list, _device: *mut c_void, _address: *const c_void, bytes: usize, advice: ze_memory_advice_t,
    )
        { let _ = list; format!("advise {bytes} {}", advice.0) }, |_state| ();
    command_list.pfnAppendLaunchKernelIndirect = zeCommandListAppendLaunchKernelIndirect(
        list, kernel: *mut c_void, _groups: *const ze_group_count_t,
        _event: *mut c_void, _count: u32, _events: *mut *mut c_void,
    )
        "launch indirectly",
        |state| state.append(list, Command::Launch { arguments: arguments(kernel).clone() });
    kernel.pfnSetArgumentValue = zeKernelSetArgumentValue(kernel, index: u32, size: usize, value: *const c_void)
        "", |_state| {
            let (mut arguments, index) = (arguments(kernel), index as usize);
            let len = arguments.len().max(index + 1);
            arguments.resize(len, Vec::new());
            arguments[index] = std::slice::from_raw_parts(value.cast::<u8>(), size).to_vec();
        };
}
