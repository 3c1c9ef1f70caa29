//! Cooperative launches, whose work-groups all make progress at the same time: barriers of the device, and waiting by atomics.

use crate::assemble::{Assembly, prepare};
use crate::driver::{Gpu, Outcome, api, create_kernel};
use level_zero_sys::*;
use rspirv::spirv::Word;
use std::ptr::null_mut;

const ITEMS: u32 = 16;

fn launch(gpu: &Gpu, kernel: ze_kernel_handle_t, count: u32) -> Outcome {
    let groups = ze_group_count_t { groupCountX: count, groupCountY: 1, groupCountZ: 1 };
    let none = ze_event_handle_t::NULL;
    // SAFETY: the group count is live, and there are no events to wait for.
    unsafe {
        api()
            .zeCommandListAppendLaunchCooperativeKernel(gpu.list, kernel, &groups, none, 0, null_mut())
            .into_result()
    }
}

fn most(kernel: ze_kernel_handle_t) -> u32 {
    let mut most = 0;
    // SAFETY: the pointer is to a live variable.
    unsafe { api().zeKernelSuggestMaxCooperativeGroupCount(kernel, &mut most).into_result().unwrap() };
    most
}

/// A barrier of the device that orders global memory.
fn barrier(assembly: &mut Assembly) {
    let (device, semantics) = (assembly.constant(1), assembly.constant(0x210));
    assembly.builder.control_barrier(device, device, semantics).unwrap();
}

/// A word of the result, by its number.
fn place(assembly: &mut Assembly, number: Word) -> Word {
    let (global, to) = (assembly.global, assembly.to);
    assembly.builder.in_bounds_ptr_access_chain(global, None, to, number, []).unwrap()
}

/// Each work-item writes a word, and after a barrier adds to it that of the item from the other end, several times.
fn mirrored(rounds: u64, count: u32) -> Vec<u8> {
    let mut assembly = Assembly::new(&[], &[]);
    let (u32, u64) = (assembly.u32, assembly.u64);
    let last = assembly.constant64(u64::from(ITEMS * count) - 1);
    assembly.begin();
    let word = assembly.word(1, 0);
    assembly.store(1, 0, word);
    for _ in 0..rounds {
        barrier(&mut assembly);
        let index = assembly.index;
        let other = assembly.builder.i_sub(u64, None, last, index).unwrap();
        let (own, other) = (place(&mut assembly, index), place(&mut assembly, other));
        let b = &mut assembly.builder;
        let (a, c) = (b.load(u32, None, own, None, []).unwrap(), b.load(u32, None, other, None, []).unwrap());
        let double = b.i_add(u32, None, c, c).unwrap();
        let sum = b.i_add(u32, None, a, double).unwrap();
        barrier(&mut assembly);
        assembly.builder.store(own, sum, None, []).unwrap();
    }
    assembly.end()
}

#[test]
fn groups_meet_at_barriers_of_the_device() {
    let gpu = Gpu::new();
    let count = {
        let kernel = create_kernel(gpu.module(&mirrored(0, 1)).unwrap(), "k").unwrap();
        most(kernel)
    };
    assert!(count >= 8);
    let from: Vec<u32> = (0..ITEMS * count).collect();
    let mut expected = from.clone();
    for _ in 0..3 {
        expected = (0..expected.len()).map(|i| expected[i] + 2 * expected[expected.len() - 1 - i]).collect();
    }
    let kernel = create_kernel(gpu.module(&mirrored(3, count)).unwrap(), "k").unwrap();
    let (from, to) = (gpu.buffer(&from), gpu.buffer(&vec![0_u32; (ITEMS * count) as usize]));
    prepare(kernel, from.pointer, to.pointer, ITEMS);
    let outcome = launch(&gpu, kernel, count);
    assert_eq!(outcome, Ok(()));
    assert_eq!(to.read(), expected);
    // One group meets itself, however it is launched.
    assert_eq!(gpu.launch(kernel, [1, 1, 1]), Ok(()));
    // Several would wait for groups that have not begun.
    assert!(gpu.launch(kernel, [2, 1, 1]).is_err());
    assert!(gpu.last_error().contains("the launch is not cooperative"), "{}", gpu.last_error());
}

#[test]
fn a_barrier_to_which_not_all_groups_come_is_diagnosed() {
    let mut assembly = Assembly::new(&[], &[]);
    let (bool, items) = (assembly.bool, assembly.constant64(ITEMS.into()));
    assembly.begin();
    let index = assembly.index;
    let b = &mut assembly.builder;
    let (meets, end) = (b.id(), b.id());
    let is_first = b.u_less_than(bool, None, index, items).unwrap();
    b.branch_conditional(is_first, end, meets, []).unwrap();
    b.begin_block(Some(meets)).unwrap();
    barrier(&mut assembly);
    assembly.builder.branch(end).unwrap();
    assembly.builder.begin_block(Some(end)).unwrap();
    let gpu = Gpu::new();
    let kernel = create_kernel(gpu.module(&assembly.end()).unwrap(), "k").unwrap();
    let (from, to) = (gpu.buffer(&[0_u32]), gpu.buffer(&[0_u32]));
    prepare(kernel, from.pointer, to.pointer, ITEMS);
    assert!(launch(&gpu, kernel, 4).is_err());
    assert!(gpu.last_error().contains("waits at the barrier"), "{}", gpu.last_error());
}

/// The first item of each group counts itself, and waits until all groups are counted.
#[test]
fn groups_wait_for_each_other_by_atomics() {
    let mut assembly = Assembly::new(&[], &[]);
    let (u32, bool) = (assembly.u32, assembly.bool);
    let (device, ordered, one) = (assembly.constant(1), assembly.constant(0x210), assembly.constant(1));
    let zero = assembly.constant64(0);
    assembly.begin();
    let count = {
        let (global, from) = (assembly.global, assembly.from);
        let at = assembly.builder.in_bounds_ptr_access_chain(global, None, from, zero, []).unwrap();
        assembly.builder.load(u32, None, at, None, []).unwrap()
    };
    let counter = place(&mut assembly, zero);
    let b = &mut assembly.builder;
    b.atomic_i_add(u32, None, counter, device, ordered, one).unwrap();
    let (wait, end) = (b.id(), b.id());
    b.branch(wait).unwrap();
    b.begin_block(Some(wait)).unwrap();
    let counted = b.atomic_load(u32, None, counter, device, ordered).unwrap();
    let is_short = b.u_less_than(bool, None, counted, count).unwrap();
    b.branch_conditional(is_short, wait, end, []).unwrap();
    b.begin_block(Some(end)).unwrap();
    let gpu = Gpu::new();
    let kernel = create_kernel(gpu.module(&assembly.end()).unwrap(), "k").unwrap();
    let count = 8;
    let (from, to) = (gpu.buffer(&[count]), gpu.buffer(&[0_u32]));
    prepare(kernel, from.pointer, to.pointer, 1);
    assert_eq!(launch(&gpu, kernel, count), Ok(()));
    assert_eq!(to.read(), [count]);
}
