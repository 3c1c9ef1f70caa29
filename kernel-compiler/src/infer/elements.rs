//! Patterns with several elements: those of tuples, tuple structs, arrays and slices.

use super::Infer;
use super::pattern::Mode;
use crate::typed::{self, Pattern, Ty, VariableKind};
use quote::ToTokens;
use std::rc::Rc;
use syn::punctuated::Punctuated;
use syn::{Pat, Token};

/// The elements of a pattern as they are written.
type Elements = Punctuated<Pat, Token![,]>;

impl Infer<'_> {
    pub(super) fn tuple_pattern(&mut self, pattern: &syn::PatTuple, ty: &Ty, mode: Mode) -> Pattern {
        let types = match (self.table.shallow(ty), rest(&pattern.elems)) {
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
    pub(super) fn tuple_struct_pattern(
        &mut self,
        pattern: &syn::PatTupleStruct,
        ty: &Ty,
        mode: Mode,
    ) -> Pattern {
        let Some((variant, types)) = self.tuple_struct_types(pattern, ty) else {
            pattern.elems.iter().for_each(|element| self.bind_unknown(element));
            return Pattern::Any;
        };
        if !self.has_elements(pattern, &pattern.elems, types.len(), ty) {
            return Pattern::Any;
        }
        Pattern::Variant { variant, fields: self.element_patterns(&pattern.elems, &types, mode) }
    }

    /// Returns whether the patterns of elements go with this number of elements; if not, that has been reported.
    fn has_elements(&mut self, whole: &dyn ToTokens, written: &Elements, count: usize, ty: &Ty) -> bool {
        let rest = rest(written).is_some();
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
        let rest = rest(written);
        let before = rest.unwrap_or(written.len());
        let after = rest.map_or(0, |position| written.len() - position - 1);
        let named = written.iter().filter(|element| !is_rest(element));
        let positions = (0..before).chain(types.len() - after..types.len());
        let mut elements = vec![Pattern::Any; types.len()];
        for (element, position) in named.zip(positions) {
            elements[position] = self.pattern_in(element, &types[position], mode);
        }
        elements
    }

    /// `[a, .., b]`, for an array, or for what a slice refers to.
    pub(super) fn slice_pattern(&mut self, pattern: &syn::PatSlice, ty: &Ty, mode: Mode) -> Pattern {
        match self.table.shallow(ty) {
            Ty::Slice { element, mutable } => {
                let mutable = mutable && mode != (Mode::Reference { mutable: false });
                let rest = Ty::Slice { element: element.clone(), mutable };
                let followed = mode != Mode::Elements;
                let mode = if followed { Mode::Reference { mutable } } else { Mode::Move };
                let listed = self.listed_elements(&pattern.elems, &element, (&rest, None), mode);
                if followed { Pattern::Reference(Box::new(listed)) } else { listed }
            }
            Ty::Array(element, len) => {
                let given = pattern.elems.iter().filter(|element| rest_name(element).is_none()).count();
                // A pattern without `..` says how many there are.
                if given == pattern.elems.len() && matches!(self.table.shallow(&len), Ty::Variable(..)) {
                    self.table.unify(&len, &Ty::Constant(given as i64));
                }
                let len = self.table.shallow(&len);
                let count = len.length().map(|len| len as usize);
                let has_rest = given < pattern.elems.len();
                let fits = count.is_some_and(|count| given == count || has_rest && given <= count);
                if !fits {
                    self.leave_to_rustc(pattern, "this has another number of elements");
                    pattern.elems.iter().for_each(|element| self.bind_unknown(element));
                    return Pattern::Any;
                }
                let left = count.unwrap_or_default() - given;
                let rest = Ty::array((*element).clone(), u32::try_from(left).unwrap_or(0));
                self.listed_elements(&pattern.elems, &element, (&rest, len.length()), mode)
            }
            Ty::Variable(..) if !pattern.elems.iter().any(|element| rest_name(element).is_some()) => {
                let element = self.table.fresh(VariableKind::Any);
                let len = u32::try_from(pattern.elems.len()).unwrap_or(u32::MAX);
                self.coerce(pattern, ty, &Ty::array(element.clone(), len));
                self.listed_elements(&pattern.elems, &element, (&Ty::Error, Some(len)), mode)
            }
            other => {
                if other != Ty::Error {
                    let other = self.table.partial(&other);
                    self.leave_to_rustc(pattern, format!("expected an array or slice, found `{other}`"));
                }
                pattern.elems.iter().for_each(|element| self.bind_unknown(element));
                Pattern::Any
            }
        }
    }

    /// The elements of an array, which has a length, or a slice; `rest` is the type of what `..` stands for.
    fn listed_elements(
        &mut self,
        written: &Elements,
        element: &Ty,
        (rest, len): (&Ty, Option<u32>),
        mode: Mode,
    ) -> Pattern {
        let [mut before, mut after] = [Vec::new(), Vec::new()];
        let mut others = None;
        for pattern in written {
            match (rest_name(pattern), &others) {
                (Some(name), None) => others = Some(Box::new(self.rest_pattern(name, rest, mode))),
                (Some(_), Some(_)) => self.known_to_rustc(pattern, "`..` can stand only once"),
                (None, None) => before.push(self.pattern_in(pattern, element, mode)),
                (None, Some(_)) => after.push(self.pattern_in(pattern, element, mode)),
            }
        }
        Pattern::Elements(typed::Elements { len, before, rest: others, after })
    }

    /// `..` or `name @ ..`.
    fn rest_pattern(&mut self, name: Option<&syn::PatIdent>, rest: &Ty, mode: Mode) -> Pattern {
        let Some(name) = name else { return Pattern::Any };
        let plain = syn::PatIdent { subpat: None, ..name.clone() };
        // What is left of a slice is a slice, which is a reference already.
        if let Ty::Slice { element, .. } = rest {
            let mutable = match (&name.by_ref, mode) {
                (Some(_), _) => name.mutability.is_some(),
                (None, mode) => mode == (Mode::Reference { mutable: true }),
            };
            let ty = Ty::Slice { element: Rc::clone(element), mutable };
            return self.reference_pattern(&plain, ty, None);
        }
        self.pattern_in(&Pat::Ident(plain), rest, mode)
    }
}

fn rest(written: &Elements) -> Option<usize> {
    written.iter().position(is_rest)
}

fn is_rest(pattern: &Pat) -> bool {
    matches!(pattern, Pat::Rest(_))
}

/// The name that stands before `@ ..`, if a pattern is that or `..` alone.
fn rest_name(pattern: &Pat) -> Option<Option<&syn::PatIdent>> {
    match pattern {
        Pat::Rest(_) => Some(None),
        Pat::Ident(name) => match &name.subpat {
            Some((_, inner)) if is_rest(inner) => Some(Some(name)),
            _ => None,
        },
        _ => None,
    }
}
