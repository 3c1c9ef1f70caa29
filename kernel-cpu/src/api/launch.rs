//! Launches of kernels, appended to a command list.

use super::command_list::{CommandList, range};
use super::kernel::{Kernel, State, check_arguments};
use super::mutable::MadeOf;
use super::recording::Appended;
use super::registry::get;
use super::{Answer, describe, guard, read};
use crate::exec::{Geometry, Launch, max_cooperative_groups};
use crate::limits;
use crate::program::{Parameter, Program};
use crate::queue::{Action, Condition, IndirectLaunch};
use level_zero_sys::{
    ze_base_properties_t, ze_bool_t, ze_command_list_handle_t, ze_event_handle_t, ze_group_count_t,
    ze_kernel_handle_t, ze_result_t, ze_structure_type_t,
};
use std::ffi::c_void;
use std::sync::Arc;

pub(super) unsafe extern "C" fn append_launch_kernel(
    list: ze_command_list_handle_t,
    kernel: ze_kernel_handle_t,
    groups: *const ze_group_count_t,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        // SAFETY: the host passes a valid pointer or null.
        let launch = launch(&list, kernel, || unsafe { read(groups) })?;
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append(Action::Launch(launch), signal, wait_count, waits) }
    })
}

/// `ze_group_size_t` of version 1.14.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct GroupSize([u32; 3]);

/// `zeCommandListAppendLaunchKernelWithArguments` of version 1.14: sets the size of work-groups and all arguments, and launches.
pub(super) unsafe extern "C" fn append_launch_kernel_with_arguments(
    list: ze_command_list_handle_t,
    kernel: ze_kernel_handle_t,
    groups: ze_group_count_t,
    GroupSize(size): GroupSize,
    arguments: *mut *mut c_void,
    extensions: *const c_void,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        let object = get::<Kernel>(kernel)?;
        // SAFETY: the host passes a valid chain.
        let is_cooperative = unsafe { is_cooperative(extensions)? };
        object.set_group_size(size)?;
        // SAFETY: the host passes an array of pointers to values, or null.
        unsafe { object.set_arguments(arguments.cast_const().cast())? };
        let launch = launch(&list, kernel, || Ok(groups))?;
        check_cooperative(is_cooperative, &launch)?;
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append(Action::Launch(launch), signal, wait_count, waits) }
    })
}

/// `zeCommandListAppendLaunchKernelWithParameters` of version 1.14: a launch with extensions.
pub(super) unsafe extern "C" fn append_launch_kernel_with_parameters(
    list: ze_command_list_handle_t,
    kernel: ze_kernel_handle_t,
    groups: *const ze_group_count_t,
    extensions: *const c_void,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        // SAFETY: the host passes a valid chain.
        let is_cooperative = unsafe { is_cooperative(extensions)? };
        // SAFETY: the host passes a valid pointer or null.
        let launch = launch(&list, kernel, || unsafe { read(groups) })?;
        check_cooperative(is_cooperative, &launch)?;
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append(Action::Launch(launch), signal, wait_count, waits) }
    })
}

/// `ze_command_list_append_launch_kernel_param_cooperative_desc_t` of version 1.14.
#[repr(C)]
#[derive(Clone, Copy)]
struct Cooperative {
    head: ze_base_properties_t,
    is_cooperative: ze_bool_t,
}

/// Whether the extensions of a launch want it to be cooperative, which is the only one that there is.
///
/// # Safety
///
/// The chain must be valid.
unsafe fn is_cooperative(extensions: *const c_void) -> Answer<bool> {
    const COOPERATIVE: ze_structure_type_t = ze_structure_type_t(0x0002_0036);
    let (mut next, mut is_cooperative) = (extensions, false);
    while !next.is_null() {
        // SAFETY: the caller vouches for the chain.
        let head = unsafe { next.cast::<ze_base_properties_t>().read() };
        if head.stype != COOPERATIVE {
            describe("the launch has an extension that the driver does not know");
            return Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
        }
        // SAFETY: it is what its type announces.
        is_cooperative |= unsafe { next.cast::<Cooperative>().read() }.is_cooperative != 0;
        next = head.pNext;
    }
    Ok(is_cooperative)
}

pub(super) unsafe extern "C" fn append_launch_cooperative_kernel(
    list: ze_command_list_handle_t,
    kernel: ze_kernel_handle_t,
    groups: *const ze_group_count_t,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        // SAFETY: the host passes a valid pointer or null.
        let launch = launch(&list, kernel, || unsafe { read(groups) })?;
        check_cooperative(true, &launch)?;
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append(Action::Launch(launch), signal, wait_count, waits) }
    })
}

/// Has all groups of a launch make progress at the same time, if they have to.
pub(super) fn check_cooperative(is_cooperative: bool, launch: &Launch) -> Answer {
    if !is_cooperative {
        return Ok(());
    }
    if launch.group_count() > max_cooperative_groups().into() {
        describe(
            "a cooperative launch has at most as many work-groups as zeKernelSuggestMaxCooperativeGroupCount says",
        );
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    launch.make_cooperative();
    Ok(())
}

/// A launch whose number of work-groups is in memory when it begins.
pub(super) unsafe extern "C" fn append_launch_kernel_indirect(
    list: ze_command_list_handle_t,
    kernel: ze_kernel_handle_t,
    groups: *const ze_group_count_t,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        let groups = range(&list.memory(), groups.cast(), size_of::<ze_group_count_t>())?;
        let launch = launch(&list, kernel, || Ok(ONE_GROUP))?;
        let action = Action::LaunchIndirect(Box::new(IndirectLaunch { launch, groups, condition: None }));
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append(action, signal, wait_count, waits) }
    })
}

/// Several such launches, of which as many are executed as memory says when each begins.
pub(super) unsafe extern "C" fn append_launch_multiple_kernels_indirect(
    list: ze_command_list_handle_t,
    count: u32,
    kernels: *mut ze_kernel_handle_t,
    executed: *const u32,
    groups: *const ze_group_count_t,
    signal: ze_event_handle_t,
    wait_count: u32,
    waits: *mut ze_event_handle_t,
) -> ze_result_t {
    guard(|| {
        let list = get::<CommandList>(list)?;
        if kernels.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let memory = list.memory();
        let size = (count as usize).saturating_mul(size_of::<ze_group_count_t>());
        let groups = range(&memory, groups.cast(), size)?;
        let executed = range(&memory, executed.cast(), size_of::<u32>())?;
        let mut launches = Vec::new();
        for index in 0..count {
            // SAFETY: the host passes an array of `count` handles.
            let kernel = unsafe { kernels.add(index as usize).read() };
            let launch = launch(&list, kernel, || Ok(ONE_GROUP))?;
            let groups = groups + u64::from(index) * size_of::<ze_group_count_t>() as u64;
            let condition = Some(Condition { executed, index });
            let launch = Box::new(IndirectLaunch { launch, groups, condition });
            launches.push(Appended::Action(Action::LaunchIndirect(launch)));
        }
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append_all(launches, signal, wait_count, waits) }
    })
}

/// What an indirect launch has until it knows better.
const ONE_GROUP: ze_group_count_t = ze_group_count_t { groupCountX: 1, groupCountY: 1, groupCountZ: 1 };

/// A launch of a kernel with its arguments as they are now.
fn launch(
    list: &CommandList,
    kernel: ze_kernel_handle_t,
    groups: impl FnOnce() -> Answer<ze_group_count_t>,
) -> Answer<Arc<Launch>> {
    let kernel = get::<Kernel>(kernel)?;
    let groups = groups()?;
    let state = kernel.state();
    check_arguments(&state)?;
    check_local_memory(&kernel.kernel.program, &state)?;
    let geometry = geometry(groups, &state, kernel.kernel.program.subgroup_size)?;
    if list.is_next_mutable() {
        list.note_launch(MadeOf { kernel: Arc::clone(&kernel), state: state.clone(), groups });
    }
    Ok(list.launch(&kernel.kernel, geometry, &state.arguments))
}

/// The shape of a launch.
///
/// # Errors
///
/// No work-groups in some dimension, or more than can be counted.
pub(super) fn geometry(groups: ze_group_count_t, state: &State, subgroup_size: u32) -> Answer<Geometry> {
    let groups = [groups.groupCountX, groups.groupCountY, groups.groupCountZ];
    let geometry = Geometry { groups, group_size: state.group_size, offset: state.offset, subgroup_size };
    if groups.contains(&0) || geometry.group_count().is_none() {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION);
    }
    Ok(geometry)
}

/// Whether the variables of the module and the arguments fit into local memory together.
pub(super) fn check_local_memory(program: &Program, state: &State) -> Answer {
    let mut bytes = u64::from(program.local_bytes);
    for (parameter, &size) in program.parameters.iter().zip(&state.arguments.local_sizes) {
        if let Parameter::Local { align } = *parameter {
            bytes = bytes.next_multiple_of(align.into()) + u64::from(size);
        }
    }
    if bytes > limits::MAX_LOCAL_MEMORY.into() {
        return Err(ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    }
    Ok(())
}
