//! Lists every kernel of the examples, tests and benchmarks, for `cargo xtask spirv` and `cargo xtask conformance`.
//!
//! All of them are in two module trees, whose roots are `tests/kernels/mod.rs` and `tests/kernels/programs/mod.rs`; files elsewhere join these by `#[path]`. This
//! script walks the trees and writes a table of the descriptors. A kernel that is missing in the table would silently
//! escape every check, so the script fails for each one that it finds and cannot list: a file that no tree
//! includes, a kernel in the body of a function, a kernel that a macro other than `for_types!` makes.

#[path = "build/scan.rs"]
mod scan;
#[path = "build/tree.rs"]
mod tree;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};
use tree::Tree;

/// The folders that may contain kernels, below the root of the workspace.
const FOLDERS: [&str; 3] = ["examples", "tests", "benches"];

/// What has kernels that are not listed: the sources of compile-fail tests, which are wrong by intention, and examples that are crates of their own, with dependencies that the
/// tests do not have.
const LEFT_OUT: [&str; 3] = ["tests/ui", "examples/mpi", "examples/neighbours"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build");
    // `cargo xtask ir` shows the intermediate representation of kernels.
    println!("cargo::rustc-check-cfg=cfg(kernel_ir)");
    println!("cargo::rustc-cfg=kernel_ir");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../..").canonicalize()?;
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
    }
    let mut tree = Tree::default();
    tree.walk("kernels", &root.join("tests/kernels/mod.rs"))?;
    tree.walk("programs", &root.join("tests/kernels/programs/mod.rs"))?;
    for complaint in kernels_outside(&root, &tree)? {
        println!("cargo::error={complaint}");
    }
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("kernels.rs"), tree.table())?;
    Ok(())
}

/// The kernels that are in no tree, each with its place and what to do.
fn kernels_outside(root: &Path, tree: &Tree) -> Result<Vec<String>, Box<dyn Error>> {
    let mut missing = Vec::new();
    for folder in FOLDERS {
        for file in rust_files(&root.join(folder))? {
            if LEFT_OUT.iter().any(|folder| file.starts_with(root.join(folder))) {
                continue;
            }
            for place in scan::kernel_attributes(&file)? {
                if !tree.lists(&file, place) {
                    let file_name = file.strip_prefix(root)?.display();
                    missing.push(format!(
                        "{file_name}:{}: this kernel cannot be listed: {}",
                        place.line,
                        tree.advice(&file)
                    ));
                }
            }
        }
    }
    Ok(missing)
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    if !folder.exists() {
        return Ok(files);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
