//! Methods, associated functions, types and constants of `impl`s and traits.

use super::device::Called;
use super::program::{Impl, member_id};
use super::{Generic, Infer, Owner, Signature, Source, generics};
use crate::chain::Id;
use crate::diagnostics::{Code, Diagnostic};
use crate::typed::{Expr, ExprKind, Projection, Ty, VariableKind};
use quote::ToTokens;
use std::rc::Rc;
use syn::punctuated::Punctuated;
use syn::{ExprMethodCall, ImplItem, PathArguments, TraitItem, TypePath};

/// The methods of traits that a type with an `impl Deref` has itself, if it has them.
const OWN: &[&str] = &[
    "clone",
    "into",
    "try_into",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "cmp",
    "partial_cmp",
    "max",
    "min",
    "clamp",
    "hash",
];

/// How deep associated types of types that are not known are followed.
const MAX_PROJECTIONS: u32 = 8;

/// How the names of methods start that change what they are called on.
const CHANGING: &[&str] = &[
    "fill",
    "swap",
    "reverse",
    "sort",
    "rotate",
    "copy_from",
    "copy_within",
    "select_nth",
    "next",
    "push",
    "insert",
    "get_mut",
];

/// A member that a type has.
pub(super) struct Member {
    pub(super) id: Id,
    /// The arguments for the generic parameters of what it is a member of.
    pub(super) outer: Vec<Ty>,
    /// The type that it is a member of.
    own: Ty,
    /// The type that it was looked for by.
    target: Ty,
    /// The trait; none for what the type has itself.
    of: Option<TraitName>,
}

/// How a trait is called.
struct TraitName {
    /// See [`Program::trait_name`](super::Program::trait_name).
    unique: String,
    written: String,
}

impl TraitName {
    /// Whether it is what a path names, of which it may not be known what it means.
    fn is(&self, name: &str) -> bool {
        self.unique == name || self.written == name
    }
}

/// Whose members are meant where several have one of the same name.
#[derive(Clone, Debug, Default)]
pub(super) enum Wanted {
    /// Those of the bounds of a generic parameter where one stands for the type, else those of the type itself.
    #[default]
    Any,
    /// Those of a type that is written by its own name.
    Type,
    /// Those of the trait with this name, see [`Program::trait_name`](super::Program::trait_name).
    Trait(String),
}

/// How a method takes its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    ByValue,
    Shared,
    Exclusive,
}

/// Takes out the members that take their receivers in one way.
fn taken_so(members: &mut Vec<(Taken, Member)>, wanted: Taken) -> Vec<Member> {
    members.extract_if(.., |(taken, _)| *taken == wanted).map(|(_, member)| member).collect()
}

impl Taken {
    fn reference(mutable: bool) -> Self {
        if mutable { Self::Exclusive } else { Self::Shared }
    }
}

/// A reference to a place; `*r` as a place is what `r` refers to already.
fn reference_to(place: &Expr, mutable: bool) -> Expr {
    let span = place.span;
    let ty = Ty::Reference { to: Rc::new(place.ty.clone()), mutable };
    match &place.kind {
        ExprKind::Dereference(reference) => Expr { kind: reference.kind.clone(), ty, span },
        _ => Expr { kind: ExprKind::Reference(Box::new(place.clone())), ty, span },
    }
}

/// The trait of the standard library whose method an operator is.
pub(super) fn trait_of_operator(method: &str) -> Option<&'static str> {
    Some(match method {
        "add" => "Add",
        "sub" => "Sub",
        "mul" => "Mul",
        "div" => "Div",
        "rem" => "Rem",
        "neg" => "Neg",
        "not" => "Not",
        "bitand" => "BitAnd",
        "bitor" => "BitOr",
        "bitxor" => "BitXor",
        "shl" => "Shl",
        "shr" => "Shr",
        "add_assign" => "AddAssign",
        "sub_assign" => "SubAssign",
        "mul_assign" => "MulAssign",
        "div_assign" => "DivAssign",
        "rem_assign" => "RemAssign",
        "bitand_assign" => "BitAndAssign",
        "bitor_assign" => "BitOrAssign",
        "bitxor_assign" => "BitXorAssign",
        "shl_assign" => "ShlAssign",
        "shr_assign" => "ShrAssign",
        "index" => "Index",
        "index_mut" => "IndexMut",
        "deref" => "Deref",
        "deref_mut" => "DerefMut",
        "eq" => "PartialEq",
        "partial_cmp" => "PartialOrd",
        "into_iter" => "IntoIterator",
        _ => return None,
    })
}

impl<'a> Infer<'a> {
    /// The function of a type with this name; where traits for several types have one, that which takes these arguments.
    pub(super) fn member(&mut self, ty: &Ty, name: &str, arguments: &[Ty]) -> Option<Member> {
        if matches!(self.table.shallow(ty), Ty::Variable(_, VariableKind::Any) | Ty::Error) {
            return None;
        }
        let mut found = self.members(ty, name);
        self.prefer(&mut found);
        if found.len() > 1 {
            found.retain(|member| self.takes(member, arguments));
        }
        let member = if found.is_empty() { return None } else { found.remove(0) };
        self.table.unify(&member.own, ty);
        Some(member)
    }

    /// As [`member`](Self::member), where even a single one has to take these arguments.
    pub(super) fn member_taking(&mut self, ty: &Ty, name: &str, arguments: &[Ty]) -> Option<Member> {
        let mut found = self.members(ty, name);
        self.prefer(&mut found);
        let member = found.into_iter().find(|member| self.takes(member, arguments))?;
        self.table.unify(&member.own, ty);
        Some(member)
    }

    /// Leaves those members that Rust would choose from: those of the trait that is written; where a generic parameter stands for the type, those of its bounds;
    /// else those that the type has itself.
    fn prefer(&self, found: &mut Vec<Member>) {
        if let Wanted::Trait(wanted) = &self.wanted {
            return found.retain(|member| member.of.as_ref().is_some_and(|of| of.is(wanted)));
        }
        if found.iter().any(|member| self.is_bound(member)) {
            found.retain(|member| self.is_bound(member));
        } else if found.iter().any(|member| member.of.is_none()) {
            found.retain(|member| member.of.is_none());
        }
    }

    /// Whether a generic parameter that is bound by the trait of a member stands for the type.
    fn is_bound(&self, member: &Member) -> bool {
        member.of.as_ref().is_some_and(|of| self.is_bound_by(&member.target, of))
    }

    fn is_bound_by(&self, ty: &Ty, of: &TraitName) -> bool {
        let mut bounds = self.bounds.iter().filter(|(_, traits)| traits.iter().any(|name| of.is(name)));
        matches!(self.wanted, Wanted::Any)
            && bounds.any(|(bound, _)| self.table.resolve(bound) == self.table.resolve(ty))
    }

    /// Whose members `<Type as Trait>::name` means.
    pub(super) fn wanted_of(&self, own: &syn::QSelf, path: &syn::Path) -> Wanted {
        match own.position {
            0 => Wanted::Any,
            _ => Wanted::Trait(self.program.trait_name(&super::nominal::prefix(path), self.links)),
        }
    }

    /// Whose members `Type::name` means.
    pub(super) fn wanted_by(&self, path: &syn::Path) -> Wanted {
        let first = path.segments.first().map(|first| first.ident.to_string());
        match first.is_some_and(|first| self.generics.contains_key(&first)) {
            true => Wanted::Any,
            false => Wanted::Type,
        }
    }

    /// Looks for members of which it is known whose they are.
    pub(super) fn looking_for<R>(&mut self, wanted: Wanted, look: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.wanted, wanted);
        let found = look(self);
        self.wanted = outer;
        found
    }

    fn trait_name_of(&self, implementation: &Impl) -> Option<TraitName> {
        let path = implementation.of()?;
        let written = path.segments.last()?.ident.to_string();
        Some(TraitName { unique: self.program.trait_name(path, &implementation.links), written })
    }

    fn members(&mut self, ty: &Ty, name: &str) -> Vec<Member> {
        let program = self.program;
        let mut found = Vec::new();
        for implementation in program.impls_with(ty, name) {
            let Some((own, arguments)) = self.implementation_for(&implementation, ty) else { continue };
            let has = |item: &ImplItem| matches!(item, ImplItem::Fn(item) if item.sig.ident == name);
            let of = self.trait_name_of(&implementation);
            let target = ty.clone();
            if implementation.members().iter().any(has) {
                let id = member_id(&implementation.id, name);
                found.push(Member { id, outer: arguments, own, target, of });
            } else if let Some((id, _, _)) = program.trait_of(&implementation) {
                let id = member_id(id, name);
                if program.function(&id).is_some() {
                    let mut outer = vec![own.clone()];
                    outer.extend(self.trait_arguments(&implementation, &arguments));
                    found.push(Member { id, outer, own, target, of });
                }
            }
        }
        found
    }

    /// The type that an `impl` is for, and its generic arguments, if it may be for this type.
    fn implementation_for(&mut self, implementation: &Impl, ty: &Ty) -> Option<(Ty, Vec<Ty>)> {
        let own = self.own_type(implementation);
        let arguments: Vec<_> =
            implementation.generics.iter().map(|_| self.table.fresh(VariableKind::Any)).collect();
        let own = own.substitute(&arguments);
        self.table.could_equal(&own, ty).then_some((own, arguments))
    }

    /// The type that an `impl` is for, in terms of its generic parameters.
    fn own_type(&mut self, implementation: &Impl) -> Ty {
        let known = implementation.own.borrow().clone();
        known.unwrap_or_else(|| {
            let mut there = Infer::new(self.program, &implementation.links, self.role, Ty::Unit);
            there.generics = generics::opaque(&implementation.generics);
            let ty = implementation.self_ty().map_or(Ty::Error, |ty| there.complete_type(ty));
            implementation.own.replace(Some(ty.clone()));
            ty
        })
    }

    /// The arguments that an `impl` has for the generic parameters of its trait.
    fn trait_arguments(&mut self, implementation: &Impl, arguments: &[Ty]) -> Vec<Ty> {
        let Some(path) = implementation.of() else { return Vec::new() };
        let mut there = Infer::new(self.program, &implementation.links, self.role, Ty::Unit);
        there.generics = generics::opaque(&implementation.generics);
        let Some(last) = path.segments.last() else { return Vec::new() };
        let count = match &last.arguments {
            PathArguments::AngleBracketed(written) => written.args.len(),
            _ => 0,
        };
        let types = there.generic_arguments(count, &last.arguments);
        types.iter().map(|ty| ty.substitute(arguments)).collect()
    }

    /// Whether an `impl` is for a type.
    pub(super) fn is_for(&mut self, implementation: &Impl, ty: &Ty) -> bool {
        self.implementation_for(implementation, ty).is_some()
    }

    /// The function of a type that makes a value of items; where there are several, that of a trait with an argument like the item.
    pub(super) fn maker_of(&mut self, ty: &Ty, name: &str, item: &Ty) -> Option<(Member, Rc<Signature>)> {
        let mut found = self.makers(ty, name, item);
        if found.is_empty() {
            return None;
        }
        let member = found.remove(0);
        self.table.unify(&member.own, ty);
        let signature = self.program.signature(&member.id)?;
        Some((member, signature))
    }

    /// The functions of the `impl`s of a generic trait whose first argument is the type of the items, or the type itself if none is written.
    fn makers(&mut self, ty: &Ty, name: &str, item: &Ty) -> Vec<Member> {
        let program = self.program;
        let mut found = Vec::new();
        for implementation in program.impls().iter() {
            let Some((own, arguments)) = self.implementation_for(implementation, ty) else { continue };
            let has = |member: &ImplItem| matches!(member, ImplItem::Fn(member) if member.sig.ident == name);
            let Some(named) =
                self.trait_name_of(implementation).filter(|_| implementation.members().iter().any(has))
            else {
                continue;
            };
            let of = self.trait_arguments(implementation, &arguments).into_iter().next();
            if self.table.could_equal(&of.clone().unwrap_or_else(|| own.clone()), item) {
                if let Some(of) = of {
                    self.table.unify(&of, item);
                }
                let id = member_id(&implementation.id, name);
                let target = ty.clone();
                found.push(Member { id, outer: arguments, own, target, of: Some(named) });
            }
        }
        found
    }

    fn takes(&mut self, member: &Member, arguments: &[Ty]) -> bool {
        let Some(signature) = self.program.signature(&member.id) else { return false };
        let mut generics = member.outer.clone();
        while generics.len() < signature.generics.len() {
            generics.push(self.table.fresh(VariableKind::Any));
        }
        let parameters = signature.parameters.iter().rev().zip(arguments.iter().rev());
        parameters.into_iter().all(|(parameter, argument)| {
            let wanted = parameter.ty.substitute(&generics);
            self.table.could_equal(&wanted, argument)
        })
    }

    /// A method of an `impl` or a trait, if the receiver, or what it refers to, has one of this name.
    pub(super) fn user_method(&mut self, call: &ExprMethodCall, receiver: &Expr) -> Option<(ExprKind, Ty)> {
        let name = call.method.to_string();
        let mut receiver = receiver.clone();
        loop {
            let ty = self.table.shallow(&receiver.ty);
            // What the scalars have themselves comes before what a trait gives them, but for what a bound names.
            let has_own = ty.scalar().is_some_and(|scalar| crate::methods::find(scalar, &name).is_some())
                || self.is_vector_method(&ty, &name);
            if let Some((member, passed)) = self.probed(&receiver, &ty, &name, has_own) {
                let none = PathArguments::None;
                let written =
                    call.turbofish.as_ref().map(|written| PathArguments::AngleBracketed(written.clone()));
                let written = written.as_ref().unwrap_or(&none);
                let called = Called { id: &member.id, outer: member.outer, written, receiver: Some(passed) };
                return Some(self.device_call(call, called, &call.args));
            }
            let Ty::Reference { to, .. } = ty else { return None };
            if has_own {
                return None;
            }
            let span = receiver.span;
            receiver = Expr { kind: ExprKind::Dereference(Box::new(receiver)), ty: (*to).clone(), span };
        }
    }

    /// The method that takes a receiver as it is, or a reference to it, in the order in which Rust looks for it, and what it takes.
    fn probed(&mut self, receiver: &Expr, ty: &Ty, name: &str, only_bound: bool) -> Option<(Member, Expr)> {
        if matches!(ty, Ty::Variable(_, VariableKind::Any) | Ty::Error) {
            return None;
        }
        let mut own = self.methods(ty, name);
        // Of what a generic parameter stands for, Rust sees the bounds alone.
        if own.iter().any(|(_, member)| self.is_bound(member)) {
            own.retain(|(_, member)| self.is_bound(member));
        } else if only_bound {
            return None;
        } else if let Some(member) = self.taking_as_it_is(ty, name, &mut own) {
            return Some((member, receiver.clone()));
        }
        for taken in [Taken::ByValue, Taken::Shared, Taken::Exclusive] {
            let passed = match taken {
                Taken::ByValue => receiver.clone(),
                _ => reference_to(receiver, taken == Taken::Exclusive),
            };
            let mut found = taken_so(&mut own, taken);
            if taken != Taken::ByValue && self.has_impls_for_references() && matches!(ty, Ty::Nominal(_)) {
                found.extend(taken_so(&mut self.methods(&passed.ty, name), Taken::ByValue));
            }
            if let Some(member) = self.best(found) {
                return Some((member, passed));
            }
        }
        None
    }

    /// The method that takes what is of this type: one of the type itself by value, or one of what it refers to by reference.
    fn taking_as_it_is(&mut self, ty: &Ty, name: &str, own: &mut Vec<(Taken, Member)>) -> Option<Member> {
        let mut found = taken_so(own, Taken::ByValue);
        if let Ty::Reference { to, mutable } = ty {
            found.extend(taken_so(&mut self.methods(to, name), Taken::reference(*mutable)));
        }
        self.best(found)
    }

    /// The members of a type that have a receiver, and how they take it.
    fn methods(&mut self, ty: &Ty, name: &str) -> Vec<(Taken, Member)> {
        let members = self.members(ty, name);
        members.into_iter().filter_map(|member| Some((self.taken(&member)?, member))).collect()
    }

    /// The first of the members that Rust would choose from.
    fn best(&mut self, mut found: Vec<Member>) -> Option<Member> {
        self.prefer(&mut found);
        let member = if found.is_empty() { return None } else { found.remove(0) };
        self.table.unify(&member.own, &member.target);
        Some(member)
    }

    /// How a member takes its receiver; none if it has none.
    fn taken(&self, member: &Member) -> Option<Taken> {
        let source = self.program.function(&member.id)?;
        source.signature.receiver()?;
        let signature = self.program.signature(&member.id)?;
        Some(match &signature.parameters.first()?.ty {
            // `self` in an `impl` for a reference is that reference.
            Ty::Reference { .. } if self.takes_self_by_value(&member.id) => Taken::ByValue,
            Ty::Reference { mutable, .. } => Taken::reference(*mutable),
            _ => Taken::ByValue,
        })
    }

    fn has_impls_for_references(&self) -> bool {
        let for_references =
            |implementation: &Rc<Impl>| matches!(implementation.self_ty(), Some(syn::Type::Reference(_)));
        self.program.impls().iter().any(for_references)
    }

    /// A method that is a function of the prelude; `outer` are the first of its generic arguments, where the receiver does not tell.
    pub(super) fn prelude_method(
        &mut self,
        call: &ExprMethodCall,
        file: &str,
        receiver: Expr,
        outer: Vec<Ty>,
    ) -> (ExprKind, Ty) {
        let written = call.turbofish.as_ref().map(|written| PathArguments::AngleBracketed(written.clone()));
        let written = written.unwrap_or(PathArguments::None);
        self.prelude_call(call, (file, &call.method, &written), (Some(receiver), &call.args), outer)
    }

    /// A call of a function of the prelude.
    pub(super) fn prelude_call(
        &mut self,
        tokens: &impl ToTokens,
        (file, name, written): (&str, &syn::Ident, &PathArguments),
        (receiver, arguments): (Option<Expr>, &Punctuated<syn::Expr, syn::Token![,]>),
        outer: Vec<Ty>,
    ) -> (ExprKind, Ty) {
        let Some(id) = self.program.prelude_function(file, name) else {
            return (ExprKind::Error, Ty::Error);
        };
        let called = Called { id: &id, outer, written, receiver };
        self.device_call(tokens, called, arguments)
    }

    /// A receiver as the method takes it: by value, or as a reference to it.
    pub(super) fn passed_receiver(&mut self, member: &Member, receiver: Expr) -> Expr {
        let signature = self.program.signature(&member.id);
        let wanted = signature.and_then(|signature| Some(signature.parameters.first()?.ty.clone()));
        let Some(Ty::Reference { mutable, .. }) = wanted else { return receiver };
        // `self` in an `impl` for a reference is that reference.
        if matches!(member.own, Ty::Reference { .. }) && self.takes_self_by_value(&member.id) {
            return receiver;
        }
        let span = receiver.span;
        let ty = Ty::Reference { to: Rc::new(receiver.ty.clone()), mutable };
        match receiver.kind {
            // `*r` as a place is what `r` refers to already.
            ExprKind::Dereference(reference) => Expr { kind: reference.kind, ty, span },
            _ => Expr { kind: ExprKind::Reference(Box::new(receiver)), ty, span },
        }
    }

    /// What the receiver's `impl Deref` leads to, for a method that the receiver itself does not have.
    pub(super) fn through_deref(&mut self, receiver: &Expr, method: &str) -> Option<Expr> {
        let own = self.nominal_behind(&receiver.ty)?;
        if OWN.contains(&method) || !self.has_standard_impl(&own, "Deref") {
            return None;
        }
        let place = self.followed_references(receiver.clone());
        let is_changing = method.ends_with("_mut") || CHANGING.iter().any(|name| method.starts_with(name));
        self.deref_target(place, is_changing)
    }

    /// What `Deref` or `DerefMut` of a value gives.
    pub(super) fn deref_target(&mut self, place: Expr, mutable: bool) -> Option<Expr> {
        let span = place.span;
        let is_mutable = mutable && self.has_standard_impl(&place.ty, "DerefMut");
        // Whether what is led to is changed later is not known here, so the two have to do the same.
        if is_mutable && !self.derefs_agree(&place.ty) {
            let help = "have `deref` and `deref_mut` do the same, or write the field that they lead to";
            let message = "device code does not know which of `deref` and `deref_mut` is meant";
            self.error(
                crate::diagnostics::Code::UnknownMethod,
                &crate::diagnostics::marker(span),
                message,
                help,
            );
            return None;
        }
        let name = syn::Ident::new(if is_mutable { "deref_mut" } else { "deref" }, span);
        let (kind, ty) = self.operator_method(&name, &name.to_string(), vec![place])?;
        Some(Expr { kind, ty, span })
    }

    /// Whether `deref` and `deref_mut` of a type have the same body, but for `mut`.
    fn derefs_agree(&mut self, ty: &Ty) -> bool {
        let mut body = |name: &str| {
            let member = self.member(ty, name, &[])?;
            let source = self.program.function(&member.id)?;
            let text = source.block()?.to_token_stream().to_string();
            Some(
                text.replace("_mut", "").split_whitespace().filter(|word| *word != "mut").collect::<String>(),
            )
        };
        let shared = body("deref");
        shared.is_some() && shared == body("deref_mut")
    }

    fn takes_self_by_value(&self, id: &Id) -> bool {
        let source = self.program.function(id);
        let receiver = source.as_ref().and_then(|source| source.signature.receiver());
        receiver.is_some_and(|receiver| matches!(receiver.kind, syn::ReceiverKind::Value))
    }

    /// `Type::name(arguments)`, or that of the trait which is written.
    pub(super) fn member_call(
        &mut self,
        call: &syn::ExprCall,
        ty: &Ty,
        last: &syn::PathSegment,
        wanted: Wanted,
    ) -> Option<(ExprKind, Ty)> {
        let name = last.ident.to_string();
        if self.members(ty, &name).len() > 1 {
            return self.overloaded_call(call, ty, (&name, wanted));
        }
        let member = self.looking_for(wanted, |this| this.member(ty, &name, &[]))?;
        let called = Called { id: &member.id, outer: member.outer, written: &last.arguments, receiver: None };
        Some(self.device_call(call, called, &call.args))
    }

    /// `Type::from(value)` where a trait is implemented several times, so that the arguments tell which is meant.
    fn overloaded_call(
        &mut self,
        call: &syn::ExprCall,
        ty: &Ty,
        (name, wanted): (&str, Wanted),
    ) -> Option<(ExprKind, Ty)> {
        let arguments: Vec<_> = call.args.iter().map(|argument| self.expr(argument)).collect();
        let types: Vec<_> = arguments.iter().map(|argument| argument.ty.clone()).collect();
        let Some(member) = self.looking_for(wanted, |this| this.member(ty, name, &types)) else {
            return Some(self.unknown_member(&call.func, ty, name));
        };
        let signature = self.program.signature(&member.id)?;
        let mut generics = member.outer;
        while generics.len() < signature.generics.len() {
            generics.push(self.table.fresh(VariableKind::Any));
        }
        for ((argument, parameter), own) in call.args.iter().zip(&signature.parameters).zip(&types) {
            let wanted = parameter.ty.substitute(&generics);
            let wanted = self.normalized(&wanted);
            self.coerce(argument, own, &wanted);
        }
        let result = signature.result.substitute(&generics);
        let result = self.normalized(&result);
        let callee = crate::typed::Callee { id: member.id, arguments: generics };
        Some((ExprKind::Call(Box::new(callee), arguments), result))
    }

    /// An operator that a trait gives to a type; `arguments` have the receiver first.
    pub(super) fn operator_method(
        &mut self,
        tokens: &impl ToTokens,
        name: &str,
        arguments: Vec<Expr>,
    ) -> Option<(ExprKind, Ty)> {
        let types: Vec<_> = arguments.iter().map(|argument| argument.ty.clone()).collect();
        let of = trait_of_operator(name).map_or(Wanted::Any, |of| Wanted::Trait(of.to_owned()));
        let member = self.looking_for(of, |this| this.member(&types[0], name, &types[1..]))?;
        let signature = self.program.signature(&member.id)?;
        let mut arguments = arguments.into_iter();
        let receiver = self.passed_receiver(&member, arguments.next()?);
        let mut passed = vec![receiver];
        for (argument, parameter) in arguments.zip(&signature.parameters[1..]) {
            let wanted = parameter.ty.substitute(&member.outer);
            let argument = match &wanted {
                // `a == b` passes references to both.
                Ty::Reference { to, mutable: false } if !matches!(argument.ty, Ty::Reference { .. }) => {
                    let (span, ty) = (argument.span, wanted.clone());
                    self.coerce(tokens, &argument.ty, to);
                    Expr { kind: ExprKind::Reference(Box::new(argument)), ty, span }
                }
                _ => argument,
            };
            self.coerce(tokens, &argument.ty, &wanted);
            passed.push(argument);
        }
        let result = signature.result.substitute(&member.outer);
        let result = self.normalized(&result);
        let callee = crate::typed::Callee { id: member.id, arguments: member.outer };
        Some((ExprKind::Call(Box::new(callee), passed), result))
    }

    /// The `impl`s that give a type a constant, those first that Rust would choose from.
    fn impls_with_constant(&mut self, ty: &Ty, name: &syn::Ident) -> Vec<Rc<Impl>> {
        let program = self.program;
        let mut found = Vec::new();
        for implementation in program.impls().iter() {
            let has = |item: &ImplItem| matches!(item, ImplItem::Const(item) if item.ident == *name);
            let of = self.trait_name_of(implementation);
            let is_default = |item: &TraitItem| matches!(item, TraitItem::Const(item) if item.ident == *name && item.default.is_some());
            let has_it = implementation.members().iter().any(has)
                || program
                    .trait_of(implementation)
                    .is_some_and(|(_, item, _)| item.items.iter().any(is_default));
            if has_it && self.implementation_for(implementation, ty).is_some() {
                found.push((of, implementation.clone()));
            }
        }
        let rank = |of: &Option<TraitName>| match (&self.wanted, of) {
            (Wanted::Trait(wanted), Some(of)) if of.is(wanted) => 0,
            (Wanted::Trait(_), _) => 3,
            (_, Some(of)) if self.is_bound_by(ty, of) => 0,
            (_, None) => 1,
            (_, Some(_)) => 2,
        };
        found.retain(|(of, _)| rank(of) < 3);
        found.sort_by_key(|(of, _)| rank(of));
        found.into_iter().map(|(_, implementation)| implementation).collect()
    }

    /// Whether a bound gives what is named to the type that a generic parameter stands for.
    pub(super) fn has_bound_constant(&mut self, ty: &Ty, name: &syn::Ident) -> bool {
        self.impls_with_constant(ty, name).iter().any(|implementation| {
            self.trait_name_of(implementation).is_some_and(|of| self.is_bound_by(ty, &of))
        })
    }

    /// Whether a bound gives a function of this name to the type that a generic parameter stands for.
    pub(super) fn has_bound_member(&mut self, ty: &Ty, name: &str) -> bool {
        let members = self.members(ty, name);
        members.iter().any(|member| self.is_bound(member))
    }

    /// The value of an associated constant.
    pub(super) fn member_constant(
        &mut self,
        ty: &Ty,
        name: &syn::Ident,
        wanted: Wanted,
    ) -> Option<(ExprKind, Ty)> {
        let program = self.program;
        for implementation in self.looking_for(wanted, |this| this.impls_with_constant(ty, name)) {
            let implementation = &*implementation;
            let Some((own, arguments)) = self.implementation_for(implementation, ty) else { continue };
            let constant = implementation.members().iter().find_map(|item| match item {
                ImplItem::Const(item) if item.ident == *name => Some((&item.ty, &item.expr)),
                _ => None,
            });
            self.table.unify(&own, ty);
            let arguments: Vec<_> = arguments.iter().map(|ty| self.table.closed(ty)).collect();
            let own = (self.table.closed(&own), None);
            if let Some((ty, value)) = constant {
                let mut generics = generics::instantiated(&implementation.generics, &arguments);
                generics.insert("Self".to_owned(), own);
                let mut source = Source::constant(name, ty, value, implementation.links.clone());
                source.generics = implementation.generics.clone();
                source.own = implementation.self_ty().map(|ty| Owner::Type(Rc::new(ty.clone())));
                let id = member_id(&implementation.id, &name.to_string());
                return Some(self.constant_there(id, source, (generics, arguments), (ty, value)));
            }
            if let Some((id, item, links)) = program.trait_of(implementation) {
                let default = item.items.iter().find_map(|item| match item {
                    TraitItem::Const(item) if item.ident == *name => {
                        Some((&item.ty, &item.default.as_ref()?.1))
                    }
                    _ => None,
                });
                if let Some((ty, value)) = default {
                    let mut source = Source::constant(name, ty, value, links.clone());
                    source.generics = vec![Generic::implementor(id)];
                    source.own = Some(Owner::Trait);
                    let arguments = vec![own.0.clone()];
                    let generics = generics::Scope::from_iter([("Self".to_owned(), own)]);
                    let id = member_id(id, &name.to_string());
                    return Some(self.constant_there(id, source, (generics, arguments), (ty, value)));
                }
            }
        }
        None
    }

    /// Whether a type that is not wholly known has one constant of this name, which is declared as a `Self`.
    pub(super) fn is_constant_of_own_type(&mut self, ty: &Ty, name: &syn::Ident) -> bool {
        let mut declared = Vec::new();
        for implementation in self.program.impls().iter() {
            if self.implementation_for(implementation, ty).is_none() {
                continue;
            }
            declared.extend(implementation.members().iter().filter_map(|item| match item {
                ImplItem::Const(item) if item.ident == *name => Some(item.ty.to_token_stream().to_string()),
                _ => None,
            }));
        }
        matches!(&declared[..], [only] if only == "Self")
    }

    /// `Self::Output`, `T::Output` or `<T as Trait>::Output`.
    pub(super) fn associated_type(&mut self, path: &TypePath) -> Option<Ty> {
        let count = path.path.segments.len();
        let last = path.path.segments.last()?;
        let of = match &path.qself {
            Some(of) => self.ty(&of.ty),
            None => self.type_of_path(&path.path, count.checked_sub(1)?)?,
        };
        let name = last.ident.to_string().as_str().into();
        Some(self.normalized(&Ty::Projection(Rc::new(Projection { of, name }))))
    }

    /// A type in which each associated type of a known type is what it stands for.
    pub(super) fn normalized(&mut self, ty: &Ty) -> Ty {
        if !ty.has_projection() {
            return ty.clone();
        }
        let ty = ty.map_parts(|part| self.normalized(part));
        let Ty::Projection(projection) = &ty else { return ty };
        match self.table.shallow(&projection.of) {
            Ty::Parameter(..) => ty,
            // An associated type of what is not known may lead to one of what is not known, and so on.
            Ty::Variable(..) if self.projection_depth > MAX_PROJECTIONS => {
                self.table.fresh(VariableKind::Any)
            }
            of => {
                self.projection_depth += 1;
                let found = self.projected(&of, &projection.name);
                self.projection_depth -= 1;
                found.unwrap_or_else(|| self.table.fresh(VariableKind::Any))
            }
        }
    }

    fn projected(&mut self, of: &Ty, name: &str) -> Option<Ty> {
        let program = self.program;
        for implementation in program.impls().iter() {
            let Some((own, arguments)) = self.implementation_for(implementation, of) else { continue };
            let found = implementation.members().iter().find_map(|item| match item {
                ImplItem::Type(item) if item.ident == name => Some(&item.ty),
                _ => None,
            });
            if let Some(found) = found {
                self.table.unify(&own, of);
                let mut there = Infer::new(program, &implementation.links, self.role, Ty::Unit);
                there.generics = generics::opaque(&implementation.generics);
                let own = self.own_type(implementation);
                there.generics.insert("Self".to_owned(), (own, None));
                let ty = there.complete_type(found).substitute(&arguments);
                return Some(self.normalized(&ty));
            }
        }
        // What the standard library says of the types that it goes over itself.
        match name {
            "Item" => self.item_of(of),
            "IntoIter" if matches!(self.table.shallow(of), Ty::Iterator { .. }) => Some(of.clone()),
            _ => None,
        }
    }

    /// A member that a struct or enum does not have, as far as device code knows.
    pub(super) fn unknown_member(&mut self, tokens: &impl ToTokens, ty: &Ty, name: &str) -> (ExprKind, Ty) {
        let help = "mark the `impl` with `#[device]` and list it on the type, as in `#[device(impl, impl Add)]`, or put both into a `#[device] mod`";
        self.absent_member(tokens, ty, name, help)
    }

    fn absent_of_text(&mut self, tokens: &impl ToTokens, message: String) -> (ExprKind, Ty) {
        let help = "go over `bytes()` or `chars()`; of `char` there are the methods with `ascii` in their names, `to_digit` and casts";
        self.error(crate::diagnostics::Code::UnknownMethod, tokens, message, help);
        (ExprKind::Error, Ty::Error)
    }

    /// A member that a type does not have in device code, with what to do about it. A type that is wrong has been reported, and lacks nothing.
    pub(super) fn absent_member(
        &mut self,
        tokens: &impl ToTokens,
        ty: &Ty,
        name: &str,
        help: &str,
    ) -> (ExprKind, Ty) {
        if !self.table.resolve(ty).has_error() {
            let ty = self.table.partial(ty);
            let message = format!("device code does not have `{name}` of `{ty}`");
            if self.is_char(&ty) || self.is_str(&ty) {
                return self.absent_of_text(tokens, message);
            }
            let diagnostic = Diagnostic::left_to_rustc(tokens, message).code(Code::UnknownMethod).help(help);
            self.diagnostics.push(diagnostic);
        }
        (ExprKind::Error, Ty::Error)
    }
}
