//! Powers with exponents that are known, as products.
//!
//! They are those that LLVM makes of `powi`, so that the results are the host's, where a device's own function costs dozens of times as much and may round otherwise.

use super::Builder;
use super::half::float_bits;
use crate::ir::{Handle, Math, Value};
use kernel_core::Scalar;
use kernel_core::semantics::BinaryOp;

/// The greatest exponent whose products, each off by half a unit, are within the 16 units that OpenCL allows.
const GREATEST: i32 = 32;

impl Builder<'_, '_> {
    /// The function as products, if it is a power whose exponent is a constant for which these are accurate enough.
    pub(super) fn known_power(
        &mut self,
        function: Math,
        arguments: &[Handle<Value>],
    ) -> Option<Handle<Value>> {
        let &[base, exponent] = arguments else { return None };
        let exponent = match function {
            Math::Pown => self.constant_of(exponent)? as u32 as i32,
            // The only exponent for which the product is the power itself, rounded once.
            Math::Pow if self.constant_of(exponent)? == float_bits(self.scalar_of(exponent), 2.0) => 2,
            _ => return None,
        };
        let accurate = match self.scalar_of(base) {
            Scalar::F32 | Scalar::F64 => -GREATEST..=GREATEST,
            // Others are computed as a whole in `f32`, and rounded once.
            _ => 0..=2,
        };
        accurate.contains(&exponent).then(|| self.power(base, exponent))
    }

    /// The product of the squares that the bits of the exponent tell, or its reciprocal.
    fn power(&mut self, base: Handle<Value>, exponent: i32) -> Handle<Value> {
        let one = self.float_like(base, 1.0);
        let mut left = exponent.unsigned_abs();
        let (mut square, mut product) = (base, None);
        while left > 0 {
            if left % 2 == 1 {
                product = Some(product.map_or(square, |product| self.binary(BinaryOp::Mul, product, square)));
            }
            left /= 2;
            if left > 0 {
                square = self.binary(BinaryOp::Mul, square, square);
            }
        }
        let product = product.unwrap_or(one);
        if exponent < 0 { self.binary(BinaryOp::Div, one, product) } else { product }
    }
}
