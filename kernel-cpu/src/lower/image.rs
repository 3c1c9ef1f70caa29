//! Images and samplers.
//!
//! An operation takes its coordinates and its texel from registers of the subgroup that are there for that, and leaves its result in them, so that the
//! program needs only one instruction for all of them.

use super::Lowering;
use crate::load::grammar::Op;
use crate::load::types::Type;
use crate::load::words::Instruction;
use crate::load::{Id, LoadError, Problem};
use crate::program::{ImageAction, ImageOp, Inst, Kind, Site, TEXEL, TexelKind, Value};
use kernel_core::{ImageAccess, ImageShape};
use spirv::ImageOperands;

/// The image operands that say how a texel is read which change nothing here: what it is extended by, which does not matter to 32 bits, and that it is not likely to be used again.
const HINTS: ImageOperands =
    ImageOperands::SIGN_EXTEND.union(ImageOperands::ZERO_EXTEND).union(ImageOperands::NONTEMPORAL);

impl Lowering<'_, '_> {
    /// Any of them.
    pub(super) fn image(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        match inst.op {
            Op::SampledImage => self.sampled_image(inst),
            Op::ImageSampleExplicitLod => self.sample(inst),
            Op::ImageRead => self.read_texel(inst),
            Op::ImageWrite => self.write_texel(inst),
            _ => self.query_image(inst),
        }
    }

    fn sampled_image(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (image, access, mut values) = self.image_operand(inst)?;
        let (sampler, sampler_values) = self.values(inst, 1)?;
        let types = &self.module.types;
        let fits = *types.get(sampler).map_err(located)? == Type::Sampler
            && *types.get(inst.result_type).map_err(located)? == (Type::SampledImage { image });
        if !fits || access != ImageAccess::ReadOnly {
            return Err(
                inst.error(Problem::TypeMismatch("a sampler and an image that is only read are needed"))
            );
        }
        values.extend(sampler_values);
        self.define(inst, values)
    }

    fn sample(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let located = |error: LoadError| inst.error(error.problem);
        let (ty, values) = self.values(inst, 0)?;
        let Type::SampledImage { image } = *self.module.types.get(ty).map_err(located)? else {
            return Err(inst.error(Problem::TypeMismatch("a sampled image is needed")));
        };
        let (shape, _) = self.image_type(inst, image)?;
        if operands_but_hints(inst, 2)? != ImageOperands::LOD || !shape.is_sampled() {
            let message = "a sample takes the image operand Lod and no other, and an image that is no buffer";
            return Err(inst.error(Problem::Environment(message)));
        }
        let &[image, sampler] = &values[..] else {
            return Err(inst.error(Problem::TypeMismatch("a sampled image is needed")));
        };
        let (kind, at) = self.components(inst, 1)?;
        let integer = kind == Kind::I32;
        if !integer && kind != Kind::F32 {
            return Err(inst.error(Problem::TypeMismatch("coordinates have 32 bits")));
        }
        let action = ImageAction::Sample { integer };
        self.texel_result(inst, (shape, action), [image, sampler], (kind, &at))
    }

    fn read_texel(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (ty, access, values) = self.image_operand(inst)?;
        let (shape, _) = self.image_type(inst, ty)?;
        if !access.reads() || operands_but_hints(inst, 2)? != ImageOperands::NONE {
            let message = "a read takes no image operands, and an image that can be read";
            return Err(inst.error(Problem::Environment(message)));
        }
        let at = self.texel_coordinates(inst)?;
        self.texel_result(inst, (shape, ImageAction::Read), [values[0]; 2], (Kind::I32, &at))
    }

    fn write_texel(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (ty, access, values) = self.image_operand(inst)?;
        let (shape, _) = self.image_type(inst, ty)?;
        if !access.writes() || operands_but_hints(inst, 3)? != ImageOperands::NONE {
            let message = "a write takes no image operands, and an image that can be written";
            return Err(inst.error(Problem::Environment(message)));
        }
        let at = self.texel_coordinates(inst)?;
        let (kind, values_written) = self.components(inst, 2)?;
        let texel = texel_kind(inst, kind, values_written.len())?;
        let (kind, numbers) = self.widen(kind, values_written)?;
        self.put(inst, shape, (Kind::I32, &at))?;
        for channel in 0..4 {
            let value = numbers.get(channel).copied();
            let value = value.unwrap_or_else(|| self.constant(kind, 0));
            self.put_number(inst, TEXEL + channel as u8, (kind, value))?;
        }
        let op = ImageOp { action: ImageAction::Write, shape, texel };
        self.image_inst(inst, op, [values[0]; 2])
    }

    fn query_image(&mut self, inst: &Instruction<'_>) -> Result<(), LoadError> {
        let (ty, _, values) = self.image_operand(inst)?;
        let (shape, _) = self.image_type(inst, ty)?;
        let (kind, count) = self.result_components(inst)?;
        if inst.op == Op::ImageQueryLevels {
            let one = self.constant(kind, 1);
            return self.define(inst, vec![one]);
        }
        let (action, first, expected) = match inst.op {
            Op::ImageQueryFormat => (ImageAction::Channels, 0, 1),
            Op::ImageQueryOrder => (ImageAction::Channels, 1, 1),
            _ => (ImageAction::Size, 0, shape.coordinates()),
        };
        if kind != Kind::I32 || count != expected {
            return Err(inst.error(Problem::TypeMismatch("the result of a query")));
        }
        self.image_inst(inst, ImageOp { action, shape, texel: TexelKind::Integer }, [values[0]; 2])?;
        let values = self.taken(kind, first..first + count)?;
        self.define(inst, values)
    }

    /// The type of the image that is the first operand, its access and its number.
    pub(super) fn image_operand(
        &mut self,
        inst: &Instruction<'_>,
    ) -> Result<(Id, ImageAccess, Vec<Value>), LoadError> {
        let (ty, values) = self.values(inst, 0)?;
        let (_, access) = self.image_type(inst, ty)?;
        Ok((ty, access, values))
    }

    pub(super) fn image_type(
        &self,
        inst: &Instruction<'_>,
        ty: Id,
    ) -> Result<(ImageShape, ImageAccess), LoadError> {
        match self.module.types.get(ty).map_err(|error| inst.error(error.problem))? {
            Type::Image { shape, access } => Ok((*shape, *access)),
            _ => Err(inst.error(Problem::TypeMismatch("an image is needed"))),
        }
    }

    pub(super) fn texel_coordinates(&mut self, inst: &Instruction<'_>) -> Result<Vec<Value>, LoadError> {
        match self.components(inst, 1)? {
            (Kind::I32, at) => Ok(at),
            _ => Err(inst.error(Problem::TypeMismatch("coordinates of texels are integers of 32 bits"))),
        }
    }

    /// An operation whose result is a texel.
    fn texel_result(
        &mut self,
        inst: &Instruction<'_>,
        (shape, action): (ImageShape, ImageAction),
        operands: [Value; 2],
        at: (Kind, &[Value]),
    ) -> Result<(), LoadError> {
        let (kind, count) = self.result_components(inst)?;
        let texel = texel_kind(inst, kind, count)?;
        // The result is rounded to halves where it is defined.
        let kind = if texel == TexelKind::Half { Kind::F32 } else { kind };
        self.put(inst, shape, at)?;
        self.image_inst(inst, ImageOp { action, shape, texel }, operands)?;
        let values = self.taken(kind, 0..count)?;
        self.define(inst, values)
    }

    pub(super) fn image_inst(
        &mut self,
        inst: &Instruction<'_>,
        op: ImageOp,
        [image, sampler]: [Value; 2],
    ) -> Result<(), LoadError> {
        let effect = Inst::Image { op, image, sampler, site: Site(inst.offset) };
        self.builder.effect(effect).map_err(|problem| inst.error(problem))
    }

    /// Hands an operation the coordinates that an image has.
    pub(super) fn put(
        &mut self,
        inst: &Instruction<'_>,
        shape: ImageShape,
        (kind, at): (Kind, &[Value]),
    ) -> Result<(), LoadError> {
        if at.len() < shape.coordinates() {
            return Err(inst.error(Problem::TypeMismatch("the coordinates and the dimensions of an image")));
        }
        for (axis, &value) in (0..).zip(&at[..shape.coordinates()]) {
            self.put_number(inst, axis, (kind, value))?;
        }
        Ok(())
    }

    pub(super) fn put_number(
        &mut self,
        inst: &Instruction<'_>,
        part: u8,
        (kind, value): (Kind, Value),
    ) -> Result<(), LoadError> {
        let effect = Inst::ImageOperand { kind, part, value };
        self.builder.effect(effect).map_err(|problem| inst.error(problem))
    }

    /// Numbers of the texel that an operation has left.
    pub(super) fn taken(
        &mut self,
        kind: Kind,
        channels: std::ops::Range<usize>,
    ) -> Result<Vec<Value>, LoadError> {
        channels
            .map(|channel| {
                let part = TEXEL + channel as u8;
                self.emit(kind, |result| Inst::ImageResult { kind, part, result })
            })
            .collect()
    }
}

/// The image operands from an operand on, but for those that change nothing here.
fn operands_but_hints(inst: &Instruction<'_>, operand: usize) -> Result<ImageOperands, LoadError> {
    let number = inst.operands.get(operand).copied().unwrap_or(0);
    match ImageOperands::from_bits(number) {
        Some(operands) => Ok(operands.difference(HINTS)),
        None => Err(inst.error(Problem::UnknownEnumerant { what: "image operand", value: number })),
    }
}

/// What a texel of so many numbers is.
fn texel_kind(inst: &Instruction<'_>, kind: Kind, count: usize) -> Result<TexelKind, LoadError> {
    match (kind, count) {
        (Kind::F32, 1 | 4) => Ok(TexelKind::Float),
        (Kind::F16, 1 | 4) => Ok(TexelKind::Half),
        (Kind::I32, 1 | 4) => Ok(TexelKind::Integer),
        _ => Err(inst.error(Problem::TypeMismatch(
            "a texel is four floats or integers of 32 bits, four halves, or one",
        ))),
    }
}
