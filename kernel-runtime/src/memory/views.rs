//! Who looks at memory that both host and device can address, so that not both use it at once.
//!
//! The borrow of a buffer keeps views apart, and views and the making of launches. But what a buffer refers to can be exchanged with what a part of
//! another refers to, so that two views of the same memory are looked for here too. And a launch does not borrow its buffers, so that it may be enqueued while there is a view that was made after it. That is
//! refused here. A view notes itself before it waits for the queues that use the memory, and a launch notes itself from
//! before it looks for views until it is enqueued, where a view can wait for it: one of them always sees the other.

use crate::sync::{Condvar, Mutex, MutexGuard};
use kernel_core::Access;
use std::sync::PoisonError;

/// The views of some memory, and the launches that are being enqueued with it.
#[derive(Debug, Default)]
pub(crate) struct Views {
    counts: Mutex<Counts>,
    enqueued: Condvar,
}

#[derive(Debug, Default)]
struct Counts {
    reading: u32,
    writing: u32,
    enqueuing: u32,
}

impl Views {
    /// Notes a view, and waits for launches that are just being enqueued; whether no other view is in the way.
    pub(crate) fn open(&self, access: Access) -> bool {
        let mut counts = self.lock();
        if counts.writing != 0 || access == Access::ReadWrite && counts.reading != 0 {
            return false;
        }
        *counts.of(access) += 1;
        while counts.enqueuing != 0 {
            counts = self.enqueued.wait(counts).unwrap_or_else(PoisonError::into_inner);
        }
        true
    }

    /// Notes that a view is gone.
    pub(crate) fn close(&self, access: Access) {
        *self.lock().of(access) -= 1;
    }

    /// Notes that a launch is going to be enqueued, unless there is a view that may not be there at the same time.
    ///
    /// `concurrent` says that host and device may read at once.
    pub(crate) fn begin_launch(&self, access: Access, concurrent: bool) -> bool {
        let mut counts = self.lock();
        let may_read = counts.reading == 0 || access == Access::Read && concurrent;
        let allowed = counts.writing == 0 && may_read;
        counts.enqueuing += u32::from(allowed);
        allowed
    }

    /// Notes that a launch for which [`begin_launch`](Self::begin_launch) said yes is enqueued, or that it failed to be.
    pub(crate) fn end_launch(&self) {
        self.lock().enqueuing -= 1;
        self.enqueued.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn of(&mut self, access: Access) -> &mut u32 {
        match access {
            Access::Read => &mut self.reading,
            Access::ReadWrite => &mut self.writing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    /// Whether a launch is allowed; it is enqueued at once.
    fn launch(views: &Views, access: Access, concurrent: bool) -> bool {
        let allowed = views.begin_launch(access, concurrent);
        if allowed {
            views.end_launch();
        }
        allowed
    }

    #[test]
    fn launches_read_beside_readers_where_the_device_can() {
        let views = Views::default();
        assert!(views.open(Access::Read));
        assert!(launch(&views, Access::Read, true));
        assert!(!launch(&views, Access::Read, false));
        assert!(!launch(&views, Access::ReadWrite, true));
        views.close(Access::Read);
        assert!(launch(&views, Access::ReadWrite, false));
    }

    #[test]
    fn nothing_is_launched_beside_a_writer() {
        let views = Views::default();
        assert!(views.open(Access::ReadWrite));
        assert!(!launch(&views, Access::Read, true));
        assert!(!launch(&views, Access::ReadWrite, true));
        views.close(Access::ReadWrite);
        assert!(launch(&views, Access::Read, true));
    }

    #[test]
    fn views_of_the_same_memory_only_read() {
        let views = Views::default();
        assert!(views.open(Access::Read) && views.open(Access::Read));
        assert!(!views.open(Access::ReadWrite));
        views.close(Access::Read);
        assert!(!views.open(Access::ReadWrite));
        views.close(Access::Read);
        assert!(views.open(Access::ReadWrite));
        assert!(!views.open(Access::Read) && !views.open(Access::ReadWrite));
    }

    #[test]
    fn a_view_waits_for_a_launch_that_is_being_enqueued() {
        let (views, enqueued) = (Arc::new(Views::default()), Arc::new(AtomicBool::new(false)));
        assert!(views.begin_launch(Access::ReadWrite, true));
        let viewer = {
            let (views, enqueued) = (Arc::clone(&views), Arc::clone(&enqueued));
            std::thread::spawn(move || {
                assert!(views.open(Access::Read));
                assert!(enqueued.load(Ordering::SeqCst));
            })
        };
        // The view is noted before it waits, or is not there yet; in both cases it must not go on.
        std::thread::sleep(Duration::from_millis(20));
        enqueued.store(true, Ordering::SeqCst);
        views.end_launch();
        viewer.join().expect("the view came after the launch");
    }
}
