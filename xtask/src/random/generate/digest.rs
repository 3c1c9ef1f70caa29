//! Values as numbers, so that everything can be compared.

use crate::random::tree::{Enum, Expr, Node, Type, Variant, expr, fill};
use kernel_core::Scalar;

/// Numbers for what is in a variable, one for each scalar or enum.
pub(super) fn parts(place: &str, ty: &Type, numbers: &mut Vec<Expr>) {
    match ty {
        Type::Scalar(scalar) => {
            let part = Expr { is_place: true, ..Expr::text(ty.clone(), place) };
            numbers.push(bits(part, *scalar));
        }
        Type::Unit => {}
        Type::Half => {
            let part = Expr { is_place: true, ..Expr::text(Type::Half, place) };
            let template = "(if $ != $ { 7 } else { $.to_bits() as u64 })";
            numbers.push(expr!(Type::Scalar(Scalar::U64), template, part.clone(), part.clone(), part));
        }
        Type::Vector(scalar, lanes) => {
            (0..*lanes).for_each(|lane| parts(&format!("{place}[{lane}]"), &Type::Scalar(*scalar), numbers));
        }
        Type::Tuple(elements) => {
            for (index, element) in elements.iter().enumerate() {
                parts(&format!("{place}.{index}"), element, numbers);
            }
        }
        Type::Array(element, len) => {
            (0..*len).for_each(|index| parts(&format!("{place}[{index}]"), element, numbers));
        }
        Type::Struct(of) => {
            of.body.fields.iter().for_each(|(name, field)| parts(&format!("{place}.{name}"), field, numbers));
        }
        Type::Enum(of) => {
            let mut nodes = vec![format!("(match {place} {{ ").into()];
            of.variants.iter().enumerate().for_each(|(index, variant)| nodes.extend(arm(of, index, variant)));
            nodes.push("})".into());
            numbers.push(Expr { ty: Type::Scalar(Scalar::U64), is_place: false, nodes });
        }
    }
}

/// `E::V0(b0, b1) => number of the variant and its fields, `
fn arm(of: &Enum, index: usize, variant: &Variant) -> Vec<Node> {
    let names: Vec<String> = (0..variant.body.fields.len()).map(|field| format!("b{field}")).collect();
    let pattern = of.short(variant) + &variant.body.written(&names);
    let mut fields = Vec::new();
    names.iter().zip(variant.body.types()).for_each(|(name, field)| parts(name, field, &mut fields));
    let number = (0..fields.len()).fold(format!("{index}_u64"), |number, _| format!("({number} * 31 ^ $)"));
    fill(&format!("{pattern} => {number}, "), fields.into_iter().map(Node::from).collect())
}

/// A scalar as a number; the bits of a NaN are nobody's.
fn bits(part: Expr, scalar: Scalar) -> Expr {
    let ty = Type::Scalar(Scalar::U64);
    match scalar {
        Scalar::F32 | Scalar::F64 => {
            expr!(ty, "(if $ != $ { 7 } else { $.to_bits() as u64 })", part.clone(), part.clone(), part)
        }
        _ => expr!(ty, "($ as u64)", part),
    }
}
