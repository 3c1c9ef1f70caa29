//! Fuzzing: changed modules that are launched, and calls of the API in any order, with handles and values of all kinds. Nothing may panic, harm memory or hang.
//!
//! By themselves the tests take few rounds; `cargo xtask fuzz` has them take as many as one likes, from any seed:
//! `KERNEL_CPU_FUZZ_ROUNDS` and `KERNEL_CPU_FUZZ_SEED` say which. The seed of a round that fails is in the message.

mod driver;
mod random;

use driver::{
    AppendHostFunction, AppendLists, AppendWithArguments, Gpu, GroupSize, KERNELS, api, create_kernel, later,
    set, set_group_size, set_local,
};
use level_zero_sys::*;
use random::{Random, seeds};
use std::ffi::c_void;
use std::ptr::{null, null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Memory that nothing may change.
struct Canary(driver::Buffer<u8>);

impl Canary {
    fn new(gpu: &Gpu) -> Self {
        Self(gpu.buffer(&[0x5a_u8; 4096]))
    }

    fn check(&self, seed: u64) {
        assert!(self.0.read().iter().all(|byte| *byte == 0x5a), "seed {seed} has harmed memory");
    }
}

const MODULES: [&[u8]; 39] = [
    include_bytes!("modules/addresses.spv"),
    include_bytes!("modules/aliasing.spv"),
    include_bytes!("modules/arguments.spv"),
    include_bytes!("modules/atomic_float_bits.spv"),
    include_bytes!("modules/atomic_float_exchange.spv"),
    include_bytes!("modules/atomic_integer_sum.spv"),
    include_bytes!("modules/atomic_short.spv"),
    include_bytes!("modules/atomics.spv"),
    include_bytes!("modules/bits.spv"),
    include_bytes!("modules/blocks.spv"),
    include_bytes!("modules/constants.spv"),
    include_bytes!("modules/copies.spv"),
    include_bytes!("modules/environment.spv"),
    include_bytes!("modules/fast_math.spv"),
    include_bytes!("modules/function_pointers.spv"),
    include_bytes!("modules/groups.spv"),
    include_bytes!("modules/half_images.spv"),
    include_bytes!("modules/image_blocks.spv"),
    include_bytes!("modules/image_queries.spv"),
    include_bytes!("modules/images.spv"),
    include_bytes!("modules/irreducible.spv"),
    include_bytes!("modules/kernels.spv"),
    include_bytes!("modules/kernels_o0.spv"),
    include_bytes!("modules/lines.spv"),
    include_bytes!("modules/link_constant.spv"),
    include_bytes!("modules/link_library.spv"),
    include_bytes!("modules/link_main.spv"),
    include_bytes!("modules/link_opaque.spv"),
    include_bytes!("modules/link_typed.spv"),
    include_bytes!("modules/link_variable.spv"),
    include_bytes!("modules/matrices.spv"),
    include_bytes!("modules/opencl_functions.spv"),
    include_bytes!("modules/private.spv"),
    include_bytes!("modules/private_o0.spv"),
    include_bytes!("modules/races.spv"),
    include_bytes!("modules/straight.spv"),
    include_bytes!("modules/swap.spv"),
    include_bytes!("modules/tables.spv"),
    include_bytes!("modules/uniform_groups.spv"),
];

/// Changes a module: words of it, or what its instructions do and refer to.
fn mutate(module: &[u8], random: &mut Random) -> Vec<u8> {
    let mut words = driver::words(module);
    for _ in 0..=random.below(2) {
        if random.one_in(3) {
            change_word(&mut words, random)
        } else {
            change_instruction(&mut words, random)
        }
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn change_word(words: &mut [u32], random: &mut Random) {
    let at = 5 + random.below(words.len() - 5);
    words[at] = match random.below(4) {
        0 => words[5 + random.below(words.len() - 5)],
        1 => words[at] ^ 1 << random.below(32),
        2 => random.below(400) as u32,
        _ => words[at].wrapping_add(1),
    };
}

/// Leaves instructions whole, so that the module is parsed to its end.
fn change_instruction(words: &mut Vec<u32>, random: &mut Random) {
    let mut places = Vec::new();
    let mut at = 5;
    while let Some(length) = words.get(at).map(|word| (word >> 16) as usize).filter(|&length| length != 0) {
        if at + length > words.len() {
            break;
        }
        places.push((at, length));
        at += length;
    }
    let Some((at, length)) = random.pick(&places) else { return };
    match random.below(6) {
        0 => drop(words.drain(at..at + length)),
        // Once more elsewhere; what has a result is there twice then, unless it gets one that nobody has.
        1 => {
            let mut copy = words[at..at + length].to_vec();
            if length > 2 && random.one_in(2) {
                copy[2] = words[3];
                words[3] += 1;
            }
            let to = random.pick(&places).map_or(at, |(to, _)| to);
            words.splice(to..to, copy);
        }
        // Another operation with as many operands.
        2 => {
            let alike: Vec<u32> =
                places.iter().filter(|place| place.1 == length).map(|place| words[place.0]).collect();
            words[at] = random.pick(&alike).unwrap_or(words[at]);
        }
        // What another instruction of the same operation refers to, or any id.
        _ if length > 1 => {
            let operand = 1 + random.below(length - 1);
            let alike = places.iter().filter(|place| words[place.0] == words[at]);
            let alike: Vec<u32> = alike.map(|place| words[place.0 + operand]).collect();
            let any = random.below(words[3] as usize) as u32;
            words[at + operand] = if random.one_in(3) { any } else { random.pick(&alike).unwrap_or(any) };
        }
        _ => {}
    }
}

/// The names of the kernels of a module.
fn names(module: ze_module_handle_t) -> Vec<String> {
    let mut count = 0;
    // SAFETY: the first call asks for the count, the second has as much room; names live as long as the module.
    unsafe {
        api().zeModuleGetKernelNames(module, &mut count, null_mut()).into_result().unwrap();
        let mut names = vec![null(); count as usize];
        api().zeModuleGetKernelNames(module, &mut count, names.as_mut_ptr()).into_result().unwrap();
        names.iter().map(|&name| std::ffi::CStr::from_ptr(name).to_string_lossy().into_owned()).collect()
    }
}

/// Launches a kernel with what its arguments may be; one that does not end is stopped when its list is destroyed.
fn launch_all(gpu: &Gpu, module: ze_module_handle_t, random: &mut Random, seed: u64) -> usize {
    let data = gpu.buffer(&[0x3f00_0001_u32; 1024]);
    let format = (
        ze_image_format_layout_t::ZE_IMAGE_FORMAT_LAYOUT_32,
        ze_image_format_type_t::ZE_IMAGE_FORMAT_TYPE_FLOAT,
    );
    let image = gpu.image(ze_image_type_t::ZE_IMAGE_TYPE_2D, format, [16, 4]);
    let mut launched = 0;
    for name in names(module) {
        let Ok(kernel) = create_kernel(module, &name) else { continue };
        for index in 0..8 {
            // Into the memory, or to where there is none: what an argument leads to is the kernel's to change.
            let address = data.pointer as u64 + [0, 4, 4092, 1 << 40][random.below(4)];
            let first =
                if random.one_in(4) { set(kernel, index, image) } else { set(kernel, index, address) };
            let _ = first
                .or_else(|_| set(kernel, index, image))
                .or_else(|_| set(kernel, index, random.below(80) as u32))
                .or_else(|_| set_local(kernel, index, 1 + random.below(2048)))
                .or_else(|_| set(kernel, index, [1_u64; 2]));
        }
        let _ = set_group_size(kernel, [[1, 1, 1], [16, 1, 1], [5, 3, 1], [64, 1, 1]][random.below(4)]);
        if driver::append_launch(
            gpu.list,
            kernel,
            [1 + random.below(3) as u32, 1, 1],
            ze_event_handle_t::NULL,
        )
        .is_ok()
        {
            launched += 1;
        }
        // A few milliseconds are enough for what ends.
        let wait: unsafe extern "C" fn(ze_command_list_handle_t, u64) -> ze_result_t =
            later("zeCommandListHostSynchronize");
        // SAFETY: the handle is live.
        let waited = unsafe { wait(gpu.list, 20_000_000) };
        assert_ne!(waited, ze_result_t::ZE_RESULT_ERROR_UNKNOWN, "seed {seed}, kernel {name}");
        // SAFETY: the handle is live.
        unsafe { api().zeKernelDestroy(kernel).into_result().unwrap() };
        if waited == ze_result_t::ZE_RESULT_NOT_READY {
            break;
        }
    }
    // SAFETY: the handle is live.
    unsafe { api().zeImageDestroy(image).into_result().unwrap() };
    launched
}

#[test]
fn changed_modules_are_launched_without_harm() {
    let (mut built, mut launched) = (0, 0);
    for seed in seeds(12) {
        let mut random = Random(seed);
        // Each round has its own list, whose end stops what does not end by itself.
        let gpu = Gpu::asynchronous();
        let canary = Canary::new(&gpu);
        for module in MODULES {
            let changed = mutate(module, &mut random);
            match gpu.module(&changed) {
                Ok(module) => {
                    built += 1;
                    launched += launch_all(&gpu, module, &mut random, seed);
                }
                Err(error) => assert!(!error.contains("ERROR_UNKNOWN"), "seed {seed}: {error}"),
            }
        }
        canary.check(seed);
    }
    assert!(built > 0 && launched > 0, "{built} built, {launched} launched");
}

/// What a round has made so far. Handles that were destroyed stay, so that they are used again.
struct Objects {
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    /// Regular lists and immediate ones.
    lists: Vec<ze_command_list_handle_t>,
    queues: Vec<ze_command_queue_handle_t>,
    pools: Vec<ze_event_pool_handle_t>,
    events: Vec<ze_event_handle_t>,
    kernels: Vec<ze_kernel_handle_t>,
    physical: Vec<ze_physical_mem_handle_t>,
    /// Memory that is live: a program that hands on what it has freed harms itself.
    memory: Vec<(usize, usize)>,
    opened: Vec<usize>,
    ranges: Vec<(usize, usize)>,
    ipc: Vec<ze_ipc_mem_handle_t>,
    ids: Vec<u64>,
    fences: Vec<ze_fence_handle_t>,
    images: Vec<ze_image_handle_t>,
    module: ze_module_handle_t,
    host: Vec<u8>,
}

const PAGE: usize = 4096;

/// The texels of an image of a round.
const IMAGE: [u32; 2] = [16, 4];
const IMAGE_BYTES: usize = 16 * 4 * 4;

/// What lists call on the host.
unsafe extern "C" fn count_call(_: *mut c_void) {
    CALLS_OF_HOST.fetch_add(1, Ordering::Relaxed);
}

static CALLS_OF_HOST: AtomicUsize = AtomicUsize::new(0);

/// A handle that is none: those with an index have one that no object gets.
fn stray(random: &mut Random) -> *mut c_void {
    let of_a_kind = 0xffff_ff00 | random.below(24);
    let any = random.next() as usize | 1 << 31;
    without_provenance_mut([0, 1, of_a_kind, 1 << 32 | of_a_kind, usize::MAX, any][random.below(6)])
}

macro_rules! handle {
    ($objects:ident.$kind:ident, $random:ident, $ty:ident) => {
        match $random.pick(&$objects.$kind) {
            Some(handle) if !$random.one_in(12) => handle,
            _ => $ty(stray($random)),
        }
    };
}

impl Objects {
    fn new(gpu: &Gpu, module: ze_module_handle_t) -> Self {
        Self {
            context: gpu.context,
            device: gpu.device,
            lists: Vec::new(),
            queues: Vec::new(),
            pools: Vec::new(),
            events: Vec::new(),
            kernels: Vec::new(),
            physical: Vec::new(),
            memory: Vec::new(),
            opened: Vec::new(),
            ranges: Vec::new(),
            ipc: Vec::new(),
            ids: vec![0, u64::MAX],
            fences: Vec::new(),
            images: Vec::new(),
            module,
            host: vec![0; 1 << 16],
        }
    }

    /// Memory that a command may access, and how much of it there is.
    fn target(&mut self, random: &mut Random) -> (*mut c_void, usize) {
        let own = (self.host.as_mut_ptr().expose_provenance(), self.host.len());
        let reserved = random.pick(&self.ranges).filter(|_| random.one_in(3));
        let (start, size) = reserved.or_else(|| random.pick(&self.memory)).unwrap_or(own);
        let offset = random.below(size);
        (std::ptr::with_exposed_provenance_mut(start + offset), size - offset)
    }

    /// An address that a kernel gets.
    fn address(&self, random: &mut Random) -> u64 {
        let known = self.memory.iter().chain(&self.ranges).map(|(start, _)| *start as u64);
        let known: Vec<u64> = known.chain([0, 64, !7]).collect();
        random.pick(&known).unwrap_or(0).wrapping_add((random.below(4) * 4) as u64)
    }

    /// Makes one call.
    fn call(&mut self, random: &mut Random) -> ze_result_t {
        match random.below(5) {
            0 => self.call_about_memory(random),
            1 => self.call_about_events(random),
            2 => self.append(random),
            3 => self.call_about_kernels(random),
            _ => self.call_about_lists(random),
        }
    }

    fn call_about_memory(&mut self, random: &mut Random) -> ze_result_t {
        let (api, context, device) = (api(), self.context, self.device);
        let mut pointer: *mut c_void = null_mut();
        let bits = random.below(17);
        let size = 1 + random.below(1 << bits);
        // SAFETY: pointers are to live variables; what is wrong with handles and values the driver must notice.
        unsafe {
            match random.below(13) {
                0..=2 => {
                    let align = [0, 1, 64, 4096, 3][random.below(5)];
                    let (of_device, of_host) = (Default::default(), Default::default());
                    let result = match random.below(3) {
                        0 => api.zeMemAllocDevice(context, &of_device, size, align, device, &mut pointer),
                        1 => api.zeMemAllocHost(context, &of_host, size, align, &mut pointer),
                        _ => api.zeMemAllocShared(
                            context,
                            &of_device,
                            &of_host,
                            size,
                            align,
                            device,
                            &mut pointer,
                        ),
                    };
                    if !pointer.is_null() {
                        self.memory.push((pointer.expose_provenance(), size));
                    }
                    result
                }
                3 => {
                    let Some((start, _)) = random.pick(&self.memory) else { return SUCCESS };
                    self.memory.retain(|(other, _)| *other != start);
                    api.zeMemFree(context, std::ptr::with_exposed_provenance_mut(start))
                }
                4 => {
                    let size = PAGE * (1 + random.below(8));
                    let result = api.zeVirtualMemReserve(context, null(), size, &mut pointer);
                    if !pointer.is_null() {
                        self.ranges.push((pointer.expose_provenance(), size));
                    }
                    result
                }
                5 => {
                    let size = PAGE * random.below(6) + usize::from(random.one_in(8));
                    let mut descriptor = ze_physical_mem_desc_t { size, ..Default::default() };
                    let mut memory = ze_physical_mem_handle_t::NULL;
                    let result = api.zePhysicalMemCreate(context, device, &mut descriptor, &mut memory);
                    self.physical.push(memory);
                    result
                }
                6 => {
                    let memory = handle!(self.physical, random, ze_physical_mem_handle_t);
                    api.zePhysicalMemDestroy(context, memory)
                }
                7..=9 => self.change_range(random),
                10 => {
                    let Some((start, _)) = random.pick(&self.memory) else { return SUCCESS };
                    let mut handle = ze_ipc_mem_handle_t { data: [0; 64] };
                    let at = std::ptr::with_exposed_provenance(start);
                    let result = api.zeMemGetIpcHandle(context, at, &mut handle);
                    self.ipc.push(handle);
                    result
                }
                11 => {
                    let Some(mut handle) = random.pick(&self.ipc) else { return SUCCESS };
                    if random.one_in(2) {
                        handle.data[random.below(64)] ^= 1 << random.below(7);
                    }
                    let flags = Default::default();
                    let result = api.zeMemOpenIpcHandle(context, device, handle, flags, &mut pointer);
                    if !pointer.is_null() {
                        self.opened.push(pointer.expose_provenance());
                    }
                    result
                }
                _ => {
                    let start = random.pick(&self.opened).unwrap_or(64);
                    api.zeMemCloseIpcHandle(context, std::ptr::with_exposed_provenance(start))
                }
            }
        }
    }

    fn change_range(&mut self, random: &mut Random) -> ze_result_t {
        let Some((start, length)) = random.pick(&self.ranges) else { return SUCCESS };
        let offset = PAGE * random.below(length / PAGE + 1) + 8 * usize::from(random.one_in(20));
        let size = PAGE * random.below(length / PAGE + 2);
        let at = std::ptr::with_exposed_provenance(start.wrapping_add(offset));
        let attribute = ze_memory_access_attribute_t(random.below(4) as u32);
        let (api, context) = (api(), self.context);
        // SAFETY: as above.
        unsafe {
            match random.below(6) {
                0..=2 => {
                    let memory = handle!(self.physical, random, ze_physical_mem_handle_t);
                    api.zeVirtualMemMap(context, at, size, memory, PAGE * random.below(3), attribute)
                }
                3 => api.zeVirtualMemUnmap(context, at, size),
                4 => api.zeVirtualMemSetAccessAttribute(context, at, size, attribute),
                _ => {
                    let (at, size) = if random.one_in(2) {
                        (std::ptr::with_exposed_provenance(start), length)
                    } else {
                        (at, size)
                    };
                    // A part of a range stays, unless it is the whole of the next one.
                    self.ranges.retain(|range| *range != (at.addr(), size));
                    api.zeVirtualMemFree(context, at, size)
                }
            }
        }
    }

    fn call_about_events(&mut self, random: &mut Random) -> ze_result_t {
        let (api, context) = (api(), self.context);
        // SAFETY: as above.
        unsafe {
            match random.below(9) {
                8 => {
                    // `ze_event_counter_based_desc_t`: its type, the chain, flags and scopes.
                    let flags = (random.below(64) as u64) | 1 << 32;
                    let (descriptor, mut event) = ([0x2_0031_u64, 0, flags, 1], ze_event_handle_t::NULL);
                    let create: unsafe extern "C" fn(
                        ze_context_handle_t,
                        ze_device_handle_t,
                        *const c_void,
                        *mut ze_event_handle_t,
                    ) -> ze_result_t = later("zeEventCounterBasedCreate");
                    let result = create(context, self.device, descriptor.as_ptr().cast(), &mut event);
                    self.events.push(event);
                    result
                }
                0 => {
                    let flags = ze_event_pool_flags_t([0, 1, 3, 7][random.below(4)]);
                    let count = random.below(8) as u32;
                    let counts = [0x2_0014_u64, 0, 3];
                    let next = if random.one_in(3) { counts.as_ptr().cast() } else { null() };
                    let descriptor = ze_event_pool_desc_t { pNext: next, flags, count, ..Default::default() };
                    let mut pool = ze_event_pool_handle_t::NULL;
                    let result = api.zeEventPoolCreate(context, &descriptor, 0, null_mut(), &mut pool);
                    self.pools.push(pool);
                    result
                }
                1 | 2 => {
                    let pool = handle!(self.pools, random, ze_event_pool_handle_t);
                    let descriptor = ze_event_desc_t { index: random.below(8) as u32, ..Default::default() };
                    let mut event = ze_event_handle_t::NULL;
                    let result = api.zeEventCreate(pool, &descriptor, &mut event);
                    self.events.push(event);
                    result
                }
                3 => api.zeEventHostSignal(handle!(self.events, random, ze_event_handle_t)),
                4 => api.zeEventHostReset(handle!(self.events, random, ze_event_handle_t)),
                5 => api.zeEventHostSynchronize(handle!(self.events, random, ze_event_handle_t), 1000),
                6 if random.one_in(4) => {
                    api.zeEventPoolDestroy(handle!(self.pools, random, ze_event_pool_handle_t))
                }
                _ if random.one_in(4) => api.zeEventDestroy(handle!(self.events, random, ze_event_handle_t)),
                _ => {
                    let mut times = Default::default();
                    let event = handle!(self.events, random, ze_event_handle_t);
                    api.zeEventQueryKernelTimestamp(event, &mut times)
                }
            }
        }
    }

    fn call_about_kernels(&mut self, random: &mut Random) -> ze_result_t {
        let api = api();
        let kernel = handle!(self.kernels, random, ze_kernel_handle_t);
        // SAFETY: as above.
        unsafe {
            match random.below(8) {
                6 => self.reload(random),
                7 => {
                    let image = handle!(self.images, random, ze_image_handle_t);
                    if random.one_in(3) {
                        api.zeImageDestroy(image)
                    } else {
                        set_value(kernel, random, image)
                    }
                }
                0 | 1 => {
                    const NAMES: [&str; 5] = ["collatz", "write_at", "atomics", "group_sum", "none"];
                    let made = create_kernel(self.module, NAMES[random.below(5)]);
                    self.kernels.extend(made);
                    made.map_or_else(|code| code, |_| SUCCESS)
                }
                2 | 3 => {
                    let address = self.address(random);
                    let (index, size) = (random.below(3) as u32, [8, 8, 8, 4][random.below(4)]);
                    let value = if random.one_in(6) { null() } else { (&raw const address).cast() };
                    api.zeKernelSetArgumentValue(kernel, index, size, value)
                }
                4 => api.zeKernelSetGroupSize(kernel, [1, 8, 64, 0][random.below(4)], 1, 1),
                _ if random.one_in(4) => api.zeKernelDestroy(kernel),
                _ => api.zeKernelSetIndirectAccess(
                    kernel,
                    ze_kernel_indirect_access_flags_t(random.below(16) as u32),
                ),
            }
        }
    }

    /// Has a changed native binary built.
    fn reload(&self, random: &mut Random) -> ze_result_t {
        let mut module = ze_module_handle_t::NULL;
        let mut size = 0;
        // SAFETY: as above; the buffer has as many bytes as were asked for.
        unsafe {
            let _ = api().zeModuleGetNativeBinary(self.module, &mut size, null_mut());
            let mut binary = vec![0_u8; size];
            let _ = api().zeModuleGetNativeBinary(self.module, &mut size, binary.as_mut_ptr());
            for _ in 0..random.below(3) {
                // In the header, or anywhere.
                let end = if random.one_in(2) { 48 } else { size };
                let at = random.below(end);
                binary[at] ^= 1 << random.below(8);
            }
            let descriptor = ze_module_desc_t {
                format: ze_module_format_t::ZE_MODULE_FORMAT_NATIVE,
                inputSize: size - if random.one_in(2) { random.below(size) } else { 0 },
                pInputModule: binary.as_ptr(),
                ..Default::default()
            };
            let result =
                api().zeModuleCreate(self.context, self.device, &descriptor, &mut module, null_mut());
            if result == SUCCESS {
                let _ = api().zeModuleDestroy(module);
            }
            result
        }
    }

    fn append(&mut self, random: &mut Random) -> ze_result_t {
        let api = api();
        let list = handle!(self.lists, random, ze_command_list_handle_t);
        let signal = if random.one_in(2) {
            ze_event_handle_t::NULL
        } else {
            handle!(self.events, random, ze_event_handle_t)
        };
        let count = if random.one_in(4) { 1 } else { 0 };
        let mut wait = handle!(self.events, random, ze_event_handle_t);
        let waits = &raw mut wait;
        let ((to, room), (from, other)) = (self.target(random), self.target(random));
        let more = usize::from(random.one_in(10));
        let size = random.below(room.min(other) + more);
        let byte = random.next() as u8;
        let groups = ze_group_count_t {
            groupCountX: random.below(4) as u32,
            groupCountY: 1,
            groupCountZ: 1 + u32::from(random.one_in(9)),
        };
        let kernel = handle!(self.kernels, random, ze_kernel_handle_t);
        let other_is_large = other >= IMAGE_BYTES;
        // SAFETY: as above; host memory has as many bytes as is said.
        unsafe {
            match random.below(14) {
                8 => {
                    let append: AppendHostFunction = later("zeCommandListAppendHostFunction");
                    let called = Some(count_call as unsafe extern "C" fn(*mut c_void));
                    append(list, called, null_mut(), null(), signal, count, waits)
                }
                9 => {
                    let append: AppendWithArguments = later("zeCommandListAppendLaunchKernelWithArguments");
                    // As many values as the most that a kernel of the modules takes.
                    let values: [u64; 12] = std::array::from_fn(|_| self.address(random));
                    let mut arguments =
                        values.each_ref().map(|value| std::ptr::from_ref(value).cast_mut().cast());
                    let size = [1, 8, 64, 0][random.below(4)];
                    let arguments = if random.one_in(9) { null_mut() } else { arguments.as_mut_ptr() };
                    append(
                        list,
                        kernel,
                        groups,
                        GroupSize([size, 1, 1]),
                        arguments,
                        null(),
                        signal,
                        count,
                        waits,
                    )
                }
                10 => {
                    let image = handle!(self.images, random, ze_image_handle_t);
                    let other = handle!(self.images, random, ze_image_handle_t);
                    let part = ze_image_region_t {
                        originX: random.below(9) as u32,
                        width: random.below(18) as u32,
                        height: random.below(5) as u32,
                        depth: 1,
                        ..Default::default()
                    };
                    match random.below(3) {
                        0 => api.zeCommandListAppendImageCopyRegion(
                            list, image, other, &part, &part, signal, count, waits,
                        ),
                        1 if room >= IMAGE_BYTES => api.zeCommandListAppendImageCopyToMemory(
                            list, to, image, &part, signal, count, waits,
                        ),
                        2 if other_is_large => api.zeCommandListAppendImageCopyFromMemory(
                            list, image, from, &part, signal, count, waits,
                        ),
                        _ => api.zeCommandListAppendImageCopy(list, image, other, signal, count, waits),
                    }
                }
                0 => {
                    // What begins in memory of this program must end there.
                    let size = size.min(room).min(other);
                    api.zeCommandListAppendMemoryCopy(list, to, from, size, signal, count, waits)
                }
                1 => {
                    let (size, pattern) = (size.min(room), (&raw const byte).cast());
                    api.zeCommandListAppendMemoryFill(list, to, pattern, 1, size, signal, count, waits)
                }
                2 => api.zeCommandListAppendBarrier(list, signal, count, waits),
                3 => api.zeCommandListAppendSignalEvent(list, signal),
                4 if random.one_in(3) => api.zeCommandListAppendEventReset(list, signal),
                5 => api
                    .zeCommandListAppendLaunchCooperativeKernel(list, kernel, &groups, signal, count, waits),
                6 => {
                    let size = size.min(room);
                    api.zeCommandListAppendMemoryPrefetch(list, to, size)
                }
                _ => api.zeCommandListAppendLaunchKernel(list, kernel, &groups, signal, count, waits),
            }
        }
    }

    /// None, or any event.
    fn signal(&self, random: &mut Random) -> ze_event_handle_t {
        if random.one_in(2) {
            ze_event_handle_t::NULL
        } else {
            handle!(self.events, random, ze_event_handle_t)
        }
    }

    /// None, a fence of some queue, or a new one, which may be destroyed before it is signalled.
    fn fence(&mut self, queue: ze_command_queue_handle_t, random: &mut Random) -> ze_fence_handle_t {
        let mut fence = ze_fence_handle_t::NULL;
        // SAFETY: as above.
        unsafe {
            match random.below(6) {
                0 => {
                    let _ = api().zeFenceCreate(queue, &Default::default(), &mut fence);
                    self.fences.push(fence);
                }
                1 => {
                    let old = handle!(self.fences, random, ze_fence_handle_t);
                    let _ = api().zeFenceDestroy(old);
                    return old;
                }
                2 => {
                    fence = handle!(self.fences, random, ze_fence_handle_t);
                    let _ = api().zeFenceHostSynchronize(fence, 1000);
                    let _ = api().zeFenceReset(fence);
                }
                _ => {}
            }
        }
        fence
    }

    /// Changes what a command signals, or what it waits for.
    fn change_events(&self, list: ze_command_list_handle_t, random: &mut Random) -> ze_result_t {
        let id = random.pick(&self.ids).unwrap_or(0);
        let mut event = handle!(self.events, random, ze_event_handle_t);
        // SAFETY: as above.
        unsafe {
            if random.one_in(2) {
                let update: unsafe extern "C" fn(
                    ze_command_list_handle_t,
                    u64,
                    ze_event_handle_t,
                ) -> ze_result_t = later("zeCommandListUpdateMutableCommandSignalEventExp");
                update(list, id, event)
            } else {
                let update: unsafe extern "C" fn(
                    ze_command_list_handle_t,
                    u64,
                    u32,
                    *mut ze_event_handle_t,
                ) -> ze_result_t = later("zeCommandListUpdateMutableCommandWaitEventsExp");
                update(list, id, 1, &mut event)
            }
        }
    }

    fn call_about_lists(&mut self, random: &mut Random) -> ze_result_t {
        let (api, context, device) = (api(), self.context, self.device);
        let list = handle!(self.lists, random, ze_command_list_handle_t);
        let queue = handle!(self.queues, random, ze_command_queue_handle_t);
        let mut made = ze_command_list_handle_t::NULL;
        // SAFETY: as above.
        unsafe {
            let result = match random.below(16) {
                0 => {
                    // The last one is that for lists in order.
                    let flags = ze_command_list_flags_t([0, 1, 4, 8][random.below(4)]);
                    let descriptor = ze_command_list_desc_t { flags, ..Default::default() };
                    api.zeCommandListCreate(context, device, &descriptor, &mut made)
                }
                1 => {
                    // No synchronous one: it would wait for events that nobody signals.
                    let mode = ze_command_queue_mode_t([0, 2, 3][random.below(3)]);
                    let flags = ze_command_queue_flags_t(random.below(4) as u32);
                    let descriptor = ze_command_queue_desc_t { mode, flags, ..Default::default() };
                    api.zeCommandListCreateImmediate(context, device, &descriptor, &mut made)
                }
                2 => {
                    let mut queue = ze_command_queue_handle_t::NULL;
                    let result = api.zeCommandQueueCreate(context, device, &Default::default(), &mut queue);
                    self.queues.push(queue);
                    result
                }
                3 | 4 => api.zeCommandListClose(list),
                5 => api.zeCommandListReset(list),
                6 if random.one_in(3) => api.zeCommandListDestroy(list),
                7 if random.one_in(4) => api.zeCommandQueueDestroy(queue),
                8 => api.zeCommandQueueSynchronize(queue, 1000),
                9 => {
                    let copy: unsafe extern "C" fn(
                        ze_command_list_handle_t,
                        *mut ze_command_list_handle_t,
                    ) -> ze_result_t = later("zeCommandListCreateCloneExp");
                    copy(list, &mut made)
                }
                10 => {
                    let next: unsafe extern "C" fn(
                        ze_command_list_handle_t,
                        *const c_void,
                        *mut u64,
                    ) -> ze_result_t = later("zeCommandListGetNextCommandIdExp");
                    let (descriptor, mut id) = ([0x2_0017_u64, 0, random.below(70) as u64], 0);
                    let result = next(list, descriptor.as_ptr().cast(), &mut id);
                    self.ids.push(id);
                    result
                }
                11 => {
                    let update: unsafe extern "C" fn(ze_command_list_handle_t, *const c_void) -> ze_result_t =
                        later("zeCommandListUpdateMutableCommandsExp");
                    let id = random.pick(&self.ids).unwrap_or(0);
                    let address = self.address(random);
                    // An argument of 8 bytes.
                    let value = (&raw const address).expose_provenance() as u64;
                    let change = [0x2_0019, 0, id, random.below(3) as u64, 8, value];
                    let first = change.as_ptr().expose_provenance() as u64;
                    let descriptor = [0x2_0018_u64, first, 0];
                    update(list, descriptor.as_ptr().cast())
                }
                12 => self.change_events(list, random),
                13 => {
                    let append: AppendLists = later("zeCommandListImmediateAppendCommandListsExp");
                    let mut closed = handle!(self.lists, random, ze_command_list_handle_t);
                    append(list, 1, &mut closed, self.signal(random), 0, null_mut())
                }
                _ => {
                    let mut list = list;
                    let fence = self.fence(queue, random);
                    api.zeCommandQueueExecuteCommandLists(queue, 1, &mut list, fence)
                }
            };
            self.lists.push(made);
            result
        }
    }
}

/// Makes an image an argument.
fn set_value(kernel: ze_kernel_handle_t, random: &mut Random, image: ze_image_handle_t) -> ze_result_t {
    set(kernel, random.below(3) as u32, image).map_or_else(|code| code, |()| SUCCESS)
}

const SUCCESS: ze_result_t = ze_result_t::ZE_RESULT_SUCCESS;

#[test]
#[cfg(target_os = "linux")]
fn calls_in_any_order_do_no_harm() {
    const CALLS: usize = 400;
    let mut succeeded = 0;
    for seed in seeds(20) {
        let mut random = Random(seed);
        let gpu = Gpu::asynchronous();
        let canary = Canary::new(&gpu);
        let module = gpu.module(KERNELS[random.below(2)]).unwrap();
        let mut objects = Objects::new(&gpu, module);
        let format = (
            ze_image_format_layout_t::ZE_IMAGE_FORMAT_LAYOUT_32,
            ze_image_format_type_t::ZE_IMAGE_FORMAT_TYPE_UINT,
        );
        objects.images.extend([0; 2].map(|_| gpu.image(ze_image_type_t::ZE_IMAGE_TYPE_2D, format, IMAGE)));
        for call in 0..CALLS {
            let result = objects.call(&mut random);
            assert_ne!(result, ze_result_t::ZE_RESULT_ERROR_UNKNOWN, "seed {seed}, call {call}");
            succeeded += usize::from(result == SUCCESS);
        }
        canary.check(seed);
        // The context ends while much of this is still there, and stops it. The memory of this program that commands write to has to outlive them.
        drop(canary);
        drop(gpu);
        for list in &objects.lists {
            // SAFETY: any handle may be passed.
            unsafe {
                let _ = api().zeCommandListDestroy(*list);
            }
        }
        for queue in &objects.queues {
            // SAFETY: any handle may be passed.
            unsafe {
                let _ = api().zeCommandQueueDestroy(*queue);
            }
        }
    }
    assert!(CALLS_OF_HOST.load(Ordering::Relaxed) > 0, "no host function was called");
    assert!(succeeded > 1000, "only {succeeded} calls have done anything");
}
