//! Memory and events that several processes share, and memory that goes from interface to interface as a file descriptor.
#![cfg(target_os = "linux")]

mod driver;

use driver::{Gpu, KERNELS, Outcome, api, create_kernel, later, set, set_group_size};
use level_zero_sys::*;
use std::ffi::{c_char, c_void};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::process::{Command, Output};
use std::ptr::{null, null_mut};

const INVALID: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
const NULL_HANDLE: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
const NULL_POINTER: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
const UNSUPPORTED: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);

/// The variables by which a test tells the process that it starts what to open.
const MEMORY: &str = "KERNEL_CPU_TEST_MEMORY";
const EVENTS: &str = "KERNEL_CPU_TEST_EVENTS";

type Bytes = [c_char; 64];

fn text(bytes: &Bytes) -> String {
    bytes.iter().map(|&byte| format!("{:02x}", byte as u8)).collect()
}

fn bytes(text: &str) -> Bytes {
    std::array::from_fn(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap() as c_char)
}

/// Runs a test of this file in a process of its own.
fn elsewhere(test: &str, variables: &[(&str, String)]) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).envs(variables.iter().cloned());
    command.output().unwrap()
}

fn expect_success(output: &Output) {
    let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "the other process says:\n{}\n{}", said[0], said[1]);
}

impl Gpu {
    fn device_memory(&self, size: usize) -> *mut c_void {
        self.allocate(&Default::default(), size).unwrap()
    }

    fn allocate(&self, descriptor: &ze_device_mem_alloc_desc_t, size: usize) -> Outcome<*mut c_void> {
        let mut pointer = null_mut();
        // SAFETY: the pointer is to a live variable.
        let made =
            unsafe { api().zeMemAllocDevice(self.context, descriptor, size, 8, self.device, &mut pointer) };
        made.into_result().map(|()| pointer)
    }

    fn handle(&self, pointer: *const c_void) -> Outcome<Bytes> {
        let mut handle = ze_ipc_mem_handle_t { data: [0; 64] };
        // SAFETY: as above.
        let made = unsafe { api().zeMemGetIpcHandle(self.context, pointer, &mut handle) };
        made.into_result().map(|()| handle.data)
    }

    fn open(&self, data: Bytes) -> Outcome<*mut c_void> {
        let (mut pointer, flags) = (null_mut(), Default::default());
        // SAFETY: as above.
        let opened = unsafe {
            let handle = ze_ipc_mem_handle_t { data };
            api().zeMemOpenIpcHandle(self.context, self.device, handle, flags, &mut pointer)
        };
        opened.into_result().map(|()| pointer)
    }

    fn close(&self, pointer: *const c_void) -> Outcome {
        // SAFETY: any pointer may be passed.
        unsafe { api().zeMemCloseIpcHandle(self.context, pointer).into_result() }
    }

    /// Copies from or to memory of the device.
    fn copy(&self, to: *mut c_void, from: *const c_void, size: usize) {
        let event = ze_event_handle_t::NULL;
        // SAFETY: both sides have so many bytes.
        unsafe {
            let copied = api().zeCommandListAppendMemoryCopy(self.list, to, from, size, event, 0, null_mut());
            copied.into_result().unwrap();
        }
    }

    fn words(&self, from: *const c_void, count: usize) -> Vec<u32> {
        let mut words = vec![0_u32; count];
        self.copy(words.as_mut_ptr().cast(), from, count * 4);
        words
    }

    fn set_words(&self, to: *mut c_void, words: &[u32]) {
        self.copy(to, words.as_ptr().cast(), words.len() * 4);
    }

    fn pool(&self, count: u32, flags: ze_event_pool_flags_t) -> ze_event_pool_handle_t {
        let descriptor = ze_event_pool_desc_t { count, flags, ..Default::default() };
        let mut pool = ze_event_pool_handle_t::NULL;
        // SAFETY: pointers are to live variables.
        unsafe {
            let made = api().zeEventPoolCreate(self.context, &descriptor, 0, null_mut(), &mut pool);
            made.into_result().unwrap();
        }
        pool
    }

    fn open_pool(&self, data: Bytes) -> Outcome<ze_event_pool_handle_t> {
        let mut pool = ze_event_pool_handle_t::NULL;
        let handle = ze_ipc_event_pool_handle_t { data };
        // SAFETY: as above.
        let opened = unsafe { api().zeEventPoolOpenIpcHandle(self.context, handle, &mut pool) };
        opened.into_result().map(|()| pool)
    }
}

fn pool_handle(pool: ze_event_pool_handle_t) -> Outcome<Bytes> {
    let mut handle = ze_ipc_event_pool_handle_t { data: [0; 64] };
    // SAFETY: the pointer is to a live variable.
    unsafe { api().zeEventPoolGetIpcHandle(pool, &mut handle).into_result().map(|()| handle.data) }
}

fn event(pool: ze_event_pool_handle_t, index: u32) -> Outcome<ze_event_handle_t> {
    let descriptor = ze_event_desc_t { index, ..Default::default() };
    let mut event = ze_event_handle_t::NULL;
    // SAFETY: as above.
    unsafe { api().zeEventCreate(pool, &descriptor, &mut event).into_result().map(|()| event) }
}

fn wait(event: ze_event_handle_t, nanoseconds: u64) -> Outcome {
    // SAFETY: the handle is live.
    unsafe { api().zeEventHostSynchronize(event, nanoseconds).into_result() }
}

const SHARED: ze_event_pool_flags_t = ze_event_pool_flags_t::ZE_EVENT_POOL_FLAG_IPC;

/// Starts itself in another process, which computes in the memory of this one.
#[test]
fn another_process_computes_in_memory_of_this_one() {
    let gpu = Gpu::new();
    let count = 20_000;
    if let Ok(handle) = std::env::var(MEMORY) {
        let memory = gpu.open(bytes(&handle)).unwrap();
        for spirv in KERNELS {
            let kernel = gpu.kernel(spirv, "collatz");
            set(kernel, 0, memory).unwrap();
            set_group_size(kernel, [32, 1, 1]).unwrap();
            gpu.launch(kernel, [count as u32 / 32, 1, 1]).unwrap();
        }
        gpu.close(memory).unwrap();
        return;
    }
    let numbers: Vec<u32> = (0..count as u32).collect();
    // What a kernel makes of them here.
    let here = gpu.buffer(&numbers);
    for spirv in KERNELS {
        let kernel = gpu.kernel(spirv, "collatz");
        set(kernel, 0, here.pointer).unwrap();
        set_group_size(kernel, [32, 1, 1]).unwrap();
        gpu.launch(kernel, [count as u32 / 32, 1, 1]).unwrap();
    }
    let memory = gpu.device_memory(count * 4);
    gpu.set_words(memory, &numbers);
    let handle = gpu.handle(memory).unwrap();
    assert_eq!(gpu.words(memory, count), numbers, "sharing changes nothing");
    let name = "another_process_computes_in_memory_of_this_one";
    expect_success(&elsewhere(name, &[(MEMORY, text(&handle))]));
    assert_eq!(gpu.words(memory, count), here.read());
    assert_ne!(here.read(), numbers);
    // SAFETY: the memory is live.
    unsafe { api().zeMemFree(gpu.context, memory).into_result().unwrap() };
    let output = elsewhere(name, &[(MEMORY, text(&handle))]);
    assert!(!output.status.success(), "the memory is gone");
}

/// Starts itself in another process; the two wait for each other by events.
#[test]
fn processes_wait_for_each_other() {
    const SECONDS: u64 = 60_000_000_000;
    let gpu = Gpu::new();
    if let Ok(handle) = std::env::var(EVENTS) {
        let pool = gpu.open_pool(bytes(&handle)).unwrap();
        let [ping, pong] = [0, 3].map(|index| event(pool, index).unwrap());
        wait(ping, SECONDS).unwrap();
        let (mut stamp, waits) = (0_u64, null_mut());
        // SAFETY: the handles are live, and the pointer is to a live variable; the list is synchronous.
        unsafe {
            let to = (&raw mut stamp).cast();
            api()
                .zeCommandListAppendWriteGlobalTimestamp(gpu.list, to, pong, 0, waits)
                .into_result()
                .unwrap();
        }
        assert_eq!(event(pool, 4), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT));
        // SAFETY: the handle is live.
        unsafe {
            assert_eq!(api().zeEventPoolDestroy(pool).into_result(), INVALID, "it is closed instead");
            api().zeEventPoolCloseIpcHandle(pool).into_result().unwrap();
            assert_eq!(api().zeEventPoolCloseIpcHandle(pool).into_result(), INVALID);
        }
        return;
    }
    let pool = gpu.pool(4, SHARED);
    let [ping, pong] = [0, 3].map(|index| event(pool, index).unwrap());
    assert_eq!(wait(pong, 1_000_000), Err(ze_result_t::ZE_RESULT_NOT_READY));
    let handle = pool_handle(pool).unwrap();
    // The other process waits for a command of this one.
    let queue = Gpu::asynchronous();
    // SAFETY: the handles are live.
    unsafe { api().zeCommandListAppendSignalEvent(queue.list, ping).into_result().unwrap() };
    expect_success(&elsewhere("processes_wait_for_each_other", &[(EVENTS, text(&handle))]));
    // A command of this process waits for the one of the other.
    // SAFETY: as above.
    unsafe {
        api().zeCommandListAppendWaitOnEvents(queue.list, 1, &mut { pong }).into_result().unwrap();
    }
    queue.synchronize().unwrap();
    let mut times = ze_kernel_timestamp_result_t::default();
    // SAFETY: the pointer is to a live variable.
    unsafe { api().zeEventQueryKernelTimestamp(pong, &mut times).into_result().unwrap() };
    assert!(times.global.kernelStart != 0 && times.global.kernelEnd >= times.global.kernelStart);
    // SAFETY: the handles are live.
    unsafe {
        api().zeEventHostReset(pong).into_result().unwrap();
        assert_eq!(api().zeEventQueryStatus(pong), ze_result_t::ZE_RESULT_NOT_READY);
        assert_eq!(api().zeEventPoolCloseIpcHandle(pool).into_result(), INVALID, "it was not opened");
        api().zeEventPoolDestroy(pool).into_result().unwrap();
    }
}

#[test]
fn a_failure_reaches_who_waits_for_a_shared_event() {
    let gpu = Gpu::asynchronous();
    let pool = gpu.pool(1, SHARED);
    let opened = gpu.open_pool(pool_handle(pool).unwrap()).unwrap();
    let (here, there) = (event(pool, 0).unwrap(), event(opened, 0).unwrap());
    let kernel = gpu.kernel(KERNELS[0], "collatz");
    set(kernel, 0, 64_u64).unwrap();
    gpu.launch_signalling(kernel, [1, 1, 1], here).unwrap();
    let lost = Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST);
    assert_eq!(wait(there, driver::FOREVER), lost);
    assert!(gpu.last_error().contains("in another process"));
    assert_eq!(wait(here, driver::FOREVER), lost);
    assert!(gpu.last_error().contains("in no live allocation"));
}

#[test]
fn destroying_a_list_ends_its_wait_for_a_shared_event() {
    let gpu = Gpu::asynchronous();
    let pool = gpu.pool(1, SHARED);
    let never = event(pool, 0).unwrap();
    // SAFETY: the handles are live. The list is destroyed when this ends, which has to return.
    unsafe { api().zeCommandListAppendWaitOnEvents(gpu.list, 1, &mut { never }).into_result().unwrap() };
}

#[test]
fn memory_is_shared_while_kernels_write_to_it() {
    let gpu = Gpu::asynchronous();
    let count = 64 * 1024;
    let kernel = create_kernel(gpu.module(KERNELS[0]).unwrap(), "collatz").unwrap();
    set_group_size(kernel, [64, 1, 1]).unwrap();
    let numbers: Vec<u32> = (1..=count as u32).collect();
    for _ in 0..8 {
        let memory = gpu.device_memory(count * 4);
        gpu.set_words(memory, &numbers);
        set(kernel, 0, memory).unwrap();
        gpu.launch(kernel, [count as u32 / 64, 1, 1]).unwrap();
        let opened = gpu.open(gpu.handle(memory).unwrap()).unwrap();
        gpu.synchronize().unwrap();
        let (mut here, mut there) = (vec![0_u32; count], vec![0_u32; count]);
        gpu.copy(here.as_mut_ptr().cast(), memory, count * 4);
        gpu.copy(there.as_mut_ptr().cast(), opened, count * 4);
        gpu.synchronize().unwrap();
        assert!(here == there && here[2] == 7, "nothing is lost: {:?}", &here[..4]);
        gpu.close(opened).unwrap();
        // SAFETY: the memory is live.
        unsafe { api().zeMemFree(gpu.context, memory).into_result().unwrap() };
    }
}

#[test]
fn handles_that_are_not_right_are_refused() {
    let gpu = Gpu::new();
    let memory = gpu.device_memory(100);
    let good = gpu.handle(memory).unwrap();
    assert_eq!(gpu.handle(memory.wrapping_byte_add(1)), INVALID.map(|()| good), "it is not the start");
    assert_eq!(gpu.handle((&raw const good).cast()), INVALID.map(|()| good));
    assert_eq!(gpu.handle(null()), NULL_POINTER.map(|()| good));
    let shared = gpu.buffer(&[0_u32]);
    let feature = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_eq!(gpu.handle(shared.pointer.cast()), feature);
    // Every handle with one bit changed leads to memory of the size that it says, or nowhere.
    for position in 0..64 {
        for bit in 0..8 {
            let mut changed = good;
            changed[position] ^= (1_u8 << bit) as c_char;
            if let Ok(pointer) = gpu.open(changed) {
                let (mut base, mut size) = (null_mut(), 0);
                // SAFETY: pointers are to live variables.
                unsafe {
                    let asked = api().zeMemGetAddressRange(gpu.context, pointer, &mut base, &mut size);
                    asked.into_result().unwrap();
                }
                let mut bytes = vec![0_u8; size];
                gpu.copy(bytes.as_mut_ptr().cast(), pointer, size);
                gpu.close(pointer).unwrap();
            }
        }
    }
    let pointer = gpu.open(good).unwrap();
    assert_ne!(pointer, memory);
    // SAFETY: pointers are live or wrong on purpose.
    unsafe {
        assert_eq!(api().zeMemFree(gpu.context, pointer).into_result(), INVALID, "it is closed instead");
        assert_eq!(gpu.close(memory), INVALID, "it was not opened");
        assert_eq!(gpu.close(null()), NULL_POINTER);
        gpu.close(pointer).unwrap();
        assert_eq!(gpu.close(pointer), INVALID);
        let handle = ze_ipc_mem_handle_t { data: good };
        let open = |context, device, flags, to| {
            api().zeMemOpenIpcHandle(context, device, handle, ze_ipc_memory_flags_t(flags), to).into_result()
        };
        let mut opened: *mut c_void = null_mut();
        let to = &raw mut opened;
        assert_eq!(open(ze_context_handle_t::NULL, gpu.device, 0, to), NULL_HANDLE);
        assert_eq!(open(gpu.context, ze_device_handle_t::NULL, 0, to), NULL_HANDLE);
        assert_eq!(open(gpu.context, gpu.device, 0, null_mut()), NULL_POINTER);
        let enumeration = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
        assert_eq!(open(gpu.context, gpu.device, 4, to), enumeration);
        assert_eq!(gpu.open_pool(good), INVALID.map(|()| ze_event_pool_handle_t::NULL), "it is memory");
        let put: unsafe extern "C" fn(ze_context_handle_t, ze_ipc_mem_handle_t) -> ze_result_t =
            later("zeMemPutIpcHandle");
        assert_eq!(put(gpu.context, handle).into_result(), Ok(()));
        assert_eq!(put(gpu.context, ze_ipc_mem_handle_t { data: [1; 64] }).into_result(), INVALID);
    }
}

#[test]
fn handles_of_pools_that_are_not_right_are_refused() {
    let gpu = Gpu::new();
    let plain = gpu.pool(2, ze_event_pool_flags_t::empty());
    assert!(pool_handle(plain).is_err());
    assert_eq!(pool_handle(ze_event_pool_handle_t::NULL).map(drop), NULL_HANDLE);
    let good = pool_handle(gpu.pool(2, SHARED)).unwrap();
    for position in 0..64 {
        for bit in 0..8 {
            let mut changed = good;
            changed[position] ^= (1_u8 << bit) as c_char;
            if let Ok(pool) = gpu.open_pool(changed) {
                for index in [0, 1, 2, 63, 64, u32::MAX] {
                    if let Ok(event) = event(pool, index) {
                        // SAFETY: the handle is live.
                        unsafe { api().zeEventHostSignal(event).into_result().unwrap() };
                    }
                }
            }
        }
    }
    // SAFETY: handles are live or wrong on purpose.
    unsafe {
        let handle = ze_ipc_event_pool_handle_t { data: good };
        let open = |context, to| api().zeEventPoolOpenIpcHandle(context, handle, to).into_result();
        let mut opened = ze_event_pool_handle_t::NULL;
        assert_eq!(open(ze_context_handle_t::NULL, &raw mut opened), NULL_HANDLE);
        assert_eq!(open(gpu.context, null_mut()), NULL_POINTER);
        assert_eq!(api().zeEventPoolGetIpcHandle(plain, null_mut()).into_result(), NULL_POINTER);
        let put: unsafe extern "C" fn(ze_context_handle_t, ze_ipc_event_pool_handle_t) -> ze_result_t =
            later("zeEventPoolPutIpcHandle");
        assert_eq!(put(gpu.context, handle).into_result(), Ok(()));
        assert_eq!(put(ze_context_handle_t::NULL, handle).into_result(), NULL_HANDLE);
    }
    let mut properties = ze_driver_ipc_properties_t::default();
    // SAFETY: the structure is live and tagged.
    unsafe { api().zeDriverGetIpcProperties(gpu.driver, &mut properties).into_result().unwrap() };
    assert_eq!(properties.flags.0, 3, "memory and events");
}

const OPAQUE: ze_external_memory_type_flags_t =
    ze_external_memory_type_flags_t::ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD;
const DMA_BUF: ze_external_memory_type_flags_t =
    ze_external_memory_type_flags_t::ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF;

impl Gpu {
    fn allocate_with<T>(&self, extension: &T, size: usize) -> Outcome<*mut c_void> {
        let next = std::ptr::from_ref(extension).cast();
        self.allocate(&ze_device_mem_alloc_desc_t { pNext: next, ..Default::default() }, size)
    }

    fn exportable(&self, flags: ze_external_memory_type_flags_t, size: usize) -> Outcome<*mut c_void> {
        self.allocate_with(&ze_external_memory_export_desc_t { flags, ..Default::default() }, size)
    }

    fn import(&self, flags: ze_external_memory_type_flags_t, fd: i32, size: usize) -> Outcome<*mut c_void> {
        self.allocate_with(&ze_external_memory_import_fd_t { flags, fd, ..Default::default() }, size)
    }

    fn export(&self, pointer: *const c_void, flags: ze_external_memory_type_flags_t) -> Outcome<i32> {
        let mut export = ze_external_memory_export_fd_t { flags, fd: -7, ..Default::default() };
        let next = (&raw mut export).cast();
        let mut properties = ze_memory_allocation_properties_t { pNext: next, ..Default::default() };
        // SAFETY: the structures are live and tagged.
        let asked =
            unsafe { api().zeMemGetAllocProperties(self.context, pointer, &mut properties, null_mut()) };
        asked.into_result().map(|()| export.fd)
    }
}

#[test]
fn memory_leaves_and_comes_as_a_file_descriptor() {
    let gpu = Gpu::new();
    let exported = gpu.exportable(OPAQUE, 10_000).unwrap();
    gpu.set_words(exported, &[1, 2, 3]);
    let fd = gpu.export(exported, OPAQUE).unwrap();
    // SAFETY: the descriptor is this program's to close.
    let mut file = unsafe { File::from_raw_fd(fd) };
    // Others see what kernels write, and write what they see.
    let mut found = [0_u8; 12];
    file.read_exact(&mut found).unwrap();
    assert_eq!(found, [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
    file.seek(SeekFrom::Start(4)).unwrap();
    file.write_all(&9_u32.to_le_bytes()).unwrap();
    let imported = gpu.import(OPAQUE, file.as_raw_fd(), 10_000).unwrap();
    drop(file);
    assert_eq!(gpu.words(imported, 3), [1, 9, 3]);
    let kernel = gpu.kernel(KERNELS[0], "collatz");
    set(kernel, 0, imported).unwrap();
    gpu.launch(kernel, [3, 1, 1]).unwrap();
    assert_eq!(gpu.words(exported, 3), gpu.words(imported, 3));
    assert_ne!(gpu.words(exported, 3), [1, 9, 3]);
    // SAFETY: the memory is live.
    unsafe {
        api().zeMemFree(gpu.context, exported).into_result().unwrap();
        assert_eq!(gpu.words(imported, 3)[0], 0);
        api().zeMemFree(gpu.context, imported).into_result().unwrap();
    }
}

#[test]
fn what_cannot_be_imported_or_exported_is_refused() {
    let gpu = Gpu::new();
    let plain = gpu.device_memory(100);
    assert_eq!(gpu.export(plain, OPAQUE).map(drop), INVALID, "it was not allocated for that");
    let exported = gpu.exportable(OPAQUE, 100).unwrap();
    assert_eq!(gpu.export(exported, DMA_BUF).map(drop), UNSUPPORTED);
    assert_eq!(gpu.exportable(DMA_BUF, 100).map(drop), UNSUPPORTED);
    let enumeration = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
    assert_eq!(gpu.exportable(ze_external_memory_type_flags_t(1 << 12), 100).map(drop), enumeration);
    assert_eq!(gpu.import(ze_external_memory_type_flags_t(0), 0, 100).map(drop), enumeration);
    assert_eq!(gpu.exportable(ze_external_memory_type_flags_t(0), 100).map(drop), Ok(()));
    for fd in [-1, i32::MAX, i32::MIN] {
        assert_eq!(gpu.import(OPAQUE, fd, 100).map(drop), INVALID);
    }
    // A file that somebody could make shorter, and one that is too short.
    let path = std::env::temp_dir().join(format!("kernel-cpu-ipc-{}", std::process::id()));
    std::fs::write(&path, [0; 200]).unwrap();
    let plain = File::options().read(true).write(true).open(&path).unwrap();
    assert_eq!(gpu.import(OPAQUE, plain.as_raw_fd(), 100).map(drop), INVALID);
    std::fs::remove_file(path).unwrap();
    let fd = gpu.export(exported, OPAQUE).unwrap();
    let size = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
    assert_eq!(gpu.import(OPAQUE, fd, 1 << 20).map(drop), size);
    let win32 = ze_external_memory_import_win32_handle_t::default();
    assert_eq!(gpu.allocate_with(&win32, 100).map(drop), UNSUPPORTED);
    // SAFETY: the descriptor is this program's to close.
    drop(unsafe { File::from_raw_fd(fd) });
    let mut properties = ze_device_external_memory_properties_t::default();
    // SAFETY: the structure is live and tagged.
    unsafe {
        api().zeDeviceGetExternalMemoryProperties(gpu.device, &mut properties).into_result().unwrap();
    }
    assert_eq!(properties.memoryAllocationImportTypes, OPAQUE);
    assert_eq!(properties.memoryAllocationExportTypes, OPAQUE);
    assert!(properties.imageImportTypes.is_empty() && properties.imageExportTypes.is_empty());
}

#[test]
fn a_handle_is_made_of_a_descriptor_and_gives_one() {
    type ToDescriptor =
        unsafe extern "C" fn(ze_context_handle_t, ze_ipc_mem_handle_t, *mut u64) -> ze_result_t;
    type FromDescriptor =
        unsafe extern "C" fn(ze_context_handle_t, u64, *mut ze_ipc_mem_handle_t) -> ze_result_t;
    let gpu = Gpu::new();
    let to: ToDescriptor = later("zeMemGetFileDescriptorFromIpcHandleExp");
    let from: FromDescriptor = later("zeMemGetIpcHandleFromFileDescriptorExp");
    let memory = gpu.device_memory(5000);
    gpu.set_words(memory, &[5, 6]);
    let handle = ze_ipc_mem_handle_t { data: gpu.handle(memory).unwrap() };
    let (mut descriptor, mut again) = (0, ze_ipc_mem_handle_t { data: [0; 64] });
    // SAFETY: pointers are to live variables or null, and what is wrong the driver must notice.
    unsafe {
        to(gpu.context, handle, &mut descriptor).into_result().unwrap();
        from(gpu.context, descriptor, &mut again).into_result().unwrap();
        assert_eq!(to(gpu.context, handle, null_mut()).into_result(), NULL_POINTER);
        assert_eq!(from(gpu.context, descriptor, null_mut()).into_result(), NULL_POINTER);
        for wrong in [u64::MAX, 1 << 40, i32::MAX as u64] {
            assert_eq!(from(gpu.context, wrong, &mut again).into_result(), INVALID);
        }
    }
    let opened = gpu.open(again.data).unwrap();
    assert_eq!(gpu.words(opened, 2), [5, 6]);
    gpu.close(opened).unwrap();
}
