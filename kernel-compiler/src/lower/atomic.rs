//! Atomics.
//!
//! The environment has atomic instructions for integers of 32 and 64 bits, and for floats where a device says so. All else is made of
//! these:
//!
//! - A float is loaded, stored and exchanged by its bits.
//! - What no instruction does is a loop that computes the new value and exchanges it, until nobody has come between.
//! - What is smaller than 32 bits is a part of the aligned 32 bits around it, which are accessed as a whole. In local memory, whose
//!   layout is our own, it has 32 bits to itself.

use super::memory::{Memory, Operand};
use super::{Builder, FunctionLowering, Lowering};
use crate::diagnostics::{Code, Diagnostic};
use crate::ir::{
    self, Atomic, AtomicAccess, AtomicOp, Base, Block, End, Handle, MemoryOrder, Op, Place, Scope, Space,
    Statement, Type, Value,
};
use crate::methods;
use crate::typed::{AtomicCall, AtomicMethod, Expr, Ty};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

impl Lowering<'_> {
    /// The type of a variable in local memory.
    pub(super) fn local_type(&mut self, ty: &Ty) -> Handle<Type> {
        match ty {
            Ty::Local(inner) => self.local_type(inner),
            Ty::Atomic(scalar) if scalar.size() < 4 => self.types.intern(Type::Scalar(Scalar::U32)),
            Ty::Array(element, len) if ty.is_atomic() => {
                let element = self.local_type(element);
                self.types.intern(Type::Array { element, len: len.length().unwrap_or(1) })
            }
            other => self.stored_type(other),
        }
    }
}

/// The number that an access is to: an integer, or a float in a native instruction.
#[derive(Clone)]
struct Cell {
    place: Place,
    scope: Scope,
    /// The integer with as many bits as are accessed.
    word: Scalar,
    /// Where in the word a smaller number starts; none if it fills it, or nothing else is in it.
    shift: Option<Handle<Value>>,
    /// The type of the number.
    scalar: Scalar,
}

impl Cell {
    /// Returns whether the number is smaller than the word.
    fn is_part(&self) -> bool {
        self.scalar.size() < self.word.size()
    }
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// A call of a method of an atomic.
    pub(super) fn atomic(&mut self, expr: &Expr, call: AtomicCall, operands: &[Expr]) -> Operand {
        let Some((cell, arguments)) = operands.split_first() else { return Operand::UNIT };
        let Ty::Atomic(scalar) = self.table.resolve(&cell.ty) else { return Operand::UNIT };
        let memory = self.place(cell);
        if arguments.iter().any(|argument| !self.is_speculatable(argument)) {
            self.check_now(&memory);
        }
        let arguments: Vec<_> = arguments.iter().map(|argument| self.value(argument)).collect();
        self.builder.span = expr.span;
        self.atomic_at(&memory, scalar, call, &arguments)
    }

    fn atomic_at(
        &mut self,
        memory: &Memory,
        scalar: Scalar,
        call: AtomicCall,
        arguments: &[Handle<Value>],
    ) -> Operand {
        let place = match memory {
            Memory::Place(place) => place.clone(),
            Memory::Choice { which, choices } => {
                return self.value_by_choice(*which, choices, &mut |lowering, choice| {
                    lowering.atomic_at(choice, scalar, call, arguments)
                });
            }
            _ => return self.lost_atomic(),
        };
        let scope = call.scope.unwrap_or(self.builder.scope_of(&place));
        if scalar.size() >= 4 {
            let cell = Cell { place, scope, word: self::word(scalar), shift: None, scalar };
            return self.builder.access(&cell, call, arguments);
        }
        let is_alone = self.builder.place_type(&place) == self.builder.scalar_type(Scalar::U32);
        if is_alone {
            let cell = Cell { place, scope, word: Scalar::U32, shift: None, scalar };
            return self.builder.access(&cell, call, arguments);
        }
        self.builder.access_to_part(place, scope, scalar, call, arguments)
    }

    /// An atomic of which it is not known where it is: code that is never reached, or that rustc refuses.
    fn lost_atomic(&mut self) -> Operand {
        if self.builder.is_reachable() {
            let at = crate::diagnostics::marker(self.builder.span);
            let error = Diagnostic::left_to_rustc(&at, "the compiler lost track of where this atomic is");
            self.builder.module.diagnostics.push(error);
        }
        Operand::Undefined
    }

    /// A scope that has been given to a reference, and no access follows.
    pub(super) fn scope_without_access(&mut self, cell: &Expr) -> Operand {
        let at = crate::diagnostics::marker(self.builder.span);
        let message = "a scope is for one access, which follows at once";
        let help = "write the access after it, as in `count.scope(Scope::WorkGroup).fetch_add(1, Ordering::Relaxed)`";
        let diagnostic = Diagnostic::new(Code::AtomicOrder, &at, message).help(help);
        self.builder.module.diagnostics.push(diagnostic);
        Operand::Reference(Box::new(self.place(cell)))
    }
}

impl Builder<'_, '_> {
    /// Those who share the memory of a place.
    fn scope_of(&self, place: &Place) -> Scope {
        let is_local = match place.base {
            Base::Local(_) => true,
            Base::Slice(slice) => {
                matches!(self.module.types[self.type_of(slice)], Type::Slice { space: Space::Local, .. })
            }
            _ => false,
        };
        if is_local { Scope::WorkGroup } else { Scope::Device }
    }

    /// An access to a number that is smaller than 32 bits, in the memory that the host passes.
    fn access_to_part(
        &mut self,
        place: Place,
        scope: Scope,
        scalar: Scalar,
        call: AtomicCall,
        arguments: &[Handle<Value>],
    ) -> Operand {
        let is_checked = place.is_checked();
        let element = self.place_type(&place);
        let [pointer_type, word_pointer] = [element, self.scalar_type(Scalar::U32)]
            .map(|element| self.module.types.intern(Type::Pointer { element, mutable: true, raw: true }));
        let pointer = self.evaluate(pointer_type, Op::Address(place));
        let address = self.bitcast(pointer, Scalar::Usize);
        // What is out of bounds has no address, and is left alone.
        let zero = self.constant(Scalar::Usize, 0);
        let is_there = if is_checked { Some(self.binary(BinaryOp::Ne, address, zero)) } else { None };
        let results: Vec<_> = result_types(call.method, scalar)
            .iter()
            .map(|scalar| {
                let zero = self.constant(*scalar, 0);
                self.variable_of(zero)
            })
            .collect();
        self.open();
        let three = self.constant(Scalar::Usize, 3);
        let byte = self.binary(BinaryOp::And, address, three);
        let size = self.constant(Scalar::U32, scalar.size().ilog2().into());
        let elements = self.binary(BinaryOp::Shr, byte, size);
        let count = self.binary(BinaryOp::Sub, zero, elements);
        let start = self.evaluate(pointer_type, Op::Offset { pointer, count, wraps: true });
        let start = self.evaluate(word_pointer, Op::Bitcast(start));
        let byte = self.cast(byte, Scalar::U32);
        let three = self.constant(Scalar::U32, 3);
        let shift = Some(self.binary(BinaryOp::Shl, byte, three));
        let place = Place { base: Base::Pointer(start), path: Vec::new() };
        let cell = Cell { place, scope, word: Scalar::U32, shift, scalar };
        let values = leaves(&self.access(&cell, call, arguments));
        for (variable, value) in results.iter().zip(&values) {
            self.store_variable(*variable, *value);
        }
        let access = self.close();
        match is_there {
            Some(condition) => {
                self.push(Statement::If { condition, accept: access, reject: empty(End::Next) })
            }
            None => self.splice(access),
        }
        let values = results.iter().map(|variable| self.load_variable(*variable)).collect::<Vec<_>>();
        match (call.method, &values[..]) {
            (AtomicMethod::CompareExchange(_), [failed, seen]) => exchanged(*failed, *seen),
            (_, [value]) => Operand::Value(*value),
            _ => Operand::UNIT,
        }
    }

    /// An access to a number that is known to be there, or is checked.
    fn access(&mut self, cell: &Cell, call: AtomicCall, arguments: &[Handle<Value>]) -> Operand {
        let AtomicCall { method, order, .. } = call;
        if let (AtomicMethod::CompareExchange(failure), [expected, new]) = (method, arguments) {
            return self.compare_exchange(cell, (order, failure), *expected, *new);
        }
        let argument = arguments.first().copied();
        let op = match (method, argument) {
            (AtomicMethod::Store, Some(value)) if !cell.is_part() => {
                let value = self.word_of(cell, value);
                self.instruction(cell, cell.word, AtomicAccess::Store(value), order);
                return Operand::UNIT;
            }
            (AtomicMethod::Store, Some(value)) => {
                self.exchange_loop(cell, (order, MemoryOrder::Relaxed), |_, _| (None, value));
                return Operand::UNIT;
            }
            (AtomicMethod::Swap, Some(value)) if !cell.is_part() => {
                let value = self.word_of(cell, value);
                let access = AtomicAccess::Update(AtomicOp::Exchange, value);
                let old = self.instruction(cell, cell.word, access, order);
                return Operand::Value(self.number_in(cell, old));
            }
            (AtomicMethod::Load, _) => {
                let word = self.instruction(cell, cell.word, AtomicAccess::Load, order);
                return Operand::Value(self.number_in(cell, word));
            }
            (AtomicMethod::Add, _) => AtomicOp::Add,
            (AtomicMethod::Sub, _) => AtomicOp::Sub,
            (AtomicMethod::Min, _) => AtomicOp::Min,
            (AtomicMethod::Max, _) => AtomicOp::Max,
            (AtomicMethod::And, _) => AtomicOp::And,
            (AtomicMethod::Or, _) => AtomicOp::Or,
            (AtomicMethod::Xor | AtomicMethod::Not, _) => AtomicOp::Xor,
            _ => AtomicOp::Exchange,
        };
        let value = match argument {
            Some(value) => value,
            // `fetch_not`.
            None => self.constant(cell.scalar, 1),
        };
        if let Some(old) = self.native_update(cell, method, op, value, order) {
            return Operand::Value(old);
        }
        let scalar = cell.scalar;
        let old = self.exchange_loop(cell, (order, MemoryOrder::Relaxed), |builder, old| {
            (None, builder.updated(method, scalar, old, value))
        });
        Operand::Value(old)
    }

    /// What a method makes of a number and its argument.
    fn updated(
        &mut self,
        method: AtomicMethod,
        scalar: Scalar,
        old: Handle<Value>,
        value: Handle<Value>,
    ) -> Handle<Value> {
        let op = match method {
            AtomicMethod::Add => BinaryOp::Add,
            AtomicMethod::Sub => BinaryOp::Sub,
            AtomicMethod::And | AtomicMethod::Nand => BinaryOp::And,
            AtomicMethod::Or => BinaryOp::Or,
            AtomicMethod::Xor | AtomicMethod::Not => BinaryOp::Xor,
            AtomicMethod::Min | AtomicMethod::Max => {
                let name = if method == AtomicMethod::Min { "min" } else { "max" };
                return match methods::find(scalar, name) {
                    Some(found) => match self.method(found, &[old, value], scalar) {
                        Operand::Value(value) => value,
                        _ => value,
                    },
                    None => value,
                };
            }
            _ => return value,
        };
        let result = self.binary(op, old, value);
        if method == AtomicMethod::Nand { self.unary(UnaryOp::Not, result) } else { result }
    }

    /// An update by an instruction of its own, where there is one.
    fn native_update(
        &mut self,
        cell: &Cell,
        method: AtomicMethod,
        op: AtomicOp,
        value: Handle<Value>,
        order: MemoryOrder,
    ) -> Option<Handle<Value>> {
        if matches!(method, AtomicMethod::Nand | AtomicMethod::Swap) {
            return None;
        }
        if cell.is_part() {
            let value = self.word_of(cell, value);
            let value = match op {
                AtomicOp::Or | AtomicOp::Xor => self.shifted(cell, value),
                AtomicOp::And => {
                    let mask = self.mask(cell);
                    let others = self.unary(UnaryOp::Not, mask);
                    let own = self.shifted(cell, value);
                    self.binary(BinaryOp::Or, own, others)
                }
                _ => return None,
            };
            let old = self.instruction(cell, cell.word, AtomicAccess::Update(op, value), order);
            return Some(self.number_in(cell, old));
        }
        if cell.scalar.is_float() && self.module.attributes.exchanges_floats {
            return None;
        }
        let (op, value) = match op {
            // The difference is the sum with the negated value, to the last bit.
            AtomicOp::Sub if cell.scalar.is_float() => (AtomicOp::Add, self.unary(UnaryOp::Neg, value)),
            op => (op, value),
        };
        Some(self.instruction(cell, cell.scalar, AtomicAccess::Update(op, value), order))
    }

    fn compare_exchange(
        &mut self,
        cell: &Cell,
        (success, failure): (MemoryOrder, MemoryOrder),
        expected: Handle<Value>,
        new: Handle<Value>,
    ) -> Operand {
        let expected = self.word_of(cell, expected);
        if !cell.is_part() {
            let new = self.word_of(cell, new);
            let access = AtomicAccess::CompareExchange { expected, new, failure };
            let seen = self.instruction(cell, cell.word, access, success);
            let failed = self.binary(BinaryOp::Ne, seen, expected);
            return exchanged(failed, self.number_in(cell, seen));
        }
        let seen = self.exchange_loop(cell, (success, failure), |builder, old| {
            let old = builder.word_of(cell, old);
            (Some(builder.binary(BinaryOp::Eq, old, expected)), new)
        });
        let word = self.word_of(cell, seen);
        let failed = self.binary(BinaryOp::Ne, word, expected);
        exchanged(failed, seen)
    }

    /// Changes a number to what `step` makes of it, until nobody has come between, or it says not to; gives what was there last.
    fn exchange_loop(
        &mut self,
        cell: &Cell,
        (success, failure): (MemoryOrder, MemoryOrder),
        step: impl FnOnce(&mut Self, Handle<Value>) -> (Option<Handle<Value>>, Handle<Value>),
    ) -> Handle<Value> {
        let first = self.instruction(cell, cell.word, AtomicAccess::Load, failure);
        let seen = self.variable_of(first);
        let label = self.fresh_label();
        self.open();
        let old = self.load_variable(seen);
        let number = self.number_in(cell, old);
        let (goes_on, new) = step(self, number);
        if let Some(condition) = goes_on {
            let (accept, reject) = (empty(End::Next), empty(End::Break(label)));
            self.push(Statement::If { condition, accept, reject });
        }
        let new = self.word_of(cell, new);
        let new = self.with_part(cell, old, new);
        let access = AtomicAccess::CompareExchange { expected: old, new, failure };
        let now = self.instruction(cell, cell.word, access, success);
        self.store_variable(seen, now);
        let condition = self.binary(BinaryOp::Eq, now, old);
        let (accept, reject) = (empty(End::Break(label)), empty(End::Next));
        self.push(Statement::If { condition, accept, reject });
        let body = self.close();
        self.push(Statement::Loop { label, body, continuing: empty(End::Next) });
        let last = self.load_variable(seen);
        self.number_in(cell, last)
    }

    fn instruction(
        &mut self,
        cell: &Cell,
        scalar: Scalar,
        access: AtomicAccess,
        order: MemoryOrder,
    ) -> Handle<Value> {
        let ty = self.scalar_type(scalar);
        let Cell { place, scope, .. } = cell;
        self.evaluate(ty, Op::Atomic(Atomic { place: place.clone(), access, scope: *scope, order }))
    }

    /// A number as an integer of the word's size, other bits zero.
    fn word_of(&mut self, cell: &Cell, value: Handle<Value>) -> Handle<Value> {
        let bits = match cell.scalar {
            scalar if scalar == cell.word => return value,
            Scalar::Bool => value,
            scalar => self.bitcast(value, self::word(scalar)),
        };
        self.cast(bits, cell.word)
    }

    /// The number that is in a word.
    fn number_in(&mut self, cell: &Cell, word: Handle<Value>) -> Handle<Value> {
        let bits = match cell.shift {
            Some(shift) => self.binary(BinaryOp::Shr, word, shift),
            None => word,
        };
        match cell.scalar {
            scalar if scalar == cell.word => bits,
            Scalar::Bool => {
                let byte = self.cast(bits, Scalar::U8);
                let zero = self.constant(Scalar::U8, 0);
                self.binary(BinaryOp::Ne, byte, zero)
            }
            scalar => {
                let bits = self.cast(bits, self::word(scalar));
                self.bitcast(bits, scalar)
            }
        }
    }

    /// A word with another number in it.
    fn with_part(&mut self, cell: &Cell, word: Handle<Value>, number: Handle<Value>) -> Handle<Value> {
        if cell.shift.is_none() {
            return number;
        }
        let mask = self.mask(cell);
        let others = self.unary(UnaryOp::Not, mask);
        let others = self.binary(BinaryOp::And, word, others);
        let own = self.shifted(cell, number);
        self.binary(BinaryOp::Or, others, own)
    }

    /// The bits of a word that are those of the number.
    fn mask(&mut self, cell: &Cell) -> Handle<Value> {
        let bits = self.constant(cell.word, u64::MAX >> (64 - 8 * cell.scalar.size()));
        self.shifted(cell, bits)
    }

    fn shifted(&mut self, cell: &Cell, bits: Handle<Value>) -> Handle<Value> {
        match cell.shift {
            Some(shift) => self.binary(BinaryOp::Shl, bits, shift),
            None => bits,
        }
    }
}

/// `Ok` or `Err` with what was there.
fn exchanged(failed: Handle<Value>, seen: Handle<Value>) -> Operand {
    let payload = || Operand::Tuple(vec![Operand::Value(seen)]);
    Operand::Tuple(vec![Operand::Value(failed), payload(), payload()])
}

/// The values of an access, without the second payload of an exchange, which is the same as the first.
fn leaves(operand: &Operand) -> Vec<Handle<Value>> {
    match operand {
        Operand::Value(value) => vec![*value],
        Operand::Tuple(parts) => parts.iter().take(2).flat_map(leaves).collect(),
        _ => Vec::new(),
    }
}

/// The types of the values that an access gives.
fn result_types(method: AtomicMethod, scalar: Scalar) -> Vec<Scalar> {
    match method {
        AtomicMethod::Store => Vec::new(),
        AtomicMethod::CompareExchange(_) => vec![Scalar::Bool, scalar],
        _ => vec![scalar],
    }
}

/// The unsigned integer with as many bits as a number.
fn word(scalar: Scalar) -> Scalar {
    match scalar.size() {
        1 => Scalar::U8,
        2 => Scalar::U16,
        4 => Scalar::U32,
        _ => Scalar::U64,
    }
}

fn empty(end: End) -> Block {
    ir::Block { statements: Vec::new(), end }
}
