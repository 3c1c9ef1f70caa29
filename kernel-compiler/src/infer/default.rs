//! `Default`: of the scalars, of what consists of others, derived, and by an `impl` of the user's; and `into()`. What either
//! is follows from the type that is wanted, which may be known later.

use super::{Infer, nominal};
use crate::typed::{Callee, Definition, Expr, ExprKind, Nominal, Ty, VariableKind, VariantTest};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::cell::RefCell;
use std::rc::Rc;
use syn::spanned::Spanned;

/// `Default::default()` of a type that may not be known yet, or what `into()` makes of a value.
pub(super) struct Pending {
    value: Rc<RefCell<Option<Expr>>>,
    ty: Ty,
    from: Option<Expr>,
    tokens: TokenStream,
}

impl Infer<'_> {
    /// `Type::default()`.
    pub(super) fn default_value(&mut self, tokens: &impl ToTokens, ty: &Ty) -> (ExprKind, Ty) {
        self.later(tokens, ty.clone(), None)
    }

    /// `value.into()`.
    pub(super) fn conversion(&mut self, tokens: &impl ToTokens, from: Expr) -> (ExprKind, Ty) {
        let ty = self.table.fresh(VariableKind::Any);
        self.later(tokens, ty, Some(from))
    }

    fn later(&mut self, tokens: &impl ToTokens, ty: Ty, from: Option<Expr>) -> (ExprKind, Ty) {
        let tokens = tokens.to_token_stream();
        let value = Rc::new(RefCell::default());
        self.defaults.push(Pending { value: value.clone(), ty: ty.clone(), from, tokens });
        (ExprKind::Later(value), ty)
    }

    /// Finds the default values of types that are known by now.
    pub(super) fn find_defaults(&mut self) {
        while let Some(Pending { value, ty, from, tokens }) = self.defaults.pop() {
            let found = match from {
                Some(from) => self.converted(&tokens, from, &ty),
                None => self.default_of(&tokens, &ty, tokens.span()),
            };
            *value.borrow_mut() = Some(found);
        }
    }

    fn default_of(&mut self, tokens: &TokenStream, ty: &Ty, span: Span) -> Expr {
        let shallow = self.table.shallow(ty);
        let kind = match &shallow {
            Ty::Scalar(scalar) if scalar.is_float() => ExprKind::Float("0".to_owned()),
            Ty::Variable(_, VariableKind::Float) => ExprKind::Float("0".to_owned()),
            Ty::Scalar(_) | Ty::Variable(_, VariableKind::Integer) => ExprKind::Integer(0),
            Ty::Unit => ExprKind::Tuple(Vec::new()),
            Ty::Tuple(elements) => {
                ExprKind::Tuple(elements.iter().map(|ty| self.default_of(tokens, ty, span)).collect())
            }
            Ty::Array(element, _) => ExprKind::Repeat(Box::new(self.default_of(tokens, element, span))),
            Ty::Nominal(nominal) => match self.default_of_nominal(tokens, &shallow, nominal, span) {
                Some(kind) => kind,
                None => return self.no_default(tokens, ty, span),
            },
            _ => return self.no_default(tokens, ty, span),
        };
        Expr { kind, ty: ty.clone(), span }
    }

    /// A value as another type that has a `From` for it.
    fn converted(&mut self, tokens: &TokenStream, from: Expr, ty: &Ty) -> Expr {
        let span = from.span;
        let (own, wanted) = (self.table.resolve(&from.ty), self.table.resolve(ty));
        let kind = match (&own, &wanted) {
            (Ty::Error, _) | (_, Ty::Error) => return Expr::error(span),
            (own, wanted) if own == wanted => Some(from.kind),
            (Ty::Scalar(_), Ty::Scalar(to)) => self.lossless(from, *to),
            _ => self.member(&wanted, "from", std::slice::from_ref(&own)).map(|member| {
                let callee = Callee { id: member.id, arguments: member.outer };
                ExprKind::Call(Box::new(callee), vec![from])
            }),
        };
        match kind {
            Some(kind) => Expr { kind, ty: wanted, span },
            None => {
                self.leave_to_rustc(tokens, format!("there is no `From<{own}>` of `{wanted}`"));
                Expr::error(span)
            }
        }
    }

    fn no_default(&mut self, tokens: &TokenStream, ty: &Ty, span: Span) -> Expr {
        let ty = self.table.partial(ty);
        if ty != Ty::Error {
            self.leave_to_rustc(tokens, format!("`{ty}` has no default value that device code knows"));
        }
        Expr::error(span)
    }

    /// By the user's `impl`, or field by field where that is derived.
    fn default_of_nominal(
        &mut self,
        tokens: &TokenStream,
        ty: &Ty,
        nominal: &Nominal,
        span: Span,
    ) -> Option<ExprKind> {
        if let Some(member) = self.member(ty, "default", &[]) {
            let callee = Callee { id: member.id, arguments: member.outer };
            return Some(ExprKind::Call(Box::new(callee), Vec::new()));
        }
        let definition = self.program.definition(&nominal.id)?;
        let position = default_variant(&definition, nominal)?;
        let variant = &definition.variants[position];
        let discriminant = variant.discriminant as i64;
        let mut fields = Vec::new();
        for (index, field) in variant.fields.iter().enumerate() {
            let ty = field.ty.substitute(&nominal.arguments);
            fields.push((index, self.default_of(tokens, &ty, span)));
        }
        let variant = definition.is_enum().then_some(VariantTest { position, discriminant });
        Some(ExprKind::Construct { variant, fields, base: None })
    }
}

/// The variant that a derived default is, which for a struct is its only one.
fn default_variant(definition: &Definition, nominal: &Nominal) -> Option<usize> {
    if nominal.id == nominal::OPTION {
        return Some(0);
    }
    let derives = definition.derives.iter().any(|name| name == "Default");
    definition.default.filter(|_| derives)
}
