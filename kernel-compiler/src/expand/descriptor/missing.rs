//! What stands for the descriptor of code that did not compile.
//!
//! A kernel with errors keeps its launcher and its static, so that what uses them is no error too. Then the static has a value that no program can have:
//! it refers to a function that rustc cannot generate. rustc generates code only once it has found no error, so that this is seen where nothing else is, and so where
//! an error was left to rustc that it does not see.

use super::Value;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expand::{report, runtime};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// That there is no module.
#[derive(Clone, Debug)]
pub(in crate::expand) struct Missing {
    /// What is said if nobody has said anything.
    why: Diagnostic,
}

impl Missing {
    /// What is wrong with this has been reported elsewhere.
    pub(in crate::expand) fn reported(name: &Ident) -> Self {
        let message = format!("the compiler refuses `{name}`, but has not said why");
        Self { why: Diagnostic::left_to_rustc(name, message).note("please report it") }
    }

    /// These errors are with this.
    pub(in crate::expand) fn of(name: &Ident, errors: &Diagnostics) -> Self {
        match errors.iter().next() {
            Some(first) => Self { why: first.clone() },
            None => Self::reported(name),
        }
    }

    /// For a kernel.
    pub(in crate::expand) fn kernel(&self) -> Value {
        let (runtime, spirv) = (runtime(), self.spirv());
        Value(quote!(#runtime::__private::kernel_with(#spirv)))
    }

    /// For kernels that share a module.
    pub(in crate::expand) fn kernels(&self, count: usize) -> Value {
        let Value(kernel) = self.kernel();
        Value(quote!([#kernel; #count]))
    }

    /// For a function for other modules.
    pub(in crate::expand) fn export(&self) -> Value {
        let (runtime, spirv) = (runtime(), self.spirv());
        Value(quote!(#runtime::__private::export_with(#spirv)))
    }

    fn spirv(&self) -> TokenStream {
        let (runtime, panic) = (runtime(), report::panic_call(&self.why));
        quote!(#runtime::__missing!(#panic))
    }
}
