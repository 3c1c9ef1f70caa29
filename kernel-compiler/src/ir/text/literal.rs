//! Constants, as Rust writes them, with the type that they have; in hexadecimal, what Rust has no literal for.

use crate::ir::Numeric;
use kernel_core::semantics::{extend, wrap};
use kernel_core::{Scalar, bf16, f16};
use std::fmt::{self, Formatter};

/// Writes the number with this bit pattern.
pub(super) fn write(f: &mut Formatter<'_>, ty: Numeric, bits: u64) -> fmt::Result {
    match plain(ty.scalar, bits) {
        Some(text) if ty == Scalar::Bool.into() => f.write_str(&text),
        Some(text) => write!(f, "{text}_{ty}"),
        None => write!(f, "{bits:#x}_{ty}"),
    }
}

/// The number in Rust, if that has all of its bits.
fn plain(scalar: Scalar, bits: u64) -> Option<String> {
    if wrap(scalar, i128::from(bits)) != bits {
        return None;
    }
    let float = |is_nan: bool, text: String| (!is_nan).then_some(text);
    match scalar {
        Scalar::Bool => Some((bits != 0).to_string()),
        Scalar::F32 => {
            let number = f32::from_bits(bits as u32);
            float(number.is_nan(), format!("{number:?}"))
        }
        Scalar::F64 => {
            let number = f64::from_bits(bits);
            float(number.is_nan(), format!("{number:?}"))
        }
        Scalar::F16 => {
            let number = f16::from_bits(bits as u16);
            float(number.is_nan(), format!("{:?}", number.to_f32()))
        }
        Scalar::Bf16 => {
            let number = bf16::from_bits(bits as u16);
            float(number.is_nan(), format!("{:?}", number.to_f32()))
        }
        _ => Some(extend(scalar, bits).to_string()),
    }
}
