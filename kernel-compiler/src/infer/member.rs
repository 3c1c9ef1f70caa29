//! Methods, associated functions, types and constants of `impl`s and traits.

use super::candidates::Callees;
use super::device::Called;
use super::program::{Impl, member_id};
use super::projection::is_binary_operator;
use super::{Generic, Infer, Owner, Signature, Source, generics, inherent};
use crate::chain::{Id, Links};
use crate::diagnostics::{Code, Diagnostic};
use crate::typed::{Expr, ExprKind, Ty, VariableKind};
use quote::ToTokens;
use std::rc::Rc;
use syn::punctuated::Punctuated;
use syn::{ExprMethodCall, ImplItem, PathArguments, TraitItem};

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
    pub(super) own: Ty,
    /// The type that it was looked for by.
    pub(super) target: Ty,
    /// The trait; none for what the type has itself.
    of: Option<TraitName>,
    /// The arguments of the trait, if they are written.
    of_arguments: Vec<Ty>,
}

/// How a trait is called.
pub(super) struct TraitName {
    /// See [`Program::trait_name`](super::Program::trait_name).
    unique: String,
    written: String,
}

impl TraitName {
    /// Returns whether it is what a path names, of which it may not be known what it means.
    pub(super) fn is(&self, name: &str) -> bool {
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
    /// The same, with these arguments.
    TraitOf(String, Vec<Ty>),
}

/// How a method takes its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    ByValue,
    Shared,
    Exclusive,
}

/// How many arguments are written, lifetimes apart.
pub(super) fn count_of(arguments: &PathArguments) -> usize {
    match arguments {
        PathArguments::AngleBracketed(written) => {
            let is_counted = |one: &&syn::GenericArgument| {
                matches!(one, syn::GenericArgument::Type(_) | syn::GenericArgument::Const(_))
            };
            written.args.iter().filter(is_counted).count()
        }
        _ => 0,
    }
}

pub(super) fn has_variables(ty: &Ty) -> bool {
    matches!(ty, Ty::Variable(..)) || ty.parts().any(has_variables)
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

    /// Lets what is open in a type be what the one `FromIterator` says by which it can be made of such items.
    pub(super) fn decide_by_from_iter(&mut self, wanted: &Ty, item: &Ty) {
        let wanted = self.table.partial(wanted);
        if !matches!(wanted, Ty::Nominal(_)) || !has_variables(&wanted) {
            return;
        }
        let of = Wanted::Trait("FromIterator".to_owned());
        let found = self.looking_for(of, |this| this.preferred(&wanted, "from_iter"));
        let pairs = found.into_iter().filter_map(|member| {
            let taken = member.of_arguments.into_iter().next()?;
            Some([(member.own, wanted.clone()), (taken, item.clone())])
        });
        let mut fitting = pairs.filter(|pairs| self.table.could_all_be(pairs));
        if let (Some(pairs), None) = (fitting.next(), fitting.next()) {
            drop(fitting);
            for (one, other) in pairs {
                self.table.unify(&one, &other);
            }
        }
    }

    /// Lets a type with literals in it be what the one `From` takes by which a type can be made of it.
    pub(super) fn decide_by_own_from(&mut self, from: &Ty, wanted: &Ty) {
        let of = Wanted::Trait("From".to_owned());
        let found = self.looking_for(of, |this| this.preferred(wanted, "from"));
        let pairs = found.into_iter().filter_map(|member| {
            let taken = member.of_arguments.into_iter().next()?;
            Some([(member.own, wanted.clone()), (taken, from.clone())])
        });
        // Every type is made of itself too.
        let itself = [(from.clone(), wanted.clone()), (from.clone(), wanted.clone())];
        let mut fitting = pairs.chain([itself]).filter(|pairs| self.table.could_all_be(pairs));
        // Where there are several, literals have their own types.
        if let (Some(pairs), None) = (fitting.next(), fitting.next()) {
            drop(fitting);
            for (one, other) in pairs {
                self.table.unify(&one, &other);
            }
        }
    }

    /// Leaves those members that Rust would choose from: those of the trait that is written; where a generic parameter stands for the type, those of its bounds;
    /// else those that the type has itself.
    fn prefer(&mut self, found: &mut Vec<Member>) {
        if let Wanted::Trait(wanted) = &self.wanted {
            return found.retain(|member| member.of.as_ref().is_some_and(|of| of.is(wanted)));
        }
        if let Wanted::TraitOf(wanted, arguments) = &self.wanted {
            found.retain(|member| {
                member.of.as_ref().is_some_and(|of| of.is(wanted))
                    && self.could_all_equal(&member.of_arguments, arguments)
            });
            if let [only] = &found[..] {
                let pairs = only.of_arguments.iter().cloned().zip(arguments.iter().cloned());
                for (one, other) in pairs.collect::<Vec<_>>() {
                    self.table.unify(&one, &other);
                }
            }
            return;
        }
        if found.iter().any(|member| self.is_bound(member)) {
            found.retain(|member| self.is_bound(member) && self.has_bound_arguments(member));
            if let [only] = &found[..] {
                self.settle_bound_arguments(only);
            }
        } else if found.iter().any(|member| member.of.is_none()) {
            found.retain(|member| member.of.is_none());
        }
    }

    pub(super) fn could_all_equal(&self, these: &[Ty], those: &[Ty]) -> bool {
        these.iter().zip(those).all(|(one, other)| self.table.could_equal(one, other))
    }

    /// Notes the arguments of a generic trait by which a generic parameter is bound.
    pub(super) fn bound_with_arguments(&mut self, ty: &Ty, path: &syn::Path, links: &Links) {
        let Some(last) = path.segments.last() else { return };
        let count = count_of(&last.arguments);
        if count > 0 {
            let known = self.diagnostics.len();
            let arguments = match super::types::type_argument(&last.arguments) {
                Some(written) if last.ident == "AsRef" => vec![self.ty(written)],
                _ => self.generic_arguments(count, &last.arguments),
            };
            // What is wrong with a bound is rustc's business.
            self.diagnostics.truncate(known);
            self.bound_arguments.push((ty.clone(), self.program.trait_name(path, links), arguments));
        }
    }

    /// Returns whether a member is of the trait by which its type is bound with the arguments that the bound has, if it has any.
    fn has_bound_arguments(&self, member: &Member) -> bool {
        let Some(of) = &member.of else { return true };
        let target = self.table.resolve(&member.target);
        let mut bounds = self
            .bound_arguments
            .iter()
            .filter(|(ty, name, _)| of.is(name) && self.table.resolve(ty) == target)
            .peekable();
        bounds.peek().is_none()
            || bounds.any(|(_, _, arguments)| self.could_all_equal(&member.of_arguments, arguments))
    }

    /// Lets a member's trait have the arguments of the one bound by which its type has that trait.
    fn settle_bound_arguments(&mut self, member: &Member) {
        let Some(of) = &member.of else { return };
        let target = self.table.resolve(&member.target);
        let is_meant =
            |(ty, name, _): &&(Ty, String, Vec<Ty>)| of.is(name) && self.table.resolve(ty) == target;
        let mut bounds = self.bound_arguments.iter().filter(is_meant);
        let (Some((_, _, arguments)), None) = (bounds.next(), bounds.next()) else { return };
        let arguments = arguments.clone();
        if arguments.iter().any(|argument| has_variables(&self.table.partial(argument))) {
            return;
        }
        for (of, argument) in member.of_arguments.iter().zip(&arguments) {
            self.table.unify(of, argument);
        }
    }

    /// The members of a type by one name that Rust would choose from.
    pub(super) fn preferred(&mut self, ty: &Ty, name: &str) -> Vec<Member> {
        let mut found = self.members(ty, name);
        self.prefer(&mut found);
        self.of_one_trait(found)
    }

    /// Those that are of the same trait as the first one; an `impl` for all types is none where there is another.
    fn of_one_trait(&self, mut found: Vec<Member>) -> Vec<Member> {
        let Some(first) = found.first() else { return found };
        let name = |member: &Member| member.of.as_ref().map(|of| of.unique.clone());
        let first = name(first);
        found.retain(|member| name(member) == first);
        let is_for_all = |member: &Member| matches!(self.table.shallow(&member.own), Ty::Variable(..));
        if !found.iter().all(is_for_all) {
            found.retain(|member| !is_for_all(member));
        }
        let is_known = |member: &Member| !has_variables(&self.table.partial(&member.target));
        if found.iter().all(|member| member.of_arguments.is_empty() && is_known(member)) {
            found.sort_by_key(|member| member.outer.len());
            found.truncate(1);
        }
        found
    }

    /// Returns whether a generic parameter that is bound by the trait of a member stands for the type.
    fn is_bound(&self, member: &Member) -> bool {
        member.of.as_ref().is_some_and(|of| self.is_bound_by(&member.target, of))
    }

    fn is_bound_by(&self, ty: &Ty, of: &TraitName) -> bool {
        let mut bounds = self.bounds.iter().filter(|(_, traits)| traits.iter().any(|name| of.is(name)));
        matches!(self.wanted, Wanted::Any)
            && bounds.any(|(bound, _)| self.table.resolve(bound) == self.table.resolve(ty))
    }

    /// Whose members `<Type as Trait>::name` means.
    pub(super) fn wanted_of(&mut self, own: &syn::QSelf, path: &syn::Path) -> Wanted {
        match (own.position, &*own.ty) {
            (0, syn::Type::Path(of)) if of.qself.is_none() => self.wanted_by(&of.path),
            (0, _) => Wanted::Any,
            _ => self.wanted_trait(&super::nominal::prefix(path)),
        }
    }

    /// Those of the trait that a path names, with the arguments that are written.
    pub(super) fn wanted_trait(&mut self, path: &syn::Path) -> Wanted {
        let name = self.program.trait_name(path, self.links);
        match path.segments.last().map(|last| (count_of(&last.arguments), &last.arguments)) {
            Some((count @ 1.., written)) => Wanted::TraitOf(name, self.generic_arguments(count, written)),
            _ => Wanted::Trait(name),
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

    pub(super) fn trait_name_of(&self, implementation: &Impl) -> Option<TraitName> {
        let path = implementation.of()?;
        let written = path.segments.last()?.ident.to_string();
        Some(TraitName { unique: self.program.trait_name(path, &implementation.links), written })
    }

    /// Returns whether a type has a function of this name itself, other than by a trait.
    pub(super) fn has_inherent(&mut self, ty: &Ty, name: &str) -> bool {
        self.members(ty, name).iter().any(|member| member.of.is_none())
    }

    fn members(&mut self, ty: &Ty, name: &str) -> Vec<Member> {
        let program = self.program;
        let mut found = Vec::new();
        for implementation in program.impls_with(ty, name) {
            let Some((own, arguments)) = self.implementation_for(&implementation, ty) else { continue };
            let has = |item: &ImplItem| matches!(item, ImplItem::Fn(item) if item.sig.ident == name);
            let of = self.trait_name_of(&implementation);
            let target = ty.clone();
            let of_arguments = self.trait_arguments(&implementation, &own, &arguments);
            if implementation.members().iter().any(has) {
                let id = member_id(&implementation.id, name);
                found.push(Member { id, outer: arguments, own, target, of, of_arguments });
            } else if let Some((id, _, _)) = program.trait_of(&implementation) {
                let id = member_id(id, name);
                if program.function(&id).is_some() {
                    let mut outer = vec![own.clone()];
                    outer.extend(of_arguments.iter().cloned());
                    found.push(Member { id, outer, own, target, of, of_arguments });
                }
            }
        }
        found
    }

    /// The type that an `impl` is for, and its generic arguments, if it may be for this type.
    pub(super) fn implementation_for(&mut self, implementation: &Impl, ty: &Ty) -> Option<(Ty, Vec<Ty>)> {
        let own = self.own_type(implementation);
        let arguments: Vec<_> =
            implementation.generics.iter().map(|_| self.table.fresh(VariableKind::Any)).collect();
        let own = own.substitute(&arguments);
        self.table.could_equal(&own, ty).then_some((own, arguments))
    }

    /// The type that an `impl` is for, in terms of its generic parameters.
    pub(super) fn own_type(&mut self, implementation: &Impl) -> Ty {
        let known = implementation.own.borrow().clone();
        known.unwrap_or_else(|| {
            let mut there = Infer::new(self.program, &implementation.links, self.role, Ty::Unit);
            there.generics = generics::opaque(&implementation.generics);
            let ty = implementation.self_ty().map_or(Ty::Error, |ty| {
                let own = there.ty(ty);
                there.table.closed(&own)
            });
            // It is an error also while the definition of the type is looked for.
            if !ty.has_error() {
                implementation.own.replace(Some(ty.clone()));
            }
            ty
        })
    }

    /// The arguments that an `impl` for a type has for the generic parameters of its trait: those that are written, then the defaults of a trait of the user's.
    pub(super) fn trait_arguments(&mut self, implementation: &Impl, own: &Ty, arguments: &[Ty]) -> Vec<Ty> {
        let last = implementation.of().and_then(|path| path.segments.last());
        let Some(last) = last else { return Vec::new() };
        let declared = self.program.trait_of(implementation).map(|(_, item, links)| (&item.generics, links));
        let written = count_of(&last.arguments);
        let parameters = declared.map_or(written, |(generics, _)| generics::of(generics).len());
        if parameters == 0 {
            let is_operator = declared.is_none() && is_binary_operator(&last.ident.to_string());
            return if is_operator { vec![own.clone()] } else { Vec::new() };
        }
        let mut there = Infer::new(self.program, &implementation.links, self.role, Ty::Unit);
        there.generics = generics::opaque(&implementation.generics);
        let opaque_own = self.own_type(implementation);
        there.generics.insert("Self".to_owned(), (opaque_own, None));
        let types = there.generic_arguments(written, &last.arguments);
        let mut types: Vec<_> = types.iter().map(|ty| ty.substitute(arguments)).collect();
        if let Some((generics, links)) = declared {
            self.default_arguments(generics, links, own, &mut types);
        }
        types
    }

    /// Adds the defaults of a trait's generic parameters to the arguments that are written.
    fn default_arguments(&mut self, generics: &syn::Generics, links: &Links, own: &Ty, types: &mut Vec<Ty>) {
        let of_types = generics.params.iter().filter(|one| !matches!(one, syn::GenericParam::Lifetime(_)));
        for parameter in of_types.skip(types.len()) {
            let syn::GenericParam::Type(syn::TypeParam { default: Some((_, default)), .. }) = parameter
            else {
                return;
            };
            let mut there = Infer::new(self.program, links, self.role, Ty::Unit);
            there.generics = generics::opaque(&[Generic::named("Self")]);
            types.push(there.complete_type(default).substitute(std::slice::from_ref(own)));
        }
    }

    /// Returns whether an `impl` is for a type.
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
        if !self.table.unify(&member.own, ty) {
            return None;
        }
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
            let of_arguments = self.trait_arguments(implementation, &own, &arguments);
            let of = of_arguments.first().cloned();
            if self.table.could_equal(&of.clone().unwrap_or_else(|| own.clone()), item) {
                if let Some(of) = of {
                    self.table.unify(&of, item);
                }
                let id = member_id(&implementation.id, name);
                let target = ty.clone();
                found.push(Member { id, outer: arguments, own, target, of: Some(named), of_arguments });
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
        let parameters =
            parameters.map(|(parameter, argument)| (parameter.ty.substitute(&generics), argument.clone()));
        let own = (member.own.clone(), member.target.clone());
        self.table.could_all_be(&std::iter::once(own).chain(parameters).collect::<Vec<_>>())
    }

    /// A method of an `impl` or a trait, if the receiver, or what it refers to, has one of this name.
    pub(super) fn user_method(&mut self, call: &ExprMethodCall, receiver: &Expr) -> Option<(ExprKind, Ty)> {
        let name = call.method.to_string();
        if name == "fmt" && call.args.len() == 1 && self.may_be_formatted_by_several(&receiver.ty) {
            let message = "which trait this `fmt` is of is not known here";
            let help =
                "write `Display::fmt(&value, f)`, or import the trait in the `#[device] mod` or in the body";
            self.error(Code::UnknownMethod, &call.method, message, help);
            return Some((ExprKind::Error, Ty::Error));
        }
        let mut receiver = receiver.clone();
        loop {
            let ty = self.table.shallow(&receiver.ty);
            // What the scalars have themselves comes before what a trait gives them, but for what a bound names.
            let has_own = ty.scalar().is_some_and(|scalar| crate::methods::find(scalar, &name).is_some())
                || self.is_vector_method(&ty, &name)
                || inherent::is_of(&ty, &name);
            if let Some(found) = self.beside_operator(call, &receiver, &ty) {
                return Some(found);
            }
            if let Some((mut found, passed)) = self.probed(&receiver, &ty, &name, has_own) {
                let member = found.remove(0);
                if !found.is_empty() {
                    let candidates = std::iter::once(member).chain(found).collect();
                    return Some(self.call_of_candidates(call, candidates, passed, &call.args));
                }
                let none = PathArguments::None;
                let written =
                    call.turbofish.as_ref().map(|written| PathArguments::AngleBracketed(written.clone()));
                let written = written.as_ref().unwrap_or(&none);
                let called = Called { id: &member.id, outer: member.outer, written, receiver: Some(passed) };
                return Some(self.device_call(call, called, &call.args));
            }
            if has_own {
                return None;
            }
            receiver = self.next_receiver(receiver, ty)?;
        }
    }

    /// A method that a type has itself and takes by reference, where the trait of an operator has one of this name that takes it by value: which of them is
    /// meant depends on whether that trait is imported, and is told by the arguments, since rustc takes no others.
    fn beside_operator(&mut self, call: &ExprMethodCall, receiver: &Expr, ty: &Ty) -> Option<(ExprKind, Ty)> {
        let name = call.method.to_string();
        if trait_of_operator(&name).is_none() || call.turbofish.is_some() || !matches!(ty, Ty::Nominal(_)) {
            return None;
        }
        let members = self.methods(ty, &name);
        if members.iter().any(|(_, member)| self.is_bound(member)) {
            return None;
        }
        let (of_traits, mut own): (Vec<_>, Vec<_>) =
            members.into_iter().partition(|(_, member)| member.of.is_some());
        let mut by_value: Vec<_> = of_traits
            .into_iter()
            .filter_map(|(taken, member)| (taken == Taken::ByValue).then_some(member))
            .collect();
        let (taken, member) = own.pop().filter(|(taken, _)| *taken != Taken::ByValue)?;
        if by_value.is_empty() || !own.is_empty() {
            return None;
        }
        let arguments = self.arguments(&call.args);
        let types: Vec<_> = arguments.iter().map(|argument| argument.ty.clone()).collect();
        by_value.retain(|member| self.takes(member, &types));
        let (candidates, passed) = match by_value.is_empty() {
            true => (vec![member], reference_to(receiver, taken == Taken::Exclusive)),
            false => (by_value, receiver.clone()),
        };
        let passed = std::iter::once(passed).chain(arguments).collect();
        let result = self.table.fresh(VariableKind::Any);
        Some(self.call_of_any(call, Callees::Some(candidates), passed, result))
    }

    /// Returns whether a value has `fmt` of several traits of `std::fmt`, and no bound and no method of its own says which is meant.
    fn may_be_formatted_by_several(&mut self, ty: &Ty) -> bool {
        let ty = self.referred_type(ty);
        if matches!(ty, Ty::Variable(_, VariableKind::Any) | Ty::Error) {
            return false;
        }
        let mut found = self.members(&ty, "fmt");
        self.prefer(&mut found);
        let mut of: Vec<_> = found.iter().map(|member| member.of.as_ref().map(|of| &*of.unique)).collect();
        of.dedup();
        of.len() > 1
    }

    /// What a method is looked for of after a receiver of this type: what that refers to, or the elements of an array.
    fn next_receiver(&self, receiver: Expr, ty: Ty) -> Option<Expr> {
        let span = receiver.span;
        match ty {
            Ty::Reference { to, .. } => {
                Some(Expr { kind: ExprKind::Dereference(Box::new(receiver)), ty: (*to).clone(), span })
            }
            // A `&mut [T]` is a `&[T]` where that is wanted.
            Ty::Slice { element, mutable: true } => {
                Some(Expr { ty: Ty::Slice { element, mutable: false }, ..receiver })
            }
            Ty::Array(element, _) => {
                let Expr { kind, .. } = reference_to(&receiver, true);
                Some(Expr { kind, ty: Ty::Slice { element, mutable: true }, span })
            }
            _ => None,
        }
    }

    /// Returns whether a function answers with the type that it is a member of.
    fn answers_own_type(&self, member: &Member) -> bool {
        let Some(signature) = self.program.signature(&member.id) else { return false };
        !signature.is_opaque && signature.result.substitute(&member.outer) == member.own
    }

    /// A call of one of several functions, whose arguments and result tell which.
    fn call_of_candidates(
        &mut self,
        tokens: &dyn ToTokens,
        candidates: Vec<Member>,
        receiver: Expr,
        written: &Punctuated<syn::Expr, syn::Token![,]>,
    ) -> (ExprKind, Ty) {
        let arguments = self.arguments(written);
        let passed = std::iter::once(receiver).chain(arguments).collect();
        let result = self.table.fresh(VariableKind::Any);
        self.call_of_any(tokens, Callees::Some(candidates), passed, result)
    }

    /// The methods that take a receiver as it is, or a reference to it, in the order in which Rust looks for it, and what it takes.
    fn probed(
        &mut self,
        receiver: &Expr,
        ty: &Ty,
        name: &str,
        only_bound: bool,
    ) -> Option<(Vec<Member>, Expr)> {
        if matches!(ty, Ty::Variable(_, VariableKind::Any) | Ty::Error) {
            return None;
        }
        let mut own = self.methods(ty, name);
        let mut behind = self.methods_behind(ty, name);
        // Of what a generic parameter stands for, Rust sees the bounds alone.
        if own.iter().chain(&behind).any(|(_, member)| self.is_bound(member)) {
            own.retain(|(_, member)| self.is_bound(member));
            behind.retain(|(_, member)| self.is_bound(member));
        } else if only_bound {
            return None;
        }
        let mut as_it_is = taken_so(&mut own, Taken::ByValue);
        as_it_is.extend(behind.into_iter().map(|(_, member)| member));
        if let Some(found) = self.best(as_it_is) {
            return Some((found, receiver.clone()));
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
            if let Some(found) = self.best(found) {
                return Some((found, passed));
            }
        }
        None
    }

    /// The methods of what a type refers to that take just such a reference.
    fn methods_behind(&mut self, ty: &Ty, name: &str) -> Vec<(Taken, Member)> {
        let Some((to, mutable)) = ty.referent() else { return Vec::new() };
        let mut found = self.methods(&to, name);
        found.retain(|(taken, _)| *taken == Taken::reference(mutable));
        found
    }

    /// The members of a type that have a receiver, and how they take it.
    fn methods(&mut self, ty: &Ty, name: &str) -> Vec<(Taken, Member)> {
        let members = self.members(ty, name);
        members.into_iter().filter_map(|member| Some((self.taken(&member)?, member))).collect()
    }

    /// The members that Rust would choose from: more than one only where a generic trait is implemented several times.
    fn best(&mut self, mut found: Vec<Member>) -> Option<Vec<Member>> {
        self.prefer(&mut found);
        let found = self.of_one_trait(found);
        if let [member] = &found[..] {
            self.table.unify(&member.own, &member.target);
        }
        (!found.is_empty()).then_some(found)
    }

    /// How a member takes its receiver; none if it has none.
    fn taken(&self, member: &Member) -> Option<Taken> {
        let source = self.program.function(&member.id)?;
        source.signature.receiver()?;
        let signature = self.program.signature(&member.id)?;
        Some(match &signature.parameters.first()?.ty {
            // `self` in an `impl` for a reference is that reference.
            Ty::Reference { .. } | Ty::Slice { .. } if self.takes_self_by_value(&member.id) => Taken::ByValue,
            Ty::Reference { mutable, .. } | Ty::Slice { mutable, .. } => Taken::reference(*mutable),
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
        tokens: &dyn ToTokens,
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

    /// Returns whether `deref` and `deref_mut` of a type have the same body, but for `mut`.
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
        let mut found = self.looking_for(wanted, |this| this.preferred(ty, &name));
        if let (false, Ty::Scalar(scalar), "from", 1) =
            (found.is_empty(), self.table.shallow(ty), &*name, call.args.len())
        {
            return Some(self.own_or_number_from(call, found, scalar));
        }
        if found.len() > 1 {
            // `Type::from(value)` is of the type, whichever function it is.
            let is_of_own = found.iter().all(|candidate| self.answers_own_type(candidate));
            let result = if is_of_own { ty.clone() } else { self.table.fresh(VariableKind::Any) };
            let arguments = self.arguments(&call.args);
            return Some(self.call_of_any(call, Callees::Some(found), arguments, result));
        }
        if found.is_empty()
            || matches!(self.table.shallow(ty), Ty::Variable(_, VariableKind::Any) | Ty::Error)
        {
            return None;
        }
        let member = found.remove(0);
        self.table.unify(&member.own, ty);
        let called = Called { id: &member.id, outer: member.outer, written: &last.arguments, receiver: None };
        Some(self.device_call(call, called, &call.args))
    }

    /// `f64::from(value)`, where that is a type that the user has written a `From` for, or a number.
    fn own_or_number_from(
        &mut self,
        call: &syn::ExprCall,
        found: Vec<Member>,
        scalar: kernel_core::Scalar,
    ) -> (ExprKind, Ty) {
        let value = self.expr(&call.args[0]);
        // Nobody but the standard library writes conversions between numbers.
        let is_number = matches!(
            self.table.shallow(&value.ty),
            Ty::Scalar(_) | Ty::Variable(_, VariableKind::Integer | VariableKind::Float)
        );
        if !is_number && !self.is_char(&value.ty) {
            return self.call_of_any(call, Callees::Some(found), vec![value], Ty::Scalar(scalar));
        }
        let at = super::span::start(&call.args[0]);
        let mut call = call.clone();
        call.args = std::iter::once::<syn::Expr>(syn::parse_quote_spanned!(at=> __value)).collect();
        let Expr { kind, ty, .. } = self.with_hidden("__value", value, |infer| {
            let (kind, ty) = infer.lossless_from(&call, scalar);
            Expr { kind, ty, span: at }
        });
        (kind, ty)
    }

    /// An operator that a trait gives to a type; `arguments` have the receiver first.
    pub(super) fn operator_method(
        &mut self,
        tokens: &dyn ToTokens,
        name: &str,
        arguments: Vec<Expr>,
    ) -> Option<(ExprKind, Ty)> {
        let mut types: Vec<_> = arguments.iter().map(|argument| argument.ty.clone()).collect();
        let of = trait_of_operator(name);
        let wanted = of.map_or(Wanted::Any, |of| Wanted::Trait(of.to_owned()));
        let compares = matches!(name, "eq" | "partial_cmp");
        if let [_, other] = &mut types[..]
            && compares
            && !matches!(self.table.shallow(other), Ty::Reference { .. })
        {
            *other = Ty::Reference { to: Rc::new(other.clone()), mutable: false };
        }
        // What derives the comparison with itself may have another one beside it.
        let is_derived = compares && of.is_some_and(|of| self.derives(&types[0], of));
        let member = self.looking_for(wanted, |this| match is_derived {
            true => this.member_taking(&types[0], name, &types[1..]),
            false => this.member(&types[0], name, &types[1..]),
        })?;
        let signature = self.program.signature(&member.id)?;
        let mut arguments = arguments.into_iter();
        let receiver = self.passed_receiver(&member, arguments.next()?);
        let mut passed = vec![receiver];
        for (argument, parameter) in arguments.zip(&signature.parameters[1..]) {
            let wanted = self.normalized(&parameter.ty.substitute(&member.outer));
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
        let result = match signature.is_opaque {
            true => self.opaque_result(tokens, &member.id, &member.outer),
            false => self.normalized(&signature.result.substitute(&member.outer)),
        };
        let callee = crate::typed::Callee { id: member.id, arguments: member.outer };
        Some((ExprKind::Call(Box::new(callee), passed), result))
    }

    /// Returns whether a type, perhaps behind references, derives a trait.
    fn derives(&mut self, ty: &Ty, of: &str) -> bool {
        let ty = self.referred_type(ty);
        self.definition_of(&ty).is_some_and(|definition| definition.derives.iter().any(|name| name == of))
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
            if has_it && self.is_wanted_for(implementation, ty) {
                found.push((of, implementation.clone()));
            }
        }
        let rank = |of: &Option<TraitName>| match (&self.wanted, of) {
            (Wanted::Trait(wanted) | Wanted::TraitOf(wanted, _), Some(of)) if of.is(wanted) => 0,
            (Wanted::Trait(_) | Wanted::TraitOf(..), _) => 3,
            (_, Some(of)) if self.is_bound_by(ty, of) => 0,
            (_, None) => 1,
            (_, Some(_)) => 2,
        };
        found.retain(|(of, _)| rank(of) < 3);
        found.sort_by_key(|(of, _)| rank(of));
        found.into_iter().map(|(_, implementation)| implementation).collect()
    }

    /// Returns whether an `impl` is for a type, with the arguments of its trait that are wanted.
    fn is_wanted_for(&mut self, implementation: &Impl, ty: &Ty) -> bool {
        let Some((own, arguments)) = self.implementation_for(implementation, ty) else { return false };
        let of_arguments = self.trait_arguments(implementation, &own, &arguments);
        if let Wanted::TraitOf(_, wanted) = &self.wanted {
            return self.could_all_equal(&of_arguments, wanted);
        }
        let Some(of) = self.trait_name_of(implementation) else { return true };
        let target = self.table.resolve(ty);
        let bounds = self
            .bound_arguments
            .iter()
            .filter(|(bound, name, _)| of.is(name) && self.table.resolve(bound) == target);
        let mut bounds = bounds.peekable();
        bounds.peek().is_none() || bounds.any(|(_, _, wanted)| self.could_all_equal(&of_arguments, wanted))
    }

    /// Returns whether a bound gives what is named to the type that a generic parameter stands for.
    pub(super) fn has_bound_constant(&mut self, ty: &Ty, name: &syn::Ident) -> bool {
        self.impls_with_constant(ty, name).iter().any(|implementation| {
            self.trait_name_of(implementation).is_some_and(|of| self.is_bound_by(ty, &of))
        })
    }

    /// Returns whether a bound gives a function of this name to the type that a generic parameter stands for.
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

    /// Unifies a type that is not wholly known with what the one `impl` is for that gives it this constant itself.
    pub(super) fn unify_with_owner(&mut self, ty: &Ty, name: &syn::Ident) {
        let known = self.table.resolve(ty);
        if !self.table.closed(&known).has_error() {
            return;
        }
        let found = self.looking_for(Wanted::Type, |this| this.impls_with_constant(ty, name));
        if let [only] = &found[..]
            && only.of().is_none()
            && let Some((own, _)) = self.implementation_for(only, ty)
        {
            self.table.unify(&own, ty);
        }
    }

    /// Returns whether a type that is not wholly known has one constant of this name, which is declared as a `Self`.
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

    /// A member that a struct or enum does not have, as far as device code knows.
    pub(super) fn unknown_member(&mut self, tokens: &dyn ToTokens, ty: &Ty, name: &str) -> (ExprKind, Ty) {
        let help = "mark the `impl` with `#[device]` and list it on the type, as in `#[device(impl, impl Add)]`, or put both into a `#[device] mod`";
        self.absent_member(tokens, ty, name, help)
    }

    fn absent_of_text(&mut self, tokens: &dyn ToTokens, message: String) -> (ExprKind, Ty) {
        let help = "go over `bytes()` or `chars()`; of `char` there are the methods with `ascii` in their names, `to_digit` and casts";
        self.error(crate::diagnostics::Code::UnknownMethod, tokens, message, help);
        (ExprKind::Error, Ty::Error)
    }

    /// What a macro that writes calls, and its target does not have.
    fn absent_of_writing(&mut self, tokens: &dyn ToTokens, ty: &Ty) -> (ExprKind, Ty) {
        let message = format!("device code does not have `fmt::Write` of `{ty}`");
        let help = "mark the `impl` with `#[device]` and list it on the type, as in `#[device(impl Write)]`, or put both into a `#[device] mod`; it has no `write_fmt` of its own";
        self.diagnostics
            .push(Diagnostic::left_to_rustc(tokens, message).code(Code::UnknownMethod).help(help));
        (ExprKind::Error, Ty::Error)
    }

    /// A member that a type does not have in device code, with what to do about it. A type that is wrong has been reported, and lacks nothing.
    pub(super) fn absent_member(
        &mut self,
        tokens: &dyn ToTokens,
        ty: &Ty,
        name: &str,
        help: &str,
    ) -> (ExprKind, Ty) {
        if !self.table.resolve(ty).has_error() {
            let ty = self.table.partial(ty);
            if name.starts_with(super::macros::OF_WRITING) {
                return self.absent_of_writing(tokens, &ty);
            }
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
