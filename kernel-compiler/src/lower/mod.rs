//! From the typed tree to the intermediate representation.
//!
//! Variables that never change become values, the others variables; expressions are taken apart in Rust's order of
//! evaluation. A call is replaced by the body of the device function, for its arguments: GPU code has no calls that are worth
//! having, and what an argument refers to, local memory or a slice of the host, is known in each place.

mod alternative;
mod assumption;
mod atomic;
mod block_io;
mod builder;
mod call;
mod closure;
mod common_part;
mod comparison;
mod condition;
mod constant;
mod constant_variable;
mod control;
mod elements;
mod equality;
mod export;
mod expression;
mod fault_exit;
mod flattened;
mod function;
mod group;
mod group_copy;
mod half;
mod identity;
mod image;
mod image_block;
mod import;
mod iterator;
mod list;
mod memory;
mod nominal;
mod order;
mod overflow;
mod panic;
mod pattern;
mod place;
mod pointer;
mod power;
mod print;
mod reference;
mod requirement;
mod run;
mod selection;
mod shared;
mod slice;
mod slice_method;
mod slice_search;
mod vector;
mod wide;

pub use builder::Builder;
pub(crate) use builder::DivisionChecks;
pub use export::export;
pub(crate) use import::check as check_imports;

use crate::chain::Id;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::hash::HashMap;
use crate::infer::{self, Inferred, Program, Table};
use crate::ir;
use crate::ir::{Arena, Attributes, Handle, Query, Type};
use crate::typed::{self, Binding, Callee, Calls, Label, Ty};
use constant_variable::ConstantVariables;
use function::Functions;
use identity::Identities;
use iterator::Forms;
use memory::Memory;
use overflow::Author;
use proc_macro2::Span;
use reference::Origins;

/// Lowers a kernel and the device functions that it calls.
///
/// # Errors
///
/// What is wrong with the device functions, where that has not been reported where they are defined.
pub fn module(
    program: &Program<'_>,
    function: &Inferred,
    attributes: Attributes,
) -> Result<ir::Module, Diagnostics> {
    let mut lowering = Lowering::new(program, attributes, false);
    let parts = lowering.until_settled(|lowering| lowering.kernel(function));
    lowering.finish(function.0.name.clone(), parts, None)
}

/// Runs the code of a scalar constant, the last expression of a function without parameters; none if it does not come to its end.
pub(crate) fn constant(program: &Program<'_>, function: &Inferred) -> Option<u64> {
    let value = function.0.body.tail.as_deref()?;
    let mut lowering = Lowering::new(program, Attributes::default(), false);
    let found = lowering.until_settled(|lowering| {
        let mut builder = Builder::new(lowering, Author::Host);
        FunctionLowering::new(function, &mut builder, Exit::Kernel).scalar_of_constant(value)
    });
    found.filter(|_| lowering.diagnostics.is_empty())
}

/// Has a kernel of one dimension ask for its ids and sizes in that one.
fn ask_for_one_dimension(module: &mut ir::Module) {
    for value in module.values.iter_mut() {
        if let ir::Op::Query(query, _) = &mut value.op {
            *query = match *query {
                Query::LocalLinearId => Query::LocalId,
                Query::WorkGroupSize => Query::LocalSize,
                other => other,
            };
        }
    }
}

/// The state of the lowering of a module.
pub(crate) struct Lowering<'a> {
    program: &'a Program<'a>,
    types: Arena<Type>,
    locals: Arena<ir::LocalVariable>,
    tables: Arena<ir::Table>,
    /// The constants that have been computed; none for one that has to be computed by the kernel.
    constants: HashMap<constant::Key, Option<constant::Constant>>,
    sites: Arena<ir::Site>,
    prints: Arena<ir::PrintSite>,
    imports: Arena<ir::Import>,
    specializations: Vec<ir::Specialization>,
    parameters: Vec<ir::Parameter>,
    assumptions: Vec<ir::Assumption>,
    /// The arrays in local memory for what subgroups come to, by the types of their elements.
    totals: HashMap<Handle<Type>, Handle<ir::LocalVariable>>,
    /// The structs that hold raw pointers.
    linked: HashMap<typed::Nominal, Handle<Type>>,
    attributes: Attributes,
    /// Whether this is a function for other modules.
    is_export: bool,
    /// The device functions whose types have been inferred, for each list of generic arguments; none for one with an error.
    callees: HashMap<Callee, Option<Inferred>>,
    /// The device functions around what is being lowered, outermost first.
    active: Calls,
    /// What variables for references may refer to.
    origins: Origins,
    identities: Identities,
    constant_variables: ConstantVariables,
    /// The functions that variables keep the numbers of.
    functions: Functions,
    /// The forms of the iterators that variables keep.
    forms: Forms,
    diagnostics: Diagnostics,
}

impl<'a> Lowering<'a> {
    fn new(program: &'a Program<'a>, attributes: Attributes, is_export: bool) -> Self {
        Self {
            program,
            types: Arena::default(),
            locals: Arena::default(),
            tables: Arena::default(),
            constants: HashMap::default(),
            sites: Arena::default(),
            prints: Arena::default(),
            imports: Arena::default(),
            specializations: Vec::new(),
            parameters: Vec::new(),
            assumptions: Vec::new(),
            totals: HashMap::default(),
            linked: HashMap::default(),
            attributes,
            is_export,
            callees: HashMap::default(),
            active: Calls::default(),
            origins: Origins::default(),
            identities: Identities::default(),
            constant_variables: ConstantVariables::default(),
            functions: Functions::default(),
            forms: Forms::default(),
            diagnostics: Diagnostics::default(),
        }
    }

    /// The module of what has been lowered.
    fn finish(
        self,
        name: String,
        (variables, values, body): Parts,
        export: Option<ir::Export>,
    ) -> Result<ir::Module, Diagnostics> {
        let Self {
            types,
            locals,
            tables,
            sites,
            prints,
            imports,
            specializations,
            parameters,
            assumptions,
            attributes,
            diagnostics,
            totals,
            ..
        } = self;
        let mut module = ir::Module {
            name,
            export,
            attributes,
            types,
            locals,
            tables,
            sites,
            prints,
            imports,
            specializations,
            parameters,
            assumptions,
            variables,
            values,
            body,
        };
        if module.rank() == 1 {
            ask_for_one_dimension(&mut module);
        }
        let len = module.most_subgroups();
        for (element, array) in totals {
            module.locals[array].ty = module.types.intern(Type::Array { element, len });
        }
        diagnostics.finish(module)
    }

    fn kernel(&mut self, inferred: &Inferred) -> Parts {
        let (function, table) = &**inferred;
        let parameters = function.parameters.iter();
        for (position, (binding, space)) in parameters.zip(&function.spaces).enumerate() {
            let ty = table.resolve(&function.bindings[*binding].ty);
            let (ty, aliasing) = match (&ty, space) {
                (Ty::Slice { element, .. }, ir::Space::Local) => {
                    (self.local_slice_type(element), ir::Aliasing::Unknown)
                }
                (Ty::Slice { element, .. }, ir::Space::Constant) => {
                    (self.constant_slice_type(element), ir::Aliasing::ReadOnly)
                }
                (other, _) => (self.parameter_type(other), shared::aliasing(other)),
            };
            let name = function.bindings[*binding].name.clone();
            let caching = function.caching[position].clone();
            self.parameters.push(ir::Parameter { name, ty, aliasing, caching });
        }
        let types: Vec<_> = self.parameters.iter().map(|parameter| parameter.ty).collect();
        for (name, scalar) in &function.specializations {
            let ty = self.types.intern(Type::Scalar(*scalar));
            self.specializations.push(ir::Specialization { name: name.clone(), ty });
        }
        let mut builder = Builder::new(self, Author::User);
        builder.specialize();
        let arguments = (0..).zip(&types).map(|(index, ty)| builder.argument(index, *ty)).collect();
        FunctionLowering::new(inferred, &mut builder, Exit::Kernel).run(arguments);
        builder.finish()
    }

    /// A device function with its types.
    fn callee(&mut self, callee: &Callee) -> Option<Inferred> {
        if let Some(known) = self.callees.get(callee) {
            return known.clone();
        }
        let found = self.infer(callee);
        self.callees.insert(callee.clone(), found.clone());
        found
    }

    fn infer(&mut self, callee: &Callee) -> Option<Inferred> {
        let source = self.program.function(&callee.id)?;
        let signature = self.program.signature(&callee.id)?;
        match infer::function(self.program, &source, &signature, &callee.arguments) {
            Ok(found) => Some(found),
            Err(diagnostics) => {
                self.diagnostics.append(diagnostics);
                None
            }
        }
    }

    fn recursion(&mut self, callee: &Callee, span: Span) {
        let cycle: Vec<_> = self.active.cycle(&callee.id).map(|id| self.name_of(id)).collect();
        let at = crate::diagnostics::marker(span);
        let message = "this call is recursive, and a device has no stack for recursion";
        self.diagnostics.push_once(Diagnostic::recursion(&at, message, &cycle.join(" -> ")));
    }

    fn name_of(&self, id: &Id) -> String {
        match self.program.function(id) {
            Some(source) => format!("`{}`", source.signature.ident),
            None => format!("`{id}`"),
        }
    }
}

/// What a lowered kernel or function consists of.
type Parts = (Arena<ir::Variable>, Arena<ir::Value>, ir::Block);

/// The state of the lowering of one function in one place.
struct FunctionLowering<'b, 'm, 'p, 'f> {
    /// The function, which closures made in it hold on to.
    whole: &'f Inferred,
    function: &'f typed::Function,
    table: &'f Table,
    builder: &'b mut Builder<'m, 'p>,
    /// What the variables of the source have become.
    slots: HashMap<Handle<Binding>, Memory>,
    targets: HashMap<Label, Target>,
    /// The type of the result of the function or closure.
    result: Ty,
    exit: Exit,
    /// Whether what a pattern takes apart may have too few elements for it, because a panic where it does not match may go on.
    is_doubtful: bool,
}

/// A loop or block that can be left, as it has been lowered.
#[derive(Clone)]
struct Target {
    label: ir::Label,
    /// What `continue` does.
    next: ir::End,
    /// Where the value goes with which it is left.
    value: Option<Memory>,
}

/// What `return` does.
enum Exit {
    /// It ends the kernel.
    Kernel,
    /// It leaves the block that the call has become.
    Inlined {
        target: Target,
        /// Whether there has been one.
        used: bool,
    },
}
