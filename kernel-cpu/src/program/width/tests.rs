//! Which programs get subgroups of two strips.

use super::best;
use crate::program::drafts::{edge, program};
use crate::program::{
    Block, BuiltIn, CompareOp, ConvertOp, FloatOp, Inst, IntOp, Kind, MathOp, Preset, Program, Site, Space,
    Terminator, Value,
};

const WIDE: u32 = 32;
const NARROW: u32 = 16;

/// What the pass of a loop reads.
#[derive(Clone, Copy, PartialEq)]
enum Read {
    Nothing,
    /// The same for all work-items.
    Same,
    /// A neighbour from each work-item to the next.
    Beside,
    /// Each work-item in a row of its own.
    Apart,
}

#[derive(Default)]
struct Maker {
    kinds: Vec<Kind>,
    presets: Vec<(u32, Preset)>,
    insts: Vec<Inst>,
}

impl Maker {
    fn value(&mut self, kind: Kind) -> Value {
        self.kinds.push(kind);
        Value(self.kinds.len() as u32 - 1)
    }

    fn preset(&mut self, kind: Kind, preset: Preset) -> Value {
        let value = self.value(kind);
        self.presets.push((value.0, preset));
        value
    }

    fn constant(&mut self, bits: u64) -> Value {
        self.preset(Kind::I64, Preset::Constant(bits))
    }

    fn emit(&mut self, kind: Kind, inst: impl FnOnce(Value) -> Inst) -> Value {
        let value = self.value(kind);
        self.insts.push(inst(value));
        value
    }

    fn int(&mut self, op: IntOp, a: Value, b: Value) -> Value {
        self.emit(Kind::I64, |result| Inst::Int(op, Kind::I64, result, [a, b]))
    }

    fn address(&mut self, base: Value, index: Value) -> Value {
        self.emit(Kind::I64, |result| Inst::Address { result, base, index, scale: 4, offset: 0 })
    }

    fn load(&mut self, address: Value) -> Value {
        let site = Site(0);
        self.emit(Kind::F32, |result| Inst::Load {
            kind: Kind::F32,
            space: Space::Global,
            result,
            address,
            site,
        })
    }

    fn end(&mut self, terminator: Terminator) -> Block {
        Block { insts: std::mem::take(&mut self.insts), terminator }
    }

    fn program(self, blocks: Vec<Block>) -> Program {
        program(&self.kinds, &self.presets, blocks)
    }
}

/// `for k in 0..n { sum[..] += what is read * id }; out[id] = sum[0]`, with so many sums.
fn looped(read: Read, sums: usize) -> Program {
    let mut m = Maker::default();
    let id = m.preset(Kind::I64, Preset::BuiltIn(BuiltIn::GlobalId(0)));
    let [n, from, out] = [0, 8, 16].map(|offset| m.preset(Kind::I64, Preset::Argument(offset)));
    let (zero, one) = (m.constant(0), m.constant(1));
    let nothing = m.preset(Kind::F32, Preset::Constant(0));
    let k = m.value(Kind::I64);
    let sums: Vec<Value> = (0..sums).map(|_| m.value(Kind::F32)).collect();
    let start: Vec<_> = sums.iter().map(|&sum| (sum.0, nothing.0)).chain([(k.0, zero.0)]).collect();
    let entry = m.end(Terminator::Jump(edge(1, &start)));
    let condition = m.emit(Kind::Bool, |result| Inst::Compare(CompareOp::ULt, Kind::I64, result, [k, n]));
    let header = m.end(Terminator::Branch { condition, then: edge(2, &[]), otherwise: edge(3, &[]) });
    let index = match read {
        Read::Nothing | Read::Same => k,
        Read::Beside => m.int(IntOp::Add, k, id),
        Read::Apart => {
            let row = m.int(IntOp::Mul, id, n);
            m.int(IntOp::Add, row, k)
        }
    };
    let x = if read == Read::Nothing {
        sums[0]
    } else {
        let address = m.address(from, index);
        m.load(address)
    };
    let own = m.emit(Kind::F32, |result| Inst::Convert(ConvertOp::UToF, Kind::I64, Kind::F32, result, id));
    let x = m.emit(Kind::F32, |result| Inst::Float(FloatOp::Mul, Kind::F32, result, [x, own]));
    let next: Vec<_> = sums
        .iter()
        .map(|&sum| {
            let more = m.emit(Kind::F32, |result| Inst::Float(FloatOp::Add, Kind::F32, result, [sum, x]));
            (sum.0, more.0)
        })
        .collect();
    let after = m.int(IntOp::Add, k, one);
    let next: Vec<_> = next.into_iter().chain([(k.0, after.0)]).collect();
    let body = m.end(Terminator::Jump(edge(1, &next)));
    let address = m.address(out, id);
    let site = Site(1);
    m.insts.push(Inst::Store { kind: Kind::F32, space: Space::Global, value: sums[0], address, site });
    let last = m.end(Terminator::Return);
    m.program(vec![entry, header, body, last])
}

/// `out[id] = f(f(f(id)))`.
fn functions(op: MathOp, count: usize) -> Program {
    let mut m = Maker::default();
    let id = m.preset(Kind::I64, Preset::BuiltIn(BuiltIn::GlobalId(0)));
    let out = m.preset(Kind::I64, Preset::Argument(0));
    let address = m.address(out, id);
    let x = m.load(address);
    let value =
        (0..count).fold(x, |x, _| m.emit(Kind::F32, |result| Inst::Math(op, Kind::F32, result, [x; 3])));
    let site = Site(1);
    m.insts.push(Inst::Store { kind: Kind::F32, space: Space::Global, value, address, site });
    let block = m.end(Terminator::Return);
    m.program(vec![block])
}

#[test]
fn loops_in_which_work_items_read_the_same_or_nothing_are_for_two_strips() {
    assert_eq!(best(&looped(Read::Nothing, 2)), WIDE);
    assert_eq!(best(&looped(Read::Same, 2)), WIDE);
}

#[test]
fn loops_that_pass_over_memory_are_for_one_strip() {
    assert_eq!(best(&looped(Read::Beside, 2)), NARROW);
    assert_eq!(best(&looped(Read::Apart, 2)), NARROW);
}

#[test]
fn many_values_and_large_arrays_are_for_one_strip() {
    assert_eq!(best(&looped(Read::Same, 8)), WIDE);
    assert_eq!(best(&looped(Read::Same, 16)), NARROW);
    let with_array = |private_bytes| Program { private_bytes, ..looped(Read::Same, 2) };
    assert_eq!(best(&with_array(16)), WIDE);
    assert_eq!(best(&with_array(64)), NARROW);
}

#[test]
fn programs_of_very_many_loops_are_for_one_strip() {
    let mut program = looped(Read::Same, 2);
    let passes = program.blocks.len() as u32;
    for block in passes..passes + 100 {
        let then = edge(block, &[]);
        let otherwise = edge(block + 1, &[]);
        let Terminator::Branch { condition, .. } = program.blocks[1].terminator else { unreachable!() };
        program
            .blocks
            .push(Block { insts: Vec::new(), terminator: Terminator::Branch { condition, then, otherwise } });
    }
    program.blocks.push(Block { insts: Vec::new(), terminator: Terminator::Return });
    program.blocks[passes as usize - 1].terminator = Terminator::Jump(edge(passes, &[]));
    assert_eq!(best(&program), NARROW);
    program.blocks[passes as usize + 20].terminator = Terminator::Return;
    program.blocks.truncate(passes as usize + 21);
    assert_eq!(best(&program), WIDE);
}

#[test]
fn some_functions_are_worth_two_strips_without_a_loop() {
    assert_eq!(best(&functions(MathOp::Exp, 3)), WIDE);
    assert_eq!(best(&functions(MathOp::Exp, 1)), NARROW);
    assert_eq!(best(&functions(MathOp::Sqrt, 3)), NARROW);
}

#[test]
fn a_barrier_in_each_pass_is_for_one_strip() {
    let mut program = looped(Read::Same, 2);
    let Terminator::Jump(next) = program.blocks[2].terminator.clone() else { unreachable!() };
    program.blocks[2].terminator = Terminator::Barrier { site: Site(2), next };
    assert_eq!(best(&program), NARROW);
}

#[test]
fn work_items_that_can_see_their_subgroup_keep_it() {
    use BuiltIn::*;
    for built_in in [SubgroupSize, SubgroupMaxSize, SubgroupCount, SubgroupId, SubgroupLane] {
        let mut program = looped(Read::Same, 2);
        program.kinds.push(Kind::I32);
        program.presets.push((Value(program.kinds.len() as u32 - 1), Preset::BuiltIn(built_in)));
        assert_eq!(best(&program), NARROW, "{built_in:?}");
    }
    let mut program = looped(Read::Same, 2);
    program.blocks[3].insts.push(Inst::Converge(Site(3)));
    assert_eq!(best(&program), NARROW);
}

#[test]
fn work_groups_that_would_leave_half_a_subgroup_keep_to_one_strip() {
    let of = |size| best(&Program { group_size: Some(size), ..looped(Read::Same, 2) });
    assert_eq!((of([16, 16, 1]), of([64, 1, 1])), (WIDE, WIDE));
    assert_eq!((of([48, 1, 1]), of([16, 1, 1])), (NARROW, NARROW));
}
