//! Modules that are built ahead of their first launch, several at a time.

use crate::device::Device;
use crate::error::Result;
use crate::module::specialized::Variant;
use core::num::NonZero;
use kernel_core::KernelDescriptor;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

impl Device {
    /// Builds kernels now, as many at a time as there are processors, so that their first launches need not. `progress` is told of each as it is
    /// built: how many are, and of how many.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// use kernel_runtime::prelude::*;
    ///
    /// #[kernel]
    /// fn double(x: &mut [f32]) {
    ///     if let Some(x) = x.get_mut(global_id(0)) {
    ///         *x *= 2.0;
    ///     }
    /// }
    ///
    /// #[kernel]
    /// fn halve(x: &mut [f32]) {
    ///     if let Some(x) = x.get_mut(global_id(0)) {
    ///         *x *= 0.5;
    ///     }
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// let device = Device::best()?;
    /// device.prepare_all(&[&DOUBLE, &HALVE], |built, all| eprintln!("{built} of {all} kernels are built"))?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Kernels that leave constants to their launches, or call functions of other modules, are those of [`Queue::prepare`](crate::Queue::prepare).
    ///
    /// # Errors
    ///
    /// Those of [`Queue::prepare`](crate::Queue::prepare), of the first kernel in the slice that cannot be built. The others are built all the same.
    pub fn prepare_all(
        &self,
        kernels: &[&'static KernelDescriptor],
        mut progress: impl FnMut(usize, usize),
    ) -> Result<()> {
        let workers = thread::available_parallelism().map_or(1, NonZero::get).min(kernels.len());
        let (next, (done, results)) = (AtomicUsize::new(0), channel());
        let build = |done: &dyn Fn(usize, Result<()>)| {
            while let Some((index, kernel)) = take(&next, kernels) {
                done(index, self.modules().get(self, kernel, Variant::default()).map(drop));
            }
        };
        let mut first: Option<(usize, crate::Error)> = None;
        thread::scope(|scope| {
            let mut started = 0;
            for _ in 0..workers {
                let done = done.clone();
                let work = move || build(&|index, result| drop(done.send((index, result))));
                started += usize::from(thread::Builder::new().spawn_scoped(scope, work).is_ok());
            }
            if started == 0 {
                // There can be no more threads.
                build(&|index, result| drop(done.send((index, result))));
            }
            drop(done);
            for (built, (index, result)) in (1..).zip(results) {
                if let Err(error) = result
                    && first.as_ref().is_none_or(|(earlier, _)| index < *earlier)
                {
                    first = Some((index, error));
                }
                progress(built, kernels.len());
            }
        });
        first.map_or(Ok(()), |(_, error)| Err(error))
    }
}

/// The next kernel that nobody has taken.
fn take(
    next: &AtomicUsize,
    kernels: &[&'static KernelDescriptor],
) -> Option<(usize, &'static KernelDescriptor)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, kernels.get(index)?))
}
