//! Memory of a device: buffers, images, and when what they have is given back.

mod allocation;
#[cfg(feature = "ndarray")]
mod arrays;
pub(crate) mod buffer;
#[cfg(test)]
mod buffer_tests;
pub(crate) mod image;
pub(crate) mod import;
pub(crate) mod pool;
pub(crate) mod reclaim;
pub(crate) mod region;
pub(crate) mod slice;
pub(crate) mod usage;
pub(crate) mod usm;
pub(crate) mod usm_buffer;
#[cfg(test)]
mod usm_tests;
pub(crate) mod views;

pub(crate) use allocation::{Address, Allocation, HostAllocation, Resource, release, trim};
