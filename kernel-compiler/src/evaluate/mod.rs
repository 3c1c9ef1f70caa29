//! Runs code when a kernel is compiled: that of constants, so that the kernel has their values from the start.
//!
//! It is an interpreter of the [intermediate representation](crate::ir). Where it finds what it does not know, such as a function of
//! OpenCL.std, a fault, or code that runs for too long, it gives up, and the kernel has to run the code itself.

mod memory;
pub(crate) mod scalar;

use crate::ir::{Arena, Block, End, Handle, Numeric, Op, Statement, Table, Type, Value, Variable};
use memory::Slice;
use std::rc::Rc;

/// How many statements are run for one constant, where each scalar that is copied counts as one more.
const MAX_STEPS: u64 = 1 << 21;

/// How many scalars the variables may have.
const MAX_SCALARS: u64 = 1 << 21;

/// Code with what it refers to.
#[derive(Clone, Copy)]
pub(crate) struct Code<'a> {
    pub(crate) types: &'a Arena<Type>,
    pub(crate) tables: &'a Arena<Table>,
    pub(crate) variables: &'a Arena<Variable>,
    pub(crate) values: &'a Arena<Value>,
}

/// The state of code that is being run, or has been.
pub(crate) struct Machine<'a> {
    code: Code<'a>,
    /// What has been evaluated.
    known: Vec<Option<Datum>>,
    /// What the variables hold, scalar by scalar.
    variables: Vec<Vec<u64>>,
    steps: u64,
}

/// What a value is.
#[derive(Clone)]
enum Datum {
    /// The bit patterns of its scalars.
    Scalars(Rc<[u64]>),
    Slice(Slice),
}

impl<'a> Machine<'a> {
    /// Runs code; none if it does not come to its end.
    pub(crate) fn run(code: Code<'a>, block: &Block) -> Option<Self> {
        let scalars = |(_, variable): (_, &Variable)| code.types.scalars(variable.ty);
        if code.variables.iter().map(scalars).fold(0, u64::saturating_add) > MAX_SCALARS {
            return None;
        }
        let zero = |(_, variable): (_, &Variable)| vec![0; code.types.scalars(variable.ty) as usize];
        let variables = code.variables.iter().map(zero).collect();
        let known = vec![None; code.values.len()];
        let mut machine = Self { code, known, variables, steps: 0 };
        machine.block(block)?;
        Some(machine)
    }

    /// The bit patterns of the scalars of a value.
    pub(crate) fn scalars(&self, value: Handle<Value>) -> Option<Rc<[u64]>> {
        match self.datum(value)? {
            Datum::Scalars(scalars) => Some(scalars),
            Datum::Slice(_) => None,
        }
    }

    /// Runs a block; the result is how it ends.
    fn block(&mut self, block: &Block) -> Option<End> {
        for statement in &block.statements {
            match self.statement(statement)? {
                End::Next => {}
                leaves => return Some(leaves),
            }
        }
        Some(block.end)
    }

    fn statement(&mut self, statement: &Statement) -> Option<End> {
        self.step(1)?;
        match statement {
            Statement::Evaluate(value) => {
                let datum = self.operation(*value)?;
                if let Datum::Scalars(scalars) = &datum {
                    self.step(scalars.len())?;
                }
                self.known[value.index()] = Some(datum);
            }
            Statement::Store { place, value } => {
                let scalars = self.scalars(*value)?;
                self.step(scalars.len())?;
                self.write(place, &scalars)?;
            }
            Statement::If { condition, accept, reject } => {
                let holds = self.scalar(*condition)? != 0;
                return self.block(if holds { accept } else { reject });
            }
            Statement::Loop { label, body, continuing } => loop {
                self.step(1)?;
                match self.block(body)? {
                    End::Next => {}
                    End::Continue(inner) if inner == *label => {}
                    End::Break(inner) if inner == *label => return Some(End::Next),
                    leaves => return Some(leaves),
                }
                self.block(continuing)?;
            },
            Statement::Barrier(..)
            | Statement::ImageWrite(_)
            | Statement::Order(..)
            | Statement::AssertUniform(..)
            | Statement::Wait(..)
            | Statement::Print { .. } => return None,
        }
        Some(End::Next)
    }

    fn step(&mut self, by: usize) -> Option<()> {
        self.steps += by as u64;
        (self.steps <= MAX_STEPS).then_some(())
    }

    fn datum(&self, handle: Handle<Value>) -> Option<Datum> {
        if let Some(known) = &self.known[handle.index()] {
            return Some(known.clone());
        }
        let Value { ty, op, .. } = &self.code.values[handle];
        let count = self.code.types.scalars(*ty) as usize;
        match op {
            Op::Constant(bits) => Some(Datum::Scalars(vec![*bits; count].into())),
            Op::Zero => Some(Datum::Scalars(vec![0; count].into())),
            _ => None,
        }
    }

    /// A value that is a single scalar.
    fn scalar(&self, value: Handle<Value>) -> Option<u64> {
        match *self.scalars(value)? {
            [only] => Some(only),
            _ => None,
        }
    }

    fn numeric(&self, value: Handle<Value>) -> Option<Numeric> {
        self.code.types.numeric(self.code.values[value].ty)
    }

    fn operation(&self, handle: Handle<Value>) -> Option<Datum> {
        let Value { ty, op, .. } = &self.code.values[handle];
        let result = self.code.types.numeric(*ty);
        Some(Datum::Scalars(match op {
            Op::Constant(_) | Op::Zero => return self.datum(handle),
            Op::Unary(op, operand) => {
                let ty = self.numeric(*operand)?.scalar;
                self.lanes([*operand], |[bits]| Some(scalar::unary(*op, ty, bits)))?
            }
            Op::Binary { op, left, right, .. } => {
                let ty = self.numeric(*left)?.scalar;
                self.lanes([*left, *right], |[left, right]| scalar::binary(*op, ty, left, right))?
            }
            Op::Cast(operand) => {
                let (from, to) = (self.numeric(*operand)?.scalar, result?.scalar);
                self.lanes([*operand], |[bits]| scalar::cast(from, to, bits))?
            }
            Op::Bitcast(operand) => self.scalars(*operand)?,
            Op::Select { condition, accept, reject } => {
                return self.select(*condition, [*accept, *reject]);
            }
            Op::Math(math, operands) => {
                let ty = result?.scalar;
                match operands[..] {
                    [one] => self.lanes([one], |operands| scalar::math(*math, ty, &operands))?,
                    [one, other] => {
                        self.lanes([one, other], |operands| scalar::math(*math, ty, &operands))?
                    }
                    _ => return None,
                }
            }
            Op::Construct(parts) => {
                let parts: Option<Vec<_>> = parts.iter().map(|part| self.scalars(*part)).collect();
                parts?.iter().flat_map(|part| part.iter().copied()).collect()
            }
            Op::Extract(vector, lane) => [*self.scalars(*vector)?.get(*lane as usize)?].into(),
            Op::Shuffle([one, other], lanes) => {
                let both = [self.scalars(*one)?, self.scalars(*other)?].concat();
                let chosen: Option<Vec<u64>> =
                    lanes.iter().map(|lane| both.get(*lane as usize).copied()).collect();
                chosen?.into()
            }
            Op::AssumeUniform(_, operand) | Op::Distinct(_, operand) => self.scalars(*operand)?,
            Op::Any(mask) => [self.scalars(*mask)?.iter().any(|lane| *lane != 0).into()].into(),
            Op::All(mask) => [self.scalars(*mask)?.iter().all(|lane| *lane != 0).into()].into(),
            Op::Load(place) => self.read(place)?,
            Op::InBounds(place) => {
                self.locate(place)?;
                [1].into()
            }
            Op::Len(slice) => [self.slice(*slice)?.len].into(),
            Op::SliceOf(place) => return self.slice_of(place).map(Datum::Slice),
            Op::SubSlice { slice, start, len } => {
                let (start, len) = (self.scalar(*start)?, self.scalar(*len)?);
                return self.sub_slice(*slice, start, len).map(Datum::Slice);
            }
            Op::Require { condition, .. } => {
                let holds = self.scalar(*condition)?;
                if holds == 0 {
                    return None;
                }
                [holds].into()
            }
            // What faults has no value.
            Op::HasFaulted => [0].into(),
            Op::Parameter(_)
            | Op::Classify(..)
            | Op::Address(_)
            | Op::Atomic(_)
            | Op::BlockAccess(_)
            | Op::GroupCopy(_)
            | Op::Offset { .. }
            | Op::SliceFrom { .. }
            | Op::Call(_)
            | Op::Image(_)
            | Op::Query(..)
            | Op::Collective { .. }
            | Op::Specialization(_) => return None,
        }))
    }

    /// What an operation makes of each lane.
    fn lanes<const N: usize>(
        &self,
        operands: [Handle<Value>; N],
        operation: impl Fn([u64; N]) -> Option<u64>,
    ) -> Option<Rc<[u64]>> {
        let mut scalars = Vec::with_capacity(N);
        for operand in operands {
            scalars.push(self.scalars(operand)?);
        }
        let count = scalars.first()?.len();
        if scalars.iter().any(|lanes| lanes.len() != count) {
            return None;
        }
        (0..count).map(|lane| operation(std::array::from_fn(|operand| scalars[operand][lane]))).collect()
    }

    fn select(&self, condition: Handle<Value>, choices: [Handle<Value>; 2]) -> Option<Datum> {
        let mask = self.scalars(condition)?;
        if let [holds] = *mask {
            return self.datum(choices[usize::from(holds == 0)]);
        }
        let [accept, reject] = choices;
        self.lanes([condition, accept, reject], |[holds, accept, reject]| {
            Some(if holds != 0 { accept } else { reject })
        })
        .map(Datum::Scalars)
    }
}
