//! The environment variable `KERNEL_CPU_EXECUTOR`: each executor has the same results, and a name that is none is an error.

mod driver;

use driver::{Gpu, set, set_group_size};
use std::process::Command;

const GROUPS: &[u8] = include_bytes!("modules/groups.spv");

/// Set for the process that `in_a_process` starts.
const CHILD: &str = "KERNEL_CPU_TEST_CHILD";

/// What a process prints that runs with an executor.
fn in_a_process(executor: &str) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, "1")
        .env("KERNEL_CPU_EXECUTOR", executor)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What runs in the child process.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let gpu = Gpu::new();
    if let Err(log) = gpu.module(GROUPS) {
        eprintln!("log: {log}");
        return;
    }
    let out = gpu.buffer(&[0_u32; 100]);
    let kernel = gpu.kernel(GROUPS, "rounds");
    set(kernel, 0, out.pointer).unwrap();
    set(kernel, 1, 3_u32).unwrap();
    set_group_size(kernel, [100, 1, 1]).unwrap();
    eprintln!("result: {:?} {:?}", gpu.launch(kernel, [1, 1, 1]), out.read());
}

#[test]
fn all_executors_have_the_same_results() {
    let expected = in_a_process("interpreter");
    assert!(expected.contains("result: Ok(()) [0, 1, 5, 15,"), "{expected}");
    let line = |text: &str| text.lines().find(|line| line.starts_with("result: ")).map(str::to_owned);
    assert_eq!(line(&in_a_process("native")), line(&expected));
    let avx2 = in_a_process("avx2");
    if avx2.contains("this processor does not have it") {
        eprintln!("this processor has no AVX2 to compare with");
    } else {
        assert_eq!(line(&avx2), line(&expected));
    }
}

#[test]
fn an_executor_that_there_is_not_is_an_error() {
    let text = in_a_process("avx3");
    let expected = "error: KERNEL_CPU_EXECUTOR is `avx3`, and may be `auto`, `native`, `avx2`, `interpreter`, `both` or `both-avx2`";
    assert!(text.contains(&format!(": {expected}")), "{text}");
}
