//! How a thread runs native code on work-groups.
//!
//! Native code runs all subgroups of a group, from barrier to barrier, unless lanes of a subgroup may wait for each other: then it runs one of them from the start or a
//! barrier to the next one or the end. What it does not do itself, it has done by [`help`].

use super::frame::{Lanes, Line};
use super::group::{Worker, divergent, in_step, lines, reserve};
use super::launch::{Geometry, Kernel, Work};
use super::reach::Reach;
use super::subgroup::{Barrier, Stop, fault};
use crate::fault::{Fault, FaultKind};
use crate::memory::Span;
use crate::native::{Context, EVENTS, Event, Limit, Native, Record, TOGETHER};
use crate::program::{LANES, MAX_STRIPS, Site, Space};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What native code calls for.
struct Callee<'a> {
    worker: *mut Worker,
    native: &'a Native,
    kernel: &'a Kernel,
    work: &'a Work,
    fault: Option<Fault>,
    /// The fault that the launch ends with when what is before it is done.
    pending: Option<Pending>,
    /// The lanes that wait at a barrier, and its number.
    parked: Lanes,
    barrier: Option<u32>,
}

/// A fault of one of several subgroups that go through the code together.
#[derive(Clone, Copy)]
struct Pending {
    /// Its lane is counted from the first of these subgroups on.
    fault: Fault,
    /// The first of them, and the barrier at which they started.
    record: *const Record,
    entry: u32,
}

impl Worker {
    /// Makes room for the groups of a launch, and fills in what is the same for all of them.
    pub(super) fn prepare_native(&mut self, native: &Native, kernel: &Kernel, work: &Work) {
        self.prepare(kernel, &native.code, work);
        reserve(&mut self.context, lines(native.context_bytes() as u32));
        let arena = self.arena_span(work);
        let geometry = work.geometry;
        let sizes = geometry.groups.map(u64::from);
        let context = Context {
            stack: 0,
            registers: 0,
            call: 0,
            call_strip: 0,
            call_masks: [0; MAX_STRIPS],
            thunk: native.thunk(),
            helper: help as *const () as u64,
            fault: 0,
            entry: 0,
            stopped: 0,
            expected: 0,
            record: native.records().as_ptr(),
            first_record: native.records().as_ptr(),
            end_record: native.records().as_ptr_range().end,
            first_registers: self.registers.as_ptr().addr() as u64,
            registers_stride: subgroup_bytes(native),
            first_private: self.private_start(kernel, &native.code, 0),
            private_stride: self.private_start(kernel, &native.code, 1)
                - self.private_start(kernel, &native.code, 0),
            arguments: work.arguments.bytes.as_ptr(),
            local: arena.start,
            private: 0,
            data: kernel.data.as_ref().map_or(0, |data| data.span().start),
            local_offsets: work.local_offsets.as_ptr(),
            group: [0; 3],
            first: [0; 3],
            group_count: sizes,
            global_size: std::array::from_fn(|d| sizes[d] * u64::from(geometry.group_size[d])),
            global_offset: geometry.offset.map(u64::from),
            halt: work.halt.word(),
            callee: std::ptr::null_mut(),
            halt_for_now: work.halt.word(),
        };
        let to = self.context.as_mut_ptr().cast::<Context>();
        // SAFETY: there is room for the context and all limits, aligned to lines.
        unsafe {
            to.write(context);
            for (number, checked) in native.limits.iter().enumerate() {
                let span = match (checked.space, checked.argument) {
                    (Space::Local, _) => arena,
                    (_, Some(argument)) => span_of(kernel, work, argument as usize),
                    _ => Span::default(),
                };
                let limit = Limit::within(span, checked.extent);
                to.add(1).cast::<Limit>().add(number).write(limit);
            }
        }
    }

    /// Executes one group; a fault comes with the number of the work-item.
    pub(super) fn run_native(
        &mut self,
        native: &Native,
        kernel: &Kernel,
        work: &Work,
        group: [u32; 3],
    ) -> Result<(), (Fault, usize)> {
        self.poison(work);
        self.exchange.start(geometry(native, work).subgroups());
        let context = self.context.as_mut_ptr().cast::<Context>();
        let first = std::array::from_fn(|d| {
            let start = u64::from(group[d]) * u64::from(work.geometry.group_size[d]);
            start + u64::from(work.geometry.offset[d])
        });
        // SAFETY: `prepare_native` has written it, and nobody else uses it.
        unsafe {
            (*context).group = group.map(u64::from);
            (*context).first = first;
        }
        if !native.is_stepwise {
            return self.run_all(native, kernel, work);
        }
        let mut entry = 0;
        loop {
            let stop = in_step(work, |index| self.run_subgroup(native, kernel, work, index, entry))?;
            let Some(barrier) = stop else { return Ok(()) };
            let number = native
                .barriers
                .iter()
                .position(|place| (place.site, place.block) == (barrier.site, barrier.block));
            entry = number.map_or(0, |number| number as u32 + 1);
        }
    }

    /// Runs all subgroups to their ends.
    fn run_all(&mut self, native: &Native, kernel: &Kernel, work: &Work) -> Result<(), (Fault, usize)> {
        let context = self.context.as_mut_ptr().cast::<Context>();
        let callee = self.call(native, kernel, work, 0, 0);
        // SAFETY: the code has returned, and the context is as in `call`.
        let (record, stopped, expected) =
            unsafe { ((*context).record, (*context).stopped, (*context).expected) };
        let start = native.records().as_ptr().addr();
        let index_of =
            |record: *const Record| (record.addr() - start) / size_of::<Record>() / native.code.strips();
        let (index, geometry) = (index_of(record), geometry(native, work));
        if let Some(Pending { fault, record, .. }) = callee.pending {
            let item = geometry.first_item(index_of(record)) + fault.lane as usize;
            return Err((of_own_subgroup(fault, work), item));
        }
        if let Some(fault) = callee.fault {
            return Err((fault, geometry.first_item(index) + fault.lane as usize));
        }
        // It has left at the first subgroup that stopped elsewhere than the first one did.
        if index < geometry.subgroups() && stopped != expected {
            let barrier = |number: u32| {
                let place = native.barriers[number.checked_sub(1)? as usize];
                Some(Barrier { site: place.site, block: place.block })
            };
            return Err((divergent(barrier(expected), barrier(stopped)), geometry.first_item(index)));
        }
        Ok(())
    }

    /// Runs native code from a subgroup on.
    fn call<'a>(
        &mut self,
        native: &'a Native,
        kernel: &'a Kernel,
        work: &'a Work,
        index: usize,
        entry: u32,
    ) -> Callee<'a> {
        let kept = kept(native, index);
        let context = self.context.as_mut_ptr().cast::<Context>();
        let private = self.private_start(kernel, &native.code, kept);
        let registers = self.registers.as_ptr().addr() as u64 + kept as u64 * subgroup_bytes(native);
        let worker = std::ptr::from_mut(self);
        let (fault, pending, barrier) = (None, None, None);
        let mut callee = Callee { worker, native, kernel, work, fault, pending, parked: 0, barrier };
        // SAFETY: the context is that of this code and launch; the callee lives until the code returns, and nothing but `help` uses the worker
        // meanwhile.
        unsafe {
            (*context).registers = registers;
            (*context).private = private;
            (*context).record = &raw const native.records()[index * native.code.strips()];
            (*context).entry = entry;
            (*context).halt_for_now = work.halt.word();
            (*context).stopped = 0;
            (*context).expected = 0;
            (*context).fault = 0;
            (*context).callee = std::ptr::from_mut(&mut callee).cast();
            native.run(context);
        }
        callee
    }

    fn run_subgroup(
        &mut self,
        native: &Native,
        kernel: &Kernel,
        work: &Work,
        index: usize,
        entry: u32,
    ) -> Stop {
        let context = self.context.as_mut_ptr().cast::<Context>();
        let callee = self.call(native, kernel, work, index, entry);
        if let Some(fault) = callee.fault {
            return Stop::Fault(fault);
        }
        let place = |number: u32| {
            let place = native.barriers[number as usize];
            Barrier { site: place.site, block: place.block }
        };
        // SAFETY: as above; the code has returned.
        match (unsafe { (*context).stopped }, callee.barrier) {
            (0, None) => Stop::Done,
            (0, Some(number)) if callee.parked == present(work.geometry, index) => {
                Stop::Barrier(place(number))
            }
            (0, Some(number)) => {
                let kind = FaultKind::DivergentBarrier { other: None };
                Stop::Fault(fault(kind, place(number).site, callee.parked))
            }
            (number, _) => Stop::Barrier(place(number - 1)),
        }
    }
}

/// The allocation that an argument points to, if the launch may access it.
fn span_of(kernel: &Kernel, work: &Work, argument: usize) -> Span {
    let Some(bytes) = work.arguments.bytes.get(argument..).and_then(<[u8]>::first_chunk) else {
        return Span::default();
    };
    let reach = Reach {
        parameters: &kernel.program.parameters,
        arguments: &work.arguments.bytes,
        indirect: work.arguments.indirect,
    };
    let allocation = work.snapshot.find(u64::from_le_bytes(*bytes));
    allocation.filter(|allocation| reach.has(allocation)).map_or(Span::default(), |found| found.span())
}

/// How far the registers of a subgroup are from those of the next one, in bytes.
fn subgroup_bytes(native: &Native) -> u64 {
    (lines(native.code.files_bytes()) * size_of::<Line>()) as u64
}

/// The work-groups as native code executes them, which may take several subgroups for one.
fn geometry(native: &Native, work: &Work) -> Geometry {
    Geometry { subgroup_size: native.code.subgroup_size, ..work.geometry }
}

/// A fault with the number of its lane in the subgroup that the work-item belongs to.
fn of_own_subgroup(fault: Fault, work: &Work) -> Fault {
    Fault { lane: fault.lane % work.geometry.subgroup_size, ..fault }
}

/// The lanes of a subgroup that exist.
fn present(geometry: Geometry, index: usize) -> Lanes {
    Lanes::MAX >> (Lanes::BITS - geometry.present(index) as u32)
}

/// The lanes for which native code calls.
fn called(context: &Context) -> Lanes {
    let lanes = |strip: usize| context.call_masks[strip] << (strip * LANES);
    match context.call_strip {
        TOGETHER => (0..MAX_STRIPS).fold(0, |all, strip| all | lanes(strip)),
        strip => lanes(strip as usize % 256 % MAX_STRIPS),
    }
}

/// The place of the registers and the private memory of a subgroup among those that are kept.
fn kept(native: &Native, index: usize) -> usize {
    if native.barriers.is_empty() { 0 } else { index }
}

/// Executes what native code asks for.
///
/// # Safety
///
/// The context must be one that native code of its callee runs on.
unsafe extern "sysv64" fn help(context: *mut Context) {
    // SAFETY: the caller says so; native code touches neither while this runs.
    let (context, callee) = unsafe { (&mut *context, &mut *(*context).callee.cast::<Callee<'_>>()) };
    let outcome = catch_unwind(AssertUnwindSafe(|| match context.call.checked_sub(EVENTS) {
        Some(event) => callee.event(event, called(context)),
        None => callee.execute(context),
    }));
    if outcome.is_err() {
        callee.fault.get_or_insert(Fault { kind: FaultKind::Panic, site: Site(0), lane: 0 });
    }
    context.fault = callee.fault.is_some().into();
}

/// What native code finds where the launch says whether it has to stop, when one of several subgroups has faulted.
static STOPPED: u32 = 1;

impl Callee<'_> {
    fn event(&mut self, number: u32, mask: Lanes) {
        match self.native.events[number as usize] {
            Event::Unreachable(site) => self.fault = Some(fault(FaultKind::Unreachable, site, mask)),
            Event::Park(barrier) => self.park(barrier, mask),
            Event::Halt => match self.pending {
                Some(pending) => self.fault = Some(pending.fault),
                None => self.fault = Some(fault(self.work.halt.fault(), Site(0), mask)),
            },
        }
    }

    fn park(&mut self, barrier: u32, mask: Lanes) {
        let first = *self.barrier.get_or_insert(barrier);
        if first != barrier {
            let site = |number: u32| self.native.barriers[number as usize].site;
            let kind = FaultKind::DivergentBarrier { other: Some(site(first)) };
            self.fault = Some(fault(kind, site(barrier), mask));
        }
        self.parked |= mask;
    }

    /// Ends the launch for a fault. Where several subgroups go through the code together, those before the one that has faulted go on to where the
    /// interpreter would have them first: the end, a barrier, or, since what the others do then is nobody's business, the next way back of a loop.
    fn fail(&mut self, context: &mut Context, fault: Fault) {
        let place = (context.record, context.entry);
        if self.native.is_jammed {
            let earlier = |pending: &Pending| {
                (pending.record, pending.entry) != place
                    || pending.fault.lane / LANES as u32 <= fault.lane / LANES as u32
            };
            let known = self.pending.filter(earlier);
            let pending = known.unwrap_or(Pending { fault, record: place.0, entry: place.1 });
            self.pending = Some(pending);
            if (pending.record, pending.entry) == place && pending.fault.lane >= LANES as u32
                || (pending.record, pending.entry) != place
            {
                context.halt_for_now = &raw const STOPPED;
                return;
            }
        }
        self.fault = Some(fault);
    }

    /// Executes an instruction as the interpreter does.
    fn execute(&mut self, context: &mut Context) {
        let op = &self.native.code.ops[context.call as usize];
        // SAFETY: the worker outlives the callee, and whoever made that leaves it alone while native code runs.
        let worker = unsafe { &mut *self.worker };
        // SAFETY: native code keeps this at one of its records.
        let record = unsafe { &*context.record };
        let index = record.index as usize;
        let (_, mut frame) =
            worker.frame(self.kernel, &self.native.code, self.work, kept(self.native, index));
        frame.set_lanes(called(context));
        frame.all = present(geometry(self.native, self.work), index);
        frame.subgroup = index;
        if context.call_strip != TOGETHER {
            let [strip, file, ..] = context.call_strip.to_le_bytes().map(usize::from);
            frame.enter_with(strip, file);
        }
        op.run(&mut frame);
        let fault = frame.fault;
        fault.into_iter().for_each(|fault| self.fail(context, fault));
        let limits = std::ptr::from_mut(context).wrapping_add(1).cast::<Limit>();
        for (number, checked) in self.native.limits_of(context.call) {
            if matches!(checked.space, Space::Global | Space::Constant | Space::Generic) {
                let span = worker.found.get(op.extra as usize).copied().unwrap_or_default();
                if span.length > 0 {
                    // SAFETY: the limits of the code stand behind its context.
                    unsafe { limits.add(number).write(Limit::within(span, checked.extent)) }
                }
            }
        }
    }
}

/// Lines of memory are as the context wants them.
const _: () = assert!(
    align_of::<Line>() >= align_of::<Context>() && size_of::<Context>().is_multiple_of(align_of::<Context>())
);
