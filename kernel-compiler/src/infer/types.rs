//! Types as the user writes them.

use super::Infer;
use crate::chain::Link;
use crate::diagnostics::Code;
use crate::names;
use crate::typed::{Ty, VariableKind};
use std::rc::Rc;
use syn::{GenericArgument, PathArguments, Type, TypePath};

/// The largest array in bytes; work-items have little memory of their own, so more is a mistake.
const MAX_ARRAY_BYTES: u64 = 1 << 24;

const TYPES: &str = "use `bool`, an integer of 8 to 64 bits, `f16`, `f32`, `f64`, an array of these, or, as a parameter, a slice";

impl Infer<'_> {
    /// The type that the user wrote.
    pub(super) fn ty(&mut self, ty: &Type) -> Ty {
        match ty {
            Type::Paren(ty) => self.ty(&ty.elem),
            Type::Group(ty) => self.ty(&ty.elem),
            Type::Infer(_) => self.table.fresh(VariableKind::Any),
            Type::Never(_) => Ty::Never,
            Type::Tuple(tuple) => Ty::tuple(tuple.elems.iter().map(|element| self.ty(element)).collect()),
            Type::Array(array) => {
                let element = self.ty(&array.elem);
                let len = self.array_len(&array.len);
                self.array_type(element, len, ty)
            }
            Type::Reference(reference) => self.reference_type(reference, ty),
            Type::Path(path) if path.qself.is_none() => self.path_type(path),
            other => {
                let (message, help) = match other {
                    Type::Slice(_) => ("a slice is always behind a reference", "write `&[T]` or `&mut [T]`"),
                    Type::Ptr(_) => ("raw pointers are not in the language yet", "use `&[T]` or `&mut [T]`"),
                    Type::FnPtr(_) | Type::ImplTrait(_) | Type::TraitObject(_) => (
                        "device code cannot take functions and traits as values",
                        "call a `#[device] fn` by its name",
                    ),
                    _ => ("device code does not have this type", TYPES),
                };
                self.unsupported(other, message, help)
            }
        }
    }

    fn unsupported(&mut self, ty: &Type, message: &str, help: &str) -> Ty {
        self.error(Code::UnsupportedType, ty, message, help);
        Ty::Error
    }

    fn reference_type(&mut self, reference: &syn::TypeReference, whole: &Type) -> Ty {
        match &*reference.elem {
            Type::Slice(slice) => {
                if let Some(lifetime) = &reference.lifetime {
                    let help = "leave it out: a slice is valid for as long as the kernel runs";
                    self.error(Code::Signature, lifetime, "device code cannot name lifetimes yet", help);
                }
                let element = self.ty(&slice.elem);
                Ty::Slice { element: Rc::new(element), mutable: reference.mutability.is_some() }
            }
            Type::TraitObject(_) | Type::ImplTrait(_) => {
                let help = "call a `#[device] fn` by its name";
                self.unsupported(whole, "device code cannot take functions and traits as values", help)
            }
            other => {
                if let Some(lifetime) = &reference.lifetime {
                    let help = "leave it out: a reference is valid for as long as it is used";
                    self.error(Code::Signature, lifetime, "device code cannot name lifetimes yet", help);
                }
                let to = self.ty(other);
                Ty::Reference { to: Rc::new(to), mutable: reference.mutability.is_some() }
            }
        }
    }

    fn path_type(&mut self, path: &TypePath) -> Ty {
        let last = &path.path.segments[path.path.segments.len() - 1];
        if let Some((scalar, None)) = self.scalar_path(&path.path) {
            return Ty::Scalar(scalar);
        }
        match self.link(&path.path) {
            Some(Link::Builtin(name)) if name == "Local" => {
                let inner = self.local_argument(&last.arguments);
                Ty::Local(Rc::new(inner))
            }
            Some(Link::Poisoned) => Ty::Error,
            _ => {
                let name = &last.ident;
                let message = format!("device code does not have the type `{name}`");
                self.error(Code::UnsupportedType, path, message, type_advice(name));
                Ty::Error
            }
        }
    }

    /// The `T` of `Local<T>`.
    pub(super) fn local_argument(&mut self, arguments: &PathArguments) -> Ty {
        if let PathArguments::AngleBracketed(arguments) = arguments
            && let Some(GenericArgument::Type(inner)) = arguments.args.first()
        {
            return self.ty(inner);
        }
        self.table.fresh(VariableKind::Any)
    }

    /// `[element; len]`, if that is a type.
    pub(super) fn array_type(&mut self, element: Ty, len: Option<u64>, tokens: &impl quote::ToTokens) -> Ty {
        let Some(len) = len else { return Ty::Error };
        match self.table.shallow(&element) {
            Ty::Error => return Ty::Error,
            Ty::Slice { .. } | Ty::Reference { .. } | Ty::Local(_) | Ty::Unit | Ty::Never => {
                let message =
                    format!("an array of `{}` is not in the language", self.table.partial(&element));
                self.error(
                    Code::UnsupportedType,
                    tokens,
                    message,
                    "the elements of an array are scalars, arrays and tuples of these",
                );
                return Ty::Error;
            }
            _ => {}
        }
        let bytes = self.size_bound(&element).checked_mul(len);
        match (bytes, u32::try_from(len)) {
            (_, Ok(0)) => {
                self.error(
                    Code::ArrayLength,
                    tokens,
                    "an array cannot be empty",
                    "SPIR-V has no arrays without elements",
                );
                Ty::Error
            }
            (Some(bytes), Ok(len)) if bytes <= MAX_ARRAY_BYTES => Ty::Array(Rc::new(element), len),
            _ => {
                let help = "a work-item has little memory of its own: use a slice that the host allocates";
                self.error(
                    Code::ArrayLength,
                    tokens,
                    format!("an array cannot have {len} elements of this type"),
                    help,
                );
                Ty::Error
            }
        }
    }

    /// The size of a type in bytes; where the type is not known yet, that of the largest scalar.
    fn size_bound(&self, ty: &Ty) -> u64 {
        match self.table.shallow(ty) {
            Ty::Scalar(scalar) => scalar.size() as u64,
            Ty::Array(element, len) => self.size_bound(&element).saturating_mul(u64::from(len)),
            Ty::Tuple(elements) => {
                elements.iter().fold(0, |sum, element| self.size_bound(element).saturating_add(sum))
            }
            _ => 8,
        }
    }
}

/// What to write instead of a type that is only a name to us.
fn type_advice(name: &syn::Ident) -> &'static str {
    if let Some(advice) = names::host_only(name) {
        return advice;
    }
    match name.to_string().as_str() {
        "Local" => {
            "local memory is declared in the body of the kernel: `let mut tile = Local::<[f32; 256]>::new();`"
        }
        "Buffer" => "write `&[T]` or `&mut [T]`; the host then passes a `&Buffer<T>` or a `&mut Buffer<T>`",
        _ => {
            "types of your own and aliases are not in the language yet: write `f32`, `u32`, `[f32; 4]` and so on"
        }
    }
}
