//! Calls: device functions, intrinsics and methods.

use super::deferred::Requirement;
use super::device::Called;
use super::member::Wanted;
use super::nominal::{OPTION, RESULT};
use super::{Infer, Role};
use crate::chain::Link;
use crate::diagnostics::{Code, Diagnostic, Reporter};
use crate::ir::Query;
use crate::methods::{self, Kind, Method, Receiver};
use crate::names;
use crate::prelude;
use crate::typed::{Expr, ExprKind, Iter, Ty, VariableKind};
use kernel_core::Scalar;
use proc_macro2::Span;
use quote::ToTokens;
use std::borrow::Cow;
use std::rc::Rc;
use syn::punctuated::Punctuated;
use syn::{ExprCall, ExprMethodCall, Path, Token};

/// The methods of traits of the standard library that can be called by way of the trait, other than operators.
const METHODS_OF_TRAITS: &[(&str, &str)] = &[
    ("IntoIterator", "into_iter"),
    ("DoubleEndedIterator", "next_back"),
    ("Clone", "clone"),
    ("Into", "into"),
    ("Ord", "cmp"),
    ("Ord", "max"),
    ("Ord", "min"),
    ("Ord", "clamp"),
    ("PartialOrd", "partial_cmp"),
    ("PartialOrd", "lt"),
    ("PartialOrd", "le"),
    ("PartialOrd", "gt"),
    ("PartialOrd", "ge"),
    ("PartialEq", "eq"),
    ("PartialEq", "ne"),
    ("Hash", "hash"),
    ("ExactSizeIterator", "len"),
    ("Extend", "extend"),
    ("TryInto", "try_into"),
    ("Borrow", "borrow"),
    ("AsRef", "as_ref"),
    ("AsMut", "as_mut"),
    ("AddAssign", "add_assign"),
    ("SubAssign", "sub_assign"),
    ("MulAssign", "mul_assign"),
    ("DivAssign", "div_assign"),
    ("RemAssign", "rem_assign"),
    ("BitAndAssign", "bitand_assign"),
    ("BitOrAssign", "bitor_assign"),
    ("BitXorAssign", "bitxor_assign"),
    ("ShlAssign", "shl_assign"),
    ("ShrAssign", "shr_assign"),
    ("Index", "index"),
    ("IndexMut", "index_mut"),
];

/// The methods that are called by the name of any type too, as `u8::cmp` or `Record::cmp`, though no table and no `impl` has them.
const METHODS_OF_TYPES: &[&str] = &[
    "cmp",
    "partial_cmp",
    "total_cmp",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "clone",
    "add",
    "sub",
    "mul",
    "div",
    "rem",
    "neg",
    "not",
    "bitand",
    "bitor",
    "bitxor",
    "shl",
    "shr",
    "add_assign",
    "sub_assign",
    "mul_assign",
    "div_assign",
    "rem_assign",
    "bitand_assign",
    "bitor_assign",
    "bitxor_assign",
    "shl_assign",
    "shr_assign",
    "then",
    "then_some",
    "try_into",
    "into",
    "hash",
];

/// The id of `std::fmt::Debug`.
const DEBUG: &str = "std::Debug";

/// The id of `fmt::Write`.
const WRITE: &str = "std::Write";

/// The sign of an operator, standing in for the name of the method that it means.
fn sign_at(sign: &str, at: Span) -> Option<syn::BinOp> {
    syn::parse2(prelude::located(sign.parse().ok()?, at)).ok()
}

/// An exclusive reference to a place.
pub(super) fn exclusive(place: Expr) -> Expr {
    let (span, ty) = (place.span, Ty::Reference { to: Rc::new(place.ty.clone()), mutable: true });
    Expr { kind: ExprKind::Reference(Box::new(place)), ty, span }
}

/// Returns whether an expression is a part of a slice or array as a place, which methods borrow.
fn is_part(receiver: &syn::Expr) -> bool {
    match receiver {
        syn::Expr::Paren(inner) => is_part(&inner.expr),
        syn::Expr::Index(_) => true,
        _ => false,
    }
}

/// Returns whether kernel-core has a function that the compiler knows by this name.
pub(crate) fn is_intrinsic(name: &str) -> bool {
    let is_known = query(name).is_some() || methods::function(name).is_some();
    is_known || super::group::is_function(name) || matches!(name, "fence" | "fence_in")
}

/// The id or size, of which there are three, that a function gives.
fn query(name: &str) -> Option<Query> {
    Some(match name {
        "global_id" => Query::GlobalId,
        "global_size" => Query::GlobalSize,
        "local_id" => Query::LocalId,
        "local_size" => Query::LocalSize,
        "group_id" => Query::GroupId,
        "num_groups" => Query::NumGroups,
        _ => return None,
    })
}

impl<'a> Infer<'a> {
    pub(super) fn call(&mut self, call: &ExprCall) -> (ExprKind, Ty) {
        let syn::Expr::Path(callee) = &*call.func else {
            return self.call_of_value(call);
        };
        let path = &callee.path;
        if let Some(own) = &callee.qself {
            let ty = self.ty(&own.ty);
            // `<f32>::abs` is `f32::abs`.
            if let (Some(last), 0, Ty::Scalar(_)) =
                (path.segments.last(), own.position, self.table.shallow(&ty))
            {
                return self.function_of(call, &ty, last);
            }
            let wanted = self.wanted_of(own, path);
            if let Some(last) = path.segments.last()
                && let Some(found) = self.member_call(call, &ty, last, wanted)
            {
                return found;
            }
            // `<u32 as FromStr>::from_str` is what the standard library has for the type.
            if let (Some(last), Ty::Scalar(_)) = (path.segments.last(), self.table.shallow(&ty))
                && !matches!(self.link(&super::nominal::prefix(path)), Some(Link::Device(_)))
            {
                return self.function_of(call, &ty, last);
            }
            if path.segments.last().is_some_and(|last| last.ident == "default") && call.args.is_empty() {
                return self.default_value(&call.func, &ty);
            }
            if path.segments.last().is_some_and(|last| last.ident == "try_from")
                && matches!(self.table.shallow(&ty), Ty::Array(..))
            {
                return self.try_from_slice(call, &ty);
            }
            let help = "write the type and the name alone, as in `f32::sqrt(x)`";
            self.error(Code::UnknownPath, callee, "device code does not have qualified paths", help);
            return (ExprKind::Error, Ty::Error);
        }
        if path.get_ident().is_some_and(|name| self.lookup(name).is_some()) {
            return self.call_of_value(call);
        }
        // What the prelude asks for.
        if path.is_ident("__checks_overflow") {
            return (ExprKind::ChecksOverflow, Ty::BOOL);
        }
        if self.own_name.as_ref().is_some_and(|name| names::is_own(path, name)) {
            return self.recursion(call);
        }
        if let (Some((scalar, Some(_))), Some(last)) = (self.scalar_path(path), path.segments.last()) {
            return self.function_of(call, &Ty::Scalar(scalar), last);
        }
        if let Some(found) = self.vector_call(call, path) {
            return found;
        }
        if let Some(found) = self.parse_call(call, path) {
            return found;
        }
        if let Some(found) = self.sampler_call(call, path) {
            return found;
        }
        if let Some(constructor) = self.constructor(path) {
            return self.constructor_call(call, &constructor);
        }
        match self.item_link(path) {
            Some(Link::Device(id)) => {
                let last = &path.segments[path.segments.len() - 1];
                let called = Called { id, outer: Vec::new(), written: &last.arguments, receiver: None };
                self.device_call(call, called, &call.args)
            }
            Some(Link::Builtin(name)) => self.builtin(call, name),
            Some(Link::Kernel) => self.kernel_call(call),
            Some(Link::Poisoned) => (ExprKind::Error, Ty::Error),
            None => self.associated_function(call, path),
        }
    }

    /// A function that belongs to a type or a trait.
    fn associated_function(&mut self, call: &ExprCall, path: &Path) -> (ExprKind, Ty) {
        let count = path.segments.len();
        let Some(last) = path.segments.last().filter(|_| count > 1) else {
            return self.unknown_call(call, path);
        };
        if let Some(ty) = self.type_of_path(path, count - 1) {
            // In an expression, arguments that are left out are inferred only where all of them are.
            let of = &path.segments[count - 2].arguments;
            if super::member::count_of(of) > 0 {
                self.fill_in_defaults(&ty, of);
            }
            return self.function_of(call, &ty, last);
        }
        // `Self::Seed::default()` is a function of an associated type.
        if count > 2
            && let Some(ty) = self.associated_type(&syn::TypePath {
                attrs: Vec::new(),
                qself: None,
                path: super::nominal::prefix(path),
            })
        {
            return self.function_of(call, &ty, last);
        }
        self.trait_call(call, path).unwrap_or_else(|| self.unknown_call(call, path))
    }

    /// `Type::name(arguments)`.
    fn function_of(&mut self, call: &ExprCall, ty: &Ty, last: &syn::PathSegment) -> (ExprKind, Ty) {
        let name = last.ident.to_string();
        let wanted = match &*call.func {
            syn::Expr::Path(callee) => match &callee.qself {
                Some(own) => self.wanted_of(own, &callee.path),
                None => self.wanted_by(&callee.path),
            },
            _ => Wanted::Any,
        };
        let shallow = self.table.shallow(ty);
        if let ("from_str_radix" | "from_str", Ty::Scalar(scalar)) = (&*name, &shallow)
            && scalar.is_integer()
        {
            return self.integer_from_text(call, *scalar, &last.ident);
        }
        if let ("from_str", Ty::Scalar(scalar @ (Scalar::F32 | Scalar::F64)), Some(text)) =
            (&*name, &shallow, call.args.first())
        {
            let text = self.expr(text);
            return self.parsed_float(call, *scalar, text);
        }
        if name == "try_from" && self.is_wide(ty) {
            return self.try_from(call, ty);
        }
        if let Ty::Scalar(scalar) = shallow
            && methods::find(scalar, &name).is_some()
            && !self.looking_for(wanted.clone(), |this| this.has_bound_member(ty, &name))
        {
            return self.associated_call(call, scalar, &name);
        }
        if !self.is_vector_method(ty, &name)
            && let Some(found) = self.member_call(call, ty, last, wanted)
        {
            return found;
        }
        if name == "default" && call.args.is_empty() && !matches!(shallow, Ty::Vector(..) | Ty::Error) {
            return self.default_value(&call.func, ty);
        }
        match shallow {
            Ty::Vector(..) => self.vector_function(call, ty, last),
            Ty::Error => {
                self.arguments(&call.args);
                (ExprKind::Error, Ty::Error)
            }
            Ty::Scalar(scalar) => self.associated_call(call, scalar, &name),
            Ty::Atomic(scalar) => self.atomic_function(call, scalar, &name),
            Ty::Nominal(nominal) if [OPTION, RESULT].contains(&&*nominal.id) => {
                self.call_as_method(call, ty, &name)
            }
            Ty::Range(..) => self.call_as_method(call, ty, &name),
            _ if METHODS_OF_TYPES.contains(&&*name) => self.call_as_method(call, ty, &name),
            _ => self.unknown_member(&call.func, ty, &name),
        }
    }

    /// `u32::from_str_radix(text, radix)`, and `u32::from_str(text)`.
    fn integer_from_text(&mut self, call: &ExprCall, scalar: Scalar, name: &syn::Ident) -> (ExprKind, Ty) {
        let mut arguments = call.args.clone();
        if name == "from_str" {
            arguments.push(syn::parse_quote_spanned!(name.span()=> 10_u32));
        }
        self.parsed_by_radix(call, scalar, name.span(), (None, &arguments))
    }

    /// What text is as a floating-point number.
    pub(super) fn parsed_float(
        &mut self,
        tokens: &dyn ToTokens,
        scalar: Scalar,
        text: Expr,
    ) -> (ExprKind, Ty) {
        let name = if scalar == Scalar::F32 { "__f32_of" } else { "__f64_of" };
        let name = syn::Ident::new(name, Span::call_site().located_at(text.span));
        let outer = vec![Ty::Scalar(scalar), Ty::Constant(scalar.size() as i64)];
        let none = Punctuated::new();
        self.prelude_call(tokens, ("float", &name, &syn::PathArguments::None), (Some(text), &none), outer)
    }

    /// A call of `from_str_radix` of an integer type.
    pub(super) fn parsed_by_radix(
        &mut self,
        tokens: &dyn ToTokens,
        scalar: Scalar,
        span: Span,
        arguments: (Option<Expr>, &Punctuated<syn::Expr, Token![,]>),
    ) -> (ExprKind, Ty) {
        let name = syn::Ident::new("from_str_radix", span);
        let outer = vec![Ty::Scalar(scalar), Ty::Constant(scalar.size() as i64)];
        self.prelude_call(tokens, ("integer", &name, &syn::PathArguments::None), arguments, outer)
    }

    /// `Trait::method(receiver, arguments)`: the receiver says whose method it is, and where there is none what becomes of the result.
    fn trait_call(&mut self, call: &ExprCall, path: &Path) -> Option<(ExprKind, Ty)> {
        let prefix = super::nominal::prefix(path);
        let Some(Link::Device(id)) = self.link(&prefix) else { return None };
        let (item, _) = self.program.trait_item(id)?;
        let last = path.segments.last()?;
        let wanted = self.wanted_trait(&prefix);
        let name = last.ident.to_string();
        if let (WRITE, "write_fmt", [target, arguments]) =
            (&**id, &*name, &call.args.iter().collect::<Vec<_>>()[..])
            && let Some(found) = self.write_arguments(target, arguments)
        {
            return Some(found);
        }
        let takes_reference = item.items.iter().any(|member| match member {
            syn::TraitItem::Fn(member) if member.sig.ident == name => {
                let receiver = member.sig.receiver();
                receiver.is_some_and(|receiver| matches!(receiver.kind, syn::ReceiverKind::Reference(..)))
            }
            _ => false,
        });
        let of = prefix.segments.last()?;
        if let Some(found) = self.function_of_trait(call, (id, of), (name, wanted.clone())) {
            return Some(found);
        }
        let mut ty = self.expr(call.args.first()?).ty;
        // `&self` of a type is a reference to it, also where the trait is implemented for such references.
        if takes_reference && let Ty::Reference { to, .. } = self.table.shallow(&ty) {
            ty = (*to).clone();
        }
        loop {
            if let Some(found) = self.member_call(call, &ty, last, wanted.clone()) {
                return Some(found);
            }
            if id == DEBUG
                && let Some(found) = self.derived_debug(call, &ty)
            {
                return Some(found);
            }
            ty = match self.table.shallow(&ty) {
                Ty::Variable(..) | Ty::Error => return None,
                other => match other.referent() {
                    Some((to, _)) => to,
                    None => return Some(self.unimplemented(call, &of.ident, &other)),
                },
            };
        }
    }

    /// A function of a trait that device code does not have for the type of its first argument.
    fn unimplemented(&mut self, call: &ExprCall, of: &syn::Ident, ty: &Ty) -> (ExprKind, Ty) {
        let message = format!("device code does not have `{of}` of `{}`", self.table.partial(ty));
        let diagnostic = Diagnostic::left_to_rustc(&call.args[0], message).code(Code::UnknownMethod);
        self.diagnostics.push(match &*of.to_string() {
            "Display" | "Debug" | "LowerHex" | "UpperHex" | "Binary" | "Octal" => {
                diagnostic.help(super::macros::WRITTEN)
            }
            _ => diagnostic,
        });
        (ExprKind::Error, Ty::Error)
    }

    /// The item that a callee names; for `Local::new` that is `Local`.
    fn item_link(&self, path: &Path) -> Option<&'a Link> {
        if let Some(link) = self.link(path) {
            return Some(link);
        }
        match self.link(&super::nominal::prefix(path))? {
            Link::Device(_) => None,
            link => Some(link),
        }
    }

    fn recursion(&mut self, call: &ExprCall) -> (ExprKind, Ty) {
        let name = call.func.to_token_stream().to_string().replace(' ', "");
        let message = format!("`{name}` calls itself, and a device has no stack for recursion");
        let cycle = format!("`{name}` -> `{name}`");
        self.diagnostics.push(Diagnostic::recursion(call, message, &cycle));
        (ExprKind::Error, Ty::Error)
    }

    fn kernel_call(&mut self, call: &ExprCall) -> (ExprKind, Ty) {
        let help = "put what the two share into a `#[device] fn`";
        let mut diagnostic =
            Diagnostic::new(Code::KernelCall, call, "a kernel can only be launched by the host")
                .environment("Kernels", "an entry point is launched by the interfaces of the host")
                .help(help);
        // The host's copy of a device function stands beside its errors, and is no error only if the kernel takes nothing that is in memory.
        if self.role == Role::Device {
            diagnostic.reporter = Reporter::RustcIfItAgrees;
        }
        self.diagnostics.push(diagnostic);
        (ExprKind::Error, Ty::Error)
    }

    fn unknown_call(&mut self, call: &ExprCall, path: &Path) -> (ExprKind, Ty) {
        if let Some(found) = self.library_call(call, path) {
            return found;
        }
        if let Some(found) = self.standard_trait_call(call, path) {
            return found;
        }
        let names: Vec<_> = path.segments.iter().rev().map(|segment| segment.ident.to_string()).collect();
        if names.starts_with(&["default".to_owned(), "Default".to_owned()]) && call.args.is_empty() {
            let ty = self.table.fresh(VariableKind::Any);
            return self.default_value(&call.func, &ty);
        }
        let first = &path.segments[0].ident;
        let shown = path.to_token_stream().to_string().replace(' ', "");
        let message = format!("device code cannot call `{shown}`");
        let diagnostic = match names::host_only(first) {
            Some(help) => Diagnostic::new(Code::UnknownPath, &call.func, message).help(help),
            // What does not exist at all is rustc's to report.
            None => Diagnostic::left_to_rustc(&call.func, message)
                .code(Code::UnknownPath)
                .help(&*standard_advice(path)),
        };
        self.diagnostics.push(diagnostic);
        (ExprKind::Error, Ty::Error)
    }

    /// `Add::add(a, b)` and `Iterator::next(&mut iterator)`: the operator, or the method, of the first argument.
    fn standard_trait_call(&mut self, call: &ExprCall, path: &Path) -> Option<(ExprKind, Ty)> {
        let mut names = path.segments.iter().rev().map(|segment| &segment.ident);
        let (method, of) = (names.next()?, names.next()?.to_string());
        let (text, at) = (method.to_string(), method.span());
        let arguments: Vec<_> = call.args.iter().collect();
        let written: syn::Expr = match (&arguments[..], super::overload::operator(&of, &text)) {
            ([left, right], Some(sign)) => {
                let sign = sign_at(sign, at)?;
                syn::parse_quote_spanned!(at=> (#left) #sign (#right))
            }
            ([value], None) if of == "Neg" && text == "neg" => syn::parse_quote_spanned!(at=> -(#value)),
            ([value], None) if of == "Not" && text == "not" => syn::parse_quote_spanned!(at=> !(#value)),
            ([receiver, rest @ ..], None)
                if of == "Iterator" || METHODS_OF_TRAITS.contains(&(&*of, &*text)) =>
            {
                if let Some(found) = self.own_method_of_trait(call, path) {
                    return Some(found);
                }
                let last = path.segments.last()?;
                let generics = match &last.arguments {
                    syn::PathArguments::AngleBracketed(written) => Some(written),
                    _ => None,
                };
                syn::parse_quote_spanned!(at=> (#receiver).#method #generics(#(#rest),*))
            }
            _ => return None,
        };
        let Expr { kind, ty, .. } = self.expr(&written);
        Some((kind, ty))
    }

    /// The method of a trait of the standard library that an `impl` has for the type of the first argument, which may have another of that name itself.
    fn own_method_of_trait(&mut self, call: &ExprCall, path: &Path) -> Option<(ExprKind, Ty)> {
        let receiver = self.expr(call.args.first()?).ty;
        let own = self.referred_type(&receiver);
        let Ty::Nominal(_) = self.table.shallow(&own) else { return None };
        let wanted = self.wanted_trait(&super::nominal::prefix(path));
        self.member_call(call, &own, path.segments.last()?, wanted)
    }

    pub(super) fn arguments<'e>(&mut self, arguments: impl IntoIterator<Item = &'e syn::Expr>) -> Vec<Expr> {
        arguments.into_iter().map(|argument| self.expr(argument)).collect()
    }

    /// The arguments of a function that is not known. What its closures take is not known either, so nothing can be said about these.
    pub(super) fn arguments_of_unknown<'e>(&mut self, arguments: impl IntoIterator<Item = &'e syn::Expr>) {
        self.arguments(
            arguments
                .into_iter()
                .filter(|argument| match argument {
                    syn::Expr::Closure(_) => false,
                    syn::Expr::Path(path) => self.part_of_instruction(&path.path).is_none(),
                    _ => true,
                })
                .collect::<Vec<_>>(),
        );
    }

    fn builtin(&mut self, call: &ExprCall, name: &str) -> (ExprKind, Ty) {
        if let Some(found) = self.group_call(call, name) {
            return found;
        }
        if let Some(query) = query(name) {
            return (self.dimension(call, query), Ty::USIZE);
        }
        if let Some(function) = methods::function(name) {
            return self.math_function(call, function);
        }
        match name {
            "fence" | "fence_in" => self.fence(call),
            "Local" => self.misplaced_local(call),
            other => {
                self.leave_to_rustc(call, format!("`{other}` is not known to this version of the compiler"));
                (ExprKind::Error, Ty::Error)
            }
        }
    }

    /// A function of `kernel_core::math`, for any of the types that it takes.
    fn math_function(&mut self, call: &ExprCall, function: &'static Method) -> (ExprKind, Ty) {
        let arguments = self.arguments(&call.args);
        let own = match function.receiver {
            Receiver::Single => Ty::Scalar(Scalar::F32),
            _ => self.table.fresh(VariableKind::Any),
        };
        let ty = |kind| match kind {
            Kind::Scalar(scalar) => Ty::Scalar(scalar),
            _ => own.clone(),
        };
        let parameters: Vec<_> = function.arguments.iter().copied().map(ty).collect();
        if !self.check_arguments(call, &call.args, function.name, &arguments, &parameters) {
            return (ExprKind::Error, Ty::Error);
        }
        self.defer(Requirement::In(function.receiver), &own, call);
        (ExprKind::Method(function, arguments), function.result.with(ty))
    }

    /// The dimension of an id or a size: a constant, since the ids are a vector of which one part is taken.
    fn dimension(&mut self, call: &ExprCall, query: Query) -> ExprKind {
        let (Some(argument), 1) = (call.args.first(), call.args.len()) else {
            self.leave_to_rustc(call, "an id or size takes one argument, the dimension");
            return ExprKind::Error;
        };
        let value = self.expr(argument);
        if !self.try_coerce(argument, &value.ty, &Ty::Scalar(Scalar::U32)) {
            return ExprKind::Error;
        }
        let Some(dimension) = self.constant_of(argument, &value, Reporter::Compiler) else {
            return ExprKind::Error;
        };
        match u8::try_from(dimension) {
            Ok(dimension @ 0..=2) => ExprKind::Query(query, dimension),
            _ => {
                let message = format!("there is no dimension {dimension}");
                self.error(Code::Dimension, argument, message, "the dimensions are 0, 1 and 2");
                ExprKind::Error
            }
        }
    }

    /// `Local::new()` as the value of a `let`, if that is what an expression is.
    pub(super) fn new_local(&mut self, init: &syn::Expr, annotation: Option<&syn::Type>) -> Option<Expr> {
        let syn::Expr::Call(call) = init else { return None };
        let syn::Expr::Path(callee) = &*call.func else { return None };
        let path = &callee.path;
        let is_new = path.segments.len() > 1 && path.segments[path.segments.len() - 1].ident == "new";
        let is_local = matches!(self.item_link(path), Some(Link::Builtin(name)) if name == "Local");
        if !is_new || !is_local {
            return None;
        }
        if self.role != Role::Kernel || self.block_depth > 0 {
            let (kind, ty) = self.misplaced_local(call);
            return Some(Expr { kind, ty, span: super::span::start(init) });
        }
        let arguments = &path.segments[path.segments.len() - 2].arguments;
        let inner = match annotation {
            Some(ty) => match self.ty(ty) {
                Ty::Local(inner) => (*inner).clone(),
                _ => Ty::Error,
            },
            None => self.local_argument(arguments),
        };
        self.defer(Requirement::Known, &inner, init);
        Some(Expr { kind: ExprKind::NewLocal, ty: Ty::Local(Rc::new(inner)), span: super::span::start(init) })
    }

    fn misplaced_local(&mut self, call: &ExprCall) -> (ExprKind, Ty) {
        let message = "local memory is declared by a `let` at the top level of a kernel's body";
        let help = "write `let mut tile = Local::<[f32; 256]>::new();` there; pass it to a device function as `&mut tile[..]`";
        self.error(Code::LocalPlacement, call, message, help);
        (ExprKind::Error, Ty::Error)
    }

    /// `f32::sqrt(x)` and `f32::from_bits(bits)`.
    fn associated_call(&mut self, call: &ExprCall, scalar: Scalar, name: &str) -> (ExprKind, Ty) {
        if name == "from" {
            return self.lossless_from(call, scalar);
        }
        if name == "try_from" && scalar.is_integer() {
            return self.try_from(call, &Ty::Scalar(scalar));
        }
        if let (Some(file), syn::Expr::Path(path)) = (bytes_of(scalar, name), &*call.func)
            && let Some(last) = path.path.segments.last()
        {
            let outer = vec![Ty::Scalar(scalar), Ty::Constant(scalar.size() as i64)];
            let none = syn::PathArguments::None;
            return self.prelude_call(call, (file, &last.ident, &none), (None, &call.args), outer);
        }
        let Some(method) = methods::find(scalar, name) else {
            return self.call_as_method(call, &Ty::Scalar(scalar), name);
        };
        let mut arguments = self.arguments(&call.args);
        // A method of `&self` is called by its name with a reference.
        if let Some(receiver) = arguments.first_mut().filter(|_| !method.is_associated) {
            *receiver = self.followed_references(receiver.clone());
        }
        let own = (!method.is_associated).then_some(scalar);
        let own = own.into_iter().chain(method.arguments.iter().map(|kind| kind.of(scalar)));
        let parameters: Vec<_> = own.map(Ty::Scalar).collect();
        self.method_arguments(call, &call.args, method, scalar, arguments, &parameters)
    }

    /// `f32::total_cmp(&a, &b)`: what a trait gives to a type, or what only the call of a method has.
    fn call_as_method(&mut self, call: &ExprCall, of: &Ty, name: &str) -> (ExprKind, Ty) {
        let arguments: Vec<_> = call.args.iter().collect();
        let shallow = self.table.shallow(of);
        let is_method = METHODS_OF_TYPES.contains(&name) || matches!(shallow, Ty::Nominal(_) | Ty::Range(..));
        let ([receiver, rest @ ..], true) = (&arguments[..], is_method) else {
            self.arguments(&call.args);
            return match shallow {
                Ty::Scalar(scalar) => self.unknown_method(&call.func, scalar, name),
                _ => self.unknown_member(&call.func, of, name),
            };
        };
        let at = match &*call.func {
            syn::Expr::Path(path) => path.path.segments.last().map(|last| last.ident.span()),
            _ => None,
        };
        let method = syn::Ident::new(name, at.unwrap_or_else(proc_macro2::Span::call_site));
        let receiver = self.expr(receiver);
        let own = self.referred_type(&receiver.ty);
        self.coerce(&call.args, &own, of);
        let at = method.span();
        let written: syn::Expr = syn::parse_quote_spanned!(at=> __receiver.#method(#(#rest),*));
        let Expr { kind, ty, .. } = self.with_hidden("__receiver", receiver, |infer| infer.expr(&written));
        (kind, ty)
    }

    /// The type of what is borrowed without being changed, where it is that of a slice.
    fn shared(&self, ty: &Ty) -> Ty {
        match self.table.shallow(ty) {
            Ty::Slice { element, .. } => Ty::Slice { element, mutable: false },
            other => other,
        }
    }

    /// `a.add(b)` of scalars and vectors: the operator.
    fn operator_as_method(&mut self, call: &ExprMethodCall, receiver: &Expr) -> Option<(ExprKind, Ty)> {
        let name = call.method.to_string();
        let of = super::member::trait_of_operator(&name)?;
        let at = call.method.span();
        let arguments: Vec<_> = call.args.iter().collect();
        if let ([other], Some(plain)) = (&arguments[..], name.strip_suffix("_assign")) {
            let sign = super::overload::operator(of.trim_end_matches("Assign"), plain)?;
            let sign = sign_at(&format!("{sign}="), at)?;
            let place = &call.receiver;
            let written: syn::Expr = match receiver.kind {
                ExprKind::Dereference(_) => syn::parse_quote_spanned!(at=> *(#place) #sign (#other)),
                _ => syn::parse_quote_spanned!(at=> #place #sign (#other)),
            };
            let Expr { kind, ty, .. } = self.expr(&written);
            return Some((kind, ty));
        }
        let written: syn::Expr = match (&arguments[..], super::overload::operator(of, &name)) {
            ([other], Some(sign)) => {
                let sign = sign_at(sign, at)?;
                syn::parse_quote_spanned!(at=> __left #sign (#other))
            }
            ([], None) if name == "neg" => syn::parse_quote_spanned!(at=> -__left),
            ([], None) if name == "not" => syn::parse_quote_spanned!(at=> !__left),
            _ => return None,
        };
        let Expr { kind, ty, .. } =
            self.with_hidden("__left", receiver.clone(), |infer| infer.expr(&written));
        Some((kind, ty))
    }

    pub(super) fn method_call(&mut self, call: &ExprMethodCall) -> (ExprKind, Ty) {
        if call.method == "write_fmt"
            && call.args.len() == 1
            && let Some(found) = self.write_arguments(&call.receiver, &call.args[0])
        {
            return found;
        }
        let mut receiver = self.expr(&call.receiver);
        if matches!(self.table.shallow(&receiver.ty), Ty::Variable(_, VariableKind::Any)) {
            self.decide_calls();
            self.settle_parses();
            self.settle_bounds(&receiver.ty);
        }
        let name = call.method.to_string();
        // Local memory can be copied itself, so that is what Rust calls `clone` of.
        if name != "clone" {
            receiver = self.held_in_local_memory(receiver);
        }
        if name == "assume_init" && self.is_uninit_of_uninit(&receiver.ty) {
            let help = "write `[const { MaybeUninit::uninit() }; N]`";
            let message = "device code keeps whether a value has been written, which is not known of an array of these as a whole";
            self.error(Code::UnknownMethod, &call.method, message, help);
            return (ExprKind::Error, Ty::Error);
        }
        if matches!(self.table.shallow(&receiver.ty), Ty::Range(..)) && self.extends_iterators(&name) {
            receiver = self.range_as_iterator(&call.receiver, receiver);
        }
        if let Some(found) = self.user_method(call, &receiver) {
            return found;
        }
        if let Some(found) = self.provided_method(call, &receiver) {
            return found;
        }
        if let Some(found) = self.order_of_references(call, &receiver) {
            return found;
        }
        if let Some(target) = self.through_deref(&receiver, &name) {
            if let Some(found) = self.user_method(call, &target) {
                return found;
            }
            receiver = target;
        }
        if name == "borrow"
            && call.args.is_empty()
            && self.bound_arguments.iter().any(|(_, of, _)| of == "Borrow")
        {
            return self.borrowed(receiver);
        }
        if name == "as_ref" && call.args.is_empty() {
            let text = self.followed_references(receiver.clone());
            if self.is_str(&text.ty) {
                return self.text_as_bound(text);
            }
        }
        if let ("get", Some(range)) = (&*name, call.args.first()) {
            let text = self.followed_references(receiver.clone());
            if self.is_str(&text.ty) {
                return self.part_of_text("__get", range, text);
            }
        }
        if name == "parse" && call.args.is_empty() {
            let text = self.followed_references(receiver.clone());
            if self.is_str(&text.ty) {
                return self.parsed(call, text);
            }
        }
        if name == "into_iter" && call.args.is_empty() {
            let Expr { kind, ty, .. } = self.iterator_of(&call.receiver, receiver);
            return (kind, ty);
        }
        if name == "into" && call.args.is_empty() && call.turbofish.is_none() {
            if is_part(&call.receiver) {
                receiver.ty = self.shared(&receiver.ty);
            }
            return self.conversion(&call.method, receiver);
        }
        let mut receiver = self.followed_references(receiver);
        self.decide_by_arguments(call, &receiver.ty);
        if name == "try_into" && is_part(&call.receiver) {
            receiver.ty = self.shared(&receiver.ty);
        }
        if name == "try_into" && call.args.is_empty() && self.has_own_try_from() {
            return self.try_conversion(&call.method, receiver);
        }
        if name == "try_into" && self.is_wide(&receiver.ty) {
            let own = receiver.ty.clone();
            return self.prelude_method(call, "conversion", receiver, vec![own]);
        }
        if let ("clone", Ty::Iterator { .. }, true) =
            (name.as_str(), self.table.shallow(&receiver.ty), call.args.is_empty())
        {
            let ty = receiver.ty.clone();
            return (ExprKind::Iterator(Box::new(Iter::Clone(receiver))), ty);
        }
        if name == "clone" && call.args.is_empty() && self.is_clonable(&receiver.ty) {
            return (receiver.kind, receiver.ty);
        }
        if let Some(found) = self.order_method(call, &receiver) {
            return found;
        }
        if name == "hash"
            && call.args.len() == 1
            && let Some(found) = self.hashed(call, &receiver)
        {
            return found;
        }
        let is_whole = matches!(
            self.table.shallow(&receiver.ty),
            Ty::Nominal(_) | Ty::Tuple(_) | Ty::Array(..) | Ty::Unit
        );
        if is_whole && prelude::has_function("any", &name) {
            if name == "clone_from" {
                receiver = exclusive(receiver);
            }
            return self.prelude_method(call, "any", receiver, Vec::new());
        }
        if let (Some(turbofish), Ty::Scalar(_)) = (&call.turbofish, self.table.shallow(&receiver.ty))
            && name != "to_int_unchecked"
        {
            self.leave_to_rustc(turbofish, "this method takes no generic arguments");
        }
        let is_number = matches!(
            self.table.shallow(&receiver.ty),
            Ty::Scalar(_) | Ty::Vector(..) | Ty::Variable(_, VariableKind::Integer | VariableKind::Float)
        );
        if is_number && let Some(found) = self.operator_as_method(call, &receiver) {
            return found;
        }
        match self.table.shallow(&receiver.ty) {
            Ty::Iterator { .. } => self.iterator_method(call, receiver),
            Ty::Vector(..) => self.vector_method(call, receiver),
            Ty::Atomic(scalar) => self.atomic_method(call, receiver, scalar),
            Ty::Range(..) => self.range_method(call, receiver),
            Ty::Scalar(scalar) => match methods::find(scalar, &name).filter(|method| !method.is_associated) {
                Some(method) => self.scalar_method(call, receiver, method, scalar),
                None if scalar.is_integer() && name == "try_into" => {
                    self.prelude_method(call, "conversion", receiver, vec![Ty::Scalar(scalar)])
                }
                None if name == "hash" && call.args.len() == 1 && !scalar.is_float() => {
                    self.hashed_scalar(call, receiver, scalar)
                }
                None if bytes_of(scalar, &name).is_some() => {
                    let receiver = if name.starts_with("make_") { exclusive(receiver) } else { receiver };
                    let own = Ty::Scalar(scalar);
                    let outer = vec![own, Ty::Constant(scalar.size() as i64)];
                    self.prelude_method(call, bytes_of(scalar, &name).unwrap_or_default(), receiver, outer)
                }
                None if scalar == Scalar::Bool && matches!(name.as_str(), "then" | "then_some") => {
                    self.prelude_method(call, "bool", receiver, Vec::new())
                }
                None => {
                    self.arguments(&call.args);
                    self.unknown_method(&call.method, scalar, &name)
                }
            },
            // These belong to the trait `Ord`, which Rust finds for a literal whose type is still open.
            Ty::Variable(_, VariableKind::Integer) if matches!(name.as_str(), "min" | "max" | "clamp") => {
                self.open_integer_method(call, receiver, &name)
            }
            Ty::Slice { .. } | Ty::Array(..) | Ty::Local(_) => self.slice_method(call, receiver, &name),
            Ty::Error => {
                self.arguments_of_unknown(&call.args);
                (ExprKind::Error, Ty::Error)
            }
            Ty::Nominal(nominal) => self.standard_method(call, receiver, &nominal),
            Ty::Image { .. } => self.image_method(call, receiver),
            of @ (Ty::Closure(_) | Ty::Function(_)) if prelude::has_function("predicate", &name) => {
                self.prelude_method(call, "predicate", receiver, vec![of])
            }
            Ty::Pointer { to, mutable } => self.pointer_method(call, receiver, &to, mutable),
            other => {
                let other = self.table.partial(&other);
                let message = format!("device code does not have the method `{name}` of `{other}`");
                let help = "give the value a type first, as in `2.0_f32` or `let x: f32`";
                let diagnostic = Diagnostic::left_to_rustc(&call.method, message);
                self.diagnostics.push(diagnostic.code(Code::UnknownMethod).help(help));
                (ExprKind::Error, Ty::Error)
            }
        }
    }

    /// Lets a literal be of the type of what is named among the arguments of its method, if that is a float too: methods of floats take others of their own type.
    fn decide_by_arguments(&mut self, call: &ExprMethodCall, own: &Ty) {
        if !matches!(self.table.shallow(own), Ty::Variable(_, VariableKind::Float)) {
            return;
        }
        for argument in call.args.iter().filter(|argument| matches!(argument, syn::Expr::Path(_))) {
            let known = self.diagnostics.len();
            let found = self.expr(argument);
            self.diagnostics.truncate(known);
            if let Ty::Scalar(scalar) = self.table.shallow(&found.ty)
                && scalar.is_float()
            {
                self.table.unify(own, &found.ty);
                return;
            }
        }
    }

    /// Returns whether a type, which may be behind references, is a `MaybeUninit` of an array, or of what else holds a `MaybeUninit`.
    fn is_uninit_of_uninit(&self, ty: &Ty) -> bool {
        fn holds(ty: &Ty, is_outermost: bool) -> bool {
            let is_itself = matches!(ty, Ty::Nominal(nominal) if nominal.id == "std::MaybeUninit");
            is_itself && !is_outermost || ty.parts().any(|part| holds(part, false))
        }
        let mut ty = self.table.partial(ty);
        while let Some((referent, _)) = ty.referent() {
            ty = referent;
        }
        holds(&ty, true)
    }

    /// Returns whether `clone()` is a copy. What a struct of the user's does in `clone` is known only if it is derived.
    fn is_clonable(&self, ty: &Ty) -> bool {
        match self.table.shallow(ty) {
            Ty::Nominal(_) => self
                .definition_of(ty)
                .is_some_and(|definition| definition.derives.iter().any(|name| name == "Clone")),
            Ty::Variable(_, VariableKind::Any) | Ty::Error | Ty::Atomic(_) => false,
            _ => true,
        }
    }

    /// `value.hash(&mut hasher)`: the hasher has a method for each scalar.
    fn hashed_scalar(&mut self, call: &ExprMethodCall, receiver: Expr, scalar: Scalar) -> (ExprKind, Ty) {
        let at = call.method.span();
        let (name, value): (_, syn::Expr) = match scalar {
            Scalar::Bool => ("u8".to_owned(), syn::parse_quote_spanned!(at=> __value as u8)),
            other => (other.to_string(), syn::parse_quote_spanned!(at=> __value)),
        };
        let (hasher, write) = (&call.args[0], quote::format_ident!("write_{name}", span = at));
        let written: syn::Expr = syn::parse_quote_spanned!(at=> (#hasher).#write(#value));
        let Expr { kind, ty, .. } = self.with_hidden("__value", receiver, |infer| infer.expr(&written));
        (kind, ty)
    }

    fn scalar_method(
        &mut self,
        call: &ExprMethodCall,
        receiver: Expr,
        method: &'static Method,
        scalar: Scalar,
    ) -> (ExprKind, Ty) {
        let arguments = self.arguments(&call.args);
        let parameters: Vec<_> = method.arguments.iter().map(|kind| Ty::Scalar(kind.of(scalar))).collect();
        match self.check_arguments(call, &call.args, method.name, &arguments, &parameters) {
            true => {
                let ty = method.result.of(scalar);
                (Self::method_expr(method, std::iter::once(receiver).chain(arguments).collect()), ty)
            }
            false => (ExprKind::Error, Ty::Error),
        }
    }

    fn open_integer_method(&mut self, call: &ExprMethodCall, receiver: Expr, name: &str) -> (ExprKind, Ty) {
        let mut arguments = self.arguments(&call.args);
        let method = methods::find(Scalar::I32, name);
        let Some(method) = method.filter(|method| method.arguments.len() == arguments.len()) else {
            self.leave_to_rustc(call, "this method takes another number of arguments");
            return (ExprKind::Error, Ty::Error);
        };
        for (tokens, argument) in call.args.iter().zip(&arguments) {
            self.coerce(tokens, &argument.ty, &receiver.ty);
        }
        let ty = receiver.ty.clone();
        arguments.insert(0, receiver);
        (ExprKind::Method(method, arguments), ty)
    }

    fn method_arguments(
        &mut self,
        call: &dyn ToTokens,
        tokens: &syn::punctuated::Punctuated<syn::Expr, syn::Token![,]>,
        method: &'static Method,
        scalar: Scalar,
        arguments: Vec<Expr>,
        parameters: &[Ty],
    ) -> (ExprKind, Ty) {
        match self.check_arguments(call, tokens, method.name, &arguments, parameters) {
            true => (Self::method_expr(method, arguments), method.result.of(scalar)),
            false => (ExprKind::Error, Ty::Error),
        }
    }

    /// An argument where a type is wanted.
    pub(super) fn typed_argument(&mut self, argument: &syn::Expr, wanted: &Ty) -> Expr {
        let value = self.expr(argument);
        self.coerce(argument, &value.ty, wanted);
        value
    }

    /// Returns whether a function is called with as many arguments as it takes; their types are made those that it takes.
    pub(super) fn check_arguments(
        &mut self,
        call: &dyn ToTokens,
        tokens: &syn::punctuated::Punctuated<syn::Expr, syn::Token![,]>,
        name: &str,
        arguments: &[Expr],
        parameters: &[Ty],
    ) -> bool {
        if arguments.len() != parameters.len() {
            let (wanted, found) = (parameters.len(), arguments.len());
            self.leave_to_rustc(
                call,
                format!("`{name}` takes {wanted} arguments, but {found} were supplied"),
            );
            return false;
        }
        for ((tokens, argument), parameter) in tokens.iter().zip(arguments).zip(parameters) {
            self.coerce(tokens, &argument.ty, parameter);
        }
        true
    }

    /// A method or function of a scalar that we do not have; rustc may not have it either, and then it is the one to say so.
    pub(super) fn unknown_method(
        &mut self,
        tokens: &dyn ToTokens,
        scalar: Scalar,
        name: &str,
    ) -> (ExprKind, Ty) {
        let message = format!("device code does not have the method `{name}` of `{scalar}`");
        let foreign =
            || names::foreign(name).filter(|foreign| !foreign.advice().contains(&format!("x.{name}(")));
        let diagnostic = match methods::absent::of_scalar(scalar, name) {
            Some(help) => Diagnostic::new(Code::UnknownMethod, tokens, message).help(help),
            None if foreign().is_some() => {
                let advice = foreign().map(|foreign| foreign.advice().to_owned()).unwrap_or_default();
                Diagnostic::new(Code::UnknownMethod, tokens, message).help(advice)
            }
            None => Diagnostic::left_to_rustc(tokens, message)
                .code(Code::UnknownMethod)
                .help("if it is of a trait of your own, put that and its `impl` into a `#[device] mod`"),
        };
        self.diagnostics.push(diagnostic);
        (ExprKind::Error, Ty::Error)
    }
}

/// The file of the prelude in which a function about the bytes of a scalar is.
fn bytes_of(scalar: Scalar, name: &str) -> Option<&'static str> {
    let file = if scalar.is_integer() { "integer" } else { "float" };
    let has_bytes = scalar.is_integer() || scalar.is_primitive_float();
    (has_bytes && prelude::has_function(file, name)).then_some(file)
}

/// What to do instead of calling a function that is not marked.
fn standard_advice(path: &Path) -> Cow<'static, str> {
    let mut names = path.segments.iter().map(|segment| segment.ident.to_string());
    if let (Some("std" | "core" | "alloc"), Some(foreign)) =
        (names.next().as_deref(), names.find_map(|name| names::foreign(&name)))
    {
        return foreign.advice().to_owned().into();
    }
    let last = path.segments.last().map(|segment| segment.ident.to_string());
    let advice = match last.as_deref() {
        Some("max" | "min") => "use the methods `max` and `min`",
        Some("swap" | "replace" | "take") => "write the whole path, as `std::mem::swap`",
        Some("size_of") => "declare a `#[device] const` with the size",
        _ => "functions of your own are visible with `#[device]`",
    };
    advice.into()
}
