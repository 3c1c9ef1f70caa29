//! Which devices a program sees of those that there are, as `ZE_AFFINITY_MASK` says.
//!
//! One test alone, since the variables count when the driver is first asked.

mod driver;

use driver::{Gpu, api, later, list, parts_of, properties};
use level_zero_sys::*;
use std::ptr::null_mut;

type Root = unsafe extern "C" fn(ze_device_handle_t, *mut ze_device_handle_t) -> ze_result_t;
type ToNumber = unsafe extern "C" fn(ze_device_handle_t) -> u32;
type FromNumber = unsafe extern "C" fn(u32) -> ze_device_handle_t;

fn is_part(device: ze_device_handle_t) -> bool {
    properties(device).flags.contains(ze_device_property_flags_t::ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE)
}

/// The last two bytes by which a device is told from others: its number, and one more than that of its part.
fn identity(device: ze_device_handle_t) -> [u8; 2] {
    let id = properties(device).uuid.id;
    [id[14], id[15]]
}

#[test]
fn what_the_mask_names_is_seen_and_numbered_anew() {
    // SAFETY: no other thread of this program looks at the environment.
    unsafe {
        std::env::set_var("KERNEL_CPU_DEVICES", "4x4");
        std::env::set_var("ZE_AFFINITY_MASK", "3.3, 1.2, 3.0, 2");
    }
    let gpu = Gpu::new();
    // SAFETY: there is room for as many handles as the count says.
    let seen = list(|count, to| unsafe { api().zeDeviceGet(gpu.driver, count, to) });
    assert_eq!((seen.len(), seen[0]), (3, gpu.device));
    let [part, whole, rest] = seen[..] else { panic!("there are three") };
    assert_eq!((identity(part), is_part(part), parts_of(part).len()), ([1, 3], false, 0));
    assert_eq!((identity(whole), parts_of(whole).len()), ([2, 0], 4));
    let parts = parts_of(rest);
    assert_eq!((identity(rest), parts.len()), ([3, 0], 2));
    for (number, (&part, id)) in parts.iter().zip([[3, 1], [3, 4]]).enumerate() {
        assert_eq!((identity(part), is_part(part)), (id, true));
        assert_eq!(properties(part).subdeviceId, number as u32);
    }
    for (device, root) in [(part, ze_device_handle_t::NULL), (parts[1], rest)] {
        let mut found = device;
        // SAFETY: the pointer is to a live variable, and the type is that of the function.
        unsafe { later::<Root>("zeDeviceGetRootDevice")(device, &mut found) }.into_result().unwrap();
        assert_eq!(found, root);
    }
    let (to_number, from_number) = (
        later::<ToNumber>("zerTranslateDeviceHandleToIdentifier"),
        later::<FromNumber>("zerTranslateIdentifierToDeviceHandle"),
    );
    let all = seen.iter().copied().chain(parts_of(whole)).chain(parts);
    for (number, device) in (0..).zip(all) {
        // SAFETY: the types are those of the functions.
        let (found, back) = unsafe { (to_number(device), from_number(number)) };
        assert_eq!((found, back), (number, device));
    }
    // Memory for which no device is named is that of the first one that is seen.
    let (mut memory, mut owner) = (null_mut(), ze_device_handle_t::NULL);
    let mut kind = ze_memory_allocation_properties_t::default();
    // SAFETY: pointers are to live variables, and handles are the driver's.
    unsafe {
        let (of_device, of_host) = (Default::default(), Default::default());
        let none = ze_device_handle_t::NULL;
        api()
            .zeMemAllocShared(gpu.context, &of_device, &of_host, 32, 0, none, &mut memory)
            .into_result()
            .unwrap();
        api().zeMemGetAllocProperties(gpu.context, memory, &mut kind, &mut owner).into_result().unwrap();
        api().zeMemFree(gpu.context, memory).into_result().unwrap();
    }
    assert_eq!(owner, part);
}
