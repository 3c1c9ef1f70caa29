//! Several kernels in one module.

use crate::builder::Builder;
use kernel_compiler::emit::{Spirv, emit, merge};
use kernel_core::{FaultKind, Scalar};
use rspirv::dr::{Module, Operand, load_words};
use rspirv::spirv::{Op, StorageClass};

/// A kernel that stores what it is given, and uses a built-in variable.
fn kernel(name: &str, scalar: Scalar) -> Spirv {
    let mut builder = Builder::kernel(name);
    let x = builder.slice("x", scalar, true);
    let a = builder.scalar_parameter("a", scalar);
    let check = builder.site(FaultKind::IndexOutOfBounds);
    let i = builder.global_id();
    let place = builder.element(x, i, check);
    builder.store(place, a);
    builder.barrier();
    emit(&builder.finish())
}

fn merged(modules: &[Spirv]) -> (Module, Spirv) {
    let merged = merge(modules.iter().map(|module| (&module.words[..], &module.requirements)));
    let merged = merged.expect("nothing is declared with two types");
    (load_words(&merged.words).expect("the words are SPIR-V"), merged)
}

fn globals(module: &Module, op: Op) -> usize {
    module.types_global_values.iter().filter(|instruction| instruction.class.opcode == op).count()
}

fn names(module: &Module) -> Vec<&str> {
    let names = module.entry_points.iter().map(|entry| match &entry.operands[..] {
        [_, _, Operand::LiteralString(name), ..] => &name[..],
        other => panic!("{other:?}"),
    });
    names.collect()
}

#[test]
fn what_is_declared_alike_is_declared_once() {
    let kernels = [kernel("first", Scalar::F32), kernel("second", Scalar::F32)];
    let alone = load_words(&kernels[0].words).expect("the words are SPIR-V");
    let (both, _) = merged(&kernels);
    assert_eq!(names(&both), ["first", "second"]);
    assert_eq!(both.types_global_values.len(), alone.types_global_values.len());
    assert_eq!(both.ext_inst_imports.len(), alone.ext_inst_imports.len());
    assert_eq!(both.functions.len(), 2 * alone.functions.len());
    let interface = |module: &Module, entry: usize| module.entry_points[entry].operands[3..].to_vec();
    assert_eq!(interface(&both, 0), interface(&both, 1), "they have the same variables");
}

#[test]
fn a_module_by_itself_stays_the_same() {
    let one = kernel("one", Scalar::U64);
    let (module, merged) = merged(std::slice::from_ref(&one));
    let alone = load_words(&one.words).expect("the words are SPIR-V");
    let opcodes = |module: &Module| {
        module.all_inst_iter().map(|instruction| instruction.class.opcode).collect::<Vec<_>>()
    };
    assert_eq!(opcodes(&module), opcodes(&alone));
    assert_eq!(merged.requirements, one.requirements);
}

#[test]
fn the_requirements_are_those_of_all() {
    let kernels = [kernel("narrow", Scalar::F16), kernel("wide", Scalar::F64)];
    let (module, merged) = merged(&kernels);
    assert!(merged.requirements.fp16 && merged.requirements.fp64);
    assert_eq!(globals(&module, Op::TypeFloat), 2);
    let [narrow, wide] = &kernels;
    for one in narrow.requirements.capabilities.iter().chain(&wide.requirements.capabilities) {
        assert!(merged.requirements.capabilities.contains(one), "{one}");
    }
    let features: usize = kernels.iter().map(|kernel| kernel.requirements.features.len()).sum();
    assert_eq!(merged.requirements.features.len(), features);
}

#[test]
fn local_memory_is_each_kernels_own() {
    let kernel = |name| {
        let mut builder = Builder::kernel(name);
        let float = builder.scalar(Scalar::F32);
        let array = builder.array(float, 4);
        builder.local("shared", array);
        emit(&builder.finish())
    };
    let (module, _) = merged(&[kernel("first"), kernel("second")]);
    let locals = module.types_global_values.iter().filter(|one| {
        let class = Operand::StorageClass(StorageClass::Workgroup);
        one.class.opcode == Op::Variable && one.operands.first() == Some(&class)
    });
    assert_eq!(locals.count(), 2);
}
