//! Which queues use a buffer, so that what one queue does with it is complete before another queue goes on.
//!
//! Commands of one queue run in order, those of several run side by side. A buffer therefore remembers the queue that
//! wrote it last and those that used it since, as sets of bits: noting a use is an atomic operation and costs the same for
//! every queue. Whoever reads waits for the writer, whoever writes waits for all users; a queue never waits for itself.

use crate::sync::atomic::{AtomicU64, Ordering};
use kernel_core::Access;

/// A set of queues of one device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct QueueMask(u64);

/// The bit that all queues share that found no other one free. They wait for themselves too, which is slow but right.
const SHARED: QueueMask = QueueMask(1 << 63);

impl QueueMask {
    /// All queues.
    pub(crate) const ALL: Self = Self(u64::MAX);

    /// A bit for a new queue, given those of the others.
    pub(crate) fn allocate(used: Self) -> Self {
        match (!used.0).trailing_zeros() {
            free @ 0..63 => Self(1 << free),
            _ => SHARED,
        }
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The queues of the set that a queue must wait for.
    fn others(self, queue: Self) -> Self {
        if queue == SHARED { self } else { Self(self.0 & !queue.0) }
    }
}

/// The queues that use some memory. A bit may stay set after a queue is done, or gone; that costs a look at most.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    writer: AtomicU64,
    users: AtomicU64,
}

impl Usage {
    /// A number by which it differs from that of all other memory that is there.
    pub(crate) fn number(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Notes that a queue is about to read, and tells for which queues it must wait first.
    pub(crate) fn read(&self, queue: QueueMask) -> QueueMask {
        self.users.fetch_or(queue.0, Ordering::SeqCst);
        QueueMask(self.writer.load(Ordering::SeqCst)).others(queue)
    }

    /// Notes that a queue is about to write, and tells for which queues it must wait first.
    pub(crate) fn write(&self, queue: QueueMask) -> QueueMask {
        let writer = self.writer.swap(queue.0, Ordering::SeqCst);
        let users = self.users.swap(queue.0, Ordering::SeqCst);
        QueueMask(writer | users).others(queue)
    }

    /// Whether noting a use by a queue would change nothing, and no other queue has to be waited for.
    ///
    /// The queue must be locked until its command is appended: another one that notes its own use meanwhile looks at this one when it has its lock.
    #[inline]
    pub(crate) fn is_noted(&self, queue: QueueMask, access: Access) -> bool {
        let writer = QueueMask(self.writer.load(Ordering::SeqCst));
        let users = QueueMask(self.users.load(Ordering::SeqCst));
        let is_own_writer = writer == queue || writer.is_empty() && access == Access::Read;
        let is_user = match access {
            Access::Read => users.intersects(queue),
            Access::ReadWrite => users == queue,
        };
        queue != SHARED && is_own_writer && is_user
    }

    /// The queues for which the host must wait before it reads, or before it writes.
    pub(crate) fn of_host(&self, access: Access) -> QueueMask {
        let writer = QueueMask(self.writer.load(Ordering::Acquire));
        match access {
            Access::Read => writer,
            Access::ReadWrite => writer.union(QueueMask(self.users.load(Ordering::Acquire))),
        }
    }

    /// Notes that a writer has been waited for, so that the next reader need not look for it.
    pub(crate) fn written(&self, writer: QueueMask) {
        let _ = self.writer.compare_exchange(writer.0, 0, Ordering::AcqRel, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: QueueMask = QueueMask(1);
    const B: QueueMask = QueueMask(2);
    const C: QueueMask = QueueMask(4);

    #[test]
    fn bits_are_given_out_once_and_the_last_is_shared() {
        let mut used = QueueMask::default();
        for _ in 0..63 {
            let bit = QueueMask::allocate(used);
            assert!(!bit.intersects(used) && bit != SHARED);
            used = used.union(bit);
        }
        assert_eq!(QueueMask::allocate(used), SHARED);
        assert_eq!(QueueMask::allocate(used.union(SHARED)), SHARED);
        assert_eq!(QueueMask::allocate(QueueMask(used.0 & !B.0)), B);
    }

    #[test]
    fn a_queue_does_not_wait_for_itself() {
        let usage = Usage::default();
        assert!(usage.write(A).is_empty());
        assert!(usage.read(A).is_empty());
        assert!(usage.write(A).is_empty());
    }

    #[test]
    fn a_reader_waits_for_the_writer_but_not_for_readers() {
        let usage = Usage::default();
        usage.write(A);
        assert_eq!(usage.read(B), A);
        assert_eq!(usage.read(C), A);
        usage.written(A);
        assert!(usage.read(B).is_empty());
    }

    #[test]
    fn a_writer_waits_for_writer_and_readers() {
        let usage = Usage::default();
        usage.write(A);
        usage.read(B);
        assert_eq!(usage.write(C), A.union(B));
        assert_eq!(usage.read(A), C, "what came before the last writer is its concern");
    }

    #[test]
    fn waiting_for_a_writer_that_is_no_more_the_last_changes_nothing() {
        let usage = Usage::default();
        usage.write(A);
        usage.write(B);
        usage.written(A);
        assert_eq!(usage.read(C), B);
    }

    #[test]
    fn the_host_waits_for_the_writer_and_to_write_for_readers_too() {
        let usage = Usage::default();
        assert!(usage.of_host(Access::ReadWrite).is_empty());
        usage.write(A);
        usage.read(B);
        assert_eq!(usage.of_host(Access::Read), A);
        assert_eq!(usage.of_host(Access::ReadWrite), A.union(B));
    }

    #[test]
    fn a_use_is_noted_if_noting_it_again_would_change_nothing() {
        for access in [Access::Read, Access::ReadWrite] {
            let usage = Usage::default();
            assert!(!usage.is_noted(A, access));
            usage.read(A);
            assert_eq!(usage.is_noted(A, access), access == Access::Read, "it reads");
            usage.write(A);
            assert!(usage.is_noted(A, access), "it writes");
            usage.read(B);
            assert_eq!(usage.is_noted(A, access), access == Access::Read, "another one reads");
            assert!(!usage.is_noted(B, access), "it would have to wait for the writer");
            usage.write(B);
            assert!(!usage.is_noted(A, access), "another one writes");
            usage.write(SHARED);
            assert!(!usage.is_noted(SHARED, access));
        }
    }

    #[test]
    fn queues_that_share_a_bit_wait_for_each_other() {
        let usage = Usage::default();
        usage.write(SHARED);
        assert_eq!(usage.read(SHARED), SHARED);
    }
}
