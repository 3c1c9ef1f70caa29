//! What the device can do at most.

use crate::machine;
use std::sync::LazyLock;

/// Work-items per work-group.
pub(crate) const MAX_GROUP_SIZE: u32 = 1024;

/// Local memory per work-group in bytes.
pub(crate) const MAX_LOCAL_MEMORY: u32 = 64 << 10;

/// The arguments of a kernel in bytes.
pub(crate) const MAX_ARGUMENT_BYTES: u32 = 4096;

/// Private memory per work-item in bytes.
pub(crate) const MAX_PRIVATE_MEMORY: u32 = 64 << 10;

/// The alignment in bytes that a variable may have at most: that of a vector of 16 numbers of 64 bits.
pub(crate) const MAX_VARIABLE_ALIGNMENT: u64 = 128;

/// One allocation in bytes: no more than the process may have of memory.
pub(crate) fn max_allocation() -> u64 {
    /// Where the system does not tell.
    const UNKNOWN: u64 = 1 << 40;
    static MEMORY: LazyLock<u64> = LazyLock::new(|| machine::memory().unwrap_or(UNKNOWN));
    *MEMORY
}

/// The largest alignment of an allocation in bytes.
pub(crate) const MAX_ALIGNMENT: usize = 2 << 20;

/// The width of a 1D image, width and height of a 2D image, in texels.
pub(crate) const MAX_IMAGE_2D: u32 = 16384;

/// Width, height and depth of a 3D image, in texels.
pub(crate) const MAX_IMAGE_3D: u32 = 2048;

/// The texels of a buffer image.
pub(crate) const MAX_IMAGE_BUFFER: u32 = 1 << 27;

/// The images of an array.
pub(crate) const MAX_IMAGE_LAYERS: u32 = 2048;

/// The images of each access, and the samplers, that a kernel may take.
pub(crate) const MAX_IMAGE_ARGUMENTS: u32 = 128;

/// Queues that a host may tell apart; there can be more.
pub(crate) const QUEUES: u32 = 64;
