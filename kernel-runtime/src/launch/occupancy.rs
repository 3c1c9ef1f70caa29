//! What a driver says of how a kernel fits a device.

use crate::error::DriverError;
use crate::error::driver::call;
use crate::launch::kernel::Kernel;
use level_zero_sys::{Api, ze_kernel_handle_t, ze_kernel_properties_t};

/// How a kernel fits a device, for work-groups of a size: what [`Launch::occupancy`](crate::Launch::occupancy) returns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Occupancy {
    /// The work-groups that are sure to run at the same time on the whole device (`zeKernelSuggestMaxCooperativeGroupCount`). A GPU has room for as many at
    /// once; the CPU device gives each a thread.
    pub concurrent_groups: u32,
    /// The subgroups of a work-group, the last of which may not be full.
    pub subgroups: u32,
    /// The work-items of a subgroup (`maxSubgroupSize`).
    pub subgroup_size: u32,
    /// The bytes of local memory that a work-group takes by the kernel's own variables, without the arguments.
    pub local_memory: u32,
    /// The bytes of private memory that a work-item takes.
    pub private_memory: u32,
    /// The bytes of registers that a work-item has in memory, because there are too few of them; 0 is what to aim for.
    pub spilled: u32,
    /// The hardware threads of the device, each of which runs a subgroup; 0 if the driver does not say.
    pub hardware_threads: u32,
}

impl Occupancy {
    /// The part of the hardware threads that the concurrent groups keep busy, 0 to 1; `None` if the driver does not say how many there are.
    ///
    /// A kernel that waits for memory wants it to be large. Smaller groups, less local memory and fewer registers make it larger.
    #[must_use]
    pub fn fraction(&self) -> Option<f64> {
        let busy = f64::from(self.concurrent_groups) * f64::from(self.subgroups);
        (self.hardware_threads != 0).then(|| (busy / f64::from(self.hardware_threads)).min(1.0))
    }
}

impl Kernel {
    /// How it fits the device, with groups of a size and arguments that have been set.
    pub(crate) fn occupancy(
        &self,
        group_size: [u32; 3],
        hardware_threads: u32,
    ) -> Result<Occupancy, DriverError> {
        let (api, handle) = (self.api(), self.handle());
        let mut properties = ze_kernel_properties_t::default();
        // SAFETY: the handle is live and used by this thread alone, and the structure is tagged and live.
        unsafe { call!(api, zeKernelGetProperties(handle, &mut properties)) }?;
        let subgroup_size = properties.maxSubgroupSize.max(1);
        Ok(Occupancy {
            concurrent_groups: concurrent_groups(api, handle)?,
            subgroups: group_size.iter().product::<u32>().div_ceil(subgroup_size),
            subgroup_size,
            local_memory: properties.localMemSize,
            private_memory: properties.privateMemSize,
            spilled: properties.spillMemSize,
            hardware_threads,
        })
    }

    /// The most work-groups that a cooperative launch can have.
    pub(crate) fn max_cooperative_groups(&self) -> Result<u32, DriverError> {
        concurrent_groups(self.api(), self.handle())
    }

    /// The size of work-groups that the driver would take for so many work-items.
    pub(crate) fn suggested_group_size(&self, [x, y, z]: [u32; 3]) -> Result<[u32; 3], DriverError> {
        let mut size = [1; 3];
        let [to_x, to_y, to_z] = &mut size;
        // SAFETY: the handle is live and used by this thread alone, and the pointers are to live variables.
        unsafe { call!(self.api(), zeKernelSuggestGroupSize(self.handle(), x, y, z, to_x, to_y, to_z)) }?;
        Ok(size)
    }
}

fn concurrent_groups(api: &Api, kernel: ze_kernel_handle_t) -> Result<u32, DriverError> {
    let mut groups = 0;
    // SAFETY: the handle is live and used by this thread alone, and the pointer is to a live variable.
    unsafe { call!(api, zeKernelSuggestMaxCooperativeGroupCount(kernel, &mut groups)) }?;
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fraction_is_that_of_the_threads_with_subgroups() {
        let occupancy = Occupancy {
            concurrent_groups: 64,
            subgroups: 8,
            subgroup_size: 16,
            local_memory: 0,
            private_memory: 0,
            spilled: 0,
            hardware_threads: 1024,
        };
        assert_eq!(occupancy.fraction(), Some(0.5));
        assert_eq!(Occupancy { concurrent_groups: 1000, ..occupancy.clone() }.fraction(), Some(1.0));
        assert_eq!(Occupancy { hardware_threads: 0, ..occupancy }.fraction(), None);
    }
}
