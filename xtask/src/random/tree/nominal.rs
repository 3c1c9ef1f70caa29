//! Structs and enums.

use super::Type;
use std::fmt;
use std::sync::Arc;

/// A struct with its generic arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::random) struct Struct {
    pub(in crate::random) name: String,
    /// `<u8>`, or nothing.
    pub(in crate::random) arguments: String,
    pub(in crate::random) body: Body,
}

/// An enum of the program, `Option` or `Result`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::random) struct Enum {
    pub(in crate::random) name: String,
    /// `<u8>`, or nothing.
    pub(in crate::random) arguments: String,
    pub(in crate::random) variants: Vec<Variant>,
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::random) struct Variant {
    pub(in crate::random) name: String,
    pub(in crate::random) body: Body,
}

/// The fields of a struct or of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::random) struct Body {
    /// Whether the fields have names rather than numbers.
    pub(in crate::random) is_named: bool,
    /// Each field by its name, or by its number.
    pub(in crate::random) fields: Vec<(String, Type)>,
}

impl Body {
    /// Fields that have only numbers.
    pub(in crate::random) fn tuple(types: Vec<Type>) -> Self {
        let fields = types.into_iter().enumerate().map(|(index, ty)| (index.to_string(), ty)).collect();
        Self { is_named: false, fields }
    }

    /// Fields with names.
    pub(in crate::random) fn named(types: Vec<Type>) -> Self {
        let fields = types.into_iter().enumerate().map(|(index, ty)| (format!("f{index}"), ty)).collect();
        Self { is_named: true, fields }
    }

    pub(in crate::random) fn types(&self) -> impl Iterator<Item = &Type> {
        self.fields.iter().map(|(_, ty)| ty)
    }

    /// The braces or parentheses with something for each field: `{ f0: a, f1: b }`, `(a, b)`, or nothing.
    pub(in crate::random) fn written(&self, parts: &[String]) -> String {
        if self.is_named {
            let field = |((name, _), part): (&(String, Type), &String)| format!("{name}: {part}");
            let fields: Vec<String> = self.fields.iter().zip(parts).map(field).collect();
            return format!(" {{ {} }}", fields.join(", "));
        }
        if self.fields.is_empty() { String::new() } else { format!("({})", parts.join(", ")) }
    }

    pub(super) fn size(&self) -> usize {
        self.types().map(Type::size).sum()
    }
}

impl Enum {
    pub(in crate::random) fn option(value: Type) -> Type {
        let arguments = format!("<{value}>");
        let variants = vec![
            Variant { name: "None".to_owned(), body: Body::tuple(Vec::new()) },
            Variant { name: "Some".to_owned(), body: Body::tuple(vec![value]) },
        ];
        Type::Enum(Arc::new(Self { name: "Option".to_owned(), arguments, variants }))
    }

    pub(in crate::random) fn result(value: Type, error: Type) -> Type {
        let arguments = format!("<{value}, {error}>");
        let variants = vec![
            Variant { name: "Ok".to_owned(), body: Body::tuple(vec![value]) },
            Variant { name: "Err".to_owned(), body: Body::tuple(vec![error]) },
        ];
        Type::Enum(Arc::new(Self { name: "Result".to_owned(), arguments, variants }))
    }

    /// The type of the value in an `Option`.
    pub(in crate::random) fn of_option(&self) -> Option<&Type> {
        if self.name == "Option" { self.variants[1].body.types().next() } else { None }
    }

    /// The types of the value and the error in a `Result`.
    pub(in crate::random) fn of_result(&self) -> Option<(&Type, &Type)> {
        let [ok, err] = &self.variants[..] else { return None };
        if self.name == "Result" { ok.body.types().zip(err.body.types()).next() } else { None }
    }

    /// A variant as it is written in patterns, where the types are known.
    pub(in crate::random) fn short(&self, variant: &Variant) -> String {
        match self.name.as_str() {
            "Option" | "Result" => variant.name.clone(),
            name => format!("{name}::{}", variant.name),
        }
    }

    /// A variant as it is written where its type is to be known.
    pub(in crate::random) fn path(&self, variant: &Variant) -> String {
        match self.arguments.as_str() {
            "" => format!("{}::{}", self.name, variant.name),
            arguments => format!("{}::{arguments}::{}", self.name, variant.name),
        }
    }

    /// Returns whether it has only names, which can be cast to numbers.
    pub(in crate::random) fn is_plain(&self) -> bool {
        self.variants.iter().all(|variant| variant.body.fields.is_empty() && !variant.body.is_named)
    }
}

impl Struct {
    /// The name as it is written in an expression.
    pub(in crate::random) fn path(&self) -> String {
        match self.arguments.as_str() {
            "" => self.name.clone(),
            arguments => format!("{}::{arguments}", self.name),
        }
    }
}

impl fmt::Display for Struct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, self.arguments)
    }
}

impl fmt::Display for Enum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, self.arguments)
    }
}
