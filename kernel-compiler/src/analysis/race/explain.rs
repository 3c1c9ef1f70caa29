//! A finding in words: what may happen, between which two work-items, and what to do about it.

use super::record::{Access, Kind, Object, Part};
use super::{Checker, Class, Finding};
use crate::analysis::term::Node;
use crate::ir::{Memory, Query};
use std::fmt::Write;

impl Finding {
    /// What may happen, in one sentence.
    #[must_use]
    pub fn message(&self) -> String {
        let of_object = if self.object.is_empty() { String::new() } else { format!(" of `{}`", self.object) };
        match self.class {
            Class::TooComplex => {
                format!("it is too complex to tell whether two work-items access one element{of_object}")
            }
            _ if self.scope.is_some() => {
                format!(
                    "two work-items may access one element{of_object} atomically, but beyond the scope of that"
                )
            }
            _ => format!("two work-items may access one element{of_object}, and one of them writes"),
        }
    }

    /// What is accessed by whom, and why nothing orders it.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let [first, second] = &self.elements;
        let mut notes = Vec::new();
        if !first.is_empty() {
            let (start, deeds) = (self.places[1].start(), self.deeds);
            let (line, column) = (start.line, start.column + 1);
            let own = self.places[0].start();
            let is_one = (own.line, own.column) == (start.line, start.column) && first == second;
            notes.push(match is_one && deeds[0] == deeds[1] {
                true => format!("`{first}` is {} here", deeds[0]),
                false => format!(
                    "`{first}` is {} here, and `{second}` is {} at line {line}, column {column}",
                    deeds[0], deeds[1]
                ),
            });
        }
        notes.extend((!self.pair.is_empty()).then(|| self.pair.clone()));
        if let Some(scope) = self.scope {
            notes.push(format!("`Scope::{scope:?}` orders none but the accesses of its own work-items"));
        } else if self.class == Class::Unproved && !self.is_local && first != second {
            notes.push("a barrier does not order work-items of different groups".to_owned());
        }
        notes
    }

    /// The way out.
    #[must_use]
    pub fn help(&self) -> &'static str {
        if self.scope.is_some() {
            return "let the scope have all work-items that come to it, as `Scope::Device` has, and `Scope::WorkGroup` in local memory";
        }
        match (self.class, self.is_local) {
            (Class::Uniform, false) => {
                "let one work-item do it, `if global_id(0) == 0`, make it atomic, let each group add up by `work_group::reduce_add` and write to an element of its own, or say that there is only one work-item, `requires(global_size(0) == 1)`"
            }
            (Class::Uniform, true) => {
                "let one work-item of the group do it, `if local_id(0) == 0`, and put a barrier before others look at it, or make it atomic"
            }
            (Class::MissingDimensions(_), _) => {
                "let the index depend on all ids that the kernel asks for, or do it where those that are left out are 0"
            }
            (Class::FromMemory, _) => {
                "make it atomic, or turn it round: let each work-item read what belongs to its own element; or promise that no two have the same number, `unsafe { assume_distinct(index) }`"
            }
            (Class::Unproved, true) => {
                "put a barrier between the two, which all of the group come to, or make it atomic"
            }
            (Class::Unproved, false) => {
                "read from another buffer than you write, guard the index, as by `if column < width`, or make it atomic"
            }
            (Class::TooComplex, _) => {
                "split the kernel, or let each work-item access elements at simpler indices"
            }
        }
    }
}

impl Checker<'_> {
    /// Which two work-items it may be.
    pub(super) fn pair_in_words(
        &mut self,
        object: Object,
        class: Class,
        pair: [&Access; 2],
        elements: &[String; 2],
    ) -> String {
        let is_local = self.memory(object) == Memory::LOCAL;
        match class {
            Class::Uniform if is_local => format!("every work-item of the group comes to `{}`", elements[0]),
            Class::Uniform => format!("every work-item comes to `{}`", elements[0]),
            Class::FromMemory => {
                "where what is read for the index is one number twice, two work-items access one element"
                    .to_owned()
            }
            Class::MissingDimensions(dimensions) => {
                let name = if is_local { "local_id" } else { "global_id" };
                let missing = (0..3).filter(|dimension| dimensions & (1 << dimension) != 0);
                let mut text = String::new();
                for dimension in missing {
                    // Writing to a string does not fail.
                    let _ =
                        write!(text, "{}`{name}({dimension})`", if text.is_empty() { "" } else { " and " });
                }
                format!("work-items that differ in {text} only may come to one element")
            }
            Class::Unproved => self.shifted_in_words(pair).unwrap_or_default(),
            Class::TooComplex => String::new(),
        }
    }

    /// The two work-items where one accesses what belongs to another one, so many ids further on.
    fn shifted_in_words(&mut self, pair: [&Access; 2]) -> Option<String> {
        let [one, other] = pair.map(|access| match &access.path[..] {
            [Part::Element(form)] => Some(&form.certain),
            _ => None,
        });
        let difference = one?.clone().plus(other?.clone(), -1);
        if difference.products.keys().any(|factors| !factors.is_empty()) {
            return None;
        }
        let mut ids = one?.products.iter().filter_map(|(factors, &times)| match factors[..] {
            [term] => match self.knowledge.terms.node(term) {
                Node::Query(Query::GlobalId, 0) => Some(("global", times)),
                Node::Query(Query::LocalId, 0) => Some(("local", times)),
                _ => None,
            },
            _ => None,
        });
        let ((name, times), None) = (ids.next()?, ids.next()) else { return None };
        let distance = difference.constant();
        if distance == 0 || distance % times != 0 {
            return None;
        }
        let shift = distance / times;
        let sign = if shift < 0 { '-' } else { '+' };
        let [first, second] = pair.map(|access| match access.kind {
            Kind::Read => "reads",
            Kind::Write => "writes",
            Kind::Atomic => "accesses",
        });
        let shift = shift.abs();
        Some(format!(
            "the work-item with {name} id `i` {first} what the one with {name} id `i {sign} {shift}` {second}"
        ))
    }
}
