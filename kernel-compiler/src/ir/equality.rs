//! Two modules are equal if they have the same in the same order. Where it comes from in the source makes no difference.

use super::{Import, Site, Statement, Value};

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        let Self { ty, op, span: _ } = self;
        (ty, op) == (&other.ty, &other.op)
    }
}

impl PartialEq for Site {
    fn eq(&self, other: &Self) -> bool {
        let Self { kind, span: _, message, format, reason } = self;
        (kind, message, format, reason) == (&other.kind, &other.message, &other.format, &other.reason)
    }
}

impl PartialEq for Import {
    fn eq(&self, other: &Self) -> bool {
        let Self { name, parameters, result, span: _ } = self;
        (name, parameters, result) == (&other.name, &other.parameters, &other.result)
    }
}

impl PartialEq for Statement {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Evaluate(value), Self::Evaluate(other)) => value == other,
            (Self::Store { place, value }, Self::Store { place: to, value: other }) => {
                (place, value) == (to, other)
            }
            (
                Self::If { condition, accept, reject },
                Self::If { condition: other, accept: then, reject: otherwise },
            ) => condition == other && accept == then && reject == otherwise,
            (
                Self::Loop { label, body, continuing },
                Self::Loop { label: other, body: inner, continuing: next },
            ) => label == other && body == inner && continuing == next,
            (Self::ImageWrite(write), Self::ImageWrite(other)) => write == other,
            (Self::Barrier(_, group, fence), Self::Barrier(_, of, other)) => (group, fence) == (of, other),
            (Self::AssertUniform(_, values), Self::AssertUniform(_, others)) => values == others,
            (Self::Wait(_, event), Self::Wait(_, other)) => event == other,
            (Self::Order(scope, order), Self::Order(among, other)) => (scope, order) == (among, other),
            (Self::Print { site, words }, Self::Print { site: other, words: others }) => {
                (site, words) == (other, others)
            }
            (
                Self::Evaluate(_)
                | Self::Store { .. }
                | Self::If { .. }
                | Self::Loop { .. }
                | Self::ImageWrite(_)
                | Self::Barrier(..)
                | Self::AssertUniform(..)
                | Self::Wait(..)
                | Self::Order(..)
                | Self::Print { .. },
                _,
            ) => false,
        }
    }
}

impl Eq for Value {}
impl Eq for Site {}
impl Eq for Import {}
impl Eq for Statement {}
