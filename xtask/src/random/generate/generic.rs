//! Generic device functions, and traits of the program's own.

use super::{Generator, Make, Maker};
use crate::random::tree::{Expr, Item, Node, Type, expr};
use kernel_core::Scalar;

pub(super) const EXPRESSIONS: &[Maker<Make>] = &[(4, call), (3, call_with_array), (4, call_of_trait)];

/// What is generic in a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Generics {
    /// Functions of two numbers of a type.
    functions: Vec<String>,
    /// Functions of an array of numbers and a number.
    of_arrays: Vec<String>,
    /// Modules with a trait.
    traits: Vec<Trait>,
}

/// A module with a trait and a function of two types with that trait.
#[derive(Clone, Debug)]
struct Trait {
    module: String,
    implementors: Vec<Scalar>,
}

fn call(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let scalar = ty.scalar().filter(|&scalar| scalar != Scalar::Bool)?;
    let name = g.some_name(|generics| &generics.functions)?;
    let arguments = if g.random.chance(30) { format!("::<{scalar}>") } else { String::new() };
    Some(expr!(ty.clone(), format!("{name}{arguments}($, $)"), g.value(ty), g.value(ty)))
}

fn call_with_array(g: &mut Generator, ty: &Type) -> Option<Expr> {
    let scalar = ty.scalar().filter(|&scalar| scalar != Scalar::Bool)?;
    let name = g.some_name(|generics| &generics.of_arrays)?;
    let len = g.random.within(1, 4);
    let arguments = if g.random.chance(30) { format!("::<{scalar}, {len}>") } else { String::new() };
    let array = g.value(&Type::Array(Box::new(ty.clone()), len));
    Some(expr!(ty.clone(), format!("{name}{arguments}($, $)"), array, g.value(ty)))
}

fn call_of_trait(g: &mut Generator, ty: &Type) -> Option<Expr> {
    if *ty != Type::Scalar(Scalar::U32) || g.generics.traits.is_empty() {
        return None;
    }
    let Trait { module, implementors } = g.random.pick(&g.generics.traits);
    let (a, b) = (g.random.pick(&implementors), g.random.pick(&implementors));
    // The first is borrowed while the second is computed, which must therefore change nothing.
    let (a, b) = (g.value(&Type::Scalar(a)), g.pure_value(&Type::Scalar(b)));
    Some(expr!(ty.clone(), format!("{module}::both(&($), $)"), a, b))
}

impl Generator {
    fn some_name(&mut self, names: impl Fn(&Generics) -> &Vec<String>) -> Option<String> {
        let names = names(&self.generics).clone();
        if names.is_empty() || self.inlined < 40 {
            return None;
        }
        self.inlined -= 20;
        Some(self.random.pick(&names))
    }

    /// Writes some generic items, or none.
    pub(super) fn generic_items(&mut self) {
        match self.random.below(6) {
            0 => self.generic_function(),
            1 => self.function_of_arrays(),
            2 => self.own_trait(),
            _ => {}
        }
    }

    fn generic_function(&mut self) {
        let (name, body) = (self.name("generic"), self.generic_value(&["a", "b"], 3));
        let item = format!("pub fn {name}<T: Number>(a: T, b: T) -> T {{ {body} }}");
        self.items.push(Item::new(vec![Node::Text(item)]));
        self.generics.functions.push(name);
    }

    fn function_of_arrays(&mut self) {
        let (name, step) = (self.name("generic"), self.generic_value(&["sum", "x[k]", "b"], 2));
        let item = format!(
            "pub fn {name}<T: Number, const N: usize>(x: [T; N], b: T) -> T \
             {{ let mut sum = T::ZERO; let mut k = 0; while k < N {{ sum = {step}; k += 1; }} sum }}"
        );
        self.items.push(Item::new(vec![Node::Text(item)]));
        self.generics.of_arrays.push(name);
    }

    /// An expression of a generic number.
    fn generic_value(&mut self, leaves: &[&str], depth: u32) -> String {
        if depth == 0 {
            let constant = self.random.chance(20);
            return if constant {
                self.random.pick(&["T::ZERO", "T::ONE"])
            } else {
                self.random.pick(leaves)
            }
            .to_owned();
        }
        let (a, b) = (self.generic_value(leaves, depth - 1), self.generic_value(leaves, depth - 1));
        match self.random.below(5) {
            0 => format!("(if {a} < {b} {{ {b} }} else {{ {a} + T::ONE }})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b})"),
            _ => format!("({a} + {b})"),
        }
    }

    /// A module with a trait for a few scalars.
    fn own_trait(&mut self) {
        let (module, constant) = (self.name("traits"), self.random.below(1000));
        let mut implementors = Vec::new();
        let mut text = format!(
            "pub mod {module} {{ pub trait Own {{ const K: u32; fn own(&self, k: u32) -> u32; \
             fn twice(&self, k: u32) -> u32 {{ self.own(self.own(k) ^ Self::K) + {constant} }} }}"
        );
        for _ in 0..self.random.within(1, 3) {
            let scalar = self.scalar();
            if implementors.contains(&scalar) {
                continue;
            }
            let own = if scalar.is_float() { "(*self as i32 as u32)" } else { "(*self as u32)" };
            let (constant, operator) = (self.random.below(100), self.random.pick(&["+", "-", "*", "^", "|"]));
            let twice = if self.random.chance(30) {
                "fn twice(&self, k: u32) -> u32 { k - self.own(k) }"
            } else {
                ""
            };
            text += &format!(
                " impl Own for {scalar} {{ const K: u32 = {constant}; \
                 fn own(&self, k: u32) -> u32 {{ {own} {operator} k }} {twice} }}"
            );
            implementors.push(scalar);
        }
        text += " pub fn both<A: Own, B: Own>(a: &A, b: B) -> u32 { a.twice(B::K) * 31 + b.twice(A::K) } }";
        self.items.push(Item::new(vec![Node::Text(text)]));
        self.generics.traits.push(Trait { module, implementors });
    }
}
