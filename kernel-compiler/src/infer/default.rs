//! `Default`: of the scalars, of what consists of others, derived, and by an `impl` of the user's; and `into()`. What either
//! is follows from the type that is wanted, which may be known later.

use super::deferred::Requirement;
use super::device::Called;
use super::member::Wanted;
use super::{Infer, nominal};
use crate::diagnostics::{Code, Diagnostic};
use crate::typed::{
    Callee, Consumer, Definition, Expr, ExprKind, Nominal, TRY_FROM_SLICE_ERROR, Ty, VariableKind,
    VariantTest,
};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
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
    /// The associated function that makes the value of `from`.
    by: &'static str,
    /// The name of the constant that it is.
    constant: Option<syn::Ident>,
    tokens: TokenStream,
}

impl Infer<'_> {
    /// `Type::default()`.
    pub(super) fn default_value(&mut self, tokens: &dyn ToTokens, ty: &Ty) -> (ExprKind, Ty) {
        self.later(tokens, ty.clone(), (None, "default"))
    }

    /// `value.into()`.
    pub(super) fn conversion(&mut self, tokens: &dyn ToTokens, from: Expr) -> (ExprKind, Ty) {
        let ty = self.table.fresh(VariableKind::Any);
        self.later(tokens, ty, (Some(from), "from"))
    }

    /// Lets a type that a value is converted into be that of the value's bound by `Into`, since nothing else says what it is before it is used.
    pub(super) fn settle_bounds(&mut self, ty: &Ty) {
        let own = self.table.shallow(ty);
        let is_it = |pending: &&Pending| pending.by == "from" && self.table.shallow(&pending.ty) == own;
        let Some(from) = self.defaults.iter().find(is_it).and_then(|pending| pending.from.as_ref()) else {
            return;
        };
        let from = self.table.resolve(&from.ty);
        let mut bounds = self.bound_arguments.iter();
        let bound = bounds.find(|(bound, name, _)| name == "Into" && self.table.resolve(bound) == from);
        if let Some(wanted) = bound.and_then(|(_, _, arguments)| arguments.first().cloned()) {
            self.table.unify(&own, &wanted);
        }
    }

    /// `to::from(value)`.
    pub(super) fn conversion_to(&mut self, tokens: &dyn ToTokens, from: Expr, to: Ty) -> (ExprKind, Ty) {
        self.later(tokens, to, (Some(from), "from"))
    }

    /// `value.try_into()`.
    pub(super) fn try_conversion(&mut self, tokens: &dyn ToTokens, from: Expr) -> (ExprKind, Ty) {
        let [to, error] = [(); 2].map(|()| self.table.fresh(VariableKind::Any));
        let ty = self.type_of_result(to, error);
        self.later(tokens, ty, (Some(from), "try_from"))
    }

    /// `text.parse()`.
    pub(super) fn parsed(&mut self, call: &syn::ExprMethodCall, text: Expr) -> (ExprKind, Ty) {
        let to = match &call.turbofish {
            Some(written) => {
                let written = syn::PathArguments::AngleBracketed(written.clone());
                self.generic_arguments(1, &written).pop().unwrap_or(Ty::Error)
            }
            None => self.table.fresh(VariableKind::Any),
        };
        let error = self.table.fresh(VariableKind::Any);
        let ty = self.type_of_result(to, error);
        let (kind, ty) = self.later(&call.method, ty, (Some(text), "from_str"));
        self.settle_parses();
        (kind, ty)
    }

    /// Finds what parses text into types that are known by now.
    pub(super) fn settle_parses(&mut self) {
        let table = &self.table;
        let is_known = |pending: &mut Pending| {
            pending.by == "from_str"
                && first_argument(&table.shallow(&pending.ty))
                    .is_some_and(|to| !matches!(table.shallow(&to), Ty::Variable(..)))
        };
        let known: Vec<_> = self.defaults.extract_if(.., is_known).collect();
        for Pending { value, ty, from, tokens, .. } in known {
            let Some(from) = from else { continue };
            let found = self.parsed_as(&tokens, from, &ty);
            *value.borrow_mut() = Some(found);
        }
    }

    /// Returns whether a type is that of the error of text which is parsed into a type that is not known yet.
    pub(super) fn is_error_of_parse(&self, ty: &Ty) -> bool {
        let own = self.table.shallow(ty);
        let error = |pending: &Pending| match self.table.shallow(&pending.ty) {
            Ty::Nominal(result) => result.arguments.get(1).map(|error| self.table.shallow(error)),
            _ => None,
        };
        matches!(own, Ty::Variable(..))
            && self
                .defaults
                .iter()
                .any(|pending| pending.by == "from_str" && error(pending).as_ref() == Some(&own))
    }

    /// What the `FromStr` of a type makes of text: the type is the first argument of the result.
    fn parsed_as(&mut self, tokens: &TokenStream, text: Expr, ty: &Ty) -> Expr {
        let span = text.span;
        let to = first_argument(&self.table.shallow(ty)).unwrap_or(Ty::Error);
        let wanted = self.table.resolve(&to);
        if wanted == Ty::Error || self.table.shallow(&text.ty) == Ty::Error {
            return Expr::error(span);
        }
        let (kind, answer) = match &wanted {
            Ty::Scalar(scalar) if scalar.is_integer() => {
                let ten = syn::LitInt::new("10_u32", span);
                let arguments = std::iter::once::<syn::Expr>(syn::parse_quote!(#ten)).collect();
                self.parsed_by_radix(tokens, *scalar, span, (Some(text), &arguments))
            }
            Ty::Scalar(scalar @ (Scalar::F32 | Scalar::F64)) => self.parsed_float(tokens, *scalar, text),
            _ => {
                let of = Wanted::Trait("FromStr".to_owned());
                let member = self.looking_for(of, |this| this.member(&wanted, "from_str", &[]));
                let found = member.and_then(|member| {
                    let signature = self.program.signature(&member.id)?;
                    Some((member, signature))
                });
                let Some((member, signature)) = found else {
                    let message = format!("device code cannot parse text into `{wanted}`");
                    let help = "device code parses integers, `f32`, `f64`, and types of your own with an `impl FromStr`";
                    self.error(crate::diagnostics::Code::UnknownMethod, tokens, message, help);
                    return Expr::error(span);
                };
                let answer = self.normalized(&signature.result.substitute(&member.outer));
                let callee = Callee { id: member.id, arguments: member.outer };
                (ExprKind::Call(Box::new(callee), vec![text]), answer)
            }
        };
        self.coerce(tokens, &answer, ty);
        Expr { kind, ty: ty.clone(), span }
    }

    /// `slice.try_into()`: an array, or a reference to one.
    pub(super) fn array_conversion(&mut self, tokens: &dyn ToTokens, slice: Expr) -> (ExprKind, Ty) {
        let to = self.table.fresh(VariableKind::Any);
        let error = self.nominal(&TRY_FROM_SLICE_ERROR.to_owned(), &syn::PathArguments::None);
        let ty = self.type_of_result(to, error.unwrap_or(Ty::Error));
        self.later(tokens, ty, (Some(slice), "try_from"))
    }

    /// Returns whether there is a `TryFrom` of the user's, so that what `try_into` makes is not known from what it is called on.
    pub(super) fn has_own_try_from(&self) -> bool {
        let of = |implementation: &Rc<super::program::Impl>| {
            implementation
                .of()
                .and_then(|path| path.segments.last())
                .is_some_and(|last| last.ident == "TryFrom")
        };
        self.program.impls().iter().any(of)
    }

    /// What an associated function of a type, which may not be known yet, makes of an iterator.
    pub(super) fn made_by(
        &mut self,
        tokens: &dyn ToTokens,
        by: &'static str,
        iterator: Expr,
        ty: Ty,
    ) -> (ExprKind, Ty) {
        self.later(tokens, ty, (Some(iterator), by))
    }

    fn later(
        &mut self,
        tokens: &dyn ToTokens,
        ty: Ty,
        (from, by): (Option<Expr>, &'static str),
    ) -> (ExprKind, Ty) {
        let tokens = tokens.to_token_stream();
        let value = Rc::new(RefCell::default());
        let constant = None;
        self.defaults.push(Pending { value: value.clone(), ty: ty.clone(), from, by, constant, tokens });
        (ExprKind::Deferred(value), ty)
    }

    /// `size_of` or `align_of` of a type, once that is known.
    pub(super) fn extent_later(&mut self, tokens: &dyn ToTokens, ty: Ty, by: &'static str) -> ExprKind {
        self.later(tokens, ty, (None, by)).0
    }

    /// A constant of a type which is its own, once that is known.
    pub(super) fn constant_later(
        &mut self,
        tokens: &dyn ToTokens,
        ty: Ty,
        name: &syn::Ident,
    ) -> (ExprKind, Ty) {
        let (tokens, constant) = (tokens.to_token_stream(), Some(name.clone()));
        let value = Rc::new(RefCell::default());
        self.defaults.push(Pending {
            value: value.clone(),
            ty: ty.clone(),
            from: None,
            by: "constant",
            constant,
            tokens,
        });
        (ExprKind::Deferred(value), ty)
    }

    fn constant_now(&mut self, tokens: &TokenStream, ty: &Ty, name: &syn::Ident) -> Expr {
        let span = name.span();
        if self.table.closed(ty).has_error() {
            self.leave_to_rustc(tokens, "the type that has this constant is not known here");
            return Expr::error(span);
        }
        match self.member_constant(ty, name, Wanted::Any) {
            Some((kind, found)) => {
                self.coerce(tokens, &found, ty);
                Expr { kind, ty: ty.clone(), span }
            }
            None => Expr::error(span),
        }
    }

    /// Finds the default values of types that are known by now.
    pub(super) fn find_defaults(&mut self) {
        while let Some(Pending { value, ty, from, by, constant, tokens }) = self.defaults.pop() {
            let found = match from {
                None if let Some(name) = &constant => self.constant_now(&tokens, &ty, name),
                None if by != "default" => self.extent_now(&tokens, &ty, by),
                Some(from) if by == "from_str" => self.parsed_as(&tokens, from, &ty),
                Some(from) if by == "try_from" => self.tried(&tokens, from, &ty),
                Some(from) if by != "from" => self.made(&tokens, (by, from), &ty),
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
            Ty::Slice { .. } => ExprKind::EmptySlice,
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
        self.decide_by_from(&from.ty, ty);
        let is_open = matches!(self.table.shallow(&from.ty), Ty::Variable(_, VariableKind::Float));
        let (own, wanted) = (self.table.resolve(&from.ty), self.table.resolve(ty));
        let kind = match (&own, &wanted) {
            (Ty::Error, _) | (_, Ty::Error) => return Expr::error(span),
            // `T: From<f32>` makes a literal an `f32`, whatever `T` is.
            (_, Ty::Scalar(to))
                if let ExprKind::Float(text) = &from.kind
                    && is_open =>
            {
                match (to, is_single(text)) {
                    (Scalar::F32, _) | (Scalar::F64, true) => Some(from.kind),
                    _ if *to == Scalar::F64 && self.generics.is_empty() => Some(from.kind),
                    _ => {
                        let message = "whether this literal is an `f32` or an `f64` is not known here";
                        let help = "give it a type, as in `0.1_f32`";
                        self.error(Code::UnsupportedExpression, tokens, message, help);
                        return Expr::error(span);
                    }
                }
            }
            (own, wanted) if own == wanted => Some(from.kind),
            (own, Ty::Scalar(to @ (Scalar::U32 | Scalar::U64))) if self.is_char(own) => {
                self.lossless(self.code_of_char(from), *to)
            }
            (Ty::Scalar(_), Ty::Scalar(to)) => self.lossless(from, *to),
            _ => {
                let of = Wanted::Trait("From".to_owned());
                // A literal is what there is a `From` of.
                let taken = [own.clone(), from.ty.clone()];
                let member = self.looking_for(of, |this| {
                    let mut taken = taken.iter();
                    taken.find_map(|own| this.member_taking(&wanted, "from", std::slice::from_ref(own)))
                });
                // A reference is converted as such where there is a `From` of it.
                if let (None, Ty::Reference { .. }) = (&member, &own) {
                    let followed = self.followed_references(from);
                    return self.converted(tokens, followed, ty);
                }
                member.map(|member| {
                    let signature = self.program.signature(&member.id);
                    if let Some(parameter) = signature.as_ref().and_then(|it| it.parameters.first()) {
                        self.table.unify(&parameter.ty.substitute(&member.outer), &from.ty);
                    }
                    let callee = Callee { id: member.id, arguments: member.outer };
                    ExprKind::Call(Box::new(callee), vec![from])
                })
            }
        };
        match kind {
            Some(kind) => Expr { kind, ty: wanted, span },
            None => {
                self.leave_to_rustc(tokens, format!("there is no `From<{own}>` of `{wanted}`"));
                Expr::error(span)
            }
        }
    }

    /// Lets an integer that is a literal be of the type of which a bound by `From` makes what is wanted.
    fn decide_by_from(&mut self, from: &Ty, wanted: &Ty) {
        if !matches!(self.table.shallow(from), Ty::Variable(_, VariableKind::Integer)) {
            return;
        }
        let wanted = self.table.resolve(wanted);
        let is_it = |ty: &Ty| self.table.resolve(ty) == wanted;
        let mut bounds = self.bound_arguments.iter().filter(|(ty, name, _)| name == "From" && is_it(ty));
        if let (Some((_, _, arguments)), None) = (bounds.next(), bounds.next())
            && let Some(own) = arguments.first().cloned()
        {
            self.table.unify(from, &own);
        }
    }

    /// A value as another type that has a `TryFrom` for it, if it fits.
    fn tried(&mut self, tokens: &TokenStream, from: Expr, ty: &Ty) -> Expr {
        let span = from.span;
        let to = match self.table.shallow(ty) {
            Ty::Nominal(result) => result.arguments.first().cloned().unwrap_or(Ty::Error),
            _ => Ty::Error,
        };
        let (own, wanted) = (self.table.resolve(&from.ty), self.table.resolve(&to));
        if own == Ty::Error || wanted == Ty::Error {
            return Expr::error(span);
        }
        let (kind, answer) = match &wanted {
            Ty::Array(..) => {
                let slice = self.followed_references(from);
                self.array_from_slice(tokens, slice)
            }
            Ty::Reference { to, mutable: false } if matches!(**to, Ty::Array(..)) => {
                let slice = self.followed_references(from);
                self.array_behind_slice(tokens, slice)
            }
            wanted if wanted.scalar().is_some() || self.is_wide(wanted) => self.try_into_number(tokens, from),
            wanted => {
                let of = Wanted::Trait("TryFrom".to_owned());
                // A literal is what there is a `TryFrom` of.
                let taken = [own.clone(), from.ty.clone()];
                let member = self.looking_for(of, |this| {
                    let mut taken = taken.iter();
                    taken.find_map(|own| this.member_taking(wanted, "try_from", std::slice::from_ref(own)))
                });
                let found = member.and_then(|member| {
                    let signature = self.program.signature(&member.id)?;
                    Some((member, signature))
                });
                let Some((member, signature)) = found else {
                    self.leave_to_rustc(tokens, format!("there is no `TryFrom<{own}>` of `{wanted}`"));
                    return Expr::error(span);
                };
                if let Some(parameter) = signature.parameters.first() {
                    self.coerce(tokens, &from.ty, &parameter.ty.substitute(&member.outer));
                }
                let answer = self.normalized(&signature.result.substitute(&member.outer));
                let callee = Callee { id: member.id, arguments: member.outer };
                (ExprKind::Call(Box::new(callee), vec![from]), answer)
            }
        };
        self.coerce(tokens, &answer, ty);
        Expr { kind, ty: ty.clone(), span }
    }

    /// What the function of a type's `impl` of `FromIterator`, `Sum` or `Product` makes of an iterator.
    fn made(&mut self, tokens: &TokenStream, (by, iterator): (&str, Expr), ty: &Ty) -> Expr {
        let span = iterator.span;
        let item = match self.table.shallow(&iterator.ty) {
            Ty::Iterator { item, .. } => (*item).clone(),
            _ => return Expr::error(span),
        };
        if let Some(found) = self.made_of_contents(tokens, (by, &iterator), &item, ty) {
            return found;
        }
        if by != "from_iter" && matches!(self.table.shallow(ty), Ty::Variable(_, VariableKind::Any)) {
            let number = self.referred_type(&item);
            self.table.unify(ty, &number);
        }
        if by == "from_iter" {
            self.decide_by_from_iter(ty, &item);
        }
        let wanted = self.table.resolve(ty);
        if wanted.has_error() || self.table.resolve(&iterator.ty).has_error() {
            return Expr::error(span);
        }
        if by != "from_iter" && !matches!(wanted, Ty::Nominal(_) | Ty::Tuple(_)) {
            return self.number_of_items(tokens, (by, iterator), &item, wanted);
        }
        let found = self.maker_of(&wanted, by, &item);
        let Some((member, signature)) = found else {
            self.no_maker(tokens, by, &wanted);
            return Expr::error(span);
        };
        let mut generics = member.outer;
        while generics.len() < signature.generics.len() {
            generics.push(self.table.fresh(VariableKind::Any));
        }
        let parameter = signature.parameters.first().map(|parameter| parameter.ty.substitute(&generics));
        if let Some(parameter) = parameter {
            self.coerce(tokens, &iterator.ty, &parameter);
        }
        let callee = Callee { id: member.id, arguments: generics };
        Expr { kind: ExprKind::Call(Box::new(callee), vec![iterator]), ty: wanted, span }
    }

    /// An `Option` or a `Result` of what is made of the values in options or results.
    fn made_of_contents(
        &mut self,
        tokens: &TokenStream,
        (by, iterator): (&str, &Expr),
        item: &Ty,
        ty: &Ty,
    ) -> Option<Expr> {
        let span = iterator.span;
        let (contents, wanted) = self.contents_of(item, ty)?;
        let name = syn::Ident::new(&format!("{by}_of_{contents}"), span);
        let id = self.program.prelude_function("iterator", &name)?;
        let outer = std::iter::once(&iterator.ty).chain(&wanted.arguments).cloned().collect();
        let none = syn::PathArguments::None;
        let called = Called { id: &id, outer, written: &none, receiver: Some(iterator.clone()) };
        let (kind, answer) = self.device_call(tokens, called, []);
        self.coerce(tokens, &answer, ty);
        Some(Expr { kind, ty: ty.clone(), span })
    }

    /// What items and what is made of them are, if both are options or both results: then the errors are the same.
    pub(super) fn contents_of(&mut self, item: &Ty, made: &Ty) -> Option<(&'static str, Rc<Nominal>)> {
        let (Ty::Nominal(of), Ty::Nominal(made)) = (self.table.shallow(item), self.table.shallow(made))
        else {
            return None;
        };
        let contents = match &*made.id {
            nominal::OPTION if of.id == nominal::OPTION => "options",
            nominal::RESULT if of.id == nominal::RESULT => "results",
            _ => return None,
        };
        if let (Some(one), Some(other)) = (of.arguments.get(1), made.arguments.get(1)) {
            self.table.unify(one, other);
        }
        Some((contents, made))
    }

    /// The sum or the product of numbers, which turns out to be a number.
    fn number_of_items(
        &mut self,
        tokens: &TokenStream,
        (by, iterator): (&str, Expr),
        item: &Ty,
        wanted: Ty,
    ) -> Expr {
        let (consumer, op) = match by {
            "sum" => (Consumer::Sum, BinaryOp::Add),
            _ => (Consumer::Product, BinaryOp::Mul),
        };
        let number = self.referred_type(item);
        self.coerce(tokens, &number, &wanted);
        self.defer(Requirement::Binary(op), &wanted, tokens);
        let span = iterator.span;
        Expr { kind: ExprKind::Consume(consumer, vec![iterator]), ty: wanted, span }
    }

    fn no_maker(&mut self, tokens: &TokenStream, by: &str, wanted: &Ty) {
        if by == "from_iter" {
            let message = format!("device code cannot collect into `{wanted}`");
            let help = "a device has no heap: store the items into an array in a `for`, or write an `impl FromIterator` for a type of your own in a `#[device] mod`";
            self.error(Code::UnknownMethod, tokens, message, help);
        } else {
            let message = format!("device code has no `{by}` of these in `{wanted}`");
            let help =
                "put the `impl` of `Sum` or `Product` into the `#[device] mod` of the type, or use `fold`";
            let diagnostic = Diagnostic::left_to_rustc(tokens, message).code(Code::UnknownMethod).help(help);
            self.diagnostics.push(diagnostic);
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
        let of = Wanted::Trait("Default".to_owned());
        if let Some(member) = self.looking_for(of, |this| this.member(ty, "default", &[])) {
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

/// Returns whether a literal has the same value as an `f32`.
fn is_single(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(|value| f64::from(value as f32) == value)
}

/// The variant that a derived default is, which for a struct is its only one.
fn default_variant(definition: &Definition, nominal: &Nominal) -> Option<usize> {
    if nominal.id == nominal::OPTION {
        return Some(0);
    }
    let derives = definition.derives.iter().any(|name| name == "Default");
    definition.default.filter(|_| derives)
}

/// The first generic argument of a type of the standard library.
fn first_argument(ty: &Ty) -> Option<Ty> {
    match ty {
        Ty::Nominal(nominal) => nominal.arguments.first().cloned(),
        _ => None,
    }
}
