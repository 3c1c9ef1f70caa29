//! A finding in words: what may happen, between which two work-items, and what to do about it.

use super::record::{Access, Kind, Object, Part};
use super::witness::Apart;
use super::{Cause, Checker, Class, Finding, Limit, SharedIndex};
use crate::analysis::term::Node;
use crate::analysis::uniformity::Uniformity;
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
            let start = self.places[1].start();
            let (line, column) = (start.line, start.column + 1);
            notes.push(match self.is_one_access() {
                true => format!("`{first}` is {} here", self.deeds[0]),
                false => format!(
                    "`{first}` is {} here, and `{second}` is {} at line {line}, column {column}",
                    self.deeds[0], self.deeds[1]
                ),
            });
        }
        if let Some(cause) = &self.cause {
            notes.extend(self.notes_of_cause(cause));
            return notes;
        }
        notes.extend((!self.pair.is_empty()).then(|| self.pair.clone()));
        if let Some(scope) = self.scope {
            notes.push(format!("`Scope::{scope:?}` orders none but the accesses of its own work-items"));
        } else if self.class == Class::Unproved && !self.is_local && first != second {
            notes.push(BEYOND_GROUPS.to_owned());
        }
        notes
    }

    fn notes_of_cause(&self, cause: &Cause) -> Vec<String> {
        let element = &self.elements[0];
        match cause {
            Cause::NoBarrierBetweenPasses => vec![self.between_passes()],
            Cause::OneWrites if self.is_local => vec![format!(
                "one work-item of the group writes to `{element}`, others read it, and no barrier that all come to stands between the two"
            )],
            Cause::OneWrites => vec![
                format!("one work-item writes to `{element}`, and others read it"),
                "nothing orders work-items of different groups within a launch: a barrier is for one group, and who waits for another group may wait forever"
                    .to_owned(),
            ],
            Cause::SharedIndex(SharedIndex { id, values: [one, other], is_certain, .. }) => {
                let condition = if *is_certain { "" } else { ", if both come here" };
                vec![format!("work-items whose `{id}` is `{one}` and `{other}` have one index{condition}")]
            }
            Cause::Counted => vec![
                self.pair.clone(),
                "what `fetch_add` returns is nobody else's if the kernel does nothing else to the counter than to add to it and to `load`, and if it does not wrap around: one of 32 bits may, where it is added to in a loop that goes as often as memory says"
                    .to_owned(),
            ],
        }
    }

    /// Which barrier is missing, of two accesses in a loop.
    fn between_passes(&self) -> String {
        let noun = |deed| match deed {
            "read" => "the read",
            "written" => "the write",
            _ => "the atomic access",
        };
        let place = |index: usize| (self.places[index].start().line, self.places[index].start().column);
        // What is first in a pass comes after what is last in the one before.
        let [last, first] = if place(0) > place(1) { [0, 1] } else { [1, 0] };
        let [last, first] = [last, first].map(|index| noun(self.deeds[index]));
        format!("between {last} in one pass of the loop and {first} in the next stands no `barrier()`")
    }

    /// Returns whether two work-items come to one access, rather than to two that are written apart.
    fn is_one_access(&self) -> bool {
        let [own, other] = self.places.map(|place| (place.start().line, place.start().column));
        own == other && self.elements[0] == self.elements[1] && self.deeds[0] == self.deeds[1]
    }

    /// The way out.
    #[must_use]
    pub fn help(&self) -> String {
        match &self.cause {
            Some(Cause::NoBarrierBetweenPasses) => {
                "put a barrier at the end of the loop, so that the next pass begins when all of the group have done with this one"
            }
            Some(Cause::OneWrites) if self.is_local => {
                "put a barrier between the two, which all of the group come to, or make it atomic"
            }
            Some(Cause::OneWrites) => {
                "write it in a launch, and read it in another one that follows, or make it atomic"
            }
            Some(Cause::SharedIndex(SharedIndex { limit: Some(Limit { guard, required }), .. })) => {
                let required = required.iter().map(|required| format!(", or say that there are no more, `requires({required})`"));
                let required: String = required.collect();
                return format!("let each index be that of one work-item: guard it, `if {guard}`{required}; or make it atomic");
            }
            Some(Cause::SharedIndex(SharedIndex { limit: None, .. })) => {
                "launch as many work-items as there are elements to write, with the id itself for the index, or make it atomic"
            }
            Some(Cause::Counted) => {
                "take a counter of 64 bits, `AtomicU64` or `AtomicUsize`, so that each work-item has numbers of its own; or promise that no two have the same number, `unsafe { assume_distinct(index) }`"
            }
            None => self.help_of_class(),
        }
        .to_owned()
    }

    fn help_of_class(&self) -> &'static str {
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
            (Class::Unproved, true) if self.is_one_access() => {
                "let each work-item of the group have an element of its own, let one of those that share an element do it, as by `if subgroup::local_id() == 0` where it is that of a subgroup, or make it atomic"
            }
            (Class::Unproved, true) => {
                "put a barrier between the two, which all of the group come to, or make it atomic"
            }
            (Class::Unproved, false) if self.deeds.contains(&"read") => {
                "read from another buffer than you write, or in a launch that follows, guard the index, as by `if column < width`, or make it atomic"
            }
            (Class::Unproved, false) => {
                "let each work-item have elements of its own, guard the index, as by `if column < width`, or make it atomic"
            }
            (Class::TooComplex, _) => {
                "split the kernel, or let each work-item access elements at simpler indices"
            }
        }
    }
}

/// What is often forgotten of barriers.
const BEYOND_GROUPS: &str = "a barrier does not order work-items of different groups";

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
            Class::Uniform => {
                let (level, whose) = match is_local {
                    true => (Uniformity::WorkGroup, "work-item of the group"),
                    false => (Uniformity::Launch, "work-item"),
                };
                match self.all_come(pair[0], level) {
                    true => format!("every {whose} comes to `{}`", elements[0]),
                    false => format!("each {whose} that comes here accesses `{}`", elements[0]),
                }
            }
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
            Class::Unproved => self.shifted_in_words(object, pair).unwrap_or_default(),
            Class::TooComplex => String::new(),
        }
    }

    /// The two work-items where one accesses what belongs to another one, so many ids further on.
    fn shifted_in_words(&self, object: Object, pair: [&Access; 2]) -> Option<String> {
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
                Node::Query(Query::GlobalId, 0) => Some(("global", term, times)),
                Node::Query(Query::LocalId, 0) => Some(("local", term, times)),
                _ => None,
            },
            _ => None,
        });
        let ((name, id, times), None) = (ids.next()?, ids.next()) else { return None };
        let distance = difference.constant();
        if distance == 0 || distance % times != 0 {
            return None;
        }
        let shift = distance / times;
        let sign = if shift < 0 { '-' } else { '+' };
        let is_certain = self.witness(object, pair, id, Apart::Shift(shift))?.is_certain;
        let [first, second] = pair.map(|access| access.kind);
        let first = match (first, is_certain) {
            (Kind::Read, true) => "reads",
            (Kind::Read, false) => "may read",
            (Kind::Write, true) => "writes",
            (Kind::Write, false) => "may write",
            (Kind::Atomic, true) => "accesses",
            (Kind::Atomic, false) => "may access",
        };
        let second = match second {
            Kind::Read => "reads",
            Kind::Write => "writes",
            Kind::Atomic => "accesses",
        };
        let shift = shift.abs();
        Some(format!(
            "the work-item with {name} id `i` {first} what the one with {name} id `i {sign} {shift}` {second}"
        ))
    }
}
