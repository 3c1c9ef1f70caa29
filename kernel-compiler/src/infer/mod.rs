//! Type inference and checking: from syntax to the [typed tree](crate::typed).
//!
//! The rules are Rust's, restricted to the types of the language. Each kind of syntax has a file: `types`, `statement`,
//! `expression`, `range`, `operator`, `control`, `iterator`, `pattern`, `call`, `slice`; constants are evaluated in `constant`. What can be judged only when all types
//! are known, such as whether a type has an operator, is put off and judged in `deferred`.
//!
//! An error that rustc finds too is [left to rustc](Diagnostic::left_to_rustc).

mod alternative;
mod atomic;
mod barrier;
mod byte_string;
mod caching;
mod call;
mod candidates;
mod cell;
mod closure;
mod condition;
mod constant;
mod control;
mod conversion;
mod debug;
mod default;
mod deferred;
mod destructure;
mod device;
mod elements;
mod expression;
mod extent;
mod generics;
mod group;
mod half;
mod hashed;
mod held;
mod image;
mod inherent;
mod item;
mod iterator;
mod lanewise;
mod library;
mod linkage;
mod macros;
mod member;
mod nominal;
mod operator;
mod order;
mod overload;
mod path;
mod pattern;
mod pointer;
mod program;
mod projection;
mod racing;
mod range;
mod scrutinee;
mod shared;
mod shown;
mod signature;
mod slice;
mod spaces;
mod span;
mod standard;
mod statement;
mod table;
mod text;
mod types;
mod uninit;
mod vector;
mod wide;

pub use caching::CacheHints;
pub(crate) use call::is_intrinsic;
pub use generics::Generic;
pub(crate) use image::shape_of;
pub use image::{is_image, is_sampler};
pub use item::device_item;
pub(crate) use linkage::{Linked, MARK, check_linked, imported, linked_form};
pub(crate) use nominal::fixed_alignment;
pub use overload::{operator_method, own_comparison};
pub(crate) use path::{is_mathematical_constant, single_and_double};
pub use program::{Owner, Program, Source, is_ours, is_standard};
pub use racing::Racing;
pub(crate) use shown::shown;
pub use signature::{Parameter, Signature, form, signature, signature_for};
pub use spaces::{ElementsInSpace, elements as elements_in_space};
pub use table::Table;
pub(crate) use text::is_str_type;
pub use types::specialized_type;
pub(crate) use wide::is_wide_type;

use crate::chain::{Link, Links};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Reporter};
use crate::hash::{HashMap, HashSet};
use crate::ir::{Arena, Handle, Label};
use crate::scope::Scope;
use crate::typed::{Binding, Expr, ExprKind, Function, Projection, Ty};
use deferred::Deferred;
use quote::ToTokens;
use std::rc::Rc;
use syn::Ident;
use syn::ext::IdentExt;

/// Where a function stands, which decides what it may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A kernel.
    Kernel,
    /// A device function.
    Device,
}

/// How often a function is inferred anew at most, each time with the generic arguments of one more call.
const MAX_FORESEEN: usize = 16;

/// A function and what is known of the types in it.
pub type Inferred = Rc<(Function, Table)>;

/// Infers the types of a function for these generic arguments.
///
/// # Errors
///
/// What is wrong with it.
pub fn function(
    program: &Program<'_>,
    source: &Source,
    signature: &Signature,
    arguments: &[Ty],
) -> Result<Inferred, Diagnostics> {
    let mut foreseen = Vec::new();
    loop {
        let known = foreseen.len();
        match function_knowing(program, source, signature, arguments, &mut foreseen) {
            Err(_) if known < foreseen.len() && foreseen.len() < MAX_FORESEEN => {}
            inferred => return inferred,
        }
    }
}

/// The same, with what is known already of calls whose opaque results are asked for early, to which one more may be added.
fn function_knowing(
    program: &Program<'_>,
    source: &Source,
    signature: &Signature,
    arguments: &[Ty],
    foreseen: &mut Vec<Vec<Ty>>,
) -> Result<Inferred, Diagnostics> {
    let result = signature.result.substitute(arguments);
    let mut infer = Infer::new(program, &source.links, source.role, result.clone());
    infer.foreseen = foreseen.clone();
    infer.enter(source, generics::instantiated(&source.generics, arguments));
    infer.own_name = Some(source.signature.ident.clone()).filter(|_| source.own.is_none());
    let (mut parameters, mut spaces, mut types) = (Vec::new(), Vec::new(), Vec::new());
    for parameter in &signature.parameters {
        let ty = parameter.ty.substitute(arguments);
        let ty = infer.normalized(&ty);
        infer.refuse_specialized(&ty, &parameter.name);
        types.push(ty.clone());
        let binding = infer.bind(&parameter.name, ty, parameter.assignable);
        parameters.push(binding);
        spaces.push(parameter.space);
    }
    let caching = infer.caching(&source.caching, signature, &types);
    let result = match signature.is_opaque {
        true => infer.opaque_type(&source.signature),
        false => infer.normalized(&result),
    };
    infer.refuse_specialized(&result, &source.signature.output);
    infer.result = result.clone();
    let returned = signature::opaque(&source.signature).and_then(generics::callable);
    infer.returned = returned.map(|bound| infer.callable_types(&bound));
    let conditions = source.conditions.iter().map(|condition| infer.required(condition)).collect();
    let Some(block) = source.block() else { return Err(Diagnostics::default()) };
    let taken_apart = infer.parameter_patterns(signature, &parameters);
    infer.note_wanted_of_block(block, &infer.result.clone());
    let mut body = infer.function_body(block, source.role);
    body.statements.splice(0..0, taken_apart);
    if let Some(written) = signature::opaque_item(&source.signature)
        && let Ty::Iterator { item, .. } = infer.table.shallow(&result)
    {
        let wanted = infer.complete_type(written);
        infer.table.unify(&item, &wanted);
    }
    infer.judge_deferred();
    foreseen.extend(infer.known_by_now());
    let function = Function {
        name: source.signature.ident.unraw().to_string(),
        specializations: generics::specialized(&source.generics, arguments),
        parameters,
        spaces,
        caching,
        result,
        bindings: infer.bindings,
        conditions,
        body,
    };
    infer.diagnostics.finish(Rc::new((function, infer.table)))
}

/// Checks a constant item.
///
/// # Errors
///
/// What is wrong with it.
fn constant_item(
    program: &Program<'_>,
    links: &Links,
    item: constant::Declared<'_>,
) -> Result<(), Diagnostics> {
    let mut infer = Infer::new(program, links, Role::Device, Ty::Unit);
    infer.named_constant(item);
    infer.judge_deferred();
    infer.diagnostics.finish(())
}

/// The value of an expression of any integer type that must be constant.
///
/// # Errors
///
/// What is wrong with it.
pub fn constant_value(program: &Program<'_>, links: &Links, value: &syn::Expr) -> Result<i128, Diagnostics> {
    let mut infer = Infer::new(program, links, Role::Kernel, Ty::Unit);
    let expr = infer.expr(value);
    let constant = infer.constant_of(value, &expr, Reporter::Compiler);
    infer.judge_deferred();
    infer.diagnostics.finish(constant.unwrap_or(0))
}

/// The arguments that an attribute gives for the generic parameters of a kernel, each with whether it is a number.
///
/// # Errors
///
/// What is wrong with them.
pub fn kernel_arguments(
    program: &Program<'_>,
    links: &Links,
    parameters: &[(Ident, bool)],
    written: &[syn::Expr],
) -> Result<Vec<Ty>, Diagnostics> {
    let mut infer = Infer::new(program, links, Role::Kernel, Ty::Unit);
    let mut arguments = Vec::new();
    let mut specialized = 0;
    for ((name, is_number), argument) in parameters.iter().zip(written) {
        if matches!(argument, syn::Expr::Infer(_)) {
            arguments.push(Ty::Specialized(specialized, name.to_string().into()));
            specialized += 1;
        } else if *is_number {
            let expr = infer.expr(argument);
            let is_float = infer.table.resolve(&expr.ty).scalar().is_some_and(kernel_core::Scalar::is_float);
            // rustc is certain to find that a parameter, which is an integer or a `bool`, is given a float.
            let reporter = if is_float { Reporter::Rustc } else { Reporter::Compiler };
            let value = infer.constant_of(argument, &expr, reporter);
            arguments.push(value.map_or(Ty::Error, |value| Ty::Constant(value as i64)));
        } else {
            match syn::parse2(argument.to_token_stream()) {
                Ok(ty) => {
                    let known = infer.diagnostics.len();
                    arguments.push(infer.ty(&ty));
                    if is_plain_name(&ty) {
                        infer.diagnostics.leave_to_rustc(known);
                    }
                }
                Err(_) => infer.error(Code::Attribute, argument, "this is not a type", "list types"),
            }
        }
    }
    infer.diagnostics.finish(arguments)
}

/// Returns whether a type is a single name, and not that of a type which a device cannot have: if we do not know it, nor does rustc.
fn is_plain_name(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(ty) => {
            ty.path.get_ident().is_some_and(|name| crate::names::host_only(name).is_none())
        }
        _ => false,
    }
}

/// The state of inference in one function or constant.
struct Infer<'a> {
    program: &'a Program<'a>,
    links: &'a Links,
    role: Role,
    /// What the generic parameters and `Self` stand for.
    generics: generics::Scope,
    /// The traits by which generic parameters are bound, by what these stand for.
    bounds: Vec<(Ty, Vec<String>)>,
    /// The arguments of those that are generic.
    bound_arguments: Vec<(Ty, String, Vec<Ty>)>,
    /// Types of calls that several `impl`s of a trait fit by now, with the name and the arguments of the trait.
    open_bounds: Vec<(Ty, String, Vec<Ty>)>,
    /// What is known of associated types.
    associated: Vec<projection::Associated>,
    /// Whose members are meant.
    wanted: member::Wanted,
    own_name: Option<Ident>,
    table: Table,
    bindings: Arena<Binding>,
    scope: Scope<Named>,
    loops: Vec<control::Target>,
    next_label: u32,
    result: Ty,
    /// How many blocks there are around the current statement, the body itself not counted.
    block_depth: u32,
    expression_depth: u32,
    /// How many associated types are being looked for, one for the sake of the other.
    projection_depth: u32,
    /// Whether an expression has been refused for its depth; one such error is enough.
    too_deep: bool,
    /// How many constants are being evaluated, one inside of the other.
    constant_depth: u32,
    /// Where the variables begin that can be used: a constant has those that are defined in it.
    first_own: usize,
    constants: Vec<constant::Local>,
    /// The bound by which the result can be called, until the last expression of the function has been come to.
    returned: Option<closure::Callable>,
    deferred: Vec<Deferred>,
    defaults: Vec<default::Pending>,
    open_calls: Vec<candidates::OpenCall>,
    /// The generic arguments of calls whose opaque results are asked for before these are known, in their order.
    early: Vec<Vec<Ty>>,
    /// What the first of these have turned out to be.
    foreseen: Vec<Vec<Ty>>,
    /// The associated types of types that are not known yet, each with what stands for it until then.
    open_projections: Vec<(Rc<Projection>, Ty)>,
    /// What is passed for a generic parameter, and what its bound converts that into.
    conversions: Vec<(Ty, Ty)>,
    /// The types that are wanted of what calls, arrays and tuples make, by these expressions.
    wanted_values: HashMap<*const (), Ty>,
    /// The elements that are changed, by the expressions that name them.
    changed_places: HashSet<*const syn::ExprIndex>,
    /// The variables that are used in each closure around.
    used: Vec<HashSet<Handle<Binding>>>,
    /// The names that the first of several alternatives has bound, for each pattern with alternatives around.
    shared_names: Vec<alternative::Shared>,
    /// Whether who launches the kernel vouches for the addresses that it is given.
    is_vouched: bool,
    /// Whether an `impl Trait` in a type stands for what the body makes of it.
    opens_impl_traits: bool,
    /// Whether the path that is being looked at stands where a type does, so that generic arguments which are left out are the defaults.
    takes_defaults: bool,
    /// Whether the type that is being looked at is behind a raw pointer.
    is_behind_pointer: bool,
    diagnostics: Diagnostics,
}

/// What a local name stands for.
#[derive(Clone)]
enum Named {
    Binding(Handle<Binding>),
    Constant(usize),
}

impl<'a> Infer<'a> {
    fn new(program: &'a Program<'a>, links: &'a Links, role: Role, result: Ty) -> Self {
        Self {
            program,
            links,
            role,
            generics: generics::Scope::default(),
            bounds: Vec::new(),
            bound_arguments: Vec::new(),
            open_bounds: Vec::new(),
            associated: Vec::new(),
            wanted: member::Wanted::Any,
            own_name: None,
            table: Table::default(),
            bindings: Arena::default(),
            scope: Scope::default(),
            loops: Vec::new(),
            next_label: 0,
            result,
            block_depth: 0,
            expression_depth: 0,
            projection_depth: 0,
            too_deep: false,
            constant_depth: 0,
            first_own: 0,
            constants: Vec::new(),
            returned: None,
            deferred: Vec::new(),
            defaults: Vec::new(),
            open_calls: Vec::new(),
            early: Vec::new(),
            foreseen: Vec::new(),
            open_projections: Vec::new(),
            conversions: Vec::new(),
            wanted_values: HashMap::default(),
            changed_places: HashSet::default(),
            used: Vec::new(),
            shared_names: Vec::new(),
            is_vouched: false,
            opens_impl_traits: false,
            takes_defaults: false,
            is_behind_pointer: false,
            diagnostics: Diagnostics::default(),
        }
    }

    /// Enters a function, in which generic parameters have a meaning, and perhaps `Self`.
    fn enter(&mut self, source: &Source, generics: generics::Scope) {
        self.generics = generics;
        for generic in source.generics.iter().filter(|generic| !generic.bounds.is_empty()) {
            let Some((ty, None)) = self.generics.get(&generic.name).cloned() else { continue };
            self.bound(&ty, &generic.bounds, &source.links);
        }
        if let Some(Owner::Type(ty)) = &source.own {
            let own = self.ty(ty);
            self.generics.insert("Self".to_owned(), (own.clone(), None));
            self.note_own_associated(&own, source);
        }
        for (ty, bounds) in &source.bounded {
            let known = self.diagnostics.len();
            let ty = self.ty(ty);
            // What is wrong with a bound is rustc's business.
            self.diagnostics.truncate(known);
            self.bound(&ty, bounds, &source.links);
        }
    }

    /// Notes the traits by which a type is bound, and its associated types by these.
    fn bound(&mut self, ty: &Ty, bounds: &[generics::Bound], links: &Links) {
        let mut traits = Vec::new();
        for bound in bounds {
            self.program.traits_of_bound(bound, links, &mut traits);
            self.note_associated(ty, bound, links);
            if let generics::Bound::Path(path) = bound {
                self.bound_with_arguments(ty, path, links);
            }
            for (path, links) in self.program.conversions_of_bound(bound, links) {
                self.bound_with_arguments(ty, path, links);
            }
            for (name, bounds, links) in self.program.bounds_of_associated(bound, links) {
                let associated = self.projection(ty.clone(), &name.to_string());
                let associated = self.normalized(&associated);
                if !matches!(associated, Ty::Variable(..) | Ty::Projection(_)) {
                    let mut traits = Vec::new();
                    for bound in &bounds {
                        self.program.traits_of_bound(bound, &links, &mut traits);
                    }
                    self.bounds.push((associated, traits));
                }
            }
        }
        self.bounds.push((ty.clone(), traits));
    }

    fn error(&mut self, code: Code, tokens: &dyn ToTokens, message: impl Into<String>, help: &str) {
        let mut diagnostic = Diagnostic::new(code, tokens, message);
        if !help.is_empty() {
            diagnostic = diagnostic.help(help);
        }
        self.diagnostics.push(diagnostic);
    }

    fn known_to_rustc(&mut self, tokens: &dyn ToTokens, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::known_to_rustc(tokens, message));
    }

    fn leave_to_rustc(&mut self, tokens: &dyn ToTokens, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::left_to_rustc(tokens, message));
    }

    fn bind(&mut self, name: &Ident, ty: Ty, assignable: bool) -> Handle<Binding> {
        let binding = self.bindings.push(Binding { name: name.unraw().to_string(), ty, assignable });
        self.scope.define(name, Named::Binding(binding));
        binding
    }

    fn lookup(&self, name: &Ident) -> Option<Named> {
        self.scope.get(name).cloned()
    }

    fn link(&self, path: &syn::Path) -> Option<&'a Link> {
        self.links.get(&crate::names::key(path)).or_else(|| self.program.known_link(path))
    }

    fn fresh_label(&mut self) -> Label {
        self.next_label += 1;
        crate::ir::Label(self.next_label)
    }

    /// Uses an expression where `expected` is wanted: they are made equal, but `!` becomes any type and `&mut [T]` a `&[T]`.
    fn coerce(&mut self, tokens: &dyn ToTokens, actual: &Ty, expected: &Ty) {
        self.try_coerce(tokens, actual, expected);
        if !self.open_projections.is_empty() {
            self.settle_projections();
        }
    }

    /// As [`coerce`](Self::coerce), and says whether it was possible; if not, that has been reported.
    fn try_coerce(&mut self, tokens: &dyn ToTokens, actual: &Ty, expected: &Ty) -> bool {
        let actual = self.table.shallow(actual);
        let wanted = self.table.shallow(expected);
        let fits = match (&actual, &wanted) {
            (Ty::Never, _) => true,
            (Ty::Slice { element: a, .. }, Ty::Slice { element: b, mutable: false }) => {
                self.table.unify(a, b)
            }
            (Ty::Closure(closure), Ty::Function(signature)) => {
                closure.signature.len() == signature.len()
                    && closure
                        .signature
                        .iter()
                        .zip(&**signature)
                        .all(|(own, wanted)| self.table.unify(own, wanted))
            }
            (Ty::Slice { element, .. }, Ty::Reference { to, mutable: false }) if self.table.is_open(to) => {
                self.table.unify(to, &Ty::Elements(element.clone()))
            }
            (Ty::Reference { to, mutable }, Ty::Slice { element, mutable: wanted }) => {
                self.coerce_to_slice(to, element) && (*mutable || !wanted)
            }
            (Ty::Reference { to: a, .. }, Ty::Reference { to: b, mutable: false })
            | (Ty::Pointer { to: a, .. }, Ty::Pointer { to: b, mutable: false }) => self.table.unify(a, b),
            (Ty::Reference { to: from, .. }, Ty::Pointer { to, .. }) => {
                if self.referent_fits(from, to) {
                    let message = "device code makes a raw pointer of a reference where that is written";
                    self.error(
                        Code::UnsupportedExpression,
                        tokens,
                        message,
                        "add `as *const _` or `as *mut _`",
                    );
                    return false;
                }
                false
            }
            _ => self.table.unify(&actual, &wanted),
        };
        if !fits {
            let (expected, found) = (self.table.partial(expected), self.table.partial(&actual));
            self.leave_to_rustc(tokens, format!("mismatched types: expected `{expected}`, found `{found}`"));
        }
        fits
    }

    /// A reference to an array is a slice where one is wanted.
    fn coerce_to_slice(&mut self, to: &Ty, element: &Ty) -> bool {
        match self.table.shallow(to) {
            Ty::Array(own, _) => self.table.unify(&own, element),
            Ty::Reference { to, .. } => self.coerce_to_slice(&to, element),
            _ => false,
        }
    }

    /// The common type of two branches.
    fn join(&mut self, tokens: &dyn ToTokens, first: &Ty, second: &Ty) -> Ty {
        if self.table.shallow(first) == Ty::Never {
            return second.clone();
        }
        let common = self.common_slice(first, second).or_else(|| self.common_function(first, second));
        let common = common.unwrap_or_else(|| first.clone());
        self.coerce(tokens, second, &common);
        common
    }

    /// The slice that both of two types become where one is a slice, or both are references to arrays that differ in length.
    fn common_slice(&self, first: &Ty, second: &Ty) -> Option<Ty> {
        let [first, second] = [first, second].map(|ty| self.elements_of(ty));
        let ((element, len, mutable), (_, other_len, other_mutable)) = (first?, second?);
        let is_slice = match (len, other_len) {
            (Some(len), Some(other)) => len != other,
            _ => true,
        };
        is_slice.then(|| Ty::Slice { element: Rc::new(element), mutable: mutable && other_mutable })
    }

    /// The elements that a slice, or a reference to an array, leads to: their type, their number if it is part of the type and known, and whether they can be stored to.
    fn elements_of(&self, ty: &Ty) -> Option<(Ty, Option<u32>, bool)> {
        match self.table.shallow(ty) {
            Ty::Slice { element, mutable } => Some(((*element).clone(), None, mutable)),
            Ty::Reference { to, mutable } => match self.table.shallow(&to) {
                Ty::Array(element, len) => {
                    Some(((*element).clone(), Some(self.table.shallow(&len).length()?), mutable))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

impl Expr {
    /// Stands for what has an error that has been reported.
    fn error(span: proc_macro2::Span) -> Self {
        Self { kind: ExprKind::Error, ty: Ty::Error, span }
    }
}
