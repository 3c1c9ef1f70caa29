//! What functions of the host cannot do that queues call.

use core::fmt;

/// A function that a queue calls, by [`Queue::host`](crate::Queue::host), has used a queue or waited for an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostFunctionError;

impl fmt::Display for HostFunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a function that `Queue::host` has enqueued can neither use queues nor wait for what they do, since a queue may be waiting for the function; \
             help: have another thread do so, to which the function sends a message",
        )
    }
}

impl core::error::Error for HostFunctionError {}
