//! Device functions and their calls.

use super::closure::{Callable, Passed};
use super::scope::{Lent, Slice, SliceKind, Use, Variable};
use super::{Generator, Make, Maker};
use crate::random::tree::{Expr, Item, Node, Type, fill};
use kernel_core::Scalar;

pub(super) const EXPRESSIONS: &[Maker<Make>] = &[(8, call)];

/// How many parts all functions may have together once calls are replaced by bodies.
pub(super) const MAX_INLINED: i32 = 1500;

/// How many parts a closure that is passed to a function is taken to have.
const COST_OF_CLOSURE: u64 = 30;

/// A device function.
#[derive(Clone, Debug)]
pub(super) struct Function {
    name: String,
    parameters: Vec<Parameter>,
    result: Type,
    /// How many parts a call adds.
    size: i32,
    /// How many parts run in a call, at most.
    cost: u64,
}

/// A parameter of a device function.
#[derive(Clone, Debug)]
enum Parameter {
    Value(Type),
    Reference(Type),
    MutableReference(Type),
    Slice(Scalar),
    /// A closure that only reads what is around it.
    Closure(Vec<Type>, Type),
}

impl Function {
    fn has_effect(&self) -> bool {
        self.parameters.iter().any(|parameter| matches!(parameter, Parameter::MutableReference(_)))
    }
}

impl Generator {
    /// Writes a device function, which may call those before it.
    pub(super) fn device_function(&mut self) {
        let result = self.ty();
        let constants: Vec<Variable> = self.scope.visible().map(|(_, constant)| constant.clone()).collect();
        let outer = std::mem::take(&mut self.scope);
        constants.into_iter().for_each(|constant| self.scope.define(constant));
        let name = self.name("call");
        let (mut parameters, mut declared) = (Vec::new(), Vec::new());
        for _ in 0..self.random.within(1, 4) {
            let (parameter, text) = self.parameter();
            parameters.push(parameter);
            declared.push(text);
        }
        if self.random.chance(35) {
            let (parameter, text) = self.closure_parameter_of_function();
            parameters.push(parameter);
            declared.push(text);
        }
        let (budget, inlined, cost) = (self.budget, self.inlined, self.cost);
        self.result = Some(result.clone());
        let body = self.block(&result, 5);
        self.result = None;
        self.callables.clear();
        self.scope = outer;
        let size = (budget - self.budget) + (inlined - self.inlined);
        let cost = self.cost - cost;
        let head = format!("pub fn {name}({}) -> {result} $", declared.join(", "));
        self.items.push(Item::new(fill(&head, vec![Node::Block(body)])));
        self.functions.push(Function { name, parameters, result, size, cost });
    }

    /// A parameter, defined for the body, and how it is declared.
    fn parameter(&mut self) -> (Parameter, String) {
        let ty = self.ty();
        let name = self.name("p");
        match self.random.below(10) {
            0..5 => {
                let mutable = self.random.chance(40);
                self.define(&name, &ty, mutable);
                let declared = format!("{}{name}: {ty}", if mutable { "mut " } else { "" });
                (Parameter::Value(ty), declared)
            }
            5 | 6 => {
                self.scope.define(Variable::reference(&name, ty.clone(), false));
                (Parameter::Reference(ty.clone()), format!("{name}: &{ty}"))
            }
            7 | 8 => {
                self.scope.define(Variable::reference(&name, ty.clone(), true));
                (Parameter::MutableReference(ty.clone()), format!("{name}: &mut {ty}"))
            }
            _ => {
                let element = self.scalar();
                self.scope.add_slice(Slice::new(name.clone(), element, SliceKind::Input));
                (Parameter::Slice(element), format!("{name}: &[{element}]"))
            }
        }
    }

    /// `f: impl Fn(A, B) -> C`. It is the last parameter, so that nothing that it borrows is borrowed after it.
    fn closure_parameter_of_function(&mut self) -> (Parameter, String) {
        let (name, result) = (self.name("closure"), self.ty());
        let parameters: Vec<Type> = (0..self.random.within(0, 2)).map(|_| self.ty()).collect();
        let types: Vec<String> = parameters.iter().map(Type::to_string).collect();
        let declared = format!("{name}: impl Fn({}) -> {result}", types.join(", "));
        let callable = Callable {
            name,
            parameters: parameters.clone(),
            result: result.clone(),
            has_effect: false,
            cost: COST_OF_CLOSURE,
        };
        self.callables.push(callable);
        (Parameter::Closure(parameters, result), declared)
    }

    /// A closure of few parts without effects.
    fn closure_argument(&mut self, parameters: &[Type], result: &Type) -> Expr {
        let parts = COST_OF_CLOSURE as i32 / 2;
        let spared = self.budget - self.budget.min(parts);
        self.budget -= spared;
        let parameters: Vec<(Type, Passed)> =
            parameters.iter().map(|ty| (ty.clone(), Passed::ByValue)).collect();
        let closure = self.without_effects(|g| g.closure(&parameters, result));
        self.budget += spared;
        closure
    }

    /// The argument for a parameter. What it borrows stays marked until `lent` is given back.
    fn call_argument(&mut self, parameter: &Parameter, lent: &mut Vec<(usize, Lent)>) -> Option<Expr> {
        match parameter {
            Parameter::Value(ty) => Some(self.value(ty)),
            Parameter::Reference(ty) => {
                let (lender, place) = self.place_in_variable(ty, Use::Read)?;
                lent.push((lender, self.scope.lend(lender, Lent::Shared)));
                Some(Expr { ty: ty.clone(), is_place: true, nodes: fill("&$", vec![place.into()]) })
            }
            Parameter::MutableReference(ty) => {
                let (lender, place) = self.place_in_variable(ty, Use::Write)?;
                lent.push((lender, self.scope.lend(lender, Lent::Exclusively)));
                Some(Expr { ty: ty.clone(), is_place: true, nodes: fill("&mut $", vec![place.into()]) })
            }
            Parameter::Slice(element) => self.slice_argument(*element),
            Parameter::Closure(parameters, result) => Some(self.closure_argument(parameters, result)),
        }
    }

    fn slice_argument(&mut self, element: Scalar) -> Option<Expr> {
        let is_input = |slice: &&Slice| slice.element == element && slice.kind.is_readable();
        let fitting: Vec<Slice> = self.scope.slices().filter(is_input).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let Slice { name, kind, .. } = self.random.pick(&fitting);
        let name = if kind == SliceKind::Tile { format!("&{name}[..]") } else { name };
        Some(Expr { ty: Type::Unit, is_place: true, nodes: vec![Node::Text(name)] })
    }
}

fn call(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let fitting: Vec<Function> = g
        .functions
        .iter()
        .filter(|function| function.result == *ty && g.may_repeat(function.cost / 50 + 1))
        .filter(|function| function.size <= g.inlined && !(g.pure && function.has_effect()))
        .cloned()
        .collect();
    if fitting.is_empty() {
        return None;
    }
    let Function { name, parameters, size, cost, .. } = g.random.pick(&fitting);
    let mut lent = Vec::new();
    let arguments: Option<Vec<Expr>> =
        parameters.iter().map(|parameter| g.call_argument(parameter, &mut lent)).collect();
    for (lender, before) in lent.into_iter().rev() {
        g.scope.lend(lender, before);
    }
    g.inlined -= size;
    g.cost += g.passes * cost;
    let mut nodes = vec![Node::from(format!("{name}("))];
    for argument in arguments? {
        nodes.extend([argument.into(), Node::from(", ")]);
    }
    nodes.push(")".into());
    Some(Expr { ty: ty.clone(), is_place: false, nodes })
}
