//! Checks, and the report of a work-item's first fault.
//!
//! An operation with checks becomes a branch: one side does it, the other keeps the fault in a private variable, if it is
//! the first, and takes zero. The kernel has one exit, where a work-item that kept a fault adds it to the fault record. With
//! the atomic and the stores to global memory out of the way, loops with checks compile to a fraction of what they
//! would be if each check reported at once, and the record counts faulting work-items rather than failed checks.

use super::ModuleEmitter;
use super::code::Code;
use super::kernel::KernelEmitter;
use super::types::SpirvType;
use crate::ir::{self, Check, Fault, Handle, Numeric, Site, Value};
use kernel_core::Scalar;
use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, FunctionControl, Op, StorageClass, Word};

/// The alignment of a fault record, in bytes.
const RECORD_ALIGNMENT: u32 = 8;

/// The members of a fault record: two values, the site with the three coordinates of the global id, the count, and one that is reserved.
///
/// Compilers have mishandled nested shapes, so it is flat. What belongs together is stored as a vector.
mod record {
    pub(super) const LONGS: usize = 2;
    pub(super) const WORDS: usize = 6;
    pub(super) const VALUES: u64 = 0;
    pub(super) const SITE: u64 = 2;
    pub(super) const COUNT: u64 = 6;
    /// The words of a message follow.
    pub(super) const MESSAGE: u64 = 8;
}

/// A condition that must hold for an operation to be defined.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    /// The condition.
    pub(super) holds: Word,
    /// Where the fault is if it does not hold.
    pub(super) site: Handle<Site>,
    /// The values that go with the fault, 64-bit integers.
    pub(super) values: [Word; 2],
}

impl ModuleEmitter<'_> {
    /// A pointer to the layout of `kernel_core::FaultRecord` and the words after it.
    pub(super) fn record_pointer(&mut self) -> Word {
        let (int, long) = (self.int(32), self.int(64));
        let mut members = vec![long; record::LONGS];
        members.resize(record::LONGS + record::WORDS + self.ir.fault_words() as usize, int);
        let record = self.type_id(SpirvType::Struct(String::new(), members));
        self.pointer(StorageClass::CrossWorkgroup, record)
    }

    /// A pointer to the words that go with a work-item's first fault.
    fn pending_words_pointer(&mut self) -> Word {
        let int = self.int(32);
        let members = (0..self.ir.fault_words()).map(|_| int).collect();
        let words = self.type_id(SpirvType::Struct(String::new(), members));
        self.pointer(StorageClass::Function, words)
    }

    /// A pointer to what a work-item knows of its first fault: the site plus one, or zero, and two values.
    pub(super) fn pending_pointer(&mut self) -> Word {
        let (int, long) = (self.int(32), self.int(64));
        let pending = self.type_id(SpirvType::Struct(String::new(), vec![int, long, long]));
        self.pointer(StorageClass::Function, pending)
    }

    /// The function that keeps a fault, emitted on first use; it takes the pointer to keep it at, site and values.
    ///
    /// Compilers inline it, so a call costs a kernel nothing, and a check takes half as many words in the module.
    fn keeper(&mut self) -> Word {
        if let Some(keeper) = self.keeper {
            return keeper;
        }
        let id = self.sections.fresh();
        self.keeper = Some(id);
        self.sections.name(id, "fault.keep");
        let (pending, int, long) = (self.pending_pointer(), self.int(32), self.int(64));
        let mut code = Code::new(self);
        let pending = code.parameter(pending, "pending");
        let site = code.parameter(int, "site");
        let values = ["first", "second"].map(|name| code.parameter(long, name));
        code.keep_first(pending, site, values);
        code.terminate(Op::Return, &[]);
        let Code { parameters, blocks, .. } = code;
        self.finish_function(id, FunctionControl::INLINE, parameters, blocks);
        id
    }
}

impl Code<'_, '_> {
    /// Computes a value if all conditions hold; else records the fault and takes zero.
    pub(super) fn guarded_value(
        &mut self,
        guards: &[Guard],
        ty: Word,
        zero: Word,
        operation: impl FnOnce(&mut Self) -> Word,
    ) -> Word {
        let Some(all) = self.all_hold(guards) else { return operation(self) };
        self.either(all, ty, operation, |code| {
            code.keep_fault(guards);
            zero
        })
    }

    /// Runs an operation if all conditions hold; else records the fault.
    pub(super) fn guarded_effect(&mut self, guards: &[Guard], operation: impl FnOnce(&mut Self)) {
        let Some(all) = self.all_hold(guards) else { return operation(self) };
        let [accept, reject, merge] = [self.label(), self.label(), self.label()];
        self.branch_if(all, accept, reject);
        let header = self.blocks.len();
        self.open(accept);
        operation(self);
        self.branch(merge);
        self.open(reject);
        self.keep_fault(guards);
        self.branch(merge);
        self.merge(header, Op::SelectionMerge, &[merge]);
        self.open(merge);
    }

    /// Keeps the fault of the first guard that does not hold, or else of the last one, unless a condition holds.
    fn keep_fault_unless(&mut self, condition: Word, guards: &[Guard]) {
        self.unless(condition, |code| code.keep_fault(guards));
    }

    /// Whether all conditions hold; none if there are none.
    pub(super) fn all_hold(&mut self, guards: &[Guard]) -> Option<Word> {
        let bool = self.module.bool();
        let conditions = guards.iter().map(|guard| guard.holds);
        conditions.reduce(|all, holds| self.compute(Op::LogicalAnd, bool, &[all, holds]))
    }

    /// Declares, at the top of a kernel that can fault, that the work-item has no fault yet.
    pub(super) fn declare_pending(&mut self) {
        let ty = self.module.pending_pointer();
        let class = Operand::StorageClass(StorageClass::Function);
        let pending = self.compute_with(Op::Variable, ty, vec![class]);
        self.module.sections.name(pending, "fault.pending");
        let site = self.member(StorageClass::Function, pending, 0, 32);
        let zero = self.module.int_constant(32, 0);
        self.store(site, zero, 4);
        self.pending = Some(pending);
    }

    /// Declares where the words of a message are kept, in a kernel that has such messages.
    pub(super) fn declare_pending_words(&mut self) {
        let ty = self.module.pending_words_pointer();
        let class = Operand::StorageClass(StorageClass::Function);
        let words = self.compute_with(Op::Variable, ty, vec![class]);
        self.module.sections.name(words, "fault.words");
        self.pending_words = Some(words);
    }

    /// Keeps the words of a message, unless there has been a fault before the one that they go with.
    fn keep_words(&mut self, words: &[Word]) {
        let (Some(pending), Some(kept)) = (self.pending, self.pending_words) else { return };
        let (int, bool) = (self.module.int(32), self.module.bool());
        let zero = self.module.int_constant(32, 0);
        let site = self.member(StorageClass::Function, pending, 0, 32);
        let earlier = self.load(int, site, 4);
        let is_first = self.compute(Op::IEqual, bool, &[earlier, zero]);
        self.when(is_first, |code| {
            for (member, word) in (0..).zip(words) {
                let member = code.member(StorageClass::Function, kept, member, 32);
                code.store(member, *word, 4);
            }
        });
    }

    /// Keeps the fault of the first condition that does not hold, unless an earlier fault is kept.
    pub(super) fn keep_fault(&mut self, guards: &[Guard]) {
        let Some(pending) = self.pending else { return };
        let [site, first, second] = self.fault_of(guards);
        let (keeper, void) = (self.module.keeper(), self.module.type_id(SpirvType::Void));
        self.compute(Op::FunctionCall, void, &[keeper, pending, site, first, second]);
    }

    /// Whether a fault is kept.
    pub(super) fn has_faulted(&mut self) -> Word {
        let (int, bool) = (self.module.int(32), self.module.bool());
        let zero = self.module.int_constant(32, 0);
        let site = match self.pending {
            Some(pending) => {
                let site = self.member(StorageClass::Function, pending, 0, 32);
                self.load(int, site, 4)
            }
            None => zero,
        };
        self.compute(Op::INotEqual, bool, &[site, zero])
    }

    fn keep_first(&mut self, pending: Word, site: Word, values: [Word; 2]) {
        let (int, bool) = (self.module.int(32), self.module.bool());
        let zero = self.module.int_constant(32, 0);
        let kept = self.member(StorageClass::Function, pending, 0, 32);
        let earlier = self.load(int, kept, 4);
        let is_first = self.compute(Op::IEqual, bool, &[earlier, zero]);
        self.when(is_first, |code| {
            code.store(kept, site, 4);
            for (member, value) in (1..).zip(values) {
                let member = code.member(StorageClass::Function, pending, member, 64);
                code.store(member, value, 8);
            }
        });
    }

    /// At the end of the kernel: adds a kept fault to the record.
    pub(super) fn report_fault(&mut self, record: Word) {
        let Some(pending) = self.pending else { return };
        let (int, long, bool) = (self.module.int(32), self.module.int(64), self.module.bool());
        let [zero, one] = [0, 1].map(|bits| self.module.int_constant(32, bits));
        let site = self.member(StorageClass::Function, pending, 0, 32);
        let site = self.load(int, site, 4);
        let has_fault = self.compute(Op::INotEqual, bool, &[site, zero]);
        self.when(has_fault, |code| {
            let site = code.compute(Op::ISub, int, &[site, one]);
            let values = [1, 2].map(|member| {
                let member = code.member(StorageClass::Function, pending, member, 64);
                code.load(long, member, 8)
            });
            code.record_first(record, site, values);
        });
    }

    /// The site and the values of the first condition that does not hold.
    fn fault_of(&mut self, guards: &[Guard]) -> [Word; 3] {
        let zero = self.module.int_constant(32, 0);
        let mut fault = [zero; 3];
        for (position, guard) in guards.iter().rev().enumerate() {
            let site = self.module.int_constant(32, guard.site.index() as u64 + 1);
            let own = [site, guard.values[0], guard.values[1]];
            fault = if position == 0 { own } else { self.select_each(guard.holds, fault, own) };
        }
        fault
    }

    fn select_each(&mut self, condition: Word, accept: [Word; 3], reject: [Word; 3]) -> [Word; 3] {
        let (int, long) = (self.module.int(32), self.module.int(64));
        let choose = |code: &mut Self, ty, index: usize| match (accept[index], reject[index]) {
            (same, other) if same == other => same,
            (accept, reject) => code.compute(Op::Select, ty, &[condition, accept, reject]),
        };
        [choose(self, int, 0), choose(self, long, 1), choose(self, long, 2)]
    }

    /// Counts a fault, and writes the rest of the record if it is the first.
    fn record_first(&mut self, record: Word, site: Word, values: [Word; 2]) {
        let bool = self.module.bool();
        let [zero, one] = [0, 1].map(|bits| self.module.int_constant(32, bits));
        let count = self.member(StorageClass::CrossWorkgroup, record, record::COUNT, 32);
        let before = self.relaxed(Op::AtomicIAdd, count, &[one]);
        let is_first = self.compute(Op::IEqual, bool, &[before, zero]);
        self.when(is_first, |code| code.write_record(record, site, values));
    }

    fn write_record(&mut self, record: Word, site: Word, values: [Word; 2]) {
        self.store_together(record, record::VALUES, Scalar::U64, &values);
        let position = self.load_input(BuiltIn::GlobalInvocationId);
        let int = self.module.int(32);
        // Launches have fewer than 2³² work-items along a dimension.
        let [x, y, z] = [0, 1, 2].map(|dimension| {
            let coordinate = self.component(position, dimension);
            self.compute(Op::UConvert, int, &[coordinate])
        });
        self.store_together(record, record::SITE, Scalar::U32, &[site, x, y, z]);
        let Some(kept) = self.pending_words else { return };
        let int = self.module.int(32);
        for position in 0..u64::from(self.module.ir.fault_words()) {
            let word = self.member(StorageClass::Function, kept, position, 32);
            let word = self.load(int, word, 4);
            let member = self.member(StorageClass::CrossWorkgroup, record, record::MESSAGE + position, 32);
            self.store(member, word, 4);
        }
    }

    /// Stores numbers to the members of a record from one on, by one instruction.
    fn store_together(&mut self, record: Word, first: u64, scalar: Scalar, parts: &[Word]) {
        let ty = Numeric { scalar, lanes: parts.len() as u32 };
        let mut vector = self.module.splat_constant(ty, 0);
        for (position, part) in (0..).zip(parts) {
            vector = self.insert(ty, vector, *part, position);
        }
        let numeric = self.module.numeric(ty);
        let pointer = self.module.pointer(StorageClass::CrossWorkgroup, numeric);
        let member = self.member(StorageClass::CrossWorkgroup, record, first, scalar.bits());
        let member = self.compute(Op::Bitcast, pointer, &[member]);
        self.store(member, vector, RECORD_ALIGNMENT);
    }

    /// A pointer to a member of a struct.
    fn member(&mut self, class: StorageClass, base: Word, member: u64, width: u32) -> Word {
        let ty = self.module.int(width);
        let pointer = self.module.pointer(class, ty);
        let member = self.module.int_constant(32, member);
        self.compute(Op::InBoundsAccessChain, pointer, &[base, member])
    }
}

impl KernelEmitter<'_, '_> {
    /// A condition, whose fault is kept where it does not hold.
    pub(super) fn require(&mut self, condition: Handle<Value>, faults: &[Fault]) -> Word {
        let holds = self.id(condition);
        let guards: Vec<_> = faults.iter().filter_map(|fault| self.guard_of(holds, fault)).collect();
        if matches!(self.ir.values[condition].op, ir::Op::Constant(0)) {
            let words: Vec<Word> =
                faults.iter().flat_map(|fault| &fault.words).map(|word| self.id(*word)).collect();
            if !words.is_empty() {
                self.code.keep_words(&words);
            }
            self.code.keep_fault(&guards);
        } else if !guards.is_empty() {
            self.code.keep_fault_unless(holds, &guards);
        }
        holds
    }

    fn guard_of(&mut self, condition: Word, fault: &Fault) -> Option<Guard> {
        let Check::At(site) = fault.check else { return None };
        let holds = fault.unless.map_or(condition, |other| self.id(other));
        Some(Guard { holds, site, values: fault.values.map(|value| self.id(value)) })
    }
}
