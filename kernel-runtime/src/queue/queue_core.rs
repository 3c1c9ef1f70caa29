//! What a queue owns of the driver's, behind one lock.

use crate::device::Device;
use crate::error::last_error::explain;
use crate::error::{DriverError, HostFunctionError, LaunchError, LaunchProblem, Result};
use crate::fault::records::{FaultRecords, RecordIndex};
use crate::launch::dispatch::{Dispatch, LaunchSize, Manner};
use crate::launch::kernel::{Kernel, Said, Unset};
use crate::launch::occupancy::Occupancy;
use crate::launch::{LaunchArgument, Prepared, may_use_all_memory};
use crate::memory::usage::QueueMask;
use crate::module::KernelId;
use crate::module::specialized::{Variant, Version};
use crate::queue::event::{Event, Visible};
use crate::queue::graph::ClosedList;
use crate::queue::host::HostCalls;
use crate::queue::kernels::Kernels;
use crate::queue::options::QueueOptions;
use crate::queue::precedence::check_not_in_host_function;
use crate::queue::print_buffer::{PrintBuffer, Text};
use crate::queue::progress::Progress;
use crate::queue::stream::Stream;
use crate::sync::{Mutex, MutexGuard};
use crate::trace;
use core::mem::ManuallyDrop;
use kernel_core::{KernelDescriptor, PrintStream};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, PoisonError, TryLockError, Weak};
use std::thread;

/// A queue, for its owner and for those who wait for it.
pub(crate) struct QueueCore {
    device: Device,
    mask: QueueMask,
    progress: Arc<Progress>,
    /// The longest pattern that a fill repeats, in bytes.
    max_fill_pattern: usize,
    /// Dropped only when nothing of it is in use by the device any more.
    state: Mutex<ManuallyDrop<State>>,
    /// Who gets what kernels print; the host's own streams if nobody does.
    sink: Mutex<Option<Arc<Mutex<Sink>>>>,
}

/// A queue that a thread has for itself.
pub(crate) struct Locked<'q>(MutexGuard<'q, ManuallyDrop<State>>);

impl Deref for Locked<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        &self.0
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.0
    }
}

/// A fault record with the size of the work-groups of its launches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Noted {
    record: RecordIndex,
    group_size: [u32; 3],
}

/// Somebody who gets what kernels print.
pub(crate) type Sink = Box<dyn FnMut(PrintStream, &str) + Send>;

/// What none but one thread at a time may use.
pub(crate) struct State {
    device: Device,
    kernels: Kernels,
    records: FaultRecords,
    prints: PrintBuffer,
    /// For which commands of other queues what comes waits already.
    followed: Vec<(Weak<Progress>, u64)>,
    pub(crate) host: HostCalls,
    pub(crate) stream: Stream,
}

impl QueueCore {
    /// Makes a queue and adds it to those of the device.
    pub(crate) fn new(device: &Device, options: QueueOptions) -> Result<Arc<Self>, DriverError> {
        trace::start_by_environment();
        let stream = Stream::new(device, options)?;
        let (progress, max_fill_pattern) = (Arc::clone(stream.progress()), stream.group().max_fill_pattern);
        let (kernels, records, prints) =
            (Kernels::default(), FaultRecords::default(), PrintBuffer::default());
        let (device_of, followed, host) = (device.clone(), Vec::new(), HostCalls::default());
        let state = State { device: device_of, kernels, records, prints, followed, host, stream };
        let state = Mutex::new(ManuallyDrop::new(state));
        let sink = Mutex::new(None);
        let device_of = device.clone();
        let make = |mask| Self { device: device_of, mask, progress, max_fill_pattern, state, sink };
        Ok(device.queues().add(make))
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// The queue's bit in sets of queues.
    pub(crate) fn mask(&self) -> QueueMask {
        self.mask
    }

    pub(crate) fn progress(&self) -> &Arc<Progress> {
        &self.progress
    }

    /// The longest pattern that a fill repeats, in bytes.
    pub(crate) fn max_fill_pattern(&self) -> usize {
        self.max_fill_pattern
    }

    /// Has the queue for this thread alone.
    #[inline]
    pub(crate) fn lock(&self) -> Result<Locked<'_>, HostFunctionError> {
        check_not_in_host_function()?;
        Ok(self.lock_anyway())
    }

    /// The same where it cannot be refused. A function of the host must not wait for anything then.
    #[inline]
    pub(crate) fn lock_anyway(&self) -> Locked<'_> {
        Locked(self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The same if no other thread has it.
    pub(crate) fn try_lock(&self) -> Option<Locked<'_>> {
        match self.state.try_lock() {
            Ok(state) => Some(Locked(state)),
            Err(TryLockError::Poisoned(poisoned)) => Some(Locked(poisoned.into_inner())),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Waits until all that was enqueued is complete, and frees the memory that waited for it.
    pub(crate) fn wait(&self, state: &mut State) -> Result<(), DriverError> {
        trace::waiting("wait for a queue", || state.stream.wait())?;
        trace::collect(&self.device);
        self.device.reclaimer().sweep(&self.device);
        state.host.take_failure()
    }

    /// Waits, hands on what kernels have printed, and then looks for faults.
    pub(crate) fn finish(&self, mut state: Locked<'_>) -> Result<()> {
        if state.may_report() {
            return self.finish_after(state, |_| Ok(()));
        }
        Ok(self.wait(&mut state)?)
    }

    /// The same for what kernels have done, if something was launched of which there may be something to report.
    pub(crate) fn report(&self) -> Result<()> {
        let state = self.lock()?;
        if state.may_report() { self.finish(state) } else { Ok(()) }
    }

    /// The same after a last command, which [`Stream::run`] runs; it is not run if something goes wrong before.
    pub(crate) fn finish_after(
        &self,
        mut state: Locked<'_>,
        last: impl FnOnce(&mut Stream) -> Result<(), DriverError>,
    ) -> Result<()> {
        let State { records, prints, stream, .. } = &mut *state;
        let fetched = records.fetch(stream).and_then(|()| prints.fetch(stream)).and_then(|()| last(stream));
        self.wait(&mut state)?;
        fetched?;
        let State { records, prints, stream, .. } = &mut *state;
        let (printed, checked) = (prints.take(stream), records.check(stream));
        // Whoever gets the text may use the queue.
        drop(state);
        self.deliver(&printed?);
        checked
    }

    /// Sets who gets what kernels print.
    pub(crate) fn set_sink(&self, sink: Sink) {
        *self.sink.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(Mutex::new(sink)));
    }

    fn deliver(&self, texts: &[Text]) {
        if texts.is_empty() {
            return;
        }
        // A sink may name another one for what comes later.
        let sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut sink = sink.as_ref().map(|sink| sink.lock().unwrap_or_else(PoisonError::into_inner));
        for (stream, text) in texts {
            match (&mut sink, stream) {
                (Some(sink), _) => sink(*stream, text),
                (None, PrintStream::Output) => print!("{text}"),
                (None, PrintStream::Error) => eprint!("{text}"),
            }
        }
    }
}

impl State {
    /// An event that is complete when all is that was submitted so far.
    pub(crate) fn record(&mut self, visible: Visible) -> Result<Event, DriverError> {
        let event = Event::seen_by(&self.device, visible)?;
        self.stream.append_signal(&event)?;
        Ok(event)
    }

    /// Whether something was launched of which there may be something to report.
    fn may_report(&self) -> bool {
        self.records.is_used() || self.prints.is_used()
    }

    /// Whether what comes waits for another queue's command with this number already.
    pub(crate) fn follows(&self, other: &Arc<Progress>, command: u64) -> bool {
        self.followed.iter().any(|(queue, last)| queue.as_ptr() == Arc::as_ptr(other) && *last >= command)
    }

    /// Notes that what comes waits for another queue's command with this number.
    pub(crate) fn note_followed(&mut self, other: &Arc<Progress>, command: u64) {
        self.followed.retain(|(queue, _)| queue.strong_count() > 0 && queue.as_ptr() != Arc::as_ptr(other));
        self.followed.push((Arc::downgrade(other), command));
    }

    /// Enqueues a launch, or finds out why it cannot be.
    pub(crate) fn launch(
        &mut self,
        (descriptor, variant): (&'static KernelDescriptor, Variant),
        arguments: &[LaunchArgument],
        size: LaunchSize,
        manner: Manner<'_>,
        said: Option<Said>,
    ) -> Result<()> {
        let Self { device, kernels, records, prints, stream, .. } = self;
        let kernel = find_kernel(device, kernels, (records, prints), stream, (descriptor, variant))?;
        let dispatch = kernel
            .dispatch(device.limits(), size)
            .map_err(|problem| LaunchError { kernel: descriptor.name, problem })?;
        let Some(dispatch) = dispatch else {
            manner.signal.map_or(Ok(()), |event| stream.append_signal(event))?;
            return Ok(());
        };
        let index = kernels.last();
        self.append(index, dispatch, Unset::Any(size, said), arguments, manner)
    }

    /// Enqueues a launch without any check if it says the same as the last one of its kernel, of which everything was checked, and nobody else uses its
    /// memory; whether it has been.
    #[inline]
    pub(crate) fn launch_again(
        &mut self,
        mask: QueueMask,
        (descriptor, said): (&'static KernelDescriptor, &Said),
        arguments: &[LaunchArgument],
        size: &LaunchSize,
        signal: Option<&Event>,
    ) -> Result<bool> {
        let repeated = |kernel: &Kernel| kernel.repeated(mask, (descriptor, said), size, arguments);
        let Some((index, differing)) = self.kernels.find_expected(repeated) else { return Ok(false) };
        let kernel = self.kernels.at(index);
        let Some(dispatch) = kernel.last_dispatch() else { return Ok(false) };
        let is_one_command = dispatch.rest.is_none() && signal.is_none() && kernel.leaves_nothing();
        if is_one_command && self.stream.takes_commands_alone() {
            let launched = kernel
                .set_differing(differing, arguments)
                .and_then(|()| kernel.launch_alone(&mut self.stream, dispatch));
            return launched.map(|()| true).map_err(|error| explain(&self.device, error).into());
        }
        let manner = Manner { signal, ..Manner::default() };
        self.append(index, dispatch, Unset::Only(differing), arguments, manner).map(|()| true)
    }

    /// Appends a launch to the stream, by the kernel with this number, once what is [`Unset`] of it has been set.
    fn append(
        &mut self,
        index: usize,
        dispatch: Dispatch,
        unset: Unset,
        arguments: &[LaunchArgument],
        manner: Manner<'_>,
    ) -> Result<()> {
        let Self { device, kernels, records, prints, stream, .. } = self;
        let kernel = kernels.at(index);
        let descriptor = kernel.descriptor();
        if let Some(record) = kernel.record() {
            let record = records.for_launch(device, stream, record, dispatch.group_size)?;
            records.refresh(stream, record)?;
            kernel.set_record(record, records.address(record))?;
        }
        if descriptor.prints() {
            prints.refresh(stream)?;
        }
        kernel.set_for(unset, dispatch, arguments).map_err(|error| explain(device, error))?;
        if manner.cooperative {
            check_cooperative(device, kernel, dispatch)
                .map_err(|problem| LaunchError { kernel: descriptor.name, problem })?;
        }
        if stream.is_out_of_order() && manner.is_plain() && !may_use_all_memory(descriptor, arguments) {
            stream.declare(arguments.iter().filter_map(LaunchArgument::used));
        }
        let launched = kernel.launch(stream, dispatch, arguments, manner);
        // The first of several parts may run all the same.
        if launched.is_ok() || dispatch.rest.is_some() {
            if let Some(record) = kernel.record() {
                records.note_launch(record, dispatch.group_size);
            }
            if descriptor.prints() {
                prints.note_launch();
            }
        }
        Ok(launched.map_err(|error| explain(device, error))?)
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// Finds out whether a launch can be: builds its kernel if it is not built yet, and checks its size.
    pub(crate) fn prepare_launch(&mut self, launch: &Prepared) -> Result<()> {
        let Self { device, kernels, records, prints, stream, .. } = self;
        let of = (launch.descriptor, launch.variant);
        let kernel = find_kernel(device, kernels, (records, prints), stream, of)?;
        let dispatch = kernel.dispatch(device.limits(), launch.size);
        dispatch.map_err(|problem| LaunchError { kernel: launch.descriptor.name, problem })?;
        Ok(())
    }

    /// How a kernel fits the device in launches of a size, with these arguments.
    pub(crate) fn occupancy(
        &mut self,
        (descriptor, variant): (&'static KernelDescriptor, Variant),
        arguments: &[LaunchArgument],
        size: LaunchSize,
    ) -> Result<Occupancy> {
        let dispatch = self.set((descriptor, variant), arguments, size)?;
        let kernel = self.kernels.last();
        let group_size = dispatch.map_or([0; 3], |dispatch| dispatch.group_size);
        let device = &self.device;
        let occupancy = self.kernels.at(kernel).occupancy(group_size, device.hardware_threads());
        Ok(occupancy.map_err(|error| explain(device, error))?)
    }

    /// The size of work-groups that the driver suggests for so many work-items, with these arguments.
    pub(crate) fn suggested_group_size(
        &mut self,
        (descriptor, variant): (&'static KernelDescriptor, Variant),
        arguments: &[LaunchArgument],
        size: LaunchSize,
    ) -> Result<[u32; 3]> {
        let dispatch = self.set((descriptor, variant), arguments, size)?;
        let kernel = self.kernels.last();
        let Some(dispatch) = dispatch else { return Ok([1; 3]) };
        let work_items = dispatch.work_items();
        let suggested = self.kernels.at(kernel).suggested_group_size(work_items);
        Ok(suggested.map_err(|error| explain(&self.device, error))?)
    }

    /// Sets group size and arguments of a kernel, which is the [last](Kernels::last) one then.
    fn set(
        &mut self,
        (descriptor, variant): (&'static KernelDescriptor, Variant),
        arguments: &[LaunchArgument],
        size: LaunchSize,
    ) -> Result<Option<Dispatch>> {
        let Self { device, kernels, records, prints, stream, .. } = self;
        let kernel = find_kernel(device, kernels, (records, prints), stream, (descriptor, variant))?;
        let dispatch = kernel
            .dispatch(device.limits(), size)
            .map_err(|problem| LaunchError { kernel: descriptor.name, problem })?;
        if let Some(dispatch) = dispatch {
            kernel.set((size, dispatch), arguments).map_err(|error| explain(device, error))?;
        }
        Ok(dispatch)
    }

    /// Appends a launch to a list that will be executed several times, with a fault record that no other launch has: one of those that are reserved for the
    /// list's owner, or a new one.
    pub(crate) fn record_launch(
        &mut self,
        list: &ClosedList,
        launch: &Prepared,
        reserved: &mut Vec<Noted>,
    ) -> Result<Option<Noted>> {
        let Self { device, kernels, records, prints, stream, .. } = self;
        let of = (launch.descriptor, launch.variant);
        let kernel = find_kernel(device, kernels, (records, prints), stream, of)?;
        let dispatch = kernel
            .dispatch(device.limits(), launch.size)
            .map_err(|problem| LaunchError { kernel: launch.descriptor.name, problem })?;
        let Some(dispatch) = dispatch else { return Ok(None) };
        let noted = match kernel.record() {
            Some(any) => {
                let of_kernel = |noted: &&Noted| {
                    noted.group_size == dispatch.group_size && records.are_of_one_kernel(noted.record, any)
                };
                let noted = match reserved.iter().find(of_kernel) {
                    Some(noted) => *noted,
                    None => {
                        let record = records.reserve(device, stream, any)?;
                        let noted = Noted { record, group_size: dispatch.group_size };
                        reserved.push(noted);
                        noted
                    }
                };
                kernel.set_record(noted.record, records.address(noted.record))?;
                Some(noted)
            }
            None => None,
        };
        kernel.set((launch.size, dispatch), &launch.arguments)?;
        kernel.record_launch(list, dispatch)?;
        Ok(noted)
    }

    /// Executes a closed list, whose kernels have these fault records, and may print.
    pub(crate) fn execute(
        &mut self,
        list: &ClosedList,
        noted: &[Noted],
        prints: bool,
        signal: Option<&Event>,
    ) -> Result<(), DriverError> {
        for Noted { record, .. } in noted {
            self.records.refresh(&mut self.stream, *record)?;
        }
        if prints {
            self.prints.refresh(&mut self.stream)?;
        }
        self.stream.append_list(list, signal)?;
        for Noted { record, group_size } in noted {
            self.records.note_launch(*record, *group_size);
        }
        if prints {
            self.prints.note_launch();
        }
        Ok(())
    }

    /// Takes records back that were reserved.
    pub(crate) fn give_back_records(&mut self, noted: &[Noted]) {
        noted.iter().for_each(|noted| self.records.give_back(noted.record));
    }

    /// Makes the kernel object if there is none.
    pub(crate) fn prepare(&mut self, descriptor: &'static KernelDescriptor, variant: Variant) -> Result<()> {
        let Self { device, kernels, records, prints, stream, .. } = self;
        find_kernel(device, kernels, (records, prints), stream, (descriptor, variant))?;
        if descriptor.hoisted.is_some() {
            let variant = Variant { version: Version::Hoisted, ..variant };
            find_kernel(device, kernels, (records, prints), stream, (descriptor, variant))?;
        }
        Ok(())
    }
}

/// Checks that a device has cooperative launches, and that this one has not too many groups.
fn check_cooperative(device: &Device, kernel: &Kernel, dispatch: Dispatch) -> Result<(), LaunchProblem> {
    // A driver that does not say how many there may be has none.
    let limit = kernel.max_cooperative_groups().ok().filter(|_| device.limits().cooperative);
    let groups =
        dispatch.groups.iter().fold(1, |product: u64, &groups| product.saturating_mul(groups.into()));
    match limit {
        None => Err(LaunchProblem::NotCooperative { device: device.name().into() }),
        Some(limit) if groups > limit.into() => {
            Err(LaunchProblem::TooManyCooperativeGroups { groups, limit })
        }
        Some(_) => Ok(()),
    }
}

/// The kernel object of this queue, made now if it was not before.
fn find_kernel<'k>(
    device: &Device,
    kernels: &'k mut Kernels,
    (records, prints): (&mut FaultRecords, &mut PrintBuffer),
    stream: &mut Stream,
    (descriptor, variant): (&'static KernelDescriptor, Variant),
) -> Result<&'k mut Kernel> {
    if !stream.takes_kernels() {
        return Err(LaunchError { kernel: descriptor.name, problem: LaunchProblem::CopyQueue }.into());
    }
    kernels.get(KernelId::of(descriptor, variant), || {
        let mut kernel = Kernel::new(device, descriptor, variant)?;
        if kernel.has_fault_record() {
            let record = records.add(device, stream, descriptor)?;
            kernel.set_record(record, records.address(record))?;
        }
        if descriptor.prints() {
            kernel.set_print(&prints.add(device, stream, descriptor)?)?;
        }
        Ok(kernel)
    })
}

impl QueueCore {
    /// All that a queue has which is being dropped.
    fn take(&mut self) -> Self {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: this is the last use of it here.
        let state = unsafe { ManuallyDrop::take(state) };
        Self {
            device: self.device.clone(),
            mask: self.mask,
            progress: Arc::clone(&self.progress),
            max_fill_pattern: self.max_fill_pattern,
            state: Mutex::new(ManuallyDrop::new(state)),
            sink: Mutex::new(self.sink.lock().unwrap_or_else(PoisonError::into_inner).take()),
        }
    }
}

impl Drop for QueueCore {
    fn drop(&mut self) {
        if check_not_in_host_function().is_err() {
            // It may be this function for which the queue would wait. Where there can be no more threads, what it has is left behind.
            let rest = ManuallyDrop::new(self.take());
            let end = move || drop(ManuallyDrop::into_inner(rest));
            let _ = thread::Builder::new().name("kernel-end".into()).spawn(end);
            return;
        }
        if let Err(error) = self.finish(self.lock_anyway()) {
            eprintln!("a queue was dropped with an unread error: {error}");
        }
        // The check for faults may have appended commands.
        let waited = self.wait(&mut self.lock_anyway());
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        match waited {
            // SAFETY: nothing runs any more, and this is the last use of the state.
            Ok(()) => unsafe { ManuallyDrop::drop(state) },
            // The device may still be using what the queue and its buffers have. Both are leaked: memory is not freed while
            // there is progress that has not come to its end.
            Err(_) => std::mem::forget(Arc::clone(&self.progress)),
        }
        self.progress.end();
    }
}
