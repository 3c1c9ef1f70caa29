//! Parts of buffers, as arguments of kernels and in copies; fills; regions.
#![cfg(feature = "cpu")]

mod kernels;

use kernel_runtime::prelude::*;
use kernel_runtime::{
    BufferProblem, Element, LaunchArgument, LaunchProblem, Region, RegionProblem, f16,
    vector::names::{f32x4, u8x4},
};
use kernels::{SAXPY, saxpy};
use std::fmt::Debug;
use std::mem::swap;
use std::sync::atomic::{AtomicU8, Ordering};

fn queue() -> Queue {
    Device::best().and_then(|device| device.queue()).expect("there is always the CPU device")
}

fn ramp(len: u16) -> Vec<f32> {
    (0..len).map(f32::from).collect()
}

fn buffer_problem<T>(result: Result<T>) -> BufferProblem {
    match result {
        Err(Error::Buffer(error)) => error.problem,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it is refused"),
    }
}

fn launch_problem(result: Result<()>) -> LaunchProblem {
    match result {
        Err(Error::Launch(error)) => error.problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn kernels_take_parts() {
    let queue = queue();
    let x = queue.upload(&ramp(256)).unwrap();
    for (from, to, len) in [(0, 0, 256), (16, 0, 100), (0, 32, 7), (128, 192, 64), (240, 16, 16)] {
        let mut y = queue.filled(256, 0.5_f32).unwrap();
        let (read, mut written) = (x.slice(from..from + len), y.slice_mut(to..to + len));
        assert_eq!((read.len(), written.len()), (len, len));
        saxpy(2.0, &read, &mut written).launch(&queue, len).unwrap();
        let expected: Vec<f32> = (0..256)
            .map(|i| if (to..to + len).contains(&i) { 2.0 * (from + i - to) as f32 + 0.5 } else { 0.5 })
            .collect();
        assert_eq!(queue.download(&y).unwrap(), expected, "{from} {to} {len}");
    }
}

#[test]
fn one_buffer_is_read_and_written_in_disjoint_parts() {
    let queue = queue();
    let mut x = queue.upload(&ramp(64)).unwrap();
    let (mut first, mut second) = x.split_at_mut(32);
    saxpy(1.0, &first, &mut second).launch(&queue, 32).unwrap();
    saxpy(1.0, &second, &mut first).launch(&queue, 32).unwrap();
    let expected: Vec<f32> =
        (0..64_u8).map(|i| if i < 32 { 3 * i + 32 } else { i + i - 32 }).map(f32::from).collect();
    assert_eq!(queue.download(&x).unwrap(), expected);
    let (first, second) = x.split_at(16);
    assert_eq!((first.len(), second.len()), (16, 48));
    assert_eq!(queue.download(&second.slice(1..=1)).unwrap(), [expected[17]]);
}

/// Elements as vectors, by blocks of subgroups, and one by one, of all of a part.
#[kernel]
fn taken_in_many_ways(
    bytes: &mut [u8],
    halves: &mut [u16],
    words: &mut [u32],
    flags: &[AtomicU8],
    triples: &[[f64; 3]],
    sums: &mut [f64],
) {
    let i = global_id(0);
    let four = u8x4::load(bytes, 4 * i);
    (four + u8x4::splat(1)).store(bytes, 4 * i);
    let first = group_id(0) * local_size(0) + subgroup::id() * subgroup::max_size();
    let half = subgroup::block_read(halves, first);
    subgroup::block_write(halves, first, half + 1);
    let word = subgroup::block_read(words, first);
    subgroup::block_write(words, first, word + 1);
    flags[i].fetch_add(1, Ordering::Relaxed);
    sums[i] = triples[i].iter().sum();
}

#[test]
fn parts_start_at_any_element() {
    let queue = queue();
    const N: usize = 64;
    for start in 0..=17 {
        let mut bytes = queue.upload(&[7_u8; 4 * N + 40]).unwrap();
        let mut halves = queue.upload(&[8_u16; N + 40]).unwrap();
        let mut words = queue.upload(&[9_u32; N + 40]).unwrap();
        let flags = queue.upload(&[3_u8; N + 40]).unwrap();
        let numbers: Vec<[f64; 3]> = (0..N + 40).map(|i| [i as f64, 0.5, 1.0]).collect();
        let triples = queue.upload(&numbers).unwrap();
        let mut sums = queue.zeros::<f64>(N + 40).unwrap();
        taken_in_many_ways(
            &mut bytes.slice_mut(start..start + 4 * N),
            &mut halves.slice_mut(start..start + N),
            &mut words.slice_mut(start..start + N),
            &flags.slice(start..start + N),
            &triples.slice(start..start + N),
            &mut sums.slice_mut(start..start + N),
        )
        .launch(&queue, N)
        .unwrap();
        // One more in the part, and nothing outside of it.
        let is_in = |i: usize, len: usize| (start..start + len).contains(&i);
        let changed = |i: usize, len: usize| u32::from(is_in(i, len));
        for (i, byte) in queue.download(&bytes).unwrap().into_iter().enumerate() {
            assert_eq!(u32::from(byte), 7 + changed(i, 4 * N), "byte {i} of a part from {start} on");
        }
        for (i, half) in queue.download(&halves).unwrap().into_iter().enumerate() {
            assert_eq!(u32::from(half), 8 + changed(i, N), "half {i} of a part from {start} on");
        }
        for (i, word) in queue.download(&words).unwrap().into_iter().enumerate() {
            assert_eq!(word, 9 + changed(i, N), "word {i} of a part from {start} on");
        }
        for (i, flag) in queue.download(&flags).unwrap().into_iter().enumerate() {
            assert_eq!(u32::from(flag), 3 + changed(i, N), "flag {i} of a part from {start} on");
        }
        for (i, sum) in queue.download(&sums).unwrap().into_iter().enumerate() {
            let expected = if is_in(i, N) { i as f64 + 1.5 } else { 0.0 };
            assert_eq!(sum, expected, "sum {i} of a part from {start} on");
        }
    }
}

#[test]
fn a_part_of_a_part_starts_anywhere() {
    let queue = queue();
    let x = queue.upload(&ramp(256)).unwrap();
    let mut y = queue.zeros::<f32>(256).unwrap();
    saxpy(1.0, &x.slice(3..).slice(5..), &mut y.slice_mut(7..)).launch(&queue, 2).unwrap();
    saxpy(1.0, &x.slice(5..5), &mut y.slice_mut(7..7))
        .launch(&queue, 0)
        .expect("a part without elements starts anywhere");
    assert_eq!(queue.download(&y).unwrap()[6..10], [0.0, 8.0, 9.0, 0.0]);
}

/// The message of a panic.
fn panic_of(action: impl FnOnce()) -> String {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(action)).expect_err("it panics");
    panic.downcast_ref::<String>().expect("it says why").clone()
}

#[test]
fn parts_are_in_their_buffer() {
    let queue = queue();
    let mut x = queue.zeros::<u8>(10).unwrap();
    #[expect(clippy::reversed_empty_ranges, reason = "this is what is tested")]
    let reversed = 7..3;
    for outside in [5..11, 11..12, 0..usize::MAX, reversed] {
        assert!(x.get(outside.clone()).is_none() && x.get_mut(outside.clone()).is_none());
        let expected = format!("the part {outside:?} is not in the buffer, which has 10 elements");
        assert_eq!(panic_of(|| drop(x.slice(outside.clone()))), expected);
        assert_eq!(panic_of(|| drop(x.slice_mut(outside))), expected);
    }
    assert!(x.get(11..).is_none() && x.get(..=usize::MAX).is_none() && x.get(..=9).is_some());
    assert!(panic_of(|| drop(x.split_at(11))).starts_with("the part 0..11 "));
    assert!(panic_of(|| drop(x.split_at_mut(11))).starts_with("the part 0..11 "));
    assert!(x.slice(2..4).get(1..3).is_none(), "a part of a part");
    assert!(x.slice(10..).is_empty());
    assert_eq!(x.get(..).expect("it is all of it").len(), 10);
}

#[test]
fn copies_take_any_parts() {
    let queue = queue();
    let mut x = queue.upload(&ramp(20)).unwrap();
    queue.write(&mut x.slice_mut(3..5), &[-1.0, -2.0]).unwrap();
    assert_eq!(queue.download(&x.slice(2..6)).unwrap(), [2.0, -1.0, -2.0, 5.0]);
    let mut values = [0.0; 2];
    queue.download_into(&x.slice(18..), &mut values).unwrap();
    assert_eq!(values, [18.0, 19.0]);
    let mut y = queue.zeros::<f32>(4).unwrap();
    queue.copy(&x.slice(7..10), &mut y.slice_mut(1..)).unwrap();
    assert_eq!(queue.download(&y).unwrap(), [0.0, 7.0, 8.0, 9.0]);
    let (first, mut second) = x.split_at_mut(9);
    queue.copy(&first, &mut second.slice_mut(..9)).unwrap();
    assert_eq!(
        queue.download(&x).unwrap()[8..19],
        [8.0, 0.0, 1.0, 2.0, -1.0, -2.0, 5.0, 6.0, 7.0, 8.0, 18.0]
    );
    let lengths = BufferProblem::LengthMismatch { buffer: 4, slice: 20 };
    assert_eq!(buffer_problem(queue.copy(&x, &mut y)), lengths);
    queue.copy(&queue.zeros::<u8>(0).unwrap(), &mut queue.zeros(0).unwrap()).unwrap();
}

/// Fills a part of a buffer.
fn fill<T: Element + Debug + PartialEq>(queue: &Queue, before: T, value: T) {
    for len in [1, 2, 3, 64, 1000] {
        let mut buffer = queue.filled(len + 2, before).unwrap();
        queue.fill(&mut buffer.slice_mut(1..=len), value).unwrap();
        let mut expected = vec![value; len + 2];
        (expected[0], expected[len + 1]) = (before, before);
        assert_eq!(queue.download(&buffer).unwrap(), expected);
    }
}

#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mixed {
    flag: bool,
    number: u32,
    tail: u8,
}

#[test]
fn a_fill_takes_every_element() {
    let queue = queue();
    fill(&queue, 1_u8, 2);
    fill(&queue, true, false);
    fill(&queue, f16::from_f32(1.5), f16::from_f32(-2.0));
    fill(&queue, 0.25_f32, f32::MAX);
    fill(&queue, 0_u64, 0x0102_0304_0506_0708);
    fill(&queue, -1_i64, 0);
    fill(&queue, f32x4::from([1.0, 2.0, 3.0, 4.0]), f32x4::from([5.0; 4]));
    // These are no powers of two, or longer than what a driver repeats.
    fill(&queue, [1_u8, 2, 3], [4; 3]);
    fill(&queue, [1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]);
    fill(&queue, [0_u64; 16], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    let mixed = Mixed { flag: true, number: 7, tail: 255 };
    fill(&queue, mixed, Mixed { number: u32::MAX, ..mixed });
    queue.fill(&mut queue.zeros::<u32>(0).unwrap(), 1).unwrap();
}

#[test]
fn regions_are_copied_row_by_row() {
    let queue = queue();
    let (width, height) = (13, 9);
    let host: Vec<u16> = (0..width as u16 * height as u16).collect();
    let picture = queue.upload(&host).unwrap();
    let region = Region::of_2d([width, height], [4, 3], [5, 4]);
    let expected: Vec<u16> = (0..20).map(|i| host[(3 + i / 5) * width + 4 + i % 5]).collect();
    assert_eq!(queue.download_region(&picture, region).unwrap(), expected);

    let mut copy = queue.zeros::<u16>(7 * 6).unwrap();
    let target = Region::of_2d([7, 6], [2, 1], [5, 4]);
    queue.copy_region((&picture, region), (&mut copy, target)).unwrap();
    assert_eq!(queue.download_region(&copy, target).unwrap(), expected);
    let sum = |values: Vec<u16>| values.into_iter().map(u32::from).sum::<u32>();
    assert_eq!(sum(queue.download(&copy).unwrap()), sum(expected), "nothing else was written");

    queue.write_region(&mut copy, Region::of_2d([7, 6], [0, 5], [2, 1]), &[8, 9]).unwrap();
    assert_eq!(queue.download(&copy).unwrap()[35..38], [8, 9, 0]);
}

#[test]
fn regions_have_three_dimensions() {
    let queue = queue();
    let grid = [5, 4, 3];
    let host: Vec<u32> = (0..60).collect();
    let volume = queue.upload(&host).unwrap();
    let region = Region::of_3d(grid, [1, 2, 1], [3, 2, 2]);
    let expected = [31, 32, 33, 36, 37, 38, 51, 52, 53, 56, 57, 58];
    assert_eq!(queue.download_region(&volume, region).unwrap(), expected);
    let mut other = queue.zeros::<u32>(60).unwrap();
    queue.write_region(&mut other, region, &expected).unwrap();
    assert_eq!(queue.download_region(&other, region).unwrap(), expected);
    assert_eq!(queue.download(&other).unwrap().iter().sum::<u32>(), expected.iter().sum::<u32>());
    // A part may be the grid.
    let slice = volume.slice(20..40);
    assert_eq!(
        queue.download_region(&slice, Region::of_2d([5, 4], [4, 0], [1, 4])).unwrap(),
        [24, 29, 34, 39]
    );
}

#[test]
fn regions_that_do_not_fit_are_refused() {
    let queue = queue();
    let mut x = queue.zeros::<u8>(12).unwrap();
    let y = queue.zeros::<u8>(12).unwrap();
    let whole = Region::of_2d([4, 3], [0, 0], [4, 3]);
    let region = |what| BufferProblem::Region { what };
    let beyond = Region::of_2d([4, 3], [2, 0], [3, 1]);
    let not_in_grid = region(RegionProblem::NotInGrid { axis: 0, origin: 2, size: 3, grid: 4 });
    assert_eq!(buffer_problem(queue.download_region(&x, beyond)), not_in_grid);
    let large = Region::of_2d([4, 4], [0, 0], [1, 1]);
    let too_large = region(RegionProblem::GridTooLarge { grid: [4, 4, 1], len: 12 });
    assert_eq!(buffer_problem(queue.download_region(&x, large)), too_large);
    let differ = region(RegionProblem::SizesDiffer { from: [4, 3, 1], to: [2, 1, 1] });
    let small = Region::of_2d([4, 3], [0, 0], [2, 1]);
    assert_eq!(buffer_problem(queue.copy_region((&y, whole), (&mut x, small))), differ);
    let mismatch = region(RegionProblem::LengthMismatch { region: 2, slice: 3 });
    assert_eq!(buffer_problem(queue.write_region(&mut x, small, &[1, 2, 3])), mismatch);
    let empty = Region::of_2d([4, 3], [4, 3], [0, 0]);
    queue.copy_region((&y, empty), (&mut x, empty)).unwrap();
    queue.write_region(&mut x, empty, &[]).unwrap();
    assert_eq!(queue.download_region(&x, empty).unwrap(), []);
}

/// A part that outlives its borrow, because it was exchanged for a buffer.
fn escaped(queue: &Queue, x: &mut Buffer<f32>, range: std::ops::Range<usize>) -> Buffer<f32> {
    let mut escaped = queue.zeros::<f32>(1).unwrap();
    swap(&mut *x.slice_mut(range), &mut escaped);
    escaped
}

#[test]
fn a_part_that_escaped_its_borrow_is_still_a_part() {
    let queue = queue();
    let mut x = queue.upload(&ramp(64)).unwrap();
    let mut part = escaped(&queue, &mut x, 16..32);
    let expected = LaunchProblem::NotExclusive { exclusive: "y", other: "x" };
    assert_eq!(launch_problem(saxpy(1.0, &x, &mut part).launch(&queue, 16)), expected);
    assert_eq!(launch_problem(saxpy(1.0, &part, &mut x).launch(&queue, 16)), expected);
    saxpy(1.0, &x.slice(..16), &mut part).launch(&queue, 16).unwrap();
    assert_eq!(buffer_problem(queue.copy(&part, &mut x.slice_mut(20..36))), BufferProblem::Overlap);
    let middle = |start| Region::of_2d([4, 4], [start, 0], [2, 4]);
    let copied = queue.copy_region((&part, middle(0)), (&mut x.slice_mut(16..32), middle(1)));
    assert_eq!(buffer_problem(copied), BufferProblem::Overlap);
    drop(x);
    assert_eq!(queue.download(&part).unwrap()[..3], [16.0, 18.0, 20.0], "it keeps the memory");
}

#[test]
fn the_host_has_no_views_of_what_is_written_by_whatever_name() {
    let queue = queue();
    let mut x = queue.upload_shared(&ramp(64)).unwrap();
    let mut part = escaped(&queue, &mut x, 16..32);
    let mut other = queue.upload_shared(&ramp(1)).unwrap();
    swap(&mut *other, &mut part);
    {
        let view = x.view(&queue).unwrap();
        assert_eq!(buffer_problem(other.view_mut(&queue)), BufferProblem::Viewed);
        assert_eq!(other.view(&queue).unwrap()[..2], view[16..18]);
        for refused in [
            queue.write(&mut other, &[0.0; 16]),
            queue.fill(&mut other, 0.0),
            queue.copy(&queue.zeros(16).unwrap(), &mut other),
            queue.write_region(&mut other, Region::of_2d([4, 4], [0, 0], [1, 1]), &[1.0]),
        ] {
            assert_eq!(buffer_problem(refused), BufferProblem::Viewed);
        }
        assert_eq!(queue.download(&other).unwrap()[0], 16.0, "both only read");
    }
    let view = x.view_mut(&queue).unwrap();
    assert_eq!(buffer_problem(other.view(&queue)), BufferProblem::Viewed);
    assert_eq!(buffer_problem(queue.download(&other)), BufferProblem::Viewed);
    let argument = [
        LaunchArgument::by_value(1.0_f32),
        LaunchArgument::slice(&other),
        LaunchArgument::slice_mut(&mut part),
    ];
    // SAFETY: these are the arguments of the kernel.
    let launch = unsafe { kernel_runtime::Launch::new(&SAXPY, argument) };
    assert_eq!(launch_problem(launch.launch(&queue, 1)), LaunchProblem::Viewed { argument: "x" });
    drop(view);
    queue.fill(&mut other, 5.0).unwrap();
    assert_eq!(x.view(&queue).unwrap()[15..18], [15.0, 5.0, 5.0]);
}

#[test]
fn a_launch_of_no_work_items_does_nothing() {
    let queue = queue();
    let x = queue.upload(&ramp(64)).unwrap();
    let mut y = queue.zeros::<f32>(64).unwrap();
    saxpy(1.0, &x, &mut y).launch(&queue, 0).unwrap();
    saxpy(1.0, &x, &mut y).launch_groups(&queue, 0, 64).unwrap();
    saxpy(1.0, &x, &mut y).launch_groups(&queue, 64, 0).unwrap();
    saxpy(1.0, &x, &mut y).launch(&queue, (64, 0)).unwrap();
    assert_eq!(queue.download(&y).unwrap(), [0.0; 64]);
    saxpy(1.0, &x, &mut y).launch(&queue, 64).unwrap();
    assert_eq!(queue.download(&y).unwrap(), ramp(64));
}

#[test]
fn what_a_buffer_had_is_not_what_a_new_one_has() {
    let queue = queue();
    for len in [1, 100, 5000] {
        drop(queue.filled(len, 9_u32).unwrap());
        assert_eq!(queue.download(&queue.zeros::<u32>(len).unwrap()).unwrap(), vec![0; len]);
        drop(queue.filled(len, true).unwrap());
        assert_eq!(queue.download(&queue.uninit::<bool>(len).unwrap()).unwrap(), vec![false; len]);
        assert_eq!(queue.uninit::<u64>(len).unwrap().len(), len);
    }
    assert!(queue.device().kept_bytes() > 0);
    queue.device().release_kept_memory();
}
