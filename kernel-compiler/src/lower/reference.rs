//! References and slices of which only a running kernel knows what they refer to.
//!
//! Mostly that is known while a kernel is lowered, since calls are replaced by bodies: then a reference is no more than the memory that it refers to.
//! Where one is assigned, or comes out of one of several branches, a variable keeps the numbers that make the difference: the start and the length of a slice,
//! the indices on the way to an element. What the numbers are counted from, the [`Origin`], is known all the same. If a variable may have several, a number tells which
//! it is, and each access asks for it ([`Memory::Choice`]). So every access names the memory that it accesses, and whoever looks at
//! the code sees in which kind of memory that is.
//!
//! A loop may use a variable before the assignment to it that comes last in the text. So a kernel is lowered again until no reference has been stored whose origin was not known
//! at the start ([`Origins`]): once in kernels in which no variable keeps references.

use super::builder::{Builder, variable_place};
use super::flattened::Flattened;
use super::identity::{Identity, Node};
use super::list::List;
use super::memory::{Memory, Operand};
use super::slice::Part;
use super::{FunctionLowering, Lowering};
use crate::diagnostics::{Code, Diagnostic, marker};
use crate::hash::HashMap;
use crate::ir::{
    Base, Check, Handle, Index, LocalVariable, Op, Place, Statement, Step, Table, Type, Value, Variable,
};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;
use proc_macro2::Span;
use std::rc::Rc;

/// How many origins the references in a variable may have.
const MOST_ORIGINS: usize = 64;

/// How often a kernel is lowered at most: each time it takes the origins one assignment further.
const MOST_PASSES: usize = 256;

/// How many of these passes drop what they do not find again.
const PASSES_THAT_DROP: usize = 16;

/// How many of them use what is known of constants; what the others start from only grows.
const PASSES_WITH_CONSTANTS: usize = 64;

/// Where a reference leads, but for the numbers that a variable keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A part of these elements; the last two numbers are its start and its length.
    Part(Elements),
    /// `&[]` of a type; there are no numbers.
    Empty(Handle<Type>),
    /// A place; the numbers are those indices on the way that are no constants.
    Place(Path),
    /// What is kept in several arrays, or as several variables.
    Tuple(Vec<Origin>),
    /// What a reference leads to that never changes, as is that of an element of a list.
    Reference(Box<Origin>),
    /// Where copies of what references lead to are kept.
    BorrowedCopy(Box<Origin>),
    /// A part of a table that is always the same.
    OfTable { table: Handle<Table>, start: u64, len: u64 },
    /// Elements that are kept one by one; of a part of them, the last two numbers are its start and its length.
    List { all: Vec<Origin>, is_part: bool },
    /// The elements of a slice of so long arrays; the last two numbers are the start and the length of the part of them.
    Flattened { arrays: Box<Origin>, columns: u64 },
    /// A variable for references.
    Varying(Identity),
    /// One of several, of which the first number tells the position.
    Choice(Vec<Origin>),
}

/// All elements of a slice or an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Elements {
    /// The slice that is the parameter with this position.
    Parameter(u32),
    /// An array.
    Array(Path),
}

/// A way to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path {
    root: Root,
    steps: Vec<PathStep>,
}

/// Where a way starts.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Root {
    Variable(Identity),
    Local(Handle<LocalVariable>),
    Table(Handle<Table>),
    /// The parameter with this position, which is an array or a struct.
    Parameter(u32),
    /// What the parameter with this position refers to.
    BorrowedCopy(u32),
    /// Elements, of which the first step names one.
    Elements(Box<Elements>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PathStep {
    Member(u32),
    Constant(u64),
    /// To an element whose index is one of the numbers.
    Index,
}

/// What is known of the origins of the references in each variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins {
    known: HashMap<Identity, Vec<Origin>>,
    found: HashMap<Identity, Vec<Origin>>,
    /// The types of the other variables: those of the last pass, since a loop refers to what is made at its end, and those of this one.
    known_variables: HashMap<Identity, Handle<Type>>,
    variables: HashMap<Identity, Handle<Type>>,
    /// Where a reference was stored last whose origin was not known.
    surprise: Option<Span>,
}

/// What becomes of what a pass has known, and not found again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stale {
    /// It is dropped, as what came of not knowing enough; the last pass finds all that it has known.
    Dropped,
    /// It is kept, so that what is known only grows, and passes come to an end; a way that no reference leads to does no harm.
    Kept,
}

impl Origins {
    /// What the next pass starts from, and whether this one has found what it started from.
    fn next_pass(self, stale: Stale) -> (Self, bool) {
        let Self { known, found, known_variables, variables, surprise } = self;
        let is_complete = includes(&known, &found)
            && (stale == Stale::Kept || includes(&found, &known))
            && (found.is_empty() || variables.keys().all(|variable| known_variables.contains_key(variable)));
        let mut next = Self { known: found, known_variables: variables, surprise, ..Self::default() };
        for (variable, known) in known {
            let found = next.known.remove(&variable).unwrap_or_default();
            // Ways keep their positions.
            let (mut all, new): (Vec<_>, Vec<_>) = match stale {
                Stale::Kept => (known, found),
                Stale::Dropped => {
                    let is_found = |origin: &Origin| found.contains(origin);
                    (known.into_iter().filter(is_found).collect(), found)
                }
            };
            let is_new = |origin: &Origin| !all.contains(origin);
            let new: Vec<_> = new.into_iter().filter(is_new).collect();
            all.extend(new);
            if !all.is_empty() {
                next.known.insert(variable, all);
            }
        }
        if stale == Stale::Kept {
            next.known_variables.extend(known_variables);
        }
        (next, is_complete)
    }

    /// Returns whether this pass has come to a variable for references.
    pub(super) fn is_any_found(&self) -> bool {
        !self.found.is_empty()
    }

    /// Takes note of a variable for something else than references.
    pub(super) fn made(&mut self, variable: Identity, ty: Handle<Type>) {
        self.variables.insert(variable, ty);
    }
}

/// Returns whether there is each origin of the others.
fn includes(origins: &HashMap<Identity, Vec<Origin>>, others: &HashMap<Identity, Vec<Origin>>) -> bool {
    others.iter().all(|(variable, others)| {
        origins.get(variable).is_some_and(|origins| others.iter().all(|origin| origins.contains(origin)))
    })
}

impl Lowering<'_> {
    /// Lowers something until it is known what each variable for references may refer to.
    pub(super) fn until_settled<R>(&mut self, lower: impl Fn(&mut Self) -> R) -> R {
        let mut passes = 1;
        loop {
            let lowered = lower(self);
            let stale = if passes < PASSES_THAT_DROP { Stale::Dropped } else { Stale::Kept };
            let (origins, is_complete) = std::mem::take(&mut self.origins).next_pass(stale);
            if is_complete
                && !self.functions.has_grown()
                && !self.forms.has_grown()
                && self.constant_variables.is_settled()
            {
                return lowered;
            }
            if passes == MOST_PASSES {
                let span = origins.surprise.unwrap_or_else(Span::call_site);
                self.diagnostics.push(refused(span, "it is not found out which memory this may stand for"));
                return lowered;
            }
            let constants = std::mem::take(&mut self.constant_variables);
            if passes < PASSES_WITH_CONSTANTS {
                self.constant_variables = constants.next_pass(stale == Stale::Dropped);
            }
            *self = self.again(origins);
            passes += 1;
        }
    }

    /// The state before the first pass, but for what stays the same in all of them, or has handles that origins keep. Constants do not: their code too is only right once it is known what references may refer to.
    fn again(&mut self, origins: Origins) -> Self {
        self.callees.retain(|_, callee| callee.is_some());
        Self {
            origins,
            types: std::mem::take(&mut self.types),
            tables: std::mem::take(&mut self.tables),
            linked: std::mem::take(&mut self.linked),
            callees: std::mem::take(&mut self.callees),
            identities: std::mem::take(&mut self.identities).for_next_pass(),
            functions: std::mem::take(&mut self.functions).for_next_pass(),
            forms: std::mem::take(&mut self.forms).for_next_pass(),
            constant_variables: std::mem::take(&mut self.constant_variables),
            ..Self::new(self.program, self.attributes, self.is_export)
        }
    }
}

fn refused(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(Code::SliceValue, &marker(span), message)
        .help("choose between indices, or between elements, instead")
}

/// A variable for references.
#[derive(Debug)]
pub(super) struct Varying {
    identity: Identity,
    /// What it refers to for as long as nothing else is stored.
    fixed: Option<Operand>,
    /// Which of the ways it is.
    pub(super) which: Option<Handle<Variable>>,
    pub(super) ways: Vec<Way>,
}

/// An origin, with the variables for its numbers. These are always such that the memory is there: before the first store they are zero. Only the start and the
/// length of a part are shared by all ways that have nothing else, since the memory is looked at only where it is the one that is meant.
#[derive(Debug)]
pub(super) struct Way {
    origin: Origin,
    pub(super) numbers: Vec<Handle<Variable>>,
}

impl Origin {
    /// How many numbers go with it.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Part(elements) => elements.count() + 2,
            Self::Empty(_) | Self::Varying(_) | Self::OfTable { .. } => 0,
            Self::Place(path) => path.count(),
            Self::Tuple(parts) => parts.iter().map(Self::count).sum(),
            Self::Reference(to) | Self::BorrowedCopy(to) => to.count(),
            Self::Flattened { arrays, .. } => arrays.count() + 2,
            Self::List { all, is_part } => {
                all.iter().map(Self::count).sum::<usize>() + if *is_part { 2 } else { 0 }
            }
            Self::Choice(choices) => choices.iter().map(Self::count).sum::<usize>() + 1,
        }
    }
}

impl Origin {
    /// Returns whether it leads to no elements where its numbers are zero. A part of a table that is always the same has none.
    fn may_have_no_elements(&self) -> bool {
        match self {
            Self::Part(_) | Self::Flattened { .. } => true,
            Self::List { is_part, .. } => *is_part,
            Self::BorrowedCopy(to) => to.may_have_no_elements(),
            Self::Tuple(parts) => !parts.is_empty() && parts.iter().all(Self::may_have_no_elements),
            Self::Empty(_)
            | Self::Place(_)
            | Self::Varying(_)
            | Self::Choice(_)
            | Self::Reference(_)
            | Self::OfTable { .. } => false,
        }
    }

    /// Returns whether it leads to no elements, which are no elements of any part that a variable may refer to.
    fn is_empty(&self) -> bool {
        match self {
            Self::Empty(_) => true,
            Self::BorrowedCopy(to) => to.is_empty(),
            Self::Part(_)
            | Self::Place(_)
            | Self::Varying(_)
            | Self::Choice(_)
            | Self::Reference(_)
            | Self::OfTable { .. }
            | Self::Flattened { .. }
            | Self::List { .. } => false,
            Self::Tuple(parts) => parts.iter().all(Self::is_empty),
        }
    }
}

impl Elements {
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Parameter(_) => 0,
            Self::Array(path) => path.count(),
        }
    }
}

impl Path {
    fn count(&self) -> usize {
        let before = match &self.root {
            Root::Elements(elements) => elements.count(),
            _ => 0,
        };
        before + self.steps.iter().filter(|step| **step == PathStep::Index).count()
    }
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// A variable for references.
    pub(super) fn varying(&mut self, fixed: Option<Operand>) -> Memory {
        let identity = self.builder.module.identities.of(Node::References);
        let Some(known) = self.builder.module.origins.known.get(&identity).cloned() else {
            return self.builder.keep_varying(Varying { identity, fixed, which: None, ways: Vec::new() });
        };
        let has_part = known.iter().any(Origin::may_have_no_elements);
        let known: Vec<_> = known.into_iter().filter(|origin| !has_part || !origin.is_empty()).collect();
        let which = (known.len() > 1).then(|| self.builder.hidden_variable());
        let mut ways: Vec<Way> = Vec::new();
        for origin in known {
            let like = ways.iter().find(|way| way.origin.is_mere_part() && origin.is_mere_part());
            let numbers = match like {
                Some(way) => way.numbers.clone(),
                None => (0..origin.count()).map(|_| self.builder.hidden_variable()).collect(),
            };
            ways.push(Way { origin, numbers });
        }
        let memory = self.builder.keep_varying(Varying { identity, fixed: None, which, ways });
        if let Some(fixed) = fixed {
            self.store(&memory, &fixed);
        }
        memory
    }

    /// The reference in a variable.
    pub(super) fn load_varying(&mut self, varying: &Varying) -> Operand {
        if let Some(fixed) = &varying.fixed {
            return self.copied_closures(fixed);
        }
        let mut loaded = HashMap::default();
        let ways = varying.ways.iter();
        let mut choices: Vec<_> = ways.map(|way| self.builder.memory_of_way(way, &mut loaded)).collect();
        let memory = match (varying.which, choices.len()) {
            // Nothing has been stored: code that is never reached, or that is lowered again.
            (_, 0) => return Operand::Undefined,
            (Some(which), _) => Memory::Choice { which: self.builder.load_variable(which), choices },
            (None, _) => choices.swap_remove(0),
        };
        Operand::Reference(Box::new(memory))
    }

    /// Stores a reference to a variable.
    pub(super) fn store_varying(&mut self, varying: &Varying, memory: &Memory) {
        if !self.builder.is_reachable() {
            return;
        }
        if let Memory::Choice { which, choices } = memory
            && choices.len() <= MOST_ORIGINS
        {
            if !self.store_common_part(varying, *which, choices) {
                let store =
                    &mut |lowering: &mut Self, memory: &Memory| lowering.store_varying(varying, memory);
                self.by_choice(*which, choices, store);
            }
            return;
        }
        if let Memory::Value(Operand::Value(_)) = memory {
            let place = self.slices(memory);
            return if let Memory::Value(_) = place {
                self.refuse_reference()
            } else {
                self.store_varying(varying, &place)
            };
        }
        let mut numbers = Vec::new();
        let Some(origin) = self.builder.origin(memory, &mut numbers) else {
            return self.refuse_reference();
        };
        let Some(position) = self.way_of(varying, origin) else { return };
        let variables = &varying.ways[position].numbers;
        numbers.resize(variables.len(), self.builder.constant(Scalar::Usize, 0));
        for (variable, number) in variables.iter().zip(numbers) {
            self.builder.store_variable(*variable, number);
        }
        if let Some(which) = varying.which {
            let position = self.builder.constant(Scalar::Usize, position as u64);
            self.builder.store_variable(which, position);
        }
    }

    /// The position of the way that an origin is; none if that is not among them yet, and the code is lowered again.
    pub(super) fn way_of(&mut self, varying: &Varying, origin: Origin) -> Option<usize> {
        let is_way =
            |way: &Way| way.origin == origin || origin.is_empty() && way.origin.may_have_no_elements();
        let position = varying.ways.iter().position(is_way);
        if position.is_none() {
            self.builder.module.origins.surprise = Some(self.builder.span);
        }
        let found = self.builder.module.origins.found.entry(varying.identity).or_default();
        if !found.contains(&origin) {
            found.push(origin);
        }
        if found.len() > MOST_ORIGINS {
            self.refuse_reference_as("this may refer to more than 64 places in memory");
            return None;
        }
        position
    }

    /// Reports a reference that no variable can keep, or that may lead to several places where one has to be named.
    pub(super) fn refuse_reference(&mut self) {
        self.refuse_reference_as("which memory this stands for depends on a condition");
    }

    fn refuse_reference_as(&mut self, message: &str) {
        if self.builder.is_reachable() {
            let diagnostic = refused(self.builder.span, message);
            self.builder.module.diagnostics.push_once(diagnostic);
        }
    }

    /// What is in one of several places.
    pub(super) fn load_choice(&mut self, which: Handle<Value>, choices: &[Memory]) -> Operand {
        if let Some(copies) = copies(choices) {
            let operand = self.load_choice(which, &copies);
            return Operand::Reference(Box::new(self.spill(operand)));
        }
        if choices.iter().all(is_reference) {
            let followed = self.each_choice(which, choices, |lowering, choice| match lowering.load(choice) {
                Operand::Reference(to) => *to,
                _ => Memory::Value(Operand::Undefined),
            });
            return match followed {
                Memory::Value(_) => Operand::Undefined,
                followed => Operand::Reference(Box::new(followed)),
            };
        }
        if let Some(lists) = lists(choices) {
            let of_position = |position: usize| Memory::Choice {
                which,
                choices: lists.iter().map(|list| list.all[position].clone()).collect(),
            };
            let count = lists.iter().map(|list| list.all.len()).min().unwrap_or(0);
            return Operand::List((0..count).map(|position| self.load(&of_position(position))).collect());
        }
        if let Some(count) = choices.iter().find_map(parts_with_references) {
            let whole = Memory::Choice { which, choices: choices.to_vec() };
            return Operand::Tuple((0..count).map(|part| self.load(&whole.element(part))).collect());
        }
        self.value_by_choice(which, choices, &mut |lowering, choice| lowering.load(choice))
    }

    /// What code computes with that of several places which a number names.
    pub(super) fn value_by_choice(
        &mut self,
        which: Handle<Value>,
        choices: &[Memory],
        code: &mut dyn FnMut(&mut Self, &Memory) -> Operand,
    ) -> Operand {
        let mut result: Option<Memory> = None;
        self.by_choice(which, choices, &mut |lowering, choice| {
            let operand = code(lowering, choice);
            if matches!(operand, Operand::Undefined) {
                return;
            }
            match &result {
                Some(result) => lowering.store(result, &operand),
                None => result = Some(lowering.make_own(operand)),
            }
        });
        result.map_or(Operand::Undefined, |result| self.load(&result))
    }

    /// What becomes of each of several places.
    pub(super) fn each_choice(
        &mut self,
        which: Handle<Value>,
        choices: &[Memory],
        mut change: impl FnMut(&mut Self, &Memory) -> Memory,
    ) -> Memory {
        Memory::choice(which, choices.iter().map(|choice| change(self, choice)).collect())
    }

    /// Runs code for that of several places which a number names.
    pub(super) fn by_choice(
        &mut self,
        which: Handle<Value>,
        choices: &[Memory],
        code: &mut dyn FnMut(&mut Self, &Memory),
    ) {
        let Some((last, others)) = choices.split_last() else { return };
        self.by_choice_from(which, 0, (others, last), code);
    }

    fn by_choice_from(
        &mut self,
        which: Handle<Value>,
        position: u64,
        (others, last): (&[Memory], &Memory),
        code: &mut dyn FnMut(&mut Self, &Memory),
    ) {
        let around = self.builder.module.identities.enter(Node::Choice(position));
        let Some((first, others)) = others.split_first() else {
            code(self, last);
            return self.builder.module.identities.leave(around);
        };
        let position_of_first = self.builder.constant(Scalar::Usize, position);
        let condition = self.builder.binary(BinaryOp::Eq, which, position_of_first);
        self.builder.open();
        code(self, first);
        let accept = self.builder.close();
        self.builder.module.identities.leave(around);
        self.builder.open();
        self.by_choice_from(which, position + 1, (others, last), code);
        let reject = self.builder.close();
        self.builder.push(Statement::If { condition, accept, reject });
    }
}

/// The lists that these are, if they are, and whole.
fn lists(choices: &[Memory]) -> Option<Vec<&List>> {
    let lists = choices.iter().map(|choice| match choice {
        Memory::List(list) if list.is_whole() => Some(list),
        _ => None,
    });
    lists.collect()
}

/// What these references lead to, if they are shared ones, for some of which a copy of that is kept.
fn copies(choices: &[Memory]) -> Option<Vec<Memory>> {
    if !choices.iter().any(|choice| matches!(choice, Memory::BorrowedCopy(_))) {
        return None;
    }
    let copies = choices.iter().map(|choice| match choice {
        Memory::BorrowedCopy(to) | Memory::Value(Operand::Reference(to)) => Some((**to).clone()),
        _ => None,
    });
    copies.collect()
}

impl Memory {
    /// One of several places. What is not there is never looked at, so that something else may stand for it.
    pub(super) fn choice(which: Handle<Value>, choices: Vec<Self>) -> Self {
        let Some(some) = choices.iter().find(|choice| !is_undefined(choice)).cloned() else {
            return Self::Value(Operand::Undefined);
        };
        let choices =
            choices.into_iter().map(|choice| if is_undefined(&choice) { some.clone() } else { choice });
        Self::Choice { which, choices: choices.collect() }
    }

    /// The same for who only reads it: references that no variable has to keep, since nobody can store others.
    pub(super) fn frozen(self) -> Self {
        match self {
            Self::Varying(varying) => match &varying.fixed {
                Some(fixed) => Self::Value(fixed.clone()),
                None => Self::Varying(varying),
            },
            Self::List(list) if list.is_whole() => {
                Self::List(List::new(list.all.iter().cloned().map(Self::frozen)))
            }
            Self::Tuple(parts) => Self::Tuple(parts.into_iter().map(Self::frozen).collect()),
            other => other,
        }
    }
}

/// Returns whether there is nothing in memory, as at an element of no elements.
fn is_undefined(memory: &Memory) -> bool {
    match memory {
        Memory::Value(Operand::Undefined) => true,
        Memory::Tuple(parts) => !parts.is_empty() && parts.iter().all(is_undefined),
        _ => false,
    }
}

/// Returns whether there is a reference in memory, and nothing else.
fn is_reference(memory: &Memory) -> bool {
    match memory {
        Memory::Varying(_) | Memory::Value(Operand::Reference(_)) => true,
        Memory::Choice { choices, .. } => choices.iter().all(is_reference),
        _ => false,
    }
}

/// The number of parts of a tuple in which there are references.
fn parts_with_references(memory: &Memory) -> Option<usize> {
    match memory {
        Memory::Tuple(parts) if parts.iter().any(holds_references) => Some(parts.len()),
        Memory::Value(Operand::Tuple(parts)) if parts.iter().any(Operand::has_reference) => Some(parts.len()),
        _ => None,
    }
}

fn holds_references(memory: &Memory) -> bool {
    match memory {
        Memory::Varying(_) | Memory::Iterator(_) | Memory::List(_) | Memory::BorrowedCopy(_) => true,
        Memory::Tuple(parts) | Memory::Choice { choices: parts, .. } => parts.iter().any(holds_references),
        Memory::Flattened(Flattened { arrays, .. }) => holds_references(arrays),
        Memory::Value(operand) => operand.has_reference(),
        Memory::Place(_) => false,
    }
}

impl Builder<'_, '_> {
    /// A variable for one of the numbers.
    fn hidden_variable(&mut self) -> Handle<Variable> {
        let zero = self.constant(Scalar::Usize, 0);
        let ty = self.type_of(zero);
        let variable = self.variables.push(Variable { name: String::new(), ty });
        self.store_variable(variable, zero);
        variable
    }

    fn keep_varying(&mut self, varying: Varying) -> Memory {
        let varying = Rc::new(varying);
        self.varying.insert(varying.identity, varying.clone());
        Memory::Varying(varying)
    }

    /// The memory that the numbers of a way lead to, each of which is loaded once for all ways.
    fn memory_of_way(&mut self, way: &Way, loaded: &mut HashMap<Handle<Variable>, Handle<Value>>) -> Memory {
        let numbers = way.numbers.iter();
        let numbers: Vec<_> = numbers
            .map(|number| *loaded.entry(*number).or_insert_with(|| self.load_variable(*number)))
            .collect();
        self.memory_of_origin(&way.origin, &mut numbers.into_iter())
    }

    fn memory_of_origin(
        &mut self,
        origin: &Origin,
        numbers: &mut dyn Iterator<Item = Handle<Value>>,
    ) -> Memory {
        match origin {
            Origin::Tuple(parts) => {
                Memory::Tuple(parts.iter().map(|part| self.memory_of_origin(part, numbers)).collect())
            }
            Origin::Choice(choices) => {
                let which = self.next_number(numbers);
                let choices = choices.iter().map(|choice| self.memory_of_origin(choice, numbers)).collect();
                Memory::Choice { which, choices }
            }
            Origin::Reference(to) => {
                Memory::Value(Operand::Reference(Box::new(self.memory_of_origin(to, numbers))))
            }
            Origin::BorrowedCopy(to) => Memory::BorrowedCopy(Box::new(self.memory_of_origin(to, numbers))),
            Origin::OfTable { table, start, len } => self.part_of_table(*table, *start, *len),
            Origin::List { all, is_part } => {
                let list = List::new(all.iter().map(|element| self.memory_of_origin(element, numbers)));
                if !is_part {
                    return Memory::List(list);
                }
                let [start, len] = [(); 2].map(|()| self.next_number(numbers));
                Memory::List(list.with(Part { start, len }))
            }
            Origin::Flattened { arrays, columns } => {
                let arrays = Box::new(self.memory_of_origin(arrays, numbers));
                let [start, len] = [(); 2].map(|()| self.next_number(numbers));
                Memory::Flattened(Flattened { arrays, columns: *columns, part: Part { start, len } })
            }
            Origin::Empty(element) => self.no_elements(*element),
            Origin::Varying(identity) => match self.varying.get(identity) {
                Some(varying) => Memory::Varying(varying.clone()),
                None => Memory::Value(Operand::Undefined),
            },
            Origin::Place(path) => match self.place_of(path, numbers) {
                Some(place) => Memory::Place(place),
                None => Memory::Value(Operand::Undefined),
            },
            Origin::Part(elements) => {
                let Some(slice) = self.slice_of_elements(elements, numbers) else {
                    return Memory::Value(Operand::Undefined);
                };
                let [start, len] = [(); 2].map(|()| self.next_number(numbers));
                let ty = self.type_of(slice);
                Memory::slice(self.evaluate(ty, Op::SubSlice { slice, start, len }))
            }
        }
    }

    /// The variable of an identity, which may be made later; none if there is none any more.
    fn identified_variable(&mut self, identity: Identity) -> Option<Handle<Variable>> {
        if let Some(variable) = self.identified.get(&identity) {
            return Some(*variable);
        }
        let ty = *self.module.origins.known_variables.get(&identity)?;
        Some(self.identify(identity, ty))
    }

    fn next_number(&mut self, numbers: &mut dyn Iterator<Item = Handle<Value>>) -> Handle<Value> {
        numbers.next().unwrap_or_else(|| self.constant(Scalar::Usize, 0))
    }

    fn slice_of_elements(
        &mut self,
        elements: &Elements,
        numbers: &mut dyn Iterator<Item = Handle<Value>>,
    ) -> Option<Handle<Value>> {
        match elements {
            Elements::Parameter(position) => {
                let ty = self.module.parameters[*position as usize].ty;
                Some(self.leaf(ty, Op::Parameter(*position)))
            }
            Elements::Array(path) => {
                let place = self.place_of(path, numbers)?;
                self.slice_of(&place)
            }
        }
    }

    /// The place that a path and the numbers on it lead to; none if the path is of code that has become other code since.
    fn place_of(&mut self, path: &Path, numbers: &mut dyn Iterator<Item = Handle<Value>>) -> Option<Place> {
        let base = match &path.root {
            Root::Variable(identity) => Base::Variable(self.identified_variable(*identity)?),
            Root::Local(local) => Base::Local(*local),
            Root::Table(table) => Base::Table(*table),
            Root::Parameter(position) => Base::Parameter(*position),
            Root::BorrowedCopy(position) => {
                let ty = self.module.parameters[*position as usize].ty;
                Base::Pointer(self.leaf(ty, Op::Parameter(*position)))
            }
            Root::Elements(elements) => Base::Slice(self.slice_of_elements(elements, numbers)?),
        };
        let mut steps = Vec::new();
        for step in &path.steps {
            let index = match step {
                PathStep::Member(position) => {
                    steps.push(Step::Member(*position));
                    continue;
                }
                PathStep::Constant(index) => self.constant(Scalar::Usize, *index),
                PathStep::Index => self.next_number(numbers),
            };
            steps.push(Step::Index(Index { index, check: Check::Proved }));
        }
        Some(Place { base, path: steps })
    }

    /// The origin of memory, and the numbers that go with it; none if these do not make all of the difference.
    fn origin(&mut self, memory: &Memory, numbers: &mut Vec<Handle<Value>>) -> Option<Origin> {
        match memory {
            Memory::Place(Place { base: Base::Slice(slice), path }) if path.is_empty() => {
                if let Some(element) = self.empty_element(*slice) {
                    return Some(Origin::Empty(element));
                }
                let (elements, part) = self.part_of_elements(*slice, numbers)?;
                numbers.extend([part.start, part.len]);
                Some(Origin::Part(elements))
            }
            Memory::Place(place) => Some(Origin::Place(self.path(place, numbers)?)),
            Memory::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.origin(part, numbers));
                parts.collect::<Option<_>>().map(Origin::Tuple)
            }
            Memory::Varying(varying) => Some(Origin::Varying(varying.identity)),
            Memory::List(list) => {
                let all = list.all.iter().map(|element| match self.constant_part_of_table(element) {
                    Some(part) => Some(Origin::Reference(Box::new(part))),
                    None => self.origin(element, numbers),
                });
                let all = all.collect::<Option<_>>()?;
                numbers.extend(list.part.iter().flat_map(|part| [part.start, part.len]));
                Some(Origin::List { all, is_part: list.part.is_some() })
            }
            Memory::Flattened(Flattened { arrays, columns, part }) => {
                let arrays = Box::new(self.origin(arrays, numbers)?);
                numbers.extend([part.start, part.len]);
                Some(Origin::Flattened { arrays, columns: *columns })
            }
            Memory::Value(Operand::Reference(to)) => {
                Some(Origin::Reference(Box::new(self.origin(to, numbers)?)))
            }
            Memory::BorrowedCopy(to) => Some(Origin::BorrowedCopy(Box::new(self.origin(to, numbers)?))),
            Memory::Value(Operand::Tuple(parts)) => {
                let parts = parts.iter().map(|part| self.origin(&Memory::Value(part.clone()), numbers));
                parts.collect::<Option<_>>().map(Origin::Tuple)
            }
            Memory::Choice { which, choices } => {
                numbers.push(*which);
                let choices = choices.iter().map(|choice| self.origin(choice, numbers));
                choices.collect::<Option<_>>().map(Origin::Choice)
            }
            _ => None,
        }
    }

    /// `&[]`: no elements of an array that nothing else leads to.
    pub(super) fn no_elements(&mut self, element: Handle<Type>) -> Memory {
        let array = self.module.types.intern(Type::Array { element, len: 1 });
        let variable = self.variables.push(Variable { name: String::new(), ty: array });
        self.empty_arrays.push(variable);
        let zero = self.constant(Scalar::Usize, 0);
        match self.slice_of(&variable_place(variable)) {
            Some(slice) => {
                let ty = self.type_of(slice);
                Memory::slice(self.evaluate(ty, Op::SubSlice { slice, start: zero, len: zero }))
            }
            None => Memory::Value(Operand::Undefined),
        }
    }

    /// The type of the elements that a slice would have, if it is made of `&[]`.
    pub(super) fn empty_element(&self, slice: Handle<Value>) -> Option<Handle<Type>> {
        let (whole, _) = self.whole_of(slice);
        let Op::SliceOf(Place { base: Base::Variable(array), .. }) = self.values[whole].op else {
            return None;
        };
        match self.module.types[self.values[whole].ty] {
            Type::Slice { element, .. } if self.empty_arrays.contains(&array) => Some(element),
            _ => None,
        }
    }

    /// What a slice is a part of, and where the parts between start, the innermost first.
    pub(super) fn whole_of(&self, slice: Handle<Value>) -> (Handle<Value>, Vec<Handle<Value>>) {
        let (mut whole, mut starts) = (slice, Vec::new());
        while let Op::SubSlice { slice, start, .. } = self.values[whole].op {
            whole = slice;
            starts.push(start);
        }
        (whole, starts)
    }

    pub(super) fn sum_of_starts(&mut self, starts: &[Handle<Value>]) -> Handle<Value> {
        let sum = starts.iter().copied().reduce(|sum, further| self.binary(BinaryOp::Add, further, sum));
        sum.unwrap_or_else(|| self.constant(Scalar::Usize, 0))
    }

    /// The elements that a whole slice has.
    pub(super) fn elements_of(
        &mut self,
        whole: Handle<Value>,
        numbers: &mut Vec<Handle<Value>>,
    ) -> Option<Elements> {
        match self.values[whole].op.clone() {
            Op::Parameter(position) => Some(Elements::Parameter(position)),
            Op::SliceOf(array) => Some(Elements::Array(self.path(&array, numbers)?)),
            _ => None,
        }
    }

    /// What a slice is a part of, and which.
    fn part_of_elements(
        &mut self,
        slice: Handle<Value>,
        numbers: &mut Vec<Handle<Value>>,
    ) -> Option<(Elements, Part)> {
        let (whole, starts) = self.whole_of(slice);
        let start = self.sum_of_starts(&starts);
        let elements = self.elements_of(whole, numbers)?;
        let usize = self.scalar_type(Scalar::Usize);
        let len = match self.values[slice].op {
            Op::SubSlice { len, .. } => len,
            _ => self.evaluate(usize, Op::Len(slice)),
        };
        Some((elements, Part { start, len }))
    }

    fn path(&mut self, place: &Place, numbers: &mut Vec<Handle<Value>>) -> Option<Path> {
        let mut offset = None;
        let root = match place.base {
            Base::Variable(variable) => Root::Variable(*self.identities.get(&variable)?),
            Base::Local(local) => Root::Local(local),
            Base::Table(table) => Root::Table(table),
            Base::Parameter(position) => Root::Parameter(position),
            Base::Pointer(pointer) => match self.values[pointer].op {
                Op::Parameter(position) => Root::BorrowedCopy(position),
                _ => return None,
            },
            Base::Slice(slice) => {
                let (elements, part) = self.part_of_elements(slice, numbers)?;
                offset = Some(part.start);
                Root::Elements(Box::new(elements))
            }
        };
        let mut steps = Vec::new();
        for step in &place.path {
            steps.push(match step {
                Step::Member(position) => PathStep::Member(*position),
                Step::Index(Index { index, .. }) => {
                    let index = match offset.take() {
                        Some(offset) => self.binary(BinaryOp::Add, offset, *index),
                        None => *index,
                    };
                    match self.constant_of(index) {
                        Some(index) => PathStep::Constant(index),
                        None => {
                            numbers.push(index);
                            PathStep::Index
                        }
                    }
                }
                Step::Run { .. } => return None,
            });
        }
        Some(Path { root, steps })
    }
}
