//! Counters in memory that say whether counter-based events are signalled, and events of that kind that several processes have.

mod driver;

use driver::{FOREVER, Gpu, KERNELS, Outcome, api, append_launch, later, set, set_group_size};
use level_zero_sys::*;
use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};

const INVALID: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
const NULL_HANDLE: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
const NULL_POINTER: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
const NOT_READY: Outcome = Err(ze_result_t::ZE_RESULT_NOT_READY);
const NO_EVENT: ze_event_handle_t = ze_event_handle_t::NULL;

type Event = ze_event_handle_t;

#[repr(C)]
struct Descriptor {
    stype: u32,
    next: *const c_void,
    flags: u32,
    signal: u32,
    wait: u32,
}

#[repr(C)]
struct Allocation {
    stype: u32,
    next: *const c_void,
    device: *mut u64,
    host: *mut u64,
    value: u64,
}

#[repr(C)]
struct Storage {
    stype: u32,
    next: *const c_void,
    device: *mut u64,
    increment: u64,
    value: u64,
}

fn allocation(device: *mut u64, host: *mut u64, value: u64) -> Allocation {
    Allocation { stype: 0x2003b, next: null(), device, host, value }
}

fn storage(device: *mut u64, increment: u64, value: u64) -> Storage {
    Storage { stype: 0x2003f, next: null(), device, increment, value }
}

impl Gpu {
    fn counting(&self, flags: u32, next: *const c_void) -> Outcome<Event> {
        type Create = unsafe extern "C" fn(
            ze_context_handle_t,
            ze_device_handle_t,
            *const Descriptor,
            *mut Event,
        ) -> ze_result_t;
        let create: Create = later("zeEventCounterBasedCreate");
        let descriptor = Descriptor { stype: 0x2003a, next, flags, signal: 4, wait: 4 };
        let mut event = NO_EVENT;
        // SAFETY: pointers are to live variables.
        unsafe { create(self.context, self.device, &descriptor, &mut event).into_result().map(|()| event) }
    }
}

/// What a counter is when the event is signalled, and where it is.
fn place(event: Event) -> Outcome<(u64, *const u64)> {
    let get: unsafe extern "C" fn(Event, *mut u64, *mut u64) -> ze_result_t =
        later("zeEventCounterBasedGetDeviceAddress");
    let (mut value, mut address) = (0, 0);
    // SAFETY: pointers are to live variables.
    unsafe { get(event, &mut value, &mut address).into_result()? };
    Ok((value, std::ptr::with_exposed_provenance(address as usize)))
}

/// Whether a counter says that what it is of has been signalled.
fn is_reached((value, address): (u64, *const u64)) -> bool {
    // SAFETY: the driver keeps the memory as long as its context is there.
    unsafe { address.read_volatile() >= value }
}

fn status(event: Event) -> Outcome {
    // SAFETY: any handle may be passed.
    unsafe { api().zeEventQueryStatus(event).into_result() }
}

fn wait(event: Event) -> Outcome {
    // SAFETY: as above.
    unsafe { api().zeEventHostSynchronize(event, FOREVER).into_result() }
}

fn signal(event: Event) {
    // SAFETY: as above.
    unsafe { api().zeEventHostSignal(event).into_result().unwrap() }
}

fn barrier(list: ze_command_list_handle_t, signal: Event, waits: &[Event]) -> Outcome {
    let (count, waits) = (waits.len() as u32, waits.as_ptr().cast_mut());
    // SAFETY: there are as many events as is said.
    unsafe { api().zeCommandListAppendBarrier(list, signal, count, waits).into_result() }
}

#[test]
fn an_event_has_a_counter_in_memory() {
    let gpu = Gpu::asynchronous();
    let event = gpu.counting(1, null()).unwrap();
    assert!(is_reached(place(event).unwrap()), "there is nothing to wait for");
    let gates = gpu.events(2);
    barrier(gpu.list, event, &[gates[0]]).unwrap();
    let first = place(event).unwrap();
    assert_eq!(place(event), Ok(first), "it has one already");
    barrier(gpu.list, event, &[gates[1]]).unwrap();
    let second = place(event).unwrap();
    assert!(!is_reached(first) && !is_reached(second));
    signal(gates[0]);
    while !is_reached(first) {
        std::thread::yield_now();
    }
    assert!(!is_reached(second));
    signal(gates[1]);
    wait(event).unwrap();
    assert!(is_reached(first) && is_reached(second));
    assert!(is_reached(place(event).unwrap()));
}

#[test]
fn the_program_says_by_memory_that_an_event_is_signalled() {
    let gpu = Gpu::asynchronous();
    let counter = gpu.buffer(&[3_u64; 2]);
    let mut of_program = 3_u64;
    for (device, host) in [(counter.pointer, counter.pointer), (counter.pointer, &raw mut of_program)] {
        let said = allocation(device, host, 5);
        let event = gpu.counting(1, (&raw const said).cast()).unwrap();
        assert_eq!(place(event), Ok((5, device.cast_const())));
        assert_eq!(status(event), NOT_READY);
        let gate = gpu.events(1)[0];
        barrier(gpu.list, gate, &[event]).unwrap();
        assert_eq!(status(gate), NOT_READY);
        // SAFETY: only the driver reads the memory, which it does as an atomic number.
        unsafe {
            host.write_volatile(5);
            device.write_volatile(6);
        }
        wait(event).unwrap();
        wait(gate).unwrap();
        // A command as its signal takes the place of the memory.
        // SAFETY: as above.
        unsafe {
            host.write_volatile(0);
            device.write_volatile(0);
        }
        assert_eq!(status(event), NOT_READY);
        barrier(gpu.list, event, &[]).unwrap();
        wait(event).unwrap();
    }
}

#[test]
fn signals_add_up_in_memory() {
    let gpu = Gpu::asynchronous();
    let counter = gpu.buffer(&[0_u64; 1]);
    let wanted = storage(counter.pointer, 3, 7);
    let event = gpu.counting(1, (&raw const wanted).cast()).unwrap();
    assert_eq!(place(event), Ok((7, counter.pointer.cast_const())));
    let other = Gpu::asynchronous();
    for round in 1..=3 {
        assert_eq!(status(event), NOT_READY);
        barrier(if round == 2 { other.list } else { gpu.list }, event, &[]).unwrap();
        gpu.synchronize().unwrap();
        other.synchronize().unwrap();
        assert_eq!(counter.read(), [3 * round]);
    }
    wait(event).unwrap();
    barrier(gpu.list, NO_EVENT, &[event]).unwrap();
    gpu.synchronize().unwrap();
    // SAFETY: nothing accesses the memory.
    unsafe { counter.pointer.write(0) };
    assert_eq!(status(event), NOT_READY);
    // A fault of one of the commands is told.
    let kernel = gpu.kernel(KERNELS[0], "collatz");
    set(kernel, 0, 64_u64).unwrap();
    set_group_size(kernel, [1, 1, 1]).unwrap();
    append_launch(gpu.list, kernel, [1, 1, 1], event).unwrap();
    assert_eq!(gpu.synchronize(), Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST));
    barrier(gpu.list, event, &[]).unwrap();
    barrier(gpu.list, event, &[]).unwrap();
    assert_eq!(wait(event), Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST));
    // SAFETY: any handle may be passed.
    unsafe {
        assert_eq!(api().zeEventHostReset(event).into_result(), INVALID);
        assert_eq!(api().zeEventHostSignal(event).into_result(), INVALID);
        api().zeEventDestroy(event).into_result().unwrap();
    }
}

#[test]
fn counters_that_cannot_be() {
    let gpu = Gpu::asynchronous();
    let elsewhere = Gpu::asynchronous();
    let counter = gpu.buffer(&[0_u64; 2]);
    let at = counter.pointer;
    let between = at.wrapping_byte_add(4);
    let (mut of_program, of_others) = (0_u64, elsewhere.buffer(&[0_u64; 1]));
    for (device, host) in [(null_mut(), at), (at, null_mut()), (between, at), (at, between)] {
        let said = allocation(device, host, 1);
        assert_eq!(gpu.counting(1, (&raw const said).cast()).map(drop), INVALID);
    }
    for wanted in [
        storage(at, 0, 1),
        storage(null_mut(), 1, 1),
        storage(between, 1, 1),
        storage(&mut of_program, 1, 1),
        storage(of_others.pointer, 1, 1),
    ] {
        assert_eq!(gpu.counting(1, (&raw const wanted).cast()).map(drop), INVALID);
    }
    let last = allocation(at, at, 1);
    let both = Storage { next: (&raw const last).cast(), ..storage(at, 1, 1) };
    assert_eq!(gpu.counting(1, (&raw const both).cast()).map(drop), INVALID);
    assert_eq!(gpu.counting(1 << 3, (&raw const last).cast()).map(drop), INVALID, "it is not shared");
    let [plain] = gpu.events(1)[..] else { panic!("there is one event") };
    assert_eq!(place(plain).map(drop), INVALID);
    assert_eq!(place(NO_EVENT).map(drop), NULL_HANDLE);
    let event = gpu.counting(1, null()).unwrap();
    let get: unsafe extern "C" fn(Event, *mut u64, *mut u64) -> ze_result_t =
        later("zeEventCounterBasedGetDeviceAddress");
    // SAFETY: pointers are to live variables or null.
    unsafe {
        assert_eq!(get(event, null_mut(), &mut 0).into_result(), NULL_POINTER);
        assert_eq!(get(event, &mut 0, null_mut()).into_result(), NULL_POINTER);
    }
}

#[test]
fn events_say_how_they_are_waited_for() {
    #[repr(C)]
    struct Mode {
        stype: u32,
        next: *const c_void,
        flags: u32,
        interrupt: u32,
    }
    let gpu = Gpu::asynchronous();
    let with = |flags| {
        let mode = Mode { stype: 0x2003c, next: null(), flags, interrupt: 1 };
        gpu.counting(1, (&raw const mode).cast()).map(drop)
    };
    assert_eq!(with(0b11), Ok(()));
    assert_eq!(
        with(0b100),
        Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION),
        "there are no interrupts"
    );
    assert_eq!(with(0b1000), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION));
}

#[test]
fn the_device_says_what_counters_can_be() {
    #[repr(C)]
    struct Properties {
        stype: u32,
        next: *mut c_void,
        flags: u32,
    }
    let max: unsafe extern "C" fn(ze_device_handle_t, *mut u64) -> ze_result_t =
        later("zeDeviceGetCounterBasedEventMaxValue");
    let increment: unsafe extern "C" fn(ze_device_handle_t, *mut u32) -> ze_result_t =
        later("zeDeviceGetAggregatedCopyOffloadIncrementValue");
    let gpu = Gpu::new();
    let (mut largest, mut once) = (0, 0);
    let mut events = Properties { stype: 0x2003e, next: null_mut(), flags: 0 };
    let mut properties = ze_device_properties_t { pNext: (&raw mut events).cast(), ..Default::default() };
    // SAFETY: the structures are live and tagged, and pointers are to live variables or null.
    unsafe {
        assert_eq!(max(gpu.device, &mut largest).into_result(), Ok(()));
        assert_eq!(increment(gpu.device, &mut once).into_result(), Ok(()));
        assert_eq!((largest, once), (u64::MAX, 1));
        assert_eq!(max(ze_device_handle_t::NULL, &mut largest).into_result(), NULL_HANDLE);
        assert_eq!(max(gpu.device, null_mut()).into_result(), NULL_POINTER);
        assert_eq!(increment(ze_device_handle_t::NULL, &mut once).into_result(), NULL_HANDLE);
        assert_eq!(increment(gpu.device, null_mut()).into_result(), NULL_POINTER);
        api().zeDeviceGetProperties(gpu.device, &mut properties).into_result().unwrap();
    }
    assert_eq!(events.flags & 0b1101, 0b101, "counters of both kinds, and no interrupts");
    assert_eq!(events.flags & 0b10 != 0, cfg!(target_os = "linux"), "events for other processes");
}

/// Events that several processes have.
#[cfg(target_os = "linux")]
mod shared {
    use super::*;
    use std::process::Command;

    const VARIABLE: &str = "KERNEL_CPU_TEST_COUNTER";
    const IPC: u32 = 1 << 3;
    type Bytes = [c_char; 64];

    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Handle(Bytes);

    fn handle(event: Event) -> Outcome<Bytes> {
        let get: unsafe extern "C" fn(Event, *mut Handle) -> ze_result_t =
            later("zeEventCounterBasedGetIpcHandle");
        let mut handle = Handle([0; 64]);
        // SAFETY: the pointer is to a live variable.
        unsafe { get(event, &mut handle).into_result().map(|()| handle.0) }
    }

    impl Gpu {
        fn opened(&self, bytes: Bytes) -> Outcome<Event> {
            let open: unsafe extern "C" fn(ze_context_handle_t, Handle, *mut Event) -> ze_result_t =
                later("zeEventCounterBasedOpenIpcHandle");
            let mut event = NO_EVENT;
            // SAFETY: the pointer is to a live variable.
            unsafe { open(self.context, Handle(bytes), &mut event).into_result().map(|()| event) }
        }
    }

    fn close(event: Event) -> Outcome {
        let close: unsafe extern "C" fn(Event) -> ze_result_t = later("zeEventCounterBasedCloseIpcHandle");
        // SAFETY: any handle may be passed.
        unsafe { close(event).into_result() }
    }

    fn destroy(event: Event) -> Outcome {
        // SAFETY: as above.
        unsafe { api().zeEventDestroy(event).into_result() }
    }

    #[test]
    fn processes_wait_for_the_last_command_of_all() {
        let gpu = Gpu::asynchronous();
        if let Ok(handle) = std::env::var(VARIABLE) {
            let byte = |at| u8::from_str_radix(&handle[2 * at..2 * at + 2], 16).unwrap() as c_char;
            let event = gpu.opened(std::array::from_fn(byte)).unwrap();
            // What the first process has appended is not done, and its counter says so.
            assert_eq!(status(event), NOT_READY);
            let counter = place(event).unwrap();
            assert!(!is_reached(counter));
            // A command of this process takes its place.
            barrier(gpu.list, event, &[]).unwrap();
            wait(event).unwrap();
            assert!(is_reached(place(event).unwrap()) && !is_reached(counter));
            assert_eq!(destroy(event), INVALID, "it is closed instead");
            assert_eq!(close(event), Ok(()));
            assert_eq!(close(event), INVALID);
            return;
        }
        let event = gpu.counting(1 | IPC, null()).unwrap();
        assert_eq!(status(event), Ok(()), "there is nothing to wait for");
        let gate = gpu.events(1)[0];
        barrier(gpu.list, event, &[gate]).unwrap();
        let first = place(event).unwrap();
        let text: String = handle(event).unwrap().iter().map(|&byte| format!("{:02x}", byte as u8)).collect();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "shared::processes_wait_for_the_last_command_of_all", "--nocapture"]);
        let output = command.env(VARIABLE, text).output().unwrap();
        let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(output.status.success(), "the other process says:\n{}\n{}", said[0], said[1]);
        // The event stands for what the other process has done last.
        assert_eq!(status(event), Ok(()));
        assert!(!is_reached(first));
        signal(gate);
        gpu.synchronize().unwrap();
        assert!(is_reached(first));
        assert_eq!(close(event), INVALID, "it was not opened");
        destroy(event).unwrap();
    }

    #[test]
    fn a_list_that_is_executed_again_signals_it_again() {
        let gpu = Gpu::asynchronous();
        let event = gpu.counting(2 | IPC, null()).unwrap();
        let same = gpu.opened(handle(event).unwrap()).unwrap();
        let gate = gpu.events(1)[0];
        let mut list = ze_command_list_handle_t::NULL;
        // SAFETY: pointers are to live variables, and the handles are live.
        unsafe {
            let (context, device) = (gpu.context, gpu.device);
            api().zeCommandListCreate(context, device, &Default::default(), &mut list).into_result().unwrap();
        }
        barrier(list, event, &[gate]).unwrap();
        // SAFETY: as above.
        unsafe {
            api().zeCommandListClose(list).into_result().unwrap();
            let append: driver::AppendLists = later("zeCommandListImmediateAppendCommandListsExp");
            for _ in 0..2 {
                append(gpu.list, 1, &mut { list }, NO_EVENT, 0, null_mut()).into_result().unwrap();
                assert_eq!((status(event), status(same)), (NOT_READY, NOT_READY));
                signal(gate);
                wait(same).unwrap();
                wait(event).unwrap();
                api().zeEventHostReset(gate).into_result().unwrap();
            }
            api().zeCommandListDestroy(list).into_result().unwrap();
        }
        close(same).unwrap();
        destroy(event).unwrap();
    }

    #[test]
    fn a_failure_reaches_who_waits_in_another_place() {
        let gpu = Gpu::asynchronous();
        let event = gpu.counting(1 | IPC, null()).unwrap();
        let same = gpu.opened(handle(event).unwrap()).unwrap();
        let kernel = gpu.kernel(KERNELS[0], "collatz");
        set(kernel, 0, 64_u64).unwrap();
        set_group_size(kernel, [1, 1, 1]).unwrap();
        append_launch(gpu.list, kernel, [1, 1, 1], event).unwrap();
        assert_eq!(wait(same), Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST));
        assert!(gpu.last_error().contains("in another process"));
        assert_eq!(wait(event), Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST));
        close(same).unwrap();
    }

    #[test]
    fn handles_that_are_not_right_are_refused() {
        let gpu = Gpu::asynchronous();
        let [plain] = gpu.events(1)[..] else { panic!("there is one event") };
        let no_object = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT);
        assert_eq!(handle(plain).map(drop), no_object);
        assert_eq!(close(plain), no_object);
        assert_eq!(handle(gpu.counting(1, null()).unwrap()).map(drop), INVALID, "it is for this process");
        assert_eq!(handle(NO_EVENT).map(drop), NULL_HANDLE);
        let event = gpu.counting(1 | IPC, null()).unwrap();
        let get: unsafe extern "C" fn(Event, *mut Handle) -> ze_result_t =
            later("zeEventCounterBasedGetIpcHandle");
        // SAFETY: the driver must notice that there is no pointer.
        assert_eq!(unsafe { get(event, null_mut()).into_result() }, NULL_POINTER);
        let right = handle(event).unwrap();
        assert_eq!(gpu.opened([0; 64]).map(drop), INVALID);
        for at in (0..48).filter(|at| !(8..12).contains(at)) {
            let mut wrong = right;
            wrong[at] ^= 1;
            assert_eq!(gpu.opened(wrong).map(drop), INVALID, "byte {at}");
        }
        destroy(event).unwrap();
        assert_eq!(gpu.opened(right).map(drop), INVALID, "it is not there any more");
    }
}
