//! Closures: what a call of one becomes is its body, with the variables of the place where it was made.

use super::memory::{Memory, Operand};
use super::overflow::Author;
use super::{Exit, FunctionLowering};
use crate::hash::HashMap;
use crate::infer::{Inferred, Table};
use crate::ir::Handle;
use crate::typed::{Binding, Callee, Closure, Expr, ExprKind, Function, Pattern, Ty};
use proc_macro2::Span;
use std::rc::Rc;

/// A closure that has been made.
#[derive(Clone, Debug)]
pub(super) struct ClosureValue {
    closure: Rc<Closure>,
    /// That which answers from the last item on, where it is one that answers the items of an iterator. It has the same variables.
    back: Option<Rc<Closure>>,
    /// The function that made it.
    whole: Inferred,
    /// What the variables around it had become by then.
    slots: HashMap<Handle<Binding>, Memory>,
    /// Those of them that are its own, and that it may change from call to call.
    own: Vec<Handle<Binding>>,
    author: Author,
    /// The types of its parameters and of its result.
    signature: Vec<Ty>,
}

impl ClosureValue {
    /// Returns whether it is the same function.
    pub(super) fn is(&self, other: &Self) -> bool {
        let is_written_once =
            Rc::ptr_eq(&self.closure, &other.closure) && Rc::ptr_eq(&self.whole, &other.whole);
        is_written_once
            || self.author == other.author && self.called().is_some_and(|one| other.called() == Some(one))
    }

    /// The device function that it calls with its own arguments, if it does no more than that.
    fn called(&self) -> Option<Callee> {
        let ExprKind::Call(callee, arguments) = &self.closure.body.kind else { return None };
        let is_passed = |(pattern, argument): (&Pattern, &Expr)| match (pattern, &argument.kind) {
            (Pattern::Binding { binding, by_reference: false, inner: None }, ExprKind::Binding(passed)) => {
                binding == passed
            }
            _ => false,
        };
        let parameters = &self.closure.parameters;
        let is_plain = parameters.len() == arguments.len() && parameters.iter().zip(arguments).all(is_passed);
        let resolved = |ty| self.whole.1.resolve(ty);
        is_plain.then(|| Callee {
            id: callee.id.clone(),
            arguments: callee.arguments.iter().map(resolved).collect(),
        })
    }

    /// What it uses of the place where it was made, in the order of the definition.
    pub(super) fn memories(&mut self) -> Vec<&mut Memory> {
        let moved = &self.closure.moved;
        let mut found: Vec<_> = self
            .slots
            .iter_mut()
            .filter(|(binding, _)| moved.is_empty() || moved.contains(binding))
            .collect();
        found.sort_by_key(|(binding, _)| binding.index());
        found.into_iter().map(|(_, memory)| memory).collect()
    }

    /// Where its body is.
    pub(super) fn span(&self) -> Span {
        self.closure.body.span
    }

    pub(super) fn signature(&self) -> &[Ty] {
        &self.signature
    }

    /// The function by itself; none if it uses variables of the place where it was made.
    pub(super) fn without_variables(&self) -> Option<Self> {
        let alone = || Self { slots: HashMap::default(), own: Vec::new(), ..self.clone() };
        (!self.closure.captures).then(alone)
    }
}

impl Operand {
    /// A closure that answers the items of an iterator, with that which answers them from the last one on.
    pub(super) fn with_way_back(self, back: Option<&Expr>) -> Self {
        match (self, back.map(|back| &back.kind)) {
            (Self::Closure(value), Some(ExprKind::Closure(back))) => {
                Self::Closure(Rc::new(ClosureValue { back: Some(back.clone()), ..(*value).clone() }))
            }
            (other, _) => other,
        }
    }

    /// The closure that answers the items from the last one on.
    pub(super) fn way_back(&self) -> Self {
        match self {
            Self::Closure(value) => match &value.back {
                Some(back) => {
                    Self::Closure(Rc::new(ClosureValue { closure: back.clone(), ..(**value).clone() }))
                }
                None => self.clone(),
            },
            other => other.clone(),
        }
    }

    /// Returns whether it is, or has in it, a closure that changes what has been moved into it.
    pub(super) fn has_own_state(&self) -> bool {
        match self {
            Self::Closure(value) => !value.own.is_empty(),
            Self::Tuple(parts) => parts.iter().any(Self::has_own_state),
            _ => false,
        }
    }
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// Makes a closure. What is moved into it is copied now, once for all calls.
    pub(super) fn closure(&mut self, closure: &Rc<Closure>, ty: &Ty) -> Operand {
        let signature = match self.table.resolve(ty) {
            Ty::Closure(of) => of.signature.iter().map(|ty| self.table.resolve(ty)).collect(),
            Ty::Function(signature) => signature.to_vec(),
            _ => Vec::new(),
        };
        let own: Vec<_> = closure.moved.iter().copied().filter(|binding| self.may_change(*binding)).collect();
        let (closure, whole, author) = (closure.clone(), self.whole.clone(), self.builder.author);
        let slots = self.with_copies(self.slots.clone(), &own, &whole);
        Operand::Closure(Rc::new(ClosureValue { closure, back: None, whole, slots, own, author, signature }))
    }

    /// The variables of a function, of which some are copied.
    fn with_copies(
        &mut self,
        mut slots: HashMap<Handle<Binding>, Memory>,
        copied: &[Handle<Binding>],
        (function, table): &(Function, Table),
    ) -> HashMap<Handle<Binding>, Memory> {
        for binding in copied {
            let Some(memory) = slots.get(binding).cloned() else { continue };
            let operand = self.load(&memory);
            let copy = self.variable_for(&function.bindings[*binding], table, operand);
            slots.insert(*binding, copy);
        }
        slots
    }

    /// An operand in which each closure has variables of its own, with what is in them now.
    pub(super) fn copied_closures(&mut self, operand: &Operand) -> Operand {
        match operand {
            Operand::Closure(value) if !value.own.is_empty() => {
                let slots = self.with_copies(value.slots.clone(), &value.own, &value.whole);
                Operand::Closure(Rc::new(ClosureValue { slots, ..(**value).clone() }))
            }
            Operand::Tuple(parts) => {
                Operand::Tuple(parts.iter().map(|part| self.copied_closures(part)).collect())
            }
            other => other.clone(),
        }
    }

    pub(super) fn call_value(&mut self, expr: &Expr, callee: &Expr, arguments: &[Expr]) -> Operand {
        let ty = self.table.resolve(&callee.ty);
        let callee = match self.place(callee) {
            // A call changes the closure, and no copy of it.
            Memory::Value(callee) => callee,
            memory => self.load(&memory),
        };
        let arguments = arguments.iter().map(|argument| self.expr(argument)).collect();
        if let (Ty::Function(signature), Operand::Value(number)) = (&ty, &callee) {
            return self.call_numbered(*number, signature, arguments, expr.span);
        }
        self.call_closure(&callee, arguments, expr.span)
    }

    /// The result of a closure for these arguments.
    pub(super) fn call_closure(&mut self, callee: &Operand, arguments: Vec<Operand>, span: Span) -> Operand {
        let value = match callee {
            Operand::Closure(value) => value.clone(),
            Operand::Reference(memory) => {
                let Memory::Value(pointee) = &**memory else { return Operand::UNIT };
                return self.call_closure(pointee, arguments, span);
            }
            // Code that is never reached, or that rustc refuses.
            _ => return Operand::UNIT,
        };
        if self.is_too_large(span) {
            return Operand::UNIT;
        }
        let result: Ty = value.whole.1.resolve(&value.closure.result);
        self.written_by(value.author, &result, |builder, exit: Exit| {
            let mut lowering = FunctionLowering::new(&value.whole, builder, exit);
            lowering.slots = value.slots.clone();
            lowering.result = value.closure.result.clone();
            for (pattern, argument) in value.closure.parameters.iter().zip(arguments) {
                lowering.bind_pattern(pattern, &Memory::Value(argument));
            }
            let operand = lowering.expr(&value.closure.body);
            lowering.leaves_with(operand)
        })
    }
}
