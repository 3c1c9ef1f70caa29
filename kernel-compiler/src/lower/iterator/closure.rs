//! Iterators whose items a closure makes or chooses.

use super::traversal::{Body, Visit, Way};
use super::{Items, Scan, With};
use crate::ir::{self, End, Handle, Statement, Value};
use crate::lower::FunctionLowering;
use crate::lower::control::empty;
use crate::lower::memory::Operand;
use crate::typed::{Adaptor, RangeForm, Ty, VariantTest};
use kernel_core::semantics::UnaryOp;
use std::rc::Rc;

/// `Some` among the variants of `Option`.
const SOME: VariantTest = VariantTest { position: 1, discriminant: 1 };

impl<'b, 'm, 'p, 'f> FunctionLowering<'b, 'm, 'p, 'f> {
    /// What a closure makes of some values.
    pub(in crate::lower) fn called(&mut self, closure: &Operand, arguments: Vec<Operand>) -> Operand {
        let span = self.builder.span;
        self.call_closure(closure, arguments, span)
    }

    /// A reference to an item, as a closure sees it that does not take it.
    pub(super) fn borrow_item(&mut self, item: &Operand) -> Operand {
        Operand::Reference(Box::new(self.spill(item.clone())))
    }

    /// Returns whether an `Option` holds something, and what.
    pub(in crate::lower) fn option_parts(&mut self, option: Operand) -> (Handle<Value>, Operand) {
        let memory = self.spill(option);
        let is_some = self.is_variant(&memory, SOME);
        let payload = self.payload(&memory, Some(SOME)).element(0);
        (is_some, self.load(&payload))
    }

    /// An `Option` that holds something if a condition is met.
    pub(in crate::lower) fn option(is_some: Handle<Value>, payload: Operand) -> Operand {
        Operand::Tuple(vec![Operand::Value(is_some), Operand::UNIT, Operand::Tuple(vec![payload])])
    }

    pub(super) fn go_with_closure(&mut self, with: &With, way: Way, body: &mut Body<'b, 'm, 'p, 'f, '_>) {
        let With { adaptor, of, by } = with;
        match adaptor {
            Adaptor::Map => self.go_over(of, way, &mut |lowering, visit| {
                let item = lowering.called(by, vec![visit.item]);
                body(lowering, Visit { item, origin: None, ..visit });
            }),
            Adaptor::Inspect => self.go_over(of, way, &mut |lowering, visit| {
                let seen = lowering.borrow_item(&visit.item);
                lowering.called(by, vec![seen]);
                body(lowering, visit);
            }),
            Adaptor::Filter => self.go_over(of, way, &mut |lowering, visit| {
                let holds = lowering.holds(by, &visit.item);
                lowering.only_where(holds, |lowering| body(lowering, visit));
            }),
            Adaptor::FilterMap => self.go_over(of, way, &mut |lowering, visit| {
                let option = lowering.called(by, vec![visit.item]);
                let (is_some, item) = lowering.option_parts(option);
                let visit = Visit { item, origin: None, next: visit.next };
                lowering.only_where(is_some, |lowering| body(lowering, visit));
            }),
            Adaptor::TakeWhile => self.go_over(of, way, &mut |lowering, visit| {
                let holds = lowering.holds(by, &visit.item);
                lowering.break_unless(way.label, holds);
                body(lowering, visit);
            }),
            Adaptor::MapWhile => self.go_over(of, way, &mut |lowering, visit| {
                let option = lowering.called(by, vec![visit.item]);
                let (is_some, item) = lowering.option_parts(option);
                lowering.break_unless(way.label, is_some);
                body(lowering, Visit { item, origin: None, next: visit.next });
            }),
            Adaptor::SkipWhile => {
                let skips = self.flag(true);
                self.go_over(of, way, &mut |lowering, visit| {
                    // Once an item has been taken, the closure is asked no more.
                    let before = lowering.builder.load_variable(skips);
                    lowering.only_where(before, |lowering| {
                        let holds = lowering.holds(by, &visit.item);
                        lowering.builder.store_variable(skips, holds);
                    });
                    let still = lowering.builder.load_variable(skips);
                    lowering.go_on_if(still, visit.next);
                    body(lowering, visit);
                });
            }
        }
    }

    /// An iterator whose closures have variables of their own.
    pub(super) fn with_closures_copied(&mut self, items: &Items) -> Items {
        if !items.computes() {
            return items.clone();
        }
        if let Items::Pulled { .. } = items {
            let state = self.pull_state(items).map(Rc::new);
            return state.map_or(Items::Nothing, |state| Items::Pulled { state, is_borrowed: false });
        }
        let mut copy = items.clone();
        for part in copy.parts_mut() {
            *part = Rc::new(self.with_closures_copied(part));
        }
        if let Items::With(With { by, .. }) | Items::Scan(Scan { by, .. }) | Items::FromFn(by) = &mut copy {
            *by = self.copied_closures(by);
        }
        copy
    }

    /// Returns whether a closure holds for an item.
    pub(super) fn holds(&mut self, closure: &Operand, item: &Operand) -> Handle<Value> {
        let seen = self.borrow_item(item);
        let holds = self.called(closure, vec![seen]);
        self.scalar_operand(holds)
    }

    /// Does something where a condition holds.
    pub(super) fn only_where(&mut self, condition: Handle<Value>, then: impl FnOnce(&mut Self)) {
        self.builder.open();
        then(self);
        let accept = self.builder.close();
        self.builder.push(Statement::If { condition, accept, reject: empty() });
    }

    pub(super) fn negated(&mut self, condition: Handle<Value>) -> Handle<Value> {
        self.builder.unary(UnaryOp::Not, condition)
    }

    /// `scan`: the state is a variable, to which the closure has a reference.
    pub(super) fn go_with_state(&mut self, scan: &Scan, way: Way, body: &mut Body<'b, 'm, 'p, 'f, '_>) {
        let Some(state) = self.allocate(&scan.ty, "") else { return };
        self.store(&state, &scan.first);
        self.go_over(&scan.of, way, &mut |lowering, visit| {
            let reference = Operand::Reference(Box::new(state.clone()));
            let option = lowering.called(&scan.by, vec![reference, visit.item]);
            let (is_some, item) = lowering.option_parts(option);
            lowering.break_unless(way.label, is_some);
            body(lowering, Visit { item, origin: None, next: visit.next });
        });
    }

    /// `from_fn`: a loop that nothing bounds but the answers of the closure.
    pub(super) fn go_while_some(
        &mut self,
        by: &Operand,
        label: ir::Label,
        body: &mut Body<'b, 'm, 'p, 'f, '_>,
    ) {
        self.open_unbounded(label);
        let option = self.called(by, Vec::new());
        let (is_some, item) = self.option_parts(option);
        self.break_unless(label, is_some);
        body(self, Visit { item, origin: None, next: End::Continue(label) });
        let body = self.builder.close();
        self.builder.push(Statement::Loop { label, body, continuing: empty() });
    }

    /// What is to be gone over where a value of a type is.
    pub(super) fn items_of(&mut self, operand: Operand, ty: &Ty) -> Items {
        match (operand, ty) {
            (Operand::Iterator(items), _) => (*items).clone(),
            (Operand::Tuple(ends), Ty::Range(_, form)) => {
                let ends: Vec<_> = ends.into_iter().map(|end| self.scalar_operand(end)).collect();
                super::numbers_of(&ends, *form == RangeForm::Closed)
            }
            (option, Ty::Nominal(_)) => {
                let (is_some, payload) = self.option_parts(option);
                Items::Maybe { is_some, payload }
            }
            (Operand::Reference(memory), _) => Items::Elements { memory: *memory, by_reference: true },
            (array, Ty::Array(..)) => {
                let memory = self.spill(array);
                Items::Elements { memory, by_reference: false }
            }
            // Code that is never reached, or that rustc refuses.
            _ => Items::Nothing,
        }
    }
}
