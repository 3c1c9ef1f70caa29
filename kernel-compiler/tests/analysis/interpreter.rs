//! Runs one work-item of a kernel on its intermediate representation.
//!
//! A slice value is its length. Buffers have no storage: an element is a function of its index unless it has been stored to, so that lengths may be as large as
//! the type allows. Floats are not computed with. A run ends early when it takes too many steps, and at a check that fails, unless there is a
//! barrier in the kernel.

use kernel_compiler::ir::{
    Base, Block, Check, End, Fault, Handle, Label, Math, Module, Op, Place, Query, Statement, Type, Value,
};
use kernel_core::Scalar;
use kernel_core::semantics::{extend, integer_binary, integer_overflows, integer_unary, wrap};
use std::collections::HashMap;

/// What a work-item is given.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    /// The bits of a scalar or the length of a slice, for each parameter.
    pub(crate) parameters: Vec<u64>,
    /// The answer to each query.
    pub(crate) queries: HashMap<(Query, u8), u64>,
}

/// What a run tells about: each check with its outcome, each integer value when it is computed, accesses to elements, and barriers.
pub(crate) trait Observer {
    fn check(&mut self, check: Check, holds: bool);
    fn value(&mut self, value: Handle<Value>, bits: u64);

    /// An element is read, or written, whose index is in bounds.
    fn access(&mut self, _base: Base, _index: u64, _is_written: bool) {}

    /// A number is stored to an element whose index is in bounds.
    fn store(&mut self, _base: Base, _index: u64, _value: u64) {}

    fn barrier(&mut self) {}

    /// The fault that is recorded where one or several checks of an operation fail.
    fn fault(&mut self, _: Check) {}
}

/// How many statements a run may take.
const STEPS: u32 = 4_000;

/// Where control goes after a statement or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Next,
    Break(Label),
    Continue(Label),
    Stop,
}

/// The state of a work-item.
struct Run<'a, O> {
    module: &'a Module,
    inputs: &'a Inputs,
    observer: &'a mut O,
    values: Vec<u64>,
    /// The elements of each variable, one for a scalar.
    variables: Vec<HashMap<u64, u64>>,
    buffers: HashMap<(u32, u64), u64>,
    steps: u32,
    /// Whether a check that fails ends the work-item, and whether one has done so.
    ends: bool,
    has_ended: bool,
}

/// Runs one work-item; whether it has come to its end.
pub(crate) fn run(module: &Module, inputs: &Inputs, observer: &mut impl Observer) -> bool {
    let mut run = Run {
        module,
        inputs,
        observer,
        values: vec![0; module.values.len()],
        variables: vec![HashMap::new(); module.variables.len()],
        buffers: HashMap::new(),
        steps: STEPS,
        ends: !module.body.has_convergent(&module.values),
        has_ended: false,
    };
    run.block(&module.body);
    run.steps > 0
}

impl<O: Observer> Run<'_, O> {
    fn block(&mut self, block: &Block) -> Flow {
        for statement in &block.statements {
            let flow = self.statement(statement);
            if flow != Flow::Next {
                return flow;
            }
        }
        match block.end {
            End::Next => Flow::Next,
            End::Break(label) => Flow::Break(label),
            End::Continue(label) => Flow::Continue(label),
            End::Return => Flow::Stop,
        }
    }

    fn statement(&mut self, statement: &Statement) -> Flow {
        if self.steps == 0 {
            return Flow::Stop;
        }
        self.steps -= 1;
        match statement {
            Statement::Evaluate(value) => self.evaluate(*value),
            Statement::Store { place, value } => {
                let value = self.get(*value);
                if let Some(index) = self.index(place) {
                    self.observer.access(place.base, index, true);
                    self.observer.store(place.base, index, value);
                    self.write(place, index, value);
                }
            }
            Statement::If { condition, accept, reject } => {
                return self.block(if self.get(*condition) == 0 { reject } else { accept });
            }
            Statement::Loop { label, body, continuing } => return self.repeat(*label, body, continuing),
            Statement::Barrier(..) => self.observer.barrier(),
            Statement::ImageWrite(_)
            | Statement::Order(..)
            | Statement::AssertUniform(..)
            | Statement::Wait(..)
            | Statement::Print { .. } => {}
        }
        if self.has_ended { Flow::Stop } else { Flow::Next }
    }

    fn check(&mut self, check: Check, holds: bool) {
        if !holds {
            self.observer.fault(check);
        }
        self.check_as_a_part(check, holds);
    }

    /// A check of an operation that has several, of which one is recorded.
    fn check_as_a_part(&mut self, check: Check, holds: bool) {
        self.observer.check(check, holds);
        self.has_ended |= self.ends && !holds && matches!(check, Check::At(_));
    }

    fn repeat(&mut self, label: Label, body: &Block, continuing: &Block) -> Flow {
        loop {
            match self.block(body) {
                Flow::Break(target) if target == label => return Flow::Next,
                Flow::Next => {}
                Flow::Continue(target) if target == label => {}
                other => return other,
            }
            self.steps = self.steps.saturating_sub(1);
            if self.steps == 0 || self.block(continuing) == Flow::Stop {
                return Flow::Stop;
            }
        }
    }

    fn scalar(&self, value: Handle<Value>) -> Scalar {
        self.module.scalar(self.module.values[value].ty).expect("integers are computed with")
    }

    fn get(&self, value: Handle<Value>) -> u64 {
        match self.module.values[value].op {
            Op::Constant(bits) => bits,
            Op::Parameter(position) => self.inputs.parameters[position as usize],
            _ => self.values[value.index()],
        }
    }

    fn evaluate(&mut self, handle: Handle<Value>) {
        let bits = self.operation(handle);
        if self.has_ended {
            return;
        }
        self.values[handle.index()] = bits;
        self.observer.value(handle, bits);
    }

    fn operation(&mut self, handle: Handle<Value>) -> u64 {
        let scalar = self.module.scalar(self.module.values[handle].ty).unwrap_or(Scalar::Usize);
        match &self.module.values[handle].op {
            Op::Constant(bits) => *bits,
            Op::Unary(op, operand) => integer_unary(*op, scalar, self.get(*operand)),
            Op::Binary { op, left, right, nonzero, overflow } => {
                let scalar = self.scalar(*left);
                let [left, right] = [left, right].map(|&operand| self.get(operand));
                let result = integer_binary(*op, scalar, left, right);
                self.check(*nonzero, right != 0);
                let exact = !integer_overflows(*op, scalar, left, right);
                self.check(*overflow, exact && (right == 0 || result.is_ok()));
                result.unwrap_or(0)
            }
            Op::Cast(operand) | Op::Bitcast(operand) => {
                wrap(scalar, extend(self.scalar(*operand), self.get(*operand)))
            }
            Op::Select { condition, accept, reject } => {
                self.get(if self.get(*condition) == 0 { *reject } else { *accept })
            }
            Op::Math(math, operands) => {
                let operands: Vec<_> = operands.iter().map(|&operand| self.get(operand)).collect();
                integer_math(*math, scalar, &operands)
            }
            Op::Load(place) => self.index(place).map_or(0, |index| {
                self.observer.access(place.base, index, false);
                self.read(place, index)
            }),
            Op::InBounds(place) => self.index(place).is_some().into(),
            Op::Len(slice) => self.get(*slice),
            Op::SubSlice { slice, start, len } => {
                let [of, start, len] = [slice, start, len].map(|&operand| self.get(operand));
                assert!(start <= of && len <= of - start, "{len} elements from {start} on of {of}");
                len
            }
            Op::Require { condition, faults } => {
                let condition = self.get(*condition);
                let applies = |fault: &&Fault| fault.unless.is_none_or(|other| self.get(other) == 0);
                if let (0, Some(fault)) = (condition, faults.iter().find(applies)) {
                    self.observer.fault(fault.check);
                }
                faults.iter().for_each(|fault| self.check_as_a_part(fault.check, condition != 0));
                condition
            }
            Op::Query(query, dimension) => self.inputs.queries[&(*query, *dimension)],
            other => unreachable!("{other:?} is not generated"),
        }
    }

    /// The position of an element, if its index is in bounds.
    fn index(&mut self, place: &Place) -> Option<u64> {
        let Some(step) = place.indices().next() else { return Some(0) };
        let len = match place.base {
            Base::Slice(slice) => self.get(slice),
            Base::Variable(variable) => match &self.module.types[self.module.variables[variable].ty] {
                Type::Array { len, .. } => u64::from(*len),
                other => unreachable!("{other:?} is not indexed"),
            },
            Base::Local(local) => match &self.module.types[self.module.locals[local].ty] {
                Type::Array { len, .. } => u64::from(*len),
                other => unreachable!("{other:?} is not indexed"),
            },
            Base::Table(_) | Base::Parameter(_) | Base::Pointer(_) => unreachable!("neither is generated"),
        };
        let index = self.get(step.index);
        self.check(step.check, index < len);
        (index < len).then_some(index)
    }

    fn read(&self, place: &Place, index: u64) -> u64 {
        let scalar = self.module.scalar(self.module.place_type(place)).expect("elements are scalars");
        let noise = wrap(scalar, i128::from(index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7));
        match place.base {
            Base::Variable(variable) => {
                {
                    // What has not been stored to is unspecified, and need not be the same each time.
                    let any = wrap(scalar, i128::from(noise.rotate_left(self.steps % 64)));
                    self.variables[variable.index()].get(&index).copied().unwrap_or(any)
                }
            }
            Base::Slice(slice) => self.buffers.get(&(slice.index() as u32, index)).copied().unwrap_or(noise),
            Base::Local(_) | Base::Table(_) | Base::Parameter(_) | Base::Pointer(_) => noise,
        }
    }

    fn write(&mut self, place: &Place, index: u64, value: u64) {
        match place.base {
            Base::Variable(variable) => self.variables[variable.index()].insert(index, value),
            Base::Slice(slice) => self.buffers.insert((slice.index() as u32, index), value),
            Base::Local(_) | Base::Table(_) | Base::Parameter(_) | Base::Pointer(_) => None,
        };
    }
}

fn integer_math(math: Math, scalar: Scalar, operands: &[u64]) -> u64 {
    let ordered = |index: usize| extend(scalar, operands[index]);
    match math {
        Math::Min => wrap(scalar, ordered(0).min(ordered(1))),
        Math::Max => wrap(scalar, ordered(0).max(ordered(1))),
        Math::Popcount => operands[0].count_ones().into(),
        Math::Clz => u64::from(operands[0].leading_zeros() + scalar.bits()) - 64,
        other => unreachable!("{other:?} is not generated"),
    }
}
