//! Native code goes through groups and subgroups as the interpreter does, whatever there are.

use super::executor::{Executor, TARGET};
use super::group::Worker;
use super::halt::Reason;
use super::launch::{Arguments, Geometry, Kernel, Launch, Work};
use super::sizes::Size;
use crate::fault::FaultKind;
use crate::memory::{Allocation, Table, Usage};
use crate::native::{Native, Switches, Target};
use crate::program::{
    Block, BlockId, BuiltIn, CompareOp, Edge, Inst, IntOp, Kind, Parameter, Preset, Program, Site, Space,
    Terminator, Value,
};
use std::ops::Range;
use std::sync::Arc;

/// A kernel in the making.
#[derive(Default)]
struct Maker {
    subgroup_size: u32,
    kinds: Vec<Kind>,
    presets: Vec<(Value, Preset)>,
    insts: Vec<Inst>,
}

impl Maker {
    fn value(&mut self) -> Value {
        self.kinds.push(Kind::I64);
        Value(self.kinds.len() as u32 - 1)
    }

    fn preset(&mut self, preset: Preset) -> Value {
        let value = self.value();
        self.presets.push((value, preset));
        value
    }

    fn int(&mut self, op: IntOp, a: Value, b: Value) -> Value {
        let result = self.value();
        self.insts.push(Inst::Int(op, Kind::I64, result, [a, b]));
        result
    }

    /// A number whose digits are values, by the base.
    fn digits(&mut self, base: u64, values: &[Value]) -> Value {
        let base = self.preset(Preset::Constant(base));
        let mut sum = values[0];
        for &value in &values[1..] {
            let scaled = self.int(IntOp::Mul, sum, base);
            sum = self.int(IntOp::Add, scaled, value);
        }
        sum
    }

    fn address(&mut self, base: Value, index: Value) -> Value {
        let result = self.value();
        self.insts.push(Inst::Address { result, base, index, scale: 8, offset: 0 });
        result
    }

    fn store(&mut self, space: Space, address: Value, value: Value) {
        self.insts.push(Inst::Store { kind: Kind::I64, space, value, address, site: Site(1) });
    }

    fn program(self, blocks: Vec<Block>, local_bytes: u32) -> Program {
        Program {
            name: "walk".to_owned(),
            parameters: vec![Parameter::Bytes { size: 8, offset: 0, is_pointer: true, align: 1 }],
            argument_bytes: 8,
            blocks,
            uniform: vec![false; self.kinds.len()],
            kinds: self.kinds,
            presets: self.presets,
            private_bytes: 0,
            device_barriers: Vec::new(),
            local_bytes,
            group_size: None,
            subgroup_size: self.subgroup_size,
        }
    }

    fn end_block(&mut self, terminator: Terminator) -> Block {
        Block { insts: std::mem::take(&mut self.insts), terminator }
    }
}

/// Each work-item leaves its ids in local memory for that on the other side of the group, which writes them and its own group's ids to its place in the buffer.
fn program(items: u32, subgroup_size: u32) -> Program {
    let mut maker = Maker { subgroup_size, ..Maker::default() };
    let ids = [2, 1, 0].map(|d| maker.preset(Preset::BuiltIn(BuiltIn::GlobalId(d))));
    let groups = [2, 1, 0].map(|d| maker.preset(Preset::BuiltIn(BuiltIn::GroupId(d))));
    let own = maker.preset(Preset::BuiltIn(BuiltIn::LocalLinearId));
    let (local, buffer) = (maker.preset(Preset::Local(0)), maker.preset(Preset::Argument(0)));
    let (last, count) =
        (maker.preset(Preset::Constant(u64::from(items) - 1)), maker.preset(Preset::Constant(items.into())));
    let sum = maker.digits(1000, &ids);
    let address = maker.address(local, own);
    maker.store(Space::Local, address, sum);
    let next = Edge { target: BlockId(1), moves: Vec::new() };
    let first = maker.end_block(Terminator::Barrier { site: Site(2), next });
    let other = maker.int(IntOp::Sub, last, own);
    let (address, found) = (maker.address(local, other), maker.value());
    let site = Site(3);
    maker.insts.push(Inst::Load { kind: Kind::I64, space: Space::Local, result: found, address, site });
    let group = maker.digits(10, &groups);
    let value = maker.digits(1 << 32, &[group, found]);
    let row = maker.digits(4, &groups);
    let start = maker.int(IntOp::Mul, row, count);
    let place = maker.int(IntOp::Add, start, own);
    let address = maker.address(buffer, place);
    maker.store(Space::Global, address, value);
    let second = maker.end_block(Terminator::Return);
    maker.program(vec![first, second], 8 * items)
}

/// Each work-item doubles its id and adds one, again and again, with a barrier after each time.
fn program_of_barriers(barriers: u32, subgroup_size: u32) -> Program {
    let mut maker = Maker { subgroup_size, ..Maker::default() };
    let own = maker.preset(Preset::BuiltIn(BuiltIn::LocalLinearId));
    let (buffer, one) = (maker.preset(Preset::Argument(0)), maker.preset(Preset::Constant(1)));
    let (mut value, mut blocks) = (own, Vec::new());
    for block in 1..=barriers {
        let double = maker.int(IntOp::Add, value, value);
        value = maker.int(IntOp::Add, double, one);
        let next = Edge { target: BlockId(block), moves: Vec::new() };
        blocks.push(maker.end_block(Terminator::Barrier { site: Site(block), next }));
    }
    let address = maker.address(buffer, own);
    maker.store(Space::Global, address, value);
    blocks.push(maker.end_block(Terminator::Return));
    maker.program(blocks, 0)
}

/// A loop that ends if the argument is 0, with a barrier in each pass.
fn program_of_passes(subgroup_size: u32) -> Program {
    let mut maker = Maker { subgroup_size, ..Maker::default() };
    let (argument, zero) = (maker.preset(Preset::Argument(0)), maker.preset(Preset::Constant(0)));
    let edge = |target| Edge { target: BlockId(target), moves: Vec::new() };
    let before = maker.end_block(Terminator::Jump(edge(1)));
    let condition = maker.value();
    maker.kinds[condition.0 as usize] = Kind::Bool;
    maker.insts.push(Inst::Compare(CompareOp::Eq, Kind::I64, condition, [argument, zero]));
    let head = maker.end_block(Terminator::Branch { condition, then: edge(4), otherwise: edge(2) });
    let body = maker.end_block(Terminator::Barrier { site: Site(1), next: edge(3) });
    let latch = maker.end_block(Terminator::Jump(edge(1)));
    let last = maker.end_block(Terminator::Return);
    maker.program(vec![before, head, body, latch, last], 0)
}

/// What some of the groups leave in memory.
fn run(kernel: &Arc<Kernel>, executor: &Executor, geometry: Geometry, groups: Range<u64>) -> Vec<u8> {
    run_by(kernel, geometry, |worker, work| {
        executor.prepare(worker, kernel, work);
        executor.run(worker, kernel, work, groups).unwrap();
    })
}

/// What is left in memory by whatever executes groups.
fn run_by(kernel: &Arc<Kernel>, geometry: Geometry, execute: impl FnOnce(&mut Worker, &Work)) -> Vec<u8> {
    let (table, bytes) = (Table::default(), 8 * 64 * geometry.items_per_group());
    let buffer = Arc::new(Allocation::new(bytes, 64, Usage::Shared).unwrap());
    // SAFETY: the allocation has so many bytes.
    unsafe { buffer.start().write_bytes(0xa5, bytes) };
    table.insert(Arc::clone(&buffer));
    let arguments = Arguments {
        bytes: (buffer.start() as u64).to_le_bytes().to_vec(),
        local_sizes: vec![0],
        ..Arguments::default()
    };
    let mut launch = Launch::default();
    launch.fill(kernel, geometry, &arguments, table.snapshot(), 1);
    execute(&mut Worker::default(), &launch.work);
    // SAFETY: the allocation has so many bytes, and nobody writes to them any more.
    unsafe { std::slice::from_raw_parts(buffer.start(), bytes).to_vec() }
}

#[test]
fn groups_and_subgroups_follow_each_other_in_all_dimensions() {
    let targets = [Target::Avx512, Target::Avx2].into_iter().filter(|target| target.is_available());
    for (target, off) in
        targets.flat_map(|target| ["", "groups", "regions", "agreed"].map(|off| (target, off)))
    {
        let sizes = [[16, 1, 1], [5, 3, 2], [40, 1, 1], [4, 8, 2]];
        for (group_size, subgroup_size) in
            sizes.into_iter().flat_map(|size| [8, 16, 32].map(|own| (size, own)))
        {
            let items = group_size.iter().product();
            let kernel = Arc::new(Kernel::new(program(items, subgroup_size), None).unwrap());
            let geometry = Geometry { groups: [4, 3, 2], group_size, offset: [5, 7, 9], subgroup_size };
            let switches = Switches::without(off).unwrap();
            let native = Arc::new(Native::new(&kernel.program, group_size, target, switches).unwrap());
            for groups in [0..24, 0..1, 3..23, 11..13] {
                let expected = run(&kernel, &Executor::Interpreter, geometry, groups.clone());
                let own = run(&kernel, &Executor::Native(Arc::clone(&native)), geometry, groups.clone());
                let first = own.iter().zip(&expected).position(|(own, expected)| own != expected);
                assert_eq!(
                    first, None,
                    "{group_size:?} of {subgroup_size}, {groups:?}, {target:?} without {off:?}"
                );
            }
        }
    }
}

#[test]
fn many_barriers_are_as_good_as_few() {
    let targets = [Target::Avx512, Target::Avx2].into_iter().filter(|target| target.is_available());
    for (target, group_size, subgroup_size) in targets.flat_map(|target| {
        [([40, 1, 1], 16), ([16, 1, 1], 16), ([40, 1, 1], 32), ([32, 1, 1], 32)]
            .map(|(size, own)| (target, size, own))
    }) {
        let kernel = Arc::new(Kernel::new(program_of_barriers(300, subgroup_size), None).unwrap());
        let geometry = Geometry { groups: [1; 3], group_size, subgroup_size, ..Geometry::default() };
        let native = Native::new(&kernel.program, group_size, target, Switches::default()).unwrap();
        assert!(native.runs_groups);
        let expected = run(&kernel, &Executor::Interpreter, geometry, 0..1);
        let own = run(&kernel, &Executor::Native(Arc::new(native)), geometry, 0..1);
        assert!(own == expected, "{group_size:?} of {subgroup_size}, {target:?}");
    }
}

#[test]
fn the_interpreter_hands_over_to_native_code_between_groups() {
    let (group_size, subgroup_size) = ([40, 1, 1], 16);
    let kernel = Arc::new(Kernel::new(program(40, subgroup_size), None).unwrap());
    let geometry = Geometry { groups: [4, 3, 2], group_size, offset: [5, 7, 9], subgroup_size };
    let expected = run(&kernel, &Executor::Interpreter, geometry, 0..24);
    let size = Arc::new(Size::new(&kernel.program, group_size));
    let own = run_by(&kernel, geometry, |worker, work| {
        let mut executor = Executor::Trial(Arc::clone(&size));
        executor.prepare(worker, &kernel, work);
        executor.run_on_trial(worker, &kernel, work, 0..9).unwrap();
        size.trial.end();
        executor.run_on_trial(worker, &kernel, work, 9..24).unwrap();
        assert_eq!(matches!(executor, Executor::Native(_)), TARGET.is_some());
    });
    assert!(own == expected);
}

#[test]
fn a_loop_over_barriers_ends_when_the_launch_has_to() {
    let targets = [Target::Avx512, Target::Avx2].into_iter().filter(|target| target.is_available());
    for (target, off) in targets.flat_map(|target| ["", "polls", "regions"].map(|off| (target, off))) {
        for (group_size, subgroup_size) in [([16, 1, 1], 16), ([40, 1, 1], 16), ([64, 1, 1], 32)] {
            let kernel = Arc::new(Kernel::new(program_of_passes(subgroup_size), None).unwrap());
            let geometry = Geometry { groups: [1; 3], group_size, subgroup_size, ..Geometry::default() };
            let switches = Switches::without(off).unwrap();
            let native = Arc::new(Native::new(&kernel.program, group_size, target, switches).unwrap());
            for executor in [Executor::Interpreter, Executor::Native(native)] {
                let arguments = Arguments { bytes: vec![1; 8], local_sizes: vec![0], ..Arguments::default() };
                let mut launch = Launch::default();
                launch.fill(&kernel, geometry, &arguments, Table::default().snapshot(), 1);
                launch.halt(Reason::Destroyed);
                let mut worker = Worker::default();
                executor.prepare(&mut worker, &kernel, &launch.work);
                let failure = executor.run(&mut worker, &kernel, &launch.work, 0..1).unwrap_err();
                assert_eq!(
                    failure.fault.kind,
                    FaultKind::Destroyed,
                    "{group_size:?}, {target:?} without {off:?}"
                );
            }
        }
    }
}
