//! Text: `char` and `&str`, which the prelude has as a struct each; text is UTF-8.

use super::Infer;
use super::pattern::Mode;
use crate::typed::{Expr, ExprKind, Pattern, RangeForm, Ty};
use kernel_core::Scalar;
use proc_macro2::Span;
use quote::ToTokens;
use std::rc::Rc;
use syn::{LitByteStr, LitStr, PathArguments, parse_quote_spanned};

/// The ids of `char` and of `&str`.
pub(super) const CHAR: &str = "std::char";
const STR: &str = "std::str";

/// Returns whether a type is that of a `&str`.
pub(crate) fn is_str_type(ty: &Ty) -> bool {
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

    /// `str::parse::<T>(text)`, which is `text.parse::<T>()`.
    pub(super) fn parse_call(&mut self, call: &syn::ExprCall, path: &syn::Path) -> Option<(ExprKind, Ty)> {
        let (last, text) = (path.segments.last()?, call.args.first()?);
        if last.ident != "parse" || path.segments.len() != 2 || call.args.len() != 1 {
            return None;
        }
        let ty = self.type_of_path(path, 1)?;
        if !self.is_str(&ty) {
            return None;
        }
        let (at, arguments) = (last.ident.span(), &last.arguments);
        let method: syn::ExprMethodCall = syn::parse_quote_spanned!(at=> (#text).parse #arguments ());
        Some(self.method_call(&method))
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
    pub(super) fn byte_as_char(&mut self, byte: Expr, tokens: &dyn ToTokens) -> (ExprKind, Ty) {
        self.coerce(tokens, &byte.ty, &Ty::Scalar(Scalar::U8));
        let span = byte.span;
        self.char_of(Expr { kind: ExprKind::Cast(Box::new(byte)), ty: Ty::Scalar(Scalar::U32), span })
    }

    /// `"text"`.
    pub(super) fn str_literal(&mut self, text: &LitStr) -> (ExprKind, Ty) {
        let (bytes, span) = (utf8(text), text.span());
        let written: syn::Expr = match text.value().is_empty() {
            true => parse_quote_spanned!(span=> &b" "[..0]),
            false => parse_quote_spanned!(span=> &#bytes[..]),
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
        let bytes: syn::Expr = parse_quote_spanned!(at=> __text.as_bytes());
        let Expr { kind, ty, .. } = self.with_hidden("__text", text, |infer| infer.expr(&bytes));
        (kind, ty)
    }

    /// `text[range]` by `__part`, and `text.get(range)` by `__get`: what starts and ends between characters.
    pub(super) fn part_of_text(&mut self, method: &str, range: &syn::Expr, text: Expr) -> (ExprKind, Ty) {
        use RangeForm::{Closed, From, Full, HalfOpen, To, ToInclusive};
        let at = Span::call_site().located_at(super::span::start(range));
        let ends = self.expr(range);
        let Ty::Range(number, form) = self.table.shallow(&ends.ty) else {
            if self.table.shallow(&ends.ty) != Ty::Error {
                self.leave_to_rustc(range, "text is indexed by a range".to_owned());
            }
            return (ExprKind::Error, Ty::Error);
        };
        self.coerce(range, &number, &Ty::USIZE);
        let method = syn::Ident::new(method, at);
        let (start, end): (syn::Expr, syn::Expr) = match form {
            HalfOpen => (parse_quote_spanned!(at=> __range.start), parse_quote_spanned!(at=> __range.end)),
            Closed => (
                parse_quote_spanned!(at=> *__range.start()),
                parse_quote_spanned!(at=> __range.end().saturating_add(1)),
            ),
            From => (parse_quote_spanned!(at=> __range.start), parse_quote_spanned!(at=> __text.len())),
            To => (parse_quote_spanned!(at=> 0), parse_quote_spanned!(at=> __range.end)),
            ToInclusive => {
                (parse_quote_spanned!(at=> 0), parse_quote_spanned!(at=> __range.end.saturating_add(1)))
            }
            Full => (parse_quote_spanned!(at=> 0), parse_quote_spanned!(at=> __text.len())),
        };
        let part: syn::Expr = parse_quote_spanned!(at=> __text.#method(#start, #end));
        let Expr { kind, ty, .. } = self.with_hidden("__range", ends, |infer| {
            infer.with_hidden("__text", text, |infer| infer.expr(&part))
        });
        (kind, ty)
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
        let bytes = utf8(text);
        let slice = Ty::Slice { element: Rc::new(Ty::Scalar(Scalar::U8)), mutable: false };
        let inner = self.byte_string_pattern(&bytes, &slice, mode);
        Pattern::Variant { variant: None, fields: vec![inner] }
    }
}

/// The bytes of a text.
fn utf8(text: &LitStr) -> LitByteStr {
    LitByteStr::new(text.value().as_bytes(), text.span())
}
