//! Functions of other modules and their calls, and functions for other modules.

use super::{Verdict, Verifier, require};
use crate::ir::{Call, Export, Handle, Import, Op, Type};
use kernel_core::Scalar;

impl Verifier<'_> {
    pub(super) fn imports(&self) -> Verdict {
        let imports = &self.module.imports;
        for (handle, Import { name, parameters, result, .. }) in imports.iter() {
            let passed = parameters.iter().chain(result);
            for ty in passed {
                require(self.is_passed(*ty), || {
                    format!("`{name}` takes or returns a {:?}", self.module.types[*ty])
                })?;
            }
            let is_known = imports.iter().any(|(other, import)| other != handle && import.name == *name);
            require(!is_known, || format!("`{name}` is imported twice"))?;
        }
        self.results_of_nothing()
    }

    /// Checks that a function for other modules is one that others can call.
    pub(super) fn export(&self) -> Verdict {
        let module = self.module;
        let Some(Export { result }) = module.export else { return Ok(()) };
        let result = result.map(|variable| module.variables[variable].ty);
        for ty in module.parameters.iter().map(|parameter| parameter.ty).chain(result) {
            require(self.is_passed(ty), || format!("it takes or returns a {:?}", module.types[ty]))?;
        }
        let counts = [
            ("sites", module.sites.len()),
            ("places that print", module.prints.len()),
            ("variables in local memory", module.locals.len()),
            ("constants of the host's", module.specializations.len()),
        ];
        for (what, count) in counts {
            require(count == 0, || format!("a function for other modules has {count} {what}"))?;
        }
        require(!module.body.has_convergent(&module.values), || {
            "work-items meet in a function for other modules".to_owned()
        })?;
        let is_imported = module.imports.iter().any(|(_, import)| import.name == module.name);
        require(!is_imported, || "what is exported is imported too".to_owned())
    }

    fn is_passed(&self, ty: Handle<Type>) -> bool {
        matches!(
            self.module.types[ty],
            Type::Scalar(_) | Type::Vector { .. } | Type::Pointer { raw: true, .. }
        )
    }

    /// Checks that nobody uses what a function without a result returns.
    fn results_of_nothing(&self) -> Verdict {
        let imports = &self.module.imports;
        if imports.iter().all(|(_, import)| import.result.is_some()) {
            return Ok(());
        }
        let uses = self.module.count_uses();
        for (handle, value) in self.module.values.iter() {
            if let Op::Call(call) = &value.op {
                let import = &imports[call.import];
                let is_used = import.result.is_none() && uses[handle.index()] > 0;
                require(!is_used, || format!("{handle:?} is used, but `{}` returns nothing", import.name))?;
            }
        }
        Ok(())
    }

    pub(super) fn call(&self, call: &Call, ty: Handle<Type>) -> Verdict {
        let Import { name, parameters, result, .. } = &self.module.imports[call.import];
        let types = call.arguments.iter().map(|argument| self.module.values[*argument].ty);
        require(types.eq(parameters.iter().copied()), || format!("the arguments are not those of `{name}`"))?;
        let fits = match result {
            Some(result) => *result == ty,
            None => self.module.scalar(ty) == Some(Scalar::U32),
        };
        require(fits, || format!("the result is not that of `{name}`"))
    }
}
