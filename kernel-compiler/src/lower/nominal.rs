//! Structs and enums: a struct is the tuple of its fields; an enum is a tuple of its tag and, for each variant, the tuple of the
//! variant's fields.

use super::memory::{Memory, Operand, Shape};
use super::panic::escaped;
use super::requirement::Failure;
use super::{Exit, FunctionLowering};
use crate::ir::{Format, Handle, Op, Statement, Type, Value};
use crate::typed::{Definition, Expr, Field, Nominal, Ty, VariantTest};
use kernel_core::semantics::{BinaryOp, UnaryOp, wrap};
use kernel_core::{FaultKind, MAX_FAULT_WORDS, Scalar};
use std::rc::Rc;

impl FunctionLowering<'_, '_, '_, '_> {
    /// What a struct or an enum consists of.
    pub(super) fn definition(&self, ty: &Ty) -> Option<Rc<Definition>> {
        match ty {
            Ty::Nominal(nominal) => self.builder.module.program.definition(&nominal.id),
            _ => None,
        }
    }

    /// The type of a field for these generic arguments.
    pub(super) fn field_type(&self, field: &Field, arguments: &[Ty]) -> Ty {
        let arguments: Vec<_> = arguments.iter().map(|ty| self.table.resolve(ty)).collect();
        self.builder.module.program.field_type(field, &arguments)
    }

    pub(super) fn nominal_shape(&mut self, nominal: &Nominal) -> Option<Shape> {
        let definition = self.builder.module.program.definition(&nominal.id)?;
        let mut variants = Vec::new();
        for variant in &definition.variants {
            let types: Vec<_> =
                variant.fields.iter().map(|field| self.field_type(field, &nominal.arguments)).collect();
            let fields: Option<Vec<_>> = types.iter().map(|ty| self.shape(ty)).collect();
            variants.push(Shape::Tuple(fields?));
        }
        match definition.tag {
            None => variants.pop(),
            Some(tag) => {
                variants.insert(0, Shape::Leaf(self.builder.scalar_type(tag)));
                Some(Shape::Tuple(variants))
            }
        }
    }

    /// A struct or a variant. The fields are computed as they are written, before the struct that gives the others.
    pub(super) fn construct(
        &mut self,
        expr: &Expr,
        variant: Option<VariantTest>,
        written: &[(usize, Expr)],
        base: Option<&Expr>,
    ) -> Operand {
        let ty = self.table.resolve(&expr.ty);
        let Some(definition) = self.definition(&ty) else { return Operand::UNIT };
        let position = variant.map_or(0, |variant| variant.position);
        let mut fields = vec![Operand::Undefined; definition.variants[position].fields.len()];
        for (position, value) in written {
            fields[*position] = self.expr(value);
        }
        if let Some(base) = base {
            let memory = self.place(base);
            for (position, field) in fields.iter_mut().enumerate() {
                if written.iter().all(|(written, _)| *written != position) {
                    *field = self.load(&memory.element(position));
                }
            }
        }
        match variant {
            None => Operand::Tuple(fields),
            Some(variant) => self.variant(&definition, &ty, variant, fields),
        }
    }

    /// A variant; the payloads of the others are zero, where they can be kept in variables.
    fn variant(
        &mut self,
        definition: &Definition,
        ty: &Ty,
        variant: VariantTest,
        fields: Vec<Operand>,
    ) -> Operand {
        let tag = definition.tag.unwrap_or(Scalar::I32);
        let mut parts =
            vec![Operand::Value(self.builder.constant(tag, wrap(tag, variant.discriminant.into())))];
        let arguments = if let Ty::Nominal(nominal) = ty { &nominal.arguments[..] } else { &[] };
        let mut fields = Some(fields);
        for (position, other) in definition.variants.iter().enumerate() {
            if position == variant.position {
                parts.push(Operand::Tuple(fields.take().unwrap_or_default()));
                continue;
            }
            let types: Vec<_> = other.fields.iter().map(|field| self.field_type(field, arguments)).collect();
            parts.push(Operand::Tuple(types.iter().map(|ty| self.zero(ty)).collect()));
        }
        Operand::Tuple(parts)
    }

    /// All zero bits, or nothing for what cannot be kept in variables.
    fn zero(&mut self, ty: &Ty) -> Operand {
        match self.shape(ty) {
            Some(shape) => self.zero_of(&shape),
            None => Operand::Undefined,
        }
    }

    fn zero_of(&mut self, shape: &Shape) -> Operand {
        match shape {
            Shape::Leaf(ty) => match self.builder.module.types[*ty] {
                Type::Scalar(scalar) => Operand::Value(self.builder.constant(scalar, 0)),
                Type::Vector { .. } => Operand::Value(self.builder.leaf(*ty, Op::Constant(0))),
                _ => Operand::Value(self.builder.evaluate(*ty, Op::Zero)),
            },
            Shape::Tuple(parts) => Operand::Tuple(parts.iter().map(|part| self.zero_of(part)).collect()),
            Shape::BorrowedCopy(to) => Operand::Reference(Box::new(Memory::Value(self.zero_of(to)))),
            Shape::Varying | Shape::Iterator | Shape::List(..) => Operand::Undefined,
        }
    }

    /// The number that tells which variant is in memory.
    pub(super) fn tag(&mut self, memory: &Memory) -> Handle<Value> {
        let tag = self.load(&memory.element(0));
        self.scalar_operand(tag)
    }

    /// Returns whether memory holds a variant.
    pub(super) fn is_variant(&mut self, memory: &Memory, variant: VariantTest) -> Handle<Value> {
        let tag = self.tag(memory);
        let scalar = self.builder.scalar_of(tag);
        if scalar == Scalar::Bool {
            let negated = variant.discriminant == 0;
            return if negated { self.builder.unary(UnaryOp::Not, tag) } else { tag };
        }
        let wanted = self.builder.constant(scalar, wrap(scalar, variant.discriminant.into()));
        self.builder.binary(BinaryOp::Eq, tag, wanted)
    }

    /// The fields of a variant.
    pub(super) fn payload(&self, memory: &Memory, variant: Option<VariantTest>) -> Memory {
        match variant {
            None => memory.clone(),
            Some(variant) => memory.element(variant.position + 1),
        }
    }

    /// The field of a variant, with a panic if the value is another variant. Where the work-item goes on all the same, scalars are
    /// zero.
    pub(super) fn unwrap(
        &mut self,
        value: &Expr,
        variant: VariantTest,
        shown: Option<VariantTest>,
        failure: Failure,
    ) -> Operand {
        let span = self.builder.span;
        let memory = self.place(value);
        let is_this = self.is_variant(&memory, variant);
        self.builder.span = span;
        match shown.and_then(|other| Some((other, self.other_payload(value, variant)?))) {
            Some((other, ty)) => self.panic_where(is_this, |this| {
                let payload = this.payload(&memory, Some(other)).element(0);
                let failure = this.showing(failure, &payload, &ty);
                this.builder.span = span;
                failure
            }),
            None => self.panic_unless(is_this, failure),
        }
        let payload = self.load(&self.payload(&memory, Some(variant)).element(0));
        self.or_zero(is_this, payload)
    }

    /// The type of the field of the other variant of a `Result`, if a message has room for it.
    fn other_payload(&self, value: &Expr, variant: VariantTest) -> Option<Ty> {
        let Ty::Nominal(nominal) = self.table.resolve(&value.ty) else { return None };
        let other = self.table.resolve(nominal.arguments.get(1 - variant.position)?);
        (self.shown(&other)?.words() <= MAX_FAULT_WORDS).then_some(other)
    }

    /// A failure that ends in a value: `called .. on an `Err` value: 3`, `message: 3`.
    fn showing(&mut self, failure: Failure, memory: &Memory, ty: &Ty) -> Failure {
        let Some(shown) = self.shown(ty) else { return failure };
        let mut words = Vec::new();
        self.show(memory, ty, &mut words);
        let separator = if failure.kind == FaultKind::Panic { ": " } else { "" };
        let text = format!("{}{separator}{{:?}}", escaped(&failure.message));
        failure.formatting(Format { text, arguments: vec![(None, shown)] }, words)
    }

    fn or_zero(&mut self, condition: Handle<Value>, operand: Operand) -> Operand {
        match operand {
            Operand::Value(value) if self.builder.is_scalar(value) => {
                let zero = self.builder.integer_like(value, 0);
                Operand::Value(self.builder.select(condition, value, zero))
            }
            Operand::Tuple(elements) => {
                Operand::Tuple(elements.into_iter().map(|element| self.or_zero(condition, element)).collect())
            }
            other => other,
        }
    }

    /// The same variant with references to its fields.
    pub(super) fn payload_references(&mut self, value: &Expr, references: &Ty) -> Operand {
        let ty = self.table.resolve(&value.ty);
        let mut memory = self.place(value);
        let is_mutable = |part: &Ty| matches!(part, Ty::Reference { mutable: true, .. });
        if references.parts().any(is_mutable) || self.builder.module.program.has_cell(&ty) {
            memory = self.writable(memory);
        }
        let Some(definition) = self.definition(&ty) else { return Operand::UNIT };
        let mut parts = vec![Operand::Value(self.tag(&memory))];
        for (position, variant) in definition.variants.iter().enumerate() {
            let payload = memory.element(position + 1);
            let fields = (0..variant.fields.len()).map(|field| payload.element(field));
            parts.push(Operand::Tuple(fields.map(|field| Operand::Reference(Box::new(field))).collect()));
        }
        Operand::Tuple(parts)
    }

    /// The values in a slice of `MaybeUninit`: an array of structs is kept as an array of each field.
    pub(super) fn initialized(&mut self, slice: &Expr) -> Operand {
        let option = self.pointee(slice).element(0);
        let some = VariantTest { position: 1, discriminant: 1 };
        Operand::Reference(Box::new(self.payload(&option, Some(some)).element(0)))
    }

    /// `value?`: the payload of the good variant; with the other one the function returns.
    pub(super) fn try_expr(&mut self, value: &Expr, is_option: bool) -> Operand {
        let variant = |position: i64| VariantTest { position: position as usize, discriminant: position };
        let (good, bad) = if is_option { (variant(1), variant(0)) } else { (variant(0), variant(1)) };
        let memory = self.place(value);
        let failed = self.is_variant(&memory, bad);
        self.builder.open();
        let payload = self.load(&self.payload(&memory, Some(bad)));
        self.return_variant(bad, payload);
        let accept = self.builder.close();
        let reject = super::control::empty();
        self.builder.push(Statement::If { condition: failed, accept, reject });
        self.load(&self.payload(&memory, Some(good)).element(0))
    }

    /// Returns a variant of the function's own result, which may have other generic arguments.
    fn return_variant(&mut self, variant: VariantTest, payload: Operand) {
        let result = self.table.resolve(&self.result);
        if let (Exit::Inlined { target, .. }, Some(definition)) = (&self.exit, self.definition(&result)) {
            let memory = target.value.clone();
            let fields = match payload {
                Operand::Tuple(fields) => fields,
                _ => Vec::new(),
            };
            let operand = self.variant(&definition, &result, variant, fields);
            self.store_result(memory.as_ref(), &operand);
        }
        self.leave();
    }
}
