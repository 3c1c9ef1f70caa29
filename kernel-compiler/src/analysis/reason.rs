//! Why a check stays, in words: what would have to be known, and what stands in the way.
//!
//! Terms are written as the source might write them; a term that a named variable holds at the moment goes by that name.

use super::interval::Interval;
use super::term::{Node, Term};
use super::walk::Walk;
use crate::ir::{Base, Handle, Op, Place, Query, Step, Value};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

/// How deep a term is written, and looked through for what stands in the way.
const DEPTH: u32 = 4;

/// A check that stays, by what is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// That an index is below a length.
    Below(Term, Term),
    /// That a divisor is not zero.
    NotZero(Term),
    /// That two operands are not `MIN` and `-1`.
    NotOverflow(Term, Term),
    /// That a sum, difference or product fits, or that a shift is by less than the width.
    Fits(BinaryOp, Term, Term),
    /// That a condition holds.
    Holds(Term),
    /// Anything about the lanes of vectors.
    Lanes,
}

impl Walk<'_> {
    /// The reason of a check, once what it asks for could not be proved.
    pub(super) fn reason(&mut self, missing: Missing) -> String {
        match missing {
            Missing::Below(index, len) => {
                let [left, right] = [index, len].map(|term| self.text(term));
                let apart = |walk: &mut Self| {
                    let (most, least) = (walk.knowledge.range(index).max, walk.knowledge.range(len).min);
                    format!("`{left}` may be {most}, and `{right}` {least}")
                };
                let cause = self.obstacle(index, DEPTH).unwrap_or_else(|| apart(self));
                format!("`{left} < {right}` is not known: {cause}")
            }
            Missing::NotZero(divisor) => {
                let text = self.text(divisor);
                let cause = self.obstacle(divisor, DEPTH).map_or(String::new(), |cause| format!(": {cause}"));
                format!("`{text}` may be 0{cause}")
            }
            Missing::NotOverflow(left, right) => {
                let scalar = self.knowledge.terms.scalar(left);
                let [left, right] = [left, right].map(|term| self.text(term));
                format!("`{left}` may be {}, and `{right}` -1", Interval::of(scalar).min)
            }
            Missing::Fits(op, left, right) => {
                let scalar = self.knowledge.terms.scalar(left);
                let culprit = self.obstacle(left, DEPTH).or_else(|| self.obstacle(right, DEPTH));
                let cause = culprit.map_or(String::new(), |cause| format!(": {cause}"));
                let [left, right] = [left, right].map(|term| self.operand(term, DEPTH));
                if op.is_shift() {
                    return format!("`{right} < {}` is not known{cause}", scalar.bits());
                }
                format!("`{left} {} {right}` may not fit in `{}`{cause}", op.symbol(), scalar.name())
            }
            Missing::Holds(condition) if self.knowledge.terms.constant_of(condition) == Some(0) => {
                "nothing rules out that control gets here".to_owned()
            }
            Missing::Holds(condition) => {
                let text = self.text(condition);
                let cause =
                    self.obstacle(condition, DEPTH).map_or(String::new(), |cause| format!(": {cause}"));
                format!("`{text}` is not known{cause}")
            }
            Missing::Lanes => "nothing is known of the lanes of vectors".to_owned(),
        }
    }

    /// The first part of a term of which too little is known, and why.
    fn obstacle(&mut self, term: Term, depth: u32) -> Option<String> {
        if depth == 0 {
            return None;
        }
        match self.knowledge.terms.node(term) {
            Node::Opaque(handle) => {
                let what = self.origin(handle)?;
                Some(format!("`{}` {what}", self.text(term)))
            }
            Node::Binary(op, left, right) if !op.is_comparison() => {
                let below = self.obstacle(left, depth - 1).or_else(|| self.obstacle(right, depth - 1));
                below.or_else(|| {
                    let wraps = !self.knowledge.is_exact(term);
                    wraps.then(|| format!("`{}` may wrap around", self.text(term)))
                })
            }
            Node::Binary(_, left, right) | Node::Min(left, right) | Node::Max(left, right) => {
                self.obstacle(left, depth - 1).or_else(|| self.obstacle(right, depth - 1))
            }
            Node::Cast(operand) => self.obstacle(operand, depth - 1).or_else(|| {
                let changes = !self.knowledge.is_exact(term);
                changes.then(|| format!("`{}` may change the number", self.text(term)))
            }),
            Node::Unary(_, operand) => self.obstacle(operand, depth - 1),
            Node::Select(_, accept, reject) => {
                self.obstacle(accept, depth - 1).or_else(|| self.obstacle(reject, depth - 1))
            }
            _ => None,
        }
    }

    /// Where a value comes from that is not followed.
    fn origin(&self, value: Handle<Value>) -> Option<&'static str> {
        Some(match &self.module.values[value].op {
            Op::Load(Place { base: Base::Variable(_), .. }) => "is an element of an array or struct",
            Op::Load(_) | Op::Atomic(_) | Op::BlockAccess(_) => "is read from memory",
            Op::Collective { .. } => "comes from other work-items",
            Op::Call(_) => "comes from another module",
            Op::Cast(_) | Op::Bitcast(_) => "is made of a float or a pointer",
            Op::Specialization(_) => "is set by the host",
            _ => return None,
        })
    }

    pub(super) fn text(&self, term: Term) -> String {
        self.written(term, DEPTH)
    }

    /// An operand of an operator, in parentheses unless it is as short as a name.
    fn operand(&self, term: Term, depth: u32) -> String {
        let text = self.written(term, depth);
        let is_long =
            matches!(self.knowledge.terms.node(term), Node::Binary(..) | Node::Cast(_) | Node::Select(..));
        if is_long && self.name(term).is_none() { format!("({text})") } else { text }
    }

    fn written(&self, term: Term, depth: u32) -> String {
        if let Some(name) = self.name(term) {
            return name.to_owned();
        }
        if depth == 0 {
            return "…".to_owned();
        }
        let terms = &self.knowledge.terms;
        let inner = |term| self.written(term, depth - 1);
        let operand = |term| self.operand(term, depth - 1);
        match terms.node(term) {
            Node::Constant(value) if terms.scalar(term) == Scalar::Bool => (value != 0).to_string(),
            Node::Constant(value) => value.to_string(),
            Node::Parameter(position) => self.module.parameters[position as usize].name.clone(),
            Node::Query(query, dimension) => query_text(query, dimension),
            Node::Len(slice) => format!("{}.len()", inner(slice)),
            Node::Opaque(value) => self.value_text(value, depth - 1),
            Node::Joined(_, variable) => match self.module.variables[variable].name.as_str() {
                "" => "_".to_owned(),
                name => name.to_owned(),
            },
            Node::Passes(_) | Node::Any(_) => "_".to_owned(),
            Node::Unary(UnaryOp::Neg, inner) => format!("-{}", operand(inner)),
            Node::Unary(UnaryOp::Not, inner) => format!("!{}", operand(inner)),
            Node::Binary(op, left, right) => {
                format!("{} {} {}", operand(left), op.symbol(), operand(right))
            }
            Node::Min(left, right) => format!("{}.min({})", operand(left), inner(right)),
            Node::Max(left, right) => format!("{}.max({})", operand(left), inner(right)),
            Node::Cast(inner) => format!("{} as {}", operand(inner), terms.scalar(term).name()),
            Node::Select(condition, accept, reject) => {
                format!("if {} {{ {} }} else {{ {} }}", inner(condition), inner(accept), inner(reject))
            }
        }
    }

    /// The name of a variable that holds a term at the moment.
    fn name(&self, term: Term) -> Option<&str> {
        if matches!(
            self.knowledge.terms.node(term),
            Node::Constant(_) | Node::Parameter(_) | Node::Len(_) | Node::Query(..)
        ) {
            // These read best as they are.
            return None;
        }
        let holds = |position: usize| self.environment.get(position).copied().flatten() == Some(term);
        let mut variables = self.module.variables.iter();
        variables
            .find(|(handle, variable)| !variable.name.is_empty() && holds(handle.index()))
            .map(|(_, variable)| variable.name.as_str())
    }

    fn value_text(&self, value: Handle<Value>, depth: u32) -> String {
        match &self.module.values[value].op {
            Op::Parameter(position) => self.module.parameters[*position as usize].name.clone(),
            Op::Load(place) | Op::SliceOf(place) => self.place_text(place, depth),
            Op::Atomic(atomic) => self.place_text(&atomic.place, depth),
            Op::Call(call) => format!("{}(..)", self.module.imports[call.import].name),
            Op::SubSlice { slice, .. } => format!("{}[..]", self.value_text(*slice, depth)),
            Op::Specialization(position) => self.module.specializations[*position as usize].name.clone(),
            _ => "_".to_owned(),
        }
    }

    fn place_text(&self, place: &Place, depth: u32) -> String {
        let base = match place.base {
            Base::Variable(variable) => self.module.variables[variable].name.clone(),
            Base::Local(local) => self.module.locals[local].name.clone(),
            Base::Parameter(position) => self.module.parameters[position as usize].name.clone(),
            Base::Slice(value) | Base::Pointer(value) => self.value_text(value, depth),
            Base::Table(_) => String::new(),
        };
        let base = if base.is_empty() { "_".to_owned() } else { base };
        place.path.iter().fold(base, |text, step| match step {
            Step::Index(index) | Step::Run { index, .. } => {
                format!("{text}[{}]", self.operand_text(index.index, depth))
            }
            Step::Member(position) => format!("{text}.{position}"),
        })
    }

    fn operand_text(&self, value: Handle<Value>, depth: u32) -> String {
        match (self.values[value.index()], &self.module.values[value].op) {
            (_, Op::Constant(bits)) => bits.to_string(),
            (Some(term), _) => self.written(term, depth),
            (None, Op::Parameter(position)) => self.module.parameters[*position as usize].name.clone(),
            _ => "_".to_owned(),
        }
    }
}

/// A query as it is called.
fn query_text(query: Query, dimension: u8) -> String {
    let (name, has_dimension) = match query {
        Query::GlobalId => ("global_id", true),
        Query::GlobalSize => ("global_size", true),
        Query::LocalId => ("local_id", true),
        Query::LocalSize => ("local_size", true),
        Query::GroupId => ("group_id", true),
        Query::NumGroups => ("num_groups", true),
        Query::LocalLinearId => ("work_group::local_linear_id", false),
        Query::WorkGroupSize => ("work_group::size", false),
        Query::SubgroupId => ("subgroup::id", false),
        Query::NumSubgroups => ("subgroup::count", false),
        Query::SubgroupLocalId => ("subgroup::local_id", false),
        Query::SubgroupSize => ("subgroup::size", false),
        Query::MaxSubgroupSize => ("subgroup::max_size", false),
    };
    if has_dimension { format!("{name}({dimension})") } else { format!("{name}()") }
}
