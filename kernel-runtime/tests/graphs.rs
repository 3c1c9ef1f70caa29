//! Graphs on the CPU device.
#![cfg(feature = "cpu")]

mod kernels;

use kernel_runtime::Trace;
use kernel_runtime::prelude::*;
use kernels::{saxpy, scatter};
use std::thread;
use std::time::Instant;

fn queue() -> Queue {
    Device::best().and_then(|device| device.queue()).expect("there is always the CPU device")
}

#[test]
fn a_graph_does_what_its_commands_do() {
    let queue = queue();
    let x = queue.filled(1000, 1.0).unwrap();
    let (mut y, mut z) = (queue.zeros(1000).unwrap(), queue.zeros(1000).unwrap());
    let mut graph = queue.graph();
    let first = graph.add(saxpy(1.0, &x, &mut y), 1000).unwrap();
    graph.add(saxpy(10.0, &y, &mut z), 1000).unwrap();
    assert_eq!(queue.download(&z).unwrap(), [0.0; 1000], "nothing has been launched");
    for _ in 0..3 {
        graph.launch().unwrap();
    }
    assert_eq!(queue.download(&z).unwrap(), [60.0; 1000]);
    graph.replace(first, saxpy(5.0, &x, &mut y), 1000).unwrap();
    graph.add_fill(&mut y.slice_mut(..10), -1.0).unwrap();
    graph.add_copy(&x.slice(..5), &mut z.slice_mut(995..)).unwrap();
    let event = graph.submit().unwrap();
    event.wait().unwrap();
    let (y, z) = (queue.download(&y).unwrap(), queue.download(&z).unwrap());
    assert_eq!((y[9], y[10]), (-1.0, 8.0));
    assert_eq!((z[0], z[994], z[995]), (140.0, 140.0, 1.0));
}

#[test]
fn the_event_of_a_graph_times_all_of_it() {
    const LEN: usize = 1 << 16;
    let queue = queue();
    let (x, mut y) = (queue.filled(LEN, 1.0_f32).unwrap(), queue.zeros::<f32>(LEN).unwrap());
    let launch = |y: &mut _| saxpy(1.0, &x, y).submit(&queue, LEN).unwrap().time().unwrap();
    let one = (0..20).map(|_| launch(&mut y)).min().expect("there are some");
    let mut graph = queue.graph();
    for _ in 0..20 {
        graph.add(saxpy(1.0, &x, &mut y), LEN).unwrap();
    }
    for _ in 0..3 {
        // The time of what is before it is not its own.
        saxpy(1.0, &x, &mut y).launch(&queue, LEN).unwrap();
        let start = Instant::now();
        let time = graph.submit().unwrap().time().unwrap();
        assert!(5 * one < time && time <= start.elapsed(), "{one:?} and {time:?} of {:?}", start.elapsed());
    }
    assert!(queue.graph().submit().unwrap().time().unwrap() < one * 1000, "there is nothing in it");
}

#[test]
fn what_cannot_be_repeated_by_the_driver_is_filled_too() {
    let queue = queue();
    let mut triples = queue.zeros::<[u8; 3]>(100).unwrap();
    let mut graph = queue.graph();
    graph.add_fill(&mut triples, [1, 2, 3]).unwrap();
    graph.launch().unwrap();
    assert_eq!(queue.download(&triples).unwrap(), [[1, 2, 3]; 100]);
    queue.fill(&mut triples, [0; 3]).unwrap();
    graph.launch().unwrap();
    assert_eq!(queue.download(&triples).unwrap(), [[1, 2, 3]; 100]);
}

#[test]
fn a_fault_is_that_of_the_queue() {
    let queue = queue();
    let (bad, good) = (queue.upload(&[1000_u64; 4]).unwrap(), queue.upload(&[0_u64; 4]).unwrap());
    let mut y = queue.zeros::<u32>(4).unwrap();
    let mut graph = queue.graph();
    let node = graph.add(scatter(&bad, &mut y), 4).unwrap();
    for _ in 0..2 {
        graph.launch().unwrap();
        match queue.synchronize() {
            Err(Error::Fault(fault)) => assert_eq!(fault.count, 4),
            other => panic!("{other:?}"),
        }
    }
    graph.replace(node, scatter(&good, &mut y), 4).unwrap();
    graph.launch().unwrap();
    queue.synchronize().unwrap();
}

#[test]
fn other_queues_wait_for_a_graph_and_it_for_them() {
    let device = queue().device().clone();
    let (first, second) = (device.queue().unwrap(), device.queue().unwrap());
    let x = first.filled(1 << 16, 1.0).unwrap();
    let (mut y, mut z) = (first.zeros(1 << 16).unwrap(), first.zeros(1 << 16).unwrap());
    let mut graph = first.graph();
    for _ in 0..4 {
        graph.add(saxpy(1.0, &x, &mut y), 1 << 16).unwrap();
    }
    for round in 1..=5_u8 {
        graph.launch().unwrap();
        saxpy(1.0, &y, &mut z).launch(&second, 1 << 16).unwrap();
        second.fill(&mut y, f32::from(round)).unwrap();
    }
    // 4, 1 + 4, 2 + 4, 3 + 4 and 4 + 4.
    assert_eq!(second.download(&z).unwrap(), vec![30.0; 1 << 16]);
    assert_eq!(first.download(&y).unwrap(), vec![5.0; 1 << 16]);
}

#[test]
fn a_graph_keeps_what_it_uses() {
    let mut graph = {
        let queue = queue();
        let x = queue.filled(100, 1.0).unwrap();
        let mut y = queue.zeros(100).unwrap();
        let mut graph = queue.graph();
        graph.add(saxpy(1.0, &x, &mut y), 100).unwrap();
        graph
    };
    for _ in 0..100 {
        graph.launch().unwrap();
    }
    // While it runs.
    drop(graph);
}

#[test]
fn graphs_of_several_threads_run_side_by_side() {
    let device = queue().device().clone();
    thread::scope(|scope| {
        for number in 1..=4_u8 {
            let device = &device;
            scope.spawn(move || {
                let queue = device.queue().unwrap();
                let x = queue.filled(512, f32::from(number)).unwrap();
                let mut y = queue.zeros(512).unwrap();
                let mut graph = queue.graph();
                for _ in 0..8 {
                    graph.add(saxpy(1.0, &x, &mut y), 512).unwrap();
                }
                for _ in 0..25 {
                    graph.launch().unwrap();
                }
                assert_eq!(queue.download(&y).unwrap(), [f32::from(number) * 200.0; 512]);
            });
        }
    });
}

#[test]
fn the_launches_of_a_graph_are_traced_each_by_itself() {
    let queue = queue();
    let x = queue.filled(100, 1.0).unwrap();
    let mut y = queue.zeros(100).unwrap();
    let mut graph = queue.graph();
    for _ in 0..3 {
        graph.add(saxpy(1.0, &x, &mut y), 100).unwrap();
    }
    graph.launch().unwrap();
    queue.synchronize().unwrap();
    let trace = Trace::start();
    graph.launch().unwrap();
    queue.synchronize().unwrap();
    let timeline = trace.finish();
    let saxpys = timeline.kernels().into_iter().find(|kernel| kernel.kernel == "saxpy").unwrap();
    assert!(saxpys.count >= 3, "{timeline}");
    assert_eq!(queue.download(&y).unwrap(), [6.0; 100]);
}
