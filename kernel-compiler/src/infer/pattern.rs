//! Patterns.

use super::Infer;
use super::deferred::Requirement;
use crate::chain::Link;
use crate::diagnostics::Code;
use crate::typed::{Expr, Pattern, Ty, VariableKind};
use std::rc::Rc;
use syn::{Lit, Pat, PatIdent, PatLit, PatRange, Path, RangeLimits};

/// What a plain name in a pattern becomes: Rust's default binding modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// The value.
    Move,
    /// A reference, because a reference was followed on the way.
    Reference { mutable: bool },
    /// Nothing: the type stands for the elements that a slice refers to, which have no value that a name could take.
    Elements,
}

impl Infer<'_> {
    /// A pattern for values of a type; its names are defined.
    pub(super) fn pattern(&mut self, pattern: &Pat, ty: &Ty) -> Pattern {
        self.pattern_in(pattern, ty, Mode::Move)
    }

    pub(super) fn pattern_in(&mut self, pattern: &Pat, ty: &Ty, mode: Mode) -> Pattern {
        match pattern {
            Pat::Paren(paren) => self.pattern_in(&paren.pat, ty, mode),
            Pat::Wild(_) => Pattern::Any,
            Pat::Lit(PatLit { lit: Lit::ByteStr(text), .. }) => self.byte_string_pattern(text, ty, mode),
            Pat::Ident(name) if self.names_constant(name) => self.followed(pattern, ty, mode),
            Pat::Ident(name) if mode == Mode::Elements => self.name_of_elements(name, ty),
            Pat::Ident(name) => self.name_pattern(name, ty, mode),
            Pat::Tuple(_)
            | Pat::Lit(_)
            | Pat::Range(_)
            | Pat::Path(_)
            | Pat::Slice(_)
            | Pat::Struct(_)
            | Pat::TupleStruct(_) => self.followed(pattern, ty, mode),
            Pat::Reference(reference) if self.is_slice_type(ty) && mode == Mode::Move => {
                self.elements_pattern(&reference.pat, ty)
            }
            Pat::Reference(reference) => {
                let inner = self.table.fresh(VariableKind::Any);
                let wanted =
                    Ty::Reference { to: Rc::new(inner.clone()), mutable: reference.mutability.is_some() };
                if mode != Mode::Move {
                    self.leave_to_rustc(pattern, "a reference pattern below another reference");
                }
                self.coerce(pattern, ty, &wanted);
                Pattern::Reference(Box::new(self.pattern_in(&reference.pat, &inner, Mode::Move)))
            }
            Pat::Or(or) => self.alternatives(or, ty, mode),
            other => {
                let message = "device code does not have this pattern yet";
                let help = "use names, `_`, numbers, ranges, and patterns of structs, tuples and arrays";
                if self.table.shallow(ty) != Ty::Error {
                    self.error(Code::UnsupportedPattern, other, message, help);
                }
                self.bind_unknown(other);
                Pattern::Any
            }
        }
    }

    /// A pattern of a form that, against a reference, is matched against what it refers to.
    fn followed(&mut self, pattern: &Pat, ty: &Ty, mode: Mode) -> Pattern {
        match self.table.shallow(ty) {
            Ty::Reference { to, mutable } => {
                // Through a shared reference only shared ones can be had.
                let mutable = mutable && mode != (Mode::Reference { mutable: false });
                let inner = self.followed(pattern, &to, Mode::Reference { mutable });
                Pattern::Reference(Box::new(inner))
            }
            _ => match pattern {
                Pat::Tuple(tuple) => self.tuple_pattern(tuple, ty, mode),
                Pat::Lit(PatLit { lit: Lit::Str(text), .. }) => self.str_pattern(text, ty, mode),
                Pat::Lit(_) | Pat::Range(_) if let Some(found) = self.char_pattern(pattern, ty, mode) => {
                    found
                }
                Pat::Range(range) => self.range_pattern(range, ty),
                Pat::Struct(fields) => {
                    self.struct_pattern(fields, |infer, pattern, ty| infer.pattern_in(pattern, ty, mode), ty)
                }
                Pat::Slice(elements) => self.slice_pattern(elements, ty, mode),
                Pat::TupleStruct(fields) => self.tuple_struct_pattern(fields, ty, mode),
                Pat::Path(path) if path.qself.is_none() => match self.unit_pattern(&path.path, ty) {
                    Some(pattern) => pattern,
                    None => self.constant_pattern(pattern, ty),
                },
                Pat::Ident(name) => match self.unit_pattern(&Path::from(name.ident.clone()), ty) {
                    Some(pattern) => pattern,
                    None => self.constant_pattern(pattern, ty),
                },
                _ => self.constant_pattern(pattern, ty),
            },
        }
    }

    fn name_pattern(&mut self, name: &PatIdent, ty: &Ty, mode: Mode) -> Pattern {
        let inner = name.subpat.as_ref().map(|(_, inner)| Box::new(self.pattern_in(inner, ty, mode)));
        let mode = match (&name.by_ref, mode) {
            (Some(_), _) => Mode::Reference { mutable: name.mutability.is_some() },
            (None, mode) => mode,
        };
        let (by_reference, ty) = match mode {
            Mode::Move | Mode::Elements => (false, ty.clone()),
            Mode::Reference { mutable } => (true, Ty::Reference { to: Rc::new(ty.clone()), mutable }),
        };
        self.defer(Requirement::Known, &ty, name);
        let assignable = name.by_ref.is_none() && name.mutability.is_some();
        let binding = self.bind_in_pattern(&name.ident, ty, assignable);
        Pattern::Binding { binding, by_reference, inner }
    }

    /// A name for a reference of a type to what is matched, which may have to match a pattern too.
    pub(super) fn reference_pattern(
        &mut self,
        name: &PatIdent,
        ty: Ty,
        inner: Option<Box<Pattern>>,
    ) -> Pattern {
        let binding = self.bind_in_pattern(&name.ident, ty, false);
        Pattern::Binding { binding, by_reference: true, inner }
    }

    /// Returns whether a name in a pattern is that of a constant.
    fn names_constant(&self, name: &PatIdent) -> bool {
        if name.subpat.is_some() {
            return false;
        }
        match (self.lookup(&name.ident), self.link(&Path::from(name.ident.clone()))) {
            (Some(super::Named::Constant(_)), _) => true,
            (_, Some(Link::Device(id))) => {
                let item = self.program.item(id).map(|(_, item)| item);
                item.is_some_and(|item| matches!(**item.item(), syn::Item::Const(_) | syn::Item::Struct(_)))
            }
            _ => name.ident == "None",
        }
    }

    fn constant_pattern(&mut self, pattern: &Pat, ty: &Ty) -> Pattern {
        let Some(constant) = self.constant_operand(pattern) else { return Pattern::Any };
        self.coerce(pattern, &constant.ty, ty);
        Pattern::Constant(Rc::new(constant))
    }

    fn range_pattern(&mut self, range: &PatRange, ty: &Ty) -> Pattern {
        let mut end_of = |expr: &Option<Box<syn::Expr>>| {
            let written = expr.as_deref()?;
            let value = self.expr(written);
            self.coerce(written, &value.ty, ty);
            Some(Rc::new(value))
        };
        let start = end_of(&range.start);
        let end = end_of(&range.end).map(|end| (end, matches!(range.limits, RangeLimits::Closed(_))));
        Pattern::Range { start, end }
    }

    /// The expression that a constant pattern is.
    fn constant_operand(&mut self, pattern: &Pat) -> Option<Expr> {
        let expr = match pattern {
            Pat::Lit(literal) => syn::Expr::Lit(literal.clone()),
            Pat::Path(path) => syn::Expr::Path(path.clone()),
            Pat::Ident(name) => syn::Expr::Path(syn::ExprPath {
                attrs: Vec::new(),
                qself: None,
                path: syn::Path::from(name.ident.clone()),
            }),
            _ => return None,
        };
        Some(self.expr(&expr))
    }
}
