//! `#[device]`.

use super::item_group::{
    self, Deferred, DeferredItem, Implementation, ItemGroup, ItemGroupState, Listed, Member, TypeWithImpls,
};
use super::linkage::{self, Linkage};
use super::named::Judged;
use super::{
    destructor, element, misplaced, nesting, other_roles, replace_imports, report, spelled_out, target,
};
use crate::chain::{self, Chain, Home, Id, Link, Resolved};
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::infer::{self, Program, Role};
use crate::names::{self, Dependencies};
use crate::rules;
use crate::source::{Named, Place};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::hash::{DefaultHasher, Hash, Hasher};
use syn::ext::IdentExt;
use syn::{Item, ItemFn, Path};

/// Expands `#[device] item`.
#[must_use]
pub fn device(attributes: TokenStream, item: TokenStream, place: &Place) -> TokenStream {
    if let Some(error) = nesting::too_deep(&item) {
        let error = error.to_compile_error();
        return quote!(#error #item);
    }
    let linkage = match Linkage::read(&attributes).transpose() {
        Ok(linkage) => linkage,
        Err(error) => return quote!(#error #item),
    };
    if let Some(linkage) = linkage {
        return match syn::parse2::<Item>(item.clone()) {
            Ok(Item::Fn(function)) => linkage::item(function, &linkage, &item, place),
            Ok(_) => with_error(
                &attributes,
                &item,
                "only a function can be one of another module, or one for others",
                "",
            ),
            Err(error) => error.to_compile_error(),
        };
    }
    let listed = match syn::parse2::<Listed>(attributes.clone()) {
        Ok(listed) => listed.0,
        Err(_) => return with_error(&attributes, &item, ARGUMENTS, ""),
    };
    let parsed = match syn::parse2::<Item>(item.clone()) {
        Ok(parsed) => parsed,
        Err(error) => return error.to_compile_error(),
    };
    // Where an expansion cannot be parsed, rustc says so of what was written.
    let without_macros = rules::expanded(&item).and_then(|tokens| syn::parse2::<Item>(tokens).ok());
    let written = without_macros.as_ref().map(|_| parsed.clone());
    let parsed = without_macros.unwrap_or(parsed);
    let parsed = spelled_out(parsed, &|| place.clone());
    match parsed {
        Item::Struct(_) | Item::Enum(_) | Item::Trait(_) => {
            let listed = if listed.is_empty() { item_group::beside(&parsed, place) } else { listed };
            single(parsed, &item, &listed, place)
        }
        _ if !attributes.is_empty() => {
            with_error(&attributes, &item, "`#[device]` takes no arguments here", "")
        }
        Item::Fn(function) => function_item(function, &item, place),
        Item::Impl(implementation) => impl_item(&implementation, &item, place),
        Item::Const(_) | Item::Type(_) => single(parsed, &item, &[], place),
        Item::Static(definition) => static_item(definition, &item, place),
        Item::Mod(module) if module.content.is_some() => module_item(module, written, &place.within()),
        _ => {
            let help = "write it on an `fn`, `const`, `static`, `struct`, `enum`, `type`, `impl`, `trait`, or a `mod` with a body";
            misplaced(&item, "this cannot be a device item", help)
        }
    }
}

const ARGUMENTS: &str = "the arguments of `#[device]` are `impl` and `impl Trait`, for what the type's `impl`s have, `import = \"name\"`, and `export = \"name\"`";

fn with_error(tokens: &TokenStream, item: &TokenStream, message: &str, help: &str) -> TokenStream {
    let mut error = Diagnostic::new(Code::Attribute, tokens, message);
    if !help.is_empty() {
        error = error.help(help);
    }
    let error = error.to_compile_error();
    quote!(#error #item)
}

pub(super) fn function_item(mut function: ItemFn, tokens: &TokenStream, place: &Place) -> TokenStream {
    let mut errors = other_roles(&mut function.attrs, Role::Device);
    errors.append(infer::form(Role::Device, &function.sig, None));
    errors.append(names::unsupported_in_function(&function));
    match errors.finish(()) {
        Ok(()) => single(Item::Fn(function), tokens, &[], place),
        Err(errors) => refused(&function, &errors),
    }
}

fn static_item(item: syn::ItemStatic, tokens: &TokenStream, place: &Place) -> TokenStream {
    let errors = names::changing_static(&item);
    if errors.is_empty() {
        return single(Item::Static(item), tokens, &[], place);
    }
    let errors = report::errors(&errors, &TokenStream::new());
    let definition = chain::define(&[&item.ident], &id(&item.ident), &item.vis, &chain::poisoned());
    quote!(#tokens const _: () = { #errors }; #definition)
}

/// An item by itself, with those of its `impl`s that are listed.
fn single(item: Item, tokens: &TokenStream, listed: &[Implementation], place: &Place) -> TokenStream {
    let Some(name) = names::item_name(&item).cloned() else { return tokens.clone() };
    let definition = names::definition_name(&name);
    let visibility = item_group::visibility(&item);
    let is_type = matches!(item, Item::Struct(_) | Item::Enum(_) | Item::Trait(_));
    let visible: Vec<Ident> = match (is_type, listed.is_empty()) {
        (false, _) => vec![name.clone()],
        (true, true) => vec![name.clone(), definition.clone(), names::whole_name(&name)],
        (true, false) => vec![definition.clone()],
    };
    let is_function = matches!(item, Item::Fn(_));
    let (seen_item, seen) = replace_imports(item.clone(), tokens);
    let judged = Judged::of(&seen_item, place);
    if judged.is_refused() {
        let (refused, beside) = judged.refused(&item, tokens);
        let poisoned = |id: &Id, names: &[&Ident]| chain::define(names, id, &visibility, &chain::poisoned());
        let definition = match listed.is_empty() {
            true => poisoned(&id(&name), &visible.iter().collect::<Vec<_>>()),
            false => {
                let joined = poisoned(&id(&definition), &[&name, &names::whole_name(&name)]);
                let own = poisoned(&id(&name), &[&definition]);
                quote!(#own #joined)
            }
        };
        return quote!(#refused #beside #definition);
    }
    let (seen_item, seen) = judged.imported(seen_item, seen);
    let beside = beside(&item);
    let mut group = ItemGroup::standing_in(place);
    group.add(id(&name), &visible, visibility.clone(), seen_item.clone(), seen);
    group.add_local_items(&seen_item);
    let dependencies = judged.dependencies(&group, place);
    let aliases = group.aliases(&dependencies);
    let chain = group.start(&target(), &dependencies, &aliases);
    let tokens = if is_function { &with_inside(tokens, &aliases.inside) } else { tokens };
    if listed.is_empty() {
        return quote!(#tokens #beside #chain);
    }
    let errors = item_group::missing(&name, listed, place);
    if !errors.is_empty() {
        let errors = report::errors(&errors, &TokenStream::new());
        let errors = quote!(const _: () = { #errors };);
        let whole = names::whole_name(&name);
        let joined = chain::define(&[&name, &whole], &id(&definition), &visibility, &chain::poisoned());
        return quote!(#tokens #beside #chain #errors #joined);
    }
    let joined = item_group::join(&name, &id(&definition), &visibility, listed, &target());
    quote!(#tokens #beside #chain #joined)
}

/// A function with these items at the start of its body, unless that begins with attributes.
pub(super) fn with_inside(function: &TokenStream, items: &TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = function.clone().into_iter().collect();
    if let Some(TokenTree::Group(body)) = tokens.last_mut() {
        let mut start = body.stream().into_iter();
        let mut is = |sign| matches!(start.next(), Some(TokenTree::Punct(next)) if next.as_char() == sign);
        let has_attributes = is('#') && is('!');
        if !items.is_empty() && !has_attributes {
            let (span, stream) = (body.span(), body.stream());
            *body = Group::new(body.delimiter(), quote!(#items #stream));
            body.set_span(span);
        }
    }
    tokens.into_iter().collect()
}

/// What stands beside a type for the host: that both can share it, and what a device could not do with it.
fn beside(item: &Item) -> TokenStream {
    let element = match item {
        Item::Struct(item) => element::implementation(item),
        _ => None,
    };
    let destructor = destructor::refused(item);
    quote!(#element #destructor)
}

fn impl_item(item: &syn::ItemImpl, tokens: &TokenStream, place: &Place) -> TokenStream {
    let errors = item_group::impl_errors(item);
    if !errors.is_empty() {
        let errors = report::errors(&errors, &TokenStream::new());
        return quote!(#tokens const _: () = { #errors };);
    }
    let name = Implementation::of(item).macro_name();
    let visibility = syn::parse_quote!(pub(crate));
    let (seen_item, seen_tokens) = replace_imports(Item::Impl(item.clone()), tokens);
    let judged = Judged::of(&seen_item, place);
    if judged.is_refused() {
        let (refused, beside) = judged.refused(&Item::Impl(item.clone()), tokens);
        let definition = chain::define(&[&name], &id(&name), &visibility, &chain::poisoned());
        return quote!(#refused #beside #definition);
    }
    if let Some(lister) = names::lister(item)
        && let Some(is_said) = place.is_elsewhere(lister)
    {
        let error = (!is_said).then(|| apart(lister));
        let definition = chain::define(&[&name], &id(&name), &visibility, &chain::poisoned());
        return quote!(#tokens #error #definition);
    }
    let (seen_item, seen_tokens) = judged.imported(seen_item, seen_tokens);
    let mut group = ItemGroup::standing_in(place);
    group.add(id(&name), &[name], visibility, seen_item.clone(), seen_tokens);
    group.add_local_items(&seen_item);
    let mut dependencies = judged.dependencies(&group, place);
    let chain = match names::lister(item) {
        Some(lister) => {
            dependencies.define_lister(lister);
            group.deferred = deferred(&mut dependencies, place, item.impl_token.span);
            group.start_of_impl(&target(), &dependencies, lister)
        }
        None => group.start(&target(), &dependencies, &group.aliases(&dependencies)),
    };
    quote!(#tokens #chain)
}

/// The error for an `impl` that its type, or its trait, does not see.
fn apart(lister: &Path) -> TokenStream {
    let shown = lister.to_token_stream();
    let message =
        format!("this `impl` stands in another module than `{shown}`, so device code does not see it");
    let error =
        Diagnostic::new(Code::UnknownPath, lister, message).help(format!("write it beside `{shown}`"));
    let error = error.to_compile_error();
    quote!(const _: () = { #error };)
}

/// Takes out of what an `impl` names that leads back to it, such as a function that takes the type: its macro waits for the type, and the type for the `impl`.
fn deferred(dependencies: &mut Dependencies, place: &Place, span: Span) -> Option<Deferred> {
    let at = Ident::new("at", span);
    home(&at)?;
    let lister = dependencies.clone();
    let taken = dependencies.take_out(|path| !lister.is_lister(path) && place.leads_back(path).is_some());
    let later = |path: &Path| {
        let Named { name, position, lists } = place.leads_back(path)?;
        let id = id_at(name, &span.file(), &position);
        let macro_id = match lists {
            true => id_at(&format!("__type_{name}"), &span.file(), &position),
            false => id.clone(),
        };
        Some(DeferredItem { key: names::key(path), listed: chain::asked_as_whole(&macro_id, &id), id })
    };
    let items: Vec<_> = taken.iter().filter_map(later).collect();
    (!items.is_empty()).then_some(Deferred { at, items })
}

/// A module: its items know each other, so that one chain does for all of them.
/// A module; `original` is that with the macros that it defines, if there are any.
fn module_item(mut module: syn::ItemMod, original: Option<Item>, place: &Place) -> TokenStream {
    let mut group = ItemGroup::default();
    let mut errors = Diagnostics::default();
    let mut written = module.content.take().map_or_else(Vec::new, |(_, items)| items);
    let (items, exports) = linkage::members(&mut written, &mut errors);
    let (mut replaced, mut beside_refused) = (Vec::new(), TokenStream::new());
    for names::Member { at, module, item } in names::members(&items) {
        let judged = Judged::of(&item, place);
        // What is wrong with an item in a body is wrong with what has the body.
        if let Some(at) = &at {
            errors.append(member_errors(&item));
            if judged.is_refused()
                && let Some(written) = names::item_at(&mut written, at)
            {
                let (refused, beside) = judged.refused(written, &written.to_token_stream());
                replaced.push((at.clone(), Item::Verbatim(refused)));
                beside_refused.extend(beside);
            }
        }
        let (item, _) = judged.imported(item, TokenStream::new());
        group.add_member(&item, &module, at.is_none());
    }
    let original = original.filter(|_| replaced.is_empty()).and_then(items_of);
    if let Some(original) = original {
        written = original;
        // What is wrong with them has been found in the items without macros.
        linkage::members(&mut written, &mut Diagnostics::default());
    }
    inner_macros(&mut written, 1);
    let content = match errors.finish(()) {
        Ok(()) if !replaced.is_empty() => {
            for (at, refused) in replaced {
                names::item_at(&mut written, &at).into_iter().for_each(|item| *item = refused.clone());
            }
            let definitions = group.define(|_| chain::poisoned());
            quote!(#beside_refused #definitions)
        }
        Ok(()) => {
            let dependencies = group.dependencies_in(place);
            let chain = group.start(&target(), &dependencies, &group.aliases(&dependencies));
            let beside = items.iter().map(beside);
            quote!(#chain #(#beside)*)
        }
        Err(errors) => {
            let errors = report::errors(&errors, &TokenStream::new());
            let definitions = group.define(|_| chain::poisoned());
            quote!(const _: () = { #errors }; #definitions)
        }
    };
    let syn::ItemMod { attrs, vis, unsafety, mod_token, ident, .. } = &module;
    let (inner, outer): (Vec<_>, Vec<_>) =
        attrs.iter().partition(|attribute| matches!(attribute.style, syn::AttrStyle::Inner(_)));
    let written = names::with_whole_macro_paths(quote!(#(#written)*), &|name| group.has_function(name));
    quote!(#(#outer)* #vis #unsafety #mod_token #ident { #(#inner)* #written #exports #content })
}

fn items_of(module: Item) -> Option<Vec<Item>> {
    match module {
        Item::Mod(syn::ItemMod { content: Some((_, items)), .. }) => Some(items),
        _ => None,
    }
}

/// What can be judged of an item of a module without knowing what names mean.
fn member_errors(item: &Item) -> Diagnostics {
    match item {
        Item::Impl(item) => item_group::impl_errors(item),
        Item::Fn(function) => {
            let mut errors = infer::form(Role::Device, &function.sig, None);
            errors.append(names::unsupported_in_body(item));
            errors
        }
        _ => names::unsupported_in_body(item),
    }
}

/// Gives the items of inner modules what stands beside them, and macros of their names: those that the outermost module, so many modules further out,
/// has by other names.
fn inner_macros(items: &mut [Item], depth: usize) {
    let inner: Vec<usize> = names::inner(items).map(|(position, _)| position).collect();
    for position in inner {
        let Item::Mod(syn::ItemMod { content: Some((_, items)), .. }) = &mut items[position] else {
            continue;
        };
        let out = std::iter::repeat_n(quote!(super), depth);
        let out = quote!(#(#out)::*);
        let imports = items.iter().filter_map(|item| {
            let (name, visibility) = (names::item_name(item)?, item_group::visibility(item));
            let outer = item_group::outer_name(name);
            let beside = beside(item);
            Some(quote! {
                #[doc(hidden)]
                #[allow(unused_imports)]
                #visibility use #out::#outer as #name;
                #beside
            })
        });
        let imports = imports.collect::<TokenStream>();
        inner_macros(items, depth + 1);
        items.push(Item::Verbatim(imports));
    }
}

/// A function with errors in its declaration. Its own body stands around them, where they can stand wherever the function can; what
/// calls it is told that they have been reported.
pub(super) fn refused(function: &ItemFn, errors: &Diagnostics) -> TokenStream {
    let errors = report::errors(errors, &TokenStream::new());
    let ItemFn { attrs, vis, sig, block, .. } = function;
    let host = quote!(#(#attrs)* #vis #sig { #errors #block });
    let definition = chain::define(&[&sig.ident], &id(&sig.ident), vis, &chain::poisoned());
    quote!(#host #definition)
}

/// An identifier that no other device item has.
///
/// It depends on where the item is defined, so that it is the same in every build of the same source; the span's own form tells apart what one
/// macro expands to at one place.
pub(super) fn id(name: &Ident) -> Id {
    let (span, text) = (name.span(), name.unraw().to_string());
    if is_written(span) {
        let start = span.start();
        return id_at(&text, &span.file(), &(start.line, start.column));
    }
    id_at(&text, &span.file(), &format!("{span:?}"))
}

/// The same for what has this name and stands there.
fn id_at(name: &str, file: &str, position: &impl Hash) -> Id {
    let mut hasher = crate_hasher();
    file.hash(&mut hasher);
    position.hash(&mut hasher);
    format!("{name}_{:016x}", hasher.finish())
}

/// Returns whether no macro has made what stands there.
fn is_written(span: Span) -> bool {
    format!("{span:?}").starts_with("#0 ")
}

/// The crate of an item with this name; nothing where that is not certain. The name may be of a macro's making, and that macro of another crate.
fn home(name: &Ident) -> Option<Home> {
    let span = name.span();
    home_key().filter(|_| is_written(span)).map(|key| Home { key, span })
}

/// What no other crate of the program has; nothing if Cargo does not say.
pub(super) fn home_key() -> Option<String> {
    std::env::var_os(CRATE_NAME)?;
    Some(format!("{:016x}", crate_hasher().finish()))
}

const CRATE_NAME: &str = "CARGO_CRATE_NAME";

/// A hasher that has been told which crate this is.
fn crate_hasher() -> DefaultHasher {
    let mut hasher = DefaultHasher::new();
    for variable in ["CARGO_PKG_NAME", "CARGO_PKG_VERSION", CRATE_NAME] {
        std::env::var(variable).unwrap_or_default().hash(&mut hasher);
    }
    hasher
}

/// The end of the chain of device items: their errors, and the macros through which others see them.
pub(super) fn finish(chain: &Chain, ItemGroupState { keys, group }: ItemGroupState) -> TokenStream {
    let mut resolved = chain.resolve(keys);
    if resolved.is_poisoned() {
        return group.define(|_| chain::poisoned());
    }
    group.join(&mut resolved);
    let errors = match errors(chain, &group, &resolved, false) {
        Ok(errors) => errors,
        Err(fetched) => return fetched,
    };
    if !errors.is_empty() {
        let definitions = group.define(|_| chain::poisoned());
        return quote!(#errors #definitions);
    }
    define(&group, &resolved)
}

/// The end of the chain of an `impl` that may be listed: the macro through which the type or trait that lists it sees it. What the other `impl`s
/// have that are listed there is not known before that, so the body is checked by a second chain, which goes on with what this one has found.
pub(super) fn finish_impl(chain: &Chain, whole: &TokenStream, state: ItemGroupState) -> TokenStream {
    let ItemGroupState { mut keys, group } = state;
    let mut resolved = chain.resolve(keys.clone());
    if resolved.is_poisoned() {
        return group.define(|_| chain::poisoned());
    }
    group.join(&mut resolved);
    let definition = define(&group, &resolved);
    keys.push(String::new());
    let second = chain.further(whole, &target(), &group.state(&quote!(checked), &keys));
    quote!(#definition #second)
}

/// The end of the second chain: the errors in the `impl`.
pub(super) fn finish_check(chain: &Chain, ItemGroupState { keys, group }: ItemGroupState) -> TokenStream {
    let mut resolved = chain.resolve(keys);
    if resolved.is_poisoned() {
        return TokenStream::new();
    }
    group.join(&mut resolved);
    errors(chain, &group, &resolved, true).unwrap_or_else(|fetched| fetched)
}

/// The errors in device items, or what asks for all that they might need first. If nothing waits for them any more, they may wait for everything.
fn errors(
    chain: &Chain,
    group: &ItemGroup,
    resolved: &Resolved,
    may_wait: bool,
) -> Result<TokenStream, TokenStream> {
    let program = Program::new(resolved);
    let mut errors = TokenStream::new();
    for member in &group.members {
        let links = program.resolved().items[&member.id].links();
        if let Err(diagnostics) = infer::device_item(&program, &member.id, &member.item, links) {
            let diagnostics = report::errors(&diagnostics, &member.accepted());
            errors.extend(quote!(const _: () = { #diagnostics };));
        }
    }
    // What is far away is looked at rarely: a type in a type, or what is behind an `impl Trait`.
    let missed = resolved.missed();
    if (!missed.is_empty() || !errors.is_empty())
        && let Some(first) = group.members.first()
        && let Some(fetched) = chain.fetch(
            &format!("{}_", first.id),
            home_key().as_deref(),
            &target(),
            (!may_wait).then_some(&missed),
        )
    {
        return Err(fetched);
    }
    Ok(errors)
}

/// The macros of device items without errors.
fn define(group: &ItemGroup, resolved: &Resolved) -> TokenStream {
    // The chain of a single item has led to nothing but what that item refers to.
    let is_single = group.members.len() == 1;
    let deferred = group.deferred.as_ref().map(|deferred| &deferred.at);
    let home = deferred.or_else(|| group.members.iter().find_map(Member::name)).and_then(home);
    let home = home.as_ref();
    group.define(|id| match is_single {
        true => chain::handed_with_all(id, resolved, home),
        false => chain::handed(id, resolved, home),
    })
}

/// The end of the chain of a type whose `impl`s are listed: the macros that hand out all of them, of which that for others tells them of errors.
pub(super) fn finish_joined(chain: &Chain, joined: TypeWithImpls) -> TokenStream {
    let TypeWithImpls { keys, id, name, visibility } = joined;
    let (first, others) =
        keys.split_first().map_or_else(Default::default, |(first, rest)| (first.clone(), rest.to_vec()));
    let resolved = chain.resolve(keys);
    let whole = names::whole_name(&name);
    let Some(Link::Device(own)) = resolved.links.get(&first).filter(|_| !resolved.is_poisoned()) else {
        return chain::define(&[&name, &whole], &id, &visibility, &chain::poisoned());
    };
    let program = Program::new(&resolved);
    let is_right = |key: &String| match resolved.links.get(key) {
        Some(Link::Device(id)) => {
            let item = &resolved.items[id];
            infer::device_item(&program, id, item.item(), item.links()).is_ok()
        }
        _ => true,
    };
    // What leads back to the type waits for it, so it is looked at after that, where the `impl` is.
    let is_right = resolved.has_deferred() || others.iter().all(is_right);
    let missed = resolved.missed();
    if (!missed.is_empty() || !is_right)
        && let Some(fetched) = chain.fetch(&format!("{id}_"), home_key().as_deref(), &target(), Some(&missed))
    {
        return fetched;
    }
    let handed = chain::handed_by_joined(own, &resolved, home(&name).as_ref());
    if is_right {
        return chain::define(&[&name, &whole], &id, &visibility, &handed);
    }
    let for_others = chain::define(&[&name], &id, &visibility, &chain::poisoned());
    let for_own = chain::define(&[&whole], &format!("{id}_whole"), &visibility, &handed);
    quote!(#for_others #for_own)
}
