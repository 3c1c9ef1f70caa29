//! The command list of a queue: commands run one after the other, and the host can wait for all of them.
//!
//! Normally this is one long-lived, asynchronous immediate command list. Level Zero lets commands of such a list
//! overtake each other unless it was made in order, which only newer drivers know; with others a barrier stands before
//! each command that follows another. One that is asked to be out of order has such barriers where [`Overlap`] wants them. Where a driver has no immediate command lists, an ordinary one is closed,
//! executed and reused for each command.

use crate::device::Device;
use crate::device::queue_groups::QueueGroup;
use crate::error::DriverError;
use crate::error::driver::call;
use crate::error::last_error::explain;
use crate::memory::import::ImportsNow;
use crate::memory::region::Placed;
use crate::queue::event::{Event, RETRY, wait_certainly};
use crate::queue::graph::ClosedList;
use crate::queue::options::{Priority, QueueOptions};
use crate::queue::overlap::{Overlap, Used};
use crate::queue::progress::Progress;
use crate::trace::{self, Label};
use core::ffi::c_void;
use level_zero_sys::{
    Api, ze_command_list_desc_t, ze_command_list_handle_t, ze_command_queue_desc_t, ze_command_queue_flags_t,
    ze_command_queue_handle_t, ze_command_queue_mode_t, ze_command_queue_priority_t, ze_copy_region_t,
    ze_event_desc_t, ze_event_handle_t, ze_event_pool_desc_t, ze_event_pool_flags_t, ze_event_pool_handle_t,
    ze_event_scope_flags_t, ze_fence_handle_t, ze_result_t,
};
use std::sync::Arc;
use std::{mem, ptr, thread};

/// `ZE_COMMAND_QUEUE_FLAG_IN_ORDER`, which is newer than the headers that level-zero-sys was made from.
const IN_ORDER: ze_command_queue_flags_t = ze_command_queue_flags_t(1 << 1);

/// How long to wait, in nanoseconds: as long as it takes.
const FOREVER: u64 = u64::MAX;

/// How many memories of commands that run side by side are kept in mind, so that looking at all of them takes no time.
const MOST_RUNNING: usize = 64;

/// What timelines call the wait of a host for a command that uses what the host lends to it.
const COPY_WAIT: &str = "wait for a copy";

/// Commands of one queue, in order.
pub(crate) struct Stream {
    api: &'static Api,
    device: Device,
    list: ze_command_list_handle_t,
    mode: Mode,
    /// The group of command queues that executes it.
    group: QueueGroup,
    takes_kernels: bool,
    progress: Arc<Progress>,
    /// By which it is known in timelines.
    number: u64,
    /// Whether there may be a command that is not complete.
    busy: bool,
    /// Whether an ordinary list is empty and open.
    is_open: bool,
    /// Which commands may run at the same time, if it is out of order.
    overlap: Option<Overlap>,
}

enum Mode {
    /// The list starts its commands when they are appended.
    Immediate { in_order: bool, done: Signal },
    /// The list runs when it is closed and executed on the queue.
    Regular { queue: ze_command_queue_handle_t },
}

impl Stream {
    pub(crate) fn new(device: &Device, options: QueueOptions) -> Result<Self, DriverError> {
        let done = Signal::new(device)?;
        let groups = device.queue_groups();
        let group = groups.copy.filter(|_| options.copies_only).unwrap_or(groups.compute);
        let descriptor = |flags| ze_command_queue_desc_t {
            ordinal: group.ordinal,
            flags,
            mode: ze_command_queue_mode_t::ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
            priority: match options.priority {
                Priority::Low => ze_command_queue_priority_t::ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW,
                Priority::Normal => ze_command_queue_priority_t::ZE_COMMAND_QUEUE_PRIORITY_NORMAL,
                Priority::High => ze_command_queue_priority_t::ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH,
            },
            ..Default::default()
        };
        let plain = descriptor(ze_command_queue_flags_t::empty());
        let immediate = match device.knows_in_order_lists() && !options.out_of_order {
            true => create_immediate(device, &descriptor(IN_ORDER)).map(|list| (list, true)),
            false => Err(unsupported()),
        };
        let immediate = immediate.or_else(|_| create_immediate(device, &plain).map(|list| (list, false)));
        let (list, mode) = match immediate {
            Ok((list, in_order)) => (list, Mode::Immediate { in_order, done }),
            Err(error) if error.is(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) => {
                create_regular(device, &plain)?
            }
            Err(error) => return Err(error),
        };
        Ok(Self {
            api: device.api(),
            device: device.clone(),
            list,
            mode,
            group,
            takes_kernels: !options.copies_only,
            progress: Arc::default(),
            number: trace::next_number(),
            busy: false,
            is_open: true,
            overlap: options.out_of_order.then(|| Overlap::of_at_most(MOST_RUNNING)),
        })
    }

    pub(crate) fn progress(&self) -> &Arc<Progress> {
        &self.progress
    }

    /// The group of command queues that executes it.
    pub(crate) fn group(&self) -> QueueGroup {
        self.group
    }

    /// Whether kernels can be launched.
    pub(crate) fn takes_kernels(&self) -> bool {
        self.takes_kernels
    }

    /// Whether it is out of order.
    pub(crate) fn is_out_of_order(&self) -> bool {
        self.overlap.is_some()
    }

    /// Says what the next command uses. It may run beside earlier ones then, if the stream is out of order; without this it runs after all of them.
    #[inline]
    pub(crate) fn declare(&mut self, uses: impl Iterator<Item = Used>) {
        if let Some(overlap) = &mut self.overlap {
            overlap.declare(uses);
        }
    }

    /// Appends a command and lets it run after all earlier ones, but for what was [declared](Self::declare). It signals an event, if there is one.
    ///
    /// The closure gets the list and an event, which may be null. It must append one command to the list that signals the event, or fail without having
    /// done so.
    #[inline]
    pub(crate) fn append(
        &mut self,
        label: Label,
        signal: Option<&Event>,
        command: impl FnOnce(&Api, ze_command_list_handle_t, ze_event_handle_t) -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        self.append_noted(label, signal, |api, list, done| {
            command(api, list, done.map_or(ze_event_handle_t::NULL, Event::handle))
        })
    }

    /// Appends a command in two parts and lets them run after all earlier ones, and the second after the first where it signals an event.
    ///
    /// The closure gets the list and two events, which may be null. It must append two commands to the list that signal one event each and of which the second waits for the
    /// first, or fail, perhaps having appended the first.
    pub(crate) fn append_in_parts(
        &mut self,
        label: Label,
        signal: Option<&Event>,
        commands: impl FnOnce(ze_command_list_handle_t, [ze_event_handle_t; 2]) -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        self.append_noted(label, signal, |_, list, done| {
            let events = match done {
                Some(done) => [done.begun()?.handle(), done.handle()],
                None => [ze_event_handle_t::NULL; 2],
            };
            commands(list, events)
        })
    }

    /// Appends what a closure appends, which gets the event that the command is to signal if somebody waits for it or traces, and notes it for those who trace.
    #[inline]
    fn append_noted(
        &mut self,
        label: Label,
        signal: Option<&Event>,
        command: impl FnOnce(&Api, ze_command_list_handle_t, Option<&Event>) -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        #[cfg(feature = "tracing")]
        let _span = trace::spans::enqueuing(&label, self.number);
        let traced = trace::event_for(&self.device, signal);
        let done = traced.as_ref().or(signal);
        self.append_to_list(|api, list| command(api, list, done))
            .map_err(|error| explain(&self.device, error))?;
        if let Some(event) = traced {
            trace::note_command(label, event, self.number);
        }
        Ok(())
    }

    /// Whether a command is appended by its call alone: the list keeps the order itself, and nobody traces.
    #[inline]
    pub(crate) fn takes_commands_alone(&self) -> bool {
        matches!(self.mode, Mode::Immediate { in_order: true, .. })
            && !cfg!(feature = "tracing")
            && !trace::is_active()
    }

    /// Appends a command to a list that [takes commands alone](Self::takes_commands_alone).
    #[inline]
    pub(crate) fn append_alone(
        &mut self,
        command: impl FnOnce(&Api, ze_command_list_handle_t) -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        self.progress.submit();
        self.busy = true;
        command(self.api, self.list)
    }

    /// Appends a command and lets it run after all earlier ones.
    ///
    /// The closure gets the list and must append one command to it, or fail without having done so.
    #[inline]
    pub(super) fn append_to_list(
        &mut self,
        command: impl FnOnce(&Api, ze_command_list_handle_t) -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        self.progress.submit();
        match self.mode {
            Mode::Immediate { .. } => {
                if let Err(error) = self.order() {
                    if let Some(overlap) = &mut self.overlap {
                        overlap.withdraw();
                    }
                    return Err(error);
                }
                // Whatever the outcome, the host has to wait before it may assume that nothing runs.
                self.busy = true;
                if let Some(overlap) = &mut self.overlap {
                    overlap.append();
                }
                command(self.api, self.list)
            }
            Mode::Regular { queue } => {
                self.wait_if_busy()?;
                self.reopen()?;
                self.is_open = false;
                command(self.api, self.list)?;
                self.busy = true;
                execute(self.api, queue, self.list)
            }
        }
    }

    /// Appends a command that is a barrier itself, so that it needs none before it.
    fn append_barrier(
        &mut self,
        command: impl FnOnce(&Api, ze_command_list_handle_t) -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        if matches!(self.mode, Mode::Regular { .. }) {
            return self.append_to_list(command);
        }
        self.progress.submit();
        self.busy = true;
        command(self.api, self.list)?;
        self.note_ordered();
        Ok(())
    }

    /// Runs a command after all earlier ones, and waits for it. Nothing more has to be appended for that, so that a command may use what the caller
    /// only lends: once this returns, the device has stopped using it, or is lost.
    ///
    /// The closure gets the list and an event, which may be null. It must append one command to the list that signals the event, or fail without
    /// having done so.
    pub(crate) fn run(
        &mut self,
        label: Label,
        command: impl FnOnce(&Api, ze_command_list_handle_t, ze_event_handle_t) -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        let Mode::Immediate { done, .. } = &mut self.mode else {
            self.append(label, None, command)?;
            return trace::timing(COPY_WAIT, || self.wait_certainly());
        };
        #[cfg(feature = "tracing")]
        let _span = trace::spans::running(&label, self.number);
        if let Some(event) = trace::event_for(&self.device, None) {
            self.append(label, Some(&event), command)?;
            trace::timing(COPY_WAIT, || event.wait_certainly())?;
        } else {
            let event = done.ready(&self.device)?;
            self.append_to_list(|api, list| command(api, list, event))
                .map_err(|error| explain(&self.device, error))?;
            let Mode::Immediate { done, .. } = &mut self.mode else { return Ok(()) };
            done.wait(&self.device)?;
        }
        self.busy = false;
        self.progress.complete();
        Ok(())
    }

    /// Runs a copy, as [`run`](Self::run) does.
    ///
    /// # Safety
    ///
    /// Both pointers must be valid for so many bytes until this returns, and memory of the device until the stream has been waited for.
    pub(crate) unsafe fn run_copy(
        &mut self,
        name: &'static str,
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
    ) -> Result<(), DriverError> {
        self.copy_pieces((to, from, bytes), |stream, (to, from, bytes), imports| {
            // SAFETY: the list is live and open, and the caller vouches for the pointers.
            stream.run(Label::copy(name, bytes), |api, list, event| unsafe {
                append_copy(api, list, (to, from, bytes), event, imports)
            })
        })
    }

    /// Makes a copy in pieces each of which is memory of the driver or not, on both sides: one, unless something shares a page with an imported vector. The closure does
    /// so for the last piece.
    fn copy_pieces(
        &mut self,
        (to, from, bytes): (*mut c_void, *const c_void, usize),
        last: impl FnOnce(&mut Self, Piece, ImportsNow<'_>) -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        let device = self.device.clone();
        let imports = device.imports().now();
        let cuts = imports.cuts(to, from, bytes);
        if cuts.is_empty() {
            return last(self, (to, from, bytes), imports);
        }
        drop(imports);
        let mut start = 0;
        let mut piece = |end| {
            let (first, bytes) = (start, end - start);
            start = end;
            (to.wrapping_byte_add(first), from.wrapping_byte_add(first), bytes)
        };
        let copied = cuts
            .into_iter()
            .try_for_each(|cut| self.append_piece("copy", piece(cut), None, device.imports().now()));
        let copied = copied.and_then(|()| last(self, piece(bytes), device.imports().now()));
        // Who lent the memory takes it back.
        copied.inspect_err(|_| drop(self.wait_certainly()))
    }

    /// Appends a piece of a copy, which signals an event, if there is one.
    fn append_piece(
        &mut self,
        name: &'static str,
        piece: Piece,
        signal: Option<&Event>,
        imports: ImportsNow<'_>,
    ) -> Result<(), DriverError> {
        // SAFETY: the list is live and open, the event is kept until the stream has been waited for, and who copies vouches for the pointers.
        self.append(Label::copy(name, piece.2), signal, |api, list, event| unsafe {
            append_copy(api, list, piece, event, imports)
        })
    }

    /// Makes an ordinary list empty and open again, where it is not.
    fn reopen(&mut self) -> Result<(), DriverError> {
        if !self.is_open {
            // SAFETY: the list is live, and nothing of it is running.
            unsafe { call!(self.api, zeCommandListReset(self.list)) }?;
            self.is_open = true;
        }
        Ok(())
    }

    /// Appends a copy.
    ///
    /// # Safety
    ///
    /// Both pointers must be valid for so many bytes until the stream has been waited for.
    pub(crate) unsafe fn append_copy(
        &mut self,
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
    ) -> Result<(), DriverError> {
        self.copy_pieces((to, from, bytes), |stream, piece, imports| {
            stream.append_piece("copy", piece, None, imports)
        })
    }

    /// Appends a copy that signals an event.
    ///
    /// # Safety
    ///
    /// Both pointers must be valid for so many bytes until the event is signalled.
    pub(crate) unsafe fn append_signalling_copy(
        &mut self,
        name: &'static str,
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
        event: &Event,
    ) -> Result<(), DriverError> {
        self.copy_pieces((to, from, bytes), |stream, piece, imports| {
            stream.append_piece(name, piece, Some(event), imports)
        })
    }

    /// Appends a fill with bytes that are zero.
    ///
    /// # Safety
    ///
    /// The pointer must be valid for so many bytes until the stream has been waited for.
    pub(crate) unsafe fn append_zeros(&mut self, to: *mut c_void, bytes: usize) -> Result<(), DriverError> {
        // SAFETY: the caller vouches for the pointer.
        unsafe { self.append_fill(to, &[0], bytes) }
    }

    /// Appends a fill with a pattern, of a power of two of bytes that the device repeats.
    ///
    /// # Safety
    ///
    /// The pointer must be valid for so many bytes, a multiple of the pattern's, until the stream has been waited for.
    pub(crate) unsafe fn append_fill(
        &mut self,
        to: *mut c_void,
        pattern: &[u8],
        bytes: usize,
    ) -> Result<(), DriverError> {
        let (pattern, length) = (pattern.as_ptr().cast(), pattern.len());
        // SAFETY: the list is live and open, and the caller vouches for the pointer; the driver copies the pattern before it returns.
        self.append(Label::copy("fill", bytes), None, |api, list, event| unsafe {
            call!(
                api,
                zeCommandListAppendMemoryFill(list, to, pattern, length, bytes, event, 0, ptr::null_mut())
            )
        })
    }

    /// Appends the copy of a region to one of the same size.
    ///
    /// # Safety
    ///
    /// Both pointers must be valid for the spans of their regions until the stream has been waited for.
    pub(crate) unsafe fn append_region_copy(
        &mut self,
        to: (*mut c_void, Placed),
        from: (*const c_void, Placed),
    ) -> Result<(), DriverError> {
        let device = self.device.clone();
        let imports = device.imports().now();
        match narrow(to, from, &imports) {
            // SAFETY: the list is live and open, and the caller vouches for the pointers.
            Some(narrow) => self.append(region_label("copy", to.1), None, |api, list, event| unsafe {
                append_region(api, list, to, from, narrow, event, imports)
            }),
            None => {
                drop(imports);
                // SAFETY: these bytes are in the spans.
                rows(to, from).try_for_each(|(row_to, row_from)| unsafe {
                    self.append_copy(row_to, row_from, to.1.width)
                })
            }
        }
    }

    /// Runs the copy of a region, as [`run`](Self::run) does.
    ///
    /// # Safety
    ///
    /// As for [`run_copy`](Self::run_copy), for the spans of the regions.
    pub(crate) unsafe fn run_region_copy(
        &mut self,
        name: &'static str,
        to: (*mut c_void, Placed),
        from: (*const c_void, Placed),
    ) -> Result<(), DriverError> {
        let device = self.device.clone();
        let imports = device.imports().now();
        match narrow(to, from, &imports) {
            Some(narrow) => {
                // SAFETY: the list is live and open, and the caller vouches for the pointers.
                self.run(region_label(name, to.1), |api, list, event| unsafe {
                    append_region(api, list, to, from, narrow, event, imports)
                })
            }
            None => {
                drop(imports);
                // SAFETY: these bytes are in the spans.
                rows(to, from).try_for_each(|(row_to, row_from)| unsafe {
                    self.run_copy(name, row_to, row_from, to.1.width)
                })
            }
        }
    }

    /// Whether [`append_list`](Self::append_list) has a chance.
    pub(crate) fn executes_lists(&self) -> bool {
        match self.mode {
            Mode::Immediate { .. } => {
                self.device.later().zeCommandListImmediateAppendCommandListsExp.is_some()
            }
            Mode::Regular { .. } => true,
        }
    }

    /// Executes a closed list after all earlier commands; it signals an event, if there is one. The caller keeps the list until the stream has been waited
    /// for.
    pub(crate) fn append_list(
        &mut self,
        closed: &ClosedList,
        signal: Option<&Event>,
    ) -> Result<(), DriverError> {
        let (mut closed, later) = (closed.handle(), self.device.later());
        let Mode::Regular { queue } = self.mode else {
            // SAFETY: both lists are live, the one is closed and the other one open, and the array has the one list that its length states.
            return self.append(Label::copy("graph", 0), signal, |_, list, event| unsafe {
                call!(
                    later,
                    zeCommandListImmediateAppendCommandListsExp(
                        list,
                        1,
                        &mut closed,
                        event,
                        0,
                        ptr::null_mut()
                    )
                )
            });
        };
        self.progress.submit();
        self.wait_if_busy()?;
        self.busy = true;
        // SAFETY: the handles are live, the list is closed, and the array has the one list that its length states.
        unsafe {
            call!(self.api, zeCommandQueueExecuteCommandLists(queue, 1, &mut closed, ze_fence_handle_t::NULL))
        }
        .map_err(|error| explain(&self.device, error))?;
        signal.map_or(Ok(()), |event| self.append_signal(event))
    }

    /// Appends the signal of an event, when all commands before are complete.
    pub(crate) fn append_signal(&mut self, event: &Event) -> Result<(), DriverError> {
        let event = event.handle();
        // SAFETY: the list is live and open, and the event is kept until the stream has been waited for.
        self.append_barrier(|api, list| unsafe {
            call!(api, zeCommandListAppendBarrier(list, event, 0, ptr::null_mut()))
        })
    }

    /// Lets later commands run when an event is signalled, which a command will do that was appended before, on whatever stream of the device.
    pub(crate) fn append_wait(&mut self, event: &Event) -> Result<(), DriverError> {
        let (none, mut event) = (ze_event_handle_t::NULL, event.handle());
        // SAFETY: the list is live and open, the event is kept until the stream has been waited for, and the array has the one event that its length
        // states.
        self.append_barrier(|api, list| unsafe {
            call!(api, zeCommandListAppendBarrier(list, none, 1, &mut event))
        })
    }

    /// Waits until all commands are complete.
    #[inline]
    pub(crate) fn wait(&mut self) -> Result<(), DriverError> {
        self.wait_if_busy()?;
        self.progress.complete();
        self.note_ordered();
        Ok(())
    }

    /// Finds out whether all commands are complete, where the driver can say so without waiting.
    pub(crate) fn poll(&mut self) {
        if self.busy {
            let later = self.device.later();
            // SAFETY: the handles are live, and the caller's exclusive borrow keeps other threads from using them.
            let polled = unsafe {
                match &self.mode {
                    Mode::Immediate { .. } if later.zeCommandListHostSynchronize.is_some() => {
                        call!(later, zeCommandListHostSynchronize(self.list, 0))
                    }
                    Mode::Immediate { .. } => return,
                    Mode::Regular { queue } => call!(self.api, zeCommandQueueSynchronize(*queue, 0)),
                }
            };
            if polled.is_err() {
                return;
            }
            self.busy = false;
        }
        self.progress.complete();
        self.note_ordered();
    }

    /// The same as [`wait`](Self::wait) until they are or the device is lost, whatever else goes wrong: for a command that uses what is only lent to it.
    fn wait_certainly(&mut self) -> Result<(), DriverError> {
        loop {
            let waited = self.wait();
            let (Mode::Regular { queue }, Err(error)) = (&self.mode, &waited) else { return waited };
            if error.is(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST) {
                return waited;
            }
            // SAFETY: the handle is live, and the caller's exclusive borrow keeps other threads from using it.
            match unsafe { call!(self.api, zeCommandQueueSynchronize(*queue, 0)) } {
                Err(status) if !status.is(ze_result_t::ZE_RESULT_NOT_READY) => return waited,
                _ => thread::sleep(RETRY),
            }
        }
    }

    #[inline]
    fn wait_if_busy(&mut self) -> Result<(), DriverError> {
        if !self.busy {
            return Ok(());
        }
        let later = self.device.later();
        match &mut self.mode {
            Mode::Immediate { .. } if later.zeCommandListHostSynchronize.is_some() => {
                // SAFETY: the list is live, and the caller's exclusive borrow keeps other threads from using it.
                unsafe { call!(later, zeCommandListHostSynchronize(self.list, FOREVER)) }
                    .map_err(|error| explain(&self.device, error))?;
            }
            Mode::Immediate { done, .. } => {
                let event = done.ready(&self.device)?;
                // SAFETY: the list is live and open, and the event is signalled by this command alone.
                unsafe {
                    call!(self.api, zeCommandListAppendBarrier(self.list, event, 0, ptr::null_mut()))?;
                }
                done.wait(&self.device)?;
            }
            Mode::Regular { queue } => {
                // SAFETY: the handle is live, and the caller's exclusive borrow keeps other threads from using it.
                let waited = unsafe { call!(self.api, zeCommandQueueSynchronize(*queue, FOREVER)) };
                // A device that was lost may come back: the list is made empty before the next command.
                waited.map_err(|error| explain(&self.device, error))?;
            }
        }
        self.busy = false;
        Ok(())
    }

    /// Keeps the next command of an immediate list from overtaking those before which it has to wait for.
    #[inline]
    fn order(&mut self) -> Result<(), DriverError> {
        if self.overlap.as_ref().is_some_and(|overlap| !overlap.needs_barrier()) {
            return Ok(());
        }
        match self.mode {
            Mode::Immediate { in_order: false, .. } if self.busy => {
                // SAFETY: the list is live and open, and no events are passed.
                unsafe {
                    call!(
                        self.api,
                        zeCommandListAppendBarrier(self.list, ze_event_handle_t::NULL, 0, ptr::null_mut())
                    )
                }?;
            }
            _ => {}
        }
        self.note_ordered();
        Ok(())
    }

    /// Notes that later commands wait for earlier ones, or that there are none.
    fn note_ordered(&mut self) {
        if let Some(overlap) = &mut self.overlap {
            overlap.is_ordered();
        }
    }
}

impl Drop for Stream {
    /// The owner has waited, or leaks the stream.
    fn drop(&mut self) {
        // SAFETY: no command is running, and nobody else has the handles. A failure leaves an object behind.
        unsafe {
            let _ = self.api.zeCommandListDestroy(self.list);
            if let Mode::Regular { queue } = self.mode {
                let _ = self.api.zeCommandQueueDestroy(queue);
            }
        }
    }
}

/// An event by which the device tells the host that a command came to an end.
struct Signal {
    api: &'static Api,
    pool: ze_event_pool_handle_t,
    event: ze_event_handle_t,
    /// Whether the event may be signalled already, or be signalled by a command that was not waited for, so that it says nothing any more.
    is_spent: bool,
}

impl Signal {
    fn new(device: &Device) -> Result<Self, DriverError> {
        let (api, context) = (device.api(), device.context()?);
        let pool_descriptor = ze_event_pool_desc_t {
            flags: ze_event_pool_flags_t::ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
            count: 1,
            ..Default::default()
        };
        let event_descriptor = ze_event_desc_t {
            signal: ze_event_scope_flags_t::ZE_EVENT_SCOPE_FLAG_HOST,
            wait: ze_event_scope_flags_t::ZE_EVENT_SCOPE_FLAG_HOST,
            ..Default::default()
        };
        let mut signal =
            Self { api, pool: ze_event_pool_handle_t::NULL, event: ze_event_handle_t::NULL, is_spent: false };
        // SAFETY: context and device are live handles of one driver, the array has the one device that its length
        // states, and all pointers are to live variables.
        unsafe {
            call!(
                api,
                zeEventPoolCreate(context, &pool_descriptor, 1, &mut device.handle(), &mut signal.pool)
            )?;
            call!(api, zeEventCreate(signal.pool, &event_descriptor, &mut signal.event))?;
        }
        Ok(signal)
    }

    /// The event, for a command that is about to be appended.
    fn ready(&mut self, device: &Device) -> Result<ze_event_handle_t, DriverError> {
        if self.is_spent {
            // What is spent is left behind, since a command may still refer to it.
            let spent = mem::replace(self, Self::new(device)?);
            mem::forget(spent);
        }
        self.is_spent = true;
        Ok(self.event)
    }

    /// Waits for the command that the event was given to.
    fn wait(&mut self, device: &Device) -> Result<(), DriverError> {
        let waited = wait_certainly(self.api, self.event);
        // Even if something was wrong: a device may come back.
        // SAFETY: the event is live, and the owner's exclusive borrow of the stream keeps other threads from using it.
        let reset = unsafe { call!(self.api, zeEventHostReset(self.event)) };
        let is_over = |error: &DriverError| error.is(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST);
        self.is_spent = reset.is_err() || !waited.as_ref().err().is_none_or(is_over);
        waited.map_err(|error| explain(device, error))
    }
}

impl Drop for Signal {
    fn drop(&mut self) {
        // SAFETY: the command list that signalled the event is idle or gone. A failure leaves an object behind.
        unsafe {
            if !self.event.is_null() {
                let _ = self.api.zeEventDestroy(self.event);
            }
            if !self.pool.is_null() {
                let _ = self.api.zeEventPoolDestroy(self.pool);
            }
        }
    }
}

fn region_label(name: &'static str, region: Placed) -> Label {
    Label::copy(name, region.width.saturating_mul(region.rows).saturating_mul(region.slices))
}

/// The addresses of the rows of a region on both sides: for what the driver does not take as a whole.
fn rows(
    (to, to_region): (*mut c_void, Placed),
    (from, from_region): (*const c_void, Placed),
) -> impl Iterator<Item = (*mut c_void, *const c_void)> {
    let rows = (0..to_region.slices).flat_map(move |slice| (0..to_region.rows).map(move |row| (row, slice)));
    rows.map(move |(row, slice)| {
        let to = to.wrapping_byte_add(to_region.start(row, slice));
        (to, from.wrapping_byte_add(from_region.start(row, slice)))
    })
}

/// What a copy writes, what it reads, and how many bytes.
type Piece = (*mut c_void, *const c_void, usize);

/// Appends a copy, as long as nothing is imported that it would be cut by.
///
/// # Safety
///
/// The list is live and open, both pointers are valid for so many bytes until the command is complete, and the event is live or null.
unsafe fn append_copy(
    api: &Api,
    list: ze_command_list_handle_t,
    (to, from, bytes): Piece,
    event: ze_event_handle_t,
    _imports: ImportsNow<'_>,
) -> Result<(), DriverError> {
    // SAFETY: the caller vouches for all of it.
    unsafe { call!(api, zeCommandListAppendMemoryCopy(list, to, from, bytes, event, 0, ptr::null_mut())) }
}

/// Appends the copy of a region, as [`append_copy`] does.
///
/// # Safety
///
/// The list is live and open, the pointers are valid for the spans of their regions until the command is complete, and the event is live or null.
unsafe fn append_region(
    api: &Api,
    list: ze_command_list_handle_t,
    (to, to_region): (*mut c_void, Placed),
    (from, from_region): (*const c_void, Placed),
    (to_pitches, from_pitches, region): ([u32; 2], [u32; 2], ze_copy_region_t),
    event: ze_event_handle_t,
    _imports: ImportsNow<'_>,
) -> Result<(), DriverError> {
    let (to, from) = (to.wrapping_byte_add(to_region.first), from.wrapping_byte_add(from_region.first));
    // SAFETY: the caller vouches for all of it; the driver copies the regions before it returns.
    unsafe {
        call!(
            api,
            zeCommandListAppendMemoryCopyRegion(
                list,
                to,
                &region,
                to_pitches[0],
                to_pitches[1],
                from,
                &region,
                from_pitches[0],
                from_pitches[1],
                event,
                0,
                ptr::null_mut()
            )
        )
    }
}

/// The pitches of rows and slices on both sides, and the size of a region, if the driver's numbers of 32 bits can hold them and neither side is imported in part.
fn narrow(
    (to_start, to): (*mut c_void, Placed),
    (from_start, from): (*const c_void, Placed),
    imports: &ImportsNow<'_>,
) -> Option<([u32; 2], [u32; 2], ze_copy_region_t)> {
    let is_cut = |start: *const c_void, region: Placed| {
        let span = region.span();
        imports.cut(start.wrapping_byte_add(span.start), span.len())
    };
    if is_cut(to_start, to) || is_cut(from_start, from) {
        return None;
    }
    let pitches = |region: Placed| Some([u32::try_from(region.row).ok()?, u32::try_from(region.slice).ok()?]);
    let region = ze_copy_region_t {
        originX: 0,
        originY: 0,
        originZ: 0,
        width: to.width.try_into().ok()?,
        height: to.rows.try_into().ok()?,
        // Without slices it is a region of two dimensions.
        depth: if to.slices == 1 { 0 } else { to.slices.try_into().ok()? },
    };
    Some((pitches(to)?, pitches(from)?, region))
}

fn unsupported() -> DriverError {
    DriverError::new("zeCommandListCreateImmediate", ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
}

fn create_immediate(
    device: &Device,
    descriptor: &ze_command_queue_desc_t,
) -> Result<ze_command_list_handle_t, DriverError> {
    let mut list = ze_command_list_handle_t::NULL;
    let context = device.context()?;
    // SAFETY: context and device are live handles of one driver, and both pointers are to live variables.
    unsafe {
        call!(device.api(), zeCommandListCreateImmediate(context, device.handle(), descriptor, &mut list))
    }?;
    Ok(list)
}

fn create_regular(
    device: &Device,
    descriptor: &ze_command_queue_desc_t,
) -> Result<(ze_command_list_handle_t, Mode), DriverError> {
    let list_descriptor =
        ze_command_list_desc_t { commandQueueGroupOrdinal: descriptor.ordinal, ..Default::default() };
    let mut queue = ze_command_queue_handle_t::NULL;
    let mut list = ze_command_list_handle_t::NULL;
    let (api, context) = (device.api(), device.context()?);
    // SAFETY: context and device are live handles of one driver, and all pointers are to live variables.
    unsafe {
        call!(api, zeCommandQueueCreate(context, device.handle(), descriptor, &mut queue))?;
        call!(api, zeCommandListCreate(context, device.handle(), &list_descriptor, &mut list)).inspect_err(
            |_| {
                let _ = api.zeCommandQueueDestroy(queue);
            },
        )?;
    }
    Ok((list, Mode::Regular { queue }))
}

/// Closes a list and starts it.
fn execute(
    api: &Api,
    queue: ze_command_queue_handle_t,
    mut list: ze_command_list_handle_t,
) -> Result<(), DriverError> {
    // SAFETY: the handles are live, the list is open, and the array has the one list that its length states.
    unsafe {
        call!(api, zeCommandListClose(list))?;
        call!(api, zeCommandQueueExecuteCommandLists(queue, 1, &mut list, ze_fence_handle_t::NULL))
    }
}
