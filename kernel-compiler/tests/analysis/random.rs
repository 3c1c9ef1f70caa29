//! Random kernels: integers, variables, branches, loops and checked accesses, shaped so that proofs are near at hand and often just wrong.

#[path = "../emit/builder.rs"]
#[allow(dead_code, reason = "the tests of emission use more of it")]
mod builder;

use builder::{Builder, Operand, variable};
use kernel_compiler::ir::{
    Base, Block, Check, End, Fault, Handle, Index, Label, Math, Module, Op, Place, Query, Statement, Variable,
};
use kernel_core::semantics::{BinaryOp, UnaryOp, overflow_fault};
use kernel_core::{FaultKind, Scalar};

/// A generator of pseudo-random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// The bits of an integer near one of the places where things change.
    pub(crate) fn integer(&mut self, scalar: Scalar) -> u64 {
        let mask = u64::MAX >> (64 - scalar.bits());
        let base = self.pick(&[0, 0, 0, 4, 8, 16, 255, mask, mask, mask / 2, 1 << 31, 1 << 32]);
        let offset = self.below(5) as u64;
        (if self.chance(70) { base.wrapping_add(offset) } else { base.wrapping_sub(offset) }) & mask
    }
}

const TYPES: [Scalar; 8] = [
    Scalar::Usize,
    Scalar::Usize,
    Scalar::Usize,
    Scalar::Usize,
    Scalar::U32,
    Scalar::I32,
    Scalar::U8,
    Scalar::I64,
];

/// A random kernel under construction.
struct Generator {
    random: Random,
    builder: Builder,
    /// The values that may be used here.
    scope: Vec<(Operand, Scalar)>,
    variables: Vec<(Handle<Variable>, Scalar)>,
    slices: Vec<Operand>,
    arrays: Vec<Handle<Variable>>,
    loops: Vec<Label>,
    labels: u32,
    /// How many statements may still be made.
    budget: u32,
}

/// A random kernel; its parameters are two slices and scalars.
pub(crate) fn kernel(seed: u64) -> Module {
    let mut random = Random(seed);
    let mut builder = Builder::kernel("random");
    if random.chance(40) {
        builder.module.attributes.group_size = Some([1 + random.below(8) as u32, 1, 1]);
    }
    let slices = ["x", "y"].map(|name| builder.slice(name, Scalar::U32, true)).to_vec();
    let scope = [Scalar::Usize, Scalar::Usize, Scalar::U32, Scalar::I32]
        .map(|scalar| (builder.scalar_parameter("p", scalar), scalar))
        .to_vec();
    let mut generator = Generator {
        random,
        builder,
        scope,
        variables: Vec::new(),
        slices,
        arrays: Vec::new(),
        loops: Vec::new(),
        labels: 0,
        budget: 40,
    };
    generator.declare();
    for _ in 0..6 {
        generator.statement();
    }
    generator.builder.finish()
}

impl Generator {
    fn declare(&mut self) {
        for scalar in [Scalar::Usize, Scalar::Usize, Scalar::U32, Scalar::I32, Scalar::Bool] {
            let ty = self.builder.scalar(scalar);
            let declared = self.builder.variable("v", ty);
            self.variables.push((declared, scalar));
            if self.random.chance(80) {
                let value = self.value(scalar, 1);
                self.builder.store(variable(declared), value);
            }
        }
        let element = self.builder.scalar(Scalar::U32);
        for len in [4, 16] {
            let ty = self.builder.array(element, len);
            self.arrays.push(self.builder.variable("a", ty));
        }
    }

    fn keep(&mut self, value: Operand, scalar: Scalar) -> Operand {
        self.scope.push((value, scalar));
        value
    }

    /// A value of a type, old or new.
    fn value(&mut self, scalar: Scalar, depth: u32) -> Operand {
        if scalar == Scalar::Bool {
            return self.condition(depth);
        }
        let known: Vec<_> =
            self.scope.iter().filter(|(_, known)| *known == scalar).map(|(value, _)| *value).collect();
        match self.random.below(if depth == 0 { 4 } else { 10 }) {
            0 => {
                let bits = self.random.integer(scalar);
                self.builder.constant(scalar, bits)
            }
            1 | 2 if !known.is_empty() => self.random.pick(&known),
            1..=3 => self.leaf(scalar),
            4..=7 => self.binary(scalar, depth - 1),
            8 => {
                let from = self.random.pick(&TYPES);
                let operand = self.value(from, depth - 1);
                let value = self.builder.cast(operand, scalar);
                self.keep(value, scalar)
            }
            _ => self.other(scalar, depth - 1),
        }
    }

    fn leaf(&mut self, scalar: Scalar) -> Operand {
        let variables: Vec<_> =
            self.variables.iter().filter(|(_, known)| *known == scalar).copied().collect();
        if !variables.is_empty() && self.random.chance(70) {
            let (chosen, _) = self.random.pick(&variables);
            let value = self.builder.load(variable(chosen));
            return self.keep(value, scalar);
        }
        let value = if self.random.chance(60) {
            let slice = self.random.pick(&self.slices.clone());
            self.builder.compute(Scalar::Usize, Op::Len(slice))
        } else {
            let query =
                self.random.pick(&[Query::GlobalId, Query::LocalId, Query::LocalSize, Query::GlobalSize]);
            self.builder.query(query, 0)
        };
        let value = if scalar == Scalar::Usize { value } else { self.builder.cast(value, scalar) };
        self.keep(value, scalar)
    }

    fn binary(&mut self, scalar: Scalar, depth: u32) -> Operand {
        use BinaryOp::{Add, And, Div, Mul, Or, Rem, Shl, Shr, Sub, Xor};
        let op =
            self.random.pick(&[Add, Add, Add, Sub, Sub, Mul, Div, Rem, Rem, And, And, Or, Xor, Shl, Shr]);
        let left = self.value(scalar, depth);
        let right = self.value(scalar, depth);
        let value = if matches!(op, Div | Rem) {
            let nonzero = self.builder.site(FaultKind::DivisionByZero);
            let overflow = if scalar.is_signed() {
                self.builder.site(FaultKind::DivisionOverflow)
            } else {
                Check::Proved
            };
            self.builder.checked_binary(op, left, right, nonzero, overflow)
        } else if let (Some(kind), true) = (overflow_fault(op), self.random.chance(50)) {
            let overflow = self.builder.site(kind);
            self.builder.checked_binary(op, left, right, Check::Proved, overflow)
        } else {
            self.builder.binary(op, left, right)
        };
        self.keep(value, scalar)
    }

    fn other(&mut self, scalar: Scalar, depth: u32) -> Operand {
        let [one, other] = [(); 2].map(|()| self.value(scalar, depth));
        let op = match self.random.below(6) {
            0 | 1 => Op::Math(Math::Min, vec![one, other]),
            2 => Op::Math(Math::Max, vec![one, other]),
            3 => Op::Math(self.random.pick(&[Math::Popcount, Math::Clz]), vec![one]),
            4 => Op::Unary(UnaryOp::Not, one),
            _ => Op::Select { condition: self.condition(depth), accept: one, reject: other },
        };
        let value = self.builder.compute(scalar, op);
        self.keep(value, scalar)
    }

    fn condition(&mut self, depth: u32) -> Operand {
        use BinaryOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
        let flags: Vec<_> =
            self.variables.iter().filter(|(_, scalar)| *scalar == Scalar::Bool).copied().collect();
        let value = match self.random.below(if depth == 0 { 6 } else { 9 }) {
            0 if !flags.is_empty() => self.builder.load(variable(flags[0].0)),
            0..=5 => {
                let scalar = self.random.pick(&TYPES);
                let [left, right] = [(); 2].map(|()| self.value(scalar, depth.min(1)));
                let op = self.random.pick(&[Lt, Lt, Lt, Le, Gt, Ge, Eq, Ne]);
                self.builder.binary(op, left, right)
            }
            6 => {
                let operand = self.condition(depth - 1);
                self.builder.unary(UnaryOp::Not, operand)
            }
            _ => {
                let [left, right] = [(); 2].map(|()| self.condition(depth - 1));
                let op = self.random.pick(&[And, And, Or]);
                self.builder.binary(op, left, right)
            }
        };
        self.keep(value, Scalar::Bool)
    }

    fn statement(&mut self) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        match self.random.below(15) {
            0 | 1 => self.assign(),
            2 => self.step(),
            3 | 4 => self.choose(),
            5 => self.guarded_access(),
            6 | 7 => self.access(),
            8 => self.count(),
            9 => self.repeat_while(),
            10 => self.repeat(),
            11 | 12 => self.access_rows(),
            13 => self.access_part(),
            _ => self.count_inclusively(),
        }
    }

    fn assign(&mut self) {
        let (chosen, scalar) = self.random.pick(&self.variables.clone());
        let value = self.value(scalar, 2);
        self.builder.store(variable(chosen), value);
    }

    /// `v += 1` and its like.
    fn step(&mut self) {
        let (chosen, scalar) = self.random.pick(&self.variables[..4]);
        let bits = self.random.pick(&[1, 1, 2, 16]);
        let by = self.builder.constant(scalar, bits);
        let old = self.builder.load(variable(chosen));
        use BinaryOp::{Add, Div, Mul, Shr, Sub};
        let op = self.random.pick(&[Add, Add, Sub, Mul, Div, Shr]);
        let new = self.builder.binary(op, old, by);
        self.builder.store(variable(chosen), new);
    }

    /// A block of a few statements, perhaps with a jump at its end.
    fn block(&mut self) -> Block {
        self.block_with(|_| {})
    }

    fn block_with(&mut self, first: impl FnOnce(&mut Self)) -> Block {
        let scope = self.scope.len();
        self.builder.begin();
        first(self);
        for _ in 0..self.random.below(4) {
            self.statement();
        }
        let end = match self.random.below(12) {
            0 => End::Return,
            1 if !self.loops.is_empty() => End::Break(self.random.pick(&self.loops.clone())),
            2 if !self.loops.is_empty() => End::Continue(self.random.pick(&self.loops.clone())),
            _ => End::Next,
        };
        self.scope.truncate(scope);
        self.builder.end(end)
    }

    fn choose(&mut self) {
        let condition = self.condition(2);
        let accept = self.block();
        let reject = if self.random.chance(50) { self.block() } else { empty(End::Next) };
        self.builder.push(Statement::If { condition, accept, reject });
    }

    /// Something to index, and its length as a value.
    fn indexed(&mut self) -> (Base, Operand) {
        if self.random.chance(50) {
            let slice = self.random.pick(&self.slices.clone());
            return (Base::Slice(slice), self.builder.compute(Scalar::Usize, Op::Len(slice)));
        }
        let position = self.random.below(2);
        (Base::Variable(self.arrays[position]), self.builder.constant(Scalar::Usize, [4, 16][position]))
    }

    fn access_to(&mut self, base: Base, index: Operand) {
        let check = self.builder.site(FaultKind::IndexOutOfBounds);
        let place = Place { base, path: vec![Index { index, check }.into()] };
        if self.random.chance(50) {
            let value = self.builder.load(place);
            self.keep(value, Scalar::U32);
        } else {
            let value = self.value(Scalar::U32, 0);
            self.builder.store(place, value);
        }
    }

    fn access(&mut self) {
        let (base, _) = self.indexed();
        let index = self.value(Scalar::Usize, 2);
        self.access_to(base, index);
    }

    /// `if i < x.len() { … x[i] … }`, perhaps with something that does not fit.
    fn guarded_access(&mut self) {
        let (base, len) = self.indexed();
        let index = self.value(Scalar::Usize, 2);
        let op = self.random.pick(&[BinaryOp::Lt, BinaryOp::Lt, BinaryOp::Lt, BinaryOp::Le, BinaryOp::Ge]);
        let condition = self.builder.binary(op, index, len);
        let accept = self.block_with(|this| {
            let index = if this.random.chance(60) { index } else { this.value(Scalar::Usize, 1) };
            this.access_to(base, index);
        });
        let leaves = self.random.chance(30);
        let reject = empty(if leaves { End::Return } else { End::Next });
        self.builder.push(Statement::If { condition, accept, reject });
        if self.random.chance(40) {
            self.access_to(base, index);
        }
    }

    /// `if row < rows && column < width && rows * width <= x.len() { … x[row * width + column] … }`, perhaps a little different.
    fn access_rows(&mut self) {
        use BinaryOp::{Add, And, Div, Le, Lt, Mul, Sub};
        let (base, len) = self.indexed();
        let narrow = if self.random.chance(60) { Scalar::U32 } else { Scalar::Usize };
        let [width, rows] = [(); 2].map(|()| {
            let value = self.value(narrow, 1);
            self.builder.cast(value, Scalar::Usize)
        });
        let [row, column] = [(); 2].map(|()| self.value(Scalar::Usize, 1));
        let rows = if self.random.chance(30) { self.builder.binary(Div, len, width) } else { rows };
        let area = self.builder.binary(Mul, rows, width);
        let conditions = [(row, rows, Lt), (column, width, Lt), (area, len, Le)];
        let conditions = conditions.map(|(left, right, op)| {
            let op = if self.random.chance(90) { op } else { Le };
            self.builder.binary(op, left, right)
        });
        let condition = self.builder.binary(And, conditions[0], conditions[1]);
        let condition = self.builder.binary(And, condition, conditions[2]);
        let accept = self.block_with(|this| {
            let start = this.builder.binary(Mul, row, width);
            let mut index = this.builder.binary(Add, start, column);
            if this.random.chance(40) {
                let one = this.builder.constant(Scalar::Usize, 1);
                let by = this.random.pick(&[one, width, column]);
                index = this.builder.binary(this.random.clone().pick(&[Add, Sub]), index, by);
            }
            this.access_to(base, index);
        });
        self.builder.push(Statement::If { condition, accept, reject: empty(End::Next) });
    }

    /// `let part = &x[start..end]; … part[i] …`, as lowering makes it: where the part is out of bounds, it is empty.
    fn access_part(&mut self) {
        use BinaryOp::{Add, And, Le, Lt, Mul, Sub};
        let slice = self.random.pick(&self.slices.clone());
        let of = self.builder.compute(Scalar::Usize, Op::Len(slice));
        let start = self.value(Scalar::Usize, 2);
        let by = self.value(Scalar::Usize, 1);
        let start = if self.random.chance(40) { self.builder.binary(Mul, start, by) } else { start };
        let end = match self.random.below(3) {
            0 => of,
            1 => self.builder.binary(Add, start, by),
            _ => self.value(Scalar::Usize, 1),
        };
        if self.random.chance(50) {
            let limit = self.random.pick(&[start, end]);
            let condition = self.builder.binary(Le, limit, of);
            self.break_or_return_unless(condition);
        }
        let in_order = self.builder.binary(Le, start, end);
        let is_inside = self.builder.binary(Le, end, of);
        let condition = self.builder.binary(And, in_order, is_inside);
        let zero = self.builder.constant(Scalar::Usize, 0);
        let check = self.builder.site(FaultKind::RangeEnd);
        let faults = vec![Fault { unless: None, check, values: [end, of], words: Vec::new() }];
        let holds = self.builder.compute(Scalar::Bool, Op::Require { condition, faults });
        let len = self.builder.binary(Sub, end, start);
        let [start, len] = [start, len].map(|accept| {
            self.builder.compute(Scalar::Usize, Op::Select { condition: holds, accept, reject: zero })
        });
        let ty = self.builder.type_of(slice);
        let part = self.builder.evaluate(ty, Op::SubSlice { slice, start, len });
        let index = self.random.pick(&[by, len, zero]);
        let index = if self.random.chance(50) { self.value(Scalar::Usize, 1) } else { index };
        let len = self.builder.compute(Scalar::Usize, Op::Len(part));
        let limit = self.random.pick(&[len, len, by]);
        let condition = self.builder.binary(Lt, index, limit);
        let accept = self.block_with(|this| this.access_to(Base::Slice(part), index));
        self.builder.push(Statement::If { condition, accept, reject: empty(End::Next) });
    }

    fn break_or_return_unless(&mut self, condition: Operand) {
        let end = match self.loops.last() {
            Some(&label) if self.random.chance(50) => End::Break(label),
            _ => End::Return,
        };
        self.builder.push(Statement::If { condition, accept: empty(End::Next), reject: empty(end) });
    }

    fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels)
    }

    /// The loop with a head that may leave it and a `continuing` block.
    fn looped(&mut self, head: impl FnOnce(&mut Self, Label), tail: impl FnOnce(&mut Self)) {
        let label = self.label();
        self.loops.push(label);
        let body = self.block_with(|this| head(this, label));
        self.loops.pop();
        let scope = self.scope.len();
        self.builder.begin();
        tail(self);
        self.scope.truncate(scope);
        let continuing = self.builder.end(End::Next);
        self.builder.push(Statement::Loop { label, body, continuing });
    }

    fn break_unless(&mut self, condition: Operand, label: Label) {
        let reject = empty(End::Break(label));
        self.builder.push(Statement::If { condition, accept: empty(End::Next), reject });
    }

    /// `for i in start..end`, as lowering makes it.
    fn count(&mut self) {
        let scalar = self.random.pick(&TYPES);
        let [start, end] = [(); 2].map(|()| self.value(scalar, 1));
        let (base, len) = self.indexed();
        let end = if scalar == Scalar::Usize && self.random.chance(50) { len } else { end };
        let ty = self.builder.scalar(scalar);
        let counter = self.builder.variable("i", ty);
        self.builder.store(variable(counter), start);
        if self.random.chance(20) {
            self.variables.push((counter, scalar));
        }
        self.looped(
            |this, label| {
                let current = this.builder.load(variable(counter));
                let condition = this.builder.binary(BinaryOp::Lt, current, end);
                this.break_unless(condition, label);
                this.keep(current, scalar);
                if scalar == Scalar::Usize && this.random.chance(60) {
                    this.access_to(base, current);
                }
            },
            |this| this.advance(counter, scalar),
        );
    }

    fn advance(&mut self, counter: Handle<Variable>, scalar: Scalar) {
        let bits = if self.random.chance(80) { 1 } else { 3 };
        let by = self.builder.constant(scalar, bits);
        let current = self.builder.load(variable(counter));
        let next = self.builder.binary(BinaryOp::Add, current, by);
        self.builder.store(variable(counter), next);
    }

    /// `for i in start..=end`, as lowering makes it.
    fn count_inclusively(&mut self) {
        let [start, end] = [(); 2].map(|()| self.value(Scalar::Usize, 1));
        let (base, _) = self.indexed();
        let [usize, bool] = [Scalar::Usize, Scalar::Bool].map(|scalar| self.builder.scalar(scalar));
        let (counter, more) = (self.builder.variable("i", usize), self.builder.variable("more", bool));
        self.builder.store(variable(counter), start);
        let condition = self.builder.binary(BinaryOp::Le, start, end);
        self.builder.store(variable(more), condition);
        self.looped(
            |this, label| {
                let current = this.builder.load(variable(counter));
                let condition = this.builder.load(variable(more));
                this.break_unless(condition, label);
                this.keep(current, Scalar::Usize);
                this.access_to(base, current);
            },
            |this| {
                let current = this.builder.load(variable(counter));
                let condition = this.builder.binary(BinaryOp::Lt, current, end);
                this.builder.store(variable(more), condition);
                this.advance(counter, Scalar::Usize);
            },
        );
    }

    fn repeat_while(&mut self) {
        let (base, len) = self.indexed();
        self.looped(
            |this, label| {
                let (chosen, _) = this.variables[this.random.below(2)];
                let current = this.builder.load(variable(chosen));
                let condition = if this.random.chance(50) {
                    this.builder.binary(BinaryOp::Lt, current, len)
                } else {
                    this.condition(1)
                };
                this.break_unless(condition, label);
                if this.random.chance(50) {
                    this.access_to(base, current);
                }
                this.step();
                if this.random.chance(50) {
                    this.access_to(base, current);
                }
            },
            |_| {},
        );
    }

    /// `loop`, left somewhere inside; some are labelled blocks, which do not repeat.
    fn repeat(&mut self) {
        let repeats = self.random.chance(60);
        self.looped(
            |this, label| {
                let condition = this.condition(1);
                this.break_unless(condition, label);
                this.access();
                this.step();
                if !repeats {
                    let condition = this.builder.constant(Scalar::Bool, 0);
                    this.break_unless(condition, label);
                }
            },
            |this| {
                if this.random.chance(30) {
                    this.step();
                }
            },
        );
    }
}

fn empty(end: End) -> Block {
    Block { statements: Vec::new(), end }
}
