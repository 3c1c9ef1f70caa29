//! The attribute macros #[kernel] and #[device].
