//! Definitions of structs and enums.

use super::Generator;
use crate::random::tree::{Body, Enum, Item, Node, Struct, Type, Variant};
use kernel_core::Scalar;
use std::sync::Arc;

/// The most scalars that a struct or a variant of an enum has.
const MAX_SIZE: usize = 6;

impl Generator {
    /// Defines a struct, and returns its type.
    pub(super) fn new_struct(&mut self) -> Type {
        let body = self.body_of(1);
        let name = self.name("S");
        let scalar = body.types().find_map(Type::scalar);
        if let Some(scalar) = scalar.filter(|_| self.random.chance(30)) {
            return self.generic_struct(name, body, scalar);
        }
        let types: Vec<String> = body.types().map(Type::to_string).collect();
        self.define_struct(&name, &body, &types);
        Type::Struct(Arc::new(Struct { name, arguments: String::new(), body }))
    }

    /// A struct with a parameter for one of the types in it.
    fn generic_struct(&mut self, name: String, body: Body, parameter: Scalar) -> Type {
        let declared = |ty: &Type| match ty {
            Type::Scalar(scalar) if *scalar == parameter => "T".to_owned(),
            Type::Array(element, len) if element.scalar() == Some(parameter) => format!("[T; {len}]"),
            other => other.to_string(),
        };
        let types: Vec<String> = body.types().map(declared).collect();
        self.define_struct(&format!("{name}<T>"), &body, &types);
        Type::Struct(Arc::new(Struct { name, arguments: format!("<{parameter}>"), body }))
    }

    fn define_struct(&mut self, head: &str, body: &Body, types: &[String]) {
        let written = if body.is_named {
            let field = |((name, _), ty): (&(String, Type), &String)| format!("pub {name}: {ty}");
            let fields: Vec<String> = body.fields.iter().zip(types).map(field).collect();
            format!(" {{ {} }}", fields.join(", "))
        } else {
            format!("(pub {});", types.join(", pub "))
        };
        self.define_type(format!("pub struct {head}{written}"));
    }

    /// Defines an enum, and returns its type.
    pub(super) fn new_enum(&mut self) -> Type {
        let name = self.name("E");
        let is_plain = self.random.chance(30);
        let count = self.random.within(1, 4);
        let mut variants = Vec::new();
        for index in 0..count {
            let body =
                if is_plain || self.random.chance(25) { Body::tuple(Vec::new()) } else { self.body_of(1) };
            variants.push(Variant { name: format!("V{index}"), body });
        }
        let mut written = Vec::new();
        for (index, variant) in variants.iter().enumerate() {
            let types: Vec<String> = variant.body.types().map(Type::to_string).collect();
            let number = if is_plain && self.random.chance(40) {
                format!(" = {}", index * 37 + 3)
            } else {
                String::new()
            };
            written.push(format!("{}{}{number}", variant.name, variant.body.written(&types)));
        }
        self.define_type(format!("pub enum {name} {{ {} }}", written.join(", ")));
        Type::Enum(Arc::new(Enum { name, arguments: String::new(), variants }))
    }

    fn define_type(&mut self, text: String) {
        self.items.push(Item::new(vec![Node::Text(format!("#[derive(Clone, Copy, PartialEq)] {text}"))]));
    }

    /// The fields of a struct or of a variant.
    fn body_of(&mut self, depth: u32) -> Body {
        let mut types = Vec::new();
        let mut left = MAX_SIZE;
        for _ in 0..self.random.within(1, 3) {
            let ty = self.part_type(depth);
            if ty.size() <= left {
                left -= ty.size();
                types.push(ty);
            }
        }
        if types.is_empty() {
            types.push(Type::Scalar(self.scalar()));
        }
        if self.random.chance(60) { Body::named(types) } else { Body::tuple(types) }
    }
}
