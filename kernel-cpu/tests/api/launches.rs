//! Launches whose size the device reads, and cooperative ones.

use crate::driver::{Buffer, FOREVER, Gpu, KERNELS, Outcome, api, set, set_group_size};
use level_zero_sys::*;
use std::ptr::{null, null_mut};

const NULL_POINTER: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
const NULL_HANDLE: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
const INVALID: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
const LOST: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST);
const NO_EVENT: ze_event_handle_t = ze_event_handle_t::NULL;

/// How many work-items a group has here.
const ITEMS: u32 = 16;

/// A kernel that writes a number which is never zero for each work-item.
fn writer(gpu: &Gpu, out: &Buffer<u32>) -> ze_kernel_handle_t {
    let kernel = gpu.kernel(KERNELS[0], "spin");
    set(kernel, 0, out.pointer).unwrap();
    set(kernel, 1, 1_u32).unwrap();
    set_group_size(kernel, [ITEMS, 1, 1]).unwrap();
    kernel
}

/// How many groups have written, which must be the first ones; everything is zero again afterwards.
fn groups_written(out: &Buffer<u32>) -> usize {
    let content = out.read();
    let written = content.iter().take_while(|word| **word != 0).count();
    assert!(content[written..].iter().all(|word| *word == 0));
    assert_eq!(written % ITEMS as usize, 0);
    // SAFETY: the memory is live, and nothing runs.
    unsafe { out.pointer.write_bytes(0, content.len()) };
    written / ITEMS as usize
}

fn indirect(
    list: ze_command_list_handle_t,
    kernel: ze_kernel_handle_t,
    groups: *const ze_group_count_t,
    event: ze_event_handle_t,
) -> Outcome {
    // SAFETY: there are no events to wait for, and what is wrong with the rest the driver must notice.
    unsafe {
        api()
            .zeCommandListAppendLaunchKernelIndirect(list, kernel, groups, event, 0, null_mut())
            .into_result()
    }
}

fn set_groups(memory: &Buffer<ze_group_count_t>, index: usize, [x, y, z]: [u32; 3]) {
    let groups = ze_group_count_t { groupCountX: x, groupCountY: y, groupCountZ: z };
    // SAFETY: the memory has so many elements, and nothing runs.
    unsafe { memory.pointer.add(index).write(groups) };
}

#[test]
fn the_device_reads_the_size_when_the_launch_begins() {
    let gpu = Gpu::asynchronous();
    let out = gpu.buffer(&[0_u32; 256]);
    let sizes = gpu.buffer(&[ze_group_count_t::default(); 1]);
    let kernel = writer(&gpu, &out);
    let events = gpu.events(2);
    let [go, done] = events[..] else { unreachable!() };
    // SAFETY: the handles and the array are live.
    unsafe {
        api().zeCommandListAppendWaitOnEvents(gpu.list, 1, [go].as_mut_ptr()).into_result().unwrap();
        indirect(gpu.list, kernel, sizes.pointer, done).unwrap();
        set_groups(&sizes, 0, [3, 1, 1]);
        api().zeEventHostSignal(go).into_result().unwrap();
        api().zeEventHostSynchronize(done, FOREVER).into_result().unwrap();
    }
    assert_eq!(groups_written(&out), 3);
    // No groups are no launch, but the event is signalled.
    set_groups(&sizes, 0, [3, 0, 1]);
    // SAFETY: the handle is live.
    unsafe { api().zeEventHostReset(done).into_result().unwrap() };
    indirect(gpu.list, kernel, sizes.pointer, done).unwrap();
    // SAFETY: as above.
    unsafe { api().zeEventHostSynchronize(done, FOREVER).into_result().unwrap() };
    gpu.synchronize().unwrap();
    assert_eq!(groups_written(&out), 0);
}

#[test]
fn a_list_reads_the_size_anew_each_time() {
    let gpu = Gpu::new();
    let out = gpu.buffer(&[0_u32; 256]);
    let sizes = gpu.buffer(&[ze_group_count_t::default(); 1]);
    let kernel = writer(&gpu, &out);
    let (mut list, mut queue) = (ze_command_list_handle_t::NULL, ze_command_queue_handle_t::NULL);
    // SAFETY: pointers are to live variables, and the handles are live.
    unsafe {
        let (of_list, of_queue) = (Default::default(), Default::default());
        api().zeCommandListCreate(gpu.context, gpu.device, &of_list, &mut list).into_result().unwrap();
        api().zeCommandQueueCreate(gpu.context, gpu.device, &of_queue, &mut queue).into_result().unwrap();
        indirect(list, kernel, sizes.pointer, NO_EVENT).unwrap();
        api().zeCommandListClose(list).into_result().unwrap();
        for count in [1, 16, 2] {
            set_groups(&sizes, 0, [count, 1, 1]);
            api()
                .zeCommandQueueExecuteCommandLists(queue, 1, &mut list, ze_fence_handle_t::NULL)
                .into_result()
                .unwrap();
            api().zeCommandQueueSynchronize(queue, FOREVER).into_result().unwrap();
            assert_eq!(groups_written(&out), count as usize);
        }
        api().zeCommandListDestroy(list).into_result().unwrap();
        api().zeCommandQueueDestroy(queue).into_result().unwrap();
    }
}

#[test]
fn memory_says_how_many_of_several_kernels_run() {
    let gpu = Gpu::asynchronous();
    let outs = [gpu.buffer(&[0_u32; 64]), gpu.buffer(&[0_u32; 64]), gpu.buffer(&[0_u32; 64])];
    let sizes = gpu.buffer(&[ze_group_count_t::default(); 3]);
    let executed = gpu.buffer(&[0_u32]);
    let mut kernels = outs.each_ref().map(|out| writer(&gpu, out));
    (0..3).for_each(|index| set_groups(&sizes, index, [index as u32 + 1, 1, 1]));
    let append = |kernels: *mut ze_kernel_handle_t, executed: *const u32, event| {
        // SAFETY: the array has three handles, and what is wrong with the rest the driver must notice.
        unsafe {
            api()
                .zeCommandListAppendLaunchMultipleKernelsIndirect(
                    gpu.list,
                    3,
                    kernels,
                    executed,
                    sizes.pointer,
                    event,
                    0,
                    null_mut(),
                )
                .into_result()
        }
    };
    for count in [2, 3, 0, 9] {
        // SAFETY: the memory is live, and nothing runs.
        unsafe { executed.pointer.write(count) };
        append(kernels.as_mut_ptr(), executed.pointer, NO_EVENT).unwrap();
        gpu.synchronize().unwrap();
        let written = outs.each_ref().map(groups_written);
        let expected = [0, 1, 2].map(|index| if index < count { index as usize + 1 } else { 0 });
        assert_eq!(written, expected, "{count}");
    }
    assert_eq!(append(null_mut(), executed.pointer, NO_EVENT), NULL_POINTER);
    assert_eq!(append(kernels.as_mut_ptr(), null(), NO_EVENT), NULL_POINTER);
    let stray = ze_event_handle_t(gpu.context.0);
    assert_eq!(append(kernels.as_mut_ptr(), executed.pointer, stray), INVALID);
    kernels[2] = ze_kernel_handle_t::NULL;
    assert_eq!(append(kernels.as_mut_ptr(), executed.pointer, NO_EVENT), NULL_HANDLE);
    gpu.synchronize().unwrap();
    assert_eq!(outs.each_ref().map(groups_written), [0; 3], "what is refused is refused as a whole");
}

#[test]
fn sizes_that_cannot_be_read_or_counted_are_errors() {
    let gpu = Gpu::asynchronous();
    let out = gpu.buffer(&[0_u32; 64]);
    let sizes = gpu.buffer(&[ze_group_count_t::default(); 1]);
    let kernel = writer(&gpu, &out);
    assert_eq!(indirect(gpu.list, kernel, null(), NO_EVENT), NULL_POINTER);
    let beyond = sizes.pointer.wrapping_byte_add(4);
    let outside = Err(ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE);
    assert_eq!(indirect(gpu.list, kernel, beyond, NO_EVENT), outside);
    set_groups(&sizes, 0, [u32::MAX; 3]);
    indirect(gpu.list, kernel, sizes.pointer, NO_EVENT).unwrap();
    assert_eq!(gpu.synchronize(), LOST);
    let what =
        "an indirect launch has more work-groups than can be counted: 4294967295 x 4294967295 x 4294967295";
    assert_eq!(gpu.last_error(), what);
    // The list can be used again.
    set_groups(&sizes, 0, [1, 1, 1]);
    indirect(gpu.list, kernel, sizes.pointer, NO_EVENT).unwrap();
    gpu.synchronize().unwrap();
    assert_eq!(groups_written(&out), 1);
}

#[test]
fn cooperative_launches_have_as_many_groups_as_make_progress_together() {
    let gpu = Gpu::new();
    let out = gpu.buffer(&[0_u32; 256 * ITEMS as usize]);
    let kernel = writer(&gpu, &out);
    let mut most = 0;
    let launch = |count| {
        let groups = ze_group_count_t { groupCountX: count, groupCountY: 1, groupCountZ: 1 };
        // SAFETY: the group count is live, and there are no events to wait for.
        unsafe {
            api()
                .zeCommandListAppendLaunchCooperativeKernel(
                    gpu.list,
                    kernel,
                    &groups,
                    NO_EVENT,
                    0,
                    null_mut(),
                )
                .into_result()
        }
    };
    // SAFETY: the pointer is to a live variable or null.
    unsafe {
        api().zeKernelSuggestMaxCooperativeGroupCount(kernel, &mut most).into_result().unwrap();
        assert_eq!(
            api().zeKernelSuggestMaxCooperativeGroupCount(kernel, null_mut()).into_result(),
            NULL_POINTER
        );
    }
    launch(most).unwrap();
    assert_eq!(groups_written(&out), most as usize);
    assert_eq!(launch(most + 1), INVALID);
    assert!(gpu.last_error().contains("zeKernelSuggestMaxCooperativeGroupCount"), "{}", gpu.last_error());
    assert_eq!(groups_written(&out), 0);
    assert_eq!(launch(0), Err(ze_result_t::ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION));
}
