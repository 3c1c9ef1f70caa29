//! Which items outside of itself a function refers to.
//!
//! A proc macro sees the tokens of its own item only. What a path means is known to rustc alone, so each path that
//! may name an item becomes a link in a chain of macro calls (see [`crate::chain`]) that rustc resolves. This module finds those
//! paths: it follows Rust's scopes, so that a local variable is never taken for an item.

mod atomic;
mod body;
pub mod foreign;
mod format;
mod globs;
mod imports;
mod library;
mod locals;
mod macros;
mod modules;
mod nearest;
mod print;

pub(crate) use atomic::{atomic, atomic_name, buffer_element, is_atomic, local_element, ordering};
pub use body::{changing_static, unsupported_in_body, unsupported_in_function, unsupported_in_impl};
pub(crate) use foreign::{certain, foreign, foreign_value};
pub(crate) use format::Form;
pub(crate) use globs::spelled_out;
pub(crate) use imports::{importing, without_imports};
pub(crate) use library::Standard;
pub(crate) use locals::{as_written, has_local_items, local_items};
pub(crate) use macros::{Message, Panicking, Unless, literal_text, matching, panicking};
pub(crate) use modules::{Member, inner, item_at, members};
pub(crate) use nearest::{beside_prelude, is_of_prelude, may_be_of_prelude, near, nearest};
pub(crate) use print::{
    Argument, Extent, Formatted, Printing, Value, Writing, Written, format_arguments, printing, writing,
};

use crate::hash::HashSet;
use kernel_core::Scalar;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprPath, Ident, Item, ItemFn, Pat, PatIdent, Path, Signature};

use crate::scope::Scope;

/// The key under which an item that a path names is found again.
#[must_use]
pub fn key(path: &Path) -> String {
    let mut key = String::new();
    if path.leading_colon.is_some() {
        key.push_str("::");
    }
    for (index, segment) in path.segments.iter().enumerate() {
        if index > 0 {
            key.push_str("::");
        }
        key.push_str(&segment.ident.to_string());
    }
    key
}

/// The key of an item in a module with these names.
pub(crate) fn key_in(module: &[Ident], name: &Ident) -> String {
    let around: String = module.iter().map(|module| format!("{module}::")).collect();
    format!("{around}{name}")
}

/// The paths in device code that may name an item, each once, in the order of their first use.
#[derive(Clone, Debug, Default)]
pub struct Dependencies {
    paths: Vec<Path>,
    known: HashSet<String>,
    /// The names that are used as values, and those that are used as types or modules.
    values: HashSet<String>,
    types: HashSet<String>,
    /// The names of values of other languages.
    foreign: Vec<Path>,
    /// Values in lower case that are no variables: functions that are known all the same, or names that lead nowhere.
    lower: HashSet<String>,
    /// Those of them that are not defined side by side. They are looked up where something else says that they are items.
    perhaps_functions: Vec<Path>,
    /// What lists an `impl`: what the `impl` needs of it is its definition alone, since its own macro hands out the `impl` too.
    lister: Option<String>,
}

impl Dependencies {
    /// Those of a function, and of the further expressions that stand in its attribute: `extra`, lists of types, and conditions about its parameters.
    #[must_use]
    pub fn of_function<'a>(
        function: &ItemFn,
        extra: impl IntoIterator<Item = &'a Expr>,
        types: impl IntoIterator<Item = &'a Expr>,
        conditions: &[Expr],
    ) -> Self {
        let mut collector = Collector::default();
        for expression in extra {
            collector.visit_expr(expression);
        }
        for list in types {
            collector.types(list);
        }
        collector.item_fn(function, conditions);
        collector.found
    }

    /// Those of items that are defined side by side, and whose names for each other are not among them.
    #[must_use]
    pub fn of_items<'a>(items: impl IntoIterator<Item = &'a Item>) -> Self {
        let items: Vec<_> = items.into_iter().map(|item| (item, &[][..])).collect();
        Self::of_members(items.iter().copied())
    }

    /// The same for items in modules, whose names are given for each.
    pub(crate) fn of_members<'a>(items: impl Iterator<Item = (&'a Item, &'a [Ident])> + Clone) -> Self {
        let mut collector = Collector::default();
        for (item, module) in items.clone() {
            collector.own_item(item, module);
        }
        for (item, _) in items {
            collector.visit_item(item);
        }
        collector.found
    }

    /// All that an item names, the items in bodies around it among them.
    pub(crate) fn of_member(item: &Item) -> Self {
        let mut collector = Collector { sees_blocks: true, ..Collector::default() };
        collector.own_item(item, &[]);
        collector.visit_item(item);
        collector.found
    }

    /// Adds those of another function in the same scope.
    pub fn join(&mut self, others: Self) {
        self.values.extend(others.values);
        self.types.extend(others.types);
        self.perhaps_functions.extend(others.perhaps_functions);
        for path in others.paths {
            self.add(&path, path.segments.len());
        }
    }

    /// Adds a hidden item, by the name that only macros use.
    pub fn add_hidden(&mut self, name: Ident) {
        self.add(&Path::from(name), 1);
    }

    /// Makes every path to the type or trait that may list an `impl` lead to its definition alone.
    pub fn define_lister(&mut self, path: &Path) {
        self.lister = Some(key_here(path));
    }

    /// The tokens by which the chain calls the macro of a path.
    #[must_use]
    pub fn macro_path(&self, path: &Path) -> TokenStream {
        if self.is_lister(path) {
            return path_to(path, definition_name).to_token_stream();
        }
        macro_path(path)
    }

    /// Takes some paths out, and returns them.
    pub(crate) fn take_out(&mut self, is_taken: impl Fn(&Path) -> bool) -> Vec<Path> {
        let (taken, kept) = std::mem::take(&mut self.paths).into_iter().partition(is_taken);
        self.paths = kept;
        taken
    }

    /// Returns whether a path leads to the type or trait that may list the `impl`.
    pub(crate) fn is_lister(&self, path: &Path) -> bool {
        self.lister.as_ref().is_some_and(|lister| *lister == key_here(path))
    }

    /// The paths, without generic arguments.
    #[must_use]
    pub fn paths(&self) -> &[Path] {
        &self.paths
    }

    /// Their keys.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        self.paths.iter().map(key).collect()
    }

    /// The names in lower case that may be those of functions which are used as values.
    pub(crate) fn functions_as_values(&self) -> impl Iterator<Item = &String> {
        self.lower.iter()
    }

    /// Has those of them looked up that are items.
    pub(crate) fn look_up_functions(&mut self, mut is_item: impl FnMut(&Path) -> bool) {
        for path in std::mem::take(&mut self.perhaps_functions).into_iter().filter(|path| is_item(path)) {
            self.values.insert(key(&path));
            self.add(&path, 1);
        }
    }

    /// The names of values that are of other languages, and that nobody would give to an item.
    pub(crate) fn foreign_values(&self) -> &[Path] {
        &self.foreign
    }

    /// In which namespace a name is not used, if there is one: `true` for that of values, `false` for that of types.
    pub(crate) fn is_free_as_value(&self, name: &Ident) -> Option<bool> {
        let name = name.to_string();
        match (self.values.contains(&name), self.types.contains(&name)) {
            (_, false) => Some(false),
            (false, true) => Some(true),
            (true, true) => None,
        }
    }

    fn add(&mut self, path: &Path, segments: usize) {
        let mut path = path.clone();
        path.segments = path.segments.into_iter().take(segments).collect();
        path.segments.pop_punct();
        for segment in &mut path.segments {
            segment.arguments = syn::PathArguments::None;
        }
        if self.known.insert(key(&path)) {
            self.paths.push(path);
        }
    }
}

/// The name of the macro that hands out the definition of a type, without its `impl`s.
#[must_use]
pub fn definition_name(name: &Ident) -> Ident {
    quote::format_ident!("__type_{}", name.unraw(), span = name.span())
}

/// The name of the macro that hands out a type or trait with its `impl`s, whether there are errors in these or not.
#[must_use]
pub fn whole_name(name: &Ident) -> Ident {
    quote::format_ident!("__whole_{}", name.unraw(), span = name.span())
}

/// A path, without generic arguments, to what has another name beside what it leads to.
pub(crate) fn path_to(path: &Path, name: fn(&Ident) -> Ident) -> Path {
    let mut path = path.clone();
    for segment in &mut path.segments {
        segment.arguments = syn::PathArguments::None;
    }
    if let Some(last) = path.segments.last_mut() {
        last.ident = name(&last.ident);
    }
    path
}

/// Returns whether a token is a colon, as in a path.
pub(crate) fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
}

/// The key of a path that may start with `self`.
fn key_here(path: &Path) -> String {
    let key = key(path);
    key.strip_prefix("self::").map_or_else(|| key.clone(), str::to_owned)
}

/// What may list an `impl`: the type that it is for or, where that is none of the user's, its trait.
pub(crate) fn lister(item: &syn::ItemImpl) -> Option<&Path> {
    let generic = |path: &Path| {
        let mut parameters = item.generics.type_params();
        path.get_ident().is_some_and(|name| parameters.any(|parameter| parameter.ident == *name))
    };
    match &*item.self_ty {
        syn::Type::Path(own) if own.qself.is_none() && !generic(&own.path) && !is_given(&own.path) => {
            Some(&own.path)
        }
        _ => item.trait_.as_ref().map(|(path, _)| path).filter(|path| !is_given(path)),
    }
}

/// Returns whether a path most likely names what no user has written.
fn is_given(path: &Path) -> bool {
    is_builtin(path) || presumed(&key(path)).is_some()
}

/// The name under which other code knows an item.
#[must_use]
pub fn item_name(item: &Item) -> Option<&Ident> {
    match item {
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Const(item) => Some(&item.ident),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        _ => None,
    }
}

/// The tokens by which the chain calls the macro of a path.
///
/// A name that the standard prelude also gives a macro is ambiguous where it comes from a glob import; there, and only there,
/// the path is made to start at `self`.
fn macro_path(path: &Path) -> TokenStream {
    let plain = path.to_token_stream();
    match path.get_ident() {
        Some(name) if PRELUDE_MACROS.contains(&name.to_string().as_str()) => {
            let span: Span = name.span();
            quote_spanned!(span=> self::#plain)
        }
        _ => plain,
    }
}

/// The macros of the standard prelude whose names are plausible for a device function.
const PRELUDE_MACROS: &[&str] = &[
    "assert",
    "cfg",
    "column",
    "concat",
    "dbg",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "include",
    "line",
    "matches",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Code in which calls of those macros of the standard prelude whose names are those of device functions beside it are made by their whole paths: each of these
/// functions has a macro of its name too.
pub(crate) fn with_whole_macro_paths(tokens: TokenStream, is_function: &dyn Fn(&str) -> bool) -> TokenStream {
    if !PRELUDE_MACROS.iter().any(|name| is_function(name)) {
        return tokens;
    }
    let mut result = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    let mut follows_colon = false;
    while let Some(token) = tokens.next() {
        let is_call = matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '!' && next.spacing() == proc_macro2::Spacing::Alone);
        match &token {
            TokenTree::Ident(name) if is_call && !follows_colon => {
                let text = name.to_string();
                if PRELUDE_MACROS.contains(&text.as_str()) && is_function(&text) {
                    let span = name.span();
                    result.extend(quote_spanned!(span=> ::std::#name));
                } else {
                    result.extend([token.clone()]);
                }
            }
            TokenTree::Group(group) => {
                let inner = with_whole_macro_paths(group.stream(), is_function);
                let mut replaced = proc_macro2::Group::new(group.delimiter(), inner);
                replaced.set_span(group.span());
                result.extend([TokenTree::Group(replaced)]);
            }
            _ => result.extend([token.clone()]),
        }
        follows_colon = is_colon(Some(&token));
    }
    result
}

/// The scalar types of Rust itself, whose associated items need no look-up.
pub(crate) fn is_primitive(name: &syn::Ident) -> bool {
    Scalar::primitive(&name.to_string()).is_some()
}

/// The type of the crate `half` that a path starts with, as in `half::f16::MAX`, and what follows.
///
/// The crate has no macros for the chain, and needs none: nobody else's `half` has types of these names.
pub(crate) fn half_type(path: &Path) -> Option<(Scalar, impl Iterator<Item = &Ident>)> {
    let mut names = path.segments.iter().map(|segment| &segment.ident);
    if names.next()? != "half" {
        return None;
    }
    let scalar = Scalar::from_name(&names.next()?.to_string()).filter(|scalar| scalar.is_half())?;
    Some((scalar, names))
}

/// Returns whether the compiler knows the meaning of a path, or that it has none on a device, without rustc's help.
fn is_builtin(path: &Path) -> bool {
    let first = &path.segments[0].ident;
    let standard = first == "std" || first == "core" || first == "alloc";
    is_primitive(first)
        || first == "Self"
        || (path.segments.len() > 1 && standard)
        || STANDARD.iter().any(|name| first == name)
        || host_only(first).is_some()
        || half_type(path).is_some()
        || atomic::is_named(path)
}

/// The names of the standard prelude, and of its operators, that device code has.
const STANDARD: &[&str] = &[
    "Option",
    "Some",
    "None",
    "Result",
    "Ok",
    "Err",
    "Copy",
    "Clone",
    "Sized",
    "Default",
    "From",
    "Into",
    "PartialEq",
    "Eq",
    "Ordering",
    "TryFrom",
    "TryInto",
    "TryFromIntError",
    "TryFromSliceError",
    "Extend",
    "FromIterator",
    "Iterator",
    "IntoIterator",
    "ExactSizeIterator",
    "DoubleEndedIterator",
    "AsRef",
    "AsMut",
    "Drop",
    "Send",
    "Sync",
    "Unpin",
    "str",
    "char",
    "u128",
    "i128",
    "PartialOrd",
    "Ord",
    "Fn",
    "FnMut",
    "FnOnce",
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "Neg",
    "Not",
    "BitAnd",
    "BitOr",
    "BitXor",
    "Shl",
    "Shr",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "RemAssign",
    "BitAndAssign",
    "BitOrAssign",
    "BitXorAssign",
    "ShlAssign",
    "ShrAssign",
    "Index",
    "IndexMut",
];

/// The names that are taken for those of the standard library, unless an item beside what uses them has one.
pub(crate) fn standard_names() -> impl Iterator<Item = &'static str> {
    STANDARD.iter().copied()
}

/// The built-in item that a path most likely names.
pub fn presumed(key: &str) -> Option<String> {
    let mut segments = key.rsplit("::");
    let last = segments.next()?;
    let name = match segments.next() {
        Some(group @ ("subgroup" | "work_group")) => format!("{group}_{last}"),
        _ => last.to_owned(),
    };
    let is_type = vector(&name).is_some() || name == "Local" || name == "Constant";
    (is_type || crate::infer::is_intrinsic(&name)).then_some(name)
}

/// Returns whether a path in a function names the function itself.
pub(crate) fn is_own(path: &Path, name: &Ident) -> bool {
    let mut segments = path.segments.iter();
    let first = segments.next().map(|segment| &segment.ident);
    match (path.leading_colon, first, segments.next(), segments.next()) {
        (None, Some(only), None, None) => only == name,
        (None, Some(first), Some(second), None) => first == "self" && second.ident == *name,
        _ => false,
    }
}

/// What to use instead of a type of the standard prelude that a device cannot have.
pub(crate) fn host_only(name: &syn::Ident) -> Option<&'static str> {
    let name = name.to_string();
    let (_, advice) = HOST_ONLY.iter().find(|(names, _)| names.contains(&name.as_str()))?;
    Some(advice)
}

/// The names of these types, which a type of the user's own may have.
pub(crate) fn host_only_names() -> impl Iterator<Item = &'static str> {
    HOST_ONLY.iter().flat_map(|(names, _)| names.iter().copied())
}

const HOST_ONLY: &[(&[&str], &str)] = &[
    (
        &["Vec", "Box", "VecDeque", "HashMap", "BTreeMap"],
        "a device has no heap: use an array `[T; N]`, or a slice that the host allocates",
    ),
    (&["String"], "a device has no heap: pass bytes, as a `&[u8]`"),
    (&["Rc", "Arc", "Mutex"], "a device has no heap: pass slices and scalars"),
    (&["RefCell"], "a device has no destructors, by which a borrow ends: use a `Cell`, or `&mut`"),
    (&["f128"], "a device has `f16`, `bf16`, `f32` and `f64`"),
];

/// The names that a pattern binds.
pub(crate) fn bound_names(pattern: &Pat) -> Vec<&Ident> {
    struct Binder<'ast>(Vec<&'ast Ident>);
    impl<'ast> Visit<'ast> for Binder<'ast> {
        fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
            self.0.push(&pattern.ident);
            if let Some((_, inner)) = &pattern.subpat {
                self.visit_pat(inner);
            }
        }
    }
    let mut binder = Binder(Vec::new());
    binder.visit_pat(pattern);
    binder.0
}

/// The paths in a pattern, which name constants, also as the ends of ranges, and structs and variants.
fn constant_paths(pattern: &Pat) -> Vec<&Path> {
    struct Finder<'ast>(Vec<&'ast Path>);
    impl<'ast> Visit<'ast> for Finder<'ast> {
        fn visit_expr_path(&mut self, path: &'ast ExprPath) {
            self.0.push(&path.path);
        }
        fn visit_pat_struct(&mut self, pattern: &'ast syn::PatStruct) {
            self.0.push(&pattern.path);
            visit::visit_pat_struct(self, pattern);
        }
        fn visit_pat_tuple_struct(&mut self, pattern: &'ast syn::PatTupleStruct) {
            self.0.push(&pattern.path);
            visit::visit_pat_tuple_struct(self, pattern);
        }
        // What a type names is found where the type is visited.
        fn visit_type(&mut self, _: &'ast syn::Type) {}
    }
    let mut finder = Finder(Vec::new());
    let pattern = if let Pat::Guard(guarded) = pattern { &*guarded.pat } else { pattern };
    finder.visit_pat(pattern);
    finder.0
}

/// What a name in a body stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Local {
    Variable,
    Constant,
}

#[derive(Default)]
struct Collector {
    scope: Scope<Local>,
    /// The generic parameters in scope.
    generics: Vec<String>,
    /// The items around, which need no look-up.
    own: HashSet<String>,
    /// The functions around, with which no longer path starts: that may be a module of the same name.
    functions: HashSet<String>,
    /// Whether items in bodies are found too, which need none either.
    sees_blocks: bool,
    found: Dependencies,
}

impl Collector {
    /// Notes an item around.
    fn own_item(&mut self, item: &Item, module: &[Ident]) {
        let Some(name) = item_name(item) else { return };
        let own = if matches!(item, Item::Fn(_)) { &mut self.functions } else { &mut self.own };
        own.insert(key_in(module, name));
    }

    /// Defines the names that a pattern binds.
    fn bind(&mut self, pattern: &Pat) {
        for name in bound_names(pattern) {
            self.scope.define(name, Local::Variable);
        }
        for path in constant_paths(pattern) {
            self.used_as_value(path);
            self.used_as_type(path);
            self.item_path(path);
        }
    }

    /// A pattern that need not match: a name in it that starts with a capital letter is a constant.
    fn tested_pattern(&mut self, pattern: &Pat) {
        for name in bound_names(pattern) {
            if name.to_string().starts_with(|first: char| first.is_uppercase()) {
                self.value_path(&Path::from(name.clone()));
            } else {
                self.scope.define(name, Local::Variable);
            }
        }
        for path in constant_paths(pattern) {
            self.used_as_value(path);
            self.used_as_type(path);
            self.item_path(path);
        }
    }

    /// An expression path that is not the callee of a call names a variable or a constant, or a type in the list of those that a
    /// kernel is for. A variable that does not exist is rustc's to report, so other names in lower case are looked up only if something else says that they are items.
    fn value_path(&mut self, path: &Path) {
        if let Some(name) = path.get_ident() {
            let text = name.to_string();
            let is_item = text.starts_with(|first: char| first.is_uppercase())
                || Scalar::from_name(&text).is_some()
                || vector(&text).is_some();
            if self.scope.get(name).is_some() {
                return;
            }
            if !is_item && certain(&text).is_some() {
                self.found.foreign.push(path.clone());
            }
            if !is_item || ordering(path).is_some() {
                let is_known = name == "self" || self.is_own(path) || is_builtin(path);
                if !is_item && self.found.lower.insert(text) && !is_known {
                    self.found.perhaps_functions.push(path.clone());
                }
                return;
            }
        }
        self.used_as_value(path);
        self.item_path(path);
    }

    /// Notes that the name of a path is that of a value; a longer path starts with a type or a module.
    fn used_as_value(&mut self, path: &Path) {
        if path.segments.len() == 1 {
            self.found.values.insert(path.segments[0].ident.to_string());
        } else {
            self.used_as_type(path);
        }
    }

    /// Notes what an expression names that stands for types: a path, or a list, tuple or array of such.
    fn types(&mut self, types: &Expr) {
        match types {
            Expr::Array(list) => list.elems.iter().for_each(|item| self.types(item)),
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|item| self.types(item)),
            Expr::Repeat(array) => {
                self.types(&array.expr);
                self.visit_expr(&array.len);
            }
            // What is in lower case is a type of Rust's own, or else rustc says that there is none of the name.
            Expr::Path(ExprPath { qself: None, path, .. })
                if path.get_ident().is_none_or(|name| is_type_name(&name.to_string())) =>
            {
                self.used_as_type(path);
                self.path(path, item_segments(path));
                self.visit_path(path);
            }
            other => self.visit_expr(other),
        }
    }

    /// Notes that a path starts with the name of a type or a module.
    fn used_as_type(&mut self, path: &Path) {
        self.found.types.insert(path.segments[0].ident.to_string());
    }

    fn item_path(&mut self, path: &Path) {
        self.path(path, item_segments(path));
    }

    /// A path whose first segments name an item, unless they name something that is known without a look-up.
    fn path(&mut self, path: &Path, segments: usize) {
        if !self.is_own(path) && !is_builtin(path) {
            self.found.add(path, segments);
        }
    }

    /// Returns whether a path starts with a generic parameter, or names one of the items around.
    fn is_own(&self, path: &Path) -> bool {
        if path.leading_colon.is_some() {
            return false;
        }
        let mut segments = path.segments.iter().map(|segment| segment.ident.to_string()).peekable();
        if segments.peek().is_some_and(|first| self.generics.contains(first)) {
            return true;
        }
        if segments.peek().is_some_and(|first| locals::is_block(first)) {
            return !self.sees_blocks;
        }
        segments.next_if(|first| first == "self");
        let mut start = String::new();
        segments.any(|name| {
            start.push_str(if start.is_empty() { "" } else { "::" });
            start.push_str(&name);
            self.own.contains(&start)
        }) || self.functions.contains(&start)
    }

    /// Adds the generic parameters of an item, visits what they are bounded by, and says how many there were before.
    fn enter_generics(&mut self, generics: &'_ syn::Generics) -> usize {
        let outer = self.generics.len();
        for parameter in &generics.params {
            match parameter {
                syn::GenericParam::Type(parameter) => self.generics.push(parameter.ident.to_string()),
                syn::GenericParam::Const(parameter) => self.generics.push(parameter.ident.to_string()),
                syn::GenericParam::Lifetime(_) => {}
            }
        }
        self.visit_generics(generics);
        outer
    }

    fn item_fn(&mut self, function: &ItemFn, conditions: &[Expr]) {
        // A function that calls itself needs no look-up to be refused.
        self.functions.insert(function.sig.ident.to_string());
        self.function(&function.sig, conditions, Some(&function.block));
    }

    fn function(&mut self, signature: &Signature, conditions: &[Expr], block: Option<&Block>) {
        let outer = self.enter_generics(&signature.generics);
        let mark = self.scope.mark();
        for parameter in &signature.inputs {
            if let syn::FnArg::Typed(parameter) = parameter {
                self.visit_type(&parameter.ty);
                self.bind(&parameter.pat);
            }
        }
        conditions.iter().for_each(|condition| self.visit_expr(condition));
        self.visit_return_type(&signature.output);
        if let Some(block) = block {
            self.visit_block(block);
        }
        self.scope.leave(mark);
        self.generics.truncate(outer);
    }
}

/// How many segments of an expression path name the item: `Local::<[f32; 8]>::new` is about `Local`.
fn item_segments(path: &Path) -> usize {
    let count = path.segments.len();
    let before_last = count.checked_sub(2).map(|index| path.segments[index].ident.to_string());
    match before_last {
        Some(name) if is_type_name(&name) => count - 1,
        _ => count,
    }
}

/// Returns whether a name is that of a type: by its capital letter, or because it is one of kernel-core.
fn is_type_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_uppercase())
        || Scalar::from_name(name).is_some()
        || vector(name).is_some()
}

/// The scalar and the number of lanes that the name of a vector says, such as `f32x4`.
pub(crate) fn vector(name: &str) -> Option<(Scalar, u32)> {
    let (scalar, lanes) = name.rsplit_once('x')?;
    let lanes = lanes.parse().ok().filter(|lanes| [2, 3, 4, 8, 16].contains(lanes))?;
    Some((Scalar::from_name(scalar)?, lanes))
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_block(&mut self, block: &'ast Block) {
        let mark = self.scope.mark();
        for statement in &block.stmts {
            // Items are visible in the whole block, before their definition too.
            if let syn::Stmt::Item(item @ (Item::Const(_) | Item::Static(_))) = statement {
                item_name(item).into_iter().for_each(|name| self.scope.define(name, Local::Constant));
            }
        }
        visit::visit_block(self, block);
        self.scope.leave(mark);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, diverge)) = &init.diverge {
                self.visit_expr(diverge);
            }
        }
        if let syn::Pat::Type(pattern) = &local.pat {
            self.visit_type(&pattern.ty);
        }
        if local.init.as_ref().is_some_and(|init| init.diverge.is_some()) {
            self.tested_pattern(&local.pat);
        } else {
            self.bind(&local.pat);
        }
    }

    fn visit_expr_for_loop(&mut self, for_loop: &'ast syn::ExprForLoop) {
        self.visit_expr(&for_loop.expr);
        let mark = self.scope.mark();
        self.bind(&for_loop.pat);
        self.visit_block(&for_loop.body);
        self.scope.leave(mark);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        match &*call.func {
            Expr::Path(callee) if callee.qself.is_none() => {
                self.visit_path(&callee.path);
                match callee.path.get_ident() {
                    // `self` is a closure where an `impl` is for all that can be called.
                    Some(name) if name == "self" || self.scope.get(name).is_some() => {}
                    _ => {
                        self.used_as_value(&callee.path);
                        self.item_path(&callee.path);
                    }
                }
            }
            callee => self.visit_expr(callee),
        }
        for argument in &call.args {
            self.visit_expr(argument);
        }
    }

    fn visit_expr_path(&mut self, expression: &'ast ExprPath) {
        if expression.qself.is_none() {
            self.value_path(&expression.path);
        }
        visit::visit_expr_path(self, expression);
    }

    fn visit_type_path(&mut self, ty: &'ast syn::TypePath) {
        // A generic argument that is a name alone looks like a type.
        let is_constant = ty.path.get_ident().and_then(|name| self.scope.get(name)) == Some(&Local::Constant);
        if ty.qself.is_none() && !is_constant {
            self.used_as_type(&ty.path);
            // In `T::Output` the last segment belongs to the type before it.
            self.path(&ty.path, item_segments(&ty.path));
        }
        visit::visit_type_path(self, ty);
    }

    fn visit_generic_argument(&mut self, argument: &'ast syn::GenericArgument) {
        // A constant that is a name alone looks like a type.
        if let syn::GenericArgument::Type(syn::Type::Path(ty)) = argument
            && ty.qself.is_none()
        {
            self.used_as_value(&ty.path);
        }
        visit::visit_generic_argument(self, argument);
    }

    fn visit_trait_bound(&mut self, bound: &'ast syn::TraitBound) {
        self.used_as_type(&bound.path);
        self.path(&bound.path, bound.path.segments.len());
        visit::visit_path(self, &bound.path);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        let mark = self.scope.mark();
        for input in &closure.inputs {
            if let Pat::Type(input) = input {
                self.visit_type(&input.ty);
            }
            self.bind(input);
        }
        self.visit_return_type(&closure.output);
        self.visit_expr(&closure.body);
        self.scope.leave(mark);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let mark = self.scope.mark();
        self.tested_pattern(&arm.pat);
        if let Pat::Guard(guarded) = &arm.pat {
            self.visit_expr(&guarded.guard);
        }
        self.visit_expr(&arm.body);
        self.scope.leave(mark);
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        let mark = self.scope.mark();
        self.visit_expr(&branch.cond);
        self.visit_block(&branch.then_branch);
        self.scope.leave(mark);
        if let Some((_, otherwise)) = &branch.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_while(&mut self, repeat: &'ast syn::ExprWhile) {
        let mark = self.scope.mark();
        self.visit_expr(&repeat.cond);
        self.visit_block(&repeat.body);
        self.scope.leave(mark);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Some(matching) = matching(call) {
            self.visit_expr_match(&matching);
        } else if let Some(panicking) = panicking(call) {
            panicking.parts().into_iter().for_each(|part| self.visit_expr(part));
        } else if let Some(formatted) = format_arguments(call) {
            formatted.arguments.iter().for_each(|argument| self.visit_expr(&argument.value));
        } else if let Some(writing) = writing(call) {
            self.visit_expr(&writing.target);
            writing.formatted.arguments.iter().for_each(|argument| self.visit_expr(&argument.value));
        } else if let Some(printing) = printing(call) {
            printing.formatted.arguments.iter().for_each(|argument| self.visit_expr(&argument.value));
        }
    }

    fn visit_expr_let(&mut self, test: &'ast syn::ExprLet) {
        self.visit_expr(&test.expr);
        self.tested_pattern(&test.pat);
    }

    fn visit_expr_struct(&mut self, literal: &'ast syn::ExprStruct) {
        if literal.qself.is_none() {
            self.used_as_type(&literal.path);
            self.item_path(&literal.path);
        }
        visit::visit_path(self, &literal.path);
        for field in &literal.fields {
            self.visit_expr(&field.expr);
        }
        if let Some(rest) = &literal.rest {
            self.visit_expr(rest);
        }
    }

    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Const(constant) => {
                self.visit_type(&constant.ty);
                self.visit_expr(&constant.expr);
            }
            Item::Static(item) => {
                self.visit_type(&item.ty);
                self.visit_expr(&item.expr);
            }
            Item::Fn(function) => self.item_fn(function, &[]),
            Item::Struct(item) => {
                let outer = self.enter_generics(&item.generics);
                self.visit_fields(&item.fields);
                self.generics.truncate(outer);
            }
            Item::Enum(item) => {
                let outer = self.enter_generics(&item.generics);
                for variant in &item.variants {
                    self.visit_variant(variant);
                }
                self.generics.truncate(outer);
            }
            Item::Impl(item) => {
                let outer = self.enter_generics(&item.generics);
                if let Some((path, _)) = &item.trait_ {
                    self.path(path, path.segments.len());
                    visit::visit_path(self, path);
                }
                self.visit_type(&item.self_ty);
                for member in &item.items {
                    self.visit_impl_item(member);
                }
                self.generics.truncate(outer);
            }
            Item::Trait(item) => {
                let outer = self.enter_generics(&item.generics);
                for member in &item.items {
                    self.visit_trait_item(member);
                }
                self.generics.truncate(outer);
            }
            Item::Type(item) => {
                let outer = self.enter_generics(&item.generics);
                self.visit_type(&item.ty);
                self.generics.truncate(outer);
            }
            _ => {}
        }
    }

    fn visit_impl_item_fn(&mut self, member: &'ast syn::ImplItemFn) {
        self.function(&member.sig, &[], Some(&member.block));
    }

    fn visit_trait_item_fn(&mut self, member: &'ast syn::TraitItemFn) {
        self.function(&member.sig, &[], member.default.as_ref());
    }

    fn visit_impl_item_type(&mut self, member: &'ast syn::ImplItemType) {
        let outer = self.enter_generics(&member.generics);
        self.visit_type(&member.ty);
        self.generics.truncate(outer);
    }

    fn visit_trait_item_type(&mut self, member: &'ast syn::TraitItemType) {
        let outer = self.enter_generics(&member.generics);
        visit::visit_trait_item_type(self, member);
        self.generics.truncate(outer);
    }
}
