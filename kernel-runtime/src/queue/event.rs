//! Events: what the device signals when a command is complete, and when it ran.

use crate::device::Device;
use crate::error::driver::call;
use crate::error::last_error::explain;
use crate::error::{DriverError, Result};
use crate::memory::Resource;
use crate::queue::precedence::check_not_in_host_function;
use crate::queue::waiter;
use crate::trace;
use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;
use level_zero_sys::{
    Api, ze_event_desc_t, ze_event_handle_t, ze_event_pool_desc_t, ze_event_pool_flags_t,
    ze_event_pool_handle_t, ze_event_scope_flags_t, ze_kernel_timestamp_result_t, ze_result_t,
};
use std::ptr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

/// The end of a command on a queue: to wait for, to let other queues wait for, to `await` and to time.
///
/// [`Launch::submit`](crate::Launch::submit) makes one of a launch, [`Queue::record`](crate::Queue::record) one of all that a queue was given so far.
/// Launches that nobody asks for an event make none, and cost nothing for it.
///
#[cfg_attr(feature = "cpu", doc = "```")]
#[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
/// use kernel_runtime::prelude::*;
///
/// #[kernel]
/// fn double(x: &mut [f32]) {
///     x[global_id(0)] *= 2.0;
/// }
///
/// # fn main() -> Result<()> {
/// let queue = Device::best()?.queue()?;
/// let mut x = queue.upload(&[1.0_f32; 1000])?;
/// let doubled = double(&mut x).submit(&queue, x.len())?;
/// // The host does something else here.
/// doubled.wait()?;
/// println!("the kernel took {:?}", doubled.time()?);
/// # Ok(())
/// # }
/// ```
///
/// As a future it is ready when the command is complete, and works with every executor. A clone is the same event. Dropping one cancels nothing.
///
/// An event says that the command is complete, and not whether its kernel has faulted: that is the result of the next
/// [`Queue::synchronize`](crate::Queue::synchronize) or [`Queue::download`](crate::Queue::download).
#[derive(Clone)]
#[must_use = "an event does nothing by itself; `launch` makes none"]
pub struct Event(Arc<Inner>);

struct Inner {
    device: Device,
    handle: EventHandle,
    /// Of a command in two parts, the event of the first; of a graph, that of a barrier before it.
    begun: OnceLock<Event>,
}

/// An event of the driver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventHandle {
    event: ze_event_handle_t,
    visible: Visible,
}

/// Which devices may wait for an event, besides the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visible {
    /// That of the command.
    Device,
    /// All of its driver.
    Driver,
}

// SAFETY: it is a name for what the driver keeps, and the driver lets any thread use it.
unsafe impl Send for EventHandle {}
// SAFETY: the same.
unsafe impl Sync for EventHandle {}

impl Event {
    /// An event that nothing has signalled, for one command to be appended with.
    pub(crate) fn new(device: &Device) -> Result<Self, DriverError> {
        Self::seen_by(device, Visible::Device)
    }

    /// The same, for which queues of these devices may wait.
    pub(crate) fn seen_by(device: &Device, visible: Visible) -> Result<Self, DriverError> {
        let handle = device.events(visible).take(device, visible)?;
        Ok(Self(Arc::new(Inner { device: device.clone(), handle, begun: OnceLock::new() })))
    }

    /// The event of the first part of the command, which the second part waits for, or of what is before all of them. From then on the command starts when that does.
    pub(super) fn begun(&self) -> Result<&Self, DriverError> {
        if self.0.begun.get().is_none() {
            let _ = self.0.begun.set(Self::seen_by(self.device(), self.0.handle.visible())?);
        }
        Ok(self.0.begun.get().expect("it was set"))
    }

    /// The device on which the command runs.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// Waits until the command is complete.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`](crate::Error::Driver) if the device is lost; [`Error::HostFunction`](crate::Error::HostFunction) in a function of
    /// [`Queue::host`](crate::Queue::host), if it is not complete.
    pub fn wait(&self) -> Result<()> {
        if !self.is_complete()? {
            check_not_in_host_function()?;
        }
        trace::waiting("wait for an event", || self.wait_for(u64::MAX))?;
        trace::collect(self.device());
        Ok(())
    }

    /// Whether the command is complete.
    ///
    /// # Errors
    ///
    /// Those of [`wait`](Self::wait).
    pub fn is_complete(&self) -> Result<bool> {
        Ok(self.poll_status()?)
    }

    /// How long the command ran on the device, by its clock. Waits until it is complete.
    ///
    /// # Errors
    ///
    /// Those of [`wait`](Self::wait).
    pub fn time(&self) -> Result<Duration> {
        self.wait()?;
        let (start, end) = self.ticks()?;
        Ok(self.device().clock().duration(start, end))
    }

    /// When the command started and ended, in ticks of the device's clock; it must be complete.
    pub(crate) fn ticks(&self) -> Result<(u64, u64), DriverError> {
        let (start, end) = self.own_ticks()?;
        let first = self.0.begun.get().map(Self::own_ticks).transpose()?;
        Ok((first.map_or(start, |(first, _)| first), end))
    }

    /// The same of the last part of the command.
    fn own_ticks(&self) -> Result<(u64, u64), DriverError> {
        let mut times = ze_kernel_timestamp_result_t::default();
        // SAFETY: the event is live, of a pool for timestamps, and the pointer is to a live variable.
        unsafe { call!(self.device().api(), zeEventQueryKernelTimestamp(self.handle(), &mut times)) }
            .map_err(|error| explain(self.device(), error))?;
        Ok((times.global.kernelStart, times.global.kernelEnd))
    }

    /// Waits, at most so many nanoseconds; whether the command is complete.
    pub(crate) fn wait_for(&self, nanoseconds: u64) -> Result<bool, DriverError> {
        // SAFETY: the event is live.
        let waited =
            unsafe { call!(self.device().api(), zeEventHostSynchronize(self.handle(), nanoseconds)) };
        self.answer(waited)
    }

    /// Whether the command is complete, without waiting.
    pub(crate) fn poll_status(&self) -> Result<bool, DriverError> {
        // SAFETY: the event is live.
        let status = unsafe { call!(self.device().api(), zeEventQueryStatus(self.handle())) };
        self.answer(status)
    }

    /// Waits until the command is complete or the device is lost, whatever else goes wrong: for commands that use what is only lent to them.
    pub(crate) fn wait_certainly(&self) -> Result<(), DriverError> {
        let waited = wait_certainly(self.device().api(), self.handle());
        waited.map_err(|error| explain(self.device(), error))
    }

    /// Signals it from the host, whatever goes wrong meanwhile: a queue waits for it. Nobody waits on a device that is lost, but a driver may say that it is and have it all the
    /// same, as ours does after a kernel that was stopped.
    pub(crate) fn signal_certainly(&self) {
        let mut lost = 0;
        for _ in 0..MOST_RETRIES {
            // SAFETY: the event is live.
            match unsafe { call!(self.device().api(), zeEventHostSignal(self.handle())) } {
                Ok(()) => return,
                Err(error) if error.is(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST) => {
                    lost += 1;
                    if lost > MOST_LOST {
                        return;
                    }
                }
                Err(_) => {}
            }
            thread::sleep(RETRY);
        }
    }

    fn answer(&self, result: Result<(), DriverError>) -> Result<bool, DriverError> {
        match result {
            Ok(()) => Ok(true),
            Err(error) if error.is(ze_result_t::ZE_RESULT_NOT_READY) => Ok(false),
            Err(error) => Err(explain(self.device(), error)),
        }
    }

    pub(crate) fn handle(&self) -> ze_event_handle_t {
        self.0.handle.event
    }

    /// Whether two are the same event.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Waits until an event is signalled or the device is lost. Whoever waits has lent memory to the device, and there is no way to have it back before.
pub(crate) fn wait_certainly(api: &Api, event: ze_event_handle_t) -> Result<(), DriverError> {
    loop {
        // SAFETY: the callers in this crate pass events that are live.
        let waited = unsafe { call!(api, zeEventHostSynchronize(event, u64::MAX)) };
        let Err(error) = waited else { return Ok(()) };
        if error.is(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST) {
            return Err(error);
        }
        // SAFETY: as above.
        match unsafe { call!(api, zeEventQueryStatus(event)) } {
            Ok(()) => return Ok(()),
            Err(status) if status.is(ze_result_t::ZE_RESULT_NOT_READY) => thread::sleep(RETRY),
            // Nothing can be found out of a driver like this.
            Err(_) => return Err(error),
        }
    }
}

/// How often it is tried again to signal an event.
const MOST_RETRIES: u32 = 10_000;

/// How often it is tried again on a device that is said to be lost.
const MOST_LOST: u32 = 3;

/// How long to wait before a wait that failed is tried again.
pub(super) const RETRY: Duration = Duration::from_millis(1);

/// Ready when the command is complete.
impl Future for Event {
    type Output = Result<()>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        match self.poll_status() {
            Ok(true) => Poll::Ready(Ok(())),
            Ok(false) => {
                waiter::wake_when_complete(&self, context.waker());
                Poll::Pending
            }
            Err(error) => Poll::Ready(Err(error.into())),
        }
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event").field("device", &self.device().name()).finish_non_exhaustive()
    }
}

/// The driver's event is used again once no command refers to it, be it the one that signals it or one that waits for it.
impl Drop for Inner {
    fn drop(&mut self) {
        self.device.reclaimer().retire(&self.device, Resource::Event(self.handle), 0);
    }
}

/// The events of a device or of a driver that nobody uses.
#[derive(Debug, Default)]
pub(crate) struct EventPool(Mutex<Vec<EventHandle>>);

/// How many events are made together.
const EVENTS: u32 = 64;

impl EventHandle {
    /// Who sees it.
    pub(crate) fn visible(self) -> Visible {
        self.visible
    }
}

impl EventPool {
    /// An event that is not signalled.
    fn take(&self, device: &Device, visible: Visible) -> Result<EventHandle, DriverError> {
        let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if free.is_empty() {
            make(device, visible, &mut free)?;
        }
        Ok(free.pop().expect("some were made"))
    }

    /// Takes an event back that no command refers to any more. One that cannot be reset is not used again.
    pub(crate) fn give_back(&self, device: &Device, handle: EventHandle) {
        // SAFETY: the event is live, and nobody waits for it.
        if unsafe { call!(device.api(), zeEventHostReset(handle.event)) }.is_ok() {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(handle);
        }
    }
}

/// Makes events, one at least, in a pool of the driver that lives as long as the process.
fn make(device: &Device, visible: Visible, free: &mut Vec<EventHandle>) -> Result<(), DriverError> {
    let flags = ze_event_pool_flags_t::ZE_EVENT_POOL_FLAG_HOST_VISIBLE
        | ze_event_pool_flags_t::ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
    let pool_descriptor = ze_event_pool_desc_t { flags, count: EVENTS, ..Default::default() };
    let (api, context) = (device.api(), device.context()?);
    let mut pool = ze_event_pool_handle_t::NULL;
    let mut handle = device.handle();
    let (count, devices) = match visible {
        Visible::Device => (1, &raw mut handle),
        Visible::Driver => (0, ptr::null_mut()),
    };
    // SAFETY: context and device are live handles of one driver, the array has the one device that its length states, or there is none, which means all, and the other
    // pointers are to live variables.
    unsafe { call!(api, zeEventPoolCreate(context, &pool_descriptor, count, devices, &mut pool)) }?;
    for index in 0..EVENTS {
        let scope = ze_event_scope_flags_t::ZE_EVENT_SCOPE_FLAG_HOST;
        let descriptor = ze_event_desc_t { index, signal: scope, wait: scope, ..Default::default() };
        let mut event = ze_event_handle_t::NULL;
        // SAFETY: the pool is live and has this index, and both pointers are to live variables.
        match unsafe { call!(api, zeEventCreate(pool, &descriptor, &mut event)) } {
            Ok(()) => free.push(EventHandle { event, visible }),
            // Those before are enough for now, and the pool is needed for them.
            Err(_) if index > 0 => break,
            Err(error) => {
                // SAFETY: the pool is live and has no events. A failure leaves it behind.
                let _ = unsafe { api.zeEventPoolDestroy(pool) };
                return Err(error);
            }
        }
    }
    Ok(())
}
