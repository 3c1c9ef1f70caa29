//! Holds that the cases of `tests/ui` and what is written about errors are complete, and fit to each other. What rustc prints for each case,
//! `tests/ui.rs` holds.

use kernel_compiler::diagnostics::Code;
use std::fs;
use std::path::Path;

/// A rule without a case could lose its message unnoticed.
#[test]
fn every_code_has_a_case() {
    let expected: String = outputs().into_iter().map(|(_, text)| text).collect();
    let missing: Vec<_> =
        Code::ALL.iter().filter(|code| !expected.contains(&format!("[{}]", code.name()))).collect();
    assert!(missing.is_empty(), "no case in tests/ui is about {missing:?}");
}

/// Each code has a page, which ends with a case and what rustc prints for it; `TRYBUILD=overwrite` writes that part anew.
#[test]
fn every_code_has_a_page() {
    for code in Code::ALL {
        let path = root().join("docs/errors").join(code.name()).with_extension("md");
        let page = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (text, rest) = page.split_once("**Example.**").expect("a page has an example");
        let case = rest.split('`').nth(1).expect("the example names its case");
        let expected = format!("{text}{}", example(case));
        for part in ["**What.**", "**Why.**", "**How to fix.**"] {
            assert!(text.contains(part), "{} has no {part}", path.display());
        }
        if std::env::var_os("TRYBUILD").is_some_and(|mode| mode == "overwrite") {
            fs::write(&path, expected).expect("the page can be written");
            continue;
        }
        assert!(
            expected.contains(&format!("[{}]", code.name())),
            "the example of {} is about it",
            code.name()
        );
        assert_eq!(page, expected, "{} is not up to date", path.display());
    }
}

/// The end of a page: a case with its output.
fn example(case: &str) -> String {
    let file = root().join(case);
    let source = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{case}: {error}"));
    let output = file.with_extension("stderr");
    let output = fs::read_to_string(&output).unwrap_or_else(|error| panic!("{}: {error}", output.display()));
    format!("**Example.** [`{case}`](../../{case})\n\n```rust\n{source}```\n\n```text\n{output}```\n")
}

/// An error at the attribute tells users nothing; only errors about the attribute's own arguments are there.
#[test]
fn no_error_is_at_the_attribute() {
    let attribute = |line: &str| {
        let code = line.split_once('|').map_or("", |(_, code)| code).trim();
        matches!(code, "#[kernel]" | "#[device]")
    };
    for (file, text) in outputs() {
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            let marked = attribute(pair[0]) && pair[1].contains('^');
            assert!(
                !marked || ABOUT_THE_ATTRIBUTE.contains(&&*file),
                "{file} expects an error at the attribute"
            );
        }
    }
}

/// One mistake is one error: where we report something, rustc does not.
#[test]
fn no_error_is_doubled_by_rustc() {
    for (file, text) in outputs() {
        let errors = text.split("\n\n").filter(|error| error.starts_with("error"));
        let places = errors.filter_map(|error| {
            let place = error.lines().find_map(|line| line.trim_start().strip_prefix("--> "))?;
            Some((error.contains("[K"), place))
        });
        let (ours, rustcs): (Vec<_>, Vec<_>) = places.partition(|(is_ours, _)| *is_ours);
        let place =
            ours.iter().map(|(_, place)| place).find(|ours| rustcs.iter().any(|(_, place)| place == *ours));
        assert!(place.is_none(), "{file} has two errors at {place:?}");
    }
}

/// The cases in which the attribute itself is the mistake.
const ABOUT_THE_ATTRIBUTE: [&str; 3] =
    ["device_and_kernel.stderr", "kernel_and_device.stderr", "kernel_twice.stderr"];

/// The names and contents of the expected outputs.
fn outputs() -> Vec<(String, String)> {
    let entries = fs::read_dir(root().join("tests/ui")).expect("the cases are there");
    entries
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "stderr"))
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("the expected output is text"))
        })
        .collect()
}

/// The root of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the workspace")
}
