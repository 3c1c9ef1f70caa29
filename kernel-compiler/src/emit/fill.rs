//! Filling local memory with zeros before anything else, where something may be read that nobody has written.
//!
//! Without that, LLVM takes what is read for any value it likes, a different one at each use, and draws conclusions from it. The work-group does it together,
//! number by number, so that padding is filled too; all come to the barrier that follows, since nothing has been decided yet. Local memory has so few numbers that they are counted in 32
//! bits: a counter of 64 halves the work-items that a thread has on some GPUs.

use super::code::Code;
use super::kernel::{Ids, KernelEmitter};
use super::types::SpirvType;
use crate::analysis::Object;
use crate::ir::{Fence, Group, Query, Type};
use rspirv::dr::Operand;
use rspirv::spirv::{Op, StorageClass, Word};

/// Numbers in local memory.
struct Run {
    pointer: Word,
    bytes: u32,
    count: Count,
}

#[derive(Clone, Copy)]
enum Count {
    Known(u64),
    /// So many elements of so many numbers each.
    Elements(Word, u64),
}

impl KernelEmitter<'_, '_> {
    /// The queries that this needs, which are loaded at the top of the kernel.
    pub(super) fn fill_queries(&self) -> &'static [Query] {
        if self.unwritten.is_empty() { &[] } else { &[Query::LocalId, Query::LocalSize] }
    }

    /// A counter for each loop; variables come first in a function.
    pub(super) fn declare_fill(&mut self) {
        if self.unwritten.is_empty() {
            return;
        }
        let int = self.code.module.int(32);
        let pointer = self.code.module.pointer(StorageClass::Function, int);
        let class = Operand::StorageClass(StorageClass::Function);
        self.fill_counter = Some(self.code.compute_with(Op::Variable, pointer, vec![class]));
    }

    /// Fills the memory, and waits until all have done so.
    pub(super) fn fill(&mut self) {
        let Some(counter) = self.fill_counter else { return };
        let int = self.code.module.int(32);
        let [own, all] = [self.linear_id(), self.group_volume()]
            .map(|number| self.code.compute(Op::UConvert, int, &[number]));
        for object in self.unwritten.clone() {
            let run = self.run(object);
            self.fill_run(&run, counter, [own, all]);
        }
        self.barrier(Group::WorkGroup, Fence::Local);
    }

    fn run(&mut self, object: Object) -> Run {
        let (pointer, ty, len) = match object {
            Object::Variable(local) => {
                (self.code.module.locals[local.index()], self.ir.locals[local].ty, None)
            }
            Object::Parameter(position) => {
                let ty = self.ir.parameters[position as usize].ty;
                let element = match self.ir.types[ty] {
                    Type::Slice { element, .. } => element,
                    _ => ty,
                };
                match self.arguments[position as usize] {
                    Ids::Slice { pointer, len } => (pointer, element, Some(len)),
                    Ids::One(pointer) => (pointer, element, None),
                }
            }
        };
        let layout = self.ir.types.layout(ty);
        // Devices align memory as the type says, so that larger numbers are out of the question.
        let bytes = u32::try_from(layout.align.min(4)).unwrap_or(1);
        let numbers = layout.size / u64::from(bytes);
        let number = self.code.module.int(bytes * 8);
        let class = self.code.module.pointer(StorageClass::Workgroup, number);
        let pointer = self.code.compute(Op::Bitcast, class, &[pointer]);
        let count = len.map_or(Count::Known(numbers), |len| Count::Elements(len, numbers));
        Run { pointer, bytes, count }
    }

    fn fill_run(&mut self, run: &Run, counter: Word, [own, all]: [Word; 2]) {
        let code = &mut self.code;
        let int = code.module.int(32);
        let count = match run.count {
            Count::Known(count) => code.module.int_constant(32, count),
            Count::Elements(len, 1) => code.compute(Op::UConvert, int, &[len]),
            Count::Elements(len, numbers) => {
                let len = code.compute(Op::UConvert, int, &[len]);
                let numbers = code.module.int_constant(32, numbers);
                code.compute(Op::IMul, int, &[len, numbers])
            }
        };
        let size = self.ir.attributes.group_size.unwrap_or([1; 3]);
        let least = size.into_iter().map(u64::from).product::<u64>();
        match run.count {
            Count::Known(numbers) if numbers == least && self.ir.attributes.group_size.is_some() => {
                run.fill(code, own);
            }
            Count::Known(numbers) if numbers <= least => {
                let is_there = is_below(code, own, count);
                code.when(is_there, |code| run.fill(code, own));
            }
            _ => run.fill_by_shares(code, counter, count, [own, all]),
        }
    }
}

impl Run {
    /// Fills the number at an index.
    fn fill(&self, code: &mut Code<'_, '_>, index: Word) {
        let number = code.module.int(self.bytes * 8);
        let pointer = code.module.pointer(StorageClass::Workgroup, number);
        let place = code.compute(Op::InBoundsPtrAccessChain, pointer, &[self.pointer, index]);
        let zero = code.module.int_constant(self.bytes * 8, 0);
        code.store(place, zero, self.bytes);
    }

    /// Each work-item fills the number with its own index, and from there on every so many.
    fn fill_by_shares(&self, code: &mut Code<'_, '_>, counter: Word, count: Word, [own, all]: [Word; 2]) {
        let int = code.module.int(32);
        let [header, body, continuing, merge] = [(); 4].map(|()| code.label());
        code.store(counter, own, 4);
        code.branch(header);
        code.open(header);
        let index = code.load(int, counter, 4);
        let goes_on = is_below(code, index, count);
        code.branch_if(goes_on, body, merge);
        let blocks = code.blocks.len();
        code.merge(blocks, Op::LoopMerge, &[merge, continuing]);
        code.open(body);
        self.fill(code, index);
        code.branch(continuing);
        code.open(continuing);
        let next = code.compute(Op::IAdd, int, &[index, all]);
        code.store(counter, next, 4);
        code.branch(header);
        code.open(merge);
    }
}

fn is_below(code: &mut Code<'_, '_>, index: Word, count: Word) -> Word {
    let bool = code.module.type_id(SpirvType::Bool);
    code.compute(Op::ULessThan, bool, &[index, count])
}
