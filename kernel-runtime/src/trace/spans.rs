//! Spans and events of the crate `tracing`, where the feature of this name is on: what the host does, and what the device has done.
//!
//! A subscriber is called while the queue is in use, and must not use it.

use super::{Kind, Label, Span, Track};
use std::time::Duration;
use tracing::span::EnteredSpan;
use tracing::{Level, debug_span, enabled, event, info_span};

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Copy => "copy",
            Self::Wait => "wait",
        }
    }
}

/// The time in which a command is handed to the driver.
pub(crate) fn enqueuing(label: &Label, queue: u64) -> EnteredSpan {
    let (kind, name) = (label.kind.name(), label.name);
    debug_span!(target: "kernel_runtime", "enqueue", kind, name, queue).entered()
}

/// The time in which a command is handed to the driver and waited for.
pub(crate) fn running(label: &Label, queue: u64) -> EnteredSpan {
    let (kind, name) = (label.kind.name(), label.name);
    debug_span!(target: "kernel_runtime", "run", kind, name, queue).entered()
}

/// The time in which the host waits.
pub(super) fn waiting(what: &'static str) -> EnteredSpan {
    debug_span!(target: "kernel_runtime", "wait", what).entered()
}

/// The time in which the driver builds the module of a kernel.
pub(crate) fn building(kernel: &'static str, device: &str) -> EnteredSpan {
    info_span!(target: "kernel_runtime", "build", kernel, device).entered()
}

/// Whether somebody wants to know of what the device has done.
pub(super) fn wants_completed() -> bool {
    enabled!(target: "kernel_runtime::device", Level::TRACE)
}

/// Tells of a command that the device has completed.
pub(super) fn completed(Span { label: Label { kind, name, bytes }, track, time, .. }: &Span) {
    let (Track::Queue(queue) | Track::Host(queue)) = track;
    let (kind, nanoseconds) = (kind.name(), saturate(*time));
    event!(target: "kernel_runtime::device", Level::TRACE, kind, name, queue, bytes, nanoseconds, "completed");
}

fn saturate(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
