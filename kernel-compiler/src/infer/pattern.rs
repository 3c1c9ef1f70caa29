//! Patterns.

use super::Infer;
use super::deferred::Requirement;
use crate::chain::Link;
use crate::diagnostics::Code;
use crate::names;
use crate::typed::{Expr, Pattern, Ty, VariableKind};
use quote::ToTokens;
use std::rc::Rc;
use syn::punctuated::Punctuated;
use syn::{Pat, PatIdent, PatRange, Path, RangeLimits, Token};

/// The elements of a tuple pattern as they are written.
type Elements = Punctuated<Pat, Token![,]>;

/// What a plain name in a pattern becomes: Rust's default binding modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The value.
    Move,
    /// A reference, because a reference was followed on the way.
    Reference { mutable: bool },
}

impl Infer<'_> {
    /// A pattern for values of a type; its names are defined.
    pub(super) fn pattern(&mut self, pattern: &Pat, ty: &Ty) -> Pattern {
        self.pattern_in(pattern, ty, Mode::Move)
    }

    fn pattern_in(&mut self, pattern: &Pat, ty: &Ty, mode: Mode) -> Pattern {
        match pattern {
            Pat::Paren(paren) => self.pattern_in(&paren.pat, ty, mode),
            Pat::Wild(_) => Pattern::Any,
            Pat::Ident(name) if self.names_constant(name) => self.followed(pattern, ty, mode),
            Pat::Ident(name) => self.name_pattern(name, ty, mode),
            Pat::Tuple(_)
            | Pat::Lit(_)
            | Pat::Range(_)
            | Pat::Path(_)
            | Pat::Struct(_)
            | Pat::TupleStruct(_) => self.followed(pattern, ty, mode),
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
            Pat::Or(or) => {
                if !names::bound_names(pattern).is_empty() {
                    let message = "device code does not bind names in alternatives yet";
                    self.error(
                        Code::UnsupportedPattern,
                        pattern,
                        message,
                        "write an arm for each alternative",
                    );
                    self.bind_unknown(pattern);
                    return Pattern::Any;
                }
                Pattern::Or(or.cases.iter().map(|case| self.pattern_in(case, ty, mode)).collect())
            }
            other => {
                let message = "device code does not have this pattern yet";
                let help = "use names, `_`, numbers, ranges, tuples and alternatives of these";
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
                Pat::Range(range) => self.range_pattern(range, ty),
                Pat::Struct(fields) => {
                    self.struct_pattern(fields, |infer, pattern, ty| infer.pattern_in(pattern, ty, mode), ty)
                }
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

    fn tuple_pattern(&mut self, pattern: &syn::PatTuple, ty: &Ty, mode: Mode) -> Pattern {
        let rest = pattern.elems.iter().position(|element| matches!(element, Pat::Rest(_)));
        let types = match (self.table.shallow(ty), rest) {
            (Ty::Tuple(types), _) => types.to_vec(),
            (Ty::Unit, _) => Vec::new(),
            (_, None) => {
                let types: Vec<_> =
                    pattern.elems.iter().map(|_| self.table.fresh(VariableKind::Any)).collect();
                self.coerce(pattern, ty, &Ty::tuple(types.clone()));
                types
            }
            (Ty::Error, Some(_)) => Vec::new(),
            (other, Some(_)) => {
                let other = self.table.partial(&other);
                self.leave_to_rustc(pattern, format!("expected a tuple, found `{other}`"));
                Vec::new()
            }
        };
        if !self.has_elements(pattern, &pattern.elems, types.len(), ty) {
            return Pattern::Any;
        }
        Pattern::Tuple(self.element_patterns(&pattern.elems, &types, mode))
    }

    /// `Name(a, .., b)`.
    fn tuple_struct_pattern(&mut self, pattern: &syn::PatTupleStruct, ty: &Ty, mode: Mode) -> Pattern {
        let Some((variant, types)) = self.tuple_struct_types(pattern, ty) else {
            pattern.elems.iter().for_each(|element| self.bind_unknown(element));
            return Pattern::Any;
        };
        if !self.has_elements(pattern, &pattern.elems, types.len(), ty) {
            return Pattern::Any;
        }
        Pattern::Variant { variant, fields: self.element_patterns(&pattern.elems, &types, mode) }
    }

    /// Whether the patterns of elements go with this number of elements; if not, that has been reported.
    fn has_elements(&mut self, whole: &impl ToTokens, written: &Elements, count: usize, ty: &Ty) -> bool {
        let rest = written.iter().any(|element| matches!(element, Pat::Rest(_)));
        let given = written.len() - usize::from(rest);
        if given == count || rest && given < count {
            return true;
        }
        if self.table.shallow(ty) != Ty::Error {
            self.leave_to_rustc(whole, "this has another number of elements");
        }
        written.iter().for_each(|element| self.bind_unknown(element));
        false
    }

    /// A pattern for each element; `..` stands for those that are not written.
    fn element_patterns(&mut self, written: &Elements, types: &[Ty], mode: Mode) -> Vec<Pattern> {
        let rest = written.iter().position(|element| matches!(element, Pat::Rest(_)));
        let before = rest.unwrap_or(written.len());
        let after = rest.map_or(0, |position| written.len() - position - 1);
        let named = written.iter().filter(|element| !matches!(element, Pat::Rest(_)));
        let positions = (0..before).chain(types.len() - after..types.len());
        let mut elements = vec![Pattern::Any; types.len()];
        for (element, position) in named.zip(positions) {
            elements[position] = self.pattern_in(element, &types[position], mode);
        }
        elements
    }

    fn name_pattern(&mut self, name: &PatIdent, ty: &Ty, mode: Mode) -> Pattern {
        let inner = name.subpat.as_ref().map(|(_, inner)| Box::new(self.pattern_in(inner, ty, mode)));
        let mode = match (&name.by_ref, mode) {
            (Some(_), _) => Mode::Reference { mutable: name.mutability.is_some() },
            (None, mode) => mode,
        };
        let (by_reference, ty) = match mode {
            Mode::Move => (false, ty.clone()),
            Mode::Reference { mutable } => (true, Ty::Reference { to: Rc::new(ty.clone()), mutable }),
        };
        self.defer(Requirement::Known, &ty, name);
        let assignable = name.by_ref.is_none() && name.mutability.is_some();
        let binding = self.bind(&name.ident, ty, assignable);
        Pattern::Binding { binding, by_reference, inner }
    }

    /// Whether a name in a pattern is that of a constant.
    fn names_constant(&self, name: &PatIdent) -> bool {
        if name.subpat.is_some() {
            return false;
        }
        match (self.lookup(&name.ident), self.link(&Path::from(name.ident.clone()))) {
            (Some(super::Named::Constant(_)), _) => true,
            (_, Some(Link::Device(id))) => {
                let item = self.program.resolved().items.get(id);
                item.is_some_and(|item| matches!(*item.item, syn::Item::Const(_) | syn::Item::Struct(_)))
            }
            _ => name.ident == "None",
        }
    }

    fn constant_pattern(&mut self, pattern: &Pat, ty: &Ty) -> Pattern {
        let Some(constant) = self.constant_operand(pattern) else { return Pattern::Any };
        self.coerce(pattern, &constant.ty, ty);
        Pattern::Constant(Box::new(constant))
    }

    fn range_pattern(&mut self, range: &PatRange, ty: &Ty) -> Pattern {
        let mut end_of = |expr: &Option<Box<syn::Expr>>| {
            let written = expr.as_deref()?;
            let value = self.expr(written);
            self.coerce(written, &value.ty, ty);
            Some(Box::new(value))
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
