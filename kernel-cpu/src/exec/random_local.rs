//! Random accesses of local and private memory by native code, against the interpreter.
//!
//! Work-items compute indices by any operations on ids, constants and the counters of a loop, under conditions on them, and access such memory there. Some
//! places are within it for sure, some only for those that the condition lets come, some are not. What the two leave in memory, and the fault if there is one, must be the same.

use super::executor::Executor;
use super::group::Worker;
use super::launch::{Arguments, Failure, Geometry, Kernel, Launch};
use super::random::Random;
use crate::fault::FaultKind;
use crate::memory::{Allocation, Table, Usage};
use crate::native::{Native, Switches, Target};
use crate::program::{
    Block, BlockId, BuiltIn, CompareOp, ConvertOp, Edge, Inst, IntOp, Kind, Move, Parameter, Preset, Program,
    SUBGROUP_SIZES, Site, Space, Terminator, Value,
};
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

/// The bytes of the memory.
const BYTES: u32 = 1024;
/// The passes of the loop at most.
const PASSES: u64 = 5;
const SIZES: [[u32; 3]; 3] = [[64, 1, 1], [16, 4, 1], [20, 1, 1]];
/// Sizes of groups of one subgroup, since the next one would find in its private memory what that has left.
const SINGLE: [[u32; 3]; 3] = [[8, 1, 1], [4, 2, 1], [5, 1, 1]];

/// A kernel in the making.
struct Maker {
    random: Random,
    kinds: Vec<Kind>,
    presets: Vec<(Value, Preset)>,
    insts: Vec<Inst>,
    /// The integers that there are already.
    pool: Vec<Value>,
    /// The memory that is accessed.
    space: Space,
}

impl Maker {
    fn value(&mut self, kind: Kind) -> Value {
        self.kinds.push(kind);
        Value(self.kinds.len() as u32 - 1)
    }

    fn preset(&mut self, kind: Kind, preset: Preset) -> Value {
        let value = self.value(kind);
        self.presets.push((value, preset));
        value
    }

    fn constant(&mut self, kind: Kind) -> Value {
        let bits = self.random.of(&[0, 1, 2, 3, 7, 15, 16, 31, 63, 64, 255, 256, 0xffff_fffe, u64::MAX]);
        self.preset(kind, Preset::Constant(bits))
    }

    /// An integer of a kind.
    fn any(&mut self, kind: Kind) -> Value {
        let own: Vec<Value> =
            self.pool.iter().copied().filter(|value| self.kinds[value.0 as usize] == kind).collect();
        if own.is_empty() || self.random.below(3) == 0 { self.constant(kind) } else { self.random.of(&own) }
    }

    fn int(&mut self, op: IntOp, kind: Kind, a: Value, b: Value) -> Value {
        let result = self.value(kind);
        self.insts.push(Inst::Int(op, kind, result, [a, b]));
        result
    }

    fn compare(&mut self, op: CompareOp, kind: Kind, a: Value, b: Value) -> Value {
        let result = self.value(Kind::Bool);
        self.insts.push(Inst::Compare(op, kind, result, [a, b]));
        result
    }

    /// A condition on integers: one comparison, or two.
    fn condition(&mut self) -> Value {
        const ORDERS: [CompareOp; 6] =
            [CompareOp::ULt, CompareOp::ULe, CompareOp::ULt, CompareOp::Eq, CompareOp::Ne, CompareOp::SLt];
        let parts = [0, 1].map(|_| {
            let (op, kind) = (self.random.of(&ORDERS), self.kind());
            let (a, b) = (self.any(kind), self.any(kind));
            self.compare(op, kind, a, b)
        });
        match self.random.below(4) {
            0 => self.int(IntOp::And, Kind::Bool, parts[0], parts[1]),
            1 => self.int(IntOp::Or, Kind::Bool, parts[0], parts[1]),
            _ => parts[0],
        }
    }

    fn kind(&mut self) -> Kind {
        self.random.of(&[Kind::I32, Kind::I64])
    }

    /// Computes a few integers.
    fn compute(&mut self) {
        const OPS: [IntOp; 16] = [
            IntOp::Add,
            IntOp::Add,
            IntOp::Sub,
            IntOp::Sub,
            IntOp::Mul,
            IntOp::And,
            IntOp::And,
            IntOp::Or,
            IntOp::Xor,
            IntOp::Shl,
            IntOp::LShr,
            IntOp::UDiv,
            IntOp::URem,
            IntOp::UMin,
            IntOp::UMax,
            IntOp::AShr,
        ];
        for _ in 0..self.random.below(4) {
            let kind = self.kind();
            let (a, b) = (self.any(kind), self.any(kind));
            let value = match self.random.below(5) {
                0 => {
                    let (to, result) = (if kind == Kind::I32 { Kind::I64 } else { Kind::I32 }, a);
                    let op = self.random.of(&[ConvertOp::Zext, ConvertOp::Zext, ConvertOp::Sext]);
                    let value = self.value(to);
                    self.insts.push(Inst::Convert(op, kind, to, value, result));
                    value
                }
                1 => {
                    let (condition, value) = (self.condition(), self.value(kind));
                    self.insts.push(Inst::Select(kind, value, condition, [a, b]));
                    value
                }
                _ => {
                    let op = self.random.of(&OPS);
                    self.int(op, kind, a, b)
                }
            };
            self.pool.push(value);
        }
    }

    /// Adds a number to what is in memory at some index; the result is what was there.
    fn access(&mut self, start: Value, site: u32) -> Value {
        let mut index = match self.kind() {
            Kind::I32 => {
                let (x, index) = (self.any(Kind::I32), self.value(Kind::I64));
                self.insts.push(Inst::Convert(ConvertOp::Zext, Kind::I32, Kind::I64, index, x));
                index
            }
            kind => self.any(kind),
        };
        if self.random.below(4) == 0 {
            // One of the ids, which are the first.
            let id = self.random.below(4);
            index = self.int(IntOp::Add, Kind::I64, index, self.pool[id]);
        }
        if self.random.below(3) > 0 {
            let bits = self.random.of(&[15, 63, 127, 254, 255, 256]);
            let mask = self.preset(Kind::I64, Preset::Constant(bits));
            let op = self.random.of(&[IntOp::And, IntOp::UMin, IntOp::URem]);
            index = self.int(op, Kind::I64, index, mask);
        }
        let (address, old) = (self.value(Kind::I64), self.value(Kind::I32));
        let offset = self.random.of(&[0, 0, 0, 4, -4, 64]);
        let scale = self.random.of(&[4, 4, 4, 8, -4, 1]);
        self.insts.push(Inst::Address { result: address, base: start, index, scale, offset });
        let site = Site(site);
        let space = self.space;
        self.insts.push(Inst::Load { kind: Kind::I32, space, result: old, address, site });
        if self.random.below(2) == 0 {
            let sum = self.any(Kind::I32);
            let sum = self.int(IntOp::Add, Kind::I32, old, sum);
            let site = Site(site.0 + 1);
            self.insts.push(Inst::Store { kind: Kind::I32, space, value: sum, address, site });
        }
        old
    }

    fn end_block(&mut self, terminator: Terminator) -> Block {
        Block { insts: std::mem::take(&mut self.insts), terminator }
    }

    /// A counter of the loop, and what it starts with.
    fn counter(&mut self) -> (Value, Value) {
        let start = self.random.of(&[0, 1, 3, 128, 255]);
        let start = self.preset(Kind::I32, Preset::Constant(start));
        (self.value(Kind::I32), start)
    }
}

fn edge(target: u32, moves: &[(Value, Value)]) -> Edge {
    Edge { target: BlockId(target), moves: moves.iter().map(|&(to, from)| Move { to, from }).collect() }
}

fn program(seed: u64, subgroup_size: u32, space: Space) -> Program {
    let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut maker = Maker { random, kinds: vec![], presets: vec![], insts: vec![], pool: vec![], space };
    let ids = [BuiltIn::LocalId(0), BuiltIn::LocalId(1), BuiltIn::LocalLinearId, BuiltIn::SubgroupLane];
    let ids = ids.map(|id| maker.preset(Kind::I64, Preset::BuiltIn(id)));
    maker.pool.extend(ids);
    let memory = match space {
        Space::Local => Preset::Local(maker.random.of(&[0, 0, 64])),
        _ => Preset::Private { start: 0, size: BYTES },
    };
    let (memory, buffer) = (maker.preset(Kind::I64, memory), maker.preset(Kind::I64, Preset::Argument(0)));
    let (passes, passes_start) = (maker.value(Kind::I64), maker.preset(Kind::I64, Preset::Constant(0)));
    let (counter, counter_start) = maker.counter();
    let (sum, sum_start) = (maker.value(Kind::I32), maker.preset(Kind::I32, Preset::Constant(7)));
    let narrow = maker.value(Kind::I32);
    maker.insts.push(Inst::Convert(ConvertOp::Zext, Kind::I64, Kind::I32, narrow, ids[0]));
    maker.pool.push(narrow);
    maker.compute();
    let first = maker.end_block(Terminator::Jump(edge(
        1,
        &[(passes, passes_start), (counter, counter_start), (sum, sum_start)],
    )));
    // The head of the loop.
    maker.pool.extend([counter, passes]);
    let limit = maker.preset(Kind::I64, Preset::Constant(PASSES));
    let few = maker.compare(CompareOp::ULt, Kind::I64, passes, limit);
    let own = maker.constant(Kind::I32);
    let below = maker.compare(CompareOp::ULt, Kind::I32, counter, own);
    let goes_on = maker.int(IntOp::And, Kind::Bool, few, below);
    let head = maker.end_block(Terminator::Branch {
        condition: goes_on,
        then: edge(2, &[]),
        otherwise: edge(5, &[]),
    });
    // The loop; what is computed under its condition is not known behind that.
    maker.compute();
    let (condition, merged) = (maker.condition(), maker.value(Kind::I32));
    let otherwise = edge(4, &[(merged, sum)]);
    let body = maker.end_block(Terminator::Branch { condition, then: edge(3, &[]), otherwise });
    let known = maker.pool.len();
    maker.compute();
    let mut own = sum;
    for site in 0..1 + maker.random.below(3) as u32 {
        let old = maker.access(memory, 10 * (site + 1));
        own = maker.int(IntOp::Xor, Kind::I32, own, old);
    }
    let access = maker.end_block(Terminator::Jump(edge(4, &[(merged, own)])));
    maker.pool.truncate(known);
    let step = maker.constant(Kind::I32);
    let op = maker.random.of(&[IntOp::Add, IntOp::Add, IntOp::Shl, IntOp::LShr, IntOp::UDiv, IntOp::Xor]);
    let next = maker.int(op, Kind::I32, counter, step);
    let one = maker.preset(Kind::I64, Preset::Constant(1));
    let passed = maker.int(IntOp::Add, Kind::I64, passes, one);
    let latch =
        maker.end_block(Terminator::Jump(edge(1, &[(passes, passed), (counter, next), (sum, merged)])));
    // What all have found.
    let place = maker.value(Kind::I64);
    maker.insts.push(Inst::Address { result: place, base: buffer, index: ids[2], scale: 4, offset: 0 });
    let (kind, site) = (Kind::I32, Site(99));
    maker.insts.push(Inst::Store { kind, space: Space::Global, value: sum, address: place, site });
    let last = maker.end_block(Terminator::Return);
    Program {
        name: "local".to_owned(),
        parameters: vec![Parameter::Bytes { size: 8, offset: 0, is_pointer: true, align: 1 }],
        argument_bytes: 8,
        blocks: vec![first, head, body, access, latch, last],
        uniform: vec![false; maker.kinds.len()],
        kinds: maker.kinds,
        presets: maker.presets,
        private_bytes: if space == Space::Private { BYTES } else { 0 },
        local_bytes: if space == Space::Local { BYTES } else { 0 },
        group_size: None,
        subgroup_size,
        device_barriers: Vec::new(),
    }
}

/// A fault: of which kind, where, and of whom.
type Where = (Discriminant<FaultKind>, Site, u32, [u32; 3], usize);

/// What a group leaves in memory, or its fault.
fn run(kernel: &Arc<Kernel>, executor: &Executor, group_size: [u32; 3]) -> Result<Vec<u8>, Where> {
    let table = Table::default();
    let bytes = 4 * group_size.iter().product::<u32>() as usize;
    let buffer = Arc::new(Allocation::new(bytes, 64, Usage::Shared).unwrap());
    // SAFETY: the allocation has so many bytes.
    unsafe { buffer.start().write_bytes(0x5a, bytes) };
    table.insert(Arc::clone(&buffer));
    let arguments = Arguments {
        bytes: (buffer.start() as u64).to_le_bytes().to_vec(),
        local_sizes: vec![0],
        ..Arguments::default()
    };
    let subgroup_size = kernel.program.subgroup_size;
    let geometry = Geometry { groups: [1; 3], group_size, offset: [0; 3], subgroup_size };
    let mut launch = Launch::default();
    launch.fill(kernel, geometry, &arguments, table.snapshot(), 1);
    let mut worker = Worker::default();
    executor.prepare(&mut worker, kernel, &launch.work);
    let failure = |Failure { fault, group, item }: Failure| -> Where {
        (discriminant(&fault.kind), fault.site, fault.lane, group, item)
    };
    executor.run(&mut worker, kernel, &launch.work, 0..1).map_err(failure)?;
    // SAFETY: the allocation has so many bytes, and nobody writes to them any more.
    Ok(unsafe { std::slice::from_raw_parts(buffer.start(), bytes).to_vec() })
}

/// The seeds of so many kernels, or those that the environment variable `RANDOM_LOCAL` names as `FIRST..END`.
fn seeds(count: u64) -> std::ops::Range<u64> {
    let given = std::env::var("RANDOM_LOCAL").ok();
    let bounds = given.as_deref().and_then(|text| text.split_once(".."));
    match bounds.map(|(first, end)| (first.parse(), end.parse())) {
        Some((Ok(first), Ok(end))) => first..end,
        _ => 0..count,
    }
}

/// Compares what kernels do by native code, also without an optimisation, and by the interpreter; the result is how many fault, and how many need
/// fewer checks with it.
fn compare(space: Space, off: &str, sizes: &[[u32; 3]; 3]) -> (u32, u32) {
    let targets: Vec<Target> =
        [Target::Avx512, Target::Avx2].into_iter().filter(|target| target.is_available()).collect();
    let (mut faults, mut saved) = (0, 0);
    for seed in seeds(100) {
        let subgroup_size = SUBGROUP_SIZES[[1, 1, 2, 0][seed as usize % 4]];
        let group_size = sizes[seed as usize / 4 % sizes.len()];
        let kernel = Arc::new(Kernel::new(program(seed, subgroup_size, space), None).unwrap());
        let expected = run(&kernel, &Executor::Interpreter, group_size);
        faults += u32::from(expected.is_err());
        for &target in &targets {
            let mut limits = Vec::new();
            for off in ["", off] {
                let switches = Switches::without(off).unwrap();
                let native = Native::new(&kernel.program, group_size, target, switches).unwrap();
                limits.push(native.limits.len());
                let own = run(&kernel, &Executor::Native(Arc::new(native)), group_size);
                let what =
                    format!("seed {seed}, {group_size:?} of {subgroup_size}, {target:?} without {off:?}");
                assert_eq!(own, expected, "{what}");
            }
            saved += u32::from(limits[0] < limits[1]);
        }
    }
    if targets.is_empty() { (u32::MAX, u32::MAX) } else { (faults, saved) }
}

#[test]
fn local_memory_is_accessed_alike() {
    let (faults, saved) = compare(Space::Local, "ranges", &SIZES);
    // Not all accesses are checked, and not all are allowed.
    assert!(faults > 5 && saved > 3, "{faults} faults, {saved} with fewer checks");
}

#[test]
fn private_memory_is_accessed_alike() {
    let (faults, _) = compare(Space::Private, "lines", &SINGLE);
    assert!(faults > 5, "{faults} faults");
}
