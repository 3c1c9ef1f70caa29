//! What a module declares: version, capabilities, modes, names, arguments.

use crate::builder::Builder;
use crate::shape::{count, emitted, entry};
use kernel_compiler::emit::emit;
use kernel_compiler::ir::{Aliasing, FloatMode, Module, Query, Space};
use kernel_core::semantics::{BinaryOp, UnaryOp};
use kernel_core::{FaultKind, Scalar};
use rspirv::dr::{self, Instruction, Operand};
use rspirv::spirv::{Decoration, ExecutionMode, Op, StorageClass, Word};

fn empty() -> Builder {
    Builder::kernel("empty")
}

fn capabilities(module: &Module) -> Vec<String> {
    emit(module).requirements.capabilities
}

fn mode(module: &dr::Module, mode: ExecutionMode) -> Option<&[Operand]> {
    let mut modes = module.execution_modes.iter();
    modes.find(|line| line.operands[1] == Operand::ExecutionMode(mode)).map(|line| &line.operands[2..])
}

fn names(module: &dr::Module) -> Vec<&str> {
    let names = module.debug_names.iter().map(|name| match &name.operands[1] {
        Operand::LiteralString(name) => name.as_str(),
        other => panic!("a name is a string, not {other:?}"),
    });
    names.collect()
}

fn parameter_types(module: &dr::Module) -> Vec<String> {
    let describe = |id: Word| {
        let ty = module
            .types_global_values
            .iter()
            .find(|ty| ty.result_id == Some(id))
            .expect("the type is declared");
        match (&ty.operands[..], ty.class.opcode) {
            ([Operand::LiteralBit32(width), ..], Op::TypeInt) => format!("i{width}"),
            ([Operand::LiteralBit32(width)], Op::TypeFloat) => format!("f{width}"),
            ([Operand::StorageClass(class), _], Op::TypePointer) => format!("{class:?}*"),
            (_, other) => format!("{other:?}"),
        }
    };
    entry(module).parameters.iter().filter_map(|parameter| parameter.result_type).map(describe).collect()
}

/// `x * x + x` of a scalar parameter.
fn product_and_sum(mode: FloatMode) -> Module {
    let mut builder = Builder::kernel("product");
    builder.module.attributes.float_mode = mode;
    let out = builder.slice("out", Scalar::F32, true);
    let x = builder.scalar_parameter("x", Scalar::F32);
    let product = builder.binary(BinaryOp::Mul, x, x);
    let sum = builder.binary(BinaryOp::Add, product, x);
    let zero = builder.constant(Scalar::Usize, 0);
    builder.set(out, zero, sum);
    builder.finish()
}

#[test]
fn an_empty_kernel_needs_the_least() {
    let spirv = emit(&empty().finish());
    assert_eq!(spirv.requirements.spirv_version, (1, 0));
    assert_eq!(spirv.requirements.capabilities, ["Addresses", "Kernel"]);
    assert_eq!(spirv.requirements.extensions, [""; 0]);
    assert!(!spirv.requirements.fp64 && !spirv.requirements.fp16 && !spirv.requirements.int64_atomics);
}

#[test]
fn capabilities_follow_from_the_types() {
    let with = |scalar| {
        let mut builder = empty();
        builder.slice("x", scalar, true);
        builder.finish()
    };
    assert_eq!(capabilities(&with(Scalar::U8)), ["Addresses", "Int64", "Int8", "Kernel"]);
    assert_eq!(capabilities(&with(Scalar::I16)), ["Addresses", "Int16", "Int64", "Kernel"]);
    assert_eq!(capabilities(&with(Scalar::Bool)), ["Addresses", "Int64", "Int8", "Kernel"]);
    assert_eq!(capabilities(&with(Scalar::F64)), ["Addresses", "Float64", "Int64", "Kernel"]);
    assert!(emit(&with(Scalar::F64)).requirements.fp64);
}

#[test]
fn a_subgroup_size_needs_spirv_1_1() {
    let mut builder = empty();
    builder.module.attributes.subgroup_size = Some(16);
    let module = builder.finish();
    let spirv = emit(&module);
    assert_eq!(spirv.requirements.spirv_version, (1, 1));
    assert_eq!(spirv.requirements.capabilities, ["Addresses", "Kernel", "SubgroupDispatch"]);
    let size = [Operand::LiteralBit32(16)];
    assert_eq!(mode(&emitted(&module), ExecutionMode::SubgroupSize), Some(&size[..]));
}

#[test]
fn a_required_group_size_is_a_mode_and_a_constant() {
    let mut builder = empty();
    builder.module.attributes.group_size = Some([8, 4, 1]);
    let out = builder.slice("out", Scalar::Usize, true);
    let size = builder.query(Query::LocalSize, 1);
    let zero = builder.constant(Scalar::Usize, 0);
    builder.set(out, zero, size);
    let module = emitted(&builder.finish());
    let size = [8, 4, 1].map(Operand::LiteralBit32);
    assert_eq!(mode(&module, ExecutionMode::LocalSize), Some(&size[..]));
    assert_eq!(module.entry_points[0].operands.len(), 3, "no built-in variable is needed");
}

#[test]
fn each_built_in_is_loaded_once_and_in_the_interface() {
    let mut builder = empty();
    let out = builder.slice("out", Scalar::Usize, true);
    for dimension in [0, 1, 0] {
        let id = builder.query(Query::GlobalId, dimension);
        builder.set(out, id, id);
    }
    let module = emitted(&builder.finish());
    assert_eq!(count(&module, Op::Load), 1);
    assert_eq!(module.entry_points[0].operands.len(), 4);
}

#[test]
fn arguments_travel_as_the_environment_allows() {
    let mut builder = empty();
    for scalar in [Scalar::Bool, Scalar::I16, Scalar::Usize, Scalar::F32, Scalar::F64] {
        builder.scalar_parameter("x", scalar);
    }
    builder.slice("slice", Scalar::F64, false);
    let module = emitted(&builder.finish());
    assert_eq!(parameter_types(&module), ["i8", "i16", "i64", "f32", "i64", "CrossWorkgroup*", "i64"]);
}

#[test]
fn slices_are_pointers_to_the_memory_that_they_are_in() {
    let mut builder = empty();
    let element = builder.scalar(Scalar::U16);
    for (space, mutable) in [(Space::Constant, false), (Space::Global, true), (Space::Local, true)] {
        let ty = builder.slice_type(element, space, mutable);
        builder.parameter("slice", ty);
    }
    let module = emitted(&builder.finish());
    let types = ["UniformConstant*", "i64", "CrossWorkgroup*", "i64", "Workgroup*", "i64"];
    assert_eq!(parameter_types(&module), types);
}

/// The decorations of the parameters of a kernel with two slices, by the names of these.
fn promises(change: impl FnOnce(&mut Builder)) -> Vec<(String, String)> {
    let mut builder = empty();
    for (name, aliasing) in
        [("read", Aliasing::ReadOnly), ("written", Aliasing::Exclusive), ("atomic", Aliasing::Unknown)]
    {
        builder.slice(name, Scalar::F64, aliasing != Aliasing::ReadOnly);
        builder.shared(aliasing);
    }
    change(&mut builder);
    let module = emitted(&builder.finish());
    let name = |id: &Operand| {
        let named = module.debug_names.iter().find(|name| name.operands[0] == *id).expect("it has a name");
        named.operands[1].to_string().replace('"', "")
    };
    let of_parameter = |decoration: &&Instruction| {
        [Decoration::FuncParamAttr, Decoration::Alignment]
            .map(Operand::Decoration)
            .contains(&decoration.operands[1])
    };
    let text = |decoration: &Instruction| {
        let details: Vec<String> = decoration.operands[1..].iter().map(ToString::to_string).collect();
        (name(&decoration.operands[0]), details.join(" "))
    };
    module.annotations.iter().filter(of_parameter).map(text).collect()
}

#[test]
fn parameters_promise_what_their_types_do() {
    let owned = |all: &[(&str, &str)]| -> Vec<(String, String)> {
        all.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    };
    // All start at elements.
    let read =
        [("read", "FuncParamAttr NoWrite"), ("read", "FuncParamAttr NoAlias"), ("read", "Alignment 8")];
    let alone = [("written", "FuncParamAttr NoAlias"), ("written", "Alignment 8"), ("atomic", "Alignment 8")];
    assert_eq!(promises(|_| ()), owned(&[&read[..], &alone].concat()));
    // What others write before a barrier is read after it; what is only read stays the same.
    let with_barrier = promises(|builder| {
        builder.barrier();
    });
    assert_eq!(with_barrier, owned(&[&read[..], &alone[1..]].concat()));
}

#[test]
fn the_fault_record_is_the_last_argument_of_kernels_with_sites() {
    let mut builder = empty();
    builder.site(FaultKind::IndexOutOfBounds);
    builder.scalar_parameter("x", Scalar::I32);
    let module = emitted(&builder.finish());
    assert_eq!(parameter_types(&module), ["i32", "CrossWorkgroup*"], "even if no check is reached");
}

#[test]
fn strict_floats_turn_contraction_off_where_it_could_happen() {
    let strict = emitted(&product_and_sum(FloatMode::Strict));
    assert_eq!(mode(&strict, ExecutionMode::ContractionOff), Some(&[][..]));
    assert_eq!(count(&strict, Op::ExtInst), 0);
    assert_eq!(mode(&emitted(&empty().finish()), ExecutionMode::ContractionOff), None);
}

#[test]
fn contraction_makes_one_mad_of_product_and_sum() {
    let module = emitted(&product_and_sum(FloatMode::Contract));
    assert_eq!(mode(&module, ExecutionMode::ContractionOff), None);
    assert_eq!([Op::ExtInst, Op::FMul, Op::FAdd].map(|op| count(&module, op)), [1, 0, 0]);
    assert_eq!(module.ext_inst_imports[0].operands[0], Operand::LiteralString("OpenCL.std".to_owned()));
}

#[test]
fn the_accuracy_of_opencl_allows_contraction_and_no_algebra() {
    let module = emitted(&product_and_sum(FloatMode::OpenCl));
    assert_eq!(mode(&module, ExecutionMode::ContractionOff), None);
    assert_eq!([Op::ExtInst, Op::FMul, Op::FAdd].map(|op| count(&module, op)), [1, 0, 0]);
    assert!(!decorates_fast_math(FloatMode::OpenCl));
    let rounded = [FloatMode::Strict, FloatMode::Contract, FloatMode::OpenCl, FloatMode::Fast]
        .map(FloatMode::is_correctly_rounded);
    assert_eq!(rounded, [true, true, false, false]);
}

#[test]
fn a_product_with_two_uses_is_not_contracted() {
    let mut builder = empty();
    builder.module.attributes.float_mode = FloatMode::Contract;
    let out = builder.slice("out", Scalar::F32, true);
    let x = builder.scalar_parameter("x", Scalar::F32);
    let product = builder.binary(BinaryOp::Mul, x, x);
    let sum = builder.binary(BinaryOp::Add, product, x);
    let zero = builder.constant(Scalar::Usize, 0);
    builder.set(out, zero, sum);
    builder.set(out, zero, product);
    let module = emitted(&builder.finish());
    assert_eq!([Op::ExtInst, Op::FMul, Op::FAdd].map(|op| count(&module, op)), [0, 1, 1]);
}

#[test]
fn differences_contract_with_a_negated_operand() {
    for product_first in [true, false] {
        let mut builder = empty();
        builder.module.attributes.float_mode = FloatMode::Contract;
        let out = builder.slice("out", Scalar::F32, true);
        let x = builder.scalar_parameter("x", Scalar::F32);
        let product = builder.binary(BinaryOp::Mul, x, x);
        let (left, right) = if product_first { (product, x) } else { (x, product) };
        let difference = builder.binary(BinaryOp::Sub, left, right);
        let zero = builder.constant(Scalar::Usize, 0);
        builder.set(out, zero, difference);
        let module = emitted(&builder.finish());
        assert_eq!([Op::ExtInst, Op::FNegate, Op::FMul, Op::FSub].map(|op| count(&module, op)), [1, 1, 0, 0]);
    }
}

#[test]
fn fast_floats_are_decorated() {
    assert!(decorates_fast_math(FloatMode::Fast));
}

/// Returns whether a quotient in this mode is told that algebra may be done with it.
fn decorates_fast_math(mode: FloatMode) -> bool {
    let mut builder = empty();
    builder.module.attributes.float_mode = mode;
    let out = builder.slice("out", Scalar::F32, true);
    let x = builder.scalar_parameter("x", Scalar::F32);
    let quotient = builder.binary(BinaryOp::Div, x, x);
    let zero = builder.constant(Scalar::Usize, 0);
    builder.set(out, zero, quotient);
    let decoration = Operand::Decoration(rspirv::spirv::Decoration::FPFastMathMode);
    emitted(&builder.finish()).annotations.iter().any(|line| line.operands[1] == decoration)
}

#[test]
fn local_memory_is_a_workgroup_variable_of_the_module() {
    let mut builder = empty();
    let float = builder.scalar(Scalar::F32);
    let tile = builder.array(float, 64);
    builder.local("tile", tile);
    let module = emitted(&builder.finish());
    let class = Operand::StorageClass(StorageClass::Workgroup);
    let variables = module.types_global_values.iter().filter(|line| line.class.opcode == Op::Variable);
    assert_eq!(variables.map(|variable| variable.operands[0].clone()).collect::<Vec<_>>(), [class]);
    assert_eq!(names(&module), ["tile", "empty"]);
}

#[test]
fn a_constant_is_declared_once() {
    let mut builder = empty();
    let out = builder.slice("out", Scalar::I32, true);
    let zero = builder.constant(Scalar::Usize, 0);
    for _ in 0..3 {
        let value = builder.constant(Scalar::I32, 7);
        let negated = builder.unary(UnaryOp::Neg, value);
        builder.set(out, zero, negated);
    }
    let module = emitted(&builder.finish());
    assert_eq!(count(&module, Op::Constant), 2);
    assert_eq!(count(&module, Op::SNegate), 3);
}

#[test]
fn specializations_have_numbers_whether_they_are_used_or_not() {
    let mut builder = Builder::kernel("specialized");
    builder.specialization("N", Scalar::Usize);
    builder.specialization("FLAG", Scalar::Bool);
    builder.specialization("SHIFT", Scalar::I8);
    let module = emitted(&builder.finish());
    let numbers = module.annotations.iter().filter_map(|line| match line.operands[..] {
        [Operand::IdRef(id), Operand::Decoration(Decoration::SpecId), Operand::LiteralBit32(number)] => {
            Some((id, number))
        }
        _ => None,
    });
    let constants = numbers.map(|(id, number)| {
        let line = module.types_global_values.iter().find(|line| line.result_id == Some(id));
        let line = line.expect("the constant is declared");
        (number, line.class.opcode, line.operands.clone())
    });
    let expected = [
        (0, Op::SpecConstant, vec![Operand::LiteralBit64(1)]),
        (1, Op::SpecConstantTrue, Vec::new()),
        (2, Op::SpecConstant, vec![Operand::LiteralBit32(1)]),
    ];
    assert_eq!(constants.collect::<Vec<_>>(), expected);
    assert_eq!(names(&module), ["N", "FLAG", "SHIFT", "specialized"]);
}
