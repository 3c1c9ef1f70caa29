//! Kinds of memory, by which a barrier says what it orders.

use core::ops::BitOr;

/// The kinds of memory to which a barrier orders accesses: each is one of the constants, or several joined by `|`.
///
/// ```
/// use kernel_core::{Memory, atomic::Scope, work_group};
///
/// // In a kernel, where the constants are written at the call:
/// work_group::barrier_in(Scope::WorkGroup, Memory::LOCAL | Memory::GLOBAL);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Memory(u8);

impl Memory {
    /// None: a barrier that only waits. OpenCL C writes `barrier(0)`.
    pub const NONE: Self = Self(0);
    /// Local memory (`CLK_LOCAL_MEM_FENCE`; in SPIR-V, WorkgroupMemory).
    pub const LOCAL: Self = Self(1);
    /// Global memory (`CLK_GLOBAL_MEM_FENCE`; in SPIR-V, CrossWorkgroupMemory).
    pub const GLOBAL: Self = Self(2);
    /// Images (`CLK_IMAGE_MEM_FENCE`; in SPIR-V, ImageMemory).
    pub const IMAGE: Self = Self(4);

    /// Both together, as `|` gives them.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether all of the others are among these.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Memory {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

builtin_names! { Memory __memory }
