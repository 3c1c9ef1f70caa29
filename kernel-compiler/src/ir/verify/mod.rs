//! Checks that a module keeps the rules of [`crate::ir`]. What breaks one is a bug of the compiler, never of its user.
//!
//! The invariants:
//!
//! - Parameters are scalars, slices in global memory, pointers, images, samplers, arrays and structs. The latter two are places, the others values.
//! - Tables are arrays of scalars and vectors, and have a bit pattern for each scalar.
//! - No value is or contains a struct; structs have members, which are neither slices nor pointers. Nor are what pointers point to.
//! - A value that is not a parameter or a constant is evaluated by one statement, and used only after it, in the
//!   same block or in those nested in it.
//! - Labels are unique; `Break` and `Continue` name a loop around them; `continuing` blocks have no jump.
//! - Operands have the types that the operation takes, and its result has the type that it gives (file `types`).
//! - Places lead to something that is no slice, through indices of type `usize` and members that there are; those that start
//!   at a slice have an index at least.
//! - Images are parameters. What is done with one fits its dimensions, its channels and its access (file `image`).
//! - Functions of other modules take scalars, vectors and raw pointers, and return one of these or nothing, which nobody uses (file `call`).
//! - So do functions for other modules, which have nothing that only a kernel can have (file `call`).
//! - What is stored has the type of its place, which is in no parameter and in no table.

mod atomic;
mod call;
mod image;
mod types;

use super::{Base, Block, End, Handle, Label, Module, Op, Place, Space, Statement, Type, Value};
use crate::hash::HashSet;
use kernel_core::MAX_ALIGNMENT;
use std::fmt;

/// An invariant that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenInvariant {
    /// The name of the kernel.
    pub kernel: String,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for BrokenInvariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "in `{}`: {}", self.kernel, self.what)
    }
}

impl std::error::Error for BrokenInvariant {}

impl Module {
    /// Checks the invariants that the header of `ir::verify` lists.
    ///
    /// # Errors
    ///
    /// The first invariant that does not hold.
    pub fn verify(&self) -> Result<(), BrokenInvariant> {
        Verifier::new(self).kernel().map_err(|what| BrokenInvariant { kernel: self.name.clone(), what })
    }
}

/// What is wrong, or nothing.
type Verdict = Result<(), String>;

fn require(holds: bool, what: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(what()) }
}

/// The state of a walk through a kernel.
struct Verifier<'a> {
    module: &'a Module,
    /// The values that have been evaluated anywhere.
    evaluated: HashSet<Handle<Value>>,
    /// The values that may be used here, in the order of their evaluation.
    visible: Vec<Handle<Value>>,
    /// The same, for look-up.
    in_scope: HashSet<Handle<Value>>,
    /// The labels that have been used anywhere.
    labels: HashSet<Label>,
    /// The loops around the current block.
    loops: Vec<Label>,
    /// Whether the current block is in the `continuing` block of a loop.
    continuing: bool,
}

impl<'a> Verifier<'a> {
    fn new(module: &'a Module) -> Self {
        Self {
            module,
            evaluated: HashSet::default(),
            visible: Vec::new(),
            in_scope: HashSet::default(),
            labels: HashSet::default(),
            loops: Vec::new(),
            continuing: false,
        }
    }

    fn kernel(&mut self) -> Verdict {
        self.types()?;
        self.tables()?;
        self.parameters()?;
        self.imports()?;
        self.export()?;
        self.block(&self.module.body)
    }

    fn types(&self) -> Verdict {
        for (_, ty) in self.module.types.iter() {
            let is_address = |ty| {
                matches!(
                    self.module.types[ty],
                    Type::Slice { .. }
                        | Type::Pointer { raw: false, .. }
                        | Type::Image(_)
                        | Type::Sampler(_)
                        | Type::Event
                )
            };
            let allowed = match ty {
                Type::Struct { members, align, .. } => {
                    let least = members.iter().map(|member| self.module.types.layout(member.ty).align).max();
                    align.is_power_of_two()
                        && (least.unwrap_or(1)..=MAX_ALIGNMENT).contains(align)
                        && !members.is_empty()
                        && !members.iter().any(|member| is_address(member.ty))
                }
                Type::Pointer { element, .. } => !is_address(*element),
                _ => true,
            };
            require(allowed, || format!("{ty:?} is empty, not aligned or holds a reference"))?;
        }
        Ok(())
    }

    fn tables(&self) -> Verdict {
        for (handle, table) in self.module.tables.iter() {
            let types = &self.module.types;
            let is_array = matches!(types[table.ty], Type::Array { .. });
            let element = types.numeric(types.innermost(table.ty));
            let fits = element.is_some_and(|element| {
                let largest = u64::MAX >> (64 - element.scalar.bits());
                table.bits.iter().all(|bits| *bits <= largest)
            });
            let is_whole = types.scalars(table.ty) == table.bits.len() as u64;
            require(is_array && fits && is_whole, || {
                format!("the table {handle:?} is not as its type says")
            })?;
        }
        Ok(())
    }

    fn parameters(&self) -> Verdict {
        for parameter in &self.module.parameters {
            let allowed = match self.module.types[parameter.ty] {
                Type::Slice { space, mutable, .. } => match space {
                    Space::Global | Space::Local => true,
                    Space::Constant => !mutable,
                    Space::Private => false,
                },
                Type::Event => false,
                Type::Scalar(_)
                | Type::Vector { .. }
                | Type::Pointer { .. }
                | Type::Image(_)
                | Type::Sampler(_)
                | Type::Array { .. }
                | Type::Struct { .. } => true,
            };
            require(allowed, || format!("the kernel cannot take `{}`", parameter.name))?;
        }
        Ok(())
    }

    fn block(&mut self, block: &'a Block) -> Verdict {
        let outer = self.visible.len();
        for statement in &block.statements {
            self.statement(statement)?;
        }
        self.end(block.end)?;
        for value in self.visible.drain(outer..) {
            self.in_scope.remove(&value);
        }
        Ok(())
    }

    fn end(&mut self, end: End) -> Verdict {
        require(!self.continuing || end == End::Next, || "a `continuing` block jumps".to_owned())?;
        match end {
            End::Next | End::Return => Ok(()),
            End::Break(label) | End::Continue(label) => {
                require(self.loops.contains(&label), || format!("there is no loop {label:?} around its jump"))
            }
        }
    }

    fn statement(&mut self, statement: &'a Statement) -> Verdict {
        self.all_usable(|visit| statement.for_each_operand(&mut |value| visit(value)))?;
        match statement {
            Statement::Evaluate(value) => self.evaluate(*value),
            Statement::Store { place, value } => {
                self.place(place)?;
                require(self.is_mutable(place), || "what is only read is stored to".to_owned())?;
                let matches = self.module.place_type(place) == self.module.values[*value].ty;
                require(matches, || format!("{value:?} has not the type of the place where it is stored"))
            }
            Statement::ImageWrite(write) => self.image_write(write),
            Statement::If { condition, accept, reject } => {
                self.require_bool(*condition)?;
                self.block(accept)?;
                self.block(reject)
            }
            Statement::Loop { label, body, continuing } => self.repeat(*label, body, continuing),
            Statement::Barrier(..) | Statement::Order(..) | Statement::AssertUniform(..) => Ok(()),
            Statement::Wait(_, event) => {
                let ty = self.module.variables[*event].ty;
                require(self.module.types[ty] == Type::Event, || format!("{event:?} holds no event"))
            }
            Statement::Print { site, words } => {
                let expected = self.module.prints[*site].format.words() as usize;
                require(words.len() == expected, || {
                    format!("{} words are printed, not {expected}", words.len())
                })?;
                words.iter().try_for_each(|word| self.require_word(*word))
            }
        }
    }

    /// Returns whether a place may be stored to, by the kind of its base.
    pub(super) fn is_mutable(&self, place: &Place) -> bool {
        let type_of = |value: Handle<Value>| &self.module.types[self.module.values[value].ty];
        match place.base {
            Base::Parameter(_) | Base::Table(_) => false,
            Base::Pointer(pointer) => matches!(type_of(pointer), Type::Pointer { mutable: true, .. }),
            Base::Slice(slice) => !matches!(type_of(slice), Type::Slice { space: Space::Constant, .. }),
            Base::Variable(_) | Base::Local(_) => true,
        }
    }

    fn repeat(&mut self, label: Label, body: &'a Block, continuing: &'a Block) -> Verdict {
        require(self.labels.insert(label), || format!("two loops are called {label:?}"))?;
        self.loops.push(label);
        self.block(body)?;
        self.loops.pop();
        let outer = std::mem::replace(&mut self.continuing, true);
        self.block(continuing)?;
        self.continuing = outer;
        Ok(())
    }

    fn evaluate(&mut self, handle: Handle<Value>) -> Verdict {
        let value = &self.module.values[handle];
        self.all_usable(|visit| value.op.for_each_operand(&mut |operand| visit(operand)))?;
        require(self.evaluated.insert(handle), || format!("{handle:?} is evaluated twice"))?;
        require(self.module.types.has_values(value.ty), || format!("{handle:?} is a struct"))?;
        self.operation(value).map_err(|what| format!("{handle:?}: {what}"))?;
        self.visible.push(handle);
        self.in_scope.insert(handle);
        Ok(())
    }

    /// Checks that values which are read have been evaluated before.
    fn all_usable(&self, operands: impl FnOnce(&mut dyn FnMut(Handle<Value>))) -> Verdict {
        let mut verdict = Ok(());
        operands(&mut |value| {
            if verdict.is_ok() {
                verdict = self.usable(value);
            }
        });
        verdict
    }

    fn usable(&self, handle: Handle<Value>) -> Verdict {
        let free = match self.module.values[handle].op {
            Op::Parameter(position) => (position as usize) < self.module.parameters.len(),
            Op::Constant(_) | Op::Zero => true,
            _ => false,
        };
        require(free || self.in_scope.contains(&handle), || {
            format!("{handle:?} is used before it is evaluated")
        })
    }
}
