//! Why a check stays, in words: what would have to be known, and what stands in the way.
//!
//! Terms are written as the source might write them; a term that a named variable holds at the moment goes by that name. What would be long, or is made of what has
//! no name in the source, is not written at all.

use super::interval::Interval;
use super::term::{Node, Term};
use super::walk::Walk;
use crate::ir::{Base, Handle, Op, Place, Query, Step, Value};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

/// How deep a term is written, and looked through for what stands in the way.
const DEPTH: u32 = 6;
/// The longest text that is worth reading.
const LONGEST: usize = 60;
/// A range that says something of an index ends below this.
const INFORMATIVE: i128 = 1 << 31;
/// How strongly `as` binds, and a method's call.
const CAST: u32 = 8;
const METHOD: u32 = CAST + 2;
/// How strongly what is an addend has to bind, and what is a factor.
pub(super) const ADDEND: u32 = CAST - 1;
pub(super) const FACTOR: u32 = CAST;

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
            Missing::Below(index, len) => self.reason_of_index(index, len),
            Missing::NotZero(divisor) => {
                let text = quoted(self.describe(divisor), "the divisor");
                with_cause(format!("{text} may be 0"), self.obstacle(divisor, DEPTH))
            }
            Missing::NotOverflow(left, right) => {
                let scalar = self.knowledge.terms.scalar(left);
                let left = quoted(self.describe(left), "the dividend");
                let right = quoted(self.describe(right), "the divisor");
                format!("{left} may be {}, and {right} -1", Interval::of(scalar).min)
            }
            Missing::Fits(op, left, right) => self.reason_of_overflow(op, left, right),
            Missing::Holds(condition) if self.knowledge.terms.constant_of(condition) == Some(0) => {
                "nothing rules out that control gets here".to_owned()
            }
            Missing::Holds(condition) => {
                let text = quoted(self.describe(condition), "the condition");
                with_cause(format!("{text} is not known"), self.obstacle(condition, DEPTH))
            }
            Missing::Lanes => "nothing is known of the lanes of vectors".to_owned(),
        }
    }

    /// What stands in the way of an index, or else what would have to be known, and the most that the index may be if that says anything.
    fn reason_of_index(&mut self, index: Term, len: Term) -> String {
        if let Some(cause) = self.obstacle(index, DEPTH).or_else(|| self.obstacle(len, DEPTH)) {
            return cause;
        }
        let most = self.knowledge.range(index).max;
        let is_constant = self.knowledge.terms.constant_of(index).is_some();
        let may_be = |text: &str| match most {
            ..INFORMATIVE if !is_constant => format!(": {text} may be {most}"),
            _ => String::new(),
        };
        match (self.describe(index), self.describe(len)) {
            (Some(left), Some(right)) => {
                format!("`{left} < {right}` is not known{}", may_be(&format!("`{left}`")))
            }
            (None, Some(right)) => {
                format!("the index is not known to be less than `{right}`{}", may_be("it"))
            }
            _ => format!("the index is not known to be in bounds{}", may_be("it")),
        }
    }

    fn reason_of_overflow(&mut self, op: BinaryOp, left: Term, right: Term) -> String {
        let scalar = self.knowledge.terms.scalar(left);
        let cause = self.obstacle(left, DEPTH).or_else(|| self.obstacle(right, DEPTH));
        if op.is_shift() {
            let text = self.describe(right).map(|count| format!("`{count} < {}`", scalar.bits()));
            let text = text.unwrap_or_else(|| format!("that the count is less than {}", scalar.bits()));
            return with_cause(format!("{text} is not known"), cause);
        }
        let strength = strength_of(op);
        let writer = Writer { walk: self, is_rough: false };
        let sides = [writer.part(left, DEPTH, strength), writer.part(right, DEPTH, strength + 1)];
        let text = match sides {
            [Some(left), Some(right)] => format!("`{left} {} {right}`", op.symbol()),
            _ => "the result".to_owned(),
        };
        with_cause(format!("{text} may not fit in `{}`", scalar.name()), cause)
    }

    /// The first part of a term of which too little is known, and why.
    fn obstacle(&mut self, term: Term, depth: u32) -> Option<String> {
        if depth == 0 {
            return None;
        }
        match self.knowledge.terms.node(term) {
            Node::Opaque(handle) => {
                let what = self.origin(handle)?;
                Some(format!("{} {what}", quoted(self.describe(term), "a number in it")))
            }
            // A counter is what its end is.
            Node::Joined(..) => {
                let bounds: Vec<Term> =
                    self.knowledge.facts.above(term).iter().map(|(bound, _)| *bound).collect();
                bounds.into_iter().find_map(|bound| self.obstacle(bound, depth - 1))
            }
            Node::Binary(op, left, right) if !op.is_comparison() => {
                let below = self.obstacle(left, depth - 1).or_else(|| self.obstacle(right, depth - 1));
                below.or_else(|| {
                    let wraps = !self.knowledge.is_exact(term);
                    wraps.then(|| format!("{} may wrap around", quoted(self.describe(term), "the index")))
                })
            }
            Node::Binary(_, left, right) | Node::Min(left, right) | Node::Max(left, right) => {
                self.obstacle(left, depth - 1).or_else(|| self.obstacle(right, depth - 1))
            }
            Node::Cast(operand) => self.obstacle(operand, depth - 1).or_else(|| {
                let changes = !self.knowledge.is_exact(term);
                changes
                    .then(|| format!("{} may change the number", quoted(self.describe(term), "a conversion")))
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
        let Value { ty, op, .. } = &self.module.values[value];
        if self.module.scalar(*ty).is_some_and(Scalar::is_float) {
            return Some("is made of a float or a pointer");
        }
        Some(match op {
            Op::Load(Place { base: Base::Variable(_), .. }) => "is an element of an array or struct",
            Op::Load(_) | Op::Atomic(_) | Op::BlockAccess(_) => "is read from memory",
            Op::Collective { .. } => "comes from other work-items",
            Op::Call(_) => "comes from another module",
            Op::Cast(_) | Op::Bitcast(_) => "is made of a float or a pointer",
            Op::Specialization(_) => "is set by the host",
            _ => return None,
        })
    }

    /// A term as the source might write it; nothing where that would not help anybody.
    fn describe(&self, term: Term) -> Option<String> {
        Writer { walk: self, is_rough: false }.part(term, DEPTH, 0).filter(|text| text.len() <= LONGEST)
    }

    /// A term as the source might write it, with `_` for what has no name and `…` for what is too deep in it.
    pub(super) fn text(&self, term: Term) -> String {
        self.operand_of(term, 0)
    }

    /// The same as an operand of what binds so strongly.
    pub(super) fn operand_of(&self, term: Term, strength: u32) -> String {
        Writer { walk: self, is_rough: true }.part(term, DEPTH, strength).unwrap_or_else(|| "…".to_owned())
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
        let holds = |position: usize| self.environment.get(position) == Some(term);
        let mut variables = self.module.variables.iter();
        variables
            .find(|(handle, variable)| !variable.name.is_empty() && holds(handle.index()))
            .map(|(_, variable)| variable.name.as_str())
    }
}

/// Writes terms.
#[derive(Clone, Copy)]
struct Writer<'a, 'b> {
    walk: &'a Walk<'b>,
    /// Whether there are signs for what cannot be said.
    is_rough: bool,
}

impl Writer<'_, '_> {
    /// A sign, or nothing.
    fn sign(self, sign: &str) -> Option<String> {
        self.is_rough.then(|| sign.to_owned())
    }

    /// A term as an operand of what binds so strongly.
    fn part(self, term: Term, depth: u32, strength: u32) -> Option<String> {
        let (text, own) = self.written(term, depth)?;
        Some(if own < strength { format!("({text})") } else { text })
    }

    /// A term, and how strongly its operator binds.
    fn written(self, term: Term, depth: u32) -> Option<(String, u32)> {
        let of_name = |text: String| Some((text, METHOD));
        if let Some(name) = self.walk.name(term) {
            return of_name(name.to_owned());
        }
        let Some(depth) = depth.checked_sub(1) else { return of_name(self.sign("…")?) };
        let terms = &self.walk.knowledge.terms;
        let part = |term, strength| self.part(term, depth, strength);
        match terms.node(term) {
            Node::Constant(value) if terms.scalar(term) == Scalar::Bool => of_name((value != 0).to_string()),
            Node::Constant(value @ ..0) => Some((value.to_string(), CAST)),
            Node::Constant(value) => of_name(value.to_string()),
            Node::Parameter(position) => of_name(self.walk.module.parameters[position as usize].name.clone()),
            Node::Query(query, dimension) => of_name(query_text(query, dimension)),
            Node::Len(slice) => of_name(format!("{}.len()", part(slice, METHOD)?)),
            Node::Opaque(value) => of_name(self.value_text(value, depth)?),
            Node::Joined(_, variable) => {
                let name = &self.walk.module.variables[variable].name;
                of_name(if name.is_empty() { self.sign("_")? } else { name.clone() })
            }
            Node::Passes(_) | Node::Any(_) => of_name(self.sign("_")?),
            Node::Select(condition, accept, reject) => {
                let [condition, accept, reject] = [condition, accept, reject].map(|term| part(term, 0));
                let text = format!("if {} {{ {} }} else {{ {} }}", condition?, accept?, reject?);
                self.is_rough.then_some((text, 0))
            }
            Node::Unary(UnaryOp::Neg, operand) => Some((format!("-{}", part(operand, CAST + 1)?), CAST)),
            Node::Unary(UnaryOp::Not, operand) => Some((format!("!{}", part(operand, CAST + 1)?), CAST)),
            Node::Binary(BinaryOp::Or, left, right)
                if let Some((bits, by)) = terms.rotation([left, right]) =>
            {
                of_name(format!("{}.rotate_left({by})", part(bits, METHOD)?))
            }
            Node::Binary(op, left, right) => {
                let is_bool = terms.scalar(left) == Scalar::Bool;
                let symbol = match op {
                    BinaryOp::And if is_bool => "&&",
                    BinaryOp::Or if is_bool => "||",
                    op => op.symbol(),
                };
                let own = if is_bool { 0 } else { strength_of(op) };
                Some((format!("{} {symbol} {}", part(left, own)?, part(right, own + 1)?), own))
            }
            Node::Min(left, right) => of_name(format!("{}.min({})", part(left, METHOD)?, part(right, 0)?)),
            Node::Max(left, right) => of_name(format!("{}.max({})", part(left, METHOD)?, part(right, 0)?)),
            Node::Cast(inner) => {
                Some((format!("{} as {}", part(inner, CAST)?, terms.scalar(term).name()), CAST))
            }
        }
    }

    fn value_text(self, value: Handle<Value>, depth: u32) -> Option<String> {
        Some(match &self.walk.module.values[value].op {
            Op::Parameter(position) => self.walk.module.parameters[*position as usize].name.clone(),
            Op::Load(place) | Op::SliceOf(place) => self.place_text(place, depth)?,
            Op::Atomic(atomic) => self.place_text(&atomic.place, depth)?,
            Op::Call(call) => format!("{}(..)", self.walk.module.imports[call.import].name),
            Op::SubSlice { slice, .. } => format!("{}[..]", self.value_text(*slice, depth)?),
            Op::Specialization(position) => self.walk.module.specializations[*position as usize].name.clone(),
            _ => return self.sign("_"),
        })
    }

    fn place_text(self, place: &Place, depth: u32) -> Option<String> {
        let base = match place.base {
            Base::Variable(variable) => self.walk.module.variables[variable].name.clone(),
            Base::Local(local) => self.walk.module.locals[local].name.clone(),
            Base::Parameter(position) => self.walk.module.parameters[position as usize].name.clone(),
            Base::Slice(value) | Base::Pointer(value) => self.value_text(value, depth)?,
            Base::Table(_) => String::new(),
        };
        let base = if base.is_empty() { self.sign("_")? } else { base };
        place.path.iter().try_fold(base, |text, step| {
            Some(match step {
                Step::Index(index) | Step::Run { index, .. } => {
                    // Which element it is may be too long to say.
                    let index =
                        self.operand_text(index.index, depth).filter(|text| text.len() <= LONGEST / 2);
                    format!("{text}[{}]", index.as_deref().unwrap_or(".."))
                }
                Step::Member(position) => format!("{text}.{position}"),
            })
        })
    }

    fn operand_text(self, value: Handle<Value>, depth: u32) -> Option<String> {
        match (self.walk.values[value.index()], &self.walk.module.values[value].op) {
            (_, Op::Constant(bits)) => Some(bits.to_string()),
            (Some(term), _) => self.part(term, depth, 0),
            (None, Op::Parameter(position)) => {
                Some(self.walk.module.parameters[*position as usize].name.clone())
            }
            _ => self.sign("_"),
        }
    }
}

/// A text in quotation marks, or words in its place.
fn quoted(text: Option<String>, otherwise: &str) -> String {
    text.map_or_else(|| otherwise.to_owned(), |text| format!("`{text}`"))
}

fn with_cause(reason: String, cause: Option<String>) -> String {
    match cause {
        Some(cause) => format!("{reason}: {cause}"),
        None => reason,
    }
}

/// How strongly an operator binds.
fn strength_of(op: BinaryOp) -> u32 {
    match op {
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => CAST - 1,
        BinaryOp::Add | BinaryOp::Sub => CAST - 2,
        BinaryOp::Shl | BinaryOp::Shr => CAST - 3,
        BinaryOp::And => CAST - 4,
        BinaryOp::Xor => CAST - 5,
        BinaryOp::Or => CAST - 6,
        _ => 1,
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
