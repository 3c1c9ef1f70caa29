//! Device items in which names stand that lead to nothing that device code has.
//!
//! What the text of the file tells of a name (`source/`) is said here, at the name, and so is what nobody can have meant as an item, such as `threadIdx`.
//! Of other names rustc is asked. Where there is nothing of a name, rustc would say so too; so our error stands in its place, as a macro that cannot be expanded,
//! whose type rustc takes to be any. Of signatures only rustc speaks, since it takes such a macro for `()` where a type stands; in the fields of a type it would
//! speak once for the type and once for each trait that is derived.

use super::item_group::ItemGroup;
use super::unknown;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::hash::HashMap;
use crate::names::{self, Dependencies};
use crate::source::{Meaning, Place};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use std::cell::OnceCell;
use std::rc::Rc;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Generics, ImplItem, Item, Pat, Path, Signature, TraitItem, Type, parse_quote};

/// What is known of the names in an item.
#[derive(Default)]
pub(super) struct Judged {
    /// The errors for names that lead nowhere, by these. Where those of the prelude do, one import is missing, so that one error is enough.
    absent: HashMap<String, Rc<Absent>>,
    /// Those for names that lead to what has no mark, or back to the item.
    others: Diagnostics,
    /// What comes from the standard library.
    imports: Vec<(Ident, Path)>,
    /// What the item refers to.
    names: Dependencies,
}

/// The error for a name that leads nowhere: of one that is written more than once, it stands where the first error can stand.
struct Absent {
    error: OnceCell<Diagnostic>,
    explain: fn(&Path, &Place) -> Diagnostic,
    place: Place,
}

impl Absent {
    fn new(explain: fn(&Path, &Place) -> Diagnostic, place: &Place) -> Rc<Self> {
        Rc::new(Self { error: OnceCell::new(), explain, place: place.clone() })
    }

    fn at(&self, path: &Path) -> TokenStream {
        self.error.get_or_init(|| (self.explain)(path, &self.place)).to_compile_error()
    }
}

impl Judged {
    /// What is known of an item, as devices see it.
    pub(super) fn of(item: &Item, place: &Place) -> Self {
        let mut found = Self::default();
        let mut names = Dependencies::of_items([item]);
        names.look_up_functions(|path| {
            place.may_be_device_item(path) || matches!(place.meaning(path), Meaning::Standard(_))
        });
        for path in names.foreign_values() {
            found.absent.insert(names::key(path), Absent::new(unknown::absent, place));
        }
        let not_imported = Absent::new(|path, _| unknown::not_imported(path), place);
        for path in names.paths() {
            let key = names::key(path);
            let is_certain = path.get_ident().is_some_and(|name| names::certain(&name.to_string()).is_some());
            match if is_certain { Meaning::Absent } else { place.meaning(path) } {
                Meaning::Device(first) => {
                    let error = unknown::leads_back(item, path, place.way_back(first));
                    error.into_iter().for_each(|error| found.others.push(error));
                }
                Meaning::Unknown => {}
                Meaning::Standard(whole) => found.imports.extend(import(path, &whole)),
                Meaning::Unmarked => found.others.push(unknown::unmarked(path)),
                Meaning::Absent => {
                    let is_of_module = path.segments.len() > 1 && names::presumed(&key).is_some();
                    let error = match is_of_module || names::is_of_prelude(&key) {
                        true => not_imported.clone(),
                        false => Absent::new(unknown::absent, place),
                    };
                    found.absent.insert(key, error);
                }
            }
        }
        found.names = names;
        found
    }

    /// What the item refers to, other than what comes from the standard library.
    pub(super) fn dependencies(self, group: &ItemGroup, place: &Place) -> Dependencies {
        if self.imports.is_empty() { self.names } else { group.dependencies_in(place) }
    }

    /// Returns whether there are errors, of which rustc may report some.
    pub(super) fn is_refused(&self) -> bool {
        !self.absent.is_empty() || !self.others.is_empty()
    }

    /// The item as devices see it: what comes from the standard library has its whole path.
    pub(super) fn imported(&self, item: Item, tokens: TokenStream) -> (Item, TokenStream) {
        if self.imports.is_empty() {
            return (item, tokens);
        }
        let item = names::importing(&item, self.imports.clone());
        let tokens = item.to_token_stream();
        (item, tokens)
    }

    /// What stands for an item that is refused: the item with its errors, and what stands beside it.
    pub(super) fn refused(&self, item: &Item, tokens: &TokenStream) -> (TokenStream, TokenStream) {
        let mut placed = Placed { absent: &self.absent, beside: TokenStream::new() };
        let item = if self.absent.is_empty() {
            tokens.clone()
        } else {
            let mut item = item.clone();
            placed.visit_item_mut(&mut item);
            item.to_token_stream()
        };
        let mut errors = placed.beside;
        errors.extend(self.others.iter().map(Diagnostic::to_compile_error));
        let beside = (!errors.is_empty()).then(|| quote!(const _: () = { #errors };));
        (item, beside.unwrap_or_default())
    }
}

/// The import by which a path leads to an item of the standard library.
fn import(path: &Path, whole: &[String]) -> Option<(Ident, Path)> {
    let first = &path.segments.first()?.ident;
    let count = whole.len().checked_sub(path.segments.len() - 1)?;
    // Device code knows the items of `core`.
    let names = whole[..count].iter().enumerate().map(|(index, name)| {
        let name = if index == 0 { "core" } else { name };
        Ident::new(name, first.span())
    });
    Some((first.clone(), parse_quote!(#(#names)::*)))
}

/// Puts errors in the place of names that lead nowhere. What is not found, in the tokens of a macro or among the bounds of a type, rustc reports.
struct Placed<'e> {
    absent: &'e HashMap<String, Rc<Absent>>,
    /// The errors for names that rustc takes for something else.
    beside: TokenStream,
}

impl Placed<'_> {
    /// The error for a path, or for what it starts with.
    fn error<T: syn::parse::Parse>(&self, path: &Path) -> Option<T> {
        let mut path = path.clone();
        loop {
            if let Some(error) = self.absent.get(&names::key(&path)) {
                return syn::parse2(error.at(&path)).ok();
            }
            path.segments.pop();
            path.segments.pop_punct();
            if path.segments.is_empty() {
                return None;
            }
        }
    }
}

impl VisitMut for Placed<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        let path = match expression {
            Expr::Path(path) if path.qself.is_none() => Some(&path.path),
            Expr::Struct(literal) if literal.qself.is_none() => Some(&literal.path),
            _ => None,
        };
        match path.and_then(|path| self.error(path)) {
            Some(error) => *expression = Expr::Macro(error),
            None => visit_mut::visit_expr_mut(self, expression),
        }
    }

    fn visit_signature_mut(&mut self, _: &mut Signature) {}

    fn visit_generics_mut(&mut self, _: &mut Generics) {}

    fn visit_item_const_mut(&mut self, item: &mut syn::ItemConst) {
        self.visit_expr_mut(&mut item.expr);
    }

    fn visit_item_static_mut(&mut self, item: &mut syn::ItemStatic) {
        self.visit_expr_mut(&mut item.expr);
    }

    fn visit_item_type_mut(&mut self, _: &mut syn::ItemType) {}

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        for member in &mut item.items {
            match member {
                ImplItem::Fn(method) => self.visit_block_mut(&mut method.block),
                ImplItem::Const(constant) => self.visit_expr_mut(&mut constant.expr),
                _ => {}
            }
        }
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        for member in &mut item.items {
            if let TraitItem::Fn(method) = member {
                method.default.iter_mut().for_each(|block| self.visit_block_mut(block));
            }
        }
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        let path = match ty {
            Type::Path(path) if path.qself.is_none() => Some(&path.path),
            _ => None,
        };
        match path.and_then(|path| self.error(path)) {
            Some(error) => *ty = Type::Macro(error),
            None => visit_mut::visit_type_mut(self, ty),
        }
    }

    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        let path = match pattern {
            Pat::Path(path) if path.qself.is_none() => Some(&path.path),
            Pat::Struct(pattern) if pattern.qself.is_none() => Some(&pattern.path),
            Pat::TupleStruct(pattern) if pattern.qself.is_none() => Some(&pattern.path),
            // rustc takes it for a variable.
            Pat::Ident(name) => {
                if let Some(error) = self.absent.get(&name.ident.to_string()) {
                    self.beside.extend(error.at(&Path::from(name.ident.clone())));
                }
                None
            }
            _ => None,
        };
        match path.and_then(|path| self.error(path)) {
            Some(error) => *pattern = Pat::Macro(error),
            None => visit_mut::visit_pat_mut(self, pattern),
        }
    }
}
