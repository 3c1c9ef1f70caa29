//! Atomics: their methods, and fences.
//!
//! What an access orders, and where, is part of its instruction. So orderings and scopes are written at the call, by their names.
//! What Rust panics about, such as a load that releases, is an error.

use super::Infer;
use super::nominal::RESULT;
use crate::chain::Link;
use crate::diagnostics::{Code, Diagnostic};
use crate::ir::{MemoryOrder, Scope};
use crate::names;
use crate::typed::{AtomicCall, AtomicMethod, Expr, ExprKind, Nominal, Ty};
use kernel_core::Scalar;
use quote::quote_spanned;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{ExprCall, ExprMethodCall};

const METHODS: &str = "atomics have `load`, `store`, `swap`, `compare_exchange`, `compare_exchange_weak`, `fetch_update`, `try_update`, \
                       `update`, `scope`, and `fetch_add` and its kin as far as Rust has them for the type";

/// What an ordering is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Load,
    Store,
    Failure,
    Fence,
    Update,
}

impl Use {
    /// Why Rust panics about an ordering, and what to write.
    fn refuses(self, order: MemoryOrder) -> Option<(&'static str, &'static str)> {
        use MemoryOrder::{Acquire, AcquireRelease, Relaxed, Release};
        match (self, order) {
            (Self::Load, Release | AcquireRelease) => {
                Some(("a load cannot release", "write `Acquire`, `Relaxed` or `SeqCst`"))
            }
            (Self::Store, Acquire | AcquireRelease) => {
                Some(("a store cannot acquire", "write `Release`, `Relaxed` or `SeqCst`"))
            }
            (Self::Failure, Release | AcquireRelease) => Some((
                "where the exchange fails nothing is stored that could be released",
                "write `Acquire`, `Relaxed` or `SeqCst`",
            )),
            (Self::Fence, Relaxed) => {
                Some(("a relaxed fence orders nothing", "write `Acquire`, `Release`, `AcqRel` or `SeqCst`"))
            }
            _ => None,
        }
    }
}

/// What to say where no ordering is written.
const ORDERING: (&str, &str) = (
    "an ordering is part of the instruction, so it is written at the access",
    "write `Ordering::Relaxed`, `Acquire`, `Release`, `AcqRel` or `SeqCst`",
);

/// What to say where no scope is written.
const SCOPE: (&str, &str) = (
    "a scope is part of the instruction, so it is written at the access",
    "write `Scope::Subgroup`, `Scope::WorkGroup`, `Scope::Device` or `Scope::AllDevices`",
);

impl Infer<'_> {
    /// A call of a method of an atomic.
    pub(super) fn atomic_method(
        &mut self,
        call: &ExprMethodCall,
        receiver: Expr,
        scalar: Scalar,
    ) -> (ExprKind, Ty) {
        let name = call.method.to_string();
        let arguments: Vec<&syn::Expr> = call.args.iter().collect();
        let (cell, scope) = scoped(receiver);
        match (name.as_str(), &arguments[..]) {
            ("scope", [scope]) => self.scope_of_access(cell, scope, scalar),
            ("fetch_update" | "try_update" | "update", [set, fetch, by]) => {
                self.atomic_update(call, [set, fetch, by], scalar)
            }
            ("compare_exchange" | "compare_exchange_weak", [current, new, success, failure]) => {
                let operands = vec![
                    cell,
                    self.typed_argument(current, &Ty::Scalar(scalar)),
                    self.typed_argument(new, &Ty::Scalar(scalar)),
                ];
                let orders = (self.ordering(success, Use::Update), self.ordering(failure, Use::Failure));
                let (Some(success), Some(failure)) = orders else { return (ExprKind::Error, Ty::Error) };
                let method = AtomicMethod::CompareExchange(failure);
                let call = AtomicCall { method, order: joined(success, failure), scope };
                (ExprKind::Atomic(call, operands), result(scalar))
            }
            (name, [values @ .., order]) => match method(name, scalar) {
                Some((method, count)) if count == values.len() => {
                    let values = values.iter().map(|value| self.typed_argument(value, &Ty::Scalar(scalar)));
                    let operands = [cell].into_iter().chain(values.collect::<Vec<_>>()).collect();
                    let purpose = match method {
                        AtomicMethod::Load => Use::Load,
                        AtomicMethod::Store => Use::Store,
                        _ => Use::Update,
                    };
                    let Some(order) = self.ordering(order, purpose) else {
                        return (ExprKind::Error, Ty::Error);
                    };
                    let ty = if method == AtomicMethod::Store { Ty::Unit } else { Ty::Scalar(scalar) };
                    (ExprKind::Atomic(AtomicCall { method, order, scope }, operands), ty)
                }
                _ => self.unknown_atomic_method(call, scalar),
            },
            _ => self.unknown_atomic_method(call, scalar),
        }
    }

    fn unknown_atomic_method(&mut self, call: &ExprMethodCall, scalar: Scalar) -> (ExprKind, Ty) {
        let (name, ty) = (&call.method, Ty::Atomic(scalar));
        let message = format!("device code does not have the method `{name}` of `{ty}`");
        let help = match name.to_string().as_str() {
            "get_mut" | "into_inner" | "as_ptr" => "other work-items may change it: use `load` and `store`",
            _ => METHODS,
        };
        let diagnostic = Diagnostic::left_to_rustc(name, message).code(Code::UnknownMethod).help(help);
        self.diagnostics.push(diagnostic);
        (ExprKind::Error, Ty::Error)
    }

    /// `cell.scope(Scope::WorkGroup)`: the receiver of the access that follows.
    fn scope_of_access(&mut self, cell: Expr, scope: &syn::Expr, scalar: Scalar) -> (ExprKind, Ty) {
        let Some(scope) = self.scope_argument(scope) else { return (ExprKind::Error, Ty::Error) };
        let ty = Ty::Reference { to: Rc::new(Ty::Atomic(scalar)), mutable: false };
        (ExprKind::Scoped(Box::new(cell), scope), ty)
    }

    /// A function of an atomic type: a method by its whole name, or what makes one.
    pub(super) fn atomic_function(&mut self, call: &ExprCall, scalar: Scalar, name: &str) -> (ExprKind, Ty) {
        let ty = Ty::Atomic(scalar);
        if let (Some(receiver), false) = (call.args.first(), matches!(name, "new" | "from")) {
            let rest = call.args.iter().skip(1);
            let method = syn::Ident::new(name, super::span::start(&call.func));
            let call: ExprMethodCall = syn::parse_quote!((#receiver).#method(#(#rest),*));
            return self.method_call(&call);
        }
        let message = format!("device code cannot make an `{ty}`: no other work-item would see it");
        let help = format!(
            "take `&[{ty}]` as a parameter, or declare `Local::<[{ty}; 64]>::new()` for the work-group; what one work-item has to \
             itself is an ordinary variable"
        );
        self.error(Code::UnsupportedExpression, &call.func, message, &help);
        (ExprKind::Error, Ty::Error)
    }

    /// `fence(order)` and `fence_in(scope, order)`.
    pub(super) fn fence(&mut self, call: &ExprCall) -> (ExprKind, Ty) {
        let arguments: Vec<&syn::Expr> = call.args.iter().collect();
        let (scope, order) = match arguments[..] {
            [order] => (Some(Scope::Device), order),
            [scope, order] => (self.scope_argument(scope), order),
            _ => {
                self.leave_to_rustc(call, "a fence takes an ordering");
                return (ExprKind::Error, Ty::Error);
            }
        };
        match (scope, self.ordering(order, Use::Fence)) {
            (Some(scope), Some(order)) => (ExprKind::Fence(scope, order), Ty::Unit),
            _ => (ExprKind::Error, Ty::Error),
        }
    }

    /// An ordering, which is written by its name.
    fn ordering(&mut self, written: &syn::Expr, purpose: Use) -> Option<MemoryOrder> {
        let order = match written {
            syn::Expr::Paren(paren) => return self.ordering(&paren.expr, purpose),
            syn::Expr::Path(path) if path.qself.is_none() => names::ordering(&path.path)
                .filter(|_| path.path.get_ident().is_none_or(|name| self.lookup(name).is_none())),
            _ => None,
        };
        let Some(order) = order else {
            self.not_written_there(written, ORDERING);
            return None;
        };
        if let Some((message, help)) = purpose.refuses(order) {
            self.error(Code::AtomicOrder, written, message, help);
            return None;
        }
        Some(order)
    }

    /// A scope, which is written by its name.
    pub(super) fn scope_argument(&mut self, written: &syn::Expr) -> Option<Scope> {
        let scope = match written {
            syn::Expr::Path(path) if path.qself.is_none() => {
                let own = super::nominal::prefix(&path.path);
                let is_scope = matches!(self.link(&own), Some(Link::Builtin(name)) if name == "Scope");
                let last = path.path.segments.last().filter(|_| is_scope);
                last.and_then(|last| scope_of(&last.ident.to_string()))
            }
            _ => None,
        };
        if scope.is_none() {
            self.not_written_there(written, SCOPE);
        }
        scope
    }

    /// What is part of an instruction is written where that is. Of what is no value of device code that has been said where it is made.
    pub(super) fn not_written_there(&mut self, written: &syn::Expr, (message, help): (&str, &str)) {
        let value = self.expr(written);
        if self.table.shallow(&value.ty) != Ty::Error {
            self.error(Code::AtomicOrder, written, message, help);
        }
    }

    /// What to say of a path to a value that is part of an instruction.
    pub(super) fn part_of_instruction(&self, path: &syn::Path) -> Option<(&'static str, &'static str)> {
        match self.link(&super::nominal::prefix(path)) {
            Some(Link::Builtin(name)) if name == "Scope" => Some(SCOPE),
            Some(Link::Builtin(name)) if name == "Memory" => Some(super::barrier::MEMORY),
            _ => names::ordering(path).map(|_| ORDERING),
        }
    }

    /// `fetch_update` and its kin, as the loop that they are.
    fn atomic_update(
        &mut self,
        call: &ExprMethodCall,
        [set, fetch, by]: [&syn::Expr; 3],
        scalar: Scalar,
    ) -> (ExprKind, Ty) {
        let orders = (self.ordering(set, Use::Update), self.ordering(fetch, Use::Failure));
        let (Some(_), Some(_)) = orders else { return (ExprKind::Error, Ty::Error) };
        let span = call.method.span();
        let (cell, scope) = match &*call.receiver {
            syn::Expr::MethodCall(scoped) if scoped.method == "scope" && scoped.args.len() == 1 => {
                let scope = &scoped.args;
                (&scoped.receiver, quote_spanned!(span=> .scope(#scope)))
            }
            _ => (&call.receiver, proc_macro2::TokenStream::new()),
        };
        let by = with_type(by, scalar);
        let is_total = call.method == "update";
        let next = match is_total {
            true => quote_spanned!(span=> Some((#by)(__atomic_old))),
            false => quote_spanned!(span=> (#by)(__atomic_old)),
        };
        let (done, refused) = match is_total {
            true => (quote_spanned!(span=> __atomic_seen), quote_spanned!(span=> __atomic_old)),
            false => (quote_spanned!(span=> Ok(__atomic_seen)), quote_spanned!(span=> Err(__atomic_old))),
        };
        let update = quote_spanned! {span=> {
            let __atomic_cell = &#cell;
            let mut __atomic_old = __atomic_cell #scope.load(#fetch);
            loop {
                match #next {
                    Some(__atomic_new) => {
                        match __atomic_cell #scope.compare_exchange_weak(__atomic_old, __atomic_new, #set, #fetch) {
                            Ok(__atomic_seen) => break #done,
                            Err(__atomic_seen) => __atomic_old = __atomic_seen,
                        }
                    }
                    None => break #refused,
                }
            }
        }};
        match syn::parse2(update) {
            Ok(update) => {
                let Expr { kind, ty, .. } = self.expr(&update);
                (kind, ty)
            }
            Err(_) => self.unknown_atomic_method(call, scalar),
        }
    }
}

/// A closure whose parameter has a type.
fn with_type(by: &syn::Expr, scalar: Scalar) -> syn::Expr {
    let mut by = by.clone();
    if let syn::Expr::Closure(closure) = &mut by
        && let Some(parameter) = closure.inputs.first_mut()
        && !matches!(parameter, syn::Pat::Type(_))
    {
        let name = syn::Ident::new(scalar.name(), parameter.span());
        *parameter = syn::Pat::Type(syn::PatType {
            attrs: Vec::new(),
            pat: Box::new(parameter.clone()),
            colon_token: syn::Token![:](parameter.span()),
            ty: Box::new(syn::parse_quote!(#name)),
        });
    }
    by
}

/// The atomic that an access is to, and the scope that it has been given.
fn scoped(receiver: Expr) -> (Expr, Option<Scope>) {
    if let ExprKind::Dereference(inner) = &receiver.kind
        && let ExprKind::Scoped(cell, scope) = &inner.kind
    {
        return ((**cell).clone(), Some(*scope));
    }
    (receiver, None)
}

/// `Result` of two numbers.
fn result(scalar: Scalar) -> Ty {
    let arguments = vec![Ty::Scalar(scalar); 2];
    Ty::Nominal(Rc::new(Nominal { id: RESULT.to_owned(), name: RESULT.into(), arguments, borrows: false }))
}

/// The method of a name, and how many values it takes besides the ordering.
fn method(name: &str, scalar: Scalar) -> Option<(AtomicMethod, usize)> {
    let is_bool = scalar == Scalar::Bool;
    let has_bits = !scalar.is_float();
    Some(match name {
        "load" => (AtomicMethod::Load, 0),
        "store" => (AtomicMethod::Store, 1),
        "swap" => (AtomicMethod::Swap, 1),
        "fetch_add" if !is_bool => (AtomicMethod::Add, 1),
        "fetch_sub" if !is_bool => (AtomicMethod::Sub, 1),
        "fetch_min" if !is_bool => (AtomicMethod::Min, 1),
        "fetch_max" if !is_bool => (AtomicMethod::Max, 1),
        "fetch_and" if has_bits => (AtomicMethod::And, 1),
        "fetch_nand" if has_bits => (AtomicMethod::Nand, 1),
        "fetch_or" if has_bits => (AtomicMethod::Or, 1),
        "fetch_xor" if has_bits => (AtomicMethod::Xor, 1),
        "fetch_not" if is_bool => (AtomicMethod::Not, 0),
        _ => return None,
    })
}

fn scope_of(name: &str) -> Option<Scope> {
    Some(match name {
        "Subgroup" => Scope::Subgroup,
        "WorkGroup" => Scope::WorkGroup,
        "Device" => Scope::Device,
        "AllDevices" => Scope::AllDevices,
        _ => return None,
    })
}

/// What an exchange orders if it succeeds, which in SPIR-V is no less than what it orders if it fails.
fn joined(success: MemoryOrder, failure: MemoryOrder) -> MemoryOrder {
    use MemoryOrder::{Acquire, AcquireRelease, Relaxed, Release, SequentiallyConsistent};
    match (success, failure) {
        (_, SequentiallyConsistent) => SequentiallyConsistent,
        (Relaxed, Acquire) => Acquire,
        (Release, Acquire) => AcquireRelease,
        (success, _) => success,
    }
}
