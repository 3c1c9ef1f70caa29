//! Modules that tests put together instruction by instruction, with what the SPIR-V of compilers at hand does not have.

#![allow(dead_code, reason = "each test uses a part")]

use super::driver::{Gpu, create_kernel, set, set_group_size};
use level_zero_sys::ze_kernel_handle_t;
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl,
    MemoryModel, StorageClass, Word,
};

/// A kernel in the making, which takes words and leaves words: `k(from: *u32, to: *u32)`.
pub(crate) struct Assembly {
    pub(crate) builder: Builder,
    pub(crate) void: Word,
    pub(crate) bool: Word,
    pub(crate) u8: Word,
    pub(crate) u16: Word,
    pub(crate) u32: Word,
    pub(crate) u64: Word,
    pub(crate) f16: Word,
    pub(crate) f32: Word,
    pub(crate) f64: Word,
    pub(crate) global: Word,
    ids: Word,
    function: Word,
    kernel_type: Word,
    pub(crate) from: Word,
    pub(crate) to: Word,
    /// The number of the work-item, of 64 bits.
    pub(crate) index: Word,
}

impl Assembly {
    /// A module that needs these capabilities and extensions.
    pub(crate) fn new(capabilities: &[Capability], extensions: &[&str]) -> Self {
        let mut builder = Builder::new();
        builder.set_version(1, 4);
        for capability in [
            Capability::Addresses,
            Capability::Linkage,
            Capability::Kernel,
            Capability::Int8,
            Capability::Int16,
            Capability::Int64,
            Capability::Float16,
            Capability::Float64,
            Capability::GenericPointer,
        ]
        .iter()
        .chain(capabilities)
        {
            builder.capability(*capability);
        }
        extensions.iter().for_each(|name| builder.extension(*name));
        builder.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
        let void = builder.type_void();
        let bool = builder.type_bool();
        let [u8, u16, u32, u64] = [8, 16, 32, 64].map(|width| builder.type_int(width, 0));
        let [f16, f32, f64] = [16, 32, 64].map(|width| builder.type_float(width, None));
        let global = builder.type_pointer(None, StorageClass::CrossWorkgroup, u32);
        let kernel_type = builder.type_function(void, [global, global]);
        let triple = builder.type_vector(u64, 3);
        let input = builder.type_pointer(None, StorageClass::Input, triple);
        let ids = builder.variable(input, None, StorageClass::Input, None);
        builder.decorate(ids, Decoration::BuiltIn, [Operand::BuiltIn(BuiltIn::GlobalInvocationId)]);
        let (function, from, to, index) = (0, 0, 0, 0);
        Self {
            builder,
            void,
            bool,
            u8,
            u16,
            u32,
            u64,
            f16,
            f32,
            f64,
            global,
            ids,
            function,
            kernel_type,
            from,
            to,
            index,
        }
    }

    /// Begins the kernel; types, constants and functions that it calls may come before and after.
    pub(crate) fn begin(&mut self) {
        let b = &mut self.builder;
        self.function = b.begin_function(self.void, None, FunctionControl::NONE, self.kernel_type).unwrap();
        self.from = b.function_parameter(self.global).unwrap();
        self.to = b.function_parameter(self.global).unwrap();
        b.begin_block(None).unwrap();
        let triple = b.type_vector(self.u64, 3);
        let ids = b.load(triple, None, self.ids, None, []).unwrap();
        self.index = b.composite_extract(self.u64, None, ids, [0]).unwrap();
    }

    pub(crate) fn constant(&mut self, value: u32) -> Word {
        self.builder.constant_bit32(self.u32, value)
    }

    pub(crate) fn constant64(&mut self, value: u64) -> Word {
        self.builder.constant_bit64(self.u64, value)
    }

    /// The word so many words after the `stride` words of the work-item, of what the kernel takes.
    pub(crate) fn word(&mut self, stride: u64, place: u64) -> Word {
        let pointer = self.place(self.from, stride, place);
        self.builder.load(self.u32, None, pointer, None, []).unwrap()
    }

    /// Words of the work-item as another type of as many bits, which they are put together to.
    pub(crate) fn value(&mut self, ty: Word, words: u64, stride: u64, place: u64) -> Word {
        let words: Vec<Word> = (0..words).map(|word| self.word(stride, place + word)).collect();
        match words[..] {
            [word] if ty == self.u32 => word,
            [word] => self.builder.bitcast(ty, None, word).unwrap(),
            _ => {
                let vector = self.builder.type_vector(self.u32, words.len() as u32);
                let vector = self.builder.composite_construct(vector, None, words).unwrap();
                self.builder.bitcast(ty, None, vector).unwrap()
            }
        }
    }

    /// Stores a word among the `stride` words of the work-item.
    pub(crate) fn store(&mut self, stride: u64, place: u64, word: Word) {
        let pointer = self.place(self.to, stride, place);
        self.builder.store(pointer, word, None, []).unwrap();
    }

    /// Stores a boolean as 0 or 1.
    pub(crate) fn store_bool(&mut self, stride: u64, place: u64, condition: Word) {
        let (one, zero) = (self.constant(1), self.constant(0));
        let word = self.builder.select(self.u32, None, condition, one, zero).unwrap();
        self.store(stride, place, word);
    }

    fn place(&mut self, base: Word, stride: u64, place: u64) -> Word {
        let (stride, place) = (self.constant64(stride), self.constant64(place));
        let b = &mut self.builder;
        let first = b.i_mul(self.u64, None, self.index, stride).unwrap();
        let at = b.i_add(self.u64, None, first, place).unwrap();
        b.in_bounds_ptr_access_chain(self.global, None, base, at, []).unwrap()
    }

    /// The kernel's function, for decorations and modes.
    pub(crate) fn kernel(&self) -> Word {
        self.function
    }

    pub(crate) fn mode(&mut self, mode: ExecutionMode, operands: &[u32]) {
        self.builder.execution_mode(self.function, mode, operands);
    }

    /// Ends the kernel, and the module with it.
    pub(crate) fn end(mut self) -> Vec<u8> {
        self.builder.ret().unwrap();
        self.builder.end_function().unwrap();
        self.module()
    }

    /// The module, whose kernel has been ended.
    pub(crate) fn module(mut self) -> Vec<u8> {
        self.builder.entry_point(ExecutionModel::Kernel, self.function, "k", [self.ids]);
        let words = self.builder.module().assemble();
        words.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }
}

/// Runs the kernel of a module in groups of so many work-items; returns the words that it leaves.
pub(crate) fn run(spirv: &[u8], from: &[u32], to: usize, group: u32, groups: u32) -> Vec<u32> {
    let gpu = Gpu::new();
    let module = gpu.module(spirv).unwrap();
    let kernel = create_kernel(module, "k").unwrap();
    let (from, to) = (gpu.buffer(from), gpu.buffer(&vec![0xdead_u32; to]));
    prepare(kernel, from.pointer, to.pointer, group);
    let outcome = gpu.launch(kernel, [groups, 1, 1]);
    assert_eq!(outcome, Ok(()), "{}", if outcome.is_err() { gpu.last_error() } else { String::new() });
    to.read()
}

/// Sets the arguments and the size of groups.
pub(crate) fn prepare(kernel: ze_kernel_handle_t, from: *mut u32, to: *mut u32, group: u32) {
    set(kernel, 0, from).unwrap();
    set(kernel, 1, to).unwrap();
    set_group_size(kernel, [group, 1, 1]).unwrap();
}
