//! Terms: values as expressions over what the kernel cannot compute for itself.
//!
//! Equal expressions are the same term, however often the source computes them, so a term is a value number. A term never changes: what
//! changes in a kernel is which term a variable holds. What the analysis cannot look into (an element of a buffer, a float) is a
//! term by itself, [`Node::Opaque`], as is a variable at a place where control meets, [`Node::Joined`].

use super::polynomial::{Polynomial, Simple};
use crate::hash::{HashMap, HashSet};
use crate::ir::{Handle, Label, Query, Value, Variable};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp, extend, integer_binary, integer_unary, wrap};

/// The most factors of a product that is looked at as one.
const MOST_FACTORS: usize = 6;

/// Refers to a term of [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Term(u32);

/// A place where several paths meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Point {
    /// The top of a loop, where each pass begins.
    Head(Label),
    /// The start of a loop's `continuing` block.
    Continuing(Label),
    /// What follows a loop.
    Exit(Label),
}

impl Term {
    /// A number that is its own.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// An integer or `bool`.
    Constant(i128),
    /// A parameter.
    Parameter(u32),
    /// An id or a size.
    Query(Query, u8),
    /// The length of a slice.
    Len(Term),
    /// Whatever this value was when it was last computed.
    Opaque(Handle<Value>),
    /// What a variable held when control was last at this place.
    Joined(Point, Handle<Variable>),
    /// How often a loop has started over since it was come to.
    Passes(Label),
    /// Any of the numbers below this one: which lane of a vector, or which element of what a group copies.
    Any(u32),
    /// A unary operator.
    Unary(UnaryOp, Term),
    /// A binary operator; a division by zero is worth 0.
    Binary(BinaryOp, Term, Term),
    /// The lesser of two.
    Min(Term, Term),
    /// The greater of two.
    Max(Term, Term),
    /// The operand wrapped to the type of this term.
    Cast(Term),
    /// The second if the first holds, else the third.
    Select(Term, Term, Term),
}

impl Node {
    /// Returns whether it may be another number at another place of the launch, or at another time, whatever it is made of.
    const fn varies(self) -> bool {
        match self {
            Self::Query(query, _) => query.limit().is_some(),
            Self::Opaque(_) | Self::Joined(..) | Self::Passes(_) | Self::Any(_) | Self::Select(..) => true,
            _ => false,
        }
    }

    /// Returns the terms that it is made of.
    pub(super) fn operands(self) -> impl Iterator<Item = Term> {
        let operands = match self {
            Self::Len(operand) | Self::Unary(_, operand) | Self::Cast(operand) => [Some(operand), None, None],
            Self::Binary(_, left, right) | Self::Min(left, right) | Self::Max(left, right) => {
                [Some(left), Some(right), None]
            }
            Self::Select(condition, accept, reject) => [Some(condition), Some(accept), Some(reject)],
            Self::Constant(_)
            | Self::Parameter(_)
            | Self::Query(..)
            | Self::Opaque(_)
            | Self::Joined(..)
            | Self::Passes(_)
            | Self::Any(_) => [None; 3],
        };
        operands.into_iter().flatten()
    }
}

/// The terms of a kernel, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    nodes: Vec<(Node, Scalar)>,
    known: HashMap<(Node, Scalar), Term>,
    /// Whether sums that are the same in all of a launch are not taken apart: the width of a row may be one.
    pub(super) keeps_sums: bool,
}

impl Terms {
    pub(super) fn node(&self, term: Term) -> Node {
        self.nodes[term.0 as usize].0
    }

    /// The type; of a slice, that of its length.
    pub(super) fn scalar(&self, term: Term) -> Scalar {
        self.nodes[term.0 as usize].1
    }

    /// Returns whether a number is `c - x` or `x ^ c`, which made twice is `x` again.
    pub(super) fn alternates(&self, x: Term, number: Term) -> bool {
        let is_constant = |term| self.constant_of(term).is_some();
        match self.node(number) {
            Node::Binary(BinaryOp::Sub, left, right) => is_constant(left) && right == x,
            Node::Binary(BinaryOp::Xor, left, right) => {
                is_constant(left) && right == x || is_constant(right) && left == x
            }
            _ => false,
        }
    }

    /// What a number is 1 less, if that is 0 or 1: `if x == 0 { 1 } else { 0 }`.
    pub(super) fn flipped(&self, number: Term) -> Option<Term> {
        let is = |term, value| self.constant_of(term) == Some(value);
        let condition = match self.node(number) {
            Node::Select(condition, one, zero) if is(one, 1) && is(zero, 0) => condition,
            Node::Cast(condition) if self.scalar(condition) == Scalar::Bool => condition,
            _ => return None,
        };
        match self.node(condition) {
            Node::Binary(BinaryOp::Eq, x, zero) | Node::Binary(BinaryOp::Eq, zero, x) if is(zero, 0) => {
                Some(x)
            }
            _ => None,
        }
    }

    pub(super) fn constant_of(&self, term: Term) -> Option<i128> {
        match self.node(term) {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// What is rotated to the left, and by how many bits, if the two have the bits of it that stay and those that come round.
    pub(super) fn rotation(&self, [stay, round]: [Term; 2]) -> Option<(Term, i128)> {
        let (Node::Binary(BinaryOp::Shl, bits, left), Node::Binary(BinaryOp::Shr, same, right)) =
            (self.node(stay), self.node(round))
        else {
            return None;
        };
        let size = i128::from(self.scalar(bits).bits());
        let [left, right] = [self.constant_of(left)?, self.constant_of(right)?].map(|by| by.rem_euclid(size));
        (bits == same && (left + right) % size == 0).then_some((bits, left))
    }

    pub(super) fn constant(&mut self, scalar: Scalar, value: i128) -> Term {
        self.intern(Node::Constant(value), scalar)
    }

    /// Returns terms and all that they are made of. What several have in common comes once.
    fn walk(&self, whole: impl IntoIterator<Item = Term>) -> impl Iterator<Item = Term> {
        let mut left: Vec<Term> = whole.into_iter().collect();
        let mut seen: HashSet<Term> = left.iter().copied().collect();
        std::iter::from_fn(move || {
            let term = left.pop()?;
            left.extend(self.node(term).operands().filter(|operand| seen.insert(*operand)));
            Some(term)
        })
    }

    /// Returns whether some node that a term is made of, its own among them, is such a one.
    pub(super) fn any(&self, term: Term, is: impl Fn(Node) -> bool) -> bool {
        self.walk([term]).any(|part| is(self.node(part)))
    }

    /// Returns terms and all that they are made of, each once and after what it is made of itself.
    pub(super) fn parts(&self, whole: impl IntoIterator<Item = Term>) -> Vec<Term> {
        let mut parts: Vec<Term> = self.walk(whole).collect();
        // Operands are there before what is made of them. What was asked for twice came twice.
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    /// Returns whether a term is the same wherever it is computed: what it is made of are arguments, lengths, sizes and constants.
    pub(super) fn is_of_launch(&self, term: Term) -> bool {
        !self.any(term, Node::varies)
    }

    /// Returns whether some number is a sum or a difference of what is the same in all of a launch.
    pub(super) fn has_sums_of_launch(&self) -> bool {
        // Operands are there before what is made of them.
        let mut of_launch: Vec<bool> = Vec::with_capacity(self.nodes.len());
        self.nodes.iter().any(|(node, _)| {
            let is_same = !node.varies() && node.operands().all(|operand| of_launch[operand.index()]);
            of_launch.push(is_same);
            is_same && matches!(node, Node::Binary(BinaryOp::Add | BinaryOp::Sub, ..))
        })
    }

    /// Returns whether some number is chosen by a condition.
    pub(super) fn has_choices(&self) -> bool {
        self.nodes.iter().any(|(node, _)| matches!(node, Node::Select(..)))
    }

    /// Returns a number that is added to a term, and that term.
    pub(super) fn with_summand(&self, sum: Term) -> Option<(Term, i128)> {
        let Node::Binary(BinaryOp::Add, one, other) = self.node(sum) else { return None };
        let constant = |term| self.constant_of(term);
        constant(one).map(|number| (other, number)).or_else(|| Some((one, constant(other)?)))
    }

    /// Returns whether a term is a sum or a difference that is not taken apart.
    pub(super) fn is_kept_sum(&self, term: Term) -> bool {
        self.keeps_sums
            && matches!(self.node(term), Node::Binary(BinaryOp::Add | BinaryOp::Sub, ..))
            && self.is_of_launch(term)
    }

    /// Returns the factors of a product in order, if there are not too many.
    pub(super) fn factors(&self, product: Term) -> Option<Vec<Term>> {
        let (mut left, mut factors) = (vec![product], Vec::new());
        while let Some(term) = left.pop() {
            match self.node(term) {
                Node::Binary(BinaryOp::Mul, one, other) => left.extend([one, other]),
                _ if factors.len() == MOST_FACTORS => return None,
                _ => factors.push(term),
            }
        }
        factors.sort_unstable();
        Some(factors)
    }

    /// The term for a node whose operands cannot be simplified.
    pub(super) fn intern(&mut self, node: Node, scalar: Scalar) -> Term {
        let fresh = Term(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let term = *self.known.entry((node, scalar)).or_insert(fresh);
        if term == fresh {
            self.nodes.push((node, scalar));
        }
        term
    }

    /// The term for a node that is already there.
    pub(super) fn find(&self, node: Node, scalar: Scalar) -> Option<Term> {
        self.known.get(&(node, scalar)).copied()
    }

    fn bits(&self, term: Term) -> Option<u64> {
        self.constant_of(term).map(|value| wrap(self.scalar(term), value))
    }

    pub(super) fn unary(&mut self, op: UnaryOp, operand: Term) -> Term {
        let scalar = self.scalar(operand);
        if let Some(bits) = self.bits(operand) {
            return self.constant(scalar, extend(scalar, integer_unary(op, scalar, bits)));
        }
        match self.node(operand) {
            Node::Unary(inner, operand) if inner == op => operand,
            _ => self.intern(Node::Unary(op, operand), scalar),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: Term, right: Term) -> Term {
        let scalar = self.scalar(left);
        let result = if op.is_comparison() { Scalar::Bool } else { scalar };
        if let (Some(a), Some(b)) = (self.bits(left), self.bits(right)) {
            let bits = integer_binary(op, scalar, a, b).unwrap_or(0);
            return self.constant(result, extend(result, bits));
        }
        if let Some(same) = self.neutral(op, left, right) {
            return same;
        }
        if let (BinaryOp::Sub, Some(difference)) = (op, self.difference(left, right)) {
            return difference;
        }
        if let (BinaryOp::Mul, Some(size)) = (op, self.size_of_launch(left, right)) {
            return size;
        }
        let (op, left, right) = match op {
            BinaryOp::Gt => (BinaryOp::Lt, right, left),
            BinaryOp::Ge => (BinaryOp::Le, right, left),
            BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor if right < left => {
                (op, right, left)
            }
            other => (other, left, right),
        };
        self.intern(Node::Binary(op, left, right), result)
    }

    /// The operand that is the result too, because the other one changes nothing.
    fn neutral(&self, op: BinaryOp, left: Term, right: Term) -> Option<Term> {
        let is = |term, value| self.constant_of(term) == Some(value);
        match op {
            // Of `bool` these are the connectives.
            BinaryOp::And if self.scalar(left) == Scalar::Bool && is(left, 1) => Some(right),
            BinaryOp::And if self.scalar(left) == Scalar::Bool && is(right, 1) => Some(left),
            BinaryOp::Add if is(left, 0) => Some(right),
            BinaryOp::Mul if is(left, 1) => Some(right),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Shl | BinaryOp::Shr if is(right, 0) => Some(left),
            BinaryOp::Mul | BinaryOp::Div if is(right, 1) => Some(left),
            _ => None,
        }
    }

    /// The size of the launch, which is that of a group by the number of groups.
    fn size_of_launch(&mut self, left: Term, right: Term) -> Option<Term> {
        let dimension = match (self.node(left), self.node(right)) {
            (Node::Query(Query::LocalSize, one), Node::Query(Query::NumGroups, other))
            | (Node::Query(Query::NumGroups, one), Node::Query(Query::LocalSize, other))
                if one == other =>
            {
                one
            }
            _ => return None,
        };
        let scalar = self.scalar(left);
        Some(self.intern(Node::Query(Query::GlobalSize, dimension), scalar))
    }

    /// What is left of a term, modulo the size of its type, without one that it is or contains as a summand.
    fn difference(&mut self, left: Term, right: Term) -> Option<Term> {
        if left == right {
            return Some(self.constant(self.scalar(left), 0));
        }
        match self.node(left) {
            Node::Binary(BinaryOp::Add, one, other) if one == right => Some(other),
            Node::Binary(BinaryOp::Add, one, other) if other == right => Some(one),
            _ => self.simple_difference(left, right),
        }
    }

    /// The difference of two terms of 64 bits, if it is a constant or one term.
    fn simple_difference(&mut self, left: Term, right: Term) -> Option<Term> {
        let scalar = self.scalar(left);
        if scalar.bits() != 64 {
            return None;
        }
        match Polynomial::distance(self, left, right).simple()? {
            Simple::Constant(value) => Some(self.constant(scalar, extend(scalar, wrap(scalar, value)))),
            Simple::Term(term) => (self.scalar(term) == scalar).then_some(term),
        }
    }

    pub(super) fn cast(&mut self, operand: Term, to: Scalar) -> Term {
        let from = self.scalar(operand);
        if from == to {
            return operand;
        }
        match self.constant_of(operand) {
            Some(value) => self.constant(to, extend(to, wrap(to, value))),
            None => self.intern(Node::Cast(operand), to),
        }
    }

    /// What a term is where a condition is known that it may choose by.
    pub(super) fn chosen(&self, term: Term, condition: Term, truth: bool) -> Term {
        match self.node(term) {
            Node::Select(same, accept, _) if same == condition && truth => accept,
            Node::Select(same, _, reject) if same == condition => reject,
            _ => term,
        }
    }

    /// The sum of two terms, if something is known of it.
    pub(super) fn sum_of(&self, left: Term, right: Term) -> Option<Term> {
        self.find(Node::Binary(BinaryOp::Add, left.min(right), left.max(right)), self.scalar(left))
    }

    /// One of two terms; those of type `bool` become the connectives that they stand for.
    pub(super) fn select(&mut self, condition: Term, accept: Term, reject: Term) -> Term {
        if accept == reject {
            return accept;
        }
        if let Some(truth) = self.constant_of(condition) {
            return if truth != 0 { accept } else { reject };
        }
        let scalar = self.scalar(accept);
        if scalar == Scalar::Bool {
            match (self.constant_of(accept), self.constant_of(reject)) {
                (Some(1), Some(0)) => return condition,
                (Some(0), Some(1)) => return self.unary(UnaryOp::Not, condition),
                _ => {}
            }
            if accept == condition || self.constant_of(accept) == Some(1) {
                return self.binary(BinaryOp::Or, condition, reject);
            }
            if reject == condition || self.constant_of(reject) == Some(0) {
                return self.binary(BinaryOp::And, condition, accept);
            }
        }
        self.intern(Node::Select(condition, accept, reject), scalar)
    }

    /// What a term is, by what its operands are, if enough of them are known; as in the kernel, it wraps. What has no operands is known only if it is a constant.
    pub(super) fn computed(&self, term: Term, of: impl Fn(Term) -> Option<i128>) -> Option<i128> {
        let scalar = self.scalar(term);
        match self.node(term) {
            Node::Constant(value) => Some(value),
            Node::Unary(op, operand) => {
                Some(extend(scalar, integer_unary(op, scalar, wrap(scalar, of(operand)?))))
            }
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) if scalar == Scalar::Bool => {
                let decides = i128::from(op == BinaryOp::Or);
                match (of(left), of(right)) {
                    (Some(known), _) | (_, Some(known)) if known == decides => Some(decides),
                    (left, right) => left.and(right),
                }
            }
            Node::Binary(op, left, right) => {
                let operands = self.scalar(left);
                let [left, right] = [wrap(operands, of(left)?), wrap(operands, of(right)?)];
                Some(extend(scalar, integer_binary(op, operands, left, right).unwrap_or(0)))
            }
            Node::Cast(operand) => Some(extend(scalar, wrap(scalar, of(operand)?))),
            Node::Min(left, right) => Some(of(left)?.min(of(right)?)),
            Node::Max(left, right) => Some(of(left)?.max(of(right)?)),
            Node::Select(condition, accept, reject) => of(if of(condition)? == 0 { reject } else { accept }),
            _ => None,
        }
    }
}
