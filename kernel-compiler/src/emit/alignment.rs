//! How addresses are aligned: what is known of parameters, and what the form of an index says.
//!
//! Whole buffers are passed to kernels, and the runtime aligns all of them ([`BUFFER_ALIGNMENT`]). A part of one starts at a multiple of what divides its start.

use crate::ir::{Base, Handle, Module, Op, Place, Space, Step, Type, Value};
use kernel_core::BUFFER_ALIGNMENT;
use kernel_core::semantics::BinaryOp;

/// How deep the form of an index is looked at; operands may be shared, so that there could be any number of ways down.
const DEPTH: u32 = 6;

/// The alignment of what a parameter of a type leads to, in bytes, if that is a buffer of the host.
pub(super) fn of_buffer(module: &Module, ty: Handle<Type>) -> Option<u64> {
    let element = match module.types[ty] {
        Type::Slice { element, space: Space::Global | Space::Constant, .. } => element,
        Type::Pointer { element, raw: false, .. } => element,
        _ => return None,
    };
    Some(module.types.layout(element).align.max(BUFFER_ALIGNMENT))
}

/// The alignment of elements that are taken for a vector, in bytes: at least that of one of them.
pub(super) fn of_run(module: &Module, place: &Place) -> u64 {
    let (Base::Slice(slice), [.., Step::Run { index, vector }]) = (place.base, &place.path[..]) else {
        return 1;
    };
    let (whole, element) = (module.types.layout(*vector).align, element_size(module, *vector));
    let known = of_slice(module, slice, DEPTH).min(bytes_before(module, index.index, element));
    known.clamp(element, whole.max(element))
}

/// The alignment of the first element of a slice as far as it is known, in bytes: of a part of a buffer what follows for its start.
fn of_slice(module: &Module, slice: Handle<Value>, depth: u32) -> u64 {
    match module.values[slice].op {
        Op::Parameter(position) => of_buffer(module, module.parameters[position as usize].ty).unwrap_or(1),
        Op::SubSlice { slice: whole, start, .. } => {
            let (Some(depth), Type::Slice { element, .. }) =
                (depth.checked_sub(1), &module.types[module.values[whole].ty])
            else {
                return 1;
            };
            let size = module.types.layout(*element).size;
            of_slice(module, whole, depth).min(bytes_before(module, start, size))
        }
        _ => 1,
    }
}

/// A power of two that divides the bytes of so many elements of a size.
fn bytes_before(module: &Module, count: Handle<Value>, size: u64) -> u64 {
    let size = 1_u64.checked_shl(size.trailing_zeros()).unwrap_or(1);
    divisor(module, count, DEPTH).saturating_mul(size)
}

/// The size of the lanes of a vector, in bytes.
fn element_size(module: &Module, vector: Handle<Type>) -> u64 {
    module.types.numeric(vector).map_or(1, |vector| vector.scalar.size() as u64)
}

/// A power of two that divides an integer, at most [`BUFFER_ALIGNMENT`]; where arithmetic wraps it still does.
fn divisor(module: &Module, value: Handle<Value>, depth: u32) -> u64 {
    let Some(depth) = depth.checked_sub(1) else { return 1 };
    let of = |value| divisor(module, value, depth);
    let known = match module.values[value].op {
        Op::Constant(bits) => 1_u64.checked_shl(bits.trailing_zeros()).unwrap_or(u64::MAX),
        Op::Cast(value) if is_integer(module, value) => of(value),
        Op::Binary { op, left, right, .. } => match op {
            BinaryOp::Mul => of(left).saturating_mul(of(right)),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Or | BinaryOp::Xor => of(left).min(of(right)),
            BinaryOp::And => of(left).max(of(right)),
            BinaryOp::Shl => match module.values[right].op {
                Op::Constant(count) => of(left) << (count & 7).min(6),
                _ => of(left),
            },
            _ => 1,
        },
        _ => 1,
    };
    known.min(BUFFER_ALIGNMENT)
}

fn is_integer(module: &Module, value: Handle<Value>) -> bool {
    module.numeric(module.values[value].ty).is_some_and(|ty| ty.scalar.is_integer())
}
