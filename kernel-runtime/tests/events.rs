//! Events, copies for which nobody waits at once, and several queues.
#![cfg(feature = "cpu")]

mod kernels;

use kernel_runtime::prelude::*;
use kernel_runtime::{BufferProblem, Event};
use kernels::{saxpy, scatter};
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

fn queue() -> Queue {
    Device::best().and_then(|device| device.queue()).expect("there is always the CPU device")
}

/// Wakes a thread.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The smallest executor: it polls when it is woken, and never else.
fn block_on<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

/// Polls several futures, all of them whenever one wakes the thread.
fn join<F: Future + Unpin>(futures: Vec<F>) -> Vec<F::Output> {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let (mut futures, mut outputs): (Vec<_>, Vec<_>) = (futures.into_iter().map(Some).collect(), Vec::new());
    outputs.resize_with(futures.len(), || None);
    loop {
        for (future, output) in futures.iter_mut().zip(&mut outputs) {
            if let Some(pending) = future
                && let Poll::Ready(ready) = std::pin::Pin::new(pending).poll(&mut Context::from_waker(&waker))
            {
                (*output, *future) = (Some(ready), None);
            }
        }
        if futures.iter().all(Option::is_none) {
            return outputs.into_iter().flatten().collect();
        }
        thread::park();
    }
}

const LEN: usize = 1 << 18;

/// A launch that takes some time.
fn work(queue: &Queue, x: &Buffer<f32>, y: &mut Buffer<f32>) -> Event {
    saxpy(1.0, x, y).submit(queue, y.len()).unwrap()
}

#[test]
fn an_event_tells_when_a_launch_is_complete_and_how_long_it_took() {
    let queue = queue();
    let x = queue.filled(LEN, 1.0).unwrap();
    let mut y = queue.zeros(LEN).unwrap();
    let events: Vec<Event> = (0..20).map(|_| work(&queue, &x, &mut y)).collect();
    events[19].wait().unwrap();
    for event in &events {
        assert!(event.is_complete().unwrap(), "a queue is in order");
        let time = event.time().unwrap();
        assert!(time.as_secs_f64() < 60.0, "{time:?}");
    }
    assert!(events.iter().any(|event| !event.time().unwrap().is_zero()));
    let event = saxpy(1.0, &x, &mut y).submit_groups(&queue, 1, 64).unwrap();
    event.clone().wait().unwrap();
    assert_eq!(event.device(), queue.device());
    assert_eq!(queue.download(&y).unwrap()[..65], [[21.0; 64].as_slice(), &[20.0]].concat());
}

#[test]
fn events_are_awaited() {
    let queue = queue();
    let x = queue.filled(LEN, 1.0).unwrap();
    let mut y = queue.zeros(LEN).unwrap();
    block_on(async {
        for round in 1..=10_u8 {
            let mut event = work(&queue, &x, &mut y);
            (&mut event).await.unwrap();
            assert!(event.is_complete().unwrap());
            let y = queue.download_async(&y).unwrap().await.unwrap();
            assert_eq!((y[0], y[LEN - 1]), (f32::from(round), f32::from(round)));
        }
        queue.record().unwrap().await.unwrap();
    });
}

#[test]
fn many_tasks_await_many_queues() {
    let device = queue().device().clone();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let queues: Vec<Queue> = (0..4).map(|_| device.queue().unwrap()).collect();
                let x = queues[0].filled(LEN, 1.0).unwrap();
                let mut events = Vec::new();
                for queue in &queues {
                    let mut y = queue.zeros(LEN).unwrap();
                    events.extend((0..5).map(|_| work(queue, &x, &mut y)));
                }
                assert!(join(events).into_iter().all(|result| result.is_ok()));
            });
        }
    });
}

#[test]
fn a_future_may_be_dropped_while_it_waits() {
    let queue = queue();
    let x = queue.filled(LEN, 1.0).unwrap();
    let mut y = queue.zeros(LEN).unwrap();
    for _ in 0..10 {
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        let mut event = work(&queue, &x, &mut y);
        let _ = pin!(&mut event).poll(&mut Context::from_waker(&waker));
        let mut download = queue.download_async(&y).unwrap();
        let _ = pin!(&mut download).poll(&mut Context::from_waker(&waker));
    }
    assert_eq!(queue.download(&y).unwrap(), [10.0; LEN]);
}

#[test]
fn queues_wait_for_each_other_where_they_are_told_to() {
    let device = queue().device().clone();
    let queues = [device.queue().unwrap(), device.queue().unwrap()];
    let x = queues[0].filled(LEN, 1.0).unwrap();
    let mut y = queues[0].zeros(LEN).unwrap();
    for round in 0..10 {
        let event = work(&queues[round % 2], &x, &mut y);
        queues[(round + 1) % 2].wait_for(&event).unwrap();
        queues[round % 2].wait_for(&event).expect("it waits for itself in any case");
    }
    assert_eq!(queues[0].download(&y).unwrap(), [10.0; LEN]);
}

#[test]
fn a_buffer_that_goes_from_queue_to_queue_keeps_the_order() {
    let device = queue().device().clone();
    let queues: Vec<Queue> = (0..3).map(|_| device.queue().unwrap()).collect();
    let mut x = queues[0].filled(LEN, 1.0).unwrap();
    let mut y = queues[1].zeros(LEN).unwrap();
    let (mut of_x, mut of_y) = (1.0, 0.0);
    for round in 0..20 {
        saxpy(1.0, &x, &mut y).launch(&queues[round % 3], LEN).unwrap();
        of_y += of_x;
        if round % 5 == 4 {
            queues[(round + 1) % 3].fill(&mut x, round as f32).unwrap();
            of_x = round as f32;
        }
        let mut z = queues[(round + 2) % 3].uninit(LEN).unwrap();
        queues[(round + 2) % 3].copy(&y, &mut z).unwrap();
        y = z;
    }
    assert_eq!(queues[2].download(&y).unwrap(), [of_y; LEN]);
}

#[test]
fn downloads_and_uploads_need_not_be_waited_for() {
    let queue = queue();
    let host: Vec<f32> = (0..LEN).map(|i| (i % 1000) as f32).collect();
    let x = queue.upload_async(host.clone()).unwrap();
    let mut y = queue.upload_async(vec![0.0; LEN]).unwrap();
    let downloads: Vec<_> = (0..4)
        .map(|_| {
            saxpy(1.0, &x, &mut y).launch(&queue, LEN).unwrap();
            queue.download_async(&y).unwrap()
        })
        .collect();
    drop(y);
    for (factor, values) in (1..).map(|factor| factor as f32).zip(join(downloads)) {
        assert_eq!(values.unwrap(), host.iter().map(|x| factor * x).collect::<Vec<_>>());
    }
    assert_eq!(queue.download_async(&queue.zeros::<u8>(0).unwrap()).unwrap().wait().unwrap(), []);
    let mut short = queue.zeros(2).unwrap();
    let Err(Error::Buffer(error)) = queue.write_async(&mut short, vec![1]) else { panic!("it does not fit") };
    assert_eq!(error.problem, BufferProblem::LengthMismatch { buffer: 2, slice: 1 });
    let download = queue.download_async(&x).unwrap();
    drop(queue);
    assert_eq!(download.wait().unwrap(), host, "it keeps the queue");
}

#[test]
fn a_download_reports_the_fault_before_it() {
    let queue = queue();
    let index = queue.upload(&[1_u64 << 40]).unwrap();
    let mut scattered = queue.zeros::<u32>(4).unwrap();
    scatter(&index, &mut scattered).launch(&queue, 1).unwrap();
    let result = queue.download_async(&scattered).unwrap().wait();
    assert!(matches!(result, Err(Error::Fault(_))), "{result:?}");
    scatter(&index, &mut scattered).launch(&queue, 1).unwrap();
    let result = block_on(queue.download_async(&scattered).unwrap());
    assert!(matches!(result, Err(Error::Fault(_))), "{result:?}");
    scatter(&index, &mut scattered).launch(&queue, 1).unwrap();
    let mut values = [9; 4];
    let result = queue.scope(|scope| scope.download_into(&scattered, &mut values));
    assert!(matches!(result, Err(Error::Fault(_))), "{result:?}");
    assert_eq!(queue.download(&scattered).unwrap(), [0; 4], "the queue goes on");
}

#[test]
fn a_scope_ends_when_its_copies_do() {
    let queue = queue();
    let mut x = queue.zeros::<f32>(LEN).unwrap();
    let mut flags = queue.zeros::<bool>(100).unwrap();
    let (values, on) = (vec![2.0; LEN], [true; 50]);
    let (mut halves, mut back) = ([vec![0.0; LEN / 2], vec![0.0; LEN / 2]], [true; 100]);
    let [first, second] = &mut halves;
    let answer = queue
        .scope(|scope| {
            scope.write(&mut x, &values)?;
            scope.write(&mut flags.slice_mut(50..), &on)?;
            scope.download_into(&x.slice(..LEN / 2), first)?;
            scope.download_into(&x.slice(LEN / 2..), second)?;
            scope.download_into(&flags, &mut back)?;
            assert_eq!(scope.queue().device(), x.device());
            Ok(42)
        })
        .unwrap();
    assert_eq!(answer, 42);
    assert!(halves.iter().flatten().all(|&value| value == 2.0));
    assert_eq!(back.iter().position(|&flag| flag), Some(50));
}

#[test]
fn a_scope_waits_whatever_its_function_does() {
    let queue = queue();
    let x = queue.filled(LEN, 3.0).unwrap();
    for returns in [true, false] {
        let mut values = vec![0.0; LEN];
        let ended = catch_unwind(AssertUnwindSafe(|| {
            queue.scope(|scope| {
                scope.download_into(&x, &mut values)?;
                if returns {
                    return scope.write(&mut queue.zeros(1)?, &[1.0; 2]);
                }
                panic!("this is tested")
            })
        }));
        assert_eq!(ended.is_ok(), returns);
        assert!(ended.is_err() || matches!(ended, Ok(Err(Error::Buffer(_)))));
        assert_eq!(values, vec![3.0; LEN], "it was copied before the end");
    }
}
