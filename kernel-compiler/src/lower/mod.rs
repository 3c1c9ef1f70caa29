//! From the typed tree to the intermediate representation.
//!
//! Variables that never change become values, the others variables; expressions are taken apart in Rust's order of
//! evaluation. Each device function is lowered once for each combination of address spaces that it is called with.

mod builder;
mod call;
mod control;
mod expression;
mod place;

pub use builder::Builder;

use crate::chain::{Id, Links};
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::infer::{self, Program, Role, Signature, Table};
use crate::ir;
use crate::ir::{Arena, Attributes, Handle, Type};
use crate::typed::{self, Binding, Label, Ty};
use proc_macro2::Span;
use std::collections::HashMap;
use syn::Item;

/// Lowers a kernel and the device functions that it calls.
///
/// # Errors
///
/// What is wrong with the device functions, where that has not been reported where they are defined.
pub fn module(
    program: &Program<'_>,
    function: &typed::Function,
    table: &Table,
    attributes: Attributes,
) -> Result<ir::Module, Diagnostics> {
    let mut lowering = Lowering {
        program,
        types: Arena::default(),
        locals: Arena::default(),
        sites: Arena::default(),
        functions: Arena::default(),
        instances: HashMap::new(),
        active: Vec::new(),
        diagnostics: Diagnostics::default(),
    };
    let types = function.parameters.iter().map(|binding| table.resolve(&function.bindings[*binding].ty));
    let parameters: Vec<_> = types.map(|ty| lowering.parameter_type(&ty)).collect();
    let entry = lowering.function(function, table, &parameters);
    let Lowering { types, locals, sites, functions, diagnostics, .. } = lowering;
    let name = function.name.clone();
    diagnostics.finish(ir::Module { name, attributes, types, locals, sites, functions, entry })
}

/// The state of the lowering of a module.
pub(crate) struct Lowering<'a> {
    program: &'a Program<'a>,
    types: Arena<Type>,
    locals: Arena<ir::LocalVariable>,
    sites: Arena<ir::Site>,
    functions: Arena<ir::Function>,
    /// The device functions that have been lowered, by the types of their arguments.
    instances: HashMap<(Id, Vec<Handle<Type>>), Handle<ir::Function>>,
    /// Those that are being lowered, outermost first.
    active: Vec<Id>,
    diagnostics: Diagnostics,
}

impl Lowering<'_> {
    /// The type of a kernel's parameter: slices are in global memory.
    fn parameter_type(&mut self, ty: &Ty) -> Handle<Type> {
        match ty {
            Ty::Slice { element, mutable } => {
                let element = self.stored_type(element);
                self.types.intern(Type::Slice { element, space: ir::Space::Global, mutable: *mutable })
            }
            other => self.stored_type(other),
        }
    }

    /// The type of something that can be in memory.
    fn stored_type(&mut self, ty: &Ty) -> Handle<Type> {
        let ty = match ty {
            Ty::Scalar(scalar) => Type::Scalar(*scalar),
            Ty::Array(element, len) => Type::Array { element: self.stored_type(element), len: *len },
            Ty::Local(inner) => return self.stored_type(inner),
            // Only code that is never reached has values of other types; any will do.
            _ => Type::Scalar(kernel_core::Scalar::Usize),
        };
        self.types.intern(ty)
    }

    fn function(
        &mut self,
        function: &typed::Function,
        table: &Table,
        parameters: &[Handle<Type>],
    ) -> Handle<ir::Function> {
        let result = match table.resolve(&function.result) {
            Ty::Unit | Ty::Never | Ty::Error => None,
            ty => Some(self.stored_type(&ty)),
        };
        let builder = Builder::new(self);
        let mut lowering = FunctionLowering {
            function,
            table,
            builder,
            slots: HashMap::new(),
            targets: HashMap::new(),
            result,
        };
        lowering.bind_parameters(parameters);
        lowering.body();
        let (variables, values, body) = lowering.builder.finish();
        let names = function.parameters.iter().map(|binding| function.bindings[*binding].name.clone());
        let parameters = names.zip(parameters).map(|(name, ty)| ir::Parameter { name, ty: *ty }).collect();
        let name = function.name.clone();
        self.functions.push(ir::Function { name, parameters, result, variables, values, body })
    }

    /// The lowered form of a device function for arguments of these types.
    fn instance(
        &mut self,
        id: &Id,
        arguments: Vec<Handle<Type>>,
        span: Span,
    ) -> Option<Handle<ir::Function>> {
        let key = (id.clone(), arguments);
        if let Some(known) = self.instances.get(&key) {
            return Some(*known);
        }
        if self.active.contains(id) {
            self.recursion(id, span);
            return None;
        }
        let program = self.program;
        let item = program.resolved().items.get(id)?;
        let Item::Fn(source) = &item.item else { return None };
        let (function, table) = self.infer(id, source, &item.links)?;
        self.active.push(id.clone());
        let handle = self.function(&function, &table, &key.1);
        self.active.pop();
        self.instances.insert(key, handle);
        Some(handle)
    }

    fn infer(&mut self, id: &Id, item: &syn::ItemFn, links: &Links) -> Option<(typed::Function, Table)> {
        let signature: std::rc::Rc<Signature> = self.program.signature(id)?;
        match infer::function(self.program, links, Role::Device, item, &signature) {
            Ok(found) => Some(found),
            Err(diagnostics) => {
                self.diagnostics.append(diagnostics);
                None
            }
        }
    }

    fn recursion(&mut self, id: &Id, span: Span) {
        let start = self.active.iter().position(|active| active == id).unwrap_or(0);
        let cycle: Vec<_> = self.active[start..].iter().chain([id]).map(|id| self.name_of(id)).collect();
        let at = proc_macro2::TokenTree::from(proc_macro2::Ident::new("call", span));
        self.diagnostics.push(
            Diagnostic::new(
                Code::Recursion,
                &at,
                "this call is recursive, and a device has no stack for recursion",
            )
            .note(format!("the cycle is {}", cycle.join(" -> ")))
            .help("write it as a loop"),
        );
    }

    fn name_of(&self, id: &Id) -> String {
        match self.program.resolved().items.get(id).map(|item| &item.item) {
            Some(Item::Fn(function)) => format!("`{}`", function.sig.ident),
            _ => format!("`{id}`"),
        }
    }
}

/// What a variable of the source has become.
#[derive(Clone, Copy)]
enum Slot {
    Value(Handle<ir::Value>),
    Variable(Handle<ir::Variable>),
    Local(Handle<ir::LocalVariable>),
}

/// The state of the lowering of one function.
struct FunctionLowering<'m, 'p, 'f> {
    function: &'f typed::Function,
    table: &'f Table,
    builder: Builder<'m, 'p>,
    slots: HashMap<Handle<Binding>, Slot>,
    /// Where the values go with which a loop or block is left.
    targets: HashMap<Label, Option<Handle<ir::Variable>>>,
    result: Option<Handle<Type>>,
}
