//! How a race comes about, where more is known of it than its class.

use super::pair::{Context, Who};
use super::phases::{Copies, Crossed, Ordered};
use super::record::{Access, Kind, Object, Part};
use super::witness::{Apart, Distance, Witness};
use super::{Checker, Class, Needs};
use crate::analysis::interval::Interval;
use crate::analysis::term::{Node, Term};
use crate::ir::{Memory, Query};
use kernel_core::semantics::BinaryOp;

/// What a race comes from. It says more exactly than the class what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It would be none if a barrier stood at the end of a loop.
    NoBarrierBetweenPasses,
    /// One work-item writes, and others read.
    OneWrites,
    /// Two ids have one index.
    SharedIndex(SharedIndex),
    /// The index is what an addition to a counter returns that may wrap around.
    Counted,
}

/// Two ids for which an index is one number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedIndex {
    /// The id, as it is called.
    pub id: String,
    /// What it is for the two work-items.
    pub values: [String; 2],
    /// Whether both come to the access in some launch; if not, that depends on what only the device knows.
    pub is_certain: bool,
    /// Which ids have an index each of their own, if those below a limit do.
    pub limit: Option<Limit>,
}

/// Up to where ids are so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// A condition for an id to be below the limit.
    pub guard: String,
    /// The same for all ids of a launch, if they are ids in the launch.
    pub required: Option<String>,
}

impl Checker<'_> {
    /// What a pair of accesses that may race comes from, if it can be told.
    pub(super) fn cause(&mut self, object: Object, class: Class, pair: [&Access; 2]) -> Option<Cause> {
        if pair.iter().any(|access| access.copy.is_some() || access.in_bytes) {
            return None;
        }
        match class {
            Class::Uniform => self.one_writes(object, pair).then_some(Cause::OneWrites),
            Class::FromMemory => self.is_counted(pair).then_some(Cause::Counted),
            Class::Unproved | Class::MissingDimensions(_) if is_same_place(pair) => {
                self.shared_index(object, pair).map(Cause::SharedIndex)
            }
            _ => None,
        }
    }

    /// Returns whether the work-item that writes is the only one that comes to write there.
    fn one_writes(&mut self, object: Object, [write, read]: [&Access; 2]) -> bool {
        let memory = self.memory(object);
        let who = if memory == Memory::LOCAL { Who::SameGroup } else { Who::Any };
        let phases = self.phases_of(Ordered { memory, copies: Copies::Not });
        let context = Context { who, crossed: Crossed::ALL, phases };
        read.kind == Kind::Read && self.are_disjoint(context, [write, write], &mut Needs::new())
    }

    /// Returns whether an index is made of what a counter of 32 bits returns that may wrap around, since nobody knows how much is added to it.
    fn is_counted(&mut self, pair: [&Access; 2]) -> bool {
        let terms: Vec<Term> = pair.into_iter().flat_map(super::class::terms_of).collect();
        terms.into_iter().any(|term| match self.knowledge.terms.node(self.knowledge.uncast(term)) {
            Node::Opaque(value) => self.may_come_around(value),
            _ => false,
        })
    }

    /// The ids that have one index, where that is a part of an id, if the work-items come to the access.
    fn shared_index(&mut self, object: Object, pair: [&Access; 2]) -> Option<SharedIndex> {
        let terms = super::class::terms_of(pair[0]);
        let [index] = terms[..] else { return None };
        let (id, part) = self.part_of_id(self.knowledge.uncast(index))?;
        let apart = match part {
            PartOfId::Quotient => Apart::Share(index),
            PartOfId::Remainder(by) => Apart::By(Distance::Term(by), index),
            PartOfId::Below(limit) => Apart::By(Distance::Constant(limit), index),
        };
        let witness = self.witness(object, pair, id, apart)?;
        std::mem::swap(&mut self.walk.knowledge, &mut self.knowledge);
        let found = self.said_of(id, part, witness);
        std::mem::swap(&mut self.walk.knowledge, &mut self.knowledge);
        found
    }

    fn said_of(&self, id: Term, part: PartOfId, witness: Witness) -> Option<SharedIndex> {
        let (name, Witness { first, second, is_certain }) = (self.walk.text(id), witness);
        let below = match part {
            PartOfId::Quotient => {
                let values = [first.to_string(), second?.to_string()];
                return Some(SharedIndex { id: name, values, is_certain, limit: None });
            }
            PartOfId::Remainder(by) => self.walk.text(by),
            PartOfId::Below(limit) => limit.to_string(),
        };
        let other = match (first, part) {
            (0, _) => below.clone(),
            (_, PartOfId::Below(limit)) => (first + limit).to_string(),
            (_, PartOfId::Quotient | PartOfId::Remainder(_)) => format!("{below} + {first}"),
        };
        let required = match self.walk.knowledge.terms.node(id) {
            Node::Query(Query::GlobalId, dimension) => Some(format!("global_size({dimension}) <= {below}")),
            _ => None,
        };
        let limit = Some(Limit { guard: format!("{name} < {below}"), required });
        Some(SharedIndex { id: name, values: [first.to_string(), other], is_certain, limit })
    }

    /// The id that a number is a part of, and which part.
    fn part_of_id(&self, term: Term) -> Option<(Term, PartOfId)> {
        let terms = &self.knowledge.terms;
        let constant = |term| terms.constant_of(self.knowledge.uncast(term));
        let (whole, part) = match terms.node(term) {
            Node::Binary(BinaryOp::Rem, whole, by) => {
                (whole, constant(by).map_or(PartOfId::Remainder(by), PartOfId::Below))
            }
            Node::Binary(BinaryOp::And, left, right) => {
                let (whole, mask) = match (constant(left), constant(right)) {
                    (_, Some(mask)) => (left, mask),
                    (Some(mask), _) => (right, mask),
                    _ => return None,
                };
                let is_low = mask > 0 && mask & (mask + 1) == 0;
                (whole, PartOfId::Below(is_low.then_some(mask + 1)?))
            }
            Node::Binary(BinaryOp::Div | BinaryOp::Shr, whole, by) => {
                let least = if matches!(terms.node(term), Node::Binary(BinaryOp::Div, ..)) { 2 } else { 1 };
                constant(by).filter(|by| *by >= least)?;
                (whole, PartOfId::Quotient)
            }
            Node::Cast(whole) => {
                let range = Interval::of(terms.scalar(term));
                (whole, PartOfId::Below(range.max + 1))
            }
            _ => return None,
        };
        let id = self.knowledge.uncast(whole);
        matches!(terms.node(id), Node::Query(Query::GlobalId | Query::LocalId, _)).then_some((id, part))
    }
}

/// Which part of an id a number is.
#[derive(Clone, Copy)]
enum PartOfId {
    /// What is left of it by a number.
    Remainder(Term),
    /// What is left of it below a limit.
    Below(i128),
    /// Its quotient by a number that is greater than 1.
    Quotient,
}

/// Returns whether two accesses are to elements at the same index, by a single index.
fn is_same_place([one, other]: [&Access; 2]) -> bool {
    match (&one.path[..], &other.path[..]) {
        ([Part::Element(one)], [Part::Element(other)]) => {
            one.certain.products.iter().eq(other.certain.products.iter())
        }
        _ => false,
    }
}
