//! The front end on functions given as text: what it makes of them, and what it refuses.

mod advice;

use kernel_compiler::chain::{Link, Resolved};
use kernel_compiler::diagnostics::{Diagnostic, Diagnostics, Reporter};
use kernel_compiler::infer::{self, Program, Source};
use kernel_compiler::ir::{Attributes, Module};
use kernel_compiler::lower;
use std::rc::Rc;
use syn::ItemFn;

/// The intermediate representation of a kernel in which the intrinsics are imported.
fn compile(source: &str) -> Result<String, Diagnostics> {
    let item = syn::parse_str(source).unwrap_or_else(|error| panic!("{source}\nis not a function: {error}"));
    let mut resolved = Resolved::default();
    for name in ["global_id", "local_id", "local_size", "barrier", "Local"] {
        resolved.links.insert(name.to_owned(), Link::Builtin(name.to_owned()));
    }
    lowered(item, &resolved).map(|module| module.to_string())
}

/// The intermediate representation of a kernel, whose names lead to what is resolved.
fn lowered(item: ItemFn, resolved: &Resolved) -> Result<Module, Diagnostics> {
    let program = Program::new(resolved);
    let source = Source::kernel(Rc::new(item), Rc::new(resolved.links.clone()));
    let signature = infer::signature(&program, &source)?;
    let function = infer::function(&program, &source, &signature, &[])?;
    lower::module(&program, &function, Attributes::default())
}

/// A kernel whose body starts with `statements`, on three slices.
fn kernel(statements: &str) -> String {
    format!("fn k(x: &[f32], y: &mut [f32], n: &mut [u32]) {{ {statements} }}")
}

/// Checks that the representation has these lines, in this order, others between them.
fn check(statements: &str, expected: &[&str]) {
    let source = kernel(statements);
    let text = compile(&source).unwrap_or_else(|errors| panic!("{source}\n{errors:?}"));
    let mut rest = text.as_str();
    for line in expected {
        let Some(at) = rest.find(line) else { panic!("{source}\nhas no `{line}` where it should:\n{text}") };
        rest = &rest[at + line.len()..];
    }
}

/// Checks that exactly these errors are found: the code, `~` if rustc is to report it or `?` if it may, and the tokens.
fn refuse(statements: &str, expected: &[&str]) {
    let source = kernel(statements);
    let Err(errors) = compile(&source) else { panic!("{source}\nis accepted") };
    let found: Vec<String> = errors.iter().map(|error| describe(&source, error)).collect();
    assert_eq!(found, expected, "{source}");
}

fn describe(source: &str, error: &Diagnostic) -> String {
    let reporter = match error.reporter {
        Reporter::Compiler => "",
        Reporter::RustcIfItAgrees => "?",
        Reporter::Rustc => "~",
    };
    let (start, end) = (error.span.0.start().column, error.span.1.end().column);
    let tokens: String = source.chars().skip(start).take(end - start).collect();
    format!("{}{reporter} {tokens}", error.code.name())
}

#[test]
fn types_are_inferred_from_later_uses() {
    check("let mut i = 0; i += 1; n[0] = i;", &["u32"]);
    check("let a = 1.5; let b = a; y[0] = b;", &["f32"]);
    check("let v; v = 7; y[v] = 1.0;", &["usize"]);
    check("let a = [0; 3]; n[0] = a[1];", &["[u32; 3]"]);
}

#[test]
fn constants_mean_what_they_mean_where_they_are_defined() {
    check("const A: u32 = B; const B: u32 = 7; { const B: u32 = 9; n[0] = A + B; }", &["16"]);
    check("const A: u32 = (1 << 3) / 2 - 1; n[0] = A;", &["3"]);
}

#[test]
fn constants_are_evaluated_once() {
    let chain: String = (0..60).map(|i| format!("const C{i}: u32 = C{0} / 2 + C{0} / 2;", i + 1)).collect();
    check(&format!("{chain} const C60: u32 = 8; n[0] = C0;"), &["8"]);
}

#[test]
fn what_rustc_reports_is_left_to_it() {
    refuse("y[0] = 1;", &["K0001? 1"]);
    refuse("let v: u32 = x[0];", &["K0001? x[0]"]);
    refuse("break;", &["K0001~ break"]);
    refuse("'a: loop { break 'b; }", &["K0001~ break 'b"]);
    refuse("let v = x[0].sqroot();", &["K0011? sqroot"]);
    refuse("const N: usize = x;", &["K0001~ x"]);
    refuse("const N: u32 = 1.0;", &["K0001~ 1.0"]);
}

#[test]
fn what_the_language_lacks_is_refused_where_it_stands() {
    refuse("let v = Pair { a: 1, b: 2 };", &["K0006? Pair"]);
    refuse("let [a, b]; [a, b] = [1, 2];", &["K0009 [a, b]"]);
    refuse("let v = if n[0] == 0 { [1, 2].into_iter() } else { [3, 4].into_iter() };", &["K0018 if"]);
    refuse("let over = x[0].abs_sub(1.0);", &["K0011 abs_sub"]);
    refuse("n[0] = core::iter::from_fn(|| Some(1)).len() as u32;", &["K0011 len"]);
    refuse("assert!(true, concat!(1));", &["K0010 concat!(1)"]);
    refuse("let c = c\"c\";", &["K0020 c\"c\""]);
    refuse("let v = Vec::new(); v.push(1);", &["K0012 Vec::new"]);
}

#[test]
fn all_errors_are_found_at_once_and_each_once() {
    refuse(
        "let a = c\"a\"; let b = a; let c = (b, async { 1 }); y[0] = c.0 + 1;",
        &["K0020 c\"a\"", "K0007 async { 1 }"],
    );
    refuse("const A: u32 = 1 / 0; n[0] = A + A;", &["K0001~ 1 / 0"]);
    let sum = vec!["x[0]"; 1000].join(" + ");
    let source = kernel(&format!("y[0] = {sum};"));
    assert_eq!(compile(&source).expect_err("it is too deep").iter().count(), 1);
}

/// The body of a loop over a chain is there twice.
#[test]
fn loops_over_chains_cannot_grow_without_bound() {
    let nested =
        (0..22).fold("y[0] += 1.0;".to_owned(), |body, _| format!("for v in x.iter().chain(x) {{ {body} }}"));
    let errors = compile(&kernel(&nested)).expect_err("it is too large");
    let codes: Vec<_> = errors.iter().map(|error| error.code.name()).collect();
    assert_eq!(codes, ["K0023"]);
}

#[test]
fn tuples_and_references_leave_no_trace() {
    // A tuple is a variable for each element, an array of tuples an array for each, a reference what it refers to.
    check("let mut p = (1_u32, 2.0); p.0 += 1; p.1 = x[0]; n[0] = p.0; y[0] = p.1;", &["p: u32", "p: f32"]);
    check("let mut a = [(0_u32, 0.0); 4]; a[1] = (1, x[0]); y[0] = a[1].1;", &["a: [u32; 4]", "a: [f32; 4]"]);
    check("let mut a = 1_u32; let r = &mut a; *r += 1; n[0] = a;", &["a: u32"]);
}

#[test]
fn patterns_bind_what_they_match() {
    check("let [a, .., b] = [1_u32, 2, 3]; n[0] = a + b;", &["[0_usize]", "[2_usize]"]);
    check("if let [a, ..] = x && *a > 0.0 { y[0] = *a; }", &[">= 1_usize", "break", "> 0.0_f32", "break"]);
    check("let [a] = x else { return; }; y[0] = *a;", &["== 1_usize", "return", "load %x[0_usize]"]);
    check("[n[0], n[1]] = [n[1], n[0]];", &["store %n[0_usize", "store %n[1_usize"]);
    check("n[0] = matches!(n[0], 1 | 2) as u32;", &["== 1_u32", "== 2_u32", "|", "cast"]);
}

#[test]
fn dimensions_are_constants_from_0_to_2() {
    check("y[global_id(2 - 1)] = 1.0;", &["query global_id 1"]);
    refuse("y[global_id(3)] = 1.0;", &["K0014 3"]);
    refuse("let d = 1; y[global_id(d)] = 1.0;", &["K0016 d"]);
    refuse("y[global_id(0.0)] = 1.0;", &["K0001? 0.0"]);
}

#[test]
fn local_memory_has_one_name_and_one_place() {
    check("let mut t = Local::<[f32; 4]>::new(); t[0] = x[0];", &["local @0 t: [f32; 4]"]);
    refuse("if true { let t = Local::<f32>::new(); }", &["K0015 Local::<f32>::new()"]);
    refuse("let t = Local::<f32>::new(); let u = t;", &["K0018 t"]);
}
