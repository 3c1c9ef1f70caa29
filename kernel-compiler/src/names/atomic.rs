//! The names of atomics. They mean the same on the host and on a device, so they need no look-up, and those of the standard library
//! will do.

use crate::expand::runtime;
use crate::ir::MemoryOrder;
use kernel_core::Scalar;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Ident, Path, Type};

const ATOMICS: [(&str, Scalar); 14] = [
    ("AtomicBool", Scalar::Bool),
    ("AtomicI8", Scalar::I8),
    ("AtomicI16", Scalar::I16),
    ("AtomicI32", Scalar::I32),
    ("AtomicI64", Scalar::I64),
    ("AtomicIsize", Scalar::Isize),
    ("AtomicU8", Scalar::U8),
    ("AtomicU16", Scalar::U16),
    ("AtomicU32", Scalar::U32),
    ("AtomicU64", Scalar::U64),
    ("AtomicUsize", Scalar::Usize),
    ("AtomicF16", Scalar::F16),
    ("AtomicF32", Scalar::F32),
    ("AtomicF64", Scalar::F64),
];

/// The type of the values of the atomic with a name.
pub(crate) fn atomic(name: &Ident) -> Option<Scalar> {
    ATOMICS.iter().find(|(known, _)| name == known).map(|(_, scalar)| *scalar)
}

/// The name of the atomic with values of a type.
pub(crate) fn atomic_name(scalar: Scalar) -> &'static str {
    ATOMICS.iter().find(|(_, known)| *known == scalar).map_or("an atomic", |(name, _)| name)
}

/// Returns whether a type is written as an atomic, or as an array of such, perhaps behind a reference.
pub(crate) fn is_atomic(ty: &Type) -> bool {
    match ty {
        Type::Paren(inner) => is_atomic(&inner.elem),
        Type::Group(inner) => is_atomic(&inner.elem),
        Type::Reference(reference) => is_atomic(&reference.elem),
        Type::Slice(slice) => is_atomic(&slice.elem),
        Type::Array(array) => is_atomic(&array.elem),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| atomic(&last.ident).is_some()),
        _ => false,
    }
}

/// The ordering that a path names.
pub(crate) fn ordering(path: &Path) -> Option<MemoryOrder> {
    let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let order = match names.next()?.as_str() {
        "Relaxed" => MemoryOrder::Relaxed,
        "Acquire" => MemoryOrder::Acquire,
        "Release" => MemoryOrder::Release,
        "AcqRel" => MemoryOrder::AcquireRelease,
        "SeqCst" => MemoryOrder::SequentiallyConsistent,
        _ => return None,
    };
    names.next().is_none_or(|parent| parent == "Ordering").then_some(order)
}

/// Returns whether a path names an atomic type, something of one, or an ordering.
pub(super) fn is_named(path: &Path) -> bool {
    let is_ordering = path.segments.len() > 1 && ordering(path).is_some();
    is_ordering || path.segments.iter().any(|segment| atomic(&segment.ident).is_some())
}

/// What a buffer holds for memory that a kernel sees as atomics, or as arrays of such.
pub(crate) fn buffer_element(ty: &Type) -> Option<TokenStream> {
    number_of(ty, &|scalar| scalar)
}

/// What local memory holds for atomics, or for arrays of such: at least 32 bits for each.
pub(crate) fn local_element(ty: &Type) -> Option<TokenStream> {
    number_of(ty, &|scalar| if scalar.size() < 4 { Scalar::U32 } else { scalar })
}

fn number_of(ty: &Type, stored: &dyn Fn(Scalar) -> Scalar) -> Option<TokenStream> {
    match ty {
        Type::Paren(inner) => number_of(&inner.elem, stored),
        Type::Group(inner) => number_of(&inner.elem, stored),
        Type::Array(array) => {
            let (element, len) = (number_of(&array.elem, stored)?, &array.len);
            Some(quote!([#element; #len]))
        }
        Type::Path(path) => {
            let last = &path.path.segments.last()?.ident;
            let scalar = stored(atomic(last)?);
            let name = Ident::new(scalar.name(), last.span());
            Some(match scalar {
                Scalar::F16 => {
                    let runtime = runtime();
                    quote_spanned!(last.span()=> #runtime::#name)
                }
                _ => quote_spanned!(last.span()=> ::core::primitive::#name),
            })
        }
        _ => None,
    }
}
