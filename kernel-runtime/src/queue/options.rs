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
        Self { priority: Priority::Normal, copies_only: false }
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
}
