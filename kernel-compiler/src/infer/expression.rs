//! Expressions: the dispatcher, and the kinds that need no file of their own.

use super::text::is_str_type;
use super::{Infer, span};
use crate::diagnostics::Code;
use crate::typed::{Expr, ExprKind, Ty, VariableKind};
use kernel_core::Scalar;
use kernel_core::semantics::UnaryOp;
use proc_macro2::Span;
use std::rc::Rc;
use syn::{ExprLit, Lit};

/// How deeply expressions may be nested; the compiler recurses, so there must be a bound.
const MAX_DEPTH: u32 = 200;

impl Infer<'_> {
    /// Infers the type of an expression.
    pub(super) fn expr(&mut self, expr: &syn::Expr) -> Expr {
        if self.expression_depth == MAX_DEPTH {
            let message = format!("expressions can be nested {MAX_DEPTH} deep at most");
            if std::mem::replace(&mut self.too_deep, true) {
                return Expr::error(span::start(expr));
            }
            self.error(Code::UnsupportedExpression, expr, message, "give parts of it a name with `let`");
            return Expr::error(span::start(expr));
        }
        self.expression_depth += 1;
        let (kind, ty) = self.dispatch(expr);
        self.expression_depth -= 1;
        Expr { span: self.place_of_panic(expr, &kind), kind, ty }
    }

    /// Where Rust says that an expression panicked. An index that is a call of `Index::index`, as that of a vector or by a range is, panics
    /// at its bracket.
    fn place_of_panic(&self, expr: &syn::Expr, kind: &ExprKind) -> proc_macro2::Span {
        let is_call = match kind {
            ExprKind::SubSlice(..) => true,
            ExprKind::Index(base, _) => matches!(self.table.shallow(&base.ty), Ty::Vector(..)),
            _ => false,
        };
        match span::unwrapped(expr) {
            syn::Expr::Index(index) if is_call => index.bracket_token.span.open(),
            _ => span::panicking(expr),
        }
    }

    fn dispatch(&mut self, expr: &syn::Expr) -> (ExprKind, Ty) {
        use syn::Expr as E;
        match expr {
            E::Lit(literal) => self.literal(literal),
            E::Path(path) => self.path(path),
            E::Paren(paren) => self.same(&paren.expr),
            E::Group(group) => self.same(&group.expr),
            E::Unary(unary) => self.unary(unary),
            E::Binary(binary) => self.binary(binary),
            E::Assign(assign) => self.assign(assign),
            E::Cast(cast) => self.cast(cast),
            E::If(branch) => self.if_expr(branch),
            E::Block(block) => self.block_expr(block),
            E::Loop(repeat) => self.loop_expr(repeat),
            E::While(repeat) => self.while_expr(repeat),
            E::ForLoop(repeat) => self.for_expr(repeat),
            E::Break(exit) => self.break_expr(exit),
            E::Continue(exit) => self.continue_expr(exit),
            E::Return(exit) => self.return_expr(exit),
            E::Index(index) => self.index(index),
            E::Call(call) => self.call(call),
            E::MethodCall(call) => self.method_call(call),
            E::Array(array) => self.array(array),
            E::Repeat(repeat) => self.repeat(repeat),
            E::Reference(reference) => self.reference(reference),
            E::Tuple(tuple) => self.tuple(tuple),
            E::Field(field) => self.field(field),
            E::Range(range) => self.range(range),
            E::Macro(call) => self.macro_call(&call.mac),
            E::Const(constant) => self.const_block(constant),
            E::Match(matching) => self.match_expr(matching),
            // A semicolon by itself.
            E::Verbatim(tokens) if tokens.is_empty() => (ExprKind::Tuple(Vec::new()), Ty::Unit),
            other => self.rare(other),
        }
    }

    /// Those apart that seldom are inside of each other, so that the others take less of the stack.
    #[inline(never)]
    fn rare(&mut self, expr: &syn::Expr) -> (ExprKind, Ty) {
        match expr {
            syn::Expr::Struct(literal) => self.struct_expr(literal),
            syn::Expr::Try(expr) => self.try_expr(expr),
            syn::Expr::Closure(closure) => self.closure_as_wanted(closure),
            // Whether it is needed is rustc's to say.
            syn::Expr::Unsafe(block) => {
                let (body, ty) = self.inner_block(&block.block);
                (ExprKind::Block(body), ty)
            }
            syn::Expr::RawAddr(address) => self.raw_address(address),
            other => self.unsupported_expr(other),
        }
    }

    fn same(&mut self, inner: &syn::Expr) -> (ExprKind, Ty) {
        let inner = self.expr(inner);
        (inner.kind, inner.ty)
    }

    fn unsupported_expr(&mut self, expr: &syn::Expr) -> (ExprKind, Ty) {
        use syn::Expr as E;
        let (what, help) = match expr {
            E::Async(_) => ("`async` code", "work-items run side by side: give each its own part"),
            // In a function that is not `async`, does not return a `Result`, and so on, rustc refuses these.
            E::Let(_) | E::Await(_) | E::Infer(_) | E::Yield(_) => {
                self.known_to_rustc(expr, "device code does not have this expression");
                return (ExprKind::Error, Ty::Error);
            }
            _ => ("expressions of this form", "use arithmetic, indexing, calls, `if` and loops"),
        };
        self.error(Code::UnsupportedExpression, expr, format!("device code does not have {what}"), help);
        (ExprKind::Error, Ty::Error)
    }

    fn tuple(&mut self, tuple: &syn::ExprTuple) -> (ExprKind, Ty) {
        let wanted = match self.wanted_value(tuple) {
            Some(Ty::Tuple(wanted)) => wanted.to_vec(),
            _ => Vec::new(),
        };
        let elements = tuple.elems.iter().enumerate();
        let elements: Vec<_> =
            elements.map(|(position, element)| self.part(element, wanted.get(position))).collect();
        let (elements, types) = elements.into_iter().unzip();
        (ExprKind::Tuple(elements), Ty::tuple(types))
    }

    /// A part of a tuple or an array, with the type that it has there: the one that is wanted, if that is known.
    fn part(&mut self, tokens: &syn::Expr, wanted: Option<&Ty>) -> (Expr, Ty) {
        let Some(wanted) = wanted else {
            let value = self.expr(tokens);
            let ty = value.ty.clone();
            return (value, ty);
        };
        let value = self.argument(tokens, wanted);
        self.coerce(tokens, &value.ty, wanted);
        (value, wanted.clone())
    }

    fn field(&mut self, field: &syn::ExprField) -> (ExprKind, Ty) {
        let base = self.expr(&field.base);
        if self.table.is_open(&base.ty) {
            self.settle_bounds(&base.ty);
        }
        let base = self.followed_references(base);
        let base = self.held_in_local_memory(base);
        let position = match &field.member {
            syn::Member::Unnamed(index) => index.index as usize,
            syn::Member::Named(_) => usize::MAX,
        };
        if let Some((position, ty)) = self.struct_field(&base.ty, &field.member) {
            return (ExprKind::Field(Box::new(base), position), ty);
        }
        if let Some((lane, ty)) = self.lane_field(&base.ty, &field.member) {
            let span = base.span;
            let lane = Expr { kind: ExprKind::Integer(lane.into()), ty: Ty::USIZE, span };
            return (ExprKind::Index(Box::new(base), Box::new(lane)), ty);
        }
        match self.table.shallow(&base.ty) {
            Ty::Error => (ExprKind::Error, Ty::Error),
            own @ Ty::Nominal(_) if self.has_standard_impl(&own, "Deref") => {
                let Some(target) = self.deref_target(base, true) else {
                    return (ExprKind::Error, Ty::Error);
                };
                let target = self.followed_references(target);
                match self.struct_field(&target.ty, &field.member) {
                    Some((position, ty)) => (ExprKind::Field(Box::new(target), position), ty),
                    None => {
                        self.leave_to_rustc(&field.member, "there is no such field");
                        (ExprKind::Error, Ty::Error)
                    }
                }
            }
            Ty::Range(number, form) if form.position(&field.member).is_some() => {
                let position = form.position(&field.member).unwrap_or_default();
                (ExprKind::Field(Box::new(base), position), (*number).clone())
            }
            Ty::Tuple(elements) if position < elements.len() => {
                let ty = elements[position].clone();
                (ExprKind::Field(Box::new(base), position), ty)
            }
            ty => {
                let ty = self.table.partial(&ty);
                self.leave_to_rustc(&field.member, format!("`{ty}` has no such field"));
                (ExprKind::Error, Ty::Error)
            }
        }
    }

    /// What the references of an expression lead to, as the `.` operator follows them.
    pub(super) fn followed_references(&mut self, mut expr: Expr) -> Expr {
        while let Ty::Reference { to, .. } = self.table.shallow(&expr.ty) {
            let span = expr.span;
            expr = Expr { kind: ExprKind::Dereference(Box::new(expr)), ty: (*to).clone(), span };
        }
        expr
    }

    /// What local memory holds, if that is no array, as the `.` operator finds it. The methods of arrays are found for local memory itself.
    pub(super) fn held_in_local_memory(&self, expr: Expr) -> Expr {
        match self.table.shallow(&expr.ty) {
            Ty::Local(inner) if !matches!(self.table.shallow(&inner), Ty::Array(..)) => {
                Expr { ty: (*inner).clone(), ..expr }
            }
            _ => expr,
        }
    }

    fn literal(&mut self, literal: &ExprLit) -> (ExprKind, Ty) {
        match &literal.lit {
            Lit::Bool(value) => (ExprKind::Integer(u128::from(value.value)), Ty::BOOL),
            Lit::Int(value) if matches!(value.suffix(), "f32" | "f64") => {
                self.float_literal(literal, value.base10_digits(), value.suffix())
            }
            Lit::Int(value) => {
                let Some(bits) = integer_bits(value) else {
                    self.known_to_rustc(literal, "integer literal is too large");
                    return (ExprKind::Error, Ty::Error);
                };
                let ty = match self.suffix(literal, value.suffix()) {
                    Some(ty) => ty,
                    None => self.table.fresh(VariableKind::Integer),
                };
                (ExprKind::Integer(bits), ty)
            }
            Lit::Float(value) => self.float_literal(literal, value.base10_digits(), value.suffix()),
            Lit::Byte(value) => (ExprKind::Integer(u128::from(value.value())), Ty::Scalar(Scalar::U8)),
            Lit::ByteStr(text) => self.byte_string(text),
            Lit::Char(value) => self.char_literal(value.value(), value.span()),
            Lit::Str(text) => self.str_literal(text),
            _ => {
                let help = "use numbers, `bool`, `char`, bytes such as `b'a'`, and strings such as `b\"abc\"` and `\"abc\"`";
                self.error(Code::UnsupportedLiteral, literal, "device code does not have this literal", help);
                (ExprKind::Error, Ty::Error)
            }
        }
    }

    fn float_literal(&mut self, literal: &ExprLit, digits: &str, suffix: &str) -> (ExprKind, Ty) {
        let ty = match self.suffix(literal, suffix) {
            Some(ty) => ty,
            None => self.table.fresh(VariableKind::Float),
        };
        (ExprKind::Float(digits.to_owned()), ty)
    }

    fn suffix(&mut self, literal: &ExprLit, suffix: &str) -> Option<Ty> {
        if suffix.is_empty() {
            return None;
        }
        if let Some(scalar) = Scalar::primitive(suffix) {
            return Some(Ty::Scalar(scalar));
        }
        if let Some(wide) = self.wide_type(suffix) {
            return Some(wide);
        }
        let help = "use an integer of 8 to 64 bits, `f32` or `f64`";
        self.error(
            Code::UnsupportedLiteral,
            literal,
            format!("device code does not have the type `{suffix}`"),
            help,
        );
        Some(Ty::Error)
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> (ExprKind, Ty) {
        let op = match unary.op {
            syn::UnOp::Neg(_) => UnaryOp::Neg,
            syn::UnOp::Not(_) => UnaryOp::Not,
            _ => return self.dereference(unary),
        };
        let mut operand = self.expr(&unary.expr);
        // The digits of the least number do not fit without the sign.
        if op == UnaryOp::Neg && matches!(operand.kind, ExprKind::Integer(_)) && self.is_wide(&operand.ty) {
            let ty = operand.ty.clone();
            return (ExprKind::Unary(op, Box::new(operand)), ty);
        }
        if let Some(found) = self.user_unary(unary, op, &operand) {
            return found;
        }
        self.value_of_reference(&mut operand);
        let ty = operand.ty.clone();
        match self.table.shallow(&ty) {
            Ty::Vector(element, _) => self.defer_unary(op, &element, unary),
            _ => self.defer_unary(op, &ty, unary),
        }
        (ExprKind::Unary(op, Box::new(operand)), ty)
    }

    fn dereference(&mut self, unary: &syn::ExprUnary) -> (ExprKind, Ty) {
        let operand = self.expr(&unary.expr);
        self.dereferenced(unary, operand)
    }

    /// `*slice`, `*text` and `*local` name the same elements as what they dereference.
    pub(super) fn dereferenced(&mut self, unary: &syn::ExprUnary, operand: Expr) -> (ExprKind, Ty) {
        match self.table.shallow(&operand.ty) {
            Ty::Slice { .. } | Ty::Error => {}
            text if self.is_str(&text) => {}
            Ty::Local(inner) => return (operand.kind, (*inner).clone()),
            Ty::Reference { to, .. } | Ty::Pointer { to, .. } => {
                return (ExprKind::Dereference(Box::new(operand)), (*to).clone());
            }
            own @ Ty::Nominal(_) if self.has_standard_impl(&own, "Deref") => {
                let Some(target) = self.deref_target(operand, true) else {
                    return (ExprKind::Error, Ty::Error);
                };
                return self.dereferenced(unary, target);
            }
            other => {
                let other = self.table.partial(&other);
                self.leave_to_rustc(unary, format!("type `{other}` cannot be dereferenced"));
            }
        }
        (operand.kind, operand.ty)
    }

    /// What is indexed by way of an `impl Deref`, where the type itself cannot be.
    fn indexed_through_deref(&mut self, base: Expr) -> Expr {
        let is_led = matches!(self.table.shallow(&base.ty), Ty::Nominal(_))
            && !self.has_standard_impl(&base.ty, "Index")
            && self.has_standard_impl(&base.ty, "Deref");
        match is_led {
            true => {
                self.deref_target(base.clone(), true).map_or(base, |target| self.followed_references(target))
            }
            false => base,
        }
    }

    fn index(&mut self, index: &syn::ExprIndex) -> (ExprKind, Ty) {
        let base = self.expr(&index.expr);
        let base = self.followed_references(base);
        let base = self.held_in_local_memory(base);
        let base = self.indexed_through_deref(base);
        if self.is_str(&base.ty) {
            return self.part_of_text("__part", &index.index, base);
        }
        if let Some(found) = self.user_index(index, &base) {
            return found;
        }
        let position = self.expr(&index.index);
        if let Ty::Range(number, form) = self.table.shallow(&position.ty) {
            return self.sub_slice(index, base, position, (&number, form));
        }
        self.coerce(&index.index, &position.ty, &Ty::USIZE);
        let element = match self.table.shallow(&base.ty) {
            Ty::Error => Ty::Error,
            base => match base.element() {
                Some(element) => element.clone(),
                None => {
                    let base = self.table.partial(&base);
                    self.leave_to_rustc(index, format!("cannot index into a value of type `{base}`"));
                    Ty::Error
                }
            },
        };
        (ExprKind::Index(Box::new(base), Box::new(position)), element)
    }

    fn array(&mut self, array: &syn::ExprArray) -> (ExprKind, Ty) {
        let wanted = match self.wanted_value(array) {
            Some(Ty::Array(element, _) | Ty::Elements(element)) => Some((*element).clone()),
            _ => None,
        };
        let mut element = wanted.unwrap_or_else(|| self.table.fresh(VariableKind::Any));
        let mut elements = Vec::new();
        for expr in &array.elems {
            let value = self.argument(expr, &element.clone());
            match self.common_function(&element, &value.ty) {
                Some(function) => element = function,
                None => self.coerce(expr, &value.ty, &element),
            }
            elements.push(value);
        }
        element = self.element_function(element);
        let ty = self.array_type(element, Ty::Constant(elements.len() as i64), array);
        (ExprKind::Array(elements), ty)
    }

    /// The type of the elements of an array: of closures, which are all the same then, it keeps which function each is.
    fn element_function(&self, element: Ty) -> Ty {
        match self.table.shallow(&element) {
            Ty::Closure(closure) => Ty::Function(closure.signature.clone().into()),
            _ => element,
        }
    }

    fn repeat(&mut self, repeat: &syn::ExprRepeat) -> (ExprKind, Ty) {
        let value = self.expr(&repeat.expr);
        let len = self.length(&repeat.len);
        let element = self.element_function(value.ty.clone());
        let ty = self.array_type(element, len, repeat);
        (ExprKind::Repeat(Box::new(value)), ty)
    }

    fn reference(&mut self, reference: &syn::ExprReference) -> (ExprKind, Ty) {
        let mutable = reference.mutability.is_some();
        if is_no_elements(&reference.expr) {
            // There is no array of that type, but the slice that it becomes where one is wanted.
            let element = Rc::new(self.table.fresh(VariableKind::Any));
            return (ExprKind::EmptySlice, Ty::Slice { element, mutable });
        }
        if mutable {
            self.note_changed(&reference.expr);
        }
        if let Some(found) = self.pointed_slice(&reference.expr, mutable) {
            return found;
        }
        let place = self.expr(&reference.expr);
        match self.table.shallow(&place.ty) {
            Ty::Error => (ExprKind::Error, Ty::Error),
            // What is not `&mut` cannot be dereferenced to what is: the variable for the slice is meant.
            slice @ Ty::Slice { mutable: false, .. }
                if mutable && is_slice_in_place(&reference.expr, &place) =>
            {
                (ExprKind::Reference(Box::new(place)), Ty::Reference { to: Rc::new(slice), mutable })
            }
            // `&x` of a slice is taken as the slice itself: where a slice is wanted, Rust dereferences it.
            Ty::Slice { element, .. } => (place.kind, Ty::Slice { element, mutable }),
            // `&text[range]` is a `&str`, as `text` is.
            text if self.is_str(&text) && matches!(plain(&reference.expr), syn::Expr::Index(_)) => {
                (place.kind, text)
            }
            // A reference to local memory leads to what it holds, as in Rust where that is wanted.
            Ty::Local(inner) => (ExprKind::Reference(Box::new(place)), Ty::Reference { to: inner, mutable }),
            other => (ExprKind::Reference(Box::new(place)), Ty::Reference { to: Rc::new(other), mutable }),
        }
    }
}

/// Returns whether an expression is `[]`, or all of its elements.
fn is_no_elements(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Array(array) => array.elems.is_empty(),
        syn::Expr::Index(syn::ExprIndex { expr, index, .. }) => {
            is_no_elements(expr)
                && matches!(&**index, syn::Expr::Range(syn::ExprRange { start: None, end: None, .. }))
        }
        syn::Expr::Paren(inner) => is_no_elements(&inner.expr),
        _ => false,
    }
}

/// Returns whether a place holds a slice, and is not what a slice refers to: `x[..]` and `*x` are.
fn is_slice_in_place(written: &syn::Expr, place: &Expr) -> bool {
    match written {
        syn::Expr::Paren(inner) => is_slice_in_place(&inner.expr, place),
        syn::Expr::Group(inner) => is_slice_in_place(&inner.expr, place),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), .. }) => {
            matches!(place.kind, ExprKind::Dereference(_))
        }
        syn::Expr::Reference(_) => true,
        _ => !matches!(place.kind, ExprKind::SubSlice(..)),
    }
}

impl Infer<'_> {
    /// An argument for a parameter of this type: `&mut x` of a slice is a reference to the variable where one is wanted, and what it leads to where a slice is.
    pub(super) fn argument(&mut self, argument: &syn::Expr, wanted: &Ty) -> Expr {
        if let syn::Expr::Reference(reference) = argument
            && let Ty::Reference { to, mutable } = self.table.shallow(wanted)
            && mutable == reference.mutability.is_some()
            && match self.table.shallow(&to) {
                Ty::Slice { .. } => true,
                Ty::Variable(_, VariableKind::Any) => mutable,
                _ => false,
            }
        {
            let place = self.expr(&reference.expr);
            let (span, own) = (super::span::start(argument), self.table.shallow(&place.ty));
            if matches!(own, Ty::Slice { .. }) && is_slice_in_place(&reference.expr, &place) {
                let ty = Ty::Reference { to: Rc::new(own), mutable };
                return Expr { kind: ExprKind::Reference(Box::new(place)), ty, span };
            }
            let (kind, ty) = self.reference(reference);
            return self.less_referred(Expr { kind, ty, span }, wanted);
        }
        if let Some(function) = self.function_argument(argument, wanted) {
            return function;
        }
        if let (syn::Expr::Tuple(tuple), Ty::Tuple(types)) = (argument, self.table.shallow(wanted))
            && tuple.elems.len() == types.len()
        {
            return self.tuple_argument(tuple, &types, super::span::start(argument));
        }
        self.note_wanted(argument, wanted);
        let value = self.expr(argument);
        let value = self.less_referred(value, wanted);
        let value = self.text_behind(value, wanted);
        self.dereferenced_for(value, wanted)
    }

    /// A value where one of this type is wanted: what its references lead to if fewer are wanted, and what `Deref` of it gives.
    pub(super) fn behind_for(&mut self, value: Expr, wanted: &Ty) -> Expr {
        let value = self.less_referred(value, wanted);
        self.dereferenced_for(value, wanted)
    }

    /// A tuple where one of these types is wanted: each of its elements is an argument.
    fn tuple_argument(&mut self, tuple: &syn::ExprTuple, wanted: &[Ty], span: Span) -> Expr {
        let elements =
            tuple.elems.iter().zip(wanted).map(|(element, wanted)| self.part(element, Some(wanted)));
        let (elements, types) = elements.unzip();
        Expr { kind: ExprKind::Tuple(elements), ty: Ty::tuple(types), span }
    }

    /// A `&str` where a reference to a `str` is wanted, or to what is not known: a `&str` is one value here, and so is the `str` of a `T: ?Sized`.
    fn text_behind(&mut self, value: Expr, wanted: &Ty) -> Expr {
        match self.table.shallow(wanted) {
            Ty::Reference { to, mutable: false }
                if self.is_str(&value.ty)
                    && (self.is_str(&to)
                        || matches!(self.table.shallow(&to), Ty::Variable(_, VariableKind::Any))) =>
            {
                let (span, ty) =
                    (value.span, Ty::Reference { to: Rc::new(value.ty.clone()), mutable: false });
                Expr { kind: ExprKind::Reference(Box::new(value)), ty, span }
            }
            _ => value,
        }
    }

    /// What `Deref` of a value gives, where a reference to that is wanted and not one to the value.
    fn dereferenced_for(&mut self, value: Expr, wanted: &Ty) -> Expr {
        let (own, wanted) = (self.table.shallow(&value.ty), self.table.shallow(wanted));
        // A `&str` is one value.
        let target = if is_str_type(&wanted) { Some((wanted.clone(), false)) } else { wanted.referent() };
        let (Ty::Reference { to, .. }, Some((target, mutable))) = (&own, target) else { return value };
        let is_other =
            matches!(self.table.shallow(to), Ty::Nominal(_)) && !self.table.could_equal(to, &target);
        if !is_other || !self.has_standard_impl(to, "Deref") {
            return value;
        }
        let place = Expr {
            kind: ExprKind::Dereference(Box::new(value.clone())),
            ty: (**to).clone(),
            span: value.span,
        };
        self.deref_target(place, mutable).unwrap_or(value)
    }

    /// A reference to references, of which fewer are wanted.
    fn less_referred(&self, mut value: Expr, wanted: &Ty) -> Expr {
        let (Some(wanted), Some(own)) = (self.references(wanted), self.references(&value.ty)) else {
            return value;
        };
        // `&&x` as a value is not what a parameter by value takes.
        for _ in wanted.max(1)..own {
            let Some((to, _)) = self.table.shallow(&value.ty).referent() else { break };
            let (span, ty) = (value.span, self.table.shallow(&to));
            value = Expr { kind: ExprKind::Dereference(Box::new(value)), ty, span };
        }
        value
    }

    /// How many references lead to a value, a slice and text being one; none if that is not known.
    fn references(&self, ty: &Ty) -> Option<u32> {
        match self.table.shallow(ty) {
            ref text if is_str_type(text) => Some(1),
            Ty::Reference { to, .. } => Some(self.references(&to)? + 1),
            Ty::Slice { .. } => Some(1),
            Ty::Variable(_, VariableKind::Any) => None,
            _ => Some(0),
        }
    }
}

/// The value of an integer literal in two's complement; in a pattern the sign is part of the literal.
fn integer_bits(literal: &syn::LitInt) -> Option<u128> {
    match literal.base10_digits().strip_prefix('-') {
        Some(digits) => digits.parse::<u128>().ok().map(u128::wrapping_neg),
        None => literal.base10_parse().ok(),
    }
}

/// An expression without the parentheses around it.
fn plain(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Paren(inner) => plain(&inner.expr),
        syn::Expr::Group(inner) => plain(&inner.expr),
        other => other,
    }
}
