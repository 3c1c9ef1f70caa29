//! Sizes and alignments of types in memory, by the rules of `kernel_core::layout`.

use super::{Arena, Base, Handle, Index, Module, Numeric, Op, Place, Step, Type};
use kernel_core::{Layout, Scalar};

/// A part of an argument that is passed by value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartOfArgument {
    /// The position of the argument.
    pub argument: u32,
    /// Where the part starts, in bytes.
    pub offset: u32,
}

impl Module {
    /// The part of an argument that a place is, if that is the same wherever a kernel asks for it: a member, or an element at a constant index.
    #[must_use]
    pub fn part_of_argument(&self, place: &Place) -> Option<PartOfArgument> {
        let Base::Parameter(argument) = place.base else { return None };
        let parameter = self.parameters.get(argument as usize)?;
        let (mut ty, mut offset) = (parameter.ty, 0);
        for step in &place.path {
            let (start, below) = match (step, &self.types[ty]) {
                (Step::Member(position), Type::Struct { members, .. }) => {
                    let member = members.get(*position as usize)?;
                    let before = members[..*position as usize].iter();
                    let before = before.map(|member| self.types.layout(member.ty));
                    let before = before.fold(Layout::EMPTY, |layout, field| layout.with_field(field).0);
                    (before.with_field(self.types.layout(member.ty)).1, member.ty)
                }
                (Step::Index(Index { index, .. }), Type::Array { element, len }) => {
                    let Op::Constant(index) = self.values[*index].op else { return None };
                    let elements = self.types.layout(*element).repeated(index);
                    (index < u64::from(*len)).then_some((elements.size, *element))?
                }
                _ => return None,
            };
            offset += start;
            ty = below;
        }
        Some(PartOfArgument { argument, offset: u32::try_from(offset).ok()? })
    }

    /// Returns what such a place is called, as `size[1]` or `grid.width`.
    #[must_use]
    pub fn name_of_part(&self, place: &Place) -> Option<String> {
        let Base::Parameter(argument) = place.base else { return None };
        let parameter = self.parameters.get(argument as usize)?;
        let (mut ty, mut name) = (parameter.ty, parameter.name.clone());
        for step in &place.path {
            ty = match (step, &self.types[ty]) {
                (Step::Member(position), Type::Struct { members, .. }) => {
                    let member = members.get(*position as usize)?;
                    name = format!("{name}.{}", member.name);
                    member.ty
                }
                (Step::Index(Index { index, .. }), Type::Array { element, .. }) => {
                    let Op::Constant(index) = self.values[*index].op else { return None };
                    name = format!("{name}[{index}]");
                    *element
                }
                _ => return None,
            };
        }
        Some(name)
    }
}

impl Arena<Type> {
    /// Size and alignment of a type in memory; of a slice those of a pointer with a length.
    #[must_use]
    pub fn layout(&self, ty: Handle<Type>) -> Layout {
        match &self[ty] {
            Type::Scalar(scalar) => Layout::of_scalar(*scalar),
            Type::Vector { lanes, .. } => match self.numeric(ty) {
                Some(Numeric { scalar, .. }) => Layout::of_vector(scalar, *lanes),
                None => Layout::EMPTY,
            },
            Type::Array { element, len } => self.layout(*element).repeated(u64::from(*len)),
            Type::Slice { .. } => Layout::of_scalar(Scalar::Usize).repeated(2),
            Type::Pointer { .. } | Type::Image(_) | Type::Sampler(_) | Type::Event => {
                Layout::of_scalar(Scalar::Usize)
            }
            Type::Struct { members, align, .. } => {
                let fields = members.iter().map(|member| self.layout(member.ty));
                let extent = fields.fold(Layout::EMPTY, |layout, field| layout.with_field(field).0);
                extent.aligned(*align).padded()
            }
        }
    }

    /// How many scalars there are in a type without slices and pointers.
    #[must_use]
    pub fn scalars(&self, ty: Handle<Type>) -> u64 {
        match &self[ty] {
            Type::Scalar(_)
            | Type::Slice { .. }
            | Type::Pointer { .. }
            | Type::Image(_)
            | Type::Sampler(_)
            | Type::Event => 1,
            Type::Vector { lanes, .. } => u64::from(*lanes),
            Type::Array { element, len } => self.scalars(*element).saturating_mul(u64::from(*len)),
            Type::Struct { members, .. } => {
                members.iter().fold(0, |sum, member| sum.saturating_add(self.scalars(member.ty)))
            }
        }
    }

    /// The scalar or vector that an array consists of, through arrays of arrays; of another type, that type itself.
    #[must_use]
    pub fn innermost(&self, ty: Handle<Type>) -> Handle<Type> {
        match self[ty] {
            Type::Array { element, .. } => self.innermost(element),
            _ => ty,
        }
    }

    /// Returns whether there can be values of a type: whether there is no struct in it.
    #[must_use]
    pub fn has_values(&self, ty: Handle<Type>) -> bool {
        match &self[ty] {
            Type::Scalar(_)
            | Type::Vector { .. }
            | Type::Slice { .. }
            | Type::Pointer { .. }
            | Type::Image(_)
            | Type::Sampler(_)
            | Type::Event => true,
            Type::Array { element, .. } => self.has_values(*element),
            Type::Struct { .. } => false,
        }
    }
}
