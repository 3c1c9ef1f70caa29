//! What stands for the descriptor of code that did not compile is in no program: rustc, which generates code once it has found no error, finds this one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A program with a kernel of which nobody has said what is wrong with it.
const PROGRAM: &str = r#"
    use kernel_runtime::{KernelDescriptor, __missing, __private::kernel_with};
    pub static NOTHING: KernelDescriptor = kernel_with(__missing!(::core::panic!("nobody has said why")));
    fn main() {
        println!("{}", NOTHING.name);
    }
"#;

/// The runtime that this test is linked with is the latest there is.
fn runtime(folder: &Path) -> PathBuf {
    let entries = fs::read_dir(folder).expect("the dependencies are beside the test");
    let files = entries.map(|entry| entry.expect("the folder can be read").path());
    let is_runtime = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("libkernel_runtime-") && name.ends_with(".rlib")
    };
    let modified =
        |path: &PathBuf| fs::metadata(path).and_then(|data| data.modified()).expect("it is a file");
    files.filter(is_runtime).max_by_key(modified).expect("the runtime has been built")
}

/// What rustc says about the program.
fn built(emit: &str) -> (bool, String) {
    let test = env::current_exe().expect("the test is a program");
    let folder = test.parent().expect("it is in a folder");
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("missing_{emit}"));
    fs::create_dir_all(&place).expect("there is room for it");
    let source = place.join("main.rs");
    fs::write(&source, PROGRAM).expect("it can be written");
    let output = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition", "2024", "--crate-type", "bin", "--emit", emit, "--out-dir"])
        .arg(&place)
        .arg("-L")
        .arg(folder)
        .arg("--extern")
        .arg(format!("kernel_runtime={}", runtime(folder).display()))
        .arg(&source)
        .output()
        .expect("rustc runs");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn what_did_not_compile_cannot_be_linked() {
    let (is_linked, said) = built("link");
    assert!(!is_linked && said.contains("nobody has said why"), "{said}");
}

/// So there is no second error where there is one already.
#[test]
fn it_is_no_error_before_code_is_generated() {
    let (is_checked, said) = built("metadata");
    assert!(is_checked, "{said}");
}
