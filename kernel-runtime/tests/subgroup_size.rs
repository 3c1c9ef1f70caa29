//! Kernels that require a size of their subgroups which the device does not have.
#![cfg(feature = "cpu")]

use kernel_runtime::prelude::*;
use kernel_runtime::{DeviceKind, Feature};

/// The line of the attribute below.
const LINE: u32 = line!() + 2;

#[kernel(group_size = [64, 1, 1], subgroup_size = 32)]
fn sums(x: &mut [u32]) {
    let i = global_id(0);
    x[i] = subgroup::reduce_add(x[i]);
}

#[test]
fn a_subgroup_size_that_the_device_lacks_is_refused_with_the_line() {
    // Its subgroups have 8 or 16 work-items.
    let device = Device::all().into_iter().find(|device| device.kind() == DeviceKind::Cpu);
    let queue = device.expect("there is always the CPU device").queue().unwrap();
    let mut x = queue.upload(&[1_u32; 64]).unwrap();
    let error = sums(&mut x).launch(&queue, 64).unwrap_err();
    let Error::MissingFeature(missing) = error else { panic!("{error}") };
    assert!(matches!(missing.feature, Feature::SubgroupSize { needed: 32, .. }), "{missing}");
    assert_eq!(missing.kernel, "sums");
    let at = missing.at.expect("the line is known");
    assert_eq!((at.line, at.column), (LINE, "#[kernel(group_size = [64, 1, 1], ".len() as u32 + 1));
    assert!(at.file.ends_with("subgroup_size.rs"), "{at}");
    assert!(missing.to_string().ends_with(&format!("it is needed at {at}")), "{missing}");
    assert_eq!(queue.download::<u32>(&x).unwrap(), [1; 64], "nothing was launched");
}
