//! What is found while kernels run whose accesses are checked, with the places in this file.
#![cfg(feature = "cpu")]

use kernel_runtime::check::{AccessKind, Checks, RaceMemory, RaceReason, set_checks};
use kernel_runtime::prelude::*;

/// Each work-item reads what the next one writes.
#[kernel(unsafe(races(y)))]
fn shift(y: &mut [u32]) {
    let i = global_id(0);
    let next = y[i + 1];
    y[i] = next + 1;
}

/// The barrier comes too late.
#[kernel(group_size = 32, unsafe(races(tile)))]
fn exchange(y: &mut [u32]) {
    let mut tile = Local::<[u32; 32]>::new();
    tile[local_id(0)] = 7;
    let other = tile[31 - local_id(0)];
    barrier();
    y[global_id(0)] = other;
}

#[kernel(unsafe(races(count)))]
fn count(count: &mut u32) {
    *count = 5;
}

#[kernel]
fn copied(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = add_one(x, i);
}

#[device]
fn add_one(x: &[u32], i: usize) -> u32 {
    x[i] + 1
}

/// A queue of a device that checks all that it can.
fn queue() -> Queue {
    set_checks(Checks { races: true, memory: true }).unwrap();
    let cpu = Device::all().into_iter().find(|device| device.kind() == kernel_runtime::DeviceKind::Cpu);
    cpu.expect("the CPU device is there").queue().unwrap()
}

/// Where a text is in this file, as messages have it.
fn at(text: &str) -> String {
    let source = include_str!("checked.rs");
    let start = source.find(text).expect("the text is there");
    let (line, column) =
        (source[..start].matches('\n').count() + 1, start - source[..start].rfind('\n').unwrap());
    format!("{}:{line}:{column}", file!())
}

/// What the driver says of an error.
fn said(error: Error) -> String {
    let Error::Driver(error) = error else { panic!("{error}") };
    error.description().expect("it says something").replace(".hoisted", "")
}

#[test]
fn both_accesses_of_a_race_are_named_with_their_places() {
    let queue = queue();
    let mut y = queue.zeros::<u32>(64).unwrap();
    shift(&mut y).launch_groups(&queue, 2, 16).unwrap();
    let Err(Error::Driver(error)) = queue.synchronize() else { panic!("it races") };
    let race = error.race().expect("it is a race").clone();
    assert_eq!(race.memory, RaceMemory::Argument { index: 0, size: 256 });
    assert_eq!((race.offset, race.size, race.reason), (4, 4, RaceReason::NoSubgroupBarrier));
    assert_eq!((race.later.kind, race.later.global_id), (AccessKind::Write, Some([1, 0, 0])));
    assert_eq!((race.earlier.kind, race.earlier.global_id), (AccessKind::Read, Some([0, 0, 0])));
    let (file, line, column) = race.earlier.position.line.expect("it is written somewhere");
    assert_eq!(format!("{file}:{line}:{column}"), at("y[i + 1]"));
    assert_eq!(
        said(Error::Driver(error)),
        format!(
            "kernel `shift`, work-item (1, 0, 0): a data race on byte 4 of argument 0 (in an allocation of 256 bytes): it writes 4 bytes \
             at {}, and work-item (0, 0, 0) reads there at {}; there is no barrier between the two, and being in one subgroup does not \
             order them",
            at("y[i] = next"),
            at("y[i + 1]")
        )
    );
    // The queue goes on.
    queue.synchronize().unwrap();
}

#[test]
fn races_in_local_memory_and_on_one_element() {
    let queue = queue();
    let mut y = queue.zeros::<u32>(32).unwrap();
    exchange(&mut y).launch(&queue, 32).unwrap();
    let text = said(queue.synchronize().unwrap_err());
    let write = at("tile[local_id(0)] = 7");
    assert_eq!(
        text,
        format!(
            "kernel `exchange`, work-item (16, 0, 0): a data race on byte 64 of local memory: it writes 4 bytes at {write}, and work-item \
             (15, 0, 0) reads there at {}; there is no barrier between the two",
            at("tile[31 - local_id(0)]")
        )
    );
    let mut one = queue.zeros::<u32>(1).unwrap();
    count(&mut one).launch_groups(&queue, 3, 1).unwrap();
    let text = said(queue.synchronize().unwrap_err());
    assert!(text.ends_with("; nothing orders work-items of different work-groups"), "{text}");
}

#[test]
fn memory_that_nobody_has_written_is_found_in_device_functions_too() {
    let queue = queue();
    let x = queue.uninit::<u32>(64).unwrap();
    let mut y = queue.zeros::<u32>(64).unwrap();
    copied(&x, &mut y).launch(&queue, 64).unwrap();
    assert_eq!(
        said(queue.synchronize().unwrap_err()),
        format!(
            "kernel `copied`, work-item (0, 0, 0): it reads 4 bytes at {}, and nobody has written byte 0 of argument 0 (in an allocation of \
             256 bytes)",
            at("x[i] + 1")
        )
    );
    // What has been uploaded has been written, and memory that was given back does not come again as if it had.
    let x = queue.upload(&[1_u32; 64]).unwrap();
    copied(&x, &mut y).launch(&queue, 64).unwrap();
    assert_eq!(queue.download(&y).unwrap(), [2; 64]);
    drop(x);
    let x = queue.uninit::<u32>(64).unwrap();
    copied(&x, &mut y).launch(&queue, 64).unwrap();
    assert!(said(queue.synchronize().unwrap_err()).contains("nobody has written byte 0 "));
}
