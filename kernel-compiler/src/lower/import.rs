//! Calls of functions that other modules have.

use super::FunctionLowering;
use super::memory::Operand;
use crate::chain::Id;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, marker};
use crate::infer;
use crate::ir::{Call, Handle, Import, Module, Op, Type};
use crate::typed::{Expr, Ty};
use kernel_core::Scalar;

/// Reports functions of other modules that have the name of the kernel, or of the function for others.
pub(crate) fn check(module: &Module) -> Diagnostics {
    let mut errors = Diagnostics::default();
    for (_, import) in module.imports.iter().filter(|(_, import)| import.name == module.name) {
        let name = &import.name;
        let (message, help) = match module.export {
            None => (
                format!("`{name}` is the name of this kernel, and not of a function of another module"),
                "rename the kernel, or export the function under another name",
            ),
            Some(_) => (
                format!("`{name}` is what this module exports, and not a function of another one"),
                "export the function under another name, or call the function itself",
            ),
        };
        errors.push(Diagnostic::new(Code::Linkage, &marker(import.span), message).help(help));
    }
    errors
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// The call of a device function, if that is one of another module.
    pub(super) fn imported_call(&mut self, expr: &Expr, id: &Id, arguments: &[Expr]) -> Option<Operand> {
        let source = self.builder.module.program.function(id)?;
        let name = infer::imported(&source)?;
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            if let Operand::Value(value) = self.expr(argument) {
                values.push(value);
            }
        }
        let parameters: Vec<_> = values.iter().map(|value| self.builder.type_of(*value)).collect();
        let result = self.result_of_import(&self.table.resolve(&expr.ty));
        let Some(import) = self.import(expr, name.as_str(), parameters, result) else {
            return Some(Operand::Undefined);
        };
        let ty = result.unwrap_or_else(|| self.builder.scalar_type(Scalar::U32));
        let value = self.builder.evaluate(ty, Op::Call(Call { import, arguments: values }));
        Some(if result.is_some() { Operand::Value(value) } else { Operand::UNIT })
    }

    fn result_of_import(&mut self, ty: &Ty) -> Option<Handle<Type>> {
        (*ty != Ty::Unit).then(|| self.builder.module.stored_type(ty))
    }

    /// The function by its name; none, and an error, if it is known with another type.
    fn import(
        &mut self,
        expr: &Expr,
        name: &str,
        parameters: Vec<Handle<Type>>,
        result: Option<Handle<Type>>,
    ) -> Option<Handle<Import>> {
        let module = &mut *self.builder.module;
        let known = module.imports.iter().find(|(_, import)| import.name == name);
        let Some((handle, known)) = known else {
            let import = Import { name: name.to_owned(), parameters, result, span: expr.span };
            return Some(module.imports.push(import));
        };
        if known.parameters == parameters && known.result == result {
            return Some(handle);
        }
        let start = known.span.start();
        let message =
            format!("`{name}` is imported with two types, and one name has one function in a program");
        let diagnostic = Diagnostic::new(Code::Linkage, &marker(expr.span), message)
            .note(format!(
                "it is called with another one at line {}, column {}",
                start.line,
                start.column + 1
            ))
            .help("declare both with the types that the other module has, or import another name");
        module.diagnostics.push(diagnostic);
        None
    }
}
