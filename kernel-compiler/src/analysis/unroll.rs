//! Loops whose passes are known, written out.
//!
//! Counters that start with constants and that nothing but constants changes are constants in each pass: `offset *= 2; d /= 2`, or `(p, q) = (q, p)`. So a loop can be written out, as
//! often as it is gone through. It is the same kernel. That is done for two ends:
//!
//! - What a tree in local memory does in a pass, or which of two buffers is which, no inequality between counters says. So where races are left, the loops with barriers in
//!   them are written out, and the kernel is looked at once more.
//! - A small matrix that a work-item factors in place is loaded again after each store, since Intel's compiler writes loops out only after it has looked for loads of what was stored before. Of
//!   loops that are written out before it keeps the elements in registers.
//!
//! A kernel of which that cannot be done stays as it is: because a pass depends on something else, or has what is not copied here.

use super::Analysis;
use crate::hash::HashMap;
use crate::ir::{
    Aliasing, Base, Block, End, Handle, Label, Module, Op, Place, Statement, Step, Value, Variable,
};
use kernel_core::Scalar;
use kernel_core::semantics::{extend, integer_binary, integer_unary, wrap};

/// How many passes a loop may have.
const MOST_PASSES: usize = 64;
/// How many statements a kernel may become where races are looked for.
const MOST_STATEMENTS: usize = 4000;
/// How many it may become where it is emitted. Factoring a matrix of 6 by 6 takes 700.
const MOST_EMITTED: usize = 1200;

/// The kernel with the loops written out that have barriers in them, if it has any.
pub(super) fn without_loops_around_barriers(module: &Module) -> Option<Module> {
    let has_barriers = |module: &Module, blocks: [&Block; 2]| {
        blocks.iter().any(|block| block.has_convergent(&module.values))
    };
    Some(unrolled(module, has_barriers, MOST_STATEMENTS)?.module)
}

/// Writes the loops out that load again what they have stored to memory of the work-item's own. What is known of the values is known of their copies.
pub fn unroll_updates(module: &mut Module, analysis: &mut Analysis) {
    let len = module.values.len();
    if let Some(unroller) = unrolled(module, reloads, MOST_EMITTED) {
        analysis.adopt(len, &unroller.origins);
        *module = unroller.module;
    }
}

/// Returns whether a loop without checks and barriers stores to an element of a mutable slice and loads another one.
fn reloads(module: &Module, blocks: [&Block; 2]) -> bool {
    let (mut stored, mut loaded, mut is_possible) = (Vec::new(), Vec::new(), true);
    for block in blocks {
        is_possible &= !block.is_checked(&module.values) && !block.has_convergent(&module.values);
        block.for_each_statement(&mut |statement| match statement {
            Statement::Store { place, .. } => stored.extend(element(module, place)),
            Statement::Evaluate(value) => match &module.values[*value].op {
                Op::Load(place) => loaded.extend(element(module, place)),
                op => is_possible &= !op.has_effect(),
            },
            Statement::If { .. } | Statement::Loop { .. } => {}
            _ => is_possible = false,
        });
    }
    is_possible
        && loaded
            .iter()
            .any(|(slice, path)| stored.iter().any(|(other, stored)| slice == other && path != stored))
}

/// The slice that a place is an element of, if nobody else accesses it, and the way to the element.
fn element<'a>(module: &Module, place: &'a Place) -> Option<(Handle<Value>, &'a [Step])> {
    let Base::Slice(slice) = place.base else { return None };
    let mut from = slice;
    while let Op::SubSlice { slice, .. } = module.values[from].op {
        from = slice;
    }
    let Op::Parameter(position) = module.values[from].op else { return None };
    let is_own = module.parameters.get(position as usize)?.aliasing == Aliasing::Exclusive;
    is_own.then_some((slice, &place.path))
}

fn unrolled(module: &Module, is_wanted: Wanted, most: usize) -> Option<Unroller> {
    let mut labels = 0;
    module.body.for_each_statement(&mut |statement| {
        if let Statement::Loop { label, .. } = statement {
            labels = labels.max(label.0 + 1);
        }
    });
    let mut unroller = Unroller {
        module: module.clone(),
        is_wanted,
        most,
        origins: Vec::new(),
        known: Known::default(),
        renamed: HashMap::default(),
        labels,
        relabelled: HashMap::default(),
        depth: 0,
        statements: 0,
        has_unrolled: false,
    };
    let body = unroller.block(&module.body)?;
    unroller.module.body = body;
    debug_assert_eq!(unroller.module.verify(), Ok(()));
    unroller.has_unrolled.then_some(unroller)
}

/// What is constant at a place, as bits.
#[derive(Clone, Default)]
struct Known {
    variables: HashMap<Handle<Variable>, u64>,
    values: HashMap<Handle<Value>, u64>,
}

impl Known {
    /// Keeps what is the same on another path that leads here.
    fn meet(&mut self, other: &Self) {
        self.variables.retain(|variable, bits| other.variables.get(variable) == Some(bits));
    }
}

/// Which loops are written out, by their blocks.
type Wanted = fn(&Module, [&Block; 2]) -> bool;

struct Unroller {
    /// The kernel that is made, with the values that are copied.
    module: Module,
    /// Which loops are written out.
    is_wanted: Wanted,
    /// How many statements the kernel may become.
    most: usize,
    /// Each copy, in order, and what it is one of.
    origins: Vec<(Handle<Value>, Handle<Value>)>,
    known: Known,
    /// The copies of values in the current pass.
    renamed: HashMap<Handle<Value>, Handle<Value>>,
    /// The next label.
    labels: u32,
    relabelled: HashMap<Label, Label>,
    /// How many loops around are written out.
    depth: usize,
    statements: usize,
    has_unrolled: bool,
}

impl Unroller {
    /// A block; none if it has something that is not copied here.
    fn block(&mut self, block: &Block) -> Option<Block> {
        let mut statements = Vec::new();
        let end = self.append(block, &mut statements)?;
        Some(Block { statements, end: self.renamed_end(end) })
    }

    /// Appends what a block does; where control goes then.
    fn append(&mut self, block: &Block, statements: &mut Vec<Statement>) -> Option<End> {
        for statement in &block.statements {
            let end = self.statement(statement, statements)?;
            if end != End::Next {
                return Some(end);
            }
        }
        Some(block.end)
    }

    fn statement(&mut self, statement: &Statement, statements: &mut Vec<Statement>) -> Option<End> {
        self.statements += 1;
        if self.statements > self.most {
            return None;
        }
        match statement {
            Statement::If { condition, accept, reject } => {
                return self.choose(*condition, [accept, reject], statements);
            }
            Statement::Loop { label, body, continuing } => {
                return self.repeat(*label, [body, continuing], statements);
            }
            Statement::Evaluate(value) => {
                let value = self.evaluate(*value)?;
                if !matches!(self.module.values[value].op, Op::Constant(_)) {
                    statements.push(Statement::Evaluate(value));
                }
            }
            Statement::Store { place, value } => {
                let (mut place, value) = (place.clone(), self.renamed(*value));
                self.rename_place(&mut place);
                self.note_store(&place, value);
                statements.push(Statement::Store { place, value });
            }
            Statement::Print { site, words } => {
                let words = words.iter().map(|word| self.renamed(*word)).collect();
                statements.push(Statement::Print { site: *site, words });
            }
            Statement::AssertUniform(span, words) => {
                let words = words.iter().map(|word| self.renamed(*word)).collect();
                statements.push(Statement::AssertUniform(*span, words));
            }
            Statement::ImageWrite(_) if self.depth > 0 => return None,
            Statement::ImageWrite(_)
            | Statement::Barrier(..)
            | Statement::Wait(..)
            | Statement::Order(..) => statements.push(statement.clone()),
        }
        Some(End::Next)
    }

    fn note_store(&mut self, place: &Place, value: Handle<Value>) {
        let Base::Variable(variable) = place.base else { return };
        match self.constant(value).filter(|_| place.path.is_empty()) {
            Some(bits) => self.known.variables.insert(variable, bits),
            None => self.known.variables.remove(&variable),
        };
    }

    /// One side of an `if` in its place if it is known which, else both.
    fn choose(
        &mut self,
        condition: Handle<Value>,
        [accept, reject]: [&Block; 2],
        statements: &mut Vec<Statement>,
    ) -> Option<End> {
        let condition = self.renamed(condition);
        if let Some(holds) = self.constant(condition) {
            return self.append(if holds == 0 { reject } else { accept }, statements);
        }
        let before = self.known.clone();
        let accept = self.block(accept)?;
        let accepted = std::mem::replace(&mut self.known, before);
        let reject = self.block(reject)?;
        match (accept.end, reject.end) {
            (End::Next, End::Next) => self.known.meet(&accepted),
            (End::Next, _) => self.known = accepted,
            _ => {}
        }
        statements.push(Statement::If { condition, accept, reject });
        Some(End::Next)
    }

    /// A loop, written out if that is wanted and its passes are known.
    fn repeat(&mut self, label: Label, blocks: [&Block; 2], statements: &mut Vec<Statement>) -> Option<End> {
        if (self.is_wanted)(&self.module, blocks) {
            let (known, renamed) = (self.known.clone(), self.renamed.clone());
            let mark = statements.len();
            self.depth += 1;
            let end = self.passes(label, blocks, statements);
            self.depth -= 1;
            if let Some(end) = end {
                self.has_unrolled = true;
                return Some(end);
            }
            statements.truncate(mark);
            (self.known, self.renamed) = (known, renamed);
        }
        self.forget_stored(blocks);
        let fresh = if self.depth > 0 { self.fresh_label() } else { label };
        self.relabelled.insert(label, fresh);
        let [body, continuing] = blocks;
        let body = self.block(body)?;
        self.forget_stored(blocks);
        let continuing = self.block(continuing)?;
        self.forget_stored(blocks);
        statements.push(Statement::Loop { label: fresh, body, continuing });
        Some(End::Next)
    }

    /// The passes through a loop, one after the other; none if they are not known.
    fn passes(
        &mut self,
        label: Label,
        [body, continuing]: [&Block; 2],
        statements: &mut Vec<Statement>,
    ) -> Option<End> {
        let mark = statements.len();
        for _ in 0..MOST_PASSES {
            let end = match self.append(body, statements)? {
                End::Continue(own) if own == label => End::Next,
                end => end,
            };
            let end = if end == End::Next { self.append(continuing, statements)? } else { end };
            // What may leave the loop somewhere else too is not written out.
            if statements[mark..].iter().any(|statement| leaves(statement, label)) {
                return None;
            }
            match end {
                End::Next => {}
                End::Break(own) if own == label => return Some(End::Next),
                end => return Some(end),
            }
        }
        None
    }

    fn fresh_label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    fn forget_stored(&mut self, blocks: [&Block; 2]) {
        for block in blocks {
            block.for_each_statement(&mut |statement| {
                if let Statement::Store { place: Place { base: Base::Variable(variable), .. }, .. } =
                    statement
                {
                    self.known.variables.remove(variable);
                }
            });
        }
    }

    fn renamed_end(&self, end: End) -> End {
        let renamed = |label| self.relabelled.get(&label).copied().unwrap_or(label);
        match end {
            End::Break(label) => End::Break(renamed(label)),
            End::Continue(label) => End::Continue(renamed(label)),
            other => other,
        }
    }

    /// A value, or the copy of it in this pass.
    fn renamed(&self, value: Handle<Value>) -> Handle<Value> {
        self.renamed.get(&value).copied().unwrap_or(value)
    }

    fn rename_place(&self, place: &mut Place) {
        if let Base::Slice(value) | Base::Pointer(value) = &mut place.base {
            *value = self.renamed(*value);
        }
        place.indices_mut().for_each(|index| index.index = self.renamed(index.index));
    }

    /// Computes a value, by a copy of it in what is written out.
    fn evaluate(&mut self, value: Handle<Value>) -> Option<Handle<Value>> {
        let mut copy = self.module.values[value].clone();
        let mut is_renamed = false;
        copy.op.for_each_operand(&mut |operand| is_renamed |= self.renamed(operand) != operand);
        if is_renamed {
            self.rename_operands(&mut copy.op)?;
        }
        let own = if self.depth > 0 { self.module.values.push(copy.clone()) } else { value };
        if self.depth > 0 {
            self.origins.push((own, value));
            self.renamed.insert(value, own);
        } else if is_renamed {
            self.module.values[value] = copy.clone();
        }
        match self.result(&copy) {
            Some(bits) => {
                self.known.values.insert(own, bits);
                if self.depth > 0 {
                    self.module.values[own].op = Op::Constant(bits);
                }
            }
            None => {
                self.known.values.remove(&own);
            }
        }
        Some(own)
    }

    /// The bits of a constant value.
    fn constant(&self, value: Handle<Value>) -> Option<u64> {
        match self.module.values[value].op {
            Op::Constant(bits) => Some(bits),
            _ => self.known.values.get(&value).copied(),
        }
    }

    /// What a value is whose operands are constant.
    fn result(&self, value: &Value) -> Option<u64> {
        let scalar_of = |value: Handle<Value>| self.integer(self.module.values[value].ty);
        match &value.op {
            Op::Load(Place { base: Base::Variable(variable), path }) if path.is_empty() => {
                self.known.variables.get(variable).copied()
            }
            Op::Unary(op, operand) => {
                Some(integer_unary(*op, scalar_of(*operand)?, self.constant(*operand)?))
            }
            Op::Binary { op, left, right, .. } => {
                let [left_bits, right_bits] = [self.constant(*left)?, self.constant(*right)?];
                integer_binary(*op, scalar_of(*left)?, left_bits, right_bits).ok()
            }
            Op::Cast(operand) => {
                let number = extend(scalar_of(*operand)?, self.constant(*operand)?);
                let to = self.integer(value.ty).filter(|scalar| *scalar != Scalar::Bool)?;
                Some(wrap(to, number))
            }
            Op::Select { condition, accept, reject } => {
                let chosen = if self.constant(*condition)? == 0 { reject } else { accept };
                self.integer(value.ty)?;
                self.constant(*chosen)
            }
            _ => None,
        }
    }

    /// The type of an integer or a `bool`.
    fn integer(&self, ty: Handle<crate::ir::Type>) -> Option<Scalar> {
        self.module.scalar(ty).filter(|scalar| scalar.is_integer() || *scalar == Scalar::Bool)
    }

    /// Has an operation read the copies of its operands; none of an operation that is not copied here.
    fn rename_operands(&self, op: &mut Op) -> Option<()> {
        let rename = |value: &mut Handle<Value>| *value = self.renamed(*value);
        match op {
            Op::Parameter(_) | Op::Constant(_) | Op::Zero | Op::Query(..) | Op::Specialization(_) => {}
            Op::Unary(_, operand)
            | Op::Cast(operand)
            | Op::Bitcast(operand)
            | Op::Classify(_, operand)
            | Op::Extract(operand, _)
            | Op::AssumeUniform(_, operand)
            | Op::Distinct(_, operand)
            | Op::Any(operand)
            | Op::All(operand)
            | Op::Len(operand) => rename(operand),
            Op::Binary { left, right, .. } => [left, right].into_iter().for_each(rename),
            Op::Select { condition, accept, reject } => {
                [condition, accept, reject].into_iter().for_each(rename);
            }
            Op::Math(_, operands) | Op::Construct(operands) | Op::Collective { operands, .. } => {
                operands.iter_mut().for_each(rename);
            }
            Op::Shuffle(operands, _) => operands.iter_mut().for_each(rename),
            Op::Load(place) | Op::InBounds(place) | Op::SliceOf(place) | Op::Address(place) => {
                self.rename_place(place);
            }
            Op::SubSlice { slice, start, len } => [slice, start, len].into_iter().for_each(rename),
            _ => return None,
        }
        Some(())
    }
}

/// Returns whether a statement may leave a loop that it is in, or go on to the next pass.
fn leaves(statement: &Statement, label: Label) -> bool {
    let is_left = |block: &Block| {
        block.any(|block| block.end == End::Break(label) || block.end == End::Continue(label))
    };
    match statement {
        Statement::If { accept, reject, .. } => is_left(accept) || is_left(reject),
        Statement::Loop { body, continuing, .. } => is_left(body) || is_left(continuing),
        _ => false,
    }
}
