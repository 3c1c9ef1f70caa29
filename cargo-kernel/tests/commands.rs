//! `cargo kernel` on crates outside of the workspace, which are written to a temporary folder and built there.
//!
//! Needs `ocloc`.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::{env, fs};

/// The crate that most tests look at.
const SHOWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shown");
const RUNTIME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel-runtime");
/// What is built with these versions is there already where tests have run before.
const LOCK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.lock");

fn temporary() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// A crate of its own in a temporary folder, with the files of the one that is shown.
fn crate_at(name: &str) -> PathBuf {
    let folder = temporary().join(name);
    let _ = fs::remove_dir_all(&folder);
    for file in ["src/lib.rs", "examples/extra.rs", "tests/racing.rs", "tests/clean.rs"] {
        let to = folder.join(file);
        fs::create_dir_all(to.parent().expect("it is in a folder")).expect("the folder can be made");
        fs::copy(Path::new(SHOWN).join(file), to).expect("the file can be copied");
    }
    // Cargo tells packages in one folder for what is built apart by name and version, not by where they are.
    let patch = name.bytes().fold(0_u32, |sum, byte| (sum * 31 + u32::from(byte)) % 100_003);
    let manifest = format!(
        "[package]\nname = \"shown\"\nversion = \"0.1.{patch}\"\nedition = \"2024\"\n\n[dependencies]\nkernel-runtime = {{ path = {RUNTIME:?} }}\n\n[workspace]\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("the manifest can be written");
    fs::copy(LOCK, folder.join("Cargo.lock")).expect("the lock file can be copied");
    folder
}

/// The crate that nobody changes.
fn shown() -> &'static Path {
    static SHOWN: OnceLock<PathBuf> = OnceLock::new();
    SHOWN.get_or_init(|| crate_at("shown"))
}

/// A command in a folder, which finds what is built in one for all tests.
fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-kernel"));
    // As cargo runs it.
    command.arg("kernel").args(arguments).current_dir(folder);
    command.env("CARGO_TARGET_DIR", temporary().join("target"));
    command.env_remove("KERNEL_DEBUG").env_remove("KERNEL_CHECK").env("KERNEL_DEVICE", "cpu");
    command
}

fn output(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program can be run")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("it is text")
}

/// What a command prints that succeeds.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = output(folder, arguments);
    assert!(status.success(), "{arguments:?}: {}", text(&stderr));
    let stdout = text(&stdout);
    assert!(!stdout.contains('\u{1b}'), "colours are for terminals: {stdout}");
    stdout
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--json"]].concat();
    serde_json::from_str(&printed(folder, &arguments)).expect("it is JSON")
}

/// What a command says that fails.
fn failed(folder: &Path, arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = output(folder, arguments);
    assert_eq!(status.code(), Some(1), "{arguments:?}: {}", text(&stdout));
    text(&stderr)
}

/// The kernel of a name in a list.
fn named<'v>(kernels: &'v Value, name: &str) -> &'v Value {
    let mut all = kernels.as_array().expect("it is a list").iter();
    all.find(|kernel| kernel["name"] == name).unwrap_or_else(|| panic!("{name} is not in {kernels}"))
}

#[test]
fn kernels_are_listed() {
    let text = printed(shown(), &["list"]);
    for words in [
        "shown (library), profile release",
        "saxpy      1, 1 hoisted",
        "(a: f32, x: &[f32], y: &mut [f32])",
        "scale_f32",
        "scale_f64  none",
        "f64",
        "groups of 64",
        "src/lib.rs:7",
    ] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
    let kernels = json(shown(), &["list"]);
    assert_eq!(kernels.as_array().map(Vec::len), Some(5));
    assert_eq!(named(&kernels, "saxpy")["hoisted_checks"], 1);
    assert_eq!(named(&kernels, "scale_f64")["generics"][0], "f64");
    assert_eq!(named(&kernels, "scale_f64")["requirements"]["fp64"], true);
    assert_eq!(named(&kernels, "count")["checks"], 1);
    assert_eq!(named(&kernels, "count")["group_size"][0], 64);
    assert_eq!(named(&kernels, "saxpy")["at"]["line"], 7);
}

#[test]
fn the_profile_decides_about_overflow() {
    let of = |arguments: &[&str]| named(&json(shown(), arguments), "count")["checks"].as_u64();
    assert_eq!(of(&["list", "--release"]), Some(1));
    assert_eq!(of(&["list", "--dev"]), Some(2), "the sum may overflow");
}

#[test]
fn examples_and_tests_are_looked_at_where_that_is_asked_for() {
    let kernels = json(shown(), &["list", "--example", "extra"]);
    assert_eq!(kernels.as_array().map(Vec::len), Some(1));
    assert_eq!(named(&kernels, "fill")["kind"], "example");
    let kernels = json(shown(), &["list", "--all-targets"]);
    assert_eq!(kernels.as_array().map(Vec::len), Some(6), "those of the library once");
}

#[test]
fn spirv_is_shown_between_lines() {
    let text = printed(shown(), &["spirv", "saxpy"]);
    let line = text.find("; src/lib.rs:10  y[i] += a * x[i];").expect("the line is there");
    assert!(text[line..].contains("OpFMul  %"), "{text}");
    assert!(text.contains("%saxpy_hoisted = OpFunction") && !text.contains("OpLine"), "{text}");
    let plain = printed(shown(), &["spirv", "saxpy", "--no-lines"]);
    assert!(!plain.contains("src/lib.rs:10"), "{plain}");
    let document = json(shown(), &["spirv", "saxpy"]);
    assert!(named(&document, "saxpy")["spirv"].as_str().is_some_and(|digits| digits.starts_with("03022307")));
}

#[test]
fn a_module_is_written_to_a_file() {
    let file = temporary().join("saxpy.spv");
    let name = file.to_str().expect("the path is text");
    printed(shown(), &["spirv", "saxpy", "--output-file", name]);
    let written = fs::read(&file).expect("it was written");
    let size = named(&json(shown(), &["list"]), "saxpy")["spirv_bytes"].as_u64();
    assert_eq!((&written[..4], size), (&[3, 2, 35, 7][..], Some(written.len() as u64)));
    let said = failed(shown(), &["spirv", "scale", "--output-file", name]);
    assert!(said.contains("name one of scale_f32, scale_f64"), "{said}");
}

#[test]
fn the_representation_is_shown_between_lines() {
    let text = printed(shown(), &["ir", "saxpy"]);
    assert!(text.contains("// src/lib.rs:10  y[i] += a * x[i];\n"), "{text}");
    assert!(text.contains("load %y[%3]\n"), "its check is gone: {text}");
    let lowered = printed(shown(), &["ir", "saxpy", "--lowered", "--no-lines"]);
    assert!(lowered.contains("load %y[%3 !") && !lowered.contains("src/lib.rs:10 "), "{lowered}");
    assert!(
        named(&json(shown(), &["ir", "saxpy"]), "saxpy")["ir"]
            .as_str()
            .is_some_and(|ir| ir.contains("kernel saxpy("))
    );
}

#[test]
fn checks_are_listed_with_their_reasons() {
    let text = printed(shown(), &["checks"]);
    for words in [
        "saxpy  1 check, hoisted",
        "src/lib.rs:10:21  index out of bounds: hoisted where `y.len() <= x.len()`",
        "scale_f32  no checks",
        "count  1 check",
        "src/lib.rs:28:9  index out of bounds: `",
    ] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
    let kernels = json(shown(), &["checks", "saxpy"]);
    let site = &named(&kernels, "saxpy")["sites"][0];
    assert_eq!(site["kind"], "IndexOutOfBounds");
    assert_eq!(site["hoisted_where"][0], "y.len() <= x.len()");
}

#[test]
fn races_are_proved_absent_or_vouched_for() {
    let text = printed(shown(), &["races"]);
    for words in [
        "saxpy  proved  src/lib.rs:7",
        "count  vouched for",
        "index from memory: two work-items may access one element of `counts`, and one of them writes",
        "its author vouches for counts\n  `cargo kernel run` looks",
        "permute  vouched for",
        "src/lib.rs:38:30  its author vouches that no two work-items have one number: `assume_distinct`",
    ] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
    let races = json(shown(), &["races"]);
    assert_eq!(named(&races, "scale_f64")["verdict"], "proved");
    assert_eq!(named(&races, "count")["races"][0]["object"], "counts");
    assert_eq!(named(&races, "permute")["assumes_distinct"][0]["line"], 38);
}

#[test]
fn an_unknown_name_is_told_with_what_is_like_it() {
    let said = failed(shown(), &["spirv", "saxpi"]);
    assert!(said.contains("error: no kernel is called `saxpi`\nhelp: did you mean `saxpy`"), "{said}");
    let said = failed(shown(), &["checks", "zzz"]);
    assert!(said.contains("help: there are `"), "{said}");
    let said = failed(shown(), &["list", "--package", "other"]);
    assert!(said.contains("the workspace has no package `other`\nhelp: it has shown"), "{said}");
}

#[test]
fn outside_of_a_crate_cargo_says_why() {
    let said = failed(Path::new("/"), &["list"]);
    assert!(said.contains("could not find `Cargo.toml`"), "{said}");
}

/// A crate that depends on nothing, with this program.
fn crate_without_kernels(name: &str, program: &str) -> PathBuf {
    let folder = temporary().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("src")).expect("the folder can be made");
    let manifest = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[workspace]\n");
    fs::write(folder.join("Cargo.toml"), manifest).expect("the manifest can be written");
    fs::write(folder.join("src/main.rs"), program).expect("the program can be written");
    folder
}

#[test]
fn a_crate_without_kernels_is_told_how_to_have_some() {
    let folder = crate_without_kernels("plain", "fn main() {}\n");
    for command in [&["list"][..], &["races"], &["checks", "saxpy"], &["spirv", "saxpy"]] {
        let said = failed(&folder, command);
        assert!(said.contains("error: there are no kernels in `plain`"), "{said}");
        assert!(said.contains("which is no dependency here: `cargo add --path"), "{said}");
    }
}

#[test]
fn errors_of_a_crate_are_shown_as_cargo_shows_them() {
    let folder = crate_without_kernels("wrong", "fn main() {\n    let _: u32 = \"text\";\n}\n");
    let said = failed(&folder, &["list"]);
    assert!(said.contains("error[E0308]: mismatched types\n --> src/main.rs:2:18"), "{said}");
    assert!(
        said.contains("error: the crate does not compile, so there is nothing to show\nhelp: "),
        "{said}"
    );
}

#[test]
fn kernels_come_and_go_with_the_source() {
    let folder = crate_at("changing");
    let source = folder.join("src/lib.rs");
    let whole = fs::read_to_string(&source).expect("it can be read");
    let names = || -> Vec<String> {
        let kernels = json(&folder, &["list"]);
        let names = kernels.as_array().expect("it is a list").iter();
        names.map(|kernel| kernel["name"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let all = names();
    assert_eq!(names(), all, "cargo builds nothing now");
    fs::write(&source, whole.replace("pub fn saxpy", "pub fn axpy")).expect("it can be written");
    assert!(names().contains(&"axpy".to_owned()) && !names().contains(&"saxpy".to_owned()));
    fs::write(&source, whole.replace("a * x[i]", "b * x[i]")).expect("it can be written");
    let said = failed(&folder, &["list"]);
    assert!(said.contains("cannot find value `b`") && said.contains("the crate does not compile"), "{said}");
    fs::write(&source, "//! Nothing.\n").expect("it can be written");
    let said = failed(&folder, &["list"]);
    assert!(said.contains("there are no kernels in `shown`") && said.contains("--all-targets"), "{said}");
    fs::write(&source, &whole).expect("it can be written");
    assert_eq!(names(), all);
}

#[test]
fn modules_have_lines_where_the_environment_asks_for_it() {
    let folder = crate_at("debugged");
    let size = |value: Option<&str>| {
        let mut command = command(&folder, &["list", "--json"]);
        value.map(|value| command.env("KERNEL_DEBUG", value));
        let output = command.output().expect("the program can be run");
        let said = text(&output.stderr);
        let kernels: Option<Value> = serde_json::from_slice(&output.stdout).ok();
        (kernels.and_then(|kernels| named(&kernels, "saxpy")["spirv_bytes"].as_u64()), said)
    };
    let (plain, _) = size(None);
    let (lined, said) = size(Some("lines"));
    assert!(plain < lined, "{plain:?} {lined:?}\n{said}");
    assert_eq!(size(Some("off")).0, plain, "cargo builds it again");
    let (none, said) = size(Some("all"));
    assert!(none.is_none() && said.contains("KERNEL_DEBUG is `all`"), "{said}");
}

/// A folder in which there is cargo, but no `ocloc`.
fn path_without_ocloc() -> PathBuf {
    let cargo = PathBuf::from(env::var_os("CARGO").expect("cargo runs the tests"));
    cargo.parent().expect("it is in a folder").to_owned()
}

#[test]
fn code_for_a_gpu_is_shown_between_lines() {
    let text = printed(shown(), &["isa", "saxpy", "--device", "pvc"]);
    assert!(text.contains("saxpy  entry point saxpy.hoisted for pvc"), "{text}");
    assert!(text.contains("// Line 10:  y[i] += a * x[i];"), "{text}");
    assert!(text.contains("mad (32|M0)") || text.contains("mul (32|M0)"), "{text}");
    let kernels = json(shown(), &["isa", "saxpy"]);
    let assembly = &named(&kernels, "saxpy")["assembly"];
    assert!(assembly["saxpy"].as_str().is_some_and(|text| text.contains("//.kernel saxpy")));
    let said = failed(shown(), &["isa", "saxpy", "--device", "nope"]);
    assert!(said.contains("ocloc cannot compile `saxpy` for nope"), "{said}");
    let said = failed(shown(), &["stats", "scale_f64", "--device", "dg2"]);
    assert!(said.contains("the kernel needs double precision"), "{said}");
}

#[test]
fn what_kernels_take_of_a_gpu_is_listed() {
    let text = printed(shown(), &["stats", "--device", "pvc"]);
    assert!(text.contains("ENTRY POINT") && text.contains("saxpy.hoisted"), "{text}");
    let kernels = json(shown(), &["stats", "saxpy"]);
    let [complete, hoisted] = &named(&kernels, "saxpy")["entry_points"].as_array().expect("it is a list")[..]
    else {
        panic!("two entry points: {kernels}")
    };
    assert_eq!((&complete["name"], &hoisted["name"]), (&"saxpy".into(), &"saxpy.hoisted".into()));
    assert!(hoisted["instructions"].as_u64() < complete["instructions"].as_u64(), "{kernels}");
    for entry in [complete, hoisted] {
        assert_eq!(entry["registers"], 128);
        assert_eq!(entry["spill_bytes"], 0);
        assert!(entry["simd"].as_u64() >= Some(16), "{kernels}");
    }
    let cycles = |entry: &Value, pipe: &str| entry["cycles"][pipe].as_f64().unwrap_or_default();
    assert!(cycles(complete, "total") > cycles(hoisted, "total"), "{kernels}");
    assert!(cycles(hoisted, "memory") > cycles(hoisted, "math"), "{kernels}");
}

#[test]
fn files_can_be_compared_with_kernels() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../benches/opencl/saxpy.cl");
    let files = json(shown(), &["stats", "--module", file, "--options", "-cl-std=CL2.0"]);
    let entry = &files[0]["entry_points"][0];
    assert_eq!((&files[0]["file"], &entry["name"]), (&file.into(), &"saxpy".into()));
    assert!(entry["cycles"]["total"].as_f64() > Some(1.0), "{files}");
    let said = failed(shown(), &["stats", "--module", "nothing.spv"]);
    assert!(said.contains("nothing.spv: No such file"), "{said}");
}

#[test]
fn without_ocloc_it_is_said_how_to_get_it() {
    for task in ["isa", "stats"] {
        let mut command = command(shown(), &[task, "saxpy"]);
        let output = command.env("PATH", path_without_ocloc()).output().expect("the program can be run");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1));
        assert!(said.contains("`ocloc`") && said.contains("help: install it"), "{said}");
    }
}

/// Tests of the crate are built one after the other.
fn running() -> MutexGuard<'static, ()> {
    static RUNNING: Mutex<()> = Mutex::new(());
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn tests_run_under_detectors() {
    let _running = running();
    let run = |arguments: &[&str]| {
        let output = output(shown(), &[&["run"], arguments].concat());
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let (code, said) = run(&["--test", "clean"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = run(&["--test", "racing"]);
    assert_eq!(code, Some(101), "{said}");
    assert!(said.contains("race") && said.contains("src/lib.rs:28"), "{said}");
    let (code, said) = run(&["--test", "racing", "--check", "memory"]);
    assert_eq!(code, Some(0), "nobody looks for races: {said}");
    let (code, said) = run(&["--test", "racing", "--json", "--", "--skip", "keys"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("\"check\": \"races,memory\""), "{said}");
}

#[test]
fn an_example_runs_under_detectors() {
    let _running = running();
    let text = printed(shown(), &["run", "--example", "extra"]);
    assert_eq!(text, "[7, 7, 7, 7, 7, 7, 7, 7]\n");
}

#[test]
fn devices_are_told() {
    let text = printed(shown(), &["doctor"]);
    assert!(text.contains("ok device cpu") && text.contains("a kernel ran"), "{text}");
    assert!(text.contains("GPU"), "{text}");
    assert_eq!(json(shown(), &["doctor"])["ok"], true);
    let mut command = command(shown(), &["doctor", "--json"]);
    let output = command.env("KERNEL_DEVICE", "gpu:7").output().expect("the program can be run");
    assert_eq!(output.status.code(), Some(1));
    let document: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(document["ok"], false, "programs find no such device");
}

#[test]
fn a_new_crate_compiles_and_its_tests_pass() {
    let _running = running();
    // Below the workspace, cargo would make the crate a member of it.
    let outside = env::temp_dir().join(format!("cargo-kernel-{}", std::process::id()));
    fs::create_dir_all(&outside).expect("the folder can be made");
    let folder = outside.join("new-crate");
    let name = folder.to_str().expect("the path is text");
    let text = printed(&outside, &["new", name, "--runtime", RUNTIME]);
    assert!(text.contains("cargo kernel list"), "{text}");
    fs::copy(LOCK, folder.join("Cargo.lock")).expect("the lock file can be copied");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--quiet"]).current_dir(&folder).env("CARGO_TARGET_DIR", temporary().join("target"));
    let output = cargo.output().expect("cargo can be run");
    let said = self::text(&output.stdout) + &self::text(&output.stderr);
    assert!(output.status.success() && said.contains("2 passed"), "{said}");
    assert_eq!(json(&folder, &["list"]).as_array().map(Vec::len), Some(1));
    assert!(folder.join(".github/workflows/test.yml").exists());
    let said = failed(&outside, &["new", name]);
    assert!(said.contains("already exists"), "{said}");
    let said = failed(&outside, &["new", "other-crate", "--runtime", name]);
    assert!(said.contains("is not the folder of the crate `kernel-runtime`"), "{said}");
    fs::remove_dir_all(&outside).expect("the folder can be removed");
}
