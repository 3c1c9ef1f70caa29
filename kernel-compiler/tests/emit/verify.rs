//! Every invariant of the representation has a module that breaks it.

use crate::builder::{Builder, breaks, variable};
use kernel_compiler::ir::{
    Base, Check, Collective, End, Group, GroupCopy, Handle, Index, Label, Math, Op, Place, Query, Space,
    Statement, Step, Type,
};
use kernel_core::Scalar;
use kernel_core::semantics::{BinaryOp, UnaryOp};

#[test]
fn kernels_take_no_slices_of_private_memory() {
    breaks("the kernel cannot take `x`", |builder| {
        let float = builder.scalar(Scalar::F32);
        let ty = builder.slice_type(float, Space::Private, true);
        builder.parameter("x", ty);
    });
}

/// `struct Pair { x: f32, y: f32 }`.
fn pair(builder: &mut Builder) -> Handle<Type> {
    let float = builder.scalar(Scalar::F32);
    builder.structure("Pair", &[("x", float), ("y", float)])
}

#[test]
fn structs_have_members_that_are_no_references() {
    breaks("is empty, not aligned or holds a reference", |builder| {
        builder.structure("Empty", &[]);
    });
    breaks("is empty, not aligned or holds a reference", |builder| {
        let float = builder.scalar(Scalar::F32);
        let slice = builder.slice_type(float, Space::Global, true);
        builder.structure("Holder", &[("x", slice)]);
    });
}

#[test]
fn pointers_point_to_no_references() {
    breaks("is empty, not aligned or holds a reference", |builder| {
        let float = builder.scalar(Scalar::F32);
        let reference = builder.pointer_type(float, true, false);
        builder.pointer_type(reference, true, true);
    });
}

#[test]
fn raw_pointers_are_offset_by_counts() {
    breaks("what is offset is a raw pointer", |builder| {
        let float = builder.scalar(Scalar::F32);
        let ty = builder.pointer_type(float, false, false);
        let pointer = builder.parameter("x", ty);
        let count = builder.constant(Scalar::Usize, 1);
        builder.evaluate(ty, Op::Offset { pointer, count, wraps: false });
    });
    breaks("an offset is a u32", |builder| {
        let float = builder.scalar(Scalar::F32);
        let ty = builder.pointer_type(float, false, true);
        let pointer = builder.parameter("x", ty);
        let count = builder.constant(Scalar::U32, 1);
        builder.evaluate(ty, Op::Offset { pointer, count, wraps: false });
    });
}

#[test]
fn what_is_behind_a_constant_pointer_is_only_read() {
    breaks("what is only read is stored to", |builder| {
        let float = builder.scalar(Scalar::F32);
        let ty = builder.pointer_type(float, false, true);
        let pointer = builder.parameter("x", ty);
        let value = builder.constant(Scalar::F32, 0);
        builder.store(Place { base: Base::Pointer(pointer), path: Vec::new() }, value);
    });
}

#[test]
fn only_pointers_are_followed() {
    breaks("is no pointer", |builder| {
        let x = builder.scalar_parameter("x", Scalar::F32);
        builder.load(Place { base: Base::Pointer(x), path: Vec::new() });
    });
}

#[test]
fn values_are_no_structs() {
    breaks("is a struct", |builder| {
        let pair = pair(builder);
        let pairs = builder.array(pair, 2);
        let variable = builder.variable("pairs", pairs);
        builder.load(self::variable(variable));
    });
}

#[test]
fn members_are_those_of_their_struct() {
    for path in [vec![Step::Member(2)], vec![Step::Member(0), Step::Member(0)]] {
        breaks("Member", |builder| {
            let pair = pair(builder);
            let variable = builder.variable("pair", pair);
            builder.compute(Scalar::F32, Op::Load(Place { base: Base::Variable(variable), path }));
        });
    }
}

#[test]
fn arguments_that_are_structs_are_places() {
    breaks("one that is no value", |builder| {
        let pair = pair(builder);
        let argument = builder.parameter("pair", pair);
        let ty = builder.scalar(Scalar::F32);
        builder.module.values[argument].ty = ty;
        builder.push(Statement::Evaluate(argument));
    });
    breaks("the parameter 0 is no place", |builder| {
        builder.scalar_parameter("x", Scalar::F32);
        builder.load(Place { base: Base::Parameter(0), path: Vec::new() });
    });
}

#[test]
fn tables_are_as_their_types_say() {
    for bits in [vec![1, 2, 3], vec![1, 256]] {
        breaks("the table #0 is not as its type says", |builder| {
            let byte = builder.scalar(Scalar::U8);
            let bytes = builder.array(byte, 2);
            builder.table(bytes, &bits);
        });
    }
    breaks("the table #0 is not as its type says", |builder| {
        let byte = builder.scalar(Scalar::U8);
        builder.table(byte, &[1]);
    });
}

#[test]
fn specializations_are_those_of_the_module() {
    for change in [
        |builder: &mut Builder, _| builder.module.specializations.clear(),
        |builder: &mut Builder, value| {
            builder.module.values[value].ty = builder.scalar(Scalar::U32);
        },
    ] {
        breaks("no such specialization, or one of another type", |builder| {
            let value = builder.specialization("N", Scalar::Usize);
            change(builder, value);
        });
    }
}

#[test]
fn tables_are_only_read() {
    for through_slice in [false, true] {
        breaks("what is only read is stored to", |builder| {
            let byte = builder.scalar(Scalar::U8);
            let bytes = builder.array(byte, 2);
            let mut base = builder.table(bytes, &[1, 2]);
            if through_slice {
                let ty = builder.slice_type(byte, Space::Constant, false);
                let whole = Place { base, path: Vec::new() };
                base = Base::Slice(builder.evaluate(ty, Op::SliceOf(whole)));
            }
            let index = builder.constant(Scalar::Usize, 0);
            let value = builder.constant(Scalar::U8, 3);
            builder.store(Place { base, path: vec![Index { index, check: Check::Proved }.into()] }, value);
        });
    }
}

#[test]
fn arguments_are_only_read() {
    breaks("what is only read is stored to", |builder| {
        let pair = pair(builder);
        let base = builder.aggregate("pair", pair);
        let value = builder.constant(Scalar::F32, 0);
        builder.store(Place { base, path: vec![Step::Member(0)] }, value);
    });
}

#[test]
fn values_are_evaluated_before_use() {
    breaks("is used before it is evaluated", |builder| {
        let ty = builder.scalar(Scalar::Usize);
        let id = builder.value(ty, Op::Query(Query::GlobalId, 0));
        builder.cast(id, Scalar::U32);
    });
}

#[test]
fn values_are_evaluated_once() {
    breaks("is evaluated twice", |builder| {
        let id = builder.global_id();
        builder.push(Statement::Evaluate(id));
    });
}

#[test]
fn values_of_a_nested_block_stay_there() {
    breaks("is used before it is evaluated", |builder| {
        let condition = builder.scalar_parameter("condition", Scalar::Bool);
        let mut inner = None;
        builder.when(condition, |builder| {
            inner = Some(builder.global_id());
            End::Next
        });
        builder.cast(inner.expect("it was evaluated"), Scalar::U32);
    });
}

#[test]
fn jumps_name_a_loop_around_them() {
    breaks("no loop", |builder| {
        let condition = builder.scalar_parameter("condition", Scalar::Bool);
        builder.when(condition, |_| End::Break(Label(7)));
    });
}

#[test]
fn labels_are_unique() {
    breaks("two loops are called", |builder| {
        for _ in 0..2 {
            let [body, continuing] = [(); 2].map(|()| builder.block(|_| End::Next));
            builder.push(Statement::Loop { label: Label(0), body, continuing });
        }
    });
}

#[test]
fn continuing_blocks_do_not_jump() {
    breaks("a `continuing` block jumps", |builder| {
        let body = builder.block(|_| End::Next);
        let continuing = builder.block(|_| End::Return);
        builder.push(Statement::Loop { label: Label(0), body, continuing });
    });
}

#[test]
fn stores_have_the_type_of_the_place() {
    breaks("has not the type of the place", |builder| {
        let ty = builder.scalar(Scalar::F32);
        let x = builder.variable("x", ty);
        let one = builder.constant(Scalar::I32, 1);
        builder.store(variable(x), one);
    });
}

#[test]
fn indices_are_usize() {
    breaks("an index is a u32", |builder| {
        let x = builder.slice("x", Scalar::F32, false);
        let zero = builder.constant(Scalar::U32, 0);
        let place = builder.element(x, zero, Check::Proved);
        builder.load(place);
    });
}

#[test]
fn a_place_is_no_slice() {
    breaks("a place is a slice", |builder| {
        let x = builder.slice("x", Scalar::F32, false);
        builder.load(Place { base: Base::Slice(x), path: Vec::new() });
    });
}

#[test]
fn conditions_are_bool() {
    breaks("is a condition of type i32", |builder| {
        let one = builder.constant(Scalar::I32, 1);
        builder.when(one, |_| End::Next);
    });
}

#[test]
fn operands_fit_their_operators() {
    breaks("f32 & f32", |builder| {
        let one = builder.constant(Scalar::F32, 1);
        builder.binary(BinaryOp::And, one, one);
    });
    breaks("i32 + u32", |builder| {
        let (one, other) = (builder.constant(Scalar::I32, 1), builder.constant(Scalar::U32, 1));
        builder.binary(BinaryOp::Add, one, other);
    });
    breaks("Neg of u8", |builder| {
        let one = builder.constant(Scalar::U8, 1);
        builder.unary(UnaryOp::Neg, one);
    });
    breaks("a cast from i32 to Some(bool)", |builder| {
        let one = builder.constant(Scalar::I32, 1);
        builder.cast(one, Scalar::Bool);
    });
    breaks("Sqrt of [i32] to Some(i32)", |builder| {
        let one = builder.constant(Scalar::I32, 1);
        builder.compute(Scalar::I32, Op::Math(Math::Sqrt, vec![one]));
    });
}

/// A slice of local memory, one of global memory that may be written to, and a number.
fn copied(builder: &mut Builder) -> [Handle<kernel_compiler::ir::Value>; 3] {
    let float = builder.scalar(Scalar::F32);
    let local = builder.slice_type(float, Space::Local, true);
    let global = builder.slice_type(float, Space::Global, true);
    let [local, global] = [("tile", local), ("x", global)].map(|(name, ty)| builder.parameter(name, ty));
    [local, global, builder.constant(Scalar::Usize, 1)]
}

#[test]
fn copies_are_between_local_and_global_memory() {
    breaks("GroupCopy", |builder| {
        let [local, _, one] = copied(builder);
        let event = builder.module.types.intern(Type::Event);
        builder.evaluate(event, Op::GroupCopy(GroupCopy { to: local, from: local, count: one, stride: one }));
    });
    breaks("GroupCopy", |builder| {
        let [local, global, one] = copied(builder);
        let number = builder.scalar(Scalar::Usize);
        builder
            .evaluate(number, Op::GroupCopy(GroupCopy { to: local, from: global, count: one, stride: one }));
    });
    breaks("counts elements", |builder| {
        let [local, global, one] = copied(builder);
        let half = builder.constant(Scalar::F32, 0);
        let event = builder.module.types.intern(Type::Event);
        builder
            .evaluate(event, Op::GroupCopy(GroupCopy { to: local, from: global, count: one, stride: half }));
    });
}

#[test]
fn events_are_waited_for() {
    breaks("holds no event", |builder| {
        let number = builder.scalar(Scalar::Usize);
        let variable = builder.variable("n", number);
        builder.push(Statement::Wait(proc_macro2::Span::call_site(), variable));
    });
    breaks("the kernel cannot take `e`", |builder| {
        let event = builder.module.types.intern(Type::Event);
        builder.parameter("e", event);
    });
}

#[test]
fn vectors_are_shuffled_in_parts_that_devices_take() {
    let shuffle = |builder: &mut Builder, scalar: Scalar, lanes: u32| {
        let element = builder.scalar(scalar);
        let ty = builder.module.types.intern(Type::Vector { element, lanes });
        let x = builder.value(ty, Op::Constant(0));
        let id = builder.constant(Scalar::Usize, 0);
        let (group, collective) = (Group::Subgroup, Collective::Shuffle);
        builder.evaluate(ty, Op::Collective { group, collective, operands: vec![x, id] });
    };
    breaks("Shuffle", |builder| shuffle(builder, Scalar::F32, 3));
    breaks("Shuffle", |builder| shuffle(builder, Scalar::U64, 2));
    let mut whole = Builder::kernel("whole");
    shuffle(&mut whole, Scalar::F32, 16);
    assert_eq!(whole.finish().verify(), Ok(()));
}
