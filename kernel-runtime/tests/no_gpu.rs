//! Machines without a usable GPU: the program goes on with the CPU device and can say why.
//!
//! Each case runs in a process of its own, since a process searches for devices once.

use kernel_runtime::{DEVICE_VARIABLE, Device, DeviceKind};
use std::process::Command;

/// The variable by which level-zero-sys lets another library stand in for the system's loader.
const LOADER: &str = "LEVEL_ZERO_LOADER";

/// Says in the child process that it is the child.
const CHILD: &str = "KERNEL_TEST_NO_GPU";

/// Runs the child with an environment and checks that each of its lines is as expected.
fn check(environment: &[(&str, &str)], expected: &[&str]) {
    let output = Command::new(std::env::current_exe().expect("the path of this test"))
        .args(["--exact", "child", "--nocapture"])
        .env_remove(DEVICE_VARIABLE)
        .env(CHILD, "1")
        .envs(environment.iter().copied())
        .output()
        .expect("this test starts itself");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{environment:?}: {}\n{text}", output.status);
    for line in expected {
        assert!(text.contains(line), "{environment:?} lacks {line:?}:\n{text}");
    }
}

/// What runs in the child process.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    match Device::best() {
        Ok(device) => eprintln!("best: {}", device.kind()),
        Err(error) => eprintln!("error: {error}"),
    }
    eprintln!("status: {}", Device::gpu_status());
    let kinds: Vec<_> = Device::all().iter().map(|device| device.kind().to_string()).collect();
    eprintln!("all: {kinds:?}");
}

/// What the child says of the best device, where that is not a GPU.
const BEST: &str = if cfg!(feature = "cpu") { "best: cpu" } else { "error: there is no device: " };

#[test]
fn without_a_loader() {
    check(
        &[(LOADER, "/nonexistent/libze_loader.so.1")],
        &[
            BEST,
            "status: no GPU can be used: the Level Zero loader `/nonexistent/libze_loader.so.1` cannot be opened",
        ],
    );
}

#[test]
fn with_a_library_that_is_no_loader() {
    check(&[(LOADER, "libc.so.6")], &[BEST, "status: no GPU can be used: `libc.so.6` has no zeInit"]);
}

#[test]
fn with_a_file_that_is_no_library() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    check(&[(LOADER, file)], &[BEST, "Cargo.toml` cannot be opened"]);
}

/// The system's loader, if it is installed, whose only driver cannot be loaded.
#[test]
fn with_a_loader_that_has_no_driver() {
    check(
        &[("ZE_ENABLE_ALT_DRIVERS", "/nonexistent/libze_intel_gpu.so.1")],
        &[BEST, "status: no GPU can be used: "],
    );
}

/// The system's loader and driver as they are; on a machine without a GPU this is the `zeInit` that fails and after
/// which the loader must not be called.
#[test]
fn with_what_this_machine_has() {
    let gpu = Device::all().iter().any(|device| device.kind() == DeviceKind::Gpu);
    if gpu {
        check(&[], &["best: gpu", "status: there "]);
    } else {
        check(&[], &[BEST, "status: no GPU can be used: "]);
    }
}

#[test]
fn a_gpu_that_is_asked_for_and_missing_is_an_error_with_the_reason() {
    check(
        &[(LOADER, "/nonexistent"), (DEVICE_VARIABLE, "gpu")],
        &[
            "error: KERNEL_DEVICE=\"gpu\" names a device that does not exist; ",
            "`/nonexistent` cannot be opened",
        ],
    );
}

#[test]
fn a_value_that_is_no_device_is_an_error_with_the_forms() {
    check(
        &[(DEVICE_VARIABLE, "abacus")],
        &["error: KERNEL_DEVICE=\"abacus\" is none of `cpu`, `gpu`, or one with a number such as `gpu:1`; "],
    );
}

#[test]
fn an_empty_value_is_none() {
    check(&[(LOADER, "/nonexistent"), (DEVICE_VARIABLE, "")], &[BEST]);
}

#[cfg(feature = "cpu")]
#[test]
fn the_cpu_can_be_asked_for() {
    check(&[(DEVICE_VARIABLE, "cpu")], &["best: cpu"]);
    check(&[(DEVICE_VARIABLE, "cpu:0")], &["best: cpu"]);
    check(
        &[(LOADER, "/nonexistent"), (DEVICE_VARIABLE, "cpu:7")],
        &["error: KERNEL_DEVICE=\"cpu:7\" names a device that does not exist; there are cpu:0 ("],
    );
}
