//! Patterns.

use super::Generator;
use super::scope::Variable;
use crate::random::tree::{Body, Enum, Type, Variant};
use kernel_core::Scalar;

/// What a pattern may be.
#[derive(Clone, Copy, Debug)]
struct Form {
    /// It may fail to match.
    refutable: bool,
    /// It may have names.
    binding: bool,
    /// Its names become references.
    by_reference: bool,
}

impl Generator {
    /// A pattern that always matches, with the variables that it makes.
    pub(super) fn irrefutable(&mut self, ty: &Type) -> (String, Vec<Variable>) {
        self.pattern_of(ty, Form { refutable: false, binding: true, by_reference: false })
    }

    /// A pattern that may not match, with the variables that it makes; references, if it is matched against one.
    pub(super) fn refutable(&mut self, ty: &Type, by_reference: bool) -> (String, Vec<Variable>) {
        self.pattern_of(ty, Form { refutable: true, binding: true, by_reference })
    }

    fn pattern_of(&mut self, ty: &Type, form: Form) -> (String, Vec<Variable>) {
        let mut variables = Vec::new();
        let text = self.pattern(ty, form, &mut variables);
        (text, variables)
    }

    fn pattern(&mut self, ty: &Type, form: Form, variables: &mut Vec<Variable>) -> String {
        if self.random.chance(if form.refutable { 8 } else { 12 }) {
            return "_".to_owned();
        }
        let named = form.binding && self.random.chance(if form.refutable { 15 } else { 40 });
        if named {
            return self.named(ty, form, variables);
        }
        match ty {
            Type::Tuple(elements) => self.tuple_pattern(elements, form, variables),
            Type::Array(element, len) => self.array_pattern(element, *len, form, variables),
            Type::Struct(of) => of.name.clone() + &self.body_pattern(&of.body, form, variables),
            Type::Enum(of) if form.refutable => self.enum_pattern(of, form, variables),
            Type::Scalar(scalar) if form.refutable => self.scalar_pattern(*scalar, ty, form, variables),
            _ if form.binding => self.named(ty, form, variables),
            _ => "_".to_owned(),
        }
    }

    fn named(&mut self, ty: &Type, form: Form, variables: &mut Vec<Variable>) -> String {
        let name = self.name("v");
        if form.by_reference {
            variables.push(Variable::reference(&name, ty.clone(), false));
            return name;
        }
        let mutable = self.random.chance(30);
        variables.push(Variable::new(&name, ty.clone(), mutable));
        if mutable { format!("mut {name}") } else { name }
    }

    fn tuple_pattern(&mut self, elements: &[Type], form: Form, variables: &mut Vec<Variable>) -> String {
        // `..` stands for some of the elements.
        let (first, last) = if self.random.chance(20) {
            let first = self.random.below(elements.len() + 1);
            (first, self.random.within(first, elements.len()))
        } else {
            (elements.len(), elements.len())
        };
        let mut parts = Vec::new();
        for element in &elements[..first] {
            parts.push(self.pattern(element, form, variables));
        }
        if first < elements.len() {
            parts.push("..".to_owned());
        }
        for element in &elements[last..] {
            parts.push(self.pattern(element, form, variables));
        }
        format!("({},)", parts.join(", "))
    }

    /// `[a, .., b]` or `[a, rest @ ..]`
    fn array_pattern(
        &mut self,
        element: &Type,
        len: usize,
        form: Form,
        variables: &mut Vec<Variable>,
    ) -> String {
        let (first, last) = if self.random.chance(50) {
            let first = self.random.below(len + 1);
            (first, self.random.within(first, len))
        } else {
            (len, len)
        };
        let mut parts: Vec<String> = (0..first).map(|_| self.pattern(element, form, variables)).collect();
        if first < len {
            let rest = Type::Array(Box::new(element.clone()), last - first);
            let named = form.binding && last > first && self.random.chance(40);
            parts.push(if named { self.named(&rest, form, variables) + " @ .." } else { "..".to_owned() });
        }
        parts.extend((last..len).map(|_| self.pattern(element, form, variables)));
        format!("[{}]", parts.join(", "))
    }

    /// What follows the name of a struct or a variant.
    fn body_pattern(&mut self, body: &Body, form: Form, variables: &mut Vec<Variable>) -> String {
        if body.is_named && self.random.chance(30) {
            let chosen = self.random.below(body.fields.len());
            let (name, ty) = &body.fields[chosen];
            return format!(" {{ {name}: {}, .. }}", self.pattern(ty, form, variables));
        }
        let parts: Vec<String> = body.types().map(|ty| self.pattern(ty, form, variables)).collect();
        body.written(&parts)
    }

    /// One variant, or two of which nothing gets a name.
    fn enum_pattern(&mut self, of: &Enum, form: Form, variables: &mut Vec<Variable>) -> String {
        let variant = self.random.pick(&of.variants);
        if self.random.chance(20) {
            let other = self.random.pick(&of.variants);
            let unnamed = Form { binding: false, ..form };
            let [a, b] =
                [variant, other].map(|variant| self.variant_pattern(of, &variant, unnamed, variables));
            return format!("({a} | {b})");
        }
        self.variant_pattern(of, &variant, form, variables)
    }

    fn variant_pattern(
        &mut self,
        of: &Enum,
        variant: &Variant,
        form: Form,
        variables: &mut Vec<Variable>,
    ) -> String {
        of.short(variant) + &self.body_pattern(&variant.body, form, variables)
    }

    /// A pattern for a variant that matches whatever its fields are.
    pub(super) fn whole_variant(
        &mut self,
        of: &Enum,
        variant: &Variant,
        by_reference: bool,
    ) -> (String, Vec<Variable>) {
        let mut variables = Vec::new();
        let form = Form { refutable: false, binding: true, by_reference };
        let text = self.variant_pattern(of, variant, form, &mut variables);
        (text, variables)
    }

    fn scalar_pattern(
        &mut self,
        scalar: Scalar,
        ty: &Type,
        form: Form,
        variables: &mut Vec<Variable>,
    ) -> String {
        match self.random.below(10) {
            0..4 => self.test(scalar),
            4..7 => {
                let tests: Vec<String> = (0..self.random.within(2, 3)).map(|_| self.test(scalar)).collect();
                format!("({})", tests.join(" | "))
            }
            7..9 if form.binding => {
                let name = self.named(ty, form, variables);
                format!("{name} @ ({})", self.test(scalar))
            }
            _ => self.test(scalar),
        }
    }

    /// A literal or a range.
    fn test(&mut self, scalar: Scalar) -> String {
        if scalar == Scalar::Bool {
            return self.random.chance(50).to_string();
        }
        if scalar.is_float() {
            return self.float_test();
        }
        let (a, b) = (self.edge(scalar), self.edge(scalar));
        let (low, high) = (a.min(b), a.max(b));
        match self.random.below(6) {
            0..3 => a.to_string(),
            3 => format!("{low}..={high}"),
            4 if low < high => format!("{low}..{high}"),
            _ if self.random.chance(50) => format!("({low}..)"),
            _ => format!("(..={high})"),
        }
    }

    fn float_test(&mut self) -> String {
        const VALUES: [&str; 7] = ["-1000.5", "-1.0", "0.0", "0.5", "1.0", "2.5", "128.0"];
        let first = self.random.below(VALUES.len() - 1);
        let last = self.random.within(first + 1, VALUES.len() - 1);
        let (low, high) = (VALUES[first], VALUES[last]);
        match self.random.below(4) {
            0 => low.to_owned(),
            1 => format!("{low}..={high}"),
            2 => format!("{low}..{high}"),
            _ => format!("({low}..)"),
        }
    }
}
