//! Kernels: an entry point with its arguments and its work-group size.

use super::device::SCHEDULING_HINTS;
use super::image::Sampler;
use super::mem::memory_type;
use super::module::Module;
use super::registry::{get, insert, objects, remove};
use super::{Answer, blob, describe, guard, read, structures, text, write};
use crate::exec::{self, Indirect, max_cooperative_groups};
use crate::image::{Image, Object, in_memory};
use crate::limits;
use crate::memory::Allocation;
use crate::program::{Parameter, Program};
use level_zero_sys::{
    ze_cache_config_flags_t, ze_image_handle_t, ze_kernel_desc_t, ze_kernel_handle_t,
    ze_kernel_indirect_access_flags_t, ze_kernel_properties_t, ze_memory_type_t, ze_module_handle_t,
    ze_result_t, ze_sampler_handle_t, ze_scheduling_hint_exp_desc_t,
};
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A kernel of the host.
pub(super) struct Kernel {
    pub(super) kernel: Arc<exec::Kernel>,
    name: CString,
    state: Mutex<State>,
    /// The module stays while its kernels do, because of its variables.
    module: Arc<Module>,
}

objects! { Kernel: ze_kernel_handle_t = 6; }

/// What the host sets.
#[derive(Clone)]
pub(super) struct State {
    pub(super) arguments: exec::Arguments,
    /// Which arguments have been set.
    pub(super) set: Vec<bool>,
    pub(super) group_size: [u32; 3],
    pub(super) offset: [u32; 3],
    indirect_access: ze_kernel_indirect_access_flags_t,
}

impl State {
    /// Nothing has been set.
    pub(super) fn new(program: &Program) -> Self {
        let count = program.parameters.len();
        Self {
            arguments: exec::Arguments {
                bytes: vec![0; program.argument_bytes as usize],
                local_sizes: vec![0; count],
                objects: vec![Object::None; count],
                indirect: Indirect::default(),
            },
            set: vec![false; count],
            group_size: program.group_size.unwrap_or([1; 3]),
            offset: [0; 3],
            indirect_access: ze_kernel_indirect_access_flags_t::empty(),
        }
    }
}

impl Kernel {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the size of work-groups.
    pub(super) fn set_group_size(&self, size: [u32; 3]) -> Answer {
        self.state().group_size = self.check_group_size(size)?;
        Ok(())
    }

    /// A size that work-groups may have.
    pub(super) fn check_group_size(&self, size: [u32; 3]) -> Answer<[u32; 3]> {
        let items = size.iter().map(|&size| u64::from(size)).fold(1, u64::saturating_mul);
        let required = self.kernel.program.group_size;
        let allowed = items != 0 && items <= limits::MAX_GROUP_SIZE.into();
        if !allowed || required.is_some_and(|required| required != size) {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
        }
        Ok(size)
    }

    /// Sets an argument.
    ///
    /// # Safety
    ///
    /// The value must be null or valid for reads of so many bytes.
    unsafe fn set_argument(&self, index: u32, size: usize, value: *const c_void) -> Answer {
        // SAFETY: the caller vouches for the value.
        unsafe { self.set_argument_in(&mut self.state(), index, size, value) }
    }

    /// Sets an argument of a launch of the kernel.
    ///
    /// # Safety
    ///
    /// The value must be null or valid for reads of so many bytes.
    pub(super) unsafe fn set_argument_in(
        &self,
        state: &mut State,
        index: u32,
        size: usize,
        value: *const c_void,
    ) -> Answer {
        let parameter = self.kernel.program.parameters.get(index as usize);
        let parameter = *parameter.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX)?;
        match parameter {
            Parameter::Local { .. } => {
                if !value.is_null() {
                    return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
                }
                let size =
                    u32::try_from(size).ok().filter(|&size| (1..=limits::MAX_LOCAL_MEMORY).contains(&size));
                state.arguments.local_sizes[index as usize] =
                    size.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE)?;
            }
            Parameter::Image { shape } => {
                // SAFETY: the caller vouches for the bytes.
                let image = get::<Image>(ze_image_handle_t(unsafe { handle(size, value)? }))?;
                if image.extent.shape != in_memory(shape) {
                    return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
                }
                state.arguments.objects[index as usize] = Object::Image(image);
            }
            Parameter::Sampler => {
                // SAFETY: the caller vouches for the bytes.
                let sampler = get::<Sampler>(ze_sampler_handle_t(unsafe { handle(size, value)? }))?;
                state.arguments.objects[index as usize] = Object::Sampler(sampler.0);
            }
            Parameter::Bytes { size: expected, offset, is_pointer, align } => {
                if size != expected as usize {
                    return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
                }
                let to = &mut state.arguments.bytes[offset as usize..offset as usize + size];
                if value.is_null() {
                    to.fill(0);
                } else {
                    // SAFETY: the caller vouches for the bytes.
                    let bytes = unsafe { std::slice::from_raw_parts(value.cast(), size) };
                    if is_pointer && !is_aligned(bytes, align) {
                        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT);
                    }
                    to.copy_from_slice(bytes);
                }
            }
        }
        state.set[index as usize] = true;
        Ok(())
    }

    /// Sets all arguments to values that are as large as they have to be. Of an argument in local memory it is the size.
    ///
    /// # Safety
    ///
    /// The values must be null, or an array of a pointer for each argument, each of which is null or valid for reads of such a value, which is a `usize` for local memory.
    pub(super) unsafe fn set_arguments(&self, values: *const *const c_void) -> Answer {
        let parameters = &self.kernel.program.parameters;
        if values.is_null() && !parameters.is_empty() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        for (index, parameter) in parameters.iter().enumerate() {
            let size = match *parameter {
                Parameter::Bytes { size, .. } => size as usize,
                Parameter::Image { .. } | Parameter::Sampler => size_of::<*mut c_void>(),
                Parameter::Local { .. } => {
                    // SAFETY: the caller vouches for the array and for the size.
                    let size = unsafe { read(values.add(index).read().cast::<usize>())? };
                    // SAFETY: such an argument has no value.
                    unsafe { self.set_argument(index as u32, size, std::ptr::null())? };
                    continue;
                }
            };
            // SAFETY: the caller vouches for the array and the values.
            unsafe { self.set_argument(index as u32, size, values.add(index).read())? };
        }
        Ok(())
    }
}

pub(super) unsafe extern "C" fn create(
    module: ze_module_handle_t,
    descriptor: *const ze_kernel_desc_t,
    kernel: *mut ze_kernel_handle_t,
) -> ze_result_t {
    guard(|| {
        let module = get::<Module>(module)?;
        // SAFETY: the host passes valid pointers or null, and a name that ends with NUL.
        let name = unsafe {
            let descriptor = read(descriptor)?;
            write(kernel, ze_kernel_handle_t::NULL)?;
            if descriptor.pKernelName.is_null() {
                return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
            }
            CStr::from_ptr(descriptor.pKernelName).to_owned()
        };
        let built = module.built()?;
        let found = name.to_str().ok().and_then(|name| built.kernel(name));
        let found = found.ok_or(ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_NAME)?.map_err(|text| {
            describe(text);
            ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY
        })?;
        let state = State::new(&found.program);
        let object = Kernel { kernel: found, name, state: Mutex::new(state), module };
        // SAFETY: the host passes a valid pointer.
        unsafe { write(kernel, insert(Arc::new(object))?) }
    })
}

pub(super) unsafe extern "C" fn destroy(kernel: ze_kernel_handle_t) -> ze_result_t {
    guard(|| remove::<Kernel>(kernel).map(drop))
}

pub(super) unsafe extern "C" fn set_group_size(
    kernel: ze_kernel_handle_t,
    x: u32,
    y: u32,
    z: u32,
) -> ze_result_t {
    guard(|| get::<Kernel>(kernel)?.set_group_size([x, y, z]))
}

/// Suggests full subgroups along the first dimension, as far as they divide the launch.
pub(super) unsafe extern "C" fn suggest_group_size(
    kernel: ze_kernel_handle_t,
    global_x: u32,
    global_y: u32,
    global_z: u32,
    x: *mut u32,
    y: *mut u32,
    z: *mut u32,
) -> ze_result_t {
    guard(|| {
        let kernel = get::<Kernel>(kernel)?;
        let global = [global_x, global_y, global_z];
        if global.contains(&0) {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION);
        }
        let size = kernel.kernel.program.group_size.unwrap_or_else(|| suggestion(global));
        // SAFETY: the host passes valid pointers or null.
        unsafe {
            write(x, size[0])?;
            write(y, size[1])?;
            write(z, size[2])
        }
    })
}

/// As many work-groups as surely make progress at the same time.
pub(super) unsafe extern "C" fn suggest_max_cooperative_group_count(
    kernel: ze_kernel_handle_t,
    count: *mut u32,
) -> ze_result_t {
    guard(|| {
        get::<Kernel>(kernel)?;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(count, max_cooperative_groups()) }
    })
}

/// Writes the attributes of a kernel as OpenCL C spells them, as far as the module says what they were.
pub(super) unsafe extern "C" fn get_source_attributes(
    kernel: ze_kernel_handle_t,
    size: *mut u32,
    to: *mut *mut c_char,
) -> ze_result_t {
    guard(|| {
        let kernel = get::<Kernel>(kernel)?;
        let group_size = kernel.kernel.program.group_size;
        let attributes =
            group_size.map_or_else(String::new, |[x, y, z]| format!("reqd_work_group_size({x},{y},{z})"));
        let attributes = CString::new(attributes).unwrap_or_default();
        // SAFETY: the host passes valid pointers or null, and the second one leads to as many bytes as the first one says, if it leads somewhere.
        unsafe {
            let mut room = read(size)? as usize;
            let bytes = if to.is_null() { std::ptr::null_mut() } else { to.read() };
            let answer = text(&mut room, bytes, &attributes);
            write(size, room as u32)?;
            answer
        }
    })
}

/// The largest power of two up to 256 that divides the first dimension; what is left of 256 for the others.
fn suggestion(global: [u32; 3]) -> [u32; 3] {
    let mut room = 256;
    global.map(|size| {
        let dividing = 1 << size.trailing_zeros().min(8);
        let taken = dividing.min(room);
        room /= taken;
        taken
    })
}

pub(super) unsafe extern "C" fn set_argument_value(
    kernel: ze_kernel_handle_t,
    index: u32,
    size: usize,
    value: *const c_void,
) -> ze_result_t {
    // SAFETY: the host passes as many bytes as it says.
    guard(|| unsafe { get::<Kernel>(kernel)?.set_argument(index, size, value) })
}

/// Whether an address is a multiple of what the module takes it to be one of: other devices would read something else elsewhere.
fn is_aligned(bytes: &[u8], align: u32) -> bool {
    let address = bytes.first_chunk().map_or(0, |bytes| u64::from_ne_bytes(*bytes));
    address.is_multiple_of(align.max(1).into())
}

/// A handle that is passed as an argument.
///
/// # Safety
///
/// The value must be null or valid for reads of so many bytes.
unsafe fn handle(size: usize, value: *const c_void) -> Answer<*mut c_void> {
    if size != size_of::<*mut c_void>() {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
    }
    if value.is_null() {
        return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    }
    // SAFETY: the caller vouches for the bytes.
    Ok(unsafe { value.cast::<*mut c_void>().read_unaligned() })
}

/// Lets the kernel access memory of these kinds that is no argument of it.
pub(super) unsafe extern "C" fn set_indirect_access(
    kernel: ze_kernel_handle_t,
    flags: ze_kernel_indirect_access_flags_t,
) -> ze_result_t {
    guard(|| {
        let kernel = get::<Kernel>(kernel)?;
        let has = |flag| flags.contains(flag);
        let indirect = Indirect {
            host: has(ze_kernel_indirect_access_flags_t::ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST),
            device: has(ze_kernel_indirect_access_flags_t::ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE),
            shared: has(ze_kernel_indirect_access_flags_t::ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED),
        };
        if flags.0 >> 3 != 0 {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
        }
        let mut state = kernel.state();
        state.indirect_access = flags;
        state.arguments.indirect = indirect;
        Ok(())
    })
}

pub(super) unsafe extern "C" fn get_indirect_access(
    kernel: ze_kernel_handle_t,
    flags: *mut ze_kernel_indirect_access_flags_t,
) -> ze_result_t {
    guard(|| {
        let access = get::<Kernel>(kernel)?.state().indirect_access;
        // SAFETY: the host passes a valid pointer or null.
        unsafe { write(flags, access) }
    })
}

/// There is one cache, and nothing to configure.
pub(super) unsafe extern "C" fn set_cache_config(
    kernel: ze_kernel_handle_t,
    _flags: ze_cache_config_flags_t,
) -> ze_result_t {
    guard(|| get::<Kernel>(kernel).map(drop))
}

/// Takes the hint that says what is done anyway.
pub(super) unsafe extern "C" fn set_scheduling_hint(
    kernel: ze_kernel_handle_t,
    hint: *mut ze_scheduling_hint_exp_desc_t,
) -> ze_result_t {
    guard(|| {
        get::<Kernel>(kernel)?;
        // SAFETY: the host passes a valid pointer or null.
        let flags = unsafe { read(hint.cast_const())? }.flags.0;
        if flags >> 3 != 0 || flags.count_ones() > 1 {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ENUMERATION);
        }
        match flags & !SCHEDULING_HINTS.0 {
            0 => Ok(()),
            _ => Err(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION),
        }
    })
}

pub(super) unsafe extern "C" fn set_global_offset(
    kernel: ze_kernel_handle_t,
    x: u32,
    y: u32,
    z: u32,
) -> ze_result_t {
    guard(|| {
        get::<Kernel>(kernel)?.state().offset = [x, y, z];
        Ok(())
    })
}

pub(super) unsafe extern "C" fn get_properties(
    kernel: ze_kernel_handle_t,
    properties: *mut ze_kernel_properties_t,
) -> ze_result_t {
    guard(|| {
        let kernel = get::<Kernel>(kernel)?;
        if properties.is_null() {
            return Err(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_POINTER);
        }
        let program = &kernel.kernel.program;
        // SAFETY: the host passes a structure whose first two fields are set.
        let to = unsafe { &mut *properties };
        let [x, y, z] = program.group_size.unwrap_or([0; 3]);
        *to = ze_kernel_properties_t {
            stype: to.stype,
            pNext: to.pNext,
            numKernelArgs: program.parameters.len() as u32,
            requiredGroupSizeX: x,
            requiredGroupSizeY: y,
            requiredGroupSizeZ: z,
            maxSubgroupSize: program.subgroup_size,
            maxNumSubgroups: limits::MAX_GROUP_SIZE / program.subgroup_size,
            localMemSize: program.local_bytes,
            privateMemSize: program.private_bytes,
            ..Default::default()
        };
        // SAFETY: the host vouches for the chain, and nothing else refers to what is in it meanwhile.
        unsafe { structures::complete_kernel(to.pNext) };
        Ok(())
    })
}

pub(super) unsafe extern "C" fn get_name(
    kernel: ze_kernel_handle_t,
    size: *mut usize,
    name: *mut c_char,
) -> ze_result_t {
    guard(|| {
        let kernel = get::<Kernel>(kernel)?;
        // SAFETY: the host passes pointers as the specification says.
        unsafe { text(size, name, &kernel.name) }
    })
}

/// `zeKernelGetBinaryExp` of version 1.11: the code of the processor for the size of work-groups that has been set.
pub(super) unsafe extern "C" fn get_binary(
    kernel: ze_kernel_handle_t,
    size: *mut usize,
    to: *mut u8,
) -> ze_result_t {
    guard(|| {
        let kernel = get::<Kernel>(kernel)?;
        let group_size = kernel.state().group_size;
        let code = kernel.kernel.machine_code(group_size);
        let code = code.ok_or(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)?;
        // SAFETY: the host passes pointers as the specification says.
        unsafe { blob(size, to, &code) }
    })
}

structures::structures! {
    /// `ze_kernel_allocation_exp_properties_t`.
    AllocationProperties = 0x0002_0039 {
        base: u64 = 0,
        size: usize = 0,
        type_: ze_memory_type_t = ze_memory_type_t::ZE_MEMORY_TYPE_UNKNOWN,
        argument: u32 = 0,
    }
}

impl Kernel {
    /// The allocations that its arguments lead to, with their numbers, and then that of the variables of its module.
    fn allocations(&self) -> Vec<(Arc<Allocation>, u32)> {
        /// What stands for no argument.
        const NONE: u32 = u32::MAX;
        let memory = self.module.context().memory.snapshot();
        let state = self.state();
        let address = |parameter: &Parameter| match *parameter {
            Parameter::Bytes { offset, is_pointer: true, .. } => {
                let bytes = state.arguments.bytes.get(offset as usize..)?.first_chunk()?;
                Some(u64::from_ne_bytes(*bytes))
            }
            _ => None,
        };
        let arguments = self.kernel.program.parameters.iter().zip(0..).filter_map(|(parameter, index)| {
            let found = memory.find(address(parameter).filter(|_| state.set[index as usize])?)?;
            Some((Arc::clone(found), index))
        });
        arguments.chain(self.kernel.data().map(|data| (Arc::clone(data), NONE))).collect()
    }
}

/// `zeKernelGetAllocationPropertiesExp` of version 1.14: the memory that the arguments lead to as they are set.
pub(super) unsafe extern "C" fn get_allocation_properties(
    kernel: ze_kernel_handle_t,
    count: *mut u32,
    properties: *mut AllocationProperties,
) -> ze_result_t {
    guard(|| {
        let all = get::<Kernel>(kernel)?.allocations();
        // SAFETY: the host passes valid pointers or null, and an array of `count` structures whose first two fields are set.
        unsafe {
            let room = read(count)? as usize;
            if room == 0 || properties.is_null() {
                return write(count, all.len() as u32);
            }
            for (index, (allocation, argument)) in all.iter().take(room).enumerate() {
                let to = &mut *properties.add(index);
                let span = allocation.span();
                (to.base, to.size) = (span.start, span.length as usize);
                (to.type_, to.argument) = (memory_type(allocation), *argument);
            }
            write(count, all.len().min(room) as u32)
        }
    })
}

/// The arguments that a launch needs, all set; see `launch`.
pub(super) fn check_arguments(state: &State) -> Answer {
    let all = state.set.iter().all(|&set| set);
    if all { Ok(()) } else { Err(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT) }
}
