//! A launch: one kernel over a grid of work-groups.

use super::code::{Code, FrameTooLarge};
use super::cooperative::Meeting;
use super::executor::{Compiled, Executor};
use super::group::Worker;
use super::halt::{Halt, Reason};
use super::pool::thread_count;
use super::reach::Indirect;
use super::spares::Spares;
use super::spin::spin_until;
use crate::check::{CheckedModule, FindingReport, LaunchCheck, Position, ReportedLaunch};
use crate::fault::{Fault, FaultKind, FaultReport};
use crate::image::Object;
use crate::link::Input;
use crate::memory::{Allocation, Snapshot};
use crate::print::Printer;
use crate::program::{LANES, Parameter, Program};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A kernel with everything that its launches share.
#[derive(Debug)]
pub(crate) struct Kernel {
    pub(crate) program: Program,
    pub(super) code: Code,
    /// The variables of its module.
    pub(super) data: Option<Arc<Allocation>>,
    pub(super) compiled: Compiled,
    /// How many instructions a subgroup executes at most, if it has no loops.
    length: Option<u64>,
    /// What is known of its module, if something is checked.
    pub(super) module: Option<Arc<CheckedModule>>,
    /// The module that it is of, in which faults are looked up.
    source: Option<Arc<Input>>,
    /// What kernels of its module print to, if any of them does.
    pub(super) printer: Option<Arc<Printer>>,
}

impl Kernel {
    /// The variables of its module.
    pub(crate) fn data(&self) -> Option<&Arc<Allocation>> {
        self.data.as_ref()
    }

    pub(crate) fn new(program: Program, data: Option<Arc<Allocation>>) -> Result<Self, FrameTooLarge> {
        Self::with_code(Code::new(&program)?, program, data, None)
    }

    /// A kernel whose launches are watched.
    pub(crate) fn checked(
        program: Program,
        data: Option<Arc<Allocation>>,
        module: Arc<CheckedModule>,
    ) -> Result<Self, FrameTooLarge> {
        Self::with_code(Code::with_notes(&program, &module.syncs)?, program, data, Some(module))
    }

    /// The kernel of a module.
    pub(crate) fn of_module(self, source: Arc<Input>, printer: Option<Arc<Printer>>) -> Self {
        Self { source: Some(source), printer, ..self }
    }

    fn with_code(
        code: Code,
        program: Program,
        data: Option<Arc<Allocation>>,
        module: Option<Arc<CheckedModule>>,
    ) -> Result<Self, FrameTooLarge> {
        let length = program.length();
        Ok(Self {
            program,
            code,
            data,
            compiled: Compiled::default(),
            length,
            module,
            source: None,
            printer: None,
        })
    }
}

/// The shape of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    /// The number of work-groups in each dimension, none zero.
    pub(crate) groups: [u32; 3],
    /// The number of work-items of a group in each dimension, none zero.
    pub(crate) group_size: [u32; 3],
    /// What is added to the global ids.
    pub(crate) offset: [u32; 3],
    /// How many work-items a subgroup has, but for the last one.
    pub(crate) subgroup_size: u32,
}

impl Default for Geometry {
    fn default() -> Self {
        Self { groups: [0; 3], group_size: [0; 3], offset: [0; 3], subgroup_size: LANES as u32 }
    }
}

impl Geometry {
    /// The number of work-groups, if it can be counted with room to spare.
    pub(crate) fn group_count(self) -> Option<u64> {
        let [x, y, z] = self.groups.map(u64::from);
        x.checked_mul(y)?.checked_mul(z).filter(|&count| count <= 1 << 56)
    }

    pub(crate) fn items_per_group(self) -> usize {
        self.group_size.iter().map(|&size| size as usize).product()
    }

    pub(crate) fn subgroups(self) -> usize {
        self.items_per_group().div_ceil(self.subgroup_size as usize)
    }

    /// The number in its group of the first work-item of a subgroup.
    pub(crate) fn first_item(self, subgroup: usize) -> usize {
        subgroup * self.subgroup_size as usize
    }

    /// How many work-items a subgroup has.
    pub(crate) fn present(self, subgroup: usize) -> usize {
        (self.items_per_group() - self.first_item(subgroup)).min(self.subgroup_size as usize)
    }

    /// The group with this number, the first dimension fastest.
    pub(super) fn group(self, index: u64) -> [u32; 3] {
        let [x, y] = [u64::from(self.groups[0]), u64::from(self.groups[1])];
        [(index % x) as u32, (index / x % y) as u32, (index / x / y) as u32]
    }

    /// The number of a group.
    pub(super) fn number(self, [x, y, z]: [u32; 3]) -> u64 {
        let [width, height] = [u64::from(self.groups[0]), u64::from(self.groups[1])];
        u64::from(x) + width * (u64::from(y) + height * u64::from(z))
    }

    /// The work-item of a group with this number, the first dimension fastest.
    pub(crate) fn item(self, index: usize) -> [u32; 3] {
        let [x, y] = [self.group_size[0] as usize, self.group_size[1] as usize];
        [(index % x) as u32, (index / x % y) as u32, (index / x / y) as u32]
    }

    pub(super) fn global_id(self, group: [u32; 3], item: [u32; 3]) -> [u64; 3] {
        std::array::from_fn(|d| {
            let start = u64::from(group[d]) * u64::from(self.group_size[d]);
            start + u64::from(item[d]) + u64::from(self.offset[d])
        })
    }
}

/// The arguments of a launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments {
    /// The argument block of the program.
    pub(crate) bytes: Vec<u8>,
    /// The size of each Workgroup pointer argument, by the argument's index; 0 for others.
    pub(crate) local_sizes: Vec<u32>,
    /// The images and samplers, by the argument's index.
    pub(crate) objects: Vec<Object>,
    /// The kinds of memory that it may access besides.
    pub(crate) indirect: Indirect,
}

/// What a launch is to do, filled in anew for every launch so that nothing need be allocated.
#[derive(Debug, Default)]
pub(crate) struct Work {
    pub(super) kernel: Option<Arc<Kernel>>,
    pub(super) geometry: Geometry,
    pub(super) arguments: Arguments,
    /// The offset in the arena of each argument that is a Workgroup pointer, by the argument's index; 0 for
    /// others.
    pub(super) local_offsets: Vec<u32>,
    /// The local memory of a group in bytes.
    pub(super) local_bytes: u32,
    /// The allocations that were live when it was enqueued.
    pub(super) snapshot: Arc<Snapshot>,
    /// Raised when it has to stop.
    pub(super) halt: Halt,
    /// Not zero when a group has failed, so that no other is begun; native code looks here too.
    pub(super) failed: AtomicU32,
    /// Where its groups meet, if it is cooperative.
    pub(super) meeting: Meeting,
    /// The accesses so far, if something is checked.
    check: Mutex<Option<Arc<LaunchCheck>>>,
}

impl Work {
    /// Whether a group has failed.
    pub(super) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed) != 0
    }

    /// The accesses so far, if something is checked.
    pub(super) fn check(&self) -> Option<Arc<LaunchCheck>> {
        self.check.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Forgets all accesses, and notes those that come if something is checked.
    fn reset_check(&self, is_on: bool) {
        let check = is_on.then(Arc::default);
        *self.check.lock().unwrap_or_else(PoisonError::into_inner) = check;
    }
}

/// The fault of a group, and the number of the work-item in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Failure {
    pub(super) fault: Fault,
    pub(super) group: [u32; 3],
    pub(super) item: usize,
}

/// A launch and how far it has come.
#[derive(Debug, Default)]
pub(crate) struct Launch {
    pub(super) work: Work,
    total: u64,
    /// Whether all groups make progress at the same time.
    cooperative: AtomicBool,
    /// How many groups are handed out at a time.
    chunk: u64,
    /// The first group that has not been handed out.
    next: AtomicU64,
    /// How many groups are done, or will never be.
    finished: AtomicU64,
    state: Mutex<State>,
    done: Condvar,
    /// Where it is kept when it is done.
    pub(super) home: Option<Arc<Spares>>,
}

#[derive(Debug, Default)]
pub(super) struct State {
    done: bool,
    /// Whether who waits for it sleeps. Waking takes a call of the system, whether anybody sleeps or not.
    sleeps: bool,
    pub(super) fault: Option<FaultReport>,
}

impl Launch {
    /// Fills in a launch; whatever it was before is forgotten.
    ///
    /// Arguments must have been checked against the kernel's parameters.
    pub(crate) fn fill(
        &mut self,
        kernel: &Arc<Kernel>,
        geometry: Geometry,
        arguments: &Arguments,
        snapshot: Arc<Snapshot>,
        threads: usize,
    ) {
        let work = &mut self.work;
        work.arguments.bytes.clone_from(&arguments.bytes);
        work.arguments.objects.clone_from(&arguments.objects);
        work.arguments.indirect = arguments.indirect;
        work.local_offsets.clear();
        let mut local_bytes = kernel.program.local_bytes;
        for (parameter, &size) in kernel.program.parameters.iter().zip(&arguments.local_sizes) {
            let mut offset = 0;
            if let Parameter::Local { align } = *parameter {
                offset = local_bytes.next_multiple_of(align);
                local_bytes = offset + size;
            }
            work.local_offsets.push(offset);
        }
        work.local_bytes = local_bytes;
        work.kernel = Some(Arc::clone(kernel));
        work.geometry = geometry;
        work.snapshot = snapshot;
        self.cooperative.store(false, Ordering::Relaxed);
        self.set_total(geometry.group_count().unwrap_or(0), threads);
    }

    /// Has all groups make progress at the same time, of which there must not be more than [`super::max_cooperative_groups`].
    pub(crate) fn make_cooperative(&self) {
        self.cooperative.store(true, Ordering::Relaxed);
    }

    /// Whether they do.
    pub(crate) fn is_cooperative(&self) -> bool {
        self.cooperative.load(Ordering::Relaxed)
    }

    fn set_total(&mut self, total: u64, threads: usize) {
        self.total = total;
        // Several chunks per thread even out what groups take.
        self.chunk = (total / (threads as u64 * 8)).clamp(1, 1024);
    }

    /// Sets another number of work-groups, none of them zero; whether so many can be counted.
    pub(crate) fn set_groups(&mut self, groups: [u32; 3]) -> bool {
        self.work.geometry.groups = groups;
        let total = self.work.geometry.group_count();
        self.set_total(total.unwrap_or(0), thread_count());
        total.is_some()
    }

    /// The number of work-groups.
    pub(crate) fn group_count(&self) -> u64 {
        self.total
    }

    /// Fills in a launch as another one, which is part of a list that may be executed several times.
    pub(crate) fn fill_like(&mut self, other: &Self) {
        let (to, from) = (&mut self.work, &other.work);
        to.arguments.bytes.clone_from(&from.arguments.bytes);
        to.arguments.objects.clone_from(&from.arguments.objects);
        to.arguments.indirect = from.arguments.indirect;
        to.local_offsets.clone_from(&from.local_offsets);
        to.local_bytes = from.local_bytes;
        to.kernel.clone_from(&from.kernel);
        to.geometry = from.geometry;
        to.snapshot = Arc::clone(&from.snapshot);
        (self.total, self.chunk) = (other.total, other.chunk);
        self.cooperative.store(other.is_cooperative(), Ordering::Relaxed);
    }

    /// What it is a launch of, of which size and with which arguments, but for the sizes of those in local memory.
    pub(crate) fn parts(&self) -> Option<(&Program, Geometry, &Arguments)> {
        let kernel = self.work.kernel.as_ref()?;
        Some((&kernel.program, self.work.geometry, &self.work.arguments))
    }

    /// The module that its kernel is of.
    pub(crate) fn source(&self) -> Option<Arc<Input>> {
        self.work.kernel.as_ref()?.source.clone()
    }

    /// What it may print to.
    pub(super) fn printer(&self) -> Option<&Printer> {
        self.work.kernel.as_ref()?.printer.as_deref()
    }

    /// Tells it to stop. What of it has begun ends soon, and what has not never will.
    pub(crate) fn halt(&self, reason: Reason) {
        self.work.halt.raise(reason);
    }

    /// Sets the progress back to the start.
    pub(crate) fn begin(&self) {
        *self.state() = State::default();
        self.work.halt.lower();
        self.work.failed.store(0, Ordering::Relaxed);
        self.work.reset_check(self.work.kernel.as_ref().is_some_and(|kernel| kernel.module.is_some()));
        self.finished.store(0, Ordering::Relaxed);
        self.next.store(0, Ordering::Release);
    }

    /// Lets go of what the launch refers to, but not of its memory.
    pub(super) fn clear(&mut self) {
        self.home = None;
        self.work.kernel = None;
        self.work.arguments.objects.clear();
        self.work.reset_check(false);
        self.work.snapshot = Snapshot::empty();
    }

    /// Whether it surely takes less time than a thread takes to wake: the kernel has no loops, and there are few work-items.
    pub(crate) fn is_short(&self) -> bool {
        const FEW_INSTRUCTIONS: u64 = 512;
        let length = self.work.kernel.as_ref().and_then(|kernel| kernel.length);
        let subgroups = self.total.saturating_mul(self.work.geometry.subgroups() as u64);
        length.is_some_and(|length| subgroups.saturating_mul(length) <= FEW_INSTRUCTIONS)
    }

    /// Whether other threads could do something for it that takes longer than waking them.
    pub(super) fn is_parallel(&self) -> bool {
        self.total > self.chunk && !self.is_short()
    }

    /// Whether all groups have been handed out.
    pub(super) fn is_handed_out(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.total
    }

    /// Executes groups until there are none left to take, or the thread may not stay.
    pub(super) fn participate(&self, worker: &mut Worker, may_stay: impl Fn() -> bool) {
        let Some(kernel) = self.work.kernel.as_deref() else { return };
        let mut executor = kernel.executor(&self.work);
        let mut prepared = false;
        while may_stay() {
            let start = self.next.fetch_add(self.chunk, Ordering::Acquire);
            if start >= self.total {
                return;
            }
            if !std::mem::replace(&mut prepared, true) {
                executor.prepare(worker, kernel, &self.work);
            }
            let end = (start + self.chunk).min(self.total);
            if let Err(failure) = executor.run_on_trial(worker, kernel, &self.work, start..end) {
                self.fail(kernel, failure);
            }
            self.finish(end - start);
        }
    }

    pub(super) fn report(&self, kernel: &Kernel, Failure { fault, group, item }: Failure) -> FaultReport {
        let geometry = self.work.geometry;
        let global_id = geometry.global_id(group, geometry.item(item));
        let is_finding = matches!(fault.kind, FaultKind::Race | FaultKind::Unwritten);
        let finding = if is_finding { self.finding(kernel) } else { None };
        // What the checks find says itself where it is.
        let line = match (&kernel.source, is_finding) {
            (Some(source), false) => Position::in_module(&source.words, fault.site.0).line,
            _ => None,
        };
        FaultReport { kernel: kernel.program.name.clone(), fault, global_id, finding, line }
    }

    /// What there is to say about what was found.
    fn finding(&self, kernel: &Kernel) -> Option<Box<FindingReport>> {
        let finding = self.work.check()?.finding()?;
        let geometry = self.work.geometry;
        let launch = ReportedLaunch {
            parameters: &kernel.program.parameters,
            arguments: &self.work.arguments.bytes,
            objects: &self.work.arguments.objects,
            module: kernel.module.as_ref()?,
            global_id: &|group, item| geometry.global_id(geometry.group(group), geometry.item(item)),
            subgroup_size: geometry.subgroup_size,
        };
        Some(Box::new(launch.report(&finding)))
    }

    /// Executes all groups in their order on this thread, as if no launch had been there before; returns the first fault.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub(super) fn run_alone(
        &self,
        executor: &Executor,
        kernel: &Kernel,
        worker: &mut Worker,
    ) -> Option<FaultReport> {
        worker.forget();
        executor.prepare(worker, kernel, &self.work);
        let failure = executor.run(worker, kernel, &self.work, 0..self.total).err()?;
        Some(self.report(kernel, failure))
    }

    /// Keeps the fault of a group, if it is the first one.
    pub(super) fn note(&self, kernel: &Kernel, failure: Failure) {
        let report = self.report(kernel, failure);
        self.state().fault.get_or_insert(report);
        self.work.failed.store(1, Ordering::Relaxed);
    }

    fn fail(&self, kernel: &Kernel, failure: Failure) {
        self.note(kernel, failure);
        // What has not been handed out never will be.
        let next = self.next.swap(self.total, Ordering::Relaxed);
        self.finish(self.total.saturating_sub(next));
    }

    fn finish(&self, groups: u64) {
        let before = self.finished.fetch_add(groups, Ordering::AcqRel);
        if before + groups == self.total {
            let mut state = self.state();
            state.done = true;
            if state.sleeps {
                self.done.notify_all();
            }
        }
    }

    /// Waits until every group is done; returns the first fault.
    pub(super) fn wait(&self) -> Option<FaultReport> {
        // Groups that other threads have begun mostly end soon.
        spin_until(SPINS, || self.finished.load(Ordering::Acquire) == self.total);
        let mut state = self.state();
        while !state.done && self.total != 0 {
            state.sleeps = true;
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.fault.take()
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How often a thread looks again before it sleeps: some ten microseconds.
pub(super) const SPINS: u32 = 2000;
