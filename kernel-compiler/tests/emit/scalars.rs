//! Which instructions operators, casts and functions become.

use crate::builder::{Builder, Operand};
use crate::shape::{count, emitted, entry, extended, opcodes};
use kernel_compiler::ir::{Class, Math, Op as IrOp};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};
use rspirv::dr;
use rspirv::spirv::{Decoration, Op, OpenclStd100Op as Cl};

/// The kernel `out[0] = compute(x, y)` for scalar parameters of these types.
fn kernel(types: [Scalar; 2], compute: impl FnOnce(&mut Builder, [Operand; 2]) -> Operand) -> dr::Module {
    let mut builder = Builder::kernel("scalars");
    let parameters = [("x", types[0]), ("y", types[1])].map(|(name, ty)| builder.scalar_parameter(name, ty));
    let value = compute(&mut builder, parameters);
    let variable = {
        let ty = builder.type_of(value);
        builder.variable("result", ty)
    };
    builder.store(crate::builder::variable(variable), value);
    emitted(&builder.finish())
}

/// The opcodes between the entry and the final store.
fn computed(module: &dr::Module) -> Vec<Op> {
    let frame = [Op::Variable, Op::Store, Op::Return];
    opcodes(module).into_iter().filter(|op| !frame.contains(op)).collect()
}

fn binary(op: BinaryOp, scalar: Scalar) -> Vec<Op> {
    computed(&kernel([scalar; 2], |builder, [x, y]| builder.binary(op, x, y)))
}

fn cast(from: Scalar, to: Scalar) -> Vec<Op> {
    computed(&kernel([from; 2], |builder, [x, _]| builder.cast(x, to)))
}

#[test]
fn integer_operators_follow_the_sign() {
    let cases = [
        (BinaryOp::Add, Op::IAdd, Op::IAdd),
        (BinaryOp::Sub, Op::ISub, Op::ISub),
        (BinaryOp::Mul, Op::IMul, Op::IMul),
        (BinaryOp::Div, Op::SDiv, Op::UDiv),
        (BinaryOp::Rem, Op::SRem, Op::UMod),
        (BinaryOp::And, Op::BitwiseAnd, Op::BitwiseAnd),
        (BinaryOp::Or, Op::BitwiseOr, Op::BitwiseOr),
        (BinaryOp::Xor, Op::BitwiseXor, Op::BitwiseXor),
    ];
    for (op, signed, unsigned) in cases {
        for scalar in [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64, Scalar::Isize] {
            assert_eq!(binary(op, scalar), [signed], "{op:?} of {scalar}");
        }
        for scalar in [Scalar::U8, Scalar::U16, Scalar::U32, Scalar::U64, Scalar::Usize] {
            assert_eq!(binary(op, scalar), [unsigned], "{op:?} of {scalar}");
        }
    }
}

/// A comparison is stored as a byte, hence the OpSelect.
#[test]
fn comparisons_follow_sign_and_order() {
    let cases = [
        (BinaryOp::Eq, Op::IEqual, Op::IEqual, Op::FOrdEqual),
        (BinaryOp::Ne, Op::INotEqual, Op::INotEqual, Op::FUnordNotEqual),
        (BinaryOp::Lt, Op::SLessThan, Op::ULessThan, Op::FOrdLessThan),
        (BinaryOp::Le, Op::SLessThanEqual, Op::ULessThanEqual, Op::FOrdLessThanEqual),
        (BinaryOp::Gt, Op::SGreaterThan, Op::UGreaterThan, Op::FOrdGreaterThan),
        (BinaryOp::Ge, Op::SGreaterThanEqual, Op::UGreaterThanEqual, Op::FOrdGreaterThanEqual),
    ];
    for (op, signed, unsigned, float) in cases {
        assert_eq!(binary(op, Scalar::I32), [signed, Op::Select]);
        assert_eq!(binary(op, Scalar::U64), [unsigned, Op::Select]);
        assert_eq!(binary(op, Scalar::F32), [float, Op::Select]);
    }
}

#[test]
fn bools_are_ordered_and_combined_logically() {
    let from_byte = [Op::INotEqual, Op::INotEqual];
    let cases: [(BinaryOp, &[Op]); 9] = [
        (BinaryOp::And, &[Op::LogicalAnd]),
        (BinaryOp::Or, &[Op::LogicalOr]),
        (BinaryOp::Xor, &[Op::LogicalNotEqual]),
        (BinaryOp::Eq, &[Op::LogicalEqual]),
        (BinaryOp::Ne, &[Op::LogicalNotEqual]),
        (BinaryOp::Lt, &[Op::LogicalNotEqual, Op::LogicalAnd]),
        (BinaryOp::Le, &[Op::LogicalNotEqual, Op::LogicalOr]),
        (BinaryOp::Gt, &[Op::LogicalNotEqual, Op::LogicalAnd]),
        (BinaryOp::Ge, &[Op::LogicalNotEqual, Op::LogicalOr]),
    ];
    for (op, expected) in cases {
        assert_eq!(binary(op, Scalar::Bool), [&from_byte, expected, &[Op::Select]].concat(), "{op:?}");
    }
}

#[test]
fn no_module_has_a_logical_not() {
    let module = kernel([Scalar::Bool; 2], |builder, [x, _]| builder.unary(UnaryOp::Not, x));
    assert_eq!(count(&module, Op::LogicalNot), 0);
    assert_eq!(count(&module, Op::LogicalNotEqual), 1);
}

#[test]
fn shift_counts_are_masked_in_the_type_that_is_shifted() {
    let shift = |value, count| {
        computed(&kernel([value, count], |builder, [x, y]| builder.binary(BinaryOp::Shr, x, y)))
    };
    assert_eq!(shift(Scalar::U32, Scalar::U32), [Op::BitwiseAnd, Op::ShiftRightLogical]);
    assert_eq!(shift(Scalar::I32, Scalar::U32), [Op::BitwiseAnd, Op::ShiftRightArithmetic]);
    assert_eq!(shift(Scalar::I8, Scalar::U64), [Op::UConvert, Op::BitwiseAnd, Op::ShiftRightArithmetic]);
    assert_eq!(shift(Scalar::U64, Scalar::U8), [Op::UConvert, Op::BitwiseAnd, Op::ShiftRightLogical]);
}

#[test]
fn unary_operators() {
    let unary = |op, scalar| computed(&kernel([scalar; 2], |builder, [x, _]| builder.unary(op, x)));
    assert_eq!(unary(UnaryOp::Neg, Scalar::I64), [Op::SNegate]);
    assert_eq!(unary(UnaryOp::Neg, Scalar::F32), [Op::FNegate]);
    assert_eq!(unary(UnaryOp::Not, Scalar::U16), [Op::Not]);
}

#[test]
fn every_cast_of_rust_is_emitted() {
    // What is done with a `bf16` is decided before emission.
    let scalars = || Scalar::ALL.into_iter().filter(|scalar| *scalar != Scalar::Bf16);
    for from in scalars() {
        for to in scalars() {
            let is_cast = from == to || to != Scalar::Bool && (from != Scalar::Bool || to.is_integer());
            if is_cast {
                let frame = [Scalar::Bool, Scalar::F64].contains(&from);
                assert_eq!(
                    cast(from, to)[if frame { 2 } else { 0 }..],
                    *expected_cast(from, to),
                    "{from} as {to}"
                );
            }
        }
    }
}

fn expected_cast(from: Scalar, to: Scalar) -> &'static [Op] {
    match (from.is_float(), to.is_float()) {
        _ if from == Scalar::Bool => &[Op::Select],
        _ if from == to => &[],
        (true, true) => &[Op::FConvert],
        (true, false) if to.is_signed() => &[Op::ConvertFToS, Op::FOrdEqual, Op::Select],
        (true, false) => &[Op::ConvertFToU, Op::FOrdEqual, Op::Select],
        (false, true) if from.is_signed() => &[Op::ConvertSToF],
        (false, true) => &[Op::ConvertUToF],
        _ if from.bits() == to.bits() => &[],
        _ if from.is_signed() && to.bits() > from.bits() => &[Op::SConvert],
        _ => &[Op::UConvert],
    }
}

#[test]
fn casts_to_integers_saturate() {
    let module = kernel([Scalar::F32; 2], |builder, [x, _]| builder.cast(x, Scalar::U8));
    let saturated = dr::Operand::Decoration(Decoration::SaturatedConversion);
    assert_eq!(module.annotations.iter().filter(|line| line.operands[1] == saturated).count(), 1);
}

#[test]
fn bitcasts_of_equal_types_vanish() {
    let bitcast =
        |from, to| computed(&kernel([from; 2], |builder, [x, _]| builder.compute(to, IrOp::Bitcast(x))));
    assert_eq!(bitcast(Scalar::F32, Scalar::U32), [Op::Bitcast]);
    assert_eq!(bitcast(Scalar::U32, Scalar::F32), [Op::Bitcast]);
    assert_eq!(bitcast(Scalar::I32, Scalar::U32), []);
}

#[test]
fn classes_of_floats() {
    let classes = [
        (Class::Nan, Op::IsNan),
        (Class::Infinite, Op::IsInf),
        (Class::Finite, Op::IsFinite),
        (Class::SignNegative, Op::SignBitSet),
    ];
    for (class, op) in classes {
        let module = kernel([Scalar::F32; 2], |builder, [x, _]| {
            builder.compute(Scalar::Bool, IrOp::Classify(class, x))
        });
        assert_eq!(computed(&module), [op, Op::Select]);
    }
}

/// The only extended instruction of a kernel.
fn math(math: Math, scalar: Scalar, operands: usize) -> u32 {
    let module =
        kernel([scalar; 2], |builder, [x, _]| builder.compute(scalar, IrOp::Math(math, vec![x; operands])));
    let mut instructions = entry(&module).all_inst_iter().filter(|line| line.class.opcode == Op::ExtInst);
    instructions.next().and_then(extended).expect("there is an extended instruction")
}

#[test]
fn functions_follow_the_sign_of_integers() {
    let cases = [
        (Math::Abs, 1, Cl::s_abs, Cl::u_abs),
        (Math::Max, 2, Cl::s_max, Cl::u_max),
        (Math::Min, 2, Cl::s_min, Cl::u_min),
        (Math::Clz, 1, Cl::clz, Cl::clz),
        (Math::Ctz, 1, Cl::ctz, Cl::ctz),
        (Math::Popcount, 1, Cl::popcount, Cl::popcount),
    ];
    for (function, operands, signed, unsigned) in cases {
        assert_eq!(math(function, Scalar::I32, operands), signed as u32);
        assert_eq!(math(function, Scalar::U32, operands), unsigned as u32);
    }
}

#[test]
fn float_remainder_is_exact() {
    let module = kernel([Scalar::F32; 2], |builder, [x, y]| builder.binary(BinaryOp::Rem, x, y));
    let remainder = entry(&module).all_inst_iter().find(|line| line.class.opcode == Op::ExtInst);
    assert_eq!(remainder.and_then(extended), Some(Cl::fmod as u32));
}

#[test]
fn functions_of_floats() {
    assert_eq!(math(Math::Sqrt, Scalar::F32, 1), Cl::sqrt as u32);
    assert_eq!(math(Math::Atan2, Scalar::F64, 2), Cl::atan2 as u32);
    assert_eq!(math(Math::Fma, Scalar::F32, 3), Cl::fma as u32);
    assert_eq!(math(Math::Rint, Scalar::F32, 1), Cl::rint as u32);
}
