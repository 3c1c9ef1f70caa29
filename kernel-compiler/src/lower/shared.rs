//! Memory in which structs are whole: that of kernel arguments, and local memory.
//!
//! Everywhere else structs are taken apart into their fields. Here their fields are at fixed offsets, so that a struct is loaded and
//! stored field by field.

use super::memory::{Memory, Operand, Shape};
use super::{Builder, FunctionLowering, Lowering};
use crate::ir::{self, Aliasing, Base, Handle, Member, Op, Place, Step, Type};
use crate::typed::{Nominal, Ty};
use kernel_core::{MAX_ALIGNMENT, Scalar};

/// Who may access what a kernel's parameter leads to; rustc sees to it that the host passes it so.
pub(super) fn aliasing(ty: &Ty) -> Aliasing {
    match ty {
        Ty::Slice { element: to, mutable } | Ty::Reference { to, mutable }
            if !to.is_atomic() && !matches!(**to, Ty::Image { .. }) =>
        {
            if *mutable {
                Aliasing::Exclusive
            } else {
                Aliasing::ReadOnly
            }
        }
        _ => Aliasing::Unknown,
    }
}

impl Lowering<'_> {
    /// The type of a kernel's parameter: what is behind a reference is in global memory.
    pub(super) fn parameter_type(&mut self, ty: &Ty) -> Handle<Type> {
        let ty = match ty {
            Ty::Slice { element, mutable } => {
                let is_atomic = element.is_atomic();
                let element = self.stored_type(element);
                Type::Slice { element, space: ir::Space::Global, mutable: *mutable || is_atomic }
            }
            Ty::Reference { to, .. } if matches!(**to, Ty::Image { .. }) => {
                self.image_type(to).unwrap_or(Type::Scalar(Scalar::Usize))
            }
            Ty::Sampler(..) => self.image_type(ty).unwrap_or(Type::Scalar(Scalar::Usize)),
            Ty::Reference { to, mutable } => Type::Pointer {
                element: self.stored_type(to),
                mutable: *mutable || to.is_atomic(),
                raw: false,
            },
            Ty::Pointer { to, mutable } => {
                Type::Pointer { element: self.stored_type(to), mutable: *mutable, raw: true }
            }
            other => return self.stored_type(other),
        };
        self.types.intern(ty)
    }

    /// The type of a kernel's parameter that is a slice in local memory.
    pub(super) fn local_slice_type(&mut self, element: &Ty) -> Handle<Type> {
        let element = self.local_type(element);
        self.types.intern(Type::Slice { element, space: ir::Space::Local, mutable: true })
    }

    /// The type of a kernel's parameter that is a slice in constant memory.
    pub(super) fn constant_slice_type(&mut self, element: &Ty) -> Handle<Type> {
        let element = self.stored_type(element);
        self.types.intern(Type::Slice { element, space: ir::Space::Constant, mutable: false })
    }

    /// The type of something that is whole in memory.
    pub(super) fn stored_type(&mut self, ty: &Ty) -> Handle<Type> {
        let ty = match ty {
            Ty::Scalar(_) | Ty::Vector(..) => match ty.numeric() {
                Some(ty) => return self.types.intern_numeric(ty),
                None => Type::Scalar(Scalar::Usize),
            },
            Ty::Array(element, len) => {
                Type::Array { element: self.stored_type(element), len: len.length().unwrap_or(1) }
            }
            Ty::Atomic(scalar) => Type::Scalar(*scalar),
            Ty::Nominal(nominal) if self.has_pointer(ty) => return self.linked_type(nominal),
            Ty::Nominal(nominal) => self.struct_type(nominal),
            Ty::Pointer { to, .. } => return self.pointer_type(to),
            Ty::Local(inner) => return self.stored_type(inner),
            // Only code that is never reached has values of other types; any will do.
            _ => Type::Scalar(Scalar::Usize),
        };
        self.types.intern(ty)
    }

    fn struct_type(&mut self, nominal: &Nominal) -> Type {
        let definition = self.program.definition(&nominal.id);
        let Some(definition) = definition.filter(|definition| !definition.is_enum()) else {
            return Type::Scalar(Scalar::Usize);
        };
        let mut members = Vec::new();
        for field in definition.variants.iter().flat_map(|variant| &variant.fields) {
            let ty = self.stored_type(&self.program.field_type(field, &nominal.arguments));
            members.push(Member { name: field.name.clone(), ty });
        }
        let alignments = members.iter().map(|member| self.types.layout(member.ty).align);
        let align = alignments.fold(definition.alignment.unwrap_or(1).min(MAX_ALIGNMENT), u64::max);
        Type::Struct { name: definition.name.clone(), members, align }
    }
}

/// The most types of one struct that pointers may lead to; more are of no use, since code is written for each.
const MAX_LINKED: usize = 32;

impl Lowering<'_> {
    /// A struct with raw pointers, which may lead to others of its kind: there is a handle before there are members.
    fn linked_type(&mut self, nominal: &Nominal) -> Handle<Type> {
        if let Some(&known) = self.linked.get(nominal) {
            return known;
        }
        if self.linked.keys().filter(|known| known.id == nominal.id).count() >= MAX_LINKED {
            return self.types.intern(Type::Scalar(Scalar::Usize));
        }
        let handle = self.types.push(Type::Struct { name: String::new(), members: Vec::new(), align: 1 });
        self.linked.insert(nominal.clone(), handle);
        self.types[handle] = self.struct_type(nominal);
        handle
    }

    /// Returns whether something that is whole in memory holds raw pointers.
    fn has_pointer(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Pointer { .. } => true,
            Ty::Array(element, _) => self.has_pointer(element),
            Ty::Nominal(nominal) => {
                let definition = self.program.definition(&nominal.id);
                let variants = definition.iter().flat_map(|definition| &definition.variants);
                let mut fields = variants.flat_map(|variant| &variant.fields);
                fields.any(|field| self.has_pointer(&self.program.field_type(field, &nominal.arguments)))
            }
            _ => false,
        }
    }
}

impl Builder<'_, '_> {
    /// An argument of a kernel. What a reference refers to is memory; of what is passed by value, scalars are known from the start.
    pub(super) fn argument(&mut self, position: u32, ty: Handle<Type>) -> Memory {
        match self.module.types[ty] {
            Type::Scalar(_) | Type::Vector { .. } | Type::Sampler(_) | Type::Event => {
                Memory::Value(Operand::Value(self.leaf(ty, Op::Parameter(position))))
            }
            Type::Slice { .. } => {
                let slice = self.leaf(ty, Op::Parameter(position));
                Memory::Value(Operand::Reference(Box::new(Memory::slice(slice))))
            }
            Type::Image(_) => {
                let image = Memory::Value(Operand::Value(self.leaf(ty, Op::Parameter(position))));
                Memory::Value(Operand::Reference(Box::new(image)))
            }
            Type::Pointer { raw: true, .. } => {
                Memory::Value(Operand::Value(self.pointer_argument(position, ty)))
            }
            Type::Pointer { .. } => {
                let base = Base::Pointer(self.leaf(ty, Op::Parameter(position)));
                let pointee = Memory::Place(Place { base, path: Vec::new() });
                Memory::Value(Operand::Reference(Box::new(pointee)))
            }
            Type::Array { .. } | Type::Struct { .. } => {
                self.argument_part(Place { base: Base::Parameter(position), path: Vec::new() })
            }
        }
    }

    fn argument_part(&mut self, place: Place) -> Memory {
        let ty = self.place_type(&place);
        match &self.module.types[ty] {
            Type::Struct { members, .. } => {
                let members = (0..members.len()).map(|position| member(&place, position));
                Memory::Tuple(
                    members.collect::<Vec<_>>().into_iter().map(|part| self.argument_part(part)).collect(),
                )
            }
            Type::Array { .. } => Memory::Place(place),
            _ => Memory::Value(Operand::Value(self.load(place, ty))),
        }
    }
}

/// The place of a member of the struct at a place.
pub(super) fn member(place: &Place, position: usize) -> Place {
    let mut place = place.clone();
    place.path.push(Step::Member(u32::try_from(position).unwrap_or(u32::MAX)));
    place
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// What is at a place.
    pub(super) fn load_place(&mut self, place: &Place) -> Operand {
        if let Some(known) = self.known_element(place) {
            return known;
        }
        let ty = self.builder.place_type(place);
        if self.builder.module.types.has_values(ty) {
            return Operand::Value(self.builder.load(place.clone(), ty));
        }
        match &self.builder.module.types[ty] {
            Type::Array { .. } => self.copied(&Memory::Place(place.clone()), ty),
            Type::Struct { members, .. } => {
                let members = 0..members.len();
                Operand::Tuple(members.map(|position| self.load_place(&member(place, position))).collect())
            }
            // The other types have values.
            _ => Operand::UNIT,
        }
    }

    /// Stores to a place.
    pub(super) fn store_place(&mut self, place: &Place, operand: &Operand) {
        if !self.builder.is_mutable(place) {
            return self.refuse_store(place);
        }
        let ty = self.builder.place_type(place);
        match (&self.builder.module.types[ty], operand) {
            (_, Operand::Value(value)) => self.builder.store(place.clone(), *value),
            (Type::Struct { .. }, Operand::Tuple(fields)) => {
                for (position, field) in fields.iter().enumerate() {
                    self.store_place(&member(place, position), field);
                }
            }
            (Type::Array { .. }, Operand::Tuple(_)) => {
                self.store_array(&Memory::Place(place.clone()), operand);
            }
            // Code that is never reached, or that rustc refuses.
            _ => {}
        }
    }

    /// An array in memory as a value, copied element by element.
    pub(super) fn copied(&mut self, memory: &Memory, ty: Handle<Type>) -> Operand {
        let shape = self.shape_of(ty);
        let copy = self.variables(&shape, "");
        self.copy_elements(memory, &copy);
        self.load(&copy)
    }

    /// The form in which variables keep what is whole in memory.
    fn shape_of(&mut self, ty: Handle<Type>) -> Shape {
        match self.builder.module.types[ty].clone() {
            Type::Struct { members, .. } => {
                Shape::Tuple(members.iter().map(|member| self.shape_of(member.ty)).collect())
            }
            Type::Array { element, len } => {
                let element = self.shape_of(element);
                self.array_shape(element, len)
            }
            _ => Shape::Leaf(ty),
        }
    }
}
