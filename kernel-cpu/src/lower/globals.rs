//! Variables outside functions: inputs, local memory, and data that belongs to the module.

use super::Lowering;
use super::initial::{self, Initial};
use super::operand::{Operand, Place, Storage};
use crate::load::module::Global;
use crate::load::{Id, LoadError, Module, Problem};
use crate::print::BUFFER_BYTES;
use crate::program::{Kind, Preset};
use spirv::StorageClass;
use std::collections::HashMap;

/// The most local memory that a work-group may have, in bytes.
const MAX_LOCAL_BYTES: u64 = crate::limits::MAX_LOCAL_MEMORY as u64;

/// The most data that a module may carry, in bytes.
const MAX_DATA_BYTES: u64 = 64 << 20;

/// The constant and global variables of a module, initialised.
#[derive(Debug, Default)]
pub(crate) struct ModuleData {
    /// How many bytes they take.
    pub(crate) size: usize,
    /// The first of them, up to the last one that is not zero.
    pub(crate) bytes: Vec<u8>,
    /// Where addresses of the data are in it, each with the offset of what is at the address.
    pub(crate) addresses: Vec<(usize, u64)>,
    offsets: HashMap<Id, u32>,
    /// Where the variables in global memory are that the module exports, and how large, by their names.
    exported: HashMap<String, (usize, usize)>,
    /// The offset of what kernels print to, if any of the module does.
    print_buffer: Option<u32>,
}

impl ModuleData {
    /// Lays out the variables in constant and global memory.
    pub(crate) fn layout(module: &Module<'_>) -> Result<Self, LoadError> {
        let mut data = Self::default();
        for &id in &module.global_order {
            let Some(global) = module.globals.get(&id) else { continue };
            if matches!(global.class, StorageClass::UniformConstant | StorageClass::CrossWorkgroup) {
                data.add(module, id, global)?;
            }
        }
        data.initialize(module)?;
        if module.prints() {
            let start = (data.size as u64).next_multiple_of(8);
            if start + BUFFER_BYTES > MAX_DATA_BYTES {
                return Err(Problem::TooLarge("the data of the module").into());
            }
            data.print_buffer = Some(start as u32);
            data.size = (start + BUFFER_BYTES) as usize;
        }
        Ok(data)
    }

    /// The offset of what kernels print to, if any of the module does.
    pub(crate) fn print_buffer(&self) -> Option<u32> {
        self.print_buffer
    }

    /// Where a variable in global memory is that the module exports by this name, and its size.
    pub(crate) fn exported(&self, name: &str) -> Option<(usize, usize)> {
        self.exported.get(name).copied()
    }

    fn add(&mut self, module: &Module<'_>, id: Id, global: &Global) -> Result<(), LoadError> {
        if let Some(name) = module.decorations.imported.get(&id) {
            return Err(Problem::Unresolved(name.clone()).into());
        }
        let align = module.variable_alignment(id, global.pointee)?;
        let start = (self.size as u64).next_multiple_of(align);
        let size = module.types.size(global.pointee)?;
        if start.saturating_add(size) > MAX_DATA_BYTES {
            return Err(Problem::TooLarge("the data of the module").into());
        }
        self.size = (start + size) as usize;
        self.offsets.insert(id, start as u32);
        if global.class == StorageClass::CrossWorkgroup
            && let Some(name) = module.decorations.exported.get(&id)
        {
            self.exported.insert(name.clone(), (start as usize, size as usize));
        }
        Ok(())
    }

    /// Writes what the variables start as, once it is known where each of them is.
    fn initialize(&mut self, module: &Module<'_>) -> Result<(), LoadError> {
        let mut computed = Vec::new();
        for id in &module.global_order {
            let (Some(global), Some(&start)) = (module.globals.get(id), self.offsets.get(id)) else {
                continue;
            };
            let (ty, start) = (global.pointee, start as usize);
            let Some(initializer) = global.initializer else { continue };
            match module.constants.get(initializer) {
                Some(constant) if constant.ty != ty => {
                    return Err(Problem::TypeMismatch("a variable and its initializer").into());
                }
                // Zero needs no writing, and may be larger than what is written scalar by scalar.
                Some(constant) if constant.bits.iter().all(|&bits| bits == 0) => {}
                Some(constant) => {
                    self.write(module, ty, start, constant.bits.iter().map(|&bits| Initial::Bits(bits)))?;
                }
                None => computed.push((ty, start, initializer)),
            }
        }
        for (ty, start, scalars) in initial::computed(module, self, &computed)? {
            self.write(module, ty, start, scalars)?;
        }
        Ok(())
    }

    /// Writes the scalars of a variable of this type.
    fn write(
        &mut self,
        module: &Module<'_>,
        ty: Id,
        start: usize,
        scalars: impl IntoIterator<Item = Initial>,
    ) -> Result<(), LoadError> {
        let end = start + module.types.size(ty)? as usize;
        self.bytes.resize(self.bytes.len().max(end), 0);
        for ((kind, offset), scalar) in module.types.leaves_of_data(ty)?.into_iter().zip(scalars) {
            let (at, size) = (start + offset as usize, kind.size() as usize);
            match scalar {
                Initial::Bits(bits) => self.bytes[at..at + size].copy_from_slice(&bits.to_le_bytes()[..size]),
                Initial::Address(target) if size == 8 => self.addresses.push((at, target)),
                Initial::Address(_) => return Err(Problem::TypeMismatch("an address has 64 bits").into()),
            }
        }
        Ok(())
    }
}

impl Lowering<'_, '_> {
    /// The type of a global variable's pointer, and what the pointer stands for.
    pub(super) fn global(&mut self, id: Id) -> Result<(Id, Operand), LoadError> {
        let global = self.module.globals.get(&id);
        let global = global.ok_or(Problem::Expected { what: "a variable", id })?.clone();
        let operand = match global.class {
            StorageClass::Input => self.input_variable(id, global.pointee)?,
            StorageClass::Workgroup => {
                let offset = self.local_variable(id, global.pointee)?;
                Operand::Values(vec![self.builder.preset(Kind::I64, Preset::Local(offset))])
            }
            StorageClass::UniformConstant | StorageClass::CrossWorkgroup => {
                let offset = self.data.offsets.get(&id).copied();
                let offset = offset.ok_or(Problem::Expected { what: "a variable with data", id })?;
                Operand::Values(vec![self.builder.preset(Kind::I64, Preset::ModuleData(offset))])
            }
            _ => return Err(Problem::Unsupported("the storage class of this variable").into()),
        };
        Ok((global.pointer_type, operand))
    }

    fn input_variable(&self, id: Id, pointee: Id) -> Result<Operand, LoadError> {
        let built_in = self.module.decorations.built_ins.get(&id);
        let built_in = *built_in.ok_or(Problem::Expected { what: "a built-in variable", id })?;
        Ok(Operand::Place(Place { storage: Storage::Input(built_in), pointee, leaf: 0 }))
    }

    /// The offset of a local variable; it gets one when the kernel first uses it.
    fn local_variable(&mut self, id: Id, pointee: Id) -> Result<u32, LoadError> {
        if let Some(&offset) = self.local.get(&id) {
            return Ok(offset);
        }
        let types = &self.module.types;
        let start = self.local_bytes.next_multiple_of(self.module.variable_alignment(id, pointee)?);
        let end = start.saturating_add(types.size(pointee)?);
        if end > MAX_LOCAL_BYTES {
            return Err(Problem::TooLarge("local memory").into());
        }
        self.local_bytes = end;
        self.local.insert(id, start as u32);
        Ok(start as u32)
    }
}
