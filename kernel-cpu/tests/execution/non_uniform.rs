//! What the work-items of a subgroup do together where some of them are elsewhere: GroupNonUniform and its kin.

use crate::assemble::{Assembly, run};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionMode, GroupOperation, Op, StorageClass, Word};

const CAPABILITIES: [Capability; 12] = [
    Capability::GroupNonUniform,
    Capability::GroupNonUniformVote,
    Capability::GroupNonUniformArithmetic,
    Capability::GroupNonUniformBallot,
    Capability::GroupNonUniformShuffle,
    Capability::GroupNonUniformShuffleRelative,
    Capability::GroupNonUniformClustered,
    Capability::GroupNonUniformRotateKHR,
    Capability::GroupNonUniformQuad,
    Capability::SubgroupVoteKHR,
    Capability::SubgroupBallotKHR,
    Capability::SubgroupDispatch,
];

const EXTENSIONS: [&str; 3] = ["SPV_KHR_subgroup_rotate", "SPV_KHR_subgroup_vote", "SPV_KHR_shader_ballot"];

const SUBGROUP_SIZES: [u32; 3] = [8, 16, 32];

/// How many words each work-item leaves.
const WORDS: u64 = 8;

/// What a lane that is here sees of those that are: its own number, and for each lane the word that it has taken, if it is here.
struct Seen<'s> {
    lane: usize,
    words: &'s [Option<u32>],
}

impl Seen<'_> {
    fn own(&self) -> u32 {
        self.words[self.lane].unwrap()
    }

    fn here(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.words.iter().enumerate().filter_map(|(lane, word)| Some((lane, (*word)?)))
    }

    /// The word of another lane, and its own where there is none.
    fn of(&self, lane: usize) -> u32 {
        self.words.get(lane).copied().flatten().unwrap_or(self.own())
    }

    fn mask(&self, holds: impl Fn(u32) -> bool) -> u32 {
        self.here().filter(|(_, word)| holds(*word)).fold(0, |mask, (lane, _)| mask | 1 << lane)
    }
}

/// Has a kernel whose body `make` makes of the word of each work-item leave words, which are `expected` where its lane is here; the lanes whose word is a multiple of three are elsewhere.
fn check(make: impl Fn(&mut Assembly, Word), expected: impl Fn(&Seen<'_>) -> Vec<u32>) {
    for size in SUBGROUP_SIZES {
        for divergent in [false, true] {
            let mut assembly = Assembly::new(&CAPABILITIES, &EXTENSIONS);
            assembly.begin();
            assembly.mode(ExecutionMode::SubgroupSize, &[size]);
            let word = assembly.word(1, 0);
            if divergent {
                let (three, zero) = (assembly.constant(3), assembly.constant(0));
                let (u32, bool) = (assembly.u32, assembly.bool);
                let b = &mut assembly.builder;
                let (there, merge) = (b.id(), b.id());
                let rest = b.u_mod(u32, None, word, three).unwrap();
                let is_here = b.i_not_equal(bool, None, rest, zero).unwrap();
                b.branch_conditional(is_here, there, merge, []).unwrap();
                b.begin_block(Some(there)).unwrap();
                make(&mut assembly, word);
                assembly.builder.branch(merge).unwrap();
                assembly.builder.begin_block(Some(merge)).unwrap();
            } else {
                make(&mut assembly, word);
            }
            let spirv = assembly.end();
            // Groups of which the last subgroup is not full, too.
            for group in [2 * size, 2 * size - 3] {
                let groups = 3;
                let count = (group * groups) as usize;
                let from: Vec<u32> = (0..count as u32).map(|item| item * 7 % 11 + item / 5).collect();
                let found = run(&spirv, &from, count * WORDS as usize, group, groups);
                for (start, chunk) in from.chunks(group as usize).enumerate() {
                    for (subgroup, words) in chunk.chunks(size as usize).enumerate() {
                        let first = start * group as usize + subgroup * size as usize;
                        let words: Vec<Option<u32>> =
                            words.iter().map(|word| (!divergent || word % 3 != 0).then_some(*word)).collect();
                        for lane in (0..words.len()).filter(|lane| words[*lane].is_some()) {
                            let expected = expected(&Seen { lane, words: &words });
                            let at = (first + lane) * WORDS as usize;
                            assert_eq!(
                                found[at..at + expected.len()],
                                expected,
                                "lane {lane} of {words:?} in subgroups of {size}"
                            );
                        }
                    }
                }
            }
        }
    }
}

/// An instruction with a result, of a scope of the subgroup and other operands.
fn emit(assembly: &mut Assembly, op: Op, ty: Word, operands: impl IntoIterator<Item = Operand>) -> Word {
    let scope = assembly.constant(3);
    let result = assembly.builder.id();
    let operands = std::iter::once(Operand::IdScope(scope)).chain(operands).collect();
    let inst = Instruction::new(op, Some(ty), Some(result), operands);
    assembly.builder.insert_into_block(rspirv::dr::InsertPoint::End, inst).unwrap();
    result
}

fn is_odd(assembly: &mut Assembly, word: Word) -> Word {
    let (one, u32, bool) = (assembly.constant(1), assembly.u32, assembly.bool);
    let bit = assembly.builder.bitwise_and(u32, None, word, one).unwrap();
    assembly.builder.i_equal(bool, None, bit, one).unwrap()
}

#[test]
fn votes() {
    check(
        |assembly, word| {
            let (bool, odd) = (assembly.bool, is_odd(assembly, word));
            let all = emit(assembly, Op::GroupNonUniformAll, bool, [Operand::IdRef(odd)]);
            let any = emit(assembly, Op::GroupNonUniformAny, bool, [Operand::IdRef(odd)]);
            let equal = emit(assembly, Op::GroupNonUniformAllEqual, bool, [Operand::IdRef(word)]);
            let elected = emit(assembly, Op::GroupNonUniformElect, bool, []);
            let zero = assembly.constant(0);
            let u32 = assembly.u32;
            let nothing = assembly.builder.bitwise_and(u32, None, word, zero).unwrap();
            let same = emit(assembly, Op::GroupNonUniformAllEqual, bool, [Operand::IdRef(nothing)]);
            let b = &mut assembly.builder;
            let all_khr = b.subgroup_all_khr(bool, None, odd).unwrap();
            let any_khr = b.subgroup_any_khr(bool, None, odd).unwrap();
            let same_khr = b.subgroup_all_equal_khr(bool, None, odd).unwrap();
            for (place, condition) in (0..).zip([all, any, equal, elected, same, all_khr, any_khr, same_khr])
            {
                assembly.store_bool(WORDS, place, condition);
            }
        },
        |seen| {
            let odd = |word: u32| word % 2 == 1;
            let all = seen.here().all(|(_, word)| odd(word));
            let any = seen.here().any(|(_, word)| odd(word));
            let (first, value) = seen.here().next().unwrap();
            let equal = seen.here().all(|(_, word)| word == value);
            let same_odd = seen.here().all(|(_, word)| odd(word) == odd(value));
            [all, any, equal, first == seen.lane, true, all, any, same_odd].map(u32::from).to_vec()
        },
    );
}

#[test]
fn ballots() {
    check(
        |assembly, word| {
            let (bool, u32, odd) = (assembly.bool, assembly.u32, is_odd(assembly, word));
            let four = assembly.builder.type_vector(u32, 4);
            let ballot = emit(assembly, Op::GroupNonUniformBallot, four, [Operand::IdRef(odd)]);
            let first = assembly.builder.composite_extract(u32, None, ballot, [0]).unwrap();
            assembly.store(WORDS, 0, first);
            let inverse = emit(assembly, Op::GroupNonUniformInverseBallot, bool, [Operand::IdRef(ballot)]);
            assembly.store_bool(WORDS, 1, inverse);
            let index = assembly.constant(5);
            let operands = [Operand::IdRef(ballot), Operand::IdRef(index)];
            let bit = emit(assembly, Op::GroupNonUniformBallotBitExtract, bool, operands);
            assembly.store_bool(WORDS, 2, bit);
            let operations =
                [GroupOperation::Reduce, GroupOperation::InclusiveScan, GroupOperation::ExclusiveScan];
            for (place, operation) in (3..).zip(operations) {
                let operands = [Operand::GroupOperation(operation), Operand::IdRef(ballot)];
                let count = emit(assembly, Op::GroupNonUniformBallotBitCount, u32, operands);
                assembly.store(WORDS, place, count);
            }
            for (place, op) in [(6, Op::GroupNonUniformBallotFindLSB), (7, Op::GroupNonUniformBallotFindMSB)]
            {
                let lane = emit(assembly, op, u32, [Operand::IdRef(ballot)]);
                assembly.store(WORDS, place, lane);
            }
        },
        |seen| {
            let mask = seen.mask(|word| word % 2 == 1);
            let (before, own) = ((1_u32 << seen.lane) - 1, 1 << seen.lane);
            let mut expected = vec![
                mask,
                u32::from(mask & own != 0),
                mask >> 5 & 1,
                mask.count_ones(),
                (mask & (before | own)).count_ones(),
                (mask & before).count_ones(),
            ];
            if mask != 0 {
                expected.extend([mask.trailing_zeros(), 31 - mask.leading_zeros()]);
            }
            expected
        },
    );
}

#[test]
fn masks_of_lanes_are_built_in() {
    let masks = [
        BuiltIn::SubgroupEqMask,
        BuiltIn::SubgroupGeMask,
        BuiltIn::SubgroupGtMask,
        BuiltIn::SubgroupLeMask,
        BuiltIn::SubgroupLtMask,
    ];
    for size in SUBGROUP_SIZES {
        let mut assembly = Assembly::new(&CAPABILITIES, &EXTENSIONS);
        let four = assembly.builder.type_vector(assembly.u32, 4);
        let input = assembly.builder.type_pointer(None, StorageClass::Input, four);
        let variables = masks.map(|mask| {
            let variable = assembly.builder.variable(input, None, StorageClass::Input, None);
            assembly.builder.decorate(variable, Decoration::BuiltIn, [Operand::BuiltIn(mask)]);
            variable
        });
        assembly.begin();
        assembly.mode(ExecutionMode::SubgroupSize, &[size]);
        for (place, variable) in (0..).zip(variables) {
            let words = assembly.builder.load(four, None, variable, None, []).unwrap();
            let (u32, mut all) = (assembly.u32, assembly.constant(0));
            // The words but the first are zero.
            for word in [1, 2, 3] {
                let word = assembly.builder.composite_extract(u32, None, words, [word]).unwrap();
                all = assembly.builder.bitwise_or(u32, None, all, word).unwrap();
            }
            let first = assembly.builder.composite_extract(u32, None, words, [0]).unwrap();
            let all = assembly.builder.i_add(u32, None, all, first).unwrap();
            assembly.store(5, place, all);
        }
        let found = run(&assembly.end(), &[0], 5 * size as usize, size, 1);
        let exist = u32::MAX >> (32 - size);
        for lane in 0..size {
            let (own, before) = (1 << lane, (1_u32 << lane) - 1);
            let expected = [own, exist & !before, exist & !(before | own), before | own, before];
            assert_eq!(found[5 * lane as usize..][..5], expected, "lane {lane} of {size}");
        }
    }
}

#[test]
fn values_of_other_lanes() {
    check(
        |assembly, word| {
            let (u32, two, one) = (assembly.u32, assembly.constant(2), assembly.constant(1));
            let four = assembly.constant(4);
            let by = |op, number| (op, vec![Operand::IdRef(word), Operand::IdRef(number)]);
            let mut rotated = by(Op::GroupNonUniformRotateKHR, one);
            rotated.1.push(Operand::IdRef(four));
            let all = [
                by(Op::GroupNonUniformBroadcast, two),
                (Op::GroupNonUniformBroadcastFirst, vec![Operand::IdRef(word)]),
                by(Op::GroupNonUniformShuffle, two),
                by(Op::GroupNonUniformShuffleXor, one),
                by(Op::GroupNonUniformShuffleUp, two),
                by(Op::GroupNonUniformShuffleDown, two),
                by(Op::GroupNonUniformRotateKHR, two),
                rotated,
            ];
            for (place, (op, operands)) in (0..).zip(all) {
                let value = emit(assembly, op, u32, operands);
                assembly.store(WORDS, place, value);
            }
        },
        |seen| {
            // Where the lane is not here the value is undefined, and here that of the lane itself. Of rotations that is so where the subgroup is not full.
            let (lane, first) = (seen.lane, seen.here().next().unwrap().1);
            let size = SUBGROUP_SIZES.into_iter().find(|size| seen.words.len() <= *size as usize).unwrap();
            let mut expected = vec![
                seen.of(2),
                first,
                seen.of(2),
                seen.of(lane ^ 1),
                seen.of(lane.wrapping_sub(2)),
                seen.of(lane + 2),
            ];
            if seen.words.len() == size as usize {
                expected
                    .extend([seen.of((lane + 2) % size as usize), seen.of(lane / 4 * 4 + (lane + 1) % 4)]);
            }
            expected
        },
    );
}

#[test]
fn values_of_quads() {
    check(
        |assembly, word| {
            let u32 = assembly.u32;
            let swap = Op::GroupNonUniformQuadSwap;
            let all = [(Op::GroupNonUniformQuadBroadcast, 3), (swap, 0), (swap, 1), (swap, 2)];
            for (place, (op, number)) in (0..).zip(all) {
                let number = assembly.constant(number);
                let operands = vec![Operand::IdRef(word), Operand::IdRef(number)];
                let value = emit(assembly, op, u32, operands);
                assembly.store(WORDS, place, value);
            }
        },
        |seen| {
            [seen.lane | 3, seen.lane ^ 1, seen.lane ^ 2, seen.lane ^ 3].map(|lane| seen.of(lane)).to_vec()
        },
    );
}

/// A way to combine words, as the instruction and the host have it.
type Combination = (Op, fn(u32, u32) -> u32);

const COMBINATIONS: [Combination; 9] = [
    (Op::GroupNonUniformIAdd, u32::wrapping_add),
    (Op::GroupNonUniformIMul, u32::wrapping_mul),
    (Op::GroupNonUniformSMin, |a, b| (a as i32).min(b as i32) as u32),
    (Op::GroupNonUniformUMin, |a, b| a.min(b)),
    (Op::GroupNonUniformSMax, |a, b| (a as i32).max(b as i32) as u32),
    (Op::GroupNonUniformUMax, |a, b| a.max(b)),
    (Op::GroupNonUniformBitwiseAnd, |a, b| a & b),
    (Op::GroupNonUniformBitwiseOr, |a, b| a | b),
    (Op::GroupNonUniformBitwiseXor, |a, b| a ^ b),
];

/// Folds of a kind of lanes' values from the host's side: the reduction, both scans, and the reductions of clusters of two and eight.
fn folds<T: Copy>(seen: &Seen<'_>, value: impl Fn(u32) -> T, combine: impl Fn(T, T) -> T) -> [Option<T>; 5] {
    let of = |holds: &dyn Fn(usize) -> bool| {
        seen.here().filter(|(lane, _)| holds(*lane)).map(|(_, word)| value(word)).reduce(&combine)
    };
    let own = seen.lane;
    [
        of(&|_| true),
        of(&|lane| lane <= own),
        of(&|lane| lane < own),
        of(&|lane| lane / 2 == own / 2),
        of(&|lane| lane / 8 == own / 8),
    ]
}

/// The five folds by an instruction.
fn emit_folds(assembly: &mut Assembly, op: Op, ty: Word, value: Word) -> [Word; 5] {
    let (two, eight) = (assembly.constant(2), assembly.constant(8));
    [
        (GroupOperation::Reduce, None),
        (GroupOperation::InclusiveScan, None),
        (GroupOperation::ExclusiveScan, None),
        (GroupOperation::ClusteredReduce, Some(two)),
        (GroupOperation::ClusteredReduce, Some(eight)),
    ]
    .map(|(operation, cluster)| {
        let operands = [Operand::GroupOperation(operation), Operand::IdRef(value)];
        emit(assembly, op, ty, operands.into_iter().chain(cluster.map(Operand::IdRef)))
    })
}

#[test]
fn reductions_and_scans_of_integers() {
    for (op, combine) in COMBINATIONS {
        // What the exclusive scan of the first lane is.
        let neutral = match op {
            Op::GroupNonUniformIMul => 1,
            Op::GroupNonUniformUMin | Op::GroupNonUniformBitwiseAnd => u32::MAX,
            Op::GroupNonUniformSMin => i32::MAX as u32,
            Op::GroupNonUniformSMax => i32::MIN as u32,
            _ => 0,
        };
        check(
            |assembly, word| {
                let u32 = assembly.u32;
                // Some of them are negative.
                let far = assembly.constant(0x9000_0001);
                let value = assembly.builder.i_mul(u32, None, word, far).unwrap();
                let folds = emit_folds(assembly, op, u32, value);
                for (place, fold) in (0..).zip(folds) {
                    assembly.store(WORDS, place, fold);
                }
            },
            |seen| {
                let folds = folds(seen, |word| word.wrapping_mul(0x9000_0001), combine);
                folds.map(|fold| fold.unwrap_or(neutral)).to_vec()
            },
        );
    }
}

/// The same for values of another type, with what an exclusive scan starts from.
type OfType<T> = (Op, fn(T, T) -> T, T);

#[test]
fn reductions_and_scans_of_floats_and_booleans() {
    let floats: [OfType<f32>; 4] = [
        (Op::GroupNonUniformFAdd, |a, b| a + b, 0.0),
        (Op::GroupNonUniformFMul, |a, b| a * b, 1.0),
        (Op::GroupNonUniformFMin, f32::min, f32::INFINITY),
        (Op::GroupNonUniformFMax, f32::max, f32::NEG_INFINITY),
    ];
    for (op, combine, neutral) in floats {
        check(
            |assembly, word| {
                let (u32, f32) = (assembly.u32, assembly.f32);
                let (one, three) = (assembly.constant(1), assembly.constant(3));
                let low = assembly.builder.bitwise_and(u32, None, word, three).unwrap();
                let power = assembly.builder.shift_left_logical(u32, None, one, low).unwrap();
                let value = assembly.builder.convert_u_to_f(f32, None, power).unwrap();
                let folds = emit_folds(assembly, op, f32, value);
                for (place, fold) in (0..).zip(folds) {
                    let bits = assembly.builder.bitcast(u32, None, fold).unwrap();
                    assembly.store(WORDS, place, bits);
                }
            },
            |seen| {
                // Powers of two, whose sums and products are exact in any order.
                let folds = folds(seen, |word| (1 << (word & 3)) as f32, combine);
                folds.map(|fold| fold.unwrap_or(neutral).to_bits()).to_vec()
            },
        );
    }
    let logical: [OfType<bool>; 3] = [
        (Op::GroupNonUniformLogicalAnd, |a, b| a && b, true),
        (Op::GroupNonUniformLogicalOr, |a, b| a || b, false),
        (Op::GroupNonUniformLogicalXor, |a, b| a != b, false),
    ];
    for (op, combine, neutral) in logical {
        check(
            |assembly, word| {
                let (bool, odd) = (assembly.bool, is_odd(assembly, word));
                for (place, fold) in (0..).zip(emit_folds(assembly, op, bool, odd)) {
                    assembly.store_bool(WORDS, place, fold);
                }
            },
            |seen| {
                let folds = folds(seen, |word| word % 2 == 1, combine);
                folds.map(|fold| u32::from(fold.unwrap_or(neutral))).to_vec()
            },
        );
    }
}
