//! Functions for other modules: what they are in SPIR-V, and what breaks the rules for them.

use crate::builder::{Builder, breaks, variable};
use kernel_compiler::emit::emit;
use kernel_compiler::ir::{End, Export, Import, Op as IrOp};
use kernel_core::{FaultKind, Scalar};
use proc_macro2::Span;
use rspirv::dr::{Module, Operand, load_words};
use rspirv::spirv::{Decoration, LinkageType, Op};

/// `f(x: i16, y: bool) -> i16`, which returns `x` where `y` is true, and else what is in its variable.
fn export() -> Builder {
    let mut builder = Builder::kernel("f");
    let [x, y] = [("x", Scalar::I16), ("y", Scalar::Bool)]
        .map(|(name, scalar)| builder.scalar_parameter(name, scalar));
    let short = builder.scalar(Scalar::I16);
    let result = builder.variable("result", short);
    builder.module.export = Some(Export { result: Some(result) });
    let zero = builder.constant(Scalar::I16, 0);
    builder.store(variable(result), zero);
    builder.when(y, |builder| {
        builder.store(variable(result), x);
        End::Return
    });
    builder
}

fn load(builder: Builder) -> Module {
    load_words(&emit(&builder.finish()).words).expect("the words are SPIR-V")
}

#[test]
fn exports_return_what_their_variable_holds() {
    let module = load(export());
    assert!(module.entry_points.is_empty() && module.execution_modes.is_empty());
    let [function] = &module.functions[..] else { panic!("there is one function") };
    let id = function.def_id().expect("a function has an id");
    let linkage = [
        Operand::IdRef(id),
        Operand::Decoration(Decoration::LinkageAttributes),
        Operand::LiteralString("f".to_owned()),
        Operand::LinkageType(LinkageType::Export),
    ];
    assert!(module.annotations.iter().any(|decoration| decoration.operands == linkage));
    let returned: Vec<_> =
        function.all_inst_iter().filter(|instruction| instruction.class.opcode == Op::ReturnValue).collect();
    assert_eq!(returned.len(), 2, "where it is left early too");
    // A `bool` is one, not a byte as from the host; both are extended as C does it, and so is the result.
    let types: Vec<_> = function
        .parameters
        .iter()
        .map(|parameter| {
            let ty = module.types_global_values.iter().find(|ty| ty.result_id == parameter.result_type);
            ty.expect("the type is declared").class.opcode
        })
        .collect();
    assert_eq!(types, [Op::TypeInt, Op::TypeBool]);
    let extended = |decoration: &&rspirv::dr::Instruction| {
        decoration.operands.get(1) == Some(&Operand::Decoration(Decoration::FuncParamAttr))
    };
    assert_eq!(module.annotations.iter().filter(extended).count(), 3);
}

#[test]
fn exports_without_a_result_return_nothing() {
    let mut builder = Builder::kernel("f");
    builder.module.export = Some(Export { result: None });
    let spirv = emit(&builder.finish());
    assert_eq!(spirv.requirements.capabilities, ["Addresses", "Kernel", "Linkage"]);
    let module = load_words(&spirv.words).expect("the words are SPIR-V");
    let has = |op| module.all_inst_iter().any(|instruction| instruction.class.opcode == op);
    assert!(has(Op::TypeVoid) && has(Op::Return) && !has(Op::ReturnValue));
}

#[test]
fn exports_read_as_they_are() {
    let text = export().finish().to_string();
    assert!(text.contains("export f(%x: i16, %y: bool) -> $0 {"), "{text}");
}

#[test]
fn exports_have_nothing_that_only_kernels_have() {
    let broken = |what: &str, change: fn(&mut Builder)| {
        breaks(what, |builder| {
            builder.module.export = Some(Export { result: None });
            change(builder);
        });
    };
    broken("it takes or returns a Slice", |builder| {
        builder.slice("x", Scalar::F32, true);
    });
    broken("it takes or returns a Struct", |builder| {
        let float = builder.scalar(Scalar::F32);
        let pair = builder.structure("Pair", &[("x", float)]);
        let result = builder.variable("result", pair);
        builder.module.export = Some(Export { result: Some(result) });
    });
    broken("has 1 sites", |builder| {
        builder.site(FaultKind::Panic);
    });
    broken("has 1 variables in local memory", |builder| {
        let ty = builder.scalar(Scalar::F32);
        builder.local("x", ty);
    });
    broken("work-items meet", Builder::barrier);
    broken("what is exported is imported too", |builder| {
        let name = builder.module.name.clone();
        builder.module.imports.push(Import {
            name,
            parameters: Vec::new(),
            result: None,
            span: Span::call_site(),
        });
    });
}

/// Each work-item has arguments of its own, in a launch of which nothing is known.
#[test]
fn exports_presume_nothing() {
    use kernel_compiler::analysis::{Analysis, Uniformity};
    let of = |export: Option<Export>| {
        let mut builder = Builder::kernel("f");
        builder.module.export = export;
        let x = builder.scalar_parameter("x", Scalar::Usize);
        let y = builder.cast(x, Scalar::U32);
        let i = builder.global_id();
        let module = builder.finish();
        let analysis = Analysis::of(&module);
        let IrOp::Query(..) = module.values[i].op else { panic!("it asks for an id") };
        (analysis.uniformity(y), analysis.range(i).is_some_and(|range| range.max < 1 << 32))
    };
    assert_eq!(of(None), (Uniformity::Launch, true));
    assert_eq!(of(Some(Export { result: None })), (Uniformity::Varying, false));
}
