//! Walks a module tree by rustc's rules and gathers the kernels that can be named from its root.

use crate::scan;
use proc_macro2::{Ident, LineColumn, TokenStream};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Item, ItemMod, Token, bracketed};

/// The module tree and its kernels.
#[derive(Default)]
pub(crate) struct Tree {
    /// The path of each kernel's function below the crate.
    kernels: Vec<String>,
    /// For each file of the tree the places of the `#[kernel]`s that were listed.
    listed: BTreeMap<PathBuf, BTreeSet<LineColumn>>,
}

/// A module while its items are walked.
struct Scope<'a> {
    /// Its path below the crate, with a trailing `::`.
    path: String,
    /// The file that it is written in.
    file: &'a Path,
    /// The folder of the files of its child modules.
    folder: PathBuf,
}

impl Tree {
    /// Adds the kernels of a module of the crate that is in a file, and those of the modules in it.
    pub(crate) fn walk(&mut self, module: &str, file: &Path) -> Result<(), Box<dyn Error>> {
        let folder = file.parent().ok_or("a source file is in a folder")?.to_owned();
        self.walk_file(file, format!("{module}::"), folder)
    }

    pub(crate) fn lists(&self, file: &Path, place: LineColumn) -> bool {
        self.listed.get(file).is_some_and(|places| places.contains(&place))
    }

    /// What to do about a kernel that is not listed.
    pub(crate) fn advice(&self, file: &Path) -> String {
        if self.listed.contains_key(file) {
            return "move it out of the function or macro, or make it with `for_types!`".to_owned();
        }
        let name = file.file_stem().unwrap_or_default().display();
        format!(
            "add `#[path = …] pub mod {name};` and its cases to the modules of tests/kernels, or those of the programs there"
        )
    }

    /// Rust source of the table of all kernels. Those of programs are told from others by their paths, so that only these have the name of their module.
    pub(crate) fn table(&self) -> String {
        let mut source = String::from("&[\n");
        for path in &self.kernels {
            let (module, function) = path.rsplit_once("::").unwrap_or(("", path));
            let name = function.to_uppercase();
            let path = path.strip_prefix("kernels::").unwrap_or(path);
            source += &format!("    Kernel {{ path: {path:?}, descriptor: &crate::{module}::{name} }},\n");
        }
        source + "]\n"
    }

    fn walk_file(&mut self, file: &Path, path: String, folder: PathBuf) -> Result<(), Box<dyn Error>> {
        let file = file.canonicalize().map_err(|error| format!("{}: {error}", file.display()))?;
        println!("cargo::rerun-if-changed={}", file.display());
        self.listed.entry(file.clone()).or_default();
        let text = fs::read_to_string(&file)?;
        let parsed = syn::parse_file(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        self.walk_items(&parsed.items, &Scope { path, file: &file, folder })
    }

    fn walk_items(&mut self, items: &[Item], scope: &Scope<'_>) -> Result<(), Box<dyn Error>> {
        for item in items {
            match item {
                Item::Fn(function) => self.list(&function.sig.ident, &function.attrs, scope),
                Item::Mod(module) => self.walk_module(module, scope)?,
                Item::Macro(call) if call.mac.path.is_ident("for_types") => {
                    let repetition: Repetition = call.mac.parse_body()?;
                    for (module, items) in repetition.modules()? {
                        self.walk_items(&items, &scope.child(&module))?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn list(&mut self, function: &Ident, attributes: &[Attribute], scope: &Scope<'_>) {
        for attribute in attributes {
            let Some(name) = attribute.path().segments.last() else { continue };
            if name.ident == "kernel" {
                let function = function.to_string();
                for instance in instances(attribute) {
                    let function = function.trim_start_matches("r#");
                    self.kernels.push(format!("{}{function}{instance}", scope.path));
                }
                self.listed.entry(scope.file.to_owned()).or_default().insert(name.ident.span().start());
            }
        }
    }

    fn walk_module(&mut self, module: &ItemMod, scope: &Scope<'_>) -> Result<(), Box<dyn Error>> {
        let child = scope.child(&module.ident);
        if let Some((_, items)) = &module.content {
            return self.walk_items(items, &child);
        }
        if let Some(relative) = path_attribute(module)? {
            let file = scope.file.parent().ok_or("a source file is in a folder")?.join(relative);
            let folder = file.parent().ok_or("a source file is in a folder")?.to_owned();
            return self.walk_file(&file, child.path, folder);
        }
        let beside = child.folder.with_extension("rs");
        let file = if beside.exists() { beside } else { child.folder.join("mod.rs") };
        self.walk_file(&file, child.path, child.folder)
    }
}

impl Scope<'_> {
    fn child(&self, module: &Ident) -> Self {
        let name = module.to_string();
        Self { path: format!("{}{name}::", self.path), file: self.file, folder: self.folder.join(name) }
    }
}

/// What the names of a kernel's instances end with: nothing, or for a generic kernel each choice of its arguments, which are lists under names
/// that start with an upper-case letter.
fn instances(attribute: &Attribute) -> Vec<String> {
    let mut endings = vec![String::new()];
    let arguments = attribute.parse_args_with(Punctuated::<Argument, Token![,]>::parse_terminated);
    for argument in arguments.into_iter().flatten() {
        let Argument(Some(syn::Expr::Assign(assign))) = argument else { continue };
        let name = assign.left.to_token_stream().to_string();
        let syn::Expr::Array(list) = &*assign.right else { continue };
        if name.starts_with(|first: char| first.is_uppercase()) {
            let longer = endings.iter().flat_map(|ending| {
                list.elems.iter().map(move |element| {
                    let element = element.to_token_stream().to_string();
                    let element: String = element.chars().filter(|c| c.is_alphanumeric()).collect();
                    format!("{ending}_{element}")
                })
            });
            endings = longer.collect();
        }
    }
    endings
}

/// An argument of `#[kernel]`, unless it is `unsafe(…)`, which is no expression.
struct Argument(Option<syn::Expr>);

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.parse::<Option<Token![unsafe]>>()?.is_none() {
            return input.parse().map(|argument| Self(Some(argument)));
        }
        input.parse::<proc_macro2::Group>().map(|_| Self(None))
    }
}

/// The value of `#[path = "…"]`.
fn path_attribute(module: &ItemMod) -> Result<Option<String>, Box<dyn Error>> {
    let Some(attribute) = module.attrs.iter().find(|attribute| attribute.path().is_ident("path")) else {
        return Ok(None);
    };
    match &attribute.meta.require_name_value()?.value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) => Ok(Some(path.value())),
        _ => Err("the value of a path attribute is a string".into()),
    }
}

/// The arguments of `for_types!`.
struct Repetition {
    variable: Ident,
    types: Vec<(Ident, Ident)>,
    items: TokenStream,
}

impl Parse for Repetition {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![|]>()?;
        input.parse::<Token![$]>()?;
        let variable = input.parse()?;
        input.parse::<Token![|]>()?;
        input.parse::<Token![in]>()?;
        let list;
        bracketed!(list in input);
        let pair = |input: ParseStream<'_>| {
            let module = input.parse()?;
            input.parse::<Token![:]>()?;
            Ok((module, input.parse()?))
        };
        let types = list.parse_terminated(pair, Token![,])?.into_iter().collect();
        Ok(Self { variable, types, items: input.parse()? })
    }
}

impl Repetition {
    /// Each module that the macro makes, with its items.
    fn modules(&self) -> syn::Result<Vec<(Ident, Vec<Item>)>> {
        let variable = self.variable.to_string();
        let module = |(module, ty): &(Ident, Ident)| {
            let tokens = scan::substitute(self.items.clone(), &variable, ty);
            Ok((module.clone(), syn::parse2::<syn::File>(tokens)?.items))
        };
        self.types.iter().map(module).collect()
    }
}
