//! What expressions stand for while they are lowered: operands, and the memory that they name.
//!
//! Tuples are taken apart here: a variable of a tuple's type is a variable for each element, and an array of tuples is an array for
//! each element. Structs are too, but for those in the memory of arguments, see `shared`. A reference is the memory that it
//! refers to, which is known wherever it is used, since calls are replaced by bodies; for one that varies, see `reference`. An array of
//! shared references is a reference to an array of what they refer to, or a list of them.

use super::builder::variable_place;
use super::closure::ClosureValue;
use super::flattened::Flattened;
use super::iterator::{Items, IteratorVariable};
use super::list::List;
use super::reference::Varying;
use super::{FunctionLowering, shared};
use crate::diagnostics::Diagnostic;
use crate::ir::{self, Base, Handle, Op, Place, Statement, Type, Value};
use crate::typed::Ty;
use kernel_core::Scalar;
use std::rc::Rc;

/// The result of an expression.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// A scalar or vector, or an array of these.
    Value(Handle<Value>),
    /// A tuple, or the fields of a struct; an enum is its tag followed by a tuple for each variant. The empty one is the result of what has none.
    Tuple(Vec<Operand>),
    /// A reference; an array of references is one to the array of what they refer to.
    Reference(Box<Memory>),
    /// An iterator.
    Iterator(Rc<Items>),
    /// A closure.
    Closure(Rc<ClosureValue>),
    /// The elements of an array of references.
    List(Vec<Operand>),
    /// The payload of a variant that the value is not; nothing looks at it.
    Undefined,
}

/// What a place expression names.
#[derive(Clone, Debug)]
pub(super) enum Memory {
    /// A place of the intermediate representation.
    Place(Place),
    /// The elements of a tuple; for an array of tuples, the arrays of their elements.
    Tuple(Vec<Memory>),
    /// A value that never changes and has no place of its own.
    Value(Operand),
    /// What is kept for a shared reference: a copy of what it refers to, which cannot change as long as the reference is there. For an array or
    /// a slice of references, the array or slice of these copies.
    BorrowedCopy(Box<Memory>),
    /// A variable for references.
    Varying(Rc<Varying>),
    /// A variable for iterators.
    Iterator(Rc<IteratorVariable>),
    /// The elements of an array of references that vary, or of a slice of one.
    List(List),
    /// The elements of a slice of arrays.
    Flattened(Flattened),
    /// One of several places, of which a `usize` tells the position.
    Choice { which: Handle<Value>, choices: Vec<Memory> },
}

/// The form in which a type is kept in variables.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Leaf(Handle<Type>),
    Tuple(Vec<Shape>),
    /// A shared reference, for which what it refers to is kept.
    BorrowedCopy(Box<Shape>),
    /// A slice, or a reference that can be stored through.
    Varying,
    /// An iterator over elements.
    Iterator,
    /// An array of so many of what is or has one.
    List(Box<Shape>, u32),
}

impl Operand {
    pub(super) const UNIT: Self = Self::Tuple(Vec::new());

    /// A value of an enum with so many variants, none of which holds anything, by its tag.
    pub(super) fn variant_of_units(tag: Handle<Value>, variants: usize) -> Self {
        let payloads = std::iter::repeat_n(Self::UNIT, variants);
        Self::Tuple([Self::Value(tag)].into_iter().chain(payloads).collect())
    }

    /// Returns whether there is something in it that no variable keeps.
    pub(super) fn has_reference(&self) -> bool {
        match self {
            Self::Value(_) | Self::Undefined => false,
            Self::Tuple(parts) => parts.iter().any(Self::has_reference),
            Self::Reference(_) | Self::Iterator(_) | Self::Closure(_) | Self::List(_) => true,
        }
    }

    /// Returns whether there is an array in it, whose elements can be reached only in a variable.
    fn has_array(&self, lowering: &FunctionLowering<'_, '_, '_, '_>) -> bool {
        match self {
            Self::Value(value) => {
                let ty = lowering.builder.type_of(*value);
                matches!(lowering.builder.module.types[ty], Type::Array { .. })
            }
            Self::Tuple(elements) => elements.iter().any(|element| element.has_array(lowering)),
            Self::List(_) => true,
            Self::Reference(_) | Self::Iterator(_) | Self::Closure(_) | Self::Undefined => false,
        }
    }
}

impl Memory {
    /// The whole of a slice value.
    pub(super) fn slice(value: Handle<Value>) -> Self {
        Self::Place(Place { base: Base::Slice(value), path: Vec::new() })
    }

    /// An element of a tuple, or a field of a struct.
    pub(super) fn element(&self, position: usize) -> Self {
        match self {
            Self::Tuple(elements) if position < elements.len() => elements[position].clone(),
            Self::Value(Operand::Tuple(elements)) if position < elements.len() => {
                Self::Value(elements[position].clone())
            }
            Self::Place(place) => Self::Place(shared::member(place, position)),
            Self::Choice { which, choices } => Self::Choice {
                which: *which,
                choices: choices.iter().map(|choice| choice.element(position)).collect(),
            },
            // Code that is never reached, or that rustc refuses.
            other => other.clone(),
        }
    }
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// New variables for a type; none if it cannot be stored because there is a closure or an iterator in it.
    pub(super) fn allocate(&mut self, ty: &Ty, name: &str) -> Option<Memory> {
        let shape = self.shape(ty)?;
        Some(self.variables(&shape, name))
    }

    pub(super) fn variables(&mut self, shape: &Shape, name: &str) -> Memory {
        match shape {
            Shape::Leaf(ty) => Memory::Place(variable_place(self.builder.variable(name, *ty))),
            Shape::Tuple(elements) => {
                Memory::Tuple(elements.iter().map(|element| self.variables(element, name)).collect())
            }
            Shape::BorrowedCopy(to) => Memory::BorrowedCopy(Box::new(self.variables(to, name))),
            Shape::Varying => self.varying(None),
            Shape::Iterator => self.iterator_variable(None),
            Shape::List(element, len) => {
                Memory::List(List::new((0..*len).map(|_| self.variables(element, name))))
            }
        }
    }

    pub(super) fn shape(&mut self, ty: &Ty) -> Option<Shape> {
        match ty {
            Ty::Unit | Ty::Never => Some(Shape::Tuple(Vec::new())),
            Ty::Scalar(_) | Ty::Vector(..) => Some(Shape::Leaf(self.builder.numeric_type(ty.numeric()?))),
            Ty::Function(_) => Some(Shape::Leaf(self.builder.scalar_type(Scalar::U32))),
            Ty::Array(element, len) => {
                let element = self.shape(element)?;
                Some(self.array_shape(element, len.length()?))
            }
            Ty::Range(number, form) => {
                let number = self.shape(number)?;
                Some(Shape::Tuple(vec![number; form.ends()]))
            }
            Ty::Nominal(nominal) => self.nominal_shape(nominal),
            Ty::Pointer { to, .. } => Some(Shape::Leaf(self.builder.module.pointer_type(to))),
            Ty::Reference { to, mutable: false }
                if !to.is_atomic() && !self.builder.module.program.has_cell(to) =>
            {
                Some(Shape::BorrowedCopy(Box::new(self.shape(to)?)))
            }
            Ty::Slice { .. } | Ty::Reference { .. } if ty.can_vary() => Some(Shape::Varying),
            Ty::Iterator { .. } if ty.can_vary() => Some(Shape::Iterator),
            Ty::Tuple(elements) => {
                let elements: Option<Vec<_>> = elements.iter().map(|element| self.shape(element)).collect();
                elements.map(Shape::Tuple)
            }
            _ => None,
        }
    }

    /// An array of tuples is a tuple of arrays.
    pub(super) fn array_shape(&mut self, element: Shape, len: u32) -> Shape {
        match element {
            Shape::Leaf(element) => {
                Shape::Leaf(self.builder.module.types.intern(Type::Array { element, len }))
            }
            Shape::Tuple(elements) => {
                Shape::Tuple(elements.into_iter().map(|element| self.array_shape(element, len)).collect())
            }
            Shape::BorrowedCopy(to) => Shape::BorrowedCopy(Box::new(self.array_shape(*to, len))),
            element @ (Shape::Varying | Shape::Iterator | Shape::List(..)) => {
                Shape::List(Box::new(element), len)
            }
        }
    }

    /// What is in memory.
    pub(super) fn load(&mut self, memory: &Memory) -> Operand {
        match memory {
            Memory::Place(Place { base: Base::Slice(slice), path }) if path.is_empty() => {
                self.load_array(memory, *slice)
            }
            Memory::Place(place) => self.load_place(place),
            Memory::Tuple(elements) => {
                Operand::Tuple(elements.iter().map(|element| self.load(element)).collect())
            }
            Memory::Value(operand) => self.copied_closures(operand),
            // It is copied once more, so that the reference stays what it is when another one is kept here.
            Memory::BorrowedCopy(copy) => {
                let operand = self.load(copy);
                Operand::Reference(Box::new(self.spill(operand)))
            }
            Memory::Varying(varying) => self.load_varying(varying),
            Memory::Iterator(variable) => self.load_iterator(variable),
            Memory::List(list) => self.load_list(list),
            Memory::Flattened(flattened) => self.load_flattened(flattened),
            Memory::Choice { which, choices } => self.load_choice(*which, choices),
        }
    }

    /// Stores to memory.
    pub(super) fn store(&mut self, memory: &Memory, operand: &Operand) {
        match (memory, operand) {
            (Memory::Place(Place { base: Base::Slice(_), path }), operand) if path.is_empty() => {
                self.store_array(memory, operand);
            }
            (Memory::Place(place), Operand::Closure(function)) => {
                let number = Operand::Value(self.number_of_function(function));
                self.store_place(place, &number);
            }
            (Memory::Place(place), operand) => self.store_place(place, operand),
            (Memory::Tuple(elements), Operand::Tuple(operands)) => {
                for (element, operand) in elements.iter().zip(operands) {
                    self.store(element, operand);
                }
            }
            (Memory::BorrowedCopy(copy), Operand::Reference(memory)) => self.copy_what_is_there(memory, copy),
            (Memory::BorrowedCopy(_), Operand::List(elements)) => {
                for (position, element) in elements.iter().enumerate() {
                    let element_memory = self.at_position(memory, position);
                    self.store(&element_memory, element);
                }
            }
            (Memory::Varying(varying), Operand::Reference(memory)) => self.store_varying(varying, memory),
            (Memory::Iterator(variable), Operand::Iterator(items)) => self.store_iterator(variable, items),
            (Memory::List(list), Operand::List(elements)) => self.store_list(list, elements),
            (Memory::List(list), Operand::Reference(_)) if list.is_whole() => {
                let array = Memory::Value(operand.clone());
                let elements: Vec<_> = (0..list.all.len())
                    .map(|position| {
                        let element = self.at_position(&array, position);
                        self.load(&element)
                    })
                    .collect();
                self.store_list(list, &elements);
            }
            (_, Operand::Undefined) => {}
            (Memory::Flattened(_), operand) => self.store_array(memory, operand),
            (Memory::Choice { which, choices }, operand) => {
                self.by_choice(*which, choices, &mut |lowering, choice| lowering.store(choice, operand));
            }
            _ => self.lost_store(),
        }
    }

    /// Copies what a reference refers to. What is in no variant, as the reference that is not in `x.get(i)`, may lead to an element that is not there, of which nothing is copied.
    fn copy_what_is_there(&mut self, from: &Memory, to: &Memory) {
        if let Memory::Choice { which, choices } = from {
            let copy = &mut |lowering: &mut Self, choice: &Memory| lowering.copy_what_is_there(choice, to);
            return self.by_choice(*which, choices, copy);
        }
        let Some(is_there) = self.is_there(from) else {
            let operand = self.load(from);
            return self.store(to, &operand);
        };
        self.builder.open();
        let operand = self.load(from);
        self.store(to, &operand);
        let accept = self.builder.close();
        self.builder.push(Statement::If { condition: is_there, accept, reject: super::control::empty() });
    }

    /// A store that does not fit what it goes to: rustc refuses it, since the variable is not `mut`; or it is in code that is never
    /// reached, or the compiler's own mistake.
    fn lost_store(&mut self) {
        if !self.builder.is_reachable() {
            return;
        }
        let at = crate::diagnostics::marker(self.builder.span);
        let diagnostic = Diagnostic::left_to_rustc(&at, "the compiler lost track of what this changes");
        self.builder.module.diagnostics.push(diagnostic);
    }

    /// Variables for an operand that can change where it does not hold references, since which memory these stand for cannot.
    pub(super) fn make_own(&mut self, operand: Operand) -> Memory {
        match operand {
            // A sampler or an image is the same for good.
            Operand::Value(value) if self.builder.is_handle(value) => Memory::Value(operand),
            Operand::Value(value) => {
                let ty = self.builder.type_of(value);
                let variable = self.builder.variable("", ty);
                self.builder.store_variable(variable, value);
                Memory::Place(variable_place(variable))
            }
            Operand::Tuple(elements) => {
                Memory::Tuple(elements.into_iter().map(|element| self.make_own(element)).collect())
            }
            Operand::Iterator(items) => self.iterator_variable(Some(&items)),
            other => Memory::Value(other),
        }
    }

    /// Variables of a shape for an operand. What a slice is, is kept only if it changes.
    pub(super) fn own_as(&mut self, shape: &Shape, operand: Operand, name: &str) -> Memory {
        match (shape, operand) {
            (Shape::Varying, operand) => self.varying(Some(operand)),
            (Shape::Iterator, Operand::Iterator(items)) => self.iterator_variable(Some(&items)),
            (Shape::List(shape, _), Operand::List(elements)) => {
                let all = elements.into_iter().map(|element| self.own_as(shape, element, name));
                Memory::List(List::new(all))
            }
            (Shape::Tuple(shapes), Operand::Tuple(operands)) if shapes.len() == operands.len() => {
                let parts = shapes.iter().zip(operands);
                Memory::Tuple(parts.map(|(shape, operand)| self.own_as(shape, operand, name)).collect())
            }
            (shape, operand) => {
                let memory = self.variables(shape, name);
                self.store(&memory, &operand);
                memory
            }
        }
    }

    /// Puts an operand into memory, where its arrays can be indexed.
    pub(super) fn spill(&mut self, operand: Operand) -> Memory {
        if !operand.has_array(self) {
            return Memory::Value(operand);
        }
        match operand {
            Operand::Value(value) => {
                let ty = self.builder.type_of(value);
                let variable = self.builder.variable("", ty);
                self.builder.store_variable(variable, value);
                Memory::Place(variable_place(variable))
            }
            Operand::Tuple(elements) => {
                Memory::Tuple(elements.into_iter().map(|element| self.spill(element)).collect())
            }
            Operand::List(elements) => {
                Memory::List(List::new(elements.into_iter().map(|element| self.spill(element))))
            }
            other => Memory::Value(other),
        }
    }

    /// Memory that can be written to: a value that has none of its own is put into some.
    pub(super) fn writable(&mut self, memory: Memory) -> Memory {
        match memory {
            Memory::Value(Operand::Value(value)) if !self.builder.is_handle(value) => {
                let variable = self.builder.variable("", self.builder.type_of(value));
                self.builder.store_variable(variable, value);
                Memory::Place(variable_place(variable))
            }
            Memory::Value(Operand::Tuple(elements)) => Memory::Tuple(
                elements.into_iter().map(|element| self.writable(Memory::Value(element))).collect(),
            ),
            Memory::Tuple(elements) => {
                Memory::Tuple(elements.into_iter().map(|element| self.writable(element)).collect())
            }
            Memory::Choice { which, choices } => {
                self.each_choice(which, &choices, |lowering, choice| lowering.writable(choice.clone()))
            }
            Memory::Value(Operand::Iterator(items)) if !items.is_advanced() => {
                self.iterator_variable(Some(&items))
            }
            Memory::Place(place) if matches!(place.base, Base::Table(_)) => self.copy_of_table(&place),
            other => other,
        }
    }

    /// An element of an array or slice.
    pub(super) fn at(&mut self, memory: &Memory, index: ir::Index) -> Memory {
        match memory {
            Memory::Place(place) => {
                let mut place = place.clone();
                place.path.push(index.into());
                Memory::Place(place)
            }
            Memory::Tuple(arrays) => {
                Memory::Tuple(arrays.iter().map(|array| self.at(array, index)).collect())
            }
            Memory::Value(Operand::Value(vector)) if self.builder.numeric_of(*vector).lanes > 1 => {
                self.lane_at(*vector, index)
            }
            Memory::BorrowedCopy(copies) => Memory::BorrowedCopy(Box::new(self.at(copies, index))),
            Memory::Value(Operand::Reference(array)) => {
                Memory::Value(Operand::Reference(Box::new(self.at(array, index))))
            }
            Memory::Choice { which, choices } => {
                self.each_choice(*which, choices, |lowering, choice| lowering.at(choice, index))
            }
            Memory::List(list) => self.at_of_list(list, index.index),
            Memory::Flattened(flattened) => self.at_of_flattened(flattened, index),
            Memory::Value(operand) => {
                let spilled = self.spill(operand.clone());
                match spilled {
                    Memory::Value(_) => spilled,
                    memory => self.at(&memory, index),
                }
            }
            // Code that is never reached, or that rustc refuses.
            Memory::Varying(_) | Memory::Iterator(_) => memory.clone(),
        }
    }

    /// The element of an array that has one with this position.
    fn at_position(&mut self, array: &Memory, position: usize) -> Memory {
        let index = self.builder.constant(Scalar::Usize, position as u64);
        self.at(array, ir::Index { index, check: ir::Check::Proved })
    }

    /// The number of elements of an array or slice.
    pub(super) fn len_of(&mut self, memory: &Memory) -> Handle<Value> {
        let ty = self.builder.scalar_type(Scalar::Usize);
        match memory {
            Memory::Place(Place { base: Base::Slice(slice), path }) if path.is_empty() => {
                self.builder.evaluate(ty, Op::Len(*slice))
            }
            Memory::Place(place) => self.array_len(self.builder.place_type(place)),
            Memory::Tuple(arrays) if !arrays.is_empty() => {
                let first = arrays[0].clone();
                self.len_of(&first)
            }
            Memory::Choice { which, choices } => self.len_of_choice(*which, choices),
            Memory::BorrowedCopy(array) | Memory::Value(Operand::Reference(array)) => self.len_of(array),
            Memory::List(list) => self.len_of_list(list),
            Memory::Flattened(flattened) => flattened.part.len,
            Memory::Value(Operand::List(elements)) => {
                self.builder.constant(Scalar::Usize, elements.len() as u64)
            }
            Memory::Value(Operand::Value(value)) => self.array_len(self.builder.type_of(*value)),
            Memory::Value(Operand::Tuple(arrays)) if !arrays.is_empty() => {
                let first = arrays[0].clone();
                self.len_of(&Memory::Value(first))
            }
            _ => self.builder.constant(Scalar::Usize, 0),
        }
    }

    /// The number of elements of an array type, or of the lanes of a vector.
    fn array_len(&mut self, ty: Handle<Type>) -> Handle<Value> {
        let len = match self.builder.module.types[ty] {
            Type::Array { len, .. } => len,
            Type::Vector { lanes, .. } => lanes,
            // Code that is never reached, or that rustc refuses.
            _ => 0,
        };
        self.builder.constant(Scalar::Usize, u64::from(len))
    }
}
