//! Images: coordinates are taken apart and checked, sizes are asked for once at the start of the kernel.

use super::memory::Operand;
use super::requirement::Failure;
use super::{Builder, FunctionLowering, Lowering};
use crate::ir::{FormatQuery, Handle, ImageOp, ImageWrite, Numeric, Op, Statement, Type, Value};
use crate::typed::{self, Expr, Marker, Ty};
use kernel_core::image::{ChannelOrder, ChannelType, SamplerState};
use kernel_core::semantics::BinaryOp;
use kernel_core::{ChannelClass, FaultKind, ImageType, SamplerType, Scalar};

impl Lowering<'_> {
    /// The type of an image or a sampler.
    pub(super) fn image_type(&self, ty: &Ty) -> Option<Type> {
        Some(match ty {
            Ty::Image { shape, channel, access } => {
                let class = ChannelClass::of(channel.scalar()?)?;
                let Ty::Marker(Marker::Access(access)) = **access else { return None };
                Type::Image(ImageType { shape: *shape, class, access })
            }
            Ty::Sampler(filter, coordinates) => match (&**filter, &**coordinates) {
                (Ty::Marker(Marker::Filter(filter)), Ty::Marker(Marker::Normalized(normalized))) => {
                    Type::Sampler(SamplerType { filter: *filter, normalized: *normalized })
                }
                _ => return None,
            },
            _ => return None,
        })
    }
}

impl Builder<'_, '_> {
    /// Returns whether a value is an image or a sampler.
    pub(super) fn is_handle(&self, value: Handle<Value>) -> bool {
        matches!(self.module.types[self.type_of(value)], Type::Image(_) | Type::Sampler(_))
    }

    fn image_of(&self, image: Handle<Value>) -> Option<ImageType> {
        match self.module.types[self.type_of(image)] {
            Type::Image(image) => Some(image),
            _ => None,
        }
    }

    /// The size of an image, which is a parameter, along an axis.
    pub(super) fn image_size(&mut self, image: Handle<Value>, axis: u32) -> Handle<Value> {
        if let Some(known) = self.image_sizes.get(&(image, axis)) {
            return *known;
        }
        let ty = self.scalar_type(Scalar::Usize);
        let size = self.leaf(ty, Op::Image(ImageOp::Size(image, axis)));
        self.image_sizes.insert((image, axis), size);
        self.preamble.push(Statement::Evaluate(size));
        size
    }

    /// Returns whether there is a texel at coordinates; where there is none, that is a fault.
    fn is_inside(&mut self, image: Handle<Value>, at: &[Handle<Value>]) -> Handle<Value> {
        let mut tests = Vec::new();
        for (axis, &at) in (0..).zip(at) {
            let size = self.image_size(image, axis);
            tests.push((self.binary(BinaryOp::Lt, at, size), [at, size]));
        }
        let mut all = self.constant(Scalar::Bool, 1);
        let mut failures = Vec::new();
        for (position, &(test, values)) in tests.iter().enumerate() {
            all = if position == 0 { test } else { self.binary(BinaryOp::And, all, test) };
            let failure = Failure::new(FaultKind::IndexOutOfBounds, &values);
            failures.push(if position + 1 < tests.len() { failure.unless(test) } else { failure });
        }
        self.require(all, failures)
    }

    fn texel_type(&mut self, image: ImageType) -> Handle<Type> {
        self.numeric_type(Numeric {
            scalar: image.class.scalar(),
            lanes: if image.shape.is_depth() { 1 } else { 4 },
        })
    }
}

impl FunctionLowering<'_, '_, '_, '_> {
    /// An operation on an image.
    pub(super) fn image(&mut self, expr: &Expr, op: typed::ImageOp, operands: &[Expr]) -> Operand {
        if let typed::ImageOp::Sampler(address) = op {
            return self.sampler(expr, address);
        }
        let Some((image, ty)) = operands.first().and_then(|image| self.image_operand(image)) else {
            // Control does not come here, or rustc has refused the program.
            return Operand::Undefined;
        };
        match (op, operands) {
            (typed::ImageOp::Size(axis), _) => Operand::Value(self.builder.image_size(image, axis as u32)),
            (typed::ImageOp::Format(query), _) => {
                let ty = self.builder.scalar_type(Scalar::I32);
                let tag = self.builder.evaluate(ty, Op::Image(ImageOp::Format(query, image)));
                let variants = match query {
                    FormatQuery::Order => ChannelOrder::ALL.len(),
                    FormatQuery::Type => ChannelType::ALL.len(),
                };
                Operand::variant_of_units(tag, variants)
            }
            (typed::ImageOp::Block, [_, operands @ ..]) => self.image_block(expr, image, operands),
            (typed::ImageOp::Read { checked }, [_, at]) => {
                let at = self.coordinates(at);
                let inside = self.inside(expr, image, &at, checked);
                let result = self.builder.texel_type(ty);
                let op = Op::Image(ImageOp::Read { image, at, inside });
                Operand::Value(self.builder.evaluate(result, op))
            }
            (typed::ImageOp::Write { checked }, [_, at, texel]) => {
                let at = self.coordinates(at);
                let texel = self.value(texel);
                let inside = self.inside(expr, image, &at, checked);
                let write = ImageWrite { image, at, texel, inside };
                self.builder.push(Statement::ImageWrite(Box::new(write)));
                Operand::UNIT
            }
            (typed::ImageOp::Sample, [_, sampler, at]) => {
                let Operand::Value(sampler) = self.expr(sampler) else { return Operand::Undefined };
                let at = self.coordinates(at);
                let result = self.builder.texel_type(ty);
                let op = Op::Image(ImageOp::Sample { image, sampler, at });
                Operand::Value(self.builder.evaluate(result, op))
            }
            _ => Operand::Undefined,
        }
    }

    fn image_operand(&mut self, image: &Expr) -> Option<(Handle<Value>, ImageType)> {
        let memory = self.place(image);
        let Operand::Value(image) = self.load(&memory) else { return None };
        Some((image, self.builder.image_of(image)?))
    }

    /// The numbers that coordinates are.
    pub(super) fn coordinates(&mut self, at: &Expr) -> Vec<Handle<Value>> {
        match self.expr(at) {
            Operand::Tuple(parts) => parts.into_iter().map(|part| self.scalar_operand(part)).collect(),
            other => vec![self.scalar_operand(other)],
        }
    }

    fn inside(
        &mut self,
        expr: &Expr,
        image: Handle<Value>,
        at: &[Handle<Value>],
        checked: bool,
    ) -> Handle<Value> {
        self.builder.span = expr.span;
        match checked {
            true => self.builder.is_inside(image, at),
            false => self.builder.constant(Scalar::Bool, 1),
        }
    }

    fn sampler(&mut self, expr: &Expr, address: kernel_core::image::AddressMode) -> Operand {
        let ty = self.table.resolve(&expr.ty);
        let Some(ty @ Type::Sampler(SamplerType { filter, normalized })) =
            self.builder.module.image_type(&ty)
        else {
            return Operand::Undefined;
        };
        let ty = self.builder.module.types.intern(ty);
        let state = SamplerState { address, filter, normalized };
        Operand::Value(self.builder.evaluate(ty, Op::Image(ImageOp::Sampler(state))))
    }
}
