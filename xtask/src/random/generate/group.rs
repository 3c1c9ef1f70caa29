//! What the work-items of a group do together: barriers, local memory, and the functions of `work_group` and `subgroup`.

use super::scope::{Slice, SliceKind};
use super::{Generator, MakeStatement, Maker};
use crate::random::tree::{Expr, Statement, Type, expr, statement};
use kernel_core::Scalar;

pub(super) const STATEMENTS: &[Maker<MakeStatement>] =
    &[(8, written), (3, combined), (2, tested), (2, handed_over), (4, of_subgroup), (1, barrier)];

/// How many elements a variable in local memory has, which is enough for each work-item of any launch.
const TILE: usize = 64;

/// How many elements of such a variable a work-item has to itself.
const PER_ITEM: usize = 3;

/// Reductions and scans, of numbers and of bits.
const WAYS: [&str; 3] = ["reduce", "scan_inclusive", "scan_exclusive"];
const OF_NUMBERS: [&str; 7] = ["add", "mul", "min", "max", "and", "or", "xor"];
const OF_BITS: [&str; 3] = ["and", "or", "xor"];

impl Generator {
    /// Declares a variable in local memory, which all work-items fill together.
    ///
    /// Between barriers a work-item writes to elements of its own, and nobody reads any. At all other times everybody may read everything.
    pub(super) fn tile(&mut self) -> Statement {
        let (element, name) = (self.scalar(), self.name("tile"));
        let input = self.readable_slice().filter(|input| input.element == element);
        let value = match input {
            Some(Slice { name: input, .. }) => format!("{input}[k % {input}.len()]"),
            None if element == Scalar::Bool => "k % 3 == 1".to_owned(),
            None => format!("k as {element}"),
        };
        self.scope.add_slice(Slice::new(name.clone(), element, SliceKind::Tile));
        statement!(format!(
            "let mut {name} = Local::<[{element}; {TILE}]>::new(); \
             {{ let mut k = local_id(0); while k < {TILE} {{ {name}[k] = {value}; k += local_size(0); }} }} \
             barrier();"
        ))
    }

    /// The index of an element that belongs to this work-item until the next barrier.
    fn own_of_tile(&mut self) -> String {
        let place = match self.random.below(4) {
            0 => "(local_size(0) - 1 - local_id(0))".to_owned(),
            1 => format!("((local_id(0) + {}) % local_size(0))", self.random.below(20)),
            _ => "local_id(0)".to_owned(),
        };
        let offset = self.random.below(PER_ITEM);
        match self.random.below(3) {
            0 => place,
            1 => format!("{place} * {PER_ITEM} + {offset}"),
            _ => format!("{place} + {offset} * local_size(0)"),
        }
    }

    /// Keeps the result of a function: in a new variable, or in a place where there is one.
    fn kept(&mut self, result: Expr) -> Statement {
        if self.random.chance(30)
            && let Some(place) = self.place(&result.ty, super::scope::Use::Write)
        {
            return statement!("$ = $;", place, result);
        }
        let name = self.name("v");
        self.define(&name, &result.ty, true);
        statement!(format!("let mut {name} = $;"), result)
    }

    /// Keeps a result that all of the group have.
    fn kept_by_all(&mut self, result: Expr) -> Statement {
        // The argument would not be the same for all in its place.
        let result = Expr { is_place: true, ..result };
        if self.random.chance(40) {
            return self.kept(result);
        }
        let name = self.name("u");
        self.define_agreed(&name, &result.ty);
        statement!(format!("let {name} = $;"), result)
    }

    /// What work-items can hand each other.
    fn value_to_hand_over(&mut self) -> Expr {
        let vector = self.some_type(|ty| matches!(ty, Type::Half | Type::Vector(..)));
        let vector = vector.filter(|ty| !matches!(ty, Type::Vector(Scalar::Bool, _)));
        let ty = match vector {
            Some(vector) if self.random.chance(50) => vector,
            _ => Type::Scalar(self.scalar()),
        };
        self.value(&ty)
    }

    /// A reduction or a scan without its argument, and its type.
    fn combination(&mut self) -> (String, Type) {
        let scalar = self.scalar();
        let (scalar, operations) = match scalar {
            Scalar::Bool => (scalar, &OF_BITS[..]),
            _ => (self.integer(), &OF_NUMBERS[..]),
        };
        let operation = self.random.pick(operations);
        let way = if scalar == Scalar::Bool { "reduce" } else { self.random.pick(&WAYS) };
        (format!("{way}_{operation}"), Type::Scalar(scalar))
    }
}

fn barrier(_: &mut Generator) -> Option<Statement> {
    Some(statement!("barrier();"))
}

/// Writes to local memory between two barriers, perhaps not everybody.
fn written(g: &mut Generator) -> Option<Statement> {
    let tiles = g.scope.slices().filter(|slice| slice.kind == SliceKind::Tile);
    let tiles: Vec<Slice> = tiles.cloned().collect();
    let Slice { name, element, .. } = if tiles.is_empty() { return None } else { g.random.pick(&tiles) };
    let ty = Type::Scalar(element);
    let (value, kept, own) = (g.value(&ty), g.name("t"), g.own_of_tile());
    let operator = match element {
        Scalar::Bool => g.random.pick(&["=", "=", "^="]),
        element if element.is_float() => "=",
        _ => g.random.pick(&["=", "=", "=", "^=", "|="]),
    };
    let write = format!("{name}[{own}] {operator} {kept};");
    if g.random.chance(30) {
        let (condition, known) = (g.value(&Type::BOOL), g.name("t"));
        let template =
            format!("{{ let {kept} = $; let {known} = $; barrier(); if {known} {{ {write} }} barrier(); }}");
        return Some(statement!(template, value, condition));
    }
    Some(statement!(format!("{{ let {kept} = $; barrier(); {write} barrier(); }}"), value))
}

fn combined(g: &mut Generator) -> Option<Statement> {
    let (function, ty) = g.combination();
    let result = expr!(ty.clone(), format!("work_group::{function}($)"), g.value(&ty));
    Some(if function.starts_with("reduce") { g.kept_by_all(result) } else { g.kept(result) })
}

fn tested(g: &mut Generator) -> Option<Statement> {
    let function = g.random.pick(&["any", "all"]);
    let result = expr!(Type::BOOL, format!("work_group::{function}($)"), g.value(&Type::BOOL));
    Some(g.kept_by_all(result))
}

fn handed_over(g: &mut Generator) -> Option<Statement> {
    let (value, id) = (g.value_to_hand_over(), g.agreed_value(&Type::USIZE));
    let result = expr!(value.ty.clone(), "work_group::broadcast($, $ % local_size(0))", value, id);
    Some(g.kept_by_all(result))
}

fn of_subgroup(g: &mut Generator) -> Option<Statement> {
    if !g.has_subgroups {
        return None;
    }
    let result = match g.random.below(6) {
        0 => {
            let query = g.random.pick(&["id", "count", "local_id", "size", "max_size"]);
            Expr { is_place: true, ..Expr::text(Type::USIZE, format!("subgroup::{query}()")) }
        }
        1 => {
            let function = g.random.pick(&["any", "all"]);
            expr!(Type::BOOL, format!("subgroup::{function}($)"), g.value(&Type::BOOL))
        }
        2 => expr!(Type::Scalar(Scalar::U64), "subgroup::ballot($)", g.value(&Type::BOOL)),
        3 => {
            let (value, id) = (g.value_to_hand_over(), g.agreed_value(&Type::USIZE));
            expr!(value.ty.clone(), "subgroup::broadcast($, $ % subgroup::size())", value, id)
        }
        4 => {
            let function = g.random.pick(&["shuffle", "shuffle_up", "shuffle_down", "shuffle_xor"]);
            let (value, place) = (g.value_to_hand_over(), g.value(&Type::USIZE));
            expr!(value.ty.clone(), format!("subgroup::{function}($, $ % 20)"), value, place)
        }
        _ => {
            let (function, ty) = g.combination();
            expr!(ty.clone(), format!("subgroup::{function}($)"), g.value(&ty))
        }
    };
    Some(g.kept(result))
}
