//! Image types and constant samplers.

use super::constants::Constant;
use super::error::{LoadError, Problem};
use super::types::Type;
use super::words::Instruction;
use crate::image::number_of_sampler;
use kernel_core::{ImageAccess, ImageShape};

/// The image that a declaration declares; `is_void` says whether the sampled type is.
///
/// # Errors
///
/// What breaks a rule of the environment ("Validation Rules", "Image-Related Data Types").
pub(super) fn image(inst: &Instruction<'_>, is_void: bool) -> Result<Type, LoadError> {
    let environment = |what| Err(inst.error(Problem::Environment(what)));
    if !is_void {
        return environment("the sampled type of an image must be void");
    }
    if inst.operand(4)? != 0 || inst.operand(5)? != 0 || inst.operand(6)? != 0 {
        return environment(
            "an image is not multisampled, how it is used is known at run time, and its format is unknown",
        );
    }
    let shape = match (inst.operand(1)?, inst.operand(2)?, inst.operand(3)?) {
        (0, 0, 0) => ImageShape::D1,
        (0, 0, 1) => ImageShape::D1Array,
        (1, 0, 0) => ImageShape::D2,
        (1, 1, 0) => ImageShape::D2Depth,
        (1, 0, 1) => ImageShape::D2Array,
        (1, 1, 1) => ImageShape::D2ArrayDepth,
        (2, 0, 0) => ImageShape::D3,
        (5, 0, 0) => ImageShape::Buffer,
        _ => return environment("the dimensions of an image"),
    };
    let access = match inst.operands.get(7) {
        Some(0) => ImageAccess::ReadOnly,
        Some(1) => ImageAccess::WriteOnly,
        Some(2) => ImageAccess::ReadWrite,
        _ => return environment("an image has an access qualifier"),
    };
    Ok(Type::Image { shape, access })
}

/// A sampler that the module has as a constant.
pub(super) fn sampler(inst: &Instruction<'_>) -> Result<Constant, LoadError> {
    let number = number_of_sampler(inst.operand(0)?, inst.operand(1)?, inst.operand(2)?);
    let number = number.ok_or_else(|| inst.error(Problem::Environment("what a constant sampler does")))?;
    Ok(Constant { ty: inst.result_type, bits: vec![number] })
}
