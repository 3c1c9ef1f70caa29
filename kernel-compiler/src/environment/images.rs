//! Images.
//!
//! The operands of OpTypeImage are: sampled type, dimension, depth, arrayed, multisampled, sampled, format, access.

use super::facts::{Facts, id, number};
use super::{Rule, Violation};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{self, Dim, ImageOperands, Op};

pub(super) fn sampled_type(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::TypeImage, Rule::ImageSampledType, violations, |image| {
        let ty = id(image, 0).and_then(|ty| facts.definition(ty));
        ty.is_some_and(|ty| ty.class.opcode == Op::TypeVoid)
    });
}

pub(super) fn sampled(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::TypeImage, Rule::ImageSampled, violations, |image| number(image, 5) == Some(0));
}

pub(super) fn multisampled(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::TypeImage, Rule::ImageMultisampled, violations, |image| number(image, 4) == Some(0));
}

pub(super) fn arrayed(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::TypeImage, Rule::ImageArrayed, violations, |image| match number(image, 3) {
        Some(0) => true,
        Some(1) => matches!(dimension(image), Some(Dim::Dim1D | Dim::Dim2D)),
        _ => false,
    });
}

pub(super) fn dimensions(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::TypeImage, Rule::ImageDimensions, violations, |image| match dimension(image) {
        Some(Dim::Dim2D) => matches!(number(image, 2), Some(0 | 1)),
        Some(Dim::Dim1D | Dim::Dim3D | Dim::DimBuffer) => number(image, 2) == Some(0),
        _ => false,
    });
}

pub(super) fn format(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::TypeImage, Rule::ImageFormat, violations, |image| {
        image.operands.get(6) == Some(&Operand::ImageFormat(spirv::ImageFormat::Unknown))
    });
}

pub(super) fn access(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::TypeImage, Rule::ImageAccess, violations, |image| {
        matches!(image.operands.get(7), Some(Operand::AccessQualifier(_)))
    });
}

pub(super) fn write_operands(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    facts.require(Op::ImageWrite, Rule::ImageWriteOperands, violations, |write| {
        image_operands(write).is_none()
    });
}

pub(super) fn read_offset(facts: &Facts<'_>, violations: &mut Vec<Violation>) {
    for op in [Op::ImageRead, Op::ImageSampleExplicitLod] {
        facts.require(op, Rule::ImageReadOffset, violations, |read| {
            image_operands(read).is_none_or(|operands| !operands.contains(ImageOperands::CONST_OFFSET))
        });
    }
}

fn dimension(image: &Instruction) -> Option<Dim> {
    match image.operands.get(1) {
        Some(Operand::Dim(dimension)) => Some(*dimension),
        _ => None,
    }
}

fn image_operands(instruction: &Instruction) -> Option<ImageOperands> {
    instruction.operands.iter().find_map(|operand| match operand {
        Operand::ImageOperands(operands) => Some(*operands),
        _ => None,
    })
}
