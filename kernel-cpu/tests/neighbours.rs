//! Accesses whose indices of 32 bits are the same sum but for a number, which native code checks together, where such an index wraps between them or between lanes.

mod assemble;
mod driver;

use assemble::{Assembly, prepare};
use driver::{Gpu, create_kernel};
use rspirv::spirv::Word;
use std::process::Command;

const ITEMS: u32 = 40;

/// How many words there are.
const WORDS: usize = 64;

/// Names the kernel for the process that `results` starts.
const CHILD: &str = "KERNEL_CPU_TEST_KERNEL";

/// How the neighbours of a work-item are found.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Index {
    /// By numbers with a sign, which are less than zero for some, from the middle of the words on.
    Signed,
    /// By numbers that would wrap for the first work-items, which do not read.
    Guarded,
    /// By numbers that wrap for the first work-item, so that it reads what there is not.
    Wrapping,
    /// By numbers that wrap for all but the first work-items, from as far before the words that only those which do not lead to them.
    Beyond,
    /// By numbers that are the same for all, from a base of each work-item's own, for which the same holds.
    Beside,
}

const INDICES: [Index; 5] = [Index::Signed, Index::Guarded, Index::Wrapping, Index::Beyond, Index::Beside];

/// How far the first work-items are from the start.
const BEFORE: u32 = 5;

/// Adds neighbours of each work-item's word, each as often as its place among them says.
fn sums(index: Index, neighbours: u32) -> Vec<u8> {
    let mut a = Assembly::new(&[], &[]);
    a.begin();
    let (long, number) = (a.u64, a.index);
    let number = a.builder.u_convert(a.u32, None, number).unwrap();
    let before = a.constant(if index == Index::Wrapping { 1 } else { BEFORE });
    let mut first = a.builder.i_sub(a.u32, None, number, before).unwrap();
    let mut base = a.from;
    let mut reads = None;
    match index {
        Index::Signed => {
            let middle = a.constant64(BEFORE.into());
            base = a.builder.in_bounds_ptr_access_chain(a.global, None, base, middle, []).unwrap();
        }
        Index::Guarded => reads = Some(a.builder.u_less_than_equal(a.bool, None, before, number).unwrap()),
        Index::Wrapping => {}
        Index::Beyond | Index::Beside => {
            // How far the base is shows only when the kernel runs.
            let (one, last) = (a.constant(1), a.word(0, WORDS as u64 - 1));
            reads = Some(a.builder.i_equal(a.bool, None, last, one).unwrap());
            let (times, distance) =
                (a.builder.u_convert(long, None, last).unwrap(), a.constant64((1 << 32) - u64::from(BEFORE)));
            let distance = a.builder.i_mul(long, None, times, distance).unwrap();
            let distance = a.builder.s_negate(long, None, distance).unwrap();
            base = a.builder.in_bounds_ptr_access_chain(a.global, None, base, distance, []).unwrap();
            if index == Index::Beside {
                let own = a.builder.u_convert(long, None, first).unwrap();
                base = a.builder.in_bounds_ptr_access_chain(a.global, None, base, own, []).unwrap();
                first = a.builder.i_sub(a.u32, None, last, one).unwrap();
            }
        }
    }
    let after = reads.map(|reads| {
        let (then, end) = (a.builder.id(), a.builder.id());
        a.builder.branch_conditional(reads, then, end, []).unwrap();
        a.builder.begin_block(Some(then)).unwrap();
        end
    });
    let mut sum: Word = a.constant(0);
    for place in 0..neighbours {
        let constant = a.constant(place);
        let own = a.builder.i_add(a.u32, None, first, constant).unwrap();
        let own = match index {
            Index::Signed => a.builder.s_convert(long, None, own).unwrap(),
            _ => a.builder.u_convert(long, None, own).unwrap(),
        };
        let pointer = a.builder.in_bounds_ptr_access_chain(a.global, None, base, own, []).unwrap();
        let word = a.builder.load(a.u32, None, pointer, None, []).unwrap();
        let times = a.constant(place + 1);
        let product = a.builder.i_mul(a.u32, None, word, times).unwrap();
        sum = a.builder.i_add(a.u32, None, sum, product).unwrap();
    }
    a.store(1, 0, sum);
    if let Some(after) = after {
        a.builder.branch(after).unwrap();
        a.builder.begin_block(Some(after)).unwrap();
    }
    a.end()
}

/// Words of no pattern, the last of which is 1.
fn words() -> Vec<u32> {
    (0..WORDS as u32 - 1).map(|place| place.wrapping_mul(place) ^ 0x55).chain([1]).collect()
}

/// What runs in the child process.
#[test]
fn child() {
    let Ok(text) = std::env::var(CHILD) else { return };
    let (index, neighbours) = text.split_once(' ').unwrap();
    let index = INDICES.into_iter().find(|of| format!("{of:?}") == index).unwrap();
    let gpu = Gpu::new();
    let module = gpu.module(&sums(index, neighbours.parse().unwrap())).unwrap();
    let kernel = create_kernel(module, "k").unwrap();
    let (from, to) = (gpu.buffer(&words()), gpu.buffer(&[7_u32; ITEMS as usize]));
    prepare(kernel, from.pointer, to.pointer, ITEMS);
    match gpu.launch(kernel, [1, 1, 1]) {
        Ok(()) => eprintln!("result: {:?}", to.read()),
        Err(error) => eprintln!("result: {error:?} {}", gpu.last_error()),
    }
}

/// What a kernel leaves, or its fault, by an executor.
fn result(index: Index, neighbours: u32, executor: &str) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, format!("{index:?} {neighbours}"))
        .env("KERNEL_CPU_EXECUTOR", executor)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!text.contains("differ"), "{executor}: {text}");
    let result = text.lines().find_map(|line| line.strip_prefix("result: "));
    result.unwrap_or_else(|| panic!("{executor}: {text}")).to_owned()
}

/// Few of which each asks for itself where they fail together, and so many that the interpreter executes them.
const FEW_AND_MANY: [u32; 2] = [4, 12];

#[test]
fn neighbours_are_right_on_both_sides_of_where_indices_wrap() {
    let words = words();
    for neighbours in FEW_AND_MANY {
        let sum = |first: u32| -> u32 {
            let own = (0..neighbours).map(|place| words[(first + place) as usize].wrapping_mul(place + 1));
            own.fold(0, u32::wrapping_add)
        };
        let signed: Vec<u32> = (0..ITEMS).map(sum).collect();
        let guarded: Vec<u32> =
            (0..ITEMS).map(|item| if item < BEFORE { 7 } else { sum(item - BEFORE) }).collect();
        for executor in ["interpreter", "native", "both"] {
            for (index, expected) in [(Index::Signed, &signed), (Index::Guarded, &guarded)] {
                let own = result(index, neighbours, executor);
                assert_eq!(own, format!("{expected:?}"), "{index:?}, {neighbours}, {executor}");
            }
        }
    }
}

#[test]
fn a_neighbour_whose_index_wraps_is_a_fault_of_its_work_item() {
    for neighbours in FEW_AND_MANY {
        for index in [Index::Wrapping, Index::Beyond, Index::Beside] {
            // Processes have their memory at different addresses.
            let fault = |executor: &str| {
                let text = result(index, neighbours, executor);
                text.split(" at 0x").next().unwrap_or_default().to_owned()
            };
            let expected = fault("interpreter");
            assert!(expected.contains("DEVICE_LOST") && expected.contains("reads 4 bytes"), "{expected}");
            for executor in ["native", "both"] {
                assert_eq!(fault(executor), expected, "{index:?}, {neighbours}, {executor}");
            }
        }
    }
}
