//! Instructions by native code, against the interpreter.
//!
//! Each case is a kernel that loads operands, computes with them and stores the result, run on edge values and random ones: for all lanes and for some, and
//! with the last operand different in each lane, the same in all, or a constant.

use super::executor::Executor;
use super::group::Worker;
use super::launch::{Arguments, Geometry, Kernel, Launch};
use crate::memory::{Allocation, Table, Usage};
use crate::native::{Native, Switches, Target, is_available};
use crate::program::inst::FloatClass;
use crate::program::{
    AtomicOp, Block, BlockId, BuiltIn, Combine, CompareOp, ConvertOp, Edge, Extent, FloatOp, Inst, IntOp,
    IntUnary, Kind, MathOp, Parameter, Preset, Program, Site, Space, Terminator, Value,
};
use std::sync::Arc;

/// The size of work-groups: two full subgroups and one that is not.
pub(super) const GROUP: u32 = 40;

/// The private memory of each work-item.
const PRIVATE_BYTES: u32 = 72;

/// Where the last operand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    /// From the lane's place in memory.
    Own,
    /// From one place for all.
    Same,
    Constant(u64),
}

/// The instructions that make a result of values.
pub(super) type Compute<'a> = dyn Fn(&mut Builder, Value, &[Value]) -> Vec<Inst> + 'a;

/// A kernel in the making.
pub(super) struct Builder {
    kinds: Vec<Kind>,
    presets: Vec<(Value, Preset)>,
    insts: Vec<Inst>,
}

impl Builder {
    pub(super) fn value(&mut self, kind: Kind) -> Value {
        self.kinds.push(kind);
        Value(self.kinds.len() as u32 - 1)
    }

    pub(super) fn preset(&mut self, kind: Kind, preset: Preset) -> Value {
        let value = self.value(kind);
        self.presets.push((value, preset));
        value
    }

    fn address(&mut self, argument: u32, index: Value, size: u32) -> Value {
        let base = self.preset(Kind::I64, Preset::Argument(8 * argument));
        let result = self.value(Kind::I64);
        self.insts.push(Inst::Address { result, base, index, scale: size.into(), offset: 0 });
        result
    }

    fn load(&mut self, kind: Kind, argument: u32, index: Value) -> Value {
        let (address, result) = (self.address(argument, index, kind.size()), self.value(kind));
        self.insts.push(Inst::Load { kind, space: Space::Global, result, address, site: Site(1) });
        result
    }
}

/// A kernel of operands of some kinds, which `compute` makes a result of. Its first argument says, in a byte for each work-item, which compute it; the next
/// ones are for the operands, the last one for the result.
pub(super) fn program(operands: &[Kind], result: Kind, last: Last, compute: &Compute<'_>) -> Program {
    let mut builder = Builder { kinds: Vec::new(), presets: Vec::new(), insts: Vec::new() };
    let id = builder.preset(Kind::I64, Preset::BuiltIn(BuiltIn::GlobalId(0)));
    let zero = builder.preset(Kind::I64, Preset::Constant(0));
    let (no, none) = (builder.preset(Kind::I8, Preset::Constant(0)), builder.value(Kind::Bool));
    let flag = builder.load(Kind::I8, 0, id);
    builder.insts.push(Inst::Compare(CompareOp::Ne, Kind::I8, none, [flag, no]));
    let ask = std::mem::take(&mut builder.insts);
    let values: Vec<Value> = operands
        .iter()
        .enumerate()
        .map(|(place, &kind)| match last {
            Last::Same if place + 1 == operands.len() => builder.load(kind, place as u32 + 1, zero),
            Last::Constant(bits) if place + 1 == operands.len() => {
                builder.preset(kind, Preset::Constant(bits))
            }
            _ => builder.load(kind, place as u32 + 1, id),
        })
        .collect();
    let mut value = builder.value(result);
    let insts = compute(&mut builder, value, &values);
    builder.insts.extend(insts);
    let mut kind = result;
    if kind == Kind::Bool {
        kind = Kind::I8;
        let byte = builder.value(kind);
        builder.insts.push(Inst::Convert(ConvertOp::Zext, Kind::Bool, kind, byte, value));
        value = byte;
    }
    let address = builder.address(operands.len() as u32 + 1, id, kind.size());
    builder.insts.push(Inst::Store { kind, space: Space::Global, value, address, site: Site(2) });
    let edge = |block| Edge { target: BlockId(block), moves: Vec::new() };
    let blocks = vec![
        Block {
            insts: ask,
            terminator: Terminator::Branch { condition: none, then: edge(1), otherwise: edge(2) },
        },
        Block { insts: builder.insts, terminator: Terminator::Jump(edge(2)) },
        Block { insts: Vec::new(), terminator: Terminator::Return },
    ];
    let count = operands.len() as u32 + 2;
    let parameter = |place| Parameter::Bytes { size: 8, offset: 8 * place, is_pointer: true, align: 1 };
    Program {
        name: "case".to_owned(),
        parameters: (0..count).map(parameter).collect(),
        argument_bytes: 8 * count,
        blocks,
        uniform: vec![false; builder.kinds.len()],
        kinds: builder.kinds,
        presets: builder.presets,
        private_bytes: PRIVATE_BYTES,
        device_barriers: Vec::new(),
        local_bytes: 256 * 8,
        group_size: None,
        subgroup_size: 16,
    }
}

/// What a kernel leaves in its last buffer, of so many bytes, by an executor.
fn run(
    kernel: &Arc<Kernel>,
    executor: &Executor,
    inputs: &[Vec<u8>],
    result: usize,
    [groups, group]: [u32; 2],
) -> Vec<u8> {
    let table = Table::default();
    let mut arguments = Arguments::default();
    let mut buffers = Vec::new();
    for bytes in inputs.iter().map(Vec::as_slice).chain([&vec![0xa5; result][..]]) {
        let buffer = Arc::new(Allocation::new(bytes.len(), 64, Usage::Shared).unwrap());
        // SAFETY: the allocation is as large as what is copied.
        unsafe { buffer.start().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        arguments.bytes.extend((buffer.start() as u64).to_le_bytes());
        arguments.local_sizes.push(0);
        table.insert(Arc::clone(&buffer));
        buffers.push(buffer);
    }
    let geometry = Geometry {
        groups: [groups, 1, 1],
        group_size: [group, 1, 1],
        subgroup_size: kernel.program.subgroup_size,
        ..Geometry::default()
    };
    let mut launch = Launch::default();
    launch.fill(kernel, geometry, &arguments, table.snapshot(), 1);
    let mut worker = Worker::default();
    executor.prepare(&mut worker, kernel, &launch.work);
    executor.run(&mut worker, kernel, &launch.work, 0..groups.into()).unwrap();
    // SAFETY: the allocation has so many bytes, and nobody writes to them any more.
    unsafe { std::slice::from_raw_parts(buffers[inputs.len()].start(), result).to_vec() }
}

/// Numbers that look random.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// The bits of a float of a kind.
fn float(kind: Kind, value: f64) -> u64 {
    match kind {
        Kind::F64 => value.to_bits(),
        Kind::F32 => u64::from((value as f32).to_bits()),
        // A few of them; others are drawn.
        _ => u64::from(((value as f32).to_bits() >> 13) as u16),
    }
}

/// Edge values of a kind, by their bits.
fn edges(kind: Kind) -> Vec<u64> {
    let bits = 8 * kind.size();
    let ones = u64::MAX >> (64 - bits);
    if !kind.is_float() {
        let least = 1_u64 << (bits - 1);
        let numbers = [0, 1, 2, 3, 5, 7, 8, 10, 31, 63, 100, 127, least, least - 1, least + 1, least + 2];
        return numbers.into_iter().flat_map(|number| [number, number.wrapping_neg() & ones]).collect();
    }
    let numbers = [
        0.0,
        1.0,
        0.5,
        1.5,
        2.0,
        2.5,
        3.0,
        0.499_999_97,
        0.9,
        1e-3,
        1e-30,
        1e-40,
        1e-45,
        5e-324,
        1.17e-38,
        2.2e-308,
        4_194_303.5,
        8_388_607.5,
        16_777_215.0,
        2_147_483_520.0,
        2_147_483_648.0,
        4_294_967_040.0,
        4_294_967_296.0,
        9_223_371_487_098_961_920.0,
        9_223_372_036_854_775_807.0,
        18_446_742_974_197_923_840.0,
        18_446_744_073_709_551_616.0,
        88.7,
        127.0,
        255.5,
        32_767.5,
        65_504.0,
        65_520.0,
        1e10,
        3.4e38,
        1e300,
        f64::INFINITY,
        f64::NAN,
    ];
    numbers.into_iter().flat_map(|number| [float(kind, number), float(kind, -number)]).collect()
}

/// Drawn values of a kind, by their bits.
fn drawn(kind: Kind, random: &mut Random) -> u64 {
    let (bits, part) = (random.next(), random.next() as f64 / u64::MAX as f64);
    let bits = bits >> (64 - 8 * kind.size());
    match (kind.is_float(), random.next() % 4) {
        (false, 0) => bits >> (random.next() % u64::from(8 * kind.size())),
        (true, 0) => float(kind, (part - 0.5) * 80.0),
        (true, 1) => float(kind, (part - 0.5) * 2.5),
        (true, 2) => float(kind, ((part - 0.5) * 200.0).round() / 2.0),
        _ => bits,
    }
}

/// Values for operands of these kinds: combinations of edge values, and drawn ones.
fn operands(kinds: &[Kind]) -> Vec<Vec<u64>> {
    let mut random = Random(0x1234_5678_9abc_def0);
    let mut rows: Vec<Vec<u64>> = vec![Vec::new()];
    for (place, &kind) in kinds.iter().enumerate() {
        // Of three operands, not all combinations.
        let edges: Vec<u64> = edges(kind).into_iter().step_by(if place == 2 { 7 } else { 1 }).collect();
        let edges: Vec<u64> = if kinds.len() == 3 { edges.into_iter().step_by(4).collect() } else { edges };
        rows = rows
            .into_iter()
            .flat_map(|row| edges.iter().map(move |&edge| [&row[..], &[edge]].concat()))
            .collect();
    }
    for _ in 0..1500 {
        rows.push(kinds.iter().map(|&kind| drawn(kind, &mut random)).collect());
    }
    rows
}

/// Runs a kernel of one instruction by both executors, and compares what they leave.
fn compare(
    name: &str,
    kinds: &[Kind],
    result: Kind,
    last: Last,
    is_native: bool,
    compute: &dyn Fn(Value, &[Value]) -> Inst,
) {
    compare_several(name, kinds, result, last, is_native, &|_, result, x| vec![compute(result, x)]);
}

/// Runs a kernel by both executors, and compares what they leave.
fn compare_several(
    name: &str,
    kinds: &[Kind],
    result: Kind,
    last: Last,
    is_native: bool,
    compute: &Compute<'_>,
) {
    compare_in_groups(GROUP, name, kinds, result, last, is_native, compute);
}

/// The same with groups of so many work-items.
fn compare_in_groups(
    group: u32,
    name: &str,
    kinds: &[Kind],
    result: Kind,
    last: Last,
    is_native: bool,
    compute: &Compute<'_>,
) {
    compare_in_subgroups([group, 16], name, kinds, result, last, is_native, compute);
    // Where a subgroup has several strips, one way to come by the operands does.
    if last == Last::Own {
        compare_in_subgroups([group, 32], name, kinds, result, last, false, compute);
    }
}

/// The same with groups of so many work-items in subgroups of so many.
fn compare_in_subgroups(
    [group, subgroup_size]: [u32; 2],
    name: &str,
    kinds: &[Kind],
    result: Kind,
    last: Last,
    is_native: bool,
    compute: &Compute<'_>,
) {
    let program = Program { subgroup_size, ..program(kinds, result, last, compute) };
    let kernel = Arc::new(Kernel::new(program, None).unwrap());
    let natives: Vec<(Target, Arc<Native>)> = [Target::Avx512, Target::Avx2]
        .into_iter()
        .filter(|target| target.is_available())
        .map(|target| {
            let native = Native::new(&kernel.program, [group, 1, 1], target, Switches::default());
            (target, Arc::new(native.unwrap()))
        })
        .collect();
    for (target, native) in &natives {
        // Others lack some instructions.
        let is_native = is_native && *target == Target::Avx512;
        assert!(!is_native || native.interpreted().is_empty(), "{name} is interpreted");
    }
    let rows = &operands(kinds);
    let groups = (rows.len() as u32).div_ceil(group);
    let items = (groups * group) as usize;
    // Bools are 0 or 1.
    let of_kind = |kind: Kind, bits: u64| if kind == Kind::Bool { bits & 1 } else { bits };
    let columns = kinds.iter().enumerate().map(|(place, &kind)| {
        let bytes = (0..items).flat_map(move |item| {
            let bits = of_kind(kind, rows_at(rows, item)[place]);
            bits.to_le_bytes().into_iter().take(kind.size() as usize)
        });
        bytes.collect::<Vec<u8>>()
    });
    let columns: Vec<Vec<u8>> = columns.collect();
    let result = if result == Kind::Bool { Kind::I8 } else { result };
    let size = result.size() as usize;
    let mut random = Random(99);
    for is_partial in [false, true] {
        let flags: Vec<u8> =
            (0..items).map(|_| u8::from(!is_partial || random.next().is_multiple_of(3))).collect();
        let inputs: Vec<Vec<u8>> = [flags.clone()].into_iter().chain(columns.iter().cloned()).collect();
        let expected = run(&kernel, &Executor::Interpreter, &inputs, items * size, [groups, group]);
        for (target, native) in &natives {
            let executor = Executor::Native(Arc::clone(native));
            let own = run(&kernel, &executor, &inputs, items * size, [groups, group]);
            for item in 0..items {
                let at = |bytes: &[u8]| {
                    let mut word = [0; 8];
                    word[..size].copy_from_slice(&bytes[item * size..(item + 1) * size]);
                    u64::from_le_bytes(word)
                };
                let (own, expected) = (at(&own), at(&expected));
                assert!(
                    is_same(result, own, expected),
                    "{name} {last:?} of {:x?} in subgroups of {subgroup_size} is {own:#x} by {target:?} code and {expected:#x} by the interpreter",
                    rows_at(rows, item)
                );
            }
        }
    }
}

fn rows_at(rows: &[Vec<u64>], item: usize) -> &[u64] {
    &rows[item % rows.len()]
}

/// Returns whether two results are the same; all that are no numbers are.
pub(super) fn is_same(kind: Kind, own: u64, expected: u64) -> bool {
    let is_nan = |bits: u64| match kind {
        Kind::F64 => f64::from_bits(bits).is_nan(),
        Kind::F32 => f32::from_bits(bits as u32).is_nan(),
        Kind::F16 => bits & 0x7fff > 0x7c00,
        _ => false,
    };
    own == expected || is_nan(own) && is_nan(expected)
}

const FLOATS: [Kind; 2] = [Kind::F32, Kind::F64];
const INTEGERS: [Kind; 4] = [Kind::I8, Kind::I16, Kind::I32, Kind::I64];

#[test]
fn functions_of_floats() {
    use MathOp as M;
    if !is_available() {
        return;
    }
    let one = [
        M::Neg,
        M::Abs,
        M::Acos,
        M::Acosh,
        M::Acospi,
        M::Asin,
        M::Asinh,
        M::Asinpi,
        M::Atan,
        M::Atanh,
        M::Atanpi,
        M::Cbrt,
        M::Ceil,
        M::Cos,
        M::Cosh,
        M::Cospi,
        M::Degrees,
        M::Erf,
        M::Erfc,
        M::Exp,
        M::Exp2,
        M::Exp10,
        M::Expm1,
        M::Floor,
        M::Lgamma,
        M::Log,
        M::Log2,
        M::Log10,
        M::Log1p,
        M::Logb,
        M::Radians,
        M::Recip,
        M::Rint,
        M::Round,
        M::Rsqrt,
        M::Sign,
        M::Sin,
        M::Sinh,
        M::Sinpi,
        M::Sqrt,
        M::Tan,
        M::Tanh,
        M::Tanpi,
        M::Tgamma,
        M::Trunc,
    ];
    let two = [
        M::Atan2,
        M::Atan2pi,
        M::Copysign,
        M::Fdim,
        M::Fmax,
        M::Fmin,
        M::Maxmag,
        M::Minmag,
        M::Hypot,
        M::Nextafter,
        M::Pow,
        M::Powr,
        M::Remainder,
        M::Step,
    ];
    let three = [M::Fma, M::Mix, M::Clamp, M::Smoothstep];
    let interpreted = [M::Lgamma, M::Tgamma, M::Logb, M::Nextafter, M::Remainder];
    for kind in FLOATS {
        for (ops, arity) in [(&one[..], 1), (&two[..], 2), (&three[..], 3)] {
            for &op in ops {
                let name = format!("{op:?} of {kind:?}");
                let compute = |result, x: &[Value]| {
                    let at = |place: usize| x.get(place).copied().unwrap_or(x[0]);
                    Inst::Math(op, kind, result, [at(0), at(1), at(2)])
                };
                let is_native = !interpreted.contains(&op);
                for last in [Last::Own, Last::Same, Last::Constant(float(kind, 2.5))] {
                    compare(&name, &vec![kind; arity], kind, last, is_native, &compute);
                }
            }
        }
    }
}

#[test]
fn functions_of_floats_and_integers() {
    if !is_available() {
        return;
    }
    for kind in FLOATS {
        for last in [Last::Own, Last::Constant(3)] {
            let kinds = [kind, Kind::I32];
            compare("pown", &kinds, kind, last, true, &|r, x| Inst::Pown(kind, r, [x[0], x[1]]));
            compare("rootn", &kinds, kind, last, true, &|r, x| Inst::Rootn(kind, r, [x[0], x[1]]));
            compare("ldexp", &kinds, kind, last, kind == Kind::F32, &|r, x| {
                Inst::Ldexp(kind, r, [x[0], x[1]])
            });
        }
        for ilogb in [false, true] {
            compare("exponent", &[kind], Kind::I32, Last::Own, false, &|result, x| Inst::Exponent {
                kind,
                result,
                x: x[0],
                ilogb,
            });
        }
        compare("mantissa", &[kind], kind, Last::Own, false, &|r, x| Inst::Mantissa(kind, r, x[0]));
    }
}

/// A value may be the bits of an integer, which the instruction takes for a float.
#[test]
fn functions_of_bits() {
    if !is_available() {
        return;
    }
    for last in [Last::Own, Last::Same, Last::Constant(0x4048_f5c3)] {
        compare("exp", &[Kind::I32], Kind::F32, last, true, &|r, x| {
            Inst::Math(MathOp::Exp, Kind::F32, r, [x[0]; 3])
        });
        compare("rem", &[Kind::I32; 2], Kind::F32, last, true, &|r, x| {
            Inst::Float(FloatOp::Rem, Kind::F32, r, [x[0], x[1]])
        });
        compare("pown", &[Kind::I32, Kind::F32], Kind::F32, last, true, &|r, x| {
            Inst::Pown(Kind::F32, r, [x[0], x[1]])
        });
    }
}

#[test]
fn arithmetic_of_floats() {
    use FloatOp as F;
    if !is_available() {
        return;
    }
    for kind in FLOATS {
        for op in [F::Add, F::Sub, F::Mul, F::Div, F::Rem, F::Mod] {
            let name = format!("{op:?} of {kind:?}");
            let is_native = kind == Kind::F32 || !matches!(op, F::Rem | F::Mod);
            for last in [Last::Own, Last::Same, Last::Constant(float(kind, -0.7))] {
                compare(&name, &[kind; 2], kind, last, is_native, &|r, x| {
                    Inst::Float(op, kind, r, [x[0], x[1]])
                });
            }
        }
        use CompareOp as C;
        let ops = [
            C::FOrdEq,
            C::FOrdNe,
            C::FOrdLt,
            C::FOrdLe,
            C::FUnordEq,
            C::FUnordNe,
            C::FUnordLt,
            C::FUnordLe,
            C::Ordered,
            C::Unordered,
        ];
        for op in ops {
            let name = format!("{op:?} of {kind:?}");
            for last in [Last::Own, Last::Same, Last::Constant(float(kind, -0.7))] {
                compare(&name, &[kind; 2], Kind::Bool, last, true, &|r, x| {
                    Inst::Compare(op, kind, r, [x[0], x[1]])
                });
            }
        }
        use FloatClass as T;
        for test in [T::Infinite, T::Nan, T::Finite, T::Normal, T::Negative] {
            let name = format!("{test:?} of {kind:?}");
            compare(&name, &[kind], Kind::Bool, Last::Own, true, &|result, x| Inst::Classify {
                test,
                kind,
                result,
                x: x[0],
            });
        }
    }
}

#[test]
fn integers() {
    use IntOp as I;
    if !is_available() {
        return;
    }
    let ops = [
        I::Add,
        I::Sub,
        I::Mul,
        I::UDiv,
        I::SDiv,
        I::URem,
        I::SRem,
        I::SMod,
        I::Shl,
        I::LShr,
        I::AShr,
        I::And,
        I::Or,
        I::Xor,
        I::UMin,
        I::UMax,
        I::SMin,
        I::SMax,
        I::UAddSat,
        I::SAddSat,
        I::USubSat,
        I::SSubSat,
        I::UMulHigh,
        I::SMulHigh,
        I::UAverage,
        I::SAverage,
        I::URoundedAverage,
        I::SRoundedAverage,
        I::UAbsDiff,
        I::SAbsDiff,
        I::Rotate,
        I::UCarry,
        I::UBorrow,
    ];
    for kind in INTEGERS {
        let ones = u64::MAX >> (64 - 8 * kind.size());
        for op in ops {
            let name = format!("{op:?} of {kind:?}");
            let mut lasts = vec![Last::Own, Last::Same, Last::Constant(7)];
            if matches!(op, I::UDiv | I::SDiv | I::URem | I::SRem | I::SMod) {
                let divisors = [0, 1, 2, 3, 10, 16, 641, ones / 2, ones / 2 + 1, ones - 9, ones - 1, ones];
                lasts.extend(divisors.map(|bits| Last::Constant(bits & ones)));
            }
            for last in lasts {
                compare(&name, &[kind; 2], kind, last, true, &|r, x| Inst::Int(op, kind, r, [x[0], x[1]]));
            }
        }
        use IntUnary as U;
        let ops = [U::Neg, U::Not, U::SAbs, U::LeadingZeros, U::TrailingZeros, U::CountOnes, U::ReverseBits];
        for op in ops {
            let name = format!("{op:?} of {kind:?}");
            for last in [Last::Own, Last::Same] {
                compare(&name, &[kind], kind, last, true, &|r, x| Inst::IntUnary(op, kind, r, x[0]));
            }
        }
        use CompareOp as C;
        for op in [C::Eq, C::Ne, C::ULt, C::ULe, C::SLt, C::SLe] {
            let name = format!("{op:?} of {kind:?}");
            for last in [Last::Own, Last::Same, Last::Constant(ones - 6)] {
                compare(&name, &[kind; 2], Kind::Bool, last, true, &|r, x| {
                    Inst::Compare(op, kind, r, [x[0], x[1]])
                });
            }
        }
    }
}

#[test]
fn conversions() {
    use ConvertOp as C;
    if !is_available() {
        return;
    }
    let convert = |op: ConvertOp, from: Kind, to: Kind| {
        let name = format!("{op:?} from {from:?} to {to:?}");
        for last in [Last::Own, Last::Same] {
            compare(&name, &[from], to, last, true, &|r, x| Inst::Convert(op, from, to, r, x[0]));
        }
    };
    for integer in INTEGERS {
        for to in INTEGERS {
            convert(C::Zext, integer, to);
            convert(C::Sext, integer, to);
        }
        for float in FLOATS {
            convert(C::UToF, integer, float);
            convert(C::SToF, integer, float);
            convert(C::FToU, float, integer);
            convert(C::FToS, float, integer);
        }
    }
    for (from, to) in [
        (Kind::F32, Kind::F64),
        (Kind::F64, Kind::F32),
        (Kind::F16, Kind::F32),
        (Kind::F32, Kind::F16),
        (Kind::F64, Kind::F16),
    ] {
        convert(C::FToF, from, to);
    }
}

#[test]
fn collectives() {
    use Combine as C;
    let integers = [C::Add, C::UMin, C::UMax, C::SMin, C::SMax, C::And, C::Or, C::Xor, C::Mul];
    let extents = [Extent::All, Extent::UpTo, Extent::Before];
    let folds = INTEGERS.into_iter().flat_map(|kind| integers.map(|combine| (kind, combine, true)));
    let floats = FLOATS
        .into_iter()
        .flat_map(|kind| [C::FAdd, C::FMul, C::FMin, C::FMax].map(|combine| (kind, combine, true)));
    let bools = [(Kind::Bool, C::And, true), (Kind::Bool, C::Or, true)];
    for (kind, combine, is_native) in folds.chain(floats).chain(bools) {
        for extent in extents {
            let is_native = is_native && (extent == Extent::All || kind != Kind::Bool);
            let name = format!("{combine:?} of {kind:?}, {extent:?}");
            if kind != Kind::Bool {
                let fold = |result, x: &[Value]| Inst::Fold { combine, extent, kind, result, x: x[0] };
                compare(&name, &[kind], kind, Last::Own, is_native, &fold);
                continue;
            }
            for op in [CompareOp::Ne, CompareOp::ULt, CompareOp::Eq] {
                let fold = |builder: &mut Builder, result, operands: &[Value]| {
                    let x = builder.value(kind);
                    let ask = Inst::Compare(op, Kind::I32, x, [operands[0], operands[1]]);
                    vec![ask, Inst::Fold { combine, extent, kind, result, x }]
                };
                compare_several(&name, &[Kind::I32; 2], kind, Last::Same, is_native, &fold);
            }
        }
    }
    for kind in [Kind::I8, Kind::I16, Kind::I32, Kind::I64, Kind::F32, Kind::F64] {
        for last in [Last::Own, Last::Same, Last::Constant(3), Last::Constant(16)] {
            let name = format!("shuffle of {kind:?}");
            compare(&name, &[kind, Kind::I32], kind, last, true, &|r, x| {
                Inst::Shuffle(kind, r, [x[0], x[1]])
            });
        }
    }
}

#[test]
fn atomic_instructions() {
    use AtomicOp as A;
    let ops = [
        A::Load,
        A::Store,
        A::Exchange,
        A::CompareExchange,
        A::Add,
        A::Sub,
        A::And,
        A::Or,
        A::Xor,
        A::UMin,
        A::UMax,
        A::SMin,
        A::SMax,
    ];
    for kind in [Kind::I32, Kind::I64] {
        for (op, space) in ops.into_iter().flat_map(|op| [(op, Space::Local), (op, Space::Global)]) {
            let name = format!("{op:?} of {kind:?} in {space:?}");
            // The first operand says where, in local memory or in the memory of that operand itself.
            let compute = |builder: &mut Builder, result, x: &[Value]| {
                let place = if space == Space::Local { Preset::Local(0) } else { Preset::Argument(8) };
                let base = builder.preset(Kind::I64, place);
                let (index, address) = (builder.value(Kind::I64), builder.value(Kind::I64));
                let operands = [x[1], x[1]];
                vec![
                    Inst::Convert(ConvertOp::Zext, Kind::I8, Kind::I64, index, x[0]),
                    Inst::Address { result: address, base, index, scale: kind.size().into(), offset: 0 },
                    Inst::Atomic { op, kind, space, result, address, operands, site: Site(3) },
                ]
            };
            for last in [Last::Own, Last::Constant(5)] {
                compare_several(&name, &[Kind::I8, kind], kind, last, true, &compute);
            }
        }
    }
}

#[test]
fn sums_of_floats() {
    for kind in [Kind::F32, Kind::F64] {
        let ops = [AtomicOp::FAdd, AtomicOp::Load, AtomicOp::Exchange];
        for (op, space) in ops.into_iter().flat_map(|op| [(op, Space::Local), (op, Space::Global)]) {
            let compute = |builder: &mut Builder, result, x: &[Value]| {
                let place = if space == Space::Local { Preset::Local(0) } else { Preset::Argument(16) };
                let base = builder.preset(Kind::I64, place);
                let (index, address) = (builder.value(Kind::I64), builder.value(Kind::I64));
                let (scale, operands) = (kind.size().into(), [x[1]; 2]);
                vec![
                    Inst::Convert(ConvertOp::Zext, Kind::I8, Kind::I64, index, x[0]),
                    Inst::Address { result: address, base, index, scale, offset: 0 },
                    Inst::Atomic { op, kind, space, result, address, operands, site: Site(3) },
                ]
            };
            let name = format!("{op:?} of {kind:?} in {space:?}");
            compare_several(&name, &[Kind::I8, kind], kind, Last::Own, true, &compute);
        }
    }
}

/// Where an index of 32 bits comes from.
#[derive(Clone, Copy, Debug)]
enum Index {
    /// From 0 to 255.
    Unsigned,
    /// From -128 to 127.
    Signed,
    /// The same in a smaller number.
    Small,
}

/// The address of one of 256 numbers of a size, from the place of the first on.
fn at_index(
    builder: &mut Builder,
    index: Index,
    x: Value,
    base: Preset,
    size: i64,
    insts: &mut Vec<Inst>,
) -> Value {
    let base = builder.preset(Kind::I64, base);
    let [less, ones] = [128, 255].map(|bits| builder.preset(Kind::I32, Preset::Constant(bits)));
    let [small, low, moved] = [Kind::I8, Kind::I32, Kind::I32].map(|kind| builder.value(kind));
    let [wide, address] = [(); 2].map(|()| builder.value(Kind::I64));
    let mut offset = 0;
    match index {
        Index::Unsigned => {
            insts.push(Inst::Int(IntOp::And, Kind::I32, low, [x, ones]));
            insts.push(Inst::Convert(ConvertOp::Zext, Kind::I32, Kind::I64, wide, low));
        }
        Index::Signed => {
            offset = 128 * size;
            insts.push(Inst::Int(IntOp::And, Kind::I32, low, [x, ones]));
            insts.push(Inst::Int(IntOp::Sub, Kind::I32, moved, [low, less]));
            insts.push(Inst::Convert(ConvertOp::Sext, Kind::I32, Kind::I64, wide, moved));
        }
        Index::Small => {
            insts.push(Inst::Convert(ConvertOp::Zext, Kind::I32, Kind::I8, small, x));
            insts.push(Inst::Convert(ConvertOp::Zext, Kind::I8, Kind::I64, wide, small));
        }
    }
    insts.push(Inst::Address { result: address, base, index: wide, scale: size, offset });
    address
}

const MEMORY_KINDS: [Kind; 7] = [Kind::I8, Kind::I16, Kind::I32, Kind::I64, Kind::F16, Kind::F32, Kind::F64];

#[test]
fn loads_and_stores_by_indices() {
    for (kind, index) in MEMORY_KINDS
        .into_iter()
        .flat_map(|kind| [Index::Unsigned, Index::Signed, Index::Small].map(|index| (kind, index)))
    {
        let size = i64::from(kind.size());
        let load = |builder: &mut Builder, result, x: &[Value]| {
            let mut insts = Vec::new();
            let address = at_index(builder, index, x[0], Preset::Argument(16), size, &mut insts);
            insts.push(Inst::Load { kind, space: Space::Global, result, address, site: Site(3) });
            insts
        };
        let name = format!("load of {kind:?} by {index:?}");
        compare_several(&name, &[Kind::I32, kind], kind, Last::Own, true, &load);
        let store = |builder: &mut Builder, result, x: &[Value]| {
            let mut insts = Vec::new();
            let (space, site) = (Space::Local, Site(3));
            let address = at_index(builder, index, x[0], Preset::Local(0), size, &mut insts);
            insts.push(Inst::Store { kind, space, value: x[1], address, site });
            insts.push(Inst::Load { kind, space, result, address, site });
            insts
        };
        let name = format!("store of {kind:?} by {index:?}");
        for last in [Last::Own, Last::Same] {
            compare_several(&name, &[Kind::I32, kind], kind, last, true, &store);
        }
    }
}

/// An address is needed after a barrier, but not the index that it was made of.
#[test]
fn addresses_outlive_barriers() {
    for kind in [Kind::I32, Kind::F64] {
        let size = kind.size();
        let mut made = program(&[Kind::I32, kind], kind, Last::Own, &|builder, result, x| {
            let mut insts = Vec::new();
            let base = Preset::Argument(16);
            let address = at_index(builder, Index::Unsigned, x[0], base, size.into(), &mut insts);
            insts.push(Inst::Load { kind, space: Space::Global, result, address, site: Site(3) });
            insts
        });
        let edge = |block| Edge { target: BlockId(block), moves: Vec::new() };
        let is_last = |inst: &Inst| matches!(inst, Inst::Load { site: Site(3), .. });
        let place = made.blocks[1].insts.iter().position(is_last).unwrap();
        let rest = made.blocks[1].insts.split_off(place);
        made.blocks[0].terminator = Terminator::Jump(edge(1));
        made.blocks[1].terminator = Terminator::Barrier { site: Site(9), next: edge(2) };
        made.blocks.insert(2, Block { insts: rest, terminator: Terminator::Jump(edge(3)) });
        let kernel = Arc::new(Kernel::new(made, None).unwrap());
        let (items, mut random) = (8 * GROUP as usize, Random(5));
        let mut bytes = |count: usize| (0..count).map(|_| random.next() as u8).collect::<Vec<u8>>();
        let inputs = [vec![1; items], bytes(4 * items), bytes(size as usize * items)];
        let length = size as usize * items;
        let expected = run(&kernel, &Executor::Interpreter, &inputs, length, [8, GROUP]);
        for target in [Target::Avx512, Target::Avx2].into_iter().filter(|target| target.is_available()) {
            let native = Native::new(&kernel.program, [GROUP, 1, 1], target, Switches::default()).unwrap();
            let own = run(&kernel, &Executor::Native(Arc::new(native)), &inputs, length, [8, GROUP]);
            assert!(own == expected, "{kind:?} by {target:?}");
        }
    }
}

/// Small numbers at other distances than their size.
#[test]
fn small_numbers_that_are_apart() {
    let bytes = [0, 2, 3, 4, 5, 8, 9].map(|scale| (Kind::I8, scale));
    let pairs = [3, 4, 6, 7, 8, 12].map(|scale| (Kind::I16, scale));
    for (kind, scale) in bytes.into_iter().chain(pairs).chain([(Kind::F16, 6)]) {
        let compute = |builder: &mut Builder, result, x: &[Value]| {
            let base = builder.preset(Kind::I64, Preset::Local(8));
            let lane = builder.preset(Kind::I64, Preset::BuiltIn(BuiltIn::LocalId(0)));
            let address = builder.value(Kind::I64);
            let (space, site) = (Space::Local, Site(3));
            vec![
                Inst::Address { result: address, base, index: lane, scale, offset: 3 },
                Inst::Store { kind, space, value: x[0], address, site },
                Inst::Load { kind, space, result, address, site },
            ]
        };
        let name = format!("{kind:?} every {scale} bytes");
        for last in [Last::Own, Last::Same] {
            compare_several(&name, &[kind], kind, last, true, &compute);
        }
    }
}

/// Elements of an array of each work-item's own, at places that are its own or the same for all.
#[test]
fn private_memory_by_indices() {
    for kind in MEMORY_KINDS {
        let compute = |builder: &mut Builder, result, x: &[Value]| {
            let base = builder.preset(Kind::I64, Preset::Private { start: 8, size: 64 });
            let [one, seven] = [1, 7].map(|bits| builder.preset(Kind::I32, Preset::Constant(bits)));
            let (space, site) = (Space::Private, Site(3));
            let number = x[1];
            let mut insts = Vec::new();
            let mut last = base;
            for index in [number, one] {
                let [sum, low] = [(); 2].map(|()| builder.value(Kind::I32));
                let [wide, address] = [(); 2].map(|()| builder.value(Kind::I64));
                insts.push(Inst::Int(IntOp::Add, Kind::I32, sum, [number, index]));
                insts.push(Inst::Int(IntOp::And, Kind::I32, low, [sum, seven]));
                insts.push(Inst::Convert(ConvertOp::Zext, Kind::I32, Kind::I64, wide, low));
                let scale = kind.size().into();
                insts.push(Inst::Address { result: address, base, index: wide, scale, offset: 0 });
                insts.push(Inst::Store { kind, space, value: x[0], address, site });
                last = address;
            }
            insts.push(Inst::Load { kind, space, result, address: last, site });
            insts
        };
        let name = format!("private memory of {kind:?}");
        for last in [Last::Own, Last::Same] {
            compare_several(&name, &[kind, Kind::I32], kind, last, true, &compute);
        }
    }
}

/// What is unused of operations on one place is not there to be seen, but what they leave is.
#[test]
fn atomic_instructions_on_one_place() {
    use AtomicOp as A;
    let ops = [A::Store, A::Add, A::Sub, A::And, A::Or, A::Xor, A::UMin, A::UMax, A::SMin, A::SMax];
    for (kind, op) in [Kind::I32, Kind::I64].into_iter().flat_map(|kind| ops.map(|op| (kind, op))) {
        for space in [Space::Local, Space::Global] {
            let compute = |builder: &mut Builder, result, x: &[Value]| {
                let place = if space == Space::Local { Preset::Local(0) } else { Preset::Argument(16) };
                let (address, unused) = (builder.preset(Kind::I64, place), builder.value(kind));
                let operands = [x[1], x[1]];
                vec![
                    Inst::Atomic { op, kind, space, result: unused, address, operands, site: Site(3) },
                    Inst::Load { kind, space, result, address, site: Site(4) },
                ]
            };
            for last in [Last::Own, Last::Same, Last::Constant(5)] {
                let name = format!("{op:?} of {kind:?} on one place in {space:?}");
                compare_several(&name, &[Kind::I8, kind], kind, last, true, &compute);
            }
        }
    }
}

/// Where all lanes are there and nobody asks for what was there, each lane has an instruction of its own.
#[test]
fn atomic_instructions_of_all_lanes() {
    use AtomicOp as A;
    let ops = [A::Add, A::Sub, A::And, A::Or, A::Xor, A::UMax];
    for (kind, op) in [Kind::I32, Kind::I64].into_iter().flat_map(|kind| ops.map(|op| (kind, op))) {
        let compute = |builder: &mut Builder, result, x: &[Value]| {
            let (base, unused) = (builder.preset(Kind::I64, Preset::Local(0)), builder.value(kind));
            let (index, address) = (builder.value(Kind::I64), builder.value(Kind::I64));
            let (space, operands) = (Space::Local, [x[1], x[1]]);
            vec![
                Inst::Convert(ConvertOp::Zext, Kind::I8, Kind::I64, index, x[0]),
                Inst::Address { result: address, base, index, scale: kind.size().into(), offset: 0 },
                Inst::Atomic { op, kind, space, result: unused, address, operands, site: Site(3) },
                Inst::Load { kind, space, result, address, site: Site(4) },
            ]
        };
        for last in [Last::Own, Last::Same, Last::Constant(5)] {
            let name = format!("{op:?} of {kind:?} by all lanes");
            compare_in_groups(48, &name, &[Kind::I8, kind], kind, last, true, &compute);
        }
    }
}

#[test]
fn arithmetic_of_halves() {
    for op in [FloatOp::Add, FloatOp::Mul, FloatOp::Div] {
        let compute = |builder: &mut Builder, result, x: &[Value]| {
            let wide = [(); 3].map(|()| builder.value(Kind::F32));
            vec![
                Inst::Convert(ConvertOp::FToF, Kind::F16, Kind::F32, wide[0], x[0]),
                Inst::Convert(ConvertOp::FToF, Kind::F16, Kind::F32, wide[1], x[1]),
                Inst::Float(op, Kind::F32, wide[2], [wide[0], wide[1]]),
                Inst::Convert(ConvertOp::FToF, Kind::F32, Kind::F16, result, wide[2]),
            ]
        };
        let name = format!("{op:?} of halves");
        for last in [Last::Own, Last::Same, Last::Constant(0x4100)] {
            compare_several(&name, &[Kind::F16; 2], Kind::F16, last, true, &compute);
        }
    }
}

/// `if i >= 5 { x[i - 5] }` with numbers of 32 bits, which wrap in the lanes that do not come.
#[test]
fn addresses_that_wrap_where_nobody_is() {
    for kind in [Kind::F32, Kind::I64] {
        let shifted = |builder: &mut Builder, argument: u32, offset: i64| {
            let id = builder.preset(Kind::I64, Preset::BuiltIn(BuiltIn::GlobalId(0)));
            let five = builder.preset(Kind::I32, Preset::Constant(5));
            let [low, less] = [(); 2].map(|()| builder.value(Kind::I32));
            let [index, address] = [(); 2].map(|()| builder.value(Kind::I64));
            let base = builder.preset(Kind::I64, Preset::Argument(8 * argument));
            builder.insts.push(Inst::Convert(ConvertOp::Zext, Kind::I64, Kind::I32, low, id));
            builder.insts.push(Inst::Int(IntOp::Sub, Kind::I32, less, [low, five]));
            builder.insts.push(Inst::Convert(ConvertOp::Zext, Kind::I32, Kind::I64, index, less));
            let scale = kind.size().into();
            builder.insts.push(Inst::Address { result: address, base, index, scale, offset });
            address
        };
        let items = 2 * GROUP as usize;
        let size = kind.size() as usize;
        let behind = (items * size) as i64;
        let made = program(&[kind], kind, Last::Own, &|builder, result, x| {
            let from = shifted(builder, 1, 0);
            let space = Space::Global;
            builder.insts.push(Inst::Load { kind, space, result, address: from, site: Site(3) });
            let to = shifted(builder, 2, behind);
            vec![Inst::Store { kind, space, value: x[0], address: to, site: Site(4) }]
        });
        let kernel = Arc::new(Kernel::new(made, None).unwrap());
        let flags = (0..items).map(|item| u8::from(item >= 5 && item % 7 != 0)).collect();
        let inputs: [Vec<u8>; 2] = [flags, (0..items * size).map(|byte| byte as u8).collect()];
        let expected = run(&kernel, &Executor::Interpreter, &inputs, 2 * items * size, [2, GROUP]);
        for target in [Target::Avx512, Target::Avx2].into_iter().filter(|target| target.is_available()) {
            for off in ["", "wraps"] {
                let switches = Switches::without(off).unwrap();
                let native = Native::new(&kernel.program, [GROUP, 1, 1], target, switches).unwrap();
                assert!(native.interpreted().is_empty());
                let own =
                    run(&kernel, &Executor::Native(Arc::new(native)), &inputs, 2 * items * size, [2, GROUP]);
                assert_eq!(own, expected, "{kind:?} for {target:?} without {off:?}");
            }
        }
    }
}

#[test]
fn floats_may_be_kept_as_integers() {
    for (kind, bits) in [(Kind::F32, Kind::I32), (Kind::F64, Kind::I64)] {
        for last in [Last::Own, Last::Same, Last::Constant(float(kind, 1.5))] {
            let exp = |result, x: &[Value]| Inst::Math(MathOp::Exp, kind, result, [x[0]; 3]);
            compare("the exponential of bits", &[bits], kind, last, true, &exp);
            let step = |result, x: &[Value]| Inst::Math(MathOp::Step, kind, result, [x[0], x[1], x[1]]);
            compare("a step of bits", &[bits; 2], bits, last, true, &step);
            let rest = |result, x: &[Value]| Inst::Float(FloatOp::Rem, kind, result, [x[0], x[1]]);
            compare("a remainder of bits", &[bits; 2], kind, last, kind == Kind::F32, &rest);
        }
    }
}
