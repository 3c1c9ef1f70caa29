//! Byte strings: references to arrays of bytes in constant memory, and the patterns that compare with them byte by byte.

use super::Infer;
use super::constant::shared;
use super::pattern::Mode;
use crate::typed::{Expr, ExprKind, Pattern, Ty};
use kernel_core::Scalar;
use std::rc::Rc;
use syn::punctuated::Punctuated;
use syn::{LitByte, LitByteStr, Pat, PatLit, PatSlice};

impl Infer<'_> {
    /// A reference to the bytes, which are in constant memory.
    pub(super) fn byte_string(&mut self, text: &LitByteStr) -> (ExprKind, Ty) {
        let (byte, span) = (Ty::Scalar(Scalar::U8), text.span());
        let bytes = text.value();
        // There is no array without elements: what is there is the slice that it would become.
        if bytes.is_empty() {
            let ty = Ty::Slice { element: Rc::new(byte), mutable: false };
            return (ExprKind::EmptySlice, ty);
        }
        let array = self.array_type(byte.clone(), Ty::Constant(bytes.len() as i64), text);
        if array == Ty::Error {
            return (ExprKind::Error, Ty::Error);
        }
        let elements = bytes.into_iter().map(|value| {
            let kind = ExprKind::Integer(u128::from(value));
            Expr { kind, ty: byte.clone(), span }
        });
        let (kind, ty) = shared(Expr { kind: ExprKind::Array(elements.collect()), ty: array, span });
        let place = Expr { kind, ty: ty.clone(), span };
        (ExprKind::Reference(Box::new(place)), Ty::Reference { to: Rc::new(ty), mutable: false })
    }

    /// A byte string as a pattern: that of a slice or an array with these bytes.
    pub(super) fn byte_string_pattern(&mut self, text: &LitByteStr, ty: &Ty, mode: Mode) -> Pattern {
        let byte = |value: u8| {
            let lit = syn::Lit::Byte(LitByte::new(value, text.span()));
            Pat::Lit(PatLit { attrs: Vec::new(), lit })
        };
        let elems: Punctuated<Pat, _> = text.value().into_iter().map(byte).collect();
        let bracket_token = syn::token::Bracket(text.span());
        let bytes = Pat::Slice(PatSlice { attrs: Vec::new(), bracket_token, elems });
        self.pattern_in(&bytes, ty, mode)
    }
}
