//! Items in bodies.
//!
//! To device code, the items of a block are those of a module that nobody can name, which sees what is visible around the block. So each name of such an
//! item is replaced by a path through that module, and the items are joined with the one that has the body. Constants are among them where there are other items,
//! which may use them.

use super::item_name;
use super::modules::Member;
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::visit::{self, Visit};
use syn::{Block, Ident, Item, Path, Stmt};

/// How the names of such modules begin.
const PREFIX: &str = "__block_";

/// Returns whether a name is that of the module that a block is.
pub(super) fn is_block(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Names the blocks of an item, in the order in which they are entered.
pub(super) struct Blocks {
    /// The name of what has the blocks.
    owner: String,
    has_items: bool,
    entered: usize,
}

/// Returns whether there are items other than constants and imports in a body.
pub(crate) fn has_local_items(body: &Block) -> bool {
    let mut finder = Finder::default();
    finder.visit_block(body);
    finder.0
}

impl Blocks {
    pub(super) fn of(item: &Item) -> Self {
        let mut finder = Finder::default();
        finder.visit_item(item);
        let owner = item_name(item).map_or_else(String::new, Ident::to_string);
        Self { owner, has_items: finder.0, entered: 0 }
    }

    /// Returns whether there are items other than constants and imports.
    pub(super) fn has_items(&self) -> bool {
        self.has_items
    }

    /// The items of the next block, and what their names stand for.
    pub(super) fn enter(&mut self, block: &Block) -> Vec<(Ident, Path)> {
        let items = items_of(block).filter_map(item_name);
        let Some(module) = self.module(block) else { return Vec::new() };
        items.map(|name| (name.clone(), syn::parse_quote!(#module::#name))).collect()
    }

    /// The module that the next block is; none if it has no items.
    fn module(&mut self, block: &Block) -> Option<Ident> {
        if !self.has_items || items_of(block).next().is_none() {
            return None;
        }
        self.entered += 1;
        let owner = self.owner.strip_prefix("r#").unwrap_or(&self.owner);
        Some(format_ident!("{PREFIX}{owner}_{}", self.entered))
    }
}

/// Code as it was written: without the names of the modules that blocks are.
pub(crate) fn as_written(code: TokenStream) -> TokenStream {
    let mut tokens = code.into_iter();
    let mut written = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(name) if is_block(&name.to_string()) => _ = (tokens.next(), tokens.next()),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), as_written(group.stream()));
                inner.set_span(group.span());
                inner.to_tokens(&mut written);
            }
            other => other.to_tokens(&mut written),
        }
    }
    written
}

/// The items in the bodies of an item whose names have been replaced.
pub(crate) fn local_items(item: &Item) -> Vec<Member> {
    let blocks = Blocks::of(item);
    let mut collector = Collector { blocks, found: Vec::new() };
    if collector.blocks.has_items {
        collector.visit_item(item);
    }
    collector.found
}

/// The items of a block, without what it imports.
fn items_of(block: &Block) -> impl Iterator<Item = &Item> {
    block.stmts.iter().filter_map(|statement| match statement {
        Stmt::Item(Item::Use(_) | Item::Macro(_)) => None,
        Stmt::Item(item) => Some(item),
        _ => None,
    })
}

/// Looks for items other than constants.
#[derive(Default)]
struct Finder(bool);

impl<'ast> Visit<'ast> for Finder {
    fn visit_block(&mut self, block: &'ast Block) {
        self.0 |= items_of(block).any(|item| !matches!(item, Item::Const(_) | Item::Static(_)));
        visit::visit_block(self, block);
    }
}

struct Collector {
    blocks: Blocks,
    found: Vec<Member>,
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_block(&mut self, block: &'ast Block) {
        if let Some(module) = self.blocks.module(block) {
            let member = |item: &Item| Member { at: None, module: vec![module.clone()], item: item.clone() };
            self.found.extend(items_of(block).map(member));
        }
        visit::visit_block(self, block);
    }
}

#[cfg(test)]
mod tests {
    use super::local_items;
    use quote::{ToTokens, quote};

    #[test]
    fn names_of_items_in_bodies_are_paths() {
        let written = syn::parse2(quote! {
            fn f(x: u32) -> u32 {
                const N: u32 = 2;
                fn g(x: u32) -> u32 { x + N }
                struct S { of: u32 }
                impl S { fn twice(self) -> u32 { fn h() -> u32 { 2 } self.of * h() } }
                let s = { fn g(x: u32) -> S { S { of: x } } g(x) };
                g(x) + s.twice() + N
            }
        });
        let written: syn::Item = written.expect("it is a function");
        let replaced = super::super::without_imports(&written).expect("it has items");
        let found: Vec<_> = local_items(&replaced)
            .into_iter()
            .map(|member| format!("{}: {}", member.module[0], member.item.to_token_stream()))
            .collect();
        let expected = [
            ("f_1", "const N: u32 = 2;"),
            ("f_1", "fn g(x: u32) -> u32 { x + __block_f_1::N }"),
            ("f_1", "struct S { of: u32 }"),
            (
                "f_1",
                "impl __block_f_1::S { fn twice(self) -> u32 { fn h() -> u32 { 2 } self.of * __block_f_2::h() } }",
            ),
            ("f_2", "fn h() -> u32 { 2 }"),
            ("f_3", "fn g(x: u32) -> __block_f_1::S { __block_f_1::S { of: x } }"),
        ];
        let expected = expected.map(|(module, item)| {
            let item: syn::Item = syn::parse_str(item).expect("it is an item");
            format!("__block_{module}: {}", item.to_token_stream())
        });
        assert_eq!(found, expected);
        let syn::Item::Fn(function) = replaced else { panic!("it is a function") };
        let last = function.block.stmts.last().expect("it has a last statement").to_token_stream();
        assert_eq!(last.to_string(), quote!(__block_f_1::g(x) + s.twice() + __block_f_1::N).to_string());
        assert_eq!(
            super::as_written(function.to_token_stream()).to_string(),
            written.to_token_stream().to_string()
        );
    }
}
