//! Closures. Each call is replaced by the body, like that of a device function, so that a closure can use the variables around it.

use super::{Infer, Named};
use crate::diagnostics::{Code, Diagnostic};
use crate::hash::HashSet;
use crate::ir::Handle;
use crate::typed::{Binding, Closure, ClosureType, Expr, ExprKind, Ty, VariableKind};
use quote::ToTokens;
use std::rc::Rc;
use syn::{ExprClosure, Pat, ReturnType};

/// The types of the parameters and of the result that a closure should have.
pub(super) type Callable = (Vec<Ty>, Ty);

impl Infer<'_> {
    /// A closure; `expected` is known where it is passed to a function with a bound such as `F: Fn(f32) -> f32`.
    pub(super) fn closure(&mut self, closure: &ExprClosure, expected: Option<&Callable>) -> (ExprKind, Ty) {
        if let Some(token) = &closure.asyncness {
            self.known_to_rustc(token, "device code does not have `async` closures");
            return (ExprKind::Error, Ty::Error);
        }
        let mark = self.scope.mark();
        let first_own = self.bindings.len();
        let (mut types, mut parameters) = (Vec::new(), Vec::new());
        for (index, input) in closure.inputs.iter().enumerate() {
            let expected = expected.and_then(|(parameters, _)| parameters.get(index)).cloned();
            let ty = self.closure_parameter(input, expected);
            let pattern = if let Pat::Type(input) = input { &*input.pat } else { input };
            parameters.push(self.pattern(pattern, &ty));
            types.push(ty);
        }
        let result = match &closure.output {
            ReturnType::Type(_, ty) => self.ty(ty),
            ReturnType::Default => self.table.fresh(VariableKind::Any),
        };
        if let Some((_, wanted)) = expected
            && !matches!(self.table.shallow(wanted), Ty::Projection(_))
        {
            self.table.unify(&result, wanted);
        }
        self.used.push(HashSet::default());
        let body = self.closure_body(&closure.body, &result);
        let used = self.used.pop().unwrap_or_default();
        self.scope.leave(mark);
        let captures = used.iter().any(|binding| binding.index() < first_own);
        let moved = if closure.capture.is_some() { self.moved(used, first_own) } else { Vec::new() };
        types.push(result.clone());
        let ty = Ty::Closure(Rc::new(ClosureType { id: self.program.fresh_closure(), signature: types }));
        (ExprKind::Closure(Rc::new(Closure { parameters, body, result, moved, captures })), ty)
    }

    fn closure_parameter(&mut self, input: &Pat, expected: Option<Ty>) -> Ty {
        let expected = expected.unwrap_or_else(|| self.table.fresh(VariableKind::Any));
        if let Pat::Type(input) = input {
            let written = self.ty(&input.ty);
            self.coerce(&input.ty, &expected, &written);
            return written;
        }
        expected
    }

    /// The body, in which `return` and `?` leave the closure, and no loop around it can be left.
    fn closure_body(&mut self, body: &syn::Expr, result: &Ty) -> Expr {
        let outer_result = std::mem::replace(&mut self.result, result.clone());
        let outer_loops = std::mem::take(&mut self.loops);
        self.block_depth += 1;
        self.note_wanted(body, result);
        let value = self.expr(body);
        self.block_depth -= 1;
        self.coerce(body, &value.ty, result);
        self.loops = outer_loops;
        self.result = outer_result;
        value
    }

    /// The variables around a closure that it uses, in the order of their definition.
    fn moved(&self, used: HashSet<Handle<Binding>>, first_own: usize) -> Vec<Handle<Binding>> {
        let mut moved: Vec<_> = used.into_iter().filter(|binding| binding.index() < first_own).collect();
        moved.sort_unstable_by_key(|binding| binding.index());
        moved
    }

    /// Notes that a variable is used in the closures around this place.
    pub(super) fn note_use(&mut self, binding: Handle<Binding>) {
        for used in &mut self.used {
            used.insert(binding);
        }
    }

    /// A call of something that has a value: only closures can be called.
    pub(super) fn call_of_value(&mut self, call: &syn::ExprCall) -> (ExprKind, Ty) {
        let callee = self.expr(&call.func);
        let callee = self.followed_references(callee);
        let signature = match self.table.shallow(&callee.ty) {
            Ty::Closure(closure) => closure.signature.clone(),
            Ty::Function(signature) => signature.to_vec(),
            ty => {
                call.args.iter().for_each(|argument| drop(self.expr(argument)));
                if ty != Ty::Error {
                    self.known_to_rustc(&call.func, "only functions can be called");
                }
                return (ExprKind::Error, Ty::Error);
            }
        };
        let Some((result, parameters)) = signature.split_last() else {
            return (ExprKind::Error, Ty::Error);
        };
        if call.args.len() != parameters.len() {
            self.leave_to_rustc(call, format!("this closure takes {} arguments", parameters.len()));
            self.arguments_of_unknown(&call.args);
            return (ExprKind::Error, result.clone());
        }
        let arguments = call.args.iter().zip(parameters).map(|(tokens, parameter)| {
            let argument = self.argument(tokens, parameter);
            self.coerce(tokens, &argument.ty, parameter);
            argument
        });
        let arguments = arguments.collect();
        (ExprKind::CallClosure(Box::new(callee), arguments), result.clone())
    }

    /// A closure, which may stand where a `fn` is wanted.
    pub(super) fn closure_as_wanted(&mut self, closure: &ExprClosure) -> (ExprKind, Ty) {
        let wanted = match self.wanted_value(closure) {
            Some(Ty::Function(signature)) => {
                signature.split_last().map(|(result, parameters)| (parameters.to_vec(), result.clone()))
            }
            _ => None,
        };
        self.closure(closure, wanted.as_ref())
    }

    /// An argument for a parameter that can be called: a closure, or the name of a function, which is as good as one.
    pub(super) fn callable_argument(&mut self, argument: &syn::Expr, expected: &Callable) -> Expr {
        let span = super::span::start(argument);
        match argument {
            syn::Expr::Closure(closure) => {
                let (kind, ty) = self.closure(closure, Some(expected));
                return Expr { kind, ty, span };
            }
            syn::Expr::Paren(paren) => return self.callable_argument(&paren.expr, expected),
            syn::Expr::Reference(reference) => {
                let place = self.callable_argument(&reference.expr, expected);
                let mutable = reference.mutability.is_some();
                let ty = Ty::Reference { to: Rc::new(place.ty.clone()), mutable };
                return Expr { kind: ExprKind::Reference(Box::new(place)), ty, span };
            }
            syn::Expr::Path(path) if self.is_unknown(path) => {
                // A name in lower case is not looked up, since it is most often that of a variable.
                let name = path.path.to_token_stream();
                let diagnostic = Diagnostic::left_to_rustc(argument, format!("`{name}` is no variable"))
                    .code(Code::ItemAsValue)
                    .help(format!("pass a function as a closure: `|x| {name}(x)`"));
                self.diagnostics.push(diagnostic);
                return Expr::error(span);
            }
            syn::Expr::Path(path) if !self.is_variable(path) => {
                let names = (0..expected.0.len()).map(|index| quote::format_ident!("argument_{index}"));
                let names: Vec<_> = names.collect();
                let at = proc_macro2::Span::call_site().located_at(span);
                let closure: ExprClosure = syn::parse_quote_spanned!(at=> |#(#names),*| #path(#(#names),*));
                let (kind, ty) = self.closure(&closure, Some(expected));
                return Expr { kind, ty, span };
            }
            _ => {}
        }
        let value = self.expr(argument);
        self.called_as(&value.ty, expected);
        match self.table.shallow(&value.ty) {
            Ty::Function(_) => self.calling(value, expected),
            _ => value,
        }
    }

    /// The closure that calls a function which only the running kernel knows.
    fn calling(&mut self, function: Expr, expected: &Callable) -> Expr {
        let span = function.span;
        let at = proc_macro2::Span::call_site().located_at(span);
        let names = (0..expected.0.len()).map(|index| quote::format_ident!("argument_{index}", span = at));
        let names: Vec<_> = names.collect();
        let closure: ExprClosure = syn::parse_quote_spanned!(at=> move |#(#names),*| __function(#(#names),*));
        self.with_hidden("__function", function, |infer| {
            let (kind, ty) = infer.closure(&closure, Some(expected));
            Expr { kind, ty, span }
        })
    }

    /// A value where one of this type is wanted, which a function or a closure becomes if that is a `fn`.
    pub(super) fn function_argument(&mut self, argument: &syn::Expr, wanted: &Ty) -> Option<Expr> {
        let Ty::Function(signature) = self.table.shallow(wanted) else { return None };
        let (result, parameters) = signature.split_last()?;
        let is_written = match argument {
            syn::Expr::Closure(_) => true,
            syn::Expr::Path(path) => !self.is_variable(path) && self.is_function(path),
            _ => false,
        };
        is_written.then(|| self.callable_argument(argument, &(parameters.to_vec(), result.clone())))
    }

    /// Returns whether an argument is a function of a type, as `char::is_whitespace`, as far as its form says.
    pub(super) fn is_function_of_type(&self, argument: &syn::Expr) -> bool {
        matches!(argument, syn::Expr::Path(path) if path.path.segments.len() > 1 && self.is_function(path))
    }

    /// Returns whether a path is no constant, as far as its form says.
    fn is_function(&self, path: &syn::ExprPath) -> bool {
        let last = path.path.segments.last().map(|last| last.ident.to_string());
        last.is_some_and(|last| last.starts_with(|first: char| !first.is_uppercase()))
    }

    /// The type of functions that both of two types become, if these are functions or closures.
    pub(super) fn common_function(&mut self, first: &Ty, second: &Ty) -> Option<Ty> {
        let signature = |ty: Ty| match ty {
            Ty::Closure(closure) => Some((closure.signature.clone(), Some(closure.id))),
            Ty::Function(signature) => Some((signature.to_vec(), None)),
            _ => None,
        };
        let (one, id) = signature(self.table.shallow(first))?;
        let (other, other_id) = signature(self.table.shallow(second))?;
        if id.is_some() && id == other_id || one.len() != other.len() {
            return None;
        }
        let fits = one.iter().zip(&other).all(|(one, other)| self.table.unify(one, other));
        fits.then(|| Ty::Function(one.into()))
    }

    /// Relates the types of a closure to those of the bound that it has to meet.
    fn called_as(&mut self, ty: &Ty, (parameters, result): &Callable) {
        match self.table.shallow(ty) {
            Ty::Reference { to, .. } => self.called_as(&to, &(parameters.clone(), result.clone())),
            Ty::Function(signature) => {
                for (own, wanted) in signature.iter().zip(parameters.iter().chain([result])) {
                    self.table.unify(own, wanted);
                }
            }
            Ty::Closure(closure) => {
                for (own, wanted) in closure.signature.iter().zip(parameters.iter().chain([result])) {
                    self.table.unify(own, wanted);
                }
            }
            _ => {}
        }
    }

    fn is_unknown(&self, path: &syn::ExprPath) -> bool {
        let Some(name) = path.path.get_ident() else { return false };
        let is_lower = name.to_string().starts_with(|first: char| !first.is_uppercase());
        is_lower && self.lookup(name).is_none() && self.link(&path.path).is_none()
    }

    fn is_variable(&self, path: &syn::ExprPath) -> bool {
        path.path.get_ident().is_some_and(|name| matches!(self.lookup(name), Some(Named::Binding(_))))
    }
}
