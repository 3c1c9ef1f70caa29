//! Lists the devices that kernels can run on, and says what became of the search for a GPU.

use kernel_runtime::{DEVICE_VARIABLE, Device};

fn main() -> kernel_runtime::Result<()> {
    println!("{}", Device::gpu_status());
    for device in Device::all() {
        let (limits, (major, minor)) = (device.limits(), device.api_version());
        println!("\n{}: {}", device.kind(), device.name());
        println!("  driver: version {:#x}, Level Zero {major}.{minor}", device.driver_version());
        println!(
            "  memory: {} MiB, and {} KiB of local memory for each work-group",
            limits.memory >> 20,
            limits.max_local_memory >> 10
        );
        println!("  work-groups: at most {} work-items, {:?}", limits.max_group_total, limits.max_group_size);
        println!("  subgroups: {:?} work-items", limits.subgroup_sizes);
        println!("  SPIR-V: up to {}.{}", limits.spirv_version.0, limits.spirv_version.1);
        println!("  fp16: {}, fp64: {}, 64-bit atomics: {}", limits.fp16, limits.fp64, limits.int64_atomics);
    }
    println!("\n{DEVICE_VARIABLE} or else the order chooses: {}", Device::best()?.name());
    Ok(())
}
