//! The items of a device module, those of the modules in it among them.
//!
//! All of them are one unit, and each is known by its path from the outermost module. So the paths in an item of an inner module, which start there, are
//! replaced by such paths, and so is what its `use` declarations bring in. What leads out of the unit stays a path from the outermost module.

use super::imports::{self, Imports};
use super::{item_name, locals};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Item, ItemMod, Path, PathArguments, PathSegment};

/// An item of a device module or of one in it.
pub(crate) struct Member {
    /// Its position, after those of the modules around it; none for one in a body.
    pub(crate) at: Option<Vec<usize>>,
    /// The names of these modules, from the outermost one on; for one in a body, of what its block is.
    pub(crate) module: Vec<Ident>,
    /// The item, in which paths start from the outermost module.
    pub(crate) item: Item,
}

/// The items of a module and of those in it.
pub(crate) fn members(items: &[Item]) -> Vec<Member> {
    let mut found = Vec::new();
    add_members(&Tree { items }, &mut Vec::new(), &mut Vec::new(), &mut found);
    found
}

/// The modules with a body among some items, with their positions; those that have attributes of their own are not part of what is around them.
pub(crate) fn inner(items: &[Item]) -> impl Iterator<Item = (usize, &ItemMod)> {
    items.iter().enumerate().filter_map(|(position, item)| match item {
        Item::Mod(module) if module.content.is_some() && module.attrs.iter().all(is_harmless) => {
            Some((position, module))
        }
        _ => None,
    })
}

/// The item at a position among these items.
pub(crate) fn item_at<'i>(items: &'i mut [Item], at: &[usize]) -> Option<&'i mut Item> {
    let (first, rest) = at.split_first()?;
    let item = items.get_mut(*first)?;
    if rest.is_empty() {
        return Some(item);
    }
    match item {
        Item::Mod(module) => item_at(&mut module.content.as_mut()?.1, rest),
        _ => None,
    }
}

/// Returns whether an attribute is one of documentation or of lints.
fn is_harmless(attribute: &Attribute) -> bool {
    ["doc", "allow", "warn", "deny", "expect"].iter().any(|name| attribute.path().is_ident(name))
}

fn add_members(tree: &Tree<'_>, module: &mut Vec<Ident>, at: &mut Vec<usize>, found: &mut Vec<Member>) {
    let Some(items) = tree.module(module) else { return };
    let names_of = |path: &Path| tree.visible_names(module, path);
    let spelled: Vec<_> = items.iter().map(|item| super::spelled_out(item, &names_of)).collect();
    let spelled = spelled.iter().zip(items).map(|(spelled, item)| spelled.as_ref().unwrap_or(item));
    let items_here = imports::without_imports_of(spelled, tree.names(module), Scope { tree, module });
    for (position, item) in items_here.into_iter().enumerate() {
        at.push(position);
        let inner = locals::local_items(&item);
        found.push(Member { at: Some(at.clone()), module: module.clone(), item });
        found.extend(inner);
        at.pop();
    }
    for (position, inner) in inner(items) {
        at.push(position);
        module.push(inner.ident.clone());
        add_members(tree, module, at, found);
        module.pop();
        at.pop();
    }
}

/// The modules of a unit.
struct Tree<'i> {
    items: &'i [Item],
}

/// Where an item stands.
#[derive(Clone, Copy)]
pub(super) struct Scope<'s> {
    tree: &'s Tree<'s>,
    module: &'s [Ident],
}

impl Scope<'_> {
    /// Returns whether a path leads to an enum of these modules that has no variant of this name.
    pub(super) fn is_enum_without(&self, path: &Path, name: &Ident) -> bool {
        let whole = self.replacement(path).unwrap_or_else(|| path.clone());
        let mut around: Vec<Ident> = whole.segments.iter().map(|segment| segment.ident.clone()).collect();
        let Some(last) = around.pop() else { return false };
        let items = self.tree.module(&around).unwrap_or_default();
        items.iter().any(|item| match item {
            Item::Enum(item) => {
                item.ident == last && item.variants.iter().all(|variant| variant.ident != *name)
            }
            _ => false,
        })
    }

    /// Returns whether a type of these modules has a method of this name that is of no trait.
    pub(super) fn has_inherent(&self, method: &str) -> bool {
        fn is_in(items: &[Item], method: &str) -> bool {
            items.iter().any(|item| match item {
                Item::Impl(item) if item.trait_.is_none() => item
                    .items
                    .iter()
                    .any(|item| matches!(item, syn::ImplItem::Fn(item) if item.sig.ident == method)),
                Item::Mod(module) => module.content.as_ref().is_some_and(|(_, items)| is_in(items, method)),
                _ => false,
            })
        }
        is_in(self.tree.items, method)
    }

    /// Returns whether a path leads to a function, a constant or a static of these modules.
    pub(super) fn is_value(&self, path: &Path) -> bool {
        let mut around: Vec<Ident> = path.segments.iter().map(|segment| segment.ident.clone()).collect();
        let Some(last) = around.pop() else { return false };
        let items = self.tree.module(&around).unwrap_or_default();
        let mut named = items.iter().filter(|item| item_name(item) == Some(&last)).peekable();
        named.peek().is_some()
            && named.all(|item| matches!(item, Item::Fn(_) | Item::Const(_) | Item::Static(_)))
    }

    /// What a path of code means that starts with `self` or `super`, or with a module and goes on to what that imports; none if it means what it says.
    pub(super) fn replacement(&self, path: &Path) -> Option<Path> {
        // `self` alone is a value.
        let relative = if path.segments.len() > 1 { relative(self.module, path) } else { None };
        let followed = self.tree.followed(relative.as_ref().unwrap_or(path), DEEPEST);
        followed.or(relative)
    }
}

/// How many `use` declarations are followed one after the other.
const DEEPEST: usize = 8;

impl<'i> Tree<'i> {
    /// The items of a module.
    fn module(&self, path: &[Ident]) -> Option<&'i [Item]> {
        path.iter().try_fold(self.items, |items, name| {
            let (_, module) = inner(items).find(|(_, module)| module.ident == *name)?;
            Some(&module.content.as_ref()?.1[..])
        })
    }

    /// What names mean in a module other than what they say there: paths from the outermost one.
    fn names(&self, module: &[Ident]) -> Vec<(Ident, Path)> {
        let mut names = self.imported(module, DEEPEST);
        if module.is_empty() {
            // An item of the module itself may be imported under another name.
            names.retain(|(_, path)| {
                self.is_inner(path) || imports::is_without_macro(path) || self.has(module, path)
            });
        } else {
            // What a module has itself comes before what it imports.
            names.extend(self.names_in(module));
        }
        names
    }

    /// What a module has.
    fn names_in(&self, module: &[Ident]) -> Vec<(Ident, Path)> {
        let Some(items) = self.module(module) else { return Vec::new() };
        let named = items.iter().filter_map(item_name);
        let modules = inner(items).map(|(_, inner)| &inner.ident);
        named.chain(modules).map(|name| (name.clone(), path_of(module.iter().chain([name])))).collect()
    }

    /// What the `use` declarations of a module bring in.
    fn imported(&self, module: &[Ident], most: usize) -> Vec<(Ident, Path)> {
        let mut imports = Imports::default();
        for item in self.module(module).unwrap_or_default() {
            if let Item::Use(item) = item {
                imports.add(item);
            }
        }
        let (names, globs) = imports.into_parts();
        // What comes from a glob is hidden by what is imported by its name, which is looked for from the end.
        let whole = |path: &Path| self.path_from_outermost(module, path, most);
        let mut found: Vec<_> = globs.iter().flat_map(|glob| self.all_of(&whole(glob), most)).collect();
        if !found.is_empty() {
            // So it is by what the module has itself.
            let own = self.names_in(module);
            found.retain(|(name, _)| own.iter().all(|(own, _)| own != name));
        }
        found.extend(names.into_iter().map(|(name, path)| (name, whole(&path))));
        found
    }

    /// What is imported from everything that a path has.
    fn all_of(&self, path: &Path, most: usize) -> Vec<(Ident, Path)> {
        let Some(most) = most.checked_sub(1) else { return Vec::new() };
        let module: Vec<Ident> = path.segments.iter().map(|segment| segment.ident.clone()).collect();
        if self.module(&module).is_some() {
            let mut names = self.imported(&module, most);
            names.extend(self.names_in(&module));
            return names;
        }
        let around = module.split_last().and_then(|(_, around)| self.module(around));
        let mut found = imports::of_standard(path);
        found.extend(imports::variants(around.unwrap_or_default(), path));
        found
    }

    /// The names in another module that code of a module can import; none for what is no module.
    fn visible_names(&self, module: &[Ident], path: &Path) -> Option<Vec<String>> {
        let whole = self.path_from_outermost(module, path, DEEPEST);
        let found: Vec<Ident> = whole.segments.iter().map(|segment| segment.ident.clone()).collect();
        let items = self.module(&found).filter(|_| whole.leading_colon.is_none())?;
        let is_around = module.starts_with(&found);
        let is_hidden = |name: &Ident| {
            let item = items.iter().find(|item| {
                matches!(item, Item::Mod(item) if item.ident == *name) || item_name(item) == Some(name)
            });
            !is_around && item.is_some_and(is_private)
        };
        let names = self.all_of(&whole, DEEPEST).into_iter().map(|(name, _)| name);
        Some(names.filter(|name| !is_hidden(name)).map(|name| name.to_string()).collect())
    }

    /// The path of a `use` in a module as one that starts in the outermost one.
    fn path_from_outermost(&self, module: &[Ident], path: &Path, most: usize) -> Path {
        let path = match relative(module, path) {
            Some(path) => path,
            None if self.has(module, path) => joined(module, path.segments.iter(), path),
            None => path.clone(),
        };
        self.followed(&path, most).unwrap_or(path)
    }

    /// Returns whether a path starts with what a module has itself.
    fn has(&self, module: &[Ident], path: &Path) -> bool {
        let first = path.segments.first().map(|first| &first.ident);
        path.leading_colon.is_none() && self.names_in(module).iter().any(|(name, _)| Some(name) == first)
    }

    /// A path that leads to what an inner module imports, by what that is.
    fn followed(&self, path: &Path, most: usize) -> Option<Path> {
        let names: Vec<Ident> = path.segments.iter().map(|segment| segment.ident.clone()).collect();
        let inner = (1..names.len()).rev().find(|count| self.module(&names[..*count]).is_some())?;
        let (module, name) = (&names[..inner], &names[inner]);
        if path.leading_colon.is_some() || self.names_in(module).iter().any(|(own, _)| own == name) {
            return None;
        }
        let imported = self.imported(module, most.checked_sub(1)?);
        let (_, found) = imported.iter().rev().find(|(imported, _)| imported == name)?;
        let mut found = joined(&[], found.segments.iter(), path);
        if let (Some(last), Some(written)) = (found.segments.last_mut(), path.segments.get(inner)) {
            last.arguments = written.arguments.clone();
        }
        found.segments.extend(path.segments.iter().skip(inner + 1).cloned());
        Some(found)
    }

    /// Returns whether a path leads to an item of an inner module.
    fn is_inner(&self, path: &Path) -> bool {
        let first = path.segments.first().map(|first| &first.ident);
        path.segments.len() > 1 && inner(self.items).any(|(_, module)| Some(&module.ident) == first)
    }
}

/// Returns whether only the module of an item sees it.
fn is_private(item: &Item) -> bool {
    let visibility = match item {
        Item::Fn(item) => &item.vis,
        Item::Const(item) => &item.vis,
        Item::Static(item) => &item.vis,
        Item::Struct(item) => &item.vis,
        Item::Enum(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Type(item) => &item.vis,
        Item::Mod(item) => &item.vis,
        _ => return false,
    };
    matches!(visibility, syn::Visibility::Inherited)
}

/// A path that starts with `self`, or with `super` in an inner module, as one that starts in the outermost one; none if it starts otherwise.
fn relative(module: &[Ident], path: &Path) -> Option<Path> {
    let mut segments = path.segments.iter();
    let first = segments.next().filter(|_| path.leading_colon.is_none())?;
    if first.ident == "self" && path.segments.len() > 1 {
        return Some(joined(module, segments, path));
    }
    if first.ident != "super" || module.is_empty() {
        return None;
    }
    let mut around = &module[..module.len() - 1];
    let mut rest = segments.clone();
    while let (Some(next), Some((_, outer))) = (segments.next(), around.split_last()) {
        if next.ident != "super" {
            break;
        }
        (around, rest) = (outer, segments.clone());
    }
    Some(joined(around, rest, path))
}

/// The rest of a path after the names of modules, where the path is written.
fn joined<'s>(module: &[Ident], rest: impl Iterator<Item = &'s PathSegment>, written: &Path) -> Path {
    let mut path = path_of(module.iter());
    path.segments.extend(rest.cloned());
    if let Some(first) = written.segments.first() {
        path.segments.iter_mut().for_each(|segment| segment.ident.set_span(first.ident.span()));
    }
    path
}

/// The path with these names.
fn path_of<'n>(names: impl Iterator<Item = &'n Ident>) -> Path {
    let segment = |name: &Ident| PathSegment { ident: name.clone(), arguments: PathArguments::None };
    Path { leading_colon: None, segments: names.map(segment).collect::<Punctuated<_, _>>() }
}

#[cfg(test)]
mod tests {
    use super::members;
    use quote::{ToTokens, quote};

    /// The items of modules, each on a line after the modules that it is in.
    fn check(module: proc_macro2::TokenStream, expected: &[&str]) {
        let file: syn::File = syn::parse2(module).expect("it is Rust");
        let found: Vec<_> = members(&file.items)
            .into_iter()
            .filter(|member| {
                super::item_name(&member.item).is_some() || matches!(member.item, syn::Item::Impl(_))
            })
            .map(|member| {
                let module: String = member.module.iter().map(|name| format!("{name}::")).collect();
                format!("{module} {}", member.item.to_token_stream())
            })
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|line| {
                let (module, item) = line.split_once(' ').expect("a module and an item");
                let item: syn::Item = syn::parse_str(item).expect("it is an item");
                format!("{module} {}", item.to_token_stream())
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_stands_around_is_named_from_the_outermost_module() {
        check(
            quote! {
                fn f() -> u32 { inner::g() + inner::deep::h() }
                mod inner {
                    use super::*;
                    pub fn g() -> u32 { f() + super::f() + self::g2() + deep::h() }
                    fn g2() -> u32 { 1 }
                    pub mod deep {
                        use super::super::f as outer;
                        use super::g2;
                        pub fn h() -> u32 { outer() + g2() + super::super::f() + super::super::super::far() }
                    }
                }
            },
            &[
                " fn f() -> u32 { inner::g() + inner::deep::h() }",
                "inner:: pub fn g() -> u32 { f() + f() + inner::g2() + inner::deep::h() }",
                "inner:: fn g2() -> u32 { 1 }",
                "inner::deep:: pub fn h() -> u32 { f() + inner::g2() + f() + super::far() }",
            ],
        );
    }

    #[test]
    fn what_a_module_imports_is_seen_through_it() {
        check(
            quote! {
                mod a {
                    use std::f32::consts::PI;
                    pub use super::b::*;
                    pub struct S;
                    impl S { fn of(self) -> S { self } }
                }
                mod b { use super::a::PI as ratio; pub fn g() -> f32 { ratio + super::a::PI } }
                fn f() -> f32 { a::PI + a::g() }
            },
            &[
                " fn f() -> f32 { std::f32::consts::PI + b::g() }",
                "a:: pub struct S;",
                "a:: impl a::S { fn of(self) -> a::S { self } }",
                "b:: pub fn g() -> f32 { std::f32::consts::PI + std::f32::consts::PI }",
            ],
        );
    }

    #[test]
    fn types_traits_and_bounds() {
        check(
            quote! {
                use inner::Kind::*;
                use inner::area;
                fn kind() -> inner::Kind { Round }
                fn all() -> f32 { area(&kind()) }
                mod inner {
                    use super::Shape;
                    use std::cmp::Ordering;
                    pub enum Kind { Round, Flat }
                    impl Shape for Kind { fn order(&self, other: &Self) -> Ordering { Ordering::Less } }
                    pub fn area<S: Shape>(shape: &S) -> f32 { let kind = Kind::Flat; 1.0 }
                }
            },
            &[
                " fn kind() -> inner::Kind { inner::Kind::Round }",
                " fn all() -> f32 { inner::area(&kind()) }",
                "inner:: pub enum Kind { Round, Flat }",
                "inner:: impl Shape for inner::Kind { fn order(&self, other: &Self) -> std::cmp::Ordering { std::cmp::Ordering::Less } }",
                "inner:: pub fn area<S: Shape>(shape: &S) -> f32 { let kind = inner::Kind::Flat; 1.0 }",
            ],
        );
    }

    #[test]
    fn items_are_imported_by_other_names() {
        check(
            quote! {
                use Fault as E;
                enum Fault { A }
                fn f() -> E { E::A }
            },
            &[" enum Fault { A }", " fn f() -> Fault { Fault::A }"],
        );
    }

    #[test]
    fn a_function_may_have_the_name_of_its_module() {
        check(
            quote! {
                use self::decode::{Instruction, decode};
                mod decode {
                    pub struct Instruction(pub u32);
                    pub fn decode(word: u32) -> Instruction { Instruction(word) }
                }
                fn f() -> Instruction { let of: decode::Instruction = decode(1); of }
            },
            &[
                " fn f() -> decode::Instruction { let of: decode::Instruction = decode::decode(1); of }",
                "decode:: pub struct Instruction(pub u32);",
                "decode:: pub fn decode(word: u32) -> decode::Instruction { decode::Instruction(word) }",
            ],
        );
    }
}
