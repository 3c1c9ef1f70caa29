//! The textual form.

use crate::builder::{Builder, Operand, variable};
use kernel_compiler::ir::{
    Aliasing, Assumption, Attributes, Base, Block, Check, End, FloatMode, Format, GroupCopy, Index, Math, Op,
    Place, PrintSite, Query, Shown, ShownFields, Site, Space, Statement, Step, Type,
};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, PrintStream, Scalar};
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
types f32, &mut [f32], [f32; 64], usize, bool, i8, i64
kernel scale(%x: &mut [f32], %factor: f32) group_size(64, 1, 1) fp(contract) {
    local @0 tile: [f32; 64]
    site !0 IndexOutOfBounds
    %2: usize = query global_id 0
    %3: usize = len %x
    %4: bool = %2 < %3
    if %4 {
        %5: f32 = load %x[%2 !0]
        %6: f32 = math sqrt(%5)
        %8: f32 = %6 * 0.5_f32
        store %x[%2] = %8
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
types u8, f32, [f32; 3]
struct Body { id: u8, weights: [f32; 3] } // 16 bytes, aligned to 4
types &mut [Body], usize
kernel weigh(%bodies: &mut [Body], template: Body) {
    site !0 IndexOutOfBounds
    %1: usize = query global_id 0
    %2: u8 = load ^template.id
    store %bodies[%1 !0].id = %2
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
types f32, [f32; 2], [[f32; 2]; 2], usize
kernel look_up() {
    table #0: [[f32; 2]; 2] = [1.0_f32, -0.5_f32, 0.0_f32, 2.0_f32]
    site !0 IndexOutOfBounds
    %0: usize = query global_id 0
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
types u32, bool
kernel count() {
    var $0 sum: u32
    var $1 i: u32
    store $1 = 0_u32%1
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
    builder.push(Statement::AssertUniform(Span::call_site(), vec![tile, x, count]));
    let event = builder.module.types.intern(Type::Event);
    let copy = builder.evaluate(event, Op::GroupCopy(GroupCopy { to: tile, from: x, count, stride }));
    let begun = builder.variable("begun", event);
    builder.store(variable(begun), copy);
    builder.push(Statement::Wait(Span::call_site(), begun));
    let expected = "\
types f32, &mut local [f32], &[f32], usize, event
kernel copies(%tile: &mut local [f32], %x: &[f32]) {
    var $0 begun: event
    %2: usize = len %tile
    assert_uniform(%tile, %x, %2)
    %4: event = copy %2 of %x to %tile by 2_usize
    store $0 = %4
    wait for $0
    return
}";
    assert_eq!(builder.finish().to_string(), expected);
}

#[test]
fn constants_show_their_numbers_where_these_do_not_follow() {
    let mut builder = Builder::kernel("number");
    let x = builder.slice("x", Scalar::U32, true);
    let [one, two, three, unused] = [1, 2, 3, 4].map(|bits| builder.constant(Scalar::U32, bits));
    let sum = builder.binary(BinaryOp::Add, three, one);
    let product = builder.binary(BinaryOp::Mul, sum, two);
    builder.binary(BinaryOp::Mul, product, three);
    let float = builder.scalar(Scalar::F32);
    let nan = builder.constant(Scalar::F32, 0x7fc0_0001);
    let again = builder.value(float, Op::Constant(f32::NEG_INFINITY.to_bits().into()));
    builder.binary(BinaryOp::Add, nan, again);
    let duplicate = builder.type_of(x);
    builder.value(duplicate, Op::Parameter(0));
    let expected = "\
types u32, &mut [u32], f32
kernel number(%x: &mut [u32]) {
    %5: u32 = 3_u32%3 + 1_u32
    %6: u32 = %5 * 2_u32
    %7: u32 = %6 * 3_u32%3
    %10: f32 = 0x7fc00001_f32 + -inf_f32
    return
}
loose {
    %11: &mut [u32] = parameter 0
    %4: u32 = 4_u32
}";
    assert_eq!(builder.finish().to_string(), expected);
    let _ = unused;
}

#[test]
fn checks_messages_and_assumptions_are_all_there() {
    let mut builder = Builder::kernel("all");
    let a = builder.scalar_parameter("a", Scalar::I32);
    let b = builder.scalar_parameter("b", Scalar::I32);
    let zero = builder.site(FaultKind::DivisionByZero);
    let overflow = builder.site(FaultKind::DivisionOverflow);
    let Check::At(site) = zero else { panic!("the site is checked") };
    builder.module.sites[site].reason = "nothing is known of `b`".to_owned();
    let format = Format {
        text: "{} and {b}".to_owned(),
        arguments: vec![
            (None, Shown::Array(Box::new(Shown::Number(Scalar::U8.into())), 2)),
            (
                Some("b".to_owned()),
                Shown::Struct(ShownFields {
                    name: "Pair".to_owned(),
                    is_named: false,
                    fields: vec![("0".to_owned(), Shown::Tuple(Vec::new()))],
                }),
            ),
        ],
    };
    let panic = builder.module.sites.push(Site {
        kind: FaultKind::Panic,
        span: Span::call_site(),
        message: "a \"b\"".to_owned(),
        format: Some(format.clone()),
        reason: String::new(),
    });
    builder.module.prints.push(PrintSite { format, stream: PrintStream::Error, newline: true });
    builder.module.parameters[1].aliasing = Aliasing::ReadOnly;
    builder.module.attributes.checks_overflow = true;
    for (nonzero, overflow) in [(zero, overflow), (zero, Check::Proved), (Check::Proved, overflow)] {
        builder.compute(Scalar::I32, Op::Binary { op: BinaryOp::Div, left: a, right: b, nonzero, overflow });
    }
    let bool = builder.scalar(Scalar::Bool);
    let condition = builder.value(bool, less(a, b));
    let block = Block { statements: vec![Statement::Evaluate(condition)], end: End::Next };
    builder.module.assumptions.push(Assumption { block, condition });
    let _ = panic;
    let expected = "\
types i32, bool
kernel all(%a: i32, unchanged %b: i32) checks_overflow {
    site !0 DivisionByZero because \"nothing is known of `b`\"
    site !1 DivisionOverflow
    site !2 Panic message \"a \\\"b\\\"\" format \"{} and {b}\"([u8; 2], b: struct Pair(\"0\": ()))
    format ?0 stderr newline \"{} and {b}\"([u8; 2], b: struct Pair(\"0\": ()))
    assume {
        %5: bool = %a < %b
    } holds %5
    %2: i32 = %a / %b nonzero !0 overflow !1
    %3: i32 = %a / %b nonzero !0
    %4: i32 = %a / %b overflow !1
    return
}";
    assert_eq!(builder.finish().to_string(), expected);
}

/// The operation `left < right`.
fn less(left: Operand, right: Operand) -> Op {
    Op::Binary { op: BinaryOp::Lt, left, right, nonzero: Check::Proved, overflow: Check::Proved }
}
