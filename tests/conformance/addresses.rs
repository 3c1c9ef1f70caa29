//! Addresses that lead nowhere, on the CPU, which goes on after them.

use crate::kernels::raw_pointers::copy_if;
use kernel_runtime::{Device, DeviceKind};

/// What waits for the queue after a fault waits for its own commands, not for those before.
#[test]
fn what_is_copied_after_a_wrong_address_has_arrived() {
    let device = Device::all().into_iter().find(|device| device.kind() == DeviceKind::Cpu);
    let queue = device.expect("there is always the CPU").queue().unwrap();
    let x = queue.upload(&[10_i64, 20]).unwrap();
    let mut y = queue.upload(&[0_i64, 0]).unwrap();
    let from = x.as_ptr();
    for at in [from.wrapping_add(2), from.wrapping_sub(1), from.wrapping_byte_add(1 << 62)] {
        // SAFETY: the CPU checks addresses.
        unsafe { copy_if(at, y.as_mut_ptr(), 1) }.launch(&queue, 1).unwrap();
        let error = queue.synchronize().unwrap_err();
        assert!(error.to_string().contains("ZE_RESULT_ERROR_DEVICE_LOST"), "{error}");
        queue.write(&mut y, &[0, 0]).unwrap();
        // SAFETY: each buffer has two numbers, and the download waits.
        unsafe { copy_if(from, y.as_mut_ptr(), 2) }.launch(&queue, 2).unwrap();
        assert_eq!(queue.download::<i64>(&y).unwrap(), [11, 21]);
    }
}
