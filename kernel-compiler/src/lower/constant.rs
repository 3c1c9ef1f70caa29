//! Constants and statics that are no numbers: their code is run when the kernel is compiled, and arrays become tables in constant memory.
//!
//! What cannot be run is computed by the kernel, wherever the constant is used.

use super::memory::{Memory, Operand};
use super::overflow::Author;
use super::reference::Origin;
use super::{Builder, Exit, FunctionLowering};
use crate::diagnostics::{Code, Diagnostic};
use crate::evaluate::{self, Machine};
use crate::hash::HashMap;
use crate::ir::{Base, Handle, Op, Place, Space, Table, Type, Value};
use crate::typed::Expr;
use kernel_core::Scalar;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// The most elements that an array in constant memory can have: an instruction of SPIR-V takes no more operands.
const MAX_ELEMENTS: u32 = 65_532;

/// The code of a constant, by where it is: all uses of a constant share it.
#[derive(Clone)]
pub(super) struct Key(Rc<Expr>);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Rc::as_ptr(&self.0).hash(state);
    }
}

/// The value of a constant.
#[derive(Clone)]
pub(super) enum Constant {
    /// A scalar or vector, by the bit patterns of its lanes.
    Lanes(Handle<Type>, Rc<[u64]>),
    Table(Handle<Table>),
    Tuple(Vec<Constant>),
    /// A reference to what holds this.
    Reference(Box<Constant>),
    Undefined,
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// The memory that holds a constant.
    pub(super) fn constant(&mut self, expr: &Rc<Expr>) -> Memory {
        let key = Key(expr.clone());
        let known = match self.builder.module.constants.get(&key) {
            Some(known) => known.clone(),
            None => {
                let found = self.evaluated(expr);
                self.builder.module.constants.insert(key, found.clone());
                found
            }
        };
        match known {
            Some(constant) => self.memory_of(&constant),
            None => self.place(expr),
        }
    }

    /// The value of a scalar expression without variables; none if its code cannot be run.
    pub(super) fn scalar_of_constant(&mut self, expr: &Expr) -> Option<u64> {
        match self.evaluated(expr)? {
            Constant::Lanes(_, lanes) if lanes.len() == 1 => Some(lanes[0]),
            _ => None,
        }
    }

    /// The value of an expression without variables; none if its code cannot be run now.
    fn evaluated(&mut self, expr: &Expr) -> Option<Constant> {
        // The kernel does not contain the code, so it cannot fault or print in it.
        let sites = std::mem::take(&mut self.builder.module.sites);
        let prints = std::mem::take(&mut self.builder.module.prints);
        let span = self.builder.span;
        let mut builder = Builder::new(&mut *self.builder.module, Author::Host);
        builder.span = span;
        let mut lowering = FunctionLowering {
            whole: self.whole,
            function: self.function,
            table: self.table,
            builder: &mut builder,
            slots: HashMap::default(),
            targets: HashMap::default(),
            result: expr.ty.clone(),
            exit: Exit::Kernel,
            is_doubtful: false,
        };
        let found = match lowering.expr(expr) {
            Operand::Reference(memory) => {
                let content = lowering.content(&memory);
                content.and_then(|content| builder.run(&content)).map(|to| Constant::Reference(Box::new(to)))
            }
            operand => builder.run(&operand),
        };
        self.builder.module.sites = sites;
        self.builder.module.prints = prints;
        found
    }

    /// What a reference leads to; none for a slice whose length is computed.
    fn content(&mut self, memory: &Memory) -> Option<Operand> {
        match memory {
            Memory::Place(Place { base: Base::Slice(slice), path }) if path.is_empty() => {
                match self.builder.values[*slice].op.clone() {
                    Op::SliceOf(array) => Some(self.load_place(&array)),
                    _ => {
                        let ty = self.builder.array_of_slice(*slice)?;
                        Some(self.copied(memory, ty))
                    }
                }
            }
            Memory::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.content(part));
                parts.collect::<Option<Vec<_>>>().map(Operand::Tuple)
            }
            other => Some(self.load(other)),
        }
    }

    fn memory_of(&mut self, constant: &Constant) -> Memory {
        match constant {
            Constant::Lanes(ty, lanes) => {
                Memory::Value(Operand::Value(self.builder.lanes_of_constant(*ty, lanes)))
            }
            Constant::Table(table) => Memory::Place(Place { base: Base::Table(*table), path: Vec::new() }),
            Constant::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.memory_of(part)).collect();
                Memory::Tuple(parts)
            }
            Constant::Reference(to) => {
                let to = self.memory_of(to);
                Memory::Value(Operand::Reference(Box::new(to)))
            }
            Constant::Undefined => Memory::Value(Operand::Undefined),
        }
    }

    /// A copy of what is in tables, which can be stored to.
    pub(super) fn copy_of_table(&mut self, place: &Place) -> Memory {
        let operand = self.load_place(place);
        self.make_own(operand)
    }

    /// The element of a table that a place is, if its position is known.
    pub(super) fn known_element(&mut self, place: &Place) -> Option<Operand> {
        let Base::Table(table) = place.base else { return None };
        let Table { mut ty, .. } = self.builder.module.tables[table];
        let mut position = 0;
        for index in place.indices() {
            let index = self.builder.constant_of(index.index)?;
            let types = &self.builder.module.types;
            let (Type::Array { element, len } | Type::Vector { element, lanes: len }) = types[ty] else {
                return None;
            };
            if index >= u64::from(len) {
                return None;
            }
            position += index * types.scalars(element);
            ty = element;
        }
        let types = &self.builder.module.types;
        types.numeric(ty)?;
        let (start, count) = (position as usize, types.scalars(ty) as usize);
        let lanes: Rc<[u64]> = self.builder.module.tables[table].bits.get(start..start + count)?.into();
        Some(Operand::Value(self.builder.lanes_of_constant(ty, &lanes)))
    }

    /// What is to be said of a store to a place that is only read. For the most part rustc says it, but of a constant it makes a copy,
    /// which is lost.
    pub(super) fn refuse_store(&mut self, place: &Place) {
        if !self.builder.is_in_table(place) || !self.builder.is_reachable() {
            return;
        }
        let at = crate::diagnostics::marker(self.builder.span);
        let diagnostic = Diagnostic::left_to_rustc(&at, "this changes a constant, so what is stored is lost")
            .code(Code::NotConstant)
            .help("copy the constant with `let mut`, and change the copy");
        self.builder.module.diagnostics.push(diagnostic);
    }
}

impl Builder<'_, '_> {
    /// Runs all that has been built, and answers with what an operand is then.
    fn run(mut self, operand: &Operand) -> Option<Constant> {
        let body = self.close();
        let code = evaluate::Code {
            types: &self.module.types,
            tables: &self.module.tables,
            variables: &self.variables,
            values: &self.values,
        };
        let machine = Machine::run(code, &body)?;
        let mut found = Vec::new();
        leaves(operand, &mut found)?;
        let scalars: Option<Vec<_>> = found.iter().map(|value| machine.scalars(*value)).collect();
        let types: Vec<_> = found.iter().map(|value| self.type_of(*value)).collect();
        let mut leaves = types.into_iter().zip(scalars?);
        self.constant_of_operand(operand, &mut leaves)
    }

    /// An operand whose values, from left to right, are these.
    fn constant_of_operand(
        &mut self,
        operand: &Operand,
        leaves: &mut impl Iterator<Item = (Handle<Type>, Rc<[u64]>)>,
    ) -> Option<Constant> {
        Some(match operand {
            Operand::Value(_) => {
                let (ty, bits) = leaves.next()?;
                if self.module.types.numeric(ty).is_some() {
                    return Some(Constant::Lanes(ty, bits));
                }
                match self.module.types[ty] {
                    Type::Array { .. } => Constant::Table(self.table(ty, &bits)?),
                    _ => return None,
                }
            }
            Operand::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.constant_of_operand(part, leaves));
                Constant::Tuple(parts.collect::<Option<Vec<_>>>()?)
            }
            Operand::Undefined => Constant::Undefined,
            Operand::Reference(_) | Operand::Iterator(_) | Operand::Closure(_) | Operand::List(_) => {
                return None;
            }
        })
    }

    /// The type and the bit patterns of the elements of a slice that is part of a table.
    pub(super) fn elements_in_table(&self, memory: &Memory) -> Option<(Handle<Type>, Vec<u64>)> {
        let Origin::OfTable { table, start, len } = self.constant_part_of_table(memory)? else { return None };
        let Table { ty, bits } = &self.module.tables[table];
        let Type::Array { element, .. } = self.module.types[*ty] else { return None };
        let size = self.module.types.scalars(element);
        let bits = bits.get((start * size) as usize..((start + len) * size) as usize)?;
        Some((element, bits.to_vec()))
    }

    /// The part of a table that a reference to a slice leads to, if it is always the same.
    pub(super) fn constant_part_of_table(&self, memory: &Memory) -> Option<Origin> {
        let Memory::Value(Operand::Reference(to)) = memory else { return None };
        let Memory::Place(Place { base: Base::Slice(slice), path }) = &**to else { return None };
        let (mut whole, mut part) = (*slice, None);
        if let Op::SubSlice { slice, start, len } = self.values[whole].op {
            (whole, part) = (slice, Some((self.constant_of(start)?, self.constant_of(len)?)));
        }
        let Op::SliceOf(Place { base: Base::Table(table), path: inside }) = &self.values[whole].op else {
            return None;
        };
        let Type::Array { len, .. } = self.module.types[self.module.tables[*table].ty] else { return None };
        if !path.is_empty() || !inside.is_empty() {
            return None;
        }
        let (start, len) = part.unwrap_or((0, len.into()));
        Some(Origin::OfTable { table: *table, start, len })
    }

    /// A part of a table.
    pub(super) fn part_of_table(&mut self, table: Handle<Table>, start: u64, len: u64) -> Memory {
        let place = Place { base: Base::Table(table), path: Vec::new() };
        let Some(slice) = self.slice_of(&place) else { return Memory::Value(Operand::Undefined) };
        let [start, len] = [start, len].map(|number| self.constant(Scalar::Usize, number));
        let ty = self.type_of(slice);
        Memory::slice(self.evaluate(ty, Op::SubSlice { slice, start, len }))
    }

    /// The table of elements with these bit patterns.
    pub(super) fn table_of(&mut self, element: Handle<Type>, bits: Vec<u64>) -> Option<Handle<Table>> {
        let len = u32::try_from(bits.len() as u64 / self.module.types.scalars(element)).ok();
        let len = len.filter(|len| (1..=MAX_ELEMENTS).contains(len))?;
        let ty = self.module.types.intern(Type::Array { element, len });
        self.table(ty, &bits)
    }

    /// The table with this contents; there is one for all constants that have it.
    fn table(&mut self, ty: Handle<Type>, bits: &[u64]) -> Option<Handle<Table>> {
        let mut array = ty;
        while let Type::Array { element, len } = self.module.types[array] {
            if len > MAX_ELEMENTS {
                self.refuse_length(len);
                return None;
            }
            array = element;
        }
        // Pointers, which can be null, are no data.
        self.module.types.numeric(array)?;
        Some(self.module.tables.intern(Table { ty, bits: bits.to_vec() }))
    }

    fn refuse_length(&mut self, len: u32) {
        let at = crate::diagnostics::marker(self.span);
        let message = format!("an array in constant memory cannot have {len} elements");
        let help =
            format!("make it an array of arrays of at most {MAX_ELEMENTS} elements, or pass it as a slice");
        self.module.diagnostics.push(Diagnostic::new(Code::ArrayLength, &at, message).help(help));
    }

    /// Returns whether a place is in constant memory.
    fn is_in_table(&self, place: &Place) -> bool {
        match place.base {
            Base::Table(_) => true,
            Base::Slice(slice) => {
                matches!(self.module.types[self.type_of(slice)], Type::Slice { space: Space::Constant, .. })
            }
            _ => false,
        }
    }

    /// The scalar or vector with these bit patterns.
    fn lanes_of_constant(&mut self, ty: Handle<Type>, lanes: &[u64]) -> Handle<Value> {
        match lanes {
            [first, rest @ ..] if rest.iter().all(|lane| lane == first) => {
                self.leaf(ty, Op::Constant(*first))
            }
            _ => {
                let scalar = self.module.types.numeric(ty).map_or(kernel_core::Scalar::Usize, |ty| ty.scalar);
                let lanes = lanes.iter().map(|lane| self.constant(scalar, *lane)).collect();
                self.evaluate(ty, Op::Construct(lanes))
            }
        }
    }
}

/// The values in an operand, from left to right; none if there is something else in it.
fn leaves(operand: &Operand, found: &mut Vec<Handle<Value>>) -> Option<()> {
    match operand {
        Operand::Value(value) => found.push(*value),
        Operand::Tuple(parts) => parts.iter().try_for_each(|part| leaves(part, found))?,
        Operand::Undefined => {}
        Operand::Reference(_) | Operand::Iterator(_) | Operand::Closure(_) | Operand::List(_) => return None,
    }
    Some(())
}
