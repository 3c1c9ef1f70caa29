//! Which types can be formatted, and what of their values is.

use super::Program;
use super::text::{CHAR, is_str_type};
use crate::ir::{Shown, ShownFields};
use crate::typed::{Style, TRY_FROM_INT_ERROR, TRY_FROM_SLICE_ERROR, Ty, Variant};
use kernel_core::Scalar;

/// What is formatted of the values of a type that is known: numbers, and what is made of them, in the way of a derived `Debug`; none if it
/// cannot be.
pub(crate) fn shown(program: &Program<'_>, ty: &Ty) -> Option<Shown> {
    match ty {
        Ty::Unit => Some(Shown::Tuple(Vec::new())),
        Ty::Vector(..) => ty.numeric().filter(|ty| ty.scalar != Scalar::Bool).map(Shown::Number),
        Ty::Scalar(_) => ty.numeric().map(Shown::Number),
        Ty::Reference { to, .. } => shown(program, to),
        Ty::Tuple(elements) => {
            elements.iter().map(|element| shown(program, element)).collect::<Option<_>>().map(Shown::Tuple)
        }
        Ty::Array(element, len) => Some(Shown::Array(Box::new(shown(program, element)?), len.length()?)),
        Ty::Nominal(nominal) if matches!(nominal.id.as_str(), TRY_FROM_INT_ERROR | TRY_FROM_SLICE_ERROR) => {
            let fields = vec![("0".to_owned(), Shown::Tuple(Vec::new()))];
            Some(Shown::Struct(ShownFields { name: nominal.id.clone(), is_named: false, fields }))
        }
        Ty::Nominal(nominal) if nominal.id == CHAR => Some(Shown::Char),
        text if is_str_type(text) => Some(Shown::Str),
        Ty::Nominal(nominal) => {
            let definition = program.definition(&nominal.id)?;
            if !definition.derives.iter().any(|name| name == "Debug") {
                return None;
            }
            let fields = |variant| fields(program, variant, &nominal.arguments);
            match (definition.tag, &definition.variants[..]) {
                (None, [only]) => fields(only).map(Shown::Struct),
                (Some(tag), variants) => {
                    let shown =
                        variants.iter().map(|variant| Some((variant.discriminant as i64, fields(variant)?)));
                    Some(Shown::Enum(tag, shown.collect::<Option<_>>()?))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn fields(program: &Program<'_>, variant: &Variant, arguments: &[Ty]) -> Option<ShownFields> {
    let fields = variant.fields.iter().map(|field| {
        let shown = shown(program, &program.field_type(field, arguments))?;
        Some((unraw(&field.name), shown))
    });
    let fields = fields.collect::<Option<_>>()?;
    Some(ShownFields { name: unraw(&variant.name), is_named: variant.style == Style::Named, fields })
}

/// A name as it is formatted.
fn unraw(name: &str) -> String {
    name.strip_prefix("r#").unwrap_or(name).to_owned()
}
