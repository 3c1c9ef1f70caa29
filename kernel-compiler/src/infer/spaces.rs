//! Parameters of kernels in memory that is not the whole device's to change: `&mut Local<[T]>`, whose length is for the launch to say, and
//! `&Constant<[T]>`.
//!
//! In the body each is a slice. The function that launches the kernel knows them by these names alone, and so does this.

use super::Infer;
use super::shared::Obstacle;
use super::types::type_argument;
use crate::ir::Space;
use crate::names;
use crate::typed::Ty;
use std::rc::Rc;
use syn::Type;

/// What is written of such a parameter.
#[derive(Clone, Copy)]
pub struct ElementsInSpace<'t> {
    /// Where the elements are: in local or in constant memory.
    pub space: Space,
    /// The type of the elements.
    pub element: &'t Type,
    /// Whether the reference is a `&mut`.
    pub mutable: bool,
}

/// The elements of a type that is written as a reference to local or constant memory of any length.
#[must_use]
pub fn elements(written: &Type) -> Option<ElementsInSpace<'_>> {
    match written {
        Type::Paren(inner) => elements(&inner.elem),
        Type::Group(inner) => elements(&inner.elem),
        Type::Reference(reference) => {
            let mutable = reference.mutability.is_some();
            let (space, element) = slice_in_space(&reference.elem)?;
            Some(ElementsInSpace { space, element, mutable })
        }
        _ => None,
    }
}

/// The `T` of `Local<[T]>` or `Constant<[T]>`.
fn slice_in_space(written: &Type) -> Option<(Space, &Type)> {
    let path = match written {
        Type::Paren(inner) => return slice_in_space(&inner.elem),
        Type::Group(inner) => return slice_in_space(&inner.elem),
        Type::Path(path) => &path.path,
        _ => return None,
    };
    let last = path.segments.last()?;
    let space = match last.ident.to_string().as_str() {
        "Local" => Space::Local,
        "Constant" => Space::Constant,
        _ => return None,
    };
    match type_argument(&last.arguments)? {
        Type::Slice(slice) => Some((space, &slice.elem)),
        _ => None,
    }
}

impl Infer<'_> {
    /// The type that such a parameter has in the body.
    pub(super) fn parameter_in_space(&mut self, whole: &Type, written: ElementsInSpace<'_>) -> Ty {
        let ElementsInSpace { element, mutable, space } = written;
        let ty = self.complete_type(element);
        if !ty.has_error() && !ty.has_parameter() {
            if space == Space::Constant {
                self.pointers_in_parameter(whole, &ty);
            }
            let (name, problem) = match space {
                Space::Constant => ("Constant", self.problem_in_constant_memory(written, &ty)),
                _ => ("Local", self.problem_in_local_memory(written, &ty)),
            };
            if let Some(problem) = problem {
                let mutable = if mutable { "mut " } else { "" };
                self.refuse_parameter(whole, &format!("&{mutable}{name}<[{ty}]>"), problem);
            }
        }
        Ty::Slice { element: Rc::new(ty), mutable: mutable && space == Space::Local }
    }

    fn problem_in_local_memory(&self, written: ElementsInSpace<'_>, ty: &Ty) -> Option<Obstacle> {
        let ElementsInSpace { element, mutable, .. } = written;
        if ty.is_atomic() {
            if mutable {
                let message = "atomics change behind shared references, and all work-items have the same one";
                return Some(Obstacle::new(message, "leave out the `mut`"));
            }
            let message = "the function that launches it does not know this name for atomics";
            let help = "write the name of the atomic type itself";
            return (!names::is_atomic(element)).then(|| Obstacle::new(message, help));
        }
        self.obstacle(ty).or_else(|| {
            let message =
                "nothing is in local memory before the kernel writes to it, and through this it cannot";
            (!mutable).then(|| Obstacle::new(message, format!("write `&mut Local<[{ty}]>`")))
        })
    }

    fn problem_in_constant_memory(&self, written: ElementsInSpace<'_>, ty: &Ty) -> Option<Obstacle> {
        let message = "nothing changes in constant memory";
        if ty.is_atomic() {
            return Some(Obstacle::new(message, format!("write `&[{ty}]`")));
        }
        self.obstacle(ty).or_else(|| self.obstacle_behind(ty)).or_else(|| {
            let help = format!("write `&Constant<[{ty}]>`, or `&mut [{ty}]`");
            written.mutable.then(|| Obstacle::new(message, help))
        })
    }
}
