//! Functions of the standard library that belong to no type.

use super::Infer;
use super::deferred::Requirement;
use crate::typed::{Block, Expr, ExprKind, Statement, Ty, VariableKind};
use std::rc::Rc;
use syn::{ExprCall, Path, PathArguments, parse_quote_spanned};

impl Infer<'_> {
    /// A function of the standard library by its whole path, as `std::mem::swap`, if it is one that device code has.
    pub(super) fn library_call(&mut self, call: &ExprCall, path: &Path) -> Option<(ExprKind, Ty)> {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if let ["std" | "core", "sync", "atomic", "fence"] = names[..] {
            return Some(self.fence(call));
        }
        let ["std" | "core", module, name] = names[..] else { return None };
        let arguments: Vec<_> = call.args.iter().collect();
        match (module, name, &arguments[..]) {
            ("fmt", "write", [target, arguments]) => self.write_arguments(target, arguments),
            ("array", "from_fn", [by]) => Some(self.array_from_fn(call, &path.segments[2].arguments, by)),
            ("iter", _, _) => self.iterator_call(call, name, &arguments),
            ("slice", "from_raw_parts" | "from_raw_parts_mut", [pointer, len]) => {
                Some(self.slice_from_pointer(pointer, len, name.ends_with("_mut")))
            }
            ("ptr", "null" | "null_mut", []) => Some(self.null_pointer(path, name == "null_mut")),
            ("convert", "identity", [value]) => {
                let Expr { kind, ty, .. } = self.expr(value);
                Some((kind, ty))
            }
            ("mem", "swap", [one, other]) => {
                let (first, ty) = self.exclusive(one);
                let (second, wanted) = self.exclusive(other);
                self.coerce(other, &wanted, &ty);
                Some((ExprKind::Swap(Box::new(first), Box::new(second)), Ty::Unit))
            }
            ("mem", "replace", [place, value]) => {
                let (place, ty) = self.exclusive(place);
                let new = self.expr(value);
                self.coerce(value, &new.ty, &ty);
                Some((ExprKind::Replace(Box::new(place), Box::new(new)), ty))
            }
            ("mem", "take", [place]) => {
                let (place, ty) = self.exclusive(place);
                let (kind, _) = self.default_value(&call.func, &ty);
                let new = Expr { kind, ty: ty.clone(), span: place.span };
                Some((ExprKind::Replace(Box::new(place), Box::new(new)), ty))
            }
            ("mem", "discriminant", [value]) => {
                let place = self.expr(value);
                let place = self.followed_references(place);
                let tag = self.definition_of(&place.ty)?.tag?;
                Some((ExprKind::Tag(Box::new(place)), Ty::Scalar(tag)))
            }
            ("mem", "drop", [value]) => {
                let value = self.expr(value);
                let block = Block { statements: vec![Statement::Expr(value)], tail: None };
                Some((ExprKind::Block(block), Ty::Unit))
            }
            ("mem", "size_of" | "align_of", []) => {
                let ty = self.generic_arguments(1, &path.segments[2].arguments).pop()?;
                Some((self.extent(&call.func, ty, name), Ty::USIZE))
            }
            ("mem", "size_of_val" | "align_of_val", [value]) => Some(self.extent_of_value(call, value, name)),
            ("cmp", "max" | "min", [one, other]) => {
                let method = syn::Ident::new(name, path.segments[2].ident.span());
                let call: syn::Expr = syn::parse_quote!((#one).#method(#other));
                let Expr { kind, ty, .. } = self.expr(&call);
                Some((kind, ty))
            }
            _ => None,
        }
    }

    /// The functions of `std::iter`.
    fn iterator_call(
        &mut self,
        call: &ExprCall,
        name: &str,
        arguments: &[&syn::Expr],
    ) -> Option<(ExprKind, Ty)> {
        let span = super::span::start(&call.func);
        let at = proc_macro2::Span::call_site().located_at(span);
        let Expr { kind, ty, .. } = match (name, arguments) {
            ("from_fn", [by]) => self.items_from_fn(by, span),
            ("once", [value]) => {
                let option: syn::Expr = parse_quote_spanned!(at=> Some(#value).into_iter());
                self.expr(&option)
            }
            ("empty", []) => {
                let option: syn::Expr = parse_quote_spanned!(at=> None.into_iter());
                self.expr(&option)
            }
            ("zip", [one, other]) => {
                let pairs: syn::Expr = parse_quote_spanned!(at=> (#one).into_iter().zip(#other));
                self.expr(&pairs)
            }
            ("repeat", [value]) => {
                let value = self.expr(value);
                let next: syn::Expr = parse_quote_spanned!(at=> move || Some(__value));
                self.with_hidden("__value", value, |infer| infer.items_from_fn(&next, span))
            }
            ("repeat_n", [value, count]) => {
                let value = self.expr(value);
                let next: syn::Expr = parse_quote_spanned!(at=> (0..#count).map(move |_| __value));
                self.with_hidden("__value", value, |infer| infer.expr(&next))
            }
            ("repeat_with", [by]) => {
                let item = self.table.fresh(VariableKind::Any);
                let by = self.callable_argument(by, &(Vec::new(), item));
                let next: syn::Expr = parse_quote_spanned!(at=> move || Some(__by()));
                self.with_hidden("__by", by, |infer| infer.items_from_fn(&next, span))
            }
            ("successors", [first, by]) => self.successors((first, by), span),
            _ => return None,
        };
        Some((kind, ty))
    }

    /// `std::iter::successors`: what comes next is computed when it is asked for.
    fn successors(&mut self, (first, by): (&syn::Expr, &syn::Expr), span: proc_macro2::Span) -> Expr {
        let at = proc_macro2::Span::call_site().located_at(span);
        let item = self.table.fresh(VariableKind::Any);
        let first = self.typed_argument(first, &Ty::option(item.clone()));
        let seen = Ty::Reference { to: Rc::new(item.clone()), mutable: false };
        let by = self.callable_argument(by, &(vec![seen], Ty::option(item)));
        let next: syn::Expr = parse_quote_spanned!(at=> move || {
            let __item = __next?;
            __next = __by(&__item);
            Some(__item)
        });
        self.with_hidden("__next", first, |infer| {
            infer.with_hidden("__by", by, |infer| infer.items_from_fn(&next, span))
        })
    }

    /// An argument that is a `&mut`, and the type of what it refers to.
    fn exclusive(&mut self, argument: &syn::Expr) -> (crate::typed::Expr, Ty) {
        let to = self.table.fresh(VariableKind::Any);
        let wanted = Ty::Reference { to: Rc::new(to.clone()), mutable: true };
        let reference = self.argument(argument, &wanted);
        self.coerce(argument, &reference.ty, &wanted);
        self.defer(Requirement::Storable, &to, argument);
        (reference, to)
    }

    /// `std::array::from_fn`: how long the array is follows from where it is used, unless it is written.
    fn array_from_fn(&mut self, call: &ExprCall, written: &PathArguments, by: &syn::Expr) -> (ExprKind, Ty) {
        let Ok([element, len]) = <[Ty; 2]>::try_from(self.generic_arguments(2, written)) else {
            return (ExprKind::Error, Ty::Error);
        };
        let closure = self.callable_argument(by, &(vec![Ty::USIZE], element.clone()));
        let ty = Ty::Array(Rc::new(element), Rc::new(len.clone()));
        if self.table.shallow(&closure.ty) == Ty::Error {
            return (ExprKind::Error, ty);
        }
        self.defer(Requirement::Known, &len, &call.func);
        self.defer(Requirement::Storable, &ty, &call.func);
        (ExprKind::ArrayFromFn(Box::new(closure)), ty)
    }
}
