//! Nested blocks to basic blocks, in the order of the source.

use super::kernel::{Ids, KernelEmitter};
use crate::ir::{Base, Block, End, Fence, Group, Label, Memory, Op as IrOp, Place, Statement};
use rspirv::dr::Operand;
use rspirv::spirv::{MemorySemantics, Op, Word};

/// Where the jumps out of a loop's body lead, and whether there are any.
pub(super) struct LoopTargets {
    label: Label,
    merge: Word,
    continuing: Word,
    breaks: bool,
    continues: bool,
}

impl<'ir> KernelEmitter<'ir, '_> {
    /// Emits the body of the kernel.
    pub(super) fn body(&mut self) {
        let ir = self.ir;
        self.statements(&ir.body.statements);
        self.leave();
    }

    fn statements(&mut self, statements: &'ir [Statement]) {
        let mut rest = statements;
        while let ([first, others @ ..], true) = (rest, self.code.is_open()) {
            self.locate(first);
            self.locate_line(first);
            rest = match self.together(rest).or_else(|| self.update(rest)) {
                Some(rest) => rest,
                None => {
                    self.statement(first);
                    others
                }
            };
        }
    }

    /// Emits a nested block and the jump at its end; returns whether control gets to `next`.
    fn block(&mut self, block: &'ir Block, next: Word) -> bool {
        self.statements(&block.statements);
        match block.end {
            End::Next => return self.code.branch(next).is_some(),
            End::Break(label) => self.jump(label, |target| (target.merge, &mut target.breaks)),
            End::Continue(label) => self.jump(label, |target| (target.continuing, &mut target.continues)),
            End::Return => self.leave(),
        }
        false
    }

    fn jump(&mut self, label: Label, select: impl FnOnce(&mut LoopTargets) -> (Word, &mut bool)) {
        if let Some(target) = self.loops.iter_mut().find(|target| target.label == label) {
            let (target, taken) = select(target);
            *taken |= self.code.branch(target).is_some();
        }
    }

    fn leave(&mut self) {
        match self.code.report_label() {
            Some(label) => self.code.branch(label),
            None => self.return_result(),
        };
    }

    /// Emits the end of a kernel that can fault, where the work-item reports its first fault.
    pub(super) fn end(&mut self) {
        if let Some(record) = self.record {
            let lens = self.arguments.iter().filter_map(|argument| match argument {
                Ids::Slice { len, .. } => Some(*len),
                Ids::One(_) => None,
            });
            let lens: Vec<Word> = lens.collect();
            self.code.report_fault(record, &lens, self.analysis.has_short_slices());
        }
    }

    fn statement(&mut self, statement: &'ir Statement) {
        match statement {
            Statement::Evaluate(value) => self.evaluate(*value),
            Statement::Store { place, value } => self.store(place, *value),
            Statement::ImageWrite(write) => self.image_write(write),
            Statement::If { condition, accept, reject } => {
                let condition = self.id(*condition);
                self.if_else(condition, accept, reject);
            }
            Statement::Loop { label, body, continuing } => self.repeat(*label, body, continuing),
            Statement::Barrier(_, group, fence) => self.barrier(*group, *fence),
            // What the analysis has checked needs no instruction.
            Statement::AssertUniform(..) => {}
            Statement::Wait(_, event) => self.wait_for_copy(*event),
            Statement::Order(scope, order) => self.order(*scope, *order),
            Statement::Print { site, words } => self.print(*site, words),
        }
    }

    /// Notes where a statement is written that may access memory which other work-items can see.
    fn locate(&mut self, statement: &Statement) {
        let values = &self.ir.values;
        let span = match statement {
            Statement::Evaluate(value) => match &values[*value].op {
                IrOp::Load(place) if matches!(place.base, Base::Variable(_)) => return,
                _ => values[*value].span,
            },
            Statement::Store { place: Place { base: Base::Variable(_), .. }, .. } => return,
            Statement::Store { place, value } => self.analysis.place_of_store(self.ir, place, *value),
            Statement::ImageWrite(write) => values[write.texel].span,
            Statement::Wait(span, _) => *span,
            _ => return,
        };
        self.code.place = Some(span);
    }

    /// Notes where a statement is written, for the lines of its instructions.
    fn locate_line(&mut self, statement: &Statement) {
        let span = match statement {
            Statement::Store { place, value } => Some(self.analysis.place_of_store(self.ir, place, *value)),
            _ => statement.span(&self.ir.values),
        };
        span.into_iter().for_each(|span| self.code.lines.locate(span));
    }

    fn if_else(&mut self, condition: Word, accept: &'ir Block, reject: &'ir Block) {
        let merge = self.code.label();
        let accept_label = self.arm_label(accept, merge);
        let reject_label = self.arm_label(reject, merge);
        self.code.branch_if(condition, accept_label, reject_label);
        let header = self.code.blocks.len();
        let accepted = self.arm(accept, accept_label, merge);
        let rejected = self.arm(reject, reject_label, merge);
        if accepted || rejected {
            self.code.merge(header, Op::SelectionMerge, &[merge]);
            self.code.open(merge);
        }
    }

    /// The label of one side of an `if`; a side that does nothing is the merge itself.
    fn arm_label(&mut self, block: &Block, merge: Word) -> Word {
        if block.does_nothing() { merge } else { self.code.label() }
    }

    fn arm(&mut self, block: &'ir Block, label: Word, merge: Word) -> bool {
        if label == merge {
            return true;
        }
        self.code.open(label);
        self.block(block, merge)
    }

    fn repeat(&mut self, label: Label, body: &'ir Block, continuing: &'ir Block) {
        let [header_label, body_label] = [self.code.label(), self.code.label()];
        let (continuing_label, merge) = (self.code.label(), self.code.label());
        self.code.branch(header_label);
        self.code.open(header_label);
        self.code.branch(body_label);
        let header = self.code.blocks.len();

        let targets =
            LoopTargets { label, merge, continuing: continuing_label, breaks: false, continues: false };
        self.loops.push(targets);
        let of_outer_loop = self.code.faults_in_loop.replace(0);
        self.code.open(body_label);
        let falls_through = self.block(body, continuing_label);
        let Some(LoopTargets { breaks, continues, .. }) = self.loops.pop() else { return };

        let repeats = falls_through || continues;
        if repeats {
            self.code.open(continuing_label);
            self.block(continuing, header_label);
        }
        self.code.faults_in_loop = of_outer_loop;
        if breaks {
            self.code.open(merge);
        }
        if repeats && breaks {
            self.code.merge(header, Op::LoopMerge, &[merge, continuing_label]);
        }
    }

    /// Waits for the group; orders accesses to local memory, and to global memory where the fence says so.
    pub(super) fn barrier(&mut self, group: Group, fence: Fence) {
        let execution = Operand::IdScope(self.code.module.scope(group));
        let (scope, memory) = match fence {
            Fence::Given(scope, memory) => (self.memory_scope(scope), memory),
            _ => {
                let mut memory = Memory::LOCAL;
                if fence == Fence::LocalAndGlobal {
                    memory = memory.union(Memory::GLOBAL);
                }
                if self.orders_images {
                    memory = memory.union(Memory::IMAGE);
                }
                (execution.clone(), memory)
            }
        };
        let semantics = self.code.module.int_constant(32, u64::from(semantics(memory).bits()));
        self.code.effect(Op::ControlBarrier, vec![execution, scope, Operand::IdMemorySemantics(semantics)]);
    }
}

/// What a barrier orders, as SPIR-V says it.
fn semantics(memory: Memory) -> MemorySemantics {
    if memory == Memory::NONE {
        return MemorySemantics::RELAXED;
    }
    let kinds = [
        (Memory::LOCAL, MemorySemantics::WORKGROUP_MEMORY),
        (Memory::GLOBAL, MemorySemantics::CROSS_WORKGROUP_MEMORY),
        (Memory::IMAGE, MemorySemantics::IMAGE_MEMORY),
    ];
    let among = kinds.into_iter().filter(|(kind, _)| memory.contains(*kind));
    among.fold(MemorySemantics::SEQUENTIALLY_CONSISTENT, |all, (_, kind)| all | kind)
}
