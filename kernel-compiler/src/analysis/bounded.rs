//! Loops that end by themselves: after a number of passes that nothing in them changes.
//!
//! In each pass they come to a comparison that leaves the loop unless a counter is on one side of a bound. The bound is the same in every pass. All that is
//! stored to the counter moves it towards the bound, and at least once in each pass: by `+`, `*` and `<<`, or by `-`, `/` and `>>`, and a number. No
//! such operation can fault, for a sum that should have been a fault has wrapped.
//!
//! A sum of 32 bits or more that wraps is passed over: until it has, the loop takes more passes than anybody waits for, but for a bound within a
//! step of the greatest number, of which nothing is known; without a fault the loop would not end for it either.

use crate::hash::{HashMap, HashSet};
use crate::ir::{
    Base, Block, Check, End, Handle, Label, Module, Op, Place, Query, Statement, Value, Variable,
};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp, extend};

/// The variables that are known to be greater than zero, by what has been stored to them last.
#[derive(Clone, Debug, Default)]
pub(super) struct Positive(HashSet<Handle<Variable>>);

impl Positive {
    /// Goes on after a statement.
    pub(super) fn pass(&mut self, module: &Module, statement: &Statement) {
        match statement {
            Statement::Store { place, value } => {
                let Base::Variable(variable) = place.base else { return };
                match constant(module, *value) {
                    Some(1..) => self.0.insert(variable),
                    _ => self.0.remove(&variable),
                };
            }
            Statement::If { accept: one, reject: other, .. }
            | Statement::Loop { body: one, continuing: other, .. } => {
                for block in [one, other] {
                    block.for_each_statement(&mut |statement| {
                        if let Statement::Store {
                            place: Place { base: Base::Variable(variable), .. }, ..
                        } = statement
                        {
                            self.0.remove(variable);
                        }
                    });
                }
            }
            _ => {}
        }
    }
}

/// Where a counter moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Up,
    /// Down by so much.
    By(i128),
    /// Down to zero, by division.
    Part,
}

/// A loop that is looked at.
pub(super) struct Bounded<'a> {
    module: &'a Module,
    label: Label,
    body: &'a Block,
    positive: &'a Positive,
    /// What is stored in the loop to whole variables; none where a part is stored to.
    stores: HashMap<Handle<Variable>, Vec<Option<Handle<Value>>>>,
    /// The values that are computed in the loop.
    computed: HashSet<Handle<Value>>,
    /// The variables that every pass stores to.
    always: HashSet<Handle<Variable>>,
}

impl<'a> Bounded<'a> {
    pub(super) fn new(
        module: &'a Module,
        label: Label,
        [body, continuing]: [&'a Block; 2],
        positive: &'a Positive,
    ) -> Self {
        let mut found = Self {
            module,
            label,
            body,
            positive,
            stores: HashMap::default(),
            computed: HashSet::default(),
            always: HashSet::default(),
        };
        for block in [body, continuing] {
            block.for_each_statement(&mut |statement| found.note(statement));
        }
        let always = body.statements.iter().take_while(|statement| !skips(label, statement));
        for statement in always.chain(&continuing.statements) {
            if let Statement::Store { place: Place { base: Base::Variable(variable), .. }, .. } = statement {
                found.always.insert(*variable);
            }
        }
        found
    }

    fn note(&mut self, statement: &Statement) {
        match statement {
            Statement::Evaluate(value) => {
                self.computed.insert(*value);
            }
            Statement::Store { place: Place { base: Base::Variable(variable), path }, value } => {
                self.stores.entry(*variable).or_default().push(path.is_empty().then_some(*value));
            }
            _ => {}
        }
    }

    /// Returns whether the loop ends by itself.
    pub(super) fn ends(&self) -> bool {
        let mut passed = self.body.statements.iter().take_while(|statement| !skips(self.label, statement));
        passed.any(|statement| match statement {
            Statement::If { condition, accept, reject } => {
                (self.leaves(accept) && self.changes(*condition, false))
                    || (self.leaves(reject) && self.changes(*condition, true))
            }
            _ => false,
        })
    }

    /// Returns whether a block ends outside of the loop.
    fn leaves(&self, block: &Block) -> bool {
        !matches!(block.end, End::Next) && block.end != End::Continue(self.label)
    }

    /// Returns whether a condition cannot be `value` in all passes.
    fn changes(&self, condition: Handle<Value>, value: bool) -> bool {
        let (mut left, mut seen) = (vec![(condition, value)], HashSet::default());
        while let Some((condition, value)) = left.pop() {
            if !seen.insert((condition, value)) {
                continue;
            }
            match self.module.values[condition].op {
                Op::Unary(UnaryOp::Not, operand) => left.push((operand, !value)),
                Op::AssumeUniform(_, operand) => left.push((operand, value)),
                // One side is enough: of what holds together, and of what does not hold either.
                Op::Binary { op: BinaryOp::And, left: one, right: other, .. } if value => {
                    left.extend([(one, value), (other, value)]);
                }
                Op::Binary { op: BinaryOp::Or, left: one, right: other, .. } if !value => {
                    left.extend([(one, value), (other, value)]);
                }
                Op::Binary { op, left: one, right: other, .. } => {
                    let Some(op) = (if value { Some(op) } else { opposite(op) }) else { continue };
                    let mirrored = mirrored(op);
                    if self.comes_to_bound(op, one, other)
                        || mirrored.is_some_and(|op| self.comes_to_bound(op, other, one))
                    {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// Returns whether `counter op bound` cannot hold in all passes.
    fn comes_to_bound(&self, op: BinaryOp, counter: Handle<Value>, bound: Handle<Value>) -> bool {
        let Some(scalar) = self.integer(counter) else { return false };
        let Some(variable) = self.current(counter) else { return false };
        let ways = self.ways(variable, scalar);
        if ways.is_empty() || !self.always.contains(&variable) || !self.stays(bound) {
            return false;
        }
        let number = constant(self.module, bound);
        match op {
            BinaryOp::Lt | BinaryOp::Le => ways.iter().all(|way| *way == Some(Way::Up)),
            BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Ne => {
                // What is below the bound must be there, and not be passed over.
                let least = match (op, scalar.is_signed()) {
                    (BinaryOp::Ge, _) => number.map(|number| number - 1),
                    (BinaryOp::Gt, false) => number.or(Some(0)),
                    (BinaryOp::Ne, false) => number.filter(|number| *number == 0),
                    (BinaryOp::Gt, true) => number,
                    _ => None,
                };
                let Some(least) = least else { return false };
                ways.iter().all(|way| match way {
                    Some(Way::Part) => least >= 0,
                    Some(Way::By(step)) if scalar.is_signed() => scalar.bits() >= 32 && *step < 1 << 16,
                    Some(Way::By(step)) => ways.len() == 1 && least >= step - 1,
                    _ => false,
                })
            }
            _ => false,
        }
    }

    /// How what is stored to a variable in the loop moves it; none where that is not known.
    fn ways(&self, variable: Handle<Variable>, scalar: Scalar) -> Vec<Option<Way>> {
        let stores = self.stores.get(&variable).map_or(&[][..], Vec::as_slice);
        let way = |value: &Option<Handle<Value>>| self.way(variable, (*value)?, scalar);
        stores.iter().map(way).collect()
    }

    fn way(&self, variable: Handle<Variable>, value: Handle<Value>, scalar: Scalar) -> Option<Way> {
        let Op::Binary { op, left, right, nonzero, overflow } = self.module.values[value].op else {
            return None;
        };
        let is_current = |value| self.current(value) == Some(variable);
        let (left, right) = match op {
            BinaryOp::Add | BinaryOp::Mul if is_current(right) => (right, left),
            _ => (left, right),
        };
        if !is_current(left) || [nonzero, overflow] != [Check::Proved; 2] {
            return None;
        }
        let by = constant(self.module, right);
        let grows = scalar.bits() >= 32 && self.positive.0.contains(&variable);
        match op {
            BinaryOp::Add if scalar.bits() >= 32 && self.is_positive(right) => Some(Way::Up),
            BinaryOp::Mul if grows && by? > 1 => Some(Way::Up),
            BinaryOp::Shl if grows && (1..i128::from(scalar.bits())).contains(&by?) => Some(Way::Up),
            BinaryOp::Sub if by? > 0 => Some(Way::By(by?)),
            BinaryOp::Div if by? > 1 => Some(Way::Part),
            BinaryOp::Shr if (1..i128::from(scalar.bits())).contains(&by?) => Some(Way::Part),
            _ => None,
        }
    }

    /// The variable of which a value is what it holds at some point of this pass.
    fn current(&self, value: Handle<Value>) -> Option<Handle<Variable>> {
        match &self.module.values[value].op {
            Op::Load(Place { base: Base::Variable(variable), path })
                if path.is_empty() && self.computed.contains(&value) =>
            {
                Some(*variable)
            }
            _ => None,
        }
    }

    /// Returns whether a value is the same in every pass.
    fn stays(&self, value: Handle<Value>) -> bool {
        let (mut left, mut seen) = (vec![value], HashSet::default());
        while let Some(value) = left.pop() {
            if !self.computed.contains(&value) || !seen.insert(value) {
                continue;
            }
            let op = &self.module.values[value].op;
            let is_function = match op {
                Op::Load(Place { base: Base::Variable(variable), .. }) => !self.stores.contains_key(variable),
                Op::Unary(..)
                | Op::Binary { .. }
                | Op::Cast(_)
                | Op::Select { .. }
                | Op::Math(..)
                | Op::AssumeUniform(..)
                | Op::Distinct(..)
                | Op::Len(_)
                | Op::SubSlice { .. }
                | Op::Query(..)
                | Op::Specialization(_) => true,
                _ => false,
            };
            if !is_function {
                return false;
            }
            op.for_each_operand(&mut |operand| left.push(operand));
        }
        true
    }

    /// Returns whether a value is known to be greater than zero.
    fn is_positive(&self, value: Handle<Value>) -> bool {
        match self.module.values[value].op {
            Op::Constant(_) => constant(self.module, value).is_some_and(|number| number > 0),
            Op::Query(
                Query::GlobalSize
                | Query::LocalSize
                | Query::NumGroups
                | Query::WorkGroupSize
                | Query::NumSubgroups
                | Query::SubgroupSize
                | Query::MaxSubgroupSize,
                _,
            ) => true,
            _ => false,
        }
    }

    /// The type of a value, if it is an integer.
    fn integer(&self, value: Handle<Value>) -> Option<Scalar> {
        let scalar = self.module.scalar(self.module.values[value].ty)?;
        (!scalar.is_float() && scalar != Scalar::Bool).then_some(scalar)
    }
}

/// An integer that is known.
fn constant(module: &Module, value: Handle<Value>) -> Option<i128> {
    let Value { ty, op: Op::Constant(bits), .. } = module.values[value] else { return None };
    let scalar = module.scalar(ty)?;
    (!scalar.is_float()).then(|| extend(scalar, bits))
}

/// Returns whether what comes after a statement may be left out of a pass.
fn skips(label: Label, statement: &Statement) -> bool {
    let (Statement::If { accept: one, reject: other, .. }
    | Statement::Loop { body: one, continuing: other, .. }) = statement
    else {
        return false;
    };
    [one, other].into_iter().any(|block| block.any(|block| block.end == End::Continue(label)))
}

/// The comparison that holds where one does not.
fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        _ => return None,
    })
}

/// The comparison of the operands the other way round.
pub(crate) fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Eq | BinaryOp::Ne => op,
        _ => return None,
    })
}
