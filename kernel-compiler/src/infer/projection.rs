//! Associated types: `Self::Output`, `T::Output` and `<T as Trait>::Output`.
//!
//! Several traits may have one of the same name, and a generic trait that a type implements several times has one for each list of arguments. Which is meant follows from the `impl`
//! or the trait around, or from the bounds of the parameter.

use super::iterator::ADAPTED;
use super::member::count_of;
use super::program::Impl;
use super::{Infer, Source, generics};
use crate::chain::Links;
use crate::typed::{Access, Projection, Ty, VariableKind};
use std::rc::Rc;
use syn::{ImplItem, PathSegment, TypePath};

/// How deep associated types of types that are not known are followed.
const MAX_PROJECTIONS: u32 = 8;

/// The trait that an associated type of a type is of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Associated {
    of: Ty,
    name: String,
    of_trait: Rc<str>,
    arguments: Vec<Ty>,
}

/// The name of the associated type of a trait of the standard library.
fn standard_associated(name: &str) -> Option<&'static str> {
    Some(match name {
        "Add" | "Sub" | "Mul" | "Div" | "Rem" | "Neg" | "Not" | "BitAnd" | "BitOr" | "BitXor" | "Shl"
        | "Shr" | "Index" => "Output",
        "Iterator" | "IntoIterator" | "DoubleEndedIterator" | "ExactSizeIterator" => "Item",
        "Deref" => "Target",
        "TryFrom" | "TryInto" => "Error",
        _ => return None,
    })
}

/// Returns whether a trait of the standard library is generic over what stands on the right of an operator, which is the type itself if nothing is written.
pub(super) fn is_binary_operator(name: &str) -> bool {
    let name = name.strip_suffix("Assign").unwrap_or(name);
    let is_arithmetic = matches!(name, "Add" | "Sub" | "Mul" | "Div" | "Rem" | "BitAnd" | "BitOr" | "BitXor");
    is_arithmetic || matches!(name, "Shl" | "Shr" | "PartialEq" | "PartialOrd")
}

impl Infer<'_> {
    /// The associated type of a type by this name, of the trait that gives it to it as far as that is known.
    pub(super) fn projection(&self, of: Ty, name: &str) -> Ty {
        let known = self.table.resolve(&of);
        let fits = |it: &&Associated| it.name == name && self.table.resolve(&it.of) == known;
        let mut found: Vec<_> = self.associated.iter().filter(fits).collect();
        found.dedup();
        let (of_trait, arguments) = match found[..] {
            [only] => (Some(only.of_trait.clone()), only.arguments.clone()),
            _ => (None, Vec::new()),
        };
        Ty::Projection(Rc::new(Projection { of, name: name.into(), of_trait, arguments }))
    }

    /// Notes the associated types that a bound gives to a type.
    pub(super) fn note_associated(&mut self, ty: &Ty, bound: &generics::Bound, links: &Links) {
        let of_trait: Rc<str> = self.program.name_of_bound(bound, links).as_str().into();
        let (written, declared) = match bound {
            generics::Bound::Item(_) => (None, self.program.associated_of_bound(bound, links)),
            generics::Bound::Path(path) => {
                let last = path.segments.last();
                let standard = last.and_then(|last| standard_associated(&last.ident.to_string()));
                let declared = match standard.filter(|_| !of_trait.starts_with("::")) {
                    Some(name) => vec![name.to_owned()],
                    None => self.program.associated_of_bound(bound, links),
                };
                (last, declared)
            }
        };
        if declared.is_empty() {
            return;
        }
        let arguments = match (bound, written) {
            (generics::Bound::Item(id), _) => self.own_trait_arguments(id),
            (_, Some(last)) => self.arguments_of_trait(last, ty),
            _ => Vec::new(),
        };
        for name in declared {
            let (of, of_trait, arguments) = (ty.clone(), of_trait.clone(), arguments.clone());
            self.associated.push(Associated { of, name, of_trait, arguments });
        }
    }

    /// The parameters of a trait, in which a function of its own stands.
    fn own_trait_arguments(&self, id: &crate::chain::Id) -> Vec<Ty> {
        let Some((item, _)) = self.program.trait_item(id) else { return Vec::new() };
        let names = generics::of(&item.generics);
        names.iter().filter_map(|generic| Some(self.generics.get(&generic.name)?.0.clone())).collect()
    }

    /// The arguments of a trait for a type: an operator without any is one with the type itself.
    fn arguments_of_trait(&mut self, last: &PathSegment, own: &Ty) -> Vec<Ty> {
        let arguments = self.written_arguments(last);
        match arguments.is_empty() && is_binary_operator(&last.ident.to_string()) {
            true => vec![own.clone()],
            false => arguments,
        }
    }

    /// The arguments that are written; what is wrong with them is rustc's business.
    fn written_arguments(&mut self, last: &PathSegment) -> Vec<Ty> {
        let known = self.diagnostics.len();
        let arguments = self.generic_arguments(count_of(&last.arguments), &last.arguments);
        self.diagnostics.truncate(known);
        arguments
    }

    /// Notes the associated types that the `impl` around a function has itself.
    pub(super) fn note_own_associated(&mut self, own: &Ty, source: &Source) {
        let Some(syn::ItemImpl { trait_: Some((path, _)), items, .. }) = source.around() else { return };
        let Some(last) = path.segments.last() else { return };
        let of_trait: Rc<str> = self.program.trait_name(path, &source.links).as_str().into();
        let arguments = self.arguments_of_trait(last, own);
        for item in items {
            if let ImplItem::Type(item) = item {
                let name = item.ident.to_string();
                let (of, of_trait, arguments) = (own.clone(), of_trait.clone(), arguments.clone());
                self.associated.push(Associated { of, name, of_trait, arguments });
            }
        }
    }

    /// The same, for what an `impl` says of an associated type, and with the bounds of its parameters.
    fn note_associated_of(&mut self, own: &Ty, implementation: &super::program::Impl) {
        for generic in &implementation.generics {
            let Some((ty, None)) = self.generics.get(&generic.name).cloned() else { continue };
            for bound in &generic.bounds {
                self.note_associated(&ty, bound, &implementation.links);
            }
        }
        let Some(path) = implementation.of() else { return };
        let Some(last) = path.segments.last() else { return };
        let of_trait: Rc<str> = self.program.trait_name(path, &implementation.links).as_str().into();
        let arguments = self.arguments_of_trait(last, own);
        for item in implementation.members() {
            if let ImplItem::Type(item) = item {
                let name = item.ident.to_string();
                let (of, of_trait, arguments) = (own.clone(), of_trait.clone(), arguments.clone());
                self.associated.push(Associated { of, name, of_trait, arguments });
            }
        }
    }

    /// `Self::Output`, `T::Output` or `<T as Trait>::Output`.
    pub(super) fn associated_type(&mut self, path: &TypePath) -> Option<Ty> {
        let count = path.path.segments.len();
        let last = path.path.segments.last()?;
        let name = last.ident.to_string();
        let mut projection = match &path.qself {
            Some(own) if own.position > 0 => {
                let of = self.ty(&own.ty);
                let of_trait = super::nominal::prefix(&path.path);
                let arguments = of_trait.segments.last().map(|last| self.arguments_of_trait(last, &of));
                let of_trait = self.program.trait_name(&of_trait, self.links);
                Ty::Projection(Rc::new(Projection {
                    of,
                    name: name.as_str().into(),
                    of_trait: Some(of_trait.as_str().into()),
                    arguments: arguments.unwrap_or_default(),
                }))
            }
            Some(own) => {
                let of = self.ty(&own.ty);
                self.projection(of, &name)
            }
            None => {
                let of = self.type_of_path(&path.path, count.checked_sub(1)?)?;
                self.projection(of, &name)
            }
        };
        if !last.arguments.is_none()
            && let Ty::Projection(projection) = &mut projection
        {
            let own = self.generic_arguments(count_of(&last.arguments), &last.arguments);
            Rc::make_mut(projection).arguments.extend(own);
        }
        Some(self.normalized(&projection))
    }

    /// A type in which each associated type of a known type is what it stands for.
    pub(super) fn normalized(&mut self, ty: &Ty) -> Ty {
        if !ty.has_projection() {
            return ty.clone();
        }
        let ty = ty.map_parts(&mut |part| self.normalized(part));
        let Ty::Projection(projection) = &ty else { return ty };
        match self.table.shallow(&projection.of) {
            Ty::Parameter(..) => ty,
            // An associated type of what is not known may lead to one of what is not known, and so on.
            Ty::Variable(..) if self.projection_depth > MAX_PROJECTIONS => {
                self.table.fresh(VariableKind::Any)
            }
            of @ Ty::Variable(_, VariableKind::Any) if self.may_be_of_several(&of, projection) => {
                let open = |(known, _): &&(Rc<Projection>, Ty)| {
                    known.name == projection.name
                        && known.of_trait == projection.of_trait
                        && known.arguments == projection.arguments
                        && self.table.shallow(&known.of) == of
                };
                if let Some((_, ty)) = self.open_projections.iter().find(open) {
                    return ty.clone();
                }
                let ty = self.table.fresh(VariableKind::Any);
                self.open_projections.push((Rc::clone(projection), ty.clone()));
                ty
            }
            of => {
                self.projection_depth += 1;
                let found = self.projected(&of, projection);
                self.projection_depth -= 1;
                found.unwrap_or_else(|| self.table.fresh(VariableKind::Any))
            }
        }
    }

    /// Finds what the associated types of types that are known by now stand for.
    pub(super) fn settle_projections(&mut self) {
        loop {
            let table = &self.table;
            let is_known = |(projection, _): &mut (Rc<Projection>, Ty)| !table.is_open(&projection.of);
            let known: Vec<_> = self.open_projections.extract_if(.., is_known).collect();
            if known.is_empty() {
                return;
            }
            for (projection, ty) in known {
                let found = self.normalized(&Ty::Projection(projection));
                self.table.unify(&ty, &found);
            }
        }
    }

    /// Returns whether several `impl`s of the user's have the associated type of a type that is not known yet.
    fn may_be_of_several(&mut self, of: &Ty, projection: &Projection) -> bool {
        let impls = self.program.impls();
        let mut candidates = impls.iter().filter(|implementation| {
            self.type_in(implementation, projection).is_some()
                && self.implementation_for(implementation, of).is_some()
        });
        candidates.nth(1).is_some()
    }

    /// The associated type in an `impl` that is of its trait, as far as that is known.
    fn type_in<'i>(
        &self,
        implementation: &'i Impl,
        projection: &Projection,
    ) -> Option<&'i syn::ImplItemType> {
        let found = implementation.members().iter().find_map(|item| match item {
            ImplItem::Type(item) if item.ident == *projection.name => Some(item),
            _ => None,
        })?;
        let wanted = projection.of_trait.as_deref();
        let is_of_trait =
            |wanted: &str| self.trait_name_of(implementation).is_some_and(|name| name.is(wanted));
        wanted.is_none_or(is_of_trait).then_some(found)
    }

    pub(super) fn projected(&mut self, of: &Ty, projection: &Projection) -> Option<Ty> {
        let program = self.program;
        for implementation in program.impls().iter() {
            let Some(found) = self.type_in(implementation, projection) else { continue };
            let Some((own, arguments)) = self.implementation_for(implementation, of) else { continue };
            if own.has_error() {
                continue;
            }
            let parameters = generics::of(&found.generics);
            let Some(of_trait) = projection.arguments.len().checked_sub(parameters.len()) else { continue };
            let (wanted, of_type) = projection.arguments.split_at(of_trait);
            let of_arguments = self.trait_arguments(implementation, &own, &arguments);
            let pairs = of_arguments.iter().cloned().zip(wanted.iter().cloned());
            let pairs: Vec<_> = std::iter::once((own.clone(), of.clone())).chain(pairs).collect();
            if !self.table.could_all_be(&pairs) {
                continue;
            }
            self.table.unify(&own, of);
            for (one, other) in &pairs[1..] {
                self.table.unify(one, other);
            }
            self.settle_callables_of(implementation, &arguments);
            let mut there = Infer::new(program, &implementation.links, self.role, Ty::Unit);
            let all = [&implementation.generics[..], &parameters[..]].concat();
            there.generics = generics::opaque(&all);
            let own = self.own_type(implementation);
            there.generics.insert("Self".to_owned(), (own.clone(), None));
            there.note_associated_of(&own, implementation);
            let found = there.ty(&found.ty);
            let arguments = [&arguments[..], of_type].concat();
            let ty = there.table.closed(&found).substitute(&arguments);
            return Some(self.normalized(&ty));
        }
        // Every iterator is what it is gone over by.
        let is_gone_over = projection.of_trait.as_deref() == Some("IntoIterator");
        if is_gone_over && self.nominal_behind(of).is_some_and(|own| self.has_standard_impl(&own, "Iterator"))
        {
            return match (&*projection.name, self.table.shallow(of)) {
                ("IntoIter", of) => Some(of),
                (_, Ty::Reference { to, mutable: true }) => self.projected(&to, projection),
                _ => self
                    .projected(of, &Projection { of_trait: Some("Iterator".into()), ..projection.clone() }),
            };
        }
        // What the standard library says of the types that it goes over itself.
        match &*projection.name {
            "Item" => self.item_of(of),
            name if let Some(name) = name.strip_prefix(ADAPTED) => Some(self.adapted_type(name, of.clone())),
            "IntoIter" if matches!(self.table.shallow(of), Ty::Iterator { .. }) => Some(of.clone()),
            "IntoIter"
                if matches!(
                    self.table.shallow(of),
                    Ty::Slice { .. } | Ty::Reference { .. } | Ty::Array(..) | Ty::Range(..)
                ) =>
            {
                let item = Rc::new(self.item_of(of)?);
                Some(Ty::Iterator { item, access: Access::Elements })
            }
            _ => None,
        }
    }
}
