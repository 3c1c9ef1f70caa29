//! Runs the programs of `tests/ui/pass`, which are built as any user's program is: what the macros accept compiles without a warning that the
//! program denies, and does what its `main` asserts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// One test for each program, and the names of all.
macro_rules! programs {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                run(env!(concat!("CARGO_BIN_EXE_", stringify!($name))));
            }
        )*

        const PROGRAMS: &[&str] = &[$(stringify!($name)),*];
    };
}

programs! {
    attributes
    distinct
    exports_anywhere
    generic_kernel
    identifiers
    included_items
    language
    lints
    names
    other_crate
}

/// Runs a program, which must succeed.
fn run(program: &str) {
    let output = Command::new(program).output().expect("the program has been built");
    let printed = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}\n{}", output.status, String::from_utf8_lossy(&printed));
}

#[test]
fn every_file_is_a_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/pass");
    let paths =
        fs::read_dir(folder).expect("the programs are there").map(|entry| entry.expect("a file").path());
    let sources = paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let files: BTreeSet<String> =
        sources.map(|path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned()).collect();
    assert_eq!(files, PROGRAMS.iter().map(|&name| name.to_owned()).collect());
}
