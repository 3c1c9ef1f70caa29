//! Vectors whose memory is that of buffers.
#![cfg(feature = "cpu")]

use kernel_runtime::prelude::*;
use kernel_runtime::{BufferProblem, Region, UsmKind};
use std::sync::{Mutex, MutexGuard, PoisonError};

fn queue() -> Queue {
    Device::best().and_then(|device| device.queue()).expect("there is always the CPU device")
}

/// Lets no other test import a vector, of which one might share a page with those of this one.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[kernel]
fn add_one(x: &mut [u32]) {
    x[global_id(0)] += 1;
}

#[kernel]
fn negate_flags(x: &mut [bool]) {
    x[global_id(0)] = !x[global_id(0)];
}

#[kernel]
fn brighten(picture: &Image2d<u32>, result: &mut Image2d<u32, WriteOnly>) {
    let at = (global_id(0), global_id(1));
    if at.0 < picture.width() && at.1 < picture.height() && at.0 < result.width() && at.1 < result.height() {
        result.write(at, picture.read(at) + 1);
    }
}

/// Makes elements of them that are no values.
#[kernel]
unsafe fn spoil(x: *mut u8) {
    // SAFETY: who launches the kernel vouches for so many elements.
    unsafe { *x.add(global_id(0)) = 2 };
}

#[test]
fn a_vector_becomes_a_buffer_and_a_vector_again() {
    let (_alone, queue) = (alone(), queue());
    for len in [1_usize, 2, 1000, 40_000, 300_001] {
        let values: Vec<u32> = (0..len as u32).collect();
        let address = values.as_ptr();
        let mut x = queue.import_vec(values).unwrap();
        let can = queue.device().limits().host_import;
        assert_eq!((x.kind(), x.len(), x.is_imported()), (UsmKind::Host, len, can), "{len}");
        assert!(!can || x.as_ptr() == address);
        add_one(&mut x).launch(&queue, len).unwrap();
        assert_eq!(x.view(&queue).unwrap()[..1], [1]);
        x.view_mut(&queue).unwrap()[0] = 7;
        add_one(&mut x.slice_mut(len / 2..)).launch(&queue, len.div_ceil(2)).unwrap();
        assert_eq!(queue.download(&x).unwrap().len(), len);
        let values = x.into_vec(&queue).unwrap();
        assert!(!can || values.as_ptr() == address, "it is the same vector");
        let expected = |i: u32| if i == 0 { 7 } else { i + 1 } + u32::from(i as usize >= len / 2);
        assert!(values.into_iter().eq((0..len as u32).map(expected)), "{len}");
    }
}

#[test]
fn what_cannot_be_imported_is_copied() {
    let (_alone, queue) = (alone(), queue());
    let empty = queue.import_vec(Vec::<u32>::new()).unwrap();
    assert!(empty.is_empty() && !empty.is_imported());
    assert_eq!(empty.into_vec(&queue).unwrap(), []);
    // Atomics of bytes change the words that these are in.
    let bytes = queue.import_vec(vec![7_u8; 4097]).unwrap();
    assert!(!bytes.is_imported());
    assert_eq!(bytes.into_vec(&queue).unwrap(), [7; 4097]);
    // Memory that was never a vector's becomes one by a copy.
    let host = queue.upload_host(&[1.5_f32; 10]).unwrap();
    assert_eq!(host.into_vec(&queue).unwrap(), [1.5; 10]);
}

#[test]
fn vectors_that_share_a_page_are_buffers_too() {
    let (_alone, queue) = (alone(), queue());
    let made: Vec<UsmBuffer<u32>> = (0..100).map(|i| queue.import_vec(vec![i; 16]).unwrap()).collect();
    for (i, mut x) in (0..).zip(made) {
        add_one(&mut x).launch(&queue, 16).unwrap();
        assert_eq!(x.into_vec(&queue).unwrap(), [i + 1; 16]);
    }
}

#[test]
fn a_vector_is_copied_if_something_else_leads_to_it() {
    let (_alone, queue) = (alone(), queue());
    let mut x = queue.import_vec(vec![1_u32; 1000]).unwrap();
    let address = x.as_ptr();
    let launch = add_one(&mut x);
    let values = x.into_vec(&queue).unwrap();
    assert_ne!(values.as_ptr(), address);
    assert_eq!(values, [1; 1000]);
    launch.launch(&queue, 1000).unwrap();
    queue.synchronize().unwrap();
    // What refers to a part is no owner of the vector.
    let mut whole = queue.import_vec(vec![3_u32; 1000]).unwrap();
    let mut other = queue.import_vec(vec![5_u32; 10]).unwrap();
    std::mem::swap(&mut *whole.slice_mut(..500), &mut *other);
    assert_eq!(other.into_vec(&queue).unwrap(), [3; 500]);
    assert_eq!(whole.into_vec(&queue).unwrap(), [3; 1000]);
}

#[test]
fn an_imported_vector_is_dropped_when_no_kernel_uses_it_any_more() {
    let (_alone, queue) = (alone(), queue());
    for i in 0..100 {
        let mut x = queue.import_vec(vec![1_u32; 20_000]).unwrap();
        // Later ones may share a page with one that a kernel is still using.
        assert!(i > 0 || x.is_imported() == queue.device().limits().host_import);
        add_one(&mut x).launch(&queue, 20_000).unwrap();
    }
    queue.synchronize().unwrap();
}

#[test]
fn what_is_no_vector_of_values_is_given_back() {
    let (_alone, queue) = (alone(), queue());
    let mut flags = queue.import_vec(vec![false, true, true, false]).unwrap();
    negate_flags(&mut flags).launch(&queue, 4).unwrap();
    // SAFETY: there are four elements, and the queue is waited for.
    unsafe { spoil(flags.as_mut_ptr().cast()) }.launch(&queue, 3).unwrap();
    let refused = flags.into_vec(&queue).unwrap_err();
    let Error::Buffer(error) = &*refused.error else { panic!("{refused}") };
    assert_eq!(error.problem, BufferProblem::InvalidElement { index: 0 });
    assert_eq!(refused.to_string(), error.to_string());
    let mut flags = refused.value;
    queue.fill(&mut flags, true).unwrap();
    assert_eq!(flags.into_vec(&queue).unwrap(), [true; 4]);
}

#[test]
fn other_devices_use_an_imported_vector() {
    let _alone = alone();
    let queues: Vec<Queue> = Device::all().iter().map(|device| device.queue().unwrap()).collect();
    let mut x = queues[0].import_vec(vec![0_u32; 5000]).unwrap();
    for queue in &queues {
        add_one(&mut x).launch(queue, 5000).unwrap();
    }
    assert_eq!(x.into_vec(&queues[0]).unwrap(), [queues.len() as u32; 5000]);
}

/// Vectors of which some are imported and the others share pages with those.
fn neighbours(queue: &Queue) -> (Vec<UsmBuffer<u32>>, Vec<Vec<u32>>) {
    let mut all: Vec<Vec<u32>> = (0..24).map(|_| vec![1; 1500]).collect();
    let lent = all.iter().step_by(4).cloned().collect::<Vec<_>>();
    let imported: Vec<UsmBuffer<u32>> =
        all.drain(..).step_by(4).map(|values| queue.import_vec(values).unwrap()).collect();
    drop(lent);
    let others = (0..40).map(|i| vec![i; 1500]).collect();
    (imported, others)
}

#[test]
fn what_shares_pages_with_an_imported_vector_is_copied_as_ever() {
    let (_alone, queue) = (alone(), queue());
    let (imported, others) = neighbours(&queue);
    assert_eq!(imported.iter().any(UsmBuffer::is_imported), queue.device().limits().host_import);
    let mut x = queue.zeros::<u32>(1500).unwrap();
    for values in &others {
        queue.write(&mut x, values).unwrap();
        add_one(&mut x).launch(&queue, 1500).unwrap();
        let expected = vec![values[0] + 1; 1500];
        assert_eq!(queue.download(&x).unwrap(), expected);
        let mut into = values.clone();
        queue.download_into(&x, &mut into).unwrap();
        assert_eq!(into, expected);
        let region = Region::of_2d([50, 30], [7, 3], [40, 20]);
        assert_eq!(queue.download_region(&x, region).unwrap(), expected[..800]);
        queue.write_region(&mut x, region, &values[..800]).unwrap();
        assert_eq!(queue.download_region(&x, region).unwrap(), values[..800]);
        let y = queue.upload_async(values.clone()).unwrap();
        assert_eq!(queue.download_async(&y).unwrap().wait().unwrap(), *values);
        into.fill(0);
        queue
            .scope(|scope| {
                scope.write(&mut x, values)?;
                scope.download_into(&x, &mut into)
            })
            .unwrap();
        assert_eq!(into, *values);
        let format = ImageFormat::new(ChannelOrder::R, ChannelType::Uint32);
        let picture = queue.upload_image(format, (50, 30), values).unwrap();
        let mut result = queue.zeroed_image(format, (50, 30)).unwrap();
        brighten(&picture, &mut result).launch(&queue, (50, 30)).unwrap();
        assert_eq!(queue.download_image::<_, _, u32>(&result).unwrap(), expected);
    }
}

#[test]
fn vectors_are_imported_while_other_threads_copy() {
    let _alone = alone();
    let device = Device::best().unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4_u32 {
            let device = &device;
            scope.spawn(move || {
                let queue = device.queue().unwrap();
                for i in 0..200 {
                    let mut x = queue.import_vec(vec![thread; 1000 + 7 * i]).unwrap();
                    add_one(&mut x).launch(&queue, x.len()).unwrap();
                    let y = queue.upload(&vec![i as u32; 900 + 5 * i]).unwrap();
                    assert_eq!(queue.download(&y).unwrap(), vec![i as u32; 900 + 5 * i]);
                    let values = x.into_vec(&queue).unwrap();
                    assert_eq!(values, vec![thread + 1; 1000 + 7 * i]);
                }
            });
        }
    });
}
