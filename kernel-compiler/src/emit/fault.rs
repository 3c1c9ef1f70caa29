//! What a work-item keeps of its first fault, and its report.
//!
//! A fault is kept in private variables, and added to the fault record at one place, at the end of the kernel. With the atomic and the stores to global
//! memory out of the way, loops with checks compile to a fraction of what they would be if each check reported at once, and the record counts
//! faulting work-items rather than failed checks.
//!
//! What is kept costs a loop registers and moves, so it is little: a first value that has 32 bits is kept in so many, and a
//! second one that is the same in the whole kernel, as the length of an argument is, follows from the site at the end. Which of several checks of one index
//! has failed follows from the index there.
//!
//! Compilers for GPUs keep what is in several variables at the end of a loop in one register, and put the moves for that into the loop. They do so too with a block in it that does nothing but
//! keep a fault, though control hardly ever gets there. So where a loop has several checks, all but the first keep their first values in a variable that others do not use, and as the
//! exclusive or with the number of the site: that takes an instruction in the block, which stays where it is, outside of the loop.
//!
//! What is stored costs small kernels more than the checks do, so it is little too: the record was zero before, and where nothing needs more it takes four words
//! (`kernel_core::FaultRecord`).

use super::ModuleEmitter;
use super::check::{FirstValue, Guard};
use super::code::Code;
use super::types::SpirvType;
use crate::ir::Numeric;
use kernel_core::{FaultRecord, Scalar};
use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, FunctionControl, Op, StorageClass, Word};

/// The alignment of a fault record, in bytes.
const RECORD_ALIGNMENT: u32 = 8;

/// The members of a fault record. Compilers have mishandled nested shapes, so it is flat. What belongs together is stored as a vector.
mod record {
    /// The low halves of two values, the site, and the first coordinate of the global id.
    pub(super) const FIRST: u64 = 0;
    /// The high halves of the values, and the other coordinates.
    pub(super) const SECOND: u64 = 4;
    pub(super) const COUNT: u64 = 8;
    /// The words of a message follow one that is reserved.
    pub(super) const MESSAGE: u64 = 10;
}

/// The members of what a work-item keeps: the number of the site, or zero as long as there is no fault; the halves of the first value; the low half of the first value of a later check in a loop;
/// and the second value.
mod pending {
    pub(super) const SITE: u64 = 0;
    pub(super) const FIRST: [u64; 2] = [1, 2];
    pub(super) const FIRST_IN_LOOP: u64 = 3;
    pub(super) const SECOND: u64 = 4;
}

/// What is added to the number of a site whose check keeps its first value apart, after others in a loop.
const IN_LOOP: u64 = 1 << 31;

/// The most sites whose second values are not kept; each costs the report two instructions.
const MOST_KNOWN: usize = 8;

/// How a kernel that can fault does so.
pub(super) struct Faults {
    /// The pointer to what a work-item keeps.
    pending: Word,
    /// Where the words of its message are kept, if there are such messages.
    words: Option<Word>,
    /// Where it is reported.
    report: Word,
    /// Whether a fault ends the work-item. Otherwise all come to the report.
    ends: bool,
    /// Whether any do.
    is_reached: bool,
    /// The second values that are not kept, with the numbers of their sites plus one.
    known: Vec<(u64, Word)>,
    /// Whether there are faults with others: what is kept, or zero.
    has_others: bool,
    /// For checks that are made together, whose faults are kept as those of the first: the numbers of their sites plus one, and the lengths.
    together: Vec<Vec<(u64, Word)>>,
    /// Whether the upper half of a first value is kept, and whether a second value is.
    keeps: [bool; 2],
    /// Whether the lower half of a first value is kept by later checks in loops, and whether it is by others.
    keeps_low: [bool; 2],
}

/// What is kept of a fault: the number of its site, the halves of the first value, and the second value.
type Kept = [Word; 4];

impl ModuleEmitter<'_> {
    /// A pointer to the layout of `kernel_core::FaultRecord` and the words after it.
    pub(super) fn record_pointer(&mut self) -> Word {
        let int = self.int(32);
        let members = vec![int; record::MESSAGE as usize + self.ir.fault_words() as usize];
        let record = self.type_id(SpirvType::Struct(String::new(), members));
        self.pointer(StorageClass::CrossWorkgroup, record)
    }

    /// A pointer to the words that go with a work-item's first fault.
    fn pending_words_pointer(&mut self) -> Word {
        let int = self.int(32);
        let members = vec![int; self.ir.fault_words() as usize];
        let words = self.type_id(SpirvType::Struct(String::new(), members));
        self.pointer(StorageClass::Function, words)
    }

    /// A pointer to what a work-item keeps of its first fault.
    fn pending_pointer(&mut self) -> Word {
        let (int, long) = (self.int(32), self.int(64));
        let pending = self.type_id(SpirvType::Struct(String::new(), vec![int, int, int, int, long]));
        self.pointer(StorageClass::Function, pending)
    }

    /// The function that keeps a fault unless there is one, emitted on first use; it takes the pointer to keep it at, and the fault.
    ///
    /// Compilers inline it, so a call costs a kernel nothing, and a check takes half as many words in the module.
    fn recorder(&mut self) -> Word {
        if let Some(recorder) = self.recorder {
            return recorder;
        }
        let id = self.sections.fresh();
        self.recorder = Some(id);
        self.sections.name(id, "fault.keep");
        let (pending, int, long) = (self.pending_pointer(), self.int(32), self.int(64));
        let mut code = Code::new(self);
        let pending = code.parameter(pending, "pending");
        let kept = [(int, "site"), (int, "first.low"), (int, "first.high"), (long, "second")];
        let kept = kept.map(|(ty, name)| code.parameter(ty, name));
        let is_first = code.compare_site(Op::IEqual, pending);
        code.when(is_first, |code| code.store_pending(pending, pending::FIRST[0], kept));
        code.terminate(Op::Return, &[]);
        let Code { parameters, blocks, .. } = code;
        let void = self.type_id(SpirvType::Void);
        self.finish_function((id, void), FunctionControl::INLINE, parameters, blocks);
        id
    }
}

impl Code<'_, '_> {
    /// Declares, at the top of a kernel with checks, what a work-item keeps, and says whether a fault ends it.
    pub(super) fn declare_faults(&mut self, ends: bool) {
        let class = Operand::StorageClass(StorageClass::Function);
        let words = (self.module.ir.fault_words() > 0).then(|| {
            let ty = self.module.pending_words_pointer();
            let words = self.compute_with(Op::Variable, ty, vec![class.clone()]);
            self.module.sections.name(words, "fault.words");
            words
        });
        let ty = self.module.pending_pointer();
        let pending = self.compute_with(Op::Variable, ty, vec![class]);
        self.module.sections.name(pending, "fault.pending");
        if !ends {
            let site = self.member(StorageClass::Function, pending, pending::SITE, 32);
            let none = self.module.int_constant(32, 0);
            self.store(site, none, 4);
        }
        let (report, known, together) = (self.label(), Vec::new(), Vec::new());
        self.faults = Some(Faults {
            pending,
            words,
            report,
            ends,
            is_reached: !ends,
            known,
            has_others: false,
            together,
            keeps: [false; 2],
            keeps_low: [false; 2],
        });
    }

    /// Returns whether a fault ends the work-item.
    pub(super) fn ends_at_faults(&self) -> bool {
        self.faults.as_ref().is_some_and(|faults| faults.ends)
    }

    /// Ends the work-item after a fault, if faults do.
    pub(super) fn end_at_fault(&mut self) {
        if let Some(Faults { report, ends: true, .. }) = self.faults {
            let is_reached = self.branch(report).is_some();
            self.faults.iter_mut().for_each(|faults| faults.is_reached |= is_reached);
        }
    }

    /// Where work-items go at their end that may have had a fault before.
    pub(super) fn report_label(&self) -> Option<Word> {
        self.faults.as_ref().filter(|faults| !faults.ends).map(|faults| faults.report)
    }

    /// Keeps the words of a message, unless there has been a fault before the one that they go with.
    pub(super) fn keep_words(&mut self, words: &[Word]) {
        let Some(Faults { pending, words: Some(kept), ends, .. }) = self.faults else { return };
        let store = |code: &mut Self| {
            for (member, word) in (0..).zip(words) {
                let member = code.member(StorageClass::Function, kept, member, 32);
                code.store(member, *word, 4);
            }
        };
        if words.is_empty() || ends {
            return store(self);
        }
        let is_first = self.compare_site(Op::IEqual, pending);
        self.when(is_first, store);
    }

    /// Keeps the fault of the first condition that does not hold, unless an earlier fault is kept.
    pub(super) fn keep_fault(&mut self, guards: &[Guard]) {
        let Some(Faults { pending, ends, .. }) = self.faults else { return };
        let is_later_in_loop = self.faults_in_loop.is_some_and(|before| before > 0);
        let is_apart = ends && is_later_in_loop && guards.iter().any(|guard| self.is_register(guard));
        let kept = self.fault_of(guards, if is_apart { IN_LOOP } else { 0 });
        let (none, zero) = (self.module.int_constant(32, 0), self.module.int_constant(64, 0));
        if let Some(Faults { keeps: [high, second], keeps_low, .. }) = &mut self.faults {
            *high |= kept[2] != none;
            *second |= kept[3] != zero;
            keeps_low[usize::from(!is_apart)] = true;
        }
        self.faults_in_loop = self.faults_in_loop.map(|before| before + 1);
        if is_apart {
            return self.store_apart(pending, kept);
        }
        if ends {
            return self.store_pending(pending, pending::FIRST[0], kept);
        }
        let (recorder, void) = (self.module.recorder(), self.module.type_id(SpirvType::Void));
        let [site, low, high, second] = kept;
        self.compute(Op::FunctionCall, void, &[recorder, pending, site, low, high, second]);
    }

    /// Returns whether a work-item has had no fault, by OpIEqual, or has had one, by OpINotEqual.
    fn compare_site(&mut self, op: Op, pending: Word) -> Word {
        let (int, bool) = (self.module.int(32), self.module.bool());
        let none = self.module.int_constant(32, 0);
        let site = self.member(StorageClass::Function, pending, pending::SITE, 32);
        let site = self.load(int, site, 4);
        self.compute(op, bool, &[site, none])
    }

    /// Returns whether a work-item that goes on after a fault has had one.
    pub(super) fn has_faulted(&mut self) -> Word {
        match self.faults {
            Some(Faults { pending, ends: false, .. }) => self.compare_site(Op::INotEqual, pending),
            _ => self.module.scalar_constant(Scalar::Bool, 0),
        }
    }

    /// Returns whether a work-item that goes on after a fault has had none; nothing in a kernel where none goes on.
    pub(super) fn has_not_faulted(&mut self) -> Option<Word> {
        match self.faults {
            Some(Faults { pending, ends: false, .. }) => Some(self.compare_site(Op::IEqual, pending)),
            _ => None,
        }
    }

    /// Returns whether a first value is in a register anyway, rather than computed where the fault is.
    fn is_register(&self, guard: &Guard) -> bool {
        match guard.first {
            FirstValue::Narrow(value) | FirstValue::Wide(value) => !self.module.is_constant(value),
            FirstValue::Sum { .. } => false,
        }
    }

    /// Keeps the fault of a later check in a loop.
    fn store_apart(&mut self, pending: Word, [site, low, high, second]: Kept) {
        let int = self.module.int(32);
        let mixed = self.compute(Op::BitwiseXor, int, &[low, site]);
        self.store_pending(pending, pending::FIRST_IN_LOOP, [site, mixed, high, second]);
    }

    /// The lower half of the first value of a kept fault, whose site has this number.
    fn kept_low(&mut self, pending: Word, site: Word) -> Word {
        let (int, bool) = (self.module.int(32), self.module.bool());
        let load = |code: &mut Self, member| {
            let member = code.member(StorageClass::Function, pending, member, 32);
            code.load(int, member, 4)
        };
        let [in_loops, by_others] = self.faults.as_ref().map_or([false, true], |faults| faults.keeps_low);
        if !in_loops {
            return load(self, pending::FIRST[0]);
        }
        let mixed = load(self, pending::FIRST_IN_LOOP);
        let apart = self.compute(Op::BitwiseXor, int, &[mixed, site]);
        if !by_others {
            return apart;
        }
        let other = load(self, pending::FIRST[0]);
        let mark = self.module.int_constant(32, IN_LOOP);
        let is_other = self.compute(Op::ULessThan, bool, &[site, mark]);
        self.compute(Op::Select, int, &[is_other, other, apart])
    }

    fn store_pending(&mut self, pending: Word, low_member: u64, [site, low, high, second]: Kept) {
        let halves = [(pending::SITE, site), (low_member, low), (pending::FIRST[1], high)];
        for (member, word) in halves {
            let member = self.member(StorageClass::Function, pending, member, 32);
            self.store(member, word, 4);
        }
        let member = self.member(StorageClass::Function, pending, pending::SECOND, 64);
        self.store(member, second, 8);
    }

    /// What is to be kept of the fault of the first condition that does not hold, with a mark in the numbers of sites.
    fn fault_of(&mut self, guards: &[Guard], mark: u64) -> Kept {
        let (none, zero) = (self.module.int_constant(32, 0), self.module.int_constant(64, 0));
        let is_known = self.knows_seconds(guards, mark, zero);
        let guards = if is_known && self.are_together(guards, mark) { &guards[..1] } else { guards };
        if let Some(shared) = shared_factor(guards) {
            return self.fault_of_sums(guards, mark, shared, is_known);
        }
        let mut fault = [none, none, none, zero];
        for (position, guard) in guards.iter().rev().enumerate() {
            let site = self.module.int_constant(32, number_of(guard) | mark);
            let [low, high] = match guard.first {
                FirstValue::Narrow(low) => [low, none],
                FirstValue::Wide(value) => self.halves(value),
                FirstValue::Sum { factors, addends } => {
                    let sum = self.wide_sum(factors, addends);
                    self.halves(sum)
                }
            };
            let own = [site, low, high, if is_known { zero } else { guard.second }];
            fault = if position == 0 { own } else { self.select_each(guard.holds, fault, own) };
        }
        fault
    }

    /// The same where all first values are products with one factor: what else they are made of is chosen before it is multiplied.
    fn fault_of_sums(&mut self, guards: &[Guard], mark: u64, shared: Word, is_known: bool) -> Kept {
        let (none, zero) = (self.module.int_constant(32, 0), self.module.int_constant(64, 0));
        let (int, long) = (self.module.int(32), self.module.int(64));
        let types = [int, int, int, int, long];
        let mut chosen = [none, none, none, none, zero];
        for (position, guard) in guards.iter().rev().enumerate() {
            let FirstValue::Sum { factors: [factor, _], addends } = guard.first else { continue };
            let site = self.module.int_constant(32, number_of(guard) | mark);
            let second = if is_known { zero } else { guard.second };
            let own = [site, factor, addends[0], addends[1], second];
            chosen = if position == 0 { own } else { self.select_all(types, guard.holds, chosen, own) };
        }
        let [site, factor, one, other, second] = chosen;
        let sum = self.wide_sum([factor, shared], [one, other]);
        let [low, high] = self.halves(sum);
        [site, low, high, second]
    }

    /// Returns whether the second values need not be kept, because they are there at the end of the kernel too; they are noted then.
    fn knows_seconds(&mut self, guards: &[Guard], mark: u64, zero: Word) -> bool {
        let lasts = |word: Word| {
            self.module.is_constant(word)
                || self.parameters.iter().any(|parameter| parameter.result_id == Some(word))
        };
        let all_last = guards.iter().all(|guard| lasts(guard.second));
        let Some(Faults { known, has_others, .. }) = &mut self.faults else { return false };
        let seconds = || guards.iter().map(|guard| guard.second);
        let is_one = |second: Word| {
            known.iter().map(|(_, known)| *known).chain(seconds()).all(|other| other == second)
        };
        let are_few = known.len() + guards.len() <= MOST_KNOWN || seconds().next().is_some_and(is_one);
        if !all_last || !are_few {
            *has_others = true;
            return false;
        }
        *has_others |= seconds().any(|second| second == zero);
        let not_zero = guards.iter().filter(|guard| guard.second != zero);
        known.extend(not_zero.map(|guard| (number_of(guard) | mark, guard.second)));
        true
    }

    /// Returns whether which of the conditions does not hold need not be found out now; they are noted then.
    fn are_together(&mut self, guards: &[Guard], mark: u64) -> bool {
        let [first, .., _] = guards else { return false };
        let compares = |guard: &Guard| guard.is_below && guard.first == first.first;
        let Some(Faults { together, .. }) = self.faults.as_mut().filter(|_| guards.iter().all(compares))
        else {
            return false;
        };
        together.push(guards.iter().map(|guard| (number_of(guard) | mark, guard.second)).collect());
        true
    }

    fn select_each(&mut self, condition: Word, accept: Kept, reject: Kept) -> Kept {
        let (int, long) = (self.module.int(32), self.module.int(64));
        self.select_all([int, int, int, long], condition, accept, reject)
    }

    fn select_all<const N: usize>(
        &mut self,
        types: [Word; N],
        condition: Word,
        accept: [Word; N],
        reject: [Word; N],
    ) -> [Word; N] {
        std::array::from_fn(|part| match (accept[part], reject[part]) {
            (accept, reject) if accept == reject => accept,
            (accept, reject) => self.compute(Op::Select, types[part], &[condition, accept, reject]),
        })
    }

    /// The product of two numbers of 32 bits and others added to it, as 64 bits.
    fn wide_sum(&mut self, factors: [Word; 2], addends: [Word; 2]) -> Word {
        let (long, none) = (self.module.int(64), self.module.int_constant(32, 0));
        let [left, right] = factors.map(|factor| self.compute(Op::UConvert, long, &[factor]));
        let product = self.compute(Op::IMul, long, &[left, right]);
        addends.into_iter().filter(|addend| *addend != none).fold(product, |sum, addend| {
            let addend = self.compute(Op::UConvert, long, &[addend]);
            self.compute(Op::IAdd, long, &[sum, addend])
        })
    }

    /// The low and the high 32 bits of an integer of 64.
    fn halves(&mut self, value: Word) -> [Word; 2] {
        let (int, long) = (self.module.int(32), self.module.int(64));
        let width = self.module.int_constant(64, 32);
        let low = self.compute(Op::UConvert, int, &[value]);
        let high = self.compute(Op::ShiftRightLogical, long, &[value, width]);
        [low, self.compute(Op::UConvert, int, &[high])]
    }

    /// After the body of the kernel: adds a kept fault to the record, if work-items come there, and returns. The lengths are those of the arguments, which may be known to have
    /// 32 bits.
    pub(super) fn report_fault(&mut self, record: Word, lens: &[Word], are_short: bool) {
        let Some(Faults { pending, report, ends, is_reached: true, .. }) = self.faults else { return };
        self.open(report);
        if ends {
            self.report(record, pending, lens, are_short);
            self.terminate(Op::Return, &[]);
            return;
        }
        // Not the negation of the other: Intel's compiler fails on that ("undefined reference to `placeholder.'").
        let has_fault = self.compare_site(Op::INotEqual, pending);
        self.when(has_fault, |code| code.report(record, pending, lens, are_short));
        self.terminate(Op::Return, &[]);
    }

    /// Counts a fault, and writes the rest of the record if it is the first.
    fn report(&mut self, record: Word, pending: Word, lens: &[Word], are_short: bool) {
        let (int, bool) = (self.module.int(32), self.module.bool());
        let [zero, one] = [0, 1].map(|bits| self.module.int_constant(32, bits));
        let count = self.member(StorageClass::CrossWorkgroup, record, record::COUNT, 32);
        let before = self.relaxed(Op::AtomicIAdd, count, &[one]);
        let is_first = self.compute(Op::IEqual, bool, &[before, zero]);
        let is_short = self.is_short(lens);
        let has_short_seconds = are_short && self.are_seconds_short(lens, 32);
        let keeps = self.faults.as_ref().map_or([false; 2], |faults| faults.keeps);
        self.when(is_first, |code| {
            let mut kept = |member| {
                let member = code.member(StorageClass::Function, pending, member, 32);
                code.load(int, member, 4)
            };
            let site = kept(pending::SITE);
            let high = if keeps[0] { kept(pending::FIRST[1]) } else { zero };
            let low = code.kept_low(pending, site);
            let site = code.failed_site(site, [low, high]);
            let [second_low, second_high] = if has_short_seconds {
                [code.known_second(site, zero, 32), zero]
            } else {
                let second = code.second_value(pending, site, keeps[1]);
                code.halves(second)
            };
            let site = code.compute(Op::ISub, int, &[site, one]);
            let site = code.without_mark(site);
            let [x, y, z] = code.global_id();
            let rest = [(0, high), (2, y), (3, z)].into_iter().filter(|(_, word)| *word != zero);
            // The store of one word is shorter than that of four, but not those of two with another one between.
            if is_short && (high == zero || rest.clone().count() == 1) {
                let site = code.site_below(site, second_high);
                code.store_together(record, record::FIRST, [low, second_low, site, x]);
                for (member, word) in rest {
                    let member = record::SECOND + member;
                    let member = code.member(StorageClass::CrossWorkgroup, record, member, 32);
                    code.store(member, word, 4);
                }
            } else {
                code.store_together(record, record::FIRST, [low, second_low, site, x]);
                code.store_together(record, record::SECOND, [high, second_high, y, z]);
            }
            code.store_words(record);
        });
    }

    /// Returns whether second values have 48 bits, as lengths of memory do, and sites the other 16.
    fn is_short(&self, lens: &[Word]) -> bool {
        self.are_seconds_short(lens, 48) && FaultRecord::has_short_sites(self.module.ir.sites.len())
    }

    /// Returns whether each second value is a length, or has so few bits.
    fn are_seconds_short(&self, lens: &[Word], bits: u32) -> bool {
        let Some(Faults { known, keeps: [_, false], .. }) = &self.faults else { return false };
        let is_short = |word: Word| self.module.constant_bits(word).is_some_and(|known| known >> bits == 0);
        known.iter().all(|(_, word)| lens.contains(word) || is_short(*word))
    }

    /// The number of a site without the mark of a later check in a loop.
    fn without_mark(&mut self, site: Word) -> Word {
        let int = self.module.int(32);
        if !self.faults.as_ref().is_some_and(|faults| faults.keeps_low[0]) {
            return site;
        }
        let others = self.module.int_constant(32, IN_LOOP - 1);
        self.compute(Op::BitwiseAnd, int, &[site, others])
    }

    /// A site with the upper bits of the second value above it.
    fn site_below(&mut self, site: Word, high: Word) -> Word {
        let int = self.module.int(32);
        let [zero, width] = [0, 16].map(|bits| self.module.int_constant(32, bits));
        if high == zero {
            return site;
        }
        let above = self.compute(Op::ShiftLeftLogical, int, &[high, width]);
        self.compute(Op::BitwiseOr, int, &[site, above])
    }

    /// The site plus one of the check that has failed, of those that were made together.
    fn failed_site(&mut self, kept: Word, first: [Word; 2]) -> Word {
        let (int, bool, long) = (self.module.int(32), self.module.bool(), self.module.int(64));
        let together = self.faults.as_mut().map(|faults| std::mem::take(&mut faults.together));
        let mut site = kept;
        for checks in together.unwrap_or_default() {
            let [(own, _), .., (last, _)] = checks[..] else { continue };
            let [low, high] = first.map(|half| self.compute(Op::UConvert, long, &[half]));
            let width = self.module.int_constant(64, 32);
            let high = self.compute(Op::ShiftLeftLogical, long, &[high, width]);
            let index = self.compute(Op::BitwiseOr, long, &[low, high]);
            let mut failed = self.module.int_constant(32, last);
            for (number, len) in checks.iter().rev().skip(1) {
                let holds = self.compute(Op::ULessThan, bool, &[index, *len]);
                let number = self.module.int_constant(32, *number);
                failed = self.compute(Op::Select, int, &[holds, failed, number]);
            }
            let own = self.module.int_constant(32, own);
            let is_here = self.compute(Op::IEqual, bool, &[kept, own]);
            site = self.compute(Op::Select, int, &[is_here, failed, site]);
        }
        site
    }

    /// The second value of a kept fault.
    fn second_value(&mut self, pending: Word, site: Word, is_kept: bool) -> Word {
        let long = self.module.int(64);
        let mut second = self.module.int_constant(64, 0);
        if is_kept {
            let member = self.member(StorageClass::Function, pending, pending::SECOND, 64);
            second = self.load(long, member, 8);
        }
        self.known_second(site, second, 64)
    }

    /// The second value of a fault, if it is one that is not kept, as a number of so many bits, or else another number.
    fn known_second(&mut self, site: Word, other: Word, bits: u32) -> Word {
        let (ty, bool) = (self.module.int(bits), self.module.bool());
        let mut second = other;
        let Some(faults) = &mut self.faults else { return second };
        let (mut known, has_others) = (std::mem::take(&mut faults.known), faults.has_others);
        // Intel's compiler fails where the same comparison is on both sides of an or.
        known.sort_unstable_by_key(|(number, value)| (*value, *number));
        known.dedup();
        let is_one = known.iter().all(|(_, value)| *value == known[0].1);
        for same in known.chunk_by(|(_, one), (_, other)| one == other) {
            if is_one && !has_others {
                return self.narrowed(same[0].1, bits);
            }
            let mut is_here = self.module.scalar_constant(Scalar::Bool, 0);
            for (position, (number, _)) in same.iter().enumerate() {
                let number = self.module.int_constant(32, *number);
                let is_this = self.compute(Op::IEqual, bool, &[site, number]);
                is_here = match position {
                    0 => is_this,
                    _ => self.compute(Op::LogicalOr, bool, &[is_here, is_this]),
                };
            }
            let value = self.narrowed(same[0].1, bits);
            second = self.compute(Op::Select, ty, &[is_here, value, second]);
        }
        second
    }

    /// A number of 64 bits as one of so many.
    fn narrowed(&mut self, number: Word, bits: u32) -> Word {
        match (bits, self.module.constant_bits(number)) {
            (64, _) => number,
            (_, Some(value)) => self.module.int_constant(bits, value),
            _ => {
                let ty = self.module.int(bits);
                self.compute(Op::UConvert, ty, &[number])
            }
        }
    }

    /// The global id, of which launches are small enough that it has 32 bits. In a dimension that the kernel does not ask for there is one work-item.
    fn global_id(&mut self) -> [Word; 3] {
        let (int, rank) = (self.module.int(32), self.module.ir.rank());
        let position = self.load_input(BuiltIn::GlobalInvocationId);
        [0, 1, 2].map(|dimension| {
            if dimension >= rank {
                return self.module.int_constant(32, 0);
            }
            let coordinate = self.component(position, dimension);
            self.compute(Op::UConvert, int, &[coordinate])
        })
    }

    fn store_words(&mut self, record: Word) {
        let Some(Faults { words: Some(kept), .. }) = self.faults else { return };
        let int = self.module.int(32);
        for position in 0..u64::from(self.module.ir.fault_words()) {
            let word = self.member(StorageClass::Function, kept, position, 32);
            let word = self.load(int, word, 4);
            let member = self.member(StorageClass::CrossWorkgroup, record, record::MESSAGE + position, 32);
            self.store(member, word, 4);
        }
    }

    /// Stores words to the members of a record from one on, by one instruction.
    fn store_together(&mut self, record: Word, first: u64, words: [Word; 4]) {
        let ty = Numeric { scalar: Scalar::U32, lanes: 4 };
        let mut vector = self.module.splat_constant(ty, 0);
        for (position, word) in (0..).zip(words) {
            vector = self.insert(ty, vector, word, position);
        }
        let numeric = self.module.numeric(ty);
        let pointer = self.module.pointer(StorageClass::CrossWorkgroup, numeric);
        let member = self.member(StorageClass::CrossWorkgroup, record, first, 32);
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

/// The number by which the site of a guard is kept.
fn number_of(guard: &Guard) -> u64 {
    guard.site.index() as u64 + 1
}

/// The second factor of the first values, if they are several products and it is that of all.
fn shared_factor(guards: &[Guard]) -> Option<Word> {
    let factor = |guard: &Guard| match guard.first {
        FirstValue::Sum { factors: [_, factor], .. } => Some(factor),
        _ => None,
    };
    let [first, others @ ..] = guards else { return None };
    let shared = factor(first)?;
    (!others.is_empty() && others.iter().all(|other| factor(other) == Some(shared))).then_some(shared)
}
