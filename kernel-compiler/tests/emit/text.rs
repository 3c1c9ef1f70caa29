//! The textual form.

use crate::builder::{Builder, variable};
use kernel_compiler::ir::{
    Attributes, Base, Check, End, FloatMode, GroupCopy, Index, Math, Op, Place, Query, Space, Statement,
    Step, Type,
};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};
use proc_macro2::Span;

#[test]
fn a_kernel_reads_like_a_program() {
    let mut builder = Builder::kernel("scale");
    builder.module.attributes =
        Attributes { group_size: Some([64, 1, 1]), float_mode: FloatMode::Contract, ..Attributes::default() };
    let x = builder.slice("x", Scalar::F32, true);
    let factor = builder.scalar_parameter("factor", Scalar::F32);
    let tile_type = {
        let float = builder.scalar(Scalar::F32);
        builder.array(float, 64)
    };
    builder.local("tile", tile_type);
    let check = builder.site(FaultKind::IndexOutOfBounds);
    let i = builder.query(Query::GlobalId, 0);
    let len = builder.compute(Scalar::Usize, Op::Len(x));
    let inside = builder.binary(BinaryOp::Lt, i, len);
    builder.when(inside, |builder| {
        let place = builder.element(x, i, check);
        let element = builder.load(place);
        let root = builder.compute(Scalar::F32, Op::Math(Math::Sqrt, vec![element]));
        let half = builder.constant(Scalar::F32, 0.5_f32.to_bits().into());
        let scaled = builder.binary(BinaryOp::Mul, root, half);
        builder.set(x, i, scaled);
        End::Return
    });
    builder.barrier();
    let minus_two = builder.constant(Scalar::I8, 0xfe);
    builder.cast(minus_two, Scalar::I64);
    let _ = factor;
    let expected = "\
kernel scale(x: &mut [f32], factor: f32) group_size(64, 1, 1) fp(contract) {
    local @0 tile: [f32; 64]
    site !0 IndexOutOfBounds
    %2: usize = GlobalId 0
    %3: usize = len x
    %4: bool = %2 < %3
    if %4 {
        %5: f32 = load x[%2 !0]
        %6: f32 = sqrt %5
        %8: f32 = %6 * 0.5_f32
        store x[%2] = %8
        return
    }
    barrier
    %10: i64 = cast -2_i8
    return
}";
    assert_eq!(builder.finish().to_string(), expected);
}

#[test]
fn structs_show_their_members() {
    let mut builder = Builder::kernel("weigh");
    let [byte, float] = [Scalar::U8, Scalar::F32].map(|scalar| builder.scalar(scalar));
    let weights = builder.array(float, 3);
    let body = builder.structure("Body", &[("id", byte), ("weights", weights)]);
    let slice = builder.slice_type(body, Space::Global, true);
    let bodies = builder.parameter("bodies", slice);
    let base = builder.aggregate("template", body);
    let i = builder.global_id();
    let check = builder.site(FaultKind::IndexOutOfBounds);
    let id = builder.load(Place { base, path: vec![Step::Member(0)] });
    let element = Index { index: i, check };
    builder.store(Place { base: Base::Slice(bodies), path: vec![element.into(), Step::Member(0)] }, id);
    let expected = "\
kernel weigh(bodies: &mut [Body], template: Body) {
    struct Body { id: u8, weights: [f32; 3] } size 16 align 4
    site !0 IndexOutOfBounds
    %1: usize = GlobalId 0
    %2: u8 = load template.id
    store bodies[%1 !0].id = %2
    return
}";
    assert_eq!(builder.finish().to_string(), expected);
}

#[test]
fn tables_show_what_is_in_them() {
    let mut builder = Builder::kernel("look_up");
    let float = builder.scalar(Scalar::F32);
    let row = builder.array(float, 2);
    let rows = builder.array(row, 2);
    let bits = [1.0_f32, -0.5, 0.0, 2.0].map(|value| u64::from(value.to_bits()));
    let base = builder.table(rows, &bits);
    let index = builder.global_id();
    let check = builder.site(FaultKind::IndexOutOfBounds);
    let path = [check, Check::Proved].map(|check| Index { index, check }.into()).to_vec();
    builder.load(Place { base, path });
    let expected = "\
kernel look_up() {
    table #0: [[f32; 2]; 2] = [1.0_f32, -0.5_f32, 0.0_f32, 2.0_f32]
    site !0 IndexOutOfBounds
    %0: usize = GlobalId 0
    %1: f32 = load #0[%0 !0][%0]
    return
}";
    assert_eq!(builder.finish().to_string(), expected);
}

#[test]
fn loops_show_their_labels() {
    let mut builder = Builder::kernel("count");
    let three = builder.constant(Scalar::U32, 3);
    let ty = builder.scalar(Scalar::U32);
    let sum = builder.variable("sum", ty);
    builder.count(three, |builder, i| builder.store(variable(sum), i));
    let expected = "\
kernel count() {
    var $0 sum: u32
    var $1 i: u32
    store $1 = 0_u32
    loop 'l0 {
        %3: u32 = load $1
        %4: bool = %3 >= 3_u32
        if %4 {
            break 'l0
        }
        store $0 = %3
    } continuing {
        %5: u32 = load $1
        %6: u32 = %5 + 1_u32
        store $1 = %6
    }
    return
}";
    assert_eq!(builder.finish().to_string(), expected);
}

#[test]
fn copies_of_groups_are_begun_and_waited_for() {
    let mut builder = Builder::kernel("copies");
    let float = builder.scalar(Scalar::F32);
    let local = builder.slice_type(float, Space::Local, true);
    let tile = builder.parameter("tile", local);
    let x = builder.slice("x", Scalar::F32, false);
    let count = builder.compute(Scalar::Usize, Op::Len(tile));
    let stride = builder.constant(Scalar::Usize, 2);
    builder.push(Statement::Agree(Span::call_site(), vec![tile, x, count]));
    let event = builder.module.types.intern(Type::Event);
    let copy = builder.evaluate(event, Op::GroupCopy(GroupCopy { to: tile, from: x, count, stride }));
    let begun = builder.variable("begun", event);
    builder.store(variable(begun), copy);
    builder.push(Statement::Wait(Span::call_site(), begun));
    let expected = "\
kernel copies(tile: &mut local [f32], x: &[f32]) {
    var $0 begun: event
    %2: usize = len tile
    agree on tile, x, %2
    %4: event = copy %2 of x to tile by 2_usize
    store $0 = %4
    wait for $0
    return
}";
    assert_eq!(builder.finish().to_string(), expected);
}
