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

#[cfg(feature = "cpu")]
#[test]
fn it_tells_of_several_devices_and_their_parts() {
    let (output, text) = run(&[("KERNEL_CPU_DEVICES", "2x3")], &[]);
    assert!(output.status.success(), "{text}");
    for line in [
        "\ncpu:1  ",
        "  sub-devices         3\n",
        "  memory of others    of cpu:1\n",
        "  memory of others    of cpu:0\n",
        "  environment         KERNEL_CPU_DEVICES=2x3\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!run(&[], &[]).1.contains("memory of others"));
}

#[cfg(feature = "cpu")]
#[test]
fn it_tells_of_what_the_mask_leaves() {
    let devices = ("KERNEL_CPU_DEVICES", "2x3");
    let (output, text) = run(&[devices, ("ZE_AFFINITY_MASK", "1.0,1.2")], &[]);
    assert!(output.status.success() && text.contains("  sub-devices         2\n"), "{text}");
    assert!(!text.contains("\ncpu:1  "), "{text}");
    let (output, text) = run(&[devices, ("ZE_AFFINITY_MASK", "2")], &[]);
    let line = "the driver says: ZE_AFFINITY_MASK is `2`, which names none of the devices that there are (2 with 3 parts each)";
    assert!(!output.status.success() && text.contains(line), "{text}");
}

#[cfg(feature = "cpu")]
#[test]
fn it_lists_parts_as_devices_where_the_hierarchy_is_flat() {
    let devices = ("KERNEL_CPU_DEVICES", "1x3");
    for hierarchy in ["FLAT", "COMBINED"] {
        let (output, text) =
            run(&[devices, ("ZE_FLAT_DEVICE_HIERARCHY", hierarchy), ("ZE_AFFINITY_MASK", "0,2")], &[]);
        assert!(output.status.success() && text.contains("\ncpu:1  "), "{hierarchy}: {text}");
        assert!(!text.contains("sub-devices"), "{hierarchy}: {text}");
    }
    let (output, text) = run(&[("ZE_FLAT_DEVICE_HIERARCHY", "DEEP")], &[]);
    let line = "the driver says: ZE_FLAT_DEVICE_HIERARCHY is `DEEP`, and may be COMPOSITE, FLAT or COMBINED";
    assert!(!output.status.success() && text.contains(line), "{text}");
}

#[cfg(feature = "cpu")]
#[test]
fn it_says_which_variable_of_the_cpu_device_is_wrong() {
    for more in [&[][..], &[("KERNEL_DEVICE", "cpu")]] {
        let environment = [&[("KERNEL_CPU_DEVICES", "many")], more].concat();
        let (output, text) = run(&environment, &[]);
        assert!(!output.status.success(), "{text}");
        let line = "\nPrograms find no device: zeInit failed with ZE_RESULT_ERROR_UNINITIALIZED (0x78000001); the driver says: KERNEL_CPU_DEVICES is `many`";
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn it_explains_itself() {
    let (output, text) = run(&[], &["--help"]);
    assert!(output.status.success() && text.starts_with("kernel-info lists"), "{text}");
    assert!(!run(&[], &["--what"]).0.status.success());
}

#[cfg(feature = "cpu")]
#[test]
fn it_says_which_devices_can_run_a_module() {
    let module = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels/saxpy.spv");
    let (output, text) = run(&[], &[module]);
    assert!(output.status.success(), "{text}");
    assert!(text.starts_with(module) && text.contains(": can run it; its kernels are saxpy\n"), "{text}");
    // No module at all, and one that needs a newer version of SPIR-V than any device has.
    let (output, text) = run(&[], &[concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"), "/nonexistent.spv"]);
    assert!(!output.status.success());
    assert!(text.contains(": cannot run it: ") && text.contains("it cannot be read: "), "{text}");
    let mut newer = std::fs::read(module).expect("it is there");
    newer[4..8].copy_from_slice(&0x0009_0900_u32.to_le_bytes());
    let file = std::env::temp_dir().join(format!("newer-{}.spv", std::process::id()));
    std::fs::write(&file, newer).expect("there is room");
    let (output, text) = run(&[], &[file.to_str().expect("it is text")]);
    std::fs::remove_file(&file).expect("it was written");
    assert!(!output.status.success() && text.contains("SPIR-V 9.9"), "{text}");
}
