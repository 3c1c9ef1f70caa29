//! What other queues were given that has to be complete before a command, because both use the same memory and one of them writes there.
//!
//! Two threads may enqueue at the same time, each on a queue of its own. A queue is therefore locked from before the use of its command is noted in the memory until
//! the command is appended. Of two commands that are in each other's way, one notes its use first. The other one sees that, and looks for what the queue has to do
//! once it has the lock of that queue too, so that the first one is appended by then. Neither does a launch that says the same as the last one note anything: if it is
//! appended before another queue has its lock, it is seen, and else it sees what the other queue has noted.
//!
//! So both locks are needed. Whoever has one takes another only if it comes later in the order of all queues; else it tries to, and starts anew with both
//! if somebody has it.

use crate::error::{Error, HostFunctionError};
use crate::memory::usage::{QueueMask, Usage};
use crate::queue::Queue;
use crate::queue::event::Visible;
use crate::queue::queue_core::{Locked, QueueCore};
use crate::queue::queue_set::Busy;
use kernel_core::Access;
use std::sync::Arc;

impl Queue {
    /// Locks the queue, so that what is appended next runs after all that other queues were given and that is in the way of these uses of memory. Until it is
    /// appended, the queue has to stay locked.
    pub(crate) fn lock_for<'u>(
        &self,
        uses: impl Iterator<Item = (&'u Usage, Access)> + Clone,
    ) -> Result<Locked<'_>, Error> {
        let mask = self.core.mask();
        let mut state = self.core.lock()?;
        loop {
            let note = |others: QueueMask, (usage, access): (&Usage, Access)| match access {
                Access::Read => others.union(usage.read(mask)),
                Access::ReadWrite => others.union(usage.write(mask)),
            };
            let others = uses.clone().fold(QueueMask::default(), note);
            if others.is_empty() {
                return Ok(state);
            }
            let is_whole;
            (state, is_whole) = self.follow_all(state, others)?;
            if is_whole {
                return Ok(state);
            }
            // Others may have noted their uses meanwhile, and have not seen the command that is to come.
        }
    }

    /// Lets what comes wait for the queues of a set; whether the queue was locked all the time.
    fn follow_all<'q>(
        &'q self,
        mut state: Locked<'q>,
        others: QueueMask,
    ) -> Result<(Locked<'q>, bool), Error> {
        let mut is_whole = true;
        for other in self.device().queues().of(others) {
            match other {
                Busy::Queue(other) if Arc::ptr_eq(&self.core, &other) => {}
                Busy::Queue(other) => {
                    let was_locked;
                    (state, was_locked) = self.follow(state, &other)?;
                    is_whole &= was_locked;
                }
                // Nobody enqueues anything there any more.
                Busy::Ending(progress) => progress.wait_for_end(),
            }
        }
        Ok((state, is_whole))
    }

    /// Lets what comes wait for all that another queue was given so far, unless it does already; whether this queue was locked all the time.
    fn follow<'q>(
        &'q self,
        mut state: Locked<'q>,
        other: &Arc<QueueCore>,
    ) -> Result<(Locked<'q>, bool), Error> {
        let is_later = Arc::as_ptr(&self.core) < Arc::as_ptr(other);
        let locked = if is_later { Some(other.lock_anyway()) } else { other.try_lock() };
        let (mut others, is_whole) = match locked {
            Some(others) => (others, true),
            None => {
                drop(state);
                let others = other.lock_anyway();
                state = self.core.lock()?;
                (others, false)
            }
        };
        if let Some(given) = other.progress().pending()
            && !state.follows(other.progress(), given)
        {
            let is_near = other.device() == self.device();
            let event = others.record(if is_near { Visible::Device } else { Visible::Driver })?;
            let given = other.progress().submitted();
            drop(others);
            state.stream.append_wait(&event)?;
            state.note_followed(other.progress(), given);
        }
        Ok((state, is_whole))
    }
}

/// Whether the thread is in a function that a queue calls.
#[inline]
pub(crate) fn check_not_in_host_function() -> Result<(), HostFunctionError> {
    if super::host::is_in_function() { Err(HostFunctionError) } else { Ok(()) }
}
