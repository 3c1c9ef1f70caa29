//! Loops whose passes are known, written out.
//!
//! What a tree in local memory does in a pass, or which of two buffers is which, follows from counters that start with constants and that nothing but constants
//! changes: `offset *= 2; d /= 2`, or `(p, q) = (q, p)`. No inequality between them says it, but in each pass they are constants. So where races are left, the loops
//! with barriers in them are written out, as often as they are gone through, and the kernel is looked at once more. It is the same kernel, so what is shown of
//! it holds.
//!
//! A kernel of which that cannot be done stays as it is: because a pass depends on something else, or has what is not copied here.

use crate::hash::HashMap;
use crate::ir::{Base, Block, End, Handle, Label, Module, Op, Place, Statement, Value, Variable};
use kernel_core::Scalar;
use kernel_core::semantics::{extend, integer_binary, integer_unary, wrap};

/// How many passes a loop may have.
const MOST_PASSES: usize = 64;
/// How many statements a kernel may become.
const MOST_STATEMENTS: usize = 4000;

/// The kernel with such loops written out, if it has any.
pub(super) fn unrolled(module: &Module) -> Option<Module> {
    let mut labels = 0;
    module.body.for_each_statement(&mut |statement| {
        if let Statement::Loop { label, .. } = statement {
            labels = labels.max(label.0 + 1);
        }
    });
    let mut unroller = Unroller {
        module: module.clone(),
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
    unroller.has_unrolled.then_some(unroller.module)
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

struct Unroller {
    /// The kernel that is made, with the values that are copied.
    module: Module,
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
        if self.statements > MOST_STATEMENTS {
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
                statements.push(Statement::Evaluate(value));
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

    /// A loop, written out if it has barriers and its passes are known.
    fn repeat(&mut self, label: Label, blocks: [&Block; 2], statements: &mut Vec<Statement>) -> Option<End> {
        if blocks.iter().any(|block| block.has_convergent(&self.module.values)) {
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
            match end {
                End::Next => {}
                // What may leave the loop somewhere else too is not written out.
                _ if statements[mark..].iter().any(|statement| leaves(statement, label)) => return None,
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
            self.renamed.insert(value, own);
        } else if is_renamed {
            self.module.values[value] = copy.clone();
        }
        match self.result(&copy) {
            Some(bits) => self.known.values.insert(own, bits),
            None => self.known.values.remove(&own),
        };
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
