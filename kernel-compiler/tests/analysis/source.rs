//! Kernels from their source, without the macros.

use crate::round_trip;
use kernel_compiler::analysis::{Analysis, discharge, keep_fault_exits, relax_barriers};
use kernel_compiler::chain::{Link, Resolved};
use kernel_compiler::diagnostics::Diagnostics;
use kernel_compiler::infer::{self, Program, Source};
use kernel_compiler::ir::{Attributes, FloatMode, Module};
use kernel_compiler::lower;
use kernel_compiler::names::{self, Dependencies};
use std::rc::Rc;
use syn::ItemFn;

/// The links of a kernel that refers to intrinsics only, by their own names.
fn resolved(item: &ItemFn) -> Resolved {
    let dependencies = Dependencies::of_function(item, [], [], &[]);
    let links = dependencies.paths().iter().map(|path| {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        // What is in a module of `kernel_core` is known by the names of both.
        let is_of_group = matches!(names[0].as_str(), "work_group" | "subgroup");
        let name = if is_of_group { names.join("_") } else { names[names.len() - 1].clone() };
        (names::key(path), Link::Builtin(name))
    });
    let mut resolved = Resolved::default();
    resolved.links.extend(links);
    resolved
}

fn parse(source: &str) -> ItemFn {
    syn::parse_str(source).expect("the source is a function")
}

/// The kernel as lowering leaves it.
pub(crate) fn lowered(source: &str, group_size: Option<[u32; 3]>) -> Module {
    lowered_with(source, Attributes { group_size, ..Attributes::default() })
}

fn lowered_with(source: &str, attributes: Attributes) -> Module {
    let module = lowered_item(parse(source), attributes);
    module.unwrap_or_else(|errors| panic!("the kernel is accepted: {errors:?}"))
}

/// The kernels of a file as lowering leaves them, which compute as OpenCL C does by default.
pub(crate) fn kernels(file: &str) -> Vec<Module> {
    let file = syn::parse_file(file).expect("the file is one of Rust");
    let kernels = file.items.into_iter().filter_map(|item| match item {
        syn::Item::Fn(item) => Some(item),
        _ => None,
    });
    let lowered = kernels.map(|mut item| {
        let group_size = group_size(&item.attrs);
        item.attrs.clear();
        let attributes = Attributes { group_size, float_mode: FloatMode::OpenCl, ..Attributes::default() };
        let module = lowered_item(item, attributes);
        module.unwrap_or_else(|errors| panic!("the kernel is accepted: {errors:?}"))
    });
    lowered.collect()
}

/// What `#[kernel(group_size = 256)]` asks for.
fn group_size(attributes: &[syn::Attribute]) -> Option<[u32; 3]> {
    let [attribute] = attributes else { return None };
    let syn::Meta::List(list) = &attribute.meta else { return None };
    let argument: syn::MetaNameValue = list.parse_args().expect("there is one argument");
    let number = |size: &syn::Expr| match size {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(size), .. }) => size.base10_parse().ok(),
        _ => None,
    };
    let sizes: Vec<u32> = match &argument.value {
        syn::Expr::Array(sizes) => sizes.elems.iter().filter_map(number).collect(),
        size => number(size).into_iter().collect(),
    };
    Some(std::array::from_fn(|dimension| sizes.get(dimension).copied().unwrap_or(1)))
}

/// The kernel that a function is, as lowering leaves it.
pub(crate) fn lowered_item(item: ItemFn, attributes: Attributes) -> Result<Module, Diagnostics> {
    let resolved = resolved(&item);
    let program = Program::new(&resolved);
    let source = Source::kernel(Rc::new(item), Rc::new(resolved.links.clone()));
    infer::signature(&program, &source)
        .and_then(|signature| infer::function(&program, &source, &signature, &[]))
        .and_then(|function| lower::module(&program, &function, attributes))
}

/// The kernel without the checks that are proved.
pub(crate) fn discharged(source: &str, group_size: Option<[u32; 3]>) -> Module {
    without_proved(lowered(source, group_size))
}

/// The kernel that checks for overflow, without the checks that are proved.
pub(crate) fn discharged_with_overflow(source: &str) -> Module {
    without_proved(lowered_with(source, Attributes { checks_overflow: true, ..Attributes::default() }))
}

fn without_proved(mut module: Module) -> Module {
    keep_fault_exits(&mut module);
    let analysis = Analysis::of(&module);
    discharge(&mut module, &analysis);
    relax_barriers(&mut module);
    assert_eq!(module.verify(), Ok(()));
    round_trip::check(&module);
    module
}
