//! Every method of a scalar and every function of `math` is called in a kernel of `tests/kernels`, and those of floats have their errors
//! in `docs/precision.md`.

use kernel_compiler::methods;
use kernel_core::Scalar;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn every_method_is_called_in_a_kernel() {
    let source = kernels(&Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels"));
    let methods = Scalar::ALL.into_iter().flat_map(methods::of).chain(methods::functions());
    let missing: Vec<_> = methods
        .map(|method| method.name)
        .filter(|name| !source.contains(&format!(".{name}(")) && !source.contains(&format!("::{name}(")))
        .collect();
    assert!(missing.is_empty(), "no kernel calls {missing:?}");
}

#[test]
fn every_method_of_floats_has_its_errors_in_the_table() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/precision.md");
    let document = fs::read_to_string(document).expect("the table is there");
    for (title, scalar) in [("f16", Scalar::F16), ("f32", Scalar::F32), ("f64", Scalar::F64)] {
        let functions = methods::functions().filter(|function| function.receiver.contains(scalar));
        let methods = methods::of(scalar).map(|method| method.name.to_owned());
        let known: BTreeSet<_> =
            methods.chain(functions.map(|function| format!("math::{}", function.name))).collect();
        let measured = rows(&document, title);
        let missing: Vec<_> = known.difference(&measured).collect();
        let unknown: Vec<_> = measured.difference(&known).collect();
        assert!(missing.is_empty(), "`cargo xtask precision` does not measure {missing:?} of {title}");
        assert!(
            unknown.is_empty(),
            "docs/precision.md has {unknown:?} of {title}, which are not in the language"
        );
    }
}

/// What the rows of a section are about.
fn rows(document: &str, title: &str) -> BTreeSet<String> {
    let sections = document.split("\n## ");
    let section = sections.into_iter().find(|section| section.starts_with(&format!("`{title}`")));
    let lines = section.expect("each type has a section").lines();
    lines.filter_map(|line| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned())).collect()
}

/// The text of all sources in a folder and those in it.
fn kernels(folder: &Path) -> String {
    let entries =
        fs::read_dir(folder).expect("the kernels are there").map(|entry| entry.expect("a file").path());
    let read = |path: std::path::PathBuf| match path.is_dir() {
        true => kernels(&path),
        // Beside them are modules that kernels are linked with.
        false if path.extension().is_none_or(|extension| extension != "rs") => String::new(),
        false => fs::read_to_string(&path).expect("a source is text"),
    };
    entries.map(read).collect()
}
