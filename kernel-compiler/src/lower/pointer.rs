//! Raw pointers: addresses in global memory, which are values like numbers are. To other memory there are none, since what a pointer
//! points to need not be known when the kernel is compiled.

use super::memory::{Memory, Operand};
use super::{Builder, FunctionLowering, Lowering};
use crate::diagnostics::{Code, Diagnostic};
use crate::ir::{self, Base, Check, Handle, Index, Op, Place, Space, Type, Value};
use crate::typed::{Expr, PointerOp, Ty};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

impl Lowering<'_> {
    /// The type of all raw pointers to a type: whether one may be stored through is rustc's business.
    pub(super) fn pointer_type(&mut self, to: &Ty) -> Handle<Type> {
        let element = self.stored_type(to);
        self.types.intern(Type::Pointer { element, mutable: true, raw: true })
    }
}

impl Builder<'_, '_> {
    /// A raw pointer that the kernel was given.
    pub(super) fn pointer_argument(&mut self, position: u32, ty: Handle<Type>) -> Handle<Value> {
        let pointer = self.leaf(ty, Op::Parameter(position));
        let element = ir::pointee(&self.module.types, ty);
        let own = self.module.types.intern(Type::Pointer { element, mutable: true, raw: true });
        if own == ty { pointer } else { self.evaluate(own, Op::Bitcast(pointer)) }
    }

    /// What a raw pointer points to, if a value is one.
    pub(super) fn pointed_to(&self, value: Handle<Value>) -> Option<Memory> {
        let is_pointer = matches!(self.module.types[self.type_of(value)], Type::Pointer { .. });
        is_pointer.then(|| Memory::Place(Place { base: Base::Pointer(value), path: Vec::new() }))
    }

    fn is_global(&self, place: &Place) -> bool {
        match place.base {
            Base::Pointer(_) => true,
            Base::Slice(slice) => {
                matches!(self.module.types[self.type_of(slice)], Type::Slice { space: Space::Global, .. })
            }
            _ => false,
        }
    }
}

impl FunctionLowering<'_, '_, '_, '_> {
    pub(super) fn pointer(&mut self, expr: &Expr, op: PointerOp, operands: &[Expr]) -> Operand {
        let value = match (op, operands) {
            (PointerOp::ToPlace, [place]) => {
                let memory = self.place(place);
                self.pointer_to(expr, memory)
            }
            (PointerOp::ToReferent, [reference]) => {
                let memory = self.pointee(reference);
                self.pointer_to(expr, memory)
            }
            (PointerOp::ToElements, [elements]) => {
                let memory = self.indexed(elements);
                self.pointer_to(expr, memory)
            }
            (PointerOp::Cast, [pointer]) => {
                let pointer = self.pointer_value(pointer);
                let ty = self.type_of_pointer(expr);
                self.builder.evaluate(ty, Op::Bitcast(pointer))
            }
            (PointerOp::Address, [pointer]) => {
                let pointer = self.pointer_value(pointer);
                self.builder.bitcast(pointer, Scalar::Usize)
            }
            (PointerOp::Offset { back, wraps }, [pointer, count]) => self.offset(pointer, count, back, wraps),
            (PointerOp::Distance, [to, from]) => self.elements_between(to, from),
            (PointerOp::Write, [pointer, value]) => {
                let pointer = self.pointer_value(pointer);
                let operand = self.expr(value);
                if let Some(memory) = self.builder.pointed_to(pointer) {
                    self.store(&memory, &operand);
                }
                return Operand::UNIT;
            }
            (PointerOp::Slice, [pointer, len]) => return self.slice_at(expr, pointer, len),
            // A null pointer, or code that is never reached.
            _ => {
                let ty = self.type_of_pointer(expr);
                self.builder.leaf(ty, Op::Zero)
            }
        };
        Operand::Value(value)
    }

    fn type_of_pointer(&mut self, expr: &Expr) -> Handle<Type> {
        match self.table.resolve(&expr.ty) {
            Ty::Pointer { to, .. } => self.builder.module.pointer_type(&to),
            other => self.builder.module.pointer_type(&other),
        }
    }

    /// Lowers an expression whose value is a raw pointer.
    fn pointer_value(&mut self, expr: &Expr) -> Handle<Value> {
        match self.expr(expr) {
            Operand::Value(value) => value,
            // Control does not come here, or rustc has refused the program.
            _ => {
                let ty = self.type_of_pointer(expr);
                self.builder.leaf(ty, Op::Zero)
            }
        }
    }

    /// A pointer to memory, or to its first element if that is what the type of the expression says.
    fn pointer_to(&mut self, expr: &Expr, memory: Memory) -> Handle<Value> {
        let ty = self.type_of_pointer(expr);
        let element = ir::pointee(&self.builder.module.types, ty);
        match memory {
            Memory::Place(mut place) if self.builder.is_global(&place) => {
                if self.builder.place_type(&place) != element {
                    let index = self.builder.constant(Scalar::Usize, 0);
                    place.path.push(Index { index, check: Check::Proved }.into());
                }
                self.builder.evaluate(ty, Op::Address(place))
            }
            Memory::Choice { .. } => {
                self.builder.span = expr.span;
                self.refuse_reference();
                self.builder.leaf(ty, Op::Zero)
            }
            _ => {
                self.refuse_pointer(expr);
                self.builder.leaf(ty, Op::Zero)
            }
        }
    }

    fn refuse_pointer(&mut self, expr: &Expr) {
        if !self.builder.is_reachable() {
            return;
        }
        let at = crate::diagnostics::marker(expr.span);
        let message = "a raw pointer can only point to what the buffers among the arguments hold";
        let help = "a reference can refer to variables, local memory and constants too";
        let diagnostic = Diagnostic::new(Code::UnsupportedExpression, &at, message).help(help);
        self.builder.module.diagnostics.push(diagnostic);
    }

    fn offset(&mut self, pointer: &Expr, count: &Expr, back: bool, wraps: bool) -> Handle<Value> {
        let pointer = self.pointer_value(pointer);
        let mut count = self.value(count);
        if back {
            let zero = self.builder.integer_like(count, 0);
            count = self.builder.binary(BinaryOp::Sub, zero, count);
        }
        let ty = self.builder.type_of(pointer);
        self.builder.evaluate(ty, Op::Offset { pointer, count, wraps })
    }

    fn elements_between(&mut self, to: &Expr, from: &Expr) -> Handle<Value> {
        let [to, from] = [to, from].map(|pointer| self.pointer_value(pointer));
        let element = ir::pointee(&self.builder.module.types, self.builder.type_of(to));
        let size = self.builder.module.types.layout(element).size;
        let [to, from] = [to, from].map(|pointer| self.builder.bitcast(pointer, Scalar::Usize));
        let bytes = self.builder.binary(BinaryOp::Sub, to, from);
        let bytes = self.builder.cast(bytes, Scalar::Isize);
        let size = self.builder.constant(Scalar::Isize, size);
        self.builder.binary(BinaryOp::Div, bytes, size)
    }

    /// A slice of so many elements.
    fn slice_at(&mut self, expr: &Expr, pointer: &Expr, len: &Expr) -> Operand {
        let pointer = self.pointer_value(pointer);
        let len = self.value(len);
        let mutable = matches!(self.table.resolve(&expr.ty), Ty::Slice { mutable: true, .. });
        let element = ir::pointee(&self.builder.module.types, self.builder.type_of(pointer));
        let ty = self.builder.module.types.intern(Type::Slice { element, space: Space::Global, mutable });
        let slice = self.builder.evaluate(ty, Op::SliceFrom { pointer, len });
        Operand::Reference(Box::new(Memory::slice(slice)))
    }
}
