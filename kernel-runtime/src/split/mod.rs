//! Launches whose work several devices share, each on its part of the elements.

mod buffer;
mod cuts;
mod exchange;

pub use buffer::SplitBuffer;

use crate::device::Device;
use crate::error::{Result, SplitError, SplitProblem};
use crate::launch::Launch;
use crate::queue::Queue;
use crate::split::cuts::Cuts;
use core::fmt;
use core::ops::Range;
use std::sync::Arc;

/// A number of elements that is cut into as many parts as there are devices, with a queue for each.
///
/// Its buffers ([`SplitBuffer`]) have a part on each device, and a launch runs on all of them, each on what it has. Launches return at once, so that all devices are
/// busy at the same time.
///
#[cfg_attr(feature = "cpu", doc = "```")]
#[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
/// use kernel_runtime::{Split, prelude::*};
///
/// #[kernel]
/// fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
///     let i = global_id(0);
///     if i < x.len() && i < y.len() {
///         y[i] = a * x[i] + y[i];
///     }
/// }
///
/// # fn main() -> Result<()> {
/// let split = Split::over(&Device::all(), 1 << 20)?;
/// let x = split.upload(&vec![1.0_f32; 1 << 20])?;
/// let mut y = split.filled(2.0_f32)?;
/// split.launch(|part| saxpy(3.0, &x[part], &mut y[part]))?;
/// assert_eq!(split.download(&y)?, vec![5.0; 1 << 20]);
/// # Ok(())
/// # }
/// ```
///
/// A kernel that has to know which element of the whole a work-item has is passed where its part [starts](Part::range). Launches of another size than that of the part are made
/// one by one:
///
/// ```no_run
/// # use kernel_runtime::{Split, prelude::*};
/// # #[kernel]
/// # fn squares(first: usize, y: &mut [f64]) {
/// #     let i = global_id(0);
/// #     if i < y.len() {
/// #         y[i] = ((first + i) as f64).powi(2);
/// #     }
/// # }
/// # fn main() -> Result<()> {
/// # let split = Split::over(&Device::all(), 1000)?;
/// # let mut y = split.zeros::<f64>()?;
/// for part in split.parts() {
///     squares(part.range().start, &mut y[part]).launch(part.queue(), part.len())?;
/// }
/// # Ok(())
/// # }
/// ```
///
/// The parts of a grid are whole rows ([`rows`](Self::rows)), of which each may hold some of its neighbours' too ([`halo`](Self::halo)).
pub struct Split {
    queues: Vec<Queue>,
    cuts: Arc<Cuts>,
}

impl Split {
    /// Cuts so many elements into parts of about the same size, one for each device. They may be devices or sub-devices ([`Device::sub_devices`]). Where there are fewer elements
    /// than devices, some have none.
    ///
    /// # Errors
    ///
    /// [`Error::Split`](crate::Error::Split) if there is no device, [`Error::Driver`](crate::Error::Driver) if a driver makes no queue.
    pub fn over(devices: &[Device], len: usize) -> Result<Self> {
        let equal: Vec<(Device, f64)> = devices.iter().map(|device| (device.clone(), 1.0)).collect();
        Self::weighted(&equal, len)
    }

    /// The same in proportion to numbers, for devices that differ: one with twice the number of another one has twice as many elements.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// # use kernel_runtime::{Device, Result, Split};
    /// # fn main() -> Result<()> {
    /// # let (fast, slow) = (Device::best()?, Device::best()?);
    /// let split = Split::weighted(&[(fast, 3.0), (slow, 1.0)], 1000)?;
    /// assert_eq!(split.parts().map(|part| part.len()).collect::<Vec<_>>(), [750, 250]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`over`](Self::over), and [`Error::Split`](crate::Error::Split) if a number is negative, infinite or none, or all are zero.
    pub fn weighted(devices: &[(Device, f64)], len: usize) -> Result<Self> {
        let weights: Vec<f64> = devices.iter().map(|(_, weight)| *weight).collect();
        let cuts = Arc::new(Cuts::new(len, weights)?);
        let queues = devices.iter().map(|(device, _)| device.queue()).collect::<Result<_>>()?;
        Ok(Self { queues, cuts })
    }

    /// Lets the parts be whole rows of so many elements, or planes, or whatever must stay together.
    ///
    /// # Errors
    ///
    /// [`Error::Split`](crate::Error::Split) if the elements are not so many rows.
    pub fn rows(self, width: usize) -> Result<Self> {
        Ok(Self { cuts: Arc::new(self.cuts.of_rows(width)?), ..self })
    }

    /// Lets the buffers of each part hold so many rows before and after it, which belong to its neighbours: what a stencil reads. [`exchange`](Self::exchange) brings them up to
    /// date. At both ends of the whole there are none. Without [`rows`](Self::rows), a row is one element.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// use kernel_runtime::{Split, prelude::*};
    ///
    /// /// The mean of each element and its neighbours; of the part, those from `first` on are its own.
    /// #[kernel]
    /// fn smooth(first: usize, x: &[f32], y: &mut [f32]) {
    ///     let i = first + global_id(0);
    ///     if i > 0 && i + 1 < x.len() && i < y.len() {
    ///         y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3.0;
    ///     }
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// let device = Device::best()?;
    /// let split = Split::over(&[device.clone(), device], 100)?.halo(1);
    /// let ramp: Vec<f32> = (0..100).map(|i| i as f32).collect();
    /// let (mut x, mut y) = (split.upload(&ramp)?, split.upload(&ramp)?);
    /// for _ in 0..10 {
    ///     split.launch(|part| smooth(part.own().start, &x[part], &mut y[part]))?;
    ///     split.exchange(&mut y)?;
    ///     std::mem::swap(&mut x, &mut y);
    /// }
    /// assert_eq!(split.download(&x)?, ramp);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn halo(self, rows: usize) -> Self {
        Self { cuts: Arc::new(self.cuts.with_halo(rows)), ..self }
    }

    /// The number of elements of all parts together.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cuts.len()
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The parts, in the order of their elements.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = Part<'_>> {
        (0..self.queues.len()).map(|index| Part { split: self, index })
    }

    /// Launches a kernel on each part, with as many work-items as it has elements, and returns without waiting.
    ///
    /// # Errors
    ///
    /// Those of [`Launch::launch`]; the launches of the parts before are enqueued then.
    pub fn launch<const N: usize>(&self, mut kernel: impl FnMut(Part<'_>) -> Launch<N>) -> Result<()> {
        self.parts().try_for_each(|part| kernel(part).launch(part.queue(), part.len()))
    }

    /// Waits until all that was enqueued on any of the devices is complete.
    ///
    /// # Errors
    ///
    /// Those of [`Queue::synchronize`]: the first one, after all have been waited for.
    pub fn synchronize(&self) -> Result<()> {
        let results: Vec<Result<()>> = self.queues.iter().map(Queue::synchronize).collect();
        results.into_iter().collect()
    }

    /// Checks that a buffer is cut like this.
    fn check<T>(&self, buffer: &SplitBuffer<T>) -> Result<()> {
        match self.cuts == *buffer.cuts() {
            true => Ok(()),
            false => Err(SplitError::from(SplitProblem::OtherSplit).into()),
        }
    }
}

impl fmt::Debug for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.parts()).finish()
    }
}

/// The part of a [`Split`] that a device has; the index of its part of a [`SplitBuffer`].
#[derive(Clone, Copy)]
pub struct Part<'s> {
    split: &'s Split,
    index: usize,
}

impl<'s> Part<'s> {
    /// Its place among the parts.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The queue on which it is worked on.
    #[must_use]
    pub fn queue(&self) -> &'s Queue {
        &self.split.queues[self.index]
    }

    /// Its elements, counted in the whole.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.split.cuts.own(self.index)
    }

    /// Where its elements are in the part of a buffer: after the rows of its neighbour before, if there is a [`halo`](Split::halo).
    #[must_use]
    pub fn own(&self) -> Range<usize> {
        self.split.cuts.within(self.index, self.range())
    }

    /// How many elements it has, without those of its neighbours.
    #[must_use]
    pub fn len(&self) -> usize {
        self.range().len()
    }

    /// How many rows it has ([`Split::rows`]).
    #[must_use]
    pub fn rows(&self) -> usize {
        self.len() / self.split.cuts.width()
    }

    /// Whether it has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.range().is_empty()
    }
}

impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} on \"{}\"", self.range(), self.queue().device().name())
    }
}
