//! Images and samplers.
//!
//! Coordinates have 32 bits and are vectors of two or four components, of which the last may be unused: that is how other front ends
//! emit them, and what compilers have functions for.

use super::ModuleEmitter;
use super::kernel::KernelEmitter;
use super::types::SpirvType;
use crate::ir::{
    FormatQuery, Handle, ImageBlock, ImageOp, ImageWrite, Numeric, Op as IrOp, Statement, Type, Value,
};
use kernel_core::image::{AddressMode, FilterMode, SamplerState};
use kernel_core::{ImageAccess, ImageShape, ImageType, Scalar};
use rspirv::dr::Operand;
use rspirv::spirv::{
    AccessQualifier, Dim, ImageFormat, ImageOperands, MemorySemantics, Op, SamplerAddressingMode,
    SamplerFilterMode, Scope, Word,
};

/// The operands of an image type (Level Zero SPIR-V environment, "Image-Related Data Types" and "Validation Rules").
pub(super) fn type_operands(void: Word, shape: ImageShape, access: ImageAccess) -> Vec<Operand> {
    let dimension = match shape {
        ImageShape::D1 | ImageShape::D1Array => Dim::Dim1D,
        ImageShape::D2 | ImageShape::D2Depth | ImageShape::D2Array | ImageShape::D2ArrayDepth => Dim::Dim2D,
        ImageShape::D3 => Dim::Dim3D,
        ImageShape::Buffer => Dim::DimBuffer,
    };
    let access = match access {
        ImageAccess::ReadOnly => AccessQualifier::ReadOnly,
        ImageAccess::WriteOnly => AccessQualifier::WriteOnly,
        ImageAccess::ReadWrite => AccessQualifier::ReadWrite,
    };
    let number = |value| Operand::LiteralBit32(value);
    vec![
        Operand::IdRef(void),
        Operand::Dim(dimension),
        number(shape.is_depth().into()),
        number(shape.is_array().into()),
        number(0),
        number(0),
        Operand::ImageFormat(ImageFormat::Unknown),
        Operand::AccessQualifier(access),
    ]
}

impl ModuleEmitter<'_> {
    pub(super) fn image_type(&mut self, image: ImageType) -> Word {
        let void = self.type_id(SpirvType::Void);
        self.type_id(SpirvType::Image(void, image.shape, image.access))
    }

    fn constant_sampler(&mut self, state: SamplerState) -> Word {
        if let Some(known) = self.samplers.get(&state) {
            return *known;
        }
        let address = match state.address {
            AddressMode::None => SamplerAddressingMode::None,
            AddressMode::ClampToEdge => SamplerAddressingMode::ClampToEdge,
            AddressMode::ClampToBorder => SamplerAddressingMode::Clamp,
            AddressMode::Repeat => SamplerAddressingMode::Repeat,
            AddressMode::MirroredRepeat => SamplerAddressingMode::RepeatMirrored,
        };
        let filter = match state.filter {
            FilterMode::Nearest => SamplerFilterMode::Nearest,
            FilterMode::Linear => SamplerFilterMode::Linear,
        };
        let operands = vec![
            Operand::SamplerAddressingMode(address),
            Operand::LiteralBit32(state.normalized.into()),
            Operand::SamplerFilterMode(filter),
        ];
        let ty = self.type_id(SpirvType::Sampler);
        let id = self.sections.global(Op::ConstantSampler, Some(ty), operands);
        self.samplers.insert(state, id);
        id
    }
}

impl KernelEmitter<'_, '_> {
    pub(super) fn image_op(&mut self, handle: Handle<Value>, op: &ImageOp) -> Word {
        let ty = self.ir.values[handle].ty;
        match op {
            ImageOp::Read { image, at, inside } => {
                let coordinates = self.texel_coordinates(at);
                let (image, result) = (self.id(*image), self.code.module.value_type(ty));
                if self.holds(*inside) {
                    return self.code.compute(Op::ImageRead, result, &[image, coordinates]);
                }
                let numeric = self.numeric_of(ty);
                let zero = self.code.module.splat_constant(numeric, 0);
                let inside = self.id(*inside);
                let read = |code: &mut super::code::Code<'_, '_>| {
                    code.compute(Op::ImageRead, result, &[image, coordinates])
                };
                self.code.either(inside, result, read, |_| zero)
            }
            ImageOp::Sample { image, sampler, at } => {
                let component = self.numeric_of(self.ir.values[at[0]].ty).scalar;
                let at: Vec<_> = at.iter().map(|at| self.id(*at)).collect();
                let coordinates = self.coordinates(component, &at);
                self.sample([*image, *sampler], coordinates, ty)
            }
            ImageOp::Block(block) => self.image_block(block, ty),
            ImageOp::Format(query, image) => {
                let (image, result) = (self.id(*image), self.code.module.value_type(ty));
                let op = match query {
                    FormatQuery::Order => Op::ImageQueryOrder,
                    FormatQuery::Type => Op::ImageQueryFormat,
                };
                self.code.compute(op, result, &[image])
            }
            ImageOp::Size(image, axis) => self.image_size(handle, *image, *axis),
            ImageOp::Sampler(state) => self.code.module.constant_sampler(*state),
        }
    }

    /// Returns whether a condition is known to hold.
    fn holds(&self, condition: Handle<Value>) -> bool {
        matches!(self.ir.values[condition].op, IrOp::Constant(1))
    }

    fn texel_coordinates(&mut self, at: &[Handle<Value>]) -> Word {
        let at: Vec<_> = at.iter().map(|at| self.low_half(*at)).collect();
        self.coordinates(Scalar::I32, &at)
    }

    /// A vector of coordinates, put together as all vectors are.
    fn coordinates(&mut self, component: Scalar, at: &[Word]) -> Word {
        if at.len() == 1 {
            return at[0];
        }
        let vector = Numeric { scalar: component, lanes: (at.len() as u32).next_power_of_two() };
        let zero = self.code.module.splat_constant(vector, 0);
        (0..).zip(at).fold(zero, |all, (position, at)| self.code.insert(vector, all, *at, position))
    }

    fn sample(&mut self, [image, sampler]: [Handle<Value>; 2], coordinates: Word, ty: Handle<Type>) -> Word {
        let Type::Image(kind) = self.ir.types[self.ir.values[image].ty] else { return coordinates };
        let image_type = self.code.module.image_type(kind);
        let sampled_type = self.code.module.type_id(SpirvType::SampledImage(image_type));
        let (image, sampler) = (self.id(image), self.id(sampler));
        let sampled = self.code.compute(Op::SampledImage, sampled_type, &[image, sampler]);
        // A sample always is a vector, of which a depth is the first component.
        let vector = Numeric { lanes: 4, ..self.numeric_of(ty) };
        let result = self.code.module.numeric(vector);
        let level = self.code.module.splat_constant(Scalar::F32.into(), 0);
        let operands = vec![
            Operand::IdRef(sampled),
            Operand::IdRef(coordinates),
            Operand::ImageOperands(ImageOperands::LOD),
            Operand::IdRef(level),
        ];
        let sample = self.code.compute_with(Op::ImageSampleExplicitLod, result, operands);
        if kind.shape.is_depth() { self.code.lane(vector, sample, 0) } else { sample }
    }

    /// The size of an image, as a `usize` that fits in 32 bits.
    fn image_size(&mut self, handle: Handle<Value>, image: Handle<Value>, axis: u32) -> Word {
        let Type::Image(kind) = self.ir.types[self.ir.values[image].ty] else { return self.id(image) };
        let int = self.code.module.int(32);
        let count = kind.shape.coordinates() as u32;
        let result = match count {
            1 => int,
            _ => self.code.module.type_id(SpirvType::Vector(int, count)),
        };
        let image = self.id(image);
        let size = match kind.shape {
            ImageShape::Buffer => self.code.compute(Op::ImageQuerySize, result, &[image]),
            _ => {
                let level = self.code.module.int_constant(32, 0);
                self.code.compute(Op::ImageQuerySizeLod, result, &[image, level])
            }
        };
        let half = match count {
            1 => size,
            _ => {
                let operands = vec![Operand::IdRef(size), Operand::LiteralBit32(axis)];
                self.code.compute_with(Op::CompositeExtract, int, operands)
            }
        };
        self.extend(handle, half)
    }

    pub(super) fn image_write(&mut self, write: &ImageWrite) {
        let coordinates = self.texel_coordinates(&write.at);
        let operands = [self.id(write.image), coordinates, self.id(write.texel)];
        let operands: Vec<_> = operands.into_iter().map(Operand::IdRef).collect();
        if self.holds(write.inside) {
            self.code.effect(Op::ImageWrite, operands);
        } else {
            let inside = self.id(write.inside);
            self.code.when(inside, |code| code.effect(Op::ImageWrite, operands));
        }
        if self.reads_back(write.image) {
            self.order_image();
        }
    }

    fn image_block(&mut self, block: &ImageBlock, ty: Handle<Type>) -> Word {
        let ImageBlock { image, at, stored } = block;
        let coordinates = self.texel_coordinates(at);
        let operands = [self.id(*image), coordinates].map(Operand::IdRef);
        let Some(stored) = stored else {
            let result = self.code.module.value_type(ty);
            return self.code.compute_with(Op::SubgroupImageBlockReadINTEL, result, operands.to_vec());
        };
        let mut operands = operands.to_vec();
        operands.push(Operand::IdRef(self.id(*stored)));
        self.code.effect(Op::SubgroupImageBlockWriteINTEL, operands);
        if self.reads_back(*image) {
            self.order_image();
        }
        self.code.module.zero(ty)
    }

    /// Returns whether an image that is written is read too.
    fn reads_back(&self, image: Handle<Value>) -> bool {
        matches!(self.ir.types[self.ir.values[image].ty], Type::Image(kind) if kind.access == ImageAccess::ReadWrite)
    }

    /// Lets a work-item read what it has written to an image, which it need not see otherwise (OpenCL C specification, "Image Read and
    /// Write Functions").
    fn order_image(&mut self) {
        let semantics = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::IMAGE_MEMORY;
        let scope = self.code.module.int_constant(32, Scope::Invocation as u64);
        let semantics = self.code.module.int_constant(32, u64::from(semantics.bits()));
        let operands = vec![Operand::IdScope(scope), Operand::IdMemorySemantics(semantics)];
        self.code.effect(Op::MemoryBarrier, operands);
    }
}

/// Returns whether a kernel has an image that it both reads and writes, whose accesses barriers order.
pub(super) fn has_read_write_image(ir: &crate::ir::Module) -> bool {
    let mut writes = false;
    ir.body.for_each_statement(&mut |statement| {
        writes |= match statement {
            Statement::ImageWrite(_) => true,
            Statement::Evaluate(value) => {
                matches!(&ir.values[*value].op, IrOp::Image(ImageOp::Block(block)) if block.stored.is_some())
            }
            _ => false,
        };
    });
    writes
        && ir.parameters.iter().any(|parameter| {
            matches!(ir.types[parameter.ty], Type::Image(image) if image.access == ImageAccess::ReadWrite)
        })
}
