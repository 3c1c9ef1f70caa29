//! Calls of which several functions may be meant.
//!
//! A type may have several `impl`s of one generic trait. Which of them a call means follows from its arguments, or from what becomes of its result; the latter may be known
//! only at the end of the function, and so is the type whose function `Trait::make()` is.

use super::member::{Member, Wanted};
use super::signature::Parameter;
use super::{Infer, generics};
use crate::chain::Id;
use crate::typed::{Callee, Expr, ExprKind, Projection, Ty, VariableKind};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::cell::RefCell;
use std::rc::Rc;
use syn::spanned::Spanned;

/// A call that is not decided yet.
pub(super) struct OpenCall {
    value: Rc<RefCell<Option<Expr>>>,
    of: Callees,
    arguments: Vec<Expr>,
    result: Ty,
    tokens: TokenStream,
}

/// What a call may be of.
pub(super) enum Callees {
    /// One of these.
    Some(Vec<Member>),
    /// What a type, once it is known, has by this name of a trait.
    OfTrait { own: Ty, name: String, wanted: Wanted },
}

/// What a function takes and what it answers, for these arguments of its generic parameters.
struct Form {
    generics: Vec<Ty>,
    parameters: Vec<Ty>,
    result: Ty,
    is_opaque: bool,
}

impl Infer<'_> {
    /// A call with arguments that have been inferred, the receiver among them.
    pub(super) fn call_of_any(
        &mut self,
        tokens: &dyn ToTokens,
        of: Callees,
        arguments: Vec<Expr>,
        result: Ty,
    ) -> (ExprKind, Ty) {
        let tokens = tokens.to_token_stream();
        let value = Rc::new(RefCell::default());
        let mut call = OpenCall { value: Rc::clone(&value), of, arguments, result, tokens };
        let result = call.result.clone();
        match self.decided(&mut call, false) {
            Some(found) => (found.kind, found.ty),
            None => {
                self.open_calls.push(call);
                (ExprKind::Deferred(value), result)
            }
        }
    }

    /// Decides what can be decided by now.
    pub(super) fn decide_calls(&mut self) {
        self.settle_projections();
        self.decide(false);
    }

    /// Decides all calls: of those that are open even so, the types of literals say what is meant.
    pub(super) fn decide_all_calls(&mut self) {
        self.decide(false);
        self.settle_open_bounds();
        self.decide(true);
        for call in std::mem::take(&mut self.open_calls) {
            self.leave_to_rustc(&call.tokens, "type annotations needed");
            *call.value.borrow_mut() = Some(Expr::error(call.tokens.span()));
        }
    }

    fn decide(&mut self, is_end: bool) {
        loop {
            let mut goes_on = false;
            for mut call in std::mem::take(&mut self.open_calls) {
                match self.decided(&mut call, is_end) {
                    Some(found) => {
                        *call.value.borrow_mut() = Some(found);
                        goes_on = true;
                    }
                    None => self.open_calls.push(call),
                }
            }
            if !goes_on {
                return;
            }
        }
    }

    /// The call, if only one function can be meant. At the end, literals have their default types.
    fn decided(&mut self, call: &mut OpenCall, is_end: bool) -> Option<Expr> {
        let span = call.tokens.span();
        let is_wrong = |this: &Self, ty: &Ty| this.table.shallow(ty) == Ty::Error;
        if is_wrong(self, &call.result) || call.arguments.iter().any(|argument| is_wrong(self, &argument.ty))
        {
            return Some(Expr::error(span));
        }
        if let Callees::OfTrait { own, name, wanted } = &call.of {
            let known = if is_end { self.table.resolve(own) } else { self.table.shallow(own) };
            if matches!(known, Ty::Variable(..)) {
                return None;
            }
            self.table.unify(own, &known);
            let (name, wanted) = (name.clone(), wanted.clone());
            call.of = Callees::Some(self.looking_for(wanted, |this| this.preferred(&known, &name)));
        }
        let types: Vec<_> = call.arguments.iter().map(|argument| argument.ty.clone()).collect();
        let Callees::Some(candidates) = &mut call.of else { return None };
        candidates.retain(|candidate| self.may_be(candidate, &types, &call.result));
        if is_end && candidates.len() > 1 {
            let types: Vec<_> = types.iter().map(|ty| self.table.resolve(ty)).collect();
            let result = self.table.resolve(&call.result);
            candidates.retain(|candidate| self.may_be(candidate, &types, &result));
        }
        match candidates.len() {
            0 => {
                self.leave_to_rustc(&call.tokens, "no function of this name takes these and answers that");
                Some(Expr::error(span))
            }
            1 => {
                let candidate = candidates.remove(0);
                Some(self.call_of(&call.tokens, candidate, std::mem::take(&mut call.arguments), &call.result))
            }
            _ => None,
        }
    }

    fn form_of(&mut self, candidate: &Member) -> Option<Form> {
        let signature = self.program.signature(&candidate.id)?;
        let mut generics = candidate.outer.clone();
        while generics.len() < signature.generics.len() {
            generics.push(self.table.fresh(VariableKind::Any));
        }
        let parameters = signature.parameters.iter().map(|parameter| parameter.ty.substitute(&generics));
        let parameters = parameters.collect();
        let result = signature.result.substitute(&generics);
        Some(Form { generics, parameters, result, is_opaque: signature.is_opaque })
    }

    fn may_be(&mut self, candidate: &Member, arguments: &[Ty], result: &Ty) -> bool {
        let Some(form) = self.form_of(candidate) else { return false };
        if form.parameters.len() != arguments.len() {
            return false;
        }
        let mut pairs = vec![(candidate.own.clone(), candidate.target.clone())];
        pairs.extend(
            form.parameters.iter().zip(arguments).filter_map(|(wanted, own)| self.taken_as(wanted, own)),
        );
        if !form.is_opaque {
            pairs.extend(self.taken_as(result, &form.result));
        }
        pairs.extend(self.fixed_by_bounds(candidate, &form.generics, arguments));
        self.table.could_all_be(&pairs)
    }

    /// What bounds as `I: IntoIterator<Item = T>` say of the items of arguments that are iterators.
    fn fixed_by_bounds(&mut self, candidate: &Member, generics: &[Ty], arguments: &[Ty]) -> Vec<(Ty, Ty)> {
        let Some(signature) = self.program.signature(&candidate.id) else { return Vec::new() };
        let mut pairs = Vec::new();
        for (projection, fixed) in &signature.fixed {
            let takes = |parameter: &Parameter| parameter.ty == projection.of;
            let Some(position) = signature.parameters.iter().position(takes) else { continue };
            let Some(argument) = arguments.get(position).filter(|_| &*projection.name == "Item") else {
                continue;
            };
            // An iterator's own items are meant too where `IntoIterator` is the bound.
            let any = Projection { of_trait: None, ..(**projection).clone() };
            if !self.table.is_open(argument)
                && let Some(item) = self.projected(argument, &any)
            {
                pairs.push((fixed.substitute(generics), item));
            }
        }
        pairs
    }

    /// What has to be equal where a value of a type is used as another; none if it can be used as any.
    fn taken_as(&self, wanted: &Ty, own: &Ty) -> Option<(Ty, Ty)> {
        Some(match (self.table.shallow(wanted), self.table.shallow(own)) {
            (_, Ty::Never) => return None,
            (Ty::Slice { element: a, mutable: false }, Ty::Slice { element: b, .. })
            | (Ty::Reference { to: a, mutable: false }, Ty::Reference { to: b, .. }) => {
                ((*a).clone(), (*b).clone())
            }
            (Ty::Slice { element, mutable: false }, Ty::Reference { to, .. })
            | (Ty::Slice { element, mutable: true }, Ty::Reference { to, mutable: true })
                if let Ty::Array(own, _) = self.table.shallow(&to) =>
            {
                ((*element).clone(), (*own).clone())
            }
            (wanted, own) => (wanted, own),
        })
    }

    /// The call of a function that is known.
    fn call_of(
        &mut self,
        tokens: &TokenStream,
        candidate: Member,
        arguments: Vec<Expr>,
        result: &Ty,
    ) -> Expr {
        let span = tokens.span();
        self.table.unify(&candidate.own, &candidate.target);
        let Some(Form { generics, parameters, result: answer, is_opaque }) = self.form_of(&candidate) else {
            return Expr::error(span);
        };
        for (argument, parameter) in arguments.iter().zip(&parameters) {
            let wanted = self.normalized(parameter);
            self.coerce(tokens, &argument.ty, &wanted);
        }
        if let Some(signature) = self.program.signature(&candidate.id) {
            self.settle_by_bounds(&signature, &generics);
        }
        let answer = match is_opaque {
            true => self.opaque_result(tokens, &candidate.id, &generics),
            false => self.normalized(&answer),
        };
        self.coerce(tokens, &answer, result);
        for ty in &generics {
            self.defer(super::deferred::Requirement::Known, ty, tokens);
        }
        let callee = Box::new(Callee { id: candidate.id, arguments: generics });
        Expr { kind: ExprKind::Call(callee, arguments), ty: answer, span }
    }

    /// `Trait::make(arguments)` where nothing but what becomes of the result says of which type.
    pub(super) fn function_of_trait(
        &mut self,
        call: &syn::ExprCall,
        (id, of): (&Id, &syn::PathSegment),
        (name, wanted): (String, Wanted),
    ) -> Option<(ExprKind, Ty)> {
        let (item, links) = self.program.trait_item(id)?;
        let declared = item.items.iter().find_map(|member| match member {
            syn::TraitItem::Fn(member) if member.sig.ident == name => Some(&member.sig),
            _ => None,
        })?;
        if declared.receiver().is_some() {
            return None;
        }
        let signature = self.program.declaration(id, item, declared, links)?;
        let own = self.table.fresh(VariableKind::Any);
        let count = generics::of(&item.generics).len();
        let mut outer = vec![own.clone()];
        outer.extend(self.generic_arguments(count, &of.arguments));
        while outer.len() < signature.generics.len() {
            outer.push(self.table.fresh(VariableKind::Any));
        }
        if call.args.len() != signature.parameters.len() {
            return None;
        }
        let mut arguments = Vec::new();
        for (argument, parameter) in call.args.iter().zip(&signature.parameters) {
            let value = self.expr(argument);
            if !parameter.ty.has_projection() {
                self.coerce(argument, &value.ty, &parameter.ty.substitute(&outer));
            }
            arguments.push(value);
        }
        let result = match signature.result.has_projection() || signature.is_opaque {
            true => self.table.fresh(VariableKind::Any),
            false => signature.result.substitute(&outer),
        };
        Some(self.call_of_any(call, Callees::OfTrait { own, name, wanted }, arguments, result))
    }
}
