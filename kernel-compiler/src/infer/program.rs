//! The items that a kernel may refer to, and what has been found out about them.

use super::generics::{self, Bound, Generic};
use super::{CacheHints, Racing, Role, Signature, nominal};
use crate::chain::{DeviceItem, Id, Link, Links, Resolved, Sort};
use crate::hash::HashMap;
use crate::names;
use crate::prelude::{self, types::KNOWN};
use crate::typed::{
    CHANNEL_ORDER, CHANNEL_TYPE, Callee, Calls, Definition, ExprKind, Field, Nominal, ORDERING,
    TRY_FROM_INT_ERROR, TRY_FROM_SLICE_ERROR, Ty,
};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use syn::{Ident, ImplItem, Item, ItemFn, TraitItem};

/// How the id of an `impl` of the standard library starts; that of a user's is an identifier.
const STANDARD: &str = "std::";

/// How the id of a function starts that stands in for something else of ours.
const PRELUDE: &str = "prelude::";

/// How many constants may be run, one for the sake of the other; the compiler recurses, so there must be a bound.
const MAX_RUNNING_CONSTANTS: u32 = 8;

/// Returns whether an `impl` is of a trait that serves the host alone: device code does not have what it is written with.
pub(crate) fn is_for_host(implementation: &syn::ItemImpl) -> bool {
    let Some((path, _)) = &implementation.trait_ else { return false };
    let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let is_of_formatting = matches!(
        names[..],
        ["std" | "core" | "alloc", "fmt" | "error" | "io" | "string", _] | ["fmt", _] | ["ToString"]
    );
    is_of_formatting && (!may_be_for_host(implementation) || formats(implementation))
}

/// Returns whether an `impl` has a `write_fmt` of its own: what it takes is text that is to be formatted, which device code does not have.
fn formats(implementation: &syn::ItemImpl) -> bool {
    let is_it = |item: &ImplItem| matches!(item, ImplItem::Fn(item) if item.sig.ident == "write_fmt");
    implementation.items.iter().any(is_it)
}

/// Returns whether an `impl` is of a trait that device code has, but that may serve the host alone: it is checked only where a kernel uses it.
pub(super) fn may_be_for_host(implementation: &syn::ItemImpl) -> bool {
    let Some((path, _)) = &implementation.trait_ else { return false };
    let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let (name, module) = (names.next(), names.next());
    matches!(
        (name.as_deref(), module.as_deref()),
        (Some("FromStr"), Some("str") | None)
            | (
                Some("Write" | "Display" | "Debug" | "LowerHex" | "UpperHex" | "Binary" | "Octal"),
                Some("fmt")
            )
    )
}

/// The items that stand for those of the standard library, by their positions, each with its id and what its name means.
type Known = [OnceCell<(Id, Link, DeviceItem)>; KNOWN.len()];

/// What the names of these mean in each other's code.
fn known_links() -> Rc<Links> {
    Rc::new(KNOWN.iter().map(|known| (known.name.to_owned(), Link::Device(known.id()))).collect())
}

/// Returns whether a function is one of the standard library.
pub fn is_standard(id: &Id) -> bool {
    id.starts_with(STANDARD)
}

/// Returns whether a function is part of the compiler: one of the standard library, or of what else stands in for that.
pub fn is_ours(id: &Id) -> bool {
    is_standard(id) || id.starts_with(PRELUDE)
}

/// The items that a function may refer to, and what has been found out about them.
#[derive(Debug)]
pub struct Program<'a> {
    resolved: &'a Resolved,
    pub(super) names_are_known: bool,
    functions: RefCell<HashMap<Id, Rc<Source>>>,
    /// The `impl`s of the program, and those of the standard library's types that it names.
    impls: RefCell<Rc<Vec<Rc<Impl>>>>,
    /// Those of the standard library that have been needed, by the name of the method.
    standard: RefCell<HashMap<String, Vec<Rc<Impl>>>>,
    /// The types and traits of the standard library that are written as device code, once they have been named.
    known: Known,
    signatures: RefCell<HashMap<Id, Option<Rc<Signature>>>>,
    definitions: RefCell<HashMap<Id, Option<Rc<Definition>>>>,
    /// The types whose fields are being looked at, without these.
    open_definitions: RefCell<HashMap<Id, Rc<Definition>>>,
    /// Whether there are cells in structs and enums.
    pub(super) with_cells: RefCell<HashMap<Nominal, bool>>,
    pub(super) constants: RefCell<HashMap<Id, (ExprKind, Ty)>>,
    closures: Cell<u32>,
    /// Whether the length of an array is being found out, which a constant of a type may be whose fields are being looked at.
    is_measuring: Cell<bool>,
    /// How many constants are being run, one for the sake of the other.
    running: Cell<u32>,
    /// The functions whose opaque results are being looked for.
    opaque: RefCell<Calls>,
}

/// A function as it is written, and what its names mean.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name, parameters and result.
    pub signature: syn::Signature,
    /// Where its body is.
    body: Body,
    /// What the paths in it mean.
    pub links: Rc<Links>,
    /// Where it stands.
    pub role: Role,
    /// Its generic parameters, those of the `impl` or trait around it first.
    pub generics: Vec<Generic>,
    /// The bounds of other types than these.
    pub bounded: Vec<(syn::Type, Vec<Bound>)>,
    /// What `Self` is; in a trait, the first generic parameter.
    pub own: Option<Owner>,
    /// What every launch of a kernel meets.
    pub conditions: Rc<[syn::Expr]>,
    /// What a kernel says of caches.
    pub caching: Rc<CacheHints>,
    /// Of what the author of a kernel vouches that no race in it does harm.
    pub racing: Rc<Racing>,
}

/// Where the body of a function is: bodies can be deep and large, and are not copied.
#[derive(Clone, Debug)]
enum Body {
    Item(Rc<Item>),
    /// In the member with this position.
    Member(Rc<Item>, usize),
    Own(Rc<ItemFn>),
}

/// What a member of an `impl` or a trait belongs to.
#[derive(Clone, Debug)]
pub enum Owner {
    /// An `impl` for this type.
    Type(Rc<syn::Type>),
    /// A trait, whose implementor is the first generic parameter.
    Trait,
}

/// An `impl`.
#[derive(Debug)]
pub(super) struct Impl {
    pub(super) id: Id,
    whole: Rc<Item>,
    pub(super) links: Rc<Links>,
    pub(super) generics: Vec<Generic>,
    /// The type that it is for, in terms of its generic parameters, once it has been asked for.
    pub(super) own: RefCell<Option<Ty>>,
}

impl Impl {
    fn new(id: &Id, item: &DeviceItem, definition: &syn::ItemImpl) -> Self {
        Self {
            id: id.clone(),
            whole: item.item().clone(),
            links: item.links().clone(),
            generics: generics::of(&definition.generics),
            own: RefCell::default(),
        }
    }

    /// The type that it is for, as it is written.
    pub(super) fn self_ty(&self) -> Option<&syn::Type> {
        self.definition().map(|item| &*item.self_ty)
    }

    /// The trait that it is of.
    pub(super) fn of(&self) -> Option<&syn::Path> {
        self.definition()?.trait_.as_ref().map(|(path, _)| path)
    }

    /// Its members.
    pub(super) fn members(&self) -> &[ImplItem] {
        self.definition().map_or(&[], |item| &item.items)
    }

    fn definition(&self) -> Option<&syn::ItemImpl> {
        match &*self.whole {
            Item::Impl(item) => Some(item),
            _ => None,
        }
    }
}

impl<'a> Program<'a> {
    /// The program that consists of these items.
    #[must_use]
    pub fn new(resolved: &'a Resolved) -> Self {
        let mut program = Self {
            resolved,
            names_are_known: true,
            functions: RefCell::default(),
            impls: RefCell::default(),
            standard: RefCell::default(),
            known: [const { OnceCell::new() }; KNOWN.len()],
            signatures: RefCell::default(),
            definitions: RefCell::default(),
            open_definitions: RefCell::default(),
            with_cells: RefCell::default(),
            constants: RefCell::default(),
            closures: Cell::new(0),
            is_measuring: Cell::default(),
            running: Cell::new(0),
            opaque: RefCell::default(),
        };
        for id in resolved.ids() {
            program.register_item(id, &resolved.items[id]);
        }
        program
    }

    /// A program of which nothing is known yet: there a type is what its name says, which is checked again when names are known.
    #[must_use]
    pub fn undecided(nothing: &'a Resolved) -> Self {
        Self { names_are_known: false, ..Self::new(nothing) }
    }

    fn register_item(&mut self, id: &'a Id, item: &'a DeviceItem) {
        if item.sort() == Sort::Other {
            return;
        }
        match &**item.item() {
            Item::Impl(implementation) if is_for_host(implementation) => {}
            Item::Impl(implementation) => {
                let implementation = self.register_impl(id, item, implementation);
                self.add_impl(implementation);
            }
            Item::Trait(definition) => self.register_trait(id, item, definition),
            _ => {}
        }
    }

    fn register_impl(&self, id: &Id, item: &DeviceItem, implementation: &syn::ItemImpl) -> Rc<Impl> {
        let found = Impl::new(id, item, implementation);
        let own = Owner::Type(Rc::new((*implementation.self_ty).clone()));
        for (position, member) in implementation.items.iter().enumerate() {
            if let ImplItem::Fn(member) = member {
                self.register_member((id, item, position), &member.sig, (&found.generics, &own));
            }
        }
        Rc::new(found)
    }

    /// The members of a trait that have a body.
    fn register_trait(&self, id: &Id, item: &DeviceItem, definition: &syn::ItemTrait) {
        let mut outer = vec![Generic::implementor(id)];
        outer.extend(generics::of(&definition.generics));
        for (position, member) in definition.items.iter().enumerate() {
            if let TraitItem::Fn(member) = member
                && member.default.is_some()
            {
                self.register_member((id, item, position), &member.sig, (&outer, &Owner::Trait));
            }
        }
    }

    fn register_member(
        &self,
        (owner, item, position): (&Id, &DeviceItem, usize),
        signature: &syn::Signature,
        (outer, own): (&[Generic], &Owner),
    ) {
        let mut source =
            Source::free(signature, Body::Member(item.item().clone(), position), item.links().clone());
        source.generics = outer.to_vec();
        source.generics.extend(generics::of_signature(signature));
        if let Item::Impl(syn::ItemImpl { generics, .. }) | Item::Trait(syn::ItemTrait { generics, .. }) =
            &**item.item()
        {
            source.bounded.extend(generics::bounded(generics));
        }
        source.own = Some(own.clone());
        self.register(member_id(owner, &signature.ident.to_string()), source);
    }

    /// A number that no other closure has.
    pub(super) fn fresh_closure(&self) -> u32 {
        self.closures.set(self.closures.get() + 1);
        self.closures.get()
    }

    /// Notes that the code of a constant is being run; false if too many are, one for the sake of the other.
    pub(super) fn enter_constant(&self) -> bool {
        let is_shallow = self.running.get() < MAX_RUNNING_CONSTANTS;
        if is_shallow {
            self.running.set(self.running.get() + 1);
        }
        is_shallow
    }

    /// The end of that.
    pub(super) fn leave_constant(&self) {
        self.running.set(self.running.get() - 1);
    }

    /// Notes that the opaque result of a call is being looked for; false if that leads back to the function.
    pub(super) fn enter_opaque(&self, callee: &Callee) -> bool {
        self.opaque.borrow_mut().enter(callee)
    }

    /// The end of that.
    pub(super) fn leave_opaque(&self) {
        self.opaque.borrow_mut().leave();
    }

    /// The items.
    #[must_use]
    pub fn resolved(&self) -> &'a Resolved {
        self.resolved
    }

    /// Adds a function.
    pub(super) fn register(&self, id: Id, source: Source) {
        self.functions.borrow_mut().insert(id, Rc::new(source));
    }

    /// A device function as it is written.
    #[must_use]
    pub fn function(&self, id: &Id) -> Option<Rc<Source>> {
        if let Some(known) = self.functions.borrow().get(id) {
            return Some(known.clone());
        }
        let (_, item) = self.item(id)?;
        let Item::Fn(function) = &**item.item() else { return None };
        let source = Source::free(&function.sig, Body::Item(item.item().clone()), item.links().clone());
        self.register(id.clone(), source);
        self.functions.borrow().get(id).cloned()
    }

    /// The signature of a device function; none if it is not one, or has errors, which are reported where it is defined.
    #[must_use]
    pub fn signature(&self, id: &Id) -> Option<Rc<Signature>> {
        if let Some(known) = self.signatures.borrow().get(id) {
            return known.clone();
        }
        let found = self.function(id).and_then(|source| super::signature(self, &source).ok()).map(Rc::new);
        self.signatures.borrow_mut().insert(id.clone(), found.clone());
        found
    }

    /// A trait's own item, and what its names mean.
    pub(super) fn trait_item(&self, id: &Id) -> Option<(&syn::ItemTrait, &Rc<Links>)> {
        let (_, item) = self.item(id)?;
        match &**item.item() {
            Item::Trait(found) => Some((found, item.links())),
            _ => None,
        }
    }

    /// The signature of a function as a trait declares it, in terms of the implementor and the parameters of the trait.
    pub(super) fn declaration(
        &self,
        id: &Id,
        item: &syn::ItemTrait,
        declared: &syn::Signature,
        links: &Rc<Links>,
    ) -> Option<Signature> {
        let body: ItemFn = syn::parse_quote!(
            fn nothing() {}
        );
        let mut source = Source::free(declared, Body::Own(Rc::new(body)), Rc::clone(links));
        source.generics = vec![Generic::implementor(id)];
        source.generics.extend(generics::of(&item.generics));
        source.generics.extend(generics::of_signature(declared));
        source.own = Some(Owner::Trait);
        super::signature(self, &source).ok()
    }

    /// What a struct or an enum consists of; none if this is not one, or has errors, which are reported where it is defined.
    #[must_use]
    pub fn definition(&self, id: &Id) -> Option<Rc<Definition>> {
        if let Some(known) = self.definitions.borrow().get(id) {
            return known.clone();
        }
        // A type that contains itself has no definition while it is looked for, and none that rustc accepts.
        self.definitions.borrow_mut().insert(id.clone(), None);
        let found = match id.as_str() {
            nominal::OPTION => Some(Definition::option()),
            nominal::RESULT => Some(Definition::result()),
            ORDERING => Some(Definition::ordering()),
            CHANNEL_ORDER => Some(Definition::channel_order()),
            CHANNEL_TYPE => Some(Definition::channel_type()),
            TRY_FROM_INT_ERROR | TRY_FROM_SLICE_ERROR => Some(Definition::conversion_error(id)),
            _ => {
                let item = self.item(id);
                item.and_then(|(_, item)| nominal::definition(self, id, item.links(), item.item())?.ok())
            }
        };
        let found = found.map(Rc::new);
        self.definitions.borrow_mut().insert(id.clone(), found.clone());
        self.open_definitions.borrow_mut().remove(id);
        found
    }

    /// The type of a field of a struct or an enum for these generic arguments, which are known, with what its associated types stand for.
    pub(crate) fn field_type(&self, field: &Field, arguments: &[Ty]) -> Ty {
        let ty = field.ty.substitute(arguments);
        if !ty.has_projection() {
            return ty;
        }
        let links = Links::default();
        let mut infer = super::Infer::new(self, &links, Role::Device, Ty::Unit);
        let found = infer.normalized(&ty);
        infer.table.resolve(&found)
    }

    /// Notes whether the length of an array is being found out, and returns whether one was.
    pub(super) fn measure(&self, is_measuring: bool) -> bool {
        self.is_measuring.replace(is_measuring)
    }

    /// Returns whether the length of an array is being found out.
    pub(super) fn is_measuring(&self) -> bool {
        self.is_measuring.get()
    }

    /// Says what is known of a type before its fields are.
    pub(super) fn begin_definition(&self, id: &Id, known: Definition) {
        self.open_definitions.borrow_mut().insert(id.clone(), Rc::new(known));
    }

    /// What is known of a type whose fields are being looked at, which may hold pointers to it.
    pub(super) fn open_definition(&self, id: &Id) -> Option<Rc<Definition>> {
        self.open_definitions.borrow().get(id).cloned()
    }

    fn add_impl(&self, implementation: Rc<Impl>) {
        Rc::make_mut(&mut self.impls.borrow_mut()).push(implementation);
    }

    /// The `impl`s that there are so far; others may come while these are looked at.
    pub(super) fn impls(&self) -> Rc<Vec<Rc<Impl>>> {
        Rc::clone(&self.impls.borrow())
    }

    /// A device item: one of the program's, or one that stands for what the standard library has.
    pub(super) fn item(&self, id: &Id) -> Option<(&Id, &DeviceItem)> {
        let Some(name) = id.strip_prefix(STANDARD) else { return self.resolved.item(id) };
        let position = KNOWN.iter().position(|known| known.name == name)?;
        self.name_known(position);
        let (id, _, item) = self.known[position].get()?;
        Some((id, item))
    }

    /// What a path to one of the standard library's items means that are written as device code.
    pub(super) fn known_link(&self, path: &syn::Path) -> Option<&Link> {
        let position = prelude::types::position(path)?;
        self.name_known(position);
        self.known[position].get().map(|(_, link, _)| link)
    }

    /// Has the items of a file at hand, once one of them is named.
    fn name_known(&self, position: usize) {
        if self.known[position].get().is_some() {
            return;
        }
        let items = KNOWN[position].items();
        let links = known_links();
        for (index, item) in items.into_iter().enumerate() {
            let at =
                KNOWN.iter().position(|known| names::item_name(&item).is_some_and(|name| name == known.name));
            let item = DeviceItem::standing_for(item, &links);
            match (&**item.item(), at) {
                (Item::Impl(implementation), _) => {
                    let id = format!("{STANDARD}{}.{index}", KNOWN[position].name);
                    let found = self.register_impl(&id, &item, implementation);
                    self.add_impl(found);
                }
                (_, Some(at)) => {
                    let id = KNOWN[at].id();
                    if let Item::Trait(definition) = &**item.item() {
                        self.register_trait(&id, &item, definition);
                    }
                    // The file is parsed once for all of its names.
                    let _ = self.known[at].set((id.clone(), Link::Device(id), item));
                }
                _ => {}
            }
        }
    }

    /// The `impl`s that may have a method of a type: those of the program, and the standard ones.
    pub(super) fn impls_with(&self, ty: &Ty, method: &str) -> Vec<Rc<Impl>> {
        let mut found = self.impls().to_vec();
        if matches!(ty, Ty::Nominal(_)) {
            found.extend(self.standard_impls(method));
        }
        found
    }

    /// A function of the prelude, by the file that it is in and its name, for one call.
    pub(super) fn prelude_function(&self, file: &str, name: &Ident) -> Option<Id> {
        let id = format!("{PRELUDE}{file}.{name}.{}", self.functions.borrow().len());
        let function = crate::prelude::function(file, &name.to_string(), name.span())?;
        let signature = function.sig.clone();
        self.register(id.clone(), Source::free(&signature, Body::Own(Rc::new(function)), Rc::default()));
        Some(id)
    }

    fn standard_impls(&self, method: &str) -> Vec<Rc<Impl>> {
        if let Some(known) = self.standard.borrow().get(method) {
            return known.clone();
        }
        let mut found = Vec::new();
        for (index, item) in crate::prelude::impls_with(method).into_iter().enumerate() {
            let id = format!("{STANDARD}{method}.{index}");
            let item = DeviceItem::builtin(item);
            if let Item::Impl(implementation) = &**item.item() {
                found.push(self.register_impl(&id, &item, implementation));
            }
        }
        self.standard.borrow_mut().insert(method.to_owned(), found.clone());
        found
    }

    /// The trait's own item that an `impl` is of, if it is a device item.
    pub(super) fn trait_of(&self, implementation: &Impl) -> Option<(&Id, &syn::ItemTrait, &Rc<Links>)> {
        let path = implementation.of()?;
        let link = implementation.links.get(&names::key(path)).or_else(|| self.known_link(path));
        let Some(Link::Device(id)) = link else { return None };
        let (id, item) = self.item(id)?;
        match &**item.item() {
            Item::Trait(found) => Some((id, found, item.links())),
            _ => None,
        }
    }
}

impl Program<'_> {
    /// A name for a trait that no other trait has; those of the standard library that are no device code have their own.
    pub(super) fn trait_name(&self, path: &syn::Path, links: &Links) -> String {
        match links.get(&names::key(path)).or_else(|| self.known_link(path)) {
            Some(Link::Device(id)) => trait_name(id),
            _ => path.segments.last().map_or(String::new(), |last| last.ident.to_string()),
        }
    }

    /// The name of the trait that a bound is, which no other trait has.
    pub(super) fn name_of_bound(&self, bound: &Bound, links: &Links) -> String {
        match bound {
            Bound::Item(id) => trait_name(id),
            Bound::Path(path) => self.trait_name(path, links),
        }
    }

    /// The trait that a bound is, if it is a device item.
    fn id_of_bound<'b>(&'b self, bound: &'b Bound, links: &'b Links) -> Option<&'b Id> {
        match bound {
            Bound::Item(id) => Some(id),
            Bound::Path(path) => match links.get(&names::key(path)).or_else(|| self.known_link(path)) {
                Some(Link::Device(id)) => Some(id),
                _ => self.trait_written(path),
            },
        }
    }

    /// The names of the associated types that the trait of a bound declares, if it is a device item.
    pub(super) fn associated_of_bound(&self, bound: &Bound, links: &Links) -> Vec<String> {
        let id = self.id_of_bound(bound, links);
        let Some((item, _)) = id.and_then(|id| self.trait_item(id)) else { return Vec::new() };
        let types = item.items.iter().filter_map(|member| match member {
            TraitItem::Type(member) => Some(member.ident.to_string()),
            _ => None,
        });
        types.collect()
    }

    /// What the associated types of a trait are bound by.
    pub(super) fn bounds_of_associated(
        &self,
        bound: &Bound,
        links: &Links,
    ) -> Vec<(Ident, Vec<Bound>, Rc<Links>)> {
        let id = self.id_of_bound(bound, links);
        let Some((item, links)) = id.and_then(|id| self.trait_item(id)) else { return Vec::new() };
        let types = item.items.iter().filter_map(|member| match member {
            TraitItem::Type(member) if !member.bounds.is_empty() => {
                let bounds = generics::traits(&member.bounds).cloned().map(Bound::Path).collect();
                Some((member.ident.clone(), bounds, Rc::clone(links)))
            }
            _ => None,
        });
        types.collect()
    }

    /// The traits that a bound brings along: the trait itself, and those that it demands.
    pub(super) fn traits_of_bound(&self, bound: &Bound, links: &Links, found: &mut Vec<String>) {
        let (name, id) = (self.name_of_bound(bound, links), self.id_of_bound(bound, links));
        if found.contains(&name) {
            return;
        }
        found.push(name);
        let Some((_, item)) = id.and_then(|id| self.item(id)) else { return };
        let Item::Trait(definition) = &**item.item() else { return };
        for demanded in generics::traits(&definition.supertraits) {
            self.traits_of_bound(&Bound::Path(demanded.clone()), item.links(), found);
        }
    }
}

impl Program<'_> {
    /// The bounds by `From` that a trait demands of what it bounds.
    pub(super) fn conversions_of_bound(&self, bound: &Bound, links: &Links) -> Vec<(&syn::Path, &Links)> {
        let mut found = Vec::new();
        self.add_conversions(bound, links, &mut Vec::new(), &mut found);
        found
    }

    fn add_conversions<'p>(
        &'p self,
        bound: &Bound,
        links: &Links,
        visited: &mut Vec<Id>,
        found: &mut Vec<(&'p syn::Path, &'p Links)>,
    ) {
        let id = self.id_of_bound(bound, links);
        let Some(id) = id.filter(|id| !visited.contains(id)) else { return };
        visited.push(id.clone());
        let Some((_, item)) = self.item(id) else { return };
        let Item::Trait(definition) = &**item.item() else { return };
        for demanded in generics::traits(&definition.supertraits) {
            if demanded.segments.last().is_some_and(|last| last.ident == "From") {
                found.push((demanded, item.links()));
            } else {
                self.add_conversions(&Bound::Path(demanded.clone()), item.links(), visited, found);
            }
        }
    }
}

impl<'a> Program<'a> {
    /// A trait that is called as a path ends, where it is not known what the path means: nobody follows the names of bounds.
    fn trait_written(&self, path: &syn::Path) -> Option<&'a Id> {
        let name = &path.segments.last()?.ident;
        let is_it = |id: &&Id| matches!(&**self.resolved.items[*id].item(), Item::Trait(found) if found.ident == *name);
        self.resolved.ids().find(is_it)
    }
}

/// No path is written so. A trait of the user's may have the name of one of the standard library's.
fn trait_name(id: &Id) -> String {
    if is_standard(id) { id.clone() } else { format!("::{id}") }
}

impl Source {
    /// A kernel.
    #[must_use]
    pub fn kernel(item: Rc<ItemFn>, links: Rc<Links>) -> Self {
        let signature = item.sig.clone();
        Self { role: Role::Kernel, ..Self::free(&signature, Body::Own(item), links) }
    }

    /// The same, of which every launch meets these conditions.
    #[must_use]
    pub fn requiring(self, conditions: Rc<[syn::Expr]>) -> Self {
        Self { conditions, ..self }
    }

    /// The same, with these hints for caches.
    #[must_use]
    pub fn cached(self, caching: Rc<CacheHints>) -> Self {
        Self { caching, ..self }
    }

    /// The same, where races in this do no harm.
    #[must_use]
    pub fn racing(self, racing: Rc<Racing>) -> Self {
        Self { racing, ..self }
    }

    /// A function that is no member of anything.
    fn free(signature: &syn::Signature, body: Body, links: Rc<Links>) -> Self {
        let generics = generics::of_signature(signature);
        Self {
            signature: signature.clone(),
            body,
            links,
            role: Role::Device,
            generics,
            bounded: generics::bounded(&signature.generics),
            own: None,
            conditions: Rc::default(),
            caching: Rc::default(),
            racing: Rc::default(),
        }
    }

    /// A constant that has to be computed, as a function without parameters.
    pub(super) fn constant(name: &syn::Ident, ty: &syn::Type, value: &syn::Expr, links: Rc<Links>) -> Self {
        let item: ItemFn = syn::parse_quote!(fn #name() -> #ty { #value });
        let signature = item.sig.clone();
        Self::free(&signature, Body::Own(Rc::new(item)), links)
    }

    /// What is written before it; nothing before members.
    pub(super) fn attributes(&self) -> &[syn::Attribute] {
        match &self.body {
            Body::Item(item) => match &**item {
                Item::Fn(function) => &function.attrs,
                _ => &[],
            },
            Body::Own(_) | Body::Member(..) => &[],
        }
    }

    /// The `impl` that it is a member of.
    pub(super) fn around(&self) -> Option<&syn::ItemImpl> {
        match &self.body {
            Body::Member(item, _) => match &**item {
                Item::Impl(item) => Some(item),
                _ => None,
            },
            Body::Item(_) | Body::Own(_) => None,
        }
    }

    /// Its body; none if it turns out not to have one.
    pub(super) fn block(&self) -> Option<&syn::Block> {
        match &self.body {
            Body::Own(function) => Some(&function.block),
            Body::Item(item) => match &**item {
                Item::Fn(function) => Some(&function.block),
                _ => None,
            },
            Body::Member(item, position) => match &**item {
                Item::Impl(item) => match item.items.get(*position) {
                    Some(ImplItem::Fn(member)) => Some(&member.block),
                    _ => None,
                },
                Item::Trait(item) => match item.items.get(*position) {
                    Some(TraitItem::Fn(member)) => member.default.as_ref(),
                    _ => None,
                },
                _ => None,
            },
        }
    }
}

/// The id of a member of an `impl` or a trait.
pub(super) fn member_id(owner: &Id, name: &str) -> Id {
    format!("{owner}.{name}")
}
