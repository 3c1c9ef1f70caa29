//! What a queue can be asked to be.

/// How a queue is made, for [`Device::queue_with`](crate::Device::queue_with).
///
#[cfg_attr(feature = "cpu", doc = "```")]
#[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
/// use kernel_runtime::{Priority, QueueOptions, prelude::*};
///
/// # fn main() -> Result<()> {
/// let device = Device::best()?;
/// let urgent = device.queue_with(QueueOptions::new().priority(Priority::High))?;
/// let copies = device.queue_with(QueueOptions::new().copies_only())?;
/// let x = copies.upload_async(vec![1.0_f32; 1 << 16])?; // Beside what other queues compute.
/// assert_eq!(urgent.download(&x)?[0], 1.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct QueueOptions {
    pub(crate) priority: Priority,
    pub(crate) copies_only: bool,
    pub(crate) out_of_order: bool,
}

/// Which of several queues a device serves first (`ze_command_queue_priority_t`). A driver need not heed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Priority {
    /// After all others.
    Low,
    /// That of queues for which nothing is said.
    #[default]
    Normal,
    /// Before all others.
    High,
}

impl QueueOptions {
    /// Those of [`Device::queue`](crate::Device::queue): a normal priority, and kernels as well as copies.
    #[must_use]
    pub const fn new() -> Self {
        Self { priority: Priority::Normal, copies_only: false, out_of_order: false }
    }

    /// Sets the priority.
    #[must_use]
    pub const fn priority(self, priority: Priority) -> Self {
        Self { priority, ..self }
    }

    /// Makes it a queue for copies and fills alone, which a copy engine of the device executes, if it has one
    /// ([`Limits::copy_engine`](crate::Limits::copy_engine)), while kernels of other queues run. Launches are refused, whether it has one or not
    /// ([`LaunchProblem::CopyQueue`](crate::LaunchProblem::CopyQueue)).
    #[must_use]
    pub const fn copies_only(self) -> Self {
        Self { copies_only: true, ..self }
    }

    /// Lets launches run side by side that have nothing to do with each other: each waits for those before it that write what it uses, or use what it
    /// writes, and for no others. What a program computes is the same as on a queue in order; copies, fills, events and all else keep their place in the
    /// order of the calls.
    ///
    /// A launch that may use memory of which the runtime does not know, by raw pointers, waits for all before it, and all after it wait for it.
    ///
    #[cfg_attr(feature = "cpu", doc = "```")]
    #[cfg_attr(not(feature = "cpu"), doc = "```no_run")]
    /// use kernel_runtime::{QueueOptions, prelude::*};
    ///
    /// #[kernel]
    /// fn double(x: &[f32], y: &mut [f32]) {
    ///     let i = global_id(0);
    ///     if i < x.len() && i < y.len() {
    ///         y[i] = 2.0 * x[i];
    ///     }
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// let queue = Device::best()?.queue_with(QueueOptions::new().out_of_order())?;
    /// let x = queue.upload(&[1.0_f32; 64])?;
    /// let (mut a, mut b, mut c) = (queue.zeros(64)?, queue.zeros(64)?, queue.zeros(64)?);
    /// double(&x, &mut a).launch(&queue, 64)?;
    /// double(&x, &mut b).launch(&queue, 64)?; // Beside the first one: both only read `x`.
    /// double(&a, &mut c).launch(&queue, 64)?; // After the first one, which writes `a`.
    /// assert_eq!(queue.download(&c)?, [4.0; 64]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn out_of_order(self) -> Self {
        Self { out_of_order: true, ..self }
    }
}
