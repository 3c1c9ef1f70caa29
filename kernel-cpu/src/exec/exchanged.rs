//! What the subgroups of a work-group combine by native code, against the interpreter.

use super::differential::is_same;
use super::executor::Executor;
use super::group::Worker;
use super::launch::{Arguments, Geometry, Kernel, Launch};
use super::random::Random;
use crate::memory::{Allocation, Table, Usage};
use crate::native::{Native, Switches, Target};
use crate::program::{
    Block, BlockId, BuiltIn, Combine, Edge, Extent, Inst, Kind, Parameter, Preset, Program, SUBGROUP_SIZES,
    Site, Space, Terminator, Value,
};
use std::sync::Arc;

const SIZES: [[u32; 3]; 4] = [[256, 1, 1], [16, 3, 2], [23, 1, 1], [400, 1, 1]];

const INTEGERS: [Combine; 9] = [
    Combine::Add,
    Combine::UMin,
    Combine::UMax,
    Combine::SMin,
    Combine::SMax,
    Combine::And,
    Combine::Or,
    Combine::Xor,
    Combine::Mul,
];
const FLOATS: [Combine; 4] = [Combine::FAdd, Combine::FMul, Combine::FMin, Combine::FMax];

/// Each work-item has a number, and stores what its group makes of them, twice.
fn program(combine: Combine, extent: Extent, kind: Kind, subgroup_size: u32) -> Program {
    let (mut kinds, mut presets) = (Vec::new(), Vec::new());
    let mut value = |kind| {
        kinds.push(kind);
        Value(kinds.len() as u32 - 1)
    };
    let [numbers, results, id, address, place] = [Kind::I64; 5].map(&mut value);
    let [number, all, first, second] = [kind; 4].map(&mut value);
    presets.push((numbers, Preset::Argument(0)));
    presets.push((results, Preset::Argument(8)));
    presets.push((id, Preset::BuiltIn(BuiltIn::LocalLinearId)));
    let scale = kind.size().into();
    let fold = |result, x| Inst::Fold { combine, extent: Extent::All, kind, result, x };
    let gather = |result| Inst::Gather { combine, extent, kind, result };
    let meet = |insts, block| Block {
        insts,
        terminator: Terminator::Barrier {
            site: Site(block),
            next: Edge { target: BlockId(block), moves: Vec::new() },
        },
    };
    let blocks = vec![
        meet(
            vec![
                Inst::Address { result: address, base: numbers, index: id, scale, offset: 0 },
                Inst::Load { kind, space: Space::Global, result: number, address, site: Site(9) },
                Inst::Converge(Site(10)),
                fold(all, number),
                Inst::Contribute(kind, all),
            ],
            1,
        ),
        // The first result is handed over at once, while other subgroups have not read it.
        meet(vec![gather(first), Inst::Contribute(kind, first)], 2),
        Block {
            insts: vec![
                gather(second),
                Inst::Address { result: place, base: results, index: id, scale, offset: 0 },
                Inst::Store { kind, space: Space::Global, value: second, address: place, site: Site(11) },
            ],
            terminator: Terminator::Return,
        },
    ];
    let pointer = |offset| Parameter::Bytes { size: 8, offset, is_pointer: true, align: 1 };
    Program {
        name: "exchanged".to_owned(),
        parameters: vec![pointer(0), pointer(8)],
        argument_bytes: 16,
        blocks,
        uniform: vec![false; kinds.len()],
        kinds,
        presets,
        private_bytes: 0,
        local_bytes: 0,
        group_size: None,
        subgroup_size,
        device_barriers: Vec::new(),
    }
}

/// Numbers of a kind: any bits, and of floats many zeros and some that are none.
fn numbers(kind: Kind, combine: Combine, count: usize, seed: u64) -> Vec<u8> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let float = |value: f64| match kind {
        Kind::F64 => value.to_bits(),
        _ => (value as f32).to_bits().into(),
    };
    let number = |_| match kind.is_float() && FLOATS.contains(&combine) {
        true => float(random.of(&[0.0, -0.0, 0.0, -0.0, 1.5, -0.75, f64::NAN, f64::INFINITY, 1e9])),
        false => random.of(&[0, 1, 3, 0x80, 0x7f, 0x8000, 0xffff_ffff, u64::MAX, 0x1234_5678_9abc_def0]),
    };
    let bytes =
        (0..count).map(number).flat_map(|bits| bits.to_le_bytes().into_iter().take(kind.size() as usize));
    bytes.collect()
}

fn run(kernel: &Arc<Kernel>, executor: &Executor, group_size: [u32; 3], given: &[u8]) -> Vec<u8> {
    let table = Table::default();
    let [numbers, results] =
        [(); 2].map(|()| Arc::new(Allocation::new(given.len(), 64, Usage::Shared).unwrap()));
    // SAFETY: the allocations have so many bytes.
    unsafe {
        numbers.start().copy_from_nonoverlapping(given.as_ptr(), given.len());
        results.start().write_bytes(0x5a, given.len());
    }
    table.insert(Arc::clone(&numbers));
    table.insert(Arc::clone(&results));
    let addresses = [numbers.start() as u64, results.start() as u64];
    let bytes = addresses.iter().flat_map(|address| address.to_le_bytes()).collect();
    let arguments = Arguments { bytes, local_sizes: vec![0; 2], ..Arguments::default() };
    let subgroup_size = kernel.program.subgroup_size;
    let geometry = Geometry { groups: [1; 3], group_size, offset: [0; 3], subgroup_size };
    let mut launch = Launch::default();
    launch.fill(kernel, geometry, &arguments, table.snapshot(), 1);
    let mut worker = Worker::default();
    executor.prepare(&mut worker, kernel, &launch.work);
    assert!(executor.run(&mut worker, kernel, &launch.work, 0..1).is_ok());
    // SAFETY: the allocation has so many bytes, and nobody writes to them any more.
    unsafe { std::slice::from_raw_parts(results.start(), given.len()).to_vec() }
}

/// The bits of each number of a kind.
fn numbers_of(kind: Kind, bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(kind.size() as usize).map(|bytes| {
        let mut number = [0; 8];
        number[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(number)
    })
}

#[test]
fn groups_combine_alike() {
    let targets: Vec<Target> =
        [Target::Avx512, Target::Avx2].into_iter().filter(|target| target.is_available()).collect();
    let integers = [Kind::I8, Kind::I16, Kind::I32, Kind::I64];
    let integers = integers.into_iter().flat_map(|kind| INTEGERS.map(|combine| (kind, combine)));
    let floats = [Kind::F32, Kind::F64].into_iter();
    let floats = floats.flat_map(|kind| FLOATS.into_iter().chain([Combine::Or]).map(move |how| (kind, how)));
    for (number, (kind, combine)) in integers.chain(floats).enumerate() {
        for extent in [Extent::All, Extent::Before] {
            let subgroup_size = SUBGROUP_SIZES[number % SUBGROUP_SIZES.len()];
            let group_size = SIZES[(number / 3 + extent as usize) % SIZES.len()];
            let kernel = Arc::new(Kernel::new(program(combine, extent, kind, subgroup_size), None).unwrap());
            let given =
                numbers(kind, combine, group_size.iter().product::<u32>() as usize, number as u64 + 1);
            let expected = run(&kernel, &Executor::Interpreter, group_size, &given);
            for &target in &targets {
                let native = Native::new(&kernel.program, group_size, target, Switches::default()).unwrap();
                let what = format!(
                    "{combine:?} of {kind:?}, {extent:?}, {group_size:?} of {subgroup_size}, {target:?}"
                );
                // AVX2 has no products of 64 bits.
                if (target, combine, kind) != (Target::Avx2, Combine::Mul, Kind::I64) {
                    assert!(native.interpreted().is_empty(), "{what}: {:?}", native.interpreted());
                }
                let own = run(&kernel, &Executor::Native(Arc::new(native)), group_size, &given);
                // Which NaN comes of two is left to the compiler that builds the interpreter.
                let mut both = numbers_of(kind, &own).zip(numbers_of(kind, &expected));
                let is_like = both.all(|(own, expected)| is_same(kind, own, expected));
                assert!(is_like, "{what}: {own:?} by native code, {expected:?} by the interpreter");
            }
        }
    }
}
