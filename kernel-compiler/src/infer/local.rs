//! Local memory whose length is for the launch to say: `&mut Local<[T]>` as a parameter of a kernel.
//!
//! In the body it is a slice. The function that launches the kernel knows it by its name alone, and so does this.

use super::Infer;
use crate::diagnostics::Code;
use crate::names;
use crate::typed::Ty;
use std::rc::Rc;
use syn::{GenericArgument, PathArguments, Type};

/// What is written of such a parameter.
#[derive(Clone, Copy)]
pub struct LocalElements<'t> {
    /// The type of the elements.
    pub element: &'t Type,
    /// Whether the reference is a `&mut`.
    pub mutable: bool,
}

/// The elements of a type that is written as a reference to local memory of any length.
#[must_use]
pub fn elements(written: &Type) -> Option<LocalElements<'_>> {
    match written {
        Type::Paren(inner) => elements(&inner.elem),
        Type::Group(inner) => elements(&inner.elem),
        Type::Reference(reference) => {
            let mutable = reference.mutability.is_some();
            slice_in_local(&reference.elem).map(|element| LocalElements { element, mutable })
        }
        _ => None,
    }
}

/// The `T` of `Local<[T]>`.
fn slice_in_local(written: &Type) -> Option<&Type> {
    let path = match written {
        Type::Paren(inner) => return slice_in_local(&inner.elem),
        Type::Group(inner) => return slice_in_local(&inner.elem),
        Type::Path(path) => &path.path,
        _ => return None,
    };
    let last = path.segments.last().filter(|last| last.ident == "Local")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(Type::Slice(slice))) => Some(&slice.elem),
        _ => None,
    }
}

impl Infer<'_> {
    /// The type that a parameter in local memory has in the body.
    pub(super) fn local_parameter(&mut self, whole: &Type, written: LocalElements<'_>) -> Ty {
        let LocalElements { element, mutable } = written;
        let ty = self.ty(element);
        if !ty.has_error() && !ty.has_parameter() {
            self.check_local_elements(whole, written, &ty);
        }
        Ty::Slice { element: Rc::new(ty), mutable }
    }

    fn check_local_elements(&mut self, whole: &Type, written: LocalElements<'_>, ty: &Ty) {
        let LocalElements { element, mutable } = written;
        let problem = if ty.is_atomic() {
            if mutable {
                let message = "atomics change behind shared references, and all work-items have the same one";
                Some((Code::ParameterType, message.to_owned(), "leave out the `mut`".to_owned()))
            } else if !names::is_atomic(element) {
                let message = "the function that launches it does not know this name for atomics".to_owned();
                Some((Code::ParameterType, message, "write the name of the atomic type itself".to_owned()))
            } else {
                None
            }
        } else if let Some(obstacle) = self.obstacle(ty) {
            Some((obstacle.code, obstacle.message, obstacle.help))
        } else if !mutable {
            let message =
                "nothing is in local memory before the kernel writes to it, and through this it cannot";
            Some((Code::ParameterType, message.to_owned(), format!("write `&mut Local<[{ty}]>`")))
        } else {
            None
        };
        if let Some((code, message, help)) = problem {
            let mutable = if mutable { "mut " } else { "" };
            let message = format!("a kernel cannot take `&{mutable}Local<[{ty}]>`: {message}");
            self.error(code, whole, message, &help);
        }
    }
}
