//! Which bits of values of type `usize` are asked for.
//!
//! Where no slice has more elements than 32 bits can count, an index that is in bounds is its low half, and the low half of a sum, difference, product,
//! combination of bits or shift to the left depends on the low halves of the operands only. So such chains are computed in 32 bits, whatever overflows on the way. What is compared,
//! divided, shifted to the right or made a float is asked for as a whole. Values that nobody asks for are not computed at all, since half of what they are made of may be missing.

use super::narrow::fits;
use super::sum_below::SumBelow;
use super::wide_index::WideIndex;
use crate::analysis::Analysis;
use crate::hash::HashMap;
use crate::ir::{Base, Check, Handle, Module, Op, Place, Statement, Step, Type, Value, Variable};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

/// How much of a value is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Demand {
    #[default]
    Nothing,
    /// The low 32 bits.
    Low,
    All,
}

/// What is asked for in a kernel; of one whose slices may be longer, everything.
#[derive(Debug, Default)]
pub(super) struct Demands {
    /// By the positions of the values.
    values: Vec<Demand>,
    variables: Vec<Demand>,
}

impl Demands {
    pub(super) fn of(module: &Module, analysis: &Analysis) -> Self {
        if !analysis.has_short_slices() {
            return Self::default();
        }
        let mut search = Search {
            module,
            analysis,
            found: Self {
                values: vec![Demand::Nothing; module.values.len()],
                variables: vec![Demand::Nothing; module.variables.len()],
            },
            stores: HashMap::default(),
            waiting: Vec::new(),
        };
        search.all();
        search.found
    }

    /// Returns whether nobody asks for a value.
    pub(super) fn is_nothing(&self, value: Handle<Value>) -> bool {
        self.values.get(value.index()) == Some(&Demand::Nothing)
    }

    /// Returns whether nobody asks for what is stored to a place.
    pub(super) fn is_unread(&self, place: &Place) -> bool {
        let demand = whole_variable(place).and_then(|variable| self.variables.get(variable.index()));
        demand == Some(&Demand::Nothing)
    }

    /// Returns whether the upper half of a value is not asked for.
    pub(super) fn is_low(&self, value: Handle<Value>) -> bool {
        self.values.get(value.index()).is_some_and(|demand| *demand < Demand::All)
    }

    /// Returns whether the upper half of what a variable holds is not asked for.
    pub(super) fn is_low_variable(&self, variable: Handle<Variable>) -> bool {
        self.variables.get(variable.index()).is_some_and(|demand| *demand < Demand::All)
    }
}

/// The search for what is asked for, from the effects of the kernel back to what they are made of.
struct Search<'a> {
    module: &'a Module,
    analysis: &'a Analysis,
    found: Demands,
    /// What is stored to each variable as a whole.
    stores: HashMap<Handle<Variable>, Vec<Handle<Value>>>,
    /// The values of whose operands more is asked for than before.
    waiting: Vec<Handle<Value>>,
}

impl Search<'_> {
    fn all(&mut self) {
        let module = self.module;
        module.body.for_each_statement(&mut |statement| {
            if let Statement::Store { place, value } = statement
                && let Some(variable) = whole_variable(place)
            {
                self.stores.entry(variable).or_default().push(*value);
            }
        });
        module.body.for_each_statement(&mut |statement| self.statement(statement));
        while let Some(value) = self.waiting.pop() {
            self.operands(value, self.found.values[value.index()]);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Evaluate(value) if !self.module.values[*value].op.has_effect() => {}
            Statement::Evaluate(value) => self.ask(*value, Demand::All),
            Statement::Store { place, .. } if whole_variable(place).is_some() => {}
            Statement::Store { place, value } => {
                self.place(place);
                self.ask(*value, Demand::All);
                self.ask_len(*value, Demand::All);
            }
            other => other.for_each_operand(&mut |value| {
                self.ask(value, Demand::All);
                self.ask_len(value, Demand::All);
            }),
        }
    }

    fn ask(&mut self, value: Handle<Value>, demand: Demand) {
        let known = &mut self.found.values[value.index()];
        if *known < demand {
            *known = demand;
            self.waiting.push(value);
        }
    }

    fn ask_variable(&mut self, variable: Handle<Variable>, demand: Demand) {
        let known = &mut self.found.variables[variable.index()];
        if *known < demand {
            *known = demand;
            for value in self.stores.get(&variable).cloned().unwrap_or_default() {
                self.ask(value, demand);
                self.ask_len(value, Demand::All);
            }
        }
    }

    fn is_slice(&self, value: Handle<Value>) -> bool {
        matches!(self.module.types[self.module.values[value].ty], Type::Slice { .. })
    }

    /// Asks for the length of a slice.
    fn ask_len(&mut self, slice: Handle<Value>, demand: Demand) {
        if !self.is_slice(slice) {
            return;
        }
        match self.module.values[slice].op {
            Op::SubSlice { len, .. } => self.ask(len, demand),
            Op::Select { accept, reject, .. } => {
                [accept, reject].into_iter().for_each(|slice| self.ask_len(slice, demand));
            }
            Op::AssumeUniform(_, slice) => self.ask_len(slice, demand),
            _ => {}
        }
    }

    /// Asks for what a value is made of, of which so much is asked for.
    fn operands(&mut self, value: Handle<Value>, demand: Demand) {
        let Value { ty, op, .. } = &self.module.values[value];
        let asked = demand;
        // There is no more to what fits than its low half, and that is made of low halves.
        let demand = if fits(self.module, self.analysis, value) { Demand::Low } else { demand };
        if let Some(SumBelow { parts: [left, right], bound, .. }) =
            SumBelow::of(self.module, self.analysis, value)
        {
            return [left, right, bound].into_iter().for_each(|operand| self.ask(operand, Demand::Low));
        }
        match op {
            Op::Binary { op, left, right, nonzero: Check::Proved, overflow: Check::Proved }
                if self.is_usize(*left) && keeps_low_halves(*op) =>
            {
                [*left, *right].into_iter().for_each(|operand| self.ask(operand, demand));
            }
            Op::Binary { op: BinaryOp::Shl, left, right, overflow: Check::Proved, .. }
                if self.is_usize(*left) && short_count(self.module, *right).is_some() =>
            {
                self.ask(*left, demand);
            }
            Op::Select { condition, accept, reject } => {
                self.ask(*condition, Demand::All);
                [*accept, *reject].into_iter().for_each(|operand| self.ask(operand, demand));
            }
            Op::AssumeUniform(_, operand) => self.ask(*operand, demand),
            Op::Len(slice) => {
                self.ask(*slice, Demand::All);
                self.ask_len(*slice, demand);
            }
            Op::Load(place) => match whole_variable(place) {
                Some(variable) => self.ask_variable(variable, asked),
                None => self.place(place),
            },
            Op::SliceOf(place) | Op::Address(place) | Op::InBounds(place) => self.place(place),
            Op::Atomic(atomic) => {
                self.place(&atomic.place);
                atomic.access.operands().for_each(|operand| self.ask(operand, Demand::All));
            }
            Op::SubSlice { slice, start, .. } => {
                self.ask(*slice, Demand::All);
                let demand = if self.is_short(*slice) { Demand::Low } else { Demand::All };
                self.ask(*start, demand);
            }
            Op::Cast(operand)
                if self.module.scalar(*ty).is_some_and(is_narrow)
                    || fits(self.module, self.analysis, *operand) =>
            {
                self.ask(*operand, Demand::Low);
            }
            other => other.for_each_operand(&mut |operand| {
                self.ask(operand, Demand::All);
                // Who takes a slice as a whole may ask for its length too.
                self.ask_len(operand, Demand::All);
            }),
        }
    }

    /// Asks for what a place is found by.
    fn place(&mut self, place: &Place) {
        let is_short = match place.base {
            Base::Slice(slice) => {
                self.ask(slice, Demand::All);
                if place.is_checked() {
                    self.ask_len(slice, Demand::All);
                }
                self.is_short(slice)
            }
            Base::Pointer(pointer) => {
                self.ask(pointer, Demand::All);
                true
            }
            Base::Variable(variable) => {
                self.ask_variable(variable, Demand::All);
                true
            }
            Base::Local(_) | Base::Table(_) | Base::Parameter(_) => true,
        };
        for (position, step) in place.indices().enumerate() {
            // An index that is not below the length is not used.
            let is_checked_low = |slice| {
                position == 0
                    && matches!(place.path.first(), Some(Step::Index(_)))
                    && WideIndex::of(self.module, self.analysis, slice, step.index).is_some()
            };
            let is_low = is_short
                && match place.base {
                    _ if step.check == Check::Proved => true,
                    Base::Slice(slice) => is_checked_low(slice),
                    _ => false,
                };
            self.ask(step.index, if is_low { Demand::Low } else { Demand::All });
        }
    }

    fn is_usize(&self, value: Handle<Value>) -> bool {
        self.module.scalar(self.module.values[value].ty) == Some(Scalar::Usize)
    }

    /// Returns whether a slice is one of those of the launch, or a part of one, or an array.
    fn is_short(&self, slice: Handle<Value>) -> bool {
        match self.module.values[slice].op {
            Op::Parameter(_) | Op::SliceOf(_) | Op::Zero => true,
            Op::SubSlice { slice, .. } | Op::AssumeUniform(_, slice) => self.is_short(slice),
            Op::Select { accept, reject, .. } => self.is_short(accept) && self.is_short(reject),
            _ => false,
        }
    }
}

/// The variable that a place is as a whole.
fn whole_variable(place: &Place) -> Option<Handle<Variable>> {
    match place.base {
        Base::Variable(variable) if place.path.is_empty() => Some(variable),
        _ => None,
    }
}

fn is_narrow(scalar: Scalar) -> bool {
    scalar.is_integer() && scalar.bits() <= 32
}

/// Returns whether the low half of the result is made of the low halves of the operands.
pub(super) fn keeps_low_halves(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
}

/// A constant count by which numbers of 32 bits can be shifted.
pub(super) fn short_count(module: &Module, count: Handle<Value>) -> Option<u64> {
    match module.values[count].op {
        Op::Constant(count @ 0..32) => Some(count),
        _ => None,
    }
}
