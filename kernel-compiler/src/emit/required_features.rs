//! Where in the source an optional feature of devices is needed first.

use crate::ir::{Atomic, AtomicAccess, AtomicOp, Module, Op, Place, Statement, Value};
use kernel_core::{FloatAtomics, RequiredFeature, Scalar};
use proc_macro2::Span;

/// The features that a kernel needs, each with the first place in the order of the text.
pub(super) fn features(module: &Module) -> Vec<(RequiredFeature, Span)> {
    let mut found: Vec<(RequiredFeature, Span)> = Vec::new();
    module.body.for_each_statement(&mut |statement| {
        let (value, needed) = match statement {
            Statement::Evaluate(value) => (*value, of_value(module, &module.values[*value])),
            // What is written may be a constant, which no statement computes.
            Statement::ImageWrite(write) => {
                let [of_type, _] = of_value(module, &module.values[write.texel]);
                (write.texel, [of_type, Some(RequiredFeature::Images)])
            }
            _ => return,
        };
        for feature in needed.into_iter().flatten() {
            if found.iter().all(|(known, _)| *known != feature) {
                found.push((feature, module.values[value].span));
            }
        }
    });
    found
}

/// What a value needs by its type, and by its operation.
fn of_value(module: &Module, value: &Value) -> [Option<RequiredFeature>; 2] {
    let scalar = module.numeric(value.ty).map(|ty| ty.scalar);
    let of_type = match scalar {
        Some(Scalar::F16) => Some(RequiredFeature::Fp16),
        Some(Scalar::F64) => Some(RequiredFeature::Fp64),
        _ => None,
    };
    let of_access = match (&value.op, scalar) {
        (Op::Atomic(Atomic { place, access: AtomicAccess::Update(op, _), .. }), Some(scalar))
            if scalar.is_float() =>
        {
            Some(RequiredFeature::FloatAtomics(scalar, float_atomics(module, place, *op)))
        }
        (Op::Image(_), _) => Some(RequiredFeature::Images),
        (Op::Atomic(_), Some(scalar)) if scalar.size() == 8 => Some(RequiredFeature::Int64Atomics),
        _ => None,
    };
    [of_type, of_access]
}

/// What an update of floats needs, by its memory.
fn float_atomics(module: &Module, place: &Place, op: AtomicOp) -> FloatAtomics {
    match (op == AtomicOp::Add, module.is_local(place)) {
        (true, false) => FloatAtomics::GLOBAL_ADD,
        (true, true) => FloatAtomics::LOCAL_ADD,
        (false, false) => FloatAtomics::GLOBAL_MIN_MAX,
        (false, true) => FloatAtomics::LOCAL_MIN_MAX,
    }
}
