//! Imports of all that a module has, in bodies.
//!
//! What such an import brings in is known where the module is one of the same unit or file. Then it is replaced by an import of each name, before names are
//! looked for.

use super::imports::Imports;
use super::item_name;
use crate::hash::HashSet;
use quote::format_ident;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Item, Path, Stmt, UseTree};

/// An item in whose bodies everything of a module is imported by its names, where these are known; none if nothing is.
pub(crate) fn spelled_out(item: &Item, names_of: &dyn Fn(&Path) -> Option<Vec<String>>) -> Option<Item> {
    let mut finder = Finder(false);
    finder.visit_item(item);
    if !finder.0 {
        return None;
    }
    let mut item = item.clone();
    let mut speller = Speller { names_of, has_changed: false };
    speller.visit_item_mut(&mut item);
    speller.has_changed.then_some(item)
}

/// Looks for imports of all that something has.
struct Finder(bool);

impl<'ast> Visit<'ast> for Finder {
    fn visit_use_glob(&mut self, _: &'ast syn::UseGlob) {
        self.0 = true;
    }
}

struct Speller<'n> {
    names_of: &'n dyn Fn(&Path) -> Option<Vec<String>>,
    has_changed: bool,
}

impl Speller<'_> {
    /// Replaces what imports everything in the tree of a `use`. What the block has by its own name hides what comes from there.
    fn tree(&mut self, tree: &mut UseTree, prefix: &mut Path, own: &HashSet<String>) {
        match tree {
            UseTree::Path(inner) => {
                let outer = prefix.clone();
                prefix.segments.push(inner.ident.clone().into());
                self.tree(&mut inner.tree, prefix, own);
                *prefix = outer;
            }
            UseTree::Group(group) => group.items.iter_mut().for_each(|tree| self.tree(tree, prefix, own)),
            UseTree::Glob(glob) => {
                let Some(mut names) = (self.names_of)(prefix) else { return };
                names.retain(|name| !own.contains(name));
                names.sort_unstable();
                names.dedup();
                let span = glob.star_token.spans[0];
                let names = names
                    .iter()
                    .filter(|name| syn::parse_str::<syn::Ident>(name).is_ok())
                    .map(|name| format_ident!("{name}", span = span));
                *tree = syn::parse_quote!({ #(#names),* });
                self.has_changed = true;
            }
            UseTree::Name(_) | UseTree::Rename(_) => {}
        }
    }
}

impl VisitMut for Speller<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let mut imports = Imports::default();
        let mut own = HashSet::default();
        for statement in &block.stmts {
            match statement {
                Stmt::Item(Item::Use(item)) => imports.add(item),
                Stmt::Item(item) => own.extend(item_name(item).map(ToString::to_string)),
                _ => {}
            }
        }
        own.extend(imports.into_parts().0.iter().map(|(name, _)| name.to_string()));
        for statement in &mut block.stmts {
            if let Stmt::Item(Item::Use(item)) = statement {
                let mut prefix = Path { leading_colon: item.leading_colon, segments: Default::default() };
                self.tree(&mut item.tree, &mut prefix, &own);
            }
        }
        visit_mut::visit_block_mut(self, block);
    }

    /// Those of inner modules are looked at by themselves.
    fn visit_item_mod_mut(&mut self, _: &mut syn::ItemMod) {}
}

#[cfg(test)]
mod tests {
    use super::spelled_out;
    use quote::{ToTokens, quote};

    #[test]
    fn names_that_are_known_are_spelled_out() {
        let written = quote! {
            fn f() -> u32 {
                use a::{b::*, c, d::e::*};
                use a::x::*;
                fn y() {}
                { use z::*; }
            }
        };
        let written: syn::Item = syn::parse2(written).expect("it is a function");
        let names_of = |path: &syn::Path| {
            let names: &[&str] = match super::super::key(path).as_str() {
                "a::b" => &["g", "c", "y", "_"],
                "a::x" => &["h"],
                _ => return None,
            };
            Some(names.iter().map(ToString::to_string).collect())
        };
        let found = spelled_out(&written, &names_of).expect("it has such imports");
        let expected = quote! {
            fn f() -> u32 {
                use a::{b::{g}, c, d::e::*};
                use a::x::{h};
                fn y() {}
                { use z::*; }
            }
        };
        assert_eq!(found.to_token_stream().to_string(), expected.to_string());
        assert!(
            spelled_out(
                &syn::parse_quote!(
                    fn f() {
                        use a::b;
                    }
                ),
                &names_of
            )
            .is_none()
        );
    }
}
