//! Checks, and the record of the first fault.
//!
//! An operation with checks becomes a branch: one side does it, the other records the fault and computes zero.

use super::ModuleEmitter;
use super::code::Code;
use super::types::SpirvType;
use crate::ir::{Handle, Site};
use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, FunctionControl, MemorySemantics, Op, Scope, StorageClass, Word};

/// The alignment of a fault record, in bytes.
const RECORD_ALIGNMENT: u32 = 8;

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
    /// The layout of `kernel_core::FaultRecord`, flat because compilers have mishandled nested shapes.
    fn record_type(&mut self) -> Word {
        let (int, long) = (self.int(32), self.int(64));
        self.type_id(SpirvType::Struct(vec![int, int, long, long, long, long, long]))
    }

    pub(super) fn record_pointer(&mut self) -> Word {
        let record = self.record_type();
        self.pointer(StorageClass::CrossWorkgroup, record)
    }

    /// The function that records a fault, emitted on first use; it takes record, site and two values.
    fn recorder(&mut self) -> Word {
        if let Some(recorder) = self.recorder {
            return recorder;
        }
        let (id, void) = (self.sections.fresh(), self.type_id(SpirvType::Void));
        self.sections.name(id, "fault.record");
        let (pointer, int, long) = (self.record_pointer(), self.int(32), self.int(64));
        let mut code = Code::new(self);
        let record = code.parameter(pointer, "record");
        let site = code.parameter(int, "site");
        let values = ["first", "second"].map(|name| code.parameter(long, name));
        code.record_first(record, site, values);
        code.terminate(Op::Return, &[]);
        let Code { parameters, blocks, .. } = code;
        self.finish_function(id, void, FunctionControl::INLINE, parameters, blocks);
        self.recorder = Some(id);
        id
    }
}

impl Code<'_, '_> {
    /// Computes a value if all conditions hold; else records the fault and takes zero.
    pub(super) fn guarded_value(
        &mut self,
        guards: &[Guard],
        ty: Word,
        operation: impl FnOnce(&mut Self) -> Word,
    ) -> Word {
        let Some(all) = self.all_hold(guards) else { return operation(self) };
        let zero = self.module.null(ty);
        self.either(all, ty, operation, |code| {
            code.record_fault(guards);
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
        self.record_fault(guards);
        self.branch(merge);
        self.merge(header, Op::SelectionMerge, &[merge]);
        self.open(merge);
    }

    /// Whether all conditions hold; none if there are none.
    pub(super) fn all_hold(&mut self, guards: &[Guard]) -> Option<Word> {
        let bool = self.module.bool();
        let conditions = guards.iter().map(|guard| guard.holds);
        conditions.reduce(|all, holds| self.compute(Op::LogicalAnd, bool, &[all, holds]))
    }

    /// Records the fault of the first condition that does not hold.
    fn record_fault(&mut self, guards: &[Guard]) {
        let Some(record) = self.record else { return };
        let mut arguments = self.fault_arguments(guards);
        let recorder = self.module.recorder();
        let void = self.module.type_id(SpirvType::Void);
        arguments.splice(0..0, [recorder, record]);
        self.compute(Op::FunctionCall, void, &arguments);
    }

    /// The site and the values of the first condition that does not hold.
    fn fault_arguments(&mut self, guards: &[Guard]) -> Vec<Word> {
        let mut chosen: Option<[Word; 3]> = None;
        for guard in guards.iter().rev() {
            let site = self.module.int_constant(32, guard.site.index() as u64);
            let own = [site, guard.values[0], guard.values[1]];
            chosen = Some(match chosen {
                None => own,
                Some(later) => self.select_each(guard.holds, later, own),
            });
        }
        chosen.into_iter().flatten().collect()
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
        let (int, bool) = (self.module.int(32), self.module.bool());
        let [zero, one] = [0, 1].map(|bits| self.module.int_constant(32, bits));
        let scope = self.module.int_constant(32, Scope::Device as u64);
        let relaxed = self.module.int_constant(32, u64::from(MemorySemantics::RELAXED.bits()));
        let count = self.record_member(record, 0, 32);
        let operands = vec![
            Operand::IdRef(count),
            Operand::IdScope(scope),
            Operand::IdMemorySemantics(relaxed),
            Operand::IdRef(one),
        ];
        let before = self.compute_with(Op::AtomicIAdd, int, operands);
        let is_first = self.compute(Op::IEqual, bool, &[before, zero]);
        self.when(is_first, |code| code.write_record(record, site, values));
    }

    fn write_record(&mut self, record: Word, site: Word, values: [Word; 2]) {
        let member = self.record_member(record, 1, 32);
        self.store(member, site, 4);
        let position = self.load_input(BuiltIn::GlobalInvocationId);
        let position = [0, 1, 2].map(|dimension| self.component(position, dimension));
        for (member, value) in (2..).zip(values.into_iter().chain(position)) {
            let member = self.record_member(record, member, 64);
            self.store(member, value, RECORD_ALIGNMENT);
        }
    }

    /// A pointer to a member of the fault record.
    fn record_member(&mut self, record: Word, member: u64, width: u32) -> Word {
        let ty = self.module.int(width);
        let pointer = self.module.pointer(StorageClass::CrossWorkgroup, ty);
        let member = self.module.int_constant(32, member);
        self.compute(Op::InBoundsAccessChain, pointer, &[record, member])
    }
}
