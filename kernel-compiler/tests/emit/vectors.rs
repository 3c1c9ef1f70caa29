//! What vectors become: one instruction for all lanes.

use crate::builder::{Builder, Operand, variable};
use crate::shape::{count, emitted, opcodes};
use kernel_compiler::ir::{Base, Check, Index, Op as IrOp, Place, Step, Type};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};
use rspirv::dr;
use rspirv::spirv::{Capability, Op};

/// A kernel that stores a function of two vector parameters.
fn kernel(
    scalar: Scalar,
    lanes: u32,
    compute: impl FnOnce(&mut Builder, [Operand; 2]) -> Operand,
) -> dr::Module {
    let mut builder = Builder::kernel("vectors");
    let element = builder.scalar(scalar);
    let vector = builder.module.types.intern(Type::Vector { element, lanes });
    let parameters = ["x", "y"].map(|name| builder.parameter(name, vector));
    let value = compute(&mut builder, parameters);
    let result = builder.variable("result", builder.type_of(value));
    builder.store(variable(result), value);
    emitted(&builder.finish())
}

fn computed(module: &dr::Module) -> Vec<Op> {
    let frame = [Op::Variable, Op::Store, Op::Return];
    opcodes(module).into_iter().filter(|op| !frame.contains(op)).collect()
}

fn vector(builder: &mut Builder, scalar: Scalar, lanes: u32, op: IrOp) -> Operand {
    let element = builder.scalar(scalar);
    let ty = builder.module.types.intern(Type::Vector { element, lanes });
    builder.evaluate(ty, op)
}

fn proved(op: BinaryOp, left: Operand, right: Operand) -> IrOp {
    IrOp::Binary { op, left, right, nonzero: Check::Proved, overflow: Check::Proved }
}

#[test]
fn an_operator_is_one_instruction() {
    for lanes in [2, 3, 4, 8, 16] {
        let module = kernel(Scalar::F32, lanes, |builder, [x, y]| {
            vector(builder, Scalar::F32, lanes, proved(BinaryOp::Mul, x, y))
        });
        assert_eq!(computed(&module), [Op::FMul]);
    }
}

#[test]
fn only_long_vectors_need_a_capability() {
    let needs = |lanes| {
        let module = kernel(Scalar::I32, lanes, |_, [x, _]| x);
        let wanted = dr::Operand::Capability(Capability::Vector16);
        module.capabilities.iter().any(|capability| capability.operands[0] == wanted)
    };
    assert_eq!([2, 3, 4, 8, 16].map(needs), [false, false, false, true, true]);
}

#[test]
fn masks_are_bytes_in_memory_and_arguments() {
    let module = kernel(Scalar::Bool, 4, |builder, [x, y]| {
        vector(builder, Scalar::Bool, 4, proved(BinaryOp::And, x, y))
    });
    assert_eq!(computed(&module), [Op::INotEqual, Op::INotEqual, Op::LogicalAnd, Op::Select]);
}

#[test]
fn doubles_are_passed_as_integers() {
    let module = kernel(Scalar::F64, 2, |_, [x, _]| x);
    assert_eq!(computed(&module), [Op::Bitcast, Op::Bitcast]);
}

#[test]
fn a_division_is_checked_once_for_all_lanes() {
    let module = kernel(Scalar::I32, 4, |builder, [left, right]| {
        let [nonzero, overflow] =
            [FaultKind::DivisionByZero, FaultKind::DivisionOverflow].map(|kind| builder.site(kind));
        let op = IrOp::Binary { op: BinaryOp::Div, left, right, nonzero, overflow };
        vector(builder, Scalar::I32, 4, op)
    });
    assert_eq!((count(&module, Op::All), count(&module, Op::SDiv)), (2, 1));
}

#[test]
fn lanes_are_chosen_one_by_one() {
    let module = kernel(Scalar::I32, 2, |builder, [accept, reject]| {
        let condition = builder.scalar_parameter("condition", Scalar::Bool);
        vector(builder, Scalar::I32, 2, IrOp::Select { condition, accept, reject })
    });
    let lane = [Op::CompositeExtract, Op::CompositeExtract, Op::Select, Op::CompositeInsert];
    assert_eq!(computed(&module), [&[Op::INotEqual], &lane[..], &lane[..]].concat());
}

#[test]
fn masks_are_compared_by_selection() {
    let module = kernel(Scalar::Bool, 4, |builder, [x, y]| {
        vector(builder, Scalar::Bool, 4, proved(BinaryOp::Xor, x, y))
    });
    assert_eq!([Op::LogicalEqual, Op::LogicalNotEqual, Op::LogicalNot].map(|op| count(&module, op)), [0; 3]);
}

#[test]
fn lanes_are_taken_and_rearranged() {
    let module = kernel(Scalar::U8, 4, |builder, [x, y]| {
        let shuffled = vector(builder, Scalar::U8, 3, IrOp::Shuffle([x, y], vec![3, 4, 0]));
        let lane = builder.compute(Scalar::U8, IrOp::Extract(shuffled, 1));
        vector(builder, Scalar::U8, 4, IrOp::Construct(vec![shuffled, lane]))
    });
    let inserted = [Op::CompositeExtract, Op::CompositeInsert].repeat(3);
    let expected =
        [&[Op::VectorShuffle, Op::CompositeExtract], &inserted[..], &[Op::CompositeInsert]].concat();
    assert_eq!(computed(&module), expected);
}

/// Computes a number from a work-item's id.
/// The alignment of a load of elements as a vector.
fn alignment_of_run(scalar: Scalar, lanes: u32) -> u32 {
    let mut builder = Builder::kernel("run");
    let element = builder.scalar(scalar);
    let vector = builder.module.types.intern(Type::Vector { element, lanes });
    let slice = builder.slice("x", scalar, false);
    let index = Index { index: builder.constant(Scalar::Usize, 0), check: Check::Proved };
    let place = Place { base: Base::Slice(slice), path: vec![Step::Run { index, vector }] };
    let loaded = builder.load(place);
    let result = builder.variable("result", vector);
    builder.store(variable(result), loaded);
    let module = emitted(&builder.finish());
    let load = module.all_inst_iter().filter(|inst| inst.class.opcode == Op::Load).last();
    match load.expect("there is a load").operands[2] {
        dr::Operand::LiteralBit32(alignment) => alignment,
        ref other => panic!("{other} is no alignment"),
    }
}

#[test]
fn elements_taken_for_a_vector_are_aligned_as_one() {
    // A slice may be a part of a buffer, which starts at any element.
    let all = [(Scalar::U8, 16), (Scalar::U16, 4), (Scalar::F32, 2), (Scalar::U64, 16)];
    assert_eq!(all.map(|(scalar, lanes)| alignment_of_run(scalar, lanes)), [1, 2, 4, 8]);
}
