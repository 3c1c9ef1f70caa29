//! What calls get: handles of all kinds that were made before, memory, and values.

use crate::driver::{Gpu, KERNELS, api, create_kernel, set, set_group_size};
use crate::random::Random;
use level_zero_sys::*;
use std::ffi::{CStr, c_void};
use std::ptr::{null_mut, without_provenance_mut};

/// How many kinds of handles there are.
pub(crate) const KINDS: usize = 19;

/// How many elements an array has that a call gets with a count.
pub(crate) const ELEMENTS: usize = 64;

/// How many handles of a kind are kept.
const KEPT: usize = 24;

/// How many of those that a round begins with are kept.
const FIRST: usize = 8;

/// The bytes of what commands read and write: more than any region or image that calls describe.
const MEMORY: usize = 4 << 20;

/// The words of what a call answers to.
pub(crate) const ANSWER: usize = 4096;

const NAMES: [&CStr; 8] =
    [c"collatz", c"write_at", c"atomics", c"group_sum", c"none", c"", c"zeInitDrivers", c"zeNoSuchFunction"];

/// What a round has made so far. Handles that were destroyed stay, so that they are used again.
pub(crate) struct World {
    pub(crate) random: Random,
    handles: [Vec<*mut c_void>; KINDS],
    /// Of the driver's memory.
    pub(crate) context: ze_context_handle_t,
    /// What commands may access until the round ends: memory of this program, and the driver's.
    memory: Box<[u64]>,
    allocation: *mut c_void,
    /// The sizes of launches, which commands read when they are executed.
    groups: Box<[ze_group_count_t]>,
    counts: Box<[u32]>,
    /// What only the present call accesses.
    answers: Vec<Box<[u64]>>,
    arrays: Vec<(usize, Box<[*mut c_void]>)>,
    texts: Vec<Box<[*mut c_void]>>,
}

impl World {
    pub(crate) fn new(gpu: &Gpu, seed: u64) -> Self {
        let mut random = Random(seed);
        let mut this = Self {
            handles: std::array::from_fn(|_| Vec::new()),
            context: gpu.context,
            allocation: allocate(gpu),
            memory: (0..MEMORY / 8).map(|_| 0).collect(),
            groups: (0..ELEMENTS).map(|_| groups(&mut random)).collect(),
            counts: (0..ELEMENTS).map(|_| random.below(4) as u32).collect(),
            random,
            answers: Vec::new(),
            arrays: Vec::new(),
            texts: Vec::new(),
        };
        // What an argument of a kernel may be.
        let address = this.allocation.expose_provenance() as u64;
        for word in this.memory.iter_mut().take(4096) {
            *word = [address, address + 64, 0, 1, 64][this.random.below(5)];
        }
        this.keep(gpu.driver);
        this.keep(gpu.device);
        this.keep(gpu.context);
        this.keep(gpu.list);
        for module in KERNELS {
            let module = gpu.module(module).unwrap();
            this.keep(module);
            this.prepare(module);
        }
        this
    }

    /// Has kernels that can be launched at once.
    fn prepare(&mut self, module: ze_module_handle_t) {
        for name in ["collatz", "write_at", "atomics", "group_sum"] {
            let kernel = create_kernel(module, name).unwrap();
            let address = self.allocation.expose_provenance() as u64;
            for index in 0..8 {
                let _ = set(kernel, index, address).or_else(|_| set(kernel, index, 8_u32));
            }
            set_group_size(kernel, [8, 1, 1]).unwrap();
            self.keep(kernel);
        }
    }

    /// Has later calls use a handle.
    pub(crate) fn keep<H: Handle>(&mut self, handle: H) {
        self.handles[H::KIND].push(handle.raw());
    }

    /// Ends a call: what it has made is kept, and what it alone accesses goes.
    pub(crate) fn end_call(&mut self, succeeded: bool) {
        for (kind, array) in std::mem::take(&mut self.arrays) {
            let kept = &mut self.handles[kind];
            for &handle in array.iter().take(2).filter(|handle| succeeded && !handle.is_null()) {
                if kept.contains(&handle) {
                    continue;
                }
                // Lists and contexts are needed to end what they execute.
                if kept.len() < KEPT
                    || [ze_context_handle_t::KIND, ze_command_list_handle_t::KIND].contains(&kind)
                {
                    kept.push(handle);
                } else {
                    kept[FIRST + self.random.below(KEPT - FIRST)] = handle;
                }
            }
        }
        self.answers.clear();
        self.texts.clear();
    }

    /// A handle of a kind: most are what they should be.
    pub(crate) fn handle(&mut self, kind: usize) -> *mut c_void {
        let kind = if self.random.one_in(30) { self.random.below(KINDS) } else { kind };
        match self.random.pick(&self.handles[kind]) {
            Some(handle) if !self.random.one_in(30) => handle,
            _ => self.stray(),
        }
    }

    /// A handle that is none: those with an index have one that no object gets.
    fn stray(&mut self) -> *mut c_void {
        let of_a_kind = 0xffff_ff00 | self.random.below(24);
        let any = self.random.next() as usize | 1 << 31;
        without_provenance_mut(
            [0, 0, 1, of_a_kind, 1 << 32 | of_a_kind, usize::MAX, any][self.random.below(7)],
        )
    }

    /// Some handles of a kind, of which a call may replace what it answers.
    pub(crate) fn array(&mut self, kind: usize) -> *mut *mut c_void {
        let array = (0..ELEMENTS).map(|_| self.handle(kind)).collect();
        self.arrays.push((kind, array));
        self.arrays.last_mut().expect("it was pushed").1.as_mut_ptr()
    }

    /// Where commands may read and write some thousands of bytes, or more in images.
    pub(crate) fn memory(&mut self) -> *mut c_void {
        let offset = [0, 0, 8, 64, 4096][self.random.below(5)];
        let start = if self.random.one_in(2) { self.allocation } else { self.memory.as_mut_ptr().cast() };
        start.wrapping_byte_add(offset)
    }

    /// The driver's memory.
    pub(crate) fn allocation(&self) -> *mut c_void {
        self.allocation
    }

    /// Zeros, or small numbers, which the present call may change.
    pub(crate) fn answer(&mut self, below: usize) -> *mut u64 {
        let value = self.random.below(below) as u64;
        let mut words: Box<[u64]> = std::iter::repeat_n(0, ANSWER).collect();
        words[0] = value;
        self.answers.push(words);
        self.answers.last_mut().expect("it was pushed").as_mut_ptr()
    }

    /// A structure of the type `stype`, with nothing after it, whose fields are any numbers.
    pub(crate) fn description(&mut self, stype: u32, words: usize) -> *mut u32 {
        let to = self.answer(1).cast::<u32>();
        for index in 4..words {
            let value = self.word();
            // SAFETY: there is more room than any structure takes.
            unsafe { to.add(index).write(value) };
        }
        // SAFETY: as above.
        unsafe { to.write(stype) };
        to
    }

    /// A field of a structure.
    fn word(&mut self) -> u32 {
        match self.random.below(40) {
            0 => u32::MAX,
            1 => 1 << self.random.below(32),
            2 => 4096,
            _ => [0, 0, 0, 1, 2, 3, 8][self.random.below(7)],
        }
    }

    /// A region of small numbers, which two of a call often have in common.
    pub(crate) fn region(&mut self) -> *mut u32 {
        const USUAL: [u32; 6] = [0, 0, 0, 4, 1, 1];
        let to = self.answer(1).cast::<u32>();
        let is_usual = !self.random.one_in(3);
        for (index, usual) in USUAL.into_iter().enumerate() {
            let value = if is_usual { usual } else { self.random.below(9) as u32 };
            // SAFETY: there is more room.
            unsafe { to.add(index).write(value) };
        }
        to
    }

    /// An array of addresses that may be read and written, which may themselves be replaced.
    pub(crate) fn addresses(&mut self) -> *mut *mut c_void {
        let array = (0..ELEMENTS).map(|_| self.memory()).collect();
        self.texts.push(array);
        self.texts.last_mut().expect("it was pushed").as_mut_ptr()
    }

    pub(crate) fn group_counts(&mut self) -> *const ze_group_count_t {
        self.groups.as_ptr()
    }

    pub(crate) fn counts(&mut self) -> *const u32 {
        self.counts.as_ptr()
    }

    /// A name, with room for a longer one.
    pub(crate) fn text(&mut self) -> *mut u8 {
        let name = self.name().to_bytes();
        let to = self.answer(1).cast::<u8>();
        // SAFETY: there is more room than any name takes.
        unsafe { to.copy_from_nonoverlapping(name.as_ptr(), name.len()) };
        to
    }

    fn name(&mut self) -> &'static CStr {
        NAMES[self.random.below(NAMES.len())]
    }

    /// Whether a pointer is null that may be so, or may not.
    pub(crate) fn is_null(&mut self) -> bool {
        self.random.one_in(25)
    }

    /// The descriptor of a module of the tests.
    pub(crate) fn module(&mut self) -> *const ze_module_desc_t {
        let module = KERNELS[self.random.below(2)];
        let to = self.answer(1).cast::<ze_module_desc_t>();
        let descriptor = ze_module_desc_t {
            format: ze_module_format_t([0, 0, 1, 2][self.random.below(4)]),
            inputSize: if self.random.one_in(4) { self.random.below(module.len()) } else { module.len() },
            pInputModule: module.as_ptr(),
            pBuildFlags: if self.random.one_in(4) { self.name().as_ptr() } else { std::ptr::null() },
            ..Default::default()
        };
        // SAFETY: there is more room.
        unsafe { to.write(descriptor) };
        to
    }

    /// The descriptor of a kernel of them.
    pub(crate) fn kernel(&mut self) -> *const ze_kernel_desc_t {
        let name = if self.is_null() { std::ptr::null() } else { self.name().as_ptr() };
        let to = self.answer(1).cast::<ze_kernel_desc_t>();
        // SAFETY: there is more room.
        unsafe { to.write(ze_kernel_desc_t { pKernelName: name, ..Default::default() }) };
        to
    }

    /// The descriptor of an image that the memory has room for, or of one that is far too large.
    pub(crate) fn image(&mut self) -> *const ze_image_desc_t {
        let random = &mut self.random;
        let large = random.one_in(20);
        let mut size = |below| if large { u32::MAX } else { 1 + random.below(below) as u32 };
        let (width, height, depth) = (size(64).into(), size(16), size(8));
        // Some layout and type, or those that there always are.
        let [layout, type_] =
            if random.one_in(2) { [32, 6].map(|many| random.below(many) as u32) } else { [2, 0] };
        let format = ze_image_format_t {
            layout: ze_image_format_layout_t(layout),
            type_: ze_image_format_type_t(type_),
            x: ze_image_format_swizzle_t::ZE_IMAGE_FORMAT_SWIZZLE_R,
            y: ze_image_format_swizzle_t::ZE_IMAGE_FORMAT_SWIZZLE_G,
            z: ze_image_format_swizzle_t::ZE_IMAGE_FORMAT_SWIZZLE_B,
            w: ze_image_format_swizzle_t::ZE_IMAGE_FORMAT_SWIZZLE_A,
        };
        let descriptor = ze_image_desc_t {
            flags: ze_image_flags_t(random.below(4) as u32),
            type_: ze_image_type_t(random.below(7) as u32),
            format,
            width,
            height,
            depth,
            arraylevels: random.below(9) as u32,
            miplevels: u32::from(random.one_in(9)),
            ..Default::default()
        };
        let to = self.answer(1).cast::<ze_image_desc_t>();
        // SAFETY: there is more room.
        unsafe { to.write(descriptor) };
        to
    }

    /// The descriptor of a queue that does not wait: it would wait for events that nobody signals.
    pub(crate) fn queue(&mut self) -> *const ze_command_queue_desc_t {
        let descriptor = ze_command_queue_desc_t {
            ordinal: u32::from(self.random.one_in(9)),
            index: u32::from(self.random.one_in(9)),
            mode: ze_command_queue_mode_t([0, 2, 3][self.random.below(3)]),
            flags: ze_command_queue_flags_t(self.random.below(5) as u32),
            priority: ze_command_queue_priority_t(self.random.below(4) as u32),
            ..Default::default()
        };
        let to = self.answer(1).cast::<ze_command_queue_desc_t>();
        // SAFETY: there is more room.
        unsafe { to.write(descriptor) };
        to
    }

    /// All handles of a kind.
    pub(crate) fn all<H: Handle>(&self) -> Vec<H> {
        self.handles[H::KIND].iter().map(|&raw| H::of(raw)).collect()
    }
}

/// Memory of the device, all of it what an argument of a kernel may be.
fn allocate(gpu: &Gpu) -> *mut c_void {
    let mut address = null_mut();
    // SAFETY: the handles are live, and pointers are to live variables.
    unsafe {
        let (context, device) = (gpu.context, gpu.device);
        let allocated =
            api().zeMemAllocDevice(context, &Default::default(), MEMORY, 64, device, &mut address);
        allocated.into_result().unwrap();
        address.cast::<u8>().write_bytes(0, MEMORY);
    }
    address
}

/// The size of a launch that ends soon.
pub(crate) fn groups(random: &mut Random) -> ze_group_count_t {
    let [x, y, z] = std::array::from_fn(|_| if random.one_in(3) { random.below(4) as u32 } else { 1 });
    ze_group_count_t { groupCountX: x, groupCountY: y, groupCountZ: z }
}

/// A kind of handles.
pub(crate) trait Handle: Copy {
    const KIND: usize;

    fn of(raw: *mut c_void) -> Self;

    fn raw(self) -> *mut c_void;
}

/// `zes_mem_handle_t`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct MemoryModule(pub(crate) *mut c_void);

macro_rules! handles {
    ($($kind:literal $handle:ident)*) => { $(
        impl Handle for $handle {
            const KIND: usize = $kind;

            fn of(raw: *mut c_void) -> Self {
                Self(raw)
            }

            fn raw(self) -> *mut c_void {
                self.0
            }
        }
    )* };
}

handles! {
    0 ze_driver_handle_t
    1 ze_device_handle_t
    2 ze_context_handle_t
    3 ze_command_queue_handle_t
    4 ze_command_list_handle_t
    5 ze_fence_handle_t
    6 ze_event_pool_handle_t
    7 ze_event_handle_t
    8 ze_image_handle_t
    9 ze_module_handle_t
    10 ze_module_build_log_handle_t
    11 ze_kernel_handle_t
    12 ze_sampler_handle_t
    13 ze_physical_mem_handle_t
    14 ze_fabric_vertex_handle_t
    15 ze_fabric_edge_handle_t
    16 MemoryModule
    17 ze_graph_handle_t
    18 ze_executable_graph_handle_t
}

/// An address, or none.
pub(crate) fn or_null<T>(world: &mut World, address: impl FnOnce(&mut World) -> *mut T) -> *mut T {
    if world.is_null() { null_mut() } else { address(world) }
}
