//! Kernels with one change by which work-items may come to race.

use kernel_compiler::ir::{
    Base, Block, Check, End, Handle, Index, Module, Op, Place, Query, Statement, Type, Value,
};
use kernel_core::semantics::BinaryOp;
use std::collections::HashSet;
use std::fmt;

/// What is changed in a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The barrier with this number is not there.
    NoBarrier(usize),
    /// The branch with this number is taken whatever its condition is.
    NoGuard(usize),
    /// The access with this number is of the next element.
    NextElement(usize),
    /// A value on which indices or conditions depend is computed by another operation.
    Other(Handle<Value>, Op),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBarrier(number) => write!(f, "barrier {number} removed"),
            Self::NoGuard(number) => write!(f, "branch {number} always taken"),
            Self::NextElement(number) => write!(f, "access {number} to the next element"),
            Self::Other(value, op) => write!(f, "%{} is {op:?}", value.index()),
        }
    }
}

impl Change {
    /// All changes of a kernel.
    pub(super) fn all(module: &Module) -> Vec<Self> {
        let (mut barriers, mut branches, mut accesses) = (0, 0, 0);
        module.body.for_each_statement(&mut |statement| {
            barriers += usize::from(is_barrier(statement));
            branches += usize::from(guarded(statement).is_some());
            accesses += usize::from(accessed(module, statement).is_some());
        });
        let mut all: Vec<Self> = (0..barriers).map(Self::NoBarrier).collect();
        all.extend((0..branches).map(Self::NoGuard));
        all.extend((0..accesses).map(Self::NextElement));
        for value in deciding(module) {
            all.extend(others(module, value).into_iter().map(|op| Self::Other(value, op)));
        }
        all
    }

    /// The kernel with this change, if it is a valid one.
    pub(super) fn applied(&self, module: &Module) -> Option<Module> {
        let mut mutant = module.clone();
        match self {
            Self::NoBarrier(number) => {
                replace(&mut mutant, *number, |statement| is_barrier(statement).then(Vec::new));
            }
            Self::NoGuard(number) => replace(&mut mutant, *number, guarded),
            Self::NextElement(number) => to_next(module, &mut mutant, *number)?,
            Self::Other(value, op) => mutant.values[*value].op = op.clone(),
        }
        mutant.verify().is_ok().then_some(mutant)
    }
}

fn is_barrier(statement: &Statement) -> bool {
    matches!(statement, Statement::Barrier(..))
}

/// What a branch guards, if it does nothing else.
fn guarded(statement: &Statement) -> Option<Vec<Statement>> {
    match statement {
        Statement::If { accept: Block { statements, end: End::Next }, reject, .. }
            if reject.does_nothing() =>
        {
            Some(statements.clone())
        }
        _ => None,
    }
}

/// Replaces the statement with a number among those for which there is a replacement.
fn replace(module: &mut Module, number: usize, replacement: impl Fn(&Statement) -> Option<Vec<Statement>>) {
    let mut seen = 0;
    module.body.for_each_block_mut(&mut |block| {
        let mut at = 0;
        while at < block.statements.len() {
            let Some(new) = replacement(&block.statements[at]) else {
                at += 1;
                continue;
            };
            seen += 1;
            if seen == number + 1 {
                block.statements.splice(at..=at, new);
                return;
            }
            at += 1;
        }
    });
}

/// The place in memory that others share which a statement accesses.
fn accessed<'a>(module: &'a Module, statement: &'a Statement) -> Option<&'a Place> {
    let place = match statement {
        Statement::Store { place, .. } => place,
        Statement::Evaluate(value) => match &module.values[*value].op {
            Op::Load(place) => place,
            Op::Atomic(atomic) => &atomic.place,
            _ => return None,
        },
        _ => return None,
    };
    let is_shared = matches!(place.base, Base::Slice(_) | Base::Local(_));
    (is_shared && place.indices().next().is_some()).then_some(place)
}

/// Has the access with a number be of the next element.
fn to_next(module: &Module, mutant: &mut Module, number: usize) -> Option<()> {
    let mut found = None;
    let mut seen = 0;
    module.body.for_each_statement(&mut |statement| {
        if let Some(place) = accessed(module, statement) {
            if seen == number {
                found = Some((statement.clone(), place.clone()));
            }
            seen += 1;
        }
    });
    let (old, mut place) = found?;
    let index = place.indices().next()?.index;
    let Value { ty, span, .. } = module.values[index];
    let one = mutant.values.push(Value { ty, op: Op::Constant(1), span });
    let (nonzero, overflow) = (Check::Proved, Check::Proved);
    let sum = Op::Binary { op: BinaryOp::Add, left: index, right: one, nonzero, overflow };
    let next = mutant.values.push(Value { ty, op: sum, span });
    place.indices_mut().next()?.index = next;
    let access = match &old {
        Statement::Store { value, .. } => Statement::Store { place, value: *value },
        Statement::Evaluate(value) => {
            match &mut mutant.values[*value].op {
                Op::Load(of) => *of = place,
                Op::Atomic(atomic) => atomic.place = place,
                _ => return None,
            }
            old.clone()
        }
        _ => return None,
    };
    replace(mutant, 0, |statement| {
        (*statement == old).then(|| vec![Statement::Evaluate(next), access.clone()])
    });
    Some(())
}

/// The values on which indices of shared memory and conditions depend.
fn deciding(module: &Module) -> Vec<Handle<Value>> {
    let mut stores: Vec<(Base, Handle<Value>)> = Vec::new();
    let mut open: Vec<Handle<Value>> = Vec::new();
    module.body.for_each_statement(&mut |statement| {
        match statement {
            Statement::Store { place, value } => stores.push((place.base, *value)),
            Statement::If { condition, .. } => open.push(*condition),
            _ => {}
        }
        if let Some(place) = accessed(module, statement) {
            open.extend(place.indices().map(|Index { index, .. }| *index));
        }
    });
    let mut found = HashSet::new();
    while let Some(value) = open.pop() {
        if !found.insert(value) {
            continue;
        }
        let op = &module.values[value].op;
        op.for_each_operand(&mut |operand| open.push(operand));
        if let Some(Place { base: base @ Base::Variable(_), .. }) = op.place() {
            open.extend(stores.iter().filter(|(of, _)| of == base).map(|(_, value)| *value));
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|value| value.index());
    found
}

/// Operations that may stand in the place of that of a value.
fn others(module: &Module, value: Handle<Value>) -> Vec<Op> {
    let Value { ty, op, .. } = &module.values[value];
    let Type::Scalar(scalar) = module.types[*ty] else { return Vec::new() };
    match op {
        Op::Query(query, dimension) => other_queries(*query, *dimension, module.rank()),
        // A step of a loop stays one.
        Op::Constant(bits) if scalar.is_integer() && *bits > 0 => {
            let less = (*bits > 1).then(|| bits - 1);
            less.into_iter().chain([bits + 1]).map(Op::Constant).collect()
        }
        Op::Binary { op, left, right, nonzero, overflow } => {
            let binary =
                |op| Op::Binary { op, left: *left, right: *right, nonzero: *nonzero, overflow: *overflow };
            let (left, right) = (only(*left), only(*right));
            match op {
                BinaryOp::Add => vec![binary(BinaryOp::Sub), left, right],
                BinaryOp::Sub | BinaryOp::Mul => vec![binary(BinaryOp::Add), left, right],
                BinaryOp::Div => vec![binary(BinaryOp::Rem), left],
                BinaryOp::Rem => vec![binary(BinaryOp::Div), left],
                BinaryOp::And | BinaryOp::Xor => vec![binary(BinaryOp::Or), left, right],
                BinaryOp::Or => vec![binary(BinaryOp::And), left, right],
                BinaryOp::Shl | BinaryOp::Shr => vec![left],
                BinaryOp::Lt => vec![binary(BinaryOp::Le)],
                BinaryOp::Le => vec![binary(BinaryOp::Lt)],
                BinaryOp::Gt => vec![binary(BinaryOp::Ge)],
                BinaryOp::Ge => vec![binary(BinaryOp::Gt)],
                BinaryOp::Eq => vec![binary(BinaryOp::Le)],
                BinaryOp::Ne => vec![binary(BinaryOp::Gt)],
            }
        }
        _ => Vec::new(),
    }
}

fn other_queries(query: Query, dimension: u8, rank: u8) -> Vec<Op> {
    let mut others = vec![Op::Constant(0)];
    let ids = [Query::GlobalId, Query::LocalId, Query::GroupId];
    if ids.contains(&query) {
        others.extend(ids.into_iter().filter(|id| *id != query).map(|id| Op::Query(id, dimension)));
        others.extend((0..rank).filter(|other| *other != dimension).map(|other| Op::Query(query, other)));
    }
    others
}

/// A value by itself, as an operation.
fn only(value: Handle<Value>) -> Op {
    Op::Binary {
        op: BinaryOp::Or,
        left: value,
        right: value,
        nonzero: Check::Proved,
        overflow: Check::Proved,
    }
}
