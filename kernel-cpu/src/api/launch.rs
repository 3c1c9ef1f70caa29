//! Launches of kernels, appended to a command list.

use super::command_list::CommandList;
use super::kernel::{Kernel, State, check_arguments};
use super::registry::get;
use super::{Answer, guard, read};
use crate::exec::Geometry;
use crate::limits;
use crate::program::{Parameter, Program};
use crate::queue::Action;
use level_zero_sys::{
    ze_command_list_handle_t, ze_event_handle_t, ze_group_count_t, ze_kernel_handle_t, ze_result_t,
};

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
        let kernel = get::<Kernel>(kernel)?;
        // SAFETY: the host passes a valid pointer or null.
        let groups = unsafe { read(groups)? };
        let launch = {
            let state = kernel.state();
            check_arguments(&state)?;
            check_local_memory(&kernel.kernel.program, &state)?;
            let geometry = geometry(groups, &state, kernel.kernel.program.subgroup_size)?;
            list.launch(&kernel.kernel, geometry, &state.arguments)
        };
        // SAFETY: the host passes an array of `wait_count` handles.
        unsafe { list.append(Action::Launch(launch), signal, wait_count, waits) }
    })
}

/// The shape of a launch.
///
/// # Errors
///
/// No work-groups in some dimension, or more than can be counted.
fn geometry(groups: ze_group_count_t, state: &State, subgroup_size: u32) -> Answer<Geometry> {
    let groups = [groups.groupCountX, groups.groupCountY, groups.groupCountZ];
    let geometry = Geometry { groups, group_size: state.group_size, offset: state.offset, subgroup_size };
    if groups.contains(&0) || geometry.group_count().is_none() {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION);
    }
    Ok(geometry)
}

/// Whether the variables of the module and the arguments fit into local memory together.
fn check_local_memory(program: &Program, state: &State) -> Answer {
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
