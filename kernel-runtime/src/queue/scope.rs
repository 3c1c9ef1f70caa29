//! Copies from and to what the host lends, for which nobody waits before the end of a scope.

use crate::error::{DriverError, Result};
use crate::memory::buffer::{Buffer, HostValues};
use crate::queue::Queue;
use crate::queue::event::Event;
use core::marker::PhantomData;
use kernel_core::{Access, Element};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};

/// What remains to be done with what was copied, once it is there.
type Rest<'env> = Box<dyn FnOnce() -> Result<()> + 'env>;

/// Copies that use slices of the host, all of which are complete at the end of [`Queue::scope`].
pub struct Scope<'scope, 'env: 'scope> {
    queue: &'scope Queue,
    copies: Mutex<Vec<(Event, Option<Rest<'env>>)>>,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

impl Queue {
    /// Runs a function that may start copies from and to slices without waiting for them, and waits for all of them when it ends.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// use kernel_runtime::prelude::*;
    ///
    /// # fn main() -> Result<()> {
    /// let queue = Device::best()?.queue()?;
    /// let mut x = queue.zeros::<f32>(1000)?;
    /// let (values, mut first, mut last) = (vec![1.0; 1000], [0.0; 10], [0.0; 10]);
    /// queue.scope(|scope| {
    ///     scope.write(&mut x, &values)?;
    ///     scope.download_into(&x.slice(..10), &mut first)?;
    ///     scope.download_into(&x.slice(990..), &mut last)
    ///     // Launches may follow here, and whatever the host has to do.
    /// })?;
    /// assert_eq!((first, last), ([1.0; 10], [1.0; 10]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// That of the function, if it returns one. Else [`Error::Fault`](crate::Error::Fault) if a kernel that was enqueued before or meanwhile has faulted;
    /// [`Error::Buffer`](crate::Error::Buffer) if elements that were copied are no values of their type; [`Error::Driver`](crate::Error::Driver) if the
    /// device is lost.
    pub fn scope<'env, R>(
        &self,
        function: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> Result<R>,
    ) -> Result<R> {
        let scope = Scope { queue: self, copies: Mutex::default(), scope: PhantomData, env: PhantomData };
        // Whatever it does, the host has its memory back only when the copies are complete.
        let returned = catch_unwind(AssertUnwindSafe(|| function(&scope)));
        let copies = mem::take(&mut *scope.copies.lock().unwrap_or_else(PoisonError::into_inner));
        // One that cannot be waited for keeps nobody from waiting for the others.
        let waited: Vec<Result<(), DriverError>> =
            copies.iter().map(|(event, _)| event.wait_certainly()).collect();
        let returned = returned.unwrap_or_else(|panic| resume_unwind(panic))?;
        waited.into_iter().collect::<Result<(), DriverError>>()?;
        self.core.report()?;
        copies.into_iter().filter_map(|(_, rest)| rest).try_for_each(|rest| rest())?;
        Ok(returned)
    }
}

impl<'scope, 'env> Scope<'scope, 'env> {
    /// Starts to copy the values of a slice into a buffer of the same length.
    ///
    /// # Errors
    ///
    /// Those of [`Queue::write`].
    pub fn write<T: Element>(&'scope self, buffer: &mut Buffer<T>, values: &'env [T]) -> Result<()> {
        buffer.check_copy(self.queue.device(), values.len())?;
        if values.is_empty() {
            return Ok(());
        }
        let (event, from) = (Event::new(self.queue.device())?, values.as_ptr().cast());
        let (_in_use, mut state) = self.queue.lock_buffer(buffer, Access::ReadWrite)?;
        // SAFETY: both have this size; the memory is kept until the queue is done with it, and the slice is borrowed until the scope has ended, which
        // waits for the event.
        unsafe {
            state.stream.append_signalling_copy("upload", buffer.address(), from, buffer.bytes(), &event)
        }?;
        self.note(event, None);
        Ok(())
    }

    /// Starts to copy the elements of a buffer into a slice of the same length, after all that was enqueued before.
    ///
    /// # Errors
    ///
    /// Those of [`Queue::download_into`] that are found now; others are those of the scope.
    pub fn download_into<T: Element>(&'scope self, buffer: &Buffer<T>, values: &'env mut [T]) -> Result<()> {
        buffer.check_copy(self.queue.device(), values.len())?;
        if values.is_empty() {
            return Ok(());
        }
        let event = Event::new(self.queue.device())?;
        // Nothing but the copy uses the slice from here on, be it to move the reference, except where the values are first looked at.
        let (to, rest): (_, Option<Rest<'env>>) = match T::TYPE.takes_any_bytes() {
            true => (values.as_mut_ptr().cast(), None),
            false => {
                let mut own = HostValues::<T>::zeroed(values.len());
                let to = own.as_mut_ptr();
                let rest = move || {
                    values.copy_from_slice(&own.check()?);
                    Ok(())
                };
                (to, Some(Box::new(rest)))
            }
        };
        let (_in_use, mut state) = self.queue.lock_buffer(buffer, Access::Read)?;
        // SAFETY: both have this size; the memory is kept until the queue is done with it. The slice is borrowed, and values that are first looked at are
        // kept, until the scope has ended, which waits for the event.
        unsafe {
            state.stream.append_signalling_copy("download", to, buffer.address(), buffer.bytes(), &event)
        }?;
        self.note(event, rest);
        Ok(())
    }

    /// The queue.
    #[must_use]
    pub fn queue(&self) -> &'scope Queue {
        self.queue
    }

    fn note(&self, event: Event, rest: Option<Rest<'env>>) {
        self.copies.lock().unwrap_or_else(PoisonError::into_inner).push((event, rest));
    }
}
