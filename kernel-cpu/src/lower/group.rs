//! What the work-items of a work-group or a subgroup do together.
//!
//! A subgroup is the lanes of one program. Over a work-group each subgroup combines its own values first and then exchanges the result
//! with the others.

use super::Lowering;
use crate::load::grammar::Op;
use crate::load::words::Instruction;
use crate::load::{LoadError, Problem};
use crate::program::draft::Exit;
use crate::program::{
    BuiltIn, Combine, CompareOp, ConvertOp, Extent, Inst, IntOp, Kind, Preset, Site, Value,
};
use spirv::{GroupOperation, Scope};

/// A scope of execution that has collectives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    WorkGroup,
    Subgroup,
}

/// What the operands of a reduction are.
pub(super) enum Operands {
    Integers,
    Floats,
    Booleans,
}

/// How a reduction or a scan combines values.
pub(super) fn combination(op: Op) -> Option<(Combine, Operands)> {
    Some(match op {
        Op::GroupIAdd | Op::GroupNonUniformIAdd => (Combine::Add, Operands::Integers),
        Op::GroupUMin | Op::GroupNonUniformUMin => (Combine::UMin, Operands::Integers),
        Op::GroupUMax | Op::GroupNonUniformUMax => (Combine::UMax, Operands::Integers),
        Op::GroupSMin | Op::GroupNonUniformSMin => (Combine::SMin, Operands::Integers),
        Op::GroupSMax | Op::GroupNonUniformSMax => (Combine::SMax, Operands::Integers),
        Op::GroupIMulKHR | Op::GroupNonUniformIMul => (Combine::Mul, Operands::Integers),
        Op::GroupBitwiseAndKHR | Op::GroupNonUniformBitwiseAnd => (Combine::And, Operands::Integers),
        Op::GroupBitwiseOrKHR | Op::GroupNonUniformBitwiseOr => (Combine::Or, Operands::Integers),
        Op::GroupBitwiseXorKHR | Op::GroupNonUniformBitwiseXor => (Combine::Xor, Operands::Integers),
        Op::GroupLogicalAndKHR | Op::GroupNonUniformLogicalAnd => (Combine::And, Operands::Booleans),
        Op::GroupLogicalOrKHR | Op::GroupNonUniformLogicalOr => (Combine::Or, Operands::Booleans),
        Op::GroupLogicalXorKHR | Op::GroupNonUniformLogicalXor => (Combine::Xor, Operands::Booleans),
        Op::GroupFAdd | Op::GroupNonUniformFAdd => (Combine::FAdd, Operands::Floats),
        Op::GroupFMulKHR | Op::GroupNonUniformFMul => (Combine::FMul, Operands::Floats),
        Op::GroupFMin | Op::GroupNonUniformFMin => (Combine::FMin, Operands::Floats),
        Op::GroupFMax | Op::GroupNonUniformFMax => (Combine::FMax, Operands::Floats),
        _ => return None,
    })
}

impl Lowering<'_, '_> {
    /// The instructions of the capabilities Groups, but for asynchronous copies, and GroupUniformArithmeticKHR.
    pub(super) fn group(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let scope = self.constant_operand(inst, 0)?;
        let group = match scope {
            _ if scope == Scope::Workgroup as u64 => Group::WorkGroup,
            _ if scope == Scope::Subgroup as u64 => Group::Subgroup,
            _ => {
                let problem = "the execution scope of a group instruction must be Workgroup or Subgroup";
                return Err(inst.error(Problem::Environment(problem)));
            }
        };
        let site = Site(inst.offset);
        self.builder.effect(Inst::Converge(site)).map_err(|problem| inst.error(problem))?;
        let values = match inst.op {
            Op::GroupAll | Op::GroupAny => {
                let [condition] = *self.booleans(inst, 1)? else {
                    return Err(inst.error(Problem::TypeMismatch("a condition is one boolean")));
                };
                let combine = if inst.op == Op::GroupAll { Combine::And } else { Combine::Or };
                vec![self.fold(inst, group, combine, Extent::All, Kind::Bool, condition)?]
            }
            Op::GroupBroadcast => self.broadcast(inst, group)?,
            _ => self.arithmetic_fold(inst, group)?,
        };
        self.define(inst, values)
    }

    /// A reduction or a scan by an operator.
    fn arithmetic_fold(&mut self, inst: &Instruction<'_>, group: Group) -> Result<Vec<Value>, LoadError> {
        let extent = self.extent(inst, 1)?;
        let (combine, operands) = combination(inst.op).ok_or_else(|| self.unsupported(inst))?;
        let (kind, values) = match operands {
            Operands::Integers => self.integers(inst, 2)?,
            Operands::Floats => self.floats(inst, 2)?,
            Operands::Booleans => (Kind::Bool, self.booleans(inst, 2)?),
        };
        values.into_iter().map(|x| self.fold(inst, group, combine, extent, kind, x)).collect()
    }

    /// Whose values a reduction or a scan combines.
    pub(super) fn extent(&self, inst: &Instruction<'_>, operand: usize) -> Result<Extent, LoadError> {
        let number = inst.operand(operand)?;
        match GroupOperation::from_u32(number) {
            Some(GroupOperation::Reduce) => Ok(Extent::All),
            Some(GroupOperation::InclusiveScan) => Ok(Extent::UpTo),
            Some(GroupOperation::ExclusiveScan) => Ok(Extent::Before),
            _ => Err(inst.error(Problem::UnknownEnumerant { what: "group operation", value: number })),
        }
    }

    fn fold(
        &mut self,
        inst: &Instruction<'_>,
        group: Group,
        combine: Combine,
        extent: Extent,
        kind: Kind,
        x: Value,
    ) -> Result<Value, LoadError> {
        let own = self.emit(kind, |result| Inst::Fold { combine, extent, kind, result, x })?;
        if group == Group::Subgroup {
            return Ok(own);
        }
        let total = match extent {
            Extent::All => own,
            _ => self.emit(kind, |result| Inst::Fold { combine, extent: Extent::All, kind, result, x })?,
        };
        self.builder.effect(Inst::Contribute(kind, total)).map_err(|problem| inst.error(problem))?;
        self.meet(inst)?;
        let others = if extent == Extent::All { Extent::All } else { Extent::Before };
        let others = self.emit(kind, |result| Inst::Gather { combine, extent: others, kind, result })?;
        if extent == Extent::All {
            return Ok(others);
        }
        self.combined(combine, kind, others, own)
    }

    /// Two values combined by the ordinary instruction.
    pub(super) fn combined(
        &mut self,
        combine: Combine,
        kind: Kind,
        a: Value,
        b: Value,
    ) -> Result<Value, LoadError> {
        use crate::program::{FloatOp, MathOp};
        let int = match combine {
            Combine::Add => IntOp::Add,
            Combine::UMin => IntOp::UMin,
            Combine::UMax => IntOp::UMax,
            Combine::SMin => IntOp::SMin,
            Combine::SMax => IntOp::SMax,
            Combine::And => IntOp::And,
            Combine::Or => IntOp::Or,
            Combine::Xor => IntOp::Xor,
            Combine::Mul => IntOp::Mul,
            Combine::FAdd => return self.emit(kind, |v| Inst::Float(FloatOp::Add, kind, v, [a, b])),
            Combine::FMul => return self.emit(kind, |v| Inst::Float(FloatOp::Mul, kind, v, [a, b])),
            Combine::FMin => return self.emit(kind, |v| Inst::Math(MathOp::Fmin, kind, v, [a, b, b])),
            Combine::FMax => return self.emit(kind, |v| Inst::Math(MathOp::Fmax, kind, v, [a, b, b])),
        };
        self.emit(kind, |v| Inst::Int(int, kind, v, [a, b]))
    }

    /// All subgroups of the work-group wait for each other.
    pub(super) fn meet(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let next = self.builder.new_block().map_err(|problem| inst.error(problem))?;
        self.builder.finish(Exit::Barrier(Site(inst.offset), next));
        self.builder.open(next);
        Ok(())
    }

    /// OpGroupBroadcast. Over a work-group the value is the only one that is not zero when all are combined by "or".
    fn broadcast(&mut self, inst: &Instruction<'_>, group: Group) -> Result<Vec<Value>, LoadError> {
        let (_, values) = self.components(inst, 1)?;
        let (kind, ids) = self.integers(inst, 2)?;
        if group == Group::Subgroup {
            let [id] = *ids else {
                return Err(inst.error(Problem::TypeMismatch("the id in a subgroup is a scalar")));
            };
            let id = self.resize(&[id], kind, Kind::I32, ConvertOp::Zext)?[0];
            return values.into_iter().map(|x| self.taken_from_lane(x, id)).collect();
        }
        let mut is_source = self.constant(Kind::Bool, 1);
        for (dimension, id) in (0..3).zip(ids) {
            let own = self.builder.preset(kind, Preset::BuiltIn(BuiltIn::LocalId(dimension)));
            let same = self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::Eq, kind, v, [own, id]))?;
            is_source = self.emit(Kind::Bool, |v| Inst::Int(IntOp::And, Kind::Bool, v, [is_source, same]))?;
        }
        let mut results = Vec::with_capacity(values.len());
        for x in values {
            let kind = self.builder.kind(x);
            let zero = self.constant(kind, 0);
            let x = self.emit(kind, |v| Inst::Select(kind, v, is_source, [x, zero]))?;
            results.push(self.fold(inst, group, Combine::Or, Extent::All, kind, x)?);
        }
        Ok(results)
    }

    pub(super) fn taken_from_lane(&mut self, x: Value, lane: Value) -> Result<Value, LoadError> {
        let kind = self.builder.kind(x);
        self.emit(kind, |v| Inst::Shuffle(kind, v, [x, lane]))
    }

    /// The shuffles of SPV_INTEL_subgroups.
    pub(super) fn shuffle(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let two = matches!(inst.op, Op::SubgroupShuffleDownINTEL | Op::SubgroupShuffleUpINTEL);
        let (ty, data) = self.values(inst, 0)?;
        if ty != inst.result_type {
            return Err(inst.error(Problem::TypeMismatch("the shuffled value and the result")));
        }
        let (kind, number) = self.scalar(inst, if two { 2 } else { 1 })?;
        if kind != Kind::I32 {
            return Err(inst.error(Problem::TypeMismatch("what a shuffle goes by has 32 bits")));
        }
        let lane = self.own_lane();
        let index = match inst.op {
            Op::SubgroupShuffleINTEL => number,
            Op::SubgroupShuffleXorINTEL => self.integer(IntOp::Xor, lane, number)?,
            Op::SubgroupShuffleDownINTEL => self.integer(IntOp::Add, lane, number)?,
            _ => self.integer(IntOp::Sub, lane, number)?,
        };
        let values = if two {
            self.window(inst, index, data)?
        } else {
            data.into_iter().map(|x| self.taken_from_lane(x, index)).collect::<Result<_, _>>()?
        };
        self.define(inst, values)
    }

    /// A shuffle up or down in a window over two values: where the index is no lane, it is one of the other value.
    fn window(
        &mut self,
        inst: &Instruction<'_>,
        index: Value,
        first: Vec<Value>,
    ) -> Result<Vec<Value>, LoadError> {
        let (ty, second) = self.values(inst, 1)?;
        if ty != inst.result_type || first.len() != second.len() {
            return Err(inst.error(Problem::TypeMismatch("the two values of a shuffle")));
        }
        let up = inst.op == Op::SubgroupShuffleUpINTEL;
        let (inner, outer) = if up { (second, first) } else { (first, second) };
        let lanes = self.constant(Kind::I32, self.subgroup_size.into());
        let op = if up { IntOp::Add } else { IntOp::Sub };
        let beyond = self.integer(op, index, lanes)?;
        let is_inner =
            self.emit(Kind::Bool, |v| Inst::Compare(CompareOp::ULt, Kind::I32, v, [index, lanes]))?;
        let mut values = Vec::with_capacity(inner.len());
        for (x, y) in inner.into_iter().zip(outer) {
            let (x, y) = (self.taken_from_lane(x, index)?, self.taken_from_lane(y, beyond)?);
            values.push(self.select_one(inst, is_inner, x, y)?);
        }
        Ok(values)
    }

    /// An operation on integers of 32 bits.
    pub(super) fn integer(&mut self, op: IntOp, a: Value, b: Value) -> Result<Value, LoadError> {
        self.emit(Kind::I32, |v| Inst::Int(op, Kind::I32, v, [a, b]))
    }

    /// An operation on integers of 64 bits.
    pub(super) fn long(&mut self, op: IntOp, a: Value, b: Value) -> Result<Value, LoadError> {
        self.emit(Kind::I64, |v| Inst::Int(op, Kind::I64, v, [a, b]))
    }
}
