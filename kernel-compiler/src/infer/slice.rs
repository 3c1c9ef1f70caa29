//! Methods of slices and arrays.

use super::Infer;
use super::deferred::Requirement;
use crate::diagnostics::{Code, Diagnostic};
use crate::methods;
use crate::prelude;
use crate::typed::{Block, Expr, ExprKind, Iter, Parts, RangeForm, SliceMethod, Ty, VariableKind};
use kernel_core::semantics::BinaryOp;
use std::rc::Rc;
use syn::{ExprMethodCall, parse_quote_spanned};

/// The methods that go by the order of the elements.
const ORDERING: &[&str] = &["sort", "sort_unstable", "binary_search", "select_nth_unstable"];

impl Infer<'_> {
    pub(super) fn slice_method(
        &mut self,
        call: &ExprMethodCall,
        receiver: Expr,
        name: &str,
    ) -> (ExprKind, Ty) {
        if let (Some(method), [by]) = (with_closure(name), &call.args.iter().collect::<Vec<_>>()[..]) {
            return self.slice_closure_method(call, method, receiver, by);
        }
        if let Some(found) = self.slice_of_other_type(call, &receiver, name) {
            return found;
        }
        if let Some(found) = self.slice_as_written(call, &receiver, name) {
            return found;
        }
        if let ("index" | "index_mut", [index]) = (name, &call.args.iter().collect::<Vec<_>>()[..]) {
            return self.index_as_method(call, receiver, index);
        }
        let mut arguments = self.arguments(&call.args).into_iter();
        let iterator = |Expr { kind, ty, .. }: Expr| (kind, ty);
        match (name, arguments.next(), arguments.next()) {
            ("len", None, None) => (ExprKind::Len(Box::new(receiver)), Ty::USIZE),
            ("is_empty", None, None) => self.is_empty(call, receiver),
            ("as_ptr" | "as_mut_ptr", None, None) => self.pointer_to_elements(receiver, name == "as_mut_ptr"),
            ("try_into", None, None) => self.array_conversion(&call.method, receiver),
            ("each_ref" | "each_mut", None, None)
                if matches!(self.table.shallow(&receiver.ty), Ty::Array(..)) =>
            {
                self.each_element(call, receiver)
            }
            ("iter", None, None) => iterator(self.elements(receiver, false)),
            ("iter_mut", None, None) => iterator(self.elements(receiver, true)),
            ("chunks" | "chunks_exact" | "windows" | "chunks_mut" | "chunks_exact_mut", Some(len), None) => {
                self.coerce(&call.args, &len.ty, &Ty::USIZE);
                self.parts(receiver, name, len)
            }
            (_, first, second) => {
                let arguments: Vec<_> = first.into_iter().chain(second).chain(arguments).collect();
                self.other_slice_method(call, receiver, name, arguments)
            }
        }
    }

    /// The methods whose result has the same elements, or some of them, in another type.
    fn slice_of_other_type(
        &mut self,
        call: &ExprMethodCall,
        receiver: &Expr,
        name: &str,
    ) -> Option<(ExprKind, Ty)> {
        match (name, call.args.len()) {
            ("assume_init_ref" | "assume_init_mut", 0) => {
                self.initialized_slice(receiver.clone(), name == "assume_init_mut")
            }
            ("__as_array" | "__as_array_mut", 2) => {
                Some(self.elements_as_array(call, receiver, name == "__as_array_mut"))
            }
            _ => None,
        }
    }

    /// `this.__as_array(start, N)` in the prelude: a reference to so many elements as to an array. Where they cannot change, it is one to a copy, which is loaded once.
    fn elements_as_array(&mut self, call: &ExprMethodCall, receiver: &Expr, mutable: bool) -> (ExprKind, Ty) {
        let (whole, start, len) = (&call.receiver, &call.args[0], &call.args[1]);
        let at = proc_macro2::Span::call_site().located_at(call.method.span());
        let element = self.table.shallow(&receiver.ty).element().cloned().unwrap_or(Ty::Error);
        let is_copy = !mutable && !self.program.has_cell(&self.table.partial(&element));
        let elements: syn::Expr = match (is_copy, mutable) {
            (true, _) => {
                parse_quote_spanned!(at=> &std::array::from_fn::<_, #len, _>(|__index| #whole[#start + __index]))
            }
            (_, true) => parse_quote_spanned!(at=> &mut #whole[#start..][..#len]),
            (_, false) => parse_quote_spanned!(at=> &#whole[#start..][..#len]),
        };
        let elements = self.expr(&elements);
        if is_copy {
            return (elements.kind, elements.ty);
        }
        let array = Ty::Array(Rc::new(element), Rc::new(self.length(len)));
        let ty = Ty::Reference { to: Rc::new(array), mutable };
        (ExprKind::Block(Block { statements: Vec::new(), tail: Some(Box::new(elements)) }), ty)
    }

    /// `x.index(i)`: a reference to what the operator names.
    fn index_as_method(
        &mut self,
        call: &ExprMethodCall,
        receiver: Expr,
        index: &syn::Expr,
    ) -> (ExprKind, Ty) {
        let at = proc_macro2::Span::call_site().located_at(call.method.span());
        let slice = self.as_slice(receiver, call.method == "index_mut");
        let element: syn::Expr = match call.method == "index_mut" {
            true => parse_quote_spanned!(at=> &mut __slice[#index]),
            false => parse_quote_spanned!(at=> &__slice[#index]),
        };
        let Expr { kind, ty, .. } = self.with_hidden("__slice", slice, |infer| infer.expr(&element));
        (kind, ty)
    }

    /// `x.each_ref()`: an array of references to the elements of another one.
    fn each_element(&mut self, call: &ExprMethodCall, receiver: Expr) -> (ExprKind, Ty) {
        let at = proc_macro2::Span::call_site().located_at(call.method.span());
        let (array, mutable) = (self.table.shallow(&receiver.ty), call.method == "each_mut");
        let slice = self.as_slice(receiver, mutable);
        let elements: syn::Expr = match mutable {
            true => parse_quote_spanned!(at=> std::array::from_fn(|__index| &mut __slice[__index])),
            false => parse_quote_spanned!(at=> std::array::from_fn(|__index| &__slice[__index])),
        };
        let Expr { kind, ty, .. } = self.with_hidden("__slice", slice, |infer| infer.expr(&elements));
        if let (Ty::Array(_, len), Ty::Array(_, own)) = (self.table.shallow(&ty), array) {
            self.table.unify(&len, &own);
        }
        (kind, ty)
    }

    /// The methods whose arguments follow from the type of the elements.
    fn other_slice_method(
        &mut self,
        call: &ExprMethodCall,
        receiver: Expr,
        name: &str,
        arguments: Vec<Expr>,
    ) -> (ExprKind, Ty) {
        let ty = self.table.shallow(&receiver.ty);
        let (Some(method), Some(element)) = (method(name), ty.element().cloned()) else {
            return self.unknown_slice_method(call, &receiver, name);
        };
        let mutable = name.ends_with("_mut");
        let slice = |mutable| Ty::Slice { element: Rc::new(element.clone()), mutable };
        let reference = |mutable| Ty::Reference { to: Rc::new(element.clone()), mutable };
        if let (SliceMethod::Get, [index]) = (method, &arguments[..])
            && let Ty::Range(number, _) = self.table.shallow(&index.ty)
        {
            self.coerce(&call.args, &number, &Ty::USIZE);
            let operands = [receiver].into_iter().chain(arguments).collect();
            let part = Ty::option(slice(mutable));
            return (ExprKind::SliceMethod(SliceMethod::GetPart, operands), part);
        }
        let (parameters, result) = match method {
            SliceMethod::SplitAt => {
                let part = slice(mutable);
                (vec![Ty::USIZE], Ty::tuple(vec![part.clone(), part]))
            }
            SliceMethod::AsSlice => (Vec::new(), slice(name.contains("_mut"))),
            SliceMethod::AsFlattened => {
                let row = self.table.shallow(&element);
                let Ty::Array(element, _) = &row else {
                    return self.unknown_slice_method(call, &receiver, name);
                };
                (Vec::new(), Ty::Slice { element: element.clone(), mutable })
            }
            SliceMethod::Fill => (vec![element.clone()], Ty::Unit),
            SliceMethod::CopyFromSlice => (vec![slice(false)], Ty::Unit),
            SliceMethod::Swap => (vec![Ty::USIZE, Ty::USIZE], Ty::Unit),
            SliceMethod::Reverse => (Vec::new(), Ty::Unit),
            SliceMethod::RotateLeft | SliceMethod::RotateRight => (vec![Ty::USIZE], Ty::Unit),
            SliceMethod::IsSorted => (Vec::new(), Ty::BOOL),
            SliceMethod::Contains => (vec![reference(false)], Ty::BOOL),
            SliceMethod::StartsWith | SliceMethod::EndsWith => (vec![slice(false)], Ty::BOOL),
            SliceMethod::First | SliceMethod::Last => (Vec::new(), Ty::option(reference(mutable))),
            SliceMethod::Get => (vec![Ty::USIZE], Ty::option(reference(mutable))),
            SliceMethod::GetUnchecked => (vec![Ty::USIZE], reference(mutable)),
            SliceMethod::SplitFirst | SliceMethod::SplitLast => {
                (Vec::new(), Ty::option(Ty::tuple(vec![reference(mutable), slice(mutable)])))
            }
            // These have been seen to before.
            SliceMethod::GetPart | SliceMethod::PartitionPoint | SliceMethod::Map => (Vec::new(), Ty::Error),
        };
        if arguments.len() != parameters.len() {
            let (wanted, found) = (parameters.len(), arguments.len());
            self.leave_to_rustc(
                call,
                format!("`{name}` takes {wanted} arguments, but {found} were supplied"),
            );
            return (ExprKind::Error, result);
        }
        let arguments = arguments.into_iter().zip(&parameters).zip(&call.args);
        let arguments: Vec<_> = arguments
            .map(|((argument, parameter), tokens)| {
                let argument = self.behind_for(argument, parameter);
                self.coerce(tokens, &argument.ty, parameter);
                argument
            })
            .collect();
        match method {
            SliceMethod::Contains | SliceMethod::StartsWith | SliceMethod::EndsWith => {
                self.is_comparable(&call.method, &element);
            }
            SliceMethod::IsSorted => self.defer(Requirement::Binary(BinaryOp::Le), &element, &call.method),
            _ => {}
        }
        let operands = [receiver].into_iter().chain(arguments).collect();
        (ExprKind::SliceMethod(method, operands), result)
    }

    /// The methods that take a closure.
    fn slice_closure_method(
        &mut self,
        call: &ExprMethodCall,
        method: SliceMethod,
        receiver: Expr,
        by: &syn::Expr,
    ) -> (ExprKind, Ty) {
        let ty = self.table.shallow(&receiver.ty);
        let element = ty.element().cloned().unwrap_or(Ty::Error);
        let made = self.table.fresh(VariableKind::Any);
        let (parameter, closure_result, result) = match (method, &ty) {
            (SliceMethod::Map, Ty::Array(_, len)) => {
                let array = Ty::Array(Rc::new(made.clone()), len.clone());
                (element, made, array)
            }
            (SliceMethod::Map, _) => {
                self.expr(by);
                return self.unknown_slice_method(call, &receiver, "map");
            }
            _ => (Ty::Reference { to: Rc::new(element), mutable: false }, Ty::BOOL, Ty::USIZE),
        };
        let closure = self.callable_argument(by, &(vec![parameter], closure_result));
        if self.table.shallow(&closure.ty) == Ty::Error {
            return (ExprKind::Error, result);
        }
        self.defer(Requirement::Storable, &result, &call.method);
        (ExprKind::SliceMethod(method, vec![receiver, closure]), result)
    }

    /// The methods that are written in the language.
    fn slice_as_written(
        &mut self,
        call: &ExprMethodCall,
        receiver: &Expr,
        name: &str,
    ) -> Option<(ExprKind, Ty)> {
        if !prelude::has_function("slice", name) {
            return None;
        }
        let element = self.table.shallow(&receiver.ty).element().cloned().unwrap_or(Ty::Error);
        match (name, &call.args.iter().collect::<Vec<_>>()[..]) {
            // Of numbers there is something shorter.
            ("is_sorted", _) if self.table.shallow(&element).scalar().is_some() => None,
            ("copy_within", [range, to]) => Some(self.copy_within(call, receiver, (range, to))),
            _ => Some(self.slice_prelude_method(call, receiver.clone())),
        }
    }

    /// `copy_within`, whose range is that of `copy_within(start, end, to)` in the prelude.
    fn copy_within(
        &mut self,
        call: &ExprMethodCall,
        receiver: &Expr,
        (range, to): (&syn::Expr, &syn::Expr),
    ) -> (ExprKind, Ty) {
        let at = proc_macro2::Span::call_site().located_at(call.method.span());
        let slice = self.as_slice(receiver.clone(), true);
        let ends = self.expr(range);
        let Ty::Range(number, form) = self.table.shallow(&ends.ty) else {
            self.leave_to_rustc(range, "this is no range");
            return (ExprKind::Error, Ty::Unit);
        };
        self.coerce(range, &number, &Ty::USIZE);
        let (start, end): (syn::Expr, syn::Expr) = match form {
            RangeForm::Full => (parse_quote_spanned!(at=> 0), parse_quote_spanned!(at=> __slice.len())),
            RangeForm::From => {
                (parse_quote_spanned!(at=> __range.start), parse_quote_spanned!(at=> __slice.len()))
            }
            RangeForm::To => (parse_quote_spanned!(at=> 0), parse_quote_spanned!(at=> __range.end)),
            RangeForm::ToInclusive => {
                (parse_quote_spanned!(at=> 0), parse_quote_spanned!(at=> __range.end + 1))
            }
            RangeForm::HalfOpen => {
                (parse_quote_spanned!(at=> __range.start), parse_quote_spanned!(at=> __range.end))
            }
            RangeForm::Closed => {
                (parse_quote_spanned!(at=> *__range.start()), parse_quote_spanned!(at=> *__range.end() + 1))
            }
        };
        let name = &call.method;
        let copied: syn::Expr = parse_quote_spanned!(at=> __slice.#name(#start, #end, #to));
        let Expr { kind, ty, .. } = self.with_hidden("__slice", slice, |infer| {
            infer.with_hidden("__range", ends, |infer| infer.expr(&copied))
        });
        (kind, ty)
    }

    /// The methods that are functions of the prelude, which take a slice.
    fn slice_prelude_method(&mut self, call: &ExprMethodCall, receiver: Expr) -> (ExprKind, Ty) {
        let element = self.table.shallow(&receiver.ty).element().cloned().unwrap_or(Ty::Error);
        let name = call.method.to_string();
        if ORDERING.contains(&&*name)
            && !self.is_ordered_by_parts(&element, "Ord")
            && !self.has_order(&element)
        {
            let message = "device code does not know the order of these";
            let help = "write `#[derive(PartialEq, Eq, PartialOrd, Ord)]` below `#[device]` for all that they consist of";
            self.error(Code::UnsupportedExpression, &call.method, message, help);
            return (ExprKind::Error, Ty::Error);
        }
        let slice = self.as_slice(receiver, prelude::changes_slice(&name));
        self.prelude_method(call, "slice", slice, vec![element])
    }

    /// The elements of a slice or an array as a slice.
    pub(super) fn as_slice(&mut self, elements: Expr, mutable: bool) -> Expr {
        let ty = self.table.shallow(&elements.ty);
        if matches!(ty, Ty::Slice { .. }) {
            return elements;
        }
        let element = ty.element().cloned().unwrap_or(Ty::Error);
        let (ty, span) = (Ty::Slice { element: Rc::new(element), mutable }, elements.span);
        Expr { kind: ExprKind::SliceMethod(SliceMethod::AsSlice, vec![elements]), ty, span }
    }

    fn is_empty(&mut self, call: &ExprMethodCall, receiver: Expr) -> (ExprKind, Ty) {
        let span = call.method.span();
        let len = Expr { kind: ExprKind::Len(Box::new(receiver)), ty: Ty::USIZE, span };
        let zero = Expr { kind: ExprKind::Integer(0), ty: Ty::USIZE, span };
        (ExprKind::Binary(BinaryOp::Eq, Box::new(len), Box::new(zero)), Ty::BOOL)
    }

    /// Parts with so many elements each.
    fn parts(&mut self, of: Expr, name: &str, len: Expr) -> (ExprKind, Ty) {
        let kind = match name {
            "windows" => Parts::Windows,
            "chunks" | "chunks_mut" => Parts::Chunks,
            _ => Parts::ChunksExact,
        };
        let ty = self.table.shallow(&of.ty);
        let Some(element) = ty.element().cloned() else { return (ExprKind::Error, Ty::Error) };
        let item = Ty::Slice { element: element.into(), mutable: name.ends_with("_mut") };
        let span = of.span;
        let Expr { kind, ty, .. } = Expr::sequence(Iter::Parts { kind, of, len }, item, span);
        (kind, ty)
    }

    fn unknown_slice_method(&mut self, call: &ExprMethodCall, receiver: &Expr, name: &str) -> (ExprKind, Ty) {
        let ty = self.table.partial(&receiver.ty);
        let message = format!("device code does not have the method `{name}` of `{ty}`");
        let diagnostic = match methods::absent::of_slice(name) {
            Some(help) => Diagnostic::new(Code::UnknownMethod, &call.method, message).help(help),
            None => Diagnostic::left_to_rustc(&call.method, message)
                .code(Code::UnknownMethod)
                .help("slices and arrays have `len`, `is_empty`, `iter`, `chunks_exact` and indexing"),
        };
        self.diagnostics.push(diagnostic);
        (ExprKind::Error, Ty::Error)
    }
}

fn method(name: &str) -> Option<SliceMethod> {
    Some(match name {
        "split_at" | "split_at_mut" => SliceMethod::SplitAt,
        "as_slice" | "as_mut_slice" | "as_ref" | "as_mut" => SliceMethod::AsSlice,
        "as_flattened" | "as_flattened_mut" => SliceMethod::AsFlattened,
        "fill" => SliceMethod::Fill,
        "copy_from_slice" => SliceMethod::CopyFromSlice,
        "swap" => SliceMethod::Swap,
        "reverse" => SliceMethod::Reverse,
        "rotate_left" => SliceMethod::RotateLeft,
        "rotate_right" => SliceMethod::RotateRight,
        "is_sorted" => SliceMethod::IsSorted,
        "contains" => SliceMethod::Contains,
        "starts_with" => SliceMethod::StartsWith,
        "ends_with" => SliceMethod::EndsWith,
        "first" | "first_mut" => SliceMethod::First,
        "last" | "last_mut" => SliceMethod::Last,
        "get_unchecked" | "get_unchecked_mut" => SliceMethod::GetUnchecked,
        "get" | "get_mut" => SliceMethod::Get,
        "split_first" | "split_first_mut" => SliceMethod::SplitFirst,
        "split_last" | "split_last_mut" => SliceMethod::SplitLast,
        _ => return None,
    })
}

fn with_closure(name: &str) -> Option<SliceMethod> {
    Some(match name {
        "map" => SliceMethod::Map,
        "partition_point" => SliceMethod::PartitionPoint,
        _ => return None,
    })
}
