//! The instructions of a function under construction, in basic blocks.

use super::ModuleEmitter;
use super::fault::Faults;
use super::lines::Lines;
use proc_macro2::Span;
use rspirv::dr::{Block, Instruction, Operand};
use rspirv::spirv::{LoopControl, MemoryAccess, MemorySemantics, Op, Scope, SelectionControl, Word};

/// A basic block that has no terminator yet.
struct OpenBlock {
    label: Word,
    instructions: Vec<Instruction>,
}

impl OpenBlock {
    fn terminate(mut self, terminator: Instruction) -> Block {
        self.instructions.push(terminator);
        let label = Instruction::new(Op::Label, None, Some(self.label), Vec::new());
        Block { label: Some(label), instructions: self.instructions }
    }
}

/// The parameters and blocks of a function under construction.
///
/// What follows a jump in the same list of statements cannot be reached: there is no open block then, and
/// instructions are dropped.
pub(super) struct Code<'ir, 'm> {
    pub(super) module: &'m mut ModuleEmitter<'ir>,
    pub(super) parameters: Vec<Instruction>,
    pub(super) blocks: Vec<Block>,
    /// How a kernel that can fault does so.
    pub(super) faults: Option<Faults>,
    /// How many faults are kept in the body of the innermost loop before the instructions that are appended, if they are in one.
    pub(super) faults_in_loop: Option<u32>,
    /// Where that is written of which instructions are appended.
    pub(super) place: Option<Span>,
    /// Where the instructions that access memory are written.
    pub(super) places: Vec<Option<Span>>,
    /// The lines of the instructions, if they are asked for.
    pub(super) lines: Lines,
    current: Option<OpenBlock>,
}

impl<'ir, 'm> Code<'ir, 'm> {
    /// Starts a function with its entry block open.
    pub(super) fn new(module: &'m mut ModuleEmitter<'ir>) -> Self {
        let mut code = Self {
            lines: Lines::new(module.has_lines),
            module,
            parameters: Vec::new(),
            blocks: Vec::new(),
            faults: None,
            faults_in_loop: None,
            place: None,
            places: Vec::new(),
            current: None,
        };
        let entry = code.label();
        code.open(entry);
        code
    }

    pub(super) fn parameter(&mut self, ty: Word, name: &str) -> Word {
        let id = self.module.sections.fresh();
        self.module.sections.name(id, name);
        self.parameters.push(Instruction::new(Op::FunctionParameter, Some(ty), Some(id), Vec::new()));
        id
    }

    /// Appends an instruction with a result.
    pub(super) fn compute_with(&mut self, op: Op, ty: Word, operands: Vec<Operand>) -> Word {
        let id = self.module.sections.fresh();
        self.push(Instruction::new(op, Some(ty), Some(id), operands));
        id
    }

    /// Appends an instruction with a result whose operands are all ids.
    pub(super) fn compute(&mut self, op: Op, ty: Word, operands: &[Word]) -> Word {
        self.compute_with(op, ty, operands.iter().copied().map(Operand::IdRef).collect())
    }

    /// Appends an instruction without a result.
    pub(super) fn effect(&mut self, op: Op, operands: Vec<Operand>) {
        self.push(Instruction::new(op, None, None, operands));
    }

    /// Loads from a pointer that is aligned to a number of bytes.
    pub(super) fn load(&mut self, ty: Word, pointer: Word, alignment: u32) -> Word {
        self.load_as(ty, pointer, alignment, MemoryAccess::NONE)
    }

    /// The same, of which more is said.
    pub(super) fn load_as(&mut self, ty: Word, pointer: Word, alignment: u32, hint: MemoryAccess) -> Word {
        let mut operands = vec![Operand::IdRef(pointer)];
        operands.extend(aligned(alignment, hint));
        self.compute_with(Op::Load, ty, operands)
    }

    /// Stores to a pointer that is aligned to a number of bytes.
    pub(super) fn store(&mut self, pointer: Word, value: Word, alignment: u32) {
        self.store_as(pointer, value, alignment, MemoryAccess::NONE);
    }

    /// The same, of which more is said.
    pub(super) fn store_as(&mut self, pointer: Word, value: Word, alignment: u32, hint: MemoryAccess) {
        let mut operands = vec![Operand::IdRef(pointer), Operand::IdRef(value)];
        operands.extend(aligned(alignment, hint));
        self.effect(Op::Store, operands);
    }

    fn push(&mut self, instruction: Instruction) {
        if let Some(block) = &mut self.current {
            if kernel_core::is_access(instruction.class.opcode as u16) {
                self.places.push(self.place);
            }
            block.instructions.extend(self.lines.next());
            block.instructions.push(instruction);
        }
    }

    /// An atomic operation of the device on a word, in no order with others.
    pub(super) fn relaxed(&mut self, op: Op, pointer: Word, operands: &[Word]) -> Word {
        let int = self.module.int(32);
        let scope = self.module.int_constant(32, Scope::Device as u64);
        let relaxed = self.module.int_constant(32, u64::from(MemorySemantics::RELAXED.bits()));
        let mut all =
            vec![Operand::IdRef(pointer), Operand::IdScope(scope), Operand::IdMemorySemantics(relaxed)];
        all.extend(operands.iter().copied().map(Operand::IdRef));
        self.compute_with(op, int, all)
    }

    /// A label for a block that is opened later.
    pub(super) fn label(&mut self) -> Word {
        self.module.sections.fresh()
    }

    /// Opens a block; the one before has been terminated.
    pub(super) fn open(&mut self, label: Word) {
        self.lines.start_block();
        self.current = Some(OpenBlock { label, instructions: Vec::new() });
    }

    /// Returns whether the next instruction can be reached.
    pub(super) fn is_open(&self) -> bool {
        self.current.is_some()
    }

    /// Terminates the open block and returns its label, if there is one.
    pub(super) fn terminate(&mut self, op: Op, operands: &[Word]) -> Option<Word> {
        let mut block = self.current.take()?;
        block.instructions.extend(self.lines.next());
        let label = block.label;
        let operands = operands.iter().copied().map(Operand::IdRef).collect();
        self.blocks.push(block.terminate(Instruction::new(op, None, None, operands)));
        Some(label)
    }

    /// Jumps, if the jump can be reached, and returns the label of the block that did.
    pub(super) fn branch(&mut self, target: Word) -> Option<Word> {
        self.terminate(Op::Branch, &[target])
    }

    /// Jumps to one of two labels.
    pub(super) fn branch_if(&mut self, condition: Word, accept: Word, reject: Word) {
        self.terminate(Op::BranchConditional, &[condition, accept, reject]);
    }

    /// Declares where the paths meet again that part at the end of the block which was terminated last.
    ///
    /// The instruction stands before the terminator, but whether the paths meet is known only after both
    /// have been emitted; `header` is the number of blocks at the time the block was terminated.
    pub(super) fn merge(&mut self, header: usize, op: Op, targets: &[Word]) {
        let mut operands: Vec<_> = targets.iter().copied().map(Operand::IdRef).collect();
        operands.push(match op {
            Op::LoopMerge => Operand::LoopControl(LoopControl::NONE),
            _ => Operand::SelectionControl(SelectionControl::NONE),
        });
        if let Some(block) = header.checked_sub(1).and_then(|index| self.blocks.get_mut(index)) {
            let terminator = block.instructions.len() - 1;
            block.instructions.insert(terminator, Instruction::new(op, None, None, operands));
        }
    }

    /// Computes a value of type `ty` in one of two ways.
    pub(super) fn either(
        &mut self,
        condition: Word,
        ty: Word,
        accept: impl FnOnce(&mut Self) -> Word,
        reject: impl FnOnce(&mut Self) -> Word,
    ) -> Word {
        let [accept_label, reject_label, merge] = [self.label(), self.label(), self.label()];
        self.branch_if(condition, accept_label, reject_label);
        let header = self.blocks.len();
        let mut incoming = self.arm(accept_label, merge, accept);
        incoming.extend(self.arm(reject_label, merge, reject));
        self.merge(header, Op::SelectionMerge, &[merge]);
        self.open(merge);
        self.compute(Op::Phi, ty, &incoming)
    }

    /// A block that computes a value and jumps; returns the value and the label from which it comes.
    fn arm(&mut self, label: Word, merge: Word, compute: impl FnOnce(&mut Self) -> Word) -> Vec<Word> {
        self.open(label);
        let value = compute(self);
        let from = self.branch(merge);
        [value].into_iter().chain(from).collect()
    }

    /// Runs `then` only if the condition holds.
    pub(super) fn when(&mut self, condition: Word, then: impl FnOnce(&mut Self)) {
        let [label, merge] = [self.label(), self.label()];
        self.branch_if(condition, label, merge);
        self.apart([label, merge], then);
    }

    /// The block to which one of two paths has just led, and where they meet.
    fn apart(&mut self, [label, merge]: [Word; 2], then: impl FnOnce(&mut Self)) {
        let header = self.blocks.len();
        self.open(label);
        then(self);
        self.branch(merge);
        self.merge(header, Op::SelectionMerge, &[merge]);
        self.open(merge);
    }
}

fn aligned(alignment: u32, hint: MemoryAccess) -> [Operand; 2] {
    [Operand::MemoryAccess(MemoryAccess::ALIGNED | hint), Operand::LiteralBit32(alignment)]
}
