//! The methods that use an iterator up.

use super::Receiver;
use crate::infer::Infer;
use crate::infer::deferred::Requirement;
use crate::typed::{Consumer, Expr, ExprKind, Ty, VariableKind};
use kernel_core::semantics::BinaryOp;
use std::rc::Rc;
use syn::{ExprMethodCall, GenericArgument};

/// The consumer that a method is, and how many arguments it takes.
pub(super) fn consumer(name: &str) -> Option<(Consumer, usize)> {
    Some(match name {
        "sum" => (Consumer::Sum, 0),
        "product" => (Consumer::Product, 0),
        "count" => (Consumer::Count, 0),
        "len" => (Consumer::Len, 0),
        "remainder" | "into_remainder" | "as_slice" | "into_slice" => (Consumer::Rest, 0),
        "last" => (Consumer::Last, 0),
        "nth" => (Consumer::Nth, 1),
        "min" => (Consumer::Min, 0),
        "max" => (Consumer::Max, 0),
        "min_by_key" => (Consumer::MinByKey, 1),
        "max_by_key" => (Consumer::MaxByKey, 1),
        "for_each" => (Consumer::ForEach, 1),
        "fold" => (Consumer::Fold, 2),
        "reduce" => (Consumer::Reduce, 1),
        "any" => (Consumer::Any, 1),
        "all" => (Consumer::All, 1),
        "position" => (Consumer::Position, 1),
        "find" => (Consumer::Find, 1),
        "find_map" => (Consumer::FindMap, 1),
        _ => return None,
    })
}

impl Infer<'_> {
    pub(super) fn consume(
        &mut self,
        call: &ExprMethodCall,
        consumer: Consumer,
        receiver: Receiver,
    ) -> (ExprKind, Ty) {
        let item = receiver.item.clone();
        let (arguments, ty) = match consumer {
            Consumer::Sum => (Vec::new(), self.total(call, BinaryOp::Add, &item)),
            Consumer::Product => (Vec::new(), self.total(call, BinaryOp::Mul, &item)),
            Consumer::Count | Consumer::Len => (Vec::new(), Ty::USIZE),
            Consumer::Rest => match self.table.shallow(&item) {
                Ty::Reference { to, mutable } => {
                    let mutable = mutable && call.method == "into_slice";
                    (Vec::new(), Ty::Slice { element: to, mutable })
                }
                slice @ Ty::Slice { .. } => (Vec::new(), slice),
                _ => return self.wrong_iterator_call(call),
            },
            Consumer::Last => (Vec::new(), self.one_item(call, &receiver)),
            Consumer::Min | Consumer::Max => {
                let number = self.referred_type(&item);
                self.defer(Requirement::Binary(BinaryOp::Lt), &number, &call.method);
                (Vec::new(), self.one_item(call, &receiver))
            }
            Consumer::Nth => {
                let count = self.expr(&call.args[0]);
                self.coerce(&call.args[0], &count.ty, &Ty::USIZE);
                (vec![count], self.one_item(call, &receiver))
            }
            Consumer::Fold => {
                let first = self.expr(&call.args[0]);
                let ty = first.ty.clone();
                if let Some(wanted) = self.wanted_value(call) {
                    self.table.unify(&ty, &wanted);
                }
                let closure = self.callable_argument(&call.args[1], &(vec![ty.clone(), item], ty.clone()));
                self.defer(Requirement::Storable, &ty, &call.args[0]);
                (vec![first, closure], ty)
            }
            _ => {
                let (closure, ty) = self.consuming_closure(call, consumer, &receiver);
                (vec![closure], ty)
            }
        };
        if arguments.iter().any(|argument: &Expr| self.table.shallow(&argument.ty) == Ty::Error) {
            return (ExprKind::Error, ty);
        }
        let operands = [receiver.expr].into_iter().chain(arguments).collect();
        (ExprKind::Consume(consumer, operands), ty)
    }

    /// The consumers whose only argument is a closure.
    fn consuming_closure(
        &mut self,
        call: &ExprMethodCall,
        consumer: Consumer,
        receiver: &Receiver,
    ) -> (Expr, Ty) {
        let item = receiver.item.clone();
        let seen = Ty::Reference { to: Rc::new(item.clone()), mutable: false };
        let made = self.table.fresh(VariableKind::Any);
        let (parameters, closure_result) = match consumer {
            Consumer::ForEach => (vec![item.clone()], Ty::Unit),
            Consumer::Any | Consumer::All | Consumer::Position => (vec![item.clone()], Ty::BOOL),
            Consumer::Find => (vec![seen], Ty::BOOL),
            Consumer::FindMap => (vec![item.clone()], Ty::option(made.clone())),
            Consumer::Reduce => (vec![item.clone(), item.clone()], item.clone()),
            _ => (vec![seen], made.clone()),
        };
        let closure = self.callable_argument(&call.args[0], &(parameters, closure_result));
        let ty = match consumer {
            Consumer::ForEach => Ty::Unit,
            Consumer::Any | Consumer::All => Ty::BOOL,
            Consumer::Position => Ty::option(Ty::USIZE),
            Consumer::FindMap => {
                self.defer(Requirement::Storable, &made, &call.method);
                Ty::option(made)
            }
            Consumer::Reduce => {
                self.defer(Requirement::Storable, &item, &call.method);
                Ty::option(item)
            }
            Consumer::Find => self.one_item(call, receiver),
            _ => {
                // A key may be a reference to a number in the item.
                let key = self.referred_type(&made);
                self.defer(Requirement::Binary(BinaryOp::Lt), &key, &call.method);
                self.one_item(call, receiver)
            }
        };
        (closure, ty)
    }

    /// The type of `sum` and `product`: of numbers or references to numbers.
    fn total(&mut self, call: &ExprMethodCall, op: BinaryOp, item: &Ty) -> Ty {
        let number = self.referred_type(item);
        if let Some(turbofish) = &call.turbofish
            && let Some(GenericArgument::Type(written)) = turbofish.args.first()
        {
            let wanted = self.ty(written);
            self.coerce(written, &number, &wanted);
        }
        self.defer(Requirement::Binary(op), &number, &call.method);
        number
    }

    /// `Option` of one of the items: of a value, or of a reference to an element whose position is remembered.
    fn one_item(&mut self, call: &ExprMethodCall, receiver: &Receiver) -> Ty {
        if !receiver.access.is_element() {
            self.defer(Requirement::Storable, &receiver.item, &call.method);
        }
        Ty::option(receiver.item.clone())
    }
}
