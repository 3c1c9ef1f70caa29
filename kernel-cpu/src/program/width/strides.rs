//! How the values of neighbouring work-items differ.

use crate::program::{BuiltIn, ConvertOp, Inst, IntOp, Preset, Program, Value};

/// So often the program is looked at; loops in loops take more than one look.
const MAX_PASSES: usize = 8;

/// How a value differs from each work-item to the next, as far as loops that only some of them stay in are left out of account.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stride {
    /// Nothing is known yet.
    Open,
    By(i64),
    Any,
}

impl Stride {
    const SAME: Self = Self::By(0);

    /// What holds where one or the other may be.
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Open, it) | (it, Self::Open) => it,
            (a, b) if a == b => a,
            _ => Self::Any,
        }
    }

    /// What is computed from both.
    fn with(self, other: Self, compute: impl Fn(i64, i64) -> Option<i64>) -> Self {
        match (self, other) {
            (Self::By(a), Self::By(b)) => compute(a, b).map_or(Self::Any, Self::By),
            (Self::Any, _) | (_, Self::Any) => Self::Any,
            _ => Self::Open,
        }
    }

    fn times(self, factor: Option<i64>) -> Self {
        match (self, factor) {
            (Self::By(by), Some(factor)) => by.checked_mul(factor).map_or(Self::Any, Self::By),
            (Self::Open, Some(_)) => Self::Open,
            _ => Self::Any,
        }
    }
}

/// The strides of all values, by their numbers.
pub(super) struct Strides(Vec<Stride>);

impl Strides {
    /// Returns nothing if that takes too many looks at the program.
    pub(super) fn of(program: &Program) -> Option<Self> {
        let mut strides = Self(vec![Stride::Open; program.kinds.len()]);
        let mut constants = vec![None; program.kinds.len()];
        for &(value, preset) in &program.presets {
            if let Preset::Constant(bits) = preset {
                constants[value.0 as usize] = Some(bits as i64);
            }
            use BuiltIn::*;
            strides.0[value.0 as usize] = match preset {
                Preset::BuiltIn(GlobalId(0) | LocalId(0) | GlobalLinearId | LocalLinearId) => Stride::By(1),
                // Of the other ids there are few in a subgroup; and private arrays that are small enough for several strips are mostly kept in registers.
                _ => Stride::SAME,
            };
        }
        for _ in 0..MAX_PASSES {
            if !strides.look(program, &constants) {
                return Some(strides);
            }
        }
        None
    }

    /// Goes through the program once; returns whether that has told anything new.
    fn look(&mut self, program: &Program, constants: &[Option<i64>]) -> bool {
        let mut is_new = false;
        for block in &program.blocks {
            for inst in &block.insts {
                if let Some(result) = inst.result() {
                    is_new |= self.learn(result, self.result(inst, constants));
                }
            }
            for step in block.terminator.edges().flat_map(|edge| &edge.moves) {
                is_new |= self.learn(step.to, self.get(step.from));
            }
        }
        is_new
    }

    fn learn(&mut self, value: Value, stride: Stride) -> bool {
        let known = &mut self.0[value.0 as usize];
        let joined = known.join(stride);
        std::mem::replace(known, joined) != joined
    }

    fn get(&self, value: Value) -> Stride {
        self.0[value.0 as usize]
    }

    fn result(&self, inst: &Inst, constants: &[Option<i64>]) -> Stride {
        if !inst.is_pure() && accessed(inst).is_none() {
            return Stride::Any;
        }
        let constant = |value: Value| constants[value.0 as usize];
        match *inst {
            Inst::Int(IntOp::Add, _, _, [a, b]) => self.get(a).with(self.get(b), i64::checked_add),
            Inst::Int(IntOp::Sub, _, _, [a, b]) => self.get(a).with(self.get(b), i64::checked_sub),
            Inst::Int(IntOp::Mul, _, _, [a, b]) if constant(b).is_some() => self.get(a).times(constant(b)),
            Inst::Int(IntOp::Mul, _, _, [a, b]) if constant(a).is_some() => self.get(b).times(constant(a)),
            Inst::Int(IntOp::Shl, _, _, [a, b]) if constant(b).is_some() => {
                self.get(a).times(constant(b).and_then(|by| 1_i64.checked_shl(by.try_into().ok()?)))
            }
            Inst::Convert(ConvertOp::Zext | ConvertOp::Sext, _, _, _, x) => self.get(x),
            Inst::Address { base, index, scale, .. } => {
                self.get(base).with(self.get(index).times(Some(scale)), i64::checked_add)
            }
            mut inst => {
                let mut stride = Stride::SAME;
                let none = |a, b| (a == 0 && b == 0).then_some(0);
                inst.visit_operands(&mut |operand| stride = stride.with(self.get(*operand), none));
                stride
            }
        }
    }

    /// Whether one number tells how the value differs, so that it takes no register of its own.
    pub(super) fn is_known(&self, value: Value) -> bool {
        matches!(self.get(value), Stride::By(_))
    }

    pub(super) fn is_same(&self, value: Value) -> bool {
        self.get(value) == Stride::SAME
    }

    /// Whether an instruction accesses memory, if at all, in one place or where the work-items are beside each other.
    pub(super) fn are_together(&self, inst: &Inst) -> bool {
        match accessed(inst).map(|(address, size)| (self.get(address), size)) {
            Some((Stride::By(by), size)) => by == 0 || by.unsigned_abs() == u64::from(size),
            Some(_) => false,
            None => !matches!(inst, Inst::Atomic { .. } | Inst::Copy { .. }),
        }
    }
}

/// The address of a load or store, and the size of what is there.
pub(super) fn accessed(inst: &Inst) -> Option<(Value, u32)> {
    match *inst {
        Inst::Load { kind, address, .. } | Inst::Store { kind, address, .. } => Some((address, kind.size())),
        _ => None,
    }
}
