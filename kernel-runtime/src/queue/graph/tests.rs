//! What a graph asks of its driver.

use crate::error::{BufferProblem, Error, LaunchProblem};
use crate::fake_driver::{self, FakeDriver};
use crate::launch::{Launch, LaunchArgument};
use crate::queue::tests::kernel;
use crate::{Buffer, Queue};
use kernel_core::{FaultRecord, FaultSites, KernelDescriptor};

fn saxpy(kernel: &'static KernelDescriptor, x: &Buffer<f32>, y: &mut Buffer<f32>) -> Launch<3> {
    fake_driver::launch(
        kernel,
        [LaunchArgument::by_value(2.0_f32), LaunchArgument::slice(x), LaunchArgument::slice_mut(y)],
    )
}

struct Buffers {
    x: Buffer<f32>,
    y: Buffer<f32>,
    z: Buffer<f32>,
}

fn buffers(queue: &Queue) -> Buffers {
    let buffers = || queue.zeros(64).unwrap();
    Buffers { x: buffers(), y: buffers(), z: buffers() }
}

#[test]
fn a_graph_is_recorded_once_and_executed_by_one_call() {
    let driver = FakeDriver::new();
    driver.set_version((1, 9));
    let queue = driver.device().queue().unwrap();
    let Buffers { x, mut y, mut z } = buffers(&queue);
    let kernel = kernel(|_| ());
    let mut graph = queue.graph();
    graph.launch().unwrap();
    driver.take_log();
    let first = graph.add(saxpy(kernel, &x, &mut y), 64).unwrap();
    assert_eq!(driver.take_log(), "build\nkernel");
    graph.add(saxpy(kernel, &x, &mut z), 64).unwrap();
    graph.add_copy(&y, &mut z).unwrap();
    graph.add_fill(&mut z, 0.0).unwrap();
    assert_eq!(driver.take_log(), "", "nothing is enqueued yet");
    graph.launch().unwrap();
    // The launches have no buffer in common that one of them writes. What follows uses what they wrote.
    let recorded = "list\ngroup size 64 1 1\nlaunch 1 1 1\nlaunch 1 1 1\nbarrier\ncopy 256\nbarrier\nzeros 256\nbarrier\nclose";
    assert_eq!(driver.take_log(), format!("{recorded}\nexecute"));
    graph.launch().unwrap();
    graph.submit().unwrap().wait().unwrap();
    assert_eq!(driver.take_log(), "execute\nsignal\nexecute\nwait");
    graph.replace(first, saxpy(kernel, &x, &mut y), 32).unwrap();
    assert_eq!(driver.take_log(), "", "the queue has not been waited for, so that the list may be in use");
    graph.launch().unwrap();
    let sizes = recorded.replace("64 1 1\nlaunch 1 1 1", "32 1 1\nlaunch 1 1 1\ngroup size 64 1 1");
    assert_eq!(driver.take_log(), format!("{sizes}\nexecute"));
    drop(graph);
    assert_eq!(driver.take_log(), "", "the list is in use");
    queue.synchronize().unwrap();
    assert_eq!(driver.take_log(), "wait for the list\ndestroy list\ndestroy list");
}

#[test]
fn a_driver_that_does_not_execute_lists_gets_the_commands() {
    let driver = FakeDriver::new();
    driver.refuse_lists();
    let queue = driver.device().queue().unwrap();
    let Buffers { x, mut y, .. } = buffers(&queue);
    let mut graph = queue.graph();
    graph.add(saxpy(kernel(|_| ()), &x, &mut y), 64).unwrap();
    graph.add_copy(&x, &mut y).unwrap();
    graph.add_fill(&mut y, 0.0).unwrap();
    graph.launch().unwrap();
    driver.take_log();
    graph.launch().unwrap();
    assert_eq!(driver.take_log(), "barrier\nlaunch 1 1 1\nbarrier\ncopy 256\nbarrier\nzeros 256");
    graph.submit().unwrap().wait().unwrap();
    assert!(driver.take_log().ends_with("\nsignal\nwait"));
}

#[test]
fn without_immediate_lists_the_queue_executes_the_list() {
    let driver = FakeDriver::new();
    let queue = driver.device_with(|api| api.command_list.pfnCreateImmediate = None).queue().unwrap();
    let Buffers { x, mut y, .. } = buffers(&queue);
    let mut graph = queue.graph();
    graph.add(saxpy(kernel(|_| ()), &x, &mut y), 64).unwrap();
    graph.launch().unwrap();
    driver.take_log();
    graph.launch().unwrap();
    assert_eq!(driver.take_log(), "wait\nexecute");
}

#[test]
fn faults_of_a_graph_are_reported_as_those_of_launches() {
    let driver = FakeDriver::new();
    driver.on_launch(6, |arguments| {
        let record = usize::from_ne_bytes(arguments[5].as_slice().try_into().unwrap()) as *mut FaultRecord;
        // SAFETY: the runtime gives every launch a record.
        unsafe { (*record).count += 1 };
    });
    let queue = driver.device().queue().unwrap();
    let Buffers { x, mut y, .. } = buffers(&queue);
    let kernel = kernel(|kernel| kernel.fault_sites = FaultSites::new("0 1 2 4 0 0;a.rs", &[]));
    let mut graph = queue.graph();
    graph.add(saxpy(kernel, &x, &mut y), 64).unwrap();
    graph.add_groups(saxpy(kernel, &x, &mut y), 2, 32).unwrap();
    let count = |queue: &Queue| match queue.synchronize() {
        Err(Error::Fault(fault)) => fault.count,
        other => panic!("{other:?}"),
    };
    queue.synchronize().unwrap();
    graph.launch().unwrap();
    saxpy(kernel, &x, &mut y).launch(&queue, 64).unwrap();
    graph.launch().unwrap();
    assert_eq!(count(&queue), 5);
    queue.synchronize().unwrap();
    // The records of a graph that is gone are those of launches again.
    drop(graph);
    let mut graph = queue.graph();
    graph.add(saxpy(kernel, &x, &mut y), 64).unwrap();
    graph.launch().unwrap();
    saxpy(kernel, &x, &mut y).launch_groups(&queue, 2, 32).unwrap();
    saxpy(kernel, &x, &mut y).launch_groups(&queue, 4, 16).unwrap();
    assert_eq!(count(&queue), 3);
}

#[test]
fn what_cannot_be_launched_is_not_added() {
    let driver = FakeDriver::new();
    let device = driver.device();
    let (queue, other) = (device.queue().unwrap(), FakeDriver::new().device().queue().unwrap());
    let Buffers { x, mut y, .. } = buffers(&queue);
    let mut of_other = other.zeros::<f32>(64).unwrap();
    let kernel = kernel(|kernel| kernel.group_size = Some([64, 1, 1]));
    let mut graph = queue.graph();
    let problem = |result| match result {
        Err(Error::Launch(error)) => error.problem,
        other => panic!("{other:?}"),
    };
    let not_divisible = problem(graph.add(saxpy(kernel, &x, &mut y), 65).map(drop));
    assert!(matches!(not_divisible, LaunchProblem::NotDivisible { .. }), "{not_divisible}");
    let other_device = problem(graph.add(saxpy(kernel, &x, &mut of_other), 64).map(drop));
    assert!(matches!(other_device, LaunchProblem::OtherDevice { .. }), "{other_device}");
    match graph.add_copy(&x, &mut of_other) {
        Err(Error::Buffer(error)) => {
            assert!(matches!(error.problem, BufferProblem::OtherDevice { .. }), "{error}");
        }
        other => panic!("{other:?}"),
    }
    assert!(graph.is_empty());
    let node = graph.add(saxpy(kernel, &x, &mut y), 64).unwrap();
    let mut second = queue.graph();
    second.add(saxpy(kernel, &x, &mut y), 64).unwrap();
    let other_graph = problem(second.replace(node, saxpy(kernel, &x, &mut y), 64));
    assert_eq!(other_graph, LaunchProblem::OtherGraph);
    graph.replace(node, saxpy(kernel, &x, &mut y), 0).unwrap();
    driver.take_log();
    graph.launch().unwrap();
    assert_eq!(
        driver.take_log(),
        "list\nbarrier\nclose\nbarrier\nexecute",
        "a launch of no work-items does nothing"
    );
}

#[test]
fn a_view_of_the_host_keeps_a_graph_from_being_launched() {
    let driver = FakeDriver::new();
    let queue = driver.device().queue().unwrap();
    let x = queue.zeros::<f32>(64).unwrap();
    let mut y = queue.zeros_shared::<f32>(64).unwrap();
    let mut graph = queue.graph();
    graph.add(saxpy(kernel(|_| ()), &x, &mut y), 64).unwrap();
    graph.launch().unwrap();
    let view = y.view(&queue).unwrap();
    match graph.launch() {
        Err(Error::Launch(error)) => assert_eq!(error.problem, LaunchProblem::Viewed { argument: "y" }),
        other => panic!("{other:?}"),
    }
    drop(view);
    graph.launch().unwrap();
}
