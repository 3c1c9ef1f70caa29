//! What kind of race a finding is, and how it is written.

use super::pair::{Context, Pair, Who};
use super::phases::Crossed;
use super::record::{Access, Kind, Object, Part};
use super::{Checker, Finding};
use crate::analysis::reason::{ADDEND, FACTOR};
use crate::analysis::term::{Node, Term};
use crate::analysis::uniformity::Uniformity;
use crate::ir::{Base, Memory, Module, Op, Place, Query};
use proc_macro2::Span;
use std::fmt;

/// The kind of a race, which decides what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Which element it is has nothing to do with which work-item it is.
    Uniform,
    /// The ids of these dimensions do not take part in which element it is.
    MissingDimensions(u8),
    /// Which element it is comes from memory or from other work-items.
    FromMemory,
    /// It could not be shown that two work-items access different elements.
    Unproved,
    /// The kernel is too large to be decided.
    TooComplex,
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Uniform => "uniform index",
            Self::MissingDimensions(_) => "dimension missing",
            Self::FromMemory => "index from memory",
            Self::Unproved => "not proved",
            Self::TooComplex => "too complex",
        })
    }
}

impl Finding {
    pub(super) fn too_complex(module: &Module) -> Self {
        let span = module.values.iter().next().map_or_else(Span::call_site, |(_, value)| value.span);
        Self::without_names(span, Class::TooComplex)
    }

    /// An access to what cannot be told to be one object or another.
    pub(super) fn unknown(span: Span) -> Self {
        Self::without_names(span, Class::Unproved)
    }

    fn without_names(span: Span, class: Class) -> Self {
        let (object, elements) = (String::new(), [String::new(), String::new()]);
        let (deeds, pair, is_local) = (["written", "accessed"], String::new(), false);
        let (cause, scope) = (None, None);
        Self { object, places: [span; 2], deeds, elements, class, cause, pair, is_local, scope }
    }
}

impl Checker<'_> {
    /// What is said of a pair that may race.
    pub(super) fn finding(&mut self, object: Object, pair: [&Access; 2]) -> Finding {
        let class = if self.knowledge.has_fuel() { self.class(object, pair) } else { Class::TooComplex };
        let name = self.name(object).to_owned();
        let deeds = pair.map(|access| match access.kind {
            Kind::Read => "read",
            Kind::Write => "written",
            Kind::Atomic => "accessed atomically",
        });
        let elements = pair.map(|access| format!("{name}{}", self.path_text(access)));
        let cause = self.cause(object, class, pair);
        let words = self.pair_in_words(object, class, pair, &elements);
        let is_local = self.memory(object) == Memory::LOCAL;
        let places = pair.map(|access| access.span);
        let scope = pair[0].scope.zip(pair[1].scope).map(|(one, other)| one.min(other));
        Finding { object: name, places, deeds, elements, class, cause, pair: words, is_local, scope }
    }

    fn class(&mut self, object: Object, pair: [&Access; 2]) -> Class {
        let terms = pair.map(terms_of).concat();
        if terms.iter().any(|&term| self.is_from_memory(term)) {
            return Class::FromMemory;
        }
        let is_local = self.memory(object) == Memory::LOCAL;
        let level = if is_local { Uniformity::WorkGroup } else { Uniformity::Launch };
        if !terms.iter().any(|&term| self.depends_on_ids(term, level)) {
            return Class::Uniform;
        }
        let who = if is_local { Who::SameGroup } else { Who::Any };
        let phases = self
            .phases_of(super::Ordered { memory: self.memory(object), copies: super::phases::Copies::Not });
        let rank = self.module.rank();
        let mut two = Pair::new(self, Context { who, crossed: Crossed::ALL, phases }, pair);
        two.is_disjoint();
        let missing = two.missing();
        if !missing.is_empty() && missing.len() < usize::from(rank) {
            return Class::MissingDimensions(missing.iter().fold(0, |all, dimension| all | 1 << dimension));
        }
        Class::Unproved
    }

    /// Returns whether a number is read from memory that is no argument, or comes from other work-items.
    fn is_from_memory(&self, term: Term) -> bool {
        self.knowledge.terms.any(term, |node| {
            let Node::Opaque(value) = node else { return false };
            match &self.module.values[value].op {
                Op::Load(Place { base, .. }) => {
                    matches!(base, Base::Slice(_) | Base::Local(_) | Base::Table(_) | Base::Pointer(_))
                }
                Op::Atomic(_) | Op::Collective { .. } => true,
                _ => false,
            }
        })
    }

    /// Returns whether a number depends on which work-item of the launch, or of the group, it is.
    fn depends_on_ids(&self, term: Term, level: Uniformity) -> bool {
        self.knowledge.terms.any(term, |node| match node {
            Node::Query(Query::GroupId, _) => level == Uniformity::Launch,
            Node::Query(query, _) => matches!(
                query,
                Query::GlobalId
                    | Query::LocalId
                    | Query::LocalLinearId
                    | Query::SubgroupId
                    | Query::SubgroupLocalId
            ),
            Node::Opaque(value) => self.uniformities.values[value.index()] > level,
            Node::Joined(_, variable) => self.uniformities.variables[variable.index()] > level,
            _ => false,
        })
    }

    /// The way to an element, as the source might have it.
    fn path_text(&mut self, access: &Access) -> String {
        std::mem::swap(&mut self.walk.knowledge, &mut self.knowledge);
        let mut text = String::new();
        for part in access.path.iter() {
            match part {
                Part::Member(member) => text += &format!(".{member}"),
                Part::Element(form) => {
                    let mut products: Vec<_> = form.certain.products.iter().collect();
                    // A sum that starts with what is subtracted is hard to read.
                    products.sort_by_key(|(_, times)| **times < 0);
                    let mut sum = String::new();
                    for (factors, times) in products {
                        let strength = match (factors.len(), times.abs()) {
                            (1, 1) if form.certain.products.len() == 1 && *times > 0 => 0,
                            (1, 1) => ADDEND,
                            _ => FACTOR,
                        };
                        let mut parts: Vec<String> =
                            factors.iter().map(|&term| self.walk.operand_of(term, strength)).collect();
                        if times.abs() != 1 || parts.is_empty() {
                            parts.insert(0, times.unsigned_abs().to_string());
                        }
                        sum += match (*times < 0, sum.is_empty()) {
                            (true, true) => "-",
                            (true, false) => " - ",
                            (false, true) => "",
                            (false, false) => " + ",
                        };
                        sum += &parts.join(" * ");
                    }
                    text += &format!("[{}]", if sum.is_empty() { "0" } else { &sum });
                }
            }
        }
        std::mem::swap(&mut self.walk.knowledge, &mut self.knowledge);
        text
    }
}

/// The terms that the indices of an access are made of.
pub(super) fn terms_of(access: &Access) -> Vec<Term> {
    let mut terms = Vec::new();
    for part in access.path.iter() {
        if let Part::Element(form) = part {
            terms.extend(form.certain.products.keys().flatten());
        }
    }
    terms
}
