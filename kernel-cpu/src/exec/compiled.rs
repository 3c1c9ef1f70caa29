//! How a thread runs native code on work-groups.
//!
//! Native code runs groups one after the other, and all their subgroups from barrier to barrier, unless lanes of a subgroup may wait for each other: then it runs one subgroup from
//! the start or a barrier to the next one or the end. What it does not do itself, it has done by [`help`].

use super::frame::{Lanes, Line};
use super::group::{Worker, divergent, in_step, lines, reserve};
use super::image::surface;
use super::launch::{Failure, Geometry, Kernel, Work};
use super::reach::Reach;
use super::subgroup::{Barrier, Stop, fault};
use crate::fault::{Fault, FaultKind};
use crate::memory::Span;
use crate::native::{Checked, Context, EVENTS, Event, Indices, Limit, Native, Record, TOGETHER};
use crate::program::{LANES, MAX_STRIPS, Site, Space};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What native code calls for.
struct Callee<'a> {
    worker: *mut Worker,
    native: &'a Native,
    kernel: &'a Kernel,
    work: &'a Work,
    fault: Option<Fault>,
    /// The lanes that wait at a barrier, and its number.
    parked: Lanes,
    barrier: Option<u32>,
}

impl Worker {
    /// Makes room for the groups of a launch, and fills in what is the same for all of them.
    pub(super) fn prepare_native(&mut self, native: &Native, kernel: &Kernel, work: &Work) {
        // The code brings along what the interpreter needs for an instruction.
        self.make_room(kernel, &native.code, work);
        reserve(&mut self.context, lines(native.context_bytes as u32));
        self.surfaces.clear();
        self.surfaces.extend(native.images.iter().map(|used| surface(&work.arguments.objects, used)));
        let arena = self.arena_span(work);
        let geometry = work.geometry;
        let sizes = geometry.groups.map(u64::from);
        let context = Context {
            stack: 0,
            registers: 0,
            call: 0,
            call_strip: 0,
            call_masks: [0; MAX_STRIPS],
            fault: 0,
            entry: 0,
            stopped: 0,
            expected: 0,
            record: native.records().as_ptr(),
            private: 0,
            group: [0; 3],
            first: [0; 3],
            groups_left: 0,
            thunk: native.thunk(),
            helper: help as *const () as u64,
            first_record: native.records().as_ptr(),
            end_record: native.records().as_ptr_range().end,
            first_registers: self.registers.as_ptr().addr() as u64,
            registers_stride: subgroup_bytes(native),
            first_private: self.private_start(kernel, &native.code, 0),
            private_stride: self.private_start(kernel, &native.code, 1)
                - self.private_start(kernel, &native.code, 0),
            arguments: work.arguments.bytes.as_ptr(),
            local: arena.start,
            local_end: self.arena_end(work),
            data: kernel.data.as_ref().map_or(0, |data| data.span().start),
            local_offsets: work.local_offsets.as_ptr(),
            group_count: sizes,
            global_size: std::array::from_fn(|d| sizes[d] * u64::from(geometry.group_size[d])),
            global_offset: geometry.offset.map(u64::from),
            surfaces: self.surfaces.as_ptr(),
            halt: work.halt.word(),
            failed: work.failed.as_ptr(),
            exchange: 0,
            callee: std::ptr::null_mut(),
        };
        let to = self.context.as_mut_ptr().cast::<Context>();
        // SAFETY: there is room for the context and all limits, aligned to lines.
        unsafe {
            to.write(context);
            let mut last = (None, Span::default());
            for (number, checked) in native.limits.iter().enumerate() {
                let span = match (checked.space, checked.argument) {
                    (Space::Local, _) => arena,
                    (_, argument @ Some(_)) if argument == last.0 => last.1,
                    (_, Some(argument)) => {
                        last = (Some(argument), span_of(kernel, work, argument as usize));
                        last.1
                    }
                    _ => Span::default(),
                };
                to.add(1).cast::<Limit>().add(number).write(limit_of(checked, span, work));
            }
        }
    }

    /// Executes groups in their order, until one fails, or one of another thread has.
    pub(super) fn run_native(
        &mut self,
        native: &Native,
        kernel: &Kernel,
        work: &Work,
        groups: Range<u64>,
    ) -> Result<(), Failure> {
        if native.runs_groups {
            return self.run_groups(native, kernel, work, groups);
        }
        for number in groups.take_while(|_| !work.has_failed()) {
            if native.is_stepwise {
                let group = work.geometry.group(number);
                let failure = |(fault, item)| Failure { fault, group, item };
                self.run_in_steps(native, kernel, work, group).map_err(failure)?;
            } else {
                self.run_groups(native, kernel, work, number..number + 1)?;
            }
        }
        Ok(())
    }

    /// Has the code start with a group, and run so many.
    fn set_group(&mut self, work: &Work, group: [u32; 3], count: u64) {
        self.exchange.start(work.geometry.subgroups());
        let context = self.context.as_mut_ptr().cast::<Context>();
        let first = std::array::from_fn(|d| {
            let start = u64::from(group[d]) * u64::from(work.geometry.group_size[d]);
            start + u64::from(work.geometry.offset[d])
        });
        // SAFETY: `prepare_native` has written it, and nobody else uses it.
        unsafe {
            (*context).group = group.map(u64::from);
            (*context).first = first;
            (*context).groups_left = count;
        }
    }

    /// Has the driver take the subgroups of a group from barrier to barrier.
    fn run_in_steps(
        &mut self,
        native: &Native,
        kernel: &Kernel,
        work: &Work,
        group: [u32; 3],
    ) -> Result<(), (Fault, usize)> {
        self.poison(work);
        self.set_group(work, group, 1);
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

    /// Has the code run groups.
    fn run_groups(
        &mut self,
        native: &Native,
        kernel: &Kernel,
        work: &Work,
        groups: Range<u64>,
    ) -> Result<(), Failure> {
        self.set_group(work, work.geometry.group(groups.start), groups.end - groups.start);
        let context = self.context.as_mut_ptr().cast::<Context>();
        let callee = self.call(native, kernel, work, 0, 0);
        // SAFETY: the code has returned, and the context is as in `call`.
        let (record, stopped, expected, group) =
            unsafe { ((*context).record, (*context).stopped, (*context).expected, (*context).group) };
        let strip = (record.addr() - native.records().as_ptr().addr()) / size_of::<Record>();
        let first_item = work.geometry.first_item(strip / native.code.strips());
        let failure =
            |fault, item| Err(Failure { fault, group: group.map(|id| id as u32), item: first_item + item });
        if let Some(fault) = callee.fault {
            return failure(fault, fault.lane as usize);
        }
        if stopped != expected {
            let barrier = |number: u32| {
                let place = native.barriers[number.checked_sub(1)? as usize];
                Some(Barrier { site: place.site, block: place.block })
            };
            return failure(divergent(barrier(expected), barrier(stopped)), 0);
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
        let mut callee = Callee { worker, native, kernel, work, fault: None, parked: 0, barrier: None };
        // SAFETY: the context is that of this code and launch; the callee lives until the code returns, and nothing but `help` uses the worker
        // meanwhile.
        unsafe {
            (*context).registers = registers;
            (*context).private = private;
            (*context).record = &raw const native.records()[index * native.code.strips()];
            (*context).entry = entry;
            (*context).stopped = 0;
            (*context).expected = 0;
            (*context).fault = 0;
            (*context).exchange = (&raw mut (*worker).exchange).addr() as u64;
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
    let Some(pointer) = pointer(work, argument) else { return Span::default() };
    let reach = Reach {
        parameters: &kernel.program.parameters,
        arguments: &work.arguments.bytes,
        indirect: work.arguments.indirect,
    };
    let allocation = work.snapshot.find(pointer);
    allocation.filter(|allocation| reach.has(allocation)).map_or(Span::default(), |found| found.span())
}

/// What a check allows if the access is to bytes of a span.
fn limit_of(checked: &Checked, span: Span, work: &Work) -> Limit {
    let Some(Indices { argument, scale, offset }) = checked.indices else {
        return Limit::within(span, checked.extent);
    };
    let pointer = pointer(work, argument as usize);
    pointer
        .map_or(Limit::default(), |pointer| Limit::of_indices(span, checked.extent, pointer, offset, scale))
}

/// The pointer at a place in the argument block.
fn pointer(work: &Work, argument: usize) -> Option<u64> {
    let bytes = work.arguments.bytes.get(argument..)?.first_chunk()?;
    Some(u64::from_le_bytes(*bytes))
}

/// How far the registers of a subgroup are from those of the next one, in bytes.
fn subgroup_bytes(native: &Native) -> u64 {
    (lines(native.code.files_bytes()) * size_of::<Line>()) as u64
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

impl Callee<'_> {
    fn event(&mut self, number: u32, mask: Lanes) {
        match self.native.events[number as usize] {
            Event::Unreachable(site) => self.fault = Some(fault(FaultKind::Unreachable, site, mask)),
            Event::Park(barrier) => self.park(barrier, mask),
            Event::Halt => self.fault = Some(fault(self.work.halt.fault(), Site(0), mask)),
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
        frame.all = present(self.work.geometry, index);
        frame.subgroup = index;
        if context.call_strip != TOGETHER {
            let [strip, file, ..] = context.call_strip.to_le_bytes().map(usize::from);
            frame.enter_with(strip, file);
        }
        op.run(&mut frame);
        self.fault = frame.fault;
        let limits = std::ptr::from_mut(context).wrapping_add(1).cast::<Limit>();
        for (number, checked) in self.native.limits_of(context.call) {
            if matches!(checked.space, Space::Global | Space::Constant | Space::Generic) {
                let span = worker.found.get(op.extra as usize).copied().unwrap_or_default();
                let limit = limit_of(checked, span, self.work);
                if limit.count > 0 {
                    // SAFETY: the limits of the code stand behind its context.
                    unsafe { limits.add(number).write(limit) }
                }
            }
        }
    }
}

/// Lines of memory are as the context wants them.
const _: () = assert!(
    align_of::<Line>() >= align_of::<Context>() && size_of::<Context>().is_multiple_of(align_of::<Context>())
);
