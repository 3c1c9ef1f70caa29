//! Text: `char` and `&str`, which the prelude has as a struct each. All text is ASCII, since literals are and nothing else makes a `&str`.

use super::Infer;
use super::pattern::Mode;
use crate::diagnostics::Code;
use crate::typed::{Expr, ExprKind, Pattern, Ty};
use kernel_core::Scalar;
use proc_macro2::Span;
use quote::ToTokens;
use std::rc::Rc;
use syn::{LitByteStr, LitStr, PathArguments};

/// The ids of `char` and of `&str`.
const CHAR: &str = "std::char";
const STR: &str = "std::str";

/// Returns whether a type is that of a `&str`.
pub(super) fn is_str_type(ty: &Ty) -> bool {
    matches!(ty, Ty::Nominal(nominal) if nominal.id == STR)
}

impl Infer<'_> {
    pub(super) fn text_type(&mut self, name: &str) -> Ty {
        let path = syn::Path::from(syn::Ident::new(name, Span::call_site()));
        // Its definition is read when the path is looked up.
        let id = match self.link(&path) {
            Some(crate::chain::Link::Device(id)) => id.clone(),
            _ => return Ty::Error,
        };
        self.nominal(&id, &PathArguments::None).unwrap_or(Ty::Error)
    }

    /// Returns whether a type is `char`.
    pub(super) fn is_char(&self, ty: &Ty) -> bool {
        matches!(self.table.shallow(ty), Ty::Nominal(nominal) if nominal.id == CHAR)
    }

    /// Returns whether a type is that of a `&str`.
    pub(super) fn is_str(&self, ty: &Ty) -> bool {
        is_str_type(&self.table.shallow(ty))
    }

    /// `'a'`.
    pub(super) fn char_literal(&mut self, value: char, span: Span) -> (ExprKind, Ty) {
        let code =
            Expr { kind: ExprKind::Integer(u128::from(u32::from(value))), ty: Ty::Scalar(Scalar::U32), span };
        self.char_of(code)
    }

    fn char_of(&mut self, code: Expr) -> (ExprKind, Ty) {
        (ExprKind::Construct { variant: None, fields: vec![(0, code)], base: None }, self.text_type("char"))
    }

    /// The number of a `char`, for a cast; other values are what they are.
    pub(super) fn code_of_char(&self, value: Expr) -> Expr {
        if !self.is_char(&value.ty) {
            return value;
        }
        let span = value.span;
        Expr { kind: ExprKind::Field(Box::new(value), 0), ty: Ty::Scalar(Scalar::U32), span }
    }

    /// `byte as char`.
    pub(super) fn byte_as_char(&mut self, byte: Expr, tokens: &impl ToTokens) -> (ExprKind, Ty) {
        self.coerce(tokens, &byte.ty, &Ty::Scalar(Scalar::U8));
        let span = byte.span;
        self.char_of(Expr { kind: ExprKind::Cast(Box::new(byte)), ty: Ty::Scalar(Scalar::U32), span })
    }

    /// `"text"`.
    pub(super) fn str_literal(&mut self, text: &LitStr) -> (ExprKind, Ty) {
        let Some(bytes) = self.ascii(text) else { return (ExprKind::Error, Ty::Error) };
        let span = text.span();
        let written: syn::Expr = match text.value().is_empty() {
            true => syn::parse_quote_spanned!(span=> &b" "[..0]),
            false => syn::parse_quote_spanned!(span=> &#bytes[..]),
        };
        let bytes = self.expr(&written);
        (ExprKind::Construct { variant: None, fields: vec![(0, bytes)], base: None }, self.text_type("str"))
    }

    /// `text.as_ref()`: bytes where a bound by `AsRef` says so, else the text.
    pub(super) fn text_as_bound(&mut self, text: Expr) -> (ExprKind, Ty) {
        let are_bytes = self.bound_arguments.iter().any(|(own, name, arguments)| {
            let is_bytes = |ty: &Ty| matches!(self.table.shallow(ty), Ty::Elements(_) | Ty::Slice { .. });
            name == "AsRef" && self.is_str(own) && arguments.first().is_some_and(is_bytes)
        });
        if !are_bytes {
            return (text.kind, text.ty);
        }
        let at = Span::call_site().located_at(text.span);
        let bytes: syn::Expr = syn::parse_quote_spanned!(at=> __text.as_bytes());
        let Expr { kind, ty, .. } = self.with_hidden("__text", text, |infer| infer.expr(&bytes));
        (kind, ty)
    }

    /// `text[range]`, where each byte is a character.
    pub(super) fn str_part(&mut self, index: &syn::ExprIndex, text: Expr) -> (ExprKind, Ty) {
        let at = Span::call_site().located_at(super::span::start(&index.expr));
        let range = &index.index;
        let part: syn::Expr = syn::parse_quote_spanned!(at=> &__text.as_bytes()[#range]);
        let bytes = self.with_hidden("__text", text, |infer| infer.expr(&part));
        if self.table.shallow(&bytes.ty) == Ty::Error {
            return (ExprKind::Error, Ty::Error);
        }
        (ExprKind::Construct { variant: None, fields: vec![(0, bytes)], base: None }, self.text_type("str"))
    }

    fn ascii(&mut self, text: &LitStr) -> Option<LitByteStr> {
        let value = text.value();
        if value.is_ascii() {
            return Some(LitByteStr::new(value.as_bytes(), text.span()));
        }
        let help = "write ASCII, or the bytes of the text, as in `b\"\\xC3\\xA9\"`";
        self.error(Code::UnsupportedLiteral, text, "the text of device code is ASCII", help);
        None
    }

    /// A `char`, or a range of them, as a pattern: that of its number.
    pub(super) fn char_pattern(&mut self, pattern: &syn::Pat, ty: &Ty, mode: Mode) -> Option<Pattern> {
        let number = |lit: &syn::Lit| match lit {
            syn::Lit::Char(value) => {
                Some(syn::LitInt::new(&format!("{}_u32", u32::from(value.value())), value.span()))
            }
            _ => None,
        };
        let end = |expr: &Option<Box<syn::Expr>>| match expr.as_deref() {
            None => Some(None),
            Some(syn::Expr::Lit(literal)) => {
                let lit = syn::Lit::Int(number(&literal.lit)?);
                Some(Some(Box::new(syn::Expr::Lit(syn::ExprLit { attrs: Vec::new(), lit }))))
            }
            Some(_) => None,
        };
        let inner = match pattern {
            syn::Pat::Lit(literal) => {
                let lit = syn::Lit::Int(number(&literal.lit)?);
                syn::Pat::Lit(syn::PatLit { attrs: Vec::new(), lit })
            }
            syn::Pat::Range(range) if range.start.is_some() || range.end.is_some() => {
                let (start, end) = (end(&range.start)?, end(&range.end)?);
                syn::Pat::Range(syn::PatRange { start, end, ..range.clone() })
            }
            _ => return None,
        };
        let wanted = self.text_type("char");
        self.coerce(pattern, ty, &wanted);
        let inner = self.pattern_in(&inner, &Ty::Scalar(Scalar::U32), mode);
        Some(Pattern::Variant { variant: None, fields: vec![inner] })
    }

    /// `"text"` as a pattern: that of its bytes.
    pub(super) fn str_pattern(&mut self, text: &LitStr, ty: &Ty, mode: Mode) -> Pattern {
        let wanted = self.text_type("str");
        self.coerce(text, ty, &wanted);
        let Some(bytes) = self.ascii(text) else { return Pattern::Any };
        let slice = Ty::Slice { element: Rc::new(Ty::Scalar(Scalar::U8)), mutable: false };
        let inner = self.byte_string_pattern(&bytes, &slice, mode);
        Pattern::Variant { variant: None, fields: vec![inner] }
    }
}
