//! Random control flow by native code, against the interpreter.
//!
//! A kernel is a graph of blocks with any ways between them, also ones that no language has: into the middle of loops, out of several at once. Each block computes
//! with variables that are the same in all lanes or not, and accesses memory; some wait at barriers, alone or together. Ways back take from a
//! number that starts small, so that everything ends. What the two leave in memory, and the fault if there is one, must be the same, whatever is switched off.

use super::executor::Executor;
use super::group::Worker;
use super::launch::{Arguments, Failure, Geometry, Kernel, Launch};
use super::random::Random;
use crate::fault::Fault;
use crate::memory::{Allocation, Table, Usage};
use crate::native::{Native, Refused, Switches, Target, is_available};
use crate::program::draft::{Draft, DraftBlock, DraftId, Exit, Step, Variable};
use crate::program::{
    AtomicOp, BuiltIn, CompareOp, ConvertOp, FloatOp, Inst, IntOp, Kind, Parameter, Preset, Program,
    SUBGROUP_SIZES, Site, Space, Value, dce, loops, phi, uniform,
};
use std::sync::Arc;

/// The words that a kernel may read, of which so many are written to by all work-items.
const INPUT: u64 = 64;
const SHARED: u64 = 8;
/// The words of each work-item in the output.
const OUTPUT: u64 = 16;

/// How often a work-item may take a way back.
const FUEL: u64 = 40;

/// How kernels are made.
#[derive(Clone, Copy, Debug, Default)]
struct Taste {
    blocks: usize,
    /// Every how many blocks there is a barrier; none if it is 0.
    barriers: usize,
    /// Whether all work-items take the same ways.
    is_uniform: bool,
    subgroup_size: u32,
    /// What is switched off in the second run, if that is to be the same for all.
    off: Option<&'static str>,
}

/// A kernel in the making.
struct Maker {
    draft: Draft,
    presets: Vec<(Value, Preset)>,
    random: Random,
    taste: Taste,
    steps: Vec<Step>,
    /// Those that differ between lanes at the start, and those that do not.
    varying: Vec<Variable>,
    same: Vec<Variable>,
    float: Option<Variable>,
    /// A float that is the same in all lanes.
    level: Option<Variable>,
    truth: Option<Variable>,
    wide: Option<Variable>,
    fuel: Option<Variable>,
    id: Value,
    input: Value,
    output: Value,
}

impl Maker {
    fn new(seed: u64, taste: Taste) -> Self {
        let mut this = Self {
            draft: Draft::default(),
            presets: Vec::new(),
            random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            taste,
            steps: Vec::new(),
            varying: Vec::new(),
            same: Vec::new(),
            float: None,
            level: None,
            truth: None,
            wide: None,
            fuel: None,
            id: Value(0),
            input: Value(0),
            output: Value(0),
        };
        this.id = this.preset(Kind::I64, Preset::BuiltIn(BuiltIn::GlobalLinearId));
        this.input = this.preset(Kind::I64, Preset::Argument(0));
        this.output = this.preset(Kind::I64, Preset::Argument(8));
        this.varying = (0..4).map(|_| this.variable(Kind::I32)).collect();
        this.same = (0..2).map(|_| this.variable(Kind::I32)).collect();
        this.float = Some(this.variable(Kind::F32));
        this.level = Some(this.variable(Kind::F32));
        this.truth = Some(this.variable(Kind::Bool));
        this.wide = Some(this.variable(Kind::I64));
        this.fuel = Some(this.variable(Kind::I32));
        this
    }

    fn value(&mut self, kind: Kind) -> Value {
        self.draft.kinds.push(kind);
        Value(self.draft.kinds.len() as u32 - 1)
    }

    fn preset(&mut self, kind: Kind, preset: Preset) -> Value {
        let known = self
            .presets
            .iter()
            .find(|&&(value, known)| known == preset && self.draft.kinds[value.0 as usize] == kind);
        if let Some(&(value, _)) = known {
            return value;
        }
        let value = self.value(kind);
        self.presets.push((value, preset));
        value
    }

    fn constant(&mut self, kind: Kind, bits: u64) -> Value {
        self.preset(kind, Preset::Constant(bits))
    }

    fn variable(&mut self, kind: Kind) -> Variable {
        let unwritten = self.constant(kind, 0);
        self.draft.variables.push((kind, unwritten));
        Variable(self.draft.variables.len() as u32 - 1)
    }

    fn kind_of(&self, variable: Variable) -> Kind {
        self.draft.variables[variable.0 as usize].0
    }

    fn emit(&mut self, kind: Kind, inst: impl FnOnce(Value) -> Inst) -> Value {
        let value = self.value(kind);
        self.steps.push(Step::Inst(inst(value)));
        value
    }

    fn read(&mut self, variable: Variable) -> Value {
        let value = self.value(self.kind_of(variable));
        self.steps.push(Step::Read(value, variable));
        value
    }

    fn write(&mut self, variable: Variable, value: Value) {
        self.steps.push(Step::Write(variable, value));
    }

    fn finish(&mut self, block: usize, exit: Exit) {
        let steps = std::mem::take(&mut self.steps);
        self.draft.blocks[block] = DraftBlock { steps, exit };
    }

    fn new_block(&mut self) -> DraftId {
        self.draft.blocks.push(DraftBlock { steps: Vec::new(), exit: Exit::Return });
        DraftId(self.draft.blocks.len() as u32 - 1)
    }

    /// `base + (index & mask) * 4`, or without a mask.
    fn address(&mut self, base: Value, index: Value, mask: Option<u64>) -> Value {
        let index = match mask {
            Some(mask) => {
                let mask = self.constant(Kind::I64, mask);
                self.emit(Kind::I64, |result| Inst::Int(IntOp::And, Kind::I64, result, [index, mask]))
            }
            None => index,
        };
        self.emit(Kind::I64, |result| Inst::Address { result, base, index, scale: 4, offset: 0 })
    }

    fn extend(&mut self, x: Value) -> Value {
        self.emit(Kind::I64, |result| Inst::Convert(ConvertOp::Zext, Kind::I32, Kind::I64, result, x))
    }

    fn any(&mut self) -> Variable {
        let all = [&self.varying[..], &self.same[..]].concat();
        all[self.random.below(all.len())]
    }

    /// The address of a word of the work-item's own, or sometimes of what is not there.
    fn own_word(&mut self, index: Value) -> Value {
        let (ids, words) = (self.id, self.constant(Kind::I64, OUTPUT));
        let start = self.emit(Kind::I64, |result| Inst::Int(IntOp::Mul, Kind::I64, result, [ids, words]));
        let (output, mask) = (self.output, self.constant(Kind::I64, OUTPUT - 1));
        let part = self.emit(Kind::I64, |result| Inst::Int(IntOp::And, Kind::I64, result, [index, mask]));
        let place = self.emit(Kind::I64, |result| Inst::Int(IntOp::Add, Kind::I64, result, [start, part]));
        self.address(output, place, None)
    }

    /// Something random.
    fn step(&mut self) {
        use IntOp as I;
        let to = self.any();
        // What is the same stays so, mostly.
        let from = if self.same.contains(&to) && !self.random.once_in(8) {
            self.same[self.random.below(2)]
        } else {
            self.any()
        };
        let (a, own) = (self.read(from), self.read(to));
        let number = [1, 2, 3, 5, 7, 31][self.random.below(6)];
        let number = self.constant(Kind::I32, number);
        match self.random.below(13) {
            0..=3 => {
                let ops = [I::Add, I::Sub, I::Mul, I::Xor, I::And, I::Or, I::Shl, I::LShr, I::UMin, I::SMax];
                let op = ops[self.random.below(ops.len())];
                let b = if self.random.once_in(2) { own } else { number };
                let value = self.emit(Kind::I32, |result| Inst::Int(op, Kind::I32, result, [a, b]));
                self.write(to, value);
            }
            4 => {
                let test = self
                    .emit(Kind::Bool, |result| Inst::Compare(CompareOp::SLt, Kind::I32, result, [a, number]));
                if let Some(truth) = self.truth {
                    let old = self.read(truth);
                    let new = self
                        .emit(Kind::Bool, |result| Inst::Int(IntOp::Xor, Kind::Bool, result, [old, test]));
                    self.write(truth, new);
                }
                let value = self.emit(Kind::I32, |result| Inst::Select(Kind::I32, result, test, [a, own]));
                self.write(to, value);
            }
            5 | 6 => {
                let index = self.extend(a);
                let (input, mask) = (self.input, INPUT - 1);
                let address = self.address(input, index, Some(mask));
                let value = self.emit(Kind::I32, |result| Inst::Load {
                    kind: Kind::I32,
                    space: Space::Global,
                    result,
                    address,
                    site: Site(11),
                });
                self.write(to, value);
            }
            7 => {
                let index = self.extend(a);
                let address = self.own_word(index);
                self.steps.push(Step::Inst(Inst::Store {
                    kind: Kind::I32,
                    space: Space::Global,
                    value: own,
                    address,
                    site: Site(12),
                }));
            }
            8 => {
                let index = self.extend(a);
                let input = self.input;
                let address = self.address(input, index, Some(SHARED - 1));
                let value = self.emit(Kind::I32, |result| Inst::Atomic {
                    op: AtomicOp::Add,
                    kind: Kind::I32,
                    space: Space::Global,
                    result,
                    address,
                    operands: [number, number],
                    site: Site(13),
                });
                self.write(to, value);
            }
            9 => {
                let Some(float) = self.float else { return };
                let (old, more) = (
                    self.read(float),
                    self.emit(Kind::F32, |result| {
                        Inst::Convert(ConvertOp::SToF, Kind::I32, Kind::F32, result, a)
                    }),
                );
                let sum =
                    self.emit(Kind::F32, |result| Inst::Float(FloatOp::Sub, Kind::F32, result, [more, old]));
                self.write(float, sum);
            }
            10 => {
                let Some(wide) = self.wide else { return };
                let (old, more) = (self.read(wide), self.extend(a));
                let sum =
                    self.emit(Kind::I64, |result| Inst::Int(IntOp::Add, Kind::I64, result, [old, more]));
                self.write(wide, sum);
            }
            11 => {
                let Some(level) = self.level else { return };
                let bits = [0.0_f32, 1.5, f32::NAN][self.random.below(3)].to_bits();
                let value = self.constant(Kind::F32, bits.into());
                self.write(level, value);
            }
            _ => self.write(to, a),
        }
        // Memory that is not there, now and then.
        if self.random.once_in(150) {
            let address = self.extend(own);
            self.steps.push(Step::Inst(Inst::Store {
                kind: Kind::I32,
                space: Space::Global,
                value: a,
                address,
                site: Site(14),
            }));
        }
    }

    /// What a block chooses by.
    fn condition(&mut self) -> Value {
        if let Some(level) = self.level
            && self.random.once_in(8)
        {
            let (x, one) = (self.read(level), self.constant(Kind::F32, 1.0_f32.to_bits().into()));
            let op = [CompareOp::FOrdLt, CompareOp::FUnordNe][self.random.below(2)];
            let y = if op == CompareOp::FUnordNe { x } else { one };
            return self.emit(Kind::Bool, |result| Inst::Compare(op, Kind::F32, result, [x, y]));
        }
        if let Some(truth) = self.truth
            && !self.taste.is_uniform
            && self.random.once_in(5)
        {
            return self.read(truth);
        }
        let variable = if self.taste.is_uniform || self.random.once_in(3) {
            self.same[self.random.below(2)]
        } else {
            self.any()
        };
        let x = self.read(variable);
        let bit = 1 << self.random.below(4);
        let bit = self.constant(Kind::I32, bit);
        let zero = self.constant(Kind::I32, 0);
        let part = self.emit(Kind::I32, |result| Inst::Int(IntOp::And, Kind::I32, result, [x, bit]));
        self.emit(Kind::Bool, |result| Inst::Compare(CompareOp::Ne, Kind::I32, result, [part, zero]))
    }

    /// The way from one block to another; one back goes on only as long as there is fuel.
    fn way(&mut self, from: usize, to: usize, last: DraftId) -> DraftId {
        let target = DraftId(to as u32);
        let Some(fuel) = self.fuel.filter(|_| to <= from) else { return target };
        let saved = std::mem::take(&mut self.steps);
        let between = self.new_block();
        let (old, one, zero) = (self.read(fuel), self.constant(Kind::I32, 1), self.constant(Kind::I32, 0));
        let left = self.emit(Kind::I32, |result| Inst::Int(IntOp::Sub, Kind::I32, result, [old, one]));
        self.write(fuel, left);
        let more =
            self.emit(Kind::Bool, |result| Inst::Compare(CompareOp::Ne, Kind::I32, result, [left, zero]));
        self.finish(between.0 as usize, Exit::Branch(more, target, last));
        self.steps = saved;
        between
    }

    fn make(mut self) -> Program {
        let count = self.taste.blocks;
        let blocks: Vec<DraftId> = (0..count + 2).map(|_| self.new_block()).collect();
        let last = blocks[count + 1];
        // The start: variables become something.
        let id = self.id;
        let id =
            self.emit(Kind::I32, |result| Inst::Convert(ConvertOp::Zext, Kind::I64, Kind::I32, result, id));
        for (number, variable) in self.varying.clone().into_iter().enumerate() {
            let factor = self.constant(Kind::I32, [1, 3, 7, 12][number % 4]);
            let value = self.emit(Kind::I32, |result| Inst::Int(IntOp::Mul, Kind::I32, result, [id, factor]));
            self.write(variable, value);
        }
        for variable in self.same.clone() {
            let value = self.random.below(64) as u64;
            let value = self.constant(Kind::I32, value);
            self.write(variable, value);
        }
        let fuel = self.constant(Kind::I32, FUEL);
        self.fuel.into_iter().for_each(|variable| self.steps.push(Step::Write(variable, fuel)));
        self.finish(0, Exit::Jump(blocks[1]));
        for block in 1..=count {
            for _ in 0..self.random.below(5) {
                self.step();
            }
            let any = |this: &mut Self| {
                // Mostly near, so that there are loops in loops.
                let near = (block + this.random.below(5)).saturating_sub(1).clamp(1, count + 1);
                let to = if this.random.once_in(4) { 1 + this.random.below(count + 1) } else { near };
                this.way(block, to, last)
            };
            let exit = if self.taste.barriers != 0 && self.random.once_in(self.taste.barriers) {
                // A barrier has a block of its own behind it.
                let (behind, to) = (self.new_block(), any(&mut self));
                self.draft.blocks[behind.0 as usize].exit = Exit::Jump(to);
                Exit::Barrier(Site(20 + block as u32), behind)
            } else if self.random.once_in(12) {
                Exit::Return
            } else if self.random.once_in(4) {
                Exit::Jump(any(&mut self))
            } else {
                let condition = self.condition();
                Exit::Branch(condition, any(&mut self), any(&mut self))
            };
            self.finish(block, exit);
        }
        self.store_all();
        self.finish(count + 1, Exit::Return);
        self.program()
    }

    /// Stores what the variables are.
    fn store_all(&mut self) {
        let all = [&self.varying[..], &self.same[..]].concat();
        for (place, variable) in all.into_iter().enumerate() {
            let (value, index) = (self.read(variable), self.constant(Kind::I64, place as u64));
            self.store(Kind::I32, index, value);
        }
        if let (Some(float), Some(truth), Some(wide)) = (self.float, self.truth, self.wide) {
            let (value, index) = (self.read(float), self.constant(Kind::I64, 8));
            self.store(Kind::F32, index, value);
            let (value, index) = (self.read(truth), self.constant(Kind::I64, 9));
            let word = self.emit(Kind::I32, |result| {
                Inst::Convert(ConvertOp::Zext, Kind::Bool, Kind::I32, result, value)
            });
            self.store(Kind::I32, index, word);
            let (value, index) = (self.read(wide), self.constant(Kind::I64, 10));
            self.store(Kind::I64, index, value);
        }
    }

    fn store(&mut self, kind: Kind, index: Value, value: Value) {
        let address = self.own_word(index);
        let site = Site(15);
        self.steps.push(Step::Inst(Inst::Store { kind, space: Space::Global, value, address, site }));
    }

    /// What lowering makes of a draft.
    fn program(mut self) -> Program {
        loops::simplify(&mut self.draft, &mut self.presets);
        let (mut blocks, kinds) = phi::construct(self.draft).unwrap();
        dce::remove_dead(&mut blocks, &mut self.presets, kinds.len(), Inst::has_effect);
        let uniform = uniform::uniform_values(&mut blocks, &self.presets, kinds.len());
        let parameter =
            |place: u32| Parameter::Bytes { size: 8, offset: 8 * place, is_pointer: true, align: 1 };
        Program {
            name: "random".to_owned(),
            parameters: (0..2).map(parameter).collect(),
            argument_bytes: 16,
            blocks,
            kinds,
            presets: self.presets,
            uniform,
            private_bytes: 0,
            device_barriers: Vec::new(),
            local_bytes: 0,
            group_size: None,
            subgroup_size: self.taste.subgroup_size,
        }
    }
}

/// Runs a kernel on two groups; returns the memory that it leaves, or its fault and where it was.
fn run(
    kernel: &Arc<Kernel>,
    executor: &Executor,
    group_size: [u32; 3],
) -> Result<Vec<u8>, (Fault, [u32; 3], usize)> {
    let table = Table::default();
    let items: u32 = 2 * group_size.iter().product::<u32>();
    let sizes = [4 * INPUT as usize, 4 * OUTPUT as usize * items as usize + 64];
    let mut arguments = Arguments::default();
    let mut buffers = Vec::new();
    for (number, size) in sizes.into_iter().enumerate() {
        let buffer = Arc::new(Allocation::new(size, 64, Usage::Shared).unwrap());
        for byte in 0..size {
            let value = if number == 0 { ((byte * 37) >> 3) as u8 } else { 0x5a };
            // SAFETY: the allocation has so many bytes.
            unsafe { buffer.start().add(byte).write(value) };
        }
        arguments.bytes.extend((buffer.start() as u64).to_le_bytes());
        arguments.local_sizes.push(0);
        table.insert(Arc::clone(&buffer));
        buffers.push(buffer);
    }
    let subgroup_size = kernel.program.subgroup_size;
    let geometry = Geometry { groups: [2, 1, 1], group_size, offset: [0; 3], subgroup_size };
    let mut launch = Launch::default();
    launch.fill(kernel, geometry, &arguments, table.snapshot(), 1);
    let mut worker = Worker::default();
    executor.prepare(&mut worker, kernel, &launch.work);
    let failure = |failure: Failure| (failure.fault, failure.group, failure.item);
    executor.run(&mut worker, kernel, &launch.work, 0..2).map_err(failure)?;
    let bytes = buffers.iter().flat_map(|buffer| {
        // SAFETY: the allocation has so many bytes, and nobody writes to them any more.
        unsafe { std::slice::from_raw_parts(buffer.start(), buffer.span().length as usize).to_vec() }
    });
    Ok(bytes.collect())
}

const SIZES: [[u32; 3]; 4] = [[64, 1, 1], [40, 1, 1], [5, 3, 2], [1, 1, 1]];

/// What is switched off in a run with a number: each by itself, some together, all.
fn off(number: usize) -> String {
    let names = Switches::names();
    match number % (names.len() + 3) {
        0 => "uniform,strides".to_owned(),
        1 => "overwrite,same-mask".to_owned(),
        2 => names.join(","),
        other => names[other - 3].to_owned(),
    }
}

/// What became of kernels.
#[derive(Debug, Default)]
struct Tally {
    equal: u32,
    faults: u32,
    barriers: u32,
}

/// Runs kernels from these seeds by both executors.
fn compare(seeds: std::ops::Range<u64>, taste: Taste) -> Tally {
    let mut tally = Tally::default();
    let targets: Vec<Target> =
        [Target::Avx512, Target::Avx2].into_iter().filter(|target| target.is_available()).collect();
    for seed in seeds {
        let subgroup_size = SUBGROUP_SIZES[seed as usize % SUBGROUP_SIZES.len()];
        let taste = Taste { subgroup_size, ..taste };
        let program = Maker::new(seed, taste).make();
        tally.barriers += u32::from(program.has_barriers());
        let kernel = Arc::new(Kernel::new(program, None).unwrap());
        // Two of the sizes.
        for (number, size) in SIZES.into_iter().enumerate().skip(seed as usize % 2).step_by(2) {
            let expected = run(&kernel, &Executor::Interpreter, size);
            let off = taste.off.map_or_else(|| off(5 * seed as usize + number), String::from);
            let ways = targets.iter().flat_map(|&target| [(target, ""), (target, &off[..])]);
            for (target, off) in ways {
                let what = format!("seed {seed} of {taste:?}, {size:?}, {target:?} without {off:?}");
                let switches = Switches::without(off).unwrap();
                let native = match Native::new(&kernel.program, size, target, switches) {
                    Ok(native) => Arc::new(native),
                    Err(Refused(reason)) => panic!("{what} has no native code: {reason}"),
                };
                let own = run(&kernel, &Executor::Native(native), size);
                // Addresses of faults are those of buffers of their own.
                let without_address = |(fault, group, item): &(Fault, [u32; 3], usize)| {
                    (std::mem::discriminant(&fault.kind), fault.site, fault.lane, *group, *item)
                };
                match (&own, &expected) {
                    (Ok(own), Ok(expected)) => {
                        let first = own.iter().zip(expected).position(|(own, expected)| own != expected);
                        assert_eq!(first, None, "{what}");
                    }
                    (Err(own), Err(expected)) => {
                        assert_eq!(without_address(own), without_address(expected), "{what}");
                        tally.faults += 1;
                    }
                    _ => panic!("{what}: {:?} instead of {:?}", own.err(), expected.as_ref().err()),
                }
                tally.equal += 1;
            }
        }
    }
    tally
}

/// The seeds of so many kernels from one on, or those that the environment variable `RANDOM_FLOW` names as `FIRST..END`.
fn seeds(first: u64, count: u64) -> std::ops::Range<u64> {
    let given = std::env::var("RANDOM_FLOW").ok();
    let bounds = given.as_deref().and_then(|text| text.split_once(".."));
    match bounds.map(|(first, end)| (first.parse(), end.parse())) {
        Some((Ok(first), Ok(end))) => first..end,
        _ => first..first + count,
    }
}

#[test]
fn any_graph_is_executed_alike() {
    let mut equal = 0;
    for blocks in [3, 6, 10, 16] {
        equal += compare(seeds(0, 6), Taste { blocks, barriers: 0, ..Taste::default() }).equal;
    }
    assert!(equal > 90 || !is_available(), "{equal}");
}

/// Wherever that is possible, lanes take turns.
#[test]
fn loops_are_executed_alike_by_one_lane_after_the_other() {
    let mut equal = 0;
    for blocks in [6, 10] {
        let taste = Taste { blocks, off: Some("serial-cost"), ..Taste::default() };
        equal += compare(seeds(7000, 12), taste).equal;
    }
    assert!(equal > 90 || !is_available(), "{equal}");
}

#[test]
fn barriers_anywhere_are_executed_alike() {
    let (mut barriers, mut faults) = (0, 0);
    for blocks in [3, 6, 12] {
        for is_uniform in [false, true] {
            let tally =
                compare(seeds(2000, 5), Taste { blocks, barriers: 3, is_uniform, ..Taste::default() });
            barriers += tally.barriers;
            faults += tally.faults;
        }
    }
    assert!(barriers > 8 && faults > 4 || !is_available(), "{barriers} with barriers, {faults} faults");
}
