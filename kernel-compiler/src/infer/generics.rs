//! Generic parameters: a generic function is inferred anew for each list of arguments.

use super::Infer;
use crate::chain::Id;
use crate::hash::HashMap;
use crate::typed::Ty;
use kernel_core::Scalar;
use syn::{GenericArgument, GenericParam, Generics, PathArguments, ReturnType, TypeParamBound};

/// A generic parameter of a function, a type or an `impl`.
#[derive(Clone, Debug)]
pub struct Generic {
    /// Its name.
    pub name: String,
    /// The type of its values, for `const N: usize`.
    pub constant: Option<Scalar>,
    /// The bound by which it can be called: `Fn(f32) -> f32`.
    pub callable: Option<syn::ParenthesizedGenericArguments>,
    /// The traits that it is bound by.
    pub bounds: Vec<Bound>,
}

/// A trait that a generic parameter is bound by.
#[derive(Clone, Debug)]
pub enum Bound {
    /// As it is written.
    Path(syn::Path),
    /// The trait that this is the implementor of.
    Item(Id),
}

impl Generic {
    /// A type without bounds.
    pub(super) fn named(name: &str) -> Self {
        Self { name: name.to_owned(), constant: None, callable: None, bounds: Vec::new() }
    }

    /// The type that implements a trait.
    pub(super) fn implementor(of: &Id) -> Self {
        let bounds = vec![Bound::Item(of.clone())];
        Self { name: "Self".to_owned(), constant: None, callable: None, bounds }
    }
}

/// The traits among bounds.
pub(super) fn traits<'b>(
    bounds: impl IntoIterator<Item = &'b TypeParamBound>,
) -> impl Iterator<Item = &'b syn::Path> {
    bounds.into_iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => Some(&bound.path),
        _ => None,
    })
}

fn written<'b>(bounds: impl IntoIterator<Item = &'b TypeParamBound>) -> Vec<Bound> {
    traits(bounds).cloned().map(Bound::Path).collect()
}

/// The bounds of types that are no parameters of the item by themselves: `where I::Item: Trait`, or those of parameters of what is around it.
pub(super) fn bounded(generics: &Generics) -> Vec<(syn::Type, Vec<Bound>)> {
    let is_own = |name: &syn::Ident| generics.type_params().any(|parameter| parameter.ident == *name);
    let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let bounded = clauses.filter_map(|clause| match clause {
        syn::WherePredicate::Type(clause) => match &clause.bounded_ty {
            syn::Type::Path(path) if path.path.get_ident().is_some_and(is_own) => None,
            ty => Some((ty.clone(), written(&clause.bounds))),
        },
        _ => None,
    });
    bounded.collect()
}

/// What generic parameters stand for.
pub(super) type Scope = HashMap<String, (Ty, Option<Scalar>)>;

/// The parameters of an item, without lifetimes.
pub(super) fn of(generics: &Generics) -> Vec<Generic> {
    let mut found = Vec::new();
    for parameter in &generics.params {
        match parameter {
            GenericParam::Type(parameter) => found.push(Generic {
                name: parameter.ident.to_string(),
                constant: None,
                callable: callable(&parameter.bounds),
                bounds: written(&parameter.bounds),
            }),
            GenericParam::Const(parameter) => found.push(Generic {
                name: parameter.ident.to_string(),
                constant: Some(constant_type(&parameter.ty)),
                callable: None,
                bounds: Vec::new(),
            }),
            GenericParam::Lifetime(_) => {}
        }
    }
    for clause in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        if let syn::WherePredicate::Type(clause) = clause
            && let syn::Type::Path(bounded) = &clause.bounded_ty
            && let Some(name) = bounded.path.get_ident()
            && let Some(parameter) = found.iter_mut().find(|parameter| name == parameter.name.as_str())
        {
            parameter.bounds.extend(written(&clause.bounds));
            parameter.callable = parameter.callable.take().or_else(|| callable(&clause.bounds));
        }
    }
    found
}

/// The parameters of a function; one for each `impl Trait` among its parameters comes last.
pub(super) fn of_signature(signature: &syn::Signature) -> Vec<Generic> {
    let mut found = of(&signature.generics);
    for (index, input) in signature.inputs.iter().enumerate() {
        if let syn::FnArg::Typed(input) = input
            && let Some(bounds) = anonymous(&input.ty)
        {
            found.push(Generic {
                name: anonymous_name(index),
                constant: None,
                callable: callable(bounds.iter().copied()),
                bounds: written(bounds),
            });
        }
    }
    found
}

/// The bounds of an `impl Trait`, perhaps behind a reference; a `fmt::Formatter` stands for one of whatever it writes to.
pub(super) fn anonymous(ty: &syn::Type) -> Option<Vec<&TypeParamBound>> {
    match ty {
        syn::Type::ImplTrait(ty) => Some(ty.bounds.iter().collect()),
        ty if is_formatter(ty) => Some(Vec::new()),
        syn::Type::Reference(reference) => anonymous(&reference.elem),
        syn::Type::Paren(paren) => anonymous(&paren.elem),
        _ => None,
    }
}

/// Returns whether a type is `fmt::Formatter` without what it writes to.
pub(super) fn is_formatter(ty: &syn::Type) -> bool {
    let syn::Type::Path(syn::TypePath { qself: None, path, .. }) = ty else { return false };
    let mut segments = path.segments.iter().rev();
    let (Some(last), Some(module)) = (segments.next(), segments.next()) else { return false };
    last.ident == "Formatter" && module.ident == "fmt" && super::member::count_of(&last.arguments) == 0
}

/// The name of the parameter that an `impl Trait` is, which no program can write.
pub(super) fn anonymous_name(index: usize) -> String {
    format!("impl {index}")
}

/// The parameters that stand for numbers which the host sets, in order.
pub(super) fn specialized(parameters: &[Generic], arguments: &[Ty]) -> Vec<(String, Scalar)> {
    let pairs = parameters.iter().zip(arguments);
    let numbers = pairs.filter(|(_, argument)| matches!(argument, Ty::Specialized(..)));
    numbers
        .map(|(parameter, _)| (parameter.name.clone(), parameter.constant.unwrap_or(Scalar::Usize)))
        .collect()
}

/// The arguments and the result in a bound such as `Fn(f32) -> f32`.
pub(super) fn callable<'b>(
    bounds: impl IntoIterator<Item = &'b TypeParamBound>,
) -> Option<syn::ParenthesizedGenericArguments> {
    bounds.into_iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) => match &bound.path.segments.last()?.arguments {
            PathArguments::Parenthesized(arguments) => Some(arguments.clone()),
            _ => None,
        },
        _ => None,
    })
}

fn constant_type(ty: &syn::Type) -> Scalar {
    match ty {
        syn::Type::Path(path) => path.path.get_ident().and_then(|name| Scalar::from_name(&name.to_string())),
        _ => None,
    }
    .unwrap_or(Scalar::Usize)
}

/// The scope in which generic parameters stand for themselves.
pub(super) fn opaque(generics: &[Generic]) -> Scope {
    let parameter =
        |index: usize, name: &str| Ty::Parameter(u32::try_from(index).unwrap_or(u32::MAX), name.into());
    let pairs = generics.iter().enumerate();
    pairs
        .map(|(index, generic)| (generic.name.clone(), (parameter(index, &generic.name), generic.constant)))
        .collect()
}

/// The scope in which generic parameters stand for these types.
pub(super) fn instantiated(generics: &[Generic], arguments: &[Ty]) -> Scope {
    let pairs = generics.iter().zip(arguments);
    pairs.map(|(generic, ty)| (generic.name.clone(), (ty.clone(), generic.constant))).collect()
}

impl Infer<'_> {
    /// The arguments for generic parameters: those that are written, then types to be inferred.
    pub(super) fn generic_arguments(&mut self, count: usize, written: &PathArguments) -> Vec<Ty> {
        let mut arguments = Vec::new();
        if let PathArguments::AngleBracketed(written) = written {
            for argument in &written.args {
                if let Some(argument) = self.generic_argument(argument) {
                    arguments.push(argument);
                }
            }
        }
        arguments.truncate(count);
        while arguments.len() < count {
            arguments.push(self.table.fresh(crate::typed::VariableKind::Any));
        }
        arguments
    }

    fn generic_argument(&mut self, argument: &GenericArgument) -> Option<Ty> {
        match argument {
            GenericArgument::Type(ty) => Some(self.ty_or_constant(ty)),
            GenericArgument::Const(value) => Some(self.length(value)),
            _ => None,
        }
    }

    /// A generic argument that looks like a type; a plain name may be a constant.
    fn ty_or_constant(&mut self, ty: &syn::Type) -> Ty {
        if let syn::Type::Path(path) = ty
            && path.qself.is_none()
            && self.names_a_constant(&path.path)
        {
            let value =
                syn::Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path: path.path.clone() });
            return self.length(&value);
        }
        self.ty(ty)
    }

    /// The types in a bound by which a parameter can be called.
    pub(super) fn callable_types(&mut self, bound: &syn::ParenthesizedGenericArguments) -> (Vec<Ty>, Ty) {
        let parameters = bound.inputs.iter().map(|input| self.complete_type(&input.ty)).collect();
        let result = match &bound.output {
            ReturnType::Default => Ty::Unit,
            ReturnType::Type(_, ty) => self.complete_type(ty),
        };
        (parameters, result)
    }
}
