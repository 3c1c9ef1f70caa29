//! Variables, arrays, slices and `bool` in memory.

use crate::builder::{Builder, variable};
use crate::shape::{count, emitted, entry, opcodes};
use kernel_compiler::ir::{Base, Caching, Check, Index, LoadControl, Op as IrOp, Place, Space, StoreControl};
use kernel_core::semantics::BinaryOp;
use kernel_core::{FaultKind, Scalar};
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, MemoryAccess, Op, StorageClass};
use std::collections::BTreeSet;

fn proved(base: Base, indices: &[crate::builder::Operand]) -> Place {
    Place { base, path: indices.iter().map(|&index| Index { index, check: Check::Proved }.into()).collect() }
}

#[test]
fn variables_come_first_in_their_function() {
    let mut builder = Builder::kernel("memory");
    let flag = builder.scalar_parameter("flag", Scalar::Bool);
    let ty = builder.scalar(Scalar::Bool);
    let x = builder.variable("x", ty);
    let i = builder.global_id();
    let _ = i;
    builder.store(variable(x), flag);
    let module = emitted(&builder.finish());
    assert_eq!(opcodes(&module)[..3], [Op::Variable, Op::INotEqual, Op::Load]);
}

#[test]
fn bools_are_bytes_in_memory() {
    let mut builder = Builder::kernel("memory");
    let flags = builder.slice("flags", Scalar::Bool, true);
    let i = builder.global_id();
    let flag = builder.get(flags, i);
    builder.set(flags, i, flag);
    let module = emitted(&builder.finish());
    let expected = [
        Op::Load,
        Op::CompositeExtract,
        Op::InBoundsPtrAccessChain,
        Op::Load,
        Op::INotEqual,
        Op::Select,
        Op::InBoundsPtrAccessChain,
        Op::Store,
        Op::Return,
    ];
    assert_eq!(opcodes(&module), expected);
}

#[test]
fn accesses_are_naturally_aligned() {
    for (scalar, alignment) in [(Scalar::U8, 1), (Scalar::I16, 2), (Scalar::F32, 4), (Scalar::F64, 8)] {
        let mut builder = Builder::kernel("memory");
        let x = builder.slice("x", scalar, true);
        let zero = builder.constant(Scalar::Usize, 0);
        let value = builder.get(x, zero);
        builder.set(x, zero, value);
        let module = emitted(&builder.finish());
        let accesses =
            entry(&module).all_inst_iter().filter(|line| matches!(line.class.opcode, Op::Load | Op::Store));
        let found: Vec<_> = accesses.filter_map(|line| line.operands.last()).collect();
        assert_eq!(found, [&Operand::LiteralBit32(alignment); 2]);
    }
}

#[test]
fn nested_arrays_take_one_access_chain() {
    let mut builder = Builder::kernel("memory");
    let float = builder.scalar(Scalar::F32);
    let row = builder.array(float, 4);
    let grid = builder.array(row, 4);
    let private = builder.variable("private", grid);
    let local = builder.local("local", grid);
    let [one, two] = [1, 2].map(|bits| builder.constant(Scalar::Usize, bits));
    let element = builder.load(proved(Base::Variable(private), &[one, two]));
    builder.store(proved(Base::Local(local), &[two, one]), element);
    let module = emitted(&builder.finish());
    assert_eq!([Op::InBoundsAccessChain, Op::Load, Op::Store].map(|op| count(&module, op)), [2, 1, 1]);
}

#[test]
fn a_slice_of_an_array_points_to_its_first_element() {
    for space in [Space::Private, Space::Local] {
        let mut builder = Builder::kernel("memory");
        let out = builder.slice("out", Scalar::Usize, true);
        let float = builder.scalar(Scalar::F32);
        let array = builder.array(float, 8);
        let base = match space {
            Space::Local => Base::Local(builder.local("x", array)),
            _ => Base::Variable(builder.variable("x", array)),
        };
        let ty = builder.slice_type(float, space, true);
        let slice = builder.evaluate(ty, IrOp::SliceOf(proved(base, &[])));
        let zero = builder.constant(Scalar::Usize, 0);
        let length = builder.compute(Scalar::Usize, IrOp::Len(slice));
        builder.set(out, zero, length);
        let element = builder.get(slice, zero);
        builder.set(slice, zero, element);
        let module = emitted(&builder.finish());
        assert_eq!(
            [Op::InBoundsAccessChain, Op::InBoundsPtrAccessChain].map(|op| count(&module, op)),
            // Local memory is filled first, since nothing has been written where it is read.
            [1, 3 + usize::from(space == Space::Local)]
        );
    }
}

#[test]
fn arrays_are_values_too() {
    let mut builder = Builder::kernel("memory");
    let condition = builder.scalar_parameter("condition", Scalar::Bool);
    let float = builder.scalar(Scalar::F32);
    let array = builder.array(float, 8);
    let x = builder.variable("x", array);
    let zero = builder.value(array, IrOp::Zero);
    let loaded = builder.load(variable(x));
    let chosen = builder.evaluate(array, IrOp::Select { condition, accept: loaded, reject: zero });
    builder.store(variable(x), chosen);
    let module = emitted(&builder.finish());
    assert_eq!([Op::ConstantNull, Op::Phi, Op::Select].map(|op| count(&module, op)), [1, 1, 0]);
}

#[test]
fn slices_are_chosen_by_pointer_and_length() {
    let mut builder = Builder::kernel("memory");
    let condition = builder.scalar_parameter("condition", Scalar::Bool);
    let [x, y] = ["x", "y"].map(|name| builder.slice(name, Scalar::F32, false));
    let ty = builder.type_of(x);
    let chosen = builder.evaluate(ty, IrOp::Select { condition, accept: x, reject: y });
    let zero = builder.constant(Scalar::Usize, 0);
    builder.get(chosen, zero);
    assert_eq!(count(&emitted(&builder.finish()), Op::Select), 2);
}

#[test]
fn slices_point_to_where_their_elements_are() {
    let mut builder = Builder::kernel("memory");
    builder.slice("x", Scalar::F32, false);
    let module = emitted(&builder.finish());
    let classes = module.types_global_values.iter().filter(|line| line.class.opcode == Op::TypePointer);
    let class = Operand::StorageClass(StorageClass::CrossWorkgroup);
    assert_eq!(classes.map(|line| line.operands[0].clone()).collect::<Vec<_>>(), [class]);
}

#[test]
fn a_part_of_a_slice_is_a_pointer_to_its_first_element() {
    let mut builder = Builder::kernel("memory");
    let x = builder.slice("x", Scalar::F32, true);
    let [start, len] = ["start", "len"].map(|name| builder.scalar_parameter(name, Scalar::Usize));
    let ty = builder.type_of(x);
    let part = builder.evaluate(ty, IrOp::SubSlice { slice: x, start, len });
    let zero = builder.constant(Scalar::Usize, 0);
    builder.get(part, zero);
    let length = builder.compute(Scalar::Usize, IrOp::Len(part));
    let module = builder.finish();
    assert!(module.to_string().contains("= %len of %x from %start"), "{module}");
    let emitted = emitted(&module);
    assert_eq!(count(&emitted, Op::InBoundsPtrAccessChain), 2);
    let _ = length;
}

#[test]
fn tables_are_constant_variables_with_initializers() {
    let mut builder = Builder::kernel("memory");
    let flag = builder.scalar(Scalar::Bool);
    let row = builder.array(flag, 2);
    let rows = builder.array(row, 2);
    let base = builder.table(rows, &[1, 0, 0, 0]);
    let i = builder.global_id();
    for _ in 0..2 {
        builder.load(proved(base, &[i, i]));
    }
    let module = emitted(&builder.finish());
    let globals = &module.types_global_values;
    let is_table = |line: &&rspirv::dr::Instruction| {
        line.operands.first() == Some(&Operand::StorageClass(StorageClass::UniformConstant))
            && line.class.opcode == Op::Variable
    };
    let tables: Vec<_> = globals.iter().filter(is_table).collect();
    assert_eq!(tables.len(), 1, "both loads are from one variable");
    let definition = |operand: &Operand| globals.iter().find(|line| line.result_id == operand.id_ref_any());
    let rows = definition(&tables[0].operands[1]).expect("the initializer is declared");
    let kinds: Vec<_> =
        rows.operands.iter().map(|row| definition(row).expect("a row is declared").class.opcode).collect();
    assert_eq!(kinds, [Op::ConstantComposite, Op::ConstantNull], "a row of zeros is not written out");
}

#[test]
fn what_caches_need_not_keep_is_loaded_and_stored_so() {
    let mut builder = Builder::kernel("streamed");
    let streamed = builder.slice("streamed", Scalar::U32, true);
    builder.module.parameters[0].caching.nontemporal = true;
    let kept = builder.slice("kept", Scalar::U32, true);
    let i = builder.global_id();
    for (from, to) in [(streamed, kept), (kept, streamed)] {
        let value = builder.get(from, i);
        builder.set(to, i, value);
    }
    // A part of it is, too.
    let ty = builder.type_of(streamed);
    let part = builder.evaluate(ty, IrOp::SubSlice { slice: streamed, start: i, len: i });
    builder.get(part, i);
    let module = emitted(&builder.finish());
    let hints = module.all_inst_iter().filter_map(|inst| {
        let is_access = matches!(inst.class.opcode, Op::Load | Op::Store);
        let access = inst.operands.iter().find_map(|operand| match operand {
            Operand::MemoryAccess(access) => Some(access.contains(MemoryAccess::NONTEMPORAL)),
            _ => None,
        });
        is_access.then(|| access.expect("it says how it is aligned"))
    });
    // The id is loaded first.
    assert_eq!(hints.collect::<Vec<_>>(), [false, true, false, false, true, true]);
    // Fewer bits are accessed as ever.
    let mut builder = Builder::kernel("narrow");
    let narrow = builder.slice("narrow", Scalar::U16, true);
    builder.module.parameters[0].caching.nontemporal = true;
    let i = builder.global_id();
    let value = builder.get(narrow, i);
    builder.set(narrow, i, value);
    let module = emitted(&builder.finish());
    let has_hint = |operand: &Operand| matches!(operand, Operand::MemoryAccess(access) if access.contains(MemoryAccess::NONTEMPORAL));
    assert!(!module.all_inst_iter().any(|inst| inst.operands.iter().any(has_hint)));
}

/// The decorations that tell caches something: what is decorated, and with what.
fn controls(module: &rspirv::dr::Module) -> Vec<(u32, String)> {
    let is_control = |decoration: &&rspirv::dr::Instruction| {
        use Decoration::{CacheControlLoadINTEL, CacheControlStoreINTEL};
        matches!(decoration.operands[1], Operand::Decoration(CacheControlLoadINTEL | CacheControlStoreINTEL))
    };
    let details = |decoration: &rspirv::dr::Instruction| {
        let words = decoration.operands[1..]
            .iter()
            .map(|operand| operand.to_string().replace("CacheControl", "").replace("INTEL", ""));
        words.collect::<Vec<_>>().join(" ")
    };
    let decorations = module.annotations.iter().filter(is_control);
    decorations.map(|one| (one.operands[0].unwrap_id_ref(), details(one))).collect()
}

/// The pointers of the loads and stores by pointers into global memory.
fn accessed(module: &rspirv::dr::Module) -> Vec<u32> {
    let kernel = entry(module).all_inst_iter();
    let accesses = kernel.filter(|inst| matches!(inst.class.opcode, Op::Load | Op::Store | Op::AtomicIAdd));
    // The id is loaded first.
    accesses.skip(1).map(|inst| inst.operands[0].unwrap_id_ref()).collect()
}

#[test]
fn what_caches_are_told_is_of_the_pointer_of_each_access() {
    let mut builder = Builder::kernel("told");
    let x = builder.slice("x", Scalar::U8, true);
    builder.module.parameters[0].caching = Caching {
        nontemporal: false,
        loads: vec![LoadControl::Streaming, LoadControl::InvalidateAfterRead],
        stores: vec![StoreControl::WriteBack],
    };
    let y = builder.slice("y", Scalar::U8, true);
    let i = builder.global_id();
    for (from, to) in [(x, y), (y, x)] {
        let value = builder.get(from, i);
        builder.set(to, i, value);
    }
    let module = emitted(&builder.finish());
    let [from_x, to_y, from_y, to_x] = accessed(&module)[..] else { panic!("there are four accesses") };
    let expected =
        [(from_x, "Load 0 Streaming"), (from_x, "Load 1 InvalidateAfterRead"), (to_x, "Store 0 WriteBack")];
    assert_eq!(controls(&module), expected.map(|(pointer, text)| (pointer, text.to_owned())));
    assert_eq!([from_x, to_y, from_y, to_x].iter().collect::<BTreeSet<_>>().len(), 4);
    let is_there =
        |name: &str| module.extensions.iter().any(|line| line.operands[0].unwrap_literal_string() == name);
    assert!(is_there("SPV_INTEL_cache_controls"), "the extension is deduced");
}

/// The pointer of a reference is the parameter, which is not what caches are told of.
#[test]
fn accesses_behind_references_have_pointers_of_their_own() {
    let mut builder = Builder::kernel("told");
    let int = builder.scalar(Scalar::U32);
    let ty = builder.pointer_type(int, true, false);
    let total = builder.parameter("total", ty);
    builder.module.parameters[0].caching.stores = vec![StoreControl::Uncached, StoreControl::WriteThrough];
    builder.global_id();
    let place = || Place { base: Base::Pointer(total), path: Vec::new() };
    let value = builder.load(place());
    builder.store(place(), value);
    let module = emitted(&builder.finish());
    let [loaded, stored] = accessed(&module)[..] else { panic!("there are two accesses") };
    assert_ne!(loaded, stored);
    let expected = [(stored, "Store 0 Uncached"), (stored, "Store 1 WriteThrough")];
    assert_eq!(controls(&module), expected.map(|(pointer, text)| (pointer, text.to_owned())));
}

/// One address is loaded from and stored to, with one check.
#[test]
fn updates_are_told_of_both() {
    let mut builder = Builder::kernel("told");
    let x = builder.slice("x", Scalar::U32, true);
    builder.module.parameters[0].caching = Caching {
        nontemporal: true,
        loads: vec![LoadControl::Cached],
        stores: vec![StoreControl::Streaming],
    };
    let i = builder.global_id();
    let check = builder.site(FaultKind::IndexOutOfBounds);
    let place = builder.element(x, i, check);
    let old = builder.load(place.clone());
    let one = builder.constant(Scalar::U32, 1);
    let new = builder.binary(BinaryOp::Add, old, one);
    builder.store(place, new);
    let module = emitted(&builder.finish());
    let pointer = controls(&module)[0].0;
    let uses = accessed(&module).into_iter().filter(|accessed| *accessed == pointer);
    assert_eq!(uses.count(), 2, "it is loaded and stored by one pointer");
    let expected = [(pointer, "Load 0 Cached"), (pointer, "Store 0 Streaming")];
    assert_eq!(controls(&module), expected.map(|(pointer, text)| (pointer, text.to_owned())));
    let hint = |operand: &&Operand| matches!(operand, Operand::MemoryAccess(access) if access.contains(MemoryAccess::NONTEMPORAL));
    assert_eq!(module.all_inst_iter().flat_map(|inst| &inst.operands).filter(hint).count(), 2);
}
