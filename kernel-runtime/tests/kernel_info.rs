//! The program that lists devices.

use std::process::{Command, Output};

fn run(environment: &[(&str, &str)], arguments: &[&str]) -> (Output, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_kernel-info"))
        .args(arguments)
        .env_remove("KERNEL_DEVICE")
        .env("LEVEL_ZERO_LOADER", "/nonexistent/libze_loader.so.1")
        .envs(environment.iter().copied())
        .output()
        .expect("the program was built");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output, text)
}

#[cfg(feature = "cpu")]
#[test]
fn it_lists_the_cpu_and_says_why_there_is_no_gpu() {
    let (output, text) = run(&[], &[]);
    assert!(output.status.success(), "{text}");
    assert!(text.starts_with("cpu:0  "), "{text}");
    for line in [
        "  subgroups           of ",
        "  local memory        ",
        "  arithmetic          f16, f32, f64",
        "  render nodes        ",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(
        text.contains(
            "\nNo GPU can be used: the Level Zero loader `/nonexistent/libze_loader.so.1` cannot be opened"
        ),
        "{text}"
    );
    assert!(text.contains("\nPrograms run kernels on: "), "{text}");
    assert!(text.contains("  environment         LEVEL_ZERO_LOADER=/nonexistent/"), "{text}");
}

#[test]
fn a_script_can_tell_that_there_is_no_such_device() {
    let (output, text) = run(&[("KERNEL_DEVICE", "gpu:7")], &[]);
    assert!(!output.status.success());
    assert!(text.contains("Programs find no device: ") && text.contains("gpu:7"), "{text}");
}

#[test]
fn it_explains_itself() {
    let (output, text) = run(&[], &["--help"]);
    assert!(output.status.success() && text.starts_with("kernel-info lists"), "{text}");
    assert!(!run(&[], &["what"]).0.status.success());
}
