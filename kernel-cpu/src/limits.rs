//! What the device can do at most.

/// Work-items per work-group.
pub(crate) const MAX_GROUP_SIZE: u32 = 1024;

/// Local memory per work-group in bytes.
pub(crate) const MAX_LOCAL_MEMORY: u32 = 64 << 10;

/// The arguments of a kernel in bytes.
pub(crate) const MAX_ARGUMENT_BYTES: u32 = 4096;

/// Private memory per work-item in bytes.
pub(crate) const MAX_PRIVATE_MEMORY: u32 = 64 << 10;

/// One allocation in bytes.
pub(crate) const MAX_ALLOCATION: u64 = 1 << 40;

/// The largest alignment of an allocation in bytes.
pub(crate) const MAX_ALIGNMENT: usize = 2 << 20;

/// Queues that a host may tell apart; there can be more.
pub(crate) const QUEUES: u32 = 64;
