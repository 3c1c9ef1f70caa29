//! Constants with their types.

use crate::ir::Numeric;
use kernel_core::semantics::{extend, wrap};
use kernel_core::{Scalar, bf16, f16};

/// The type and the bit pattern of a constant.
pub(super) fn read(text: &str) -> Option<(Numeric, u64)> {
    if let "true" | "false" = text {
        return Some((Scalar::Bool.into(), u64::from(text == "true")));
    }
    let (number, ty) = text.rsplit_once('_')?;
    let ty = Numeric::from_name(ty)?;
    match number.strip_prefix("0x") {
        Some(bits) => Some((ty, u64::from_str_radix(bits, 16).ok()?)),
        None => Some((ty, bits(ty.scalar, number)?)),
    }
}

/// The bit pattern of a number that Rust has a literal for, or that is infinite.
fn bits(scalar: Scalar, number: &str) -> Option<u64> {
    let is_float = number.ends_with("inf") || number.ends_with(|last: char| last.is_ascii_digit());
    match scalar {
        Scalar::Bool => number.parse::<bool>().ok().map(u64::from),
        _ if scalar.is_float() && !is_float => None,
        Scalar::F32 => number.parse().ok().map(|number: f32| number.to_bits().into()),
        Scalar::F64 => number.parse().ok().map(f64::to_bits),
        Scalar::F16 => number.parse().ok().map(|number| f16::from_f32(number).to_bits().into()),
        Scalar::Bf16 => number.parse().ok().map(|number| bf16::from_f32(number).to_bits().into()),
        _ => {
            let number = number.parse().ok()?;
            let bits = wrap(scalar, number);
            (extend(scalar, bits) == number).then_some(bits)
        }
    }
}
