//! What users are told about code that is not in the language, and what is.
//!
//! Each file in `tests/ui` breaks one rule and is named after it; the `.stderr` beside it is what rustc prints, which includes that every
//! error is reported once and at the user's own token. The files in `tests/ui/pass` compile and run. The expected
//! output changes only with `TRYBUILD=overwrite`.

use kernel_compiler::diagnostics::Code;
use std::fs;
use std::path::Path;

#[test]
fn errors() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}

#[test]
fn accepted() {
    trybuild::TestCases::new().pass("tests/ui/pass/*.rs");
}

/// A rule without a case could lose its message unnoticed.
#[test]
fn every_code_has_a_case() {
    let expected: String = outputs().into_iter().map(|(_, text)| text).collect();
    let missing: Vec<_> =
        Code::ALL.iter().filter(|code| !expected.contains(&format!("[{}]", code.name()))).collect();
    assert!(missing.is_empty(), "no case in tests/ui is about {missing:?}");
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

/// The cases in which the attribute itself is the mistake.
const ABOUT_THE_ATTRIBUTE: [&str; 3] =
    ["device_and_kernel.stderr", "kernel_and_device.stderr", "kernel_twice.stderr"];

/// The names and contents of the expected outputs.
fn outputs() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let files = fs::read_dir(folder).expect("the cases are there").map(|entry| entry.expect("a file").path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "stderr"))
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("the expected output is text"))
        })
        .collect()
}
