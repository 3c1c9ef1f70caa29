//! Two subgroups that go through the code together: what they leave, and whose fault comes first.

use super::executor::Executor;
use super::group::Worker;
use super::launch::{Arguments, Geometry, Kernel, Launch};
use crate::fault::{Fault, FaultKind};
use crate::memory::{Allocation, Table, Usage};
use crate::native::{Native, Switches, Target};
use crate::program::{
    Block, BlockId, BuiltIn, CompareOp, Edge, Inst, IntOp, Kind, Move, Parameter, Preset, Program, Site,
    Space, Terminator, Value,
};
use std::sync::Arc;

/// The work-items of the only group.
const ITEMS: u32 = 64;
/// How many numbers each of them adds.
const PASSES: u64 = 3;

/// The values of the kernel, by their numbers.
mod value {
    use crate::program::Value;

    pub(super) const ID: Value = Value(0);
    pub(super) const STARTS: Value = Value(1);
    pub(super) const X: Value = Value(2);
    pub(super) const Y: Value = Value(3);
    pub(super) const ZERO: Value = Value(4);
    pub(super) const NOTHING: Value = Value(5);
    pub(super) const ONE: Value = Value(6);
    pub(super) const LIMIT: Value = Value(7);
    pub(super) const START_PLACE: Value = Value(8);
    pub(super) const START: Value = Value(9);
    pub(super) const K: Value = Value(10);
    pub(super) const SUM: Value = Value(11);
    pub(super) const INDEX: Value = Value(12);
    pub(super) const PLACE: Value = Value(13);
    pub(super) const NUMBER: Value = Value(14);
    pub(super) const NEXT_SUM: Value = Value(15);
    pub(super) const NEXT_K: Value = Value(16);
    pub(super) const MORE: Value = Value(17);
    pub(super) const TO: Value = Value(18);
    pub(super) const COUNT: usize = 19;
}

/// `y[i] = x[starts[i]] + x[starts[i] + 1] + …`, without checks.
fn program() -> Program {
    use value::*;
    let mut kinds = vec![Kind::I64; COUNT];
    for value in [NOTHING, SUM, NUMBER, NEXT_SUM] {
        kinds[value.0 as usize] = Kind::I32;
    }
    kinds[MORE.0 as usize] = Kind::Bool;
    let presets = vec![
        (ID, Preset::BuiltIn(BuiltIn::GlobalId(0))),
        (STARTS, Preset::Argument(0)),
        (X, Preset::Argument(8)),
        (Y, Preset::Argument(16)),
        (ZERO, Preset::Constant(0)),
        (NOTHING, Preset::Constant(0)),
        (ONE, Preset::Constant(1)),
        (LIMIT, Preset::Constant(PASSES)),
    ];
    let address = |result, base, index, scale| Inst::Address { result, base, index, scale, offset: 0 };
    let space = Space::Global;
    let load = |kind, result, address, site| Inst::Load { kind, space, result, address, site: Site(site) };
    let edge = |block, moves: &[(Value, Value)]| Edge {
        target: BlockId(block),
        moves: moves.iter().map(|&(to, from)| Move { to, from }).collect(),
    };
    let blocks = vec![
        Block {
            insts: vec![address(START_PLACE, STARTS, ID, 8), load(Kind::I64, START, START_PLACE, 1)],
            terminator: Terminator::Jump(edge(1, &[(K, ZERO), (SUM, NOTHING)])),
        },
        Block {
            insts: vec![
                Inst::Int(IntOp::Add, Kind::I64, INDEX, [START, K]),
                address(PLACE, X, INDEX, 4),
                load(Kind::I32, NUMBER, PLACE, 2),
                Inst::Int(IntOp::Add, Kind::I32, NEXT_SUM, [SUM, NUMBER]),
                Inst::Int(IntOp::Add, Kind::I64, NEXT_K, [K, ONE]),
                Inst::Compare(CompareOp::ULt, Kind::I64, MORE, [NEXT_K, LIMIT]),
            ],
            terminator: Terminator::Branch {
                condition: MORE,
                then: edge(1, &[(K, NEXT_K), (SUM, NEXT_SUM)]),
                otherwise: edge(2, &[]),
            },
        },
        Block {
            insts: vec![
                address(TO, Y, ID, 4),
                Inst::Store { kind: Kind::I32, space, value: NEXT_SUM, address: TO, site: Site(3) },
            ],
            terminator: Terminator::Return,
        },
    ];
    let parameter = |place: u32| Parameter::Bytes { size: 8, offset: 8 * place, is_pointer: true, align: 1 };
    Program {
        name: "sums".to_owned(),
        parameters: (0..3).map(parameter).collect(),
        argument_bytes: 24,
        blocks,
        uniform: vec![false; COUNT],
        kinds,
        presets,
        private_bytes: 0,
        local_bytes: 0,
        group_size: None,
        subgroup_size: 16,
    }
}

/// What the kernel leaves in `y`, or its fault and the work-item.
fn run(kernel: &Arc<Kernel>, executor: &Executor, starts: &[u64]) -> Result<Vec<u32>, (Fault, usize)> {
    let x: Vec<u8> = (0..ITEMS + PASSES as u32).flat_map(|k| (k * k).to_le_bytes()).collect();
    let starts: Vec<u8> = starts.iter().flat_map(|start| start.to_le_bytes()).collect();
    let (table, mut arguments) = (Table::default(), Arguments::default());
    let mut buffers = Vec::new();
    for bytes in [starts, x, vec![0; 4 * ITEMS as usize]] {
        let buffer = Arc::new(Allocation::new(bytes.len(), 64, Usage::Shared).unwrap());
        // SAFETY: the allocation is as large as what is copied.
        unsafe { buffer.start().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        arguments.bytes.extend((buffer.start() as u64).to_le_bytes());
        arguments.local_sizes.push(0);
        table.insert(Arc::clone(&buffer));
        buffers.push(buffer);
    }
    let geometry = Geometry { groups: [1; 3], group_size: [ITEMS, 1, 1], ..Geometry::default() };
    let mut launch = Launch::default();
    launch.fill(kernel, geometry, &arguments, table.snapshot(), 1);
    let mut worker = Worker::default();
    executor.prepare(&mut worker, kernel, &launch.work);
    executor.run(&mut worker, kernel, &launch.work, [0; 3])?;
    // SAFETY: the allocation has so many bytes, and nobody writes to them any more.
    let bytes = unsafe { std::slice::from_raw_parts(buffers[2].start(), 4 * ITEMS as usize) };
    Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect())
}

/// Runs the kernel where some work-items read what they may not; both executors must say the same.
fn check(faulty: &[usize]) -> Result<Vec<u32>, usize> {
    let kernel = Arc::new(Kernel::new(program(), None).unwrap());
    let starts: Vec<u64> =
        (0..ITEMS as usize).map(|item| if faulty.contains(&item) { 1 << 30 } else { item as u64 }).collect();
    let expected = run(&kernel, &Executor::Interpreter, &starts);
    for target in [Target::Avx512, Target::Avx2].into_iter().filter(|target| target.is_available()) {
        for off in ["", "jam", "unroll", "unroll,memory"] {
            let switches = Switches::without(off).unwrap();
            let native = Native::new(&kernel.program, [ITEMS, 1, 1], target, switches).unwrap();
            // Without its loop a kernel is not worth it.
            assert_eq!(native.is_jammed, target == Target::Avx512 && off.starts_with("unroll"), "{off}");
            let own = run(&kernel, &Executor::Native(Arc::new(native)), &starts);
            match (&own, &expected) {
                (Ok(own), Ok(expected)) => assert_eq!(own, expected, "{target:?} without {off:?}"),
                (Err((own, item)), Err((fault, expected))) => {
                    let number =
                        |fault: &Fault| (std::mem::discriminant(&fault.kind), fault.site, fault.lane);
                    assert_eq!((number(own), item), (number(fault), expected), "{target:?} without {off:?}");
                }
                _ => panic!("{target:?} without {off:?}: {own:?} instead of {expected:?}"),
            }
        }
    }
    expected.map_err(|(fault, item)| {
        assert!(matches!(fault.kind, FaultKind::BadAddress { .. }));
        item
    })
}

#[test]
fn subgroups_that_go_together_leave_the_same() {
    let sum = |i: u32| (i..i + PASSES as u32).map(|k| k * k).sum::<u32>();
    assert_eq!(check(&[]), Ok((0..ITEMS).map(sum).collect()));
}

#[test]
fn the_fault_of_the_first_subgroup_comes_first() {
    for faulty in [&[5][..], &[20], &[20, 5], &[31, 16], &[40, 20], &[33, 63], &[63], &[50, 40, 17]] {
        assert_eq!(check(faulty), Err(*faulty.iter().min().unwrap()), "{faulty:?}");
    }
}
