//! Constants: items, array lengths and the arguments of attributes. A static is one too, since device code cannot change it.
//!
//! A constant of an integer type or `bool` is folded with the semantics of `kernel_core`; a float constant is used as the expression
//! that it is, so that rounding is the device's and rustc's alike.

use super::deferred::Requirement;
use super::{Infer, Named, Role, Source};
use crate::chain::{Id, Links};
use crate::diagnostics::{Code, Diagnostic, Reporter};
use crate::typed::{Block, Callee, Expr, ExprKind, Function, SliceMethod, Ty, VariableKind};
use kernel_core::Scalar;
use kernel_core::semantics::{UnaryOp, extend, integer_binary, integer_unary, wrap};
use quote::ToTokens;
use std::rc::Rc;
use syn::Item;

/// How many constants may lead from one to another; the compiler recurses, so there must be a bound.
const MAX_CONSTANT_DEPTH: u32 = 64;

const ADVICE: &str = "use literals, other constants, operators and casts";

/// A `const` or `static` item.
#[derive(Clone, Copy)]
pub(super) struct Declared<'a> {
    name: &'a syn::Ident,
    ty: &'a syn::Type,
    value: &'a syn::Expr,
}

impl<'a> Declared<'a> {
    /// None for another item.
    pub(super) fn of(item: &'a Item) -> Option<Self> {
        match item {
            Item::Const(item) => Some(Self { name: &item.ident, ty: &item.ty, value: &item.expr }),
            Item::Static(item) => Some(Self { name: &item.ident, ty: &item.ty, value: &item.expr }),
            _ => None,
        }
    }

    /// Its code as that of a function without parameters.
    pub(super) fn source(self, links: &Rc<Links>) -> Source {
        Source::constant(self.name, self.ty, self.value, links.clone())
    }
}

/// A constant that is defined in a body.
#[derive(Clone)]
pub(super) enum Local {
    /// It has not been evaluated yet.
    Pending(Rc<Item>),
    /// It is being evaluated.
    Active,
    /// Its value.
    Known(Rc<Item>, ExprKind, Ty),
}

impl Local {
    /// The same for inference that knows nothing of the types in its value.
    fn anew(&self) -> Self {
        match self {
            Self::Known(item, kind, _) if !is_known(kind) => Self::Pending(item.clone()),
            other => other.clone(),
        }
    }
}

/// Why an expression has no value that is known now.
enum Unknown {
    /// It has an error that has been reported.
    Reported,
    /// It divides by zero or the like.
    Undefined,
    /// It depends on something that is known only when the kernel runs.
    Variable,
}

impl Infer<'_> {
    /// The value of a constant that is defined in this function's body; each is evaluated once.
    pub(super) fn local_constant(&mut self, index: usize, tokens: &dyn ToTokens) -> (ExprKind, Ty) {
        let (item, kind, ty) = match std::mem::replace(&mut self.constants[index], Local::Active) {
            Local::Pending(item) => {
                let (kind, ty) = self.item_in_body(&item);
                (item, kind, ty)
            }
            Local::Known(item, kind, ty) => (item, kind, ty),
            Local::Active => {
                self.known_to_rustc(tokens, "this constant is defined by itself");
                return (ExprKind::Error, Ty::Error);
            }
        };
        self.constants[index] = Local::Known(item, kind.clone(), ty.clone());
        (kind, ty)
    }

    /// A constant item in a body: rustc judges it by itself, apart from the function, so that whether it has accepted the function
    /// says nothing about it.
    fn item_in_body(&mut self, item: &Item) -> (ExprKind, Ty) {
        let Some(item) = Declared::of(item) else { return (ExprKind::Error, Ty::Error) };
        let outer = std::mem::take(&mut self.diagnostics);
        let (kind, ty) = self.named_constant(item);
        let span = item.name.span();
        let found = if is_known(&kind) { (kind, ty) } else { shared(Expr { kind, ty, span }) };
        let inner = std::mem::replace(&mut self.diagnostics, outer);
        for diagnostic in inner.iter() {
            let reporter = match (diagnostic.reporter, diagnostic.code) {
                (Reporter::RustcIfItAgrees, Code::Disagreement) => Reporter::Rustc,
                (Reporter::RustcIfItAgrees, Code::NotConstant) => Reporter::Compiler,
                (other, _) => other,
            };
            self.diagnostics.push(Diagnostic { reporter, ..diagnostic.clone() });
        }
        found
    }

    /// The value of a constant item: a number that is known now, or an expression that computes it wherever it is used.
    pub(super) fn named_constant(&mut self, item: Declared<'_>) -> (ExprKind, Ty) {
        self.constant_of_type(item.ty, item.value)
    }

    fn constant_of_type(&mut self, ty: &syn::Type, value: &syn::Expr) -> (ExprKind, Ty) {
        if self.constant_depth == MAX_CONSTANT_DEPTH {
            let message = format!("constants can lead to each other {MAX_CONSTANT_DEPTH} deep at most");
            self.error(Code::NotConstant, value, message, "write some of the values out");
            return (ExprKind::Error, Ty::Error);
        }
        let written = ty;
        let ty = self.complete_type(ty);
        if ty.has_error() {
            return (ExprKind::Error, Ty::Error);
        }
        if !is_constant_type(&ty) {
            let message = format!("a constant of type `{ty}` is not in the language");
            self.error(Code::UnsupportedType, written, message, "leave out the reference");
            return (ExprKind::Error, Ty::Error);
        }
        self.note_wanted(value, &ty);
        let expr = self.constant_expr(value);
        if !self.try_coerce(value, &expr.ty, &ty) {
            return (ExprKind::Error, ty);
        }
        self.constant_value(value, expr, ty)
    }

    /// The value of a constant that belongs to a type, where generic parameters have a meaning.
    pub(super) fn constant_there(
        &mut self,
        id: Id,
        source: Source,
        generics: (super::generics::Scope, Vec<Ty>),
        (ty, value): (&syn::Type, &syn::Expr),
    ) -> (ExprKind, Ty) {
        let mut there = Infer::new(self.program, &source.links, self.role, Ty::Unit);
        there.generics = generics.0;
        there.constant_depth = self.constant_depth + 1;
        there.expression_depth = self.expression_depth;
        let (kind, ty) = there.constant_of_type(ty, value);
        there.judge_deferred();
        let has_errors = !there.diagnostics.is_empty();
        if has_errors {
            return (ExprKind::Error, Ty::Error);
        }
        if is_known(&kind) {
            return (kind, ty);
        }
        let span = source.signature.ident.span();
        self.program.register(id.clone(), source);
        kept(called(Callee { id, arguments: generics.1 }, ty, span))
    }

    /// An expression that is evaluated at compile time: it has no variables but its own, and leaves no loop around it.
    pub(super) fn constant_expr(&mut self, expr: &syn::Expr) -> Expr {
        self.constant_depth += 1;
        let outer_own = std::mem::replace(&mut self.first_own, self.bindings.len());
        let outer_loops = std::mem::take(&mut self.loops);
        let value = self.expr(expr);
        self.loops = outer_loops;
        self.first_own = outer_own;
        self.constant_depth -= 1;
        value
    }

    /// The value of a constant that is defined elsewhere, where `links` give the paths in it their meaning.
    pub(super) fn foreign_constant(
        &mut self,
        id: &Id,
        item: Declared<'_>,
        links: &Rc<Links>,
    ) -> (ExprKind, Ty) {
        let program = self.program;
        if let Some(known) = program.constants.borrow().get(id) {
            return known.clone();
        }
        let mut there = Infer::new(program, links, self.role, Ty::Unit);
        there.constant_depth = self.constant_depth + 1;
        there.expression_depth = self.expression_depth;
        let ty = there.complete_type(item.ty);
        // Only a number can be known now. The code of all else is looked at when it is run, so that a large table costs little here.
        let number = ty.scalar().map(|_| there.named_constant(item).0);
        there.judge_deferred();
        let found = match number {
            // Its errors are reported where it is defined.
            _ if !there.diagnostics.is_empty() || ty == Ty::Error => (ExprKind::Error, Ty::Error),
            Some(kind) if is_known(&kind) => (kind, ty),
            _ => {
                // It is as good as a function without parameters.
                self.program.register(id.clone(), item.source(links));
                kept(called(Callee { id: id.clone(), arguments: Vec::new() }, ty, item.name.span()))
            }
        };
        program.constants.borrow_mut().insert(id.clone(), found.clone());
        found
    }

    fn constant_value(&mut self, tokens: &syn::Expr, expr: Expr, ty: Ty) -> (ExprKind, Ty) {
        match ty.scalar() {
            Some(scalar) if scalar.is_float() && is_float_constant(&expr) => {
                (self.resolve_types(expr).kind, ty)
            }
            Some(scalar) if !scalar.is_float() => match self.fold(&expr) {
                Ok(bits) => (ExprKind::Integer(bits.into()), ty),
                Err(Unknown::Variable) => match self.run(tokens, &ty) {
                    Some(bits) => (ExprKind::Integer(bits.into()), ty),
                    None => (expr.kind, ty),
                },
                Err(reason) => {
                    let message = "this is not a constant that the compiler can compute";
                    self.unknown(tokens, reason, message, Reporter::RustcIfItAgrees);
                    (ExprKind::Error, ty)
                }
            },
            _ => (expr.kind, ty),
        }
    }

    fn not_constant(&mut self, tokens: &dyn ToTokens, message: &str, reporter: Reporter) {
        let diagnostic = Diagnostic::new(Code::NotConstant, tokens, message).help(ADVICE);
        self.diagnostics.push(Diagnostic { reporter, ..diagnostic });
    }

    /// Says that an expression is no constant. Where rustc too wants one, it finds all that is undefined, and `reporter` tells
    /// whether it finds the rest.
    fn unknown(&mut self, tokens: &dyn ToTokens, reason: Unknown, message: &str, reporter: Reporter) {
        match reason {
            Unknown::Reported => {}
            Unknown::Variable => self.not_constant(tokens, message, reporter),
            Unknown::Undefined if reporter == Reporter::Compiler => {
                self.not_constant(tokens, "this has no value: it divides by zero or overflows", reporter);
            }
            Unknown::Undefined => self.known_to_rustc(tokens, "this has no value"),
        }
    }

    /// A float constant with its types filled in, so that it can be used where other type variables are known.
    fn resolve_types(&self, expr: Expr) -> Expr {
        let ty = self.table.resolve(&expr.ty);
        let settle = |operand: Box<Expr>| Box::new(self.resolve_types(*operand));
        let kind = match expr.kind {
            ExprKind::Unary(op, operand) => ExprKind::Unary(op, settle(operand)),
            ExprKind::Cast(operand) => ExprKind::Cast(settle(operand)),
            ExprKind::Binary(op, left, right) => ExprKind::Binary(op, settle(left), settle(right)),
            other => other,
        };
        Expr { kind, ty, span: expr.span }
    }

    /// `const { … }`: rustc evaluates it in its copy, and here it is the expression that it holds.
    pub(super) fn const_block(&mut self, constant: &syn::ExprConst) -> (ExprKind, Ty) {
        match &constant.block.stmts[..] {
            [syn::Stmt::Expr(value, None)] => {
                let Expr { kind, ty, .. } = self.constant_expr(value);
                (kind, ty)
            }
            _ => {
                let (attrs, block) = (Vec::new(), constant.block.clone());
                let block = syn::Expr::Block(syn::ExprBlock { attrs, label: None, block });
                let value = self.constant_expr(&block);
                self.defer(Requirement::Storable, &value.ty, constant);
                shared(value)
            }
        }
    }

    /// The length of an array type, or another generic argument that is a number.
    pub(super) fn length(&mut self, len: &syn::Expr) -> Ty {
        match len {
            syn::Expr::Infer(_) => return self.table.fresh(VariableKind::Any),
            syn::Expr::Block(block) if matches!(&block.block.stmts[..], [syn::Stmt::Expr(_, None)]) => {
                if let [syn::Stmt::Expr(inner, None)] = &block.block.stmts[..] {
                    return self.length(inner);
                }
            }
            syn::Expr::Path(path) => {
                let parameter = path.path.get_ident().and_then(|name| self.generics.get(&name.to_string()));
                if let Some((ty, Some(_))) = parameter {
                    return ty.clone();
                }
            }
            _ => {}
        }
        let outer = self.program.measure(true);
        let expr = self.constant_expr(len);
        if matches!(self.table.shallow(&expr.ty), Ty::Variable(..)) {
            self.coerce(len, &expr.ty, &Ty::USIZE);
        }
        let value = self.constant_of(len, &expr, Reporter::RustcIfItAgrees);
        self.program.measure(outer);
        value.map_or(Ty::Error, |value| Ty::Constant(value as i64))
    }

    /// Returns whether a path names a constant rather than a type.
    pub(super) fn names_a_constant(&self, path: &syn::Path) -> bool {
        let generic = path.get_ident().and_then(|name| self.generics.get(&name.to_string()));
        let local = path.get_ident().and_then(|name| self.lookup(name));
        let item = match self.link(path) {
            Some(crate::chain::Link::Device(id)) => self.program.item(id).map(|(_, item)| item),
            _ => None,
        };
        matches!(generic, Some((_, Some(_))))
            || matches!(local, Some(Named::Constant(_)))
            || item.is_some_and(|item| Declared::of(item.item()).is_some())
    }

    /// The value of an expression of any integer type that must be constant; `reporter` says if it is not.
    pub(super) fn constant_of(
        &mut self,
        tokens: &syn::Expr,
        expr: &Expr,
        reporter: Reporter,
    ) -> Option<i128> {
        match (self.fold(expr), self.table.resolve(&expr.ty).scalar()) {
            (Ok(bits), Some(scalar)) => Some(extend(scalar, bits)),
            (Ok(_), None) | (Err(Unknown::Reported), _) => None,
            (Err(Unknown::Variable), Some(scalar))
                if !scalar.is_float()
                    && let Some(bits) = self.run(tokens, &Ty::Scalar(scalar)) =>
            {
                Some(extend(scalar, bits))
            }
            (Err(reason), scalar) => {
                let message = match scalar {
                    Some(scalar) if scalar.is_float() => "this has to be an integer",
                    _ => "this has to be a constant",
                };
                self.unknown(tokens, reason, message, reporter);
                None
            }
        }
    }

    /// Runs the code of a constant expression of an integer type or `bool`, which may call functions; none if that does not come to an end or has an error.
    ///
    /// It is inferred once more by itself, since types around it may not be known yet.
    fn run(&mut self, value: &syn::Expr, ty: &Ty) -> Option<u64> {
        let program = self.program;
        if !program.names_are_known || !program.enter_constant() {
            return None;
        }
        let mut there = Infer::new(program, self.links, Role::Device, ty.clone());
        there.generics = self.generics.clone();
        there.generics.retain(|_, (ty, _)| is_known_now(ty));
        // Constants around it are in scope, as are the names of variables, which have no values.
        there.scope = self.scope.clone();
        there.constants = self.constants.iter().map(Local::anew).collect();
        there.bindings = self.bindings.clone();
        there.constant_depth = self.constant_depth;
        there.expression_depth = self.expression_depth;
        let found = there.constant_expr(value);
        there.coerce(value, &found.ty, ty);
        there.judge_deferred();
        let bits = there.diagnostics.is_empty().then(|| {
            let body = Block { statements: Vec::new(), tail: Some(Box::new(found)) };
            let function = Function::of_constant(ty.clone(), there.bindings, body);
            crate::lower::constant(program, &Rc::new((function, there.table)))
        });
        program.leave_constant();
        bits.flatten()
    }

    /// Evaluates an integer or `bool` expression.
    fn fold(&self, expr: &Expr) -> Result<u64, Unknown> {
        let scalar = |expr: &Expr| match self.table.resolve(&expr.ty) {
            Ty::Error => Err(Unknown::Reported),
            ty => ty.scalar().filter(|scalar| !scalar.is_float()).ok_or(Unknown::Variable),
        };
        if matches!(expr.kind, ExprKind::Error) {
            return Err(Unknown::Reported);
        }
        let ty = scalar(expr)?;
        match &expr.kind {
            ExprKind::Integer(bits) => Ok(wrap(ty, *bits as i128)),
            // Its type is wrong, which is found when all types are known.
            ExprKind::Unary(UnaryOp::Neg, _) if !ty.is_signed() => Err(Unknown::Reported),
            ExprKind::Unary(op, operand) => Ok(integer_unary(*op, ty, self.fold(operand)?)),
            ExprKind::Binary(op, left, right) => {
                let operand = scalar(left)?;
                integer_binary(*op, operand, self.fold(left)?, self.fold(right)?)
                    .map_err(|_| Unknown::Undefined)
            }
            ExprKind::And(left, right) => Ok(self.fold(left)? & self.fold(right)?),
            ExprKind::Or(left, right) => Ok(self.fold(left)? | self.fold(right)?),
            ExprKind::Cast(operand) => Ok(wrap(ty, extend(scalar(operand)?, self.fold(operand)?))),
            ExprKind::Len(of) => self.length_of(of).map(u64::from).ok_or(Unknown::Variable),
            _ => Err(Unknown::Variable),
        }
    }

    /// The number of elements that an array has by its type, as has a slice of all of them.
    fn length_of(&self, elements: &Expr) -> Option<u32> {
        if let Ty::Array(_, len) = self.table.shallow(&elements.ty) {
            return self.table.shallow(&len).length();
        }
        match &elements.kind {
            ExprKind::Reference(of) | ExprKind::Dereference(of) => self.length_of(of),
            ExprKind::Constant(of) => self.length_of(of),
            ExprKind::SliceMethod(SliceMethod::AsSlice, of) => self.length_of(of.first()?),
            _ => None,
        }
    }
}

/// Returns whether constants can be of this type: values, and references to such.
fn is_constant_type(ty: &Ty) -> bool {
    let is_value = |ty: &Ty| (ty.is_storable() || matches!(ty, Ty::Sampler(..))) && !ty.has_reference();
    match ty {
        Ty::Reference { to, mutable: false } => is_value(to),
        Ty::Slice { element, mutable: false } => is_constant_type(element),
        ty if is_value(ty) => true,
        ty => is_computed_anew(ty),
    }
}

/// Returns whether what a constant of this type leads to is kept apart from it: there are slices or text in it.
fn is_computed_anew(ty: &Ty) -> bool {
    match ty {
        Ty::Slice { mutable: false, .. } => true,
        Ty::Reference { to, mutable: false } => is_computed_anew(to),
        Ty::Array(element, _) => is_computed_anew(element),
        Ty::Tuple(elements) => elements.iter().any(is_computed_anew) && elements.iter().all(is_constant_type),
        Ty::Nominal(nominal) => nominal.borrows || nominal.arguments.iter().any(is_computed_anew),
        _ => false,
    }
}

/// Returns whether a type is known, with all numbers in it; those that the host sets are not.
fn is_known_now(ty: &Ty) -> bool {
    !matches!(ty, Ty::Variable(..) | Ty::Specialized(..)) && ty.parts().all(is_known_now)
}

/// The value of a constant, which all of its uses share.
pub(super) fn shared(value: Expr) -> (ExprKind, Ty) {
    if matches!(value.kind, ExprKind::Error) {
        return (value.kind, value.ty);
    }
    let ty = value.ty.clone();
    (ExprKind::Constant(Rc::new(value)), ty)
}

/// The value of a constant, as all of its uses share it; one in which there are slices or text, which lead to what is shared, is computed anew.
fn kept(value: Expr) -> (ExprKind, Ty) {
    if is_computed_anew(&value.ty) && !matches!(value.ty, Ty::Slice { .. } | Ty::Reference { .. }) {
        (value.kind, value.ty)
    } else {
        shared(value)
    }
}

/// What a function without parameters answers.
fn called(callee: Callee, ty: Ty, span: proc_macro2::Span) -> Expr {
    Expr { kind: ExprKind::Call(Box::new(callee), Vec::new()), ty, span }
}

/// Returns whether the value of a constant is a number that means the same in every function.
fn is_known(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Error => true,
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => is_float_constant(operand),
        ExprKind::Binary(_, left, right) => is_float_constant(left) && is_float_constant(right),
        _ => false,
    }
}

/// Returns whether a float expression may stand wherever the constant is used.
fn is_float_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer(_) | ExprKind::Float(_) => true,
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => is_float_constant(operand),
        ExprKind::Binary(op, left, right) => {
            let divides =
                matches!(op, kernel_core::semantics::BinaryOp::Div | kernel_core::semantics::BinaryOp::Rem);
            let float = left.ty.scalar().is_some_and(Scalar::is_float) || matches!(left.ty, Ty::Variable(..));
            (float || !divides) && is_float_constant(left) && is_float_constant(right)
        }
        _ => false,
    }
}
