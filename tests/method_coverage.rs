//! Every method of a scalar and every function of `math` is called in a kernel of `tests/kernels`.

use kernel_compiler::methods;
use kernel_core::Scalar;
use std::fs;
use std::path::Path;

#[test]
fn every_method_is_called_in_a_kernel() {
    let source = kernels(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels"));
    let methods = Scalar::ALL.into_iter().flat_map(methods::of).chain(methods::functions());
    let missing: Vec<_> = methods
        .map(|method| method.name)
        .filter(|name| !source.contains(&format!(".{name}(")) && !source.contains(&format!("::{name}(")))
        .collect();
    assert!(missing.is_empty(), "no kernel calls {missing:?}");
}

/// The text of all files in a folder and those in it.
fn kernels(folder: &Path) -> String {
    let entries =
        fs::read_dir(folder).expect("the kernels are there").map(|entry| entry.expect("a file").path());
    let read = |path: std::path::PathBuf| match path.is_dir() {
        true => kernels(&path),
        false => fs::read_to_string(&path).expect("a source is text"),
    };
    entries.map(read).collect()
}
