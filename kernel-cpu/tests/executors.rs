//! The environment variable `KERNEL_CPU_EXECUTOR`: each executor has the same results, and a name that is none is an error.

mod assemble;
mod driver;

use assemble::{Assembly, prepare};
use driver::{Gpu, create_kernel, set, set_group_size};
use rspirv::spirv::StorageClass;
use std::process::Command;

const GROUPS: &[u8] = include_bytes!("modules/groups.spv");

/// Set for the process that `in_a_process` starts.
const CHILD: &str = "KERNEL_CPU_TEST_CHILD";

/// What a process prints that runs a test with an executor.
fn in_a_process(child: &str, executor: &str) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", child, "--nocapture"])
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
    let expected = in_a_process("child", "interpreter");
    assert!(expected.contains("result: Ok(()) [0, 1, 5, 15,"), "{expected}");
    let line = |text: &str| text.lines().find(|line| line.starts_with("result: ")).map(str::to_owned);
    assert_eq!(line(&in_a_process("child", "native")), line(&expected));
    let avx2 = in_a_process("child", "avx2");
    if avx2.contains("this processor does not have it") {
        eprintln!("this processor has no AVX2 to compare with");
    } else {
        assert_eq!(line(&avx2), line(&expected));
    }
}

#[test]
fn an_executor_that_there_is_not_is_an_error() {
    let text = in_a_process("child", "avx3");
    let expected = "error: KERNEL_CPU_EXECUTOR is `avx3`, and may be `auto`, `native`, `avx2`, `interpreter`, `both` or `both-avx2`";
    assert!(text.contains(&format!(": {expected}")), "{text}");
}

/// A kernel that loads what is beyond its buffer and keeps it in an array, of which nobody reads that element. Native code keeps such an array in registers.
fn unused_load() -> Vec<u8> {
    let mut a = Assembly::new(&[], &[]);
    let two = a.constant(2);
    let array = a.builder.type_array(a.u32, two);
    let array = a.builder.type_pointer(None, StorageClass::Function, array);
    let element = a.builder.type_pointer(None, StorageClass::Function, a.u32);
    a.begin();
    let variable = a.builder.variable(array, None, StorageClass::Function, None);
    // Which elements it has is not seen before constants are computed.
    let (four, one) = (a.constant(4), a.constant(1));
    let half = a.builder.u_div(a.u32, None, four, two).unwrap();
    let last = a.builder.i_sub(a.u32, None, half, one).unwrap();
    let first = a.builder.i_sub(a.u32, None, last, one).unwrap();
    let beyond = a.word(1, 1 << 30);
    let near = a.word(1, 0);
    for (index, value) in [(first, beyond), (last, near)] {
        let at = a.builder.in_bounds_access_chain(element, None, variable, [index]).unwrap();
        a.builder.store(at, value, None, []).unwrap();
    }
    let at = a.builder.in_bounds_access_chain(element, None, variable, [last]).unwrap();
    let value = a.builder.load(a.u32, None, at, None, []).unwrap();
    a.store(1, 0, value);
    a.end()
}

/// What runs in the child process.
#[test]
fn unused_load_in_a_child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let gpu = Gpu::new();
    let kernel = create_kernel(gpu.module(&unused_load()).unwrap(), "k").unwrap();
    let (from, to) = (gpu.buffer(&[7_u32; 64]), gpu.buffer(&[0_u32; 64]));
    prepare(kernel, from.pointer, to.pointer, 64);
    eprintln!("result: {:?} {}", gpu.launch(kernel, [1, 1, 1]), gpu.last_error());
}

#[test]
fn loads_of_which_nothing_is_used_fault_in_every_executor() {
    for executor in ["interpreter", "native", "both"] {
        let text = in_a_process("unused_load_in_a_child", executor);
        assert!(text.contains("DEVICE_LOST") && text.contains("reads 4 bytes"), "{executor}: {text}");
        assert!(!text.contains("differ"), "{executor}: {text}");
    }
}
