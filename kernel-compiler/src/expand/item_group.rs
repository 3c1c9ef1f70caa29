//! Device items that are defined together and know each other: a module, or an item by itself.

use super::report;
use crate::chain::{self, Aliases, DeviceItem, Id, Link, Links, Reader, Resolved};
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::infer::{self, Owner, Program, Role};
use crate::names::{self, Dependencies};
use crate::source::{Found, Place};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::rc::Rc;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{ImplItem, Item, Path, Token, Type, Visibility};

/// The items.
#[derive(Default)]
pub(super) struct ItemGroup {
    /// What they stand in.
    place: Place,
    /// What leads back to them, if they are an `impl`.
    pub(super) deferred: Option<Deferred>,
    pub(super) members: Vec<Member>,
}

/// An item.
pub(super) struct Member {
    pub(super) id: Id,
    /// The names of the macro that hands it out; an `impl` in a module has none.
    names: Vec<Ident>,
    visibility: Visibility,
    /// The names of the modules around it, if it stands in a module of the group.
    module: Vec<Ident>,
    pub(super) item: Rc<Item>,
    pub(super) tokens: TokenStream,
}

impl ItemGroup {
    /// No items, but where they will stand.
    pub(super) fn standing_in(place: &Place) -> Self {
        Self { place: place.clone(), ..Self::default() }
    }

    pub(super) fn add(
        &mut self,
        id: Id,
        names: &[Ident],
        visibility: Visibility,
        item: Item,
        tokens: TokenStream,
    ) {
        let (names, module, item) = (names.to_vec(), Vec::new(), Rc::new(item));
        self.members.push(Member { id, names, visibility, module, item, tokens });
    }

    /// Adds the items in the bodies of one that has been added.
    pub(super) fn add_local_items(&mut self, of: &Item) {
        for names::Member { module, item, .. } in names::local_items(of) {
            self.add_member(&item, &module, true);
        }
    }

    /// Adds an item of a module, or one that is local to a body; what device code cannot use is the host's alone.
    pub(super) fn add_member(&mut self, item: &Item, module: &[Ident], is_local: bool) {
        let tokens = item.to_token_stream();
        let count = self.members.len();
        match (item, names::item_name(item)) {
            (Item::Impl(implementation), _) => {
                let id = super::device::id(&Implementation::of(implementation).macro_name());
                let id = format!("{id}_{}", self.members.len());
                self.add(id, &[], Visibility::Inherited, item.clone(), tokens);
            }
            (_, Some(name)) => {
                let (names, visibility) = match module {
                    _ if is_local => (Vec::new(), Visibility::Inherited),
                    [] => (vec![name.clone()], visibility(item)),
                    _ => (vec![outer_name(name)], outer_visibility(item)),
                };
                self.add(super::device::id(name), &names, visibility, item.clone(), tokens);
            }
            _ => {}
        }
        for added in &mut self.members[count..] {
            added.module = module.to_vec();
        }
    }

    /// What the items refer to, other than each other. Functions that are used as values are among it as far as the file shows these.
    pub(super) fn dependencies_in(&self, place: &Place) -> Dependencies {
        let mut dependencies = self.dependencies();
        dependencies.look_up_functions(|path| place.may_be_device_item(path));
        dependencies
    }

    fn dependencies(&self) -> Dependencies {
        Dependencies::of_members(self.members.iter().map(|member| (&*member.item, &member.module[..])))
    }

    /// Returns whether one of them is a function of this name.
    pub(super) fn has_function(&self, name: &str) -> bool {
        self.members.iter().any(|member| match &*member.item {
            Item::Fn(function) => function.sig.ident == name,
            _ => false,
        })
    }

    /// Other names for what they refer to.
    pub(super) fn aliases(&self, dependencies: &Dependencies) -> Aliases {
        // A module is its own scope; what stands by itself is told apart by its name.
        let user = match &self.members[..] {
            [Member { names, .. }, locals @ ..] if locals.iter().all(|local| local.names.is_empty()) => {
                names.first().map_or_else(String::new, |name| name.unraw().to_string())
            }
            _ => "module".to_owned(),
        };
        Aliases::for_item(dependencies, &user, &self.place)
    }

    /// The chain that finds what they refer to.
    pub(super) fn start(
        &self,
        target: &TokenStream,
        dependencies: &Dependencies,
        aliases: &Aliases,
    ) -> TokenStream {
        chain::start_of_items(aliases, target, &self.state(&quote!(device), &dependencies.keys()))
    }

    /// The same for an `impl` that `lister` may list.
    pub(super) fn start_of_impl(
        &self,
        target: &TokenStream,
        dependencies: &Dependencies,
        lister: &Path,
    ) -> TokenStream {
        let whole = names::path_to(lister, names::whole_name);
        let state = self.state(&quote!(implementation [#whole]), &dependencies.keys());
        chain::start_of_items(&self.aliases(dependencies), target, &state)
    }

    /// The state of a chain of these items, after what it begins with.
    pub(super) fn state(&self, begin: &TokenStream, keys: &[String]) -> TokenStream {
        let members = self.members.iter().map(|member| {
            let Member { id, names, visibility, module, tokens, .. } = member;
            let id = Ident::new(id, names.first().map_or_else(proc_macro2::Span::call_site, Ident::span));
            quote!({ #id [#(#names)*] [#visibility] [#(#module)*] { #tokens } })
        });
        let deferred = self.deferred.iter().map(Deferred::tokens);
        quote!(#begin [#(#keys)*] [#(#deferred)*] #(#members)*)
    }

    /// Adds the items to what they refer to.
    pub(super) fn join(&self, resolved: &mut Resolved) {
        for DeferredItem { key, id, listed } in self.deferred.iter().flat_map(|deferred| &deferred.items) {
            resolved.defer(key.clone(), id.clone(), listed.clone());
        }
        let mut links = resolved.links.clone();
        self.link(&mut links);
        for member in &self.members {
            let links = member.own_links(&links);
            let item = DeviceItem::new(&member.id, member.item.clone(), &member.tokens, &links);
            resolved.put(member.id.clone(), item);
        }
    }

    /// Adds what the names of the items mean among themselves.
    pub(super) fn link(&self, links: &mut Links) {
        for member in &self.members {
            if let Some(name) = names::item_name(&member.item) {
                let key = names::key_in(&member.module, name);
                links.insert(format!("self::{key}"), Link::Device(member.id.clone()));
                links.insert(key, Link::Device(member.id.clone()));
            }
        }
    }

    /// The errors in the items of a program.
    pub(super) fn errors(&self, program: &Program<'_>) -> Diagnostics {
        let mut errors = Diagnostics::default();
        for member in &self.members {
            let links = program.resolved().items[&member.id].links();
            if let Err(found) = infer::device_item(program, &member.id, &member.item, links) {
                errors.append(found);
            }
        }
        errors
    }

    /// The macros of the items.
    pub(super) fn define(&self, handed: impl Fn(&Id) -> chain::Handed) -> TokenStream {
        self.members
            .iter()
            .map(|member| {
                let names: Vec<_> = member.names.iter().collect();
                chain::define(&names, &member.id, &member.visibility, &handed(&member.id))
            })
            .collect()
    }
}

impl Member {
    /// The name that it is known by.
    pub(super) fn name(&self) -> Option<&Ident> {
        self.names.first()
    }

    /// Its code, for rustc to judge; nothing where it cannot stand beside the group, since names or who can see them are others where it stands.
    pub(super) fn accepted(&self) -> TokenStream {
        if self.module.is_empty() { report::accepted(&self.item) } else { TokenStream::new() }
    }

    /// What the paths in the item mean, out of what all paths in its group mean.
    fn own_links(&self, links: &Links) -> Rc<Links> {
        let dependencies = Dependencies::of_member(&self.item);
        let mut keys = dependencies.keys();
        keys.extend(dependencies.functions_as_values().cloned());
        // An alias such as `Result<T>` may have the name of what every module has.
        keys.extend(names::standard_names().chain(names::host_only_names()).map(str::to_owned));
        if let Some(name) = names::item_name(&self.item) {
            keys.extend([name.to_string(), format!("self::{name}")]);
        }
        Rc::new(
            keys.into_iter()
                .filter_map(|key| links.get_key_value(&key))
                .map(|(key, link)| (key.clone(), link.clone()))
                .collect(),
        )
    }
}

/// What an `impl` names that leads back to it, and is asked for when it is looked at.
pub(super) struct Deferred {
    /// A token of the `impl`'s own.
    pub(super) at: Ident,
    pub(super) items: Vec<DeferredItem>,
}

/// An item that is known by its id alone.
pub(super) struct DeferredItem {
    /// The key of the path that names it.
    pub(super) key: String,
    pub(super) id: Id,
    /// How a list of far items has it.
    pub(super) listed: String,
}

impl Deferred {
    fn tokens(&self) -> TokenStream {
        let Self { at, items } = self;
        let items = items.iter().map(|DeferredItem { key, id, listed }| quote!([#key #id #listed]));
        quote!(#at #(#items)*)
    }

    fn read(mut reader: Reader) -> Option<Self> {
        let at = reader.name()?;
        let later = |mut item: Reader| {
            Some(DeferredItem { key: item.literal()?, id: item.literal()?, listed: item.literal()? })
        };
        Some(Self { at, items: reader.groups().filter_map(later).collect() })
    }
}

/// The state of a group's chain, after the word `device`.
pub(super) struct ItemGroupState {
    /// The keys of the paths that the chain was started with.
    pub(super) keys: Vec<String>,
    pub(super) group: ItemGroup,
}

impl ItemGroupState {
    pub(super) fn read(mut reader: Reader) -> Option<Self> {
        let keys = reader.literals()?;
        let deferred = Deferred::read(Reader::new(reader.group()?));
        let mut group = ItemGroup { deferred, ..ItemGroup::default() };
        for mut member in reader.groups() {
            let id = member.name()?.to_string();
            let names: Vec<_> = Reader::new(member.group()?).names().collect();
            let visibility = syn::parse2(member.group()?).ok()?;
            let module = Reader::new(member.group()?).names().collect();
            let tokens = member.group()?;
            let item = Rc::new(syn::parse2(tokens.clone()).ok()?);
            group.members.push(Member { id, names, visibility, module, item, tokens });
        }
        Some(Self { keys, group })
    }
}

/// The name by which the outermost module of a group knows the macro of an item in an inner one.
pub(super) fn outer_name(name: &Ident) -> Ident {
    format_ident!("__inner_{}", super::device::id(name), span = name.span())
}

/// Who can see that macro: those who can see the item, and the modules in between.
fn outer_visibility(item: &Item) -> Visibility {
    match visibility(item) {
        visible @ Visibility::Public(_) => visible,
        _ => syn::parse_quote!(pub(crate)),
    }
}

/// Who can see an item.
pub(super) fn visibility(item: &Item) -> Visibility {
    match item {
        Item::Fn(item) => item.vis.clone(),
        Item::Const(item) => item.vis.clone(),
        Item::Static(item) => item.vis.clone(),
        Item::Struct(item) => item.vis.clone(),
        Item::Enum(item) => item.vis.clone(),
        Item::Trait(item) => item.vis.clone(),
        Item::Type(item) => item.vis.clone(),
        _ => Visibility::Inherited,
    }
}

/// The errors in the declarations of the members of an `impl`.
pub(super) fn impl_errors(item: &syn::ItemImpl) -> Diagnostics {
    let mut errors = names::unsupported_in_impl(item);
    let own = Owner::Type(Rc::new((*item.self_ty).clone()));
    for member in &item.items {
        if let ImplItem::Fn(member) = member {
            errors.append(infer::form(Role::Device, &member.sig, Some(&own)));
        }
    }
    errors
}

/// The `impl`s that `#[device(…)]` lists: `impl` and `impl Trait`, and, on a trait, `impl Trait for Type`.
pub(super) struct Listed(pub(super) Vec<Implementation>);

/// An `impl`, by what it is of and for.
pub(super) struct Implementation {
    /// The word `impl`.
    at: Token![impl],
    of: Option<Path>,
    own: Option<Type>,
}

impl Parse for Listed {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self(Punctuated::<Implementation, Token![,]>::parse_terminated(input)?.into_iter().collect()))
    }
}

impl Parse for Implementation {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let at = input.parse()?;
        if input.parse::<Option<Token![for]>>()?.is_some() {
            return Ok(Self { at, of: None, own: Some(input.parse()?) });
        }
        let of = if input.is_empty() || input.peek(Token![,]) { None } else { Some(input.parse()?) };
        Ok(Self { at, of, own: None })
    }
}

impl Implementation {
    pub(super) fn of(item: &syn::ItemImpl) -> Self {
        let of = item.trait_.as_ref().map(|(path, _)| path.clone());
        Self { at: item.impl_token, of, own: Some((*item.self_ty).clone()) }
    }

    /// The name of the macro that hands it out.
    pub(super) fn macro_name(&self) -> Ident {
        let own = self.own.as_ref().map(head_of_type).unwrap_or_default();
        // Where rustc does not find it, the name says what to do.
        let what = match &self.of {
            Some(of) => format!("{}_for_{own}", mangled(&of.segments.last().to_token_stream())),
            None => own,
        };
        format_ident!("__impl_{what}_marked_device_here_or_all_in_one_device_mod")
    }

    /// Its first words.
    fn shown(&self) -> String {
        let own = &self.own;
        let shown = match &self.of {
            Some(of) => quote!(impl #of for #own),
            None => quote!(impl #own),
        };
        shown.to_string().replace(" :: ", "::").replace(" < ", "<").replace(" >", ">")
    }

    /// With the type or trait that lists it filled in.
    fn on(&self, name: &Ident, is_trait: bool) -> Self {
        let name = Path::from(name.clone());
        if is_trait {
            return Self { at: self.at, of: Some(name), own: self.own.clone() };
        }
        let own = Type::Path(syn::TypePath { attrs: Vec::new(), qself: None, path: name });
        Self { at: self.at, of: self.of.clone(), own: Some(own) }
    }
}

/// The `impl`s that a type or a trait lists whose attribute says none: those beside it.
pub(super) fn beside(item: &Item, place: &Place) -> Vec<Implementation> {
    let is_trait = matches!(item, Item::Trait(_));
    let listed = place.impls_beside().into_iter().map(|found| {
        let Implementation { at, of, own } = Implementation::of(&found);
        match is_trait {
            true => Implementation { at, of: None, own },
            false => Implementation { at, of, own: None },
        }
    });
    listed.collect()
}

/// The errors for listed `impl`s that are not there.
pub(super) fn missing(name: &Ident, listed: &[Implementation], place: &Place) -> Diagnostics {
    let mut errors = Diagnostics::default();
    for implementation in listed {
        let full = implementation.on(name, implementation.own.is_some());
        let wanted = full.macro_name();
        let (message, help) = match place.find_impl(|item| Implementation::of(item).macro_name() == wanted) {
            Found::Beside | Found::Unknown => continue,
            Found::Elsewhere => (
                format!(
                    "`{}` stands in another module than `{name}`, which does not see it there",
                    full.shown()
                ),
                format!("write it beside `{name}`"),
            ),
            Found::Nowhere => (
                format!("no `{}` with `#[device]` stands beside `{name}`", full.shown()),
                "write `#[device]` on the `impl`, or take it off the list".to_owned(),
            ),
        };
        errors.push(Diagnostic::new(Code::UnknownPath, &implementation.at, message).help(help));
    }
    errors
}

/// The last name of a type, without generic arguments.
fn head_of_type(ty: &Type) -> String {
    match ty {
        Type::Path(path) => {
            path.path.segments.last().map(|last| last.ident.unraw().to_string()).unwrap_or_default()
        }
        other => mangled(&other.to_token_stream()),
    }
}

/// The letters and digits of some tokens.
fn mangled(tokens: &TokenStream) -> String {
    tokens.to_string().chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect()
}

/// The chain that joins a type and the `impl`s that it lists.
pub(super) fn join(
    name: &Ident,
    id: &Id,
    visibility: &Visibility,
    listed: &[Implementation],
    target: &TokenStream,
) -> TokenStream {
    let mut dependencies = Dependencies::default();
    dependencies.add_hidden(names::definition_name(name));
    for implementation in listed {
        let mut hidden = implementation.on(name, implementation.own.is_some()).macro_name();
        hidden.set_span(name.span());
        dependencies.add_hidden(hidden);
    }
    let (keys, id) = (dependencies.keys(), Ident::new(id, name.span()));
    chain::start(&dependencies, target, &quote!(joined [#(#keys)*] #id #name [#visibility]))
}

/// The state of such a chain, after the word `joined`.
pub(super) struct TypeWithImpls {
    /// The keys of the paths that the chain was started with: the type or trait, then its `impl`s.
    pub(super) keys: Vec<String>,
    pub(super) id: Id,
    pub(super) name: Ident,
    pub(super) visibility: Visibility,
}

impl TypeWithImpls {
    pub(super) fn read(mut reader: Reader) -> Option<Self> {
        let (keys, id, name) = (reader.literals()?, reader.name()?.to_string(), reader.name()?);
        Some(Self { keys, id, name, visibility: syn::parse2(reader.group()?).ok()? })
    }
}
