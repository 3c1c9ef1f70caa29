//! The processor as several devices, each with parts, as `KERNEL_CPU_DEVICES` says.
//!
//! One test alone, since the variable counts when the driver is first asked.

mod driver;

use driver::{FOREVER, Gpu, Outcome, api, later, list, parts_of, properties};
use level_zero_sys::*;
use std::collections::HashSet;
use std::ptr::null_mut;

type Root = unsafe extern "C" fn(ze_device_handle_t, *mut ze_device_handle_t) -> ze_result_t;

fn root_of(device: ze_device_handle_t) -> ze_device_handle_t {
    let mut root = device;
    // SAFETY: the pointer is to a live variable, and the type is that of the function.
    unsafe { later::<Root>("zeDeviceGetRootDevice")(device, &mut root) }.into_result().unwrap();
    root
}

#[test]
fn the_processor_is_as_many_devices_as_the_variable_says() {
    // SAFETY: no other thread of this program looks at the environment.
    unsafe { std::env::set_var("KERNEL_CPU_DEVICES", "2x3") };
    let gpu = Gpu::new();
    // SAFETY: there is room for as many handles as the count says.
    let roots = list(|count, to| unsafe { api().zeDeviceGet(gpu.driver, count, to) });
    assert_eq!((roots.len(), roots[0]), (2, gpu.device));
    let mut all = roots.clone();
    for &root in &roots {
        assert!(root_of(root).is_null());
        let parts = parts_of(root);
        assert_eq!(parts.len(), 3);
        for (number, &part) in parts.iter().enumerate() {
            assert_eq!((root_of(part), parts_of(part).len()), (root, 0));
            let ze_device_properties_t { flags, subdeviceId, .. } = properties(part);
            let is_part = flags.contains(ze_device_property_flags_t::ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE);
            assert_eq!((is_part, subdeviceId), (true, number as u32));
        }
        all.extend(parts);
    }
    let names: HashSet<_> = all.iter().map(|device| properties(*device).uuid.id).collect();
    assert_eq!(names.len(), 8, "each has a number of its own");

    for &device in &all {
        for &peer in &all {
            let (mut value, mut p2p) = (0, ze_device_p2p_properties_t::default());
            // SAFETY: both pointers are to live variables.
            unsafe {
                api().zeDeviceCanAccessPeer(device, peer, &mut value).into_result().unwrap();
                api().zeDeviceGetP2PProperties(device, peer, &mut p2p).into_result().unwrap();
            }
            assert_eq!((value, p2p.flags.0), (1, 3));
        }
    }
    all.iter().for_each(|&device| check_memory(&gpu, device, roots[1]).unwrap());
}

/// Memory and lists say of which device they are, and one device copies what another one has.
fn check_memory(gpu: &Gpu, device: ze_device_handle_t, other: ze_device_handle_t) -> Outcome {
    let (mut from, mut to, mut list) = (null_mut(), null_mut(), ze_command_list_handle_t::NULL);
    let (mut kind, mut owner) = (ze_memory_allocation_properties_t::default(), ze_device_handle_t::NULL);
    let mut result = [0_u64; 4];
    // SAFETY: pointers are to live variables, sizes are theirs, and handles are the driver's.
    unsafe {
        let descriptor = ze_device_mem_alloc_desc_t::default();
        api().zeMemAllocDevice(gpu.context, &descriptor, 32, 0, device, &mut from).into_result()?;
        api().zeMemAllocDevice(gpu.context, &descriptor, 32, 0, other, &mut to).into_result()?;
        api().zeMemGetAllocProperties(gpu.context, from, &mut kind, &mut owner).into_result()?;
        assert_eq!(owner, device);
        api()
            .zeCommandListCreateImmediate(gpu.context, other, &Default::default(), &mut list)
            .into_result()?;
        let of_list: unsafe extern "C" fn(ze_command_list_handle_t, *mut ze_device_handle_t) -> ze_result_t =
            later("zeCommandListGetDeviceHandle");
        of_list(list, &mut owner).into_result()?;
        assert_eq!(owner, other);
        let (none, values) = (ze_event_handle_t::NULL, [7_u64; 4]);
        let copies = [
            (from, values.as_ptr().cast()),
            (to, from.cast_const()),
            (result.as_mut_ptr().cast(), to.cast_const()),
        ];
        for (to, from) in copies {
            api().zeCommandListAppendMemoryCopy(list, to, from, 32, none, 0, null_mut()).into_result()?;
            let synchronize: unsafe extern "C" fn(ze_command_list_handle_t, u64) -> ze_result_t =
                later("zeCommandListHostSynchronize");
            synchronize(list, FOREVER).into_result()?;
        }
        assert_eq!(result, values);
        api().zeCommandListDestroy(list).into_result()?;
        api().zeMemFree(gpu.context, from).into_result()?;
        api().zeMemFree(gpu.context, to).into_result()
    }
}
