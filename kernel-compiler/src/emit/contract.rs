//! Which products may be fused into the sum that uses them.
//!
//! Where contraction is allowed, `a * b + c` becomes the `mad` of OpenCL.std, because Intel's compiler fuses separate
//! instructions only in part. A product with another use is left alone: it would have to be computed anyway.

use crate::hash::{HashMap, HashSet};
use crate::ir::{FloatMode, Handle, Module, Op, Value};
use kernel_core::semantics::BinaryOp;

/// A sum that absorbs a product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contraction {
    pub(super) factors: [Handle<Value>; 2],
    pub(super) addend: Handle<Value>,
    pub(super) negate_product: bool,
    pub(super) negate_addend: bool,
}

/// The contractions of a kernel.
#[derive(Debug, Default)]
pub(super) struct Contractions {
    sums: HashMap<Handle<Value>, Contraction>,
    products: HashSet<Handle<Value>>,
}

impl Contractions {
    /// Finds them in a kernel, given how often it uses each value.
    pub(super) fn find(module: &Module, uses: &[u32]) -> Self {
        let mut found = Self::default();
        if module.attributes.float_mode == FloatMode::Strict {
            return found;
        }
        for (handle, value) in module.values.iter() {
            let Op::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), left, right, .. } = value.op else {
                continue;
            };
            if !module.numeric(value.ty).is_some_and(|ty| ty.scalar.is_float()) {
                continue;
            }
            let product = |operand| factors(module, operand).filter(|_| uses[operand.index()] == 1);
            let subtracts = op == BinaryOp::Sub;
            let (absorbed, contraction) = if let Some(factors) = product(left) {
                (
                    left,
                    Contraction { factors, addend: right, negate_product: false, negate_addend: subtracts },
                )
            } else if let Some(factors) = product(right) {
                (
                    right,
                    Contraction { factors, addend: left, negate_product: subtracts, negate_addend: false },
                )
            } else {
                continue;
            };
            found.products.insert(absorbed);
            found.sums.insert(handle, contraction);
        }
        found
    }

    /// Returns whether a value is a product that the sum which uses it computes.
    pub(super) fn is_absorbed(&self, value: Handle<Value>) -> bool {
        self.products.contains(&value)
    }

    /// The product that a sum absorbs, if it does.
    pub(super) fn product(&self, sum: Handle<Value>) -> Option<Contraction> {
        self.sums.get(&sum).copied()
    }
}

fn factors(module: &Module, value: Handle<Value>) -> Option<[Handle<Value>; 2]> {
    match module.values[value].op {
        Op::Binary { op: BinaryOp::Mul, left, right, .. } => Some([left, right]),
        _ => None,
    }
}
