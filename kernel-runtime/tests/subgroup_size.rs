//! The sizes that kernels require of their subgroups.
#![cfg(feature = "cpu")]

use kernel_runtime::prelude::*;
use kernel_runtime::{DeviceKind, Feature, KernelDescriptor};

/// The line of the attribute below.
const LINE: u32 = line!() + 2;

#[kernel(group_size = [64, 1, 1], subgroup_size = 32)]
fn sums(x: &mut [u32]) {
    let i = global_id(0);
    x[i] = subgroup::reduce_add(x[i]);
}

fn queue() -> Queue {
    let device = Device::all().into_iter().find(|device| device.kind() == DeviceKind::Cpu);
    device.expect("there is always the CPU device").queue().unwrap()
}

#[test]
fn a_subgroup_size_that_the_device_lacks_is_refused_with_the_line() {
    // The macro takes none that the CPU device has not.
    static LARGER: KernelDescriptor = KernelDescriptor { subgroup_size: Some(64), ..SUMS };
    let error = queue().prepare(&LARGER).unwrap_err();
    let Error::MissingFeature(missing) = error else { panic!("{error}") };
    assert!(matches!(missing.feature, Feature::SubgroupSize { needed: 64, .. }), "{missing}");
    assert_eq!(missing.kernel, "sums");
    let at = missing.at.expect("the line is known");
    assert_eq!((at.line, at.column), (LINE, "#[kernel(group_size = [64, 1, 1], ".len() as u32 + 1));
    assert!(at.file.ends_with("subgroup_size.rs"), "{at}");
    assert!(missing.to_string().ends_with(&format!("it is needed at {at}")), "{missing}");
}

#[test]
fn the_cpu_device_has_subgroups_of_each_size_that_kernels_may_require() {
    let queue = queue();
    assert_eq!(queue.device().limits().subgroup_sizes, [8, 16, 32]);
    let mut x = queue.upload(&[1_u32; 64]).unwrap();
    sums(&mut x).launch(&queue, 64).unwrap();
    assert_eq!(queue.download::<u32>(&x).unwrap(), [32; 64]);
}
