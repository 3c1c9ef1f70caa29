//! What vectors become: one instruction for all lanes.

use crate::builder::{Builder, Operand, variable};
use crate::shape::{count, emitted, opcodes};
use kernel_compiler::ir::{Base, Check, Index, Op as IrOp, Place, Query, Step, Type};
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
type Start = fn(&mut Builder, Operand) -> Operand;

/// The alignment of a load of elements as a vector from an index on, which is computed from a work-item's id, of the part of a part that
/// starts there.
fn alignment_of_run(
    (scalar, lanes): (Scalar, u32),
    starts: &[Start],
    index: impl FnOnce(&mut Builder, Operand) -> Operand,
) -> u32 {
    let mut builder = Builder::kernel("run");
    let element = builder.scalar(scalar);
    let vector = builder.module.types.intern(Type::Vector { element, lanes });
    let whole = builder.slice("x", scalar, false);
    let id = builder.query(Query::GlobalId, 0);
    let slice = starts.iter().fold(whole, |slice, start| {
        let (ty, start) = (builder.type_of(slice), start(&mut builder, id));
        builder.evaluate(ty, IrOp::SubSlice { slice, start, len: id })
    });
    let index = Index { index: index(&mut builder, id), check: Check::Proved };
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
fn elements_taken_for_a_vector_are_aligned_as_their_index_says() {
    let times = |factor: u64| {
        move |builder: &mut Builder, id: Operand| {
            let factor = builder.constant(Scalar::Usize, factor);
            builder.binary(BinaryOp::Mul, id, factor)
        }
    };
    let short = (Scalar::U16, 4);
    let aligned = |factor| alignment_of_run(short, &[], times(factor));
    assert_eq!([1, 2, 3, 4, 6, 8, 12, 0].map(aligned), [2, 4, 2, 8, 4, 8, 8, 8]);
    // A buffer is aligned to 64 bytes, and a vector is never more than that of its type.
    assert_eq!(alignment_of_run((Scalar::U64, 16), &[], times(64)), 64);
    assert_eq!(alignment_of_run((Scalar::U8, 16), &[], times(256)), 16);
    assert_eq!(alignment_of_run((Scalar::U32, 4), &[], |_, id| id), 4);
    // Of a part of a buffer what follows for its start.
    let [id, two, eight]: [Start; 3] = [
        |_, id| id,
        |builder, _| builder.constant(Scalar::Usize, 2),
        |builder, id| {
            let eight = builder.constant(Scalar::Usize, 8);
            builder.binary(BinaryOp::Mul, id, eight)
        },
    ];
    let part = |starts: &[Start]| alignment_of_run(short, starts, times(4));
    assert_eq!([&[id][..], &[two], &[eight], &[eight, two], &[two, eight]].map(part), [2, 4, 8, 4, 4]);
    assert_eq!([&[eight, id][..], &[id, eight], &[eight; 7]].map(part), [2, 2, 2]);
    assert_eq!(part(&[eight; 6]), 8);
    let of = |op: BinaryOp, right: u64| {
        alignment_of_run(short, &[], move |builder, id| {
            let four = times(4)(builder, id);
            let right = builder.constant(Scalar::Usize, right);
            builder.binary(op, four, right)
        })
    };
    use BinaryOp::{Add, And, Div, Or, Shr, Sub, Xor};
    let all = [(Add, 8), (Add, 2), (Sub, 1), (Or, 4), (Xor, 1), (And, 3), (And, 12), (Shr, 1), (Div, 4)];
    assert_eq!(all.map(|(op, right)| of(op, right)), [8, 4, 2, 8, 2, 8, 8, 2, 2]);
    let shifted = |count: u64| {
        alignment_of_run(short, &[], move |builder, id| {
            let count = builder.constant(Scalar::Usize, count);
            builder.binary(BinaryOp::Shl, id, count)
        })
    };
    // The count is masked to the width.
    assert_eq!([0, 1, 2, 5, 64, 65].map(shifted), [2, 4, 8, 8, 2, 4]);
    let narrow = alignment_of_run(short, &[], |builder, id| {
        let narrow = builder.cast(id, Scalar::U8);
        let four = builder.constant(Scalar::U8, 4);
        let product = builder.binary(BinaryOp::Mul, narrow, four);
        builder.cast(product, Scalar::Usize)
    });
    assert_eq!(narrow, 8);
    let float = alignment_of_run(short, &[], |builder, _| {
        let four = builder.constant(Scalar::F32, u64::from(4.5_f32.to_bits()));
        builder.cast(four, Scalar::Usize)
    });
    assert_eq!(float, 2);
}
