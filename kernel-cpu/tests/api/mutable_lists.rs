//! Commands of closed lists that are changed, and clones of lists.

use crate::driver::{FOREVER, Gpu, KERNELS, Outcome, api, append_launch, later, set, set_group_size};
use level_zero_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

const INVALID: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
const NULL_HANDLE: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
const NULL_POINTER: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
const ENUMERATION: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
const NO_EVENT: ze_event_handle_t = ze_event_handle_t::NULL;

/// What every structure of the extension begins with.
#[repr(C)]
#[derive(Clone, Copy)]
struct Head {
    stype: u32,
    next: *const c_void,
}

#[repr(C)]
struct Flags {
    head: Head,
    flags: u32,
}

#[repr(C)]
struct Argument {
    head: Head,
    id: u64,
    index: u32,
    size: usize,
    value: *const c_void,
}

#[repr(C)]
struct Groups {
    head: Head,
    id: u64,
    groups: *const ze_group_count_t,
}

#[repr(C)]
struct Numbers {
    head: Head,
    id: u64,
    numbers: [u32; 3],
}

const GROUP_SIZE: u32 = 0x2001b;
const GLOBAL_OFFSET: u32 = 0x2001c;

fn argument<T>(id: u64, index: u32, value: &T, next: *const c_void) -> Argument {
    let head = Head { stype: 0x20019, next };
    Argument { head, id, index, size: size_of::<T>(), value: std::ptr::from_ref(value).cast() }
}

fn group_count(id: u64, groups: &ze_group_count_t, next: *const c_void) -> Groups {
    Groups { head: Head { stype: 0x2001a, next }, id, groups }
}

fn numbers(stype: u32, id: u64, numbers: [u32; 3]) -> Numbers {
    Numbers { head: Head { stype, next: null() }, id, numbers }
}

fn groups(x: u32) -> ze_group_count_t {
    ze_group_count_t { groupCountX: x, groupCountY: 1, groupCountZ: 1 }
}

/// A list that is executed later.
struct List<'g> {
    gpu: &'g Gpu,
    list: ze_command_list_handle_t,
    queue: ze_command_queue_handle_t,
}

impl<'g> List<'g> {
    fn new(gpu: &'g Gpu) -> Self {
        let mut list = ze_command_list_handle_t::NULL;
        let mut queue = ze_command_queue_handle_t::NULL;
        // SAFETY: pointers are to live variables, and the handles are live.
        unsafe {
            let (context, device) = (gpu.context, gpu.device);
            api().zeCommandListCreate(context, device, &Default::default(), &mut list).into_result().unwrap();
            let default = Default::default();
            api().zeCommandQueueCreate(context, device, &default, &mut queue).into_result().unwrap();
        }
        Self { gpu, list, queue }
    }

    /// The number of the command that is appended next.
    fn next_id(&self, flags: u32) -> Outcome<u64> {
        type Function = unsafe extern "C" fn(ze_command_list_handle_t, *const Flags, *mut u64) -> ze_result_t;
        let next: Function = later("zeCommandListGetNextCommandIdExp");
        let (mut id, head) = (0, Head { stype: 0x20017, next: null() });
        // SAFETY: pointers are to live variables.
        unsafe { next(self.list, &Flags { head, flags }, &mut id).into_result().map(|()| id) }
    }

    fn update<T>(&self, first: &T) -> Outcome {
        type Function = unsafe extern "C" fn(ze_command_list_handle_t, *const Flags) -> ze_result_t;
        let update: Function = later("zeCommandListUpdateMutableCommandsExp");
        let head = Head { stype: 0x20018, next: std::ptr::from_ref(first).cast() };
        // SAFETY: the structures are live and tagged.
        unsafe { update(self.list, &Flags { head, flags: 0 }).into_result() }
    }

    fn close(&self) {
        // SAFETY: the handle is live.
        unsafe { api().zeCommandListClose(self.list).into_result().unwrap() };
    }

    fn run(&self) -> Outcome {
        self.close();
        // SAFETY: the handles are live.
        unsafe {
            let fence = ze_fence_handle_t::NULL;
            let mut list = self.list;
            api().zeCommandQueueExecuteCommandLists(self.queue, 1, &mut list, fence).into_result()?;
            api().zeCommandQueueSynchronize(self.queue, FOREVER).into_result()
        }
    }
}

impl Drop for List<'_> {
    fn drop(&mut self) {
        let _ = self.gpu;
        // SAFETY: the handles are live.
        unsafe {
            api().zeCommandListDestroy(self.list).into_result().unwrap();
            api().zeCommandQueueDestroy(self.queue).into_result().unwrap();
        }
    }
}

/// How many words have been written, where the marker is what nobody has.
fn written(words: &[u32]) -> usize {
    words.iter().filter(|word| **word != MARKER).count()
}

const MARKER: u32 = 0xffff_ffff;

#[test]
fn a_launch_is_made_again() {
    let gpu = Gpu::new();
    let [first, second] = [(); 2].map(|()| gpu.buffer(&[MARKER; 64]));
    for spirv in KERNELS {
        let kernel = gpu.kernel(spirv, "collatz");
        set(kernel, 0, first.pointer).unwrap();
        set_group_size(kernel, [4, 1, 1]).unwrap();
        let list = List::new(&gpu);
        let id = list.next_id(0).unwrap();
        append_launch(list.list, kernel, [2, 1, 1], NO_EVENT).unwrap();
        // The second launch is none that can be changed.
        append_launch(list.list, kernel, [1, 1, 1], NO_EVENT).unwrap();
        list.run().unwrap();
        assert_eq!(written(&first.read()), 8);
        // What the kernel is set to later is nothing to the list.
        set(kernel, 0, 0_u64).unwrap();
        let three = groups(3);
        let count = group_count(id, &three, null());
        list.update(&argument(id, 0, &second.pointer, (&raw const count).cast())).unwrap();
        list.run().unwrap();
        assert_eq!(written(&second.read()), 12);
        list.update(&numbers(GROUP_SIZE, id, [8, 1, 1])).unwrap();
        list.run().unwrap();
        assert_eq!(written(&second.read()), 24);
        list.update(&numbers(GLOBAL_OFFSET, id, [40, 0, 0])).unwrap();
        list.run().unwrap();
        let words = second.read();
        assert_eq!((written(&words), words[40]), (48, 109), "41 takes 109 steps");
        let marker = gpu.buffer(&[MARKER; 64]);
        for (to, from) in [(&first, &marker), (&second, &marker)] {
            // SAFETY: both have as many bytes.
            unsafe { to.pointer.copy_from_nonoverlapping(from.pointer, 64) };
        }
    }
}

#[test]
fn all_changes_are_made_or_none() {
    let gpu = Gpu::new();
    let out = gpu.buffer(&[MARKER; 64]);
    let kernel = gpu.kernel(KERNELS[0], "collatz");
    set(kernel, 0, out.pointer).unwrap();
    set_group_size(kernel, [4, 1, 1]).unwrap();
    let list = List::new(&gpu);
    let id = list.next_id(3).unwrap();
    append_launch(list.list, kernel, [2, 1, 1], NO_EVENT).unwrap();
    let (four, none) = (groups(4), groups(0));
    assert_eq!(list.update(&group_count(id, &four, null())), INVALID, "the list is open");
    list.close();
    let width = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION);
    assert_eq!(list.update(&group_count(id, &none, null())), width);
    assert_eq!(list.update(&Groups { groups: null(), ..group_count(id, &four, null()) }), NULL_POINTER);
    let wrong = argument(id, 1, &0_u64, null());
    let index = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
    assert_eq!(list.update(&group_count(id, &four, (&raw const wrong).cast())), index);
    let size = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
    assert_eq!(list.update(&argument(id, 0, &0_u32, null())), size);
    for wrong in [0, id + 1, u64::MAX] {
        assert_eq!(list.update(&group_count(wrong, &four, null())), INVALID, "{wrong}");
    }
    assert_eq!(list.update(&numbers(GROUP_SIZE, id, [2, 1, 1])), INVALID, "it was not announced");
    assert!(gpu.last_error().contains("was not said"), "{}", gpu.last_error());
    assert_eq!(list.update(&numbers(0x2001d, id, [2, 1, 1])), INVALID);
    // A chain that leads back to itself.
    let mut ring = group_count(id, &four, null());
    ring.head.next = (&raw const ring).cast();
    assert_eq!(list.update(&ring), INVALID);
    list.run().unwrap();
    assert_eq!(written(&out.read()), 8, "nothing of this was done");
    let enough = list.update(&group_count(id, &four, null()));
    assert_eq!(enough, Ok(()));
    list.run().unwrap();
    assert_eq!(written(&out.read()), 16);
    assert_eq!(list.next_id(0).map(drop), INVALID, "the list is closed");
}

#[test]
fn groups_have_the_sizes_that_kernels_allow() {
    let gpu = Gpu::new();
    let out = gpu.buffer(&[MARKER; 64]);
    let kernel = gpu.kernel(KERNELS[0], "collatz");
    set(kernel, 0, out.pointer).unwrap();
    let list = List::new(&gpu);
    let id = list.next_id(0).unwrap();
    append_launch(list.list, kernel, [1, 1, 1], NO_EVENT).unwrap();
    list.close();
    let dimension = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    for size in [[0, 1, 1], [1025, 1, 1], [u32::MAX; 3]] {
        assert_eq!(list.update(&numbers(GROUP_SIZE, id, size)), dimension);
    }
}

type Update = unsafe extern "C" fn(ze_command_list_handle_t, u64, ze_event_handle_t) -> ze_result_t;
type Waits = unsafe extern "C" fn(ze_command_list_handle_t, u64, u32, *mut ze_event_handle_t) -> ze_result_t;

#[test]
fn commands_get_other_events() {
    let gpu = Gpu::new();
    let signal: Update = later("zeCommandListUpdateMutableCommandSignalEventExp");
    let waits: Waits = later("zeCommandListUpdateMutableCommandWaitEventsExp");
    let events = gpu.events(4);
    let list = List::new(&gpu);
    let id = list.next_id(0).unwrap();
    let status = |event| {
        // SAFETY: the handle is live.
        unsafe { api().zeEventQueryStatus(event) }
    };
    // SAFETY: the handles are live or wrong on purpose, and arrays have as many entries as is said.
    unsafe {
        let [first, second, third, fourth] = events[..] else { unreachable!() };
        api().zeEventHostSignal(first).into_result().unwrap();
        api().zeEventHostSignal(third).into_result().unwrap();
        api().zeCommandListAppendBarrier(list.list, second, 1, &mut { first }).into_result().unwrap();
        list.run().unwrap();
        assert_eq!(status(second), ze_result_t::ZE_RESULT_SUCCESS);
        api().zeEventHostReset(second).into_result().unwrap();
        api().zeEventHostReset(first).into_result().unwrap();
        signal(list.list, id, fourth).into_result().unwrap();
        waits(list.list, id, 1, &mut { third }).into_result().unwrap();
        list.run().unwrap();
        assert_eq!(status(second), ze_result_t::ZE_RESULT_NOT_READY);
        assert_eq!(status(fourth), ze_result_t::ZE_RESULT_SUCCESS);
        signal(list.list, id, NO_EVENT).into_result().unwrap();
        list.run().unwrap();
        let size = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
        assert_eq!(waits(list.list, id, 2, [third; 2].as_mut_ptr()).into_result(), size);
        assert_eq!(waits(list.list, id, 0, &mut { third }).into_result(), size);
        // Without an event it does not wait, nor without the array of events.
        for none in [&mut { NO_EVENT }, null_mut()] {
            waits(list.list, id, 1, &mut { first }).into_result().unwrap();
            waits(list.list, id, 1, none).into_result().unwrap();
            list.run().unwrap();
        }
        waits(list.list, id, 0, null_mut()).into_result().unwrap();
        waits(list.list, id, 1, &mut { third }).into_result().unwrap();
        list.run().unwrap();
        assert_eq!(waits(list.list, id, 1, &mut ze_event_handle_t(gpu.list.0)).into_result(), INVALID);
        assert_eq!(waits(list.list, 7, 1, &mut { third }).into_result(), INVALID);
        assert_eq!(signal(list.list, 7, third).into_result(), INVALID);
        assert_eq!(signal(ze_command_list_handle_t::NULL, id, third).into_result(), NULL_HANDLE);
        assert_eq!(signal(list.list, id, ze_event_handle_t(gpu.list.0)).into_result(), INVALID);
    }
    let count = groups(1);
    assert_eq!(list.update(&group_count(id, &count, null())), INVALID, "it is no launch");
}

#[test]
fn a_launch_gets_another_kernel() {
    type Next = unsafe extern "C" fn(
        ze_command_list_handle_t,
        *const Flags,
        u32,
        *mut ze_kernel_handle_t,
        *mut u64,
    ) -> ze_result_t;
    type Kernels =
        unsafe extern "C" fn(ze_command_list_handle_t, u32, *mut u64, *mut ze_kernel_handle_t) -> ze_result_t;
    let next: Next = later("zeCommandListGetNextCommandIdWithKernelsExp");
    let change: Kernels = later("zeCommandListUpdateMutableCommandKernelsExp");
    let gpu = Gpu::new();
    let out = gpu.buffer(&[MARKER; 16]);
    let [collatz, write_at, other] =
        ["collatz", "write_at", "jumps"].map(|name| gpu.kernel(KERNELS[0], name));
    set(collatz, 0, out.pointer).unwrap();
    let list = List::new(&gpu);
    let mut id = 0;
    let head = Head { stype: 0x20017, next: null() };
    // Arguments and the kernel.
    let flags = Flags { head, flags: 1 | 1 << 6 };
    // SAFETY: pointers are to live variables, and arrays have as many entries as is said.
    unsafe {
        next(list.list, &flags, 1, &mut { write_at }, &mut id).into_result().unwrap();
        append_launch(list.list, collatz, [1, 1, 1], NO_EVENT).unwrap();
        list.run().unwrap();
        assert_eq!(written(&out.read()), 1);
        let refused = change(list.list, 1, &mut id, &mut { other }).0;
        assert_eq!(refused, 0x7800_001c, "it is none of those that were told");
        change(list.list, 1, &mut id, &mut { write_at }).into_result().unwrap();
        let second = argument(id, 1, &5_i64, null());
        list.update(&argument(id, 0, &out.pointer, (&raw const second).cast())).unwrap();
        list.run().unwrap();
        assert_eq!((written(&out.read()), out.read()[5]), (2, 1));
        assert_eq!(change(list.list, 1, null_mut(), &mut { write_at }).into_result(), NULL_POINTER);
        assert_eq!(change(list.list, 1, &mut 9, &mut { write_at }).into_result(), INVALID);
        let none = ze_kernel_handle_t::NULL;
        assert_eq!(change(list.list, 1, &mut id, &mut { none }).into_result(), NULL_HANDLE);
    }
}

#[test]
fn numbers_are_given_for_what_there_is() {
    type Function = unsafe extern "C" fn(ze_command_list_handle_t, *const Flags, *mut u64) -> ze_result_t;
    let next: Function = later("zeCommandListGetNextCommandIdExp");
    let gpu = Gpu::new();
    let list = List::new(&gpu);
    assert_eq!(list.next_id(1 << 8).map(drop), ENUMERATION);
    assert_eq!(list.next_id(1 << 6).map(drop), ENUMERATION, "kernels are told by another function");
    let unsupported = Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
    assert_eq!(list.next_id(1 << 7).map(drop), unsupported, "there are no graphs");
    let flags = Flags { head: Head { stype: 0x20017, next: null() }, flags: 0 };
    let mut id = 0;
    // SAFETY: pointers are to live variables or null, and handles are wrong on purpose.
    unsafe {
        assert_eq!(next(list.list, null(), &mut id).into_result(), NULL_POINTER);
        assert_eq!(next(list.list, &flags, null_mut()).into_result(), NULL_POINTER);
        assert_eq!(next(ze_command_list_handle_t::NULL, &flags, &mut id).into_result(), NULL_HANDLE);
        let of_immediate = next(gpu.list, &flags, &mut id);
        assert_eq!(of_immediate, ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
    }
    // What has been announced and not been appended cannot be changed.
    let id = list.next_id(0).unwrap();
    list.close();
    let one = groups(1);
    assert_eq!(list.update(&group_count(id, &one, null())), INVALID);
    let mut properties = [0x20015_u64, 0, 0xffff_ffff_ffff_ffff];
    let next = properties.as_mut_ptr().cast();
    let mut of_device = ze_device_properties_t { pNext: next, ..Default::default() };
    // SAFETY: the structures are live and tagged.
    unsafe { api().zeDeviceGetProperties(gpu.device, &mut of_device).into_result().unwrap() };
    assert_eq!(properties[2] >> 32, 0x7f, "what can be changed");
}

#[test]
fn a_clone_has_the_commands_of_its_list() {
    type Function =
        unsafe extern "C" fn(ze_command_list_handle_t, *mut ze_command_list_handle_t) -> ze_result_t;
    let copy: Function = later("zeCommandListCreateCloneExp");
    let gpu = Gpu::new();
    let [first, second] = [(); 2].map(|()| gpu.buffer(&[MARKER; 64]));
    let kernel = gpu.kernel(KERNELS[0], "collatz");
    set(kernel, 0, first.pointer).unwrap();
    let list = List::new(&gpu);
    let id = list.next_id(0).unwrap();
    append_launch(list.list, kernel, [2, 1, 1], NO_EVENT).unwrap();
    let mut clone = ze_command_list_handle_t::NULL;
    // SAFETY: pointers are to live variables or null, and handles are live or wrong on purpose.
    unsafe {
        assert_eq!(copy(list.list, &mut clone).into_result(), INVALID, "it is open");
        list.close();
        assert_eq!(copy(list.list, null_mut()).into_result(), NULL_POINTER);
        assert_eq!(copy(ze_command_list_handle_t::NULL, &mut clone).into_result(), NULL_HANDLE);
        let of_immediate = copy(gpu.list, &mut clone);
        assert_eq!(of_immediate, ze_result_t::ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
        copy(list.list, &mut clone).into_result().unwrap();
    }
    let mut cloned = List::new(&gpu);
    // SAFETY: the handle is live.
    unsafe { api().zeCommandListDestroy(cloned.list).into_result().unwrap() };
    cloned.list = clone;
    cloned.update(&argument(id, 0, &second.pointer, null())).unwrap();
    list.run().unwrap();
    assert_eq!((written(&first.read()), written(&second.read())), (2, 0));
    drop(list);
    cloned.run().unwrap();
    assert_eq!(written(&second.read()), 2);
}
