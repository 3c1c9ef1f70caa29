//! `KERNEL_CHECK=races`: what races is found, with both accesses, and what does not is not.

mod driver;

use driver::{Gpu, set, set_group_size};
use level_zero_sys::*;

const RACES: &[u8] = include_bytes!("modules/races.spv");

const LAYOUT: (ze_image_format_layout_t, ze_image_format_type_t) =
    (ze_image_format_layout_t::ZE_IMAGE_FORMAT_LAYOUT_32, ze_image_format_type_t::ZE_IMAGE_FORMAT_TYPE_UINT);

/// A context of a driver that looks for races.
fn gpu() -> Gpu {
    kernel_cpu::set_checks(kernel_cpu::Checks { races: true, memory: false }).unwrap();
    Gpu::new()
}

/// Launches a kernel on 256 words, and returns what is wrong with it, if anything is.
fn launch(name: &str, by: u32, size: u32, groups: u32) -> Result<(), String> {
    let gpu = gpu();
    let y = gpu.buffer(&[0_u32; 256]);
    let kernel = gpu.kernel(RACES, name);
    set(kernel, 0, y.pointer).unwrap();
    set(kernel, 1, by).unwrap();
    set_group_size(kernel, [size, 1, 1]).unwrap();
    gpu.launch(kernel, [groups, 1, 1]).map_err(|code| {
        assert_eq!(code, ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST);
        gpu.last_error()
    })
}

/// That a launch is found to race, with this message after the name of the kernel.
fn races(name: &str, by: u32, size: u32, groups: u32, expected: &str) {
    let text = launch(name, by, size, groups).expect_err(name);
    let start = format!("kernel `{name}`, work-item ");
    let message = text.strip_prefix(&start).expect(&text);
    assert_eq!(without_offsets(message), expected, "{name} by {by}, {groups} groups of {size}");
}

/// That a launch is found to be free of races.
fn is_silent(name: &str, by: u32, size: u32, groups: u32) {
    assert_eq!(launch(name, by, size, groups), Ok(()), "{name} by {by}, {groups} groups of {size}");
}

/// A text without the offsets of instructions, which are another matter.
fn without_offsets(text: &str) -> String {
    let mut parts = text.split("word ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "word _" + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

const IN_ARGUMENT: &str = "argument 0 (in an allocation of 1024 bytes)";
const GROUPS: &str = "nothing orders work-items of different work-groups";
const NONE: &str = "there is no barrier between the two";
const SUBGROUP: &str = "there is no barrier between the two, and being in one subgroup does not order them";
const COPY: &str = "such a copy goes on until the group waits for it, and waits for no barrier";

#[test]
fn a_read_and_a_write_of_global_memory() {
    let accesses = "it writes 4 bytes at races.cl:3:5, and work-item (0, 0, 0) reads there at races.cl:3:12";
    let of = |reason| format!("(1, 0, 0): a data race on byte 4 of {IN_ARGUMENT}: {accesses}; {reason}");
    races("shift", 1, 1, 4, &of(GROUPS));
    races("shift", 1, 16, 1, &of(SUBGROUP));
    is_silent("shift", 0, 16, 4);
    // Nobody writes what is read behind all.
    is_silent("shift", 32, 32, 1);
}

#[test]
fn a_race_across_subgroups_and_across_groups() {
    let of = |reason| {
        format!(
            "(16, 0, 0): a data race on byte 64 of {IN_ARGUMENT}: it writes 4 bytes at races.cl:3:5, and work-item (0, 0, 0) \
             reads there at races.cl:3:12; {reason}"
        )
    };
    races("shift", 16, 32, 1, &of(NONE));
    races("shift", 16, 16, 2, &of(GROUPS));
}

#[test]
fn two_writes_of_one_value_by_one_instruction() {
    races(
        "same",
        2,
        16,
        1,
        &format!(
            "(1, 0, 0): a data race on byte 0 of {IN_ARGUMENT}: it writes 4 bytes at word _ in `same`, and work-item (0, 0, 0) \
             writes there at word _ in `same`; {SUBGROUP}"
        ),
    );
    is_silent("same", 1, 16, 4);
}

/// Each work-item writes a word of local memory and reads that of another one.
fn exchange(name: &str, (by, size): (u32, u32), reader: u32, writer: u32, reason: &str) {
    let byte = 4 * writer;
    let expected = format!(
        "({reader}, 0, 0): a data race on byte {byte} of local memory: it reads 4 bytes at word _ in `{name}`, and work-item \
         ({writer}, 0, 0) writes there at word _ in `{name}`; {reason}"
    );
    races(name, by, size, 1, &expected);
}

#[test]
fn local_memory_is_ordered_by_barriers_that_say_so() {
    exchange("local_none", (1, 16), 0, 1, SUBGROUP);
    is_silent("local_none", 0, 32, 2);
    is_silent("local_barrier", 1, 16, 2);
    is_silent("local_barrier", 16, 32, 2);
    let wrong = "the barriers between the two do not order local memory";
    exchange("local_global_barrier", (16, 32), 0, 16, wrong);
    exchange("local_relaxed_barrier", (1, 16), 0, 1, wrong);
    is_silent("local_subgroup_scope", 1, 32, 1);
    exchange("local_subgroup_scope", (16, 32), 0, 16, wrong);
    let expected = "(16, 0, 0): a data race on byte 64 of local memory: it writes 4 bytes at word _ in `local_none`, and work-item \
                    (0, 0, 0) reads there at word _ in `local_none`; there is no barrier between the two";
    races("local_none", 16, 32, 1, expected);
}

#[test]
fn a_barrier_of_the_subgroup_orders_the_subgroup_alone() {
    is_silent("local_subgroup_barrier", 1, 32, 1);
    is_silent("local_subgroup_barrier", 15, 64, 2);
    let name = "local_subgroup_barrier";
    races(
        name,
        16,
        32,
        1,
        &format!(
            "(16, 0, 0): a data race on byte 64 of local memory: it writes 4 bytes at word _ in `{name}`, and work-item (0, 0, 0) \
             reads there at word _ in `{name}`; {NONE}"
        ),
    );
}

#[test]
fn collectives_order_nothing() {
    exchange("local_collective", (1, 32), 0, 1, SUBGROUP);
    exchange("local_collective", (16, 32), 0, 16, NONE);
    exchange("local_subgroup_collective", (1, 32), 0, 1, SUBGROUP);
}

#[test]
fn global_memory_is_ordered_by_barriers_that_say_so_within_a_group() {
    let of = |name: &str, reason| {
        format!(
            "(0, 0, 0): a data race on byte 4 of {IN_ARGUMENT}: it reads 4 bytes at word _ in `{name}`, and work-item (1, 0, 0) \
             writes there at word _ in `{name}`; {reason}"
        )
    };
    races("global_none", 1, 16, 1, &of("global_none", SUBGROUP));
    is_silent("global_barrier", 1, 16, 2);
    is_silent("global_barrier", 16, 32, 2);
    let name = "global_local_barrier";
    races(name, 1, 16, 1, &of(name, "the barriers between the two do not order global memory"));
    races(
        "global_barrier",
        16,
        16,
        2,
        &format!(
            "(16, 0, 0): a data race on byte 64 of {IN_ARGUMENT}: it writes 4 bytes at word _ in `global_barrier`, and work-item \
             (0, 0, 0) reads there at word _ in `global_barrier`; {GROUPS}"
        ),
    );
}

#[test]
fn atomics_race_with_what_is_not_atomic_only() {
    is_silent("atomics", 0, 64, 4);
    let of = |name: &str, byte: u32, access, other| {
        format!(
            "(0, 0, 0): a data race on byte {byte} of {IN_ARGUMENT}: it {access} 4 bytes at word _ in `{name}`, and work-item \
             (1, 0, 0) {other} there at word _ in `{name}`; {SUBGROUP}"
        )
    };
    races("atomic_read", 1, 16, 1, &of("atomic_read", 0, "reads", "updates atomically"));
    races("atomic_write", 1, 16, 1, &of("atomic_write", 4, "reads atomically", "writes"));
    is_silent("atomic_write", 2, 16, 4);
}

#[test]
fn bytes_of_a_word_are_told_apart() {
    is_silent("bytes_apart", 1, 64, 4);
    races(
        "bytes_apart",
        2,
        16,
        2,
        &format!(
            "(1, 0, 0): a data race on byte 0 of {IN_ARGUMENT}: it writes 1 byte at word _ in `bytes_apart`, and work-item (0, 0, 0) \
             writes there at word _ in `bytes_apart`; {SUBGROUP}"
        ),
    );
    // Bytes in what others read as two bytes, and behind that.
    is_silent("short_of_bytes", 32, 16, 1);
    races(
        "short_of_bytes",
        31,
        16,
        1,
        &format!(
            "(0, 0, 0): a data race on byte 31 of {IN_ARGUMENT}: it writes 1 byte at word _ in `short_of_bytes`, and work-item \
             (15, 0, 0) reads there at word _ in `short_of_bytes`; {SUBGROUP}"
        ),
    );
    // Words in what others write as eight bytes.
    is_silent("long_of_words", 1, 16, 2);
    races(
        "long_of_words",
        2,
        16,
        1,
        &format!(
            "(0, 0, 0): a data race on byte 8 of {IN_ARGUMENT}: it writes 4 bytes at word _ in `long_of_words`, and work-item \
             (1, 0, 0) writes there at word _ in `long_of_words`; {SUBGROUP}"
        ),
    );
}

#[test]
fn copies_read_and_write() {
    is_silent("copy_memory", 0, 4, 1);
    is_silent("copy_memory", 16, 4, 1);
    races(
        "copy_memory",
        4,
        4,
        1,
        &format!(
            "(1, 0, 0): a data race on byte 16 of {IN_ARGUMENT}: it writes 16 bytes at word _ in `copy_memory`, and work-item \
             (0, 0, 0) reads there at word _ in `copy_memory`; {SUBGROUP}"
        ),
    );
}

#[test]
fn asynchronous_copies_are_nobodys_and_end_at_a_wait() {
    is_silent("copy_wait", 0, 16, 1);
    races(
        "copy_barrier",
        0,
        16,
        1,
        &format!(
            "(0, 0, 0): a data race on byte 0 of local memory: it reads 4 bytes at word _ in `copy_barrier`, and a copy by the group \
             writes there at word _ in `copy_barrier`; {COPY}"
        ),
    );
    races(
        "copy_out",
        0,
        16,
        1,
        &format!(
            "(0, 0, 0): a data race on byte 0 of local memory: a copy by its group reads 4 bytes at word _ in `copy_out`, and \
             work-item (0, 0, 0) writes there at word _ in `copy_out`; {COPY}"
        ),
    );
    // Who is alone in its group has written what it has copied.
    is_silent("copy_out", 0, 1, 1);
}

/// Each instruction is found where it stands: without lines, by the function and the offset in words.
#[test]
fn functions_and_offsets_are_named() {
    let text = launch("helped", 1, 16, 1).unwrap_err();
    const LOAD: u32 = 61;
    const STORE: u32 = 62;
    let (store, load) = (last_offset(STORE), last_offset(LOAD));
    let expected = format!(
        "kernel `helped`, work-item (1, 0, 0): a data race on byte 4 of {IN_ARGUMENT}: it writes 4 bytes at word {store} in `helped`, \
         and work-item (0, 0, 0) reads there at word {load} in `helper`; {SUBGROUP}"
    );
    assert_eq!(text, expected);
    is_silent("helped", 0, 16, 1);
}

/// Where the last instruction with an opcode is in the module, whose last functions are `helped` and `helper`.
fn last_offset(opcode: u32) -> usize {
    let words = driver::words(RACES);
    let (mut at, mut last) = (5, 0);
    while at < words.len() {
        if words[at] & 0xffff == opcode {
            last = at;
        }
        at += (words[at] >> 16) as usize;
    }
    last
}

/// Launches a kernel that reads and writes images of 32 texels in a row; they are the same image if nothing else is said.
fn launch_on_image(name: &str, by: u32, [size, groups]: [u32; 2], same: bool) -> Result<(), String> {
    let gpu = gpu();
    let image = || gpu.image(ze_image_type_t::ZE_IMAGE_TYPE_2D, LAYOUT, [64, 1]);
    let first = image();
    let second = if same { first } else { image() };
    let kernel = gpu.kernel(RACES, name);
    set(kernel, 0, first).unwrap();
    set(kernel, 1, second).unwrap();
    set(kernel, 2, by).unwrap();
    set_group_size(kernel, [size, 1, 1]).unwrap();
    gpu.launch(kernel, [groups, 1, 1]).map_err(|_| without_offsets(&gpu.last_error()))
}

#[test]
fn texels_of_images() {
    assert_eq!(launch_on_image("texels_apart", 1, [16, 2], false), Ok(()));
    assert_eq!(
        launch_on_image("texels_apart", 2, [16, 2], false).unwrap_err(),
        format!(
            "kernel `texels_apart`, work-item (1, 0, 0): a data race on byte 0 of argument 0 (an image of 256 bytes): it writes 4 \
             bytes at word _ in `texels_apart`, and work-item (0, 0, 0) writes there at word _ in `texels_apart`; {SUBGROUP}"
        )
    );
    assert_eq!(launch_on_image("texels_shifted", 1, [16, 2], false), Ok(()), "images of their own");
    assert_eq!(launch_on_image("texels_shifted", 0, [16, 2], true), Ok(()));
    assert_eq!(
        launch_on_image("texels_shifted", 16, [16, 2], true).unwrap_err(),
        format!(
            "kernel `texels_shifted`, work-item (16, 0, 0): a data race on byte 64 of argument 0 (an image of 256 bytes): it writes 4 \
             bytes at word _ in `texels_shifted`, and work-item (0, 0, 0) reads there at word _ in `texels_shifted`; {GROUPS}"
        )
    );
}

/// After a race the device goes on, and nothing of the accesses of one launch is left in the next.
#[test]
fn launches_follow_each_other() {
    let gpu = gpu();
    let y = gpu.buffer(&[0_u32; 256]);
    let kernel = gpu.kernel(RACES, "shift");
    set(kernel, 0, y.pointer).unwrap();
    for by in [0, 1, 0, 0, 1, 0] {
        set(kernel, 1, by).unwrap();
        let launched = gpu.launch(kernel, [16, 1, 1]);
        assert_eq!(launched.is_ok(), by == 0);
    }
}
