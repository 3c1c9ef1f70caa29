//! Kernels that do not end, under the limit that `KERNEL_CPU_TIMEOUT` sets on the CPU device.
//!
//! The limit holds for a process, so that the kernels run in one of their own.

use kernel_runtime::prelude::*;
use kernel_runtime::{DEVICE_VARIABLE, KernelDescriptor};
use std::process::Command;

/// Says in the child process that it is the child.
const CHILD: &str = "KERNEL_TEST_ENDLESS";

#[kernel]
fn waits_for_ever(go: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    while go[0] == 0 {
        y[i] = 1;
    }
}

/// All meet in each pass.
#[kernel(group_size = 64)]
fn meets_for_ever(go: &[u32], y: &mut [u32]) {
    let mut local = Local::<[u32; 64]>::new();
    loop {
        local[local_id(0)] = go[0];
        barrier();
        if work_group::any(local[63 - local_id(0)] != 0) {
            break;
        }
    }
    y[global_id(0)] = 2;
}

/// One work-item of many leaves the others behind.
#[kernel]
fn diverges(go: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    if i % 16 == 3 {
        loop {
            if go[0] != 0 {
                return;
            }
        }
    }
    y[i] = 3;
}

#[kernel]
fn fill(y: &mut [u32]) {
    y[global_id(0)] = 4;
}

/// Runs the child and gives what it wrote to standard error.
#[test]
fn kernels_that_do_not_end_are_stopped() {
    let output = Command::new(std::env::current_exe().expect("the path of this test"))
        .args(["--exact", "endless::child", "--nocapture"])
        .envs([(CHILD, "1"), (DEVICE_VARIABLE, "cpu"), ("KERNEL_CPU_TIMEOUT", "100")])
        .output()
        .expect("this test starts itself");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    let unread = text.lines().find(|line| line.starts_with("a queue was dropped with an unread error: "));
    let unread = unread.unwrap_or_else(|| panic!("a queue was dropped: {text}"));
    assert!(unread.contains("kernel `waits_for_ever`"), "{unread}");
}

/// What runs in the child process.
#[test]
fn child() -> Result<()> {
    if std::env::var_os(CHILD).is_none() {
        return Ok(());
    }
    let device = Device::best()?;
    let (queue, other) = (device.queue()?, device.queue()?);
    let go = queue.zeros::<u32>(1)?;
    let (mut y, mut z) = (queue.zeros::<u32>(1024)?, other.zeros::<u32>(64)?);
    let stopped = |error: Result<()>, kernel: &KernelDescriptor| {
        let Err(Error::Driver(error)) = error else { panic!("{} is stopped, not {error:?}", kernel.name) };
        assert_eq!(error.name(), Some("ZE_RESULT_ERROR_DEVICE_LOST"));
        let description = error.description().expect("the driver says what it was");
        assert!(description.starts_with(&format!("kernel `{}`, work-item (", kernel.name)), "{description}");
        let limit = "ran longer than the limit of 100 ms that KERNEL_CPU_TIMEOUT sets";
        assert!(description.ends_with(limit) && error.to_string().ends_with(limit), "{error}");
    };
    waits_for_ever(&go, &mut y).launch(&queue, 1024)?;
    fill(&mut z).launch(&other, 64)?;
    assert_eq!(other.download(&z)?, [4; 64], "another queue goes on");
    stopped(queue.synchronize(), &WAITS_FOR_EVER);
    meets_for_ever(&go, &mut y).launch(&queue, 1024)?;
    stopped(queue.download(&y).map(drop), &MEETS_FOR_EVER);
    diverges(&go, &mut y).launch(&queue, 1024)?;
    stopped(queue.synchronize(), &DIVERGES);
    fill(&mut y).launch(&queue, 1024)?;
    assert_eq!(queue.download(&y)?, [4; 1024], "the queue goes on");
    waits_for_ever(&go, &mut y).launch(&queue, 1024)?;
    drop(queue);
    fill(&mut y).launch(&other, 1024)?;
    assert_eq!(other.download(&y)?, [4; 1024], "the device goes on");
    Ok(())
}
