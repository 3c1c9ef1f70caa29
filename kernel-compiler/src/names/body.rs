//! What stands in a function besides its code, and is not in the language: items and attributes.
//!
//! They are judged before names are resolved, since an item decides what names mean, and an attribute such as `#[cfg]` which code there
//! is. The only attributes are those that change nothing: documentation, lint levels and
//! the settings of tools.

use super::imports;
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{AttrStyle, Attribute, Item, ItemFn};

/// The errors of this kind in the bodies of an item.
#[must_use]
pub fn unsupported_in_body(item: &Item) -> Diagnostics {
    match item {
        Item::Fn(function) => unsupported_in_function(function),
        Item::Impl(item) => unsupported_in_impl(item),
        Item::Trait(item) => {
            let mut checker = Checker::default();
            for member in &item.items {
                if let syn::TraitItem::Fn(member) = member {
                    checker.visit_signature(&member.sig);
                    member.default.iter().for_each(|block| checker.visit_block(block));
                }
            }
            checker.0
        }
        Item::Static(item) => changing_static(item),
        _ => Diagnostics::default(),
    }
}

/// The error for a static that can change, itself or by what it holds.
#[must_use]
pub fn changing_static(item: &syn::ItemStatic) -> Diagnostics {
    let message = "a device has no statics that change: no work-item would see what another one stores";
    let advice = "what work-items share and change is in a slice parameter, or in `Local` memory";
    match (&item.mutability, &*item.ty) {
        (syn::StaticMutability::Mut(token), _) => {
            let help = format!("leave out `mut`; {advice}");
            Diagnostic::new(Code::UnsupportedStatement, token, message).help(help).into()
        }
        (_, syn::Type::Path(path)) if has_interior(path) => {
            Diagnostic::new(Code::UnsupportedStatement, path, message).help(advice).into()
        }
        _ => Diagnostics::default(),
    }
}

/// Returns whether a type is one of those of the standard library whose content changes behind a shared reference.
fn has_interior(ty: &syn::TypePath) -> bool {
    let Some(last) = ty.path.segments.last() else { return false };
    let name = last.ident.to_string();
    name.starts_with("Atomic")
        || name.ends_with("Cell")
        || matches!(name.as_str(), "Mutex" | "RwLock" | "Once" | "OnceLock" | "LazyLock")
}

/// The errors of this kind in a function.
#[must_use]
pub fn unsupported_in_function(function: &ItemFn) -> Diagnostics {
    let mut checker = Checker::default();
    checker.visit_signature(&function.sig);
    checker.visit_block(&function.block);
    checker.0
}

/// The errors of this kind in the functions of an `impl`.
#[must_use]
pub fn unsupported_in_impl(item: &syn::ItemImpl) -> Diagnostics {
    let mut checker = Checker::default();
    for member in &item.items {
        if let syn::ImplItem::Fn(member) = member {
            checker.visit_signature(&member.sig);
            checker.visit_block(&member.block);
        }
    }
    checker.0
}

#[derive(Default)]
struct Checker(Diagnostics);

impl<'ast> Visit<'ast> for Checker {
    fn visit_item(&mut self, item: &'ast Item) {
        if let Item::Const(constant) = item {
            visit::visit_item_const(self, constant);
            return;
        }
        if let Item::Static(item) = item {
            self.0.append(changing_static(item));
            visit::visit_item_static(self, item);
            return;
        }
        if let Item::Use(item) = item
            && imports::globs(item).iter().all(imports::is_type)
        {
            return;
        }
        match item {
            Item::Fn(function) => {
                self.visit_signature(&function.sig);
                return self.visit_block(&function.block);
            }
            Item::Impl(item) => return self.0.append(unsupported_in_impl(item)),
            Item::Struct(_) | Item::Enum(_) | Item::Type(_) | Item::Trait(_) => {
                return self.0.append(unsupported_in_body(item));
            }
            _ => {}
        }
        let (what, help) = advice(item);
        let message = format!("{what} cannot stand in device code");
        self.0.push(Diagnostic::new(Code::UnsupportedStatement, &head(item), message).help(help));
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if matches!(attribute.style, AttrStyle::Outer) && !changes_nothing(attribute) {
            let name = attribute.path().to_token_stream().to_string().replace(' ', "");
            let message = format!("`#[{name}]` cannot stand in device code");
            let help = match name.as_str() {
                "cfg" | "cfg_attr" => "write it on the whole function, or test a constant with `if`",
                _ => "only documentation and lint levels can: remove it",
            };
            self.0.push(Diagnostic::new(Code::InnerAttribute, attribute, message).help(help));
        }
    }
}

/// Returns whether code means the same with and without an attribute.
fn changes_nothing(attribute: &Attribute) -> bool {
    let Some(first) = attribute.path().segments.first() else { return false };
    let known = ["doc", "allow", "expect", "warn", "deny", "forbid", "rustfmt", "clippy"];
    known.iter().any(|name| first.ident == name)
}

/// What an item is, and what to do about it.
fn advice(item: &Item) -> (&'static str, &'static str) {
    match item {
        Item::Use(_) => (
            "an import of all that a module has",
            "list the names; by `*` only what an enum or a module of this file has can be imported",
        ),
        Item::Macro(_) => ("a macro", "write a `#[device] fn` outside of the function"),
        Item::Union(_) => ("a union", "convert bits with `to_bits` and `from_bits`"),
        _ => {
            ("this item", "the items in bodies are functions, constants, statics, types, traits and `impl`s")
        }
    }
}

/// The tokens of an item up to its body or value, which are enough to show.
fn head(item: &Item) -> proc_macro2::TokenStream {
    let tokens = item.to_token_stream();
    let is_end = |token: &proc_macro2::TokenTree| match token {
        proc_macro2::TokenTree::Group(group) => group.delimiter() == proc_macro2::Delimiter::Brace,
        proc_macro2::TokenTree::Punct(punct) => matches!(punct.as_char(), '=' | ';'),
        _ => false,
    };
    let head: proc_macro2::TokenStream =
        tokens.clone().into_iter().take_while(|token| !is_end(token)).collect();
    if head.is_empty() { tokens } else { head }
}
