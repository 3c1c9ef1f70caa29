//! Command lists, queues, events, fences, copies and fills, also from several threads.

use crate::driver::{FOREVER, Gpu, KERNELS, Outcome, api, append_launch, set, set_group_size};
use level_zero_sys::*;
use std::ptr::null_mut;

const NOT_READY: Outcome = Err(ze_result_t::ZE_RESULT_NOT_READY);
const LOST: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST);
const NO_EVENT: ze_event_handle_t = ze_event_handle_t::NULL;

fn query(event: ze_event_handle_t) -> Outcome {
    // SAFETY: the handle is live.
    unsafe { api().zeEventQueryStatus(event).into_result() }
}

fn wait(event: ze_event_handle_t) -> Outcome {
    // SAFETY: the handle is live.
    unsafe { api().zeEventHostSynchronize(event, FOREVER).into_result() }
}

/// A kernel that writes `items` numbers after so many rounds, which takes a while.
fn spin(gpu: &Gpu, out: *mut u32, rounds: u32, items: u32) -> ze_kernel_handle_t {
    let kernel = gpu.kernel(KERNELS[0], "spin");
    set(kernel, 0, out).unwrap();
    set(kernel, 1, rounds).unwrap();
    set_group_size(kernel, [items, 1, 1]).unwrap();
    kernel
}

fn spun(id: u32, rounds: u32) -> u32 {
    (0..rounds).fold(id, |x, _| x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223))
}

#[test]
fn commands_wait_for_events_and_signal_them() {
    let gpu = Gpu::asynchronous();
    let out = gpu.buffer(&[0_u32; 64]);
    let kernel = spin(&gpu, out.pointer, 10, 64);
    let events = gpu.events(3);
    let [go, done, after] = events[..] else { unreachable!() };
    // SAFETY: the handles and the array are live.
    unsafe {
        let list = gpu.list;
        api().zeCommandListAppendWaitOnEvents(list, 1, [go].as_mut_ptr()).into_result().unwrap();
        gpu.launch_signalling(kernel, [1, 1, 1], done).unwrap();
        api().zeCommandListAppendBarrier(list, after, 1, [done].as_mut_ptr()).into_result().unwrap();
        assert_eq!((query(done), query(after)), (NOT_READY, NOT_READY));
        assert_eq!(api().zeEventHostSynchronize(done, 1_000_000).into_result(), NOT_READY);
        assert_eq!(out.read(), [0; 64]);
        api().zeEventHostSignal(go).into_result().unwrap();
        assert_eq!(wait(after), Ok(()));
        assert_eq!((query(go), query(done)), (Ok(()), Ok(())));
        assert_eq!(out.read()[63], spun(63, 10));
        api().zeCommandListAppendEventReset(list, done).into_result().unwrap();
        gpu.synchronize().unwrap();
        assert_eq!(query(done), NOT_READY);
        api().zeEventHostReset(after).into_result().unwrap();
        assert_eq!(query(after), NOT_READY);
        let other = ze_event_desc_t { index: 9, ..Default::default() };
        let (pool, mut event) = (ze_event_pool_handle_t::NULL, NO_EVENT);
        assert_eq!(
            api().zeEventCreate(pool, &other, &mut event).into_result(),
            Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE)
        );
    }
}

#[test]
fn timestamps_span_the_kernel() {
    let gpu = Gpu::asynchronous();
    let out = gpu.buffer(&[0_u32; 64]);
    let event = gpu.events(1)[0];
    let mut times = ze_kernel_timestamp_result_t::default();
    let copy = gpu.buffer(&[0_u64; 4]);
    // SAFETY: all pointers are to live variables.
    unsafe {
        assert_eq!(api().zeEventQueryKernelTimestamp(event, &mut times).into_result(), NOT_READY);
        gpu.launch_signalling(spin(&gpu, out.pointer, 100_000, 64), [1, 1, 1], event).unwrap();
        let (mut events, to) = ([event], copy.pointer.cast());
        api()
            .zeCommandListAppendQueryKernelTimestamps(
                gpu.list,
                1,
                events.as_mut_ptr(),
                to,
                std::ptr::null(),
                NO_EVENT,
                0,
                null_mut(),
            )
            .into_result()
            .unwrap();
        gpu.synchronize().unwrap();
        api().zeEventQueryKernelTimestamp(event, &mut times).into_result().unwrap();
    }
    let taken = times.global.kernelEnd - times.global.kernelStart;
    assert!((100_000..60_000_000_000).contains(&taken), "{taken} ns for 100000 rounds");
    assert_eq!(copy.read()[..2], [times.global.kernelStart, times.global.kernelEnd]);
}

#[test]
fn timestamps_are_not_written_beside_a_null_pointer() {
    let gpu = Gpu::asynchronous();
    let (mut event, offset) = (gpu.events(1)[0], 0x880_usize);
    // SAFETY: all pointers are to live variables, or null.
    let appended = unsafe {
        api().zeEventHostSignal(event).into_result().unwrap();
        let append = api().command_list.pfnAppendQueryKernelTimestamps.unwrap();
        append(gpu.list, 1, &mut event, null_mut(), &offset, NO_EVENT, 0, null_mut())
    };
    assert_eq!(appended, ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    assert_eq!(gpu.synchronize(), Ok(()));
}

/// Who waits for an event executes commands that have not begun, but none that come after the one that signals it, and none that wait for others.
#[test]
fn waiting_for_an_event_does_not_begin_what_follows() {
    for _ in 0..20 {
        let gpu = Gpu::asynchronous();
        let out = gpu.buffer(&[0_u32; 64 * 64]);
        let events = gpu.events(2);
        let mut before = events[0];
        let (short, endless) = (spin(&gpu, out.pointer, 10, 64), spin(&gpu, out.pointer, u32::MAX, 64));
        std::thread::scope(|scope| {
            // SAFETY: the handles are live, and pointers are to live variables.
            unsafe {
                api().zeCommandListAppendBarrier(gpu.list, NO_EVENT, 1, &mut before).into_result().unwrap();
            }
            gpu.launch(short, [64, 1, 1]).unwrap();
            gpu.launch_signalling(short, [64, 1, 1], events[1]).unwrap();
            gpu.launch(endless, [64, 1, 1]).unwrap();
            scope.spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(1));
                // SAFETY: the handle is live.
                unsafe { api().zeEventHostSignal(before).into_result().unwrap() };
            });
            assert_eq!(wait(events[1]), Ok(()));
        });
        assert_eq!(out.read()[5], spun(5, 10));
        // The end of the list stops what does not end.
    }
}

#[test]
fn a_fence_is_signalled_by_its_own_queue_alone() {
    let gpu = Gpu::asynchronous();
    let (mut list, queues) = (
        regular_list(&gpu),
        [(); 2].map(|()| {
            let mut queue = ze_command_queue_handle_t::NULL;
            // SAFETY: pointers are to live variables.
            let created = unsafe {
                api().zeCommandQueueCreate(gpu.context, gpu.device, &Default::default(), &mut queue)
            };
            created.into_result().unwrap();
            queue
        }),
    );
    let mut fence = ze_fence_handle_t::NULL;
    // SAFETY: as above; the handles are live.
    unsafe {
        api().zeCommandListClose(list).into_result().unwrap();
        api().zeFenceCreate(queues[0], &Default::default(), &mut fence).into_result().unwrap();
        let execute = |queue, list: &mut _| api().zeCommandQueueExecuteCommandLists(queue, 1, list, fence);
        let other = execute(queues[1], &mut list);
        assert_eq!(other, ze_result_t::ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT);
        assert_eq!(api().zeFenceQueryStatus(fence).into_result(), NOT_READY);
        execute(queues[0], &mut list).into_result().unwrap();
        api().zeFenceHostSynchronize(fence, FOREVER).into_result().unwrap();
    }
}

#[test]
fn a_fault_is_reported_by_the_next_synchronisation_and_only_by_it() {
    let gpu = Gpu::asynchronous();
    let out = gpu.buffer(&[0_u32; 64]);
    let bad = spin(&gpu, std::ptr::dangling_mut(), 1, 64);
    let good = spin(&gpu, out.pointer, 1, 64);
    let events = gpu.events(2);
    // By the command list.
    gpu.launch(bad, [1, 1, 1]).unwrap();
    gpu.launch(good, [1, 1, 1]).unwrap();
    assert_eq!((gpu.synchronize(), gpu.synchronize()), (LOST, Ok(())));
    assert_eq!(out.read()[5], spun(5, 1), "the commands after it are executed");
    // By an event that is signalled later.
    gpu.launch(bad, [1, 1, 1]).unwrap();
    gpu.launch_signalling(good, [1, 1, 1], events[0]).unwrap();
    assert_eq!(wait(events[0]), LOST);
    assert_eq!(gpu.synchronize(), Ok(()));
    gpu.launch_signalling(good, [1, 1, 1], events[1]).unwrap();
    assert_eq!(wait(events[1]), Ok(()));
}

fn regular_list(gpu: &Gpu) -> ze_command_list_handle_t {
    let mut list = ze_command_list_handle_t::NULL;
    // SAFETY: the handles and the pointers are live.
    unsafe {
        api()
            .zeCommandListCreate(gpu.context, gpu.device, &Default::default(), &mut list)
            .into_result()
            .unwrap();
    }
    list
}

fn queue(gpu: &Gpu) -> ze_command_queue_handle_t {
    let mut queue = ze_command_queue_handle_t::NULL;
    // SAFETY: as above.
    unsafe {
        api()
            .zeCommandQueueCreate(gpu.context, gpu.device, &Default::default(), &mut queue)
            .into_result()
            .unwrap();
    }
    queue
}

#[test]
fn recorded_lists_are_executed_as_often_as_asked() {
    let gpu = Gpu::new();
    let (list, queue) = (regular_list(&gpu), queue(&gpu));
    let words = gpu.buffer(&[1_u32; 256]);
    let kernel = gpu.kernel(KERNELS[0], "saxpy_checked");
    let (x, y) = (gpu.buffer(&[1.0_f32; 256]), gpu.buffer(&[0.0_f32; 256]));
    set(kernel, 0, 2.0_f32).unwrap();
    for (pointer, length) in [(x.pointer, 1), (y.pointer, 3)] {
        set(kernel, length, pointer).unwrap();
        set(kernel, length + 1, 256_u64).unwrap();
    }
    set(kernel, 5, words.pointer).unwrap();
    set_group_size(kernel, [64, 1, 1]).unwrap();
    append_launch(list, kernel, [4, 1, 1], NO_EVENT).unwrap();
    // What is set after the append is for the next one.
    set(kernel, 0, 1000.0_f32).unwrap();
    let (mut fence, mut lists) = (ze_fence_handle_t::NULL, [list, list]);
    // SAFETY: all handles and pointers are live.
    unsafe {
        let execute = |count: u32, lists: &mut [_; 2], fence| {
            api().zeCommandQueueExecuteCommandLists(queue, count, lists.as_mut_ptr(), fence).into_result()
        };
        let invalid = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
        assert_eq!(execute(1, &mut lists, fence), invalid, "the list is open");
        api().zeCommandListClose(list).into_result().unwrap();
        assert_eq!(append_launch(list, kernel, [4, 1, 1], NO_EVENT), invalid, "the list is closed");
        api().zeFenceCreate(queue, &Default::default(), &mut fence).into_result().unwrap();
        assert_eq!(api().zeFenceQueryStatus(fence).into_result(), NOT_READY);
        execute(2, &mut lists, fence).unwrap();
        api().zeFenceHostSynchronize(fence, FOREVER).into_result().unwrap();
        assert_eq!(y.read(), [4.0; 256]);
        execute(1, &mut lists, ze_fence_handle_t::NULL).unwrap();
        api().zeCommandQueueSynchronize(queue, FOREVER).into_result().unwrap();
        assert_eq!(y.read(), [6.0; 256]);
        api().zeFenceReset(fence).into_result().unwrap();
        assert_eq!(api().zeFenceQueryStatus(fence).into_result(), NOT_READY);
        // An empty list does nothing.
        api().zeCommandListReset(list).into_result().unwrap();
        api().zeCommandListClose(list).into_result().unwrap();
        execute(1, &mut lists, ze_fence_handle_t::NULL).unwrap();
        api().zeCommandQueueSynchronize(queue, FOREVER).into_result().unwrap();
        assert_eq!(y.read(), [6.0; 256]);
        for outcome in [
            api().zeFenceDestroy(fence),
            api().zeCommandListDestroy(list),
            api().zeCommandQueueDestroy(queue),
        ] {
            outcome.into_result().unwrap();
        }
    }
}

#[test]
fn copies_and_fills() {
    let gpu = Gpu::new();
    let bytes = gpu.buffer(&(0..=255).collect::<Vec<u8>>());
    let at = |offset: usize| bytes.pointer.wrapping_add(offset).cast();
    // SAFETY: ranges are in the buffer, or wrong on purpose, which the driver must notice.
    let copy = |to: usize, from: usize, size| unsafe {
        api()
            .zeCommandListAppendMemoryCopy(gpu.list, at(to), at(from), size, NO_EVENT, 0, null_mut())
            .into_result()
    };
    // SAFETY: as above; the pattern is live.
    let fill = |to: usize, pattern: &[u8], size| unsafe {
        let from = pattern.as_ptr().cast();
        api()
            .zeCommandListAppendMemoryFill(
                gpu.list,
                at(to),
                from,
                pattern.len(),
                size,
                NO_EVENT,
                0,
                null_mut(),
            )
            .into_result()
    };
    copy(0, 128, 64).unwrap();
    fill(64, &[1, 2, 3, 4], 16).unwrap();
    fill(80, &[9], 5).unwrap();
    let expected: Vec<u8> = (128..192).chain([1, 2, 3, 4].repeat(4)).chain([9; 5]).chain(85..=255).collect();
    assert_eq!(bytes.read(), expected);
    let overlapping = Err(ze_result_t::ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
    assert_eq!((copy(0, 10, 11), copy(10, 0, 11)), (overlapping, overlapping));
    assert_eq!((copy(0, 10, 10), copy(10, 0, 10)), (Ok(()), Ok(())));
    let size = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
    assert_eq!((copy(0, 200, 57), fill(250, &[0], 7)), (size, size), "beyond the end of the allocation");
    assert_eq!(
        (fill(0, &[1, 2, 3], 9), fill(0, &[1, 2], 9)),
        (size, size),
        "a power of two, and a whole number of times"
    );
    assert_eq!(fill(0, &[0; 128], 128), size, "longer than the device says it can");
}

#[test]
fn threads_launch_at_the_same_time() {
    std::thread::scope(|scope| {
        for thread in 0..6_u32 {
            scope.spawn(move || {
                let gpu = Gpu::asynchronous();
                let out = gpu.buffer(&[0_u32; 4096]);
                let kernel = spin(&gpu, out.pointer, thread, 128);
                for round in 0..50 {
                    set(kernel, 1, thread + round).unwrap();
                    gpu.launch(kernel, [32, 1, 1]).unwrap();
                }
                gpu.synchronize().unwrap();
                let expected: Vec<u32> = (0..4096).map(|id| spun(id, thread + 49)).collect();
                assert_eq!(out.read(), expected);
            });
        }
    });
}

#[test]
fn atomics_lose_nothing() {
    let gpu = Gpu::new();
    const ITEMS: u32 = 64 * 256;
    for spirv in KERNELS {
        let (words, wide) = (gpu.buffer(&[0_u32; 7]), gpu.buffer(&[0_u64; 1]));
        let tickets = gpu.buffer(&vec![u32::MAX; ITEMS as usize]);
        let kernel = gpu.kernel(spirv, "atomics");
        set(kernel, 0, words.pointer).unwrap();
        set(kernel, 1, wide.pointer).unwrap();
        set(kernel, 2, tickets.pointer).unwrap();
        set_group_size(kernel, [256, 1, 1]).unwrap();
        gpu.launch(kernel, [64, 1, 1]).unwrap();
        let sum = (0..ITEMS).fold(0_u32, u32::wrapping_add);
        let xor = (0..ITEMS).fold(0, |a, b| a ^ b);
        let lowest = (ITEMS - 1).wrapping_neg();
        assert_eq!(words.read(), [ITEMS, sum, lowest, ITEMS - 1, u32::MAX, xor, ITEMS * 3]);
        let mut tickets = tickets.read();
        tickets.sort_unstable();
        assert!(tickets.into_iter().eq(0..ITEMS), "every ticket was drawn once");
    }
}

#[test]
fn memory_that_is_freed_under_a_kernel_stays_until_it_is_done() {
    let gpu = Gpu::asynchronous();
    let out = gpu.buffer(&[0_u32; 4096]);
    let event = gpu.events(1)[0];
    // SAFETY: the handles are live.
    unsafe {
        api().zeCommandListAppendWaitOnEvents(gpu.list, 1, [event].as_mut_ptr()).into_result().unwrap();
        gpu.launch(spin(&gpu, out.pointer, 100, 256), [16, 1, 1]).unwrap();
        api().zeMemFree(gpu.context, out.pointer.cast()).into_result().unwrap();
        api().zeEventHostSignal(event).into_result().unwrap();
    }
    assert_eq!(gpu.synchronize(), Ok(()));
}

#[test]
fn what_takes_no_time_is_done_when_it_is_appended() {
    let gpu = Gpu::asynchronous();
    let (out, other) = (gpu.buffer(&[0_u32; 4]), gpu.buffer(&[7_u32; 4]));
    let write = gpu.kernel(KERNELS[0], "write_at");
    set_group_size(write, [1, 1, 1]).unwrap();
    for index in 0..4_i64 {
        set(write, 0, out.pointer).unwrap();
        set(write, 1, index).unwrap();
        gpu.launch(write, [1, 1, 1]).unwrap();
        // Nobody has waited, and no other thread may write here.
        assert_eq!(out.read()[index as usize], 1);
    }
    let events = gpu.events(2);
    let [go, after] = events[..] else { unreachable!() };
    // SAFETY: the handles, the arrays and the buffers are live.
    unsafe {
        api()
            .zeCommandListAppendMemoryCopy(
                gpu.list,
                other.pointer.cast(),
                out.pointer.cast(),
                16,
                NO_EVENT,
                0,
                null_mut(),
            )
            .into_result()
            .unwrap();
        assert_eq!(other.read(), [1; 4]);
        // Behind something that waits it has to wait, too.
        api().zeCommandListAppendWaitOnEvents(gpu.list, 1, [go].as_mut_ptr()).into_result().unwrap();
    }
    set(write, 0, other.pointer).unwrap();
    set(write, 1, 100_000_000_i64).unwrap();
    gpu.launch_signalling(write, [1, 1, 1], after).unwrap();
    assert_eq!(query(after), NOT_READY);
    // SAFETY: the handle is live.
    unsafe { api().zeEventHostSignal(go).into_result().unwrap() };
    // The address is nobody's, and this is told at the next synchronisation as ever.
    assert_eq!(gpu.synchronize(), LOST);
    set(write, 1, 100_000_000_i64).unwrap();
    gpu.launch(write, [1, 1, 1]).unwrap();
    assert_eq!(gpu.synchronize(), LOST);
    assert_eq!(gpu.synchronize(), Ok(()));
}
