//! The function tables: calls through them, and filling them by name.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_void};
use std::ptr;

use level_zero_sys::{
    Api, ze_driver_dditable_t, ze_driver_handle_t, ze_global_dditable_t, ze_init_flag_t, ze_init_flags_t,
    ze_result_t,
};

/// Accepts GPUs only, to show that the argument and the result get through.
unsafe extern "C" fn init(flags: ze_init_flags_t) -> ze_result_t {
    match flags.contains(ze_init_flags_t::ZE_INIT_FLAG_GPU_ONLY) {
        true => ze_result_t::ZE_RESULT_SUCCESS,
        false => ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED,
    }
}

/// A driver in the process fills its tables in a constant.
static IN_PROCESS: Api = Api { global: ze_global_dditable_t { pfnInit: Some(init) }, ..Api::EMPTY };

#[test]
fn a_filled_slot_is_called() {
    // SAFETY: `init` above has no requirements.
    unsafe {
        let gpu = ze_init_flag_t::ZE_INIT_FLAG_GPU_ONLY;
        assert_eq!(IN_PROCESS.zeInit(gpu), ze_result_t::ZE_RESULT_SUCCESS);
        assert_eq!(IN_PROCESS.zeInit(ze_init_flags_t::empty()), ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED);
    }
}

#[test]
fn an_empty_slot_is_an_unsupported_feature() {
    // SAFETY: the slot is empty, so the null pointers reach nobody.
    let result = unsafe { IN_PROCESS.zeDriverGet(ptr::null_mut(), ptr::null_mut()) };
    assert_eq!(result, ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

#[test]
fn every_function_is_looked_up_once_by_its_c_name() {
    let asked: RefCell<BTreeMap<&CStr, usize>> = RefCell::default();
    // SAFETY: no address is returned.
    let api = unsafe {
        Api::from_lookup(|name| {
            *asked.borrow_mut().entry(name).or_default() += 1;
            ptr::null_mut()
        })
    };
    assert!(api.global.pfnInit.is_none());
    let asked = asked.into_inner();
    assert!(asked.values().all(|&times| times == 1), "{asked:?}");
    assert_eq!(asked.len() * size_of::<*const c_void>(), size_of::<Api>(), "one name for each slot");
    assert!(asked.keys().all(|name| name.to_bytes().starts_with(b"ze")));
    assert!(asked.contains_key(c"zeCommandListAppendLaunchKernel"));
}

#[test]
fn an_address_lands_in_the_slot_of_its_name() {
    let zinit = init as *mut c_void;
    // SAFETY: the only address returned is that of a function with the prototype of `zeInit`.
    let api = unsafe { Api::from_lookup(|name| if name == c"zeInit" { zinit } else { ptr::null_mut() }) };
    assert_eq!(api.global.pfnInit.map(|f| f as *mut c_void), Some(zinit));
    assert!(api.driver.pfnGet.is_none());
}

#[test]
fn flags_print_their_names_and_what_has_none() {
    let gpu = ze_init_flags_t::ZE_INIT_FLAG_GPU_ONLY;
    assert_eq!(format!("{gpu:?}"), "ZE_INIT_FLAG_GPU_ONLY");
    let both = gpu | ze_init_flags_t::ZE_INIT_FLAG_VPU_ONLY;
    assert_eq!(format!("{both:?}"), "ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY");
    let unknown = ze_init_flags_t(1 | 1 << 20);
    assert_eq!(format!("{unknown:?}"), "ZE_INIT_FLAG_GPU_ONLY | ze_init_flags_t(0x100000)");
    assert_eq!(format!("{:?}", ze_init_flags_t::empty()), "ze_init_flags_t(0x0)");
    assert_eq!(both & gpu, gpu);
}

#[test]
fn handles_and_tables_can_be_shared_between_threads() {
    fn is_shareable<T: Send + Sync + Copy + Default>() {}
    is_shareable::<ze_driver_handle_t>();
    is_shareable::<ze_driver_dditable_t>();
    is_shareable::<Api>();
    assert!(ze_driver_handle_t::default().is_null());
}
