//! The kinds of memory that kernels can be given, and what a device can do with each (Level Zero, "Unified Shared Memory").

use core::fmt;
use level_zero_sys::ze_memory_access_cap_flags_t;

/// Where memory is that kernels use, and who can use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UsmKind {
    /// Memory of the device, which the host cannot address (`zeMemAllocDevice`).
    Device,
    /// Memory of the host, which the device accesses where it is (`zeMemAllocHost`).
    Host,
    /// Memory that moves between host and device, wherever it is used (`zeMemAllocShared`).
    Shared,
}

impl fmt::Display for UsmKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Device => "device memory",
            Self::Host => "host memory",
            Self::Shared => "shared memory",
        })
    }
}

/// What a device can do with one kind of memory (`ze_memory_access_cap_flags_t`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryAccess {
    /// Kernels can read and write it.
    pub read_write: bool,
    /// Kernels can access it by atomics.
    pub atomic: bool,
    /// Host and device can access it at the same time.
    pub concurrent: bool,
    /// Host and device can access it by atomics at the same time.
    pub concurrent_atomic: bool,
}

impl MemoryAccess {
    const ALL: Self = Self { read_write: true, atomic: true, concurrent: true, concurrent_atomic: true };
}

impl From<ze_memory_access_cap_flags_t> for MemoryAccess {
    fn from(flags: ze_memory_access_cap_flags_t) -> Self {
        Self {
            read_write: flags.contains(ze_memory_access_cap_flags_t::ZE_MEMORY_ACCESS_CAP_FLAG_RW),
            atomic: flags.contains(ze_memory_access_cap_flags_t::ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC),
            concurrent: flags.contains(ze_memory_access_cap_flags_t::ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT),
            concurrent_atomic: flags
                .contains(ze_memory_access_cap_flags_t::ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC),
        }
    }
}

/// What a device can do with its memory, with the host's, and with memory that is shared by it and the host
/// (`ze_device_memory_access_properties_t`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UsmAccess {
    /// Memory of the device.
    pub device: MemoryAccess,
    /// Memory of the host that is made for devices, not any memory of the host.
    pub host: MemoryAccess,
    /// Memory that moves between the host and this one device.
    pub shared: MemoryAccess,
}

impl UsmAccess {
    /// What is presumed of a driver that does not say: kernels can use the device's own memory, and no other.
    pub(crate) const UNKNOWN: Self = {
        let none =
            MemoryAccess { read_write: false, atomic: false, concurrent: false, concurrent_atomic: false };
        Self { device: MemoryAccess::ALL, host: none, shared: none }
    };

    /// What the device can do with memory of a kind.
    #[must_use]
    pub const fn of(&self, kind: UsmKind) -> MemoryAccess {
        match kind {
            UsmKind::Device => self.device,
            UsmKind::Host => self.host,
            UsmKind::Shared => self.shared,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_flag_is_a_field() {
        let all = ze_memory_access_cap_flags_t(0b1111);
        assert_eq!(MemoryAccess::from(all), MemoryAccess::ALL);
        let access = MemoryAccess::from(ze_memory_access_cap_flags_t(0b0101));
        assert!(access.read_write && access.concurrent && !access.atomic && !access.concurrent_atomic);
        assert_eq!(MemoryAccess::from(ze_memory_access_cap_flags_t(0)), MemoryAccess::default());
    }

    #[test]
    fn each_kind_has_its_own_access() {
        let host = MemoryAccess { atomic: true, ..MemoryAccess::default() };
        let access = UsmAccess { host, ..UsmAccess::UNKNOWN };
        assert_eq!(access.of(UsmKind::Device), MemoryAccess::ALL);
        assert_eq!(access.of(UsmKind::Host), host);
        assert_eq!(access.of(UsmKind::Shared), MemoryAccess::default());
    }
}
