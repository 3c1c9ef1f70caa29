//! Types. SPIR-V demands that no two declarations of one type exist.

use super::ModuleEmitter;
use super::structure::{self, Part};
use crate::ir::{Handle, Member, Numeric, Space, Type};
use kernel_core::{ImageAccess, ImageShape, Scalar};
use rspirv::dr::Operand;
use rspirv::spirv::{Op, StorageClass, Word};

/// A SPIR-V type; the ids are those of types, for the length of an array that of a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum SpirvType {
    Void,
    Bool,
    Int(u32),
    Float(u32),
    Vector(Word, u32),
    Array(Word, Word),
    /// The name keeps structs of the source apart that are alike.
    Struct(String, Vec<Word>),
    Pointer(StorageClass, Word),
    /// The id is that of `void`.
    Image(Word, ImageShape, ImageAccess),
    Sampler,
    SampledImage(Word),
    Event,
    Function(Word, Vec<Word>),
}

impl SpirvType {
    fn declaration(&self) -> (Op, Vec<Operand>) {
        let ids = |ids: &[Word]| ids.iter().copied().map(Operand::IdRef).collect::<Vec<_>>();
        match self {
            Self::Void => (Op::TypeVoid, Vec::new()),
            Self::Bool => (Op::TypeBool, Vec::new()),
            // The environment has no signed types; what depends on the sign says so by its opcode.
            Self::Int(width) => (Op::TypeInt, vec![Operand::LiteralBit32(*width), Operand::LiteralBit32(0)]),
            Self::Float(width) => (Op::TypeFloat, vec![Operand::LiteralBit32(*width)]),
            Self::Vector(component, count) => {
                (Op::TypeVector, vec![Operand::IdRef(*component), Operand::LiteralBit32(*count)])
            }
            Self::Array(element, length) => (Op::TypeArray, ids(&[*element, *length])),
            Self::Struct(_, members) => (Op::TypeStruct, ids(members)),
            Self::Pointer(class, pointee) => {
                (Op::TypePointer, vec![Operand::StorageClass(*class), Operand::IdRef(*pointee)])
            }
            Self::Image(void, shape, access) => {
                (Op::TypeImage, super::image::type_operands(*void, *shape, *access))
            }
            Self::Sampler => (Op::TypeSampler, Vec::new()),
            Self::Event => (Op::TypeEvent, Vec::new()),
            Self::SampledImage(image) => (Op::TypeSampledImage, ids(&[*image])),
            Self::Function(result, parameters) => {
                let mut operands = ids(&[*result]);
                operands.extend(ids(parameters));
                (Op::TypeFunction, operands)
            }
        }
    }
}

/// The storage class that stands for a space.
pub(super) fn storage_class(space: Space) -> StorageClass {
    match space {
        Space::Private => StorageClass::Function,
        Space::Local => StorageClass::Workgroup,
        Space::Global => StorageClass::CrossWorkgroup,
        Space::Constant => StorageClass::UniformConstant,
    }
}

/// A scalar type in memory and in the arguments of a kernel's host: `bool` has no layout, so it is a byte there.
pub(super) fn stored(scalar: Scalar) -> SpirvType {
    match scalar {
        Scalar::Bool => SpirvType::Int(8),
        other => computed(other),
    }
}

/// A scalar type in computations.
pub(super) fn computed(scalar: Scalar) -> SpirvType {
    match scalar {
        Scalar::Bool => SpirvType::Bool,
        Scalar::F16 | Scalar::F32 | Scalar::F64 => SpirvType::Float(scalar.bits()),
        // A `bf16` is bits to a device: lowering has taken its operations apart.
        _ => SpirvType::Int(scalar.bits()),
    }
}

impl ModuleEmitter<'_> {
    /// The id of a type, which is declared on first use.
    pub(super) fn type_id(&mut self, ty: SpirvType) -> Word {
        if let Some(&id) = self.types.get(&ty) {
            return id;
        }
        let (op, operands) = ty.declaration();
        let id = self.sections.global(op, None, operands);
        self.types.insert(ty, id);
        id
    }

    pub(super) fn int(&mut self, width: u32) -> Word {
        self.type_id(SpirvType::Int(width))
    }

    pub(super) fn bool(&mut self) -> Word {
        self.type_id(SpirvType::Bool)
    }

    pub(super) fn pointer(&mut self, class: StorageClass, pointee: Word) -> Word {
        self.type_id(SpirvType::Pointer(class, pointee))
    }

    /// A scalar or vector type in computations.
    pub(super) fn numeric(&mut self, ty: Numeric) -> Word {
        self.lanes(computed(ty.scalar), ty.lanes)
    }

    /// A scalar or vector type in memory and in the arguments of a kernel's host.
    pub(super) fn stored_numeric(&mut self, ty: Numeric) -> Word {
        self.lanes(stored(ty.scalar), ty.lanes)
    }

    /// So many lanes of a type, of which one is the type itself.
    pub(super) fn lanes(&mut self, lane: SpirvType, count: u32) -> Word {
        let lane = self.type_id(lane);
        if count == 1 { lane } else { self.type_id(SpirvType::Vector(lane, count)) }
    }

    /// The type of a value that is not a slice. Arrays are the same in computations as in memory.
    pub(super) fn value_type(&mut self, ty: Handle<Type>) -> Word {
        match self.ir.numeric(ty) {
            Some(ty) => self.numeric(ty),
            None => match self.ir.types[ty] {
                Type::Pointer { element, .. } => {
                    let element = self.memory_type(element);
                    self.pointer(StorageClass::CrossWorkgroup, element)
                }
                _ => self.memory_type(ty),
            },
        }
    }

    /// The type of a part of memory. A slice has none; its elements' type stands for it.
    pub(super) fn memory_type(&mut self, ty: Handle<Type>) -> Word {
        let ir = self.ir;
        match &ir.types[ty] {
            Type::Scalar(scalar) => self.type_id(stored(*scalar)),
            Type::Vector { element, lanes } => {
                let scalar = ir.scalar(*element).unwrap_or(Scalar::Usize);
                self.stored_numeric(Numeric { scalar, lanes: *lanes })
            }
            Type::Array { element, len } => {
                let element = self.memory_type(*element);
                let length = self.int_constant(32, u64::from(*len));
                self.type_id(SpirvType::Array(element, length))
            }
            Type::Slice { element, .. } => self.memory_type(*element),
            // Of bytes, because it may lead to the struct that it is in.
            Type::Pointer { .. } => {
                let byte = self.int(8);
                self.pointer(StorageClass::CrossWorkgroup, byte)
            }
            Type::Image(image) => self.image_type(*image),
            Type::Sampler(_) => self.type_id(SpirvType::Sampler),
            Type::Event => self.type_id(SpirvType::Event),
            Type::Struct { name, members, align } => {
                self.struct_type(name, members, *align, &mut Self::memory_type)
            }
        }
    }

    /// The type of a part of an argument, laid out as [`memory_type`](Self::memory_type) is.
    ///
    /// The environment has no arrays in arguments, so an array is a struct with a member for each element.
    pub(super) fn argument_type(&mut self, ty: Handle<Type>) -> Word {
        let ir = self.ir;
        match &ir.types[ty] {
            Type::Array { element, len } => {
                let element = self.argument_type(*element);
                self.type_id(SpirvType::Struct(String::new(), vec![element; *len as usize]))
            }
            Type::Struct { name, members, align } => {
                self.struct_type(name, members, *align, &mut Self::argument_type)
            }
            _ => self.memory_type(ty),
        }
    }

    fn struct_type(
        &mut self,
        name: &str,
        members: &[Member],
        align: u64,
        member_type: &mut dyn FnMut(&mut Self, Handle<Type>) -> Word,
    ) -> Word {
        let parts = match self.has_padding {
            true => structure::parts(&self.ir.types, members, align).0,
            false => (0..members.len()).map(Part::Member).collect(),
        };
        let types = parts.iter().map(|part| match *part {
            Part::Member(position) => member_type(self, members[position].ty),
            Part::Padding(bits) => self.int(bits),
        });
        let ty = SpirvType::Struct(name.to_owned(), types.collect());
        let is_new = !self.types.contains_key(&ty);
        let id = self.type_id(ty);
        if is_new {
            self.sections.name(id, name);
            for (position, part) in (0..).zip(parts) {
                if let Part::Member(member) = part {
                    self.sections.member_name(id, position, &members[member].name);
                }
            }
        }
        id
    }

    /// Where the member of a struct is among the members that it has in SPIR-V.
    pub(super) fn member_position(&self, structure: Handle<Type>, member: u32) -> u32 {
        let Type::Struct { members, align, .. } = &self.ir.types[structure] else { return member };
        if !self.has_padding {
            return member;
        }
        let (parts, _) = structure::parts(&self.ir.types, members, *align);
        let position = parts.iter().position(|part| *part == Part::Member(member as usize));
        position.map_or(member, |position| position as u32)
    }

    /// The types of the pointer and of the length that a slice is.
    pub(super) fn slice_types(&mut self, element: Handle<Type>, space: Space) -> [Word; 2] {
        let element = self.memory_type(element);
        [self.pointer(storage_class(space), element), self.int(64)]
    }

    /// The alignment of a type in memory, in bytes.
    pub(super) fn alignment(&self, ty: Handle<Type>) -> u32 {
        self.ir.types.layout(ty).align as u32
    }

    /// The alignment that consumers give a type in memory by themselves, in bytes.
    pub(super) fn natural_alignment(&self, ty: Handle<Type>) -> u32 {
        structure::placed(&self.ir.types, ty).align as u32
    }
}
