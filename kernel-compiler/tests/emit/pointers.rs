//! References to single elements, and raw pointers.

use crate::builder::{Builder, variable};
use crate::shape::{count, emitted, entry, opcodes};
use kernel_compiler::ir::{Base, Module, Op as IrOp, Place, Step, Type};
use kernel_core::Scalar;
use rspirv::dr::Operand;
use rspirv::spirv::{Op, StorageClass};

/// The place that a pointer points to.
fn pointee(pointer: crate::builder::Operand) -> Place {
    Place { base: Base::Pointer(pointer), path: Vec::new() }
}

#[test]
fn a_reference_is_a_pointer_without_a_length() {
    let mut builder = Builder::kernel("pointers");
    let float = builder.scalar(Scalar::F32);
    let ty = builder.pointer_type(float, true, false);
    let total = builder.parameter("total", ty);
    let value = builder.load(pointee(total));
    builder.store(pointee(total), value);
    let module = emitted(&builder.finish());
    assert_eq!(opcodes(&module), [Op::Load, Op::Store, Op::Return]);
    let [parameter] = &entry(&module).parameters[..] else { panic!("there is one parameter") };
    let ty = module.types_global_values.iter().find(|line| line.result_id == parameter.result_type);
    let class = Operand::StorageClass(StorageClass::CrossWorkgroup);
    assert_eq!(ty.expect("it has a type").operands[0], class);
}

#[test]
fn a_member_behind_a_pointer_takes_one_access_chain() {
    let mut builder = Builder::kernel("pointers");
    let float = builder.scalar(Scalar::F32);
    let pair = builder.structure("Pair", &[("x", float), ("y", float)]);
    let ty = builder.pointer_type(pair, false, true);
    let pointer = builder.parameter("pair", ty);
    builder.load(Place { base: Base::Pointer(pointer), path: vec![Step::Member(1)] });
    assert_eq!(opcodes(&emitted(&builder.finish())), [Op::InBoundsAccessChain, Op::Load, Op::Return]);
}

#[test]
fn raw_pointers_are_offset_stored_and_chosen() {
    let mut builder = Builder::kernel("pointers");
    let condition = builder.scalar_parameter("condition", Scalar::Bool);
    let byte = builder.scalar(Scalar::Bool);
    let ty = builder.pointer_type(byte, true, true);
    let start = builder.parameter("flags", ty);
    let count_ = builder.global_id();
    let next = builder.evaluate(ty, IrOp::Offset { pointer: start, count: count_, wraps: false });
    let chosen = builder.evaluate(ty, IrOp::Select { condition, accept: next, reject: start });
    let kept = builder.variable("kept", ty);
    builder.store(variable(kept), chosen);
    let kept = builder.load(variable(kept));
    builder.store(pointee(kept), condition);
    let module = emitted(&builder.finish());
    assert_eq!([Op::InBoundsPtrAccessChain, Op::Variable].map(|op| count(&module, op)), [1, 2]);
    // The pointer, and the flag as a byte.
    assert_eq!(count(&module, Op::Select), 2);
}

#[test]
fn pointers_read_as_in_rust() {
    let mut builder = Builder::kernel("swap");
    let float = builder.scalar(Scalar::F32);
    let [one, other] = [("one", true), ("other", false)].map(|(name, raw)| {
        let ty = builder.pointer_type(float, true, raw);
        builder.parameter(name, ty)
    });
    let value = builder.load(pointee(other));
    let count = builder.constant(Scalar::Isize, u64::MAX);
    let ty = builder.type_of(one);
    let before = builder.evaluate(ty, IrOp::Offset { pointer: one, count, wraps: false });
    builder.store(pointee(before), value);
    let expected = "\
types f32, *mut f32, &mut f32, isize
kernel swap(%one: *mut f32, %other: &mut f32) {
    %2: f32 = load *%other
    %4: *mut f32 = %one offset by -1_isize
    store *%4 = %2
    return
}";
    assert_eq!(builder.finish().to_string(), expected);
}

#[test]
fn pointers_have_the_size_of_an_address() {
    let mut builder = Builder::kernel("pointers");
    let float = builder.scalar(Scalar::U8);
    let ty = builder.pointer_type(float, false, true);
    let Module { types, .. } = builder.finish();
    assert!(matches!(types[ty], Type::Pointer { raw: true, .. }));
    assert_eq!((types.layout(ty).size, types.layout(ty).align), (8, 8));
}
