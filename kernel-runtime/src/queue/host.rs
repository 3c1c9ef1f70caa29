//! Functions of the host program that are called in the order of a queue.
//!
//! A thread of the queue waits for an event that the device signals, calls the function, and signals another event, for which the queue waits. Each queue
//! that needs one has a thread of its own: with one for all, a function could wait for what is enqueued after another one.

use crate::error::{DriverError, Result};
use crate::queue::Queue;
use crate::queue::event::Event;
use level_zero_sys::ze_result_t;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

impl Queue {
    /// Enqueues the call of a function of the host: it is called, on a thread of the queue, when all that was enqueued before is complete, and what is
    /// enqueued later begins when it has returned. Returns without waiting for it.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// use kernel_runtime::prelude::*;
    /// use std::time::Instant;
    ///
    /// # fn main() -> Result<()> {
    /// let queue = Device::best()?.queue()?;
    /// let start = Instant::now();
    /// let x = queue.filled(1 << 20, 1.0_f32)?;
    /// queue.host(move || println!("filled after {:?}", start.elapsed()))?;
    /// assert_eq!(queue.download(&x)?[7], 1.0); // After the function has printed.
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The function can neither use queues nor wait for events that are not complete, since a queue may be waiting for the function: what it calls returns
    /// [`Error::HostFunction`](crate::Error::HostFunction). Anything else it may do, drop buffers and queues too. If it panics, the panic is reported as that of any thread, and the queue goes on. Faults of kernels do not keep it from being called; if
    /// the device is lost, it is dropped instead.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`](crate::Error::Driver) if the driver fails, or there can be no more threads; [`Error::HostFunction`](crate::Error::HostFunction) in such a
    /// function. Nothing is called then.
    pub fn host(&self, function: impl FnOnce() + Send + 'static) -> Result<()> {
        let device = self.device();
        if device.api().event.pfnHostSignal.is_none() {
            let unsupported = ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
            return Err(DriverError::new("zeEventHostSignal", unsupported).into());
        }
        let call =
            Call { before: Event::new(device)?, after: Event::new(device)?, function: Box::new(function) };
        let mut state = self.core.lock()?;
        let state = &mut *state;
        let calls = state.host.calls()?;
        state.stream.append_signal(&call.before)?;
        state.stream.append_wait(&call.after)?;
        if let Err(unsent) = calls.send(call) {
            // Nobody calls it, but nobody waits for it for ever either.
            unsent.0.after.signal_certainly();
        }
        Ok(())
    }
}

/// What calls the functions of a queue.
#[derive(Default)]
pub(crate) struct HostCalls {
    /// There once a function was enqueued. The thread ends when this is gone.
    calls: Option<Sender<Call>>,
    failure: Arc<Mutex<Option<DriverError>>>,
}

/// A function between two events.
struct Call {
    /// Signalled by the device.
    before: Event,
    /// Signalled by the host.
    after: Event,
    function: Box<dyn FnOnce() + Send>,
}

impl HostCalls {
    /// Where calls are sent, to a thread that is started now if there is none.
    fn calls(&mut self) -> Result<&Sender<Call>, DriverError> {
        let calls = match self.calls.take() {
            Some(calls) => calls,
            None => {
                let (sender, receiver) = channel();
                let failure = Arc::clone(&self.failure);
                let serve = move || serve(&receiver, &failure);
                thread::Builder::new().name("kernel-host".into()).spawn(serve).map_err(|_| {
                    DriverError::new("a thread", ze_result_t::ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY)
                })?;
                sender
            }
        };
        Ok(self.calls.insert(calls))
    }

    /// Whether a function was enqueued.
    pub(crate) fn is_used(&self) -> bool {
        self.calls.is_some()
    }

    /// What went wrong with the commands before a function, which the thread was told in the place of the queue.
    pub(crate) fn take_failure(&self) -> Result<(), DriverError> {
        if !self.is_used() {
            return Ok(());
        }
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(Ok(()), Err)
    }
}

thread_local! {
    static IS_IN_FUNCTION: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in a function that a queue calls.
#[inline]
pub(crate) fn is_in_function() -> bool {
    IS_IN_FUNCTION.get()
}

/// Calls a function for which a queue waits.
fn in_function(function: impl FnOnce()) {
    struct End;

    impl Drop for End {
        fn drop(&mut self) {
            IS_IN_FUNCTION.set(false);
        }
    }

    IS_IN_FUNCTION.set(true);
    let _end = End;
    function();
}

/// What the thread does.
fn serve(calls: &Receiver<Call>, failure: &Mutex<Option<DriverError>>) {
    for Call { before, after, function } in calls {
        match before.wait_certainly() {
            Ok(()) => {
                // The panic has been reported, and there is nobody else to tell.
                let _ = catch_unwind(AssertUnwindSafe(|| in_function(function)));
            }
            Err(error) => {
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                // Who sees that it is gone finds the reason. What it has may be a queue.
                let _ = catch_unwind(AssertUnwindSafe(|| in_function(|| drop(function))));
            }
        }
        after.signal_certainly();
    }
}
