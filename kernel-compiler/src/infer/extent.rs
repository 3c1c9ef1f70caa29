//! `size_of`, `align_of` and their kin.
//!
//! Host and device agree on the extent of scalars, vectors, arrays and references, and on that of structs with the layout of C. What else Rust lays out as it likes is refused, as
//! the host's copy of the code would know it and the device would not.

use super::Infer;
use crate::diagnostics::{Code, marker};
use crate::typed::{Definition, Expr, ExprKind, Nominal, Ty, VariableKind};
use kernel_core::semantics::BinaryOp;
use kernel_core::{Layout, Scalar};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::spanned::Spanned;

impl Infer<'_> {
    /// The size or the alignment of a type in bytes, whichever a function of `core::mem` is asked for.
    pub(super) fn extent(&mut self, tokens: &dyn ToTokens, ty: Ty, function: &str) -> ExprKind {
        let by = if function.starts_with("size") { "size_of" } else { "align_of" };
        match self.extent_of(&ty, by) {
            Some(bytes) => ExprKind::Integer(bytes.into()),
            None => self.extent_later(tokens, ty, by),
        }
    }

    /// That of what a reference leads to.
    pub(super) fn extent_of_value(
        &mut self,
        call: &syn::ExprCall,
        value: &syn::Expr,
        function: &str,
    ) -> (ExprKind, Ty) {
        let value = self.expr(value);
        let span = value.span;
        match self.table.shallow(&value.ty) {
            Ty::Slice { element, .. } if function == "size_of_val" => {
                let size = self.extent(&call.func, (*element).clone(), function);
                let size = Expr { kind: size, ty: Ty::USIZE, span };
                let len = Expr { kind: ExprKind::Len(Box::new(value)), ty: Ty::USIZE, span };
                // A slice has no more bytes than there are addresses.
                (ExprKind::Binary(BinaryOp::Mul, Box::new(len), Box::new(size)), Ty::USIZE)
            }
            Ty::Slice { element: to, .. } | Ty::Reference { to, .. } => {
                (self.extent(&call.func, (*to).clone(), function), Ty::USIZE)
            }
            Ty::Error => (ExprKind::Error, Ty::Error),
            ty if self.is_str(&ty) => {
                let message = format!("device code does not have `{function}` of a `str`");
                self.error(Code::UnsupportedExpression, call, message, "write `text.len()`");
                (ExprKind::Error, Ty::Error)
            }
            _ => {
                self.leave_to_rustc(call, "this takes a reference");
                (ExprKind::Error, Ty::Error)
            }
        }
    }

    /// What was asked for before the type was known.
    pub(super) fn extent_now(&mut self, tokens: &TokenStream, ty: &Ty, by: &str) -> Expr {
        let span = tokens.span();
        let ty = self.table.closed(ty);
        if ty.has_error() {
            return Expr::error(span);
        }
        if let Some(bytes) = self.extent_of(&ty, by) {
            return Expr { kind: ExprKind::Integer(bytes.into()), ty: Ty::USIZE, span };
        }
        if matches!(ty, Ty::Variable(_, VariableKind::Any)) {
            self.leave_to_rustc(tokens, "type annotations needed");
        } else {
            let message = format!("device code does not know how Rust lays out `{ty}` in memory");
            let help = "write `#[repr(C)]` below `#[device]`, or the number";
            self.error(Code::UnsupportedExpression, &marker(span), message, help);
        }
        Expr::error(span)
    }

    fn extent_of(&self, ty: &Ty, by: &str) -> Option<u64> {
        let layout = self.layout_of(ty)?;
        Some(if by == "size_of" { layout.size } else { layout.align })
    }

    fn layout_of(&self, ty: &Ty) -> Option<Layout> {
        let pointer = || Layout::of_scalar(Scalar::Usize);
        Some(match self.table.shallow(ty) {
            Ty::Unit => Layout::EMPTY,
            Ty::Scalar(scalar) => Layout::of_scalar(scalar),
            Ty::Vector(element, lanes) => {
                let scalar = self.table.shallow(&element).scalar()?;
                Layout::of_vector(scalar, self.table.shallow(&lanes).length()?)
            }
            Ty::Array(element, len) => {
                self.layout_of(&element)?.repeated(self.table.shallow(&len).length()?.into())
            }
            // A `&str`.
            Ty::Nominal(_) if self.is_str(ty) => pointer().repeated(2),
            Ty::Pointer { .. } | Ty::Reference { .. } => pointer(),
            Ty::Slice { .. } => pointer().repeated(2),
            Ty::Nominal(_) if self.is_char(ty) => Layout::of_scalar(Scalar::U32),
            Ty::Nominal(nominal) => self.layout_of_nominal(&nominal)?,
            _ => return None,
        })
    }

    fn layout_of_nominal(&self, nominal: &Nominal) -> Option<Layout> {
        let definition = self.program.definition(&nominal.id)?;
        let has_fields = definition.variants.iter().any(|variant| !variant.fields.is_empty());
        if let (Some(tag), true, false) = (definition.tag, definition.is_represented, has_fields) {
            return Some(Layout::of_scalar(tag));
        }
        let Definition { alignment: Some(align), variants, .. } = &*definition else { return None };
        let [variant] = &variants[..] else { return None };
        let mut layout = Layout::EMPTY;
        for field in &variant.fields {
            layout = layout.with_field(self.layout_of(&field.ty.substitute(&nominal.arguments))?).0;
        }
        Some(layout.aligned(*align).padded())
    }
}
