//! Machine code over variables: blocks of instructions whose registers are not chosen yet.
//!
//! Selection builds a [`Function`] for the processor with the widest vectors, which [`legalise`] makes one for others. A [`Var`] may be assigned any number of times; [`ssa`] gives each assignment a register of its own and
//! drops what nothing uses, [`allocate`] hands that to `regalloc2`, and [`emit`] writes the bytes.

mod again;
mod allocate;
mod emit;
mod exits;
mod fold;
mod hoist;
mod homes;
mod layout;
mod legalise;
mod live;
mod share;
mod sink;
mod slots;
mod ssa;

use super::encode::{self as rows, Condition, Row};
use super::target::Target;
use crate::dump::Listed;
pub(super) use emit::Constants;
pub(super) use hoist::Passes;
pub(super) use legalise::has;
#[cfg(test)]
pub(super) use legalise::is_allowed;

/// What may be done to find registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// How much work it may be, in variables that blocks are given by others and operands, of all blocks together: the time that it takes grows with these, by one to three
    /// seconds for each million.
    pub(super) work: usize,
    /// In how many places variables that are in registers between blocks may be needed, in all blocks together, if there are others that are in memory.
    pub(super) most: Option<usize>,
}

impl Effort {
    /// For code that has its variables in registers.
    pub(super) const FAST: Self = Self { work: 1 << 20, most: None };
    /// For code that has most of them in memory between blocks.
    pub(super) const LITTLE: Self = Self { work: 1 << 21, most: Some(1 << 18) };
    /// For code that has all of them there.
    pub(super) const LEAST: Self = Self { work: 1 << 21, most: Some(0) };
}

/// What stops a function from becoming code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused(pub(crate) &'static str);

impl Refused {
    /// It would take too long to find registers, or too much of the stack to do without.
    pub(super) const TOO_LARGE: Self = Self("too many values that are needed in too many places");
}

/// The kind of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class {
    General,
    Vector,
    Mask,
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Var(pub(super) u32);

/// A block, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Block(pub(super) u32);

/// How an instruction uses a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// Read before anything is written.
    Use,
    /// Read when results may be there already.
    LateUse,
    Def,
    /// Written to the register of the operand with this number.
    Reuse(u8),
    /// Read from this register.
    UseFixed(u8),
    /// Written to this register.
    DefFixed(u8),
}

impl How {
    pub(super) const fn is_use(self) -> bool {
        matches!(self, Self::Use | Self::LateUse | Self::UseFixed(_))
    }
}

/// Where an operand stands in the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Register,
    Second,
    Last,
    Base,
    Index,
    /// The mask: what is outside of it stays.
    Merge,
    /// The mask: what is outside of it becomes zero.
    Zero,
    /// Named by another operand, or by the instruction itself.
    Hidden,
}

/// An operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Op {
    pub(super) var: Var,
    pub(super) how: How,
    pub(super) role: Role,
}

/// Where a memory operand starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// At the operand that is the base.
    Var,
    /// At the context, which is always at hand.
    Context,
    /// At the register file of the subgroup.
    Registers,
    /// At a constant, by its offset in the pool.
    Constant(u32),
    /// At memory of the function's own, of [`SCRATCH`] bytes, in which no value outlives an instruction.
    Scratch,
}

/// The bytes of scratch memory.
const SCRATCH: usize = 128;

/// A memory operand, but for its variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) anchor: Anchor,
    pub(super) scale: u8,
    pub(super) displacement: i32,
    pub(super) broadcast: bool,
}

impl Place {
    pub(super) const fn at(anchor: Anchor, displacement: i32) -> Self {
        Self { anchor, scale: 1, displacement, broadcast: false }
    }

    /// One element for all.
    pub(super) const fn broadcast(self) -> Self {
        Self { broadcast: true, ..self }
    }
}

/// What an instruction is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Code {
    Row(Row),
    /// The first operand becomes the second; no code.
    Copy,
    /// The operand becomes something; no code.
    Undefined,
    /// A general register becomes a number.
    Immediate(u64),
    /// A general register becomes 0 or 1, by a comparison of two others or with a number.
    Compare {
        row: Row,
        condition: Condition,
    },
    /// The quotient and the rest of two general registers: the first is in rax, where the quotient comes; the rest comes to rdx.
    Divide {
        row: Row,
    },
    /// Chooses one of two general registers by a comparison of two others.
    Choose {
        compare: Row,
        choose: Row,
    },
    /// A mask becomes full.
    FullMask,
    /// A mask becomes empty.
    EmptyMask,
    /// Takes the register file from the context anew.
    Registers,
    /// Goes on with the register file of the next subgroup.
    NextRegisters,
    /// Calls the interpreter for the instruction with this number; every register is as before.
    Call(u32),
}

/// The most operands of an instruction.
pub(super) const MAX_OPERANDS: usize = 6;

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inst {
    pub(super) code: Code,
    operands: [Op; MAX_OPERANDS],
    count: u8,
    pub(super) place: Option<Place>,
    pub(super) immediate: i32,
    /// Whether it does something besides defining its results.
    pub(super) effect: bool,
    /// Whether it loads local memory that there is for certain, and that only other instructions of the code may write meanwhile.
    pub(super) steady: bool,
}

impl Inst {
    pub(super) fn new(code: Code) -> Self {
        let none = Op { var: Var(0), how: How::Use, role: Role::Hidden };
        let operands = [none; MAX_OPERANDS];
        Self { code, operands, count: 0, place: None, immediate: 0, effect: false, steady: false }
    }

    pub(super) fn row(row: Row) -> Self {
        Self::new(Code::Row(row))
    }

    pub(super) fn op(mut self, var: Var, how: How, role: Role) -> Self {
        self.operands[usize::from(self.count)] = Op { var, how, role };
        self.count += 1;
        self
    }

    /// The result, in the register field.
    pub(super) fn def(self, var: Var) -> Self {
        self.op(var, How::Def, Role::Register)
    }

    /// The result, where others have the last operand.
    pub(super) fn result_last(self, var: Var) -> Self {
        self.op(var, How::Def, Role::Last)
    }

    /// What is read from the register field.
    pub(super) fn register(self, var: Var) -> Self {
        self.op(var, How::Use, Role::Register)
    }

    pub(super) fn second(self, var: Var) -> Self {
        self.op(var, How::Use, Role::Second)
    }

    pub(super) fn last(self, var: Var) -> Self {
        self.op(var, How::Use, Role::Last)
    }

    pub(super) fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    pub(super) fn base(self, var: Var) -> Self {
        self.op(var, How::Use, Role::Base)
    }

    pub(super) fn index(self, var: Var) -> Self {
        self.op(var, How::Use, Role::Index)
    }

    /// The result replaces `old`, which is read too.
    pub(super) fn update(self, var: Var, old: Var) -> Self {
        let place = self.count + 1;
        self.op(var, How::Reuse(place), Role::Register).op(old, How::Use, Role::Hidden)
    }

    /// The result replaces `old` in the last operand.
    pub(super) fn update_last(self, var: Var, old: Var) -> Self {
        let place = self.count + 1;
        self.op(var, How::Reuse(place), Role::Last).op(old, How::Use, Role::Hidden)
    }

    pub(super) fn merge(self, mask: Option<Var>) -> Self {
        match mask {
            Some(mask) => self.op(mask, How::Use, Role::Merge),
            None => self,
        }
    }

    pub(super) fn zero(self, mask: Option<Var>) -> Self {
        match mask {
            Some(mask) => self.op(mask, How::Use, Role::Zero),
            None => self,
        }
    }

    pub(super) fn imm(mut self, immediate: i32) -> Self {
        self.immediate = immediate;
        self
    }

    pub(super) fn effect(mut self) -> Self {
        self.effect = true;
        self
    }

    /// Whether it may change what others find in memory.
    pub(super) fn may_write(&self) -> bool {
        self.effect && self.code != Code::Row(rows::PREFETCH)
    }

    pub(super) fn operands(&self) -> &[Op] {
        &self.operands[..usize::from(self.count)]
    }

    pub(super) fn operands_mut(&mut self) -> &mut [Op] {
        &mut self.operands[..usize::from(self.count)]
    }

    /// The instruction with another value for its result.
    pub(super) fn with_result(mut self, own: Var) -> Self {
        self.operands_mut().iter_mut().filter(|op| !op.how.is_use()).for_each(|op| op.var = own);
        self
    }
}

/// The end of a block.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// Not said yet.
    Open,
    Jump(Block),
    /// The test sets the flags.
    Branch {
        test: Inst,
        condition: Condition,
        then: Block,
        otherwise: Block,
    },
    Return,
}

impl End {
    pub(super) fn targets(&self) -> impl Iterator<Item = Block> {
        let (first, second) = match *self {
            Self::Jump(to) => (Some(to), None),
            Self::Branch { then, otherwise, .. } => (Some(then), Some(otherwise)),
            Self::Open | Self::Return => (None, None),
        };
        first.into_iter().chain(second)
    }
}

#[derive(Clone, Debug)]
pub(super) struct BlockData {
    pub(super) insts: Vec<Inst>,
    pub(super) end: End,
    /// Whether it is seldom executed, and stands behind the others.
    pub(super) cold: bool,
}

/// A function that has become code.
pub(super) struct Finished {
    /// The machine code, with the constants behind it.
    pub(super) bytes: Vec<u8>,
    /// Its instructions for people, if they are wanted.
    pub(super) listed: Vec<Listed>,
    /// How many instructions registers have been chosen for.
    pub(super) instructions: usize,
    /// The bytes of variables that are kept in memory.
    pub(super) homes: usize,
}

/// A function under construction; it starts with its first block.
#[derive(Clone, Debug, Default)]
pub(super) struct Function {
    /// How to make the code shorter.
    pub(super) passes: Passes,
    /// The processors that execute its instructions.
    pub(super) target: Target,
    pub(super) blocks: Vec<BlockData>,
    pub(super) classes: Vec<Class>,
    /// The blocks in the order in which they stand in memory.
    pub(super) layout: Vec<Block>,
}

impl Function {
    pub(super) fn var(&mut self, class: Class) -> Var {
        self.classes.push(class);
        Var(self.classes.len() as u32 - 1)
    }

    /// A block that stands nowhere yet.
    pub(super) fn block(&mut self, cold: bool) -> Block {
        self.blocks.push(BlockData { insts: Vec::new(), end: End::Open, cold });
        Block(self.blocks.len() as u32 - 1)
    }

    /// Puts a block behind those that stand already.
    pub(super) fn stand(&mut self, block: Block) {
        self.layout.push(block);
    }

    pub(super) fn push(&mut self, block: Block, inst: Inst) {
        self.blocks[block.0 as usize].insts.push(inst);
    }

    pub(super) fn end(&mut self, block: Block, end: End) {
        self.blocks[block.0 as usize].end = end;
    }

    /// The machine code, by the first of some efforts that is enough. What it keeps in memory is at an offset from the context, which is a multiple of 64.
    pub(super) fn finish(
        self,
        target: Target,
        constants: &mut Constants,
        thunk: i32,
        homes: i32,
        efforts: &[Effort],
    ) -> Result<Finished, Refused> {
        let function = match target {
            Target::Avx512 => self,
            Target::Avx2 => legalise::legalise(self, constants)?,
        };
        let passes = function.passes;
        let mut found = Err(Refused::TOO_LARGE);
        for &effort in efforts {
            found = ssa::convert(function.clone(), effort, homes).and_then(|mut form| {
                passes.improve(&mut form);
                let mut allocation = allocate::allocate(&form)?;
                if passes.slots {
                    slots::drop_moves(&form, &mut allocation);
                }
                Ok((form, allocation))
            });
            if !matches!(found, Err(Refused::TOO_LARGE)) {
                break;
            }
        }
        let (form, allocation) = found?;
        let (bytes, listed) = emit::emit(&form, &allocation, constants, thunk);
        Ok(Finished { bytes, listed, instructions: allocation.view.instructions(), homes: form.homes })
    }
}
