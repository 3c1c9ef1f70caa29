//! A reference is no access: memory that a kernel only refers to, or changes in another way, is not loaded.

use kernel_compiler::analysis::{Analysis, discharge, keep_fault_exits};
use kernel_compiler::chain::{Link, Resolved};
use kernel_compiler::emit::emit;
use kernel_compiler::infer::{self, Program, Source};
use kernel_compiler::ir::Attributes;
use kernel_compiler::lower;
use kernel_compiler::names::{self, Dependencies};
use rspirv::dr::{Instruction, Module, Operand, load_words};
use rspirv::spirv::{Op, StorageClass};
use std::rc::Rc;
use syn::ItemFn;

/// The SPIR-V of a kernel that names nothing but what comes with the runtime.
fn compiled(source: &str) -> Module {
    let item: ItemFn = syn::parse_str(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    let mut resolved = Resolved::default();
    for path in Dependencies::of_function(&item, [], [], &[]).paths() {
        let name = path.segments.last().expect("a path has a segment").ident.to_string();
        resolved.links.insert(names::key(path), Link::Builtin(name));
    }
    let program = Program::new(&resolved);
    let kernel = Source::kernel(Rc::new(item), Rc::new(resolved.links.clone()));
    let module = infer::signature(&program, &kernel)
        .and_then(|signature| infer::function(&program, &kernel, &signature, &[]))
        .and_then(|function| lower::module(&program, &function, Attributes::default()));
    let mut module = module.unwrap_or_else(|errors| panic!("{source}\nis refused: {errors:?}"));
    assert_eq!(module.verify(), Ok(()));
    keep_fault_exits(&mut module);
    let analysis = Analysis::of(&module);
    discharge(&mut module, &analysis);
    assert_eq!(module.verify(), Ok(()));
    load_words(&emit(&module).words).expect("the words are SPIR-V")
}

/// The plain loads of memory that work-items share, apart from the fault record.
fn shared_loads(module: &Module) -> usize {
    let all: Vec<&Instruction> = module.all_inst_iter().collect();
    let defined = |id| all.iter().copied().find(|instruction| instruction.result_id == Some(id));
    let class = |pointer| {
        let ty = defined(pointer).and_then(|pointer| pointer.result_type).and_then(defined);
        match ty.map(|ty| &ty.operands[0]) {
            Some(Operand::StorageClass(class)) => Some(*class),
            _ => None,
        }
    };
    let loads = all.iter().filter(|instruction| instruction.class.opcode == Op::Load);
    let shared = [Some(StorageClass::CrossWorkgroup), Some(StorageClass::Workgroup)];
    loads.filter(|load| shared.contains(&class(load.operands[0].unwrap_id_ref()))).count()
}

fn check(parameters: &str, bodies: &[&str]) {
    for body in bodies {
        for rest in ["", "barrier();"] {
            let source = format!("fn k({parameters}) {{ let i = global_id(0); {body} {rest} }}");
            assert_eq!(shared_loads(&compiled(&source)), 0, "{source}");
        }
    }
}

/// The ways to come to one of the atomics of a slice `a`.
fn ways(access: &str) -> Vec<String> {
    [
        "let c = &a[i]; ACCESS",
        "let c = &&a[i]; ACCESS",
        "let ref c = a[i]; ACCESS",
        "let (c, _) = (&a[i], &a[i + 1]); ACCESS",
        "let part = &a[1..]; let c = &part[i]; ACCESS",
        "for k in 0..a.len() { let c = &a[k]; ACCESS }",
        "let mut k = i; while k < 1000 { let c = &a[k]; ACCESS k = k * 3 + 1; }",
        "for c in a { ACCESS }",
        "for c in a.iter().rev() { ACCESS }",
        "for (_, c) in a.iter().enumerate().skip(1) { ACCESS }",
        "a.iter().for_each(|c| { ACCESS });",
        "if let Some(c) = a.get(i) { ACCESS }",
        "let Some(c) = a.first() else { return }; ACCESS",
        "if let [c, ..] = a { ACCESS }",
        "if let [.., ref c] = *a { ACCESS }",
        "match &a[i] { c => { ACCESS } }",
        "let by = |k: usize| { let c = &a[k]; ACCESS }; by(i); by(i + 1);",
        "let unused = &a[i];",
        "let _ = &a[i];",
    ]
    .map(|way| way.replace("ACCESS", access))
    .to_vec()
}

#[test]
fn atomics_are_not_loaded_by_the_way() {
    let types = ["u8", "i16", "u16", "u32", "i32", "u64", "i64", "f32", "f64", "bool", "f16"];
    for ty in types {
        let atomic = format!("Atomic{}{}", ty[..1].to_uppercase(), &ty[1..]);
        let value = match ty {
            "bool" => "true".to_owned(),
            "f16" => "f16::ZERO".to_owned(),
            "f32" | "f64" => "1.0".to_owned(),
            _ => "1".to_owned(),
        };
        for access in [
            format!("c.store({value}, Ordering::Relaxed);"),
            format!("let old = c.swap({value}, Ordering::AcqRel);"),
            "let now = c.load(Ordering::Relaxed);".to_owned(),
        ] {
            let ways = ways(&access);
            let bodies: Vec<_> = ways.iter().map(String::as_str).collect();
            check(&format!("a: &[{atomic}]"), &bodies);
        }
    }
}

#[test]
fn atomics_in_local_memory_are_not_loaded_by_the_way() {
    for atomic in ["AtomicU32", "AtomicF32", "AtomicU8", "AtomicU64"] {
        let value = if atomic == "AtomicF32" { "1.0" } else { "1" };
        let access = format!("c.store({value}, Ordering::Relaxed);");
        let bodies = [
            "let c = &a[i]; ACCESS",
            "for k in 0..16 { let c = &a[k]; ACCESS }",
            "for c in a.iter() { ACCESS }",
            "if let Some(c) = a.get(i) { ACCESS }",
        ];
        for body in bodies {
            let body = body.replace("ACCESS", &access);
            let source = format!(
                "fn k(r: &mut [u32]) {{ let a = Local::<[{atomic}; 16]>::new(); let i = local_id(0); {body} }}"
            );
            assert_eq!(shared_loads(&compiled(&source)), 0, "{source}");
        }
    }
}

#[test]
fn what_is_only_referred_to_is_not_loaded() {
    check(
        "x: &[f32], y: &mut [[f32; 4]]",
        &[
            "let r = &x[i]; let _ = &y[i][3];",
            "let r = &mut y[i]; r[2] = 1.0;",
            "let r = &mut y[i][2]; *r = 1.0;",
            "let part = &mut y[i][1..]; part[0] = 1.0;",
            "let [first, ..] = &mut y[i]; *first = 2.0;",
            "match y[i] { [ref mut a, _, ref b, _] => *a = 1.0 }",
            "match x[i] { _ => {} }",
            "for row in y.iter_mut() { row[1] = 0.0; }",
            "if let Some(row) = y.get_mut(i) { row[0] = 1.0; }",
            "let n = y[i].len(); let r = &mut y[n][0]; *r = 1.0;",
        ],
    );
}
