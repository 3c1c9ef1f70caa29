//! Checks that `docs/environment.md`, the table of the Level Zero SPIR-V environment, is complete and true: that nothing of the guide is
//! left out, that what a row names is there, and that nothing which the compiler knows has no row.

#[path = "environment/page.rs"]
mod page;

use kernel_compiler::diagnostics::Code;
use kernel_compiler::environment::{self, Rule};
use page::{Row, page, sections};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The section of what the guide does not have.
const BEYOND: &str = "Beyond the guide";

#[test]
fn each_item_of_the_guide_has_its_row() {
    let guide = include_str!("environment/guide.txt");
    let lines = guide.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut expected = Vec::new();
    let mut section = "";
    for line in lines {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(name) => section = name,
            None => expected.push((section.to_owned(), line.to_owned())),
        }
    }
    let rows = page().into_iter().filter(|row| row.section != BEYOND);
    let found: Vec<(String, String)> = rows.map(|row| (row.section, row.item)).collect();
    let missing: Vec<_> = expected.iter().filter(|item| !found.contains(item)).collect();
    assert!(missing.is_empty(), "docs/environment.md has no row for {missing:?}");
    assert_eq!(found, expected, "a row is there twice, is not of the guide, or is not in its order");
}

#[test]
fn each_row_says_what_checks_it_and_is_tested() {
    for row in page() {
        let Row { section, item, .. } = &row;
        let place = format!("{section}, {item}");
        assert!(!row.meaning.is_empty() && !row.rust.is_empty(), "{place}: a column is empty");
        let reason = row.checks.split_once("nothing to check: ").map_or("", |(_, reason)| reason);
        let checks = row.check_names();
        assert!(
            !checks.is_empty() || !reason.is_empty(),
            "{place}: says neither a check nor why there is none"
        );
        for check in checks {
            assert!(check_exists(check), "{place}: there is no check `{check}`");
        }
        let is_untested = row.rust == "not yet" && row.check_names().is_empty();
        assert!(!row.tests().is_empty() || is_untested, "{place}: names no test");
        for (name, path) in row.tests() {
            test_exists(name, &path).unwrap_or_else(|error| panic!("{place}: {name}: {error}"));
        }
    }
}

/// Whether a check of the page is one of the compiler, of rustc, of the runtime, or of the CPU driver.
fn check_exists(name: &str) -> bool {
    if name == "rustc" || Rule::ALL.iter().any(|rule| rule.code() == name) {
        return true;
    }
    match name.split_once("::") {
        Some((what @ ("Feature" | "BuildProblem"), variant)) => {
            has_variant("kernel-runtime/src/error/build.rs", what, variant)
        }
        Some((what @ "LaunchProblem", variant)) => {
            has_variant("kernel-runtime/src/error/launch.rs", what, variant)
        }
        Some((what @ ("LinkProblem" | "LibraryProblem"), variant)) => {
            has_variant("kernel-runtime/src/error/link.rs", what, variant)
        }
        Some((what @ "BufferProblem", variant)) => {
            has_variant("kernel-runtime/src/error/buffer.rs", what, variant)
        }
        Some((what @ "ImageProblem", variant)) => {
            has_variant("kernel-runtime/src/error/image.rs", what, variant)
        }
        Some((what @ "Problem", variant)) => has_variant("kernel-cpu/src/load/error.rs", what, variant),
        _ => Code::ALL.iter().any(|code| code.name() == name),
    }
}

/// Whether an enum in a file has a variant.
fn has_variant(file: &str, name: &str, variant: &str) -> bool {
    let source = read(file);
    let body = source.split(&format!("enum {name} {{\n")).nth(1).and_then(|rest| rest.split("\n}").next());
    let starts = |line: &str| line.strip_prefix("    ").is_some_and(|line| page::name(line) == variant);
    body.unwrap_or_else(|| panic!("{file} has no enum {name}")).lines().any(starts)
}

/// Checks that a test of the page is there.
fn test_exists(name: &str, path: &Path) -> Result<(), String> {
    let file = path.to_str().unwrap_or_default();
    let source = fs::read_to_string(root().join(path)).map_err(|error| format!("{file}: {error}"))?;
    let is_there = if file.starts_with("tests/kernels/") {
        read("tests/kernels/mod.rs").contains(&format!("\npub mod {name};"))
    } else if file.starts_with("tests/ui/") {
        read(&file.replace(".rs", ".stderr")).contains("error")
    } else {
        source.contains(&format!("#[test]\n    fn {name}()"))
            || source.contains(&format!("#[test]\nfn {name}()"))
    };
    let is_construct = file.starts_with("tests/kernels/") || file.starts_with("tests/ui/");
    let is_named = path.file_stem().is_some_and(|stem| stem == name) || !is_construct;
    if is_there && is_named { Ok(()) } else { Err(format!("{file} has no such test")) }
}

#[test]
fn each_rule_has_a_row_and_a_module_that_breaks_it() {
    let rows = page();
    let tests = read("kernel-compiler/tests/emit/environment.rs");
    for rule in Rule::ALL {
        let code = rule.code();
        let of_rule = || rows.iter().filter(|row| row.check_names().contains(&code));
        assert!(of_rule().next().is_some(), "no row of docs/environment.md has {code}");
        let is_cited = |row: &Row| row.section == BEYOND && row.meaning.starts_with(rule.section());
        let is_known = sections().contains(rule.section()) || of_rule().any(is_cited);
        assert!(is_known, "{code}: neither the guide nor a row beyond it has a section {}", rule.section());
        assert!(tests.contains(&format!("breaks(Rule::{rule:?},")), "no module breaks {code}");
    }
}

#[test]
fn each_capability_and_extension_has_a_row() {
    let items: BTreeSet<String> = page().into_iter().map(|row| row.item).collect();
    let capabilities = environment::capabilities().map(|(_, name)| name);
    for name in capabilities.chain(environment::extensions().map(str::to_owned)) {
        assert!(items.contains(&name), "docs/environment.md has no row for {name}");
    }
}

/// An error that breaks a rule of the guide says which.
#[test]
fn errors_cite_the_section() {
    for row in page().into_iter().filter(|row| row.section != BEYOND) {
        for (name, path) in row.tests().into_iter().filter(|(_, path)| path.starts_with("tests/ui")) {
            let output = read(path.with_extension("stderr").to_str().unwrap_or_default());
            // What rustc says of types cannot be added to everywhere.
            let is_ours = row.check_names().iter().any(|check| output.contains(&format!("[{check}]")));
            let citation = format!("Level Zero SPIR-V environment, {}:", row.section);
            assert!(!is_ours || output.contains(&citation), "{name} does not say \"{citation}\"");
        }
    }
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}
