//! Values of the types that functions of the API have as parameters, and calls with them.

use crate::driver::{GroupSize, api, later};
use crate::world::{ANSWER, ELEMENTS, Handle, MemoryModule, World, groups, or_null};
use level_zero_sys::*;
use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A type of which a call can get any value.
pub(crate) trait Any {
    fn any(world: &mut World) -> Self;
}

/// A type that pointers are to. The address is of so many elements that counts lead to nothing else.
pub(crate) trait Target: Sized {
    fn address(world: &mut World) -> *mut Self;
}

impl<T: Target> Any for *mut T {
    fn any(world: &mut World) -> Self {
        or_null(world, T::address)
    }
}

impl<T: Target> Any for *const T {
    fn any(world: &mut World) -> Self {
        or_null(world, T::address)
    }
}

macro_rules! handles {
    ($($handle:ident)*) => { $(
        impl Any for $handle {
            fn any(world: &mut World) -> Self {
                // Commands need neither an event nor a fence.
                let is_optional = [ze_event_handle_t::KIND, ze_fence_handle_t::KIND].contains(&Self::KIND);
                if is_optional && world.random.one_in(3) {
                    return Self::of(null_mut());
                }
                Self::of(world.handle(Self::KIND))
            }
        }

        impl Target for $handle {
            fn address(world: &mut World) -> *mut Self {
                world.array(Self::KIND).cast()
            }
        }
    )* };
}

handles! {
    ze_driver_handle_t ze_device_handle_t ze_context_handle_t ze_command_queue_handle_t ze_command_list_handle_t
    ze_fence_handle_t ze_event_pool_handle_t ze_event_handle_t ze_image_handle_t ze_module_handle_t
    ze_module_build_log_handle_t ze_kernel_handle_t ze_sampler_handle_t ze_physical_mem_handle_t
    ze_fabric_vertex_handle_t ze_fabric_edge_handle_t MemoryModule ze_graph_handle_t ze_executable_graph_handle_t
}

macro_rules! flags {
    ($($flags:ident)*) => { $(
        impl Any for $flags {
            fn any(world: &mut World) -> Self {
                let many = if world.random.one_in(9) { 1 << 20 } else { 5 };
                Self(world.random.below(many) as u32)
            }
        }
    )* };
}

flags! {
    ze_cache_config_flags_t ze_cache_ext_region_t ze_init_flags_t ze_ipc_memory_flags_t
    ze_kernel_indirect_access_flags_t ze_memory_access_attribute_t ze_memory_advice_t
}

/// A structure that a call fills, and a list of such; what the call is told in it is nothing.
macro_rules! answers {
    ($($structure:ident)*) => { $(
        impl Target for $structure {
            fn address(world: &mut World) -> *mut Self {
                const { assert!(16 * size_of::<Self>() <= 8 * ANSWER, "sixteen of them have room") };
                world.answer(1).cast()
            }
        }
    )* };
}

/// What a structure has that this package has no type for.
#[repr(transparent)]
pub(crate) struct Answer([u64; 128]);

/// A descriptor that this package has no type for: of any numbers, without addresses.
#[repr(transparent)]
pub(crate) struct Descriptor([u64; 8]);

impl Target for Descriptor {
    fn address(world: &mut World) -> *mut Self {
        // Those of commands, of drivers, and any other.
        let stype = [0x2_0017, 0x2_0018, 0x2_0021, 0][world.random.below(4)];
        world.description(stype, 16).cast()
    }
}

/// `ze_event_counter_based_desc_t`, with where to count if it says so.
#[repr(C)]
pub(crate) struct Counting {
    stype: u32,
    next: *const Counter,
    flags: u32,
    signal: u32,
    wait: u32,
}

/// `ze_event_counter_based_external_sync_allocation_desc_t` or `ze_event_counter_based_external_aggregate_storage_desc_t`: what differs is what the second number is.
#[repr(C)]
struct Counter {
    stype: u32,
    next: *const Counter,
    device: *mut c_void,
    second: u64,
    value: u64,
}

impl Target for Counting {
    fn address(world: &mut World) -> *mut Self {
        let device = world.memory();
        let (stype, second) = match world.random.below(3) {
            0 => (0x2_003b, world.memory().expose_provenance() as u64),
            1 => (0x2_003f, world.random.below(4) as u64),
            _ => (0, 0),
        };
        let value = world.random.below(4) as u64;
        let next = world.answer(1).cast::<Counter>();
        // SAFETY: there is more room.
        unsafe { next.write(Counter { stype, next: null(), device, second, value }) };
        let next = if stype == 0 { null() } else { next.cast_const() };
        let flags = [0, 1, 2, 3, 1 << 3, 1 << 4, 1 << 6, 1 << 7][world.random.below(8)];
        let to = world.answer(1).cast::<Self>();
        // SAFETY: as above.
        unsafe { to.write(Self { stype: 0x2_003a, next, flags, signal: 4, wait: 0 }) };
        to
    }
}

/// What requirements are asked of: a module or a graph.
#[repr(C)]
pub(crate) struct Source {
    stype: u32,
    next: *const c_void,
    handle: *mut c_void,
}

impl Target for Source {
    fn address(world: &mut World) -> *mut Self {
        let (stype, kind) = [
            (0x2_0044, ze_module_handle_t::KIND),
            (0x2_0045, ze_graph_handle_t::KIND),
            (0x2_0046, ze_module_handle_t::KIND),
        ][world.random.below(3)];
        let handle = world.handle(kind);
        let to = world.answer(1).cast::<Self>();
        // SAFETY: there is more room.
        unsafe { to.write(Self { stype, next: null(), handle }) };
        to
    }
}

answers! {
    Answer ze_api_version_t ze_command_queue_group_properties_t ze_device_cache_properties_t
    ze_device_compute_properties_t ze_device_external_memory_properties_t ze_device_image_properties_t
    ze_device_memory_access_properties_t ze_device_memory_properties_t ze_device_module_properties_t
    ze_device_p2p_properties_t ze_device_properties_t ze_driver_extension_properties_t ze_driver_ipc_properties_t
    ze_driver_properties_t ze_fabric_edge_exp_properties_t ze_fabric_vertex_exp_properties_t
    ze_image_allocation_ext_properties_t ze_image_memory_properties_exp_t ze_image_properties_t
    ze_ipc_event_pool_handle_t ze_ipc_mem_handle_t ze_kernel_indirect_access_flags_t ze_kernel_properties_t
    ze_kernel_timestamp_result_t ze_memory_access_attribute_t ze_memory_allocation_properties_t
    ze_module_properties_t ze_pci_ext_properties_t ze_command_queue_flags_t ze_command_queue_mode_t
    ze_command_queue_priority_t ze_command_list_flags_t ze_event_scope_flags_t ze_event_pool_flags_t
}

/// A descriptor of any numbers behind its type.
macro_rules! descriptors {
    ($($structure:ident)*) => { $(
        impl Target for $structure {
            fn address(world: &mut World) -> *mut Self {
                world.description(Self::default().stype.0, size_of::<Self>() / 4).cast()
            }
        }
    )* };
}

descriptors! {
    ze_command_list_desc_t ze_context_desc_t ze_device_mem_alloc_desc_t ze_event_desc_t ze_event_pool_desc_t
    ze_fence_desc_t ze_host_mem_alloc_desc_t ze_memory_free_ext_desc_t ze_sampler_desc_t
    ze_linkage_inspection_ext_desc_t ze_physical_mem_desc_t ze_scheduling_hint_exp_desc_t
}

macro_rules! targets {
    ($($ty:ty: $address:expr;)*) => { $(
        impl Target for $ty {
            fn address(world: &mut World) -> *mut Self {
                let address: fn(&mut World) -> *mut Self = $address;
                address(world)
            }
        }
    )* };
}

targets! {
    c_void: World::memory;
    u64: |world| world.memory().cast();
    // As counts and sizes they are no more than there is room for; a command reads them later where they are constant.
    u32: |world| world.answer(17).cast();
    usize: |world| world.answer(4096).cast();
    u8: |world| world.answer(1).cast();
    *mut c_void: World::addresses;
    *const c_void: |world| world.addresses().cast();
    *mut c_char: |world| world.addresses().cast();
    *const c_char: |world| world.addresses().cast();
    c_char: |world| world.text().cast();
    ze_copy_region_t: |world| world.region().cast();
    ze_image_region_t: |world| world.region().cast();
    ze_group_count_t: |world| world.group_counts().cast_mut();
    ze_module_desc_t: |world| world.module().cast_mut();
    ze_kernel_desc_t: |world| world.kernel().cast_mut();
    ze_image_desc_t: |world| world.image().cast_mut();
    ze_command_queue_desc_t: |world| world.queue().cast_mut();
    Later: |world| world.counts().cast_mut().cast();
}

/// What may follow the parameters of a function: nothing, or what some function knows.
#[repr(transparent)]
pub(crate) struct Followed(*const Descriptor);

impl Any for Followed {
    fn any(world: &mut World) -> Self {
        Self(if world.random.one_in(5) { Descriptor::address(world) } else { null() })
    }
}

/// A number that a command reads when it is executed.
#[repr(transparent)]
pub(crate) struct Later(u32);

impl Any for u32 {
    fn any(world: &mut World) -> Self {
        // A count is none of more than there are elements.
        let below = if world.random.one_in(5) { ELEMENTS + 1 } else { 4 };
        world.random.below(below) as u32
    }
}

impl Any for u64 {
    fn any(world: &mut World) -> Self {
        // As a time these are few nanoseconds.
        world.random.below(100) as u64
    }
}

impl Any for usize {
    fn any(world: &mut World) -> Self {
        [0, 1, 4, 8, 8, 8, 64, 4096][world.random.below(8)]
    }
}

impl Any for ze_group_count_t {
    fn any(world: &mut World) -> Self {
        groups(&mut world.random)
    }
}

impl Any for GroupSize {
    fn any(world: &mut World) -> Self {
        Self([[1, 8, 64, 0, 1 << 20][world.random.below(5)], 1, 1])
    }
}

impl Any for ze_ipc_mem_handle_t {
    fn any(world: &mut World) -> Self {
        let mut handle = Self { data: [0; 64] };
        // SAFETY: pointers are to live variables, and any may be passed.
        unsafe {
            let _ = api().zeMemGetIpcHandle(world.context, world.allocation(), &mut handle);
        }
        change(&mut handle.data, world);
        handle
    }
}

impl Any for ze_ipc_event_pool_handle_t {
    fn any(world: &mut World) -> Self {
        let pool = ze_event_pool_handle_t::any(world);
        let mut handle = Self { data: [0; 64] };
        // SAFETY: as above.
        unsafe {
            let _ = api().zeEventPoolGetIpcHandle(pool, &mut handle);
        }
        change(&mut handle.data, world);
        handle
    }
}

/// `ze_ipc_event_counter_based_handle_t`.
#[repr(C)]
pub(crate) struct CounterHandle([c_char; 64]);

impl Any for CounterHandle {
    fn any(world: &mut World) -> Self {
        let get: unsafe extern "C" fn(ze_event_handle_t, *mut Self) -> ze_result_t =
            later("zeEventCounterBasedGetIpcHandle");
        let event = ze_event_handle_t::any(world);
        let mut handle = Self([0; 64]);
        // SAFETY: as above.
        unsafe {
            let _ = get(event, &mut handle);
        }
        change(&mut handle.0, world);
        handle
    }
}

/// Changes a bit of a handle, or none.
fn change(data: &mut [c_char], world: &mut World) {
    if world.random.one_in(3) {
        data[world.random.below(data.len())] ^= 1 << world.random.below(7);
    }
}

/// What lists call on the host.
unsafe extern "C" fn count_call(_: *mut c_void) {
    CALLS_OF_HOST.fetch_add(1, Ordering::Relaxed);
}

pub(crate) static CALLS_OF_HOST: AtomicUsize = AtomicUsize::new(0);

impl Any for Option<unsafe extern "C" fn(*mut c_void)> {
    fn any(world: &mut World) -> Self {
        if world.is_null() { None } else { Some(count_call) }
    }
}

/// What a function returns.
pub(crate) trait Returned {
    fn code(self) -> ze_result_t;
}

impl Returned for ze_result_t {
    fn code(self) -> ze_result_t {
        self
    }
}

macro_rules! returned {
    ($($ty:ty)*) => { $(
        impl Returned for $ty {
            fn code(self) -> ze_result_t {
                ze_result_t::ZE_RESULT_SUCCESS
            }
        }
    )* };
}

returned! { u32 ze_context_handle_t ze_device_handle_t }

/// A function of the API.
pub(crate) trait Function {
    /// Calls it with any arguments.
    fn call(self, world: &mut World) -> ze_result_t;
}

macro_rules! functions {
    ($([$($parameter:ident)*])*) => { $(
        impl<R: Returned, $($parameter: Any),*> Function for unsafe extern "C" fn($($parameter),*) -> R {
            #[allow(non_snake_case, unused_variables, reason = "a type has one parameter, and some functions have none")]
            fn call(self, world: &mut World) -> ze_result_t {
                $(let $parameter = $parameter::any(world);)*
                // SAFETY: pointers are to what lives as long as the call needs it; what is wrong with handles and values the driver must notice.
                unsafe { self($($parameter),*) }.code()
            }
        }
    )* };
}

functions! {
    [] [A] [A B] [A B C] [A B C D] [A B C D E] [A B C D E F] [A B C D E F G] [A B C D E F G H]
    [A B C D E F G H I] [A B C D E F G H I J] [A B C D E F G H I J K] [A B C D E F G H I J K L]
}
