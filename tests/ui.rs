//! What users are told about code that is not in the language.
//!
//! Each file in `tests/ui` breaks one rule and is named after it; the `.stderr` beside it is what rustc prints, which includes that every
//! error is reported once and at the user's own token. The expected output changes only with `TRYBUILD=overwrite`.

#[test]
fn errors() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
