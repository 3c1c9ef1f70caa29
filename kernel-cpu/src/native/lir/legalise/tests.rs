//! Each instruction and its replacement on the same operands: on processors with AVX-512, which can execute both.

use super::super::{Anchor, Class, Code, Constants, Effort, End, Function, How, Inst, Place, Role, Var};
use super::has;
use crate::native::code::Executable;
use crate::native::encode::{self as rows, Family, Row};
use crate::native::target::Target;
use iced_x86::{CpuidFeature, Instruction};

/// Whether an instruction is one of processors with AVX2.
pub(in crate::native) fn is_allowed(instruction: &Instruction) -> bool {
    use CpuidFeature as F;
    instruction.cpuid_features().iter().all(|feature| {
        matches!(
            feature,
            F::INTEL8086
                | F::INTEL186
                | F::INTEL286
                | F::INTEL386
                | F::INTEL486
                | F::X64
                | F::CMOV
                | F::SSE
                | F::SSE2
                | F::AVX
                | F::AVX2
                | F::FMA
                | F::F16C
                | F::BMI1
                | F::BMI2
                | F::LZCNT
                | F::POPCNT
        )
    })
}

/// Where the operands are in the memory of a run, and where the results come.
const INPUTS: [i32; 3] = [64, 128, 192];
const MASK: i32 = 256;
const VECTOR: i32 = 320;
const RESULT_MASK: i32 = 384;
const GENERAL: i32 = 392;
const ADDRESS: i32 = 400;
const SIZE: usize = 1024;
/// Memory for loads and stores.
const HEAP: i32 = 512;

/// The memory of a run.
#[derive(Clone, PartialEq)]
#[repr(C, align(64))]
struct Memory([u8; SIZE]);

impl Memory {
    fn put(&mut self, at: i32, bytes: &[u8]) {
        self.0[at as usize..][..bytes.len()].copy_from_slice(bytes);
    }
}

/// Numbers without order, always the same ones.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Eight lanes of 64 bits or sixteen of 32, many of them at the borders of what numbers are.
    fn vector(&mut self) -> [u8; 64] {
        const FLOATS: [f32; 14] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            1.5,
            -0.75,
            2_147_483_648.0,
            4_294_967_296.0,
            4_294_967_040.0,
            -2_147_483_648.0,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            f32::MIN_POSITIVE,
        ];
        let mut bytes = [0; 64];
        let style = self.next() % 6;
        for lane in bytes.chunks_exact_mut(8) {
            let number = self.next();
            let choice = (number >> 60) as usize;
            let float = FLOATS[choice % FLOATS.len()];
            let bits = match style {
                0 => number,
                1 => number % 67,
                2 => [0, 1, u64::MAX, 1 << 63, i64::MAX as u64, 0xffff_ffff, 1 << 32, 1 << 31][choice % 8],
                3 => f64::from(float).to_bits(),
                4 => u64::from(float.to_bits()) << 32 | u64::from(FLOATS[choice % 7].to_bits()),
                _ => number >> (choice * 4) | u64::from((number as u32) >> (choice * 2)),
            };
            lane.copy_from_slice(&bits.to_le_bytes());
        }
        bytes
    }

    fn memory(&mut self) -> Memory {
        let mut memory = Memory([0; SIZE]);
        for at in INPUTS {
            let vector = self.vector();
            memory.put(at, &vector);
        }
        let mask = match self.next() % 4 {
            0 => u32::MAX,
            1 => 0,
            _ => self.next() as u32,
        };
        let mask = mask.to_le_bytes();
        memory.put(MASK, &mask);
        for at in (HEAP..SIZE as i32).step_by(64) {
            let vector = self.vector();
            memory.put(at, &vector);
        }
        memory
    }
}

/// A function under construction.
struct Builder {
    function: Function,
    constants: Constants,
}

impl Builder {
    fn new() -> Self {
        let mut function = Function::default();
        let start = function.block(false);
        function.stand(start);
        function.end(start, End::Return);
        Self { function, constants: Constants::default() }
    }

    fn push(&mut self, inst: Inst) {
        self.function.push(super::Block(0), inst);
    }

    fn var(&mut self, class: Class) -> Var {
        self.function.var(class)
    }

    fn load(&mut self, at: i32) -> Var {
        let var = self.var(Class::Vector);
        self.push(Inst::row(rows::MOVDQU32).def(var).at(context(at)));
        var
    }

    fn mask(&mut self) -> Var {
        let var = self.var(Class::Mask);
        self.push(Inst::row(rows::KMOV).def(var).at(context(MASK)));
        var
    }

    /// Stores a result, whatever it is.
    fn keep(&mut self, result: Var) {
        let (row, at) = match self.function.classes[result.0 as usize] {
            Class::Vector => (rows::MOVDQU32_STORE, VECTOR),
            Class::Mask => (rows::KMOV_STORE, RESULT_MASK),
            Class::General => (rows::MOV64_STORE, GENERAL),
        };
        self.push(Inst::row(row).register(result).at(context(at)).effect());
    }

    fn compile(mut self, target: Target) -> Executable {
        let code = self
            .function
            .finish(target, &mut self.constants, 0, 0, &[Effort::FAST])
            .expect("it has a replacement");
        Executable::new(&code.bytes).expect("there is memory")
    }
}

fn context(at: i32) -> Place {
    Place::at(Anchor::Context, at)
}

/// Compares what a function does on both kinds of processors.
fn check(name: &str, build: impl Fn(&mut Builder)) {
    if !Target::Avx512.is_available() {
        eprintln!("this processor has no AVX-512 to compare with: {name} is not tested");
        return;
    }
    let code = [Target::Avx512, Target::Avx2].map(|target| {
        let mut builder = Builder::new();
        build(&mut builder);
        builder.compile(target)
    });
    let mut numbers = Numbers(7);
    for round in 0..48 {
        let start = numbers.memory();
        let [wide, narrow] = [0, 1].map(|which| {
            let mut memory = start.clone();
            let address = memory.0.as_mut_ptr().addr() as u64 + HEAP as u64;
            memory.put(ADDRESS, &address.to_le_bytes());
            // SAFETY: the code is a function with this argument, and stays within the memory.
            unsafe {
                let function: unsafe extern "sysv64" fn(*mut u8) = std::mem::transmute(code[which].start());
                function(memory.0.as_mut_ptr());
            }
            memory
        });
        let bytes = |memory: &Memory| memory.0[VECTOR as usize..ADDRESS as usize].to_vec();
        let lanes = |memory: &Memory| -> Vec<String> {
            let all = bytes(memory);
            all.chunks(8)
                .map(|lane| format!("{:016x}", u64::from_le_bytes(lane.try_into().unwrap())))
                .collect()
        };
        let input = |at: i32| {
            let all = &start.0[at as usize..][..64];
            let lanes = all.chunks(8).map(|lane| u64::from_le_bytes(lane.try_into().unwrap()));
            lanes.map(|lane| format!("{lane:016x}")).collect::<Vec<_>>()
        };
        assert!(
            bytes(&wide) == bytes(&narrow) && wide.0[HEAP as usize..] == narrow.0[HEAP as usize..],
            "{name}, round {round}: {:?}\n{:?}\nof {:?}",
            lanes(&wide),
            lanes(&narrow),
            INPUTS.map(input)
        );
    }
}

/// How a row gets its mask.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Masking {
    None,
    Zero,
    Merge,
}

/// Where its last operand is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Last {
    Register,
    Memory,
    Broadcast,
    Constant,
}

fn has_mask_result(row: Row) -> bool {
    ["vcmp", "vpcmp", "vptest", "vfpclass"].iter().any(|start| row.name.starts_with(start))
}

/// Where results are: only so many of the low lanes of 32 bits are, and the others are not looked at.
fn builds(
    row: Row,
    has_second: bool,
    is_update: bool,
    immediate: i32,
    masking: Masking,
    last: Last,
) -> impl Fn(&mut Builder) {
    move |builder| {
        let (a, b, c) = (builder.load(INPUTS[0]), builder.load(INPUTS[1]), builder.load(INPUTS[2]));
        let is_mask = has_mask_result(row);
        let result = builder.var(if is_mask { Class::Mask } else { Class::Vector });
        let mask = if masking == Masking::None { None } else { Some(builder.mask()) };
        let is_shift = row.extension.is_some();
        let mut inst = Inst::row(row).imm(immediate);
        inst = if is_shift {
            inst.op(result, How::Def, Role::Second)
        } else if is_update || masking == Masking::Merge && !is_mask {
            inst.update(result, c)
        } else {
            inst.def(result)
        };
        if has_second {
            inst = inst.second(a);
        }
        inst = match last {
            Last::Register => inst.last(b),
            Last::Memory => inst.at(context(INPUTS[1])),
            Last::Broadcast => inst.at(context(INPUTS[1] + 8).broadcast()),
            Last::Constant => {
                let place = if row.wide {
                    builder.constants.place(&0x4008_0000_0000_0003_u64.to_le_bytes())
                } else {
                    builder.constants.place(&3.5_f32.to_le_bytes())
                };
                inst.at(Place::at(Anchor::Constant(place), 0).broadcast())
            }
        };
        inst = match masking {
            Masking::None => inst,
            Masking::Zero if !is_mask => inst.zero(mask),
            _ => inst.merge(mask),
        };
        assert!(has(&inst), "{} {masking:?} {last:?}", row.name);
        builder.push(inst);
        builder.keep(result);
    }
}

/// The numbers with which a row is tried.
fn immediates(row: Row) -> &'static [i32] {
    match row {
        rows::RNDSCALEPS | rows::RNDSCALEPD => &[8, 9, 10, 11],
        rows::CMPPS | rows::CMPPD => &[0, 4, 3, 7, 8, 12, 0x11, 0x12, 0x19, 0x1a, 0x1d, 0x0d],
        rows::PCMPD | rows::PCMPUD | rows::PCMPQ | rows::PCMPUQ => &[0, 1, 2, 4, 5, 6],
        rows::FPCLASSPS | rows::FPCLASSPD => &[0x18, 0x81, 0x99, 0xbf],
        rows::PSHUFD | rows::PERMQ => &[0x4e, 0xb1, 0x1b],
        _ if row.extension.is_some() => &[1, 7, 31, 63],
        _ => &[0],
    }
}

/// Rows with two sources and with one.
fn arithmetic() -> Vec<(Row, bool)> {
    use rows::*;
    const TWO: &[Row] = &[
        ADDPS,
        SUBPS,
        MULPS,
        DIVPS,
        MINPS,
        MAXPS,
        ADDPD,
        SUBPD,
        MULPD,
        DIVPD,
        MINPD,
        MAXPD,
        CMPPS,
        CMPPD,
        PADDD,
        PSUBD,
        PMULLD,
        PADDQ,
        PSUBQ,
        PMULLQ,
        PANDD,
        PANDND,
        PORD,
        PXORD,
        PMINUD,
        PMAXUD,
        PMINSD,
        PMAXSD,
        PMINUQ,
        PMAXUQ,
        PMINSQ,
        PMAXSQ,
        PSLLVD,
        PSRLVD,
        PSRAVD,
        PSLLVQ,
        PSRLVQ,
        PSRAVQ,
        PCMPD,
        PCMPUD,
        PCMPQ,
        PCMPUQ,
        PTESTMD,
        PTESTMQ,
        PROLVD,
        PROLVQ,
        PANDQ,
        PORQ,
        PXORQ,
        PMULUDQ,
        PMULDQ,
        PADDB,
        PSHUFB,
        PSADBW,
        PMADDUBSW,
        PMADDWD,
        FMADD132PS,
        FMADD132PD,
        FMADD213PS,
        FMADD213PD,
        FMADD231PS,
        FMADD231PD,
        FMSUB132PS,
        FMSUB132PD,
        FMSUB213PS,
        FMSUB213PD,
        FMSUB231PS,
        FMSUB231PD,
        FNMADD132PS,
        FNMADD132PD,
        FNMADD213PS,
        FNMADD213PD,
        FNMADD231PS,
        FNMADD231PD,
    ];
    const ONE: &[Row] = &[
        PSHUFD, PERMQ, SQRTPS, SQRTPD, RNDSCALEPS, RNDSCALEPD, FPCLASSPS, FPCLASSPD, PABSD, PABSQ, PSLLD,
        PSRLD, PSRAD, PSLLQ, PSRLQ, PSRAQ, PLZCNTD, PLZCNTQ, CVTDQ2PS, CVTUDQ2PS, CVTTPS2DQ, CVTTPS2UDQ,
        CVTQQ2PD, CVTUQQ2PD, CVTTPD2QQ, CVTTPD2UQQ,
    ];
    TWO.iter().map(|&row| (row, true)).chain(ONE.iter().map(|&row| (row, false))).collect()
}

#[test]
fn all_arithmetic_is_compared() {
    let compared = arithmetic();
    let missing: Vec<&str> = super::table::halved()
        .filter(|row| !compared.iter().any(|(other, _)| other == row))
        .map(|row| row.name)
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn arithmetic_is_the_same() {
    for (row, has_second) in arithmetic() {
        let is_update = row.name.starts_with("vf") && !row.name.starts_with("vfp");
        for &immediate in immediates(row) {
            for masking in [Masking::None, Masking::Zero, Masking::Merge] {
                for last in [Last::Register, Last::Memory, Last::Broadcast, Last::Constant] {
                    let is_shift = row.extension.is_some();
                    let has_memory = matches!(row.family, Family::Evex { memory: 64, .. }) && !is_shift;
                    let is_small = [rows::PADDB, rows::PSHUFB, rows::PSADBW, rows::PMADDUBSW, rows::PMADDWD]
                        .contains(&row);
                    if is_small && (masking != Masking::None || last != Last::Register) {
                        continue;
                    }
                    if last != Last::Register && !has_memory || is_shift && masking == Masking::Merge {
                        continue;
                    }
                    let name = format!("{} {immediate} {masking:?} {last:?}", row.name);
                    check(&name, builds(row, has_second, is_update, immediate, masking, last));
                }
            }
        }
    }
}

#[test]
fn conversions_between_widths_are_the_same() {
    use rows::*;
    for row in
        [PMOVZXDQ, PMOVSXDQ, CVTDQ2PD, CVTUDQ2PD, CVTPS2PD, CVTPD2PS, PMOVZXBD, PMOVZXWD, CVTQQ2PS, CVTUQQ2PS]
    {
        for last in [Last::Register, Last::Memory] {
            for masking in [Masking::None, Masking::Zero] {
                check(row.name, builds(row, false, false, 0, masking, last));
            }
        }
    }
    check("vpmovqd", |builder| {
        let (x, y) = (builder.load(INPUTS[0]), builder.load(INPUTS[1]));
        let [low, high, both, upper] = std::array::from_fn(|_| builder.var(Class::Vector));
        builder.push(Inst::row(PMOVQD).register(x).result_last(low));
        builder.push(Inst::row(EXTRACT_HIGH).register(y).result_last(upper).imm(1));
        builder.push(Inst::row(PMOVZXDQ).def(high).last(upper));
        builder.push(Inst::row(INSERT_HIGH).def(both).second(high).last(low).imm(1));
        builder.keep(both);
    });
}

#[test]
fn permutations_are_the_same() {
    use rows::*;
    for (row, count) in [(VALIGND, 16), (VALIGNQ, 8)] {
        for immediate in 0..count {
            let name = format!("{} {immediate}", row.name);
            check(&name, builds(row, true, false, immediate, Masking::None, Last::Register));
        }
    }
    check("vpermd", builds(PERMD, true, false, 0, Masking::None, Last::Register));
    check("vpermt2d", builds(PERMT2D, true, true, 0, Masking::None, Last::Register));
    for immediate in [0x44, 0xee, 0x88, 0xdd, 0x1b, 0xe4] {
        let build = builds(SHUFFLE_QUARTERS, true, false, immediate, Masking::None, Last::Register);
        check("vshufi64x2", build);
    }
    check("vpermt2q", builds(PERMT2Q, true, true, 0, Masking::None, Last::Register));
}

#[test]
fn halves_are_the_same() {
    use rows::*;
    check("halves", |builder| {
        let x = builder.load(INPUTS[0]);
        let [packed, low, floats, halves, result] = std::array::from_fn(|_| builder.var(Class::Vector));
        builder.push(Inst::row(PMOVDW).register(x).result_last(packed));
        builder.push(Inst::row(CVTPH2PS).def(floats).last(packed));
        builder.push(Inst::row(CVTPS2PH).register(x).result_last(halves).imm(0));
        builder.push(Inst::row(PMOVZXWD).def(low).last(halves));
        builder.push(Inst::row(PXORD).def(result).second(low).last(floats));
        builder.keep(result);
    });
}

#[test]
fn masks_are_the_same() {
    use rows::*;
    for row in [KAND, KANDN, KOR, KXOR, KXNOR, KUNPACK] {
        check(row.name, |builder| {
            let (a, b) = (builder.mask(), builder.var(Class::Mask));
            let bits = builder.var(Class::General);
            builder.push(Inst::row(MOV32).def(bits).at(context(MASK + 2)));
            builder.push(Inst::row(KMOV_FROM_GENERAL).def(b).last(bits));
            let [both, not, half] = std::array::from_fn(|_| builder.var(Class::Mask));
            builder.push(Inst::row(row).def(both).second(a).last(b));
            builder.push(Inst::row(KNOT).def(not).last(both));
            builder.push(Inst::row(KSHIFTR).def(half).last(not).imm(8));
            builder.keep(half);
            let all = builder.var(Class::General);
            builder.push(Inst::row(KMOV_TO_GENERAL).def(all).last(both));
            builder.keep(all);
        });
    }
}

#[test]
fn moves_are_the_same() {
    use rows::*;
    for wide in [false, true] {
        check("blends and broadcasts", |builder| {
            let (a, b, mask) = (builder.load(INPUTS[0]), builder.load(INPUTS[1]), builder.mask());
            let [mixed, sum, all] = std::array::from_fn(|_| builder.var(Class::Vector));
            let first = builder.var(Class::General);
            let choose = if wide { BLENDMQ } else { BLENDMD };
            builder.push(Inst::row(choose).def(mixed).second(a).last(b).merge(Some(mask)));
            let row = if wide { MOVQ_TO_GENERAL } else { MOVD_TO_GENERAL };
            builder.push(Inst::row(row).register(b).op(first, How::Def, Role::Last));
            let row = if wide { BROADCASTQ } else { BROADCASTD };
            builder.push(Inst::row(row).def(all).last(first));
            builder.push(Inst::row(PADDD).def(sum).second(mixed).last(all));
            builder.keep(sum);
        });
        let (load, store) = if wide { (MOVDQU64, MOVDQU64_STORE) } else { (MOVDQU32, MOVDQU32_STORE) };
        check("masked loads and stores", |builder| {
            let (mask, x) = (builder.mask(), builder.var(Class::Vector));
            let y = builder.load(INPUTS[1]);
            builder.push(Inst::row(load).def(x).at(context(HEAP)).zero(Some(mask)));
            builder.keep(x);
            builder.push(Inst::row(store).register(y).at(context(HEAP + 128)).merge(Some(mask)).effect());
        });
    }
    for (load, store) in [(PMOVZXBD, PMOVDB), (PMOVZXWD, PMOVDW)] {
        for masked in [false, true] {
            check("small loads and stores", |builder| {
                let (x, base) = (builder.var(Class::Vector), builder.var(Class::General));
                let mask = masked.then(|| builder.mask());
                let y = builder.load(INPUTS[1]);
                builder.push(Inst::row(MOV64).def(base).at(context(ADDRESS)));
                let place = Place::at(Anchor::Var, 5);
                builder.push(Inst::row(load).def(x).at(place).base(base).zero(mask));
                builder.keep(x);
                let place = Place::at(Anchor::Var, 128);
                builder.push(Inst::row(store).register(y).at(place).base(base).merge(mask).effect());
            });
        }
    }
    check("bytes of masks", |builder| {
        let (mask, bytes, back) = (builder.mask(), builder.var(Class::Vector), builder.var(Class::Mask));
        let ones = Place::at(Anchor::Constant(builder.constants.place(&[1; 64])), 0);
        builder.push(Inst::row(MOVDQU8).def(bytes).at(ones).zero(Some(mask)));
        builder.push(Inst::row(MOVDQU8_STORE).register(bytes).at(context(HEAP)).effect());
        let again = builder.var(Class::Vector);
        builder.push(Inst::row(MOVDQU8).def(again).at(context(HEAP)));
        builder.push(Inst::row(PTESTMB).def(back).second(again).at(ones));
        builder.keep(back);
    });
}

#[test]
fn gathers_and_scatters_are_the_same() {
    use rows::*;
    for (gather, scatter, wide_index) in [
        (GATHERDD, SCATTERDD, false),
        (GATHERDQ, SCATTERDQ, false),
        (GATHERQD, SCATTERQD, true),
        (GATHERQQ, SCATTERQQ, true),
    ] {
        check(gather.name, |builder| {
            let (mask, base) = (builder.mask(), builder.var(Class::General));
            let [index, result] = std::array::from_fn(|_| builder.var(Class::Vector));
            let [spent, spent_again] = std::array::from_fn(|_| builder.var(Class::Mask));
            let (old, lanes) = (builder.load(INPUTS[2]), builder.load(INPUTS[0]));
            builder.push(Inst::row(MOV64).def(base).at(context(ADDRESS)));
            // Not too far, and some of them the same.
            let limit: Vec<u8> =
                if wide_index { 127_u64.to_le_bytes().to_vec() } else { 127_u32.to_le_bytes().to_vec() };
            let limit = limit.repeat(if wide_index { 8 } else { 16 });
            let limit = Place::at(Anchor::Constant(builder.constants.place(&limit)), 0);
            builder.push(Inst::row(PANDD).def(index).second(lanes).at(limit));
            let place = Place { scale: 2, ..Place::at(Anchor::Var, 9) };
            builder.push(
                Inst::row(gather)
                    .update(result, old)
                    .op(spent, How::Reuse(3), Role::Hidden)
                    .op(mask, How::Use, Role::Merge)
                    .at(place)
                    .base(base)
                    .index(index),
            );
            builder.keep(result);
            builder.push(
                Inst::row(scatter)
                    .op(spent_again, How::Reuse(1), Role::Hidden)
                    .op(mask, How::Use, Role::Merge)
                    .register(old)
                    .at(Place::at(Anchor::Var, 200))
                    .base(base)
                    .index(index)
                    .effect(),
            );
        });
    }
}

#[test]
fn a_constant_may_stand_first() {
    for row in [rows::ADDPS, rows::SUBPS, rows::PADDD, rows::MULPS] {
        check(row.name, |builder| {
            let (x, result, constant) =
                (builder.load(INPUTS[0]), builder.var(Class::Vector), builder.var(Class::Vector));
            let place = builder.constants.place(&2.5_f32.to_le_bytes());
            let place = Place::at(Anchor::Constant(place), 0);
            builder.push(Inst::row(rows::BROADCASTSS).def(constant).at(place));
            builder.push(Inst::row(row).def(result).second(constant).last(x));
            builder.keep(result);
        });
    }
}

#[test]
fn branches_ask_for_lanes() {
    use crate::native::encode::Condition;
    check("kortestw", |builder| {
        let mask = builder.mask();
        let [empty, some] = std::array::from_fn(|_| builder.function.block(false));
        let test = Inst::row(rows::KORTEST).register(mask).last(mask);
        let end = End::Branch { test, condition: Condition::Equal, then: empty, otherwise: some };
        builder.function.end(super::Block(0), end);
        for (block, number) in [(empty, 1), (some, 2)] {
            builder.function.stand(block);
            let var = builder.function.var(Class::General);
            builder.function.push(block, Inst::new(Code::Immediate(number)).def(var));
            let store = Inst::row(rows::MOV64_STORE).register(var).at(context(GENERAL)).effect();
            builder.function.push(block, store);
            builder.function.end(block, End::Return);
        }
    });
}
