//! Iterators over arrays, slices and ranges: what makes them, adaptors, and what they are used for.

use super::jump::Target;
use super::scope::{Lent, Use, Variable};
use super::{Generator, Make, MakeStatement, Maker};
use crate::random::tree::{Enum, Expr, Node, Statement, Type, fill, statement};
use kernel_core::Scalar;

pub(super) const EXPRESSIONS: &[Maker<Make>] =
    &[(4, folded), (3, summed), (2, counted), (2, tested), (3, chosen), (2, found)];

pub(super) const STATEMENTS: &[Maker<MakeStatement>] = &[(5, for_loop), (2, for_mutable)];

/// How many items an iterator has at most.
const MAX_ITEMS: usize = 8;

/// What comes from an iterator.
#[derive(Clone, Debug)]
enum Item {
    Value(Type),
    Reference(Type),
    Pair(Box<Item>, Box<Item>),
}

/// An iterator in the making.
struct Iter {
    nodes: Vec<Node>,
    item: Item,
    /// How many items come, at most.
    most: usize,
    /// Whether it can start from the end, and says how many items there are.
    is_exact: bool,
    /// Whether a closure makes the items; device code takes steps over these in one direction only.
    is_computed: bool,
    /// Variables that are borrowed as long as it is used, and how they were before.
    lent: Vec<(usize, Lent)>,
}

impl Item {
    /// The type of the item if it is a value.
    fn value(&self) -> Option<Type> {
        match self {
            Self::Value(ty) => Some(ty.clone()),
            Self::Reference(_) => None,
            Self::Pair(a, b) => Some(Type::Tuple(vec![a.value()?, b.value()?])),
        }
    }
}

impl Iter {
    fn then(mut self, template: &str, parts: Vec<Node>) -> Self {
        self.nodes.extend(fill(template, parts));
        self
    }
}

impl Generator {
    /// An iterator with some adaptors. Closures in it change nothing.
    fn iterator(&mut self, with_closures: bool) -> Option<Iter> {
        if self.pure || !self.may_repeat(MAX_ITEMS as u64) {
            return None;
        }
        let mut iter = self.source()?;
        for _ in 0..self.random.below(4) {
            iter = self.adapted(iter, with_closures);
        }
        Some(iter)
    }

    fn give_back(&mut self, lent: Vec<(usize, Lent)>) {
        for (lender, before) in lent.into_iter().rev() {
            self.scope.lend(lender, before);
        }
    }

    fn source(&mut self) -> Option<Iter> {
        match self.random.below(9) {
            8 => Some(self.endless_source()),
            0..3 => self.array_source(),
            3 | 4 => self.slice_source(),
            5 | 6 => {
                let ty = Type::Scalar(self.integer());
                let most = self.random.within(1, MAX_ITEMS);
                let range = self.range_of(&ty, most);
                let nodes = fill("($)", vec![range.into()]);
                // The length of a wide range is no `usize`.
                Some(Iter {
                    nodes,
                    item: Item::Value(ty),
                    most,
                    is_exact: false,
                    is_computed: false,
                    lent: Vec::new(),
                })
            }
            _ => {
                let (ty, most) = (self.ty(), self.random.within(1, 4));
                let array = self.value(&Type::Array(Box::new(ty.clone()), most));
                let nodes = fill("($).into_iter()", vec![array.into()]);
                Some(Iter {
                    nodes,
                    item: Item::Value(ty),
                    most,
                    is_exact: true,
                    is_computed: false,
                    lent: Vec::new(),
                })
            }
        }
    }

    /// `(a..).take(n)`
    fn endless_source(&mut self) -> Iter {
        let scalar = self.integer();
        let (ty, most) = (Type::Scalar(scalar), self.random.within(1, MAX_ITEMS));
        let start = self.literal(&ty);
        let step = self.random.pick(&["", "", ".step_by(2)"]);
        let nodes = fill(&format!("($..){step}.take({most})"), vec![start.into()]);
        Iter { nodes, item: Item::Value(ty), most, is_exact: false, is_computed: false, lent: Vec::new() }
    }

    /// `array.iter()`
    fn array_source(&mut self) -> Option<Iter> {
        let arrays = self.scope.visible_types(|ty| matches!(ty, Type::Array(_, len) if *len <= MAX_ITEMS));
        let array = if arrays.is_empty() { return None } else { self.random.pick(&arrays) };
        let Type::Array(element, most) = array.clone() else { return None };
        let (lender, place) = self.place_in_variable(&array, Use::Read)?;
        let lent = vec![(lender, self.scope.lend(lender, Lent::Shared))];
        let nodes = fill("($).iter()", vec![place.into()]);
        let iter =
            Iter { nodes, item: Item::Reference(*element), most, is_exact: true, is_computed: false, lent };
        Some(self.perhaps_copied(iter))
    }

    /// `slice.iter().take(n)`
    fn slice_source(&mut self) -> Option<Iter> {
        let slice = self.readable_slice()?;
        let most = self.random.within(1, MAX_ITEMS);
        let ty = Type::Scalar(slice.element);
        let start = self.random.pick(&["", "", ".skip(1)", ".step_by(2)", ".rev()"]);
        let nodes = vec![format!("{}.iter(){start}.take({most})", slice.name).into()];
        let iter = Iter {
            nodes,
            item: Item::Reference(ty),
            most,
            is_exact: true,
            is_computed: false,
            lent: Vec::new(),
        };
        Some(self.perhaps_copied(iter))
    }

    fn perhaps_copied(&mut self, iter: Iter) -> Iter {
        match iter.item.clone() {
            Item::Reference(ty) if self.random.chance(60) => {
                Iter { item: Item::Value(ty), ..iter.then(".copied()", Vec::new()) }
            }
            _ => iter,
        }
    }

    fn adapted(&mut self, iter: Iter, with_closures: bool) -> Iter {
        let count = self.random.within(0, 3);
        match self.random.below(if with_closures { 12 } else { 7 }) {
            0 if iter.is_exact => iter.then(".rev()", Vec::new()),
            0 | 1 => iter.then(&format!(".skip({count})"), Vec::new()),
            2 => iter.then(&format!(".take({count})"), Vec::new()),
            3 => {
                let is_exact = iter.is_exact && !iter.is_computed;
                Iter { is_exact, ..iter.then(&format!(".step_by({})", count + 1), Vec::new()) }
            }
            4 => {
                let item = Item::Pair(Box::new(Item::Value(Type::USIZE)), Box::new(iter.item.clone()));
                Iter { item, ..iter.then(".enumerate()", Vec::new()) }
            }
            5 | 6 => self.zipped(iter),
            7 | 8 => {
                let ty = self.ty();
                let closure = self.pure_item_closure(&iter, false, &ty);
                let item = Item::Value(ty);
                Iter { item, is_computed: true, ..iter.then(".map($)", vec![closure.into()]) }
            }
            9 | 10 => {
                let closure = self.pure_item_closure(&iter, true, &Type::BOOL);
                let method = self.random.pick(&["filter", "filter", "take_while", "skip_while"]);
                Iter { is_exact: false, ..iter.then(&format!(".{method}($)"), vec![closure.into()]) }
            }
            _ => {
                let ty = self.ty();
                let closure = self.pure_item_closure(&iter, false, &Enum::option(ty.clone()));
                let method = self.random.pick(&["filter_map", "map_while"]);
                let iter = iter.then(&format!(".{method}($)"), vec![closure.into()]);
                Iter { item: Item::Value(ty), is_exact: false, ..iter }
            }
        }
    }

    fn zipped(&mut self, mut iter: Iter) -> Iter {
        if self.random.chance(25) {
            return self.numbered(iter);
        }
        // Closures before it may have borrowed what it could change.
        let other = self.without_effects(|g| g.source());
        let Some(other) = other else { return iter };
        iter.lent.extend(other.lent);
        let item = Item::Pair(Box::new(iter.item.clone()), Box::new(other.item));
        let (most, is_exact) = (iter.most.min(other.most), iter.is_exact && other.is_exact);
        let is_computed = iter.is_computed || other.is_computed;
        iter.nodes.push(".zip(".into());
        iter.nodes.extend(other.nodes);
        Iter { item, most, is_exact, is_computed, ..iter.then(")", Vec::new()) }
    }

    /// `(a..).zip(iter)` or `iter.zip(a..)`, of which the first looks for a number more than the second.
    fn numbered(&mut self, mut iter: Iter) -> Iter {
        let ty = Type::Scalar(self.integer());
        let start = self.literal(&ty);
        let number = Box::new(Item::Value(ty));
        let (item, is_exact) = (Box::new(iter.item.clone()), false);
        if self.random.chance(50) {
            let item = Item::Pair(item, number);
            return Iter { item, is_exact, ..iter.then(".zip($..)", vec![start.into()]) };
        }
        let first = fill("($..).zip(", vec![start.into()]);
        iter.nodes.splice(0..0, first);
        Iter { item: Item::Pair(number, item), is_exact, ..iter.then(")", Vec::new()) }
    }

    /// A pattern for an item, with its variables.
    fn item_pattern(&mut self, item: &Item) -> (String, Vec<Variable>) {
        match item {
            Item::Value(ty) if self.random.chance(20) => self.irrefutable(ty),
            Item::Value(ty) => {
                let name = self.name("v");
                (name.clone(), vec![Variable::new(name, ty.clone(), false)])
            }
            Item::Reference(ty) => {
                let name = self.name("p");
                if self.random.chance(50) {
                    return (format!("&{name}"), vec![Variable::new(name, ty.clone(), false)]);
                }
                (name.clone(), vec![Variable::reference(name, ty.clone(), false)])
            }
            Item::Pair(a, b) => {
                let (first, mut variables) = self.item_pattern(a);
                let (second, others) = self.item_pattern(b);
                variables.extend(others);
                (format!("({first}, {second})"), variables)
            }
        }
    }

    fn item_closure(&mut self, iter: &Iter, by_reference: bool, result: &Type) -> Expr {
        let (pattern, variables) = self.item_pattern(&iter.item);
        let pattern = if by_reference { format!("&({pattern})") } else { pattern };
        self.in_passes(iter.most as u64, |g| g.closure_of(vec![(pattern, variables)], result))
    }

    fn pure_item_closure(&mut self, iter: &Iter, by_reference: bool, result: &Type) -> Expr {
        self.without_effects(|g| g.item_closure(iter, by_reference, result))
    }

    /// What uses up an iterator.
    fn ended(&mut self, iter: Iter, ty: &Type, template: &str, parts: Vec<Node>) -> Expr {
        let Iter { nodes, lent, .. } = iter.then(template, parts);
        self.give_back(lent);
        let nodes = [vec!["(".into()], nodes, vec![")".into()]].concat();
        Expr { ty: ty.clone(), is_place: false, nodes }
    }
}

/// `iter.fold(first, |sum, item| …)`
fn folded(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let first = g.pure_value(ty);
    let iter = g.iterator(true)?;
    let name = g.name("v");
    let (pattern, variables) = g.item_pattern(&iter.item);
    let sum = (name.clone(), vec![Variable::new(name, ty.clone(), false)]);
    let closure = g.without_effects(|g| {
        g.in_passes(iter.most as u64, |g| g.closure_of(vec![sum, (pattern, variables)], ty))
    });
    Some(g.ended(iter, ty, ".fold($, $)", vec![first.into(), closure.into()]))
}

/// `iter.map(…).sum::<T>()`
fn summed(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let scalar = ty.scalar().filter(|&scalar| scalar != Scalar::Bool)?;
    let iter = g.iterator(true)?;
    let closure = g.pure_item_closure(&iter, false, ty);
    let method = g.random.pick(&["sum", "sum", "product"]);
    Some(g.ended(iter, ty, &format!(".map($).{method}::<{scalar}>()"), vec![closure.into()]))
}

fn counted(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if *ty != Type::USIZE {
        return None;
    }
    let iter = g.iterator(true)?;
    Some(g.ended(iter, ty, ".count()", Vec::new()))
}

fn tested(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if *ty != Type::BOOL {
        return None;
    }
    let iter = g.iterator(true)?;
    let closure = g.pure_item_closure(&iter, false, ty);
    let method = g.random.pick(&["any", "all"]);
    Some(g.ended(iter, ty, &format!(".{method}($)"), vec![closure.into()]))
}

/// An item of an iterator, if there is one.
fn chosen(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let Type::Enum(own) = ty else { return None };
    let held = own.of_option()?.clone();
    let iter = g.iterator(true)?;
    let map = g.pure_item_closure(&iter, false, &held);
    let is_integer = held.scalar().is_some_and(Scalar::is_integer);
    let methods: &[&str] =
        if is_integer { &[".min()", ".max()", ".last()", ".nth(1)"] } else { &[".last()", ".nth(1)"] };
    let method = g.random.pick(methods);
    if g.random.chance(25) && iter.item.value().as_ref() == Some(&held) {
        return Some(g.ended(iter, ty, method, Vec::new()));
    }
    Some(g.ended(iter, ty, &format!(".map($){method}"), vec![map.into()]))
}

/// The place of an item, or the item itself.
fn found(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let Type::Enum(own) = ty else { return None };
    let held = own.of_option()?.clone();
    let iter = g.iterator(true)?;
    if held == Type::USIZE && g.random.chance(60) {
        let closure = g.pure_item_closure(&iter, false, &Type::BOOL);
        return Some(g.ended(iter, ty, ".position($)", vec![closure.into()]));
    }
    let closure = g.pure_item_closure(&iter, false, ty);
    Some(g.ended(iter, ty, ".find_map($)", vec![closure.into()]))
}

/// `for item in iter { … }`
fn for_loop(g: &mut Generator) -> Option<Statement> {
    let iter = g.iterator(false)?;
    let label = g.name("'l");
    let target = Target { label: label.clone(), is_loop: true, value: None };
    let (pattern, variables) = g.item_pattern(&iter.item);
    let body = g.in_passes(iter.most as u64, |g| {
        g.with_variables(variables, |g| g.inside(target, |g| g.unit_block(3)))
    });
    g.give_back(iter.lent);
    let nodes =
        [vec![format!("{label}: for {pattern} in ").into()], iter.nodes, vec![" ".into(), body.into()]];
    Some(Statement(nodes.concat()))
}

/// `for item in array.iter_mut() { … }`
fn for_mutable(g: &mut Generator) -> Option<Statement> {
    let arrays = g.scope.visible_types(|ty| matches!(ty, Type::Array(_, len) if *len <= MAX_ITEMS));
    let array = if arrays.is_empty() { return None } else { g.random.pick(&arrays) };
    let Type::Array(element, most) = array.clone() else { return None };
    if !g.may_repeat(most as u64) {
        return None;
    }
    let (lender, place) = g.place_in_variable(&array, Use::Write)?;
    let before = g.scope.lend(lender, Lent::Exclusively);
    let (name, number) = (g.name("p"), g.name("v"));
    let mut variables = vec![Variable::reference(&name, *element, true)];
    let template = match g.random.below(4) {
        0 => format!("for {name} in &mut $ $"),
        1 => format!("for {name} in ($).iter_mut().rev() $"),
        2 => {
            variables.push(Variable::new(&number, Type::USIZE, false));
            format!("for ({number}, {name}) in ($).iter_mut().enumerate() $")
        }
        _ => format!("for {name} in ($).iter_mut() $"),
    };
    let label = g.name("'l");
    let target = Target { label: label.clone(), is_loop: true, value: None };
    let body =
        g.in_passes(most as u64, |g| g.with_variables(variables, |g| g.inside(target, |g| g.unit_block(3))));
    g.scope.lend(lender, before);
    Some(statement!(format!("{label}: {template}"), place, body))
}
