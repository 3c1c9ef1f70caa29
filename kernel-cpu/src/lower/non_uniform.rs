//! What the work-items of a subgroup do together where some of them may be elsewhere: the instructions of the capabilities GroupNonUniform and its kin, and those
//! of SPV_KHR_subgroup_vote and SPV_KHR_shader_ballot.
//!
//! Work-items that have taken another way have no part in it, since folds and shuffles are of the lanes that are here. A subgroup has 32 lanes at most, so that of the four words of a ballot all but the
//! first are zero.

use super::Lowering;
use super::group::{Operands, combination};
use crate::load::grammar::Op;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::{
    BuiltIn, Combine, CompareOp, ConvertOp, Extent, Inst, IntOp, IntUnary, Kind, Preset, Value,
};
use spirv::{GroupOperation, Scope};

/// How many lanes a quad has, which follow each other.
const QUAD: u32 = 4;

/// How many words a ballot has.
const BALLOT_WORDS: usize = 4;

impl Lowering<'_, '_> {
    /// An instruction of GroupNonUniform and its kin.
    pub(super) fn non_uniform(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        if self.constant_operand(inst, 0)? != Scope::Subgroup as u64 {
            let problem = "the execution scope of a non-uniform group instruction must be Subgroup";
            return Err(inst.error(Problem::Environment(problem)));
        }
        let values = match inst.op {
            Op::GroupNonUniformElect => vec![self.is_first_lane()?],
            Op::GroupNonUniformAll | Op::GroupNonUniformAny | Op::GroupNonUniformAllEqual => {
                self.vote(inst, 1)?
            }
            Op::GroupNonUniformBallot => self.ballot(inst, 1)?,
            Op::GroupNonUniformInverseBallot
            | Op::GroupNonUniformBallotBitExtract
            | Op::GroupNonUniformBallotBitCount
            | Op::GroupNonUniformBallotFindLSB
            | Op::GroupNonUniformBallotFindMSB => self.of_ballot(inst)?,
            Op::GroupNonUniformBroadcastFirst => self.value_of_first_lane(inst, 1)?,
            Op::GroupNonUniformBroadcast
            | Op::GroupNonUniformShuffle
            | Op::GroupNonUniformShuffleXor
            | Op::GroupNonUniformShuffleUp
            | Op::GroupNonUniformShuffleDown
            | Op::GroupNonUniformRotateKHR
            | Op::GroupNonUniformQuadBroadcast
            | Op::GroupNonUniformQuadSwap => {
                let lane = self.source_lane(inst)?;
                self.value_of_lane(inst, 1, lane)?
            }
            _ => self.non_uniform_fold(inst)?,
        };
        self.define(inst, values)
    }

    /// An instruction of SPV_KHR_subgroup_vote or SPV_KHR_shader_ballot, which have no scope.
    pub(super) fn subgroup_vote(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let values = match inst.op {
            Op::SubgroupBallotKHR => self.ballot(inst, 0)?,
            Op::SubgroupFirstInvocationKHR => self.value_of_first_lane(inst, 0)?,
            Op::SubgroupReadInvocationKHR => {
                let lane = self.lane_operand(inst, 1)?;
                self.value_of_lane(inst, 0, lane)?
            }
            _ => self.vote(inst, 0)?,
        };
        self.define(inst, values)
    }

    /// The first word of a mask of lanes that is built in; the others are zero.
    pub(super) fn lane_mask(&mut self, mask: spirv::BuiltIn) -> Result<Option<Value>, LoadError> {
        let lane = self.own_lane();
        let is_before = |this: &mut Self| this.lanes_below(1, lane);
        let value = match mask {
            spirv::BuiltIn::SubgroupEqMask => self.bit_of(lane)?,
            spirv::BuiltIn::SubgroupLtMask => is_before(self)?,
            spirv::BuiltIn::SubgroupLeMask => self.lanes_below(2, lane)?,
            spirv::BuiltIn::SubgroupGeMask => {
                let before = is_before(self)?;
                self.other_lanes(before)?
            }
            spirv::BuiltIn::SubgroupGtMask => {
                let up_to = self.lanes_below(2, lane)?;
                self.other_lanes(up_to)?
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    pub(super) fn own_lane(&mut self) -> Value {
        self.builder.preset(Kind::I32, Preset::BuiltIn(BuiltIn::SubgroupLane))
    }

    /// A constant of 32 bits.
    fn number(&mut self, bits: u32) -> Value {
        self.constant(Kind::I32, bits.into())
    }

    /// The bit of a lane in a mask.
    fn bit_of(&mut self, lane: Value) -> Result<Value, LoadError> {
        let one = self.number(1);
        self.integer(IntOp::Shl, one, lane)
    }

    /// The lanes before the given one, or up to it where the first bit is 2.
    fn lanes_below(&mut self, first: u32, lane: Value) -> Result<Value, LoadError> {
        let (first, one) = (self.number(first), self.number(1));
        let next = self.integer(IntOp::Shl, first, lane)?;
        self.integer(IntOp::Sub, next, one)
    }

    /// The lanes that a subgroup can have, as a mask.
    fn all_lanes(&mut self) -> Value {
        self.number(u32::MAX >> (32 - self.subgroup_size))
    }

    /// The lanes that are not in a mask.
    fn other_lanes(&mut self, mask: Value) -> Result<Value, LoadError> {
        let all = self.all_lanes();
        let others = self.emit(Kind::I32, |v| Inst::IntUnary(IntUnary::Not, Kind::I32, v, mask))?;
        self.integer(IntOp::And, others, all)
    }

    fn folded(&mut self, combine: Combine, extent: Extent, kind: Kind, x: Value) -> Result<Value, LoadError> {
        self.emit(kind, |result| Inst::Fold { combine, extent, kind, result, x })
    }

    /// The first lane that is here.
    fn first_lane(&mut self) -> Result<Value, LoadError> {
        let lane = self.own_lane();
        self.folded(Combine::UMin, Extent::All, Kind::I32, lane)
    }

    fn is_first_lane(&mut self) -> Result<Value, LoadError> {
        let (lane, first) = (self.own_lane(), self.first_lane()?);
        self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::Eq, Kind::I32, v, [lane, first]))
    }

    /// Whether a condition holds in all lanes or in any, or a value is the same in all of them.
    fn vote(&mut self, inst: &Instruction<'_>, operand: usize) -> Result<Vec<Value>, LoadError> {
        let combine = match inst.op {
            Op::GroupNonUniformAny | Op::SubgroupAnyKHR => Combine::Or,
            _ => Combine::And,
        };
        let condition = match inst.op {
            Op::GroupNonUniformAllEqual | Op::SubgroupAllEqualKHR => self.is_that_of_first(inst, operand)?,
            _ => self.condition(inst, operand)?,
        };
        Ok(vec![self.folded(combine, Extent::All, Kind::Bool, condition)?])
    }

    fn condition(&mut self, inst: &Instruction<'_>, operand: usize) -> Result<Value, LoadError> {
        match *self.booleans(inst, operand)? {
            [condition] => Ok(condition),
            _ => Err(inst.error(Problem::TypeMismatch("a condition is one boolean"))),
        }
    }

    /// Whether all components are those of the first lane.
    fn is_that_of_first(&mut self, inst: &Instruction<'_>, operand: usize) -> Result<Value, LoadError> {
        let first = self.first_lane()?;
        let (mut kind, mut values) = self.components(inst, operand)?;
        if kind.is_float() {
            (kind, values) = self.floats(inst, operand)?;
        }
        let compare = if kind.is_float() { CompareOp::FOrdEq } else { CompareOp::Eq };
        let mut all = self.constant(Kind::Bool, 1);
        for x in values {
            let other = self.taken_from_lane(x, first)?;
            let same = self.emit(Kind::Bool, |v| Inst::Compare(compare, kind, v, [x, other]))?;
            all = self.emit(Kind::Bool, |v| Inst::Int(IntOp::And, Kind::Bool, v, [all, same]))?;
        }
        Ok(all)
    }

    /// The lanes in which a condition holds, as a mask.
    fn lanes_with(&mut self, condition: Value) -> Result<Value, LoadError> {
        let lane = self.own_lane();
        let (bit, none) = (self.bit_of(lane)?, self.number(0));
        let own = self.emit(Kind::I32, |v| Inst::Select(Kind::I32, v, condition, [bit, none]))?;
        self.folded(Combine::Or, Extent::All, Kind::I32, own)
    }

    fn ballot(&mut self, inst: &Instruction<'_>, operand: usize) -> Result<Vec<Value>, LoadError> {
        let condition = self.condition(inst, operand)?;
        let lanes = self.lanes_with(condition)?;
        let mut words = vec![self.number(0); BALLOT_WORDS];
        words[0] = lanes;
        Ok(words)
    }

    /// What a ballot that is the operand has.
    fn of_ballot(&mut self, inst: &Instruction<'_>) -> Result<Vec<Value>, LoadError> {
        let counts = inst.op == Op::GroupNonUniformBallotBitCount;
        let (kind, words) = self.integers(inst, if counts { 2 } else { 1 })?;
        if kind != Kind::I32 || words.len() != BALLOT_WORDS {
            return Err(inst.error(Problem::TypeMismatch("a ballot has four integers of 32 bits")));
        }
        let (word, lane, all) = (words[0], self.own_lane(), self.all_lanes());
        let unary = |op, x| move |v| Inst::IntUnary(op, Kind::I32, v, x);
        let number = match inst.op {
            Op::GroupNonUniformInverseBallot => return Ok(vec![self.has_bit(word, lane)?]),
            Op::GroupNonUniformBallotBitExtract => {
                let index = self.lane_operand(inst, 2)?;
                return Ok(vec![self.has_bit(word, index)?]);
            }
            Op::GroupNonUniformBallotBitCount => {
                let lanes = match self.extent(inst, 1)? {
                    Extent::All => all,
                    Extent::UpTo => self.lanes_below(2, lane)?,
                    Extent::Before => self.lanes_below(1, lane)?,
                };
                let counted = self.integer(IntOp::And, word, lanes)?;
                self.emit(Kind::I32, unary(IntUnary::CountOnes, counted))?
            }
            Op::GroupNonUniformBallotFindLSB => {
                let word = self.integer(IntOp::And, word, all)?;
                self.emit(Kind::I32, unary(IntUnary::TrailingZeros, word))?
            }
            _ => {
                let word = self.integer(IntOp::And, word, all)?;
                let zeros = self.emit(Kind::I32, unary(IntUnary::LeadingZeros, word))?;
                let last = self.number(31);
                self.integer(IntOp::Sub, last, zeros)?
            }
        };
        let (kind, _) = self.result_components(inst)?;
        self.resize(&[number], Kind::I32, kind, ConvertOp::Zext)
    }

    fn has_bit(&mut self, word: Value, index: Value) -> Result<Value, LoadError> {
        let (one, zero) = (self.number(1), self.number(0));
        let shifted = self.integer(IntOp::LShr, word, index)?;
        let bit = self.integer(IntOp::And, shifted, one)?;
        self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::Ne, Kind::I32, v, [bit, zero]))
    }

    /// The number of a lane that is an operand.
    fn lane_operand(&mut self, inst: &Instruction<'_>, operand: usize) -> Result<Value, LoadError> {
        let (kind, values) = self.integers(inst, operand)?;
        match self.resize(&values, kind, Kind::I32, ConvertOp::Zext)?[..] {
            [lane] => Ok(lane),
            _ => Err(inst.error(Problem::TypeMismatch("the number of a lane is a scalar"))),
        }
    }

    /// The lane whose value an instruction takes.
    fn source_lane(&mut self, inst: &Instruction<'_>) -> Result<Value, LoadError> {
        let (own, number) = (self.own_lane(), self.lane_operand(inst, 2)?);
        match inst.op {
            Op::GroupNonUniformShuffleXor => self.integer(IntOp::Xor, own, number),
            Op::GroupNonUniformShuffleUp => self.integer(IntOp::Sub, own, number),
            Op::GroupNonUniformShuffleDown => self.integer(IntOp::Add, own, number),
            Op::GroupNonUniformQuadBroadcast => {
                let first = self.first_of_cluster(QUAD)?;
                self.integer(IntOp::Add, first, number)
            }
            Op::GroupNonUniformQuadSwap => {
                // In a square of two by two: with the one beside, the one below, the one across.
                let direction = self.constant_operand(inst, 2)?;
                if direction > 2 {
                    return Err(inst.error(Problem::OutOfRange { what: "direction", value: direction }));
                }
                let others = self.number(direction as u32 + 1);
                self.integer(IntOp::Xor, own, others)
            }
            Op::GroupNonUniformRotateKHR => {
                let size = match inst.operands.get(3) {
                    Some(_) => self.cluster_size(inst, 3)?,
                    None => self.subgroup_size,
                };
                let within = self.number(size - 1);
                let moved = self.integer(IntOp::Add, own, number)?;
                let moved = self.integer(IntOp::And, moved, within)?;
                let first = self.first_of_cluster(size)?;
                self.integer(IntOp::Add, first, moved)
            }
            _ => Ok(number),
        }
    }

    /// The first lane of the cluster of this one.
    fn first_of_cluster(&mut self, size: u32) -> Result<Value, LoadError> {
        let (own, mask) = (self.own_lane(), self.number(!(size - 1)));
        self.integer(IntOp::And, own, mask)
    }

    /// How many lanes are a cluster: a power of two, and no more than the subgroup has.
    fn cluster_size(&self, inst: &Instruction<'_>, operand: usize) -> Result<u32, LoadError> {
        let value = self.constant_operand(inst, operand)?;
        match u32::try_from(value) {
            // The size of a subgroup is known of kernels alone, and not where functions are checked.
            Ok(size) if size.is_power_of_two() && size <= 32 => Ok(size.min(self.subgroup_size)),
            _ => Err(inst.error(Problem::OutOfRange { what: "cluster size", value })),
        }
    }

    fn value_of_first_lane(
        &mut self,
        inst: &Instruction<'_>,
        operand: usize,
    ) -> Result<Vec<Value>, LoadError> {
        let first = self.first_lane()?;
        self.value_of_lane(inst, operand, first)
    }

    /// The value of an operand in another lane.
    fn value_of_lane(
        &mut self,
        inst: &Instruction<'_>,
        operand: usize,
        lane: Value,
    ) -> Result<Vec<Value>, LoadError> {
        let (_, values) = self.components(inst, operand)?;
        values.into_iter().map(|x| self.taken_from_lane(x, lane)).collect()
    }

    /// A reduction or a scan, of all lanes that are here or of those of a cluster.
    fn non_uniform_fold(&mut self, inst: &Instruction<'_>) -> Result<Vec<Value>, LoadError> {
        let (combine, operands) = combination(inst.op).ok_or_else(|| self.unsupported(inst))?;
        let (kind, values) = match operands {
            Operands::Integers => self.integers(inst, 2)?,
            Operands::Floats => self.floats(inst, 2)?,
            Operands::Booleans => (Kind::Bool, self.booleans(inst, 2)?),
        };
        if inst.operand(1)? != GroupOperation::ClusteredReduce as u32 {
            let extent = self.extent(inst, 1)?;
            return values.into_iter().map(|x| self.folded(combine, extent, kind, x)).collect();
        }
        let size = self.cluster_size(inst, 3)?;
        let (first, here) = (self.first_of_cluster(size)?, self.constant(Kind::Bool, 1));
        let here = self.lanes_with(here)?;
        values.into_iter().map(|x| self.clustered(combine, kind, x, (first, size, here))).collect()
    }

    /// The values of those lanes of a cluster that are here, combined in their order.
    fn clustered(
        &mut self,
        combine: Combine,
        kind: Kind,
        x: Value,
        (first, size, here): (Value, u32, Value),
    ) -> Result<Value, LoadError> {
        let mut so_far = self.constant(kind, crate::exec::neutral(combine, Extent::All, kind));
        for index in 0..size {
            let index = self.number(index);
            let lane = self.integer(IntOp::Add, first, index)?;
            let is_here = self.has_bit(here, lane)?;
            let other = self.taken_from_lane(x, lane)?;
            let both = self.combined(combine, kind, so_far, other)?;
            so_far = self.emit(kind, |v| Inst::Select(kind, v, is_here, [both, so_far]))?;
        }
        Ok(so_far)
    }
}
