//! Functions for other modules: a device function as the only thing in its module, called by whoever knows its name.

use super::builder::variable_place;
use super::memory::{Memory, Operand};
use super::overflow::Author;
use super::{Builder, Exit, FunctionLowering, Lowering, Parts};
use crate::chain::Id;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, marker};
use crate::infer::Program;
use crate::ir::{self, Attributes, End, Export};
use crate::typed::{Callee, Ty};

/// Lowers a device function without generic parameters for other modules, which know it by a name, and the device functions that it calls.
///
/// # Errors
///
/// What is wrong with it and the others, where that has not been reported where they are defined.
pub fn export(
    program: &Program<'_>,
    id: &Id,
    name: String,
    attributes: Attributes,
) -> Result<ir::Module, Diagnostics> {
    let callee = Callee { id: id.clone(), arguments: Vec::new() };
    let mut lowering = Lowering::new(program, attributes, true);
    match lowering.until_settled(|lowering| lowering.exported(&callee)) {
        Some((parts, export)) => lowering.finish(name, parts, Some(export)),
        None => Err(lowering.diagnostics),
    }
}

impl Lowering<'_> {
    /// The function as code that takes what the parameters of its module are; none, and the errors, if its types could not be inferred.
    fn exported(&mut self, callee: &Callee) -> Option<(Parts, Export)> {
        let whole = self.callee(callee)?;
        let (function, table) = &*whole;
        for (binding, caching) in function.parameters.iter().zip(&function.caching) {
            let binding = &function.bindings[*binding];
            let ty = self.stored_type(&table.resolve(&binding.ty));
            self.parameters.push(ir::Parameter {
                name: binding.name.clone(),
                ty,
                aliasing: ir::Aliasing::Unknown,
                caching: caching.clone(),
            });
        }
        let types: Vec<_> = self.parameters.iter().map(|parameter| parameter.ty).collect();
        let result_ty = table.resolve(&function.result);
        self.active.enter(callee);
        let mut builder = Builder::new(self, Author::User);
        let arguments: Vec<Memory> =
            (0..).zip(&types).map(|(index, ty)| builder.argument(index, *ty)).collect();
        let operand = FunctionLowering::new(&whole, &mut builder, Exit::Kernel)
            .inlined(&result_ty, |builder, exit| FunctionLowering::new(&whole, builder, exit).run(arguments));
        let result = (result_ty != Ty::Unit).then(|| {
            let ty = builder.module.stored_type(&result_ty);
            let result = builder.variable("result", ty);
            if let Operand::Value(value) = operand {
                builder.store(variable_place(result), value);
            }
            result
        });
        builder.end(End::Return);
        Some((builder.finish(), Export { result }))
    }
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// Reports what prints, if this is a function for other modules; whether it is.
    pub(super) fn prints_in_export(&mut self) -> bool {
        if self.builder.module.is_export {
            let message = "a function for other modules prints nothing: it knows no queue that would show it";
            let help = "return what is to be printed, and print it in the kernel";
            let at = marker(self.builder.span);
            self.builder.module.diagnostics.push(Diagnostic::new(Code::Linkage, &at, message).help(help));
        }
        self.builder.module.is_export
    }
}
