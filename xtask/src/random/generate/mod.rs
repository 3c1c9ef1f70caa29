//! Random programs.
//!
//! Each file is about one kind of construct and has tables of [`Maker`]s: functions that make an expression of a given type or
//! a statement, or decline. [`EXPRESSIONS`] and [`STATEMENTS`] list the tables; nothing else knows what constructs there are.
//!
//! Whatever is made is accepted by rustc: types fit, what is borrowed is left alone, and every loop ends after few passes, whatever
//! its operands are. It may panic, which must be a fault on a device.

mod agreement;
mod array;
mod assignment;
mod binding;
mod block;
mod branch;
mod cast;
mod closure;
mod constant;
mod counter;
mod definition;
mod digest;
mod function;
mod generic;
mod group;
mod half;
mod iterator;
mod jump;
mod kernel;
mod literal;
mod loops;
mod matching;
mod memory;
mod method;
mod nominal;
mod operator;
mod option;
mod part;
mod pattern;
mod position;
mod range;
mod reference;
mod scope;
mod tuple;
mod types;
mod vector;

pub(super) use kernel::program;

use super::prng::Random;
use super::tree::{Block, Expr, Item, Statement, Type};
use agreement::Agreement;
use closure::Callable;
use counter::Below;
use function::Function;
use generic::Generics;
use jump::Target;
use scope::Scope;

/// Makes an expression of a type, or declines.
type Make = fn(&mut Generator, &Type) -> Option<Expr>;

/// Makes a statement, or declines.
type MakeStatement = fn(&mut Generator) -> Option<Statement>;

/// A way to make something, and how often it is to be tried.
type Maker<M> = (u32, M);

/// All ways to make an expression.
const EXPRESSIONS: &[&[Maker<Make>]] = &[
    array::EXPRESSIONS,
    block::EXPRESSIONS,
    branch::EXPRESSIONS,
    cast::EXPRESSIONS,
    closure::EXPRESSIONS,
    constant::EXPRESSIONS,
    function::EXPRESSIONS,
    generic::EXPRESSIONS,
    half::EXPRESSIONS,
    iterator::EXPRESSIONS,
    loops::EXPRESSIONS,
    matching::EXPRESSIONS,
    memory::EXPRESSIONS,
    method::EXPRESSIONS,
    nominal::EXPRESSIONS,
    operator::EXPRESSIONS,
    option::EXPRESSIONS,
    position::EXPRESSIONS,
    reference::EXPRESSIONS,
    tuple::EXPRESSIONS,
    vector::EXPRESSIONS,
];

/// All ways to make a statement.
const STATEMENTS: &[&[Maker<MakeStatement>]] = &[
    assignment::STATEMENTS,
    binding::STATEMENTS,
    block::STATEMENTS,
    branch::STATEMENTS,
    closure::STATEMENTS,
    constant::STATEMENTS,
    counter::STATEMENTS,
    iterator::STATEMENTS,
    jump::STATEMENTS,
    loops::STATEMENTS,
    matching::STATEMENTS,
    part::STATEMENTS,
    range::STATEMENTS,
    reference::STATEMENTS,
];

/// The ways to make a statement that has no other statements in it.
const SIMPLE_STATEMENTS: &[&[Maker<MakeStatement>]] = &[assignment::STATEMENTS, binding::STATEMENTS];

/// The ways to make a statement to which all work-items of a group come together.
const STATEMENTS_OF_ALL: &[&[Maker<MakeStatement>]] = &[agreement::STATEMENTS, group::STATEMENTS];

/// How deeply expressions are nested at most, from a statement on.
const MAX_DEPTH: u32 = 5;

/// How deeply blocks are nested at most.
const MAX_NESTING: u32 = 4;

/// A program in the making.
pub(super) struct Generator {
    pub(super) random: Random,
    scope: Scope,
    /// What the work-items of a group agree on.
    agreement: Agreement,
    /// Whether the work-items of a group wait for each other in this program.
    has_groups: bool,
    /// Whether subgroups have a size that is known.
    has_subgroups: bool,
    /// The items so far.
    items: Vec<Item>,
    functions: Vec<Function>,
    generics: Generics,
    /// The closures that can be called here.
    callables: Vec<Callable>,
    /// The types that values mostly have here, so that there are several of each.
    palette: Vec<Type>,
    /// The counters of the loops around.
    below: Vec<Below>,
    /// What a jump can leave.
    targets: Vec<Target>,
    /// How many of those cannot be left without their label, since this is in the condition of a loop.
    around_condition: usize,
    /// The type of the function's result; none in a kernel.
    result: Option<Type>,
    /// How many parts the program may still get.
    budget: i32,
    /// How many parts calls may still add.
    inlined: i32,
    depth: u32,
    nesting: u32,
    /// Whether an expression must have no effect.
    pure: bool,
    /// How often what is made now runs, at most.
    passes: u64,
    /// How many parts run in all, at most; with what functions add.
    cost: u64,
    /// How many names there are.
    names: u32,
}

impl Generator {
    fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            scope: Scope::default(),
            agreement: Agreement::default(),
            has_groups: false,
            has_subgroups: false,
            items: Vec::new(),
            functions: Vec::new(),
            generics: Generics::default(),
            callables: Vec::new(),
            palette: Vec::new(),
            below: Vec::new(),
            targets: Vec::new(),
            around_condition: 0,
            result: None,
            budget: 0,
            inlined: 0,
            depth: 0,
            nesting: 0,
            pure: false,
            passes: 1,
            cost: 0,
            names: 0,
        }
    }

    /// A name that nothing has yet.
    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// Counts a part, and says whether there may be more.
    fn spend(&mut self) -> bool {
        self.budget -= 1;
        self.cost += self.passes;
        self.budget > 0
    }

    /// An expression of a type.
    fn value(&mut self, ty: &Type) -> Expr {
        let leaf = self.depth >= MAX_DEPTH || self.random.below(10) < 2 + self.depth as usize;
        if !self.spend() || leaf {
            return self.leaf(ty);
        }
        self.depth += 1;
        let made = (0..6).find_map(|_| {
            let make = choose(&mut self.random, EXPRESSIONS);
            make(self, ty)
        });
        self.depth -= 1;
        made.unwrap_or_else(|| self.leaf(ty))
    }

    /// A variable, one of another type that is cast, or a literal.
    fn leaf(&mut self, ty: &Type) -> Expr {
        if self.random.chance(15) {
            return self.literal(ty);
        }
        if let Some(place) = self.place(ty, scope::Use::Read) {
            return Expr { is_place: false, ..place };
        }
        if *ty == Type::BOOL {
            return operator::compared_variable(self).unwrap_or_else(|| self.literal(ty));
        }
        cast::cast_variable(self, ty).unwrap_or_else(|| self.literal(ty))
    }

    /// An expression of a type without effects.
    fn pure_value(&mut self, ty: &Type) -> Expr {
        self.without_effects(|generator| generator.value(ty))
    }

    /// Makes something that changes nothing.
    fn without_effects<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let pure = std::mem::replace(&mut self.pure, true);
        let made = make(self);
        self.pure = pure;
        made
    }

    /// A statement.
    fn statement(&mut self) -> Option<Statement> {
        if !self.spend() {
            return None;
        }
        let (tables, depth) = match self.nesting {
            MAX_NESTING.. => (SIMPLE_STATEMENTS, 0),
            // Small values leave room for more such statements.
            _ if self.agreement.all_come && self.random.chance(75) => (STATEMENTS_OF_ALL, 3),
            _ => (STATEMENTS, 0),
        };
        let depth = std::mem::replace(&mut self.depth, depth);
        let made = (0..6).find_map(|_| {
            let make = choose(&mut self.random, tables);
            make(self)
        });
        self.depth = depth;
        made
    }

    /// A few statements.
    fn statements(&mut self, most: usize) -> Vec<Statement> {
        let count = self.random.within(1, most);
        (0..count).filter_map(|_| self.statement()).collect()
    }

    /// A block with a value.
    fn block(&mut self, ty: &Type, most: usize) -> Block {
        self.nested(|g| {
            let statements = if g.random.chance(60) { g.statements(most) } else { Vec::new() };
            Block { statements, tail: Some(Box::new(g.value(ty))) }
        })
    }

    /// A block without a value.
    fn unit_block(&mut self, most: usize) -> Block {
        self.nested(|g| Block { statements: g.statements(most), tail: None })
    }

    /// Makes a block, whose variables are gone after it.
    fn nested(&mut self, make: impl FnOnce(&mut Self) -> Block) -> Block {
        let all_came = std::mem::replace(&mut self.agreement.all_come, false);
        self.nesting += 1;
        let block = self.in_scope(make);
        self.nesting -= 1;
        self.agreement.all_come = all_came;
        block
    }

    /// Makes something whose variables are gone after it, those on whose values a group agrees among them.
    fn in_scope<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let (mark, agreed) = (self.scope.mark(), self.agreement.scope.mark());
        let made = make(self);
        self.scope.leave(mark);
        self.agreement.scope.leave(agreed);
        made
    }

    /// Returns whether statements can be made here: there is room, and effects are allowed.
    fn may_nest(&self) -> bool {
        !self.pure && self.nesting < MAX_NESTING && self.budget > 8
    }
}

/// One of the makers in some tables.
fn choose<M: Copy>(random: &mut Random, tables: &[&[Maker<M>]]) -> M {
    let all: Vec<Maker<M>> = tables.iter().flat_map(|table| table.iter().copied()).collect();
    random.weighted(&all)
}
