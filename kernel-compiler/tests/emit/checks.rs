//! Checks and the fault record.

use crate::builder::Builder;
use crate::shape::{count, emitted, opcodes};
use kernel_compiler::ir::{Base, End, Fault, Index, Module, Op as IrOp, Place, Space, Step};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};
use rspirv::dr;
use rspirv::spirv::Op;

/// `x[i] = x[i]`, both checked.
fn copy() -> Module {
    let mut builder = Builder::kernel("checks");
    let x = builder.slice("x", Scalar::F32, true);
    let [load, store] = [(); 2].map(|()| builder.site(FaultKind::IndexOutOfBounds));
    let i = builder.global_id();
    let place = builder.element(x, i, load);
    let value = builder.load(place);
    let place = builder.element(x, i, store);
    builder.store(place, value);
    builder.finish()
}

/// `x[0] = x[0] op x[1]` with the checks of a division.
fn divide(scalar: Scalar, op: BinaryOp) -> dr::Module {
    let mut builder = Builder::kernel("checks");
    let x = builder.slice("x", scalar, true);
    let nonzero = builder.site(FaultKind::DivisionByZero);
    let overflow = match scalar.is_signed() {
        true => builder.site(FaultKind::DivisionOverflow),
        false => kernel_compiler::ir::Check::Proved,
    };
    let [zero, one] = [0, 1].map(|bits| builder.constant(Scalar::Usize, bits));
    let (left, right) = (builder.get(x, zero), builder.get(x, one));
    let quotient = builder.checked_binary(op, left, right, nonzero, overflow);
    builder.set(x, zero, quotient);
    emitted(&builder.finish())
}

#[test]
fn proved_accesses_have_no_branch() {
    let mut builder = Builder::kernel("checks");
    let x = builder.slice("x", Scalar::F32, true);
    let i = builder.global_id();
    let value = builder.get(x, i);
    builder.set(x, i, value);
    let module = emitted(&builder.finish());
    assert_eq!([Op::BranchConditional, Op::AtomicIAdd].map(|op| count(&module, op)), [0, 0]);
}

#[test]
fn a_failing_load_yields_zero_and_a_failing_store_does_nothing() {
    let module = emitted(&copy());
    assert_eq!([Op::ULessThan, Op::Phi, Op::InBoundsPtrAccessChain].map(|op| count(&module, op)), [2, 1, 2]);
}

#[test]
fn the_fault_is_reported_once_at_the_end() {
    let opcodes = opcodes(&emitted(&copy()));
    assert_eq!(opcodes.iter().filter(|&&op| op == Op::AtomicIAdd).count(), 1);
    let last_check = opcodes.iter().rposition(|&op| op == Op::ULessThan);
    assert!(opcodes.iter().position(|&op| op == Op::AtomicIAdd) > last_check);
}

#[test]
fn every_return_goes_through_the_report() {
    let mut builder = Builder::kernel("checks");
    let x = builder.slice("x", Scalar::F32, true);
    let condition = builder.scalar_parameter("condition", Scalar::Bool);
    let check = builder.site(FaultKind::IndexOutOfBounds);
    let i = builder.global_id();
    let place = builder.element(x, i, check);
    let value = builder.load(place.clone());
    builder.when(condition, |_| End::Return);
    builder.store(place, value);
    let opcodes = opcodes(&emitted(&builder.finish()));
    let times = |op| opcodes.iter().filter(|&&other| other == op).count();
    assert_eq!([Op::AtomicIAdd, Op::Return].map(times), [1, 1]);
}

#[test]
fn divisions_are_checked_for_zero_and_for_overflow() {
    let unsigned = divide(Scalar::U32, BinaryOp::Div);
    assert_eq!([Op::UDiv, Op::Phi, Op::LogicalOr].map(|op| count(&unsigned, op)), [1, 1, 0]);
    let signed = divide(Scalar::I64, BinaryOp::Rem);
    assert_eq!([Op::SRem, Op::Phi, Op::LogicalOr, Op::LogicalAnd].map(|op| count(&signed, op)), [1, 1, 1, 1]);
}

#[test]
fn an_update_takes_one_check() {
    let mut builder = Builder::kernel("checks");
    let x = builder.slice("x", Scalar::F32, true);
    let check = builder.site(FaultKind::IndexOutOfBounds);
    let i = builder.global_id();
    let place = builder.element(x, i, check);
    let value = builder.load(place.clone());
    let one = builder.constant(Scalar::F32, 1.0_f32.to_bits().into());
    let value = builder.binary(BinaryOp::Add, value, one);
    builder.store(place, value);
    let module = emitted(&builder.finish());
    let counts = [Op::ULessThan, Op::Phi, Op::InBoundsPtrAccessChain].map(|op| count(&module, op));
    assert_eq!(counts, [1, 0, 1]);
}

#[test]
fn several_indices_take_one_branch_and_name_the_first_that_fails() {
    let mut builder = Builder::kernel("checks");
    let out = builder.slice("out", Scalar::F32, true);
    let float = builder.scalar(Scalar::F32);
    let row = builder.array(float, 3);
    let grid = builder.array(row, 5);
    let grid = builder.variable("grid", grid);
    let [i, j] = [0, 1].map(|dimension| builder.query(kernel_compiler::ir::Query::GlobalId, dimension));
    let path =
        [i, j].map(|index| Step::Index(Index { index, check: builder.site(FaultKind::IndexOutOfBounds) }));
    let element = builder.load(Place { base: Base::Variable(grid), path: path.to_vec() });
    let zero = builder.constant(Scalar::Usize, 0);
    builder.set(out, zero, element);
    let module = emitted(&builder.finish());
    assert_eq!([Op::ULessThan, Op::LogicalAnd].map(|op| count(&module, op)), [2, 1]);
    assert_eq!(count(&module, Op::Select), 3, "the site and two values are chosen");
}

#[test]
fn a_slice_of_no_array_is_empty() {
    let mut builder = Builder::kernel("checks");
    let out = builder.slice("out", Scalar::Usize, true);
    let float = builder.scalar(Scalar::F32);
    let row = builder.array(float, 3);
    let grid = builder.array(row, 5);
    let grid = builder.variable("grid", grid);
    let index = builder.global_id();
    let check = builder.site(FaultKind::IndexOutOfBounds);
    let ty = builder.slice_type(float, Space::Private, true);
    let place = Place { base: Base::Variable(grid), path: vec![Index { index, check }.into()] };
    let slice = builder.evaluate(ty, IrOp::SliceOf(place));
    let length = builder.compute(Scalar::Usize, IrOp::Len(slice));
    let zero = builder.constant(Scalar::Usize, 0);
    builder.set(out, zero, length);
    let module = emitted(&builder.finish());
    assert_eq!([Op::ConstantNull, Op::Phi, Op::Select].map(|op| count(&module, op)), [1, 1, 1]);
    assert!(opcodes(&module).contains(&Op::InBoundsAccessChain));
}

/// `require i < len`, with one fault or two.
fn required(two: bool) -> Builder {
    let mut builder = Builder::kernel("checks");
    let x = builder.slice("x", Scalar::F32, true);
    let i = builder.global_id();
    let len = builder.compute(Scalar::Usize, IrOp::Len(x));
    let condition = builder.binary(BinaryOp::Lt, i, len);
    let other = builder.binary(BinaryOp::Eq, i, len);
    let [first, last] = [FaultKind::RangeStart, FaultKind::RangeEnd].map(|kind| builder.site(kind));
    let mut faults = vec![Fault { unless: None, check: last, values: [i, len], words: Vec::new() }];
    if two {
        faults.insert(0, Fault { unless: Some(other), check: first, values: [len, i], words: Vec::new() });
    }
    builder.compute(Scalar::Bool, IrOp::Require { condition, faults });
    builder
}

#[test]
fn a_requirement_is_one_branch() {
    let module = emitted(&required(false).finish());
    assert_eq!([Op::ULessThan, Op::FunctionCall, Op::Select].map(|op| count(&module, op)), [1, 1, 0]);
    let module = emitted(&required(true).finish());
    // The site and both values are those of the fault that applies.
    assert_eq!([Op::ULessThan, Op::FunctionCall, Op::Select].map(|op| count(&module, op)), [1, 1, 3]);
}

#[test]
fn a_requirement_reads_like_one() {
    let text = required(true).finish().to_string();
    assert!(text.contains("require %3 else !0(%2, %1) unless %4 else !1(%1, %2)"), "{text}");
}
