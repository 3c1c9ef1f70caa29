//! Functions of other modules: how they are declared and called, and what breaks the rules for them.

use crate::builder::{Builder, Operand as Value, breaks};
use kernel_compiler::emit::{Spirv, emit};
use kernel_compiler::ir::{Call, FloatMode, Handle, Import, Op as IrOp, Type};
use kernel_core::{FaultKind, Scalar};
use proc_macro2::Span;
use rspirv::dr::{Instruction, Module, Operand, load_words};
use rspirv::spirv::{Decoration, ExecutionMode, FunctionParameterAttribute, Op, Word};

fn import(
    builder: &mut Builder,
    name: &str,
    parameters: &[Handle<Type>],
    result: Option<Handle<Type>>,
) -> Handle<Import> {
    let parameters = parameters.to_vec();
    builder.module.imports.push(Import { name: name.to_owned(), parameters, result, span: Span::call_site() })
}

fn call(builder: &mut Builder, scalar: Scalar, import: Handle<Import>, arguments: &[Value]) -> Value {
    builder.compute(scalar, IrOp::Call(Call { import, arguments: arguments.to_vec() }))
}

/// A kernel that calls `narrow(i8, u16, bool) -> i16` twice, and `done(u64)` once.
fn caller() -> Builder {
    let mut builder = Builder::kernel("caller");
    let [a, b, c] = [("a", Scalar::I8), ("b", Scalar::U16), ("c", Scalar::Bool)]
        .map(|(name, scalar)| builder.scalar_parameter(name, scalar));
    let types = [a, b, c].map(|value| builder.type_of(value));
    let (short, long) = (builder.scalar(Scalar::I16), builder.scalar(Scalar::U64));
    let narrow = import(&mut builder, "narrow", &types, Some(short));
    let done = import(&mut builder, "done", &[long], None);
    let first = call(&mut builder, Scalar::I16, narrow, &[a, b, c]);
    let again = builder.cast(first, Scalar::I8);
    call(&mut builder, Scalar::I16, narrow, &[again, b, c]);
    let one = builder.constant(Scalar::U64, 1);
    call(&mut builder, Scalar::U32, done, &[one]);
    builder
}

fn load(spirv: &Spirv) -> Module {
    load_words(&spirv.words).expect("the words are SPIR-V")
}

fn calls(module: &Module) -> Vec<&Instruction> {
    let all = module.all_inst_iter();
    all.filter(|instruction| instruction.class.opcode == Op::FunctionCall).collect()
}

/// What a decoration says of an id.
fn details(module: &Module, id: Word, decoration: Decoration) -> Vec<&[Operand]> {
    let wanted = [Operand::IdRef(id), Operand::Decoration(decoration)];
    let all = module.annotations.iter().filter(|instruction| instruction.operands.starts_with(&wanted));
    all.map(|instruction| &instruction.operands[2..]).collect()
}

#[test]
fn imports_are_declared_once_and_before_the_kernel() {
    let spirv = emit(&caller().finish());
    assert_eq!(spirv.requirements.capabilities, ["Addresses", "Int16", "Int64", "Int8", "Kernel", "Linkage"]);
    let module = load(&spirv);
    let bodies: Vec<_> = module.functions.iter().map(|function| function.blocks.len()).collect();
    assert_eq!(bodies, [0, 0, 1]);
    let names: Vec<_> = module.functions[..2]
        .iter()
        .map(|function| {
            let id = function.def_id().expect("a function has an id");
            let linkage = details(&module, id, Decoration::LinkageAttributes);
            assert_eq!(linkage.len(), 1);
            linkage[0][0].unwrap_literal_string()
        })
        .collect();
    assert_eq!(names, ["done", "narrow"]);
    assert_eq!(calls(&module).len(), 3);
}

#[test]
fn narrow_values_are_extended_as_in_c() {
    let module = load(&emit(&caller().finish()));
    let narrow = &module.functions[1];
    let attributes = |id| {
        let found = details(&module, id, Decoration::FuncParamAttr);
        found.iter().map(|details| details[0].clone()).collect::<Vec<_>>()
    };
    let [sign, zero] = [FunctionParameterAttribute::Sext, FunctionParameterAttribute::Zext]
        .map(Operand::FunctionParameterAttribute);
    let parameters: Vec<_> =
        narrow.parameters.iter().filter_map(|parameter| parameter.result_id).map(attributes).collect();
    assert_eq!(parameters, [vec![sign.clone()], vec![zero.clone()], vec![zero]]);
    assert_eq!(narrow.def_id().map(attributes), Some(vec![sign]));
}

#[test]
fn a_kernel_without_imports_needs_no_linkage() {
    let spirv = emit(&Builder::kernel("empty").finish());
    assert_eq!(spirv.requirements.capabilities, ["Addresses", "Kernel"]);
}

/// What it calls may have a product and a sum.
#[test]
fn a_strict_kernel_is_strict_in_what_it_calls() {
    let mode = |float_mode| {
        let mut builder = caller();
        builder.module.attributes.float_mode = float_mode;
        let module = load(&emit(&builder.finish()));
        let off = Operand::ExecutionMode(ExecutionMode::ContractionOff);
        module.execution_modes.iter().any(|mode| mode.operands.contains(&off))
    };
    assert!(mode(FloatMode::Strict));
    assert!(!mode(FloatMode::Contract));
}

#[test]
fn who_has_faulted_makes_no_call() {
    let faulting = |meets: bool| {
        let mut builder = caller();
        let x = builder.slice("x", Scalar::I32, true);
        let check = builder.site(FaultKind::IndexOutOfBounds);
        let i = builder.global_id();
        let loaded = builder.load(builder.element(x, i, check));
        let int = builder.scalar(Scalar::I32);
        let take = import(&mut builder, "take", &[int], Some(int));
        call(&mut builder, Scalar::I32, take, &[loaded]);
        if meets {
            builder.barrier();
        }
        load(&emit(&builder.finish()))
    };
    // The call of what keeps the fault is one more; where the work-item ends there is none.
    assert_eq!(calls(&faulting(false)).len(), 4);
    let module = faulting(true);
    let take = calls(&module).into_iter().last().expect("there are calls");
    let kernel = module.functions.last().expect("there is the kernel");
    let block = kernel.blocks.iter().find(|block| block.instructions.contains(take)).expect("it is in one");
    assert_eq!(block.instructions.len(), 2, "a block of the call alone");
}

#[test]
fn calls_read_as_they_are() {
    let text = caller().finish().to_string();
    for line in
        ["import narrow(i8, u16, bool) -> i16", "import done(u64)", "= call narrow(%a", "= call done(1"]
    {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn imports_take_and_return_numbers_and_raw_pointers() {
    breaks("`f` takes or returns a Slice", |builder| {
        let slice = builder.slice("x", Scalar::F32, true);
        let ty = builder.type_of(slice);
        import(builder, "f", &[ty], None);
    });
    breaks("`f` takes or returns a Pointer", |builder| {
        let float = builder.scalar(Scalar::F32);
        let reference = builder.pointer_type(float, true, false);
        import(builder, "f", &[], Some(reference));
    });
}

#[test]
fn a_name_is_imported_once() {
    breaks("`f` is imported twice", |builder| {
        let float = builder.scalar(Scalar::F32);
        import(builder, "f", &[], Some(float));
        import(builder, "f", &[float], Some(float));
    });
}

#[test]
fn calls_fit_the_import() {
    breaks("the arguments are not those of `f`", |builder| {
        let float = builder.scalar(Scalar::F32);
        let f = import(builder, "f", &[float], Some(float));
        let one = builder.constant(Scalar::I32, 1);
        call(builder, Scalar::F32, f, &[one]);
    });
    breaks("the result is not that of `f`", |builder| {
        let float = builder.scalar(Scalar::F32);
        let f = import(builder, "f", &[], Some(float));
        call(builder, Scalar::I32, f, &[]);
    });
    breaks("the result is not that of `f`", |builder| {
        let f = import(builder, "f", &[], None);
        call(builder, Scalar::F32, f, &[]);
    });
    breaks("but `f` returns nothing", |builder| {
        let f = import(builder, "f", &[], None);
        let nothing = call(builder, Scalar::U32, f, &[]);
        builder.cast(nothing, Scalar::U64);
    });
}
