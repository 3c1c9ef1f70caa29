//! Places: what can be indexed, stored to and borrowed.

use super::{FunctionLowering, Slot};
use crate::ir::{Base, Check, Handle, Index, Op, Place, Space, Type, Value};
use crate::typed::{Expr, ExprKind, Ty};
use kernel_core::{FaultKind, Scalar};

impl FunctionLowering<'_, '_, '_, '_> {
    /// The place that an expression names; a value without one is put into a variable.
    pub(super) fn place(&mut self, expr: &Expr) -> Place {
        let outer = std::mem::replace(&mut self.builder.span, expr.span);
        let place = match &expr.kind {
            ExprKind::Binding(binding) => match self.slots.get(binding).copied() {
                Some(Slot::Variable(variable)) => Place { base: Base::Variable(variable), path: Vec::new() },
                Some(Slot::Local(local)) => Place { base: Base::Local(local), path: Vec::new() },
                Some(Slot::Value(value)) => self.value_place(value),
                None => self.temporary(expr),
            },
            ExprKind::Index(base, index) => self.element(expr, base, index),
            _ if matches!(self.table.resolve(&expr.ty), Ty::Slice { .. }) => {
                let slice = self.value(expr);
                self.value_place(slice)
            }
            _ => self.temporary(expr),
        };
        self.builder.span = outer;
        place
    }

    /// A slice names its elements; any other value is copied to a variable.
    fn value_place(&mut self, value: Handle<Value>) -> Place {
        let ty = self.builder.type_of(value);
        if let Type::Slice { .. } = self.builder.module.types[ty] {
            return Place { base: Base::Slice(value), path: Vec::new() };
        }
        let variable = self.builder.variable("", ty);
        self.builder.store_variable(variable, value);
        Place { base: Base::Variable(variable), path: Vec::new() }
    }

    fn temporary(&mut self, expr: &Expr) -> Place {
        let variable = self.array_variable(expr, "");
        Place { base: Base::Variable(variable), path: Vec::new() }
    }

    fn element(&mut self, whole: &Expr, base: &Expr, index: &Expr) -> Place {
        let mut place = self.place(base);
        let index = self.value(index);
        let len = self.table.resolve(&base.ty).array().map(|(_, len)| u64::from(len));
        let in_range =
            matches!((len, self.builder.constant_of(index)), (Some(len), Some(index)) if index < len);
        // The fault is at the whole expression, as in Rust.
        self.builder.span = whole.span;
        let check = if in_range { Check::Proved } else { self.builder.check(FaultKind::IndexOutOfBounds) };
        place.path.push(Index { index, check });
        place
    }

    pub(super) fn load_place(&mut self, expr: &Expr) -> Option<Handle<Value>> {
        let ty = self.builder.module.stored_type(&self.table.resolve(&expr.ty));
        let place = self.place(expr);
        Some(self.builder.load(place, ty))
    }

    pub(super) fn len(&mut self, expr: &Expr) -> Handle<Value> {
        match self.table.resolve(&expr.ty).array() {
            Some((_, len)) => self.builder.constant(Scalar::Usize, u64::from(len)),
            None => {
                let slice = self.value(expr);
                let ty = self.builder.scalar_type(Scalar::Usize);
                self.builder.evaluate(ty, Op::Len(slice))
            }
        }
    }

    /// A slice of all elements of the array at a place.
    pub(super) fn borrow(&mut self, expr: &Expr, array: &Expr) -> Handle<Value> {
        let place = self.place(array);
        let space = match place.base {
            Base::Variable(_) => Space::Private,
            Base::Local(_) => Space::Local,
            Base::Slice(slice) => match self.builder.module.types[self.builder.type_of(slice)] {
                Type::Slice { space, .. } => space,
                _ => Space::Global,
            },
        };
        let mutable = matches!(self.table.resolve(&expr.ty), Ty::Slice { mutable: true, .. });
        let element = match self.table.resolve(&array.ty).element() {
            Some(element) => self.builder.module.stored_type(element),
            None => self.builder.scalar_type(Scalar::Usize),
        };
        let ty = self.builder.module.types.intern(Type::Slice { element, space, mutable });
        self.builder.evaluate(ty, Op::SliceOf(place))
    }
}
