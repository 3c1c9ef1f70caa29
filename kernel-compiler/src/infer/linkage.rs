//! Functions of other modules, and functions for them: which device functions are of others, and what both take and return.
//!
//! What an OpenCL C function of the same name has: scalars and vectors by value, and pointers to global memory.

use super::{Infer, Program, Source};
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::typed::Ty;
use kernel_core::Scalar;
use quote::ToTokens;
use syn::{Attribute, Expr, FnArg, Lit, LitStr, Meta, ReturnType};

/// How an attribute is called that marks a function of another module, once `#[device(import = "…")]` has been read.
pub(crate) const MARK: &str = "import";

/// On which side of the border between modules a function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linked {
    /// Another module has it.
    Import,
    /// Other modules call it.
    Export,
}

impl Linked {
    /// What such a function is called in errors.
    fn name(self) -> &'static str {
        match self {
            Self::Import => "a function of another module",
            Self::Export => "a function for other modules",
        }
    }
}

/// The name by which another module has a function, if it is marked as one.
pub(crate) fn imported(source: &Source) -> Option<String> {
    name(source.attributes()).map(LitStr::value)
}

fn name(attributes: &[Attribute]) -> Option<&LitStr> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident(MARK) => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(name) => Some(name),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })
}

/// Checks the types of a function that another module has, or calls.
pub(crate) fn check_linked(
    program: &Program<'_>,
    source: &Source,
    linked: Linked,
) -> Result<(), Diagnostics> {
    let signature = super::signature(program, source)?;
    let mut infer = Infer::new(program, &source.links, source.role, Ty::Unit);
    for (parameter, written) in signature.parameters.iter().zip(&source.signature.inputs) {
        if let FnArg::Typed(typed) = written {
            infer.passed(&parameter.ty, &typed.ty, linked);
        }
    }
    if let ReturnType::Type(_, written) = &source.signature.output
        && signature.result != Ty::Unit
    {
        infer.passed(&signature.result, written, linked);
    }
    infer.diagnostics.finish(())
}

impl Infer<'_> {
    /// Reports a type that a function on either side of the border cannot take or return.
    fn passed(&mut self, ty: &Ty, written: &syn::Type, linked: Linked) {
        let ty = self.table.resolve(ty);
        let help = match &ty {
            Ty::Error => return,
            Ty::Scalar(Scalar::Bf16) => "OpenCL C has no such type; pass its bits as a `u16`",
            Ty::Scalar(_) => return,
            Ty::Vector(element, _) if is_number(element) => return,
            Ty::Vector(..) => "pass numbers, such as an `i32x4` of 0 and -1 for a mask",
            Ty::Pointer { to, .. } => match &**to {
                Ty::Scalar(scalar) if *scalar != Scalar::Bf16 => return,
                Ty::Vector(element, _) if is_number(element) => return,
                _ => "pass the address as a `*mut u8`, by `cast`",
            },
            Ty::Slice { .. } => "pass a pointer and the number of elements, as `x.as_ptr(), x.len()`",
            Ty::Reference { to, .. } if matches!(**to, Ty::Image { .. }) => {
                "read and write the image in the kernel, and pass texels"
            }
            Ty::Reference { .. } => "pass a pointer to it in global memory, as `&raw const x[i]`",
            Ty::Tuple(_) | Ty::Nominal(_) | Ty::Array(..) => {
                "pass each part as an argument of its own; return one by a pointer that is passed"
            }
            _ => "it takes and returns scalars, vectors, and pointers to these in global memory",
        };
        let shown = self.table.partial(&ty);
        let message = format!("{} takes and returns no `{shown}`", linked.name());
        let diagnostic = Diagnostic::new(Code::Linkage, &written, message)
            .note("it has what an OpenCL C function has: scalars and vectors by value, and pointers to global memory");
        self.diagnostics.push(diagnostic.help(help));
    }
}

fn is_number(element: &Ty) -> bool {
    matches!(element, Ty::Scalar(scalar) if !matches!(scalar, Scalar::Bool | Scalar::Bf16))
}

/// What is wrong with the declaration of a function of another module, or of one for others, types apart.
#[must_use]
pub(crate) fn linked_form(signature: &syn::Signature, name: &LitStr, linked: Linked) -> Diagnostics {
    let mut errors = Diagnostics::default();
    let mut error = |tokens: &dyn ToTokens, message: String, help: &str| {
        let tokens = tokens.to_token_stream();
        errors.push(Diagnostic::new(Code::Linkage, &tokens, message).help(help));
    };
    if linked == Linked::Import && !matches!(signature.safety, syn::Safety::Unsafe(_)) {
        let message = "a function of another module is `unsafe`: nobody checks what it does".to_owned();
        let help = "write `unsafe fn`, and say in its `# Safety` section what who calls it vouches for";
        error(&signature.fn_token, message, help);
    }
    let one_type = || format!("{} has one type, and no generic parameters", linked.name());
    if !signature.generics.params.is_empty() {
        let help = match linked {
            Linked::Import => {
                "import one function for each type, by the name that each has in the other module"
            }
            Linked::Export => {
                "export one function for each type, each by a name of its own, that calls this one"
            }
        };
        error(&signature.generics, one_type(), help);
    }
    for input in &signature.inputs {
        if let FnArg::Typed(typed) = input
            && let syn::Type::ImplTrait(ty) = &*typed.ty
        {
            error(ty, one_type(), "write the type");
        }
    }
    if super::signature::has_opaque(signature) {
        let message = match linked {
            Linked::Import => "what a function of another module returns is not known from its body",
            Linked::Export => "other modules do not know what a function returns from its body",
        };
        error(&signature.output, message.to_owned(), "write the type");
    }
    errors.append(symbol(name, linked));
    errors
}

/// What is wrong with a name by which modules know a function.
fn symbol(name: &LitStr, linked: Linked) -> Diagnostics {
    let value = name.value();
    let mut letters = value.chars();
    let starts = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    let is_identifier = starts && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let mut errors = Diagnostics::default();
    if !is_identifier {
        let message = format!("{value:?} cannot be the name of {}", linked.name());
        let help =
            "a name is what C has: letters of ASCII, digits and `_`, of which it does not start with a digit";
        errors.push(Diagnostic::new(Code::Linkage, name, message).help(help));
    } else if value.starts_with("__spirv_") {
        let message = format!("`{value}` is the name of an instruction of SPIR-V to those who translate it");
        errors.push(Diagnostic::new(Code::Linkage, name, message).help("choose a name without `__spirv_`"));
    }
    errors
}
