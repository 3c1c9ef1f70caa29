//! What device code has of `core`: each method that is stable has a row, with a line of a kernel that calls it. The line compiles if the row
//! says that the method is there, and otherwise the compiler says that it is not. Where rustc's documentation is installed, the rows are compared
//! with it; and docs/library.md is written of them.

mod core_pages;

use kernel_compiler::chain::{Link, Resolved};
use kernel_compiler::diagnostics::{Code, Diagnostics};
use kernel_compiler::infer::{self, Program, Source};
use kernel_compiler::ir::Attributes;
use kernel_compiler::lower;
use kernel_compiler::methods::{self, Kind, Method};
use kernel_core::Scalar;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::rc::Rc;

/// What a row says of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
}

/// A method, and the statements of a kernel that call it.
struct Row {
    name: String,
    answer: Answer,
    statements: String,
}

/// A type of `core` with its page in the documentation and its rows.
struct Section {
    title: &'static str,
    page: &'static str,
    rows: Vec<Row>,
}

/// The rows of a file: `name | yes or no | statements`.
fn rows(text: &str) -> Vec<Row> {
    let row = |line: &str| {
        let mut parts = line.splitn(3, " | ");
        let mut part = || parts.next().unwrap_or_else(|| panic!("`{line}` has three parts")).to_owned();
        let (name, answer, statements) = (part(), part(), part());
        let answer = match answer.as_str() {
            "yes" => Answer::Yes,
            "no" => Answer::No,
            other => panic!("`{other}` is no answer"),
        };
        Row { name, answer, statements }
    };
    text.lines().map(row).collect()
}

macro_rules! written {
    ($title:literal, $page:literal, $file:literal) => {
        Section { title: $title, page: $page, rows: rows(include_str!($file)) }
    };
}

fn sections() -> Vec<Section> {
    let mut all = vec![
        written!("slices", "core/primitive.slice.html", "slice.txt"),
        written!("arrays", "core/primitive.array.html", "array.txt"),
        written!("`Option`", "core/option/enum.Option.html", "option.txt"),
        written!("`Result`", "core/result/enum.Result.html", "result.txt"),
        written!("`Iterator`", "core/iter/trait.Iterator.html", "iterator.txt"),
        written!(
            "`DoubleEndedIterator`",
            "core/iter/trait.DoubleEndedIterator.html",
            "double_ended_iterator.txt"
        ),
        written!("`Peekable`", "core/iter/struct.Peekable.html", "peekable.txt"),
        written!("`Ordering`", "core/cmp/enum.Ordering.html", "ordering.txt"),
        written!("`bool`", "core/primitive.bool.html", "bool.txt"),
        written!("`char`", "core/primitive.char.html", "char.txt"),
    ];
    let of_numbers = [
        ("`i32`, and the other signed integers", "core/primitive.i32.html", Scalar::I32, "i32.txt"),
        ("`u32`, and the other unsigned integers", "core/primitive.u32.html", Scalar::U32, "u32.txt"),
        ("`u8`", "core/primitive.u8.html", Scalar::U8, "u8.txt"),
        ("`f32` and `f64`", "std/primitive.f32.html", Scalar::F32, "f32.txt"),
    ];
    for (title, page, scalar, file) in of_numbers {
        let path = folder().join(file);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let rows = text.lines().map(|line| number_row(scalar, line)).collect();
        all.push(Section { title, page, rows });
    }
    all
}

/// The row of a method of a number: the line has its name alone if a table has it, from which the call is made.
fn number_row(scalar: Scalar, line: &str) -> Row {
    if line.contains(" | ") {
        return rows(line).remove(0);
    }
    let method =
        methods::find(scalar, line).unwrap_or_else(|| panic!("`{line}` of `{scalar}` is in a table"));
    Row { name: line.to_owned(), answer: Answer::Yes, statements: call(scalar, method) }
}

/// A call of a method of a number.
fn call(scalar: Scalar, method: &Method) -> String {
    let value = |kind: &Kind| match kind.of(scalar) {
        Scalar::Bool => "true".to_owned(),
        other if other.is_float() => format!("3.0_{other}"),
        other => format!("3_{other}"),
    };
    let mut arguments: Vec<_> = method.arguments.iter().map(value).collect();
    if !method.is_associated {
        arguments.insert(0, value(&Kind::Same));
    }
    format!("let v = unsafe {{ {scalar}::{}({}) }};", method.name, arguments.join(", "))
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library")
}

/// Returns whether a kernel with these statements compiles.
fn compile(statements: &str) -> Result<(), Diagnostics> {
    let text = format!("fn k(x: &[f32], y: &mut [f32], n: &mut [u32]) {{ {statements} }}");
    let item = syn::parse_str(&text).unwrap_or_else(|error| panic!("{text}\nis no function: {error}"));
    let mut resolved = Resolved::default();
    resolved.links.insert("global_id".to_owned(), Link::Builtin("global_id".to_owned()));
    let program = Program::new(&resolved);
    let source = Source::kernel(Rc::new(item), Rc::new(resolved.links.clone()));
    let signature = infer::signature(&program, &source)?;
    let function = infer::function(&program, &source, &signature, &[])?;
    lower::module(&program, &function, Attributes::default()).map(drop)
}

/// What is wrong with what a row says.
fn objection(row: &Row) -> Option<String> {
    let found = compile(&row.statements);
    let codes = |errors: &Diagnostics| errors.iter().map(|error| error.code).collect::<Vec<_>>();
    match (row.answer, &found) {
        (Answer::Yes, Ok(())) => None,
        (Answer::No, Err(errors)) if codes(errors).contains(&Code::UnknownMethod) => None,
        (Answer::Yes, Err(errors)) => Some(format!("`{}` does not compile: {errors:?}", row.statements)),
        (Answer::No, Ok(())) => Some(format!("`{}` compiles", row.statements)),
        (Answer::No, Err(errors)) => {
            Some(format!("`{}` is refused for something else: {errors:?}", row.statements))
        }
    }
}

#[test]
fn each_row_is_true() {
    let all = sections();
    let wrong: Vec<_> = all
        .iter()
        .flat_map(|section| &section.rows)
        .filter_map(|row| Some(format!("{}: {}", row.name, objection(row)?)))
        .collect();
    assert!(wrong.is_empty(), "{} rows are wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// A method that the documentation says is stable has a row, and no other has one.
#[test]
fn each_stable_method_has_a_row() {
    let Some(documentation) = core_pages::installed() else {
        println!(
            "rustc's documentation is not installed (`rustup component add rust-docs`): the rows are not compared with it"
        );
        return;
    };
    for section in sections() {
        let stable = core_pages::stable_methods(&documentation, section.page);
        let written: BTreeSet<String> = section.rows.iter().map(|row| row.name.clone()).collect();
        let missing: Vec<_> = stable.difference(&written).collect();
        let unknown: Vec<_> = written.difference(&stable).collect();
        assert!(missing.is_empty(), "{} has no row for {missing:?}", section.title);
        assert!(unknown.is_empty(), "{} has rows for {unknown:?}, which are not in core", section.title);
        assert_eq!(written.len(), section.rows.len(), "{} has a row twice", section.title);
    }
}

/// The page is what the rows say; `TRYBUILD=overwrite` writes it anew.
#[test]
fn the_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/library.md");
    let expected = page();
    if std::env::var_os("TRYBUILD").is_some_and(|mode| mode == "overwrite") {
        return fs::write(&path, expected).expect("the page can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "docs/library.md is not up to date: TRYBUILD=overwrite writes it");
}

fn page() -> String {
    let mut text = include_str!("head.md").to_owned();
    for section in sections() {
        let names = |answer| {
            let rows = section.rows.iter().filter(|row| row.answer == answer);
            rows.map(|row| format!("`{}`", row.name)).collect::<Vec<_>>()
        };
        let (there, absent) = (names(Answer::Yes), names(Answer::No));
        let title = section.title;
        let count = format!("{} of {}", there.len(), section.rows.len());
        write!(text, "\n## Methods of {title}: {count}\n\n{}\n", there.join(", ")).expect("it is a String");
        if !absent.is_empty() {
            write!(text, "\nNot in device code: {}\n", absent.join(", ")).expect("it is a String");
        }
    }
    text
}
