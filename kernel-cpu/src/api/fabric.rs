//! The fabric between devices: there is one device, which is in none. So there are no vertices and no edges, and what asks for one of them has a handle of something else.

use super::device::Device;
use super::driver::Driver;
use super::registry::get;
use super::{Answer, describe, guard, list};
use level_zero_sys::{
    ze_device_handle_t, ze_driver_handle_t, ze_fabric_edge_exp_properties_t, ze_fabric_edge_handle_t,
    ze_fabric_vertex_exp_properties_t, ze_fabric_vertex_handle_t, ze_result_t,
};

/// What there is to say of a handle of a vertex or an edge.
fn refuse(is_null: bool) -> Answer {
    if is_null {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    }
    describe("the driver has no fabric, and so no handle of a part of it");
    Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT)
}

pub(super) unsafe extern "C" fn device_get_vertex(
    device: ze_device_handle_t,
    vertex: *mut ze_fabric_vertex_handle_t,
) -> ze_result_t {
    guard(|| {
        get::<Device>(device)?;
        if vertex.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        Err(ze_result_t::ZE_RESULT_EXP_ERROR_DEVICE_IS_NOT_VERTEX)
    })
}

pub(super) unsafe extern "C" fn vertex_get(
    driver: ze_driver_handle_t,
    count: *mut u32,
    vertices: *mut ze_fabric_vertex_handle_t,
) -> ze_result_t {
    guard(|| {
        get::<Driver>(driver)?;
        // SAFETY: the host passes pointers as the specification says.
        unsafe { list(count, vertices, &[]) }
    })
}

pub(super) unsafe extern "C" fn vertex_get_sub_vertices(
    vertex: ze_fabric_vertex_handle_t,
    _count: *mut u32,
    _vertices: *mut ze_fabric_vertex_handle_t,
) -> ze_result_t {
    guard(|| refuse(vertex.is_null()))
}

pub(super) unsafe extern "C" fn vertex_get_properties(
    vertex: ze_fabric_vertex_handle_t,
    _properties: *mut ze_fabric_vertex_exp_properties_t,
) -> ze_result_t {
    guard(|| refuse(vertex.is_null()))
}

pub(super) unsafe extern "C" fn vertex_get_device(
    vertex: ze_fabric_vertex_handle_t,
    _device: *mut ze_device_handle_t,
) -> ze_result_t {
    guard(|| refuse(vertex.is_null()))
}

pub(super) unsafe extern "C" fn edge_get(
    a: ze_fabric_vertex_handle_t,
    b: ze_fabric_vertex_handle_t,
    _count: *mut u32,
    _edges: *mut ze_fabric_edge_handle_t,
) -> ze_result_t {
    guard(|| refuse(a.is_null() || b.is_null()))
}

pub(super) unsafe extern "C" fn edge_get_vertices(
    edge: ze_fabric_edge_handle_t,
    _a: *mut ze_fabric_vertex_handle_t,
    _b: *mut ze_fabric_vertex_handle_t,
) -> ze_result_t {
    guard(|| refuse(edge.is_null()))
}

pub(super) unsafe extern "C" fn edge_get_properties(
    edge: ze_fabric_edge_handle_t,
    _properties: *mut ze_fabric_edge_exp_properties_t,
) -> ze_result_t {
    guard(|| refuse(edge.is_null()))
}
