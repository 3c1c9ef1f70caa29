//! Structs in memory and arguments by value.

use crate::builder::{Builder, Operand as Value};
use crate::shape::{count, emitted, entry};
use kernel_compiler::ir::{Base, Check, Handle, Index, Op as IrOp, Place, Space, Step, Type};
use kernel_core::{FaultKind, Layout, Scalar};
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Decoration, FunctionParameterAttribute, Op, StorageClass, Word};

fn proved(index: Value) -> Step {
    Index { index, check: Check::Proved }.into()
}

/// `struct Inner { flag: bool, weights: [f32; 3] }` and `struct Body { id: u8, inner: [Inner; 2], mass: f64 }`.
fn body(builder: &mut Builder) -> Handle<Type> {
    let [bool, byte, float, double] =
        [Scalar::Bool, Scalar::U8, Scalar::F32, Scalar::F64].map(|scalar| builder.scalar(scalar));
    let weights = builder.array(float, 3);
    let inner = builder.structure("Inner", &[("flag", bool), ("weights", weights)]);
    let pair = builder.array(inner, 2);
    builder.structure("Body", &[("id", byte), ("inner", pair), ("mass", double)])
}

fn instructions(module: &Module, op: Op) -> Vec<&Instruction> {
    module.all_inst_iter().filter(|instruction| instruction.class.opcode == op).collect()
}

fn definition(module: &Module, id: Word) -> &Instruction {
    module.all_inst_iter().find(|instruction| instruction.result_id == Some(id)).expect("the id is defined")
}

/// The indices of an access chain that are constants, in order, with their widths.
fn constants(module: &Module, chain: &Instruction) -> Vec<(u32, Operand)> {
    let ids = chain.operands[1..].iter().map(|operand| definition(module, operand.unwrap_id_ref()));
    let constants = ids.filter(|definition| definition.class.opcode == Op::Constant);
    constants
        .map(|constant| {
            let ty = definition(module, constant.result_type.expect("a constant has a type"));
            (ty.operands[0].unwrap_literal_bit32(), constant.operands[0].clone())
        })
        .collect()
}

#[test]
fn structs_are_laid_out_as_in_c() {
    let mut builder = Builder::kernel("structs");
    let body = body(&mut builder);
    assert_eq!(builder.module.types.layout(body), Layout { size: 48, align: 8 });
}

#[test]
fn members_are_steps_of_one_access_chain() {
    let mut builder = Builder::kernel("structs");
    let body = body(&mut builder);
    let ty = builder.slice_type(body, Space::Global, true);
    let bodies = builder.parameter("bodies", ty);
    let i = builder.global_id();
    let one = builder.constant(Scalar::Usize, 1);
    let path = vec![proved(i), Step::Member(1), proved(one), Step::Member(1), proved(one)];
    let weight = Place { base: Base::Slice(bodies), path };
    let loaded = builder.load(weight.clone());
    builder.store(weight, loaded);
    let module = emitted(&builder.finish());
    let chains = instructions(&module, Op::InBoundsPtrAccessChain);
    assert_eq!(chains.len(), 2);
    let [member, element] = [(32, Operand::LiteralBit32(1)), (64, Operand::LiteralBit64(1))];
    assert_eq!(constants(&module, chains[0]), [member.clone(), element.clone(), member, element]);
}

#[test]
fn structs_and_members_have_their_names() {
    let mut builder = Builder::kernel("structs");
    let body = body(&mut builder);
    let ty = builder.slice_type(body, Space::Global, false);
    builder.parameter("bodies", ty);
    let module = emitted(&builder.finish());
    let names: Vec<_> = instructions(&module, Op::MemberName)
        .iter()
        .map(|name| name.operands[2].unwrap_literal_string())
        .collect();
    assert_eq!(names, ["flag", "weights", "id", "inner", "mass"]);
}

#[test]
fn structs_that_are_alike_stay_apart() {
    let mut builder = Builder::kernel("structs");
    let float = builder.scalar(Scalar::F32);
    for name in ["Point", "Vector"] {
        let ty = builder.structure(name, &[("x", float)]);
        let ty = builder.slice_type(ty, Space::Global, false);
        builder.parameter(name, ty);
    }
    assert_eq!(count(&emitted(&builder.finish()), Op::TypeStruct), 2);
}

#[test]
fn an_index_into_a_member_is_checked_against_its_array() {
    let mut builder = Builder::kernel("structs");
    let body = body(&mut builder);
    let ty = builder.slice_type(body, Space::Global, false);
    let bodies = builder.parameter("bodies", ty);
    let out = builder.slice("out", Scalar::F32, true);
    let i = builder.global_id();
    let check = builder.site(FaultKind::IndexOutOfBounds);
    let one = builder.constant(Scalar::Usize, 1);
    let last = Index { index: i, check }.into();
    let path = vec![proved(one), Step::Member(1), proved(one), Step::Member(1), last];
    let weight = builder.load(Place { base: Base::Slice(bodies), path });
    builder.set(out, one, weight);
    let module = emitted(&builder.finish());
    let comparisons = instructions(&module, Op::ULessThan);
    let bounds: Vec<_> = comparisons
        .iter()
        .map(|line| &definition(&module, line.operands[1].unwrap_id_ref()).operands[0])
        .collect();
    assert_eq!(bounds, [&Operand::LiteralBit64(3)]);
}

/// A kernel that stores a part of an argument by value, and the argument's type.
fn by_value(path: impl FnOnce(&mut Builder) -> Vec<Step>, result: Scalar) -> Module {
    let mut builder = Builder::kernel("structs");
    let body = body(&mut builder);
    let base = builder.aggregate("body", body);
    let out = builder.slice("out", result, true);
    let path = path(&mut builder);
    let value = builder.load(Place { base, path });
    let zero = builder.constant(Scalar::Usize, 0);
    builder.set(out, zero, value);
    emitted(&builder.finish())
}

#[test]
fn an_argument_by_value_is_a_private_pointer() {
    let module = by_value(|_| vec![Step::Member(0)], Scalar::U8);
    let parameter = &entry(&module).parameters[0];
    let ty = definition(&module, parameter.result_type.expect("a parameter has a type"));
    assert_eq!(ty.operands[0], Operand::StorageClass(StorageClass::Function));
    let decorations: Vec<_> = instructions(&module, Op::Decorate)
        .into_iter()
        .filter(|line| line.operands[0].unwrap_id_ref() == parameter.result_id.unwrap_or_default())
        .map(|line| line.operands[1..].to_vec())
        .collect();
    let by_value = Operand::FunctionParameterAttribute(FunctionParameterAttribute::ByVal);
    let expected = [
        vec![Operand::Decoration(Decoration::FuncParamAttr), by_value],
        vec![Operand::Decoration(Decoration::Alignment), Operand::LiteralBit32(8)],
    ];
    assert_eq!(decorations, expected);
}

#[test]
fn arrays_in_arguments_are_structs() {
    let known = |builder: &mut Builder| {
        let one = builder.constant(Scalar::Usize, 1);
        vec![Step::Member(1), proved(one), Step::Member(1), proved(one)]
    };
    let module = by_value(known, Scalar::F32);
    assert_eq!([Op::TypeArray, Op::Bitcast].map(|op| count(&module, op)), [0, 0]);
}

#[test]
fn an_array_in_an_argument_is_seen_as_such_where_the_index_is_not_known() {
    let unknown = |builder: &mut Builder| {
        let [id, one] = [builder.global_id(), builder.constant(Scalar::Usize, 1)];
        vec![Step::Member(1), proved(id), Step::Member(1), proved(one)]
    };
    let module = by_value(unknown, Scalar::F32);
    assert_eq!([Op::TypeArray, Op::Bitcast, Op::InBoundsAccessChain].map(|op| count(&module, op)), [2, 1, 2]);
}

#[test]
fn a_whole_array_of_an_argument_is_loaded_as_such() {
    let mut builder = Builder::kernel("structs");
    let float = builder.scalar(Scalar::F32);
    let array = builder.array(float, 4);
    let base = builder.aggregate("weights", array);
    let copy = builder.variable("copy", array);
    let value = builder.load(Place { base, path: Vec::new() });
    builder.store(crate::builder::variable(copy), value);
    let ty = builder.slice_type(float, Space::Private, false);
    builder.evaluate(ty, IrOp::SliceOf(Place { base, path: Vec::new() }));
    let module = emitted(&builder.finish());
    assert_eq!([Op::Bitcast, Op::InBoundsAccessChain].map(|op| count(&module, op)), [2, 1]);
}

#[test]
fn an_index_beyond_the_array_that_is_vouched_for_is_no_member() {
    let beyond = |builder: &mut Builder| {
        let four = builder.constant(Scalar::Usize, 4);
        vec![Step::Member(1), proved(four), Step::Member(0)]
    };
    let module = by_value(beyond, Scalar::Bool);
    assert_eq!(count(&module, Op::Bitcast), 1);
}

/// `#[repr(C, align(32))] struct Wide { first: f32, second: f64 }` and `struct Holder { id: u8, wide: Wide }`.
fn aligned(builder: &mut Builder) -> Handle<Type> {
    let [byte, float, double] = [Scalar::U8, Scalar::F32, Scalar::F64].map(|scalar| builder.scalar(scalar));
    let wide = builder.aligned_structure("Wide", &[("first", float), ("second", double)], 32);
    builder.structure("Holder", &[("id", byte), ("wide", wide)])
}

/// The alignment that a decoration states for the only object that has one.
fn stated_alignments(module: &Module) -> Vec<u32> {
    let is_alignment = |instruction: &&Instruction| {
        instruction.operands.get(1) == Some(&Operand::Decoration(Decoration::Alignment))
    };
    let decorations = instructions(module, Op::Decorate).into_iter().filter(is_alignment);
    decorations.map(|decoration| decoration.operands[2].unwrap_literal_bit32()).collect()
}

#[test]
fn integers_stand_where_an_alignment_leaves_room() {
    let mut builder = Builder::kernel("aligned");
    let holder = aligned(&mut builder);
    assert_eq!(builder.module.types.layout(holder), Layout { size: 64, align: 32 });
    let ty = builder.slice_type(holder, Space::Global, true);
    let holders = builder.parameter("holders", ty);
    let i = builder.global_id();
    let place = Place { base: Base::Slice(holders), path: vec![proved(i), Step::Member(1), Step::Member(1)] };
    let loaded = builder.load(place.clone());
    builder.store(place, loaded);
    let module = emitted(&builder.finish());
    let widths = |structure: &Instruction| -> Vec<u32> {
        let members = structure.operands.iter().map(|member| definition(&module, member.unwrap_id_ref()));
        members
            .map(|member| member.operands[0].clone())
            .filter_map(|bits| match bits {
                Operand::LiteralBit32(bits) => Some(bits),
                _ => None,
            })
            .collect()
    };
    let structs = instructions(&module, Op::TypeStruct);
    // 4 bytes, 4 that consumers leave out themselves, 8, and 16 at the end.
    assert_eq!(widths(structs[0]), [32, 64, 64, 64]);
    // 1 byte, 31 before what is aligned to 32.
    assert_eq!(widths(structs[1]), [8, 8, 16, 32, 64, 64, 64]);
    assert_eq!(structs[1].operands.len(), 8);
    let chains = instructions(&module, Op::InBoundsPtrAccessChain);
    let [holder, wide] = [7, 1].map(|position| (32, Operand::LiteralBit32(position)));
    assert_eq!(constants(&module, chains[0]), [holder, wide]);
    assert_eq!(stated_alignments(&module), [32]);
}

#[test]
fn an_argument_by_value_is_aligned_as_consumers_place_it() {
    let mut builder = Builder::kernel("aligned");
    let holder = aligned(&mut builder);
    builder.parameter("holder", holder);
    let module = emitted(&builder.finish());
    assert_eq!(stated_alignments(&module), [8]);
}

#[test]
fn local_memory_is_aligned_as_its_type_asks() {
    let mut builder = Builder::kernel("aligned");
    let holder = aligned(&mut builder);
    let tile = builder.array(holder, 4);
    builder.local("tile", tile);
    let plain = body(&mut builder);
    builder.local("plain", plain);
    let module = emitted(&builder.finish());
    assert_eq!(stated_alignments(&module), [32]);
}

#[test]
fn the_text_says_an_alignment_that_is_not_that_of_the_members() {
    let mut builder = Builder::kernel("aligned");
    let holder = aligned(&mut builder);
    builder.parameter("holder", holder);
    let text = builder.finish().to_string();
    assert!(text.contains("struct Wide align 32 { first: f32, second: f64 }"), "{text}");
    assert!(text.contains("struct Holder { id: u8, wide: Wide }"), "{text}");
}
