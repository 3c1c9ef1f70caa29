//! `use` in bodies and in `#[device]` modules.
//!
//! A name that is imported there has no macro of its own where the function stands, and a variant of an enum nowhere has one. So such
//! names are replaced by the paths that they stand for, before anything else is done. What an enum's glob import
//! brings in is known only where the enum is; elsewhere a name in camel case by itself is taken for one of its variants.

use super::modules::Scope;
use super::{bound_names, is_colon, library, locals};
use crate::hash::HashSet;
use crate::prelude::types;
use crate::scope::Scope as Variables;
use kernel_core::Scalar;
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Ident, Item, Pat, Path, PathArguments, PathSegment, Stmt, UseTree};

/// What a `use` declares.
#[derive(Default)]
pub(crate) struct Imports {
    /// The names and what they stand for.
    names: Vec<(Ident, Path)>,
    /// The paths of which everything is imported.
    globs: Vec<Path>,
}

impl Imports {
    pub(crate) fn add(&mut self, item: &syn::ItemUse) {
        let prefix = Path { leading_colon: item.leading_colon, segments: Punctuated::new() };
        self.tree(&item.tree, &prefix);
    }

    fn tree(&mut self, tree: &UseTree, prefix: &Path) {
        let below = |name: &Ident| {
            let mut path = prefix.clone();
            path.segments.push(PathSegment { ident: name.clone(), arguments: PathArguments::None });
            path
        };
        match tree {
            UseTree::Path(tree) => self.tree(&tree.tree, &below(&tree.ident)),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, prefix)),
            UseTree::Glob(_) => self.globs.push(prefix.clone()),
            UseTree::Name(name) if name.ident == "self" => {
                if let Some(last) = prefix.segments.last() {
                    self.names.push((last.ident.clone(), prefix.clone()));
                }
            }
            UseTree::Name(name) => self.names.push((name.ident.clone(), below(&name.ident))),
            UseTree::Rename(rename) => self.names.push((rename.rename.clone(), below(&rename.ident))),
        }
    }

    /// The names and what they stand for, and the paths of which everything is imported.
    pub(super) fn into_parts(self) -> (Vec<(Ident, Path)>, Vec<Path>) {
        (self.names, self.globs)
    }
}

/// Returns whether what a path leads to has no macro of its own: what is imported from types, which rustc resolves in no other way, and what the standard library has.
pub(super) fn is_without_macro(path: &Path) -> bool {
    let first = path.segments.first().map(|first| first.ident.to_string());
    let parent = path.segments.iter().rev().nth(1);
    matches!(first.as_deref(), Some("std" | "core" | "alloc"))
        || parent.is_some_and(|parent| is_camel_case(&parent.ident.to_string()))
}

/// Returns whether a path of two names starts with a primitive type, also where the module of its name is imported.
fn is_of_primitive(first: &Ident, second: &Ident) -> bool {
    let (first, second) = (first.to_string(), second.to_string());
    let is_primitive = Scalar::primitive(&first).is_some() || matches!(first.as_str(), "str" | "char");
    let is_of_module =
        is_camel_case(&second) || second == "consts" || first == "str" && second.starts_with("from_");
    is_primitive && !is_of_module
}

/// Returns whether everything of a path can be imported in a body: it has to be a type.
pub(super) fn is_type(path: &Path) -> bool {
    path.segments.last().is_some_and(|last| is_camel_case(&last.ident.to_string()))
}

/// The globs in a `use`.
pub(super) fn globs(item: &syn::ItemUse) -> Vec<Path> {
    let mut imports = Imports::default();
    imports.add(item);
    imports.globs
}

/// An item of which each imported name is replaced by its path, and each name of an item in a body by [its path](super::locals); none if there are no such names.
pub(crate) fn without_imports(item: &Item) -> Option<Item> {
    Replacer::applied(item, Vec::new(), HashSet::default())
}

/// An item in which these names stand for paths, as if it began with an import of each.
pub(crate) fn importing(item: &Item, names: Vec<(Ident, Path)>) -> Item {
    let frame = Frame { imports: Imports { names, globs: Vec::new() }, is_open: false };
    Replacer::applied(item, vec![frame], HashSet::default()).unwrap_or_else(|| item.clone())
}

/// The items of a module in which names stand for paths that start in the outermost module around it.
pub(super) fn without_imports_of<'i>(
    items: impl Iterator<Item = &'i Item>,
    names: Vec<(Ident, Path)>,
    scope: Scope<'_>,
) -> Vec<Item> {
    let known = vec![Frame { imports: Imports { names, globs: Vec::new() }, is_open: false }];
    let replaced = |item| {
        let replaced = Replacer::applied_in(Some(scope), item, known.clone(), HashSet::default());
        replaced.unwrap_or_else(|| item.clone())
    };
    items.map(replaced).collect()
}

/// The variants of an enum that is one of these items, with their paths.
pub(super) fn variants(items: &[Item], path: &Path) -> Vec<(Ident, Path)> {
    let name = path.segments.last().map(|last| &last.ident);
    let found = items.iter().find_map(|item| match item {
        Item::Enum(item) if Some(&item.ident) == name => Some(item),
        _ => None,
    });
    let variants = found.map(|found| &found.variants);
    variants.into_iter().flatten().map(|variant| member(path, variant.ident.clone())).collect()
}

/// What a module or an enum of the standard library has, as far as device code knows it by its path, with the paths; nothing for what is none of these.
pub(super) fn of_standard(path: &Path) -> Vec<(Ident, Path)> {
    let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let found: Vec<&str> = match &names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["std" | "core", "cmp", "Ordering"] => vec!["Less", "Equal", "Greater"],
        ["std" | "core", module] => types::names_in(module).chain(library::functions_of(module)).collect(),
        _ => return Vec::new(),
    };
    let span = path.segments.last().map_or_else(proc_macro2::Span::call_site, |last| last.ident.span());
    found.into_iter().map(|name| member(path, Ident::new(name, span))).collect()
}

/// A name with its path, by the path of what has it.
fn member(of: &Path, name: Ident) -> (Ident, Path) {
    let mut path = of.clone();
    path.segments.push(PathSegment { ident: name.clone(), arguments: PathArguments::None });
    (name, path)
}

/// The imports of one scope.
#[derive(Clone)]
struct Frame {
    imports: Imports,
    /// Whether names that are not known may come from its globs.
    is_open: bool,
}

impl Clone for Imports {
    fn clone(&self) -> Self {
        Self { names: self.names.clone(), globs: self.globs.clone() }
    }
}

struct Replacer<'s> {
    /// The modules around the item, if these are one unit with it.
    scope: Option<Scope<'s>>,
    frames: Vec<Frame>,
    /// The names of generic parameters and constants in the item, which are never taken for imported ones.
    own: HashSet<String>,
    /// The variables that there are here.
    variables: Variables<()>,
    /// What names the blocks with items.
    blocks: locals::Blocks,
    /// The trait that the `impl` around is of, which is in scope there.
    implemented: Option<Path>,
    changed: bool,
}

impl<'s> Replacer<'s> {
    fn applied(item: &Item, frames: Vec<Frame>, own: HashSet<String>) -> Option<Item> {
        Self::applied_in(None, item, frames, own)
    }

    fn applied_in(
        scope: Option<Scope<'s>>,
        item: &Item,
        frames: Vec<Frame>,
        own: HashSet<String>,
    ) -> Option<Item> {
        let blocks = locals::Blocks::of(item);
        let has_frames = !frames.is_empty() || blocks.has_items();
        let mut finder = Finder { own, imports: has_frames, has_items: blocks.has_items() };
        finder.visit_item(item);
        if !finder.imports {
            return None;
        }
        let mut item = item.clone();
        let mut replacer = Replacer {
            scope,
            frames,
            own: finder.own,
            variables: Variables::default(),
            blocks,
            implemented: None,
            changed: false,
        };
        replacer.visit_item_mut(&mut item);
        replacer.changed.then_some(item)
    }

    /// The path that a name by itself, or at the start of a path, stands for.
    fn meaning(&self, name: &Ident, is_alone: bool) -> Option<Path> {
        // A variable is no start of a path.
        let is_variable = is_alone && self.variables.get(name).is_some();
        if is_variable || self.own.contains(&name.to_string()) {
            return None;
        }
        let frames = self.frames.iter().rev();
        let mut known = frames.flat_map(|frame| frame.imports.names.iter().rev());
        known.find(|(known, _)| known == name).map(|(_, path)| located(path, name))
    }

    /// The trait of `std::fmt` that is imported here or that the `impl` around is of, if it is only one of those that have an `fmt`.
    fn formatting_trait(&self) -> Option<Path> {
        let imported = self.frames.iter().flat_map(|frame| frame.imports.names.iter());
        let known = imported.map(|(_, path)| path).chain(&self.implemented);
        let mut found: Vec<_> = known.filter(|path| is_of_formatting(path)).collect();
        found.dedup();
        match found[..] {
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    /// The variant that a name by itself is, if it comes from the glob import of an enum.
    fn variant(&self, name: &Ident) -> Option<Path> {
        let text = name.to_string();
        let is_standard = ["Some", "None", "Ok", "Err", "Self"].contains(&text.as_str());
        if self.own.contains(&text) || !is_camel_case(&text) || is_standard {
            return None;
        }
        let open = self.frames.iter().rev().find(|frame| frame.is_open && !frame.imports.globs.is_empty())?;
        let mut globs = open.imports.globs.iter().rev();
        let glob = globs.find(|glob| !self.scope.is_some_and(|scope| scope.is_enum_without(glob, name)))?;
        let mut path = located(glob, name);
        path.segments.push(PathSegment { ident: name.clone(), arguments: PathArguments::None });
        Some(path)
    }

    fn replace(&mut self, path: &mut Path, is_value: bool) {
        if path.leading_colon.is_some() {
            return;
        }
        let Some(first) = path.segments.first().cloned() else { return };
        let is_alone = path.segments.len() == 1;
        let found = self.meaning(&first.ident, is_alone);
        // A function may have the name of a module, and only the latter starts a path.
        let found = found.filter(|found| is_alone || !self.scope.is_some_and(|scope| scope.is_value(found)));
        let second = path.segments.get(1).map(|second| &second.ident);
        let found = found.filter(|_| !second.is_some_and(|second| is_of_primitive(&first.ident, second)));
        let found = found.or_else(|| if is_alone && is_value { self.variant(&first.ident) } else { None });
        if let Some(mut found) = found {
            if let Some(last) = found.segments.last_mut() {
                last.arguments = first.arguments;
            }
            found.segments.extend(path.segments.iter().skip(1).cloned());
            *path = found;
            self.changed = true;
        }
        if let Some(found) = self.scope.and_then(|scope| scope.replacement(path)) {
            *path = found;
            self.changed = true;
        }
    }

    /// The tokens of a macro, in which only names with a capital letter, or at the start of a path or a call, are replaced.
    fn tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut result = TokenStream::new();
        let is_joint = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':' && punct.spacing() == Spacing::Joint);
        for (position, token) in tokens.iter().enumerate() {
            let before = position.checked_sub(1).and_then(|before| tokens.get(before));
            let starts_path =
                !is_colon(before) || !is_joint(position.checked_sub(2).and_then(|at| tokens.get(at)));
            match token {
                TokenTree::Ident(name)
                    if starts_path && (is_upper(&name.to_string()) || is_used(&tokens, position)) =>
                {
                    let goes_on = is_joint(tokens.get(position + 1));
                    let found = self.meaning(name, !goes_on).filter(|_| match tokens.get(position + 3) {
                        Some(TokenTree::Ident(second)) if goes_on => !is_of_primitive(name, second),
                        _ => true,
                    });
                    match found.or_else(|| if goes_on { None } else { self.variant(name) }) {
                        Some(path) => {
                            self.changed = true;
                            path.to_tokens(&mut result);
                        }
                        None => token.to_tokens(&mut result),
                    }
                }
                TokenTree::Group(group) => {
                    let mut replaced =
                        proc_macro2::Group::new(group.delimiter(), self.tokens(group.stream()));
                    replaced.set_span(group.span());
                    replaced.to_tokens(&mut result);
                }
                other => other.to_tokens(&mut result),
            }
        }
        result
    }
}

impl Replacer<'_> {
    /// Defines the names that a pattern binds; one with a capital letter is a constant or a variant.
    fn bind(&mut self, pattern: &Pat) {
        for name in bound_names(pattern).into_iter().filter(|name| !is_upper(&name.to_string())) {
            self.variables.define(name, ());
        }
    }

    /// Looks at what has variables of its own, which end with it.
    fn scoped(&mut self, look: impl FnOnce(&mut Self)) {
        let mark = self.variables.mark();
        look(self);
        self.variables.leave(mark);
    }

    /// The variables of a function are its parameters at first; it sees none around it.
    fn function(&mut self, signature: &mut syn::Signature, block: Option<&mut Block>) {
        let around = std::mem::take(&mut self.variables);
        self.visit_signature_mut(signature);
        for input in &signature.inputs {
            if let syn::FnArg::Typed(input) = input {
                self.bind(&input.pat);
            }
        }
        block.into_iter().for_each(|block| self.visit_block_mut(block));
        self.variables = around;
    }
}

impl VisitMut for Replacer<'_> {
    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        self.function(&mut item.sig, Some(&mut item.block));
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        self.function(&mut item.sig, Some(&mut item.block));
    }

    fn visit_trait_item_fn_mut(&mut self, item: &mut syn::TraitItemFn) {
        self.function(&mut item.sig, item.default.as_mut());
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        if let Some(init) = &mut local.init {
            self.visit_expr_mut(&mut init.expr);
            if let Some((_, diverge)) = &mut init.diverge {
                self.visit_expr_mut(diverge);
            }
        }
        self.visit_pat_mut(&mut local.pat);
        self.bind(&local.pat);
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        self.scoped(|replacer| {
            closure.inputs.iter().for_each(|input| replacer.bind(input));
            visit_mut::visit_expr_closure_mut(replacer, closure);
        });
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        self.scoped(|replacer| {
            replacer.bind(&arm.pat);
            visit_mut::visit_arm_mut(replacer, arm);
        });
    }

    fn visit_expr_for_loop_mut(&mut self, repeat: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut repeat.expr);
        self.scoped(|replacer| {
            replacer.visit_pat_mut(&mut repeat.pat);
            replacer.bind(&repeat.pat);
            replacer.visit_block_mut(&mut repeat.body);
        });
    }

    fn visit_expr_let_mut(&mut self, test: &mut syn::ExprLet) {
        self.visit_expr_mut(&mut test.expr);
        self.visit_pat_mut(&mut test.pat);
        self.bind(&test.pat);
    }

    fn visit_expr_if_mut(&mut self, branch: &mut syn::ExprIf) {
        self.scoped(|replacer| {
            replacer.visit_expr_mut(&mut branch.cond);
            replacer.visit_block_mut(&mut branch.then_branch);
        });
        if let Some((_, otherwise)) = &mut branch.else_branch {
            self.visit_expr_mut(otherwise);
        }
    }

    fn visit_expr_while_mut(&mut self, repeat: &mut syn::ExprWhile) {
        self.scoped(|replacer| {
            replacer.visit_expr_mut(&mut repeat.cond);
            replacer.visit_block_mut(&mut repeat.body);
        });
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        let mut imports = Imports::default();
        for statement in &mut block.stmts {
            if let Stmt::Item(Item::Use(item)) = statement {
                imports.add(item);
                item.attrs.push(syn::parse_quote!(#[allow(unused_imports)]));
            }
        }
        imports.names.extend(self.blocks.enter(block));
        self.frames.push(Frame { imports, is_open: true });
        self.scoped(|replacer| visit_mut::visit_block_mut(replacer, block));
        self.frames.pop();
    }

    /// `value.fmt(f)` is of the trait of `std::fmt` that is imported: a type may have others of them. A method of the type's own would go first.
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let Expr::MethodCall(call) = expr else { return };
        if call.method != "fmt" || call.args.len() != 1 || call.turbofish.is_some() {
            return;
        }
        if self.scope.is_some_and(|scope| scope.has_inherent("fmt")) {
            return;
        }
        let Some(of) = self.formatting_trait() else { return };
        let (of, receiver, formatter) = (located(&of, &call.method), &call.receiver, &call.args);
        *expr = syn::parse_quote_spanned!(call.method.span()=> #of::fmt(&(#receiver), #formatter));
        self.changed = true;
    }

    fn visit_item_use_mut(&mut self, _: &mut syn::ItemUse) {}

    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}

    fn visit_expr_path_mut(&mut self, expression: &mut syn::ExprPath) {
        if expression.qself.is_none() {
            self.replace(&mut expression.path, true);
        }
        visit_mut::visit_expr_path_mut(self, expression);
    }

    fn visit_expr_struct_mut(&mut self, literal: &mut syn::ExprStruct) {
        self.replace(&mut literal.path, true);
        visit_mut::visit_expr_struct_mut(self, literal);
    }

    fn visit_pat_struct_mut(&mut self, pattern: &mut syn::PatStruct) {
        self.replace(&mut pattern.path, true);
        visit_mut::visit_pat_struct_mut(self, pattern);
    }

    fn visit_pat_tuple_struct_mut(&mut self, pattern: &mut syn::PatTupleStruct) {
        self.replace(&mut pattern.path, true);
        visit_mut::visit_pat_tuple_struct_mut(self, pattern);
    }

    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        if let Pat::Ident(name) = pattern
            && name.by_ref.is_none()
            && name.subpat.is_none()
            && name.mutability.is_none()
            && is_upper(&name.ident.to_string())
        {
            let mut path = Path::from(name.ident.clone());
            self.replace(&mut path, true);
            if path.segments.len() > 1 {
                *pattern = Pat::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path });
                return;
            }
        }
        visit_mut::visit_pat_mut(self, pattern);
    }

    fn visit_type_path_mut(&mut self, ty: &mut syn::TypePath) {
        if ty.qself.is_none() {
            self.replace(&mut ty.path, false);
        }
        visit_mut::visit_type_path_mut(self, ty);
    }

    fn visit_trait_bound_mut(&mut self, bound: &mut syn::TraitBound) {
        self.replace(&mut bound.path, false);
        visit_mut::visit_trait_bound_mut(self, bound);
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        if let Some((path, _)) = &mut item.trait_ {
            self.replace(path, false);
        }
        let around = self.implemented.take();
        self.implemented = item.trait_.as_ref().map(|(path, _)| path.clone());
        visit_mut::visit_item_impl_mut(self, item);
        self.implemented = around;
    }

    /// Items of inner modules are looked at by themselves.
    fn visit_item_mod_mut(&mut self, _: &mut syn::ItemMod) {}

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        call.tokens = self.tokens(std::mem::take(&mut call.tokens));
    }
}

/// Finds the names of generic parameters and constants of an item, and whether there is a `use` in it.
struct Finder {
    own: HashSet<String>,
    imports: bool,
    /// Whether there are items in bodies, of which the constants there are some.
    has_items: bool,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        if !self.has_items {
            self.own.insert(item.ident.to_string());
        }
        visit::visit_item_const(self, item);
    }

    fn visit_generic_param(&mut self, parameter: &'ast syn::GenericParam) {
        match parameter {
            syn::GenericParam::Type(parameter) => self.own.insert(parameter.ident.to_string()),
            syn::GenericParam::Const(parameter) => self.own.insert(parameter.ident.to_string()),
            syn::GenericParam::Lifetime(_) => false,
        };
    }

    fn visit_item_use(&mut self, _: &'ast syn::ItemUse) {
        self.imports = true;
    }
}

/// Returns whether a path is that of a trait of `std::fmt` with an `fmt`.
fn is_of_formatting(path: &Path) -> bool {
    let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let ["std" | "core", "fmt", name] = names[..] else { return false };
    matches!(
        name,
        "Display"
            | "Debug"
            | "LowerHex"
            | "UpperHex"
            | "Binary"
            | "Octal"
            | "LowerExp"
            | "UpperExp"
            | "Pointer"
    )
}

fn is_upper(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// Returns whether a name among the tokens of a macro is followed by more of a path or by arguments, and so is not that of a field or an argument.
fn is_used(tokens: &[TokenTree], position: usize) -> bool {
    let is_member = matches!(position.checked_sub(1).and_then(|before| tokens.get(before)), Some(TokenTree::Punct(punct)) if punct.as_char() == '.');
    !is_member
        && match tokens.get(position + 1) {
            Some(TokenTree::Punct(punct)) => punct.as_char() == ':' && punct.spacing() == Spacing::Joint,
            Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
            _ => false,
        }
}

/// Returns whether a name is that of a type or a variant rather than that of a constant.
fn is_camel_case(name: &str) -> bool {
    is_upper(name) && (name.len() == 1 || name.contains(char::is_lowercase))
}

/// A path at the place of a name.
fn located(path: &Path, name: &Ident) -> Path {
    let mut path = path.clone();
    for segment in &mut path.segments {
        segment.ident.set_span(name.span());
    }
    path
}
