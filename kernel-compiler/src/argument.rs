//! The arguments of a kernel as the host passes them: the owned form of those in `kernel_core::descriptor`.

use crate::ir::{Aliasing, Base, Handle, Member, Module, Op, Space, Type};
use kernel_core::{Access, ImageType, SamplerType, Scalar};

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The name of the parameter.
    pub name: String,
    /// What is passed.
    pub kind: ArgumentKind,
    /// Whether the kernel shares what it changes there, by atomics.
    pub atomic: bool,
}

/// The kind of an argument; see [`kernel_core::ArgumentKind`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// Something by value.
    Value(ElementType),
    /// A slice.
    Slice {
        /// The element type.
        element: ElementType,
        /// Whether the kernel may write to it.
        access: Access,
    },
    /// Local memory for as many elements as the launch says.
    Local {
        /// The element type.
        element: ElementType,
    },
    /// A reference to a single element.
    Reference {
        /// The type of what it refers to.
        element: ElementType,
        /// Whether the kernel may write to it.
        access: Access,
    },
    /// A reference to an image.
    Image(ImageType),
    /// A sampler.
    Sampler(SamplerType),
    /// A raw pointer.
    Pointer {
        /// The type of what it points to.
        element: ElementType,
        /// Whether the kernel may write to it.
        access: Access,
    },
}

impl ArgumentKind {
    /// The type of what is shared: of the value, or of what the argument refers to. Images and samplers have none.
    #[must_use]
    pub fn ty(&self) -> Option<&ElementType> {
        match self {
            Self::Image(_) | Self::Sampler(_) => None,
            Self::Value(ty)
            | Self::Slice { element: ty, .. }
            | Self::Local { element: ty }
            | Self::Reference { element: ty, .. }
            | Self::Pointer { element: ty, .. } => Some(ty),
        }
    }
}

impl ElementType {
    /// Returns whether it is or contains a struct.
    #[must_use]
    pub fn has_struct(&self) -> bool {
        match self {
            Self::Scalar(_) | Self::Vector(..) | Self::Pointer => false,
            Self::Array(element, _) => element.has_struct(),
            Self::Struct { .. } => true,
        }
    }
}

/// A type in memory that is shared with the host; see [`kernel_core::ElementType`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementType {
    /// A scalar.
    Scalar(Scalar),
    /// A vector of so many lanes.
    Vector(Scalar, u32),
    /// A fixed number of elements in a row.
    Array(Box<ElementType>, u32),
    /// A struct that is laid out as in C.
    Struct {
        /// Its name.
        name: String,
        /// The names and types of its fields.
        fields: Vec<(String, ElementType)>,
        /// Its alignment in bytes.
        align: u64,
    },
    /// A raw pointer.
    Pointer,
}

/// The arguments of a kernel.
pub(crate) fn of(module: &Module) -> Vec<Argument> {
    let access = |mutable| if mutable { Access::ReadWrite } else { Access::Read };
    let argument = |parameter: &crate::ir::Parameter| {
        let kind = match module.types[parameter.ty] {
            Type::Slice { element, space: Space::Local, .. } => {
                ArgumentKind::Local { element: element_type(module, element) }
            }
            Type::Slice { element, mutable, .. } => {
                ArgumentKind::Slice { element: element_type(module, element), access: access(mutable) }
            }
            Type::Pointer { element, mutable, raw: false } => {
                ArgumentKind::Reference { element: element_type(module, element), access: access(mutable) }
            }
            Type::Pointer { element, mutable, raw: true } => {
                ArgumentKind::Pointer { element: element_type(module, element), access: access(mutable) }
            }
            Type::Image(image) => ArgumentKind::Image(image),
            Type::Sampler(sampler) => ArgumentKind::Sampler(sampler),
            _ => ArgumentKind::Value(element_type(module, parameter.ty)),
        };
        let changes = matches!(
            kind,
            ArgumentKind::Slice { access: Access::ReadWrite, .. }
                | ArgumentKind::Reference { access: Access::ReadWrite, .. }
        );
        let atomic = changes && parameter.aliasing == Aliasing::Unknown;
        Argument { name: parameter.name.clone(), kind, atomic }
    };
    module.parameters.iter().map(argument).collect()
}

/// Returns whether a kernel loads raw pointers, but from variables of its own, to which they came some other way.
pub(crate) fn finds_pointers(module: &Module) -> bool {
    module.values.iter().any(|(_, value)| match &value.op {
        Op::Load(place) if !matches!(place.base, Base::Variable(_)) => {
            let loaded = module.types.innermost(value.ty);
            matches!(module.types[loaded], Type::Pointer { .. })
        }
        _ => false,
    })
}

fn element_type(module: &Module, ty: Handle<Type>) -> ElementType {
    match &module.types[ty] {
        Type::Scalar(scalar) => ElementType::Scalar(*scalar),
        Type::Vector { element, lanes } => match module.scalar(*element) {
            Some(scalar) => ElementType::Vector(scalar, *lanes),
            None => element_type(module, *element),
        },
        Type::Array { element, len } => ElementType::Array(Box::new(element_type(module, *element)), *len),
        Type::Struct { name, members, align } => {
            let field = |member: &Member| (member.name.clone(), element_type(module, member.ty));
            ElementType::Struct {
                name: name.clone(),
                fields: members.iter().map(field).collect(),
                align: *align,
            }
        }
        // These are arguments of other kinds.
        Type::Image(_) | Type::Sampler(_) | Type::Event => ElementType::Scalar(Scalar::Usize),
        Type::Pointer { .. } => ElementType::Pointer,
        // Memory holds no slices.
        Type::Slice { element, .. } => element_type(module, *element),
    }
}
