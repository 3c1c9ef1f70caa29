//! Kernels that do not end: what is destroyed stops them, and so does the limit on the time of a launch.

mod driver;

use driver::{FOREVER, Gpu, KERNELS, Outcome, api, append_launch, set, set_group_size};
use level_zero_sys::*;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const LOST: Outcome = Err(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST);
const NO_EVENT: ze_event_handle_t = ze_event_handle_t::NULL;

/// One test at a time, since some count the threads of the process.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A kernel that takes minutes, which is for ever here.
fn endless(gpu: &Gpu, out: *mut u32) -> ze_kernel_handle_t {
    let kernel = gpu.kernel(KERNELS[0], "spin");
    set(kernel, 0, out).unwrap();
    set(kernel, 1, u32::MAX).unwrap();
    set_group_size(kernel, [64, 1, 1]).unwrap();
    kernel
}

/// One that ends, and writes 1 less than the id says after one round.
fn brief(gpu: &Gpu, out: *mut u32) -> ze_kernel_handle_t {
    let kernel = endless(gpu, out);
    set(kernel, 1, 1_u32).unwrap();
    kernel
}

fn check_brief(out: &[u32]) {
    assert_eq!(out[1], 1_664_525_u32.wrapping_add(1_013_904_223));
}

/// The time that the process has computed, in ticks of some milliseconds.
fn computed() -> u64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name, which comes second, may have spaces in it.
    let fields = text.rsplit_once(')').map(|(_, fields)| fields.split_whitespace()).into_iter().flatten();
    fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
}

/// Waits until an endless kernel has begun: nothing else here computes for so long.
fn until_running() {
    let (before, start) = (computed(), Instant::now());
    while computed() < before + 3 && start.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// How many threads of the process execute commands of lists and queues.
#[cfg(target_os = "linux")]
fn streams() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().filter_map(Result::ok);
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    names.filter(|name| "kernel-cpu-queue".starts_with(name.trim())).count()
}

/// Waits until so many threads are left: they end when they have done what there was.
#[cfg(target_os = "linux")]
fn check_streams(expected: usize) {
    let start = Instant::now();
    while streams() != expected {
        assert!(start.elapsed() < Duration::from_secs(20), "{} threads instead of {expected}", streams());
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The memory of the process that is there, in bytes.
#[cfg(target_os = "linux")]
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

#[cfg(target_os = "linux")]
#[test]
fn destroying_a_list_stops_its_kernel_and_gives_its_memory_back() {
    let _alone = alone();
    check_streams(0);
    let gpu = Gpu::asynchronous();
    let large = gpu.buffer(&vec![1_u32; 64 << 20]);
    gpu.launch(endless(&gpu, large.pointer), [8, 1, 1]).unwrap();
    until_running();
    let used = resident();
    drop(large);
    assert!(resident() > used - (64 << 20), "the kernel has the memory");
    drop(gpu);
    // The last of the threads that executed the kernel lets go of it.
    let start = Instant::now();
    while resident() > used - (192 << 20) {
        assert!(start.elapsed() < Duration::from_secs(20), "{} of {used} bytes are left", resident());
        std::thread::sleep(Duration::from_millis(1));
    }
    check_streams(0);
}

#[cfg(target_os = "linux")]
#[test]
fn destroying_a_context_stops_all_in_it_and_nothing_else() {
    let _alone = alone();
    check_streams(0);
    let (gpu, other) = (Gpu::asynchronous(), Gpu::asynchronous());
    let (out, others) = (gpu.buffer(&[0_u32; 64]), other.buffer(&[0_u32; 64]));
    let (own, queue) = (endless(&gpu, out.pointer), queue(&gpu));
    let recorded = recorded(&gpu, own);
    execute(queue, recorded).unwrap();
    gpu.launch(own, [1, 1, 1]).unwrap();
    until_running();
    until_running();
    // SAFETY: the handle is live, and of what goes with it only handles are used after this.
    unsafe { api().zeContextDestroy(gpu.context).into_result().unwrap() };
    check_streams(1);
    assert_eq!(gpu.synchronize(), LOST);
    let text = gpu.last_error();
    assert!(text.starts_with("kernel `spin`, work-item ("), "{text}");
    assert!(
        text.ends_with("was stopped, since its command list, queue or context was destroyed while it ran")
    );
    // Whatever is still done with the list is not executed, but waited for in vain neither.
    gpu.launch(brief(&other, others.pointer), [1, 1, 1]).unwrap();
    assert_eq!(gpu.synchronize(), LOST);
    assert!(gpu.last_error().starts_with("a command was not executed"), "{}", gpu.last_error());
    assert_eq!((gpu.synchronize(), others.read()), (Ok(()), vec![0; 64]));
    other.launch(brief(&other, others.pointer), [1, 1, 1]).unwrap();
    other.synchronize().unwrap();
    check_brief(&others.read());
    // SAFETY: the handles are live.
    unsafe {
        assert_eq!(api().zeCommandQueueDestroy(queue).into_result(), Ok(()));
        assert_eq!(api().zeCommandListDestroy(gpu.list).into_result(), Ok(()));
    }
    std::mem::forget(gpu);
}

fn queue(gpu: &Gpu) -> ze_command_queue_handle_t {
    let mut queue = ze_command_queue_handle_t::NULL;
    // SAFETY: the handles are live, and the pointers to live variables.
    unsafe {
        let created = api().zeCommandQueueCreate(gpu.context, gpu.device, &Default::default(), &mut queue);
        created.into_result().unwrap();
    }
    queue
}

/// A closed list with one launch.
fn recorded(gpu: &Gpu, kernel: ze_kernel_handle_t) -> ze_command_list_handle_t {
    let mut list = ze_command_list_handle_t::NULL;
    // SAFETY: as above.
    unsafe {
        let created = api().zeCommandListCreate(gpu.context, gpu.device, &Default::default(), &mut list);
        created.into_result().unwrap();
        append_launch(list, kernel, [1, 1, 1], NO_EVENT).unwrap();
        api().zeCommandListClose(list).into_result().unwrap();
    }
    list
}

fn execute(queue: ze_command_queue_handle_t, mut list: ze_command_list_handle_t) -> Outcome {
    // SAFETY: the handles are live, and there is one list.
    unsafe {
        api().zeCommandQueueExecuteCommandLists(queue, 1, &mut list, ze_fence_handle_t::NULL).into_result()
    }
}

#[test]
fn a_list_that_two_queues_execute_is_stopped_on_the_one_that_is_destroyed() {
    let _alone = alone();
    let gpu = Gpu::asynchronous();
    let out = gpu.buffer(&[0_u32; 64]);
    let (list, queues) = (recorded(&gpu, endless(&gpu, out.pointer)), [queue(&gpu), queue(&gpu)]);
    for queue in queues {
        execute(queue, list).unwrap();
    }
    until_running();
    // SAFETY: the handles are live, and each is destroyed once.
    unsafe {
        assert_eq!(api().zeCommandQueueDestroy(queues[1]).into_result(), Ok(()));
        let running = api().zeCommandQueueSynchronize(queues[0], 1_000_000).into_result();
        assert_eq!(running, Err(ze_result_t::ZE_RESULT_NOT_READY));
        assert_eq!(api().zeCommandQueueDestroy(queues[0]).into_result(), Ok(()));
    }
}

#[test]
fn who_waits_for_what_is_destroyed_is_told() {
    let _alone = alone();
    let gpu = Gpu::asynchronous();
    let out = gpu.buffer(&[0_u32; 64]);
    let (queue, events) = (queue(&gpu), gpu.events(2));
    execute(queue, recorded(&gpu, endless(&gpu, out.pointer))).unwrap();
    gpu.launch_signalling(endless(&gpu, out.pointer), [64, 1, 1], events[0]).unwrap();
    gpu.launch_signalling(brief(&gpu, out.pointer), [1, 1, 1], events[1]).unwrap();
    // The handles are numbers that any thread may use.
    let (list, queue) = (gpu.list.0.addr(), queue.0.addr());
    std::thread::scope(|scope| {
        let waiting = scope.spawn(move || {
            let queue = ze_command_queue_handle_t(std::ptr::without_provenance_mut(queue));
            // SAFETY: any handle may be passed.
            unsafe { api().zeCommandQueueSynchronize(queue, FOREVER).into_result() }
        });
        until_running();
        until_running();
        // SAFETY: any handle may be passed.
        unsafe {
            let queue = ze_command_queue_handle_t(std::ptr::without_provenance_mut(queue));
            assert_eq!(api().zeCommandQueueDestroy(queue).into_result(), Ok(()));
            let list = ze_command_list_handle_t(std::ptr::without_provenance_mut(list));
            assert_eq!(api().zeCommandListDestroy(list).into_result(), Ok(()));
        }
        assert_eq!(waiting.join().unwrap(), LOST);
    });
    for event in events {
        // SAFETY: the handle is live.
        assert_eq!(unsafe { api().zeEventHostSynchronize(event, FOREVER).into_result() }, LOST);
        assert!(gpu.last_error().starts_with("kernel `spin`"), "{}", gpu.last_error());
    }
    assert_eq!(out.read(), [0; 64]);
    // SAFETY: the handle is live.
    unsafe { api().zeContextDestroy(gpu.context).into_result().unwrap() };
    std::mem::forget(gpu);
}

#[test]
fn a_list_that_waits_for_an_event_can_be_destroyed() {
    let _alone = alone();
    let gpu = Gpu::asynchronous();
    let events = gpu.events(2);
    // SAFETY: the handles and the array are live.
    unsafe {
        let mut never = events[0];
        api().zeCommandListAppendBarrier(gpu.list, events[1], 1, &mut never).into_result().unwrap();
        assert_eq!(
            api().zeEventHostSynchronize(events[1], 1_000_000).into_result(),
            Err(ze_result_t::ZE_RESULT_NOT_READY)
        );
    }
    drop(gpu);
    // SAFETY: the handle is live.
    assert_eq!(unsafe { api().zeEventHostSynchronize(events[1], FOREVER).into_result() }, LOST);
}

/// The waiting of a synchronous list for what it has just been given.
#[test]
fn a_launch_through_a_synchronous_list_waits_for_nothing_else() {
    let _alone = alone();
    let gpu = Gpu::new();
    let out = gpu.buffer(&[0_u32; 64]);
    let kernel = brief(&gpu, out.pointer);
    let launch = || {
        let start = Instant::now();
        gpu.launch(kernel, [1, 1, 1]).unwrap();
        start.elapsed()
    };
    launch();
    // The machine may be busy, but not always.
    let least = (0..1000).map(|_| launch()).min().unwrap();
    assert!(least < Duration::from_micros(250), "{least:?}");
}

/// Says in the child process that it is the child.
const CHILD: &str = "KERNEL_TEST_STOPPING";

/// Runs the child with a limit on the time of launches, and gives what it wrote to standard error.
fn limited(milliseconds: &str) -> (bool, String) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, "1")
        .env("KERNEL_CPU_TIMEOUT", milliseconds)
        .output()
        .unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// What runs in the child process: two lists of which one gets an endless kernel.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let (gpu, other) = (Gpu::asynchronous(), Gpu::new());
    let (out, others) = (gpu.buffer(&[0_u32; 512]), other.buffer(&[0_u32; 64]));
    let brief_one = brief(&gpu, out.pointer);
    let rounds = if std::env::var("KERNEL_CPU_TIMEOUT").unwrap() == "150" { u32::MAX } else { 1000 };
    let long = endless(&gpu, out.pointer);
    set(long, 1, rounds).unwrap();
    let event = gpu.events(1)[0];
    let start = Instant::now();
    gpu.launch_signalling(long, [8, 1, 1], event).unwrap();
    assert_eq!(other.launch(brief(&other, others.pointer), [1, 1, 1]), Ok(()), "the other list goes on");
    check_brief(&others.read());
    gpu.launch(brief_one, [1, 1, 1]).unwrap();
    // SAFETY: the handle is live.
    let waited = unsafe { api().zeEventHostSynchronize(event, FOREVER).into_result() };
    eprintln!("{waited:?} after {} ms: {}", start.elapsed().as_millis(), gpu.last_error());
    assert_eq!(gpu.synchronize(), Ok(()), "the event has reported it");
    check_brief(&out.read());
    gpu.launch(brief_one, [1, 1, 1]).unwrap();
    assert_eq!(gpu.synchronize(), Ok(()), "the list goes on");
    // A failed query and an error of another kind are no faults of a kernel.
    // SAFETY: any handle may be passed.
    unsafe { api().zeEventHostReset(NO_EVENT).into_result().unwrap_err() };
    assert!(gpu.last_error().contains("NULL_HANDLE"), "{}", gpu.last_error());
}

#[test]
fn a_launch_ends_within_the_limit() {
    let _alone = alone();
    let (success, text) = limited("150");
    assert!(success, "{text}");
    let line = text.lines().find(|line| line.contains(" ms: ")).unwrap_or_else(|| panic!("{text}"));
    assert!(line.starts_with("Err(") && line.contains("DEVICE_LOST"), "{line}");
    assert!(line.contains("kernel `spin`, work-item ("), "{line}");
    assert!(line.ends_with("ran longer than the limit of 150 ms that KERNEL_CPU_TIMEOUT sets"), "{line}");
    let taken: u64 = line.split(" after ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!((150..30_000).contains(&taken), "{line}");
}

#[test]
fn a_launch_that_keeps_to_the_limit_is_as_without_one() {
    let _alone = alone();
    for limit in ["600000", "0", ""] {
        let (success, text) = limited(limit);
        assert!(success && text.contains("Ok(()) after"), "{limit}: {text}");
    }
    let (success, text) = limited("1s");
    assert!(success && text.contains("KERNEL_CPU_TIMEOUT=\"1s\" is no number of milliseconds"), "{text}");
}
